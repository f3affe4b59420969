//! Heads of the steps: which step of which chain is shown, and the switch between the runs.

use egui::{Label, RichText, Ui};

use super::input::{CHAIN, StepInput};
use crate::geometry::{algorithm_of, stages};
use crate::kit::{run_header, run_marker, shortened};
use crate::theme::Theme;
use crate::views::StepOf;
use crate::words::numbers;
use engine::session::RunFrame;

/// The least width of the name of a run, in units of the theme.
const NARROWEST: f32 = 6.0;

/// The width of a marker and of the margins of a name in the switch, in sizes of its letters.
const MARGINS: f32 = 3.0;

/// The switch between the runs, one of which is shown alone.
pub(super) fn switch(ui: &mut Ui, cx: &StepInput<'_>, theme: &Theme) -> StepOf {
    let mut chosen = cx.step_of.chosen;
    let shown = |chosen: Option<usize>| chosen.filter(|run| cx.runs.contains(run)).or(cx.runs.first().copied());
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = theme.space(1.0);
        for &run in cx.runs {
            let Some(name) = cx.frame.runs.get(run).map(|run| run.plan.name.as_str()) else { continue };
            run_marker::show(ui, theme, theme.run(run));
            let room = ui.max_rect().width() - MARGINS * theme.text.body;
            let short = shortened::shortened(ui, name, &theme.small(), room);
            let label = ui.selectable_label(shown(chosen) == Some(run), RichText::new(short).font(theme.small()));
            let help = format!("Show the step of {name}; there is no space for those of all runs");
            if label.on_hover_text(help).clicked() {
                chosen = Some(run);
            }
        }
    });
    StepOf { chosen, alone: shown(chosen) }
}

/// Which step of which chain is shown with its step size, and as how many of its parts.
pub(super) fn words(cx: &StepInput<'_>, run: &RunFrame) -> String {
    let mut parts = vec![format!("step {}", numbers::count(run.step))];
    if let Some(symbol) = run_header::step_symbol(cx.frame, run) {
        let own = run.records.get(CHAIN).and_then(|record| record.step_size);
        parts.push(format!("{symbol} = {}", numbers::significant(own.unwrap_or(run.alpha), 3)));
    }
    if run.plan.chains > 1 {
        let one = match (&run.fits, run.is_ensemble()) {
            (Some(_), _) => "fit",
            (None, true) => "member",
            (None, false) => "chain",
        };
        parts.push(format!("{one} {} of {}", CHAIN + 1, numbers::count(run.plan.chains as u64)));
    }
    let all = algorithm_of(cx.frame, run).map_or(0, |algorithm| stages(algorithm, run.records.get(CHAIN)).len());
    if let Some(stage) = cx.stage.filter(|_| all > 1) {
        parts.push(format!("part {} of {all}", stage.min(all - 1) + 1));
    }
    parts.join(" · ")
}

/// Which step is shown, with the marker and the name of its run if that has a number.
pub(super) fn show(ui: &mut Ui, cx: &StepInput<'_>, theme: &Theme, (run, number): (&RunFrame, Option<usize>)) {
    ui.horizontal(|ui| {
        let text = RichText::new(words(cx, run)).font(theme.small()).color(theme.soft);
        if let Some(number) = number {
            run_marker::show(ui, theme, theme.run(number));
            let wide = ui.painter().layout_no_wrap(text.text().to_owned(), theme.small(), theme.soft).size().x;
            let left = ui.available_width() - wide - theme.space(1.0);
            ui.scope(|ui| {
                ui.set_max_width(left.max(theme.space(NARROWEST)));
                shortened::label(ui, &run.plan.name, &theme.strong(), theme.ink);
            });
        }
        ui.add(Label::new(text).truncate());
    });
}
