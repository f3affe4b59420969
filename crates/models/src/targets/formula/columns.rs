//! Data of a formula: the columns that it sums over, read from a table, and its log density row by row for minibatches.

use super::{Written, near, number};
use crate::formula::{Formula, FormulaError};
use crate::targets::data::{self, Cells};
use crate::targets::kit::lanewise::saturated;
use crate::targets::{Data, Derivatives, Folder};
use base::math::{Matrix, Point};
use base::params::{DefaultValue, KindSpec, ParamError, ParamSpec, ParamType, Settings};

/// Rows at most: each has parts of its own in the formula.
const MOST_ROWS: usize = 5000;

static KINDS: [KindSpec; 3] = [
    KindSpec { name: "none", label: "None", help: "The formula has no data.", params: &[] },
    data::TABLES[0],
    data::TABLES[1],
];

/// The parameter for the data.
pub(super) const DATA: ParamSpec = ParamSpec::of(
    "data",
    "data",
    ParamType::Group(&KINDS),
    DefaultValue::Kind("none"),
    "A table whose columns stand in sums over its rows: t[i] is the column t. At most 5000 rows, and as many as the formula has space for.",
);

/// A formula with the columns that it names.
pub(super) fn given(formula: Formula, settings: &Settings, folder: &Folder) -> Result<Formula, Vec<ParamError>> {
    let group = settings.group(DATA.key).filter(|group| group.kind.name != "none");
    let names: Vec<String> = formula.columns().map(str::to_owned).collect();
    let text = settings.word("density");
    let fault = |error: FormulaError| vec![error.of_parameter("density", text)];
    let Some(group) = group else {
        return match names.first() {
            None => Ok(formula),
            Some(name) => {
                let problem = format!("{name}[i] is a column of data, and there are none");
                let allowed = match name.as_str() {
                    "x" => {
                        "data of the kind csv or inline; or a line d = 10, with which x[i] is one of the coordinates x[1] to x[10]"
                    }
                    _ => "data of the kind csv or inline",
                };
                Err(fault(formula.error_at_column(0, &problem, allowed)))
            }
        };
    };
    if names.is_empty() && formula.has_sums() {
        let allowed = "columns with their row in sums: sum(normal_lpdf(t[i] | x, y))";
        return Err(vec![ParamError::new("density", "a sum over the data has no column in it", allowed)]);
    }
    if names.is_empty() {
        // Those of another target, perhaps; a warning says so.
        return Ok(formula);
    }
    let named: Vec<_> = names.iter().map(|name| ("density", name.as_str(), Cells::Measure)).collect();
    let under = |error| data::of_table(group, error).map_or_else(|other| other, |of_table| of_table.under(DATA.key));
    let found =
        data::read_named(group, folder, &named).map_err(|errors| errors.into_iter().map(under).collect::<Vec<_>>())?;
    let columns: Vec<Vec<f64>> = found.into_iter().map(|(values, _)| values).collect();
    let rows = columns.first().map_or(0, Vec::len);
    if rows > MOST_ROWS {
        return Err(vec![under(data::too_many(group, rows, MOST_ROWS))]);
    }
    Ok(formula.with_data(columns))
}

impl Data for Written {
    fn len(&self) -> usize {
        self.rows.as_ref().map_or(0, |rows| rows.count())
    }

    fn prior_gradient(&self, at: Point) -> Point {
        self.prior(at).gradient
    }

    fn datum_gradient(&self, at: Point, index: usize) -> Point {
        let at = near(at);
        let of = self.rows.as_ref().map_or([0.0; 2], |rows| rows.gradient(index, at.x, at.y));
        Point::from(of.map(saturated).map(number))
    }

    fn prior(&self, at: Point) -> Derivatives {
        let at = near(at);
        self.rows.as_ref().map_or_else(none, |rows| {
            let prior = &rows.prior;
            of(prior.value(at.x, at.y), prior.gradient(at.x, at.y), prior.hessian(at.x, at.y))
        })
    }

