//! Whole experiments with all their measures: `cargo bench --bench experiments`.
//!
//! `cold` starts from a scenario, as the command line does. `instant` is the cost of one movement of a slider in the
//! window's Instant mode: a parameter of the first run changes, every run starts again and goes to its end, and all
//! measures are computed, with the earlier exact noise floors.

use std::cell::{Cell, RefCell};
use std::fmt;

use divan::Bencher;
use sampler_lab::params::Value;
use sampler_lab::scenario::{Edit, LESSONS, Lesson, Scenario};
use sampler_lab::session::Session;

fn main() {
    divan::main();
}

/// An experiment with its name in the table.
#[derive(Clone)]
struct Case {
    name: String,
    scenario: Scenario,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// The published experiment with four chains of both methods, then every lesson.
fn experiments() -> impl Iterator<Item = Case> {
    let four = Lesson::find("authors-code").and_then(|lesson| {
        let scenario = lesson.scenario().ok()?.with_parameter("cSGLD", "chains", Value::Number(4.0)).ok()?;
        Some(Case { name: "authors-code, 4 + 4 chains".to_owned(), scenario })
    });
    let lessons = LESSONS
        .iter()
        .filter_map(|lesson| Some(Case { name: lesson.name.to_owned(), scenario: lesson.scenario().ok()? }));
    four.into_iter().chain(lessons)
}

#[divan::bench(args = experiments(), sample_count = 5, sample_size = 1)]
fn cold(bencher: Bencher<'_, '_>, case: &Case) {
    bencher.with_inputs(|| case.scenario.clone()).bench_local_values(|scenario| {
        let Ok(mut session) = Session::new(scenario) else { return None };
        session.advance(u64::MAX);
        session.measure_exactly();
        Some(session.frame())
    });
}

#[divan::bench(args = experiments(), sample_count = 20, sample_size = 1)]
fn instant(bencher: Bencher<'_, '_>, case: &Case) {
    let Ok(session) = Session::new(case.scenario.clone()) else { return };
    let session = RefCell::new(session);
    let finish = |session: &mut Session| {
        session.advance(u64::MAX);
        session.measure_exactly();
        session.frame()
    };
    finish(&mut session.borrow_mut());
    let Some((path, value)) = first_slider(&case.scenario) else { return };
    let moves = Cell::new(0);
    let next = || {
        moves.set(moves.get() + 1);
        Value::Number(value * (1.0 - 1e-4 * f64::from(moves.get())))
    };
    bencher.with_inputs(next).bench_local_values(|value| {
        let mut session = session.borrow_mut();
        let accepted = session.edit(Edit::Set { run: 0, path: path.clone(), value });
        (accepted.is_ok(), finish(&mut session))
    });
}

/// The first number of the first run's step size, with its path.
fn first_slider(scenario: &Scenario) -> Option<(String, f64)> {
    let Some(Value::Group(schedule)) = scenario.runs.first()?.settings.at("step_size") else { return None };
    schedule.iter().find_map(|(spec, value)| match value {
        Value::Number(number) => Some((format!("step_size.{}", spec.key), *number)),
        _ => None,
    })
}
