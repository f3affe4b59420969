//! Exact distributions as JSON: for `exact.json` and for `summary.json`. `docs/exact.schema.json` describes it.

use serde_json::{Map, Value as Json, json};

use engine::distributions::{Ask, Computable, Cycles, Described, Found, MeanError, NotComputed, Stationary, Trusted};
use engine::scenario::{Experiment, Scenario, write};

use super::RunFound;

/// The version of the format.
const FORMAT: u32 = 1;

/// The content of `exact.json`.
pub fn document(named: &str, scenario: &Scenario, runs: &[RunFound]) -> Json {
    json!({
        "format": FORMAT,
        "program": { "name": "Sampler Lab", "version": env!("CARGO_PKG_VERSION") },
        "scenario": named,
        "scenario_text": write(scenario),
        "title": scenario.title,
        "runs": runs.iter().map(of_run).collect::<Vec<_>>(),
    })
}

fn of_run(run: &RunFound) -> Json {
    let mut described = json!({ "name": run.name });
    if let Some((kind, approximation)) = &run.kind {
        described["kind"] = json!(kind.name());
        if let Some(what) = approximation {
            described["approximation"] = json!(what);
        }
    }
    match &run.found {
        Ok(found) => described["found"] = of_found(found),
        Err(why) => described["not_computed"] = json!(why.to_string()),
    }
    described
}

fn of_found(found: &Found) -> Json {
    let axis = |(low, high, [coarse, fine]): &(f64, f64, [usize; 2])| json!({ "low": low, "high": high, "nodes": [coarse, fine] });
    let steps = found.steps.iter().map(|at| {
        let mut described = or_why(&at.found, described);
        described["step"] = json!(at.step);
        described
    });
    json!({
        "grid": found.region.iter().map(axis).collect::<Vec<_>>(),
        "steps": steps.collect::<Vec<_>>(),
        "collected": or_why(&found.collected, described),
        "stationary": or_why(&found.stationary, stationary),
        "errors": or_why(&found.errors, |errors| json!({ "coordinates": errors.iter().map(error).collect::<Vec<_>>() })),
        "cycles": or_why(&found.cycles, cycles),
    })
}

fn or_why<T>(value: &Result<T, NotComputed>, of: impl Fn(&T) -> Json) -> Json {
    match value {
        Ok(value) => of(value),
        Err(why) => json!({ "not_computed": why.to_string() }),
    }
}

/// A number, the difference of the two grids, and how many decimals can be trusted, if any can.
fn number(value: &Trusted) -> Json {
    match value.decimals() {
        Some(decimals) => json!({ "value": value.value, "difference": value.difference, "decimals": decimals }),
        None if value.value.is_finite() && value.difference.is_finite() => {
            json!({ "value": value.value, "difference": value.difference })
        }
        None => json!({ "not_computed": "it is not a number" }),
    }
}

fn numbers(values: &[Trusted]) -> Vec<Json> {
    values.iter().map(number).collect()
}

/// Of a run for `summary.json`: what is collected, or why it is not there.
pub fn in_summary(experiment: &Experiment, run: usize) -> Json {
    let not_computed = |why: String| json!({ "not_computed": why });
    let computable = match Computable::new(experiment, run) {
        Ok(computable) if computable.is_cheap() => computable,
        Ok(_) => {
            return not_computed("it would take longer than the run; sampler-lab exact tries to compute it".to_owned());
        }
        Err(why) => return not_computed(why.to_string()),
    };
    let ask = Ask { collected: true, ..Ask::default() };
    match computable.solve(&ask, &mut |_| true) {
        Ok(found) => {
            let mut json = json!({
                "kind": computable.kind().name(),
                "collected": or_why(&found.collected, described),
            });
            if let Some(what) = computable.approximation() {
                json["approximation"] = json!(what);
            }
            json
        }
        Err(why) => not_computed(why.to_string()),
    }
}

/// A distribution in numbers.
fn described(found: &Described) -> Json {
    let dimension = found.mean.len().max(1);
    let measures: Map<String, Json> = found
        .measures
        .iter()
        .map(|(key, value)| {
            let value = match value {
                Ok(value) => number(value),
                Err(why) => json!({ "not_computed": why }),
            };
            ((*key).to_owned(), value)
        })
        .collect();
    json!({
        "lost": found.lost,
        "mean": numbers(&found.mean),
        "covariance": found.covariance.chunks(dimension).map(numbers).collect::<Vec<_>>(),
        "mode_shares": numbers(&found.shares),
        "measures": measures,
    })
}

fn stationary(found: &Stationary) -> Json {
    let mut json = described(&found.described);
    json["exit_rate"] = number(&found.exit_rate);
    json["second_eigenvalue"] = number(&found.second_eigenvalue);
    json["relaxation_time"] = number(&found.relaxation_time);
    json["autocorrelation_times"] = found.autocorrelation_times.iter().map(|time| or_why(time, number)).collect();
    if let Some(acceptance) = &found.acceptance {
        json["acceptance"] = number(acceptance);
    }
    json
}

fn error(error: &MeanError) -> Json {
    let mut json = json!({
        "systematic": number(&error.systematic),
        "variance": number(&error.variance),
        "rmse": number(&error.rmse),
    });
    for (key, part) in [("bias", &error.bias), ("transient", &error.transient)] {
        if let Some(part) = part {
            json[key] = number(part);
        }
    }
    json
}

fn cycles(found: &Cycles) -> Json {
    let matrices = found.matrices.iter().map(|(matrix, difference)| {
        let rows: Vec<Vec<f64>> = matrix.row_iter().map(|row| row.iter().copied().collect()).collect();
        json!({ "rows": rows, "difference": difference })
    });
    let mut json = json!({
        "count": found.count,
        "centres": found.centres,
        "matrices": matrices.collect::<Vec<_>>(),
        "memory": number(&found.memory),
        "long_run": numbers(&found.long_run),
        "first_ends": numbers(&found.first_ends),
        "end_modes": or_why(&found.end_modes, number),
        "end_modes_sd": or_why(&found.end_modes_sd, number),
        "end_kl": or_why(&found.end_kl, number),
    });
    if let Some(defect) = found.defect {
        json["defect"] = json!(defect);
    }
    json
}
