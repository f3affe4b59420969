//! What a patch over a canvas hides of the density and of the draws, for labels that keep clear of both.

use egui::{Align2, Pos2, Rect, pos2};
use egui_plot::{PlotPoint, PlotTransform};

use super::input::{CanvasInput, Draws};
use crate::kit::notes::Crowd;
use base::math::Point;

/// Points along each side of a patch at which the density is looked at.
const SIDE: u8 = 8;

/// Density, as a share of that at the highest mode, below which nothing is hidden.
pub(super) const NOTHING: f64 = 0.02;

/// The corners for a legend, the usual one first: above a curve, or below in a plane.
pub(super) fn corners(line: bool) -> &'static [Align2] {
    const LINE: [Align2; 2] = [Align2::RIGHT_TOP, Align2::LEFT_TOP];
    const PLANE: [Align2; 4] = [Align2::RIGHT_BOTTOM, Align2::LEFT_BOTTOM, Align2::RIGHT_TOP, Align2::LEFT_TOP];
    if line { &LINE } else { &PLANE }
}

/// The places for a legend in the window, which may stand at the middle of an edge as well.
pub(super) fn places(line: bool) -> &'static [Align2] {
    const PLANE: [Align2; 8] = [
        Align2::RIGHT_BOTTOM,
        Align2::LEFT_BOTTOM,
        Align2::RIGHT_TOP,
        Align2::LEFT_TOP,
        Align2::RIGHT_CENTER,
        Align2::LEFT_CENTER,
        Align2::CENTER_BOTTOM,
        Align2::CENTER_TOP,
    ];
    if line { corners(line) } else { &PLANE }
}

/// A plot, the labels that are there, and where points are on the screen.
pub(super) type Over<'a> = (Rect, &'a [Rect], &'a PlotTransform);

/// What covering a label counts, where covering all of the density or all of the draws counts 1.
const LABEL: f64 = 10.0;

/// How much of density, draws and labels that are there is below a patch.
pub(super) fn all(input: &CanvasInput<'_>, transform: &PlotTransform, labels: &[Rect], patch: Rect) -> f64 {
    let labels = labels.iter().filter(|label| label.intersects(patch)).count() as f64;
    density(input, transform, patch) + draws(input, transform, patch) + LABEL * labels
}

/// How much of the density is below a patch: its largest value there as a share of that at the highest mode, or for a curve the
/// share of the patch's width below which it reaches up; 0 while the truth is hidden.
pub(super) fn density(input: &CanvasInput<'_>, transform: &PlotTransform, patch: Rect) -> f64 {
    let target = &input.frame.target;
    let Some(density) = target.density().filter(|_| input.layers.truth) else { return 0.0 };
    let info = target.info();
    let shares = || (0..=SIDE).map(|step| f32::from(step) / f32::from(SIDE));
    let value = |at: Pos2| {
        let point = transform.value_from_position(at);
        Point::new(point.x, point.y)
    };
    if info.dimension == 1 {
        let reaches = |share: f32| {
            let at = value(pos2(patch.left() + share * patch.width(), patch.center().y));
            let height = (density.log_density(Point::new(at.x, 0.0)) - info.log_normaliser).exp();
            transform.position_from_point(&PlotPoint::new(at.x, height)).y < patch.bottom()
        };
        return shares().filter(|share| reaches(*share)).count() as f64 / f64::from(SIDE + 1);
    }
    let peak = info.modes.iter().map(|mode| density.log_density(mode.at)).fold(f64::NEG_INFINITY, f64::max);
    let inside = shares().flat_map(|x| shares().map(move |y| patch.lerp_inside(egui::vec2(x, y))));
    let highest = inside.map(|at| density.log_density(value(at))).fold(f64::NEG_INFINITY, f64::max);
    let modes = info
        .modes
        .iter()
        .filter(|mode| patch.contains(transform.position_from_point(&PlotPoint::new(mode.at.x, mode.at.y))));
    let share = (highest - peak).exp() + modes.count() as f64;
    if share.is_finite() && share >= NOTHING { share } else { 0.0 }
}

/// What there is on a canvas that words leave free: the density down to the share `faintest` of that at the highest mode, modes and draws.
pub(super) fn crowd(input: &CanvasInput<'_>, transform: &PlotTransform, area: Rect, faintest: f64) -> Crowd {
    let (target, mut crowd) = (&input.frame.target, Crowd::default());
    let info = target.info();
    let share = |at: &Point| {
        let on_screen = transform.position_from_point(&PlotPoint::new(at.x, at.y));
        (on_screen - area.min) / area.size()
    };
    if let Some(density) = target.density().filter(|_| input.layers.truth) {
        let value = |at: Pos2| {
            let point = transform.value_from_position(at);
            Point::new(point.x, if info.dimension == 1 { 0.0 } else { point.y })
        };
        let logs: Vec<f64> = Crowd::cells(area).map(|(_, cell)| density.log_density(value(cell.center()))).collect();
        let of_modes = info.modes.iter().map(|mode| density.log_density(mode.at));
        let peak = of_modes.chain(logs.iter().copied()).filter(|log| log.is_finite()).fold(f64::NEG_INFINITY, f64::max);
        for ((cell, rect), log) in Crowd::cells(area).zip(logs) {
            // In one dimension the density is the area below its curve.
            let height = (log - info.log_normaliser).exp();
            let reaches = || transform.position_from_point(&PlotPoint::new(0.0, height)).y < rect.bottom();
            let found = if info.dimension == 1 { f64::from(u8::from(reaches())) } else { (log - peak).exp() };
            crowd.strong[cell] = if found.is_finite() && found >= faintest { found as f32 } else { 0.0 };
        }
        for cell in info.modes.iter().filter_map(|mode| Crowd::cell_at(share(&mode.at))) {
            crowd.strong[cell] += 1.0;
        }
    }
    if info.dimension > 1 && input.layers.draws != Draws::Hidden {
        for cell in picked(input).filter_map(|at| Crowd::cell_at(share(&at))) {
            crowd.spread[cell] = 1.0;
        }
    }
    crowd
}

/// Positions of chains, evenly among those that are kept, by which the draws below a patch are counted.
const PICKED: usize = 400;

/// Chains of a run at most, of those that are picked.
const CHAINS: usize = 8;

/// Shares of draws that are told apart: a label does not move for a few draws.
const STEPS: f64 = 10.0;

/// The share of the draws of a canvas that are below a patch, in tenths; 0 in one dimension, and while none are drawn.
pub(super) fn draws(input: &CanvasInput<'_>, transform: &PlotTransform, patch: Rect) -> f64 {
    if input.frame.target.info().dimension == 1 || input.layers.draws == Draws::Hidden {
        return 0.0;
    }
    let (mut below, mut all) = (0_u32, 0_u32);
    for at in picked(input) {
        all += 1;
        let on_screen = transform.position_from_point(&PlotPoint::new(at.x, at.y));
        below += u32::from(patch.contains(on_screen));
    }
    (STEPS * f64::from(below) / f64::from(all.max(1))).round() / STEPS
}

/// Positions of the chains of a canvas, evenly among those that are kept.
fn picked(input: &CanvasInput<'_>) -> impl Iterator<Item = Point> {
    input.runs.iter().filter_map(|&run| input.frame.runs.get(run)).flat_map(|run| {
        let (history, chains) = (&run.history, run.history.chains().min(CHAINS));
        let apart = (history.rows() * chains.max(1)).div_ceil(PICKED).max(1);
        let rows = (0..history.rows()).step_by(apart);
        rows.flat_map(move |row| (0..chains).filter_map(move |chain| history.position(row, chain)))
    })
}
