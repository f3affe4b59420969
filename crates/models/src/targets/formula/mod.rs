//! A density that somebody has written down: log p(x, y), p or the energy −log p, as a formula with named parameters.
//!
//! Gradient and Hessian are those of [`crate::formula`]. Modes, normaliser and moments come from quadrature
//! (`survey.rs`), in coordinates without boundary where the support has one. A formula without y is a density on the line.
//! Where a formula has no value, the density is 0. In coordinates with numbers, `x[1]` to `x[d]`, it is one of `vectors`.

mod adaptive;
mod cells;
mod columns;
mod ends;
mod faults;
mod field;
mod forms;
mod integral;
mod known;
mod line;
mod narrow;
mod peaks;
mod pieces;
mod plane;
mod search;
mod shapes;
mod survey;
mod tails;
mod tops;
mod turn;
mod unused;
mod vectors;
mod view;
mod weights;

pub use faults::form_meant;
pub use forms::form_looked_like;

use std::sync::Arc;

use super::{Boundary, Coordinates, Data, Density, Editor, Folder, Support, Target, TargetEntry, TargetInfo};
use crate::formula::{AT_ONCE, Evaluator, Form, Formula, FormulaError, Rows, numbers_of};
use crate::targets::kit::cell_sampler::CellSampler;
use crate::targets::kit::lanewise::saturated;
use base::math::{Bounds, Matrix, Point, Simd, Stream};
use base::params::{Choice, DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};

const FORMS: [Choice; 3] = [
    Choice { name: "log-density", label: "log p", help: "The formula is the log density, up to a constant." },
    Choice { name: "density", label: "p", help: "The formula is the density, up to a factor." },
    Choice {
        name: "energy",
        label: "−log p",
        help: "The formula is the energy, minus the log density up to a constant.",
    },
];

const BOUNDARIES: [Choice; 3] = [
    Choice { name: "reflect", label: "Reflect", help: "A step across the boundary is folded back." },
    Choice {
        name: "transform",
        label: "Logit or logarithm",
        help: "The chain moves in coordinates that have no boundary: the logit between two ends, the logarithm above one.",
    },
    Choice { name: "none", label: "Nothing", help: "The chain may leave the support." },
];

const fn end(key: &'static str, label: &'static str, default: f64, help: &'static str) -> ParamSpec {
    ParamSpec::number(key, label, default, Interval::closed(-1e6, 1e6), (-5.0, 5.0), help)
}

const ABOVE: [ParamSpec; 1] = [end("min", "above", 0.0, "The density is 0 below this value.")];

const BETWEEN: [ParamSpec; 2] = [
    end("min", "from", 0.0, "The density is 0 below this value."),
    end("max", "to", 1.0, "The density is 0 above this value."),
];

static SUPPORTS: [KindSpec; 3] = [
    KindSpec { name: "everywhere", label: "Everywhere", help: "The coordinate has no bounds.", params: &[] },
    KindSpec { name: "above", label: "Above", help: "The coordinate has a lower bound.", params: &ABOVE },
    KindSpec { name: "between", label: "Between", help: "The coordinate has two bounds.", params: &BETWEEN },
];

const fn support_param(key: &'static str, label: &'static str) -> ParamSpec {
    let help = "Where the density is positive along this coordinate.";
    ParamSpec::of(key, label, ParamType::Group(&SUPPORTS), DefaultValue::Kind("everywhere"), help).folded()
}

