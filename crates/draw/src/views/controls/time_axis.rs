//! Choice of the axis of plots over time: steps, gradient evaluations or seconds for all of them, and its scale where a tab has the
//! choice. Seconds are for the one tab that can show them; others show documents instead.

use egui::{ComboBox, Ui};

use crate::kit::time_axis::Whose;
use crate::theme::Theme;
use crate::views::{PlotContext, PlotOptions, TabResponse, shows_topics};
use engine::scenario::view::Axis;
use engine::session::Frame;

/// Width of the list, in units of the theme.
const WIDTH: f32 = 24.0;

/// What plots can count besides steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Costs {
    /// Gradient evaluations.
    Gradients,
    /// Documents.
    Documents(Whose),
    /// Documents and seconds.
    DocumentsAndSeconds(Whose),
}

impl Costs {
    /// Those of plots of the runs of a frame.
    fn of(frame: &Frame) -> Self {
        if shows_topics(frame) { Self::Documents(Whose::of(frame).0) } else { Self::Gradients }
    }

    /// The same of the plot that can count seconds.
    fn with_seconds(frame: &Frame) -> Self {
        match Self::of(frame) {
            Self::Documents(whose) => Self::DocumentsAndSeconds(whose),
            others => others,
        }
    }

    fn label(self, counts: Axis) -> &'static str {
        match (counts, self) {
            (Axis::Steps, _) => "by steps",
            (Axis::Gradients, Self::Gradients) => "by gradients",
            (Axis::Gradients, Self::Documents(_) | Self::DocumentsAndSeconds(_)) => "by documents",
            (Axis::Seconds, _) => "by seconds",
        }
    }

    /// The choices, and what they mean.
    fn choices(self) -> (&'static [Axis], String) {
        match self {
            Self::Gradients => {
                let help = "All plots over time: against steps, or against gradient evaluations of all chains (a full gradient counts \
                            1, a minibatch n/N)";
                (&[Axis::Steps, Axis::Gradients], help.to_owned())
            }
            Self::Documents(whose) => (&[Axis::Steps, Axis::Gradients], of_documents(whose)),
            Self::DocumentsAndSeconds(whose) => {
                let time = match whose {
                    Whose::OnlyChain => "the steps of a run took on one core",
                    Whose::EachChain => "the steps of a chain took on one core, on average over the chains of a run",
                    Whose::AllChains => "the steps of all chains of a run took, one after the other on one core",
                };
                let help = format!(
                    "{}. This plot also against seconds: how long {time}, without pauses, measures and drawing",
                    of_documents(whose)
                );
                (&[Axis::Steps, Axis::Gradients, Axis::Seconds], help)
            }
        }
    }
}

fn of_documents(whose: Whose) -> String {
    format!("All plots over time: against steps, or against the documents that {} seen, again and again", whose.has())
}

/// Adds the list of what the axis counts; `counts` is what it counts at present.
pub fn choice(ui: &mut Ui, options: &mut PlotOptions, (counts, costs): (Axis, Costs), theme: &Theme) {
    let (all, help) = costs.choices();
    let shown = ui.name_inputs("Horizontal axis", |ui| {
        let list = ComboBox::from_id_salt("axis").width(theme.space(WIDTH)).selected_text(costs.label(counts));
        list.show_ui(ui, |ui| {
            for &known in all {
                if ui.selectable_label(known == counts, costs.label(known)).clicked() {
                    options.axis = Some(known);
                }
            }
        })
    });
    // Afterwards: a help text would be the name.
    shown.response.on_hover_text(help);
}

/// The list for plots of the runs, behind the `options` chosen so far.
pub fn of_runs(ui: &mut Ui, cx: &PlotContext<'_>, mut options: PlotOptions, theme: &Theme) -> TabResponse {
    choice(ui, &mut options, (cx.options.counts(cx.frame), Costs::of(cx.frame)), theme);
    TabResponse::of_options(cx, options)
}

/// The list, and the checkbox of a logarithmic scale, behind the `options` chosen so far.
pub fn with_scale(ui: &mut Ui, cx: &PlotContext<'_>, mut options: PlotOptions, theme: &Theme) -> TabResponse {
    scale(ui, &mut options, (cx.options.counts(cx.frame), Costs::of(cx.frame)));
    of_runs(ui, cx, options, theme)
}

/// The same for the plot that can count seconds.
pub fn with_seconds(ui: &mut Ui, cx: &PlotContext<'_>, mut options: PlotOptions, theme: &Theme) -> TabResponse {
    let axis = (cx.options.counts_or_seconds(cx.frame), Costs::with_seconds(cx.frame));
    scale(ui, &mut options, axis);
    choice(ui, &mut options, axis, theme);
    TabResponse::of_options(cx, options)
}

/// The checkbox of a logarithmic scale.
fn scale(ui: &mut Ui, options: &mut PlotOptions, (counts, costs): (Axis, Costs)) {
    let (label, help) = match (counts, costs) {
        (Axis::Steps, _) => ("log steps", "Steps on a logarithmic axis, which shows the first steps"),
        (Axis::Gradients, Costs::Gradients) => {
            ("log gradients", "Evaluations on a logarithmic axis, which shows the first steps")
        }
        (Axis::Gradients, Costs::Documents(_) | Costs::DocumentsAndSeconds(_)) => {
            ("log documents", "Documents on a logarithmic axis, which shows the first steps")
        }
        (Axis::Seconds, _) => ("log seconds", "Seconds on a logarithmic axis, which shows the first steps"),
    };
    ui.checkbox(&mut options.log_steps, label).on_hover_text(help);
}
