//! Figures that leave the window, drawn in the background: as a file, for the clipboard, and small as a preview.

use std::mem::replace;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use egui::ColorImage;

use super::drawing::Drawing;
use super::preview::{Wish, image};
use super::{NewFile, Purpose, SaveError, stem_of, write_figure};
use crate::app::experiment::model::Model;
use crate::app::recovery::work::{as_seen, present_view};
use crate::app::state::State;
use crate::app::tasks::slices::{Slice, Slices};
use crate::app::tasks::{Done, Task};
use crate::app::view::View;
use crate::app::view::prefs::Prefs;
use crate::platform::Instant;
use draw::kit::background::Same;
use draw::sheet::{self, Description, DrawError, ExportOptions, Extras, Format, Moving, Over, Unit};
use engine::scenario::figures::given;
use engine::scenario::{Pacing, Scenario, ViewSpec};
use engine::session::Frame;
use figure::Picture;
use figure::source::Source;

/// Draws the preview of the figure with about `most` pixels along its longer side.
pub fn preview(state: &mut State, most: f64) {
    if state.model.opening().is_some() {
        return;
    }
    let (options, frame, extras) = asked(state);
    let moment = (frame.generation, frame.time.tick);
    let wish = wish(&state.model, &state.view, &state.prefs);
    state.view.files.preview.begin(wish, moment);
    state.tasks.start(Task::Preview, move || {
        let most = u32::try_from(most.round() as i64).unwrap_or(u32::MAX);
        Done::Previewed(moment, sheet::render_small(&frame, &options, &extras, most).ok().map(Box::new))
    });
}

/// All that a preview depends on but its moment.
#[must_use]
pub fn wish(model: &Model, view: &View, prefs: &Prefs) -> Wish {
    let shown = present_view(model, view);
    let frame = model.frame();
    let repeats = view.studies.convergence.repeats(&frame.scenario, &model.identity()).len();
    Wish {
        options: view.files.export.clone(),
        view: ViewSpec { pace: None, step: None, ..shown },
        layers: view.shown.layers,
        scenario: Same(frame.scenario.clone()),
        pins: prefs.pins.clone(),
        studied: [repeats, view.studies.sweep.computed()],
    }
}

/// Chooses the picture, where nobody has chosen one: the panels that the scenario names, in the size that it says, else what was exported last,
/// else what most people need.
pub fn begin(state: &mut State) {
    let State { model, view, prefs, .. } = state;
    let (scenario, frame) = (model.scenario().clone(), model.frame());
    let figure = scenario.view.figure.as_ref();
    let (options, first) = (&mut view.files.export, !replace(&mut view.files.chosen, true));
    if options.picture != sheet::Picture::Sheet {
        return;
    }
    let last = || sheet::Picture::of_word(&prefs.picture).filter(|picture| picture.applies(frame));
    let picture = match figure.and_then(|figure| given(figure, "panels")) {
        Some(_) => sheet::Picture::Panels,
        None if first => last().unwrap_or_else(|| sheet::Picture::usual(frame)),
        None => return,
    };
    options.choose(picture, figure);
    if let Some(figure) = figure.filter(|_| picture == sheet::Picture::Panels) {
        options.follow(figure);
    }
}

/// Draws the figure and writes its file.
pub fn export(state: &mut State, path: PathBuf, replace: bool) {
    remember(state);
    if state.view.files.export.format.moves() {
        return export_moving(state, path, replace);
    }
    let (options, frame, extras) = asked(state);
    state.tasks.start(Task::Export, move || {
        let draw = || {
            Purpose::Export(options.format).check_extension(&path)?;
            let file = NewFile::at(&path, replace)?;
            let format = Format::of(&path).unwrap_or(options.format);
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            write_figure(file, &sheet::files(&frame, &options, &extras, (format, stem_of(&name)))?.0, replace)?;
            // Lines and text have a size on paper.
            let on_paper = format.is_vector() && options.size.unit != Unit::Pixels;
            let size = if on_paper { options.size.to_string() } else { in_pixels(options.size.pixels()) };
            Ok(exported(&size, &path))
        };
        Done::Written { job: None, result: draw() }
    });
}

