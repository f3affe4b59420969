//! Posteriors without closed form: their mode, and weighted draws for moments, quantiles and the normaliser.
//!
//! Draws come from a distribution that is near the posterior. Under a normal likelihood it is the exact posterior with a wide normal in the
//! place of every prior that is none; otherwise a multivariate t with eight degrees of freedom around the mode. They are made of Sobol's
//! points in the unit cube, scrambled after Owen (B. Burley 2020, J. Comput. Graph. Tech. 9(4)), which fill it and its faces more evenly
//! than random numbers.

use base::math::elementary::{exp, ln};
use base::math::{Cholesky, Coords, Damping, Simd, ln_gamma, normal_quantile, step_uphill};
use nalgebra::DMatrix;

use super::exact::{Regressed, named, values};
use super::model::Posterior;
use crate::targets::kit::scaled::mixture::{Exact, Named};
use crate::targets::{KnownQuantities, KnownSum, Model, Quantities, Sureness};
use base::math::Stream;

/// Draws, at most and at least; and the number of evaluations of single data that they may cost.
const MOST_DRAWS: usize = 1 << 16;
const FEWEST_DRAWS: usize = 1 << 11;
const MOST_EVALUATIONS: usize = 30_000_000;

/// Number of the scrambling.
const SEED: u32 = 1;

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
        let slopes = (&posterior.gradient(&at)[..], &posterior.stiffness(&at));
        let found = step_uphill((&at, here), slopes, &units, DAMPING, |at| posterior.log_density(at));
        // No step goes up: rounding.
        let Some((next, log)) = found else { break };
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

/// Places in the unit cube.
struct Places;

impl Places {
    /// The coordinate of place number `number` along an axis, between 0 and 1; without a place at either end.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "there are at most MOST_DRAWS places, in fewer axes than the library has"
    )]
    fn at(number: usize, axis: usize) -> f64 {
        /// Half the distance between numbers of the library.
        const HALF: f64 = 1.0 / (1 << 25) as f64;
        f64::from(sobol_burley::sample(number as u32, axis as u32, SEED)) + HALF
    }

    /// A standard normal: those of an odd number are minus those before, so that odd moments have no errors.
    fn normal(number: usize, axis: usize) -> f64 {
        let normal = normal_quantile(Self::at(number / 2, axis));
        if number.is_multiple_of(2) { normal } else { -normal }
    }
}

/// The number of draws for a posterior.
fn count(posterior: &Posterior, by_rows: bool) -> usize {
    let each = if by_rows { posterior.y.len() * posterior.coefficients().max(4) / 4 } else { 1 };
    (MOST_EVALUATIONS / each.max(1)).clamp(FEWEST_DRAWS, MOST_DRAWS)
}

impl Weighted {
    /// From draws of the exact posterior with stand-ins.
    pub(super) fn of_exact(posterior: &Posterior, exact: &Exact<Regressed>, is_proper: bool) -> Self {
        let d = posterior.size();
        let count = count(posterior, false);
        let (mut vectors, mut logs) = (Coords::zeros(d, count), vec![0.0; count]);
        let mut vector = vec![0.0; d];
        for (number, log) in logs.iter_mut().enumerate() {
            let mut axis = 0;
            let mut normal = || {
                axis += 1;
                Places::normal(number, axis)
            };
            let share = exact.spread_draw(Places::at(number / 2, 0), &mut normal, &mut vector);
            vectors.set(number, &vector);
            let ratios = posterior.priors.iter().zip(&vector).map(|(prior, beta)| prior.over_stand_in(*beta));
            *log = ln(share) + exact.log_normaliser() + ratios.sum::<f64>();
        }
        Self::new(posterior, &vectors, &logs, is_proper)
    }

