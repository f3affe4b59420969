//! Axes of all plots: paper, grid, ticks at round numbers, labels, and no tooltips of egui_plot.

use std::iter::successors;
use std::ops::Range;

use egui::{Color32, Id, Rangef, Rect, Response, RichText, Sense, Ui};
use egui_plot::{AxisHints, GridInput, GridMark, Line, Plot, PlotBounds, PlotPoint, PlotPoints, PlotUi, Text};

pub use super::axis_spec::{AxisSpec, Ticks, round_step};
use super::axis_spec::{FEW_DECADES, place_of, value_at};
use super::passive_items::tell_scale;
use super::tick_text::tick_text;
use super::{on_plots, own_axes, terms, told, written};
use crate::theme::Theme;
use crate::words::markup;
use engine::scenario::figures::OwnAxis;
use figure::vector::{Side, Tag};

/// Height of the space for a plot, in sizes of body text, below which its axes have no labels.
pub const LOW: f32 = 9.0;

/// Height of a panel of a figure, in sizes of body text, below which its horizontal axis has no name.
const LOW_PANEL: f32 = 4.0;

/// The axes of a plot of some height: in a low one, where ticks say more than names, only that of the vertical axis stays, if it is
/// short enough. A panel of a figure has both, as long as there is any space.
pub fn in_height<'a>(ui: &Ui, height: f32, theme: &Theme, [x, y]: [AxisSpec<'a>; 2]) -> [AxisSpec<'a>; 2] {
    /// Width of a character, in sizes of its font, at most.
    const CHARACTER: f32 = 0.62;
    let figure = is_figure(theme);
    let low = if figure { LOW_PANEL } else { LOW };
    if !figure && height >= low * theme.text.body {
        return [x, y];
    }
    let fits = if figure {
        fits_in_height(ui, theme, y.label, height) || shorten_upright(ui, theme, y.label, height)
    } else {
        let name = own_axes::name(theme, y.label, 1);
        CHARACTER * theme.text.body * (name.chars().count() as f32) < height - theme.text.small * 1.3
    };
    let label = if fits { y.label } else { left_out(ui, theme, y.label, 1) };
    let x_label = if !figure {
        ""
    } else if own_axes::is_below(theme) {
        // It is not drawn here.
        x.label
    } else if height >= low * theme.text.body {
        // No wider than the axis, or than the panel with what is left over at the other end.
        that_fits(ui, theme, x.label, y)
    } else {
        left_out(ui, theme, x.label, 0)
    };
    [AxisSpec { label: x_label, ..x }, AxisSpec { label, ..y }]
}

/// Whether axes have their names wherever there is space: in a panel, and on paper.
fn is_figure(theme: &Theme) -> bool {
    theme.look.panel.is_some() || theme.labels.whole
}

/// Whether the name of an upright axis of a figure is no longer than the axis of a plot of some height, with its horizontal axis.
pub fn fits_in_height(ui: &Ui, theme: &Theme, label: &str, height: f32) -> bool {
    let name = own_axes::name(theme, label, 1);
    let length = written::galley(ui, &name, &theme.body(), theme.soft).size().x;
    let named = height >= LOW_PANEL * theme.text.body;
    length < height - below_plot(theme, named)
}

/// Notes that a figure's own name of an upright axis is longer than the axis of a plot of some height: it is shortened in the next frame.
fn shorten_upright(ui: &Ui, theme: &Theme, label: &str, height: f32) -> bool {
    let named = height >= LOW_PANEL * theme.text.body;
    own_axes::shorten(ui, theme, (1, label), height - below_plot(theme, named))
}

/// What the horizontal axis of a figure takes of the height of a plot, with its name or without; nothing where the panel below has it.
fn below_plot(theme: &Theme, named: bool) -> f32 {
    let name = if named { theme.text.body * 1.5 } else { 0.0 };
    if own_axes::is_below(theme) { 0.0 } else { theme.text.small * 1.3 + name }
}

