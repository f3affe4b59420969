//! Dialog for a table that is pasted: a field that takes it, and goes on to ask what it is.

use egui::{Context, Event, FontSelection, Label, RichText, ScrollArea, TextEdit, TextStyle, Ui};

use super::data_form::PasteForm;
use super::modal::{buttons, main_button, modal};
use crate::app::action::{Action, DataAction};
use crate::app::files::data::TableSource;
use draw::kit::named::with_name;
use draw::theme::Theme;
use models::targets::Reading;

/// Width of the dialog, in units of the theme.
const WIDTH: f32 = 150.0;

/// Lines of the field.
const ROWS: u8 = 8;

/// Bytes of a pasted text at most that the field shows.
const SHOWN: usize = 16 << 10;

/// Shows the field; returns whether the dialog stays open.
pub fn show(form: &mut PasteForm, context: &Context, theme: &Theme, actions: &mut Vec<Action>) -> bool {
    let mut given = pasted(context);
    if let Some(text) = &given {
        form.text = if text.len() <= SHOWN { text.clone() } else { String::new() };
    }
    modal(context, theme, "Paste a table", WIDTH, |ui| {
        let words = "Copy cells in a spreadsheet, or the lines of a CSV file, and paste them here. The table stays in the scenario, \
                     which then needs no file.";
        ui.add(Label::new(words).wrap());
        ui.add_space(theme.space(2.0));
        // The buttons stay in the window, however long a table is.
        let height = f32::from(ROWS) * ui.text_style_height(&TextStyle::Monospace) + theme.space(2.0);
        ScrollArea::vertical().id_salt("table").max_height(height).show(ui, |ui| field(ui, form));
        if let Some(problem) = &form.problem {
            ui.add(Label::new(RichText::new(problem).color(theme.error)).wrap());
        }
        buttons(ui, theme, |ui| {
            let able = !form.text.trim().is_empty();
            if ui.add_enabled_ui(able, |ui| main_button(ui, theme, "Go on")).inner {
                given = Some(form.text.clone());
            }
            let cancel = ui.button("Cancel").on_hover_text("Nothing is opened (Esc)").clicked();
            if let Some(text) = given.take() {
                form.problem = None;
                let source = TableSource::Pasted(text.into());
                actions.push(Action::Data(DataAction::Read { source, reading: Reading::default() }));
            }
            !cancel
        })
    })
}

fn field(ui: &mut Ui, form: &mut PasteForm) {
    let hint = "age\tdose\tsick\n31\t0.5\tno\n47\t1.0\tyes";
    let field = TextEdit::multiline(&mut form.text)
        .font(FontSelection::Style(TextStyle::Monospace))
        .desired_rows(ROWS.into())
        .desired_width(f32::INFINITY)
        .hint_text(hint);
    let response = with_name(ui.add(field), "Table");
    if response.changed() {
        form.problem = None;
    }
    if !std::mem::replace(&mut form.begun, true) {
        response.request_focus();
    }
}

/// What is pasted in this frame, which goes on at once and not into the field: it may be long.
fn pasted(context: &Context) -> Option<String> {
    context.input_mut(|input| {
        let mut found = None;
        input.events.retain_mut(|event| match event {
            Event::Paste(text) => {
                found = Some(std::mem::take(text));
                false
            }
            _ => true,
        });
        found
    })
}
