//! The table of the trials: heads that sort, a row for each trial with its sparkline and its note.

use std::sync::Arc;

use egui::{Button, Grid, Label, RichText, Role, ScrollArea, TextEdit, TextStyle, TextWrapMode, Ui, WidgetInfo, vec2};

use crate::app::action::Action;
use crate::app::state::Ctx;
use crate::app::studies::along::main_measure;
use crate::app::trials::table::{Column, NONE, Quantity, Sheet};
use crate::app::trials::trial::Trial;
use draw::kit::named::{named, with_name};
use draw::kit::run_marker;
use draw::kit::sparkline::{self, Course};
use draw::readout::DIVERGED;
use draw::theme::Theme;
use draw::words::numbers;

/// Widths of the column of notes, and of a column of words at most, in units of the theme.
const NOTE: f32 = 44.0;
const WORDS: f32 = 40.0;

/// Why a trial has no value of what compares with the truth.
const HIDDEN_THEN: &str = "The truth was hidden when this trial was kept. Open the trial after Reveal and keep it again: then it has measures against the truth";

/// Shows the table in the space there is.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, sheet: &Sheet, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    let chosen = ctx.view.trials.notebook.chosen().map(<[String]>::to_vec);
    let lines: Vec<Line> = sheet.trials.iter().map(|trial| Line::of(trial, sheet, chosen.as_deref())).collect();
    let main = sheet.trials.iter().find_map(|trial| main_measure(trial, chosen.as_deref())).map(str::to_owned);
    // The sparkline is behind the measure that it shows.
    let of_main =
        |column: &Column| matches!((&column.quantity, &main), (Quantity::Measure(key), Some(main)) if key == main);
    let after = sheet.columns.iter().rposition(of_main);
    let main = after.and_then(|after| sheet.columns.get(after)).map(|column| column.label.clone()).unwrap_or_default();
    let range = sparkline::range(lines.iter().flat_map(|line| &line.courses)).unwrap_or([0.0, 1.0]);
    let gap = theme.space(4.0);
    // All cells are lower: both tables have rows of one height.
    let height = ui.spacing().interact_size.y.max(sparkline::height(ui, theme)) + theme.space(1.0);
    let grid = |name: &str| Grid::new(name).striped(true).spacing([gap, theme.space(1.0)]).min_row_height(height);
    // The bars have space of their own, and are there to be seen.
    let bar = &mut ui.spacing_mut().scroll;
    (bar.floating_width, bar.dormant_handle_opacity) = (0.6 * bar.bar_width, 0.5);
    bar.floating_allocated_width = bar.bar_width;
    ScrollArea::vertical().auto_shrink([false, true]).show(ui, |ui| {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = gap;
            // What a row is of stays in sight beside columns that scroll.
            grid("which trials").show(ui, |ui| {
                let number = sheet.columns.iter().filter(|column| column.quantity == Quantity::Number);
                ui.label("");
                number.clone().for_each(|column| head(ctx, ui, column, sheet));
                ui.end_row();
                for trial in &sheet.trials {
                    choices(ctx, ui, trial, actions);
                    number.clone().for_each(|column| numbered(ui, theme, column, trial));
                    ui.end_row();
                }
            });
            ScrollArea::horizontal().auto_shrink([false, true]).show(ui, |ui| {
                grid("trials").show(ui, |ui| {
                    for (number, column) in sheet.columns.iter().enumerate() {
                        if column.quantity != Quantity::Number {
                            head(ctx, ui, column, sheet);
                        }
                        if Some(number) == after {
                            above(ui, theme, sheet, |ui| along_the_run(ui, theme, &main, range));
                        }
                    }
                    ui.end_row();
                    for (trial, line) in sheet.trials.iter().zip(&lines) {
                        row(ctx, ui, (trial, sheet), (line, after, range));
                        ui.end_row();
                    }
                });
            });
        });
    });
}

/// The sparkline of a trial, with what it says in words.
struct Line {
    courses: Vec<Course>,
    words: String,
}

