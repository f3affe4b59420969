//! Table of all commands: name, help, keys, and what each does.

use egui::{Context, Key, Modifiers};

use super::choices::{draws, exact, layer};
use super::conditions::{
    anywhere, around_draws, around_step, cells_are_there, closes, draws_are_there, experiment, is_open, look_at_step,
    several, shown, shows_all, sweep_is_missing, tells_answer,
};
use super::copies;
use super::entries::{ask, ask_of, show};
use super::{Command, Group, KeySpec, Layer, Spec, When};
use crate::app::action::{Action, DataAction, PlaylistAction};
use crate::app::dialogs::current::{Dialog, Search};
use crate::app::files::DrawsAs;
use crate::app::state::Ctx;
use crate::app::view::folding::Side;
use crate::app::view::pen::Tool;
use crate::app::view::prefs::ThemeChoice;
use crate::platform::{IN_BROWSER, has_clipboard};
use draw::canvas::{Draws, extent_of_target};
use draw::views::study_action::StudyAction;
use draw::views::{PlotOptions, StageMove, applying};
use engine::distributions::Followed;
use engine::scenario::view::Axis;
use engine::session::Clock;
use engine::worker::{Order, Pacing};
use models::targets::{Editor, editor_of};

use Command as C;

/// Steps that Shift ← and Shift → go.
const LEAP: i64 = 100;

const PLAIN: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;
const COMMAND: Modifiers = Modifiers::COMMAND;
const COMMAND_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

/// Ctrl N, O and Q belong to the browser, where there is one.
const NEW: &[KeySpec] = &[(if IN_BROWSER { Modifiers::ALT } else { COMMAND }, Key::N, ALWAYS)];
const OPEN: &[KeySpec] = &[(if IN_BROWSER { Modifiers::ALT } else { COMMAND }, Key::O, ALWAYS)];
const QUIT: &[KeySpec] = if IN_BROWSER { &[] } else { &[(COMMAND, Key::Q, ALWAYS)] };

const ALWAYS: When = When::Always;
const NOT_TYPING: When = When::NotTyping;
const UNFOCUSED: When = When::Unfocused;

/// One run alone as a choice.
macro_rules! solo {
    ($run:literal, $name:literal, $key:ident) => {
        show(C::Solo($run), Group::Canvases, $name, "Show this run alone; again for all runs", |ctx, _| {
            ctx.view.shown.toggle_solo($run, ctx.model.frame().runs.len());
        })
        .radio(|ctx, _| ctx.view.shown.solo == Some($run))
        .keys(&[(PLAIN, Key::$key, NOT_TYPING)])
        .while_(|ctx| several(ctx) && ctx.model.frame().runs.len() > $run)
    };
}

/// One run among those that are shown as a box.
macro_rules! shown {
    ($run:literal, $name:literal, $key:ident) => {
        show(C::Shown($run), Group::Canvases, $name, "Show this run beside the others, or hide it", |ctx, _| {
            ctx.view.shown.toggle_run($run, ctx.model.frame().runs.len());
        })
        .check(|ctx, _| ctx.view.shown.runs(ctx.model.frame().runs.len()).contains(&$run))
        .keys(&[(SHIFT, Key::$key, NOT_TYPING)])
        .while_(|ctx| several(ctx) && ctx.model.frame().runs.len() > $run)
    };
}

/// Colours of the window as a choice.
macro_rules! colours {
    ($choice:ident, $name:literal, $help:literal) => {
        show(C::Colours(ThemeChoice::$choice), Group::Colours, $name, $help, |ctx, _| {
            ctx.choose_theme(ThemeChoice::$choice);
        })
        .radio(|ctx, _| ctx.view.window.theme.is_none() && ctx.prefs.theme == ThemeChoice::$choice)
        .while_(anywhere)
    };
}

/// What the axes of plots over time count, as a choice.
macro_rules! plots_by {
    ($axis:ident, $name:literal, $help:literal) => {
        show(C::PlotsBy(Axis::$axis), Group::View, $name, $help, |ctx, _| {
            ctx.view.plots.set_options(PlotOptions { axis: Some(Axis::$axis), ..ctx.view.plots.options });
        })
        .radio(|ctx, _| ctx.view.plots.options.counts_or_seconds(ctx.model.frame()) == Axis::$axis)
    };
}

