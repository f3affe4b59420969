//! Input of the plot tabs: the frame, and what several plots share or the window keeps for them.

use std::ops::Range;

use super::class_maps::geometry::MapQuantity;
use super::coefficients::geometry::Scale;
use super::coverage::Trail;
use super::coverage::pin::Pin;
use super::cycles::CyclesShown;
use super::error_parts::ErrorOf;
use super::pairs::choice::Chosen;
use super::path::PathChoice;
use super::predictive::geometry::Statistic;
use super::step::lines::Lines;
use super::study_choice::StudyChoice;
use super::sweep::Part;
use super::sweep::geometry::CellCloud;
use super::topics::geometry::Relevance;
use super::weights::geometry::{Loss, WeightPicture};
use crate::canvas::pointing::Pointed;
use crate::geometry::TopicsQuantity;
use crate::kit::background::Computing;
use crate::kit::data_edit::Editing;
use crate::kit::steps::{self, StepsInput};
use crate::kit::time_axis::TimeAxis;
use crate::words::word::Word;
use base::params::ParamSpec;
use engine::scenario::Scenario;
use engine::scenario::view::{Axis, options};
use engine::session::range_test::RangePoint;
use engine::session::repeats::Repeat;
use engine::session::sweep::{Cell, Findings, SweepPlan};
use engine::session::{Clock, Frame};

/// What a plot tab may read.
#[derive(Clone, Debug)]
pub struct PlotContext<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// The scenario that plots with handles change, with edits that the frame does not show yet; `None` in figures.
    pub edited: Option<&'a Scenario>,
    /// The range test that the Schedule tab shows in place of the schedule.
    pub range_test: Option<RangeContext<'a>>,
    /// The runs that are drawn, by number.
    pub runs: &'a [usize],
    /// The steps, evaluations or seconds that plots over time show; `None` for all of them.
    pub range: Option<Range<f64>>,
    /// The coordinate of plots that show one at a time: 0 (x) or 1 (y).
    pub coordinate: usize,
    /// Options of single plots.
    pub options: PlotOptions,
    /// Whether the truth, or the reference in its place, is shown.
    pub truth: bool,
    /// Whether chains have colours of their own.
    pub by_chain: bool,
    /// When expensive pictures are made.
    pub computing: Computing,
    /// The repeats of the scenario.
    pub study: StudyContext<'a>,
    /// The sweep of the scenario.
    pub sweep: SweepContext<'a>,
    /// The HMC reference.
    pub reference: ReferenceContext,
    /// The stage of the newest step until which it is shown; `None` for all of it.
    pub stage: Option<usize>,
    /// Whether one stage after the other is shown by itself.
    pub slow: bool,
    /// Which run's step is shown where there is no space for those of all.
    pub step_of: StepOf,
    /// What the pointer is at.
    pub pointed: &'a Pointed,
    /// The line of the path plot that is chosen.
    pub path: &'a PathChoice,
    /// The earlier runs and the pins of the coverage plot.
    pub coverage: CoverageContext<'a>,
}

/// Which run's step the Step tab shows where there is no space for those of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepOf {
    /// The run that a person has chosen; `None` for the first of those that are shown.
    pub chosen: Option<usize>,
    /// The run whose step was shown alone when the tab was shown last.
    pub alone: Option<usize>,
}

/// Options of single plots, which a scenario file may name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlotOptions {
    /// What the axis of plots over time counts, where a person or a file has chosen it.
    pub axis: Option<Axis>,
    /// Whether step sizes are on a logarithmic axis.
    pub log: bool,
    /// Whether the first steps have more space: steps on a logarithmic axis, where a plot has the choice.
    pub log_steps: bool,
    /// Whether the Step tab shows the formula.
    pub formula: bool,
    /// How it shows the lines of the algorithm.
    pub lines: Lines,
    /// Whether the Noise tab shows the length of the parts in the plane, not one coordinate.
    pub both: bool,
    /// What the maps of a classification show.
    pub quantity: MapQuantity,
    /// From which side weight space is looked at.
    pub picture: WeightPicture,
    /// The distance of functions below which draws are neighbours in a cluster; `None` for that of the target.
    pub threshold: Option<f64>,
    /// The height of the surface of a plane in weight space.
    pub surface: Loss,
    /// The number of a random direction in weight space.
    pub direction: u64,
    /// What stands beside functions and maps: a picture of weight space, or the canvases.
    pub beside: Option<WeightPicture>,
    /// How the words of topics are sorted.
    pub relevance: Relevance,
    /// The chain whose topics are shown, from 0.
    pub chain: usize,
    /// Whether the labels of topics are aligned before draws are averaged.
    pub aligned: bool,
    /// Whether exact lines stand beside curves of repeats.
    pub exact: bool,
    /// The error whose parts are shown.
    pub error: ErrorOf,
    /// What the Cycles tab shows beside the matrices.
    pub cycles: CyclesShown,
    /// What the Held-out tab shows.
    pub curve: TopicsQuantity,
    /// The scale of coefficients.
    pub scale: Scale,
    /// The quantities of the pair plot, where some are chosen.
    pub pairs: Option<Chosen>,
    /// The statistic of the predictive check.
    pub statistic: Statistic,
    /// What the Map tab shows.
    pub sweep: SweepOptions,
}

/// Options of the pictures of a sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SweepOptions {
    /// Which of them are shown.
    pub pictures: SweepPictures,
    /// The measure, where one is chosen; else the first of the sweep.
    pub measure: Option<&'static str>,
    /// What of it.
    pub part: Part,
}

/// Pictures of a sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SweepPictures {
    /// A map over two parameters, or a curve over one.
    #[default]
    Map,
    /// The front.
    Front,
    /// Both.
    Both,
}

