//! Approximations on a canvas: outlines of their components, paths of their means, draws from them, and marginal densities.
//!
//! Each component is outlined at 1, 2 and 3 standard deviations; components with small weights are faint. The path of its mean
//! starts at the first step; a path with few steps has a node at each.

use std::collections::BTreeMap;

use egui::Color32;
use egui_plot::{FilledArea, MarkerShape, PlotUi, Points};

use super::geometry::{DistributionPicture, FitPicture, density};
use super::input::{CanvasInput, Draws};
use crate::geometry::{Curve, route};
use crate::kit::axes::curve;
use crate::kit::marks::{Dot, Mark};
use crate::kit::mesh_cache::MeshCache;
use crate::kit::polyline;
use crate::theme::{RunStyle, Theme};
use crate::words::numbers;
use base::math::{Axis, Bounds, Point};
use engine::diagnostics::Fit;
use engine::session::{FitFrame, Frame, RunFrame};

/// Cells of a marginal along each side of the part that is shown, as many as the exact marginal has.
const CELLS: usize = 256;

/// Points of all paths of a run together, and chains with paths.
const ROUTE_POINTS: usize = 2000;
const MOST_ROUTES: usize = 32;

/// Largest number of points of a path with nodes, and of chains with nodes.
const NODES: usize = 60;
const MOST_WITH_NODES: usize = 12;

/// Number of components above which lines are thin.
const CROWD: usize = 6;

/// Opacity of the outlines of 1, 2 and 3 standard deviations.
const OPACITY: [f32; 3] = [1.0, 0.85, 0.65];

/// The least opacity of a component, for the smallest weights (chosen by eye).
const FAINTEST: f32 = 0.35;

/// Opacity of draws from a fit.
const CLOUD: f32 = 0.35;

/// Share of ink in the colour of a path, so that it is visible over the outlines of its run.
const INK: f32 = 0.45;

/// Opacity of the area below the density of a fit in one dimension.
const FILL: f32 = 0.15;

/// Pictures of the fits of all runs on each canvas, and their tessellated outlines; canvases may show different parts of the plane.
#[derive(Debug, Default)]
pub struct FitCache {
    entries: BTreeMap<(usize, usize), Entry>,
    outlines: BTreeMap<(usize, usize), MeshCache>,
    clouds: BTreeMap<(usize, usize), MeshCache>,
}

/// The last picture of a run's fit.
#[derive(Debug)]
struct Entry {
    fit: Fit,
    view: Bounds,
    /// The part of the plane that the marginals cover.
    window: Bounds,
    picture: FitPicture,
    /// A number that no other fit of the run has had.
    version: u64,
}

impl FitCache {
    /// Updates the picture of a run's fit on a canvas that shows `window`.
    pub(super) fn prepare(&mut self, (id, run): (usize, usize), frame: &Frame, window: Bounds) {
        let fit = frame.runs.get(run).and_then(|run| run.fits.as_ref()?.fit.as_ref());
        let Some(fit) = fit else {
            self.entries.remove(&(id, run));
            return;
        };
        let view = frame.target.info().view;
        let before = self.entries.remove(&(id, run));
        let entry = match before {
            Some(entry) if entry.fit == **fit && entry.view == view && entry.window == window => entry,
            Some(mut entry) if entry.fit == **fit && entry.view == view => {
                entry.window = window;
                entry.picture.marginals = FitPicture::marginals_of(fit, window, CELLS);
                entry
            }
            before => Entry {
                picture: FitPicture::of(fit, view, (window, CELLS)),
                fit: Fit::clone(fit),
                view,
                window,
                version: before.map_or(0, |entry| entry.version) + 1,
            },
        };
        self.entries.insert((id, run), entry);
        self.outlines.entry((id, run)).or_default();
        self.clouds.entry((id, run)).or_default();
    }

    /// The triangles of a canvas's outlines of a run.
    #[cfg(test)]
    pub(super) fn meshes(&self, place: (usize, usize)) -> Vec<crate::kit::background::Same<egui::Mesh>> {
        self.outlines.get(&place).map_or_else(Vec::new, MeshCache::meshes)
    }

    /// The components of a run's fit on a canvas.
    pub(super) fn distributions(&self, place: (usize, usize)) -> &[DistributionPicture] {
        self.entries.get(&place).map_or(&[], |entry| &entry.picture.distributions)
    }

    /// The density of coordinate 0 (x) or 1 (y) of a run's fit, on cells of the part that a canvas shows.
    pub(super) fn marginal(&self, place: (usize, usize), coordinate: usize) -> Option<Curve> {
        let entry = self.entries.get(&place)?;
        let heights = entry.picture.marginals.get(coordinate).filter(|heights| !heights.is_empty())?;
        let (min, max) = (entry.window.min[coordinate], entry.window.max[coordinate]);
        let axis = Axis { min, max, cells: heights.len() };
        Some(heights.iter().enumerate().map(|(cell, height)| [axis.centre(cell), *height]).collect())
    }
}

/// Adds draws from the fit of a run as pale points.
pub(super) fn cloud<'a>(
    plot_ui: &mut PlotUi<'a>,
    input: &CanvasInput<'_>,
    theme: &Theme,
    (cache, dot): (&'a FitCache, &Dot),
    (index, fits): (usize, &FitFrame),
) {
    let (Some(entry), Some(kept)) = (cache.entries.get(&(input.id, index)), cache.clouds.get(&(input.id, index)))
    else {
        return;
    };
    if matches!(input.layers.draws, Draws::Hidden | Draws::Ensemble) {
        return;
    }
    let content = (entry.version, input.frame.generation, fits.draws.len(), index, theme.mode, theme.scale);
    kept.show(plot_ui, content, || {
        let points = fits.draws.iter().map(|at| [at.x, at.y]).collect();
        let colour = theme.run(index).colour.gamma_multiply(CLOUD);
        vec![Mark::Points { points, colour, shape: MarkerShape::Circle, dot: dot.clone() }]
    });
}

