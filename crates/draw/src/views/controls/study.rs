//! Controls of the convergence study, for the tabs that show repeats: horizontal axis, number of repeats, start and stop.

use std::time::Duration;

use egui::{Align, Button, DragValue, Frame, Label, Layout, ProgressBar, Rect, RichText, Ui, UiBuilder, vec2};

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

/// Size of what is said in the place of curves, in units of the theme.
const INVITATION: [f32; 2] = [90.0, 17.0];

/// Whether there is something to do or to wait for before there are curves.
#[must_use]
pub fn invites(cx: &PlotContext<'_>) -> bool {
    cx.study.repeats.is_empty() && (cx.study.missing || cx.study.progress.is_some())
}

/// Says in the middle of the plots what there is to do before there are curves, with the button that does it.
pub fn invitation(ui: &mut Ui, cx: &PlotContext<'_>, area: Rect, theme: &Theme) -> TabResponse {
    let mut response = TabResponse::default();
    if !invites(cx) {
        return response;
    }
    let [width, height] = INVITATION.map(|units| theme.space(units));
    let rect = Rect::from_center_size(area.center(), vec2(width, height).min(area.size()));
    let layout = Layout::top_down(Align::Center);
    ui.scope_builder(UiBuilder::new().id_salt("invitation").max_rect(rect).layout(layout), |ui| {
        Frame::new().fill(theme.paper).inner_margin(theme.space(1.5)).show(ui, |ui| {
            let count = cx.study.choice.repeats;
            let text = if cx.study.progress.is_some() {
                format!("The first of {count} repeats is being computed: its curves come here.")
            } else {
                let text = RichText::new(format!("Compute {count} repeats")).color(theme.paper);
                if ui.add(Button::new(text).fill(theme.accent)).clicked() {
                    response.ask(StudyAction::Repeat);
                }
                "Each is this scenario with another seed. They run in the background, and the curves come here."
                    .to_owned()
            };
            ui.add(Label::new(RichText::new(text).font(theme.small()).color(theme.ink)).wrap());
        });
    });
    response
}

/// Reports a choice that is no longer that of the context.
pub fn changed(cx: &PlotContext<'_>, choice: StudyChoice, response: &mut TabResponse) {
    if choice != cx.study.choice {
        response.actions.insert(0, TabAction::ChooseStudy(choice));
    }
}
