//! Handles: points on the curve of a schedule that a person drags to change its parameters.
//!
//! A kind of schedule lists its handles in a table of [`HandleSpec`]: the parameter, its spot on the curve, and the value
//! that puts the handle at another spot. Spots are steps and α, whatever the convention of the numbers.

use super::{ENTRIES, alpha_per_unit, build};
use base::params::{ParamType, Settings, Value};

/// A schedule in its run.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// The settings of the schedule.
    pub settings: Settings,
    /// Steps of the run.
    pub steps: u64,
    /// Steps that other settings may have had: handles are on later steps.
    pub from: u64,
}

/// A point on the plot of a schedule: a step and α.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The step; it can lie between two.
    pub step: f64,
    /// The step size α.
    pub alpha: f64,
}

/// The directions in which a handle can be dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// Up and down: it changes step sizes.
    Up,
    /// Left and right: it changes steps.
    Along,
    /// Everywhere.
    Both,
}

/// The handles of one parameter.
#[derive(Clone, Copy, Debug)]
pub struct HandleSpec {
    /// The key of the parameter in the settings of the schedule.
    pub key: &'static str,
    /// What is written before its value, such as `α₀`.
    pub symbol: &'static str,
    /// How the handles can be dragged.
    pub moves: Moves,
    /// Number of handles: 1, or one for each knot.
    pub count: fn(&Course) -> usize,
    /// The spot of handle number `index`; `None` where it makes no sense.
    pub spot: fn(&Course, usize) -> Option<Spot>,
    /// The value of the parameter that puts handle number `index` as near to the spot as it can be.
    pub value: fn(&Course, usize, Spot) -> Option<Value>,
    /// The value with one handle more, for parameters that can have several.
    pub added: Option<fn(&Course, Spot) -> Option<Value>>,
    /// The value without handle number `index`, for parameters that can have several.
    pub removed: Option<fn(&Course, usize) -> Option<Value>>,
}

impl HandleSpec {
    /// The handle of a number.
    pub(super) const fn single(
        key: &'static str,
        symbol: &'static str,
        moves: Moves,
        spot: fn(&Course, usize) -> Option<Spot>,
        value: fn(&Course, usize, Spot) -> Option<Value>,
    ) -> Self {
        Self { key, symbol, moves, count: |_| 1, spot, value, added: None, removed: None }
    }
}

/// A handle at its spot.
#[derive(Clone, Copy, Debug)]
pub struct Handle {
    /// What it changes.
    pub spec: &'static HandleSpec,
    /// Its number among the handles of the same parameter.
    pub index: usize,
    /// Its spot.
    pub spot: Spot,
}

impl Course {
    /// The first step of the run that has these settings.
    pub(super) fn first(&self) -> f64 {
        (self.from + 1) as f64
    }

    /// The α of a step size 1 in the convention of the settings.
    pub(super) fn unit(&self) -> f64 {
        alpha_per_unit(&self.settings)
    }

    /// The α of the number under a key.
    pub(super) fn alpha(&self, key: &str) -> f64 {
        self.settings.number(key) * self.unit()
    }

    /// The number whose α is nearest to that of a spot, in three digits.
    pub(super) fn number(&self, alpha: f64) -> Option<Value> {
        (alpha > 0.0).then(|| Value::Number(three_digits(alpha / self.unit())))
    }

    /// All handles within the steps that have these settings; none if no schedule can be made of them.
    #[must_use]
    pub fn handles(&self) -> Vec<Handle> {
        let Some(entry) = ENTRIES.iter().find(|entry| entry.spec == *self.settings.kind) else { return Vec::new() };
        if build(&self.settings, self.steps).is_err() {
            return Vec::new();
        }
        let within = |spot: &Spot| {
            spot.step >= self.from as f64
                && spot.step <= self.steps as f64
                && spot.alpha > 0.0
                && spot.alpha.is_finite()
        };
        let of = |spec: &'static HandleSpec| {
            let spot = move |index| (spec.spot)(self, index).filter(within).map(|spot| Handle { spec, index, spot });
            (0..(spec.count)(self)).filter_map(spot)
        };
        entry.build.handles.iter().flat_map(of).collect()
    }

    /// The same course with another value of a parameter, if a schedule can be made of it.
    #[must_use]
    pub fn with(&self, key: &str, value: &Value) -> Option<Self> {
        let mut course = self.clone();
        course.settings.set(key, value.clone()).ok()?;
        build(&course.settings, course.steps).ok()?;
        Some(course)
    }

    /// The parameter that can have a handle more, and its value with a handle at a spot.
    #[must_use]
    pub fn added(&self, spot: Spot) -> Option<(&'static str, Value)> {
        let entry = ENTRIES.iter().find(|entry| entry.spec == *self.settings.kind)?;
        entry.build.handles.iter().find_map(|spec| Some((spec.key, spec.added?(self, spot)?)))
    }
}

impl Handle {
    /// The value that moves the handle as near to a spot as it can be; `None` if no value is legal there.
    #[must_use]
    pub fn moved(&self, course: &Course, to: Spot) -> Option<Value> {
        self.if_legal(course, (self.spec.value)(course, self.index, to)?)
    }

    /// The value so many small steps up (or down, if negative): a hundredth of a power of ten up to a tenth of the value,
    /// or 1 of whole numbers. Of a knot, the step size.
    #[must_use]
    pub fn nudged(&self, course: &Course, times: f64) -> Option<Value> {
        let Some(Value::Number(now)) = course.settings.get(self.spec.key) else {
            let alpha = nudge(self.spot.alpha, times, 0.0);
            return self.moved(course, Spot { alpha, ..self.spot });
        };
        let whole = matches!(course.settings.kind.param(self.spec.key)?.ty, ParamType::Integer { .. });
        let value = nudge(*now, times, if whole { 1.0 } else { 0.0 });
        self.if_legal(course, Value::Number(if whole { value.round() } else { value }))
    }

    /// The value after a move of so many hundredths of the run to the right; only of handles that go everywhere.
    #[must_use]
    pub fn shifted(&self, course: &Course, times: f64) -> Option<Value> {
        let stride = (course.steps as f64 / 100.0).max(1.0).round();
        let to = Spot { step: self.spot.step + times * stride, ..self.spot };
        if self.spec.moves == Moves::Both { self.moved(course, to) } else { None }
    }

    fn if_legal(&self, course: &Course, value: Value) -> Option<Value> {
        course.with(self.spec.key, &value).is_some().then_some(value)
    }

    /// The number that a handle shows: the parameter, or the step size of a knot.
    #[must_use]
    pub fn number(&self, course: &Course) -> f64 {
        match course.settings.get(self.spec.key) {
            Some(Value::Number(number)) => *number,
            _ => self.spot.alpha / course.unit(),
        }
    }
}

/// One unit of the second digit of `value` up or down, so many times, at least `least` at a time.
fn nudge(value: f64, times: f64, least: f64) -> f64 {
    let unit = if value > 0.0 { libm::pow(10.0, libm::floor(libm::log10(value)) - 1.0) } else { 0.01 };
    three_digits(value + times * unit.max(least))
}

/// A number rounded to three significant digits.
pub(super) fn three_digits(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests;
