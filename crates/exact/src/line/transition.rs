//! One step on the line: masses are moved along the map and blurred ("spline deposit").
//!
//! μ' = N(0, s²) ∗ F_# μ with F(x) = x + α g(x). Each node is moved to F(xᵢ) and deposited there by a quintic B-spline; one pair of
//! transforms applies e^{−s²k²/2}/b₅(kh) on the grid with padding; the padding is cut off, and its sum is lost mass. The grid's mass and its
//! moments up to degree 5 move exactly. Where the map stretches, a node is first spread on a finer lattice by piecewise quintic Lagrange
//! interpolation, so that sources are as dense as the blur s asks for. The adjoint u ↦ E u(F(x) + sξ) is the exact transpose.

use std::sync::Arc;

use base::math::Simd;
use base::math::elementary::{Kernel, exp_slice};

use super::{AROUND, LEVELS, Line, Masses};
use crate::chain::Chain;
use crate::convolution::{Convolution, Points};
use crate::padding::{below, padding, whole};
use crate::spline::{BEFORE, TAPS, b_spline, b_spline_response, lagrange};
use crate::{Refusal, Step};

/// Distance of neighbouring nodes after the map, in units of s, up to which they are moved as they are. A node that is spread differs from
/// one that is not by the sixth power of this distance, which is what the border between the two costs.
const ALONE: f64 = 0.3;

/// Distance of sources after the map, in units of s, on the finer lattice. All nodes that are spread use the same one.
pub(crate) const DENSITY: f64 = 0.6;

/// Distance of sources after the map in units of h up to which the spline itself fills gaps, where s is small.
pub(crate) const SPLINE_DENSITY: f64 = 1.1;

/// Where a source is deposited: the first of six padded nodes, and their weights.
#[derive(Clone, Copy, Debug)]
struct Spot {
    first: usize,
    weights: [f64; TAPS],
}

/// A point of a finer lattice: the first of six nodes whose masses it carries a share of, and where it goes.
#[derive(Clone, Copy, Debug)]
struct Site {
    from: usize,
    shares: [f64; TAPS],
    spot: Option<Spot>,
}

/// Transitions of one line, one step after the other: keeps memory and transforms.
#[derive(Debug)]
pub struct Transitions<'a> {
    line: &'a Line,
    density: f64,
    plans: Vec<Arc<Convolution>>,
    /// Memory of an operator that is no longer needed.
    spare: Spare,
}

/// Memory of an operator.
#[derive(Debug, Default)]
struct Spare {
    plain: Vec<(usize, Option<Spot>)>,
    sites: Vec<Site>,
}

/// A step of one size on a line, as a linear operator on masses and on functions.
#[derive(Clone, Debug)]
pub struct Transition<'a> {
    line: &'a Line,
    plan: Arc<Convolution>,
    response: Vec<f64>,
    /// Padded nodes before the first node.
    before: usize,
    /// Nodes that are moved themselves.
    plain: Vec<(usize, Option<Spot>)>,
    sites: Vec<Site>,
    blur: f64,
}

impl<'a> Transitions<'a> {
    /// Transitions of a line.
    #[must_use]
    pub fn new(line: &'a Line) -> Self {
        Self { line, density: DENSITY, plans: Vec::new(), spare: Spare::default() }
    }

    /// The same with sources `density`·s apart after the map. For tests: infinity turns refinement off.
    #[cfg(test)]
    pub(crate) fn with_density(line: &'a Line, density: f64) -> Self {
        Self { line, density, plans: Vec::new(), spare: Spare::default() }
    }

    fn plan(&mut self, length: usize) -> Arc<Convolution> {
        let length = Convolution::fitting(length);
        if let Some(plan) = self.plans.iter().find(|plan| plan.points() == length) {
            return Arc::clone(plan);
        }
        let plan = Arc::new(Convolution::new(length));
        self.plans.push(Arc::clone(&plan));
        plan
    }

    /// Gives the memory of an operator back, for the next one.
    pub fn reuse(&mut self, transition: Transition<'a>) {
        self.spare = Spare { plain: transition.plain, sites: transition.sites };
    }

