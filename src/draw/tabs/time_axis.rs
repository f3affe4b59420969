//! Choice of the axis of plots over time: steps or gradient evaluations for all of them, and its scale where a tab has the choice.

use egui::{ComboBox, Ui};

use super::{PlotContext, PlotOptions, TabResponse, shows_topics};
use crate::draw::theme::Theme;
use crate::session::Clock;

/// Width of the list, in units of the theme.
const WIDTH: f32 = 24.0;

/// Adds the list of what the axis counts; `counts` is what it counts at present.
pub fn choice(ui: &mut Ui, options: &mut PlotOptions, (counts, documents): (Clock, bool), theme: &Theme) {
    let label = |counts| label(counts, documents);
    ui.name_inputs("Horizontal axis", |ui| {
        let list = ComboBox::from_id_salt("axis").width(theme.space(WIDTH)).selected_text(label(counts));
        let shown = list.show_ui(ui, |ui| {
            for known in [Clock::Steps, Clock::Gradients] {
                if ui.selectable_label(known == counts, label(known)).clicked() {
                    options.axis = Some(known);
                }
            }
        });
        let help = if documents {
            "All plots over time: against steps, or against the documents that all chains have seen, again and again"
        } else {
            "All plots over time: against steps, or against gradient evaluations of all chains (a full gradient counts 1, a \
             minibatch n/N)"
        };
        shown.response.on_hover_text(help)
    });
}

/// The list for plots of the runs, behind the `options` chosen so far.
pub fn of_runs(ui: &mut Ui, cx: &PlotContext<'_>, mut options: PlotOptions, theme: &Theme) -> TabResponse {
    choice(ui, &mut options, (cx.options.counts(cx.frame), shows_topics(cx.frame)), theme);
    TabResponse::of_options(cx, options)
}

/// The list, and the checkbox of a logarithmic scale, behind the `options` chosen so far.
pub fn with_scale(ui: &mut Ui, cx: &PlotContext<'_>, mut options: PlotOptions, theme: &Theme) -> TabResponse {
    let (label, help) = match cx.options.counts(cx.frame) {
        Clock::Gradients if shows_topics(cx.frame) => {
            ("log documents", "Documents on a logarithmic axis, which shows the first steps")
        }
        Clock::Steps => ("log steps", "Steps on a logarithmic axis, which shows the first steps"),
        Clock::Gradients => ("log gradients", "Evaluations on a logarithmic axis, which shows the first steps"),
    };
    ui.checkbox(&mut options.log_steps, label).on_hover_text(help);
    of_runs(ui, cx, options, theme)
}

fn label(counts: Clock, documents: bool) -> &'static str {
    match counts {
        Clock::Gradients if documents => "by documents",
        Clock::Gradients => "by gradients",
        Clock::Steps => "by steps",
    }
}
