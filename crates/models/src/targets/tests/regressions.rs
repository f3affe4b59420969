//! Logistic and linear regression: figures that were computed elsewhere, data in files, and what is wrong with those.

use std::fs;
use std::sync::Arc;

use super::super::{Density, Folder, Projection, Target, TargetInfo, build, idle_parameters};
use super::gallery::assert_moments;
use super::{group, settings, target};
use base::math::{Matrix, Point};
use base::params::{ParamError, Value};

const LOGISTIC: &str = "logistic-regression";
const LINEAR: &str = "linear-regression";

/// Eight people; sick is separable by no single column, and by both together.
const PEOPLE: &str =
    "age,weight,sick\n30,60,no\n45,80,yes\n50,72,no\n62,90,yes\n38,65,no\n55,58,yes\n41,77,no\n67,70,yes\n";

fn text(value: &str) -> Value {
    Value::Text(value.to_owned())
}

fn number(value: f64) -> Value {
    Value::Number(value)
}

fn generated(values: &[(&str, Value)]) -> (&'static str, Value) {
    ("data", group(LOGISTIC, "data", "generated", values))
}

/// Logistic regressions far from the default.
pub(super) fn cases() -> Vec<(&'static str, Arc<dyn Density>)> {
    let slopes = ("coefficients", Value::Choice("two-slopes"));
    vec![
        ("logistic, two slopes", target(LOGISTIC, &[generated(&[slopes.clone(), ("n", number(40.0))])])),
        ("logistic, one datum", target(LOGISTIC, &[generated(&[("n", number(1.0))])])),
        ("logistic, many data", target(LOGISTIC, &[generated(&[("n", number(600.0)), ("seed", number(4.0))])])),
        (
            "logistic, separable",
            target(LOGISTIC, &[generated(&[slopes, ("n", number(6.0)), ("truth", Value::Pair([30.0, -80.0]))])]),
        ),
        ("logistic, narrow prior", target(LOGISTIC, &[("prior_sd", Value::Pair([0.5, 0.02]))])),
    ]
}

/// Two words in the place of 0 and 1 are reported with the parameter that names the one for 1; a word for a missing value, and a third word, not.
#[test]
fn words_in_the_place_of_labels_lead_to_the_parameter_that_names_one() {
    let hints = |content: &str| {
        let errors = read(LOGISTIC, content, &[("response", text("y")), ("predictors", text("x"))], &[]).unwrap_err();
        errors.iter().map(|error| error.allowed.clone()).collect::<Vec<_>>()
    };
    let hint = "0 or 1 on every line, or the word that counts as 1: one = \"well\" or one = \"ill\"";
    assert_eq!(hints("x,y\n1,well\n2,ill\n3,well\n"), [hint]);
    assert_eq!(hints(&format!("x,y\n{}9,ill\n", "1,well\n".repeat(9))), [hint], "the second word comes late");
    assert_eq!(hints("x,y\n1,0\n2,sick\n"), ["0 or 1 on every line, or the word that counts as 1: one = \"sick\""]);
    let left_out = "0 or 1 on every line, or missing = \"leave-out\", which leaves such rows out";
    assert_eq!(hints("x,y\n1,0\n2,NA\n"), [left_out]);
    assert_eq!(hints("x,y\n1,a\n2,b\n3,c\n"), ["0 or 1 on every line"]);
}

/// Builds a regression from a file `data.csv` with this content.
fn read(
    kind: &str,
    content: &str,
    data: &[(&str, Value)],
    rest: &[(&str, Value)],
) -> Result<Arc<Target>, Vec<ParamError>> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("data.csv"), content).unwrap();
    let data: Vec<_> = std::iter::once(("path", text("data.csv"))).chain(data.iter().cloned()).collect();
    let values: Vec<_> =
        std::iter::once(("data", group(kind, "data", "csv", &data))).chain(rest.iter().cloned()).collect();
    build(&settings(kind, &values), folder.path())
}

fn sick(predictors: &str) -> Vec<(&'static str, Value)> {
    vec![("response", text("sick")), ("predictors", text(predictors)), ("one", text("yes"))]
}

