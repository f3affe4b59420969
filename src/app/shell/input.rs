//! Keyboard, dropped files, pasted links and tables: from input to actions. The keys of all commands are in [`crate::app::commands`].

use std::path::{Path, PathBuf};

use egui::{Align2, Context, Event, Id, Key, LayerId, Modifiers, Popup};

use crate::app::action::{Action, DataAction};
use crate::app::commands::{MODIFIERS, TABLE, When};
use crate::app::dialogs::current::Dialog;
use crate::app::dialogs::modal::types_in_field;
use crate::app::files::data::{TableSource, is_pasted_table};
use crate::app::files::link::{fragment_of, in_path};
use crate::app::files::{Purpose, carries_scenario};
use crate::app::state::Ctx;
use crate::platform::{given, received};
use draw::kit::gestures::Gesture;
use models::targets::Reading;

const PLAIN: Modifiers = Modifiers::NONE;

/// Keys that are no commands, for the help.
pub const KEYS: [(&str, &str); 5] = [
    ("Esc", "Close a list, a dialog or the start page; stop picking draws; stop presenting"),
    ("Tab, Shift Tab", "The next control, the control before"),
    ("Enter", "The main button of a dialog, where nothing has the focus"),
    ("Space, Enter", "Press the button or tick the box that has the focus"),
    ("← → ↑ ↓", "Change the slider that has the focus; go from one control or lesson to another"),
];

/// What the window takes from elsewhere.
pub const GESTURES: [Gesture; 2] = [
    Gesture::at(
        "The window",
        "Drop a file",
        "Open a scenario, a figure or report made by Sampler Lab, data (CSV), or a folder of texts",
    ),
    Gesture::at(
        "The window",
        "Paste a link or a table",
        "Open the experiment that is in the link, or ask what the table is",
    ),
];

/// Reads the keys, the dropped files, and the pasted links and tables of this frame.
pub fn read(context: &Context, ctx: &mut Ctx<'_>, actions: &mut Vec<Action>) {
    read_keys(context, ctx, actions);
    read_dropped_files(context, ctx, actions);
    if ctx.view.forms.dialog.is_none() && !context.text_edit_focused() {
        actions.extend(pasted(context));
    }
}

/// Whether a list is open, or was when this frame began: egui may lay out a frame again, in which the list is closed by the same press of Esc.
fn list_is_open(context: &Context) -> bool {
    let (memory, frame) = (Id::unique("frame with an open list"), context.cumulative_frame_nr());
    if Popup::is_any_open(context) {
        context.data_mut(|data| data.insert_temp(memory, frame));
        return true;
    }
    let was_open = context.data(|data| data.get_temp::<u64>(memory)) == Some(frame);
    if was_open {
        // Nor does the dialog get it.
        consumed(context, PLAIN, Key::Escape);
    }
    was_open
}

fn read_keys(context: &Context, ctx: &mut Ctx<'_>, actions: &mut Vec<Action>) {
    if let Some(dialog) = &ctx.view.forms.dialog {
        // In a field of the figure Esc ends the typing.
        if types_in_field(context) && matches!(dialog, Dialog::Export) {
            return;
        }
        // Esc closes an open list first, which egui does itself.
        if !list_is_open(context) && consumed(context, PLAIN, Key::Escape) {
            ctx.view.forms.dialog = None;
        }
        return;
    }
    // Esc closes an open list first.
    if !Popup::is_any_open(context) {
        if ctx.view.window.start_page && consumed(context, PLAIN, Key::Escape) {
            ctx.view.window.start_page = false;
        }
        if ctx.view.plots.path.picking() && consumed(context, PLAIN, Key::Escape) {
            ctx.view.plots.path.pick_on_canvas(false);
        }
        if ctx.view.pen.tool.is_some() && consumed(context, PLAIN, Key::Escape) {
            ctx.view.pen.tool = None;
        }
        if ctx.prefs.present && consumed(context, PLAIN, Key::Escape) {
            ctx.toggle_present();
        }
    }
    let typing = context.text_edit_focused();
    let focused = context.memory(|memory| memory.focused().is_some()) || Popup::is_any_open(context);
    for modifiers in MODIFIERS {
        for spec in &TABLE {
            for (_, key, when) in spec.keys.iter().filter(|key| key.0 == modifiers) {
                let blocked = match when {
                    When::Always => false,
                    When::NotTyping => typing,
                    When::Unfocused => typing || focused,
                };
                if !blocked && spec.able(ctx) {
                    (0..presses(context, modifiers, *key)).for_each(|_| spec.run(ctx, context, actions));
                }
            }
        }
    }
}

