//! Notes of a figure placed on its picture: what is dragged, and where it goes.

use egui::{Pos2, Rect, Response, Stroke, Ui, pos2, vec2};

use base::params::{Settings, Value};
use draw::kit::gestures::Gesture;
use draw::sheet::{Spot, Told};
use draw::theme::Theme;

/// The gestures on the picture of a figure.
pub const GESTURES: [Gesture; 1] =
    [Gesture::at("Picture of a figure", "Drag a note or a tip", "Place the note, or the end of its arrow")];

/// How near the pointer must be to a note or a tip, in units of the theme.
const REACH: f32 = 6.0;

/// Digits of numbers that are dragged.
const DIGITS: i32 = 3;

/// What is dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Handle {
    note: usize,
    /// The tip of the arrow, or the text.
    tip: bool,
}

/// A picture on the screen and the points of its layout.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// Where the picture is.
    pub picture: Rect,
    /// Width and height of its layout in points.
    pub layout: egui::Vec2,
}

impl Shown {
    fn on_screen(self, at: Pos2) -> Pos2 {
        self.picture.min + at.to_vec2() / self.layout * self.picture.size()
    }

    fn in_layout(self, at: Pos2) -> Pos2 {
        pos2(0.0, 0.0) + (at - self.picture.min) / self.picture.size() * self.layout
    }
}

/// Drags notes on a picture; returns the changed figure.
pub fn drag(
    ui: &Ui,
    theme: &Theme,
    (figure, told): (&Settings, &Told),
    (shown, response): (Shown, &Response),
) -> Option<Settings> {
    let handles = handles(figure, told);
    let memory = response.id.with("dragged note");
    let near = |at: Pos2| {
        let distance = |position: Pos2| shown.on_screen(position).distance(at);
        let nearest = handles.iter().min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
        nearest.filter(|handle| distance(handle.1) < theme.space(REACH)).map(|handle| handle.0)
    };
    if let Some(at) = response.hover_pos().filter(|at| near(*at).is_some()) {
        ui.ctx().set_cursor_icon(egui::CursorIcon::Grab);
        let of = near(at).and_then(|handle| handles.iter().find(|known| known.0 == handle));
        if let Some((_, position, _)) = of {
            let ring = Stroke::new(theme.line(), theme.accent);
            ui.painter().circle_stroke(shown.on_screen(*position), theme.space(2.0), ring);
        }
    }
    if response.drag_started() {
        let begun = ui.input(|input| input.pointer.press_origin()).and_then(near);
        ui.data_mut(|data| data.insert_temp::<Option<Handle>>(memory, begun));
    }
    let dragged: Handle = ui.data(|data| data.get_temp::<Option<Handle>>(memory)).flatten()?;
    if response.drag_stopped() {
        ui.data_mut(|data| data.insert_temp::<Option<Handle>>(memory, None));
    }
    let at = response.interact_pointer_pos().filter(|_| response.dragged())?;
    let (_, _, spot) = handles.iter().find(|handle| handle.0 == dragged)?;
    let inside = spot.area.clamp(shown.in_layout(at));
    ui.painter().circle_stroke(shown.on_screen(inside), theme.space(2.0), Stroke::new(theme.line(), theme.accent));
    let key = if dragged.tip { "arrow" } else { "at" };
    let mut notes = figure.list("note").to_vec();
    notes.get_mut(dragged.note)?.set(key, Value::Pair(rounded(spot, inside))).ok()?;
    let mut changed = figure.clone();
    changed.set("note", Value::List(notes)).ok()?;
    Some(changed)
}

/// Numbers at a position of the layout, with as many digits as can be seen.
fn rounded(spot: &Spot, at: Pos2) -> [f64; 2] {
    let (numbers, beside) = (spot.numbers(at), spot.numbers(at + vec2(1.0, -1.0)));
    std::array::from_fn(|axis| {
        let step = (beside[axis] - numbers[axis]).abs();
        if step <= 0.0 {
            return numbers[axis];
        }
        let scale = 10f64.powi(DIGITS - 2 - step.log10().ceil() as i32);
        (numbers[axis] * scale).round() / scale
    })
}

