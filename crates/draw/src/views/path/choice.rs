//! Choice of the line of the path plot: between the ends of consecutive cycles, or between two draws picked on a canvas.

use crate::canvas::MOST_POINTS;
use crate::geometry::thinned;
use crate::kit::background::{Same, SameTarget};
use base::math::Point;
use engine::session::{Frame, cycle_ends};

/// Pairs of consecutive cycles shown, at most, the newest first. More would hide each other.
pub const MOST_PAIRS: usize = 40;

/// An end of a line: a draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End {
    /// Number of its run.
    pub run: usize,
    /// Number of its chain.
    pub chain: usize,
    /// Its step.
    pub step: u64,
    /// The cycle that it ends, from 0; `None` for a picked draw.
    pub cycle: Option<u64>,
    /// Its position in θ.
    pub at: Point,
}

/// The line that a person has chosen.
#[derive(Clone, Debug, Default)]
pub struct PathChoice {
    /// Number of the earlier cycle of the chosen pair; `None` for the newest pair.
    pub cycle: Option<u64>,
    /// λ under the pointer, marked on the canvas as well.
    pub pointed: Option<f64>,
    picking: bool,
    /// Picked draws, at most two, and their target.
    picked: Option<(SameTarget, Vec<End>)>,
}

impl PathChoice {
    /// The line that begins at the end of a cycle; `None` for the newest one.
    #[must_use]
    pub fn of_cycle(cycle: Option<u64>) -> Self {
        Self { cycle, ..Self::default() }
    }

    /// The same without a pointer.
    #[must_use]
    pub fn at_rest(&self) -> Self {
        Self { pointed: None, ..self.clone() }
    }

    /// Whether clicks on a canvas pick draws.
    #[must_use]
    pub fn picking(&self) -> bool {
        self.picking
    }

    /// Starts or ends picking; either way earlier picks are dropped.
    pub fn pick_on_canvas(&mut self, on: bool) {
        (self.picking, self.picked) = (on, None);
    }

    /// Picks the draw of `runs` that is nearest to `at`: the first, the second, then the first again. Without draws it does
    /// nothing.
    pub fn pick(&mut self, frame: &Frame, runs: &[usize], at: Point) {
        let Some(end) = nearest_draw(frame, runs, at) else { return };
        let target = Same(frame.target.clone());
        match self.picked.as_mut().filter(|(of, ends)| *of == target && ends.len() == 1) {
            Some((_, ends)) => ends.push(end),
            None => self.picked = Some((target, vec![end])),
        }
    }

    /// The picked draws, if they belong to this frame's target.
    fn picks(&self, frame: &Frame) -> &[End] {
        let target = Same(frame.target.clone());
        self.picked.as_ref().filter(|(of, _)| *of == target).map_or(&[], |(_, ends)| ends)
    }
}

/// All lines of the plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    /// The ends of each line, earlier ones first.
    pub pairs: Vec<[End; 2]>,
    /// The chosen line, which the canvas shows as well.
    pub front: Option<usize>,
    /// A first picked draw without a second.
    pub alone: Option<End>,
}

impl Lines {
    /// The lines of a frame; `focus` is the run whose cycles are shown.
    #[must_use]
    pub fn of(frame: &Frame, focus: Option<usize>, choice: &PathChoice) -> Self {
        if choice.picking {
            return match *choice.picks(frame) {
                [a, b] => Self { pairs: vec![[a, b]], front: Some(0), alone: None },
                [a] => Self { alone: Some(a), ..Self::default() },
                _ => Self::default(),
            };
        }
        let pairs = focus.map(|run| consecutive(frame, run)).unwrap_or_default();
        let chosen = choice.cycle.and_then(|cycle| pairs.iter().position(|[a, _]| a.cycle == Some(cycle)));
        Self { front: chosen.or(pairs.len().checked_sub(1)), pairs, alone: None }
    }

    /// The ends of the chosen line, or a first picked draw.
    #[must_use]
    pub fn ends(&self) -> Vec<End> {
        let front = self.front.and_then(|front| self.pairs.get(front));
        front.map_or_else(|| self.alone.into_iter().collect(), |pair| pair.to_vec())
    }
}

