//! Cache of the canvases: shades and contours of the target's density, and the clouds of the runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{ColorImage, Context, TextureHandle, TextureOptions};

use super::cloud::Cloud;
use super::divergences::DivergenceCache;
use super::exact::ExactCache;
use super::fits::FitCache;
use super::geometry::{Beyond, Details};
use super::input::{CanvasInput, Draws, MOST_POINTS};
use super::window::part;
use crate::geometry::{DensityImage, Histogram, Portrait, REGIONS, simplified};
use crate::kit::background::{Computing, Same, SameTarget, Slot};
use crate::kit::cycles::CyclesCache;
use crate::kit::marks::Dot;
use crate::kit::mesh_cache::MeshCache;
use crate::theme::{Appearance, Theme, rgb};
use base::math::Bounds;
use base::platform::pause;
use engine::session::{Frame, RunFrame};
use models::targets::{Density, Target};

/// Radius of a single draw, in units of the theme.
pub(super) const DOT: f32 = 0.45;

/// Up to so many draws of a run, dots are so many times as large.
const LARGER: [(u64, f32); 2] = [(60, 1.7), (300, 1.3)];

/// Points of the screen, or pixels of a figure, per cell of a density image: finer cells would show nothing more of smooth shades.
const PER_CELL: f32 = 2.0;

/// Largest number of cells of a density image along each side: on the screen, where it is made anew while a person waits, and in a
/// figure.
const MOST_CELLS: usize = 480;
const MOST_IN_FIGURES: usize = 1600;

/// The smallest in a figure: with few pixels, narrow modes would lie between the middles of cells.
const LEAST_IN_FIGURES: usize = 160;

/// Tolerance of simplified contours in cells, too small to be visible.
const STRAIGHT: f64 = 0.1;

/// Points per cell of the cloud of a figure: about the size of a single draw.
const APART: f32 = 1.4;

/// The pictures of all canvases; one cache for all, so that equal pictures are made once.
#[derive(Debug, Default)]
pub struct CanvasCache {
    backdrops: BTreeMap<usize, Slot<BackdropKey, Backdrop>>,
    shown: BTreeMap<usize, ShownCanvas>,
    /// The draws of each run on each canvas: canvases of one run may show different parts of the plane.
    clouds: BTreeMap<(usize, usize), Cloud>,
    /// Tessellated points: for each canvas the shades, and the draws of each run.
    kept: BTreeMap<(usize, Option<usize>), MeshCache>,
    /// Tessellated contours of each canvas.
    contours: BTreeMap<usize, MeshCache>,
    dot: Option<Dot>,
    pub(super) exact: ExactCache,
    pub(super) fits: FitCache,
    pub(super) divergences: DivergenceCache,
    pub(super) cycles: CyclesCache,
    /// What is drawn of contours and modes on each canvas, and of which picture at which size that is.
    details: BTreeMap<usize, (DetailsKey, Details)>,
}

/// What the details of a canvas depend on: the picture of the density, the part of the plane, points and the unit of the theme.
type DetailsKey = (egui::TextureId, Bounds, [usize; 2], u32);

/// What a backdrop depends on.
#[derive(Clone, Debug, PartialEq)]
struct BackdropKey {
    target: SameTarget,
    window: Bounds,
    cells: [usize; 2],
    mode: Appearance,
}

/// The last layout of a canvas.
#[derive(Clone, Debug)]
struct ShownCanvas {
    key: BackdropKey,
    /// Its size in points.
    size: [usize; 2],
    /// Whether it shows the view of the target.
    own_view: bool,
    free_scales: bool,
    /// Whether it shows a target that is being painted.
    sketched: bool,
    /// The pass of egui of this layout.
    pass: u64,
}

/// Shades and contours of a part of the plane.
pub(super) struct Backdrop {
    /// The part.
    pub window: Bounds,
    /// Its shades.
    pub image: Arc<ColorImage>,
    /// The same as a texture.
    pub texture: TextureHandle,
    /// Outlines of regions: the number of the region, and the line.
    pub contours: Vec<(usize, Vec<[f64; 2]>)>,
    /// The marginals beyond the view of the target: for each coordinate below it and above it.
    pub marginals_beyond: [[Vec<[f64; 2]>; 2]; 2],
    portrait: Arc<Portrait>,
}

