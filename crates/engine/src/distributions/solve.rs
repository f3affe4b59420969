//! The distributions of a run on a coarse and on a fine grid, put together.

use exact::{Chain, LongRun, Masses, Refusal, Trusted, autocorrelation_time, extrapolated};

use super::NotComputed;
use super::cycles::{CycleNumbers, CyclePlan, cycles_of};
use super::found::{AtStep, Described, Found, MeanError, Stationary, trusted};
use super::kernel::Kernel;
use super::level::{Level, Operator};
use super::passes::{Forward, GoOn, backward, coordinate, forward};
use super::plan::Computable;
use super::reading::{Numbers, Reader, Snapshot};
use super::region::Region;
use super::start::Origin;
use super::stoppable::long_run_while;
use super::work::may_be_drawn;
use crate::diagnostics::Truth;

/// Probability to leave in a step from which there is no autocorrelation.
const LEAVES: f64 = 1e-9;

/// The same from which nothing is stationary: what is left of the chains after a step is no longer where they were.
const GOES: f64 = 0.01;

/// Mass that may reach a boundary that folds.
const FOLDED: f64 = 1e-7;

/// Mass below 0 between nodes that only costs digits.
const ROUGH: f64 = 1e-4;

/// Nodes times steps of a backward pass in the plane at most.
const MOST_BACKWARD: f64 = 4e8;

/// What is asked of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ask {
    /// Steps after which the distribution is asked for, from 1.
    pub at: Vec<u64>,
    /// The distribution of all collected steps.
    pub collected: bool,
    /// The stationary distribution, of a constant step size.
    pub stationary: bool,
    /// The error of means in parts.
    pub errors: bool,
    /// Modes at the ends of cycles.
    pub cycles: bool,
    /// Whether what takes longer than a picture may is refused.
    pub briefly: bool,
}

/// The numbers of one resolution.
struct OfLevel {
    forward: Result<Forwarded, NotComputed>,
    stationary: Result<LongRunNumbers, NotComputed>,
    errors: Result<Vec<(f64, f64)>, NotComputed>,
    cycles: Result<CycleNumbers, NotComputed>,
}

struct Forwarded {
    at: Vec<Read>,
    collected: Result<Read, NotComputed>,
}

/// A distribution that was read, or why it cannot be shown.
type Read = Result<(Numbers, Vec<f64>), NotComputed>;

struct LongRunNumbers {
    read: Read,
    exit: f64,
    second: f64,
    times: Vec<Result<f64, NotComputed>>,
    acceptance: Option<f64>,
}

/// Why there is no stationary distribution.
pub(super) const NOT_CONSTANT: NotComputed =
    NotComputed::Unsuited("step size, method or target change, so that there is no stationary distribution");

const NOT_ASKED: NotComputed = NotComputed::Unsuited("it was not asked for");

impl Computable {
    /// Computes what is asked for. `go_on` is told which share of the work is done, and says whether to go on.
    ///
    /// # Errors
    /// If there is no box for the run, or `go_on` says no. What cannot be computed in it has a reason of its own.
    pub fn solve(&self, ask: &Ask, go_on: &mut dyn FnMut(f64) -> bool) -> Result<Found, NotComputed> {
        self.solve_on(ask, 1, go_on)
    }

    /// The same on grids with so many times as many nodes.
    pub(super) fn solve_on(&self, ask: &Ask, refined: usize, go_on: &mut GoOn<'_>) -> Result<Found, NotComputed> {
        let region = Region::of(self, &mut || go_on(0.0))?.refined(refined);
        if ask.briefly && (ask.collected || ask.errors) {
            may_be_drawn(self, region.cut(0).nodes, self.plan.steps)?;
        }
        let truths: Vec<Truth> = self.spans.iter().map(|span| Truth::of(span.target.as_ref())).collect();
        let mut levels = Vec::new();
        for number in 0..2 {
            // A fine grid has more than half of the work.
            let (from, share) = if number == 0 { (0.0, 0.35) } else { (0.35, 0.65) };
            let level = Level::new(self, region.cut(number))?;
            levels.push(self.on(&level, &truths, ask, &mut |done| go_on(from + share * done))?);
        }
        let [coarse, fine] = &levels[..] else { return Err(NotComputed::Ended) };
        Ok(self.together(&region, ask, [coarse, fine]))
    }

