//! What commands put into the clipboard.

use egui::Context;

use crate::app::files::figures::described;
use crate::app::state::Ctx;
use draw::readout::copy;
use draw::sheet::CaptionForm;
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
    caption_as(ctx, context, CaptionForm::Text, "Copied the caption.");
}

/// The same for LaTeX.
pub(super) fn caption_for_latex(ctx: &mut Ctx<'_>, context: &Context) {
    let news = "Copied the caption for LaTeX; Copy citations has its sources.";
    caption_as(ctx, context, CaptionForm::Latex, news);
}

/// The caption in two sentences.
pub(super) fn short_caption(ctx: &mut Ctx<'_>, context: &Context) {
    caption_as(ctx, context, CaptionForm::Short, "Copied the short caption.");
}

/// The same for LaTeX.
pub(super) fn short_caption_for_latex(ctx: &mut Ctx<'_>, context: &Context) {
    let news = "Copied the short caption for LaTeX; Copy citations has its sources.";
    caption_as(ctx, context, CaptionForm::ShortLatex, news);
}

fn caption_as(ctx: &mut Ctx<'_>, context: &Context, form: CaptionForm, news: &str) {
    context.copy_text(described(ctx.model, ctx.view, ctx.prefs).worded(form));
    ctx.view.messages.news(news);
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