impl Word for SweepPictures {
    const SPEC: &'static ParamSpec = &options::SWEEP;
    const ALL: &'static [Self] = &[Self::Map, Self::Front, Self::Both];
}

impl Default for PlotOptions {
    fn default() -> Self {
        Self {
            axis: None,
            log: false,
            log_steps: true,
            formula: true,
            lines: Lines::default(),
            both: false,
            quantity: MapQuantity::default(),
            picture: WeightPicture::default(),
            threshold: None,
            surface: Loss::default(),
            direction: 1,
            beside: None,
            relevance: Relevance::default(),
            chain: 0,
            aligned: true,
            exact: true,
            error: ErrorOf::default(),
            cycles: CyclesShown::default(),
            curve: TopicsQuantity::default(),
            scale: Scale::default(),
            pairs: None,
            statistic: Statistic::default(),
            sweep: SweepOptions::default(),
        }
    }
}

impl PlotOptions {
    /// What plots of the runs count along their axis: unless chosen, what the transport counts. In place of seconds they have
    /// documents.
    #[must_use]
    pub fn counts(self, frame: &Frame) -> Axis {
        match self.counts_or_seconds(frame) {
            Axis::Seconds => Axis::Gradients,
            counts => counts,
        }
    }

    /// The same of the plot that can have seconds, where they are known.
    #[must_use]
    pub fn counts_or_seconds(self, frame: &Frame) -> Axis {
        let chosen = self.axis.filter(|axis| *axis != Axis::Seconds || frame.target.family().cost.seconds);
        chosen.unwrap_or(frame.time.clock.into())
    }

    /// What plots of repeats count along their axis: unless chosen, the cost.
    #[must_use]
    pub fn against(self) -> Clock {
        if self.axis == Some(Axis::Steps) { Clock::Steps } else { Clock::Gradients }
    }
}

/// A range test.
#[derive(Clone, Copy, Debug)]
pub struct RangeContext<'a> {
    /// The name of its run.
    pub run: &'a str,
    /// The points computed so far.
    pub points: &'a [RangePoint],
    /// Whether more points are being computed.
    pub running: bool,
}

/// Repeats of the scenario with other seeds.
#[derive(Clone, Copy, Debug, Default)]
pub struct StudyContext<'a> {
    /// The measure, its axes and the number of repeats that are chosen.
    pub choice: StudyChoice,
    /// The repeats made so far.
    pub repeats: &'a [Repeat],
    /// A number that no other list of repeats has had.
    pub version: u64,
    /// Whether the repeats are of an earlier version of the scenario.
    pub stale: bool,
    /// The share of the repeats that is done, from 0 to 1; `None` while none are being made.
    pub progress: Option<f32>,
    /// Whether repeats are missing and not being made.
    pub missing: bool,
}

/// The sweep of the scenario.
#[derive(Clone, Copy, Debug, Default)]
pub struct SweepContext<'a> {
    /// The sweep; `None` before its computation.
    pub plan: Option<&'a SweepPlan>,
    /// The cells computed so far.
    pub cells: &'a [Cell],
    /// The Pareto front and the answers to questions, once all cells are there.
    pub findings: Option<&'a Findings>,
    /// Some draws of the cell that was pointed at last, once they are computed.
    pub cloud: Option<&'a CellCloud>,
    /// The share of the cells that is computed, from 0 to 1; `None` while none are being computed.
    pub progress: Option<f32>,
    /// Whether cells are missing and not being computed.
    pub missing: bool,
}

/// The computation of the HMC reference; the reference itself is in the frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReferenceContext {
    /// The share that is done, from 0 to 1; `None` while nothing is computed.
    pub progress: Option<f32>,
    /// Whether the reference is missing and not being computed.
    pub missing: bool,
}

/// What the coverage plot shows besides the present runs.
#[derive(Clone, Copy, Debug)]
pub struct CoverageContext<'a> {
    /// Where finished runs were before.
    pub trail: &'a Trail,
    /// All pins; those of other targets are only counted.
    pub pins: &'a [Pin],
    /// The pin that is selected, by number.
    pub selected: Option<usize>,
    /// Whether removed pins can be restored.
    pub restorable: bool,
}

impl<'a> PlotContext<'a> {
    /// The run whose stages and cycles are marked.
    #[must_use]
    pub fn focus(&self) -> Option<usize> {
        steps::focus(self.frame, self.runs)
    }

    /// The axis of plots of the runs, on a logarithmic scale or not.
    pub(super) fn axis(&self, log: bool) -> TimeAxis {
        TimeAxis::of(self.frame, self.options.counts(self.frame), log)
    }

    /// The input of a plot over time.
    pub(super) fn steps(&self, log: bool) -> StepsInput<'a> {
        self.along(self.axis(log))
    }

    /// The same of the plot that can have seconds.
    pub(super) fn steps_or_seconds(&self, log: bool) -> StepsInput<'a> {
        self.along(TimeAxis::of(self.frame, self.options.counts_or_seconds(self.frame), log))
    }

    fn along(&self, axis: TimeAxis) -> StepsInput<'a> {
        StepsInput {
            frame: self.frame,
            runs: self.runs,
            focus: self.focus(),
            range: self.range.clone().unwrap_or_else(|| axis.whole(self.frame)),
            axis,
            truth: self.exact(),
        }
    }

    /// Whether data can be changed on the plot.
    pub(super) fn data_editing(&self) -> Editing {
        match self.edited {
            None => Editing::Off,
            Some(edited) if edited.has_targets_of(&self.frame.scenario) => Editing::On,
            Some(_) => Editing::Waits,
        }
    }

    /// Whether the truth is shown and known exactly.
    pub(super) fn exact(&self) -> bool {
        self.truth && self.frame.truth.is_known()
    }
}
