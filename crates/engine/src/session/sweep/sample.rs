//! Some draws of a cell of a sweep with the first seed, for a small picture of it, computed some steps at a time.
//!
//! They stand for all collected draws alike: of their weights, one after the other, every so much is passed, and the draw at which
//! that happens is kept; several times if its weight is that large.

use std::sync::Arc;

use super::super::run::Run;
use super::SweepPlan;
use crate::scenario::RunPlan;
use base::math::Point;
use base::params::ParamError;
use models::targets::Target;

/// Most draws of a sample.
const MOST: u64 = 3000;

/// Positions computed in one call: a few milliseconds of work.
const POSITIONS_PER_CALL: u64 = 1 << 17;

/// A sample of the draws of a cell in the making.
#[derive(Debug)]
pub struct CellSample {
    plan: Arc<SweepPlan>,
    cell: usize,
    run_plan: Arc<RunPlan>,
    /// `None` once it has ended.
    run: Option<Run>,
    /// The number of the target at the end of the run, whose draws are kept.
    span: usize,
    /// The weight of collected positions that one kept draw stands for, and that of all so far.
    each: f64,
    seen: f64,
    draws: Vec<Point>,
}

impl CellSample {
    /// The sample of cell number `cell`, before its first step.
    ///
    /// # Errors
    /// If the cell cannot be built.
    pub fn new(plan: &Arc<SweepPlan>, cell: usize) -> Result<Self, Vec<ParamError>> {
        let (run_plan, timeline) = (Arc::new(plan.build_cell(cell)?), plan.timeline_of(cell));
        let span = timeline.span_at(run_plan.steps);
        let (chains, since) = (run_plan.chains as u64, timeline.spans()[span].from);
        let collected = (since + 1..=run_plan.steps).filter(|step| run_plan.collects(*step));
        let (count, weight) =
            collected.fold((0, 0.0), |(count, weight), step| (count + 1, weight + run_plan.weight(step)));
        let stride = coprime((count * chains).div_ceil(MOST).max(1), chains);
        let each = stride as f64 * if weight > 0.0 { weight / count as f64 } else { 1.0 };
        let mut run = Run::new(run_plan.clone(), timeline, (plan.scenario.seed, plan.run as u64), None);
        run.forget_the_way();
        Ok(Self { plan: plan.clone(), cell, run_plan, run: Some(run), span, each, seen: 0.0, draws: Vec::new() })
    }

    /// Takes some steps, or ends the sample; returns whether it has ended.
    pub fn advance(&mut self) -> bool {
        let Some(run) = &mut self.run else { return true };
        let steps = (POSITIONS_PER_CALL / run.work().max(1) as u64).max(1);
        let timeline = self.plan.timeline_of(self.cell);
        run.advance(steps, timeline);
        let (history, since) = (run.take_history(), timeline.spans()[self.span].from);
        let collected = |row: &usize| {
            let step = history.step(*row);
            step > since && self.run_plan.collects(step)
        };
        for row in (0..history.rows()).filter(collected) {
            let weight = self.run_plan.weight(history.step(row)) * history.weight(row);
            for chain in 0..history.chains() {
                let after = self.seen + weight;
                let passed = (after / self.each).ceil() - (self.seen / self.each).ceil();
                self.seen = after;
                #[expect(clippy::cast_sign_loss, reason = "a small whole number")]
                let times = (passed as usize).min(MOST as usize);
                self.draws
                    .extend(history.position(row, chain).into_iter().flat_map(|at| std::iter::repeat_n(at, times)));
            }
        }
        while self.draws.len() > 2 * MOST as usize {
            // The method gives its draws larger weights than their steps have.
            self.draws = self.draws.iter().copied().step_by(2).collect();
            self.each *= 2.0;
        }
        if run.step() < run.steps() {
            return false;
        }
        if let Some(fits) = run.frame(since).fits {
            let apart = fits.draws.len().div_ceil(MOST as usize).max(1);
            self.draws = fits.draws.iter().copied().step_by(apart).collect();
        }
        self.run = None;
        true
    }

    /// The draws, in the plane that is drawn, which count alike: those of a sampler in the order of its steps.
    #[must_use]
    pub fn into_draws(self) -> Vec<Point> {
        self.draws
    }

    /// The target at the end of the run.
    #[must_use]
    pub fn target(&self) -> Arc<Target> {
        self.plan.timeline_of(self.cell).context(self.span).target.clone()
    }
}

