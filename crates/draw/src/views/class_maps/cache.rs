//! What the maps keep: for each run, and for the HMC reference, the sums over its draws, the map of them, and its picture.
//!
//! Draws are added a few at a time in the background; a frame takes over what is ready and asks for more. Draws are picked by
//! position, at most [`MOST`] of them. While a run goes on they stay the same until there are twice as many; then the sums
//! begin again, and the last map stays until the next has as much behind it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};

use egui::{Color32, ColorImage, Context, TextureHandle, TextureOptions};

use super::geometry::{ClassMap, MapQuantity, PredictionSums, boundary, map_grid, middles};
use super::input::MapsInput;
use super::source::{BATCH, MOST, Origin, Source, Whole, portion};
use crate::geometry::{DrawName, KeptVector, is_drawable, thinned_vectors, weights_of};
use crate::kit::background::{Computing, Same, spawned};
use crate::kit::data_edit::Held;
use crate::kit::epoch::Epoch;
use crate::kit::marks::Dot;
use crate::kit::mesh_cache::MeshCache;
use crate::theme::{Appearance, Theme, rgb};
use engine::session::{Frame, FunctionDraws, Linearised, Outputs, RunFrame};
use models::targets::{Classification, Target};

/// The share of a class's colour in the map where the class is certain; the rest is paper, on which marks stand out.
const DEPTH: f64 = 0.72;

/// The kept maps, and the data that are being changed.
#[derive(Debug, Default)]
pub struct MapsCache {
    pub(super) entries: BTreeMap<Source, Entry>,
    /// The data that are being changed.
    pub(super) held: Option<Held>,
    /// Number of maps made so far.
    made: u64,
}

/// The sums after some draws, and the map of them if it is to be shown.
type Made = (PredictionSums, Option<ClassMap>);

/// The map of a run, or of the reference.
#[derive(Debug, Default)]
pub(super) struct Entry {
    origin: Option<Origin>,
    /// Chain and step of the draws of a run that are added; also of those that are being added.
    names: Vec<(usize, u64)>,
    /// The draws that are being added all together, and the portions of them that are still missing.
    whole: Option<Whole>,
    missing: VecDeque<FunctionDraws>,
    /// The sums, while nothing is being added.
    sums: Option<PredictionSums>,
    running: Option<Receiver<Made>>,
    /// Whether a computation has failed; then no other begins.
    failed: bool,
    /// Whether sums have begun again since the map was made.
    again: bool,
    /// The map of the newest sums.
    pub(super) map: Option<Arc<ClassMap>>,
    /// A number that no other map has had.
    pub(super) version: u64,
    picture: Option<Picture>,
    /// The rim of a datum, and the datum.
    dots: [Option<Dot>; 2],
    pub(super) kept: MeshCache,
    single: Option<Single>,
}

/// What a picture depends on.
type PictureKey = (u64, MapQuantity, u64, Appearance);

/// A map in colours.
struct Picture {
    key: PictureKey,
    texture: TextureHandle,
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Picture").field("key", &self.key).finish_non_exhaustive()
    }
}

/// The boundary of a single draw.
#[derive(Debug)]
pub(super) struct Single {
    weights: Vec<f64>,
    pub(super) boundary: Vec<Vec<[f64; 2]>>,
}

impl MapsCache {
    /// Takes over what is ready of all runs shown, and asks for what is missing.
    pub(super) fn update(&mut self, ctx: &Context, input: &MapsInput<'_>) {
        for source in Source::all(input) {
            let entry = self.entries.entry(source).or_default();
            if entry.update(ctx, (input.frame, source), input.computing) {
                self.made += 1;
                entry.version = self.made;
            }
        }
    }

    /// The largest value in some maps.
    pub(super) fn largest(&self, sources: &[Source], quantity: MapQuantity) -> f64 {
        let maps = sources.iter().filter_map(|source| self.entries.get(source)?.map.as_ref());
        maps.map(|map| map.largest(quantity)).fold(0.0, f64::max)
    }
}

impl Entry {
    /// Takes over what is ready and asks for more; returns whether there is another map.
    fn update(&mut self, ctx: &Context, (frame, source): (&Frame, Source), computing: Computing) -> bool {
        let origin = match source {
            Source::Run(run) => frame.runs.get(run).map(|run| Origin::Run(Epoch::of(frame, run))),
            Source::Reference => Some(Origin::Reference(Same(frame.target.clone()))),
        };
        let mut changed = self.origin != origin;
        if changed {
            *self = Self { origin, kept: std::mem::take(&mut self.kept), ..Self::default() };
        }
        changed |= self.poll();
        while self.running.is_none() && !self.failed {
            let Some((draws, last)) = self.next(frame, source) else { break };
            let Some(sums) = self.sums.take().or_else(|| fresh(frame.target.as_ref())) else { break };
            let shown = last || !self.again;
            let target = frame.target.clone();
            let add = move || added(target.as_ref(), sums, &draws, shown);
            if computing == Computing::Background {
                self.running = Some(spawned(ctx.clone(), async move { add() }));
            } else {
                let made = add();
                changed |= self.take(made);
            }
        }
        changed
    }

