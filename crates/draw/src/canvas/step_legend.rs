//! The legend of the newest steps on a canvas. It stands where it covers least of density, draws and steps that can be looked at.

use std::time::Duration;

use egui::{Align2, Id, Pos2, Rect, Ui};
use egui_plot::{PlotPoint, PlotTransform};

use super::arrows::{MOST_IN_PLANE, MOST_ON_LINE, grown, parts, points, row};
use super::covered::{self, Over};
use super::enlargement::{times, usual};
use super::input::CanvasInput;
use super::trajectory;
use crate::geometry::Part;
use crate::kit::background::Computing;
use crate::kit::legend::{Entry, Sample, part_of_run};
use crate::kit::legend_patch;
use crate::theme::Theme;
use crate::words::numbers;
use base::math::Point;
use engine::session::RunFrame;

/// How much of the density a legend may hide, as a share of that at the highest mode.
const MOST_COVERED: f64 = 0.5;

/// How much of the density, the draws and the newest steps that of the first canvas may hide until it is folded: all of a mode counts more.
const PEAK: f64 = 1.0;

/// Paints the legend of the arrows into a corner, rather clear of the labels that are there.
pub(super) fn legend(ui: &Ui, input: &CanvasInput<'_>, theme: &Theme, (plot, used, transform): Over<'_>) {
    let line = input.frame.target.info().dimension == 1;
    let most = if line { MOST_ON_LINE } else { MOST_IN_PLANE };
    let entries = entries(input, theme, most, times(usual(input), theme, transform));
    let steps = if line || !rests(ui, input) { Vec::new() } else { newest_steps(input, theme, transform, plot) };
    let hides = |patch: Rect| covered::all(input, transform, used, patch) + STEP * share_below(&steps, patch);
    // It stays where it is, if that is as good as any other place.
    let id = Id::unique(("place of the legend of steps", input.id, input.frame.generation));
    let kept: Option<Align2> = ui.data(|data| data.get_temp(id)).filter(|_| input.computing == Computing::Background);
    let places = |all: &[Align2]| kept.into_iter().chain(all.iter().copied()).collect::<Vec<_>>();
    let corners = places(covered::corners(line));
    // The first canvas has it in any case, folded where it would hide a peak; beside that it says nothing new.
    let first = input.runs.contains(&0);
    let place = match input.computing {
        // What can be pointed at may be folded.
        Computing::Background => {
            let (all, most) = (places(covered::places(line)), if first { PEAK } else { MOST_COVERED });
            let whole = legend_patch::paint_or_fold(ui, theme, plot, (&all, &hides, most), &entries);
            let fold = || legend_patch::paint_folded(ui, theme, plot, (&all, &hides), &entries);
            whole.or_else(|| first.then(fold).flatten())
        }
        Computing::Now => {
            let most = if first { f64::INFINITY } else { MOST_COVERED };
            legend_patch::paint_clear_of(ui, theme, plot, (&corners, &hides, most), &entries)
        }
    };
    if let Some(place) = place {
        ui.data_mut(|data| data.insert_temp(id, place));
    } else {
        let remarks: Vec<Entry> = entries.into_iter().filter(|entry| entry.sample.is_text()).collect();
        legend_patch::paint_clear_of(ui, theme, plot, (&corners, &hides, f64::INFINITY), &remarks);
    }
}

/// What covering the newest steps counts, less than what a legend may hide, where covering all of the density counts 1.
const STEP: f64 = 0.45;

/// Time for which a step is shown until the legend leaves it free, in seconds: it does not follow steps that run by.
const RESTS: f64 = 0.3;

