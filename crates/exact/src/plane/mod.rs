//! A target in the plane, on a grid of nodes at the centres of equal cells.
//!
//! Masses are by rows from the lower left. What a step needs of the target is kept: gradients at the nodes, and the extreme eigenvalues of the
//! Hessian around each of them.

mod axis;
mod rejection;
mod transition;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use base::math::elementary::exp;
use base::math::{Bounds, Matrix, Point, Simd};
use models::targets::Density;

use crate::chain::{log_or_nothing, tame};
use crate::line::{DENSITY, Masses};
use crate::padding::whole;
use crate::{Refusal, Step};

pub use rejection::PlaneRejection;
pub use transition::PlaneTransition;

/// Nodes along an axis at least and at most.
const LEAST_NODES: usize = 16;
const MOST_NODES: usize = 1024;

/// How many times finer than the grid the lattice of sources may be along an axis.
const MOST_RATIO: usize = 16;

/// Nodes on either side from which the Hessian matters for a node.
const AROUND: usize = 3;

/// Spacings that s has to exceed for a normal to be seen by the nodes.
const LEAST_BLUR: f64 = 1.2;

/// Points along an axis of the box of a uniform start at least, and in the box at most.
const LEAST_POINTS: f64 = 600.0;
const MOST_POINTS: f64 = 4e6;

/// A target on a grid of the plane.
#[derive(Clone, Debug)]
pub struct Plane {
    density: Arc<dyn Density>,
    bounds: Bounds,
    columns: usize,
    rows: usize,
    /// Components of the gradients at the nodes.
    gradients: [Vec<f64>; 2],
    /// Least and largest eigenvalue of the Hessian around each node.
    curvatures: Vec<[f64; 2]>,
}

impl Plane {
    /// A target in a box, cut into `columns` × `rows` cells.
    ///
    /// # Errors
    /// If the box has no width or height, for fewer than 16 or more than 1024 nodes along an axis, if a gradient is no number where there is some of the target, and for a
    /// target that is not in the plane.
    pub fn new(density: Arc<dyn Density>, bounds: Bounds, columns: usize, rows: usize) -> Result<Self, Refusal> {
        if density.info().dimension != 2 {
            return Err(Refusal::Unsuited("the target is not in the plane"));
        }
        for (axis, nodes) in [columns, rows].into_iter().enumerate() {
            let (low, high) = (bounds.min[axis], bounds.max[axis]);
            let fits = (LEAST_NODES..=MOST_NODES).contains(&nodes);
            if !(fits && low.is_finite() && high.is_finite() && high > low) {
                return Err(Refusal::Grid { low, high, nodes, least: LEAST_NODES, most: MOST_NODES });
            }
        }
        let mut plane =
            Self { density, bounds, columns, rows, gradients: [Vec::new(), Vec::new()], curvatures: Vec::new() };
        let (x, y): (Vec<f64>, Vec<f64>) = plane.nodes().map(|at| (at.x, at.y)).unzip();
        let [mut gx, mut gy] = [vec![0.0; x.len()], vec![0.0; x.len()]];
        plane.density.gradients(Simd::widest(), &x, &y, &mut gx, &mut gy);
        plane.curvatures = plane.extremes();
        let at = |i: usize| Point::new(x[i], y[i]);
        tame(|i| plane.density.log_density(at(i)), [&mut gx[..], &mut gy[..]], &mut plane.curvatures)?;
        plane.gradients = [gx, gy];
        Ok(plane)
    }

    /// Nodes along x and along y.
    #[must_use]
    pub fn shape(&self) -> [usize; 2] {
        [self.columns, self.rows]
    }

    /// Width and height of a cell.
    #[must_use]
    pub fn spacing(&self) -> Point {
        let size = self.bounds.size();
        Point::new(size.x / self.columns as f64, size.y / self.rows as f64)
    }

    /// The node with a number, by rows from the lower left.
    #[must_use]
    pub fn node(&self, number: usize) -> Point {
        let place = Point::new((number % self.columns) as f64 + 0.5, (number / self.columns) as f64 + 0.5);
        self.bounds.min + place.component_mul(&self.spacing())
    }

