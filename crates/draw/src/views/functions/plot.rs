//! Functions of a regression behind the draws of its weights: data, mean and bands, single functions, and the mean and bands
//! of the posterior, exact ones or those of an HMC reference.
//!
//! Two bands, always both: ±2 standard deviations of f, what the weights leave open (epistemic), and ±2 of an observation y,
//! with the noise σ added (total). There is one plot for each run, arranged like the canvases. The function of the draw that the
//! pointer is at is highlighted, wherever the draw is shown, and the function under the pointer says which draw it is.

use egui::{Align2, Color32, Rect, Sense, Ui, UiBuilder, vec2};
use egui_plot::{PlotPoint, PlotTransform};

use super::band::band;
use super::cache::{FunctionsCache, Truth};
use super::entry::{Entry, Single, between};
use super::geometry::FunctionMoments;
use super::input::{FunctionsInput, printed};
use super::range;
use crate::canvas::{self, Layers};
use crate::geometry::DrawName;
use crate::kit::axes::{AxisSpec, Ticks, answers, curve, in_height, plot, show_part};
use crate::kit::canvas_grid::{Shape, cells};
use crate::kit::convergence_note::unconverged;
use crate::kit::data_edit::{self, Data, DataEdit, Editing, Held, OnPlot};
use crate::kit::gestures::Gesture;
use crate::kit::legend::{self, Entry as LegendEntry, Sample};
use crate::kit::legend_patch;
use crate::kit::marks::Mark;
use crate::kit::overlay_label::{self, OverlayLabel};
use crate::kit::{run_header, warnings};
use crate::theme::Theme;
use crate::words::numbers;
use crate::words::reference_worth::worth;
use base::math::Bounds;
use engine::session::Frame;
use models::targets::Regression;

/// What can be done on the plot, and on the canvases beside it.
pub(crate) const GESTURES: [Gesture; 2] = [
    Gesture::at("Functions", "Point at a function", "Mark its weights beside it, and read mean and bands"),
    Gesture::at("Functions", "Point at weights beside it", "Show the function of the weights there"),
];

/// Opacities of the outer band, the inner band and single functions (chosen by eye).
const OUTER: f32 = 0.13;
const INNER: f32 = 0.3;
const SINGLE: f32 = 0.4;

/// Share of ink in the colour of the mean, which lies over the single functions of its run.
const INK: f32 = 0.35;

/// Width to height of a plot in a figure (chosen by eye).
const ASPECT: f32 = 2.0;

/// Space between two plots, in units of the theme.
const GAP: f32 = 2.5;

/// Least width and height of plots with a legend inside, in sizes of small text; over smaller ones, and in figures, in which nobody
/// can look under it, is a line for all of them.
const ROOM_FOR_LEGEND: [f32; 2] = [39.0, 24.0];

/// What happened on the plots.
#[must_use]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionsResponse {
    /// The change of the data that a person made.
    pub edit: Option<DataEdit>,
    /// The draw whose function is under the pointer.
    pub pointed: Option<DrawName>,
}

/// Draws one plot for each run into the available space.
pub fn show(ui: &mut Ui, input: &FunctionsInput<'_>, theme: &Theme, cache: &mut FunctionsCache) -> FunctionsResponse {
    let mut response = FunctionsResponse::default();
    let Some(regression) = input.frame.target.regression() else {
        ui.label("This target is no regression: its draws are not weights of a function.");
        return response;
    };
    cache.update(ui.ctx(), input, regression);
    data_edit::settle(&mut cache.held, &data(regression));
    let shape = shape(input, theme);
    let cells = |ui: &Ui| cells(ui.available_rect_before_wrap(), input.runs.len(), theme.space(GAP), shape);
    let [width, height] = ROOM_FOR_LEGEND.map(|sizes| sizes * theme.text.small);
    let is_large = cells(ui).iter().all(|cell| cell.width() >= width && cell.height() >= height);
    let inside = is_large && !printed(input);
    if !inside {
        let exact = cache.truth(input.frame).filter(|_| input.truth);
        legend::line(ui, theme, &entries(theme, theme.soft, (exact, false)));
        ui.add_space(theme.space(1.0));
    }
    let rects = cells(ui);
    let heights = range::heights(input, regression, cache);
    for (&run, rect) in input.runs.iter().zip(rects) {
        ui.scope_builder(UiBuilder::new().id_salt(("functions", run)).max_rect(rect), |ui| {
            let area = ui.interact(rect, ui.scope_id().with("place"), Sense::hover());
            let name = input.frame.runs.get(run).map_or("", |run| run.plan.name.as_str());
            let name = format!("Functions of {name}");
            area.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &name));
            let one = one(ui, input, theme, (run, regression, (inside, heights)), cache);
            response.edit = one.edit.or(response.edit.take());
            response.pointed = one.pointed.or(response.pointed);
        });
    }
    ui.advance_cursor_after_rect(ui.max_rect());
    response
}

