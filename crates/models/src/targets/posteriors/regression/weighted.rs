//! Posteriors without closed form: their mode, and weighted draws for moments, quantiles and the normaliser.
//!
//! Draws come from a distribution that is near the posterior. Under a normal likelihood it is the exact posterior with a wide normal in the
//! place of every prior that is none; otherwise a multivariate t with eight degrees of freedom around the mode. They are made of a lattice of
//! points in the unit cube (multiples of the powers of a root of xᵈ⁺¹ = x + 1, M. Roberts 2018), which fills it more evenly than random
//! numbers.

use base::math::elementary::{exp, ln};
use base::math::{Cholesky, Coords, Damping, Simd, damped_step, ln_gamma, normal_quantile};
use nalgebra::DMatrix;

use super::exact::{Regressed, named, values};
use super::model::Posterior;
use crate::targets::kit::scaled::mixture::{Exact, GivenScale, Named};
use crate::targets::{Model, Quantities, Sureness};
use base::math::Stream;

/// Draws, at most and at least; and the number of evaluations of single data that they may cost.
const MOST_DRAWS: usize = 1 << 15;
const FEWEST_DRAWS: usize = 1 << 11;
const MOST_EVALUATIONS: usize = 30_000_000;

/// Draws at a node of s at least, and the weight of a node without draws.
const FEWEST_AT_NODE: usize = 32;
const LEAST_WEIGHT: f64 = 1e-14;

/// Degrees of freedom of the t around the mode.
const DEGREES: f64 = 8.0;

/// Vectors whose densities are computed together.
const AT_ONCE: usize = 256;

/// Steps towards the mode at most, and the gain of a step below which it is reached.
const MOST_STEPS: usize = 300;
const REACHED: f64 = 1e-14;

/// The damping of a step in units of the curvature.
const DAMPING: Damping = Damping { first: 0.0, least: 1e-4, growth: 8.0, trials: 40 };

/// Share of its curvature at the start that the posterior keeps along every direction, at least: below it, data do not end it there.
const LEAST_CURVATURE: f64 = 1e-7;

/// The mode that is reached from a start; `None` if there is none, because the data leave a direction open.
pub(super) fn mode(posterior: &Posterior, start: Vec<f64>) -> Option<Vec<f64>> {
    let first = posterior.stiffness(&start);
    let units: Vec<f64> = first.diagonal().iter().map(|entry| 1.0 / entry.abs().max(1e-300).sqrt()).collect();
    let scaled = |matrix: DMatrix<f64>| {
        DMatrix::from_fn(units.len(), units.len(), |row, column| matrix[(row, column)] * units[row] * units[column])
    };
    let mut at = start;
    let mut here = posterior.log_density(&at);
    for _ in 0..MOST_STEPS {
        let gradient: Vec<f64> = posterior.gradient(&at).iter().zip(&units).map(|(slope, unit)| slope * unit).collect();
        let stiff = scaled(posterior.stiffness(&at));
        let (found, _) = damped_step(&stiff, &gradient, DAMPING, |step| {
            let next: Vec<f64> =
                at.iter().zip(step.iter().zip(&units)).map(|(at, (step, unit))| at + step * unit).collect();
            let log = posterior.log_density(&next);
            (log >= here).then_some((next, log))
        });
        // No step goes up: rounding.
        let Some(((next, log), _)) = found else { break };
        let gain = log - here;
        (at, here) = (next, log);
        if gain <= REACHED * here.abs().max(1.0) {
            break;
        }
    }
    // The curvature there in units of that at the start.
    let (last, before) = (scaled(posterior.stiffness(&at)), Cholesky::new(&scaled(first))?);
    let whitened = DMatrix::from_columns(
        &(0..units.len())
            .map(|column| {
                let mut column: Vec<f64> = last.column(column).iter().copied().collect();
                before.solve_lower(&mut column);
                column.into()
            })
            .collect::<Vec<nalgebra::DVector<f64>>>(),
    );
    let mut whitened = whitened.transpose();
    for mut column in whitened.column_iter_mut() {
        before.solve_lower(column.as_mut_slice());
    }
    let least = base::math::symmetric_eigen(&whitened)?.values[0];
    (here.is_finite() && least > LEAST_CURVATURE).then_some(at)
}

/// Draws with weights.
#[derive(Debug)]
pub(super) struct Weighted {
    coordinates: Vec<String>,
    names: Vec<String>,
    /// A column for every quantity.
    draws: Vec<Vec<f64>>,
    /// They add up to 1.
    weights: Vec<f64>,
    /// Numbers of draws in ascending order of every quantity.
    orders: Vec<Vec<u32>>,
    log_normaliser: f64,
    is_proper: bool,
    efficiency: f64,
}

/// Places in the unit cube: draw number n is the broken part of ½ + n α.
struct Places(Vec<f64>);

impl Places {
    fn new(dimension: usize) -> Self {
        // The root of xᵈ⁺¹ = x + 1 above 1.
        let mut root = 2.0_f64;
        for _ in 0..60 {
            root = exp(ln(1.0 + root) / (dimension as f64 + 1.0));
        }
        Self((1..=dimension).map(|power| exp(-ln(root) * power as f64)).collect())
    }

