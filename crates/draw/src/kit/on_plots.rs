//! What a figure has on its plots beside the curves: spines, names of runs, and notes with arrows.

use egui::{Align2, Color32, Id, Pos2, Rect, Response, Shape, Stroke, Ui, pos2, vec2};

use super::axis_spec::Ticks;
use super::legend::{self, Entry, Sample};
use super::own_axes::{Shown, memory, panel_words};
use super::told::{self, Spot};
use super::written;
use crate::theme::{LegendPlace, Spines, Theme};
use engine::scenario::figures::Note;

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
        let panel = panel_words(spot.panel);
        told::warn(ui, format!("{panel} has no curve of every run: names are at the right, not at the ends"));
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
    /// How far its ground reaches beyond the text, in sizes of text, and how much it covers: what is below it can be seen.
    const RIM: f32 = 0.15;
    const COVER: f32 = 0.65;
    /// How far the text is at least from what its arrow points at, in sizes of text.
    const AWAY: f32 = 1.2;
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
    if galley.size().x > spot.area.width() {
        told::warn(ui, format!("Note {} (\"{}\") is wider than its panel", note.number + 1, note.text));
    }
    let patch = Rect::from_center_size(at, galley.size());
    let mut patch = within(patch, spot.area);
    let to = note.arrow.and_then(|to| spot.position(to));
    if let Some(to) = to.filter(|to| patch.expand(RIM * size).contains(*to)) {
        match beside(patch, to, (spot.area, AWAY * size)) {
            Some(place) => patch = place,
            None => {
                let sentence = format!("Note {} (\"{}\") covers what it points at", note.number + 1, note.text);
                told::warn(ui, sentence);
            }
        }
    }
    // Cut off by the plot, they belong to it where another program draws it again.
    let painter = ui.painter().with_clip_rect(spot.area);
    if let Some(to) = to {
        let centre = patch.center();
        let way = to - centre;
        // From the edge of the text on.
        let edge = patch.expand(0.25 * size).size() * 0.5;
        let share = (edge.x / way.x.abs().max(1e-3)).min(edge.y / way.y.abs().max(1e-3)).min(1.0);
        let (from, along) = (centre + share * way, way.normalized());
        let stroke = Stroke::new(0.7 * theme.line(), colour);
        let back = to - TIP[0] * size * along;
        let side = TIP[1] * size * along.rot90();
        // Lines, which other programs draw as they are: of a triangle they make a marker that points up.
        painter.line_segment([from, to], stroke);
        painter.add(Shape::line(vec![back + side, to, back - side], stroke));
    }
    // Over data it can be read as well.
    painter.rect_filled(patch.expand(RIM * size), RIM * size, theme.paper.gamma_multiply(COVER));
    painter.galley(patch.min, galley, colour);
}

/// A rectangle moved into an area as far as it has space there.
fn within(patch: Rect, area: Rect) -> Rect {
    let moved = vec2(
        (area.left() - patch.left()).max(0.0) - (patch.right() - area.right()).max(0.0),
        (area.top() - patch.top()).max(0.0) - (patch.bottom() - area.bottom()).max(0.0),
    );
    patch.translate(moved)
}

/// The place of a text that would cover what its arrow points at: on that side of it, so far away, which has space and is nearest.
fn beside(patch: Rect, to: Pos2, (area, away): (Rect, f32)) -> Option<Rect> {
    let (size, half) = (patch.size(), 0.5 * patch.size() + egui::Vec2::splat(away));
    let sides = [vec2(-half.x, 0.0), vec2(half.x, 0.0), vec2(0.0, -half.y), vec2(0.0, half.y)];
    let places = sides.map(|side| within(Rect::from_center_size(to + side, size), area));
    let free = |place: &Rect| area.expand(0.5).contains_rect(*place) && !place.expand(0.5 * away).contains(to);
    let far = |place: &Rect| place.center().distance(patch.center());
    places.into_iter().filter(free).min_by(|one, other| far(one).total_cmp(&far(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_leaves_what_it_points_at() {
        let area = Rect::from_min_max(pos2(0.0, 0.0), pos2(100.0, 60.0));
        let size = vec2(40.0, 10.0);
        // At the right edge it is moved over its arrow's end: there is space above and below, above is nearer.
        let to = pos2(90.0, 30.0);
        let patch = within(Rect::from_center_size(pos2(95.0, 29.0), size), area);
        assert!(patch.contains(to), "{patch:?}");
        let place = beside(patch, to, (area, 5.0)).unwrap();
        assert!(area.expand(0.5).contains_rect(place) && place.bottom() < to.y, "{place:?}");
        // Without space it stays.
        let low = Rect::from_min_max(pos2(0.0, 0.0), pos2(50.0, 12.0));
        assert_eq!(beside(Rect::from_center_size(pos2(25.0, 6.0), size), pos2(25.0, 6.0), (low, 5.0)), None);
    }
}