/// Draws a figure that moves, picture by picture, and writes its file. An earlier one that is still being drawn is given up.
fn export_moving(state: &mut State, path: PathBuf, replace: bool) {
    let (options, frame, extras) = asked(state);
    let (scenario, frames) = (frame.scenario.clone(), options.motion.frames);
    let job = state.tasks.slices(Task::Export, |ticket| MovingFile {
        ticket,
        path,
        state: Stage::Asked { scenario, options: Box::new(options), extras: Box::new(extras), replace },
    });
    state.view.files.drawing = Some(Drawing { job, frames });
}

/// The news that a figure is in its file.
fn exported(size: &str, path: &Path) -> String {
    format!("Exported {size} to {}", path.display())
}

fn in_pixels([width, height]: [u32; 2]) -> String {
    format!("{width} × {height} pixels")
}

/// The file of a figure that moves.
struct MovingFile {
    ticket: u64,
    path: PathBuf,
    state: Stage,
}

/// How far it is.
enum Stage {
    /// Nothing is there yet.
    Asked { scenario: Arc<Scenario>, options: Box<ExportOptions>, extras: Box<Extras>, replace: bool },
    /// Its place is taken, and pictures are being drawn.
    Drawn { file: NewFile, moving: Box<Moving>, replace: bool },
    /// Nothing is left to do.
    Over,
}

impl MovingFile {
    /// Takes the place of the file.
    fn begin(
        &self,
        (scenario, options, extras, replace): (&Scenario, ExportOptions, Extras, bool),
    ) -> Result<Stage, SaveError> {
        Purpose::Export(options.format).check_extension(&self.path)?;
        let file = NewFile::at(&self.path, replace)?;
        let (motion, format) = (options.motion.clone(), Format::of(&self.path).unwrap_or(options.format));
        let moving = Moving::new(scenario, &motion, (options, extras), format).map_err(DrawError::from)?;
        Ok(Stage::Drawn { file, moving: Box::new(moving), replace })
    }

    fn ended(&self, result: Result<[u32; 2], SaveError>) -> Slice<Done> {
        let result = result.map(|size| exported(&in_pixels(size), &self.path));
        Slice::last(Done::Written { job: Some(self.ticket), result })
    }
}

impl Slices<Done> for MovingFile {
    fn step(&mut self, budget: Duration) -> Slice<Done> {
        let since = Instant::now();
        match replace(&mut self.state, Stage::Over) {
            Stage::Asked { scenario, options, extras, replace } => {
                match self.begin((&scenario, *options, *extras, replace)) {
                    Err(error) => self.ended(Err(error)),
                    Ok(stage) => {
                        self.state = stage;
                        Slice { done: Some(Done::Begun), ..Slice::after(0.0) }
                    }
                }
            }
            Stage::Drawn { file, mut moving, replace } => loop {
                match moving.piece() {
                    Err(error) => return self.ended(Err(error.into())),
                    Ok(true) => {
                        let size = moving.size().pixels();
                        let made = moving.finish().map_err(SaveError::from);
                        let written = made.and_then(|figure| write_figure(file, &figure, replace));
                        return self.ended(written.map(|()| size));
                    }
                    Ok(false) if since.elapsed() < budget => {}
                    Ok(false) => {
                        let slice = Slice::after(moving.share());
                        self.state = Stage::Drawn { file, moving, replace };
                        return slice;
                    }
                }
            },
            Stage::Over => Slice::end(),
        }
    }
}

/// Draws the figure for the clipboard: as pixels, or in a format of source as text.
pub fn copy(state: &mut State) {
    remember(state);
    let (options, frame, extras) = asked(state);
    if options.format.is_source() {
        return state.tasks.start(Task::Export, move || {
            let made = sheet::files(&frame, &options, &extras, (options.format, "figure"));
            let text = |source: Source| {
                let beside = source.beside.into_iter().map(|(ending, _)| ending).collect();
                (String::from_utf8_lossy(&source.file).into_owned(), beside)
            };
            Done::Sourced(made.map(|(source, _)| text(source)))
        });
    }
    state.tasks.start(Task::Export, move || {
        Done::Drawn(sheet::render(&frame, &options, &extras).map(|picture| straight(&picture)))
    });
}