    fn on(&self, level: &Level<'_>, truths: &[Truth], ask: &Ask, go_on: &mut GoOn<'_>) -> Result<OfLevel, NotComputed> {
        let readers: Vec<Reader<'_>> =
            truths.iter().enumerate().map(|(span, truth)| Reader::new(level, span, truth)).collect();
        let start = self.start();
        // Means of chains that have left are those of no run, so that errors need to know how many have.
        let collects = ask.collected || ask.errors;
        let wants = !ask.at.is_empty() || collects;
        let ended = |found: &NotComputed| *found == NotComputed::Ended;
        let forwarded = match (&start, wants) {
            (Ok(start), true) => forward(level, &readers, start, (&ask.at, collects), &mut |done| go_on(0.5 * done))
                .map(|found| self.read_all(&readers, found, collects)),
            (Err(why), true) => Err(why.clone()),
            (_, false) => Err(NOT_ASKED),
        };
        let left = match forwarded.as_ref().map(|found| &found.collected) {
            Ok(Ok(Err(why @ NotComputed::Refused(Refusal::Left { .. })))) => Some(why.clone()),
            _ => None,
        };
        let errors = match (&start, left) {
            _ if !ask.errors => Err(NOT_ASKED),
            (_, Some(why)) => Err(why),
            (Ok(start), None) => self.backward_on(level, start, &mut |done| go_on(0.5 + 0.3 * done)),
            (Err(why), None) => Err(why.clone()),
        };
        let stationary =
            if ask.stationary { self.long_run_on(level, &readers, &mut || go_on(0.8)) } else { Err(NOT_ASKED) };
        let cycles = if ask.cycles {
            CyclePlan::of(self).and_then(|plan| plan.numbers(level, &start, &mut || go_on(0.9)))
        } else {
            Err(NOT_ASKED)
        };
        let reasons =
            [forwarded.as_ref().err(), errors.as_ref().err(), stationary.as_ref().err(), cycles.as_ref().err()];
        for why in reasons.into_iter().flatten() {
            if ended(why) {
                return Err(NotComputed::Ended);
            }
        }
        Ok(OfLevel { forward: forwarded, stationary, errors, cycles })
    }

