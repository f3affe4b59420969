//! Tools of the canvases in the menu bar: layers, the part of the plane that is shown, and which runs have a canvas.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{PopupCloseBehavior, Ui};

use crate::app::action::Action;
use crate::app::commands::Group;
use crate::app::state::Ctx;

use super::entries::entries;

/// Shows the tools.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    menu(ctx, ui, ("Layers ▾", "What the canvases show"), &[Group::Layers, Group::Draws], actions);
    menu(ctx, ui, ("Fit ▾", "Which part of the plane the canvases show"), &[Group::Fit], actions);
    if ctx.model.frame().runs.len() > 1 {
        let words = ("Canvases ▾", "A canvas for each run, one for all runs, or one run alone");
        menu(ctx, ui, words, &[Group::Canvases], actions);
    }
}

/// A menu that stays open while its boxes are ticked, until a click elsewhere or Esc.
fn menu(ctx: &mut Ctx<'_>, ui: &mut Ui, (text, help): (&str, &str), groups: &[Group], actions: &mut Vec<Action>) {
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let button = MenuButton::new(text).config(config).ui(ui, |ui| entries(ctx, ui, groups, actions)).0;
    button.on_hover_text(help);
}
