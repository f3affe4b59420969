//! Transport: Watch or Instant, play, pause, single steps, position, speed.

mod moment;

use egui::containers::menu::MenuButton;
use egui::{Align, Button, Label, Layout, RichText, Slider, Ui, vec2};

use crate::app::action::Action;
use crate::app::commands::{Command, spec, tip};
use crate::app::state::Ctx;
use draw::kit::named::named;
use draw::kit::time_axis::Whose;
use draw::theme::Theme;
use draw::words::numbers;
use engine::session::{Clock, Time};
use engine::worker::{Order, Pacing, Speed};
use moment::{Room, Unit, position_words};

/// The slowest and the fastest speed that is not "full", in powers of ten of steps per second.
const SLOWEST: f64 = 0.0;
const FASTEST: f64 = 6.0;

/// Position of the slider for full speed, beyond the fastest.
const FULL: f64 = 6.4;

/// Width of the slider of the speed, in units of the theme.
const SPEED: f32 = 22.0;

/// Width of the buttons, in units of the theme.
const BUTTON: f32 = 8.0;

/// Smallest width of the slider of the position, in units of the theme. Other parts are left out before it gets narrower.
const SCRUB: f32 = 24.0;

/// Both widths in a window that is too narrow for these.
const NARROW_SPEED: f32 = 12.0;
const NARROW_SCRUB: f32 = 13.0;

/// Width of a window that is too narrow for all buttons before an audience, in units of the theme.
const NARROW_WINDOW: f32 = 150.0;

/// A part of the transport on its right side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// "Step 100 / 50 000", or gradients; opens the choice between them.
    Position,
    /// The slider of the speed.
    Speed,
    /// The chosen speed in words.
    SpeedText,
    /// The measured speed, or what is being done.
    Rate,
}

/// The parts in the order in which they get space.
const PARTS: [Part; 4] = [Part::Position, Part::Speed, Part::SpeedText, Part::Rate];

/// The height of the transport: that of its buttons, or what it took in the last frame.
pub fn height(ui: &Ui, theme: &Theme) -> f32 {
    let sign = ui.fonts_mut(|fonts| fonts.row_height(&egui::FontId::proportional(theme.text.heading)));
    let buttons = ui.spacing().interact_size.y.max(sign + 2.0 * ui.spacing().button_padding.y);
    ui.data(|data| data.get_temp(height_id())).unwrap_or(buttons)
}

fn height_id() -> egui::Id {
    egui::Id::unique("height of the transport")
}

/// Shows the transport.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    // Before an audience a narrow window has the modes by their key alone.
    let few = ctx.prefs.present && ui.available_width() < ctx.theme.space(NARROW_WINDOW);
    let row = ui.horizontal(|ui| {
        if !few {
            modes(ctx, ui, actions);
        }
        buttons(ctx, ui, actions);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ctx.prefs.present {
                let help = "Back to all panels (P or Esc)";
                if ui.button("Close").on_hover_text(help).clicked() {
                    ctx.toggle_present();
                }
            }
            let (room, fitting) = fitting(ctx, ui);
            if ctx.model.opening().is_some() {
                // The numbers are those of the scenario before.
                return;
            }
            for part in fitting.into_iter().rev() {
                show_part(ctx, ui, (part, room), actions);
            }
            scrub(ctx, ui, actions);
        });
    });
    let height = row.response.rect.height();
    if (height - self::height(ui, ctx.theme)).abs() > 0.5 {
        ui.data_mut(|data| data.insert_temp(height_id(), height));
        ui.ctx().request_discard("the transport has another height");
    }
}

/// The parts that have space, and how little of it they have so that position and speed are among them.
fn fitting(ctx: &Ctx<'_>, ui: &Ui) -> (Room, Vec<Part>) {
    let spoken = |part: &Part| !ctx.prefs.present || matches!(part, Part::Position | Part::Speed);
    let with = |room: Room| {
        let narrow = room != Room::Usual;
        let mut left = ui.available_width() - ctx.theme.space(if narrow { NARROW_SCRUB } else { SCRUB });
        let fits = |part: &Part| {
            let wide = width(ctx, ui, (*part, room)) + ui.spacing().item_spacing.x;
            let fits = wide <= left;
            left -= if fits { wide } else { 0.0 };
            fits
        };
        // The slider of the position says before an audience where the runs are.
        let mut order = PARTS;
        if narrow && ctx.prefs.present {
            order.sort_by_key(|part| *part != Part::Speed);
        }
        let there: Vec<Part> = order.into_iter().filter(spoken).filter(fits).collect();
        PARTS.into_iter().filter(|part| there.contains(part)).collect::<Vec<_>>()
    };
    // A slider without its value says nothing of the speed.
    let wanted = [Part::Position, Part::Speed, Part::SpeedText].into_iter().filter(spoken);
    let all = |parts: &[Part]| wanted.clone().all(|part| parts.contains(&part));
    let both = |parts: &[Part]| [Part::Position, Part::Speed].iter().all(|part| parts.contains(part));
    let found = Room::ALL.map(|room| (room, with(room)));
    let first = found.iter().find(|(_, parts)| all(parts)).or_else(|| found.iter().find(|(_, parts)| both(parts)));
    first.cloned().unwrap_or_else(|| (Room::Least, with(Room::Least)))
}

