//! Cells of a pair plot.

use std::sync::Arc;

use egui::{Align2, Color32, Rect, Response, Sense, Stroke, StrokeKind, Ui, pos2};
use egui_plot::{MarkerShape, PlotTransform};

use super::cache::PairsCache;
use super::geometry::{correlation, ellipse, of_moments};
use super::shown::{Place, Shown, specs};
use crate::kit::axes::{plot, show_part};
use crate::kit::marks::Mark;
use crate::kit::overlay_label;
use crate::kit::run_marker;
use crate::theme::Theme;
use crate::words::numbers;
use base::math::{Distribution, Gaussian};
use base::params::printable;
use models::targets::Projection;

/// Opacity of a draw where there are as many as are drawn at most (chosen by eye).
const DRAW: f32 = 0.3;

/// Draws of all runs that are drawn in a cell, at most.
const MOST: usize = 3000;

/// Space above the highest density, as a share of it; names are there.
const ABOVE: f64 = 0.32;

/// Radius of the marker of a run beside its correlation, in sizes of small text.
const MARKER: f32 = 0.3;

/// Draws of two quantities; returns these as coordinates if they are clicked.
pub(super) fn scatter(
    ui: &mut Ui,
    theme: &Theme,
    shown: &Shown<'_>,
    (place, cache): (&Place, &PairsCache),
) -> Option<[usize; 2]> {
    let [row, column] = place.at;
    let ((x, x_axis), (y, y_axis)) = (shown.quantities[column], shown.quantities[row]);
    let pair = shown.coordinates([x, y]);
    let sense = if pair.is_some() && shown.input.clickable { Sense::CLICK } else { Sense::hover() };
    let (response, _) = framed(ui, theme, place, sense, (x_axis, y_axis), |plot_ui| {
        let versions: Vec<(usize, u64)> = shown.runs.iter().map(|(run, version, _)| (*run, *version)).collect();
        let ends = [x_axis, y_axis].map(|axis| axis.map(f64::to_bits));
        let content = (versions, [x, y], ends, shown.references.is_some(), theme.mode, theme.scale);
        cache.cells[row][column].show_still(plot_ui, content, || marks(theme, shown, [x, y], cache));
    });
    let names = shown.names([x, y]);
    if shown.is_on_canvases([x, y]) {
        let stroke = Stroke::new(theme.line(), theme.accent);
        ui.painter().rect_stroke(response.rect, 0.0, stroke, StrokeKind::Inside);
    }
    if let Some(pointer) = response.hover_pos().filter(|at| response.rect.contains(*at)) {
        let share = (pointer - response.rect.min) / response.rect.size();
        let along = |[low, high]: [f64; 2], share: f32| low + f64::from(share) * (high - low);
        let [at_x, at_y] = [along(x_axis, share.x), along(y_axis, 1.0 - share.y)].map(|at| numbers::significant(at, 3));
        let what = match pair {
            Some(_) if shown.is_on_canvases([x, y]) => "\non the canvases",
            Some(_) if shown.input.clickable => "\nclick: show on the canvases",
            Some(_) => "",
            None => "\ncanvases show coordinates only",
        };
        let text = format!("{} {at_x}\n{} {at_y}{what}", names[0], names[1]);
        overlay_label::at_pointer(
            ui,
            theme,
            ui.clip_rect().intersect(response.rect.expand(theme.space(30.0))),
            pointer,
            &text,
        );
    }
    pair.filter(|_| response.clicked())
}

/// A plot without a frame of its own, inside of which is `contents`.
fn framed<'a>(
    ui: &mut Ui,
    theme: &'a Theme,
    place: &Place,
    sense: Sense,
    (x, y): ([f64; 2], [f64; 2]),
    contents: impl FnOnce(&mut egui_plot::PlotUi<'a>) + 'a,
) -> (Response, PlotTransform) {
    let [x_spec, y_spec] = specs(place.ticks);
    let plot = plot(("pair", place.at), theme, x_spec, y_spec).sense(sense).allow_drag(false);
    let size = place.outer.size();
    let drawn = plot.width(size.x).height(size.y).show(ui, move |plot_ui| {
        contents(plot_ui);
        show_part(plot_ui, [x[0], y[0]], [x[1], y[1]], theme);
    });
    let edge = Stroke::new(1.0, theme.rule);
    ui.painter().rect_stroke(drawn.response.rect, 0.0, edge, StrokeKind::Inside);
    (drawn.response, drawn.transform)
}

