//! Measures of a session: those against the truth with their noise floors, and the slow ones.

use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use super::run::{Measurable, Run};
use super::{Analyser, Analysis, Session};
use crate::diagnostics::{Floor, Measure};
use base::platform::{ONE_THREAD, now, pause};

/// Work on the noise floors at one refresh of the measures, in exact draws: a few milliseconds' worth.
const FLOOR_BUDGET: u64 = if ONE_THREAD { 10_000 } else { 100_000 };

/// Measures of all runs against the truth, with what they were computed from.
pub struct Measured(Vec<(Measurable, Vec<Measure>)>);

impl Session {
    /// Keeps the vectors of every collected step of all runs, up to 2 GiB of each, and not of up to 4096 steps. To be called before the
    /// first step.
    pub fn keep_all_vectors(&mut self) {
        self.runs.iter_mut().for_each(Run::keep_all_vectors);
    }

    /// Computes the measures of the next frames, with noise floors as far as they are known. Some exact draws are made
    /// now, the others at the next calls. Returns whether a floor is not complete yet.
    pub fn refresh_measures(&mut self) -> bool {
        let (runs, floor) = (&self.runs, &mut self.floor);
        let draws: Vec<u64> = runs.iter().map(Run::measured_draws).collect();
        // The sampler waits meanwhile, so that all cores are there for it.
        let (there, measured) = rayon::join(
            || advanced(floor, &draws),
            || -> Vec<_> { runs.par_iter().map(|run| now(measured(run.measurable()))).collect() },
        );
        self.set_measures(Measured(measured));
        self.put_floors(&draws);
        !there
    }

    /// The measures of the newest step without their floors, computed beside the steps that follow, with pauses.
    pub fn measuring(&self) -> impl Future<Output = Measured> + Send + 'static {
        let measurable: Vec<Measurable> = self.runs.iter().map(Run::measurable).collect();
        async move {
            let mut all = Vec::with_capacity(measurable.len());
            for one in measurable {
                all.push(measured(one).await);
                pause().await;
            }
            Measured(all)
        }
    }

    /// Puts measures of this session into the next frames, with noise floors as [`refresh_measures`](Self::refresh_measures) does.
    pub fn put_measures(&mut self, measured: Measured) -> bool {
        self.set_measures(measured);
        let draws: Vec<u64> = self.runs.iter().map(Run::measured_draws).collect();
        let there = advanced(&mut self.floor, &draws);
        self.put_floors(&draws);
        !there
    }

    fn set_measures(&mut self, Measured(measured): Measured) {
        for (run, (measurable, measures)) in self.runs.iter_mut().zip(measured) {
            run.set_measures(measurable, measures);
        }
    }

    /// Continues with the noise floors beside the measures of the next frames, which stay: at rest no draw is new. Returns whether a floor
    /// is not complete yet.
    pub fn refine_floors(&mut self) -> bool {
        let draws: Vec<u64> = self.runs.iter().map(Run::measured_draws).collect();
        let there = self.floor.advance_to(&draws, FLOOR_BUDGET);
        self.put_floors(&draws);
        !there
    }

    fn put_floors(&mut self, draws: &[u64]) {
        for (run, draws) in self.runs.iter_mut().zip(draws) {
            if let Some(floor) = self.floor.at(*draws) {
                run.put_floor(&floor);
            }
        }
    }

    /// Computes the measures with complete noise floors, however long that takes.
    pub fn measure_exactly(&mut self) {
        for run in &mut self.runs {
            let floor = now(self.floor.exact(run.measured_draws()));
            let measurable = run.measurable();
            let measures = now(measurable.measure(floor.as_ref()));
            run.set_measures(measurable, measures);
        }
    }

    /// Computes the measures without noise floors, for what shows none.
    pub fn measure(&mut self) {
        let measured = now(self.measuring());
        self.set_measures(measured);
    }

    /// Computes the slow measures of all runs from their histories, however long that takes.
    pub fn analyse(&mut self) {
        let frame = self.frame();
        let mut analyser = Analyser::thorough();
        for (run, of) in self.runs.iter_mut().zip(&frame.runs) {
            run.set_analysis(now(analyser.analyse(&frame, of)));
        }
    }

    /// Puts the slow measures of a run, computed elsewhere, into later frames.
    pub fn set_analysis(&mut self, run: usize, analysis: Analysis) {
        if let Some(run) = self.runs.get_mut(run) {
            run.set_analysis(analysis);
        }
    }
}

/// Works on the floors of some numbers of draws; returns whether they are complete. Once they are, those of twice as many come, so that runs
/// that go on do not outrun their floors.
fn advanced(floor: &mut Floor, draws: &[u64]) -> bool {
    let there = floor.advance_to(draws, FLOOR_BUDGET);
    if there {
        let ahead: Vec<u64> = draws.iter().map(|draws| draws.saturating_mul(2)).collect();
        floor.advance_to(&ahead, FLOOR_BUDGET);
    }
    there
}

async fn measured(measurable: Measurable) -> (Measurable, Vec<Measure>) {
    let measures = measurable.measure(None).await;
    (measurable, measures)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scenario::read;

    /// Measures that are computed beside later steps are those of the step at which they began.
    #[test]
    fn measures_beside_the_steps_are_of_their_step() {
        let text = "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"three-modes\"\n\
                    [[run]]\nname = \"A\"\nmethod = \"gaussian-vi\"\nsteps = 90\n\
                    [[run]]\nname = \"B\"\nmethod = \"mala\"\nsteps = 90\nchains = 64\n";
        let session = || {
            let mut session = Session::new(read(text, "x", Path::new("")).unwrap()).unwrap();
            session.advance(40);
            session
        };
        let values = |session: &Session| -> Vec<Vec<Option<f64>>> {
            let runs = session.frame().runs;
            runs.iter().map(|run| run.measures.iter().map(|measure| measure.value).collect()).collect()
        };
        let (mut at_once, mut beside) = (session(), session());
        at_once.refresh_measures();
        let measuring = beside.measuring();
        beside.advance(20);
        beside.put_measures(now(measuring));
        assert_eq!(values(&beside), values(&at_once));
        beside.refresh_measures();
        assert_ne!(values(&beside)[0], values(&at_once)[0], "a fit that has changed keeps old measures");
        assert!(values(&at_once).iter().flatten().any(Option::is_some));
    }
}
