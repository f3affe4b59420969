//! What a figure says of single axes and of what stands on its plots: limits, ticks, spines, legends and notes.
//!
//! The numbers of a figure are those of its ticks. Which axes are logarithmic is known where they are drawn; [`limited`] and the notes read
//! it of the frame before, in the memory of the context.

use egui::{Align2, Color32, Id, Pos2, Rect, Response, Shape, Stroke, Ui, pos2, vec2};
use egui_plot::{GridInput, GridMark, PlotUi};

use super::axis_spec::{AxisSpec, Ticks, round_step};
use super::legend::{self, Entry, Sample};
use super::told::{self, Spot};
use super::written;
use crate::theme::{LegendPlace, Spines, Theme};
use crate::words::{markup, numbers};
use engine::scenario::figures::{Note, OwnAxis};

/// What a figure says of an axis of the panel that is drawn: 0 for the horizontal one, 1 for the vertical one.
pub fn own(theme: &Theme, axis: usize) -> Option<&OwnAxis> {
    theme.look.panel.as_ref().map(|panel| &panel.axes[axis])
}

/// The name of an axis in markup: that of the figure, or that of the plot, with the unit of the figure. An axis without a name has none.
pub fn name(theme: &Theme, label: &str, axis: usize) -> String {
    // Names of canvases of a figure have markup, others are shown as they are.
    let known = theme.look.axes[axis].as_deref() == Some(label);
    let label = if known { label.to_owned() } else { markup::escaped(label) };
    let Some(own) = own(theme, axis).filter(|_| !label.is_empty()) else { return label };
    let name = own.name.clone().unwrap_or(label);
    own.unit.as_ref().map_or_else(|| name.clone(), |unit| format!("{name} ({unit})"))
}

/// The vertical axis of a panel; none where the one at its left has it.
pub fn unless_shared<'a>(theme: &Theme, axis: AxisSpec<'a>) -> AxisSpec<'a> {
    let shares = theme.look.panel.as_ref().is_some_and(|panel| panel.shares);
    if shares { AxisSpec { label: "", ticks: Ticks::None, ..axis } } else { axis }
}

/// The ticks that a figure gives an axis, as places along it, if it gives some.
pub fn marks(own: &OwnAxis, ticks: Ticks, input: &GridInput) -> Option<Vec<GridMark>> {
    let (min, max) = input.bounds;
    // Labels of own ticks are never too close for egui_plot.
    let mark = |value: f64| GridMark { value, step_size: max - min };
    let place = |value: f64| if ticks == Ticks::Log { value.log10() } else { value };
    let beyond = 1e-9 * (max - min);
    let inside = |value: &f64| (min - beyond..=max + beyond).contains(value);
    if !own.ticks.is_empty() {
        return Some(own.ticks.iter().map(|tick| place(tick.0)).filter(inside).map(mark).collect());
    }
    let count = f64::from(own.count?);
    let step = match ticks {
        Ticks::None => return None,
        Ticks::Log => ((max - min) / count).ceil().max(1.0),
        Ticks::Whole => nearest_step((max - min) / count).max(1.0),
        Ticks::Linear | Ticks::Density => nearest_step((max - min) / count),
    };
    let first = (min / step - 1e-9).ceil();
    let values = (0..100_u8).map(|number| (first + f64::from(number)) * step).take_while(|value| inside(value));
    let values: Vec<f64> = values.filter(|value| ticks != Ticks::Density || *value >= 0.0).collect();
    (values.len() >= 2).then(|| values.into_iter().map(|value| GridMark { value, step_size: step }).collect())
}

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
    let apart = if axis == 1 { 0.55 * least } else { 1.1 * least };
    let (min, max) = bounds;
    let from = if spec.corner { min } else { min + CORNER * (max - min) };
    let [low, high] = [from, max].map(|at| if log { 10f64.powf(at) } else { at });
    let place = |value: f64| if log { value.log10() } else { value };
    let coarse = round_step(high - low);
    let steps = std::iter::successors(Some(coarse), |step| Some(round_step(0.4 * step))).take(FINER);
    let steps = steps.filter(|step| step.is_finite() && *step > 0.0 && (spec.ticks != Ticks::Whole || *step >= 1.0));
    let ends = |step: f64| [(low / step - 1e-9).ceil() * step, (high / step + 1e-9).floor() * step].map(place);
    let pair = steps.map(ends).find(|[first, last]| last - first >= apart && first.is_finite());
    // Labels nearer than lines in sight are shown as well.
    let mark = |value: f64, distance: f64| GridMark { value, step_size: distance.max(1.02 * least) };
    pair.map_or(found, |[first, last]| [first, last].map(|value| mark(value, last - first)).to_vec())
}

