//! Eight schools against references by quadrature in Python (posteriordb's model), both parametrisations, groups of a file.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::targets::tests::{group, settings};
use crate::targets::{Minibatches, Sureness, Target, build};
use base::math::{Coords, Purpose, Simd, Stream};
use base::params::{ParamError, Value};

const KIND: &str = "hierarchical-normal";
const WAYS: [&str; 2] = ["centred", "non-centred"];

fn schools(parametrisation: &'static str, more: &[(&str, Value)]) -> Arc<Target> {
    let mut values = vec![
        ("parametrisation", Value::Choice(parametrisation)),
        ("mu", group(KIND, "mu", "normal", &[("mean", Value::Number(0.0)), ("sd", Value::Number(5.0))])),
        ("tau", group(KIND, "tau", "half-cauchy", &[("scale", Value::Number(5.0))])),
    ];
    values.extend(more.iter().cloned());
    build(&settings(KIND, &values), Path::new("")).unwrap()
}

#[test]
fn eight_schools_have_one_posterior_in_both_parametrisations() {
    let means = [6.211_88, 4.940_18, 3.927, 4.757_1, 3.615_48, 4.042_61, 6.296_72, 4.854_25];
    let sds = [5.593_13, 4.674_27, 5.262_62, 4.780_3, 4.657_45, 4.826_87, 5.077_85, 5.290_8];
    for way in WAYS {
        let target = schools(way, &[]);
        let known = target.known_quantities().unwrap();
        let number = |name: &str| known.names().iter().position(|known| known == name).unwrap();
        let mut expected = vec![
            ("mu".to_owned(), [4.396_82, 3.317_7]),
            ("tau".to_owned(), [3.597_71, 3.219_96]),
            ("log_tau".to_owned(), [0.802_139_210_8, 1.171_226_466]),
        ];
        for (school, (mean, sd)) in "ABCDEFGH".chars().zip(means.into_iter().zip(sds)) {
            expected.push((format!("theta[{school}]"), [mean, sd]));
        }
        for (name, [mean, sd]) in expected {
            let [found_mean, found_sd] = known.moments(number(&name));
            assert!(
                (found_mean - mean).abs() < 6e-6 && (found_sd - sd).abs() < 6e-6,
                "{way} {name}: {found_mean} {found_sd}"
            );
        }
        let tau = number("tau");
        for (probability, value) in [(0.05, 0.246_39), (0.5, 2.748_73), (0.95, 9.841_95)] {
            assert!((known.quantile(tau, probability) - value).abs() < 6e-6);
        }
        for (value, probability) in [(0.1, 0.020_31), (0.5, 0.101_15), (1.0, 0.199_9)] {
            assert!((known.below(tau, value) - probability).abs() < 6e-6);
        }
        assert!((known.log_normaliser() + 31.311_347).abs() < 6e-7, "{}", known.log_normaliser());
        assert!(known.is_proper() && known.sureness() == Sureness::Exact);
        assert_eq!(target.dimension(), 10);
    }
}

/// The same density in two coordinates: θ = μ + τ z, with the volume τ⁸.
#[test]
fn parametrisations_are_one_density() {
    let [centred, standardised] = WAYS.map(|way| schools(way, &[]));
    let (mu, t) = (2.0, 0.7_f64);
    let z = [0.5, -0.3, 1.0, 0.0, -1.2, 0.4, 0.9, -0.1];
    let theta = z.map(|z| mu + t.exp() * z);
    let log = |target: &Target, first: [f64; 8]| {
        let at: Vec<f64> = first.into_iter().chain([mu, t]).collect();
        let mut out = [0.0];
        let at = Coords::of(10, std::iter::once(&at[..]));
        target.model().unwrap().log_densities(Simd::widest(), &at, &mut Vec::new(), &mut out);
        out[0]
    };
    assert!((log(&centred, theta) + 8.0 * t - log(&standardised, z)).abs() < 1e-10);
    // By its terms.
    let normal = |x: f64, mean: f64, sd: f64| {
        -0.5 * ((x - mean) / sd).powi(2) - sd.ln() - 0.5 * (2.0 * std::f64::consts::PI).ln()
    };
    let data = super::SCHOOLS.iter().zip(theta).map(|((y, sd, _), theta)| normal(*y, theta, *sd)).sum::<f64>();
    let prior = theta.iter().map(|theta| normal(*theta, mu, t.exp())).sum::<f64>() + normal(mu, 0.0, 5.0);
    let tau = (2.0 / (std::f64::consts::PI * 5.0 * (1.0 + (t.exp() / 5.0).powi(2)))).ln() + t;
    assert!((log(&centred, theta) - data - prior - tau).abs() < 1e-10);
}

