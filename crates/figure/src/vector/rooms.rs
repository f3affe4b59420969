//! How long texts may be that are set in the letters of another document: an own width is what they have here, and what is free beside them.

use egui::{Pos2, Rect, Vec2};

use super::{Drawn, LEGEND, Label, Mark, Page};

impl Label {
    /// The strip in which its letters stand: along its baseline and across it, from above to below.
    fn strip(&self) -> Rect {
        const ABOVE: f32 = 0.8;
        const BELOW: f32 = 0.25;
        let (along, size) = (Vec2::angled(self.angle), self.size());
        let across = Vec2::new(-along.y, along.x);
        let [x, y] = [self.start.to_vec2().dot(along), self.start.to_vec2().dot(across)];
        Rect::from_min_max(Pos2::new(x, y - ABOVE * size), Pos2::new(x + self.width, y + BELOW * size))
    }

    /// A rectangle of the page along and across its baseline.
    fn turned(&self, rect: Rect) -> Rect {
        let along = Vec2::angled(self.angle);
        let across = Vec2::new(-along.y, along.x);
        let corners = [rect.left_top(), rect.right_top(), rect.left_bottom(), rect.right_bottom()];
        Rect::from_points(&corners.map(|at| Pos2::new(at.to_vec2().dot(along), at.to_vec2().dot(across))))
    }
}

/// The lengths that labels may have in letters of another font, in the order of `drawn`: each at least its own, and so much more that it ends within
/// the page, and half of the way to what stands beside it, where that is another text or the sample of a name.
#[must_use]
pub(crate) fn rooms(page: &Page, drawn: &[(Rect, usize, Drawn<'_>)]) -> Vec<f32> {
    let in_plot = |rect: Rect| page.plots.iter().any(|plot| plot.rect.expand(2.0).contains_rect(rect));
    let legend = page.series.iter().position(|name| name == LEGEND);
    let is_sample = |mark: usize, bounds: Rect| {
        let of_legend = legend.is_some() && page.marks[mark].of.series == legend;
        of_legend || !in_plot(bounds)
    };
    within(Rect::from_min_size(Pos2::ZERO, page.size.into()), drawn, &is_sample)
}

fn within(whole: Rect, drawn: &[(Rect, usize, Drawn<'_>)], is_sample: &dyn Fn(usize, Rect) -> bool) -> Vec<f32> {
    /// Longest side of a sample of a name.
    const SAMPLE: f32 = 40.0;
    let samples: Vec<Rect> = drawn
        .iter()
        .filter_map(|(_, mark, drawn)| match drawn {
            Drawn::Mark(Mark::Path { outline, .. }) => {
                let bounds = outline.bounds();
                (bounds.size().max_elem() < SAMPLE && is_sample(*mark, bounds)).then_some(bounds)
            }
            _ => None,
        })
        .collect();
    let labels: Vec<(&Label, Rect)> = drawn
        .iter()
        .filter_map(|(_, _, drawn)| match drawn {
            Drawn::Label(label) => Some((label, of_page(label))),
            Drawn::Mark(_) => None,
        })
        .collect();
    let room = |(clip, label): (Rect, &Label)| {
        let (strip, bounds) = (label.strip(), label.turned(whole.intersect(clip)));
        let (mut from, mut to) = (bounds.left(), bounds.right());
        // Samples keep their place, other texts grow as well.
        let others = labels.iter().filter(|(other, _)| !std::ptr::eq(*other, label)).map(|(_, rect)| (*rect, 0.5));
        for (rect, share) in others.chain(samples.iter().map(|sample| (*sample, 0.9))) {
            let rect = label.turned(rect);
            if rect.bottom() <= strip.top() || rect.top() >= strip.bottom() {
                continue;
            }
            if rect.left() >= strip.right() {
                to = to.min(strip.right() + share * (rect.left() - strip.right()));
            } else if rect.right() <= strip.left() {
                from = from.max(strip.left() - share * (strip.left() - rect.right()));
            }
        }
        let held = strip.left() + label.anchor * label.width;
        let before = if label.anchor > 0.0 { (held - from) / label.anchor } else { f32::INFINITY };
        let after = if label.anchor < 1.0 { (to - held) / (1.0 - label.anchor) } else { f32::INFINITY };
        before.min(after).max(label.width)
    };
    drawn
        .iter()
        .map(|(clip, _, drawn)| match drawn {
            Drawn::Label(label) => room((*clip, label)),
            Drawn::Mark(_) => 0.0,
        })
        .collect()
}

/// The rectangle of a label on the page.
fn of_page(label: &Label) -> Rect {
    let strip = label.strip();
    let along = Vec2::angled(label.angle);
    let across = Vec2::new(-along.y, along.x);
    let corners = [strip.left_top(), strip.right_top(), strip.left_bottom(), strip.right_bottom()];
    Rect::from_points(&corners.map(|at| (at.x * along + at.y * across).to_pos2()))
}

#[cfg(test)]
mod tests {
    use egui::{Color32, pos2};

    use super::super::{Outline, Part, Script};
    use super::*;

    fn label(start: Pos2, width: f32, anchor: f32) -> Label {
        let part = Part { text: "a".to_owned(), script: Script::Line, size: 10.0, colour: Color32::BLACK, bold: false };
        Label { parts: vec![part], start, angle: 0.0, width, anchor, axis: None }
    }

    /// Texts grow to the edge of the page, half of the way to other texts of their line, and not over samples.
    #[test]
    fn texts_end_before_what_stands_beside_them() {
        let whole = Rect::from_min_max(Pos2::ZERO, pos2(300.0, 100.0));
        let outline = Outline::line(&[pos2(100.0, 17.0), pos2(120.0, 17.0)], false);
        let mark = Mark::Path { outline, fill: Color32::TRANSPARENT, stroke: egui::Stroke::new(1.0, Color32::BLACK) };
        let of = |labels: Vec<Label>, with_mark: bool| {
            let mut drawn: Vec<_> = labels.into_iter().map(|label| (whole, 0, Drawn::Label(label))).collect();
            if with_mark {
                drawn.push((whole, 0, Drawn::Mark(&mark)));
            }
            within(whole, &drawn, &|_, _| true)
        };
        let near = |found: f32, expected: f32| assert!((found - expected).abs() < 0.01, "{found} is not {expected}");
        near(of(vec![label(pos2(50.0, 20.0), 40.0, 0.0)], false)[0], 250.0);
        near(of(vec![label(pos2(50.0, 20.0), 40.0, 1.0)], false)[0], 90.0);
        near(of(vec![label(pos2(50.0, 20.0), 40.0, 0.5)], false)[0], 140.0);
        let both = of(vec![label(pos2(50.0, 20.0), 40.0, 0.0), label(pos2(150.0, 20.0), 40.0, 0.0)], false);
        near(both[0], 70.0);
        near(of(vec![label(pos2(50.0, 20.0), 40.0, 0.0), label(pos2(150.0, 60.0), 40.0, 0.0)], false)[0], 250.0);
        near(of(vec![label(pos2(50.0, 20.0), 40.0, 0.0)], true)[0], 49.0);
    }
}
