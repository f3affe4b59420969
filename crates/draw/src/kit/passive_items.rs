//! Plot items without hover and legend: any shapes, a texture over a rectangle of the plot, and what tells a page of shapes what belongs together.
//!
//! The image item of egui_plot is painted below the grid of the plot. The texture here is painted in its order among the items.

use std::ops::RangeInclusive;

use egui::{Color32, Rect, Shape, TextureId, Ui, pos2};
use egui_plot::{PlotBounds, PlotGeometry, PlotItem, PlotItemBase, PlotPoint, PlotTransform, PlotUi};

use base::math::{Bounds, Point};
pub use figure::remake::LIMIT;
use figure::vector::{Tag, wants_shapes};

/// An item whose shapes `draw` adds to the list.
pub struct PassiveItem<F> {
    base: PlotItemBase,
    bounds: PlotBounds,
    draw: F,
}

impl<F: Fn(&Ui, &PlotTransform, &mut Vec<Shape>)> PassiveItem<F> {
    /// An item that covers `bounds` of the plot.
    pub fn new(bounds: PlotBounds, draw: F) -> Self {
        Self { base: PlotItemBase::new(String::new()), bounds, draw }
    }
}

/// Where a rectangle of the plot is on the screen.
pub fn rect_of(window: Bounds, transform: &PlotTransform) -> Rect {
    let corner = |at: Point| transform.position_from_point(&PlotPoint::new(at.x, at.y));
    Rect::from_two_pos(corner(window.min), corner(window.max))
}

/// A texture over a rectangle of the plot, its first row at the top.
pub fn picture(texture: TextureId, window: Bounds) -> impl PlotItem {
    let (min, max) = (window.min, window.max);
    let bounds = PlotBounds::from_min_max([min.x, min.y], [max.x, max.y]);
    PassiveItem::new(bounds, move |_ui: &Ui, transform: &PlotTransform, shapes: &mut Vec<Shape>| {
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        shapes.push(Shape::image(texture, rect_of(window, transform), whole, Color32::WHITE));
    })
}

/// Tells a page of shapes the rectangle of a plot and the values along its sides.
pub(super) fn tell_scale(plot_ui: &mut PlotUi<'_>) {
    tell(plot_ui, |transform| {
        let ([left, bottom], [right, top]) = (transform.bounds().min(), transform.bounds().max());
        Tag::Plot(figure::vector::Plot { rect: *transform.frame(), x: [left, right], y: [bottom, top] })
    });
}

/// Tells a page of shapes that the items after this are a series with a name.
pub fn begin_series(plot_ui: &mut PlotUi<'_>, name: impl FnOnce() -> String) {
    if wants_shapes(plot_ui.ctx()) {
        let name = name();
        tell(plot_ui, move |_| Tag::Series(name.clone()));
    }
}

/// Tells a page of shapes that the series has ended.
pub fn end_series(plot_ui: &mut PlotUi<'_>) {
    tell(plot_ui, |_| Tag::SeriesEnd);
}

/// Adds an item that shows nothing and says something, where somebody listens.
fn tell(plot_ui: &mut PlotUi<'_>, tag: impl Fn(&PlotTransform) -> Tag + 'static) {
    if wants_shapes(plot_ui.ctx()) {
        let say = move |_: &Ui, transform: &PlotTransform, shapes: &mut Vec<Shape>| shapes.push(tag(transform).shape());
        plot_ui.add(PassiveItem::new(PlotBounds::NOTHING, say));
    }
}

impl<F: Fn(&Ui, &PlotTransform, &mut Vec<Shape>)> PlotItem for PassiveItem<F> {
    fn shapes(&self, ui: &Ui, transform: &PlotTransform, shapes: &mut Vec<Shape>) {
        (self.draw)(ui, transform, shapes);
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
        self.bounds
    }

    fn base(&self) -> &PlotItemBase {
        &self.base
    }

    fn base_mut(&mut self) -> &mut PlotItemBase {
        &mut self.base
    }
}
