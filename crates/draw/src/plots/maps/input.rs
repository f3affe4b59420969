//! Input of the maps.

use crate::plots::Computing;
use crate::plots::data_edit::Editing;
use crate::plots::pointing::Pointed;
use crate::scene::MapQuantity;
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
