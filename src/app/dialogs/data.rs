//! Data: what a table has, what a person takes it for, and the scenario that is made of it.

use egui::{ComboBox, Context, Label, Rect, RichText, ScrollArea, Sense, TextEdit, TextStyle, Ui, UiBuilder, vec2};

use super::data_form::{DataForm, Role};
use super::modal::{buttons, main_button, modal};
use super::priors;
use crate::app::action::{Action, DataAction};
use crate::app::controls::labelled;
use base::params::{excerpt, printable};
use draw::kit::named::with_name;
use draw::theme::Theme;
use draw::words::numbers;
use engine::scenario::from_data::{Draft, Question};
use models::targets::{Ambiguity, ColumnKind, DecimalChoice, HeaderChoice, MissingChoice, SheetColumn};

/// Width of the dialog, of a column of the preview, of the lists, in units of the theme.
const WIDTH: f32 = 190.0;
const COLUMN: f32 = 31.0;
const LIST: f32 = 70.0;

/// Heights of the choices and of what is told at most, as shares of the window's.
const CHOICES: f32 = 0.36;
const WORDS: f32 = 0.16;

/// Rows of the preview.
const ROWS: usize = 5;

/// Shows the dialog; returns whether it stays open.
pub fn show(form: &mut DataForm, context: &Context, theme: &Theme, actions: &mut Vec<Action>) -> bool {
    modal(context, theme, "Data", WIDTH, |ui| {
        let found = format!("{}: {}.", printable(&form.source.name()), form.sheet.in_words());
        ui.add(Label::new(found).wrap());
        unclear(ui, theme, form, actions);
        ui.add_space(theme.space(2.0));
        preview(ui, theme, form);
        ui.add_space(theme.space(2.0));
        let most = CHOICES * context.content_rect().height();
        let area = ScrollArea::vertical().id_salt("choices").max_height(most).auto_shrink([false, true]);
        area.show(ui, |ui| choices(ui, theme, form));
        ui.add_space(theme.space(2.0));
        let (words, colour) = match &form.problem {
            Some(problem) => (problem.clone(), theme.error),
            None => (told(form), theme.soft),
        };
        // Every word of an error is there, and the buttons below it.
        let most = WORDS * context.content_rect().height();
        let area = ScrollArea::vertical().id_salt("words").max_height(most).auto_shrink([false, true]);
        area.show(ui, |ui| ui.add(Label::new(RichText::new(words).color(colour)).wrap()));
        buttons(ui, theme, |ui| {
            let able = form.draft.response.is_some() && !form.is_made;
            let open = ui.add_enabled_ui(able, |ui| main_button(ui, theme, "Open")).inner;
            let cancel = ui.button("Cancel").on_hover_text("Nothing is opened (Esc)").clicked();
            if form.is_made {
                ui.spinner();
                ui.label("Making its target, and finding out the truth about it");
            }
            if open {
                form.is_made = true;
                let (source, draft, sheet) = (form.source.clone(), Box::new(form.draft.clone()), form.sheet.clone());
                actions.push(Action::Data(DataAction::Make { source, draft, sheet }));
            }
            !cancel
        })
    })
}

/// What can be read in two ways, and the choice between them, which stays once it was made.
fn unclear(ui: &mut Ui, theme: &Theme, form: &DataForm, actions: &mut Vec<Action>) {
    let reading = form.sheet.reading;
    let ambiguity = form.sheet.ambiguity.as_ref();
    if let Some(ambiguity) = ambiguity {
        let words = format!("Unclear: {}.", ambiguity.in_words());
        ui.add(Label::new(RichText::new(words).color(theme.warning)).wrap());
    }
    let mut chosen = reading;
    ui.horizontal_wrapped(|ui| {
        let is_decimal = matches!(ambiguity, Some(Ambiguity::Decimal { .. }));
        if reading.decimal != DecimalChoice::Automatic || is_decimal {
            for (choice, name) in [(DecimalChoice::Point, "Decimal point"), (DecimalChoice::Comma, "Decimal comma")] {
                ui.radio_value(&mut chosen.decimal, choice, name);
            }
        }
        if reading.header != HeaderChoice::Automatic || matches!(ambiguity, Some(Ambiguity::Header { .. })) {
            for (choice, name) in
                [(HeaderChoice::Names, "Names in the first line"), (HeaderChoice::Data, "Data in the first line")]
            {
                ui.radio_value(&mut chosen.header, choice, name);
            }
        }
    });
    if chosen != reading {
        actions.push(Action::Data(DataAction::Read { source: form.source.clone(), reading: chosen }));
    }
}

