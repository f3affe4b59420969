//! Approximations run step by step, for their tests.

use std::path::Path;
use std::sync::Arc;

use super::super::{
    Approximation, Batches, FitRecord, Gradient, METHODS, Method, Population, Problem, Scratch, Steps, Track, build,
};
use super::{Chunk, Numbers, stream};
use crate::schedules::{self, Schedule, Stage};
use base::math::{Coords, Distribution, Point, Simd};
use base::params::{Settings, Value, find_kind};
use models::targets::{self, Density, TARGETS, Target};

/// The registered target with these changes to its defaults, in coordinates without boundary.
pub(super) fn built(kind: &str, changes: &[(&str, Value)]) -> Arc<Target> {
    let settings = changed(Settings::defaults(find_kind(&TARGETS, kind).unwrap()), changes);
    targets::build(&settings, Path::new(".")).unwrap().open()
}

/// Its density.
pub(super) fn target(kind: &str, changes: &[(&str, Value)]) -> Arc<dyn Density> {
    built(kind, changes).density().unwrap().clone()
}

fn changed(mut settings: Settings, changes: &[(&str, Value)]) -> Settings {
    for (path, value) in changes {
        settings.set(path, value.clone()).unwrap();
    }
    settings
}

/// The settings of a method with these changes to its defaults; `kinds` puts other kinds into groups first.
pub(super) fn settings(method: &str, kinds: &[(&str, &str)], changes: &[(&str, Value)]) -> Settings {
    let mut settings = Settings::defaults(find_kind(&METHODS, method).unwrap());
    for (key, kind) in kinds {
        let of_group = settings.spec_at(key).map(|spec| spec.ty);
        let Some(base::params::ParamType::Group(offered)) = of_group else { panic!("{key} is no group") };
        let group = Settings::defaults(find_kind(offered, kind).unwrap());
        settings.set(key, Value::Group(group)).unwrap();
    }
    changed(settings, changes)
}

/// Running fits.
pub(super) struct Fits {
    pub(super) method: Arc<dyn Method>,
    pub(super) gradient: Gradient,
    pub(super) schedule: Arc<dyn Schedule>,
    pub(super) target: Arc<dyn Density>,
    pub(super) population: Population,
    pub(super) steps: u64,
    streams: Vec<base::math::Stream>,
    batches: Batches,
    scratch: Scratch,
}

impl Fits {
    /// `chains` fits before the first step, at the default start of the target.
    pub(super) fn new(settings: &Settings, target: &Arc<dyn Density>, chains: usize) -> Self {
        let method = build(settings).unwrap();
        let start = target.info().start;
        let fitting = method.fitting().unwrap();
        let mut population = Population::at(Coords::of_points(&vec![start; chains]));
        let begin = Approximation::begin(&fitting, target.info().dimension, start);
        population.fits = vec![begin; chains];
        Self {
            gradient: settings.group("gradient").map_or(Gradient::Exact, Gradient::from_settings),
            schedule: schedules::build(settings.group("step_size").unwrap(), settings.count("steps")).unwrap(),
            method,
            target: target.clone(),
            population,
            steps: 0,
            streams: (0..chains as u64).map(|chain| stream(7000 + chain)).collect(),
            batches: Batches::new(99, 0, 0, chains as u64),
            scratch: Scratch::default(),
        }
    }

    /// Continues with another method, as after an event.
    pub(super) fn change(&mut self, settings: &Settings) {
        self.method = build(settings).unwrap();
        self.gradient = settings.group("gradient").map_or(Gradient::Exact, Gradient::from_settings);
        self.schedule = schedules::build(settings.group("step_size").unwrap(), settings.count("steps")).unwrap();
    }

    /// Takes one chunk of steps.
    pub(super) fn chunk(&mut self, count: usize) {
        let chains = self.population.len();
        let needs = self.method.needs(&self.gradient);
        let mut numbers = Numbers::default();
        for chain in (0..count * needs.vectors).flat_map(|_| 0..chains) {
            let (first, second) = self.streams[chain].normal_pair();
            numbers.first.push(first);
            numbers.second.push(second);
        }
        let mut batch = Vec::new();
        let data = self.target.data().map_or(1, |data| data.len());
        let batches = self.batches.fill(Simd::widest(), &self.gradient, (data, count), &mut batch);
        let step_sizes: Vec<f64> =
            (0..count as u64).map(|step| self.schedule.step_size(self.steps + step + 1)).collect();
        let steps = Steps { step_sizes: &step_sizes, stages: &vec![Stage::Sampling; count], batches };
        let problem = Problem::in_plane(self.target.as_ref(), &self.gradient, Simd::widest());
        let (mut x, mut y) = (vec![0.0; count * chains], vec![0.0; count * chains]);
        let track = Track { x: &mut x, y: &mut y, records: &mut [] };
        let randomness = numbers.as_randomness();
        let chunk = Chunk { problem: &problem, steps, randomness, track, scratch: &mut self.scratch };
        self.method.advance(&mut self.population, chunk);
        self.steps += count as u64;
        for (index, (x, y)) in x.iter().zip(&y).enumerate() {
            assert!(x.is_finite() && y.is_finite(), "{:?}", self.method);
            let trail = &self.population.fits[index % chains].trail;
            let record = &trail[trail.len() - count + index / chains];
            assert_eq!(record.distribution.unwrap().mean(), Point::new(*x, *y));
        }
    }

    /// Takes this number of steps, a few at a time.
    pub(super) fn run(&mut self, steps: usize) {
        let mut left = steps;
        while left > 0 {
            let count = left.min(16);
            self.chunk(count);
            left -= count;
        }
    }

    /// The records of a fit after each step.
    pub(super) fn trail(&self, chain: usize) -> &[FitRecord] {
        &self.population.fits[chain].trail
    }

    /// The newest record of a fit.
    pub(super) fn record(&self, chain: usize) -> &FitRecord {
        &self.population.fits[chain].record
    }

    /// The distribution of a fit.
    pub(super) fn distribution(&self, chain: usize) -> Distribution {
        self.record(chain).distribution.unwrap()
    }

    /// Replaces the distribution of every fit, and clears their memory.
    pub(super) fn begin_at(&mut self, distribution: Distribution) {
        let FitRecord { guards, evaluations, .. } = FitRecord::default();
        for (chain, fit) in self.population.fits.iter_mut().enumerate() {
            let record = FitRecord { distribution: Some(distribution), guards, evaluations, ..FitRecord::default() };
            *fit = Approximation { record, ..Approximation::default() };
            self.population.positions.set_point(chain, distribution.mean());
        }
    }
}

/// Mean and standard error of the mean.
pub(super) fn mean_and_error(sample: &[f64]) -> (f64, f64) {
    let count = sample.len() as f64;
    let mean = sample.iter().sum::<f64>() / count;
    let variance = sample.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}

/// Means of consecutive chunks of a sequence, long enough to be nearly independent, with the standard error from
/// their spread.
pub(super) fn mean_of_tail(sequence: &[f64], chunks: usize) -> (f64, f64) {
    let length = sequence.len() / chunks;
    let means: Vec<f64> = sequence.chunks_exact(length).map(|part| part.iter().sum::<f64>() / length as f64).collect();
    mean_and_error(&means)
}