/// Tells that the name of an axis is left out, and returns none.
fn left_out(ui: &Ui, theme: &Theme, label: &str, axis: usize) -> &'static str {
    if !label.is_empty() && theme.labels.axes && theme.labels.whole {
        let plot = own_axes::panel_of(theme).unwrap_or_else(|| "A plot".to_owned());
        let name = markup::plain(&own_axes::name(theme, label, axis));
        let direction = own_axes::DIRECTIONS[axis];
        if !name.is_empty() {
            told::warn(ui, own_axes::no_space(&plot, direction, &name));
            ui.data_mut(|data| data.insert_temp(left_out_name(axis), name));
        }
    }
    ""
}

/// Where the name of an axis waits that is left out: other programs may have space for it.
fn left_out_name(axis: usize) -> Id {
    Id::unique(("name of an axis that is left out", axis))
}

/// The name of a horizontal axis, if it is no longer than the axis of a plot in the space there is beside the axis `y`.
pub fn that_fits<'a>(ui: &Ui, theme: &Theme, label: &'a str, y: AxisSpec<'_>) -> &'a str {
    let name = own_axes::name(theme, label, 0);
    let length = written::galley(ui, &name, &theme.body(), theme.soft).size().x;
    let beside = if y.ticks == Ticks::None { 0.0 } else { width(theme, y) };
    let space = ui.available_width() - beside - theme.text.small;
    let fits = length < space || own_axes::shorten(ui, theme, (0, label), space);
    if fits { label } else { left_out(ui, theme, label, 0) }
}

/// Whether the name of an upright axis is no longer than the axis of a plot in the space there is.
pub fn fits_upright(ui: &Ui, theme: &Theme, label: &str) -> bool {
    let name = own_axes::name(theme, label, 1);
    let length = written::galley(ui, &name, &theme.body(), theme.soft).size().x;
    length < ui.available_height() - below_plot(theme, true)
}

/// The names of the axes of a plot beside the axis `y`: those that a figure gives are left out where there is no space.
pub fn own_that_fit<'a>(ui: &Ui, theme: &Theme, [x, y]: [&'a str; 2], axis: AxisSpec<'_>) -> [&'a str; 2] {
    let own = |number: usize| theme.look.axes[number].is_some() || own_axes::own(theme, number).is_some();
    let fits = !own(1) || fits_upright(ui, theme, y) || shorten_upright(ui, theme, y, ui.available_height());
    let x = if own(0) && !own_axes::is_below(theme) { that_fits(ui, theme, x, axis) } else { x };
    [x, if fits { y } else { left_out(ui, theme, y, 1) }]
}

/// The width of a plot whose last tick has space: its label extends half its width beyond the plot.
pub fn before_last_tick(ui: &Ui, theme: &Theme) -> f32 {
    (ui.available_width() - theme.text.small).max(1.0)
}

/// The finest grid any axis may have, in units of the theme.
const FINEST: f32 = 8.0;

/// A plot with both axes in the style of the theme; the caller sets its bounds.
pub fn plot<'a>(
    id: impl std::hash::Hash + std::fmt::Debug,
    theme: &Theme,
    x: AxisSpec<'_>,
    y: AxisSpec<'_>,
) -> Plot<'a> {
    let (least, letters) = (theme.space(FINEST), theme.text.small / theme.space(FINEST));
    let [x, y] = [named(theme, x), own_axes::unless_shared(theme, named(theme, y))];
    let [own_x, own_y] = [0, 1].map(|axis| own_axes::own(theme, axis).cloned());
    Plot::new(egui::IdSalt::new(id))
        // Tab does not stop at plots on which no key does anything.
        .sense(Sense::CLICK | Sense::DRAG)
        .custom_x_axes(vec![hints(AxisHints::new_x(), theme, (x, 0), least).min_thickness(height(theme, x))])
        .custom_y_axes(vec![
            hints(AxisHints::new_y(), theme, (y, 1), least)
                .min_thickness(width(theme, y).max(own_axes::least_width(theme))),
        ])
        .x_grid_spacer(move |input| marks_of(&input, (own_x.as_ref(), letters), (0, AxisSpec { label: "", ..x })))
        .y_grid_spacer(move |input| marks_of(&input, (own_y.as_ref(), letters), (1, AxisSpec { label: "", ..y })))
        .grid_spacing(full_from(least))
        .grid_color(theme.grid)
        .show_axes([x.ticks != Ticks::None && !own_axes::is_below(theme), y.ticks != Ticks::None])
        .set_margin_fraction(egui::Vec2::ZERO)
        // In little space a plot is small; it does not reach beyond.
        .min_size(egui::Vec2::splat(1.0))
        .show_x(false)
        .show_y(false)
        .label_formatter(|_| None)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .allow_scroll(false)
        .allow_axis_zoom_drag(false)
}

