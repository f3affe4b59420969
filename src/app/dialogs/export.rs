//! Export dialog: picture, size, resolution, colours and footer of a figure.

use egui::{ComboBox, Context, DragValue, Ui};

use super::modal::{buttons, main_button, modal};
use crate::app::action::Action;
use crate::app::controls::labelled;
use crate::app::state::Ctx;
use crate::draw::sheet::{ExportOptions, Format, Paper, Picture, SCALES, SIDES};
use crate::draw::theme::Theme;
use crate::scenario::Scenario;

/// Shows the dialog; returns whether it stays open.
pub fn show(ctx: &mut Ctx<'_>, context: &Context, actions: &mut Vec<Action>) -> bool {
    let (theme, scenario, options) = (ctx.theme, ctx.model.scenario(), &mut ctx.view.export);
    modal(context, theme, "Export a figure", 100.0, |ui| {
        rows(ui, theme, scenario, options);
        ui.add_space(theme.space(1.0));
        ui.weak("The file contains the scenario: drop the picture on the window to open it again.");
        buttons(ui, theme, |ui| {
            let export = main_button(ui, theme, "Export…");
            let cancel = ui.button("Cancel").clicked();
            if export {
                actions.push(Action::ExportTo);
            }
            !(export || cancel)
        })
    })
}

fn rows(ui: &mut Ui, theme: &Theme, scenario: &Scenario, options: &mut ExportOptions) {
    labelled(ui, "Picture", "The whole sheet, one canvas or one plot.", |ui| {
        ui.name_inputs("Picture", |ui| {
            ComboBox::from_id_salt("picture")
                .width(theme.space(50.0))
                // All pictures are in sight.
                .height(theme.space(150.0))
                .selected_text(options.picture.words(scenario))
                .show_ui(ui, |ui| {
                    // Above the dialog, whichever was opened last.
                    ui.ctx().move_to_top(ui.layer_id());
                    for picture in Picture::all(scenario.runs.len()) {
                        ui.selectable_value(&mut options.picture, picture, picture.words(scenario));
                    }
                })
        });
    });
    labelled(ui, "Format", "PNG is made of pixels, SVG of lines and text.", |ui| {
        for format in Format::ALL {
            ui.selectable_value(&mut options.format, format, format.label()).on_hover_text(format.help());
        }
    });
    labelled(ui, "Size", "Width and height in points. Text has the same size in all figures.", |ui| {
        ui.add(DragValue::new(&mut options.width).range(SIDES).suffix(" wide"));
        ui.add(DragValue::new(&mut options.height).range(SIDES).suffix(" high"));
    });
    labelled(ui, "Resolution", "Pixels per point: 2 for print and high-resolution screens.", |ui| {
        ui.add(DragValue::new(&mut options.scale).range(SCALES).speed(0.05).max_decimals(2).prefix("× "));
        let [width, height] = options.pixels();
        ui.weak(format!("{width} × {height} pixels"));
    });
    labelled(ui, "Colours", "Light for print, dark for slides.", |ui| {
        for (paper, name) in Paper::ALL {
            ui.selectable_value(&mut options.paper, paper, name);
        }
    });
    labelled(
        ui,
        "Footer",
        "Title, methods, parameters and seed below the picture, so that the run can be repeated.",
        |ui| {
            ui.checkbox(&mut options.footer, "Methods, parameters and seed");
        },
    );
}
