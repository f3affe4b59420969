//! Controls of numbers with names of their own: a slider each, and the ends of the slider.

use egui::{Label, Ui};

use super::numeric::{self, Scale};
use base::params::{Interval, NamedNumber};
use draw::kit::named::{named, part};

/// Width of the column of names, in widths of the smallest control.
const NAMES: f32 = 0.9;

/// A slider with positive ends whose ratio is at least this is logarithmic.
const LOG_FROM: f64 = 50.0;

/// Rows of a name, a slider with a field, and a button with the ends of the slider.
pub fn numbers(ui: &mut Ui, numbers: &[NamedNumber]) -> Option<Vec<NamedNumber>> {
    let mut edited = None;
    ui.vertical(|ui| {
        for (index, number) in numbers.iter().enumerate() {
            let changed = part(ui, &number.name, |ui| ui.horizontal(|ui| row(ui, number)).inner);
            if let Some(number) = changed {
                edited.get_or_insert_with(|| numbers.to_vec())[index] = number;
            }
        }
        if numbers.is_empty() {
            ui.weak("none in the formula");
        }
    });
    edited
}

fn row(ui: &mut Ui, number: &NamedNumber) -> Option<NamedNumber> {
    let small = ui.spacing().interact_size;
    let size = egui::vec2(NAMES * small.x, small.y);
    let label = ui
        .allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.set_min_size(size);
            ui.add(Label::new(&number.name).truncate())
        })
        .inner;
    let held = egui::Id::unique(("slider of", ui.scope_id(), &number.name));
    let range = ends_of(number, ui.data(|data| data.get_temp(held)));
    let ends = ends(ui, number, range);
    let log = range.0 > 0.0 && range.1 >= LOG_FROM * range.0;
    let scale = Scale { legal: Interval::ANY, slider: range, log, whole: false };
    let value = ui.label_inputs_by(label.id, |ui| numeric::number(ui, number.value, &scale));
    match (value, ends) {
        (Some(value), _) => {
            ui.data_mut(|data| data.insert_temp(held, Held { ends: range, value }));
            Some(NamedNumber { value, ..number.clone() })
        }
        (None, Some(range)) => Some(NamedNumber { range: Some(range), ..number.clone() }),
        (None, None) => None,
    }
}

/// The ends that a slider had when it was moved last, and the number that it was moved to.
#[derive(Clone, Copy)]
struct Held {
    ends: (f64, f64),
    value: f64,
}

/// The ends of a slider: those of the number, or the ones at which it was moved to the present number, so that it stays under the hand. A file
/// has only those that a person has chosen.
fn ends_of(number: &NamedNumber, held: Option<Held>) -> (f64, f64) {
    let held = held.filter(|held| number.range.is_none() && held.value.to_bits() == number.value.to_bits());
    held.map_or_else(|| number.slider(), |held| held.ends)
}

/// A button whose menu has the ends of the slider.
fn ends(ui: &mut Ui, number: &NamedNumber, (from, to): (f64, f64)) -> Option<(f64, f64)> {
    let name = format!("Range of the slider of {}", number.name);
    let button = named(ui.small_button("⋯"), &name).on_hover_text(&name);
    let mut edited = None;
    egui::Popup::menu(&button).close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.label(&name);
        edited = ui.name_inputs(&name, |ui| numeric::pair(ui, Interval::ANY, [from, to]));
    });
    edited.filter(|[from, to]| from < to).map(|[from, to]| (from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slider_that_was_moved_keeps_its_ends_until_the_number_changes_otherwise() {
        let held = Some(Held { ends: (0.0, 3.0), value: 2.5 });
        assert_eq!(ends_of(&NamedNumber::new("s", 2.5), held), (0.0, 3.0));
        assert_eq!(ends_of(&NamedNumber::new("s", 1.5), held), (0.0, 3.0));
        assert_eq!(ends_of(&NamedNumber::new("s", 2.0), held), (0.0, 4.0));
        assert_eq!(ends_of(&NamedNumber { range: Some((1.0, 9.0)), ..NamedNumber::new("s", 2.5) }, held), (1.0, 9.0));
    }
}
