//! One step in the plane: the spline deposit of the line along both axes.
//!
//! A node is deposited by b(x) ⊗ b(y) on 6 × 6 nodes, and the filter is a product, applied to rows and then to columns. Where the map
//! stretches, nodes are spread by L ⊗ L on a lattice that is finer along both axes; all of them on the same one.

use base::math::elementary::Kernel;
use base::math::{Point, Simd};

use super::axis::PaddedAxis;
use super::{MOST_RATIO, Plane};
use crate::chain::Chain;
use crate::line::{DENSITY, Masses, SPLINE_DENSITY};
use crate::padding::{below, whole};
use crate::spline::{BEFORE, TAPS, WIDE, b_spline_wide, lagrange};
use crate::{Refusal, Step};

/// Distance of neighbouring nodes after the map, in units of s, up to which they are moved as they are: smaller than on the line, since grids
/// are coarser and the border between nodes that are spread and others matters more.
const ALONE: f64 = 0.1;

/// A point of the finer lattice that carries mass: numbers f of its fraction along x and y, and the node below it, counted from
/// [`BEFORE`] + 1 before the first.
#[derive(Clone, Copy, Debug)]
struct Site {
    below: [u32; 2],
    fraction: [u8; 2],
}

/// A step of one size in the plane, as a linear operator on masses and on functions.
#[derive(Clone, Debug)]
pub struct PlaneTransition<'a> {
    plane: &'a Plane,
    axes: [PaddedAxis; 2],
    /// Where each node goes, in padded nodes; NaN for a node that is spread.
    to: [Vec<f64>; 2],
    sites: Vec<Site>,
    /// Where each of them goes, in padded nodes.
    sites_to: [Vec<f64>; 2],
    /// Lagrange's weights over r for each fraction.
    shares: Vec<[f64; TAPS]>,
}

/// Nodes before the first at which sites begin.
const MARGIN: usize = TAPS - BEFORE - 1;

impl<'a> PlaneTransition<'a> {
    /// The operator of one step. A step without noise is blurred with s of one spacing.
    ///
    /// # Errors
    /// If α or s² is no number or negative, and if the map stretches by more than a lattice 16 times as fine can follow.
    pub fn new(plane: &'a Plane, step: Step) -> Result<Self, Refusal> {
        Self::with_density(plane, step, DENSITY)
    }

    pub(super) fn with_density(plane: &'a Plane, step: Step, density: f64) -> Result<Self, Refusal> {
        let Step { alpha, variance } = step;
        if !(alpha.is_finite() && variance.is_finite() && alpha >= 0.0 && variance >= 0.0) {
            return Err(Refusal::NotANumber { step: 0 });
        }
        let spacing = plane.spacing();
        let sd = if variance > 0.0 { variance.sqrt() } else { spacing.max() };
        let axis = |axis: usize| PaddedAxis::new(plane.shape()[axis], sd / spacing[axis]);
        let axes = [axis(0)?, axis(1)?];
        let blur = sd / spacing.max();
        let mut to = [0, 1].map(|axis| {
            let (scale, before) = (alpha / spacing[axis], axes[axis].before as f64);
            let along = |i: usize| if axis == 0 { i % plane.columns } else { i / plane.columns };
            let place = |(i, gradient): (usize, &f64)| along(i) as f64 + before + scale * gradient;
            plane.gradients[axis].iter().enumerate().map(place).collect::<Vec<f64>>()
        });
        let (mut largest, mut spread) = (1.0f64, vec![false; plane.columns * plane.rows]);
        let alone = (ALONE / DENSITY * density * blur).max(SPLINE_DENSITY);
        for (i, [low, high]) in plane.curvatures.iter().enumerate() {
            let stretch = (1.0 + alpha * low).abs().max((1.0 + alpha * high).abs());
            if stretch > alone {
                (largest, spread[i]) = (largest.max(stretch), true);
                (to[0][i], to[1][i]) = (f64::NAN, f64::NAN);
            }
        }
        let ratio = (largest / (density * blur).max(1.0)).ceil();
        if ratio > MOST_RATIO as f64 {
            return Err(Refusal::Stretch { alpha, ratio, most: MOST_RATIO });
        }
        let mut transition =
            Self { plane, axes, to, sites: Vec::new(), sites_to: Default::default(), shares: Vec::new() };
        if spread.contains(&true) {
            transition.spread(&spread, whole(ratio).max(2), alpha);
        }
        Ok(transition)
    }

