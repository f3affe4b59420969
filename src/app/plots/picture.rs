//! A texture lying over a part of the world, in its place among the other items of a plot.
//!
//! egui_plot's own image is painted before everything else of a plot, its grid included; this one is not.

use std::ops::RangeInclusive;

use egui::{Color32, Rect, Shape, TextureId, Ui, pos2};
use egui_plot::{PlotBounds, PlotGeometry, PlotItem, PlotItemBase, PlotPoint, PlotTransform};

use crate::math::Window;

/// A texture over a window of the world, its first row at the top.
pub struct Picture {
    base: PlotItemBase,
    texture: TextureId,
    window: Window,
}

impl Picture {
    /// `texture` over `window`.
    #[must_use]
    pub fn new(texture: TextureId, window: Window) -> Self {
        Self { base: PlotItemBase::new(String::new()), texture, window }
    }
}

impl PlotItem for Picture {
    fn shapes(&self, _ui: &Ui, transform: &PlotTransform, shapes: &mut Vec<Shape>) {
        let corner = |x: f64, y: f64| transform.position_from_point(&PlotPoint::new(x, y));
        let (min, max) = (self.window.min, self.window.max);
        let place = Rect::from_two_pos(corner(min.x, max.y), corner(max.x, min.y));
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        shapes.push(Shape::image(self.texture, place, whole, Color32::WHITE));
    }

    fn initialize(&mut self, _x_range: RangeInclusive<f64>) {}

    fn color(&self) -> Color32 {
        Color32::TRANSPARENT
    }

    fn allow_hover(&self) -> bool {
        false
    }

    fn geometry(&self) -> PlotGeometry<'_> {
        PlotGeometry::None
    }

    fn bounds(&self) -> PlotBounds {
        let (min, max) = (self.window.min, self.window.max);
        PlotBounds::from_min_max([min.x, min.y], [max.x, max.y])
    }

    fn base(&self) -> &PlotItemBase {
        &self.base
    }

    fn base_mut(&mut self) -> &mut PlotItemBase {
        &mut self.base
    }
}
