//! Adaptation of step size and mass matrix of one chain of HMC or NUTS, during a warm-up after which both stay as they are.
//!
//! - Step size: dual averaging (Hoffman and Gelman 2014, algorithm 6) of x = ln(h/h₀), h₀ the step size of the schedule. After
//!   adapted step t with mean acceptance a, H̄ ← (1 − 1/(t + 10)) H̄ + (δ − a)/(t + 10), x ← μ − 20 √t H̄,
//!   x̄ ← t^(−3/4) x + (1 − t^(−3/4)) x̄; δ is the target acceptance and μ = ln 10 + x at the start. After the warm-up x = x̄.
//!   There is no search for a first step size: that of the schedule is the first.
//! - Mass matrix: the inverse of the covariance of the chain's positions in windows of 25, 50, 100, … steps, after 75 steps
//!   and before the last 50, as in Stan (Stan Reference Manual, "HMC algorithm parameters"); in a warm-up of less than 150
//!   steps after its first 15 % and before its last 10 %, and not at all below 20 steps. The covariance of n positions is
//!   shrunk to n/(n + 5) Σ + 5/(n + 5) 10⁻³ I, also as in Stan. After every window dual averaging begins again.
//!
//! Between two ends that reflect, an adapted step is at most as long as the longest side of the support, and at most 2²⁰ times as
//! long as the shortest: where the density is flat every step is accepted, and h would grow for ever. Stan has no such ends.
//!
//! Both are carried by the chain from step to step, so that neither blocks nor time travel change a bit.

use base::math::Coords;
use base::math::elementary::{exp, ln};

mod settings;

pub(crate) use settings::{
    ADAPT_STEP_SIZE, DIAGONAL, MASS, TARGET_ACCEPTANCE, USUAL_WARM_UP, WARM_UP, set_usual, set_with_warm_up,
};

use crate::methods::kit::covariance::{self, triangle};
use crate::methods::{Milestone, Problem};

/// Which mass matrix the momenta have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mass {
    /// The identity.
    #[default]
    Unit,
    /// The inverse of the variances along the chain, adapted during the warm-up.
    Diagonal,
    /// The inverse of the covariance along the chain, adapted during the warm-up.
    Dense,
}

/// What is adapted during a warm-up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptation {
    /// Whether the step size is.
    pub step_size: bool,
    /// δ, between 0 and 1.
    pub target_acceptance: f64,
    /// The mass matrix.
    pub mass: Mass,
    /// Steps of the warm-up.
    pub warm_up: u64,
}

impl Default for Adaptation {
    fn default() -> Self {
        Self { step_size: false, target_acceptance: 0.8, mass: Mass::Unit, warm_up: settings::USUAL_WARM_UP }
    }
}

impl Adaptation {
    /// Whether anything is adapted.
    pub fn adapts(&self) -> bool {
        self.warm_up > 0 && (self.step_size || self.mass != Mass::Unit)
    }

    /// The mass matrix that chains carry.
    pub fn kept_mass(&self) -> Mass {
        if self.adapts() { self.mass } else { Mass::Unit }
    }

    /// Names of the state that chains carry.
    pub fn carries(&self) -> &'static [&'static str] {
        if self.adapts() { carries(self.mass) } else { &[] }
    }

    /// That state before the first step.
    pub fn carried(&self, dimension: usize, chains: usize) -> Vec<Coords> {
        if self.adapts() { carried(self.mass, dimension, chains) } else { Vec::new() }
    }

    /// The ends of windows, and of the warm-up.
    pub fn milestones(&self) -> Vec<Milestone> {
        if !self.adapts() {
            return Vec::new();
        }
        let windows = window_ends(self.warm_up).into_iter().filter(|_| self.mass != Mass::Unit);
        let masses = windows.map(|after| Milestone { after, what: "mass matrix adapted" });
        masses.chain([Milestone { after: self.warm_up, what: "warm-up ends" }]).collect()
    }
}

/// γ, t₀ of Hoffman and Gelman (2014), section 3.2; their κ = 3/4 is in [`Adapter::learn_step_size`].
const GAMMA: f64 = 0.05;
const STABILISER: f64 = 10.0;

