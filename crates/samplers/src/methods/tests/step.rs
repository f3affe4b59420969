//! Single steps of SGLD with random numbers chosen by hand: formula, records, and reproducible bits.

use super::super::{
    BatchOrder, Batches, Gradient, Method, Population, Problem, Scratch, Sgld, StepRecord, Steps, Track,
};
use super::every::buffers_of;
use super::{Chunk, Normal, Numbers, Plan, ROUNDING, close, one_step, plan, stream};
use crate::schedules::Stage;
use base::math::{Coords, Point, Simd};
use models::targets::{Density, Minibatches};

/// Two chains; pair 0 at indices 0 and 1, pair 1 at 2 and 3.
fn numbers() -> Numbers {
    Numbers { first: vec![1.0, -0.5, 0.25, 2.0], second: vec![0.5, 3.0, -1.0, -0.75], ..Numbers::default() }
}

fn chains() -> Population {
    Population::at(Coords::of_points(&[Point::new(1.0, -2.0), Point::new(0.5, 4.0)]))
}

fn data() -> Normal {
    Normal::posterior(0.5, 2, vec![Point::new(1.0, 2.0), Point::new(-1.0, 0.5), Point::new(3.0, -2.0)])
}

/// Every way to estimate a gradient, with a target and a batch for it.
fn all_gradients() -> Vec<(Gradient, Normal, Vec<u32>)> {
    let noisy = |compensate| (Gradient::Noisy { variance: 4.0, compensate }, Normal::new(4.0, 2), vec![]);
    let batch = |compensate| {
        let gradient = Gradient::Minibatch { size: 2, order: BatchOrder::Random, shared: false, compensate };
        (gradient, data(), vec![2, 0])
    };
    vec![(Gradient::Exact, Normal::new(4.0, 2), vec![]), noisy(false), noisy(true), batch(false), batch(true)]
}

/// All numbers are short binary fractions (α = 1/8, √(2α) = ½), so the formula holds to the bit.
#[test]
fn an_exact_step_is_the_formula() {
    let mut chains = chains();
    one_step(&Sgld, &Normal::new(4.0, 2), &Gradient::Exact, &plan(0.125), &numbers(), &mut chains);
    assert_eq!(chains.positions.axis(0), [1.0 - 0.5 + 0.5, 0.5 - 0.25 - 0.25]);
    assert_eq!(chains.positions.axis(1), [-2.0 + 1.0 + 0.25, 4.0 - 2.0 + 1.5]);
}

#[test]
fn a_noisy_step_takes_its_gradient_noise_from_the_first_pair() {
    let mut chains = chains();
    let gradient = Gradient::Noisy { variance: 4.0, compensate: false };
    one_step(&Sgld, &Normal::new(4.0, 2), &gradient, &plan(0.125), &numbers(), &mut chains);
    assert_eq!(chains.positions.axis(0), [1.0 - 0.5 + 0.125 * 2.0 + 0.5 * 0.25, 0.5 - 0.25 - 0.125 + 0.5 * 2.0]);
    assert_eq!(chains.positions.axis(1), [-2.0 + 1.0 + 0.125 - 0.5, 4.0 - 2.0 + 0.75 - 0.375]);
}

/// 2α (1 − αV/2) = 0.2 · 0.8 = 0.16 at α = 0.1, V = 4.
#[test]
fn subtraction_of_gradient_noise_reduces_the_injected_noise() {
    let gradient = Gradient::Noisy { variance: 4.0, compensate: true };
    let records = one_step(&Sgld, &Normal::new(4.0, 2), &gradient, &plan(0.1), &numbers(), &mut chains());
    close(records[0].injected_noise.x, 0.4 * 0.25, ROUNDING);
    close(records[1].injected_noise.y, 0.4 * -0.75, ROUNDING);
    close(records[0].gradient_noise.x, 0.1 * 2.0, ROUNDING);
}

#[test]
fn injected_noise_is_never_negative() {
    let gradient = Gradient::Noisy { variance: 30.0, compensate: true };
    let records = one_step(&Sgld, &Normal::new(4.0, 2), &gradient, &plan(0.1), &numbers(), &mut chains());
    assert!(records.iter().all(|record| record.injected_noise == Point::zeros()));
}

