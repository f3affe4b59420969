//! Keyboard and dropped files: from input to actions. One table of keys is read here and shown by the help.

use std::path::PathBuf;

use egui::{Align2, Context, Id, Key, KeyboardShortcut, LayerId, Modifiers, Popup};

use super::action::Action;
use super::folding::Side;
use super::open_dialog::Dialog;
use super::state::Ctx;
use crate::draw::plots::canvas::Draws;
use crate::draw::theme::Theme;
use crate::worker::{Order, Pacing};

/// Steps that Shift ← and Shift → go.
const LEAP: i64 = 100;

/// The command of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeyCommand {
    Play,
    Forward,
    Back,
    LeapForward,
    LeapBack,
    Start,
    End,
    Restart,
    NewSeed,
    Instant,
    Present,
    PreviousLesson,
    NextLesson,
    Arrows,
    ByChain,
    ChainsNow,
    Truth,
    Export,
    Solo(usize),
    Fold(Side),
    Help,
    Undo,
    Redo,
    New,
    Open,
    Save,
    SaveAs,
    Quit,
}

/// When a key is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    /// Always.
    Always,
    /// Unless a text field has the focus.
    NotTyping,
    /// Unless anything has the focus: sliders and buttons use the key themselves.
    Unfocused,
}

const PLAIN: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;
const COMMAND: Modifiers = Modifiers::COMMAND;
const COMMAND_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

/// All keys. A plain letter only changes how the window looks, so that stray typing does no harm: commands that change the
/// scenario, start the runs again or open a dialog need Shift or Ctrl. Keys with more modifiers come first, since the plain key
/// matches as well.
const TABLE: [(Modifiers, Key, When, KeyCommand); 35] = [
    (COMMAND_SHIFT, Key::Z, When::NotTyping, KeyCommand::Redo),
    (COMMAND_SHIFT, Key::S, When::Always, KeyCommand::SaveAs),
    (COMMAND, Key::Z, When::NotTyping, KeyCommand::Undo),
    (COMMAND, Key::Y, When::NotTyping, KeyCommand::Redo),
    (COMMAND, Key::N, When::Always, KeyCommand::New),
    (COMMAND, Key::O, When::Always, KeyCommand::Open),
    (COMMAND, Key::S, When::Always, KeyCommand::Save),
    (COMMAND, Key::Q, When::Always, KeyCommand::Quit),
    (COMMAND, Key::E, When::Always, KeyCommand::Export),
    (SHIFT, Key::ArrowRight, When::Unfocused, KeyCommand::LeapForward),
    (SHIFT, Key::ArrowLeft, When::Unfocused, KeyCommand::LeapBack),
    (PLAIN, Key::Space, When::Unfocused, KeyCommand::Play),
    (PLAIN, Key::ArrowRight, When::Unfocused, KeyCommand::Forward),
    (PLAIN, Key::ArrowLeft, When::Unfocused, KeyCommand::Back),
    (PLAIN, Key::Home, When::Unfocused, KeyCommand::Start),
    (PLAIN, Key::End, When::Unfocused, KeyCommand::End),
    (PLAIN, Key::PageUp, When::NotTyping, KeyCommand::PreviousLesson),
    (PLAIN, Key::PageDown, When::NotTyping, KeyCommand::NextLesson),
    (SHIFT, Key::R, When::NotTyping, KeyCommand::Restart),
    (SHIFT, Key::N, When::NotTyping, KeyCommand::NewSeed),
    (PLAIN, Key::I, When::NotTyping, KeyCommand::Instant),
    (PLAIN, Key::P, When::NotTyping, KeyCommand::Present),
    (PLAIN, Key::A, When::NotTyping, KeyCommand::Arrows),
    (PLAIN, Key::C, When::NotTyping, KeyCommand::ByChain),
    (PLAIN, Key::W, When::NotTyping, KeyCommand::ChainsNow),
    (PLAIN, Key::T, When::NotTyping, KeyCommand::Truth),
    (PLAIN, Key::Num1, When::NotTyping, KeyCommand::Solo(0)),
    (PLAIN, Key::Num2, When::NotTyping, KeyCommand::Solo(1)),
    (PLAIN, Key::Num3, When::NotTyping, KeyCommand::Solo(2)),
    (PLAIN, Key::Num4, When::NotTyping, KeyCommand::Solo(3)),
    (PLAIN, Key::F1, When::Always, KeyCommand::Help),
    (PLAIN, Key::F2, When::Always, KeyCommand::Fold(Side::Left)),
    (PLAIN, Key::F3, When::Always, KeyCommand::Fold(Side::Right)),
    (PLAIN, Key::F4, When::Always, KeyCommand::Fold(Side::Bottom)),
    (PLAIN, Key::Questionmark, When::NotTyping, KeyCommand::Help),
];

/// Keys and what they do, for the help.
pub const HELP: [(&str, &str); 24] = [
    ("Space", "Play or pause"),
    ("← →", "One step back or forward"),
    ("Shift ← →", "100 steps back or forward"),
    ("Home, End", "Go to the start or to the end"),
    ("Shift R", "Start again with the same seed"),
    ("Shift N", "Start again with a new seed"),
    ("I", "Switch between Watch and Instant"),
    ("Page Up, Page Down", "The lesson before, the next lesson"),
    ("1 – 4", "Show one run alone; again for all"),
    ("A", "Step arrows: the parts of the newest step"),
    ("C", "Colour draws, trails and traces by chain"),
    ("W", "Density of all chains at the present step"),
    ("T", "Hide or show the truth"),
    ("P", "Present: canvases in large type, one sentence, main measures"),
    ("F2, F3, F4", "Fold or unfold the panel on the left, on the right, below"),
    ("Ctrl E", "Export a figure"),
    ("Ctrl Z, Ctrl Y", "Undo, redo"),
    ("Ctrl O, Ctrl S", "Open, save"),
    ("Ctrl Shift S", "Save to another file"),
    ("Ctrl N", "New scenario"),
    ("Ctrl Q", "Quit"),
    ("Drag a number", "Change it; double-click to type"),
    ("Esc", "Close a dialog, a list or the start page; stop picking draws; stop presenting"),
    ("F1 or ?", "Show these keys"),
];

