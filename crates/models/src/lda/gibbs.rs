//! Collapsed Gibbs sampling: topics of tokens, with shares and topics integrated out.
//!
//! T. L. Griffiths and M. Steyvers (2004), *Finding scientific topics*, PNAS 101. Token by token in the order of the
//! documents, with counts without the token: p(z = k) ∝ (n_dk + α)(n_kw + η)/(n_k + Vη).

use super::elbo::log_normaliser;
use super::tile::{LANES, Tile, pick};
use super::{Documents, Model, Stop, Topics};
use base::math::elementary::{InstructionSet, Kernel, Simd};
use base::math::{Stream, ln_gamma};

/// The topic of every token of a set of documents, with the counts.
#[derive(Clone, Debug)]
pub struct Gibbs {
    simd: Simd,
    model: Model,
    /// z, for all tokens one after the other. K is at most 200.
    assignments: Vec<u8>,
    /// n_kw, in tiles of topics for each word.
    counts: Vec<Tile>,
    /// n_k.
    totals: Vec<f64>,
    /// 1/(n_k + Vη), 0 beyond the last topic.
    inverses: Vec<Tile>,
    /// n_dk of the present document.
    own: Vec<Tile>,
    weights: Vec<Tile>,
    sums: Vec<Tile>,
    uniforms: Vec<f64>,
    /// The document that comes next.
    next: usize,
    sweeps: u64,
}

impl Gibbs {
    /// Every topic uniform over all.
    #[must_use]
    pub fn new(simd: Simd, model: Model, documents: &Documents, stream: &mut Stream) -> Self {
        let topics = u32::try_from(model.topics).unwrap_or(u32::MAX);
        let draw = |_| u8::try_from(stream.below(topics)).unwrap_or(u8::MAX);
        Self::from(simd, model, documents, (0..documents.token_count()).map(draw).collect())
    }

    /// Given topics of all tokens.
    #[must_use]
    pub fn from(simd: Simd, model: Model, documents: &Documents, assignments: Vec<u8>) -> Self {
        let tiles = model.topics.div_ceil(LANES);
        let zeros = vec![[0.0; LANES]; tiles];
        let mut counts = vec![[0.0; LANES]; tiles * model.words];
        let mut totals = vec![0.0; model.topics];
        let tokens = (0..documents.len()).flat_map(|document| documents.tokens(document));
        for (&word, &topic) in tokens.zip(&assignments) {
            let (tile, lane) = tile_and_lane(topic);
            counts[word as usize * tiles + tile][lane] += 1.0;
            totals[usize::from(topic)] += 1.0;
        }
        let mut inverses = zeros.clone();
        let prior = model.words as f64 * model.eta;
        let pairs = inverses.as_flattened_mut().iter_mut().zip(&totals);
        for (inverse, total) in pairs {
            *inverse = 1.0 / (total + prior);
        }
        // A token writes single numbers of the tiles that the next token reads. Eight at once have to wait longer for them
        // than four: AVX-512 has two thirds of the speed of AVX2.
        let simd = Simd::with(InstructionSet::Avx2).map_or(simd, |narrow| simd.min(narrow));
        Self {
            simd,
            model,
            assignments,
            counts,
            totals,
            inverses,
            own: zeros.clone(),
            weights: zeros.clone(),
            sums: zeros,
            uniforms: Vec::new(),
            next: 0,
            sweeps: 0,
        }
    }

    /// Whole sweeps so far. A sweep costs D documents.
    #[must_use]
    pub fn sweeps(&self) -> u64 {
        self.sweeps
    }

    /// The topics of the tokens of a document, in their order.
    #[must_use]
    pub fn assignments(&self, documents: &Documents, document: usize) -> &[u8] {
        &self.assignments[documents.token_range(document)]
    }

    /// n_kw: how many tokens of each word have each topic.
    #[must_use]
    pub fn counts(&self) -> Topics {
        self.counts_and(0.0)
    }

    /// n_kw and a number, word by word as both are kept: the movement of topics reads them after every sweep.
    fn counts_and(&self, number: f64) -> Topics {
        let Model { topics, words, .. } = self.model;
        let mut all = Topics::filled(topics, words, 0.0);
        let tiles = self.counts.chunks_exact(self.inverses.len().max(1));
        for (of_word, tiles) in all.values_mut().chunks_exact_mut(topics.max(1)).zip(tiles) {
            of_word.iter_mut().zip(tiles.as_flattened()).for_each(|(value, count)| *value = count + number);
        }
        all
    }

    /// n_kw + η: parameters of the Dirichlet distributions of β given the topics of all tokens. Normalised they are β̂; a
    /// [`dirichlet_draw`](Topics::dirichlet_draw) of them is a draw from the posterior.
    #[must_use]
    pub fn lambda(&self) -> Topics {
        self.counts_and(self.model.eta)
    }