/// Sets what a plot shows, from its lower left corner to its upper right one. Where that is no part of the plane, since an end is not a
/// number or both are the same, the plot says so.
pub fn show_part(plot_ui: &mut PlotUi<'_>, min: [f64; 2], max: [f64; 2], theme: &Theme) {
    let (min, max) = own_axes::limited(plot_ui, theme, min, max);
    tell_scale(plot_ui);
    if is_part(min, max) {
        return plot_ui.set_plot_bounds(PlotBounds::from_min_max(min, max));
    }
    plot_ui.set_plot_bounds(PlotBounds::from_min_max([0.0; 2], [1.0; 2]));
    let words = RichText::new(NO_RANGE).font(theme.body()).color(theme.soft);
    plot_ui.text(Text::new("", PlotPoint::new(0.5, 0.5), words).allow_hover(false));
}

/// Whether there is something between the corners of a part of the plane, and both are finite.
#[must_use]
pub fn is_part(min: [f64; 2], max: [f64; 2]) -> bool {
    (0..2).all(|axis| max[axis] > min[axis] && (max[axis] - min[axis]).is_finite())
}

/// What stands in a plot that has nothing to show.
const NO_RANGE: &str = "nothing to show: no range of finite numbers";

/// The value within a range, or the end nearest to it; also where the range is none, or the value is not a number.
#[must_use]
pub fn held(value: f64, range: &Range<f64>) -> f64 {
    value.max(range.start).min(range.end)
}

/// A line through all points, without hover.
pub fn curve<'a>(points: impl Into<PlotPoints<'a>>, colour: Color32, width: f32) -> Line<'a> {
    Line::new("", points).color(colour).width(width).allow_hover(false).allow_band(false)
}

/// Distance of 1 and 2 on a logarithmic axis, in decades.
const TWICE: f64 = std::f64::consts::LOG10_2;

/// Ticks on an axis at least, where there is space.
const FEWEST: usize = 2;

/// Distance of grid lines from which on they have their full colour.
fn full_from(least: f32) -> Rangef {
    Rangef::new(0.98 * least, least * 0.99)
}

/// The axis, with its name if the theme has names of axes.
fn named<'a>(theme: &Theme, axis: AxisSpec<'a>) -> AxisSpec<'a> {
    if theme.labels.axes { axis } else { AxisSpec { label: "", ..axis } }
}