/// The ends of the newest consecutive cycles of a run's first chain.
fn consecutive(frame: &Frame, run: usize) -> Vec<[End; 2]> {
    let Some(cycles) = frame.runs.get(run).map(|run| cycle_ends(run, 0)) else { return Vec::new() };
    let ends: Vec<End> =
        cycles.iter().map(|end| End { run, chain: 0, step: end.step, cycle: Some(end.cycle), at: end.at }).collect();
    let newest = ends.len().saturating_sub(MOST_PAIRS + 1);
    ends[newest..].windows(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// The draw nearest to a point among those that a canvas shows one by one.
fn nearest_draw(frame: &Frame, runs: &[usize], to: Point) -> Option<End> {
    let planar = frame.target.info().dimension == 2;
    let away = |at: Point| if planar { (at - to).norm() } else { (at.x - to.x).abs() };
    let of_run = |run: usize| {
        let frame = frame.runs.get(run)?;
        let draws = thinned(&frame.history, |step| frame.stands_for(step), MOST_POINTS);
        let nearest = draws.into_iter().min_by(|a, b| away(a.at).total_cmp(&away(b.at)))?;
        Some(End { run, chain: nearest.chain, step: nearest.step, cycle: None, at: nearest.at })
    };
    runs.iter().filter_map(|&run| of_run(run)).min_by(|a, b| away(a.at).total_cmp(&away(b.at)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, Recipe, frame};

    const CYCLIC: Recipe = Recipe { name: "cSGLD", chains: 2, steps: 450, total: 1000, alpha: 0.004, cycle: 100 };

    #[test]
    fn the_newest_pair_is_chosen_unless_a_person_chose_another() {
        let frame = frame(Fake::grid(), &[CYCLIC]);
        let mut choice = PathChoice::default();
        let lines = Lines::of(&frame, Some(0), &choice);
        let cycles: Vec<_> = lines.pairs.iter().map(|[a, b]| (a.cycle, b.cycle)).collect();
        assert_eq!(cycles, [(Some(0), Some(1)), (Some(1), Some(2)), (Some(2), Some(3))]);
        assert_eq!((lines.front, lines.ends().len()), (Some(2), 2));
        choice.cycle = Some(1);
        assert_eq!(Lines::of(&frame, Some(0), &choice).front, Some(1));
        choice.cycle = Some(77);
        assert_eq!(Lines::of(&frame, Some(0), &choice).front, Some(2), "a cycle that is not there");
    }

    #[test]
    fn the_number_of_pairs_is_limited() {
        let many = Recipe { steps: 1000, cycle: 10, ..CYCLIC };
        let lines = Lines::of(&frame(Fake::grid(), &[many]), Some(0), &PathChoice::default());
        assert_eq!(lines.pairs.len(), MOST_PAIRS);
        assert_eq!(lines.pairs[MOST_PAIRS - 1][1].step, 1000);
    }

    #[test]
    fn without_cycles_there_is_nothing_to_draw() {
        let plain = frame(Fake::beta(), &[Recipe { cycle: 0, alpha: 1e-4, ..CYCLIC }]);
        assert_eq!(Lines::of(&plain, Some(0), &PathChoice::default()), Lines::default());
        assert_eq!(Lines::of(&plain, None, &PathChoice::default()), Lines::default());
    }

    #[test]
    fn clicks_pick_two_draws_and_a_third_starts_again() {
        let moment = frame(Fake::grid(), &[CYCLIC]);
        let mut choice = PathChoice::default();
        choice.pick_on_canvas(true);
        let ends = |choice: &PathChoice| Lines::of(&moment, Some(0), choice).ends();
        let wanted = moment.runs[0].history.position(80, 1).unwrap();
        choice.pick(&moment, &[0], wanted);
        let first = ends(&choice);
        assert_eq!((first.len(), first[0].chain, first[0].step, first[0].at), (1, 1, 80, wanted));
        choice.pick(&moment, &[0], Point::zeros());
        assert_eq!(ends(&choice).len(), 2);
        assert_eq!(Lines::of(&moment, Some(0), &choice).pairs.len(), 1);
        choice.pick(&moment, &[0], Point::zeros());
        assert_eq!(ends(&choice).len(), 1);
        let other = frame(Fake::grid(), &[CYCLIC]);
        assert_eq!(Lines::of(&other, Some(0), &choice), Lines::default(), "draws of another target");
        choice.pick_on_canvas(false);
        assert_eq!(ends(&choice)[0].cycle, Some(2));
    }

    #[test]
    fn before_the_first_draw_a_click_picks_nothing() {
        let mut choice = PathChoice::default();
        choice.pick_on_canvas(true);
        let moment = frame(Fake::grid(), &[Recipe { steps: 0, ..CYCLIC }]);
        choice.pick(&moment, &[0, 7], Point::zeros());
        assert_eq!(Lines::of(&moment, None, &choice), Lines::default());
    }
}
