//! Tests of what is kept of topics, in which order it is measured, and of the places of topics.

use super::measured::{coarse_to_fine, places_by};
use super::{MOST_NUMBERS, stride};
use crate::topics::Matching;

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

#[test]
fn places_are_those_of_the_partners_and_then_the_free_ones() {
    let matching = |found: &[Option<usize>]| Matching { found: found.to_vec(), distances: vec![None; found.len()] };
    assert_eq!(places_by(&matching(&[Some(2), Some(0)]), 4), [1, 2, 0, 3]);
    assert_eq!(places_by(&matching(&[None, Some(1), Some(0)]), 2), [2, 1]);
}

/// 64 chains with 10 topics over 5000 words: 5 steps would fit into memory, and 8 are kept all the same.
#[test]
fn all_topics_that_are_kept_have_a_bound() {
    assert_eq!(stride(500, 250), 1);
    assert_eq!(stride(800, 250), 2);
    assert_eq!(stride(800, MOST_NUMBERS / 100), 8);
    assert_eq!(stride(800, 64 * 10 * 5000), 128);
}