/// Tells the range of an axis of a panel that has no two labelled ticks.
pub fn tell_range(ui: &Ui, theme: &Theme, (axis, spec): (usize, AxisSpec<'_>), bounds: (f64, f64), marks: &[GridMark]) {
    let Some(panel) = theme.look.panel.as_ref().filter(|_| spec.ticks != Ticks::None) else { return };
    if labelled(marks, spec.corner, bounds) >= FEWEST || !theme.labels.whole {
        return;
    }
    let value = |at: f64| numbers::significant(if spec.ticks == Ticks::Log { 10f64.powf(at) } else { at }, 3);
    let (direction, [low, high]) = (DIRECTIONS[axis], [bounds.0, bounds.1].map(value));
    let panel = panel_words(panel.number);
    told::warn(ui, format!("{panel} has no space for two ticks along its {direction} axis, from {low} to {high}"));
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

/// What a tick of a figure is called, if not by its number.
pub fn words(own: Option<&OwnAxis>, ticks: Ticks, value: f64) -> Option<String> {
    let place = |value: f64| if ticks == Ticks::Log { value.log10() } else { value };
    let near = |tick: &&(f64, Option<String>)| (place(tick.0) - value).abs() <= 1e-9 * value.abs().max(1e-9);
    own?.ticks.iter().find(near)?.1.clone()
}

/// The most characters that a figure's own ticks have.
pub fn longest_tick(own: Option<&OwnAxis>) -> usize {
    own.map_or(0, |own| own.ticks.iter().filter_map(|tick| Some(tick.1.as_ref()?.chars().count())).max().unwrap_or(0))
}

/// What a plot showed in the frame before.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shown {
    min: [f64; 2],
    max: [f64; 2],
    log: [bool; 2],
}

fn memory(plot: Id) -> Id {
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
            let place = |value: f64| if log[axis] { value.log10() } else { value };
            if place(from).is_finite() && place(to).is_finite() {
                (low[axis], high[axis]) = (place(from), place(to));
            }
        }
    }
    plot_ui.ctx().data_mut(|data| data.insert_temp(id, Shown { min: low, max: high, log }));
    (low, high)
}

/// Draws what a figure has on a plot beside its curves, and notes where the plot is.
pub fn finish(ui: &Ui, theme: &Theme, plot: &Response, ticks: [Ticks; 2]) {
    let Some(panel) = &theme.look.panel else { return };
    let id = memory(plot.id);
    let Some(shown) = ui.data(|data| data.get_temp::<Shown>(id)) else { return };
    let log = ticks.map(|ticks| ticks == Ticks::Log);
    if shown.log != log {
        ui.data_mut(|data| data.insert_temp(id, Shown { log, ..shown }));
        ui.ctx().request_repaint();
    }
    spines(ui, theme, plot.rect);
    let Shown { min, max, .. } = shown;
    let spot = Spot { panel: panel.number, area: plot.rect, min, max, log };
    names(ui, theme, &spot);
    if told::note(ui, spot) {
        panel.notes.iter().for_each(|note| draw_note(ui, theme, &spot, note));
    }
}

