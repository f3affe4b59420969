//! Controls for flags, choices, kinds and texts.

use egui::{ComboBox, Margin, Popup, PopupCloseBehavior, ScrollArea, TextEdit, Ui};

use base::params::{Choice, KindSpec, ParamSpec, excerpt};
use draw::kit::named::named;
use models::targets::ColumnChoice;

/// Rows of a list of columns that are shown at a time.
const LISTED: f32 = 12.0;

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

/// A text that is being written in a field.
#[derive(Clone)]
struct Draft {
    text: String,
    /// The text that it was to replace, once it was given up to those who decide: if that stays, the draft was refused.
    replaces: Option<String>,
}

/// A text field; returns the new text when Enter is pressed or the field loses the focus, not after Escape. A text that is refused
/// stays in the field, marked, until it is mended or Escape is pressed in it.
pub fn committed_text(ui: &mut Ui, label: &str, text: &str) -> Option<String> {
    let id = ui.scope_id().with(("text", label));
    let kept = ui.data(|data| data.get_temp::<Draft>(id));
    let kept = kept.filter(|draft| draft.replaces.as_ref().is_none_or(|replaced| replaced == text));
    let refused = kept.as_ref().is_some_and(|draft| draft.replaces.is_some());
    let mut draft = kept.map_or_else(|| text.to_owned(), |draft| draft.text);
    // A little narrower than usual, for names as long as those of the lessons.
    let field = TextEdit::singleline(&mut draft).margin(Margin::symmetric(3, 2));
    let field = if refused { field.text_color(ui.visuals().error_fg_color) } else { field };
    let mut response = ui.add(field.desired_width(ui.available_width()));
    if refused {
        response = response.on_hover_text("This was refused. Change it, or press Esc in the field to go back.");
    }
    let keep = |text: String, replaces| ui.data_mut(|data| data.insert_temp(id, Draft { text, replaces }));
    if response.has_focus() {
        keep(draft, (refused && !response.changed()).then(|| text.to_owned()));
        return None;
    }
    let escaped = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Escape));
    if draft == text || escaped || !(response.lost_focus() || refused) {
        ui.data_mut(|data| data.remove::<Draft>(id));
        return None;
    }
    // White space at the ends may go without a refusal.
    if draft.trim() == text.trim() {
        ui.data_mut(|data| data.remove::<Draft>(id));
    } else {
        keep(draft.clone(), Some(text.to_owned()));
    }
    (response.lost_focus() && !refused).then_some(draft)
}

/// A text field for a column of a table, or for several, with a list of their names to choose from.
pub fn columns(ui: &mut Ui, label: &str, (names, choice): (&[String], ColumnChoice), text: &str) -> Option<String> {
    let name = format!("Columns of the file: {label}");
    let button = named(ui.button("▾"), &name).on_hover_text("Choose from the columns of the file.");
    let closing = match choice {
        ColumnChoice::One => PopupCloseBehavior::CloseOnClick,
        ColumnChoice::Several => PopupCloseBehavior::CloseOnClickOutside,
    };
    let mut chosen = None;
    Popup::menu(&button).close_behavior(closing).show(|ui| {
        ScrollArea::vertical().max_height(LISTED * ui.spacing().interact_size.y).show(ui, |ui| {
            for name in names {
                chosen = match choice {
                    ColumnChoice::One => one(ui, name, text),
                    ColumnChoice::Several => in_list(ui, name, text),
                }
                .or(chosen.take());
            }
        });
    });
    let typed = committed_text(ui, label, text);
    chosen.or(typed)
}

/// A column that may be chosen.
fn one(ui: &mut Ui, name: &str, text: &str) -> Option<String> {
    ui.selectable_label(name == text.trim(), excerpt(name)).clicked().then(|| name.to_owned())
}

/// A column that may be in a list; a comma in its name would be one of the list.
fn in_list(ui: &mut Ui, name: &str, list: &str) -> Option<String> {
    let mut on = list.split(',').any(|other| other.trim() == name);
    let clicked = !name.contains(',') && ui.checkbox(&mut on, excerpt(name)).changed();
    clicked.then(|| toggled(list, name))
}

/// A list of names with commas with one more name, or without it if it is there.
fn toggled(list: &str, name: &str) -> String {
    let names = || list.split(',').map(str::trim).filter(|other| !other.is_empty());
    let others: Vec<&str> = names().filter(|other| *other != name).collect();
    let added = (others.len() == names().count()).then_some(name);
    others.into_iter().chain(added).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::toggled;

    #[test]
    fn a_name_is_added_to_a_list_or_taken_out_of_it() {
        assert_eq!(toggled("", "age"), "age");
        assert_eq!(toggled("age", "weight"), "age, weight");
        assert_eq!(toggled(" age ,weight", "height"), "age, weight, height");
        assert_eq!(toggled("age, weight", "age"), "weight");
        assert_eq!(toggled("age", "age"), "");
    }
}
