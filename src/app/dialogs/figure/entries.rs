//! Single axes and notes of a figure: a block of rows for each, which stay where they are whatever is set, with what is wrong below its field.

use egui::{Button, ComboBox, RichText, TextEdit, Ui};

use super::texts::set_text;
use crate::app::controls::{labelled, number_field};
use base::params::{Interval, ParamError, ParamType, Settings, Value};
use draw::kit::named::{named, part, with_name};
use draw::sheet::{Spot, Told};
use draw::theme::Theme;
use engine::scenario::figures::FIGURE;

/// Width of a number, in units of the theme.
const NUMBER: f32 = 17.0;

/// Ticks of an axis that gets a number of its own.
const TICKS: f64 = 5.0;

/// What the rows of all entries depend on.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// Colours and sizes.
    pub theme: &'a Theme,
    /// The panels, in the order of reading.
    pub panels: &'a [String],
    /// What the last preview told.
    pub told: &'a Told,
    /// What is wrong with the figure.
    pub wrong: &'a [ParamError],
}

/// Shows the axes of a figure; changes them.
pub fn axes(ui: &mut Ui, around: Around<'_>, figure: &mut Settings) {
    list(ui, "axis", "Axis", figure, |ui, number, entry| axis(ui, around, number, entry));
    if ui.small_button("+ axis").on_hover_text("Name, limits and ticks of an axis of one panel or of all").clicked() {
        add(figure, "axis", &[("axis", Value::Choice("x"))]);
    }
}

/// Shows the notes of a figure; changes them.
pub fn notes(ui: &mut Ui, around: Around<'_>, figure: &mut Settings) {
    list(ui, "note", "Note", figure, |ui, number, entry| note(ui, around, number, entry));
}

/// Shows what is wrong with the value of a path.
pub fn fault(ui: &mut Ui, theme: &Theme, wrong: &[ParamError], path: &str) {
    for error in wrong.iter().filter(|error| error.path == path) {
        // The field above says which it is.
        let ParamError { problem, allowed, .. } = error;
        let text = format!("{problem}; allowed: {allowed}");
        ui.label(RichText::new(text).font(theme.small()).color(theme.error));
    }
}

/// Adds an entry with some values to a list.
pub fn add(figure: &mut Settings, key: &str, values: &[(&str, Value)]) {
    let Some(ParamType::List(kind)) = FIGURE.param(key).map(|spec| spec.ty) else { return };
    let mut entry = Settings::defaults(kind);
    for (key, value) in values {
        // Values of their types are allowed.
        entry.set(key, value.clone()).ok();
    }
    let entries = [figure.list(key), &[entry]].concat();
    figure.set(key, Value::List(entries)).ok();
}

/// The entries of a list, each with its number and a button that removes it; `rows` shows one.
fn list(
    ui: &mut Ui,
    key: &str,
    name: &str,
    figure: &mut Settings,
    mut rows: impl FnMut(&mut Ui, usize, &mut Settings),
) {
    let mut entries = figure.list(key).to_vec();
    let mut removed = None;
    for (number, entry) in entries.iter_mut().enumerate() {
        part(ui, (key, number), |ui| {
            ui.horizontal(|ui| {
                ui.strong(format!("{name} {}", number + 1));
                let words = format!("Remove {} {}", name.to_lowercase(), number + 1);
                if named(ui.small_button("×"), &words).on_hover_text(&words).clicked() {
                    removed = Some(number);
                }
            });
            rows(ui, number, entry);
        });
    }
    if let Some(number) = removed {
        entries.remove(number);
    }
    if entries.is_empty() {
        figure.clear(key);
    } else if entries != figure.list(key) {
        // All that is required is there.
        figure.set(key, Value::List(entries)).ok();
    }
}

fn axis(ui: &mut Ui, around: Around<'_>, number: usize, entry: &mut Settings) {
    let (Around { theme, panels, told, wrong }, path) = (around, format!("axis[{number}]"));
    panel(ui, theme, (panels, true), entry);
    fault(ui, theme, wrong, &format!("{path}.panel"));
    labelled(ui, "axis", "The horizontal or the vertical one.", |ui| {
        for side in ["x", "y"] {
            if ui.selectable_label(entry.word("axis") == side, side).clicked() {
                entry.set("axis", Value::Choice(side)).ok();
            }
        }
    });
    text(ui, entry, ("name", "name", "Its name, such as \\log p(θ | x); that of the plot if empty."), "as usual");
    text(ui, entry, ("unit", "unit", "Its unit, in brackets behind the name."), "none");
    let usual = present(told, entry);
    optional_pair(ui, theme, entry, ("limits", "limits", "Lower and upper end, in the numbers of its ticks."), usual);
    fault(ui, theme, wrong, &format!("{path}.limits"));
    text(ui, entry, ("ticks", "ticks", "Where they are, and what they are called: 0, 0.5 = half, 1."), "as usual");
    fault(ui, theme, wrong, &format!("{path}.ticks"));
    labelled(ui, "number of ticks", "About how many there are, at round numbers.", |ui| {
        let mut own = entry.optional_number("count").is_some();
        let mut count = entry.optional_number("count").unwrap_or(TICKS);
        ui.checkbox(&mut own, "own");
        ui.add_enabled(own, egui::DragValue::new(&mut count).range(2.0..=20.0).speed(0.05).max_decimals(0));
        if own {
            entry.set("count", Value::Number(count.round())).ok();
        } else {
            entry.clear("count");
        }
    });
}

