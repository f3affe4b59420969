//! Tests of the coordinates of chains: logits, logarithms and folding.

use std::sync::Arc;

use proptest::prelude::{Strategy, any, prop_assert, prop_oneof, proptest};

use super::super::{Boundary, Coordinates, sampling_density};
use super::{counts, logit, target};
use base::math::{Point, Purpose, Stream};
use base::params::Value;

fn coin(boundary: &'static str) -> Arc<dyn super::Density> {
    target("beta-posterior", &[("boundary", Value::Choice(boundary))])
}

fn finite() -> impl Strategy<Value = f64> {
    let any_finite = any::<f64>().prop_filter("finite", |z| z.is_finite());
    prop_oneof![any_finite, -5.0..5.0, (-3..4_i32).prop_map(f64::from)]
}

#[test]
fn only_logits_are_wrapped() {
    for boundary in ["reflect", "none"] {
        let target = coin(boundary);
        assert!(Arc::ptr_eq(&target, &sampling_density(&target)), "{boundary}");
        let coordinates = Coordinates::of(target.info());
        let at = Point::new(1.75, -3.0);
        assert_eq!((coordinates.to_theta(at), coordinates.from_theta(at)), (at, at));
    }
    let wrapped = sampling_density(&coin("logit"));
    assert_eq!(wrapped.info().boundary, Boundary::Open);
    assert!(Arc::ptr_eq(&wrapped, &sampling_density(&wrapped)));
}

/// The z of a cut maps back to θ; the slope is the derivative of θ, by differences over 2·10⁻⁵, whose error is of the
/// order 10⁻¹⁰.
#[test]
fn cuts_and_slopes_are_those_of_theta() {
    let step = Point::new(1e-5, 1e-5);
    for (kind, boundary) in [("beta-pair", "logit"), ("normal-gamma", "log"), ("normal-gamma", "reflect")] {
        let target = target(kind, &[("boundary", Value::Choice(boundary))]);
        let coordinates = Coordinates::of(target.info());
        for z in [Point::new(0.3, 0.7), Point::new(-2.0, 1.5), Point::new(3.5, 0.1)] {
            let theta = coordinates.to_theta(z);
            let difference = (coordinates.to_theta(z + step) - coordinates.to_theta(z - step)) / 2e-5;
            let slope = (difference.x * difference.y).ln();
            assert!((coordinates.log_slope(z) - slope).abs() < 1e-7, "{kind}, {boundary}: {z}");
            for axis in 0..2 {
                assert!((coordinates.cut(axis, theta[axis]) - z[axis]).abs() < 1e-12, "{kind}, {boundary}: {z}");
            }
        }
    }
    let logit = Coordinates::of(coin("logit").info());
    let ends = [-1.0, 0.0, 1.0, 1.5].map(|theta| logit.cut(0, theta));
    assert_eq!(ends.map(f64::is_sign_positive), [false, false, true, true]);
    assert!(ends.iter().all(|cut| cut.is_infinite()));
    let half_line = Coordinates::open(target("normal-gamma", &[]).info());
    assert!(half_line.cut(1, -2.0) == f64::NEG_INFINITY && half_line.cut(1, f64::INFINITY) == f64::INFINITY);
    assert!((half_line.cut(0, -2.0) + 2.0).abs() <= 0.0);
}

#[test]
fn folding_reflects_at_both_ends() {
    let coordinates = Coordinates::of(coin("reflect").info());
    for (z, theta) in [(0.25, 0.25), (-0.25, 0.25), (1.25, 0.75), (2.25, 0.25), (-1.25, 0.75), (7.5, 0.5)] {
        assert_eq!(coordinates.fold(Point::new(z, 9.0)), Point::new(theta, 9.0), "{z}");
    }
    let mut half = coin("reflect").info().clone();
    half.support.max.x = f64::INFINITY;
    for (z, theta) in [(0.25, 0.25), (-7.5, 7.5), (3.0, 3.0)] {
        assert_eq!(Coordinates::of(&half).fold(Point::new(z, 0.0)), Point::new(theta, 0.0), "{z}");
    }
    assert!(Coordinates::of(&half).fold(Point::zeros()).x > 0.0);
    let open = Coordinates::of(coin("none").info());
    assert_eq!(open.fold(Point::new(-0.25, 1.0)), Point::new(-0.25, 1.0));
    assert!(coordinates.fold(Point::new(f64::NAN, 0.0)).x.is_nan());
}

