//! Canvases of figures with limits of their own, on which one unit is equally long along both axes: their axes are as large as this leaves them.
//!
//! What axes take is known once they were drawn; the next frame has the size.

use egui::{Id, Ui, Vec2};

use crate::kit::canvas_grid::largest;
use crate::theme::Theme;

/// What was around the plot of a panel.
fn around(theme: &Theme) -> Option<(Id, f32)> {
    let panel = theme.look.panel.as_ref()?;
    Some((Id::unique(("around a plot of equal units", panel.number)), panel.aspect?))
}

/// The size of a plot with its axes within the largest one, where the shape inside of them is given.
pub(super) fn size(ui: &Ui, theme: &Theme, most: Vec2) -> Option<Vec2> {
    let (id, aspect) = around(theme)?;
    let around = ui.data(|data| data.get_temp::<Vec2>(id));
    Some(around.map_or(most, |around| fitted(most, around, aspect)))
}

/// The size with what is around it of a rectangle of a shape within the largest one.
fn fitted(most: Vec2, around: Vec2, aspect: f32) -> Vec2 {
    let inside = most - around;
    if inside.min_elem() <= 0.0 {
        return most;
    }
    largest(inside, aspect) + around
}

/// Notes what is around a plot of a size inside of its axes, of what it has `taken`.
pub(super) fn note(ui: &Ui, theme: &Theme, taken: Vec2, inside: Vec2) {
    /// Layouts that differ by less are the same.
    const SAME: f32 = 0.1;
    let Some((id, _)) = around(theme) else { return };
    let now = taken - inside;
    let before = ui.data(|data| data.get_temp::<Vec2>(id));
    if before.is_none_or(|before| (now - before).abs().max_elem() > SAME) {
        ui.data_mut(|data| data.insert_temp(id, now));
        ui.ctx().request_repaint();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::vec2;

    #[test]
    fn one_unit_is_equally_long_on_both_axes() {
        for (aspect, inside) in [(1.0, vec2(80.0, 80.0)), (2.0, vec2(160.0, 80.0)), (4.0, vec2(170.0, 42.5))] {
            let around = vec2(30.0, 20.0);
            assert!((fitted(vec2(200.0, 100.0), around, aspect) - around - inside).abs().max_elem() < 1e-3);
        }
        let most = vec2(20.0, 20.0);
        assert_eq!(fitted(most, vec2(30.0, 10.0), 1.0), most, "axes without space inside");
    }
}
