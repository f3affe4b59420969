//! What the plot of weight space keeps: the newest picture, and the draws that are chosen.
//!
//! A picture is made of the draws that there are, at most [`MOST`] of them, in the background; the last one stays until the next is
//! there. While a run goes on draws stay the same until there are twice as many. The surface of a plane is kept as long as its
//! three draws are.

use std::sync::Arc;

use egui::{ColorImage, Context, TextureHandle, TextureOptions};

use super::geometry::{Loss, WeightPicture};
use super::input::WeightsInput;
use super::inset::Inset;
use super::made::{Heights, Job, Made};
use crate::canvas::pointing::MOST;
use crate::geometry::{DensityImage, DrawName, NamedDraw, named_draws};
use crate::kit::background::{Same, SameTarget, Slot};
use crate::kit::marks::Dot;
use crate::kit::mesh_cache::MeshCache;
use crate::theme::{Appearance, Theme};

/// Ratios of width to height that have a picture of their own, per unit: the picture reaches somewhat beyond the plot.
const ASPECTS: f64 = 8.0;

/// What a picture depends on.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    generation: u64,
    target: SameTarget,
    picture: WeightPicture,
    names: Vec<DrawName>,
    chosen: Vec<DrawName>,
    /// Width to height of a plane, in steps, and the height of its surface.
    plane: Option<(u32, Loss)>,
    /// The number of a random direction.
    direction: Option<u64>,
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
    /// The function of the draw that the pointer is at.
    pub(super) inset: Inset,
}

impl std::fmt::Debug for WeightsCache {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("WeightsCache").field("version", &self.version).finish_non_exhaustive()
    }
}

impl WeightsCache {
    /// Takes over a picture that is ready, and asks for the next; returns the number of draws there are.
    #[expect(clippy::cast_sign_loss, reason = "a ratio of sides")]
    pub(super) fn update(&mut self, ctx: &Context, input: &WeightsInput<'_>, aspect: f64) -> usize {
        let frame = input.frame;
        let target = Same(frame.target.clone());
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
        let steps = (aspect.clamp(0.2, 5.0) * ASPECTS).round() as u32;
        let plane = (input.picture == WeightPicture::Plane).then_some((steps, input.surface));
        let key = Key {
            generation: frame.generation,
            target: target.clone(),
            picture: input.picture,
            names: names(&draws),
            chosen: names(&chosen),
            plane,
            direction: (input.picture == WeightPicture::Direction).then_some(input.direction),
        };
        let job = Job {
            picture: input.picture,
            surface: input.surface,
            direction: input.direction,
            draws,
            chosen: key.chosen.clone(),
            aspect: f64::from(steps) / ASPECTS,
            before: self
                .slot
                .all()
                .find(|(known, _)| plane.is_some() && known.plane == plane)
                .map(|(_, made)| made.clone()),
        };
        let of = frame.target.clone();
        self.slot.request(key.clone(), input.computing, ctx, async move { Arc::new(job.made(of.as_ref()).await) });
        let belongs = |known: &Key| {
            known.generation == frame.generation && known.target == target && known.picture == input.picture
        };
        let newest = || self.slot.all().find(|(known, _)| belongs(known)).map(|(_, made)| made);
        let newest = self.slot.get(&key).or_else(newest).cloned();
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
        let target = Same(input.frame.target.clone());
        self.chosen = (!chosen.is_empty()).then_some((input.frame.generation, target, chosen));
    }

    /// The texture of round marks.
    pub(super) fn dot(&mut self, ctx: &Context, radius: f32) -> Dot {
        let dot = Dot::of(self.dot.take(), ctx, radius);
        self.dot = Some(dot.clone());
        dot
    }

    /// The surface of a plane in colours: the darkest shade at the lowest loss.
    pub(super) fn texture(&mut self, ctx: &Context, heights: &Heights, theme: &Theme) -> TextureHandle {
        match &self.texture {
            Some((of, mode, texture)) if Arc::ptr_eq(of, &heights.image) && *mode == theme.mode => texture.clone(),
            _ => {
                let texture = ctx.load_texture("plane", shades(heights, theme), TextureOptions::LINEAR);
                self.texture = Some((heights.image.clone(), theme.mode, texture.clone()));
                texture
            }
        }
    }
}

/// The cells of a surface in colours, the first row at the top.
fn shades(Heights { image, scale, .. }: &Heights, theme: &Theme) -> ColorImage {
    let [columns, rows] = [image.grid.x.cells, image.grid.y.cells];
    let above = |cell: usize| scale.lightness(-image.log_density[cell], -image.peak);
    let highest = (0..image.grid.len()).map(above).filter(|above| above.is_finite()).fold(f64::MIN_POSITIVE, f64::max);
    let colour = |pixel: usize| {
        let cell = (rows - 1 - pixel / columns) * columns + pixel % columns;
        let [r, g, b] = theme.ramp.shade((1.0 - above(cell) / highest).max(0.0));
        egui::Color32::from_rgb(r, g, b)
    };
    ColorImage::new([columns, rows], (0..columns * rows).map(colour).collect())
}