#[test]
fn a_minibatch_step_is_the_formula() {
    let mut chains = Population::at(Coords::of_points(&[Point::new(0.0, 1.0)]));
    let numbers = Numbers { first: vec![1.0], second: vec![-1.0], ..Numbers::default() };
    let gradient = Gradient::minibatch(2, BatchOrder::Random);
    let plan = Plan { batch: &[2, 0], ..plan(0.125) };
    let records = one_step(&Sgld, &data(), &gradient, &plan, &numbers, &mut chains);
    // Prior −θ/2, likelihood 3/2 · Σ (xᵢ − θ) over data 2 and 0.
    let estimate = Point::new(1.5 * (3.0 + 1.0), -0.5 + 1.5 * (-3.0 + 1.0));
    assert_eq!(chains.position(0), Point::new(0.0, 1.0) + estimate * 0.125 + Point::new(0.5, -0.5));
    let full = Point::new(3.0, -0.5 - 3.0 + 1.0 - 0.5);
    assert_eq!(records[0].drift, full * 0.125);
    assert_eq!(records[0].gradient_noise, (estimate - full) * 0.125);
}

#[test]
fn exploration_injects_noise_only_if_the_stage_says_so() {
    let injected = |stage| {
        let plan = Plan { stage, ..plan(0.125) };
        one_step(&Sgld, &Normal::new(4.0, 2), &Gradient::Exact, &plan, &numbers(), &mut chains())[0].injected_noise
    };
    assert_eq!(injected(Stage::Exploration { noise: false }), Point::zeros());
    assert_eq!(injected(Stage::Exploration { noise: true }), Point::new(0.5, 0.25));
    assert_eq!(injected(Stage::Sampling), Point::new(0.5, 0.25));
}

#[test]
fn records_add_up() {
    for (gradient, target, batch) in all_gradients() {
        for stage in [Stage::Sampling, Stage::Exploration { noise: false }] {
            let (before, mut after) = (chains(), chains());
            let plan = Plan { batch: &batch, stage, ..plan(0.1) };
            let records = one_step(&Sgld, &target, &gradient, &plan, &numbers(), &mut after);
            for (chain, record) in records.iter().enumerate() {
                assert_eq!((record.from, record.to), (before.position(chain), after.position(chain)));
                close(record.drift.x, 0.1 * target.gradient(record.from).x, ROUNDING);
                let sum = record.drift + record.gradient_noise + record.injected_noise;
                // Positions are below 8 in size: a few units of their last place.
                assert!((record.to - record.from - sum).amax() < 8.0 * ROUNDING, "{gradient:?}: {record:?}");
            }
        }
    }
}

/// How a trajectory is computed, without any effect on its bits.
#[derive(Clone, Debug)]
struct Way {
    /// Sizes of the blocks that five chains are cut into.
    blocks: Vec<usize>,
    /// Lengths of the chunks that 30 steps are cut into.
    chunks: Vec<usize>,
    recorded: bool,
    simd: Simd,
}

/// The positions of five chains after each of 30 steps, chain by chain.
fn trajectory(gradient: &Gradient, target: &Normal, way: &Way) -> Vec<u64> {
    let starts: Vec<Point> = (0..5).map(|i| Point::new(f64::from(i), 0.3 - f64::from(i))).collect();
    let pairs = Sgld.needs(gradient).vectors;
    let mut paths = vec![Vec::new(); 5];
    let mut offset = 0;
    for &size in &way.blocks {
        let mut chains = Population::at(Coords::of_points(&starts[offset..offset + size]));
        let mut streams: Vec<_> = (0..size).map(|chain| stream((offset + chain) as u64)).collect();
        let mut batches = Batches::new(99, 0, offset as u64, size as u64);
        let mut scratch = Scratch::default();
        let mut records = vec![StepRecord::default(); if way.recorded { size } else { 0 }];
        for &length in &way.chunks {
            let count = length * pairs * size;
            let mut numbers = Numbers { first: vec![0.0; count], second: vec![0.0; count], ..Numbers::default() };
            for (index, chain) in (0..count).map(|index| (index, index % size)) {
                (numbers.first[index], numbers.second[index]) = streams[chain].normal_pair();
            }
            let mut batch = Vec::new();
            let batches = batches.fill(way.simd, gradient, (target.points.len(), length), &mut batch);
            let steps = Steps { step_sizes: &vec![0.05; length], stages: &vec![Stage::Sampling; length], batches };
            let problem = Problem::in_plane(target, gradient, way.simd);
            let (mut x, mut y) = (vec![0.0; length * size], vec![0.0; length * size]);
            let track = Track { x: &mut x, y: &mut y, records: &mut records };
            let chunk =
                Chunk { problem: &problem, steps, randomness: numbers.as_randomness(), track, scratch: &mut scratch };
            Sgld.advance(&mut chains, chunk);
            for (index, (x, y)) in x.iter().zip(&y).enumerate() {
                paths[offset + index % size].extend([x.to_bits(), y.to_bits()]);
            }
        }
        offset += size;
    }
    paths.concat()
}

