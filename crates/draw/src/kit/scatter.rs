//! Points of a table against each other: one column to the right, another upwards, each point with the marker of its run and a label.

use egui::{Align2, Ui};
use egui_plot::{PlotPoint, Points, Text};

use super::axes::{self, AxisSpec, Ticks};
use crate::theme::Theme;

/// Space around the outermost points, as a share of the range.
const AROUND: f64 = 0.08;

/// Space below the lowest point where no value is below 0, as a share of the range: less than to the next number of an axis.
const ABOVE_ZERO: f64 = 0.03;

/// Share of the range from which on the label of a point stands on its left.
const RIGHT: f64 = 0.88;

/// Radius of a point, in units of the theme.
const RADIUS: f32 = 1.2;

/// One point.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Its position, in units of the columns.
    pub at: [f64; 2],
    /// The number of its run, which decides its marker.
    pub run: usize,
    /// What stands beside it.
    pub label: String,
}

/// An axis: its name, and whether it is logarithmic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis<'a> {
    /// The name of the column.
    pub name: &'a str,
    /// Whether it is logarithmic; then points at 0 and below are not shown.
    pub log: bool,
}

impl Axis<'_> {
    /// The position along the axis, if the value has one.
    fn place(self, value: f64) -> Option<f64> {
        let place = if self.log { value.log10() } else { value };
        place.is_finite().then_some(place)
    }

    /// The ticks of these values: between whole numbers there is nothing.
    fn ticks(self, mut values: impl Iterator<Item = f64>) -> Ticks {
        match self.log {
            true => Ticks::Log,
            false if values.all(|value| (value - value.round()).abs() <= 0.0) => Ticks::Whole,
            false => Ticks::Linear,
        }
    }
}

