//! One resolution: the grids of a run, the operators of its steps on them, and how they move distributions.

use std::sync::Arc;

use base::math::{Bounds, Point};
use exact::{
    BatchStep, Batches, Chain, DenseKernel, Friction, Line, Masses, PhaseSpace, Plane, PlaneRejection, PlaneTransition,
    Proposal, Refusal, Section, Transition, Transitions,
};

use super::NotComputed;
use super::kernel::Kernel;
use super::plan::{Computable, Kind, PlannedStep};

/// The box of a grid and its nodes along both axes; on the line, the second one means nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cut {
    pub ends: [(f64, f64); 2],
    pub nodes: [usize; 2],
}

/// Why a step in the plane is not computed.
const IN_PLANE: Refusal =
    Refusal::Unsuited("in the plane, Euler steps are computed, and random walks and adjusted Langevin");

/// A grid for each target of the run.
#[derive(Debug)]
pub(super) enum Grid {
    /// Of one coordinate; batches by span and segment, where a segment has mixtures.
    Lines { lines: Vec<Line>, batches: Vec<Option<Batches>>, rows: usize },
    /// Of both.
    Planes(Vec<Plane>),
}

/// The grids of a run: one for each factor, or one for both if they are alike.
#[derive(Debug)]
pub(super) struct Level<'c> {
    pub of: &'c Computable,
    pub grids: Vec<Grid>,
}

/// An operator of one step.
#[derive(Debug)]
pub(super) enum Operator<'a> {
    Spline(Transition<'a>),
    Plane(Box<PlaneTransition<'a>>),
    Rejection(PlaneRejection),
    Dense(DenseKernel),
    Mixture(BatchStep<'a>),
    Phase(Box<PhaseSpace>),
}

impl<'c> Level<'c> {
    /// The grids of a run in a box.
    ///
    /// # Errors
    /// If a grid cannot be made.
    pub fn new(of: &'c Computable, cut: Cut) -> Result<Self, Refusal> {
        let grids = match of.kind {
            Kind::Plane => vec![Grid::planes(of, cut)?],
            Kind::Line | Kind::PhaseSpace => vec![Grid::lines(of, 0, cut)?],
            Kind::Product => {
                let (x, y) = (Grid::lines(of, 0, cut)?, Grid::lines(of, 1, cut)?);
                if x.is_like(&y) { vec![x] } else { vec![x, y] }
            }
        };
        Ok(Self { of, grids })
    }

    /// The grid of a factor.
    pub fn grid(&self, factor: usize) -> &Grid {
        &self.grids[factor.min(self.grids.len() - 1)]
    }

    /// The line of a factor while a target holds.
    pub fn line(&self, factor: usize, span: usize) -> Option<&Line> {
        if let Grid::Lines { lines, .. } = self.grid(factor) { lines.get(span) } else { None }
    }

    /// The plane while a target holds.
    pub fn plane(&self, span: usize) -> Option<&Plane> {
        if let Grid::Planes(planes) = self.grid(0) { planes.get(span) } else { None }
    }

    /// How many factors a distribution has.
    pub fn factors(&self) -> usize {
        if self.of.kind == Kind::Product { 2 } else { 1 }
    }

    /// What moves distributions on each grid.
    pub fn movers(&self) -> Vec<Mover<'_>> {
        self.grids.iter().map(|grid| Mover::new(self.of, grid)).collect()
    }
}

impl Grid {
    fn lines(of: &Computable, axis: usize, cut: Cut) -> Result<Self, Refusal> {
        let (low, high) = cut.ends[axis];
        let section = |span: &super::plan::Span| match &span.factors {
            Some(factors) if of.kind == Kind::Product => factors[axis].clone(),
            _ => Section::new(Arc::clone(&span.density), 0, Point::zeros()),
        };
        let line = |span: &super::plan::Span| Line::new(Arc::new(section(span)), low, high, cut.nodes[axis]);
        let lines = of.spans.iter().map(line).collect::<Result<Vec<Line>, Refusal>>()?;
        let mut batches = Vec::new();
        for span in &of.spans {
            for kernel in &of.kernels {
                batches.push(match kernel {
                    Kernel::Mixture { size, .. } => {
                        Some(Batches::new(&span.density, *size, low, high, cut.nodes[axis])?)
                    }
                    _ => None,
                });
            }
        }
        Ok(Self::Lines { lines, batches, rows: cut.nodes[1] })
    }

    fn planes(of: &Computable, cut: Cut) -> Result<Self, Refusal> {
        let bounds = Bounds::new(cut.ends[0], cut.ends[1]);
        let plane =
            |span: &super::plan::Span| Plane::new(Arc::clone(&span.density), bounds, cut.nodes[0], cut.nodes[1]);
        Ok(Self::Planes(of.spans.iter().map(plane).collect::<Result<_, _>>()?))
    }

    /// Whether steps move masses on both in the same way.
    fn is_like(&self, other: &Self) -> bool {
        let (Self::Lines { lines, .. }, Self::Lines { lines: others, .. }) = (self, other) else { return false };
        let same = |a: &[f64], b: &[f64]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-12 * (1.0 + a.abs()))
        };
        lines.iter().zip(others).all(|(a, b)| same(a.nodes(), b.nodes()) && same(a.gradients(), b.gradients()))
    }
}

