//! What is typed and not taken, in the file of a session.

use serde::{Deserialize, Serialize};

use super::lenient::lenient;
use crate::app::experiment::model::RefusedTarget;
use crate::app::recovery::typed::{Typed, Writing};
use crate::app::recovery::unsaved::Work;
use base::params::ParamError;
use engine::scenario::{Folder, Scenario, ViewSpec, read_unbuilt, write};

/// What is typed and not taken; what of it is damaged is left out.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct StoredTyped {
    #[serde(default, deserialize_with = "lenient")]
    formula: Option<StoredFormula>,
    #[serde(default, deserialize_with = "lenient")]
    refused: Option<StoredTarget>,
}

/// A formula that is being written.
#[derive(Debug, Deserialize, Serialize)]
struct StoredFormula {
    /// The formula of the target when writing began.
    of: String,
    text: String,
}

/// A target that was refused.
#[derive(Debug, Deserialize, Serialize)]
struct StoredTarget {
    /// A scenario with it.
    scenario: String,
    errors: Vec<StoredError>,
}

/// Why it was refused.
#[derive(Debug, Deserialize, Serialize)]
struct StoredError {
    path: String,
    problem: String,
    allowed: String,
}

impl StoredTyped {
    pub(super) fn of(work: &Work) -> Self {
        let Typed { formula, refused } = work.typed.clone();
        let formula = formula.map(|Writing { base, text }| StoredFormula { of: base, text });
        Self { formula, refused: refused.map(|refused| StoredTarget::of(work, refused)) }
    }

    /// What was typed. Nothing of it is built: a target has the reasons that it had.
    pub(super) fn typed(self, folder: &Folder) -> Typed {
        let formula = self.formula.map(|StoredFormula { of, text }| Writing { base: of, text });
        Typed { formula, refused: self.refused.and_then(|refused| refused.target(folder)) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.formula.is_none() && self.refused.is_none()
    }
}

impl StoredTarget {
    fn of(work: &Work, refused: RefusedTarget) -> Self {
        let RefusedTarget { target, errors } = refused;
        // What follows from the target of the runs may not suit this one.
        let (events, challenges, view) = (Vec::new(), Vec::new(), ViewSpec::default());
        let scenario = Scenario { target, events, challenges, sweep: None, view, ..work.scenario.as_ref().clone() };
        let error = |ParamError { path, problem, allowed }| StoredError { path, problem, allowed };
        Self { scenario: write(&scenario), errors: errors.into_iter().map(error).collect() }
    }

    fn target(self, folder: &Folder) -> Option<RefusedTarget> {
        let Scenario { target, .. } = read_unbuilt(&self.scenario, "session", folder).ok()?;
        let error = |StoredError { path, problem, allowed }| ParamError::new(path, problem, allowed);
        Some(RefusedTarget { target, errors: self.errors.into_iter().map(error).collect() })
    }
}
