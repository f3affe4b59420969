//! Input of the plot of topics.

use super::geometry::Relevance;
use crate::kit::background::Computing;
use engine::session::Frame;

/// Input of the plot.
#[derive(Clone, Copy, Debug)]
pub struct TopicsInput<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// The runs drawn, by number.
    pub runs: &'a [usize],
    /// Whether the true topics are shown.
    pub truth: bool,
    /// How words are sorted.
    pub relevance: Relevance,
    /// The chain whose topics are shown, from 0; the last one of runs with fewer.
    pub chain: usize,
    /// Whether the labels of draws are aligned before they are averaged.
    pub aligned: bool,
    /// When pictures are made.
    pub computing: Computing,
}
