//! Work: the experiment in the window as it is kept, in a file or for the next start.

use std::sync::Arc;

use base::params::{Value, printable};
use engine::scenario::{Pacing, Scenario, ViewSpec};

use super::typed::{Typed, Writing};
use super::unsaved::Work;
use crate::app::experiment::model::Model;
use crate::app::view::View;

/// The scenario as it is written to a file: with the present view and the moment that is shown.
#[must_use]
pub fn as_seen(model: &Model, view: &View) -> Scenario {
    let mut scenario = model.scenario().as_ref().clone();
    scenario.view = present_view(model, view);
    let frame = model.frame();
    if model.opening().is_some() {
        // The moment is that of its file.
        return scenario;
    }
    let (pace, step) = match model.mode() {
        // At step 0 the run is still being computed.
        Pacing::Instant if frame.finished() || frame.step == 0 => (Some(Pacing::Instant), None),
        Pacing::Watch if frame.step == 0 => (scenario.view.pace, scenario.view.step.map(|_| 0)),
        _ => (Some(Pacing::Watch), Some(frame.time.tick)),
    };
    (scenario.view.pace, scenario.view.step) = (pace, step);
    scenario
}

/// The scenario as Save writes it: with the moment only if its file says one, or a person has stopped at one. Where a run happens to be is not
/// worth a line.
#[must_use]
pub fn as_saved(model: &Model, view: &View) -> Scenario {
    let mut scenario = as_seen(model, view);
    let ViewSpec { pace, step, .. } = model.scenario().view;
    let stopped = model.mode() == Pacing::Watch && !model.status().playing && !model.frame().finished();
    if (pace, step) == (None, None) && !stopped {
        (scenario.view.pace, scenario.view.step) = (None, None);
    }
    scenario
}

/// Whether anything would be lost if another scenario took the place of the present one.
#[must_use]
pub fn unsaved(model: &Model, view: &View) -> bool {
    model.unsaved() || words(model, view).is_some() || !typed(model, view).is_empty()
}

/// The scenario with title and caption as they are being typed, if they differ.
fn words(model: &Model, view: &View) -> Option<Arc<Scenario>> {
    view.forms.draft.as_ref()?.applied(model.scenario()).map(Arc::new)
}

/// What is typed and not taken. A formula that was written for another target is not part of the present work.
fn typed(model: &Model, view: &View) -> Typed {
    let of_target =
        |writing: &&Writing| model.asked_target().get("density") == Some(&Value::Text(writing.base.clone()));
    let formula = view.forms.formula.as_ref().filter(of_target).cloned();
    Typed { formula, refused: model.refused_target().cloned() }
}

/// The present view, with the clock where it is not the one that the file says.
#[must_use]
pub fn present_view(model: &Model, view: &View) -> ViewSpec {
    let mut seen = view.spec(model.scenario());
    if seen.clock.unwrap_or_default() != model.clock() {
        seen.clock = Some(model.clock());
    }
    seen
}

/// The experiment with its view, its step, and where it comes from. Words that are being typed are part of it.
#[must_use]
pub fn present(model: &Model, view: &View) -> Work {
    Work {
        scenario: words(model, view).unwrap_or_else(|| model.scenario().clone()),
        view: present_view(model, view),
        step: model.shown_time().map_or_else(|| model.scenario().view.step.unwrap_or(0), |time| time.tick),
        instant: model.mode() == Pacing::Instant,
        origin: model.origin().clone(),
        typed: typed(model, view),
        built: true,
    }
}

/// The title of the window: the file, or the title of a scenario without one, or of one whose target is to be found out, for a file may have
/// its name; a dot marks unsaved changes.
#[must_use]
pub fn title(model: &Model) -> String {
    let mark = if model.unsaved() { "• " } else { "" };
    let hides = model.scenario().view.hides_target() && !model.scenario().title.is_empty();
    let name = model.file().filter(|_| !hides).and_then(|file| file.file_name());
    let name = name.map_or_else(|| model.scenario().title.clone(), |name| name.to_string_lossy().into_owned());
    format!("{mark}{} – Sampler Lab", printable(&name))
}
