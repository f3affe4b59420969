//! The trajectory of a step of the No-U-Turn sampler on a canvas: the leaves of each doubling with a marker of their own, the
//! joints between subtrees, the subtree that was dropped, the draw, and the momenta at the two ends.
//!
//! The momenta are drawn to one scale, the longer one always of the same length on the screen: their directions decide.

use egui::{Color32, Pos2, Shape, Stroke, Vec2};

use crate::geometry::{Part, why_stopped};
use crate::kit::legend::{Entry, Sample};
use crate::kit::{arrow, polyline, run_marker};
use crate::theme::Theme;
use crate::words::numbers;
use base::math::Point;
use samplers::methods::{Stop, Trajectory};

/// Radius of a leaf, of the start, and length of the longer momentum, in units of the theme.
const LEAF: f32 = 0.95;
const START: f32 = 1.5;
const MOMENTUM: f32 = 9.0;

/// Doublings that the legend names, the last ones.
const NAMED: usize = 5;

/// Adds the shapes of a trajectory; `screen` leads from a position to the screen.
pub(super) fn shapes(shapes: &mut Vec<Shape>, theme: &Theme, trajectory: &Trajectory, screen: &dyn Fn(Point) -> Pos2) {
    let leaf = |number: usize| trajectory.leaves.get(number).map(|leaf| leaf.at).filter(is_finite);
    let Some(start) = leaf(0) else { return };
    momenta(shapes, theme, trajectory, screen);
    // Where each doubling begins: at the leaf that was the end of the tree in its direction.
    let mut ends = [0, 0];
    for (number, doubling) in trajectory.doublings.iter().enumerate() {
        let side = usize::from(doubling.forward);
        let next = trajectory.doublings.get(number + 1).map_or(trajectory.leaves.len(), |next| next.first);
        let leaves: Vec<Pos2> = (doubling.first..next).map_while(leaf).map(screen).collect();
        let (style, whole) = (theme.class(number), doubling.finished);
        let colour = if whole { style.colour } else { theme.soft };
        if let (Some(joint), Some(first)) = (leaf(ends[side]).map(screen), leaves.first()) {
            line(shapes, theme, &[joint, *first], theme.ink, true);
            bar(shapes, theme, joint, *first);
        }
        line(shapes, theme, &leaves, colour, !whole);
        for at in leaves {
            if whole {
                shapes.push(Shape::circle_filled(at, theme.space(LEAF + 0.3), theme.paper.gamma_multiply(0.8)));
                shapes.extend(run_marker::shapes(at, theme.space(LEAF), style));
            } else {
                shapes.push(Shape::circle_filled(at, theme.space(0.8 * LEAF), theme.paper));
                shapes.push(Shape::circle_stroke(
                    at,
                    theme.space(0.7 * LEAF),
                    Stroke::new(theme.space(0.3), theme.soft),
                ));
            }
        }
        ends[side] = next.saturating_sub(1);
    }
    shapes.push(Shape::circle_stroke(screen(start), theme.space(START), Stroke::new(theme.space(0.4), theme.ink)));
    if let Some(chosen) = leaf(trajectory.chosen) {
        arrow::proposal(shapes, theme, true, None, screen(chosen));
    }
}

/// The momenta at the ends of the finished tree.
fn momenta(shapes: &mut Vec<Shape>, theme: &Theme, trajectory: &Trajectory, screen: &dyn Fn(Point) -> Pos2) {
    if trajectory.depth() == 0 {
        return;
    }
    let ends = trajectory.ends.iter().zip(&trajectory.velocities);
    let ways: Vec<(Pos2, Vec2)> = ends
        .filter(|(end, velocity)| is_finite(end) && is_finite(velocity))
        .map(|(end, velocity)| (screen(*end), screen(*end + *velocity) - screen(*end)))
        .collect();
    let longest = ways.iter().map(|(_, way)| way.length()).fold(0.0, f32::max);
    if longest > 0.0 {
        let times = theme.space(MOMENTUM) / longest;
        ways.iter().for_each(|(at, way)| arrow::arrow(shapes, theme, Part::Carried, *at, *at + *way * times));
    }
}

fn is_finite(at: &Point) -> bool {
    at.x.is_finite() && at.y.is_finite()
}