/// Ways in multiples of 2⁻²⁰, up to 2⁵⁰ widths, against whole numbers: a position that moves and is folded keeps all its digits.
#[test]
fn ways_of_many_widths_lose_no_digits() {
    const UNIT: i128 = 1 << 20;
    let coordinates = Coordinates::of(coin("reflect").info());
    let mut stream = Stream::derive(9, Purpose::Data, 0, 0);
    let mut integer = |bits: u32| (stream.uniform() * 2f64.powi(bits as i32)) as i128;
    for number in 0..20_000 {
        let start = 1 + integer(20).min(UNIT - 2);
        // At most 53 bits, so that the way is known exactly.
        let way = (integer(1 + number % 53) * if number % 2 == 0 { 1 } else { -1 }) << (number % 18);
        let round = (start + way).rem_euclid(2 * UNIT);
        let expected = (if round > UNIT { 2 * UNIT - round } else { round }) as f64 / UNIT as f64;
        let moved = start as f64 / UNIT as f64 + coordinates.shortened(0, way as f64 / UNIT as f64);
        let found = coordinates.fold(Point::new(moved, 0.0)).x;
        assert!((found - expected).abs() < 1e-12, "{start} + {way}: {found} for {expected}");
    }
    assert_eq!((coordinates.side(0), coordinates.side(1)), (1.0, f64::INFINITY));
    assert_eq!(coordinates.shortened(1, 1e30).to_bits(), 1e30_f64.to_bits(), "nothing reflects there");
    assert!(coordinates.shortened(0, f64::NAN).is_nan() && coordinates.shortened(0, f64::INFINITY).is_infinite());
    assert_eq!(coordinates.shortened(0, -1.9).to_bits(), (-1.9f64).to_bits(), "short ways stay");
}

#[test]
fn a_half_line_is_folded_at_its_one_end() {
    let target = target("normal-gamma", &[]);
    let coordinates = Coordinates::of(target.info());
    assert!(coordinates.is_identity());
    for (z, theta) in [([-3.0, 0.5], [-3.0, 0.5]), ([2.0, -0.75], [2.0, 0.75]), ([0.0, 1e9], [0.0, 1e9])] {
        assert_eq!(coordinates.fold(Point::from(z)), Point::from(theta));
    }
    assert!(coordinates.fold(Point::zeros()).y > 0.0);
}

#[test]
fn far_out_the_density_of_a_logarithm_continues_as_a_line() {
    let wrapped = sampling_density(&target("normal-gamma", &[("boundary", Value::Choice("log"))]));
    // At μ = m the density of z = ln τ is e^(6.5 z) exp(−b eᶻ): the shape of the marginal distribution, and ½ for the
    // width of μ.
    let mean = wrapped.info().mean.x;
    let slope = |z: f64| wrapped.gradient(Point::new(mean, z)).y;
    for z in [-1e300, -650.0, -40.0] {
        assert!((slope(z) - 6.5).abs() < 1e-9, "{} at {z}", slope(z));
    }
    let at = |z: f64| wrapped.log_density(Point::new(mean, z));
    assert!((at(-900.0) - at(-700.0) + 200.0 * 6.5).abs() < 1e-6);
    // Above, the density vanishes as fast as exp(−b eᶻ), and is still no NaN.
    assert!(slope(10.0) < -8e4 && slope(1e300).is_finite());
    assert!(at(1e300) < -1e260);
}

