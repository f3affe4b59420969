//! References of other programs (posteriordb: `data/LICENCE`), closed forms, derivatives, and what is refused.
//!
//! Means, standard deviations, quantiles and normalisers were computed by quadrature in Python, with ten digits.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::targets::tests::{group, settings};
use crate::targets::{Minibatches, Model, Sureness, TARGETS, Target, build};
use base::math::{Coords, Point, Purpose, Simd, Stream};
use base::params::{ParamError, ParamType, Settings, Value, find_kind};

const KIND: &str = "regression";
const KIDIQ: &str = include_str!("data/kidiq.csv");
const KILPISJARVI: &str = include_str!("data/kilpisjarvi.csv");
const MESQUITE: &str = include_str!("data/mesquite.csv");
const SBLRC: &str = include_str!("data/sblrc.csv");

/// Doses, deaths and animals (Racine et al. 1986).
const BIOASSAY: &str = "dose,deaths,animals\n-0.86,0,5\n-0.30,1,5\n-0.05,3,5\n0.73,5,5\n";

fn text(value: &str) -> Value {
    Value::Text(value.to_owned())
}

/// A prior by its kind and its numbers.
type PriorOf<'a> = (&'static str, &'a [(&'static str, f64)]);

const FLAT: PriorOf<'static> = ("flat", &[]);

