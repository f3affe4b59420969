//! Repeats of a scenario with other seeds, measured along the way: the data of convergence plots.
//!
//! A repeat is the same scenario with another seed, measured at [`stops`] that follow each other at equal distances on
//! a logarithmic axis. Repeat 0 has the scenario's own seed, repeat r the seed r further on, so that each of them can
//! be looked at by itself.

use base::platform::{now, pause};
use std::ops::ControlFlow;

use crate::diagnostics::Measure;
use crate::scenario::Scenario;
use base::params::ParamError;

use super::Session;
use super::analysis::{Analyser, dependence};
use super::quantities;

/// Stops in each power of ten of steps.
const PER_DECADE: f64 = 8.0;

/// Positions computed between two reports of progress.
const WORK_PER_CALL: u64 = 1 << 18;

/// Which measures are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// Measures against the truth, and of named quantities.
    Truth,
    /// Measures of an [`Analysis`](super::Analysis).
    Analysis,
    /// All.
    All,
}

/// A run at one of its stops.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// Steps taken.
    pub step: u64,
    /// Evaluations spent by all chains, see [`RunFrame::evaluations`](super::RunFrame::evaluations).
    pub evaluations: f64,
    /// The measures; with floors in repeat 0 only. Where the run ends they are all of them, those that were asked for first.
    pub measures: Vec<Measure>,
}

/// One repeat: the stops of every run.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeat {
    /// Its seed.
    pub seed: u64,
    /// The stops of every run, in the order of the scenario.
    pub runs: Vec<Vec<Stop>>,
}

/// The steps at which a run of `total` steps is measured: up to eight in every power of ten, and the last.
#[must_use]
#[expect(clippy::cast_sign_loss, reason = "rounded numbers of steps")]
pub fn stops(total: u64) -> Vec<u64> {
    let mut found: Vec<u64> = (0..)
        .map(|number| libm::pow(10.0, f64::from(number) / PER_DECADE).round() as u64)
        .take_while(|&step| step < total)
        .collect();
    found.push(total);
    found.dedup();
    found
}

/// A repeat under way, which is computed some steps at a time.
#[derive(Debug)]
pub struct RepeatRun {
    session: Session,
    analyser: Analyser,
    taken: Taken,
    seed: u64,
    /// Whether noise floors are computed.
    floors: bool,
    /// Steps in one call, at most.
    steps_per_call: u64,
    /// The stops to come, the next at the end.
    stops: Vec<u64>,
    runs: Vec<Vec<Stop>>,
}

impl RepeatRun {
    /// Repeat number `number`, before its first step.
    ///
    /// # Errors
    /// If the scenario cannot be built: every reason, each with its key.
    pub fn new(scenario: &Scenario, number: u64, taken: Taken) -> Result<Self, Vec<ParamError>> {
        let seed = scenario.seed.wrapping_add(number);
        let session = Session::new(Scenario { seed, ..scenario.clone() })?;
        let analyser = if number == 0 { Analyser::default() } else { Analyser::without_floors() };
        let mut stops = stops(session.total());
        stops.reverse();
        Ok(Self {
            steps_per_call: (WORK_PER_CALL / session.work().max(1) as u64).max(1),
            runs: vec![Vec::new(); session.runs.len()],
            floors: number == 0,
            session,
            analyser,
            taken,
            seed,
            stops,
        })
    }

    /// The share of the steps that is taken, from 0 to 1.
    #[must_use]
    pub fn share(&self) -> f32 {
        share(self.session.step(), self.session.total())
    }

    /// Takes some steps, up to the next stop at most, and measures there, with pauses. Returns whether the repeat is complete.
    pub async fn advance(&mut self) -> bool {
        let Some(&stop) = self.stops.last() else { return true };
        if self.session.step() < stop {
            self.session.advance(self.steps_per_call.min(stop - self.session.step()));
        }
        if self.session.step() >= stop {
            self.session.note(stop, self.taken, self.floors, &mut self.analyser, &mut self.runs).await;
            self.stops.pop();
        }
        self.stops.is_empty()
    }

    /// The stops so far; all of them of a repeat that is complete.
    #[must_use]
    pub fn finish(self) -> Repeat {
        Repeat { seed: self.seed, runs: self.runs }
    }
}

/// Computes repeat number `number`. `heard` receives the share that is done, from 0 to 1, and can break off: then the
/// result is `None`.
///
/// # Errors
/// If the scenario cannot be built: every reason, each with its key.
pub fn repeat(
    scenario: &Scenario,
    number: u64,
    taken: Taken,
    mut heard: impl FnMut(f32) -> ControlFlow<()>,
) -> Result<Option<Repeat>, Vec<ParamError>> {
    let mut run = RepeatRun::new(scenario, number, taken)?;
    loop {
        let complete = now(run.advance());
        if heard(run.share()).is_break() {
            return Ok(None);
        }
        if complete {
            return Ok(Some(run.finish()));
        }
    }
}

fn share(step: u64, total: u64) -> f32 {
    (step as f64 / total.max(1) as f64) as f32
}

