//! The draws of a run as a canvas keeps them: histograms, and a texture where they are shown as a density. Both
//! are made again only when the draws have changed, and cost the same however many there are.

use std::sync::Arc;

use egui::{ColorImage, Context, TextureFilter, TextureHandle, TextureOptions};

use crate::math::{Grid, Window};
use crate::scene::{Histogram, Rgb, cloud_image};
use crate::session::RunFrame;

/// The draws of a run.
pub struct Cloud {
    counts: Arc<Vec<f64>>,
    collected: u64,
    grid: Grid,
    /// A number that no other draws have had.
    pub version: u64,
    /// Along x and y, in the cells of the grid.
    pub histograms: [Histogram; 2],
    /// The colour that the texture was painted in, if it shows these draws.
    painted: Option<Rgb>,
    texture: Option<TextureHandle>,
}

impl std::fmt::Debug for Cloud {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Cloud").field("grid", &self.grid).finish_non_exhaustive()
    }
}

impl Cloud {
    /// The draws of a run; `before` is what was kept for it so far.
    pub fn of(frame: &RunFrame, before: Option<Self>) -> Self {
        let same = |cloud: &Self| {
            let counted = Arc::ptr_eq(&cloud.counts, &frame.cloud) && cloud.collected == frame.collected;
            counted && cloud.grid == frame.cloud_grid
        };
        match before {
            Some(cloud) if same(&cloud) => cloud,
            before => {
                let (counts, grid) = (frame.cloud.clone(), frame.cloud_grid);
                let histograms = [Histogram::along_x(&counts, &grid), Histogram::along_y(&counts, &grid)];
                let version = before.as_ref().map_or(0, |cloud| cloud.version) + 1;
                let texture = before.and_then(|cloud| cloud.texture);
                Self { counts, collected: frame.collected, grid, version, histograms, painted: None, texture }
            }
        }
    }

    /// Sees to it that the texture shows the draws in `colour`.
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

    /// The texture, and the part of the world it covers.
    pub fn texture(&self) -> Option<(&TextureHandle, Window)> {
        let (x, y) = (self.grid.x, self.grid.y);
        Some((self.texture.as_ref()?, Window::new((x.min, x.max), (y.min, y.max))))
    }
}

/// Cells keep their edges when they are larger than pixels.
fn cells_apart() -> TextureOptions {
    TextureOptions { magnification: TextureFilter::Nearest, ..TextureOptions::LINEAR }
}
