//! A target on the line, on a grid of nodes at the centres of equal cells.
//!
//! A distribution is its masses mᵢ ≈ h·density(xᵢ); expectations are Σ mᵢ u(xᵢ), spectrally accurate for smooth densities. The line keeps
//! what steps of every size need: gradients at the nodes and on finer lattices, and the extreme curvatures around each node.

mod start;
mod transition;

#[cfg(test)]
pub(crate) mod tests;

use std::sync::{Arc, OnceLock};

use base::math::Point;
use models::targets::Density;

use crate::Refusal;
use crate::chain::{CLIFF, log_or_nothing, tame};
use crate::spline::{Cumulative, cell_masses};

pub(crate) use transition::{DENSITY, SPLINE_DENSITY, response};
pub use transition::{Transition, Transitions};

/// Nodes at least and at most.
const LEAST_NODES: usize = 16;
const MOST_NODES: usize = 8192;

/// How many times finer than the grid the lattice of sources may be.
const LEVELS: [usize; 14] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128];

/// Nodes on either side from which the curvature matters for a node: as far as it is spread.
const AROUND: usize = 3;

/// Points per node at which the curvature is looked at.
const LOOKS: usize = 4;

/// A log density on the line with its derivatives, finite on the grid.
pub trait Slope: Send + Sync {
    /// The log density at x, up to a constant; −∞ outside of the support.
    fn log_density(&self, x: f64) -> f64;

    /// Its first derivative.
    fn gradient(&self, x: f64) -> f64;

    /// Its second derivative.
    fn curvature(&self, x: f64) -> f64;
}

/// A density on the line, or one in the plane as a function of one coordinate: a factor of a product.
#[derive(Clone, Debug)]
pub struct Section {
    density: Arc<dyn Density>,
    axis: usize,
    through: Point,
}

impl Section {
    /// The density along coordinate `axis`, 0 or 1; the other coordinate is that of `through`.
    #[must_use]
    pub fn new(density: Arc<dyn Density>, axis: usize, through: Point) -> Self {
        Self { density, axis: axis.min(1), through }
    }

    fn point(&self, x: f64) -> Point {
        let mut point = self.through;
        point[self.axis] = x;
        point
    }
}

impl Slope for Section {
    fn log_density(&self, x: f64) -> f64 {
        self.density.log_density(self.point(x))
    }

    fn gradient(&self, x: f64) -> f64 {
        self.density.gradient(self.point(x))[self.axis]
    }

    fn curvature(&self, x: f64) -> f64 {
        self.density.hessian(self.point(x))[(self.axis, self.axis)]
    }
}

/// A distribution on the nodes of a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Masses {
    /// Spacing times density at each node. Values below 0 are rounding, where the grid is fine enough.
    pub nodes: Vec<f64>,
    /// Mass that has left the box, in [0, 1].
    pub lost: f64,
}

/// A target on a grid of the line.
pub struct Line {
    low: f64,
    spacing: f64,
    nodes: Vec<f64>,
    target: Arc<dyn Slope>,
    /// Gradients at the nodes.
    gradients: Vec<f64>,
    /// Least and largest curvature around each node.
    curvatures: Vec<[f64; 2]>,
    /// For each of [`LEVELS`] the gradients at nodes i + f/r: index (i + `AROUND`)·r + f, from `AROUND` nodes before the first.
    lattices: [OnceLock<Vec<f64>>; LEVELS.len()],
}

impl std::fmt::Debug for Line {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Line").field("low", &self.low).field("spacing", &self.spacing).finish_non_exhaustive()
    }
}

impl Line {
    /// A target on the box (`low`, `high`), cut into `nodes` cells.
    ///
    /// # Errors
    /// If the box has no width, for fewer than 16 or more than 8192 nodes, and if a gradient is no number where there is some of the target.
    pub fn new(target: Arc<dyn Slope>, low: f64, high: f64, nodes: usize) -> Result<Self, Refusal> {
        let fits = (LEAST_NODES..=MOST_NODES).contains(&nodes);
        if !(fits && low.is_finite() && high.is_finite() && high > low) {
            return Err(Refusal::Grid { low, high, nodes, least: LEAST_NODES, most: MOST_NODES });
        }
        let spacing = (high - low) / nodes as f64;
        let at: Vec<f64> = (0..nodes).map(|i| low + (i as f64 + 0.5) * spacing).collect();
        let mut gradients: Vec<f64> = at.iter().map(|&x| target.gradient(x)).collect();
        let mut curvatures = extremes(&*target, &at, spacing);
        tame(|i| target.log_density(at[i]), [&mut gradients[..]], &mut curvatures)?;
        let lattices = std::array::from_fn(|_| OnceLock::new());
        Ok(Self { low, spacing, nodes: at, target, gradients, curvatures, lattices })
    }