fn note(ui: &mut Ui, around: Around<'_>, number: usize, entry: &mut Settings) {
    let (Around { theme, panels, told, wrong }, path) = (around, format!("note[{number}]"));
    let before = entry.optional_number("panel");
    panel(ui, theme, (panels, false), entry);
    if entry.optional_number("panel") != before {
        bring_in(told, entry);
    }
    fault(ui, theme, wrong, &format!("{path}.panel"));
    text(ui, entry, ("text", "text", "What it says, in the markup of names."), "");
    let placed = told.placed.iter().find(|(note, _)| *note == number).map(|(_, at)| at.map(short));
    let spot = spot_of(told, entry);
    let middle = || spot.map(|spot| spot.numbers(spot.area.center()).map(short));
    let usual = placed.or_else(middle).unwrap_or_default();
    let help = "Where its middle is, in the numbers of the ticks; where it covers least if not its own. Drag it in the picture.";
    optional_pair(ui, theme, entry, ("at", "at", help), usual);
    let at = pair_of(entry, "at").unwrap_or(usual);
    // A new arrow ends a little to the right of the text and below it.
    let beside = spot.and_then(|spot| Some(spot.numbers(spot.position(at)? + 0.12 * spot.area.size())));
    optional_pair(ui, theme, entry, ("arrow", "arrow to", "Where its arrow ends."), beside.unwrap_or(at).map(short));
    labelled(ui, "size", "The size of its text, as a multiple of that of ticks.", |ui| {
        let mut size = entry.number("size");
        if ui.add(egui::DragValue::new(&mut size).range(0.5..=4.0).speed(0.01).max_decimals(2)).changed() {
            entry.set("size", Value::Number(size)).ok();
        }
    });
    text(ui, entry, ("colour", "colour", "Red, green and blue, as #0072b2; that of text if empty."), "that of text");
    fault(ui, theme, wrong, &format!("{path}.colour"));
}

/// The panel of an entry, by its name; an axis may be of all.
fn panel(ui: &mut Ui, theme: &Theme, (panels, all): (&[String], bool), entry: &mut Settings) {
    const ALL: &str = "all panels";
    let number = entry.optional_number("panel");
    let name = |number: f64| {
        let found = panels.iter().enumerate().find(|(at, _)| (*at as f64 + 1.0 - number).abs() < 0.5);
        found.map_or_else(|| format!("panel {number}, which there is not"), |(_, name)| name.clone())
    };
    let selected = number.map_or_else(|| ALL.to_owned(), name);
    labelled(ui, "panel", "The panel that it is of.", |ui| {
        ui.name_inputs("panel", |ui| {
            let width = theme.space(56.0).min(ui.available_width());
            ComboBox::from_id_salt("panel").width(width).truncate().selected_text(selected).show_ui(ui, |ui| {
                ui.ctx().move_to_top(ui.layer_id());
                if all && ui.selectable_label(number.is_none(), ALL).clicked() {
                    entry.clear("panel");
                }
                for (at, name) in panels.iter().enumerate() {
                    let own = at as f64 + 1.0;
                    if ui.selectable_label(number.is_some_and(|number| (number - own).abs() < 0.5), name).clicked() {
                        entry.set("panel", Value::Number(own)).ok();
                    }
                }
            })
        });
    });
}

/// A text that changes as it is typed.
fn text(ui: &mut Ui, entry: &mut Settings, (key, label, help): (&str, &str, &str), hint: &str) {
    let mut text = entry.word(key).to_owned();
    labelled(ui, label, help, |ui| {
        let field = TextEdit::singleline(&mut text).hint_text(hint).desired_width(f32::INFINITY);
        if with_name(ui.add(field), label).changed() {
            set_text(entry, key, &text);
        }
    });
}

/// Two numbers with a box that says whether they are the entry's own; first they are the `usual` ones.
fn optional_pair(
    ui: &mut Ui,
    theme: &Theme,
    entry: &mut Settings,
    (key, label, help): (&str, &str, &str),
    usual: [f64; 2],
) {
    labelled(ui, label, help, |ui| {
        let pair = pair_of(entry, key);
        let mut own = pair.is_some();
        if ui.checkbox(&mut own, "own").changed() {
            if own {
                entry.set(key, Value::Pair(usual)).ok();
            } else {
                entry.clear(key);
            }
        }
        if let Some(changed) = numbers(ui, theme, pair.unwrap_or(usual), pair.is_some()) {
            entry.set(key, Value::Pair(changed)).ok();
        }
    });
}

