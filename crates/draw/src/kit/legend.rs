//! Entries of legends, a sample of each line or arrow and its name; and legends in the line above a plot.

use egui::{Color32, Pos2, Rect, Sense, Shape, Stroke, Ui, vec2};

use super::shades::viridis;
use super::{arrow, run_marker, terms, told};
use crate::geometry::Part;
use crate::theme::{RunStyle, Theme};
use crate::words::markup;
use base::math::Point;
use engine::session::RunFrame;
use samplers::methods::{Interaction, Phase, StepRecord};

/// Width of a sample, in units of the theme.
pub(super) const SAMPLE: f32 = 9.0;

/// The sign before a warning.
pub(crate) const WARNING_SIGN: &str = "⚠";

/// Sample before the text of a legend entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sample {
    /// A line of a colour and width, dashed or full.
    Line(Color32, f32, Option<[f32; 2]>),
    /// A band of a colour.
    Band(Color32),
    /// The shades of a map or a matrix, from its lowest to its highest value.
    Shades,
    /// A round dot of a colour.
    Dot(Color32),
    /// A circle, a square frame and a cross of a colour.
    Ring(Color32),
    Frame(Color32),
    Cross(Color32),
    /// The marker of a class.
    Marker(RunStyle),
    /// The marker of a run on a sample of its line.
    Run(RunStyle),
    /// The arrow of a part of a step.
    Arrow(Part),
    /// A proposal that was accepted, or not.
    Proposal(bool),
    /// The path of a method that integrates one (HMC).
    Path,
    /// The markers of doublings, of which there are any number.
    Doublings,
    /// Replicas at several temperatures.
    Replicas,
    /// Two replicas that have exchanged their places.
    Exchange,
    /// No sample: the entry is a remark.
    None,
    /// No sample: the entry is a warning.
    Warning,
}

impl Sample {
    /// Whether there is nothing to see before the text.
    #[must_use]
    pub fn is_text(self) -> bool {
        matches!(self, Self::None | Self::Warning)
    }
}

/// A line of a legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The sample.
    pub sample: Sample,
    /// The text.
    pub text: String,
    /// Whether the text has the markup of names.
    pub markup: bool,
}

impl Entry {
    /// An entry with a sample and a text.
    pub fn new(sample: Sample, text: impl Into<String>) -> Self {
        Self { sample, text: text.into(), markup: false }
    }

    /// The text as markup of names, whichever it is.
    pub(super) fn shown(&self) -> String {
        if self.markup { self.text.clone() } else { markup::escaped(&self.text) }
    }

    /// The same with a text in the markup of names.
    pub fn named(sample: Sample, text: impl Into<String>) -> Self {
        Self { markup: true, ..Self::new(sample, text) }
    }
}

/// Shows a legend across the width there is, in as many lines as it needs.
pub fn line(ui: &mut Ui, theme: &Theme, entries: &[Entry]) {
    if !theme.labels.legends {
        return;
    }
    let available = ui.available_width();
    let row = theme.text.small * 1.3 + theme.space(0.5);
    let mut at = vec2(0.0, 0.0);
    let mut laid = Vec::new();
    for entry in entries {
        let galley = ui.painter().layout_no_wrap(entry.text.clone(), theme.small(), ink(theme, entry));
        let indent = width(theme, entry);
        if theme.labels.whole && indent + galley.size().x > available {
            told::warn(ui, format!("There is no space for \"{}\" in the legend", entry.text));
            continue;
        }
        if at.x > 0.0 && at.x + indent + galley.size().x > available {
            at = vec2(0.0, at.y + row);
        }
        laid.push((at, indent, galley.clone(), entry));
        at.x += indent + galley.size().x + theme.space(3.0);
    }
    let (rect, _) = ui.allocate_exact_size(vec2(available, at.y + row), Sense::hover());
    let mut shapes = Vec::new();
    for (at, indent, galley, entry) in laid {
        let what = entry.sample;
        let from = rect.min + at;
        let whole = Rect::from_min_size(from, vec2(indent + galley.size().x, row));
        terms::painted(ui, theme, (whole, ("legend", &entry.text)), &entry.text, otherwise(what));
        sample(&mut shapes, theme, what, from + vec2(0.0, 0.5 * galley.size().y));
        ui.painter().galley(from + vec2(indent, 0.0), galley, theme.soft);
    }
    ui.painter().extend(shapes);
}