/// The columns side by side: name, what is in it, what it is taken for, and its first cells. Only those in sight are laid out.
fn preview(ui: &mut Ui, theme: &Theme, form: &mut DataForm) {
    // Few columns share the width, up to twice that of one among many.
    let share = ui.available_width() / form.sheet.columns.len().max(1) as f32;
    let (wide, gap) = (share.clamp(theme.space(COLUMN), theme.space(2.0 * COLUMN)), theme.space(2.0));
    let line = ui.text_style_height(&TextStyle::Body) + ui.spacing().item_spacing.y;
    let height = line * (ROWS + 2) as f32 + ui.spacing().interact_size.y + gap;
    // That there are more columns is seen also without the pointer.
    ui.spacing_mut().scroll.dormant_handle_opacity = ui.spacing().scroll.active_handle_opacity;
    let area = ScrollArea::horizontal().id_salt("columns of the data").auto_shrink([false, true]);
    area.show_viewport(ui, |ui, viewport| {
        let count = form.sheet.columns.len();
        let (whole, _) = ui.allocate_exact_size(vec2(wide * count as f32, height), Sense::hover());
        let is_seen = |index: &usize| {
            let left = wide * *index as f32;
            left < viewport.max.x && left + wide > viewport.min.x
        };
        let cell = |index: usize| {
            let corner = whole.min + vec2(wide * index as f32, 0.0);
            Rect::from_min_size(corner, vec2(wide - gap, height))
        };
        if let Some(response) = form.draft.response.filter(|_| !std::mem::replace(&mut form.begun, true)) {
            ui.scroll_to_rect(cell(response), None);
        }
        for index in (0..count).filter(is_seen) {
            let cell = cell(index);
            let of_column = UiBuilder::new().max_rect(cell).id_salt(("column", index));
            ui.scope_builder(of_column, |ui| column(ui, theme, form, index));
        }
    });
}

fn column(ui: &mut Ui, theme: &Theme, form: &mut DataForm, index: usize) {
    let column = &form.sheet.columns[index];
    let (title, kind) = (printable(&column.title()).into_owned(), kind_in_words(column));
    ui.add(Label::new(RichText::new(&title).font(theme.strong())).truncate()).on_hover_text(&title);
    let why = form.draft.left_out.iter().find(|(left, _)| *left == column.title());
    let help = why.map_or_else(|| kind.clone(), |(_, why)| format!("{kind}\nNot used: {why}"));
    ui.add(Label::new(RichText::new(&kind).font(theme.small()).color(theme.soft)).truncate()).on_hover_text(help);
    let role = Role::of(&form.draft, index);
    let mut chosen = role;
    ui.name_inputs(&title, |ui| {
        let list = ComboBox::from_id_salt(("role", index)).width(ui.available_width()).selected_text(role.label());
        list.show_ui(ui, |ui| {
            for choice in roles(&form.draft, column) {
                ui.selectable_value(&mut chosen, choice, choice.label());
            }
        });
    });
    for row in form.sheet.first_rows().iter().take(ROWS) {
        let cell = printable(row.get(index).map_or("", String::as_str));
        let colour = if role == Role::Unused { theme.soft } else { theme.ink };
        let text = if cell.is_empty() { "–".into() } else { cell };
        ui.add(Label::new(RichText::new(text).color(colour)).truncate());
    }
    if chosen != role {
        form.give_role(index, chosen);
    }
}

