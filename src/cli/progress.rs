//! Progress bars of commands.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar of `length` parts on standard error, as `template` says; invisible if standard error is no terminal.
pub fn bar(template: &str, length: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr()).with_style(style)
}

/// The same, or none if it is to be `quiet`.
pub fn unless(quiet: bool, template: &str, length: u64) -> ProgressBar {
    if quiet { ProgressBar::hidden() } else { bar(template, length) }
}
