//! Draws as points: along principal components, or in the plane through three of them.

use egui::{Align2, Color32, Pos2, Rect, Response, Sense, Ui, vec2};
use egui_plot::{PlotBounds, PlotPoint, PlotTransform};

use crate::draw::numbers;
use crate::draw::plots::axes::{AxisSpec, Ticks, plot};
use crate::draw::plots::legend::{self, Entry, Sample};
use crate::draw::plots::mesh_cache::{Dot, Mark};
use crate::draw::plots::overlay_label::{self, OverlayLabel};
use crate::draw::plots::passive_items::picture;
use crate::draw::theme::{RunStyle, Theme};
use crate::math::{Bounds, Point};
use crate::scene::{DrawName, WeightPicture, fitted};

use super::cache::{LEVELS, Made, Shown, Surface, WeightsCache};
use super::{ENDS, WeightsInput, inset, name, ring};

/// Radius of a draw, in units of the theme, and its opacity (chosen by eye).
const DOT: f32 = 0.85;
const OPACITY: f32 = 0.75;

/// Space around the draws, as a share of their range.
const MARGIN: f64 = 0.08;

/// Chains of a single run that have colours of their own, at most.
const FEW_CHAINS: usize = 8;

/// The distance from the plane, as a share of that from a to b, at which the opacity of a draw is a half; the opacities that are
/// told apart, and the least of them (chosen by eye).
const HALF_FADED: f64 = 0.4;
const SHADES: usize = 5;
const FAINTEST: f64 = 0.12;

/// Draws the plot of a picture with places.
pub(super) fn show(
    ui: &mut Ui,
    input: &WeightsInput<'_>,
    theme: &Theme,
    (made, shown): (&Made, &Shown),
    cache: &mut WeightsCache,
) {
    let surface = if let Shown::Plane(surface) = shown { Some(surface) } else { None };
    let places = places(shown);
    let of_plane = surface.map(|_| entries(theme)).unwrap_or_default();
    let entries: Vec<Entry> = chains(input, theme).chain(of_plane).collect();
    if !entries.is_empty() {
        legend::line(ui, theme, &entries);
        ui.add_space(theme.space(0.5));
    }
    let [x, y] = labels(input.picture, shown);
    let x = AxisSpec { apart: 9.0, ..AxisSpec::wide(&x, Ticks::Linear) };
    let y = AxisSpec { corner: false, apart: 9.0, digits: 3.0, ..AxisSpec::wide(&y, Ticks::Linear) };
    let width = (ui.available_width() - theme.text.small).max(1.0);
    let plot = plot("weights", theme, x, y).sense(Sense::CLICK).width(width).allow_drag(false).data_aspect(1.0);
    let (dot, texture) =
        (cache.dot(ui.ctx(), theme.space(DOT)), surface.map(|surface| cache.texture(ui.ctx(), &surface.image, theme)));
    let view = surface.map_or_else(|| window(&places), |surface| surface.plane.window());
    let shown = plot.show(ui, |plot_ui| {
        if let (Some(surface), Some(texture)) = (surface, &texture) {
            let (x, y) = (surface.image.grid.x, surface.image.grid.y);
            plot_ui.add(picture(texture.id(), Bounds::new((x.min, x.max), (y.min, y.max))));
        }
        let content = (cache.version, input.by_chain, theme.mode, theme.scale);
        cache.kept.show(plot_ui, content, || marks(input, theme, (made, &places, surface), &dot));
        let size = plot_ui.response().rect.size();
        let window = fitted(view, f64::from(size.x / size.y.max(1.0)));
        plot_ui.set_plot_bounds(PlotBounds::from_min_max(window.min.into(), window.max.into()));
    });
    let (response, transform) = (shown.response, shown.transform);
    paint_ends(ui, theme, (made, &places), (response.rect, &transform));
    let found = pointed(input, (made, &places), (&response, &transform), cache, theme);
    if let Some(number) = found {
        let place = position(&transform, places[number].0);
        ring(&ui.painter().with_clip_rect(response.rect.intersect(ui.clip_rect())), theme, place);
        let pointer = response.hover_pos().unwrap_or(place);
        inset::paint(ui, theme, input.frame.target.as_ref(), &made.weights[number], (response.rect, pointer));
    }
    hover(ui, input, theme, (made, surface, found), (&response, &transform));
    if let Some(number) = found.filter(|_| response.clicked()) {
        cache.choose(input, made.names[number]);
        ui.ctx().request_repaint();
    }
    let under = found.filter(|_| response.contains_pointer());
    cache.found = under.map(|number| (made.names[number].run, made.on_canvas[number]));
}

