//! What is in the middle while a scenario is being opened: nothing at first, then how far that is.

use std::time::Duration;

use egui::{Align2, Ui};

use crate::app::state::Ctx;
use base::params::printable;
use draw::words::numbers;

/// How long there are no words: most scenarios are there by then.
const QUIET: Duration = Duration::from_millis(300);

/// Says which scenario is being opened.
pub fn show(ctx: &Ctx<'_>, ui: &Ui) {
    if ctx.model.opening().is_none_or(|since| since < QUIET) {
        return;
    }
    let theme = ctx.theme;
    let title = printable(&ctx.model.scenario().title);
    let share = ctx.model.status().computing.map(|share| format!(": {}", numbers::percent(f64::from(share))));
    let rest = match share {
        Some(share) => share,
        None if ctx.model.makes_target() => ": making the target…".to_owned(),
        None => "…".to_owned(),
    };
    let words = format!("Opening {title}{rest}");
    let area = ui.max_rect();
    let galley = ui.painter().layout(words, theme.body(), theme.soft, area.width());
    let at = Align2::CENTER_CENTER.align_size_within_rect(galley.size(), area);
    ui.painter().galley(at.min, galley, theme.soft);
}