    fn read_all(&self, readers: &[Reader<'_>], found: Forward, collects: bool) -> Forwarded {
        let at = found.at.iter().map(|(step, snapshot)| self.read(&readers[self.step(*step).span], snapshot));
        let last = &readers[readers.len() - 1];
        let collected = match found.collected {
            Some(snapshot) => Ok(self.read(last, &snapshot)),
            None => Err(if collects { NotComputed::Unsuited("no step is collected") } else { NOT_ASKED }),
        };
        Forwarded { at: at.collect(), collected }
    }

    /// A distribution that can be shown.
    fn read(&self, reader: &Reader<'_>, snapshot: &Snapshot) -> Read {
        let mut most: f64 = 0.0;
        for masses in &snapshot.factors {
            most = most.max(refuse(self, masses)?);
        }
        let (numbers, cells) = reader.numbers(snapshot);
        Ok((Numbers { rough: most, ..numbers }, cells))
    }

    fn backward_on(
        &self,
        level: &Level<'_>,
        start: &Origin,
        go_on: &mut GoOn<'_>,
    ) -> Result<Vec<(f64, f64)>, NotComputed> {
        let unsuited = |why| Err(NotComputed::Unsuited(why));
        if self.plan.shares_batches() {
            return unsuited("chains share minibatches, so that their means depend on each other");
        }
        if matches!(start, Origin::Points(points) if points.len() > 1) {
            return unsuited("chains start at different points");
        }
        if let Some(plane) = level.plane(0) {
            let work = plane.shape().into_iter().product::<usize>() as f64 * self.plan.steps as f64;
            if work > MOST_BACKWARD {
                return unsuited("in the plane the error of so many steps takes too long");
            }
        }
        backward(level, start, go_on)
    }

    fn long_run_on(
        &self,
        level: &Level<'_>,
        readers: &[Reader<'_>],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<LongRunNumbers, NotComputed> {
        let Some(step) = self.constant() else { return Err(NOT_CONSTANT) };
        let mut movers = level.movers();
        let mut found: Vec<(LongRun, Option<f64>)> = Vec::new();
        let axes = self.spans[0].target.info().dimension;
        let mut times = Vec::new();
        for (factor, mover) in movers.iter_mut().enumerate() {
            let operator = mover.operator(&step)?;
            let start = start_of_long_run(level, factor, operator)?;
            let run = stationary(long_run_while(operator, &start, go_on)?)?;
            let alone = axes == 2 && level.factors() == 2 && level.grids.len() == 2;
            let on_it = if alone { factor..factor + 1 } else { 0..axes };
            for axis in on_it {
                let f = coordinate(level, axis, operator.size());
                times.push(if run.exit_rate() > LEAVES {
                    Err(NotComputed::Unsuited("chains leave for ever"))
                } else {
                    autocorrelation_time(operator, &run.masses, &f).map_err(NotComputed::from)
                });
            }
            found.push((run, operator.acceptance()));
        }
        let exit = 1.0 - found.iter().map(|(run, _)| run.first).product::<f64>();
        let size = |run: &LongRun| run.second.norm_sqr().sqrt() / run.first;
        let second = found.iter().map(|(run, _)| size(run)).fold(0.0, f64::max);
        let acceptance = found.first().and_then(|(_, acceptance)| *acceptance);
        let mut masses: Vec<Masses> =
            found.into_iter().map(|(run, _)| Masses { nodes: run.masses, lost: 0.0 }).collect();
        if masses.len() < level.factors() {
            masses.extend_from_within(..1);
        }
        let exit = if level.grids.len() < level.factors() { 1.0 - (1.0 - exit) * (1.0 - exit) } else { exit };
        let reader = &readers[0];
        Ok(LongRunNumbers { read: self.read(reader, &reader.snapshot(&masses)), exit, second, times, acceptance })
    }

    /// The stationary distribution alone, by factors, and the probability to leave for ever in a step.
    pub(super) fn long_run_masses(
        &self,
        level: &Level<'_>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(Vec<Masses>, f64), NotComputed> {
        let Some(step) = self.constant() else { return Err(NOT_CONSTANT) };
        let (mut found, mut stays) = (Vec::new(), Vec::new());
        for (factor, mover) in level.movers().iter_mut().enumerate() {
            let operator = mover.operator(&step)?;
            let start = start_of_long_run(level, factor, operator)?;
            let run = stationary(long_run_while(operator, &start, go_on)?)?;
            stays.push(1.0 - run.exit_rate());
            found.push(Masses { nodes: run.masses, lost: 0.0 });
        }
        if found.len() < level.factors() {
            found.extend_from_within(..1);
            stays.extend_from_within(..1);
        }
        Ok((found, 1.0 - stays.iter().product::<f64>()))
    }

    fn together(&self, region: &Region, ask: &Ask, [coarse, fine]: [&OfLevel; 2]) -> Found {
        let axes = self.spans[0].target.info().dimension;
        let describe = |coarse: &Read, fine: &Read| -> Result<Described, NotComputed> {
            let (fine, cells) = fine.as_ref().map_err(Clone::clone)?;
            let (coarse, _) = coarse.as_ref().map_err(Clone::clone)?;
            Ok(Described::new(coarse, fine, cells.clone(), axes))
        };
        let (steps, collected) = match (&coarse.forward, &fine.forward) {
            (Ok(coarse), Ok(fine)) => {
                let at = ask.at.iter().zip(coarse.at.iter().zip(&fine.at));
                let steps = at.map(|(step, (coarse, fine))| AtStep { step: *step, found: describe(coarse, fine) });
                let collected = match (&coarse.collected, &fine.collected) {
                    (Ok(coarse), Ok(fine)) => describe(coarse, fine),
                    (Err(why), _) | (_, Err(why)) => Err(why.clone()),
                };
                (steps.collect(), collected)
            }
            (Err(why), _) | (_, Err(why)) => {
                let steps = ask.at.iter().map(|step| AtStep { step: *step, found: Err(why.clone()) });
                (steps.collect(), Err(why.clone()))
            }
        };
        let stationary = match (&coarse.stationary, &fine.stationary) {
            (Ok(coarse), Ok(fine)) => {
                let ratio = region.nodes[1][0] as f64 / region.nodes[0][0] as f64;
                describe(&coarse.read, &fine.read).map(|described| self.long_run_of(described, [coarse, fine], ratio))
            }
            (Err(why), _) | (_, Err(why)) => Err(why.clone()),
        };
        let errors = match (&coarse.errors, &fine.errors) {
            (Ok(coarse), Ok(fine)) => {
                let long_run = stationary.as_ref().ok().map(|found: &Stationary| &found.described);
                Ok((0..axes).map(|axis| self.error_of(axis, [coarse[axis], fine[axis]], long_run)).collect())
            }
            (Err(why), _) | (_, Err(why)) => Err(why.clone()),
        };
        let cycles = match (&coarse.cycles, &fine.cycles) {
            (Ok(coarse), Ok(fine)) => CyclePlan::of(self).map(|plan| cycles_of(&plan, coarse, fine)),
            (Err(why), _) | (_, Err(why)) => Err(why.clone()),
        };
        let boxed = |axis: usize| {
            let cut = region.cut(1);
            (cut.ends[axis].0, cut.ends[axis].1, [region.nodes[0][axis], region.nodes[1][axis]])
        };
        Found { region: (0..axes).map(boxed).collect(), steps, collected, stationary, errors, cycles }
    }

    /// Numbers of the long run from two grids, whose numbers of nodes along an axis have that ratio.
    fn long_run_of(&self, described: Described, [coarse, fine]: [&LongRunNumbers; 2], ratio: f64) -> Stationary {
        // Rejection has an error of the order of the square of the spacing.
        let kinked = self.kernels.iter().any(|kernel| matches!(kernel, Kernel::Metropolis { .. }));
        let number = |coarse: f64, fine: f64| {
            if kinked {
                let limit = extrapolated(coarse, fine, ratio);
                trusted(limit + 0.1 * (coarse - fine), limit, 0.0)
            } else {
                trusted(coarse, fine, 0.0)
            }
        };
        let second = number(coarse.second, fine.second);
        let time = |second: f64| -1.0 / base::math::elementary::ln(second.max(f64::MIN_POSITIVE));
        let relaxation = Trusted {
            value: time(second.value),
            difference: (time((second.value + second.difference).min(1.0)) - time(second.value)).abs(),
        };
        let times = coarse.times.iter().zip(&fine.times).map(|(coarse, fine)| match (coarse, fine) {
            (Ok(coarse), Ok(fine)) => Ok(number(*coarse, *fine)),
            (Err(why), _) | (_, Err(why)) => Err(why.clone()),
        });
        Stationary {
            described,
            exit_rate: trusted(coarse.exit, fine.exit, 0.0),
            second_eigenvalue: second,
            relaxation_time: relaxation,
            autocorrelation_times: times.collect(),
            acceptance: coarse.acceptance.zip(fine.acceptance).map(|(coarse, fine)| number(coarse, fine)),
        }
    }

    fn error_of(&self, axis: usize, [coarse, fine]: [(f64, f64); 2], long_run: Option<&Described>) -> MeanError {
        let exact = self.spans[self.spans.len() - 1].target.info().mean[axis];
        let chains = self.plan.chains as f64;
        let systematic = trusted(coarse.0 - exact, fine.0 - exact, 0.0);
        let variance = trusted(coarse.1 / chains, fine.1 / chains, 0.0);
        let rmse = |of: (f64, f64)| ((of.0 - exact) * (of.0 - exact) + of.1.max(0.0) / chains).sqrt();
        let in_long_run = long_run.map(|found| found.mean[axis]);
        let difference = |of: Trusted, value: f64| Trusted { value, difference: of.difference };
        MeanError {
            bias: in_long_run.map(|mean| difference(mean, mean.value - exact)),
            transient: in_long_run.map(|mean| Trusted {
                value: fine.0 - mean.value,
                difference: mean.difference + systematic.difference,
            }),
            systematic,
            variance,
            rmse: trusted(rmse(coarse), rmse(fine), 0.0),
        }
    }
}

/// Refuses what is left of chains that leave soon.
fn stationary(run: LongRun) -> Result<LongRun, Refusal> {
    let rate = run.exit_rate();
    // What is no number leaves, too.
    if rate <= GOES { Ok(run) } else { Err(Refusal::Leaves { rate }) }
}

/// Refuses masses that cannot be shown; else the mass below 0.
pub(super) fn refuse(of: &Computable, masses: &Masses) -> Result<f64, NotComputed> {
    let rough = roughness(masses);
    match masses.checked() {
        Err(Refusal::Coarse) if rough <= ROUGH => {}
        checked => {
            checked?;
        }
    }
    if of.folds() && masses.lost > FOLDED {
        return Err(NotComputed::Unsuited(
            "chains reach the boundary of the target, where steps fold back; that is not computed yet",
        ));
    }
    Ok(rough)
}

/// The sum of masses below 0, which a finer grid would not have.
fn roughness(masses: &Masses) -> f64 {
    masses.nodes.iter().filter(|mass| **mass < 0.0).map(|mass| -mass).sum()
}

/// Masses that overlap with the stationary ones.
fn start_of_long_run(level: &Level<'_>, factor: usize, operator: &Operator<'_>) -> Result<Vec<f64>, Refusal> {
    if let Some(plane) = level.plane(0) {
        return Ok(plane.truth()?.nodes);
    }
    let Some(line) = level.line(factor, 0) else { return Err(Refusal::Unsuited("there is no grid")) };
    let truth = line.truth()?.nodes;
    Ok(if let Operator::Phase(phase) = operator { phase.product(&truth) } else { truth })
}
