//! Cycles of a schedule as a chain of modes, on one resolution.

use exact::modes::{
    EndModes, Modes, end_modes, end_modes_so_far, evolve, long_run_shares, of_product, second_eigenvalue,
};
use exact::{Line, Masses, Refusal, Step, Trusted};
use nalgebra::DMatrix;

use super::NotComputed;
use super::found::{Cycles, trusted};
use super::lattice::Lattice;
use super::level::Level;
use super::plan::{Computable, Kind};
use super::start::Origin;

/// Modes at most.
const MOST_MODES: usize = 64;

/// Relative difference of step sizes of cycles that are the same.
const SAME: f64 = 1e-12;

/// Positions of a cycle at which a curve has points, at most.
const POINTS: usize = 400;

/// What does not depend on the resolution.
#[derive(Clone, Debug)]
pub(super) struct CyclePlan {
    /// First and last step of each cycle.
    pub cycles: Vec<(u64, u64)>,
    /// Steps of cycles that differ, and which of them each cycle is.
    distinct: Vec<Vec<Step>>,
    of_cycle: Vec<usize>,
    /// Centres of each factor, and the number in the target of each pair.
    pub centres: Vec<Vec<f64>>,
    weights: Vec<f64>,
}

/// Numbers of cycles on one resolution.
#[derive(Clone, Debug)]
pub(super) struct CycleNumbers {
    /// Of the first cycle, by factor.
    pub matrices: Vec<DMatrix<f64>>,
    pub memory: f64,
    pub long_run: Vec<f64>,
    pub ends: Result<Ends, NotComputed>,
    pub defect: Option<f64>,
    pub changes: Vec<(u64, f64)>,
}

/// Where cycles of the run end.
#[derive(Clone, Debug)]
pub(super) struct Ends {
    /// Probabilities of modes at the end of the first cycle.
    pub first: Vec<f64>,
    /// At the ends of all.
    pub modes: EndModes,
    /// Expected number of modes and its standard deviation, after each cycle.
    pub so_far: Vec<(f64, f64)>,
}

/// Factors and their matrices.
struct Factors<'l> {
    lines: Vec<&'l Line>,
    modes: Vec<Modes>,
    /// Whether all factors are the same: what was computed of one holds for the others.
    alike: bool,
    /// By factor, then by distinct cycle.
    matrices: Vec<Vec<DMatrix<f64>>>,
    /// What has become of the starts of the first factor at the end of the first cycle.
    after_first: Vec<Masses>,
}

impl CyclePlan {
    /// The cycles of a run.
    ///
    /// # Errors
    /// With the reason, if it has none, or they are no chain of modes.
    pub fn of(of: &Computable) -> Result<Self, NotComputed> {
        let unsuited = |why| Err(NotComputed::Unsuited(why));
        let cycles = cycles(of);
        if cycles.is_empty() {
            return unsuited("the schedule has no cycles");
        }
        let info = of.spans[0].target.info();
        if info.modes.len() < 2 {
            return unsuited("the target has not several modes");
        }
        if of.spans.len() > 1 || (1..=of.plan.steps).any(|number| of.map(&of.step(number)).is_none()) {
            return unsuited("cycles are computed of Langevin steps on one target");
        }
        let (centres, weights) = match of.kind {
            Kind::Line if of.coordinates.is_identity() => {
                let mut modes: Vec<(f64, f64)> = info.modes.iter().map(|mode| (mode.at.x, mode.weight)).collect();
                modes.sort_by(|a, b| a.0.total_cmp(&b.0));
                let (centres, weights) = modes.into_iter().unzip();
                (vec![centres], weights)
            }
            Kind::Product if of.coordinates.is_identity() => {
                let Some(Lattice { centres, mode, .. }) = Lattice::of(&info.modes) else {
                    return unsuited(
                        "the modes are no lattice, so that they are not pairs of modes of the coordinates",
                    );
                };
                let weights = mode.iter().map(|&mode| info.modes[mode].weight).collect();
                (centres.to_vec(), weights)
            }
            _ => return unsuited("modes at the ends of cycles are computed on the line and of products of two lines"),
        };
        if centres.iter().map(Vec::len).product::<usize>() > MOST_MODES {
            return unsuited("there are more than 64 modes");
        }
        let (mut distinct, mut of_cycle): (Vec<Vec<Step>>, Vec<usize>) = (Vec::new(), Vec::new());
        for &(first, last) in &cycles {
            let steps: Vec<Step> = (first..=last).filter_map(|number| of.map(&of.step(number))).collect();
            let known = distinct.iter().position(|known| alike(known, &steps));
            of_cycle.push(known.unwrap_or(distinct.len()));
            if known.is_none() {
                distinct.push(steps);
            }
        }
        Ok(Self { cycles, distinct, of_cycle, centres, weights })
    }

