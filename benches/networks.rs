//! Costs of Bayesian neural networks: `cargo bench --bench networks`.
//!
//! Gradients of a network [1, H, 1] with a Gaussian likelihood and 100 data. An item is a gradient of one chain, so items per
//! second are gradients per second:
//!
//! - `one_chain`: minibatches of 20 data, one chain: units side by side.
//! - `sixteen_chains`: the same for 16 chains with minibatches of their own: chains side by side.
//! - `full`: gradients over all 100 data, 16 chains.
//!
//! What a map of classes costs:
//!
//! - `map`: the functions of 200 draws at 101 × 101 places, added 32 draws at a time as in the background.
//!
//! What a drag costs:
//!
//! - `moved`: from the order that moves a datum to the first frame with a fit to the new data, while four chains of SGLD run
//!   in Watch. Laplace's approximation is found anew, variational inference goes on from where it is.

mod common;

use std::cell::RefCell;
use std::sync::mpsc::channel;

use divan::{Bencher, counter::ItemsCount};
use sampler_lab::draw::views::class_maps::geometry::{PredictionSums, map_grid, middles};
use sampler_lab::math::elementary::InstructionSet;
use sampler_lab::math::{Coords, Purpose, Simd, Stream, normal_quantile};
use sampler_lab::params::Value;
use sampler_lab::scenario::{Edit, Pacing};
use sampler_lab::session::{Command, Frame, FunctionDraws};
use sampler_lab::targets::network::{Layout, Likelihood, Network, Observations, Prior};
use sampler_lab::targets::{Minibatches, Model};
use sampler_lab::worker::{Order, Worker};

/// N.
const DATA: u32 = 100;

/// n.
const BATCH: usize = 20;

/// Instruction sets of this machine.
const SETS: [InstructionSet; 3] = InstructionSet::ALL;

/// Numbers of hidden units.
const UNITS: [usize; 2] = [10, 50];

fn main() {
    divan::main();
}

/// A network with data, and chains at random places with a minibatch each.
#[expect(clippy::unwrap_used, reason = "sizes, widths and data that fit together")]
fn case(units: usize, chains: usize) -> (Network, Coords, Vec<u32>) {
    let mut stream = Stream::derive(1, Purpose::Data, 0, 0);
    let inputs: Vec<f64> = (0..DATA).map(|_| 4.0 * stream.uniform() - 2.0).collect();
    let targets = inputs.iter().map(|x| x - 0.3 * x * x).collect();
    let layout = Layout::new(&[1, units, 1]).unwrap();
    let prior = Prior::FanIn { weight: 2.0, bias: 1.0 };
    let likelihood = Likelihood::Gaussian { sd: 0.1 };
    let network = Network::new(layout, prior, likelihood, Observations::pairs(inputs, targets)).unwrap();
    let mut at = Coords::zeros(network.dimension(), chains);
    for value in at.values_mut() {
        *value = normal_quantile(stream.uniform());
    }
    let indices = (0..BATCH * chains).map(|_| stream.below(DATA)).collect();
    (network, at, indices)
}

fn estimates(bencher: Bencher, set: InstructionSet, units: usize, chains: usize) {
    let Some(simd) = Simd::with(set) else { return };
    let (network, at, indices) = case(units, chains);
    let batches = Minibatches::new(&indices, BATCH, chains);
    let (mut room, mut out) = (Vec::new(), at.clone());
    bencher
        .counter(ItemsCount::new(chains))
        .bench_local(|| network.estimates(simd, divan::black_box(&at), batches, &mut room, &mut out));
}

#[divan::bench(args = SETS, consts = UNITS)]
fn one_chain<const H: usize>(bencher: Bencher, set: InstructionSet) {
    estimates(bencher, set, H, 1);
}

#[divan::bench(args = SETS, consts = UNITS)]
fn sixteen_chains<const H: usize>(bencher: Bencher, set: InstructionSet) {
    estimates(bencher, set, H, 16);
}