/// The colour of the text of an entry in a line.
pub fn ink(theme: &Theme, entry: &Entry) -> Color32 {
    if entry.sample == Sample::Warning { theme.warning } else { theme.soft }
}

/// The same over a plot, where names stand out from remarks.
pub(super) fn ink_over_plot(theme: &Theme, entry: &Entry) -> Color32 {
    if entry.sample.is_text() { ink(theme, entry) } else { theme.ink }
}

/// Width of a sample and its gap in a line of text.
pub fn width(theme: &Theme, entry: &Entry) -> f32 {
    if entry.sample.is_text() { 0.0 } else { theme.space(SAMPLE + 1.5) }
}

/// Adds a sample to a line of text.
pub fn show(ui: &mut Ui, theme: &Theme, what: Sample) {
    let (rect, _) = ui.allocate_exact_size(vec2(theme.space(SAMPLE), theme.text.small), Sense::hover());
    let mut shapes = Vec::new();
    sample(&mut shapes, theme, what, rect.left_center());
    ui.painter().extend(shapes);
}

/// How many shades a sample of them has.
const SHADES: usize = 12;

/// Shapes of a sample with its left end at `from`.
pub(super) fn sample(shapes: &mut Vec<Shape>, theme: &Theme, sample: Sample, from: Pos2) {
    let to = from + vec2(theme.space(SAMPLE), 0.0);
    match sample {
        Sample::Line(colour, width, dashes) => {
            arrow::dashed(shapes, [from, to], Stroke::new(width, colour), dashes);
        }
        Sample::Band(colour) => {
            let height = vec2(0.0, 0.35 * theme.text.small);
            shapes.push(Shape::rect_filled(Rect::from_min_max(from - height, to + height), 0.0, colour));
        }
        Sample::Shades => {
            let height = vec2(0.0, 0.35 * theme.text.small);
            let at = |step: usize| from.lerp(to, step as f32 / SHADES as f32);
            shapes.extend((0..SHADES).map(|step| {
                let rect = Rect::from_min_max(at(step) - height, at(step + 1) + height);
                Shape::rect_filled(rect, 0.0, viridis((step as f64 + 0.5) / SHADES as f64))
            }));
        }
        Sample::Dot(colour) => shapes.push(Shape::circle_filled(from.lerp(to, 0.5), theme.space(1.0), colour)),
        Sample::Ring(colour) => {
            let (radius, stroke) = (0.3 * theme.text.small, Stroke::new(theme.thin(), colour));
            shapes.push(Shape::circle_stroke(from.lerp(to, 0.5), radius, stroke));
        }
        Sample::Frame(colour) | Sample::Cross(colour) => {
            let rect = Rect::from_center_size(from.lerp(to, 0.5), egui::Vec2::splat(0.55 * theme.text.small));
            let stroke = Stroke::new(theme.line(), colour);
            if matches!(sample, Sample::Frame(_)) {
                shapes.push(Shape::rect_stroke(rect, 0.0, stroke, egui::StrokeKind::Middle));
            } else {
                shapes.push(Shape::line_segment([rect.left_top(), rect.right_bottom()], stroke));
                shapes.push(Shape::line_segment([rect.right_top(), rect.left_bottom()], stroke));
            }
        }
        Sample::Marker(style) => {
            let mut found = run_marker::shapes(from.lerp(to, 0.5), 0.42 * theme.text.small, style);
            shapes.append(&mut found);
        }
        Sample::Run(style) => {
            shapes.append(&mut run_marker::on_line(theme, [from, to], 0.42 * theme.text.small, style));
        }
        Sample::Arrow(part) => arrow::arrow(shapes, theme, part, from, to),
        Sample::Proposal(accepted) => {
            let at = to - vec2(theme.space(1.75), 0.0);
            arrow::proposal(shapes, theme, accepted, Some(from), at);
        }
        Sample::Path => {
            let point = |share: f32| from + vec2(share * (to.x - from.x), 0.0);
            arrow::path(shapes, theme, &[0.0, 0.33, 0.67, 1.0].map(point));
        }
        Sample::Doublings => {
            for (number, share) in [0.15, 0.5, 0.85].into_iter().enumerate() {
                shapes.extend(run_marker::shapes(from.lerp(to, share), 0.3 * theme.text.small, theme.class(number)));
            }
        }
        Sample::Replicas => {
            for share in [0.0, 0.5, 1.0] {
                arrow::replica(shapes, theme, share, from.lerp(to, 0.1 + 0.75 * share));
            }
        }
        Sample::Exchange => {
            let below = vec2(0.0, 0.15 * theme.text.small);
            arrow::exchange(shapes, theme, [to + below, from + below]);
        }
        Sample::None | Sample::Warning => {}
    }
}

