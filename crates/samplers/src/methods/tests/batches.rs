//! Minibatch indices: in range, in order, every datum once per epoch, of each chain's own or shared, and the same after a
//! clone.

use std::collections::BTreeMap;

use super::super::{BatchOrder, Batches, Gradient};
use base::math::Simd;

const ORDERS: [BatchOrder; 3] = [BatchOrder::Random, BatchOrder::Shuffled, BatchOrder::Cyclic];

fn source(seed: u64, chains: u64) -> Batches {
    Batches::new(seed, 0, 0, chains)
}

fn shared(size: usize, order: BatchOrder) -> Gradient {
    Gradient::Minibatch { size, order, shared: true, compensate: false }
}

/// The indices of the minibatches of chain `chain` in the next `steps` steps.
fn of_chain(chain: usize, batches: &mut Batches, gradient: &Gradient, (data, steps): (usize, usize)) -> Vec<u32> {
    let mut memory = vec![u32::MAX];
    let found = batches.fill(Simd::widest(), gradient, (data, steps), &mut memory);
    (0..steps).flat_map(|step| found.of(step, chain).iter()).collect()
}

/// The same of the only chain.
fn next(batches: &mut Batches, gradient: &Gradient, data: usize, steps: usize) -> Vec<u32> {
    of_chain(0, batches, gradient, (data, steps))
}

#[test]
fn batches_have_their_size_and_stay_in_range() {
    for order in ORDERS {
        for (size, data) in [(1, 1), (3, 7), (7, 7), (1, 100)] {
            let mut batches = source(0, 5);
            for step in 0..50 {
                let batch = of_chain(step % 5, &mut batches, &Gradient::minibatch(size, order), (data, 1));
                assert_eq!(batch.len(), size);
                assert!(batch.iter().all(|&index| (index as usize) < data), "{order:?}: {batch:?}");
            }
        }
    }
}

#[test]
fn several_batches_at_once_are_the_same_as_one_by_one() {
    for order in ORDERS {
        for gradient in [Gradient::minibatch(3, order), shared(3, order)] {
            let (mut together, mut single) = (source(1, 4), source(1, 4));
            let all: Vec<u32> = (0..20).flat_map(|_| of_chain(2, &mut single, &gradient, (7, 1))).collect();
            assert_eq!(of_chain(2, &mut together, &gradient, (7, 20)), all);
            assert_eq!(next(&mut together, &gradient, 7, 9), next(&mut single, &gradient, 7, 9));
        }
    }
}

#[test]
fn a_clone_continues_like_the_original() {
    for order in ORDERS {
        let gradient = Gradient::minibatch(4, order);
        let mut batches = source(2, 3);
        let mut again = batches.clone();
        assert_eq!(next(&mut batches, &gradient, 9, 5), next(&mut again, &gradient, 9, 5));
        // In the middle of an epoch.
        let mut checkpoint = batches.clone();
        let mut of_checkpoint = checkpoint.clone();
        let expected = of_chain(1, &mut batches, &gradient, (9, 50));
        assert_eq!(of_chain(1, &mut checkpoint, &gradient, (9, 50)), expected);
        assert_eq!(of_chain(1, &mut of_checkpoint, &gradient, (9, 50)), expected);
    }
}

/// Also if the data have changed since, as after an event.
#[test]
fn a_clone_continues_like_the_original_with_other_data() {
    let (few, many) = (5, 8);
    let gradient = Gradient::minibatch(3, BatchOrder::Shuffled);
    let mut batches = source(7, 2);
    next(&mut batches, &gradient, few, 3);
    let mut checkpoint = batches.clone();
    assert_eq!(next(&mut checkpoint, &gradient, many, 9), next(&mut batches, &gradient, many, 9));
}

#[test]
fn chains_have_their_own_batches_whatever_the_block_they_are_in() {
    for order in ORDERS {
        let gradient = Gradient::minibatch(2, order);
        let all: Vec<Vec<u32>> = (0..5).map(|chain| of_chain(chain, &mut source(3, 5), &gradient, (100, 30))).collect();
        for (chain, of_one) in all.iter().enumerate() {
            assert!(all[..chain].iter().all(|other| other != of_one), "{order:?}: two chains have equal minibatches");
            let mut alone = Batches::new(3, 0, chain as u64, 1);
            assert_eq!(&next(&mut alone, &gradient, 100, 30), of_one);
        }
    }
}

#[test]
fn shared_batches_are_those_of_chain_0_in_every_block() {
    for order in ORDERS {
        let own = next(&mut source(3, 5), &Gradient::minibatch(2, order), 100, 30);
        for (first, chains, chain) in [(0, 5, 0), (0, 5, 4), (8, 1, 0)] {
            let mut batches = Batches::new(3, 0, first, chains);
            assert_eq!(of_chain(chain, &mut batches, &shared(2, order), (100, 30)), own);
        }
    }
}

#[test]
fn shuffled_epochs_are_permutations_even_across_batches_and_sizes() {
    for chain in 0..3 {
        let mut batches = source(3, 3);
        let mut numbers = Vec::new();
        for size in [3, 4, 1, 10, 2, 7, 3] {
            let gradient = Gradient::minibatch(size, BatchOrder::Shuffled);
            numbers.extend(of_chain(chain, &mut batches, &gradient, (10, 1)));
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
}

#[test]
fn cyclic_batches_count() {
    let gradient = Gradient::minibatch(3, BatchOrder::Cyclic);
    assert_eq!(next(&mut source(4, 2), &gradient, 5, 4), [0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1]);
    let of_other = of_chain(1, &mut source(4, 2), &gradient, (5, 4));
    assert!(of_other.windows(2).all(|pair| pair[1] == (pair[0] + 1) % 5), "{of_other:?}");
}

#[test]
fn gradients_without_data_take_no_batches() {
    let gradient = Gradient::minibatch(4, BatchOrder::Random);
    let (mut batches, mut untouched) = (source(5, 1), source(5, 1));
    assert!(next(&mut batches, &Gradient::Exact, 10, 100).is_empty());
    assert!(next(&mut batches, &Gradient::Noisy { variance: 1.0, compensate: false }, 10, 100).is_empty());
    assert_eq!(next(&mut batches, &gradient, 10, 9), next(&mut untouched, &gradient, 10, 9));
}

/// 6000 shuffles of three data: each of the six orders 1000 times, ± 6 standard errors of √(6000 · 1/6 · 5/6).
/// Fails by chance with probability 2 · 10⁻⁸.
#[test]
fn shuffles_are_uniform() {
    let numbers = of_chain(1, &mut source(6, 3), &Gradient::minibatch(3, BatchOrder::Shuffled), (3, 6000));
    let mut counts = BTreeMap::new();
    for order in numbers.chunks(3) {
        *counts.entry(order.to_vec()).or_insert(0) += 1;
    }
    let error = (6000.0_f64 * 5.0 / 36.0).sqrt();
    assert_eq!(counts.len(), 6);
    assert!(counts.values().all(|&count| (f64::from(count) - 1000.0).abs() < 6.0 * error), "{counts:?}");
}