impl std::fmt::Debug for Backdrop {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Backdrop").field("window", &self.window).finish_non_exhaustive()
    }
}

impl CanvasCache {
    /// A target's portrait, if it is there.
    pub(super) fn portrait_of(&self, target: &Arc<Target>) -> Option<&Arc<Portrait>> {
        let target = Same(target.clone());
        let mut all = self.backdrops.values().flat_map(Slot::all);
        all.find(|(key, _)| key.target == target).map(|(_, backdrop)| &backdrop.portrait)
    }

    /// Exact distributions go on from those of another cache, and are left to the next one.
    pub(crate) fn follow_courses(&mut self, courses: &super::Courses) {
        self.exact.follow_courses(courses);
    }

    /// Forgets the pictures of runs. Densities stay: they belong to their targets.
    pub(crate) fn forget_runs(&mut self) {
        self.clouds.clear();
        self.kept.clear();
        self.contours.clear();
        self.exact = ExactCache::default();
        self.fits = FitCache::default();
        self.divergences = DivergenceCache::default();
        self.cycles = CyclesCache::default();
    }

    /// Updates the pictures of a canvas; returns whether some are still being made.
    #[expect(clippy::cast_sign_loss, reason = "a few thousand")]
    pub(super) fn prepare(
        &mut self,
        ctx: &Context,
        input: &CanvasInput<'_>,
        window: Bounds,
        size: [usize; 2],
        theme: &Theme,
    ) -> bool {
        let fine = (input.computing == Computing::Now).then(|| size.map(|points| (points as f32 / APART) as usize));
        self.prepare_runs(ctx, input, (window, fine), theme);
        let target = input.sketch.unwrap_or(&input.frame.target);
        let key = BackdropKey {
            target: Same(target.clone()),
            window,
            cells: cells(size, input.computing, ctx),
            mode: theme.mode,
        };
        let own_view = input.view == target.info().view;
        let pass = ctx.cumulative_pass_nr();
        let (free_scales, sketched) = (input.layers.free_scales, input.sketch.is_some());
        self.shown.insert(input.id, ShownCanvas { key: key.clone(), size, own_view, free_scales, sketched, pass });
        self.request(input.id, key, input.computing, ctx, theme)
    }

    /// Decides what is drawn of contours and modes on a canvas of this size that shows `window`.
    pub(super) fn prepare_details(&mut self, input: &CanvasInput<'_>, window: Bounds, size: [usize; 2], theme: &Theme) {
        let Some(backdrop) = self.backdrop(input.id) else { return drop(self.details.remove(&input.id)) };
        let key = (backdrop.texture.id(), window, size, theme.unit.to_bits());
        if self.details.get(&input.id).is_some_and(|(known, _)| *known == key) {
            return;
        }
        let side = |points: usize, length: f64| points as f64 / (length * f64::from(theme.unit));
        let scale = [side(size[0], window.size().x), side(size[1], window.size().y)];
        let modes: Vec<_> = input.frame.target.info().modes.iter().map(|mode| mode.at).collect();
        let details = Details::of(&backdrop.contours, &modes, scale);
        self.details.insert(input.id, (key, details));
    }

    /// What is drawn of contours and modes on a canvas, if it is known.
    pub(super) fn details(&self, id: usize) -> Option<&Details> {
        self.details.get(&id).map(|(_, details)| details)
    }

