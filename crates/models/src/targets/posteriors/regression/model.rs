//! The log posterior of the coefficients β and s = ln σ, with its derivatives, as a model in d dimensions.
//!
//! log p̃ = Σ log p(yᵢ | xᵢᵀβ, s) + Σ log π(βₖ) + log π_σ(eˢ) + s; the last term is the Jacobian of σ = eˢ. Only an unknown σ has an s.
//!
//! Under a normal likelihood the data are Σ (yᵢ − xᵢᵀβ)² = |q − Rβ|² + |rest|², with R and q of Householder's factor of [X y]: that costs d²
//! multiplications instead of N d, and keeps the digits that XᵀX has lost. Minibatches go through the rows.

use std::sync::Arc;

use nalgebra::DMatrix;

use super::likelihood::{Datum, Likelihood};
use super::originals::Originals;
use super::priors::{Prior, Sigma, SigmaPrior};
use super::reduced::Reduced;
use super::rows::{linear, products};
use crate::targets::{
    Combination, Curvature, CurvatureError, KnownQuantities, Minibatches, Model, Precision, Quantities, kit::by_rows,
};
use base::math::elementary::exp;
use base::math::{Coords, Simd, Stream, symmetric_eigen};

/// Data, likelihood and priors.
#[derive(Debug)]
pub(super) struct Posterior {
    /// N × p.
    pub(super) x: DMatrix<f64>,
    /// Names of the coefficients.
    pub(super) names: Vec<String>,
    pub(super) y: Vec<f64>,
    /// Trials of every row; 1 where there are none.
    pub(super) m: Vec<f64>,
    pub(super) likelihood: Likelihood,
    pub(super) priors: Vec<Prior>,
    /// The prior of σ, if s is a coordinate.
    pub(super) sigma: Option<SigmaPrior>,
    /// s where it is none.
    known_s: f64,
    /// What does not depend on a coordinate.
    constant: f64,
    /// Of a normal likelihood.
    reduced: Option<Reduced>,
    /// What was standardised.
    originals: Originals,
    /// What was found out about it.
    found: Option<Found>,
}

/// What was found out about a posterior.
#[derive(Debug)]
struct Found {
    mode: Option<Vec<f64>>,
    start: Vec<f64>,
    curvature: Option<f64>,
    quantities: Arc<dyn KnownQuantities>,
}

impl Posterior {
    pub(super) fn new(
        (x, names): (DMatrix<f64>, Vec<String>),
        (y, m): (Vec<f64>, Vec<f64>),
        likelihood: Likelihood,
        priors: Vec<Prior>,
    ) -> Self {
        let (sigma, known_s) = match likelihood.sigma() {
            Some(Sigma::Unknown(prior)) => (Some(prior), 0.0),
            Some(Sigma::Known(sigma)) => (None, base::math::elementary::ln(sigma)),
            None => (None, 0.0),
        };
        let constant = y.iter().zip(&m).map(|(y, m)| likelihood.constant(*y, *m)).sum();
        let reduced = matches!(likelihood, Likelihood::Normal(_)).then(|| Reduced::new(&x, &y));
        Self {
            x,
            names,
            y,
            m,
            likelihood,
            priors,
            sigma,
            known_s,
            constant,
            reduced,
            originals: Originals::default(),
            found: None,
        }
    }

    /// The same with its coefficients in the units of the data.
    pub(super) fn with_originals(self, originals: Originals) -> Self {
        Self { originals, ..self }
    }

    /// The same with its mode, or where chains start without one, and what is known of its coordinates.
    pub(super) fn with(self, mode: Result<Vec<f64>, Vec<f64>>, quantities: Arc<dyn KnownQuantities>) -> Self {
        let (mode, start) = match mode {
            Ok(mode) => (Some(mode.clone()), mode),
            Err(start) => (None, start),
        };
        let eigen = symmetric_eigen(&self.stiffness(&start));
        let curvature = eigen.and_then(|eigen| eigen.values.last().copied()).filter(|largest| *largest > 0.0);
        Self { found: Some(Found { mode, start, curvature, quantities }), ..self }
    }

    /// p, the number of coefficients.
    pub(super) fn coefficients(&self) -> usize {
        self.x.ncols()
    }

