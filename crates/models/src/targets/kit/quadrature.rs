//! Quadrature over a density with known modes, by the trapezoidal rule on the lattice points with most of its mass.
//!
//! From the modes, the nodes of a square lattice are visited as long as the density is above e^−[`DEPTH`] of its
//! highest value. So no box has to be chosen, and distant narrow modes cost no empty space. On a smooth density that
//! vanishes at infinity the rule converges faster than any power of the spacing h: for a Gaussian of standard deviation
//! σ its relative error is 2 exp(−2π²σ²/h²) (Trefethen and Weideman 2014, SIAM Review 56). This gives an error estimate
//! at no cost: the error of the full sum is about the fourth power of that of the sum over every second node. The
//! spacing is halved until the two agree to [`AGREEMENT`], which leaves eleven digits or more.

use rustc_hash::FxHashMap;

use super::basins::{self, BLOCK_SIZE, Block};
use super::modes::{self, Surface};
use crate::targets::{Coordinates, Density};
use base::math::elementary::{exp, ln};
use base::math::{Bounds, Matrix, Point};

/// The usual [`Care::depth`].
pub(in crate::targets) const DEPTH: f64 = 40.0;

/// How carefully a lattice is surveyed.
#[derive(Clone, Copy, Debug)]
pub(in crate::targets) struct Care {
    /// Difference allowed between log integrals over all nodes and over every second one.
    pub(in crate::targets) agreement: f64,
    /// Nodes are visited while the density, relative to its highest point, is above e^−depth. Where a ridge is steep, neighbouring
    /// columns of nodes have no neighbours in common that are as high as the ridge itself.
    pub(in crate::targets) depth: f64,
}

/// Depth of a view below the highest point: 4½ standard deviations of a Gaussian.
const VIEW_DEPTH: f64 = 10.0;

/// Spacing of the nodes in the smallest standard deviations, before any halving.
pub(in crate::targets) const SPACING: f64 = 0.7;

/// Cells along a side of the blocks over which basins are integrated.
const BLOCK: i64 = (BLOCK_SIZE / SPACING + 0.5) as i64;

/// The usual [`Care::agreement`].
const AGREEMENT: f64 = 1e-3;

/// The same for a density that is narrower elsewhere than at its modes, as a ridge with thin ends is. There the error falls
/// more slowly than the fourth power, since ever thinner parts make it; this leaves eleven digits of ridges that are four
/// times as narrow.
const AGREEMENT_OF_RIDGES: f64 = 1e-6;

/// Largest number of nodes; a density that needs more is integrated on a coarser lattice, with fewer digits.
const MAX_NODES: usize = 1 << 17;

/// Largest number of lattices that are tried, each with at most [`MAX_NODES`] nodes and those around the last one: enough
/// for widths that differ by fourteen powers of ten.
const MOST_PASSES: usize = 48;

/// Index of a node on the lattice, in spacings from its origin.
type LatticeNode = (i64, i64);

/// A density evaluated on the nodes of a lattice that hold nearly all of its mass.
#[derive(Clone, Debug)]
pub(in crate::targets) struct Lattice {
    dimension: usize,
    origin: Point,
    spacing: Point,
    /// Nodes and log densities in the order of visits.
    nodes: Vec<(LatticeNode, f64)>,
    /// The index of each node in `nodes`.
    numbers: FxHashMap<LatticeNode, usize>,
    /// The largest log density.
    highest: f64,
}

/// A cell between neighbouring nodes.
#[derive(Clone, Copy, Debug)]
pub(in crate::targets) struct Cell {
    /// Lower left corner.
    pub(in crate::targets) corner: Point,
    /// Log density at its corners: lower left, lower right, upper left, upper right. On the line the upper ones are the lower ones.
    pub(in crate::targets) heights: [f64; 4],
}

impl Cell {
    /// Largest log density at its corners.
    pub(in crate::targets) fn highest(&self) -> f64 {
        self.heights.into_iter().fold(f64::NEG_INFINITY, f64::max)
    }
}

impl Lattice {
    /// Finds the spacing and the nodes from the peaks of a density, at least one.
    pub(in crate::targets) fn survey(surface: &dyn Surface, dimension: usize, peaks: &[Point]) -> Self {
        Self::refined(surface, dimension, peaks, spacing(surface, dimension, peaks))
    }

    /// The same for a density that is narrower elsewhere than at its peaks.
    pub(in crate::targets) fn survey_of_ridges(surface: &dyn Surface, dimension: usize, peaks: &[Point]) -> Self {
        Self::survey_to(Care { agreement: AGREEMENT_OF_RIDGES, depth: DEPTH }, surface, dimension, peaks)
    }

