//! Derivatives against differences, sums against what they stand for, and what is refused.

use super::*;
use base::math::{Purpose, Stream};

fn made(text: &str) -> InVectors {
    let formula = Formula::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    formula.in_vectors(&[], Form::LogDensity).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn value(density: &InVectors, at: &[f64]) -> f64 {
    let mut out = [0.0];
    density.values(Simd::widest(), at, &mut out);
    out[0]
}

fn gradient(density: &InVectors, at: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; at.len()];
    density.gradients(Simd::widest(), 1, at, &mut out);
    out
}

fn point(stream: &mut Stream, size: usize) -> Vec<f64> {
    (0..size).map(|_| 2.0 * stream.uniform() - 1.0).collect()
}

/// A number from 0 on, below `count`.
fn below(stream: &mut Stream, count: usize) -> usize {
    let share = stream.uniform() * count as f64;
    (1..count).take_while(|number| *number as f64 <= share).count()
}

/// A smooth expression that is a number everywhere, with parts within each other.
fn expression(stream: &mut Stream, d: usize, depth: usize) -> String {
    if depth == 0 {
        return match below(stream, 3) {
            0 => format!("{:.2}", 0.2 + stream.uniform()),
            _ => format!("x[{}]", 1 + below(stream, d)),
        };
    }
    let mut part = || expression(stream, d, depth - 1);
    let (a, b) = (part(), part());
    match below(stream, 14) {
        0 => format!("({a} + {b})"),
        1 => format!("({a} − {b})"),
        2 | 3 => format!("({a})*({b})"),
        4 => format!("({a})/(2 + ({b})²)"),
        5 => format!("exp(−({a})²)"),
        6 => format!("ln(1 + ({a})²)"),
        7 => format!("sqrt(1 + ({a})²)"),
        8 => format!("tanh({a})"),
        9 => format!("sin({a})"),
        10 => format!("logsumexp({a}, {b}, 0.3)"),
        11 => format!("normal_lpdf({a} | {b}, exp(sin({b})))"),
        12 => format!("if({a} > 1000, {a}, {b})"),
        _ => format!("erf({a})"),
    }
}

/// Central differences of random formulas: of values for the gradient, of gradients for the Hessian. Their errors are h² times a third
/// derivative, which is bounded by the differences with twice the distance.
#[test]
fn derivatives_are_those_of_differences() {
    let mut stream = Stream::derive(11, Purpose::Data, 0, 0);
    let step = 1e-4;
    let mut checked = 0;
    for number in 0..60 {
        let d = 2 + number % 9;
        let all: Vec<String> = (1..=d).map(|k| format!("− x[{k}]²/2")).collect();
        let text = format!("{} {}", expression(&mut stream, d, 4), all.concat());
        let density = made(&text);
        let at = point(&mut stream, d);
        let (slopes, bends) = (gradient(&density, &at), density.hessian(Simd::widest(), &at));
        for axis in 0..d {
            let moved = |far: f64| {
                let mut at = at.clone();
                at[axis] += far;
                at
            };
            let of_value = |h: f64| (value(&density, &moved(h)) - value(&density, &moved(-h))) / (2.0 * h);
            let (one, two) = (of_value(step), of_value(2.0 * step));
            let most = (one - two).abs() + 1e-8 * (1.0 + slopes[axis].abs() + value(&density, &at).abs());
            assert!((slopes[axis] - one).abs() <= most, "{text}: {axis} {} {one}", slopes[axis]);
            let ends = |h: f64| [gradient(&density, &moved(h)), gradient(&density, &moved(-h))];
            let ([up, down], [far_up, far_down]) = (ends(step), ends(2.0 * step));
            for row in 0..d {
                let one = (up[row] - down[row]) / (2.0 * step);
                let two = (far_up[row] - far_down[row]) / (4.0 * step);
                let most = (one - two).abs() + 1e-8 * (1.0 + one.abs() + slopes[row].abs());
                let found = bends[row * d + axis];
                assert!((found - one).abs() <= most, "{text}: {row} {axis} {found} {one}");
                checked += 1;
            }
        }
    }
    assert!(checked > 1000);
}

/// What stands on the side of a case that does not count has no slope there, and changes nothing.
#[test]
fn the_other_side_of_a_case_changes_no_slope() {
    let density = made("if(x[1] > 0, −sqrt(x[1]), x[1]) − x[2]²/2");
    assert_eq!(gradient(&density, &[-4.0, 1.0]), [1.0, -1.0]);
    assert_eq!(gradient(&density, &[4.0, 1.0]), [-0.25, -1.0]);
    let flat = density.hessian(Simd::widest(), &[-4.0, 1.0]);
    assert_eq!(flat, [0.0, 0.0, 0.0, -1.0]);
}