/// What a column may be taken for.
fn roles(draft: &Draft, column: &SheetColumn) -> Vec<Role> {
    let may_count = matches!(column.kind, ColumnKind::Numbers { whole: true, low, .. } if low >= 0.0);
    let are_positive = matches!(column.kind, ColumnKind::Numbers { low, .. } if low > 0.0);
    let all = [
        (Role::Unused, true),
        (Role::Response, Question::ALL.into_iter().any(|question| question.suits(column))),
        (Role::Predictor, draft.takes(column)),
        (Role::Trials, may_count && draft.question == Question::Logistic),
        (Role::Error, are_positive && draft.question == Question::Groups),
    ];
    all.into_iter().filter(|(_, may_be)| *may_be).map(|(role, _)| role).collect()
}

/// What is in a column, in a few words.
fn kind_in_words(column: &SheetColumn) -> String {
    let span = |low: f64, high: f64| format!("{} to {}", numbers::significant(low, 4), numbers::significant(high, 4));
    let kind = match &column.kind {
        ColumnKind::Numbers { whole: true, low, high, .. } => format!("whole, {}", span(*low, *high)),
        ColumnKind::Numbers { low, high, .. } => format!("numbers, {}", span(*low, *high)),
        ColumnKind::YesNo([no, yes]) => format!("{} or {}", no.word, yes.word),
        ColumnKind::Words(levels) => format!("{} words", levels.len()),
        ColumnKind::Text { different, .. } => format!("{different} texts"),
        ColumnKind::Empty => "empty".to_owned(),
    };
    let missing = if column.missing > 0 { format!(", {} missing", column.missing) } else { String::new() };
    let faults = if column.faults > 0 { format!(", {} no numbers", column.faults) } else { String::new() };
    format!("{kind}{missing}{faults}")
}

/// What the data are, and how they are used.
fn choices(ui: &mut Ui, theme: &Theme, form: &mut DataForm) {
    let (wide, sheet) = (theme.space(LIST), form.sheet.clone());
    let question = form.draft.question;
    let mut chosen = question;
    labelled(ui, "What is it?", question.help(), |ui| {
        ui.name_inputs("What is it?", |ui| {
            let list = ComboBox::from_id_salt("question").width(wide).selected_text(question.label());
            list.show_ui(ui, |ui| {
                for other in Question::of_sheet(&sheet) {
                    ui.selectable_value(&mut chosen, other, other.label()).on_hover_text(other.help());
                }
            });
        });
    });
    if chosen != question {
        form.ask(chosen);
    }
    let draft = &mut form.draft;
    let response = draft.response.and_then(|index| sheet.columns.get(index));
    if let Some(ColumnKind::Words(levels)) = response.map(|column| &column.kind)
        && levels.len() == 2
        && draft.question != Question::Classes
    {
        let now = if draft.one.is_empty() { &levels[1].word } else { &draft.one };
        let mut one = now.clone();
        labelled(ui, "counts as 1", "Which of the two words of the response counts as a success.", |ui| {
            for level in levels {
                ui.radio_value(&mut one, level.word.clone(), printable(&level.word));
            }
        });
        draft.one = one;
    }
    for column in draft.factors(&sheet) {
        reference(ui, wide, draft, column);
    }
    if draft.is_regression() {
        let help = "More terms, with commas between them: products of columns as age:dose, powers and functions as age^2 or log(dose).";
        labelled(ui, "more terms", help, |ui| {
            let hint = "age:dose, age^2";
            let field = TextEdit::singleline(&mut draft.interactions).hint_text(hint).desired_width(wide);
            with_name(ui.add(field), "more terms");
        });
    }
    if draft.has_scale() {
        scale(ui, draft);
    }
    let without = draft.rows_without(&sheet);
    if without > 0 {
        let rows = if without == 1 { "1 row lacks a value".to_owned() } else { format!("{without} rows lack a value") };
        labelled(ui, &rows, "Rows in which a cell that is used is empty, or has a word such as NA.", |ui| {
            ui.radio_value(&mut draft.missing, MissingChoice::LeaveOut, "leave out");
            ui.radio_value(&mut draft.missing, MissingChoice::Refuse, "refuse the table");
        });
    }
    if let Some(response) = response.filter(|_| draft.is_regression()) {
        priors::show(ui, theme, draft, response);
    }
}

