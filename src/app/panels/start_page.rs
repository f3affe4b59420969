//! Start page: lessons with pictures in the order of a workshop, recent files, unsaved work, an empty experiment.
//!
//! Tiles and entries can have the focus: the arrow keys go from one to the next, Enter chooses, Esc closes the page.

use std::path::Path;

use egui::{
    Align, Align2, Button, CentralPanel, FontId, Image, Key, Label, Panel, RichText, ScrollArea, Sense, StrokeKind, Ui,
    Vec2, vec2,
};

use crate::app::action::Action;
use crate::app::commands::{Command, tip};
use crate::app::state::Ctx;
use base::params::printable;
use draw::theme::Theme;
use engine::scenario::LESSONS;

/// Width of the column on the left, and the smallest width of a tile, in units of the theme.
const COLUMN: f32 = 72.0;
const TILE: f32 = 26.0;

/// Height of a picture as a share of its width.
const HEIGHT: f32 = 2.0 / 3.0;

/// The least size of the name of a group, as a share of small text (chosen by eye).
const SMALLEST: f32 = 0.9;

/// Height of the line with the group, and of the space around the two lines of the title, in units of the theme.
const GROUP: f32 = 6.0;
const TITLE: f32 = 1.0;

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
    ui.add(Label::new("Choose a lesson, open a file, or start with an empty experiment.").wrap());
    ui.add_space(theme.space(3.0));
    if wide(ui, true, "Empty experiment", &tip(Command::New)) {
        actions.push(Action::New);
    }
    if wide(ui, true, "Open…", &tip(Command::Open)) {
        actions.push(Action::Open);
    }
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

/// The lessons in rows. The first lesson of each group has the name of the group above it.
fn lessons(ctx: &mut Ctx<'_>, ui: &mut Ui, enter: bool, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    let gap = theme.space(3.0);
    let area = vec2(ui.available_width() - ui.spacing().scroll.bar_width, ui.clip_rect().height());
    let words = theme.space(GROUP + TITLE) + 2.0 * ui.fonts_mut(|fonts| fonts.row_height(&theme.body()));
    let (columns, width) = columns(area, gap, theme.space(TILE), words);
    let size = vec2(width, width * HEIGHT + words);
    ui.spacing_mut().item_spacing = vec2(gap, 0.0);
    let font = group_font(ui, theme, columns, (width, gap));
    for (row, lessons) in LESSONS.chunks(columns).enumerate() {
        ui.horizontal(|ui| {
            // The right end of the name of a group, from the left of the tile.
            let mut reach = 0.0_f32;
            for (column, lesson) in lessons.iter().enumerate() {
                let number = row * columns + column;
                let group = if begins_group(number) { lesson.group } else { "" };
                if !group.is_empty() {
                    reach = text_width(ui, group, &font) + theme.space(2.0);
                }
                let head = Head { group, font: &font, reach };
                if tile(ctx, ui, number, head, size, enter && number == 0) {
                    actions.push(Action::Lesson(number));
                }
                reach = (reach - width - gap).max(0.0);
            }
        });
    }
}

/// Whether a lesson is the first of its group.
fn begins_group(number: usize) -> bool {
    number == 0 || LESSONS[number - 1].group != LESSONS[number].group
}

/// The head of a tile.
#[derive(Clone, Copy)]
struct Head<'a> {
    /// The name of the group that begins here; empty where none begins.
    group: &'a str,
    font: &'a FontId,
    /// How far a name reaches into this tile, from its left.
    reach: f32,
}

/// The font of the names of groups: strong, and as large as it can be up to that of the body without a name that touches the next.
fn group_font(ui: &Ui, theme: &Theme, columns: usize, (width, gap): (f32, f32)) -> FontId {
    let strong = theme.strong();
    let begins: Vec<usize> = (0..LESSONS.len()).filter(|number| begins_group(*number)).collect();
    let share = begins.iter().enumerate().map(|(index, &number)| {
        let row_end = (number / columns + 1) * columns;
        let next = begins.get(index + 1).map_or(row_end, |next| (*next).min(row_end));
        let area = (next - number) as f32 * (width + gap) - gap;
        area / text_width(ui, LESSONS[number].group, &strong).max(1.0)
    });
    let share = share.fold(1.0, f32::min);
    FontId::new((strong.size * share).max(SMALLEST * theme.text.small), strong.family)
}

