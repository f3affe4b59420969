//! Origin of the scenario in the window: the file that it was read from or written to, and the lesson that it was.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::files::link;
use engine::scenario::{LESSONS, Lesson, Scenario};

/// A file and a lesson, with the scenarios in them.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The file that the scenario was read from or written to.
    pub file: Option<PathBuf>,
    /// The scenario as it was last loaded or saved.
    saved: Arc<Scenario>,
    /// The scenario as it was loaded.
    loaded: Arc<Scenario>,
    /// The lesson that was loaded, by number.
    lesson: Option<usize>,
}

impl Origin {
    /// Of a scenario that was just loaded.
    #[must_use]
    pub fn of(scenario: Arc<Scenario>, file: Option<PathBuf>) -> Self {
        // A hand-out that is made of a lesson leads to no other.
        let lesson = Lesson::number_of(&scenario).filter(|_| !scenario.view.packed);
        Self { file, saved: scenario.clone(), loaded: scenario, lesson }
    }

    /// Of work of an earlier session: its file, the scenario as it was last loaded or saved, and the lesson that it was.
    #[must_use]
    pub fn again(saved: Arc<Scenario>, file: Option<PathBuf>, lesson: Option<&Lesson>) -> Self {
        let origin = Self::of(saved, file);
        let found = lesson.and_then(|lesson| LESSONS.iter().position(|known| known == lesson));
        match (found, lesson.and_then(|lesson| lesson.unbuilt().ok())) {
            (Some(number), Some(scenario)) => Self { loaded: Arc::new(scenario), lesson: Some(number), ..origin },
            _ => origin,
        }
    }

    /// Notes that the scenario was saved to a file.
    pub fn mark_saved(&mut self, scenario: Arc<Scenario>, file: PathBuf) {
        self.saved = scenario;
        self.file = Some(file);
    }

    /// The scenario as it was last loaded or saved.
    #[must_use]
    pub fn saved(&self) -> &Arc<Scenario> {
        &self.saved
    }

    /// Whether a scenario differs in more than what the window shows from what was loaded or saved: its figure counts.
    #[must_use]
    pub fn unsaved(&self, scenario: &Arc<Scenario>) -> bool {
        let same = |saved: &Scenario| scenario.same_but_view(saved) && scenario.view.figure == saved.view.figure;
        !(Arc::ptr_eq(scenario, &self.saved) || same(&self.saved))
    }

    /// The lesson by number, and whether the target, the runs or the seed of a scenario are no longer those of the lesson.
    #[must_use]
    pub fn lesson(&self, scenario: &Arc<Scenario>) -> Option<(usize, bool)> {
        let changed = !(Arc::ptr_eq(scenario, &self.loaded) || scenario.runs_as(&self.loaded));
        self.lesson.map(|number| (number, changed))
    }

    /// The lesson that was loaded.
    #[must_use]
    pub fn as_lesson(&self) -> Option<&'static Lesson> {
        LESSONS.get(self.lesson?)
    }

    /// The fragment of the link to what was last loaded or saved, if a link can lead to it.
    #[must_use]
    pub fn fragment(&self) -> Option<String> {
        link::fragment(&self.saved).ok().filter(|_| self.saved.named_files().is_empty())
    }

    /// Whether file, lesson, and what was loaded or saved are the same.
    #[must_use]
    pub fn same_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.saved, &other.saved) && self.same_load(other) && self.file == other.file
    }

    /// Whether both were loaded from the same lesson or file.
    #[must_use]
    pub fn same_address(&self, other: &Self) -> bool {
        self.lesson == other.lesson && self.file == other.file && (self.lesson.is_some() || self.file.is_some())
    }

    /// Whether another scenario comes from the same load, with no other load between.
    #[must_use]
    pub fn same_load(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.loaded, &other.loaded)
    }
}