/// Where draws are, with their distances from the plane.
fn places(shown: &Shown) -> Vec<(Point, f64)> {
    match shown {
        Shown::Scatter(components) => components.places.iter().map(|[x, y]| (Point::new(*x, *y), 0.0)).collect(),
        Shown::Plane(surface) => surface.places.clone(),
        Shown::Path(_) | Shown::Few(_) => Vec::new(),
    }
}

/// What the axes say.
fn labels(picture: WeightPicture, shown: &Shown) -> [String; 2] {
    let Shown::Scatter(components) = shown else {
        return ["along b − a (prior sds)", "across (prior sds)"].map(str::to_owned);
    };
    let [what, of] = match picture {
        WeightPicture::Functions => ["coordinate", "of squared distances of functions"],
        _ => ["component", "of the variance of weights"],
    };
    let label = |axis: usize| format!("{what} {}: {} {of}", axis + 1, numbers::percent(components.shares[axis]));
    [label(0), label(1)]
}

/// The part of the plane that holds all draws, with a margin.
fn window(places: &[(Point, f64)]) -> Bounds {
    let low = |a: Point, b: &(Point, f64)| a.inf(&b.0);
    let high = |a: Point, b: &(Point, f64)| a.sup(&b.0);
    let (min, max) = (
        places.iter().fold(Point::repeat(f64::INFINITY), low),
        places.iter().fold(Point::repeat(f64::NEG_INFINITY), high),
    );
    let range = (max - min).max();
    let margin = Point::repeat(if range > 0.0 { MARGIN * range } else { 1.0 });
    Bounds { min: min - margin, max: max + margin }
}

/// The number of chains that have colours of their own: those of a single run, if they are few or that is chosen.
fn coloured_chains(input: &WeightsInput<'_>) -> Option<usize> {
    let [run] = input.runs else { return None };
    let run = input.frame.runs.get(*run).filter(|run| run.fits.is_none())?;
    let chains = run.plan.chains;
    (chains > 1 && (chains <= FEW_CHAINS || input.by_chain)).then_some(chains)
}

/// The style of a draw: that of its run, or of its chain.
fn style(by_chain: bool, theme: &Theme, name: DrawName) -> RunStyle {
    if by_chain { theme.chain(name.chain) } else { theme.run(name.run) }
}

/// The names of chains that have colours of their own, as far as they are few.
fn chains(input: &WeightsInput<'_>, theme: &Theme) -> impl Iterator<Item = Entry> {
    let chains = coloured_chains(input).filter(|chains| *chains <= FEW_CHAINS).unwrap_or(0);
    (0..chains).map(|chain| Entry::new(Sample::Marker(theme.chain(chain)), format!("chain {}", chain + 1)))
}

/// The opacity of a draw at a distance from the plane, as one of [`SHADES`].
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "one of a few numbers")]
fn shade(away: f64, surface: &Surface) -> usize {
    let scale = HALF_FADED * surface.plane.corners[1].x;
    let opacity = 1.0 / (1.0 + (away / scale) * (away / scale));
    (opacity * (SHADES - 1) as f64).round() as usize
}

/// Contours, and the draws: those of one style and opacity together, the faintest first.
fn marks(
    input: &WeightsInput<'_>,
    theme: &Theme,
    (made, places, surface): (&Made, &[(Point, f64)], Option<&Surface>),
    dot: &Dot,
) -> Vec<Mark> {
    let by_chain = coloured_chains(input).is_some();
    let contours = surface.into_iter().flat_map(|surface| surface.contours.iter());
    let (colour, width) = (theme.ink.gamma_multiply(0.4), theme.thin());
    let mut marks: Vec<Mark> =
        contours.map(|points| Mark::Line { points: points.clone(), colour, width, graph: false }).collect();
    let mut groups: Vec<(usize, RunStyle, Vec<[f64; 2]>)> = Vec::new();
    for (number, (place, away)) in places.iter().enumerate() {
        let shade = surface.map_or(SHADES - 1, |surface| shade(*away, surface));
        let style = style(by_chain, theme, made.names[number]);
        match groups.iter_mut().find(|(of, known, _)| *of == shade && *known == style) {
            Some((_, _, points)) => points.push((*place).into()),
            None => groups.push((shade, style, vec![(*place).into()])),
        }
    }
    groups.sort_by_key(|(shade, _, _)| *shade);
    marks.extend(groups.into_iter().map(|(shade, style, points)| {
        let colour = style.colour.gamma_multiply(opacity(shade));
        Mark::Points { points, colour, shape: style.marker, dot: dot.clone() }
    }));
    marks
}

