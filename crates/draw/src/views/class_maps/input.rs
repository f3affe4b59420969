//! Input of the maps.

use super::geometry::MapQuantity;
use crate::canvas::pointing::Pointed;
use crate::kit::background::Computing;
use crate::kit::data_edit::Editing;
use engine::session::Frame;

/// Input of the maps.
#[derive(Clone, Copy, Debug)]
pub struct MapsInput<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// The runs drawn, by number.
    pub runs: &'a [usize],
    /// What the maps show.
    pub quantity: MapQuantity,
    /// When draws are added to the maps.
    pub computing: Computing,
    /// Whether the data can be changed on the maps.
    pub editing: Editing,
    /// What the pointer is at.
    pub pointed: &'a Pointed,
}
