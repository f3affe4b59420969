//! Golden bits: short hashes of what every method makes on every target, of every lesson with its measures, and of some exact
//! distributions, held against `tests/data/golden_pairs.txt` and `golden_lessons.txt`.
//!
//! A change that moves code leaves every hash as it is. A change of arithmetic changes some: then run
//! `GOLDEN=write cargo test --test it golden`, look at which lines differ, and say in the commit why they do.
//!
//! Everything is hashed to the last bit, which every machine reproduces: `tests/portable.sh` computes the hashes of the
//! lessons and distributions as WebAssembly and, where there is an emulator, on an ARM processor.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use rayon::prelude::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use sampler_lab::methods::{self, METHODS};
use sampler_lab::params::{KindSpec, Settings, Value, find_kind};
use sampler_lab::scenario::{self, LESSONS, Lesson};
use sampler_lab::session::Session;
use sampler_lab::targets::{self, TARGETS, Target};

use super::pairs::{bounded, curvature, described, gallery, planar_data, step_size};

#[path = "../digests/src/digest.rs"]
mod digest;
#[path = "../digests/src/distributions.rs"]
mod distributions;

use digest::Hash;

/// Numbers of chains of each pair.
const CHAINS: [usize; 2] = [1, 5];

/// Steps of a sampler: several chunks of steps, several cycles.
const STEPS: usize = 700;

/// Steps of an approximation, which are dearer.
const FIT_STEPS: usize = 100;

/// Share of the limit of stability, about, at which samplers run.
const STEP: f64 = 0.1;

/// One line: what it is of, and its hash.
fn line(name: &str, hash: u64) -> String {
    format!("{name} {hash:016x}\n")
}

/// Corpora of topics, small ones.
const TOPICS: [&str; 2] = ["bars\", side = 4, documents = 50", "triangle\", documents = 40"];

/// Steps of inference of topics: sweeps, most of them.
const TOPIC_STEPS: usize = 30;

/// The table `[[run]]` of a method on topics.
fn run_on_topics(kind: &'static KindSpec, chains: usize) -> String {
    let batches = kind.param("gradient").map_or("", |_| "gradient = { kind = \"minibatch\", size = 7 }\n");
    format!("[[run]]\nname = \"one\"\nmethod = \"{}\"\nchains = {chains}\nsteps = {TOPIC_STEPS}\n{batches}", kind.name)
}

/// One line for each method that infers topics, corpus and number of chains.
fn on_topics() -> Vec<String> {
    let topics = targets::build(&Settings::defaults(find_kind(&TARGETS, "topics").unwrap()), Path::new(".")).unwrap();
    let infers = |kind: &&'static KindSpec| methods::is_for(kind, topics.space());
    let all: Vec<_> = METHODS.iter().filter(infers).flat_map(|kind| TOPICS.map(|corpus| (kind, corpus))).collect();
    let one = |(kind, corpus): (&'static KindSpec, &str), chains: usize| {
        let run = run_on_topics(kind, chains);
        let target = format!("[target]\nkind = \"topics\"\ncorpus = {{ kind = \"{corpus} }}");
        let text = format!("format = 1\ntitle = \"golden\"\nseed = 29\n{target}\n{run}");
        let scenario = scenario::read(&text, "golden.toml", Path::new(".")).unwrap();
        let mut session = Session::new(scenario).unwrap();
        session.advance(u64::MAX);
        let mut hash = Hash::new();
        let run = &session.frame().runs[0];
        digest::run(&mut hash, run);
        for chain in &run.topics.last().unwrap().chains {
            chain.parameters.values().iter().for_each(|value| hash.number(*value));
        }
        let corpus = corpus.split('"').next().unwrap();
        line(&format!("{} topics:{corpus} {chains}", kind.name), hash.0)
    };
    all.into_par_iter().map(|pair| CHAINS.map(|chains| one(pair, chains)).concat()).collect()
}

