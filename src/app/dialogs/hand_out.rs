//! Hand-out: what a student may change, what the window hides, and the packed file that is given away.

use egui::{Context, Label, RichText, ScrollArea, Ui};

use super::modal::{buttons, main_button, modal};
use crate::app::action::Action;
use crate::app::state::Ctx;
use crate::app::view::hand_out::{HandOut, knobs};
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
        ui.checkbox(&mut form.hides_menus, "Hide the menus; a row of buttons leads to trials and report");
        if step > 0 {
            let now = format!("Open at step 0; otherwise at the present step, {}", numbers::count(step));
            ui.checkbox(&mut form.from_start, now);
        }
        ui.add_space(theme.space(2.0));
        ui.label(RichText::new("Students may change").font(theme.strong()));
        let most = theme.space(LIST).min(0.4 * context.content_rect().height());
        ScrollArea::vertical().max_height(most).auto_shrink([false, true]).show(ui, |ui| {
            for (path, name) in knobs(&scenario, form.hides_target) {
                free(ui, form, &path, &name);
            }
        });
        if let Some(warning) = form.warning(&scenario) {
            ui.add(Label::new(RichText::new(format!("▲ {warning}")).color(theme.warning)).wrap());
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

/// The box of a parameter.
fn free(ui: &mut Ui, form: &mut HandOut, path: &str, name: &str) {
    let mut on = form.free.iter().any(|known| known == path);
    if ui.checkbox(&mut on, name).changed() {
        form.free.retain(|known| known != path);
        form.free.extend(on.then(|| path.to_owned()));
    }
}
