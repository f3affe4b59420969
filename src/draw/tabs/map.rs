//! Tab of the sweep of a scenario: a map of a measure over its parameters.

use egui::{Button, ComboBox, ProgressBar, Ui};

use super::study_tools::{LOOK, PROGRESS};
use super::{PlotContext, PlotTab, StudyUse, TabAction, TabResponse, TabSpec};
use crate::draw::plots::sweep_map::{self, MapInput};
use crate::draw::theme::Theme;
use crate::params::Value;
use crate::scenario::sweep_measures;

/// Width of the list of measures, in units of the theme.
const MEASURES: f32 = 34.0;

pub static TAB: TabSpec = TabSpec {
    key: "map",
    label: "Map",
    help: "A measure over the parameters of the sweep that the scenario has",
    by_coordinate: false,
    study: StudyUse::Nothing,
    beside: false,
    applies: |frame| frame.scenario.sweep.is_some(),
    make: || Box::<Map>::default(),
};

#[derive(Debug, Default)]
struct Map {
    /// The number of the measure among those of the sweep.
    measure: usize,
    spread: bool,
}

impl PlotTab for Map {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut response = TabResponse::default();
        let Some(plan) = cx.sweep.plan else {
            ui.label("Nothing is computed yet: Compute runs all cells of the sweep in the background.");
            return response;
        };
        let sweep = plan.sweep();
        let run = cx.frame.scenario.runs.iter().find(|run| run.name == sweep.run);
        let value = |path: &str| match run?.settings.at(path) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        };
        let present: Vec<Option<f64>> = sweep.axes.iter().map(|axis| value(&axis.parameter)).collect();
        let input = MapInput {
            plan,
            cells: cx.sweep.cells,
            front: cx.sweep.front,
            measure: self.measure.min(sweep.measures.len() - 1),
            spread: self.spread,
            present: &present,
        };
        if let Some(cell) = sweep_map::show(ui, &input, theme) {
            response.push(TabAction::OpenCell(cell));
        }
        response
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut response = TabResponse::default();
        let Some(sweep) = &cx.frame.scenario.sweep else { return response };
        self.measure = self.measure.min(sweep.measures.len().saturating_sub(1));
        let label = |key: &str| sweep_measures().find(|spec| spec.key == key).map_or("", |spec| spec.label);
        ui.name_inputs("Measure", |ui| {
            let list = ComboBox::from_id_salt("measure of the map").width(theme.space(MEASURES));
            let list = list.selected_text(label(sweep.measures.get(self.measure).copied().unwrap_or_default()));
            list.show_ui(ui, |ui| {
                for (number, key) in sweep.measures.iter().enumerate() {
                    ui.selectable_value(&mut self.measure, number, label(key));
                }
            })
            .response
            .on_hover_text("The measure that the map shows")
        });
        ui.checkbox(&mut self.spread, "spread")
            .on_hover_text("The standard deviation between seeds instead of their mean");
        if let Some(share) = cx.sweep.progress {
            if ui.button("Cancel").on_hover_text("Keep the cells computed so far").clicked() {
                response.push(TabAction::HaltSweep);
            }
            ui.add(ProgressBar::new(share).desired_width(theme.space(PROGRESS)).desired_height(theme.space(3.0)));
            ui.ctx().request_repaint_after(LOOK);
        } else if cx.sweep.missing
            && ui.add(Button::new("Compute")).on_hover_text("Run the missing cells in the background").clicked()
        {
            response.push(TabAction::StartSweep);
        }
        response
    }
}
