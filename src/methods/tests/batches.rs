//! Minibatch indices: in range, in order, every datum once per epoch, and the same after a clone.

use super::super::{BatchOrder, Batches, Gradient};
use super::stream;

fn gradient(size: usize, order: BatchOrder) -> Gradient {
    Gradient::Minibatch { size, order, compensate: false }
}

fn next(batches: &mut Batches, gradient: &Gradient, data: usize, count: usize) -> Vec<u32> {
    let mut numbers = vec![u32::MAX];
    batches.fill(gradient, data, count, &mut numbers);
    numbers
}

const ORDERS: [BatchOrder; 3] = [BatchOrder::Random, BatchOrder::Shuffled, BatchOrder::Cyclic];

#[test]
fn batches_have_their_size_and_stay_in_range() {
    for order in ORDERS {
        for (size, data) in [(1, 1), (3, 7), (7, 7), (1, 100)] {
            let mut batches = Batches::new(stream(0));
            for _ in 0..50 {
                let batch = next(&mut batches, &gradient(size, order), data, 1);
                assert_eq!(batch.len(), size);
                assert!(batch.iter().all(|&index| (index as usize) < data), "{order:?}: {batch:?}");
            }
        }
    }
}

#[test]
fn several_batches_at_once_are_the_same_as_one_by_one() {
    for order in ORDERS {
        let gradient = gradient(3, order);
        let (mut together, mut single) = (Batches::new(stream(1)), Batches::new(stream(1)));
        let mut all = Vec::new();
        for _ in 0..20 {
            let batch = next(&mut single, &gradient, 7, 1);
            all.extend_from_slice(&batch);
        }
        assert_eq!(next(&mut together, &gradient, 7, 20), all);
        assert_eq!(together, single);
    }
}

#[test]
fn a_clone_continues_like_the_original() {
    for order in ORDERS {
        let mut batches = Batches::new(stream(2));
        let mut again = batches.clone();
        assert_eq!(next(&mut batches, &gradient(4, order), 9, 5), next(&mut again, &gradient(4, order), 9, 5));
        let mut checkpoint = batches.clone();
        assert_eq!(next(&mut batches, &gradient(4, order), 9, 50), next(&mut checkpoint, &gradient(4, order), 9, 50));
    }
}

#[test]
fn shuffled_epochs_are_permutations_even_across_batches_and_sizes() {
    let mut batches = Batches::new(stream(3));
    let mut numbers = Vec::new();
    for size in [3, 4, 1, 10, 2, 7, 3] {
        numbers.extend(next(&mut batches, &gradient(size, BatchOrder::Shuffled), 10, 1));
    }
    let epochs: Vec<&[u32]> = numbers.chunks(10).collect();
    assert_eq!(epochs.len(), 3);
    for epoch in &epochs {
        let mut sorted = epoch.to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..10).collect::<Vec<u32>>());
    }
    assert!(epochs[0] != epochs[1] && epochs[1] != epochs[2]);
}

#[test]
fn cyclic_batches_count() {
    let mut batches = Batches::new(stream(4));
    let numbers = next(&mut batches, &gradient(3, BatchOrder::Cyclic), 5, 4);
    assert_eq!(numbers, [0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1]);
}

#[test]
fn gradients_without_data_take_no_batches() {
    let mut batches = Batches::new(stream(5));
    assert!(next(&mut batches, &Gradient::Exact, 10, 100).is_empty());
    assert!(next(&mut batches, &Gradient::Noisy { variance: 1.0, compensate: false }, 10, 100).is_empty());
    assert_eq!(batches, Batches::new(stream(5)));
}

/// 6000 shuffles of three data: each of the six orders 1000 times, ± 6 standard errors of √(6000 · 1/6 · 5/6).
/// Fails by chance with probability 2 · 10⁻⁸.
#[test]
fn shuffles_are_uniform() {
    let mut batches = Batches::new(stream(6));
    let numbers = next(&mut batches, &gradient(3, BatchOrder::Shuffled), 3, 6000);
    let mut counts = std::collections::BTreeMap::new();
    for order in numbers.chunks(3) {
        *counts.entry(order.to_vec()).or_insert(0) += 1;
    }
    let error = (6000.0_f64 * 5.0 / 36.0).sqrt();
    assert_eq!(counts.len(), 6);
    assert!(counts.values().all(|&count| (f64::from(count) - 1000.0).abs() < 6.0 * error), "{counts:?}");
}
