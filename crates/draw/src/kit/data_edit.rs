//! Data that are dragged, added and removed on a plot.
//!
//! A target takes its data as a value of one of its parameters, so every change is an edit like any other. Until a frame
//! shows the changed data, the plot shows them itself, and its window stays while a datum is dragged.

use egui::{CursorIcon, PointerButton, Pos2, Response, Ui};
use egui_plot::{PlotPoint, PlotTransform};

use super::gestures::Gesture;
use crate::theme::Theme;
use base::math::Bounds;
use base::params::{MOST_POINTS, Value};

/// What can be done with the data of a regression or a classification.
pub(crate) const GESTURES: [Gesture; 4] = [
    Gesture::at("Functions and maps", "Drag a datum", "Move it, while the runs go on"),
    Gesture::at("Functions and maps", "Double-click", "Add a datum, of the class of its neighbour"),
    Gesture::at("Functions and maps", "Shift + double-click", "Add a datum of the other class"),
    Gesture::at("Functions and maps", "Right-click a datum", "Remove it"),
];

/// Distance from the middle of a datum within which the pointer takes hold of it, in units of the theme.
const REACH: f32 = 2.5;

/// Different positions of a dragged datum across the plot, at least: more than pixels.
const STEPS: f64 = 2000.0;

/// Frames after a change in which the changed data are drawn although the session still has those before.
const PATIENCE: u32 = 60;

/// Whether data can be changed on a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Editing {
    /// Never: a figure.
    Off,
    /// Not yet: the plot shows an earlier target than that of the scenario. What is being changed already goes on.
    Waits,
    /// Yes.
    On,
}

/// A change of the data: the parameter of the target and its new value.
pub type DataEdit = (String, Value);

/// Points, and their labels where they have any.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Data {
    /// Where the points are on the plot.
    pub points: Vec<[f64; 2]>,
    /// As many labels, or none.
    pub labels: Vec<f64>,
}

/// Data that are being changed on the plot of a run.
#[derive(Clone, Debug)]
pub struct Held {
    run: usize,
    /// The data as they are to be.
    data: Data,
    /// The datum that is dragged, and what the plot showed before.
    dragged: Option<(usize, Bounds)>,
    /// Frames to wait for a frame with these data.
    patience: u32,
    /// Number of changes so far.
    version: u64,
}

impl Held {
    /// The data to draw while some are held, with a number that no other held data of the plot have.
    pub fn data(held: Option<&Self>) -> Option<(&Data, u64)> {
        held.map(|held| (&held.data, held.version))
    }

    /// The window of the plot of a run, while one of its data is dragged.
    pub fn window(held: Option<&Self>, run: usize) -> Option<Bounds> {
        held.filter(|held| held.run == run).and_then(|held| held.dragged).map(|(_, window)| window)
    }
}

/// The plot of a run on which data are changed.
#[derive(Clone, Copy)]
pub struct OnPlot<'a> {
    /// Number of the run.
    pub run: usize,
    /// The response of the plot, which senses clicks and drags.
    pub response: &'a Response,
    /// From data to pixels.
    pub transform: &'a PlotTransform,
}

/// Forgets held data that the session has by now, or never takes.
pub fn settle(held: &mut Option<Held>, own: &Data) {
    if let Some(waiting) = held.as_mut().filter(|held| held.dragged.is_none()) {
        waiting.patience = waiting.patience.saturating_sub(1);
        if waiting.data == *own || waiting.patience == 0 {
            *held = None;
        }
    }
}

