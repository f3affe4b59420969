//! Density image and histograms of the draws of a run, or of its chains at the newest step. Both are computed again only when
//! their content changes; for draws the cost does not grow with their number.

use std::sync::Arc;

use egui::{ColorImage, Context, TextureFilter, TextureHandle, TextureOptions};

use crate::math::{Bounds, Grid};
use crate::scene::{Ensemble, Histogram, Rgb, cloud_image};
use crate::session::{Frame, RunFrame};

/// The counted content.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Counted {
    /// This number of draws.
    Draws(u64),
    /// The chains at a step of a generation, within a part of the plane.
    Chains { generation: u64, step: u64, chains: usize, window: Bounds },
}

/// Density image and histograms of a run.
pub struct Cloud {
    counts: Arc<Vec<f64>>,
    counted: Counted,
    grid: Grid,
    /// A number that no other content of this run has had.
    pub version: u64,
    /// Along x and y, in the cells of the grid.
    pub histograms: [Histogram; 2],
    /// The colour of the texture, if it shows the present content.
    painted: Option<Rgb>,
    texture: Option<TextureHandle>,
}

impl std::fmt::Debug for Cloud {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Cloud").field("grid", &self.grid).finish_non_exhaustive()
    }
}

impl Cloud {
    /// The draws of a run; `before` is the cloud so far.
    pub fn of_draws(frame: &RunFrame, before: Option<Self>) -> Self {
        let counted = Counted::Draws(frame.collected);
        let same = |cloud: &Self| {
            Arc::ptr_eq(&cloud.counts, &frame.cloud) && cloud.counted == counted && cloud.grid == frame.cloud_grid
        };
        match before {
            Some(cloud) if same(&cloud) => cloud,
            before => {
                let (counts, grid) = (frame.cloud.clone(), frame.cloud_grid);
                let histograms = [Histogram::along_x(&counts, &grid), Histogram::along_y(&counts, &grid)];
                Self::new((counts, counted, grid), histograms, before)
            }
        }
    }

    /// The chains of a run at the newest step, within `window`.
    pub fn of_chains(frame: &Frame, run: &RunFrame, window: Bounds, before: Option<Self>) -> Self {
        let chains = run.positions.len();
        let counted = Counted::Chains { generation: frame.generation, step: run.step, chains, window };
        match before {
            Some(cloud) if cloud.counted == counted => cloud,
            before => {
                let ensemble = Ensemble::of(&run.positions, frame.target.info(), window);
                let histograms = [ensemble.histogram(0), ensemble.histogram(1)];
                Self::new((Arc::new(ensemble.counts), counted, ensemble.grid), histograms, before)
            }
        }
    }

    /// Takes over texture and number of the cloud before.
    fn new(
        (counts, counted, grid): (Arc<Vec<f64>>, Counted, Grid),
        histograms: [Histogram; 2],
        before: Option<Self>,
    ) -> Self {
        let version = before.as_ref().map_or(0, |cloud| cloud.version) + 1;
        let texture = before.and_then(|cloud| cloud.texture);
        Self { counts, counted, grid, version, histograms, painted: None, texture }
    }

    /// Updates the texture to show the draws in `colour`.
    pub fn paint(&mut self, ctx: &Context, run: usize, colour: Rgb) {
        if self.painted == Some(colour) && self.texture.is_some() {
            return;
        }
        let bytes = cloud_image(&self.counts, &self.grid, colour);
        let image = ColorImage::from_rgba_unmultiplied([self.grid.x.cells, self.grid.y.cells], &bytes);
        match &mut self.texture {
            Some(texture) => texture.set(image, cells_apart()),
            None => self.texture = Some(ctx.load_texture(format!("cloud {run}"), image, cells_apart())),
        }
        self.painted = Some(colour);
    }

    /// The texture, and the part of the plane that it covers.
    pub fn texture(&self) -> Option<(&TextureHandle, Bounds)> {
        let (x, y) = (self.grid.x, self.grid.y);
        Some((self.texture.as_ref()?, Bounds::new((x.min, x.max), (y.min, y.max))))
    }
}

/// Texture options: cells larger than pixels have sharp edges.
fn cells_apart() -> TextureOptions {
    TextureOptions { magnification: TextureFilter::Nearest, ..TextureOptions::LINEAR }
}
