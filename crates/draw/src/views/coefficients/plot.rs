//! Coefficients: one row each, with the mean and the intervals of every run beside the reference.
//!
//! Rows are as high as there is space; in a window they scroll where that is little, on paper they get lower and some are without names.

use egui::{Align2, FontId, Label, Rect, RichText, ScrollArea, Sense, Ui, UiBuilder, pos2, vec2};
use egui_plot::PlotPoint;

use super::cache::CoefficientsCache;
use super::geometry::{Interval, Rows, Scale, Unit, beside_slopes, estimate, range};
use super::reading;
use super::rows::{Canvas, band};
use crate::kit::axes::{AxisSpec, Ticks, before_last_tick, curve, plot, show_part, that_fits};
use crate::kit::background::Computing;
use crate::kit::gestures::Gesture;
use crate::kit::legend::{Entry, Sample};
use crate::kit::overlay_label::{self, OverlayLabel};
use crate::kit::{run_header, written};
use crate::theme::{self, Theme};
use crate::words::numbers;
use crate::words::settings::scaled_columns;
use base::params::printable;
use engine::session::{Described, Frame};
use models::targets::{KnownQuantities, Sureness};

/// What can be done on the plot.
pub(crate) const GESTURES: [Gesture; 2] = [
    Gesture::at("Coefficients", "Point at a row", "Read the numbers of the nearest run, and those of the reference"),
    Gesture::at("Coefficients", "Scroll", "See the other rows, where there are more than the plot has space for"),
];

/// What is said of a target without names.
const NO_NAMES: &str = "This target has no coefficients with names.";

/// Share of the width that names of rows take at most.
const NAMES: f32 = 0.36;

/// Least height of a row on a screen in sizes of small text, and in distances of lanes; the largest distance of lanes, and the least one, in
/// units of the theme.
const LEAST_ROW: f32 = 1.6;
const LANES: f32 = 1.4;
const APART: [f32; 2] = [2.0, 4.5];

/// Input of the plot.
#[derive(Clone, Copy, Debug)]
pub struct CoefficientsInput<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// The runs drawn, by number.
    pub runs: &'a [usize],
    /// When numbers are computed.
    pub computing: Computing,
    /// Whether the reference is shown.
    pub truth: bool,
    /// The scale.
    pub scale: Scale,
}

/// What is drawn.
struct Shown<'a> {
    input: &'a CoefficientsInput<'a>,
    known: Option<&'a dyn KnownQuantities>,
    names: Vec<&'a str>,
    references: Option<&'a Vec<Described>>,
    units: Vec<Unit>,
    /// Of every quantity, what the data of its group say by themselves.
    unpooled: Vec<Option<Interval>>,
    cache: &'a CoefficientsCache,
}

/// Draws the rows into the space there is.
pub fn show(ui: &mut Ui, input: &CoefficientsInput<'_>, theme: &Theme, cache: &mut CoefficientsCache) {
    let Some(quantities) = input.frame.target.quantities() else {
        ui.label(NO_NAMES);
        return;
    };
    cache.update(ui.ctx(), (input.frame, input.runs), input.computing);
    let references = cache.references(input.frame).filter(|_| input.truth);
    let names: Vec<&str> = match input.scale {
        Scale::FileUnits => input.frame.target.originals().iter().map(|original| original.name.as_str()).collect(),
        _ => quantities.names().iter().map(String::as_str).collect(),
    };
    let units = (0..names.len()).map(|number| match (input.scale, references) {
        (Scale::ReferenceSds, Some(references)) => Unit::of(&references[number]),
        _ => Unit::VALUES,
    });
    let units: Vec<Unit> = units.collect();
    let unpooled = unpooled(input, &units);
    let shown = Shown { input, known: quantities.known(), references, units, unpooled, names, cache };
    run_header::with_legend(ui, input.frame, input.runs, theme, &theme.heading(), &shown.entries(theme));
    ui.add_space(theme.space(1.0));
    if cache.is_stale(input.frame, input.runs) {
        ui.set_opacity(theme::STALE);
    }
    let whole = ui.available_rect_before_wrap();
    let notes = shown.notes();
    let foot = foot(ui, theme, &notes);
    let area = Rect::from_min_max(whole.min, pos2(whole.max.x, (whole.max.y - foot).max(whole.min.y)));
    shown.draw(ui, area, theme);
    if foot > 0.0 {
        let below = UiBuilder::new().id_salt("foot").max_rect(Rect::from_min_max(area.left_bottom(), whole.max));
        ui.scope_builder(below, |ui| {
            ui.add_space(theme.space(1.0));
            let text = Label::new(RichText::new(&notes).font(theme.small()).color(theme.soft));
            ui.add(if theme.labels.whole { text.wrap() } else { text.truncate() }).on_hover_text(&notes);
        });
    }
    ui.advance_cursor_after_rect(whole);
}

