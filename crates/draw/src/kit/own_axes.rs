//! What a figure says of single axes: names, limits and ticks.
//!
//! The numbers of a figure are those of its ticks. Which axes are logarithmic is known where they are drawn; [`limited`] reads
//! it of the frame before, in the memory of the context.

use std::cmp::Reverse;

use egui::{Id, Rect, Ui, pos2};
use egui_plot::{GridInput, GridMark, PlotUi};

use super::axis_spec::{AxisSpec, Ticks, place_of, round_step, value_at};
use super::{given_up, shortened, told, written};
use crate::theme::Theme;
use crate::words::{markup, numbers};
use engine::scenario::figures::OwnAxis;

/// What a figure says of an axis of the panel that is drawn: 0 for the horizontal one, 1 for the vertical one.
pub fn own(theme: &Theme, axis: usize) -> Option<&OwnAxis> {
    theme.look.panel.as_ref().map(|panel| &panel.axes[axis])
}

/// The name of an axis in markup: that of the figure, or that of the plot, with the unit of the figure. An axis without a name has none.
pub fn name(theme: &Theme, label: &str, axis: usize) -> String {
    // Names of canvases of a figure have markup, others are shown as they are.
    let known = theme.look.axes.iter().any(|own| own.as_deref() == Some(label));
    let label = if known { label.to_owned() } else { markup::escaped(label) };
    let Some(own) = own(theme, axis).filter(|_| !label.is_empty()) else { return label };
    let name = own.name.clone().unwrap_or(label);
    with_unit(&name, own.unit.as_deref())
}

/// A name with the unit of its axis, in markup.
pub fn with_unit(name: &str, unit: Option<&str>) -> String {
    unit.map_or_else(|| name.to_owned(), |unit| format!("{name} ({unit})"))
}

/// The beginning and the end of a name that have space within a length, with the unit after it; empty where not even some letters have.
pub fn short_name(ui: &Ui, theme: &Theme, (name, unit): (&str, Option<&str>), length: f32) -> String {
    /// Letters of a name that say something.
    const FEWEST: usize = 12;
    let wide = |text: &str| written::galley(ui, text, &theme.body(), theme.soft).size().x;
    let beside = unit.map_or(0.0, |unit| wide(&with_unit("", Some(unit))));
    let short = shortened::shortened(ui, &markup::plain(name), &theme.body(), length - beside - 1.0);
    if short.chars().count() < FEWEST { String::new() } else { markup::escaped(&short) }
}

/// The vertical axis of a panel; none where the one at its left has it.
pub fn unless_shared<'a>(theme: &Theme, axis: AxisSpec<'a>) -> AxisSpec<'a> {
    let shares = theme.look.panel.as_ref().is_some_and(|panel| panel.shares);
    if shares { AxisSpec { label: "", ticks: Ticks::None, ..axis } } else { axis }
}

/// Whether the panel below has the horizontal axis of the one that is drawn.
pub fn is_below(theme: &Theme) -> bool {
    theme.look.panel.as_ref().is_some_and(|panel| panel.below)
}

/// The width of the vertical axis of a panel at least: what it had before, beside other canvases or above and below other plots.
pub fn least_width(theme: &Theme) -> f32 {
    theme.look.panel.as_ref().filter(|panel| !panel.shares).and_then(|panel| panel.beside).map_or(0.0, |[left, _]| left)
}