/// Points side by side have the bits of each alone, on all instruction sets.
#[test]
fn points_do_not_depend_on_each_other() {
    let density = made("d = 7\nlogsumexp(−sum(x[i]²)/2, −sum((x[i] − 2)²)) + sum(sin(x[i+1] x[i])) − mean(x[i−1])");
    let mut stream = Stream::derive(3, Purpose::Data, 0, 0);
    let count = 203;
    let all = point(&mut stream, 7 * count);
    let (mut values, mut slopes) = (vec![0.0; count], vec![0.0; 7 * count]);
    density.values(Simd::widest(), &all, &mut values);
    density.gradients(Simd::widest(), count, &all, &mut slopes);
    for index in 0..count {
        let one: Vec<f64> = (0..7).map(|axis| all[axis * count + index]).collect();
        assert_eq!(value(&density, &one).to_bits(), values[index].to_bits());
        for (axis, slope) in gradient(&density, &one).into_iter().enumerate() {
            assert_eq!(slope.to_bits(), slopes[axis * count + index].to_bits());
        }
    }
}

/// Sums over coordinates and their neighbours are what they stand for.
#[test]
fn sums_go_over_all_coordinates_that_are_there() {
    let at = [0.3, -0.7, 1.1, 0.2];
    for (text, spelt) in [
        ("d = 4\n−sum(x[i]²)", "−x[1]² − x[2]² − x[3]² − x[4]²"),
        ("−x[1]² − sum((x[i] − x[i−1])²) + 0x[4]", "−x[1]² − (x[2] − x[1])² − (x[3] − x[2])² − (x[4] − x[3])²"),
        ("−x[1]² − sum((x[ i + 1 ] − x[i])²) + 0x[4]", "−x[1]² − (x[2] − x[1])² − (x[3] − x[2])² − (x[4] − x[3])²"),
        ("d = 4; −sum(x[i]⁴) − sum((x[i+3] − 2x[k]²)²)", "−x[1]⁴ − x[2]⁴ − x[3]⁴ − x[4]⁴ − (x[4] − 2x[1]²)²"),
        (
            "d = 4\nm = mean(x[i])\n−sum((x[i] − m)²) − d m²",
            "m = (x[1] + x[2] + x[3] + x[4])/4\n−(x[1] − m)² − (x[2] − m)² − (x[3] − m)² − (x[4] − m)² − 4m²",
        ),
        (
            "q = x[i] − 1\nd = 4\n−dot(q, q x[i])",
            "−(x[1] − 1)² x[1] − (x[2] − 1)² x[2] − (x[3] − 1)² x[3] − (x[4] − 1)² x[4]",
        ),
    ] {
        let (sum, spelt_out) = (value(&made(text), &at), value(&made(spelt), &at));
        assert!((sum - spelt_out).abs() < 1e-14 * (1.0 + sum.abs()), "{text}: {sum} {spelt_out}");
    }
}

/// Rows of data with coordinates of their own, and columns called x, y and d.
#[test]
fn rows_of_data_have_coordinates_of_their_own() {
    let text = "sum(normal_lpdf(`x`[i] | x[1] + exp(x[2]) x[i+2], y[i])) − x[1]² − x[2]² − sum(x[i+2]²)";
    let formula = Formula::read(text).unwrap();
    assert_eq!(formula.columns().collect::<Vec<_>>(), ["x", "y"]);
    let formula = formula.with_data(vec![vec![1.0, 2.0, 3.0], vec![0.5, 1.5, 2.5]]);
    let density = formula.in_vectors(&[], Form::LogDensity).unwrap();
    assert_eq!(density.dimension(), 5);
    let at = [0.3, -0.2, 0.7, -1.1, 0.4];
    let normal =
        |v: f64, m: f64, s: f64| -0.5 * ((v - m) / s).powi(2) - s.ln() - 0.5 * (2.0 * std::f64::consts::PI).ln();
    let rows = [(1.0, 0.5), (2.0, 1.5), (3.0, 2.5)];
    let of_rows: f64 =
        rows.iter().zip(&at[2..]).map(|((v, s), z)| normal(*v, 0.3 + (-0.2_f64).exp() * z, *s) - z * z).sum();
    assert!((value(&density, &at) - (of_rows - 0.09 - 0.04)).abs() < 1e-12);
    let rows = formula.rows_in_vectors(&[], Form::LogDensity).unwrap().unwrap();
    let mut sum = vec![0.0; 5];
    rows.prior(&at, &mut sum);
    for row in 0..rows.count() {
        let mut own = [0.0; 5];
        rows.row(row, &at, &mut own);
        assert!(own[2..].iter().enumerate().all(|(k, slope)| (*slope != 0.0) == (k == row)), "{own:?}");
        sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
    }
    let whole = gradient(&density, &at);
    assert!(sum.iter().zip(&whole).all(|(sum, whole)| (sum - whole).abs() < 1e-12), "{sum:?} {whole:?}");
}

