//! Controls for flags, choices, kinds and texts.

use egui::{
    ComboBox, Id, Label, Margin, Popup, PopupCloseBehavior, Response, RichText, ScrollArea, TextBuffer, TextEdit,
    TextStyle, Ui,
};

use super::refused::Refused;
use base::params::{Choice, KindSpec, ParamSpec, excerpt, printable};
use draw::kit::named::named;
use draw::kit::shortened;
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
    /// What became of it once it was given up to those who decide.
    given: Option<Given>,
}

/// A text that was given up.
#[derive(Clone)]
struct Given {
    /// The text that it was to replace.
    replaces: String,
    /// The number of the refusal before it.
    refusal: u64,
    /// Whether it has been the text for some time: the session may refuse it later.
    was_taken: bool,
}

impl Given {
    /// What is to be done in a field that had `draft` when the text is `now`.
    fn fate(&self, draft: &str, now: &str, refused: Option<&Refused>) -> Fate {
        match () {
            () if now == draft => Fate::Taken,
            () if now != self.replaces => Fate::Replaced,
            () if !self.was_taken || refused.is_some_and(|refused| refused.number > self.refusal) => Fate::Refused,
            // Taken back by a person.
            () => Fate::Replaced,
        }
    }
}

/// What became of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It is the text.
    Taken,
    /// It is not, and stays in the field.
    Refused,
    /// There is another one.
    Replaced,
}

/// A text field for the name of a run. While it is not edited, one that has no space is without its middle.
pub fn committed_name(ui: &mut Ui, label: &str, name: &str) -> Option<String> {
    committed(ui, label, (name, true), None)
}

/// A text field; returns the new text when Enter is pressed or the field loses the focus, not after Escape. A text that is refused, at once or
/// by the session, stays in the field, marked and with the reason, until it is mended or Escape is pressed in it.
pub fn committed_text(ui: &mut Ui, label: &str, text: &str, refused: Option<Refused>) -> Option<String> {
    committed(ui, label, (text, false), refused)
}

fn committed(ui: &mut Ui, label: &str, (text, is_name): (&str, bool), refused: Option<Refused>) -> Option<String> {
    let id = ui.scope_id().with(("text", label));
    let kept = ui.data(|data| data.get_temp::<Draft>(id));
    let fate = kept.as_ref().and_then(|draft| Some(draft.given.as_ref()?.fate(&draft.text, text, refused.as_ref())));
    if let (Some(Fate::Taken), Some(Draft { text, given: Some(given) })) = (fate, &kept) {
        let given = Some(Given { was_taken: true, ..given.clone() });
        ui.data_mut(|data| data.insert_temp(id, Draft { text: text.clone(), given }));
    }
    let is_refused = fate == Some(Fate::Refused);
    let kept = kept.filter(|_| fate.is_none() || is_refused);
    let given = kept.as_ref().and_then(|draft| draft.given.clone());
    let mut draft = kept.map_or_else(|| text.to_owned(), |draft| draft.text);
    let why = refused.as_ref().filter(|_| is_refused).map(|refused| refused.why.as_str());
    let mut response = field(ui, id, (&mut draft, is_name), (is_refused, why));
    if is_refused {
        response = response.on_hover_text("This was refused. Change it, or press Esc in the field to go back.");
    }
    let keep = |text: String, given| ui.data_mut(|data| data.insert_temp(id, Draft { text, given }));
    if response.has_focus() {
        keep(draft, given.filter(|_| !response.changed()));
        return None;
    }
    let escaped = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Escape));
    if draft == text && fate == Some(Fate::Taken) {
        return None;
    }
    if draft == text || escaped || !(response.lost_focus() || is_refused) {
        ui.data_mut(|data| data.remove::<Draft>(id));
        return None;
    }
    // White space at the ends may go without a refusal.
    if draft.trim() == text.trim() {
        ui.data_mut(|data| data.remove::<Draft>(id));
    } else if !is_refused {
        let refusal = refused.map_or(0, |refused| refused.number);
        keep(draft.clone(), Some(Given { replaces: text.to_owned(), refusal, was_taken: false }));
    }
    (response.lost_focus() && !is_refused).then_some(draft)
}

/// The margin of a field: a little narrower than usual, for names as long as those of the lessons.
const MARGIN: Margin = Margin::symmetric(3, 2);

/// The field, of a text that was refused with the reason below it. It is the same one with and without.
fn field(
    ui: &mut Ui,
    id: Id,
    (draft, is_name): (&mut String, bool),
    (is_refused, why): (bool, Option<&str>),
) -> Response {
    let id = id.with("field");
    let font = TextStyle::Body.resolve(ui.style());
    let is_cut = is_name
        && !ui.memory(|memory| memory.has_focus(id))
        && shortened::width(ui, draft, &font) > ui.available_width() - f32::from(MARGIN.left + MARGIN.right);
    let whole = draft.clone();
    let mut layouter = |ui: &Ui, text: &dyn TextBuffer, room: f32| {
        let short = shortened::shortened(ui, text.as_str(), &font, room);
        ui.painter().layout_no_wrap(short, font.clone(), ui.visuals().widgets.inactive.text_color())
    };
    let field = TextEdit::singleline(draft).id(id).margin(MARGIN);
    let field = if is_cut { field.layouter(&mut layouter) } else { field };
    let colour = ui.visuals().error_fg_color;
    let field = if is_refused { field.text_color(colour) } else { field };
    let Some(why) = why else {
        let response = ui.add(field.desired_width(ui.available_width()));
        return if is_cut { response.on_hover_text(printable(&whole).into_owned()) } else { response };
    };
    let below = |ui: &mut Ui| {
        let response = ui.add(field.desired_width(ui.available_width()));
        ui.add(Label::new(RichText::new(printable(why)).small().color(colour)).wrap());
        response
    };
    ui.vertical(below).inner
}

/// A text field for a column of a table, or for several, with a list of their names to choose from.
pub fn columns(
    ui: &mut Ui,
    label: &str,
    (names, choice): (&[String], ColumnChoice),
    (text, refused): (&str, Option<Refused>),
) -> Option<String> {
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
    let typed = committed_text(ui, label, text, refused);
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
    use super::{Fate, Given, Refused, toggled};

    #[test]
    fn a_text_that_the_session_refuses_later_stays_and_one_that_is_undone_does_not() {
        let given = |was_taken| Given { replaces: "0.1".to_owned(), refusal: 2, was_taken };
        let refused = |number| Refused { number, why: String::new() };
        let fate = |was_taken, now, number| given(was_taken).fate("0.1, abc", now, Some(&refused(number)));
        assert_eq!(fate(false, "0.1", 2), Fate::Refused, "at once");
        assert_eq!(fate(false, "0.1, abc", 2), Fate::Taken);
        assert_eq!(fate(true, "0.1", 3), Fate::Refused, "by the session");
        assert_eq!(fate(true, "0.1", 2), Fate::Replaced, "undone");
        assert_eq!(fate(true, "0.2", 3), Fate::Replaced);
    }

    #[test]
    fn a_name_is_added_to_a_list_or_taken_out_of_it() {
        assert_eq!(toggled("", "age"), "age");
        assert_eq!(toggled("age", "weight"), "age, weight");
        assert_eq!(toggled(" age ,weight", "height"), "age, weight, height");
        assert_eq!(toggled("age, weight", "age"), "weight");
        assert_eq!(toggled("age", "age"), "");
    }
}
