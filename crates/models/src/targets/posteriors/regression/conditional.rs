//! A linear regression with normal noise given s = ln σ: a Gaussian, for every s at the cost of p numbers.
//!
//! Coefficients with a flat prior come first, X = [F G], those with N(mₖ, τₖ²) behind them. With G' = G τ and r = y − G m Householder's
//! factor of [F G' r] has the blocks R₁₁, R₁₂ and q₁ of the flat ones, and B and q₂ below. With B = U S Vᵀ the coefficients are
//!
//! β_G = m + τ V ξ_G, β_F = R₁₁⁻¹ (ξ_F − R₁₂ V ξ_G),
//!
//! where all ξ are independent given s: ξ_F ~ N(q₁, e²ˢ), ξ_G ~ N(Sₖ zₖ e⁻²ˢ Dₖ, Dₖ) with z = Uᵀ q₂ and Dₖ = 1/(1 + Sₖ² e⁻²ˢ). The sum of
//! squares that is left is |rest|² + Σ zₖ² Dₖ, and so ln ∫ p̃ dβ is
//!
//! −(N − p_F)(s + ½ ln 2π) − ln |R₁₁| + ½ Σ ln Dₖ − ½ e⁻²ˢ (|rest|² + Σ zₖ² Dₖ).
//!
//! No products of columns are taken: with correlations of 0.99999 half of the digits would be lost.

use nalgebra::DMatrix;

use crate::targets::kit::scaled::mixture::Curve;
use base::math::elementary::{exp, ln};
use base::math::{Singular, singular, triangular};

/// A column whose part that earlier columns do not explain is below this share of it follows from them.
const DEPENDENT: f64 = 1e-10;

/// The Gaussian of the coefficients for every s.
#[derive(Clone, Debug)]
pub(super) struct Conditional {
    /// N.
    count: f64,
    /// β = shift + map · ξ, with the flat parts of ξ first.
    shift: Vec<f64>,
    map: DMatrix<f64>,
    flat: Vec<f64>,
    informed: Vec<Informed>,
    /// The squared length of what no coefficient explains.
    rest: f64,
    /// ln |R₁₁|.
    log_volume: f64,
}

/// Mean and variance of every ξ.
pub(super) type Parts = (Vec<f64>, Vec<f64>);

/// A part of ξ with a prior.
#[derive(Clone, Copy, Debug)]
struct Informed {
    /// S², S z and z².
    square: f64,
    pull: f64,
    left: f64,
}

impl Informed {
    /// D = 1/(1 + a) with a = S² e⁻²ˢ and its derivatives by s: D' = 2 D (1 − D).
    fn share(&self, precision: f64) -> Curve {
        let share = 1.0 / (1.0 + self.square * precision);
        let slope = 2.0 * share * (1.0 - share);
        [share, slope, 2.0 * slope * (1.0 - 2.0 * share)]
    }
}

/// Why there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fault {
    /// The column of this number follows from others with flat priors.
    Dependent(usize),
    /// Flat priors for more coefficients than there are data.
    TooFew,
}

