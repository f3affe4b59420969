//! Input of figures besides the frame: a view, and what was computed or kept.

use std::sync::Arc;

use crate::canvas::pointing::Pointed;
use crate::canvas::{Courses, Draws, Layers, named_layers};
use crate::kit::background::Computing;
use crate::sheet::{Dimensions, ExportOptions, Picture};
use crate::theme::{Theme, Vision};
use crate::views::coverage::Trail;
use crate::views::coverage::pin::Pin;
use crate::views::{CoverageContext, PlotContext, ReferenceContext, Seen, StepOf, StudyContext, SweepContext, path};
use base::math::Bounds;
use base::params::{Settings, Value};
use engine::scenario::figures::{Panel, given, rows};
use engine::scenario::{Scenario, ViewSpec};
use engine::session::Frame;
use engine::session::repeats::Repeat;
use engine::session::sweep::{Cell, Findings, SweepPlan, cells_as_csv};

/// The cells of a sweep.
#[derive(Clone, Debug)]
pub struct Swept {
    /// The sweep.
    pub plan: Arc<SweepPlan>,
    /// Its cells.
    pub cells: Vec<Cell>,
    /// The Pareto front and the answers to questions; `None` while cells are missing.
    pub findings: Option<Arc<Findings>>,
}

impl Swept {
    /// All cells as CSV, a line for each seed of a cell: the values of the axes, the seed, evaluations, diverged chains, and the measures,
    /// with all digits. What has no value is empty.
    #[must_use]
    pub fn table(&self) -> String {
        cells_as_csv(&self.plan, &self.cells)
    }

    fn context(&self) -> SweepContext<'_> {
        let Self { plan, cells, findings } = self;
        SweepContext { plan: Some(plan), cells, findings: findings.as_deref(), ..SweepContext::default() }
    }
}

/// Input of some plots besides the frame. [`Extras::of`] makes it of a view; the rest is what was computed or kept.
#[derive(Clone, Debug)]
pub struct Extras {
    /// Options of plots.
    pub seen: Seen,
    /// The repeats of the convergence plot.
    pub repeats: Vec<Repeat>,
    /// Whether they are of an earlier version of the scenario.
    pub stale: bool,
    /// The sweep of the map.
    pub sweep: Option<Swept>,
    /// The draw that is marked, as if the pointer were at it.
    pub pointed: Pointed,
    /// The draws that were picked for the path plot, and its cycle.
    pub path: path::PathChoice,
    /// The points of finished runs in the coverage plot.
    pub trail: Trail,
    /// The pins of the coverage plot.
    pub pins: Vec<Pin>,
    /// Exact distributions that go on from picture to picture.
    pub courses: Courses,
    /// The layers of the canvases.
    pub layers: Layers,
    /// The size as it was chosen, in which advice is told; that of the options if it is the same.
    pub chosen: Option<Dimensions>,
    /// The view that is written into the file, from which options, layers and cycle follow. Its measures are in the readout.
    pub view: ViewSpec,
}

impl Default for Extras {
    /// The defaults of the window, without trails, which belong to moving pictures.
    fn default() -> Self {
        Self {
            seen: Seen::default(),
            repeats: Vec::new(),
            stale: false,
            sweep: None,
            pointed: Pointed::default(),
            path: path::PathChoice::default(),
            trail: Trail::default(),
            pins: Vec::new(),
            courses: Courses::default(),
            layers: Layers { trail: false, ..Layers::default() },
            chosen: None,
            view: ViewSpec::default(),
        }
    }
}

impl Extras {
    /// What a view shows: of the same one every figure is the same.
    #[must_use]
    pub fn of(view: ViewSpec) -> Self {
        let usual = Self::default();
        let seen = Seen::of_file(&view);
        let path = path::PathChoice::of_cycle(seen.cycle);
        Self { seen, path, layers: named_layers::of_file(&view, usual.layers), view, ..usual }
    }

    /// The runs that the view shows, by number: all, where it names none of them.
    pub(super) fn runs(&self, frame: &Frame) -> Vec<usize> {
        let named = |name: &str| self.view.runs.as_ref().is_none_or(|names| names.iter().any(|shown| shown == name));
        let shown: Vec<usize> = (0..frame.runs.len()).filter(|run| named(&frame.runs[*run].plan.name)).collect();
        if shown.is_empty() { (0..frame.runs.len()).collect() } else { shown }
    }

    /// The theme of a figure of a scenario, with the look that its `[figure]` gives it.
    #[must_use]
    pub fn theme(&self, options: &ExportOptions, scenario: &Scenario) -> Theme {
        let mut theme = options.theme();
        if let Some(figure) = &self.view.figure {
            let runs: Vec<&str> = scenario.runs.iter().map(|run| run.name.as_str()).collect();
            theme = theme.of_figure(figure, &runs);
        }
        // A figure of the size of a place has its letters, however that size was chosen.
        let says = |figure: &Settings| ["size", "typeface"].into_iter().any(|key| given(figure, key).is_some());
        if !self.view.figure.as_ref().is_some_and(says)
            && let Some(venue) = options.size.any_venue()
        {
            theme.look.typeface = venue.typeface;
        }
        theme
    }

