//! Numbers of a distribution on one resolution: moments, probabilities of modes, and the measures of draws.

use base::math::{Axis, Gaussian, Matrix, Point};
use exact::{CellMasses, Cells, Cumulative, Line, Masses};
use models::targets::Mode;

use super::lattice::Lattice;
use super::level::Level;
use super::plan::Kind;
use super::plane_reading::{Rows, between};
use crate::diagnostics::{DistributionCells, Measure, Truth, measure_truth_of_cells};

/// A distribution, or an average of some, by factors, with what is no product.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    /// Masses of each factor; with momentum those of the positions.
    pub factors: Vec<Masses>,
    joint: Option<Joint>,
    lost: f64,
}

/// What of an average of products is no product.
#[derive(Clone, Debug)]
struct Joint {
    /// On the cells of [`Truth::image_grid`], and within ellipses.
    cells: CellMasses,
    /// Of modes, in the order of the lattice.
    basins: Vec<f64>,
    /// E xy, and E x and E y of what is left, each times the mass that is left.
    cross: f64,
    /// The mass that is left.
    kept: f64,
}

/// The numbers of a distribution on one resolution.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    pub lost: f64,
    /// Mass below 0, an error of the grid.
    pub rough: f64,
    pub mean: Point,
    pub covariance: Matrix,
    /// Probability nearest to each mode, in the order of the target; empty where it is not computed.
    pub shares: Vec<f64>,
    pub measures: Vec<Measure>,
}

/// Reads distributions of one target off one resolution.
#[derive(Debug)]
pub(super) struct Reader<'l> {
    level: &'l Level<'l>,
    span: usize,
    truth: &'l Truth,
    /// Edges of the cells of the image grid and of the outer grid, in the coordinates of the chains.
    edges: [Vec<f64>; 2],
    outer: [Vec<f64>; 2],
    lattice: Option<Lattice>,
    cells: Option<Cells>,
}

impl<'l> Reader<'l> {
    pub fn new(level: &'l Level<'l>, span: usize, truth: &'l Truth) -> Self {
        let coordinates = level.of.coordinates;
        let cuts = |axis: usize, of: Axis| -> Vec<f64> {
            (0..=of.cells).map(|number| coordinates.cut(axis, of.edge(number))).collect()
        };
        let (image, around) = (truth.image_grid(), truth.outer_grid());
        let edges = [cuts(0, image.x), if truth.dimension() == 1 { vec![] } else { cuts(1, image.y) }];
        let outer = [cuts(0, around.x), if truth.dimension() == 1 { vec![] } else { cuts(1, around.y) }];
        let product = level.of.kind == Kind::Product;
        let lattice = Lattice::of(truth.modes()).filter(|_| product);
        let lines = [0, 1].map(|factor| level.line(factor, span));
        let cells = match lines {
            [Some(x), Some(y)] if product => {
                let round = lattice.as_ref().filter(|lattice| coordinates.is_identity() && lattice.radii.is_some());
                let peaks = [0, 1].map(|axis| round.map_or_else(Vec::new, |lattice| lattice.peaks(axis)));
                let pairs = round.map_or_else(Vec::new, Lattice::pairs);
                Some(Cells::new([x, y], [&edges[0], &edges[1]], [&peaks[0], &peaks[1]], pairs))
            }
            _ => None,
        };
        Self { level, span, truth, edges, outer, lattice, cells }
    }

    /// Positions alone, of a distribution with momentum.
    fn positions(&self, masses: &Masses) -> Masses {
        match self.line(0) {
            Some(line) if self.level.of.kind == Kind::PhaseSpace => {
                let mut nodes = vec![0.0; line.nodes().len()];
                for row in masses.nodes.chunks_exact(line.nodes().len()) {
                    nodes.iter_mut().zip(row).for_each(|(sum, mass)| *sum += mass);
                }
                Masses { nodes, lost: masses.lost }
            }
            _ => masses.clone(),
        }
    }

    fn line(&self, factor: usize) -> Option<&Line> {
        self.level.line(factor, self.span)
    }

    /// An empty sum.
    pub fn empty(&self) -> Sum {
        Sum { weight: 0.0, snapshot: None }
    }

    /// One distribution.
    pub fn snapshot(&self, masses: &[Masses]) -> Snapshot {
        let factors: Vec<Masses> = masses.iter().map(|masses| self.positions(masses)).collect();
        let kept: f64 = factors.iter().map(|masses| 1.0 - masses.lost).product();
        let mut snapshot = Snapshot { lost: 1.0 - kept, factors, joint: None };
        if let (Some(cells), [x, y]) = (&self.cells, &snapshot.factors[..]) {
            let [ex, ey] = [0, 1].map(|axis| self.first_moment(axis, &snapshot.factors[axis]));
            snapshot.joint = Some(Joint { cells: cells.of(x, y), basins: self.basins(x, y), cross: ex * ey, kept });
        }
        snapshot
    }

