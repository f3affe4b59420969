//! The plots on paper, each with all runs over their whole length.

use egui::{Rect, Ui, pos2, vec2};

use super::layout::{Caches, GAP, bounds, step_sizes, within};
use super::{Extras, Tab};
use crate::draw::plots::chain::{self, ChainInput};
use crate::draw::plots::compare::{self, CompareInput};
use crate::draw::plots::smoothing::{self, SmoothingInput};
use crate::draw::plots::steps::{StepAxis, StepsInput, focus, whole};
use crate::draw::plots::truth::{self, TruthInput};
use crate::draw::plots::{Computing, coverage, noise, path, trace};
use crate::draw::theme::Theme;
use crate::scene::Extension;
use crate::session::Frame;

/// Draws the plot of a tab into a room.
pub fn draw(ui: &mut Ui, frame: &Frame, theme: &Theme, (tab, extras): (Tab, &Extras), room: Rect, caches: &mut Caches) {
    match tab {
        Tab::Schedule => {
            within(ui, "schedule", room, |ui| step_sizes(ui, frame, theme, caches));
        }
        Tab::Truth => {
            within(ui, "truth", room, |ui| convergence(ui, frame, theme, extras, caches));
        }
        Tab::Compare => {
            within(ui, "compare", room, |ui| comparison(ui, frame, theme, extras, caches));
        }
        Tab::Path => {
            within(ui, "path", room, |ui| lines(ui, frame, theme, extras, caches));
        }
        Tab::Coverage => {
            within(ui, "coverage", room, |ui| standing(ui, frame, theme, extras));
        }
        Tab::Elbo => {
            within(ui, "elbo", room, |ui| bounds(ui, frame, theme, caches));
        }
        Tab::Smoothing => {
            within(ui, "smoothing", room, |ui| smoothed(ui, frame, theme, caches));
        }
        Tab::Trace => {
            let runs: Vec<usize> = (0..frame.runs.len()).collect();
            let input = StepsInput {
                frame,
                runs: &runs,
                focus: focus(frame, &runs),
                range: whole(frame),
                axis: StepAxis::Linear,
            };
            by_coordinate(ui, frame, theme, room, |ui, coordinate| {
                drop(trace::show(
                    ui,
                    &input,
                    (coordinate, Computing::Now, extras.by_chain()),
                    theme,
                    &mut caches.trace,
                ));
            });
        }
        Tab::Noise => {
            let runs: Vec<usize> = (0..frame.runs.len()).collect();
            let (focus, range) = (focus(frame, &runs), whole(frame));
            let input = StepsInput { frame, runs: &runs, focus, range, axis: StepAxis::Log };
            by_coordinate(ui, frame, theme, room, |ui, coordinate| {
                let extension = Extension::Coordinate(coordinate);
                drop(noise::show(ui, &input, extension, theme, &mut caches.noise[coordinate.min(1)]));
            });
        }
        Tab::Chain => {
            let runs: Vec<usize> = (0..frame.runs.len()).collect();
            by_coordinate(ui, frame, theme, room, |ui, coordinate| {
                let input = ChainInput { frame, runs: &runs, coordinate, computing: Computing::Now };
                drop(chain::show(ui, &input, theme, &mut caches.chain));
            });
        }
    }
}

/// What windows of averaged statistics cost and bring.
fn smoothed(ui: &mut Ui, frame: &Frame, theme: &Theme, caches: &mut Caches) {
    let runs: Vec<usize> = (0..frame.runs.len()).collect();
    let input = SmoothingInput { frame, runs: &runs, axis: StepAxis::Log, computing: Computing::Now };
    smoothing::show(ui, &input, theme, &mut caches.smoothing);
}

/// A measure over repeats.
fn convergence(ui: &mut Ui, frame: &Frame, theme: &Theme, extras: &Extras, caches: &mut Caches) {
    let runs: Vec<usize> = (0..frame.runs.len()).collect();
    let Extras { choice, repeats, .. } = extras;
    let input = TruthInput {
        frame,
        runs: &runs,
        spec: choice.spec,
        against: choice.against,
        log: choice.log,
        repeats,
        version: 0,
        stale: false,
    };
    drop(truth::show(ui, &input, theme, &mut caches.truth));
}

/// Samplers and approximations against their cost.
fn comparison(ui: &mut Ui, frame: &Frame, theme: &Theme, extras: &Extras, caches: &mut Caches) {
    let runs: Vec<usize> = (0..frame.runs.len()).collect();
    let Extras { choice, repeats, .. } = extras;
    let input = CompareInput { frame, runs: &runs, against: choice.against, repeats, version: 0, stale: false };
    compare::show(ui, &input, theme, &mut caches.compare);
}

/// The lines between the ends of cycles.
fn lines(ui: &mut Ui, frame: &Frame, theme: &Theme, extras: &Extras, caches: &mut Caches) {
    let runs: Vec<usize> = (0..frame.runs.len()).collect();
    let input = path::PathInput { frame, focus: focus(frame, &runs), choice: &extras.path, computing: Computing::Now };
    drop(path::show(ui, &input, theme, &mut caches.path));
}

/// Where the runs stand between coverage and fidelity.
fn standing(ui: &mut Ui, frame: &Frame, theme: &Theme, extras: &Extras) {
    let runs: Vec<usize> = (0..frame.runs.len()).collect();
    let input =
        coverage::CoverageInput { frame, runs: &runs, trail: &extras.trail, pins: &extras.pins, selected: None };
    drop(coverage::show(ui, &input, theme));
}

/// The plots of all coordinates, below each other.
#[expect(clippy::cast_precision_loss, reason = "one or two coordinates")]
fn by_coordinate(ui: &mut Ui, frame: &Frame, theme: &Theme, room: Rect, mut plot: impl FnMut(&mut Ui, usize)) {
    let dimension = frame.target.info().dimension;
    let height = (room.height() + theme.space(GAP)) / dimension as f32;
    for coordinate in 0..dimension {
        let corner = pos2(room.min.x, room.min.y + height * coordinate as f32);
        let cell = Rect::from_min_size(corner, vec2(room.width(), height - theme.space(GAP)));
        within(ui, &format!("coordinate {coordinate}"), cell, |ui| plot(ui, coordinate));
    }
}
