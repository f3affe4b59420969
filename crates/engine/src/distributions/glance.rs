//! A quick look at a cyclical schedule, on one grid, for plots that follow a slider: in how many modes its cycles are expected to end, and what a
//! cycle collects.
//!
//! What is collected is that of one cycle, the first one of the run, that begins in the modes in which endlessly many such cycles end: the
//! start of the run does not matter.

use exact::Masses;
use exact::modes::Modes;

use super::NotComputed;
use super::cycles::CyclePlan;
use super::level::Level;
use super::plan::Computable;
use super::reading::Reader;
use super::region::Region;
use super::solve::refuse;
use crate::diagnostics::Truth;

/// Steps between two questions whether to go on.
const ASKED: u64 = 64;

/// Collected steps of a cycle that a rough look sees.
const SEEN: u64 = 200;

/// How closely a schedule is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// All cycles as the first one, and some of its steps: right to about a hundredth, in less than half of the time.
    Rough,
    /// Each cycle that differs, and all steps.
    Whole,
}

/// What a quick look at a schedule finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glance {
    /// Expected number of modes in which at least one cycle ends, and its standard deviation.
    pub end_modes: f64,
    /// See `end_modes`.
    pub end_modes_sd: f64,
    /// Total variation of what a cycle collects.
    pub tv: f64,
    /// Share of it within three standard deviations of a mode, where it is known.
    pub within_3sd: Option<f64>,
}

impl Computable {
    /// A quick look at the cycles of the run.
    ///
    /// # Errors
    /// If it has none whose modes are computed, or `go_on` says no.
    pub fn glance(&self, look: Look, go_on: &mut dyn FnMut() -> bool) -> Result<Glance, NotComputed> {
        let plan = CyclePlan::of(self)?;
        let plan = if look == Look::Rough { plan.with_equal_cycles() } else { plan };
        let level = Level::new(self, Region::of(self, go_on)?.cut(0))?;
        let numbers = plan.ends_alone(&level, &self.start(), go_on)?;
        let ends = numbers.ends?.modes;
        let truth = Truth::of(self.spans[0].target.as_ref());
        let reader = Reader::new(&level, 0, &truth);
        let mut masses: Vec<Masses> = Vec::new();
        for (factor, centres) in plan.centres.iter().enumerate() {
            let Some(line) = level.line(factor, 0) else { continue };
            let parts = Modes::nearest(centres).restricted(line, &line.truth()?)?;
            let shares = exact::modes::long_run_shares(&numbers.matrices[factor]);
            let mut nodes = vec![0.0; line.nodes().len()];
            for (part, share) in parts.iter().zip(shares) {
                nodes.iter_mut().zip(&part.nodes).for_each(|(sum, mass)| *sum += share * mass);
            }
            masses.push(Masses { nodes, lost: 0.0 });
        }
        let mut sum = reader.empty();
        let mut movers = level.movers();
        let (first, last) = plan.cycles.first().copied().unwrap_or((1, 0));
        let every = if look == Look::Rough { ((last + 1).saturating_sub(first) / SEEN).max(1) } else { 1 };
        for number in first..=last {
            let step = self.step(number);
            Level::push(&mut movers, number, &step, &mut masses)?;
            // The last step of a cycle is seen in any case: of some schedules it is the only one.
            if step.weight > 0.0 && (last - number) % every == 0 {
                reader.add(&mut sum, &masses, step.weight);
            }
            if number % ASKED == 0 && !go_on() {
                return Err(NotComputed::Ended);
            }
        }
        let mean = sum.mean().ok_or(NotComputed::Unsuited("no step is collected"))?;
        mean.factors.iter().try_for_each(|masses| refuse(self, masses).map(drop))?;
        let measures = reader.numbers(&mean).0.measures;
        let value = |key: &str| measures.iter().find(|measure| measure.key == key)?.value;
        let tv = value("tv").ok_or(NotComputed::Unsuited("the total variation is not computed"))?;
        Ok(Glance { end_modes: ends.expected, end_modes_sd: ends.sd, tv, within_3sd: value("within_3sd") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Lesson;

    /// Against the table of an independent program: end modes, total variation and within 3 sd of the authors' schedule.
    #[test]
    fn a_quick_look_has_the_numbers_of_an_independent_program() {
        let rows = [(0.05, 16.866_65, 0.224_62, 0.859_721), (0.07, 17.539_08, 0.366_58, 0.677_095)];
        for (alpha, modes, tv, within) in rows {
            let scenario = Lesson::find("authors-code").unwrap().scenario().unwrap();
            let scenario = scenario.with_number("cSGLD", "step_size.initial", alpha).unwrap();
            let of = Computable::new(&scenario.build().unwrap(), 1).unwrap();
            let found = of.glance(Look::Whole, &mut || true).unwrap();
            assert!((found.end_modes - modes).abs() < 2e-4, "{alpha}: {found:?}");
            assert!((found.tv - tv).abs() < 2e-4, "{alpha}: {found:?}");
            assert!((found.within_3sd.unwrap() - within).abs() < 5e-5, "{alpha}: {found:?}");
            assert_eq!(of.glance(Look::Whole, &mut || false), Err(NotComputed::Ended));
            let rough = of.glance(Look::Rough, &mut || true).unwrap();
            assert!((rough.end_modes - modes).abs() < 0.01, "{alpha}: {rough:?}");
            assert!((rough.tv - tv).abs() < 0.01, "{alpha}: {rough:?}");
            assert!((rough.within_3sd.unwrap() - within).abs() < 0.01, "{alpha}: {rough:?}");
        }
    }
}