    fn datum(&self, at: Point, index: usize) -> Derivatives {
        let at = near(at);
        self.rows.as_ref().map_or_else(none, |rows| {
            of(rows.value(index, at.x, at.y), rows.gradient(index, at.x, at.y), rows.hessian(index, at.x, at.y))
        })
    }
}

fn none() -> Derivatives {
    of(0.0, [0.0; 2], [0.0; 3])
}

/// Where there is no value the density is 0; a slope that is no number counts as 0.
fn of(value: f64, gradient: [f64; 2], hessian: [f64; 3]) -> Derivatives {
    let [xx, xy, yy] = hessian.map(saturated).map(number);
    Derivatives {
        log_density: if value < f64::INFINITY { value } else { f64::NEG_INFINITY },
        gradient: Point::from(gradient.map(saturated).map(number)),
        hessian: Matrix::new(xx, xy, xy, yy),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::super::ENTRY;
    use crate::targets::{Density, Target, build};
    use base::math::Point;
    use base::params::{NamedNumber, ParamError, Settings, Value, find_kind};

    fn settings(density: &str, table: &str, parameters: &[(&str, f64)]) -> Settings {
        let mut settings = Settings::defaults(&ENTRY.spec);
        let named = parameters.iter().map(|(name, value)| NamedNumber::new(*name, *value)).collect();
        settings.set("density", Value::Text(density.to_owned())).unwrap();
        settings.set("parameters", Value::Named(named)).unwrap();
        let inline = find_kind(&super::KINDS, "inline").unwrap();
        settings.set("data", Value::Group(Settings::defaults(inline))).unwrap();
        settings.set("data.text", Value::Text(table.to_owned())).unwrap();
        settings
    }

    fn made(settings: &Settings) -> Result<Arc<Target>, Vec<ParamError>> {
        build(settings, Path::new(""))
    }

    const TABLE: &str = "t,x,a name\n0,1.2,1\n1,2.9,2\n2,5.3,0\n3,6.8,1\n";

    /// A line through four points with known noise and a flat prior: by least squares, Σ (t − t̄)² = 5.
    #[test]
    fn a_line_has_the_posterior_of_least_squares() {
        let text = "mu = x + y t[i]\nsum(normal_lpdf(x[i] | mu, s))";
        let target = made(&settings(text, TABLE, &[("s", 0.5)])).unwrap();
        let truth = target.density().unwrap().info();
        let (t, v) = ([0.0, 1.0, 2.0, 3.0], [1.2, 2.9, 5.3, 6.8]);
        let (mean_t, mean_v) = (1.5, v.iter().sum::<f64>() / 4.0);
        let slope = t.iter().zip(v).map(|(t, v)| (t - mean_t) * (v - mean_v)).sum::<f64>() / 5.0;
        let expected = Point::new(mean_v - slope * mean_t, slope);
        assert!((truth.mean - expected).norm() < 1e-6, "{:?} {expected:?}", truth.mean);
        let variance = [0.25 * (0.25 + mean_t * mean_t / 5.0), 0.25 / 5.0];
        assert!((truth.covariance.m11 - variance[0]).abs() < 1e-6 && (truth.covariance.m22 - variance[1]).abs() < 1e-6);
        // log Z of the whole: the log density at the mean plus that of the Gaussian around it.
        let determinant: f64 = 0.25 * 0.25 / (4.0 * 5.0);
        let log_z = target.density().unwrap().log_density(expected)
            + (2.0 * std::f64::consts::PI).ln()
            + 0.5 * determinant.ln();
        assert!((truth.log_normaliser - log_z).abs() < 1e-6);
    }

    /// Prior and rows add up to the log density, with first and second derivatives.
    #[test]
    fn the_rows_add_up() {
        let text = "likelihood = sum(bernoulli)\n-x^2/2 - y^2/8 + likelihood - sum(exp(y)/4)";
        let text = format!("bernoulli = -ln(1 + exp(-(x + y t[i]) (2 `a name`[i] - 1)))\n{text}");
        let target = made(&settings(&text, TABLE, &[])).unwrap();
        assert_eq!(target.data_count(), Some(4));
        let density: &dyn Density = target.density().unwrap().as_ref();
        let data = density.data().unwrap();
        for at in [Point::new(0.3, -0.4), Point::new(-1.0, 2.0)] {
            let sum = (0..4).fold(data.prior(at), |sum, row| sum + data.datum(at, row));
            assert!((sum.log_density - density.log_density(at)).abs() < 1e-12);
            assert!((sum.gradient - density.gradient(at)).norm() < 1e-12);
            assert!((sum.hessian - density.hessian(at)).norm() < 1e-12);
            let rows = (0..4).map(|row| data.datum_gradient(at, row)).sum::<Point>();
            assert!((data.prior_gradient(at) + rows - density.gradient(at)).norm() < 1e-12);
        }
    }

    #[test]
    fn means_and_products_are_over_all_rows() {
        let text = "-(x - mean(t[i]))^2/2 - (y - dot(t[i], $2[i])/10)^2/2 + 0 sum((t[i] - mean(t[i]))^2)";
        let target = made(&settings(text, TABLE, &[])).unwrap();
        let truth = target.density().unwrap().info();
        assert!((truth.mean - Point::new(1.5, 3.39)).norm() < 1e-6, "{:?}", truth.mean);
        assert_eq!(target.data_count(), None, "nothing is added up over rows but a number");
    }

    #[test]
    fn what_changes_nothing_is_told() {
        let table = "t,x,a name,school\n0,1.2,1,A\n1,2.9,2,B\n";
        let lines = "the formula does not use its line \"r\"";
        for (density, told) in [
            ("-x^2 - sum((t[i] - `a name`[i] - x[i])^2) y^2", &[][..]),
            ("r = x\n-x^2 - sum((t[i] - `a name`[i] - x[i])^2) y^2", &[lines]),
            ("-sum((t[i] - x)^2)", &["the formula does not use the columns \"x\", \"a name\" of the table"]),
            (
                "r = t[i]\n-sum(($2[i] t[i] - x)^2)",
                &[lines, "the formula does not use the column \"a name\" of the table"],
            ),
            (
                "-x^2",
                &["the formula does not use its data, the table: no column is in it, as t[i] is in sum((x − t[i])²)"],
            ),
            ("-x^2 - sum((t[i] - x[i])^2)", &["the formula does not use the column \"a name\" of the table"]),
        ] {
            assert_eq!(made(&settings(density, table, &[])).unwrap().warnings(), told, "{density}");
        }
    }

    #[test]
    fn errors_name_the_place() {
        let error = |density: &str, table: &str| {
            let errors = made(&settings(density, table, &[])).unwrap_err();
            errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        };
        for (density, table, words) in [
            ("-x^2 - t[i]", TABLE, ["character 8", "differs from row to row"]),
            ("m = t[i]\n-x^2 - m", TABLE, ["line 2, character 8", "a sum, mean or dot around it"]),
            ("-x^2 - sum(z[i] x^2)", TABLE, ["no column \"z\"", "a name"]),
            ("-x^2 - sum(t x^2)", TABLE, ["a sum over the data has no column in it", "t[i]"]),
            ("-x^2 - dot(t[i])", TABLE, ["dot does not take 1 arguments", "two"]),
            ("-x^2 - sum(t[i] x^2)", "t\n1\nzwei\n", ["zwei", "data.text"]),
        ] {
            let found = error(density, table);
            assert!(words.iter().all(|word| found.contains(word)), "{density}: {found}");
        }
        let mut none = settings("-x^2 - sum(t[i] x^2)", TABLE, &[]);
        none.set("data", Value::Group(Settings::defaults(&super::KINDS[0]))).unwrap();
        let found = made(&none).unwrap_err()[0].to_string();
        assert!(found.contains("t[i] is a column of data, and there are none"), "{found}");
    }
}
