//! `summary.json` of a sweep: the spread of each measure in each cell, bias and mean squared error of estimates, the Pareto front, slopes
//! along the axes, and answers.

use serde_json::{Map, Value as Json, json};

use engine::diagnostics::is_estimate;
use engine::scenario::{Bound, Question, write};
use engine::session::sweep::{
    Answer, Best, Cell, Spread, SweepPlan, answers, best_cells, bias_and_mse, fit_slopes, front_of, mean_cost,
    seeds_left,
};

/// The content of `summary.json` for all cells of a sweep.
pub fn summarise(plan: &SweepPlan, cells: &[Cell]) -> Json {
    let sweep = plan.sweep();
    let axes: Vec<Json> = sweep
        .axes
        .iter()
        .zip(plan.axes())
        .map(|(axis, values)| json!({ "parameter": axis.parameter, "log": axis.log, "values": values }))
        .collect();
    let front = front_of(plan, cells);
    json!({
        "format": 1,
        "program": { "name": "Sampler Lab", "version": env!("CARGO_PKG_VERSION") },
        "scenario_text": write(plan.scenario()),
        "run": sweep.run,
        "axes": axes,
        "seeds": sweep.seeds,
        "cells": cells.iter().map(|cell| of_cell(plan, cell)).collect::<Vec<_>>(),
        "best": best_cells(plan, cells).iter().map(|best| of_best(plan, best)).collect::<Vec<_>>(),
        "front": front.as_ref().ok(),
        "front_reason": front.as_ref().err(),
        "slopes": slopes(plan, cells),
        "answers": answered(plan, cells),
    })
}

/// The results of a cell.
fn of_cell(plan: &SweepPlan, cell: &Cell) -> Json {
    let measures = plan.sweep().measures.iter().zip(&cell.measures);
    let described = |(number, (key, values)): (usize, (&&str, &Vec<Option<f64>>))| {
        let mut described = described(key, values);
        if let Some(reason) = cell.reasons.get(number).filter(|reason| !reason.is_empty()) {
            described["reason"] = json!(reason);
        }
        ((*key).to_owned(), described)
    };
    json!({
        "cell": cell.number,
        "values": plan.values_of(cell.number),
        "evaluations": mean_cost(cell),
        "chains_left": cell.diverged.iter().sum::<u64>(),
        "seeds_with_chains_left": seeds_left(cell),
        "measures": measures.enumerate().map(described).collect::<Map<String, Json>>(),
    })
}

/// The best cell of a measure.
fn of_best(plan: &SweepPlan, best: &Best) -> Json {
    let spread = best.cell.map(|(_, spread)| spread);
    let mut described = json!({
        "measure": if best.is_squared { format!("{}.mse", best.measure) } else { best.measure.to_owned() },
        "cell": best.cell.map(|(cell, _)| cell),
        "values": best.cell.map(|(cell, _)| plan.values_of(cell)),
        "mean": spread.map(|spread| spread.mean),
        "standard_error": spread.and_then(|spread| spread.standard_error()),
        "as_good": best.as_good,
        "left_out": best.left_out,
    });
    if plan.targets() > 1 {
        described["target"] = json!(best.target);
    }
    described
}

/// The spread of a measure; of an estimate also its bias and mean squared error.
fn described(key: &str, values: &[Option<f64>]) -> Json {
    let spread = Spread::of(values);
    let mut described = json!({
        "seeds": spread.map_or(0, |spread| spread.seeds),
        "mean": spread.map(|spread| spread.mean),
        "sd": spread.and_then(|spread| spread.sd),
        "standard_error": spread.and_then(|spread| spread.standard_error()),
        "least": spread.map(|spread| spread.least),
        "most": spread.map(|spread| spread.most),
    });
    if is_estimate(key) {
        let (bias, mse) = bias_and_mse(values).unzip();
        described["bias"] = json!(bias);
        described["mse"] = json!(mse);
    }
    described
}

/// Slopes of the logarithm of each measure against those of the axes; of an estimate, of its bias and mean squared error.
fn slopes(plan: &SweepPlan, cells: &[Cell]) -> Json {
    let mut all = Map::new();
    let mut fit = |name: String, of: &dyn Fn(&Cell) -> Option<f64>| {
        let points: Vec<_> =
            cells.iter().map(|cell| (plan.values_of(cell.number), of(cell).unwrap_or(f64::NAN))).collect();
        let fitted = fit_slopes(&points).map(|slopes| {
            let axes = plan.sweep().axes.iter().zip(&slopes.slopes);
            let axes: Map<String, Json> = axes
                .map(|(axis, (slope, error))| {
                    (axis.parameter.clone(), json!({ "slope": slope, "standard_error": error }))
                })
                .collect();
            json!({ "cells": slopes.cells, "intercept": slopes.intercept, "axes": axes })
        });
        all.insert(name, json!(fitted));
    };
    for (place, key) in plan.sweep().measures.iter().enumerate() {
        if is_estimate(key) {
            fit(format!("{key}.bias"), &|cell| bias_and_mse(&cell.measures[place]).map(|(bias, _)| bias));
            fit(format!("{key}.mse"), &|cell| bias_and_mse(&cell.measures[place]).map(|(_, mse)| mse));
        } else {
            fit((*key).to_owned(), &|cell| Spread::of(&cell.measures[place]).map(|spread| spread.mean));
        }
    }
    Json::Object(all)
}

/// The answers to the questions of the sweep.
fn answered(plan: &SweepPlan, cells: &[Cell]) -> Vec<Json> {
    let described = |(question, answer): (Question, Answer)| {
        let Answer { cell, value, interval, unanswered } = answer;
        let (at_most, at_least) = match question.bound {
            Bound::AtMost(most) => (Some(most), None),
            Bound::AtLeast(least) => (None, Some(least)),
        };
        json!({
            "measure": question.measure,
            "at_most": at_most,
            "at_least": at_least,
            "find": if question.largest { "largest" } else { "smallest" },
            "of": question.of,
            "value": value,
            "interval": interval.map(|(low, high)| [low, high]),
            "unanswered": unanswered,
            "cell": cell,
            "values": cell.map(|cell| plan.values_of(cell)),
        })
    };
    answers(plan, cells, &plan.sweep().questions).into_iter().map(described).collect()
}
