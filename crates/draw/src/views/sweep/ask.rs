//! A question to a sweep, chosen in the window: the largest or smallest value of an axis, or of the cost, with a measure within a bound.

use egui::{Button, ComboBox, DragValue, RichText, Ui};

use super::input::SweepInput;
use super::words;
use crate::theme::Theme;
use crate::words::numbers;
use engine::diagnostics::is_estimate;
use engine::scenario::{Bound, COST, Question};
use engine::session::sweep::{Cell, Spread};

/// A question that is being asked.
#[derive(Clone, Debug)]
pub struct Draft {
    largest: bool,
    of: String,
    measure: &'static str,
    at_most: bool,
    bound: f64,
}

impl Draft {
    fn new(input: &SweepInput<'_>) -> Self {
        let sweep = input.plan.sweep();
        let measure = sweep.measures[input.measure];
        let of = sweep.axes.first().map_or(COST, |axis| &axis.parameter).to_owned();
        Self { largest: true, of, measure, at_most: true, bound: usual(input, measure) }
    }

    fn question(&self) -> Question {
        let bound = if self.at_most { Bound::AtMost(self.bound) } else { Bound::AtLeast(self.bound) };
        Question { measure: self.measure, bound, largest: self.largest, of: self.of.clone() }
    }
}

/// A bound to begin with: the middle mean of all cells, with two digits.
fn usual(input: &SweepInput<'_>, key: &str) -> f64 {
    let Some(measure) = input.plan.sweep().measures.iter().position(|measure| *measure == key) else { return 0.0 };
    let counted = |value: f64| if is_estimate(key) { value.abs() } else { value };
    let of_seeds = |cell: &Cell| cell.measures[measure].iter().map(|value| value.map(counted)).collect::<Vec<_>>();
    let mut means: Vec<f64> = input.cells.iter().filter_map(|cell| Some(Spread::of(&of_seeds(cell))?.mean)).collect();
    means.sort_by(f64::total_cmp);
    let middle = means.get(means.len() / 2).copied().unwrap_or(0.0);
    format!("{middle:.1e}").parse().unwrap_or(middle)
}

/// Shows the button that begins a question, or its form; returns the question once it is asked.
pub fn show(ui: &mut Ui, draft: &mut Option<Draft>, input: &SweepInput<'_>, theme: &Theme) -> Option<Question> {
    let Some(asked) = draft else {
        let help = "Which value of a parameter keeps a measure within a bound, and which costs least?";
        if ui.add(Button::new("Ask…").small()).on_hover_text(help).clicked() {
            *draft = Some(Draft::new(input));
        }
        return None;
    };
    let sweep = input.plan.sweep();
    let name = |of: &str| words::quantity(input.plan, of);
    // The sweep may be another one by now.
    if !sweep.measures.contains(&asked.measure)
        || !(asked.of == COST || sweep.axes.iter().any(|axis| axis.parameter == asked.of))
    {
        *draft = None;
        return None;
    }
    ui.horizontal_wrapped(|ui| {
        choose(ui, "Largest or smallest", &mut asked.largest, &[(true, "largest"), (false, "smallest")]);
        ui.name_inputs("Of which quantity", |ui| {
            ComboBox::from_id_salt("of").selected_text(name(&asked.of)).show_ui(ui, |ui| {
                for of in sweep.axes.iter().map(|axis| axis.parameter.as_str()).chain([COST]) {
                    ui.selectable_value(&mut asked.of, of.to_owned(), name(of));
                }
            });
        });
        ui.label(RichText::new("with").color(theme.soft));
        let before = asked.measure;
        ui.name_inputs("Measure of the question", |ui| {
            ComboBox::from_id_salt("asked measure").selected_text(words::asked(asked.measure)).show_ui(ui, |ui| {
                for key in &sweep.measures {
                    ui.selectable_value(&mut asked.measure, *key, words::asked(key));
                }
            });
        });
        if asked.measure != before {
            asked.bound = usual(input, asked.measure);
        }
        choose(ui, "At most or at least", &mut asked.at_most, &[(true, "≤"), (false, "≥")]);
        let speed = 0.01 * asked.bound.abs().max(0.01);
        let field = DragValue::new(&mut asked.bound)
            .speed(speed)
            .custom_formatter(|value, _| numbers::exact(value))
            .custom_parser(numbers::parse);
        ui.name_inputs("Bound", |ui| ui.add(field));
    });
    let (mut done, mut given_up) = (None, false);
    ui.horizontal(|ui| {
        if ui.add(Button::new("Ask").small()).clicked() {
            done = Some(asked.question());
        }
        given_up = ui.add(Button::new("Cancel").small()).clicked();
    });
    if done.is_some() || given_up {
        *draft = None;
    }
    done
}

/// A list of two choices.
fn choose(ui: &mut Ui, name: &str, chosen: &mut bool, choices: &[(bool, &str); 2]) {
    let shown = choices.iter().find(|(value, _)| value == chosen).map_or("", |(_, label)| label);
    ui.name_inputs(name, |ui| {
        ComboBox::from_id_salt(name).selected_text(shown).width(0.0).show_ui(ui, |ui| {
            for (value, label) in choices {
                ui.selectable_value(chosen, *value, *label);
            }
        });
    });
}
