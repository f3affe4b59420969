//! The axis of plots over time: steps, gradient evaluations or seconds, on a linear or logarithmic scale. Where a
//! family of targets counts data, of which an evaluation is a pass over all, these are shown in place of evaluations. Data and seconds
//! are those of one chain, where all runs have equally many.
//!
//! A *count* is a number of steps, or of gradient evaluations or seconds of all chains; a *position* is where it is along the axis.
//! Runs have costs of their own, so that one position is another step of each of them: [`Along`].

use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use super::axes::Ticks;
use crate::words::numbers;
use engine::scenario::view::Axis;
use engine::session::{Frame, RunFrame, Spending};
use models::families::Cost;

/// The axis of a plot over time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeAxis {
    /// What is counted.
    pub counts: Axis,
    /// Whether its scale is logarithmic to base 10, from the first step on.
    pub log: bool,
    /// The smallest count of a logarithmic scale.
    first: f64,
    /// What costs are counted in.
    cost: &'static Cost,
    /// How many data, or seconds, make one count.
    unit: f64,
    /// Whose data or seconds they are.
    whose: Whose,
}

/// Whose data and seconds are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Those of the only chain of each run.
    OnlyChain,
    /// The mean over the chains of a run, of which all runs have as many.
    EachChain,
    /// Those of all chains of a run.
    AllChains,
}

impl Whose {
    /// For the runs of a frame, with the number of chains that share what a run has spent.
    #[must_use]
    pub fn of(frame: &Frame) -> (Self, f64) {
        let mut chains = frame.runs.iter().map(|run| run.plan.chains);
        let first = chains.next().unwrap_or(1).max(1);
        match chains.all(|others| others == first) {
            true if first == 1 => (Self::OnlyChain, 1.0),
            true => (Self::EachChain, as_f64(first as u64)),
            false => (Self::AllChains, 1.0),
        }
    }

    /// Whoever has seen the data, with the verb.
    #[must_use]
    pub fn has(self) -> &'static str {
        match self {
            Self::OnlyChain => "a run has",
            Self::EachChain => "each chain has",
            Self::AllChains => "all chains of a run have",
        }
    }
}

impl TimeAxis {
    /// The axis for the runs of a frame.
    #[must_use]
    pub fn of(frame: &Frame, counts: Axis, log: bool) -> Self {
        let cost = |run: &RunFrame| match counts {
            Axis::Steps => Some(1.0),
            Axis::Gradients => Some(run.spending.at(1.0)),
            Axis::Seconds => run.seconds.as_ref().filter(|seconds| seconds.end() > 0.0).map(|seconds| seconds.at(1.0)),
        };
        let cheapest = frame.runs.iter().filter_map(cost).fold(f64::INFINITY, f64::min);
        let first = if cheapest.is_finite() { cheapest.max(1e-6) } else { 1.0 };
        let (cost, (whose, sharing)) = (&frame.target.family().cost, Whose::of(frame));
        let unit = match counts {
            Axis::Gradients => data_of_evaluation(frame).map_or(1.0, |data| data / sharing),
            Axis::Seconds => 1.0 / sharing,
            Axis::Steps => 1.0,
        };
        Self { counts, log, first, cost, unit, whose }
    }

    /// What distinguishes plots on this axis from others.
    pub(crate) fn key(self) -> (Axis, bool) {
        (self.counts, self.log)
    }

