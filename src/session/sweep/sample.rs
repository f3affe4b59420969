//! Some draws of a cell of a sweep with the first seed, for a small picture of it, computed piece by piece.

use std::sync::Arc;

use super::super::run::Run;
use super::SweepPlan;
use crate::math::Point;
use crate::params::ParamError;
use crate::scenario::RunPlan;
use crate::targets::Target;

/// Most draws of a sample.
const MOST: u64 = 3000;

/// Positions of a piece: a few milliseconds of work.
const PIECE: u64 = 1 << 17;

/// A sample of the draws of a cell in the making.
#[derive(Debug)]
pub struct CellSample {
    plan: Arc<SweepPlan>,
    run_plan: Arc<RunPlan>,
    /// `None` once it has ended.
    run: Option<Run>,
    /// The number of the target at the end of the run, whose draws are kept.
    span: usize,
    /// Of all collected positions every so many are kept.
    stride: u64,
    /// Collected positions so far.
    seen: u64,
    draws: Vec<Point>,
}

impl CellSample {
    /// The sample of cell number `cell`, before its first step.
    ///
    /// # Errors
    /// If the cell cannot be built.
    pub fn new(plan: &Arc<SweepPlan>, cell: usize) -> Result<Self, Vec<ParamError>> {
        let run_plan = Arc::new(plan.cell_scenario(cell)?.build_run(plan.run, plan.timeline.spans())?);
        let span = plan.timeline.span_at(run_plan.steps);
        let (chains, since) = (run_plan.chains as u64, plan.timeline.spans()[span].from);
        let collected = (since + 1..=run_plan.steps).filter(|step| run_plan.collects(*step)).count() as u64;
        let stride = (collected * chains).div_ceil(MOST).max(1);
        // A prime to the number of chains, so that every chain has its share.
        let stride = if chains > 1 && stride.is_multiple_of(chains) { stride + 1 } else { stride };
        let mut run = Run::new(run_plan.clone(), &plan.timeline, (plan.scenario.seed, plan.run as u64), None);
        run.forget_the_way();
        Ok(Self { plan: plan.clone(), run_plan, run: Some(run), span, stride, seen: 0, draws: Vec::new() })
    }

    /// Takes some steps, or ends the sample; returns whether it has ended.
    pub fn advance(&mut self) -> bool {
        let Some(run) = &mut self.run else { return true };
        let piece = (PIECE / run.work().max(1) as u64).max(1);
        run.advance(piece, &self.plan.timeline);
        let (history, since) = (run.take_history(), self.plan.timeline.spans()[self.span].from);
        let collected = |row: &usize| {
            let step = history.step(*row);
            step > since && self.run_plan.collects(step)
        };
        for row in (0..history.rows()).filter(collected) {
            for chain in 0..history.chains() {
                let kept = self.seen.is_multiple_of(self.stride);
                self.draws.extend(history.position(row, chain).filter(|_| kept));
                self.seen += 1;
            }
        }
        if run.step() < run.steps() {
            return false;
        }
        if let Some(fits) = run.frame(since).fits {
            self.draws = fits.draws.iter().copied().take(MOST as usize).collect();
        }
        self.run = None;
        true
    }

    /// The draws, in the plane that is drawn: those of a sampler in the order of its steps.
    #[must_use]
    pub fn into_draws(self) -> Vec<Point> {
        self.draws
    }

    /// The target at the end of the run.
    #[must_use]
    pub fn target(&self) -> Arc<dyn Target> {
        self.plan.timeline.context(self.span).target.clone()
    }
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

    #[test]
    fn approximations_have_draws_too() {
        let text = SCENARIO.split("[[run]]").next().unwrap().to_owned()
            + "[[run]]\nname = \"VI\"\nmethod = \"gaussian-vi\"\n[sweep]\n\
               axes = [{ parameter = \"steps\", from = 10, to = 20, count = 2 }]\n";
        let (_, sample) = sample(&text, 1);
        assert!(sample.target().info().dimension == 2 && !sample.into_draws().is_empty());
    }
}
