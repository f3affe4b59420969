//! Trials for tests.

use std::path::PathBuf;

use super::trial::{Measured, Parameter, Trial, TrialRun};

/// A trial of one run with a step size and values of `tv`; what is no finite number has no value.
pub fn trial(number: u64, step_size: f64, values: &[f64]) -> Trial {
    let parameter = |path: &str, label: &str, value: f64| Parameter {
        path: path.to_owned(),
        label: label.to_owned(),
        words: value.to_string(),
        number: value.is_finite().then_some(value),
    };
    let run = |(at, value): (usize, &f64)| TrialRun {
        diverged: false,
        name: format!("Run {at}"),
        parameters: vec![parameter("steps", "steps", 100.0), parameter("step_size.value", "step size α", step_size)],
        measures: vec![Measured {
            key: "tv".to_owned(),
            label: "Total variation".to_owned(),
            value: value.is_finite().then_some(*value),
            text: value.to_string(),
        }],
    };
    Trial {
        number,
        title: "Test".to_owned(),
        seed: 7,
        step: 100,
        note: String::new(),
        hid_truth: false,
        target: Vec::new(),
        runs: values.iter().enumerate().map(run).collect(),
        leading: vec!["tv".to_owned()],
        along: None,
        scenario: String::new(),
        folder: PathBuf::new(),
    }
}
