//! Every method on every target at both ends of every slider: a short run with all measures ends in time, and every
//! measure has a finite value or says why there is none.
//!
//! One parameter at a time: each of a target with every method, and each of a method, with those of its gradients, schedules,
//! starts and expectations, on every target. Choices and switches take all their values. The number of steps, which only makes runs
//! longer, stays as it is. A combination that the program refuses must say what is allowed.
//!
//! These are some 20 000 combinations. Every end meets every eightieth partner and at least one, and the partners take turns;
//! `SLIDER_ENDS=all cargo test --test it at_slider_ends` takes them all.

#![expect(clippy::print_stdout, reason = "a test says how much it has tried")]

use std::sync::{Mutex, mpsc};
use std::time::Duration;

use sampler_lab::diagnostics::{Measure, UNKNOWN, measure_dynamics};
use sampler_lab::methods::METHODS;
use sampler_lab::params::{NamedNumber, ParamError, ParamType, Settings, Value};
use sampler_lab::scenario::{Caption, MAX_RUNS, RunSpec, Scenario, ViewSpec};
use sampler_lab::session::{RunFrame, Session};
use sampler_lab::targets::TARGETS;

/// Steps of a run.
const STEPS: u32 = 200;

/// Steps of a run with thousands of chains.
const FEW_STEPS: f64 = 20.0;

/// Time for a session of at most [`MAX_RUNS`] runs with all their measures: far more than any needs, so that only one
/// that does not end takes longer.
const PATIENCE: Duration = Duration::from_mins(10);

/// Settings with one parameter at one end, and what that is in words.
type Variant = (String, Settings);

/// The settings with every parameter at each of its ends, one at a time, in the groups of all kinds too.
fn variants(settings: &Settings) -> Vec<Variant> {
    let mut found = Vec::new();
    for spec in settings.kind.params.iter().filter(|spec| spec.key != "steps") {
        let values: Vec<Value> = match spec.ty {
            ParamType::Number { slider, .. } | ParamType::Integer { slider, .. } => {
                vec![Value::Number(slider.0), Value::Number(slider.1)]
            }
            ParamType::Flag => vec![Value::Flag(false), Value::Flag(true)],
            ParamType::Choice(choices) => choices.iter().map(|choice| Value::Choice(choice.name)).collect(),
            ParamType::Group(kinds) => {
                for kind in kinds {
                    let group = Settings::defaults(kind);
                    let alone = (kind.name.to_owned(), group.clone());
                    for (text, group) in [alone].into_iter().chain(variants(&group)) {
                        let mut changed = settings.clone();
                        // What is missing in a group is said when the run is built.
                        if changed.set(spec.key, Value::Group(group)).is_ok() {
                            found.push((format!("{} {} {text}", spec.key, kind.name), changed));
                        }
                    }
                }
                Vec::new()
            }
            ParamType::Named => {
                let numbers = settings.named(spec.key);
                let moved = |index: usize, value: f64| {
                    let mut numbers = numbers.to_vec();
                    numbers[index].value = value;
                    Value::Named(numbers)
                };
                let ends = |(index, number): (usize, &NamedNumber)| {
                    let (from, to) = number.slider();
                    [moved(index, from), moved(index, to)]
                };
                numbers.iter().enumerate().flat_map(ends).collect()
            }
            ParamType::Text
            | ParamType::Pair { .. }
            | ParamType::Covariance
            | ParamType::Knots
            | ParamType::Points { .. }
            | ParamType::List(_)
            | ParamType::Picture => Vec::new(),
        };
        for value in values {
            let mut changed = settings.clone();
            changed.set(spec.key, value.clone()).unwrap();
            found.push((format!("{} = {value:?}", spec.key), changed));
        }
    }
    found
}

/// A method at its defaults, in a short run with two chains.
fn run_of(mut settings: Settings) -> Settings {
    settings.set("steps", Value::Number(f64::from(STEPS))).unwrap();
    if settings.kind.param("chains").is_some() {
        settings.set("chains", Value::Number(2.0)).unwrap();
    }
    settings
}

/// Few steps for many chains.
fn shortened(mut settings: Settings) -> Settings {
    if settings.kind.param("chains").is_some() && settings.count("chains") > 100 {
        settings.set("steps", Value::Number(FEW_STEPS)).unwrap();
    }
    settings
}

/// All methods at their defaults.
fn plain_methods() -> Vec<Variant> {
    METHODS.iter().map(|kind| (kind.name.to_owned(), run_of(Settings::defaults(kind)))).collect()
}

