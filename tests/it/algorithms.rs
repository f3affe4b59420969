//! The Python programs of the methods, which the window shows, against the methods: `tests/algorithms.py` replays steps with our random numbers.
//!
//! Every method takes some steps as in a session, with numbers that are drawn here. The program of the method gets the same numbers in the
//! order in which it asks for them, and has to lead to the same positions. Needs Python with NumPy: where it is missing nothing is compared,
//! unless `ALGORITHMS=required` says that this is an error.

use std::io::Write as _;
use std::process::Command;
use std::sync::Arc;

use sampler_lab::math::{Coords, Purpose, Simd, Stream};
use sampler_lab::methods::{
    Approximation, Chunk, Gradient, METHODS, Method, Population, Problem, Randomness, Scratch, Steps, Track, algorithm,
    pairs_in,
};
use sampler_lab::params::{ParamErrors, Settings, Value};
use sampler_lab::scenario::practice::practice;
use sampler_lab::scenario::{self, RunPlan, RunSpec};
use sampler_lab::schedules::{Library, Stage};
use sampler_lab::targets::Target;
use serde_json::{Map, Value as Json, json};
use tempfile::TempDir;

use super::algorithm_cases::{CASES, Case, Given, Order, ROWS};
use super::algorithms_fits::COMPARED;
use super::cli::folder_with;

/// Steps of a case. There are two cycles in it, and two steps of demcz with γ = 1.
const STEPS: u64 = 21;

/// The largest distance of a coordinate of a start from 0, in units of a standard normal.
const SPREAD: f64 = 1.2;

/// A folder with the file of the regression.
fn folder() -> TempDir {
    let lines = ROWS.map(|row| row.map(|number| number.to_string()).join(","));
    folder_with("rows.csv", &(lines.join("\n") + "\n"))
}

/// What a program is told of a value; `None` of a table.
fn json_of(value: &Value) -> Option<Json> {
    match value {
        Value::Number(number) => Some(json!(number)),
        Value::Flag(flag) => Some(json!(flag)),
        Value::Choice(word) => Some(json!(word)),
        Value::Text(text) => Some(json!(text)),
        Value::Pair(pair) => Some(json!(pair)),
        _ => None,
    }
}

/// All parameters that are no tables, those that are left out as null.
fn json_of_settings(settings: &Settings) -> Map<String, Json> {
    let of = |key: &str| settings.get(key).map_or(Some(Json::Null), json_of);
    settings.kind.params.iter().filter_map(|spec| Some((spec.key.to_owned(), of(spec.key)?))).collect()
}

/// The target with its parameters, and the data of a regression.
fn json_of_target(settings: &Settings) -> Json {
    let name = settings.kind.name;
    let keeps = |key: &str| name != "linear-regression" || key.ends_with("_sd");
    let mut parameters: Map<String, Json> =
        json_of_settings(settings).into_iter().filter(|(key, _)| keeps(key)).collect();
    parameters.insert("kind".to_owned(), json!(name));
    if name == "linear-regression" {
        parameters.insert("rows".to_owned(), json!(ROWS));
    }
    Json::Object(parameters)
}

fn json_of_gradient(gradient: &Gradient) -> Json {
    match *gradient {
        Gradient::Exact => json!({ "kind": "exact" }),
        Gradient::Noisy { variance, .. } => json!({ "kind": "noisy", "variance": variance }),
        Gradient::Minibatch { size, .. } => json!({ "kind": "minibatch", "size": size }),
    }
}

/// A run that is made of a case.
struct Run {
    target: Arc<Target>,
    described: Settings,
    spec: RunSpec,
    plan: RunPlan,
    /// The whole run as a text with NumPy, of a method that has one.
    whole: Option<String>,
    stream: Stream,
}

impl Run {
    fn new(case: &Case, number: u64) -> Self {
        Self::of(case, number, STEPS)
    }

    /// A run of so many steps.
    fn of(case: &Case, number: u64, steps: u64) -> Self {
        let text = format!(
            "format = 1\ntitle = \"steps\"\nseed = 1\n[target]\n{}\n[[run]]\nname = \"run\"\nmethod = \"{}\"\nsteps = {steps}\n{}",
            case.target, case.method, case.run
        );
        let folder = folder();
        let mut scenario =
            scenario::read(&text, "steps.toml", folder.path()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut built = scenario.build().unwrap_or_else(|errors| panic!("{}\n{text}", ParamErrors(errors)));
        let (plan, spec) = (built.runs.remove(0), scenario.runs.remove(0));
        let whole = plan.step_sizes().text(Library::NumPy, &practice(&scenario, &spec, &plan).0);
        Self {
            target: built.spans.remove(0).target,
            described: scenario.target,
            spec,
            plan,
            whole,
            stream: Stream::derive(1, Purpose::Chain, 0, number),
        }
    }

    fn normals(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.stream.normal_pair().0).collect()
    }

