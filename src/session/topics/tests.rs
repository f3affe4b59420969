//! Tests of what is kept of topics, and in which order it is measured.

use super::measured::coarse_to_fine;
use super::{MOST_NUMBERS, stride};

#[test]
fn the_newest_moment_comes_first_and_then_ever_finer_ones() {
    let order = |last, stride| {
        let mut order: Vec<usize> = Vec::new();
        for index in coarse_to_fine(last, stride) {
            if !order.contains(&index) {
                order.push(index);
            }
        }
        order
    };
    assert_eq!(order(9, 1), [9, 0, 8, 4, 2, 6, 1, 3, 5, 7]);
    assert_eq!(order(9, 4), [9, 0, 8, 4]);
    assert_eq!(order(0, 1), [0]);
    assert_eq!(order(2, 8), [2, 0]);
}

/// 64 chains with 10 topics over 5000 words: 5 steps would fit into memory, and 8 are kept all the same.
#[test]
fn all_topics_that_are_kept_have_a_bound() {
    assert_eq!(stride(500, 250), 1);
    assert_eq!(stride(800, 250), 2);
    assert_eq!(stride(800, MOST_NUMBERS / 100), 8);
    assert_eq!(stride(800, 64 * 10 * 5000), 128);
}