/// Figures by Gauss–Legendre quadrature on 90 × 90 panels, which agree with those on 60 × 60 to 10⁻¹².
#[test]
fn the_bioassay() {
    let target = target(LOGISTIC, &[]);
    let mean = Point::new(1.215_299_490_433, 10.897_910_508_988);
    assert_moments(
        target.as_ref(),
        -10.227_240_907_194,
        mean,
        [1.103_020_990_208, 3.481_717_936_897, 27.364_877_725_118],
    );
    let TargetInfo { modes, .. } = target.info();
    assert_eq!(modes.len(), 1);
    assert!((modes[0].at - Point::new(0.797_887_81, 7.450_969_45)).amax() < 1e-8, "{}", modes[0].at);
    let laplace = Matrix::new(0.966_218_64, 3.125_986_58, 3.125_986_58, 20.864_333_96);
    assert!((modes[0].covariance - laplace).amax() < 1e-7, "{}", modes[0].covariance);
    // Σ ln P(y) by hand: at β = 0 every animal dies with probability ½.
    let prior = -(10.0 * 25.0 * std::f64::consts::TAU).ln();
    assert!((target.log_density(Point::zeros()) - prior - 20.0 * 0.5_f64.ln()).abs() < 1e-12);
    assert_eq!(target.axis_labels(), ["β₀ (intercept)", "β₁ (log dose)"]);
    assert_eq!(target.info().axes, ["β₀", "β₁"]);
}

/// The same quadrature for data in a file.
#[test]
fn logistic_regression_of_a_file() {
    let one = read(LOGISTIC, PEOPLE, &sick("age"), &[]).unwrap();
    let mean = Point::new(0.353_784_900_403, 5.543_034_796_849);
    assert_moments(
        one.density().unwrap().as_ref(),
        -6.955_433_233_251,
        mean,
        [2.332_683_936_912, 0.943_127_519_258, 10.477_051_396_588],
    );
    assert_eq!(one.axis_labels(), ["β₀ (intercept)", "β₁ (age, standardised)"]);
    let wide = [("prior_sd", Value::Pair([10.0, 10.0]))];
    let two = read(LOGISTIC, PEOPLE, &sick(" age ,weight"), &wide).unwrap();
    assert_eq!(read(LOGISTIC, PEOPLE, &sick("age, 2"), &wide).unwrap().info(), two.info());
    let mean = Point::new(7.054_333_140_929, 2.010_505_248_674);
    assert_moments(
        two.density().unwrap().as_ref(),
        -5.482_537_908_201,
        mean,
        [17.754_377_092_401, 6.093_646_476_962, 4.580_498_660_017],
    );
    assert_eq!(two.axis_labels(), ["β₁ (age, standardised)", "β₂ (weight, standardised)"]);
    assert_eq!(two.data_count(), Some(8));
    let mut raw = sick("age, weight");
    raw.push(("standardise", Value::Flag(false)));
    let raw = read(LOGISTIC, PEOPLE, &raw, &[("prior_sd", Value::Pair([1.0, 1.0]))]).unwrap();
    let mean = Point::new(0.264_047_790_331, -0.167_997_152_705);
    assert_moments(
        raw.density().unwrap().as_ref(),
        -10.114_438_352_962,
        mean,
        [0.025_186_092_489, -0.015_754_794_378, 0.010_076_613_846],
    );
    assert_eq!(raw.axis_labels(), ["β₁ (age)", "β₂ (weight)"]);
    // Zeros and ones without a header, by numbers.
    let numbers = [("response", text("2")), ("predictors", text("1"))];
    let plain = read(LOGISTIC, "0.5,0\n1.5,1\n2.5,1.0\n", &numbers, &[]).unwrap();
    assert_eq!(plain.axis_labels()[1], "β₁ (column 1, standardised)");
}

/// Estimates from single data have the full gradient as their mean, and the same bits as the sum over a batch.
#[test]
fn minibatches_are_unbiased() {
    for (name, target) in cases() {
        let data = target.data().unwrap();
        for at in [Point::new(0.4, -1.5), Point::new(-3.0, 2.0)] {
            let count = data.len() as f64;
            let estimate = |index: usize| data.prior_gradient(at) + data.datum_gradient(at, index) * count;
            let mean = (0..data.len()).map(estimate).sum::<Point>() / count;
            let full = target.gradient(at);
            assert!((mean - full).amax() <= 1e-12 * (1.0 + count), "{name}: {mean} {full}");
        }
    }
}

