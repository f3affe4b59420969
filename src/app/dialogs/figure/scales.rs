//! Which axes of panels are logarithmic. A file has it as an option of the tab that is open.

use egui::{Checkbox, Ui};

use crate::app::controls::labelled;
use draw::sheet::{ExportOptions, panels_of};
use draw::views::{PlotOptions, Tab};
use engine::scenario::view::tabs::CONVERGENCE;
use engine::scenario::{Scenario, ViewSpec};

/// The options of plots that say which axes are logarithmic.
const KEYS: [&str; 2] = ["log", "log_steps"];

/// What the window has of them.
pub struct Scales<'a> {
    /// The open tab.
    pub open: Tab,
    /// The options of plots.
    pub options: &'a mut PlotOptions,
    /// Whether the measure of repeats is on a logarithmic axis.
    pub measure: &'a mut bool,
}

impl Scales<'_> {
    fn value(&mut self, tab: Tab, key: &str) -> &mut bool {
        match key {
            "log" if tab.spec.name == CONVERGENCE.name => self.measure,
            "log" => &mut self.options.log,
            _ => &mut self.options.log_steps,
        }
    }
}

/// Shows them for the plots among the panels of a figure.
pub fn show(ui: &mut Ui, (scenario, options): (&Scenario, &ExportOptions), view: &ViewSpec, scales: &mut Scales<'_>) {
    let mut seen: Vec<Tab> = Vec::new();
    for tab in panels_of(view, scenario, &options.size) {
        if seen.contains(&tab) {
            continue;
        }
        seen.push(tab);
        for param in tab.spec.params.iter().filter(|param| KEYS.contains(&param.key)) {
            labelled(ui, param.label, param.help, |ui| {
                let is_open = tab == scales.open;
                let value = scales.value(tab, param.key);
                ui.add_enabled(is_open, Checkbox::new(value, tab.spec.label))
                    .on_disabled_hover_text("A file says it of the tab that is open in the window");
            });
        }
    }
}
