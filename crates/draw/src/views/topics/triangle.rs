//! Topics over three words: the triangle of distributions with documents and topics, and a magnified part of it around each topic.

use egui::{Align2, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, Vec2, pos2, vec2};

use super::cache::Shown;
use super::cell;
use super::geometry::{CORNERS, columns, outline, point_of};
use super::seen::{Event, Seen};
use super::view::View;
use crate::kit::axes::round_step;
use crate::kit::overlay_label::{self, OverlayLabel};
use crate::theme::Theme;
use crate::words::numbers;
use base::math::Point;
use models::lda::Topics;

/// Documents drawn, at most, and the radius and opacity of each.
const MOST_DOCUMENTS: usize = 1000;
const DOCUMENT: f32 = 0.45;
const OPACITY: f32 = 0.55;

/// Radius of a found topic, in the whole triangle and where it is magnified, and half the size of the cross of a true one, in units
/// of the theme.
const TOPIC: [f32; 2] = [1.1, 0.6];
const CROSS: f32 = 1.3;

/// Distance of the pointer from a document below which it is read, in units of the theme.
const NEAR: f32 = 2.5;

/// Share of the width that the triangle takes in a wide area, and of the height in a tall one.
const SHARE: f32 = 0.56;

/// The least and the largest reach of a magnified part, in sides of the triangle.
const REACHES: [f64; 2] = [0.01, 0.5];

/// Regions of topics: the standard deviations of their outlines.
const SPREADS: [f64; 2] = [1.0, 2.0];

/// How far the magnified parts reach around the mean of a topic, the same for all: regions and true topics are inside.
pub(super) fn reach<'a>(shown: impl Iterator<Item = &'a Shown>, truth: Option<&Topics>) -> f64 {
    let mut needed: f64 = REACHES[0];
    for shown in shown.filter(|shown| shown.picture.mean.words() == 3) {
        for slot in present(shown) {
            let centre = centre(shown, slot);
            if let Some(region) = shown.spread().and_then(|spread| spread.regions.get(slot)) {
                needed = needed.max(2.2 * region.covariance.diagonal().max().max(0.0).sqrt());
            }
            let found = (point_of(shown.picture.mean.topic(slot)) - centre).amax();
            let truth = truth.filter(|truth| slot < truth.count());
            let away = truth.map_or(0.0, |truth| (point_of(truth.topic(slot)) - centre).amax());
            needed = needed.max(1.1 * found.max(away));
        }
    }
    round_step(needed.clamp(REACHES[0], REACHES[1])).min(REACHES[1])
}

/// The slots that have a topic.
fn present(shown: &Shown) -> impl Iterator<Item = usize> {
    shown.picture.order.iter().enumerate().filter_map(|(slot, topic)| topic.map(|_| slot))
}

/// The middle of the magnified part of a topic: the mean over draws, or E β.
fn centre(shown: &Shown, slot: usize) -> Point {
    let of_draws = shown.spread().filter(|spread| spread.draws.is_some());
    point_of(of_draws.map_or(&shown.picture.mean, |spread| &spread.mean).topic(slot))
}

/// From the plane of the triangle to the screen.
#[derive(Clone, Copy, Debug)]
struct Map {
    /// The point of the plane in the middle of the rectangle.
    centre: Point,
    /// Points of the screen per side of the triangle.
    scale: f32,
    rect: Rect,
}

impl Map {
    fn position(&self, at: Point) -> Pos2 {
        let away = at - self.centre;
        self.rect.center() + self.scale * vec2(away.x as f32, -away.y as f32)
    }

    /// The whole triangle, with space for the names of the words.
    fn whole(rect: Rect, theme: &Theme) -> Self {
        let inner = rect.shrink2(vec2(theme.text.small, 1.6 * theme.text.small));
        let height = CORNERS[2][1];
        let scale = inner.width().min(inner.height() / height as f32).max(1.0);
        Self { centre: Point::new(0.5, 0.5 * height), scale, rect }
    }
}

/// The areas of the triangle and of its magnified parts.
fn halves(area: Rect) -> [Rect; 2] {
    let (first, second) = if area.width() > area.height() {
        area.split_left_right_at_fraction(SHARE)
    } else {
        area.split_top_bottom_at_fraction(SHARE)
    };
    [first, second]
}

/// Side of a magnified part in a cell.
fn side(view: &View<'_>, [width, height]: [f32; 2]) -> f32 {
    let (label, margin) = cell::frame(view);
    (width - 2.0 * margin).min(height - label - 2.0 * margin)
}

