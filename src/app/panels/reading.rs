//! Right panel: the lesson, and below it the readout. Each scrolls for itself, so that both are in sight.

use egui::Ui;

use super::widgets::scrolling;
use super::{lesson, readout};
use crate::app::action::Action;
use crate::app::state::Ctx;
use draw::kit::named::part;

/// The least height of the readout below a lesson, in units of the theme: its title and the name of its headline, and a line for each run.
const HEADLINE: f32 = 15.0;
const LINE: f32 = 7.0;

/// The least share of the panel that a lesson may take, and the largest, which one has whose words are being edited.
const LEAST: f32 = 0.55;
const MOST: f32 = 0.8;

/// Shows lesson and readout.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let loads = ctx.view.window.loads;
    // At step 0 there is nothing to read, and what is asked is all.
    let reads = ctx.offers("readout") && !ctx.view.studies.challenge.asks();
    let with_readout = reads && ctx.model.opening().is_none();
    if ctx.offers("lesson") {
        let height = ui.available_height();
        let headline = ctx.theme.space(HEADLINE + LINE * ctx.model.scenario().runs.len() as f32);
        let most = match (reads, ctx.view.forms.draft.is_some()) {
            (false, _) => height,
            (true, true) => MOST * height,
            (true, false) => (height - headline).clamp(LEAST * height, MOST * height),
        };
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