/// The width of a part: that of its longest text, so that changing numbers move nothing else.
fn width(ctx: &Ctx<'_>, ui: &Ui, (part, room): (Part, Room)) -> f32 {
    let text = match part {
        Part::Position => {
            let time = ctx.model.frame().time;
            let button = 2.0 * ui.spacing().button_padding.x;
            return button + text_width(ctx, ui, position_words(Time { tick: time.end, ..time }, Unit::of(ctx), room));
        }
        Part::Speed => return ctx.theme.space(if room == Room::Usual { SPEED } else { NARROW_SPEED }),
        Part::SpeedText if room != Room::Usual => "888 k/s".to_owned(),
        Part::SpeedText => match ctx.model.frame().time.clock {
            Clock::Steps => "888 k steps/s".to_owned(),
            Clock::Gradients => format!("888 k {}/s", Unit::of(ctx).cost.name),
        },
        Part::Rate => "8.88 M chain steps/s".to_owned(),
    };
    text_width(ctx, ui, text)
}

fn text_width(ctx: &Ctx<'_>, ui: &Ui, text: String) -> f32 {
    ui.painter().layout_no_wrap(text, ctx.theme.body(), ctx.theme.ink).size().x.ceil()
}

fn show_part(ctx: &Ctx<'_>, ui: &mut Ui, (part, room): (Part, Room), actions: &mut Vec<Action>) {
    let width = width(ctx, ui, (part, room));
    let layout = if part == Part::SpeedText { Layout::left_to_right(Align::Center) } else { *ui.layout() };
    ui.allocate_ui_with_layout(vec2(width, ui.spacing().interact_size.y), layout, |ui| {
        ui.set_min_width(width);
        match part {
            Part::Position => position(ctx, ui, room, actions),
            Part::Speed => speed(ctx, ui, actions),
            Part::SpeedText => {
                let words = speed_words(ctx);
                let text = if room == Room::Usual { words.clone() } else { short_speed(ctx) };
                ui.add(Label::new(text).truncate()).on_hover_text(words);
            }
            Part::Rate => rate(ctx, ui),
        }
    });
}

fn buttons(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    let (begun, finished) = (ctx.model.frame().step > 0, ctx.model.frame().finished());
    step_button(ctx, ui, ("⏮", Command::Start, begun), actions);
    step_button(ctx, ui, ("◀", Command::Back, begun), actions);
    let slow = ctx.view.shown.slow.is_some();
    let moving = ctx.model.status().playing || ctx.model.status().computing.is_some() || slow;
    let (sign, help) = match (moving, ctx.model.mode()) {
        (true, _) => ("⏸", "Pause (Space)"),
        (false, Pacing::Watch) => ("▶", "Play (Space)"),
        (false, Pacing::Instant) => ("▶", "Replay the finished run step by step, at the speed on the right (Space)"),
    };
    let size = vec2(theme.space(BUTTON * 1.5), ui.spacing().interact_size.y);
    let play =
        Button::new(RichText::new(sign).size(theme.text.heading).color(theme.paper)).fill(theme.accent).min_size(size);
    if named(ui.add(play), spec(Command::Play).name).on_hover_text(help).clicked() {
        actions.push(Action::TogglePlay);
    }
    step_button(ctx, ui, ("▶", Command::Forward, !finished), actions);
    step_button(ctx, ui, ("⏭", Command::End, !finished), actions);
}

/// A button for a command that goes to another step.
fn step_button(
    ctx: &mut Ctx<'_>,
    ui: &mut Ui,
    (sign, command, enabled): (&str, Command, bool),
    actions: &mut Vec<Action>,
) {
    let size = vec2(ctx.theme.space(BUTTON), ui.spacing().interact_size.y);
    let button = Button::new(RichText::new(sign).size(ctx.theme.text.heading)).min_size(size);
    let button = named(ui.add_enabled(enabled, button), spec(command).name);
    if button.on_hover_text(tip(command)).clicked() {
        spec(command).run(ctx, &ui.ctx().clone(), actions);
    }
}

fn scrub(ctx: &Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let time = ctx.model.frame().time;
    let mut tick = time.tick;
    ui.spacing_mut().slider_width = (ui.available_width() - ctx.theme.space(2.0)).max(ctx.theme.space(10.0));
    let slider = Slider::new(&mut tick, 0..=time.end).show_value(false);
    let name = match time.clock {
        Clock::Steps => "Step",
        Clock::Gradients => Unit::of(ctx).cost.spent,
    };
    let response = ui.name_inputs(name, |ui| ui.add(slider));
    pauses(ctx, ui, response.rect);
    if response.changed() {
        actions.push(Action::Seek(tick));
    }
}