    /// Adds a distribution with a weight to an average.
    pub fn add(&self, sum: &mut Sum, masses: &[Masses], weight: f64) {
        let Some(so_far) = &mut sum.snapshot else {
            let mut first = self.snapshot(masses);
            first.scale(weight);
            *sum = Sum { weight, snapshot: Some(first) };
            return;
        };
        sum.weight += weight;
        let mut kept = 1.0;
        for (sum, masses) in so_far.factors.iter_mut().zip(masses) {
            let masses = self.positions(masses);
            sum.nodes.iter_mut().zip(&masses.nodes).for_each(|(sum, mass)| *sum += weight * mass);
            sum.lost += weight * masses.lost;
            kept *= 1.0 - masses.lost;
        }
        so_far.lost += weight * (1.0 - kept);
        if let (Some(cells), Some(joint), [x, y]) = (&self.cells, &mut so_far.joint, masses) {
            cells.add(&mut joint.cells, x, y, weight);
            joint.basins.iter_mut().zip(self.basins(x, y)).for_each(|(sum, share)| *sum += weight * share);
            joint.cross += weight * self.first_moment(0, x) * self.first_moment(1, y);
            joint.kept += weight * kept;
        }
    }

    /// Σ m θ of a factor.
    fn first_moment(&self, axis: usize, masses: &Masses) -> f64 {
        self.line(axis).map_or(f64::NAN, |line| line.expectation(masses, |x| self.theta(axis, x)))
    }

    fn theta(&self, axis: usize, x: f64) -> f64 {
        let mut at = Point::zeros();
        at[axis] = x;
        if self.level.of.coordinates.is_identity() { x } else { self.level.of.coordinates.to_theta(at)[axis] }
    }

    /// Probabilities of pairs of modes of a product.
    fn basins(&self, x: &Masses, y: &Masses) -> Vec<f64> {
        let Some(lattice) = &self.lattice else { return Vec::new() };
        let of = |axis: usize, masses: &Masses| {
            let edges = self.borders(axis, &lattice.centres[axis]);
            self.line(axis).map_or_else(Vec::new, |line| between(&line.cumulative(masses), &edges))
        };
        let (x, y) = (of(0, x), of(1, y));
        y.iter().flat_map(|up| x.iter().map(move |across| up * across)).collect()
    }

    /// Borders between centres, with the ends of the line.
    fn borders(&self, axis: usize, centres: &[f64]) -> Vec<f64> {
        let middle = |pair: &[f64]| self.level.of.coordinates.cut(axis, 0.5 * (pair[0] + pair[1]));
        let inner = centres.windows(2).map(middle);
        [f64::NEG_INFINITY].into_iter().chain(inner).chain([f64::INFINITY]).collect()
    }

    /// The numbers of a distribution, and the probabilities of the cells of [`Truth::image_grid`].
    pub fn numbers(&self, snapshot: &Snapshot) -> (Numbers, Vec<f64>) {
        let (mean, covariance) = self.moments(snapshot);
        let Probabilities { image, around, basins, within } = self.probabilities(snapshot);
        let shares = basins.clone().unwrap_or_default();
        let cells = DistributionCells { image, around, basins, within, gaussian: Gaussian { mean, covariance } };
        let measures = measure_truth_of_cells(self.truth, &cells);
        (Numbers { lost: snapshot.lost, rough: 0.0, mean, covariance, shares, measures }, cells.image)
    }

    fn moments(&self, snapshot: &Snapshot) -> (Point, Matrix) {
        if let Some(plane) = self.level.plane(self.span) {
            let masses = &snapshot.factors[0].nodes;
            if self.level.of.coordinates.is_identity() {
                return plane.moments(masses);
            }
            let theta = |at: Point| self.level.of.coordinates.to_theta(at);
            let total: f64 = masses.iter().sum();
            let mean = plane.nodes().zip(masses).map(|(at, mass)| theta(at) * *mass).sum::<Point>() / total;
            let spread = |(at, mass): (Point, &f64)| (theta(at) - mean) * (theta(at) - mean).transpose() * *mass;
            return (mean, plane.nodes().zip(masses).map(spread).sum::<Matrix>() / total);
        }
        let (mut mean, mut covariance) = (Point::zeros(), Matrix::zeros());
        for (axis, masses) in snapshot.factors.iter().enumerate() {
            let Some(line) = self.line(axis) else { continue };
            let total: f64 = masses.nodes.iter().sum();
            let first = self.first_moment(axis, masses) / total;
            let second = line.expectation(masses, |x| (self.theta(axis, x) - first) * (self.theta(axis, x) - first));
            (mean[axis], covariance[(axis, axis)]) = (first, second / total);
        }
        if let Some(joint) = &snapshot.joint {
            let cross = joint.cross / joint.kept - mean.x * mean.y;
            (covariance[(0, 1)], covariance[(1, 0)]) = (cross, cross);
        }
        (mean, covariance)
    }

