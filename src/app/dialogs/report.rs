//! Report: who hands it in, what they have to say, and what will be in the file.

use egui::{Context, Label, RichText, ScrollArea, TextEdit};

use super::modal::{buttons, main_button, modal};
use crate::app::action::Action;
use crate::app::documents::report::asked_in_text;
use crate::app::files::ReportAs;
use crate::app::state::Ctx;
use draw::kit::named::with_name;

/// Width of the dialog, in units of the theme, and lines of the fields for answers and remarks.
const WIDTH: f32 = 130.0;
const ANSWER: usize = 2;
const LINES: usize = 5;

/// The share of the window that the fields take before they scroll.
const HEIGHT: f32 = 0.5;

/// Shows the dialog; returns whether it stays open.
pub fn show(ctx: &mut Ctx<'_>, context: &Context, actions: &mut Vec<Action>) -> bool {
    let theme = ctx.theme;
    modal(context, theme, "Report", WIDTH, |ui| {
        ui.label("One file to hand in: title and questions, your answers, the figure as it is now, the measures, and your trials.");
        ui.add_space(theme.space(2.0));
        let scenario = ctx.model.scenario().clone();
        let form = &mut ctx.view.forms.report;
        ui.label("Name");
        ui.name_inputs("Name", |ui| ui.add(TextEdit::singleline(&mut form.name).desired_width(f32::INFINITY)));
        let most = HEIGHT * context.content_rect().height();
        ScrollArea::vertical().max_height(most).auto_shrink([false, true]).show(ui, |ui| {
            // The scroll bar stands beside the fields, not on them.
            ui.set_max_width(ui.available_width() - 2.0 * ui.spacing().scroll.bar_width);
            for question in asked_in_text(&scenario) {
                ui.add(Label::new(&question).wrap());
                let text = form.answer_to(&scenario, &question);
                let field = TextEdit::multiline(text).desired_width(f32::INFINITY).desired_rows(ANSWER);
                with_name(ui.add(field.hint_text("Your answer")), &question);
            }
            ui.label("Remarks");
            let field = TextEdit::multiline(&mut form.remarks).desired_width(f32::INFINITY).desired_rows(LINES);
            with_name(ui.add(field.hint_text("What you have tried, what you have seen, and why")), "Remarks");
        });
        ui.add_space(theme.space(1.0));
        ui.horizontal(|ui| {
            ui.label("Format");
            for (format, name, help) in [
                (ReportAs::Html, "HTML", "A page for every browser; text can be copied"),
                (ReportAs::Pdf, "PDF", "Pages of A4, to be printed"),
            ] {
                ui.selectable_value(&mut form.format, format, name).on_hover_text(help);
            }
        });
        let asks = ctx.view.studies.challenge.asks();
        let words = if asks {
            "The questions are not revealed yet: the report has your answers, and not what is true."
        } else {
            "The experiment is inside the file: drop it on the window to open it again."
        };
        ui.label(RichText::new(words).font(theme.small()).color(theme.soft));
        let format = form.format;
        buttons(ui, theme, |ui| {
            let save = main_button(ui, theme, "Save…");
            let cancel =
                ui.button("Cancel").on_hover_text("What you have written stays for the next report (Esc)").clicked();
            actions.extend(save.then_some(Action::SaveReport(format)));
            !(save || cancel)
        })
    })
}
