//! Draws as points: along principal components, or in the plane through three of them.

use egui::{Align2, Color32, Pos2, Rect, Response, Sense, Ui, vec2};
use egui_plot::{PlotPoint, PlotTransform};

use super::cache::WeightsCache;
use super::geometry::{Scale, WeightPicture};
use super::input::WeightsInput;
use super::inset;
use super::made::{Heights, Made, Shown, Surface};
use super::names::{ENDS, ends, name};
use crate::canvas::pointing::ring;
use crate::geometry::{DrawName, fitted};
use crate::kit::axes::{AxisSpec, Ticks, answers, fits_upright, plot, show_part};
use crate::kit::legend::{self, Entry, Sample};
use crate::kit::marks::{Dot, Mark};
use crate::kit::overlay_label::{self, OverlayLabel};
use crate::kit::passive_items::picture;
use crate::theme::{RunStyle, Theme};
use crate::words::numbers;
use base::math::{Bounds, Point};
use engine::diagnostics::single_linkage::{Clusters, Edge};

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

/// Opacity of contours, and of the lines that connect clusters (chosen by eye).
const LINES: f32 = 0.4;

/// Clusters with numbers, at most, and the least share of the draws that are in one.
const NUMBERED: usize = 9;
const LEAST_SHARE: f64 = 0.03;

/// Clusters of draws by the distance of their functions, and the neighbours that connect them.
type Linked<'a> = (&'a Clusters, &'a [Edge]);

