//! Curves of the parts of steps, computed again when there are more steps or another range is shown.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use egui::{Color32, Context};
use egui_plot::{MarkerShape, PlotUi};

use super::transition::Transition;
use crate::geometry::{Extension, Part, averaged, magnitudes};
use crate::kit::marks::{Dot, Mark};
use crate::kit::mesh_cache::MeshCache;
use crate::kit::steps::{StepsInput, pixel_steps};
use crate::kit::time_axis::{Along, as_f64};
use crate::theme::Theme;
use engine::session::{MAX_RECORDS, RunFrame, StepParts};

/// Approximate number of steps times chains per point of a line: its standard error is then a seventh of its value.
const DRAWS_PER_POINT: usize = 24;

/// Opacity of the dots, and their radius in units of the theme.
const DOTS: f32 = 0.25;
const DOT: f32 = 0.35;

/// A curve in pieces, as points (position, magnitude).
type Pieces = Vec<Vec<[f64; 2]>>;

/// The curves of all runs.
#[derive(Debug, Default)]
pub struct NoiseCache {
    runs: BTreeMap<usize, Entry>,
    /// Curves made so far.
    made: u64,
    dot: Option<Dot>,
}

/// The curves of a run.
#[derive(Debug, Default)]
struct Entry {
    key: Option<Key>,
    transition: Option<Transition>,
    /// For each part present: the recorded steps, and the line through them.
    parts: Vec<(Part, Vec<[f64; 2]>, Pieces)>,
    /// The expected gradient noise and injected noise.
    expected: Vec<(Part, Pieces)>,
    /// See [`NoiseCache::limits`].
    limits: Option<Range<f64>>,
    /// A number that no other curves have had.
    version: u64,
    kept: MeshCache,
}

/// What curves depend on.
#[derive(Clone, Debug)]
struct Key {
    parts: Arc<Vec<StepParts>>,
    extension: Extension,
    along: Along,
    range: Range<f64>,
    width: f32,
    transition: Option<Transition>,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.parts, &other.parts)
            && (self.extension, &self.along, &self.range) == (other.extension, &other.along, &other.range)
            && (self.width - other.width).abs() < 0.5
            && self.transition == other.transition
    }
}

impl NoiseCache {
    /// Updates the texture of the dots of single steps.
    pub(super) fn prepare_dot(&mut self, ctx: &Context, theme: &Theme) {
        self.dot = Some(Dot::of(self.dot.take(), ctx, theme.space(DOT)));
    }

    /// Updates the curves of a run in a range of positions, `width` points wide.
    pub(super) fn prepare(
        &mut self,
        input: &StepsInput<'_>,
        run: usize,
        extension: Extension,
        (range, width): (&Range<f64>, f32),
    ) {
        let Some(frame) = input.frame.runs.get(run) else { return };
        let entry = self.runs.entry(run).or_default();
        entry.transition = Transition::of(input.frame, run, extension, entry.transition.take());
        let transition = entry.transition.clone();
        let (parts, range) = (frame.parts.clone(), range.clone());
        let key = Key { parts, extension, along: input.along(run), range, width, transition };
        if entry.key.as_ref() != Some(&key) {
            self.made += 1;
            entry.version = self.made;
            entry.make(frame, &key);
            entry.key = Some(key);
        }
    }

    /// The transition of a run.
    pub(super) fn transition(&self, run: usize) -> Option<&Transition> {
        self.runs.get(&run)?.transition.as_ref()
    }

    /// The number of a run's curves.
    #[cfg(test)]
    pub(super) fn version(&self, run: usize) -> u64 {
        self.runs.get(&run).map_or(0, |entry| entry.version)
    }

    /// Whether the steps of a run have a part.
    pub(super) fn has(&self, run: usize, part: Part) -> bool {
        self.runs.get(&run).is_some_and(|entry| entry.parts.iter().any(|(there, ..)| *there == part))
    }

    /// The values on the lines of some runs, from nearly the smallest to the largest. The few values far below all others (a
    /// chain at a mode, the end of a cycle) may be outside the plot.
    pub(super) fn limits(&self, runs: &[usize]) -> Option<Range<f64>> {
        let entries = runs.iter().filter_map(|run| self.runs.get(run));
        let limits = entries.filter_map(|entry| entry.limits.clone());
        limits.reduce(|one, other| one.start.min(other.start)..one.end.max(other.end))
    }

