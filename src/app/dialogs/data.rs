//! Data: what a table has, what a person takes it for, and the scenario that is made of it.

use egui::{ComboBox, Context, Label, Rect, RichText, ScrollArea, TextEdit, Ui, UiBuilder, vec2};

use super::modal::{buttons, main_button, modal};
use super::open_dialog::DataDialog;
use crate::app::action::{Action, DataAction};
use crate::app::controls::labelled;
use base::params::printable;
use draw::theme::Theme;
use engine::scenario::{Draft, Question, Role};
use models::targets::{Ambiguity, ColumnKind, DecimalChoice, HeaderChoice, MissingChoice, Reading, SheetColumn};

/// Width of the dialog, of a column of the preview, of the lists, in units of the theme.
const WIDTH: f32 = 190.0;
const COLUMN: f32 = 30.0;
const LIST: f32 = 60.0;

/// Rows of the preview.
const ROWS: usize = 5;

/// Shows the dialog; returns whether it stays open.
pub fn show(form: &mut DataDialog, context: &Context, theme: &Theme, actions: &mut Vec<Action>) -> bool {
    modal(context, theme, "Data", WIDTH, |ui| {
        let name = form.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let found = format!("{}: {}.", printable(&name), form.sheet.in_words());
        ui.add(Label::new(found).wrap());
        unclear(ui, theme, form, actions);
        ui.add_space(theme.space(2.0));
        preview(ui, theme, form);
        ui.add_space(theme.space(2.0));
        choices(ui, theme, form);
        let made = form.draft.text(&form.sheet, &name);
        ui.add_space(theme.space(2.0));
        let (words, colour) = match &made {
            Ok(_) => (form.draft.in_words(&form.sheet), theme.soft),
            Err(problem) => (problem.clone(), theme.error),
        };
        ui.add(Label::new(RichText::new(words).color(colour)).wrap());
        buttons(ui, theme, |ui| {
            let open = ui.add_enabled_ui(made.is_ok(), |ui| main_button(ui, theme, "Open")).inner;
            let cancel = ui.button("Cancel").on_hover_text("Nothing is opened (Esc)").clicked();
            if let (true, Ok(text)) = (open, made) {
                actions.push(Action::Data(DataAction::Make { path: form.path.clone(), text }));
            }
            !(open || cancel)
        })
    })
}

/// What can be read in two ways, and the choice between them; the choice stays once it was made.
fn unclear(ui: &mut Ui, theme: &Theme, form: &DataDialog, actions: &mut Vec<Action>) {
    let reading = form.sheet.reading;
    if let Some(ambiguity) = &form.sheet.ambiguity {
        let words = format!("Unclear: {}.", ambiguity.in_words());
        ui.add(Label::new(RichText::new(words).color(theme.warning)).wrap());
    }
    let mut chosen = reading;
    let is_unclear = |of: fn(&Ambiguity) -> bool| form.sheet.ambiguity.as_ref().is_some_and(of);
    ui.horizontal(|ui| {
        if reading.decimal != DecimalChoice::Automatic || is_unclear(|of| matches!(of, Ambiguity::Decimal { .. })) {
            for (choice, name) in [(DecimalChoice::Point, "Decimal point"), (DecimalChoice::Comma, "Decimal comma")] {
                ui.radio_value(&mut chosen.decimal, choice, name);
            }
        }
        if reading.header != HeaderChoice::Automatic || is_unclear(|of| matches!(of, Ambiguity::Header { .. })) {
            for (choice, name) in
                [(HeaderChoice::Names, "Names in the first line"), (HeaderChoice::Data, "Data in the first line")]
            {
                ui.radio_value(&mut chosen.header, choice, name);
            }
        }
    });
    if chosen != reading {
        actions.push(Action::Data(DataAction::Read { path: form.path.clone(), reading: chosen }));
    }
}

/// The columns side by side: name, what is in it, what it is taken for, and its first cells. Only those in sight are laid out.
fn preview(ui: &mut Ui, theme: &Theme, form: &mut DataDialog) {
    let wide = theme.space(COLUMN);
    let line = ui.text_style_height(&egui::TextStyle::Body) + ui.spacing().item_spacing.y;
    let height = line * (ROWS + 2) as f32 + ui.spacing().interact_size.y + theme.space(2.0);
    ScrollArea::horizontal().id_salt("columns of the data").show_viewport(ui, |ui, viewport| {
        let count = form.sheet.columns.len();
        let (whole, _) = ui.allocate_exact_size(vec2(wide * count as f32, height), egui::Sense::hover());
        let shown = |edge: f32| (edge / wide).max(0.0) as usize;
        for index in shown(viewport.min.x)..count.min(shown(viewport.max.x) + 1) {
            let corner = whole.min + vec2(wide * index as f32, 0.0);
            let cell = Rect::from_min_size(corner, vec2(wide - theme.space(2.0), height));
            ui.scope_builder(UiBuilder::new().max_rect(cell).id_salt(("column", index)), |ui| {
                column(ui, theme, form, index)
            });
        }
    });
}

fn column(ui: &mut Ui, theme: &Theme, form: &mut DataDialog, index: usize) {
    let column = &form.sheet.columns[index];
    let (title, kind) = (printable(&column.title()).into_owned(), kind_in_words(column));
    ui.add(Label::new(RichText::new(&title).font(theme.strong())).truncate()).on_hover_text(&title);
    ui.add(Label::new(RichText::new(&kind).font(theme.small()).color(theme.soft)).truncate()).on_hover_text(&kind);
    let mut role = form.draft.role(index);
    let roles = form.draft.roles(&form.sheet, index);
    ui.name_inputs(&title, |ui| {
        ComboBox::from_id_salt(("role", index)).width(ui.available_width()).selected_text(role.label()).show_ui(
            ui,
            |ui| {
                for choice in roles {
                    ui.selectable_value(&mut role, choice, choice.label());
                }
            },
        );
    });
    form.draft.set_role(index, role);
    for row in form.sheet.first_rows().iter().take(ROWS) {
        let cell = printable(row.get(index).map_or("", String::as_str));
        let (text, colour) = if cell.is_empty() { ("–".into(), theme.soft) } else { (cell, theme.ink) };
        ui.add(Label::new(RichText::new(text).color(colour)).truncate());
    }
}

/// What is in a column, in a few words.
fn kind_in_words(column: &SheetColumn) -> String {
    let kind = match &column.kind {
        ColumnKind::Numbers { whole: true, low, high, .. } => format!("whole numbers, {low} to {high}"),
        ColumnKind::Numbers { low, high, .. } => format!("numbers, {low} to {high}"),
        ColumnKind::YesNo([no, yes]) => format!("{} or {}", no.word, yes.word),
        ColumnKind::Words(levels) => format!("words, {} different", levels.len()),
        ColumnKind::Text { different, .. } => format!("texts, {different} different"),
        ColumnKind::Empty => "empty".to_owned(),
    };
    let missing = (column.missing > 0).then(|| format!("; {} missing", column.missing)).unwrap_or_default();
    let faults = (column.faults > 0).then(|| format!("; {} are no numbers", column.faults)).unwrap_or_default();
    format!("{kind}{missing}{faults}")
}
