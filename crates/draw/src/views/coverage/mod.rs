//! Tab of the modes that are missed against the errors within modes, with pins.

mod input;
mod mark;
mod paint;
pub mod pin;
mod plot;
mod scale;
mod seeds;
mod spot;
#[cfg(test)]
mod testing;

use std::sync::Arc;

use egui::{Button, Label, RichText, Ui};

use super::controls::study;
use super::{CoverageContext, PlotContext, PlotTab, StudyUse, TabAction, TabResponse, TabSpec};
use crate::theme::Theme;
use engine::scenario::Scenario;
use engine::scenario::view::tabs;
use engine::session::Frame;

use input::CoverageInput;
use pin::{Comparison, Pin};
use plot::Click;
pub(crate) use plot::GESTURES;
use seeds::SpreadCache;
pub use spot::Trail;
use spot::spot;

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::COVERAGE,
    by_coordinate: super::no_coordinate,
    study: StudyUse::TruthMeasures,
    of_truth: true,
    beside: false,
    applies: has_modes,
    make: || Box::<Coverage>::default(),
};

/// With a single mode no mode can be missing.
fn has_modes(frame: &Frame) -> bool {
    frame.target.info().modes.len() > 1
}

#[derive(Debug, Default)]
struct Coverage {
    spreads: SpreadCache,
    compared: Compared,
}

/// The comparison with the selected pin, made again when the pin or the scenario changes.
#[derive(Debug, Default)]
struct Compared {
    of: Option<(Pin, Arc<Scenario>, Option<[f64; 2]>)>,
    comparison: Option<Comparison>,
}

impl Compared {
    fn update(&mut self, pin: &Pin, frame: &Frame) -> Option<&Comparison> {
        let run = pin.run_in(frame).and_then(|run| frame.runs.get(run));
        let now = run.and_then(|run| spot(&run.measures).ok()).map(|spot| spot.at);
        let same = |(known, scenario, at): &(Pin, Arc<Scenario>, Option<[f64; 2]>)| {
            Arc::ptr_eq(scenario, &frame.scenario) && *at == now && known == pin
        };
        if !self.of.as_ref().is_some_and(same) {
            self.comparison = pin.compared(frame, now);
            self.of = Some((pin.clone(), frame.scenario.clone(), now));
        }
        self.comparison.as_ref()
    }
}

impl PlotTab for Coverage {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut response = selected_pin(ui, cx, &mut self.compared, theme);
        let CoverageContext { trail, pins, selected, .. } = cx.coverage;
        // Repeats before the last change say nothing about the present points.
        let repeats = if cx.study.stale { &[][..] } else { cx.study.repeats };
        let (spreads, seeds) = (self.spreads.update(repeats, cx.study.version), repeats.len());
        let input = CoverageInput { frame: cx.frame, runs: cx.runs, spreads, seeds, trail, pins, selected };
        match plot::show(ui, &input, theme).click {
            Click::Pin(pin) => response.push(TabAction::SelectPin(Some(pin))),
            Click::Elsewhere => response.push(TabAction::SelectPin(None)),
            Click::None => {}
        }
        response
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut response = TabResponse::default();
        let CoverageContext { trail, pins, restorable, .. } = cx.coverage;
        let spot = |run: usize| spot(&cx.frame.runs.get(run)?.measures).ok();
        let can = cx.runs.iter().any(|&run| spot(run).is_some());
        let help = "Keep the points of the runs, also for the next start of the program";
        if ui.add_enabled(can, Button::new("Pin runs").small()).on_hover_text(help).clicked() {
            let pin = |&run: &usize| Pin::of(cx.frame, run, spot(run)?.at);
            response.push(TabAction::AddPins(cx.runs.iter().filter_map(pin).collect()));
        }
        let here: Vec<usize> = (0..pins.len()).filter(|&pin| pins[pin].identity == trail.identity()).collect();
        if !here.is_empty()
            && ui.add(Button::new("Remove all").small()).on_hover_text("Remove all pins on this target").clicked()
        {
            response.push(TabAction::RemovePins(here));
        }
        if restorable
            && ui.add(Button::new("Restore").small()).on_hover_text("Restore the pins that were removed last").clicked()
        {
            response.push(TabAction::RestorePins);
        }
        let mut choice = cx.study.choice;
        response.actions.extend(study::repeats(ui, cx, &mut choice, theme).actions);
        study::changed(cx, choice, &mut response);
        response
    }
}

/// Shows the pin that is selected, and what can be done with it.
fn selected_pin(ui: &mut Ui, cx: &PlotContext<'_>, compared: &mut Compared, theme: &Theme) -> TabResponse {
    let mut response = TabResponse::default();
    let CoverageContext { pins, selected, .. } = cx.coverage;
    let Some((number, pin)) = selected.and_then(|pin| Some((pin, pins.get(pin)?))) else { return response };
    ui.horizontal(|ui| {
        let open = ui.add_enabled(!pin.scenario.is_empty(), Button::new("Open its scenario").small());
        let open = open.on_hover_text("It can be undone").on_disabled_hover_text("The scenario was too long to keep");
        if open.clicked() {
            response.push(TabAction::OpenPin(number));
        }
        if ui.add(Button::new("Remove").small()).on_hover_text("Remove this pin").clicked() {
            response.push(TabAction::RemovePins(vec![number]));
        }
        let name = if pin.words.starts_with(&pin.name) { String::new() } else { format!("{}: ", pin.name) };
        let words = format!("{name}{} · seed {}", pin.words, pin.seed);
        let text = RichText::new(words.clone()).font(theme.small()).color(theme.soft);
        ui.add(Label::new(text).truncate()).on_hover_text(format!("{words}\n{}", pin.target));
    });
    if let Some(Comparison { run, words }) = compared.update(pin, cx.frame) {
        let words = format!("To the present {run}: {words}");
        let text = RichText::new(&words).font(theme.small()).color(theme.ink);
        ui.add(Label::new(text).truncate()).on_hover_text(&words);
    }
    response
}

#[cfg(test)]
mod tests;