    /// The same with a care of one's own.
    pub(in crate::targets) fn survey_to(care: Care, surface: &dyn Surface, dimension: usize, peaks: &[Point]) -> Self {
        Self::refined_to(care, surface, dimension, peaks, spacing(surface, dimension, peaks))
    }

    /// The same from an initial spacing.
    ///
    /// It ends after [`MOST_PASSES`] lattices at most. A spacing that has once been halved is never doubled again: where a
    /// lattice has too few nodes for agreement and the next finer one too many, the coarser one is the answer.
    pub(in crate::targets) fn refined(
        surface: &dyn Surface,
        dimension: usize,
        peaks: &[Point],
        spacing: Point,
    ) -> Self {
        Self::refined_to(Care { agreement: AGREEMENT, depth: DEPTH }, surface, dimension, peaks, spacing)
    }

    /// The same with a care of one's own.
    pub(in crate::targets) fn refined_to(
        care: Care,
        surface: &dyn Surface,
        dimension: usize,
        peaks: &[Point],
        mut spacing: Point,
    ) -> Self {
        let mut passes = MOST_PASSES;
        let mut lattice = Self::visited(surface, dimension, peaks, spacing, care.depth);
        while lattice.nodes.len() > MAX_NODES && passes > 0 {
            spacing *= 2.0;
            passes -= 1;
            lattice = Self::visited(surface, dimension, peaks, spacing, care.depth);
        }
        while !lattice.agrees_to(care.agreement) && lattice.nodes.len() << dimension <= MAX_NODES && passes > 0 {
            spacing *= 0.5;
            passes -= 1;
            let finer = Self::visited(surface, dimension, peaks, spacing, care.depth);
            if finer.nodes.len() > MAX_NODES {
                break;
            }
            lattice = finer;
        }
        lattice
    }

    /// Whether the integral over every second node agrees with that over all of them. A lattice that has run out of nodes
    /// before does not show its density.
    pub(in crate::targets) fn is_resolved(&self) -> bool {
        self.agrees_to(AGREEMENT)
    }

    /// The same to an agreement of one's own.
    pub(in crate::targets) fn agrees_to(&self, agreement: f64) -> bool {
        (self.log_normaliser() - self.coarse_log_normaliser()).abs() <= agreement
    }

    /// Visits the nodes; stops soon after there are more than [`MAX_NODES`].
    fn visited(surface: &dyn Surface, dimension: usize, peaks: &[Point], spacing: Point, depth: f64) -> Self {
        let origin = peaks.first().copied().unwrap_or_else(Point::zeros);
        let highest = peaks.iter().map(|peak| surface.log_density(*peak)).fold(f64::NEG_INFINITY, f64::max);
        let mut lattice =
            Self { dimension, origin, spacing, nodes: Vec::new(), numbers: FxHashMap::default(), highest };
        for peak in peaks {
            lattice.visit(surface, lattice.nearest(*peak));
        }
        let mut next = 0;
        while next < lattice.nodes.len() && lattice.nodes.len() <= MAX_NODES {
            let (node, log_density) = lattice.nodes[next];
            if log_density > highest - depth {
                for neighbour in neighbours(node, dimension) {
                    lattice.visit(surface, neighbour);
                }
            }
            next += 1;
        }
        lattice.highest = lattice.nodes.iter().map(|node| node.1).fold(f64::NEG_INFINITY, f64::max);
        lattice
    }

    fn visit(&mut self, surface: &dyn Surface, node: LatticeNode) {
        if !self.numbers.contains_key(&node) {
            self.numbers.insert(node, self.nodes.len());
            self.nodes.push((node, surface.log_density(self.point(node))));
        }
    }

    fn point(&self, node: LatticeNode) -> Point {
        self.origin + self.spacing.component_mul(&Point::new(node.0 as f64, node.1 as f64))
    }

    fn nearest(&self, point: Point) -> LatticeNode {
        let nearest = (point - self.origin).component_div(&self.spacing).map(f64::round);
        (nearest.x as i64, if self.dimension == 1 { 0 } else { nearest.y as i64 })
    }

