//! Where chains start, as a distribution: after their first step, which blurs points and edges.

use base::math::{Bounds, Point, Purpose, Stream};
use exact::{Line, Masses, Plane, Refusal, Step};

use super::NotComputed;
use super::kernel::Kernel;
use super::level::{Grid, Level};
use super::plan::{Computable, Kind, PlannedStep};
use crate::scenario::Start;

/// A start as a distribution, in the coordinates of the chains.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Origin {
    /// One of these points, all with the same probability.
    Points(Vec<Point>),
    /// Anywhere in a box.
    Uniform(Bounds),
    /// The target.
    Target,
}

impl Computable {
    /// Where chains start.
    ///
    /// # Errors
    /// With the reason, if that is not computed.
    pub(super) fn start(&self) -> Result<Origin, NotComputed> {
        let unsuited = |why| Err(NotComputed::Unsuited(why));
        let (target, density) = (&self.spans[0].target, &self.spans[0].density);
        let (info, flat) = (target.info(), target.info().dimension == 1);
        let point = |at: Point| {
            let at = self.coordinates.from_theta(at);
            if flat { Point::new(at.x, 0.0) } else { at }
        };
        let boxed = |bounds: Bounds| {
            if self.coordinates.is_identity() {
                Ok(Origin::Uniform(bounds))
            } else {
                unsuited("a uniform start is not computed in the coordinates of these chains")
            }
        };
        match self.plan.start {
            Start::Point(at) => Ok(Origin::Points(vec![point(at)])),
            Start::Uniform { low, high } => boxed(Bounds::new((low, high), (low, high))),
            Start::Target => {
                let mut stream = Stream::derive(0, Purpose::Start, 0, 0);
                let exact = target.in_plane().is_some_and(|density| density.exact_draw(&mut stream).is_some());
                Ok(if exact { Origin::Target } else { Origin::Points(vec![point(info.start)]) })
            }
            Start::Modes => {
                let of = |chain: usize| info.modes.get(chain).map_or(info.start, |mode| mode.at);
                Ok(Origin::Points((0..self.plan.chains).map(|chain| point(of(chain))).collect()))
            }
            Start::Prior => {
                let mut stream = Stream::derive(0, Purpose::Start, 0, 0);
                if density.prior_draw(&mut stream).is_some()
                    || target.in_plane().is_some_and(|density| density.prior_draw(&mut stream).is_some())
                {
                    return unsuited("a start at draws from the prior is not computed");
                }
                let (low, high) = (info.view.min.sup(&info.support.min), info.view.max.inf(&info.support.max));
                boxed(Bounds { min: low, max: high })
            }
            Start::Topics(_) => unsuited("topics have more than two coordinates"),
        }
    }
}

impl Level<'_> {
    /// The distribution after the first step, by factors.
    ///
    /// # Errors
    /// With the reason, if it is not computed.
    pub fn first(&self, start: &Origin) -> Result<Vec<Masses>, NotComputed> {
        let step = self.of.step(1);
        (0..self.factors()).map(|factor| self.first_of(factor, start, &step)).collect()
    }

    fn first_of(&self, factor: usize, start: &Origin, step: &PlannedStep) -> Result<Masses, NotComputed> {
        if let Some(plane) = self.plane(0) {
            let Some(map) = self.of.map(step) else { return self.first_with_rejection(plane, start, step) };
            return match start {
                Origin::Points(points) => mean_of(points.iter().map(|at| plane.after_point(*at, map))),
                Origin::Uniform(bounds) => Ok(plane.after_uniform(*bounds, map)?),
                Origin::Target => self.pushed(factor, step, plane.truth()?),
            };
        }
        let Some(line) = self.line(factor, 0) else { return Err(Refusal::Unsuited("there is no grid").into()) };
        if self.of.kind == Kind::PhaseSpace {
            return self.first_with_momentum(line, start, step);
        }
        match (start, &self.of.kernels[step.segment]) {
            (Origin::Target, _) => self.pushed(factor, step, line.truth()?),
            (Origin::Points(points), kernel) => {
                let at = |point: &Point| point[factor];
                match (kernel, self.of.map(step)) {
                    (Kernel::Map(_), Some(map)) => mean_of(points.iter().map(|point| line.after_point(at(point), map))),
                    (Kernel::Mixture { .. }, Some(map)) => {
                        let Some(batches) = self.batches(step) else {
                            return Err(Refusal::Unsuited("there are no batches").into());
                        };
                        mean_of(points.iter().map(|point| batches.after_point(at(point), map)))
                    }
                    (Kernel::Normal { .. }, _) => mean_of(points.iter().map(|point| {
                        let x = at(point);
                        let (mean, variance) = self.of.normal_move(step, x, line.target().gradient(x));
                        narrow(line, step, variance).map(|()| line.normal(mean, variance))
                    })),
                    _ => self.first_of_atoms(factor, line, points, step),
                }
            }
            (Origin::Uniform(bounds), kernel) => {
                let (low, high) = (bounds.min[factor], bounds.max[factor]);
                match (kernel, self.of.map(step)) {
                    (Kernel::Map(_), Some(map)) => Ok(line.after_uniform(low, high, map)?),
                    (Kernel::Mixture { .. }, Some(_)) => {
                        Err(NotComputed::Unsuited("a uniform start is not computed with minibatches"))
                    }
                    _ => self.pushed(factor, step, uniform(line, low, high)?),
                }
            }
        }
    }

    fn batches(&self, step: &PlannedStep) -> Option<&exact::Batches> {
        let Grid::Lines { batches, .. } = self.grid(0) else { return None };
        batches.get(step.span * self.of.kernels.len() + step.segment)?.as_ref()
    }

    /// In the plane as on the line.
    fn first_with_rejection(&self, plane: &Plane, start: &Origin, step: &PlannedStep) -> Result<Masses, NotComputed> {
        match start {
            Origin::Target => self.pushed(0, step, plane.truth()?),
            Origin::Points(points) => {
                let nodes = atoms(plane.nodes(), plane.spacing().min(), points)?;
                self.pushed(0, step, Masses { nodes, lost: 0.0 })
            }
            Origin::Uniform(bounds) => {
                let (spacing, first) = (plane.spacing(), plane.node(0));
                let [columns, rows] = plane.shape();
                let along = |axis: usize, count: usize| {
                    let nodes = (0..count).map(|i| first[axis] + i as f64 * spacing[axis]);
                    shares(nodes, spacing[axis], (bounds.min[axis], bounds.max[axis]))
                };
                let (x, y) = (along(0, columns)?, along(1, rows)?);
                let nodes: Vec<f64> = y.iter().flat_map(|up| x.iter().map(move |across| across * up)).collect();
                let lost = (1.0 - nodes.iter().sum::<f64>()).max(0.0);
                self.pushed(0, step, Masses { nodes, lost })
            }
        }
    }

    /// With rejection a chain may stay where it started: that has to be a node.
    fn first_of_atoms(
        &self,
        factor: usize,
        line: &Line,
        points: &[Point],
        step: &PlannedStep,
    ) -> Result<Masses, NotComputed> {
        let on_line = |x: f64| Point::new(x, 0.0);
        let points: Vec<Point> = points.iter().map(|point| on_line(point[factor])).collect();
        let nodes = atoms(line.nodes().iter().map(|x| on_line(*x)), line.spacing(), &points)?;
        self.pushed(factor, step, Masses { nodes, lost: 0.0 })
    }

    fn first_with_momentum(&self, line: &Line, start: &Origin, step: &PlannedStep) -> Result<Masses, NotComputed> {
        if *start != Origin::Target {
            return Err(NotComputed::Unsuited(
                "from a point, position and momentum lie on a line after the first step, which no grid shows; the start has to be the target",
            ));
        }
        let mut movers = self.movers();
        let [mover] = &mut movers[..] else { return Err(Refusal::Unsuited("there is no grid").into()) };
        let super::level::Operator::Phase(phase) = mover.operator(step)? else {
            return Err(Refusal::Unsuited("there is no momentum").into());
        };
        let nodes = phase.product(&line.truth()?.nodes);
        self.pushed(0, step, Masses { nodes, lost: 0.0 })
    }

    fn pushed(&self, factor: usize, step: &PlannedStep, masses: Masses) -> Result<Masses, NotComputed> {
        let mut masses = [masses];
        super::level::Mover::new(self.of, self.grid(factor)).push(step, &mut masses)?;
        let [masses] = masses;
        Ok(masses)
    }
}