    /// d.
    pub(super) fn size(&self) -> usize {
        self.coefficients() + usize::from(self.sigma.is_some())
    }

    /// s of a vector.
    pub(super) fn s(&self, at: &[f64]) -> f64 {
        if self.sigma.is_some() { at[self.coefficients()] } else { self.known_s }
    }

    #[inline(always)]
    fn s_of(&self, at: &Coords, index: usize) -> f64 {
        if self.sigma.is_some() { at.get(index, self.coefficients()) } else { self.known_s }
    }

    /// What priors and Jacobian add to the log density.
    fn log_prior(&self, mut at: impl Iterator<Item = f64>) -> f64 {
        let of_beta: f64 = self.priors.iter().zip(&mut at).map(|(prior, beta)| prior.log(beta)[0]).sum();
        of_beta + self.sigma.zip(at.next()).map_or(0.0, |(prior, s)| prior.log(s)[0] + s)
    }

    /// The slope of priors and Jacobian along a coordinate.
    fn prior_slope(&self, axis: usize, at: f64) -> f64 {
        match (self.priors.get(axis), self.sigma) {
            (Some(prior), _) => prior.log(at)[1],
            (None, Some(prior)) => prior.log(at)[1] + 1.0,
            (None, None) => 0.0,
        }
    }

    /// The second derivative of priors along a coordinate.
    fn prior_bend(&self, axis: usize, at: f64) -> f64 {
        match (self.priors.get(axis), self.sigma) {
            (Some(prior), _) => prior.log(at)[2],
            (None, Some(prior)) => prior.log(at)[2],
            (None, None) => 0.0,
        }
    }

    /// The log density of one vector.
    pub(super) fn log_density(&self, at: &[f64]) -> f64 {
        let mut out = [0.0];
        let at = Coords::of(at.len(), std::iter::once(at));
        self.log_densities(Simd::widest(), &at, &mut Vec::new(), &mut out);
        out[0]
    }

    /// The gradient at one vector.
    pub(super) fn gradient(&self, at: &[f64]) -> Vec<f64> {
        let at = Coords::of(at.len(), std::iter::once(at));
        let mut out = Coords::zeros(at.dimension(), 1);
        self.gradients(Simd::widest(), &at, &mut Vec::new(), &mut out);
        out.values().to_vec()
    }

    /// The Hessian of Σ log p(yᵢ).
    fn data_hessian(&self, at: &[f64]) -> DMatrix<f64> {
        let (p, s) = (self.coefficients(), self.s(at));
        if let Some(reduced) = &self.reduced {
            return reduced.hessian(at, self.s(at), self.size());
        }
        let (simd, mut eta) = (Simd::widest(), Vec::new());
        linear(simd, &self.x, at.iter().copied(), &mut eta);
        // Likelihoods without σ need nothing else.
        let data: Vec<Datum> = if self.likelihood.bends(simd, &self.m, &mut eta) {
            Vec::new()
        } else {
            let rows = self.y.iter().zip(&self.m).zip(&eta);
            rows.map(|((y, m), eta)| self.likelihood.datum((*y, *m), *eta, s)).collect()
        };
        let weights = if data.is_empty() { eta } else { data.iter().map(|datum| datum.eta_eta).collect() };
        let mut hessian = DMatrix::zeros(self.size(), self.size());
        let mut weighted = vec![0.0; weights.len()];
        let mut entries = vec![0.0; p];
        for j in 0..p {
            let column = self.x.column(j);
            weighted.iter_mut().zip(column.as_slice().iter().zip(&weights)).for_each(|(out, (x, w))| *out = x * w);
            products(simd, &self.x, j, &weighted, &mut entries[j..]);
            for (k, entry) in entries.iter().enumerate().skip(j) {
                (hessian[(j, k)], hessian[(k, j)]) = (*entry, *entry);
            }
        }
        if self.sigma.is_some() {
            let mixed: Vec<f64> = data.iter().map(|datum| datum.eta_s).collect();
            products(simd, &self.x, 0, &mixed, &mut entries);
            for (j, &entry) in entries.iter().enumerate() {
                (hessian[(j, p)], hessian[(p, j)]) = (entry, entry);
            }
            hessian[(p, p)] = data.iter().map(|datum| datum.s_s).sum();
        }
        hessian
    }

