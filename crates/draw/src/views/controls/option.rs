//! Controls of options of tabs, with labels and helps of their table.

use egui::{ComboBox, Ui};

use crate::words::word::Word;
use base::params::ParamSpec;

/// Adds a checkbox.
pub fn flag(ui: &mut Ui, on: &mut bool, spec: &ParamSpec) {
    ui.checkbox(on, spec.label).on_hover_text(spec.help);
}

/// Adds a checkbox with more to say than its help.
pub fn flag_that_says(ui: &mut Ui, on: &mut bool, spec: &ParamSpec, more: &[String]) {
    let help = std::iter::once(spec.help).chain(more.iter().map(String::as_str)).collect::<Vec<_>>().join("\n");
    ui.checkbox(on, spec.label).on_hover_text(help);
}

/// Adds a list of all words.
pub fn list<T: Word>(ui: &mut Ui, chosen: &mut T, width: f32) {
    list_of(ui, chosen, width, |_| true, T::label);
}

/// Adds a list of some words, with labels of their own.
pub fn list_of<T: Word>(
    ui: &mut Ui,
    chosen: &mut T,
    width: f32,
    offered: impl Fn(T) -> bool,
    label: impl Fn(T) -> &'static str,
) {
    let help = chosen.help();
    let shown = ui.name_inputs(T::SPEC.label, |ui| {
        let list = ComboBox::from_id_salt(T::SPEC.key).width(width).selected_text(label(*chosen));
        list.show_ui(ui, |ui| {
            for &word in T::ALL.iter().filter(|word| offered(**word)) {
                ui.selectable_value(chosen, word, label(word)).on_hover_text(word.help());
            }
        })
    });
    // Afterwards: a help text would be the name.
    shown.response.on_hover_text(help);
}
