//! What the maps keep: for each run the sums over its draws, the map of them, and its picture.
//!
//! Draws are added a few at a time in the background; a frame takes over what is ready and asks for more. Draws are picked by
//! position, at most [`MOST`] of them. While a run goes on they stay the same until there are twice as many; then the sums
//! begin again, and the last map stays until the next has as much behind it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};

use egui::{Color32, ColorImage, Context, TextureHandle, TextureOptions};

use crate::draw::plots::Computing;
use crate::draw::plots::background::spawned;
use crate::draw::plots::data_edit::Held;
use crate::draw::plots::epoch::Epoch;
use crate::draw::plots::mesh_cache::{Dot, MeshCache};
use crate::draw::theme::{Appearance, Theme, rgb};
use crate::math::{Coords, Point};
use crate::scene::{
    ClassMap, KeptVector, MapQuantity, PredictionSums, boundary, is_drawable, map_grid, middles, thinned_vectors,
};
use crate::session::{FitFrame, Frame, RunFrame};
use crate::targets::{Classification, Projected, Target};

use super::MapsInput;

/// Draws behind a map at most, and at least half as many of a long run. The standard error of a probability is at most 0.03.
const MOST: usize = 512;

/// Draws that are added at a time: some hundredths of a second of work.
const BATCH: usize = 32;

/// The share of a class's colour in the map where the class is certain; the rest is paper, on which marks stand out.
const DEPTH: f64 = 0.72;

/// The kept maps, and what the pointer is at.
#[derive(Debug, Default)]
pub struct MapsCache {
    pub(super) entries: BTreeMap<usize, Entry>,
    /// The runs of the canvas under the pointer, and the weights there.
    pub(super) pointed: Option<(Vec<usize>, Point)>,
    /// The data that are being changed.
    pub(super) held: Option<Held>,
    /// Number of maps made so far.
    made: u64,
}

/// The sums after some draws, and the map of them if it is to be shown.
type Made = (PredictionSums, Option<ClassMap>);

/// The map of a run.
#[derive(Debug, Default)]
pub(super) struct Entry {
    epoch: Option<Epoch>,
    /// Chain and step of the draws that are added, or the number of a draw from a fit; also of those that are being added.
    names: Vec<(usize, u64)>,
    /// The draws from a fit that are being added.
    fit: Option<Arc<Vec<Vec<f64>>>>,
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
        let Some(behind) = input.frame.target.model() else { return };
        for &index in input.runs {
            if let Some(run) = input.frame.runs.get(index) {
                let entry = self.entries.entry(index).or_default();
                if entry.update(ctx, (input.frame, run), behind, input.computing) {
                    self.made += 1;
                    entry.version = self.made;
                }
            }
        }
    }

    /// The largest value in the maps of some runs.
    pub(super) fn largest(&self, runs: &[usize], quantity: MapQuantity) -> f64 {
        let maps = runs.iter().filter_map(|run| self.entries.get(run)?.map.as_ref());
        maps.map(|map| map.largest(quantity)).fold(0.0, f64::max)
    }
}

