//! What the tab draws beside the matrices.

use crate::words::word::Word;
use base::params::ParamSpec;
use engine::scenario::view::options;

/// Curves of cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CyclesShown {
    /// Modes at the ends of cycles.
    #[default]
    Ends,
    /// Where in a cycle its mode is decided.
    Decided,
}

impl Word for CyclesShown {
    const SPEC: &'static ParamSpec = &options::CYCLES_SHOWN;
    const ALL: &'static [Self] = &[Self::Ends, Self::Decided];
}
