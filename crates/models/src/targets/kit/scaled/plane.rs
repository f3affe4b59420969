//! The density in the plane of two coordinates of a vector, made of what is known of all of them.

use std::sync::Arc;

use crate::targets::kit::lanewise::saturated;
use crate::targets::{Boundary, Density, KnownQuantities, Mode, Projection, Support, TargetInfo};
use base::math::elementary::{exp, ln};
use base::math::{Bounds, Matrix, Point, Stream};

/// Probability on either side of the view along each coordinate.
const BEYOND_VIEW: f64 = 1e-4;

/// How much of its width the view is wider.
const MARGIN: f64 = 0.1;

/// What is said where moments do not exist.
const HEAVY: &str = "a mean or a variance along an axis does not exist, because its tails are too heavy";

/// Steps towards the mode, and halvings of a step, at most.
const MOST_STEPS: usize = 100;
const MOST_HALVINGS: usize = 40;

/// A log density in the plane with its first two derivatives.
pub(in crate::targets) trait Surface: std::fmt::Debug + Send + Sync {
    /// At a point.
    fn at(&self, at: Point) -> (f64, Point, Matrix);

    /// The value alone.
    fn log(&self, at: Point) -> f64 {
        self.at(at).0
    }
}

/// A log density in the plane as a target's.
#[derive(Debug)]
pub(in crate::targets) struct PlaneDensity<S> {
    surface: S,
    info: TargetInfo,
    labels: [String; 2],
    quantities: Arc<dyn KnownQuantities>,
    shown: [usize; 2],
}

/// What the plane is of.
#[derive(Debug)]
pub(in crate::targets) struct Shown {
    /// The numbers of both coordinates, which are quantities of the same numbers.
    pub(in crate::targets) numbers: [usize; 2],
    /// Symbols, and labels of axes.
    pub(in crate::targets) symbols: [&'static str; 2],
    pub(in crate::targets) labels: [String; 2],
    /// Where chains start.
    pub(in crate::targets) start: Point,
    /// What of it is not exact.
    pub(in crate::targets) lacks: Option<String>,
}

impl Shown {
    /// Where it is among the coordinates.
    pub(in crate::targets) fn projection(&self) -> Projection {
        Projection::Coordinates(self.numbers)
    }

    /// What is known of the plane; its mode is not there yet.
    fn info(&self, quantities: &dyn KnownQuantities) -> TargetInfo {
        let moments = self.numbers.map(|number| quantities.moments(number));
        let [x, y] = self.numbers.map(|number| {
            let [low, high] = [BEYOND_VIEW, 1.0 - BEYOND_VIEW].map(|p| quantities.quantile(number, p));
            (low - MARGIN * (high - low), high + MARGIN * (high - low))
        });
        let between = quantities.correlation(self.numbers) * moments[0][1] * moments[1][1];
        let [vx, vy] = moments.map(|[_, sd]| sd * sd);
        let is_heavy = !moments.as_flattened().iter().all(|moment| moment.is_finite());
        let no_moments = is_heavy.then(|| HEAVY.to_owned());
        TargetInfo {
            dimension: 2,
            axes: self.symbols,
            support: Support::everywhere(),
            boundary: Boundary::Open,
            view: Bounds::new(x, y),
            modes: Vec::new(),
            log_normaliser: quantities.log_normaliser(),
            mean: Point::new(moments[0][0], moments[1][0]),
            covariance: Matrix::new(vx, between, between, vy),
            start: self.start,
            unknown: self.lacks.clone().or(no_moments),
        }
    }
}

impl<S: Surface> PlaneDensity<S> {
    /// With its mode; `None` if none is found.
    pub(in crate::targets) fn new(surface: S, shown: Shown, quantities: Arc<dyn KnownQuantities>) -> Option<Self> {
        let mut info = shown.info(quantities.as_ref());
        let (at, covariance) = top(&surface, &info)?;
        info.modes = vec![Mode { at, weight: 1.0, covariance }];
        Some(Self { surface, info, labels: shown.labels, quantities, shown: shown.numbers })
    }
}

impl<S: Surface> Density for PlaneDensity<S> {
    fn info(&self) -> &TargetInfo {
        &self.info
    }

    fn axis_labels(&self) -> [&str; 2] {
        self.labels.each_ref().map(String::as_str)
    }

    fn log_density(&self, at: Point) -> f64 {
        if !self.info.support.contains(at) {
            return f64::NEG_INFINITY;
        }
        let log = self.surface.log(at) + self.info.log_normaliser;
        if log.is_nan() { f64::NEG_INFINITY } else { log }
    }

    fn gradient(&self, at: Point) -> Point {
        // Very far out parts of it are ∞ − ∞.
        self.surface.at(at).1.map(|slope| if slope.is_nan() { 0.0 } else { saturated(slope) })
    }

