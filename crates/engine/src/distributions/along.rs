//! What a run has collected so far, in measures along its steps, on one grid: curves without noise, for pictures.
//!
//! It goes on in parts with a bounded amount of work, so that it can be left at any time.

use exact::Masses;

use super::NotComputed;
use super::level::{Cut, Level};
use super::plan::Computable;
use super::reading::{Reader, Sum};
use super::region::Region;
use super::solve::refuse;
use super::work::{cost, may_be_drawn};
use crate::diagnostics::{Measure, Truth};

/// Measures of what is collected until a step.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredAt {
    /// The step.
    pub step: u64,
    /// Measures of endlessly many draws, by their keys.
    pub measures: Vec<Measure>,
}

/// A curve under way.
#[derive(Debug)]
pub struct Along {
    of: Computable,
    truth: Truth,
    cut: Cut,
    stops: Vec<u64>,
    at: Option<(u64, Vec<Masses>, Sum)>,
    found: Vec<MeasuredAt>,
}

impl Along {
    /// The curve of a run on one target, at these steps in ascending order.
    ///
    /// # Errors
    /// With the reason in words, if there is no box for it, or it takes too long. `go_on` says whether to look for a box any longer.
    pub fn new(of: Computable, mut stops: Vec<u64>, go_on: &mut dyn FnMut() -> bool) -> Result<Self, NotComputed> {
        if of.spans.len() > 1 {
            return Err(NotComputed::Unsuited("the target changes"));
        }
        stops.retain(|step| (1..=of.plan.steps).contains(step));
        let cut = Region::of(&of, go_on)?.cut(0);
        let truth = Truth::of(of.spans[0].target.as_ref());
        may_be_drawn(&of, cut.nodes, stops.last().copied().unwrap_or(0))?;
        Ok(Self { of, truth, cut, stops, at: None, found: Vec::new() })
    }

    /// The measures so far.
    #[must_use]
    pub fn found(&self) -> &[MeasuredAt] {
        &self.found
    }

    /// Goes on with about so much `work`, additions to cells; returns whether the curve is complete.
    ///
    /// # Errors
    /// If the run cannot be followed any further; what was found stays.
    pub fn advance(&mut self, work: f64) -> Result<bool, NotComputed> {
        let Some(&last) = self.stops.last() else { return Ok(true) };
        let cost = cost(&self.of, self.cut.nodes);
        let Self { of, truth, cut, stops, at, found } = self;
        let level = Level::new(of, *cut)?;
        let reader = Reader::new(&level, 0, truth);
        let mut movers = level.movers();
        let (mut number, mut masses, mut sum) = match at.take() {
            Some(at) => at,
            None => (0, Vec::new(), reader.empty()),
        };
        let mut left = work;
        while number < last && left > 0.0 {
            number += 1;
            let step = of.step(number);
            if number == 1 {
                masses = level.first(&of.start()?)?;
            } else {
                Level::push(&mut movers, number, &step, &mut masses)?;
            }
            if step.weight > 0.0 {
                reader.add(&mut sum, &masses, step.weight);
            }
            if stops.contains(&number)
                && let Some(mean) = sum.clone().mean()
            {
                mean.factors.iter().try_for_each(|masses| refuse(of, masses).map(drop))?;
                found.push(MeasuredAt { step: number, measures: reader.numbers(&mean).0.measures });
            }
            left -= cost;
        }
        *at = Some((number, masses, sum));
        Ok(number >= last)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::distributions::Ask;
    use crate::scenario::read;

    fn computable(run: &str) -> Computable {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 5\n[target]\nkind = \"gaussian-grid\"\nrows = 3\ncolumns = 3\nvariance = 0.1\n[[run]]\nname = \"A\"\n{run}\n"
        );
        let scenario = read(&text, "x.toml", Path::new("")).unwrap();
        Computable::new(&scenario.build().unwrap(), 0).unwrap()
    }

    const RUN: &str = "method = \"sgld\"\nchains = 1\nsteps = 90\ncollect = { burn_in = 10 }\nstart = { kind = \"point\", x = 0.5, y = 0.5 }\n\
         step_size = { kind = \"constant\", value = 0.02 }";

    fn whole(of: Computable, stops: Vec<u64>, work: f64) -> Vec<MeasuredAt> {
        let mut along = Along::new(of, stops, &mut || true).unwrap();
        while !along.advance(work).unwrap() {}
        along.found
    }

    /// The measures where the run ends are those of a run that has as many steps.
    #[test]
    fn measures_along_a_run_are_those_of_shorter_runs() {
        let found = whole(computable(RUN), vec![5, 40, 90], f64::INFINITY);
        assert_eq!(found.iter().map(|at| at.step).collect::<Vec<_>>(), [40, 90], "nothing is collected at step 5");
        for at in found {
            let shorter = computable(&RUN.replace("steps = 90", &format!("steps = {}", at.step)));
            let expected = shorter.solve(&Ask { collected: true, ..Ask::default() }, &mut |_| true).unwrap();
            let expected = expected.collected.unwrap();
            for measure in &at.measures {
                if let (Some(found), Some(expected)) = (measure.value, expected.measure(measure.key)) {
                    let error = (found - expected.value).abs();
                    assert!(error <= 1e-5 + expected.difference, "{}: {found}, not {expected:?}", measure.key);
                }
            }
            assert!(at.measures.iter().filter(|measure| measure.value.is_some()).count() > 5);
        }
    }

    #[test]
    fn pieces_change_no_bit_and_who_asked_can_leave() {
        let whole_at_once = whole(computable(RUN), vec![20, 90], f64::INFINITY);
        assert_eq!(whole(computable(RUN), vec![20, 90], 1.0), whole_at_once);
        assert_eq!(Along::new(computable(RUN), vec![20], &mut || false).unwrap_err(), NotComputed::Ended);
    }
}
