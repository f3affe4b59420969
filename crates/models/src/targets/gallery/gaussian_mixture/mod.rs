//! A mixture of any Gaussians: p(θ) = Σ wᵢ N(θ; μᵢ, Σᵢ), weights scaled to add up to 1.
//!
//! All values are computed from log wᵢN(θ; μᵢ, Σᵢ) relative to the largest of them. Where all of these overflow (beyond
//! about 10¹⁵⁰ standard deviations) the log density is −∞ and all components have equal shares in the gradient, so that
//! it stays finite and points inwards.

mod component;
mod conjugacy;

use std::sync::Arc;

pub(in crate::targets) use self::component::Component;
use self::component::SD_RANGE;
use crate::targets::kit::basins::{self, BLOCK_SIZE, Block};
use crate::targets::kit::lanewise::{FirstLane, Lanewise, LanewiseSweep};
use crate::targets::kit::modes::{self, Surface};
use crate::targets::{
    Boundary, Conjugacy, Density, Editor, EulerSteps, Folder, Mode, Support, Target, TargetEntry, TargetInfo,
};
use base::math::elementary::{exp, ln};
use base::math::{Bounds, Matrix, Point, Simd, Stream};
use base::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings, Value};

/// The default mixture, as weights, means and covariances: three Gaussians of unequal weight, width and direction.
const STANDARD: [(f64, [f64; 2], [[f64; 2]; 2]); 3] = [
    (0.5, [-2.0, -1.0], [[1.0, 0.6], [0.6, 0.8]]),
    (0.3, [2.5, -0.5], [[0.3, -0.1], [-0.1, 0.6]]),
    (0.2, [0.5, 3.0], [[0.9, 0.0], [0.0, 0.2]]),
];

/// Largest number of components.
const MAX_COMPONENTS: usize = 100;

/// Largest number of components for which modes are also searched between pairs, and the points of the search; more would
/// take too long.
const MAX_PAIRED: usize = 12;
const RIDGE_SHARES: [f64; 3] = [0.2, 0.5, 0.8];

/// Blocks per axis over which the basins of a component are integrated: they reach 7 standard deviations.
const BASIN_BLOCKS: i32 = 5;

/// Standard deviations of every component that the view shows.
const VIEW_RANGE: f64 = 4.0;

const COMPONENT_PARAMS: [ParamSpec; 3] = [
    ParamSpec::number(
        "weight",
        "weight",
        1.0,
        Interval::above_to(0.0, 1e6),
        (0.05, 5.0),
        "Weight of this Gaussian. Only ratios matter: the weights are scaled to add up to 1.",
    ),
    ParamSpec::of(
        "mean",
        "mean",
        ParamType::Pair { legal: Interval::closed(-1e4, 1e4) },
        DefaultValue::Pair([0.0, 0.0]),
        "Mean of this Gaussian.",
    ),
    ParamSpec::of(
        "covariance",
        "covariance",
        ParamType::Covariance,
        DefaultValue::Absent,
        "Covariance of this Gaussian, with the variances on the diagonal. Left out: the identity matrix.",
    ),
];

static COMPONENT: KindSpec =
    KindSpec { name: "component", label: "Gaussian", help: "One Gaussian of the mixture.", params: &COMPONENT_PARAMS };

const PARAMS: [ParamSpec; 1] = [ParamSpec::of(
    "component",
    "components",
    ParamType::List(&COMPONENT),
    DefaultValue::Absent,
    "The Gaussians of the mixture, at most 100. Left out: three of unequal weight, width and direction.",
)];

/// The description of this target.
const SPEC: KindSpec = KindSpec {
    name: "gaussian-mixture",
    label: "Mixture of Gaussians",
    help: "Any mixture of Gaussians, each with its own weight, mean and covariance. Moments, modes and draws are known \
           exactly, so that every method can be compared with the truth.",
    params: &PARAMS,
};

/// The line of the registry.
pub const ENTRY: TargetEntry =
    TargetEntry { editor: Some(Editor::Handles("component")), ..TargetEntry::new(SPEC, build) };

