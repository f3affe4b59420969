//! Arrows of the newest step of the chains on a canvas: its parts tip to tail, the path of a method that integrates one, and
//! accepted or rejected proposals; of the No-U-Turn sampler the trajectory of the first chain, in the place of its parts.
//!
//! Steps are often far too small to be visible. Then all steps are enlarged by one factor, so that canvases can be compared, from the
//! position of the chain before the step, and the legend shows the factor. Only steps that could not be seen then have a factor of their own.
//! Paths are never enlarged: they follow the density.

use egui::epaint::shape_transform::adjust_colors;
use egui::{Pos2, Rect, Shape, Stroke, Ui};
use egui_plot::{PlotBounds, PlotPoint, PlotTransform, PlotUi};

use super::enlargement::{Usual, times, usual};
use super::geometry::{enlarged, tip_to_tail};
use super::input::{CanvasInput, CanvasResponse};
use super::trajectory;
use crate::geometry::{Part, Reveal};
use crate::kit::arrow;
use crate::kit::legend::part_of_run;
use crate::kit::passive_items::PassiveItem;
use crate::theme::Theme;
use crate::words::numbers;
use base::math::Point;
use engine::session::{Frame, RunFrame, without_rounding};
use samplers::methods::{Phase, StepRecord, Trajectory};

/// Largest number of chains with arrows: in the plane, and in one dimension, where they are above each other.
pub(super) const MOST_IN_PLANE: usize = 32;
pub(super) const MOST_ON_LINE: usize = 3;

/// Distance within which the pointer shows the step of a chain, in units of the theme.
const NEAR: f32 = 2.5;

/// Opacity of what steps back behind what is lit.
const FAINT: f32 = 0.25;

/// Distance from the edge of a canvas at which a proposal outside of it is marked, in units of the theme.
const EDGE: f32 = 2.5;

/// The row of proposals and paths, after those of the parts.
const LAST_ROW: usize = Part::ALL.len();

/// Distance of the steps of two chains within a row.
const CHAINS_APART: f64 = 0.28;

/// From a position and a row to the screen; rows matter in one dimension only.
type Screen<'a> = &'a dyn Fn(Point, usize) -> Pos2;

/// Adds the steps of a run in the plane.
pub(super) fn in_plane(plot_ui: &mut PlotUi<'_>, input: &CanvasInput<'_>, theme: &Theme, run: &RunFrame) {
    add(plot_ui, input, theme, (run, MOST_IN_PLANE), |at, _, _| [at.x, at.y]);
}

/// Number of rows of the steps in one dimension: one for each part present, and one for proposals and paths.
pub(super) fn rows(input: &CanvasInput<'_>) -> usize {
    ranks(input)[LAST_ROW + 1]
}

/// The row of each part, and of proposals and paths, without gaps. The last entry is the number of rows.
fn ranks(input: &CanvasInput<'_>) -> [usize; LAST_ROW + 2] {
    let runs = input.runs.iter().filter_map(|&run| input.frame.runs.get(run));
    let records = || runs.clone().flat_map(|run| run.records.iter().take(MOST_ON_LINE));
    let there: [bool; LAST_ROW + 1] = std::array::from_fn(|row| {
        records().any(|record| match row {
            LAST_ROW => record.proposal.is_some() || record.path.len() > 1 || record.trajectory.is_some(),
            part => parts(record)[part] != Point::zeros(),
        })
    });
    std::array::from_fn(|row| there[..row].iter().filter(|there| **there).count())
}

/// Adds the steps of a run in one dimension; `height` is the position of a row along the axis of densities.
pub(super) fn on_line(
    plot_ui: &mut PlotUi<'_>,
    input: &CanvasInput<'_>,
    theme: &Theme,
    run: &RunFrame,
    height: impl Fn(f64) -> f64 + 'static,
) {
    let ranks = ranks(input);
    // The chains of a row are a little above each other, the first in the middle.
    let position = move |at: Point, row: usize, chain: usize| {
        let aside = [0.0, -CHAINS_APART, CHAINS_APART][chain % MOST_ON_LINE];
        [at.x, height(ranks[row.min(LAST_ROW)] as f64 + aside)]
    };
    add(plot_ui, input, theme, (run, MOST_ON_LINE), position);
}

