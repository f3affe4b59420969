//! The error of which parts are shown.

use crate::words::word::Word;
use base::params::ParamSpec;
use engine::scenario::view::options;

/// An error of a distribution, by the key of its measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorOf {
    /// Total variation.
    #[default]
    Tv,
    /// KL(q‖p).
    Kl,
    /// Hellinger distance.
    Hellinger,
    /// Length of the error of the mean.
    Mean,
    /// Error of the covariance.
    Covariance,
}

impl Word for ErrorOf {
    const SPEC: &'static ParamSpec = &options::ERROR_OF;
    const ALL: &'static [Self] = &[Self::Tv, Self::Kl, Self::Hellinger, Self::Mean, Self::Covariance];
}

impl ErrorOf {
    /// The key of the measure, which is its word in a file.
    pub fn measure(self) -> &'static str {
        self.key()
    }
}
