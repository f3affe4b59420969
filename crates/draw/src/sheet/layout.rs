//! Layout of the figures: title, canvases, plots, readout and footer on one sheet.

use std::sync::Arc;

use egui::{FontId, Galley, Label, Rect, RichText, Ui, pos2};

use super::pieces::{
    GAP, LEAST_PLOT, Readout, one_canvas, paper_columns, plot, readout_of, within, within_named, within_tab,
};
use super::{ExportOptions, Extras, Parts, Picture, panels, space};
use crate::canvas;
use crate::kit::canvas_grid::{self, cells};
use crate::kit::{told, warnings, written};
use crate::readout;
use crate::theme::Theme;
use crate::views::{self, PlotsOf, StudyUse, Tab};
use crate::words::markup;
use engine::scenario::figures::given;
use engine::scenario::view::Arrangement;
use engine::session::Frame;

/// Margin of the paper, in units of the theme.
const MARGIN: f32 = 5.0;

/// Shares of a sheet's height that the plot and the readout below the canvases take at least, also of a plot that stands beside the
/// canvases in the window and of one without a readout, and at most.
const LOWER: f32 = 0.34;
const BESIDE: f32 = 0.5;
const ALONE: f32 = 0.42;
const TOO_LARGE: f32 = 0.66;

/// Shares of the width of a sheet that the plot beside the readout takes, and the canvases beside both.
const PLOT: f32 = 0.56;
const CANVASES: f32 = 0.62;

/// Share of a column's height that canvases take above the plot.
const ABOVE: f32 = 0.58;

/// Share of a figure's height that its footer takes at most.
const FOOTER: f32 = 0.15;

/// Height that words leave to plots at least, in sizes of body text.
const LEFT: f32 = 9.0;

/// Sizes of body text below which a sheet is a column without readout, and has no space for a plot.
const NARROW: f32 = 46.0;
const LOW: f32 = 22.0;

/// Lays out a figure in the available space.
pub fn draw(
    ui: &mut Ui,
    frame: &Frame,
    theme: &Theme,
    (options, extras): (&ExportOptions, &Extras),
    plots: &mut PlotsOf,
) {
    told::begin(ui);
    extras.alike(frame, theme).into_iter().for_each(|sentence| told::warn(ui, sentence));
    let chosen = extras.chosen.unwrap_or(options.size);
    chosen.small_letters().into_iter().for_each(|sentence| told::warn(ui, sentence));
    let margin = theme.space(MARGIN).min(0.02 * ui.max_rect().size().max_elem());
    let mut area = ui.max_rect().shrink(margin);
    let runs = match options.picture {
        Picture::Canvas(run) => vec![run],
        Picture::Sheet | Picture::Panels | Picture::Readout | Picture::Plot(_) => extras.runs(frame),
    };
    let least = if options.picture == Picture::Readout { 0.0 } else { LEFT * theme.text.body };
    if options.parts.footer {
        match footer(ui, frame, theme, (options, extras, &runs), (area, least)) {
            Some(top) => area.max.y = top - theme.space(GAP * 0.5),
            None => told::warn(ui, "There is no space for methods, parameters and seed below the figure".to_owned()),
        }
    }
    // A narrow sheet has no space for sentences; other figures have a caption only if one is asked for.
    let caption = options.parts.caption && (options.picture != Picture::Sheet || !is_narrow(area, theme));
    area.min.y =
        head(ui, frame, theme, (Parts { caption, ..options.parts }, own_title(options, extras)), (area, least));
    match options.picture {
        Picture::Sheet => {
            let measures = options.parts.readout.then(|| Readout::of(frame, extras, theme)).flatten();
            sheet(ui, frame, theme, (extras, &runs, area), (plots, measures));
        }
        Picture::Panels => panels::draw(ui, frame, theme, (extras, area, &options.size), plots),
        Picture::Canvas(run) => {
            let (instead, strip) = (views::instead_of_canvases(frame), warnings::any(frame, &[run]));
            let name = canvas_name(frame, theme, &[run]);
            within_named(ui, ("canvas", &name), area, |ui| match instead {
                Some(tab) => plot_instead(ui, frame, theme, (tab, extras, &[run]), plots),
                None => one_canvas(ui, frame, theme, (extras, strip, &[run]), plots),
            });
        }
        Picture::Readout => {
            within(ui, "readout", area, |ui| readout_of(ui, frame, theme, extras));
        }
        Picture::Plot(tab) => {
            within_tab(ui, tab, area, |ui| plot(ui, frame, theme, (tab, extras, &runs), plots));
            space::tell_plots(ui, theme, &chosen);
        }
    }
}

