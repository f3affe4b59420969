//! What the plots of chains keep: the numbers of each run, computed in the background.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

use egui::Context;

use super::geometry::ChainPicture;
use super::input::{ChainPlotInput, shown};
use crate::kit::background::{Computing, spawned};
use crate::kit::mesh_cache::MeshCache;
use base::platform;
use engine::session::RunFrame;
use samplers::methods::Interaction;

/// Pause between computations, in multiples of the last one: a tenth of the time is spent on them.
const REST: f64 = 9.0;

/// The numbers of all runs.
#[derive(Debug, Default)]
pub struct ChainCache {
    pub(super) entries: BTreeMap<(usize, usize), Entry>,
    /// Computations so far.
    pub(super) made: u64,
}

/// The numbers of a run in one coordinate.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) done: Option<(Moment, ChainPicture)>,
    pub(super) away: Option<Away>,
    /// The computation that panicked and is not repeated.
    pub(super) failed: Option<Moment>,
    /// The time before which no computation starts.
    pub(super) rest_until: f64,
    /// A number that no other numbers have had.
    pub(super) version: u64,
    pub(super) kept: MeshCache,
}

/// Generation and step of the numbers.
pub(super) type Moment = (u64, u64);

/// Numbers being computed.
#[derive(Debug)]
pub(super) struct Away {
    pub(super) moment: Moment,
    pub(super) since: f64,
    pub(super) result: Receiver<ChainPicture>,
}

impl ChainCache {
    /// Updates the numbers of all runs shown; returns whether some are missing.
    pub(super) fn update(&mut self, ctx: &Context, input: &ChainPlotInput<'_>) -> bool {
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
    pub(super) fn is_stale(&self, input: &ChainPlotInput<'_>) -> bool {
        let generation = input.frame.generation;
        self.pictures(input).any(|(_, entry, _)| entry.done.as_ref().is_some_and(|(known, _)| known.0 != generation))
    }

    /// The runs shown that have numbers, with these.
    pub(super) fn pictures<'a>(
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
