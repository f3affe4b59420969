//! Maps of a classification behind the draws of its weights: probabilities of classes, the entropy of these, or the mutual
//! information of label and weights over the plane of inputs; with the boundary between classes, and the data.
//!
//! There is one map for each run, and one of the HMC reference as far as that has come, arranged like the canvases, all with one
//! scale of colours. The boundary of the draw that the pointer is at, on a canvas or on a plot of weights, is shown over the map.

use egui::{Align2, Rect, Sense, Shape, Stroke, Ui, UiBuilder, vec2};
use egui_plot::{PlotPoint, PlotTransform};

use super::cache::{Entry, MapsCache};
use super::geometry::ClassMap;
use super::input::MapsInput;
use super::scale;
use super::source::Source;
use crate::kit::axes::{AxisSpec, Ticks, answers, plot, show_part, thickness};
use crate::kit::canvas_grid::{self, cells};
use crate::kit::convergence_note::unconverged;
use crate::kit::data_edit::{self, Data, DataEdit, Editing, Held, OnPlot};
use crate::kit::gestures::Gesture;
use crate::kit::legend::{self, Entry as LegendEntry, Sample};
use crate::kit::marks::{Dot, Mark};
use crate::kit::overlay_label::{self, OverlayLabel};
use crate::kit::passive_items::picture;
use crate::kit::run_header;
use crate::theme::Theme;
use crate::words::numbers;
use crate::words::reference_worth::worth;
use base::math::Point;
use engine::session::{Frame, RunFrame};
use models::targets::Classification;

/// What can be done on the plot, and on the canvases beside it.
pub(crate) const GESTURES: [Gesture; 2] = [
    Gesture::at("Maps", "Point at a place", "Read probabilities, entropy and mutual information there"),
    Gesture::at("Maps", "Point at weights beside it", "Show the boundary of the draw nearest to the pointer"),
];

/// The name of the map of the reference.
const REFERENCE: &str = "HMC reference";

/// Space between two plots, in units of the theme.
const GAP: f32 = 2.5;

/// Radius of a datum, and of the rim of paper around it, in units of the theme.
const DATUM: f32 = 1.1;
const RIM: f32 = 1.5;

/// Width of the key beside maps, in sizes of small text.
const KEY: f32 = 20.0;

/// Side of a map, in sizes of small text, below which its data are small.
const SMALL: f32 = 20.0;

/// Draws one map for each run into the available space; returns the change of the data that a person made.
pub fn show(ui: &mut Ui, input: &MapsInput<'_>, theme: &Theme, cache: &mut MapsCache) -> Option<DataEdit> {
    let Some(model) = input.frame.target.classification() else {
        ui.label("This target is no classification: its draws say nothing of classes.");
        return None;
    };
    cache.update(ui.ctx(), input);
    let sources = Source::all(input);
    let top = scale::top(input.quantity, model.classes(), cache.largest(&sources, input.quantity));
    let area = ui.available_rect_before_wrap();
    let (key_area, maps_area) = areas(area, sources.len(), theme);
    let key = |ui: &mut Ui| {
        legend::line(ui, theme, &entries(theme, model));
        scale::show(ui, theme, (input.quantity, top), model.classes());
    };
    let maps_area = if let Some(beside) = key_area {
        ui.scope_builder(UiBuilder::new().id_salt("key").max_rect(beside), |ui| key(ui));
        maps_area
    } else {
        key(ui);
        ui.add_space(theme.space(1.0));
        ui.available_rect_before_wrap()
    };
    let axes = thickness(theme, axes());
    let frame = vec2(axes.x + theme.text.small, axes.y + theme.text.heading * 1.5);
    let shape = canvas_grid::Shape::new(1.0, frame);
    let rects = cells(maps_area, sources.len(), theme.space(GAP), shape);
    let own = Data { points: model.inputs().to_vec(), labels: model.labels().to_vec() };
    data_edit::settle(&mut cache.held, &own);
    let mut edit = None;
    for (&source, rect) in sources.iter().zip(rects) {
        ui.scope_builder(UiBuilder::new().id_salt(("maps", source)).max_rect(rect), |ui| {
            let area_of_plot = ui.interact(rect, ui.scope_id().with("place"), Sense::hover());
            let name = match source {
                Source::Run(run) => input.frame.runs.get(run).map_or("", |run| run.plan.name.as_str()),
                Source::Reference => REFERENCE,
            };
            let name = format!("Map of {name}");
            area_of_plot.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &name));
            let changed = one(ui, input, theme, (source, model, top), &own, cache);
            edit = changed.or(edit.take());
        });
    }
    ui.advance_cursor_after_rect(ui.max_rect());
    edit
}

