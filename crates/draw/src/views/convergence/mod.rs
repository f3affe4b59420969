//! Tab `truth`: one measure as the runs proceed, over repeats with other seeds.

mod exact;
pub mod geometry;
mod plot;

use egui::{ComboBox, Ui};

use super::controls::option;
use super::controls::study::{self, changed};
use super::study_choice::{measures, of_quantities};
use super::{PlotContext, PlotTab, StudyUse, TabAction, TabResponse, TabSpec};
use crate::theme::Theme;
use engine::diagnostics::{MeasureSpec, has_meaning};
use engine::scenario::view::{options, tabs};

pub(crate) use exact::ExactLines;
pub(crate) use plot::{ConvergenceCache, ConvergenceInput, axis_label, legend, panel};

/// Width of the list of measures, in units of the theme.
const MEASURES: f32 = 34.0;

/// Height of the list of measures when it is open, in units of the theme.
const LIST: f32 = 80.0;

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::CONVERGENCE,
    by_coordinate: super::no_coordinate,
    study: StudyUse::ChosenMeasure,
    of_truth: true,
    beside: false,
    applies: super::has_truth,
    make: || Box::<Convergence>::default(),
};

#[derive(Debug, Default)]
struct Convergence {
    cache: ConvergenceCache,
    lines: ExactLines,
}

impl PlotTab for Convergence {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let study = &cx.study;
        let exact = exact_lines(ui, cx, &mut self.lines);
        let input = ConvergenceInput {
            frame: cx.frame,
            runs: cx.runs,
            spec: study.choice.spec,
            against: cx.options.against(),
            log: study.choice.log,
            repeats: study.repeats,
            version: study.version,
            stale: study.stale,
            invites: study::invites(cx),
            exact,
        };
        let area = ui.available_rect_before_wrap();
        drop(plot::show(ui, &input, theme, &mut self.cache));
        study::invitation(ui, cx, area, theme)
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut choice = cx.study.choice;
        ui.name_inputs(options::MEASURE.label, |ui| {
            let list = ComboBox::from_id_salt("measure").width(theme.space(MEASURES)).height(theme.space(LIST));
            let list = list.selected_text(choice.spec.label);
            list.show_ui(ui, |ui| {
                let dimension = cx.frame.target.info().dimension;
                let named = cx.frame.target.quantities().is_some();
                let applies = |spec: &&MeasureSpec| has_meaning(spec, dimension) && (named || !of_quantities(spec));
                for spec in measures().filter(applies) {
                    ui.selectable_value(&mut choice.spec, *spec, spec.label).on_hover_text(spec.help);
                }
            })
            .response
            .on_hover_text(choice.spec.help)
        });
        option::flag(ui, &mut choice.log, &options::LOG_MEASURE);
        let mut options = cx.options;
        let why = |&run: &usize| {
            let name = &cx.frame.runs.get(run)?.plan.name;
            Some(format!("{name} has none: {}.", self.lines.refused(run)?))
        };
        let reasons: Vec<String> = cx.runs.iter().filter_map(why).collect();
        // They stand beside repeats.
        if !cx.study.repeats.is_empty() {
            option::flag_that_says(ui, &mut options.exact, &options::EXACT_LINES, &reasons);
        }
        let mut response = study::show(ui, cx, &mut choice, theme);
        changed(cx, choice, &mut response);
        if options != cx.options {
            response.push(TabAction::SetOptions(options));
        }
        response
    }
}

/// The exact lines of the runs of a plot of repeats, once there is something beside which they stand; `None` where they are off.
pub(crate) fn exact_lines<'l>(ui: &Ui, cx: &PlotContext<'_>, lines: &'l mut ExactLines) -> Option<&'l ExactLines> {
    if !cx.options.exact || cx.study.repeats.is_empty() {
        return None;
    }
    // A computation under way asks for a repaint itself.
    lines.update(ui.ctx(), cx.frame, cx.runs, cx.computing);
    Some(lines)
}
