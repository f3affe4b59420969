//! Layer of the arrows between modes: where a cycle ends that begins in a mode, computed without draws. The wider an arrow, the likelier; a ring
//! is the probability to come back to the same mode.
//!
//! Arrows begin in the mode nearest to the pointer; without one, in that of the first chain.

use egui::{Color32, Context, Pos2, Rect, Shape, Stroke, Ui};
use egui_plot::{PlotPoint, PlotTransform};

use super::input::CanvasInput;
use crate::kit::cycles::{CyclesCache, has_cycles};
use crate::theme::Theme;
use crate::words::numbers;
use base::math::Point;
use engine::distributions::Cycles;
use engine::session::RunFrame;

/// Width of the widest arrow, and of none, in units of the theme.
const WIDEST: f32 = 1.1;
const LEAST: f32 = 0.12;

/// Probability, as a share of the largest, below which there is no arrow.
const FEW: f64 = 0.01;

/// Length of a tip and radius of a ring, in units of the theme.
const TIP: f32 = 2.2;
const RING: f32 = 2.6;

/// Space between a mode and the ends of an arrow, in units of the theme.
const GAP: f32 = 2.8;

/// Share of ink in the colour of arrows, so that they are seen over the draws of their run.
const INK: f32 = 0.45;

/// Updates what is known of the cycles of the runs; returns whether some are still on their way.
pub(super) fn prepare(ctx: &Context, input: &CanvasInput<'_>, cache: &mut CyclesCache) -> bool {
    if !input.layers.between_modes {
        return false;
    }
    let mut pending = false;
    for &run in input.runs.iter().filter(|run| has_cycles(input.frame, **run)) {
        pending |= cache.update(ctx, input.frame, run, input.computing);
    }
    pending
}

/// Modes of a product with their centres, and the probabilities to end a cycle in each that begins in the one nearest to a point.
fn from_mode(of: &Cycles, at: Point) -> Option<(Point, Vec<(Point, f64)>)> {
    let ([x, y], [(across, _), (up, _)]) = (&of.centres[..], &of.matrices[..]) else { return None };
    let nearest = |centres: &[f64], at: f64| {
        (0..centres.len()).min_by(|a, b| (centres[*a] - at).abs().total_cmp(&(centres[*b] - at).abs()))
    };
    let (i, k) = (nearest(x, at.x)?, nearest(y, at.y)?);
    let to = |(j, l): (usize, usize)| (Point::new(x[j], y[l]), across[(i, j)] * up[(k, l)]);
    let pairs = (0..y.len()).flat_map(|l| (0..x.len()).map(move |j| (j, l)));
    Some((Point::new(x[i], y[k]), pairs.map(to).collect()))
}

/// Where the arrows of a run begin.
fn start(run: &RunFrame, pointer: Option<Point>) -> Option<Point> {
    pointer.or_else(|| run.positions.first().copied()).filter(|at| at.x.is_finite() && at.y.is_finite())
}

/// What the header says of the layer.
pub(super) fn note(input: &CanvasInput<'_>, cache: &CyclesCache) -> Option<String> {
    let &run = input.runs.iter().find(|run| has_cycles(input.frame, **run)).filter(|_| input.layers.between_modes)?;
    Some(match cache.answer(run).filter(|_| cache.is_present(run)) {
        None => "arrows between modes: computing".to_owned(),
        Some(Err(why)) => format!("no arrows between modes: {why}"),
        Some(Ok(of)) if of.matrices.len() != 2 => "no arrows between modes: the target is on the line".to_owned(),
        Some(Ok(_)) => "arrows: where a cycle ends; ring: in the same mode".to_owned(),
    })
}

