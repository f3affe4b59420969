//! Topics of latent Dirichlet allocation: a picture of each topic of every run, and beside them what is chosen to be read.
//!
//! Corpora of bars show the pixels of each topic beside those of the true one, three words the triangle of distributions, all other
//! corpora the most relevant words with bars. Topics keep number and colour: they are matched to the true topics, or to those of
//! the moment before. Error bars are one standard deviation of Dirichlet(λ), or over the draws of a sampler with aligned labels.

use egui::{Rect, Sense, Ui, UiBuilder, vec2};

use super::cache::{Kind, Shown, TopicsCache};
use super::input::TopicsInput;
use super::seen::Seen;
use super::view::View;
use super::{pixels, reading, run, triangle};
use crate::kit::canvas_grid::{Shape, cells};
use crate::kit::gestures::Gesture;
use crate::kit::legend::{self, Entry, Sample};
use crate::theme::Theme;
use crate::words::numbers;

/// What can be done on the pictures.
pub(crate) const GESTURES: [Gesture; 5] = [
    Gesture::at(
        "Topics",
        "Click a topic",
        "Read its words, and the documents with the largest shares of it; click again to close. Tab reaches all topics, Enter clicks",
    ),
    Gesture::at("Topics", "Click a document", "See its shares of topics, and the topics of its tokens"),
    Gesture::at("Topics", "Point at a word", "Read its probability, and light it up in the pictures of all topics"),
    Gesture::at("Topics", "Click a word in a list", "Keep it lit; click again to let it go"),
    Gesture::at("Topics", "Point at the triangle", "Read a document there; click it to see its tokens"),
];

/// Space between the pictures of two runs, in units of the theme.
const GAP: f32 = 3.0;

/// Share of the area that what is read takes, and its least and largest width in units of the theme.
const READING: f32 = 0.36;
const WIDTHS: [f32; 2] = [56.0, 100.0];

/// Width to height of the pictures of a run at which they are best (chosen by eye): runs lie side by side where they can, equal in size.
const ASPECT: f32 = 0.6;

/// Draws the plot into the available space.
pub fn show(ui: &mut Ui, input: &TopicsInput<'_>, theme: &Theme, cache: &mut TopicsCache) {
    let Some(model) = input.frame.target.topics() else {
        ui.label("This target has no topics.");
        return;
    };
    let whole = ui.available_rect_before_wrap();
    let whole_plot = ui.interact(whole, ui.scope_id().with("place"), Sense::hover());
    whole_plot.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "Topics"));
    let facts = cache.facts(input.frame, model);
    let pictures: Vec<(usize, Option<Shown>)> =
        input.runs.iter().map(|run| (*run, cache.shown(ui.ctx(), input, (*run, &facts)))).collect();
    let shown = || pictures.iter().filter_map(|(_, shown)| shown.as_ref());
    let mut view = View {
        input,
        theme,
        model,
        facts: &facts,
        lit: cache.lit(),
        chosen: cache.chosen(input),
        largest: shown().map(|shown| shown.picture.largest).fold(0.0, f64::max),
        reach: triangle::reach(shown(), model.truth().filter(|_| input.truth)),
        distances: input.truth && shown().any(|shown| shown.picture.distances.is_some()),
    };
    view.distances &= distances_fit(ui, &view, &pictures);
    legend::line(ui, theme, &entries(&view, shown()));
    ui.add_space(theme.space(1.0));
    let (area, pane) = parts(ui.available_rect_before_wrap(), view.chosen.is_some(), theme);
    let mut seen = Seen::default();
    let rects = picture_rects(area, pictures.len(), theme);
    for ((run, shown), rect) in pictures.iter().zip(rects) {
        ui.scope_builder(UiBuilder::new().id_salt(("topics", *run)).max_rect(rect), |ui| {
            run::show(ui, &view, (*run, shown.as_ref()), &mut seen);
        });
    }
    if let Some((rect, chosen)) = pane.zip(view.chosen) {
        let shown = pictures.iter().find(|(run, _)| *run == chosen.run).and_then(|(_, shown)| shown.as_ref());
        ui.scope_builder(UiBuilder::new().id_salt("reading").max_rect(rect), |ui| {
            reading::show(ui, &view, (chosen, shown), cache, &mut seen);
        });
    }
    ui.advance_cursor_after_rect(whole);
    if cache.note(seen, input.frame) {
        ui.ctx().request_repaint();
    }
}