/// Shows the points in the space there is; returns how many have no position.
pub fn show(ui: &mut Ui, theme: &Theme, axes: [Axis<'_>; 2], points: &[Point]) -> usize {
    let placed: Vec<([f64; 2], &Point)> =
        points.iter().filter_map(|point| Some((placed(axes, point)?, point))).collect();
    let [x, y] = axes;
    let values = |axis: usize| placed.iter().map(move |(at, _)| at[axis]);
    let upright = AxisSpec::upright(y.name, y.ticks(values(1)));
    let plot = axes::plot("points of a table", theme, AxisSpec::wide(x.name, x.ticks(values(0))), upright);
    let (min, max) = corners(placed.iter().map(|(at, _)| *at), axes.map(|axis| !axis.log));
    let size = ui.available_size();
    let apart = [size.x, size.y].map(|side| f64::from(theme.text.small) / f64::from(side.max(1.0)));
    let near = [0, 1].map(|axis| apart[axis] * (max[axis] - min[axis]));
    plot.show(ui, |plot_ui| {
        axes::show_part(plot_ui, min, max, theme);
        for (at, point) in &placed {
            let style = theme.run(point.run);
            let marker = Points::new("", vec![*at]).shape(style.marker).color(style.colour);
            plot_ui.points(marker.radius(theme.marker(RADIUS)).allow_hover(false));
        }
        for (at, text) in labels(&placed, near) {
            let at_end = at[0] > min[0] + RIGHT * (max[0] - min[0]);
            let (words, align) = if at_end {
                (format!("{text}  "), Align2::RIGHT_CENTER)
            } else {
                (format!("  {text}"), Align2::LEFT_CENTER)
            };
            let words = egui::RichText::new(words).font(theme.small()).color(theme.soft);
            let label = Text::new("", PlotPoint::new(at[0], at[1]), words).anchor(align);
            plot_ui.text(label.allow_hover(false));
        }
    });
    points.len() - placed.len()
}

/// The labels beside the points: those of points that are `near` each other in one, each once.
fn labels(placed: &[([f64; 2], &Point)], near: [f64; 2]) -> Vec<([f64; 2], String)> {
    let mut groups: Vec<([f64; 2], Vec<&str>)> = Vec::new();
    for (at, point) in placed {
        let is_near = |other: &[f64; 2]| (0..2).all(|axis| (other[axis] - at[axis]).abs() <= near[axis]);
        match groups.iter_mut().find(|(other, _)| is_near(other)) {
            Some((_, labels)) if labels.contains(&point.label.as_str()) => {}
            Some((_, labels)) => labels.push(&point.label),
            None => groups.push((*at, vec![&point.label])),
        }
    }
    groups.into_iter().map(|(at, labels)| (at, labels.join(", "))).collect()
}

/// Ratio of the largest value of a column to the smallest from which on its axis is logarithmic unless a person chooses.
const WIDE: f64 = 100.0;

/// Whether values are all above 0 and spread so far that a linear axis would show most of them at one place.
#[must_use]
pub fn is_wide(values: impl Iterator<Item = f64>) -> bool {
    let (least, most) =
        values.fold((f64::INFINITY, 0.0_f64), |(least, most), value| (least.min(value), most.max(value)));
    least > 0.0 && most > WIDE * least
}

fn placed([x, y]: [Axis<'_>; 2], point: &Point) -> Option<[f64; 2]> {
    Some([x.place(point.at[0])?, y.place(point.at[1])?])
}

/// The corners of what shows all points, with space around them; of one value the same on both sides. An axis of values, where `bounded`
/// says so, goes below 0 only for values that are: of others it begins at 0, or a little below a point there, so that all of it is seen.
fn corners(points: impl Iterator<Item = [f64; 2]>, bounded: [bool; 2]) -> ([f64; 2], [f64; 2]) {
    let none = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    let (mut min, mut max) = points.fold(none, |(min, max), at| {
        let each = |of: fn(f64, f64) -> f64, ends: [f64; 2]| [of(ends[0], at[0]), of(ends[1], at[1])];
        (each(f64::min, min), each(f64::max, max))
    });
    for axis in 0..2 {
        let range = max[axis] - min[axis];
        let space = if range > 0.0 { AROUND * range } else { 0.5 * min[axis].abs().max(1.0) };
        let lowest = min[axis];
        (min[axis], max[axis]) = (lowest - space, max[axis] + space);
        if bounded[axis] && lowest >= 0.0 && min[axis] < 0.0 {
            let room = ABOVE_ZERO * max[axis];
            min[axis] = if lowest > room { 0.0 } else { lowest - room };
        }
    }
    (min, max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logarithmic_axis_has_no_place_for_zero() {
        let (log, plain) = (Axis { name: "", log: true }, Axis { name: "", log: false });
        let point = |x, y| Point { at: [x, y], run: 0, label: String::new() };
        assert_eq!(placed([log, plain], &point(100.0, 3.0)), Some([2.0, 3.0]));
        assert_eq!(placed([log, plain], &point(0.0, 3.0)), None);
        assert_eq!(placed([plain, log], &point(0.0, -3.0)), None);
        assert_eq!(placed([plain, plain], &point(f64::NAN, 0.0)), None);
    }

    #[test]
    fn an_axis_of_whole_numbers_has_no_ticks_between_them() {
        let (log, plain) = (Axis { name: "", log: true }, Axis { name: "", log: false });
        assert_eq!(plain.ticks([1.0, 2.0, 5.0].into_iter()), Ticks::Whole);
        assert_eq!(plain.ticks([1.0, 2.5].into_iter()), Ticks::Linear);
        assert_eq!(log.ticks([1.0, 2.0].into_iter()), Ticks::Log);
    }

    #[test]
    fn points_at_one_place_have_one_label_and_wide_columns_logarithmic_axes() {
        let point = |x, label: &str| Point { at: [x, 0.0], run: 0, label: label.to_owned() };
        let points = [point(1.0, "1"), point(5.0, "2"), point(1.1, "3"), point(1.0, "1")];
        let placed: Vec<([f64; 2], &Point)> = points.iter().map(|point| (point.at, point)).collect();
        let found = labels(&placed, [0.5, 0.5]);
        assert_eq!(found.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["1, 3", "2"]);
        assert!(is_wide([0.002, 1.0, 100.0].into_iter()));
        assert!(
            !is_wide([0.0, 1.0, 100.0].into_iter())
                && !is_wide([1.0, 50.0].into_iter())
                && !is_wide(std::iter::empty())
        );
    }

    #[test]
    fn points_have_space_around_them_and_one_point_is_in_the_middle() {
        let around = |points: &[[f64; 2]]| corners(points.iter().copied(), [true; 2]);
        let (min, max) = around(&[[0.0, 1.0], [10.0, 1.0]]);
        assert!(min[0] < 0.0 && max[0] > 10.0 && axes::is_part(min, max));
        assert!((0.5 * (min[1] + max[1]) - 1.0).abs() < 1e-12);
        assert!(!axes::is_part(around(&[]).0, around(&[]).1));
    }

    #[test]
    fn an_axis_goes_below_0_only_for_values_below() {
        let lowest = |low, high, bounded| corners([[low, low], [high, high]].into_iter(), [bounded; 2]).0[0];
        assert!(lowest(0.02, 0.5, true).abs() < 1e-12 && lowest(0.02, 0.5, false) < 0.0);
        assert!(lowest(0.4, 0.5, true) > 0.3);
        // A point at 0 is seen as a whole, and the axis has no number below.
        assert!((-0.02..0.0).contains(&lowest(0.0, 0.5, true)));
        assert!(lowest(-0.1, 0.5, true) < -0.1);
        assert!(lowest(0.3, 0.3, true).abs() < 1e-12, "one value");
    }
}