    fn hessian(&self, at: Point) -> Matrix {
        self.surface.at(at).2.map(saturated)
    }

    fn exact_draw(&self, stream: &mut Stream) -> Option<Point> {
        let mut vector = vec![0.0; self.quantities.coordinates().len()];
        let drawn = self.quantities.exact_draw(stream, &mut vector);
        drawn.then(|| Point::new(vector[self.shown[0]], vector[self.shown[1]]))
    }
}

/// The highest point and the covariance there, in units of standard deviations: along the axes these may differ by many powers of ten.
fn top(surface: &dyn Surface, info: &TargetInfo) -> Option<(Point, Matrix)> {
    let size = info.view.size();
    let unit = Point::new(size.x, size.y) / 10.0;
    let scaled = Matrix::from_diagonal(&unit);
    let mut at = if info.mean.iter().all(|mean| mean.is_finite()) { info.mean } else { info.start };
    for _ in 0..MOST_STEPS {
        let (here, gradient, hessian) = surface.at(at);
        let (slope, stiff) = (scaled * gradient, -(scaled * hessian * scaled));
        let eigen = stiff.symmetric_eigen();
        let floor = 1e-12 * eigen.eigenvalues.amax();
        let step: Point = (0..2)
            .map(|index| {
                let direction = eigen.eigenvectors.column(index);
                direction * (direction.dot(&slope) / eigen.eigenvalues[index].abs().max(floor))
            })
            .fold(Point::zeros(), |sum, part| sum + part);
        let decrement = slope.dot(&step);
        if decrement < 1e-16 && eigen.eigenvalues.min() > 0.0 {
            break;
        }
        let half = (0..MOST_HALVINGS)
            .map(|halvings| exp(-f64::from(u32::try_from(halvings).ok().unwrap_or(0)) * std::f64::consts::LN_2));
        let next = half.map(|share| at + scaled * step * share).find(|next| surface.log(*next) > here);
        match next {
            Some(next) => at = next,
            // As high as rounding allows.
            None => break,
        }
    }
    let stiff = -(scaled * surface.at(at).2 * scaled);
    let covariance = scaled * stiff.try_inverse()? * scaled;
    (covariance.m11 > 0.0 && covariance.determinant() > 0.0).then_some((at, covariance))
}

/// A mixture of Gaussians.
#[derive(Debug)]
pub(in crate::targets) struct Mixture(Vec<Part>);

#[derive(Debug)]
struct Part {
    log: f64,
    mean: Point,
    precision: Matrix,
}

impl Mixture {
    /// Of weights, means and covariances xx, xy, yy; parts without weight are left out. `None` if one is no Gaussian.
    pub(in crate::targets) fn new(parts: &[(f64, [f64; 2], [f64; 3])]) -> Option<Self> {
        let part = |(weight, mean, [xx, xy, yy]): &(f64, [f64; 2], [f64; 3])| {
            let determinant = xx * yy - xy * xy;
            let log = ln(*weight) - ln(std::f64::consts::TAU) - 0.5 * ln(determinant);
            let precision = Matrix::new(yy / determinant, -xy / determinant, -xy / determinant, xx / determinant);
            (determinant > 0.0).then_some(Part { log, mean: Point::from(*mean), precision })
        };
        parts.iter().filter(|part| part.0 > 1e-18).map(part).collect::<Option<Vec<_>>>().map(Self)
    }

    fn logs(&self, at: Point) -> impl Iterator<Item = f64> + '_ {
        self.0.iter().map(move |part| {
            let gap = at - part.mean;
            let log = part.log - 0.5 * gap.dot(&(part.precision * gap));
            // Also where the gap itself is ∞ − ∞, which is very far: all parts have equal shares there.
            if log > f64::MIN { log } else { f64::MIN }
        })
    }
}

impl Surface for Mixture {
    fn log(&self, at: Point) -> f64 {
        let highest = self.logs(at).fold(f64::MIN, f64::max);
        highest + ln(self.logs(at).map(|log| exp(log - highest)).sum::<f64>())
    }

    fn at(&self, at: Point) -> (f64, Point, Matrix) {
        let highest = self.logs(at).fold(f64::MIN, f64::max);
        let (mut total, mut gradient, mut hessian) = (0.0, Point::zeros(), Matrix::zeros());
        for (part, log) in self.0.iter().zip(self.logs(at)) {
            let share = exp(log - highest);
            let pull = -(part.precision * (at - part.mean));
            total += share;
            gradient += pull * share;
            hessian += (pull * pull.transpose() - part.precision) * share;
        }
        let gradient = gradient / total;
        (highest + ln(total), gradient, hessian / total - gradient * gradient.transpose())
    }
}