/// Makes the target.
///
/// # Errors
/// If there are more than 100 components, or one is narrower or wider than figures can show.
fn build(settings: &Settings, _folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let listed = mixture_components(settings);
    if listed.len() > MAX_COMPONENTS {
        let problem = format!("{} Gaussians are too many", listed.len());
        return Err(vec![ParamError::new("component", problem, format!("at most {MAX_COMPONENTS}"))]);
    }
    let total: f64 = listed.iter().map(|component| component.number("weight")).sum();
    let (mut components, mut errors) = (Vec::new(), Vec::new());
    for (number, entry) in (1..).zip(&listed) {
        let [[xx, xy], [_, yy]] = entry.covariance("covariance");
        let mean = entry.pair("mean");
        match Component::new(entry.number("weight") / total, Point::from(mean), Matrix::new(xx, xy, xy, yy)) {
            Some(component) => components.push(component),
            None => errors.push(wrong_covariance(number)),
        }
    }
    if errors.is_empty() { Ok(Target::plane(Arc::new(GaussianMixture::new(components)))) } else { Err(errors) }
}

/// The Gaussians of a mixture with these settings, each with the keys `weight`, `mean` and `covariance`: those that
/// are listed, or the default mixture for an empty list.
#[must_use]
pub fn mixture_components(settings: &Settings) -> Vec<Settings> {
    match settings.list("component") {
        [] => STANDARD.map(|(weight, mean, covariance)| described(weight, mean, covariance)).to_vec(),
        listed => listed.to_vec(),
    }
}

/// Settings of a component; a value that is not allowed stays at its default.
fn described(weight: f64, mean: [f64; 2], covariance: [[f64; 2]; 2]) -> Settings {
    let mut settings = Settings::defaults(&COMPONENT);
    let values =
        [("weight", Value::Number(weight)), ("mean", Value::Pair(mean)), ("covariance", Value::Covariance(covariance))];
    for (key, value) in values {
        settings.set(key, value).ok();
    }
    settings
}

fn wrong_covariance(number: usize) -> ParamError {
    let (low, high) = SD_RANGE;
    let problem = format!("the covariance of Gaussian {number} is too narrow or too wide in some direction");
    ParamError::new("component", problem, format!("standard deviations from {low} to {high} in every direction"))
}

/// The mixture.
#[derive(Clone, Debug)]
pub(in crate::targets) struct GaussianMixture {
    components: Vec<Component>,
    info: TargetInfo,
}

impl GaussianMixture {
    /// From at least one component, with weights that add up to 1.
    pub(in crate::targets) fn new(components: Vec<Component>) -> Self {
        let info = Mixture(&components).info();
        Self { components, info }
    }
}

impl Density for GaussianMixture {
    fn info(&self) -> &TargetInfo {
        &self.info
    }

    fn log_density(&self, at: Point) -> f64 {
        Mixture(&self.components).log_density(at)
    }

    fn gradient(&self, at: Point) -> Point {
        Mixture(&self.components).gradient(at)
    }

    fn hessian(&self, at: Point) -> Matrix {
        Mixture(&self.components).hessian(at)
    }

    fn gradients(&self, simd: Simd, x: &[f64], y: &[f64], gx: &mut [f64], gy: &mut [f64]) {
        simd.dispatch(LanewiseSweep { function: Mixture(&self.components), x, y, gx, gy });
    }

    fn euler(&self, steps: EulerSteps<'_>) {
        steps.through(Mixture(&self.components));
    }

