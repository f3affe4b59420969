//! Tuning of the step size h and the decoherence length L of one chain of MCLMC, during a warm-up after which both stay as they are.
//!
//! - Step size, at every step of the warm-up: the error ΔE of the energy of a step has a variance that grows as h⁶ d. With
//!   ξ = ΔE²/(V d) + 10⁻⁸, V = 5·10⁻⁴ the one that is wanted, and weights w = exp(−½ (ln ξ/9)²), sums are kept with the share
//!   γ = (n − 1)/(n + 1), n = 150: S ← γ S + w ξ/h⁶, W ← γ W + w; then h = (W/S)^(1/6). A step whose error is no number gives h ← 0.8 h, and
//!   no longer one is tried after it.
//! - L: the root of the sum of the variances of the coordinates along the second half of the warm-up, at its end.
//!
//! Robnik, De Luca, Silverstein and Seljak (2023), "Microcanonical Hamiltonian Monte Carlo", arXiv:2212.08549, section 5; the weights
//! and constants are those of its program in BlackJAX. That one goes on to find L from autocorrelation; this is left out.
//!
//! Both are carried by the chain from step to step, so that neither blocks nor time travel change a bit.

use crate::methods::kit::covariance;
use base::math::Coords;
use base::math::elementary::{exp, ln};

/// V, the variance of the error of the energy of a step and a coordinate that is aimed at.
pub const WANTED: f64 = 5e-4;

/// n, the steps that an average remembers.
const REMEMBERED: f64 = 150.0;

/// How much less a step counts whose error is far from the wanted one: 6 times 1.5, the trust in a single step.
const TRUST: f64 = 9.0;

/// What an error of 0 counts as.
const LEAST: f64 = 1e-8;

/// The share of h that is kept after an error that is no number.
const SHORTER: f64 = 0.8;

/// The largest |ln h/h₀|: where the density is flat no step has an error.
const FARTHEST: f64 = 20.0;

/// Numbers that a chain carries besides the mean and the sums of squares of its coordinates.
const NUMBERS: usize = 7;

/// The position of L among them.
const LENGTH: usize = 4;

/// Names of the state that chains carry.
pub const CARRIES: [&str; 3] = ["tuning", "mean", "squares"];

/// The tuning of a chain.
#[derive(Clone, Debug, Default)]
pub struct Tuner {
    /// Steps so far.
    done: f64,
    /// ln h/h₀, h₀ the step size of the schedule.
    log_factor: f64,
    /// S and W.
    sum: f64,
    weights: f64,
    /// L.
    length: f64,
    /// ln of the longest step that is tried, in units of h₀.
    longest: f64,
    /// Positions in the means.
    count: f64,
    mean: Vec<f64>,
    squares: Vec<f64>,
    memory: Vec<f64>,
}

/// The state of chains before their first step.
pub fn carried(length: f64, dimension: usize, chains: usize) -> Vec<Coords> {
    let mut numbers = Coords::zeros(NUMBERS, chains);
    numbers.axis_mut(LENGTH).fill(length);
    numbers.axis_mut(LENGTH + 1).fill(FARTHEST);
    vec![numbers, Coords::zeros(dimension, chains), Coords::zeros(dimension, chains)]
}

impl Tuner {
    /// Takes over the state of a chain.
    pub fn load(&mut self, carried: &[Coords], chain: usize) {
        let [numbers, mean, squares] = carried else { return };
        let mut all = [0.0; NUMBERS];
        all.iter_mut().zip(numbers.vector(chain)).for_each(|(to, from)| *to = from);
        [self.done, self.log_factor, self.sum, self.weights, self.length, self.longest, self.count] = all;
        for (to, from) in [(&mut self.mean, mean), (&mut self.squares, squares)] {
            to.clear();
            to.extend(from.vector(chain));
        }
    }

    /// Hands the state back to the chain.
    pub fn store(&self, carried: &mut [Coords], chain: usize) {
        let all = [self.done, self.log_factor, self.sum, self.weights, self.length, self.longest, self.count];
        let parts: [&[f64]; 3] = [&all, &self.mean, &self.squares];
        for (to, from) in carried.iter_mut().zip(parts) {
            to.set(chain, from);
        }
    }

