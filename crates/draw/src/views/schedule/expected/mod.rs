//! What is expected of a cyclical schedule, beside its curve: the number of modes in which its cycles end and the total variation of what it
//! collects, computed without draws, against one of its numbers. The present value is marked and follows a handle that is dragged.

mod cache;
mod geometry;

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Align, DragValue, Label, Layout, PopupCloseBehavior, Rect, RichText, Ui, UiBuilder, vec2};
use egui_plot::{FilledArea, Points, VLine};

use crate::geometry::independent_ends;
use crate::kit::axes::{AxisSpec, Ticks, answers, before_last_tick, curve, in_height, plot, show_part};
use crate::theme::Theme;
use crate::words::numbers;
use engine::scenario::Scenario;
use engine::session::Frame;

use cache::ExpectedCache;
use geometry::{At, Knob, between, reached};

/// Share of the width of the tab for these plots.
const SHARE: f32 = 0.5;

/// Least height of the plots below words, in lines.
const PLOT: f32 = 6.0;

/// Least width for them, in sizes of small text.
const WIDE: f32 = 60.0;

/// Share of the modes of independent draws that cycles should end in.
const NEARLY: f64 = 0.95;

/// What is shown of it.
#[derive(Debug)]
pub(super) struct Expected {
    on: bool,
    knob: Knob,
    /// The share within three standard deviations that is wanted at least.
    within: f64,
    /// The number of modes that is wanted at least.
    modes: f64,
    cache: ExpectedCache,
}

impl Default for Expected {
    fn default() -> Self {
        Self { on: false, knob: Knob::default(), within: 0.8, modes: f64::INFINITY, cache: ExpectedCache::default() }
    }
}

/// Whether the cycles of a run end in modes that are known.
fn suits(frame: &Frame, run: usize) -> bool {
    crate::kit::cycles::has_cycles(frame, run) && frame.truth.is_known() && frame.truth.modes().len() > 1
}

impl Expected {
    /// The switch. What is asked for stands above the plots, so that the row stays as it is.
    pub fn switch(&mut self, ui: &mut Ui, frame: &Frame, runs: &[usize]) {
        if runs.iter().any(|run| suits(frame, *run)) {
            let help = "Beside the schedule: modes at the ends of its cycles and total variation of what a cycle collects in the long run, expected without \
                        draws, against α₀, cycles or β. The mark follows the handle that you drag.";
            ui.toggle_value(&mut self.on, "Expected").on_hover_text(help);
        }
    }

    /// The menu of what is asked for. Returns another run that was chosen.
    fn menu(
        &mut self,
        ui: &mut Ui,
        (frame, scenario): (&Frame, &Scenario),
        (runs, run): (&[usize], usize),
    ) -> Option<usize> {
        let name = |run: usize| scenario.runs.get(run).map_or("", |run| run.name.as_str());
        let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        let mut chosen = run;
        let button = MenuButton::new(format!("{}…", self.knob.symbol())).config(config);
        let (button, _) = button.ui(ui, |ui| {
            let value = |knob: Knob| scenario.number_at(name(run), knob.path())?.value;
            // A number of steps takes the place of the share.
            let idle = |knob: Knob| knob == Knob::Exploration && value(Knob::ExplorationSteps).is_some();
            let has = |knob: &Knob| value(*knob).is_some() && !idle(*knob);
            for knob in Knob::ALL.into_iter().filter(has) {
                ui.radio_value(&mut self.knob, knob, knob.name());
            }
            ui.separator();
            if self.knob == Knob::Cycles {
                let all = frame.truth.modes().len() as f64;
                let modes = DragValue::new(&mut self.modes).range(1.0..=all).speed(0.1).fixed_decimals(0);
                ui.add(modes.prefix("modes ≥ "))
                    .on_hover_text("The number of modes for which the fewest cycles are looked for");
            } else {
                let within = DragValue::new(&mut self.within).range(0.01..=0.99).speed(0.002).fixed_decimals(2);
                ui.add(within.prefix("3 sd ≥ ")).on_hover_text(
                    "The share within three standard deviations of a mode for which the largest value is looked for",
                );
            }
            let suited: Vec<usize> = runs.iter().copied().filter(|run| suits(frame, *run)).collect();
            if suited.len() > 1 {
                ui.separator();
                for other in suited {
                    ui.radio_value(&mut chosen, other, name(other));
                }
            }
        });
        button.on_hover_text("Against which number of the schedule, what is looked for, and of which run");
        (chosen != run).then_some(chosen)
    }