/// Adds the outlines of the components of a run.
pub(super) fn outlines<'a>(
    plot_ui: &mut PlotUi<'a>,
    input: &CanvasInput<'_>,
    theme: &Theme,
    cache: &'a FitCache,
    index: usize,
) {
    let (Some(entry), Some(kept)) = (cache.entries.get(&(input.id, index)), cache.outlines.get(&(input.id, index)))
    else {
        return;
    };
    kept.show(plot_ui, (entry.version, index, theme.mode, theme.scale), || {
        let distributions = &entry.picture.distributions;
        let crowded = distributions.len() > CROWD;
        let mut marks = Vec::new();
        // A rim in the colour of the paper separates the lines from the shades below; with many components the rims would
        // hide other outlines.
        let rims: &[Option<Color32>] = if crowded { &[None] } else { &[Some(theme.paper.gamma_multiply(0.6)), None] };
        for rim in rims {
            for distribution in distributions {
                let colour = theme.run(index).colour.gamma_multiply(opacity(distribution, distributions));
                for (level, points) in &distribution.outlines {
                    let width = if crowded { theme.thin() } else { theme.line() * WIDTHS[*level] };
                    let (colour, width) = match rim {
                        Some(rim) => (*rim, width + theme.line()),
                        None => (colour.gamma_multiply(OPACITY[*level]), width),
                    };
                    marks.push(Mark::Line { points: points.clone(), colour, width, graph: false });
                }
            }
        }
        marks
    });
}

/// Widths of the outlines of 1, 2 and 3 standard deviations, as multiples of a line's.
const WIDTHS: [f32; 3] = [1.4, 1.0, 0.75];

/// Opacity of a component relative to the one with the largest weight.
fn opacity(distribution: &DistributionPicture, distributions: &[DistributionPicture]) -> f32 {
    let largest = distributions.iter().map(|distribution| distribution.weight).fold(0.0, f64::max);
    let share = if largest > 0.0 { (distribution.weight / largest).clamp(0.0, 1.0) } else { 1.0 };
    FAINTEST + (1.0 - FAINTEST) * share.sqrt() as f32
}

/// Adds the paths of the means of a run's components.
pub(super) fn routes(
    plot_ui: &mut PlotUi<'_>,
    input: &CanvasInput<'_>,
    theme: &Theme,
    (index, run): (usize, &RunFrame),
) {
    let Some(fits) = &run.fits else { return };
    let chains = run.history.chains().min(MOST_ROUTES);
    let from = if fits.trace.rows() > 0 { fits.trace.step(0) } else { run.step };
    for chain in 0..chains {
        let style = match input.layers.draws {
            Draws::ByChain => theme.chain_of(theme.run(index), chain, input.has_one_run()),
            _ => theme.run(index),
        };
        let colour = style.colour.lerp_to_gamma(theme.ink, INK);
        let points = route(&run.history, chain, from, ROUTE_POINTS / chains.max(1));
        plot_ui.add(polyline::in_plane(points.clone(), colour.gamma_multiply(0.8), theme.thin()));
        let points: Vec<[f64; 2]> = points.iter().map(|at| [at.x, at.y]).collect();
        if let Some(start) = points.first().filter(|_| chains <= MOST_WITH_NODES) {
            let ring = Points::new("", vec![*start]).shape(MarkerShape::Circle).filled(false).color(colour);
            plot_ui.points(ring.radius(theme.marker(1.1)).allow_hover(false));
        }
        if chains <= MOST_WITH_NODES && (3..=NODES).contains(&points.len()) {
            let nodes = Points::new("", points[1..].to_vec()).shape(MarkerShape::Circle).color(colour);
            plot_ui.points(nodes.radius(theme.marker(0.6)).allow_hover(false));
        }
    }
}

/// Adds the density of a run's fit in one dimension; returns its highest value.
pub(super) fn on_line(plot_ui: &mut PlotUi<'_>, fits: &FitFrame, axis: Axis, style: RunStyle, theme: &Theme) -> f64 {
    let Some(fit) = &fits.fit else { return 0.0 };
    let heights = density(fit, 0, axis);
    let top = heights.iter().copied().fold(0.0, f64::max);
    let xs: Vec<f64> = (0..axis.cells).map(|cell| axis.centre(cell)).collect();
    let fill = style.colour.gamma_multiply(FILL);
    plot_ui.add(FilledArea::new("", &xs, &vec![0.0; xs.len()], &heights).fill_color(fill).allow_hover(false));
    let points: Vec<[f64; 2]> = xs.into_iter().zip(heights).map(|(x, height)| [x, height]).collect();
    plot_ui.line(curve(points, style.colour, 1.3 * theme.line()));
    top
}

/// Positions and texts of the weights of a fit's components; none for many components or equal weights.
pub(super) fn shares(distributions: &[DistributionPicture]) -> Vec<(Point, String)> {
    /// Largest number of components with labels.
    const MOST: usize = 9;
    let equal = distributions.windows(2).all(|pair| (pair[0].weight - pair[1].weight).abs() < 1e-9);
    if equal || distributions.len() > MOST {
        return Vec::new();
    }
    distributions.iter().map(|distribution| (distribution.mean, numbers::percent(distribution.weight))).collect()
}
