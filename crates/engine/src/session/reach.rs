//! Reach: how far out a chain may be before it counts as diverged.
//!
//! A chain has diverged when a coordinate is not a finite number, or when it is more than [`VIEWS`] times the longer side
//! of the target's view from the middle of the view, along either axis. Views show the density down to a small share of
//! its highest value, so no draw of any target is ever there: the heaviest tails are those of Neal's funnel, and with
//! its largest parameter a draw is that far out in fewer than one case of 10¹⁴. What is further out is steps that have
//! grown too large, whose numbers may stay finite for ever: a cubic gradient goes from 10 to 10³⁰⁰ in six steps.
//!
//! Each position is looked at, so that the step found does not depend on how steps are cut into chunks.

use base::math::elementary::Kernel;
use base::math::{Point, Simd};
use models::targets::{Coordinates, TargetInfo};

/// How many times the longer side of the view a chain may be from its middle. Chosen so that no draw is there.
const VIEWS: f64 = 1e6;

/// Largest coordinate of a chain whose θ is bounded: its square is a finite number.
const FARTHEST: f64 = 1e150;

/// The box in which a chain has not diverged, in its own coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    low: Point,
    high: Point,
}

impl Reach {
    /// The reach of chains in these coordinates, on a target.
    pub fn of(info: &TargetInfo, coordinates: &Coordinates) -> Self {
        let view = info.view;
        let (mut middle, sides) = ((view.min + view.max) / 2.0, view.max - view.min);
        if info.dimension == 1 {
            // There the view has a height of densities.
            middle.y = 0.0;
        }
        let far = VIEWS * if info.dimension == 1 { sides.x } else { sides.x.max(sides.y) };
        let end = |sign: f64| {
            let along = |axis: usize| coordinates.cut(axis, middle[axis] + sign * far).clamp(-FARTHEST, FARTHEST);
            Point::new(along(0), along(1))
        };
        Self { low: end(-1.0), high: end(1.0) }
    }

    /// Whether a chain there has not diverged.
    #[inline(always)]
    pub fn contains(&self, x: f64, y: f64) -> bool {
        (x >= self.low.x) & (x <= self.high.x) & (y >= self.low.y) & (y <= self.high.y)
    }

    /// Whether that is so of all positions.
    pub fn contains_all(&self, simd: Simd, x: &[f64], y: &[f64]) -> bool {
        simd.dispatch(All { reach: *self, x, y })
    }
}

/// Looks at all positions, without branches.
struct All<'a> {
    reach: Reach,
    x: &'a [f64],
    y: &'a [f64],
}

impl Kernel for All<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { reach, x, y } = self;
        let mut outside = 0;
        for (&x, &y) in x.iter().zip(y) {
            outside |= u64::from(!reach.contains(x, y));
        }
        outside == 0
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use base::math::{Purpose, Stream};
    use base::params::{Settings, Value};
    use models::targets::{self, TARGETS};

    fn reach_of(kind: &'static str, set: &[(&str, Value)]) -> (std::sync::Arc<targets::Target>, Reach) {
        let kind = base::params::find_kind(&TARGETS, kind).expect("a target");
        let mut settings = Settings::defaults(kind);
        for (key, value) in set {
            settings.set(key, value.clone()).expect("a value in range");
        }
        let target = targets::build(&settings, Path::new(".")).expect("a target");
        let reach = Reach::of(target.info(), &Coordinates::of(target.info()));
        (target, reach)
    }

    /// 10⁵ draws of each. The farthest of a funnel of sd 5 is some e^(5 · 4.3 / 2) = 5 · 10⁴ out, the limit 4 · 10⁸.
    #[test]
    fn no_exact_draw_is_ever_out_of_reach() {
        let wide = [("sd", Value::Number(5.0))];
        for kind in &TARGETS {
            let (target, reach) = reach_of(kind.name, if kind.name == "funnel" { &wide } else { &[] });
            let coordinates = Coordinates::of(target.info());
            let mut stream = Stream::derive(1, Purpose::Truth, 0, 0);
            for _ in 0..100_000 {
                let draw = target.density().and_then(|density| density.exact_draw(&mut stream));
                let Some(theta) = draw else { break };
                let at = coordinates.from_theta(theta);
                assert!(reach.contains(at.x, at.y), "{}: {theta}", kind.name);
            }
        }
    }

    #[test]
    fn what_is_no_number_or_absurdly_far_is_out_of_reach() {
        let (target, reach) = reach_of("gaussian-grid", &[]);
        let side = target.info().view.max.x - target.info().view.min.x;
        for (at, inside) in [(0.99e6 * side, true), (1.01e6 * side, false), (f64::INFINITY, false), (f64::NAN, false)] {
            for (x, y) in [(at, 0.0), (-at, 1.0), (0.0, at), (1.0, -at)] {
                assert_eq!(reach.contains(x, y), inside, "{x} {y}");
                assert_eq!(reach.contains_all(Simd::widest(), &[0.0, x, 1.0], &[0.0, y, 2.0]), inside);
            }
        }
    }

    /// τ > 0 as ln τ: from the logarithm of the farthest τ on, and not below, where τ is nearly 0.
    #[test]
    fn in_other_coordinates_the_limit_is_that_of_theta() {
        let (target, reach) = reach_of("normal-gamma", &[("boundary", Value::Choice("log"))]);
        let view = target.info().view;
        let far = VIEWS * (view.max - view.min).max();
        assert!(reach.contains(0.0, far.ln() - 0.01) && !reach.contains(0.0, far.ln() + 0.01));
        assert!(reach.contains(0.0, -1e6) && !reach.contains(0.0, -1e200));
    }
}
