//! Mixing of the chains in one coordinate: rank histograms, autocorrelation and running mean, beside each other.
//!
//! The numbers are computed in the background, for one run at a time and at most a tenth of the time. The last ones stay meanwhile.

mod curves;
mod ranks;

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

use egui::{Context, Label, Rect, RichText, Ui, UiBuilder, pos2, vec2};

use crate::scene::ChainPicture;
use crate::theme::{self, Labels, Theme};
use base::platform;
use engine::session::{Frame, RunFrame};
use samplers::methods::Interaction;

use super::background::spawned;
use super::mesh_cache::MeshCache;
use super::overlay_label::OverlayLabel;
use super::{Computing, run_header};
use crate::numbers;

/// What these plots do not show.
const BLIND: &str = "These plots show mixing, not bias: four chains in one mode look perfect.";

/// Pause between computations, in multiples of the last one: a tenth of the time is spent on them.
const REST: f64 = 9.0;

/// Shares of the width that ranks and autocorrelation take.
const SHARES: [f32; 2] = [0.3, 0.34];

/// Input of the plots.
#[derive(Clone, Copy, Debug)]
pub struct ChainPlotInput<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// The runs drawn, by number.
    pub runs: &'a [usize],
    /// Coordinate 0 (x) or 1 (y).
    pub coordinate: usize,
    /// When the numbers are computed.
    pub computing: Computing,
    /// Whether the truth is shown.
    pub truth: bool,
}

/// Response of the plots.
#[must_use]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainResponse {
    /// Whether numbers are being computed, or wait for the end of a pause.
    pub pending: bool,
}

/// The numbers of all runs.
#[derive(Debug, Default)]
pub struct ChainCache {
    entries: BTreeMap<(usize, usize), Entry>,
    /// Computations so far.
    made: u64,
}

/// The numbers of a run in one coordinate.
#[derive(Debug, Default)]
struct Entry {
    done: Option<(Moment, ChainPicture)>,
    away: Option<Away>,
    /// The computation that panicked and is not repeated.
    failed: Option<Moment>,
    /// The time before which no computation starts.
    rest_until: f64,
    /// A number that no other numbers have had.
    version: u64,
    kept: MeshCache,
}

/// Generation and step of the numbers.
type Moment = (u64, u64);

/// Numbers being computed.
#[derive(Debug)]
struct Away {
    moment: Moment,
    since: f64,
    result: Receiver<ChainPicture>,
}

impl ChainCache {
    /// Updates the numbers of all runs shown; returns whether some are missing.
    fn update(&mut self, ctx: &Context, input: &ChainPlotInput<'_>) -> bool {
        let now = ctx.input(|input| input.time);
        let made = &mut self.made;
        self.entries.values_mut().for_each(|entry| entry.poll(now, made));
        let mut busy = self.entries.values().any(|entry| entry.away.is_some());
        let mut pending = false;
        for (index, run) in shown(input) {
            let entry = self.entries.entry((index, input.coordinate)).or_default();
            let moment = (input.frame.generation, run.step);
            if entry.failed == Some(moment) || entry.done.as_ref().is_some_and(|(known, _)| *known == moment) {
                continue;
            }
            if input.computing == Computing::Now {
                entry.keep(moment, platform::now(picture(run, input.coordinate)), &mut self.made);
                continue;
            }
            pending = true;
            if entry.done.as_ref().is_some_and(|(known, _)| known.0 != moment.0) {
                // Numbers of another generation are replaced without a pause.
                entry.rest_until = now;
            }
            if now < entry.rest_until {
                ctx.request_repaint_after(Duration::from_secs_f64(entry.rest_until - now));
            } else if !busy {
                let (run, coordinate) = (run.clone(), input.coordinate);
                let make = async move { picture(&run, coordinate).await };
                entry.away = Some(Away { moment, since: now, result: spawned(ctx.clone(), make) });
                busy = true;
            }
        }
        pending
    }

    /// Whether the numbers shown belong to an earlier generation of the runs.
    fn is_stale(&self, input: &ChainPlotInput<'_>) -> bool {
        let generation = input.frame.generation;
        self.pictures(input).any(|(_, entry, _)| entry.done.as_ref().is_some_and(|(known, _)| known.0 != generation))
    }