/// All methods with each of their parameters at each end.
fn varied_methods() -> Vec<Variant> {
    let of = |(name, settings): Variant| {
        variants(&settings).into_iter().map(move |(text, settings)| (format!("{name}: {text}"), shortened(settings)))
    };
    plain_methods().into_iter().flat_map(of).collect()
}

fn remedy(errors: &[ParamError]) {
    assert!(!errors.is_empty());
    for error in errors {
        assert!(!error.problem.is_empty() && !error.allowed.is_empty(), "{error}");
    }
}

/// What was found in a session.
#[derive(Default)]
struct Outcome {
    values: usize,
    reasons: usize,
    wrong: Vec<String>,
}

impl Outcome {
    fn add(&mut self, other: Self) {
        self.values += other.values;
        self.reasons += other.reasons;
        self.wrong.extend(other.wrong);
    }

    /// A measure has a finite value or a reason. That a truth is not known says nothing of a run.
    fn count(&mut self, measure: &Measure, on: &str) {
        let Measure { value, floor, reason, .. } = measure;
        if value.is_some() {
            self.values += 1;
        } else if *reason != UNKNOWN {
            self.reasons += 1;
        }
        let finite = value.is_none_or(f64::is_finite)
            && floor.is_none_or(|floor| [floor.mean, floor.low, floor.high].iter().all(|number| number.is_finite()));
        if !finite || (value.is_none() && reason.is_empty()) {
            self.wrong.push(format!("{on}: {measure:?}"));
        }
    }
}

/// All other numbers of a run are finite.
fn check_numbers(run: &RunFrame, on: &str, wrong: &mut Vec<String>) {
    let mut check = |fine: bool, what: String| {
        if !fine {
            wrong.push(format!("{on}: {what}"));
        }
    };
    check(run.gradient_evaluations.is_finite(), "gradient evaluations".to_owned());
    check(run.positions.iter().all(|at| at.iter().all(|coordinate| coordinate.is_finite())), "positions".to_owned());
    for gaussian in run.moments.iter().chain(run.fits.iter().filter_map(|fits| fits.moments.as_ref())) {
        check(gaussian.is_finite(), format!("{gaussian:?}"));
    }
    if let Some(overlap) = run.analysis.fit.overlap {
        let fine = (0.0..=1.0 + 1e-9).contains(&overlap.coefficient) && overlap.excess.is_none_or(f64::is_finite);
        check(fine, format!("{overlap:?}"));
    }
    for record in run.fits.iter().flat_map(|fits| &fits.records) {
        let elbo = record.elbo.is_none_or(|elbo| elbo.value.is_finite() && !elbo.standard_error.is_nan());
        let evidence = record.log_evidence.is_none_or(f64::is_finite);
        check(elbo && evidence && record.distribution.is_none_or(|q| q.is_sound()), format!("{record:?}"));
    }
}

/// Runs on one target, as many as a session takes.
struct Case {
    target: Variant,
    runs: Vec<Variant>,
    /// Whether noise floors are computed, which take longer than the runs; they are those of the target, whatever the runs are.
    floors: bool,
}

/// The share of the sessions with noise floors: every fourth.
const WITH_FLOORS: usize = 4;

impl Case {
    fn scenario(&self) -> Scenario {
        let run = |(number, (_, settings)): (usize, &Variant)| RunSpec {
            name: format!("run {number}"),
            settings: settings.clone(),
        };
        Scenario {
            title: String::new(),
            caption: Caption::default(),
            challenges: Vec::new(),
            sweep: None,
            view: ViewSpec::default(),
            seed: 5,
            budget: None,
            target: self.target.1.clone(),
            runs: self.runs.iter().enumerate().map(run).collect(),
            events: Vec::new(),
            folder: ".".into(),
        }
    }

    /// Runs and measures.
    fn check(&self) -> Outcome {
        let mut session = Session::new(self.scenario()).unwrap();
        session.advance(u64::from(STEPS));
        session.analyse();
        if self.floors {
            session.measure_exactly();
        } else {
            session.measure();
        }
        let frame = session.frame();
        let mut outcome = Outcome::default();
        for (run, (text, _)) in frame.runs.iter().zip(&self.runs) {
            let on = format!("{text} on {}", self.target.0);
            let dynamics = measure_dynamics(&run.dynamics(&frame.truth));
            let measures = run.measures.iter().chain(&run.analysis.measures).chain(&run.analysis.fit.measures);
            let measures = measures.chain(&run.analysis.predicted.measures);
            measures.chain(&dynamics).for_each(|measure| outcome.count(measure, &on));
            check_numbers(run, &on, &mut outcome.wrong);
        }
        outcome
    }