#[test]
fn a_vector_has_one_meaning_in_both_parametrisations() {
    let [centred, standardised] = WAYS.map(|way| schools(way, &[]));
    let [of_theta, of_z] = [&centred, &standardised].map(|target| target.model().unwrap());
    assert_ne!(of_theta.parametrisation(), of_z.parametrisation());
    let z = [0.5, -0.3, 1.0, 0.0, -1.2, 0.4, 0.9, -0.1, 2.0, 0.7];
    let mut at = z;
    of_z.to_meaning(&mut at);
    let means = at;
    of_theta.of_meaning(&mut at);
    let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
    assert!(same(&at, &means), "centred vectors are the means: {at:?}, {means:?}");
    assert!((at[1] - (2.0 - 0.3 * 0.7_f64.exp())).abs() < 1e-14 && same(&at[8..], &z[8..]), "{at:?}");
    of_theta.to_meaning(&mut at);
    of_z.of_meaning(&mut at);
    assert!(at.iter().zip(z).all(|(back, z)| (back - z).abs() < 1e-14), "{at:?}");
}

/// A scenario that draws θ of a group draws z of it in the other parametrisation.
#[test]
fn shown_coordinates_are_found_in_both_parametrisations() {
    for way in WAYS {
        for word in ["theta[A]", "z[A]"] {
            let target = schools(way, &[("shown_x", Value::Text(word.to_owned()))]);
            let symbol = if way == WAYS[0] { 'θ' } else { 'z' };
            assert!(target.info().axes[0].starts_with(symbol), "{way}, {word}: {}", target.info().axes[0]);
        }
    }
}

#[test]
fn derivatives_and_minibatches() {
    for way in WAYS {
        let target = schools(way, &[]);
        let model = target.model().unwrap();
        let point = [5.0, 4.0, -1.0, 2.0, 0.5, 1.0, 6.0, 3.0, 2.5, 0.8];
        let at = Coords::of(10, std::iter::once(&point[..]));
        let (mut memory, mut full, mut mean) = (Vec::new(), Coords::zeros(10, 1), [0.0; 10]);
        model.gradients(Simd::widest(), &at, &mut memory, &mut full);
        for row in 0..8_u32 {
            let mut one = Coords::zeros(10, 1);
            model.estimates(Simd::widest(), &at, Minibatches::new(&[row], 1, 1), &mut memory, &mut one);
            mean.iter_mut().zip(one.values()).for_each(|(mean, value)| *mean += value / 8.0);
        }
        assert!(mean.iter().zip(full.values()).all(|(a, b)| (a - b).abs() < 1e-10 * b.abs().max(1.0)), "{way}");
        let gradient = |point: &[f64]| {
            let mut out = Coords::zeros(10, 1);
            model.gradients(Simd::BASELINE, &Coords::of(10, std::iter::once(point)), &mut Vec::new(), &mut out);
            out.values().to_vec()
        };
        let log = |point: &[f64]| {
            let mut out = [0.0];
            model.log_densities(Simd::widest(), &Coords::of(10, std::iter::once(point)), &mut Vec::new(), &mut out);
            out[0]
        };
        let hessian = model.hessian(&point).unwrap();
        for axis in 0..10 {
            let moved = |by: f64| {
                let mut point = point;
                point[axis] += by;
                point
            };
            let slope = (log(&moved(1e-5)) - log(&moved(-1e-5))) / 2e-5;
            assert!((slope - full.values()[axis]).abs() < 1e-6 * slope.abs().max(1.0), "{way} {axis}");
            let (up, down) = (gradient(&moved(1e-5)), gradient(&moved(-1e-5)));
            for other in 0..10 {
                let bend = (up[other] - down[other]) / 2e-5;
                assert!((bend - hessian[(axis, other)]).abs() < 1e-5 * bend.abs().max(1.0), "{way} {axis} {other}");
            }
        }
    }
}

#[test]
fn exact_draws_have_the_moments() {
    for way in WAYS {
        let target = schools(way, &[]);
        let known = target.known_quantities().unwrap();
        let mut stream = Stream::derive(5, Purpose::Data, 0, 0);
        let (mut vector, mut all) = ([0.0; 10], vec![0.0; known.names().len()]);
        let (count, mut sums, mut squares) = (20_000, vec![0.0; all.len()], vec![0.0; all.len()]);
        for _ in 0..count {
            assert!(target.model().unwrap().exact_draw(&mut stream, &mut vector));
            known.values(&vector, &mut all);
            all.iter().enumerate().for_each(|(number, value)| {
                sums[number] += value / f64::from(count);
                squares[number] += value * value / f64::from(count);
            });
        }
        for (number, name) in known.names().iter().enumerate() {
            let [mean, sd] = known.moments(number);
            let error = sd / f64::from(count).sqrt();
            assert!((sums[number] - mean).abs() < 5.0 * error, "{way} {name}: {} {mean}", sums[number]);
            let found = (squares[number] - sums[number] * sums[number]).sqrt();
            assert!((found - sd).abs() < 8.0 * error, "{way} {name}: {found} {sd}");
        }
    }
}