    /// The runs shown that have numbers, with these.
    fn pictures<'a>(
        &'a self,
        input: &'a ChainPlotInput<'_>,
    ) -> impl Iterator<Item = (usize, &'a Entry, &'a ChainPicture)> {
        input.runs.iter().filter_map(|&run| {
            let entry = self.entries.get(&(run, input.coordinate))?;
            Some((run, entry, &entry.done.as_ref()?.1))
        })
    }
}

impl Entry {
    /// Takes over numbers that are ready.
    fn poll(&mut self, now: f64, made: &mut u64) {
        let Some(away) = self.away.take() else { return };
        match away.result.try_recv() {
            Ok(picture) => {
                self.rest_until = now + REST * (now - away.since);
                self.keep(away.moment, picture, made);
            }
            Err(TryRecvError::Empty) => self.away = Some(away),
            Err(TryRecvError::Disconnected) => self.failed = Some(away.moment),
        }
    }

    fn keep(&mut self, moment: Moment, picture: ChainPicture, made: &mut u64) {
        *made += 1;
        self.version = *made;
        self.done = Some((moment, picture));
    }
}

/// The mixing of a run in one coordinate.
async fn picture(run: &RunFrame, coordinate: usize) -> ChainPicture {
    let picture = ChainPicture::of(&run.series(), coordinate, run.collected).await;
    let dependent = run.plan.shares_batches() || run.plan.interaction() == Interaction::Particles;
    if dependent { picture.of_dependent(run.plan.chains) } else { picture }
}

/// The runs shown.
fn shown<'a>(input: &'a ChainPlotInput<'_>) -> impl Iterator<Item = (usize, &'a RunFrame)> {
    input.runs.iter().filter_map(|&run| Some((run, input.frame.runs.get(run)?)))
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
    let room = ui.available_rect_before_wrap();
    let text = foot_text(input, cache);
    let layout = |room: f32| ui.painter().layout(text.clone(), theme.small(), theme.soft, room).size().y;
    let foot = match theme.labels {
        Labels { remarks: false, .. } => 0.0,
        Labels { whole: true, .. } => layout(room.width()) + theme.space(1.0),
        _ => theme.text.small * 1.3 + theme.space(1.0),
    };
    let plots = Rect::from_min_max(room.min, pos2(room.max.x, (room.max.y - foot).max(room.min.y)));
    let [left, middle, right] = columns(plots, theme.space(1.5));
    within(ui, "ranks", left, |ui| ranks::show(ui, input, theme, cache));
    within(ui, "autocorrelation", middle, |ui| curves::autocorrelation(ui, input, theme, cache));
    within(ui, "running mean", right, |ui| curves::running_mean(ui, input, theme, cache));
    if theme.labels.remarks {
        within(ui, "foot", Rect::from_min_max(pos2(room.min.x, plots.max.y), room.max), |ui| {
            ui.add_space(theme.space(1.0));
            let text = Label::new(RichText::new(text).font(theme.small()).color(theme.soft));
            ui.add(if theme.labels.whole { text.wrap() } else { text.truncate() });
        });
    }
    ui.advance_cursor_after_rect(room);
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
fn columns(room: Rect, gap: f32) -> [Rect; 3] {
    let width = (room.width() - 2.0 * gap).max(3.0);
    let mut from = room.min.x;
    [SHARES[0], SHARES[1], 1.0 - SHARES[0] - SHARES[1]].map(|share| {
        let column = Rect::from_min_size(pos2(from, room.min.y), vec2(width * share, room.height()));
        from = column.max.x + gap;
        column
    })
}

fn within(ui: &mut Ui, name: &str, room: Rect, contents: impl FnOnce(&mut Ui)) {
    ui.scope_builder(UiBuilder::new().id_salt(name).max_rect(room), contents);
}

/// Labels an empty plot with the reason of its first run.
fn words(ui: &Ui, theme: &Theme, plot: Rect, reasons: &[&str]) {
    let text = reasons.first().copied().unwrap_or("being computed");
    let (at, align) = (plot.center(), egui::Align2::CENTER_CENTER);
    OverlayLabel { text, font: theme.small(), colour: theme.soft, at, align }.paint(ui, theme, plot);
}

#[cfg(test)]
mod tests;