    /// The space that is left for the schedule, once this has its own; `None` if it is not shown.
    pub fn beside(&self, ui: &Ui, frame: &Frame, run: Option<usize>, theme: &Theme) -> Option<[Rect; 2]> {
        let area = ui.available_rect_before_wrap();
        let shown = self.on && run.is_some_and(|run| suits(frame, run)) && area.width() >= WIDE * theme.text.small;
        shown.then(|| {
            let (left, right) = area.split_left_right_at_fraction(1.0 - SHARE);
            [left, Rect::from_min_max(right.min + vec2(theme.space(4.0), 0.0), right.max)]
        })
    }

    /// Draws both plots into a rectangle, with what is asked for and found above them. Returns another run that was chosen.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        (frame, scenario): (&Frame, &Scenario),
        (runs, run): (&[usize], usize),
        rect: Rect,
        theme: &Theme,
    ) -> Option<usize> {
        let all = frame.truth.modes().len() as f64;
        if self.modes > all {
            self.modes = (all - 1.0).max(1.0);
        }
        let present = self.cache.update(ui.ctx(), scenario, run, self.knob);
        let points = self.cache.points();
        let words = self.words(frame, &points, present);
        let line = theme.text.small * 1.4;
        let first = Rect::from_min_size(rect.min, vec2(rect.width(), ui.spacing().interact_size.y));
        let builder = UiBuilder::new().id_salt("asked").max_rect(first).layout(Layout::left_to_right(Align::Center));
        let mut chosen = None;
        ui.scope_builder(builder, |ui| {
            chosen = self.menu(ui, (frame, scenario), (runs, run));
            let text = |at: usize| RichText::new(&words[at]).font(theme.small()).color(theme.ink);
            let label = ui.add(Label::new(text(0)).truncate());
            label.on_hover_text(words.join("\n"));
        });
        let mut top = first.height();
        for text in &words[1..] {
            let words = ui.painter().layout(text.clone(), theme.small(), theme.ink, rect.width());
            let height = words.size().y.max(line);
            // In a low plot the others are at the pointer on the first.
            if top + height + PLOT * line > rect.height() {
                break;
            }
            ui.painter().with_clip_rect(rect).galley(rect.min + vec2(0.0, top), words, theme.ink);
            top += height;
        }
        let below = Rect::from_min_max(rect.min + vec2(0.0, top + theme.space(1.0)), rect.max);
        let (left, right) = below.split_left_right_at_fraction(0.5);
        let right = Rect::from_min_max(right.min + vec2(theme.space(2.0), 0.0), right.max);
        let (colour, ends) = (theme.run(run).colour, self.cache.ends().unwrap_or((0.0, 1.0)));
        for (rect, is_modes) in [(left, true), (right, false)] {
            let builder = UiBuilder::new().id_salt(("expected", is_modes)).max_rect(rect);
            ui.scope_builder(builder, |ui| {
                panel(ui, (&points, present, self.knob), (is_modes, all, ends), colour, theme);
            });
        }
        chosen
    }

    /// What is expected at the present value, and where the bound is reached.
    fn words(&self, frame: &Frame, points: &[At], present: Option<f64>) -> Vec<String> {
        let number = |value: f64| numbers::significant(value, 3);
        let (all, name) = (frame.truth.modes().len(), self.knob.symbol());
        let Some(present) = present else { return vec![format!("the schedule has no {}", self.knob.name())] };
        if let Some(why) = self.cache.refused() {
            return vec![format!("= {}: not computed: {why}", number(present))];
        }
        let now = between(points, present).map_or_else(
            || "computing".to_owned(),
            |glance| {
                let in_words = |within| format!(", within 3 sd {}", numbers::against(within, self.within, 2));
                let within = glance.within_3sd.map_or_else(String::new, in_words);
                let (modes, sd) = (glance.end_modes, glance.end_modes_sd);
                format!("{modes:.1} ± {sd:.1} of {all} modes, TV of a cycle {:.2}{within}", glance.tv)
            },
        );
        let mut lines = vec![format!("= {}: {now}", number(present))];
        // Among the first values the outermost one would look like the end of all.
        let on_the_way = self.cache.on_the_way();
        let told = |what: &str, found: Option<String>| match found {
            _ if let Some([known, all]) = on_the_way => format!("{what}: computing, {known} of {all} values"),
            None => format!("{what}: not reached among these values"),
            Some(found) => format!("{what}: {found}"),
        };
        if self.knob == Knob::Cycles {
            let found = reached(points, |glance| Some(glance.end_modes), self.modes, false);
            let found = found.map(|cycles| format!("from {:.0} cycles on", cycles.ceil()));
            lines.push(told(&format!("{:.0} of {all} modes expected", self.modes), found));
        } else {
            if let Some(cycles) = self.cache.cycles() {
                let most = NEARLY * independent_ends(frame.truth.modes(), cycles);
                let found = reached(points, |glance| Some(glance.end_modes), most, false);
                let what = format!("{most:.1} modes, {:.0} % of those of independent draws", 100.0 * NEARLY);
                lines.push(told(&what, found.map(|value| format!("from {name} = {} on", number(value)))));
            }
            let found = reached(points, |glance| glance.within_3sd, self.within, true);
            let found = found.map(|value| format!("up to {name} = {}", number(value)));
            lines.push(told(&format!("within 3 sd ≥ {:.2}", self.within), found));
        }
        lines
    }
}