fn text_width(ui: &Ui, text: &str, font: &FontId) -> f32 {
    ui.painter().layout_no_wrap(text.to_owned(), font.clone(), egui::Color32::PLACEHOLDER).size().x
}

/// Number and width of the columns: as wide as they can be while all lessons are in sight, but not below `smallest`.
fn columns(area: Vec2, gap: f32, smallest: f32, words: f32) -> (usize, f32) {
    let width = |columns: usize| (area.x + gap) / columns as f32 - gap;
    let fits = |columns: usize| {
        LESSONS.len().div_ceil(columns) as f32 * (width(columns) * HEIGHT + words) <= area.y
            || width(columns + 1) < smallest
    };
    let columns = (1..LESSONS.len()).find(|columns| fits(*columns)).unwrap_or(LESSONS.len());
    (columns, width(columns))
}

/// The tile of a lesson; returns whether it was chosen.
fn tile(ctx: &mut Ctx<'_>, ui: &mut Ui, number: usize, head: Head<'_>, size: Vec2, enter: bool) -> bool {
    let theme = ctx.theme;
    let (title, caption) = LESSONS[number].words();
    let width = size.x;
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &title));
    if enter {
        response.request_focus();
    }
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
    let painter = ui.painter();
    let line = rect.top() + theme.space(GROUP - 1.0);
    if !head.group.is_empty() {
        painter.text(egui::pos2(rect.left(), line), Align2::LEFT_BOTTOM, head.group, head.font.clone(), theme.ink);
    }
    if head.reach < rect.width() {
        painter.hline(rect.left() + head.reach..=rect.right(), line - theme.space(2.0), theme.hairline());
    }
    let top = rect.top() + theme.space(GROUP);
    let picture = egui::Rect::from_min_size(egui::pos2(rect.left(), top), vec2(width, width * HEIGHT));
    let radius = theme.space(1.0);
    painter.rect_filled(picture, radius, theme.panel);
    if let Some(textures) = ctx.gallery.lessons.textures(ui.ctx(), theme, number) {
        for texture in textures {
            Image::new((texture.id(), picture.size())).corner_radius(radius).paint_at(ui, picture);
        }
    } else {
        painter.text(picture.center(), Align2::CENTER_CENTER, "…", theme.body(), theme.faint);
    }
    let stroke = if response.hovered() || response.has_focus() {
        egui::Stroke::new(theme.space(0.6), theme.accent)
    } else {
        theme.hairline()
    };
    let painter = ui.painter();
    painter.rect_stroke(picture, radius, stroke, StrokeKind::Inside);
    let mut job = egui::text::LayoutJob::simple(format!("{}  {title}", number + 1), theme.body(), theme.ink, width);
    job.wrap.max_rows = 2;
    let galley = painter.layout_job(job);
    painter.galley(picture.left_bottom() + vec2(0.0, theme.space(1.0)), galley, theme.ink);
    response
        .on_hover_ui(|ui| {
            ui.set_max_width(theme.space(COLUMN));
            ui.label(RichText::new(&title).font(theme.strong()));
            ui.label(caption.watch);
        })
        .clicked()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_as_wide_as_they_can_be_with_all_lessons_in_sight() {
        let rows = |columns: usize| LESSONS.len().div_ceil(columns) as f32;
        for area in [vec2(1600.0, 1020.0), vec2(2200.0, 1300.0)] {
            let (count, width) = columns(area, 12.0, 104.0, 63.0);
            assert!(rows(count) * (width * HEIGHT + 63.0) <= area.y && width >= 104.0, "{area}: {count}");
            let wider = (area.x + 12.0) / (count - 1) as f32 - 12.0;
            assert!(rows(count - 1) * (wider * HEIGHT + 63.0) > area.y, "{area}: {count}");
        }
        let (count, width) = columns(vec2(480.0, 400.0), 12.0, 120.0, 63.0);
        assert!(count == 3 && width >= 120.0, "a small window scrolls: {count} of {width}");
    }
}