    /// h/h₀.
    pub fn factor(&self) -> f64 {
        exp(self.log_factor)
    }

    /// L.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Whether the newest step, with which the chain has taken so many steps, belongs to a warm-up.
    pub fn warms_up(&self, warm_up: u64) -> bool {
        self.done <= warm_up as f64
    }

    /// Learns from a step that ended at a position, and the error of its energy; counts it alone after the warm-up.
    pub fn learn(&mut self, warm_up: u64, error: f64, position: &[f64]) {
        self.done += 1.0;
        let warm_up = warm_up as f64;
        if self.done > warm_up {
            return;
        }
        self.learn_step_size(error);
        if self.done > 0.5 * warm_up {
            self.count += 1.0;
            covariance::add(position, self.count, &mut self.mean, &mut self.squares, &mut self.memory);
        }
        if self.done >= warm_up && self.count > 1.0 {
            let width = (self.squares.iter().sum::<f64>() / (self.count - 1.0)).sqrt();
            if width > 0.0 && width.is_finite() {
                self.length = width;
            }
        }
    }

    fn learn_step_size(&mut self, error: f64) {
        let square = error * error / (WANTED * self.mean.len() as f64) + LEAST;
        if !square.is_finite() {
            self.log_factor += ln(SHORTER);
            self.longest = self.log_factor;
            return;
        }
        let far = ln(square) / TRUST;
        let weight = exp(-0.5 * far * far);
        let kept = (REMEMBERED - 1.0) / (REMEMBERED + 1.0);
        self.sum = kept * self.sum + weight * square * exp(-6.0 * self.log_factor);
        self.weights = kept * self.weights + weight;
        let new = (ln(self.weights) - ln(self.sum)) / 6.0;
        if new.is_finite() {
            self.log_factor = new.min(self.longest).clamp(-FARTHEST, FARTHEST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Errors ΔE = c h³ z have the wanted variance at a known h.
    #[test]
    fn the_step_size_is_that_of_the_wanted_variance() {
        let (dimension, c) = (4, 0.3);
        let mut tuner = Tuner::default();
        tuner.load(&carried(1.0, dimension, 1), 0);
        let mut stream = base::math::Stream::derive(5, base::math::Purpose::Chain, 0, 0);
        for _ in 0..4000 {
            let h = tuner.factor();
            let z = stream.normal_pair().0;
            tuner.learn(5000, c * h * h * h * z, &[0.0; 4]);
        }
        // The root of V d is c h³, but for the weights, which count errors far from the wanted one less.
        let expected = ((WANTED * dimension as f64).sqrt() / c).cbrt();
        assert!((tuner.factor() / expected - 1.0).abs() < 0.05, "{} for {expected}", tuner.factor());
    }

    #[test]
    fn the_length_is_the_width_of_the_second_half_of_the_warm_up() {
        let mut tuner = Tuner::default();
        tuner.load(&carried(7.0, 2, 1), 0);
        for k in 0..100 {
            assert!((tuner.length() - 7.0).abs() < 1e-15 && tuner.warms_up(100));
            let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
            let far = if k < 50 { 1e3 } else { 0.0 };
            tuner.learn(100, 0.0, &[far + 3.0 * sign, 4.0 * sign]);
        }
        assert!((tuner.length() - 5.0 * (50.0_f64 / 49.0).sqrt()).abs() < 1e-9, "{}", tuner.length());
        let factor = tuner.factor();
        tuner.learn(100, f64::NAN, &[0.0; 2]);
        assert!(!tuner.warms_up(100) && (tuner.factor() - factor).abs() < 1e-15);
    }

    #[test]
    fn an_error_that_is_no_number_makes_shorter_steps() {
        let mut tuner = Tuner::default();
        tuner.load(&carried(1.0, 2, 1), 0);
        tuner.learn(100, f64::INFINITY, &[0.0; 2]);
        assert!((tuner.factor() - SHORTER).abs() < 1e-12);
        (0..50).for_each(|_| tuner.learn(100, 0.0, &[0.0; 2]));
        assert!((tuner.factor() - SHORTER).abs() < 1e-12, "no longer one is tried");
    }
}