    /// The operator of one step. A step without noise is blurred with s = h, on which what is coarse depends weakly.
    ///
    /// # Errors
    /// If α or s² is no number or negative, and if the map stretches by more than the finest lattice can follow.
    pub fn step(&mut self, step: Step) -> Result<Transition<'a>, Refusal> {
        let Step { alpha, variance } = step;
        if !(alpha.is_finite() && variance.is_finite() && alpha >= 0.0 && variance >= 0.0) {
            return Err(Refusal::NotANumber { step: 0 });
        }
        let line = self.line;
        let blur = if variance > 0.0 { variance.sqrt() / line.spacing } else { 1.0 };
        let padding = padding(blur, line.nodes.len())?;
        let plan = self.plan(line.nodes.len() + 2 * padding);
        let before = (plan.points() - line.nodes.len()) / 2;
        let response = response(plan.points(), blur);
        let Spare { mut plain, mut sites } = std::mem::take(&mut self.spare);
        plain.clear();
        sites.clear();
        let mut transition = Transition { line, plan, response, before, plain, sites, blur };
        transition.arrange(alpha, self.density)?;
        Ok(transition)
    }
}

/// e^{−s²k²/2}/b₅(kh)
pub(crate) fn response(points: usize, blur: f64) -> Vec<f64> {
    let half = points / 2;
    let turns = |k: usize| k as f64 / points as f64;
    let scale = -0.5 * blur * blur * std::f64::consts::TAU * std::f64::consts::TAU;
    let mut response: Vec<f64> = (0..=half).map(|k| scale * turns(k) * turns(k)).collect();
    exp_slice(Simd::widest(), &mut response);
    for (k, value) in response.iter_mut().enumerate() {
        *value /= b_spline_response(turns(k));
    }
    response.extend_from_within(1..points - half);
    response[half + 1..].reverse();
    response
}

