//! What every gesture on canvases and plots does, for the help.

use super::gestures::{self, Gesture};
use super::{
    canvas, coverage, data_edit, functions, maps, path, range_test, reliability, schedule, sweep, topics, weights,
};

/// The gestures of canvases and plots.
pub const ALL: [&[Gesture]; 16] = [
    &canvas::GESTURES,
    &canvas::mixture::GESTURES,
    &canvas::painting::GESTURES,
    &canvas::chips::GESTURES,
    &gestures::GESTURES,
    &schedule::GESTURES,
    &range_test::GESTURES,
    &path::GESTURES,
    &coverage::GESTURES,
    &data_edit::GESTURES,
    &functions::GESTURES,
    &maps::GESTURES,
    &reliability::GESTURES,
    &weights::GESTURES,
    &topics::GESTURES,
    &sweep::GESTURES,
];
