//! Random densities as formulas against independent integrals: `tests/data/densities.txt`, which `tests/densities.py` writes.
//!
//! No truth that counts as known is wrong, and at least 98 % are known. A truth is wrong if log Z is off by more than 10⁻⁴, a tenth of the
//! last digit that the window shows of it; a mean by more than a thousandth of a standard deviation, or a covariance by more than a
//! thousandth of the variances, which is what 10⁶ independent draws can tell. `DENSITIES=all cargo test --test it densities -- --nocapture`
//! takes all of them and counts by the names of components; `DENSITIES=7` every seventh.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::prelude::*;
use sampler_lab::diagnostics::Truth;
use sampler_lab::params::{Settings, Value, find_kind};
use sampler_lab::targets::{TARGETS, build};

/// Of so many densities one is taken, unless `DENSITIES` says otherwise.
const EVERY: usize = 49;

/// So many of a hundred are known at least.
const KNOWN: usize = 98;

/// Error of log Z at most.
const LOG_ERROR: f64 = 1e-4;

/// Errors of means and covariances at most, in standard deviations and variances.
const MOMENT_ERROR: f64 = 1e-3;

/// Rounding of a number of the file, which has seven digits: far from 0 it is more than a thousandth of a standard deviation.
const ROUNDING: f64 = 5e-7;

/// What became of a density.
#[derive(Clone, Debug, PartialEq)]
enum Outcome {
    /// Known with its moments, and right.
    Known,
    /// Known, but without moments that exist.
    WithoutMoments,
    /// Made, and said not to be known.
    NotKnown,
    /// Refused, with this reason.
    Refused(String),
    /// Said to be known, and off by so much.
    Wrong(String),
}

/// A line of the file.
struct Case<'a> {
    components: &'a str,
    form: &'a str,
    formula: &'a str,
    /// log Z, mean, and the upper half of the covariance.
    exact: Vec<f64>,
}

fn case(line: &str) -> Case<'_> {
    let [components, form, formula, exact] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
    Case { components, form, formula, exact: exact.split(' ').map(|number| number.parse().unwrap()).collect() }
}

fn outcome(case: &Case<'_>) -> Outcome {
    let mut settings = Settings::defaults(find_kind(&TARGETS, "formula").unwrap());
    let form = ["log-density", "density", "energy"].into_iter().find(|form| *form == case.form).unwrap();
    settings.set("density", Value::Text(case.formula.replace(';', "\n"))).unwrap();
    settings.set("form", Value::Choice(form)).unwrap();
    settings.set("parameters", Value::Named(Vec::new())).unwrap();
    let target = match build(&settings, Path::new(".")) {
        Ok(target) => target,
        Err(errors) => return Outcome::Refused(errors[0].problem.clone()),
    };
    if !Truth::of(&target).is_known() {
        return Outcome::NotKnown;
    }
    let info = target.info();
    let (mean, covariance) = (info.mean, info.covariance);
    let line = case.exact.len() == 3;
    let found = if line {
        vec![info.log_normaliser, mean.x, covariance.m11]
    } else {
        vec![info.log_normaliser, mean.x, mean.y, covariance.m11, covariance.m12, covariance.m22]
    };
    let sds = if line { vec![case.exact[2].sqrt()] } else { vec![case.exact[3].sqrt(), case.exact[5].sqrt()] };
    let mut units = vec![1.0];
    units.extend(&sds);
    units.extend(
        (0..sds.len()).flat_map(|row| (row..sds.len()).map(move |column| (row, column))).map(|(i, j)| sds[i] * sds[j]),
    );
    let error = |((found, exact), unit): ((&f64, &f64), &f64)| {
        let off = (found - exact).abs();
        if off <= ROUNDING * exact.abs() { 0.0 } else { off / unit }
    };
    let errors: Vec<f64> = found.iter().zip(&case.exact).zip(&units).map(error).collect();
    let most = |number: usize| if number == 0 { LOG_ERROR } else { MOMENT_ERROR };
    if errors[0].is_nan() {
        Outcome::NotKnown
    } else if errors.iter().enumerate().any(|(number, error)| *error > most(number)) {
        Outcome::Wrong(format!("errors {errors:.6?}, found {found:?}, exact {:?}", case.exact))
    } else if errors.iter().any(|error| error.is_nan()) {
        Outcome::WithoutMoments
    } else {
        Outcome::Known
    }
}

#[test]
fn random_densities_are_known_and_right() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/densities.txt");
    let text = std::fs::read_to_string(file).unwrap();
    let every = match std::env::var("DENSITIES").as_deref() {
        Ok("all") => 1,
        Ok(number) => number.parse().unwrap(),
        Err(_) => EVERY,
    };
    let cases: Vec<(usize, Case<'_>)> = text.lines().map(case).enumerate().step_by(every).collect();
    let outcomes: Vec<Outcome> = cases.par_iter().map(|(_, case)| outcome(case)).collect();
    let mut counts: BTreeMap<&str, [usize; 5]> = BTreeMap::new();
    let mut wrong = Vec::new();
    for ((number, case), outcome) in cases.iter().zip(&outcomes) {
        let index = match outcome {
            Outcome::Known => 0,
            Outcome::WithoutMoments => 1,
            Outcome::NotKnown => 2,
            Outcome::Refused(_) => 3,
            Outcome::Wrong(_) => 4,
        };
        for name in case.components.split('+').chain(["all"]) {
            counts.entry(name).or_default()[index] += 1;
        }
        if *outcome != Outcome::Known {
            println!("{}: {} {}\n    {}\n    {outcome:?}", number + 1, case.components, case.form, case.formula);
        }
        if matches!(outcome, Outcome::Wrong(_)) {
            wrong.push(number + 1);
        }
    }
    println!("{:10} known, without moments, not known, refused, wrong", "");
    for (name, counts) in &counts {
        println!("{name:10} {counts:?}");
    }
    assert!(wrong.is_empty(), "lines with a wrong truth: {wrong:?}");
    let [known, without, ..] = counts["all"];
    println!("{} of {} are known", known + without, cases.len());
    assert!(100 * (known + without) >= KNOWN * cases.len(), "too few are known");
}