fn add(
    plot_ui: &mut PlotUi<'_>,
    input: &CanvasInput<'_>,
    theme: &Theme,
    (run, most): (&RunFrame, usize),
    position: impl Fn(Point, usize, usize) -> [f64; 2] + 'static,
) {
    let (usual, theme, layers) = (usual(input), theme.clone(), input.layers);
    let revealed = |(chain, record): (usize, &StepRecord)| (record.clone(), layers.reveal(input.frame, run, chain));
    let records: Vec<(StepRecord, Reveal)> = run.records.iter().take(most).enumerate().map(revealed).collect();
    let draw = move |_ui: &Ui, transform: &PlotTransform, shapes: &mut Vec<Shape>| {
        let (times, plot) = (times(usual, &theme, transform), *transform.frame());
        for (chain, (record, reveal)) in records.iter().enumerate() {
            let screen = |at: Point, row: usize| {
                let [x, y] = position(at, row, chain);
                transform.position_from_point(&PlotPoint::new(x, y))
            };
            // The trajectories of several chains would cover each other.
            match record.trajectory.as_deref().filter(|_| chain == 0) {
                Some(tree) => {
                    trajectory::shapes(shapes, &theme, &grown(tree, reveal), &|at| screen(at, LAST_ROW));
                }
                None => step(shapes, &theme, (record, reveal), (times, plot), &screen),
            }
        }
    };
    plot_ui.add(PassiveItem::new(PlotBounds::NOTHING, draw));
}

/// A tree as far as it is shown.
pub(super) fn grown(tree: &Trajectory, reveal: &Reveal) -> Trajectory {
    let doublings = reveal.stage.as_ref().and_then(|stage| stage.doublings);
    doublings.map_or_else(|| tree.clone(), |doublings| tree.after(doublings))
}

/// The shapes of one step, as far as they are shown.
fn step(
    shapes: &mut Vec<Shape>,
    theme: &Theme,
    (record, reveal): (&StepRecord, &Reveal),
    (times, plot): (f64, Rect),
    screen: Screen<'_>,
) {
    let decided = reveal.shows(Phase::Decision);
    // The arrow of a random move is the way to the proposal until that is decided.
    let alone =
        is_random_move(record) && screen(record.from, LAST_ROW) == screen(record.from, row(Part::InjectedNoise));
    let mut add = |phase: Phase, draw: &mut dyn FnMut(&mut Vec<Shape>)| {
        if reveal.shows(phase) {
            let first = shapes.len();
            draw(shapes);
            if reveal.is_faint(phase) && !(alone && !decided && phase == Phase::Noise) {
                shapes[first..].iter_mut().for_each(faded);
            }
        }
    };
    let finite = |at: &Point| at.x.is_finite() && at.y.is_finite();
    let large = |at: &Point| enlarged(*at, record.from, times);
    if !finite(&record.from) {
        return;
    }
    let path: Vec<Pos2> = record.path.iter().filter(|at| finite(at)).map(|at| screen(large(at), LAST_ROW)).collect();
    // It grows with the leapfrog steps that are shown.
    let leaps = reveal.stage.as_ref().and_then(|stage| stage.leaps);
    let grown = &path[..leaps.map_or(path.len(), |leaps| path.len().min(leaps + 1))];
    if grown.len() > 1 {
        add(record.path_phase(), &mut |shapes| arrow::path(shapes, theme, grown));
    }
    if record.trajectory.is_some() && finite(&record.to) {
        let ends = [record.from, record.to].map(|at| screen(at, LAST_ROW));
        add(Phase::Decision, &mut |shapes| arrow::proposal(shapes, theme, true, Some(ends[0]), ends[1]));
    }
    add(Phase::Exchange, &mut |shapes| ladder(shapes, theme, record, screen));
    let proposed = record.proposal.filter(|proposal| finite(&proposal.at)).map(|proposal| {
        let way = path.is_empty().then(|| screen(record.from, LAST_ROW));
        (proposal, way, proposal_end(theme, (record, decided), (times, plot), screen))
    });
    if let Some((proposal, way, end)) = proposed {
        let told = decided.then_some(proposal.accepted);
        let way = way.filter(|_| decided || !alone);
        add(Phase::Proposal, &mut |shapes| arrow::way(shapes, theme, told, way, end));
    }
    let mut before: Option<Pos2> = None;
    for piece in tip_to_tail(record.from, parts(record), times) {
        let row = row(piece.part);
        let (from, to) = (screen(piece.from, row), screen(piece.to, row));
        let last = before.replace(to).filter(|before| before.distance(from) > 1.0);
        add(piece.part.phase(record), &mut |shapes| {
            if let Some(before) = last {
                // From row to row in one dimension.
                let stroke = Stroke::new(theme.thin(), theme.soft);
                arrow::dashed(shapes, [before, from], stroke, Some([theme.space(0.5); 2]));
            }
            arrow::arrow(shapes, theme, piece.part, from, to);
        });
    }
    // No tip covers what became of it.
    if let Some((proposal, _, end)) = proposed {
        let told = decided.then_some(proposal.accepted);
        add(Phase::Proposal, &mut |shapes| arrow::decision(shapes, theme, told, end));
    }
}

