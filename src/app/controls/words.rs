//! Controls for flags, choices, kinds and texts.

use egui::{ComboBox, TextEdit, Ui};

use crate::params::{Choice, KindSpec, ParamSpec};

/// A checkbox.
pub fn flag(ui: &mut Ui, spec: &ParamSpec, on: bool) -> Option<bool> {
    let mut edited = on;
    ui.checkbox(&mut edited, "").on_hover_text(spec.help).changed().then_some(edited)
}

/// A list of words; returns the one that was clicked.
pub fn choice(ui: &mut Ui, label: &str, choices: &'static [Choice], word: &str) -> Option<&'static str> {
    let shown = choices.iter().find(|choice| choice.name == word).map_or(word, |choice| choice.label);
    let mut chosen = None;
    combo(ui, label, shown, |ui| {
        for choice in choices {
            if ui.selectable_label(choice.name == word, choice.label).on_hover_text(choice.help).clicked() {
                chosen = Some(choice.name);
            }
        }
    });
    chosen
}

/// A list of those kinds that are offered; returns the new one if another was chosen.
pub fn kind(
    ui: &mut Ui,
    label: &str,
    (kinds, offered): (&'static [KindSpec], impl Fn(&'static KindSpec) -> bool),
    current: &KindSpec,
) -> Option<&'static KindSpec> {
    let mut chosen = None;
    combo(ui, label, current.label, |ui| {
        for kind in kinds.iter().filter(|kind| offered(kind)) {
            let selected = kind == current;
            if ui.selectable_label(selected, kind.label).on_hover_text(kind.help).clicked() && !selected {
                chosen = Some(kind);
            }
        }
    });
    chosen
}

fn combo(ui: &mut Ui, label: &str, shown: &str, entries: impl FnOnce(&mut Ui)) {
    let width = ui.available_width();
    ui.name_inputs(label, |ui| {
        ComboBox::from_id_salt(label).selected_text(shown).width(width).truncate().show_ui(ui, entries)
    });
}

/// A text field; returns the new text when Enter is pressed or the field loses the focus, not after Escape.
pub fn committed_text(ui: &mut Ui, label: &str, text: &str) -> Option<String> {
    let id = ui.scope_id().with(("text", label));
    let mut draft = ui.data(|data| data.get_temp::<String>(id)).unwrap_or_else(|| text.to_owned());
    let response = ui.add(TextEdit::singleline(&mut draft).desired_width(ui.available_width()));
    if response.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, draft));
        return None;
    }
    ui.data_mut(|data| data.remove::<String>(id));
    let escaped = ui.input(|input| input.key_pressed(egui::Key::Escape));
    (response.lost_focus() && !escaped && draft != text).then_some(draft)
}
