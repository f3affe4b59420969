//! Reports that leave the window: drawn and written in the background.

use std::path::{Path, PathBuf};

use super::figures::asked;
use super::{NewFile, Purpose, ReportAs, SaveError};
use crate::app::documents::pages::{self, Drawn};
use crate::app::documents::report::{Contents, questions, report, written};
use crate::app::documents::{Document, html};
use crate::app::state::State;
use crate::app::tasks::{Done, Task};
use draw::readout::{Table, leading};
use draw::sheet::{
    self, Dimensions, DrawError, ExportOptions, Extras, Format, Parts, Picture, sheet_tab, shown_measures,
};
use draw::views::SIDE_BY_SIDE;
use engine::scenario::{Scenario, write_carried};
use engine::session::Frame;

/// Size of the figure in a page of HTML, in points, and its height where it has plots side by side, for two coordinates below each other.
const FIGURE: [f64; 2] = [840.0, 560.0];
const TALL: f64 = 840.0;

/// Options of the figure of a report: the whole sheet on white paper, without the title and the measures that the report has.
#[must_use]
pub fn options(frame: &Frame, extras: &Extras) -> ExportOptions {
    let parts = Parts { title: false, caption: false, readout: false, ..Parts::of(Picture::Sheet) };
    let [width, height] = FIGURE;
    let two = extras.seen.coordinate.is_none() && frame.target.info().dimension > 1;
    let height = if two && SIDE_BY_SIDE.contains(&sheet_tab(frame, extras)) { TALL } else { height };
    let size = Dimensions::of_points([width, height], 1.0);
    ExportOptions { size, format: Format::Svg, parts, ..ExportOptions::default() }
}

/// The file of a report with its scenario inside.
///
/// # Errors
/// If the figure cannot be drawn.
pub fn file(document: &Document, frame: &Frame, extras: &Extras, format: ReportAs) -> Result<Vec<u8>, DrawError> {
    let options = options(frame, extras);
    match format {
        ReportAs::Html => {
            let svg = sheet::file(frame, &options, extras, Format::Svg)?;
            Ok(html::page(document, Some(&String::from_utf8_lossy(&svg))).into_bytes())
        }
        ReportAs::Pdf => {
            let scenario = Scenario { view: extras.view.clone(), ..frame.scenario.as_ref().clone() };
            pages::pdf(document, Drawn { frame, options: &options, extras }, &write_carried(&scenario))
        }
    }
}

/// Writes the report of the present frame.
pub fn save(state: &mut State, format: ReportAs, path: PathBuf, replace: bool) {
    let (_, frame, extras) = asked(state);
    let view = &state.view;
    let table = measures(&frame, &extras);
    let mut trials = crate::app::trials::look::Trials::default();
    trials.notebook = view.trials.notebook.clone();
    trials.turn_to(&base::params::printable(&frame.scenario.title));
    let sheet = trials.look.title.is_some().then(|| trials.sheet());
    let form = &view.forms.report;
    let asked = written(&frame.scenario, |question| form.answer(&frame.scenario, question));
    let contents = Contents {
        frame: &frame,
        measures: &table,
        name: &form.name,
        remarks: &form.remarks,
        questions: asked.into_iter().chain(questions(&view.studies.challenge, &frame)).collect(),
        trials: sheet.as_ref(),
        hides_target: view.hides_target(&frame.scenario),
    };
    let document = report(&contents);
    state.tasks.start(Task::Report, move || {
        let written = write_to(&path, replace, format, || file(&document, &frame, &extras, format));
        Done::Written { job: None, result: written }
    });
}

/// The measures of a report that may be seen: those that the readout shows first, and what is asked about.
#[must_use]
pub fn measures(frame: &Frame, extras: &Extras) -> Table {
    let seen = Table::seen(frame, extras.layers.truth);
    let first = leading(&seen, frame, extras.view.measures.as_deref()).into_iter().map(|row| row.spec.key);
    let asked = frame.scenario.challenges.iter().filter_map(|one| one.task.measure());
    let mut keys: Vec<String> = Vec::new();
    for key in first.chain(asked).map(str::to_owned) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let mut few = extras.clone();
    few.view.measures = Some(keys);
    shown_measures(frame, &few)
}