/// A panel as a box.
macro_rules! panel {
    ($side:ident, $name:literal, $help:literal, $key:ident) => {
        show(C::Panel(Side::$side), Group::Panels, $name, $help, |ctx, context| {
            ctx.toggle_folded(Side::$side, context);
        })
        .check(|ctx, context| !ctx.folded(Side::$side, context))
        .keys(&[(PLAIN, Key::$key, ALWAYS)])
        .while_(|ctx| experiment(ctx) && ctx.offers_side(Side::$side))
    };
}

/// All commands. A plain letter only changes how the window looks, or keeps a trial, so that stray typing does no harm: commands that change
/// the scenario, start the runs again or open a dialog need Shift or Ctrl.
pub static TABLE: [Spec; 117] = [
    ask(C::StartPage, Group::File, "Start page", "Lessons, recent files and unsaved work", || Action::StartPage),
    ask(C::New, Group::File, "New", "An empty experiment: a grid of Gaussians and one run of SGLD", || Action::New)
        .keys(NEW)
        .while_(anywhere),
    ask(C::Open, Group::File, "Open…", "Open a scenario, a figure exported from Sampler Lab, or data (CSV)", || Action::Open)
        .keys(OPEN)
        .while_(anywhere),
    ask(C::PasteTable, Group::File, "Paste a table…", "Paste cells of a spreadsheet, and say what they are; Ctrl V in the window does the same", || Action::Data(DataAction::Paste))
        .while_(anywhere),
    ask(C::StopReading, Group::File, "Cancel reading", "Read no further; what is in the window stays", || Action::StopReading)
        .while_(|ctx| ctx.view.files.reading.in_words().is_some()),
    ask(C::Save, Group::File, "Save", "Save the scenario with the view to its file", || Action::Save)
        .keys(&[(COMMAND, Key::S, ALWAYS)]),
    ask(C::SaveAs, Group::File, "Save as…", "Save the scenario with the view to another file", || Action::SaveAs)
        .keys(&[(COMMAND_SHIFT, Key::S, ALWAYS)]),
    ask(C::Link, Group::File, "Copy link…", "A link and a QR code that open this experiment in a browser", || Action::Link)
        .keys(&[(SHIFT, Key::L, NOT_TYPING)]),
    show(C::CopyCitations, Group::File, "Copy citations", "Copy the papers of the methods and measures here, and the program, as BibTeX", copies::citations)
        .while_(experiment),
    show(C::CopyCaption, Group::File, "Copy caption", "Copy a caption of the figure: what it shows, settings, measures with their errors, and keys of sources", copies::caption)
        .while_(shown),
    show(C::CopyCaptionForLatex, Group::File, "Copy caption for LaTeX", "The same as \\caption with \\cite; Copy citations has the sources", copies::caption_for_latex)
        .while_(shown),
    show(C::CopyShortCaption, Group::File, "Copy short caption", "Copy a caption of two sentences: what the figure shows, methods and seed", copies::short_caption)
        .while_(shown),
    show(C::CopyShortCaptionForLatex, Group::File, "Copy short caption for LaTeX", "The same as \\caption with \\cite", copies::short_caption_for_latex)
        .while_(shown),
    ask(C::Playlist, Group::File, "Playlist…", "Lessons and files of your own in an order, with notes: Page Down goes to the next", || {
        Action::Playlist(PlaylistAction::Show)
    })
    .keys(&[(COMMAND_SHIFT, Key::P, ALWAYS)])
    .while_(anywhere),
    ask(C::AddToPlaylist, Group::File, "Add to playlist", "Put what is in the window at the end of the playlist", || {
        Action::Playlist(PlaylistAction::AddPresent)
    }),
    ask(C::Export, Group::File, "Export figure…", "Export a figure as a picture, for LaTeX, Typst, Python or Vega-Lite, or copy it", || Action::Export)
        .keys(&[(COMMAND, Key::E, ALWAYS)]),
    ask(C::CopyFigure, Group::File, "Copy figure", "Copy the figure, as pixels or as source, with what was last chosen in Export figure…", || Action::CopyFigure)
        .keys(&[(COMMAND_SHIFT, Key::E, ALWAYS)])
        .while_(|ctx| experiment(ctx) && has_clipboard()),
    ask(C::StopFigure, Group::File, "Cancel figure", "Draw no further pictures; no file is written", || Action::StopFigure)
        .while_(|ctx| ctx.view.files.drawing.is_some()),
    ask(C::Report, Group::File, "Report…", "One file to hand in: questions, your answers, figure, measures and trials", || Action::Report)
        .while_(shown),
    ask(C::Worksheet, Group::File, "Save worksheet…", "Questions and things to try with room for answers, to be printed", || Action::SaveWorksheet)
        .while_(shown),
    show(C::HandOut, Group::File, "Save hand-out…", "A packed file for students: what they may change, and what the window hides", |ctx, _| ctx.view.forms.open_hand_out(ctx.model.scenario()))
        .while_(is_open),
    ask(C::CsvDraws, Group::File, "Save draws as CSV…", "A table of the draws of all runs", || Action::SaveDraws(DrawsAs::Csv))
        .while_(draws_are_there),
    ask(C::ZarrDraws, Group::File, "Save draws as Zarr…", "The draws of all runs for ArviZ", || Action::SaveDraws(DrawsAs::Zarr))
        .while_(draws_are_there),
    ask(C::SaveCells, Group::File, "Save cells as CSV…", "A table of all cells and seeds of the sweep", || Action::Study(StudyAction::SaveCells))
        .while_(cells_are_there),
    ask(C::Quit, Group::File, "Quit", "Close the window", || Action::Close)
        .keys(QUIT)
        .while_(closes),
    ask(C::Undo, Group::Edit, "Undo", "Undo the last edit", || Action::Undo)
        .keys(&[(COMMAND, Key::Z, NOT_TYPING)])
        .while_(experiment),
    ask(C::Redo, Group::Edit, "Redo", "Do again what was undone last", || Action::Redo)
        .keys(&[(COMMAND, Key::Y, NOT_TYPING), (COMMAND_SHIFT, Key::Z, NOT_TYPING)])
        .while_(experiment),
    show(C::EditWords, Group::Edit, "Title and caption", "Edit the title and the caption of the scenario", edit_words)
        .while_(|ctx| experiment(ctx) && ctx.offers("lesson") && !ctx.locks("caption")),
    ask(C::Play, Group::Run, "Play or pause", "Play or pause; in Instant, replay the run", || Action::TogglePlay)
    .keys(&[(PLAIN, Key::Space, UNFOCUSED)]),
    ask(C::Forward, Group::Run, "One step forward", "Take one step", || Action::Order(Order::Step(1)))
        .keys(&[(PLAIN, Key::ArrowRight, UNFOCUSED)]),
    ask(C::Back, Group::Run, "One step back", "Go back by one step", || Action::Order(Order::Step(-1)))
        .keys(&[(PLAIN, Key::ArrowLeft, UNFOCUSED)]),
    ask(C::NextStage, Group::Run, "Next part of the step", "Take the next step part by part", || Action::Stage(StageMove::On))
    .keys(&[(PLAIN, Key::Period, NOT_TYPING)])
    .while_(shown),
    ask(C::StageBefore, Group::Run, "Part before", "Show the step without its newest part, and then the step before", || Action::Stage(StageMove::Back))
    .keys(&[(PLAIN, Key::Comma, NOT_TYPING)])
    .while_(shown),
    ask(C::SlowMotion, Group::Run, "Slow motion", "Go through the parts of each step at one part a second", || Action::Stage(StageMove::SlowMotion))
    .check(|ctx, _| ctx.view.shown.slow.is_some())
    .keys(&[(SHIFT, Key::Space, UNFOCUSED)])
    .while_(shown),
    ask(C::LeapForward, Group::Run, "100 steps forward", "Take 100 steps", || Action::Order(Order::Step(LEAP)))
        .keys(&[(SHIFT, Key::ArrowRight, UNFOCUSED)]),
    ask(C::LeapBack, Group::Run, "100 steps back", "Go back by 100 steps", || Action::Order(Order::Step(-LEAP)))
        .keys(&[(SHIFT, Key::ArrowLeft, UNFOCUSED)]),
    ask(C::Start, Group::Run, "Go to the start", "Go to step 0", || Action::Seek(0))
        .keys(&[(PLAIN, Key::Home, UNFOCUSED)]),
    ask_of(C::End, Group::Run, "Go to the end", "Go to the last step", |model| Action::Seek(model.frame().time.end))
        .keys(&[(PLAIN, Key::End, UNFOCUSED)]),
    ask(C::Restart, Group::Run, "Start again", "Start again from step 0 with the same seed", || Action::Restart)
        .keys(&[(SHIFT, Key::R, NOT_TYPING)]),
    ask(C::NewSeed, Group::Run, "New seed", "Start again with a new seed", || Action::NewSeed)
        .keys(&[(SHIFT, Key::N, NOT_TYPING)]),
    ask_of(C::Instant, Group::Run, "Watch or Instant", "Switch between every step and finished runs only", |model| {
        Action::Pacing(match model.mode() {
            Pacing::Watch => Pacing::Instant,
            Pacing::Instant => Pacing::Watch,
        })
    })
    .keys(&[(PLAIN, Key::I, NOT_TYPING)]),
    ask(C::CountBy(Clock::Steps), Group::Run, "Count by steps", "Runs are shown at the same step", || {
        Action::CountBy(Clock::Steps)
    }),
    ask(C::CountBy(Clock::Gradients), Group::Run, "Count by gradients", "Runs are shown after the same number of gradient evaluations", || Action::CountBy(Clock::Gradients)),
    ask(C::RunStudy, Group::Run, "Compute repeats", "Repeat the scenario with the next seeds", || Action::Study(StudyAction::Repeat))
        .while_(|ctx| {
            let tab = applying(ctx.view.plots.tab, ctx.model.frame());
            experiment(ctx) && tab.study.repeats() && ctx.view.studies.convergence.missing(ctx.model.scenario())
        }),
    ask(C::HaltStudy, Group::Run, "Cancel repeats", "Stop computing repeats", || Action::Study(StudyAction::HaltRepeats))
        .while_(|ctx| experiment(ctx) && ctx.view.studies.convergence.progress().is_some()),
    ask(C::PlanSweep, Group::Run, "Sweep…", "Repeat a run over a grid of its parameters or those of its target", || Action::Study(StudyAction::PlanSweep))
        .while_(|ctx| experiment(ctx) && ctx.model.frame().target.family().no_positions.is_none()),
    ask(C::RunSweep, Group::Run, "Compute sweep", "Run the missing cells in the background", || Action::Study(StudyAction::Sweep))
        .while_(sweep_is_missing),
    ask(C::HaltSweep, Group::Run, "Cancel sweep", "Keep the cells computed so far", || Action::Study(StudyAction::HaltSweep))
        .while_(|ctx| experiment(ctx) && ctx.view.studies.sweep.progress().is_some()),
    ask(C::Reference, Group::Run, "Compute reference (HMC)", "Compute the posterior of the network's functions by a long HMC run, again whenever the target changes", || Action::Study(StudyAction::Reference))
    .while_(|ctx| experiment(ctx) && ctx.view.studies.reference.missing(ctx.model.frame())),
    ask(C::HaltReference, Group::Run, "Cancel reference (HMC)", "Stop computing it", || Action::Study(StudyAction::HaltReference))
    .while_(|ctx| experiment(ctx) && ctx.view.studies.reference.progress().is_some()),
    ask(C::KeepTrial, Group::Run, "Keep this trial", "Keep parameters, measures and seed as a row of a table, to be compared with other trials", || Action::KeepTrial)
        .keys(&[(PLAIN, Key::K, NOT_TYPING)])
        .while_(shown),
    ask(C::Trials, Group::Run, "Trials…", "The trials that you have kept: compare, plot, save and open them again", || Action::Trials)
        .keys(&[(SHIFT, Key::K, NOT_TYPING)]),
    ask(C::PreviousLesson, Group::Lesson, "Previous lesson", "The lesson before this one on its path, or the item before on the playlist", || Action::NeighbourLesson(-1))
        .keys(&[(PLAIN, Key::PageUp, NOT_TYPING)]),
    ask(C::NextLesson, Group::Lesson, "Next lesson", "The next lesson of the path, or the next item of the playlist; on the start page it goes on where you were", || Action::NeighbourLesson(1))
        .keys(&[(PLAIN, Key::PageDown, NOT_TYPING)])
        .while_(anywhere),
    show(C::Answer, Group::Lesson, "Show the answer", "Show or hide what you should have seen", |ctx, context| {
        ctx.view.forms.answer = !ctx.view.forms.answer;
        ctx.unfold(Side::Right, context);
    })
    .check(|ctx, _| ctx.view.forms.answer)
    .while_(tells_answer),
    ask(C::Reveal, Group::Lesson, "Reveal", "Show the runs that questions are about, and score the answers", || {
        Action::Reveal
    })
    .keys(&[(SHIFT, Key::A, NOT_TYPING)])
    .while_(|ctx| experiment(ctx) && ctx.view.studies.challenge.asks()),
    ask(C::AskAgain, Group::Lesson, "Ask again", "Hide the runs and the answers, and ask the questions again", || {
        Action::AskAgain
    })
    .while_(|ctx| experiment(ctx) && ctx.view.studies.challenge.has_questions() && !ctx.view.studies.challenge.asks()),
    layer!(Density, heat, "Density", "The density of the target as shades"),
    layer!(Contours, contours, "Contours", "Smallest regions with 50, 80, 95 and 99 % of the probability"),
    layer!(Modes, modes, "Modes", "The modes of the target; of those that a search finds, none that is lower than e⁻⁴⁰ times the highest"),
    layer!(Trail, trail, "Trail", "The newest steps of each chain"),
    layer!(
        Arrows,
        arrows,
        "Step arrows",
        "The parts of the newest step, tip to tail: momentum, drift, gradient noise, injected noise. Also proposals and \
         the paths to them"
    )
    .keys(&[(PLAIN, Key::A, NOT_TYPING)]),
    layer!(Marginals, marginals, "Marginals", "The marginals of the draws along the edges, with the exact ones; a triangle marks what is higher than its strip"),
    layer!(Fits, fits, "Approximations", "Approximation q as ellipses at 1, 2 and 3 standard deviations, and the path of its mean"),
    layer!(Ellipses, ellipses, "Ellipses", "Mean and covariance of the draws, as ellipses at 1, 2 and 3 standard deviations"),
    layer!(Divergences, divergences, "Divergences", "A cross at each draw that follows a divergent transition of HMC or NUTS"),
    layer!(BetweenModes, between_modes, "Between modes", "Arrows from the mode at the pointer, or that of the first chain: the probabilities with which a cycle that begins there ends in the others, computed without draws"),
    draws!(Hidden, "Hidden", "No draws on the canvases"),
    draws!(Auto, "Automatic", "Points for few draws, a density for many"),
    draws!(Points, "Points", "A few thousand draws, spread evenly over the run"),
    draws!(Density, "Density", "All draws, binned on a grid"),
    draws!(ByChain, "By chain", "Points, trails and traces coloured by chain").keys(&[(PLAIN, Key::C, NOT_TYPING)]),
    draws!(ByCycle, "By cycle", "Points coloured by cycle of the step size"),
    draws!(ByStep, "By step", "Points coloured by step: pale at the start of the run, full at its end"),
    draws!(
        Ensemble,
        "Chains now",
        "All chains at the present step, counted in squares, instead of the draws. With thousands of chains: the density \
         that the method moves from the start to the target"
    )
    .keys(&[(PLAIN, Key::W, NOT_TYPING)]),
    exact!(None, "None", "No exact distribution on the canvases"),
    exact!(Some(Followed::Now), "Now", "Where endlessly many chains would be after the present step: regions with 50, 90 and 99 % of them, computed without draws"),
    exact!(Some(Followed::Collected), "Collected", "The distribution of the collected draws of endlessly many chains until the present step"),
    exact!(Some(Followed::Stationary), "Stationary", "Where chains of a constant step size are in the long run: not quite the target"),
    show(C::WholeView, Group::Fit, "Whole view", "Show the target with space around it (or double-click a canvas)", |ctx, _| {
        ctx.view.shown.bounds = None;
    }),
    show(C::FitTarget, Group::Fit, "Fit to target", "Show all of the target, as close as possible", |ctx, _| {
        ctx.view.shown.bounds = extent_of_target(ctx.model.frame());
    }),
    show(C::FitDraws, Group::Fit, "Fit to draws", "Show all draws and all chains, as close as possible", |ctx, _| {
        ctx.view.shown.bounds = around_draws(ctx);
    })
    .while_(|ctx| experiment(ctx) && around_draws(ctx).is_some()),
    show(C::FitStep, Group::Fit, "Fit to step", "Show the newest step from near by: its arrows, or its path. Part by part, the steps after it as well", |ctx, _| look_at_step(ctx))
        .keys(&[(PLAIN, Key::Z, NOT_TYPING)])
        .while_(|ctx| experiment(ctx) && around_step(ctx).is_some()),
    show(C::FreeScales, Group::Fit, "Free scales", "On: the part that is shown fills the canvas. Off: x and y have the same scale", |ctx, _| ctx.view.shown.layers.free_scales = !ctx.view.shown.layers.free_scales)
    .check(|ctx, _| ctx.view.shown.layers.free_scales)
    .while_(|ctx| experiment(ctx) && ctx.model.frame().target.info().dimension == 2),
    show(C::SideBySide, Group::Canvases, "Side by side", "A canvas for each run", |ctx, _| ctx.view.shown.show_all(false))
        .radio(|ctx, _| !ctx.view.shown.overlay && shows_all(ctx))
        .while_(several),
    show(C::Overlaid, Group::Canvases, "Overlaid", "All runs on one canvas", |ctx, _| ctx.view.shown.show_all(true))
        .radio(|ctx, _| ctx.view.shown.overlay && shows_all(ctx))
        .while_(several),
    solo!(0, "Only run 1", Num1),
    solo!(1, "Only run 2", Num2),
    solo!(2, "Only run 3", Num3),
    solo!(3, "Only run 4", Num4),
    shown!(0, "Show run 1", Num1),
    shown!(1, "Show run 2", Num2),
    shown!(2, "Show run 3", Num3),
    shown!(3, "Show run 4", Num4),
    show(C::EditTarget, Group::Edit, "Edit target", "Handles of a mixture, or a brush, on the canvases", |ctx, _| {
        ctx.view.shown.editing = !ctx.view.shown.editing;
    })
    .check(|ctx, _| ctx.view.shown.editing)
    .while_(|ctx| {
        let hidden = ctx.view.hides_target(ctx.model.scenario());
        experiment(ctx) && !hidden && editor_of(ctx.model.target().kind).is_some_and(Editor::is_on_canvases)
    }),
    colours!(System, "System colours", "Light or dark, as the system"),
    colours!(Light, "Light", "Dark text on a light ground"),
    colours!(Dark, "Dark", "Light text on a dark ground"),
    panel!(Left, "Target and runs", "Fold or unfold the panel on the left", F2),
    panel!(Right, "Readout and lesson", "Fold or unfold the panel on the right", F3),
    panel!(Bottom, "Plots", "Fold or unfold the panel below the canvases", F4),
    show(C::Truth, Group::View, "Truth", "Density and modes of the target, exact curves, and measures against them", |ctx, _| ctx.view.shown.layers.truth = !ctx.view.shown.layers.truth)
    .check(|ctx, _| ctx.view.shown.layers.truth)
    .keys(&[(PLAIN, Key::T, NOT_TYPING)])
    .while_(|ctx| experiment(ctx) && !ctx.view.studies.challenge.asks()),
    plots_by!(Steps, "Plots by steps", "All plots over time against steps"),
    plots_by!(Gradients, "Plots by gradients", "All plots over time against gradient evaluations of all chains"),
    plots_by!(Seconds, "Plots by seconds", "The Held-out plot against computing time; others against documents")
        .while_(|ctx| experiment(ctx) && ctx.model.frame().target.family().cost.seconds),
    show(C::Present, Group::View, "Present", "Canvases in large type, one sentence, the main measures; Esc goes back", |ctx, _| ctx.toggle_present())
    .keys(&[(PLAIN, Key::P, NOT_TYPING)]),
    show(C::Notes, Group::View, "Notes", "Show or hide your notes of the playlist; while presenting they are hidden at first", |ctx, _| ctx.toggle_notes())
        .keys(&[(PLAIN, Key::N, NOT_TYPING)])
        .check(|ctx, _| ctx.has_notes() && ctx.shows_notes())
        .while_(experiment),
    show(C::Pen, Group::View, "Pen", "Draw on top of the window, where lines stay until another lesson comes, and those on a canvas go with it; no file and no figure shows them", |ctx, _| ctx.view.pen.toggle(Tool::Pen))
        .keys(&[(PLAIN, Key::D, NOT_TYPING)])
        .check(|ctx, _| ctx.view.pen.tool == Some(Tool::Pen)),
    show(C::Spotlight, Group::View, "Spotlight", "Darken the window but around the pointer", |ctx, _| {
        ctx.view.pen.toggle(Tool::Spotlight);
    })
    .keys(&[(PLAIN, Key::S, NOT_TYPING)])
    .check(|ctx, _| ctx.view.pen.tool == Some(Tool::Spotlight)),
    show(C::PenColour, Group::View, "Next colour of the pen", "Draw on in another colour: four of them, in turn", |ctx, _| ctx.view.pen.next_ink())
        .keys(&[(SHIFT, Key::C, NOT_TYPING)])
        .while_(|ctx| ctx.view.pen.tool == Some(Tool::Pen)),
    show(C::WipePen, Group::View, "Wipe off", "Remove what the pen has drawn", |ctx, _| ctx.view.pen.wipe())
        .keys(&[(SHIFT, Key::D, NOT_TYPING)])
        .while_(|ctx| !ctx.view.pen.is_clean()),
    show(
        C::AllMeasures,
        Group::Readout,
        "All measures",
        "Show all measures, or only the most important ones",
        |ctx, context| {
            ctx.prefs.all_measures = !ctx.prefs.all_measures;
            ctx.unfold(Side::Right, context);
        },
    )
    .check(|ctx, _| ctx.prefs.all_measures)
    .while_(|ctx| experiment(ctx) && ctx.offers("readout")),
    show(C::CopyText, Group::Readout, "As text", "Copy all measures in columns", copies::readout_as_text).while_(shown),
    show(C::CopyCsv, Group::Readout, "As CSV", "Copy all measures with all digits", copies::readout_as_csv).while_(shown),
    show(C::Help, Group::Help, "Help", "Keys, gestures and the words of the field, with a search", |ctx, _| {
        ctx.view.forms.dialog = Some(Dialog::Help(Search::default()));
    })
    .keys(&[(PLAIN, Key::F1, ALWAYS), (PLAIN, Key::Questionmark, NOT_TYPING)])
    .while_(anywhere),
    show(C::Palette, Group::Help, "Find…", "Find a command, parameter, measure, lesson, tab or file by its name", |ctx, _| ctx.view.forms.dialog = Some(Dialog::Palette(Search::default())))
    .keys(&[(COMMAND, Key::K, ALWAYS), (COMMAND, Key::P, ALWAYS)])
    .while_(anywhere),
    show(C::About, Group::Help, "About", "Version and purpose of the program", |ctx, _| {
        ctx.view.forms.dialog = Some(Dialog::About);
    })
    .while_(anywhere),
];

/// Opens the form for title and caption.
fn edit_words(ctx: &mut Ctx<'_>, context: &Context) {
    ctx.view.forms.edit_words(ctx.model.scenario());
    ctx.unfold(Side::Right, context);
}
