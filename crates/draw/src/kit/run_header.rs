//! Header line above a plot: markers and names of the runs, key numbers or legend at the right.

use std::cmp::Reverse;

use egui::{Align, FontId, Id, Label, Layout, Response, RichText, Ui};

use super::legend::{self, Entry, Sample};
use super::{given_up, on_plots, run_marker, shortened, terms, told, written};
use crate::geometry::method_at;
use crate::theme::Theme;
use crate::words::{fit_remarks, markup, numbers};
use engine::scenario::practice;
use engine::session::{Frame, RunFrame};
use samplers::methods::Acceptance;
use samplers::schedules::Stage;

/// Space between a marker and its name, after the name, and between entries of a legend, in units of the theme.
const GAP: f32 = 1.5;
const AFTER: f32 = 2.5;
const APART: f32 = 3.0;

/// Shows names and markers of `runs`, and `notes` where there is space; a single run also shows its key numbers, unless its newest step is
/// not over: they would tell how it ends. `last` stays longest where there is little space.
pub fn show(
    ui: &mut Ui,
    frame: &Frame,
    runs: &[usize],
    theme: &Theme,
    (notes, over, last): (Vec<String>, bool, Option<String>),
) {
    let mut parts = if theme.look.details { notes } else { Vec::new() };
    if let [index] = runs
        && theme.look.details
        && over
    {
        parts.extend(frame.runs.get(*index).map(|run| key_numbers(frame, run)).unwrap_or_default());
    }
    parts.extend(last.filter(|_| theme.look.details));
    if !theme.labels.whole {
        return line(ui, frame, runs, theme, &theme.heading(), &parts);
    }
    // Canvases of a figure have as many of them as the one with the least space: what one says, all say.
    let most = Id::unique("most parts beside names of canvases");
    let known = given_up::known::<Reverse<usize>>(ui, most).map_or(usize::MAX, |Reverse(known)| known);
    parts.drain(..parts.len().saturating_sub(known));
    ui.data_mut(|data| data.insert_temp(Id::unique(PARTS), parts.len()));
    line(ui, frame, runs, theme, &theme.heading(), &parts);
    let shown = ui.data(|data| data.get_temp::<usize>(Id::unique(PARTS))).unwrap_or(0);
    if shown < parts.len() {
        given_up::give_up(ui, most, Reverse(shown));
    }
}

/// Name of the number of parts that stand beside the names that were drawn last.
const PARTS: &str = "parts beside names";

/// Shows names and markers of `runs` in `font`, and at the right end as many of `parts` as fit. The last parts stay longest.
pub fn line<T: AsRef<str>>(ui: &mut Ui, frame: &Frame, runs: &[usize], theme: &Theme, font: &FontId, parts: &[T]) {
    let entries = parts.iter().map(|part| Entry::new(Sample::None, part.as_ref())).collect::<Vec<_>>();
    with_legend(ui, frame, runs, theme, font, &entries);
}