/// One of the plots: modes at the ends, or total variation.
fn panel(
    ui: &mut Ui,
    (points, present, knob): (&[At], Option<f64>, Knob),
    (is_modes, all, ends): (bool, f64, (f64, f64)),
    colour: egui::Color32,
    theme: &Theme,
) {
    let label = if is_modes { "modes" } else { "TV of a cycle" };
    let x = AxisSpec::wide(knob.name(), Ticks::Linear);
    let y = AxisSpec { apart: 7.0, digits: 3.5, ..AxisSpec::upright(label, Ticks::Linear) };
    let [x, y] = in_height(ui, ui.available_height(), theme, [x, y]);
    let width = before_last_tick(ui, theme);
    let drawn = plot(("expected", is_modes, knob.path()), theme, x, y).width(width).allow_drag(false).allow_zoom(false);
    let top = if is_modes { 1.04 * all } else { points.iter().map(|(_, glance)| glance.tv).fold(0.1, f64::max) * 1.1 };
    let shown = drawn.show(ui, |plot_ui| {
        let value = |glance: &engine::distributions::Glance| if is_modes { glance.end_modes } else { glance.tv };
        if is_modes {
            let xs: Vec<f64> = points.iter().map(|(at, _)| *at).collect();
            let edge = |sign: f64| -> Vec<f64> {
                points.iter().map(|(_, glance)| glance.end_modes + sign * glance.end_modes_sd).collect()
            };
            let band = FilledArea::new("", &xs, &edge(-1.0), &edge(1.0)).fill_color(colour.gamma_multiply(0.2));
            plot_ui.add(band.allow_hover(false));
        }
        let line: Vec<[f64; 2]> = points.iter().map(|(at, glance)| [*at, value(glance)]).collect();
        let dots = Points::new("", line.clone()).color(colour).radius(theme.marker(0.45));
        plot_ui.line(curve(line, colour, theme.line()));
        plot_ui.points(dots.allow_hover(false));
        if let Some(present) = present {
            plot_ui.vline(VLine::new("", present).color(theme.ink).width(theme.thin()).allow_hover(false));
            if let Some(glance) = between(points, present) {
                let mark = Points::new("", vec![[present, value(&glance)]]).color(theme.ink).radius(theme.marker(0.8));
                plot_ui.points(mark.allow_hover(false));
            }
        }
        let margin = 0.04 * (ends.1 - ends.0);
        show_part(plot_ui, [ends.0 - margin, 0.0], [ends.1 + margin, top], theme);
    });
    answers(ui, theme, &shown.response, [x, y]);
}