    /// The label.
    pub(crate) fn label(self) -> &'static str {
        match (self.counts, self.whose) {
            (Axis::Steps, _) => "step",
            (Axis::Gradients, whose) => self.cost.axis[whose as usize],
            (Axis::Seconds, Whose::OnlyChain) => "computing time in seconds",
            (Axis::Seconds, Whose::EachChain) => "computing time of each chain in seconds",
            (Axis::Seconds, Whose::AllChains) => "computing time of all chains in seconds",
        }
    }

    /// A count in words, not above that of `most`.
    pub(crate) fn words(self, count: f64, most: f64) -> String {
        match self.counts {
            Axis::Steps => format!("step {}", self.number(count.min(most))),
            Axis::Gradients => format!("{} {}", self.number(count.min(most)), self.cost.name),
            Axis::Seconds => format!("{} s", self.number(count.clamp(0.0, most))),
        }
    }

    /// The number that stands for a count.
    pub(crate) fn number(self, count: f64) -> String {
        match self.counts {
            Axis::Steps | Axis::Gradients => numbers::count(as_u64(self.shown(count).round())),
            Axis::Seconds => numbers::significant(self.shown(count), 3),
        }
    }

    /// A count as its ticks say it: data in place of evaluations, where they are counted.
    fn shown(self, count: f64) -> f64 {
        count * self.unit
    }

    /// The ticks.
    pub(crate) fn ticks(self) -> Ticks {
        match (self.log, self.counts) {
            (true, _) => Ticks::Log,
            (false, Axis::Steps | Axis::Gradients) => Ticks::Whole,
            (false, Axis::Seconds) => Ticks::Linear,
        }
    }

    /// The position of a count.
    pub(crate) fn position(self, count: f64) -> f64 {
        let shown = self.shown(if self.log { count.max(self.first) } else { count });
        if self.log { shown.log10() } else { shown }
    }

    /// The count at a position.
    pub(crate) fn count(self, position: f64) -> f64 {
        (if self.log { 10f64.powf(position) } else { position }) / self.unit
    }

    /// A range of counts as positions; a single step has a width as well.
    pub(crate) fn positions(self, counts: &Range<f64>) -> Range<f64> {
        let start = self.position(counts.start);
        let width = if self.log { self.narrowest() } else { 0.0 };
        start..self.position(counts.end).max(start + width)
    }

    /// The narrowest range shown: a few steps, or a small part of a decade.
    pub(crate) fn narrowest(self) -> f64 {
        if self.log { 0.05 } else { self.shown(5.0 * self.first) }
    }

    /// All counts of the runs of a frame; of seconds those so far.
    #[must_use]
    pub fn whole(self, frame: &Frame) -> Range<f64> {
        let ends = frame.runs.iter().filter_map(|run| self.spending(run)).map(|spending| spending.end());
        match self.counts {
            Axis::Steps => 0.0..as_f64(frame.total.max(1)),
            Axis::Gradients | Axis::Seconds => 0.0..ends.fold(self.first, f64::max),
        }
    }

    /// The axis for one run of a frame.
    pub(crate) fn along(self, frame: &Frame, run: usize) -> Along {
        Along { axis: self, spending: frame.runs.get(run).and_then(|run| self.spending(run)).cloned() }
    }

    /// The cost of the steps of a run, where they have another than 1 and it is known.
    fn spending(self, run: &RunFrame) -> Option<&Arc<Spending>> {
        match self.counts {
            Axis::Steps => None,
            Axis::Gradients => Some(&run.spending),
            Axis::Seconds => run.seconds.as_ref(),
        }
    }
}

/// The axis for one run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Along {
    axis: TimeAxis,
    /// The cost of its steps, where evaluations or seconds are counted.
    spending: Option<Arc<Spending>>,
}

impl Hash for Along {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.axis.key(), self.axis.first.to_bits(), self.axis.unit.to_bits()).hash(state);
        let knots = self.spending.iter().flat_map(|spending| spending.knots());
        knots.for_each(|knot| knot.map(f64::to_bits).hash(state));
    }
}

impl Along {
    /// The position of a step of the run.
    pub fn position(&self, step: f64) -> f64 {
        let count =
            if self.is_unknown() { 0.0 } else { self.spending.as_ref().map_or(step, |spending| spending.at(step)) };
        self.axis.position(count)
    }

    /// The step of the run at a position, not rounded.
    pub fn step(&self, position: f64) -> f64 {
        let count = self.axis.count(position);
        if self.is_unknown() { 0.0 } else { self.spending.as_ref().map_or(count, |spending| spending.step(count)) }
    }

    /// Whether seconds are counted and none have passed.
    fn is_unknown(&self) -> bool {
        self.axis.counts == Axis::Seconds && self.spending.as_ref().is_none_or(|seconds| seconds.end() <= 0.0)
    }

    /// The steps of the run in a range of positions.
    pub fn steps(&self, positions: &Range<f64>) -> Range<f64> {
        self.step(positions.start)..self.step(positions.end)
    }
}

/// The data of which an evaluation of a gradient is a pass over all, where data are counted in place of evaluations.
#[must_use]
pub fn data_of_evaluation(frame: &Frame) -> Option<f64> {
    let data = frame.target.data_count().filter(|_| frame.target.family().cost.counts_data);
    data.map(|data| as_f64(data as u64))
}

pub(crate) fn as_f64(step: u64) -> f64 {
    step as f64
}

