//! Small test frames with runs made by hand.

mod topics;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::kit::steps::StepsInput;
use crate::kit::time_axis::{TimeAxis, as_f64};
use base::math::{Distribution, Grid, Moments, Point, Purpose, Stream};
use base::params::{KindSpec, Settings};
use engine::diagnostics::{Component, Fit, Totals, Truth};
use engine::scenario::view::Axis;
use engine::scenario::{Caption, Change, Collect, Event, RunPlan, Scenario, Segment, Start, ViewSpec};
use engine::session::{Clock, FitFrame, FitTrace, Frame, History, RunFrame, Spending, StepParts, Time, warnings};
use models::targets::{Coordinates, Density, Target};
use samplers::methods::{
    Acceptance, Chunk, FitRecord, FitSpace, Fitting, Gradient, Method, MixtureWeights, Needs, Population, Predictive,
    Proposal, StartAt, StepRecord,
};
use samplers::schedules::{Schedule, Stage};

pub use engine::diagnostics::testing::Fake;
pub use topics::topics_frame;

/// A constant step size, or cycles of the cosine kind whose first quarter explores.
#[derive(Debug)]
pub struct Steps {
    /// The largest step size.
    pub alpha: f64,
    /// Steps of a cycle; 0 for a constant.
    pub cycle: u64,
}

impl Schedule for Steps {
    fn step_size(&self, k: u64) -> f64 {
        if self.cycle == 0 {
            return self.alpha;
        }
        let phase = (k.saturating_sub(1) % self.cycle) as f64 / self.cycle as f64;
        0.5 * self.alpha * ((std::f64::consts::PI * phase).cos() + 1.0)
    }

    fn stage(&self, k: u64) -> Stage {
        let exploring = self.cycle > 0 && (k.saturating_sub(1) % self.cycle) * 4 < self.cycle;
        if exploring { Stage::Exploration { noise: false } } else { Stage::Sampling }
    }

    fn cycle(&self, k: u64) -> Option<u64> {
        (self.cycle > 0).then(|| k.saturating_sub(1) / self.cycle)
    }
}

/// A method that stays where it is: the runs of these frames are made by hand.
#[derive(Clone, Debug)]
struct Still;

impl Method for Still {
    fn needs(&self, _gradient: &Gradient) -> Needs {
        Needs::default()
    }

    fn langevin(&self) -> bool {
        true
    }

    fn advance(&self, _chains: &mut Population, _chunk: Chunk<'_>) {}
}

/// Settings of a test run.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Its name.
    pub name: &'static str,
    /// Chains.
    pub chains: usize,
    /// Steps taken, of `total`.
    pub steps: u64,
    /// Steps in all.
    pub total: u64,
    /// Largest step size.
    pub alpha: f64,
    /// Steps of a cycle, or 0.
    pub cycle: u64,
}

/// The whole of some runs, by steps, gradients or seconds.
pub fn whole<'a>(frame: &'a Frame, runs: &'a [usize], (counts, log): (impl Into<Axis>, bool)) -> StepsInput<'a> {
    let axis = TimeAxis::of(frame, counts.into(), log);
    StepsInput { frame, runs, focus: runs.first().copied(), range: axis.whole(frame), axis, truth: true }
}

/// A frame with runs of Langevin steps on `target`.
pub fn frame(target: Fake, recipes: &[Recipe]) -> Frame {
    let name = format!("{target:?}");
    let target = Arc::new(Target::plane(Arc::new(target)));
    let runs: Vec<RunFrame> =
        recipes.iter().enumerate().map(|(number, recipe)| run(&target, *recipe, number)).collect();
    static NOTHING: KindSpec = KindSpec { name: "fake", label: "Fake", help: "", params: &[] };
    let scenario = Scenario {
        title: "Fake".to_owned(),
        caption: Caption::default(),
        challenges: Vec::new(),
        sweep: None,
        view: ViewSpec::default(),
        seed: 1,
        budget: None,
        target: Settings::defaults(&NOTHING),
        runs: Vec::new(),
        events: vec![Event { step: 3000, change: Change::Run { run: "SGLD".to_owned(), set: BTreeMap::new() } }],
        folder: "".into(),
    };
    Frame {
        generation: 1,
        scenario: Arc::new(scenario),
        truth: truth_of(name, &target),
        reference: None,
        target,
        step: runs.iter().map(|run| run.step).max().unwrap_or(0),
        total: recipes.iter().map(|recipe| recipe.total).max().unwrap_or(0),
        time: Time {
            clock: Clock::Steps,
            tick: recipes.iter().map(|recipe| recipe.steps).max().unwrap_or(0),
            end: recipes.iter().map(|recipe| recipe.total).max().unwrap_or(0),
            unit: 1.0,
        },
        runs,
    }
}