/// The title that a figure of panels has of its own.
fn own_title<'a>(options: &ExportOptions, extras: &'a Extras) -> Option<&'a str> {
    extras.view.figure.as_ref().filter(|_| options.picture == Picture::Panels).and_then(|figure| given(figure, "title"))
}

/// The title that stands above a figure.
pub(super) fn title(frame: &Frame, options: &ExportOptions, extras: &Extras) -> Option<String> {
    let of_scenario = Some(&frame.scenario.title).filter(|title| options.parts.title && !title.is_empty());
    own_title(options, extras).map(markup::plain).or_else(|| of_scenario.cloned())
}

/// Title and caption at the upper edge, as far as they leave the least height. Returns where the area below begins.
fn head(
    ui: &mut Ui,
    frame: &Frame,
    theme: &Theme,
    (parts, own): (Parts, Option<&str>),
    (area, least): (Rect, f32),
) -> f32 {
    let scenario = &frame.scenario;
    let title = Some(&scenario.title).filter(|title| parts.title && !title.is_empty());
    let title = own.map(str::to_owned).or_else(|| title.map(|title| markup::escaped(title)));
    let caption = Some(&scenario.caption.watch).filter(|caption| parts.caption && !caption.is_empty());
    let font = if own.is_some() { theme.heading() } else { theme.title() };
    let height = |text: &str, font: &FontId| {
        ui.painter().layout(text.to_owned(), font.clone(), theme.ink, area.width()).size().y
    };
    let mut free = area.height() - least - theme.space(GAP);
    let mut fits = |height: f32, what: &str| {
        free -= height;
        if free < 0.0 {
            told::warn(ui, format!("There is no space for the {what} above the figure"));
            free += height;
            return false;
        }
        true
    };
    let title = title.filter(|title| fits(height(&markup::plain(title), &font), "title"));
    let caption = caption.filter(|caption| fits(height(caption, &theme.body()), "caption"));
    if title.is_none() && caption.is_none() {
        return area.min.y;
    }
    let head = within(ui, "head", area, |ui| {
        if let Some(title) = title {
            ui.add(Label::new(written::text(&title, &font, theme.ink)).wrap());
        }
        if let Some(caption) = caption {
            ui.add(Label::new(RichText::new(caption).color(theme.soft)).wrap());
        }
    });
    head.max.y + theme.space(GAP)
}