    /// Chains at random, with the state that the method begins with, and the normals of it in the order of chains.
    fn begin(&mut self) -> (Population, Vec<f64>) {
        let (chains, segment) = (self.plan.chains, self.plan.segments[0].clone());
        let model = self.target.model().unwrap();
        let (dimension, auxiliary) = (model.dimension(), segment.method.auxiliary_normals(model));
        let auxiliary = if segment.method.carries().is_empty() { 0 } else { auxiliary };
        let starts: Vec<Vec<f64>> =
            (0..chains).map(|_| self.normals(dimension).iter().map(|normal| SPREAD * normal).collect()).collect();
        let normals: Vec<Vec<f64>> = (0..chains).map(|_| self.normals(auxiliary)).collect();
        let coords = |rows: &[Vec<f64>], width| Coords::of(width, rows.iter().map(Vec::as_slice));
        let mut population =
            segment.method.init(coords(&starts, dimension), segment.schedule.step_size(1), coords(&normals, auxiliary));
        if let Some(fitting) = segment.method.fitting() {
            let begin = |chain| Approximation::begin(&fitting, dimension, population.position(chain));
            population.fits = (0..chains).map(begin).collect();
        }
        (population, in_blocks(&normals, dimension, segment.method.as_ref()))
    }

    /// Random numbers of a step.
    fn given(&mut self) -> Given {
        let (chains, segment) = (self.plan.chains, self.plan.segments[0].clone());
        let model = self.target.model().unwrap();
        let (needs, dimension) = (segment.method.needs(&segment.gradient), model.dimension());
        let uniforms = needs.uniforms_on(model, &segment.gradient) * chains;
        Given {
            chains,
            vectors: needs.vectors,
            gradient: segment.gradient,
            normals: (0..needs.vectors * chains).map(|_| self.normals(dimension)).collect(),
            uniforms: (0..uniforms).map(|_| self.stream.uniform()).collect(),
        }
    }

    /// A minibatch for each chain; none if the gradient has none.
    fn batches(&mut self) -> Vec<Vec<u32>> {
        let size = self.plan.segments[0].gradient.batch_size();
        let count = if size > 0 { self.plan.chains } else { 0 };
        let data = u32::try_from(ROWS.len()).unwrap();
        (0..count).map(|_| (0..size).map(|_| self.stream.below(data)).collect()).collect()
    }

    /// Takes a step.
    fn advance(
        &self,
        number: u64,
        chains: &mut Population,
        given: &Given,
        batches: &[Vec<u32>],
        scratch: &mut Scratch,
    ) {
        let segment = &self.plan.segments[0];
        let dimension = chains.positions.dimension();
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for vectors in given.normals.chunks(given.chains) {
            for pair in 0..pairs_in(dimension) {
                for vector in vectors {
                    first.push(vector[2 * pair]);
                    second.push(vector.get(2 * pair + 1).copied().unwrap_or_default());
                }
            }
        }
        let size = segment.gradient.batch_size();
        let indices: Vec<u32> = (0..size).flat_map(|datum| batches.iter().map(move |batch| batch[datum])).collect();
        let (mut x, mut y) = (vec![0.0; given.chains], vec![0.0; given.chains]);
        let chunk = Chunk {
            problem: &Problem::new(&self.target, &segment.gradient, Simd::BASELINE),
            steps: Steps {
                step_sizes: &[segment.schedule.step_size(number)],
                stages: &[segment.schedule.stage(number)],
                batches: segment.gradient.minibatches(&indices, given.chains),
            },
            randomness: Randomness { first: &first, second: &second, uniforms: &given.uniforms },
            track: Track { x: &mut x, y: &mut y, records: &mut [] },
            scratch,
        };
        segment.method.advance(chains, chunk);
    }
}

/// Normals of the state at the start: chain after chain. Where a chain has several vectors, as in an archive, vector after vector.
fn in_blocks(normals: &[Vec<f64>], dimension: usize, method: &dyn Method) -> Vec<f64> {
    let width = normals.first().map_or(0, Vec::len);
    let block = if method.carries().contains(&"archive") { dimension } else { width };
    let blocks = width.checked_div(block).unwrap_or(0);
    (0..blocks)
        .flat_map(|number| normals.iter().flat_map(move |vector| vector[number * block..][..block].to_vec()))
        .collect()
}