/// Draws and ellipses.
fn marks(theme: &Theme, shown: &Shown<'_>, [x, y]: [usize; 2], cache: &PairsCache) -> Vec<Mark> {
    let most = MOST / shown.runs.len().max(1);
    let mut marks = Vec::new();
    let mut lines = Vec::new();
    for (run, _, of) in &shown.runs {
        let colour = theme.run(*run).colour;
        let fitted = shown.fitted(*run, [x, y]);
        let line = |gaussian: &Gaussian| closed(ellipse(gaussian), colour, theme.line());
        match fitted {
            Some(gaussians) => lines.extend(gaussians.iter().map(line)),
            None => marks.extend(cache.dot.clone().map(|dot| {
                let (x, y) = (&of.draws[x], &of.draws[y]);
                let apart = x.len().div_ceil(most.max(1)).max(1);
                let points: Vec<[f64; 2]> = x.iter().zip(y).step_by(apart).map(|(x, y)| [*x, *y]).collect();
                // Few draws are darker.
                let opacity = (DRAW * (most as f32 / points.len().max(1) as f32).sqrt()).clamp(DRAW, 1.0);
                let colour = colour.gamma_multiply(opacity);
                Mark::Points { points, colour, shape: MarkerShape::Circle, dot }
            })),
        }
    }
    if let Some((references, known)) = shown.references {
        let gaussian = of_moments([x, y].map(|number| &references[number].described), known.correlation([x, y]));
        marks.push(closed(ellipse(&gaussian), theme.exact, theme.line()));
    }
    marks.extend(lines);
    // Over the draws of all runs.
    for (colour, dot) in [theme.paper, theme.error].into_iter().zip(&cache.cross) {
        let crosses = shown.runs.iter().filter_map(|(.., of)| of.divergent.get(x).zip(of.divergent.get(y)));
        let points: Vec<[f64; 2]> = crosses.flat_map(|(x, y)| x.iter().zip(y).map(|(x, y)| [*x, *y])).collect();
        let dot = dot.clone().filter(|_| !points.is_empty());
        marks.extend(dot.map(|dot| Mark::Points { points, colour, shape: MarkerShape::Cross, dot }));
    }
    marks
}

fn closed(points: Vec<[f64; 2]>, colour: Color32, width: f32) -> Mark {
    Mark::Line { points, colour, width, graph: false }
}

impl Shown<'_> {
    fn names(&self, numbers: [usize; 2]) -> [String; 2] {
        let names = self.named.names();
        numbers.map(|number| names.get(number).map_or_else(String::new, |name| printable(name).into_owned()))
    }

    /// The Gaussians of a fit in the plane of two coordinates; `None` of draws, and of other quantities.
    fn fitted(&self, run: usize, pair: [usize; 2]) -> Option<Vec<Gaussian>> {
        let pair = self.coordinates(pair)?;
        let fits = self.input.frame.runs.get(run)?.fits.as_ref()?;
        let spread = fits.fitting.spread * fits.fitting.spread;
        let of = |distribution: &samplers::methods::VectorDistribution| match distribution
            .gaussian()?
            .projected(&Projection::Coordinates(pair))
        {
            Distribution::Plane(of) => Some(Gaussian { covariance: of.covariance * spread, ..of }),
            _ => None,
        };
        fits.distributions.iter().map(of).collect()
    }
}

