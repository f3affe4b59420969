//! Entries of menus, from the table of commands.

use egui::{Button, Checkbox, RadioButton, Stroke, Ui};

use crate::app::action::Action;
use crate::app::commands::{Command, Group, Sign, Spec, of};
use crate::app::state::Ctx;
use crate::platform::IN_BROWSER;

/// All commands of some groups, with a line between two groups. Returns whether one was chosen that is no box.
pub fn entries(ctx: &mut Ctx<'_>, ui: &mut Ui, groups: &[Group], actions: &mut Vec<Action>) -> bool {
    let mut chosen = false;
    for (number, group) in groups.iter().enumerate() {
        if number > 0 {
            ui.separator();
        }
        if matches!(group, Group::Draws | Group::Exact) {
            ui.weak(group.name());
        }
        for command in of(*group) {
            chosen |= entry(ctx, ui, command, actions);
        }
    }
    chosen
}

/// An entry of a menu. One that cannot be used is disabled; one of a panel, a run, a tree or a mixture that is not there is left out, and so is
/// the end of the program where a browser is around it. Returns whether it was chosen and is no box.
pub fn entry(ctx: &mut Ctx<'_>, ui: &mut Ui, command: &Spec, actions: &mut Vec<Action>) -> bool {
    let able = command.able(ctx);
    let absent =
        matches!(command.group, Group::Panels | Group::Canvases | Group::Layers) || command.sign == Sign::Check;
    if !able && absent && !ctx.view.window.start_page || IN_BROWSER && command.command == Command::Quit {
        return false;
    }
    let (mut on, name) = (command.on(ctx, ui.ctx()), command.title(ctx));
    let response = ui.scope(|ui| {
        if command.sign != Sign::Button {
            // Menus have no edges around their entries, but boxes need one.
            ui.visuals_mut().widgets.inactive.bg_stroke = Stroke::new(1.0, ctx.theme.edge);
        }
        match command.sign {
            Sign::Button => {
                let (button, key) = (Button::new(command.name(ctx)), command.key());
                ui.add_enabled(able, if key.is_empty() { button } else { button.shortcut_text(key) })
            }
            Sign::Check => ui.add_enabled(able, Checkbox::new(&mut on, name)),
            Sign::Radio => ui.add_enabled(able, RadioButton::new(on, name)),
        }
    });
    let clicked = response.inner.on_hover_text(command.help).clicked();
    if clicked {
        command.run(ctx, &ui.ctx().clone(), actions);
    }
    clicked && command.sign == Sign::Button
}
