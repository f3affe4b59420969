//! Tiles of lessons in rows: picture, number, title, level and minutes. A row is as high as its longest title: no title is cut.

use std::sync::Arc;

use egui::{Align2, FontId, Galley, Image, Rect, RichText, Sense, StrokeKind, Ui, pos2, vec2};

use crate::app::state::Ctx;
use draw::theme::Theme;
use engine::scenario::{Caption, LESSONS, LessonPath};

/// The smallest width of a tile, and the width of what is shown where the pointer is, in units of the theme.
const TILE: f32 = 36.0;
const HOVER: f32 = 72.0;

/// Height of a picture as a share of its width.
const HEIGHT: f32 = 2.0 / 3.0;

/// The least size of the name of a group, as a share of small text (chosen by eye).
const SMALLEST: f32 = 0.9;

/// Space between tiles, below a row, and above a title, and height of the line with the group, in units of the theme.
const GAP: f32 = 3.0;
const BELOW: f32 = 2.0;
const ABOVE: f32 = 1.0;
const GROUP: f32 = 6.0;

/// A tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile {
    /// The lesson, by number.
    pub lesson: usize,
    /// The number that it shows.
    pub number: usize,
    /// Whether the first tile of a group has the name of the group above it.
    pub grouped: bool,
}

/// The words of a tile, laid out.
struct Words {
    title: String,
    caption: Caption,
    title_lines: Arc<Galley>,
    effort: Arc<Galley>,
}

/// The head of a tile.
#[derive(Clone, Copy)]
struct Head<'a> {
    /// The name of the group that begins here; empty where none begins.
    group: &'a str,
    font: &'a FontId,
    /// How far a name reaches into this tile, from its left.
    reach: f32,
    /// Its height, 0 where tiles are not grouped.
    height: f32,
}

/// The most columns of tiles that are as wide as they have to be.
#[expect(clippy::cast_sign_loss, reason = "a count")]
pub(super) fn columns(ui: &Ui, theme: &Theme) -> usize {
    let (gap, smallest) = (theme.space(GAP), theme.space(TILE));
    (((ui.available_width() + gap) / (smallest + gap)) as usize).max(1)
}

/// Shows tiles in rows; returns the lesson that was chosen, by number. With `enter` the first one gets the focus.
pub(super) fn grid(ctx: &mut Ctx<'_>, ui: &mut Ui, tiles: &[Tile], columns: usize, enter: bool) -> Option<usize> {
    let theme = ctx.theme;
    let gap = theme.space(GAP);
    let width = (ui.available_width() + gap) / columns as f32 - gap;
    let font = group_font(ui, theme, tiles, columns, (width, gap));
    let mut chosen = None;
    for (row, in_row) in tiles.chunks(columns).enumerate() {
        let words: Vec<Words> = in_row.iter().map(|tile| words(ctx, ui, *tile, width)).collect();
        let lines = |words: &Words| words.title_lines.size().y + words.effort.size().y;
        let lines = words.iter().map(lines).fold(0.0, f32::max);
        let head = if tiles.iter().any(|tile| tile.grouped) { theme.space(GROUP) } else { 0.0 };
        let size = vec2(width, head + width * HEIGHT + theme.space(ABOVE) + lines);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = gap;
            // The right end of the name of a group, from the left of the tile.
            let mut reach = 0.0_f32;
            for (column, (tile, words)) in in_row.iter().zip(words).enumerate() {
                let index = row * columns + column;
                let group = if begins_group(tiles, index) { LESSONS[tile.lesson].group } else { "" };
                if !group.is_empty() {
                    reach = text_width(ui, group, &font) + theme.space(2.0);
                }
                let head = Head { group, font: &font, reach, height: head };
                let (rect, response) = ui.allocate_exact_size(size, Sense::click());
                if enter && index == 0 {
                    response.request_focus();
                }
                if show(ctx, ui, tile.lesson, words, head, rect, response) {
                    chosen = Some(tile.lesson);
                }
                reach = (reach - width - gap).max(0.0);
            }
        });
        ui.add_space(theme.space(BELOW));
    }
    chosen
}