/// The truth of a fake, which is computed once.
fn truth_of(name: String, target: &Target) -> Arc<Truth> {
    static KNOWN: Mutex<BTreeMap<String, Arc<Truth>>> = Mutex::new(BTreeMap::new());
    if let Some(known) = KNOWN.lock().unwrap().get(&name) {
        return known.clone();
    }
    let made = Arc::new(Truth::of(target));
    KNOWN.lock().unwrap().insert(name, made.clone());
    made
}

fn run(target: &Arc<Target>, recipe: Recipe, number: usize) -> RunFrame {
    let schedule = Arc::new(Steps { alpha: recipe.alpha, cycle: recipe.cycle });
    let (mut path, density) = (Path::new(target, recipe.chains, number), target.in_plane().unwrap());
    for step in 1..=recipe.steps {
        path.advance(density.as_ref(), schedule.as_ref(), step);
    }
    let collect = Collect { burn_in: 0, thin: 1, weighted: false };
    let segment = Segment {
        samples: true,
        data: None,
        from: 0,
        steps: recipe.total,
        method: Arc::new(Still),
        gradient: Gradient::Exact,
        schedule: schedule.clone(),
        collect,
    };
    let plan = RunPlan {
        name: recipe.name.to_owned(),
        chains: recipe.chains,
        steps: recipe.total,
        budget: None,
        start: Start::Uniform { low: -5.0, high: 5.0 },
        segments: vec![segment],
        targets_change: Vec::new(),
    };
    let mut made = RunFrame {
        fits: None,
        plan: Arc::new(plan),
        step: recipe.steps,
        target_since: 0,
        alpha: schedule.step_size(recipe.steps.max(1)),
        stage: schedule.stage(recipe.steps.max(1)),
        cycle: schedule.cycle(recipe.steps.max(1)),
        positions: path.at,
        records: path.records,
        parts: Arc::new(path.parts),
        vectors: Arc::default(),
        newest_vectors: None,
        topics: Arc::default(),
        acceptance: Acceptance::default(),
        swaps: Vec::new(),
        history: path.history,
        collected: path.collected,
        totals: Totals::default(),
        cloud: Arc::new(path.cloud),
        cloud_grid: path.grid,
        outskirts: Arc::default(),
        moments: path.moments.gaussian(),
        measures: Arc::new(Vec::new()),
        mode_shares: Vec::new(),
        analysis: Arc::default(),
        diverged: if recipe.name == "diverged" { vec![(0, 120)] } else { Vec::new() },
        gradient_evaluations: recipe.steps as f64,
        density_evaluations: 0.0,
        spending: Arc::new(Spending::through([[as_f64(recipe.total), 0.5 * as_f64(recipe.total)]])),
        seconds: None,
        warnings: Vec::new(),
    };
    made.warnings = warnings(&made, &Truth::of(target.as_ref()));
    made
}

/// Chains that move through the plane.
struct Path {
    at: Vec<Point>,
    records: Vec<StepRecord>,
    parts: Vec<StepParts>,
    history: History,
    cloud: Vec<f64>,
    grid: Grid,
    moments: Moments,
    collected: u64,
    stream: Stream,
    line: bool,
}

impl Path {
    fn new(target: &Arc<Target>, chains: usize, number: usize) -> Self {
        let info = target.info();
        let line = info.dimension == 1;
        let mut stream = Stream::derive(7, Purpose::Chain, number as u64, 0);
        let size = info.view.size();
        let mut start = || info.view.min + Point::new(stream.uniform() * size.x, stream.uniform() * size.y);
        let at: Vec<Point> = (0..chains).map(|_| if line { info.start } else { start() }).collect();
        let grid = Grid::new(info.view, 200, if line { 1 } else { 200 });
        let mut history = History::new(chains, 128);
        push(&mut history, &at);
        let cloud = vec![0.0; grid.len()];
        Self {
            at,
            records: Vec::new(),
            parts: Vec::new(),
            history,
            cloud,
            grid,
            moments: Moments::default(),
            collected: 0,
            stream,
            line,
        }
    }