    fn conjugacy(&self) -> Option<&dyn Conjugacy> {
        match self.components.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    fn cell_probabilities(&self, x: &[f64], y: &[f64]) -> Option<Vec<f64>> {
        let mut cells = vec![0.0; x.len().saturating_sub(1) * y.len().saturating_sub(1)];
        for component in &self.components {
            let part = component.cell_probabilities(x, y)?;
            cells.iter_mut().zip(part).for_each(|(sum, share)| *sum += component.weight * share);
        }
        Some(cells)
    }

    /// A component is chosen by its weight given the other coordinate, and the coordinate is drawn from it.
    fn conditional_draw(&self, axis: usize, at: Point, [uniform, normal]: [f64; 2]) -> Option<f64> {
        let other = at[1 - axis];
        let parts = || self.components.iter().map(|component| component.conditional(axis, other));
        // Very far out all weights are 0, and the last component is chosen.
        let highest = parts().fold(f64::MIN, |highest, (_, _, log_weight)| highest.max(log_weight));
        let mut left = uniform * parts().map(|(_, _, log_weight)| exp(log_weight - highest)).sum::<f64>();
        let chosen = parts().find(|(_, _, log_weight)| {
            left -= exp(log_weight - highest);
            left < 0.0
        });
        chosen.or(parts().next_back()).map(|(mean, sd, _)| mean + sd * normal)
    }

    fn exact_draw(&self, stream: &mut Stream) -> Option<Point> {
        let mut left = stream.uniform();
        let chosen = self.components.iter().find(|component| {
            left -= component.weight;
            left < 0.0
        });
        // Weights may add up to a little less than 1; the last component gets the rest.
        let component = chosen.or(self.components.last())?;
        let (first, second) = stream.normal_pair();
        Some(component.mean + component.root * Point::new(first, second))
    }
}

/// The components alone.
#[derive(Clone, Copy, Debug)]
struct Mixture<'a>(&'a [Component]);

impl Mixture<'_> {
    /// The largest term of the sum, per lane.
    #[inline(always)]
    fn highest<const L: usize>(&self, x: &[f64; L], y: &[f64; L]) -> [f64; L] {
        let mut highest = [f64::MIN; L];
        for component in self.0 {
            let (u, v) = component.whitened(x, y);
            let terms = component.log_terms(&u, &v);
            for i in 0..L {
                highest[i] = if highest[i] > terms[i] { highest[i] } else { terms[i] };
            }
        }
        highest
    }

    fn info(&self) -> TargetInfo {
        let mean: Point = self.0.iter().map(|component| component.mean * component.weight).sum();
        let spread = |component: &Component| {
            let deviation = component.mean - mean;
            (component.covariance + deviation * deviation.transpose()) * component.weight
        };
        TargetInfo {
            dimension: 2,
            axes: ["x", "y"],
            support: Support::everywhere(),
            boundary: Boundary::Open,
            view: self.view(),
            modes: self.modes(),
            log_normaliser: 0.0,
            mean,
            covariance: self.0.iter().map(spread).sum(),
            start: mean,
            unknown: None,
        }
    }

    fn view(&self) -> Bounds {
        let (mut min, mut max) = (Point::repeat(f64::INFINITY), Point::repeat(f64::NEG_INFINITY));
        for component in self.0 {
            let reach = component.covariance.diagonal().map(f64::sqrt) * VIEW_RANGE;
            min = min.inf(&(component.mean - reach));
            max = max.sup(&(component.mean + reach));
        }
        Bounds { min, max }
    }

    /// Modes by Newton's method from all centres and from points between every two of them: with unequal
    /// covariances a mixture can have modes that belong to no component. All modes lie on ridges
    /// (Σ αᵢ Σᵢ⁻¹)⁻¹ Σ αᵢ Σᵢ⁻¹ μᵢ, α ≥ 0 (Ray and Lindsay 2005, Annals of Statistics 33); those of pairs are searched.
    fn modes(&self) -> Vec<Mode> {
        let centres: Vec<Point> = self.0.iter().map(|component| component.mean).collect();
        let mut starts = centres.clone();
        for (index, first) in self.0.iter().enumerate().take(MAX_PAIRED) {
            for second in self.0.iter().take(index) {
                starts.extend(RIDGE_SHARES.iter().filter_map(|share| ridge(first, second, *share)));
            }
        }
        let peaks = modes::peaks(self, 2, &starts);
        let weights = self.basin_weights(&peaks);
        let mut modes = modes::laplace_modes(self, 2, &peaks, &weights);
        if modes.len() == self.0.len() && modes::peaks(self, 2, &centres).len() == modes.len() {
            for (mode, component) in modes.iter_mut().zip(self.0) {
                mode.covariance = component.covariance;
            }
        }
        modes
    }

    /// The probability of the basin of each peak: component by component, over blocks that are squares to it.
    fn basin_weights(&self, peaks: &[Point]) -> Vec<f64> {
        let mut weights = vec![0.0; peaks.len()];
        for component in self.0 {
            let [first, second] = [0, 1].map(|axis| component.root.column(axis) * BLOCK_SIZE);
            let offset = |index: i32| f64::from(index) - f64::from(BASIN_BLOCKS) / 2.0;
            let block = |index: i32| {
                let (column, row) = (offset(index % BASIN_BLOCKS), offset(index / BASIN_BLOCKS));
                Block { corner: component.mean + first * column + second * row, sides: [first, second] }
            };
            let blocks: Vec<Block> = (0..BASIN_BLOCKS * BASIN_BLOCKS).map(block).collect();
            let density = |point: Point| exp(-0.5 * (component.whitening * (point - component.mean)).norm_squared());
            for (weight, share) in weights.iter_mut().zip(basins::shares(peaks, &blocks, density)) {
                *weight += component.weight * share;
            }
        }
        weights
    }
}