impl Line {
    fn of(trial: &Trial, sheet: &Sheet, chosen: Option<&[String]>) -> Self {
        let key = main_measure(trial, chosen);
        let along = trial.along.as_ref().filter(|along| Some(along.key.as_str()) == key);
        let Some(along) = along else { return Self { courses: Vec::new(), words: "Being computed".to_owned() } };
        let name = trial.runs.iter().find_map(|run| Some(run.measure(&along.key)?.label.clone())).unwrap_or_default();
        let mut words =
            vec![format!("{name} over the steps, which are on a logarithmic scale; all rows have the same scale")];
        let mut courses = Vec::new();
        for (run, points) in trial.runs.iter().zip(&along.runs) {
            let (Some(first), Some(last)) = (points.first(), points.last()) else { continue };
            let style = sheet.runs.iter().position(|name| *name == run.name).unwrap_or_default();
            let end = (trial.step.max(2) as f64).ln();
            let place = |[step, value]: &[f64; 2]| [step.max(1.0).ln() / end, *value];
            let diverged = run.diverged;
            courses.push(Course { run: style, points: points.iter().map(place).collect(), diverged });
            if diverged {
                words.push(format!("{}: {DIVERGED}", run.name));
                continue;
            }
            let [first, last] = [first[1], last[1]].map(|value| numbers::significant(value, 3));
            words.push(format!("{}: {first} → {last}", run.name));
        }
        if courses.is_empty() {
            words = vec![
                "Not computed: the measure has no values on the way, or the runs are too long to be run again"
                    .to_owned(),
            ];
        }
        Self { courses, words: words.join("\n") }
    }
}

/// The head of a column: a click sorts by it.
fn head(ctx: &mut Ctx<'_>, ui: &mut Ui, column: &Column, sheet: &Sheet) {
    let theme = ctx.theme;
    let sign = match &ctx.view.trials.look.order {
        Some((by, descending)) if by == column => {
            if *descending {
                " ▼"
            } else {
                " ▲"
            }
        }
        _ => "",
    };
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        if sheet.several() {
            ui.horizontal(|ui| {
                let number = column.run.as_ref().and_then(|run| sheet.runs.iter().position(|known| known == run));
                match (number, &column.run) {
                    (Some(number), Some(name)) => {
                        run_marker::show(ui, theme, theme.run(number));
                        ui.label(RichText::new(name).font(theme.small()).color(theme.soft));
                    }
                    _ => _ = ui.label(RichText::new(" ").font(theme.small())),
                }
            });
        }
        let text = RichText::new(format!("{}{sign}", column.label)).font(theme.strong());
        let button = Button::new(text).frame(false).wrap_mode(TextWrapMode::Extend);
        let button = named(ui.add(button), &format!("Sort by {}", column.head(sheet.several())));
        if button.on_hover_text("Sort by this column; again for the other way round").clicked() {
            ctx.view.trials.look.sort_by(column);
        }
    });
}

/// The head of the sparklines: what they are of, and between which values.
fn along_the_run(ui: &mut Ui, theme: &Theme, measure: &str, [low, high]: [f64; 2]) {
    let text = RichText::new(format!("{measure} along the run")).color(theme.soft);
    let [low, high] = [low, high].map(|value| numbers::significant(value, 3));
    let help =
        format!("From {low} at the lower edge to {high} at the upper one, in all rows; steps on a logarithmic scale");
    ui.add(Label::new(text).extend()).on_hover_text(help);
}

/// A head that is of no run, as low as those of runs.
fn above(ui: &mut Ui, theme: &Theme, sheet: &Sheet, head: impl FnOnce(&mut Ui)) {
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        if sheet.several() {
            ui.label(RichText::new(" ").font(theme.small()));
        }
        head(ui);
    });
}