/// Whether numbers are standardised; the terms of a regression may be centred only.
fn scale(ui: &mut Ui, draft: &mut Draft) {
    let help = "Shift and scale numbers to mean 0 and standard deviation 1: one prior and one step size then suit all of them.";
    if !draft.is_regression() {
        labelled(ui, "standardise", help, |ui| ui.checkbox(&mut draft.standardise, ""));
        return;
    }
    let mut chosen = (draft.standardise, draft.centre && !draft.standardise);
    labelled(ui, "columns", "What becomes of the numbers before they are used, but not of levels of words.", |ui| {
        for (choice, name, help) in [
            ((true, false), "standardise", help),
            (
                (false, true),
                "centre",
                "Shift them to mean 0: the intercept is the response where all of them are at their means.",
            ),
            ((false, false), "as they are", "Intercept and coefficients are in the units of the file."),
        ] {
            ui.radio_value(&mut chosen, choice, name).on_hover_text(help);
        }
    });
    (draft.standardise, draft.centre) = chosen;
}

/// The level with which the others of a factor are compared; of an A/B test the word of arm A.
fn reference(ui: &mut Ui, wide: f32, draft: &mut Draft, column: &SheetColumn) {
    let title = printable(&excerpt(&column.title())).into_owned();
    let (label, help) = match draft.question {
        Question::Arms => (format!("{title}: arm A"), "The arm with which the other one, B, is compared: the control."),
        _ => (
            format!("{title}: reference"),
            "The level with which the others are compared: each other one has a coefficient, its difference from this one.",
        ),
    };
    let Some(now) = draft.reference(column).map(str::to_owned) else { return };
    let mut chosen = now.clone();
    labelled(ui, &label, help, |ui| {
        ui.name_inputs(&label, |ui| {
            let list = ComboBox::from_id_salt(("reference", column.index)).width(wide);
            list.selected_text(printable(&excerpt(&now))).truncate().show_ui(ui, |ui| {
                for level in Draft::levels(column) {
                    let rows = if level.count == 1 { "1 row".to_owned() } else { format!("{} rows", level.count) };
                    let words = format!("{} ({rows})", printable(&excerpt(&level.word)));
                    ui.selectable_value(&mut chosen, level.word.clone(), words);
                }
            });
        });
    });
    if chosen != now {
        draft.choose_reference(column.index, &chosen);
    }
}

/// What will be opened, in a sentence.
fn told(form: &DataForm) -> String {
    let DataForm { draft, sheet, .. } = form;
    let title = |index: &usize| sheet.columns.get(*index).map_or_else(String::new, SheetColumn::title);
    let Some(response) = draft.response.as_ref().map(title) else {
        let why = if draft.why.is_empty() { "choose one, or another table" } else { &draft.why };
        return printable(&format!("No column can be a response: {why}.")).into_owned();
    };
    let more = draft.interactions.split(',').map(str::trim).filter(|term| !term.is_empty() && draft.is_regression());
    let predictors: Vec<String> = draft.predictors.iter().map(title).chain(more.map(str::to_owned)).collect();
    let of = if predictors.is_empty() { String::new() } else { format!(" by {}", predictors.join(", ")) };
    let why = if draft.why.is_empty() { String::new() } else { format!(" ({})", draft.why) };
    let error = draft.sd.as_ref().map_or_else(String::new, |index| format!(" ± \"{}\"", title(index)));
    printable(&format!("{}: \"{response}\"{error}{of}{why}.", draft.question.label())).into_owned()
}
