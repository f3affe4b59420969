//! Paintings against closed forms.

use std::f64::consts::TAU;
use std::path::Path;
use std::sync::Arc;

use super::super::{Density, build, painting_alone};
use super::{points, settings, target};
use base::math::{Matrix, Point, Purpose, Stream};
use base::params::{Picture, Value};

fn picture(rows: &[&str]) -> Value {
    Value::Picture(Picture::read(rows.iter().copied()).unwrap())
}

fn painted(rows: &[&str], cell: f64, background: f64) -> Arc<dyn Density> {
    let number = Value::Number;
    target("painted", &[("picture", picture(rows)), ("cell", number(cell)), ("background", number(background))])
}

/// Pictures far from the default.
pub(super) fn cases() -> Vec<(&'static str, Arc<dyn Density>)> {
    vec![
        ("painted, wide", painted(&["9..zz", "..5..", "1.W.3", ".a..."], 0.7, 0.3)),
        ("painted speck", painted(&["k"], 1.0, 1e-3)),
        ("painted with nothing", painted(&["...", "..."], 0.5, 0.02)),
    ]
}

/// Half the width of the cells of a painting: all lines on which its third derivative jumps are among those so far apart.
pub(super) fn seam(name: &str) -> Option<f64> {
    match name {
        "painted" => Some(0.1),
        "painted, wide" => Some(0.35),
        "painted speck" => Some(0.5),
        "painted with nothing" => Some(0.25),
        _ => None,
    }
}

fn assert_near(what: &str, found: f64, exact: f64) {
    assert!((found - exact).abs() <= 1e-14 * (1.0 + exact.abs()), "{what}: {found}, exactly {exact}");
}

/// B(0) = 2/3, and the background has a standard deviation of 5/4 of a cell.
#[test]
fn a_speck_is_a_single_spline() {
    let speck = painted(&["3"], 2.0, 0.25);
    let (height, sd) = (0.75 * (4.0 / 9.0) / 4.0, 2.5_f64);
    assert_near("middle", speck.log_density(Point::zeros()), (height + 0.25 / (TAU * sd * sd)).ln());
    // B(1) = 1/6, B′(1) = −1/2.
    let beside = Point::new(2.0, 0.0);
    let veil = 0.25 / (TAU * sd * sd) * (-2.0 / (sd * sd)).exp();
    let value = 0.75 / 4.0 / 9.0 + veil;
    let slope = 0.75 / 4.0 * (-0.5 / 2.0) * (2.0 / 3.0) - veil * 2.0 / (sd * sd);
    assert_near("beside", speck.log_density(beside), value.ln());
    assert_near("slope", speck.gradient(beside).x, slope / value);
    let variance = 0.75 * 4.0 / 3.0 + 0.25 * sd * sd;
    assert_near("variance", speck.info().covariance.m11, variance);
    assert_eq!(speck.info().modes.len(), 1);
    assert!(speck.info().modes[0].at.norm() < 1e-12);
}

#[test]
fn without_paint_the_background_is_all_there_is() {
    let blank = painted(&["....", "...."], 0.5, 0.02);
    let info = blank.info();
    let sd = Point::new(1.0, 0.75);
    assert_near("variance", info.covariance.m22, 0.75 * 0.75);
    assert_eq!(info.modes.len(), 1);
    assert!((info.modes[0].covariance - Matrix::from_diagonal(&sd.component_mul(&sd))).amax() < 1e-12);
    let at = Point::new(0.3, -4.0);
    let exact = -0.5 * (0.3 * 0.3 + 256.0 / 9.0) - (TAU * 0.75).ln();
    assert_near("log density", blank.log_density(at), exact);
}

/// Splines with coefficients on a line add up to that line.
#[test]
fn an_even_rise_is_a_straight_line() {
    let rise = painted(&["123456789A"; 9], 1.0, 1e-6);
    let total = 9.0 * 55.0;
    for at in points(rise.as_ref(), base::math::Bounds::new((-2.5, 2.5), (-2.0, 2.0)), 50, 3) {
        let exact = (5.5 + at.x) / total;
        assert!((rise.log_density(at) - exact.ln()).abs() < 1e-5, "the background adds a hundred-thousandth");
        assert!((rise.gradient(at) - Point::new(1.0 / (5.5 + at.x), 0.0)).amax() < 1e-5);
    }
}

