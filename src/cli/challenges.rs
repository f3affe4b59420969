//! Challenges in `summary.json`: what is true at the end of the runs, and whether goals are met. It is the key to the answers, and grades
//! the files that are handed in.

use serde_json::{Value as Json, json};

use engine::scenario::Challenge;
use engine::session::Frame;
use engine::session::challenge::{Key, key};

/// All challenges of the scenario of a frame; nothing if there are none.
pub fn summary(frame: &Frame) -> Option<Json> {
    let challenges = &frame.scenario.challenges;
    (!challenges.is_empty()).then(|| challenges.iter().map(|challenge| of(frame, challenge)).collect())
}

/// One challenge; where nothing is known to be true, the reason.
fn of(frame: &Frame, challenge: &Challenge) -> Json {
    let mut described = json!({ "kind": challenge.task.kind(), "ask": challenge.words() });
    if let Some(run) = challenge.task.run() {
        described["run"] = json!(run);
    }
    if let Some(measure) = challenge.task.measure() {
        described["measure"] = json!(measure);
    }
    match key(frame, challenge) {
        Ok(Key::Mass { chips, share, .. }) => {
            let dimension = frame.target.info().dimension;
            let points: Vec<Vec<f64>> =
                chips.iter().map(|chip| chip.iter().take(dimension).copied().collect()).collect();
            described["truth"] = json!({ "chips": points, "share": share });
        }
        Ok(Key::Number(value)) => described["truth"] = json!(value),
        Ok(Key::Runs { right, .. }) => {
            let names: Vec<&str> = right.iter().map(|run| frame.runs[*run].plan.name.as_str()).collect();
            described["truth"] = json!(names);
        }
        Ok(Key::Goal(attempt)) => {
            described["truth"] = json!(attempt.value);
            described["met"] = json!(attempt.is_met());
        }
        Err(reason) => {
            described["truth"] = Json::Null;
            described["reason"] = json!(reason);
            if !challenge.task.is_question() {
                described["met"] = json!(false);
            }
        }
    }
    described
}