    /// How many times finer the lattice of sources is where the map stretches; 1 if it is nowhere.
    #[must_use]
    pub fn ratio(&self) -> usize {
        self.shares.len().max(1)
    }

    fn spread(&mut self, spread: &[bool], ratio: usize, alpha: f64) {
        let plane = self.plane;
        let (columns, rows, spacing) = (plane.columns, plane.rows, plane.spacing());
        self.shares =
            (0..ratio).map(|f| lagrange(f as f64 / ratio as f64).map(|weight| weight / ratio as f64)).collect();
        // Whether a node has a spread node among those that take part in sites above it.
        let near = |below: [usize; 2], only: [bool; 2]| {
            let range = |axis: usize, count: usize| {
                let first = if only[axis] { below[axis] } else { below[axis].saturating_sub(BEFORE) };
                let last = if only[axis] { below[axis] } else { below[axis] + TAPS - BEFORE - 1 };
                first.max(MARGIN).min(count + MARGIN)..(last + 1).max(MARGIN).min(count + MARGIN)
            };
            range(1, rows).any(|y| range(0, columns).any(|x| spread[(y - MARGIN) * columns + x - MARGIN]))
        };
        let first = plane.node(0);
        let last = plane.node(columns * rows - 1);
        for y in 0..rows + 2 * MARGIN {
            for x in 0..columns + 2 * MARGIN {
                if !near([x, y], [false; 2]) {
                    continue;
                }
                for fy in 0..ratio {
                    for fx in 0..ratio {
                        if (fx == 0 || fy == 0) && !near([x, y], [fx == 0, fy == 0]) {
                            continue;
                        }
                        let place = [(x, fx), (y, fy)].map(|(n, f)| n as f64 - MARGIN as f64 + f as f64 / ratio as f64);
                        let at = first + Point::new(place[0] * spacing.x, place[1] * spacing.y);
                        let clamped = Point::new(at.x.clamp(first.x, last.x), at.y.clamp(first.y, last.y));
                        let gradient = plane.density.gradient(clamped);
                        for (axis, to) in self.sites_to.iter_mut().enumerate() {
                            let before = self.axes[axis].before as f64;
                            to.push(place[axis] + before + alpha * gradient[axis] / spacing[axis]);
                        }
                        self.sites.push(Site { below: [x as u32, y as u32], fraction: [fx as u8, fy as u8] });
                    }
                }
            }
        }
    }

    /// Masses of the nodes that are spread, with a margin.
    fn margined(&self, nodes: &[f64]) -> Vec<f64> {
        let wide = self.wide();
        let mut field = vec![0.0; wide * (self.plane.rows + 2 * (MARGIN + TAPS))];
        for (i, mass) in nodes.iter().enumerate().filter(|(i, _)| self.to[0][*i].is_nan()) {
            field[self.in_margined(i)] = *mass;
        }
        field
    }

    fn wide(&self) -> usize {
        self.plane.columns + 2 * (MARGIN + TAPS)
    }

    fn in_margined(&self, node: usize) -> usize {
        let (row, column) = (node / self.plane.columns, node % self.plane.columns);
        (row + MARGIN + TAPS) * self.wide() + column + MARGIN + TAPS
    }

    /// The first of the six nodes of a site in a field with a margin.
    fn first(&self, site: &Site) -> usize {
        let [x, y] = site.below.map(|below| below as usize + TAPS - BEFORE);
        y * self.wide() + x
    }

