//! What the plot of weight space keeps: the newest picture, the draws that are chosen, and what the pointer is at.
//!
//! A picture is made of the draws that there are, at most [`MOST`] of them, in the background; the last one stays until the next is
//! there. While a run goes on draws stay the same until there are twice as many. The surface of a plane is kept as long as its
//! three draws are.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{ColorImage, Context, TextureHandle, TextureOptions};

use crate::diagnostics::weight_path::WeightPath;
use crate::draw::plots::background::{SameTarget, Slot};
use crate::draw::plots::mesh_cache::{Dot, MeshCache};
use crate::draw::theme::{Appearance, Theme};
use crate::math::{Bounds, Point};
use crate::scene::{
    Components, DensityImage, DrawName, NamedDraw, Plane, WeightPicture, fitted, function_vectors, named_draws,
    network_of, principal_components, spread, whitened, zoomed,
};
use crate::targets::Target;
use crate::targets::network::{Likelihood, Network};

use super::WeightsInput;

/// Draws in a picture, at most.
const MOST: usize = 500;

/// Cells of the surface of a plane, about.
const CELLS: f64 = 12_000.0;

/// Ratios of width to height that have a picture of their own, per unit: the picture reaches somewhat beyond the plot.
const ASPECTS: f64 = 8.0;
const BEYOND: f64 = 1.15;

/// The contours of a surface, in nats below its highest cell.
pub(super) const LEVELS: [f64; 9] = [1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 10_000.0];

/// What a picture depends on.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    generation: u64,
    target: SameTarget,
    picture: WeightPicture,
    names: Vec<DrawName>,
    chosen: Vec<DrawName>,
    /// Width to height of a plane, in steps.
    aspect: u32,
}

/// A picture with its draws.
#[derive(Debug)]
pub(super) struct Made {
    /// The draws.
    pub(super) names: Vec<DrawName>,
    /// Their weights.
    pub(super) weights: Vec<Vec<f64>>,
    /// Where they are on a canvas.
    pub(super) on_canvas: Vec<Point>,
    /// The numbers of the draws that span the plane, or are the ends of the path: a, b, c.
    pub(super) ends: Vec<usize>,
    /// What is shown of them.
    pub(super) shown: Shown,
}

#[derive(Debug)]
pub(super) enum Shown {
    Scatter(Components),
    Plane(Surface),
    Path(Line),
    /// There are too few draws, in words.
    Few(&'static str),
}

/// A plane, the places of the draws in it with their distances from it, and the log density on it.
#[derive(Debug)]
pub(super) struct Surface {
    pub(super) plane: Plane,
    pub(super) places: Vec<(Point, f64)>,
    pub(super) image: Arc<DensityImage>,
    pub(super) contours: Arc<Vec<Vec<[f64; 2]>>>,
}

/// The line between two draws, and that to the second with its hidden units matched.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) straight: WeightPath,
    pub(super) aligned: WeightPath,
    /// What errors are.
    pub(super) error: &'static str,
}

/// Kept pictures.
#[derive(Default)]
pub struct WeightsCache {
    slot: Slot<Key, Arc<Made>>,
    /// The chosen draws, with the generation and target that they belong to.
    chosen: Option<(u64, SameTarget, Vec<NamedDraw>)>,
    texture: Option<(Arc<DensityImage>, Appearance, TextureHandle)>,
    dot: Option<Dot>,
    pub(super) kept: MeshCache,
    /// The picture that is shown, and a number that no other one has had.
    pub(super) now: Option<Arc<Made>>,
    pub(super) version: u64,
    /// The runs of the canvas under the pointer, and the weights there.
    pub(super) pointed: Option<(Vec<usize>, Point)>,
    /// The run and the weights of the draw under the pointer.
    pub(super) found: Option<(usize, Point)>,
}

impl std::fmt::Debug for WeightsCache {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("WeightsCache").field("version", &self.version).finish_non_exhaustive()
    }
}