fn numbers(values: &[(&'static str, f64)]) -> Vec<(&'static str, Value)> {
    values.iter().map(|(key, value)| (*key, Value::Number(*value))).collect()
}

/// The likelihood `kind`, with a prior of σ where it has one.
fn likelihood(kind: &str, sigma: Option<PriorOf<'_>>, more: &[(&str, Value)]) -> (&'static str, Value) {
    let Value::Group(mut made) = group(KIND, "likelihood", kind, more) else { panic!("no group") };
    if let Some((name, values)) = sigma {
        let Some(ParamType::Group(kinds)) = made.spec_at("sigma").map(|spec| spec.ty) else { panic!("no σ") };
        let mut prior = Settings::defaults(find_kind(kinds, name).unwrap());
        numbers(values).into_iter().for_each(|(key, value)| prior.set(key, value).unwrap());
        made.set("sigma", Value::Group(prior)).unwrap();
    }
    ("likelihood", Value::Group(made))
}

fn prior((name, values): PriorOf<'_>) -> (&'static str, Value) {
    ("prior", group(KIND, "prior", name, &numbers(values)))
}

/// Priors of single terms.
fn coefficients(of: &[(&str, PriorOf<'_>)]) -> (&'static str, Value) {
    let Some(ParamType::List(kind)) = find_kind(&TARGETS, KIND).unwrap().param("coefficient").map(|spec| spec.ty)
    else {
        panic!("no list")
    };
    let entry = |(term, of): &(&str, PriorOf<'_>)| {
        let mut entry = Settings::defaults(kind);
        entry.set("term", text(term)).unwrap();
        entry.set("prior", prior(*of).1).unwrap();
        entry
    };
    ("coefficient", Value::List(of.iter().map(entry).collect()))
}

/// A regression of a file with this content, on its own scale.
fn try_read(
    content: &str,
    response: &str,
    terms: &str,
    more: &[(&str, Value)],
) -> Result<Arc<Target>, Vec<ParamError>> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("data.csv"), content).unwrap();
    let data = group(KIND, "data", "csv", &[("path", text("data.csv"))]);
    let mut values =
        vec![("data", data), ("response", text(response)), ("terms", text(terms)), ("standardise", Value::Flag(false))];
    values.extend(more.iter().cloned());
    build(&settings(KIND, &values), folder.path())
}

fn read(content: &str, response: &str, terms: &str, more: &[(&str, Value)]) -> Arc<Target> {
    try_read(content, response, terms, more).unwrap()
}

/// Name, mean, standard deviation, 5 % and 95 % quantile.
type Row<'a> = (&'a str, [f64; 4]);

/// Moments of weighted draws, in units of a standard deviation, and their quantiles: the standard error of the 5 % quantile of as many
/// independent draws is 0.012.
const WEIGHTED: f64 = 2e-3;
const WEIGHTED_QUANTILES: f64 = 1e-2;

/// Quantiles of σ where its draws lie on the nodes of the quadrature, which are half a standard deviation of ln σ apart.
const QUANTILES_ON_NODES: f64 = 0.1;

/// Compares in units of the standard deviation.
fn compare(target: &Target, rows: &[Row<'_>], log_normaliser: f64, tolerance: f64) {
    let known = target.known_quantities().unwrap();
    for (name, [mean, sd, low, high]) in rows {
        let number = known.names().iter().position(|known| known == name).unwrap();
        let [found_mean, found_sd] = known.moments(number);
        let quantiles = [0.05, 0.95].map(|probability| known.quantile(number, probability));
        let rough = match *name {
            _ if tolerance < WEIGHTED => tolerance,
            "sigma" => QUANTILES_ON_NODES,
            _ => WEIGHTED_QUANTILES,
        };
        let moments = [(found_mean, mean, tolerance), (found_sd, sd, tolerance)];
        for (found, expected, most) in
            moments.into_iter().chain([(quantiles[0], low, rough), (quantiles[1], high, rough)])
        {
            assert!((found - expected).abs() < most * sd, "{name}: {found} instead of {expected}, sd {sd}");
        }
    }
    let found = known.log_normaliser();
    assert!((found - log_normaliser).abs() < tolerance * log_normaliser.abs(), "ln Z {found}, not {log_normaliser}");
}

const HALF_CAUCHY: PriorOf<'static> = ("half-cauchy", &[("scale", 2.5)]);

/// Six digits of a standard deviation: the references have eight to ten digits of their numbers.
const DIGITS: f64 = 1e-6;

#[test]
fn references_with_flat_priors() {
    let target = read(KIDIQ, "kid_score", "1, mom_iq", &[likelihood("normal", Some(HALF_CAUCHY), &[])]);
    let rows = [
        ("intercept", [25.799_777_85, 5.924_524_993, 16.056_487_58, 35.543_068_12]),
        ("mom_iq", [0.609_974_571_7, 0.058_591_266_77, 0.513_617_189_5, 0.706_331_954]),
        ("sigma", [18.277_474_38, 0.622_714_047_5, 17.284_286_84, 19.330_754_09]),
    ];
    compare(&target, &rows, -1_881.663_161, DIGITS);
    let known = target.known_quantities().unwrap();
    assert!(!known.is_proper() && known.sureness() == Sureness::Exact);
    assert!((known.correlation([0, 1]) + 0.988_961_42).abs() < 1e-7);
    assert_eq!(known.coordinates(), ["intercept", "mom_iq", "log_sigma"]);
    let [mean, sd] = known.moments(2);
    assert!((mean - 2.905_090_243).abs() < 1e-8 && (sd - 0.034_020_687_11).abs() < 1e-9);

    let terms = "1, log(diam1 * diam2 * canopy_height), log(diam1 * diam2), log(diam1 / diam2), log(total_height), log(density), group";
    let target = read(MESQUITE, "log(weight)", terms, &[]);
    let rows = [
        ("intercept", [5.351_470_094, 0.177_440_311_5, 5.060_292_748, 5.642_647_44]),
        ("log(diam1 * diam2 * canopy_height)", [0.373_233_794_3, 0.292_032_805_3, -0.105_988_409_6, 0.852_455_998_1]),
        ("log(density)", [0.109_300_417_9, 0.126_913_564, -0.098_963_163_2, 0.317_563_999]),
        ("sigma", [0.340_580_969_4, 0.040_275_018_24, 0.281_632_964_5, 0.412_503_760_5]),
    ];
    compare(&target, &rows, -21.219_381_31, DIGITS);
}

#[test]
fn references_with_factors_and_products() {
    let flat = likelihood("normal", Some(FLAT), &[]);
    let target = read(KIDIQ, "kid_score", "1, factor(mom_work)", &[flat]);
    let rows = [
        ("intercept", [82.0, 2.313_501_648, 78.195_293_1, 85.804_706_9]),
        ("mom_work[3]", [11.5, 3.565_345_489, 5.636_552_884, 17.363_447_12]),
        ("sigma", [20.289_012_29, 0.694_478_682_2, 19.181_531_36, 21.463_821_83]),
    ];
    compare(&target, &rows, -1_911.802_728, DIGITS);
    for product in ["mom_hs:mom_iq", "mom_hs * mom_iq"] {
        let half_cauchy = likelihood("normal", Some(HALF_CAUCHY), &[]);
        let target = read(KIDIQ, "kid_score", &format!("1, mom_hs, mom_iq, {product}"), &[half_cauchy]);
        let rows = [
            ("mom_hs", [51.268_223_43, 15.356_123_97, 26.014_038_29, 76.522_408_57]),
            (product, [-0.484_274_665_1, 0.162_413_184_3, -0.751_374_138_4, -0.217_175_191_8]),
        ];
        compare(&target, &rows, -1_872.815_868, DIGITS);
    }
}

#[test]
fn references_with_normal_priors() {
    let of = [
        ("intercept", ("normal", &[("mean", 9.312_903_225_806_45), ("sd", 100.0)][..])),
        ("x", ("normal", &[("mean", 0.0), ("sd", 0.033_333_333_333_333_3)][..])),
    ];
    let target = read(KILPISJARVI, "y", "1, x", &[coefficients(&of)]);
    let rows = [
        ("intercept", [-61.019_850_63, 29.797_611_49, -109.737_966_7, -11.812_019_8]),
        ("x", [0.017_660_489_56, 0.007_482_065_069, 0.005_304_593_612, 0.029_893_420_31]),
        ("sigma", [1.131_683_012, 0.106_176_346, 0.972_157_121_9, 1.318_759_107]),
    ];
    compare(&target, &rows, -103.226_168_2, DIGITS);
    let half_normal = likelihood("normal", Some(("half-normal", &[("scale", 10.0)])), &[]);
    let target = read(SBLRC, "y", "x1, x2, x3, x4, x5", &[prior(("normal", &[("sd", 10.0)])), half_normal]);
    let rows = [
        ("x1", [0.999_651_264_2, 0.000_986_678_999_8, 0.998_029_697_4, 1.001_272_83]),
        ("x5", [0.998_590_043_3, 0.000_974_591_127_9, 0.996_988_342_3, 1.000_191_743]),
        ("sigma", [1.042_851_194, 0.076_974_344_9, 0.924_783_752_6, 1.176_799_74]),
    ];
    compare(&target, &rows, -194.967_588_6, DIGITS);
    assert!(target.known_quantities().unwrap().is_proper());
}

/// Compares coefficients in the units of the file, in units of the standard deviation.
fn compare_originals(target: &Target, rows: &[Row<'_>], tolerance: f64) {
    let known = target.known_quantities().unwrap();
    for (name, [mean, sd, low, high]) in rows {
        let original = target.originals().iter().find(|original| original.name == *name).unwrap();
        let found = original.known(known, &[0.05, 0.95]);
        let found = [found.moments[0], found.moments[1], found.quantiles[0], found.quantiles[1]];
        for (found, expected) in found.iter().zip([mean, sd, low, high]) {
            assert!((found - expected).abs() < tolerance * sd, "{name}: {found} instead of {expected}, sd {sd}");
        }
    }
}

/// With flat priors the posterior does not depend on the units: standardised columns have the references of the file as it is.
#[test]
fn coefficients_of_standardised_columns_in_the_units_of_the_file_are_the_references() {
    let standardise = || ("standardise", Value::Flag(true));
    let terms = "1, log(diam1 * diam2 * canopy_height), log(diam1 * diam2), log(diam1 / diam2), log(total_height), log(density), group";
    let target = read(MESQUITE, "log(weight)", terms, &[standardise()]);
    let rows = [
        ("intercept", [5.351_470_094, 0.177_440_311_5, 5.060_292_748, 5.642_647_44]),
        ("log(diam1 * diam2 * canopy_height)", [0.373_233_794_3, 0.292_032_805_3, -0.105_988_409_6, 0.852_455_998_1]),
        ("log(density)", [0.109_300_417_9, 0.126_913_564, -0.098_963_163_2, 0.317_563_999]),
        ("sigma", [0.340_580_969_4, 0.040_275_018_24, 0.281_632_964_5, 0.412_503_760_5]),
    ];
    compare_originals(&target, &rows, DIGITS);
    let names: Vec<&str> = target.originals().iter().map(|original| original.name.as_str()).collect();
    assert_eq!((names[0], names[7], names.len()), ("intercept", "sigma", 8));
    let flat = likelihood("normal", Some(FLAT), &[]);
    let target = read(KIDIQ, "kid_score", "1, factor(mom_work)", &[flat, standardise()]);
    let rows = [
        ("intercept", [82.0, 2.313_501_648, 78.195_293_1, 85.804_706_9]),
        ("mom_work[3]", [11.5, 3.565_345_489, 5.636_552_884, 17.363_447_12]),
        ("sigma", [20.289_012_29, 0.694_478_682_2, 19.181_531_36, 21.463_821_83]),
    ];
    compare_originals(&target, &rows, DIGITS);
    assert!(read(KIDIQ, "kid_score", "1, mom_iq", &[]).originals().is_empty(), "its units are those of the file");
}

/// Fourteen rows with a product and a factor, and a posterior of condition 10⁹.
const PRODUCT: &str = "h,w,g,y\n152,3.1,a,812\n160,2.2,b,760\n171,4.7,b,1034\n168,1.9,a,905\n183,5.5,b,1398\n149,2.8,a,731\n\
    177,3.3,a,1122\n165,4.1,b,987\n190,2.5,b,1290\n158,3.9,a,858\n174,1.2,a,899\n181,4.4,b,1302\n163,2.0,b,795\n170,3.6,a,1043\n";

/// Ordinary least squares by NumPy on the columns as they are: b = lstsq(X, y), Q = inv(XᵀX), RSS = |y − X b|². With flat priors of β and σ and
/// ν = N − p − 1 it is β ~ b + √(RSS/ν Q) t_ν, with sd √(RSS/(ν − 2) Q), and RSS/σ² ~ χ²_ν.
#[test]
fn coefficients_in_the_units_of_the_file_are_those_of_least_squares() {
    let options = [likelihood("normal", Some(FLAT), &[]), ("standardise", Value::Flag(true))];
    let target = read(PRODUCT, "y", "1, h, w, h:w, factor(g)", &options);
    let rows = [
        ("intercept", [-934.733_182_2, 951.038_079_5, -2_466.299_97, 596.833_605_6]),
        ("h", [10.246_871_31, 5.499_987_768, 1.389_603_886, 19.104_139_73]),
        ("w", [-198.028_77, 301.525_096_9, -683.609_562_2, 287.552_022_2]),
        ("h:w", [1.570_506_29, 1.736_629_053, -1.226_188_644, 4.367_201_225]),
        ("g[b]", [-36.759_259_69, 37.444_279_54, -97.060_120_58, 23.541_601_2]),
        ("sigma", [56.960_467_096_6, 16.752_357_576_4, 36.931_360_321, 87.977_704_455_9]),
    ];
    compare_originals(&target, &rows, 1e-5);
    // A vector of standardised coefficients predicts what its coefficients in the units of the file do.
    let vector = [0.3, -0.2, 0.7, 0.4, -0.1, -1.2];
    let mut values = [0.0; 7];
    target.known_quantities().unwrap().values(&vector, &mut values);
    let found: Vec<f64> = target.originals().iter().map(|original| original.value(&values)).collect();
    let column = |of: &dyn Fn(&[&str]) -> f64| -> Vec<f64> {
        PRODUCT.lines().skip(1).map(|line| of(&line.split(',').collect::<Vec<_>>())).collect()
    };
    let number = |k: usize| column(&move |row| row[k].parse().unwrap());
    let (h, w, b, y) = (number(0), number(1), column(&|row| f64::from(u8::from(row[2] == "b"))), number(3));
    let hw: Vec<f64> = h.iter().zip(&w).map(|(h, w)| h * w).collect();
    let moments = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / 14.0;
        [mean, (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 14.0).sqrt()]
    };
    let [of_h, of_w, of_hw, of_y] = [&h, &w, &hw, &y].map(|values| moments(values));
    for row in 0..14 {
        let z = |value: f64, [mean, sd]: [f64; 2]| (value - mean) / sd;
        let of_columns = [1.0, z(h[row], of_h), z(w[row], of_w), z(hw[row], of_hw), b[row]];
        let standardised: f64 = vector.iter().zip(of_columns).map(|(beta, x)| beta * x).sum();
        let own: f64 = found.iter().zip([1.0, h[row], w[row], hw[row], b[row]]).map(|(beta, x)| beta * x).sum();
        assert!((own - (of_y[0] + of_y[1] * standardised)).abs() < 1e-8, "row {row}: {own}");
    }
    assert!((found[5] - of_y[1] * (-1.2_f64).exp()).abs() < 1e-10);
    // Without an intercept standardised columns still have one in the units of the file; that of NumPy with one.
    let options = [likelihood("normal", Some(FLAT), &[]), ("standardise", Value::Flag(true))];
    let target = read(PRODUCT, "y", "h, w", &options);
    let known = target.known_quantities().unwrap();
    let means: Vec<f64> = target.originals().iter().map(|original| original.known(known, &[]).moments[0]).collect();
    assert!(
        means.iter().zip([-1_695.550_006_31, 14.593_858_93, 71.185_821_8]).all(|(a, b)| (a - b).abs() < 1e-6 * b.abs())
    );
}

/// A table whose columns were centred before has the same posterior, of normal noise and of the bioassay, with any prior; and in the units of the
/// file the coefficients are those of the columns as they are, where priors are flat.
#[test]
fn centred_columns_are_those_of_a_table_that_was_centred_before() {
    let centre = || ("centre", Value::Flag(true));
    let rows = |content: &str| -> Vec<Vec<String>> {
        content.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
    };
    // Column `k` as it is, or without its mean.
    let without_mean = |content: &str, columns: &[usize]| -> String {
        let rows = rows(content);
        let mean = |k: usize| rows.iter().map(|row| row[k].parse::<f64>().unwrap()).sum::<f64>() / rows.len() as f64;
        let cell = |row: &[String], k: usize| match columns.contains(&k) {
            true => (row[k].parse::<f64>().unwrap() - mean(k)).to_string(),
            false => row[k].clone(),
        };
        let line = |row: &Vec<String>| (0..row.len()).map(|k| cell(row, k)).collect::<Vec<_>>().join(",");
        let head = content.lines().next().unwrap();
        format!("{head}\n{}\n", rows.iter().map(line).collect::<Vec<_>>().join("\n"))
    };
    let wide = ("normal", &[("mean", 1.0), ("sd", 3000.0)][..]);
    let cases = [
        (PRODUCT, vec![0, 1], "y", "1, h, w, factor(g)", likelihood("normal", Some(HALF_CAUCHY), &[]), DIGITS),
        (
            BIOASSAY,
            vec![0],
            "deaths",
            "1, dose",
            likelihood("bernoulli-logit", None, &[("trials", text("animals"))]),
            DIGITS,
        ),
    ];
    for (content, columns, response, terms, likelihood, tolerance) in cases {
        let prior = ("prior", prior(wide).1);
        let own = read(content, response, terms, &[likelihood.clone(), prior.clone(), centre()]);
        let table = read(&without_mean(content, &columns), response, terms, &[likelihood, prior]);
        let (found, expected) = (own.known_quantities().unwrap(), table.known_quantities().unwrap());
        assert_eq!((found.names(), found.coordinates()), (expected.names(), expected.coordinates()));
        for number in 0..found.names().len() {
            let ([mean, sd], [of_mean, of_sd]) = (found.moments(number), expected.moments(number));
            let name = &found.names()[number];
            assert!(
                (mean - of_mean).abs() < tolerance * of_sd && (sd / of_sd - 1.0).abs() < tolerance,
                "{name}: {mean} {of_mean}"
            );
        }
        assert!((found.log_normaliser() - expected.log_normaliser()).abs() < 1e-6);
        // The response stays as it is, and so do replicated data.
        let model = own.model().unwrap();
        assert!(model.standardised_by().is_none() && model.responses() == table.model().unwrap().responses());
        assert!(!own.originals().is_empty() && table.originals().is_empty());
    }
    let flat = || likelihood("normal", Some(FLAT), &[]);
    let own = read(PRODUCT, "y", "1, h, w, h:w, factor(g)", &[flat(), centre()]);
    let rows = [
        ("intercept", [-934.733_182_2, 951.038_079_5, -2_466.299_97, 596.833_605_6]),
        ("h:w", [1.570_506_29, 1.736_629_053, -1.226_188_644, 4.367_201_225]),
        ("sigma", [56.960_467_096_6, 16.752_357_576_4, 36.931_360_321, 87.977_704_455_9]),
    ];
    compare_originals(&own, &rows, 1e-5);
    // Standardised columns have mean 0 anyway.
    let both = read(PRODUCT, "y", "1, h", &[flat(), ("standardise", Value::Flag(true)), centre()]);
    let one = read(PRODUCT, "y", "1, h", &[flat(), ("standardise", Value::Flag(true))]);
    assert_eq!(both.originals(), one.originals());
}

/// A slope has the moments of the bioassay in the units of the file, where its prior has its scale there: weighted draws.
#[test]
fn coefficients_of_a_logistic_regression_have_the_units_of_the_file() {
    let (mean, sd) =
        (-0.12, ((0.86_f64 - 0.12).powi(2) + 0.18_f64.powi(2) + 0.07_f64.powi(2) + 0.85_f64.powi(2)).sqrt() / 2.0);
    let trials = likelihood("bernoulli-logit", None, &[("trials", text("animals"))]);
    let of = |scale: f64, standardise: bool| {
        let of_dose = ("normal", &[("mean", 0.0), ("sd", 10.0 * scale)][..]);
        let more = [coefficients(&[("dose", of_dose)]), trials.clone(), ("standardise", Value::Flag(standardise))];
        read(BIOASSAY, "deaths", "1, dose", &more)
    };
    let (plain, scaled) = (of(1.0, false), of(sd, true));
    let known = plain.known_quantities().unwrap();
    for (number, original) in scaled.originals().iter().enumerate() {
        let found = original.known(scaled.known_quantities().unwrap(), &[0.05, 0.5, 0.95]);
        let [mean, sd] = known.moments(number);
        assert!(
            (found.moments[0] - mean).abs() < 0.01 * sd && (found.moments[1] / sd - 1.0).abs() < 0.01,
            "{found:?} {mean} {sd}"
        );
        for (found, probability) in found.quantiles.iter().zip([0.05, 0.5, 0.95]) {
            assert!((found - known.quantile(number, probability)).abs() < 0.03 * sd);
        }
    }
    assert_eq!(scaled.originals().len(), 2);
    let [intercept, slope] = [0, 1].map(|number| scaled.originals()[number].clone());
    assert!((slope.parts[0].1 - 1.0 / sd).abs() < 1e-12 && (intercept.parts[1].1 + mean / sd).abs() < 1e-12);
}

/// The first eight rows of the mesquite data, where the Jacobian of σ counts.
fn eight() -> String {
    MESQUITE.lines().take(9).collect::<Vec<_>>().join("\n")
}

const VOLUME: &str = "1, log(diam1 * diam2 * canopy_height)";

/// A prior, the normaliser, and mean and standard deviation of the intercept and of σ.
type Case<'a> = (PriorOf<'a>, f64, [f64; 4]);

#[test]
fn priors_of_sigma() {
    let cases: [Case<'_>; 7] = [
        (FLAT, -10.764_481_65, [5.400_908_451, 0.217_352_493_6, 0.361_395_115_9, 0.152_374_698_4]),
        (("flat-log", &[]), -9.622_993_503, [5.401_491_59, 0.188_333_108_5, 0.319_343_436_9, 0.115_883_250_2]),
        (
            ("half-normal", &[("scale", 1.0)]),
            -11.063_574_72,
            [5.401_102_919, 0.208_118_472, 0.350_897_139_4, 0.133_516_598_3],
        ),
        (HALF_CAUCHY, -12.155_933_91, [5.400_979_3, 0.214_032_638_8, 0.357_806_407, 0.145_235_338_8]),
        (
            ("half-student-t", &[("df", 3.0), ("scale", 2.5)]),
            -12.004_567_53,
            [5.400_961_711, 0.214_860_767_3, 0.358_804_811_7, 0.146_758_285_2],
        ),
        (
            ("exponential", &[("rate", 1.0)]),
            -11.115_660_62,
            [5.401_217_862, 0.202_468_752_1, 0.342_075_627_8, 0.128_001_992_3],
        ),
        (
            ("inverse-gamma", &[("shape", 2.0), ("scale", 1.0)]),
            -11.881_619_39,
            [5.398_567_175, 0.307_379_745_1, 0.537_651_462_2, 0.136_327_098_9],
        ),
    ];
    for (sigma, log_normaliser, expected) in cases {
        let normal = prior(("normal", &[("sd", 10.0)]));
        let target = read(&eight(), "log(weight)", VOLUME, &[normal, likelihood("normal", Some(sigma), &[])]);
        let known = target.known_quantities().unwrap();
        let found = [known.moments(0), known.moments(3)];
        for (found, expected) in found.as_flattened().iter().zip(expected) {
            assert!((found - expected).abs() < 1e-7 * expected, "{sigma:?}: {found} {expected}");
        }
        assert!((known.log_normaliser() - log_normaliser).abs() < 1e-7, "{sigma:?}: {}", known.log_normaliser());
    }
}

/// Student's t and Laplace priors, and noise with heavy tails, by weighted draws.
#[test]
fn references_of_what_has_no_closed_form() {
    let student = ("student-t", &[("df", 3.0), ("mean", 0.0), ("scale", 2.5)][..]);
    let target = read(&eight(), "log(weight)", VOLUME, &[prior(student)]);
    let rows = [
        ("intercept", [5.386_333_624, 0.218_139_786_8, 5.040_171_7, 5.720_184_406]),
        ("sigma", [0.361_632_855_8, 0.152_972_124_1, 0.204_247_695_2, 0.635_477_038_1]),
    ];
    compare(&target, &rows, -9.945_937_498, WEIGHTED);
    let target = read(&eight(), "log(weight)", VOLUME, &[prior(("laplace", &[("mean", 0.0), ("scale", 1.0)]))]);
    compare(
        &target,
        &[("intercept", [5.382_700_021, 0.220_816_406_4, 5.033_402_5, 5.717_291_606])],
        -11.725_084_09,
        WEIGHTED,
    );
    let noise = likelihood("student-t", Some(HALF_CAUCHY), &[("df", Value::Number(4.0))]);
    let target = read(MESQUITE, "log(weight)", VOLUME, &[prior(("normal", &[("sd", 10.0)])), noise]);
    let rows = [
        ("intercept", [5.206_431_333, 0.083_315_060_77, 5.069_453_979, 5.342_979_264]),
        ("sigma", [0.349_585_522_9, 0.048_726_611_17, 0.277_151_185_7, 0.436_015_521]),
    ];
    compare(&target, &rows, -38.531_064_35, WEIGHTED);
    assert!(matches!(target.known_quantities().unwrap().sureness(), Sureness::Weighted(share) if share > 0.7));
    assert!(target.info().unknown.is_some());
}

/// With flat priors of β and σ the coefficients have Student's t with N − p − 1 degrees of freedom around those of least squares.
#[test]
fn flat_priors_have_a_closed_form() {
    let target = build(&settings(KIND, &[("standardise", Value::Flag(false))]), Path::new("")).unwrap();
    // lm(dist ~ speed) in R.
    let (fitted, errors, degrees) = ([-17.579_094_89, 3.932_408_76], [6.758_440_169, 0.415_512_776], 47.0_f64);
    let known = target.known_quantities().unwrap();
    for k in 0..2 {
        // Their squares are RSS/(N − p) (XᵀX)⁻¹; here it is RSS/ν.
        let scale = errors[k] * (48.0 / degrees).sqrt();
        let student = StudentsT::new(fitted[k], scale, degrees).unwrap();
        let [mean, sd] = known.moments(k);
        assert!((mean - fitted[k]).abs() < 1e-8 && (sd / scale - (degrees / (degrees - 2.0)).sqrt()).abs() < 1e-8);
        for probability in [0.001, 0.25, 0.975] {
            let x = student.inverse_cdf(probability);
            assert!((known.below(k, x) - probability).abs() < 1e-7);
            assert!((known.quantile(k, probability) - x).abs() < 1e-6 * scale);
        }
    }
}

/// Deaths among animals, as counts of trials and one by one; the numbers are those of the logistic regression in the plane.
#[test]
fn the_bioassay() {
    let priors = coefficients(&[("1", ("normal", &[("sd", 10.0)][..])), ("dose", ("normal", &[("sd", 25.0)][..]))]);
    let trials = likelihood("bernoulli-logit", None, &[("trials", text("animals"))]);
    let counts = read(BIOASSAY, "deaths", "1, dose", &[priors.clone(), trials]);
    let mut single = "dose,died\n".to_owned();
    for (dose, deaths) in [("-0.86", 0), ("-0.30", 1), ("-0.05", 3), ("0.73", 5)] {
        (0..5).for_each(|animal| single.push_str(&format!("{dose},{}\n", u8::from(animal < deaths))));
    }
    let single = read(&single, "died", "1, dose", &[priors, likelihood("bernoulli-logit", None, &[])]);
    for (target, ways) in [(counts, (5.0 * 10.0_f64).ln()), (single, 0.0)] {
        let known = target.known_quantities().unwrap();
        assert!((known.log_normaliser() + 10.227_240_907_194 - ways).abs() < 2e-3, "{}", known.log_normaliser());
        let [mean, sd] = known.moments(1);
        assert!((mean - 10.897_910_508_988).abs() < 0.03 && (sd - 27.364_877_725_118_f64.sqrt()).abs() < 0.05);
        // With two coefficients the plane is the density itself.
        let density = target.density().unwrap();
        let origin = Point::new(0.8, 7.0);
        let at = Coords::of(2, std::iter::once(&[0.8, 7.0][..]));
        let mut log = [0.0];
        target.model().unwrap().log_densities(Simd::widest(), &at, &mut Vec::new(), &mut log);
        assert!((density.log_density(origin) - log[0]).abs() < 3e-3, "{} {}", density.log_density(origin), log[0]);
    }
}

/// One posterior of each likelihood, with every kind of prior.
fn models() -> Vec<Arc<Target>> {
    let content = "a,b,y,n,k\n0.5,-1,1.2,3,1\n-0.2,0.4,0.1,5,4\n1.7,0.3,2.9,2,0\n0.1,2.1,-0.4,4,2\n-1.1,-0.7,0.8,6,3\n0.9,0.2,1.1,1,1\n";
    let priors = [
        prior(("normal", &[("mean", 0.3), ("sd", 2.0)])),
        coefficients(&[
            ("a", ("student-t", &[("df", 3.0), ("mean", 0.1), ("scale", 1.0)][..])),
            ("b", ("laplace", &[("mean", 9.0), ("scale", 2.0)][..])),
        ]),
    ];
    let with = |likelihood, response| {
        let mut more = priors.to_vec();
        more.push(likelihood);
        read(content, response, "1, a, b", &more)
    };
    vec![
        with(likelihood("normal", Some(("half-cauchy", &[("scale", 1.0)])), &[]), "y"),
        with(likelihood("normal", Some(("known", &[("value", 0.7)])), &[]), "y"),
        with(likelihood("student-t", Some(("exponential", &[("rate", 1.0)])), &[]), "y"),
        with(likelihood("bernoulli-logit", None, &[("trials", text("n"))]), "k"),
        with(likelihood("poisson-log", None, &[]), "k"),
    ]
}

#[test]
fn gradients_and_estimates_are_those_of_the_density() {
    for target in models() {
        let model = target.model().unwrap();
        let d = model.dimension();
        let points = [[0.4, -0.3, 0.5, 0.2], [-0.7, 0.9, 0.1, -0.5]];
        let at = Coords::of(d, points.iter().map(|point| &point[..d]));
        let (mut memory, mut gradients, mut estimates) = (Vec::new(), Coords::zeros(d, 2), Coords::zeros(d, 2));
        model.gradients(Simd::widest(), &at, &mut memory, &mut gradients);
        let all: Vec<u32> = (0..6).collect();
        model.estimates(Simd::widest(), &at, Minibatches::new(&all, 6, 1), &mut memory, &mut estimates);
        let log = |point: &[f64]| {
            let mut out = [0.0];
            model.log_densities(Simd::widest(), &Coords::of(d, std::iter::once(point)), &mut Vec::new(), &mut out);
            out[0]
        };
        let gradient = |point: &[f64]| {
            let mut out = Coords::zeros(d, 1);
            model.gradients(Simd::BASELINE, &Coords::of(d, std::iter::once(point)), &mut Vec::new(), &mut out);
            out.values().to_vec()
        };
        for (index, point) in points.iter().map(|point| &point[..d]).enumerate() {
            let hessian = model.hessian(point).unwrap();
            let mut diagonal = vec![0.0; d];
            assert!(model.hessian_diagonal(&at, index, &mut memory, &mut diagonal));
            assert_eq!(gradient(point), gradients.vector(index).collect::<Vec<_>>(), "bits depend on neighbours");
            for axis in 0..d {
                let moved = |by: f64| {
                    let mut point = point.to_vec();
                    point[axis] += by;
                    point
                };
                let slope = (log(&moved(1e-5)) - log(&moved(-1e-5))) / 2e-5;
                let found = gradients.get(index, axis);
                assert!((found - slope).abs() < 1e-6 * slope.abs().max(1.0), "{d} {axis}: {found} {slope}");
                assert!((found - estimates.get(index, axis)).abs() < 1e-10 * found.abs().max(1.0));
                let (up, down) = (gradient(&moved(1e-5)), gradient(&moved(-1e-5)));
                for other in 0..d {
                    let bend = (up[other] - down[other]) / 2e-5;
                    let found = hessian[(axis, other)];
                    assert!((found - bend).abs() < 1e-5 * bend.abs().max(1.0), "{d} {axis} {other}: {found} {bend}");
                }
                assert!((diagonal[axis] - hessian[(axis, axis)]).abs() < 1e-10 * diagonal[axis].abs().max(1.0));
            }
        }
    }
}

/// Estimates from single data have the gradient as their mean; their variances are N² times those of a datum.
#[test]
fn minibatches_leave_priors_and_jacobian_alone() {
    for target in models() {
        let model = target.model().unwrap();
        let d = model.dimension();
        let at = Coords::of(d, std::iter::once(&[0.4, -0.3, 0.5, 0.2][..d]));
        let (mut memory, mut one, mut full) = (Vec::new(), Coords::zeros(d, 1), Coords::zeros(d, 1));
        model.gradients(Simd::widest(), &at, &mut memory, &mut full);
        let (mut sums, mut squares, mut variances) = (vec![0.0; d], vec![0.0; d], vec![0.0; d]);
        for row in 0..6_u32 {
            model.estimates(Simd::widest(), &at, Minibatches::new(&[row], 1, 1), &mut memory, &mut one);
            for (axis, value) in one.vector(0).enumerate() {
                sums[axis] += value / 6.0;
                squares[axis] += value * value / 6.0;
            }
        }
        model.datum_variances(&at, 0, &mut memory, &mut variances);
        for axis in 0..d {
            assert!((sums[axis] - full.get(0, axis)).abs() < 1e-10 * sums[axis].abs().max(1.0));
            let expected = (squares[axis] - sums[axis] * sums[axis]) / 36.0;
            assert!((variances[axis] - expected).abs() < 1e-9 * expected.max(1.0));
        }
    }
}

#[test]
fn exact_draws_have_the_moments() {
    let target = build(&settings(KIND, &[]), Path::new("")).unwrap();
    let (model, known) = (target.model().unwrap(), target.known_quantities().unwrap());
    let mut stream = Stream::derive(5, Purpose::Data, 0, 0);
    let (mut vector, mut all) = ([0.0; 3], [0.0; 4]);
    let count = 40_000;
    let (mut sums, mut squares) = ([0.0; 4], [0.0; 4]);
    for _ in 0..count {
        assert!(model.exact_draw(&mut stream, &mut vector));
        known.values(&vector, &mut all);
        all.iter().enumerate().for_each(|(number, value)| {
            sums[number] += value / f64::from(count);
            squares[number] += value * value / f64::from(count);
        });
    }
    for number in 0..4 {
        let [mean, sd] = known.moments(number);
        let error = sd / f64::from(count).sqrt();
        assert!((sums[number] - mean).abs() < 5.0 * error, "{number}: {} {mean}", sums[number]);
        let found = (squares[number] - sums[number] * sums[number]).sqrt();
        assert!((found - sd).abs() < 5.0 * error, "{number}: {found} {sd}");
    }
}

/// The plane of any two coordinates, in any order, is that of the same posterior.
#[test]
fn any_two_coordinates_are_drawn() {
    for (x, y, axes) in [
        ("speed", "log_sigma", ["β₁", "ln σ"]),
        ("log_sigma", "intercept", ["ln σ", "β₀"]),
        ("speed", "1", ["β₁", "β₀"]),
    ] {
        let target = build(&settings(KIND, &[("shown_x", text(x)), ("shown_y", text(y))]), Path::new("")).unwrap();
        let (density, info) = (target.density().unwrap(), target.info());
        assert_eq!(info.axes, axes);
        let at = info.mean + Point::new(0.3, -0.5).component_mul(&info.covariance.diagonal().map(f64::sqrt));
        let (gradient, hessian) = (density.gradient(at), density.hessian(at));
        for axis in 0..2 {
            let moved = |by: f64| at + Point::ith(axis, by);
            let slope = (density.log_density(moved(1e-5)) - density.log_density(moved(-1e-5))) / 2e-5;
            assert!((gradient[axis] - slope).abs() < 1e-6 * slope.abs().max(1.0), "{x} {y}: {gradient} {slope}");
            let bend = (density.gradient(moved(1e-5)) - density.gradient(moved(-1e-5))) / 2e-5;
            assert!((hessian.column(axis) - bend).amax() < 1e-5 * bend.amax().max(1.0), "{x} {y}: {hessian} {bend}");
        }
        // A sum over even nodes: mass and mean.
        let size = info.view.size() * 1.5;
        let (mut mass, mut mean) = (0.0, Point::zeros());
        for column in 0..120 {
            for row in 0..120 {
                let share = Point::new(f64::from(column), f64::from(row)) / 120.0 - Point::repeat(0.5);
                let at = info.view.min + info.view.size() / 2.0 + share.component_mul(&size);
                let p = (density.log_density(at) - info.log_normaliser).exp() * size.x * size.y / 14_400.0;
                mass += p;
                mean += at * p;
            }
        }
        assert!((mass - 1.0).abs() < 1e-4, "{x} {y}: {mass}");
        assert!((mean - info.mean).amax() < 1e-3, "{x} {y}: {mean} {}", info.mean);
    }
}

#[test]
fn what_cannot_be_a_regression_is_refused() {
    let table = "x,c,y,k,g\n1,7,1.5,1,a\n2,7,1.9,0,b\n3,7,3.2,1,a\n4,7,3.8,0,b\n5,7,5.4,2,a\n";
    let logit = || likelihood("bernoulli-logit", None, &[]);
    let normal = || prior(("normal", &[("sd", 1.0)]));
    type Wrong<'a> = (&'a str, &'a str, Vec<(&'a str, Value)>, &'a str, &'a str);
    let cases: Vec<Wrong<'_>> = vec![
        ("z", "1, x", vec![], "response", "data.csv has no column \"z\""),
        ("y", "1, z", vec![], "terms", "data.csv has no column \"z\""),
        ("y", "1, x +", vec![], "terms", "it ends too early"),
        ("2", "1, x", vec![], "response", "has no column"),
        ("y", "1, g", vec![], "data.path", "\"a\" is not a number"),
        ("y", "1, factor(c)", vec![], "terms", "has one level only, \"7\""),
        ("y", "1, c", vec![], "terms", "\"c\" follows from the terms before it"),
        ("y", "1, x, 2 * x", vec![], "terms", "\"2 * x\" follows from the terms before it"),
        ("y", "1, x, x^2, x^3, x^4", vec![], "likelihood.sigma", "too few data"),
        ("y", "1, x, x^2, x^3, x^4, x^5", vec![], "terms", "5 data do not determine 6 coefficients"),
        ("2 * x + 1", "1, x", vec![], "likelihood.sigma", "fit the data exactly"),
        ("y", "x", vec![likelihood("normal", Some(("known", &[("value", 1.0)])), &[])], "terms", "the plane shows two"),
        ("k", "1, x", vec![logit()], "response", "2 in row 5 is neither 0 nor 1"),
        ("x > 2", "1, x", vec![logit()], "prior", "separates the responses"),
        ("y", "1, x", vec![likelihood("poisson-log", None, &[])], "response", "1.5 in row 1 is no count"),
        ("x - 2", "1, x", vec![likelihood("poisson-log", None, &[])], "response", "-1 in row 1 is no count"),
        (
            "x",
            "1, x",
            vec![likelihood("bernoulli-logit", None, &[("trials", text("c - 5"))])],
            "response",
            "row 3 has 3 successes in 2 trials",
        ),
        ("y", "1, x", vec![coefficients(&[("z", FLAT)])], "coefficient", "there is no term \"z\""),
        ("y", "1, x", vec![("shown_x", text("z"))], "shown_x", "there is no coordinate \"z\""),
        ("y", "1, x", vec![("shown_x", text("1")), ("shown_y", text("intercept"))], "shown_y", "the same coordinate"),
    ];
    for (response, terms, more, path, problem) in cases {
        let errors = try_read(table, response, terms, &more).map(|_| ()).unwrap_err();
        assert_eq!((errors.len(), errors[0].path.as_str()), (1, path), "{response} ~ {terms}: {errors:?}");
        assert!(errors[0].problem.contains(problem) && !errors[0].allowed.is_empty(), "{problem}: {errors:?}");
    }
    // Proper priors make up for data.
    for (response, terms, more) in [
        ("y", "1, x, 2 * x", vec![normal()]),
        ("y", "1, x, x^2, x^3, x^4, x^5", vec![normal(), likelihood("normal", Some(HALF_CAUCHY), &[])]),
        ("x > 2", "1, x", vec![logit(), normal()]),
        ("y", "1, factor(g):x", vec![]),
    ] {
        let built = try_read(table, response, terms, &more);
        assert!(built.is_ok(), "{response} ~ {terms}: {:?}", built.map(|_| ()).unwrap_err());
    }
}