/// The largest |x|, so that h stays a number where every step or none is accepted.
const FARTHEST: f64 = 40.0;

/// The longest adapted step, in units of the shortest side of the support: 33 bits of 53 are left of a position.
const MOST_SIDES: f64 = 1_048_576.0;

/// Steps before the first window, in the first window, and after the last, as in Stan.
const BUFFERS: [u64; 3] = [75, 25, 50];

/// The shortest warm-up with windows.
const SHORTEST: u64 = 20;

/// Numbers in [`Numbers`].
pub const NUMBERS: usize = 7;

/// The state of the adaptation of a chain besides vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Numbers {
    /// Steps of the warm-up so far.
    done: f64,
    /// x.
    log_factor: f64,
    /// x̄.
    averaged: f64,
    /// H̄.
    shortfall: f64,
    /// μ.
    anchor: f64,
    /// t.
    updates: f64,
    /// n.
    count: f64,
}

/// The adaptation of a chain.
#[derive(Clone, Debug, Default)]
pub struct Adapter {
    numbers: Numbers,
    mean: Vec<f64>,
    sums: Vec<f64>,
    /// The standard deviations to which the mass is adapted, or the Cholesky factor of the covariance; empty at unit mass.
    scale: Vec<f64>,
    trial: Vec<f64>,
    memory: Vec<f64>,
}

/// The name of what a chain carries of a diagonal mass matrix: the standard deviations to which it is adapted.
pub const DIAGONAL_MASS: &str = "diagonal mass";

/// That of a dense one: the lower triangle L of the covariance L Lᵀ to which it is adapted, by rows.
pub const DENSE_MASS: &str = "dense mass";

/// Names of the carried state by kind of mass matrix.
fn carries(mass: Mass) -> &'static [&'static str] {
    match mass {
        Mass::Unit => &["step size adaptation"],
        Mass::Diagonal => &["step size adaptation", "mean", "squares", DIAGONAL_MASS],
        Mass::Dense => &["step size adaptation", "mean", "products", DENSE_MASS],
    }
}

/// Numbers in the scale of a mass matrix.
fn scale_length(mass: Mass, dimension: usize) -> usize {
    match mass {
        Mass::Unit => 0,
        Mass::Diagonal => dimension,
        Mass::Dense => triangle(dimension),
    }
}

/// The carried state of chains before their first step.
fn carried(mass: Mass, dimension: usize, chains: usize) -> Vec<Coords> {
    let mut numbers = Coords::zeros(NUMBERS, chains);
    // μ = ln 10 + 0.
    numbers.axis_mut(4).fill(std::f64::consts::LN_10);
    let length = scale_length(mass, dimension);
    if length == 0 {
        return vec![numbers];
    }
    let mut scales = Coords::zeros(length, chains);
    for axis in 0..dimension {
        let diagonal = if mass == Mass::Dense { covariance::entry(axis, axis) } else { axis };
        scales.axis_mut(diagonal).fill(1.0);
    }
    vec![numbers, Coords::zeros(dimension, chains), Coords::zeros(length, chains), scales]
}

impl Adapter {
    /// Takes over the state of a chain; without one, nothing is adapted.
    pub fn load(&mut self, carried: &[Coords], chain: usize) {
        let fill = |to: &mut Vec<f64>, from: Option<&Coords>| {
            to.clear();
            to.extend(from.into_iter().flat_map(|from| from.vector(chain)));
        };
        let mut numbers = [0.0; NUMBERS];
        if let Some(from) = carried.first() {
            numbers.iter_mut().zip(from.vector(chain)).for_each(|(to, from)| *to = from);
        }
        let [done, log_factor, averaged, shortfall, anchor, updates, count] = numbers;
        self.numbers = Numbers { done, log_factor, averaged, shortfall, anchor, updates, count };
        fill(&mut self.mean, carried.get(1));
        fill(&mut self.sums, carried.get(2));
        fill(&mut self.scale, carried.get(3));
    }

    /// Hands the state back to the chain.
    pub fn store(&self, carried: &mut [Coords], chain: usize) {
        let Numbers { done, log_factor, averaged, shortfall, anchor, updates, count } = self.numbers;
        let numbers = [done, log_factor, averaged, shortfall, anchor, updates, count];
        let parts: [&[f64]; 4] = [&numbers, &self.mean, &self.sums, &self.scale];
        for (to, from) in carried.iter_mut().zip(parts) {
            to.set(chain, from);
        }
    }

