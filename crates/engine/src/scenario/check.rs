//! Checks of combinations: parts of a run that do not fit together although each parameter is allowed by itself.

use super::{Collect, Start, TargetSpan};
use base::math::{Purpose, Stream};
use base::params::ParamError;
use models::targets::{Space, Support, Target};
use samplers::methods::TopicStart;

/// A run must have draws to collect.
pub(super) fn collection(collect: Collect, steps: u64) -> Option<ParamError> {
    let Collect { burn_in, thin, .. } = collect;
    let left = steps.saturating_sub(burn_in);
    if left == 0 {
        let problem = format!("a burn-in of {burn_in} leaves no draws of a run of {steps} steps");
        return Some(ParamError::new("collect.burn_in", problem, format!("below {steps}")));
    }
    (thin > left).then(|| {
        let problem = format!("thinning to every {thin}th draw leaves none of {left} draws");
        ParamError::new("collect.thin", problem, format!("from 1 to {left}"))
    })
}

/// A target that follows others must have as many dimensions; the path is relative to it.
pub(super) fn dimension(span: &TargetSpan, dimension: usize) -> Option<ParamError> {
    let own = span.target.dimension();
    if let Some(why) = &span.target.family().no_positions {
        return Some(ParamError::new("kind", why.follows, "another target, or a run from step 0"));
    }
    (own != dimension).then(|| {
        let problem =
            format!("a target of dimension {own} cannot follow one of dimension {dimension} while runs are under way");
        ParamError::new("kind", problem, format!("a target of dimension {dimension}"))
    })
}

/// There must not be more than `most` entries under `key`.
pub(super) fn number(key: &str, found: usize, most: usize) -> Option<ParamError> {
    (found > most).then(|| ParamError::new(key, format!("there are {found} {key}s"), format!("at most {most}")))
}

/// Chains must start where the density is positive.
pub(super) fn start(start: Start, target: Option<&Target>) -> Vec<ParamError> {
    let mut errors = Vec::new();
    if let Start::Uniform { low, high } = start
        && low >= high
    {
        errors.push(ParamError::new("start.high", format!("{high} is not above low = {low}"), format!("above {low}")));
        return errors;
    }
    let Some(target) = target else { return errors };
    if let Some(error) = topics(start, target) {
        errors.push(error);
        return errors;
    }
    let info = target.info();
    match start {
        Start::Point(point) => {
            let keys = ["start.x", "start.y"];
            errors.extend((0..info.dimension).filter_map(|axis| outside(&info.support, axis, keys[axis], point[axis])));
        }
        Start::Uniform { low, high } => errors.extend(square(&info.support, info.dimension, low, high)),
        Start::Target => {
            let mut stream = Stream::derive(0, Purpose::Truth, 0, 0);
            if target.density().and_then(|density| density.exact_draw(&mut stream)).is_none() {
                let problem = "this target has no exact draws";
                errors.push(ParamError::new("start", problem, "kind = \"point\", \"uniform\" or \"prior\""));
            }
        }
        Start::Modes | Start::Prior | Start::Topics(_) => {}
    }
    errors
}

/// Topics have starts of their own.
fn topics(start: Start, target: &Target) -> Option<ParamError> {
    let (problem, allowed) = match (start, target.space()) {
        (Start::Topics(_), Space::Plane(_) | Space::Vectors(_)) => {
            ("the target has no topics to start at", "kind = \"point\", \"uniform\" or \"prior\"")
        }
        (Start::Topics(TopicStart::Truth), Space::Topics(model)) if model.whole_truth().is_none() => {
            let problem = "the true topics are not known, or there are not as many of them";
            (problem, "kind = \"random\" or \"formula\"")
        }
        (Start::Topics(_), Space::Topics(_)) | (_, Space::Plane(_) | Space::Vectors(_)) => return None,
        (_, Space::Topics(_)) => {
            ("topics do not start at points of the plane", "kind = \"random\", \"formula\" or \"truth\"")
        }
    };
    Some(ParamError::new("start", problem, allowed))
}

/// The error of a coordinate outside the support.
fn outside(support: &Support, axis: usize, key: &str, value: f64) -> Option<ParamError> {
    let (min, max) = (support.min[axis], support.max[axis]);
    (value <= min || value >= max).then(|| {
        let problem = format!("{value} is outside the support of the target");
        ParamError::new(key, problem, between(min, max))
    })
}

/// The error of a square that reaches outside the support.
fn square(support: &Support, dimension: usize, low: f64, high: f64) -> Option<ParamError> {
    let min = (0..dimension).map(|axis| support.min[axis]).fold(f64::NEG_INFINITY, f64::max);
    let max = (0..dimension).map(|axis| support.max[axis]).fold(f64::INFINITY, f64::min);
    (low < min || high > max).then(|| {
        let problem = format!("the range from {low} to {high} reaches outside the support of the target");
        ParamError::new("start", problem, format!("low and high {}", between(min, max)))
    })
}

fn between(min: f64, max: f64) -> String {
    match (min.is_finite(), max.is_finite()) {
        (true, true) => format!("between {min} and {max}"),
        (true, false) => format!("above {min}"),
        (false, true) => format!("below {max}"),
        (false, false) => "any finite number".to_owned(),
    }
}
