//! Head of a hand-out, whose file hides the menus: its title, the seed if it may be changed, and buttons for
//! what a student needs to the end, the report.

use egui::{Align, Button, Label, Layout, RichText, Ui, Vec2};

use super::seed;
use crate::app::action::Action;
use crate::app::commands::{Command, spec, tip};
use crate::app::state::Ctx;
use base::params::printable;

/// The buttons, from the right.
const BUTTONS: [(&str, Command); 4] = [
    ("Report…", Command::Report),
    ("Trials…", Command::Trials),
    ("Keep trial", Command::KeepTrial),
    ("Find…", Command::Palette),
];

/// Shows the head.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            for (name, command) in BUTTONS {
                button(ctx, ui, (name, command), false, actions);
            }
            // Questions are revealed where they are answered.
            if ctx.view.hides_target(ctx.model.scenario()) && !ctx.view.studies.challenge.asks() {
                button(ctx, ui, ("Reveal", Command::Truth), false, actions);
            }
            if !ctx.locks("seed") {
                ui.separator();
                seed::show(ctx, ui, actions);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let title = printable(&ctx.model.scenario().title).into_owned();
                ui.add(Label::new(RichText::new(title).font(ctx.theme.strong())).truncate());
            });
        });
    });
}

/// What a student needs of a hand-out whose file leaves the menus: the same buttons, at the head of the lesson.
pub fn in_panel(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = Vec2::splat(ctx.theme.space(1.0));
        for (name, command) in BUTTONS.into_iter().rev().filter(|(_, command)| *command != Command::Palette) {
            button(ctx, ui, (name, command), true, actions);
        }
    });
    ui.add_space(ctx.theme.space(1.0));
}

/// A button for a command.
fn button(ctx: &mut Ctx<'_>, ui: &mut Ui, (name, command): (&str, Command), small: bool, actions: &mut Vec<Action>) {
    let able = spec(command).able(ctx);
    let button = if small { Button::new(name).small() } else { Button::new(name) };
    if ui.add_enabled(able, button).on_hover_text(tip(command)).clicked() {
        spec(command).run(ctx, &ui.ctx().clone(), actions);
    }
}
