//! A target that a person has asked for: until it is built, and if it is refused.

use base::params::{ParamError, Settings};

/// A target that was refused.
#[derive(Clone, Debug, PartialEq)]
pub struct RefusedTarget {
    /// Its settings, as they were asked for.
    pub target: Settings,
    /// Why it was refused.
    pub errors: Vec<ParamError>,
}

/// A target that was asked for, until the worker has built or refused it.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) target: Settings,
    /// Number of the newest refusal before it was asked for.
    pub(super) refusal: u64,
}
