//! What every gesture on canvases and plots does, for the help.

use super::{
    class_maps, coefficients, coverage, cycles, functions, pairs, path, predictive, reliability, schedule, sweep,
    topics, weights,
};
use crate::canvas;
use crate::kit::data_edit;
use crate::kit::gestures::{self, Gesture};
use crate::kit::terms;

/// The gestures of canvases and plots.
pub const ALL: [&[Gesture]; 21] = [
    &canvas::GESTURES,
    &canvas::mixture::GESTURES,
    &canvas::painting::GESTURES,
    &canvas::chips::GESTURES,
    &gestures::GESTURES,
    &terms::GESTURES,
    &schedule::GESTURES,
    &schedule::range_test::GESTURES,
    &path::GESTURES,
    &coverage::GESTURES,
    &cycles::GESTURES,
    &data_edit::GESTURES,
    &functions::GESTURES,
    &class_maps::GESTURES,
    &reliability::GESTURES,
    &weights::GESTURES,
    &coefficients::GESTURES,
    &pairs::GESTURES,
    &predictive::GESTURES,
    &topics::GESTURES,
    &sweep::GESTURES,
];