/// The point on the ridge between two components at which the second has the given share α.
fn ridge(first: &Component, second: &Component, share: f64) -> Option<Point> {
    let precision = |component: &Component| component.whitening.transpose() * component.whitening;
    let (near, far) = (precision(first) * (1.0 - share), precision(second) * share);
    Some((near + far).try_inverse()? * (near * first.mean + far * second.mean))
}

/// Gradients.
impl Lanewise for Mixture<'_> {
    #[inline(always)]
    fn at<const L: usize>(&self, _first: FirstLane, x: &[f64; L], y: &[f64; L]) -> ([f64; L], [f64; L]) {
        let (mut total, mut gx, mut gy) = ([0.0; L], [0.0; L], [0.0; L]);
        if let [only] = self.0 {
            // Its share is e⁰ = 1, with the bits of what follows: sums that begin with 0 have no −0.
            let (u, v) = only.whitened(x, y);
            for i in 0..L {
                [gx[i], gy[i]] = only.pull(u[i], v[i]).map(|pull| 0.0 + pull);
            }
            return (gx, gy);
        }
        let highest = self.highest(x, y);
        for component in self.0 {
            let (u, v) = component.whitened(x, y);
            let terms = component.log_terms(&u, &v);
            for i in 0..L {
                let share = exp(terms[i] - highest[i]);
                let [pull_x, pull_y] = component.pull(u[i], v[i]);
                total[i] += share;
                gx[i] += share * pull_x;
                gy[i] += share * pull_y;
            }
        }
        for i in 0..L {
            gx[i] /= total[i];
            gy[i] /= total[i];
        }
        (gx, gy)
    }
}

impl Surface for Mixture<'_> {
    fn log_density(&self, at: Point) -> f64 {
        let (x, y) = ([at.x], [at.y]);
        let [highest] = self.highest(&x, &y);
        if highest <= f64::MIN {
            return f64::NEG_INFINITY;
        }
        let share = |component: &Component| {
            let (u, v) = component.whitened(&x, &y);
            exp(component.log_terms(&u, &v)[0] - highest)
        };
        highest + ln(self.0.iter().map(share).sum())
    }

    fn gradient(&self, at: Point) -> Point {
        let ([gx], [gy]) = self.at(FirstLane::default(), &[at.x], &[at.y]);
        Point::new(gx, gy)
    }

    /// Σ rᵢ (gᵢ − g)(gᵢ − g)ᵀ − Σ rᵢ Σᵢ⁻¹ with shares rᵢ and gradients gᵢ of the components.
    fn hessian(&self, at: Point) -> Matrix {
        let (x, y) = ([at.x], [at.y]);
        let [highest] = self.highest(&x, &y);
        let gradient = self.gradient(at);
        let (mut total, mut hessian) = (0.0, Matrix::zeros());
        for component in self.0 {
            let (u, v) = component.whitened(&x, &y);
            let share = exp(component.log_terms(&u, &v)[0] - highest);
            let deviation = Point::from(component.pull(u[0], v[0])) - gradient;
            let precision = component.whitening.transpose() * component.whitening;
            total += share;
            hessian += (deviation * share) * deviation.transpose() - precision * share;
        }
        hessian / total
    }
}
