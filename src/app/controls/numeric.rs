//! Controls for numbers: a slider with a field, a field alone, a pair of fields.

use egui::{DragValue, FontId, Slider, SliderClamping, TextStyle, Ui};

use base::params::{Interval, ParamSpec, ParamType};
use draw::kit::gestures::Gesture;
use draw::words::numbers;

/// The smallest width of a number field, in widths of the smallest control of egui.
const FIELD_WIDTH: f32 = 1.3;

/// The smallest width of a slider, in widths of the smallest control; without that space only the field is shown.
const SLIDER_MIN_WIDTH: f32 = 0.6;

/// Share of the slider's range that a field changes by per point dragged.
const DRAG_SHARE: f64 = 1.0 / 300.0;

/// What can be done with a number.
pub const GESTURES: [Gesture; 3] = [
    Gesture::at("Numbers", "Drag", "Change the number"),
    Gesture::at("Numbers", "Click", "Type a number"),
    Gesture::at("Numbers", "Shift while dragging", "Change it ten times as slowly"),
];

/// The range of a number.
pub struct Scale {
    /// The allowed values.
    pub legal: Interval,
    /// The ends of the slider.
    pub slider: (f64, f64),
    /// Whether the slider is logarithmic.
    pub log: bool,
    /// Whether only whole numbers are allowed.
    pub whole: bool,
}

impl Scale {
    /// The range of a parameter, if it is a number.
    #[must_use]
    pub fn of(spec: &ParamSpec) -> Option<Self> {
        match spec.ty {
            ParamType::Number { legal, slider, log } => Some(Self { legal, slider, log, whole: false }),
            ParamType::Integer { legal, slider, log } => Some(Self { legal, slider, log, whole: true }),
            _ => None,
        }
    }
}

/// How much larger the value of a control is that stands alone than a heading.
const LARGE: f32 = 1.6;

/// A number as the only control of a panel: its name, its value in large type, and a slider as wide as the panel. Returns the new value if
/// it was edited.
pub fn large(ui: &mut Ui, (label, help): (&str, &str), value: f64, scale: &Scale) -> Option<f64> {
    ui.vertical(|ui| {
        let name = ui.label(label).on_hover_text(help);
        let mut edited = value;
        let mut changed = false;
        ui.label_inputs_by(name.id, |ui| {
            ui.scope(|ui| {
                let font = TextStyle::Heading.resolve(ui.style());
                let font = FontId { size: LARGE * font.size, ..font };
                let style = TextStyle::Name("large value".into());
                ui.style_mut().text_styles.insert(style.clone(), font);
                ui.style_mut().drag_value_text_style = style;
                ui.spacing_mut().interact_size.y *= LARGE;
                let (width, speed) = (ui.available_width(), speed(edited, scale));
                changed |= number_field(ui, &mut edited, scale.legal, speed, width);
            });
            let width = ui.available_width();
            changed |= slider(ui, &mut edited, scale, width);
        });
        let edited = if scale.whole { edited.round() } else { edited };
        (changed && edited.to_bits() != value.to_bits()).then_some(edited)
    })
    .inner
}

/// A slider of some width; returns whether it was moved.
fn slider(ui: &mut Ui, edited: &mut f64, scale: &Scale, width: f32) -> bool {
    ui.spacing_mut().slider_width = width;
    let (low, high) = scale.slider;
    let slider = Slider::new(edited, low..=high)
        .logarithmic(scale.log)
        .smallest_positive(if low > 0.0 { low } else { high * 1e-6 })
        .clamping(SliderClamping::Edits)
        .show_value(false);
    let slider = if scale.whole { slider.step_by(1.0) } else { slider };
    let changed = ui.add(slider).changed();
    if changed && !scale.whole {
        *edited = rounded(*edited);
    }
    changed
}

/// A slider over the usual range, and a field for any allowed value. Returns the new value if it was edited.
pub fn number(ui: &mut Ui, value: f64, scale: &Scale) -> Option<f64> {
    let mut edited = value;
    let spacing = ui.spacing().item_spacing.x;
    let slider_width = ui.available_width() - field_width(ui, value) - spacing;
    let mut changed = false;
    if slider_width >= SLIDER_MIN_WIDTH * ui.spacing().interact_size.x {
        changed |= slider(ui, &mut edited, scale, slider_width);
    }
    changed |= field(ui, &mut edited, scale);
    let edited = if scale.whole { edited.round() } else { edited };
    (changed && edited.to_bits() != value.to_bits()).then_some(edited)
}

/// The width of a field in which no digit of a number is cut.
fn field_width(ui: &Ui, value: f64) -> f32 {
    let font = TextStyle::Body.resolve(ui.style());
    let text = ui.painter().layout_no_wrap(numbers::exact(value), font, ui.visuals().text_color());
    let spacing = ui.spacing();
    (text.size().x + 2.0 * spacing.button_padding.x).max(FIELD_WIDTH * spacing.interact_size.x).ceil()
}

fn field(ui: &mut Ui, value: &mut f64, scale: &Scale) -> bool {
    let (width, speed) = (field_width(ui, *value), speed(*value, scale));
    number_field(ui, value, scale.legal, speed, width)
}

/// By how much a field changes per point dragged.
fn speed(value: f64, scale: &Scale) -> f64 {
    let span = if scale.log { value.abs() * 3.0 } else { scale.slider.1 - scale.slider.0 };
    (span * DRAG_SHARE).max(if scale.whole { 0.1 } else { f64::MIN_POSITIVE })
}

/// A field for a typed or dragged number; returns whether it was edited. A drag stays within `legal`. A typed number may
/// be outside: then the edit is refused with a message.
pub fn number_field(ui: &mut Ui, value: &mut f64, legal: Interval, speed: f64, width: f32) -> bool {
    let before = *value;
    let height = ui.spacing().interact_size.y;
    let field = DragValue::new(value)
        .speed(speed)
        .update_while_editing(false)
        .clip_text(true)
        .custom_formatter(|value, _| numbers::exact(value))
        .custom_parser(numbers::parse);
    let response = ui.add_sized([width, height], field);
    if response.dragged() && !legal.contains(*value) {
        *value = before;
    }
    response.changed() && value.to_bits() != before.to_bits()
}

/// A value of the slider, rounded to three significant digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

/// Two number fields.
pub fn pair(ui: &mut Ui, legal: Interval, numbers: [f64; 2]) -> Option<[f64; 2]> {
    let mut edited = numbers;
    let width = 0.5 * (ui.available_width() - ui.spacing().item_spacing.x);
    let mut changed = false;
    for number in &mut edited {
        let speed = number.abs().max(1.0) * DRAG_SHARE;
        changed |= number_field(ui, number, legal, speed, width.min(1.4 * FIELD_WIDTH * ui.spacing().interact_size.x));
    }
    changed.then_some(edited)
}