/// The columns of the magnified parts of `count` topics in the area of a run.
pub(super) fn arranged(view: &View<'_>, count: usize, area: Vec2) -> usize {
    let [_, right] = halves(Rect::from_min_size(Pos2::ZERO, area));
    columns(count, right.size().into(), |size| side(view, size))
}

/// Width of the area of the magnified parts.
pub(super) fn width(area: Vec2) -> f32 {
    halves(Rect::from_min_size(Pos2::ZERO, area))[1].width()
}

/// Draws the topics of a run.
pub(super) fn show(ui: &mut Ui, view: &View<'_>, (run, shown): (usize, &Shown), seen: &mut Seen) {
    let area = ui.available_rect_before_wrap();
    let [left, right] = halves(area);
    whole(ui, view, (run, shown), left, seen);
    let count = shown.picture.order.len();
    for (slot, rect) in cell::cells(right, count, arranged(view, count, area.size())) {
        let (response, inner) = cell::begin(ui, view, (run, slot), (shown, rect), seen);
        let length = side(view, rect.size().into()).max(1.0);
        let square = Rect::from_min_size(pos2(inner.center().x - 0.5 * length, inner.top()), Vec2::splat(length));
        if response.is_some() {
            magnified(ui, view, (shown, slot), square);
        }
        if let Some(pointer) = response.and_then(|response| response.hover_pos()) {
            overlay_label::at_pointer(ui, view.theme, area, pointer, &words(view, shown, slot));
        }
    }
}

/// The whole triangle.
fn whole(ui: &Ui, view: &View<'_>, (run, shown): (usize, &Shown), rect: Rect, seen: &mut Seen) {
    let theme = view.theme;
    let map = Map::whole(rect, theme);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    edges(&painter, &map, theme);
    for (word, corner) in CORNERS.into_iter().enumerate() {
        let (align, gap) = if word == 2 { (Align2::CENTER_BOTTOM, -2.0) } else { (Align2::CENTER_TOP, 2.0) };
        let at = map.position(corner.into()) + vec2(0.0, gap);
        painter.text(at, align, &view.model.corpus.vocabulary[word], theme.small(), theme.ink);
    }
    let documents: Vec<(usize, Pos2)> = documents(view).map(|(document, at)| (document, map.position(at))).collect();
    for (_, at) in &documents {
        painter.circle_filled(*at, theme.space(DOCUMENT), theme.faint.gamma_multiply(OPACITY));
    }
    topics(&painter, view, shown, (&map, TOPIC[0]));
    let crosses: Vec<Pos2> = view.truth().map_or_else(Vec::new, |truth| {
        (0..truth.count()).map(|topic| map.position(point_of(truth.topic(topic)))).collect()
    });
    for slot in present(shown) {
        let (text, font, colour) = ((slot + 1).to_string(), theme.strong(), theme.ink);
        let size = painter.layout_no_wrap(text.clone(), font.clone(), colour).size();
        let dot = map.position(point_of(shown.picture.mean.topic(slot)));
        let (at, align) = beside(dot, size, &crosses, theme);
        OverlayLabel { text: &text, font, colour, at, align }.paint(ui, theme, rect);
    }
    let response = ui.interact(rect, ui.scope_id().with(("triangle", run)), Sense::CLICK);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "Triangle of the documents"));
    let Some(pointer) = response.hover_pos() else { return };
    let away = |nearby: &&(usize, Pos2)| (nearby.1 - pointer).length();
    let nearest = documents.iter().min_by(|a, b| away(a).total_cmp(&away(b)));
    let Some((document, at)) = nearest.filter(|nearby| away(nearby) < theme.space(NEAR)) else { return };
    painter.circle_stroke(*at, theme.space(1.0), (theme.thin(), theme.ink));
    overlay_label::at_pointer(ui, theme, rect, pointer, &of_document(view, *document));
    if response.clicked() {
        seen.event = Some(Event::Document(run, *document));
    }
}

/// Where the number of a topic stands beside its dot: at the upper right, or where it covers no cross.
fn beside(dot: Pos2, size: Vec2, crosses: &[Pos2], theme: &Theme) -> (Pos2, Align2) {
    let away = vec2(theme.space(1.5), theme.space(1.0));
    let corners_of_label = [
        (dot + vec2(away.x, -away.y), Align2::LEFT_BOTTOM),
        (dot - away, Align2::RIGHT_BOTTOM),
        (dot + away, Align2::LEFT_TOP),
        (dot + vec2(-away.x, away.y), Align2::RIGHT_TOP),
    ];
    let free = |(at, align): &(Pos2, Align2)| {
        let patch = align.anchor_size(*at, size).expand(theme.space(CROSS));
        !crosses.iter().any(|cross| patch.contains(*cross))
    };
    corners_of_label.into_iter().find(free).unwrap_or(corners_of_label[0])
}