impl Transition<'_> {
    /// s/h, the blur in units of the spacing.
    #[must_use]
    pub fn blur(&self) -> f64 {
        self.blur
    }

    /// Points at which mass is deposited.
    #[must_use]
    pub fn sources(&self) -> usize {
        self.plain.len() + self.sites.len()
    }

    /// The spot of a point at `place`, in spacings from the first node.
    fn spot(&self, place: f64) -> Option<Spot> {
        let place = place + self.before as f64;
        if !(place >= BEFORE as f64 && place < (self.plan.points() - TAPS) as f64) {
            return None;
        }
        let below = below(place);
        Some(Spot { first: whole(below) - BEFORE, weights: b_spline(place - below) })
    }

    /// Moves every node, or the finer lattice around it.
    fn arrange(&mut self, alpha: f64, density: f64) -> Result<(), Refusal> {
        let line = self.line;
        let scale = alpha / line.spacing;
        let (mut largest, mut nodes) = (1.0, Vec::new());

        for (i, &[low, high]) in line.curvatures.iter().enumerate() {
            let stretch = (1.0 + alpha * low).abs().max((1.0 + alpha * high).abs());
            if stretch <= (ALONE / DENSITY * density * self.blur).max(SPLINE_DENSITY) {
                let spot = self.spot(i as f64 + scale * line.gradients[i]);
                self.plain.push((i, spot));
            } else {
                largest = stretch.max(largest);
                nodes.push(i);
            }
        }
        if nodes.is_empty() {
            return Ok(());
        }
        let ratio = largest / (density * self.blur).max(1.0);
        let Some(level) = LEVELS.iter().position(|&level| level as f64 >= ratio) else {
            return Err(Refusal::Stretch { alpha, ratio, most: LEVELS[LEVELS.len() - 1] });
        };
        self.spread(level.max(1), &nodes, scale);
        Ok(())
    }

    /// The sites of a finer lattice that carry masses of `nodes`, ascending numbers.
    fn spread(&mut self, level: usize, nodes: &[usize], scale: f64) {
        let ratio = LEVELS[level];
        let count = self.line.nodes.len();
        let gradients = self.line.lattice(level);
        let mut active = vec![false; count + 2 * TAPS];
        nodes.iter().for_each(|&node| active[node + TAPS] = true);
        let polynomials: Vec<[f64; TAPS]> =
            (0..ratio).map(|f| lagrange(f as f64 / ratio as f64).map(|weight| weight / ratio as f64)).collect();
        // Node j below the site, counted from `AROUND` before the first node.
        for below in 0..count + 2 * AROUND {
            // Nodes j − 2 … j + 3 have a part in it.
            let first = below + TAPS - AROUND - BEFORE;
            let near: [bool; TAPS] = std::array::from_fn(|k| active[first + k]);
            if !near.contains(&true) {
                continue;
            }
            for (f, polynomial) in polynomials.iter().enumerate() {
                if f == 0 && !near[BEFORE] {
                    continue;
                }
                // Nodes beyond the ends have no mass: the six nodes from which masses come are shifted into the grid.
                let from = first.saturating_sub(TAPS).min(count - TAPS);
                let mut shares = [0.0; TAPS];
                for k in (0..TAPS).filter(|&k| near[k]) {
                    shares[first + k - TAPS - from] = polynomial[k];
                }
                let place = (below as f64 - AROUND as f64) + f as f64 / ratio as f64;
                let spot = self.spot(place + scale * gradients[below * ratio + f]);
                self.sites.push(Site { from, shares, spot });
            }
        }
    }

    /// Moves distributions one step on: μ ↦ μP, all with the same work where it does not depend on them.
    pub fn push(&self, distributions: &mut [Masses]) {
        for group in distributions.chunks_mut(8) {
            match group.len() {
                1 | 2 => self.push_rows::<1>(group),
                3 | 4 => self.push_rows::<2>(group),
                _ => self.push_rows::<4>(group),
            }
        }
    }

    fn push_rows<const R: usize>(&self, group: &mut [Masses]) {
        let mut rows: Vec<Points<R>> = vec![[[0.0; R]; 2]; self.plan.points()];
        let nodes = together::<R>(group.iter().map(|masses| &masses.nodes[..]), self.line.nodes.len());
        let mut outside = Simd::widest().dispatch(Deposit { transition: self, nodes: &nodes, rows: &mut rows });
        self.plan.apply(&self.response, &mut rows, &mut Vec::new());
        let (first, last) = (self.before, self.before + self.line.nodes.len());
        for point in rows[..first].iter().chain(&rows[last..]) {
            add(&mut outside, point, 1.0);
        }
        for (number, masses) in group.iter_mut().enumerate() {
            let (part, row) = (number / R, number % R);
            masses.nodes.iter_mut().zip(&rows[first..last]).for_each(|(mass, point)| *mass = point[part][row]);
            masses.lost += outside[part][row];
        }
    }

    /// E u(F(x) + sξ) at the nodes for functions u given at the nodes and 0 outside of the box: u ↦ Pu.
    pub fn pull(&self, functions: &mut [Vec<f64>]) {
        for group in functions.chunks_mut(2) {
            let count = self.line.nodes.len();
            let mut rows: Vec<Points<1>> = vec![[[0.0]; 2]; self.plan.points()];
            let inside = together::<1>(group.iter().map(|function| &function[..]), count);
            rows[self.before..self.before + count].copy_from_slice(&inside);
            self.plan.apply(&self.response, &mut rows, &mut Vec::new());
            let value = |spot: &Option<Spot>| {
                let mut sum = [[0.0]; 2];
                if let Some(Spot { first, weights }) = spot {
                    rows[*first..*first + TAPS]
                        .iter()
                        .zip(weights)
                        .for_each(|(row, weight)| add(&mut sum, row, *weight));
                }
                sum
            };
            let mut result: Vec<Points<1>> = vec![[[0.0]; 2]; count];
            for (node, spot) in &self.plain {
                add(&mut result[*node], &value(spot), 1.0);
            }
            for site in &self.sites {
                let value = value(&site.spot);
                let near = &mut result[site.from..site.from + TAPS];
                near.iter_mut().zip(&site.shares).for_each(|(node, share)| add(node, &value, *share));
            }
            for (number, function) in group.iter_mut().enumerate() {
                function.iter_mut().zip(&result).for_each(|(value, point)| *value = point[number][0]);
            }
        }
    }

    /// The distribution after this step from the points `from`, each with its mass.
    pub(super) fn deposit(&self, from: impl Iterator<Item = (f64, f64)>, alpha: f64) -> Masses {
        let mut rows: Vec<Points<1>> = vec![[[0.0]; 2]; self.plan.points()];
        let mut lost = 0.0;
        for (x, mass) in from {
            let moved = x + alpha * self.line.target.gradient(x);
            match self.spot((moved - self.line.nodes[0]) / self.line.spacing) {
                Some(Spot { first, weights }) => {
                    for (point, weight) in rows[first..first + TAPS].iter_mut().zip(weights) {
                        point[0][0] += mass * weight;
                    }
                }
                None => lost += mass,
            }
        }
        self.plan.apply(&self.response, &mut rows, &mut Vec::new());
        let (first, last) = (self.before, self.before + self.line.nodes.len());
        lost += rows[..first].iter().chain(&rows[last..]).map(|point| point[0][0]).sum::<f64>();
        Masses { nodes: rows[first..last].iter().map(|point| point[0][0]).collect(), lost }
    }
}