#[divan::bench(args = SETS, consts = UNITS)]
fn full<const H: usize>(bencher: Bencher, set: InstructionSet) {
    let Some(simd) = Simd::with(set) else { return };
    let (network, at, _) = case(H, 16);
    let (mut room, mut out) = (Vec::new(), at.clone());
    bencher
        .counter(ItemsCount::new(16_usize))
        .bench_local(|| network.gradients(simd, divan::black_box(&at), &mut room, &mut out));
}

/// Draws behind a map, and how many of them are added at a time.
const DRAWS: [usize; 2] = [200, 32];

#[divan::bench(sample_count = 20, sample_size = 1)]
fn map(bencher: Bencher) {
    let target = "kind = \"network\"\n[target.data]\nkind = \"moons\"";
    let Some(scenario) = common::scenario(target, "sgld", "") else { return };
    let Ok(built) = scenario.build() else { return };
    let target = built.spans[0].target.as_ref();
    let (Some(model), Some(behind)) = (target.classification(), target.in_vectors()) else { return };
    let mut stream = Stream::derive(1, Purpose::Data, 0, 0);
    let [draws, batch] = DRAWS;
    let portions: Vec<FunctionDraws> = (0..draws)
        .step_by(batch)
        .map(|first| {
            let count = batch.min(draws - first);
            let mut vectors = Coords::zeros(behind.model.dimension(), count);
            vectors.values_mut().iter_mut().for_each(|value| *value = normal_quantile(stream.uniform()));
            FunctionDraws::of_vectors(vectors, vec![1.0; count])
        })
        .collect();
    let grid = map_grid(model);
    let places = middles(&grid);
    bencher.bench_local(|| {
        let mut sums = PredictionSums::new(model.classes(), grid.len());
        for portion in &portions {
            sums.add(&places, |inputs| portion.at(target, inputs));
        }
        (0..grid.len()).map(|place| sums.probability(place, 1)).sum::<f64>()
    });
}

/// Approximations that follow data which are dragged.
const FITTED: [&str; 2] = ["laplace", "gaussian-vi"];

#[divan::bench(args = FITTED, sample_count = 20, sample_size = 1)]
fn moved(bencher: Bencher, method: &str) {
    let target = "kind = \"network\"\n[target.data]\nkind = \"points\"";
    let more = "steps = 100000\n[[run]]\nname = \"beside\"\nmethod = \"sgld\"\nchains = 4\nsteps = 1000000\n\
                step_size = { kind = \"constant\", value = 1e-5 }";
    let Some(scenario) = common::scenario(target, method, more) else { return };
    let (wake, woken) = channel();
    let mut settings = scenario.target.clone();
    let Ok(worker) = Worker::start(scenario, Pacing::Watch, true, move || wake.send(()).unwrap_or(())) else { return };
    let wait = |until: &dyn Fn(&Frame) -> bool| {
        while !until(&worker.status().frame) && woken.recv().is_ok() {}
    };
    wait(&|frame| frame.step > 10);
    let next = RefCell::new(0.0);
    bencher.bench_local(|| {
        *next.borrow_mut() += 0.01;
        let y = *next.borrow();
        let points = vec![[-1.8, 0.0], [-1.2, -1.0], [0.8, 1.2], [1.7, y]];
        if settings.set("data.points", Value::Points(points)).is_err() {
            return;
        }
        worker.send(Order::Session(Command::Edit(Edit::target(settings.clone()))));
        let is_new = |frame: &Frame| {
            let last = frame.target.regression().and_then(|drawn| drawn.observations().last().copied());
            last.is_some_and(|last| (last - y).abs() < 1e-9)
        };
        wait(&is_new);
        let step = worker.status().frame.step;
        wait(&|frame| frame.step > step && frame.runs[0].fits.is_some());
    });
}