#[test]
fn blocks_chunks_records_and_instructions_leave_the_bits_alone() {
    for (gradient, target, _) in all_gradients() {
        let way = Way { blocks: vec![5], chunks: vec![30], recorded: false, simd: Simd::BASELINE };
        let whole = trajectory(&gradient, &target, &way);
        for blocks in [&[5][..], &[2, 3], &[1, 1, 1, 1, 1], &[4, 1]] {
            for chunks in [&[30][..], &[1; 30], &[7, 1, 1, 21]] {
                for (recorded, simd) in Simd::available().flat_map(|simd| [(false, simd), (true, simd)]) {
                    let way = Way { blocks: blocks.to_vec(), chunks: chunks.to_vec(), recorded, simd };
                    assert_eq!(trajectory(&gradient, &target, &way), whole, "{gradient:?} {way:?}");
                }
            }
        }
    }
}

#[test]
fn a_second_chunk_allocates_nothing() {
    for (gradient, target, batch) in all_gradients() {
        let mut chains = chains();
        let mut scratch = Scratch::default();
        let mut records = vec![StepRecord::default(); 2];
        let problem = Problem::in_plane(&target, &gradient, Simd::widest());
        let steps =
            Steps { step_sizes: &[0.1], stages: &[Stage::Sampling], batches: Minibatches::new(&batch, batch.len(), 1) };
        let mut advance = |scratch: &mut Scratch| {
            let (mut x, mut y) = ([0.0; 2], [0.0; 2]);
            let track = Track { x: &mut x, y: &mut y, records: &mut records };
            let numbers = numbers();
            let chunk = Chunk { problem: &problem, steps, randomness: numbers.as_randomness(), track, scratch };
            Sgld.advance(&mut chains, chunk);
            buffers_of(scratch)
        };
        let buffers = advance(&mut scratch);
        assert_eq!(buffers, advance(&mut scratch), "{gradient:?}");
    }
}

/// αλ = 3 > 2: the chain diverges to infinity, and nothing panics.
#[test]
fn an_unstable_chain_diverges_without_panic() {
    for compensate in [false, true] {
        let gradient = Gradient::Noisy { variance: 1.0, compensate };
        let mut chains = chains();
        for _ in 0..3000 {
            one_step(&Sgld, &Normal::new(30.0, 2), &gradient, &plan(0.1), &numbers(), &mut chains);
        }
        assert!(chains.positions.values().iter().all(|position| !position.is_finite()));
    }
    let target = data();
    let gradient = Gradient::Minibatch { size: 2, order: BatchOrder::Random, shared: false, compensate: true };
    let mut chains = chains();
    let plan = Plan { batch: &[0, 1], ..plan(2.0) };
    for _ in 0..3000 {
        one_step(&Sgld, &target, &gradient, &plan, &numbers(), &mut chains);
    }
    assert!(chains.positions.axis(0).iter().all(|position| !position.is_finite()));
}

#[test]
fn the_number_of_random_numbers_is_fixed_by_the_gradient_alone() {
    for (gradient, pairs) in all_gradients().into_iter().map(|(gradient, ..)| gradient).zip([1, 2, 2, 1, 1]) {
        let needs = Sgld.needs(&gradient);
        assert_eq!((needs.vectors, needs.uniforms), (pairs, 0), "{gradient:?}");
    }
}
