//! The seed: its field, and a button for another one.

use egui::{DragValue, Ui};

use crate::app::action::Action;
use crate::app::commands::{Command, tip};
use crate::app::state::Ctx;
use draw::kit::named::named;

/// Button, field and name, from the right edge inwards.
pub fn show(ctx: &Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    if named(ui.button("⟳ New"), "New seed").on_hover_text(tip(Command::NewSeed)).clicked() {
        actions.push(Action::NewSeed);
    }
    field(ctx, ui, actions);
    ui.label("Seed");
}

/// The field.
pub fn field(ctx: &Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let mut seed = ctx.model.scenario().seed;
    let field = ui.name_inputs("Seed", |ui| ui.add(DragValue::new(&mut seed).update_while_editing(false).speed(0.1)));
    if field.on_hover_text("The same seed gives the same run, bit for bit").changed()
        && seed != ctx.model.scenario().seed
    {
        actions.push(Action::Seed(seed));
    }
}
