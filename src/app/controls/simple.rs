//! Controls for single values: numbers, flags, words, pairs.

use egui::{ComboBox, DragValue, Slider, SliderClamping, TextEdit, TextStyle, Ui};

use crate::draw::numbers;
use crate::params::{Choice, Interval, KindSpec, ParamSpec, ParamType, Value};

/// Width of a field for a typed number at least, in widths of the smallest control.
const FIELD_WIDTH: f32 = 1.7;

/// A slider narrower than this is left out in favour of the field, in widths of the smallest control.
const SLIDER_MIN_WIDTH: f32 = 1.0;

/// Share of the slider's range that a field moves per point dragged.
const DRAG_SHARE: f64 = 1.0 / 300.0;

/// Shows the control for a value; returns the new value if it was edited.
pub fn value(ui: &mut Ui, spec: &ParamSpec, value: &Value) -> Option<Value> {
    match (spec.ty, value) {
        (ParamType::Number { legal, slider, log }, Value::Number(number)) => {
            number_control(ui, *number, &Scale { legal, slider, log, whole: false }).map(Value::Number)
        }
        (ParamType::Integer { legal, slider, log }, Value::Number(number)) => {
            number_control(ui, *number, &Scale { legal, slider, log, whole: true }).map(Value::Number)
        }
        (ParamType::Flag, Value::Flag(on)) => flag(ui, spec, *on).map(Value::Flag),
        (ParamType::Choice(choices), Value::Choice(word)) => choice(ui, spec.label, choices, word).map(Value::Choice),
        (ParamType::Text, Value::Text(text)) => committed_text(ui, spec.label, text).map(Value::Text),
        (ParamType::Pair { legal }, Value::Pair(numbers)) => pair(ui, legal, *numbers).map(Value::Pair),
        (ParamType::Covariance, Value::Covariance(matrix)) => {
            super::compound::covariance(ui, *matrix).map(Value::Covariance)
        }
        (ParamType::Knots, Value::Knots(knots)) => super::compound::knots(ui, knots).map(Value::Knots),
        // A value of another type than its table says cannot be made; there is nothing to show for it.
        _ => None,
    }
}

/// How a number is offered.
struct Scale {
    legal: Interval,
    slider: (f64, f64),
    log: bool,
    whole: bool,
}

/// A slider over the usual range and a field that takes anything legal.
fn number_control(ui: &mut Ui, value: f64, scale: &Scale) -> Option<f64> {
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

/// The width of a field that shows a number whole.
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

/// A field for a typed or dragged number. What is typed may be out of range: then it is refused with a message.
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

/// A slider position to three significant digits: what a person would have typed.
fn rounded(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

fn flag(ui: &mut Ui, spec: &ParamSpec, on: bool) -> Option<bool> {
    let mut edited = on;
    ui.checkbox(&mut edited, "").on_hover_text(spec.help).changed().then_some(edited)
}

fn choice(ui: &mut Ui, label: &str, choices: &'static [Choice], word: &str) -> Option<&'static str> {
    let shown = choices.iter().find(|choice| choice.name == word).map_or(word, |choice| choice.label);
    let mut chosen = None;
    combo(ui, label, shown, |ui| {
        for choice in choices {
            if ui.selectable_label(choice.name == word, choice.label).on_hover_text(choice.help).clicked() {
                chosen = Some(choice.name);
            }
        }
    });
    chosen
}

/// A choice between kinds; returns the new one if it is another.
pub fn kind(ui: &mut Ui, label: &str, kinds: &'static [KindSpec], current: &KindSpec) -> Option<&'static KindSpec> {
    let mut chosen = None;
    combo(ui, label, current.label, |ui| {
        for kind in kinds {
            let selected = kind == current;
            if ui.selectable_label(selected, kind.label).on_hover_text(kind.help).clicked() && !selected {
                chosen = Some(kind);
            }
        }
    });
    chosen
}

fn combo(ui: &mut Ui, label: &str, shown: &str, entries: impl FnOnce(&mut Ui)) {
    let width = ui.available_width();
    ui.name_inputs(label, |ui| {
        ComboBox::from_id_salt(label).selected_text(shown).width(width).truncate().show_ui(ui, entries)
    });
}

/// A text field whose text counts when Enter is pressed or the field is left.
pub fn committed_text(ui: &mut Ui, label: &str, text: &str) -> Option<String> {
    let id = ui.scope_id().with(("text", label));
    let mut draft = ui.data(|data| data.get_temp::<String>(id)).unwrap_or_else(|| text.to_owned());
    let response = ui.add(TextEdit::singleline(&mut draft).desired_width(ui.available_width()));
    if response.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, draft));
        return None;
    }
    ui.data_mut(|data| data.remove::<String>(id));
    let escaped = ui.input(|input| input.key_pressed(egui::Key::Escape));
    (response.lost_focus() && !escaped && draft != text).then_some(draft)
}

fn pair(ui: &mut Ui, legal: Interval, numbers: [f64; 2]) -> Option<[f64; 2]> {
    let mut edited = numbers;
    let width = 0.5 * (ui.available_width() - ui.spacing().item_spacing.x);
    let mut changed = false;
    for number in &mut edited {
        let speed = number.abs().max(1.0) * DRAG_SHARE;
        changed |= number_field(ui, number, legal, speed, width.min(1.4 * FIELD_WIDTH * ui.spacing().interact_size.x));
    }
    changed.then_some(edited)
}