    /// Updates the clouds and fits of the runs of a canvas that shows `window`; clouds with `fine` columns and rows, if they are given.
    pub(super) fn prepare_runs(
        &mut self,
        ctx: &Context,
        input: &CanvasInput<'_>,
        (window, fine): (Bounds, Option<[usize; 2]>),
        theme: &Theme,
    ) {
        let most = input.frame.runs.iter().map(|run| run.collected).max().unwrap_or_default();
        let larger = LARGER.iter().find(|(draws, _)| most <= *draws).map_or(1.0, |(_, larger)| *larger);
        self.dot = Some(Dot::of(self.dot.take(), ctx, theme.marker(larger * DOT)));
        self.kept.entry((input.id, None)).or_default();
        self.contours.entry(input.id).or_default();
        for &run in input.runs {
            if let Some(frame) = input.frame.runs.get(run) {
                let before = self.clouds.remove(&(input.id, run));
                let mut cloud = match input.layers.draws {
                    Draws::Ensemble => Cloud::of_chains(input.frame, frame, window, before),
                    _ => Cloud::of_draws(frame, before),
                };
                if as_cloud(input.layers.draws, frame) && input.frame.target.info().dimension > 1 {
                    if let Some(cells) = fine.filter(|_| input.layers.draws != Draws::Ensemble) {
                        cloud.refine(frame, window, cells);
                    }
                    cloud.paint(ctx, (input.id, run), rgb(theme.run(run).colour), window);
                }
                if drawn(input.layers.draws, frame) {
                    let draws = fine.map(|_| frame).filter(|_| input.layers.draws != Draws::Ensemble);
                    cloud.count_beyond(window, input.frame.target.info().dimension == 1, draws);
                }
                self.clouds.insert((input.id, run), cloud);
                self.kept.entry((input.id, Some(run))).or_default();
                self.fits.prepare((input.id, run), input.frame, window);
                self.divergences.prepare(input.frame, run);
            }
        }
    }

    /// Prepares the pictures that the canvases on the screen need for another frame, in the view of its target (`whole`) or in
    /// the present one; returns whether all are there.
    pub(crate) fn foresee(&mut self, ctx: &Context, frame: &Frame, whole: bool, theme: &Theme) -> bool {
        let info = frame.target.info();
        let newest = self.shown.values().map(|canvas| canvas.pass).max();
        if info.dimension == 1 {
            return true;
        }
        let canvases = self.shown.iter().filter(|(_, canvas)| Some(canvas.pass) == newest);
        let canvases: Vec<(usize, ShownCanvas)> = canvases.map(|(&id, canvas)| (id, canvas.clone())).collect();
        let mut pending = false;
        for (id, canvas) in canvases {
            let window = if whole || canvas.own_view {
                part(info.view, canvas.size, canvas.free_scales)
            } else {
                canvas.key.window
            };
            let key = BackdropKey { target: Same(frame.target.clone()), window, ..canvas.key };
            pending |= self.request(id, key, Computing::Background, ctx, theme);
        }
        !pending
    }

    /// Requests a backdrop; returns whether it is still missing. A target without a density has none.
    fn request(&mut self, id: usize, key: BackdropKey, computing: Computing, ctx: &Context, theme: &Theme) -> bool {
        self.backdrops.values_mut().for_each(Slot::poll);
        let Some(density) = key.target.0.density().cloned() else { return false };
        if self.backdrops.iter().any(|(&other, slot)| other != id && slot.knows(&key)) {
            return self.backdrops.values().all(|slot| slot.get(&key).is_none());
        }
        let portrait = self.portrait_of(&key.target.0).cloned();
        let make = backdrop_maker(ctx.clone(), (key.window, key.cells), (density, portrait), theme);
        self.backdrops.entry(id).or_default().request(key, computing, ctx, make)
    }

    /// The backdrop of a canvas: the requested one, or another one of its target. While a target is painted, the last one stays.
    pub(super) fn backdrop(&self, id: usize) -> Option<&Backdrop> {
        let ShownCanvas { key, sketched, .. } = self.shown.get(&id)?;
        // Equal pictures are made once, for one of the canvases.
        let ready = self.backdrops.values().find_map(|slot| slot.get(key));
        let usable = |(known, _): &&(BackdropKey, Backdrop)| *sketched || known.target == key.target;
        ready.or_else(|| self.backdrops.get(&id)?.all().find(usable).map(|(_, backdrop)| backdrop))
    }

    /// The textures of a run's draws on a canvas, and the part of the plane that each covers.
    pub(super) fn cloud(&self, place: (usize, usize)) -> impl Iterator<Item = (&TextureHandle, Bounds)> {
        self.clouds.get(&place).into_iter().flat_map(Cloud::textures)
    }

    /// The draws of a run beyond the sides of the part of the plane that a canvas shows; none while chains are shown instead.
    pub(super) fn beyond(&self, place: (usize, usize)) -> &[Beyond] {
        self.clouds.get(&place).map_or(&[], Cloud::beyond)
    }