/// Whether the newest step is there to be looked at: it is in a figure, is taken apart, or has been there for a while.
fn rests(ui: &Ui, input: &CanvasInput<'_>) -> bool {
    if input.computing == Computing::Now || input.layers.stage.is_some() {
        return true;
    }
    let steps: Vec<u64> = input.frame.runs.iter().map(|run| run.step).collect();
    let now = ui.input(|state| state.time);
    let since = ui.data_mut(|data| {
        let id = Id::unique(("newest step of a canvas", input.id));
        let kept = data.get_temp_mut_or_insert_with(id, || (steps.clone(), now));
        if kept.0 != steps {
            *kept = (steps, now);
        }
        kept.1
    });
    let left = RESTS - (now - since);
    if left > 0.0 {
        ui.ctx().request_repaint_after(Duration::from_secs_f64(left));
    }
    left <= 0.0
}

/// The points of the newest step of each chain, as they are drawn.
fn newest_steps(input: &CanvasInput<'_>, theme: &Theme, transform: &PlotTransform, plot: Rect) -> Vec<Vec<Pos2>> {
    let times = times(usual(input), theme, transform);
    let screen = |at: Point| transform.position_from_point(&PlotPoint::new(at.x, at.y));
    let runs = input.runs.iter().filter_map(|&run| input.frame.runs.get(run));
    let records = runs.flat_map(|run| run.records.iter().take(MOST_IN_PLANE));
    records.map(|record| points(record, theme, (times, plot), &screen)).collect()
}

/// The share of steps that are below a patch, at least in part, in tenths: it does not move for one of many chains.
fn share_below(steps: &[Vec<Pos2>], patch: Rect) -> f64 {
    let below = steps.iter().filter(|points| points.iter().any(|at| patch.contains(*at))).count();
    (10.0 * below as f64 / steps.len().max(1) as f64).round() / 10.0
}