/// The training documents, at most 1000 of them, where their shares of words are.
fn documents(view: &View<'_>) -> impl Iterator<Item = (usize, Point)> {
    let documents = &view.model.corpus.training;
    (0..documents.len()).step_by(documents.len().div_ceil(MOST_DOCUMENTS).max(1)).map(|document| {
        let (bag, mut shares) = (documents.bag(document), [0.0; 3]);
        for (word, count) in bag.words.iter().zip(bag.counts) {
            shares[*word as usize] += count / bag.tokens();
        }
        (document, point_of(shares.into_iter()))
    })
}

/// The counts of a document.
fn of_document(view: &View<'_>, document: usize) -> String {
    let bag = view.model.corpus.training.bag(document);
    let counts = bag.words.iter().zip(bag.counts).map(|(word, count)| format!("{} {count}", view.word(*word)));
    format!("{}\n{}", view.document(document), counts.collect::<Vec<_>>().join(", "))
}

/// The part of the triangle around a topic.
fn magnified(ui: &Ui, view: &View<'_>, (shown, slot): (&Shown, usize), rect: Rect) {
    let theme = view.theme;
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, 0.0, ui.visuals().extreme_bg_color);
    let scale = 0.5 * rect.width() / view.reach as f32;
    let map = Map { centre: centre(shown, slot), scale, rect };
    edges(&painter, &map, theme);
    if let Some(points) = shown.spread().and_then(|spread| spread.points.get(slot)) {
        for at in points {
            painter.circle_filled(map.position(*at), theme.space(DOCUMENT), theme.topic(slot).gamma_multiply(OPACITY));
        }
    }
    topics(&painter, view, shown, (&map, TOPIC[1]));
    painter.rect_stroke(rect, 0.0, (1.0, theme.edge), egui::StrokeKind::Inside);
}

/// The edges of the triangle.
fn edges(painter: &Painter, map: &Map, theme: &Theme) {
    let corners = CORNERS.map(|corner| map.position(corner.into()));
    painter.add(Shape::closed_line(corners.to_vec(), Stroke::new(1.0, theme.edge)));
}

/// Regions, found topics and true ones.
fn topics(painter: &Painter, view: &View<'_>, shown: &Shown, (map, radius): (&Map, f32)) {
    let theme = view.theme;
    for slot in present(shown) {
        let colour = theme.topic(slot);
        let at = map.position(point_of(shown.picture.mean.topic(slot)));
        painter.circle_filled(at, theme.space(radius) + 1.0, theme.paper);
        painter.circle_filled(at, theme.space(radius), colour);
        let region = shown.spread().and_then(|spread| spread.regions.get(slot));
        for line in region.into_iter().flat_map(|region| SPREADS.map(|sds| outline(region, sds))) {
            let line = line.into_iter().map(|at| map.position(at)).collect();
            painter.add(Shape::closed_line(line, Stroke::new(theme.thin(), colour)));
        }
    }
    for truth in view.truth().into_iter().flat_map(|truth| (0..truth.count()).map(|topic| truth.topic(topic))) {
        let (at, half) = (map.position(point_of(truth)), theme.space(CROSS));
        for (width, colour) in [(theme.line() + 2.0, theme.paper), (theme.line(), theme.exact)] {
            for diagonal in [vec2(half, half), vec2(half, -half)] {
                painter.line_segment([at - diagonal, at + diagonal], (width, colour));
            }
        }
    }
}

/// The probabilities of a topic.
fn words(view: &View<'_>, shown: &Shown, slot: usize) -> String {
    let truth = view.truth().filter(|truth| slot < truth.count());
    let of = |word: usize| {
        let mean = numbers::decimal(shown.picture.mean.get(slot, word), 4);
        let sd = |spread: &super::geometry::Spread| {
            let over = spread
                .draws
                .map_or_else(String::new, |_| format!(", mean {}", numbers::decimal(spread.mean.get(slot, word), 4)));
            format!("{over} ± {}", numbers::significant(spread.sd.get(slot, word), 2))
        };
        let spread = shown.spread().map_or_else(String::new, sd);
        let truth =
            truth.map_or_else(String::new, |truth| format!("   true {}", numbers::decimal(truth.get(slot, word), 2)));
        format!("{} {mean}{spread}{truth}", view.model.corpus.vocabulary[word])
    };
    format!("topic {}\n{}", slot + 1, (0..3).map(of).collect::<Vec<_>>().join("\n"))
}