/// What the figure says in words, with what its preview has told.
pub fn described(model: &Model, view: &View, prefs: &Prefs) -> Description {
    let told = view.files.preview.told();
    Description::of(model.frame(), &view.files.export, &extras(model, view, prefs), told)
}

/// The options of the last figure are those of the next one, after the next start as well.
fn remember(state: &mut State) {
    state.prefs.figure = state.view.files.export.clone();
    state.prefs.picture = state.view.files.export.picture.word().to_owned();
    // The picture belongs to the scenario.
    state.prefs.figure.choose(sheet::Picture::Sheet, state.model.scenario().view.figure.as_ref());
    state.prefs.figure.motion.over = Over::default();
}

/// What is asked for: the options of the figure, the frame, and what the figure shows besides.
pub(super) fn asked(state: &State) -> (ExportOptions, Arc<Frame>, Extras) {
    let State { model, view, prefs, .. } = state;
    let mut options = view.files.export.clone();
    if options.format.is_vector() {
        options.size = options.size.with_possible_pixels();
    }
    (options, model.frame().clone(), extras(model, view, prefs))
}

/// What the figure shows besides the frame. All that a file can say follows from the view that is written into it.
fn extras(model: &Model, view: &View, prefs: &Prefs) -> Extras {
    let mut extras = Extras::of(seen(model, view));
    let scenario = &model.frame().scenario;
    // What is asked is hidden, whatever the file says.
    extras.layers.truth &= view.shown.layers.truth;
    (extras.layers.stage, extras.layers.free_scales) = (view.shown.layers.stage, view.shown.layers.free_scales);
    Extras {
        repeats: view.studies.convergence.repeats(scenario, &model.identity()).to_vec(),
        stale: view.studies.convergence.stale(scenario),
        sweep: view.studies.sweep.swept(scenario),
        path: view.plots.path.at_rest(),
        trail: view.plots.coverage.trail.clone(),
        pins: prefs.pins.clone(),
        ..extras
    }
}

/// The view of a figure: the present one, with the tab whose plot it is, at the moment that it shows.
fn seen(model: &Model, view: &View) -> ViewSpec {
    let mut seen = as_seen(model, view).view;
    let frame = model.frame();
    if let sheet::Picture::Plot(tab) = view.files.export.picture {
        seen.tab = Some(view.tab_in_figure(tab, frame));
    } else if view.plots.range_at(frame) != view.plots.range {
        seen.tab = Some(view.tab_in_figure(view.plots.tab, frame));
    }
    (seen.pace, seen.step) =
        if frame.finished() { (Some(Pacing::Instant), None) } else { (Some(Pacing::Watch), Some(frame.time.tick)) };
    seen
}

