//! The bar at the top: menus on the left; seed, theme, present and export on the right.

use egui::{Align, Button, DragValue, Layout, MenuBar, ScrollArea, Ui};

use crate::app::App;
use crate::app::actions::Action;
use crate::app::dialogs::Dialog;
use crate::app::view::ThemeChoice;
use crate::scenario::LESSONS;

/// Width of the captions beside the Lesson menu, in units of the theme.
const LESSON_WIDTH: f32 = 90.0;

/// Room left above and below the Lesson menu, in units of the theme.
const LESSON_MARGIN: f32 = 20.0;

/// Shows the bar.
pub fn show(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    MenuBar::new().ui(ui, |ui| {
        ui.menu_button("File", |ui| file(app, ui, actions));
        ui.menu_button("Edit", |ui| edit(app, ui, actions));
        ui.menu_button("Lesson", |ui| lessons(app, ui, actions));
        ui.menu_button("View", |ui| view(app, ui));
        ui.menu_button("Help", |ui| help(app, ui));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| right(app, ui, actions));
    });
}

/// An entry of a menu; returns whether it was chosen.
fn entry(ui: &mut Ui, enabled: bool, text: &str, keys: &str) -> bool {
    ui.add_enabled(enabled, Button::new(text).shortcut_text(keys)).clicked()
}

fn file(app: &App, ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.set_min_width(app.theme.space(44.0));
    let saved = app.model.file.is_none() || app.model.unsaved();
    let entries = [
        (true, "New", "Ctrl N", Action::New),
        (true, "Open…", "Ctrl O", Action::Open),
        (saved, "Save", "Ctrl S", Action::Save),
        (true, "Save as…", "Ctrl Shift S", Action::SaveAs),
        (true, "Export figure…", "E", Action::Export),
        (true, "Quit", "Ctrl Q", Action::Close),
    ];
    for (enabled, text, keys, action) in entries {
        if entry(ui, enabled, text, keys) {
            actions.push(action);
        }
    }
}

fn edit(app: &App, ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.set_min_width(app.theme.space(40.0));
    let undo = app.model.undo();
    for (enabled, text, keys, action) in
        [(undo.can_undo(), "Undo", "Ctrl Z", Action::Undo), (undo.can_redo(), "Redo", "Ctrl Y", Action::Redo)]
    {
        if entry(ui, enabled, text, keys) {
            actions.push(action);
        }
    }
}

/// The titles of all lessons; what to watch in each stands in its tooltip.
fn lessons(app: &App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let height = ui.ctx().content_rect().height() - app.theme.space(LESSON_MARGIN);
    ScrollArea::vertical().max_height(height).min_scrolled_height(height).show(ui, |ui| {
        for (index, lesson) in LESSONS.iter().enumerate() {
            let (title, caption) = lesson.words();
            let current = app.model.file.is_none() && app.model.scenario().title == title;
            let response = ui.add(Button::selectable(current, title)).on_hover_ui(|ui| {
                ui.set_max_width(app.theme.space(LESSON_WIDTH));
                ui.label(caption);
            });
            if response.clicked() {
                actions.push(Action::Lesson(index));
            }
        }
    });
}

fn view(app: &mut App, ui: &mut Ui) {
    ui.set_min_width(app.theme.space(44.0));
    for (appearance, name) in
        [(ThemeChoice::System, "As the system"), (ThemeChoice::Light, "Light"), (ThemeChoice::Dark, "Dark")]
    {
        ui.radio_value(&mut app.prefs.theme, appearance, name);
    }
    ui.separator();
    let folded = &mut app.prefs.folded;
    for (hidden, name) in [
        (&mut folded.left, "Target and runs"),
        (&mut folded.right, "Readout and lesson"),
        (&mut folded.bottom, "Plots"),
    ] {
        let mut shown = !*hidden;
        if ui.checkbox(&mut shown, name).changed() {
            *hidden = !shown;
        }
    }
    ui.separator();
    ui.menu_button("Layers", |ui| super::canvases::layers(ui, &mut app.view.layers));
    let runs = app.model.scenario().runs.len();
    if entry(ui, app.view.solo.is_some(), "All canvases", "") {
        app.view.solo = None;
    }
    for run in 0..runs {
        let name = format!("Only {}", app.model.scenario().runs[run].name);
        if entry(ui, true, &name, &(run + 1).to_string()) {
            app.view.toggle_solo(run, runs);
        }
    }
    ui.separator();
    if entry(ui, true, if app.prefs.present { "Stop presenting" } else { "Present" }, "P") {
        app.prefs.present = !app.prefs.present;
    }
}

fn help(app: &mut App, ui: &mut Ui) {
    ui.set_min_width(app.theme.space(30.0));
    if entry(ui, true, "Keys", "F1") {
        app.view.dialog = Some(Dialog::Keys);
    }
    if entry(ui, true, "About", "") {
        app.view.dialog = Some(Dialog::About);
    }
}

/// From the right edge inwards.
fn right(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    if ui.button("Export…").on_hover_text("Export a figure (E)").clicked() {
        actions.push(Action::Export);
    }
    if ui.add(Button::selectable(app.prefs.present, "Present")).on_hover_text("Larger type, fewer panels (P)").clicked()
    {
        app.prefs.present = !app.prefs.present;
    }
    let dark = app.theme.mode == crate::draw::theme::Appearance::Dark;
    let (name, other) = if dark { ("Light", ThemeChoice::Light) } else { ("Dark", ThemeChoice::Dark) };
    if ui.button(name).on_hover_text("Change the colours of the window").clicked() {
        app.prefs.theme = other;
    }
    ui.separator();
    if ui.button("⟳ new").on_hover_text("Start again with a new seed (N)").clicked() {
        actions.push(Action::NewSeed);
    }
    let mut seed = app.model.scenario().seed;
    let field = ui.name_inputs("Seed", |ui| ui.add(DragValue::new(&mut seed).update_while_editing(false).speed(0.1)));
    if field.on_hover_text("The same seed makes the same run, bit for bit").changed()
        && seed != app.model.scenario().seed
    {
        actions.push(Action::Seed(seed));
    }
    ui.label("seed");
}
