//! Mixing of the chains in one coordinate: rank histograms, autocorrelation and running mean, beside each other.
//!
//! The numbers are computed in the background, for one run at a time and at most a tenth of the time. The last ones stay meanwhile.

use egui::{Label, Rect, RichText, Ui, UiBuilder, pos2, vec2};

use super::cache::ChainCache;
use super::input::ChainPlotInput;
use super::{curves, ranks};
use crate::kit::run_header;
use crate::theme::{self, Labels, Theme};
use crate::words::numbers;

/// What these plots do not show. Why not may be what is to be found out.
pub(super) const BLIND: &str = "These plots show mixing, not bias.";

/// Shares of the width that ranks and autocorrelation take.
const SHARES: [f32; 2] = [0.3, 0.34];

/// Response of the plots.
#[must_use]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainResponse {
    /// Whether numbers are being computed, or wait for the end of a pause.
    pub pending: bool,
}

/// Draws the three plots into the available space.
pub fn show(ui: &mut Ui, input: &ChainPlotInput<'_>, theme: &Theme, cache: &mut ChainCache) -> ChainResponse {
    let input = &ChainPlotInput { coordinate: input.coordinate.min(1), ..*input };
    let pending = cache.update(ui.ctx(), input);
    let key = ["shaded: spread of independent draws; ± MCSE", "dashed: exact"];
    run_header::line(ui, input.frame, input.runs, theme, &theme.strong(), &key[..if input.truth { 2 } else { 1 }]);
    ui.add_space(theme.space(0.5));
    if cache.is_stale(input) {
        ui.set_opacity(theme::STALE);
    }
    let area = ui.available_rect_before_wrap();
    let text = foot_text(input, cache);
    let layout = |width: f32| ui.painter().layout(text.clone(), theme.small(), theme.soft, width).size().y;
    let foot = match theme.labels {
        Labels { remarks: false, .. } => 0.0,
        Labels { whole: true, .. } => layout(area.width()) + theme.space(1.0),
        _ => theme.text.small * 1.3 + theme.space(1.0),
    };
    let plots = Rect::from_min_max(area.min, pos2(area.max.x, (area.max.y - foot).max(area.min.y)));
    let [left, middle, right] = columns(plots, theme.space(1.5));
    within(ui, "ranks", left, |ui| ranks::show(ui, input, theme, cache));
    within(ui, "autocorrelation", middle, |ui| curves::autocorrelation(ui, input, theme, cache));
    within(ui, "running mean", right, |ui| curves::running_mean(ui, input, theme, cache));
    if theme.labels.remarks {
        within(ui, "foot", Rect::from_min_max(pos2(area.min.x, plots.max.y), area.max), |ui| {
            ui.add_space(theme.space(1.0));
            let text = Label::new(RichText::new(text).font(theme.small()).color(theme.soft));
            ui.add(if theme.labels.whole { text.wrap() } else { text.truncate() });
        });
    }
    ui.advance_cursor_after_rect(area);
    ChainResponse { pending }
}

/// The line below the plots: what they do not show, thinning, and missing plots.
fn foot_text(input: &ChainPlotInput<'_>, cache: &ChainCache) -> String {
    let mut text = BLIND.to_owned();
    let thinned = cache.pictures(input).map(|(_, _, picture)| picture.per_draw).fold(1.0, f64::max);
    if thinned >= 1.5 {
        text += &format!(" Computed from one draw in {}.", numbers::significant(thinned.round(), 3));
    }
    // If no run has numbers, each plot gives the reason itself.
    if cache.pictures(input).any(|(_, _, picture)| picture.ranks.is_ok()) {
        let is_sampler = |run: usize| input.frame.runs.get(run).is_some_and(|run| run.fits.is_none());
        for (run, _, picture) in cache.pictures(input).filter(|(run, ..)| is_sampler(*run)) {
            let reason = picture.ranks.as_ref().err().or(picture.correlation.as_ref().err());
            if let (Some(reason), Some(run)) = (reason, input.frame.runs.get(run)) {
                text += &format!(" {}: {reason}.", run.plan.name);
            }
        }
    }
    text
}

/// Three plots beside each other.
fn columns(area: Rect, gap: f32) -> [Rect; 3] {
    let width = (area.width() - 2.0 * gap).max(3.0);
    let mut from = area.min.x;
    [SHARES[0], SHARES[1], 1.0 - SHARES[0] - SHARES[1]].map(|share| {
        let column = Rect::from_min_size(pos2(from, area.min.y), vec2(width * share, area.height()));
        from = column.max.x + gap;
        column
    })
}

fn within(ui: &mut Ui, name: &str, area: Rect, contents: impl FnOnce(&mut Ui)) {
    ui.scope_builder(UiBuilder::new().id_salt(name).max_rect(area), contents);
}
