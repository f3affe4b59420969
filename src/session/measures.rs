//! Measures of a session: those against the truth with their noise floors, and the slow ones.

use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use super::run::Run;
use super::{Analyser, Analysis, Session};
use crate::platform::{ONE_THREAD, now};

/// Work on the noise floors at one refresh of the measures, in exact draws: a few milliseconds' worth.
const FLOOR_BUDGET: u64 = if ONE_THREAD { 10_000 } else { 100_000 };

impl Session {
    /// Computes the measures of the next frames, with noise floors as far as they are known. Some exact draws are made
    /// now, the others at the next calls. Returns whether a floor is not complete yet.
    pub fn refresh_measures(&mut self) -> bool {
        let (runs, floor) = (&self.runs, &mut self.floor);
        let draws: Vec<u64> = runs.iter().map(Run::measured_draws).collect();
        // The sampler waits meanwhile, so that all cores are there for it.
        let (there, measured) = rayon::join(
            || floor.advance_to(&draws, FLOOR_BUDGET),
            || -> Vec<_> { runs.par_iter().map(|run| run.measure(None)).collect() },
        );
        for (run, measures) in self.runs.iter_mut().zip(measured) {
            run.set_measures(measures);
        }
        self.put_floors(&draws);
        !there
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
            run.set_measures(run.measure(floor.as_ref()));
        }
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
