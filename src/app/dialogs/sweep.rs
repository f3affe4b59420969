//! Form of a sweep: run, one to three parameters with their ranges, seeds and measures.

use egui::{Button, Checkbox, ComboBox, Context, DragValue, Label, RichText, ScrollArea, Ui};

use super::current::{SweepDialog, axis_around};
use super::modal::{buttons, main_button, modal};
use crate::app::action::{Action, EditAction};
use crate::app::controls::{fault, labelled};
use crate::app::state::Ctx;
use draw::theme::Theme;
use draw::views::MAP;
use draw::views::sweep::words::measure;
use draw::words::numbers;
use engine::scenario::{Axis, MAX_AXES, MeasureGroup, Number, Scenario};
use engine::session::Frame;
use engine::session::sweep::why_unavailable;

/// Width of the dialog, of its lists, and the height of the list of measures, in units of the theme.
const WIDTH: f32 = 150.0;
const LIST: f32 = 72.0;
const MEASURES: f32 = 64.0;

/// The largest share of the height of the window that the list of measures takes.
const MEASURES_SHARE: f32 = 0.3;

/// Most values along an axis, and most seeds, as in a file.
const MOST: u64 = 1000;

/// Shows the form; returns whether it stays open.
pub fn show(dialog: &mut SweepDialog, ctx: &mut Ctx<'_>, context: &Context, actions: &mut Vec<Action>) -> bool {
    let theme = ctx.theme;
    let scenario = ctx.model.scenario().clone();
    let name = if dialog.replaces { "Sweep" } else { "New sweep" };
    modal(context, theme, name, WIDTH, |ui| {
        ui.label("One run is repeated over a grid of its parameters or those of its target. The scenario itself stays as it is.");
        ui.add_space(theme.space(2.0));
        let frame = ctx.model.frame().clone();
        rows(ui, dialog, (&scenario, &frame), theme);
        let wrong = dialog.sweep.values(&scenario).err();
        let run = scenario.run_index(&dialog.sweep.run);
        let wrong = wrong.map(|errors| fault::in_words(&scenario, run, errors.first()));
        let wrong = wrong.or_else(|| unmeasured(dialog, &frame));
        let words = wrong.clone().unwrap_or_else(|| size(dialog, &scenario));
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

/// The first of the chosen measures that the run cannot have, and why.
fn unmeasured(dialog: &SweepDialog, frame: &Frame) -> Option<String> {
    let why = |key: &&'static str| {
        let reason = unavailable(key, dialog, frame)?;
        Some(format!("There is no \"{}\" here: {reason}.", measure(key)))
    };
    dialog.sweep.measures.iter().find_map(why)
}

/// Why the run that is swept cannot have a measure.
fn unavailable(key: &str, dialog: &SweepDialog, frame: &Frame) -> Option<&'static str> {
    let plan = &frame.runs.iter().find(|run| run.plan.name == dialog.sweep.run)?.plan;
    why_unavailable(key, &frame.target, plan.segment_of(plan.steps).method.fitting().is_none())
}

fn rows(ui: &mut Ui, dialog: &mut SweepDialog, (scenario, frame): (&Scenario, &Frame), theme: &Theme) {
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
    let numbers = scenario.numbers(&dialog.sweep.run);
    for (number, one) in dialog.sweep.axes.iter_mut().enumerate() {
        axis(ui, one, &numbers, number, theme);
    }
    more_or_fewer(ui, dialog);
    labelled(ui, "Seeds", "Repeats of each cell: the seed of the scenario and those that follow.", |ui| {
        ui.name_inputs("Seeds", |ui| ui.add(DragValue::new(&mut dialog.sweep.seeds).range(1..=MOST).speed(0.1)));
    });
    labelled(ui, "Measures", "What is measured at the end of each run.", |ui| {
        let high = theme.space(MEASURES).min(MEASURES_SHARE * ui.ctx().content_rect().height());
        let area = ScrollArea::vertical().id_salt("measures of the sweep").max_height(high).min_scrolled_height(high);
        area.show(ui, |ui| {
            ui.vertical(|ui| {
                let lacks = |group: &MeasureGroup| has_none(dialog, *group, frame).is_some();
                let (without, with): (Vec<_>, Vec<_>) = MeasureGroup::ALL.into_iter().partition(lacks);
                with.into_iter().chain(without).for_each(|group| measures(ui, dialog, group, frame, theme));
            });
        });
    });
    dialog.drop_questions();
}

/// Buttons that add an axis and take one away.
fn more_or_fewer(ui: &mut Ui, dialog: &mut SweepDialog) {
    ui.horizontal(|ui| {
        let axes = dialog.sweep.axes.len();
        if axes < MAX_AXES && !dialog.spare.is_empty() {
            let (name, help) = match axes {
                1 => ("Add a second parameter", "A map in the place of a curve"),
                _ => ("Add a third parameter", "A map for each of its values"),
            };
            if ui.add(Button::new(name).small()).on_hover_text(help).clicked() {
                dialog.add_axis();
            }
        }
        let (name, help) = match axes {
            2 => ("Remove the second parameter", "A curve in the place of a map"),
            3 => ("Remove the third parameter", "One map in the place of several"),
            _ => return,
        };
        if ui.add(Button::new(name).small()).on_hover_text(help).clicked() {
            dialog.remove_axis();
        }
    });
}

/// Why the run has no measure of a group, unless one of them is chosen.
fn has_none(dialog: &SweepDialog, group: MeasureGroup, frame: &Frame) -> Option<&'static str> {
    let mut reasons = group.measures().map(|spec| {
        let chosen = dialog.sweep.measures.contains(&spec.key);
        unavailable(spec.key, dialog, frame).filter(|_| !chosen)
    });
    let first = reasons.next()??;
    reasons.all(|reason| reason.is_some()).then_some(first)
}

