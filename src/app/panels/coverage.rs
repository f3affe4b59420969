//! The coverage plot in the window: pinning, and what can be done with a pin.

use egui::{Button, Label, RichText, Ui};

use crate::app::action::Action;
use crate::app::state::Ctx;
use crate::draw::plots::coverage::pin::{self, Pin};
use crate::draw::plots::coverage::{self, Click, CoverageInput, spot};
use crate::session::Frame;

/// Shows the plot, and above it the pin that is selected.
pub fn show(app: &mut Ctx<'_>, ui: &mut Ui, frame: &Frame, runs: &[usize], actions: &mut Vec<Action>) {
    selected(app, ui, actions);
    let (trail, pins) = (&app.view.coverage.trail, &app.prefs.pins);
    let selected = app.view.coverage.selected.filter(|pin| *pin < pins.len());
    let input = CoverageInput { frame, runs, trail, pins, selected };
    match coverage::show(ui, &input, &app.theme).click {
        Click::Pin(pin) => app.view.coverage.selected = Some(pin),
        Click::Elsewhere => app.view.coverage.selected = None,
        Click::None => {}
    }
}

/// The pin that is selected, and what can be done with it.
fn selected(app: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let Some((number, pin)) = app.view.coverage.selected.and_then(|pin| Some((pin, app.prefs.pins.get(pin)?))) else {
        return;
    };
    let mut removed = false;
    ui.horizontal(|ui| {
        let open = ui.add_enabled(!pin.scenario.is_empty(), Button::new("Open its scenario").small());
        let open = open.on_hover_text("It can be undone").on_disabled_hover_text("It was too long to be kept");
        if open.clicked() {
            actions.push(Action::OpenPin(number));
        }
        removed = ui.add(Button::new("Remove").small()).on_hover_text("Remove this pin").clicked();
        let name = if pin.words.starts_with(&pin.name) { String::new() } else { format!("{}: ", pin.name) };
        let words = format!("{name}{} · seed {}", pin.words, pin.seed);
        let text = RichText::new(words.clone()).font(app.theme.small()).color(app.theme.soft);
        ui.add(Label::new(text).truncate()).on_hover_text(format!("{words}\n{}", pin.target));
    });
    if removed {
        remove(app, |index, _| index == number);
    }
}

/// The controls beside the tabs.
pub fn tools(app: &mut Ctx<'_>, ui: &mut Ui, frame: &Frame) {
    let runs = app.view.shown_runs(frame.runs.len());
    let pin = |run: usize| Pin::of(frame, run, spot(&frame.runs.get(run)?.measures).ok()?.at);
    let can = runs.iter().any(|&run| frame.runs.get(run).is_some_and(|run| spot(&run.measures).is_ok()));
    let help = "Keep the points of the runs, also for the next start of the program";
    if ui.add_enabled(can, Button::new("Pin runs").small()).on_hover_text(help).clicked() {
        pin::add(&mut app.prefs.pins, runs.iter().filter_map(|&run| pin(run)));
        // The oldest pins may have made room, and numbers have changed.
        app.view.coverage.selected = None;
    }
    if app.prefs.pins.is_empty() && app.view.coverage.removed.is_empty() {
        return;
    }
    let here = app.view.coverage.trail.identity().to_owned();
    if app.prefs.pins.iter().any(|pin| pin.identity == here)
        && ui.add(Button::new("Remove all").small()).on_hover_text("Remove all pins on this target").clicked()
    {
        remove(app, |_, pin| pin.identity == here);
    }
    if !app.view.coverage.removed.is_empty()
        && ui.add(Button::new("Put back").small()).on_hover_text("Put back the pins that were removed last").clicked()
    {
        let back = std::mem::take(&mut app.view.coverage.removed);
        pin::add(&mut app.prefs.pins, back);
    }
}

/// Removes pins, and remembers them until others are removed.
fn remove(app: &mut Ctx<'_>, which: impl Fn(usize, &Pin) -> bool) {
    let all = std::mem::take(&mut app.prefs.pins).into_iter().enumerate();
    let (gone, kept): (Vec<_>, Vec<_>) = all.partition(|(index, pin)| which(*index, pin));
    let alone = |list: Vec<(usize, Pin)>| list.into_iter().map(|(_, pin)| pin).collect();
    (app.prefs.pins, app.view.coverage.removed) = (alone(kept), alone(gone));
    app.view.coverage.selected = None;
}
