//! Input of the coverage plot.

use super::pin::Pin;
use super::seeds::Spread;
use super::spot::Trail;
use engine::session::Frame;

/// Input of the plot.
#[derive(Clone, Copy, Debug)]
pub struct CoverageInput<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// The runs drawn, by number.
    pub runs: &'a [usize],
    /// The spread of each run over several seeds, by number; runs without one have no cross.
    pub spreads: &'a [Option<Spread>],
    /// The number of these seeds.
    pub seeds: usize,
    /// The points of finished runs, and the identity of the target; it has noted the frame.
    pub trail: &'a Trail,
    /// All pins; those of other targets are only counted.
    pub pins: &'a [Pin],
    /// The pin that is selected, by number.
    pub selected: Option<usize>,
}