/// A line through points on a rim, dashed or full.
fn line(shapes: &mut Vec<Shape>, theme: &Theme, points: &[Pos2], colour: Color32, dashed: bool) {
    let stroke = Stroke::new(theme.space(0.35), colour);
    let rim = Stroke::new(theme.space(0.75), theme.paper.gamma_multiply(0.8));
    shapes.extend(polyline::line(points.iter().copied(), rim));
    match dashed {
        true => shapes.extend(Shape::dashed_line(points, stroke, theme.space(0.7), theme.space(0.6))),
        false => shapes.extend(polyline::line(points.iter().copied(), stroke)),
    }
}

/// A bar across the middle of the line between two subtrees.
fn bar(shapes: &mut Vec<Shape>, theme: &Theme, from: Pos2, to: Pos2) {
    let across = (to - from).normalized().rot90() * theme.space(1.1);
    let middle = from.lerp(to, 0.5);
    shapes.push(Shape::line_segment([middle - across, middle + across], Stroke::new(theme.space(0.35), theme.ink)));
}

/// The entries of the legend.
pub(super) fn entries(theme: &Theme, trajectory: &Trajectory) -> Vec<Entry> {
    let finished = trajectory.doublings.iter().enumerate().filter(|(_, doubling)| doubling.finished);
    let named = finished.skip(trajectory.depth().saturating_sub(NAMED));
    let mut entries: Vec<Entry> = named
        .map(|(number, doubling)| {
            let way = if doubling.forward { "forward" } else { "back" };
            let text = format!("doubling {}: {} {way}", number + 1, leaves(1 << number));
            Entry::new(Sample::Marker(theme.class(number)), text)
        })
        .collect();
    let [joint, dropped, draw, momentum] = of_every_tree(theme);
    if !trajectory.doublings.is_empty() {
        entries.push(joint);
    }
    if trajectory.doublings.last().is_some_and(|doubling| !doubling.finished) {
        entries.push(dropped);
    }
    entries.extend([draw, momentum]);
    entries
}

/// The same for trees that run by: whatever the number of doublings.
pub(super) fn in_short(theme: &Theme) -> Vec<Entry> {
    let doublings = Entry::new(Sample::Doublings, "a marker for each doubling");
    std::iter::once(doublings).chain(of_every_tree(theme)).collect()
}

/// Where halves are joined, a half that was dropped, the draw, and the momenta.
fn of_every_tree(theme: &Theme) -> [Entry; 4] {
    let dashes = Some([theme.space(0.7), theme.space(0.6)]);
    let line = |colour, text: &str| Entry::new(Sample::Line(colour, theme.space(0.35), dashes), text);
    [
        line(theme.ink, "where a doubling begins"),
        line(theme.soft, "dropped subtree"),
        Entry::new(Sample::Proposal(true), "the draw"),
        Entry::new(Sample::Arrow(Part::Carried), "momentum at the ends"),
    ]
}

fn leaves(count: usize) -> String {
    if count == 1 { "1 leaf".to_owned() } else { format!("{count} leaves") }
}

