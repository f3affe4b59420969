//! Transport: Watch or Instant, play, pause, single steps, position, speed.

use egui::{Align, Button, Layout, RichText, Slider, Ui, vec2};

use crate::app::action::Action;
use crate::app::state::Ctx;
use crate::draw::numbers;
use crate::worker::{Order, Pacing, Speed};

/// The slowest and the fastest speed that is not "full", in powers of ten of steps per second.
const SLOWEST: f64 = 0.0;
const FASTEST: f64 = 6.0;

/// Position of the slider for full speed, beyond the fastest.
const FULL: f64 = 6.4;

/// Widths, in units of the theme.
const BUTTON: f32 = 9.0;
const SPEED: f32 = 26.0;
const SPEED_TEXT: f32 = 24.0;
const RATE: f32 = 40.0;
const STEP: f32 = 44.0;

/// The smallest width with room for the rate, in units of the theme.
const NARROW: f32 = 270.0;

/// Shows the transport.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        modes(ctx, ui, actions);
        ui.separator();
        buttons(ctx, ui, actions);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.max_rect().width() > ctx.theme.space(NARROW) {
                rate(ctx, ui);
            }
            speed(ctx, ui, actions);
            ui.separator();
            position(ctx, ui);
            scrub(ctx, ui, actions);
        });
    });
}