fn positions(chains: &Population) -> Vec<Vec<f64>> {
    (0..chains.len()).map(|chain| chains.positions.vector(chain).collect()).collect()
}

/// The case with its steps, for the program.
fn json_of_case(number: usize, case: &Case) -> Json {
    let mut run = Run::new(case, number as u64);
    let (mut chains, start_normals) = run.begin();
    let (start, mut scratch) = (positions(&chains), Scratch::default());
    let segment = run.plan.segments[0].clone();
    let steps: Vec<Json> = (1..=STEPS)
        .map(|number| {
            let (given, batches) = (run.given(), run.batches());
            run.advance(number, &mut chains, &given, &batches, &mut scratch);
            let weight = scratch.weights.pop();
            let Order { gradient, normals, uniforms } = (case.order)(&given);
            let explores = segment.schedule.stage(number) == Stage::Exploration { noise: false };
            let estimates = if batches.is_empty() { json!(gradient) } else { json!(batches) };
            json!({
                "step_size": segment.schedule.step_size(number), "explores": explores, "gradient": estimates,
                "normals": normals, "uniforms": uniforms, "positions": positions(&chains), "weight": weight,
            })
        })
        .collect();
    let kind = run.spec.settings.kind;
    json!({
        "method": case.method, "name": format!("{} {}", run.described.kind.name, case.run.replace('\n', " ")),
        "code": algorithm(kind).code, "target": json_of_target(&run.described),
        "gradient": json_of_gradient(&segment.gradient), "options": json_of_settings(&run.spec.settings),
        "defaults": json_of_settings(&Settings::defaults(kind)), "together": run.plan.chains > 1, "start": start,
        "start_normals": start_normals, "steps": steps, "spares": case.spares,
    })
}

/// A Python with NumPy, if there is one.
pub(super) fn python() -> Option<&'static str> {
    let has_numpy = |program: &&str| {
        let output = Command::new(program).args(["-c", "import numpy"]).output();
        output.is_ok_and(|output| output.status.success())
    };
    let found = ["python3", "/usr/bin/python3"].into_iter().find(has_numpy);
    let is_required = std::env::var("ALGORITHMS").as_deref() == Ok("required");
    assert!(found.is_some() || !is_required, "Python with NumPy is not there");
    found
}

/// What the program prints, and whether all cases agree.
fn compared(python: &str, cases: &[Json]) -> (bool, String) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    serde_json::to_writer(&mut file, cases).unwrap();
    file.flush().unwrap();
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/algorithms.py");
    let output = Command::new(python).args(["-W", "ignore", program]).arg(file.path()).env("PYTHONUTF8", "1").output();
    let output = output.unwrap();
    let texts = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (output.status.success(), texts.concat())
}

#[test]
fn programs_of_methods_take_the_steps_of_the_methods() {
    let cases: Vec<Json> = CASES.iter().enumerate().map(|(number, case)| json_of_case(number, case)).collect();
    let Some(python) = python() else {
        println!("Python with NumPy is not there; the programs of the methods were not run");
        return;
    };
    let (agree, text) = compared(python, &cases);
    println!("{text}");
    assert!(agree, "{text}");
}

/// Every method has cases here, but for those that are compared as fits.
#[test]
fn programs_of_all_methods_are_compared() {
    for method in &METHODS {
        let count = CASES.iter().filter(|case| case.method == method.name).count();
        assert_eq!(count == 0, COMPARED.contains(&method.name), "{} has {count} cases", method.name);
    }
}

/// A program whose formula has changed is refused.
#[test]
fn a_changed_program_is_refused() {
    let changes = [
        ("sgld", "+ alpha * slope", "- alpha * slope"),
        ("sghmc", "friction - beta", "friction + beta"),
        ("nuts", "direction < 0.5", "direction > 0.5"),
        ("nuts", "within / share", "within"),
        ("gibbs", "widths_above = most_widths - 1", "widths_above = most_widths"),
        ("adam", "beta2=0.999", "beta2=0.99"),
        ("random-walk", "rng.random()", "rng.random(2)[0]"),
    ];
    let Some(python) = python() else {
        println!("Python with NumPy is not there; the programs of the methods were not run");
        return;
    };
    for (method, from, to) in changes {
        let cases: Vec<Json> = CASES
            .iter()
            .enumerate()
            .filter(|(_, case)| case.method == method)
            .map(|(number, case)| {
                let mut changed = json_of_case(number, case);
                let code = changed["code"].as_str().unwrap();
                assert!(code.contains(from), "{from} in\n{code}");
                changed["code"] = json!(code.replace(from, to));
                changed
            })
            .collect();
        let (agree, text) = compared(python, &cases);
        assert!(!agree && text.contains("cases differ"), "{method} with {to}:\n{text}");
    }
}