/// Shows names and markers of `runs`, and a legend at the right end. On paper, where nothing can be pointed at, names and samples take as
/// many lines as they need.
pub(crate) fn with_legend(ui: &mut Ui, frame: &Frame, runs: &[usize], theme: &Theme, font: &FontId, parts: &[Entry]) {
    if !theme.labels.legends {
        if theme.look.letter.is_some() {
            ui.horizontal(|ui| letter(ui, theme));
        }
        return;
    }
    let top = ui.cursor().top();
    let named = |run: usize| Some((run, written::name_of(theme, run, &frame.runs.get(run)?.plan.name)));
    let names: Vec<(usize, String)> = runs.iter().filter_map(|&run| named(run)).collect();
    let waits = on_plots::wait(ui, theme, &names);
    if waits && parts.is_empty() {
        // The letter of the panel is beside the plot.
        return;
    }
    let names = if waits { Vec::new() } else { names };
    let before = letter_width(ui, theme);
    let names = if theme.labels.whole { names } else { short_names(ui, theme, (names, before), font) };
    let alike = of_one_size(ui, theme, font);
    let rows = if theme.labels.whole { rows(ui, theme, (&names, before), &alike) } else { vec![(&names[..], 0.0)] };
    let taken = rows.last().map_or(0.0, |(_, width)| *width);
    let (beside, below) = beside_and_below(ui, theme, parts, taken);
    let usual = ui.spacing().item_spacing.y;
    for (number, (row, _)) in rows.iter().enumerate() {
        // Rows of names belong together.
        ui.spacing_mut().item_spacing.y = if number + 1 < rows.len() { 0.0 } else { usual };
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = theme.space(GAP);
            if number == 0 {
                letter(ui, theme);
            }
            for (index, name) in *row {
                run_marker::show_named(ui, theme, theme.run(*index));
                let shown = heading(ui, theme, name, font);
                if let Some((_, whole)) = named(*index).filter(|(_, whole)| whole != name) {
                    shortened::tell_whole(ui, shown, &markup::plain(&whole));
                }
                ui.add_space(theme.space(AFTER - GAP));
            }
            if number + 1 == rows.len() {
                at_end(ui, theme, &beside);
            }
        });
    }
    if !below.is_empty() {
        legend::line(ui, theme, &below);
    }
    if theme.labels.whole {
        note_height(ui, top);
    }
}

/// What rounding to pixels may add to the width of a name, in points.
const ROUNDING: f32 = 1.0;

/// Names for a line of a screen, in which all have space with their markers: a second line would push the plot down. Long ones are without
/// their middle, and then without markup.
fn short_names(
    ui: &Ui,
    theme: &Theme,
    (names, before): (Vec<(usize, String)>, f32),
    font: &FontId,
) -> Vec<(usize, String)> {
    let widths: Vec<f32> = names.iter().map(|(_, name)| written::galley(ui, name, font, theme.ink).size().x).collect();
    let markers: f32 =
        names.iter().map(|(_, name)| width_of_name(ui, theme, name, font)).sum::<f32>() - widths.iter().sum::<f32>();
    let most = shortened::fair(&widths, ui.available_width() - before - markers - ROUNDING * widths.len() as f32);
    let short = |((run, name), wide): ((usize, String), f32)| match wide > most {
        true => (run, markup::escaped(&shortened::shortened(ui, &markup::plain(&name), font, most))),
        false => (run, name),
    };
    names.into_iter().zip(widths).map(short).collect()
}

/// Name of the size of letters of the names above panels, once one of them has no space for its own.
const SIZE: &str = "letters of names above panels";

/// The font of a head. All heads of a figure have one size: that of its text, or where one of them has no space for it that of the smallest.
fn of_one_size(ui: &Ui, theme: &Theme, font: &FontId) -> FontId {
    if !theme.labels.whole {
        return font.clone();
    }
    let usual = theme.strong().size;
    let size = given_up::known::<Reverse<f32>>(ui, Id::unique(SIZE)).map_or(usual, |Reverse(known)| known.min(usual));
    FontId::new(size, font.family.clone())
}

/// A name of a run. On paper, where nothing can be pointed at, one that is too long has smaller letters, with those of other panels, and if
/// need be several lines.
fn heading(ui: &mut Ui, theme: &Theme, name: &str, font: &FontId) -> Response {
    /// Sizes of letters, as shares of the usual one.
    const SIZES: [f32; 3] = [0.9, 0.8, 0.7];
    /// Most lines.
    const LINES: f32 = 3.0;
    let label = |font: &FontId| Label::new(written::text(name, font, theme.ink)).selectable(false);
    let room = ui.available_width();
    let width = |font: &FontId| written::galley(ui, name, font, theme.ink).size().x;
    let alike = of_one_size(ui, theme, font);
    let smaller = SIZES.map(|share| share * theme.strong().size).into_iter().filter(|size| *size < alike.size);
    let smaller: Vec<f32> = smaller.filter(|_| theme.labels.whole).collect();
    let sized = |size: f32| FontId::new(size, font.family.clone());
    let fonts: Vec<FontId> = std::iter::once(alike.clone()).chain(smaller.into_iter().map(sized)).collect();
    let found = fonts.iter().find(|font| width(font) <= room);
    let least = fonts.last().unwrap_or(font);
    let taken = found.unwrap_or(least);
    if theme.labels.whole && taken.size < alike.size {
        given_up::give_up(ui, Id::unique(SIZE), Reverse(taken.size));
    }
    if let Some(font) = found {
        return ui.add(label(font).truncate());
    }
    // Lines are not full, as words are not broken.
    if theme.labels.whole && 1.3 * width(least) <= LINES * room {
        return ui.add(label(least).wrap());
    }
    if theme.labels.whole {
        told::warn(ui, format!("There is no space for the whole name \"{}\" above its plot", markup::plain(name)));
    }
    ui.add(label(least).truncate())
}

