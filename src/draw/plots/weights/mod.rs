//! Weight space of a network seen in planes: the draws of all runs by their weights or by their functions, the plane through three
//! draws with the density on it, or the line between two.
//!
//! The draw under the pointer is named, marked on its canvas, and its function is shown in a corner; so is that of the draw nearest to
//! the pointer on a canvas.

mod cache;
mod inset;
mod line;
mod places;

use egui::{Align2, Sense, Stroke, Ui};
use egui_plot::PlotPoint;

use crate::diagnostics::weight_path::WeightPath;
use crate::draw::numbers;
use crate::draw::theme::Theme;
use crate::scene::{DrawName, WeightPicture};
use crate::session::{Frame, RunFrame};

use super::Computing;
use super::canvas::CanvasResponse;
use super::gestures::Gesture;
use super::overlay_label::OverlayLabel;
use super::run_header;

use cache::{Made, Shown};

pub use cache::WeightsCache;

/// What can be done on the plot, and on the canvases beside it.
pub(super) const GESTURES: [Gesture; 4] = [
    Gesture::at("Weights", "Point at a draw", "Read its chain and step, see its function, and mark it on the canvas"),
    Gesture::at(
        "Weights",
        "Click a draw",
        "Choose it for the plane of three draws and the path of two; click again to release it",
    ),
    Gesture::at("Weights", "Point at the path", "Read losses and errors there"),
    Gesture::at("Weights", "Point at the canvas", "Mark the draw nearest to the pointer, and show its function"),
];

/// Names of the draws that span a plane, or are the ends of a path.
const ENDS: [&str; 3] = ["a", "b", "c"];

/// Words of an empty plot.
const NO_DRAWS: &str = "No draws yet";

/// Input of the plot.
#[derive(Clone, Copy, Debug)]
pub struct WeightsInput<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// The runs drawn, by number.
    pub runs: &'a [usize],
    /// From which side the draws are looked at.
    pub picture: WeightPicture,
    /// Whether chains have colours of their own, where one run is drawn; a few chains always have.
    pub by_chain: bool,
    /// When pictures are made.
    pub computing: Computing,
}

/// Draws the plot into the available space.
pub fn show(ui: &mut Ui, input: &WeightsInput<'_>, theme: &Theme, cache: &mut WeightsCache) {
    let place = ui.interact(ui.available_rect_before_wrap(), ui.scope_id().with("place"), Sense::hover());
    place.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "Weight space"));
    let room = ui.available_size();
    let height = (room.y - 2.0 * theme.text.heading).max(1.0);
    let count = cache.update(ui.ctx(), input, f64::from(room.x / height));
    let before = cache.found.take();
    let made = cache.now.clone();
    let notes = made.as_deref().map(|made| notes(input.frame, made)).unwrap_or_default();
    run_header::line(ui, input.frame, input.runs, theme, &theme.heading(), &notes);
    ui.add_space(theme.space(1.0));
    match made.as_deref().map(|made| (made, &made.shown)) {
        Some((made, Shown::Path(paths))) => line::show(ui, (made, paths), theme),
        Some((made, shown @ (Shown::Scatter(_) | Shown::Plane(_)))) => {
            places::show(ui, input, theme, (made, shown), cache);
        }
        Some((_, Shown::Few(words))) => empty(ui, theme, words),
        None if count == 0 => empty(ui, theme, NO_DRAWS),
        None => {}
    }
    if cache.found != before {
        // The canvases come before the plot.
        ui.ctx().request_repaint();
    }
}

/// Takes in the weights under the pointer on the canvas of some runs, and marks those of a draw there.
pub fn over_canvas(ui: &Ui, (runs, canvas): (&[usize], &CanvasResponse), theme: &Theme, cache: &mut WeightsCache) {
    match canvas.hovered {
        Some(at) => cache.pointed = Some((runs.to_vec(), at)),
        None if cache.pointed.as_ref().is_some_and(|(pointed, _)| pointed == runs) => cache.pointed = None,
        None => {}
    }
    if let Some((_, at)) = cache.found.filter(|(run, _)| runs.contains(run)) {
        let place = canvas.transform.position_from_point(&PlotPoint::new(at.x, at.y));
        let painter = ui.painter().with_clip_rect(canvas.response.rect.intersect(ui.clip_rect()));
        ring(&painter, theme, place);
    }
}

/// A ring around a mark.
fn ring(painter: &egui::Painter, theme: &Theme, place: egui::Pos2) {
    let radius = theme.space(1.75);
    painter.circle_stroke(place, radius, Stroke::new(2.5 * theme.line(), theme.paper));
    painter.circle_stroke(place, radius, Stroke::new(theme.line(), theme.ink));
}

/// The words of an empty plot, in its middle.
fn empty(ui: &mut Ui, theme: &Theme, text: &str) {
    let (rect, _) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
    let (font, colour, at) = (theme.body(), theme.soft, rect.center());
    OverlayLabel { text, font, colour, at, align: Align2::CENTER_CENTER }.paint(ui, theme, rect);
}

/// What the line above the plot says: the draws behind it, or the ends of the path and its barriers.
fn notes(frame: &Frame, made: &Made) -> Vec<String> {
    match &made.shown {
        Shown::Path(paths) => {
            let barrier = |path: &WeightPath| match path.barrier() {
                Some(barrier) => format!("{} nats", numbers::significant(barrier, 3)),
                None => "not finite".to_owned(),
            };
            let barriers =
                [format!("barrier {}", barrier(&paths.straight)), format!("units matched {}", barrier(&paths.aligned))];
            ends(frame, made).chain(barriers).collect()
        }
        Shown::Few(_) => Vec::new(),
        Shown::Scatter(_) | Shown::Plane(_) => {
            let draws = format!("{} draws", numbers::count(made.names.len() as u64));
            ends(frame, made).chain([draws]).collect()
        }
    }
}

/// The chosen draws in words.
fn ends(frame: &Frame, made: &Made) -> impl Iterator<Item = String> {
    made.ends.iter().zip(ENDS).map(move |(end, letter)| format!("{letter}: {}", name(frame, made.names[*end])))
}

/// Run, chain and step of a draw in words.
fn name(frame: &Frame, name: DrawName) -> String {
    let of = |run: &RunFrame| {
        let step = numbers::count(name.step);
        let run = if frame.runs.len() > 1 { format!("{}, ", run.plan.name) } else { String::new() };
        let number = numbers::count(name.chain as u64 + 1);
        if name.fitted { format!("{run}draw {number} of the fit") } else { format!("{run}chain {number}, step {step}") }
    };
    frame.runs.get(name.run).map(of).unwrap_or_default()
}

#[cfg(test)]
mod tests;