/// Where the key and the maps are: beside each other in an area that is wide enough, and otherwise the key comes first.
fn areas(area: Rect, count: usize, theme: &Theme) -> (Option<Rect>, Rect) {
    let maps = count as f32 * (area.height() + theme.space(GAP));
    if area.width() < maps + KEY * theme.text.small {
        return (None, area);
    }
    let (maps, key) = area.split_left_right_at_x(area.left() + maps);
    (Some(key.with_min_x(key.left() + theme.space(2.0 * GAP))), maps)
}

fn axes() -> [AxisSpec<'static>; 2] {
    let wide = |label| AxisSpec { apart: 9.0, ..AxisSpec::wide(label, Ticks::Linear) };
    [wide("x₁"), AxisSpec { corner: false, ..wide("x₂") }]
}

fn one(
    ui: &mut Ui,
    input: &MapsInput<'_>,
    theme: &Theme,
    (source, model, top): (Source, &dyn Classification, f64),
    own: &Data,
    cache: &mut MapsCache,
) -> Option<DataEdit> {
    let run = if let Source::Run(index) = source { Some((index, input.frame.runs.get(index)?)) } else { None };
    let entry = cache.entries.get_mut(&source)?;
    let (window, [x, y]) = (model.shown(), axes());
    let held = run.and_then(|(index, _)| Held::window(cache.held.as_ref(), index));
    let bounds = held.unwrap_or(window);
    let beyond = thickness(theme, [x, y]);
    let side = |ui: &Ui| {
        let available = ui.available_size() - beyond - vec2(theme.text.small, 0.0);
        available.x.min(available.y).max(1.0)
    };
    // The header is as wide as the map below it.
    let below = ui.available_height() - 1.5 * theme.text.heading - beyond.y;
    ui.set_max_width((side(ui).min(below) + beyond.x + theme.text.small).min(ui.available_width()).max(1.0));
    let single = run.and_then(|(index, run)| {
        let name = input.pointed.draw_of(index)?;
        Some(entry.single((input.frame, run), name)?.boundary.clone())
    });
    header(ui, input.frame, theme, (source, entry, single.is_some()));
    let texture = entry.picture(ui.ctx(), (input.quantity, top), theme);
    let side = side(ui);
    let size = if side < SMALL * theme.text.small { 0.7 } else { 1.0 };
    let dots = entry.dots(ui.ctx(), [RIM, DATUM].map(|radius| theme.space(size * radius)));
    let sense = if input.editing == Editing::Off { Sense::hover() } else { Sense::CLICK | Sense::DRAG };
    let plot = plot(("maps", source), theme, x, y).sense(sense).allow_drag(false);
    let shown = plot.width(side + beyond.x).height(side + beyond.y).show(ui, |plot_ui| {
        if let Some(texture) = &texture {
            plot_ui.add(picture(texture.id(), window));
        }
        let (data, held) = Held::data(cache.held.as_ref()).unwrap_or((own, 0));
        let content = (entry.version, theme.mode, theme.scale, size.to_bits(), held);
        entry.kept.show(plot_ui, content, || marks(entry.map.as_deref(), (model.classes(), data), &dots, theme));
        show_part(plot_ui, bounds.min.into(), bounds.max.into(), theme);
    });
    answers(ui, theme, &shown.response, [x, y]);
    let (rect, transform) = (shown.response.rect, shown.transform);
    if let Some(boundary) = single {
        highlight(ui, theme, (rect, &transform), &boundary);
    }
    if let (0, Some(text)) = (entry.draws(), run.and_then(|(_, run)| missing(run))) {
        let (font, colour, at) = (theme.small(), theme.soft, rect.center_bottom());
        OverlayLabel { text, font, colour, at, align: Align2::CENTER_BOTTOM }.paint(ui, theme, rect);
    }
    let edits = run.filter(|_| model.with_data(&own.points, &own.labels).is_some());
    let edit = edits.and_then(|(run, _)| {
        let plot = OnPlot { run, response: &shown.response, transform: &transform };
        let data = data_edit::changed(ui, theme, (plot, input.editing), own, &mut cache.held)?;
        model.with_data(&data.points, &data.labels)
    });
    let is_dragged = run.is_some_and(|(index, _)| Held::window(cache.held.as_ref(), index).is_some());
    if let Some(pointer) = shown.response.hover_pos().filter(|at| rect.contains(*at) && !is_dragged) {
        let at = transform.value_from_position(pointer);
        if let Some(text) = words(entry.map.as_deref(), model, Point::new(at.x, at.y)) {
            overlay_label::at_pointer(ui, theme, rect, pointer, &text);
        }
    }
    edit.map(|(path, value)| (path.to_owned(), value))
}