fn consumed(context: &Context, modifiers: Modifiers, key: Key) -> bool {
    presses(context, modifiers, key) > 0
}

/// How often a key was pressed since the last frame: more than once where frames are slow, or a remote control is quick.
fn presses(context: &Context, modifiers: Modifiers, key: Key) -> usize {
    context.input_mut(|input| {
        let mut count = input.count_and_consume_key(modifiers, key);
        // With Shift a key of a digit has another sign, which one depends on the keyboard.
        if modifiers.shift && key.name().starts_with(|name: char| name.is_ascii_digit()) {
            input.events.retain(|event| {
                let is_digit = matches!(event, Event::Key { physical_key, modifiers: held, pressed: true, .. }
                    if *physical_key == Some(key) && held.matches_logically(modifiers));
                count += usize::from(is_digit);
                !is_digit
            });
        }
        count
    })
}

/// What a link or a table that was pasted leads to.
fn pasted(context: &Context) -> Option<Action> {
    let wish = |text: &str| match text.trim() {
        link if fragment_of(link).is_some() => Some(Action::OpenFile(PathBuf::from(link))),
        _ if is_pasted_table(text) => {
            let source = TableSource::Pasted(text.into());
            Some(Action::Data(DataAction::Read { source, reading: Reading::default() }))
        }
        _ => None,
    };
    context.input(|input| {
        let mut pasted = input.events.iter().filter_map(|event| match event {
            Event::Paste(text) => wish(text),
            _ => None,
        });
        pasted.next_back()
    })
}

/// The file to open of those that came together: a scenario or a figure; the others are its data.
fn scenario_among(files: Vec<PathBuf>) -> Option<PathBuf> {
    let chosen = files.iter().position(|path| opens(path)).unwrap_or(0);
    files.into_iter().nth(chosen)
}

/// Whether a file is a scenario or a figure, by its name.
fn opens(path: &Path) -> bool {
    carries_scenario(path) || path.extension().is_some_and(|extension| extension == "toml")
}

/// Opens the files that were dropped; while files are held over the window, says what can be dropped.
fn read_dropped_files(context: &Context, ctx: &Ctx<'_>, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    let (dropped, hovering) = context.input(|input| {
        let dropped: Vec<PathBuf> = input.raw.dropped_files.iter().filter_map(received).collect();
        (dropped, !input.raw.hovered_files.is_empty())
    });
    actions.extend(dropped.into_iter().map(Action::OpenFile));
    actions.extend(scenario_among(given()).map(|path| match ctx.view.forms.browsing {
        Some(_) if !opens(&path) => Action::Chosen { purpose: Purpose::Data, path, replace: true },
        _ if in_path(&path).is_some() => Action::Follow(path),
        _ => Action::OpenFile(path),
    }));
    if hovering {
        let painter = context.layer_painter(LayerId::new(egui::Order::Foreground, Id::unique("drop")));
        let screen = context.content_rect();
        painter.rect_filled(screen, 0.0, theme.paper.gamma_multiply(0.85));
        let text = "Drop a scenario, a figure exported from Sampler Lab, data (CSV), or a folder of texts";
        painter.text(screen.center(), Align2::CENTER_CENTER, text, theme.title(), theme.ink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_press_of_a_key_in_one_frame_counts() {
        let context = Context::default();
        let press = |key, pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: PLAIN };
        let keys = [Key::PageDown, Key::PageUp, Key::PageDown, Key::PageDown];
        context.input_mut(|input| {
            input.events = keys.into_iter().flat_map(|key| [press(key, true), press(key, false)]).collect();
        });
        assert_eq!(presses(&context, PLAIN, Key::PageDown), 3);
        assert_eq!(presses(&context, PLAIN, Key::PageDown), 0, "they are taken");
        assert!(consumed(&context, PLAIN, Key::PageUp) && !consumed(&context, PLAIN, Key::PageUp));
    }

    #[test]
    fn shift_and_a_digit_are_read_on_every_keyboard() {
        let context = Context::default();
        // An American keyboard has ! there, a German one a quotation mark on the key beside it.
        for (key, physical) in [(Key::Exclamationmark, Key::Num1), (Key::Quote, Key::Num2)] {
            let (modifiers, physical_key) = (Modifiers::SHIFT, Some(physical));
            context.input_mut(|input| {
                input.events = vec![Event::Key { key, physical_key, pressed: true, repeat: false, modifiers }];
            });
            assert_eq!(presses(&context, PLAIN, physical), 0);
            assert_eq!(presses(&context, Modifiers::SHIFT, physical), 1);
            assert_eq!(presses(&context, Modifiers::SHIFT, physical), 0, "it is taken");
        }
    }
}
