//! Start page: lessons with pictures, first those for beginners, then paths that can be opened, then all by group; recent files, unsaved
//! work, an empty experiment.
//!
//! Tiles, paths and entries can have the focus: the arrow keys go from one to the next, Enter chooses, Esc closes the page.

mod row;
mod tiles;

use std::collections::BTreeSet;
use std::path::Path;

use egui::{Align, Button, CentralPanel, Key, Label, Panel, Rect, RichText, ScrollArea, Ui, vec2};

use crate::app::action::Action;
use crate::app::commands::{Command, tip};
use crate::app::state::Ctx;
use base::params::printable;
use draw::theme::Theme;
use engine::scenario::{LESSONS, LessonPath, PATHS};

use tiles::{Tile, columns, grid};

/// Width of the column on the left, in units of the theme.
const COLUMN: f32 = 72.0;

/// What the program is for, for those who do not know.
const ABOUT: &str = "See how computers explore a probability distribution that is too hard for a formula: with random steps that follow each \
                     other (Markov chain Monte Carlo, MCMC), or with a simple distribution fitted to it (variational inference, VI).";

/// Columns of the lessons for beginners, in wide and in other windows.
const WIDE: usize = 8;
const NARROW: usize = 4;

/// Shows the page in the whole area that is left.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    // No tile has the focus at first: the first arrow gives it to the first lesson.
    let arrows = [Key::ArrowDown, Key::ArrowUp, Key::ArrowLeft, Key::ArrowRight];
    let nothing = ui.memory(|memory| memory.focused().is_none()) && !ui.ctx().any_popup_open();
    let enter = nothing && ui.input(|input| arrows.iter().any(|key| input.key_pressed(*key)));
    if enter {
        // This arrow goes no further than to the first lesson.
        ui.memory_mut(|memory| memory.move_focus(egui::FocusDirection::None));
    }
    let frame = egui::Frame::new().fill(theme.panel).inner_margin(theme.space(5.0));
    let width = theme.space(COLUMN).min(ui.available_width() * 0.3);
    Panel::left("start").frame(frame).resizable(false).exact_size(width).show(ui, |ui| {
        ScrollArea::vertical().id_salt("start").auto_shrink(false).show(ui, |ui| column(ctx, ui, actions));
    });
    let paper = egui::Frame::new().fill(theme.paper).inner_margin(theme.space(4.0));
    CentralPanel::default().frame(paper).show(ui, |ui| {
        ScrollArea::vertical().id_salt("lessons").auto_shrink(false).show(ui, |ui| lessons(ctx, ui, enter, actions));
    });
}

/// The column on the left: the way back, an empty experiment, files, unsaved work.
fn column(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    ui.label(RichText::new("Sampler Lab").font(theme.title()));
    ui.add(Label::new(ABOUT).wrap());
    ui.add_space(theme.space(3.0));
    let (first, text) = next(&(&ctx.prefs.answered | &ctx.prefs.seen));
    let text = RichText::new(text).font(theme.strong()).color(theme.paper);
    let start = Button::new(text).fill(theme.accent).min_size(vec2(ui.available_width(), 0.0));
    let start = ui.add(start).on_hover_text("Eight short lessons; Page Down goes from one to the next");
    if let (true, Some(number)) = (start.clicked(), first) {
        actions.push(Action::LessonOn { path: LessonPath::start(), number });
    }
    ui.add_space(theme.space(1.5));
    if wide(ui, true, "Empty experiment", &tip(Command::New)) {
        actions.push(Action::New);
    }
    if wide(ui, true, "Open…", &tip(Command::Open)) {
        actions.push(Action::Open);
    }
    let drop = "Or drop a file on the window: a scenario, a figure, or data of your own (CSV, NumPy).";
    ui.add(Label::new(RichText::new(drop).font(theme.small()).color(theme.soft)).wrap());
    let title = printable(&ctx.model.scenario().title).into_owned();
    if wide(ui, true, "Close this page", &format!("Go to “{title}” (Esc)")) {
        ctx.view.window.start_page = false;
    }
    if !ctx.prefs.recent.is_empty() {
        head(ui, theme, "Recent files");
    }
    recent_files(ctx, ui, actions);
    if !ctx.unsaved.all().is_empty() {
        head(ui, theme, "Unsaved work");
    }
    unsaved_work(ctx, ui, actions);
}

/// The lesson for beginners that comes next after those that were seen, and what a button to it says.
fn next(seen: &BTreeSet<String>) -> (Option<usize>, String) {
    let path = LessonPath::start();
    let open = path.lessons.iter().position(|name| !seen.contains(*name));
    let begun = path.lessons.iter().any(|name| seen.contains(*name));
    match open.filter(|_| begun) {
        Some(position) => (path.numbers().nth(position), format!("Continue with lesson {}", position + 1)),
        None => (path.numbers().next(), "Start with lesson 1".to_owned()),
    }
}

