//! Golden bits: short hashes of what every method makes on every target, and of the summary of every lesson, held
//! against `tests/data/golden_pairs.txt` and `golden_lessons.txt`.
//!
//! A change that moves code leaves every hash as it is. A change of arithmetic changes some: then run
//! `GOLDEN=write cargo test --test it golden`, look at which lines differ, and say in the commit why they do.
//!
//! Positions and fitted parameters are hashed to the last bit, which every machine reproduces. The numbers of
//! `summary.json` also come from measures, which may use the platform's logarithm; they are hashed to nine digits, and
//! what is smaller than 1e-9 counts as zero.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use rayon::prelude::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use sampler_lab::math::Distribution;
use sampler_lab::methods::{self, METHODS};
use sampler_lab::params::KindSpec;
use sampler_lab::scenario::{self, LESSONS};
use sampler_lab::session::{RunFrame, Session};
use sampler_lab::targets::Target;
use serde_json::Value as Json;
use tempfile::TempDir;

use super::pairs::{bounded, curvature, described, gallery, step_size};

/// Numbers of chains of each pair.
const CHAINS: [usize; 2] = [1, 5];

/// Steps of a sampler: several chunks of steps, several cycles.
const STEPS: usize = 700;

/// Steps of an approximation, which are dearer.
const FIT_STEPS: usize = 100;

/// Share of the limit of stability, about, at which samplers run.
const STEP: f64 = 0.1;

/// Fowler, Noll and Vo's hash FNV-1a with 64 bits: short, and the same on every machine and under every compiler.
struct Hash(u64);

impl Hash {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The sign of what is not a number says nothing: it is that of whichever operand an instruction takes it from.
    fn number(&mut self, number: f64) {
        let bits = if number.is_nan() { f64::NAN.to_bits() } else { number.to_bits() };
        self.bytes(&bits.to_le_bytes());
    }
}

/// One line: what it is of, and its hash.
fn line(name: &str, hash: &Hash) -> String {
    format!("{name} {:016x}\n", hash.0)
}

/// Positions of all chains after every step, and what an approximation has fitted after every step.
fn hash_run(run: &RunFrame) -> Hash {
    let mut hash = Hash::new();
    for row in 0..run.history.rows() {
        for chain in 0..run.history.chains() {
            let at = run.history.position(row, chain);
            at.map_or([f64::NAN; 2], |at| [at.x, at.y]).into_iter().for_each(|number| hash.number(number));
        }
    }
    if let Some(fits) = &run.fits {
        for chain in 0..fits.trace.chains() {
            for (_, record) in fits.trace.of_chain(chain) {
                record.distribution.into_iter().flat_map(parameters).for_each(|number| hash.number(number));
                hash.number(record.evaluations);
            }
        }
    }
    hash.number(run.evaluations());
    hash
}

/// The parameters of a fitted distribution.
fn parameters(distribution: Distribution) -> Vec<f64> {
    match distribution {
        Distribution::Line { mean, variance } => vec![mean, variance],
        Distribution::Plane(gaussian) => gaussian.mean.iter().chain(gaussian.covariance.iter()).copied().collect(),
        Distribution::NormalGamma { mean, precision, shape, rate } => vec![mean, precision, shape, rate],
    }
}

/// The table `[[run]]` of a method on a target, at a step size that suits it.
fn run_of(kind: &'static KindSpec, target: &dyn Target, alpha: f64, chains: usize) -> String {
    let settings = if methods::fits(kind) {
        format!("steps = {FIT_STEPS}\n")
    } else {
        let size = step_size(kind.name, alpha);
        let schedule = match kind.name {
            "csgld" | "csghmc" => format!("kind = \"cyclical\", initial = {size:e}, cycles = 3"),
            _ => format!("kind = \"constant\", value = {size:e}"),
        };
        let batches = target.data().is_some() && ["sgd", "sgld", "csgld", "psgld", "sgnht"].contains(&kind.name);
        let gradient = if batches { "gradient = { kind = \"minibatch\", size = 5 }\n" } else { "" };
        format!("steps = {STEPS}\nstep_size = {{ {schedule} }}\n{gradient}")
    };
    let chains = if kind.param("chains").is_some() { format!("chains = {chains}\n") } else { String::new() };
    format!("[[run]]\nname = \"one\"\nmethod = \"{}\"\n{chains}{settings}", kind.name)
}

/// One line a number of chains: method, target, number of chains and hash. Nothing for coordinate ascent on targets that are
/// not conjugate.
fn pair(kind: &'static KindSpec, text: &str) -> String {
    let target = described(text);
    let alpha = STEP / curvature(&target);
    let mut lines = String::new();
    let several = kind.param("chains").is_some();
    for chains in CHAINS.into_iter().filter(|chains| several || *chains == 1) {
        let run = run_of(kind, target.as_ref(), alpha, chains);
        let scenario = format!("format = 1\ntitle = \"golden\"\nseed = 29\n[target]\n{text}\n{run}");
        let scenario = match scenario::read(&scenario, "golden.toml", Path::new(".")) {
            Ok(scenario) => scenario,
            Err(_) if kind.name == "cavi" && target.conjugacy().is_none() => continue,
            Err(errors) => panic!("{} on {text}: {errors}", kind.name),
        };
        let mut session = Session::new(scenario).unwrap();
        session.advance(u64::MAX);
        let name = text.replace("kind = ", "").replace("\nboundary = ", ":").replace('"', "");
        lines += &line(&format!("{} {name} {chains}", kind.name), &hash_run(&session.frame().runs[0]));
    }
    lines
}

/// What the lines of pairs of method and target are now.
fn pairs() -> String {
    let targets: Vec<String> = gallery().chain(bounded()).collect();
    let all: Vec<_> = METHODS.iter().flat_map(|kind| targets.iter().map(move |text| (kind, text))).collect();
    all.into_par_iter().map(|(kind, text)| pair(kind, text)).collect::<Vec<_>>().concat()
}

/// Puts the numbers of a document, and its gaps, into a hash, in the order of their keys. Words and seconds are left out.
fn hash_json(hash: &mut Hash, json: &Json) {
    match json {
        Json::Null => hash.bytes(b"null"),
        Json::Number(number) => {
            let number = number.as_f64().unwrap();
            let number = if number.abs() < 1e-9 { 0.0 } else { number };
            hash.bytes(format!("{number:.8e},").as_bytes());
        }
        Json::Array(list) => list.iter().for_each(|item| hash_json(hash, item)),
        Json::Object(map) => {
            for (_, value) in map.iter().filter(|(key, _)| *key != "seconds") {
                hash_json(hash, value);
            }
        }
        Json::Bool(_) | Json::String(_) => {}
    }
}

/// The line of a lesson: the hash of its `summary.json`, as the program writes it.
fn lesson(name: &str) -> String {
    let folder = TempDir::new().unwrap();
    let mut program = Command::cargo_bin("sampler-lab").unwrap();
    program.current_dir(&folder).args(["run", name, "--out", "results", "--quiet"]).assert().success();
    let summary: Json = serde_json::from_slice(&fs::read(folder.path().join("results/summary.json")).unwrap()).unwrap();
    let mut hash = Hash::new();
    hash_json(&mut hash, &summary["runs"]);
    line(&format!("lesson {name}"), &hash)
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
fn every_lesson_has_the_same_summary_as_before() {
    let lines: Vec<String> = LESSONS.par_iter().map(|known| lesson(known.name)).collect();
    hold("golden_lessons.txt", &lines.concat());
}
