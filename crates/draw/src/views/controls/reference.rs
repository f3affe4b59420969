//! Controls of the HMC reference, for tabs that show functions: start, progress, and stop.

use egui::{Button, ProgressBar, Ui};

use super::study::{LOOK, PROGRESS};
use crate::theme::Theme;
use crate::views::study_action::StudyAction;
use crate::views::{PlotContext, TabResponse};

/// What the button says of it.
const HELP: &str = "Compute the posterior of the functions by a long Hamiltonian Monte Carlo run in the background: 16 chains from \
                    draws from the prior, with R-hat and ESS of f. It is computed again when the target changes.";

/// Adds the button that starts the computation, or its progress and the button that ends it.
pub fn show(ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
    let mut response = TabResponse::default();
    if let Some(share) = cx.reference.progress {
        ui.label("HMC reference");
        if ui.button("Cancel").on_hover_text("Keep the draws made so far").clicked() {
            response.ask(StudyAction::HaltReference);
        }
        ui.add(ProgressBar::new(share).desired_width(theme.space(PROGRESS)).desired_height(theme.space(3.0)));
        ui.ctx().request_repaint_after(LOOK);
    } else if cx.reference.missing && ui.add(Button::new("Compute reference (HMC)")).on_hover_text(HELP).clicked() {
        response.ask(StudyAction::Reference);
    }
    response
}