/// The ticks that a figure gives an axis, as places along it, if it gives some: those whose labels do not touch, the ends first. Letters have
/// a size in the least distance of lines.
pub fn marks(own: &OwnAxis, (axis, ticks): (usize, Ticks), input: &GridInput, letters: f64) -> Option<Vec<GridMark>> {
    /// Distance of labels below each other, width of a letter, and gap between labels side by side, in sizes of letters.
    const BELOW: f64 = 1.0;
    const LETTER: f64 = 0.55;
    const GAP: f64 = 0.5;
    let (min, max) = input.bounds;
    let place = |value: f64| place_of(value, ticks == Ticks::Log);
    let beyond = 1e-9 * (max - min);
    let inside = |value: &f64| (min - beyond..=max + beyond).contains(value);
    if !own.ticks.is_empty() {
        let size = letters * input.base_step_size;
        let mut all: Vec<(f64, f64)> = own
            .ticks
            .iter()
            .map(|tick| (place(tick.0), tick_length(tick) as f64))
            .filter(|(at, _)| inside(at))
            .collect();
        all.sort_by(|one, other| one.0.total_cmp(&other.0));
        let ends = [0, all.len().saturating_sub(1)];
        let order = ends.into_iter().chain(1..ends[1]);
        let mut kept: Vec<(f64, f64)> = Vec::new();
        for (at, length) in order.filter_map(|number| all.get(number)) {
            let need = |other: &f64| if axis == 1 { BELOW } else { GAP + 0.5 * LETTER * (length + other) };
            if kept.iter().all(|(other, wide)| (other - at).abs() >= size * need(wide)) {
                kept.push((*at, *length));
            }
        }
        // So far apart, none is too close for egui_plot.
        let mark = |(value, _): (f64, f64)| GridMark { value, step_size: 1e3 * (max - min) };
        return Some(kept.into_iter().map(mark).collect());
    }
    let step_of = |count: u32| {
        let apart = (max - min) / f64::from(count);
        match ticks {
            Ticks::Log => apart.ceil().max(1.0),
            Ticks::Whole => nearest_step(apart).max(1.0),
            Ticks::None | Ticks::Linear | Ticks::Density => nearest_step(apart),
        }
    };
    // Fewer where so many have no space.
    let least = input.base_step_size;
    let steps = (1..=own.count.filter(|_| ticks != Ticks::None)?).rev().map(step_of);
    let step = steps.into_iter().find(|step| *step >= apart_at_least(axis, least))?;
    let first = (min / step - 1e-9).ceil();
    let values = (0..100_u8).map(|number| (first + f64::from(number)) * step).take_while(|value| inside(value));
    let values: Vec<f64> = values.filter(|value| ticks != Ticks::Density || *value >= 0.0).collect();
    let mark = |value| GridMark { value, step_size: step.max(IN_SIGHT * least) };
    (values.len() >= 2).then(|| values.into_iter().map(mark).collect())
}

/// The distance of ticks with labels at least, for a least distance of lines in sight: those of a vertical axis may be nearer.
fn apart_at_least(axis: usize, least: f64) -> f64 {
    if axis == 1 { 0.55 * least } else { 1.1 * least }
}

/// The step of ticks, in least distances of lines, from which they and their labels are in sight.
const IN_SIGHT: f64 = 1.02;

/// Ticks on an axis of a panel at least.
const FEWEST: usize = 2;

/// The part of an axis at its lower end whose labels would touch those of the other axis, where they are left out.
pub const CORNER: f64 = 0.04;

/// Those ticks that have a label.
fn labelled(marks: &[GridMark], corner: bool, (min, max): (f64, f64)) -> usize {
    marks.iter().filter(|mark| corner || mark.value - min >= CORNER * (max - min)).count()
}