/// Reads the keys and the dropped files of this frame.
pub fn read(context: &Context, ctx: &mut Ctx<'_>, actions: &mut Vec<Action>) {
    read_keys(context, ctx, actions);
    read_dropped_files(context, ctx.theme, actions);
}

fn read_keys(context: &Context, ctx: &mut Ctx<'_>, actions: &mut Vec<Action>) {
    if ctx.view.dialog.is_some() {
        // Esc closes an open list first, which egui does itself.
        if !Popup::is_any_open(context) && context.input_mut(|input| input.consume_key(PLAIN, Key::Escape)) {
            ctx.view.dialog = None;
        }
        return;
    }
    if ctx.view.start_page && context.input_mut(|input| input.consume_key(PLAIN, Key::Escape)) {
        ctx.view.start_page = false;
    }
    if ctx.view.path.picking() && context.input_mut(|input| input.consume_key(PLAIN, Key::Escape)) {
        ctx.view.path.pick_on_canvas(false);
    }
    if ctx.prefs.present
        && !Popup::is_any_open(context)
        && context.input_mut(|input| input.consume_key(PLAIN, Key::Escape))
    {
        ctx.toggle_present();
    }
    let typing = context.text_edit_focused();
    let focused = context.memory(|memory| memory.focused().is_some()) || Popup::is_any_open(context);
    for (modifiers, key, when, command) in TABLE {
        let blocked = match when {
            When::Always => false,
            When::NotTyping => typing || ctx.view.start_page,
            When::Unfocused => typing || focused || ctx.view.start_page,
        };
        let shortcut = KeyboardShortcut::new(modifiers, key);
        if !blocked && context.input_mut(|input| input.consume_shortcut(&shortcut)) {
            run(command, context, ctx, actions);
        }
    }
}

/// Carries out a command that changes how the window looks; pushes the action of any other.
fn run(command: KeyCommand, context: &Context, ctx: &mut Ctx<'_>, actions: &mut Vec<Action>) {
    match command {
        KeyCommand::Present => return ctx.toggle_present(),
        KeyCommand::Fold(side) => return ctx.toggle_folded(side, context),
        _ => {}
    }
    let Ctx { model, view, .. } = ctx;
    let action = match command {
        KeyCommand::Play => Action::TogglePlay,
        KeyCommand::Forward => Action::Order(Order::Step(1)),
        KeyCommand::Back => Action::Order(Order::Step(-1)),
        KeyCommand::LeapForward => Action::Order(Order::Step(LEAP)),
        KeyCommand::LeapBack => Action::Order(Order::Step(-LEAP)),
        KeyCommand::Start => Action::Seek(0),
        KeyCommand::End => Action::Seek(model.frame().time.end),
        KeyCommand::Restart => Action::Restart,
        KeyCommand::NewSeed => Action::NewSeed,
        KeyCommand::Instant => Action::Pacing(match model.mode() {
            Pacing::Watch => Pacing::Instant,
            Pacing::Instant => Pacing::Watch,
        }),
        KeyCommand::PreviousLesson => Action::NeighbourLesson(-1),
        KeyCommand::NextLesson => Action::NeighbourLesson(1),
        KeyCommand::Export => Action::Export,
        KeyCommand::Undo => Action::Undo,
        KeyCommand::Redo => Action::Redo,
        KeyCommand::New => Action::New,
        KeyCommand::Open => Action::Open,
        KeyCommand::Save => Action::Save,
        KeyCommand::SaveAs => Action::SaveAs,
        KeyCommand::Quit => Action::Close,
        KeyCommand::Arrows => return view.layers.arrows = !view.layers.arrows,
        KeyCommand::ByChain => return view.layers.toggle(Draws::ByChain),
        KeyCommand::Truth => return view.layers.truth = !view.layers.truth,
        KeyCommand::ChainsNow => return view.layers.toggle(Draws::Ensemble),
        KeyCommand::Help => return view.dialog = Some(Dialog::Keys),
        KeyCommand::Solo(run) => return view.toggle_solo(run, model.frame().runs.len()),
        KeyCommand::Present | KeyCommand::Fold(_) => return,
    };
    actions.push(action);
}

/// Opens the files that were dropped; while files are held over the window, says what can be dropped.
fn read_dropped_files(context: &Context, theme: &Theme, actions: &mut Vec<Action>) {
    let (dropped, hovering) = context.input(|input| {
        let dropped: Vec<PathBuf> = input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect();
        (dropped, !input.raw.hovered_files.is_empty())
    });
    actions.extend(dropped.into_iter().map(Action::OpenFile));
    if hovering {
        let painter = context.layer_painter(LayerId::new(egui::Order::Foreground, Id::unique("drop")));
        let screen = context.content_rect();
        painter.rect_filled(screen, 0.0, theme.paper.gamma_multiply(0.85));
        let text = "Drop a scenario, or a figure exported from Sampler Lab";
        painter.text(screen.center(), Align2::CENTER_CENTER, text, theme.title(), theme.ink);
    }
}
