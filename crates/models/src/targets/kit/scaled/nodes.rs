//! Quadrature over one coordinate s: the trapezoidal rule on even nodes over nearly all of a density that vanishes at both ends.

use std::sync::OnceLock;

use base::math::elementary::{exp, ln};

/// Distance between the places at which the highest point is looked for, and how far from where it is expected.
const SEARCH_STEP: f64 = 0.25;
const SEARCH_REACH: i32 = 240;

/// Nodes per standard deviation at first; halved until two sums agree.
const SPACING: f64 = 0.5;
const MOST_HALVINGS: usize = 6;
const AGREEMENT: f64 = 1e-12;

/// How far below its highest point a density is left out, as a logarithm.
const DEPTH: f64 = 42.0;

/// How much faster than moments need it a density falls at least, as a power of e⁻ˢ, for these to have their digits.
const SPARE: f64 = 0.5;

/// Parts of the interval between two nodes in which the distribution function is a cubic, for draws.
const PARTS: usize = 16;

/// Nodes to either side at most.
const MOST_NODES: usize = 4000;

/// A point of Gauss and Legendre's rule on [−1, 1] with its weight.
const GAUSS: [(f64, f64); 5] = [
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

/// A density of s as weighted nodes.
#[derive(Clone, Debug)]
pub(in crate::targets) struct Nodes {
    /// Even nodes in ascending order.
    pub(in crate::targets) s: Vec<f64>,
    /// Their probabilities, which add up to 1.
    pub(in crate::targets) weights: Vec<f64>,
    /// ln ∫.
    pub(in crate::targets) log_integral: f64,
    /// The highest point.
    pub(in crate::targets) top: f64,
    /// Probabilities below every node.
    below: Vec<f64>,
    /// For draws, made with the first of them.
    course: OnceLock<Course>,
}

/// The distribution function of s at many places, with its slopes.
#[derive(Clone, Debug, Default)]
struct Course {
    s: Vec<f64>,
    below: Vec<f64>,
    density: Vec<f64>,
}

impl Course {
    /// The s below which this probability is: the distribution function between two places is the cubic with its values and slopes there.
    fn inverse(&self, probability: f64) -> f64 {
        let after = self.below.partition_point(|below| *below <= probability).clamp(1, self.s.len() - 1);
        let before = after - 1;
        let wide = self.s[after] - self.s[before];
        let rise = self.below[after] - self.below[before];
        if rise <= 0.0 {
            return self.s[before];
        }
        let [first, last] = [before, after].map(|at| self.density[at] * wide);
        let wanted = (probability - self.below[before]).clamp(0.0, rise);
        let (mut low, mut high, mut t) = (0.0, 1.0, wanted / rise);
        for _ in 0..60 {
            let (bend, turn) = (3.0 * rise - 2.0 * first - last, first + last - 2.0 * rise);
            let gap = t * (first + t * (bend + t * turn)) - wanted;
            if gap < 0.0 {
                low = t;
            } else {
                high = t;
            }
            let next = t - gap / (first + t * (2.0 * bend + 3.0 * t * turn));
            let next = if next > low && next < high { next } else { 0.5 * (low + high) };
            let moved = (next - t).abs();
            t = next;
            if moved <= 1e-13 {
                break;
            }
        }
        self.s[before] + wide * t
    }
}

impl Nodes {
    /// A single one with all of the probability.
    pub(in crate::targets) fn one(s: f64, log_integral: f64) -> Self {
        Self { s: vec![s], weights: vec![1.0], log_integral, top: s, below: vec![0.0], course: OnceLock::new() }
    }

    /// Of a log density whose highest point is expected near `near`, and that falls as e^(−tail s) far out: moments of eˢ have their digits as
    /// far as they exist. `None` if it has no top, or no end within reach.
    pub(in crate::targets) fn new(log: &dyn Fn(f64) -> f64, near: f64, tail: f64) -> Option<Self> {
        let power = (tail - SPARE).clamp(0.0, 2.0);
        let top = top(log, near)?;
        let highest = log(top);
        let step = 0.01;
        let bend = (log(top + step) - 2.0 * highest + log(top - step)) / (step * step);
        let mut spacing = SPACING / (-bend).max(1e-4).sqrt().min(1e6);
        let mut nodes = Self::spaced(log, (top, highest), spacing, power)?;
        for _ in 0..MOST_HALVINGS {
            spacing *= 0.5;
            let finer = Self::spaced(log, (top, highest), spacing, power)?;
            let agrees = (finer.log_integral - nodes.log_integral).abs() <= AGREEMENT * highest.abs().max(1.0);
            nodes = finer;
            if agrees {
                break;
            }
        }
        nodes.cumulate(log);
        Some(nodes)
    }

    fn spaced(log: &dyn Fn(f64) -> f64, (top, highest): (f64, f64), spacing: f64, power: f64) -> Option<Self> {
        let along = |sign: f64| {
            let at = move |number: usize| top + sign * spacing * number as f64;
            let high = |s: f64| log(s).max(log(s) + power * (s - top)) > highest - DEPTH;
            let nodes: Vec<f64> = (1..=MOST_NODES).map(at).take_while(|s| high(*s)).collect();
            (nodes.len() < MOST_NODES).then_some(nodes)
        };
        let (left, right) = (along(-1.0)?, along(1.0)?);
        let s: Vec<f64> = left.into_iter().rev().chain(std::iter::once(top)).chain(right).collect();
        let mut weights: Vec<f64> = s.iter().map(|s| exp(log(*s) - highest)).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
        Some(Self {
            s,
            weights,
            log_integral: highest + ln(sum * spacing),
            top,
            below: Vec::new(),
            course: OnceLock::new(),
        })
    }

    /// Fills in the probabilities below all nodes.
    fn cumulate(&mut self, log: &dyn Fn(f64) -> f64) {
        let mut sum = 0.0;
        self.below = vec![0.0];
        for ends in self.s.windows(2) {
            sum += self.between(log, ends[0], ends[1]);
            self.below.push(sum);
        }
    }

    fn between(&self, log: &dyn Fn(f64) -> f64, from: f64, to: f64) -> f64 {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        GAUSS.iter().map(|(at, weight)| weight * half * exp(log(middle + half * at) - self.log_integral)).sum()
    }

    /// The probability below s.
    pub(in crate::targets) fn below(&self, log: &dyn Fn(f64) -> f64, s: f64) -> f64 {
        match self.s.partition_point(|node| *node <= s) {
            0 => 0.0,
            after if after == self.s.len() => 1.0,
            after => (self.below[after - 1] + self.between(log, self.s[after - 1], s)).min(1.0),
        }
    }

    /// The s below which this probability is.
    pub(in crate::targets) fn quantile(&self, log: &dyn Fn(f64) -> f64, probability: f64) -> f64 {
        let after = self.below.partition_point(|below| *below <= probability).clamp(1, self.s.len() - 1);
        let (from, given) = (self.s[after - 1], self.below[after - 1]);
        let (mut low, mut high) = (from, self.s[after]);
        let share = (probability - given) / (self.below[after] - given);
        let mut s = from + (high - low) * share.clamp(0.0, 1.0);
        // Newton's steps, and halves where they leave the interval.
        for _ in 0..60 {
            let gap = given + self.between(log, from, s) - probability;
            if gap < 0.0 {
                low = s;
            } else {
                high = s;
            }
            let next = s - gap / exp(log(s) - self.log_integral);
            let next = if next > low && next < high { next } else { 0.5 * (low + high) };
            let moved = (next - s).abs();
            s = next;
            if moved <= 1e-12 * s.abs().max(1.0) {
                break;
            }
        }
        s
    }

    /// The s below which this probability is, to about nine digits and without the log density once a first draw was made.
    pub(in crate::targets) fn draw(&self, log: &dyn Fn(f64) -> f64, probability: f64) -> f64 {
        if self.s.len() < 2 {
            return self.top;
        }
        self.course.get_or_init(|| self.course(log)).inverse(probability)
    }

    fn course(&self, log: &dyn Fn(f64) -> f64) -> Course {
        let mut course = Course::default();
        let mut push = |s: f64, below: f64| {
            course.s.push(s);
            course.below.push(below);
            course.density.push(exp(log(s) - self.log_integral));
        };
        for (ends, below) in self.s.windows(2).zip(&self.below) {
            let step = (ends[1] - ends[0]) / PARTS as f64;
            let mut sum = *below;
            for part in 0..PARTS {
                let from = ends[0] + step * part as f64;
                push(from, sum);
                sum += self.between(log, from, from + step);
            }
        }
        if let (Some(s), Some(below)) = (self.s.last(), self.below.last()) {
            push(*s, *below);
        }
        course
    }

    /// The mean of a function of s at the nodes.
    pub(in crate::targets) fn mean(&self, of: impl Fn(usize, f64) -> f64) -> f64 {
        self.s.iter().zip(&self.weights).enumerate().map(|(number, (s, weight))| weight * of(number, *s)).sum()
    }
}

/// The highest point of a log density: on a coarse lattice, then by the golden section.
fn top(log: &dyn Fn(f64) -> f64, near: f64) -> Option<f64> {
    let places = (-SEARCH_REACH..=SEARCH_REACH).map(|number| near + SEARCH_STEP * f64::from(number));
    let best = places.max_by(|a, b| log(*a).total_cmp(&log(*b)))?;
    if (best - near).abs() >= SEARCH_STEP * f64::from(SEARCH_REACH) || !log(best).is_finite() {
        return None;
    }
    let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut low, mut high) = (best - SEARCH_STEP, best + SEARCH_STEP);
    for _ in 0..48 {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if log(a) < log(b) {
            low = a;
        } else {
            high = b;
        }
    }
    Some(0.5 * (low + high))
}