    /// Probabilities where draws are counted.
    fn probabilities(&self, snapshot: &Snapshot) -> Probabilities {
        let modes = self.truth.modes();
        if let Some(plane) = self.level.plane(self.span) {
            let rows = Rows::new(plane, &snapshot.factors[0].nodes);
            let plain = self.level.of.coordinates.is_identity();
            let found = if plain { rows.modes(modes) } else { None };
            let around = [0, 1].map(|axis| rows.marginal(axis, &self.outer[axis]));
            let (basins, within) = found.unzip();
            return Probabilities { image: rows.cells(&self.edges[0], &self.edges[1]), around, basins, within };
        }
        let cumulative = |axis: usize| self.line(axis).map(|line| line.cumulative(&snapshot.factors[axis]));
        if let Some(joint) = &snapshot.joint {
            let around =
                [0, 1].map(|axis| cumulative(axis).map_or_else(Vec::new, |of| between(&of, &self.outer[axis])));
            let round = self.level.of.coordinates.is_identity()
                && self.lattice.as_ref().is_some_and(|lattice| lattice.radii.is_some());
            let basins = self.lattice.as_ref().map(|lattice| {
                let mut shares = vec![0.0; modes.len()];
                lattice.mode.iter().zip(&joint.basins).for_each(|(&mode, share)| shares[mode] = *share);
                shares
            });
            let within = round.then_some(joint.cells.within);
            return Probabilities { image: joint.cells.cells.clone(), around, basins, within };
        }
        let Some(of) = cumulative(0) else { return Probabilities::default() };
        let image = between(&of, &self.edges[0]);
        let columns = between(&of, &self.outer[0]);
        let total = columns.iter().sum();
        let (basins, within) = self.modes_of_line(&of, modes).unzip();
        Probabilities { image, around: [columns, vec![total]], basins, within }
    }

    /// On the line: the probability nearest to each mode, and within three standard deviations.
    fn modes_of_line(&self, of: &Cumulative, modes: &[Mode]) -> Option<(Vec<f64>, f64)> {
        let mut order: Vec<usize> = (0..modes.len()).collect();
        order.sort_by(|&a, &b| modes[a].at.x.total_cmp(&modes[b].at.x));
        let centres: Vec<f64> = order.iter().map(|&mode| modes[mode].at.x).collect();
        let borders = self.borders(0, &centres);
        let (mut shares, mut within) = (vec![0.0; modes.len()], 0.0);
        for ((&mode, border), share) in order.iter().zip(borders.windows(2)).zip(between(of, &borders)) {
            shares[mode] = share;
            let (at, reach) = (modes[mode].at.x, 3.0 * modes[mode].covariance.m11.sqrt());
            let cut = |theta: f64| self.level.of.coordinates.cut(0, theta);
            within += of.between(cut(at - reach).max(border[0]), cut(at + reach).min(border[1]));
        }
        (!modes.is_empty()).then_some((shares, within))
    }
}

/// Probabilities where draws are counted: of cells of the image, of wider columns and rows, nearest to each mode and within three standard
/// deviations of it.
#[derive(Debug, Default)]
struct Probabilities {
    image: Vec<f64>,
    around: [Vec<f64>; 2],
    basins: Option<Vec<f64>>,
    within: Option<f64>,
}

/// An average in the making.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    weight: f64,
    snapshot: Option<Snapshot>,
}

impl Sum {
    /// The average; `None` if nothing was added.
    pub fn mean(self) -> Option<Snapshot> {
        let mut snapshot = self.snapshot?;
        snapshot.scale(1.0 / self.weight);
        Some(snapshot)
    }
}

impl Snapshot {
    fn scale(&mut self, factor: f64) {
        for masses in &mut self.factors {
            masses.nodes.iter_mut().for_each(|mass| *mass *= factor);
            masses.lost *= factor;
        }
        self.lost *= factor;
        if let Some(joint) = &mut self.joint {
            joint.cells.cells.iter_mut().for_each(|cell| *cell *= factor);
            joint.cells.within *= factor;
            joint.basins.iter_mut().for_each(|share| *share *= factor);
            joint.cross *= factor;
            joint.kept *= factor;
        }
    }
}