/// The log density as the sum of its terms, with a normal likelihood that is reduced to a triangle.
#[test]
fn a_triangle_has_the_sums_of_the_data() {
    let target = read(KILPISJARVI, "y", "1, x", &[]);
    let at = [-60.0, 0.0174, 0.2];
    let rows: Vec<[f64; 2]> = KILPISJARVI
        .lines()
        .skip(1)
        .map(|line| {
            let mut cells = line.split(',').map(|cell| cell.parse().unwrap());
            [cells.next().unwrap(), cells.next().unwrap()]
        })
        .collect();
    let term = |[y, x]: &[f64; 2]| {
        let r = (y - at[0] - at[1] * x) / at[2].exp();
        -0.5 * r * r - at[2] - 0.5 * (2.0 * std::f64::consts::PI).ln()
    };
    let expected = rows.iter().map(term).sum::<f64>() + at[2];
    let mut found = [0.0];
    let model: &dyn Model = target.model().unwrap();
    model.log_densities(Simd::widest(), &Coords::of(3, std::iter::once(&at[..])), &mut Vec::new(), &mut found);
    assert!((found[0] - expected).abs() < 1e-9 * expected.abs(), "{} {expected}", found[0]);
}

/// A table in the scenario is the same data as in a file.
#[test]
fn a_table_in_the_scenario_is_read_as_a_file() {
    let table = "x;c;y\n1,5;a;1\n2,5;b;1,9\n3;b;3,2\n4;a;3,8\n5;;5,4\n";
    let inline = |table: &str, missing| {
        let data = group(KIND, "data", "inline", &[("text", text(table)), ("missing", Value::Choice(missing))]);
        let terms = ("terms", text("1, x, c == \"b\""));
        build(
            &settings(KIND, &[("data", data), ("response", text("y")), terms, prior(("normal", &[("sd", 2.0)]))]),
            ".",
        )
    };
    let target = inline(table, "leave-out").unwrap();
    let note = target.data_note().unwrap();
    assert_eq!((note.file.as_str(), note.rows, note.left_out), ("the table", 4, 1));
    let quantities = target.known_quantities().unwrap();
    assert_eq!(quantities.names(), ["intercept", "x", "c == \"b\"", "log_sigma", "sigma"]);
    // The same numbers with a column of zeros and ones.
    let plain = inline("x,c,y\n1.5,0,1\n2.5,1,1.9\n3,1,3.2\n4,0,3.8\n", "refuse").unwrap_err();
    assert_eq!(
        plain[0].to_string(),
        "terms: no row has \"b\" in column \"c\"; allowed: a word of the column, as it stands there"
    );
    let errors = inline(table, "refuse").unwrap_err();
    assert!(
        errors[0].path == "data.text" && errors[0].problem.contains("the table, line 6, column \"c\""),
        "{errors:?}"
    );
    let errors = inline(&"1,2\n".repeat(300_000), "refuse").unwrap_err();
    assert_eq!(
        errors[0].to_string(),
        "data.text: the table has 1200000 bytes; allowed: lines of a table, at most 1 MiB"
    );
}

/// A column of words compared with one of them is the column of zeros and ones, and yes and no are one.
#[test]
fn words_are_zeros_and_ones() {
    let moments = |table: &str, response: &str, terms: &str| {
        let target = read(
            table,
            response,
            terms,
            &[prior(("normal", &[("sd", 2.0)])), likelihood("bernoulli-logit", None, &[])],
        );
        (0..2).map(|number| target.known_quantities().unwrap().moments(number)).collect::<Vec<_>>()
    };
    let words = "x,c,y\n1.5,no,ill\n2.5,Yes,well\n3,yes,ill\n4,no,ill\n0,no,well\n";
    let numbers = "x,c,y\n1.5,0,1\n2.5,1,0\n3,1,1\n4,0,1\n0,0,0\n";
    assert_eq!(moments(words, "y == \"ill\"", "1, c"), moments(numbers, "y", "1, c"));
    assert_eq!(moments(words, "y != \"ill\"", "1, x"), moments(numbers, "1 - y", "1, x"));
    let errors = try_read("x,y\n1,ill\n2,well\n", "y", "1, x", &[]).unwrap_err();
    assert!(errors[0].allowed.contains("of words make factor(c), or c == \"ill\" for 0 and 1"), "{errors:?}");
}