/// Of every quantity on the axis, what the data of its group say by themselves.
fn unpooled(input: &CoefficientsInput<'_>, units: &[Unit]) -> Vec<Option<Interval>> {
    let mut found = vec![None; units.len()];
    let model = input.frame.target.model().filter(|_| input.scale != Scale::FileUnits);
    for (number, of_data) in model.map_or_else(Vec::new, |model| model.unpooled()) {
        if let (Some(found), Some(unit)) = (found.get_mut(number), units.get(number)) {
            *found = Some(estimate(of_data, *unit));
        }
    }
    found
}

/// The width of the longest of some texts.
fn width<'a>(ui: &Ui, texts: impl Iterator<Item = &'a str>, font: &FontId, theme: &Theme) -> f32 {
    let width = |text| ui.painter().layout_no_wrap(printable(text).into_owned(), font.clone(), theme.ink).size().x;
    texts.map(width).fold(0.0, f32::max)
}

/// The height of the notes below the plot.
fn foot(ui: &Ui, theme: &Theme, notes: &str) -> f32 {
    if notes.is_empty() || !theme.labels.remarks {
        return 0.0;
    }
    let line = theme.text.small * 1.3;
    let width = ui.available_width();
    let whole = || ui.painter().layout(notes.to_owned(), theme.small(), theme.soft, width).size().y;
    theme.space(1.5) + if theme.labels.whole { whole() } else { line }
}

