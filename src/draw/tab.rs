//! The tabs of plots, by name.

/// The plots at the bottom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// Step sizes over the run.
    #[default]
    Schedule,
    /// Coordinates over the run.
    Trace,
    /// What steps are made of over the run.
    Noise,
    /// A measure as the run goes on, over repeats.
    Truth,
    /// Samplers and approximations against their cost.
    Compare,
    /// Ranks, autocorrelation, running mean.
    Chain,
    /// The log density between two draws.
    Path,
    /// The evidence lower bound over the run.
    Elbo,
    /// What a window of averaged statistics costs and brings.
    Smoothing,
    /// Coverage against fidelity.
    Coverage,
}

impl Tab {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Schedule,
        Self::Trace,
        Self::Noise,
        Self::Elbo,
        Self::Smoothing,
        Self::Truth,
        Self::Compare,
        Self::Chain,
        Self::Path,
        Self::Coverage,
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Schedule => "Schedule",
            Self::Trace => "Trace",
            Self::Noise => "Noise",
            Self::Truth => "Truth",
            Self::Compare => "Compare",
            Self::Chain => "Chain",
            Self::Path => "Path",
            Self::Elbo => "ELBO",
            Self::Smoothing => "Smoothing",
            Self::Coverage => "Coverage",
        }
    }
}
