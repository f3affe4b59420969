//! Choice of the axis of plots over time: steps, gradient evaluations or seconds for all of them, and its scale where a tab has the
//! choice. Seconds are for the one tab that can show them; others show documents instead.

use egui::{ComboBox, Ui};

use crate::kit::time_axis::Whose;
use crate::theme::Theme;
use crate::views::{PlotContext, PlotOptions, TabResponse};
use engine::scenario::view::Axis;
use engine::session::Frame;
use models::families::Cost;

/// Width of the list, in units of the theme.
const WIDTH: f32 = 24.0;

/// What plots can count besides steps.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    cost: &'static Cost,
    whose: Whose,
    /// Whether they can count seconds.
    seconds: bool,
}

impl Costs {
    /// Gradient evaluations of all chains.
    pub const GRADIENTS: Self = Self { cost: &Cost::GRADIENTS, whose: Whose::AllChains, seconds: false };

    /// Those of plots of the runs of a frame.
    fn of(frame: &Frame) -> Self {
        Self { cost: &frame.target.family().cost, whose: Whose::of(frame).0, seconds: false }
    }

    /// The same of the plot that can count seconds.
    fn with_seconds(frame: &Frame) -> Self {
        let costs = Self::of(frame);
        Self { seconds: costs.cost.seconds, ..costs }
    }

    /// What is counted, in a word.
    fn word(self, counts: Axis) -> &'static str {
        match counts {
            Axis::Steps => "steps",
            Axis::Gradients => self.cost.name,
            Axis::Seconds => "seconds",
        }
    }

    /// The choices, and what they mean.
    fn choices(self) -> (&'static [Axis], String) {
        let Self { cost, whose, seconds } = self;
        let spent = if cost.counts_data {
            format!("the {} that {} seen, again and again", cost.name, whose.has())
        } else {
            "gradient evaluations of all chains (a full gradient counts 1, a minibatch n/N)".to_owned()
        };
        let help = format!("All plots over time: against steps, or against {spent}");
        if !seconds {
            return (&[Axis::Steps, Axis::Gradients], help);
        }
        let time = match whose {
            Whose::OnlyChain => "the steps of a run took on one core",
            Whose::EachChain => "the steps of a chain took on one core, on average over the chains of a run",
            Whose::AllChains => "the steps of all chains of a run took, one after the other on one core",
        };
        let help =
            format!("{help}. This plot also against seconds: how long {time}, without pauses, measures and drawing");
        (&[Axis::Steps, Axis::Gradients, Axis::Seconds], help)
    }
}

/// Adds the list of what the axis counts; `counts` is what it counts at present.
pub fn choice(ui: &mut Ui, options: &mut PlotOptions, (counts, costs): (Axis, Costs), theme: &Theme) {
    let (all, help) = costs.choices();
    let label = |counts| format!("by {}", costs.word(counts));
    let shown = ui.name_inputs("Horizontal axis", |ui| {
        let list = ComboBox::from_id_salt("axis").width(theme.space(WIDTH)).selected_text(label(counts));
        list.show_ui(ui, |ui| {
            for &known in all {
                if ui.selectable_label(known == counts, label(known)).clicked() {
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
    let help = match counts {
        Axis::Steps => "Steps on a logarithmic axis, which shows the first steps",
        Axis::Gradients => costs.cost.log,
        Axis::Seconds => "Seconds on a logarithmic axis, which shows the first steps",
    };
    let label = format!("log {}", costs.word(counts));
    ui.checkbox(&mut options.log_steps, label).on_hover_text(help);
}