/// Draws the plot of a picture with points; returns the draw under the pointer.
pub(super) fn show(
    ui: &mut Ui,
    input: &WeightsInput<'_>,
    theme: &Theme,
    (made, shown): (&Made, &Shown),
    (cache, linked): (&mut WeightsCache, Option<Linked<'_>>),
) -> Option<DrawName> {
    let surface = if let Shown::Plane(surface) = shown { Some(surface) } else { None };
    let points = points(shown);
    let own = match (surface, linked) {
        (Some(surface), _) => of_plane(theme, &surface.heights),
        (None, Some((clusters, _))) => of_clusters(theme, clusters, input.threshold),
        (None, None) => Vec::new(),
    };
    let entries: Vec<Entry> = chains(input, theme).chain(own).chain(ends(input.frame, made)).collect();
    if !entries.is_empty() {
        legend::line(ui, theme, &entries);
        ui.add_space(theme.space(0.5));
    }
    let fit = |[x, y]: [&str; 2]| fits_along(ui, theme, x) && fits_upright(ui, theme, y);
    let [x, y] = labels(input.picture, shown, fit);
    let x = AxisSpec { apart: 9.0, ..AxisSpec::wide(&x, Ticks::Linear) };
    let y = AxisSpec { corner: false, apart: 9.0, digits: 3.0, ..AxisSpec::wide(&y, Ticks::Linear) };
    let width = (ui.available_width() - theme.text.small).max(1.0);
    let plot = plot("weights", theme, x, y).sense(Sense::CLICK).width(width).allow_drag(false).data_aspect(1.0);
    let (dot, texture) = (
        cache.dot(ui.ctx(), theme.space(DOT)),
        surface.map(|surface| cache.texture(ui.ctx(), &surface.heights, theme)),
    );
    let view = surface.map_or_else(|| window(&points), |surface| surface.plane.window());
    let shown = plot.show(ui, |plot_ui| {
        if let (Some(surface), Some(texture)) = (surface, &texture) {
            let (x, y) = (surface.heights.image.grid.x, surface.heights.image.grid.y);
            plot_ui.add(picture(texture.id(), Bounds::new((x.min, x.max), (y.min, y.max))));
        }
        let links = linked.map(|(_, edges)| edges);
        let content = (cache.version, links.map(<[Edge]>::len), input.by_chain, theme.mode, theme.scale);
        cache.kept.show(plot_ui, content, || marks(input, theme, (made, &points), (surface, links), &dot));
        let size = plot_ui.response().rect.size();
        let window = fitted(view, f64::from(size.x / size.y.max(1.0)));
        show_part(plot_ui, window.min.into(), window.max.into(), theme);
    });
    answers(ui, theme, &shown.response, [x, y]);
    let (response, transform) = (shown.response, shown.transform);
    if let Some((clusters, _)) = linked {
        paint_numbers(ui, theme, clusters, &points, (response.rect, &transform));
    }
    paint_ends(ui, theme, (made, &points), (response.rect, &transform));
    let found = pointed(input, (made, &points), (&response, &transform), theme);
    if let Some(number) = found {
        let point = position(&transform, points[number].0);
        ring(&ui.painter().with_clip_rect(response.rect.intersect(ui.clip_rect())), theme, point);
        let pointer = response.hover_pos().unwrap_or(point);
        let of = (&mut cache.inset, &made.weights[number][..]);
        inset::paint(ui, theme, &input.frame.target, of, (response.rect, pointer));
    }
    hover(ui, input, theme, (made, surface, linked, found), (&response, &transform));
    if let Some(number) = found.filter(|_| response.clicked()) {
        cache.choose(input, made.names[number]);
        ui.ctx().request_repaint();
    }
    found.filter(|_| response.contains_pointer()).map(|number| made.names[number])
}

/// Where draws are, with their distances from the plane.
fn points(shown: &Shown) -> Vec<(Point, f64)> {
    match shown {
        Shown::Scatter(scatter) => scatter.components.points.iter().map(|[x, y]| (Point::new(*x, *y), 0.0)).collect(),
        Shown::Plane(surface) => surface.points.clone(),
        Shown::Line(_) | Shown::Nothing(_) => Vec::new(),
    }
}

/// What the axes say: of their names the longest that fit, or none.
fn labels(picture: WeightPicture, shown: &Shown, fit: impl Fn([&str; 2]) -> bool) -> [String; 2] {
    let forms = match shown {
        Shown::Scatter(scatter) => of_components(picture, scatter.components.shares),
        _ => vec![["along b − a (prior sds)", "across (prior sds)"].map(str::to_owned)],
    };
    forms.into_iter().find(|[x, y]| fit([x, y])).unwrap_or_default()
}

/// Names of the axes along principal components that have some shares, the longest first.
fn of_components(picture: WeightPicture, shares: [f64; 2]) -> Vec<[String; 2]> {
    let [what, of] = match picture {
        WeightPicture::Functions => ["coordinate", "of squared distances of functions"],
        _ => ["component", "of the variance of weights"],
    };
    let [first, second] = shares.map(numbers::percent);
    vec![
        [format!("{what} 1: {first} {of}"), format!("{what} 2: {second} {of}")],
        [format!("{what} 1 ({first})"), format!("{what} 2 ({second})")],
    ]
}

/// Whether the name of the horizontal axis is no longer than the axis.
fn fits_along(ui: &Ui, theme: &Theme, label: &str) -> bool {
    let length = ui.painter().layout_no_wrap(label.to_owned(), theme.body(), theme.soft).size().x;
    length < ui.available_width() - 4.0 * theme.text.body
}

/// The part of the plane that holds all draws, with a margin.
fn window(points: &[(Point, f64)]) -> Bounds {
    let low = |a: Point, b: &(Point, f64)| a.inf(&b.0);
    let high = |a: Point, b: &(Point, f64)| a.sup(&b.0);
    let (min, max) = (
        points.iter().fold(Point::repeat(f64::INFINITY), low),
        points.iter().fold(Point::repeat(f64::NEG_INFINITY), high),
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
#[expect(clippy::cast_sign_loss, reason = "one of a few numbers")]
fn shade(away: f64, surface: &Surface) -> usize {
    let scale = HALF_FADED * surface.plane.corners[1].x;
    let opacity = 1.0 / (1.0 + (away / scale) * (away / scale));
    (opacity * (SHADES - 1) as f64).round() as usize
}

/// Contours or links, and the draws: those of one style and opacity together, the faintest first.
fn marks(
    input: &WeightsInput<'_>,
    theme: &Theme,
    (made, points): (&Made, &[(Point, f64)]),
    (surface, links): (Option<&Surface>, Option<&[Edge]>),
    dot: &Dot,
) -> Vec<Mark> {
    let by_chain = coloured_chains(input).is_some();
    let contours = surface.into_iter().flat_map(|surface| surface.heights.contours.iter().cloned());
    let links = links.into_iter().flatten().map(|edge| edge.ends.map(|end| points[end].0.into()).to_vec());
    let (colour, width) = (line_colour(theme), theme.thin());
    let mut marks: Vec<Mark> =
        contours.chain(links).map(|points| Mark::Line { points, colour, width, graph: false }).collect();
    let mut groups: Vec<(usize, RunStyle, Vec<[f64; 2]>)> = Vec::new();
    for (number, (point, away)) in points.iter().enumerate() {
        let shade = surface.map_or(SHADES - 1, |surface| shade(*away, surface));
        let style = style(by_chain, theme, made.names[number]);
        match groups.iter_mut().find(|(of, known, _)| *of == shade && *known == style) {
            Some((_, _, points)) => points.push((*point).into()),
            None => groups.push((shade, style, vec![(*point).into()])),
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
fn opacity(shade: usize) -> f32 {
    let share = shade as f64 / (SHADES - 1) as f64;
    OPACITY * (FAINTEST + (1.0 - FAINTEST) * share) as f32
}

fn position(transform: &PlotTransform, point: Point) -> Pos2 {
    transform.position_from_point(&PlotPoint::new(point.x, point.y))
}

/// Marks the chosen draws with their letters.
fn paint_ends(
    ui: &Ui,
    theme: &Theme,
    (made, points): (&Made, &[(Point, f64)]),
    (rect, transform): (Rect, &PlotTransform),
) {
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    for (number, letter) in made.ends.iter().zip(ENDS) {
        let at = position(transform, points[*number].0);
        painter.circle_filled(at, theme.space(1.6), theme.paper);
        painter.circle_filled(at, theme.space(1.2), theme.ink);
        let (font, colour, at) = (theme.strong(), theme.ink, at + vec2(theme.space(2.0), 0.0));
        OverlayLabel { text: letter, font, colour, at, align: Align2::LEFT_CENTER }.paint(ui, theme, rect);
    }
}

/// Paints the numbers of the large clusters, each at the draw that is nearest to the middle of its cluster.
fn paint_numbers(
    ui: &Ui,
    theme: &Theme,
    clusters: &Clusters,
    points: &[(Point, f64)],
    (rect, transform): (Rect, &PlotTransform),
) {
    let large = |size: &&usize| **size > 1 && **size as f64 >= LEAST_SHARE * points.len() as f64;
    let count = clusters.sizes.iter().take_while(large).take(NUMBERED).count();
    // A single large cluster needs no number.
    for cluster in (0..count).filter(|_| count > 1) {
        let own = || clusters.of.iter().zip(points).filter(|(of, _)| **of == cluster).map(|(_, (point, _))| *point);
        let middle = own().fold(Point::zeros(), |sum, point| sum + point) / clusters.sizes[cluster] as f64;
        let away = |point: &Point| (point - middle).norm_squared();
        let Some(point) = own().min_by(|a, b| away(a).total_cmp(&away(b))) else { continue };
        let (font, colour, at) = (theme.strong(), theme.ink, position(transform, point));
        let text = &numbers::count(cluster as u64 + 1);
        OverlayLabel { text, font, colour, at, align: Align2::CENTER_CENTER }.paint(ui, theme, rect);
    }
}

/// The draw under the pointer, here or elsewhere.
fn pointed(
    input: &WeightsInput<'_>,
    (made, points): (&Made, &[(Point, f64)]),
    (response, transform): (&Response, &PlotTransform),
    theme: &Theme,
) -> Option<usize> {
    if let Some(pointer) = response.hover_pos().filter(|at| response.rect.contains(*at)) {
        let away = |number: usize| position(transform, points[number].0).distance(pointer);
        let near = (0..points.len()).map(|number| (number, away(number))).filter(|(_, away)| *away < theme.space(3.0));
        return near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(number, _)| number);
    }
    let name = input.pointed.draw?;
    made.names.iter().position(|own| own.is(name))
}

/// Which draw is under the pointer, its cluster, and the loss there.
fn hover(
    ui: &Ui,
    input: &WeightsInput<'_>,
    theme: &Theme,
    (made, surface, linked, found): (&Made, Option<&Surface>, Option<Linked<'_>>, Option<usize>),
    (response, transform): (&Response, &PlotTransform),
) {
    let Some(pointer) = response.hover_pos().filter(|at| response.rect.contains(*at)) else { return };
    let mut lines: Vec<String> = found.map(|number| name(input.frame, made.names[number])).into_iter().collect();
    if let (Some((clusters, _)), Some(number)) = (linked, found) {
        let cluster = clusters.of[number];
        let [number, size] = [cluster + 1, clusters.sizes[cluster]].map(|count| numbers::count(count as u64));
        lines.push(format!("cluster {number}: {size} of {} draws", numbers::count(clusters.of.len() as u64)));
    }
    if let Some(surface) = surface {
        let at = transform.value_from_position(pointer);
        lines.extend(
            found.map(|number| {
                format!("{} prior sds from the plane", numbers::significant(surface.points[number].1, 3))
            }),
        );
        if let Some(cell) = surface.heights.image.grid.cell(Point::new(at.x, at.y)) {
            lines.push(height(&surface.heights, cell));
        }
    }
    if !lines.is_empty() {
        overlay_label::at_pointer(ui, theme, response.rect, pointer, &lines.join("\n"));
    }
}

/// The loss in a cell, compared with the lowest one.
fn height(Heights { label, scale, image, .. }: &Heights, cell: usize) -> String {
    let (here, lowest) = (-image.log_density[cell], -image.peak);
    match scale {
        Scale::Nats => {
            let [here, above] = [numbers::significant(here, 4), numbers::significant(here - lowest, 3)];
            format!("here {label} {here}, {above} nats above the lowest")
        }
        Scale::Shares => {
            let [here, lowest] = [here, lowest].map(|share| numbers::significant(100.0 * share, 3));
            format!("here {label} {here} %, lowest {lowest} %")
        }
        Scale::Ratios => {
            let [here, lowest] = [here, lowest].map(|error| numbers::significant(error, 3));
            format!("here {label} {here}, lowest {lowest}")
        }
    }
}

/// The colour of contours and of the lines that connect clusters.
fn line_colour(theme: &Theme) -> Color32 {
    theme.ink.gamma_multiply(LINES)
}

/// What the line above a plane says.
fn of_plane(theme: &Theme, heights: &Heights) -> Vec<Entry> {
    let label = heights.label;
    let steps = |factor: f64| {
        let steps: Vec<String> = heights.scale.steps()[..4].iter().map(|step| numbers::brief(factor * step)).collect();
        steps.join(", ")
    };
    let words = match heights.scale {
        Scale::Nats => format!("{}, … nats above the lowest {label}", steps(1.0)),
        Scale::Shares => format!("{} percentage points above the lowest {label}", steps(100.0)),
        Scale::Ratios => format!("{}, … times the lowest {label}", steps(1.0)),
    };
    vec![
        Entry::new(Sample::Line(line_colour(theme), theme.thin(), None), words),
        Entry::new(Sample::None, "fainter: further from the plane"),
    ]
}

/// What the line above clusters says.
fn of_clusters(theme: &Theme, clusters: &Clusters, threshold: f64) -> Vec<Entry> {
    let line = Sample::Line(line_colour(theme), theme.thin(), None);
    let neighbours = format!("neighbours, at most {} apart", numbers::significant(threshold, 3));
    vec![Entry::new(line, neighbours), Entry::new(Sample::None, count_words(clusters))]
}

/// How many clusters there are, and the share of the draws in the largest of several.
pub(super) fn count_words(clusters: &Clusters) -> String {
    match clusters.sizes.len() {
        1 => "1 cluster".to_owned(),
        count => {
            let (count, share) = (numbers::count(count as u64), numbers::percent(clusters.largest_share()));
            format!("{count} clusters, {share} of the draws in the largest")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_components_have_a_short_form_with_the_same_shares() {
        let forms = of_components(WeightPicture::Weights, [0.234, 0.208]);
        assert_eq!(forms[0][1], "component 2: 21 % of the variance of weights");
        assert_eq!(forms[1], ["component 1 (23 %)", "component 2 (21 %)"]);
    }
}