/// What it says.
pub(super) fn entries(input: &CanvasInput<'_>, theme: &Theme, most: usize, times: f64) -> Vec<Entry> {
    let runs = || input.runs.iter().filter_map(|&run| input.frame.runs.get(run));
    let records = || runs().flat_map(|run| run.records.iter().take(most));
    if records().next().is_none() {
        return vec![Entry::new(Sample::None, "no step yet")];
    }
    let moves = |run: &RunFrame, part: Part| {
        run.records.iter().take(most).any(|record| parts(record)[row(part)] != Point::zeros())
    };
    let there = Part::ALL.into_iter().filter_map(|part| Some((part, runs().find(|run| moves(run, part))?)));
    let mut entries: Vec<Entry> =
        there.map(|(part, run)| Entry::new(Sample::Arrow(part), part_of_run(part, run))).collect();
    if let Some(record) = records().find(|record| record.path.len() > 1) {
        let name = if record.follows_momentum() { "path of the step" } else { "coordinate by coordinate" };
        entries.push(Entry::new(Sample::Path, name));
    }
    if let Some((run, tree)) = runs().find_map(|run| Some((run, run.records.first()?.trajectory.as_deref()?))) {
        let tree = grown(tree, &input.layers.reveal(input.frame, run, 0));
        // Doublings that nobody can count, step after step, are not named one by one.
        let runs_by = input.computing == Computing::Background && input.layers.stage.is_none();
        entries.extend(if runs_by { trajectory::in_short(theme) } else { trajectory::entries(theme, &tree) });
    }
    if records().any(|record| !record.rungs.is_empty()) {
        entries.push(Entry::new(Sample::Replicas, "replicas, cold to hot"));
        entries.push(Entry::new(Sample::Exchange, "places exchanged"));
    }
    if records().any(|record| record.proposal.is_some()) {
        entries.push(Entry::new(Sample::Proposal(true), "proposal accepted"));
        entries.push(Entry::new(Sample::Proposal(false), "proposal rejected"));
    }
    if entries.is_empty() {
        entries.push(Entry::new(Sample::None, "no movement"));
    } else if times > 1.0 {
        let times = numbers::significant(times, 3);
        entries.push(Entry::new(Sample::None, format!("steps enlarged {times} times")));
    }
    if let Some(chains) = runs().map(|run| run.plan.chains).max().filter(|&chains| chains > most) {
        entries.push(Entry::new(Sample::None, format!("{most} of {} chains", numbers::count(chains as u64))));
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::Layers;
    use crate::testing::{Fake, Recipe, frame, metropolis};
    use egui::pos2;
    use engine::session::Frame;
    use samplers::methods::{Proposal, Rung, StepRecord};

    const RECIPE: Recipe = Recipe { name: "run", chains: 3, steps: 50, total: 100, alpha: 1e-4, cycle: 0 };

    fn input<'a>(frame: &'a Frame, runs: &'a [usize]) -> CanvasInput<'a> {
        CanvasInput::of_figure(frame, runs, Layers { arrows: true, ..Layers::default() })
    }

    fn texts(entries: &[Entry]) -> Vec<&str> {
        entries.iter().map(|entry| entry.text.as_str()).collect()
    }

    #[test]
    fn the_legend_names_the_parts_and_the_number_of_chains() {
        let made = frame(Fake::grid(), &[RECIPE]);
        let all = entries(&input(&made, &[0]), &Theme::default(), 32, 50.0);
        assert_eq!(texts(&all), ["drift", "injected noise", "steps enlarged 50 times"]);
        let few = entries(&input(&made, &[0]), &Theme::default(), 2, 1.0);
        assert_eq!(texts(&few), ["drift", "injected noise", "2 of 3 chains"]);
        let before = frame(Fake::grid(), &[Recipe { steps: 0, ..RECIPE }]);
        assert_eq!(texts(&entries(&input(&before, &[0]), &Theme::default(), 32, 1.0)), ["no step yet"]);
    }

    #[test]
    fn proposals_paths_and_replicas_are_in_the_legend() {
        let mut made = frame(Fake::grid(), &[RECIPE]);
        metropolis(&mut made.runs[0]);
        let all = entries(&input(&made, &[0]), &Theme::default(), 32, 1.0);
        assert_eq!(texts(&all)[4..], ["path of the step", "proposal accepted", "proposal rejected"]);
        let mut made = frame(Fake::grid(), &[RECIPE]);
        let rung = |temperature: f64, swapped| Rung { temperature, at: Point::repeat(temperature), swapped };
        made.runs[0].records[0].rungs = vec![rung(1.0, Some(true)), rung(4.0, None), rung(16.0, None)];
        let all = entries(&input(&made, &[0]), &Theme::default(), 32, 1.0);
        assert_eq!(texts(&all)[2..], ["replicas, cold to hot", "places exchanged"]);
    }

    /// A patch over an arrow, over the way to a proposal outside of the canvas, or over its mark at the edge covers the step.
    #[test]
    fn what_a_patch_covers_of_a_step_is_known() {
        let screen = |at: Point| pos2(100.0 * at.x as f32, 100.0 * at.y as f32);
        let plot = Rect::from_min_max(pos2(0.0, 0.0), pos2(400.0, 400.0));
        let (at, log_ratio) = (Point::new(9.0, 1.0), f64::NEG_INFINITY);
        let proposal = Proposal { at, log_ratio, probability: 0.0, uniform: 0.5, accepted: false };
        let (from, noise) = (Point::new(1.0, 1.0), Point::new(8.0, 0.0));
        let record =
            StepRecord { from, to: from, injected_noise: noise, proposal: Some(proposal), ..StepRecord::default() };
        let steps = vec![points(&record, &Theme::default(), (1.0, plot), &screen)];
        let patch = |x: f32, y: f32| Rect::from_center_size(pos2(x, y), egui::vec2(100.0, 40.0));
        let covered = [patch(100.0, 100.0), patch(250.0, 110.0), patch(380.0, 90.0)];
        assert!(covered.iter().all(|patch| share_below(&steps, *patch) > 0.9));
        assert!([patch(250.0, 300.0), patch(250.0, 20.0)].iter().all(|patch| share_below(&steps, *patch) < 0.1));
        let many: Vec<Vec<Pos2>> = (0..32).map(|_| vec![pos2(0.0, 0.0)]).chain(steps).collect();
        assert!(share_below(&many, covered[0]) < 0.1, "one of many");
    }
}
