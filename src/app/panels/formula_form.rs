//! The form of a written density: what its text gives, log p, p or −log p. A text that looks like another form is offered in that one.

use egui::{Id, Ui};

use base::params::{NamedNumber, Settings};
use models::formula::{Form, Formula};
use models::targets::form_looked_like;

/// The form that a text looks like, and what that depends on.
#[derive(Clone)]
struct Look {
    text: String,
    target: Settings,
    form: Option<&'static str>,
}

/// What a formula gives in a form.
pub fn symbol(form: Form) -> &'static str {
    match form {
        Form::Density => "p",
        Form::Energy => "−log p",
        Form::LogDensity => "log p",
    }
}

/// The form that a text with these numbers looks like, if that is not the form of the target.
pub fn looked_like(
    ui: &Ui,
    id: Id,
    (text, formula): (&str, &Formula),
    numbers: &[NamedNumber],
    target: &Settings,
) -> Option<&'static str> {
    let id = id.with("look");
    let known = ui.data(|data| data.get_temp::<Look>(id));
    if let Some(known) = known.filter(|known| known.text == text && known.target == *target) {
        return known.form;
    }
    let numbers: Vec<f64> = numbers.iter().map(|number| number.value).collect();
    let form = form_looked_like(formula, &numbers, target);
    ui.data_mut(|data| data.insert_temp(id, Look { text: text.to_owned(), target: target.clone(), form }));
    form
}

/// The button that takes a text in another form.
pub fn read_as(ui: &mut Ui, form: &'static str) -> bool {
    let help = "Take the same text in this form: what it gives is then the density, its logarithm, or minus that";
    ui.button(format!("Read it as {}", symbol(Form::of(form)))).on_hover_text(help).clicked()
}
