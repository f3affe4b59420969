//! A number for every topic and word: parameters λ, statistics S, distributions β.

use base::math::Stream;
use base::math::gamma_draw;

/// Shape of the random start.
const START_SHAPE: f64 = 100.0;

/// K × V numbers. Those of one word are side by side, since documents are passed through word by word.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Topics {
    count: usize,
    values: Vec<f64>,
}

impl Topics {
    /// K = `count` topics over `words` words, with the same number everywhere.
    #[must_use]
    pub fn filled(count: usize, words: usize, value: f64) -> Self {
        Self { count, values: vec![value; count * words] }
    }

    /// The number of each topic and word by a function of both, called topic by topic.
    pub fn from_fn(count: usize, words: usize, mut value: impl FnMut(usize, usize) -> f64) -> Self {
        let mut topics = Self::filled(count, words, 0.0);
        for topic in 0..count {
            for word in 0..words {
                topics.values[word * count + topic] = value(topic, word);
            }
        }
        topics
    }

    /// The usual random start: every λ_kw ~ Gamma(100, 1/100), topic by topic.
    #[must_use]
    pub fn random(count: usize, words: usize, stream: &mut Stream) -> Self {
        Self::from_fn(count, words, |_, _| gamma_draw(START_SHAPE, stream) / START_SHAPE)
    }

    /// A draw of every β_k ~ Dirichlet(λ_k), topic by topic.
    #[must_use]
    pub fn dirichlet_draw(&self, stream: &mut Stream) -> Self {
        Self::from_fn(self.count, self.words(), |topic, word| gamma_draw(self.get(topic, word), stream)).normalised()
    }

    /// Number of topics K.
    #[inline]
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Number of words V.
    #[inline]
    #[must_use]
    pub fn words(&self) -> usize {
        self.values.len().checked_div(self.count).unwrap_or(0)
    }

    /// The number of a topic and a word.
    #[inline]
    #[must_use]
    pub fn get(&self, topic: usize, word: usize) -> f64 {
        self.values[word * self.count + topic]
    }

    /// The numbers of one topic, word by word.
    pub fn topic(&self, topic: usize) -> impl Iterator<Item = f64> {
        self.values.iter().skip(topic).step_by(self.count.max(1)).copied()
    }

    /// The K numbers of one word.
    #[inline]
    #[must_use]
    pub fn of_word(&self, word: usize) -> &[f64] {
        &self.values[word * self.count..][..self.count]
    }

    /// The K numbers of one word.
    #[inline]
    pub fn of_word_mut(&mut self, word: usize) -> &mut [f64] {
        &mut self.values[word * self.count..][..self.count]
    }

    /// All numbers, word by word.
    #[inline]
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// All numbers, word by word.
    #[inline]
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Σ_w of each topic, added in the order of the words.
    #[must_use]
    pub fn sums(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.count];
        for of_word in self.values.chunks_exact(self.count.max(1)) {
            for (sum, value) in sums.iter_mut().zip(of_word) {
                *sum += value;
            }
        }
        sums
    }

    /// Every topic divided by its sum: the mean E β of Dirichlet(λ_k).
    #[must_use]
    pub fn normalised(&self) -> Self {
        let sums = self.sums();
        let mut topics = self.clone();
        for of_word in topics.values.chunks_exact_mut(self.count.max(1)) {
            for (value, sum) in of_word.iter_mut().zip(&sums) {
                *value /= sum;
            }
        }
        topics
    }

    /// The standard deviation of every β_kw under Dirichlet(λ_k).
    #[must_use]
    pub fn dirichlet_sd(&self) -> Self {
        let (sums, mut sd) = (self.sums(), self.normalised());
        for of_word in sd.values.chunks_exact_mut(self.count.max(1)) {
            for (value, sum) in of_word.iter_mut().zip(&sums) {
                *value = (*value * (1.0 - *value) / (sum + 1.0)).sqrt();
            }
        }
        sd
    }

    /// Σ of squared differences to topics of the same size: the squared Euclidean distance.
    #[must_use]
    pub fn square_distance(&self, other: &Self) -> f64 {
        self.values.iter().zip(&other.values).map(|(a, b)| (a - b) * (a - b)).sum()
    }

    /// Σ of squares.
    #[must_use]
    pub fn square_norm(&self) -> f64 {
        self.values.iter().map(|value| value * value).sum()
    }

    /// The topics in another order: topic k of the result is topic `order[k]` of these.
    #[must_use]
    pub fn reordered(&self, order: &[usize]) -> Self {
        Self::from_fn(order.len(), self.words(), |topic, word| self.get(order[topic], word))
    }
}
