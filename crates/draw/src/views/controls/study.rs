//! Controls of the convergence study, for the tabs that show repeats: horizontal axis, number of repeats, start and stop.

use std::time::Duration;

use egui::{Button, DragValue, ProgressBar, Ui};

use super::time_axis::{self, Costs};
use crate::theme::Theme;
use crate::views::study_action::StudyAction;
use crate::views::study_choice::{MOST_REPEATS, StudyChoice};
use crate::views::{PlotContext, TabAction, TabResponse};
use engine::scenario::view::options;

/// Width of the progress bar, in units of the theme.
pub const PROGRESS: f32 = 20.0;

/// Time between two looks at the progress.
pub const LOOK: Duration = Duration::from_millis(100);

/// Adds the controls; changes of the choice stay in `choice`.
pub fn show(ui: &mut Ui, cx: &PlotContext<'_>, choice: &mut StudyChoice, theme: &Theme) -> TabResponse {
    let mut options = cx.options;
    time_axis::choice(ui, &mut options, (cx.options.against().into(), Costs::GRADIENTS), theme);
    let mut response = TabResponse::of_options(cx, options);
    response.actions.extend(repeats(ui, cx, choice, theme).actions);
    response
}

/// Adds the number of repeats, and the button that makes them or ends them.
pub fn repeats(ui: &mut Ui, cx: &PlotContext<'_>, choice: &mut StudyChoice, theme: &Theme) -> TabResponse {
    let mut response = TabResponse::default();
    let field = DragValue::new(&mut choice.repeats).range(1..=MOST_REPEATS).speed(0.1).suffix(" repeats");
    let seeds = format!("The scenario with its own seed, {}, and with the seeds that follow", cx.frame.scenario.seed);
    ui.name_inputs(options::REPEATS.label, |ui| ui.add(field.update_while_editing(false))).on_hover_text(seeds);
    if let Some(share) = cx.study.progress {
        if ui.button("Cancel").on_hover_text("Keep the repeats made so far").clicked() {
            response.ask(StudyAction::HaltRepeats);
        }
        ui.add(ProgressBar::new(share).desired_width(theme.space(PROGRESS)).desired_height(theme.space(3.0)));
        ui.ctx().request_repaint_after(LOOK);
    } else if cx.study.missing
        && ui.add(Button::new("Repeat")).on_hover_text("Run the missing repeats in the background").clicked()
    {
        response.ask(StudyAction::Repeat);
    }
    response
}

/// Reports a choice that is no longer that of the context.
pub fn changed(cx: &PlotContext<'_>, choice: StudyChoice, response: &mut TabResponse) {
    if choice != cx.study.choice {
        response.actions.insert(0, TabAction::ChooseStudy(choice));
    }
}
