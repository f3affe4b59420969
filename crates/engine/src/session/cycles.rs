//! Cycle ends: the position of a chain at the end of each cycle of its schedule.

use crate::scenario::RunPlan;
use base::math::Point;

use super::{History, RunFrame};

/// Cycles looked at, at most; the newest ones.
pub const MOST_CYCLES: usize = 1000;

/// The last draw of a cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CycleEnd {
    /// Number of the cycle, from 0.
    pub cycle: u64,
    /// The first step of the cycle.
    pub first: u64,
    /// The last step of the cycle.
    pub last: u64,
    /// The step of the draw: the last of the cycle, or the nearest before it that the history has kept.
    pub step: u64,
    /// The position of the chain, in θ.
    pub at: Point,
}

/// The ends of the newest cycles (at most [`MOST_CYCLES`]) of a chain, oldest first.
///
/// The cycle under way has no end yet, except in a run that has taken all its steps. Steps without cycles are passed
/// over, and so are cycles of which the history keeps no step, and those after the chain has diverged. Where an event
/// changes the schedule in the middle of a cycle, the cycle ends if its number changes.
#[must_use]
pub fn cycle_ends(run: &RunFrame, chain: usize) -> Vec<CycleEnd> {
    cycle_ends_after(run, chain, 0, MOST_CYCLES)
}

/// The same of the cycles that begin after `after` steps, at most `most`.
#[must_use]
pub fn cycle_ends_after(run: &RunFrame, chain: usize, after: u64, most: usize) -> Vec<CycleEnd> {
    let mut ends = Vec::new();
    if chain >= run.plan.chains {
        return ends;
    }
    let mut last = run.step;
    for _ in 0..most {
        let Some((cycle, first, end)) = newest_cycle(&run.plan, last).filter(|cycle| cycle.1 > after) else { break };
        let over = end < run.step || run.step == run.plan.steps || cycle_of(&run.plan, end + 1) != Some(cycle);
        if over {
            ends.extend(kept(&run.history, chain, first, end).map(|(step, at)| CycleEnd {
                cycle,
                first,
                last: end,
                step,
                at,
            }));
        }
        last = first - 1;
    }
    ends.reverse();
    ends
}

/// The ends of cycles among the steps of a part of a history: the number of the cycle from 0, its last step, and where the first
/// chain was then.
#[must_use]
pub fn cycle_ends_in(history: &History, plan: &RunPlan) -> Vec<(u64, u64, Point)> {
    let end = |row: usize| {
        let step = history.step(row);
        let cycle = cycle_of(plan, step)?;
        let over = step == plan.steps || cycle_of(plan, step + 1) != Some(cycle);
        over.then(|| Some((cycle, step, history.position(row, 0)?))).flatten()
    };
    (0..history.rows()).filter(|row| history.step(*row) > 0).filter_map(end).collect()
}

/// The cycle of step `number` ≥ 1, if its schedule has cycles.
fn cycle_of(plan: &RunPlan, number: u64) -> Option<u64> {
    plan.segment_of(number).schedule.cycle(number)
}

/// The newest cycle among the steps up to `last`: its number, its first step and its last one up to there.
fn newest_cycle(plan: &RunPlan, last: u64) -> Option<(u64, u64, u64)> {
    let mut end = last;
    let cycle = loop {
        if end == 0 {
            return None;
        }
        match cycle_of(plan, end) {
            Some(cycle) => break cycle,
            // A schedule without cycles has none in its whole segment.
            None => end = plan.segment_of(end).from,
        }
    };
    let mut first = end;
    while first > 0 && cycle_of(plan, first) == Some(cycle) {
        first = first_of_cycle(plan, first, cycle) - 1;
    }
    Some((cycle, first + 1, end))
}

/// The first step, within the segment of step `inside`, of the cycle that this step belongs to. Numbers of cycles never
/// fall within a segment, so it is found by halving.
fn first_of_cycle(plan: &RunPlan, inside: u64, cycle: u64) -> u64 {
    let segment = plan.segment_of(inside);
    let (mut before, mut within) = (segment.from, inside);
    while within - before > 1 {
        let middle = before + (within - before) / 2;
        if segment.schedule.cycle(middle) == Some(cycle) {
            within = middle;
        } else {
            before = middle;
        }
    }
    within
}

