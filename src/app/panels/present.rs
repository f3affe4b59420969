//! Head of the window while presenting: the title, what to watch or what is asked, and the main measures in large type; on demand the answer,
//! the plot and the step.

use egui::{Align, Label, Layout, RichText, Ui};

use crate::app::action::Action;
use crate::app::commands::{Command, tip};
use crate::app::state::Ctx;
use crate::app::view::folding::Side;
use base::params::printable;
use draw::kit::terms;
use draw::readout::{leading, line};
use draw::theme::STALE;
use draw::views::{STEP, applying};
use draw::words::sentences;

use super::{challenge, neighbours};

/// Most measures that are shown.
const MOST: usize = 4;

/// Least width that the title and what is shown on demand have beside the measures, in units of the theme, and the share of the window that a
/// long title may add.
const BESIDE: f32 = 50.0;
const MOST_BESIDE: f32 = 0.25;

/// Shows the head.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    let scenario = ctx.model.scenario().clone();
    let asks = ctx.view.studies.challenge.asks();
    let answer = scenario.caption.answer.trim();
    let answers = !answer.is_empty() && !asks;
    ui.spacing_mut().item_spacing.y = theme.space(0.5);
    neighbours::notes(ctx, ui);
    if ctx.view.studies.challenge.items().is_empty() {
        let watch = scenario.caption.watch.trim();
        if !watch.is_empty() {
            terms::text(ui, theme, sentences::first(watch), (theme.heading(), theme.ink));
        }
        let questions = sentences::questions(&scenario.caption.notice);
        if !questions.is_empty() {
            terms::text(ui, theme, &questions, (theme.body(), theme.soft));
        }
    } else {
        challenge::in_large(ctx, ui, actions);
        if ctx.view.studies.challenge.asks() {
            return;
        }
    }
    if answers && ctx.view.forms.answer {
        let changed = ctx.model.lesson().is_some_and(|(_, changed)| changed);
        ui.scope(|ui| {
            // It is of the lesson as it was.
            if changed {
                ui.set_opacity(STALE);
            }
            terms::text(ui, theme, answer, (theme.body(), theme.ink));
        });
    }
    if ctx.model.opening().is_some() {
        return;
    }
    let title = printable(&scenario.title).into_owned();
    let title = neighbours::position(ctx).map_or(title.clone(), |position| format!("{position} · {title}"));
    let title = ctx.counted_words().map_or(title.clone(), |words| format!("{title} · measures {words}"));
    let wide = ui.painter().layout_no_wrap(title.clone(), theme.small(), theme.soft).size().x;
    let whole = ui.available_width();
    let beside = (wide + theme.space(5.0)).clamp(theme.space(BESIDE), whole.mul_add(MOST_BESIDE, theme.space(BESIDE)));
    ui.horizontal_top(|ui| {
        ui.vertical(|ui| {
            ui.set_width((whole - beside).max(0.4 * whole));
            ctx.fade_if_stale(ui);
            let (table, frame) = (ctx.measures(), ctx.counted().clone());
            let rows = leading(&table, &frame, ctx.view.plots.measures.as_deref());
            line(ui, theme, &frame, &rows[..rows.len().min(MOST)]);
        });
        ui.with_layout(Layout::top_down(Align::Max), |ui| {
            let title = RichText::new(title).font(theme.small()).color(theme.soft);
            ui.add(Label::new(title).truncate());
            ui.with_layout(Layout::right_to_left(Align::Min), |ui| choices(ctx, ui, answers));
        });
    });
}

/// What is shown on demand, from the right: the step, the plot of the open tab, the answer.
fn choices(ctx: &mut Ctx<'_>, ui: &mut Ui, answers: bool) {
    let context = ui.ctx().clone();
    if ctx.offers_side(Side::Bottom) {
        let open = !ctx.folded(Side::Bottom, &context);
        let present = applying(ctx.view.plots.tab, ctx.model.frame());
        let step = applying(STEP, ctx.model.frame());
        for (name, tab, help) in [
            ("Step", step, "The formula of a step, its lines and numbers"),
            (
                "Plot",
                if present == step { applying(ctx.view.plots.before_step, ctx.model.frame()) } else { present },
                "The plot of the open tab",
            ),
        ] {
            if name == "Step" && tab != STEP {
                continue;
            }
            let shown = open && present == tab;
            if ui.selectable_label(shown, name).on_hover_text(help).clicked() {
                if !shown {
                    ctx.view.plots.open_tab(tab);
                }
                if shown || !open {
                    ctx.toggle_folded(Side::Bottom, &context);
                }
            }
        }
    }
    if answers && ui.selectable_label(ctx.view.forms.answer, "Answer").on_hover_text(tip(Command::Answer)).clicked() {
        ctx.view.forms.answer = !ctx.view.forms.answer;
    }
}
