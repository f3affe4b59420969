//! A written density in d coordinates as a model.

use nalgebra::DMatrix;

use super::super::number;
use crate::formula::{InVectors, RowsInVectors};
use crate::targets::kit::by_rows;
use crate::targets::kit::lanewise::saturated;
use crate::targets::{Curvature, CurvatureError, KnownQuantities, Minibatches, Model, Precision, Quantities};
use base::math::{Coords, Simd};

/// A density that somebody has written down, in d coordinates.
#[derive(Debug)]
pub(super) struct Written {
    density: InVectors,
    /// The log densities of the data, if there are any.
    rows: Option<RowsInVectors>,
    start: Vec<f64>,
    /// Whether that is a mode.
    is_mode: bool,
    curvature: Option<f64>,
    quantities: Named,
}

/// Coordinates with names, and numbers made of them, of which nothing is known.
#[derive(Debug)]
struct Named {
    coordinates: Vec<String>,
    names: Vec<String>,
    parts: InVectors,
}

impl Written {
    pub(super) fn new(
        density: InVectors,
        rows: Option<RowsInVectors>,
        (start, is_mode, curvature): (Vec<f64>, bool, Option<f64>),
    ) -> Self {
        let coordinates = density.names().to_vec();
        let names = [&coordinates[..], density.parts()].concat();
        let quantities = Named { coordinates, names, parts: density.clone() };
        Self { density, rows, start, is_mode, curvature, quantities }
    }

    /// Slopes that are no numbers where there is a density count as 0, as at the tip of a cone.
    fn clean(&self, at: &Coords, out: &mut Coords) {
        out.values_mut().iter_mut().for_each(|slope| *slope = saturated(*slope));
        if !out.values().iter().any(|slope| slope.is_nan()) {
            return;
        }
        for index in 0..out.len() {
            if !out.vector(index).any(f64::is_nan) {
                continue;
            }
            let vector: Vec<f64> = at.vector(index).collect();
            let mut value = [0.0];
            self.density.values(Simd::BASELINE, &vector, &mut value);
            if value[0] < f64::INFINITY {
                out.axes_mut().for_each(|slopes| slopes[index] = number(slopes[index]));
            }
        }
    }
}

impl Model for Written {
    fn dimension(&self) -> usize {
        self.density.dimension()
    }

    fn log_densities(&self, simd: Simd, at: &Coords, _memory: &mut Vec<f64>, out: &mut [f64]) {
        self.density.values(simd, at.values(), out);
        // Where there is no value the density is 0.
        out.iter_mut().for_each(|value| *value = if *value < f64::INFINITY { *value } else { f64::NEG_INFINITY });
    }

    fn gradients(&self, simd: Simd, at: &Coords, _memory: &mut Vec<f64>, out: &mut Coords) {
        self.density.gradients(simd, at.len(), at.values(), out.values_mut());
        self.clean(at, out);
    }

    fn hessian(&self, at: &[f64]) -> Option<DMatrix<f64>> {
        let size = self.dimension();
        Some(DMatrix::from_row_slice(size, size, &self.density.hessian(Simd::widest(), at)))
    }

    fn curvatures(&self) -> &'static [Curvature] {
        &[Curvature::Full, Curvature::Diagonal]
    }

    fn precision(&self, at: &[f64], curvature: Curvature) -> Result<Precision, CurvatureError> {
        Precision::of_hessian(self.hessian(at), curvature)
    }

    fn hessian_diagonal(&self, at: &Coords, index: usize, _memory: &mut Vec<f64>, out: &mut [f64]) -> bool {
        let at: Vec<f64> = at.vector(index).collect();
        let Some(hessian) = self.hessian(&at) else { return false };
        out.copy_from_slice(hessian.diagonal().as_slice());
        true
    }

    fn data(&self) -> usize {
        self.rows.as_ref().map_or(0, RowsInVectors::count)
    }

    fn estimates(&self, simd: Simd, at: &Coords, batches: Minibatches<'_>, memory: &mut Vec<f64>, out: &mut Coords) {
        let Some(rows) = &self.rows else { return self.gradients(simd, at, memory, out) };
        let d = self.dimension();
        let scale = rows.count() as f64 / batches.size().max(1) as f64;
        for index in 0..at.len() {
            memory.clear();
            memory.extend(at.vector(index));
            memory.resize(3 * d, 0.0);
            let (at, both) = memory.split_at_mut(d);
            let (sums, own) = both.split_at_mut(d);
            rows.prior(at, sums);
            for row in batches.of(0, index).iter() {
                rows.row(row as usize, at, own);
                sums.iter_mut().zip(&*own).for_each(|(sum, own)| *sum += scale * number(*own));
            }
            out.set(index, sums);
        }
        out.values_mut().iter_mut().for_each(|slope| *slope = number(saturated(*slope)));
    }

    fn datum_variances(&self, at: &Coords, index: usize, memory: &mut Vec<f64>, out: &mut [f64]) {
        let Some(rows) = &self.rows else { return out.fill(0.0) };
        let at: Vec<f64> = at.vector(index).collect();
        by_rows::variances(rows.count(), memory, out, |row, gradient| rows.row(row, &at, gradient));
    }

    fn curvature(&self) -> Option<f64> {
        self.curvature
    }

    fn mode(&self) -> Option<&[f64]> {
        self.is_mode.then_some(&self.start)
    }

    fn start(&self) -> Vec<f64> {
        self.start.clone()
    }

    fn quantities(&self) -> Option<&dyn Quantities> {
        Some(&self.quantities)
    }
}

impl Quantities for Named {
    fn coordinates(&self) -> &[String] {
        &self.coordinates
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn values(&self, at: &[f64], out: &mut [f64]) {
        let (coordinates, parts) = out.split_at_mut(at.len());
        coordinates.copy_from_slice(at);
        self.parts.values_of_parts(at, parts);
    }

    fn known(&self) -> Option<&dyn KnownQuantities> {
        None
    }
}