/// What the pointer makes of the data of a plot, if it changes them: dragging moves a datum, a double click adds one of the
/// class of its neighbour (of two classes, with Shift of the other), a secondary click removes one.
pub fn changed(
    ui: &Ui,
    theme: &Theme,
    (plot, editing): (OnPlot<'_>, Editing),
    own: &Data,
    held: &mut Option<Held>,
) -> Option<Data> {
    if editing == Editing::Off || (editing == Editing::Waits && held.is_none()) {
        return None;
    }
    let OnPlot { run, response, .. } = plot;
    let mut data = held.as_ref().map_or_else(|| own.clone(), |held| held.data.clone());
    let version = held.as_ref().map_or(0, |held| held.version) + 1;
    let hold = |data: &Data, dragged| Some(Held { run, data: data.clone(), dragged, patience: PATIENCE, version });
    if response.drag_started_by(PointerButton::Primary) {
        let origin = ui.input(|input| input.pointer.press_origin());
        if let Some(index) = origin.and_then(|origin| plot.nearest(theme, &data, origin)) {
            *held = hold(&data, Some((index, plot.window())));
        }
    }
    if let Some((index, window)) = held.as_ref().filter(|held| held.run == run).and_then(|held| held.dragged) {
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        let to = response.interact_pointer_pos().filter(|_| response.dragged()).map(|pointer| plot.point(pointer));
        let point = to.zip(data.points.get_mut(index));
        let bits = |point: [f64; 2]| point.map(f64::to_bits);
        let moved = point.is_some_and(|(to, point)| bits(std::mem::replace(point, to)) != bits(to));
        *held = hold(&data, response.dragged().then_some((index, window)));
        return moved.then_some(data);
    }
    if response.hover_pos().is_some_and(|pointer| plot.nearest(theme, &data, pointer).is_some()) {
        ui.ctx().set_cursor_icon(CursorIcon::Grab);
    }
    let pointer = response.interact_pointer_pos()?;
    match plot.nearest(theme, &data, pointer) {
        None if response.double_clicked() && data.points.len() < MOST_POINTS => {
            let label = label(&data, plot.point(pointer), ui.input(|input| input.modifiers.shift));
            data.labels.extend(label);
            data.points.push(plot.point(pointer));
        }
        Some(index) if response.secondary_clicked() && data.points.len() > 1 => {
            data.points.remove(index);
            if index < data.labels.len() {
                data.labels.remove(index);
            }
        }
        _ => return None,
    }
    *held = hold(&data, None);
    Some(data)
}

/// The label of a new datum: that of the nearest one, or the other of 0 and 1; none where data have no labels.
fn label(data: &Data, at: [f64; 2], other: bool) -> Option<f64> {
    let away = |point: &[f64; 2]| (point[0] - at[0]).hypot(point[1] - at[1]);
    let labelled = data.points.iter().zip(&data.labels);
    let (_, label) = labelled.min_by(|a, b| away(a.0).total_cmp(&away(b.0)))?;
    Some(if other && *label <= 1.0 { 1.0 - label } else { *label })
}

impl OnPlot<'_> {
    /// The datum at the pointer.
    fn nearest(&self, theme: &Theme, data: &Data, pointer: Pos2) -> Option<usize> {
        let away = |point: &[f64; 2]| {
            self.transform.position_from_point(&PlotPoint::new(point[0], point[1])).distance(pointer)
        };
        let all = data.points.iter().map(away).enumerate();
        let nearest = all.min_by(|a, b| a.1.total_cmp(&b.1))?;
        (nearest.1 < theme.space(REACH)).then_some(nearest.0)
    }

    fn window(&self) -> Bounds {
        let [low, high] = [self.transform.bounds().min(), self.transform.bounds().max()];
        Bounds::new((low[0], high[0]), (low[1], high[1]))
    }

    /// The position at the pointer, in round numbers.
    fn point(&self, pointer: Pos2) -> [f64; 2] {
        let at = self.transform.value_from_position(pointer);
        let bounds = self.transform.bounds();
        [round(at.x, bounds.width()), round(at.y, bounds.height())]
    }
}

/// A number with as many decimals as a plot of this size can show.
fn round(value: f64, size: f64) -> f64 {
    let decimals = (STEPS / size).log10().ceil().clamp(0.0, 12.0);
    #[expect(clippy::cast_sign_loss, reason = "from 0 to 12")]
    let decimals = decimals as usize;
    format!("{value:.decimals$}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_datum_has_the_class_of_its_neighbour_or_the_other() {
        let data = Data { points: vec![[0.0, 0.0], [1.0, 1.0]], labels: vec![0.0, 1.0] };
        assert_eq!(label(&data, [0.2, 0.1], false), Some(0.0));
        assert_eq!(label(&data, [0.2, 0.1], true), Some(1.0));
        assert_eq!(label(&data, [0.9, 0.8], true), Some(0.0));
        assert_eq!(label(&Data { labels: Vec::new(), ..data }, [0.0, 0.0], false), None);
    }

    #[test]
    fn places_are_round_to_less_than_a_pixel() {
        for (value, size, rounded) in [(0.123_456_789, 4.0, 0.123), (-1234.567, 10_000.0, -1235.0)] {
            assert!((round(value, size) - rounded).abs() < 1e-12);
        }
    }
}
