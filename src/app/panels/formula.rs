//! Editor of a written density: its text, how it was understood, what is wrong with it and where, a picture of what it would be, and
//! examples.

use std::ops::Range;

use egui::text::{LayoutJob, TextFormat};
use egui::{
    Color32, Key, KeyboardShortcut, Label, Modifiers, RichText, Stroke, TextEdit, TextureHandle, TextureOptions, Ui,
};

use super::formula_below::{Asked, Standing, explain, nothing_written, proposal};
use super::formula_form::{looked_like, symbol};
use crate::app::action::{Action, EditAction};
use crate::app::experiment::param_edit::ParamEdit;
use crate::app::recovery::typed::Writing;
use crate::app::state::Ctx;
use crate::app::thumbnails::pixels;
use base::math::{Bounds, Point};
use base::params::{NamedNumber, ParamType, Settings, Value, find_kind, printable};
use draw::geometry::DensityImage;
use draw::kit::formula::Picture;
use draw::theme::{Appearance, Theme};
use models::formula::{EXAMPLES, Example, Form, Formula};
use models::targets::{Editor, TARGETS, editor_of};

/// The numbers in it.
pub const PARAMETERS: &str = "parameters";

/// The size of the picture, in pixels.
const CELLS: [usize; 2] = [112, 84];

/// The picture of a draft, and what it depends on.
#[derive(Clone)]
struct Preview {
    of: PreviewOf,
    texture: TextureHandle,
}

#[derive(Clone, PartialEq)]
struct PreviewOf {
    text: String,
    form: Form,
    numbers: Vec<f64>,
    view: Bounds,
    mode: Appearance,
}

/// The newest text that could be read, typeset, and what that depends on.
#[derive(Clone)]
struct Understood {
    /// The formula of the target when it was read.
    base: String,
    text: String,
    form: Form,
    /// Bits of the width of the panel and of the size of the text.
    sizes: [u32; 2],
    /// The lines of it that nothing is made of.
    unused: String,
    picture: Picture,
}

/// The editor, if the target is a formula. Returns the edits that apply what is being written, none if that cannot be read: another
/// edit of the target takes them with it. `None` if nothing is being written: the text is that of the target as it was asked for.
pub fn editor(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) -> Option<Vec<ParamEdit>> {
    let target = ctx.model.asked_target().clone();
    if !matches!(editor_of(target.kind), Some(Editor::Text(_))) {
        return None;
    }
    if ctx.locks("target.density") {
        // It is what the panel is about.
        ui.add(Label::new(printable(target.word("density"))).wrap());
        return None;
    }
    let writing = fields(ctx, ui, &target, actions);
    ui.add_space(ctx.theme.space(1.0));
    writing
}

fn fields(ctx: &mut Ctx<'_>, ui: &mut Ui, target: &Settings, actions: &mut Vec<Action>) -> Option<Vec<ParamEdit>> {
    let theme = ctx.theme;
    let id = ui.scope_id().with("formula");
    let now = target.word("density").to_owned();
    let kept = ctx.view.forms.formula.take().filter(|writing| writing.base == now);
    let mut draft = kept.unwrap_or_else(|| Writing { base: now.clone(), text: now.clone() });
    let label = ui.horizontal(|ui| {
        let help = "Names: x and y are the coordinates, others are parameters. Functions: exp, ln, sqrt, sin, cos, tan, atan, \
                    tanh, sigmoid, softplus, abs, min, max, logsumexp, cosh, sinh, erf, Phi, lgamma, and log densities such as \
                    normal_lpdf(x | 0, 1) by Stan's names; # begins a comment. A line such as r = sqrt(x² + y²) before the last \
                    is an abbreviation. x[1], x[2], … are the coordinates of more than two dimensions, and sum(x[i]²) goes over them.";
        let label = ui.label("formula").on_hover_text(help).id;
        ui.menu_button("Examples", |ui| {
            for example in &EXAMPLES {
                let label = find_kind(&TARGETS, example.target).map_or(example.target, |kind| kind.label);
                if ui.button(label).on_hover_text(example.text).clicked() {
                    actions.push(Action::Edit(EditAction::Target(edits_of_example(target, example))));
                }
            }
        })
        .response
        .on_hover_text("Densities of the gallery as formulas");
        label
    });
    let read = Formula::read(&draft.text);
    let at = read.as_ref().err().map(|error| error.at.clone());
    let enter = KeyboardShortcut::new(Modifiers::SHIFT, Key::Enter);
    let mut layouter = |ui: &Ui, text: &dyn egui::TextBuffer, width: f32| {
        ui.fonts_mut(|fonts| fonts.layout_job(marked(text.as_str(), at.as_ref(), theme, width)))
    };
    let field = TextEdit::multiline(&mut draft.text).desired_rows(2).desired_width(f32::INFINITY);
    let field = field.return_key(enter).layouter(&mut layouter).hint_text("−(x² + y²)/2");
    let response = ui.add(field).labelled_by(label.inner);
    // What follows is about the text after this frame's keys.
    let read = if response.changed() { Formula::read(&draft.text) } else { read };
    let other = read.as_ref().ok().filter(|_| draft.text != now);
    let other =
        other.and_then(|formula| looked_like(ui, id, (&draft.text, formula), &numbers(target, formula), target));
    understood(ui, theme, id, (&draft, Form::of(target.word("form"))), (read.is_ok(), other));
    let pressed = response.has_focus() && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
    match &read {
        Err(error) => explain(ui, theme, error),
        Ok(formula) if draft.text != now => {
            let view = ctx.model.frame().target.info().view;
            let picture = preview(ui, id, &draft.text, formula, target, view, theme);
            match proposal(ui, theme, picture.as_ref(), formula, other) {
                Some(Asked::Undo) => draft.text.clone_from(&now),
                Some(Asked::Read(form)) => {
                    let mut edits = edits(target, &draft.text, formula);
                    edits.push(edit("form", Value::Choice(form)));
                    actions.push(Action::Edit(EditAction::Target(edits)));
                }
                asked if pressed || asked.is_some() => {
                    actions.push(Action::Edit(EditAction::Target(edits(target, &draft.text, formula))));
                }
                _ => {}
            }
        }
        Ok(_) => {
            let refused = ctx.model.refused_target().and_then(|refused| refused.errors.first());
            let frame = ctx.model.frame();
            let standing = match refused {
                _ if ctx.model.is_checking_target() => Standing::Checked,
                Some(error) => Standing::Refused(error),
                None => Standing::InUse(frame.target.remarks()),
            };
            let form = nothing_written(ui, theme, standing);
            let edits = form.map(|form| vec![edit("form", Value::Choice(form))]);
            actions.extend(edits.map(|edits| Action::Edit(EditAction::Target(edits))));
        }
    }
    if draft.text == now {
        return None;
    }
    let writing = read.map_or_else(|_| Vec::new(), |formula| edits(target, &draft.text, &formula));
    ctx.view.forms.formula = Some(draft);
    Some(writing)
}

