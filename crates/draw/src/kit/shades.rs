//! Shades of maps and matrices, and ink that is read on them.

use egui::Color32;

use crate::geometry::luma;

/// Viridis: neighbouring levels from 0 to 1 differ as much everywhere, also in grey and to the colour-blind.
pub fn viridis(level: f64) -> Color32 {
    let [r, g, b] = colorous::VIRIDIS.eval_continuous(level.clamp(0.0, 1.0)).into_array();
    Color32::from_rgb(r, g, b)
}

/// White or black, whichever is read more easily on the colour of this level.
pub fn ink_on(level: f64) -> Color32 {
    let [r, g, b, _] = viridis(level).to_array();
    if luma([r, g, b]) > 127.0 { Color32::BLACK } else { Color32::WHITE }
}
