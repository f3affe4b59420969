//! Handles for the Gaussians of a mixture on a canvas.
//!
//! Each Gaussian has its outline, a handle at its centre that moves it, a handle on each axis that turns and stretches it, and
//! a disc beside the centre whose size is its weight; dragging the disc up and down changes the weight.

use egui::{Color32, CursorIcon, Id, Key, PointerButton, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, Vec2, vec2};
use egui_plot::PlotTransform;

use super::geometry::handles::{REACH, handles, pulled};
use crate::kit::gestures::Gesture;
use crate::kit::named::named;
use crate::kit::overlay_label::OverlayLabel;
use crate::theme::Theme;
use crate::words::numbers;
use base::math::{Gaussian, Point};

/// One Gaussian of the edited mixture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Its weight, relative to the others.
    pub weight: f64,
    /// Its mean and covariance.
    pub gaussian: Gaussian,
}

/// Edit of a mixture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Deed {
    /// Change a Gaussian.
    Change(usize, Part),
    /// Remove a Gaussian.
    Remove(usize),
    /// Add a Gaussian here.
    Add(Point),
}

/// Drag distance that multiplies the weight by e, in points.
const DRAG_PER_E: f32 = 80.0;

/// Range of weights by dragging, relative to each other.
const WEIGHTS: (f64, f64) = (1e-3, 1e3);

/// What can be done while a mixture is edited on a canvas.
pub(crate) const GESTURES: [Gesture; 5] = [
    Gesture::at("Edit mixture", "Drag the disc at a mean", "Move the Gaussian"),
    Gesture::at("Edit mixture", "Drag a square", "Turn and stretch the Gaussian along an axis"),
    Gesture::at("Edit mixture", "Drag the ring up or down", "Change the weight of the Gaussian"),
    Gesture::at("Edit mixture", "Right-click on the canvas", "Add a Gaussian here"),
    Gesture::at("Edit mixture", "Delete, or right-click on a mean", "Remove the Gaussian"),
];

/// Paints the handles over a canvas, and returns the edit.
pub fn edit(ui: &Ui, theme: &Theme, parts: &[Part], canvas: (&Response, &PlotTransform)) -> Option<Deed> {
    let (plot, transform) = canvas;
    let handles = MixtureHandles { ui, theme, rect: plot.rect, transform, id: plot.id.with("mixture") };
    let total: f64 = parts.iter().map(|part| part.weight).sum();
    let mut deed = None;
    for (number, part) in parts.iter().enumerate() {
        handles.outline(part);
        let done = handles.part(number, part, part.weight / total, parts.len() > 1);
        deed = deed.or(done);
    }
    deed.or_else(|| handles.added(plot))
}

/// A canvas with handles on it.
struct MixtureHandles<'a> {
    ui: &'a Ui,
    theme: &'a Theme,
    rect: Rect,
    transform: &'a PlotTransform,
    id: Id,
}