fn in_file(content: &str, tau: &str, mu: &str) -> Result<Arc<Target>, Vec<ParamError>> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("data.csv"), content).unwrap();
    let text = |value: &str| Value::Text(value.to_owned());
    let columns = [("path", text("data.csv")), ("response", text("y")), ("sd", text("s")), ("group", text("g"))];
    let values = [
        ("data", group(KIND, "data", "csv", &columns)),
        ("tau", group(KIND, "tau", tau, &[])),
        ("mu", group(KIND, "mu", mu, &[])),
    ];
    build(&settings(KIND, &values), folder.path())
}

/// Rows of one group are as good as their weighted mean, but for a constant.
#[test]
fn groups_of_a_file() {
    let rows = "g,y,s\nred,1,1\nred,3,1\nblue,0.5,2\ngreen,4,0.5\ngreen,5,0.5\n";
    let means = format!("g,y,s\nred,2,{}\nblue,0.5,2\ngreen,4.5,{}\n", 0.5_f64.sqrt(), 0.125_f64.sqrt());
    let [rows, means] = [rows, means.as_str()].map(|content| in_file(content, "half-normal", "normal").unwrap());
    let [of_rows, of_means] = [&rows, &means].map(|target| target.known_quantities().unwrap());
    assert_eq!(of_rows.coordinates(), ["z[red]", "z[blue]", "z[green]", "mu", "log_tau"]);
    for number in 0..of_rows.names().len() {
        let ([a, b], [c, d]) = (of_rows.moments(number), of_means.moments(number));
        assert!((a - c).abs() < 1e-9 && (b - d).abs() < 1e-9, "{a} {c} {b} {d}");
    }
    assert_eq!((rows.data_count(), means.data_count()), (Some(5), Some(3)));
    assert!(of_rows.log_normaliser() < of_means.log_normaliser());
    for (content, tau, mu, path, problem) in [
        ("g,y,s\na,1,1\na,2,1\n", "half-normal", "normal", "data.group", "one group only"),
        ("g,y,s\na,1,1\nb,2,0\n", "half-normal", "normal", "data.sd", "0 in row 2 is no standard deviation"),
        ("g,y,s\na,1,1\nb,2,1\n", "flat", "flat", "tau", "too few groups"),
    ] {
        let errors = in_file(content, tau, mu).map(|_| ()).unwrap_err();
        assert!(errors[0].path == path && errors[0].problem.contains(problem), "{errors:?}");
    }
}

/// Groups of rows are as good as their means with the standard errors that a person would compute.
#[test]
fn rows_of_groups_count_with_their_means_and_standard_errors() {
    let rows = "g,y\nred,1\nblue,2\nred,3\nblue,4\nred,2\nblue,9\n";
    let of_rows = |kind: &str, content: &str| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("data.csv"), content).unwrap();
        let text = |value: &str| Value::Text(value.to_owned());
        let table = if kind == "csv-rows" { ("path", text("data.csv")) } else { ("text", text(content)) };
        let data = group(KIND, "data", kind, &[table, ("response", text("y")), ("group", text("g"))]);
        let values =
            [("data", data), ("tau", group(KIND, "tau", "half-normal", &[])), ("mu", group(KIND, "mu", "normal", &[]))];
        build(&settings(KIND, &values), folder.path())
    };
    // Variances 1 and 13 of three rows each.
    let means = format!("g,y,s\nred,2,{}\nblue,5,{}\n", (1.0_f64 / 3.0).sqrt(), (13.0_f64 / 3.0).sqrt());
    let expected = in_file(&means, "half-normal", "normal").unwrap();
    for kind in ["csv-rows", "inline-rows"] {
        let found = of_rows(kind, rows).unwrap();
        let [found, expected] = [&found, &expected].map(|target| target.known_quantities().unwrap());
        assert_eq!(found.names(), expected.names());
        for number in 0..found.names().len() {
            let ([a, b], [c, d]) = (found.moments(number), expected.moments(number));
            assert!((a - c).abs() < 1e-9 && (b - d).abs() < 1e-9, "{kind}: {a} {c} {b} {d}");
        }
    }
    for (content, path, problem) in [
        ("g,y\na,1\na,2\n", "data.group", "one group only"),
        ("g,y\na,1\na,2\nb,3\n", "data.group", "group \"b\" has one row"),
        ("g,y\na,1\na,2\nb,3\nb,3\n", "data.group", "group \"b\" has the same value"),
        ("g,y\na,1\na,x\nb,3\nb,4\n", "data.path", "\"x\""),
    ] {
        let errors = of_rows("csv-rows", content).map(|_| ()).unwrap_err();
        assert!(errors[0].path == path && errors[0].problem.contains(problem), "{errors:?}");
    }
}
