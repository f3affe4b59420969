//! The Python programs of fits and of inference of topics against the methods, like those of samplers in [`super::algorithms`]: compared is
//! the fit after every step, its mean and covariance or the parameters of topics. Then each program is changed, and that has to be seen.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use sampler_lab::math::{Coords, Distribution, Point, Purpose, Simd, Stream};
use sampler_lab::methods::{
    self, Approximation, BatchOrder, Chunk, Gradient, METHODS, Method, Population, Problem, Randomness, Scratch, Steps,
    TopicChain, TopicStart, Track, algorithm, algorithm_on_topics, pairs_in,
};
use sampler_lab::params::{KindSpec, Settings, Value, find_kind};
use sampler_lab::schedules::Stage;
use sampler_lab::targets::network::Likelihood;
use sampler_lab::targets::{self, Minibatches, TARGETS, Target};
use serde_json::{Value as Json, json};
use tempfile::NamedTempFile;

use super::algorithms::python;

/// The most that a number may differ, relative to the largest of its step and to 1: some hundred roundings.
const ROUNDING: f64 = 1e-12;

/// The least that a number differs where the Python file is changed.
const SEEN: f64 = 1e-6;

/// The seed of random numbers.
const SEED: u64 = 17;

/// A step of ours: its size, its random numbers in the order in which Python asks for them, and what is there after it.
struct Taken {
    alpha: f64,
    normals: Vec<f64>,
    uniforms: Vec<f64>,
    after: Vec<f64>,
}

