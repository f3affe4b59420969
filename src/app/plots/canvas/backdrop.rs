//! What lies behind the draws and changes only with target, view or theme: shades and contours. And the
//! cloud of draws as a texture, which changes when the draws do.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{ColorImage, Context, TextureFilter, TextureHandle, TextureOptions};
use egui_plot::PlotPoint;

use crate::app::plots::background::{SameTarget, Slot};
use crate::app::theme::{Mode, Theme, rgb};
use crate::math::{Grid, Window};
use crate::scene::{DensityImage, Portrait, Rgb, cloud_image};
use crate::session::RunFrame;

use super::{CanvasInput, Draws};

/// Points of the screen per cell of a density image: shades are smooth, so that finer cells show nothing more.
const POINTS_PER_CELL: usize = 2;

/// Cells of a density image at most along each side.
const MOST_CELLS: usize = 480;

/// The pictures of all canvases; one for all of them, so that equal pictures are made once.
#[derive(Debug, Default)]
pub struct CanvasCache {
    portrait: Slot<SameTarget, Portrait>,
    backdrops: BTreeMap<usize, Slot<BackdropKey, Backdrop>>,
    shown: BTreeMap<usize, BackdropKey>,
    clouds: BTreeMap<usize, Cloud>,
}

/// What a backdrop depends on.
#[derive(Clone, Debug, PartialEq)]
struct BackdropKey {
    target: SameTarget,
    window: Window,
    cells: [usize; 2],
    mode: Mode,
    levels: Vec<f64>,
}

/// Shades and contours of a part of the world.
pub(super) struct Backdrop {
    /// The part.
    pub window: Window,
    /// Its shades.
    pub texture: TextureHandle,
    /// Outlines of regions: the number of the region, and the line.
    pub contours: Vec<(usize, Vec<PlotPoint>)>,
}

impl std::fmt::Debug for Backdrop {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Backdrop").field("window", &self.window).finish_non_exhaustive()
    }
}

/// The draws of a run as a texture.
struct Cloud {
    counts: Arc<Vec<f64>>,
    grid: Grid,
    colour: Rgb,
    texture: TextureHandle,
}

impl std::fmt::Debug for Cloud {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Cloud").field("grid", &self.grid).finish_non_exhaustive()
    }
}

impl CanvasCache {
    /// A target's portrait, once it has been made.
    pub(super) fn portrait_of(&self, target: &SameTarget) -> Option<&Portrait> {
        self.portrait.get(target)
    }

    /// Sees to the pictures a canvas needs; says whether some are still being made.
    pub(super) fn prepare(
        &mut self,
        ctx: &Context,
        input: &CanvasInput<'_>,
        window: Window,
        size: [usize; 2],
        theme: &Theme,
    ) -> bool {
        for &run in input.runs {
            if let Some(frame) = input.frame.runs.get(run).filter(|frame| as_cloud(input.layers.draws, frame)) {
                self.update_cloud(ctx, run, frame, rgb(theme.run(run).colour));
            }
        }
        let pending = self.prepare_portrait(ctx, input);
        self.prepare_backdrop(ctx, input, window, size, theme) || pending
    }

    /// Sees to the portrait; says whether it is still being made.
    fn prepare_portrait(&mut self, ctx: &Context, input: &CanvasInput<'_>) -> bool {
        let target = SameTarget(input.frame.target.clone());
        let make = {
            let target = target.clone();
            move || Portrait::of(target.0.as_ref())
        };
        self.portrait.request(target, input.computing, ctx, make)
    }

    fn prepare_backdrop(
        &mut self,
        ctx: &Context,
        input: &CanvasInput<'_>,
        window: Window,
        size: [usize; 2],
        theme: &Theme,
    ) -> bool {
        let target = SameTarget(input.frame.target.clone());
        let levels = self.portrait.get(&target).map_or_else(Vec::new, |portrait| portrait.levels.clone());
        let cells = size.map(|points| (points / POINTS_PER_CELL).clamp(1, MOST_CELLS));
        let key = BackdropKey { target, window, cells, mode: theme.mode, levels };
        self.backdrops.values_mut().for_each(Slot::poll);
        self.shown.insert(input.id, key.clone());
        if self.backdrops.iter().any(|(&id, slot)| id != input.id && slot.knows(&key)) {
            return self.backdrops.values().all(|slot| slot.get(&key).is_none());
        }
        let make = backdrop_maker(ctx.clone(), key.clone(), theme);
        self.backdrops.entry(input.id).or_default().request(key, input.computing, ctx, make)
    }

    /// The backdrop of a canvas: the one asked for, or the last one it had.
    pub(super) fn backdrop(&self, id: usize) -> Option<&Backdrop> {
        let key = self.shown.get(&id)?;
        let ready = self.backdrops.values().find_map(|slot| slot.get(key));
        ready.or_else(|| self.backdrops.get(&id)?.latest())
    }

    /// The texture of a run's draws, and the part of the world it covers.
    pub(super) fn cloud(&self, run: usize) -> Option<(&TextureHandle, Window)> {
        let cloud = self.clouds.get(&run)?;
        let (x, y) = (cloud.grid.x, cloud.grid.y);
        Some((&cloud.texture, Window::new((x.min, x.max), (y.min, y.max))))
    }

    fn update_cloud(&mut self, ctx: &Context, run: usize, frame: &RunFrame, colour: Rgb) {
        let current = |cloud: &Cloud| {
            Arc::ptr_eq(&cloud.counts, &frame.cloud) && cloud.grid == frame.cloud_grid && cloud.colour == colour
        };
        if self.clouds.get(&run).is_some_and(current) {
            return;
        }
        let grid = frame.cloud_grid;
        let bytes = cloud_image(&frame.cloud, &grid, colour);
        let image = ColorImage::from_rgba_unmultiplied([grid.x.cells, grid.y.cells], &bytes);
        let counts = frame.cloud.clone();
        if let Some(cloud) = self.clouds.get_mut(&run) {
            cloud.texture.set(image, cells_apart());
            (cloud.counts, cloud.grid, cloud.colour) = (counts, grid, colour);
        } else {
            let texture = ctx.load_texture(format!("cloud {run}"), image, cells_apart());
            self.clouds.insert(run, Cloud { counts, grid, colour, texture });
        }
    }
}

/// Whether the draws of a run are shown as a density image.
pub(super) fn as_cloud(draws: Draws, run: &RunFrame) -> bool {
    match draws {
        Draws::Density => run.collected > 0,
        Draws::Auto => run.collected > super::MOST_POINTS as u64,
        _ => false,
    }
}

/// The computation of a backdrop, fit for a background thread.
fn backdrop_maker(ctx: Context, key: BackdropKey, theme: &Theme) -> impl FnOnce() -> Backdrop + Send + 'static {
    let ramp = theme.ramp.clone();
    move || {
        let [columns, rows] = key.cells;
        let image = DensityImage::of(key.target.0.as_ref(), key.window, columns, rows);
        let picture = ColorImage::from_rgba_unmultiplied(key.cells, &image.rgba(&ramp));
        let line = |points: Vec<crate::math::Point>| points.iter().map(|at| PlotPoint::new(at.x, at.y)).collect();
        Backdrop {
            window: key.window,
            texture: ctx.load_texture("density", picture, TextureOptions::LINEAR),
            contours: image.contours(&key.levels).into_iter().map(|found| (found.level, line(found.points))).collect(),
        }
    }
}

/// Cells keep their edges when they are larger than pixels.
fn cells_apart() -> TextureOptions {
    TextureOptions { magnification: TextureFilter::Nearest, ..TextureOptions::LINEAR }
}