/// The last kept step of a chain from `first` to `last`, and where the chain was then.
fn kept(history: &History, chain: usize, first: u64, last: u64) -> Option<(u64, Point)> {
    let row = history.row_from(last + 1).checked_sub(1)?;
    let step = history.step(row);
    let at = history.position(row, chain)?;
    (step >= first).then_some((step, at))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scenario::{self, Edit};
    use crate::session::{Command, Session};
    use base::params::Value;

    fn session(schedule: &str, steps: u64) -> Session {
        let text = format!(
            "format = 1\nseed = 3\n[target]\nkind = \"gaussian-grid\"\n[[run]]\nname = \"one\"\nmethod = \"sgld\"\n\
             chains = 2\nsteps = {steps}\nstep_size = {schedule}\n"
        );
        Session::new(scenario::read(&text, "cycles.toml", Path::new("")).unwrap()).unwrap()
    }

    fn cyclical(cycles: u64, rounding: &str) -> String {
        format!("{{ kind = \"cyclical\", initial = 0.05, cycles = {cycles}, rounding = \"{rounding}\" }}")
    }

    fn numbers(run: &RunFrame, chain: usize) -> Vec<(u64, u64)> {
        cycle_ends(run, chain).iter().map(|end| (end.cycle, end.step)).collect()
    }

    /// The ends found by looking at every step.
    fn one_by_one(run: &RunFrame) -> Vec<(u64, u64)> {
        let ends = (1..=run.step).filter_map(|step| {
            let cycle = cycle_of(&run.plan, step)?;
            (cycle_of(&run.plan, step + 1) != Some(cycle) || step == run.plan.steps).then_some((cycle, step))
        });
        ends.collect()
    }

    #[test]
    fn the_last_step_of_every_finished_cycle_is_found() {
        for (cycles, rounding) in [(1, "ceil"), (3, "ceil"), (7, "ceil"), (7, "exact"), (99, "exact")] {
            let mut session = session(&cyclical(cycles, rounding), 100);
            for _ in 0..=100 {
                let frame = session.frame();
                let run = &frame.runs[0];
                assert_eq!(numbers(run, 1), one_by_one(run), "{cycles} {rounding} at {}", run.step);
                for end in cycle_ends(run, 1) {
                    assert_eq!(Some(end.at), run.history.position(usize::try_from(end.step).unwrap(), 1));
                }
                session.advance(1);
            }
        }
    }

    #[test]
    fn whole_cycles_end_where_the_article_says() {
        let mut session = session(&cyclical(3, "ceil"), 100);
        session.advance(60);
        assert_eq!(numbers(&session.frame().runs[0], 0), [(0, 34)]);
        session.advance(40);
        // ⌈100/3⌉ = 34 steps each, and the last one is cut short.
        assert_eq!(numbers(&session.frame().runs[0], 0), [(0, 34), (1, 68), (2, 100)]);
        assert_eq!(cycle_ends(&session.frame().runs[0], 2), []);
    }

    #[test]
    fn a_schedule_without_cycles_has_no_ends() {
        let mut session = session("{ kind = \"constant\", value = 0.01 }", 50);
        session.advance(50);
        assert_eq!(cycle_ends(&session.frame().runs[0], 0), []);
    }

    #[test]
    fn events_that_change_the_cycles_are_followed() {
        let mut session = session(&cyclical(10, "ceil"), 100);
        for (step, cycles) in [(33, 5.0), (61, 20.0)] {
            session.apply(Command::Seek(step)).unwrap();
            let path = "step_size.cycles".to_owned();
            session.edit(Edit::Set { run: 0, path, value: Value::Number(cycles) }).unwrap();
        }
        session.apply(Command::Seek(80)).unwrap();
        let frame = session.frame();
        assert_eq!(frame.runs[0].plan.segments.len(), 3);
        assert_eq!(numbers(&frame.runs[0], 0), one_by_one(&frame.runs[0]));
        assert!(numbers(&frame.runs[0], 0).contains(&(3, 33)));
    }

    #[test]
    fn a_long_run_shows_its_newest_cycles() {
        let mut session = session(&cyclical(2000, "exact"), 6000);
        session.advance(6000);
        let ends = numbers(&session.frame().runs[0], 0);
        assert_eq!((ends.len(), ends[0], ends[999]), (MOST_CYCLES, (1000, 3003), (1999, 6000)));
    }

    #[test]
    fn of_a_thinned_history_the_nearest_row_before_the_end_is_taken() {
        let mut history = History::new(1, 8);
        (0..=40).for_each(|step| history.push(&[f64::from(step)], &[0.5]));
        history.thin_to_fit(41, 30_000_000);
        assert_eq!(history.stride(), 4);
        assert_eq!(kept(&history, 0, 1, 10), Some((8, Point::new(8.0, 0.5))));
        assert_eq!(kept(&history, 0, 5, 8), Some((8, Point::new(8.0, 0.5))));
        assert_eq!(kept(&history, 0, 5, 7), None);
    }

    #[test]
    fn a_diverged_chain_and_an_empty_history_have_no_ends() {
        let mut history = History::new(1, 8);
        history.push(&[0.0], &[0.0]);
        assert_eq!(kept(&History::new(1, 8), 0, 1, 5), None);
        history.push(&[f64::NAN], &[f64::NAN]);
        assert_eq!(kept(&history, 0, 1, 1), None);
    }
}
