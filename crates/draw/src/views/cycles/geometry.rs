//! Numbers of the plot of cycles: curves of modes so far, and digits that two grids agree on.

use std::collections::BTreeSet;

use crate::geometry::independent_ends;
use engine::distributions::{Cycles, Trusted};
use engine::session::{Frame, RunFrame, cycle_ends};

/// Cycles so far, and the number of modes expected among their ends less a standard deviation, as it is, and more one.
pub(super) fn expected(of: &Cycles) -> Vec<(f64, [f64; 3])> {
    let after = |(number, (mean, sd)): (usize, &(Trusted, Trusted))| {
        ((number + 1) as f64, [mean.value - sd.value, mean.value, mean.value + sd.value])
    };
    of.so_far.iter().enumerate().map(after).collect()
}

/// Cycles so far up to a number of them, and the modes expected among as many independent draws of the target.
pub(super) fn independent(frame: &Frame, cycles: f64) -> Vec<[f64; 2]> {
    #[expect(clippy::cast_sign_loss, reason = "cycles are counted")]
    let cycles = cycles as u64;
    (1..=cycles).map(|draws| [draws as f64, independent_ends(frame.truth.modes(), draws as f64)]).collect()
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

/// Between which positions of a cycle its mode is decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Decision {
    /// Where the probability to change has fallen to 90 % of that at the start of the cycle, and where to 10 %, in steps of the cycle.
    pub from: f64,
    pub to: f64,
    /// The probability at the start.
    pub first: f64,
}

/// Where the mode is decided; nothing if it never changes.
pub(super) fn decision(of: &Cycles) -> Option<Decision> {
    let first = of.changes.first().map(|(_, change)| change.value).filter(|first| *first > 1e-3)?;
    let crossing = |share: f64| {
        let level = share * first;
        // The last time that it is above.
        let above = of.changes.iter().rposition(|(_, change)| change.value >= level)?;
        let (at, before) = &of.changes[above];
        let Some((next, after)) = of.changes.get(above + 1) else { return Some(*at as f64) };
        let between = (before.value - level) / (before.value - after.value);
        Some(*at as f64 + between * (*next - *at) as f64)
    };
    Some(Decision { from: crossing(0.9)?, to: crossing(0.1)?, first })
}

/// The probability to change at the known position that is nearest to a step of a cycle.
pub(super) fn change_at(of: &Cycles, step: f64) -> Option<(u64, Trusted)> {
    let apart = |at: &&(u64, Trusted)| (at.0 as f64 - step).abs();
    of.changes.iter().min_by(|a, b| apart(a).total_cmp(&apart(b))).copied()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::kit::background::Computing;
    use crate::kit::cycles::{CyclesCache, has_cycles};
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
        assert!(has_cycles(&frame, 0));
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

    /// 25 (1 − (24/25)³⁰) = 17.6535 modes of 25 equal ones.
    #[test]
    fn independent_draws_find_as_many_modes_as_the_closed_form_says() {
        let scenario = engine::scenario::Lesson::find("authors-code").unwrap().scenario().unwrap();
        let line = independent(&Session::new(scenario).unwrap().frame(), 30.0);
        assert_eq!(line.len(), 30);
        assert!((line[0][1] - 1.0).abs() < 1e-12 && (line[29][1] - 17.6535).abs() < 1e-4, "{line:?}");
    }

    #[test]
    fn a_run_without_cycles_has_none() {
        let frame = session("method = \"sgld\"\nchains = 1\nsteps = 20").frame();
        assert!(!has_cycles(&frame, 0));
        let mut cache = CyclesCache::default();
        cache.update(&egui::Context::default(), &frame, 0, Computing::Now);
        assert_eq!(cache.answer(0).unwrap().as_ref().unwrap_err(), "the schedule has no cycles");
        assert!(found(&frame, &frame.runs[0], 0).is_empty());
    }

    /// Between positions 550 and 850 of 1667 the probability falls from 0.88 to 0.015 for a chain in the mode in the middle. Modes at the rim have
    /// fewer neighbours: the average over all modes is a little below.
    #[test]
    fn the_mode_is_decided_in_the_middle_of_a_cycle() {
        let scenario = engine::scenario::Lesson::find("authors-code").unwrap().scenario().unwrap();
        let frame = Session::new(scenario).unwrap().frame();
        let mut cache = CyclesCache::default();
        cache.update(&egui::Context::default(), &frame, 1, Computing::Now);
        let of = cache.answer(1).unwrap().as_ref().unwrap();
        let change = |step: f64| {
            let after: Vec<(f64, f64)> = of.changes.iter().map(|(at, change)| (*at as f64, change.value)).collect();
            let next = after.partition_point(|(at, _)| *at < step).max(1);
            let ((a, b), (c, d)) = (after[next - 1], after[next]);
            b + (d - b) * (step - a) / (c - a)
        };
        assert!((0.8..0.88).contains(&change(550.0)) && (0.01..0.015).contains(&change(850.0)));
        let decision = decision(of).unwrap();
        assert!(
            decision.from > 450.0 && decision.from < 600.0 && decision.to > 700.0 && decision.to < 800.0,
            "{decision:?}"
        );
        assert!((change(decision.from) - 0.9 * decision.first).abs() < 0.01);
        assert!((change(decision.to) - 0.1 * decision.first).abs() < 0.01);
        let (at, value) = change_at(of, 600.0).unwrap();
        assert!(at.abs_diff(600) <= 3 && (value.value - change(at as f64)).abs() < 1e-12);
    }

    #[test]
    fn only_digits_that_can_be_trusted_are_written() {
        let number = |value: f64, difference: f64| digits(Trusted { value, difference }, 3);
        assert_eq!(number(17.539_08, 1e-6), "17.539");
        assert_eq!(number(17.539_08, 0.01), "17.5");
        assert_eq!(number(17.5, 0.8), "?");
    }
}