/// Evidence, mean and covariance by the density of a multivariate normal and by matrices, with numpy.
#[test]
fn linear_regression_of_a_file() {
    let content = PEOPLE.replace("no", "0").replace("yes", "1");
    let columns = |predictors: &str| vec![("response", text("weight")), ("predictors", text(predictors))];
    let sds = |noise: f64, prior: f64| [("noise_sd", number(noise)), ("prior_sd", number(prior))];
    let both = read(LINEAR, &content, &columns("age, sick"), &sds(0.5, 1.0)).unwrap();
    let precise = 0.030_303_030_303_030_3;
    let mean = Point::new(0.0, 0.310_488_985_917);
    assert_moments(both.density().unwrap().as_ref(), -20.535_702_869_485, mean, [precise, 0.0, 0.064_253_943_3]);
    assert_eq!(both.axis_labels(), ["β₀ (intercept)", "β₁ (age, standardised)"]);
    assert_eq!((both.dimension(), both.data_count()), (3, Some(8)));
    let mut chosen = columns("age, sick");
    chosen.extend([("shown_x", text("sick")), ("shown_y", text("0"))]);
    let chosen = read(LINEAR, &content, &chosen, &sds(0.5, 1.0)).unwrap();
    assert_eq!(chosen.info().axes, ["β₂", "β₀"]);
    assert_eq!(chosen.projection(), &Projection::Coordinates([2, 0]));
    assert!((chosen.info().mean - Point::new(0.064_489_483_740, 0.0)).amax() < 1e-9);
    let mut raw = columns("age");
    raw.push(("standardise", Value::Flag(false)));
    let raw = read(LINEAR, &content, &raw, &sds(10.0, 100.0)).unwrap();
    let mean = Point::new(54.895_944_742_599, 0.340_936_810_855);
    assert_moments(
        raw.density().unwrap().as_ref(),
        -38.553_474_730_234,
        mean,
        [223.204_985, -4.350_185_39, 0.089_806_662_4],
    );
    assert_eq!(raw.axis_labels(), ["β₀ (intercept)", "β₁ (age)"]);
    let mut slopes = columns("age, sick");
    slopes.push(("intercept", Value::Flag(false)));
    let slopes = read(LINEAR, &content, &slopes, &sds(0.5, 1.0)).unwrap();
    assert_eq!((slopes.dimension(), slopes.info().axes), (2, ["β₁", "β₂"]));
}

/// Parameters of generated data are hidden where data come from a file.
#[test]
fn data_of_a_file_have_no_use_for_what_generates_data() {
    let made = settings(LINEAR, &[]);
    assert_eq!(idle_parameters(&made), [""; 0]);
    let read = settings(LINEAR, &[("data", group(LINEAR, "data", "csv", &[("path", text("data.csv"))]))]);
    assert_eq!(idle_parameters(&read).len(), 6);
    assert!(idle_parameters(&read).iter().all(|key| read.kind.param(key).is_some()));
    assert_eq!(idle_parameters(&settings(LOGISTIC, &[])), [""; 0]);
}

#[test]
fn an_arm_and_an_outcome_of_a_file() {
    let arms = "arm,sold\nA,1\nB,1\nA,0\nB,0\nB,1\nA,0\n";
    let columns = |b: &str| vec![("arm", text("arm")), ("outcome", text("sold")), ("arm_b", text(b))];
    let tested = read("beta-pair", arms, &columns("B"), &[]).unwrap();
    let counts = [("ones_a", number(1.0)), ("n_a", number(3.0)), ("ones_b", number(2.0)), ("n_b", number(3.0))];
    let counted = target("beta-pair", &[("data", group("beta-pair", "data", "counts", &counts))]);
    assert_eq!(tested.info(), counted.info());
    let swapped = read("beta-pair", arms, &columns("A"), &[]).unwrap();
    assert_eq!(swapped.info().mean, Point::new(counted.info().mean.y, counted.info().mean.x));
    for (content, b, problem) in [
        (arms, "C", "\"B\" is a third word beside \"A\""),
        ("arm,sold\nA,1\nA,0\n", "C", "no row of data.csv is of arm \"C\""),
        ("arm,sold\nB,1\nB,0\n", "B", "every row of data.csv is of arm B"),
        ("arm,sold\nB,1\nA,x\n", "B", "data.csv, line 3, column \"sold\": \"x\" is not a number"),
    ] {
        let errors = read("beta-pair", content, &columns(b), &[]).map(|_| ()).unwrap_err();
        assert!(errors[0].problem.contains(problem), "{errors:?}");
    }
}