/// The width of the letter that a panel still gets, with the gap after it.
fn letter_width(ui: &Ui, theme: &Theme) -> f32 {
    let letter = theme.look.letter.as_ref().filter(|_| !has_letter(ui));
    let font = of_one_size(ui, theme, &theme.heading());
    let width = |letter: &String| written::galley(ui, letter, &font, theme.ink).size().x + theme.space(GAP);
    letter.map_or(0.0, width)
}

/// Key in the memory of egui: whether the panel has its letter.
const LETTER: &str = "letter of the panel";

/// The letter of the panel that is drawn, where it has one that is not there yet.
fn letter(ui: &mut Ui, theme: &Theme) {
    let Some(letter) = theme.look.letter.as_ref().filter(|_| !has_letter(ui)) else { return };
    let font = of_one_size(ui, theme, &theme.heading());
    ui.add(Label::new(RichText::new(letter).font(font).color(theme.ink)).selectable(false));
    ui.data_mut(|data| data.insert_temp(Id::unique(LETTER), true));
}

/// A line with the letter of a panel that has no other header, if it has a letter.
pub(crate) fn letter_alone(ui: &mut Ui, theme: &Theme) {
    if theme.look.letter.is_some() {
        ui.horizontal(|ui| letter(ui, theme));
    }
}

/// Whether the letter of a panel has been drawn since it was forgotten.
pub(crate) fn has_letter(ui: &Ui) -> bool {
    ui.data(|data| data.get_temp(Id::unique(LETTER))).unwrap_or(false)
}

/// Begins a panel, whose letter is still to be drawn.
pub(crate) fn forget_letter(ui: &Ui) {
    ui.data_mut(|data| data.insert_temp(Id::unique(LETTER), false));
}

/// Name of the height of a header among what egui keeps from frame to frame.
const HEIGHT: &str = "height of the header";

/// Notes the height of the header that began at `top`, for plots below each other of which the first has the header.
pub(crate) fn note_height(ui: &Ui, top: f32) {
    let height = ui.cursor().top() - top;
    ui.data_mut(|data| data.insert_temp(Id::unique(HEIGHT), height));
}

/// The height of the header that was drawn last.
#[must_use]
pub fn height(ui: &Ui) -> Option<f32> {
    ui.data(|data| data.get_temp(Id::unique(HEIGHT)))
}

/// Shows a title of something that is no run, and a legend at the right end; on paper samples take as many lines as they need.
pub(crate) fn titled(ui: &mut Ui, title: &str, theme: &Theme, font: &FontId, parts: &[Entry]) {
    let font = &of_one_size(ui, theme, font);
    let width = ui.painter().layout_no_wrap(title.to_owned(), font.clone(), theme.ink).size().x;
    let (beside, below) = beside_and_below(ui, theme, parts, width);
    ui.horizontal(|ui| {
        letter(ui, theme);
        ui.add(Label::new(RichText::new(title).font(font.clone()).color(theme.ink)).truncate().selectable(false));
        at_end(ui, theme, &beside);
    });
    if !below.is_empty() {
        legend::line(ui, theme, &below);
    }
}

