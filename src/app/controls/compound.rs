//! Controls for values with parts: covariances, knots, lists of tables.

use egui::{CollapsingHeader, Ui};

use super::numeric::number_field;
use crate::app::experiment::param_edit::{ParamEdit, with_required};
use base::params::{Interval, KindSpec, MOST_POINTS, ParamSpec, Settings};
use draw::kit::named::{named, part};

/// Width of a number within a matrix or a knot, in widths of the smallest control.
const ENTRY_WIDTH: f32 = 1.4;

/// How far from the last point a new one is.
const STEP: f64 = 0.1;

/// Smallest determinant a dragged covariance may reach, relative to the product of its variances.
const DEFINITE: f64 = 1e-6;

/// A covariance as its three free entries: variance of x, covariance, variance of y.
pub fn covariance(ui: &mut Ui, matrix: [[f64; 2]; 2]) -> Option<[[f64; 2]; 2]> {
    let [[mut a, mut b], [_, mut c]] = matrix;
    let mut changed = false;
    for (entry, legal) in [(&mut a, Interval::POSITIVE), (&mut b, Interval::ANY), (&mut c, Interval::POSITIVE)] {
        let speed = entry.abs().max(0.1) / 100.0;
        changed |= number_field(ui, entry, legal, speed, ENTRY_WIDTH * ui.spacing().interact_size.x);
    }
    // A drag stops before the matrix is no longer positive definite. A typed matrix that is not is refused with a message.
    let stopped = ui.input(|input| input.pointer.any_down()) && a * c - b * b < DEFINITE * a * c;
    (changed && !stopped).then_some([[a, b], [b, c]])
}

/// Knots as rows of step and value, with buttons to add and to remove one.
pub fn knots(ui: &mut Ui, knots: &[[f64; 2]]) -> Option<Vec<[f64; 2]>> {
    let next = |[step, value]: [f64; 2]| [step.max(1.0) * 2.0, value];
    let mut edited = rows(ui, "knot", knots, next, |ui, [step, value], width| {
        let changed = number_field(ui, step, Interval::closed(1.0, f64::MAX), 10.0, width);
        changed | number_field(ui, value, Interval::POSITIVE, value.abs() / 100.0, width)
    })?;
    for knot in &mut edited {
        knot[0] = knot[0].round();
    }
    Some(edited)
}

/// Points as rows of two numbers, with buttons to add and to remove one, folded where they are many.
pub fn points(ui: &mut Ui, spec: &ParamSpec, legal: Interval, points: &[[f64; 2]]) -> Option<Vec<[f64; 2]>> {
    /// Most rows that are in sight at first.
    const FEW: usize = 8;
    let title = format!("{} ({})", spec.label, points.len());
    let header = CollapsingHeader::new(title).id_salt(spec.key).default_open(points.len() <= FEW);
    let shown = header.show(ui, |ui| {
        let next = |[x, y]: [f64; 2]| if legal.contains(x + STEP) { [x + STEP, y] } else { [x, y] };
        rows(ui, "datum", points, next, |ui, [x, y], width| {
            let changed = number_field(ui, x, legal, STEP / 10.0, width);
            changed | number_field(ui, y, legal, STEP / 10.0, width)
        })
    });
    shown.body_returned.flatten()
}

/// Rows of two numbers, called `noun`: `fields` shows those of one, `next` is what a new one has after the last.
fn rows(
    ui: &mut Ui,
    noun: &str,
    values: &[[f64; 2]],
    next: impl Fn([f64; 2]) -> [f64; 2],
    fields: impl Fn(&mut Ui, &mut [f64; 2], f32) -> bool,
) -> Option<Vec<[f64; 2]>> {
    let mut edited = values.to_vec();
    let mut changed = false;
    let mut removed = None;
    ui.vertical(|ui| {
        for (index, row) in edited.iter_mut().enumerate() {
            ui.horizontal(|ui| {
                changed |= fields(ui, row, ENTRY_WIDTH * ui.spacing().interact_size.x);
                let remove = ui.add_enabled(values.len() > 1, egui::Button::new("×").small());
                let remove = named(remove, &format!("Remove {noun} {}", index + 1));
                if remove.on_hover_text(format!("Remove this {noun}")).clicked() {
                    removed = Some(index);
                }
            });
        }
        if ui.add_enabled(values.len() < MOST_POINTS, egui::Button::new(format!("+ {noun}")).small()).clicked() {
            edited.push(next(edited.last().copied().unwrap_or([0.0, 0.1])));
            changed = true;
        }
    });
    if let Some(index) = removed {
        edited.remove(index);
        changed = true;
    }
    changed.then_some(edited)
}

/// A list of tables; `show` shows the controls of one.
pub fn list(
    ui: &mut Ui,
    spec: &ParamSpec,
    kind: &'static KindSpec,
    items: &[Settings],
    show: impl Fn(&mut Ui, &Settings) -> Vec<ParamEdit>,
) -> Option<Vec<Settings>> {
    let mut edited = items.to_vec();
    let mut changed = false;
    let mut removed = None;
    CollapsingHeader::new(format!("{} ({})", spec.label, items.len())).id_salt(spec.key).default_open(true).show(
        ui,
        |ui| {
            for (index, item) in edited.iter_mut().enumerate() {
                part(ui, index, |ui| {
                    ui.horizontal(|ui| {
                        ui.strong(format!("{} {}", kind.label, index + 1));
                        let remove = ui.add_enabled(items.len() > 1, egui::Button::new("×").small());
                        let name = format!("Remove {} {}", kind.label, index + 1);
                        if named(remove, &name).on_hover_text(&name).clicked() {
                            removed = Some(index);
                        }
                    });
                    for edit in show(ui, item) {
                        // An edit that is not allowed has no effect.
                        changed |= edit.apply(item).is_ok();
                    }
                });
            }
            if ui.small_button(format!("+ {}", kind.label)).clicked() {
                edited.push(items.last().cloned().unwrap_or_else(|| with_required(&Settings::defaults(kind))));
                changed = true;
            }
        },
    );
    if let Some(index) = removed {
        edited.remove(index);
        changed = true;
    }
    changed.then_some(edited)
}
