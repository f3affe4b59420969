//! Terms that answer: a word of the field in a text, a legend or at an axis says in one plain sentence what it is while the pointer is
//! on it, or a finger stays there. A click opens the glossary at it.

use std::ops::Range;

use egui::text::LayoutJob;
use egui::text_selection::LabelSelectionState;
use egui::{
    Color32, Context, CursorIcon, FontId, Galley, Id, Label, Pos2, Rect, RectAlign, Response, RichText, Role, Sense,
    Shape, Stroke, Tooltip, Ui, WidgetInfo, vec2,
};

use super::gestures::Gesture;
use crate::theme::Theme;
use crate::words::glossary::{Term, find};
use crate::words::terms::mentions;

/// What can be done with terms.
pub(crate) const GESTURES: [Gesture; 2] = [
    Gesture::at("Words with dots below", "Point, or keep a finger on it", "Say what the word means"),
    Gesture::at("Words with dots below", "Click", "Open the glossary at the word"),
];

/// Space between dots and their width, in points.
const APART: f32 = 3.0;
const DOT: f32 = 0.6;

/// Width of what is said, in units of the theme.
const WIDTH: f32 = 80.0;

/// What the window is asked for, among what egui keeps.
const WISH: &str = "glossary at";

/// The term at which the glossary is to be opened, if one was clicked since the last call.
#[must_use]
pub fn take_wish(context: &Context) -> Option<&'static Term> {
    context.data_mut(|data| data.remove_temp::<Option<&'static Term>>(Id::unique(WISH))).flatten()
}

/// A text that wraps, whose terms answer. The first mention of each has dots below.
pub fn text(ui: &mut Ui, theme: &Theme, text: &str, (font, colour): (FontId, Color32)) -> Response {
    job(ui, theme, LayoutJob::simple(text.to_owned(), font, colour, f32::INFINITY))
}

/// The same of a text with formats of its own.
pub fn job(ui: &mut Ui, theme: &Theme, job: LayoutJob) -> Response {
    let found = mentions(&job.text);
    let (at, galley, response) = Label::new(job).wrap().layout_in_ui(ui);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, ui.is_enabled(), galley.text()));
    if !ui.is_rect_visible(response.rect) {
        return response;
    }
    let pointer = response.hover_pos();
    let mut pointed = None;
    for mention in &found {
        for rect in rectangles(&galley, &mention.range) {
            let rect = rect.translate(at.to_vec2());
            let here = pointer.is_some_and(|pointer| rect.contains(pointer));
            if here {
                pointed = Some((mention.term, rect));
            }
            // On paper nothing can be pointed at.
            if here || !mention.again && !theme.labels.whole {
                let colour = if here { theme.accent } else { theme.faint };
                ui.painter().extend(dots(rect, ui.painter().pixels_per_point(), colour));
            }
        }
    }
    if ui.style().interaction.selectable_labels {
        LabelSelectionState::label_text_selection(ui, &response, at, galley, theme.ink, Stroke::NONE);
    } else {
        ui.painter().galley(at, galley, theme.ink);
    }
    if let Some((term, rect)) = pointed {
        // Beside the text, so that it can be read on.
        let rect = Rect::from_x_y_ranges(response.rect.x_range(), rect.y_range());
        answer(ui, theme, &response, (rect, RectAlign::LEFT), &[term]);
    }
    response
}

/// A text in one line of which some parts, ranges of its bytes, answer at the pointer: the number of that part, with its rectangle and the response of the
/// whole.
pub(crate) fn parts(
    ui: &mut Ui,
    ink: Color32,
    job: LayoutJob,
    parts: &[Range<usize>],
) -> (Response, Option<(usize, Rect)>) {
    let (at, galley, response) = Label::new(job).extend().layout_in_ui(ui);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, ui.is_enabled(), galley.text()));
    let pointer = response.hover_pos();
    let here = |part: &Range<usize>| {
        let mut rects = rectangles(&galley, part).into_iter().map(|rect| rect.translate(at.to_vec2()));
        rects.find(|rect| pointer.is_some_and(|pointer| rect.contains(pointer)))
    };
    let found = parts.iter().enumerate().find_map(|(number, part)| Some((number, here(part)?)));
    if ui.is_rect_visible(response.rect) {
        if ui.style().interaction.selectable_labels {
            LabelSelectionState::label_text_selection(ui, &response, at, galley, ink, Stroke::NONE);
        } else {
            ui.painter().galley(at, galley, ink);
        }
    }
    (response, found)
}

