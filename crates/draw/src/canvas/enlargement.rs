//! The factor by which steps on canvases are enlarged, so that they can be seen and compared.

use egui_plot::PlotTransform;

use super::geometry::{magnification, usual_length};
use super::input::CanvasInput;
use crate::theme::Theme;
use engine::session::{Frame, RunFrame};
use samplers::methods::StepRecord;

/// Length below which steps are enlarged, and their largest length then, in units of the theme.
const LEAST: f32 = 8.0;
const WANTED: f32 = 24.0;

/// Length from which a step beside larger ones can be seen, in units of the theme.
const SEEN: f32 = 1.0;

/// Usual length of the steps on a canvas, of the run with the longest; infinite with paths or replicas, which stay where they are.
pub(super) fn usual(input: &CanvasInput<'_>) -> Usual {
    Usual::of(input.frame, input.runs)
}

/// Usual lengths of steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Usual {
    /// Of the runs of a canvas; infinite where steps are not enlarged.
    pub(super) own: f64,
    /// Of all runs whose steps are enlarged.
    all: f64,
}

impl Usual {
    pub(super) fn of(frame: &Frame, runs: &[usize]) -> Self {
        let stays =
            |record: &StepRecord| record.path.len() > 1 || record.trajectory.is_some() || !record.rungs.is_empty();
        let length = |run: &RunFrame| match run.records.iter().any(stays) {
            true => f64::INFINITY,
            false => usual_length(&run.parts).max(proposed(run)),
        };
        let own = runs.iter().filter_map(|&run| frame.runs.get(run)).map(length).fold(0.0, f64::max);
        let all = frame.runs.iter().map(length).filter(|length| length.is_finite()).fold(0.0, f64::max);
        Self { own, all }
    }
}

/// Usual distance of the proposals of a run.
fn proposed(run: &RunFrame) -> f64 {
    let distances = run.records.iter().filter_map(|record| Some((record.proposal?.at - record.from).norm_squared()));
    let (sum, count) = distances
        .filter(|square| square.is_finite())
        .fold((0.0, 0.0), |(sum, count), square| (sum + square, count + 1.0));
    f64::sqrt(sum / f64::max(count, 1.0))
}

/// The factor by which steps are enlarged.
pub(super) fn times(usual: Usual, theme: &Theme, transform: &PlotTransform) -> f64 {
    let on_screen = |length: f64| length * transform.dpos_dvalue_x().abs();
    let factor =
        |length: f64| magnification(on_screen(length), f64::from(theme.space(LEAST)), f64::from(theme.space(WANTED)));
    let common = factor(usual.own.max(usual.all));
    if on_screen(usual.own) * common >= f64::from(theme.space(SEEN)) { common } else { factor(usual.own) }
}
