//! Rates of theorem 1 of R. Zhang et al. (2020), arXiv:1902.03932, beside the cells of a sweep.
//!
//! Over K steps of cyclical SGLD with first step size α₀ the bias of the mean of a smooth test function is O(1/(α₀K) + α₀), and its mean
//! squared error O(1/(α₀K) + α₀²). The theorem gives no constants. Here they are fitted: c₁/(α₀K) + c₂ α₀^p with c₁, c₂ ≥ 0 and the
//! smallest sum of squared relative deviations, Σ (c₁u/y + c₂v/y − 1)². With two unknowns the minimum is that of the normal equations, or
//! has one constant at 0.

use super::SweepPlan;
use samplers::methods::CYCLICAL_SGLD;

/// The path of α₀.
const INITIAL: &str = "step_size.initial";

/// The path of K.
const STEPS: &str = "steps";

/// A bound of the theorem with fitted constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// The constant of 1/(α₀K).
    pub short: f64,
    /// The constant of α₀^power.
    pub long: f64,
    /// 1 for the bias, 2 for the mean squared error.
    pub power: i32,
}

impl Rate {
    /// Fits the constants to values at (α₀, K); values that are not positive are left out. `None` with fewer than three values.
    #[must_use]
    pub fn fit(values: &[((f64, f64), f64)], power: i32) -> Option<Self> {
        let usable = |value: f64| value > 0.0 && value.is_finite();
        let rows: Vec<[f64; 2]> = values
            .iter()
            .filter(|((alpha, steps), value)| usable(*alpha) && usable(*steps) && usable(*value))
            .map(|((alpha, steps), value)| [1.0 / (alpha * steps * value), to(*alpha, power) / value])
            .collect();
        if rows.len() < 3 {
            return None;
        }
        let sum = |of: &dyn Fn(&[f64; 2]) -> f64| rows.iter().map(of).sum::<f64>();
        let [uu, uv, vv] = [sum(&|[u, _]| u * u), sum(&|[u, v]| u * v), sum(&|[_, v]| v * v)];
        let [u, v] = [sum(&|[u, _]| *u), sum(&|[_, v]| *v)];
        let determinant = uu * vv - uv * uv;
        let both = [(u * vv - v * uv) / determinant, (v * uu - u * uv) / determinant];
        // Rounding leaves something of a determinant of 0.
        let [short, long] = if determinant > 1e-12 * uu * vv && both.iter().all(|constant| *constant >= 0.0) {
            both
        } else {
            // A single constant c leaves n − (Σu)²/Σu² of the sum of squares.
            if u * u / uu >= v * v / vv { [u / uu, 0.0] } else { [0.0, v / vv] }
        };
        Some(Self { short, long, power })
    }

    /// The bound at a first step size and a number of steps.
    #[must_use]
    pub fn at(&self, (alpha, steps): (f64, f64)) -> f64 {
        self.short / (alpha * steps) + self.long * to(alpha, self.power)
    }

    /// Its form in words.
    #[must_use]
    pub fn form(&self) -> &'static str {
        if self.power == 1 { "c₁/(α₀K) + c₂α₀" } else { "c₁/(α₀K) + c₂α₀²" }
    }
}

fn to(alpha: f64, power: i32) -> f64 {
    if power == 1 { alpha } else { alpha * alpha }
}

/// The arguments (α₀, K) of the rate of a run along the one axis of a sweep, if the theorem speaks of that axis and of the run.
#[must_use]
pub fn rate_arguments(plan: &SweepPlan) -> Option<impl Fn(f64) -> (f64, f64) + use<>> {
    let [axis] = &plan.sweep().axes[..] else { return None };
    let run = plan.scenario().runs.iter().find(|run| run.name == plan.sweep().run)?;
    let along_steps = match axis.parameter.as_str() {
        INITIAL => false,
        STEPS => true,
        _ => return None,
    };
    if run.settings.kind.name != CYCLICAL_SGLD.name {
        return None;
    }
    let number = |path: &str| match run.settings.at(path) {
        Some(base::params::Value::Number(number)) => Some(*number),
        _ => None,
    };
    let (alpha, steps) = (number(INITIAL)?, number(STEPS)?);
    Some(move |value| if along_steps { (alpha, value) } else { (value, steps) })
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    fn values(of: impl Fn(f64, f64) -> f64) -> Vec<((f64, f64), f64)> {
        [0.01, 0.03, 0.1, 0.3].iter().map(|&alpha| ((alpha, 500.0), of(alpha, 500.0))).collect()
    }

    #[test]
    fn what_follows_a_rate_has_its_constants() {
        for power in [1, 2] {
            let exact = Rate { short: 7.0, long: 0.4, power };
            let found = Rate::fit(&values(|alpha, steps| exact.at((alpha, steps))), power).unwrap();
            assert_relative_eq!(found.short, 7.0, epsilon = 1e-10);
            assert_relative_eq!(found.long, 0.4, epsilon = 1e-10);
            assert_eq!(found.form().contains('²'), power == 2);
        }
    }

    /// y = α: with the rate of the mean squared error both constants are needed; y = α³ has no part that falls with α.
    #[test]
    fn no_constant_is_negative() {
        let steep = Rate::fit(&values(|alpha, _| alpha * alpha * alpha), 2).unwrap();
        assert!(steep.short.abs() < 1e-300 && steep.long > 0.0, "{steep:?}");
        // The best single constant of α² is Σ w / Σ w² of the weights w = α²/y = 1/α.
        let weights = [100.0, 100.0 / 3.0, 10.0, 10.0 / 3.0];
        let expected = weights.iter().sum::<f64>() / weights.iter().map(|w| w * w).sum::<f64>();
        assert_relative_eq!(steep.long, expected, epsilon = 1e-12);
        let falling = Rate::fit(&values(|alpha, steps| 1.0 / (alpha * alpha * steps)), 1).unwrap();
        assert!(falling.long.abs() < 1e-300 && falling.short > 0.0, "{falling:?}");
    }

    #[test]
    fn too_few_values_have_no_rate() {
        let two = &values(|alpha, _| alpha)[..2];
        assert_eq!(Rate::fit(two, 1), None);
        assert_eq!(Rate::fit(&values(|_, _| 0.0), 1), None);
    }
}
