//! A free place for words outside of the axes of a canvas, in a line of the texts around it or in one of its own.

use egui::{Rect, Vec2, pos2, vec2};

use crate::theme::Theme;

/// A free place of a size in an area beside a plot: in the first line of the texts above it, in a line of its own above it if nothing else
/// `is_free` there, or in the last line below it without the ticks, so far from the name of the axis that nobody reads both as one.
pub(super) fn free_beside(
    ((plot, is_free), area): ((Rect, bool), Rect),
    texts: &[Rect],
    size: Vec2,
    theme: &Theme,
) -> Option<Rect> {
    /// Gap between words, in units of the theme, and from the name of an axis, in sizes of text.
    const APART: f32 = 3.0;
    const FAR: f32 = 2.5;
    let (apart, far) = (theme.space(APART), FAR * theme.text.body);
    let middles = |is_there: &dyn Fn(&&Rect) -> bool| -> Vec<f32> {
        texts.iter().filter(|text| is_there(text)).map(|text| text.center().y).collect()
    };
    let head = middles(&|text| text.bottom() < plot.top() + 1.0).into_iter().reduce(f32::min);
    let ticks = plot.bottom() + 1.5 * theme.text.small;
    let below = middles(&|text| text.top() > plot.bottom() && text.center().y > ticks).into_iter().reduce(f32::max);
    let patch = |left: f32, middle: f32| Rect::from_min_size(pos2(left, middle - 0.5 * size.y), size);
    let gap_at = |middle: f32| if middle > plot.bottom() { far } else { apart };
    let free = |patch: &Rect| {
        let around = patch.expand2(vec2(gap_at(patch.center().y) - 1.0, 0.0));
        area.expand(0.5).contains_rect(*patch)
            && !patch.intersects(plot)
            && texts.iter().all(|text| !text.intersects(around))
    };
    let in_line = |middle: f32| texts.iter().filter(move |text| text.y_range().contains(middle));
    let at_end = |middle: f32| {
        let mut ends: Vec<f32> = in_line(middle).map(|text| text.left() - gap_at(middle)).collect();
        ends.sort_by(|one, other| other.total_cmp(one));
        let ends = [plot.right(), area.right()].into_iter().chain(ends);
        ends.map(move |end| patch(end - size.x, middle)).collect::<Vec<_>>()
    };
    let at_start = |middle: f32| {
        let starts = in_line(middle).map(|text| text.right() + gap_at(middle)).chain([plot.left(), area.left()]);
        starts.map(move |start| patch(start, middle)).collect::<Vec<_>>()
    };
    let above = head.into_iter().flat_map(at_end);
    let own = is_free.then(|| patch(plot.right() - size.x, plot.top() - 0.5 * size.y - 1.0));
    let below = below.into_iter().flat_map(|middle| at_end(middle).into_iter().chain(at_start(middle)));
    above.chain(own).chain(below).find(free)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In the head left of what stands at its end, else in a line above the axes, else far from the name of the lower axis, else nowhere.
    #[test]
    fn words_outside_of_the_axes_touch_no_others() {
        let theme = Theme::default();
        let area = Rect::from_min_max(pos2(0.0, 0.0), pos2(400.0, 300.0));
        let plot = Rect::from_min_max(pos2(50.0, 40.0), pos2(380.0, 240.0));
        let text = |left: f32, middle: f32, wide: f32| {
            Rect::from_center_size(pos2(left + 0.5 * wide, middle), vec2(wide, 12.0))
        };
        let size = vec2(100.0, 12.0);
        let place = |texts: &[Rect], is_free: bool| {
            let found = free_beside(((plot, is_free), area), texts, size, &theme);
            if let Some(found) = found {
                assert!(area.contains_rect(found) && !found.intersects(plot), "{found:?}");
                assert!(texts.iter().all(|text| !text.intersects(found)), "{found:?}");
            }
            found.map(|found| found.center())
        };
        let (name, draws) = (text(20.0, 12.0, 60.0), text(320.0, 12.0, 80.0));
        let (tick, axis) = (text(50.0, 248.0, 10.0), text(200.0, 275.0, 20.0));
        let head = place(&[name, draws, tick, axis], true).unwrap();
        assert!((head.y - 12.0).abs() < 0.1 && head.x < 270.0, "{head:?}");
        let long = text(20.0, 12.0, 270.0);
        let above = place(&[long, draws, tick, axis], true).unwrap();
        assert!(above.y < plot.top() && above.y > 25.0 && (above.x - 330.0).abs() < 0.1, "{above:?}");
        let below = place(&[long, draws, tick, axis], false).unwrap();
        assert!((below.y - 275.0).abs() < 0.1 && (below.x - 330.0).abs() < 0.1, "{below:?}");
        assert_eq!(place(&[long, draws, tick], false), None, "not among ticks");
        assert_eq!(place(&[long, draws, tick, text(40.0, 275.0, 340.0)], false), None);
        assert_eq!(
            place(&[long, draws, tick, text(110.0, 275.0, 185.0)], false),
            None,
            "it would read on from the name"
        );
    }
}