impl WeightsCache {
    /// Takes over a picture that is ready, and asks for the next; returns the number of draws there are.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a ratio of sides")]
    pub(super) fn update(&mut self, ctx: &Context, input: &WeightsInput<'_>, aspect: f64) -> usize {
        let frame = input.frame;
        let target = SameTarget(frame.target.clone());
        self.chosen.take_if(|(generation, of, _)| *generation != frame.generation || *of != target);
        let mut draws = named_draws(frame, input.runs, MOST);
        let mut chosen = self.chosen().to_vec();
        chosen.retain(|draw| input.runs.contains(&draw.name.run));
        let count = draws.len();
        draws.extend(
            chosen
                .iter()
                .filter(|draw| !draws.iter().any(|other| other.name == draw.name))
                .cloned()
                .collect::<Vec<_>>(),
        );
        let names = |draws: &[NamedDraw]| draws.iter().map(|draw| draw.name).collect::<Vec<_>>();
        let plane = input.picture == WeightPicture::Plane;
        let key = Key {
            generation: frame.generation,
            target: target.clone(),
            picture: input.picture,
            names: names(&draws),
            chosen: names(&chosen),
            aspect: if plane { (aspect.clamp(0.2, 5.0) * ASPECTS).round() as u32 } else { 0 },
        };
        let job = Job {
            picture: input.picture,
            draws,
            chosen: key.chosen.clone(),
            aspect: f64::from(key.aspect) / ASPECTS,
            before: self
                .slot
                .all()
                .find(|(known, _)| plane && known.aspect == key.aspect)
                .map(|(_, made)| made.clone()),
        };
        let of = frame.target.clone();
        self.slot.request(key, input.computing, ctx, move || Arc::new(job.made(of.as_ref())));
        let belongs = |known: &Key| {
            known.generation == frame.generation && known.target == target && known.picture == input.picture
        };
        let newest = self.slot.all().find(|(known, _)| belongs(known)).map(|(_, made)| made.clone());
        let same = |made: &Arc<Made>| self.now.as_ref().is_some_and(|now| Arc::ptr_eq(now, made));
        if newest.as_ref().is_none_or(|made| !same(made)) {
            (self.now, self.version) = (newest, self.version + 1);
        }
        count
    }

    fn chosen(&self) -> &[NamedDraw] {
        self.chosen.as_ref().map_or(&[], |(_, _, chosen)| chosen)
    }

    /// Whether a person has chosen draws.
    pub fn has_chosen(&self) -> bool {
        !self.chosen().is_empty()
    }

    /// Forgets the chosen draws.
    pub fn release(&mut self) {
        self.chosen = None;
    }

    /// Chooses a draw, or releases it if it is chosen already; of more than three the first is released.
    pub(super) fn choose(&mut self, input: &WeightsInput<'_>, name: DrawName) {
        let mut chosen = self.chosen().to_vec();
        let before = chosen.len();
        chosen.retain(|draw| draw.name != name);
        if chosen.len() == before {
            chosen.extend(named_draws(input.frame, input.runs, MOST).into_iter().find(|draw| draw.name == name));
            chosen.drain(..chosen.len().saturating_sub(3));
        }
        let target = SameTarget(input.frame.target.clone());
        self.chosen = (!chosen.is_empty()).then_some((input.frame.generation, target, chosen));
    }

    /// The texture of round marks.
    pub(super) fn dot(&mut self, ctx: &Context, radius: f32) -> Dot {
        let dot = Dot::of(self.dot.take(), ctx, radius);
        self.dot = Some(dot.clone());
        dot
    }

    /// The surface of a plane in colours: the darkest shade at its highest cell, on a logarithmic scale of nats below it.
    pub(super) fn texture(&mut self, ctx: &Context, image: &Arc<DensityImage>, theme: &Theme) -> TextureHandle {
        match &self.texture {
            Some((of, mode, texture)) if Arc::ptr_eq(of, image) && *mode == theme.mode => texture.clone(),
            _ => {
                let texture = ctx.load_texture("plane", shades(image, theme), TextureOptions::LINEAR);
                self.texture = Some((image.clone(), theme.mode, texture.clone()));
                texture
            }
        }
    }
}

/// The cells of a surface in colours, the first row at the top.
fn shades(image: &DensityImage, theme: &Theme) -> ColorImage {
    let [columns, rows] = [image.grid.x.cells, image.grid.y.cells];
    let below = |cell: usize| (image.peak - image.log_density[cell]).ln_1p();
    let deepest = (0..image.grid.len()).map(below).filter(|depth| depth.is_finite()).fold(f64::MIN_POSITIVE, f64::max);
    let colour = |pixel: usize| {
        let cell = (rows - 1 - pixel / columns) * columns + pixel % columns;
        let [r, g, b] = theme.ramp.shade((1.0 - below(cell) / deepest).max(0.0));
        egui::Color32::from_rgb(r, g, b)
    };
    ColorImage::new([columns, rows], (0..columns * rows).map(colour).collect())
}

/// All that a picture is made from.
struct Job {
    picture: WeightPicture,
    draws: Vec<NamedDraw>,
    chosen: Vec<DrawName>,
    aspect: f64,
    before: Option<Arc<Made>>,
}