    /// h/h₀.
    pub fn factor(&self) -> f64 {
        exp(self.numbers.log_factor)
    }

    /// Standard deviations to which the mass is adapted, coordinate by coordinate.
    pub fn sd(&self, mass: Mass, axis: usize) -> f64 {
        match mass {
            Mass::Unit => 1.0,
            Mass::Diagonal => self.scale[axis],
            Mass::Dense => {
                let row = &self.scale[triangle(axis)..=covariance::entry(axis, axis)];
                row.iter().map(|entry| entry * entry).sum::<f64>().sqrt()
            }
        }
    }

    /// Steps of the warm-up that are left.
    #[expect(clippy::cast_sign_loss, reason = "a count of steps below 2⁵³")]
    pub fn left(&self, warm_up: u64) -> u64 {
        warm_up.saturating_sub(self.numbers.done as u64)
    }

    /// Velocity A r of a momentum r at unit mass, A Aᵀ the inverse of the mass matrix.
    pub fn velocity(&self, mass: Mass, momentum: &[f64], out: &mut [f64]) {
        match mass {
            Mass::Unit => out.copy_from_slice(momentum),
            Mass::Diagonal => scaled(&self.scale, momentum, out),
            Mass::Dense => covariance::times(&self.scale, momentum, out),
        }
    }

    /// The force Aᵀ g on a momentum at unit mass.
    pub fn force(&self, mass: Mass, gradient: &[f64], out: &mut [f64]) {
        match mass {
            Mass::Unit => out.copy_from_slice(gradient),
            Mass::Diagonal => scaled(&self.scale, gradient, out),
            Mass::Dense => covariance::times_transposed(&self.scale, gradient, out),
        }
    }

    /// The momentum A⁻¹ v at unit mass of a velocity v, in its place.
    pub fn momentum(&self, mass: Mass, velocity: &mut [f64]) {
        match mass {
            Mass::Unit => {}
            Mass::Diagonal => velocity.iter_mut().zip(&self.scale).for_each(|(velocity, scale)| *velocity /= scale),
            Mass::Dense => covariance::solve(&self.scale, velocity),
        }
    }

    /// The longest step size that is adapted: infinite unless the boundary of the support reflects at two ends.
    pub fn most(&self, problem: &Problem<'_>, mass: Mass) -> f64 {
        let Some(coordinates) = problem.folding() else { return f64::INFINITY };
        let sides = (0..problem.free).map(|axis| coordinates.side(axis) / self.sd(mass, axis));
        let (shortest, longest) =
            sides.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), side| (low.min(side), high.max(side)));
        longest.min(MOST_SIDES * shortest)
    }

    /// Learns from a step that ended at `position` with this mean acceptance and h/h₀ at most `most`, while the warm-up lasts.
    #[expect(clippy::cast_sign_loss, reason = "a count of steps below 2⁵³")]
    pub fn learn(&mut self, of: &Adaptation, (acceptance, most): (f64, f64), position: &[f64]) {
        let step = self.numbers.done as u64 + 1;
        if step > of.warm_up {
            return;
        }
        self.numbers.done += 1.0;
        if of.step_size {
            self.learn_step_size(of.target_acceptance - acceptance, ln(most));
        }
        if let Some(end) = window_end(of.warm_up, step).filter(|_| of.mass != Mass::Unit) {
            self.numbers.count += 1.0;
            covariance::add(position, self.numbers.count, &mut self.mean, &mut self.sums, &mut self.memory);
            if step == end {
                self.learn_mass(of.mass);
                self.begin_again();
            }
        }
        if step == of.warm_up && of.step_size {
            self.numbers.log_factor = self.numbers.averaged;
        }
    }

    /// A step of dual averaging, up to a largest x.
    fn learn_step_size(&mut self, shortfall: f64, most: f64) {
        let numbers = &mut self.numbers;
        numbers.updates += 1.0;
        let weight = 1.0 / (numbers.updates + STABILISER);
        numbers.shortfall = (1.0 - weight) * numbers.shortfall + weight * shortfall;
        let root = numbers.updates.sqrt();
        numbers.log_factor = (numbers.anchor - root / GAMMA * numbers.shortfall).min(most).clamp(-FARTHEST, FARTHEST);
        let newest = 1.0 / (root * root.sqrt());
        numbers.averaged = newest * numbers.log_factor + (1.0 - newest) * numbers.averaged;
    }

    /// Puts the covariance of the window in the place of the inverse mass matrix, unless it is none.
    fn learn_mass(&mut self, mass: Mass) {
        let (count, dimension) = (self.numbers.count, self.mean.len());
        let kept = count / (count + 5.0);
        let floor = 1e-3 * (5.0 / (count + 5.0));
        let factor = kept / (count - 1.0).max(1.0);
        self.trial.clear();
        self.trial.extend(self.sums.iter().map(|sum| factor * sum));
        let sound = if mass == Mass::Diagonal {
            self.trial.iter_mut().for_each(|variance| *variance = (*variance + floor).sqrt());
            self.trial.iter().all(|sd| sd.is_finite())
        } else {
            (0..dimension).for_each(|axis| self.trial[covariance::entry(axis, axis)] += floor);
            covariance::factorise(&mut self.trial, dimension)
        };
        if sound {
            self.scale.copy_from_slice(&self.trial);
        }
    }

    /// Begins a window, and dual averaging from the present step size.
    fn begin_again(&mut self) {
        let numbers = self.numbers;
        let anchor = std::f64::consts::LN_10 + numbers.log_factor;
        self.numbers =
            Numbers { anchor, updates: 0.0, shortfall: 0.0, averaged: numbers.log_factor, count: 0.0, ..numbers };
        self.mean.fill(0.0);
        self.sums.fill(0.0);
    }
}