    /// A number that changes with a run's draws on a canvas.
    pub(super) fn draws_version(&self, place: (usize, usize)) -> u64 {
        self.clouds.get(&place).map_or(0, |cloud| cloud.version)
    }

    /// The tessellated contours of a canvas.
    pub(super) fn contours(&self, id: usize) -> Option<&MeshCache> {
        self.contours.get(&id)
    }

    /// The shades of a canvas, or the tessellated draws of a run on it.
    pub(super) fn kept(&self, id: usize, run: Option<usize>) -> Option<&MeshCache> {
        self.kept.get(&(id, run))
    }

    /// The texture of a single draw.
    pub(super) fn dot(&self) -> Option<&Dot> {
        self.dot.as_ref()
    }

    /// The histogram of a run's draws on a canvas, or of its chains if the canvas shows these, along coordinate 0 (x) or 1 (y).
    pub(super) fn histogram(&self, place: (usize, usize), coordinate: usize) -> Option<&Histogram> {
        self.clouds.get(&place)?.histograms.get(coordinate)
    }
}

/// Whether the draws of a run are shown as a density image.
pub(super) fn as_cloud(draws: Draws, run: &RunFrame) -> bool {
    match draws {
        Draws::Density => run.collected > 0,
        Draws::Ensemble => true,
        Draws::Auto => run.collected > MOST_POINTS as u64,
        _ => false,
    }
}

/// Whether a run has a histogram.
pub(super) fn counted(draws: Draws, run: &RunFrame) -> bool {
    match draws {
        Draws::Hidden => false,
        Draws::Ensemble => true,
        _ => run.collected > 0,
    }
}

/// Whether the collected draws of a run are shown, one by one or counted.
pub(super) fn drawn(draws: Draws, run: &RunFrame) -> bool {
    !matches!(draws, Draws::Hidden | Draws::Ensemble) && run.collected > 0 && run.fits.is_none()
}

/// Cells of the density image of a canvas of this size in points. A figure has all that its pixels can show.
#[expect(clippy::cast_sign_loss, reason = "a few thousand")]
fn cells(size: [usize; 2], computing: Computing, ctx: &Context) -> [usize; 2] {
    let (scale, least, most) = match computing {
        Computing::Background => (1.0, 1, MOST_CELLS),
        Computing::Now => (ctx.pixels_per_point(), LEAST_IN_FIGURES, MOST_IN_FIGURES),
    };
    size.map(|points| ((points as f32 * scale / PER_CELL) as usize).clamp(least, most))
}

/// The computation of a backdrop, for a background thread.
fn backdrop_maker(
    ctx: Context,
    (window, cells): (Bounds, [usize; 2]),
    (density, portrait): (Arc<dyn Density>, Option<Arc<Portrait>>),
    theme: &Theme,
) -> impl Future<Output = Backdrop> + Send + 'static {
    let ramp = theme.ramp.clone();
    async move {
        let portrait = match portrait {
            Some(portrait) => portrait,
            None => Arc::new(Portrait::of(density.as_ref()).await),
        };
        let (image, is_of_means) = DensityImage::resolved(density.as_ref(), window, cells[0], cells[1]).await;
        pause().await;
        let shades = Arc::new(ColorImage::from_rgba_unmultiplied(cells, &image.rgba(&ramp)));
        let line = |points: Vec<base::math::Point>| {
            let points: Vec<[f64; 2]> = points.iter().map(|at| [at.x, at.y]).collect();
            simplified(&points, STRAIGHT * image.grid.x.width())
        };
        pause().await;
        // Means depend on the size of the cells.
        let own = (is_of_means || portrait.is_of_means).then(|| image.region_levels(&REGIONS));
        let contours = image.contours(own.as_ref().unwrap_or(&portrait.levels));
        let marginals_beyond = portrait.marginals_beyond(density.as_ref(), window).await;
        Backdrop {
            window,
            marginals_beyond,
            texture: ctx.load_texture("density", shades.clone(), TextureOptions::LINEAR),
            image: shades,
            contours: contours.into_iter().map(|found| (found.level, line(found.points))).collect(),
            portrait,
        }
    }
}