/// Runs whose text with NumPy is compared: of each method with its own momentum or noise, with cycles and without.
const WHOLE: [(&str, &str, &str); 10] = [
    ("sgld", "kind = \"gaussian\"", "step_size = { kind = \"polynomial\", first = 0.2, last = 0.001, hold = 20 }"),
    (
        "sgld",
        super::algorithm_cases::REGRESSION,
        "gradient = { kind = \"minibatch\", size = 2 }\nstep_size = { kind = \"constant\", value = 0.001 }",
    ),
    (
        "csgld",
        "kind = \"gaussian\"",
        "step_size = { kind = \"cyclical\", initial = 0.2, cycles = 7, exploration_steps = 30 }",
    ),
    (
        "csgld",
        "kind = \"gaussian\"",
        "step_size = { kind = \"cyclical\", initial = 0.2, cycle_steps = 60, growth = 2, minimum = 0.001, warm_up = 10 }",
    ),
    (
        "csgld",
        "kind = \"gaussian\"",
        "step_size = { kind = \"cyclical\", initial = 0.2, cycles = 7, exploration_noise = true }",
    ),
    (
        "csgld",
        super::algorithm_cases::REGRESSION,
        "gradient = { kind = \"minibatch\", size = 2, compensate = true }\nstep_size = { kind = \"cyclical\", initial = 0.0005, cycles = 9 }",
    ),
    ("sgld", "kind = \"gaussian\"", "step_size = { kind = \"list\", values = \"0 0.1 0.2 0.05\" }"),
    (
        "sgld",
        "kind = \"gaussian\"",
        "step_size = { kind = \"formula\", formula = \"a*(1 + t % 50)/T + a*0.99^k\", parameters = { a = 0.1 } }",
    ),
    ("sghmc", "kind = \"banana\"", "friction = 0.3\nstep_size = { kind = \"constant\", value = 0.01 }"),
    (
        "csghmc",
        super::algorithm_cases::REGRESSION,
        "gradient = { kind = \"minibatch\", size = 2 }\nstep_size = { kind = \"cyclical\", initial = 0.0005, cycles = 9 }",
    ),
];

/// Steps of these runs.
const WHOLE_STEPS: u64 = 1000;

/// The draws of a run, with all random numbers in order.
fn json_of_whole(number: usize, (method, target, lines): (&'static str, &'static str, &'static str)) -> Json {
    let case = Case { method, target, run: lines, order: super::algorithm_cases::plain, spares: false };
    let mut run = Run::of(&case, 100 + number as u64, WHOLE_STEPS);
    let (mut chains, start_normals) = run.begin();
    let (start, mut scratch) = (positions(&chains), Scratch::default());
    let segment = run.plan.segments[0].clone();
    let (mut normals, mut estimates, mut draws) = (start_normals, Vec::new(), Vec::new());
    for step in 1..=WHOLE_STEPS {
        let (given, batches) = (run.given(), run.batches());
        run.advance(step, &mut chains, &given, &batches, &mut scratch);
        let order = (case.order)(&given);
        normals.extend(order.normals);
        estimates.extend(batches.into_iter().map(|batch| json!(batch)));
        estimates.extend(order.gradient.into_iter().map(|normals| json!(normals)));
        if segment.schedule.stage(step) == Stage::Sampling {
            draws.push(positions(&chains).remove(0));
        }
    }
    json!({
        "name": format!("{method} {lines}"), "text": run.whole, "target": json_of_target(&run.described),
        "gradient": json_of_gradient(&segment.gradient), "start": start[0], "normals": normals, "estimates": estimates,
        "draws": draws,
    })
}

/// The text that takes a whole run to NumPy makes the draws of the run from the same random numbers.
#[test]
fn whole_runs_in_numpy_make_the_draws_of_the_runs() {
    let mut cases: Vec<Json> =
        WHOLE.into_iter().enumerate().map(|(number, case)| json_of_whole(number, case)).collect();
    let Some(python) = python() else {
        println!("Python with NumPy is not there; the texts of runs were not run");
        return;
    };
    let (agree, text) = compared(python, &cases);
    println!("{text}");
    assert!(agree, "{text}");
    // A run with another friction has other draws.
    let changed = cases[8]["text"].as_str().unwrap().replace("friction=0.3", "friction=0.31");
    cases[8]["text"] = json!(changed);
    let (agree, text) = compared(python, &cases[8..9]);
    assert!(!agree && text.contains("cases differ"), "{text}");
}
