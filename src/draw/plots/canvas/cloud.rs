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
    /// The draws on finer cells, each of the size of a single draw, for the texture of a figure.
    fine: Option<(Vec<f64>, Grid)>,
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
        Self { counts, counted, grid, version, histograms, painted: None, texture, fine: None }
    }

    /// Counts the draws again on `cells` columns and rows of `window`, for the image of a figure, if every draw is still in the history
    /// and all weigh the same.
    pub fn refine(&mut self, frame: &RunFrame, window: Bounds, [columns, rows]: [usize; 2]) {
        let history = &frame.history;
        let grid = Grid::new(window, columns.max(1), rows.max(1));
        let coarse = self.grid.x.width() > grid.x.width();
        let whole = history.stride() == 1 && self.counts.iter().all(|count| count.fract() == 0.0);
        if self.fine.as_ref().is_some_and(|(_, before)| *before == grid) || !coarse || !whole {
            return;
        }
        let mut counts = vec![0.0; grid.len()];
        for row in (0..history.rows()).filter(|row| frame.collects(history.step(*row))) {
            let chains = 0..history.chains();
            for cell in chains.filter_map(|chain| grid.cell(history.position(row, chain)?)) {
                counts[cell] += 1.0;
            }
        }
        (self.fine, self.painted) = (Some((counts, grid)), None);
    }

    /// Updates the texture to show the draws in `colour`.
    pub fn paint(&mut self, ctx: &Context, run: usize, colour: Rgb) {
        if self.painted == Some(colour) && self.texture.is_some() {
            return;
        }
        // Cells of the size of a single draw are dots, larger ones have sharp edges.
        let (counts, grid, options) = match &self.fine {
            Some((counts, grid)) => (counts, grid, TextureOptions::LINEAR),
            None => (self.counts.as_ref(), &self.grid, cells_apart()),
        };
        let bytes = cloud_image(counts, grid, colour);
        let image = ColorImage::from_rgba_unmultiplied([grid.x.cells, grid.y.cells], &bytes);
        match &mut self.texture {
            Some(texture) => texture.set(image, options),
            None => self.texture = Some(ctx.load_texture(format!("cloud {run}"), image, options)),
        }
        self.painted = Some(colour);
    }

    /// The texture, and the part of the plane that it covers.
    pub fn texture(&self) -> Option<(&TextureHandle, Bounds)> {
        let grid = self.fine.as_ref().map_or(&self.grid, |(_, grid)| grid);
        let (x, y) = (grid.x, grid.y);
        Some((self.texture.as_ref()?, Bounds::new((x.min, x.max), (y.min, y.max))))
    }
}

/// Texture options: cells larger than pixels have sharp edges.
fn cells_apart() -> TextureOptions {
    TextureOptions { magnification: TextureFilter::Nearest, ..TextureOptions::LINEAR }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::plots::testing::{Fake, Recipe, frame};

    #[test]
    fn a_refined_cloud_has_the_draws_of_the_history_on_finer_cells() {
        let recipe = Recipe { name: "SGLD", chains: 3, steps: 300, total: 300, alpha: 0.004, cycle: 0 };
        let frame = frame(Fake::grid(), &[recipe]);
        let (run, view) = (&frame.runs[0], frame.target.info().view);
        let mut cloud = Cloud::of_draws(run, None);
        let coarse = cloud.grid;
        cloud.refine(run, view, [2, 2]);
        assert!(cloud.fine.is_none(), "coarser cells would show less");
        let cells = [coarse.x.cells * 3, coarse.y.cells * 3];
        cloud.refine(run, view, cells);
        let (counts, grid) = cloud.fine.as_ref().unwrap();
        let within = (0..run.history.rows())
            .filter(|row| run.collects(run.history.step(*row)))
            .flat_map(|row| (0..3).filter_map(move |chain| run.history.position(row, chain)))
            .filter(|at| grid.cell(*at).is_some())
            .count();
        assert!(within > 100, "{within}");
        assert!((counts.iter().sum::<f64>() - within as f64).abs() < 1e-9);
        assert_eq!([grid.x.cells, grid.y.cells], cells);
    }
}
