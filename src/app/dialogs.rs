//! Dialogs: a path, a figure to export, the list of keys, what the program is, unsaved changes.

mod export;
mod path;

use std::path::PathBuf;

use egui::{Context, Grid, Modal, RichText, Ui};

use super::App;
use super::actions::Action;
use super::files::Purpose;
use super::keys;
use crate::draw::theme::Theme;

/// The dialog that is open.
#[derive(Debug)]
pub enum Dialog {
    /// Where to, or where from.
    Path(PathDialog),
    /// What to export.
    Export,
    /// The keys.
    Keys,
    /// What this program is.
    About,
    /// The window is closing and something is unsaved.
    Unsaved,
}

/// A field for a path, shown while the system's own dialog is open and instead of it where there is none.
#[derive(Debug)]
pub struct PathDialog {
    /// What the path is for.
    pub purpose: Purpose,
    /// The request to the system's dialog that this belongs to.
    pub ticket: u64,
    /// The path as typed so far.
    pub text: String,
    /// Whether the system has no file dialog.
    pub no_service: bool,
    /// Whether there is such a file already: the next click replaces it.
    pub exists: bool,
    /// Why the last try failed.
    pub problem: Option<String>,
    begun: std::time::Instant,
}

impl PathDialog {
    /// A field that begins with `suggestion`.
    #[must_use]
    pub fn new(purpose: Purpose, ticket: u64, suggestion: &std::path::Path) -> Self {
        let text = suggestion.display().to_string();
        let begun = std::time::Instant::now();
        Self { purpose, ticket, text, no_service: false, exists: false, problem: None, begun }
    }

    /// The path as typed; a `~` in front is the home folder.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        let text = self.text.trim();
        match (text.strip_prefix("~/"), std::env::home_dir()) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => PathBuf::from(text),
        }
    }
}

/// Shows the dialog that is open, if any.
pub fn show(app: &mut App, context: &Context, actions: &mut Vec<Action>) {
    let Some(mut dialog) = app.view.dialog.take() else { return };
    let open = match &mut dialog {
        Dialog::Path(field) => path::show(field, context, &app.theme, actions),
        Dialog::Export => export::show(app, context, actions),
        Dialog::Keys => show_keys(context, &app.theme),
        Dialog::About => show_about(context, &app.theme),
        Dialog::Unsaved => show_unsaved(context, &app.theme, actions),
    };
    if open {
        app.view.dialog = Some(dialog);
    }
}

/// A dialog in the middle with a heading; returns whether it stays open.
fn modal(context: &Context, theme: &Theme, name: &str, width: f32, contents: impl FnOnce(&mut Ui) -> bool) -> bool {
    let frame = egui::Frame::window(&context.global_style()).inner_margin(theme.space(5.0));
    let response = Modal::new(egui::Id::unique(name)).frame(frame).show(context, |ui| {
        ui.set_width(theme.space(width));
        ui.heading(name);
        ui.add_space(theme.space(2.0));
        contents(ui)
    });
    response.inner && !response.should_close()
}

/// Buttons at the lower right.
fn buttons<R>(ui: &mut Ui, theme: &Theme, contents: impl FnOnce(&mut Ui) -> R) -> R {
    ui.add_space(theme.space(3.0));
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), contents).inner
}

/// The button that does what the dialog is for.
fn main_button(ui: &mut Ui, theme: &Theme, text: &str) -> bool {
    let button = egui::Button::new(RichText::new(text).font(theme.strong()).color(theme.paper)).fill(theme.accent);
    ui.add(button).clicked()
}

fn show_keys(context: &Context, theme: &Theme) -> bool {
    modal(context, theme, "Keys", 100.0, |ui| {
        Grid::new("keys").num_columns(2).spacing([theme.space(6.0), theme.space(1.5)]).show(ui, |ui| {
            for (key, meaning) in keys::HELP {
                ui.label(RichText::new(key).font(theme.strong()));
                ui.label(meaning);
                ui.end_row();
            }
        });
        !buttons(ui, theme, |ui| ui.button("Close").clicked())
    })
}

fn show_about(context: &Context, theme: &Theme) -> bool {
    modal(context, theme, "Sampler Lab", 110.0, |ui| {
        ui.label(concat!("Version ", env!("CARGO_PKG_VERSION")));
        ui.add_space(theme.space(2.0));
        ui.label(env!("CARGO_PKG_DESCRIPTION"));
        ui.add_space(theme.space(2.0));
        ui.label(
            "Everything on the screen is computed: no draw is smoothed, moved or left out without saying so. \
             A scenario file makes the same run again, in this window or on the command line.",
        );
        ui.add_space(theme.space(2.0));
        ui.label("Step sizes are α throughout: θ ← θ + α ∇log p(θ) + √(2α) ξ. Welling and Teh write ε = 2α.");
        !buttons(ui, theme, |ui| ui.button("Close").clicked())
    })
}

fn show_unsaved(context: &Context, theme: &Theme, actions: &mut Vec<Action>) -> bool {
    modal(context, theme, "Unsaved changes", 96.0, |ui| {
        ui.label("The scenario has changed since it was saved.");
        buttons(ui, theme, |ui| {
            let save = main_button(ui, theme, "Save");
            let cancel = ui.button("Cancel").clicked();
            let discard = ui.button("Close without saving").clicked();
            if save {
                actions.push(Action::Save);
            }
            if discard {
                actions.push(Action::Quit);
            }
            !(save || cancel || discard)
        })
    })
}