/// The width of the names of runs with their markers in one line, behind the letter of the panel.
pub(crate) fn width(ui: &Ui, theme: &Theme, names: &[String]) -> f32 {
    let letter = theme.look.letter.as_ref();
    let font = of_one_size(ui, theme, &theme.heading());
    let letter = letter.map_or(0.0, |letter| written::galley(ui, letter, &font, theme.ink).size().x);
    letter + names.iter().map(|name| width_of_name(ui, theme, name, &font)).sum::<f32>() + theme.space(GAP)
}

/// The width of a name with its marker and the space after it.
fn width_of_name(ui: &Ui, theme: &Theme, name: &str, font: &FontId) -> f32 {
    run_marker::width(theme) + theme.space(GAP + AFTER + GAP) + written::galley(ui, name, font, theme.ink).size().x
}

/// Runs with their names in rows that fit the width there is, each with its own width; `before` is taken in the first row.
fn rows<'a>(
    ui: &Ui,
    theme: &Theme,
    (names, before): (&'a [(usize, String)], f32),
    font: &FontId,
) -> Vec<(&'a [(usize, String)], f32)> {
    let available = ui.available_width();
    let width = |name: &str| width_of_name(ui, theme, name, font);
    let (mut rows, mut first, mut taken) = (Vec::new(), 0, before);
    for (number, (_, name)) in names.iter().enumerate() {
        let wide = width(name);
        if number > first && taken + wide > available {
            rows.push((&names[first..number], taken));
            (first, taken) = (number, 0.0);
        }
        taken += wide;
    }
    rows.push((&names[first..], taken));
    rows
}

/// The entries that stand beside a line of which so much is taken, and those below it. Entries with a sample are below where they do not
/// fit on paper; on a screen all are beside it, as far as they fit.
fn beside_and_below(ui: &Ui, theme: &Theme, parts: &[Entry], taken: f32) -> (Vec<Entry>, Vec<Entry>) {
    if !theme.labels.whole {
        return (parts.to_vec(), Vec::new());
    }
    let wide = |part: &Entry| {
        let text = ui.painter().layout_no_wrap(part.text.clone(), theme.small(), theme.soft).size().x;
        text + legend::width(theme, part) + theme.space(APART)
    };
    if taken + parts.iter().map(wide).sum::<f32>() <= ui.available_width() {
        return (parts.to_vec(), Vec::new());
    }
    parts.iter().cloned().partition(|part| part.sample.is_text())
}

/// As many entries of a legend as fit, at the right end of a line.
fn at_end(ui: &mut Ui, theme: &Theme, parts: &[Entry]) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = theme.space(APART);
        let mut shown = 0_usize;
        for part in parts.iter().rev() {
            let ink = legend::ink(theme, part);
            let galley = ui.painter().layout_no_wrap(part.text.clone(), theme.small(), ink);
            let sample = legend::width(theme, part);
            if galley.size().x + sample > ui.available_width() {
                break;
            }
            let label = ui.add(Label::new(galley).selectable(false));
            let whole = label.rect.with_min_x(label.rect.left() - sample);
            terms::painted(ui, theme, (whole, &part.text), &part.text, legend::otherwise(part.sample));
            if sample > 0.0 {
                // The name comes first: the layout fills the line from its right end.
                ui.add_space(theme.space(1.5) - ui.spacing().item_spacing.x);
                legend::show(ui, theme, part.sample);
            }
            shown += 1;
        }
        ui.data_mut(|data| data.insert_temp(Id::unique(PARTS), shown));
    });
}