/// Masses of nodes put where they go; what goes beyond the padding is the result.
struct Deposit<'a, const R: usize> {
    transition: &'a Transition<'a>,
    nodes: &'a [Points<R>],
    rows: &'a mut [Points<R>],
}

impl<const R: usize> Kernel for Deposit<'_, R> {
    type Output = Points<R>;

    #[inline(always)]
    fn run(self) -> Points<R> {
        let Self { transition, nodes, rows } = self;
        let mut outside = [[0.0; R]; 2];
        for (node, spot) in &transition.plain {
            deposit(rows, &mut outside, &nodes[*node], spot);
        }
        for site in &transition.sites {
            let mut mass = [[0.0; R]; 2];
            let near = &nodes[site.from..site.from + TAPS];
            near.iter().zip(&site.shares).for_each(|(node, share)| add(&mut mass, node, *share));
            deposit(rows, &mut outside, &mass, &site.spot);
        }
        outside
    }
}

#[inline(always)]
fn deposit<const R: usize>(rows: &mut [Points<R>], outside: &mut Points<R>, mass: &Points<R>, spot: &Option<Spot>) {
    match spot {
        Some(Spot { first, weights }) => {
            if let Some(near) = rows.get_mut(*first..*first + TAPS) {
                near.iter_mut().zip(weights).for_each(|(point, weight)| add(point, mass, *weight));
            }
        }
        None => add(outside, mass, 1.0),
    }
}

/// Rows of equal length side by side.
fn together<'a, const R: usize>(rows: impl Iterator<Item = &'a [f64]>, length: usize) -> Vec<Points<R>> {
    let mut points = vec![[[0.0; R]; 2]; length];
    for (number, row) in rows.enumerate() {
        points.iter_mut().zip(row).for_each(|(point, value)| point[number / R][number % R] = *value);
    }
    points
}

#[inline(always)]
fn add<const R: usize>(sum: &mut Points<R>, point: &Points<R>, weight: f64) {
    for part in 0..2 {
        for row in 0..R {
            sum[part][row] += weight * point[part][row];
        }
    }
}

impl Chain for Transition<'_> {
    fn size(&self) -> usize {
        self.line.nodes.len()
    }

    fn place(&self, node: usize) -> [f64; 2] {
        [(node as f64 + 0.5) / self.line.nodes.len() as f64, 0.0]
    }

    fn push_masses(&self, masses: &mut Vec<f64>) {
        let mut moved = [Masses { nodes: std::mem::take(masses), lost: 0.0 }];
        self.push(&mut moved);
        let [moved] = moved;
        *masses = moved.nodes;
    }

    fn pull_functions(&self, functions: &mut [Vec<f64>]) {
        self.pull(functions);
    }
}
