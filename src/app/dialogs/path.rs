//! A path, typed: the way that always works.

use std::time::Duration;

use egui::{Context, Key, TextEdit, Ui};

use super::{PathDialog, buttons, main_button, modal};
use crate::app::actions::{Action, with_extension};
use crate::app::files::Purpose;
use crate::draw::theme::Theme;

/// How long the system's own dialog has to itself before the field appears beside it.
const PATIENCE: Duration = Duration::from_millis(1200);

/// Shows the field; returns whether it stays open.
pub fn show(dialog: &mut PathDialog, context: &Context, theme: &Theme, actions: &mut Vec<Action>) -> bool {
    let waited = dialog.begun.elapsed();
    if !dialog.no_service && waited < PATIENCE {
        context.request_repaint_after(PATIENCE.saturating_sub(waited));
        return true;
    }
    let (title, verb) = match dialog.purpose {
        Purpose::Open => ("Open a scenario", "Open"),
        Purpose::Save => ("Save the scenario", "Save"),
        Purpose::Export => ("Export a figure", "Export"),
    };
    modal(context, theme, title, 120.0, |ui| {
        ui.label(if dialog.no_service {
            "This system offers no file dialog. Type the path:"
        } else {
            "A file dialog should be open. If none is to be seen, type the path here:"
        });
        let entered = field(ui, dialog);
        notes(ui, dialog, theme);
        buttons(ui, theme, |ui| {
            let replace = dialog.exists;
            let clicked = main_button(ui, theme, if replace { "Replace" } else { verb });
            let cancelled = ui.button("Cancel").clicked();
            if (clicked || entered) && !dialog.text.trim().is_empty() {
                dialog.problem = None;
                let path = with_extension(dialog.purpose, dialog.path());
                actions.push(Action::Chosen { purpose: dialog.purpose, path, replace });
            }
            !cancelled
        })
    })
}

/// The field itself; returns whether Enter was pressed in it.
fn field(ui: &mut Ui, dialog: &mut PathDialog) -> bool {
    let response = ui.name_inputs("Path", |ui| {
        ui.add(TextEdit::singleline(&mut dialog.text).desired_width(f32::INFINITY).hint_text("/folder/name"))
    });
    let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if response.changed() {
        dialog.exists = false;
        dialog.problem = None;
    }
    if !entered && !response.has_focus() && ui.memory(|memory| memory.focused().is_none()) {
        response.request_focus();
    }
    entered
}

fn notes(ui: &mut Ui, dialog: &PathDialog, theme: &Theme) {
    if dialog.exists {
        ui.colored_label(theme.warning, "There is such a file already. Replace it?");
    }
    if let Some(problem) = &dialog.problem {
        ui.colored_label(theme.error, problem);
    }
}
