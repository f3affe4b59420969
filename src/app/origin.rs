//! Origin of the scenario in the window: the file that it was read from or written to, and the lesson that it was.

use std::path::PathBuf;
use std::sync::Arc;

use crate::scenario::{Lesson, Scenario};

/// A file and a lesson, with the scenarios in them.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The file that the scenario was read from or written to.
    pub file: Option<PathBuf>,
    saved: Arc<Scenario>,
    /// The lesson that was loaded, by number, as it was.
    lesson: Option<(usize, Arc<Scenario>)>,
}

impl Origin {
    /// Of a scenario that was just loaded.
    #[must_use]
    pub fn of(scenario: Arc<Scenario>, file: Option<PathBuf>) -> Self {
        let lesson = Lesson::number_of(&scenario).map(|number| (number, scenario.clone()));
        Self { file, saved: scenario, lesson }
    }

    /// Notes that the scenario was saved to a file.
    pub fn mark_saved(&mut self, scenario: Arc<Scenario>, file: PathBuf) {
        self.saved = scenario;
        self.file = Some(file);
    }

    /// Whether a scenario differs from its file in more than its view.
    #[must_use]
    pub fn unsaved(&self, scenario: &Arc<Scenario>) -> bool {
        self.file.is_some() && !(Arc::ptr_eq(scenario, &self.saved) || scenario.same_but_view(&self.saved))
    }

    /// The lesson by number, and whether the target, the runs or the seed of a scenario are no longer those of the lesson.
    #[must_use]
    pub fn lesson(&self, scenario: &Arc<Scenario>) -> Option<(usize, bool)> {
        let (number, lesson) = self.lesson.as_ref()?;
        Some((*number, !(Arc::ptr_eq(scenario, lesson) || scenario.runs_as(lesson))))
    }
}