/// Cycle and stage, acceptance, draws, step size, the most important last; for an approximation its state and its ELBO or log evidence.
fn key_numbers(frame: &Frame, run: &RunFrame) -> Vec<String> {
    if run.fits.is_some() {
        return fit_remarks::headline(run, frame.target.as_ref());
    }
    let mut parts = Vec::new();
    if let Some(cycle) = run.cycle {
        let stage = if run.stage == Stage::Sampling { "sampling" } else { "exploring" };
        parts.push(format!("cycle {} · {stage}", numbers::count(cycle + 1)));
    }
    if let Some(rate) = run.acceptance.rate() {
        parts.push(format!("mean acceptance {}", numbers::percent(rate)));
    }
    parts.extend(swapped(&run.swaps));
    parts.push(match run.collected {
        1 => "1 draw".to_owned(),
        collected => format!("{} draws", numbers::count(collected)),
    });
    // Every chain of an adapted run has a step size of its own.
    let size = match run.plan.adapts() {
        true => Some(format!("h {} in chain 1", numbers::significant(run.step_size(0, run.step.max(1)), 3))),
        false => step_symbol(frame, run).map(|symbol| format!("{symbol} {}", numbers::significant(run.alpha, 3))),
    };
    parts.extend(size);
    let trajectory = run.records.first().and_then(|record| record.trajectory.as_deref());
    let left = trajectory.and_then(|of| of.warm_up_left).filter(|left| *left > 0);
    parts.extend(left.map(|left| format!("warm-up, {} steps left", numbers::count(left))));
    parts
}

/// The rates of exchanges of neighbouring replicas, the lowest and the highest.
fn swapped(swaps: &[Acceptance]) -> Option<String> {
    let rates: Vec<f64> = swaps.iter().filter_map(Acceptance::rate).collect();
    let (low, high) = rates.iter().fold((1.0_f64, 0.0_f64), |(low, high), rate| (low.min(*rate), high.max(*rate)));
    let (low, high) = (numbers::percent(low), numbers::percent(high));
    (!rates.is_empty())
        .then(|| if low == high { format!("{low} exchanged") } else { format!("{low} to {high} exchanged") })
}

/// Symbol of the step size at a run's newest step: α, h for a time step, ρ for a share; `None` if the method has no step size.
#[must_use]
pub fn step_symbol(frame: &Frame, run: &RunFrame) -> Option<&'static str> {
    step_symbol_at(frame, run, run.step)
}

/// The same at another step.
pub(crate) fn step_symbol_at(frame: &Frame, run: &RunFrame, step: u64) -> Option<&'static str> {
    practice::step_symbol(method_at(frame, run, step)?)
}

#[cfg(test)]
mod tests {
    use egui::vec2;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;

    use super::*;
    use crate::testing::{Fake, Recipe, frame};
    use engine::scenario::Lesson;

    /// A name above a canvas that has no space for usual letters makes those above all panels of its figure as small, and no row wraps that fits then.
    #[test]
    fn names_above_panels_have_letters_of_one_size() {
        const LONG: &str = "A name without space";
        let recipe = Recipe { name: LONG, chains: 1, steps: 3, total: 10, alpha: 0.004, cycle: 0 };
        let made = frame(Fake::grid(), &[recipe, Recipe { name: "B", ..recipe }, Recipe { name: "C", ..recipe }]);
        let mut look = Theme::default();
        look.labels.whole = true;
        look.look.panel = Some(crate::theme::PanelLook::default());
        let draw = |ui: &mut Ui| {
            let part = |ui: &mut Ui, left: f32, width: f32, runs: &[usize], font: &FontId| {
                let area = egui::Rect::from_min_size(egui::pos2(left, 5.0), vec2(width, 100.0));
                let inside = egui::UiBuilder::new().id_salt(runs).max_rect(area);
                ui.scope_builder(inside, |ui| line::<&str>(ui, &made, runs, &look, font, &[]));
            };
            part(ui, 0.0, 155.0, &[0], &look.heading());
            part(ui, 200.0, 100.0, &[1], &look.heading());
            part(ui, 400.0, 400.0, &[2], &look.strong());
        };
        let size = figure::FigureSize::new(900, 120, 1.0).unwrap();
        let texts = figure::lay_out(size, crate::theme::install_fonts, draw).unwrap().texts();
        let height = |name: &str| texts.iter().find(|text| text.text == name).unwrap().rect.height();
        let heights = [LONG, "B", "C"].map(height);
        // Of capitals, whose heights are rounded to pixels; the long name has a letter below the line.
        assert!((heights[1] - heights[2]).abs() <= 1.0, "{heights:?}");
        assert!(heights[0] < look.strong().size * 1.25, "{heights:?}");
    }

