//! Dialogs: the path of a file, what data are, a table that is pasted, a link, a playlist, the form of a sweep, the options of a figure, a report, the trials, help, palette, about the
//! program, unsaved changes,
//! comments that would be lost.

pub mod current;
mod data;
pub mod data_form;
mod export;
mod figure;
mod file_path;
mod hand_out;
mod help;
mod lesson_list;
mod link;
pub mod modal;
mod motion;
mod palette;
mod paste;
mod playlist;
mod priors;
mod report;
mod search_field;
mod sweep;
mod trials;
mod warnings;

use egui::Context;

use super::action::Action;
use super::state::Ctx;
use base::params::printable;
use current::Dialog;
use draw::kit::terms;
use draw::theme::Theme;

use modal::{buttons, main_button, modal};

/// Shows the dialog that is open.
pub fn show(ctx: &mut Ctx<'_>, context: &Context, actions: &mut Vec<Action>) {
    if let Some(term) = terms::take_wish(context) {
        ctx.view.forms.dialog = Some(Dialog::help_at(term.name()));
    }
    let Some(mut dialog) = ctx.view.forms.dialog.take() else { return };
    let open = match &mut dialog {
        Dialog::Path(field) => file_path::show(field, context, ctx.theme, actions),
        Dialog::Link(dialog) => link::show(dialog, ctx, context),
        Dialog::Data(form) => data::show(form, context, ctx.theme, actions),
        Dialog::Paste(form) => paste::show(form, context, ctx.theme, actions),
        Dialog::Sweep(form) => sweep::show(form, ctx, context, actions),
        Dialog::Playlist(adding) => playlist::show(adding, ctx, context, actions),
        Dialog::Export => export::show(ctx, context, actions),
        Dialog::HandOut => hand_out::show(ctx, context, actions),
        Dialog::Report => report::show(ctx, context, actions),
        Dialog::Trials => trials::show(ctx, context, actions),
        Dialog::Help(search) => help::show(search, context, ctx.theme),
        Dialog::Palette(search) => {
            let (open, chosen) = palette::show(search, ctx, context);
            // What was chosen may open another dialog.
            chosen.into_iter().for_each(|entry| entry.take(ctx, context, actions));
            open
        }
        Dialog::About => show_about(context, ctx.theme),
        Dialog::Unsaved => show_unsaved(ctx, context, actions),
        Dialog::Comments { count, closes } => show_comments(ctx, context, (*count, *closes), actions),
    };
    if open {
        ctx.view.forms.dialog = Some(dialog);
    }
}

fn show_about(context: &Context, theme: &Theme) -> bool {
    modal(context, theme, "Sampler Lab", 110.0, |ui| {
        ui.label(concat!("Version ", env!("CARGO_PKG_VERSION")));
        ui.add_space(theme.space(2.0));
        ui.label(env!("CARGO_PKG_DESCRIPTION"));
        ui.add_space(theme.space(2.0));
        ui.label(
            "Everything on the screen is computed: draws are shown as they are, and where some are left out or moved \
             the window says so. A scenario file repeats the same run bit for bit, in this window and on the command \
             line.",
        );
        ui.add_space(theme.space(2.0));
        ui.label("The step size of Langevin methods is α: θ ← θ + α ∇log p(θ) + √(2α) ξ. Welling and Teh (2011) write ε = 2α.");
        !buttons(ui, theme, |ui| ui.button("Close").clicked())
    })
}

fn show_unsaved(ctx: &Ctx<'_>, context: &Context, actions: &mut Vec<Action>) -> bool {
    let theme = ctx.theme;
    modal(context, theme, "Unsaved changes", 110.0, |ui| {
        let file = ctx.model.file().and_then(|file| file.file_name());
        let name = file.map_or_else(|| "The scenario".to_owned(), |name| name.to_string_lossy().into_owned());
        ui.label(format!("{} has changed since it was saved.", printable(&name)));
        buttons(ui, theme, |ui| {
            let save = main_button(ui, theme, "Save");
            let keep = ctx.keeps
                && ui
                    .button("Keep for next time")
                    .on_hover_text("Close without saving; the next start shows the changes")
                    .clicked();
            let discard = ui
                .button("Discard")
                .on_hover_text("Close without saving; the next start shows the scenario as it was saved")
                .clicked();
            let cancel = ui.button("Cancel").on_hover_text("Go on with the scenario (Esc)").clicked();
            if save {
                actions.push(Action::SaveAndQuit);
            } else if keep || discard {
                actions.push(Action::Quit { discard });
            }
            !(save || keep || discard || cancel)
        })
    })
}

fn show_comments(ctx: &Ctx<'_>, context: &Context, (count, closes): (usize, bool), actions: &mut Vec<Action>) -> bool {
    let theme = ctx.theme;
    modal(context, theme, "Comments would be lost", 120.0, |ui| {
        let file = ctx.model.file().and_then(|file| file.file_name());
        let name = file.map_or_else(|| "The file".to_owned(), |name| name.to_string_lossy().into_owned());
        let comments = if count == 1 { "a comment that is".to_owned() } else { format!("{count} comments that are") };
        let words =
            format!("{} has {comments} not written again. Only comments before the first key stay.", printable(&name));
        ui.label(words);
        buttons(ui, theme, |ui| {
            let other = main_button(ui, theme, "Save as…");
            let over = ui.button("Save without them").clicked();
            let cancel = ui.button("Cancel").on_hover_text("The file stays as it is (Esc)").clicked();
            if other {
                actions.push(Action::SaveAs);
            } else if over {
                actions.push(Action::SaveWithoutComments { closes });
            }
            !(other || over || cancel)
        })
    })
}