/// The value below which a mixture of Gaussians, with weight, mean and standard deviation each, has this probability.
pub(in crate::targets) fn mixture_quantile(parts: &[(f64, f64, f64)], probability: f64) -> f64 {
    let below = |x: f64| mixture_below(parts, x);
    let widest = parts.iter().fold(0.0_f64, |widest, (_, _, sd)| widest.max(*sd));
    let (mut low, mut high) = parts
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (_, mean, _)| (low.min(*mean), high.max(*mean)));
    (low, high) = (low - 40.0 * widest, high + 40.0 * widest);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if below(middle) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// The probability of such a mixture below x.
pub(in crate::targets) fn mixture_below(parts: &[(f64, f64, f64)], x: f64) -> f64 {
    parts.iter().map(|(weight, mean, sd)| weight * base::math::normal_cdf((x - mean) / sd)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::math::ln_gamma;

    /// s = ln σ with σ² ~ InvGamma(a, b): everything has a closed form.
    #[test]
    fn an_inverse_gamma_variance() {
        for (a, b) in [(3.0_f64, 2.0_f64), (40.0, 1.0), (1.3, 1e6)] {
            let log = |s: f64| -2.0 * a * s - b * exp(-2.0 * s);
            let nodes = Nodes::new(&log, 0.5 * b.ln() - 3.0, 2.0 * a).unwrap();
            let expected = ln_gamma(a) - a * b.ln() - 2.0_f64.ln();
            assert!((nodes.log_integral - expected).abs() < 1e-10, "{a}: {} {expected}", nodes.log_integral);
            let variance = nodes.mean(|_, s| exp(2.0 * s));
            assert!((variance / (b / (a - 1.0)) - 1.0).abs() < 1e-6, "{a}: {variance}");
            for probability in [0.001, 0.3, 0.95] {
                let s = nodes.quantile(&log, probability);
                // A quantile has 12 digits of s, and the density is below 10.
                assert!((nodes.below(&log, s) - probability).abs() < 1e-11);
                assert!((nodes.draw(&log, probability) - s).abs() < 1e-9, "{a}: {}", nodes.draw(&log, probability) - s);
                let below = 1.0 - base::math::gamma_cdf(a, b * exp(-2.0 * s));
                assert!((below - probability).abs() < 1e-9, "{a}: {below} {probability}");
            }
        }
    }

    #[test]
    fn what_has_no_top_or_no_end_has_no_nodes() {
        assert!(Nodes::new(&|s| s, 0.0, 0.0).is_none());
        assert!(Nodes::new(&|s: f64| -1e-6 * s.abs(), 0.0, 0.0).is_none());
    }

    #[test]
    fn quantiles_of_mixtures() {
        let parts = [(0.3, -1.0, 0.5), (0.7, 2.0, 1.5)];
        for probability in [1e-6, 0.2, 0.5, 0.9999] {
            let x = mixture_quantile(&parts, probability);
            assert!((mixture_below(&parts, x) - probability).abs() < 1e-12);
        }
    }
}