#[test]
fn far_out_the_logit_density_continues_as_a_line() {
    let wrapped = sampling_density(&logit([5.0, 5.0], 50.0, 100.0));
    let slope = |z: f64| wrapped.gradient(Point::new(z, 0.0)).x;
    // The density of z is eᴬᶻ/(1 + eᶻ)ᴬ⁺ᴮ with A = B = 55.
    for (z, expected) in [(-1e300, 55.0), (-800.0, 55.0), (-40.0, 55.0), (0.0, 0.0), (40.0, -55.0), (1e300, -55.0)] {
        assert!((slope(z) - expected).abs() < 1e-9, "{} at {z}", slope(z));
    }
    let at = |z: f64| wrapped.log_density(Point::new(z, 0.0));
    assert!((at(100.0) - at(50.0) + 50.0 * 55.0).abs() < 1e-6);
}

proptest! {
    #[test]
    fn folded_points_are_inside_and_stay(z in finite()) {
        let target = coin("reflect");
        let coordinates = Coordinates::of(target.info());
        let once = coordinates.fold(Point::new(z, 0.0));
        prop_assert!(target.info().support.contains(once), "{z} folded to {}", once.x);
        prop_assert!(coordinates.fold(once) == once);
        prop_assert!(target.gradient(once).x.is_finite());
    }

    #[test]
    fn logits_lead_inside_and_back(z in finite()) {
        let target = coin("logit");
        let coordinates = Coordinates::of(target.info());
        let theta = coordinates.to_theta(Point::new(z, 0.5));
        prop_assert!(target.info().support.contains(theta), "{z} leads to {}", theta.x);
        prop_assert!(target.gradient(theta).x.is_finite());
        if z.abs() < 10.0 {
            // 1 − θ has a relative error of 2⁻⁵³ e^z, which the logit turns into an absolute one.
            let back = coordinates.from_theta(theta);
            prop_assert!((back.x - z).abs() <= 4.0 * f64::EPSILON * (1.0 + z.abs() + z.exp()), "{z} to {}", back.x);
            prop_assert!(back.y.to_bits() == 0.5_f64.to_bits());
        }
    }
}

proptest! {
    #[test]
    fn logarithms_lead_inside_and_back(z in finite()) {
        let target = target("normal-gamma", &[("boundary", Value::Choice("log"))]);
        let coordinates = Coordinates::of(target.info());
        let theta = coordinates.to_theta(Point::new(0.5, z));
        prop_assert!(target.info().support.contains(theta), "{z} leads to {}", theta.y);
        prop_assert!(target.gradient(theta).iter().all(|slope| slope.is_finite()));
        if z.abs() < 600.0 {
            // eᶻ has a relative error of a few roundings, which the logarithm makes an absolute one.
            let back = coordinates.from_theta(theta);
            prop_assert!((back.y - z).abs() <= 4.0 * f64::EPSILON * (1.0 + z.abs()), "{z} to {}", back.y);
            prop_assert!(back.x.to_bits() == 0.5_f64.to_bits());
        }
    }
}

#[test]
fn a_skewed_coin_keeps_its_normaliser() {
    let target = target("beta-posterior", &[("data", counts(3.0, 90.0)), ("boundary", Value::Choice("logit"))]);
    let wrapped = sampling_density(&target);
    assert_eq!(wrapped.info().log_normaliser.to_bits(), target.info().log_normaliser.to_bits());
    assert_eq!(wrapped.data().unwrap().len(), 90);
    // E logit θ = ψ(A) − ψ(B) and Var = ψ′(A) + ψ′(B): with A = 8, B = 92, sums of 1/k and 1/k².
    let difference: f64 = (8..92).map(|k| -1.0 / f64::from(k)).sum();
    let trigamma =
        |from: u32| std::f64::consts::PI.powi(2) / 6.0 - (1..from).map(|k| f64::from(k).powi(-2)).sum::<f64>();
    assert!((wrapped.info().mean.x - difference).abs() < 1e-10);
    assert!((wrapped.info().covariance.m11 - trigamma(8) - trigamma(92)).abs() < 1e-10);
}