    /// Takes over sums that are ready; returns whether there is another map.
    fn poll(&mut self) -> bool {
        let Some(receiver) = self.running.take() else { return false };
        match receiver.try_recv() {
            Ok(made) => return self.take(made),
            Err(TryRecvError::Empty) => self.running = Some(receiver),
            Err(TryRecvError::Disconnected) => self.failed = true,
        }
        false
    }

    fn take(&mut self, (sums, map): Made) -> bool {
        self.sums = Some(sums);
        let Some(map) = map else { return false };
        (self.map, self.again) = (Some(Arc::new(map)), false);
        true
    }

    /// The next draws, and whether they are the last of those there are.
    fn next(&mut self, frame: &Frame, source: Source) -> Option<(FunctionDraws, bool)> {
        let dimension = frame.target.dimension();
        let Source::Run(run) = source else {
            return self.next_of(Whole::Reference(frame.reference.clone()?), dimension);
        };
        let run = frame.runs.get(run)?;
        match &run.fits {
            Some(fits) => self.next_of(Whole::Fit(Box::new(fits.clone())), dimension),
            None => self.next_of_run(run, dimension),
        }
    }

    fn next_of_run(&mut self, run: &RunFrame, dimension: usize) -> Option<(FunctionDraws, bool)> {
        let draws = thinned_vectors(run, MOST);
        let names: Vec<(usize, u64)> = draws.iter().map(KeptVector::name).collect();
        if !names.starts_with(&self.names) {
            self.begin_again();
        }
        let (mut vectors, mut weights) = (Vec::new(), Vec::new());
        for (draw, name) in draws.iter().zip(names).skip(self.names.len()) {
            self.names.push(name);
            let weight = run.plan.weight(draw.at.step);
            if weight > 0.0 && is_drawable(draw.at.positions.vector(draw.chain)) {
                vectors.push(draw.weights());
                weights.push(weight);
            }
            if vectors.len() == BATCH {
                break;
            }
        }
        let some: Vec<&[f64]> = vectors.iter().map(Vec::as_slice).collect();
        (!some.is_empty()).then(|| (portion(dimension, &some, weights), self.names.len() == draws.len()))
    }

    /// Of draws that all change together, the newest follow when older ones are done.
    fn next_of(&mut self, newest: Whole, dimension: usize) -> Option<(FunctionDraws, bool)> {
        if self.missing.is_empty() && !self.whole.as_ref().is_some_and(|whole| whole.is(&newest)) {
            self.begin_again();
            self.missing = newest.portions(dimension);
            self.whole = Some(newest);
        }
        let next = self.missing.pop_front()?;
        Some((next, self.missing.is_empty()))
    }

    fn begin_again(&mut self) {
        self.names.clear();
        (self.sums, self.again) = (None, self.map.is_some());
    }

    /// Whether the functions behind the map are linearised.
    pub(super) fn is_linearised(&self) -> bool {
        self.whole.as_ref().is_some_and(Whole::is_linearised)
    }

    /// Number of draws behind the map.
    pub(super) fn draws(&self) -> usize {
        self.map.as_ref().map_or(0, |map| map.sums.draws())
    }

    /// The picture of the map, whose darkest shade stands for `top`.
    pub(super) fn picture(
        &mut self,
        ctx: &Context,
        (quantity, top): (MapQuantity, f64),
        theme: &Theme,
    ) -> Option<TextureHandle> {
        let map = self.map.as_ref()?;
        let key = (self.version, quantity, top.to_bits(), theme.mode);
        if self.picture.as_ref().is_none_or(|picture| picture.key != key) {
            let texture = ctx.load_texture("map", shades(map, (quantity, top), theme), TextureOptions::LINEAR);
            self.picture = Some(Picture { key, texture });
        }
        self.picture.as_ref().map(|picture| picture.texture.clone())
    }

    /// The textures of round marks of these radii, in points of the screen.
    pub(super) fn dots(&mut self, ctx: &Context, radii: [f32; 2]) -> [Option<Dot>; 2] {
        for (dot, radius) in self.dots.iter_mut().zip(radii) {
            *dot = Some(Dot::of(dot.take(), ctx, radius));
        }
        self.dots.clone()
    }