fn write_to(
    path: &Path,
    replace: bool,
    format: ReportAs,
    draw: impl FnOnce() -> Result<Vec<u8>, DrawError>,
) -> Result<String, SaveError> {
    Purpose::Report(format).check_extension(path)?;
    let file = NewFile::at(path, replace)?;
    file.write(&draw()?)?;
    Ok(format!("Saved the report to {}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::app::documents::report::unanswered;
    use engine::scenario::{ViewSpec, read};
    use engine::session::Session;

    /// Each question of a text has its answer below it; before there is one, nothing is said of them.
    #[test]
    fn answers_stand_below_the_questions_of_the_text() {
        use crate::app::documents::report::asked_in_text;
        use crate::app::view::forms::ReportForm;
        let scenario = engine::scenario::Lesson::find("random-walk").unwrap().unbuilt().unwrap();
        let asked = asked_in_text(&scenario);
        assert!(!asked.is_empty() && asked.iter().all(|question| question.ends_with('?')), "{asked:?}");
        let mut form = ReportForm::default();
        let told = |form: &ReportForm| written(&scenario, |question| form.answer(&scenario, question));
        assert!(told(&form).is_empty());
        *form.answer_to(&scenario, &asked[0]) = " It waits.\nThen it goes. ".to_owned();
        let first = &told(&form)[0];
        assert_eq!(
            (&first.question, &first.lines[..]),
            (&asked[0], &["It waits.", "Then it goes."].map(str::to_owned)[..])
        );
        assert_eq!(told(&form).len(), asked.len());
        let other = engine::scenario::Scenario { title: "Another".to_owned(), ..scenario.clone() };
        assert!(form.answer(&other, &asked[0]).is_empty(), "an answer belongs to its experiment");
    }

    const TEXT: &str = "format = 1\ntitle = \"A <b> & \\\"c\\\"\"\ncaption = \"See </svg> here\"\nseed = 3\n[target]\nkind = \"gaussian\"\n\
        [[run]]\nname = \"A & B\"\nmethod = \"sgld\"\nsteps = 60\n[[challenge]]\nkind = \"number\"\nrun = \"A & B\"\nmeasure = \"tv\"\ntolerance = 1\n";

    /// The report in both formats: nothing of the texts is markup, and the scenario inside is the one that was seen.
    #[test]
    fn a_report_opens_as_the_experiment_that_it_is_about() {
        let scenario = read(TEXT, "test", Path::new(".")).unwrap();
        let mut session = Session::new(scenario.clone()).unwrap();
        session.advance(u64::MAX);
        session.measure();
        let frame = session.frame();
        let extras = Extras::of(ViewSpec { truth: Some(true), ..ViewSpec::default() });
        let (table, questions) = (Table::of(&frame), unanswered(&scenario.challenges));
        let remarks = "<script>alert(1)</script>\nsecond <svg> line";
        let contents = Contents {
            frame: &frame,
            measures: &table,
            name: "Ada <x>",
            remarks,
            questions,
            trials: None,
            hides_target: false,
        };
        let document = report(&contents);
        let page = file(&document, &frame, &extras, ReportAs::Html).unwrap();
        let text = String::from_utf8(page.clone()).unwrap();
        assert!(!text.contains("<script") && text.contains("&lt;script&gt;") && text.contains("Ada &lt;x&gt;"));
        assert!(text.contains("A &amp; B") && text.contains("No answer.") && text.contains("Seed 3"));
        let pdf = file(&document, &frame, &extras, ReportAs::Pdf).unwrap();
        for inside in [html::scenario_in(&page).unwrap().unwrap(), Format::Pdf.scenario(&pdf).unwrap().unwrap()] {
            let opened = read(&inside, "report", Path::new(".")).unwrap();
            assert!(opened.same_but_view(&scenario) && opened.view.truth == Some(true));
        }
        assert_eq!(html::scenario_in(b"<p>no report</p>").unwrap(), None);
    }
}