#[expect(clippy::cast_sign_loss, reason = "negative values become 0")]
pub(crate) fn as_u64(step: f64) -> u64 {
    step.max(0.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, Recipe, frame, topics_frame};

    fn made() -> Frame {
        let recipe = |name, total| Recipe { name, chains: 1, steps: 50, total, alpha: 0.01, cycle: 0 };
        let mut made = frame(Fake::grid(), &[recipe("cheap", 1000), recipe("dear", 100)]);
        made.runs[0].spending = Arc::new(Spending::through([[1000.0, 100.0]]));
        made.runs[1].spending = Arc::new(Spending::through([[100.0, 2000.0]]));
        made
    }

    #[test]
    fn places_convert_back_to_steps_of_each_run() {
        let frame = made();
        for (counts, log) in [Axis::Steps, Axis::Gradients].into_iter().flat_map(|c| [(c, false), (c, true)]) {
            let axis = TimeAxis::of(&frame, counts, log);
            for run in 0..2 {
                let along = axis.along(&frame, run);
                for step in [1.0, 7.0, 1e6] {
                    assert!((along.step(along.position(step)) / step - 1.0).abs() < 1e-12);
                }
            }
        }
        let axis = TimeAxis::of(&frame, Axis::Gradients, false);
        let [cheap, dear] = [0, 1].map(|run| axis.along(&frame, run));
        assert!((cheap.step(dear.position(10.0)) - 2000.0).abs() < 1e-9, "ten dear steps cost 200");
    }

    #[test]
    fn the_whole_axis_ends_with_the_longest_or_the_dearest_run() {
        let frame = made();
        assert_eq!(TimeAxis::of(&frame, Axis::Steps, true).whole(&frame), 0.0..1000.0);
        let axis = TimeAxis::of(&frame, Axis::Gradients, true);
        assert_eq!(axis.whole(&frame), 0.0..2000.0);
        assert!((axis.positions(&(0.0..2000.0)).start + 1.0).abs() < 1e-12, "a step of the cheap run costs a tenth");
        assert!(axis.positions(&(0.0..0.1)).end > -1.0, "a single step has a width");
    }

    /// Two runs, the second of which was timed at twice the cost per step.
    fn timed(chains: [usize; 2]) -> Frame {
        let recipe = |name, chains| Recipe { name, chains, steps: 50, total: 1000, alpha: 0.01, cycle: 0 };
        let mut made = frame(Fake::grid(), &[recipe("cheap", chains[0]), recipe("dear", chains[1])]);
        made.runs[0].seconds = Some(Arc::new(Spending::through([[1.0, 0.5], [50.0, 2.0]])));
        made.runs[1].seconds = Some(Arc::new(Spending::through([[1.0, 0.25], [50.0, 4.0]])));
        made
    }

    #[test]
    fn seconds_are_those_so_far_and_convert_back_to_steps() {
        let frame = timed([1, 1]);
        for log in [false, true] {
            let axis = TimeAxis::of(&frame, Axis::Seconds, log);
            assert_eq!(axis.whole(&frame), 0.0..4.0);
            for run in 0..2 {
                let along = axis.along(&frame, run);
                for step in [1.0, 7.0, 50.0] {
                    assert!((along.step(along.position(step)) / step - 1.0).abs() < 1e-12);
                }
            }
            let [cheap, dear] = [0, 1].map(|run| axis.along(&frame, run).position(50.0));
            assert!((if log { 10f64.powf(dear - cheap) } else { dear / cheap } - 2.0).abs() < 1e-12);
        }
        let axis = TimeAxis::of(&frame, Axis::Seconds, true);
        assert!(
            (axis.positions(&(0.0..4.0)).start - 0.25_f64.log10()).abs() < 1e-12,
            "from the cheapest first step on"
        );
        assert_eq!(axis.words(1.234_567, 4.0), "1.23 s");
        assert_eq!((axis.words(9.0, 4.0), axis.words(-1.0, 4.0)), ("4 s".to_owned(), "0 s".to_owned()));
    }

    /// Before the first step no time has passed, and no step has a position but the start.
    #[test]
    fn without_any_time_all_steps_are_at_the_start() {
        let mut frame = timed([1, 1]);
        for unknown in [None, Some(Arc::new(Spending::default()))] {
            frame.runs.iter_mut().for_each(|run| run.seconds.clone_from(&unknown));
            let axis = TimeAxis::of(&frame, Axis::Seconds, false);
            let along = axis.along(&frame, 0);
            assert_eq!((along.position(0.0), along.position(700.0), along.step(0.5)), (0.0, 0.0, 0.0));
            assert!(axis.whole(&frame).end > 0.0);
        }
    }

    /// The numbers are those of the readout, which are per chain.
    #[test]
    fn seconds_are_shared_by_chains_where_all_runs_have_as_many() {
        let end = |chains: [usize; 2]| {
            let frame = timed(chains);
            let axis = TimeAxis::of(&frame, Axis::Seconds, false);
            (axis.position(axis.whole(&frame).end), axis.label())
        };
        assert_eq!(end([1, 1]), (4.0, "computing time in seconds"));
        assert_eq!(end([4, 4]), (1.0, "computing time of each chain in seconds"));
        assert_eq!(end([4, 1]), (4.0, "computing time of all chains in seconds"));
    }

    #[test]
    fn documents_are_those_that_the_readout_counts() {
        let mut frame = topics_frame("corpus = { kind = \"bars\", side = 4, documents = 60 }");
        frame.runs.remove(1);
        let axis = TimeAxis::of(&frame, Axis::Gradients, false);
        assert_eq!(axis.label(), "documents seen by each chain");
        let of = |run: usize| axis.along(&frame, run).position(as_f64(frame.runs[run].step));
        let seen = |run: usize| frame.runs[run].topics.last().unwrap().chains[0].documents;
        for run in 0..2 {
            assert!((of(run) - as_f64(seen(run))).abs() < 1e-6, "{}, not {}", of(run), seen(run));
        }
    }
}
