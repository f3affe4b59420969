//! The step of each run in a column: what it does in a sentence, its formula, and its lines with their numbers.

use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{
    Align, Color32, FontFamily, FontId, Frame as Card, Id, Label, Layout, Margin, RichText, ScrollArea, Ui, UiBuilder,
    vec2,
};

use super::formulas::{Step, lit_background, rows};
use super::head;
use super::input::{CHAIN, StepInput, StepResponse};
use super::lines::Lines;
use crate::geometry::{Reveal, algorithm_of, numbers_of_line, stages};
use crate::kit::{terms, told};
use crate::theme::{Scale, Theme};
use crate::views::StepOf;
use samplers::methods::{Line, Phase};

/// The least width of a column, in units of the theme.
const COLUMN: f32 = 70.0;

/// Space between columns, in units of the theme.
const GAP: f32 = 4.0;

/// The share of the width that sentence and formulas take beside the lines, which are longer.
const ABOUT: f32 = 0.42;

/// The sizes of type before an audience and on paper, as shares of the usual one, the largest first; and how much more space a step is given
/// than was measured before an audience, since its formulas do not break within a term.
const SMALLER: [f32; 6] = [0.9, 0.8, 0.72, 0.65, 0.58, 0.53];
const SPARE: f32 = 1.12;

/// The share of the height that sentence and formulas may take above lines that scroll.
const FIXED: f32 = 0.5;

/// Width of the numbers of lines, in units of the theme, and the margin around a line, in points.
const NUMBERS: f32 = 6.0;
const AROUND_LINE: Margin = Margin { left: 2, right: 2, top: 1, bottom: 1 };

/// Shows the steps beside each other, or that of one run with a switch where they are not all in sight.
pub(super) fn show(ui: &mut Ui, cx: &StepInput<'_>, theme: &Theme) -> StepResponse {
    let fitted = fitted(ui, cx, theme);
    let theme = fitted.as_ref().unwrap_or(theme);
    let cx = &on_paper(ui, cx, theme);
    let gap = theme.space(GAP);
    let count = cx.runs.len().max(1) as f32;
    let width = (ui.available_width() - gap * (count - 1.0)) / count;
    let wide = width >= theme.space(COLUMN);
    let fits = |run: &usize| height(ui, cx, theme, (*run, width)) <= ui.available_height();
    let mut pointed = None;
    let named = cx.runs.len() < 2 || wide && cx.runs.iter().all(fits);
    let mut step_of = StepOf { alone: None, ..cx.step_of };
    let runs = if named {
        cx.runs.to_vec()
    } else {
        step_of = head::switch(ui, cx, theme);
        step_of.alone.into_iter().collect()
    };
    let count = runs.len().max(1) as f32;
    let width = (ui.available_width() - gap * (count - 1.0)) / count;
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = gap;
        for &run in &runs {
            let layout = Layout::top_down(Align::Min);
            ui.scope_builder(UiBuilder::new().id_salt(("step of", run)).layout(layout), |ui| {
                ui.set_width(width);
                pointed = column(ui, cx, theme, (run, named)).or(pointed);
            });
        }
    });
    StepResponse { pointed, step_of }
}

/// The theme with smaller type, where the step does not fit before an audience or on paper, which tells it; `None` where it does.
fn fitted(ui: &Ui, cx: &StepInput<'_>, theme: &Theme) -> Option<Theme> {
    let run = cx.step_of.chosen.filter(|run| cx.runs.contains(run)).or(cx.runs.first().copied())?;
    let paper = theme.labels.whole;
    if theme.scale != Scale::Present && !paper {
        return None;
    }
    let width = ui.available_width();
    let spare = if paper { 1.0 } else { SPARE };
    let fits = |theme: &Theme| {
        let switch = if cx.runs.len() > 1 { 2.0 * theme.text.body } else { 0.0 };
        spare * height(ui, cx, theme, (run, width)) + switch <= ui.available_height()
    };
    if fits(theme) {
        return None;
    }
    if paper {
        told::warn(ui, "The step has smaller letters than the figure, so that it has space".to_owned());
    }
    let smaller = SMALLER.map(|share| theme.smaller(share));
    smaller.iter().find(|theme| fits(theme)).or(smaller.last()).cloned()
}

/// On paper, without lines where these have no space, which it tells.
fn on_paper<'a>(ui: &Ui, cx: &StepInput<'a>, theme: &Theme) -> StepInput<'a> {
    let cut = |run: &usize| height(ui, cx, theme, (*run, ui.available_width())) > ui.available_height();
    if !theme.labels.whole || cx.lines == Lines::Hidden || !cx.runs.iter().any(cut) {
        return *cx;
    }
    told::warn(ui, "There is no space for the lines of the step".to_owned());
    StepInput { lines: Lines::Hidden, ..*cx }
}