const PARAMS: [ParamSpec; 9] = [
    ParamSpec::of(
        "density",
        "formula",
        ParamType::Text,
        DefaultValue::Word("−x²/(2s²) − (y − b x²)²/(2w²)"),
        "The density in ordinary notation. x and y are the coordinates; other names are parameters. Lines such as r = \
         sqrt(x² + y²) before the last are abbreviations. sum(normal_lpdf(t[i] | x, y)) goes over the rows of data. x[1], x[2], … are \
         the coordinates of more than two dimensions.",
    ),
    columns::DATA.folded(),
    ParamSpec::of(
        "form",
        "it gives",
        ParamType::Choice(&FORMS),
        DefaultValue::Word("log-density"),
        "What the formula gives: the log density, the density, or minus the log density.",
    ),
    ParamSpec::of(
        "parameters",
        "parameters",
        ParamType::Named,
        DefaultValue::Named(&[("s", 1.5), ("b", 0.5), ("w", 0.4)]),
        "The numbers in the place of the names in the formula.",
    ),
    support_param("support_x", "support of x"),
    support_param("support_y", "support of y"),
    ParamSpec::of(
        "boundary",
        "at the boundary",
        ParamType::Choice(&BOUNDARIES),
        DefaultValue::Word("reflect"),
        "What a chain does where the support ends.",
    )
    .folded(),
    vectors::SHOWN[0],
    vectors::SHOWN[1],
];

/// The description of this target.
const SPEC: KindSpec = KindSpec {
    name: "formula",
    label: "Formula",
    help: "A density of your own, written as a formula in x and y with parameters that become sliders. Modes, moments and the \
           normaliser are computed from it. In x[1], x[2], … it is one in up to 100 dimensions, of which nothing is computed.",
    params: &PARAMS,
};

/// The line of the registry.
pub const ENTRY: TargetEntry =
    TargetEntry { editor: Some(Editor::Text("density")), idle: vectors::idle, ..TargetEntry::new(SPEC, build) };

/// Makes the target.
///
/// # Errors
/// If the formula cannot be understood, with the range in it; if a parameter has no number or is not in the formula; if
/// the ends of the support are not in order; if no integral is found.
fn build(settings: &Settings, folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let text = settings.word("density");
    let in_formula = |error: FormulaError| vec![error.of_parameter("density", text)];
    let formula = Formula::read(text).map_err(in_formula)?;
    let formula = columns::given(formula, settings, folder)?;
    let names: Vec<&str> = formula.parameters().collect();
    let numbers = numbers_of(&names, ("parameters", settings.named("parameters")), Formula::hint)?;
    let form = Form::of(settings.word("form"));
    let target = match formula.is_in_vectors() {
        true => vectors::build(settings, &formula, &numbers, form)?,
        false => in_plane(settings, &formula, &numbers, form)?,
    };
    Ok(target.with_remarks(unused::told(&formula, settings, folder)))
}

/// The target of a formula on the line or in the plane.
fn in_plane(settings: &Settings, formula: &Formula, numbers: &[f64], form: Form) -> Result<Target, Vec<ParamError>> {
    let in_formula = |error: FormulaError| vec![error.of_parameter("density", settings.word("density"))];
    let density = formula.density(numbers, form).map_err(in_formula)?;
    let dimension = match formula.coordinates() {
        [false, false] => bounded(settings).ok_or_else(|| vec![without_coordinates(formula)])?,
        [_, is_plane] => 1 + usize::from(is_plane),
    };
    let support = support(settings, dimension)?;
    if formula.coordinates() == [false, true] && [support.min.x, support.max.x].iter().all(|end| end.is_infinite()) {
        return Err(vec![faults::without_x()]);
    }
    let boundary = match settings.word("boundary") {
        _ if support == Support::everywhere() => Boundary::Open,
        "transform" => Boundary::Logit,
        "none" => Boundary::Open,
        _ => Boundary::Reflect,
    };
    let axes = ["x", if dimension == 1 { "" } else { "y" }];
    let unknown = TargetInfo::unknown(axes, Bounds::new((-1.0, 1.0), (-1.0, 1.0)), Point::zeros());
    let info = TargetInfo { dimension, support, boundary, ..unknown };
    let rows = formula.rows(numbers, form).map_err(in_formula)?.map(Arc::new);
    let bare = Written { density, rows, info, sampler: None, origin: None };
    let summands = formula.summands(numbers, form).map_err(in_formula)?;
    let explained = |error| vec![faults::explained(error, formula, numbers, form, &bare)];
    let (info, sampler, origin) = survey::survey(&bare, summands).map_err(explained)?;
    faults::can_be_shown(&bare, &info).map_err(|error| vec![error])?;
    if form == Form::Density {
        // The formula as it is, without a logarithm.
        let given = formula.density(numbers, Form::LogDensity).map_err(in_formula)?;
        faults::never_negative(&given, &info).map_err(|error| vec![error])?;
    }
    Ok(Target::plane(Arc::new(Written {
        info,
        sampler: sampler.map(Arc::new),
        origin: Some(Arc::new(origin)),
        ..bare
    })))
}

