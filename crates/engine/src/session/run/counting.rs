//! Counts of the draws of a run.
//!
//! Counting draws takes half as long as drawing them. So a run begins to count when somebody looks at its counts: those of the steps
//! before are made from the history then, and from there on every chunk is counted while it is in cache. The counts have the same bits
//! either way. What the history is about to lose is counted before.

use std::sync::Arc;

use rayon::prelude::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::super::history::{DrawDetails, RowSlice, Track};
use super::planned::Planned;
use super::{Run, RunState};
use crate::diagnostics::{DrawCounts, Totals, Truth};
use base::math::Simd;
use samplers::methods::Course;

/// Steps of the history that are counted at once: those of a range of steps.
const AT_ONCE: u64 = super::step_ranges::RANGE_LIMITS.0;

/// Counts of the draws of all blocks up to a step.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    blocks: Vec<BlockCounts>,
    /// The last step that is counted, of the present target.
    pub to: u64,
}

/// Counts of the draws of one block.
#[derive(Clone, Debug)]
pub(super) struct BlockCounts {
    draws: DrawCounts,
    /// Draws after divergent transitions, and those of a warm-up.
    divergent: u64,
    warm_up: u64,
    /// Memory for weights.
    weights: Vec<f64>,
}

impl Counts {
    /// Counts of `blocks` blocks without draws. Draws after step `to` are counted next.
    pub fn new(blocks: usize, truth: &Truth, to: u64) -> Self {
        Self {
            blocks: vec![
                BlockCounts { draws: DrawCounts::new(truth), divergent: 0, warm_up: 0, weights: Vec::new() };
                blocks
            ],
            to,
        }
    }

    /// The counts of each block, to which all steps up to `step` are to be added, in parallel.
    pub fn up_to(&mut self, step: u64) -> &mut [BlockCounts] {
        self.to = step;
        &mut self.blocks
    }

    /// These counts, or the `others` if they go up to a later step.
    fn or_more<'a>(self: &'a Arc<Self>, others: Option<&'a Arc<Self>>) -> &'a Arc<Self> {
        others.filter(|others| others.to > self.to).unwrap_or(self)
    }

    /// The counts of all blocks together.
    fn merged(&self, truth: &Truth) -> DrawCounts {
        let mut blocks = self.blocks.iter().map(|block| &block.draws);
        let first = blocks.next().cloned().unwrap_or_else(|| DrawCounts::new(truth));
        blocks.fold(first, DrawCounts::merged)
    }
}

impl BlockCounts {
    /// Adds steps with these planned weights, each times that which the method has given to its draws, if it has.
    pub fn add(
        &mut self,
        (simd, truth): (Simd, &Truth),
        (planned, details): (&[f64], DrawDetails<'_>),
        [x, y]: [&[f64]; 2],
    ) {
        let chains = details.transitions.len() / planned.len().max(1);
        if chains > 0 {
            let collected = details.transitions.chunks_exact(chains).zip(planned).filter(|(_, weight)| **weight > 0.0);
            for transition in collected.flat_map(|(row, _)| row) {
                self.divergent += u64::from(transition.is_divergent());
                self.warm_up += u64::from(transition.course == Course::WarmUp);
            }
        }
        if details.weights.is_empty() {
            return self.draws.add_rows(simd, truth, planned, x, y);
        }
        self.weights.clear();
        self.weights.extend(planned.iter().zip(details.weights).map(|(planned, own)| planned * own));
        self.draws.add_rows(simd, truth, &self.weights, x, y);
    }
}

impl Run {
    /// Counts every step from the next one on while it is in cache: for a run at whose counts somebody will look.
    pub fn count_at_once(&mut self) {
        self.counts_at_once = true;
    }

    /// Number of collected draws.
    pub fn draws(&self) -> u64 {
        self.counted().blocks.iter().map(|block| block.draws.draws()).sum()
    }

    /// What is known of all draws, of which these are the counts.
    pub(super) fn totals(&self, counts: &DrawCounts) -> Totals {
        let blocks = &self.counted().blocks;
        let divergent = blocks.iter().map(|block| block.divergent).sum();
        let warm_up = blocks.iter().map(|block| block.warm_up).sum();
        Totals { divergent, warm_up, ..counts.totals(&self.context.truth) }
    }