/// Where a proposal is marked: at the end of its way, however far that is enlarged. Where a chain does not go, or may not, is told at the edge if
/// it is outside.
fn proposal_end(
    theme: &Theme,
    (record, decided): (&StepRecord, bool),
    (times, plot): (f64, Rect),
    screen: Screen<'_>,
) -> Pos2 {
    let Some(proposal) = record.proposal else { return screen(record.to, LAST_ROW) };
    let end = screen(enlarged(proposal.at, record.from, times), LAST_ROW);
    let stays = !decided || !proposal.accepted;
    let edge = plot.shrink(theme.space(EDGE));
    if stays && record.path.is_empty() { until_edge(edge, screen(record.from, LAST_ROW), end) } else { end }
}

/// Points along a line of a step at which it is looked for.
const ALONG: u8 = 8;

/// Points of a step in the plane, close to each other, as it is drawn.
pub(super) fn points(
    record: &StepRecord,
    theme: &Theme,
    (times, plot): (f64, Rect),
    screen: &dyn Fn(Point) -> Pos2,
) -> Vec<Pos2> {
    let mut points: Vec<Pos2> = record.path.iter().map(|at| screen(enlarged(*at, record.from, times))).collect();
    points.extend(record.trajectory.iter().flat_map(|tree| &tree.leaves).map(|leaf| screen(leaf.at)));
    points.extend(record.rungs.iter().map(|rung| screen(rung.at)));
    let pieces = tip_to_tail(record.from, parts(record), times).into_iter().map(|piece| [piece.from, piece.to]);
    let way = record.proposal.filter(|_| points.is_empty()).map(|_| {
        let end = proposal_end(theme, (record, true), (times, plot), &|at, _| screen(at));
        [screen(record.from), end]
    });
    for [from, to] in pieces.map(|ends| ends.map(screen)).chain(way) {
        points.extend((0..=ALONG).map(|step| from.lerp(to, f32::from(step) / f32::from(ALONG))));
    }
    points.retain(|at| at.is_finite());
    points
}

/// Makes a shape step back behind what is lit.
fn faded(shape: &mut Shape) {
    adjust_colors(shape, |colour| *colour = colour.gamma_multiply(FAINT));
}

