//! Data of a regression on its plot: dots that can be dragged, added and removed where the target allows it.

use egui::{CursorIcon, PointerButton, Pos2, Rect, Response, Ui};
use egui_plot::{PlotPoint, PlotTransform};

use crate::draw::theme::Theme;
use crate::math::Bounds;
use crate::params::{MOST_POINTS, Value};
use crate::targets::Regression;

/// Distance from the middle of a datum within which the pointer takes hold of it, in units of the theme.
const REACH: f32 = 2.5;

/// Different places of a dragged datum across the plot, at least: more than pixels.
const STEPS: f64 = 2000.0;

/// Frames after a change in which the changed data are drawn although the frame still shows those before.
const PATIENCE: u32 = 60;

/// A change of the data: the parameter of the target and its new value.
pub type DataEdit = (String, Value);

/// Data that are being changed on the plot of a run.
#[derive(Clone, Debug)]
pub struct Held {
    run: usize,
    /// The data as they are to be.
    data: Vec<[f64; 2]>,
    /// The datum under the pointer while it is dragged, and what the plot showed before.
    dragged: Option<(usize, Bounds)>,
    /// Frames to wait for a frame with these data.
    patience: u32,
}

impl Held {
    /// The window of the plot of a run, which stays while one of its data is dragged.
    pub fn window(held: Option<&Self>, run: usize) -> Option<Bounds> {
        held.filter(|held| held.run == run).and_then(|held| held.dragged).map(|(_, window)| window)
    }
}

/// The data of a regression.
fn pairs(regression: &dyn Regression) -> Vec<[f64; 2]> {
    regression.inputs().iter().zip(regression.observations()).map(|(x, y)| [*x, *y]).collect()
}

/// Whether the pointer is at a datum that can be dragged, or drags one; else functions under it are highlighted.
pub fn is_busy(held: Option<&Held>, run: usize) -> bool {
    held.is_some_and(|held| held.run == run && held.dragged.is_some())
}

/// Paints the data of the plot of a run and, where `edits` are possible, returns what a person made of them.
pub fn show(
    ui: &Ui,
    theme: &Theme,
    (regression, edits): (&dyn Regression, bool),
    (run, response, transform): (usize, &Response, &PlotTransform),
    held: &mut Option<Held>,
) -> Option<DataEdit> {
    let own = pairs(regression);
    if let Some(waiting) = held.as_mut().filter(|held| held.dragged.is_none()) {
        waiting.patience = waiting.patience.saturating_sub(1);
        if waiting.data == own || waiting.patience == 0 {
            *held = None;
        }
    }
    let mut data = held.as_ref().map_or(own, |held| held.data.clone());
    let editable = edits && regression.with_data(&data).is_some();
    let changed = editable && change(ui, theme, (run, response, transform), &mut data, held);
    paint(ui, theme, response.rect, transform, &data);
    if !changed {
        return None;
    }
    let (path, value) = regression.with_data(&data)?;
    Some((path.to_owned(), value))
}

/// Changes the data by what the pointer does; returns whether they are other data now.
fn change(
    ui: &Ui,
    theme: &Theme,
    (run, response, transform): (usize, &Response, &PlotTransform),
    data: &mut Vec<[f64; 2]>,
    held: &mut Option<Held>,
) -> bool {
    let at = |pointer: Pos2| rounded(transform, pointer);
    let near = |pointer: Pos2| {
        let away = |datum: &[f64; 2]| {
            transform.position_from_point(&PlotPoint::new(datum[0], datum[1])).distance(pointer) / theme.space(REACH)
        };
        let all = data.iter().map(away).enumerate();
        all.min_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, away)| *away < 1.0).map(|(index, _)| index)
    };
    let hold = |data: &[[f64; 2]], dragged| Some(Held { run, data: data.to_vec(), dragged, patience: PATIENCE });
    let window = || {
        let (low, high) = (transform.bounds().min(), transform.bounds().max());
        Bounds::new((low[0], high[0]), (low[1], high[1]))
    };
    if response.drag_started_by(PointerButton::Primary) {
        let origin = ui.input(|input| input.pointer.press_origin());
        if let Some(index) = origin.and_then(near) {
            *held = hold(data, Some((index, window())));
        }
    }
    if let Some((index, _)) = held.as_ref().filter(|held| held.run == run).and_then(|held| held.dragged) {
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        let to = response.interact_pointer_pos().filter(|_| response.dragged()).map(at);
        let moved = to.zip(data.get_mut(index)).is_some_and(|(to, datum)| std::mem::replace(datum, to) != to);
        let dragged = if response.dragged() { held.as_ref().and_then(|held| held.dragged) } else { None };
        *held = hold(data, dragged);
        return moved;
    }
    let hovered = response.hover_pos().and_then(near);
    if hovered.is_some() {
        ui.ctx().set_cursor_icon(CursorIcon::Grab);
    }
    let clicked = response.interact_pointer_pos();
    if response.double_clicked() && data.len() < MOST_POINTS && clicked.and_then(near).is_none() {
        data.extend(clicked.map(at));
    } else if let Some(index) = clicked.and_then(near).filter(|_| response.secondary_clicked() && data.len() > 1) {
        data.remove(index);
    } else {
        return false;
    }
    *held = hold(data, None);
    true
}

/// A place of the plot, in round numbers.
fn rounded(transform: &PlotTransform, pointer: Pos2) -> [f64; 2] {
    let at = transform.value_from_position(pointer);
    let sizes = [transform.bounds().width(), transform.bounds().height()];
    let round = |value: f64, size: f64| {
        let decimals = (STEPS / size).log10().ceil().clamp(0.0, 12.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 12")]
        let decimals = decimals as usize;
        format!("{value:.decimals$}").parse().unwrap_or(value)
    };
    [round(at.x, sizes[0]), round(at.y, sizes[1])]
}

/// Dots with a rim in the colour of the paper.
fn paint(ui: &Ui, theme: &Theme, rect: Rect, transform: &PlotTransform, data: &[[f64; 2]]) {
    /// Height of a plot, in sizes of small text, below which its dots are small.
    const LOW: f32 = 18.0;
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let size = if rect.height() < LOW * theme.text.small { 0.65 } else { 1.0 };
    for [x, y] in data {
        let place = transform.position_from_point(&PlotPoint::new(*x, *y));
        painter.circle_filled(place, theme.space(size * 0.9 + 0.3), theme.paper);
        painter.circle_filled(place, theme.space(size * 0.9), theme.ink);
    }
}