/// What can be done with a trial.
fn choices(ctx: &mut Ctx<'_>, ui: &mut Ui, trial: &Trial, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        let mut on = ctx.view.trials.look.chosen.contains(&trial.number);
        let tick = ui.checkbox(&mut on, "");
        let name = format!("Compare trial {}", trial.number);
        tick.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, &name));
        if tick.on_hover_text("Compare this trial: tick two of them").changed() {
            ctx.view.trials.look.toggle(trial.number);
        }
        let open = named(ui.small_button("Open"), &format!("Open trial {}", trial.number));
        if open.on_hover_text("Open the experiment of this trial, at its step").clicked() {
            actions.push(Action::OpenTrial(trial.number));
        }
        let delete = named(ui.small_button("✕"), &format!("Delete trial {}", trial.number));
        if delete.on_hover_text("Delete this trial; it can be brought back").clicked() {
            ctx.view.trials.notebook.delete(trial.number);
        }
    });
}

/// The number of a trial, with what became of it.
fn numbered(ui: &mut Ui, theme: &Theme, column: &Column, trial: &Trial) {
    ui.horizontal(|ui| {
        cell(ui, theme, column, trial);
        mark(ui, theme, trial);
    });
}

/// The row of a trial, but for its number.
fn row(
    ctx: &mut Ctx<'_>,
    ui: &mut Ui,
    (trial, sheet): (&Arc<Trial>, &Sheet),
    (line, after, range): (&Line, Option<usize>, [f64; 2]),
) {
    let theme = ctx.theme;
    for (number, column) in sheet.columns.iter().enumerate() {
        match column.quantity {
            Quantity::Number => {}
            Quantity::Note => note(ctx, ui, trial),
            _ => _ = ui.horizontal(|ui| cell(ui, theme, column, trial)),
        }
        if Some(number) == after {
            let shown = sparkline::show(ui, theme, &line.courses, range);
            let name = format!("Trial {} along the run. {}", trial.number, line.words);
            shown.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
            shown.on_hover_text(&line.words);
        }
    }
}

/// That runs of a trial had left the target, if some had.
fn mark(ui: &mut Ui, theme: &Theme, trial: &Trial) {
    let gone: Vec<&str> = trial.runs.iter().filter(|run| run.diverged).map(|run| run.name.as_str()).collect();
    if !gone.is_empty() {
        let text = RichText::new(format!("✗ {DIVERGED}")).font(theme.small()).color(theme.error);
        ui.label(text).on_hover_text(format!("Left the target for good: {}", gone.join(", ")));
    }
}

/// A value; long words are cut, and whole under the pointer.
fn cell(ui: &mut Ui, theme: &Theme, column: &Column, trial: &Trial) {
    let value = column.value(trial);
    let font = TextStyle::Body.resolve(ui.style());
    let width = ui.painter().layout_no_wrap(value.text.clone(), font, theme.ink).size().x;
    let most = theme.space(WORDS);
    let digits = value.number.map(numbers::exact).filter(|digits| *digits != value.text);
    let why = (value.text == NONE && trial.hid_truth).then_some(HIDDEN_THEN);
    let response = if width > most {
        let cut = |ui: &mut Ui| {
            ui.set_max_width(most);
            ui.add(Label::new(&value.text).truncate())
        };
        ui.scope(cut).inner.on_hover_text(&value.text)
    } else {
        ui.label(&value.text)
    };
    if let Some(words) = digits.as_deref().or(why) {
        response.on_hover_text(words);
    }
}

/// The field for the note of a trial.
fn note(ctx: &mut Ctx<'_>, ui: &mut Ui, trial: &Trial) {
    let mut text = trial.note.clone();
    let field = TextEdit::singleline(&mut text).id_salt(("note", trial.number)).hint_text("a note");
    // A grid would make it as narrow as its head.
    let size = vec2(ctx.theme.space(NOTE), ui.spacing().interact_size.y);
    if with_name(ui.add_sized(size, field), &format!("Note on trial {}", trial.number)).changed() {
        ctx.view.trials.notebook.annotate(trial.number, &text);
    }
}