/// Steps of ours that Python takes too.
struct Case {
    /// What replays it, in `tests/algorithms_fits.py`.
    replay: &'static str,
    method: &'static str,
    target: Json,
    /// The corners of the view of a planar target.
    view: [[f64; 2]; 2],
    start: Vec<f64>,
    steps: Vec<Taken>,
    /// A text of the program, and another one with which it takes other steps.
    fault: [&'static str; 2],
}

/// The methods that are compared here.
pub(super) const COMPARED: [&str; 9] =
    ["svgd", "laplace", "gaussian-vi", "swag", "mc-dropout", "svi", "cavi", "collapsed-gibbs", "sgrld"];

fn made(kinds: &'static [KindSpec], kind: &str, values: &[(&str, Value)]) -> Settings {
    let mut settings = Settings::defaults(find_kind(kinds, kind).unwrap());
    for (path, value) in values {
        settings.set(path, value.clone()).unwrap();
    }
    settings
}

fn target(kind: &str, values: &[(&str, Value)]) -> Arc<Target> {
    targets::build(&made(&TARGETS, kind, values), Path::new(".")).unwrap()
}

fn method(kind: &str) -> Arc<dyn Method> {
    methods::build(&made(&METHODS, kind, &[])).unwrap()
}

/// Chains at these starts, with fits of a method that has them.
fn chains(method: &dyn Method, target: &Target, starts: &[&[f64]]) -> Population {
    let at = Coords::of(starts[0].len(), starts.iter().copied());
    let zeros = Coords::zeros(at.dimension(), at.len());
    let fit = |start: &&[f64]| {
        let fitting = method.fitting()?;
        Some(Approximation::begin(&fitting, target.info().dimension, Point::new(start[0], start[1])))
    };
    Population { fits: starts.iter().filter_map(fit).collect(), ..method.init(at, 0.1, zeros) }
}

/// Steps of these sizes, with random numbers of a seed.
fn steps(
    method: &dyn Method,
    (target, gradient): (&Target, &Gradient),
    mut chains: Population,
    sizes: &[f64],
    after: impl Fn(&Population) -> Vec<f64>,
) -> Vec<Taken> {
    let (count, needs) = (chains.len(), method.needs(gradient));
    let mut stream = Stream::derive(SEED, Purpose::Chain, 0, 0);
    let pairs = needs.vectors * pairs_in(chains.positions.dimension()) * count;
    let uniforms = target.model().map_or(0, |model| needs.uniforms_on(model, gradient)) * count;
    let problem = Problem::new(target, gradient, Simd::BASELINE);
    let mut scratch = Scratch::default();
    let step = |&alpha: &f64| {
        let (first, second): (Vec<f64>, Vec<f64>) = (0..pairs).map(|_| stream.normal_pair()).unzip();
        let uniforms: Vec<f64> = (0..uniforms).map(|_| stream.uniform()).collect();
        let (mut x, mut y) = (vec![0.0; count], vec![0.0; count]);
        let chunk = Chunk {
            problem: &problem,
            steps: Steps { step_sizes: &[alpha], stages: &[Stage::Sampling], batches: Minibatches::default() },
            randomness: Randomness { first: &first, second: &second, uniforms: &uniforms },
            track: Track { x: &mut x, y: &mut y, records: &mut [] },
            scratch: &mut scratch,
        };
        method.advance(&mut chains, chunk);
        let normals = first.into_iter().zip(second).flat_map(|(first, second)| [first, second]).collect();
        Taken { alpha, normals, uniforms, after: after(&chains) }
    };
    sizes.iter().map(step).collect()
}

/// Mean and covariance of the fit, or where the chain is while there is no fit.
fn moments(chains: &Population) -> Vec<f64> {
    match chains.fits[0].record.distribution {
        Some(Distribution::NormalGamma { mean, precision, shape, rate }) => vec![mean, precision, shape, rate],
        Some(fit) => fit.mean().iter().chain(fit.covariance().iter()).copied().collect(),
        None => chains.positions.vector(0).collect(),
    }
}

/// All positions, chain by chain.
fn positions(chains: &Population) -> Vec<f64> {
    (0..chains.len()).flat_map(|chain| chains.positions.vector(chain)).collect()
}

/// A planar target with its numbers for Python, by its kind.
fn planar(kind: &str) -> (Arc<Target>, Json) {
    match kind {
        "gaussian" => {
            let values = [
                ("mean", Value::Pair([0.5, -0.3])),
                ("sd", Value::Pair([1.0, 0.8])),
                ("correlation", Value::Number(0.6)),
            ];
            (target(kind, &values), json!({"kind": kind, "mean": [0.5, -0.3], "sd": [1.0, 0.8], "correlation": 0.6}))
        }
        "banana" => {
            let values = [("sd", 1.5), ("bend", 0.4), ("width", 0.7)].map(|(key, value)| (key, Value::Number(value)));
            (target(kind, &values), json!({"kind": kind, "sd": 1.5, "bend": 0.4, "width": 0.7}))
        }
        // Without settings the target has ten numbers as data.
        _ => {
            let data = [1.2, 0.7, -0.3, 2.1, 1.5, 0.9, 1.8, 0.2, 1.1, 0.4];
            (target(kind, &[]), json!({"kind": kind, "data": data}))
        }
    }
}

/// The corners of the view.
fn view(target: &Target) -> [[f64; 2]; 2] {
    let view = target.info().view;
    [[view.min.x, view.min.y], [view.max.x, view.max.y]]
}

/// How the gradient is estimated where nothing is said of it.
fn usual_gradient(method: &str) -> Gradient {
    Gradient::from_settings(made(&METHODS, method, &[]).group("gradient").unwrap())
}

/// A fit of a planar target.
fn fit(name: &'static str, kind: &str, start: [f64; 2], sizes: &[f64], fault: [&'static str; 2]) -> Case {
    let (target, numbers) = planar(kind);
    let method = method(name).on(target.space()).unwrap();
    let gradient = if name == "swag" { usual_gradient(name) } else { Gradient::Exact };
    let begun = chains(method.as_ref(), &target, &[&start]);
    let steps = steps(method.as_ref(), (&target, &gradient), begun, sizes, moments);
    let replay = if kind == "normal-gamma" { "cavi_normal_gamma" } else { name };
    Case { replay, method: name, target: numbers, view: view(&target), start: start.to_vec(), steps, fault }
}

