//! Path dialog: a field for a path, beside the system's file dialog or in its place.

use std::time::Duration;

use egui::{Context, Key, TextEdit, Ui};

use super::current::PathDialog;
use super::modal::{buttons, main_button, modal};
use crate::app::action::Action;
use crate::app::files::Purpose;
use draw::kit::named::with_name;
use draw::theme::Theme;

/// Time between the request for the system's file dialog and the field beside it.
const PATIENCE: Duration = Duration::from_millis(1200);

/// Shows the field; returns whether it stays open.
pub fn show(dialog: &mut PathDialog, context: &Context, theme: &Theme, actions: &mut Vec<Action>) -> bool {
    let waited = dialog.since.elapsed();
    if !dialog.no_service && waited < PATIENCE {
        context.request_repaint_after(PATIENCE.saturating_sub(waited));
        return true;
    }
    let (title, verb) = match dialog.purpose {
        Purpose::Open => ("Open a scenario", "Open"),
        Purpose::Table => ("Open data", "Open"),
        Purpose::Data => ("Choose a file", "Choose"),
        Purpose::Folder => ("Choose a folder", "Choose"),
        Purpose::Save => ("Save the scenario", "Save"),
        Purpose::Export(_) => ("Where to export", "Export"),
        Purpose::Draws(_) => ("Save the draws", "Save"),
        Purpose::Cells => ("Save the cells", "Save"),
        Purpose::Item => ("Add to the playlist", "Add"),
        Purpose::Playlist => ("Save the playlist", "Save"),
        Purpose::HandOut => ("Save the hand-out", "Save"),
        Purpose::Report(_) => ("Save the report", "Save"),
        Purpose::Worksheet => ("Save the worksheet", "Save"),
        Purpose::Trials(_) => ("Save the trials", "Save"),
    };
    modal(context, theme, title, 120.0, |ui| {
        ui.label(if dialog.no_service {
            "This system has no file dialog. Type the path here:"
        } else {
            "The file dialog of the system should be open. If you do not see one, type the path here:"
        });
        let entered = field(ui, dialog);
        notes(ui, dialog, theme);
        buttons(ui, theme, |ui| {
            let replace = dialog.exists;
            let clicked = main_button(ui, theme, if replace { "Replace" } else { verb });
            let cancelled = ui.button("Cancel").clicked();
            if (clicked || entered) && !dialog.text.trim().is_empty() {
                dialog.problem = None;
                let path = dialog.purpose.with_extension(dialog.path());
                actions.push(Action::Chosen { purpose: dialog.purpose, path, replace });
            }
            !cancelled
        })
    })
}

/// The field itself; returns whether Enter was pressed in it.
fn field(ui: &mut Ui, dialog: &mut PathDialog) -> bool {
    let field = TextEdit::singleline(&mut dialog.text).desired_width(f32::INFINITY).hint_text("/folder/name");
    let response = with_name(ui.add(field), "Path");
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
        ui.colored_label(theme.warning, "This file exists already. Replace it?");
    }
    if let Some(problem) = &dialog.problem {
        ui.colored_label(theme.error, problem);
    }
}