#[test]
fn the_first_row_is_the_upper_one() {
    let corner = painted(&["5.....", "......", "......", "......"], 0.5, 1e-6);
    let mean = corner.info().mean;
    assert!((mean - Point::new(-1.25, 0.75)).amax() < 1e-5, "{mean}");
    assert!((corner.info().start - mean).norm() < 1e-3, "chains start at the mode");
}

#[test]
fn far_out_only_the_background_is_there() {
    let face = target("painted", &[]);
    let variances = Point::new(4.4, 3.4).map(|half: f64| 0.25 * half * half);
    for at in [Point::new(1e3, -7.0), Point::new(-30.0, 1e8), Point::new(9.0, 9.0), Point::new(1e200, 0.0)] {
        let exact = -at.component_div(&variances);
        let (gradient, hessian) = (face.gradient(at), face.hessian(at));
        assert!((gradient - exact).amax() <= 1e-14 * exact.amax(), "{gradient} {exact}");
        assert!((hessian + Matrix::from_diagonal(&variances.map(f64::recip))).amax() < 1e-14);
    }
    let step = face.log_density(Point::new(101.0, 0.0)) - face.log_density(Point::new(100.0, 0.0));
    assert!((step + 100.5 / variances.x).abs() < 1e-10);
}

/// Outline, two eyes and a mouth; the face is the same on the left and on the right.
#[test]
fn the_face_has_four_modes() {
    let face = target("painted", &[]);
    let modes = &face.info().modes;
    assert_eq!(modes.len(), 4, "{modes:?}");
    let eyes: Vec<_> = modes.iter().filter(|mode| mode.at.y > 0.4 && mode.at.x.abs() < 1.5).collect();
    assert_eq!(eyes.len(), 2);
    assert!((eyes[0].at + Point::new(eyes[1].at.x, -eyes[1].at.y)).amax() < 1e-9);
    assert!(face.info().mean.x.abs() < 1e-14);
}

/// Along a line of uneven levels every second cell is a maximum; none of them stands out.
#[test]
fn unevenness_makes_no_modes() {
    let line = |row| painted(&["..............", row, ".............."], 0.5, 0.01).info().modes.len();
    assert_eq!(line(".xwxvxwxxwxvx."), 1);
    assert_eq!(line(".xwxv1111wxvx."), 2);
}

/// 20 000 draws; five standard errors of a mean, and of a variance with the fourth moment of a bounded density at most.
#[test]
fn draws_have_the_moments() {
    for (name, target) in cases().into_iter().chain([("face", target("painted", &[]))]) {
        let (info, n) = (target.info(), 20_000_i32);
        let mut stream = Stream::derive(11, Purpose::Truth, 0, 0);
        let draws: Vec<Point> = (0..n).filter_map(|_| target.exact_draw(&mut stream)).collect();
        let mean = draws.iter().sum::<Point>() / f64::from(n);
        for axis in 0..2 {
            let variance = info.covariance[(axis, axis)];
            let error = (variance / f64::from(n)).sqrt();
            assert!((mean[axis] - info.mean[axis]).abs() < 5.0 * error, "{name}: mean {mean}, exactly {}", info.mean);
            let squares: Vec<f64> = draws.iter().map(|draw| (draw[axis] - info.mean[axis]).powi(2)).collect();
            let found = squares.iter().sum::<f64>() / f64::from(n);
            let spread = squares.iter().map(|square| (square - found).powi(2)).sum::<f64>() / f64::from(n);
            let error = (spread / f64::from(n)).sqrt();
            assert!((found - variance).abs() < 5.0 * error, "{name}: variance {found}, exactly {variance}");
        }
    }
}

#[test]
fn a_sketch_is_the_same_density() {
    let face = settings("painted", &[("background", Value::Number(0.1))]);
    let (whole, sketch) = (build(&face, Path::new("")).unwrap(), painting_alone(&face));
    assert_eq!((sketch.info().view, sketch.info().modes.len()), (whole.info().view, 0));
    let (whole, sketch) = (whole.density().unwrap(), sketch.density().unwrap());
    for at in points(whole.as_ref(), whole.info().view, 50, 4) {
        assert_eq!(sketch.log_density(at).to_bits(), whole.log_density(at).to_bits());
    }
}
