//! What is seen in a figure, in sentences made of its numbers, for those who do not see it: axes with their ranges, where draws are, and how
//! step sizes go.

use base::math::Axis;
use engine::session::{Frame, RunFrame};

use crate::kit::told::Spot;
use crate::words::numbers;

/// Digits of what is told.
const DIGITS: usize = 3;

/// The share of draws whose place is told.
const MOST: f64 = 0.9;

/// The ranges of the axes of panels, those of equal ones once. `letter` is what a panel is called.
pub(super) fn axes(spots: &[Spot], letter: impl Fn(usize) -> String) -> Option<String> {
    let mut found: Vec<(Vec<String>, String)> = Vec::new();
    for spot in spots {
        let [low, high] = [spot.area.left_bottom(), spot.area.right_top()].map(|corner| spot.numbers(corner));
        let range = |axis: usize| {
            format!("{} to {}", numbers::significant(low[axis], DIGITS), numbers::significant(high[axis], DIGITS))
        };
        let ranges = format!("{} across and {} up", range(0), range(1));
        match found.iter_mut().find(|(_, known)| *known == ranges) {
            Some((panels, _)) => panels.push(letter(spot.panel)),
            None => found.push((vec![letter(spot.panel)], ranges)),
        }
    }
    let all: Vec<String> =
        found.into_iter().map(|(panels, ranges)| format!("{} {ranges}", panels.join(", "))).collect();
    (!all.is_empty()).then(|| format!("Axes: {}.", all.join("; ")))
}

/// Where most draws of a run in the plane are.
pub(super) fn draws(run: &RunFrame, name: &str) -> Option<String> {
    if run.collected == 0 || run.fits.is_some() {
        return None;
    }
    let (x, y) = (run.cloud_grid.x, run.cloud_grid.y);
    let mut sums = [vec![0.0; x.cells], vec![0.0; y.cells]];
    for (cell, count) in run.cloud.iter().enumerate() {
        sums[0][cell % x.cells] += count;
        sums[1][cell / x.cells] += count;
    }
    let [across, up] = [middle(&sums[0], x)?, middle(&sums[1], y)?];
    let range =
        |[low, high]: [f64; 2]| format!("{} to {}", numbers::significant(low, 2), numbers::significant(high, 2));
    let share = numbers::percent(MOST);
    Some(format!("{share} of the draws of {name} are at {} across, {} up.", range(across), range(up)))
}

/// The ends of the middle part of counts along an axis.
fn middle(counts: &[f64], axis: Axis) -> Option<[f64; 2]> {
    let whole: f64 = counts.iter().sum();
    let reach = |share: f64| {
        let mut sum = 0.0;
        counts.iter().position(|count| {
            sum += count;
            sum >= share * whole
        })
    };
    let outer = 0.5 * (1.0 - MOST);
    let (low, high) = (reach(outer)?, reach(1.0 - outer)?);
    (whole > 0.0).then(|| [axis.edge(low), axis.edge(high + 1)])
}

/// How the step size of a run goes.
pub(super) fn steps(frame: &Frame, run: &RunFrame, name: &str) -> Option<String> {
    let plan = &run.plan;
    crate::kit::run_header::step_symbol(frame, run).filter(|_| !plan.adapts())?;
    let [first, last] = [1, plan.steps.max(1)].map(|step| run.step_size(0, step));
    let number = |size: f64| numbers::significant(size, DIGITS);
    let cycles = plan.segment_of(plan.steps).schedule.cycle(plan.steps).map_or(1, |cycle| cycle + 1);
    let way = if cycles > 1 {
        format!(
            "starts at {} and falls in each of {} cycles, at last to {}",
            number(first),
            numbers::count(cycles),
            number(last)
        )
    } else if (first - last).abs() <= 1e-9 * first {
        format!("stays at {}", number(first))
    } else {
        let goes = if last < first { "falls" } else { "goes" };
        format!("{goes} from {} to {}", number(first), number(last))
    };
    Some(format!("The step size of {name} {way}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, Recipe, frame};
    use egui::{Rect, pos2};

    #[test]
    fn equal_axes_are_told_once() {
        let area = Rect::from_min_max(pos2(0.0, 0.0), pos2(10.0, 10.0));
        let spot = |panel, log| Spot {
            panel,
            area,
            min: [-6.0, -3.0],
            max: [6.0, 0.0],
            log: [false, log],
            labelled: [true; 2],
        };
        let letter = |panel: usize| ["(a)", "(b)", "(c)"][panel].to_owned();
        let told = axes(&[spot(0, false), spot(1, false), spot(2, true)], letter).unwrap();
        assert_eq!(told, "Axes: (a), (b) −6 to 6 across and −3 to 0 up; (c) −6 to 6 across and 0.001 to 1 up.");
        assert_eq!(axes(&[], letter), None);
    }

    #[test]
    fn most_draws_are_where_it_is_told() {
        let recipe = Recipe { name: "SGLD", chains: 3, steps: 300, total: 1000, alpha: 0.004, cycle: 100 };
        let frame = frame(Fake::grid(), &[recipe]);
        let told = draws(&frame.runs[0], "SGLD").unwrap();
        assert!(told.starts_with("90 % of the draws of SGLD are at "), "{told}");
        let counts = [0.0, 1.0, 98.0, 1.0, 0.0];
        let axis = Axis { min: 0.0, max: 5.0, cells: 5 };
        assert_eq!(middle(&counts, axis), Some([2.0, 3.0]));
    }
}
