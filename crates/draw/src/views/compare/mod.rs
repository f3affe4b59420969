//! Tab of samplers and approximations against their cost.

mod plot;

use egui::Ui;

use super::controls::study::{self, changed};
use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec};
use crate::theme::Theme;
use crate::words::seed_table;
use crate::words::tables::TableFormat;
use engine::diagnostics::{MeasureSpec, TRUTH_MEASURES};
use engine::scenario::view::tabs;
use engine::session::seed_table::SeedTable;

use plot::{CompareCache, CompareInput};

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::COMPARE,
    by_coordinate: super::no_coordinate,
    study: StudyUse::TruthMeasures,
    beside: false,
    applies: super::has_truth,
    make: || Box::<Compare>::default(),
};

#[derive(Debug, Default)]
struct Compare {
    cache: CompareCache,
}

impl PlotTab for Compare {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let study = &cx.study;
        let area = ui.available_rect_before_wrap();
        // It would lie across the names of axes.
        if study::invites(cx) {
            return study::invitation(ui, cx, area, theme);
        }
        let input = CompareInput {
            frame: cx.frame,
            runs: cx.runs,
            against: cx.options.against(),
            repeats: study.repeats,
            version: study.version,
            stale: study.stale,
        };
        plot::show(ui, &input, theme, &mut self.cache);
        TabResponse::default()
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut choice = cx.study.choice;
        let mut response = study::show(ui, cx, &mut choice, theme);
        changed(cx, choice, &mut response);
        copy_table(ui, cx);
        response
    }
}

/// The menu that copies the measures at the ends of the runs, over all seeds.
fn copy_table(ui: &mut Ui, cx: &PlotContext<'_>) {
    let repeats = cx.study.repeats;
    let button = ui.add_enabled_ui(!repeats.is_empty(), |ui| {
        ui.menu_button("Copy table", |ui| {
            for format in TableFormat::ALL {
                if ui.button(format.label()).clicked() {
                    let headlines: Vec<MeasureSpec> =
                        TRUTH_MEASURES.iter().filter(|spec| spec.headline).copied().collect();
                    let table = SeedTable::of(repeats, &headlines);
                    let names: Vec<String> = cx.frame.runs.iter().map(|run| run.plan.name.clone()).collect();
                    ui.ctx().copy_text(seed_table::written(&table, &names, format));
                    ui.close();
                }
            }
        })
        .response
    });
    let help = "The measures at the ends of the runs over all seeds, with standard errors, floors and ranks";
    button.inner.on_hover_text(help).on_disabled_hover_text("Compute repeats first");
}
