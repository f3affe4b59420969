//! Menu bar: menus on the left, the tools of the canvases after them; seed, Present and Export on the right.

use egui::{Align, Button, DragValue, Layout, MenuBar, RichText, ScrollArea, Ui};

use crate::app::action::Action;
use crate::app::folding::Side;
use crate::app::locks::guard;
use crate::app::open_dialog::Dialog;
use crate::app::prefs::ThemeChoice;
use crate::app::start_page;
use crate::app::state::Ctx;
use crate::scenario::LESSONS;

use super::canvas_tools;

/// Width of the captions in the tooltips of the Lesson menu, in units of the theme.
const LESSON_WIDTH: f32 = 90.0;

/// Space left above and below the Lesson menu, in units of the theme.
const LESSON_MARGIN: f32 = 20.0;

/// Place of Open among the entries of the File menu.
const OPEN: usize = 2;

/// Width of the menu of recent files, in units of the theme.
const RECENT_WIDTH: f32 = 80.0;

/// Shows the menu bar.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    MenuBar::new().ui(ui, |ui| {
        ui.menu_button("File", |ui| file(ctx, ui, actions));
        ui.menu_button("Edit", |ui| edit(ctx, ui, actions));
        ui.menu_button("Lesson", |ui| lessons(ctx, ui, actions));
        ui.menu_button("View", |ui| view(ctx, ui));
        ui.menu_button("Help", |ui| help(ctx, ui));
        ui.separator();
        canvas_tools::show(ctx, ui);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| right(ctx, ui, actions));
    });
}

/// An entry of a menu; returns whether it was chosen.
fn entry(ui: &mut Ui, enabled: bool, text: &str, keys: &str) -> bool {
    ui.add_enabled(enabled, Button::new(text).shortcut_text(keys)).clicked()
}

fn file(ctx: &Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.set_min_width(ctx.theme.space(44.0));
    let entries = [
        (true, "Start page", "", Action::StartPage),
        (true, "New", "Ctrl N", Action::New),
        (true, "Open…", "Ctrl O", Action::Open),
        (true, "Save", "Ctrl S", Action::Save),
        (true, "Save as…", "Ctrl Shift S", Action::SaveAs),
        (true, "Export figure…", "Ctrl E", Action::Export),
        (true, "Quit", "Ctrl Q", Action::Close),
    ];
    for (number, (enabled, text, keys, action)) in entries.into_iter().enumerate() {
        if entry(ui, enabled, text, keys) {
            actions.push(action);
        }
        if number == OPEN {
            ui.menu_button("Open recent", |ui| recent(ctx, ui, actions));
        }
    }
}

/// The files that were opened or saved last, and what was changed and not saved.
fn recent(ctx: &Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.set_width(ctx.theme.space(RECENT_WIDTH));
    start_page::recent_files(ctx, ui, actions);
    if ctx.prefs.recent.is_empty() {
        ui.weak("No recent files");
    }
    ui.separator();
    ui.label(RichText::new("Unsaved work").font(ctx.theme.small()).color(ctx.theme.soft));
    start_page::unsaved_work(ctx, ui, actions);
    if ctx.unsaved.all().is_empty() {
        ui.weak("None: what you change and leave without saving is kept here");
    }
}

fn edit(ctx: &Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.set_min_width(ctx.theme.space(40.0));
    let undo = ctx.model.undo();
    for (enabled, text, keys, action) in
        [(undo.can_undo(), "Undo", "Ctrl Z", Action::Undo), (undo.can_redo(), "Redo", "Ctrl Y", Action::Redo)]
    {
        if entry(ui, enabled, text, keys) {
            actions.push(action);
        }
    }
}

/// The titles of all lessons under the parts of a workshop, with what to watch as tooltips.
fn lessons(ctx: &Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let height = ui.ctx().content_rect().height() - ctx.theme.space(LESSON_MARGIN);
    ScrollArea::vertical().max_height(height).min_scrolled_height(height).show(ui, |ui| {
        // Closer than in other menus, so that all lessons fit on a small screen.
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.spacing_mut().interact_size.y *= 0.75;
        let mut group = "";
        for (index, lesson) in LESSONS.iter().enumerate() {
            if lesson.group != group {
                group = lesson.group;
                ui.label(RichText::new(group).font(ctx.theme.small()).color(ctx.theme.soft));
            }
            let (title, caption) = lesson.words();
            let current = ctx.model.lesson().is_some_and(|(number, _)| number == index);
            let response = ui.add(Button::selectable(current, title)).on_hover_ui(|ui| {
                ui.set_max_width(ctx.theme.space(LESSON_WIDTH));
                ui.label(caption.watch);
            });
            if response.clicked() {
                actions.push(Action::Lesson(index));
            }
        }
    });
}

fn view(ctx: &mut Ctx<'_>, ui: &mut Ui) {
    ui.set_min_width(ctx.theme.space(44.0));
    for (appearance, name) in
        [(ThemeChoice::System, "System colours"), (ThemeChoice::Light, "Light"), (ThemeChoice::Dark, "Dark")]
    {
        let chosen = ctx.view.theme.is_none() && ctx.prefs.theme == appearance;
        if ui.radio(chosen, name).clicked() {
            ctx.choose_theme(appearance);
        }
    }
    ui.separator();
    for side in Side::ALL.into_iter().filter(|side| ctx.offers_side(*side)).collect::<Vec<_>>() {
        let mut shown = !ctx.folded(side, ui.ctx());
        if ui.checkbox(&mut shown, format!("{} ({})", side.name(), side.key())).changed() {
            ctx.toggle_folded(side, ui.ctx());
        }
    }
    ui.separator();
    ui.checkbox(&mut ctx.view.layers.truth, "Truth (T)")
        .on_hover_text("Density and modes of the target, exact curves, and measures against them");
    ui.separator();
    if entry(ui, true, "Present", "P") {
        ctx.toggle_present();
    }
}

fn help(ctx: &mut Ctx<'_>, ui: &mut Ui) {
    ui.set_min_width(ctx.theme.space(30.0));
    if entry(ui, true, "Keys", "F1") {
        ctx.view.dialog = Some(Dialog::Keys);
    }
    if entry(ui, true, "About", "") {
        ctx.view.dialog = Some(Dialog::About);
    }
}

/// The controls on the right, from the right edge inwards.
fn right(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    if ui.button("Export…").on_hover_text("Export a figure (Ctrl E)").clicked() {
        actions.push(Action::Export);
    }
    let help = "Canvases in large type, one sentence, the main measures (P; Esc goes back)";
    if ui.button("Present").on_hover_text(help).clicked() {
        ctx.toggle_present();
    }
    ui.separator();
    guard(ui, ctx.locks("seed"), |ui| seed(ctx, ui, actions));
}

/// The seed, from the right edge inwards.
fn seed(ctx: &Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    if ui.button("⟳ New").on_hover_text("Start again with a new seed (Shift N)").clicked() {
        actions.push(Action::NewSeed);
    }
    let mut seed = ctx.model.scenario().seed;
    let field = ui.name_inputs("Seed", |ui| ui.add(DragValue::new(&mut seed).update_while_editing(false).speed(0.1)));
    if field.on_hover_text("The same seed gives the same run, bit for bit").changed()
        && seed != ctx.model.scenario().seed
    {
        actions.push(Action::Seed(seed));
    }
    ui.label("Seed");
}
