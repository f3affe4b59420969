//! Trials: the notebook as a table, as a plot of one column against another, and two trials side by side.

mod compare;
mod plot;
mod rows;

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Align, ComboBox, Context, Key, Layout, Modifiers, PopupCloseBehavior, RichText, ScrollArea, Ui};

use super::modal::{buttons, modal};
use crate::app::action::Action;
use crate::app::commands::{Command, spec};
use crate::app::files::TableAs;
use crate::app::state::Ctx;
use crate::app::trials::look::TrialsView;
use crate::app::trials::table::Sheet;
use crate::app::trials::text;
use draw::theme::Theme;

/// Space that the dialog leaves at both sides of the window, in units of the theme, and its largest width.
const BESIDE: f32 = 16.0;
const WIDEST: f32 = 330.0;

/// Share of the height of the window that the view takes.
const HEIGHT: f32 = 0.6;

/// Height of the list of measures, in units of the theme.
const MEASURES: f32 = 90.0;

/// The words for all experiments.
const ALL: &str = "All experiments";

/// Shows the dialog; returns whether it stays open.
pub fn show(ctx: &mut Ctx<'_>, context: &Context, actions: &mut Vec<Action>) -> bool {
    let theme = ctx.theme;
    let window = context.content_rect().size();
    let width = (window.x / theme.unit - BESIDE).min(WIDEST);
    let before = actions.len();
    modal(context, theme, "Trials", width, |ui| {
        if ctx.view.trials.notebook.all().is_empty() {
            empty(ctx, ui);
        } else {
            let sheet = ctx.view.trials.sheet();
            head(ctx, ui, &sheet);
            ui.add_space(theme.space(2.0));
            let height = HEIGHT * window.y;
            ui.scope(|ui| {
                if ctx.view.trials.look.view == TrialsView::Plot {
                    ui.set_min_height(height);
                }
                ui.set_max_height(height);
                match ctx.view.trials.look.view {
                    TrialsView::Table => rows::show(ctx, ui, &sheet, actions),
                    TrialsView::Plot => plot::show(ctx, ui, &sheet),
                    TrialsView::Compare => compare::show(ctx, ui, &sheet),
                }
            });
        }
        let closed = foot(ctx, ui, context, actions);
        // A trial is opened, or a path is asked for, in the place of the dialog.
        !closed && actions.len() == before
    })
}

/// What there is to do before the first trial.
fn empty(ctx: &Ctx<'_>, ui: &mut Ui) {
    let key = spec(Command::KeepTrial).key();
    ui.label(format!("There are no trials yet. Press {key} to keep the present trial as a row of a table."));
    ui.add_space(ctx.theme.space(1.0));
    ui.label(
        "For example: try five step sizes, keep each of them, and compare. The table shows the parameters that differ, and measures \
         of your choice.",
    );
}

/// Whose trials are shown, and how; the measures.
fn head(ctx: &mut Ctx<'_>, ui: &mut Ui, sheet: &Sheet) {
    let theme = ctx.theme;
    ui.horizontal(|ui| {
        let trials = &mut ctx.view.trials;
        let titles: Vec<String> = trials.notebook.titles().into_iter().map(str::to_owned).collect();
        let look = &mut trials.look;
        if titles.len() > 1 {
            ui.name_inputs("Experiment", |ui| {
                let shown = look.title.clone().unwrap_or_else(|| ALL.to_owned());
                let combo = ComboBox::from_id_salt("experiment").width(theme.space(70.0)).selected_text(shown);
                combo.show_ui(ui, |ui| {
                    // Above the dialog, whichever was opened last.
                    ui.ctx().move_to_top(ui.layer_id());
                    for title in &titles {
                        ui.selectable_value(&mut look.title, Some(title.clone()), title);
                    }
                    ui.selectable_value(&mut look.title, None, ALL);
                });
            });
        } else if let Some(title) = titles.first() {
            ui.label(RichText::new(title).font(theme.strong()));
        }
        ui.separator();
        for (view, name, help) in [
            (TrialsView::Table, "Table", "All trials as rows"),
            (TrialsView::Plot, "Plot", "One column against another"),
            (TrialsView::Compare, "Compare", "Two trials side by side: tick them in the table"),
        ] {
            ui.selectable_value(&mut look.view, view, name).on_hover_text(help);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| measures(ctx, ui, sheet));
    });
}

/// The list of the measures; the first that is ticked is drawn along the run.
fn measures(ctx: &mut Ctx<'_>, ui: &mut Ui, sheet: &Sheet) {
    let height = ctx.theme.space(MEASURES);
    let notebook = &mut ctx.view.trials.notebook;
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let menu = MenuButton::new("Measures ▾").config(config).ui(ui, |ui| {
        ui.ctx().move_to_top(ui.layer_id());
        let mut all: Vec<(&str, &str)> = Vec::new();
        for measured in sheet.trials.iter().flat_map(|trial| &trial.runs).flat_map(|run| &run.measures) {
            if all.iter().all(|(key, _)| *key != measured.key) {
                all.push((&measured.key, &measured.label));
            }
        }
        let mut chosen = notebook.measures(&sheet.trials);
        ScrollArea::vertical().max_height(height).show(ui, |ui| {
            for (key, label) in all {
                let mut on = chosen.iter().any(|chosen| chosen == key);
                if ui.checkbox(&mut on, label).changed() {
                    chosen.retain(|chosen| chosen != key);
                    chosen.extend(on.then(|| key.to_owned()));
                    notebook.choose(chosen.clone());
                }
            }
        });
    });
    menu.0.on_hover_text(
        "The measures of the table, in the order in which you tick them; the first is drawn along the run",
    );
}

/// The buttons; returns whether the dialog is closed.
fn foot(ctx: &mut Ctx<'_>, ui: &mut Ui, context: &Context, actions: &mut Vec<Action>) -> bool {
    let theme = ctx.theme;
    let typing = context.text_edit_focused();
    buttons(ui, theme, |ui| {
        let close = ui.button("Close").clicked();
        if !ctx.view.trials.notebook.all().is_empty() {
            for (format, name) in [(TableAs::Markdown, "Save as Markdown…"), (TableAs::Csv, "Save as CSV…")] {
                if ui
                    .button(name)
                    .on_hover_text("Write the table into a file, in the order in which it is shown")
                    .clicked()
                {
                    actions.push(Action::SaveTrials(format));
                }
            }
            copies(ctx, ui, context, theme);
        }
        if let Some(number) = ctx.view.trials.notebook.deleted() {
            let key = !typing && context.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Z));
            let button =
                ui.button(format!("Bring back trial {number}")).on_hover_text("Undo the last deletion (Ctrl Z)");
            if button.clicked() || key {
                ctx.view.trials.notebook.undelete();
            }
        }
        close
    })
}

/// Buttons that copy the table.
fn copies(ctx: &mut Ctx<'_>, ui: &mut Ui, context: &Context, theme: &Theme) {
    ui.add_space(theme.space(2.0));
    if ui.button("Copy Markdown").on_hover_text("Copy the table for a text").clicked() {
        context.copy_text(text::markdown(&ctx.view.trials.sheet()));
        ctx.view.messages.news("Copied the trials as Markdown.");
    }
    if ui.button("Copy CSV").on_hover_text("Copy the table with all digits").clicked() {
        match text::csv(&ctx.view.trials.sheet()) {
            Ok(text) => {
                context.copy_text(text);
                ctx.view.messages.news("Copied the trials as CSV.");
            }
            Err(error) => ctx.view.messages.problem(error.to_string()),
        }
    }
}