    /// Masses of the sites, from those of the nodes that are spread: along x for all sites of a cell, then along y for each.
    fn of_sites(&self, spread: &[f64]) -> Vec<f64> {
        let (mut below, mut along) = (None, vec![[0.0; TAPS]; self.shares.len()]);
        let mut value = |site: &Site| {
            if below != Some(site.below) {
                below = Some(site.below);
                let first = self.first(site);
                for (along, weights) in along.iter_mut().zip(&self.shares) {
                    *along = std::array::from_fn(|k| {
                        let row = &spread[first + k * self.wide()..][..TAPS];
                        row.iter().zip(weights).map(|(mass, weight)| mass * weight).sum()
                    });
                }
            }
            let [x, y] = site.fraction.map(usize::from);
            self.shares[y].iter().zip(&along[x]).map(|(weight, along)| weight * along).sum()
        };
        self.sites.iter().map(&mut value).collect()
    }

    /// Moves a distribution one step on: μ ↦ μP.
    pub fn push(&self, masses: &mut Masses) {
        let before: f64 = masses.nodes.iter().sum();
        let [x, y] = &self.axes;
        let mut field = vec![0.0; x.points() * y.points()];
        let bounds = [x.points(), y.points()];
        let simd = Simd::widest();
        simd.dispatch(Deposit { field: &mut field, bounds, to: [&self.to[0], &self.to[1]], masses: &masses.nodes });
        if !self.sites.is_empty() {
            let values = self.of_sites(&self.margined(&masses.nodes));
            let to = [&self.sites_to[0][..], &self.sites_to[1]];
            simd.dispatch(Deposit { field: &mut field, bounds, to, masses: &values });
        }
        self.finish(&mut field, &mut masses.nodes);
        masses.lost += before - masses.nodes.iter().sum::<f64>();
    }

    /// Blurs what was deposited and cuts the padding off.
    fn finish(&self, field: &mut [f64], nodes: &mut [f64]) {
        let [x, y] = &self.axes;
        x.blur_rows(field, x.inside());
        y.blur_columns(field, x.inside(), y.inside());
        for (row, nodes) in y.inside().zip(nodes.chunks_exact_mut(self.plane.columns)) {
            nodes.copy_from_slice(&field[row * x.points()..][x.inside()]);
        }
    }

    /// The distribution after this step from `count` points of equal mass.
    pub(super) fn deposit(&self, count: usize, point: impl Fn(usize) -> Point, alpha: f64) -> Masses {
        let [x, y] = &self.axes;
        let (first, spacing) = (self.plane.node(0), self.plane.spacing());
        let moved = |i: usize| {
            let at = point(i);
            let place = (at + self.plane.density.gradient(at) * alpha - first).component_div(&spacing);
            (place.x + x.before as f64, place.y + y.before as f64)
        };
        let (to_x, to_y): (Vec<f64>, Vec<f64>) = (0..count).map(moved).unzip();
        let masses = vec![1.0 / count as f64; count];
        let mut field = vec![0.0; x.points() * y.points()];
        let bounds = [x.points(), y.points()];
        Simd::widest().dispatch(Deposit { field: &mut field, bounds, to: [&to_x, &to_y], masses: &masses });
        let mut nodes = vec![0.0; self.plane.columns * self.plane.rows];
        self.finish(&mut field, &mut nodes);
        let lost = 1.0 - nodes.iter().sum::<f64>();
        Masses { nodes, lost }
    }

    /// E u(F(θ) + sξ) at the nodes for a function u given at the nodes and 0 outside of the box: u ↦ Pu.
    pub fn pull(&self, function: &mut [f64]) {
        let [x, y] = &self.axes;
        let mut field = vec![0.0; x.points() * y.points()];
        for (row, nodes) in y.inside().zip(function.chunks_exact(self.plane.columns)) {
            field[row * x.points()..][x.inside()].copy_from_slice(nodes);
        }
        y.blur_columns(&mut field, x.inside(), 0..y.points());
        x.blur_rows(&mut field, 0..x.points());
        let bounds = [x.points(), y.points()];
        for (i, value) in function.iter_mut().enumerate() {
            *value = interpolated(&field, bounds, [self.to[0][i], self.to[1][i]]);
        }
        if self.sites.is_empty() {
            return;
        }
        let mut spread = self.margined(&vec![0.0; function.len()]);
        for (site, (to_x, to_y)) in self.sites.iter().zip(self.sites_to[0].iter().zip(&self.sites_to[1])) {
            let value = interpolated(&field, bounds, [*to_x, *to_y]);
            let (first, [wx, wy]) = (self.first(site), site.fraction.map(|f| &self.shares[usize::from(f)]));
            for (k, weight) in wy.iter().enumerate() {
                let row = &mut spread[first + k * self.wide()..][..TAPS];
                row.iter_mut().zip(wx).for_each(|(sum, share)| *sum += value * weight * share);
            }
        }
        for (i, value) in function.iter_mut().enumerate().filter(|(i, _)| self.to[0][*i].is_nan()) {
            *value = spread[self.in_margined(i)];
        }
    }
}

