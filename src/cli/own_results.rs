//! What runs on some families of targets have in their results besides what all have.

use serde_json::Value as Json;

use engine::session::{Frame, RunFrame};

use super::results::Results;
use super::{quantities, topics};

/// The results of a family.
pub struct OwnResults {
    /// The key in `summary.json`, which is `null` on other targets.
    pub key: &'static str,
    /// Writes the files of all runs; none on other targets.
    pub write: fn(&mut Results, &Frame) -> anyhow::Result<()>,
    /// The part of a run in `summary.json`; `None` on other targets.
    pub summary: fn(&Frame, &RunFrame) -> Option<Json>,
    /// Why there is none.
    pub missing: &'static str,
    /// Why a value in it is `null`.
    pub unknown: &'static str,
}

/// One line for each of these families.
pub static OWN: &[OwnResults] = &[
    OwnResults {
        key: "topics",
        write: topics::write,
        summary: topics::summary,
        missing: "the target has no topics",
        unknown: "not known for this method, or for this corpus",
    },
    OwnResults {
        key: "quantities",
        write: |_, _| Ok(()),
        summary: quantities::summary,
        missing: "the target has no names for coordinates",
        unknown: "it does not exist, is not known, or there are too few draws",
    },
];
