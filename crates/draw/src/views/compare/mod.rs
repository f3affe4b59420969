//! Tab of samplers and approximations against their cost.

mod plot;

use egui::Ui;

use super::controls::option;
use super::controls::study::{self, changed};
use super::convergence::{ExactLines, exact_lines};
use super::{PlotContext, PlotTab, StudyUse, TabAction, TabResponse, TabSpec};
use crate::theme::Theme;
use crate::words::seed_table;
use crate::words::tables::TableFormat;
use engine::scenario::view::{options, tabs};
use engine::session::seed_table::SeedTable;

use plot::{CompareCache, CompareInput};

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::COMPARE,
    by_coordinate: super::no_coordinate,
    study: StudyUse::TruthMeasures,
    of_truth: true,
    beside: false,
    applies: super::has_truth,
    make: || Box::<Compare>::default(),
};

#[derive(Debug, Default)]
struct Compare {
    cache: CompareCache,
    lines: ExactLines,
}

impl PlotTab for Compare {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let study = &cx.study;
        let area = ui.available_rect_before_wrap();
        // It would lie across the names of axes.
        if study::invites(cx) {
            return study::invitation(ui, cx, area, theme);
        }
        let exact = exact_lines(ui, cx, &mut self.lines);
        let input = CompareInput {
            frame: cx.frame,
            runs: cx.runs,
            against: cx.options.against(),
            repeats: study.repeats,
            version: study.version,
            stale: study.stale,
            exact,
        };
        plot::show(ui, &input, theme, &mut self.cache);
        TabResponse::default()
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut choice = cx.study.choice;
        let mut options = cx.options;
        option::flag(ui, &mut options.exact, &options::EXACT_LINES);
        let mut response = study::show(ui, cx, &mut choice, theme);
        changed(cx, choice, &mut response);
        if options != cx.options {
            response.push(TabAction::SetOptions(options));
        }
        copy_table(ui, cx);
        response
    }
}

/// The menu that copies the measures at the ends of the runs, over all seeds, once there are some and none are being computed: it has the
/// place of the progress.
fn copy_table(ui: &mut Ui, cx: &PlotContext<'_>) {
    let repeats = cx.study.repeats;
    if repeats.is_empty() || cx.study.progress.is_some() {
        return;
    }
    let button = ui.menu_button("Copy", |ui| {
        for format in TableFormat::ALL {
            if ui.button(format.label()).clicked() {
                ui.ctx().copy_text(table(cx, format));
                ui.close();
            }
        }
    });
    let help = "Copy the measures at the ends of the runs over all seeds, with standard errors, floors and ranks";
    button.response.on_hover_text(help);
}

/// The measures at the ends of the runs over all seeds.
fn table(cx: &PlotContext<'_>, format: TableFormat) -> String {
    let names: Vec<String> = cx.frame.runs.iter().map(|run| run.plan.name.clone()).collect();
    let chosen = cx.frame.scenario.view.measures.as_deref();
    let all = SeedTable::of(cx.study.repeats, &cx.frame.target, chosen);
    seed_table::written(&cx.frame.scenario.title, &all, &names, format)
}
