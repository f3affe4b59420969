//! Maxima of log p_T: Adam with the full gradient, then Newton's method, damped.

use super::{MOST_DENSE, Network};
use crate::targets::Model;
use base::math::{Coords, Damping, Decay, Simd, adam_scale, damped_step};

/// Settings of [Adam](Decay), with its usual β₁ = 0.9 and β₂ = 0.999.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adam {
    /// Number of steps.
    pub steps: usize,
    /// Step size; a tenth of it in the last 30 % of the steps.
    pub rate: f64,
}

impl Default for Adam {
    fn default() -> Self {
        Self { steps: 20_000, rate: 0.01 }
    }
}

/// Share of the steps that Adam takes at its full rate.
const FULL_RATE: f64 = 0.7;

/// The largest slope at which a maximum counts as found.
pub const FLAT: f64 = 1e-8;

/// Attempts with more and more damping in a step of Newton's method at most: the damping grows by 4¹⁰⁰.
const MOST_ATTEMPTS: usize = 100;

/// The first damping, relative to the mean size of the diagonal of the Hessian.
const FIRST_DAMPING: f64 = 1e-6;

/// Change of the damping after a step that fails, and after one that succeeds.
const MORE: f64 = 4.0;
const LESS: f64 = 0.1;

/// Fall of log p, relative to its size, that is taken for rounding.
const ROUNDING: f64 = 1e-13;

/// Where a search has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimum {
    /// θ.
    pub theta: Vec<f64>,
    /// log p_T there.
    pub log_density: f64,
    /// |∇ log p_T|∞ there.
    pub slope: f64,
    /// Steps taken.
    pub steps: usize,
}

impl Optimum {
    /// Whether |∇ log p_T|∞ < [`FLAT`].
    #[must_use]
    pub fn is_found(&self) -> bool {
        self.slope < FLAT
    }
}

/// Gradients at one point, with their memory.
struct Slopes<'a> {
    network: &'a Network,
    at: Coords,
    out: Coords,
    memory: Vec<f64>,
}

impl<'a> Slopes<'a> {
    fn new(network: &'a Network) -> Self {
        let one = || Coords::zeros(network.dimension(), 1);
        Self { network, at: one(), out: one(), memory: Vec::new() }
    }

    fn at(&mut self, theta: &[f64]) -> &[f64] {
        self.at.set(0, theta);
        self.network.gradients(Simd::widest(), &self.at, &mut self.memory, &mut self.out);
        self.out.values()
    }
}

/// θ after the steps of Adam from `start`.
#[must_use]
pub fn adam(network: &Network, start: &[f64], settings: Adam) -> Vec<f64> {
    let mut theta = start.to_vec();
    let mut slopes = Slopes::new(network);
    let (mut means, mut squares) = (vec![0.0; theta.len()], vec![0.0; theta.len()]);
    let decay = Decay::USUAL;
    let mut powers = [1.0, 1.0];
    for step in 0..settings.steps {
        let share = if (step as f64) < FULL_RATE * settings.steps as f64 { 1.0 } else { 0.1 };
        powers = [powers[0] * decay.first, powers[1] * decay.second];
        // The rate is corrected instead of the mean: other last bits than those of `Decay::step`.
        let rate = share * settings.rate / (1.0 - powers[0]);
        let slopes = slopes.at(&theta);
        let moments = means.iter_mut().zip(&mut squares);
        for ((theta, slope), (mean, square)) in theta.iter_mut().zip(slopes).zip(moments) {
            decay.average([&mut *mean, &mut *square], *slope);
            *theta += rate * *mean / adam_scale(*square, 1.0 - powers[1]);
        }
    }
    theta
}

/// At most `steps` steps of Newton's method from `start`, until |∇ log p_T|∞ < [`FLAT`]; none with more than [`MOST_DENSE`]
/// weights.
///
/// The [damping](damped_step) of a step grows until log p_T does not fall, and shrinks after every step.
#[must_use]
pub fn newton(network: &Network, start: &[f64], steps: usize) -> Optimum {
    let mut at = measured(network, start.to_vec(), 0);
    let mut damping = 0.0;
    while network.dimension() <= MOST_DENSE && at.steps < steps && !at.is_found() && at.slope.is_finite() {
        let hessian = network.hessian(&at.theta);
        let gradient = network.gradient_at(&at.theta);
        let size = hessian.diagonal().iter().map(|entry| entry.abs()).sum::<f64>() / gradient.len() as f64;
        let limits = Damping { first: damping, least: FIRST_DAMPING * size, growth: MORE, trials: MOST_ATTEMPTS };
        let (Some((next, used)), _) = damped_step(&hessian, &gradient, limits, |step| better(network, &at, step))
        else {
            break;
        };
        damping = if used > FIRST_DAMPING * FIRST_DAMPING * size { used * LESS } else { 0.0 };
        at = next;
    }
    at
}

fn measured(network: &Network, theta: Vec<f64>, steps: usize) -> Optimum {
    let slope = network.gradient_at(&theta).iter().fold(0.0, |most: f64, slope| {
        // NaN stays.
        if slope.abs() <= most { most } else { slope.abs() }
    });
    Optimum { log_density: network.log_density_at(&theta), theta, slope, steps }
}

/// The end of a step that rises, or that flattens without a fall.
fn better(network: &Network, from: &Optimum, step: &[f64]) -> Option<Optimum> {
    let theta = from.theta.iter().zip(step).map(|(theta, step)| theta + step).collect();
    let next = measured(network, theta, from.steps + 1);
    let rises = next.log_density > from.log_density;
    let flattens =
        next.slope < from.slope && next.log_density >= from.log_density - ROUNDING * from.log_density.abs().max(1.0);
    (rises || flattens).then_some(next)
}
