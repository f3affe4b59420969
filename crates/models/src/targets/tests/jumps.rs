//! Formulas with jumps, against sums over a fine grid: what is called known is right.

use super::formula::written;
use super::try_build;
use base::math::{Purpose, Stream};

/// Points along a side of the grid.
const SIDE: usize = 1600;

/// Half its width.
const REACH: f64 = 16.0;

/// A log density by its values.
type Values = Box<dyn Fn(f64, f64) -> f64>;

/// A condition, as text and as a function.
type Condition = (String, Box<dyn Fn(f64, f64) -> bool>);

fn condition(stream: &mut Stream, deep: bool) -> Condition {
    let mut number = |low: f64, high: f64| (25.0 * (low + (high - low) * stream.uniform())).round() / 25.0;
    let (a, b, c) = (number(-2.0, 2.0), number(-2.0, 2.0), number(0.4, 3.0));
    match stream.below(if deep { 7 } else { 5 }) {
        0 => (format!("x > {a}"), Box::new(move |x, _| x > a)),
        1 => (format!("y <= {a}"), Box::new(move |_, y| y <= a)),
        2 => (format!("x + {c} y > {a}"), Box::new(move |x, y| x + c * y > a)),
        3 => (format!("(x − {a})^2 + (y − {b})^2 < {c}"), Box::new(move |x, y| (x - a).powi(2) + (y - b).powi(2) < c)),
        4 => (format!("{a} < x < {}", a + c), Box::new(move |x, _| a < x && x < a + c)),
        5 => {
            let ((one, is_one), (other, is_other)) = (condition(stream, false), condition(stream, false));
            (format!("{one} and {other}"), Box::new(move |x, y| is_one(x, y) && is_other(x, y)))
        }
        _ => {
            let ((one, is_one), (other, is_other)) = (condition(stream, false), condition(stream, false));
            (format!("{one} or {other}"), Box::new(move |x, y| is_one(x, y) || is_other(x, y)))
        }
    }
}

/// log Z and means of a log density by the midpoint rule. Ends along an axis are edges of cells.
fn by_grid(log_density: impl Fn(f64, f64) -> f64) -> [f64; 3] {
    let at = |index: usize| REACH * (2.0 * (index as f64 + 0.5) / SIDE as f64 - 1.0);
    let mut sums = [0.0; 3];
    for (x, y) in (0..SIDE).flat_map(|i| (0..SIDE).map(move |j| (at(i), at(j)))) {
        let p = log_density(x, y).exp();
        sums.iter_mut().zip([p, p * x, p * y]).for_each(|(sum, value)| *sum += value);
    }
    let cell = (2.0 * REACH / SIDE as f64).powi(2);
    [(sums[0] * cell).ln(), sums[1] / sums[0], sums[2] / sums[0]]
}

#[test]
fn what_is_known_of_jumps_is_right() {
    let mut known = 0;
    let count = 40;
    for seed in 0..count {
        let mut stream = Stream::derive(seed, Purpose::Data, 0, 0);
        let (text, holds) = condition(&mut stream, true);
        let height = (100.0 * (6.0 * stream.uniform() - 3.0)).round() / 100.0;
        let (wide, high) = (1.0 + f64::from(stream.below(2)), 1.0 + f64::from(stream.below(2)));
        let (then, other, value): (String, String, Values) = match stream.below(4) {
            0 => (height.to_string(), "0".to_owned(), Box::new(move |x, y| if holds(x, y) { height } else { 0.0 })),
            1 => (
                "0".to_owned(),
                "ln(0)".to_owned(),
                Box::new(move |x, y| if holds(x, y) { 0.0 } else { f64::NEG_INFINITY }),
            ),
            2 => ("0".to_owned(), "−500".to_owned(), Box::new(move |x, y| if holds(x, y) { 0.0 } else { -500.0 })),
            _ => {
                (format!("{height} x"), "y".to_owned(), Box::new(move |x, y| if holds(x, y) { height * x } else { y }))
            }
        };
        let text = format!("−x²/(2*{wide}²) − y²/(2*{high}²) + if({text}, {then}, {other})");
        let Ok(target) = try_build("formula", &written(&text, "log-density", &[])) else { continue };
        let info = target.info();
        let expected = by_grid(|x, y| -(x / wide).powi(2) / 2.0 - (y / high).powi(2) / 2.0 + value(x, y));
        if info.log_normaliser.is_finite() && info.unknown.is_none() {
            known += 1;
            let found = [info.log_normaliser, info.mean.x, info.mean.y];
            for (found, expected) in found.into_iter().zip(expected).filter(|(found, _)| found.is_finite()) {
                assert!((found - expected).abs() < 0.01, "{text}: {found}, not {expected}");
            }
        } else {
            println!("not known: {text}: {:?}", info.unknown);
        }
    }
    println!("{known} of {count} are known");
    assert!(known >= 20, "{known} of {count}");
}

/// Flat tops with ends inside of nowhere: areas in closed form.
#[test]
fn what_is_known_of_flat_tops_is_right() {
    use std::f64::consts::PI;
    for (text, area) in [
        ("if(x² + y² < 4, 0, ln(0))", 4.0 * PI),
        ("if(x² + y² < 4, 0, −1000)", 4.0 * PI),
        ("if(abs(x) < 1 and abs(y) < 1, 0, ln(0))", 4.0),
        ("if(0 < x < 3 and 0 < y < x, 0, ln(0))", 4.5),
        ("if(1 < x² + y² < 4, 0, ln(0))", 3.0 * PI),
        ("if(x² + y² < 4, if(x > 0, 1, 0), ln(0))", 2.0 * PI * (1.0 + std::f64::consts::E)),
    ] {
        let Ok(target) = try_build("formula", &written(text, "log-density", &[])) else { continue };
        let found = target.info().log_normaliser;
        println!("{text}: {found}, {:?}", target.info().unknown);
        assert!(!found.is_finite() || (found - area.ln()).abs() < 1e-5, "{text}: {found}, not {}", area.ln());
    }
}