fn spines(ui: &Ui, theme: &Theme, rect: Rect) {
    let stroke = Stroke::new(0.5 * theme.line(), theme.soft);
    let lines = [
        [rect.left_bottom(), rect.right_bottom()],
        [rect.left_top(), rect.left_bottom()],
        [rect.left_top(), rect.right_top()],
        [rect.right_top(), rect.right_bottom()],
    ];
    let shown = match theme.look.spines {
        Spines::None => 0,
        Spines::LeftBottom => 2,
        Spines::Box => 4,
    };
    for line in &lines[..shown] {
        ui.painter().line_segment(*line, stroke);
    }
}

/// Names of runs that wait for the plot they belong to.
type Waiting = Vec<(usize, String)>;

fn waiting() -> Id {
    Id::unique("names of runs that wait for their plot")
}

/// Whether names of several runs stand on the plot and not above it; then they wait for it.
pub fn wait(ui: &Ui, theme: &Theme, names: &[(usize, String)]) -> bool {
    let place = theme.look.legend;
    if theme.look.panel.is_none() || place == LegendPlace::Above || names.len() < 2 {
        return false;
    }
    if place != LegendPlace::None {
        ui.data_mut(|data| data.insert_temp(waiting(), names.to_vec()));
    }
    true
}

/// Forgets names whose plot has not come.
pub fn forget(ui: &Ui) {
    ui.data_mut(|data| data.remove_temp::<Waiting>(waiting()));
    ui.data_mut(|data| data.remove_temp::<Ends>(ends_id()));
}

/// The width of a column of names at the right of plots.
pub fn width_of_names(ui: &Ui, theme: &Theme, names: &[String]) -> f32 {
    let width = |name: &str| written::galley(ui, name, &theme.small(), theme.ink).size().x;
    let widest = names.iter().map(|name| width(name)).fold(0.0, f32::max);
    widest + MARKER * theme.text.small + theme.space(2.0)
}

/// Width of a marker and its gap, in sizes of small text.
const MARKER: f32 = 1.3;

fn names(ui: &Ui, theme: &Theme, spot: &Spot) {
    let Some(names) = ui.data_mut(|data| data.remove_temp::<Waiting>(waiting())) else { return };
    match theme.look.legend {
        LegendPlace::Inside { right, bottom } => {
            let corner = match (right, bottom) {
                (false, false) => Align2::LEFT_TOP,
                (true, false) => Align2::RIGHT_TOP,
                (false, true) => Align2::LEFT_BOTTOM,
                (true, true) => Align2::RIGHT_BOTTOM,
            };
            let entry = |(run, name): &(usize, String)| Entry::named(Sample::Marker(theme.run(*run)), name.clone());
            let entries: Vec<Entry> = names.iter().map(entry).collect();
            if !legend::paint(ui, theme, spot.area, corner, &entries) {
                told::warn(ui, format!("{} has no space for the names of runs inside", panel_words(spot.panel)));
            }
        }
        LegendPlace::Right => column(ui, theme, spot.area, &names),
        LegendPlace::Ends => at_ends(ui, theme, spot, &names),
        LegendPlace::Above | LegendPlace::None => {}
    }
}

/// A panel in a sentence: its letter as in the figure where it is one of few.
pub fn panel_words(panel: usize) -> String {
    format!("Panel {}", panel + 1)
}

fn entry(ui: &Ui, theme: &Theme, at: Pos2, (run, name): (usize, &str), marker: bool) {
    let style = theme.run(run);
    let galley = written::galley(ui, name, &theme.small(), if marker { theme.ink } else { style.colour });
    let height = galley.size().y;
    let mut left = at.x;
    if marker {
        let radius = 0.4 * theme.text.small;
        super::run_marker::paint(ui.painter(), pos2(left + radius, at.y), radius, style);
        left += MARKER * theme.text.small;
    }
    ui.painter().galley(pos2(left, at.y - 0.5 * height), galley, theme.ink);
}