/// The shape of the plots: that of the canvases, which stand beside them in a window; in a figure that of a curve. There the names of
/// the axes are not counted: the smaller plots are, the sooner they do without.
fn shape(input: &FunctionsInput<'_>, theme: &Theme) -> Shape {
    if printed(input) {
        let axes = 2.5 * theme.text.small;
        return Shape::new(ASPECT, vec2(axes, axes + 1.5 * theme.text.heading));
    }
    let strip = warnings::any(input.frame, input.runs);
    canvas::shape(input.frame, None, (Layers::default(), strip), theme)
}

fn one(
    ui: &mut Ui,
    input: &FunctionsInput<'_>,
    theme: &Theme,
    (run, regression, (legend, heights)): (usize, &dyn Regression, (bool, (f64, f64))),
    cache: &mut FunctionsCache,
) -> FunctionsResponse {
    let mut held = cache.held.take();
    let exact = cache.truth(input.frame).filter(|_| input.truth);
    let drawn = cache.entries.get(&run).map_or(0, Entry::draws);
    let linearised = cache.entries.get(&run).is_some_and(|entry| entry.linearised);
    let notes = notes(drawn, linearised, input).into_iter().map(|note| LegendEntry::new(Sample::None, note));
    let notes: Vec<_> = notes.chain(input.frame.runs.get(run).and_then(unconverged)).collect();
    run_header::with_legend(ui, input.frame, &[run], theme, &theme.heading(), &notes);
    ui.add_space(theme.space(1.0));
    let Some(entry) = cache.entries.get(&run) else { return FunctionsResponse::default() };
    let window = Held::window(held.as_ref(), run).unwrap_or_else(|| Bounds::new(regression.shown(), heights));
    let [x, y] = regression.axes();
    let x = AxisSpec { apart: 9.0, ..AxisSpec::wide(x, Ticks::Linear) };
    let y = AxisSpec { corner: false, apart: 9.0, ..AxisSpec::wide(y, Ticks::Linear) };
    let [x, y] = if printed(input) { in_height(ui, ui.available_height(), theme, [x, y]) } else { [x, y] };
    let width = (ui.available_width() - theme.text.small).max(1.0);
    let plot = plot(("functions", run), theme, x, y)
        .sense(if input.editing == Editing::Off { Sense::hover() } else { Sense::CLICK | Sense::DRAG })
        .width(width)
        .allow_drag(false);
    let shown = plot.show(ui, |plot_ui| {
        let colour = theme.run(run).colour;
        let content = (entry.version, exact.map(|exact| exact.draws), run, theme.mode, theme.scale);
        entry
            .kept
            .show(plot_ui, content, || marks(entry, regression, (exact.map(|exact| exact.moments), colour), theme));
        if let Some(values) = entry.lit() {
            for (colour, width) in [(theme.paper, 3.0), (theme.ink, 1.3)] {
                plot_ui.line(curve(line(&entry.inputs, values), colour, theme.line() * width));
            }
        }
        show_part(plot_ui, window.min.into(), window.max.into(), theme);
    });
    answers(ui, theme, &shown.response, [x, y]);
    let (rect, transform) = (shown.response.rect, shown.transform);
    let own = data(regression);
    paint(ui, theme, (rect, &transform), &Held::data(held.as_ref()).map_or(&own, |(data, _)| data).points);
    let edits = regression.with_data(&own.points).is_some();
    let plot = OnPlot { run, response: &shown.response, transform: &transform };
    let changed = edits.then(|| data_edit::changed(ui, theme, (plot, input.editing), &own, &mut held)).flatten();
    let edit =
        changed.and_then(|data| regression.with_data(&data.points)).map(|(path, value)| (path.to_owned(), value));
    if legend {
        let entries = entries(
            theme,
            theme.run(run).colour,
            (exact, entry.lit().is_some() && shown.response.hover_pos().is_none()),
        );
        legend_patch::paint(ui, theme, rect, Align2::LEFT_TOP, &entries);
    }
    if drawn == 0 {
        let (font, colour, at) = (theme.small(), theme.soft, rect.center_bottom());
        OverlayLabel { text: "no draws yet", font, colour, at, align: Align2::CENTER_BOTTOM }.paint(ui, theme, rect);
    }
    let pointer =
        shown.response.hover_pos().filter(|at| rect.contains(*at) && Held::window(held.as_ref(), run).is_none());
    let single = pointer.and_then(|pointer| {
        let at = transform.value_from_position(pointer);
        let location = entry.locate(at.x)?;
        let single = nearest(entry, location, |y| {
            (transform.position_from_point(&PlotPoint::new(at.x, y)).y - pointer.y).abs() / theme.space(2.0)
        });
        let text = words(input.frame, regression, (entry, exact), (at.x, location), single);
        overlay_label::at_pointer(ui, theme, rect, pointer, &text);
        single
    });
    let response = FunctionsResponse { edit, pointed: single.map(|single| single.name) };
    cache.held = held;
    response
}