    /// Nodes with their log densities.
    pub(in crate::targets) fn log_densities(&self) -> impl Iterator<Item = (Point, f64)> + '_ {
        self.nodes.iter().map(|(node, log_density)| (self.point(*node), *log_density))
    }

    /// Nodes with their densities, relative to the highest.
    pub(in crate::targets) fn masses(&self) -> impl Iterator<Item = (Point, f64)> + '_ {
        self.nodes.iter().map(|(node, log_density)| (self.point(*node), exp(log_density - self.highest)))
    }

    /// The area, or length, per node.
    pub(in crate::targets) fn node_size(&self) -> f64 {
        if self.dimension == 1 { self.spacing.x } else { self.spacing.x * self.spacing.y }
    }

    /// log ∫ exp(log density).
    pub(in crate::targets) fn log_normaliser(&self) -> f64 {
        let sum: f64 = self.masses().map(|(_, mass)| mass).sum();
        self.highest + ln(sum * self.node_size())
    }

    /// The same from every second node in each direction.
    fn coarse_log_normaliser(&self) -> f64 {
        let even = |(x, y): LatticeNode| x % 2 == 0 && y % 2 == 0;
        let nodes = self.nodes.iter().filter(|(node, _)| even(*node));
        let sum: f64 = nodes.map(|(_, log_density)| exp(log_density - self.highest)).sum();
        let factor = if self.dimension == 1 { 2.0 } else { 4.0 };
        self.highest + ln(sum * self.node_size() * factor)
    }

    /// Mean and covariance.
    pub(in crate::targets) fn moments(&self) -> (Point, Matrix) {
        let mut sum = 0.0;
        let mut mean = Point::zeros();
        for (node, mass) in self.masses() {
            sum += mass;
            mean += (node - self.origin) * mass;
        }
        mean = self.origin + mean / sum;
        let mut covariance = Matrix::zeros();
        for (node, mass) in self.masses() {
            let deviation = node - mean;
            covariance += (deviation * mass) * deviation.transpose();
        }
        (mean, covariance / sum)
    }

    /// The probability of the basin of each peak of the density from which the lattice was made.
    pub(in crate::targets) fn basin_weights(&self, surface: &(impl Surface + Sync), peaks: &[Point]) -> Vec<f64> {
        basins::shares(peaks, &self.blocks(), |point| exp(surface.log_density(point) - self.highest))
    }

    /// The same of the peaks of the density in θ, of a lattice in z = z(θ), axis by axis.
    pub(in crate::targets) fn basin_weights_of_theta(
        &self,
        coordinates: &Coordinates,
        target: &dyn Density,
        peaks: &[Point],
    ) -> Vec<f64> {
        let highest = peaks.iter().map(|peak| target.log_density(*peak)).fold(f64::NEG_INFINITY, f64::max);
        let in_theta = |block: &Block| {
            let corner = coordinates.to_theta(block.corner);
            let size = coordinates.to_theta(block.corner + block.sides[0] + block.sides[1]) - corner;
            Block { corner, sides: [Point::new(size.x, 0.0), Point::new(0.0, size.y)] }
        };
        let blocks: Vec<Block> = self.blocks().iter().map(in_theta).collect();
        basins::shares(peaks, &blocks, |point| exp(target.log_density(point) - highest))
    }

    /// The blocks that touch a visited node; on the line they are one row.
    fn blocks(&self) -> Vec<Block> {
        let touched = |index: i64| (index - 1).div_euclid(BLOCK)..=index.div_euclid(BLOCK);
        let rows = |index: i64| if self.dimension == 1 { 0..=0 } else { touched(index) };
        let deep = |node: &&(LatticeNode, f64)| node.1 > self.highest - DEPTH;
        let around = |&((x, y), _): &(LatticeNode, f64)| {
            rows(y).flat_map(move |row| touched(x).map(move |column| (column, row)))
        };
        let mut corners: Vec<LatticeNode> = self.nodes.iter().filter(deep).flat_map(around).collect();
        corners.sort_unstable();
        corners.dedup();
        let side = if self.dimension == 1 { Point::new(self.spacing.x, 1.0) } else { self.spacing } * BLOCK as f64;
        let sides = [Point::new(side.x, 0.0), Point::new(0.0, side.y)];
        corners.iter().map(|(x, y)| Block { corner: self.point((x * BLOCK, y * BLOCK)), sides }).collect()
    }

    /// The smallest box around all nodes within the depth of a view.
    pub(in crate::targets) fn view(&self) -> Bounds {
        let (mut min, mut max) = (Point::repeat(f64::INFINITY), Point::repeat(f64::NEG_INFINITY));
        for (node, _) in self.nodes.iter().filter(|(_, log_density)| *log_density > self.highest - VIEW_DEPTH) {
            min = min.inf(&self.point(*node));
            max = max.sup(&self.point(*node));
        }
        Bounds { min: min - self.spacing, max: max + self.spacing }
    }

    /// Width and height of a cell; on the line it has no height.
    pub(in crate::targets) fn cell_size(&self) -> Point {
        Point::new(self.spacing.x, if self.dimension == 1 { 0.0 } else { self.spacing.y })
    }

    /// The cells with four visited corners, on the line two, which include every cell with a corner of relevant density.
    pub(in crate::targets) fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let up = if self.dimension == 1 { 0 } else { 1 };
        self.nodes.iter().filter_map(move |(node, log_density)| {
            let mut heights = [*log_density; 4];
            for (height, corner) in heights[1..].iter_mut().zip([(1, 0), (0, up), (1, up)]) {
                let number = self.numbers.get(&(node.0 + corner.0, node.1 + corner.1))?;
                *height = self.nodes[*number].1;
            }
            Some(Cell { corner: self.point(*node), heights })
        })
    }
}