    fn at(&self, number: usize, axis: usize) -> f64 {
        let place = 0.5 + self.0[axis] * (number + 1) as f64;
        (place - place.floor()).clamp(1e-15, 1.0 - 1e-15)
    }

    /// A standard normal: those of an odd number are minus those before, so that odd moments have no errors.
    fn normal(&self, number: usize, axis: usize) -> f64 {
        let normal = normal_quantile(self.at(number / 2, axis));
        if number.is_multiple_of(2) { normal } else { -normal }
    }
}

/// The number of draws for a posterior.
fn count(posterior: &Posterior, by_rows: bool) -> usize {
    let each = if by_rows { posterior.y.len() * posterior.coefficients().max(4) / 4 } else { 1 };
    (MOST_EVALUATIONS / each.max(1)).clamp(FEWEST_DRAWS, MOST_DRAWS)
}

impl Weighted {
    /// From the exact posterior with stand-ins: as many draws at every node of s, with the weight of the node.
    pub(super) fn of_exact(posterior: &Posterior, exact: &Exact<Regressed>, is_proper: bool) -> Self {
        let (d, p) = (posterior.size(), posterior.coefficients());
        let nodes: Vec<(f64, f64)> = exact.nodes().filter(|(_, weight)| *weight > LEAST_WEIGHT).collect();
        let each = (count(posterior, false) / nodes.len().max(1)).max(FEWEST_AT_NODE).next_multiple_of(2);
        let places = Places::new(p);
        let (mut vectors, mut logs) = (Coords::zeros(d, each * nodes.len()), vec![0.0; each * nodes.len()]);
        let bases: Vec<f64> = nodes.iter().flat_map(|(_, weight)| std::iter::repeat_n(*weight, each)).collect();
        let mut vector = vec![0.0; d];
        for (number, log) in logs.iter_mut().enumerate() {
            let (s, _) = nodes[number / each];
            let mut axis = 0;
            let mut normal = || {
                axis += 1;
                places.normal(number, axis - 1)
            };
            exact.given().image(s, &mut normal, &mut vector);
            vectors.set(number, &vector);
            let ratios = posterior.priors.iter().zip(&vector).map(|(prior, beta)| prior.over_stand_in(*beta));
            *log = exact.log_normaliser() + ratios.sum::<f64>();
        }
        Self::new(posterior, &vectors, (&bases, &logs), is_proper)
    }

    /// From a t around the mode; `None` if it has no curvature.
    pub(super) fn around(posterior: &Posterior, mode: &[f64], is_proper: bool) -> Option<Self> {
        let d = mode.len();
        let root = Cholesky::new(&posterior.stiffness(mode))?;
        let (count, places) = (count(posterior, true), Places::new(d + 1));
        let constant = ln_gamma(0.5 * (DEGREES + d as f64))
            - ln_gamma(0.5 * DEGREES)
            - 0.5 * d as f64 * ln(DEGREES * std::f64::consts::PI)
            + 0.5 * root.log_determinant();
        let mut vectors = Coords::zeros(d, count);
        let mut logs = vec![0.0; count];
        for (number, log) in logs.iter_mut().enumerate() {
            let mut vector: Vec<f64> = (0..d).map(|axis| places.normal(number, axis)).collect();
            let widening = (DEGREES / chi_squared_of_eight(places.at(number / 2, d))).sqrt();
            let square: f64 = vector.iter().map(|z| z * z).sum::<f64>() * widening * widening;
            root.solve_upper(&mut vector);
            vector.iter_mut().zip(mode).for_each(|(value, mode)| *value = mode + widening * *value);
            vectors.set(number, &vector);
            *log = -(constant - 0.5 * (DEGREES + d as f64) * ln(1.0 + square / DEGREES));
        }
        let mut memory = Vec::new();
        for first in (0..count).step_by(AT_ONCE) {
            let range = first..(first + AT_ONCE).min(count);
            let mut out = vec![0.0; range.len()];
            posterior.log_densities(Simd::widest(), &vectors.range(range.clone()), &mut memory, &mut out);
            logs[range].iter_mut().zip(out).for_each(|(log, density)| *log += density);
        }
        Some(Self::new(posterior, &vectors, (&vec![1.0; count], &logs), is_proper))
    }