    fn advance(&mut self, target: &dyn Density, schedule: &dyn Schedule, step: u64) {
        let alpha = schedule.step_size(step);
        let noisy = schedule.stage(step) == Stage::Sampling;
        self.records.clear();
        for at in &mut self.at {
            let (first, second) = self.stream.normal_pair();
            let noise = Point::new(first, if self.line { 0.0 } else { second }) * (2.0 * alpha).sqrt();
            let injected_noise = if noisy { noise } else { Point::zeros() };
            let (from, drift) = (*at, target.gradient(*at) * alpha);
            *at += drift + injected_noise;
            self.records.push(StepRecord { from, to: *at, drift, injected_noise, ..StepRecord::default() });
            if noisy {
                self.collected += 1;
                self.moments.add(*at, 1.0);
                if let Some(cell) = self.grid.cell(*at) {
                    self.cloud[cell] += 1.0;
                }
            }
        }
        self.parts.push(StepParts::of(step, alpha, self.records.iter()));
        push(&mut self.history, &self.at);
    }
}

/// Turns a run into one of approximations on a target with `dimension` dimensions: `record` gives the state of a chain after a
/// step, and the chains follow the means of their distributions.
pub fn approximation(run: &mut RunFrame, dimension: usize, record: impl Fn(u64, usize) -> FitRecord) {
    let chains = run.positions.len();
    let rows: Vec<Vec<FitRecord>> =
        (0..=run.step).map(|step| (0..chains).map(|chain| record(step, chain)).collect()).collect();
    let mean = |record: &FitRecord| record.distribution.map_or(Point::zeros(), |distribution| distribution.mean());
    run.history = History::new(chains, 128);
    for row in &rows {
        push(&mut run.history, &row.iter().map(mean).collect::<Vec<_>>());
    }
    let records = rows.last().cloned().unwrap_or_default();
    run.positions = records.iter().map(mean).collect();
    (run.collected, run.moments) = (0, None);
    let distributions: Vec<Distribution> = records.iter().filter_map(|record| record.distribution).collect();
    let weight = 1.0 / distributions.len() as f64;
    let components =
        distributions.iter().map(|&distribution| Component { weight, distribution, log_evidence: None }).collect();
    let fitting = Fitting {
        draws: 100,
        space: FitSpace::Theta,
        initial_sd: None,
        start_at: StartAt::RunStart,
        mixture_weights: MixtureWeights::Equal,
        predictive: Predictive::Sampled,
        spread: 1.0,
    };
    let draws = distributions.iter().flat_map(|distribution| (0..10).map(|_| distribution.mean())).collect();
    let fit = Fit::new(dimension, Coordinates::plain(), components).map(Arc::new);
    run.fits = Some(FitFrame {
        fitting,
        records,
        trace: FitTrace::of(0, &rows),
        coordinates: Coordinates::plain(),
        moments: fit.as_ref().and_then(|fit| fit.moments()),
        fit,
        draws: Arc::new(draws),
        vectors: Arc::default(),
        distributions: Arc::default(),
    });
}

/// Makes the newest steps of a run proposals at the end of a path, every second one rejected, with all parts.
pub fn metropolis(run: &mut RunFrame) {
    for (chain, record) in run.records.iter_mut().enumerate() {
        let way = Point::new(0.8, 0.3 + 0.1 * chain as f64);
        record.path = (0..=6).map(|number| record.from + way * (f64::from(number) / 6.0)).collect();
        let (at, accepted) = (record.from + way, chain % 2 == 1);
        record.proposal =
            Some(Proposal { at, probability: if accepted { 0.75 } else { 0.25 }, accepted, ..Proposal::default() });
        record.to = if accepted { at } else { record.from };
        (record.carried, record.gradient_noise) = (way * 0.2, Point::new(-0.1, 0.1));
        (record.momentum, record.energy) = (Some(way), Some(3.5));
    }
}

fn push(history: &mut History, at: &[Point]) {
    let x: Vec<f64> = at.iter().map(|at| at.x).collect();
    let y: Vec<f64> = at.iter().map(|at| at.y).collect();
    history.push(&x, &y);
}