/// The least number from `stride` on without a common divisor with `chains`: every so many positions then belong to all chains
/// in turn.
fn coprime(stride: u64, chains: u64) -> u64 {
    let shared = |stride: u64| {
        let (mut a, mut b) = (stride, chains);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a > 1
    };
    (stride..).find(|stride| !shared(*stride)).unwrap_or(stride)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scenario::read;
    use crate::session::Session;

    const SCENARIO: &str = "format = 1\nseed = 5\n[target]\nkind = \"gaussian-grid\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\n\
        steps = 4000\nchains = 2\ncollect = { burn_in = 100, thin = 3 }\nstep_size = { kind = \"constant\", value = 0.01 }\n[sweep]\n\
        axes = [{ parameter = \"step_size.value\", from = 0.01, to = 0.03, count = 3 }]\n";

    fn sample(text: &str, cell: usize) -> (Arc<SweepPlan>, CellSample) {
        let plan = Arc::new(SweepPlan::new(&read(text, "s", Path::new("")).unwrap()).unwrap());
        let mut sample = CellSample::new(&plan, cell).unwrap();
        while !sample.advance() {}
        (plan, sample)
    }

    /// 1300 steps are collected of 4000, with 2 chains: all of these draws, in their order.
    #[test]
    fn a_sample_has_the_draws_of_a_session_of_the_cell() {
        let (plan, sample) = sample(SCENARIO, 2);
        let mut session = Session::new(plan.scenario_of(2, 0).unwrap()).unwrap();
        session.advance(u64::MAX);
        let frame = session.frame();
        let run = &frame.runs[0];
        let rows = (0..run.history.rows()).filter(|row| run.collects(run.history.step(*row)));
        let expected: Vec<Point> =
            rows.flat_map(|row| [0, 1].map(|chain| run.history.position(row, chain).unwrap())).collect();
        assert_eq!(expected.len(), 2600);
        assert_eq!(sample.into_draws(), expected);
    }

    #[test]
    fn a_long_run_is_thinned_evenly() {
        let (_, sample) = sample(&SCENARIO.replace("steps = 4000", "steps = 400000"), 0);
        // 133 300 steps of 2 chains: every 89th of 266 600 positions.
        assert_eq!(sample.into_draws().len(), 266_600_usize.div_ceil(89));
    }

    /// With 4 chains every sixth position would belong to two of them.
    #[test]
    fn all_chains_have_their_share() {
        assert_eq!(
            [(6, 4), (8, 4), (7, 7), (1, 5), (12, 1)].map(|(stride, chains)| coprime(stride, chains)),
            [7, 9, 8, 1, 12]
        );
    }

    /// Draws that weigh more are chosen more often: those at which the weights so far pass a multiple of the same number.
    #[test]
    fn weights_count() {
        let thin = "collect = { burn_in = 100, thin = 3 }\nstep_size = { kind = \"constant\", value = 0.01 }";
        let weighted =
            "collect = { weighted = true }\nstep_size = { kind = \"polynomial\", a = 0.3, b = 1, gamma = 0.7 }";
        let text = SCENARIO.replace(thin, weighted).replace("step_size.value", "step_size.a");
        let (plan, sample) = sample(&text, 0);
        let mut session = Session::new(plan.scenario_of(0, 0).unwrap()).unwrap();
        session.advance(u64::MAX);
        let frame = session.frame();
        let run = &frame.runs[0];
        let weights: Vec<f64> = (1..=4000).map(|step| run.plan.weight(step)).collect();
        let each = 3.0 * weights.iter().sum::<f64>() / 4000.0;
        let (mut seen, mut next, mut expected) = (0.0, 0.0, Vec::new());
        for (step, weight) in (1..).zip(&weights) {
            for chain in 0..2 {
                seen += weight;
                while next < seen {
                    expected.push(run.history.position(run.history.row_from(step), chain).unwrap());
                    next += each;
                }
            }
        }
        assert!(weights[0] > 20.0 * weights[3999] && expected.iter().filter(|at| **at == expected[0]).count() > 1);
        let found = sample.into_draws();
        assert!(found.len().abs_diff(expected.len()) <= 1, "{} {}", found.len(), expected.len());
        assert_eq!(found[..100], expected[..100]);
    }

    #[test]
    fn approximations_have_draws_too() {
        let text = SCENARIO.split("[[run]]").next().unwrap().to_owned()
            + "[[run]]\nname = \"VI\"\nmethod = \"gaussian-vi\"\n[sweep]\n\
               axes = [{ parameter = \"steps\", from = 10, to = 20, count = 2 }]\n";
        let (_, sample) = sample(&text, 1);
        assert!(sample.target().info().dimension == 2 && !sample.into_draws().is_empty());
    }
}
