//! Why a distribution is not computed, in words for a person.

use exact::Refusal;
use thiserror::Error;

/// Why a distribution is not computed.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum NotComputed {
    /// The run is of a kind that is not computed.
    #[error("{0}")]
    Unsuited(&'static str),
    /// It is, but not with these numbers.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Whoever asked has ended it.
    #[error("ended before it was complete")]
    Ended,
}
