//! The look of single runs: what a figure calls them, their colours, their markers and the dashes of their lines.

use egui::{Button, Color32, ComboBox, Id, Popup, PopupCloseBehavior, TextEdit, Ui, color_picker, vec2};

use super::entries::fault;
use super::texts::set_text;
use base::params::{ParamError, ParamType, Settings, Value};
use draw::kit::named::{named, part, with_name};
use draw::kit::run_marker;
use draw::sheet::{ExportOptions, Told, runs_alike};
use draw::theme::{Theme, rgb};
use engine::scenario::Scenario;
use engine::scenario::figures::{FIGURE, colour_of, given};

/// What a figure says of a run, by its keys.
const LOOKS: [&str; 4] = ["label", "colour", "marker", "dash"];

/// Widths of the lists of markers and of dashes, in units of the theme.
const MARKER: f32 = 17.0;
const DASH: f32 = 15.0;

/// Shows each run, its name above its look; changes `figure`. `told` is what the last preview told.
pub fn show(
    ui: &mut Ui,
    theme: &Theme,
    (scenario, options, told): (&Scenario, &ExportOptions, &Told),
    (figure, wrong): (&mut Settings, &[ParamError]),
) {
    let names: Vec<&str> = scenario.runs.iter().map(|run| run.name.as_str()).collect();
    let look = options.theme().of_figure(figure, &names);
    for (number, name) in names.iter().enumerate() {
        let before = own(figure, name);
        let mut after = before.clone();
        part(ui, ("run", number), |ui| {
            ui.horizontal(|ui| {
                run_marker::show(ui, &look, look.run(number)).on_hover_text(*name);
                let mut label = after.word("label").to_owned();
                let field = TextEdit::singleline(&mut label).hint_text(*name).desired_width(f32::INFINITY);
                let field = with_name(ui.add(field), &format!("Label of {name}"));
                if field.on_hover_text("What the figure calls it, as in \\alpha = 0.1 or SGLD_{small}").changed() {
                    set_text(&mut after, "label", &label);
                }
            });
            ui.horizontal(|ui| {
                ui.add_space(run_marker::width(theme) + ui.spacing().item_spacing.x);
                colour(ui, theme, (name, look.run(number).colour), &mut after);
                choose(ui, theme, (name, "marker", MARKER), &mut after);
                choose(ui, theme, (name, "dash", DASH), &mut after);
                let own = says_something(&before);
                let reset = named(ui.add_enabled(own, Button::new("⟲").small()), &format!("As usual: {name}"));
                if reset.on_hover_text("Colour, marker, dash and label as usual").clicked() {
                    LOOKS.into_iter().for_each(|key| after.clear(key));
                }
            });
        });
        if let Some(entry) = figure.list("run").iter().position(|run| run.word("name") == *name) {
            fault(ui, theme, wrong, &format!("run[{entry}].colour"));
        }
        if after != before {
            put(figure, name, after);
        }
    }
    let mut drawn = scenario.clone();
    drawn.view.figure = Some(figure.clone());
    // What the figure tells stands below its picture.
    for sentence in runs_alike(&drawn).iter().filter(|sentence| !told.warnings.contains(sentence)) {
        ui.label(egui::RichText::new(format!("⚠ {sentence}")).font(theme.small()).color(theme.warning));
    }
}

/// The colour of a run: a field of colours to choose from, and its digits.
fn colour(ui: &mut Ui, theme: &Theme, (name, now): (&str, Color32), run: &mut Settings) {
    let written = |colour: Color32| {
        let [red, green, blue] = rgb(colour);
        format!("#{red:02x}{green:02x}{blue:02x}")
    };
    let swatch = Button::new("").fill(now).min_size(vec2(theme.space(7.0), ui.spacing().interact_size.y));
    let swatch = named(ui.add(swatch), &format!("Colour of {name}")).on_hover_text("Choose its colour");
    Popup::menu(&swatch).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        // Above the dialog, whichever was opened last.
        ui.ctx().move_to_top(ui.layer_id());
        let mut chosen = now;
        if color_picker::color_picker_color32(ui, &mut chosen, color_picker::Alpha::Opaque) {
            set_text(run, "colour", &written(chosen));
        }
    });
    // What is typed is no colour until it is whole: it is taken then, or once the field is left.
    let memory = Id::unique(("digits of a colour that are typed", name));
    let typed = ui.data(|data| data.get_temp::<String>(memory));
    let given = || given(run, "colour").map_or_else(|| written(now), str::to_owned);
    let mut digits = typed.clone().unwrap_or_else(given);
    let field = TextEdit::singleline(&mut digits).desired_width(theme.space(20.0));
    let field = ui.name_inputs(format!("Digits of the colour of {name}"), |ui| ui.add(field));
    let field = field.on_hover_text("Red, green and blue, as #0072b2");
    if field.changed() {
        ui.data_mut(|data| data.insert_temp(memory, digits.clone()));
    }
    if field.changed() && (digits.is_empty() || colour_of(&digits).is_some()) || field.lost_focus() && typed.is_some() {
        set_text(run, "colour", &digits);
    }
    if !field.has_focus() {
        ui.data_mut(|data| data.remove_temp::<String>(memory));
    }
}

/// A list of the words of a key, with its name where nothing is said.
fn choose(ui: &mut Ui, theme: &Theme, (name, key, width): (&str, &str, f32), run: &mut Settings) {
    let Some(spec) = run.kind.param(key) else { return };
    let (choices, word) = (spec.choices(), given(run, key));
    let label = choices.iter().find(|choice| Some(choice.name) == word).map_or(spec.label, |choice| choice.label);
    let mut chosen = None;
    let list = ui.name_inputs(format!("{} of {name}", first_upper(spec.label)), |ui| {
        ComboBox::from_id_salt(key).width(theme.space(width)).truncate().selected_text(label).show_ui(ui, |ui| {
            ui.ctx().move_to_top(ui.layer_id());
            for choice in choices {
                if ui.selectable_label(Some(choice.name) == word, choice.label).clicked() {
                    chosen = Some(choice.name);
                }
            }
        })
    });
    list.response.on_hover_text(spec.help);
    if let Some(chosen) = chosen {
        run.set(key, Value::Choice(chosen)).ok();
    }
}

fn first_upper(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What a figure says of a run; nothing but its name where it says nothing.
fn own(figure: &Settings, name: &str) -> Settings {
    let known = figure.list("run").iter().find(|run| run.word("name") == name).cloned();
    known.unwrap_or_else(|| {
        let kind =
            FIGURE.param("run").and_then(|spec| if let ParamType::List(kind) = spec.ty { Some(kind) } else { None });
        let mut run = Settings::defaults(kind.unwrap_or(&FIGURE));
        set_text(&mut run, "name", name);
        run
    })
}

/// Whether a look says more than whose it is.
fn says_something(look: &Settings) -> bool {
    LOOKS.into_iter().any(|key| given(look, key).is_some())
}

fn put(figure: &mut Settings, name: &str, look: Settings) {
    let mut runs: Vec<Settings> = figure.list("run").to_vec();
    match runs.iter().position(|run| run.word("name") == name) {
        Some(known) => runs[known] = look,
        None => runs.push(look),
    }
    runs.retain(says_something);
    if runs.is_empty() {
        figure.clear("run");
    } else {
        // It has all that is required.
        figure.set("run", Value::List(runs)).ok();
    }
}
