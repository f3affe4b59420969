//! Hand-out: what a student may change, what the window hides, and the packed file that is given away.

use egui::{Context, Label, RichText, ScrollArea, Ui};

use super::modal::{buttons, main_button, modal};
use crate::app::action::Action;
use crate::app::state::Ctx;
use crate::app::view::hand_out::{HandOut, knobs, question_about_target};
use draw::theme::Theme;
use draw::words::numbers;

/// Width of the dialog, and height of the list of parameters, in units of the theme.
const WIDTH: f32 = 140.0;
const LIST: f32 = 60.0;

/// Shows the dialog; returns whether it stays open.
pub fn show(ctx: &mut Ctx<'_>, context: &Context, actions: &mut Vec<Action>) -> bool {
    let theme = ctx.theme;
    let scenario = ctx.model.scenario().clone();
    // A finished run in Instant is shown from its end in any case.
    let step = if ctx.model.frame().finished() { 0 } else { ctx.model.frame().step };
    modal(context, theme, "Hand-out", WIDTH, |ui| {
        let words = "A file for students. It is packed, so that it does not tell what is to be found out. Your own file stays as it is.";
        ui.add(Label::new(words).wrap());
        ui.add_space(theme.space(2.0));
        let form = &mut ctx.view.forms.hand_out;
        ui.checkbox(&mut form.hides_target, "Hide the target and the answer until Reveal is pressed");
        if let Some(question) = question_about_target(&scenario) {
            // It keeps its place: what is below stays under the pointer.
            let words =
                format!("▲ The text asks about the target, which is hidden until Reveal is pressed: “{question}”");
            ui.add_visible(form.hides_target, warning_label(theme, words));
        }
        ui.checkbox(&mut form.hides_menus, "Hide the menus; a row of buttons leads to trials and report");
        if step > 0 {
            let now = format!("Open at step 0; otherwise at the present step, {}", numbers::count(step));
            ui.checkbox(&mut form.from_start, now);
        }
        ui.add_space(theme.space(2.0));
        ui.label(RichText::new("Students may change").font(theme.strong()));
        let most = theme.space(LIST).min(0.4 * context.content_rect().height());
        // As high with the target hidden as without.
        let row = ui.spacing().interact_size.y + ui.spacing().item_spacing.y;
        let height = most.min(row * (knobs(&scenario, false).len() + 1) as f32);
        ScrollArea::vertical().max_height(height).auto_shrink([false, false]).show(ui, |ui| {
            for (path, name) in knobs(&scenario, form.hides_target) {
                free(ui, form, &path, &name);
            }
        });
        // The place of a warning that may come is kept.
        let warning = form.warning(&scenario);
        let may_come = || HandOut { free: Vec::new(), ..form.clone() }.warning(&scenario);
        if let Some(words) = warning.clone().or_else(may_come) {
            ui.add_visible(warning.is_some(), warning_label(theme, format!("▲ {words}")));
        }
        buttons(ui, theme, |ui| {
            let save = main_button(ui, theme, "Save…");
            let cancel =
                ui.button("Cancel").on_hover_text("What you have chosen stays for the next time (Esc)").clicked();
            actions.extend(save.then_some(Action::SaveHandOut));
            !(save || cancel)
        })
    })
}

/// A warning in words.
fn warning_label(theme: &Theme, words: String) -> Label {
    Label::new(RichText::new(words).color(theme.warning)).wrap()
}

/// The box of a parameter.
fn free(ui: &mut Ui, form: &mut HandOut, path: &str, name: &str) {
    let mut on = form.free.iter().any(|known| known == path);
    if ui.checkbox(&mut on, name).changed() {
        form.free.retain(|known| known != path);
        form.free.extend(on.then(|| path.to_owned()));
    }
}
