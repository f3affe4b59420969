//! How far topics move: against the definition, and against figures of an independent program.

use super::super::{Batches, Moved, Movement, Order, Recipe, Smoothing, Tolerance, Topics};
use super::{model, near, rho, stream, svi};
use base::math::Simd;

#[test]
fn a_step_moves_the_means_of_all_words() {
    let mut stream = stream(3);
    let path: Vec<Topics> = (0..4).map(|_| Topics::random(7, 19, &mut stream)).collect();
    let expected: Vec<f64> =
        path.windows(2).map(|pair| pair[0].normalised().square_distance(&pair[1].normalised())).collect();
    let mut first = None;
    for simd in Simd::available() {
        let (mut movement, mut sums) = (Movement::at(simd, &path[0]), vec![Moved::default()]);
        for parameters in &path[1..] {
            let mut moved = sums[sums.len() - 1];
            movement.step(parameters, &mut moved);
            sums.push(moved);
        }
        let rms = (expected[1..].iter().sum::<f64>() / 2.0).sqrt();
        near("two steps", sums[3].per_step(sums[1], 2).unwrap() / rms, 1.0, 1e-13);
        assert_eq!(*first.get_or_insert(sums.clone()), sums, "bits do not depend on the instruction set");
        assert_eq!(sums[1].per_step(sums[1], 0), None);
    }
}

/// A step of 10⁻⁹ in one number after a large one: its square is far below the rounding error of the sum.
#[test]
fn small_steps_are_known_after_large_ones() {
    let at = |share: f64| Topics::from_fn(1, 2, |_, word| if word == 0 { share } else { 1.0 - share });
    let (mut movement, mut moved) = (Movement::at(Simd::BASELINE, &at(0.1)), Moved::default());
    for _ in 0..50 {
        movement.step(&at(0.9), &mut moved);
        movement.step(&at(0.5), &mut moved);
    }
    let before = moved;
    movement.step(&at(0.5 + 1e-9), &mut moved);
    near("small", moved.per_step(before, 1).unwrap() / (2.0_f64.sqrt() * 1e-9), 1.0, 1e-6);
    movement.step(&at(f64::NAN), &mut moved);
    assert_eq!(moved.per_step(before, 2), None);
}

/// ‖ΔE β‖ of the last 200 of 2000 steps on bars with shuffled batches of 10 and ρ = (t + 1)^−0.7, a mean over starts.
#[test]
fn topics_tremble_on_bars_as_stated() {
    const STARTS: u64 = 4;
    let corpus = Recipe::bars(5).corpus(1);
    let (documents, model) = (&corpus.training, model(&corpus, 10, 0.2, 0.1));
    let trembling = |window: usize, start: u64| {
        let mut stream = stream(20 + start);
        let lambda = Topics::random(10, 25, &mut stream);
        let mut svi = svi(model, Tolerance::default(), Smoothing::Statistics { window }, &lambda, documents);
        let mut batches = Batches::new(Order::Shuffled, 10, documents.len());
        let (mut movement, mut moved, mut before) =
            (Movement::at(Simd::widest(), &lambda), Moved::default(), Moved::default());
        for step in 1..=2000 {
            svi.step(documents, batches.next(&mut stream), rho(step, 1.0, 0.7));
            movement.step(svi.lambda(), &mut moved);
            if step == 1800 {
                before = moved;
            }
        }
        moved.per_step(before, 200).unwrap()
    };
    for (window, stated) in [(1, 0.00136), (10, 0.00041)] {
        let all: Vec<f64> = (0..STARTS).map(|start| trembling(window, start)).collect();
        let mean = all.iter().sum::<f64>() / STARTS as f64;
        near(&format!("L = {window}: {all:?}"), mean / stated, 1.0, 0.1);
    }
}