/// The height of a column of some width in which nothing is cut: the head, the summary, the formulas, and the lines in small type.
fn height(ui: &Ui, cx: &StepInput<'_>, theme: &Theme, (number, width): (usize, f32)) -> f32 {
    let (about, lines) = heights(ui, cx, theme, (number, width));
    let head = theme.text.body * 1.5;
    let rest = if stands_beside(cx, theme, width) { f32::max(about, lines) } else { about + lines + theme.space(1.0) };
    head + rest
}

/// Whether lines stand beside sentence and formulas in a column of some width.
fn stands_beside(cx: &StepInput<'_>, theme: &Theme, width: f32) -> bool {
    cx.lines != Lines::Hidden && width >= 2.0 * theme.space(COLUMN)
}

/// The heights of sentence and formulas, and of the lines in small type, in a column of some width.
fn heights(ui: &Ui, cx: &StepInput<'_>, theme: &Theme, (number, width): (usize, f32)) -> (f32, f32) {
    let found = cx.frame.runs.get(number).and_then(|run| Some((run, algorithm_of(cx.frame, run)?)));
    let Some((run, algorithm)) = found else { return (0.0, 0.0) };
    let gap = theme.space(1.0);
    let tall = |text: String, font: FontId, width: f32| {
        let job = LayoutJob::simple(text, font, theme.ink, width);
        ui.painter().layout_job(job).size().y
    };
    let [about, lines] = if stands_beside(cx, theme, width) {
        [ABOUT, 1.0 - ABOUT].map(|share| share * (width - theme.space(GAP)))
    } else {
        [width; 2]
    };
    let mut words = gap + tall(algorithm.summary.to_owned(), theme.body(), about);
    if cx.formula {
        for pieces in &algorithm.formulas {
            let row = tall("θ".to_owned(), theme.heading(), about);
            words += rows(ui, pieces, &theme.heading(), about).len() as f32 * row + gap;
        }
    }
    let dimension = cx.frame.target.info().dimension;
    // All parts of a step have letters of one size.
    let parts = if cx.stage.is_some() { stages(algorithm, run.records.get(CHAIN)) } else { Vec::new() };
    let line = |(index, line): (usize, &Line)| {
        let told = |stage| numbers_of_line(algorithm, (run, CHAIN, dimension), (index, stage));
        let longest = parts.iter().filter_map(|stage| told(Some(stage))).max_by_key(|text| text.chars().count());
        let numbers = longest.or_else(|| told(None)).unwrap_or_default();
        let (text, font) = match cx.lines {
            Lines::Code => (format!("{}\n{numbers}", line.code), mono(theme)),
            _ => (format!("{}  {numbers}", line.words), theme.small()),
        };
        tall(text, font, lines - theme.space(NUMBERS)) + f32::from(2 * AROUND_LINE.top)
    };
    let told = if cx.lines == Lines::Hidden { 0.0 } else { algorithm.lines.iter().enumerate().map(line).sum() };
    (words, told)
}

/// The step of a run, with its name unless that stands above.
fn column(ui: &mut Ui, cx: &StepInput<'_>, theme: &Theme, (number, named): (usize, bool)) -> Option<Phase> {
    let run = cx.frame.runs.get(number)?;
    let algorithm = algorithm_of(cx.frame, run)?;
    let reveal = Reveal::of(Some(algorithm), run.records.get(CHAIN), cx.stage, cx.phase);
    ui.spacing_mut().item_spacing = vec2(theme.space(1.0), theme.space(1.0));
    let head = |ui: &mut Ui| head::show(ui, cx, theme, (run, named.then_some(number)));
    let mut step = Step {
        theme,
        algorithm,
        run,
        reveal,
        dimension: cx.frame.target.info().dimension,
        moved: moved(ui, number, cx.stage, run.step),
        height: ui.available_height(),
        pointed: None,
    };
    let lines = (cx.lines != Lines::Hidden).then_some(cx.lines == Lines::Code);
    let about = |step: &mut Step<'_>, ui: &mut Ui| {
        terms::text(ui, theme, algorithm.summary, (theme.body(), theme.soft));
        if cx.formula {
            step.formulas(ui);
        }
    };
    match lines {
        Some(code) if ui.available_width() >= 2.0 * theme.space(COLUMN) => {
            head(ui);
            step.height = ui.available_height();
            let (whole, gap) = (ui.available_width(), theme.space(GAP));
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = gap;
                let side = |ui: &mut Ui, salt: &str, width: f32, add: &mut dyn FnMut(&mut Ui)| {
                    let layout = UiBuilder::new().id_salt(salt).layout(Layout::top_down(Align::Min));
                    ui.scope_builder(layout, |ui| {
                        ui.set_width(width);
                        ui.spacing_mut().item_spacing.x = theme.space(1.0);
                        add(ui);
                    });
                };
                side(ui, "about", ABOUT * (whole - gap), &mut |ui| {
                    scrolled(ui, "about", |ui| about(&mut step, ui));
                });
                side(ui, "lines", (1.0 - ABOUT) * (whole - gap), &mut |ui| {
                    scrolled(ui, "lines", |ui| step.lines(ui, code));
                });
            });
        }
        lines => {
            head(ui);
            step.height = ui.available_height();
            let (about_height, _) = heights(ui, cx, theme, (number, ui.available_width()));
            let fixed = lines.is_some() && about_height <= FIXED * step.height;
            if fixed {
                about(&mut step, ui);
                step.height = ui.available_height();
            }
            scrolled(ui, "step", |ui| {
                if !fixed {
                    about(&mut step, ui);
                }
                if let Some(code) = lines {
                    step.lines(ui, code);
                }
            });
        }
    }
    step.pointed
}

