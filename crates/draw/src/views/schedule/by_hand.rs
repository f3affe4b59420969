//! Curves of step sizes drawn by hand.

use egui::{CursorIcon, PointerButton, Shape, Stroke};

use super::course::{ScheduleEdit, course, edit_all};
use super::editor::Editor;
use super::geometry::knots_of;
use super::handles::HandleState;
use base::params::Value;
use samplers::schedules::{self, Spot};

impl Editor<'_> {
    /// Lets a person draw the curve of a run; the edit comes when the pointer is released.
    pub fn drawn(&self, run: usize, state: &mut HandleState) -> Option<ScheduleEdit> {
        let plot = self.plot.clone().on_hover_cursor(CursorIcon::Crosshair);
        if plot.drag_started() {
            state.stroke.clear();
        }
        if let Some(at) = plot.interact_pointer_pos().filter(|_| plot.dragged_by(PointerButton::Primary)) {
            // A fast pointer leaves gaps, which the straight lines between knots fill.
            let Spot { step, alpha } = self.spot(run, at);
            state.stroke.push([step, alpha]);
        }
        let line = state.stroke.iter().map(|&[step, alpha]| self.screen(run, Spot { step, alpha })).collect();
        self.painter().add(Shape::line(line, Stroke::new(self.theme.line(), self.theme.ink)));
        if !plot.drag_stopped() || state.stroke.len() < 2 {
            return None;
        }
        let stroke = std::mem::take(&mut state.stroke);
        let course = course(self.input.frame, self.scenario, run)?;
        let mut settings = course.settings.converted(schedules::BY_HAND);
        let unit = if schedules::in_epsilon(&settings) { 2.0 } else { 1.0 };
        let points: Vec<[f64; 2]> = stroke.iter().map(|&[step, alpha]| [step, unit * alpha]).collect();
        let before = settings.points("knots").to_vec();
        settings.set("knots", Value::Points(knots_of(&points, &before, course.steps))).ok()?;
        Some(edit_all(run, settings))
    }
}