/// The replicas of parallel tempering, the hottest first, so that the chain is on top; and arcs between those that have exchanged their
/// positions.
fn ladder(shapes: &mut Vec<Shape>, theme: &Theme, record: &StepRecord, screen: Screen<'_>) {
    let points: Vec<Pos2> = record.rungs.iter().map(|rung| screen(rung.at, LAST_ROW)).collect();
    if points.iter().any(|at| !at.is_finite()) {
        return;
    }
    for (pair, rung) in points.windows(2).zip(&record.rungs) {
        if rung.swapped == Some(true) {
            arrow::exchange(shapes, theme, [pair[0], pair[1]]);
        }
    }
    let hottest = points.len().saturating_sub(1).max(1);
    for (number, at) in points.iter().enumerate().rev() {
        arrow::replica(shapes, theme, number as f32 / hottest as f32, *at);
    }
}

/// Where the way from a point inside of a rectangle leaves it; its end if it does not.
fn until_edge(edge: Rect, from: Pos2, to: Pos2) -> Pos2 {
    if edge.contains(to) || !edge.contains(from) {
        return to;
    }
    let share = |from: f32, to: f32, [least, most]: [f32; 2]| match to - from {
        way if way > 0.0 => (most - from) / way,
        way if way < 0.0 => (least - from) / way,
        _ => 1.0,
    };
    let x = share(from.x, to.x, [edge.left(), edge.right()]);
    let y = share(from.y, to.y, [edge.top(), edge.bottom()]);
    from.lerp(to, x.min(y).clamp(0.0, 1.0))
}

/// Whether a step proposes to move by noise alone.
fn is_random_move(record: &StepRecord) -> bool {
    let [carried, drift, gradient_noise, noise] = parts(record);
    let still = [carried, drift, gradient_noise].iter().all(|part| *part == Point::zeros());
    still && noise != Point::zeros() && record.path.len() < 2 && record.proposal.is_some()
}

pub(super) fn row(part: Part) -> usize {
    match part {
        Part::Carried => 0,
        Part::Drift => 1,
        Part::GradientNoise => 2,
        Part::InjectedNoise => 3,
    }
}

/// The parts of a step. Those of a trajectory are the parts of its first leapfrog step, which is one of many.
pub(super) fn parts(record: &StepRecord) -> [Point; 4] {
    if record.trajectory.is_some() {
        return [Point::zeros(); 4];
    }
    without_rounding([record.carried, record.drift, record.gradient_noise, record.injected_noise])
}

/// The part of a step under the pointer: the arrow, or the proposal, that is nearest to it in the plane.
#[must_use]
pub fn step_phase_at((frame, runs): (&Frame, &[usize]), canvas: &CanvasResponse, theme: &Theme) -> Option<Phase> {
    let (pointer, transform) = (canvas.response.hover_pos()?, &canvas.transform);
    if frame.target.info().dimension == 1 {
        return None;
    }
    let screen = |at: Point| transform.position_from_point(&PlotPoint::new(at.x, at.y));
    let times = times(Usual::of(frame, runs), theme, transform);
    let records =
        runs.iter().filter_map(|&run| frame.runs.get(run)).flat_map(|run| run.records.iter().take(MOST_IN_PLANE));
    let marks = records.flat_map(|record| {
        let arrows = tip_to_tail(record.from, parts(record), times);
        let arrows = arrows.into_iter().map(|piece| (piece.part.phase(record), [screen(piece.from), screen(piece.to)]));
        // From where the chain may go to where the way there ends.
        let proposal = record.proposal.map(|proposal| [proposal.at, enlarged(proposal.at, record.from, times)]);
        arrows.chain(proposal.map(|ends| (Phase::Proposal, ends.map(screen))))
    });
    let distances = marks.map(|(phase, [from, to])| {
        let along = to - from;
        let share = ((pointer - from).dot(along) / along.length_sq().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        ((from + along * share).distance(pointer), phase)
    });
    let near = distances.filter(|(away, _)| *away <= theme.space(NEAR));
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, phase)| phase)
}

