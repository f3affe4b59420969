//! Entries of the registry: a method before it is made.

use std::sync::Arc;

use crate::methods::{Method, MethodGroup, StepSpec};
use base::params::{KindSpec, ParamError, Settings};
use base::sources::Source;

/// Makes a method from the settings of a run.
pub(in crate::methods) type MethodBuilder = fn(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>>;

/// What the registry knows of a method.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MethodEntry {
    /// Name, label, parameters.
    pub(in crate::methods) spec: KindSpec,
    /// What it has in common with others.
    pub(in crate::methods) group: MethodGroup,
    /// Makes it.
    pub(in crate::methods) build: MethodBuilder,
    /// What it says of its step; `None` if it has no step size.
    pub(in crate::methods) step: Option<StepSpec>,
    /// Its step for people: the text of the Python file beside it ([`Algorithm`]).
    pub(in crate::methods) algorithm: &'static str,
    /// The papers that it comes from, the first one before the others.
    pub(in crate::methods) sources: &'static [Source],
    /// What people expect of it who choose it, where that is not what a file means that leaves it out.
    pub(in crate::methods) usual: Option<fn(&mut Settings)>,
}