fn particles(kind: &str) -> Case {
    let ((target, numbers), method) = (planar(kind), method("svgd"));
    // An odd and an even number of distances are two kinds of median.
    let starts: &[&[f64]] = &[&[1.0, 0.2], &[-0.5, 0.9], &[2.0, -1.3], &[0.1, 0.4], &[-1.2, 0.3]];
    let starts = if kind == "banana" { &starts[..3] } else { starts };
    let begun = chains(method.as_ref(), &target, starts);
    let steps = steps(method.as_ref(), (&target, &Gradient::Exact), begun, &[0.1, 0.3, 0.2], positions);
    let fault = ["np.log(n + 1)", "np.log(n)"];
    let (view, start) = (view(&target), starts.concat());
    Case { replay: "svgd", method: "svgd", target: numbers, view, start, steps, fault }
}

fn dropout() -> Case {
    let (target, method) = (target("network", &[("hidden", Value::Number(3.0))]), method("mc-dropout"));
    let network = target.model().unwrap().network().unwrap();
    let Likelihood::Gaussian { sd } = network.likelihood() else { panic!() };
    let observations = network.observations();
    let numbers = json!({
        "kind": "network", "units": 3, "sd": sd, "prior_sds": network.prior_sds(),
        "x": observations.inputs, "y": observations.targets,
    });
    let start = target.model().unwrap().start();
    let begun = chains(method.as_ref(), &target, &[&start]);
    let steps = steps(method.as_ref(), (&target, &Gradient::Exact), begun, &[0.05; 12], positions);
    let fault = ["< 1 - rate", "< 0.5"];
    Case { replay: "mc_dropout", method: "mc-dropout", target: numbers, view: view(&target), start, steps, fault }
}

fn topics(name: &'static str, gradient: &Gradient, sizes: &[f64], fault: [&'static str; 2]) -> Case {
    // Local steps are cut off: near their end two topics that are alike make much of roundings.
    let small = [("corpus.side", 4.0), ("corpus.documents", 8.0), ("corpus.length", 12.0), ("local_steps", 10.0)];
    let values = small.map(|(path, number)| (path, Value::Number(number)));
    let target = target("topics", &values);
    let (model, method) = (target.topics().unwrap(), method(name).on(target.space()).unwrap());
    let documents = &model.corpus.training;
    let tokens: Vec<&[u32]> = (0..documents.len()).map(|document| documents.tokens(document)).collect();
    let inference = method.inference().unwrap();
    let chain = TopicChain::begin(inference, model, TopicStart::Random, Simd::BASELINE, (SEED, 0, 0));
    let start = if name == "collapsed-gibbs" {
        // The topics of tokens at the start are drawn as those of the chain are.
        let mut stream = Stream::derive(SEED, Purpose::Start, 0, 0);
        let topics = u32::try_from(model.model.topics).unwrap();
        (0..documents.token_count()).map(|_| f64::from(stream.below(topics))).collect()
    } else {
        rows(&chain)
    };
    let positions = Coords::of_points(&[chain.point(model)]);
    let begun = Population { positions, topics: vec![chain], ..Population::default() };
    let mut taken = steps(method.as_ref(), (&target, gradient), begun, sizes, |chains| rows(&chains.topics[0]));
    // Chains of topics have streams of their own.
    let mut noise = Stream::derive(SEED, Purpose::Chain, 0, 0);
    for (number, step) in taken.iter_mut().enumerate() {
        let size = if gradient.batch_size() > 0 { gradient.batch_size() } else { documents.len() };
        let batch = (0..size).map(|index| tokens[(number * size + index) % documents.len()].len());
        let sweeps = if name == "sgrld" { 13 } else { 1 };
        step.uniforms = (0..batch.sum::<usize>() * sweeps).map(|_| noise.uniform()).collect();
        if name == "sgrld" {
            let pairs = (model.model.topics * model.model.words).div_ceil(2);
            step.normals =
                (0..pairs).map(|_| noise.normal_pair()).flat_map(|(first, second)| [first, second]).collect();
        }
    }
    let numbers = json!({
        "kind": "topics", "documents": tokens, "batch": gradient.batch_size(), "alpha": model.model.alpha, "eta": model.model.eta,
        "topics": model.model.topics, "words": model.model.words,
        "local_tolerance": model.tolerance.change, "local_steps": model.tolerance.most_steps,
    });
    let replay = match name {
        "svi" => "svi_topics",
        "cavi" => "cavi_topics",
        _ => name,
    };
    Case { replay, method: name, target: numbers, view: view(&target), start, steps: taken, fault }
}

