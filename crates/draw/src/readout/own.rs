//! Readouts of families of targets on which nothing is measured in the plane.

use engine::session::Frame;
use models::families::{Family, TOPICS};

use super::rows::Row;
use super::topics;

/// The readout of a family.
pub(super) struct OwnReadout {
    family: &'static Family,
    /// The rows of all runs.
    pub rows: fn(&Frame) -> Vec<Row>,
    /// The note below them.
    pub note: fn(&Frame) -> String,
    /// How many there are in all of what the measure with a key counts.
    pub all: fn(&Frame, &str) -> Option<usize>,
}

/// One line for each of these families.
static OWN: &[OwnReadout] = &[OwnReadout { family: &TOPICS, rows: topics::rows, note: topics::note, all: topics::all }];

/// The readout of the family of the target of a frame; `None` where the measures are those of the plane.
pub(super) fn of(frame: &Frame) -> Option<&'static OwnReadout> {
    OWN.iter().find(|own| own.family == frame.target.family())
}