impl Entry {
    /// Takes over what is ready and asks for more; returns whether there is another map.
    fn update(
        &mut self,
        ctx: &Context,
        (frame, run): (&Frame, &RunFrame),
        behind: Projected<'_>,
        computing: Computing,
    ) -> bool {
        let epoch = Some(Epoch::of(frame, run));
        let mut changed = self.epoch != epoch;
        if changed {
            *self = Self { epoch, kept: std::mem::take(&mut self.kept), ..Self::default() };
        }
        changed |= self.poll();
        while self.running.is_none() && !self.failed {
            let Some((draws, weights, last)) = self.batch(run, behind.model.dimension()) else { break };
            let Some(sums) = self.sums.take().or_else(|| fresh(frame.target.as_ref())) else { break };
            let shown = last || !self.again;
            let target = frame.target.clone();
            let add = move || added(target.as_ref(), sums, &draws, &weights, shown);
            if computing == Computing::Background {
                self.running = Some(spawned(ctx.clone(), add));
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

    /// The next draws with their weights, and whether they are the last of those there are.
    fn batch(&mut self, run: &RunFrame, dimension: usize) -> Option<(Coords, Vec<f64>, bool)> {
        let (vectors, weights, last) = match &run.fits {
            Some(fits) => self.of_fit(fits),
            None => self.of_run(run),
        };
        let draws = Coords::of(dimension, vectors.iter().map(Vec::as_slice));
        (!vectors.is_empty()).then_some((draws, weights, last))
    }

    fn of_run(&mut self, run: &RunFrame) -> (Vec<Vec<f64>>, Vec<f64>, bool) {
        let draws = thinned_vectors(run, MOST);
        let names: Vec<(usize, u64)> = draws.iter().map(KeptVector::name).collect();
        if !names.starts_with(&self.names) {
            self.begin_again();
        }
        let (mut vectors, mut weights) = (Vec::new(), Vec::new());
        for (draw, name) in draws.iter().zip(names).skip(self.names.len()) {
            self.names.push(name);
            let weight = run.plan.weight(draw.at.step);
            if weight > 0.0 && is_drawable(draw.at.places.vector(draw.chain)) {
                vectors.push(draw.weights());
                weights.push(weight);
            }
            if vectors.len() == BATCH {
                break;
            }
        }
        (vectors, weights, self.names.len() == draws.len())
    }

    /// Draws from a fit all change with it: those of the newest follow when those of an older one are done.
    fn of_fit(&mut self, fits: &FitFrame) -> (Vec<Vec<f64>>, Vec<f64>, bool) {
        let done = self.fit.as_ref().is_none_or(|fit| self.names.len() >= fit.len().min(MOST));
        if done && self.fit.as_ref().is_none_or(|fit| !Arc::ptr_eq(fit, &fits.vectors)) {
            self.begin_again();
            self.fit = Some(fits.vectors.clone());
        }
        let Some(fit) = self.fit.clone() else { return (Vec::new(), Vec::new(), true) };
        let mut vectors = Vec::new();
        for (number, vector) in fit.iter().enumerate().take(MOST).skip(self.names.len()) {
            self.names.push((number, 0));
            if is_drawable(vector.iter().copied()) {
                vectors.push(vector.clone());
            }
            if vectors.len() == BATCH {
                break;
            }
        }
        let weights = vec![1.0; vectors.len()];
        (vectors, weights, self.names.len() == fit.len().min(MOST))
    }

    fn begin_again(&mut self) {
        self.names.clear();
        (self.sums, self.again) = (None, self.map.is_some());
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

    /// The boundary of the draw whose weights are nearest to a point of the plane.
    pub(super) fn nearest(&mut self, (frame, run): (&Frame, &RunFrame), at: Point) -> Option<&Single> {
        let (model, behind) = (frame.target.classification()?, frame.target.model()?);
        let away = |place: Point| (place - at).norm_squared();
        let weights = match &run.fits {
            Some(fits) => {
                let near = fits.draws.iter().zip(fits.vectors.iter()).take(MOST);
                near.min_by(|a, b| away(*a.0).total_cmp(&away(*b.0))).map(|(_, weights)| weights.clone())
            }
            None => {
                let near = thinned_vectors(run, MOST).into_iter();
                let place = |draw: &KeptVector| behind.projection.point(&draw.at.places, draw.chain);
                near.min_by(|a, b| away(place(a)).total_cmp(&away(place(b)))).map(|draw| draw.weights())
            }
        };
        let weights = weights.filter(|weights| is_drawable(weights.iter().copied()))?;
        if self.single.as_ref().is_none_or(|single| single.weights != weights) {
            let boundary = boundary_of(model, &weights);
            self.single = Some(Single { weights, boundary });
        }
        self.single.as_ref()
    }
}

fn fresh(target: &dyn Target) -> Option<PredictionSums> {
    let model = target.classification()?;
    Some(PredictionSums::new(model.classes(), map_grid(model).len()))
}

/// Adds draws to sums, and makes the map of them if it is to be shown.
fn added(target: &dyn Target, mut sums: PredictionSums, draws: &Coords, weights: &[f64], shown: bool) -> Made {
    let Some(model) = target.classification() else { return (sums, None) };
    let grid = map_grid(model);
    sums.add(model, &middles(&grid), draws, weights);
    let map = shown.then(|| ClassMap::of(grid, sums.clone()));
    (sums, map)
}

/// The lines on which the likeliest class of a single draw changes.
fn boundary_of(model: &dyn Classification, weights: &[f64]) -> Vec<Vec<[f64; 2]>> {
    let grid = map_grid(model);
    let mut sums = PredictionSums::new(model.classes(), grid.len());
    sums.add(model, &middles(&grid), &Coords::of(weights.len(), [weights].into_iter()), &[1.0]);
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

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to bytes")]
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
    use crate::draw::plots::Editing;
    use crate::scenario::read;
    use crate::session::Session;

    fn session(run: &str) -> Session {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"network\"\nhidden = 4\n[target.data]\n\
             kind = \"moons\"\n[[run]]\nname = \"A\"\n{run}"
        );
        Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap()
    }

    const SGLD: &str = "method = \"sgld\"\nsteps = 20000\nchains = 4\n";

    fn updated(cache: &mut MapsCache, frame: &Frame, computing: Computing) -> (u64, usize) {
        let input =
            MapsInput { frame, runs: &[0], quantity: MapQuantity::Probability, computing, editing: Editing::Off };
        cache.update(&Context::default(), &input);
        (cache.entries[&0].version, cache.entries[&0].draws())
    }

    /// Updates until nothing is missing; the numbers of draws behind the maps on the way.
    fn waited(cache: &mut MapsCache, frame: &Frame) -> Vec<usize> {
        let mut seen = Vec::new();
        for _ in 0..2000 {
            seen.push(updated(cache, frame, Computing::Background).1);
            if cache.entries[&0].running.is_none() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert!(cache.entries[&0].running.is_none());
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
        assert_eq!(later.entries[&0].map, now.entries[&0].map);
        // A frame without new draws costs nothing.
        let version = now.entries[&0].version;
        assert_eq!(updated(&mut now, &frame, Computing::Now), (version, draws));
        // What the map says is what its draws say.
        let map = now.entries[&0].map.clone().unwrap();
        let model = frame.target.classification().unwrap();
        let vectors: Vec<Vec<f64>> = thinned_vectors(&frame.runs[0], MOST).iter().map(KeptVector::weights).collect();
        for cell in [0, 5000, map.grid.len() - 1] {
            let place = [map.grid.centre(cell).into()];
            let mut f = vec![0.0; vectors.len()];
            let all = Coords::of(vectors[0].len(), vectors.iter().map(Vec::as_slice));
            model.outputs(&all, &place, &mut Vec::new(), &mut f);
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
            assert_eq!(now.entries[&0].map, cache.entries[&0].map);
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
        assert!(cache.entries.get_mut(&0).unwrap().nearest((&frame, &frame.runs[0]), Point::zeros()).is_some());

        let mut lost =
            self::session("method = \"langevin\"\nsteps = 100\nstep_size = { kind = \"constant\", value = 1e9 }\n");
        let mut cache = MapsCache::default();
        let frame = lost.frame();
        assert_eq!(updated(&mut cache, &frame, Computing::Now).1, 0);
        assert_eq!(super::super::missing(&frame.runs[0]), Some("no draws yet"));
        lost.advance(100);
        let frame = lost.frame();
        assert_eq!(updated(&mut cache, &frame, Computing::Now).1, 0);
        assert_eq!(super::super::missing(&frame.runs[0]), Some("no draws: all chains have diverged"));
        assert!(cache.entries.get_mut(&0).unwrap().nearest((&frame, &frame.runs[0]), Point::zeros()).is_none());
    }
}