#[test]
fn tables_that_cannot_be_read() {
    let logistic = |content: &str, response: &str, predictors: &str, one: &str| {
        let data = [("response", text(response)), ("predictors", text(predictors)), ("one", text(one))];
        read(LOGISTIC, content, &data, &[]).map(|_| ()).unwrap_err()
    };
    let table = "x,y,z,c\n1,0,3,7\n2,1,1,7\n";
    let long = format!("x,y\n{}", "1,1\n2,0\n".repeat(50_001));
    let cases: [(&str, &str, &str, &str, &str, &str); 16] = [
        (table, "w", "x", "1", "data.response", "data.csv has no column \"w\""),
        (table, "y", "x, w", "1", "data.predictors", "data.csv has no column \"w\""),
        (table, "y", "", "1", "data.predictors", "no column is named"),
        (table, "y", "x,,z", "1", "data.predictors", "a name is missing before or behind a comma"),
        (table, "y", "x,z,c", "1", "data.predictors", "3 predictors are too many"),
        (table, "y", "x,y", "1", "data.predictors", "column 2 (\"y\") of data.csv is the response"),
        (table, "y", "x, x", "1", "data.predictors", "column 1 (\"x\") of data.csv is named twice"),
        (table, "y", "c", "1", "data.predictors", "data.csv: \"c\" is 7 on every line"),
        (table, "z", "x", "1", "data.path", "data.csv, line 2, column \"z\": 3 is not allowed"),
        (table, "y", "x", " ", "data.one", "no word is named"),
        (table, "c", "x", "8", "data.one", "no response is \"8\""),
        (
            "x,y\n1,yes\n2,no\n3,maybe\n",
            "y",
            "x",
            "yes",
            "data.path",
            "line 4, column \"y\": \"maybe\" is a third word beside \"no\"",
        ),
        ("x,y\n1,yes\n2,NA\n", "y", "x", "yes", "data.path", "line 3, column \"y\": \"NA\" stands for a missing value"),
        ("x,y\n1,1\n,0\n", "y", "x", "1", "data.path", "data.csv, line 3, column \"x\": the cell is empty"),
        ("x,y\n1,1\nfour,0\n", "y", "x", "1", "data.path", "data.csv, line 3, column \"x\": \"four\" is not a number"),
        (&long, "y", "x", "1", "data.path", "100002 data are too many"),
    ];
    for (content, response, predictors, one, path, problem) in cases {
        let errors = logistic(content, response, predictors, one);
        assert_eq!((errors.len(), errors[0].path.as_str()), (1, path), "{errors:?}");
        assert!(errors[0].problem.contains(problem) && !errors[0].allowed.is_empty(), "{problem}: {errors:?}");
    }
    let linear = |predictors: &str, more: &[(&'static str, Value)]| {
        let mut data = vec![("response", text("z")), ("predictors", text(predictors))];
        data.extend(more.iter().cloned());
        read(LINEAR, table, &data, &[]).map(|_| ()).unwrap_err()
    };
    for (errors, path, problem) in [
        (linear("x", &[("intercept", Value::Flag(false))]), "data.predictors", "one predictor without intercept"),
        (linear("x", &[("shown_x", text("c"))]), "data.shown_x", "there is no coefficient \"c\""),
        (linear("x", &[("shown_x", text("x")), ("shown_y", text("1"))]), "data.shown_y", "the same coefficient"),
        (linear("x", &[("shown_y", text("2"))]), "data.shown_y", "there is no coefficient \"2\""),
    ] {
        assert_eq!((errors.len(), errors[0].path.as_str()), (1, path), "{errors:?}");
        assert!(errors[0].problem.contains(problem) && !errors[0].allowed.is_empty(), "{problem}: {errors:?}");
    }
}

/// Wherever a table was read, its columns can be chosen from: also where a name in the scenario is wrong.
#[test]
fn a_folder_knows_the_columns_of_the_last_table() {
    let files = tempfile::tempdir().unwrap();
    for (content, names) in [
        (PEOPLE, &["age", "weight", "sick"][..]),
        ("1,2,0\n3,4,1\n", &["1", "2", "3"]),
        ("a,b,a,7,,c\n1,1,1,1,1,1\n", &["b", "c"]),
    ] {
        fs::write(files.path().join("data.csv"), content).unwrap();
        let folder = Folder::from(files.path());
        assert_eq!(folder.columns("data.csv"), None);
        let data = [("path", text("data.csv")), ("response", text("nothing"))];
        let settings = settings(LOGISTIC, &[("data", group(LOGISTIC, "data", "csv", &data))]);
        assert!(build(&settings, &folder).is_err());
        assert_eq!(folder.columns("data.csv").unwrap().iter().collect::<Vec<_>>(), names);
        assert_eq!(folder.columns("other.csv"), None);
    }
}