impl Conditional {
    /// Of data and of mean and sd of every coefficient with a normal prior.
    pub(super) fn new(x: &DMatrix<f64>, y: &[f64], priors: &[Option<[f64; 2]>]) -> Result<Self, Fault> {
        let (rows, p) = x.shape();
        let (flat, informed): (Vec<usize>, Vec<usize>) = (0..p).partition(|k| priors[*k].is_none());
        let p_flat = flat.len();
        if p_flat > rows {
            return Err(Fault::TooFew);
        }
        let prior = |k: usize| priors[k].unwrap_or([0.0, 1.0]);
        let left = |row: usize| informed.iter().fold(y[row], |left, k| left - x[(row, *k)] * prior(*k)[0]);
        let all = DMatrix::from_fn(rows, p + 1, |row, column| match (flat.get(column), column) {
            (Some(k), _) => x[(row, *k)],
            (None, column) if column == p => left(row),
            (None, column) => x[(row, informed[column - p_flat])] * prior(informed[column - p_flat])[1],
        });
        let triangle = triangular(&all);
        for (column, k) in flat.iter().enumerate() {
            let length = x.column(*k).iter().map(|x| x * x).sum::<f64>().sqrt();
            let is_free = triangle[(column, column)].abs() > DEPENDENT * length;
            // Not for NaN.
            if !is_free {
                return Err(Fault::Dependent(*k));
            }
        }
        let entry = |row: usize, column: usize| if row < triangle.nrows() { triangle[(row, column)] } else { 0.0 };
        let p_informed = informed.len();
        let below = DMatrix::from_fn(p_informed, p_informed, |row, column| entry(p_flat + row, p_flat + column));
        let mut q: Vec<f64> = (0..p_informed).map(|row| entry(p_flat + row, p)).collect();
        let Singular { scaled, right } = singular(&below);
        let parts = (0..p_informed).map(|k| {
            let column = scaled.column(k);
            let square: f64 = column.iter().map(|x| x * x).sum();
            let pull: f64 = column.iter().zip(&q).map(|(x, q)| x * q).sum();
            Informed { square, pull, left: if square > 0.0 { pull / square * pull } else { 0.0 } }
        });
        let parts: Vec<Informed> = parts.collect();
        for (k, part) in parts.iter().enumerate().filter(|(_, part)| part.square > 0.0) {
            let by = part.pull / part.square;
            q.iter_mut().zip(scaled.column(k).iter()).for_each(|(q, x)| *q -= by * x);
        }
        let bottom = entry(p, p);
        let rest = bottom * bottom + q.iter().map(|q| q * q).sum::<f64>();
        // Columns of the map, in the order of the triangle first.
        let mut map = DMatrix::zeros(p, p);
        let solve = |mut v: Vec<f64>| {
            for row in (0..p_flat).rev() {
                let known: f64 = (row + 1..p_flat).map(|column| triangle[(row, column)] * v[column]).sum();
                v[row] = (v[row] - known) / triangle[(row, row)];
            }
            v
        };
        for column in 0..p_flat {
            let unit = (0..p_flat).map(|row| if row == column { 1.0 } else { 0.0 }).collect();
            solve(unit).into_iter().zip(&flat).for_each(|(value, k)| map[(*k, column)] = value);
        }
        for column in 0..p_informed {
            let across = |row: usize| -> f64 {
                -(0..p_informed).map(|k| triangle[(row, p_flat + k)] * right[(k, column)]).sum::<f64>()
            };
            let value = solve((0..p_flat).map(across).collect());
            value.into_iter().zip(&flat).for_each(|(value, k)| map[(*k, p_flat + column)] = value);
            for (row, k) in informed.iter().enumerate() {
                map[(*k, p_flat + column)] = prior(*k)[1] * right[(row, column)];
            }
        }
        let mut shift = vec![0.0; p];
        informed.iter().for_each(|k| shift[*k] = prior(*k)[0]);
        Ok(Self {
            count: rows as f64,
            shift,
            map,
            flat: (0..p_flat).map(|row| triangle[(row, p)]).collect(),
            informed: parts,
            rest,
            log_volume: (0..p_flat).map(|row| ln(triangle[(row, row)].abs())).sum(),
        })
    }

    /// p.
    pub(super) fn coefficients(&self) -> usize {
        self.shift.len()
    }

    /// N − p_F: the power of 1/σ with which the likelihood falls far out.
    pub(super) fn tail(&self) -> f64 {
        self.count - self.flat.len() as f64
    }

    /// Whether a coefficient has a flat prior.
    pub(super) fn has_flat(&self) -> bool {
        !self.flat.is_empty()
    }

    /// Whether there are as many coefficients as data: nothing is left over then.
    pub(super) fn is_saturated(&self) -> bool {
        self.count <= self.shift.len() as f64
    }

    /// What no coefficient explains, as a root of a mean square; 0 where the data are fitted exactly.
    pub(super) fn residual_sd(&self) -> f64 {
        (self.rest / self.count).sqrt()
    }