/// What the line above a plot says: what mean and bands are made from, and what the reference is worth.
fn notes(drawn: usize, linearised: bool, input: &FunctionsInput<'_>) -> Vec<String> {
    let draws = match (drawn, linearised) {
        (_, true) => Some("f linearised at the mode".to_owned()),
        (0, false) => None,
        (drawn, false) => Some(format!("from {} draws", numbers::count(drawn as u64))),
    };
    let reference = input.frame.reference.as_ref().filter(|reference| input.truth && reference.draws > 0);
    draws
        .into_iter()
        .chain(reference.map(|reference| format!("HMC reference: {}", worth(reference).join(", "))))
        .collect()
}

/// The values of a function over its inputs.
fn line(inputs: &[f64], values: &[f64]) -> Vec<[f64; 2]> {
    inputs.iter().zip(values).map(|(x, y)| [*x, *y]).collect()
}

/// Bands, single functions and mean of the draws, and over them the exact mean and edges of the bands.
fn marks(
    entry: &Entry,
    regression: &dyn Regression,
    (exact, colour): (Option<&FunctionMoments>, Color32),
    theme: &Theme,
) -> Vec<Mark> {
    let (inputs, noise) = (&entry.inputs, regression.noise_sd());
    let mut marks = Vec::new();
    if !entry.moments.is_empty() {
        for (noise, opacity) in [(noise, OUTER), (0.0, INNER)] {
            let (edges, colour) = (band(inputs, &entry.moments, noise), colour.gamma_multiply(opacity));
            marks.push(Mark::Band { edges, colour, width: theme.thin() });
        }
    }
    for single in &entry.singles {
        let (points, colour) = (line(inputs, &single.values), colour.gamma_multiply(SINGLE));
        marks.push(Mark::Line { points, colour, width: theme.thin(), graph: true });
    }
    if !entry.moments.is_empty() {
        let (points, colour) = (line(inputs, entry.moments.mean()), colour.lerp_to_gamma(theme.ink, INK));
        marks.push(Mark::Line { points, colour, width: 1.5 * theme.line(), graph: true });
    }
    if let Some(exact) = exact {
        let [inner, outer] = [0.0, noise].map(|noise| band(inputs, exact, noise));
        let edge = |edges: &[[f64; 3]], end: usize| edges.iter().map(|edge| [edge[0], edge[end]]).collect();
        let mean = (line(inputs, exact.mean()), theme.line(), dashes(theme));
        let inner = [1, 2].map(|end| (edge(&inner, end), theme.thin(), dashes(theme)));
        let outer = [1, 2].map(|end| (edge(&outer, end), theme.thin(), dots(theme)));
        for (points, width, lengths) in [mean].into_iter().chain(inner).chain(outer) {
            marks.push(Mark::Dashes { points, colour: theme.exact, width, lengths });
        }
    }
    marks
}

/// Dash and gap of the exact mean and inner band, and of the outer band.
fn dashes(theme: &Theme) -> [f32; 2] {
    [theme.space(1.75), theme.space(1.0)]
}

fn dots(theme: &Theme) -> [f32; 2] {
    [theme.space(0.5), theme.space(0.75)]
}