    /// The same with all cycles as the first one: those of a rounded schedule differ by a step.
    pub fn with_equal_cycles(mut self) -> Self {
        self.distinct.truncate(1);
        self.of_cycle.fill(0);
        self
    }

    /// The numbers on one resolution.
    ///
    /// # Errors
    /// If they cannot be computed, or `go_on` says no.
    pub fn numbers(
        &self,
        level: &Level<'_>,
        start: &Result<Origin, NotComputed>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<CycleNumbers, NotComputed> {
        let factors = self.factors(level, go_on)?;
        let mut numbers = self.ends_of(level, &factors, start, go_on)?;
        numbers.defect = self.defect(&factors, go_on)?;
        numbers.changes = self.changes(&factors, go_on)?;
        Ok(numbers)
    }

    /// The same without what costs more than matrices and ends.
    ///
    /// # Errors
    /// As [`Self::numbers`].
    pub fn ends_alone(
        &self,
        level: &Level<'_>,
        start: &Result<Origin, NotComputed>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<CycleNumbers, NotComputed> {
        let factors = self.factors(level, go_on)?;
        self.ends_of(level, &factors, start, go_on)
    }

    /// Lines and modes of each factor, and its matrices of distinct cycles.
    fn factors<'l>(&self, level: &'l Level<'_>, go_on: &mut dyn FnMut() -> bool) -> Result<Factors<'l>, NotComputed> {
        let modes: Vec<Modes> = self.centres.iter().map(|centres| Modes::nearest(centres)).collect();
        let lines: Vec<&Line> = (0..self.centres.len()).filter_map(|factor| level.line(factor, 0)).collect();
        let alike = level.grids.len() == 1 && self.centres.windows(2).all(|pair| pair[0] == pair[1]);
        let mut factors = Factors { lines, modes, alike, matrices: Vec::new(), after_first: Vec::new() };
        for (factor, (line, modes)) in factors.lines.iter().zip(&factors.modes).enumerate() {
            if let (true, Some(first)) = (alike, factors.matrices.first()) {
                factors.matrices.push(first.clone());
                continue;
            }
            let mut of_factor = Vec::new();
            for (number, steps) in self.distinct.iter().enumerate() {
                let mut masses = modes.starts(line)?;
                wanted(steps.iter().copied(), go_on, |steps| evolve(line, &mut masses, steps, |_, _| ()))?;
                of_factor.push(modes.matrix_of(line, &masses));
                if factor == 0 && number == self.of_cycle[0] {
                    factors.after_first = masses;
                }
            }
            factors.matrices.push(of_factor);
        }
        Ok(factors)
    }

    fn ends_of(
        &self,
        level: &Level<'_>,
        factors: &Factors<'_>,
        start: &Result<Origin, NotComputed>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<CycleNumbers, NotComputed> {
        let first: Vec<DMatrix<f64>> = factors.matrices.iter().map(|of_factor| of_factor[0].clone()).collect();
        let memory = first.iter().map(|matrix| second_eigenvalue(matrix).unwrap_or(f64::NAN)).fold(0.0, f64::max);
        let shares: Vec<Vec<f64>> = first.iter().map(long_run_shares).collect();
        let ends = start.clone().and_then(|start| self.ends(level, factors, &start, go_on));
        if let Err(NotComputed::Ended) = ends {
            return Err(NotComputed::Ended);
        }
        let long_run = together(&shares);
        Ok(CycleNumbers { long_run, defect: None, changes: Vec::new(), matrices: first, memory, ends })
    }

    /// Probabilities of modes at the end of the first cycle, and where all cycles end.
    fn ends(
        &self,
        level: &Level<'_>,
        factors: &Factors<'_>,
        start: &Origin,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Ends, NotComputed> {
        let starts = level.first(start)?;
        let mut shares: Vec<Vec<f64>> = Vec::new();
        for (number, (line, modes)) in factors.lines.iter().zip(&factors.modes).enumerate() {
            if let (true, Some(first)) = (factors.alike && starts[number] == starts[0], shares.first()) {
                shares.push(first.clone());
                continue;
            }
            let mut masses = [starts[number].clone()];
            let before = (1..self.cycles[0].0).filter_map(|number| level.of.map(&level.of.step(number)));
            let steps = before.chain(self.distinct[self.of_cycle[0]].iter().copied()).skip(1);
            wanted(steps, go_on, |steps| evolve(line, &mut masses, steps, |_, _| ()))?;
            shares.push(modes.masses(line, &masses[0]));
        }
        let first = together(&shares);
        let all: Vec<DMatrix<f64>> = (0..self.distinct.len())
            .map(|number| match &factors.matrices[..] {
                [x, y] => of_product(&x[number], &y[number]),
                [only, ..] => only[number].clone(),
                [] => DMatrix::zeros(0, 0),
            })
            .collect();
        let total: f64 = self.weights.iter().sum();
        let weights: Vec<f64> = self.weights.iter().map(|weight| weight / total).collect();
        let later = self.of_cycle[1..].iter().map(|&number| &all[number]);
        let (modes, so_far) = (end_modes(&first, &later, &weights), end_modes_so_far(&first, &later));
        Ok(Ends { first, modes, so_far })
    }

    /// How far two cycles are from the product of both.
    fn defect(&self, factors: &Factors<'_>, go_on: &mut dyn FnMut() -> bool) -> Result<Option<f64>, NotComputed> {
        let Factors { lines, modes, matrices, after_first, .. } = factors;
        let (Some(&second), [line, ..], [modes, ..], [of_factor, ..]) =
            (self.of_cycle.get(1), &lines[..], &modes[..], &matrices[..])
        else {
            return Ok(None);
        };
        let mut masses = after_first.clone();
        let steps = self.distinct[second].iter().copied();
        wanted(steps, go_on, |steps| evolve(line, &mut masses, steps, |_, _| ()))?;
        let together = modes.matrix_of(line, &masses);
        let (a, b) = (&of_factor[self.of_cycle[0]], &of_factor[second]);
        let entry = |i: usize, j: usize| (0..a.ncols()).map(|k| a[(i, k)] * b[(k, j)]).sum::<f64>();
        let differences = (0..a.nrows()).flat_map(|i| (0..b.ncols()).map(move |j| (i, j)));
        Ok(Some(differences.map(|(i, j)| (entry(i, j) - together[(i, j)]).abs()).fold(0.0, f64::max)))
    }

    /// The probability that the mode still changes, by the position in the first cycle.
    fn changes(&self, factors: &Factors<'_>, go_on: &mut dyn FnMut() -> bool) -> Result<Vec<(u64, f64)>, NotComputed> {
        let steps = &self.distinct[self.of_cycle[0]];
        let mut of_factors: Vec<(Vec<Vec<f64>>, Vec<f64>)> = Vec::new();
        for (line, modes) in factors.lines.iter().zip(&factors.modes) {
            if let (true, Some(first)) = (factors.alike, of_factors.first()) {
                of_factors.push(first.clone());
                continue;
            }
            let backwards = steps.iter().rev().copied();
            let changes = wanted(backwards, go_on, |steps| modes.changes(line, steps))?;
            of_factors.push((changes, modes.masses(line, &line.truth()?)));
        }
        let every = steps.len().div_ceil(POINTS).max(1);
        let at = |position: usize| {
            let stays = of_factors.iter().map(|(changes, weights)| {
                changes[position].iter().zip(weights).map(|(change, weight)| (1.0 - change) * weight).sum::<f64>()
            });
            (position as u64, (1.0 - stays.product::<f64>()).clamp(0.0, 1.0))
        };
        Ok((0..steps.len()).step_by(every).map(at).collect())
    }
}

/// Computes with steps as long as somebody waits for the result.
fn wanted<T>(
    steps: impl Iterator<Item = Step>,
    go_on: &mut dyn FnMut() -> bool,
    compute: impl FnOnce(&mut dyn Iterator<Item = Step>) -> Result<T, Refusal>,
) -> Result<T, NotComputed> {
    let mut goes_on = true;
    let found = compute(&mut steps.take_while(|_| {
        goes_on = go_on();
        goes_on
    }));
    if goes_on { Ok(found?) } else { Err(NotComputed::Ended) }
}

/// Shares of pairs of modes.
fn together(shares: &[Vec<f64>]) -> Vec<f64> {
    match shares {
        [x, y] => y.iter().flat_map(|up| x.iter().map(move |across| across * up)).collect(),
        [only, ..] => only.clone(),
        [] => Vec::new(),
    }
}

/// First and last steps of cycles, in order.
fn cycles(of: &Computable) -> Vec<(u64, u64)> {
    let mut found: Vec<(u64, u64)> = Vec::new();
    let mut before = None;
    for number in 1..=of.plan.steps {
        let cycle = of.plan.segment_of(number).schedule.cycle(number);
        match found.last_mut() {
            Some((_, last)) if cycle.is_some() && cycle == before => *last = number,
            _ if cycle.is_some() => found.push((number, number)),
            _ => {}
        }
        before = cycle;
    }
    found
}

fn alike(a: &[Step], b: &[Step]) -> bool {
    let same = |a: f64, b: f64| (a - b).abs() <= SAME * (a.abs() + b.abs());
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a.alpha, b.alpha) && same(a.variance, b.variance))
}

/// Expected numbers of modes and their standard deviations, after each cycle.
fn so_far(coarse: &[(f64, f64)], fine: &[(f64, f64)]) -> Vec<(Trusted, Trusted)> {
    let both = coarse.iter().zip(fine);
    both.map(|(coarse, fine)| (trusted(coarse.0, fine.0, 0.0), trusted(coarse.1, fine.1, 0.0))).collect()
}

/// The numbers of a coarse and of a fine grid together.
pub(super) fn cycles_of(plan: &CyclePlan, coarse: &CycleNumbers, fine: &CycleNumbers) -> Cycles {
    let all = |coarse: &[f64], fine: &[f64]| -> Vec<Trusted> {
        coarse.iter().zip(fine).map(|(coarse, fine)| trusted(*coarse, *fine, 0.0)).collect()
    };
    let matrix = |(coarse, fine): (&DMatrix<f64>, &DMatrix<f64>)| {
        let difference = coarse.iter().zip(fine.iter()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        (fine.clone(), difference)
    };
    let ends = match (&coarse.ends, &fine.ends) {
        (Ok(coarse), Ok(fine)) => Ok((coarse, fine)),
        (Err(why), _) | (_, Err(why)) => Err(why.clone()),
    };
    let of = |value: fn(&EndModes) -> f64| {
        ends.clone().map(|(coarse, fine)| trusted(value(&coarse.modes), value(&fine.modes), 0.0))
    };
    Cycles {
        count: plan.cycles.len(),
        first_step: plan.cycles.first().map_or(1, |(first, _)| *first),
        centres: plan.centres.clone(),
        matrices: coarse.matrices.iter().zip(&fine.matrices).map(matrix).collect(),
        memory: trusted(coarse.memory, fine.memory, 0.0),
        long_run: all(&coarse.long_run, &fine.long_run),
        first_ends: ends.as_ref().map_or_else(|_| Vec::new(), |(coarse, fine)| all(&coarse.first, &fine.first)),
        end_modes: of(|ends| ends.expected),
        end_modes_sd: of(|ends| ends.sd),
        end_kl: of(|ends| ends.kl),
        so_far: ends.as_ref().map_or_else(|_| Vec::new(), |(coarse, fine)| so_far(&coarse.so_far, &fine.so_far)),
        defect: fine.defect,
        changes: coarse
            .changes
            .iter()
            .zip(&fine.changes)
            .map(|(coarse, fine)| (fine.0, trusted(coarse.1, fine.1, 0.0)))
            .collect(),
    }
}
