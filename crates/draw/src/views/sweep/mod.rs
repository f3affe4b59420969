//! Tab `map`: the sweep of a scenario: a map of a measure over two parameters, a map for each value of a third one, or a curve over one; the
//! Pareto front, and answers to questions. Without a sweep it offers one.

pub mod answers;
mod ask;
mod beside;
mod cell_grid;
pub mod curve;
pub mod front;
pub mod geometry;
mod input;
pub mod map;
pub mod words;

use egui::{Button, ComboBox, Label, ProgressBar, Rect, Ui, UiBuilder, pos2, vec2};

use super::controls::option;
use super::controls::study::{LOOK, PROGRESS};
use super::{PlotContext, PlotTab, StudyUse, SweepOptions, SweepPictures, TabAction, TabResponse, TabSpec};
use crate::theme::Theme;
use crate::views::study_action::StudyAction;
use crate::words::word::Word;
use engine::scenario::Sweep;
use engine::scenario::view::{options, tabs};
use engine::session::Frame;

use ask::Draft;
pub(crate) use input::GESTURES;
pub use input::Part;
use input::{SweepInput, SweepResponse};

/// Widths of the lists of measures and of their parts, in units of the theme.
const MEASURES: f32 = 44.0;
const PARTS: f32 = 34.0;

/// The part of the width that answers take, their least width, and the width of the tab from which on they stand beside the
/// pictures, in sizes of body text.
const ANSWERS: f32 = 0.27;
const LEAST: f32 = 16.0;
const WIDE: f32 = 46.0;

/// How many times as high as other plots maps are: they have as much to show as a canvas.
const AS_A_CANVAS: f32 = 1.25;

/// The part of the height that answers take below the pictures.
const BELOW: f32 = 0.3;

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::MAP,
    by_coordinate: super::no_coordinate,
    study: StudyUse::Sweep,
    of_truth: false,
    beside: false,
    applies: |_| true,
    make: || Box::<Map>::default(),
};

#[derive(Debug, Default)]
struct Map {
    /// The cell that the pointer was at in the last frame.
    pointed: Option<usize>,
    /// The question that is being asked.
    draft: Option<Draft>,
}

impl PlotTab for Map {
    /// Cells come with the sweep; a question that is being asked is kept here.
    fn outlasts_target(&self) -> bool {
        true
    }

    fn height(&self, frame: &Frame) -> f32 {
        if frame.scenario.sweep.is_some() { AS_A_CANVAS } else { 1.0 }
    }

    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut response = TabResponse::default();
        let Some(plan) = cx.sweep.plan else { return without_cells(ui, cx, theme) };
        let sweep = plan.sweep();
        let scenario = cx.edited.unwrap_or(&cx.frame.scenario);
        let run = scenario.run_index(&sweep.run);
        let value = |path: &str| scenario.number_at(&sweep.run, path)?.value;
        let present: Vec<Option<f64>> = sweep.axes.iter().map(|axis| value(&axis.parameter)).collect();
        let measure = number_of(sweep, cx.options.sweep);
        let part = part_of(sweep.measures[measure], cx.options.sweep);
        let input = SweepInput {
            plan,
            cells: cx.sweep.cells,
            findings: cx.sweep.findings,
            measure,
            part,
            present: &present,
            lit: self.pointed,
            // It has the density of the target.
            cloud: cx.sweep.cloud.filter(|_| cx.truth),
            run: run.unwrap_or(0),
        };
        let (area, words) = split(ui.available_rect_before_wrap(), has_words(cx), theme);
        let mut happened = within(ui, area, |ui| pictures(ui, &input, cx.options.sweep.pictures, theme));
        if let Some(words) = words {
            let (one, actions) = within(ui, words, |ui| self.words(ui, cx, &input, theme));
            happened = happened.or(one);
            response.actions.extend(actions);
        }
        if happened.pointed != self.pointed {
            self.pointed = happened.pointed;
            response.ask(StudyAction::PointAtCell(happened.pointed));
            ui.ctx().request_repaint();
        }
        happened.opened.into_iter().for_each(|cell| response.ask(StudyAction::OpenCell(cell)));
        response
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let Some(sweep) = &cx.frame.scenario.sweep else { return TabResponse::default() };
        let mut options = cx.options;
        choices(ui, sweep, &mut options.sweep, theme);
        let mut response = TabResponse::of_options(cx, options);
        if let Some(share) = cx.sweep.progress {
            if ui.button("Cancel").on_hover_text("Keep the cells computed so far").clicked() {
                response.ask(StudyAction::HaltSweep);
            }
            ui.add(ProgressBar::new(share).desired_width(theme.space(PROGRESS)).desired_height(theme.space(3.0)));
            ui.ctx().request_repaint_after(LOOK);
        } else if cx.sweep.missing
            && ui.add(Button::new("Compute")).on_hover_text("Run the missing cells in the background").clicked()
        {
            response.ask(StudyAction::Sweep);
        }
        let help = "Other parameters, ranges, seeds or measures for the sweep";
        if ui.add(Button::new("Sweep…").small()).on_hover_text(help).clicked() {
            response.ask(StudyAction::PlanSweep);
        }
        if !cx.sweep.cells.is_empty()
            && ui
                .add(Button::new("Save cells…").small())
                .on_hover_text("A table of all cells and seeds as CSV")
                .clicked()
        {
            response.ask(StudyAction::SaveCells);
        }
        response
    }
}