/// The trajectory in words: its size, why it stopped, and what is adapted; or what its first `doublings` have led to.
pub(super) fn words(trajectory: &Trajectory, doublings: Option<usize>) -> String {
    let number = |value: f64| numbers::significant(value, 2);
    let count = trajectory.doublings.len();
    if let Some(shown) = doublings.filter(|shown| *shown < count) {
        let Some(newest) = shown.checked_sub(1).map(|newest| trajectory.doublings[newest]) else {
            return format!("the start, before {count} doublings");
        };
        let way = if newest.forward { "forward" } else { "back" };
        let draw = if newest.taken { "the draw moves to one of them" } else { "the draw stays" };
        let [early, late] = newest.products.map(number);
        let new = leaves(1 << newest.first.ilog2());
        return format!(
            "doubling {shown} of {count}: {new} {way}, {draw}; the ends do not turn ({early}, {late}), so it goes on"
        );
    }
    let steps = numbers::counted(trajectory.leapfrog_steps() as u64, "leapfrog step");
    let [early, late] = trajectory.products.map(number);
    let mut why = why_stopped(trajectory.stop).to_owned();
    if matches!(trajectory.stop, Stop::Turn | Stop::TurnWithin) {
        why += &format!(" ({early}, {late})");
    }
    let mut lines = vec![
        format!("depth {}, {steps}, stopped: {why}", trajectory.depth()),
        format!("h {}", numbers::significant(trajectory.step_size, 3)),
        format!("acceptance {}", number(trajectory.acceptance)),
    ];
    if let Some(left) = trajectory.warm_up_left {
        let [first, second] = trajectory.scales.map(number);
        lines.push(format!("mass for sds {first} and {second}"));
        lines.push(match left {
            0 => "warm-up over".to_owned(),
            left => format!("warm-up: {} steps left", numbers::count(left)),
        });
    }
    lines.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplers::methods::{Doubling, Leaf};

    /// Two doublings, the first forward and the second back in time, and a third that is dropped.
    fn trajectory() -> Trajectory {
        let doubling =
            |forward, first, finished| Doubling { forward, first, finished, taken: finished, ..Doubling::default() };
        let leaf = |x: f64| Leaf { at: Point::new(x, 0.0), log_weight: -0.1 };
        Trajectory {
            leaves: [0.0, 1.0, -1.0, -2.0, 2.0].map(leaf).to_vec(),
            doublings: vec![doubling(true, 1, true), doubling(false, 2, true), doubling(true, 4, false)],
            chosen: 3,
            ends: [Point::new(-2.0, 0.0), Point::new(1.0, 0.0)],
            velocities: [Point::new(1.0, 0.0), Point::new(0.5, 0.5)],
            products: [-0.3, 1.24],
            stop: Stop::TurnWithin,
            step_size: 0.31,
            acceptance: 0.87,
            warm_up_left: Some(0),
            scales: [1.0, 2.5],
        }
    }

    #[test]
    fn a_trajectory_is_told_in_words() {
        let lines = words(&trajectory(), None);
        assert!(
            lines.starts_with(
                "depth 2, 4 leapfrog steps, stopped: the ends of a part of the newest subtree turn towards each other (−0.3, 1.2)"
            )
        );
        assert!(lines.ends_with("h 0.31, acceptance 0.87, mass for sds 1 and 2.5, warm-up over"), "{lines}");
        let turned = Trajectory { stop: Stop::Turn, warm_up_left: None, ..trajectory() };
        assert!(words(&turned, None).contains("the ends turn towards each other (−0.3, 1.2)"));
    }

    #[test]
    fn a_part_of_a_trajectory_says_that_it_goes_on() {
        let mut part = trajectory();
        part.doublings[1].products = [0.31, 2.0];
        let lines = words(&part, Some(2));
        let expected = "doubling 2 of 3: 2 leaves back, the draw moves to one of them; the ends do not turn (0.31, 2), so it goes on";
        assert_eq!(lines, expected);
        assert_eq!(words(&part, Some(0)), "the start, before 3 doublings");
        assert_eq!(words(&part, Some(3)), words(&part, None));
    }

    #[test]
    fn the_legend_names_doublings_and_the_dropped_subtree() {
        let entries = entries(&Theme::default(), &trajectory());
        let texts: Vec<&str> = entries.iter().map(|entry| entry.text.as_str()).collect();
        let expected =
            ["doubling 1: 1 leaf forward", "doubling 2: 2 leaves back", "where a doubling begins", "dropped subtree"];
        assert_eq!((&texts[..4], texts.len()), (&expected[..], 6));
    }

    /// Trees that run by have one legend, however many doublings they have.
    #[test]
    fn the_legend_of_trees_that_run_by_stays_the_same() {
        let texts: Vec<String> = in_short(&Theme::default()).into_iter().map(|entry| entry.text).collect();
        assert_eq!((texts[0].as_str(), texts.len()), ("a marker for each doubling", 5));
    }

    #[test]
    fn every_leaf_is_drawn_and_a_lost_one_ends_its_subtree() {
        let theme = Theme::default();
        let screen = |at: Point| Pos2::new(10.0 * at.x as f32, 10.0 * at.y as f32);
        let count = |trajectory: &Trajectory| {
            let mut drawn = Vec::new();
            shapes(&mut drawn, &theme, trajectory, &screen);
            drawn.len()
        };
        let mut lost = trajectory();
        lost.leaves[4].at = Point::repeat(f64::NAN);
        assert!(count(&lost) < count(&trajectory()) && count(&Trajectory::default()) == 0);
    }
}