    /// Whether plots mark the present step: as the `[figure]` says, else while runs go on and where the figure moves. A sheet has it as the
    /// window has, unless it has the size of a place on paper.
    pub(super) fn marks_step(&self, frame: &Frame, options: &ExportOptions) -> bool {
        let said = self.view.figure.as_ref().and_then(|figure| figure.get("cursor"));
        let as_window = options.picture == Picture::Sheet && options.size.any_venue().is_none();
        said.map_or(as_window || options.format.moves() || !frame.finished(), |said| *said == Value::Flag(true))
    }

    /// Sentences about runs that the look of the figure does not tell apart.
    pub(super) fn alike(&self, frame: &Frame, theme: &Theme) -> Vec<String> {
        let Some(figure) = &self.view.figure else { return Vec::new() };
        let names: Vec<&str> = frame.runs.iter().map(|run| run.plan.name.as_str()).collect();
        alike_words(theme, &names, (has_own_colours(figure), has_lines(figure, &names)))
    }

    /// The part of the plane on the canvases.
    pub(super) fn area(&self, frame: &Frame) -> Bounds {
        let usual = frame.target.info().view;
        self.view.area.map_or(usual, |[x, y]| Bounds::new((x[0], x[1]), (y[0], y[1])))
    }

    /// The input of plots with these runs.
    pub(super) fn context<'a>(&'a self, frame: &'a Frame, runs: &'a [usize]) -> PlotContext<'a> {
        PlotContext {
            frame,
            edited: None,
            range_test: None,
            runs,
            range: self.seen.range.clone(),
            coordinate: self.seen.coordinate.unwrap_or(0).min(frame.target.info().dimension - 1),
            options: self.seen.options,
            truth: self.layers.truth,
            by_chain: self.layers.draws == Draws::ByChain,
            computing: Computing::Now,
            study: StudyContext {
                choice: self.seen.choice,
                repeats: &self.repeats,
                stale: self.stale,
                ..StudyContext::default()
            },
            sweep: self.sweep.as_ref().map_or_else(SweepContext::default, Swept::context),
            reference: ReferenceContext::default(),
            stage: self.layers.stage,
            slow: false,
            step_of: StepOf::default(),
            pointed: &self.pointed,
            path: &self.path,
            coverage: CoverageContext { trail: &self.trail, pins: &self.pins, selected: None, restorable: false },
        }
    }
}

/// Whether somebody has chosen the colours of runs. Those of the window are told apart by their markers in print.
fn has_own_colours(figure: &Settings) -> bool {
    figure.word("palette") != "own" || figure.list("run").iter().any(|run| given(run, "colour").is_some())
}

/// Whether runs have lines in a figure: one of only canvases shows their draws.
fn has_lines(figure: &Settings, names: &[&str]) -> bool {
    let panels = given(figure, "panels").and_then(|text| rows(text, names).ok());
    let is_line = |(panel, _): &(Panel, f64)| matches!(panel, Panel::Plot(_));
    panels.is_none_or(|rows| rows.iter().flat_map(|row| &row.panels).any(is_line))
}

/// Sentences about runs of these names that a theme does not tell apart; of colours that markers tell apart in `print` if that is asked for, which
/// matters for `lines`.
fn alike_words(theme: &Theme, names: &[&str], (print, lines): (bool, bool)) -> Vec<String> {
    let sentence = |(one, other, vision): (usize, usize, Vision)| {
        let [one, other] = [one, other].map(|run| names[run]);
        format!("{one} and {other} look alike {}: give one of them another marker or colour", vision.words())
    };
    let by_marker = |(one, other, vision): (usize, usize, Vision)| {
        let [one, other] = [one, other].map(|run| names[run]);
        format!(
            "{one} and {other} have colours that look alike {}: only their markers tell them apart, which lines have not: give one of them \
             another dash or colour",
            vision.words()
        )
    };
    let alike = theme.alike(names.len()).into_iter().map(sentence);
    let by_markers = if lines { theme.told_by_markers(names.len(), print) } else { Vec::new() };
    alike.chain(by_markers.into_iter().map(by_marker)).collect()
}

/// Sentences about runs of a scenario that its `[figure]` does not tell apart; none without a figure.
#[must_use]
pub fn runs_alike(scenario: &Scenario) -> Vec<String> {
    let Some(figure) = &scenario.view.figure else { return Vec::new() };
    let names: Vec<&str> = scenario.runs.iter().map(|run| run.name.as_str()).collect();
    let told = (has_own_colours(figure), has_lines(figure, &names));
    alike_words(&ExportOptions::default().theme().of_figure(figure, &names), &names, told)
}
