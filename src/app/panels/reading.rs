//! Right panel: the lesson, and below it the readout. Each scrolls for itself, so that both are in sight.

use egui::Ui;

use super::widgets::scrolling;
use super::{lesson, readout};
use crate::app::action::Action;
use crate::app::state::Ctx;
use draw::kit::named::part;

/// The largest share of the panel that a lesson takes above the readout, and one whose words are being edited. The rest has space for the
/// headline of the readout.
const LESSON: f32 = 0.7;
const FORM: f32 = 0.8;

/// Shows lesson and readout.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let loads = ctx.view.window.loads;
    // At step 0 there is nothing to read, and what is asked is all.
    let with_readout = ctx.offers("readout") && !ctx.view.studies.challenge.asks() && ctx.model.opening().is_none();
    if ctx.offers("lesson") {
        let share = if ctx.view.forms.draft.is_some() { FORM } else { LESSON };
        let most = if with_readout { share * ui.available_height() } else { f32::INFINITY };
        scrolling(ui, ("lesson", loads), Some(most), |ui| {
            part(ui, "lesson", |ui| lesson::show(ctx, ui, most, actions));
        });
        if with_readout {
            ui.separator();
        }
    }
    if with_readout {
        scrolling(ui, ("readout", loads), None, |ui| {
            part(ui, "readout", |ui| {
                ctx.fade_if_stale(ui);
                readout::show(ctx, ui, actions);
            });
        });
    }
}