/// The opacity of one of [`SHADES`].
#[expect(clippy::cast_possible_truncation, reason = "a share")]
fn opacity(shade: usize) -> f32 {
    let share = shade as f64 / (SHADES - 1) as f64;
    OPACITY * (FAINTEST + (1.0 - FAINTEST) * share) as f32
}

fn position(transform: &PlotTransform, place: Point) -> Pos2 {
    transform.position_from_point(&PlotPoint::new(place.x, place.y))
}

/// Marks the chosen draws with their letters.
fn paint_ends(
    ui: &Ui,
    theme: &Theme,
    (made, places): (&Made, &[(Point, f64)]),
    (rect, transform): (Rect, &PlotTransform),
) {
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    for (number, letter) in made.ends.iter().zip(ENDS) {
        let at = position(transform, places[*number].0);
        painter.circle_filled(at, theme.space(1.6), theme.paper);
        painter.circle_filled(at, theme.space(1.2), theme.ink);
        let (font, colour, at) = (theme.strong(), theme.ink, at + vec2(theme.space(2.0), 0.0));
        OverlayLabel { text: letter, font, colour, at, align: Align2::LEFT_CENTER }.paint(ui, theme, rect);
    }
}

/// The draw under the pointer, here or on a canvas.
fn pointed(
    input: &WeightsInput<'_>,
    (made, places): (&Made, &[(Point, f64)]),
    (response, transform): (&Response, &PlotTransform),
    cache: &WeightsCache,
    theme: &Theme,
) -> Option<usize> {
    let nearest = |away: &dyn Fn(usize) -> f64| {
        let all = (0..places.len()).map(|number| (number, away(number)));
        all.filter(|(_, away)| away.is_finite()).min_by(|a, b| a.1.total_cmp(&b.1))
    };
    if let Some(pointer) = response.hover_pos().filter(|at| response.rect.contains(*at)) {
        let away = |number: usize| f64::from(position(transform, places[number].0).distance(pointer));
        return nearest(&away).filter(|(_, away)| *away < f64::from(theme.space(3.0))).map(|(number, _)| number);
    }
    let (runs, at) = cache.pointed.as_ref().filter(|(runs, _)| runs.iter().any(|run| input.runs.contains(run)))?;
    let away = |number: usize| {
        let own = runs.contains(&made.names[number].run);
        if own { (made.on_canvas[number] - at).norm() } else { f64::INFINITY }
    };
    nearest(&away).map(|(number, _)| number)
}

/// Which draw is under the pointer, and the density there.
fn hover(
    ui: &Ui,
    input: &WeightsInput<'_>,
    theme: &Theme,
    (made, surface, found): (&Made, Option<&Surface>, Option<usize>),
    (response, transform): (&Response, &PlotTransform),
) {
    let Some(pointer) = response.hover_pos().filter(|at| response.rect.contains(*at)) else { return };
    let mut lines: Vec<String> = found.map(|number| name(input.frame, made.names[number])).into_iter().collect();
    if let Some(surface) = surface {
        let at = transform.value_from_position(pointer);
        lines.extend(
            found.map(|number| {
                format!("{} prior sds from the plane", numbers::significant(surface.places[number].1, 3))
            }),
        );
        if let Some(cell) = surface.image.grid.cell(Point::new(at.x, at.y)) {
            let height = surface.image.log_density[cell];
            let below = numbers::significant(surface.image.peak - height, 3);
            lines.push(format!("here −log p {}, {below} nats above the lowest", numbers::significant(-height, 4)));
        }
    }
    if !lines.is_empty() {
        overlay_label::at_pointer(ui, theme, response.rect, pointer, &lines.join("\n"));
    }
}

/// What the line above a plane says.
fn entries(theme: &Theme) -> Vec<Entry> {
    let levels: Vec<String> = LEVELS[..4].iter().map(|level| numbers::brief(*level)).collect();
    let ink: Color32 = theme.ink.gamma_multiply(0.4);
    vec![
        Entry::new(
            Sample::Line(ink, theme.thin(), None),
            format!("{}, … nats above the lowest −log p", levels.join(", ")),
        ),
        Entry::new(Sample::None, "fainter draws are further from the plane"),
    ]
}
