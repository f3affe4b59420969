//! Tab of held-out likelihood, bound and distances of topics over the run.

use egui::{ComboBox, Ui};

use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec, time_axis};
use crate::plots::held_out::{self, HeldOutCache};
use crate::plots::steps::StepsInput;
use crate::scene::TopicsQuantity;
use crate::theme::Theme;

pub static TAB: TabSpec = TabSpec {
    key: "heldout",
    label: "Held-out",
    help: "Held-out log likelihood of topics over the run; or ELBO, log p(w, z), distance to the true topics, bars found, trembling",
    by_coordinate: super::no_coordinate,
    study: StudyUse::Nothing,
    beside: false,
    applies: super::has_topics,
    make: || Box::<HeldOut>::default(),
};

/// Width of the list, in units of the theme.
const WIDTH: f32 = 42.0;

#[derive(Debug, Default)]
struct HeldOut {
    cache: HeldOutCache,
}

impl PlotTab for HeldOut {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let input = StepsInput { truth: cx.truth, ..cx.steps_or_seconds(cx.options.log_steps) };
        let response = held_out::show(ui, &input, cx.options.curve, theme, &mut self.cache);
        TabResponse::of_steps(ui, response)
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut options = cx.options;
        let shown = ui.name_inputs("Quantity", |ui| {
            let list = ComboBox::from_id_salt("curve").width(theme.space(WIDTH));
            list.selected_text(options.curve.label()).show_ui(ui, |ui| {
                for quantity in TopicsQuantity::ALL {
                    let label = ui.selectable_value(&mut options.curve, quantity, quantity.label());
                    label.on_hover_text(quantity.spec().help);
                }
            })
        });
        shown.response.on_hover_text(cx.options.curve.spec().help);
        time_axis::with_seconds(ui, cx, options, theme)
    }
}