/// Names below each other, at the right of a plot.
fn column(ui: &Ui, theme: &Theme, area: Rect, names: &Waiting) {
    let row = 1.4 * theme.text.small;
    for (number, (run, name)) in names.iter().enumerate() {
        let at = pos2(area.right() + theme.space(2.0), area.top() + (number as f32 + 0.5) * row);
        entry(ui, theme, at, (*run, name), true);
    }
}

/// Ends of curves: their colours with the positions of their last points.
type Ends = Vec<(Color32, [f64; 2])>;

fn ends_id() -> Id {
    Id::unique("ends of curves")
}

/// Whether names of runs wait for the ends of their curves.
pub fn wants_ends(context: &egui::Context) -> bool {
    context.data(|data| data.get_temp::<Waiting>(waiting()).is_some())
}

/// Notes where a curve of a colour ends, for a name at its end.
pub fn note_end(context: &egui::Context, colour: Color32, at: [f64; 2]) {
    context.data_mut(|data| data.get_temp_mut_or_default::<Ends>(ends_id()).push((colour, at)));
}

/// Names at the ends of curves, moved apart, in the colours of the curves.
fn at_ends(ui: &Ui, theme: &Theme, spot: &Spot, names: &Waiting) {
    let ends = ui.data_mut(|data| data.remove_temp::<Ends>(ends_id())).unwrap_or_default();
    let height = |[_, y]: [f64; 2]| {
        let share = (y - spot.min[1]) / (spot.max[1] - spot.min[1]);
        spot.area.bottom() - (share.clamp(0.0, 1.0) as f32) * spot.area.height()
    };
    let last = |run: usize| {
        let colour = theme.run(run).colour;
        let of_run = ends.iter().filter(|(own, _)| [own.r(), own.g(), own.b()] == [colour.r(), colour.g(), colour.b()]);
        of_run.filter(|(_, at)| at[0].is_finite() && at[1].is_finite()).max_by(|a, b| a.1[0].total_cmp(&b.1[0]))
    };
    let mut placed: Vec<(f32, usize, &str)> =
        names.iter().filter_map(|(run, name)| Some((height(last(*run)?.1), *run, name.as_str()))).collect();
    if placed.len() < names.len() {
        // Where no curve is found, names are in a column.
        return column(ui, theme, spot.area, names);
    }
    placed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let row = 1.25 * theme.text.small;
    // From the top down, each below the last; then all up again where the lowest is below the plot.
    for number in 1..placed.len() {
        placed[number].0 = placed[number].0.max(placed[number - 1].0 + row);
    }
    // The last tick of the axis below reaches beyond the plot.
    let mut lowest = (spot.area.bottom() - 0.6 * row).max(spot.area.top() + row * (placed.len() as f32 - 1.0));
    for (at, ..) in placed.iter_mut().rev() {
        *at = at.min(lowest);
        lowest = *at - row;
    }
    for (at, run, name) in placed {
        entry(ui, theme, pos2(spot.area.right() + theme.space(1.5), at), (run, name), false);
    }
}