    /// −∇² log p, positive along every prior: what a search of the mode goes by. Elsewhere than at a kink it is that of the posterior where
    /// this is log-concave.
    pub(super) fn stiffness(&self, at: &[f64]) -> DMatrix<f64> {
        let mut stiff = -self.data_hessian(at);
        for (axis, prior) in self.priors.iter().enumerate() {
            stiff[(axis, axis)] += prior.stiffness(at[axis]);
        }
        if let Some(prior) = self.sigma {
            let p = self.coefficients();
            stiff[(p, p)] -= prior.log(at[p])[2];
        }
        stiff
    }

    /// The gradient of a minibatch of rows, scaled, without priors; `out` is added to.
    fn add_rows(&self, at: &[f64], rows: impl Iterator<Item = usize>, scale: f64, out: &mut [f64]) {
        let (p, s) = (self.coefficients(), self.s(at));
        for row in rows {
            let eta: f64 = (0..p).map(|k| self.x[(row, k)] * at[k]).sum();
            let datum = self.likelihood.datum((self.y[row], self.m[row]), eta, s);
            for (k, out) in out.iter_mut().take(p).enumerate() {
                *out += scale * datum.by_eta * self.x[(row, k)];
            }
            if let Some(out) = out.get_mut(p) {
                *out += scale * datum.by_s;
            }
        }
    }

    fn log_densities_by_rows(&self, simd: Simd, at: &Coords, memory: &mut Vec<f64>, out: &mut [f64]) {
        for (index, out) in out.iter_mut().enumerate() {
            linear(simd, &self.x, at.vector(index), memory);
            let s = self.s_of(at, index);
            *out = self.likelihood.sum(simd, (&self.y, &self.m), memory, s);
        }
    }

    fn gradients_by_rows(&self, simd: Simd, at: &Coords, memory: &mut Vec<f64>, out: &mut Coords) {
        let mut slopes = vec![0.0; self.coefficients()];
        for index in 0..at.len() {
            linear(simd, &self.x, at.vector(index), memory);
            let s = self.s_of(at, index);
            let by_s = self.likelihood.slopes(simd, (&self.y, &self.m), memory, s);
            products(simd, &self.x, 0, memory, &mut slopes);
            for (axis, out) in out.axes_mut().enumerate() {
                out[index] = slopes.get(axis).copied().unwrap_or(by_s);
            }
        }
    }

    fn log_densities_reduced(&self, reduced: &Reduced, at: &Coords, memory: &mut Vec<f64>, out: &mut [f64]) {
        reduced.residuals(at, memory);
        reduced.squares(memory, out);
        let count = self.y.len() as f64;
        for (index, out) in out.iter_mut().enumerate() {
            let s = self.s_of(at, index);
            *out = -count * s - 0.5 * exp(-2.0 * s) * *out;
        }
    }

    fn gradients_reduced(&self, reduced: &Reduced, at: &Coords, memory: &mut Vec<f64>, out: &mut Coords) {
        reduced.residuals(at, memory);
        let (p, count) = (self.coefficients(), self.y.len() as f64);
        for (axis, out) in out.axes_mut().enumerate() {
            if axis < p {
                reduced.pulls(axis, memory, out);
            } else {
                reduced.squares(memory, out);
            }
            let less = if axis < p { 0.0 } else { count };
            for (index, out) in out.iter_mut().enumerate() {
                *out = exp(-2.0 * self.s_of(at, index)) * *out - less;
            }
        }
    }
}

impl Model for Posterior {
    fn dimension(&self) -> usize {
        self.size()
    }

    fn log_densities(&self, simd: Simd, at: &Coords, memory: &mut Vec<f64>, out: &mut [f64]) {
        match &self.reduced {
            Some(reduced) => self.log_densities_reduced(reduced, at, memory, out),
            None => self.log_densities_by_rows(simd, at, memory, out),
        }
        for (index, out) in out.iter_mut().enumerate() {
            let log = *out + self.constant + self.log_prior(at.vector(index));
            // So far out that ∞ − ∞ is no number.
            *out = if log.is_nan() && !at.vector(index).any(f64::is_nan) { f64::NEG_INFINITY } else { log };
        }
    }