/// The number of coordinates with a support of their own, from the first: a density that is the same at every point is one there.
fn bounded(settings: &Settings) -> Option<usize> {
    let has_ends = |key| settings.group(key).is_some_and(|group| group.kind.name != "everywhere");
    ["support_x", "support_y"].into_iter().rposition(has_ends).map(|last| last + 1)
}

/// The error of a formula with nothing to draw along.
fn without_coordinates(formula: &Formula) -> ParamError {
    let problem = "neither x nor y is in the formula";
    let other = formula.parameters().find(|name| Formula::hint(name).is_some());
    let other = other.map(|name| format!("; {name} is a parameter")).unwrap_or_default();
    ParamError::new(
        "density",
        problem,
        format!("a formula with x, or with x and y{other}; or a support between two ends"),
    )
}

/// The support that the settings name.
fn support(settings: &Settings, dimension: usize) -> Result<Support, Vec<ParamError>> {
    let mut support = Support::everywhere();
    for (axis, key) in ["support_x", "support_y"].into_iter().enumerate() {
        let Some(group) = settings.group(key).filter(|group| group.kind.name != "everywhere") else { continue };
        if axis == dimension {
            let problem = "y is not in the formula, so it has no support";
            return Err(vec![ParamError::new(key, problem, "kind = \"everywhere\", or a formula with y")]);
        }
        support.min[axis] = group.number("min");
        if group.kind.param("max").is_some() {
            support.max[axis] = group.number("max");
            if support.max[axis] <= support.min[axis] {
                let problem = "the ends of the support are not in order";
                return Err(vec![ParamError::new(format!("{key}.max"), problem, "a number above min")]);
            }
        }
    }
    Ok(support)
}

/// A written density.
#[derive(Clone, Debug)]
struct Written {
    density: Evaluator,
    /// The log densities of the data, if there are any.
    rows: Option<Arc<Rows>>,
    info: TargetInfo,
    /// `None` where draws would be rejected too often, and where the support has a boundary.
    sampler: Option<Arc<CellSampler>>,
    /// `None` until it was surveyed.
    origin: Option<Arc<cells::Origin>>,
}

/// A coordinate further out is taken for this one, so that powers of it are numbers.
const FARTHEST: f64 = 1e75;

impl Written {
    /// A gradient. Where a density has a value and no slope, as at the tip of a cone, or is too small for a number, the slope
    /// counts as 0; also beyond [`FARTHEST`].
    #[inline]
    fn slopes(&self, at: Point, gradient: [f64; 2]) -> Point {
        let gradient = Point::from(gradient);
        let counts = |at: Point| self.density.value(near(at).x, near(at).y) < f64::INFINITY || at.amax() > FARTHEST;
        if gradient.sum().is_nan() && counts(at) { gradient.map(number) } else { gradient }
    }

    /// Log densities of z at many points, −∞ where there is none.
    fn heights(&self, coordinates: &Coordinates, points: &[Point]) -> Vec<f64> {
        let theta: Vec<Point> = points.iter().map(|z| coordinates.to_theta(*z)).collect();
        let [x, y] = [0, 1].map(|axis| theta.iter().map(|at| clamped(at[axis])).collect::<Vec<f64>>());
        let mut values = vec![0.0; points.len()];
        self.density.values(Simd::widest(), &x, &y, &mut values);
        // Farther out no density is evaluated: its logarithm may still be near, and stretches grow with it.
        let is_beyond = |at: &Point| !coordinates.is_identity() && at.amax() > FARTHEST;
        let height = |(value, (z, at)): (f64, (&Point, &Point))| {
            let height = value + coordinates.log_slope(*z);
            if height < f64::INFINITY && !is_beyond(at) { height } else { f64::NEG_INFINITY }
        };
        values.into_iter().zip(points.iter().zip(&theta)).map(height).collect()
    }
}