/// The files that were opened or saved last. Those that are not there any more are disabled.
pub fn recent_files(ctx: &Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    for path in &ctx.prefs.recent {
        let there = !ctx.view.files.missing.contains(path);
        let text = |part: Option<&std::ffi::OsStr>| part.map(|part| printable(&part.to_string_lossy()).into_owned());
        let folder = text(path.parent().map(Path::as_os_str)).unwrap_or_default();
        let name = text(path.file_name()).unwrap_or_default();
        let help = if there { folder.clone() } else { format!("{folder}: this file is not there any more") };
        if wide(ui, there, &name, &help) {
            actions.push(Action::OpenFile(path.clone()));
        }
        if !folder.is_empty() {
            let folder = RichText::new(folder).font(ctx.theme.small()).color(ctx.theme.soft);
            ui.add(Label::new(folder).truncate());
        }
        ui.add_space(ctx.theme.space(1.0));
    }
}

/// What was changed and not saved.
pub fn unsaved_work(ctx: &Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    for (number, work) in ctx.unsaved.all() {
        let title = printable(&work.scenario.title).into_owned();
        let help = format!("Show it again, as it was at step {}", draw::words::numbers::count(work.step));
        if wide(ui, true, &format!("{title} (changed)"), &help) {
            actions.push(Action::Restore(*number));
        }
    }
}

fn head(ui: &mut Ui, theme: &Theme, text: &str) {
    ui.add_space(theme.space(3.0));
    ui.label(RichText::new(text).font(theme.small()).color(theme.soft));
}

/// A button as wide as its column; returns whether it was clicked.
fn wide(ui: &mut Ui, enabled: bool, text: &str, help: &str) -> bool {
    let button = Button::new(text).truncate().min_size(vec2(ui.available_width(), 0.0));
    let align = ui.layout().with_cross_align(Align::Min);
    let response = ui.with_layout(align, |ui| ui.add_enabled(enabled, button)).inner;
    response.on_hover_text(help).on_disabled_hover_text(help).clicked()
}

/// The lessons: the path for beginners, the other paths, and all lessons by group.
fn lessons(ctx: &mut Ctx<'_>, ui: &mut Ui, enter: bool, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    ui.set_max_width(ui.available_width() - ui.spacing().scroll.bar_width);
    ui.spacing_mut().item_spacing.y = theme.space(1.0);
    let most = columns(ui, theme);
    let (start, all) = (LessonPath::start(), LessonPath::all());
    headline(ui, theme, start);
    let wide = if most >= WIDE { WIDE } else { most.min(NARROW) };
    path_tiles(ctx, ui, start, wide, enter, actions);
    let others = PATHS.iter().filter(|path| **path != *start && **path != *all);
    let just_opened = ui.scope_id().with("opened");
    for path in others {
        let open = ctx.view.window.open_path == Some(path);
        let top = ui.cursor().top();
        if row::show(ui, theme, path, open) {
            ctx.view.window.open_path = (!open).then_some(path);
            ui.data_mut(|data| data.insert_temp(just_opened, true));
        }
        if open {
            ui.add_space(theme.space(1.0));
            path_tiles(ctx, ui, path, most, false, actions);
            // What unfolds below the edge comes into view.
            if ui.data_mut(|data| data.remove_temp::<bool>(just_opened)).is_some() {
                let whole = Rect::from_x_y_ranges(ui.max_rect().x_range(), top..=ui.cursor().top());
                ui.scroll_to_rect(whole, None);
            }
        }
    }
    ui.add_space(theme.space(3.0));
    headline(ui, theme, all);
    // Those for beginners are above.
    let rest = (0..LESSONS.len()).filter(|number| start.position(*number).is_none());
    let tiles: Vec<Tile> = rest.map(|lesson| Tile { lesson, number: lesson + 1, grouped: true }).collect();
    if let Some(number) = grid(ctx, ui, &tiles, most, false) {
        actions.push(Action::Lesson(number));
    }
}

/// The name of a path with its sentence.
fn headline(ui: &mut Ui, theme: &Theme, path: &LessonPath) {
    ui.label(RichText::new(path.name).font(theme.title()));
    ui.add(Label::new(RichText::new(path.about).color(theme.soft)).wrap());
    ui.add_space(theme.space(1.0));
}

/// The lessons of a path, numbered from 1.
fn path_tiles(
    ctx: &mut Ctx<'_>,
    ui: &mut Ui,
    path: &'static LessonPath,
    columns: usize,
    enter: bool,
    actions: &mut Vec<Action>,
) {
    let tiles = path.numbers().enumerate();
    let tiles: Vec<Tile> = tiles.map(|(index, lesson)| Tile { lesson, number: index + 1, grouped: false }).collect();
    if let Some(number) = grid(ctx, ui, &tiles, columns, enter) {
        actions.push(Action::LessonOn { path, number });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_button_goes_on_after_what_was_seen() {
        let path = LessonPath::start();
        let said = |count: usize| next(&path.lessons[..count].iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(said(0), (path.numbers().next(), "Start with lesson 1".to_owned()));
        assert_eq!(said(3), (path.numbers().nth(3), "Continue with lesson 4".to_owned()));
        assert_eq!(said(path.lessons.len()).1, "Start with lesson 1", "all of them");
        let only_others: BTreeSet<String> = ["no-u-turn".to_owned()].into();
        assert_eq!(next(&only_others).1, "Start with lesson 1");
    }
}
