//! What was asked for and may not be there yet, scenarios and targets; and what undo brings back.

use std::sync::Arc;

use crate::platform::Instant;
use base::params::{ParamError, Settings};
use engine::scenario::Scenario;

/// The loads of scenarios, by number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Loads {
    /// The newest, and the order with which it was asked for.
    pub(super) asked: u64,
    pub(super) order: u64,
    pub(super) since: Option<Instant>,
    /// That of the frame.
    pub(super) shown: u64,
}

impl Loads {
    /// Notes that a scenario was asked for with an order.
    pub(super) fn ask(&mut self, order: u64) {
        *self = Self { asked: self.asked + 1, order, since: Some(Instant::now()), ..*self };
    }

    /// Notes that the frame shows so many orders.
    pub(super) fn arrive(&mut self, obeyed: u64) {
        if obeyed >= self.order {
            (self.shown, self.since) = (self.asked, None);
        }
    }
}

/// What undo restores: the scenario, and the target that was refused.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub(super) scenario: Arc<Scenario>,
    pub(super) refused: Option<RefusedTarget>,
}

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