/// Parameters of the topics, topic by topic.
fn rows(chain: &TopicChain) -> Vec<f64> {
    let parameters = chain.parameters();
    (0..parameters.count()).flat_map(|topic| parameters.topic(topic).collect::<Vec<_>>()).collect()
}

fn cases() -> Vec<Case> {
    let (exact, batch) = (Gradient::Exact, Gradient::minibatch(3, BatchOrder::Cyclic));
    vec![
        particles("gaussian"),
        particles("banana"),
        fit("laplace", "gaussian", [5.0, 4.0], &[1.0; 4], ["inv(-target", "inv(-2 * target"]),
        // Off the arms the curvature is no peak's, on them a whole step leads too far.
        fit("laplace", "banana", [0.3, 6.0], &[1.0; 6], ["else 0.25", "else 0.3"]),
        fit("laplace", "banana", [4.0, -4.0], &[1.0; 8], ["share /= 2", "share /= 3"]),
        fit("gaussian-vi", "gaussian", [2.0, -1.0], &[0.1; 30], ["v + (1 - beta2)", "v + (1 - beta1)"]),
        fit("gaussian-vi", "banana", [2.0, -1.0], &[0.1; 30], ["1 + np.mean", "2 + np.mean"]),
        fit("svi", "gaussian", [2.0, -1.0], &[0.9, 0.5, 0.3, 0.2], ["curvature @ mean", "curvature @ slope"]),
        fit("svi", "banana", [0.3, 4.0], &[0.9, 0.9, 0.9, 0.5, 0.3, 0.2], ["rho / 2", "rho / 3"]),
        fit("swag", "gaussian", [2.0, -1.0], &[0.2; 760], ["-rank:", "-5:"]),
        fit("swag", "banana", [1.0, 0.0], &[0.02; 760], ["% every", "% 9"]),
        fit("cavi", "gaussian", [2.0, -1.0], &[1.0; 6], ["1 / curvature\n", "curvature\n"]),
        fit("cavi", "normal-gamma", [0.2, 1.3], &[1.0; 6], ["target.a + 0.5, target.b", "target.a, target.b"]),
        dropout(),
        topics("collapsed-gibbs", &exact, &[1.0; 4], ["V * eta", "eta"]),
        topics("sgrld", &exact, &[0.01; 2], ["inner_discarded=8, inner_kept=4", "inner_discarded=9, inner_kept=3"]),
        topics("sgrld", &batch, &[0.01; 3], ["/ len(batch)", "/ 4"]),
        topics("svi", &batch, &[0.6, 0.4, 0.3], ["/ len(batch)", "/ 4"]),
        topics("svi", &exact, &[0.6, 0.4, 0.3], ["b @ (n", "b @ (1"]),
        topics("cavi", &exact, &[1.0; 3], ["target.eta + total", "target.alpha + total"]),
    ]
}

/// The numbers of a run without settings, by the names that Python has for them.
fn defaults(method: &str) -> Json {
    let settings = made(&METHODS, method, &[]);
    let number = |value: &Value| if let Value::Number(number) = value { Some(json!(number)) } else { None };
    let own = settings.iter().filter_map(|(spec, value)| Some((spec.key.to_owned(), number(value)?)));
    let draws = settings.at("expectations.draws").and_then(number).map(|draws| ("draws_per_step".to_owned(), draws));
    Json::Object(own.chain(draws).collect())
}