#[test]
fn lines_name_coordinates_and_report_numbers() {
    let density = made("mu = x[1]; tau = exp(x[2]); like = −sum(x[i]²); more = like + mu\nmore − tau − x[3]²");
    assert_eq!(density.names(), ["mu", "x[2]", "x[3]"]);
    assert_eq!(density.parts(), ["tau"]);
    let mut tau = [0.0];
    density.values_of_parts(&[1.0, 0.5, 2.0], &mut tau);
    assert!((tau[0] - 0.5_f64.exp()).abs() < 1e-15);
}

/// A gradient costs a few values, whatever the number of coordinates.
#[test]
fn a_gradient_costs_a_few_values() {
    let texts = [
        "d = 20\nsum(normal_lpdf(x[i] | 0, 1))",
        "d = 20\n−sum(100(x[i+1] − x[i]²)² + (1 − x[i])²)",
        "d = 20\nlogsumexp(−sum(x[i]²)/2, −sum((x[i] − 3)²)/2)",
        "d = 20\nr = sqrt(sum(x[i]²))\n−(r − 3)² − ln(r)",
    ];
    for text in texts {
        let [value, gradient, product] = made(text).instructions();
        assert!(gradient <= 4 * value && product <= 12 * value, "{text}: {value} {gradient} {product}");
    }
}

#[test]
fn faults_name_the_place_and_what_is_allowed() {
    for (text, at, words) in [
        ("x[0]² + x[1]", 0, ["there is no x[0]", "x[1] to x[100]"]),
        ("−x[1.5]²", 1, ["\"x[1.5]\" is no coordinate", "a whole number"]),
        ("−x[-1]²", 1, ["\"x[-1]\" is no coordinate", "a whole number"]),
        ("−x[1]² − x[3]²", 9, ["x[2] is not in the density", "every number from 1"]),
        ("d = 3\n−x[1]² − x[2]²", 0, ["x[3] is not in the density", "every number from 1"]),
        ("−x[1]² − x[2000]²", 9, ["at most 100 coordinates", "x[1] to x[100]"]),
        ("−x[1]² − x²", 9, ["x has no number", "x[1] in its place"]),
        ("−x[1]² − x[2]² − y²", 17, ["y has no number", "x[2] in its place"]),
        ("−x[1]²", 1, ["x[1] is the only coordinate", "x without a number"]),
        ("−x[1]² − x[i]", 9, ["another number for every i", "a sum, mean or dot"]),
        ("−sum((x[i+1] − x[i])²)", 6, ["not said how many", "d = 10"]),
        ("d = 2.5\n−sum(x[i]²)", 0, ["d = 2.5 is no number of coordinates", "from 2 to 100"]),
        ("d = 101\n−sum(x[i]²)", 0, ["d = 101", "from 2 to 100"]),
        ("d = 3\n−sum(x[i]²) − x[4]", 20, ["x[4] is beyond d = 3", "a larger d"]),
        ("−x[1]² − x[2]² − sum(x[i+5]²)", 17, ["the sum has no i", "more coordinates"]),
        ("−x[1]² − x[2]² − sum(3)", 17, ["nothing in this sum has an i", "x[i] to go over"]),
        ("−theta[1]² − x[1]", 1, ["\"theta[1]\" has no meaning", "theta = x[1]"]),
        ("−t[i+1]² − x[1]", 1, ["\"t[i+1]\" has no meaning", "t[i]"]),
        ("−x[1² − x[2]²", 2, ["not closed", "x[1], or x[i]"]),
    ] {
        let error = Formula::read(text).expect_err(text);
        assert!(error.at.start == at, "{text}: at {}, {error}", error.at.start);
        let said = format!("{} {}", error.problem, error.allowed);
        assert!(words.iter().all(|word| said.contains(word)), "{text}: {said}");
    }
    // Without numbers it is a column of data, as ever.
    let planar = Formula::read("−x² − sum(x[i] y²)").unwrap();
    assert!(!planar.is_in_vectors() && planar.columns().eq(["x"]));
    assert!(planar.in_vectors(&[], Form::LogDensity).is_err());
    assert!(Formula::read("−x[1]² − x[2]²").unwrap().density(&[], Form::LogDensity).is_err());
    let before = Formula::read("−x[1]² − x[2]² − sum(t[i] x[i−1])").unwrap_err();
    assert!(before.problem.contains("x[i-1] is x[0]"), "{before}");
    let many = Formula::read("−x[1]² − sum(t[i] x[i]²)").unwrap().with_data(vec![vec![1.0; 101]]);
    assert!(many.in_vectors(&[], Form::LogDensity).unwrap_err().problem.contains("in row 101"));
}
