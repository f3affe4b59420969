//! Scenarios are loaded: lessons, texts, files that were read. What is unsaved is kept before.

use std::path::{Path, PathBuf};

use super::asking::ASKING;
use crate::app::recovery::work;
use crate::app::state::State;
use crate::app::view::folding::Folded;
use crate::app::view::messages::Offer;
use crate::app::view::prefs::Prefs;
use engine::scenario::{LESSONS, LessonPath, Scenario, ViewSpec, read};
use engine::worker::Pacing;

/// Loads a scenario into the model; `file` is the file that it was read from.
pub fn load(state: &mut State, scenario: Scenario, file: Option<PathBuf>) {
    keep_unsaved(state);
    note_seen(state);
    let State { model, view, prefs, .. } = state;
    let presenting = Folded::presenting(&scenario);
    // What a person has chosen before an audience stays, unless the next scenario says otherwise.
    let chosen = view.window.folded_presenting != Folded::presenting(model.scenario());
    if !chosen || scenario.asks() || presenting != Folded::default() {
        view.window.folded_presenting = presenting;
    }
    view.messages.clear_problems();
    view.messages.warn(&scenario);
    view.window.start_page = false;
    view.reset_after(model.frame().generation);
    view.show(&scenario);
    view.window.loads += 1;
    let waits = view.playlist.as_ref().is_some_and(|open| open.waits(&scenario, file.as_deref()));
    let (pace, step) = if waits { ASKING } else { opening(&scenario, prefs) };
    if pace != model.mode() {
        model.run_in(pace);
    }
    model.load(scenario, file);
    if let Some(step) = step {
        model.open_at(step);
    }
}

/// Before another scenario takes the place of the present one: keeps the present one if it is unsaved, and says so.
pub(super) fn keep_unsaved(state: &mut State) {
    let State { model, view, unsaved, .. } = state;
    if work::unsaved(model, view) {
        let number = unsaved.keep(work::present(model, view));
        view.messages.offer(format!("Kept: {} (changed)", model.scenario().title), Offer::Back(number));
    }
}

/// Before the lesson leaves the window: notes that it was seen, if its runs had begun.
pub(super) fn note_seen(state: &mut State) {
    let State { model, prefs, .. } = state;
    if let Some(lesson) = model.lesson().and_then(|(number, _)| LESSONS.get(number)).filter(|_| model.frame().step > 0)
    {
        prefs.note_seen(lesson.name);
    }
}

/// Watch or Instant, and the step to stop at, when a scenario is opened.
#[must_use]
pub fn opening(scenario: &Scenario, prefs: &Prefs) -> (Pacing, Option<u64>) {
    let ViewSpec { pace, step, .. } = scenario.view;
    if scenario.asks() {
        return ASKING;
    }
    let pace = pace.unwrap_or(if step.is_some() { Pacing::Watch } else { prefs.pace() });
    (pace, step.filter(|_| pace == Pacing::Watch))
}

/// Loads a lesson of a path by number, if there is one.
pub(super) fn load_lesson(state: &mut State, path: Option<&'static LessonPath>, number: usize) {
    if let Some(lesson) = LESSONS.get(number) {
        state.view.window.path = path;
        load_text(state, lesson.text, lesson.name, Path::new("."));
    }
}

/// Loads a scenario whose text is in the program or in a pin.
pub(super) fn load_text(state: &mut State, text: &str, name: &str, folder: &Path) {
    match read(text, name, folder) {
        Ok(scenario) => load(state, scenario, None),
        Err(errors) => state.view.messages.problem(errors.to_string()),
    }
}