/// A number, or 0 for NaN.
fn number(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value }
}

/// A point with coordinates of which powers are numbers.
fn near(at: Point) -> Point {
    at.map(clamped)
}

/// A coordinate of which powers are numbers; NaN stays NaN.
fn clamped(x: f64) -> f64 {
    x.clamp(-FARTHEST, FARTHEST)
}

impl Density for Written {
    fn info(&self) -> &TargetInfo {
        &self.info
    }

    fn log_density(&self, at: Point) -> f64 {
        let at = if self.info.dimension == 1 { Point::new(at.x, 0.0) } else { at };
        if !self.info.support.contains(at) {
            return f64::NEG_INFINITY;
        }
        let at = near(at);
        let value = self.density.value(at.x, at.y);
        if value < f64::INFINITY { value } else { f64::NEG_INFINITY }
    }

    fn gradient(&self, at: Point) -> Point {
        self.slopes(at, self.density.gradient(near(at).x, near(at).y).map(saturated))
    }

    fn hessian(&self, at: Point) -> Matrix {
        let at = near(at);
        let [xx, xy, yy] = self.density.hessian(at.x, at.y).map(saturated);
        let hessian = Matrix::new(xx, xy, xy, yy);
        if hessian.sum().is_nan() && self.log_density(at).is_finite() { hessian.map(number) } else { hessian }
    }

    fn gradients(&self, simd: Simd, x: &[f64], y: &[f64], gx: &mut [f64], gy: &mut [f64]) {
        let (mut near_x, mut near_y) = ([0.0; AT_ONCE], [0.0; AT_ONCE]);
        let chunks = x.chunks(AT_ONCE).zip(y.chunks(AT_ONCE));
        for ((x, y), (gx, gy)) in chunks.zip(gx.chunks_mut(AT_ONCE).zip(gy.chunks_mut(AT_ONCE))) {
            let [near_x, near_y] = [(&mut near_x, x), (&mut near_y, y)].map(|(near, given)| {
                let near = &mut near[..given.len()];
                near.iter_mut().zip(given).for_each(|(near, given)| *near = clamped(*given));
                &*near
            });
            self.density.gradients(simd, near_x, near_y, gx, gy);
            gx.iter_mut().chain(&mut *gy).for_each(|slope| *slope = saturated(*slope));
            let unknown = |any, (x, y): (&f64, &f64)| any | (x + y).is_nan();
            if gx.iter().zip(&*gy).fold(false, unknown) {
                for i in 0..x.len() {
                    let gradient = self.slopes(Point::new(x[i], y[i]), [gx[i], gy[i]]);
                    (gx[i], gy[i]) = (gradient.x, gradient.y);
                }
            }
        }
    }

    fn exact_draw(&self, stream: &mut Stream) -> Option<Point> {
        Some(self.sampler.as_ref()?.draw(stream, |at| self.log_density(at)))
    }

    fn cells_by_lines(&self, x: &[f64], y: &[f64]) -> Option<Vec<f64>> {
        let rows = if self.info.dimension == 1 { 1 } else { y.len() - 1 };
        let unknown = || vec![f64::NAN; (x.len() - 1) * rows];
        Some(self.origin.as_ref()?.cells(self, x, y).unwrap_or_else(unknown))
    }

    fn data(&self) -> Option<&dyn Data> {
        self.rows.is_some().then_some(self)
    }

    fn is_searched(&self) -> bool {
        true
    }

    fn narrows(&self) -> bool {
        true
    }
}
