//! What is below the field of a written density, always in the same space: what can be done with the text, what is wrong with it, or what
//! became of it.

use egui::text::LayoutJob;
use egui::{Align, Image, Label, Layout, RichText, Sense, TextureHandle, Ui, UiBuilder, vec2};

use super::formula_form::read_as;
use base::params::{ParamError, printable};
use draw::theme::Theme;
use models::formula::{Formula, FormulaError};
use models::targets::form_meant;

/// Its height, in units of the theme: that of a picture, or of what is wrong.
const HEIGHT: f32 = 22.0;

/// Says of a name that others give to a coordinate, or write for a case, that it is a parameter here.
fn remark(ui: &mut Ui, theme: &Theme, formula: &Formula) {
    let found = formula.parameters().find_map(|name| Some((name, Formula::hint(name)?)));
    let Some((name, meant)) = found else { return };
    let words = RichText::new(format!("{name} is a parameter")).font(theme.small()).color(theme.soft);
    ui.add(Label::new(words).truncate()).on_hover_text(format!("Perhaps {meant}"));
}

/// What is below the field, always in the same space: fields further down stay in their places while somebody types.
fn below<R>(ui: &mut Ui, theme: &Theme, layout: Layout, content: impl FnOnce(&mut Ui) -> R) -> R {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme.space(HEIGHT)), Sense::hover());
    let mut ui = ui.new_child(UiBuilder::new().max_rect(rect).layout(layout));
    ui.shrink_clip_rect(rect);
    content(&mut ui)
}

/// What is asked for of a text without errors.
#[derive(Clone, Copy, Debug)]
pub enum Asked {
    Apply,
    Undo,
    /// To apply it in another form.
    Read(&'static str),
}

/// The picture of a text without errors, and what can be done with it; it may look like one of another form.
pub fn proposal(
    ui: &mut Ui,
    theme: &Theme,
    picture: Option<&TextureHandle>,
    formula: &Formula,
    other: Option<&'static str>,
) -> Option<Asked> {
    below(ui, theme, Layout::left_to_right(Align::Min), |ui| {
        if other.is_some() {
            // Its picture in the present form says little, and buttons need the space.
            return ui.horizontal_wrapped(|ui| buttons(ui, other)).inner;
        }
        if let Some(texture) = picture {
            let height = theme.space(HEIGHT);
            let picture = Image::new(texture).fit_to_exact_size(vec2(height * 4.0 / 3.0, height));
            ui.add(picture.corner_radius(theme.space(0.75))).on_hover_text("The density in the present view");
        }
        ui.vertical(|ui| {
            let asked = buttons(ui, None);
            remark(ui, theme, formula);
            asked
        })
        .inner
    })
}

fn buttons(ui: &mut Ui, other: Option<&'static str>) -> Option<Asked> {
    let apply = ui.button("Apply").on_hover_text("Use this formula as the target (Enter)").clicked();
    let read = other.filter(|form| read_as(ui, form));
    let undo = ui.button("Undo writing").clicked();
    if undo { Some(Asked::Undo) } else { read.map(Asked::Read).or(apply.then_some(Asked::Apply)) }
}

/// What became of the text in the field, once it was applied.
#[derive(Clone, Copy, Debug)]
pub enum Standing<'a> {
    /// It is not known yet whether a target can be made of it.
    Checked,
    /// It was refused.
    Refused(&'a ParamError),
    /// It is that of the target, with these warnings.
    InUse(&'a [String]),
}

/// What to do with the field, while its text is that of the target, or of one that was asked for; returns the form that is asked for in the place
/// of that in which the text was refused.
pub fn nothing_written(ui: &mut Ui, theme: &Theme, standing: Standing<'_>) -> Option<&'static str> {
    below(ui, theme, Layout::top_down(Align::Min), |ui| {
        let form = if let Standing::Refused(error) = standing { form_meant(error) } else { None };
        let asked = form.filter(|form| read_as(ui, form));
        let words = match standing {
            Standing::Checked => {
                "This formula is being checked. Runs keep the one before it until that is done.".to_owned()
            }
            Standing::Refused(error) => {
                format!("This formula is not in use. What helps: {}.", printable(&error.allowed))
            }
            Standing::InUse([]) => {
                "This is the formula of the target. Change it, and press Enter to apply the change.".to_owned()
            }
            Standing::InUse(warnings) => {
                let warnings: Vec<String> = warnings.iter().map(|words| format!("▲ {}", printable(words))).collect();
                warnings.join("\n")
            }
        };
        ui.add(Label::new(RichText::new(words).font(theme.small()).color(theme.soft)).wrap());
        asked
    })
}

/// What is wrong, and what is allowed; the whole text is under the pointer.
pub fn explain(ui: &mut Ui, theme: &Theme, error: &FormulaError) {
    below(ui, theme, Layout::top_down(Align::Min), |ui| faults(ui, theme, error));
}

fn faults(ui: &mut Ui, theme: &Theme, error: &FormulaError) {
    let width = ui.available_width();
    let problem = format!("▲ {}", error.problem);
    let whole = format!("{problem}\n{}", error.allowed);
    for (text, font, colour, rows) in
        [(problem, theme.body(), theme.error, 2), (error.allowed.clone(), theme.small(), theme.soft, 3)]
    {
        let mut job = LayoutJob::simple(text, font, colour, width);
        job.wrap.max_rows = rows;
        ui.add(Label::new(job).wrap()).on_hover_text(&whole);
    }
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;

    use super::*;
    use draw::theme;

    /// How far the cursor of a panel moves over what is below the field: with a text that differs from the formula of the target, or not.
    fn height(text: Option<&str>, standing: Standing<'_>, other: Option<&'static str>) -> f32 {
        let (look, read) = (Theme::default(), text.map(Formula::read));
        let builder = Harness::builder().with_size(vec2(280.0, 600.0)).with_context_setup(theme::install_fonts);
        let mut harness = builder.build_ui_state(
            move |ui, height: &mut f32| {
                theme::apply(ui.ctx(), &look);
                let before = ui.cursor().top();
                match &read {
                    None => _ = nothing_written(ui, &look, standing),
                    Some(Ok(formula)) => _ = proposal(ui, &look, None, formula, other),
                    Some(Err(error)) => explain(ui, &look, error),
                }
                *height = ui.cursor().top() - before;
            },
            0.0,
        );
        harness.run();
        *harness.state()
    }

    #[test]
    fn fields_below_stay_in_their_places_while_somebody_types() {
        let before = height(None, Standing::InUse(&[]), None);
        assert!(before > 10.0);
        let names: String = (0..40).map(|number| format!(" + function{number}(x)")).collect();
        let refused = ParamError::new("density", "no integral was found", "the form density, if it gives p".repeat(20));
        let warnings = vec!["the formula does not use its lines".repeat(20); 3];
        for standing in [Standing::Refused(&refused), Standing::Checked, Standing::InUse(&warnings)] {
            approx::assert_relative_eq!(height(None, standing, None), before);
        }
        for text in ["", "-x^2/(2", "-x^2/2", "-theta^2", "x > 0", "sinn(x)", &names] {
            for other in [None, Some("density")] {
                approx::assert_relative_eq!(height(Some(text), Standing::Checked, other), before);
            }
        }
    }
}
