//! What commands put into the clipboard.

use egui::Context;

use crate::app::files::figures::described;
use crate::app::state::Ctx;
use draw::readout::copy;
use draw::words::citations::{bibtex, cited};

/// The papers behind the experiment.
pub(super) fn citations(ctx: &mut Ctx<'_>, context: &Context) {
    let target = ctx.model.frame().target.clone();
    let cited = cited(ctx.model.scenario(), std::iter::once(target.as_ref()));
    context.copy_text(bibtex(&cited));
    ctx.view.messages.news(format!("Copied {} sources as BibTeX.", cited.len()));
}

/// The caption of the figure, with keys of sources in brackets.
pub(super) fn caption(ctx: &mut Ctx<'_>, context: &Context) {
    context.copy_text(described(ctx.model, ctx.view, ctx.prefs).caption);
    ctx.view.messages.news("Copied the caption.");
}

/// The same for LaTeX.
pub(super) fn caption_for_latex(ctx: &mut Ctx<'_>, context: &Context) {
    context.copy_text(format!("\\caption{{{}}}", described(ctx.model, ctx.view, ctx.prefs).latex));
    ctx.view.messages.news("Copied the caption for LaTeX; Copy citations has its sources.");
}

/// The readout in columns.
pub(super) fn readout_as_text(ctx: &mut Ctx<'_>, context: &Context) {
    context.copy_text(copy::text(&ctx.measures()));
    ctx.view.messages.news("Copied the readout as text.");
}

/// The readout with all digits.
pub(super) fn readout_as_csv(ctx: &mut Ctx<'_>, context: &Context) {
    match copy::csv(&ctx.measures()) {
        Ok(text) => {
            context.copy_text(text);
            ctx.view.messages.news("Copied the readout as CSV.");
        }
        Err(error) => ctx.view.messages.problem(error.to_string()),
    }
}