fn entries(theme: &Theme, colour: Color32, (exact, pointed): (Option<Truth<'_>>, bool)) -> Vec<LegendEntry> {
    let over = |colour: Color32, opacity| theme.paper.lerp_to_gamma(colour, opacity);
    let outer = over(colour, OUTER);
    let full = |colour, width| Sample::Line(colour, width, None);
    let mean = colour.lerp_to_gamma(theme.ink, INK);
    let mut entries = vec![
        LegendEntry::new(Sample::Dot(theme.ink), "data"),
        LegendEntry::new(full(mean, 1.5 * theme.line()), "mean of f"),
        LegendEntry::new(full(over(colour, 2.0 * SINGLE), theme.thin()), "f of single draws"),
        LegendEntry::new(Sample::Band(outer.lerp_to_gamma(colour, INNER)), "f ± 2 sd (epistemic)"),
        LegendEntry::new(Sample::Band(outer), "y ± 2 sd (total)"),
    ];
    if let Some(Truth { name, .. }) = exact {
        let line = |width, lengths| Sample::Line(theme.exact, width, Some(lengths));
        entries.push(LegendEntry::new(line(theme.line(), dashes(theme)), format!("{name} mean; f ± 2 sd")));
        entries.push(LegendEntry::new(line(theme.line(), dots(theme)), format!("{name} y ± 2 sd")));
    }
    if pointed {
        entries.push(LegendEntry::new(full(theme.ink, 1.3 * theme.line()), "f at the pointer"));
    }
    entries
}

/// The data as points.
fn data(regression: &dyn Regression) -> Data {
    let points = regression.inputs().iter().zip(regression.observations()).map(|(x, y)| [*x, *y]).collect();
    Data { points, labels: Vec::new() }
}

/// Paints the data as dots with a rim in the colour of the paper.
fn paint(ui: &Ui, theme: &Theme, (rect, transform): (Rect, &PlotTransform), data: &[[f64; 2]]) {
    /// Height of a plot, in sizes of small text, below which its dots are small.
    const LOW: f32 = 18.0;
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let size = if rect.height() < LOW * theme.text.small { 0.65 } else { 1.0 };
    for [x, y] in data {
        let centre = transform.position_from_point(&PlotPoint::new(*x, *y));
        painter.circle_filled(centre, theme.space(size * 0.9 + 0.3), theme.paper);
        painter.circle_filled(centre, theme.space(size * 0.9), theme.ink);
    }
}

/// The single function that is nearest to the pointer, if it is less than 1 away.
fn nearest(entry: &Entry, location: (usize, f64), away: impl Fn(f64) -> f32) -> Option<&Single> {
    let away = |single: &&Single| away(between(&single.values, location));
    let nearest = entry.singles.iter().min_by(|a, b| away(a).total_cmp(&away(b)))?;
    (away(&nearest) < 1.0).then_some(nearest)
}

/// The values at an input, and the weights of the function under the pointer.
fn words(
    frame: &Frame,
    regression: &dyn Regression,
    (entry, exact): (&Entry, Option<Truth<'_>>),
    (x, location): (f64, (usize, f64)),
    single: Option<&Single>,
) -> String {
    let number = |value: f64| numbers::significant(value, 3);
    let sd = |moments: &FunctionMoments| {
        let (before, share) = location;
        moments.sd(before) + share * (moments.sd(before + 1) - moments.sd(before))
    };
    let row = |name: &str, value: &dyn Fn(&FunctionMoments) -> f64| {
        let drawn = if entry.moments.is_empty() { "–".to_owned() } else { number(value(&entry.moments)) };
        let exact =
            exact.map(|exact| format!("   {} {}", exact.name, number(value(exact.moments)))).unwrap_or_default();
        format!("{name} {drawn}{exact}")
    };
    let mut lines = vec![
        format!("x {}", number(x)),
        row("mean of f", &|moments| between(moments.mean(), location)),
        row("sd of f", &sd),
        row("sd of y", &|moments| sd(moments).hypot(regression.noise_sd())),
    ];
    if let Some(single) = single {
        let [first, second] = frame.target.info().axes;
        let f = number(between(&single.values, location));
        lines.push(format!("this f {f}"));
        lines.push(format!("{first} {}   {second} {}", number(single.point.x), number(single.point.y)));
    }
    lines.join("\n")
}
