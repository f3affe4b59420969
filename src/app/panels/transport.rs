//! The transport: play, pause, step, scrub, speed.

use egui::{Align, Button, Layout, RichText, Slider, Ui, vec2};

use crate::app::App;
use crate::app::actions::Action;
use crate::draw::numbers;
use crate::worker::{Order, Pacing, Speed};

/// The slowest and the fastest speed that is not "full", in powers of ten of steps per second.
const SLOWEST: f64 = 0.0;
const FASTEST: f64 = 6.0;

/// The slider's position of full speed, one notch beyond the fastest.
const FULL: f64 = 6.4;

/// Widths, in units of the theme.
const BUTTON: f32 = 9.0;
const SPEED: f32 = 26.0;
const SPEED_TEXT: f32 = 24.0;
const RATE: f32 = 40.0;
const STEP: f32 = 44.0;

/// Below this width, in units of the theme, there is no room for the rate.
const NARROW: f32 = 270.0;

/// Shows the transport.
pub fn show(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        modes(app, ui, actions);
        ui.separator();
        buttons(app, ui, actions);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.max_rect().width() > app.theme.space(NARROW) {
                rate(app, ui);
            }
            speed(app, ui, actions);
            ui.separator();
            position(app, ui);
            scrub(app, ui, actions);
        });
    });
}

fn buttons(app: &App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = &app.theme;
    let playing = app.model.status().playing;
    let frame = app.model.frame();
    let button = |ui: &mut Ui, sign: &str, help: &str, enabled: bool| {
        let size = vec2(theme.space(BUTTON), theme.space(BUTTON * 0.8));
        ui.add_enabled(enabled, Button::new(RichText::new(sign).size(theme.text.heading)).min_size(size))
            .on_hover_text(help)
            .clicked()
    };
    if button(ui, "⏮", "To the start (Home)", frame.step > 0) {
        actions.push(Action::Seek(0));
    }
    if button(ui, "◀", "One step back (←)", frame.step > 0) {
        actions.push(Action::Order(Order::Step(-1)));
    }
    let (sign, help) = match (playing || app.model.stale(), app.model.mode()) {
        (true, _) => ("⏸", "Pause (space)"),
        (false, Pacing::Watch) => ("▶", "Play (space)"),
        (false, Pacing::Instant) => {
            ("▶", "Play the finished run again, step by step, at the speed on the right (space)")
        }
    };
    let size = vec2(theme.space(BUTTON * 1.5), theme.space(BUTTON * 0.8));
    let play =
        Button::new(RichText::new(sign).size(theme.text.heading).color(theme.paper)).fill(theme.accent).min_size(size);
    if ui.add(play).on_hover_text(help).clicked() {
        actions.push(Action::TogglePlay);
    }
    if button(ui, "▶", "One step forward (→)", frame.step < frame.total) {
        actions.push(Action::Order(Order::Step(1)));
    }
    if button(ui, "⏭", "To the end (End)", frame.step < frame.total) {
        actions.push(Action::Seek(frame.total));
    }
}

fn scrub(app: &App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let frame = app.model.frame();
    let mut step = frame.step;
    ui.spacing_mut().slider_width = (ui.available_width() - app.theme.space(2.0)).max(app.theme.space(10.0));
    let slider = Slider::new(&mut step, 0..=frame.total).show_value(false);
    let response = ui.name_inputs("Step", |ui| ui.add(slider));
    if response.changed() {
        actions.push(Action::Seek(step));
    }
}

fn position(app: &App, ui: &mut Ui) {
    let frame = app.model.frame();
    let text = match app.model.status().computing {
        Some(share) => format!("computing {}", numbers::percent(f64::from(share))),
        None => format!("step {} / {}", numbers::count(frame.step), numbers::count(frame.total)),
    };
    fixed(ui, app.theme.space(STEP), Layout::right_to_left(Align::Center), |ui| {
        ui.label(text);
    });
}

fn speed(app: &App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let speed = app.model.status().speed;
    fixed(ui, app.theme.space(SPEED_TEXT), Layout::left_to_right(Align::Center), |ui| {
        ui.label(match speed {
            Speed::Full => "full".to_owned(),
            Speed::Steps(rate) => format!("{} steps/s", numbers::rate(rate)),
        });
    });
    let mut position = match speed {
        Speed::Full => FULL,
        Speed::Steps(rate) => rate.log10().clamp(SLOWEST, FASTEST),
    };
    ui.spacing_mut().slider_width = app.theme.space(SPEED);
    let slider = Slider::new(&mut position, SLOWEST..=FULL).show_value(false);
    let response =
        ui.name_inputs("Speed", |ui| ui.add(slider)).on_hover_text("From one step per second to as fast as it goes");
    if response.changed() {
        actions.push(Action::Order(Order::Speed(at(position))));
    }
    ui.label("speed");
}

/// The two ways to run.
fn modes(app: &App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let modes = [
        (
            Pacing::Watch,
            "Watch",
            "See every step. A change takes effect from the step reached, and is kept as an event.",
        ),
        (
            Pacing::Instant,
            "Instant",
            "See the finished run. A change counts from the first step, and the finished picture follows the slider.",
        ),
    ];
    let theme = &app.theme;
    let frame = egui::Frame::new().fill(theme.raised).stroke(theme.hairline()).corner_radius(theme.space(1.5));
    frame.inner_margin(theme.space(0.5)).show(ui, |ui| {
        ui.spacing_mut().item_spacing.x = theme.space(0.5);
        for (mode, name, help) in modes {
            let button = Button::selectable(app.model.mode() == mode, name);
            if ui.add(button).on_hover_text(format!("{help} (I)")).clicked() {
                actions.push(Action::Pacing(mode));
            }
        }
    });
}

/// The speed at a position of the slider, to two digits.
fn at(position: f64) -> Speed {
    if position > f64::midpoint(FASTEST, FULL) {
        return Speed::Full;
    }
    let rate = 10_f64.powf(position.min(FASTEST));
    Speed::Steps(format!("{rate:.1e}").parse().unwrap_or(rate))
}

/// Steps per second actually made, or what is being worked on.
fn rate(app: &App, ui: &mut Ui) {
    let status = app.model.status();
    let task = app.tasks.under_way().next();
    let text = match task {
        Some(task) => format!("{task}…"),
        None if status.playing => format!("{} chain steps/s", numbers::rate(status.steps_per_second)),
        None if status.computing.is_some() => String::new(),
        None if app.model.frame().step >= app.model.frame().total => match app.model.mode() {
            Pacing::Instant => format!("finished in {}", numbers::duration(status.took)),
            Pacing::Watch => "finished".to_owned(),
        },
        None => "paused".to_owned(),
    };
    fixed(ui, app.theme.space(RATE), Layout::right_to_left(Align::Center), |ui| {
        ui.label(RichText::new(text).color(app.theme.soft))
            .on_hover_text("Steps made per second, those of every chain counted");
    });
}

/// A cell of fixed width, so that nothing moves when numbers change.
fn fixed(ui: &mut Ui, width: f32, layout: Layout, contents: impl FnOnce(&mut Ui)) {
    ui.allocate_ui_with_layout(vec2(width, ui.spacing().interact_size.y), layout, |ui| {
        ui.set_min_width(width);
        contents(ui);
    });
}