/// The ticks of an axis of a panel: those found, or two round numbers far apart where fewer would have a label. `least` is the distance of
/// lines that is in sight, which labels of a vertical axis can be nearer than.
pub fn at_least_two(
    found: Vec<GridMark>,
    (axis, spec): (usize, AxisSpec<'_>),
    bounds: (f64, f64),
    least: f64,
) -> Vec<GridMark> {
    /// How many times the step becomes finer, at most.
    const FINER: usize = 8;
    if labelled(&found, spec.corner, bounds) >= FEWEST || spec.ticks == Ticks::None {
        return found;
    }
    let log = spec.ticks == Ticks::Log;
    let apart = apart_at_least(axis, least);
    let (min, max) = bounds;
    let from = if spec.corner { min } else { min + CORNER * (max - min) };
    let [low, high] = [from, max].map(|at| value_at(at, log));
    let place = |value: f64| place_of(value, log);
    let coarse = round_step(high - low);
    let steps = std::iter::successors(Some(coarse), |step| Some(round_step(0.4 * step))).take(FINER);
    let steps = steps.filter(|step| step.is_finite() && *step > 0.0 && (spec.ticks != Ticks::Whole || *step >= 1.0));
    let ends = |step: f64| [(low / step - 1e-9).ceil() * step, (high / step + 1e-9).floor() * step].map(place);
    let pair = steps.map(ends).find(|[first, last]| last - first >= apart && first.is_finite());
    // Labels nearer than lines in sight are shown as well.
    let mark = |value: f64, distance: f64| GridMark { value, step_size: distance.max(IN_SIGHT * least) };
    pair.map_or(found, |[first, last]| [first, last].map(|value| mark(value, last - first)).to_vec())
}

/// Tells the range of an axis of a panel that has no two labelled ticks.
pub fn tell_range(ui: &Ui, theme: &Theme, (axis, spec): (usize, AxisSpec<'_>), bounds: (f64, f64), marks: &[GridMark]) {
    let Some(panel) = theme.look.panel.as_ref().filter(|_| spec.ticks != Ticks::None) else { return };
    if labelled(marks, spec.corner, bounds) >= FEWEST || !theme.labels.whole {
        return;
    }
    let value = |at: f64| numbers::significant(value_at(at, spec.ticks == Ticks::Log), 3);
    let (direction, [low, high]) = (DIRECTIONS[axis], [bounds.0, bounds.1].map(value));
    let panel = panel_words(panel.number);
    told::warn(ui, format!("{panel} has no space for two ticks along its {direction} axis, from {low} to {high}"));
}

/// Tells which ticks that a figure gives an axis of a panel are not among those found.
pub fn tell_ticks(ui: &Ui, theme: &Theme, (axis, ticks): (usize, Ticks), found: &[GridMark]) {
    let Some(panel) = theme.look.panel.as_ref().filter(|_| ticks != Ticks::None && theme.labels.whole) else { return };
    let is_there = |value: f64| found.iter().any(|mark| mark.value.to_bits() == value.to_bits());
    let missing = panel.axes[axis].ticks.iter().filter(|tick| !is_there(place_of(tick.0, ticks == Ticks::Log)));
    let missing: Vec<String> = missing.map(tick_words).collect();
    if !missing.is_empty() {
        let (panel, direction) = (panel_words(panel.number), DIRECTIONS[axis]);
        let tick = if missing.len() == 1 { "tick" } else { "ticks" };
        told::warn(ui, format!("{panel} has no place for the {tick} {} of its {direction} axis", missing.join(", ")));
    }
}

/// The name of the length that a panel's own name of an axis has at most, among what egui keeps from frame to frame.
fn length_of_name(panel: usize, axis: usize) -> Id {
    Id::unique(("length of the name of an axis", panel, axis))
}

/// The length that a panel's own name of an axis has at most, once it was longer than its axis.
pub fn known_length(ui: &Ui, panel: usize, axis: usize) -> Option<f32> {
    given_up::known::<Reverse<f32>>(ui, length_of_name(panel, axis)).map(|Reverse(length)| length)
}

/// Notes that the name which a figure gives an axis of the panel that is drawn has this length at most. Returns whether the figure gives it one.
pub fn shorten(ui: &Ui, theme: &Theme, (axis, label): (usize, &str), length: f32) -> bool {
    let Some(panel) = &theme.look.panel else { return false };
    let is_own = panel.axes[axis].name.as_ref().is_some_and(|name| !name.is_empty())
        || theme.look.axes[axis].as_deref() == Some(label);
    if is_own {
        given_up::give_up(ui, length_of_name(panel.number, axis), Reverse(length.max(0.0)));
    }
    is_own
}

/// Tells that the name which a figure gives an axis of a panel is shortened.
pub fn tell_short_name(ui: &Ui, panel: usize, axis: usize, name: &str) {
    let (panel, direction) = (panel_words(panel), DIRECTIONS[axis]);
    told::warn(ui, format!("{panel} has no space for the whole name of its {direction} axis: {}", markup::plain(name)));
}

/// Tells that the name which a figure gives an axis of a panel is left out.
pub fn tell_name(ui: &Ui, panel: usize, axis: usize, name: &str) {
    told::warn(ui, no_space(&panel_words(panel), DIRECTIONS[axis], &markup::plain(name)));
}

/// That an axis has no name, since there is no space for it.
pub fn no_space(plot: &str, direction: &str, name: &str) -> String {
    format!("{plot} has no space for the name of its {direction} axis: {name}")
}

/// The axes in words.
pub const DIRECTIONS: [&str; 2] = ["horizontal", "vertical"];

/// What a plot showed in the last frame, as far as it is known.
pub fn bounds_of(ui: &Ui, plot: Id) -> Option<[(f64, f64); 2]> {
    let shown = ui.data(|data| data.get_temp::<Shown>(memory(plot)))?;
    Some([0, 1].map(|axis| (shown.min[axis], shown.max[axis])))
}

/// 1, 2 or 5 times a power of ten, the nearest by ratio.
fn nearest_step(step: f64) -> f64 {
    let above = round_step(step);
    let below = round_step(0.39 * above);
    if above / step < step / below { above } else { below }
}

/// The words in markup of a tick that a figure names, if plain text does not show them.
fn set_words(own: Option<&OwnAxis>, ticks: Ticks, value: f64) -> Option<&str> {
    let near = |tick: &&(f64, Option<String>)| {
        (place_of(tick.0, ticks == Ticks::Log) - value).abs() <= 1e-9 * value.abs().max(1e-9)
    };
    own?.ticks.iter().find(near)?.1.as_deref().filter(|words| !markup::is_plain(words))
}

/// Sets the names of ticks that plain text does not show beside a plot, where egui_plot leaves them out.
pub fn set_ticks(
    ui: &Ui,
    theme: &Theme,
    plot: Rect,
    (axis, ticks): (usize, Ticks),
    (bounds, found): ((f64, f64), &[GridMark]),
) {
    /// The gap beside a vertical axis, that of egui_plot.
    const GAP: f32 = 4.0;
    for mark in found {
        let Some(words) = set_words(own(theme, axis), ticks, mark.value) else { continue };
        let galley = written::galley(ui, words, &theme.small(), theme.faint);
        let share = ((mark.value - bounds.0) / (bounds.1 - bounds.0)) as f32;
        let at = if axis == 1 {
            let middle = plot.bottom() - share * plot.height();
            pos2(plot.left() - GAP - galley.size().x, middle - 0.5 * galley.size().y)
        } else {
            pos2(plot.left() + share * plot.width() - 0.5 * galley.size().x, plot.bottom())
        };
        ui.painter().galley(at, galley, theme.faint);
    }
}

/// What a tick of a figure is called, if not by its number; nothing where [`set_ticks`] sets it.
pub fn words(own: Option<&OwnAxis>, ticks: Ticks, value: f64) -> Option<String> {
    let place = |value: f64| place_of(value, ticks == Ticks::Log);
    let near = |tick: &&(f64, Option<String>)| (place(tick.0) - value).abs() <= 1e-9 * value.abs().max(1e-9);
    if set_words(own, ticks, value).is_some() {
        return Some(String::new());
    }
    let (value, words) = own?.ticks.iter().find(near)?;
    // A number stands as it was written.
    let number = || (ticks != Ticks::Log).then(|| numbers::exact(*value));
    words.as_deref().map(markup::plain).or_else(number)
}

/// A tick of a figure in words.
fn tick_words((value, words): &(f64, Option<String>)) -> String {
    words.as_deref().map_or_else(|| numbers::exact(*value), markup::plain)
}

fn tick_length(tick: &(f64, Option<String>)) -> usize {
    tick_words(tick).chars().count()
}

/// The most characters that a figure's own ticks have.
pub fn longest_tick(own: Option<&OwnAxis>) -> usize {
    own.map_or(0, |own| own.ticks.iter().map(tick_length).max().unwrap_or(0))
}

/// A panel in a sentence: its letter as in the figure where it is one of few.
pub fn panel_words(panel: usize) -> String {
    format!("Panel {}", panel + 1)
}

/// The panel that is drawn, in a sentence; `None` in a figure without panels.
pub fn panel_of(theme: &Theme) -> Option<String> {
    theme.look.panel.as_ref().map(|panel| panel_words(panel.number))
}

/// What a plot showed in the frame before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// The values at its lower left corner; of a logarithmic axis their logarithms to base 10.
    pub min: [f64; 2],
    /// Those at its upper right corner.
    pub max: [f64; 2],
    /// Which axes are logarithmic.
    pub log: [bool; 2],
}

/// Where what a plot showed is kept.
pub fn memory(plot: Id) -> Id {
    plot.with("what a plot shows")
}

/// The part of the plane that a plot shows, with the limits of a figure in the place of its own.
pub fn limited(plot_ui: &PlotUi<'_>, theme: &Theme, min: [f64; 2], max: [f64; 2]) -> ([f64; 2], [f64; 2]) {
    if theme.look.panel.is_none() {
        return (min, max);
    }
    let id = memory(plot_ui.response().id);
    let log = plot_ui.ctx().data(|data| data.get_temp::<Shown>(id)).map_or([false; 2], |shown| shown.log);
    let (mut low, mut high) = (min, max);
    for axis in 0..2 {
        if let Some([from, to]) = own(theme, axis).and_then(|own| own.limits) {
            let [from, to] = [from, to].map(|value| place_of(value, log[axis]));
            if from.is_finite() && to.is_finite() {
                (low[axis], high[axis]) = (from, to);
            }
        }
    }
    plot_ui.ctx().data_mut(|data| data.insert_temp(id, Shown { min: low, max: high, log }));
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(bounds: (f64, f64)) -> GridInput {
        GridInput { bounds, base_step_size: 0.1 }
    }

    fn values(own: &OwnAxis, ticks: Ticks, bounds: (f64, f64)) -> Vec<f64> {
        marks(own, (1, ticks), &input(bounds), 1.0)
            .map_or(Vec::new(), |marks| marks.iter().map(|mark| mark.value).collect())
    }

    #[test]
    fn own_ticks_are_where_the_figure_says() {
        let own = OwnAxis { ticks: vec![(0.1, None), (10.0, Some("ten".into())), (1e6, None)], ..OwnAxis::default() };
        assert_eq!(values(&own, Ticks::Log, (-2.0, 2.0)), [-1.0, 1.0]);
        assert_eq!(words(Some(&own), Ticks::Log, 1.0).as_deref(), Some("ten"));
        assert_eq!(values(&own, Ticks::Linear, (0.0, 20.0)), [0.1, 10.0]);
        assert_eq!(words(Some(&own), Ticks::Log, -1.0), None);
        assert_eq!(words(Some(&own), Ticks::Linear, 0.1).as_deref(), Some("0.1"));
        let own = OwnAxis { ticks: vec![(0.25, None), (1.0, Some(r"\alpha_0/2".into()))], ..own };
        assert_eq!(words(Some(&own), Ticks::Linear, 1.0).as_deref(), Some("α₀/2"));
        assert_eq!(longest_tick(Some(&own)), 4);
        // What plain text does not show is set beside the plot.
        let own = OwnAxis { ticks: vec![(0.5, Some(r"\alpha_{min}".into()))], ..own };
        assert_eq!(words(Some(&own), Ticks::Linear, 0.5).as_deref(), Some(""));
        assert_eq!(set_words(Some(&own), Ticks::Linear, 0.5), Some(r"\alpha_{min}"));
    }

    /// Of ticks that would touch, those in the middle are left out.
    #[test]
    fn labels_of_own_ticks_do_not_touch() {
        let own = OwnAxis { ticks: vec![(0.0, None), (1.0, None), (1.05, None), (2.0, None)], ..OwnAxis::default() };
        assert_eq!(values(&own, Ticks::Linear, (0.0, 2.0)), [0.0, 2.0, 1.0]);
        let wide = OwnAxis { ticks: vec![(0.0, Some("nothing".into())), (0.3, Some("some".into()))], ..own };
        let along = |axis| marks(&wide, (axis, Ticks::Linear), &input((0.0, 2.0)), 1.0).unwrap().len();
        assert_eq!([along(0), along(1)], [1, 2]);
    }

    #[test]
    fn about_as_many_ticks_as_asked_for_are_at_round_numbers() {
        for (count, bounds) in [(2, (0.0, 1.0)), (5, (-3.7, 8.1)), (10, (0.0, 977.0)), (4, (0.01, 0.0173))] {
            let own = OwnAxis { count: Some(count), ..OwnAxis::default() };
            let fine = GridInput { bounds, base_step_size: 0.02 * (bounds.1 - bounds.0) };
            let found = marks(&own, (1, Ticks::Linear), &fine, 1.0).unwrap();
            let found: Vec<f64> = found.iter().map(|mark| mark.value).collect();
            let ratio = found.len() as f64 / f64::from(count);
            assert!((0.5..=2.0).contains(&ratio), "{count} in {bounds:?}: {found:?}");
            let step = found[1] - found[0];
            assert!((step / nearest_step(step) - 1.0).abs() < 1e-9, "{found:?}");
        }
    }

    /// A low plot has fewer ticks than asked for, and all that it has are in sight.
    #[test]
    fn ticks_are_as_many_as_have_space() {
        for count in 2..=20 {
            let own = OwnAxis { count: Some(count), ..OwnAxis::default() };
            let low = GridInput { bounds: (0.0, 0.1), base_step_size: 0.05 };
            let found = marks(&own, (1, Ticks::Linear), &low, 1.0).unwrap();
            assert!(found.len() >= 2 && found[1].value - found[0].value >= 0.0275, "{count}: {found:?}");
            assert!(found.iter().all(|mark| mark.step_size > low.base_step_size), "{count}");
        }
    }
}