impl Shown<'_> {
    /// What the marks are.
    fn entries(&self, theme: &Theme) -> Vec<Entry> {
        let remark = match self.first().map(|run| written::name_of(theme, run, &self.input.frame.runs[run].plan.name)) {
            Some(name) => Entry::named(Sample::None, format!("mean, 50 % and 90 % intervals; mean ± sd of {name}")),
            None => Entry::new(Sample::None, "mean, 50 % and 90 % intervals"),
        };
        let words = |known: &dyn KnownQuantities| match known.sureness() {
            Sureness::Exact => "exact",
            Sureness::Weighted(_) => "reference: weighted draws",
        };
        let reference = self.known.filter(|_| self.references.is_some());
        let reference = reference.map(|known| Entry::new(Sample::Band(band(theme)), words(known)));
        let of_data =
            self.has_data().then(|| Entry::new(Sample::Ring(theme.soft), "data of the group ± standard error"));
        std::iter::once(remark).chain(reference).chain(of_data).collect()
    }

    /// Whether data say something of some quantities by themselves.
    fn has_data(&self) -> bool {
        self.unpooled.iter().any(Option::is_some)
    }

    /// Where the mean is to which a quantity is pulled, below the top of the rows and on the axis: that of the first run, or else of the reference.
    fn pulled_to(&self, number: usize, rows: &Rows) -> Option<(f32, f64)> {
        let of_run =
            |(lane, run): (usize, &usize)| Some((rows.lane(number, lane), self.interval(*run, number)?.middle));
        let of_runs = self.input.runs.iter().enumerate().find_map(of_run);
        of_runs.or_else(|| Some((rows.middle(number), self.reference(number)?.middle)))
    }

    /// Why runs have no numbers, and what has to be known of those of others.
    fn notes(&self) -> String {
        let CoefficientsInput { frame, runs, .. } = self.input;
        let of_run = |run: &usize| {
            let name = &frame.runs.get(*run)?.plan.name;
            let of = self.cache.run(*run)?;
            let said = match of.numbers {
                Err(reason) => reason.to_owned(),
                Ok(_) => of.remarks.join("; "),
            };
            (!said.is_empty()).then(|| format!("{name}: {said}."))
        };
        runs.iter().filter_map(of_run).collect::<Vec<_>>().join(" ")
    }

    /// The numbers of a run, on the axis.
    fn interval(&self, run: usize, number: usize) -> Option<Interval> {
        let numbers = self.cache.run(run)?.numbers.as_ref().ok()?;
        Some(Interval::of(&numbers.get(number)?.described, self.units[number]))
    }

    fn reference(&self, number: usize) -> Option<Interval> {
        Some(Interval::of(&self.references?[number], self.units[number]))
    }

    /// The ends of the axis.
    fn range(&self) -> [f64; 2] {
        let is_slope = |number: usize| !["intercept", "sigma"].contains(&self.names[number]);
        let shown = |of: &dyn Fn(usize) -> Option<Interval>| {
            let all: Vec<_> =
                (0..self.units.len()).filter_map(|number| Some((is_slope(number), of(number)?))).collect();
            match self.input.scale {
                Scale::FileUnits => beside_slopes(&all),
                _ => all.into_iter().map(|(_, interval)| interval).collect(),
            }
        };
        let references = shown(&|number| self.reference(number));
        let of_run = |run: &usize| shown(&|number| self.interval(*run, number));
        let of_data = self.unpooled.iter().flatten().copied();
        let runs: Vec<Interval> = self.input.runs.iter().flat_map(of_run).chain(of_data).collect();
        range(&references, &runs)
    }

    /// The run whose numbers are written beside the rows, in the units of a file.
    fn first(&self) -> Option<usize> {
        let mut with_numbers =
            self.input.runs.iter().filter(|run| self.cache.run(**run).is_some_and(|of| of.numbers.is_ok()));
        with_numbers.next().copied().filter(|_| self.input.scale == Scale::FileUnits)
    }

    /// What is written beside the rows: mean ± standard deviation of the first run.
    fn written(&self) -> Vec<String> {
        let numbers = self.first().and_then(|run| self.cache.run(run)?.numbers.as_ref().ok());
        numbers.map_or_else(Vec::new, |all| all.iter().map(|of| reading::plus_minus(&of.described)).collect())
    }

    fn draw(&self, ui: &mut Ui, area: Rect, theme: &Theme) {
        let names = self.width_of_names(ui, area, theme);
        let axis = self.range();
        let written = self.written();
        let beside = width(ui, written.iter().map(String::as_str), &theme.small(), theme);
        let beside = if beside > 0.0 { (beside + theme.space(2.0)).min(NAMES * area.width()) } else { 0.0 };
        let right = Rect::from_min_max(pos2(area.min.x + names, area.min.y), pos2(area.max.x - beside, area.max.y));
        let label = match self.input.scale {
            Scale::ReferenceSds if self.references.is_some() => "distance from the reference mean, in its sds",
            Scale::FileUnits => "value, in the units of the file",
            _ => {
                let frame = self.input.frame;
                scaled_columns(frame.scenario.target_at(frame.step)).map_or("value", |[_, axis]| axis)
            }
        };
        let drawn = ui.scope_builder(UiBuilder::new().id_salt("axis").max_rect(right), |ui| {
            let y = AxisSpec::upright("", Ticks::None);
            let x = AxisSpec { apart: 14.0, ..AxisSpec::wide(that_fits(ui, theme, label, y), Ticks::Linear) };
            let plot = plot("coefficients", theme, x, y).sense(Sense::hover()).allow_drag(false);
            plot.width(before_last_tick(ui, theme)).show(ui, |plot_ui| {
                plot_ui.line(curve(vec![[0.0, 0.0], [0.0, 1.0]], theme.edge, theme.thin()));
                show_part(plot_ui, [axis[0], 0.0], [axis[1], 1.0], theme);
            })
        });
        let (rect, transform) = (drawn.inner.response.rect, drawn.inner.transform);
        let ends = axis.map(|end| transform.position_from_point(&PlotPoint::new(end, 0.0)).x);
        let list = Rect::from_min_max(pos2(area.min.x, rect.top()), pos2(rect.max.x + beside, rect.max.y));
        let fit = theme.labels.whole;
        let lanes = self.input.runs.len().max(1) + usize::from(self.has_data());
        let least = (LEAST_ROW * theme.text.small).max(lanes as f32 * theme.space(APART[0]) * LANES);
        let rows = Rows::new((self.units.len(), lanes), list.height(), (least, theme.space(APART[1])), fit);
        ui.scope_builder(UiBuilder::new().id_salt("rows").max_rect(list), |ui| {
            if fit || rows.total() <= list.height() + 0.5 {
                self.rows(ui, theme, (rows, list, ends, axis));
            } else {
                ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                    let size = vec2(list.width(), rows.total());
                    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
                    self.rows(ui, theme, (rows, rect, ends, axis));
                });
            }
        });
        if self.is_empty() {
            let text = self.input.runs.iter().find_map(|run| self.cache.run(*run)?.numbers.as_ref().err());
            let text = text.copied().unwrap_or("being computed");
            let (font, colour, at) = (theme.small(), theme.soft, rect.center_bottom());
            OverlayLabel { text, font, colour, at, align: Align2::CENTER_BOTTOM }.paint(ui, theme, rect);
        }
    }

    /// Whether no run has numbers.
    fn is_empty(&self) -> bool {
        let has = |run: &usize| self.cache.run(*run).is_some_and(|of| of.numbers.is_ok());
        !self.input.runs.iter().any(has)
    }

    /// The width of the longest name, with a gap.
    fn width_of_names(&self, ui: &Ui, area: Rect, theme: &Theme) -> f32 {
        let longest = width(ui, self.names.iter().copied(), &theme.body(), theme);
        (longest + theme.space(2.5)).min(NAMES * area.width())
    }

    /// Paints what is in sight of all rows.
    fn rows(&self, ui: &Ui, theme: &Theme, (rows, list, ends, axis): (Rows, Rect, [f32; 2], [f64; 2])) {
        let sight = ui.clip_rect();
        let painter = ui.painter().clone();
        let canvas = Canvas { painter: &painter, theme, rows, list, ends, axis };
        let (every, written) = (rows.labels(theme.text.small * 1.15), self.written());
        for (number, name) in self.names.iter().enumerate() {
            let top = list.top() + rows.height * number as f32;
            if top > sight.bottom() || top + rows.height < sight.top() {
                continue;
            }
            if number.is_multiple_of(every) {
                canvas.name(number, &printable(name), every == 1);
            }
            if let Some(numbers) = written.get(number).filter(|_| number.is_multiple_of(every)) {
                canvas.beside(number, numbers);
            }
            if let Some(interval) = self.reference(number) {
                canvas.reference(number, &interval);
            }
            if let Some(interval) = self.unpooled.get(number).and_then(Option::as_ref) {
                canvas.data(number, interval, self.pulled_to(number, &rows));
            }
            for (lane, run) in self.input.runs.iter().enumerate() {
                if let Some(interval) = self.interval(*run, number) {
                    canvas.run((number, lane), &interval, *run);
                }
            }
        }
        let inside = list.intersect(sight);
        let pointer = ui.input(|input| input.pointer.hover_pos()).filter(|at| inside.contains(*at));
        let Some(pointer) = pointer.filter(|_| ui.rect_contains_pointer(inside)) else { return };
        if let Some((number, lane)) = rows.at(pointer.y - list.top()) {
            overlay_label::at_pointer(ui, theme, inside, pointer, &self.reading(number, lane));
        }
    }

    /// The numbers of a row: of the run in a lane, and of the reference.
    fn reading(&self, number: usize, lane: usize) -> String {
        let name = self.names.get(number).map_or_else(String::new, |name| printable(name).into_owned());
        let run = self.input.runs.get(lane).and_then(|run| {
            let numbers = self.cache.run(*run)?.numbers.as_ref().ok()?.get(number)?;
            Some((self.input.frame.runs.get(*run)?.plan.name.as_str(), numbers))
        });
        let reference = self.references.and_then(|all| Some((all.get(number)?, self.known?.sureness())));
        let mut said = reading::text(&name, run, reference);
        let model = self.input.frame.target.model().filter(|_| self.has_data());
        let of_data = model.and_then(|model| model.unpooled().into_iter().find(|(of, _)| *of == number));
        if let Some((_, [value, error])) = of_data {
            let [value, error] = [value, error].map(|number| numbers::significant(number, 3));
            said += &format!("\ndata of the group: {value} ± {error}");
        }
        said
    }
}