/// Masses of chains at points that have to be nodes.
fn atoms(nodes: impl Iterator<Item = Point>, spacing: f64, points: &[Point]) -> Result<Vec<f64>, NotComputed> {
    let nodes: Vec<Point> = nodes.collect();
    let mut masses = vec![0.0; nodes.len()];
    for point in points {
        let away = |node: &usize| (nodes[*node] - point).norm();
        let best = (0..nodes.len()).min_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(0);
        if away(&best) > 1e-9 * spacing {
            return Err(NotComputed::Unsuited(
                "with rejection, chains are computed from one point, from the target or from a box",
            ));
        }
        masses[best] += 1.0 / points.len() as f64;
    }
    Ok(masses)
}

/// As [`Line::after_point`] refuses it.
fn narrow(line: &Line, step: &PlannedStep, variance: f64) -> Result<(), Refusal> {
    line.after_point(line.nodes()[0], Step { alpha: 0.0, variance }).map(drop).map_err(|refusal| match refusal {
        Refusal::Narrow { nodes, .. } => Refusal::Narrow { alpha: step.alpha, nodes },
        other => other,
    })
}

/// The average of distributions.
fn mean_of(all: impl Iterator<Item = Result<Masses, Refusal>>) -> Result<Masses, NotComputed> {
    let (mut sum, mut count): (Option<Masses>, f64) = (None, 0.0);
    for masses in all {
        let masses = masses?;
        count += 1.0;
        match &mut sum {
            None => sum = Some(masses),
            Some(sum) => {
                sum.nodes.iter_mut().zip(&masses.nodes).for_each(|(sum, mass)| *sum += mass);
                sum.lost += masses.lost;
            }
        }
    }
    let Some(mut sum) = sum else { return Err(NotComputed::Unsuited("no chain starts anywhere")) };
    sum.nodes.iter_mut().for_each(|mass| *mass /= count);
    sum.lost /= count;
    Ok(sum)
}

/// Masses of the nodes by what of their cells is in an interval.
fn uniform(line: &Line, low: f64, high: f64) -> Result<Masses, NotComputed> {
    let nodes = shares(line.nodes().iter().copied(), line.spacing(), (low, high))?;
    let lost = (1.0 - nodes.iter().sum::<f64>()).max(0.0);
    Ok(Masses { nodes, lost })
}

/// The share of an interval that is in the cell of each node.
fn shares(nodes: impl Iterator<Item = f64>, spacing: f64, (low, high): (f64, f64)) -> Result<Vec<f64>, NotComputed> {
    if !(low.is_finite() && high.is_finite() && high > low) {
        return Err(NotComputed::Unsuited("the start has no width"));
    }
    let half = 0.5 * spacing;
    Ok(nodes.map(|x| ((x + half).min(high) - (x - half).max(low)).max(0.0) / (high - low)).collect())
}