impl MixtureHandles<'_> {
    fn screen(&self, point: Point) -> Pos2 {
        self.transform.position_from_point(&egui_plot::PlotPoint::new(point.x, point.y))
    }

    fn world(&self, at: Pos2) -> Point {
        let at = self.transform.value_from_position(at);
        Point::new(at.x, at.y)
    }

    fn outline(&self, part: &Part) {
        /// Corners of an ellipse, enough to look smooth.
        const CORNERS: usize = 64;
        let corners: Vec<Pos2> =
            part.gaussian.ellipse(REACH, CORNERS).into_iter().map(|corner| self.screen(corner)).collect();
        let painter = self.ui.painter().with_clip_rect(self.rect);
        painter.add(Shape::closed_line(corners, Stroke::new(self.theme.thin(), self.theme.accent)));
        for handle in handles(&part.gaussian) {
            let ends = [self.screen(part.gaussian.mean), self.screen(handle)];
            painter.extend(Shape::dashed_line(&ends, Stroke::new(self.theme.thin(), self.theme.accent), 4.0, 4.0));
        }
    }

    /// The handles of one Gaussian.
    fn part(&self, number: usize, part: &Part, share: f64, removable: bool) -> Option<Deed> {
        let centre = self.screen(part.gaussian.mean);
        let mut deed = self.weight(number, part, share, centre);
        for (axis, handle) in handles(&part.gaussian).into_iter().enumerate() {
            let at = self.screen(handle);
            let help = "Drag to rotate and stretch";
            let response = self.handle((number, axis + 1), at, CursorIcon::Crosshair, help);
            let response = named(response, &format!("Axis {} of Gaussian {}", axis + 1, number + 1));
            // A drag starts from the shape before it, so that axes do not swap roles on the way.
            let begun = self.begun(&response, *part);
            if let Some(to) = response.interact_pointer_pos().filter(|_| response.dragged()) {
                let covariance = pulled(&begun.gaussian, axis, self.world(to));
                let gaussian = Gaussian { covariance, ..part.gaussian };
                deed = Some(Deed::Change(number, Part { gaussian, ..*part }));
            }
            self.square(at, response.hovered() || response.dragged());
        }
        let help = "Drag to move; right-click or Delete to remove";
        let response = self.handle((number, 0), centre, CursorIcon::Grab, help);
        let response = named(response, &format!("Mean of Gaussian {}", number + 1));
        if let Some(to) = response.interact_pointer_pos().filter(|_| response.dragged_by(PointerButton::Primary)) {
            let gaussian = Gaussian { mean: self.world(to), ..part.gaussian };
            deed = Some(Deed::Change(number, Part { gaussian, ..*part }));
        }
        self.disc(centre, self.theme.space(1.75), response.hovered() || response.dragged());
        let typing = self.ui.ctx().text_edit_focused();
        let deleted = removable
            && !typing
            && response.hovered()
            && self.ui.input_mut(|input| {
                let none = egui::Modifiers::NONE;
                input.consume_key(none, Key::Delete) || input.consume_key(none, Key::Backspace)
            });
        let mut wanted = deleted;
        response.context_menu(|ui| {
            if ui.add_enabled(removable, egui::Button::new("Remove this Gaussian")).clicked() {
                wanted = true;
                ui.close();
            }
        });
        if wanted { Some(Deed::Remove(number)) } else { deed }
    }

    /// The disc beside the centre.
    fn weight(&self, number: usize, part: &Part, share: f64, centre: Pos2) -> Option<Deed> {
        // The axes point right and up.
        let at = centre + vec2(-self.theme.space(5.5), self.theme.space(5.5));
        let help = "Weight: drag up or down";
        let response = self.handle((number, 3), at, CursorIcon::ResizeVertical, help);
        let response = named(response, &format!("Weight of Gaussian {}", number + 1));
        let active = response.hovered() || response.dragged();
        let painter = self.ui.painter().with_clip_rect(self.rect);
        let (small, large) = (self.theme.space(0.8), self.theme.space(2.6));
        let radius = small + (large - small) * narrow(share).sqrt();
        painter.circle(at, large, self.theme.paper, Stroke::new(self.theme.thin(), self.colour(active)));
        painter.circle_filled(at, radius, self.colour(active));
        let text = numbers::percent(share);
        let (font, colour) = (self.theme.small(), self.theme.ink);
        let beside = at - vec2(large + self.theme.space(0.5), 0.0);
        OverlayLabel { text: &text, font, colour, at: beside, align: egui::Align2::RIGHT_CENTER }
            .paint(self.ui, self.theme, self.rect);
        let dragged = response.drag_delta().y;
        (dragged.abs() > 0.0).then(|| {
            let factor = f64::from(-dragged / DRAG_PER_E).exp();
            let weight = (part.weight * factor).clamp(WEIGHTS.0, WEIGHTS.1);
            Deed::Change(number, Part { weight, ..*part })
        })
    }

    /// A handle.
    fn handle(&self, name: (usize, usize), at: Pos2, cursor: CursorIcon, help: &str) -> Response {
        let size = Vec2::splat(self.theme.space(5.0));
        let rect = Rect::from_center_size(at, size);
        let response = self.ui.interact(rect, self.id.with(name), Sense::click_and_drag());
        let cursor = if response.dragged() && cursor == CursorIcon::Grab { CursorIcon::Grabbing } else { cursor };
        let response = response.on_hover_cursor(cursor);
        let dragged = response.dragged();
        if dragged { response } else { response.on_hover_text(help) }
    }

    /// The Gaussian at the start of the present drag.
    fn begun(&self, response: &Response, now: Part) -> Part {
        let id = response.id.with("begun");
        self.ui.data_mut(|data| {
            if response.drag_started() || !response.dragged() {
                data.insert_temp(id, BegunPart(now));
            }
            data.get_temp(id).map_or(now, |BegunPart(part)| part)
        })
    }

    /// A Gaussian added by a click on the plot.
    fn added(&self, plot: &Response) -> Option<Deed> {
        let mut deed = None;
        let id = self.id.with("place");
        if plot.secondary_clicked()
            && let Some(at) = plot.interact_pointer_pos()
        {
            self.ui.data_mut(|data| data.insert_temp(id, at));
        }
        plot.context_menu(|ui| {
            if ui.button("Add a Gaussian here").clicked() {
                let at: Option<Pos2> = ui.data(|data| data.get_temp(id));
                deed = at.map(|at| Deed::Add(self.world(at)));
                ui.close();
            }
        });
        deed
    }

    fn colour(&self, active: bool) -> Color32 {
        if active { self.theme.ink } else { self.theme.accent }
    }

    fn disc(&self, at: Pos2, radius: f32, active: bool) {
        let painter = self.ui.painter().with_clip_rect(self.rect);
        painter.circle(at, radius, self.colour(active), Stroke::new(self.theme.line(), self.theme.paper));
    }

    fn square(&self, at: Pos2, active: bool) {
        let painter = self.ui.painter().with_clip_rect(self.rect);
        let rect = Rect::from_center_size(at, Vec2::splat(self.theme.space(3.0)));
        painter.rect_filled(rect, 0.0, self.colour(active));
        let rim = Stroke::new(self.theme.line(), self.theme.paper);
        painter.rect_stroke(rect, 0.0, rim, egui::StrokeKind::Outside);
    }
}

/// A Gaussian at the start of a drag.
#[derive(Clone, Copy)]
struct BegunPart(Part);

fn narrow(share: f64) -> f32 {
    share as f32
}