/// Something painted with a text beside it, or a text that is painted, whose terms answer in `rect`. Where the text has none, the term
/// called `otherwise` does.
pub(crate) fn painted(
    ui: &Ui,
    theme: &Theme,
    (rect, salt): (Rect, impl std::hash::Hash + std::fmt::Debug),
    text: &str,
    otherwise: &str,
) {
    if !ui.rect_contains_pointer(rect) {
        return;
    }
    let terms = of_label(text, otherwise);
    if !terms.is_empty() {
        let response = ui.interact(rect, ui.scope_id().with(("terms", Id::unique(salt))), Sense::hover());
        let pointer = ui.input(|input| input.pointer.hover_pos());
        answer(ui, theme, &response, beside_pointer(rect, pointer), &terms);
    }
}

/// Beside which part of a rectangle its terms are told, and at which side of it: of a long one, such as the strip of an axis, the part at the
/// pointer.
fn beside_pointer(rect: Rect, pointer: Option<Pos2>) -> (Rect, RectAlign) {
    /// How many times as long as wide a long one is.
    const LONG: f32 = 4.0;
    match pointer {
        Some(at) if rect.width() > LONG * rect.height() => {
            (Rect::from_x_y_ranges(at.x..=at.x, rect.y_range()), RectAlign::TOP_START)
        }
        Some(at) if rect.height() > LONG * rect.width() => {
            (Rect::from_x_y_ranges(rect.x_range(), at.y..=at.y), RectAlign::RIGHT)
        }
        _ => (rect, RectAlign::BOTTOM_START),
    }
}

/// The terms that explain a label, each once: the one that it is, even where texts do not explain it, or those in it. Without any the
/// one called `otherwise`.
#[must_use]
pub fn of_label(text: &str, otherwise: &str) -> Vec<&'static Term> {
    if let Some(term) = find(text) {
        return vec![term];
    }
    let mut terms: Vec<&Term> = mentions(text).into_iter().filter(|one| !one.again).map(|one| one.term).collect();
    if terms.is_empty() {
        terms.extend(find(otherwise));
    }
    terms
}

/// Says what terms are, and notes the first one if it is clicked.
fn answer(ui: &Ui, theme: &Theme, response: &Response, (rect, align): (Rect, RectAlign), terms: &[&'static Term]) {
    if response.clicked() {
        if let Some(term) = terms.first() {
            ui.data_mut(|data| data.insert_temp(Id::unique(WISH), Some(*term)));
        }
        return;
    }
    if response.sense.senses_click() {
        ui.set_cursor_icon(CursorIcon::Help);
    }
    tip(ui, theme, response, (rect, align)).show(|ui| say(ui, theme, terms));
}

/// What is said of something beside it, to a pointer or a finger that stays there.
pub(crate) fn tip<'a>(ui: &Ui, theme: &Theme, response: &'a Response, (rect, align): (Rect, RectAlign)) -> Tooltip<'a> {
    let mut tip = Tooltip::for_enabled(response);
    if response.long_touched() || response.is_pointer_button_down_on() && ui.input(|input| input.any_touches()) {
        tip.popup = tip.popup.open(true);
    }
    tip.popup = tip.popup.anchor(rect).align(align).gap(theme.space(1.0));
    tip
}

/// The plain sentences of terms, each after its name.
pub(crate) fn say(ui: &mut Ui, theme: &Theme, terms: &[&Term]) {
    ui.set_max_width(theme.space(WIDTH));
    for term in terms {
        ui.add(Label::new(RichText::new(term.title()).font(theme.strong()).color(theme.ink)).wrap());
        ui.add(Label::new(RichText::new(term.plain()).color(theme.ink)).wrap());
    }
}