    /// The counts of all blocks together.
    pub fn counts(&self) -> DrawCounts {
        self.counted().merged(&self.context.truth)
    }

    /// The counts up to the newest step.
    fn counted(&self) -> &Counts {
        if self.state.counts.to == self.state.step {
            return &self.state.counts;
        }
        self.late_counts.get_or_init(|| self.caught_up(&self.state.counts, self.state.step))
    }

    /// These counts, of the present target, with the steps up to `step`.
    fn caught_up(&self, counts: &Arc<Counts>, step: u64) -> Arc<Counts> {
        let mut caught_up = counts.clone();
        let Counts { blocks, to } = Arc::make_mut(&mut caught_up);
        let mut planned = Planned::default();
        while *to < step {
            let end = self.plan.next_segment_after(*to).unwrap_or(step).min(step).min(*to + AT_ONCE);
            let rows = self.history.row_from(*to + 1)..self.history.row_from(end + 1);
            debug_assert_eq!(rows.len() as u64, end - *to, "every step is in the history");
            let segment = self.plan.segment_of(*to + 1);
            planned.fill(segment, self.context.simd, *to + 1, rows.len());
            planned.weigh(segment, *to + 1);
            let of = (self.context.simd, &*self.context.truth);
            let count = |(block, track): (&mut BlockCounts, &Track)| {
                for RowSlice { rows, details, at } in track.slices(rows.clone()) {
                    block.add(of, (&planned.weights[rows], details), at);
                }
            };
            blocks.par_iter_mut().zip(self.history.tracks()).for_each(count);
            *to = end;
        }
        caught_up
    }

    /// Takes over what was counted because somebody has looked, who will look again.
    pub(super) fn keep_late_counts(&mut self) {
        if let Some(counts) = self.late_counts.take() {
            self.state.counts = counts;
            self.counts_at_once = true;
        }
    }

    /// Counts the steps up to every checkpoint, before the history loses some of them or the target changes.
    pub(super) fn settle_checkpoints(&mut self) {
        let mut checkpoints = std::mem::take(&mut self.checkpoints);
        let mut newest: Option<Arc<Counts>> = None;
        for RunState { counts, step, .. } in &mut checkpoints {
            if counts.to < *step {
                *counts = self.caught_up(counts.or_more(newest.as_ref()), *step);
            }
            newest = Some(counts.clone());
        }
        self.checkpoints = checkpoints;
    }

    /// The same up to the newest step as well.
    pub(super) fn settle(&mut self) {
        self.settle_checkpoints();
        self.catch_up();
    }