    /// Heads of canvases and of plots, and letters, have the size of text where all have space.
    #[test]
    fn heads_of_a_figure_have_the_size_of_its_text() {
        let recipe = Recipe { name: "H", chains: 1, steps: 3, total: 10, alpha: 0.004, cycle: 0 };
        let made = frame(Fake::grid(), &[recipe]);
        let mut look = Theme::default();
        look.labels.whole = true;
        look.look.letter = Some("H".to_owned());
        let draw = |ui: &mut Ui| {
            for font in [look.heading(), look.strong()] {
                forget_letter(ui);
                line::<&str>(ui, &made, &[0], &look, &font, &[]);
            }
            forget_letter(ui);
            titled(ui, "H", &look, &look.heading(), &[]);
        };
        let size = figure::FigureSize::new(300, 200, 1.0).unwrap();
        let texts = figure::lay_out(size, crate::theme::install_fonts, draw).unwrap().texts();
        let heights: Vec<f32> = texts.iter().map(|text| text.rect.height()).collect();
        assert_eq!(heights.len(), 6, "{texts:?}");
        assert!(heights.iter().all(|height| (height - heights[0]).abs() < 0.1), "{heights:?}");
    }

    /// Where there is space for one number, it is the step size.
    #[test]
    fn the_step_size_stays_longest_beside_a_name() {
        let recipe = Recipe { name: "Random walk", chains: 1, steps: 300, total: 1000, alpha: 0.004, cycle: 0 };
        let mut made = frame(Fake::grid(), &[recipe]);
        made.scenario = std::sync::Arc::new(Lesson::find("random-walk").unwrap().scenario().unwrap());
        let look = Theme::default();
        let texts = |width: u32| {
            let size = figure::FigureSize::new(width, 60, 1.0).unwrap();
            let draw = |ui: &mut Ui| show(ui, &made, &[0], &look, (Vec::new(), true, None));
            let texts = figure::lay_out(size, crate::theme::install_fonts, draw).unwrap().texts();
            ["draws", "α"].map(|part| texts.iter().any(|text| text.text.contains(part)))
        };
        assert_eq!(texts(600), [true, true]);
        let narrow: Vec<[bool; 2]> = (60..600).step_by(20).map(texts).collect();
        assert!(narrow.contains(&[false, true]) && !narrow.contains(&[true, false]), "{narrow:?}");
    }

    /// Eight names that begin alike, in a line that has no space for them: each has its marker, its beginning and its end, and is read whole.
    #[test]
    fn all_runs_have_markers_and_names_that_can_be_told_apart() {
        const WIDTH: f32 = 1000.0;
        const NAMES: [&str; 8] = [
            "A run with a long name 1",
            "A run with a long name 2",
            "A run with a long name 3",
            "A run with a long name 4",
            "A run with a long name 5",
            "A run with a long name 6",
            "A run with a long name 7",
            "A run with a long name 8",
        ];
        let made = frame(
            Fake::grid(),
            &NAMES.map(|name| Recipe { name, chains: 1, steps: 3, total: 10, alpha: 0.004, cycle: 0 }),
        );
        let look = Theme::default();
        let builder = Harness::builder().with_size(vec2(WIDTH, 60.0)).with_context_setup(crate::theme::install_fonts);
        let mut window = builder.build_ui(move |ui| {
            crate::theme::apply(ui.ctx(), &look);
            line(ui, &made, &[0, 1, 2, 3, 4, 5, 6, 7], &look, &look.strong(), &["a note"]);
        });
        window.run_steps(2);
        let painted = format!("{:?}", window.output().shapes);
        for (number, name) in NAMES.iter().enumerate() {
            assert!(window.get_by_label(name).rect().right() <= WIDTH, "{name}");
            assert!(painted.contains(&format!("e {}\"", number + 1)), "{name}");
        }
        assert!(painted.contains('…') && !painted.contains("long name"));
    }
}