impl Session {
    /// Records the measures of all runs that are at `stop`, or have ended since the one before.
    async fn note(&mut self, stop: u64, taken: Taken, floors: bool, analyser: &mut Analyser, runs: &mut [Vec<Stop>]) {
        let frame = self.frame();
        for (index, noted) in runs.iter_mut().enumerate() {
            let step = self.runs[index].step();
            if noted.last().is_some_and(|last: &Stop| last.step == step) {
                continue;
            }
            debug_assert!(step <= stop, "runs go no further than asked");
            let shown = &frame.runs[index];
            let ends = step >= shown.plan.steps;
            let mut measures = Vec::new();
            if taken == Taken::Analysis {
                measures.extend(analyser.analyse(&frame, shown).await.written());
            }
            if ends || taken != Taken::Analysis {
                let run = &self.runs[index];
                let floor = if floors { self.floor.exact(run.measured_draws()).await } else { None };
                pause().await;
                measures.extend(run.measurable().measure(floor.as_ref()).await);
            }
            if taken == Taken::All || (ends && taken == Taken::Truth) {
                measures.extend(analyser.analyse(&frame, shown).await.written());
            } else if taken == Taken::Truth {
                measures.extend(quantities::measured(&frame, shown, dependence(shown)).await);
            }
            let run = &self.runs[index];
            noted.push(Stop { step, evaluations: run.gradient_evaluations() + run.density_evaluations(), measures });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::diagnostics::TRUTH_MEASURES;
    use crate::scenario::read;
    use crate::session::analysis_measures;

    fn scenario() -> Scenario {
        let text = r#"
format = 1
title = "Two runs"
seed = 7
[target]
kind = "gaussian-grid"
[[run]]
name = "SGLD"
method = "sgld"
chains = 2
steps = 1000
step_size = { kind = "constant", value = 0.01 }
[[run]]
name = "cSGLD"
method = "csgld"
steps = 150
"#;
        read(text, "test", Path::new(".")).unwrap()
    }

    fn made(number: u64, taken: Taken) -> Repeat {
        repeat(&scenario(), number, taken, |_| ControlFlow::Continue(())).unwrap().unwrap()
    }

    #[test]
    fn stops_are_evenly_spread_over_powers_of_ten_and_end_with_the_run() {
        assert_eq!(stops(1), [1]);
        assert_eq!(stops(10), [1, 2, 3, 4, 6, 7, 10]);
        let long = stops(50_000);
        assert!(long.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!((long[0], *long.last().unwrap()), (1, 50_000));
        assert!(long.iter().filter(|step| (1000..10_000).contains(*step)).count() == 8);
    }

    /// The last stop of a repeat is what a session shows at its end, for the scenario's own seed and for the next.
    #[test]
    fn repeats_are_the_runs_of_the_seeds_that_follow() {
        for (number, taken) in [(0, Taken::Truth), (3, Taken::Truth), (1, Taken::Analysis), (2, Taken::All)] {
            let repeat = made(number, taken);
            assert_eq!(repeat.seed, 7 + number);
            let mut session = Session::new(Scenario { seed: repeat.seed, ..scenario() }).unwrap();
            session.advance(u64::MAX);
            session.measure_exactly();
            session.analyse();
            for (stops, run) in repeat.runs.iter().zip(&session.frame().runs) {
                let last = stops.last().unwrap();
                assert_eq!((last.step, last.evaluations), (run.step, run.evaluations()));
                // Both are there at the end, those that were asked for first.
                let (truth, slow) = match taken {
                    Taken::Analysis => {
                        (&last.measures[last.measures.len() - TRUTH_MEASURES.len()..], &last.measures[..])
                    }
                    _ => (&last.measures[..], &last.measures[TRUTH_MEASURES.len()..]),
                };
                let bare = |one: &Measure| Measure { floor: None, ..one.clone() };
                let expected: Vec<Measure> = run.analysis.written().map(|one| bare(&one)).collect();
                assert!(slow.iter().take(expected.len()).map(bare).eq(expected.iter().cloned()));
                let values = |measures: &[Measure]| measures.iter().map(|one| one.value).collect::<Vec<_>>();
                assert_eq!(values(&truth[..TRUTH_MEASURES.len()]), values(&run.measures));
                let floors = |measures: &[Measure]| measures.iter().map(|one| one.floor).collect::<Vec<_>>();
                let none = vec![None; TRUTH_MEASURES.len()];
                let expected = if number == 0 { floors(&run.measures) } else { none };
                assert_eq!(floors(&truth[..TRUTH_MEASURES.len()]), expected);
            }
        }
    }

    #[test]
    fn every_run_stops_where_it_can() {
        let repeat = made(0, Taken::Analysis);
        let steps = |run: usize| repeat.runs[run].iter().map(|stop| stop.step).collect::<Vec<_>>();
        assert_eq!(steps(0), stops(1000));
        assert_eq!(*steps(1).last().unwrap(), 150, "a run that ends between two stops has one at its end");
        for stops in &repeat.runs {
            let (last, before) = stops.split_last().unwrap();
            assert!(before.iter().all(|stop| stop.measures.len() == analysis_measures().count()));
            assert!(last.measures.len() >= analysis_measures().count() + TRUTH_MEASURES.len());
        }
    }

    #[test]
    fn a_repeat_tells_how_far_it_is_and_can_be_broken_off() {
        // Without noise floors, which take most of the time.
        let mut heard = Vec::new();
        let all = repeat(&scenario(), 1, Taken::Truth, |share| {
            heard.push(share);
            ControlFlow::Continue(())
        });
        assert!(all.unwrap().is_some());
        assert!(heard.windows(2).all(|pair| pair[0] < pair[1]) && *heard.last().unwrap() > 0.9999);
        let broken = repeat(&scenario(), 1, Taken::Truth, |share| {
            if share > 0.5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(broken.unwrap(), None);
    }
}