    /// The boundary of a draw of a run.
    pub(super) fn single(&mut self, (frame, run): (&Frame, &RunFrame), name: DrawName) -> Option<&Single> {
        let (model, weights) = (frame.target.classification()?, weights_of(frame, name)?);
        if self.single.as_ref().is_none_or(|single| single.weights != weights) {
            let own = portion(weights.len(), &[&weights], vec![1.0]);
            let linearised = |inputs: &[f64]| {
                Linearised::at(run.fits.as_ref()?, frame.target.as_ref(), inputs).zip(run.fits.as_ref())
            };
            let boundary = single_boundary(model, |inputs| match linearised(inputs) {
                Some((linearised, fits)) => Outputs { f: linearised.outputs(fits, &[name.chain]), weights: vec![1.0] },
                None => own.at(frame.target.as_ref(), inputs),
            });
            self.single = Some(Single { weights, boundary });
        }
        self.single.as_ref()
    }
}

fn fresh(target: &Target) -> Option<PredictionSums> {
    let model = target.classification()?;
    Some(PredictionSums::new(model.classes(), map_grid(model).len()))
}

/// Adds draws to sums, and makes the map of them if it is to be shown.
fn added(target: &Target, mut sums: PredictionSums, draws: &FunctionDraws, shown: bool) -> Made {
    let Some(model) = target.classification() else { return (sums, None) };
    let grid = map_grid(model);
    sums.add_functions(&middles(&grid), draws, target);
    let map = shown.then(|| ClassMap::of(grid, sums.clone()));
    (sums, map)
}

/// The lines on which the likeliest class of a single draw changes.
pub fn boundary_of(target: &Target, weights: &[f64]) -> Vec<Vec<[f64; 2]>> {
    let Some(model) = target.classification() else { return Vec::new() };
    let own = portion(weights.len(), &[weights], vec![1.0]);
    single_boundary(model, |inputs| own.at(target, inputs))
}

/// The same of the draw with these outputs.
fn single_boundary(model: &dyn Classification, outputs_at: impl FnMut(&[f64]) -> Outputs) -> Vec<Vec<[f64; 2]>> {
    let grid = map_grid(model);
    let mut sums = PredictionSums::new(model.classes(), grid.len());
    sums.add(&middles(&grid), outputs_at);
    boundary(&grid, &sums)
}

/// The colour of the likeliest class, with as much paper in it as it is uncertain.
pub(super) fn class_colour(theme: &Theme, (class, probability): (usize, f64), classes: usize) -> Color32 {
    let least = 1.0 / classes.max(2) as f64;
    let certainty = ((probability - least) / (1.0 - least)).clamp(0.0, 1.0);
    let [from, to] = [theme.paper, theme.class(class).colour].map(rgb);
    let share = DEPTH * certainty;
    let part = |i: usize| byte(f64::from(from[i]) * (1.0 - share) + f64::from(to[i]) * share);
    Color32::from_rgb(part(0), part(1), part(2))
}

#[expect(clippy::cast_sign_loss, reason = "clamped to bytes")]
fn byte(value: f64) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

/// The shade of a value between 0 and `top`.
pub(super) fn shade(theme: &Theme, value: f64, top: f64) -> Color32 {
    let [r, g, b] = theme.ramp.shade(value / top);
    Color32::from_rgb(r, g, b)
}