    /// All nodes.
    pub fn nodes(&self) -> impl Iterator<Item = Point> + '_ {
        (0..self.columns * self.rows).map(|number| self.node(number))
    }

    /// Least and largest eigenvalue of the Hessian at the nodes within [`AROUND`] along each axis.
    fn extremes(&self) -> Vec<[f64; 2]> {
        let looks: Vec<[f64; 2]> = self.nodes().map(|at| eigenvalues(&self.density.hessian(at))).collect();
        let widest = |values: &mut dyn Iterator<Item = [f64; 2]>| {
            values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
                // A value that is no number stays one.
                let least = if value[0] >= low { low } else { value[0] };
                [least, if value[1] <= high { high } else { value[1] }]
            })
        };
        let (columns, rows) = (self.columns, self.rows);
        let near = |place: usize, count: usize| place.saturating_sub(AROUND)..(place + AROUND + 1).min(count);
        // Along x, then along y.
        let along: Vec<[f64; 2]> = (0..columns * rows)
            .map(|i| widest(&mut near(i % columns, columns).map(|x| looks[i / columns * columns + x])))
            .collect();
        (0..columns * rows)
            .map(|i| widest(&mut near(i / columns, rows).map(|y| along[y * columns + i % columns])))
            .collect()
    }

    /// Masses of a density given at the nodes, up to a factor, with the sum 1.
    ///
    /// # Errors
    /// If the values have no positive finite sum.
    pub fn masses_of(&self, density: impl Fn(Point) -> f64) -> Result<Masses, Refusal> {
        let values: Vec<f64> = self.nodes().map(density).collect();
        let sum: f64 = values.iter().sum();
        if !(sum.is_finite() && sum > 0.0) {
            return Err(Refusal::NotANumber { step: 0 });
        }
        Ok(Masses { nodes: values.iter().map(|value| value / sum).collect(), lost: 0.0 })
    }

    /// The target itself.
    ///
    /// # Errors
    /// If its density is no number anywhere.
    pub fn truth(&self) -> Result<Masses, Refusal> {
        let highest = self.nodes().map(|at| self.log_density(at)).fold(f64::NEG_INFINITY, f64::max);
        self.masses_of(|at| exp(self.log_density(at) - highest))
    }

    fn log_density(&self, at: Point) -> f64 {
        log_or_nothing(self.density.log_density(at))
    }

    /// A round normal distribution, normalised in the whole plane: what is outside of the box is lost.
    #[must_use]
    pub fn normal(&self, mean: Point, variance: f64) -> Masses {
        let scale = self.spacing().product() / (std::f64::consts::TAU * variance);
        let nodes: Vec<f64> =
            self.nodes().map(|at| scale * exp(-0.5 * (at - mean).norm_squared() / variance)).collect();
        let lost = 1.0 - nodes.iter().sum::<f64>();
        Masses { nodes, lost }
    }

    /// The distribution after the first step from one point: N(θ + α∇log p(θ), s² I).
    ///
    /// # Errors
    /// If s is 0 or below 1.2 spacings, which the nodes do not show, or the gradient there is no number.
    pub fn after_point(&self, point: Point, step: Step) -> Result<Masses, Refusal> {
        let mean = point + self.density.gradient(point) * step.alpha;
        let (sd, spacing) = (step.variance.sqrt(), self.spacing().max());
        if !(mean.norm_squared().is_finite() && sd.is_finite()) {
            return Err(Refusal::NotANumber { step: 1 });
        }
        if step.variance <= 0.0 {
            return Err(Refusal::STAYS_A_POINT);
        }
        if sd < LEAST_BLUR * spacing {
            let size = self.columns.max(self.rows) as f64;
            let nodes = (LEAST_BLUR * spacing * size / sd.max(f64::MIN_POSITIVE)).ceil();
            return Err(Refusal::Narrow { alpha: step.alpha, nodes: whole(nodes.min(1e9)) });
        }
        Ok(self.normal(mean, step.variance))
    }

    /// The distribution after the first step from a uniform start in a box, which may exceed the grid: a midpoint rule, with an error of the
    /// order of the square of its spacing. For a product, [`Line::after_uniform`](crate::Line::after_uniform) has a rule of order 6.
    ///
    /// # Errors
    /// As [`PlaneTransition::new`], if the box is empty, and if the map stretches so much that too many points are needed.
    pub fn after_uniform(&self, start: Bounds, step: Step) -> Result<Masses, Refusal> {
        let size = start.size();
        if !(size.x > 0.0 && size.y > 0.0 && size.x.is_finite() && size.y.is_finite()) {
            return Err(Refusal::Unsuited("the start has no area"));
        }
        let transition = PlaneTransition::new(self, step)?;
        let stretch = self.curvatures.iter().fold(1.0, |most: f64, [low, high]| {
            most.max((1.0 + step.alpha * low).abs()).max((1.0 + step.alpha * high).abs())
        });
        let sd = if step.variance > 0.0 { step.variance.sqrt() } else { self.spacing().max() };
        let counts = size.map(|length| (length * stretch / (DENSITY * sd)).ceil().max(LEAST_POINTS));
        if counts.product() > MOST_POINTS {
            return Err(Refusal::Stretch { alpha: step.alpha, ratio: stretch, most: MOST_RATIO });
        }
        let (columns, rows) = (whole(counts.x), whole(counts.y));
        let cell = size.component_div(&counts);
        let point = |i: usize| {
            start.min + Point::new((i % columns) as f64 + 0.5, (i / columns) as f64 + 0.5).component_mul(&cell)
        };
        Ok(transition.deposit(columns * rows, point, step.alpha))
    }

    /// E f = Σ mᵢ f(xᵢ).
    pub fn expectation(&self, masses: &[f64], f: impl Fn(Point) -> f64) -> f64 {
        self.nodes().zip(masses).map(|(at, mass)| mass * f(at)).sum()
    }

    /// Mean and covariance, given that chains have not left.
    #[must_use]
    pub fn moments(&self, masses: &[f64]) -> (Point, Matrix) {
        let total: f64 = masses.iter().sum();
        let mean = self.nodes().zip(masses).map(|(at, mass)| at * *mass).sum::<Point>() / total;
        let spread = |(at, mass): (Point, &f64)| (at - mean) * (at - mean).transpose() * *mass;
        (mean, self.nodes().zip(masses).map(spread).sum::<Matrix>() / total)
    }
}

/// Eigenvalues of a symmetric 2 × 2 matrix, the smaller one first.
fn eigenvalues(matrix: &Matrix) -> [f64; 2] {
    let (middle, half) = (0.5 * (matrix.m11 + matrix.m22), 0.5 * (matrix.m11 - matrix.m22));
    let radius = (half * half + matrix.m12 * matrix.m12).sqrt();
    [middle - radius, middle + radius]
}