/// A text of a figure, with its arrow. Both stay within the plot as far as they can.
fn draw_note(ui: &Ui, theme: &Theme, spot: &Spot, note: &Note) {
    /// Length and half of the width of the tip of an arrow, in sizes of text.
    const TIP: [f32; 2] = [0.55, 0.2];
    let Some(at) = spot.position(note.at) else {
        return told::warn(
            ui,
            format!("Note {} is at a number that a logarithmic axis does not have", note.number + 1),
        );
    };
    let colour = note.colour.map_or(theme.ink, |[r, g, b]| Color32::from_rgb(r, g, b));
    let size = note.size as f32 * theme.text.small;
    let font = egui::FontId::new(size, egui::FontFamily::Proportional);
    let galley = written::galley(ui, &note.text, &font, colour);
    if !spot.area.contains(at) {
        told::warn(
            ui,
            format!(
                "Note {} (\"{}\") is outside of the axes of {}",
                note.number + 1,
                note.text,
                panel_words(spot.panel).to_lowercase()
            ),
        );
        return;
    }
    let patch = Rect::from_center_size(at, galley.size());
    let moved = vec2(
        (spot.area.left() - patch.left()).max(0.0) - (patch.right() - spot.area.right()).max(0.0),
        (spot.area.top() - patch.top()).max(0.0) - (patch.bottom() - spot.area.bottom()).max(0.0),
    );
    let patch = patch.translate(moved);
    if let Some(to) = note.arrow.and_then(|to| spot.position(to)) {
        let painter = ui.painter().with_clip_rect(spot.area.expand(theme.space(1.0)));
        let centre = patch.center();
        let way = to - centre;
        // From the edge of the text on.
        let edge = patch.expand(0.25 * size).size() * 0.5;
        let share = (edge.x / way.x.abs().max(1e-3)).min(edge.y / way.y.abs().max(1e-3)).min(1.0);
        let (from, along) = (centre + share * way, way.normalized());
        let stroke = Stroke::new(0.7 * theme.line(), colour);
        let back = to - TIP[0] * size * along;
        painter.line_segment([from, back], stroke);
        let side = TIP[1] * size * along.rot90();
        painter.add(Shape::convex_polygon(vec![to, back + side, back - side], colour, Stroke::NONE));
    }
    ui.painter().galley(patch.min, galley, colour);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(bounds: (f64, f64)) -> GridInput {
        GridInput { bounds, base_step_size: 0.1 }
    }

    fn values(own: &OwnAxis, ticks: Ticks, bounds: (f64, f64)) -> Vec<f64> {
        marks(own, ticks, &input(bounds)).map_or(Vec::new(), |marks| marks.iter().map(|mark| mark.value).collect())
    }

    #[test]
    fn own_ticks_are_where_the_figure_says() {
        let own = OwnAxis { ticks: vec![(0.1, None), (10.0, Some("ten".into())), (1e6, None)], ..OwnAxis::default() };
        assert_eq!(values(&own, Ticks::Log, (-2.0, 2.0)), [-1.0, 1.0]);
        assert_eq!(words(Some(&own), Ticks::Log, 1.0).as_deref(), Some("ten"));
        assert_eq!(values(&own, Ticks::Linear, (0.0, 20.0)), [0.1, 10.0]);
        assert_eq!(words(Some(&own), Ticks::Linear, 0.1), None);
        assert_eq!(longest_tick(Some(&own)), 3);
    }

    #[test]
    fn about_as_many_ticks_as_asked_for_are_at_round_numbers() {
        for (count, bounds) in [(2, (0.0, 1.0)), (5, (-3.7, 8.1)), (10, (0.0, 977.0)), (4, (0.01, 0.0173))] {
            let own = OwnAxis { count: Some(count), ..OwnAxis::default() };
            let found = values(&own, Ticks::Linear, bounds);
            let ratio = found.len() as f64 / f64::from(count);
            assert!((0.5..=2.0).contains(&ratio), "{count} in {bounds:?}: {found:?}");
            let step = found[1] - found[0];
            assert!((step / nearest_step(step) - 1.0).abs() < 1e-9, "{found:?}");
        }
    }

    /// A position and back, on linear and logarithmic axes.
    #[test]
    fn numbers_and_positions_of_a_plot_agree() {
        let area = Rect::from_min_max(pos2(10.0, 20.0), pos2(110.0, 70.0));
        let spot = Spot { panel: 0, area, min: [0.0, -2.0], max: [4.0, 2.0], log: [false, true] };
        let at = spot.position([1.0, 0.1]).unwrap();
        assert!((at - pos2(35.0, 57.5)).length() < 1e-4, "{at:?}");
        let back = spot.numbers(at);
        assert!((back[0] - 1.0).abs() < 1e-6 && (back[1] - 0.1).abs() < 1e-6, "{back:?}");
        assert_eq!(spot.position([1.0, -1.0]), None);
    }
}