/// The two nodes, or eight, around a node.
fn neighbours((x, y): LatticeNode, dimension: usize) -> impl Iterator<Item = LatticeNode> {
    let rows = if dimension == 1 { 0..=0 } else { -1..=1 };
    rows.flat_map(move |row| (-1..=1).map(move |column| (x.saturating_add(column), y.saturating_add(row))))
}

/// Spacing of nodes fine enough for the narrowest peak: with the curvatures scaled to 1 along the axes, the
/// narrowest direction is set by the largest eigenvalue λ of the scaled matrix, and h = 0.7/√(curvature · λ).
fn spacing(surface: &dyn Surface, dimension: usize, peaks: &[Point]) -> Point {
    let mut spacing = Point::repeat(f64::INFINITY);
    for peak in peaks {
        let precision = modes::precision(surface, dimension, *peak);
        let coupling = precision.m12 / (precision.m11 * precision.m22).sqrt();
        let narrowest = 1.0 + coupling.abs();
        spacing = spacing.inf(&precision.diagonal().map(|curvature| SPACING / (curvature * narrowest).sqrt()));
    }
    spacing
}

#[cfg(test)]
mod tests {
    use std::cell::Cell as Counter;
    use std::path::Path;

    use super::*;
    use crate::targets;
    use crate::targets::TARGETS;
    use base::params::{Settings, Value, find_kind};

    /// A target that counts how often it is looked at.
    struct Counted<'a>(&'a dyn Density, Counter<usize>);

    impl Surface for Counted<'_> {
        fn log_density(&self, at: Point) -> f64 {
            self.1.set(self.1.get() + 1);
            self.0.log_density(at)
        }

        fn gradient(&self, at: Point) -> Point {
            self.0.gradient(at)
        }

        fn hessian(&self, at: Point) -> Matrix {
            self.0.hessian(at)
        }
    }

    /// Densities between whose fewest and most nodes no lattice fits. Every search ends within its evaluations, and says
    /// whether it has found the integral.
    #[test]
    fn every_search_for_a_spacing_ends() {
        let cases: [(&str, &[(&str, f64)]); 5] = [
            ("funnel", &[("sd", 0.5)]),
            ("funnel", &[("sd", 3.5)]),
            ("funnel", &[("sd", 4.0)]),
            ("funnel", &[("sd", 5.0)]),
            ("banana", &[("bend", -5.0), ("width", 0.05)]),
        ];
        for (name, values) in cases {
            let mut settings = Settings::defaults(find_kind(&TARGETS, name).unwrap());
            for (key, value) in values {
                settings.set(key, Value::Number(*value)).unwrap();
            }
            let target = targets::build(&settings, Path::new("")).unwrap();
            let surface = Counted(target.density().unwrap().as_ref(), Counter::new(0));
            let lattice = Lattice::survey(&surface, 2, &[target.info().modes[0].at]);
            assert!(surface.1.get() <= MOST_PASSES * (MAX_NODES + 16), "{name} {values:?}: {}", surface.1.get());
            let error = lattice.log_normaliser() - target.info().log_normaliser;
            assert!(!lattice.is_resolved() || error.abs() < 1e-6, "{name} {values:?}: {error}");
            assert_eq!(lattice.is_resolved(), values[0].1 < 3.0 && name == "funnel", "{name} {values:?}");
        }
    }

    /// A flat surface has no spacing, and no integral.
    #[test]
    fn a_surface_without_curvature_has_no_integral() {
        struct Flat;
        impl Surface for Flat {
            fn log_density(&self, _at: Point) -> f64 {
                0.0
            }
            fn gradient(&self, _at: Point) -> Point {
                Point::zeros()
            }
            fn hessian(&self, _at: Point) -> Matrix {
                Matrix::zeros()
            }
        }
        assert!(!Lattice::survey(&Flat, 2, &[Point::zeros()]).is_resolved());
    }
}
