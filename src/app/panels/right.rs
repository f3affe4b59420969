//! Right panel: the lesson, and below it the readout. Each scrolls for itself, so that both are in sight.

use egui::{Frame, Id, Panel, RichText, Ui, vec2};

use super::lesson::{self, Foot};
use super::readout;
use super::widgets::scrolling;
use crate::app::action::Action;
use crate::app::state::Ctx;
use crate::app::view::folding::Side;
use draw::kit::named::part;
use draw::kit::terms;
use draw::words::sentences;

/// The least height of the readout below a lesson before it was shown, in units of the theme: its title and the name of its headline, and a
/// line for each run.
const HEADLINE: f32 = 13.0;
const LINE: f32 = 7.5;

/// Space between the lesson and the readout, with the line between them, in units of the theme.
const ABOVE: f32 = 5.0;

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
        let headline = readout::headline_height(ui, loads)
            .unwrap_or_else(|| ctx.theme.space(HEADLINE + LINE * ctx.model.scenario().runs.len() as f32))
            + ctx.theme.space(ABOVE);
        let most = match (reads, ctx.view.forms.draft.is_some()) {
            (false, _) => height,
            (true, true) => MOST * height,
            (true, false) => (height - headline).clamp(LEAST * height, MOST * height),
        };
        whole_lesson(ctx, ui, most, actions);
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

/// What to watch, or that something is asked, in a sentence above the canvases of a window that is too narrow for the lesson, with a button
/// for the rest.
pub fn in_narrow(ctx: &mut Ctx<'_>, ui: &mut Ui, frame: Frame) {
    let (theme, scenario) = (ctx.theme, ctx.model.scenario().clone());
    let study = &ctx.view.studies.challenge;
    let asked = if study.asks() { study.items().len() } else { 0 };
    let words = match asked {
        0 => sentences::first(scenario.caption.watch.trim()).to_owned(),
        1 => "A question waits for your answer.".to_owned(),
        several => format!("{several} questions wait for your answers."),
    };
    let narrow = ctx.folds(Side::Right, ui.ctx()) && ctx.folded(Side::Right, ui.ctx());
    if !narrow || words.is_empty() || !ctx.offers("lesson") {
        return;
    }
    let (name, help) = match asked {
        0 => ("Read on", "Unfold the lesson"),
        _ => ("Answer", "Unfold the questions"),
    };
    let changed = asked == 0 && ctx.model.lesson().is_some_and(|(_, changed)| changed);
    Panel::top("watch").frame(frame).show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            terms::text(ui, theme, &words, (theme.body(), theme.ink));
            if changed {
                ui.label(RichText::new("(changed)").color(theme.warning))
                    .on_hover_text("You have changed this lesson: numbers in its text are those of before");
            }
            if ui.small_button(name).on_hover_text(help).clicked() {
                ctx.unfold(Side::Right, ui.ctx());
            }
        });
    });
}

/// Shows the lesson in a height of at most `most`. What has no space scrolls, and the foot says so.
fn whole_lesson(ctx: &mut Ctx<'_>, ui: &mut Ui, most: f32, actions: &mut Vec<Action>) {
    /// The part of what is in sight by which a click on the button for more scrolls: some lines stay.
    const PAGE: f32 = 0.8;
    let loads = ctx.view.window.loads;
    let memory = Id::unique(("lesson goes on below", loads));
    let went_on = ui.data(|data| data.get_temp(memory)).unwrap_or(false);
    let space = &ui.spacing();
    let foot = if Foot::of(ctx, went_on).is_shown() { space.interact_size.y + space.item_spacing.y } else { 0.0 };
    let shown = scrolling(ui, ("lesson", loads), Some(most - foot), |ui| {
        if let Some(page) = ui.data_mut(|data| data.remove_temp::<f32>(page_memory(loads))) {
            ui.scroll_with_delta(vec2(0.0, -page));
        }
        part(ui, "lesson", |ui| lesson::show(ctx, ui, actions));
    });
    let below = shown.content_size.y - shown.inner_rect.height() - shown.state.clamped_offset().y;
    let goes_on = below > ui.spacing().item_spacing.y;
    if goes_on != went_on {
        ui.data_mut(|data| data.insert_temp(memory, goes_on));
        ui.ctx().request_repaint();
    }
    let foot = Foot::of(ctx, goes_on);
    if foot.is_shown() && foot.show(ctx, ui) {
        let page = (PAGE * shown.inner_rect.height()).min(below);
        ui.data_mut(|data| data.insert_temp(page_memory(loads), page));
        ui.ctx().request_repaint();
    }
}

/// The name of the height by which the lesson is to be scrolled.
fn page_memory(loads: u64) -> Id {
    Id::unique(("lesson scrolls by", loads))
}
