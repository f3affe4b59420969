//! Link dialog: the address of the page, and the link to be copied.

use egui::{Context, TextEdit};

use super::modal::{buttons, main_button, modal};
use crate::app::link::fragment_of;
use crate::app::state::Ctx;
use crate::platform::address;

/// Shows the link; returns whether the dialog stays open.
pub fn show(fragment: &Result<String, String>, ctx: &mut Ctx<'_>, context: &Context) -> bool {
    let theme = ctx.theme;
    modal(context, theme, "Copy link", 120.0, |ui| {
        let fragment = match fragment {
            Ok(fragment) => fragment,
            Err(problem) => {
                ui.colored_label(theme.error, problem);
                return !buttons(ui, theme, |ui| ui.button("Close").clicked());
            }
        };
        ui.label(
            "The link holds the experiment itself: scenario, view and step. It opens in a browser, or in this window where it is pasted. \
             Data in files of your own are not in it.",
        );
        ui.add_space(theme.space(2.0));
        let name = ui.label("Address of the page");
        let field = TextEdit::singleline(&mut ctx.prefs.address).desired_width(f32::INFINITY);
        // A page knows its own address.
        ui.add_enabled(address().is_none(), field.hint_text("https://example.org/sampler-lab/")).labelled_by(name.id);
        let page = ctx.prefs.address.trim();
        let link = format!("{}#{fragment}", page.split('#').next().unwrap_or(page));
        let known = fragment_of(&link).is_some();
        ui.label(if known {
            format!("{} characters", link.chars().count())
        } else {
            "Where is the page? The address begins with http:// or https://.".to_owned()
        });
        buttons(ui, theme, |ui| {
            let copied = ui.add_enabled_ui(known, |ui| main_button(ui, theme, "Copy link")).inner;
            let closed = ui.button("Cancel").clicked();
            if copied {
                context.copy_text(link);
                ctx.view.messages.news("Copied the link");
            }
            !(copied || closed)
        })
    })
}