/// What can be dragged, where it is in the layout, and its plot.
fn handles(figure: &Settings, told: &Told) -> Vec<(Handle, Pos2, Spot)> {
    let mut found = Vec::new();
    for (note, entry) in figure.list("note").iter().enumerate() {
        let panel = entry.number("panel");
        let Some(spot) = told.spots.iter().find(|spot| (spot.panel as f64 + 1.0 - panel).abs() < 0.5) else { continue };
        let own = |key: &str| if let Some(Value::Pair(pair)) = entry.get(key) { Some(*pair) } else { None };
        let placed = || told.placed.iter().find(|(number, _)| *number == note).map(|(_, at)| *at);
        for (tip, pair) in [(true, own("arrow")), (false, own("at").or_else(placed))] {
            if let Some(at) = pair.and_then(|pair| spot.position(pair)) {
                found.push((Handle { note, tip }, at, *spot));
            }
        }
    }
    found
}

/// Adds a note to the first panel with axes, with an arrow. Its text is where it covers least, until it is dragged.
pub fn add(figure: &mut Settings, told: &Told) {
    let spot = told.spots.first();
    let at =
        |x: f32, y: f32| spot.map_or([0.0; 2], |spot| rounded(spot, spot.area.min + vec2(x, y) * spot.area.size()));
    let values = [
        ("panel", Value::Number(spot.map_or(1.0, |spot| spot.panel as f64 + 1.0))),
        ("text", Value::Text("note".to_owned())),
        ("arrow", Value::Pair(at(0.65, 0.55))),
    ];
    super::entries::add(figure, "note", &values);
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::scenario::figures::FIGURE;

    fn spot() -> Spot {
        let area = Rect::from_min_max(pos2(20.0, 10.0), pos2(220.0, 110.0));
        Spot { panel: 1, area, min: [0.0, -3.0], max: [1000.0, 0.0], log: [false, true], labelled: [true; 2] }
    }

    #[test]
    fn a_new_note_is_on_the_first_plot_and_its_handles_where_it_is() {
        let mut figure = Settings::defaults(&FIGURE);
        let told = Told { spots: vec![spot()], ..Told::default() };
        add(&mut figure, &told);
        add(&mut figure, &told);
        assert_eq!(handles(&figure, &told).len(), 2, "before a picture is drawn there are the tips alone");
        let at = spot().numbers(pos2(120.0, 40.0));
        let told = Told { placed: vec![(0, at), (1, at)], ..told };
        let found = handles(&figure, &told);
        assert_eq!(found.len(), 4);
        let (text, tip) = (found[1], found[0]);
        assert!(tip.0.tip && !text.0.tip && text.0.note == 0 && found[2].0.note == 1);
        assert!((text.1 - pos2(120.0, 40.0)).length() < 1.0, "{:?}", text.1);
        assert!((tip.1 - pos2(150.0, 65.0)).length() < 1.0, "{:?}", tip.1);
    }

    /// Numbers are as round as a point of the layout allows, and no more.
    #[test]
    fn dragged_numbers_are_round() {
        let at = pos2(123.4, 43.2);
        let numbers = rounded(&spot(), at);
        assert!((spot().position(numbers).unwrap() - at).length() < 0.3, "{numbers:?}");
        assert!(format!("{}", numbers[0]).len() <= 5 && format!("{}", numbers[1]).len() <= 7, "{numbers:?}");
    }

    #[test]
    fn positions_on_the_screen_and_in_the_layout_agree() {
        let shown =
            Shown { picture: Rect::from_min_size(pos2(100.0, 50.0), vec2(300.0, 150.0)), layout: vec2(600.0, 300.0) };
        let at = pos2(200.0, 100.0);
        assert!((shown.in_layout(shown.on_screen(at)) - at).length() < 1e-3);
        assert_eq!(shown.on_screen(at), pos2(200.0, 100.0));
    }
}