/// Moves distributions on one grid, step by step, and keeps the operator of the last one.
#[derive(Debug)]
pub(super) struct Mover<'a> {
    of: &'a Computable,
    grid: &'a Grid,
    transitions: Vec<Transitions<'a>>,
    made: Option<(Key, Operator<'a>)>,
}

/// What an operator depends on.
type Key = (u64, bool, usize, usize);

fn key(step: &PlannedStep) -> Key {
    (step.alpha.to_bits(), step.injected, step.segment, step.span)
}

impl<'a> Mover<'a> {
    pub fn new(of: &'a Computable, grid: &'a Grid) -> Self {
        let transitions = match grid {
            Grid::Lines { lines, .. } => lines.iter().map(Transitions::new).collect(),
            Grid::Planes(_) => Vec::new(),
        };
        Self { of, grid, transitions, made: None }
    }

    /// The operator of a step.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn operator(&mut self, step: &PlannedStep) -> Result<&Operator<'a>, Refusal> {
        let key = key(step);
        if self.made.as_ref().is_none_or(|(made, _)| *made != key) {
            if let Some(((.., span), Operator::Spline(old))) = self.made.take()
                && let Some(transitions) = self.transitions.get_mut(span)
            {
                transitions.reuse(old);
            }
            let operator = self.make(step)?;
            return Ok(&self.made.insert((key, operator)).1);
        }
        match &self.made {
            Some((_, operator)) => Ok(operator),
            None => Err(Refusal::NotANumber { step: 0 }),
        }
    }

    fn make(&mut self, step: &PlannedStep) -> Result<Operator<'a>, Refusal> {
        let kernel = &self.of.kernels[step.segment];
        match (self.grid, kernel) {
            (Grid::Planes(planes), Kernel::Map(noise)) => {
                let step_of = noise.step(step.alpha, step.injected);
                Ok(Operator::Plane(Box::new(PlaneTransition::new(&planes[step.span], step_of)?)))
            }
            (Grid::Planes(planes), Kernel::Metropolis { langevin }) => {
                Ok(Operator::Rejection(PlaneRejection::new(&planes[step.span], proposal(*langevin, step.alpha))?))
            }
            (Grid::Planes(_), _) => Err(IN_PLANE),
            (Grid::Lines { .. }, Kernel::Map(noise)) => {
                Ok(Operator::Spline(self.transitions[step.span].step(noise.step(step.alpha, step.injected))?))
            }
            (Grid::Lines { batches, .. }, Kernel::Mixture { noise, .. }) => {
                let number = step.span * self.of.kernels.len() + step.segment;
                let batches = batches[number].as_ref().ok_or(Refusal::Unsuited("there are no batches"))?;
                Ok(Operator::Mixture(batches.step(noise.step(step.alpha, step.injected))?))
            }
            (Grid::Lines { lines, .. }, Kernel::Normal { .. }) => {
                let line = &lines[step.span];
                let kernel =
                    DenseKernel::normal(line, |i| self.of.normal_move(step, line.nodes()[i], line.gradients()[i]))?;
                Ok(Operator::Dense(kernel))
            }
            (Grid::Lines { lines, .. }, Kernel::Metropolis { langevin }) => {
                Ok(Operator::Dense(DenseKernel::metropolis(&lines[step.span], proposal(*langevin, step.alpha))?))
            }
            (Grid::Lines { lines, rows, .. }, Kernel::Friction { friction, estimate, gradient_variance }) => {
                let step_of = Friction {
                    alpha: step.alpha,
                    friction: *friction,
                    estimate: estimate * step.alpha,
                    gradient_variance: *gradient_variance,
                };
                Ok(Operator::Phase(Box::new(PhaseSpace::new(&lines[step.span], step_of, *rows)?)))
            }
        }
    }

    /// Moves distributions one step on.
    ///
    /// # Errors
    /// If there is no operator, or something is no number.
    pub fn push(&mut self, step: &PlannedStep, masses: &mut [Masses]) -> Result<(), Refusal> {
        let operator = self.operator(step)?;
        match operator {
            Operator::Spline(transition) => transition.push(masses),
            Operator::Plane(transition) => masses.iter_mut().for_each(|masses| transition.push(masses)),
            other => {
                for masses in masses.iter_mut() {
                    let before: f64 = masses.nodes.iter().sum();
                    other.push_masses(&mut masses.nodes);
                    masses.lost += (before - masses.nodes.iter().sum::<f64>()).max(0.0);
                }
            }
        }
        Ok(())
    }
}