/// Canvases with a plot and the readout: below them, or at their right where the canvases are larger then. A narrow sheet is a
/// column of canvases and a plot, a very low one has canvases only.
fn sheet(
    ui: &mut Ui,
    frame: &Frame,
    theme: &Theme,
    (extras, runs, area): (&Extras, &[usize], Rect),
    (plots, measures): (&mut PlotsOf, Option<Readout>),
) {
    let body = theme.text.body;
    let gap = theme.space(GAP);
    let tab = sheet_tab(frame, extras);
    let low = area.height() < LOW * body;
    if low || is_narrow(area, theme) {
        if low {
            return pictures(ui, frame, theme, (extras, runs, area), plots);
        }
        let (upper, lower) = area.split_top_bottom_at_fraction(ABOVE);
        pictures(ui, frame, theme, (extras, runs, upper.with_max_y(upper.max.y - gap)), plots);
        within_tab(ui, tab, lower, |ui| plot(ui, frame, theme, (tab, extras, runs), plots));
        return;
    }
    let columns = |width: f32| paper_columns(width, theme, frame);
    let height = |ui: &Ui, width: f32| {
        let of = |table: &Readout| {
            readout::height(ui, &table.0, columns(width), &readout::note(frame, &table.0, columns(width), false))
        };
        measures.as_ref().map_or(0.0, of)
    };
    // Below the canvases.
    let needed = height(ui, (1.0 - PLOT) * area.width()) / area.height();
    let with_table = measures.is_some() && needed < TOO_LARGE;
    let wide = views::SIDE_BY_SIDE.contains(&tab);
    let least = match &measures {
        _ if tab.beside || wide => BESIDE,
        Some(_) => LOWER,
        None => ALONE,
    };
    let share = if with_table { needed.max(least) } else { least };
    let (upper, lower) = area.split_top_bottom_at_fraction(1.0 - share);
    let upper = upper.with_max_y(upper.max.y - gap);
    // At the right.
    let (left, right) = area.split_left_right_at_fraction(CANVASES);
    let left = left.with_max_x(left.max.x - 2.0 * gap);
    let table = height(ui, right.width());
    // What stands beside the canvases in the window is as wide as they are.
    let fits_right = !tab.beside && !wide && right.height() - table - gap > LEAST_PLOT * body;
    let size = |area: Rect| largest(area, frame, extras, runs, theme);
    if fits_right && size(left) > size(upper) {
        let table = if measures.is_some() { table + gap } else { 0.0 };
        let above = right.with_max_y(right.max.y - table);
        pictures(ui, frame, theme, (extras, runs, left), plots);
        within_tab(ui, tab, above, |ui| plot(ui, frame, theme, (tab, extras, runs), plots));
        if let Some(measures) = measures {
            let below = right.with_min_y(above.max.y + gap);
            within(ui, "readout", below, |ui| measures.draw(ui, frame, theme, columns(right.width())));
        }
        return;
    }
    pictures(ui, frame, theme, (extras, runs, upper), plots);
    let Some(measures) = measures.filter(|_| with_table) else {
        within_tab(ui, tab, lower, |ui| plot(ui, frame, theme, (tab, extras, runs), plots));
        return;
    };
    let (left, right) = lower.split_left_right_at_fraction(PLOT);
    let left = left.with_max_x(left.max.x - 2.0 * gap);
    within_tab(ui, tab, left, |ui| plot(ui, frame, theme, (tab, extras, runs), plots));
    within(ui, "readout", right, |ui| measures.draw(ui, frame, theme, columns(right.width())));
}

/// Whether a sheet in an area is a column.
fn is_narrow(area: Rect, theme: &Theme) -> bool {
    area.width() < NARROW * theme.text.body
}

/// The tab whose plot is with the canvases of a sheet: the one that the file has open, if its plot says something without repeats
/// of the scenario.
#[must_use]
pub fn sheet_tab(frame: &Frame, extras: &Extras) -> Tab {
    let open = extras.view.tab.as_ref().and_then(|tab| views::tab(tab.kind.name));
    let says = |tab: &Tab| {
        (tab.applies)(frame)
            && Some(*tab) != views::instead_of_canvases(frame)
            && views::silent(tab, frame).is_none()
            && (!tab.study.repeats() || !extras.repeats.is_empty())
            && (*tab != views::MAP || extras.sweep.is_some())
    };
    // For approximations the bound says more about the run than the step size, and for weights their functions do.
    let approximations = frame.runs.iter().all(|run| run.fits.is_some());
    let of_functions = views::OF_FUNCTIONS.into_iter().find(|tab| (tab.applies)(frame));
    let otherwise = if approximations { views::ELBO } else { views::SCHEDULE };
    open.filter(says).or(of_functions).or(views::on_sheet(frame)).unwrap_or(otherwise)
}

/// The height of the smallest picture that the canvases have in an area.
fn largest(area: Rect, frame: &Frame, extras: &Extras, runs: &[usize], theme: &Theme) -> f32 {
    if views::instead_of_canvases(frame).is_some() {
        // Such plots fill any area: the wide one below each other is the usual one.
        return 0.0;
    }
    canvas_grid::picture(&arranged(area, frame, (extras, runs), theme).0, shape(frame, (extras, runs), theme))
}

