//! Input of the plot of weight space.

use super::geometry::{Loss, WeightPicture};
use crate::canvas::pointing::Pointed;
use crate::kit::background::Computing;
use engine::session::Frame;

/// Input of the plot.
#[derive(Clone, Copy, Debug)]
pub struct WeightsInput<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// The runs drawn, by number.
    pub runs: &'a [usize],
    /// From which side the draws are looked at.
    pub picture: WeightPicture,
    /// The distance of functions up to which draws are neighbours in a cluster.
    pub threshold: f64,
    /// The height of the surface of a plane.
    pub surface: Loss,
    /// The number of the random direction.
    pub direction: u64,
    /// What the pointer is at.
    pub pointed: &'a Pointed,
    /// Whether chains have colours of their own, where one run is drawn; a few chains always have.
    pub by_chain: bool,
    /// When pictures are made.
    pub computing: Computing,
}
