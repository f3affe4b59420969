//! Density image and histograms of the draws of a run, or of its chains at the newest step. Both are computed again only when
//! their content changes; for draws the cost does not grow with their number.
//!
//! Draws outside of the view of the target are on coarser grids around it ([`Outskirts`]), each a texture of its own, painted when a
//! canvas shows a part of it. Opacity is that of as many draws per area on all of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{ColorImage, Context, TextureFilter, TextureHandle, TextureOptions};

use super::geometry::{Beyond, Ensemble, beyond, cloud_image};
use crate::geometry::{Histogram, Rgb};
use base::math::{Axis, Bounds, Grid, Point};
use engine::diagnostics::Outskirts;
use engine::session::{Frame, RunFrame};

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
    outskirts: Arc<Outskirts>,
    /// By level, 0 for the grid itself.
    pictures: BTreeMap<u32, Picture>,
    /// Draws per area of a cell of the grid where they are densest.
    most: Option<f64>,
    /// The draws on finer cells, each of the size of a single draw, for the texture of a figure.
    fine: Option<(Vec<f64>, Grid)>,
    /// Those beyond the sides of the part of the plane that was last asked for.
    beyond: Option<(Bounds, Vec<Beyond>)>,
}

/// The texture of a level.
struct Picture {
    texture: TextureHandle,
    window: Bounds,
    /// Its colour, if it shows the present content.
    painted: Option<Rgb>,
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
            Arc::ptr_eq(&cloud.counts, &frame.cloud)
                && Arc::ptr_eq(&cloud.outskirts, &frame.outskirts)
                && cloud.counted == counted
                && cloud.grid == frame.cloud_grid
        };
        match before {
            Some(cloud) if same(&cloud) => cloud,
            before => {
                let (counts, grid, outskirts) = (frame.cloud.clone(), frame.cloud_grid, frame.outskirts.clone());
                let along = |coordinate| Histogram::with_outskirts(&counts, &grid, &outskirts, coordinate);
                let histograms = [along(0), along(1)];
                Self::new((counts, counted, grid), outskirts, histograms, before)
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
                Self::new((Arc::new(ensemble.counts), counted, ensemble.grid), Arc::default(), histograms, before)
            }
        }
    }

    /// Takes over textures and number of the cloud before.
    fn new(
        (counts, counted, grid): (Arc<Vec<f64>>, Counted, Grid),
        outskirts: Arc<Outskirts>,
        histograms: [Histogram; 2],
        before: Option<Self>,
    ) -> Self {
        let version = before.as_ref().map_or(0, |cloud| cloud.version) + 1;
        let mut pictures = before.map(|cloud| cloud.pictures).unwrap_or_default();
        pictures.values_mut().for_each(|picture| picture.painted = None);
        Self { counts, counted, grid, version, histograms, outskirts, pictures, most: None, fine: None, beyond: None }
    }

    /// The cells of the grid and of the levels around it, with their draws.
    fn filled(&self) -> impl Iterator<Item = (Bounds, f64)> {
        let (x, y) = (self.grid.x, self.grid.y);
        let filled = self.counts.iter().enumerate().filter(|(_, count)| **count > 0.0);
        let cells = filled.map(move |(cell, &count)| {
            let (column, row) = (cell % x.cells, cell / x.cells);
            (Bounds::new((x.edge(column), x.edge(column + 1)), (y.edge(row), y.edge(row + 1))), count)
        });
        cells.chain(self.outskirts.filled(&self.grid))
    }

    /// Counts the draws beyond the sides of `window`, on the line along x only: one by one if they are given for a figure and all are kept, else
    /// by cells, of which those that the window cuts count by their share.
    pub fn count_beyond(&mut self, window: Bounds, line: bool, draws: Option<&RunFrame>) {
        if self.beyond.as_ref().is_none_or(|(before, _)| *before != window) {
            let found = if self.outskirts.is_empty() && holds(window, &self.grid, line) {
                Vec::new()
            } else if let Some(frame) = draws.filter(|frame| self.is_kept(frame)) {
                let finite = positions(frame).filter(|at| at.x.is_finite() && at.y.is_finite());
                beyond(window, line, finite.map(|at| (Bounds { min: at, max: at }, 1.0)))
            } else {
                beyond(window, line, self.filled())
            };
            self.beyond = Some((window, found));
        }
    }

    /// The draws beyond the sides of the part of the plane for which they were last counted.
    pub fn beyond(&self) -> &[Beyond] {
        self.beyond.as_ref().map_or(&[], |(_, found)| found)
    }

    /// Counts the draws again on `cells` columns and rows of `window`, for the image of a figure, if every draw is still in the history
    /// and all weigh the same.
    pub fn refine(&mut self, frame: &RunFrame, window: Bounds, [columns, rows]: [usize; 2]) {
        let grid = Grid::new(window, columns.max(1), rows.max(1));
        let levels = self.outskirts.levels(&self.grid).filter(|&level| self.shows(level, window));
        let widest = levels.map(|level| 2.0_f64.powi(level.cast_signed())).fold(1.0, f64::max) * self.grid.x.width();
        let coarse = widest > grid.x.width();
        if self.fine.as_ref().is_some_and(|(_, before)| *before == grid) || !coarse || !self.is_kept(frame) {
            return;
        }
        let mut counts = vec![0.0; grid.len()];
        positions(frame).filter_map(|at| grid.cell(at)).for_each(|cell| counts[cell] += 1.0);
        self.fine = Some((counts, grid));
        self.pictures.values_mut().for_each(|picture| picture.painted = None);
    }

    /// Whether every draw is still in the history and all weigh the same.
    fn is_kept(&self, frame: &RunFrame) -> bool {
        frame.history.stride() == 1 && self.counts.iter().all(|count| count.fract() == 0.0)
    }

    /// Whether a part of the plane shows some of a level around the grid: of what the level before it does not cover.
    fn shows(&self, level: u32, window: Bounds) -> bool {
        let half = Point::new(self.grid.x.max - self.grid.x.min, self.grid.y.max - self.grid.y.min) / 2.0;
        let middle = Point::new(self.grid.x.min, self.grid.y.min) + half;
        let around = |level: u32| half * f64::from(1_u32 << level);
        let (outer, inner) = (around(level), around(level - 1));
        let touches = (0..2)
            .all(|axis| window.max[axis] > middle[axis] - outer[axis] && window.min[axis] < middle[axis] + outer[axis]);
        let within = (0..2).all(|axis| {
            window.min[axis] >= middle[axis] - inner[axis] && window.max[axis] <= middle[axis] + inner[axis]
        });
        touches && !within
    }

    /// Draws per area of a cell of the grid where they are densest.
    fn densest(&self) -> f64 {
        let area = self.grid.x.width() * self.grid.y.width();
        self.filled().map(|(cell, count)| count * area / (cell.size().x * cell.size().y)).fold(0.0, f64::max)
    }

    /// Updates the textures that a canvas with `window` shows, in `colour`; `place` are the numbers of canvas and run.
    pub fn paint(&mut self, ctx: &Context, place: (usize, usize), colour: Rgb, window: Bounds) {
        let mut shown = vec![0];
        if self.fine.is_none() {
            shown.extend(self.outskirts.levels(&self.grid).filter(|&level| self.shows(level, window)));
        }
        for level in shown {
            let painted = self.pictures.get(&level).and_then(|picture| picture.painted);
            if painted != Some(colour) {
                self.paint_level(ctx, (place, level), colour);
            }
        }
    }

    fn paint_level(&mut self, ctx: &Context, ((canvas, run), level): ((usize, usize), u32), colour: Rgb) {
        let most = self.most.unwrap_or_else(|| self.densest());
        self.most = Some(most);
        // Cells of the size of a single draw are dots, larger ones have sharp edges.
        let (bytes, grid, options) = match &self.fine {
            Some((counts, grid)) => {
                let most = counts.iter().copied().fold(0.0, f64::max);
                (cloud_image(counts, grid, colour, most), *grid, TextureOptions::LINEAR)
            }
            None if level == 0 => (cloud_image(&self.counts, &self.grid, colour, most), self.grid, cells_apart()),
            None => {
                let (grid, mut counts) = self.outskirts.image(&self.grid, level);
                let share = 0.25_f64.powi(level.cast_signed());
                counts.iter_mut().for_each(|count| *count *= share);
                (cloud_image(&counts, &grid, colour, most), grid, cells_apart())
            }
        };
        let image = ColorImage::from_rgba_unmultiplied([grid.x.cells, grid.y.cells], &bytes);
        let window = Bounds::new((grid.x.min, grid.x.max), (grid.y.min, grid.y.max));
        let painted = Some(colour);
        match self.pictures.get_mut(&level) {
            Some(picture) => {
                picture.texture.set(image, options);
                (picture.window, picture.painted) = (window, painted);
            }
            None => {
                let texture = ctx.load_texture(format!("cloud {canvas} {run} {level}"), image, options);
                self.pictures.insert(level, Picture { texture, window, painted });
            }
        }
    }

    /// The textures of the present content, and the part of the plane that each covers.
    pub fn textures(&self) -> impl Iterator<Item = (&TextureHandle, Bounds)> {
        let painted = self.pictures.values().filter(|picture| picture.painted.is_some());
        painted.map(|picture| (&picture.texture, picture.window))
    }
}