    /// From vectors with the probability of each where it was drawn, up to a factor, and ln of the posterior over that density.
    fn new(posterior: &Posterior, vectors: &Coords, (bases, logs): (&[f64], &[f64]), is_proper: bool) -> Self {
        let Named { coordinates, names, .. } = named(&posterior.names, posterior.sigma.is_some());
        let highest = logs.iter().fold(f64::NEG_INFINITY, |highest, log| highest.max(*log));
        let ratios: Vec<f64> = logs.iter().map(|log| exp(log - highest)).collect();
        let mut weights: Vec<f64> = bases.iter().zip(&ratios).map(|(base, ratio)| base * ratio).collect();
        let (count, sum): (f64, f64) = (bases.iter().sum(), weights.iter().sum());
        let squares: f64 = weights.iter().zip(&ratios).map(|(weight, ratio)| weight * ratio).sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
        let mut draws: Vec<Vec<f64>> = vectors.axes().map(<[f64]>::to_vec).collect();
        if names.len() > draws.len() {
            let mut all = vec![0.0; names.len()];
            let sigma = (0..vectors.len()).map(|index| {
                let vector: Vec<f64> = vectors.vector(index).collect();
                values(&vector, &mut all);
                all[names.len() - 1]
            });
            let sigma = sigma.collect();
            draws.push(sigma);
        }
        let order = |draws: &Vec<f64>| {
            let mut order: Vec<u32> = (0..).take(draws.len()).collect();
            order.sort_by(|a, b| draws[*a as usize].total_cmp(&draws[*b as usize]));
            order
        };
        let orders = draws.iter().map(order).collect();
        let (log_normaliser, efficiency) = (highest + ln(sum / count), sum * sum / (count * squares));
        Self { coordinates, names, draws, weights, orders, log_normaliser, is_proper, efficiency }
    }

    fn mean(&self, of: impl Fn(usize) -> f64) -> f64 {
        self.weights.iter().enumerate().map(|(draw, weight)| weight * of(draw)).sum()
    }

    /// The covariance of two quantities.
    fn covariance(&self, numbers: [usize; 2]) -> f64 {
        let [a, b] = numbers.map(|number| &self.draws[number]);
        let [mean_a, mean_b] = [a, b].map(|draws| self.mean(|draw| draws[draw]));
        self.mean(|draw| (a[draw] - mean_a) * (b[draw] - mean_b))
    }
}

/// The value below which a χ² variable with eight degrees of freedom is with this probability: 1 − e⁻ˣ (1 + x + x²/2 + x³/6) at 2x.
fn chi_squared_of_eight(probability: f64) -> f64 {
    let above = |x: f64| exp(-x) * (1.0 + x * (1.0 + x * (0.5 + x / 6.0)));
    let (mut low, mut high, mut x) = (0.0, 60.0, 4.0);
    for _ in 0..80 {
        let gap = 1.0 - above(x) - probability;
        if gap < 0.0 {
            low = x;
        } else {
            high = x;
        }
        let next = x - gap / (exp(-x) * x * x * x / 6.0);
        let next = if next > low && next < high { next } else { 0.5 * (low + high) };
        let moved: f64 = next - x;
        x = next;
        if moved.abs() < 1e-14 * x {
            break;
        }
    }
    2.0 * x
}

impl Quantities for Weighted {
    fn coordinates(&self) -> &[String] {
        &self.coordinates
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn values(&self, at: &[f64], out: &mut [f64]) {
        values(at, out);
    }

    fn sureness(&self) -> Sureness {
        Sureness::Weighted(self.efficiency)
    }

    fn moments(&self, number: usize) -> [f64; 2] {
        [self.mean(|draw| self.draws[number][draw]), self.covariance([number; 2]).sqrt()]
    }

    fn correlation(&self, [a, b]: [usize; 2]) -> f64 {
        self.covariance([a, b]) / (self.covariance([a, a]) * self.covariance([b, b])).sqrt()
    }

    fn quantile(&self, number: usize, probability: f64) -> f64 {
        let draws = &self.draws[number];
        let (mut below, mut before) = (0.0, None);
        for draw in self.orders[number].iter().map(|draw| *draw as usize) {
            // Half of a draw is on either side of it.
            let here = below + 0.5 * self.weights[draw];
            if here >= probability {
                let Some((value, at)) = before else { return draws[draw] };
                return value + (draws[draw] - value) * (probability - at) / (here - at);
            }
            below += self.weights[draw];
            before = Some((draws[draw], here));
        }
        before.map_or(f64::NAN, |(value, _)| value)
    }

    fn below(&self, number: usize, value: f64) -> f64 {
        self.mean(|draw| if self.draws[number][draw] < value { 1.0 } else { 0.0 })
    }

    fn log_normaliser(&self) -> f64 {
        self.log_normaliser
    }

    fn is_proper(&self) -> bool {
        self.is_proper
    }

    fn exact_draw(&self, _stream: &mut Stream, _out: &mut [f64]) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_chi_squared() {
        for probability in [1e-9, 0.01, 0.5, 0.99, 1.0 - 1e-9] {
            let x = chi_squared_of_eight(probability);
            assert!((base::math::gamma_cdf(4.0, 0.5 * x) - probability).abs() < 1e-12, "{probability}: {x}");
        }
    }

    /// Every number of a row of places is there about as often as in any other part of the unit interval.
    #[test]
    fn places_fill_the_cube_evenly() {
        let places = Places::new(5);
        for axis in 0..5 {
            let inside = (0..1000).filter(|number| places.at(*number, axis) < 0.3).count();
            assert!(inside.abs_diff(300) <= 6, "{axis}: {inside}");
        }
    }
}