    /// From a t around the mode; `None` if it has no curvature.
    pub(super) fn around(posterior: &Posterior, mode: &[f64], is_proper: bool) -> Option<Self> {
        let d = mode.len();
        let root = Cholesky::new(&posterior.stiffness(mode))?;
        let count = count(posterior, true);
        let constant = ln_gamma(0.5 * (DEGREES + d as f64))
            - ln_gamma(0.5 * DEGREES)
            - 0.5 * d as f64 * ln(DEGREES * std::f64::consts::PI)
            + 0.5 * root.log_determinant();
        let mut vectors = Coords::zeros(d, count);
        let mut logs = vec![0.0; count];
        for (number, log) in logs.iter_mut().enumerate() {
            let mut vector: Vec<f64> = (0..d).map(|axis| Places::normal(number, axis)).collect();
            let widening = (DEGREES / chi_squared_of_eight(Places::at(number / 2, d))).sqrt();
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
        Some(Self::new(posterior, &vectors, &logs, is_proper))
    }

    /// From vectors with ln of the posterior over the density that they are drawn from.
    fn new(posterior: &Posterior, vectors: &Coords, logs: &[f64], is_proper: bool) -> Self {
        let Named { coordinates, names, .. } = named(&posterior.names, posterior.sigma.is_some());
        let highest = logs.iter().fold(f64::NEG_INFINITY, |highest, log| highest.max(*log));
        let mut weights: Vec<f64> = logs.iter().map(|log| exp(log - highest)).collect();
        let (count, sum): (f64, f64) = (weights.len() as f64, weights.iter().sum());
        let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
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
        let orders = draws.iter().map(|draws| order(draws)).collect();
        let (log_normaliser, efficiency) = (highest + ln(sum / count), sum * sum / (count * squares));
        Self { coordinates, names, draws, weights, orders, log_normaliser, is_proper, efficiency }
    }

    fn mean(&self, of: impl Fn(usize) -> f64) -> f64 {
        self.weights.iter().enumerate().map(|(draw, weight)| weight * of(draw)).sum()
    }

    /// The value below which one of these draws is with this probability; their numbers are in ascending order of them.
    fn quantile_of(&self, (draws, order): (&[f64], &[u32]), probability: f64) -> f64 {
        let (mut below, mut before) = (0.0, None);
        for draw in order.iter().map(|draw| *draw as usize) {
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

    /// The covariance of two quantities.
    fn covariance(&self, numbers: [usize; 2]) -> f64 {
        let [a, b] = numbers.map(|number| &self.draws[number]);
        let [mean_a, mean_b] = [a, b].map(|draws| self.mean(|draw| draws[draw]));
        self.mean(|draw| (a[draw] - mean_a) * (b[draw] - mean_b))
    }
}

/// The numbers of draws, those of the lowest values first.
fn order(draws: &[f64]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..).take(draws.len()).collect();
    order.sort_by(|a, b| draws[*a as usize].total_cmp(&draws[*b as usize]));
    order
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

    fn known(&self) -> Option<&dyn KnownQuantities> {
        Some(self)
    }
}

impl KnownQuantities for Weighted {
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
        self.quantile_of((&self.draws[number], &self.orders[number]), probability)
    }

    fn sum(&self, parts: &[(usize, f64)], probabilities: &[f64]) -> Option<KnownSum> {
        let value = |draw| parts.iter().map(|(number, factor)| factor * self.draws[*number][draw]).sum();
        let sums: Vec<f64> = (0..self.weights.len()).map(value).collect();
        let mean = self.mean(|draw| sums[draw]);
        let sd = self.mean(|draw| (sums[draw] - mean) * (sums[draw] - mean)).sqrt();
        let order = order(&sums);
        let quantiles = probabilities.iter().map(|probability| self.quantile_of((&sums, &order), *probability));
        Some(KnownSum { moments: [mean, sd], quantiles: quantiles.collect() })
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

    /// Sums of coordinates have the moments of normals in 26 dimensions too, where multiples of irrational numbers have not.
    #[test]
    fn places_fill_the_cube_and_its_faces_evenly() {
        const D: usize = 26;
        let normals: Vec<[f64; D]> =
            (0..MOST_DRAWS).map(|number| std::array::from_fn(|axis| Places::normal(number, axis))).collect();
        let mean = |a: usize, b: usize| normals.iter().map(|z| z[a] * z[b]).sum::<f64>() / MOST_DRAWS as f64;
        for a in 0..D {
            for b in a..D {
                let expected = if a == b { 1.0 } else { 0.0 };
                assert!((mean(a, b) - expected).abs() < 0.01, "{a} {b}: {}", mean(a, b));
            }
        }
    }
}