/// The words of a tile, as high as they are.
fn words(ctx: &Ctx<'_>, ui: &Ui, tile: Tile, width: f32) -> Words {
    let theme = ctx.theme;
    let lesson = &LESSONS[tile.lesson];
    let (title, caption) = lesson.words();
    let painter = ui.painter();
    let title_lines = painter.layout(format!("{}  {title}", tile.number), theme.body(), theme.ink, width);
    let seen = ctx.prefs.answered.contains(lesson.name) || ctx.prefs.seen.contains(lesson.name);
    let effort = if seen { format!("✓ {}", lesson.effort()) } else { lesson.effort() };
    let effort = painter.layout(effort, theme.small(), theme.soft, width);
    Words { title, caption, title_lines, effort }
}

/// Whether a tile is the first of its group.
fn begins_group(tiles: &[Tile], index: usize) -> bool {
    let group = |index: usize| LESSONS[tiles[index].lesson].group;
    tiles[index].grouped && (index == 0 || group(index - 1) != group(index))
}

/// The font of the names of groups: strong, and as large as it can be up to that of the body without a name that touches the next.
fn group_font(ui: &Ui, theme: &Theme, tiles: &[Tile], columns: usize, (width, gap): (f32, f32)) -> FontId {
    let strong = theme.strong();
    let begins: Vec<usize> = (0..tiles.len()).filter(|index| begins_group(tiles, *index)).collect();
    let share = begins.iter().enumerate().map(|(number, &index)| {
        let row_end = (index / columns + 1) * columns;
        let next = begins.get(number + 1).map_or(row_end, |next| (*next).min(row_end));
        let area = (next - index) as f32 * (width + gap) - gap;
        area / text_width(ui, LESSONS[tiles[index].lesson].group, &strong).max(1.0)
    });
    let share = share.fold(1.0, f32::min);
    FontId::new((strong.size * share).max(SMALLEST * theme.text.small), strong.family)
}

fn text_width(ui: &Ui, text: &str, font: &FontId) -> f32 {
    ui.painter().layout_no_wrap(text.to_owned(), font.clone(), egui::Color32::PLACEHOLDER).size().x
}

/// Shows a tile; returns whether it was chosen.
fn show(
    ctx: &mut Ctx<'_>,
    ui: &Ui,
    lesson: usize,
    words: Words,
    head: Head<'_>,
    rect: Rect,
    response: egui::Response,
) -> bool {
    let theme = ctx.theme;
    let Words { title, caption, title_lines, effort } = words;
    let width = rect.width();
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &title));
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
    if head.height > 0.0 {
        group(ui, theme, head, rect);
    }
    let top = rect.top() + head.height;
    let picture = Rect::from_min_size(pos2(rect.left(), top), vec2(width, width * HEIGHT));
    let radius = theme.space(1.0);
    let painter = ui.painter();
    painter.rect_filled(picture, radius, theme.panel);
    if let Some(textures) = ctx.gallery.lessons.textures(ui.ctx(), theme, lesson) {
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
    let at = picture.left_bottom() + vec2(0.0, theme.space(ABOVE));
    let below = at + vec2(0.0, title_lines.size().y);
    painter.galley(at, title_lines, theme.ink);
    painter.galley(below, effort, theme.soft);
    response
        .on_hover_ui(|ui| {
            ui.set_max_width(theme.space(HOVER));
            ui.label(RichText::new(&title).font(theme.strong()));
            ui.label(caption.watch);
            let name = LESSONS[lesson].name;
            let (answered, seen) = (ctx.prefs.answered.contains(name), ctx.prefs.seen.contains(name));
            if answered || seen {
                let words = if answered { "✓ You have seen its answer." } else { "✓ You have seen this lesson." };
                ui.label(RichText::new(words).color(theme.soft));
            }
            let needs: Vec<String> = LESSONS[lesson].needs.iter().map(|key| LessonPath::needed(key)).collect();
            if !needs.is_empty() {
                ui.label(RichText::new(format!("Before it: {}", needs.join(", "))).color(theme.soft));
            }
        })
        .clicked()
}

/// The name of the group that begins at a tile, or the line that goes on from it.
fn group(ui: &Ui, theme: &Theme, head: Head<'_>, rect: Rect) {
    let painter = ui.painter();
    let line = rect.top() + theme.space(GROUP - 1.0);
    if !head.group.is_empty() {
        painter.text(pos2(rect.left(), line), Align2::LEFT_BOTTOM, head.group, head.font.clone(), theme.ink);
    }
    if head.reach < rect.width() {
        painter.hline(rect.left() + head.reach..=rect.right(), line - theme.space(2.0), theme.hairline());
    }
}
