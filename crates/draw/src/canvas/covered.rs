//! What a patch over a canvas hides of the density, for labels that keep clear of its peaks.

use egui::{Align2, Pos2, Rect, pos2};
use egui_plot::{PlotPoint, PlotTransform};

use super::input::CanvasInput;
use base::math::Point;

/// Points along each side of a patch at which the density is looked at.
const SIDE: u8 = 8;

/// Density, as a share of that at the highest mode, below which nothing is hidden.
const NOTHING: f64 = 0.02;

/// The corners for a legend, the usual one first: above a curve, or below in a plane.
pub(super) fn corners(line: bool) -> &'static [Align2] {
    const LINE: [Align2; 2] = [Align2::RIGHT_TOP, Align2::LEFT_TOP];
    const PLANE: [Align2; 4] = [Align2::RIGHT_BOTTOM, Align2::LEFT_BOTTOM, Align2::RIGHT_TOP, Align2::LEFT_TOP];
    if line { &LINE } else { &PLANE }
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
