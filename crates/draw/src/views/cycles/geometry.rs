//! Numbers of the plot of cycles: curves of modes so far, and digits that two grids agree on.

use std::collections::BTreeSet;

use engine::distributions::{Cycles, Trusted};
use engine::session::{Frame, RunFrame, cycle_ends};

/// Whether a run has cycles.
pub(super) fn cycles_of(frame: &Frame, run: usize) -> bool {
    let has = |run: &RunFrame| {
        let mut segments = run.plan.segments.iter();
        run.fits.is_none() && segments.any(|segment| segment.schedule.cycle(segment.from + 1).is_some())
    };
    frame.runs.get(run).is_some_and(has)
}

/// Cycles so far, and the number of modes expected among their ends less a standard deviation, as it is, and more one.
pub(super) fn expected(of: &Cycles) -> Vec<(f64, [f64; 3])> {
    let after = |(number, (mean, sd)): (usize, &(Trusted, Trusted))| {
        ((number + 1) as f64, [mean.value - sd.value, mean.value, mean.value + sd.value])
    };
    of.so_far.iter().enumerate().map(after).collect()
}

/// Corners of the steps along which the modes at the ends of a chain's cycles become more.
pub(super) fn found(frame: &Frame, run: &RunFrame, chain: usize) -> Vec<[f64; 2]> {
    let (mut seen, mut line) = (BTreeSet::new(), Vec::<[f64; 2]>::new());
    for (number, end) in cycle_ends(run, chain).into_iter().enumerate() {
        seen.insert(frame.truth.mode_of(end.at));
        let (cycle, modes) = ((number + 1) as f64, seen.len() as f64);
        if let Some([_, before]) = line.last().copied() {
            line.push([cycle, before]);
        }
        line.push([cycle, modes]);
    }
    line
}

/// A number with the digits that can be trusted, at most so many decimals.
pub(super) fn digits(of: Trusted, most: u32) -> String {
    of.decimals().map_or_else(|| "?".to_owned(), |decimals| format!("{:.*}", decimals.min(most) as usize, of.value))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::cache::CyclesCache;
    use super::*;
    use crate::kit::background::Computing;
    use engine::scenario::read;
    use engine::session::Session;

    fn session(run: &str) -> Session {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"gaussian-grid\"\nrows = 3\ncolumns = 3\n[[run]]\nname = \"A\"\n{run}\n"
        );
        Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap()
    }

    /// Mean and standard deviation over independent chains, after each cycle, within 4 standard errors.
    #[test]
    fn chains_end_in_as_many_modes_as_expected() {
        let chains = 3000;
        let run = format!(
            "method = \"csgld\"\nchains = {chains}\nsteps = 800\nstart = {{ kind = \"uniform\", low = -5.0, high = 5.0 }}\n\
             step_size = {{ kind = \"cyclical\", initial = 0.05, cycles = 4, rounding = \"exact\", exploration_steps = 20, exploration_noise = true }}"
        );
        let mut session = session(&run);
        session.advance(800);
        let frame = session.frame();
        assert!(cycles_of(&frame, 0));
        let mut cache = CyclesCache::default();
        cache.update(&egui::Context::default(), &frame, 0, Computing::Now);
        let of = cache.answer(0).unwrap().as_ref().unwrap();
        let expected = expected(of);
        assert_eq!((of.count, expected.len()), (4, 4));
        let lines: Vec<Vec<[f64; 2]>> = (0..chains).map(|chain| found(&frame, &frame.runs[0], chain)).collect();
        for (cycle, [low, mean, _]) in expected {
            let at = |line: &Vec<[f64; 2]>| line.iter().rfind(|at| at[0] <= cycle).unwrap()[1];
            let modes: Vec<f64> = lines.iter().map(at).collect();
            let average = modes.iter().sum::<f64>() / chains as f64;
            let sd = (modes.iter().map(|x| (x - average) * (x - average)).sum::<f64>() / (chains - 1) as f64).sqrt();
            let error = (mean - low) / (chains as f64).sqrt();
            assert!(
                (average - mean).abs() <= 4.0 * error + 1e-9,
                "cycle {cycle}: {average}, expected {mean} ± {error}"
            );
            assert!((sd - (mean - low)).abs() <= 0.08 * sd + 1e-5, "cycle {cycle}: sd {sd}, expected {}", mean - low);
        }
        assert!(of.end_modes.as_ref().unwrap().value > 1.5, "modes change: {:?}", of.end_modes);
    }

    #[test]
    fn a_run_without_cycles_has_none() {
        let frame = session("method = \"sgld\"\nchains = 1\nsteps = 20").frame();
        assert!(!cycles_of(&frame, 0));
        let mut cache = CyclesCache::default();
        cache.update(&egui::Context::default(), &frame, 0, Computing::Now);
        assert_eq!(cache.answer(0).unwrap().as_ref().unwrap_err(), "the schedule has no cycles");
        assert!(found(&frame, &frame.runs[0], 0).is_empty());
    }

    #[test]
    fn only_digits_that_can_be_trusted_are_written() {
        let number = |value: f64, difference: f64| digits(Trusted { value, difference }, 3);
        assert_eq!(number(17.539_08, 1e-6), "17.539");
        assert_eq!(number(17.539_08, 0.01), "17.5");
        assert_eq!(number(17.5, 0.8), "?");
    }
}
