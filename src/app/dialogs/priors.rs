//! Priors in the dialog of data: which one the coefficients have and which one σ, and what it means.

use egui::{Align, CollapsingHeader, ComboBox, Label, RichText, Ui};

use crate::app::controls::{labelled, number_field};
use base::params::{ParamType, Settings, Value};
use draw::theme::Theme;
use draw::words::numbers;
use engine::scenario::from_data::{Draft, PriorOf, prior_in_words};
use models::targets::SheetColumn;

/// Width of the lists and of the fields for numbers, in units of the theme.
const LIST: f32 = 70.0;
const FIELD: f32 = 20.0;

/// Share of a number by which a drag of a point changes it.
const SPEED: f64 = 0.02;

/// Shows the priors of a regression, folded at first.
pub(super) fn show(ui: &mut Ui, theme: &Theme, draft: &mut Draft, response: &SheetColumn) {
    let parts: &[PriorOf] =
        if draft.has_noise() { &[PriorOf::Coefficients, PriorOf::Sigma] } else { &[PriorOf::Coefficients] };
    let told: Vec<String> = parts.iter().filter_map(|of| in_short(draft, *of, response)).collect();
    let header = RichText::new(format!("Priors: {}", told.join("; ")));
    let shown = CollapsingHeader::new(header).id_salt("priors").show_unindented(ui, |ui| {
        for of in parts {
            part(ui, theme, draft, (*of, response));
        }
    });
    // What opens comes into view.
    if let Some(body) = shown.body_response.filter(|_| shown.openness < 1.0) {
        body.scroll_to_me(Some(Align::BOTTOM));
    }
}

/// A prior with its scale: normal, sd 2.5.
fn in_short(draft: &Draft, of: PriorOf, response: &SheetColumn) -> Option<String> {
    let (prior, is_chosen) = draft.prior(of, response)?;
    let name = prior.kind.label.to_lowercase();
    if by_ranges(draft, of, is_chosen) {
        return Some(format!("{name}, by the range of each column"));
    }
    let last = prior.kind.params.last();
    let scale = last.map_or_else(String::new, |spec| {
        format!(", {} {}", spec.label, numbers::significant(prior.number(spec.key), 4))
    });
    let of = if of == PriorOf::Sigma { "σ " } else { "" };
    Some(format!("{of}{name}{scale}"))
}

/// Whether every coefficient has a prior of its own, by the range of its column.
fn by_ranges(draft: &Draft, of: PriorOf, is_chosen: bool) -> bool {
    of == PriorOf::Coefficients && !is_chosen && !draft.standardise
}

fn part(ui: &mut Ui, theme: &Theme, draft: &mut Draft, (of, response): (PriorOf, &SheetColumn)) {
    let Some((prior, is_chosen)) = draft.prior(of, response) else { return };
    let (label, help) = match of {
        PriorOf::Coefficients => (
            "coefficients",
            "The prior of the coefficients, of each alike. The usual one leaves room for any effect that data can show.",
        ),
        PriorOf::Sigma => (
            "σ of the noise",
            "The prior of the standard deviation of the noise; or the standard deviation, if it is known.",
        ),
    };
    let usual = draft.usual_prior(of, response).map_or("", |usual| usual.kind.label);
    let usual = format!("usual: {}", usual.to_lowercase());
    labelled(ui, label, help, |ui| {
        ui.name_inputs(label, |ui| {
            let shown = if is_chosen { prior.kind.label } else { usual.as_str() };
            ComboBox::from_id_salt(("prior", label)).width(theme.space(LIST)).selected_text(shown).show_ui(ui, |ui| {
                if ui.selectable_label(!is_chosen, usual.as_str()).clicked() {
                    draft.priors.choose(of, None);
                }
                for kind in of.kinds() {
                    let is_this = is_chosen && *kind == *prior.kind;
                    if ui.selectable_label(is_this, kind.label).on_hover_text(kind.help).clicked() && !is_this {
                        draft.priors.choose(of, Some(prior.converted(kind)));
                    }
                }
            });
        });
    });
    if by_ranges(draft, of, is_chosen) {
        let words = "Weakly informative: across its range a column may change the response by ten times what is seen.";
        ui.add(Label::new(RichText::new(words).color(theme.soft)).wrap());
        return;
    }
    if let Some(edited) = fields(ui, theme, &prior) {
        draft.priors.choose(of, Some(edited));
    }
    let words = format!("{}, {}.", prior_in_words(&prior), draft.unit_of_prior(of));
    ui.add(Label::new(RichText::new(words).color(theme.soft)).wrap());
}

/// The numbers of a prior in a row; returns the prior with an edited one.
fn fields(ui: &mut Ui, theme: &Theme, prior: &Settings) -> Option<Settings> {
    let mut edited = None;
    if prior.kind.params.is_empty() {
        return None;
    }
    labelled(ui, "", "", |ui| {
        ui.horizontal_wrapped(|ui| {
            for spec in prior.kind.params {
                let ParamType::Number { legal, .. } = spec.ty else { continue };
                let mut number = prior.number(spec.key);
                ui.label(spec.label).on_hover_text(spec.help);
                ui.name_inputs(spec.label, |ui| {
                    let speed = SPEED * number.abs().max(0.1);
                    if number_field(ui, &mut number, legal, speed, theme.space(FIELD)) {
                        let mut next = prior.clone();
                        edited = next.set(spec.key, Value::Number(number)).ok().map(|()| next);
                    }
                });
            }
        });
    });
    edited
}
