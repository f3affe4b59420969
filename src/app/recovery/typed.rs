//! What a person has typed or chosen and nothing has taken yet: a formula that is being written or has an error, and a target that was
//! refused. It is kept with the work that it belongs to.

use crate::app::experiment::model::RefusedTarget;

/// A formula that is being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Writing {
    /// The formula of the target when writing began.
    pub base: String,
    /// The text as typed so far.
    pub text: String,
}

/// What is typed and not taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Typed {
    /// The formula that is being written.
    pub formula: Option<Writing>,
    /// The target that was refused.
    pub refused: Option<RefusedTarget>,
}

impl Typed {
    /// Whether there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