/// The first of 6 × 6 padded nodes around a point, and its fraction; `None` outside and for NaN.
#[inline(always)]
fn spot([width, height]: [usize; 2], [x, y]: [f64; 2]) -> Option<(usize, f64, f64)> {
    let inside = |value: f64, count: usize| value >= BEFORE as f64 && value < (count - WIDE) as f64;
    if !(inside(x, width) && inside(y, height)) {
        return None;
    }
    let (left, lower) = (below(x), below(y));
    let (column, row) = (whole(left), whole(lower));
    Some(((row - BEFORE) * width + column - BEFORE, x - left, y - lower))
}

#[inline(always)]
fn interpolated(field: &[f64], bounds: [usize; 2], at: [f64; 2]) -> f64 {
    let Some((first, x, y)) = spot(bounds, at) else { return 0.0 };
    let (wx, wy) = (b_spline_wide(x), b_spline_wide(y));
    let row = |k: usize| {
        let row = &field[first + k * bounds[0]..][..TAPS];
        wy[k] * row.iter().zip(&wx).map(|(value, weight)| value * weight).sum::<f64>()
    };
    (0..TAPS).map(row).sum()
}

/// Masses whose weights are computed before the first of them is deposited: they do not wait for its sums.
const BLOCK: usize = 16;

/// Masses put on 6 × 6 nodes around where they go.
struct Deposit<'a> {
    field: &'a mut [f64],
    bounds: [usize; 2],
    to: [&'a [f64]; 2],
    masses: &'a [f64],
}

impl Kernel for Deposit<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { field, bounds, to: [to_x, to_y], masses } = self;
        let mut block = [(0, [0.0; WIDE], [0.0; WIDE]); BLOCK];
        for ((to_x, to_y), masses) in to_x.chunks(BLOCK).zip(to_y.chunks(BLOCK)).zip(masses.chunks(BLOCK)) {
            let mut count = 0;
            for ((x, y), mass) in to_x.iter().zip(to_y).zip(masses) {
                let Some((first, x, y)) = spot(bounds, [*x, *y]) else { continue };
                block[count] = (first, b_spline_wide(x), b_spline_wide(y).map(|weight| mass * weight));
                count += 1;
            }
            for (first, weights, factors) in block[..count].iter().copied() {
                for (k, factor) in factors[..TAPS].iter().enumerate() {
                    let row = field.get_mut(first + k * bounds[0]..).and_then(<[f64]>::first_chunk_mut::<WIDE>);
                    if let Some(row) = row {
                        *row = std::array::from_fn(|i| row[i] + factor * weights[i]);
                    }
                }
            }
        }
    }
}

impl Chain for PlaneTransition<'_> {
    fn size(&self) -> usize {
        self.plane.columns * self.plane.rows
    }

    fn place(&self, node: usize) -> [f64; 2] {
        let (row, column) = (node / self.plane.columns, node % self.plane.columns);
        [(column as f64 + 0.5) / self.plane.columns as f64, (row as f64 + 0.5) / self.plane.rows as f64]
    }

    fn push_masses(&self, masses: &mut Vec<f64>) {
        let mut moved = Masses { nodes: std::mem::take(masses), lost: 0.0 };
        self.push(&mut moved);
        *masses = moved.nodes;
    }

    fn pull_functions(&self, functions: &mut [Vec<f64>]) {
        functions.iter_mut().for_each(|function| self.pull(function));
    }
}
