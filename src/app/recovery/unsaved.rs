//! Unsaved work: scenarios that were changed and not saved when another one took their place in the window.

use std::sync::Arc;

use engine::scenario::{Pacing, Scenario, ViewSpec};

use super::typed::Typed;
use crate::app::experiment::origin::Origin;

/// The most scenarios that are kept; a new one replaces the oldest.
pub const MOST: usize = 5;

/// A scenario as it was in the window.
#[derive(Clone, Debug)]
pub struct Work {
    /// The scenario, with the view of its file.
    pub scenario: Arc<Scenario>,
    /// The view at that time.
    pub view: ViewSpec,
    /// The step that was shown, on the clock of the session.
    pub step: u64,
    /// Whether it was shown in Instant.
    pub instant: bool,
    /// Its file and its lesson.
    pub origin: Origin,
    /// What is typed and not taken.
    pub typed: Typed,
    /// Whether the scenario was built, or only read from the file of an earlier session.
    pub built: bool,
}

impl Work {
    /// What was last loaded or saved, in place of the changes since.
    #[must_use]
    pub fn discarded(self) -> Self {
        let saved = self.origin.saved().clone();
        Self { view: saved.view.clone(), scenario: saved, step: 0, typed: Typed::default(), ..self }
    }

    /// The scenario with the view at that time.
    #[must_use]
    pub fn seen(&self) -> Scenario {
        Scenario { view: self.view.clone(), ..self.scenario.as_ref().clone() }
    }

    /// Whether other work differs in nothing but its step.
    #[must_use]
    pub fn same_but_step(&self, other: &Self) -> bool {
        let same = Arc::ptr_eq(&self.scenario, &other.scenario) || self.scenario == other.scenario;
        let same = same && self.view == other.view && self.instant == other.instant;
        same && self.typed == other.typed && self.origin.same_as(&other.origin)
    }

    /// Watch or Instant, and in Watch the step to stop at.
    #[must_use]
    pub fn moment(&self) -> (Pacing, Option<u64>) {
        if self.instant { (Pacing::Instant, None) } else { (Pacing::Watch, Some(self.step)) }
    }

    /// Whether the scenario differs from what was loaded or saved, or something typed is not part of it.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        self.origin.unsaved(&self.scenario) || !self.typed.is_empty()
    }
}

/// The unsaved work, each with a number of its own, newest first.
#[derive(Clone, Debug, Default)]
pub struct UnsavedWork {
    works: Vec<(u64, Work)>,
    numbers: u64,
}

impl UnsavedWork {
    /// Keeps work, in front of what was kept before; returns its number.
    pub fn keep(&mut self, work: Work) -> u64 {
        self.forget(&work.scenario);
        self.numbers += 1;
        self.works.insert(0, (self.numbers, work));
        self.works.truncate(MOST);
        self.numbers
    }

    /// Takes work out by its number.
    pub fn take(&mut self, number: u64) -> Option<Work> {
        let index = self.works.iter().position(|(known, _)| *known == number)?;
        Some(self.works.remove(index).1)
    }

    /// Forgets the work that is this scenario, apart from its view: it is in the window again, or was saved.
    pub fn forget(&mut self, scenario: &Scenario) {
        self.works.retain(|(_, work)| !work.scenario.same_but_view(scenario));
    }

    /// Adds work that is older than all of what is kept, if there is space; returns whether it is kept.
    pub fn add_older(&mut self, work: Work) -> bool {
        if self.works.iter().any(|(_, known)| known.scenario.same_but_view(&work.scenario)) {
            return true;
        }
        if self.works.len() == MOST {
            return false;
        }
        self.numbers += 1;
        self.works.push((self.numbers, work));
        true
    }

    /// The scenario of this number, if it was only read: it may take long to build, and may be refused.
    #[must_use]
    pub fn not_built(&self, number: u64) -> Option<Scenario> {
        let (_, work) = self.works.iter().find(|(known, work)| *known == number && !work.built)?;
        Some(work.seen())
    }

    /// Notes that the scenario of this number was built.
    pub fn note_built(&mut self, number: u64) {
        self.works.iter_mut().filter(|(known, _)| *known == number).for_each(|(_, work)| work.built = true);
    }

    /// The work with its numbers, newest first.
    #[must_use]
    pub fn all(&self) -> &[(u64, Work)] {
        &self.works
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::scenario::LESSONS;

    fn work(lesson: usize, seed: u64) -> Work {
        let loaded = LESSONS[lesson].scenario().unwrap();
        let changed = Scenario { seed, ..loaded.clone() };
        Work {
            scenario: Arc::new(changed),
            view: ViewSpec::default(),
            step: 5,
            instant: false,
            origin: Origin::of(Arc::new(loaded), None),
            typed: Typed::default(),
            built: true,
        }
    }

    #[test]
    fn older_work_is_added_where_there_is_space_and_no_scenario_twice() {
        let mut unsaved = UnsavedWork::default();
        assert!((900..905).all(|seed| unsaved.add_older(work(0, seed))));
        assert!(!unsaved.add_older(work(0, 905)), "there is no room");
        assert!(unsaved.add_older(work(0, 902)), "it is there");
        let seeds: Vec<u64> = unsaved.all().iter().map(|(_, work)| work.scenario.seed).collect();
        assert_eq!(seeds, [900, 901, 902, 903, 904]);
    }

    #[test]
    fn what_was_only_read_is_built_before_it_is_shown() {
        let mut unsaved = UnsavedWork::default();
        let number = unsaved.keep(Work { built: false, ..work(0, 900) });
        assert_eq!(unsaved.not_built(number).map(|scenario| scenario.seed), Some(900));
        unsaved.note_built(number);
        assert!(unsaved.not_built(number).is_none() && unsaved.take(number).is_some());
    }

    #[test]
    fn the_last_five_are_kept_and_no_scenario_twice() {
        let mut unsaved = UnsavedWork::default();
        let first = unsaved.keep(work(0, 900));
        for seed in 901..905 {
            unsaved.keep(work(0, seed));
        }
        assert_eq!(unsaved.all().len(), MOST);
        let again = unsaved.keep(work(0, 900));
        assert!(unsaved.take(first).is_none(), "the same work has one number");
        assert_eq!((unsaved.all().len(), unsaved.all()[0].0), (MOST, again));
        unsaved.keep(work(1, 1));
        assert_eq!(unsaved.all().len(), MOST);
        assert!(unsaved.all().iter().all(|(_, work)| work.scenario.seed != 901), "the oldest goes");
        assert!(unsaved.take(again).is_some_and(|work| work.is_unsaved()));
        assert!(unsaved.take(again).is_none());
    }
}