/// Ticks on the slider where playing stops.
fn pauses(ctx: &Ctx<'_>, ui: &Ui, slider: egui::Rect) {
    let total = ctx.model.frame().time.end.max(1) as f32;
    // The knob is as wide as the slider is high, and its centre stays within.
    let rail = slider.x_range().shrink(slider.height() / 2.5);
    for pause in ctx.model.scenario().view.pause.iter().filter(|pause| **pause as f32 <= total) {
        let x = egui::lerp(rail.min..=rail.max, *pause as f32 / total);
        let y = slider.y_range().shrink(slider.height() * 0.15);
        ui.painter().vline(x, y, egui::Stroke::new(ctx.theme.thin(), ctx.theme.accent));
    }
}

/// The moment that is shown; a click opens the choice of what is counted.
fn position(ctx: &Ctx<'_>, ui: &mut Ui, room: Room, actions: &mut Vec<Action>) {
    let time = ctx.model.frame().time;
    let text = match ctx.model.status().computing {
        Some(share) => format!("Computing {}", numbers::percent(f64::from(share))),
        None => position_words(time, Unit::of(ctx), room),
    };
    let cost = Unit::of(ctx).cost;
    let choices = [
        (Clock::Steps, "steps", "All runs have taken the same number of steps."),
        (Clock::Gradients, cost.name, cost.help),
    ];
    let button = MenuButton::from_button(Button::new(text).frame(false));
    let (response, _) = button.ui(ui, |ui| {
        for (clock, name, help) in choices {
            if ui.radio(time.clock == clock, format!("By {name}")).on_hover_text(help).clicked() {
                actions.push(Action::CountBy(clock));
                ui.close();
            }
        }
    });
    let play = if cost.counts_data {
        format!("Play by steps or by {} that {} seen", cost.name, Whose::of(ctx.model.frame()).0.has())
    } else {
        format!("Play by steps or by {}", cost.axis[0])
    };
    let whole = position_words(time, Unit::of(ctx), Room::Usual);
    response.on_hover_text(if matches!(room, Room::Bare | Room::Least) { format!("{whole}\n{play}") } else { play });
}

fn speed(ctx: &Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let speed = ctx.model.status().speed;
    let mut position = match speed {
        Speed::Full => FULL,
        Speed::Steps(rate) => rate.log10().clamp(SLOWEST, FASTEST),
    };
    ui.spacing_mut().slider_width = ui.available_width();
    let slider = Slider::new(&mut position, SLOWEST..=FULL).show_value(false);
    let response = ui.name_inputs("Speed", |ui| ui.add(slider));
    let help = format!("Speed: {}. From one step per second to full speed.", speed_words(ctx));
    if response.on_hover_text(help).changed() {
        actions.push(Action::Order(Order::Speed(at(position))));
    }
}

fn speed_words(ctx: &Ctx<'_>) -> String {
    let Some((number, unit)) = chosen_rate(ctx) else { return "full speed".to_owned() };
    format!("{number} {unit}/s")
}

/// The speed without what is counted.
fn short_speed(ctx: &Ctx<'_>) -> String {
    chosen_rate(ctx).map_or("full".to_owned(), |(number, _)| format!("{number}/s"))
}

/// What is done per second, and what is counted; `None` at full speed.
fn chosen_rate(ctx: &Ctx<'_>) -> Option<(String, &'static str)> {
    let Speed::Steps(rate) = ctx.model.status().speed else { return None };
    let time = ctx.model.frame().time;
    Some(if time.clock == Clock::Steps {
        (numbers::rate(rate), if (rate - 1.0).abs() < f64::EPSILON { "step" } else { "steps" })
    } else {
        let Unit { cost, per_gradient } = Unit::of(ctx);
        (numbers::rate(rate * time.unit * per_gradient), cost.name)
    })
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
        None if ctx.model.makes_target() => "making the target…".to_owned(),
        None if ctx.view.shown.slow.is_some() => "slow motion".to_owned(),
        None if status.stepping => "step under way".to_owned(),
        None if status.playing => {
            let rate = status.steps_per_second;
            match ctx.model.frame().time.clock {
                // A step now and then is no speed.
                _ if rate < 0.5 => "playing".to_owned(),
                Clock::Steps => format!("{} chain steps/s", numbers::rate(rate)),
                Clock::Gradients => {
                    let Unit { cost, per_gradient } = Unit::of(ctx);
                    format!("{} {}/s", numbers::rate(rate * per_gradient), cost.name)
                }
            }
        }
        None if status.computing.is_some() => String::new(),
        None if ctx.model.frame().finished() => match ctx.model.mode() {
            Pacing::Instant => format!("finished in {}", numbers::duration(status.took)),
            Pacing::Watch => "finished".to_owned(),
        },
        None => "paused".to_owned(),
    };
    ui.add(Label::new(RichText::new(text).color(ctx.theme.soft)).truncate()).on_hover_text(
        "Measured speed: steps per second, summed over chains; by gradients or documents, those of each run",
    );
}
