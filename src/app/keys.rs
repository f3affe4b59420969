//! The keyboard: one table of keys, read here and shown by the help.

use egui::{Context, Key, KeyboardShortcut, Modifiers};

use super::actions::Action;
use super::dialogs::Dialog;
use super::model::Model;
use super::view::{Prefs, View};
use crate::draw::plots::canvas::Draws;
use crate::worker::{Order, Pacing};

/// Steps made by ← and → with shift.
const LEAP: i64 = 100;

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stroke {
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
    Arrows,
    ByChain,
    ChainsNow,
    Export,
    Solo(usize),
    Help,
    Undo,
    Redo,
    New,
    Open,
    Save,
    SaveAs,
    Quit,
}

/// When a key counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    /// Always.
    Always,
    /// Unless a text field has the focus.
    NotTyping,
    /// Unless anything has the focus: the key means something to sliders and buttons.
    Unfocused,
}

const PLAIN: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;
const COMMAND: Modifiers = Modifiers::COMMAND;
const COMMAND_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

/// Every key. Those with more modifiers come first, since a plain one would match as well.
const TABLE: [(Modifiers, Key, When, Stroke); 29] = [
    (COMMAND_SHIFT, Key::Z, When::NotTyping, Stroke::Redo),
    (COMMAND_SHIFT, Key::S, When::Always, Stroke::SaveAs),
    (COMMAND, Key::Z, When::NotTyping, Stroke::Undo),
    (COMMAND, Key::Y, When::NotTyping, Stroke::Redo),
    (COMMAND, Key::N, When::Always, Stroke::New),
    (COMMAND, Key::O, When::Always, Stroke::Open),
    (COMMAND, Key::S, When::Always, Stroke::Save),
    (COMMAND, Key::Q, When::Always, Stroke::Quit),
    (SHIFT, Key::ArrowRight, When::Unfocused, Stroke::LeapForward),
    (SHIFT, Key::ArrowLeft, When::Unfocused, Stroke::LeapBack),
    (PLAIN, Key::Space, When::Unfocused, Stroke::Play),
    (PLAIN, Key::ArrowRight, When::Unfocused, Stroke::Forward),
    (PLAIN, Key::ArrowLeft, When::Unfocused, Stroke::Back),
    (PLAIN, Key::Home, When::Unfocused, Stroke::Start),
    (PLAIN, Key::End, When::Unfocused, Stroke::End),
    (PLAIN, Key::R, When::NotTyping, Stroke::Restart),
    (PLAIN, Key::N, When::NotTyping, Stroke::NewSeed),
    (PLAIN, Key::I, When::NotTyping, Stroke::Instant),
    (PLAIN, Key::P, When::NotTyping, Stroke::Present),
    (PLAIN, Key::A, When::NotTyping, Stroke::Arrows),
    (PLAIN, Key::C, When::NotTyping, Stroke::ByChain),
    (PLAIN, Key::W, When::NotTyping, Stroke::ChainsNow),
    (PLAIN, Key::E, When::NotTyping, Stroke::Export),
    (PLAIN, Key::Num1, When::NotTyping, Stroke::Solo(0)),
    (PLAIN, Key::Num2, When::NotTyping, Stroke::Solo(1)),
    (PLAIN, Key::Num3, When::NotTyping, Stroke::Solo(2)),
    (PLAIN, Key::Num4, When::NotTyping, Stroke::Solo(3)),
    (PLAIN, Key::F1, When::Always, Stroke::Help),
    (PLAIN, Key::Questionmark, When::NotTyping, Stroke::Help),
];

/// The keys in words, for the help.
pub const HELP: [(&str, &str); 21] = [
    ("Space", "Play or pause"),
    ("← →", "One step back or forward"),
    ("Shift ← →", "A hundred steps back or forward"),
    ("Home, End", "To the first or the last step"),
    ("R", "Start again with the same seed"),
    ("N", "Start again with a new seed"),
    ("I", "Instant: finished runs at once; again to watch"),
    ("1 – 4", "One canvas alone; again for all"),
    ("A", "Step arrows: what the newest step was made of"),
    ("C", "Draws, trails and traces coloured by chain"),
    ("W", "Where all chains are now, as a density"),
    ("P", "Present: larger type, fewer panels"),
    ("E", "Export a figure"),
    ("Ctrl Z, Ctrl Y", "Undo, redo"),
    ("Ctrl O, Ctrl S", "Open, save"),
    ("Ctrl Shift S", "Save under another name"),
    ("Ctrl N", "New scenario"),
    ("Ctrl Q", "Quit"),
    ("Drag a number", "Change it slowly; double-click to type"),
    ("Esc", "Close a dialog, end picking draws"),
    ("F1", "This list"),
];

/// Reads the keys of this frame.
pub fn read(context: &Context, model: &Model, view: &mut View, prefs: &mut Prefs, actions: &mut Vec<Action>) {
    if view.dialog.is_some() {
        if context.input_mut(|input| input.consume_key(PLAIN, Key::Escape)) {
            view.dialog = None;
        }
        return;
    }
    if view.path.picking() && context.input_mut(|input| input.consume_key(PLAIN, Key::Escape)) {
        view.path.pick_on_canvas(false);
    }
    let typing = context.text_edit_focused();
    let focused = context.memory(|memory| memory.focused().is_some()) || context.any_popup_open();
    for (modifiers, key, when, stroke) in TABLE {
        let blocked = match when {
            When::Always => false,
            When::NotTyping => typing,
            When::Unfocused => typing || focused,
        };
        let shortcut = KeyboardShortcut::new(modifiers, key);
        if !blocked && context.input_mut(|input| input.consume_shortcut(&shortcut)) {
            strike(stroke, model, view, prefs, actions);
        }
    }
}

fn strike(stroke: Stroke, model: &Model, view: &mut View, prefs: &mut Prefs, actions: &mut Vec<Action>) {
    let action = match stroke {
        Stroke::Play => Action::TogglePlay,
        Stroke::Forward => Action::Order(Order::Step(1)),
        Stroke::Back => Action::Order(Order::Step(-1)),
        Stroke::LeapForward => Action::Order(Order::Step(LEAP)),
        Stroke::LeapBack => Action::Order(Order::Step(-LEAP)),
        Stroke::Start => Action::Seek(0),
        Stroke::End => Action::Seek(model.frame().total),
        Stroke::Restart => Action::Restart,
        Stroke::NewSeed => Action::NewSeed,
        Stroke::Instant => Action::Pacing(match model.mode() {
            Pacing::Watch => Pacing::Instant,
            Pacing::Instant => Pacing::Watch,
        }),
        Stroke::Export => Action::Export,
        Stroke::Undo => Action::Undo,
        Stroke::Redo => Action::Redo,
        Stroke::New => Action::New,
        Stroke::Open => Action::Open,
        Stroke::Save => Action::Save,
        Stroke::SaveAs => Action::SaveAs,
        Stroke::Quit => Action::Close,
        Stroke::Present => return prefs.present = !prefs.present,
        Stroke::Arrows => return view.layers.arrows = !view.layers.arrows,
        Stroke::ByChain => return view.layers.toggle(Draws::ByChain),
        Stroke::ChainsNow => return view.layers.toggle(Draws::Ensemble),
        Stroke::Help => return view.dialog = Some(Dialog::Keys),
        Stroke::Solo(run) => return view.toggle_solo(run, model.frame().runs.len()),
    };
    actions.push(action);
}
