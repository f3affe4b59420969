//! Input of the plot tabs: the frame, and what several plots share or the window keeps for them.

use std::ops::Range;

use crate::plots::coverage::Trail;
use crate::plots::coverage::pin::Pin;
use crate::plots::path::PathChoice;
use crate::plots::pointing::Pointed;
use crate::plots::steps::{self, StepsInput};
use crate::plots::sweep::Part;
use crate::plots::time_axis::TimeAxis;
use crate::plots::{Computing, Editing};
use crate::scene::{CellCloud, Loss, MapQuantity, Relevance, TopicsQuantity, WeightPicture};
use crate::study_choice::StudyChoice;
use base::params::Value;
use engine::scenario::view::{Axis, CANVASES};
use engine::scenario::{Scenario, sweep_measures};
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
    /// What the pointer is at.
    pub pointed: &'a Pointed,
    /// The line of the path plot that is chosen.
    pub path: &'a PathChoice,
    /// The earlier runs and the pins of the coverage plot.
    pub coverage: CoverageContext<'a>,
}

/// Options of single plots, which a scenario file may name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlotOptions {
    /// What the axis of plots over time counts, where a person or a file has chosen it.
    pub axis: Option<Axis>,
    /// Whether step sizes are on a logarithmic axis.
    pub log: bool,
    /// Whether the first steps have more room: steps on a logarithmic axis, where a plot has the choice.
    pub log_steps: bool,
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
    /// What the Held-out tab shows.
    pub curve: TopicsQuantity,
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

impl SweepPictures {
    /// All choices.
    pub const ALL: [Self; 3] = [Self::Map, Self::Front, Self::Both];

    /// Its word in a file.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Front => "front",
            Self::Both => "both",
        }
    }
}

impl Default for PlotOptions {
    fn default() -> Self {
        Self {
            axis: None,
            log: false,
            log_steps: true,
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
            curve: TopicsQuantity::default(),
            sweep: SweepOptions::default(),
        }
    }
}

impl PlotOptions {
    /// Chooses what a file says of maps, weights and topics; other options stay as they are.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole numbers in their ranges")]
    pub(super) fn set(&mut self, key: &str, value: &Value) {
        match (key, value) {
            ("quantity", Value::Choice(name)) => self.quantity = MapQuantity::named(name).unwrap_or_default(),
            ("picture", Value::Choice(name)) => self.picture = WeightPicture::named(name).unwrap_or_default(),
            ("beside", Value::Choice(name)) => self.beside = WeightPicture::named(name),
            ("threshold", Value::Number(threshold)) => self.threshold = Some(*threshold),
            ("surface", Value::Choice(name)) => self.surface = Loss::named(name).unwrap_or_default(),
            ("direction", Value::Number(number)) => self.direction = *number as u64,
            ("relevance", Value::Number(weight)) => self.relevance = Relevance::of(*weight),
            ("chain", Value::Number(chain)) => self.chain = from_one(*chain),
            ("align", Value::Flag(on)) => self.aligned = *on,
            ("sweep", Value::Choice(name)) => {
                self.sweep.pictures =
                    SweepPictures::ALL.into_iter().find(|shown| shown.key() == *name).unwrap_or_default();
            }
            ("shown", Value::Text(key)) => {
                self.sweep.measure = sweep_measures().map(|spec| spec.key).find(|known| known == key);
            }
            ("part", Value::Choice(name)) => self.sweep.part = Part::named(name).unwrap_or_default(),
            ("curve", Value::Choice(name)) => self.curve = TopicsQuantity::named(name).unwrap_or_default(),
            _ => {}
        }
    }

    /// What a file says of maps, weights and topics; `None` for other options, and for a threshold that is that of the target.
    #[expect(clippy::cast_precision_loss, reason = "numbers of directions and chains are far below 2⁵³")]
    #[must_use]
    pub(super) fn value(&self, key: &str) -> Option<Value> {
        Some(match key {
            "quantity" => Value::Choice(self.quantity.key()),
            "picture" => Value::Choice(self.picture.key()),
            "beside" => Value::Choice(self.beside.map_or(CANVASES, WeightPicture::key)),
            "threshold" => Value::Number(self.threshold?),
            "surface" => Value::Choice(self.surface.key()),
            "direction" => Value::Number(self.direction as f64),
            "relevance" => Value::Number(self.relevance.weight()),
            "chain" => Value::Number(self.chain as f64 + 1.0),
            "align" => Value::Flag(self.aligned),
            "curve" => Value::Choice(self.curve.key()),
            "sweep" => Value::Choice(self.sweep.pictures.key()),
            "shown" => Value::Text(self.sweep.measure?.to_owned()),
            "part" => Value::Choice(self.sweep.part.key()),
            _ => return None,
        })
    }

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

/// The number of a chain from 0, which files count from 1.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number from 1")]
fn from_one(chain: f64) -> usize {
    (chain.max(1.0) as usize) - 1
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