    /// Counts the steps up to the newest one.
    pub(super) fn catch_up(&mut self) {
        if self.state.counts.to < self.state.step {
            let newest = self.checkpoints.last().map(|checkpoint| &checkpoint.counts);
            self.state.counts = self.caught_up(self.state.counts.or_more(newest), self.state.step);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::scenario::read;
    use crate::session::{Command, Frame, Session};

    fn session(target: &str, runs: &str) -> Session {
        let text = format!("format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"{target}\"\n{runs}");
        Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap()
    }

    /// What frames say of draws, to the last bit.
    fn said(frame: &Frame) -> Vec<(u64, Vec<u64>)> {
        let of = |run: &crate::session::RunFrame| {
            let moments = run.moments.iter().flat_map(|fit| fit.mean.iter().chain(fit.covariance.iter()).copied());
            let totals = run.totals;
            let counts = [totals.visits, totals.switches, totals.outside, totals.far, totals.divergent, totals.warm_up]
                .map(|count| count as f64);
            let outside =
                run.outskirts.filled(&run.cloud_grid).flat_map(|(cell, number)| [cell.min.x, cell.min.y, number]);
            let all = counts.into_iter().chain([totals.effective]).chain(moments).chain(run.cloud.iter().copied());
            let all = all.chain(outside);
            (run.collected, all.map(f64::to_bits).collect())
        };
        frame.runs.iter().map(of).collect()
    }

    /// Goes to a step.
    type Go<'a> = &'a dyn Fn(&mut Session, u64);

    /// Counts made at the end are those of a run at which somebody looks all the time, also after what `meanwhile` does.
    fn check(target: &str, runs: &str, meanwhile: &dyn Fn(&mut Session, Go<'_>)) {
        let often = |session: &mut Session, until: u64| {
            while session.step() < until {
                session.advance(617.min(until - session.step()));
                drop(session.frame());
            }
        };
        let late = |session: &mut Session, until: u64| session.advance(until - session.step());
        let [mut looked, mut alone] = [session(target, runs), session(target, runs)];
        meanwhile(&mut looked, &often);
        meanwhile(&mut alone, &late);
        let (expected, found) = (said(&looked.frame()), said(&alone.frame()));
        assert!(found.iter().all(|(draws, _)| *draws > 0));
        assert!(found == expected, "{target}: {runs}");
        // Somebody has looked: from here on both count as they go.
        for session in [&mut looked, &mut alone] {
            session.apply(Command::Seek(session.total())).unwrap();
        }
        assert!(said(&alone.frame()) == said(&looked.frame()), "{target}: {runs}, later");
    }

    const CYCLES: &str = "[[run]]\nname = \"A\"\nmethod = \"csgld\"\nsteps = 5000\nchains = 20\n\
                          [[run]]\nname = \"B\"\nmethod = \"contour-sgld\"\nsteps = 3000\n";

    #[test]
    fn counts_made_late_have_the_same_bits() {
        check("gaussian-grid", CYCLES, &|session, go| go(session, 4000));
    }

    #[test]
    fn counts_go_back_to_checkpoints_that_were_not_counted() {
        check("gaussian-grid", CYCLES, &|session, go| {
            go(session, 4500);
            session.apply(Command::Seek(2700)).unwrap();
            go(session, 2900);
            session.apply(Command::Restart).unwrap();
            go(session, 3100);
            session.apply(Command::Seek(1500)).unwrap();
        });
    }

    #[test]
    fn a_history_that_is_taken_is_counted() {
        check("gaussian-grid", CYCLES, &|session, go| {
            go(session, 2500);
            assert!(session.take_history(0).rows() > 0);
            go(session, 4100);
            session.apply(Command::Seek(2300)).unwrap();
        });
    }

    #[test]
    fn counts_belong_to_their_target_and_method() {
        let events = "[[event]]\nrun = \"A\"\nstep = 1200\nset = { method = \"sgld\" }\n\
                      [[event]]\nstep = 2100\ntarget = { kind = \"banana\" }\n";
        let runs = format!("{CYCLES}{events}");
        check("gaussian-grid", &runs, &|session, go| {
            go(session, 2600);
            session.apply(Command::Seek(1700)).unwrap();
        });
        check("gaussian-grid", &runs, &|session, go| go(session, 3500));
    }

    /// A narrow Gaussian, on which steps of 20 are divergent, and steps of 0.01 are not.
    fn narrow(method: &str, step: f64, more: &str) -> Session {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"gaussian\"\nsd = [0.01, 1.0]\ncorrelation = 0.0\n[[run]]\n\
             name = \"A\"\nmethod = \"{method}\"\nchains = 2\nsteps = 300\nstep_size = {{ kind = \"constant\", value = {step} }}\n{more}"
        );
        Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap()
    }

    fn divergent(session: &mut Session) -> u64 {
        session.advance(300);
        session.frame().runs[0].totals.divergent
    }

    /// The reported H and log p add up: the rest is ½ r², whose mean is 1 in the plane (a standard error of 0.04 of 600 draws).
    fn check_energies(session: &Session) {
        let (frame, mut kinetic) = (session.frame(), 0.0);
        let (history, density) = (&frame.runs[0].history, frame.target.density().unwrap());
        for row in 1..history.rows() {
            for chain in 0..2 {
                let (at, transition) = (history.position(row, chain).unwrap(), history.transition(row, chain).unwrap());
                assert!(
                    (transition.log_density - density.log_density(at)).abs()
                        < 1e-9 * transition.log_density.abs() + 1e-9
                );
                let rest = transition.energy + transition.log_density;
                assert!(
                    rest >= 0.0 && transition.leapfrog_steps > 0 && (0.0..=1.0).contains(&transition.acceptance),
                    "{transition:?}"
                );
                kinetic += rest / 600.0;
            }
        }
        assert!((kinetic - 1.0).abs() < 0.2, "{kinetic}");
        assert!(history.transition(0, 0).is_none(), "the start");
    }

    #[test]
    fn divergent_transitions_are_counted_as_stan_does() {
        for method in ["nuts", "hmc"] {
            let mut all = narrow(method, 20.0, "");
            assert_eq!(divergent(&mut all), 600, "{method}: every transition");
            let collected = "collect = { burn_in = 100, thin = 4 }\n";
            assert_eq!(divergent(&mut narrow(method, 20.0, collected)), 100, "{method}: those of collected draws");
            let mut sound = narrow(method, 0.01, "");
            assert_eq!(divergent(&mut sound), 0, "{method}");
            check_energies(&sound);
            all.apply(Command::Seek(150)).unwrap();
            assert_eq!(all.frame().runs[0].totals.divergent, 300, "{method}: back");
        }
        let warm_up = "adapt_step_size = true\nwarm_up = 300\n";
        assert_eq!(divergent(&mut narrow("nuts", 2.0, warm_up)), 0, "the warm-up does not count");
        assert_eq!(divergent(&mut narrow("hmc", 2.0, "metropolis = false\n")), 0, "without energies");
        assert_eq!(divergent(&mut narrow("mala", 2.0, "")), 0, "without dynamics");
    }

    /// The adapted step sizes are reported for every chain, also at steps to come; a run with exactly these accepts as often.
    #[test]
    fn adapted_step_sizes_are_told() {
        let mut adapted = narrow("nuts", 0.5, "adapt_step_size = true\nwarm_up = 200\n");
        adapted.advance(250);
        let run = adapted.frame().runs[0].clone();
        let sizes: Vec<f64> = run.history.step_sizes().unwrap().into_iter().flatten().collect();
        assert!(sizes.iter().all(|h| (0.003..0.03).contains(h)) && (sizes[0] - sizes[1]).abs() > 1e-9, "{sizes:?}");
        for (chain, h) in sizes.iter().enumerate() {
            assert!([220, 250, 300].iter().all(|step| (run.step_size(chain, *step) / h - 1.0).abs() < 1e-12));
        }
        assert!((run.step_size(0, 1) - 0.5).abs() < 1e-12, "the first is that of the schedule");
        let fixed = narrow("nuts", 0.5, "");
        assert!((fixed.frame().runs[0].step_size(0, 17) - 0.5).abs() < 1e-12);
    }

    /// On a flat density every step is accepted. The adapted step stays as long as the support, and draws are uniform: of 4000
    /// draws with an ESS above 400, mean and variance have standard errors below 0.015 and 0.004.
    #[test]
    fn a_flat_density_keeps_its_digits_under_adaptation() {
        for (support, long) in [("min = 0, max = 1", 1.0), ("min = -300, max = 700", 1000.0)] {
            let text = format!(
                "format = 1\nseed = 1\n[target]\nkind = \"formula\"\ndensity = \"0 x\"\nparameters = {{}}\n\
                 support_x = {{ kind = \"between\", {support} }}\n[[run]]\nname = \"A\"\nmethod = \"nuts\"\nchains = 4\n\
                 steps = 1500\nwarm_up = 500\nadapt_step_size = true\ncollect = {{ burn_in = 500 }}\n"
            );
            let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
            session.advance(1500);
            let run = session.frame().runs[0].clone();
            let sizes: Vec<f64> = run.history.step_sizes().unwrap().into_iter().flatten().collect();
            assert!(sizes.iter().all(|h| *h <= 1.001 * long && *h > 0.1 * long), "{sizes:?}");
            let (draws, middle) = (run.moments.unwrap(), session.frame().target.info().mean.x);
            assert!((draws.mean.x - middle).abs() < 0.06 * long, "{draws:?}");
            assert!((draws.covariance[(0, 0)] / (long * long) - 1.0 / 12.0).abs() < 0.012, "{draws:?}");
            let mut values: Vec<u64> =
                (501..=1500).map(|row| run.history.position(row, 0).unwrap().x.to_bits()).collect();
            values.sort_unstable();
            values.dedup();
            assert_eq!(values.len(), 1000, "every draw is another number");
        }
    }

    /// What the history drops when it thins has been counted, and what it leaves out from then on is counted at once.
    #[test]
    fn draws_that_the_history_thins_out_are_counted() {
        let run = "[[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 3400\nchains = 4096\n";
        check("gaussian-grid", run, &|session, go| {
            go(session, 3200);
            assert_eq!(session.frame().runs[0].history.stride(), 2);
            session.apply(Command::Seek(1500)).unwrap();
            go(session, 1600);
        });
    }
}
