//! Milestones: steps after which a method goes on in another way by its own plan, as at the end of a warm-up.

/// A planned change of a method during a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Milestone {
    /// The number of steps before the change, from the step at which the chains began with the method.
    pub after: u64,
    /// What changes, in a few words.
    pub what: &'static str,
}
