//! A corpus: training and held-out documents over a vocabulary, with the true topics where they are known.

use super::generator::Generator;
use super::{Documents, Dropped, Topics};

/// Documents with their vocabulary.
#[derive(Clone, Debug, PartialEq)]
pub struct Corpus {
    /// The vocabulary.
    pub vocabulary: Vec<String>,
    /// The documents that topics are learned from.
    pub training: Documents,
    /// The documents on which they are tested.
    pub held_out: Documents,
    /// What the documents were generated from, if they were.
    pub truth: Option<Truth>,
    /// Documents and words that were left out.
    pub dropped: Dropped,
}

impl Corpus {
    /// Number of words V of the vocabulary.
    #[must_use]
    pub fn words(&self) -> usize {
        self.vocabulary.len()
    }
}

/// What a corpus was generated from.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    /// β, every topic a distribution.
    pub topics: Topics,
    /// θ of the training documents, K shares each.
    pub shares: Vec<f64>,
}

/// How a corpus is generated: true topics, and the sizes. All documents have the same length.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// True topics.
    pub topics: Topics,
    /// The names of the words.
    pub vocabulary: Vec<String>,
    /// Number of training documents D.
    pub documents: usize,
    /// Number of held-out documents H.
    pub held_out: usize,
    /// Tokens of each document.
    pub length: usize,
    /// Concentration of the Dirichlet distribution of θ, in (0, 1].
    pub concentration: f64,
}

impl Recipe {
    /// Bars: words are the pixels of a square, named by row and column; topics are its rows, then its columns, each uniform
    /// on its pixels (Griffiths and Steyvers 2004). `side` 5 or 4.
    #[must_use]
    pub fn bars(side: usize) -> Self {
        let share = 1.0 / side as f64;
        let on_bar = |topic: usize, pixel: usize| {
            let bar = if topic < side { pixel / side } else { side + pixel % side };
            if bar == topic { share } else { 0.0 }
        };
        let pixels = (0..side * side).map(|pixel| format!("r{}c{}", pixel / side, pixel % side));
        let topics = Topics::from_fn(2 * side, side * side, on_bar);
        let (documents, held_out, length) = if side < 5 { (200, 50, 40) } else { (1000, 200, 100) };
        Self { topics, vocabulary: pixels.collect(), documents, held_out, length, concentration: 0.2 }
    }

    /// The bars of Griffiths and Steyvers (2004) themselves: with a concentration of 1 documents are almost grey.
    #[must_use]
    pub fn griffiths_steyvers() -> Self {
        Self { documents: 2000, concentration: 1.0, ..Self::bars(5) }
    }

    /// Three topics over three words, which can be drawn as points of a triangle.
    #[must_use]
    pub fn triangle() -> Self {
        let topics = [[0.8, 0.15, 0.05], [0.1, 0.75, 0.15], [0.1, 0.1, 0.8]];
        Self::of_three_words(&topics, (300, 100, 60), 0.3)
    }

    /// Two topics over three words: the documents are on a segment of the triangle. Variational inference fails worst here.
    #[must_use]
    pub fn segment() -> Self {
        Self::of_three_words(&[[0.85, 0.1, 0.05], [0.1, 0.15, 0.75]], (200, 100, 50), 0.5)
    }

    fn of_three_words(
        topics: &[[f64; 3]],
        (documents, held_out, length): (usize, usize, usize),
        concentration: f64,
    ) -> Self {
        let topics = Topics::from_fn(topics.len(), 3, |topic, word| topics[topic][word]);
        let vocabulary = ["a", "b", "c"].map(str::to_owned).to_vec();
        Self { topics, vocabulary, documents, held_out, length, concentration }
    }

    /// The corpus of a seed: for each document θ, then for each token its topic and its word.
    #[must_use]
    pub fn corpus(&self, seed: u64) -> Corpus {
        let mut generator = Generator::new(seed);
        let (mut training, mut held_out, mut shares) = (Documents::default(), Documents::default(), Vec::new());
        let by_topic: Vec<Vec<f64>> =
            (0..self.topics.count()).map(|topic| self.topics.topic(topic).collect()).collect();
        for document in 0..self.documents + self.held_out {
            let theta = generator.dirichlet(self.topics.count(), self.concentration);
            let tokens: Vec<u32> = (0..self.length)
                .map(|_| {
                    let topic = generator.categorical(theta.iter().copied());
                    u32::try_from(generator.categorical(by_topic[topic].iter().copied())).unwrap_or(u32::MAX)
                })
                .collect();
            let name = (document + 1).to_string();
            if document < self.documents {
                training.push(name, &tokens);
                shares.extend(theta);
            } else {
                held_out.push(name, &tokens);
            }
        }
        Corpus {
            vocabulary: self.vocabulary.clone(),
            training,
            held_out,
            truth: Some(Truth { topics: self.topics.clone(), shares }),
            dropped: Dropped::default(),
        }
    }
}
