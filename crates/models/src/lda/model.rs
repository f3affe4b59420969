//! The model: numbers of topics and words, and the two concentrations.

/// Latent Dirichlet allocation with symmetric priors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// Number of topics K.
    pub topics: usize,
    /// Number of words V.
    pub words: usize,
    /// Concentration α of the shares of a document, positive.
    pub alpha: f64,
    /// Concentration η of the words of a topic, positive.
    pub eta: f64,
}