/// The term of what a sample shows, for entries whose text has none.
#[must_use]
pub fn otherwise(sample: Sample) -> &'static str {
    match sample {
        Sample::Arrow(part) => part_name(part, Interaction::None),
        Sample::Proposal(_) => "proposal",
        Sample::Path => "leapfrog path",
        Sample::Doublings => "doubling",
        Sample::Replicas => "replica",
        Sample::Exchange => "exchange of replicas",
        Sample::Band(_) => "interval",
        Sample::Line(..)
        | Sample::Shades
        | Sample::Dot(_)
        | Sample::Ring(_)
        | Sample::Frame(_)
        | Sample::Cross(_)
        | Sample::Marker(_)
        | Sample::Run(_)
        | Sample::None
        | Sample::Warning => "",
    }
}

/// Name of a part of the steps of a run. Where nothing but the density is computed, noise is no part beside a drift: it is the proposal. Where it
/// begins a path along gradients, and nothing is carried from the step before, it is the momentum of that path. Where coordinates are drawn one after
/// the other, it is the draw that comes first.
#[must_use]
pub fn part_of_run(part: Part, run: &RunFrame) -> &'static str {
    let by_density = run.density_evaluations > 0.0 && run.gradient_evaluations <= 0.0;
    let pushes = |record: &StepRecord| record.path.len() > 1 && record.carried == Point::zeros();
    let draws = |record: &StepRecord| record.path.len() > 1 && !record.follows_momentum();
    let moved_by = run.records.iter().find_map(|record| record.moved_by);
    match part {
        Part::Drift if moved_by == Some(Phase::Move) => "move of the chain",
        // Before there is a fit, a walk follows its gradients.
        Part::Drift if moved_by.is_some_and(|phase| phase != Phase::Gradient) => "move of the mean",
        Part::InjectedNoise if run.records.iter().any(draws) => "draw of the first coordinate",
        Part::InjectedNoise if by_density => "random proposal",
        Part::InjectedNoise if run.gradient_evaluations > 0.0 && run.records.iter().any(pushes) => "momentum",
        _ => part_name(part, run.plan.interaction()),
    }
}

/// Name of a part of a step: what is momentum elsewhere comes from other chains where chains depend on each other.
#[must_use]
pub fn part_name(part: Part, interaction: Interaction) -> &'static str {
    match (part, interaction) {
        (Part::Carried, Interaction::None) => "momentum",
        (Part::Carried, Interaction::Archive) => "difference of past positions",
        (Part::Carried, Interaction::Particles) => "push of the others",
        (Part::Drift, Interaction::Particles) => "pull of the gradients",
        (Part::Drift, _) => "drift",
        (Part::GradientNoise, _) => "gradient noise",
        (Part::InjectedNoise, _) => "injected noise",
    }
}