/// Paints the arrows of all runs; returns the patches of their labels.
pub(super) fn paint(
    ui: &Ui,
    input: &CanvasInput<'_>,
    theme: &Theme,
    (cache, hovered): (&CyclesCache, Option<Point>),
    (rect, transform): (Rect, &PlotTransform),
) -> Vec<Rect> {
    let mut patches = Vec::new();
    if !input.layers.between_modes {
        return patches;
    }
    let screen = |at: Point| transform.position_from_point(&PlotPoint::new(at.x, at.y));
    for &index in input.runs.iter().filter(|run| cache.is_present(**run)) {
        let (Some(run), Some(Ok(of))) = (input.frame.runs.get(index), cache.answer(index)) else { continue };
        let Some((from, to)) = start(run, hovered).and_then(|at| from_mode(of, at)) else { continue };
        let colour = theme.run(index).colour.lerp_to_gamma(theme.ink, INK);
        let largest = to.iter().map(|(_, share)| *share).fold(f64::MIN_POSITIVE, f64::max);
        let mut shapes = Vec::new();
        for (at, share) in to.iter().filter(|(_, share)| *share >= FEW * largest) {
            let width = theme.space(LEAST + (WIDEST - LEAST) * (share / largest) as f32);
            for (colour, more) in [(theme.paper, theme.line()), (colour, 0.0)] {
                arrow(&mut shapes, theme, [screen(from), screen(*at)], (colour, width + more));
            }
        }
        ui.painter().with_clip_rect(rect).extend(shapes);
        let stays = to.iter().find(|(at, _)| *at == from).map_or(0.0, |(_, share)| *share);
        let text = format!("comes back {}", numbers::significant(stays, 2));
        let at = screen(from) + egui::vec2(theme.space(RING + 1.5), 0.0);
        let label = crate::kit::overlay_label::OverlayLabel {
            text: &text,
            font: theme.small(),
            colour: theme.ink,
            at,
            align: egui::Align2::LEFT_CENTER,
        };
        patches.push(label.paint(ui, theme, rect));
    }
    patches
}

/// An arrow from one mode to another; a ring around a mode to itself.
fn arrow(shapes: &mut Vec<Shape>, theme: &Theme, [from, to]: [Pos2; 2], (colour, width): (Color32, f32)) {
    let way = to - from;
    let gap = theme.space(GAP);
    if way.length() <= 2.0 * gap {
        shapes.push(Shape::circle_stroke(from, theme.space(RING), Stroke::new(width, colour)));
        return;
    }
    let along = way / way.length();
    let (begin, end) = (from + gap * along, to - gap * along);
    let (tip, half) = (theme.space(TIP).min(0.5 * way.length()), 0.4 * theme.space(TIP) + 0.5 * width);
    let across = along.rot90() * half;
    let neck = end - tip * along;
    shapes.push(Shape::line_segment([begin, neck], Stroke::new(width, colour)));
    shapes.push(Shape::convex_polygon(vec![end, neck + across, neck - across], colour, Stroke::NONE));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::background::Computing;
    use engine::scenario::Lesson;
    use engine::session::Session;

    /// α₀ = 0.07: a corner stays with 0.1754788², α₀ does not remember: every mode has the same shares, that of the centre is 0.2211701².
    #[test]
    fn arrows_have_the_probabilities_of_the_matrix() {
        let frame = Session::new(Lesson::find("authors-code").unwrap().scenario().unwrap()).unwrap().frame();
        let mut cache = CyclesCache::default();
        cache.update(&Context::default(), &frame, 1, Computing::Now);
        let of = cache.answer(1).unwrap().as_ref().unwrap();
        for at in [Point::new(-3.7, -4.4), Point::new(0.2, 0.1)] {
            let (from, to) = from_mode(of, at).unwrap();
            assert!((from - at).norm() < 1.0);
            assert_eq!(to.len(), 25);
            let share = |x: f64, y: f64| to.iter().find(|(to, _)| (to - Point::new(x, y)).norm() < 0.1).unwrap().1;
            assert!((share(-4.0, -4.0) - 0.030_792_8).abs() < 1e-6 && (share(0.0, 0.0) - 0.048_916_2).abs() < 1e-6);
            assert!((to.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }
}