fn hints<'a>(hints: AxisHints<'a>, theme: &Theme, (spec, axis): (AxisSpec<'_>, usize), least: f32) -> AxisHints<'a> {
    let label = written::text(&own_axes::name(theme, spec.label, axis), &theme.body(), theme.soft);
    let own = own_axes::own(theme, axis).cloned();
    let AxisSpec { ticks, corner, .. } = spec;
    hints
        .label(label)
        .formatter(move |mark, range| {
            let near = mark.value - range.start() < own_axes::CORNER * (range.end() - range.start());
            if near && !corner {
                return String::new();
            }
            own_axes::words(own.as_ref(), ticks, mark.value).unwrap_or_else(|| tick_text(mark, ticks, range))
        })
        .label_spacing(full_from(least))
        .tick_label_color(theme.faint)
        .tick_label_font(theme.small())
}

/// The width of the axis at the left and the height of the one below.
pub fn thickness(theme: &Theme, [x, y]: [AxisSpec<'_>; 2]) -> egui::Vec2 {
    egui::vec2(width(theme, y), height(theme, x))
}

/// Lets the names of the axes of a plot answer what they are: `plot` is what is inside of the axes.
pub fn answers(ui: &Ui, theme: &Theme, plot: &Response, [x, y]: [AxisSpec<'_>; 2]) {
    /// What an axis without a term in its name is.
    const OTHERWISE: &str = "coordinate";
    on_plots::finish(ui, theme, plot, [x.ticks, y.ticks]);
    beside_ticks(ui, theme, plot, [x, y]);
    let (rect, thickness) = (plot.rect, thickness(theme, [x, y]));
    let below = Rect::from_min_max(rect.left_bottom(), rect.right_bottom() + egui::vec2(0.0, thickness.y));
    let beside = Rect::from_min_max(rect.left_top() - egui::vec2(thickness.x, 0.0), rect.left_bottom());
    for (number, (rect, axis)) in [(below, x), (beside, y)].into_iter().enumerate() {
        let axis = named(theme, axis);
        if !axis.label.is_empty() {
            terms::painted(ui, theme, (rect, (plot.id, number)), axis.label, OTHERWISE);
        }
    }
}

/// Height of ticks and label of a horizontal axis.
fn height(theme: &Theme, spec: AxisSpec<'_>) -> f32 {
    let ticks = theme.text.small * 1.3;
    if named(theme, spec).label.is_empty() { ticks } else { ticks + theme.text.body * 1.5 }
}

/// Width of ticks and label of a vertical axis.
fn width(theme: &Theme, spec: AxisSpec<'_>) -> f32 {
    /// Width of a digit, in sizes of its font.
    const DIGIT: f32 = 0.65;
    /// Height of a label with the gap that egui_plot leaves, in sizes of its font.
    const LABEL: f32 = 1.5;
    let digits = spec.digits.max(own_axes::longest_tick(own_axes::own(theme, 1)) as f32);
    let ticks = theme.text.small * DIGIT * digits + theme.space(2.0);
    if named(theme, spec).label.is_empty() { ticks } else { ticks + theme.text.body * LABEL }
}

/// Ticks of an axis, as the figure has them where it says so. In a panel of a figure there are two labels wherever there is space. Letters have
/// a size in the least distance of lines.
fn marks_of(
    input: &GridInput,
    (own, letters): (Option<&OwnAxis>, f32),
    (axis, spec): (usize, AxisSpec<'_>),
) -> Vec<GridMark> {
    let usual = || marks(input, spec.ticks, f64::from(spec.apart / FINEST));
    match own {
        None => usual(),
        Some(own) => own_axes::marks(own, (axis, spec.ticks), input, f64::from(letters))
            .unwrap_or_else(|| own_axes::at_least_two(usual(), (axis, spec), input.bounds, input.base_step_size)),
    }
}

/// What ticks of a panel have beside them: names that are set; told are ranges without two labels, and ticks without a place.
fn beside_ticks(ui: &Ui, theme: &Theme, plot: &Response, specs: [AxisSpec<'_>; 2]) {
    let Some(all) = own_axes::bounds_of(ui, plot.id) else { return };
    for (axis, (spec, bounds)) in specs.into_iter().zip(all).enumerate() {
        let spec = if axis == 1 { own_axes::unless_shared(theme, spec) } else { spec };
        let length = if axis == 0 { plot.rect.width() } else { plot.rect.height() };
        let base = (bounds.1 - bounds.0) * f64::from(full_from(theme.space(FINEST)).min / length.max(1.0));
        let letters = theme.text.small / theme.space(FINEST);
        let input = GridInput { bounds, base_step_size: base };
        let found = marks_of(&input, (own_axes::own(theme, axis), letters), (axis, spec));
        if axis == 1 || !own_axes::is_below(theme) {
            own_axes::tell_range(ui, theme, (axis, spec), bounds, &found);
            own_axes::set_ticks(ui, theme, plot.rect, (axis, spec.ticks), (bounds, &found));
            own_axes::tell_ticks(ui, theme, (axis, spec.ticks), &found);
        }
        // Another program puts them where they are.
        let (side, log) = ([Side::Below, Side::Left][axis], spec.ticks == Ticks::Log);
        let at = found.iter().map(|mark| mark.value).collect();
        let name = ui.data_mut(|data| data.remove_temp(left_out_name(axis)));
        Tag::Ticks(figure::vector::Ticks { rect: plot.rect, side, log, at, name }).say(ui);
    }
}

/// Ticks at multiples of a round step, at least `factor` times the smallest step the grid would take.
fn marks(input: &GridInput, ticks: Ticks, factor: f64) -> Vec<GridMark> {
    /// A tick this close to an end of the axis, in steps, is on it.
    const ROUNDING: f64 = 1e-6;
    let (min, max) = input.bounds;
    if !(max - min).is_finite() || max <= min || ticks == Ticks::None {
        return Vec::new();
    }
    let min = if ticks == Ticks::Density { min.max(0.0) } else { min };
    let multiples = |factor: f64| {
        let step = match ticks {
            Ticks::Whole => round_step(input.base_step_size * factor).max(1.0),
            Ticks::Log => (input.base_step_size * factor).ceil().max(1.0),
            Ticks::Linear | Ticks::Density | Ticks::None => round_step(input.base_step_size * factor),
        };
        let first = (min / step - ROUNDING).ceil();
        let count = ((max / step + ROUNDING).floor() - first + 1.0).clamp(0.0, 200.0);
        let numbers = successors(Some(0.0), |number| Some(number + 1.0)).take_while(|number| *number < count);
        numbers.map(|number| GridMark { value: (first + number) * step, step_size: step }).collect::<Vec<_>>()
    };
    let mut found = multiples(factor);
    if found.len() < FEWEST {
        // One tick says nothing of the scale.
        found = multiples(factor.min(1.0));
    }
    let least = input.base_step_size * factor;
    if ticks == Ticks::Log && max - min < FEW_DECADES && (least <= TWICE || found.len() < FEWEST) {
        let step = found.first().map_or(1.0, |mark| mark.step_size);
        let between = |power: f64| [2.0_f64, 5.0].map(|times| power + times.log10());
        let powers = (0..=FEW_DECADES as i32 + 1).map(|power| min.floor() + f64::from(power));
        for value in powers.flat_map(between).filter(|value| (min..=max).contains(value)) {
            if found.iter().all(|mark| (mark.value - value).abs() >= least) {
                found.push(GridMark { value, step_size: step });
            }
        }
    }
    if found.len() < FEWEST {
        found = ends((min, max), ticks, input.base_step_size).unwrap_or(found);
    }
    found
}

/// Two round numbers far apart within an axis whose coarse grid has less than two; on a logarithmic one powers of ten, if two are in it.
fn ends((min, max): (f64, f64), ticks: Ticks, least: f64) -> Option<Vec<GridMark>> {
    /// How many times the step becomes finer, at most.
    const FINER: usize = 6;
    let log = ticks == Ticks::Log;
    let [low, high] = [min, max].map(|at| value_at(at, log));
    let place = |value: f64| place_of(value, log);
    let [first, last] = [min.ceil(), max.floor()];
    if log && last - first >= least.max(1.0) {
        return Some([first, last].map(|value| GridMark { value, step_size: last - first }).to_vec());
    }
    let coarse = round_step(high - low);
    let steps = successors(Some(coarse), |step| Some(round_step(0.4 * step))).take(FINER);
    let steps = steps.filter(|step| step.is_finite() && *step > 0.0 && (ticks != Ticks::Whole || *step >= 1.0));
    steps.map(|step| [(low / step).ceil() * step, (high / step).floor() * step].map(place)).find_map(|[first, last]| {
        let apart = last - first;
        let mark = |value| GridMark { value, step_size: apart };
        (apart >= least).then(|| [first, last].map(mark).to_vec())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (least, expected) in [(0.03, 0.05), (1.0, 1.0), (1.01, 2.0), (2.4, 5.0), (5.1, 10.0), (900.0, 1000.0)] {
            assert!((round_step(least) / expected - 1.0).abs() < 1e-12, "{least}: {}", round_step(least));
        }
    }

    fn values(bounds: (f64, f64), base_step_size: f64, ticks: Ticks) -> Vec<String> {
        let input = GridInput { bounds, base_step_size };
        let range = bounds.0..=bounds.1;
        marks(&input, ticks, 1.0).into_iter().map(|mark| tick_text(mark, ticks, &range)).collect()
    }

    #[test]
    fn ticks_are_multiples_of_the_step_within_the_bounds() {
        assert_eq!(values((-1.2, 1.0), 0.4, Ticks::Linear), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(values((0.0, 2.5), 0.2, Ticks::Whole), ["0", "1", "2"]);
        assert_eq!(values((-3.5, 0.2), 0.7, Ticks::Log), ["10⁻³", "10⁻²", "10⁻¹", "1"]);
        assert_eq!(values((-1.2, 0.4), 0.2, Ticks::Log), ["0.1", "1", "0.2", "0.5", "2"]);
        assert_eq!(values((-1.2, 0.4), 0.4, Ticks::Log), ["0.1", "1"], "no crowd");
        assert_eq!(
            values((-0.9, 0.4), 0.4, Ticks::Log),
            ["1", "0.2"],
            "one power says nothing of the scale, and 0.5 and 2 would touch it"
        );
        assert_eq!(values((-2.1, -1.6), 0.4, Ticks::Log), ["0.008", "0.024"], "0.01 and 0.02 would touch");
    }

    /// Whatever an axis of some length shows, at least two ticks say its scale.
    #[test]
    fn every_axis_has_two_ticks() {
        assert_eq!(values((-4.3, 4.1), 2.8, Ticks::Linear), ["−4", "4"]);
        for number in 0..400 {
            let (from, length) = (0.37 * f64::from(number % 20) - 3.0, 0.013 * 1.5_f64.powi(number / 20));
            // A third of the axis holds a label.
            for ticks in [Ticks::Linear, Ticks::Log] {
                let found = values((from, from + length), length / 3.0, ticks);
                let distinct = found.first() != found.last();
                assert!(found.len() > 1 && distinct, "{from} {length} {ticks:?}: {found:?}");
            }
        }
    }

    /// A low plot of four decades, in which one power of a coarse grid fits, has the outermost powers.
    #[test]
    fn decades_in_little_space_have_powers_of_ten() {
        assert_eq!(values((-5.15, -0.86), 2.6, Ticks::Log), ["10⁻⁵", "10⁻¹"]);
    }

    #[test]
    fn values_are_held_in_whatever_range() {
        let nan = f64::NAN;
        for (value, range, expected) in [
            (3.0, -1.0..1.0, 1.0),
            (-3.0, -1.0..1.0, -1.0),
            (0.5, -1.0..1.0, 0.5),
            (nan, -1.0..1.0, -1.0),
            (2.0, nan..1.0, 1.0),
        ] {
            assert!((held(value, &range) - expected).abs() < 1e-12, "{value} in {range:?}");
        }
        assert!(held(0.0, &(1.0..-1.0)).is_finite(), "an empty range");
        assert!(held(nan, &(nan..nan)).is_nan());
    }

    #[test]
    fn senseless_bounds_have_no_ticks() {
        assert!(values((1.0, 1.0), 0.1, Ticks::Linear).is_empty());
        assert!(values((f64::NEG_INFINITY, 1.0), 0.1, Ticks::Linear).is_empty());
        assert!(values((f64::NAN, 1.0), 0.1, Ticks::Linear).is_empty());
    }
}