fn scaled(scale: &[f64], vector: &[f64], out: &mut [f64]) {
    for ((out, scale), value) in out.iter_mut().zip(scale).zip(vector) {
        *out = scale * value;
    }
}

/// The last step of the window in which a step of the warm-up is, both counted from 1; `None` outside of windows.
fn window_end(warm_up: u64, step: u64) -> Option<u64> {
    if warm_up < SHORTEST {
        return None;
    }
    let [first, base, last] = if warm_up >= BUFFERS.iter().sum() {
        BUFFERS
    } else {
        let (first, last) = (warm_up * 15 / 100, warm_up / 10);
        [first, warm_up - first - last, last]
    };
    let stop = warm_up - last;
    if step <= first || step > stop {
        return None;
    }
    let (mut length, mut end) = (base, first + base);
    loop {
        // A window that would leave too little for the next one, of twice its length, goes on to the end.
        if end + 2 * length > stop {
            end = stop;
        }
        if step <= end {
            return Some(end);
        }
        length *= 2;
        end += length;
    }
}

/// The last steps of all windows of a warm-up.
fn window_ends(warm_up: u64) -> Vec<u64> {
    let first = (1..=warm_up.min(BUFFERS[0] + 1)).find_map(|step| window_end(warm_up, step));
    std::iter::successors(first, |end| window_end(warm_up, end + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stan's windows for a warm-up of 1000 steps end after 100, 150, 250, 450 and 950.
    #[test]
    fn windows_are_those_of_stan() {
        assert_eq!(window_ends(1000), [100, 150, 250, 450, 950]);
        assert_eq!(window_ends(150), [100]);
        assert_eq!(window_ends(100), [90]);
        assert_eq!((window_ends(19), window_ends(20)), (vec![], vec![18]));
        for warm_up in 0..2000 {
            let mut ends: Vec<u64> = (1..=warm_up).filter_map(|step| window_end(warm_up, step)).collect();
            ends.dedup();
            assert_eq!(window_ends(warm_up), ends, "{warm_up}");
        }
        assert_eq!((window_end(1000, 75), window_end(1000, 76), window_end(1000, 951)), (None, Some(100), None));
    }

    /// The recursion of algorithm 6, written down again with logarithms and powers.
    #[test]
    fn dual_averaging_is_that_of_hoffman_and_gelman() {
        let method = Adaptation { step_size: true, warm_up: 40, ..Adaptation::default() };
        let mut adapter = Adapter::default();
        adapter.load(&carried(Mass::Unit, 2, 1), 0);
        let (mut h_bar, mut x_bar) = (0.0, 0.0);
        for t in 1..=40 {
            let acceptance = [0.95, 0.2, 0.7][t % 3];
            adapter.learn(&method, (acceptance, f64::INFINITY), &[0.0; 2]);
            let (time, weight) = (t as f64, 1.0 / (t as f64 + 10.0));
            h_bar = (1.0 - weight) * h_bar + weight * (0.8 - acceptance);
            let x = 10f64.ln() - time.sqrt() / 0.05 * h_bar;
            let share = time.powf(-0.75);
            x_bar = share * x + (1.0 - share) * x_bar;
            let expected = if t == 40 { x_bar } else { x };
            assert!((adapter.numbers.log_factor - expected).abs() < 1e-12, "{t}");
        }
        let frozen = adapter.numbers;
        adapter.learn(&method, (0.1, f64::INFINITY), &[0.0; 2]);
        assert_eq!((adapter.numbers, adapter.left(40)), (frozen, 0));
    }

    /// A window of positions on a line gives its shrunk covariance, diagonal and dense; momenta and velocities convert back.
    #[test]
    fn the_mass_is_the_inverse_of_the_covariance_of_a_window() {
        let draws: Vec<[f64; 2]> = (0..100).map(|k| [f64::from(k % 7), f64::from(k % 7) + f64::from(k % 3)]).collect();
        for mass in [Mass::Diagonal, Mass::Dense] {
            let method = Adaptation { mass, warm_up: 100, ..Adaptation::default() };
            let mut adapter = Adapter::default();
            adapter.load(&carried(mass, 2, 1), 0);
            draws.iter().for_each(|draw| adapter.learn(&method, (0.8, f64::INFINITY), draw));
            // The window has the steps 16 to 90.
            let window = &draws[15..90];
            let n = window.len() as f64;
            let mean = |axis: usize| window.iter().map(|draw| draw[axis]).sum::<f64>() / n;
            let covariance = |a: usize, b: usize| {
                let sum: f64 = window.iter().map(|draw| (draw[a] - mean(a)) * (draw[b] - mean(b))).sum();
                n / (n + 5.0) * sum / (n - 1.0) + if a == b { 1e-3 * 5.0 / (n + 5.0) } else { 0.0 }
            };
            for axis in 0..2 {
                assert!((adapter.sd(mass, axis) - covariance(axis, axis).sqrt()).abs() < 1e-12);
            }
            let (mut velocity, mut force) = ([0.0; 2], [0.0; 2]);
            adapter.velocity(mass, &[0.3, -1.2], &mut velocity);
            // A Aᵀ e₀ is the first column of the covariance.
            adapter.force(mass, &[1.0, 0.0], &mut force);
            let mut column = [0.0; 2];
            adapter.velocity(mass, &force, &mut column);
            let beside = if mass == Mass::Dense { covariance(0, 1) } else { 0.0 };
            assert!((column[0] - covariance(0, 0)).abs() < 1e-12 && (column[1] - beside).abs() < 1e-12);
            adapter.momentum(mass, &mut velocity);
            assert!((velocity[0] - 0.3).abs() < 1e-12 && (velocity[1] + 1.2).abs() < 1e-12);
        }
    }

    #[test]
    fn a_state_survives_its_chain() {
        let method = Adaptation { mass: Mass::Dense, step_size: true, warm_up: 60, ..Adaptation::default() };
        let mut chains = carried(Mass::Dense, 2, 3);
        let mut adapter = Adapter::default();
        adapter.load(&chains, 1);
        for k in 0..30 {
            adapter.learn(&method, (0.5, f64::INFINITY), &[f64::from(k), f64::from(k % 4)]);
        }
        adapter.store(&mut chains, 1);
        let mut again = Adapter::default();
        again.load(&chains, 1);
        assert_eq!((again.numbers, &again.sums, &again.mean), (adapter.numbers, &adapter.sums, &adapter.mean));
        again.load(&chains, 0);
        assert_eq!((again.numbers.done.to_bits(), again.scale.as_slice()), (0, &[1.0, 0.0, 1.0][..]));
    }
}