fn buttons(ctx: &Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    let playing = ctx.model.status().playing;
    let frame = ctx.model.frame();
    let button = |ui: &mut Ui, sign: &str, help: &str, enabled: bool| {
        let size = vec2(theme.space(BUTTON), theme.space(BUTTON * 0.8));
        ui.add_enabled(enabled, Button::new(RichText::new(sign).size(theme.text.heading)).min_size(size))
            .on_hover_text(help)
            .clicked()
    };
    if button(ui, "⏮", "Go to the start (Home)", frame.step > 0) {
        actions.push(Action::Seek(0));
    }
    if button(ui, "◀", "One step back (←)", frame.step > 0) {
        actions.push(Action::Order(Order::Step(-1)));
    }
    let (sign, help) = match (playing || ctx.model.stale(), ctx.model.mode()) {
        (true, _) => ("⏸", "Pause (Space)"),
        (false, Pacing::Watch) => ("▶", "Play (Space)"),
        (false, Pacing::Instant) => ("▶", "Replay the finished run step by step, at the speed on the right (Space)"),
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
    if button(ui, "⏭", "Go to the end (End)", frame.step < frame.total) {
        actions.push(Action::Seek(frame.total));
    }
}

fn scrub(ctx: &Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let frame = ctx.model.frame();
    let mut step = frame.step;
    ui.spacing_mut().slider_width = (ui.available_width() - ctx.theme.space(2.0)).max(ctx.theme.space(10.0));
    let slider = Slider::new(&mut step, 0..=frame.total).show_value(false);
    let response = ui.name_inputs("Step", |ui| ui.add(slider));
    pauses(ctx, ui, response.rect);
    if response.changed() {
        actions.push(Action::Seek(step));
    }
}

/// Ticks on the slider where playing stops.
#[expect(clippy::cast_precision_loss, reason = "a place on the screen")]
fn pauses(ctx: &Ctx<'_>, ui: &Ui, slider: egui::Rect) {
    let total = ctx.model.frame().total.max(1) as f32;
    // The knob is as wide as the slider is high, and its centre stays within.
    let rail = slider.x_range().shrink(slider.height() / 2.5);
    for pause in ctx.model.scenario().view.pause.iter().filter(|pause| **pause as f32 <= total) {
        let x = egui::lerp(rail.min..=rail.max, *pause as f32 / total);
        let y = slider.y_range().shrink(slider.height() * 0.15);
        ui.painter().vline(x, y, egui::Stroke::new(ctx.theme.thin(), ctx.theme.accent));
    }
}

fn position(ctx: &Ctx<'_>, ui: &mut Ui) {
    let frame = ctx.model.frame();
    let text = match ctx.model.status().computing {
        Some(share) => format!("Computing {}", numbers::percent(f64::from(share))),
        None => format!("Step {} / {}", numbers::count(frame.step), numbers::count(frame.total)),
    };
    fixed(ui, ctx.theme.space(STEP), Layout::right_to_left(Align::Center), |ui| {
        ui.label(text);
    });
}

fn speed(ctx: &Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let speed = ctx.model.status().speed;
    fixed(ui, ctx.theme.space(SPEED_TEXT), Layout::left_to_right(Align::Center), |ui| {
        ui.label(match speed {
            Speed::Full => "full".to_owned(),
            Speed::Steps(rate) => format!("{} steps/s", numbers::rate(rate)),
        });
    });
    let mut position = match speed {
        Speed::Full => FULL,
        Speed::Steps(rate) => rate.log10().clamp(SLOWEST, FASTEST),
    };
    ui.spacing_mut().slider_width = ctx.theme.space(SPEED);
    let slider = Slider::new(&mut position, SLOWEST..=FULL).show_value(false);
    let response = ui.name_inputs("Speed", |ui| ui.add(slider)).on_hover_text("From one step per second to full speed");
    if response.changed() {
        actions.push(Action::Order(Order::Speed(at(position))));
    }
    ui.label("Speed");
}

/// Watch and Instant.
fn modes(ctx: &Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let modes = [
        (
            Pacing::Watch,
            "Watch",
            "Show the runs step by step. A change takes effect at the present step and is recorded as an event.",
        ),
        (
            Pacing::Instant,
            "Instant",
            "Show the finished runs. A change takes effect from step 0, and the finished picture follows the slider.",
        ),
    ];
    let theme = ctx.theme;
    let frame = egui::Frame::new().fill(theme.raised).stroke(theme.hairline()).corner_radius(theme.space(1.5));
    frame.inner_margin(theme.space(0.5)).show(ui, |ui| {
        ui.spacing_mut().item_spacing.x = theme.space(0.5);
        for (mode, name, help) in modes {
            let button = Button::selectable(ctx.model.mode() == mode, name);
            if ui.add(button).on_hover_text(format!("{help} (I)")).clicked() {
                actions.push(Action::Pacing(mode));
            }
        }
    });
}

/// The speed at a position of the slider, rounded to two digits.
fn at(position: f64) -> Speed {
    if position > f64::midpoint(FASTEST, FULL) {
        return Speed::Full;
    }
    let rate = 10_f64.powf(position.min(FASTEST));
    Speed::Steps(format!("{rate:.1e}").parse().unwrap_or(rate))
}

/// The task that runs, the measured steps per second, or that the run is finished or paused.
fn rate(ctx: &Ctx<'_>, ui: &mut Ui) {
    let status = ctx.model.status();
    let text = match ctx.task {
        Some(task) => format!("{}…", task.doing()),
        None if status.playing => format!("{} chain steps/s", numbers::rate(status.steps_per_second)),
        None if status.computing.is_some() => String::new(),
        None if ctx.model.frame().step >= ctx.model.frame().total => match ctx.model.mode() {
            Pacing::Instant => format!("finished in {}", numbers::duration(status.took)),
            Pacing::Watch => "finished".to_owned(),
        },
        None => "paused".to_owned(),
    };
    fixed(ui, ctx.theme.space(RATE), Layout::right_to_left(Align::Center), |ui| {
        ui.label(RichText::new(text).color(ctx.theme.soft))
            .on_hover_text("Measured speed: steps per second, summed over chains");
    });
}

/// A cell of fixed width, so that changing numbers move nothing else.
fn fixed(ui: &mut Ui, width: f32, layout: Layout, contents: impl FnOnce(&mut Ui)) {
    ui.allocate_ui_with_layout(vec2(width, ui.spacing().interact_size.y), layout, |ui| {
        ui.set_min_width(width);
        contents(ui);
    });
}