/// The cells of a map in colours, the first row at the top.
fn shades(map: &ClassMap, (quantity, top): (MapQuantity, f64), theme: &Theme) -> ColorImage {
    let [columns, rows] = [map.grid.x.cells, map.grid.y.cells];
    let classes = map.sums.classes();
    let colour = |pixel: usize| {
        let cell = (rows - 1 - pixel / columns) * columns + pixel % columns;
        match quantity {
            MapQuantity::Probability => class_colour(theme, map.sums.likeliest(cell), classes),
            MapQuantity::Entropy => shade(theme, map.entropy[cell], top),
            MapQuantity::Information => shade(theme, map.information[cell], top),
        }
    };
    ColorImage::new([columns, rows], (0..columns * rows).map(colour).collect())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::canvas::pointing::Pointed;
    use crate::kit::data_edit::Editing;
    use base::math::Coords;
    use engine::scenario::read;
    use engine::session::Session;

    fn session(run: &str) -> Session {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"network\"\nhidden = 4\n[target.data]\n\
             kind = \"moons\"\n[[run]]\nname = \"A\"\n{run}"
        );
        Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap()
    }

    const RUN: Source = Source::Run(0);

    const SGLD: &str = "method = \"sgld\"\nsteps = 20000\nchains = 4\n";

    fn updated(cache: &mut MapsCache, frame: &Frame, computing: Computing) -> (u64, usize) {
        let (quantity, editing, pointed) = (MapQuantity::Probability, Editing::Off, &Pointed::default());
        let input = MapsInput { frame, runs: &[0], quantity, computing, editing, pointed };
        cache.update(&Context::default(), &input);
        (cache.entries[&RUN].version, cache.entries[&RUN].draws())
    }

    /// Updates until nothing is missing; the numbers of draws behind the maps on the way.
    fn waited(cache: &mut MapsCache, frame: &Frame) -> Vec<usize> {
        let mut seen = Vec::new();
        for _ in 0..2000 {
            seen.push(updated(cache, frame, Computing::Background).1);
            if cache.entries[&RUN].running.is_none() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert!(cache.entries[&RUN].running.is_none());
        seen
    }

    #[test]
    fn a_map_in_the_background_ends_as_the_one_made_at_once() {
        let mut session = session(SGLD);
        session.advance(6000);
        let frame = session.frame();
        let (mut now, mut later) = (MapsCache::default(), MapsCache::default());
        let (_, draws) = updated(&mut now, &frame, Computing::Now);
        assert!(draws > MOST / 2 && draws <= MOST, "{draws}");
        let seen = waited(&mut later, &frame);
        assert!(
            seen[0] == 0 && seen.windows(2).all(|pair| pair[1] >= pair[0] && pair[1] - pair[0] <= BATCH),
            "{seen:?}"
        );
        assert_eq!(later.entries[&RUN].map, now.entries[&RUN].map);
        // A frame without new draws costs nothing.
        let version = now.entries[&RUN].version;
        assert_eq!(updated(&mut now, &frame, Computing::Now), (version, draws));
        // What the map says is what its draws say.
        let map = now.entries[&RUN].map.clone().unwrap();
        let vectors: Vec<Vec<f64>> = thinned_vectors(&frame.runs[0], MOST).iter().map(KeptVector::weights).collect();
        for cell in [0, 5000, map.grid.len() - 1] {
            let point = [map.grid.centre(cell).into()];
            let all = Coords::of(vectors[0].len(), vectors.iter().map(Vec::as_slice));
            let f = FunctionDraws::of_vectors(all, Vec::new()).at(frame.target.as_ref(), point.as_flattened()).f;
            let mean = f.iter().map(|f| 1.0 / (1.0 + (-f).exp())).sum::<f64>() / f.len() as f64;
            assert!((map.sums.probability(cell, 1) - mean).abs() < 1e-12);
        }
    }

    #[test]
    fn the_last_map_stays_while_fewer_of_more_draws_are_added() {
        let mut session = session(SGLD);
        session.advance(1000);
        let mut cache = MapsCache::default();
        let mut last = 0;
        let mut began_again = false;
        for _ in 0..10 {
            session.advance(2000);
            let frame = session.frame();
            let seen = waited(&mut cache, &frame);
            began_again |= seen.last().is_some_and(|draws| *draws < last);
            assert!(
                seen.iter().all(|draws| *draws > 0 && *draws >= last.min(MOST / 2)) || last == 0,
                "{last}: {seen:?}"
            );
            last = seen[seen.len() - 1];
            let mut now = MapsCache::default();
            assert_eq!(updated(&mut now, &frame, Computing::Now).1, last);
            assert_eq!(now.entries[&RUN].map, cache.entries[&RUN].map);
        }
        assert!(began_again, "the number of draws has never been halved");
    }

    #[test]
    fn draws_of_fits_and_of_nothing() {
        let mut session = session("method = \"gaussian-vi\"\nsteps = 500\n");
        let mut cache = MapsCache::default();
        session.advance(100);
        let (first, draws) = updated(&mut cache, &session.frame(), Computing::Now);
        assert!(draws > 50 && draws <= MOST, "{draws}");
        session.advance(100);
        assert!(updated(&mut cache, &session.frame(), Computing::Now).0 > first);
        let frame = session.frame();
        let name = |step, fitted| DrawName { run: 0, chain: 3, step, fitted };
        let single = |cache: &mut MapsCache, frame: &Frame, name| {
            cache
                .entries
                .get_mut(&RUN)
                .unwrap()
                .single((frame, &frame.runs[0]), name)
                .map(|single| single.boundary.clone())
        };
        let own = single(&mut cache, &frame, name(200, true)).unwrap();
        let weights = &frame.runs[0].fits.as_ref().unwrap().vectors[3];
        assert_eq!(own, boundary_of(frame.target.as_ref(), weights));

        let mut lost =
            self::session("method = \"langevin\"\nsteps = 100\nstep_size = { kind = \"constant\", value = 1e9 }\n");
        let mut cache = MapsCache::default();
        let frame = lost.frame();
        assert_eq!(updated(&mut cache, &frame, Computing::Now).1, 0);
        assert_eq!(super::super::plot::missing(&frame.runs[0]), Some("no draws yet"));
        lost.advance(100);
        let frame = lost.frame();
        assert_eq!(updated(&mut cache, &frame, Computing::Now).1, 0);
        assert_eq!(super::super::plot::missing(&frame.runs[0]), Some("no draws: all chains have left"));
        assert_eq!(single(&mut cache, &frame, name(100, false)), None);
    }
}
