//! Form of a sweep: run, one or two parameters with their ranges, seeds and measures.

use egui::{Button, ComboBox, Context, DragValue, RichText, ScrollArea, Ui};

use super::modal::{buttons, main_button, modal};
use super::open_dialog::{SweepDialog, axis_around};
use crate::app::action::{Action, EditAction};
use crate::app::controls::labelled;
use crate::app::state::Ctx;
use base::params::Settings;
use draw::theme::Theme;
use draw::views::MAP;
use draw::views::sweep::words;
use draw::words::numbers;
use engine::scenario::{Axis, Scenario, number_paths, sweep_measures};

/// Width of the dialog, of its lists, and the height of the list of measures, in units of the theme.
const WIDTH: f32 = 150.0;
const LIST: f32 = 56.0;
const MEASURES: f32 = 44.0;

/// Most values along an axis, and most seeds, as in a file.
const MOST: u64 = 1000;

/// Shows the form; returns whether it stays open.
pub fn show(dialog: &mut SweepDialog, ctx: &mut Ctx<'_>, context: &Context, actions: &mut Vec<Action>) -> bool {
    let theme = ctx.theme;
    let scenario = ctx.model.scenario().clone();
    let name = if dialog.replaces { "Sweep" } else { "New sweep" };
    modal(context, theme, name, WIDTH, |ui| {
        ui.label("One run is repeated over a grid of its parameters. The scenario itself stays as it is.");
        ui.add_space(theme.space(2.0));
        rows(ui, dialog, &scenario, theme);
        let wrong = dialog.sweep.values(&scenario).err();
        let words = match &wrong {
            Some(errors) => errors.first().map(ToString::to_string).unwrap_or_default(),
            None => size(dialog, &scenario),
        };
        ui.add_space(theme.space(2.0));
        let colour = if wrong.is_some() { theme.error } else { theme.soft };
        ui.add(egui::Label::new(RichText::new(words).color(colour)).wrap());
        buttons(ui, theme, |ui| {
            let text = if dialog.replaces { "Change" } else { "Create" };
            let taken = ui.add_enabled_ui(wrong.is_none(), |ui| main_button(ui, theme, text)).inner;
            let removed = dialog.replaces
                && ui
                    .button("Remove sweep")
                    .on_hover_text("The scenario has no sweep any more; Undo brings it back")
                    .clicked();
            let cancelled = ui.button("Cancel").clicked();
            if taken {
                actions.push(Action::Edit(EditAction::Sweep(Some(Box::new(dialog.sweep.clone())))));
                ctx.view.plots.open_tab(MAP);
                ctx.unfold(crate::app::view::folding::Side::Bottom, context);
            } else if removed {
                actions.push(Action::Edit(EditAction::Sweep(None)));
            }
            !(taken || removed || cancelled)
        })
    })
}

/// How much there is to compute.
fn size(dialog: &SweepDialog, scenario: &Scenario) -> String {
    let cells: usize = dialog.sweep.values(scenario).map_or(0, |axes| axes.iter().map(Vec::len).product());
    let runs = cells as u64 * dialog.sweep.seeds;
    format!("{} cells with {} seeds: {} runs", numbers::count(cells as u64), dialog.sweep.seeds, numbers::count(runs))
}

fn rows(ui: &mut Ui, dialog: &mut SweepDialog, scenario: &Scenario, theme: &Theme) {
    let list = theme.space(LIST);
    labelled(ui, "Run", "The run that is repeated; the others are not computed.", |ui| {
        ui.name_inputs("Run", |ui| {
            let combo = ComboBox::from_id_salt("swept run").width(list).selected_text(dialog.sweep.run.clone());
            let mut chosen = None;
            combo.show_ui(ui, |ui| {
                for (number, run) in scenario.runs.iter().enumerate() {
                    if ui.selectable_label(run.name == dialog.sweep.run, &run.name).clicked() {
                        chosen = Some(number);
                    }
                }
            });
            if let Some(number) = chosen {
                dialog.choose_run(scenario, number);
            }
        });
    });
    let Some(settings) = scenario.runs.iter().find(|run| run.name == dialog.sweep.run).map(|run| &run.settings) else {
        return;
    };
    for number in 0..dialog.sweep.axes.len() {
        axis(ui, &mut dialog.sweep.axes[number], settings, number, theme);
    }
    if dialog.sweep.axes.len() == 1 {
        if let Some(spare) = dialog.spare.clone()
            && ui
                .add(Button::new("Add a second parameter").small())
                .on_hover_text("A map in the place of a curve")
                .clicked()
        {
            dialog.sweep.axes.push(spare);
        }
    } else if ui
        .add(Button::new("Remove the second parameter").small())
        .on_hover_text("A curve in the place of a map")
        .clicked()
    {
        dialog.spare = dialog.sweep.axes.pop();
    }
    labelled(ui, "Seeds", "Repeats of each cell: the seed of the scenario and those that follow.", |ui| {
        ui.name_inputs("Seeds", |ui| ui.add(DragValue::new(&mut dialog.sweep.seeds).range(1..=MOST).speed(0.1)));
    });
    labelled(ui, "Measures", "What is measured at the end of each run.", |ui| {
        let area = ScrollArea::vertical().id_salt("measures of the sweep").max_height(theme.space(MEASURES));
        area.show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                for spec in sweep_measures() {
                    let measures = &mut dialog.sweep.measures;
                    let mut on = measures.contains(&spec.key);
                    if ui.checkbox(&mut on, spec.label).on_hover_text(spec.help).changed() {
                        if on {
                            measures.push(spec.key);
                        } else if measures.len() > 1 {
                            measures.retain(|key| *key != spec.key);
                        }
                    }
                }
            });
        });
    });
    dialog.drop_questions();
}

/// Parameter, range, number and scale of the values along an axis.
fn axis(ui: &mut Ui, axis: &mut Axis, settings: &Settings, number: usize, theme: &Theme) {
    let name = if number == 0 { "Parameter" } else { "Second parameter" };
    labelled(ui, name, "What changes from cell to cell.", |ui| {
        ui.name_inputs(name, |ui| {
            let shown = words::parameter(Some(settings), &axis.parameter);
            let combo = ComboBox::from_id_salt(("parameter", number)).width(theme.space(LIST)).selected_text(shown);
            let mut chosen = None;
            combo.height(theme.space(120.0)).show_ui(ui, |ui| {
                for path in number_paths(settings) {
                    let label = words::parameter(Some(settings), &path);
                    if ui.selectable_label(path == axis.parameter, label).on_hover_text(&path).clicked() {
                        chosen = Some(path);
                    }
                }
            });
            if let Some(path) = chosen {
                *axis = axis_around(settings, path);
            }
        });
    });
    labelled(ui, "Values", "From the first to the last, in equal ratios (log) or at equal distances.", |ui| {
        for (value, name) in [(&mut axis.from, "from"), (&mut axis.to, "to")] {
            let speed = 0.01 * value.abs().max(1e-6);
            let field = DragValue::new(value)
                .speed(speed)
                .prefix(format!("{name} "))
                .custom_formatter(|value, _| numbers::exact(value))
                .custom_parser(numbers::parse);
            ui.name_inputs(name, |ui| ui.add(field));
        }
        ui.name_inputs("Number of values", |ui| {
            ui.add(DragValue::new(&mut axis.count).range(1..=MOST).speed(0.1).suffix(" values"))
        });
        ui.checkbox(&mut axis.log, "log").on_hover_text("Values follow each other in equal ratios");
    });
}