    /// Positions of the nodes, ascending.
    #[must_use]
    pub fn nodes(&self) -> &[f64] {
        &self.nodes
    }

    /// h, the distance of neighbouring nodes.
    #[must_use]
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// Lower and upper end of the box.
    #[must_use]
    pub fn ends(&self) -> (f64, f64) {
        (self.low, self.low + self.spacing * self.nodes.len() as f64)
    }

    /// The target.
    #[must_use]
    pub fn target(&self) -> &dyn Slope {
        &*self.target
    }

    /// Refuses what does not reject, if derivatives are no numbers at the end of a support.
    pub(crate) fn without_cliffs(&self) -> Result<(), Refusal> {
        let is_cliff = self.curvatures.iter().any(|[_, high]| *high >= CLIFF);
        if is_cliff { Err(Refusal::NotANumber { step: 0 }) } else { Ok(()) }
    }

    /// ln p of the target, −∞ where there is none.
    pub(crate) fn log_density(&self, x: f64) -> f64 {
        log_or_nothing(self.target.log_density(x))
    }

    /// Gradients at the nodes.
    #[must_use]
    pub fn gradients(&self) -> &[f64] {
        &self.gradients
    }

    /// Probabilities of the cells around the nodes.
    #[must_use]
    pub fn cells(&self, masses: &Masses) -> Vec<f64> {
        cell_masses(&masses.nodes)
    }

    /// The distribution function of `masses`.
    #[must_use]
    pub fn cumulative(&self, masses: &Masses) -> Cumulative {
        Cumulative::new(self.low, self.spacing, &masses.nodes)
    }

    /// The largest |1 + α·curvature| on the grid.
    fn stretch(&self, alpha: f64) -> f64 {
        let largest =
            |most: f64, [low, high]: &[f64; 2]| most.max((1.0 + alpha * low).abs()).max((1.0 + alpha * high).abs());
        self.curvatures.iter().fold(0.0, largest)
    }

    /// E f = Σ mᵢ f(xᵢ).
    pub fn expectation(&self, masses: &Masses, f: impl Fn(f64) -> f64) -> f64 {
        self.nodes.iter().zip(&masses.nodes).map(|(&x, mass)| mass * f(x)).sum()
    }

    /// Gradients of the lattice of a level. Beyond the ends of the box they are those at its ends: only rounding is there.
    fn lattice(&self, level: usize) -> &[f64] {
        self.lattices[level].get_or_init(|| {
            let ratio = LEVELS[level];
            let last = self.nodes.len() - 1;
            let site = |index: usize| {
                let x = self.nodes[0] + self.spacing * (index as f64 / ratio as f64 - AROUND as f64);
                self.target.gradient(x.clamp(self.nodes[0], self.nodes[last]))
            };
            (0..(self.nodes.len() + 2 * AROUND) * ratio).map(site).collect()
        })
    }
}

/// Least and largest curvature within [`AROUND`] nodes of each node, inside the box.
fn extremes(target: &dyn Slope, nodes: &[f64], spacing: f64) -> Vec<[f64; 2]> {
    let count = (nodes.len() - 1) * LOOKS + 1;
    let looks: Vec<f64> =
        (0..count).map(|index| target.curvature(nodes[0] + spacing * index as f64 / LOOKS as f64)).collect();
    let around = AROUND * LOOKS;
    let node = |i: usize| {
        let near = &looks[(i * LOOKS).saturating_sub(around)..(i * LOOKS + around + 1).min(count)];
        let widen = |[low, high]: [f64; 2], &value: &f64| {
            if value.is_finite() { [low.min(value), high.max(value)] } else { [f64::NAN, f64::NAN] }
        };
        near.iter().fold([near[0], near[0]], widen)
    };
    (0..nodes.len()).map(node).collect()
}