/// The measures of a group under its name, or why the run has none of them.
fn measures(ui: &mut Ui, dialog: &mut SweepDialog, group: MeasureGroup, frame: &Frame, theme: &Theme) {
    let soft = |text: String| RichText::new(text).font(theme.small()).color(theme.soft);
    if let Some(reason) = has_none(dialog, group, frame) {
        ui.add(Label::new(soft(format!("{}: none, {reason}", group.name()))).wrap());
        return;
    }
    let offered: Vec<_> = group.measures().map(|spec| (spec, unavailable(spec.key, dialog, frame))).collect();
    ui.label(soft(group.name().to_owned())).on_hover_text(format!("For {}.", group.on()));
    ui.horizontal_wrapped(|ui| {
        for (spec, why) in offered {
            let measures = &mut dialog.sweep.measures;
            let mut on = measures.contains(&spec.key);
            let able = why.is_none() || on;
            let response = ui.add_enabled(able, Checkbox::new(&mut on, spec.label)).on_hover_text(spec.help);
            let response = response.on_disabled_hover_text(why.unwrap_or_default());
            if response.changed() && on {
                measures.push(spec.key);
            } else if response.changed() && measures.len() > 1 {
                measures.retain(|key| *key != spec.key);
            }
        }
    });
}

/// Parameter, range, number and scale of the values along an axis.
fn axis(ui: &mut Ui, axis: &mut Axis, numbers: &[Number], number: usize, theme: &Theme) {
    let name = ["Parameter", "Second parameter", "Third parameter"][number.min(2)];
    let help = if number == 2 { "Each of its values has a map of its own." } else { "What changes from cell to cell." };
    labelled(ui, name, help, |ui| {
        ui.name_inputs(name, |ui| {
            let shown = numbers.iter().find(|number| number.path == axis.parameter);
            let shown = shown.map_or_else(|| axis.parameter.clone(), Number::full_label);
            let combo = ComboBox::from_id_salt(("parameter", number)).width(theme.space(LIST)).selected_text(shown);
            let mut chosen = None;
            combo.height(theme.space(120.0)).show_ui(ui, |ui| {
                let mut group = String::new();
                let mut sorted: Vec<&Number> = numbers.iter().collect();
                sorted.sort_by_key(|number| (number.is_of_target(), !number.group.is_empty()));
                for number in sorted {
                    let of = heading(number);
                    if of != group {
                        ui.label(RichText::new(&of).font(theme.small()).color(theme.soft));
                        group = of;
                    }
                    let label = ui.selectable_label(number.path == axis.parameter, &number.label);
                    if label.on_hover_text(&number.path).clicked() {
                        chosen = Some(number);
                    }
                }
            });
            if let Some(number) = chosen {
                *axis = axis_around(number);
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

/// The heading under which a number is offered.
fn heading(number: &Number) -> String {
    let of = if number.is_of_target() { "Target" } else { "Run" };
    if number.group.is_empty() { of.to_owned() } else { format!("{of}: {}", number.group) }
}
