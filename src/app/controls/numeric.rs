//! Controls for numbers: a slider with a field, a field alone, a pair of fields.

use egui::{DragValue, Slider, SliderClamping, TextStyle, Ui};

use base::params::Interval;
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

/// A slider over the usual range, and a field for any allowed value. Returns the new value if it was edited.
pub fn number(ui: &mut Ui, value: f64, scale: &Scale) -> Option<f64> {
    let mut edited = value;
    let spacing = ui.spacing().item_spacing.x;
    let slider_width = ui.available_width() - field_width(ui, value) - spacing;
    let mut changed = false;
    if slider_width >= SLIDER_MIN_WIDTH * ui.spacing().interact_size.x {
        ui.spacing_mut().slider_width = slider_width;
        let (low, high) = scale.slider;
        let slider = Slider::new(&mut edited, low..=high)
            .logarithmic(scale.log)
            .smallest_positive(if low > 0.0 { low } else { high * 1e-6 })
            .clamping(SliderClamping::Edits)
            .show_value(false);
        let slider = if scale.whole { slider.step_by(1.0) } else { slider };
        changed |= ui.add(slider).changed();
        if changed && !scale.whole {
            edited = rounded(edited);
        }
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
    let span = if scale.log { value.abs() * 3.0 } else { scale.slider.1 - scale.slider.0 };
    let speed = (span * DRAG_SHARE).max(if scale.whole { 0.1 } else { f64::MIN_POSITIVE });
    let width = field_width(ui, *value);
    number_field(ui, value, scale.legal, speed, width)
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