    fn gradients(&self, simd: Simd, at: &Coords, memory: &mut Vec<f64>, out: &mut Coords) {
        match &self.reduced {
            Some(reduced) => self.gradients_reduced(reduced, at, memory, out),
            None => self.gradients_by_rows(simd, at, memory, out),
        }
        for (axis, out) in out.axes_mut().enumerate() {
            out.iter_mut().zip(at.axis(axis)).for_each(|(out, at)| *out += self.prior_slope(axis, *at));
        }
    }

    fn hessian(&self, at: &[f64]) -> Option<DMatrix<f64>> {
        let mut hessian = self.data_hessian(at);
        at.iter().enumerate().for_each(|(axis, at)| hessian[(axis, axis)] += self.prior_bend(axis, *at));
        Some(hessian)
    }

    fn curvatures(&self) -> &'static [Curvature] {
        &[Curvature::Full, Curvature::Diagonal]
    }

    fn precision(&self, at: &[f64], curvature: Curvature) -> Result<Precision, CurvatureError> {
        Precision::of_hessian(self.hessian(at), curvature)
    }

    fn hessian_diagonal(&self, at: &Coords, index: usize, memory: &mut Vec<f64>, out: &mut [f64]) -> bool {
        let at: Vec<f64> = at.vector(index).collect();
        let (p, s) = (self.coefficients(), self.s(&at));
        linear(Simd::widest(), &self.x, at.iter().copied(), memory);
        out.fill(0.0);
        for (row, eta) in memory.iter().enumerate() {
            let datum = self.likelihood.datum((self.y[row], self.m[row]), *eta, s);
            for (k, out) in out.iter_mut().take(p).enumerate() {
                *out += datum.eta_eta * self.x[(row, k)] * self.x[(row, k)];
            }
            if let Some(out) = out.get_mut(p) {
                *out += datum.s_s;
            }
        }
        out.iter_mut().enumerate().for_each(|(axis, out)| *out += self.prior_bend(axis, at[axis]));
        true
    }

    fn data(&self) -> usize {
        self.y.len()
    }

    fn estimates(&self, _simd: Simd, at: &Coords, batches: Minibatches<'_>, memory: &mut Vec<f64>, out: &mut Coords) {
        let d = self.size();
        let scale = self.data() as f64 / batches.size().max(1) as f64;
        for index in 0..at.len() {
            memory.clear();
            memory.extend(at.vector(index));
            memory.resize(2 * d, 0.0);
            let (at, sums) = memory.split_at_mut(d);
            self.add_rows(at, batches.of(0, index).iter().map(|row| row as usize), scale, sums);
            for (axis, sum) in sums.iter_mut().enumerate() {
                *sum += self.prior_slope(axis, at[axis]);
            }
            out.set(index, sums);
        }
    }

    fn datum_variances(&self, at: &Coords, index: usize, memory: &mut Vec<f64>, out: &mut [f64]) {
        let at: Vec<f64> = at.vector(index).collect();
        let gradient = |row: usize, sums: &mut [f64]| self.add_rows(&at, std::iter::once(row), 1.0, sums);
        by_rows::variances(self.data(), memory, out, gradient);
    }

    fn curvature(&self) -> Option<f64> {
        self.found.as_ref()?.curvature
    }

    fn mode(&self) -> Option<&[f64]> {
        self.found.as_ref()?.mode.as_deref()
    }

    fn start(&self) -> Vec<f64> {
        self.found.as_ref().map_or_else(|| vec![0.0; self.size()], |found| found.start.clone())
    }

    fn exact_draw(&self, stream: &mut Stream, out: &mut [f64]) -> bool {
        self.found.as_ref().is_some_and(|found| found.quantities.exact_draw(stream, out))
    }

    fn originals(&self) -> &[Combination] {
        &self.originals.coefficients
    }

    fn standardised_by(&self) -> Option<[f64; 2]> {
        self.originals.of_response
    }

    fn responses(&self) -> &[f64] {
        &self.y
    }

    fn replicate(&self, at: &[f64], stream: &mut Stream, out: &mut [f64]) -> bool {
        self.make(at, stream, out);
        true
    }

    fn quantities(&self) -> Option<&dyn Quantities> {
        self.found.as_ref().map(|found| -> &dyn Quantities { found.quantities.as_ref() })
    }
}