impl Job {
    fn made(&self, target: &dyn Target) -> Made {
        let all: Vec<(DrawName, Vec<f64>)> =
            self.draws.iter().filter_map(|draw| Some((draw.name, draw.weights()?))).collect();
        let (names, weights): (Vec<DrawName>, Vec<Vec<f64>>) = all.into_iter().unzip();
        let place = |weights: &Vec<f64>| {
            let behind = target.model();
            behind.map_or_else(Point::zeros, |behind| behind.projection.image(weights.len(), |axis| weights[axis]))
        };
        let on_canvas = weights.iter().map(place).collect();
        let Some(network) = network_of(target) else {
            return Made {
                names,
                weights,
                on_canvas,
                ends: Vec::new(),
                shown: Shown::Few("the draws are no weights of a network"),
            };
        };
        let white: Vec<Vec<f64>> = weights.iter().map(|weights| whitened(network, weights)).collect();
        let ends = self.ends(&names, &white);
        let shown = match self.picture {
            _ if weights.is_empty() => Shown::Few(super::NO_DRAWS),
            WeightPicture::Weights => Shown::Scatter(principal_components(&white)),
            WeightPicture::Functions => {
                Shown::Scatter(principal_components(&function_vectors(target, network, &weights)))
            }
            WeightPicture::Plane => self.plane(network, &weights, &ends),
            WeightPicture::Path => line(target, network, &weights, &ends),
        };
        Made { names, weights, on_canvas, ends, shown }
    }

    /// The chosen draws, then the newest of different chains, and then others that are far from each other.
    fn ends(&self, names: &[DrawName], white: &[Vec<f64>]) -> Vec<usize> {
        let number = |chosen: &DrawName| names.iter().position(|name| name == chosen);
        let mut ends: Vec<usize> = self.chosen.iter().filter_map(number).collect();
        let needed = match self.picture {
            WeightPicture::Plane => 3,
            WeightPicture::Path => 2,
            WeightPicture::Weights | WeightPicture::Functions => return ends,
        };
        let others: Vec<usize> = newest(names).into_iter().chain(spread(white)).collect();
        for other in others {
            if ends.len() < needed && !ends.contains(&other) {
                ends.push(other);
            }
        }
        ends
    }

    fn plane(&self, network: &Network, weights: &[Vec<f64>], ends: &[usize]) -> Shown {
        let [a, b, c] = *ends else { return Shown::Few("a plane needs three draws") };
        let three = [a, b, c].map(|number| &weights[number][..]);
        let Some(plane) = Plane::through(network, three) else { return Shown::Few("these three draws are on a line") };
        let places = weights.iter().map(|weights| plane.place(weights)).collect();
        if let Some(Shown::Plane(before)) = self.before.as_ref().map(|before| &before.shown)
            && before.plane == plane
        {
            let (image, contours) = (before.image.clone(), before.contours.clone());
            return Shown::Plane(Surface { plane, places, image, contours });
        }
        let image = plane.surface(network, self.window(&plane), cells(self.aspect));
        let levels = LEVELS.map(|below| image.peak - below);
        let lines = image.contours(&levels).into_iter();
        let contours = lines.map(|line| line.points.into_iter().map(Into::into).collect()).collect();
        Shown::Plane(Surface { plane, places, image: Arc::new(image), contours: Arc::new(contours) })
    }

    /// The part of the plane whose density is computed: somewhat more than is shown.
    fn window(&self, plane: &Plane) -> Bounds {
        let window = fitted(plane.window(), self.aspect);
        zoomed(window, (window.min + window.max) / 2.0, BEYOND)
    }
}

/// The newest draws of different chains: the first chains of all runs, then the second ones.
fn newest(names: &[DrawName]) -> Vec<usize> {
    let mut found: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (number, name) in names.iter().enumerate() {
        let newest = found.entry((name.chain, name.run)).or_insert(number);
        if name.step > names[*newest].step {
            *newest = number;
        }
    }
    found.into_values().collect()
}

/// Columns and rows of square cells.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a hundred or so")]
fn cells(aspect: f64) -> [usize; 2] {
    [(CELLS * aspect).sqrt().ceil() as usize, (CELLS / aspect).sqrt().ceil() as usize]
}

/// The line between two draws.
fn line(target: &dyn Target, network: &Network, weights: &[Vec<f64>], ends: &[usize]) -> Shown {
    let [a, b] = *ends else { return Shown::Few("a path needs two draws") };
    let (a, b) = (&weights[a], &weights[b]);
    let tests = target.regression().and_then(|regression| regression.tests().first());
    let data = tests.map_or(network.observations(), |tests| &tests.observations);
    let gaussian = matches!(network.likelihood(), Likelihood::Gaussian { .. });
    let error = match (gaussian, tests.is_some()) {
        (true, true) => "test RMSE",
        (true, false) => "RMSE of the data",
        (false, _) => "error on the data",
    };
    let between = |to: &[f64]| WeightPath::between(network, data, a, to);
    Shown::Path(Line { straight: between(b), aligned: between(&network.aligned(b, a)), error })
}