/// The line above a map: what it is of, the draws behind it, what a reference is worth, and whose boundary is dashed.
fn header(ui: &mut Ui, frame: &Frame, theme: &Theme, (source, entry, single): (Source, &Entry, bool)) {
    let remark = |text: String| LegendEntry::new(Sample::None, text);
    let drawn = match entry.draws() {
        0 => None,
        _ if entry.is_linearised() => Some("f linearised at the mode".to_owned()),
        drawn => Some(format!("from {} draws", numbers::count(drawn as u64))),
    };
    let dashed = Sample::Line(theme.ink, 1.3 * theme.line(), Some(dashes(theme)));
    let dashed = single.then(|| LegendEntry::new(dashed, "draw at the pointer"));
    let font = theme.heading();
    match (source, &frame.reference) {
        (Source::Run(run), _) => {
            let unconverged = frame.runs.get(run).and_then(unconverged);
            let notes: Vec<_> = drawn.into_iter().map(remark).chain(unconverged).chain(dashed).collect();
            run_header::with_legend(ui, frame, &[run], theme, &font, &notes);
        }
        (Source::Reference, reference) => {
            let notes: Vec<_> = reference.iter().flat_map(|reference| worth(reference)).map(remark).collect();
            run_header::titled(ui, REFERENCE, theme, &font, &notes);
        }
    }
    ui.add_space(theme.space(1.0));
}

/// Why a run has no map, unless one is being made.
pub(super) fn missing(run: &RunFrame) -> Option<&'static str> {
    let lost = run.diverged.len() >= run.plan.chains;
    let any = !run.collected_vectors().is_empty() || run.fits.is_some();
    match (lost, any) {
        (true, _) => Some("no draws: all chains have left"),
        (false, false) => Some("no draws yet"),
        (false, true) => None,
    }
}

/// The boundary and the data.
fn marks(map: Option<&ClassMap>, (classes, data): (usize, &Data), dots: &[Option<Dot>; 2], theme: &Theme) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (colour, width) in [(theme.paper, 3.0), (theme.ink, 1.4)] {
        for points in map.into_iter().flat_map(|map| &map.boundary) {
            marks.push(Mark::Line { points: points.clone(), colour, width: width * theme.line(), graph: false });
        }
    }
    for class in 0..classes {
        let style = theme.class(class);
        let own = data.points.iter().zip(&data.labels).filter(|(_, label)| (*label - class as f64).abs() < 0.5);
        let points: Vec<[f64; 2]> = own.map(|(point, _)| *point).collect();
        for (colour, dot) in [theme.paper, style.colour].into_iter().zip(dots) {
            let mark =
                |dot: &Dot| Mark::Points { points: points.clone(), colour, shape: style.marker, dot: dot.clone() };
            marks.extend(dot.as_ref().map(mark));
        }
    }
    marks
}

fn entries(theme: &Theme, model: &dyn Classification) -> Vec<LegendEntry> {
    let class = |class: usize| {
        LegendEntry::new(Sample::Marker(theme.class(class)), format!("class {}", model.class_name(class)))
    };
    let mut entries: Vec<LegendEntry> = (0..model.classes()).map(class).collect();
    let boundary = if model.classes() == 2 { "p̄ = ½" } else { "two classes equally likely" };
    entries.push(LegendEntry::new(Sample::Line(theme.ink, 1.4 * theme.line(), None), boundary));
    entries
}

/// Dash and gap of the boundary of a single draw.
fn dashes(theme: &Theme) -> [f32; 2] {
    [theme.space(1.75), theme.space(1.0)]
}

/// Paints the boundary of a draw.
fn highlight(ui: &Ui, theme: &Theme, (rect, transform): (Rect, &PlotTransform), boundary: &[Vec<[f64; 2]>]) {
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let [dash, gap] = dashes(theme);
    for line in boundary {
        let line_points: Vec<_> =
            line.iter().map(|[x, y]| transform.position_from_point(&PlotPoint::new(*x, *y))).collect();
        painter.add(Shape::line(line_points.clone(), Stroke::new(3.0 * theme.line(), theme.paper)));
        painter.extend(Shape::dashed_line(&line_points, Stroke::new(1.3 * theme.line(), theme.ink), dash, gap));
    }
}

/// The values at a point.
fn words(map: Option<&ClassMap>, model: &dyn Classification, at: Point) -> Option<String> {
    let map = map?;
    let cell = map.grid.cell(at)?;
    let prediction = map.sums.prediction(cell);
    let number = |value: f64| numbers::significant(value, 3);
    let mut lines = vec![format!("x₁ {}   x₂ {}", number(at.x), number(at.y))];
    let name = |(class, p): (usize, &f64)| format!("p̄ of class {}  {}", model.class_name(class), number(*p));
    let named = prediction.probabilities.iter().enumerate().map(name);
    // Of two probabilities one says both.
    lines.extend(named.skip(usize::from(prediction.probabilities.len() == 2)));
    lines.push(format!("entropy  {} nats", number(prediction.entropy)));
    lines.push(format!("mutual information  {} nats", number(prediction.mutual_information())));
    if let Some((mean, sd)) = map.sums.logit(cell) {
        lines.push(format!("logit  {} ± {}", number(mean), number(sd)));
    }
    Some(lines.join("\n"))
}