    /// The same, but a run that does not end is a failure that names the target and the runs.
    fn check_in_time(self) -> Outcome {
        let texts: Vec<&str> = self.runs.iter().map(|(text, _)| text.as_str()).collect();
        let name = format!("{} with {}", self.target.0, texts.join("; "));
        let (done, waiting) = mpsc::channel();
        let body = move || done.send(self.check()).unwrap();
        let thread = std::thread::Builder::new().spawn(body).unwrap();
        match waiting.recv_timeout(PATIENCE) {
            Ok(outcome) => outcome,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("does not end: {name}"),
            Err(mpsc::RecvTimeoutError::Disconnected) => std::panic::resume_unwind(thread.join().unwrap_err()),
        }
    }
}

/// The sessions with a target: all runs that can be built on it. Counts those that are refused.
fn cases(target: &Variant, runs: &[Variant]) -> (Vec<Case>, usize) {
    let one = |runs| Case { target: target.clone(), runs, floors: false };
    // Topics have methods of their own.
    let first = if target.1.kind.name == "topics" { "svi" } else { "gradient-descent" };
    let first = plain_methods().into_iter().find(|(name, _)| name == first).unwrap();
    let spans = match one(vec![first]).scenario().build() {
        Ok(experiment) => experiment.spans,
        Err(errors) => {
            remedy(&errors);
            return (Vec::new(), runs.len());
        }
    };
    let shorter = |(text, mut settings): Variant| {
        // A step of inference of topics may be a sweep over all documents.
        if target.1.kind.name == "topics" {
            settings.set("steps", Value::Number(FEW_STEPS)).unwrap();
        }
        (text, settings)
    };
    let builds = |run: &Variant| match one(vec![run.clone()]).scenario().build_run(0, &spans) {
        Ok(_) => true,
        Err(errors) => {
            remedy(&errors);
            false
        }
    };
    let built: Vec<Variant> = runs.iter().cloned().map(shorter).filter(builds).collect();
    (built.chunks(MAX_RUNS).map(|runs| one(runs.to_vec())).collect(), runs.len() - built.len())
}

/// The runs that target number `target` meets: every eightieth and at least one, beginning with another one for each target.
fn share(runs: &[Variant], target: usize) -> Vec<Variant> {
    let every = if std::env::var("SLIDER_ENDS").is_ok_and(|which| which == "all") { 1 } else { runs.len().min(80) };
    runs.iter().skip(target % every).step_by(every).cloned().collect()
}

/// Checks all runs on all targets and says how many there were.
fn check_all(targets: &[Variant], runs: &[Variant]) {
    let (mut all, mut refused) = (Vec::new(), 0);
    for (number, target) in targets.iter().enumerate() {
        let (cases, not_built) = cases(target, &share(runs, number));
        all.extend(cases);
        refused += not_built;
    }
    all.iter_mut().step_by(WITH_FLOORS).for_each(|case| case.floors = true);
    let (sessions, number) = (all.len(), all.iter().map(|case| case.runs.len()).sum::<usize>());
    // Not on the threads on which sessions compute: who waits for a session there may wait for himself.
    let queue = Mutex::new(all.into_iter());
    let total = Mutex::new(Outcome::default());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some(case) = queue.lock().unwrap().next() else { break };
                    let outcome = case.check_in_time();
                    total.lock().unwrap().add(outcome);
                }
            });
        }
    });
    let total = total.into_inner().unwrap();
    println!(
        "{number} runs in {sessions} sessions, {refused} refused; {} values, {} reasons",
        total.values, total.reasons
    );
    assert!(total.wrong.is_empty(), "{} numbers are wrong:\n{}", total.wrong.len(), total.wrong.join("\n"));
    assert!(number > refused, "most combinations are allowed");
    assert!(total.values > total.reasons, "most measures have a value");
}

#[test]
fn every_method_ends_at_both_ends_of_the_sliders_of_every_target() {
    let varied = TARGETS.iter().flat_map(|kind| {
        variants(&Settings::defaults(kind))
            .into_iter()
            .map(move |(text, settings)| (format!("{} {text}", kind.name), settings))
    });
    check_all(&varied.collect::<Vec<_>>(), &plain_methods());
}

#[test]
fn every_target_ends_at_both_ends_of_the_sliders_of_every_method() {
    let plain = TARGETS.iter().map(|kind| (kind.name.to_owned(), Settings::defaults(kind)));
    check_all(&plain.collect::<Vec<_>>(), &varied_methods());
}