/// The picture as other programs expect it in the clipboard.
fn straight(picture: &Picture) -> ColorImage {
    image(picture, &picture.straight())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::experiment::origin::Origin;
    use crate::app::recovery::Recovery;
    use crate::app::recovery::unsaved::UnsavedWork;
    use crate::app::tasks::Tasks;
    use crate::app::thumbnails::Gallery;
    use base::math::{Purpose, Stream};
    use base::params::{ParamSpec, ParamType, Settings, Value};
    use draw::sheet::{Dimensions, Motion};
    use egui::Context;
    use engine::scenario::view::{Arrangement, Axis, DRAWS, EXACT, LAYERS, TABS};
    use engine::scenario::{read, write};
    use engine::worker::Worker;

    /// At first the dialog has what was exported last, else the canvas of one run or the sheet of several; then what was chosen in it.
    #[test]
    fn the_dialog_begins_with_what_was_exported_last() {
        let runs = |count: usize| {
            let run = |number: usize| format!("[[run]]\nname = \"{number}\"\nmethod = \"sgld\"\nsteps = 50\n");
            let text = format!("format = 1\n[target]\nkind = \"banana\"\n{}", (0..count).map(run).collect::<String>());
            opened(read(&text, "test", Path::new(".")).unwrap())
        };
        let picture = |state: &mut State| {
            begin(state);
            state.view.files.export.picture
        };
        let (mut one, mut two) = (runs(1), runs(2));
        assert_eq!((picture(&mut one), picture(&mut two)), (sheet::Picture::Canvas(0), sheet::Picture::Sheet));
        for chosen in [sheet::Picture::Panels, sheet::Picture::Readout] {
            two.view.files.export.choose(chosen, None);
            assert_eq!(picture(&mut two), chosen, "what was chosen stays");
        }
        remember(&mut two);
        one.prefs.picture = two.prefs.picture.clone();
        one.view = View::default();
        assert_eq!(picture(&mut one), sheet::Picture::Readout, "in the next window as well");
    }

    fn moving_file(path: &Path) -> MovingFile {
        let text = "format = 1\n[target]\nkind = \"banana\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 50\n";
        let scenario = Arc::new(read(text, "test", Path::new(".")).unwrap());
        let motion = Motion { frames: 3, ..Motion::default() };
        let size = Dimensions::of_points([200.0, 150.0], 1.0);
        let options = ExportOptions { format: Format::Gif, size, motion, ..ExportOptions::default() };
        let (options, extras) = (Box::new(options), Box::new(Extras::default()));
        let state = Stage::Asked { scenario, options, extras, replace: false };
        MovingFile { ticket: 1, path: path.to_owned(), state }
    }

    /// The state of a window that has opened a scenario, with its runs finished.
    fn opened(scenario: Scenario) -> State {
        let worker = Worker::start(scenario, Pacing::Instant, true, || {}).unwrap();
        let origin = Origin::of(worker.status().frame.scenario.clone(), None);
        let (mut model, mut view) = (Model::new(worker, origin), View::default());
        view.show(model.scenario());
        view.arrive();
        while !(model.is_settled() && model.frame().finished()) {
            model.refresh(false, |_| true);
            std::thread::sleep(Duration::from_millis(1));
        }
        let (prefs, gallery, tasks) = (Prefs::default(), Gallery::default(), Tasks::new(Context::default()));
        State { model, view, prefs, gallery, tasks, unsaved: UnsavedWork::default(), recovery: Recovery::default() }
    }

    /// A value for an option of a tab; `die` chooses.
    fn value(spec: &ParamSpec, die: u64) -> Option<Value> {
        Some(match spec.ty {
            ParamType::Flag => Value::Flag(die.is_multiple_of(2)),
            ParamType::Choice(choices) => Value::Choice(choices[usize::try_from(die).unwrap() % choices.len()].name),
            ParamType::Text if spec.key == "quantities" => {
                Value::Text(["1, 2", "1, 3"][usize::from(die % 2 == 1)].to_owned())
            }
            ParamType::Text => Value::Text(["kl", "tv", "mean_error"][usize::try_from(die % 3).unwrap()].to_owned()),
            ParamType::Pair { .. } => Value::Pair([3.0 + (die % 7) as f64, 20.0 + (die % 11) as f64]),
            ParamType::Integer { slider: (low, _), .. } => Value::Number(low + (die % 3) as f64),
            ParamType::Number { slider: (low, high), .. } => Value::Number(low + (high - low) * 0.25),
            _ => return None,
        })
    }

    /// Options at random, over all tabs: the figure of the window, the one of its file, and the one of the view inside of it are the same,
    /// byte for byte. `ROUNDS=200 cargo test --lib figures_of_a_view` makes as many.
    #[test]
    fn figures_of_a_view_are_the_same_wherever_they_are_made() {
        const TEXT: &str = "format = 1\ntitle = \"F\"\n[target]\nkind = \"three-modes\"\n[[run]]\nname = \"A\"\nmethod = \"csgld\"\n\
            steps = 40\nchains = 2\nstep_size = { kind = \"cyclical\", cycles = 4 }\n[[run]]\nname = \"B\"\nmethod = \"svi\"\nsteps = 40\n";
        let rounds = std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(36);
        let mut dice = Stream::derive(5, Purpose::Start, 0, 0);
        let mut die = move || u64::from(dice.below(1_000_000));
        let plain = Arc::new(read(TEXT, "test", Path::new(".")).unwrap());
        for round in 0..rounds {
            let kind = &TABS[round % TABS.len()];
            let mut tab = Settings::defaults(kind);
            for spec in kind.params {
                if let Some(value) = value(spec, die()).filter(|_| die() % 3 > 0) {
                    tab.set(spec.key, value).unwrap_or_else(|error| panic!("{}: {error}", kind.name));
                }
            }
            let some = |die: u64, words: &[&str]| {
                Some(
                    words
                        .iter()
                        .zip(0..)
                        .filter(|(_, at)| die >> at & 1 == 0)
                        .map(|(word, _)| (*word).to_owned())
                        .collect::<Vec<_>>(),
                )
            };
            let view = ViewSpec {
                tab: Some(tab),
                layers: if die() % 2 == 0 { some(die(), &LAYERS) } else { None },
                draws: (die() % 2 == 0).then(|| DRAWS[usize::try_from(die()).unwrap() % DRAWS.len()].to_owned()),
                exact: (die() % 2 == 0).then(|| EXACT[usize::try_from(die()).unwrap() % EXACT.len()].to_owned()),
                axis: [None, Some(Axis::Steps), Some(Axis::Gradients)][usize::try_from(die() % 3).unwrap()],
                truth: (die() % 4 == 0).then_some(false),
                runs: (die() % 4 == 0).then(|| vec!["B".to_owned()]),
                layout: (die() % 3 == 0).then_some(Arrangement::Overlaid),
                pace: Some(Pacing::Instant),
                ..ViewSpec::default()
            };
            let scenario = Scenario { view, ..plain.as_ref().clone() };
            let mut state = opened(scenario.clone());
            let picture =
                if die() % 3 == 0 { sheet::Picture::Sheet } else { sheet::Picture::Plot(state.view.plots.tab) };
            state.view.files.export.choose(picture, None);
            state.view.files.export.size = Dimensions::of_points([500.0, 380.0], 1.0);
            let (options, frame, extras) = asked(&state);
            let window = sheet::file(&frame, &options, &extras, Format::Png).unwrap();
            // The tab that is open at first need not be said.
            let view = ViewSpec { tab: extras.view.tab.clone(), ..scenario.view.clone() };
            let of_file = sheet::file(&frame, &options, &Extras::of(view), Format::Png).unwrap();
            assert!(window == of_file, "of the file: {}", write(&scenario));
            let inside = Format::Png.scenario(&window).unwrap().unwrap();
            let again = Extras::of(read(&inside, "figure", Path::new(".")).unwrap().view);
            assert!(window == sheet::file(&frame, &options, &again, Format::Png).unwrap(), "again: {inside}");
        }
    }

    #[test]
    fn a_figure_that_moves_is_there_at_its_end_and_not_at_all_if_it_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let [whole, part] = ["whole.gif", "part.gif"].map(|name| folder.path().join(name));
        let mut file = moving_file(&whole);
        assert!(matches!(file.step(Duration::ZERO), Slice { done: Some(Done::Begun), over: false, .. }));
        let mut shares = Vec::new();
        let last = loop {
            let slice = file.step(Duration::ZERO);
            if slice.over {
                break slice;
            }
            assert!(!whole.exists());
            shares.push(slice.share);
        };
        let news = exported(&in_pixels([200, 150]), &whole);
        assert!(matches!(last.done, Some(Done::Written { result: Ok(told), job: Some(1) }) if told == news));
        assert!(whole.exists() && shares.is_sorted() && shares.iter().any(|share| (share - 2.0 / 3.0).abs() < 1e-6));
        let refused = moving_file(&whole).step(Duration::ZERO).done;
        assert!(matches!(refused, Some(Done::Written { result: Err(SaveError::Exists(_)), .. })));
        let mut file = moving_file(&part);
        (0..4).for_each(|_| assert!(!file.step(Duration::ZERO).over));
        drop(file);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