/// The densities of a quantity, and its name.
pub(super) fn single(ui: &mut Ui, theme: &Theme, shown: &Shown<'_>, (place, cache): (&Place, &PairsCache)) {
    let [row, column] = place.at;
    let (number, axis) = shown.quantities[row];
    let reference = shown.references.map(|(all, _)| &all[number].density);
    let of_runs = || shown.runs.iter().filter_map(|(run, _, of)| Some((*run, &of.quantities.get(number)?.density)));
    let heights = reference.into_iter().chain(of_runs().map(|(_, density)| density)).flatten();
    let highest = heights.map(|[_, height]| *height).fold(0.0, f64::max);
    let highest = if highest > 0.0 { highest } else { 1.0 };
    let (response, _) = framed(ui, theme, place, Sense::hover(), (axis, [0.0, (1.0 + ABOVE) * highest]), |plot_ui| {
        let versions: Vec<(usize, u64)> = shown.runs.iter().map(|(run, version, _)| (*run, *version)).collect();
        let content = (versions, number, axis.map(f64::to_bits), reference.is_some(), theme.mode, theme.scale);
        cache.cells[row][column].show_still(plot_ui, content, || {
            let line = |points: &Vec<[f64; 2]>, colour| Mark::Line {
                points: points.clone(),
                colour,
                width: theme.line(),
                graph: true,
            };
            let exact = reference.map(|density| line(density, theme.exact));
            let runs = of_runs().map(|(run, density)| line(density, theme.run(run).colour));
            exact.into_iter().chain(runs).collect()
        });
    });
    name(ui, theme, response.rect, &shown.names([number; 2])[0]);
}

/// The name of a quantity at the upper end of its cell, cut where it is too long.
fn name(ui: &Ui, theme: &Theme, cell: Rect, name: &str) {
    let mut job = egui::text::LayoutJob::simple_singleline(name.to_owned(), theme.strong(), theme.ink);
    let margin = theme.space(1.0);
    job.wrap = egui::text::TextWrapping::truncate_at_width((cell.width() - 2.0 * margin).max(1.0));
    let galley: Arc<egui::Galley> = ui.painter().layout_job(job);
    let rect = Align2::CENTER_TOP.anchor_size(pos2(cell.center().x, cell.top() + 0.5 * margin), galley.size());
    ui.painter().galley(rect.min, galley, theme.ink);
}

/// The correlations of two quantities: of every run, and of the reference.
pub(super) fn correlations(ui: &Ui, theme: &Theme, shown: &Shown<'_>, place: &Place) {
    let [row, column] = place.at;
    let (x, y) = (shown.quantities[column].0, shown.quantities[row].0);
    let of_run = |run: usize, draws: &[Vec<f64>]| match shown.fitted(run, [x, y]).as_deref() {
        Some([of]) => of.covariance.m12 / (of.covariance.m11 * of.covariance.m22).sqrt(),
        _ => correlation(&draws[x], &draws[y]),
    };
    let runs = shown.runs.iter().map(|(run, _, of)| (Some(*run), of_run(*run, &of.draws)));
    let exact = shown.references.map(|(_, known)| (None, known.correlation([x, y])));
    let lines: Vec<(Option<usize>, f64)> = runs.chain(exact).collect();
    let (inner, size) = (place.inner, theme.text.small);
    let apart = (size * 1.35).min(inner.height() / lines.len().max(1) as f32);
    if apart < 0.85 * size || inner.width() < 4.5 * size {
        return;
    }
    let top = inner.center().y - 0.5 * apart * (lines.len() as f32 - 1.0);
    for (number, (run, value)) in lines.into_iter().enumerate() {
        let y = top + apart * number as f32;
        let x = inner.center().x - 0.5 * size;
        let text = if value.is_finite() { numbers::decimal(value, 2) } else { "–".to_owned() };
        match run {
            Some(run) => run_marker::paint(ui.painter(), pos2(x - size, y), MARKER * size, theme.run(run)),
            None => {
                let line = Stroke::new(theme.line(), theme.exact);
                ui.painter().hline(x - 1.4 * size..=x - 0.6 * size, y, line);
            }
        }
        ui.painter().text(pos2(x, y), Align2::LEFT_CENTER, text, theme.small(), theme.ink);
    }
}