    /// E β of a topic and a word given the topics of all tokens: (n_kw + η)/(n_k + Vη).
    #[must_use]
    pub fn mean(&self, topic: usize, word: usize) -> f64 {
        let count = self.counts[word * self.inverses.len() + topic / LANES][topic % LANES];
        (count + self.model.eta) / (self.totals[topic] + self.model.words as f64 * self.model.eta)
    }

    /// n_dk + α of a document, parameters of the Dirichlet distribution of θ given the topics of its tokens.
    #[must_use]
    pub fn share_parameters(&self, documents: &Documents, document: usize) -> Vec<f64> {
        let mut gamma = vec![self.model.alpha; self.model.topics];
        for &topic in self.assignments(documents, document) {
            gamma[usize::from(topic)] += 1.0;
        }
        gamma
    }

    /// log p(w, z), in nats.
    #[must_use]
    pub fn log_joint(&self, documents: &Documents) -> f64 {
        let Model { topics, words, alpha, eta } = self.model;
        let mut sum = topics as f64 * log_normaliser(words, eta);
        let lambda = self.lambda();
        sum += lambda.values().iter().map(|value| ln_gamma(*value)).sum::<f64>();
        sum -= lambda.sums().into_iter().map(ln_gamma).sum::<f64>();
        sum += documents.len() as f64 * log_normaliser(topics, alpha);
        for document in 0..documents.len() {
            let gamma = self.share_parameters(documents, document);
            let total: f64 = gamma.iter().sum();
            sum += gamma.into_iter().map(ln_gamma).sum::<f64>() - ln_gamma(total);
        }
        sum
    }

    /// Draws the topics of the tokens of a number of documents anew. They must be those of the calls before.
    pub fn advance(&mut self, documents: &Documents, count: usize, stream: &mut Stream) {
        for _ in 0..count {
            if self.next < documents.len() {
                self.draw(documents, stream);
                self.next += 1;
            }
            if self.next == documents.len() {
                (self.next, self.sweeps) = (0, self.sweeps + 1);
            }
        }
    }

    /// Makes a sweep over all tokens.
    pub fn sweep(&mut self, documents: &Documents, stream: &mut Stream) {
        self.advance(documents, documents.len(), stream);
    }

    /// Makes a sweep, unless it is stopped. Returns whether it was made; if not, the state is somewhere within it.
    pub fn sweep_unless(&mut self, stop: &Stop, documents: &Documents, stream: &mut Stream) -> bool {
        (0..documents.len()).all(|_| {
            self.advance(documents, 1, stream);
            !stop.is_set()
        })
    }

    fn draw(&mut self, documents: &Documents, stream: &mut Stream) {
        let tokens = documents.tokens(self.next);
        self.uniforms.clear();
        self.uniforms.extend(tokens.iter().map(|_| stream.uniform()));
        let range = documents.token_range(self.next);
        self.own.fill([0.0; LANES]);
        for &topic in &self.assignments[range.clone()] {
            let (tile, lane) = tile_and_lane(topic);
            self.own[tile][lane] += 1.0;
        }
        let simd = self.simd;
        simd.dispatch(Draw { gibbs: self, tokens, first: range.start });
    }
}

/// Tile and lane of a topic.
#[inline(always)]
fn tile_and_lane(topic: u8) -> (usize, usize) {
    (usize::from(topic) / LANES, usize::from(topic) % LANES)
}

/// Draws the topics of the tokens of one document.
struct Draw<'a> {
    gibbs: &'a mut Gibbs,
    tokens: &'a [u32],
    /// The index of its first token among all.
    first: usize,
}

impl Kernel for Draw<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { gibbs, tokens, first } = self;
        let Gibbs { model, assignments, counts, totals, inverses, own, weights, sums, uniforms, .. } = gibbs;
        let (tiles, prior, last) = (inverses.len(), model.words as f64 * model.eta, model.topics - 1);
        let assignments = &mut assignments[first..first + tokens.len()];
        for ((assignment, &word), &uniform) in assignments.iter_mut().zip(tokens).zip(uniforms.iter()) {
            let counts = &mut counts[word as usize * tiles..][..tiles];
            let before = usize::from(*assignment);
            totals[before] -= 1.0;
            inverses.as_flattened_mut()[before] = 1.0 / (totals[before] + prior);
            own.as_flattened_mut()[before] -= 1.0;
            counts.as_flattened_mut()[before] -= 1.0;
            for (((weights, own), counts), inverses) in
                weights.iter_mut().zip(own.iter()).zip(counts.iter()).zip(inverses.iter())
            {
                for (((weight, own), count), inverse) in weights.iter_mut().zip(own).zip(counts).zip(inverses) {
                    *weight = (own + model.alpha) * (count + model.eta) * inverse;
                }
            }
            let topic = pick(weights, sums, uniform).min(last);
            totals[topic] += 1.0;
            inverses.as_flattened_mut()[topic] = 1.0 / (totals[topic] + prior);
            own.as_flattened_mut()[topic] += 1.0;
            counts.as_flattened_mut()[topic] += 1.0;
            *assignment = topic as u8;
        }
    }
}
