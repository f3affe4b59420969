//! Worksheets that leave the window: the questions of a scenario with room for answers, written in the background.

use std::path::PathBuf;

use super::{NewFile, Purpose, TableAs};
use crate::app::documents::worksheet::worksheet;
use crate::app::documents::{Block, html, markdown};
use crate::app::recovery::work::as_seen;
use crate::app::state::State;
use crate::app::tasks::{Done, Task};
use draw::sheet::{self, Dimensions, DrawError, ExportOptions, Extras, Format, Parts, Picture};
use engine::scenario::challenge::Task as Asked;
use engine::scenario::{LESSONS, Lesson, Scenario};
use engine::session::{Frame, Session};

/// Size of the picture that chips are drawn into, in points.
const SKETCH: [f64; 2] = [680.0, 480.0];

/// The worksheet of a scenario as Markdown.
#[must_use]
pub fn text(scenario: &Scenario, lesson: Option<&Lesson>) -> String {
    markdown::text(&worksheet(scenario, lesson))
}

/// The same as a page for browsers. `before` gives the frame before the first step, for the picture that chips are drawn into; it is
/// called where there is one.
///
/// # Errors
/// If `before` has one, or the picture cannot be drawn.
pub fn page<E: From<DrawError>>(
    scenario: &Scenario,
    lesson: Option<&Lesson>,
    before: impl FnOnce() -> Result<Frame, E>,
) -> Result<String, E> {
    let sheet = worksheet(scenario, lesson);
    let sketched = sheet.blocks.contains(&Block::Sketch);
    let figure = if sketched { Some(sketch(scenario, &before()?)?) } else { None };
    Ok(html::page(&sheet, figure.as_deref()))
}

/// The canvas before the first step, as the window shows it while it asks.
fn sketch(scenario: &Scenario, frame: &Frame) -> Result<String, DrawError> {
    let mut view = scenario.view.clone();
    view.truth = view.truth.or(Some(false));
    let asked = scenario.challenges.iter().find(|one| matches!(one.task, Asked::Mass { .. }));
    let run = asked.and_then(|one| scenario.run_index(one.task.run()?)).unwrap_or(0);
    let picture = Picture::Canvas(run);
    let parts = Parts { footer: false, ..Parts::of(picture) };
    let size = Dimensions::of_points(SKETCH, 1.0);
    let options = ExportOptions { picture, size, format: Format::Svg, parts, ..ExportOptions::default() };
    let svg = sheet::file(frame, &options, &Extras::of(view), Format::Svg)?;
    Ok(String::from_utf8_lossy(&svg).into_owned())
}

/// Writes the worksheet of what is in the window.
pub fn save(state: &mut State, path: PathBuf, replace: bool) {
    let scenario = as_seen(&state.model, &state.view);
    let lesson = state.model.lesson().and_then(|(number, _)| LESSONS.get(number));
    state.tasks.start(Task::Worksheet, move || {
        let write = || {
            Purpose::Worksheet.check_extension(&path)?;
            let file = NewFile::at(&path, replace)?;
            let as_text =
                path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(TableAs::Markdown.extension()));
            // What is in the window has been built before: without it there is an empty frame to draw into.
            let session = (!as_text).then(|| Session::new(scenario.clone()).ok()).flatten();
            let text = match session {
                _ if as_text => text(&scenario, lesson),
                Some(session) => page(&scenario, lesson, || Ok::<_, DrawError>(session.frame()))?,
                None => html::page(&worksheet(&scenario, lesson), None),
            };
            file.write(text.as_bytes())?;
            Ok(format!("Saved the worksheet to {}", path.display()))
        };
        Done::Written { job: None, result: write() }
    });
}