/// The canvases of runs, or what stands in their place.
fn pictures(
    ui: &mut Ui,
    frame: &Frame,
    theme: &Theme,
    (extras, runs, area): (&Extras, &[usize], Rect),
    plots: &mut PlotsOf,
) {
    if let Some(tab) = views::instead_of_canvases(frame) {
        within_tab(ui, tab, area, |ui| plot_instead(ui, frame, theme, (tab, extras, runs), plots));
        return;
    }
    let strip = warnings::any(frame, runs);
    let (cells, shown) = arranged(area, frame, (extras, runs), theme);
    for (number, (cell, runs)) in cells.into_iter().zip(shown).enumerate() {
        let (id, name) = (format!("canvas {number}"), canvas_name(frame, theme, &runs));
        within_named(ui, (&id, &name), cell, |ui| one_canvas(ui, frame, theme, (extras, strip, &runs), plots));
    }
}

/// A canvas by the names of its runs.
fn canvas_name(frame: &Frame, theme: &Theme, runs: &[usize]) -> String {
    let names =
        runs.iter().filter_map(|run| Some(written::plain_name_of(theme, *run, &frame.runs.get(*run)?.plan.name)));
    format!("canvas of {}", names.collect::<Vec<_>>().join(", "))
}

/// The cells of the canvases in an area, and the runs on each.
fn arranged(
    area: Rect,
    frame: &Frame,
    (extras, runs): (&Extras, &[usize]),
    theme: &Theme,
) -> (Vec<Rect>, Vec<Vec<usize>>) {
    let shown = match extras.view.layout {
        Some(Arrangement::Overlaid) => vec![runs.to_vec()],
        _ => runs.iter().map(|run| vec![*run]).collect(),
    };
    (cells(area, shown.len(), theme.space(GAP), shape(frame, (extras, runs), theme)), shown)
}

fn shape(frame: &Frame, (extras, runs): (&Extras, &[usize]), theme: &Theme) -> canvas_grid::Shape {
    let (layers, strip) = (extras.layers, warnings::any(frame, runs));
    canvas::shape(frame, Some(extras.area(frame)), (layers, strip), theme)
}

/// The plot of a tab in the place of the canvases of some runs.
fn plot_instead(
    ui: &mut Ui,
    frame: &Frame,
    theme: &Theme,
    (tab, extras, runs): (Tab, &Extras, &[usize]),
    plots: &mut PlotsOf,
) {
    drop(plots.tab(tab).show(ui, &extras.context(frame, runs), theme));
}

/// The number of seeds that a picture is of.
pub(super) fn seeds(options: &ExportOptions, extras: &Extras) -> u64 {
    let Picture::Plot(tab) = options.picture else { return 1 };
    match tab.study {
        StudyUse::Nothing => 1,
        StudyUse::Sweep => extras.sweep.as_ref().map_or(1, |swept| swept.plan.sweep().seeds),
        StudyUse::ChosenMeasure | StudyUse::TruthMeasures => extras.repeats.len() as u64,
    }
}

/// Paints the footer at the lower edge and returns its top. Of its forms, it takes the longest that leaves space for the picture, and none where
/// the shortest leaves less than the least height.
fn footer(
    ui: &mut Ui,
    frame: &Frame,
    theme: &Theme,
    (options, extras, runs): (&ExportOptions, &Extras, &[usize]),
    (area, least): (Rect, f32),
) -> Option<f32> {
    let names_target = extras.layers.truth || !extras.view.hides_target();
    // Lines break at any space but this one: not within a number.
    let unbroken = |text: String| text.replace('\u{202f}', "\u{a0}");
    let galley = |text| ui.painter().layout(text, theme.small(), theme.faint, area.width());
    let [full, changed, last] =
        super::footer::texts(frame, (runs, seeds(options, extras)), (!options.parts.title, names_target)).map(unbroken);
    let fits = |galley: &Arc<Galley>| galley.size().y <= FOOTER * area.height();
    let forms = [full, changed].into_iter().map(galley);
    let galley = forms.into_iter().find(fits).unwrap_or_else(|| galley(last));
    let top = area.max.y - galley.size().y;
    if top - area.min.y < least {
        return None;
    }
    ui.painter().galley(pos2(area.min.x, top), galley, theme.faint);
    Some(top)
}