impl Operator<'_> {
    /// The probability that a proposal is accepted, of a chain that is distributed as the target; `None` where nothing is rejected.
    pub fn acceptance(&self) -> Option<f64> {
        match self {
            Self::Dense(kernel) => Some(kernel.acceptance()).filter(|value| value.is_finite()),
            Self::Rejection(kernel) => Some(kernel.acceptance()),
            _ => None,
        }
    }
}

fn proposal(langevin: bool, alpha: f64) -> Proposal {
    if langevin { Proposal::Langevin { alpha } } else { Proposal::RandomWalk { sd: (2.0 * alpha).sqrt() } }
}

impl Computable {
    /// Mean and variance of a step from x, of minibatches in the Gaussian approximation.
    pub(super) fn normal_move(&self, step: &PlannedStep, x: f64, gradient_at: f64) -> (f64, f64) {
        let Kernel::Normal { gradient, compensate } = &self.kernels[step.segment] else { return (x, f64::NAN) };
        let data = self.spans[step.span].density.data();
        let batch = step.alpha * step.alpha * gradient.variance((1, data), Point::new(x, 0.0)).x;
        let thermal = 2.0 * step.alpha;
        let variance = match (step.injected, compensate) {
            (false, _) => batch,
            (true, true) => thermal.max(batch),
            (true, false) => thermal + batch,
        };
        (x + step.alpha * gradient_at, variance)
    }
}

impl Chain for Operator<'_> {
    fn size(&self) -> usize {
        match self {
            Self::Spline(chain) => chain.size(),
            Self::Plane(chain) => chain.size(),
            Self::Rejection(chain) => chain.size(),
            Self::Dense(chain) => chain.size(),
            Self::Mixture(chain) => chain.size(),
            Self::Phase(chain) => chain.size(),
        }
    }

    fn place(&self, node: usize) -> [f64; 2] {
        match self {
            Self::Spline(chain) => chain.place(node),
            Self::Plane(chain) => chain.place(node),
            Self::Rejection(chain) => chain.place(node),
            Self::Dense(chain) => chain.place(node),
            Self::Mixture(chain) => chain.place(node),
            Self::Phase(chain) => chain.place(node),
        }
    }

    fn push_masses(&self, masses: &mut Vec<f64>) {
        match self {
            Self::Spline(chain) => chain.push_masses(masses),
            Self::Plane(chain) => chain.push_masses(masses),
            Self::Rejection(chain) => chain.push_masses(masses),
            Self::Dense(chain) => chain.push_masses(masses),
            Self::Mixture(chain) => chain.push_masses(masses),
            Self::Phase(chain) => chain.push_masses(masses),
        }
    }

    fn pull_functions(&self, functions: &mut [Vec<f64>]) {
        match self {
            Self::Spline(chain) => chain.pull_functions(functions),
            Self::Plane(chain) => chain.pull_functions(functions),
            Self::Rejection(chain) => chain.pull_functions(functions),
            Self::Dense(chain) => chain.pull_functions(functions),
            Self::Mixture(chain) => chain.pull_functions(functions),
            Self::Phase(chain) => chain.pull_functions(functions),
        }
    }
}

impl Level<'_> {
    /// Moves a distribution, given by its factors, one step on.
    ///
    /// # Errors
    /// If there is no operator, and with the step after which something is no number.
    pub fn push(
        movers: &mut [Mover<'_>],
        number: u64,
        step: &PlannedStep,
        masses: &mut [Masses],
    ) -> Result<(), NotComputed> {
        match movers {
            [both] => both.push(step, masses)?,
            each => {
                for (mover, masses) in each.iter_mut().zip(masses.chunks_mut(1)) {
                    mover.push(step, masses)?;
                }
            }
        }
        if masses.iter().any(|masses| !masses.lost.is_finite()) {
            return Err(Refusal::NotANumber { step: number }.into());
        }
        Ok(())
    }
}