/// The table `[[run]]` of a method on a target, at a step size that suits it.
fn run_of(kind: &'static KindSpec, target: &Target, alpha: f64, chains: usize) -> String {
    let settings = if methods::fits(kind) {
        format!("steps = {FIT_STEPS}\n")
    } else {
        let size = step_size(kind.name, alpha);
        let schedule = match kind.name {
            "csgld" | "csghmc" => format!("kind = \"cyclical\", initial = {size:e}, cycles = 3"),
            _ => format!("kind = \"constant\", value = {size:e}"),
        };
        let batches = planar_data(target).is_some() && ["sgd", "sgld", "csgld", "psgld", "sgnht"].contains(&kind.name);
        let gradient = if batches { "gradient = { kind = \"minibatch\", size = 5 }\n" } else { "" };
        let step_size = kind.param("step_size").map_or(String::new(), |_| format!("step_size = {{ {schedule} }}\n"));
        // Its trees would be as deep as they may be where there are many weights.
        let depth = if kind.name == "nuts" && target.in_vectors().is_some() { "max_depth = 5\n" } else { "" };
        format!("steps = {STEPS}\n{step_size}{gradient}{depth}")
    };
    let chains = if kind.param("chains").is_some() { format!("chains = {chains}\n") } else { String::new() };
    format!("[[run]]\nname = \"one\"\nmethod = \"{}\"\n{chains}{settings}", kind.name)
}

/// Whether a method does not apply to a target.
fn unsuited(kind: &'static KindSpec, target: &Target) -> bool {
    let method = methods::build(&Settings::defaults(kind)).unwrap();
    method.on(target.space()).is_err()
}

/// Whether a run of a method may have this number of chains: of ensembles at least two.
fn allows(kind: &'static KindSpec, chains: usize) -> bool {
    let mut settings = Settings::defaults(kind);
    if kind.param("chains").is_some() {
        settings.set("chains", Value::Number(chains as f64)).is_ok()
    } else {
        chains == 1
    }
}

/// One line a number of chains: method, target, number of chains and hash. Nothing where the method does not apply.
fn pair(kind: &'static KindSpec, text: &str) -> String {
    let target = described(text);
    let alpha = STEP / curvature(&target);
    let mut lines = String::new();
    for chains in CHAINS.into_iter().filter(|chains| allows(kind, *chains)) {
        let run = run_of(kind, target.as_ref(), alpha, chains);
        let scenario = format!("format = 1\ntitle = \"golden\"\nseed = 29\n[target]\n{text}\n{run}");
        let scenario = match scenario::read(&scenario, "golden.toml", Path::new(".")) {
            Ok(scenario) => scenario,
            Err(_) if unsuited(kind, target.as_ref()) => continue,
            Err(errors) => panic!("{} on {text}: {errors}", kind.name),
        };
        let mut session = Session::new(scenario).unwrap();
        session.advance(u64::MAX);
        let name = text.replace("kind = ", "").replace("\nboundary = ", ":").replace('"', "");
        let mut hash = Hash::new();
        digest::run(&mut hash, &session.frame().runs[0]);
        lines += &line(&format!("{} {name} {chains}", kind.name), hash.0);
    }
    lines
}

/// What the lines of pairs of method and target are now.
fn pairs() -> String {
    let targets: Vec<String> = gallery().chain(bounded()).collect();
    let all: Vec<_> = METHODS.iter().flat_map(|kind| targets.iter().map(move |text| (kind, text))).collect();
    let mut lines: Vec<String> = all.into_par_iter().map(|(kind, text)| pair(kind, text)).collect();
    lines.extend(on_topics());
    lines.concat()
}

/// Holds lines against those of a file of `tests/data`, or keeps them there.
fn hold(file: &str, lines: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file);
    if std::env::var_os("GOLDEN").is_some_and(|word| word == "write") {
        fs::write(path, lines).unwrap();
        return;
    }
    let kept = fs::read_to_string(&path).unwrap();
    let (found, expected): (Vec<&str>, Vec<&str>) = (lines.lines().collect(), kept.lines().collect());
    let mut differences = String::new();
    for line in found.iter().filter(|line| !expected.contains(line)) {
        writeln!(differences, "  now:    {line}").unwrap();
    }
    for line in expected.iter().filter(|line| !found.contains(line)) {
        writeln!(differences, "  before: {line}").unwrap();
    }
    assert!(differences.is_empty(), "other bits than in {file}:\n{differences}");
}

#[test]
fn every_method_makes_the_same_bits_on_every_target_as_before() {
    hold("golden_pairs.txt", &pairs());
}

#[test]
fn every_lesson_and_distribution_has_the_same_bits_as_before() {
    let of = |known: &Lesson| line(&format!("lesson {}", known.name), digest::lesson(known).unwrap());
    let exact =
        |case: &distributions::Case| line(&format!("exact {}", case.name), distributions::digest(case).unwrap());
    let mut lines: Vec<String> = LESSONS.par_iter().map(of).collect();
    lines.extend(distributions::CASES.par_iter().map(exact).collect::<Vec<String>>());
    hold("golden_lessons.txt", &lines.concat());
}
