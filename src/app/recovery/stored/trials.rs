//! The trials that are kept, in the file of a session.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::lenient::lenient;
use crate::app::trials::Notebook;

/// The notebook. A trial that is damaged is left out.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct StoredTrials {
    /// The measures that a person has chosen.
    #[serde(default, deserialize_with = "lenient")]
    measures: Option<Vec<String>>,
    #[serde(default, deserialize_with = "lenient")]
    kept: Vec<Value>,
}

impl StoredTrials {
    pub(super) fn of(notebook: &Notebook) -> Result<Self, serde_json::Error> {
        let kept = notebook.all().iter().map(|trial| serde_json::to_value(trial.as_ref()));
        Ok(Self { measures: notebook.chosen().map(<[String]>::to_vec), kept: kept.collect::<Result<_, _>>()? })
    }

    pub(super) fn notebook(&self) -> Notebook {
        let trials = self.kept.iter().filter_map(|trial| serde_json::from_value(trial.clone()).ok());
        Notebook::restored(trials.collect(), self.measures.clone())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.measures.is_none()
    }
}