/// The numbers of the step of the chain under the pointer.
pub(super) fn words(
    input: &CanvasInput<'_>,
    theme: &Theme,
    pointer: Pos2,
    transform: &PlotTransform,
) -> Option<String> {
    let line = input.frame.target.info().dimension == 1;
    let away = |at: Point| {
        let at = transform.position_from_point(&PlotPoint::new(at.x, at.y));
        if line { (at.x - pointer.x).abs() } else { at.distance(pointer) }
    };
    let runs = input.runs.iter().filter_map(|&run| input.frame.runs.get(run));
    let chains = runs.flat_map(|run| run.records.iter().enumerate().map(move |(chain, record)| (run, chain, record)));
    let distances = chains.map(|(run, chain, record)| (away(record.to).min(away(record.from)), run, chain, record));
    let near = distances.filter(|(away, ..)| *away <= theme.space(NEAR));
    let (_, run, chain, record) = near.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let name = if input.runs.len() > 1 { format!("{} ", run.plan.name) } else { String::new() };
    let reveal = input.layers.reveal(input.frame, run, chain);
    Some(format!("{name}chain {}: {}", chain + 1, in_words(run, record, &reveal)))
}

/// The parts of a step by their lengths, the proposal if it is decided, and the energy; of a trajectory as many doublings as are drawn.
fn in_words(run: &RunFrame, record: &StepRecord, reveal: &Reveal) -> String {
    let doublings = reveal.stage.as_ref().and_then(|stage| stage.doublings);
    let mut lines = Vec::new();
    for part in Part::ALL {
        let length = parts(record)[row(part)].norm();
        if length > 0.0 {
            lines.push(format!("{} {}", part_of_run(part, run), numbers::significant(length, 3)));
        }
    }
    lines.extend(record.trajectory.as_deref().map(|tree| trajectory::words(tree, doublings)));
    if let Some(proposal) = record.proposal.filter(|_| reveal.shows(Phase::Decision)) {
        let became = if proposal.accepted { "accepted" } else { "rejected" };
        lines.push(format!("{became}, probability {}", numbers::significant(proposal.probability, 3)));
    }
    if let Some(hottest) = record.rungs.last() {
        let exchanged = record.rungs.iter().filter(|rung| rung.swapped == Some(true)).count();
        let temperature = numbers::significant(hottest.temperature, 3);
        let pairs = if exchanged == 1 { "pair" } else { "pairs" };
        lines.push(format!("{} replicas up to T = {temperature}, {exchanged} {pairs} exchanged", record.rungs.len()));
    }
    if let Some(energy) = record.energy {
        lines.push(format!("energy {}", numbers::significant(energy, 4)));
    }
    if lines.is_empty() { "no movement".to_owned() } else { lines.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::Layers;
    use crate::testing::{Fake, Recipe, frame, metropolis};
    use samplers::methods::{Proposal, Rung};

    const RECIPE: Recipe = Recipe { name: "run", chains: 3, steps: 50, total: 100, alpha: 1e-4, cycle: 0 };

    fn input<'a>(frame: &'a Frame, runs: &'a [usize]) -> CanvasInput<'a> {
        CanvasInput::of_figure(frame, runs, Layers { arrows: true, ..Layers::default() })
    }

    #[test]
    fn proposals_are_in_the_readout() {
        let mut made = frame(Fake::grid(), &[RECIPE]);
        metropolis(&mut made.runs[0]);
        let lines = in_words(&made.runs[0], &made.runs[0].records[0], &Reveal::default());
        assert!(lines.contains("probability 0.25") && lines.ends_with("energy 3.5"), "{lines}");
        assert_eq!(in_words(&made.runs[0], &StepRecord::default(), &Reveal::default()), "no movement");
    }

    /// A step of a hundredth, enlarged twenty times: tick and cross are both where its way ends, as its legend and lessons say.
    #[test]
    fn the_decision_stands_at_the_end_of_its_way_however_long_that_is_drawn() {
        let mut made = frame(Fake::grid(), &[RECIPE]);
        metropolis(&mut made.runs[0]);
        let mut record = StepRecord { path: Vec::new(), ..made.runs[0].records[0].clone() };
        (record.from, record.to) = (Point::zeros(), Point::new(0.01, 0.0));
        let proposal = record.proposal.as_mut().unwrap();
        (proposal.at, proposal.accepted) = (Point::new(0.01, 0.0), true);
        let rejected = StepRecord { proposal: Some(Proposal { accepted: false, ..*proposal }), ..record.clone() };
        let screen = |at: Point, _: usize| Pos2::new(100.0 * at.x as f32, 0.0);
        let discs = |record: &StepRecord, times: f64| {
            let mut shapes = Vec::new();
            step(&mut shapes, &Theme::default(), (record, &Reveal::default()), (times, Rect::EVERYTHING), &screen);
            let centres = shapes.into_iter().filter_map(|shape| match shape {
                Shape::Circle(circle) => Some(circle.center.x),
                _ => None,
            });
            centres.collect::<Vec<f32>>()
        };
        for (record, times, at) in [(&record, 1.0, 1.0), (&record, 20.0, 20.0), (&rejected, 20.0, 20.0)] {
            let found = discs(record, times);
            assert!(!found.is_empty() && found.iter().all(|x| (x - at).abs() < 1e-4), "{times}: {found:?}");
        }
    }

    /// A chain that stays where it is, for a proposal far outside of the canvas: the cross is in sight, on the way there.
    #[test]
    fn a_proposal_outside_of_the_canvas_is_rejected_at_its_edge() {
        let edge = Rect::from_min_max(Pos2::new(0.0, 0.0), Pos2::new(100.0, 50.0));
        let from = Pos2::new(50.0, 25.0);
        assert_eq!(until_edge(edge, from, Pos2::new(250.0, 65.0)), Pos2::new(100.0, 35.0));
        assert_eq!(until_edge(edge, from, Pos2::new(50.0, -75.0)), Pos2::new(50.0, 0.0));
        let inside = Pos2::new(90.0, 10.0);
        assert_eq!(until_edge(edge, from, inside), inside);
        assert_eq!(until_edge(edge, Pos2::new(-1.0, 0.0), inside), inside);
    }

    #[test]
    fn replicas_are_in_the_readout_and_are_drawn() {
        let mut made = frame(Fake::grid(), &[RECIPE]);
        let rung = |temperature: f64, swapped| Rung { temperature, at: Point::repeat(temperature), swapped };
        made.runs[0].records[0].rungs = vec![rung(1.0, Some(true)), rung(4.0, None), rung(16.0, None)];
        let lines = in_words(&made.runs[0], &made.runs[0].records[0], &Reveal::default());
        assert!(lines.ends_with("3 replicas up to T = 16, 1 pair exchanged"), "{lines}");
        let mut shapes = Vec::new();
        let screen = |at: Point, _: usize| Pos2::new(10.0 * at.x as f32, 10.0 * at.y as f32);
        ladder(&mut shapes, &Theme::default(), &made.runs[0].records[0], &screen);
        assert_eq!(shapes.len(), 2 + 3 * 3, "an arc with its rim, and three discs with rim and edge");
        assert!(usual(&input(&made, &[0])).own.is_infinite(), "replicas are not enlarged");
    }

    #[test]
    fn every_part_has_its_row_and_diverged_chains_have_no_arrows() {
        let mut shapes = Vec::new();
        let theme = Theme::default();
        let screen = |at: Point, row: usize| Pos2::new(at.x as f32, 10.0 * row as f32);
        let lost = StepRecord { from: Point::repeat(f64::NAN), drift: Point::repeat(1.0), ..StepRecord::default() };
        step(&mut shapes, &theme, (&lost, &Reveal::default()), (1.0, Rect::EVERYTHING), &screen);
        assert!(shapes.is_empty());
        let still = StepRecord::default();
        step(&mut shapes, &theme, (&still, &Reveal::default()), (1.0, Rect::EVERYTHING), &screen);
        assert!(shapes.is_empty());
        let moved = StepRecord { drift: Point::repeat(30.0), ..StepRecord::default() };
        step(&mut shapes, &theme, (&moved, &Reveal::default()), (1.0, Rect::EVERYTHING), &screen);
        assert!(!shapes.is_empty());
    }
}