impl Map {
    /// The answers, and in the window what can be asked.
    fn words(
        &mut self,
        ui: &mut Ui,
        cx: &PlotContext<'_>,
        input: &SweepInput<'_>,
        theme: &Theme,
    ) -> (SweepResponse, Vec<TabAction>) {
        let mut actions = Vec::new();
        let area = egui::ScrollArea::vertical().id_salt("answers").auto_shrink([false, false]);
        let happened = area.show(ui, |ui| {
            let (happened, removed) = answers::show(ui, input, cx.edited.is_some(), theme);
            let questions = cx.edited.and_then(|scenario| scenario.sweep.as_ref()).map(|sweep| &sweep.questions);
            let Some(questions) = questions else { return happened };
            if let Some(number) = removed.filter(|number| *number < questions.len()) {
                let mut left = questions.clone();
                left.remove(number);
                actions.push(TabAction::Ask(left));
            }
            if let Some(question) = ask::show(ui, &mut self.draft, input, theme) {
                actions.push(TabAction::Ask(questions.iter().cloned().chain([question]).collect()));
            }
            happened
        });
        (happened.inner, actions)
    }
}

/// What there is to do without cells: make a sweep, or compute it.
fn without_cells(ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
    let mut response = TabResponse::default();
    let scenario = cx.edited.unwrap_or(&cx.frame.scenario);
    if scenario.sweep.is_some() {
        ui.label("Nothing is computed yet: Compute runs all cells of the sweep in the background.");
        return response;
    }
    let words = "There is no sweep yet. A sweep repeats a run over a grid of parameters of the run or of the target, and shows any of \
                 its measures over them.";
    ui.add(Label::new(words).wrap());
    if cx.edited.is_some() {
        ui.add_space(theme.space(1.0));
        let help = "Choose run, parameters, ranges, seeds and measures";
        if ui.button("Sweep…").on_hover_text(help).clicked() {
            response.ask(StudyAction::PlanSweep);
        }
    }
    response
}

/// The number of the measure that is shown.
fn number_of(sweep: &Sweep, options: SweepOptions) -> usize {
    sweep.measures.iter().position(|key| Some(*key) == options.measure).unwrap_or(0)
}

/// What of a measure is shown: the chosen part, if it has it.
fn part_of(measure: &str, options: SweepOptions) -> Part {
    if options.part.suits(measure) { options.part } else { Part::Mean }
}

/// Whether there is something to read beside the pictures, or to ask.
fn has_words(cx: &PlotContext<'_>) -> bool {
    let answered = cx.sweep.findings.is_some_and(|findings| !findings.answers.is_empty());
    answered || (cx.edited.is_some() && cx.sweep.findings.is_some())
}

