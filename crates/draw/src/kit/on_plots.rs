//! What a figure has on its plots beside the curves: spines, names of runs, and notes that have places.

use egui::{Align2, Color32, Id, Pos2, Rect, Response, Stroke, Ui, pos2};

use super::axis_spec::Ticks;
use super::legend::{Entry, Sample};
use super::legend_patch;
use super::notes::{self, Crowd};
use super::own_axes::{Shown, memory, panel_words};
use super::told::{self, Spot};
use super::{run_marker, shortened, written};
use crate::theme::{LegendPlace, Spines, Theme};
use crate::words::markup;

/// Draws what a figure has on a plot beside its curves, and notes where the plot is.
pub fn finish(ui: &Ui, theme: &Theme, plot: &Response, ticks: [Ticks; 2]) {
    let Some(panel) = &theme.look.panel else {
        if theme.labels.whole {
            told::note_plot(ui, plot.rect);
        }
        return;
    };
    let id = memory(plot.id);
    let Some(shown) = ui.data(|data| data.get_temp::<Shown>(id)) else { return };
    let log = ticks.map(|ticks| ticks == Ticks::Log);
    if shown.log != log {
        ui.data_mut(|data| data.insert_temp(id, Shown { log, ..shown }));
        ui.ctx().request_repaint();
    }
    spines(ui, theme, plot.rect);
    let Shown { min, max, .. } = shown;
    let labelled = [!panel.below, !panel.shares];
    let spot = Spot { panel: panel.number, area: plot.rect, min, max, log, labelled };
    names(ui, theme, &spot);
    if told::note(ui, spot) {
        notes::given(ui, theme, &spot);
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

/// Whether names of several runs do not stand above the plot; those that stand on it wait for it.
pub fn wait(ui: &Ui, theme: &Theme, names: &[(usize, String)]) -> bool {
    let place = theme.look.legend;
    if theme.look.panel.is_none() || place == LegendPlace::Above || names.len() < 2 {
        return false;
    }
    if !matches!(place, LegendPlace::None | LegendPlace::Once) {
        ui.data_mut(|data| data.insert_temp(waiting(), names.to_vec()));
    }
    true
}

/// Forgets names whose plot has not come.
pub fn forget(ui: &Ui) {
    ui.data_mut(|data| data.remove_temp::<Waiting>(waiting()));
    ui.data_mut(|data| data.remove_temp::<Ends>(ends_id()));
    ui.data_mut(|data| data.remove_temp::<Option<Rect>>(inside()));
}

/// The width that a column of names at the right takes of a panel: what it needs, and half of the panel at most.
pub fn width_of_names(ui: &Ui, theme: &Theme, names: &[String], panel: f32) -> f32 {
    let widest = names.iter().map(|name| width_of_name(ui, theme, name)).fold(0.0, f32::max);
    let taken = (widest + theme.space(2.0)).min(0.5 * panel);
    ui.data_mut(|data| data.insert_temp(column_id(), taken - theme.space(2.0)));
    taken
}

/// Where it is kept how wide names at the right may be.
fn column_id() -> Id {
    Id::unique("width of names at the right")
}

/// A name within the width of its column, without its middle where that is too narrow, which is told.
fn within_column(ui: &Ui, theme: &Theme, spot: &Spot, name: &str) -> String {
    let width = ui.data(|data| data.get_temp::<f32>(column_id())).unwrap_or(f32::INFINITY);
    if width_of_name(ui, theme, name) <= width + 0.5 {
        return name.to_owned();
    }
    let plain = markup::plain(name);
    let space = width - marker_width(theme);
    told::warn(ui, format!("{} has no space for all of the name beside its plot: {plain}", panel_words(spot.panel)));
    markup::escaped(&shortened::shortened(ui, &plain, &theme.small(), space))
}

/// The width of a name with its marker.
pub fn width_of_name(ui: &Ui, theme: &Theme, name: &str) -> f32 {
    written::galley(ui, name, &theme.small(), theme.ink).size().x + marker_width(theme)
}

/// Width of a marker and its gap, and what a sample of a line adds, in sizes of small text.
const MARKER: f32 = 1.3;
const LINE: f32 = 1.4;

/// The width of a marker and its gap, with a sample of the line of the run where some are broken.
fn marker_width(theme: &Theme) -> f32 {
    theme.text.small * if theme.has_dashes() { MARKER + LINE } else { MARKER }
}

/// The corners of a plot with the words of a file for them.
const CORNERS: [(Align2, &str); 4] = [
    (Align2::LEFT_TOP, "top-left"),
    (Align2::RIGHT_TOP, "top-right"),
    (Align2::LEFT_BOTTOM, "bottom-left"),
    (Align2::RIGHT_BOTTOM, "bottom-right"),
];

fn inside() -> Id {
    Id::unique("names of runs inside of a plot")
}

/// Whether a patch hides something: modes, much of a density, curves, or draws in a tenth of its area.
fn hides(crowd: &Crowd, patch: Rect, area: Rect) -> bool {
    const DENSE: f32 = 0.1;
    const DRAWS: f32 = 0.1;
    crowd.densest(patch, area) > DENSE || crowd.busy(patch, area) > DRAWS
}

/// Tells that the names of runs inside of a plot cover what is drawn there, and which place is free.
pub fn tell_covered(ui: &Ui, theme: &Theme, spot: &Spot, crowd: &Crowd) {
    let Some(patch) = ui.data_mut(|data| data.remove_temp::<Option<Rect>>(inside())).flatten() else { return };
    if !hides(crowd, patch, spot.area) {
        return;
    }
    let inner = spot.area.shrink(theme.space(1.5));
    let is_free =
        |(corner, _): &&(Align2, &str)| !hides(crowd, corner.align_size_within_rect(patch.size(), inner), spot.area);
    let free = CORNERS.iter().find(is_free).map_or("above", |(_, word)| *word);
    let panel = panel_words(spot.panel);
    told::warn(
        ui,
        format!("The names of runs inside of {} cover what is drawn there: \"{free}\" is free", panel.to_lowercase()),
    );
}

/// Tells that names of runs have found no plot.
pub fn tell_waiting(ui: &Ui, theme: &Theme) {
    let Some(panel) = &theme.look.panel else { return };
    if ui.data_mut(|data| data.remove_temp::<Waiting>(waiting())).is_some() {
        told::warn(ui, format!("{} has no plot for the names of its runs", panel_words(panel.number)));
    }
}

fn names(ui: &Ui, theme: &Theme, spot: &Spot) {
    let Some(names) = ui.data_mut(|data| data.remove_temp::<Waiting>(waiting())) else { return };
    match theme.look.legend {
        LegendPlace::Inside { right, bottom } => {
            let corner = CORNERS[usize::from(right) + 2 * usize::from(bottom)].0;
            let sample = if theme.has_dashes() { Sample::Run } else { Sample::Marker };
            let entry = |(run, name): &(usize, String)| Entry::named(sample(theme.run(*run)), name.clone());
            let entries: Vec<Entry> = names.iter().map(entry).collect();
            match legend_patch::paint(ui, theme, spot.area, corner, &entries) {
                Some(patch) => ui.data_mut(|data| {
                    data.insert_temp(inside(), Some(patch));
                }),
                None => {
                    let panel = panel_words(spot.panel);
                    told::warn(ui, format!("{panel} has no space for the names of runs inside: \"above\" has"));
                }
            }
        }
        LegendPlace::Right => column(ui, theme, spot, &names),
        LegendPlace::Ends => at_ends(ui, theme, spot, &names),
        LegendPlace::Above | LegendPlace::Once | LegendPlace::None => {}
    }
}

/// Paints the name of a run at its left end, with its marker or in its colour.
pub fn entry(ui: &Ui, theme: &Theme, at: Pos2, (run, name): (usize, &str), marker: bool) {
    let style = theme.run(run);
    let galley = written::galley(ui, name, &theme.small(), if marker { theme.ink } else { style.colour });
    let height = galley.size().y;
    let mut left = at.x;
    if marker {
        let radius = 0.4 * theme.text.small;
        if theme.has_dashes() {
            let wide = 2.0 * radius + LINE * theme.text.small;
            let ends = [pos2(left, at.y), pos2(left + wide, at.y)];
            ui.painter().extend(run_marker::on_line(theme, ends, radius, style));
        } else {
            run_marker::paint(ui.painter(), pos2(left + radius, at.y), radius, style);
        }
        left += marker_width(theme);
    }
    ui.painter().galley(pos2(left, at.y - 0.5 * height), galley, theme.ink);
}

/// Names below each other, at the right of a plot.
fn column(ui: &Ui, theme: &Theme, spot: &Spot, names: &Waiting) {
    let (area, row) = (spot.area, 1.4 * theme.text.small);
    for (number, (run, name)) in names.iter().enumerate() {
        let at = pos2(area.right() + theme.space(2.0), area.top() + (number as f32 + 0.5) * row);
        entry(ui, theme, at, (*run, &within_column(ui, theme, spot, name)), true);
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
        let panel = panel_words(spot.panel);
        told::warn(ui, format!("{panel} has no curve of every run: names are at the right, not at the ends"));
        return column(ui, theme, spot, names);
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
        let name = within_column(ui, theme, spot, name);
        entry(ui, theme, pos2(spot.area.right() + theme.space(1.5), at), (run, &name), false);
    }
}
