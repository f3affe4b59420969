//! Words about the layer of the exact distribution: what is drawn, how far it has come, or why nothing is drawn.

use egui::{Align2, Id, Popup, Rect, Role, Sense, Ui, WidgetInfo, vec2};

use super::exact::{ExactCache, Follower};
use super::geometry::exact::SHARES;
use super::input::CanvasInput;
use crate::kit::overlay_label::OverlayLabel;
use crate::kit::{run_header, told};
use crate::theme::Theme;
use crate::words::numbers;
use engine::distributions::Followed;

/// Share of the height of a plot that reasons cover at most.
const COVERED: f32 = 0.2;

/// What the header says of the layer: what is drawn, or why nothing is, and nothing where it has no space: then the plot says it.
pub(super) fn above(ui: &Ui, input: &CanvasInput<'_>, theme: &Theme, cache: &ExactCache) -> Option<String> {
    let said = note(input, cache).or_else(|| reason(input, theme, cache));
    said.filter(|said| !is_within(ui, input, theme, said))
}

/// Why no run has a picture, for the header on a screen.
fn reason(input: &CanvasInput<'_>, theme: &Theme, cache: &ExactCache) -> Option<String> {
    let refused = |index: &usize| cache.runs.get(index).is_some_and(|of| of.so_far.picture.is_err());
    let all = !theme.is_figure() && input.layers.exact.is_some() && input.runs.iter().all(refused);
    let reasons = || words(input, cache, false).collect::<Vec<String>>().join("; ");
    all.then(reasons).filter(|reasons| !reasons.is_empty())
}

/// What is said of each run of a canvas, or in brief that there is more to say.
fn words(input: &CanvasInput<'_>, cache: &ExactCache, brief: bool) -> impl Iterator<Item = String> {
    let several = input.runs.len() > 1;
    input.runs.iter().filter_map(move |&index| {
        let run = input.frame.runs.get(index)?;
        let words = cache.runs.get(&index)?.so_far.words((input.frame, run), brief)?;
        Some(if several { format!("{}: {words}", run.plan.name) } else { words })
    })
}

/// Whether a header on a screen has no space for what it should say of the layer. In figures all canvases say equally much.
fn is_within(ui: &Ui, input: &CanvasInput<'_>, theme: &Theme, note: &str) -> bool {
    let runs = input.runs.iter().filter_map(|run| input.frame.runs.get(*run));
    let names: Vec<String> = runs.map(|run| run.plan.name.clone()).collect();
    let note = ui.painter().layout_no_wrap(note.to_owned(), theme.small(), theme.soft).size().x;
    !theme.is_figure() && run_header::width(ui, theme, &names) + note > ui.max_rect().width()
}

/// What is said of the layer; nothing while no run has a picture.
fn note(input: &CanvasInput<'_>, cache: &ExactCache) -> Option<String> {
    let begun = |of: &Follower| of.picture.as_ref().is_ok_and(|picture| picture.is_some() || of.reached.is_some());
    input.runs.iter().find(|index| cache.runs.get(index).is_some_and(|of| begun(&of.so_far)))?;
    let what = match input.layers.exact? {
        Followed::Now => "exact now",
        Followed::Collected => "exact, collected",
        Followed::Stationary => "exact, stationary",
    };
    if input.frame.target.info().dimension == 1 {
        return Some(what.to_owned());
    }
    let shares: Vec<String> = SHARES.iter().map(|share| numbers::significant(100.0 * share, 2)).collect();
    Some(format!("{what}: {} %", shares.join(", ")))
}

/// Says in a corner of the plot what is drawn where the header has no space, why nothing is drawn, or how far it has come; returns its patch.
pub(super) fn paint(ui: &Ui, input: &CanvasInput<'_>, theme: &Theme, cache: &ExactCache, plot: Rect) -> Option<Rect> {
    input.layers.exact?;
    if reason(input, theme, cache).is_some_and(|reason| !is_within(ui, input, theme, &reason)) {
        return None;
    }
    let lines = |brief: bool| -> Vec<String> {
        let what = note(input, cache).filter(|note| is_within(ui, input, theme, note));
        what.into_iter().chain(words(input, cache, brief)).collect()
    };
    let whole = lines(false).join("\n");
    if whole.is_empty() {
        return None;
    }
    // Draws beyond the ends of a line are counted at its bottom; those beyond a plane at its edges, with a triangle and a line of text.
    let (at, align) = if input.frame.target.info().dimension == 1 {
        (plot.left_top() + vec2(theme.space(1.0), theme.space(1.0)), Align2::LEFT_TOP)
    } else {
        let above = 2.6 * theme.text.body + theme.space(1.0);
        (plot.left_bottom() + vec2(theme.space(1.0), -above), Align2::LEFT_BOTTOM)
    };
    let label = |text| OverlayLabel { text, font: theme.small(), colour: theme.ink, at, align };
    // Reasons cover no more than a strip: in a small plot they come when they are pointed at or clicked.
    let covers = label(&whole).patch(ui, theme, plot).height() > COVERED * plot.height();
    if !covers {
        return Some(label(&whole).paint(ui, theme, plot));
    }
    if theme.is_figure() {
        told::warn(ui, whole.replace('\n', "; "));
        return None;
    }
    let patch = label(&lines(true).join("\n")).paint(ui, theme, plot);
    let asked = ui.interact(patch, Id::unique(("why no exact distribution", input.id)), Sense::click());
    asked.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Why no exact distribution"));
    Popup::from_toggle_button_response(&asked).show(|ui| ui.label(&whole));
    asked.on_hover_text(whole);
    Some(patch)
}