/// The area of the pictures and that of the answers: beside them, or below where the tab is narrow.
fn split(area: Rect, words: bool, theme: &Theme) -> (Rect, Option<Rect>) {
    if !words {
        return (area, None);
    }
    let gap = theme.space(3.0);
    if area.width() >= WIDE * theme.text.body {
        let wide = (ANSWERS * area.width()).max(LEAST * theme.text.body);
        let at = area.right() - wide;
        let right = Rect::from_min_max(pos2(at, area.top()), area.max);
        return (Rect::from_min_max(area.min, pos2(at - gap, area.bottom())), Some(right));
    }
    let at = area.bottom() - BELOW * area.height();
    let below = Rect::from_min_max(pos2(area.left(), at + gap), area.max);
    (Rect::from_min_max(area.min, pos2(area.right(), at)), Some(below))
}

fn within<R>(ui: &mut Ui, area: Rect, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.scope_builder(UiBuilder::new().max_rect(area), |ui| {
        ui.set_clip_rect(area.expand(2.0).intersect(ui.clip_rect()));
        add(ui)
    })
    .inner
}

/// The chosen pictures. Two stand side by side, or one below the other where that leaves them more space.
fn pictures(ui: &mut Ui, input: &SweepInput<'_>, chosen: SweepPictures, theme: &Theme) -> SweepResponse {
    let show_map = |ui: &mut Ui| {
        if input.plan.axes().len() == 1 { curve::show(ui, input, theme) } else { map::show(ui, input, theme) }
    };
    match chosen {
        SweepPictures::Map => show_map(ui),
        SweepPictures::Front => front::show(ui, input, theme),
        SweepPictures::Both => {
            let area = ui.available_rect_before_wrap();
            let gap = theme.space(1.5);
            let (one, other) = if area.width() > area.height() {
                (area.split_left_right_at_fraction(0.5), vec2(gap, 0.0))
            } else {
                (area.split_top_bottom_at_fraction(0.5), vec2(0.0, gap))
            };
            let (first, second) = one;
            let map = within(ui, Rect::from_min_max(first.min, first.max - other), show_map);
            let second = Rect::from_min_max(second.min + other, second.max);
            map.or(within(ui, second, |ui| front::show(ui, input, theme)))
        }
    }
}

/// The lists of pictures, of measures and of their parts.
fn choices(ui: &mut Ui, sweep: &Sweep, options: &mut SweepOptions, theme: &Theme) {
    let two = sweep.axes.len() > 1;
    let possible = ["modes_covered", "within_mode_kl"].iter().all(|key| sweep.measures.contains(key));
    if possible || options.pictures != SweepPictures::Map {
        for &pictures in SweepPictures::ALL {
            let name = if pictures == SweepPictures::Map && !two { "Curve" } else { pictures.label() };
            ui.selectable_value(&mut options.pictures, pictures, name).on_hover_text(pictures.help());
        }
    }
    let measure = number_of(sweep, *options);
    let mut key = sweep.measures[measure];
    ui.name_inputs(options::SHOWN.label, |ui| {
        let list = ComboBox::from_id_salt("measure of the map").width(theme.space(MEASURES));
        list.selected_text(words::measure(key))
            .show_ui(ui, |ui| {
                for other in &sweep.measures {
                    ui.selectable_value(&mut key, *other, words::measure(other));
                }
            })
            .response
            .on_hover_text("The measure that the map shows")
    });
    if key != sweep.measures[measure] {
        options.measure = Some(key);
    }
    // A curve of an error shows bias and mean squared error at once.
    if two || !Part::Bias.suits(key) {
        let mut part = part_of(key, *options);
        option::list_of(ui, &mut part, theme.space(PARTS), |part| part.suits(key), Part::label);
        if part != part_of(key, *options) {
            options.part = part;
        }
    }
}

#[cfg(test)]
mod tests;