/// What was understood, typeset. Of a text with an error it is the newest one before it, or that of the target: faint, and a line above, which
/// is always there, says so.
fn understood(
    ui: &mut Ui,
    theme: &Theme,
    id: egui::Id,
    (draft, form): (&Writing, Form),
    (is_right, other): (bool, Option<&'static str>),
) {
    let id = id.with("understood");
    let sizes = [ui.available_width(), theme.text.body].map(f32::to_bits);
    let known = ui.data(|data| data.get_temp::<Understood>(id)).filter(|known| known.base == draft.base);
    let text = match &known {
        _ if is_right => &draft.text,
        Some(known) => &known.text,
        None => &draft.base,
    };
    let current = known.clone().filter(|known| known.text == *text && known.form == form && known.sizes == sizes);
    let known = current.or_else(|| {
        let formula = Formula::read(text).ok()?;
        let (picture, unused) = (Picture::new(ui, theme, &formula, form), formula.unused_lines().join(", "));
        let new = Understood { base: draft.base.clone(), text: text.clone(), form, sizes, unused, picture };
        ui.data_mut(|data| data.insert_temp(id, new.clone()));
        Some(new)
    });
    let Some(known) = known else { return };
    let (line, name, colours) = if is_right {
        let line = match other {
            Some(other) => format!("read as {}; looks like {}", symbol(form), symbol(Form::of(other))),
            // Once it is applied, the line below says so.
            None if !known.unused.is_empty() && draft.text != draft.base => {
                format!("understood as; not used: {}", known.unused)
            }
            None => "understood as".to_owned(),
        };
        (line, "Understood as", [theme.soft, theme.ink])
    } else {
        ("▲ last text without an error".to_owned(), "Last text without an error", [theme.error, theme.faint])
    };
    ui.add(Label::new(RichText::new(line).font(theme.small()).color(colours[0])).truncate());
    let response = known.picture.show(ui, theme, colours[1]);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, format!("{name}: {}", known.text)));
    response.on_hover_text(format!("{name}:\n{}", known.text));
    ui.add_space(theme.space(0.5));
}

/// The text with the characters of an error underlined; an error at the end marks the last one.
fn marked(text: &str, at: Option<&Range<usize>>, theme: &Theme, width: f32) -> LayoutJob {
    let font = theme.body();
    let plain = TextFormat::simple(font, theme.ink);
    let wrong = TextFormat {
        underline: Stroke::new(theme.line(), theme.error),
        background: Color32::TRANSPARENT,
        ..plain.clone()
    };
    let count = text.chars().count();
    let range = at.map_or(count..count, |at| {
        at.start.min(count.saturating_sub(1))..at.end.clamp(at.start + 1, count.max(at.start + 1))
    });
    let mut job = LayoutJob::default();
    job.wrap.max_width = width;
    let byte = |character: usize| text.char_indices().nth(character).map_or(text.len(), |(byte, _)| byte);
    let (from, to) = (byte(range.start), byte(range.end));
    job.append(&text[..from], 0.0, plain.clone());
    job.append(&text[from..to], 0.0, wrong);
    job.append(&text[to..], 0.0, plain);
    job
}

