//! One column of the trials against another.

use egui::{ComboBox, RichText, Ui};

use crate::app::state::Ctx;
use crate::app::trials::table::{Quantity, Sheet};
use draw::kit::run_marker;
use draw::kit::scatter::{self, Axis, Point};

/// Width of a list of columns, in units of the theme.
const LIST: f32 = 44.0;

/// Shows the choice of the axes and the plot.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, sheet: &Sheet) {
    let theme = ctx.theme;
    let all = sheet.quantities();
    let Some([x, y]) = axes(ctx, &all) else {
        ui.label("There are no two columns with numbers yet. Keep a few trials with different parameters.");
        return;
    };
    let points = sheet.points([&x.0, &y.0]).into_iter();
    let points: Vec<Point> = points.map(|(run, trial, at)| Point { at, run, label: trial.to_string() }).collect();
    let wide = [0, 1].map(|axis| scatter::is_wide(points.iter().map(|point| point.at[axis])));
    let log = [0, 1].map(|axis| ctx.view.trials.look.log[axis].unwrap_or(wide[axis]));
    ui.horizontal_wrapped(|ui| {
        for (index, (name, shown)) in [("Upwards", &y), ("To the right", &x)].into_iter().enumerate() {
            let index = 1 - index;
            ui.label(name);
            ui.name_inputs(name, |ui| {
                let combo = ComboBox::from_id_salt(name).width(theme.space(LIST)).truncate();
                let combo = combo.selected_text(shown.1.clone());
                combo.show_ui(ui, |ui| {
                    ui.ctx().move_to_top(ui.layer_id());
                    for (quantity, label) in &all {
                        if ui.selectable_label(*quantity == shown.0, label).clicked() {
                            ctx.view.trials.look.axes[index] = Some(quantity.clone());
                        }
                    }
                });
            });
            let mut is_log = log[index];
            let help = "A logarithmic scale; values at 0 and below are not shown";
            let field = ui.name_inputs(format!("{name}, logarithmic"), |ui| ui.checkbox(&mut is_log, "log"));
            if field.on_hover_text(help).changed() {
                ctx.view.trials.look.log[index] = Some(is_log);
            }
            ui.add_space(theme.space(3.0));
        }
        if sheet.several() {
            for (number, name) in sheet.runs.iter().enumerate() {
                // A line may break between two runs, not within one.
                let wide = ui.painter().layout_no_wrap(name.clone(), theme.body(), theme.ink).size().x;
                let whole = wide + 2.0 * theme.text.body + ui.spacing().item_spacing.x;
                if whole > ui.available_size_before_wrap().x {
                    ui.end_row();
                }
                run_marker::show(ui, theme, theme.run(number));
                ui.label(name);
            }
        }
    });
    let foot = theme.text.small * 2.0;
    let missing = ui
        .allocate_ui(ui.available_size() - egui::vec2(0.0, foot), |ui| {
            scatter::show(ui, theme, [Axis { name: &x.1, log: log[0] }, Axis { name: &y.1, log: log[1] }], &points)
        })
        .inner;
    let without = match missing {
        0 => String::new(),
        1 => "; 1 point at 0 or below is not shown".to_owned(),
        several => format!("; {several} points at 0 or below are not shown"),
    };
    let words = format!("The numbers beside the points are those of the trials{without}.");
    ui.label(RichText::new(words).font(theme.small()).color(theme.soft));
}

/// The axes: those that a person has chosen, or the first parameter that differs and the first measure.
fn axes(ctx: &Ctx<'_>, all: &[(Quantity, String)]) -> Option<[(Quantity, String); 2]> {
    let parameter =
        |(quantity, _): &&(Quantity, String)| matches!(quantity, Quantity::Parameter(_) | Quantity::Target(_));
    let measure = |(quantity, _): &&(Quantity, String)| matches!(quantity, Quantity::Measure(_));
    let chosen = |index: usize| {
        let chosen = ctx.view.trials.look.axes[index].as_ref()?;
        all.iter().find(|(quantity, _)| quantity == chosen)
    };
    let x = chosen(0).or_else(|| all.iter().find(parameter)).or(all.first())?;
    let y = chosen(1).or_else(|| all.iter().find(measure)).or(all.last())?;
    Some([x.clone(), y.clone()])
}
