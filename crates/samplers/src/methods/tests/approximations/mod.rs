//! Tests of methods that fit distributions: of all of them, and of each against closed forms.

mod cavi;
mod every;
mod laplace;

use std::path::Path;
use std::sync::Arc;

use super::super::{
    Approximation, Batches, FitRecord, FitSpace, Gradient, METHODS, Method, Population, Problem, Scratch, StepRecord,
    Steps, Track, build,
};
use super::{Chunk, Numbers, init, stream};
use crate::schedules::Stage;
use base::math::{Point, Simd};
use base::params::{ParamType, Settings, Value, find_kind};
use models::targets::{self, Density, TARGETS, Target, open_density, sampling_density};

/// A method by name, with some settings replaced.
fn method(name: &str, values: &[(&str, Value)]) -> Arc<dyn Method> {
    let mut settings = Settings::defaults(find_kind(&METHODS, name).unwrap());
    for (key, value) in values {
        settings.set(key, value.clone()).unwrap();
    }
    build(&settings).unwrap()
}

/// A target by name, with some settings replaced.
fn built(name: &str, values: &[(&str, Value)]) -> Arc<Target> {
    let mut settings = Settings::defaults(find_kind(&TARGETS, name).unwrap());
    for (key, value) in values {
        settings.set(key, value.clone()).unwrap();
    }
    targets::build(&settings, Path::new("")).unwrap()
}

/// Its density.
fn target(name: &str, values: &[(&str, Value)]) -> Arc<dyn Density> {
    built(name, values).density().unwrap().clone()
}

/// The counts of ones behind a posterior of probabilities.
fn counts(target: &str, values: &[(&str, f64)]) -> Value {
    let ParamType::Group(kinds) = find_kind(&TARGETS, target).unwrap().param("data").unwrap().ty else { panic!() };
    let mut settings = Settings::defaults(find_kind(kinds, "counts").unwrap());
    for (key, value) in values {
        settings.set(key, Value::Number(*value)).unwrap();
    }
    Value::Group(settings)
}

/// The target in the coordinates of the distributions of a method.
fn in_space(method: &dyn Method, target: &Arc<dyn Density>) -> Arc<dyn Density> {
    match method.fitting().unwrap().space {
        FitSpace::Samplers => sampling_density(target),
        FitSpace::Open => open_density(target),
        FitSpace::Theta => target.clone(),
    }
}

/// Chains before their first step.
fn begun(method: &dyn Method, target: &dyn Density, starts: &[Point]) -> Population {
    let fitting = method.fitting().unwrap();
    let mut chains = init(method, starts, 0.05, [&vec![0.3; starts.len()], &vec![0.0; starts.len()]]);
    let begin = |start: &Point| Approximation::begin(&fitting, target.info().dimension, *start);
    chains.fits = starts.iter().map(begin).collect();
    chains
}

/// Running chains, with all their records and positions.
struct Driven<'a> {
    method: &'a dyn Method,
    target: &'a dyn Density,
    gradient: Gradient,
    chains: Population,
    /// One stream per chain.
    streams: Vec<base::math::Stream>,
    batches: Batches,
    /// Positions after every step, chain after chain.
    path: Vec<Point>,
    records: Vec<StepRecord>,
}

impl<'a> Driven<'a> {
    /// Chains with the numbers from `first` on at `starts`.
    fn new(method: &'a dyn Method, target: &'a dyn Density, first: usize, starts: &[Point]) -> Self {
        Self {
            method,
            target,
            gradient: Gradient::Exact,
            chains: begun(method, target, starts),
            streams: (0..starts.len()).map(|chain| stream((first + chain) as u64)).collect(),
            batches: Batches::new(99, 0, first as u64, starts.len() as u64),
            path: Vec::new(),
            records: vec![StepRecord::default(); starts.len()],
        }
    }

    /// Takes a chunk of steps, of which the last is recorded for the first chains.
    fn advance(&mut self, length: usize, recorded: usize) {
        let (needs, size) = (self.method.needs(&self.gradient), self.chains.len());
        let mut numbers = Numbers::default();
        for chain in (0..length * needs.vectors).flat_map(|_| 0..size) {
            let (first, second) = self.streams[chain].normal_pair();
            numbers.first.push(first);
            numbers.second.push(second);
        }
        let data = self.target.data().map_or(1, |data| data.len());
        let mut batch = Vec::new();
        let batches = self.batches.fill(Simd::BASELINE, &self.gradient, (data, length), &mut batch);
        let steps = Steps { step_sizes: &vec![0.05; length], stages: &vec![Stage::Sampling; length], batches };
        let problem = Problem::in_plane(self.target, &self.gradient, Simd::BASELINE);
        let (mut x, mut y) = (vec![0.0; length * size], vec![0.0; length * size]);
        let track = Track { x: &mut x, y: &mut y, records: &mut self.records[..recorded] };
        let randomness = numbers.as_randomness();
        let chunk = Chunk { problem: &problem, steps, randomness, track, scratch: &mut Scratch::default() };
        self.method.advance(&mut self.chains, chunk);
        self.path.extend(x.iter().zip(&y).map(|(x, y)| Point::new(*x, *y)));
    }

    /// The newest record of the first chain.
    fn record(&self) -> &FitRecord {
        &self.chains.fits[0].record
    }
}

/// One chain after `steps` steps from `start`, in the coordinates of the given target.
fn driven<'a>(method: &'a dyn Method, target: &'a dyn Density, start: [f64; 2], steps: usize) -> Driven<'a> {
    let mut driven = Driven::new(method, target, 0, &[Point::from(start)]);
    driven.advance(steps, 1);
    driven
}

fn near(what: &str, found: f64, stated: f64, tolerance: f64) {
    assert!((found - stated).abs() <= tolerance, "{what}: {found}, not {stated}");
}