    /// Adds the curves of a run to a plot; with `dots` also a dot for each step.
    pub(super) fn add<'a>(
        &'a self,
        plot_ui: &mut PlotUi<'a>,
        run: usize,
        theme: &Theme,
        dots: bool,
        colour: impl Fn(Part) -> Color32,
    ) {
        let Some(entry) = self.runs.get(&run) else { return };
        let logarithms = |points: &[[f64; 2]]| points.iter().map(|&[at, size]| [at, size.log10()]).collect::<Vec<_>>();
        entry.kept.show(plot_ui, (entry.version, dots, theme.mode, theme.scale), || {
            let dot = self.dot.as_ref().filter(|_| dots);
            let single = dot.iter().flat_map(|dot| {
                entry.parts.iter().map(|(part, points, _)| Mark::Points {
                    points: logarithms(points),
                    colour: colour(*part).gamma_multiply(DOTS),
                    shape: MarkerShape::Circle,
                    dot: Dot::clone(dot),
                })
            });
            let thin = entry.expected.iter().flat_map(|(part, pieces)| pieces.iter().map(move |piece| (part, piece)));
            let thin = thin.map(|(part, piece)| Mark::Line {
                points: logarithms(piece),
                colour: colour(*part).gamma_multiply(0.8),
                width: theme.thin(),
                graph: true,
            });
            let lines = entry.parts.iter().flat_map(|(part, _, pieces)| pieces.iter().map(move |piece| (part, piece)));
            let lines = lines.map(|(part, piece)| {
                let (points, colour, width) = (logarithms(piece), colour(*part), 1.2 * theme.line());
                match theme.dashes(*part) {
                    Some(lengths) => Mark::Dashes { points, colour, width, lengths },
                    None => Mark::Line { points, colour, width, graph: true },
                }
            });
            single.chain(thin).chain(lines).collect()
        });
    }
}

impl Entry {
    fn make(&mut self, frame: &RunFrame, key: &Key) {
        let positioned = |points: Vec<[f64; 2]>| -> Vec<[f64; 2]> {
            points.into_iter().map(|[step, size]| [key.along.position(step), size]).collect()
        };
        // If the chains share their minibatches, this noise is averaged over steps alone.
        let chains = frame.plan.chains.clamp(1, MAX_RECORDS);
        let shared = frame.plan.shares_batches();
        let reach = |part: Part| {
            let apart = if part == Part::GradientNoise && shared { 1 } else { chains };
            DRAWS_PER_POINT / apart / 2
        };
        let together = |step: u64| {
            let segment = frame.plan.segment_of(step);
            (segment.from, segment.schedule.cycle(step), segment.schedule.stage(step))
        };
        let part = |part: Part| {
            let single = magnitudes(&key.parts, part, key.extension);
            let lines = averaged(&key.parts, (part, key.extension), reach(part), together);
            (part, positioned(single), lines.into_iter().map(positioned).collect::<Pieces>())
        };
        self.parts = Part::ALL.into_iter().map(part).filter(|(_, single, _)| !single.is_empty()).collect();
        self.expected = self.transition.as_ref().map_or_else(Vec::new, |transition| {
            let [gradient, injected] = expected(transition, frame, key);
            vec![(Part::GradientNoise, gradient), (Part::InjectedNoise, injected)]
        });
        let lines = self.parts.iter().map(|(_, _, pieces)| pieces);
        let lines = lines.chain(self.expected.iter().map(|(_, pieces)| pieces));
        self.limits = limits(lines.flatten().flatten().map(|point| point[1]).collect());
    }
}

/// The range from nearly the smallest value to the largest.
pub(super) fn limits(mut values: Vec<f64>) -> Option<Range<f64>> {
    /// One in this many values may be smaller.
    const FEW: usize = 50;
    values.sort_unstable_by(f64::total_cmp);
    Some(*values.get(values.len() / FEW)?..*values.last()?)
}

/// Expected noise at the step of every pixel, interrupted where it is zero.
fn expected(transition: &Transition, frame: &RunFrame, key: &Key) -> [Pieces; 2] {
    let mut found = [vec![Vec::new()], vec![Vec::new()]];
    let mut before = 0;
    let steps = pixel_steps((&key.range, &key.along), key.width).map(|(_, step)| step);
    for step in steps.filter(|step| (1..=frame.plan.steps).contains(step)) {
        if step == before {
            continue;
        }
        before = step;
        for (pieces, size) in found.iter_mut().zip(transition.expected(step)) {
            match pieces.last_mut() {
                Some(piece) if size > 0.0 && size.is_finite() => piece.push([key.along.position(as_f64(step)), size]),
                _ => pieces.push(Vec::new()),
            }
        }
    }
    found.map(|pieces| pieces.into_iter().filter(|piece| !piece.is_empty()).collect())
}