/// What is higher than the space there is scrolls.
fn scrolled(ui: &mut Ui, salt: &str, add: impl FnOnce(&mut Ui)) {
    /// Opacity of a bar that the pointer is not near.
    const AT_REST: f32 = 0.5;
    // The bar stands beside the text, not over it, and is there to be seen.
    let bar = &mut ui.spacing_mut().scroll;
    bar.floating_width = bar.floating_width.max(0.5 * bar.bar_width);
    bar.floating_allocated_width = bar.floating_width;
    bar.dormant_handle_opacity = bar.dormant_handle_opacity.max(AT_REST);
    ScrollArea::vertical().id_salt(salt).auto_shrink(false).show(ui, add);
}

impl Step<'_> {
    /// The lines, with what they come to.
    fn lines(&mut self, ui: &mut Ui, code: bool) {
        let theme = self.theme;
        let algorithm = self.algorithm;
        // The last lines say how the step ends: if they have no space, all are in small type.
        ui.spacing_mut().item_spacing.y = 0.0;
        let left = self.height - (ui.cursor().top() - ui.min_rect().top());
        let width = ui.available_width() - theme.space(NUMBERS);
        let tall = |(number, line)| {
            let job = self.line((number, line), code, false);
            let job = LayoutJob { wrap: TextWrapping::wrap_at_width(width), ..job };
            ui.painter().layout_job(job).size().y + f32::from(2 * AROUND_LINE.top)
        };
        let small = algorithm.lines.iter().enumerate().map(tall).sum::<f32>() > left;
        for (number, line) in algorithm.lines.iter().enumerate() {
            let lit = self.reveal.lights_line(number, line.phase);
            let fill = if lit { lit_background(theme) } else { Color32::TRANSPARENT };
            let card = Card::new().fill(fill).corner_radius(theme.space(0.5)).inner_margin(AROUND_LINE);
            let card = card.show(ui, |ui| {
                ui.set_width(ui.available_width());
                ui.horizontal_top(|ui| {
                    let colour = self.colour(line.phase);
                    ui.label(RichText::new(format!("{}", number + 1)).font(theme.strong()).color(colour));
                    let line = self.line((number, line), code, small);
                    if code {
                        ui.add(Label::new(line).wrap());
                    } else {
                        terms::job(ui, theme, line);
                    }
                });
            });
            if lit && self.moved {
                card.response.scroll_to_me(None);
            }
            self.point(card.response.contains_pointer(), line.phase);
        }
    }

    /// A line in words or as code, and what it comes to. What comes later in the step is not told yet, nor twice.
    fn line(&self, (number, line): (usize, &Line), code: bool, small: bool) -> LayoutJob {
        let theme = self.theme;
        let (text, font) = match (code, small) {
            (true, _) => (line.code.as_str(), mono(theme)),
            (false, true) => (line.words, theme.small()),
            (false, false) => (line.words, theme.body()),
        };
        let mut job = LayoutJob::simple(text.to_owned(), font, theme.ink, f32::INFINITY);
        let stage = self.reveal.stage.as_ref();
        let numbers = numbers_of_line(self.algorithm, (self.run, CHAIN, self.dimension), (number, stage));
        if let Some(numbers) = numbers.filter(|_| self.reveal.tells(number, line.phase)) {
            let format = TextFormat::simple(theme.small(), self.colour(line.phase));
            if code {
                job.append(&format!("\n{numbers}"), 0.0, format);
            } else {
                job.append(&numbers, theme.space(2.0), format);
            }
        }
        job
    }
}

/// Whether the stage of a run has changed in one of the last frames: a view that has just been opened, or is larger now, finds its place in
/// more than one.
fn moved(ui: &Ui, run: usize, stage: Option<usize>, step: u64) -> bool {
    const FRAMES: u8 = 8;
    let id = Id::unique(("stage of", run));
    let before = ui.data(|data| data.get_temp::<((Option<usize>, u64), u8)>(id));
    let left = match before {
        Some((at, left)) if at == (stage, step) => left.saturating_sub(1),
        _ => FRAMES,
    };
    ui.data_mut(|data| data.insert_temp(id, ((stage, step), left)));
    stage.is_some() && left > 0
}

fn mono(theme: &Theme) -> FontId {
    FontId::new(theme.text.small, FontFamily::Monospace)
}
