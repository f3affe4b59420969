//! The axis of plots over time: steps or gradient evaluations, on a linear or logarithmic scale. On topics of documents an
//! evaluation is a pass over all documents, and documents are shown in place of evaluations.
//!
//! A *count* is a number of steps or of gradient evaluations, a *place* is where it is along the axis. Runs have costs of their
//! own, so that one place is another step of each of them: [`Along`].

use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use crate::session::{Clock, Frame, Spending};

use super::axes::Ticks;
use super::steps::{as_f64, as_u64};
use crate::draw::numbers;

/// The axis of a plot over time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeAxis {
    /// What is counted.
    pub counts: Clock,
    /// Whether its scale is logarithmic to base 10, from the first step on.
    pub log: bool,
    /// The smallest count of a logarithmic scale.
    first: f64,
    /// The number D of documents, which one evaluation passes over.
    documents: Option<f64>,
}

impl TimeAxis {
    /// The axis for the runs of a frame.
    #[must_use]
    pub fn of(frame: &Frame, counts: Clock, log: bool) -> Self {
        let cheapest = frame.runs.iter().map(|run| run.spending.at(1.0)).fold(f64::INFINITY, f64::min);
        let first = if counts == Clock::Steps || !cheapest.is_finite() { 1.0 } else { cheapest.max(1e-6) };
        let counted = frame.target.topics().filter(|_| counts == Clock::Gradients);
        let documents = counted.map(|model| model.documents() as f64);
        Self { counts, log, first, documents }
    }

    /// What distinguishes plots on this axis from others.
    pub(super) fn key(self) -> (bool, bool) {
        (self.counts == Clock::Steps, self.log)
    }

    /// The label.
    pub(super) fn label(self) -> &'static str {
        match (self.counts, self.documents) {
            (Clock::Steps, _) => "step",
            (Clock::Gradients, None) => "gradient evaluations",
            (Clock::Gradients, Some(_)) => "documents seen by all chains",
        }
    }

    /// A count in words, not above that of `most`.
    pub(super) fn words(self, count: f64, most: f64) -> String {
        let number = numbers::count(as_u64(self.shown(count).round()).min(as_u64(self.shown(most))));
        match (self.counts, self.documents) {
            (Clock::Steps, _) => format!("step {number}"),
            (Clock::Gradients, None) => format!("{number} gradients"),
            (Clock::Gradients, Some(_)) => format!("{number} documents"),
        }
    }

    /// A count as its ticks say it: documents in place of evaluations.
    pub(super) fn shown(self, count: f64) -> f64 {
        count * self.documents.unwrap_or(1.0)
    }

    /// The ticks.
    pub(super) fn ticks(self) -> Ticks {
        if self.log { Ticks::Log } else { Ticks::Whole }
    }

    /// The place of a count.
    pub(super) fn place(self, count: f64) -> f64 {
        let shown = self.shown(if self.log { count.max(self.first) } else { count });
        if self.log { shown.log10() } else { shown }
    }

    /// The count at a place.
    pub(super) fn count(self, place: f64) -> f64 {
        (if self.log { 10f64.powf(place) } else { place }) / self.documents.unwrap_or(1.0)
    }

    /// A range of counts as places; a single step has a width as well.
    pub(super) fn places(self, counts: &Range<f64>) -> Range<f64> {
        let start = self.place(counts.start);
        let width = if self.log { self.narrowest() } else { 0.0 };
        start..self.place(counts.end).max(start + width)
    }

    /// The narrowest range shown: a few steps, or a small part of a decade.
    pub(super) fn narrowest(self) -> f64 {
        if self.log { 0.05 } else { self.shown(5.0 * self.first) }
    }

    /// All counts of the runs of a frame.
    #[must_use]
    pub fn whole(self, frame: &Frame) -> Range<f64> {
        let spent = || frame.runs.iter().map(|run| run.spending.end()).fold(self.first, f64::max);
        match self.counts {
            Clock::Steps => 0.0..as_f64(frame.total.max(1)),
            Clock::Gradients => 0.0..spent(),
        }
    }

    /// The axis for one run of a frame.
    pub(super) fn along(self, frame: &Frame, run: usize) -> Along {
        let counted = self.counts == Clock::Gradients;
        let spending = frame.runs.get(run).filter(|_| counted).map(|run| run.spending.clone());
        Along { axis: self, spending }
    }
}

/// The axis for one run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Along {
    axis: TimeAxis,
    /// The cost of its steps, where evaluations are counted.
    spending: Option<Arc<Spending>>,
}

impl Hash for Along {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.axis.key(), self.axis.first.to_bits(), self.axis.documents.map(f64::to_bits)).hash(state);
        let knots = self.spending.iter().flat_map(|spending| spending.knots());
        knots.for_each(|knot| knot.map(f64::to_bits).hash(state));
    }
}

impl Along {
    /// The place of a step of the run.
    pub fn place(&self, step: f64) -> f64 {
        self.axis.place(self.spending.as_ref().map_or(step, |spending| spending.at(step)))
    }

    /// The step of the run at a place, not rounded.
    pub fn step(&self, place: f64) -> f64 {
        let count = self.axis.count(place);
        self.spending.as_ref().map_or(count, |spending| spending.step(count))
    }

    /// The steps of the run in a range of places.
    pub fn steps(&self, places: &Range<f64>) -> Range<f64> {
        self.step(places.start)..self.step(places.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::plots::testing::{Fake, Recipe, frame};

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
        for (counts, log) in [Clock::Steps, Clock::Gradients].into_iter().flat_map(|c| [(c, false), (c, true)]) {
            let axis = TimeAxis::of(&frame, counts, log);
            for run in 0..2 {
                let along = axis.along(&frame, run);
                for step in [1.0, 7.0, 1e6] {
                    assert!((along.step(along.place(step)) / step - 1.0).abs() < 1e-12);
                }
            }
        }
        let axis = TimeAxis::of(&frame, Clock::Gradients, false);
        let [cheap, dear] = [0, 1].map(|run| axis.along(&frame, run));
        assert!((cheap.step(dear.place(10.0)) - 2000.0).abs() < 1e-9, "ten dear steps cost 200");
    }

    #[test]
    fn the_whole_axis_ends_with_the_longest_or_the_dearest_run() {
        let frame = made();
        assert_eq!(TimeAxis::of(&frame, Clock::Steps, true).whole(&frame), 0.0..1000.0);
        let axis = TimeAxis::of(&frame, Clock::Gradients, true);
        assert_eq!(axis.whole(&frame), 0.0..2000.0);
        assert!((axis.places(&(0.0..2000.0)).start + 1.0).abs() < 1e-12, "a step of the cheap run costs a tenth");
        assert!(axis.places(&(0.0..0.1)).end > -1.0, "a single step has a width");
    }
}
