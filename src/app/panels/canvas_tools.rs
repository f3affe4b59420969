//! Tools of the canvases in the menu bar: layers, the part of the plane that is shown, and which runs have a canvas.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{PopupCloseBehavior, Ui};

use crate::app::action::Action;
use crate::app::commands::Group;
use crate::app::state::Ctx;

use super::entries::entries;

/// A menu of the tools: its name, its help, and the commands in it.
type Tool = (&'static str, &'static str, &'static [Group]);

const LAYERS: Tool = ("Layers ▾", "What the canvases show", &[Group::Layers, Group::Draws, Group::Exact]);
const FIT: Tool = ("Fit ▾", "Which part of the plane the canvases show", &[Group::Fit]);
const CANVASES: Tool = ("Canvases ▾", "A canvas for each run, one for all runs, or one run alone", &[Group::Canvases]);

/// The tools that the experiment needs.
fn tools(ctx: &Ctx<'_>) -> impl Iterator<Item = Tool> + use<> {
    let several = ctx.model.frame().runs.len() > 1;
    [LAYERS, FIT].into_iter().chain(several.then_some(CANVASES))
}

/// The names of the tools.
pub fn names(ctx: &Ctx<'_>) -> Vec<&'static str> {
    tools(ctx).map(|(name, ..)| name).collect()
}

/// Shows the tools.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    for (name, help, groups) in tools(ctx) {
        menu(ctx, ui, (name, help), groups, actions);
    }
}

/// Shows the tools as parts of another menu.
pub fn show_within(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    for (name, help, groups) in tools(ctx) {
        let name = name.trim_end_matches(" ▾");
        ui.menu_button(name, |ui| entries(ctx, ui, groups, actions)).response.on_hover_text(help);
    }
}

/// A menu that stays open while its boxes are ticked, until a click elsewhere or Esc.
fn menu(ctx: &mut Ctx<'_>, ui: &mut Ui, (text, help): (&str, &str), groups: &[Group], actions: &mut Vec<Action>) {
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let button = MenuButton::new(text).config(config).ui(ui, |ui| entries(ctx, ui, groups, actions)).0;
    button.on_hover_text(help);
}