/// The picture of a draft in a view, made anew when the text changes.
fn preview(
    ui: &Ui,
    id: egui::Id,
    text: &str,
    formula: &Formula,
    target: &Settings,
    view: Bounds,
    theme: &Theme,
) -> Option<TextureHandle> {
    // Without its data it is another density; of many coordinates the canvas shows draws alone.
    if formula.columns().next().is_some() || formula.is_in_vectors() {
        return None;
    }
    let id = id.with("picture");
    let numbers: Vec<f64> = numbers(target, formula).into_iter().map(|number| number.value).collect();
    let form = Form::of(target.word("form"));
    let of = PreviewOf { text: text.to_owned(), form, numbers, view, mode: theme.mode };
    if let Some(known) = ui.data(|data| data.get_temp::<Preview>(id)).filter(|known| known.of == of) {
        return Some(known.texture);
    }
    let PreviewOf { numbers, .. } = &of;
    let density = formula.density(numbers, form).ok()?;
    let image = DensityImage::by(view, CELLS[0], CELLS[1], |at: Point| {
        let value = density.value(at.x, at.y);
        if value < f64::INFINITY { value } else { f64::NEG_INFINITY }
    });
    let pixels = pixels(&image, CELLS, theme, !formula.coordinates()[1]);
    let texture = ui.ctx().load_texture("formula", pixels, TextureOptions::LINEAR);
    ui.data_mut(|data| data.insert_temp(id, Preview { of, texture: texture.clone() }));
    Some(texture)
}

/// The parameters of a formula, with the numbers that those of the target have, and 1 for new ones.
fn numbers(target: &Settings, formula: &Formula) -> Vec<NamedNumber> {
    let known = target.named(PARAMETERS);
    let number = |name: &str| {
        let found = known.iter().find(|number| number.name == name).cloned();
        found.unwrap_or_else(|| NamedNumber::new(name, 1.0))
    };
    formula.parameters().map(number).collect()
}

fn edit(path: &str, value: Value) -> ParamEdit {
    ParamEdit { path: path.to_owned(), value: Some(value) }
}

fn edits(target: &Settings, text: &str, formula: &Formula) -> Vec<ParamEdit> {
    vec![edit("density", Value::Text(text.to_owned())), edit(PARAMETERS, Value::Named(numbers(target, formula)))]
}

fn edits_of_example(target: &Settings, example: &Example) -> Vec<ParamEdit> {
    let named = example.parameters.iter().map(|(name, value)| NamedNumber::new(*name, *value)).collect();
    let mut edits = vec![
        edit("density", Value::Text(example.text.to_owned())),
        edit("form", Value::Choice("log-density")),
        edit(PARAMETERS, Value::Named(named)),
    ];
    for (axis, key) in ["support_x", "support_y"].into_iter().enumerate() {
        if let Some(ParamType::Group(kinds)) = target.kind.param(key).map(|spec| spec.ty)
            && let Some(kind) = find_kind(kinds, example.support[axis])
        {
            edits.push(edit(key, Value::Group(Settings::defaults(kind))));
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;

    use super::*;
    use draw::theme;
    use egui::vec2;

    /// How far the cursor of a panel moves over what was understood of a text, which `says` this.
    fn shown(text: &str, says: [&str; 2], other: Option<&'static str>) -> f32 {
        let look = Theme::default();
        let draft = Writing { base: "−x²".to_owned(), text: text.to_owned() };
        let is_right = Formula::read(text).is_ok();
        let builder = Harness::builder().with_size(vec2(280.0, 600.0)).with_context_setup(theme::install_fonts);
        let mut harness = builder.build_ui_state(
            move |ui, height: &mut f32| {
                theme::apply(ui.ctx(), &look);
                let before = ui.cursor().top();
                let id = ui.scope_id();
                understood(ui, &look, id, (&draft, Form::LogDensity), (is_right, other));
                *height = ui.cursor().top() - before;
            },
            0.0,
        );
        harness.run();
        let says_all = says.iter().all(|words| harness.query_all_by_label_contains(words).next().is_some());
        assert!(says_all, "{text}");
        *harness.state()
    }

    #[test]
    fn a_text_with_an_error_has_what_was_understood_before_it_in_the_same_space() {
        let height = shown("−x²", ["understood as", "Understood as: −x²"], None);
        let faulty = shown("−x² − qq(x)", ["last text without an error", "Last text without an error: −x²"], None);
        approx::assert_relative_eq!(faulty, height);
        let says = ["read as log p; looks like −log p", "Understood as: −x²"];
        approx::assert_relative_eq!(shown("−x²", says, Some("energy")), height);
        shown("r = x\n−x²", ["understood as; not used: r", "Understood as: r = x"], None);
    }
}