/// Whether some run has space for the distances of its topics: what is nowhere is not explained either.
fn distances_fit(ui: &mut Ui, view: &View<'_>, pictures: &[(usize, Option<Shown>)]) -> bool {
    let shown = || pictures.iter().filter_map(|(_, shown)| shown.as_ref());
    let mut above = ui.new_child(UiBuilder::new().id_salt("room").invisible());
    legend::line(&mut above, view.theme, &entries(view, shown()));
    above.add_space(view.theme.space(1.0));
    let (area, _) = parts(above.available_rect_before_wrap(), view.chosen.is_some(), view.theme);
    let rects = picture_rects(area, pictures.len(), view.theme);
    let mut runs = pictures.iter().zip(rects).filter_map(|((run, shown), rect)| Some((*run, shown.as_ref()?, rect)));
    runs.any(|(run, shown, rect)| run::has_distances(ui, view, (run, shown), rect.size()))
}

/// The rectangles of the pictures of `count` runs.
fn picture_rects(area: Rect, count: usize, theme: &Theme) -> Vec<Rect> {
    let frame = vec2(0.0, theme.text.heading * run::HEADER);
    cells(area, count, theme.space(GAP), Shape::new(ASPECT, frame))
}

/// The area of the pictures, and that of what is read: at the right, or below in a tall area.
fn parts(area: Rect, reads: bool, theme: &Theme) -> (Rect, Option<Rect>) {
    if !reads {
        return (area, None);
    }
    let gap = theme.space(GAP);
    if area.width() > area.height() {
        let [least, most] = WIDTHS.map(|units| theme.space(units));
        let width = (READING * area.width()).clamp(least, most).min(0.5 * area.width());
        let (left, right) = area.split_left_right_at_x(area.right() - width);
        (left.with_max_x(left.max.x - gap), Some(right))
    } else {
        let (upper, lower) = area.split_top_bottom_at_fraction(0.55);
        (upper.with_max_y(upper.max.y - gap), Some(lower))
    }
}

/// What colours, bars and marks mean.
fn entries<'a>(view: &View<'_>, shown: impl Iterator<Item = &'a Shown>) -> Vec<Entry> {
    marks(view, shown).into_iter().chain(view.distances.then(distance)).collect()
}

fn marks<'a>(view: &View<'_>, mut shown: impl Iterator<Item = &'a Shown>) -> Vec<Entry> {
    let View { theme, facts, input, .. } = view;
    let remark = |text: String| Entry::new(Sample::None, text);
    let truth = view.truth().is_some();
    let sd = shown.any(|shown| shown.spread().is_some());
    match facts.kind {
        Kind::Bars(side) => {
            let full = numbers::significant(pixels::full(side), 2);
            let sides = truth.then(|| remark("left: true topic, right: found topic".to_owned()));
            let shades = remark(format!("colours: probabilities from 0 to {full} and more"));
            sides.into_iter().chain([shades]).collect()
        }
        Kind::Words => {
            let bar = remark(format!("bars: probabilities up to {}", numbers::significant(view.largest, 2)));
            let whisker = sd.then(|| Entry::new(Sample::Line(theme.ink, theme.thin(), None), "± 1 sd"));
            let sorted = format!("sorted by relevance, λ = {}", numbers::decimal(input.relevance.weight(), 2));
            [bar].into_iter().chain(whisker).chain([remark(sorted)]).collect()
        }
        Kind::Triangle => {
            let regions = remark("lines: regions of 1 and 2 sd".to_owned());
            let found = remark("●  found topic".to_owned());
            let cross = truth.then(|| remark("×  true topic".to_owned()));
            let documents = remark("•  document: its shares of words".to_owned());
            let reach = numbers::significant(view.reach, 1);
            let squares = remark(format!("squares: ± {reach} around a topic"));
            [found].into_iter().chain(cross).chain([documents, regions, squares]).collect()
        }
    }
}

fn distance() -> Entry {
    Entry::new(Sample::None, "H: Hellinger distance to the true topic")
}