/// Whether a part of the plane holds a grid, on the line along x.
fn holds(window: Bounds, grid: &Grid, line: bool) -> bool {
    let along = |low: f64, high: f64, axis: Axis| low <= axis.min && high >= axis.max;
    along(window.min.x, window.max.x, grid.x) && (line || along(window.min.y, window.max.y, grid.y))
}

/// Texture options: cells larger than pixels have sharp edges.
fn cells_apart() -> TextureOptions {
    TextureOptions { magnification: TextureFilter::Nearest, ..TextureOptions::LINEAR }
}

/// The draws of a run that are in its history.
fn positions(frame: &RunFrame) -> impl Iterator<Item = Point> {
    let history = &frame.history;
    let rows = (0..history.rows()).filter(move |row| frame.collects(history.step(*row)));
    rows.flat_map(move |row| (0..history.chains()).filter_map(move |chain| history.position(row, chain)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, Recipe, frame};

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

    /// Frames of runs that leave the view: in the plane and on the line, transformed, in cycles, with thousands of chains, with other
    /// weights, and after a change of the target. Each with all of its draws.
    fn far_out() -> Vec<(Frame, Vec<Point>)> {
        let noisy = "gradient = { kind = \"noisy\", variance = 200 }\nstep_size = { kind = \"constant\", value = 0.1 }";
        let cycles = "gradient = { kind = \"noisy\", variance = 200 }\nstep_size = { kind = \"cyclical\", initial = 0.2, cycles = 5 }";
        let event = "[[event]]\nstep = 900\ntarget = { kind = \"banana\" }";
        let cases = [
            ("gaussian", format!("method = \"sgld\"\nchains = 3\n{noisy}")),
            ("beta-posterior", format!("method = \"sgld\"\nchains = 3\n{noisy}")),
            ("gaussian-grid", format!("method = \"csgld\"\nchains = 2\n{cycles}")),
            ("gaussian", format!("method = \"sgld\"\nchains = 1500\n{noisy}\ncollect = {{ burn_in = 1990 }}")),
            ("gaussian", format!("method = \"contour-sgld\"\n{noisy}")),
            ("gaussian", format!("method = \"sgld\"\nchains = 2\n{noisy}\n{event}")),
        ];
        let made = |(target, run): (&str, String)| {
            let head = format!(
                "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"{target}\"\n[[run]]\nname = \"A\"\nsteps = 2000\n"
            );
            let scenario = engine::scenario::read(&(head + &run), "x", std::path::Path::new("")).unwrap();
            let mut session = engine::session::Session::new(scenario).unwrap();
            session.advance(2000);
            let frame = session.frame();
            let run = &frame.runs[0];
            let flat = frame.target.info().dimension == 1;
            let rows = (0..run.history.rows()).filter(|row| run.collects(run.history.step(*row)));
            let all = rows
                .flat_map(|row| (0..run.history.chains()).filter_map(move |chain| run.history.position(row, chain)));
            let all: Vec<Point> = all.map(|at| if flat { Point::new(at.x, 0.0) } else { at }).collect();
            assert_eq!(all.len() as u64, run.collected, "{target}");
            (frame, all)
        };
        cases.into_iter().map(made).collect()
    }

    /// Every window shows all draws in it, and tells all others at its sides; a window whose edges are those of cells exactly.
    #[test]
    fn what_is_shown_and_what_is_beyond_are_all_draws() {
        let mut left_the_view = 0;
        for (frame, all) in far_out() {
            let (run, flat) = (&frame.runs[0], frame.target.info().dimension == 1);
            let mut cloud = Cloud::of_draws(run, None);
            let view = frame.target.info().view;
            let size = view.size();
            left_the_view += all.iter().filter(|at| at.x < view.min.x || at.x > view.max.x).count();
            let moved = |low: f64, high: f64| Bounds { min: view.min + size * low, max: view.min + size * high };
            let tall = Bounds { min: view.min - size * 3.0, max: view.min + Point::new(0.3 * size.x, 4.0 * size.y) };
            for window in
                [view, moved(0.25, 0.75), moved(-0.5, 1.5), moved(-1.5, 2.5), moved(0.5, 0.9), moved(1.2, 1.4), tall]
            {
                cloud.count_beyond(window, flat, None);
                let inside = |at: &&Point| {
                    let within = |axis: usize| (window.min[axis]..=window.max[axis]).contains(&at[axis]);
                    within(0) && (flat || within(1))
                };
                let outside = (all.len() - all.iter().filter(inside).count()) as f64;
                let told: f64 = cloud.beyond().iter().map(|beyond| beyond.draws).sum();
                // Cells that the window cuts are counted by their share.
                let exact = [view, moved(0.25, 0.75), moved(-0.5, 1.5), moved(-1.5, 2.5)].contains(&window);
                let error = if exact { 2.0 } else { 0.02 * all.len() as f64 + 10.0 };
                assert!((told - outside).abs() <= error, "{told} for {outside} of {}: {window:?}", all.len());
                // A figure counts them one by one.
                let mut exact = Cloud::of_draws(run, None);
                exact.count_beyond(window, flat, Some(run));
                let told: f64 = exact.beyond().iter().map(|beyond| beyond.draws).sum();
                assert!((told - outside).abs() < 0.5, "{told} for {outside} in a figure: {window:?}");
            }
        }
        assert!(left_the_view > 1000, "{left_the_view}");
    }

    /// The pictures of a wide window cover it, and have a mark wherever there is a draw.
    #[test]
    fn every_draw_in_a_wide_window_is_in_a_picture() {
        let context = Context::default();
        for (frame, all) in far_out().into_iter().filter(|(frame, _)| frame.target.info().dimension == 2) {
            let view = frame.target.info().view;
            let window = Bounds { min: view.min - view.size() * 3.0, max: view.max + view.size() * 3.0 };
            let mut cloud = Cloud::of_draws(&frame.runs[0], None);
            cloud.paint(&context, (0, 0), [1, 2, 3], window);
            let levels = cloud.outskirts.levels(&cloud.grid);
            let painted: Vec<u32> = cloud.pictures.keys().copied().collect();
            let shown: Vec<u32> = std::iter::once(0).chain(levels.filter(|level| *level <= 3)).collect();
            assert!(shown.iter().all(|level| painted.contains(level)), "{shown:?} in {painted:?}");
            for at in all.iter().filter(|at| window.contains(**at)) {
                let covered = cloud.filled().any(|(cell, _)| cell.min <= *at && *at <= cell.max);
                assert!(covered || cloud.grid.cell(*at).is_some(), "{at}");
            }
        }
    }
}