    /// A scale of the response that is not 0: what priors leave of it.
    pub(super) fn scale(&self) -> f64 {
        let explained: f64 =
            self.flat.iter().map(|q| q * q).sum::<f64>() + self.informed.iter().map(|part| part.left).sum::<f64>();
        ((self.rest + explained) / self.count).sqrt()
    }

    /// ln ∫ p̃ dβ of likelihood and priors of coefficients at s, with derivatives by s.
    pub(super) fn log_integral(&self, s: f64) -> Curve {
        let (precision, tail) = (exp(-2.0 * s), self.tail());
        let mut squares = [self.rest, 0.0, 0.0];
        let mut logs = [0.0; 3];
        for part in &self.informed {
            let [share, slope, bend] = part.share(precision);
            squares[0] += part.left * share;
            squares[1] += part.left * slope;
            squares[2] += part.left * bend;
            // ½ ln D, with all its digits where D is small.
            logs[0] -= 0.5 * ln(1.0 + part.square * precision);
            logs[1] += 1.0 - share;
            logs[2] -= slope;
        }
        [
            -tail * (s + 0.5 * ln(std::f64::consts::TAU)) - self.log_volume + logs[0] - 0.5 * precision * squares[0],
            -tail + logs[1] + precision * (squares[0] - 0.5 * squares[1]),
            logs[2] + precision * (-2.0 * squares[0] + 2.0 * squares[1] - 0.5 * squares[2]),
        ]
    }

    /// Mean and variance of every ξ at s.
    pub(super) fn parts(&self, s: f64) -> Parts {
        let precision = exp(-2.0 * s);
        let variance = exp(2.0 * s);
        let share = |part: &Informed| 1.0 / (1.0 + part.square * precision);
        let means =
            self.flat.iter().copied().chain(self.informed.iter().map(|part| part.pull * precision * share(part)));
        let variances = self.flat.iter().map(|_| variance).chain(self.informed.iter().map(share));
        (means.collect(), variances.collect())
    }

    /// Mean of coefficient `k`, of the parts at some s.
    pub(super) fn mean(&self, k: usize, means: &[f64]) -> f64 {
        self.shift[k] + means.iter().enumerate().map(|(part, mean)| self.map[(k, part)] * mean).sum::<f64>()
    }

    /// Covariance of two coefficients.
    pub(super) fn covariance(&self, [j, k]: [usize; 2], variances: &[f64]) -> f64 {
        variances.iter().enumerate().map(|(part, variance)| self.map[(j, part)] * variance * self.map[(k, part)]).sum()
    }

    /// Mean and variance of coefficient `k` at s, with derivatives by s.
    pub(super) fn along(&self, k: usize, s: f64) -> [Curve; 2] {
        let precision = exp(-2.0 * s);
        let variance = exp(2.0 * s);
        let (mut mean, mut spread) = ([self.shift[k], 0.0, 0.0], [0.0; 3]);
        for (part, q) in self.flat.iter().enumerate() {
            let factor = self.map[(k, part)];
            mean[0] += factor * q;
            let square = factor * factor * variance;
            spread[0] += square;
            spread[1] += 2.0 * square;
            spread[2] += 4.0 * square;
        }
        for (number, part) in self.informed.iter().enumerate() {
            let factor = self.map[(k, self.flat.len() + number)];
            let [share, slope, bend] = part.share(precision);
            let square = factor * factor;
            spread[0] += square * share;
            spread[1] += square * slope;
            spread[2] += square * bend;
            if part.square > 0.0 {
                // e⁻²ˢ D = (1 − D)/S².
                let pull = factor * part.pull / part.square;
                mean[0] += factor * part.pull * precision * share;
                mean[1] -= pull * slope;
                mean[2] -= pull * bend;
            }
        }
        [mean, spread]
    }

    /// The coefficients that standard normals make at s.
    pub(super) fn image(&self, s: f64, mut normal: impl FnMut() -> f64, out: &mut [f64]) {
        let (means, variances) = self.parts(s);
        let xi: Vec<f64> = means.iter().zip(&variances).map(|(mean, v)| mean + v.sqrt() * normal()).collect();
        out.iter_mut().enumerate().for_each(|(k, out)| *out = self.mean(k, &xi));
    }
}