/// What is there after every step of every case with these programs.
fn replayed(python: &str, cases: &[Case], code: impl Fn(&Case) -> (String, Option<Json>)) -> Vec<Vec<Vec<f64>>> {
    let step = |step: &Taken| json!({"alpha": step.alpha, "normals": step.normals, "uniforms": step.uniforms});
    let case = |case: &Case| {
        let (steps, (code, defaults)) = (case.steps.iter().map(step).collect::<Vec<Json>>(), code(case));
        let noisy =
            if case.method == "swag" { json!({"kind": "noisy", "variance": 1.0}) } else { json!({"kind": "exact"}) };
        json!({
            "replay": case.replay, "code": code, "defaults": defaults, "gradient": noisy, "view": case.view,
            "target": case.target, "start": case.start, "steps": steps,
        })
    };
    let mut file = NamedTempFile::new().unwrap();
    serde_json::to_writer(&mut file, &cases.iter().map(case).collect::<Vec<Json>>()).unwrap();
    file.flush().unwrap();
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/algorithms_fits.py");
    let output = Command::new(python)
        .arg(program)
        .arg(file.path())
        .envs([("PYTHONUTF8", "1"), ("PYTHONDONTWRITEBYTECODE", "1")])
        .output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The largest difference of a case, relative to the largest number of its step and to 1.
fn difference(case: &Case, found: &[Vec<f64>]) -> f64 {
    assert_eq!(case.steps.len(), found.len(), "{}", case.method);
    let of_step = |(step, found): (&Taken, &Vec<f64>)| {
        assert!(found.len() >= step.after.len() && !step.after.is_empty(), "{}: {found:?}", case.method);
        let size = step.after.iter().fold(1.0_f64, |size, number| size.max(number.abs()));
        let gaps = step.after.iter().zip(found).map(|(ours, theirs)| (ours - theirs).abs() / size);
        // A number that is none is as far off as can be.
        gaps.fold(0.0_f64, |most, gap| if gap > most || gap.is_nan() { gap } else { most })
    };
    case.steps.iter().zip(found).map(of_step).fold(0.0, f64::max)
}

fn program(case: &Case) -> &'static str {
    let kind = find_kind(&METHODS, case.method).unwrap();
    if case.target["kind"] == "topics" { algorithm_on_topics(kind).code } else { algorithm(kind).code }
}

#[test]
fn programs_of_fits_take_their_steps() {
    let cases = cases();
    assert!(COMPARED.iter().all(|name| cases.iter().any(|case| case.method == *name)));
    let Some(python) = python() else {
        println!("Python with NumPy is not there; the programs of the methods were not run");
        return;
    };
    let own = |case: &Case| (program(case).to_owned(), Some(defaults(case.method)));
    for (case, found) in cases.iter().zip(replayed(python, &cases, own)) {
        let (difference, kind) = (difference(case, &found), &case.target["kind"]);
        println!("{} on {kind}: {difference:.1e}", case.method);
        assert!(difference <= ROUNDING, "{} on {kind}: {difference}", case.method);
    }
}

#[test]
fn a_changed_program_of_a_fit_is_refused() {
    let cases = cases();
    let Some(python) = python() else {
        println!("Python with NumPy is not there; the programs of the methods were not run");
        return;
    };
    let faulty = |case: &Case| {
        let [from, to] = case.fault;
        assert!(program(case).contains(from), "{}: {from:?}", case.method);
        (program(case).replace(from, to), None)
    };
    for (case, found) in cases.iter().zip(replayed(python, &cases, faulty)) {
        let difference = difference(case, &found);
        assert!(difference > SEEN, "{} on {}: {:?} is not seen", case.method, case.target["kind"], case.fault);
    }
}