/// The rectangles of a part of a laid-out text, one for each row that it is in.
fn rectangles(galley: &Galley, part: &Range<usize>) -> Vec<Rect> {
    let text = galley.text();
    let count = |to: usize| text.get(..to).map_or(0, |before| before.chars().count());
    let (from, to) = (count(part.start), count(part.end));
    let mut begun = 0;
    let mut found = Vec::new();
    for row in &galley.rows {
        let glyphs = &row.row.glyphs;
        let part = from.max(begun).min(begun + glyphs.len())..to.min(begun + glyphs.len()).max(begun);
        if part.start < part.end {
            let (first, last) = (&glyphs[part.start - begun], &glyphs[part.end - begun - 1]);
            let (left, right) = (row.pos.x + first.pos.x, row.pos.x + last.pos.x + last.advance_width);
            let rows = row.rect();
            found.push(Rect::from_min_max(Pos2::new(left, rows.top()), Pos2::new(right, rows.bottom())));
        }
        begun += glyphs.len() + usize::from(row.ends_with_newline);
    }
    found
}

/// A quiet dotted line below a word.
pub(crate) fn dots(word: Rect, pixels_per_point: f32, colour: Color32) -> Vec<Shape> {
    let radius = DOT.max(0.5 / pixels_per_point);
    let from = word.left_bottom() - vec2(0.0, radius);
    Shape::dotted_line(&[from, word.right_bottom() - vec2(0.0, radius)], colour, APART, radius)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Part;
    use crate::kit::legend::{Sample, otherwise, part_name};
    use engine::diagnostics::all_measures;
    use samplers::methods::Interaction;

    #[test]
    fn every_arrow_and_every_kind_of_sample_has_a_term() {
        let parts = [Part::Drift, Part::GradientNoise, Part::InjectedNoise, Part::Carried];
        for interaction in [Interaction::None, Interaction::Archive, Interaction::Particles] {
            for part in parts {
                let name = part_name(part, interaction);
                assert!(!of_label(name, "").is_empty(), "{name}");
            }
        }
        for sample in parts.map(Sample::Arrow) {
            assert!(find(otherwise(sample)).is_some());
        }
        for sample in [
            Sample::Proposal(true),
            Sample::Proposal(false),
            Sample::Path,
            Sample::Doublings,
            Sample::Replicas,
            Sample::Exchange,
        ] {
            assert!(find(otherwise(sample)).is_some(), "{sample:?}");
        }
        assert_eq!(of_label("θ₁", "coordinate")[0].name(), "coordinate", "an axis whose label has no term");
        assert_eq!(of_label("step", "coordinate")[0].name(), "step", "a label is no ordinary word");
    }

    /// Whatever the length of an axis, its terms are told at the pointer.
    #[test]
    fn terms_of_an_axis_are_told_at_the_pointer() {
        let strip = Rect::from_min_max(Pos2::new(10.0, 700.0), Pos2::new(1100.0, 730.0));
        let (anchor, align) = beside_pointer(strip, Some(Pos2::new(900.0, 710.0)));
        assert!(anchor.x_range() == egui::Rangef::point(900.0) && align == RectAlign::TOP_START);
        let upright = Rect::from_min_max(Pos2::new(10.0, 50.0), Pos2::new(50.0, 600.0));
        let (anchor, align) = beside_pointer(upright, Some(Pos2::new(20.0, 500.0)));
        assert!(anchor.y_range() == egui::Rangef::point(500.0) && align == RectAlign::RIGHT);
    }

    #[test]
    fn measures_on_axes_have_terms() {
        for spec in all_measures() {
            assert!(crate::words::glossary::of_measure(spec.key, spec.label).is_some(), "{}", spec.key);
        }
    }

    #[test]
    fn a_mention_that_wraps_has_a_rectangle_in_each_row() {
        let theme = Theme::default();
        let context = Context::default();
        crate::theme::install_fonts(&context);
        let mut rows = 0;
        for _ in 0..2 {
            let mut output = context.run_ui(egui::RawInput::default(), |ui| {
                let words = "a Monte Carlo standard error";
                let job = LayoutJob::simple(words.to_owned(), theme.body(), theme.ink, 60.0);
                let galley = ui.painter().layout_job(job);
                let found = mentions(words);
                assert_eq!(found[0].term.name(), "Monte Carlo standard error");
                let rects = rectangles(&galley, &found[0].range);
                rows = galley.rows.len();
                assert!(rects.len() > 1 && rects.len() <= rows, "{rects:?}");
                assert!(rects.iter().all(|rect| rect.width() > 0.0 && rect.height() > 0.0));
            });
            output.textures_delta.clear();
        }
        assert!(rows > 1);
    }
}
