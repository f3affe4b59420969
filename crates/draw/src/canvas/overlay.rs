//! Labels on a canvas: values under the pointer, weights of components.

use egui::{Align2, Rect, Ui, vec2};
use egui_plot::{PlotPoint, PlotTransform};

use super::backdrop::CanvasCache;
use super::covered::Over;
use super::input::{CanvasInput, Draws};
use crate::geometry::REGIONS;
use crate::kit::overlay_label::{self, OverlayLabel};
use crate::theme::Theme;
use crate::words::{fit_remarks, numbers};
use base::math::Point;
use models::targets::{Target, TargetInfo};

/// Paints the labels over the plot in `rect`.
pub(super) fn paint(
    ui: &Ui,
    input: &CanvasInput<'_>,
    theme: &Theme,
    cache: &CanvasCache,
    (rect, transform): (Rect, &PlotTransform),
    hovered: Option<Point>,
) {
    if input.layers.fits && input.frame.target.info().dimension == 2 {
        shares(ui, input, theme, cache, (rect, transform));
    }
    let mut used = super::between_modes::paint(ui, input, theme, (&cache.cycles, hovered), (rect, transform));
    let said = super::exact_words::paint(ui, input, theme, &cache.exact, rect);
    used.extend(super::outside::paint(ui, input, theme, cache, (rect, transform), said));
    if input.layers.arrows {
        super::step_legend::legend(ui, input, theme, (rect, &used, transform));
    }
    // What is pointed at says more itself.
    let asks = said.is_some_and(|said| ui.rect_contains_pointer(said));
    if let Some(point) = hovered.filter(|_| !input.layers.quiet && !asks) {
        at_pointer(ui, input, theme, cache, (rect, &used, transform), point);
    }
}

/// What the header says of the layers.
pub(super) fn notes(input: &CanvasInput<'_>, cache: &CanvasCache) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(super::divergences::note(input));
    if input.layers.contours && input.frame.target.info().dimension == 2 {
        let drawn = cache.details(input.id).map(|details| details.regions.as_slice()).filter(|drawn| !drawn.is_empty());
        notes.push(contour_words(drawn.unwrap_or(&[0, 1, 2, 3]), input.frame.truth.is_known()));
    }
    notes.extend(super::between_modes::note(input, &cache.cycles));
    if input.layers.draws == Draws::Ensemble {
        notes.push(chains_now(input));
    }
    notes
}

/// What the cells of the chains at the present step are.
fn chains_now(input: &CanvasInput<'_>) -> String {
    let cells = if input.frame.target.info().dimension == 1 { "bars" } else { "squares" };
    format!("{cells}: chains at the present step")
}

/// The values under the pointer, beside it.
fn at_pointer(
    ui: &Ui,
    input: &CanvasInput<'_>,
    theme: &Theme,
    cache: &CanvasCache,
    (rect, used, transform): Over<'_>,
    point: Point,
) {
    let pointer = transform.position_from_point(&PlotPoint::new(point.x, point.y));
    let mut texts = Vec::new();
    if input.layers.truth {
        texts.push(readout(input.frame.target.as_ref(), input.frame.truth.is_known(), point));
        texts.extend(distributions(input, point));
        let step = super::arrows::words(input, theme, pointer, transform);
        texts.extend(step.filter(|_| input.layers.arrows || input.layers.trail));
    }
    texts.extend((input.layers.draws == Draws::Ensemble).then(|| chains_now(input)));
    texts.extend(super::divergences::words(input, theme, &cache.divergences, (pointer, transform)));
    if !texts.is_empty() {
        overlay_label::at_pointer_clear_of(ui, theme, (rect, used), pointer, &texts.join("\n"));
    }
}

/// Paints the weights of the components beside their means.
fn shares(
    ui: &Ui,
    input: &CanvasInput<'_>,
    theme: &Theme,
    cache: &CanvasCache,
    (rect, transform): (Rect, &PlotTransform),
) {
    for &run in input.runs {
        for (mean, text) in super::fits::shares(cache.fits.distributions((input.id, run))) {
            let at_mean = transform.position_from_point(&PlotPoint::new(mean.x, mean.y));
            if rect.contains(at_mean) {
                let (font, colour, at) = (theme.small(), theme.ink, at_mean + vec2(theme.space(2.5), 0.0));
                OverlayLabel { text: &text, font, colour, at, align: Align2::LEFT_CENTER }.paint(ui, theme, rect);
            }
        }
    }
}

/// The components under the pointer, in words.
fn distributions(input: &CanvasInput<'_>, at: Point) -> Vec<String> {
    let info = input.frame.target.info();
    let of_run = |&index: &usize| {
        let run = input.frame.runs.get(index)?;
        let fit = run.fits.as_ref()?.fit.as_ref()?;
        Some(format!(
            "{}: {}",
            run.plan.name,
            fit_remarks::distribution_words(info, fit, fit_remarks::nearest(fit, at)?)?
        ))
    };
    input.runs.iter().filter(|_| input.layers.fits).filter_map(of_run).collect()
}

/// What the contours hold: of a density whose normaliser is not known only a share of what is in its view.
fn contour_words(drawn: &[usize], is_known: bool) -> String {
    let shares = drawn.iter().filter_map(|region| REGIONS.get(*region));
    let shares: Vec<String> = shares.map(|share| numbers::significant(100.0 * share, 2)).collect();
    format!("contours {} %{}", shares.join(", "), if is_known { "" } else { " of what is in the view" })
}

/// Position, log density and nearest mode in one line; of a truth that is not known only what holds all the same.
fn readout(target: &Target, is_known: bool, at: Point) -> String {
    let info = target.info();
    let [x, y] = info.axes;
    let position = if info.dimension == 1 {
        format!("{x} {}", numbers::significant(at.x, 4))
    } else {
        format!("{x} {}   {y} {}", numbers::significant(at.x, 4), numbers::significant(at.y, 4))
    };
    let Some(log_density) = target.density().map(|density| density.log_density(at)) else { return position };
    if !is_known {
        return format!("{position}   log p {} + a constant", numbers::significant(log_density, 4));
    }
    let log_density = log_density - info.log_normaliser;
    let mut text = format!("{position}   log p {}", numbers::significant(log_density, 4));
    if let Some((number, away)) = nearest_mode(info, at) {
        let away = numbers::significant(away, 3);
        let name = if info.modes.len() == 1 { "mode".to_owned() } else { format!("mode {}", number + 1) };
        text.push_str(&format!("   {name} {away} away"));
    }
    text
}

/// The number of the mode nearest to `at`, from 0, and its distance.
pub fn nearest_mode(info: &TargetInfo, at: Point) -> Option<(usize, f64)> {
    let distance = |mode: Point| if info.dimension == 1 { (mode.x - at.x).abs() } else { (mode - at).norm() };
    let distances = info.modes.iter().map(|mode| distance(mode.at)).enumerate();
    distances.min_by(|a, b| a.1.total_cmp(&b.1))
}