/// Two numbers in a row; returns changed ones.
fn numbers(ui: &mut Ui, theme: &Theme, pair: [f64; 2], enabled: bool) -> Option<[f64; 2]> {
    let mut edited = pair;
    let speed = ((pair[1] - pair[0]).abs() / 200.0).max(1e-3);
    let mut changed = false;
    ui.add_enabled_ui(enabled, |ui| {
        for number in &mut edited {
            changed |= number_field(ui, number, Interval::ANY, speed, theme.space(NUMBER));
        }
    });
    changed.then_some(edited)
}

fn pair_of(entry: &Settings, key: &str) -> Option<[f64; 2]> {
    if let Some(Value::Pair(pair)) = entry.get(key) { Some(*pair) } else { None }
}

/// The plot of the panel of an entry, as the last preview had it; of one for all panels the first.
fn spot_of<'a>(told: &'a Told, entry: &Settings) -> Option<&'a Spot> {
    let is_of =
        |spot: &&Spot| entry.optional_number("panel").is_none_or(|own| (spot.panel as f64 + 1.0 - own).abs() < 0.5);
    told.spots.iter().find(is_of)
}

/// Brings a note that is outside of its panel into the middle, with its arrow.
fn bring_in(told: &Told, entry: &mut Settings) {
    let Some(spot) = spot_of(told, entry) else { return };
    let outside = |pair: [f64; 2]| spot.position(pair).is_none_or(|at| !spot.area.contains(at));
    for (key, [x, y]) in [("at", [0.5, 0.5]), ("arrow", [0.65, 0.7])] {
        let place = spot.area.min + egui::vec2(x, y) * spot.area.size();
        if pair_of(entry, key).is_some_and(outside) {
            entry.set(key, Value::Pair(spot.numbers(place).map(short))).ok();
        }
    }
}

/// The ends that an axis has at present.
fn present(told: &Told, entry: &Settings) -> [f64; 2] {
    let Some(spot) = spot_of(told, entry) else { return [0.0, 1.0] };
    let axis = usize::from(entry.word("axis") == "y");
    [spot.area.left_bottom(), spot.area.right_top()].map(|corner| short(spot.numbers(corner)[axis]))
}

/// A number with three digits.
fn short(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}

/// A button that adds a note; returns whether it was clicked.
pub fn add_button(ui: &mut Ui) -> bool {
    ui.add(Button::new("+ note").small()).on_hover_text("A text on a panel, with an arrow").clicked()
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Rect, pos2};

    /// A note of another panel, where its numbers are none of the axes, is in the middle of that; others stay where they are.
    #[test]
    fn a_note_in_another_panel_is_within_it() {
        let area = Rect::from_min_max(pos2(20.0, 10.0), pos2(220.0, 110.0));
        let spot =
            Spot { panel: 1, area, min: [0.0, -3.0], max: [1000.0, 0.0], log: [false, true], labelled: [true; 2] };
        let told = Told { spots: vec![spot], ..Told::default() };
        let mut figure = Settings::defaults(&FIGURE);
        let values =
            |at| [("panel", Value::Number(2.0)), ("text", Value::Text("here".into())), ("at", Value::Pair(at))];
        for at in [[-3.0, 0.1], [200.0, 0.1], [5.0, -1.0]] {
            add(&mut figure, "note", &[&values(at)[..], &[("arrow", Value::Pair([3000.0, 0.5]))]].concat());
        }
        let found = figure.list("note").iter().cloned().map(|mut note| {
            bring_in(&told, &mut note);
            assert!(area.contains(spot.position(pair_of(&note, "arrow").unwrap()).unwrap()), "{note:?}");
            spot.position(pair_of(&note, "at").unwrap()).unwrap()
        });
        let found: Vec<egui::Pos2> = found.collect();
        assert!((found[0] - area.center()).length() < 1.0 && (found[2] - area.center()).length() < 1.0, "{found:?}");
        assert!((found[1].x - 60.0).abs() < 1e-3, "{found:?}");
    }

    /// The limits that an axis gets first are those that it has; on a logarithmic axis in the numbers of its ticks.
    #[test]
    fn an_axis_begins_with_the_limits_that_it_has() {
        let area = Rect::from_min_max(pos2(20.0, 10.0), pos2(220.0, 110.0));
        let spot =
            Spot { panel: 1, area, min: [0.0, -3.0], max: [1000.0, 0.0], log: [false, true], labelled: [true; 2] };
        let told = Told { spots: vec![spot], ..Told::default() };
        let mut figure = Settings::defaults(&FIGURE);
        add(&mut figure, "axis", &[("axis", Value::Choice("y")), ("panel", Value::Number(2.0))]);
        add(&mut figure, "axis", &[("axis", Value::Choice("x"))]);
        let [y, x] = figure.list("axis") else { panic!("two axes") };
        let near = |found: [f64; 2], expected: [f64; 2]| found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(near(present(&told, y), [0.001, 1.0]), "{:?}", present(&told, y));
        assert!(near(present(&told, x), [0.0, 1000.0]));
        assert!(near(present(&Told::default(), x), [0.0, 1.0]));
    }
}
