//! Challenges in the lesson panel: questions with their answers, what was true, goals, and the way from one to the other.

use egui::{Button, Checkbox, DragValue, Label, RadioButton, RichText, TextEdit, Ui, vec2};

use crate::app::action::Action;
use crate::app::commands::{Command, spec, tip};
use crate::app::state::Ctx;
use crate::app::studies::challenge::Item;
use base::math::Point;
use base::params::printable;
use draw::kit::named::{named, part};
use draw::kit::terms;
use draw::theme::Theme;
use draw::words::challenge::{answered, goal_words, truth};
use engine::scenario::challenge::Task;
use engine::session::Frame;
use engine::session::challenge::{Answer, Key};

use super::widgets::note;

/// Width of the field for a number, in units of the theme.
const FIELD: f32 = 24.0;

/// Shows the challenges of the scenario, if it has some.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let count = ctx.view.studies.challenge.items().len();
    if count == 0 {
        return;
    }
    let theme = ctx.theme;
    if ctx.model.opening().is_some() {
        return;
    }
    let frame = ctx.model.frame().clone();
    let several =
        ctx.view.studies.challenge.items().iter().filter(|item| item.challenge.task.is_question()).count() > 1;
    let (questions, asks) = (ctx.view.studies.challenge.has_questions(), ctx.view.studies.challenge.asks());
    if questions && !asks {
        // What came out, and the way back, are in sight above the readout.
        buttons(ctx, ui, actions);
        ui.add_space(theme.space(2.0));
    }
    let mut question = 0;
    for number in 0..count {
        let Some(item) = ctx.view.studies.challenge.items().get(number) else { continue };
        let is_question = item.challenge.task.is_question();
        question += usize::from(is_question);
        let head = match (is_question, several) {
            (true, true) => format!("Question {question}"),
            (true, false) => "Question".to_owned(),
            (false, _) => "Goal".to_owned(),
        };
        note(ui, theme, theme.soft, &head);
        let words = printable(&item.challenge.words()).into_owned();
        terms::text(ui, theme, &words, (theme.strong(), theme.ink));
        part(ui, ("challenge", ctx.view.window.loads, number), |ui| {
            if is_question && ctx.view.studies.challenge.asks() {
                return ask(ctx, ui, &frame, number);
            }
            match ctx.view.studies.challenge.items().get(number) {
                Some(item) if is_question => revealed(ui, theme, &frame, item),
                Some(item) => goal(ui, theme, item),
                None => {}
            }
        });
        ui.add_space(theme.space(2.0));
    }
    if questions && asks {
        buttons(ctx, ui, actions);
        ui.add_space(theme.space(2.0));
    }
}

/// The control for an answer.
fn ask(ctx: &mut Ctx<'_>, ui: &mut Ui, frame: &Frame, number: usize) {
    let placing = ctx.view.studies.challenge.on_canvas() == Some(number);
    let theme = ctx.theme;
    let Some(item) = ctx.view.studies.challenge.item_mut(number) else { return };
    match item.challenge.task.clone() {
        Task::Mass { chips, .. } if placing => place(ui, theme, frame, item, chips),
        Task::Mass { chips, .. } => {
            let text = format!("Place guesses ({} of {chips})", item.chips().len());
            let help = "Turn to this question: a click on a canvas marks with a chip where you expect draws";
            if ui.button(text).on_hover_text(help).clicked() {
                ctx.view.studies.challenge.turn_to(number);
            }
        }
        Task::Number { .. } => say_number(ui, theme, item, number),
        Task::Choice { rule, .. } => choose(ui, frame, item, rule.names_one()),
        Task::Goal { .. } => {}
    }
}

/// The field for a number.
fn say_number(ui: &mut Ui, theme: &Theme, item: &mut Item, number: usize) {
    let field = TextEdit::singleline(&mut item.typed).desired_width(theme.space(FIELD));
    let field = ui.name_inputs(format!("Answer to question {}", number + 1), |ui| ui.add(field));
    if field.changed() {
        item.read_typed();
    }
    if !item.typed.trim().is_empty() && item.answer.is_none() {
        note(ui, theme, theme.error, "✗ Not a number");
    }
}

/// The chips of a question: how many are placed, and a way to place them without a pointer.
fn place(ui: &mut Ui, theme: &Theme, frame: &Frame, item: &mut Item, most: usize) {
    let placed = item.chips().len();
    let left = most - placed.min(most);
    let text = if left == 0 {
        format!("All {most} guesses are on the canvas. Click on the chip of one to take it away.")
    } else {
        format!(
            "Click on a canvas where you expect draws: {left} of {most} guesses left. Each is marked with a chip and stands for 1/{most} of all \
             draws. Draws within its circle count in full, up to the dashed circle in part."
        )
    };
    note(ui, theme, theme.ink, &text);
    let id = ui.scope_id().with("place");
    let [mut x, mut y]: [f64; 2] = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let view = frame.target.info().view;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = theme.space(1.0);
        let field = |ui: &mut Ui, value: &mut f64, name: &str, range: std::ops::RangeInclusive<f64>| {
            let speed = 0.01 * (range.end() - range.start());
            let field = DragValue::new(value).range(range).speed(speed).max_decimals(2).prefix(format!("{name} "));
            ui.name_inputs(format!("{name} of the next chip"), |ui| ui.add(field));
        };
        field(ui, &mut x, "x", view.min.x..=view.max.x);
        if frame.target.info().dimension > 1 {
            field(ui, &mut y, "y", view.min.y..=view.max.y);
        }
        let help = "Place a chip at these coordinates";
        if ui.add_enabled(left > 0, Button::new("Place").small()).on_hover_text(help).clicked() {
            item.place(Point::new(x, y));
        }
        let help = "Take the newest chip away";
        if ui.add_enabled(placed > 0, Button::new("Undo").small()).on_hover_text(help).clicked() {
            item.take_away(placed - 1);
        }
        if ui.add_enabled(placed > 0, Button::new("Clear").small()).on_hover_text("Take all chips away").clicked() {
            item.answer = None;
        }
    });
    ui.data_mut(|data| data.insert_temp(id, [x, y]));
}

/// The runs: one of them, or each that is meant, or none.
fn choose(ui: &mut Ui, frame: &Frame, item: &mut Item, one: bool) {
    let chosen = match &item.answer {
        Some(Answer::Runs(runs)) => Some(runs.clone()),
        _ => None,
    };
    for (number, run) in frame.runs.iter().enumerate() {
        let name = printable(&run.plan.name);
        let mut on = chosen.as_ref().is_some_and(|runs| runs.contains(&number));
        if one {
            if ui.add(RadioButton::new(on, name)).clicked() {
                item.answer = Some(Answer::Runs(vec![number]));
            }
        } else if ui.add(Checkbox::new(&mut on, name)).changed() {
            let mut runs: Vec<usize> = chosen.iter().flatten().copied().filter(|run| *run != number).collect();
            runs.extend(on.then_some(number));
            runs.sort_unstable();
            item.answer = (!runs.is_empty()).then_some(Answer::Runs(runs));
        }
    }
    if !one {
        let mut none = chosen.is_some_and(|runs| runs.is_empty());
        if ui.add(Checkbox::new(&mut none, "None of them")).changed() {
            item.answer = none.then(|| Answer::Runs(Vec::new()));
        }
    }
}

/// The answer, what was true, and whether they agree.
fn revealed(ui: &mut Ui, theme: &Theme, frame: &Frame, item: &Item) {
    let names: Vec<&str> = frame.runs.iter().map(|run| run.plan.name.as_str()).collect();
    match item.key() {
        Err(reason) => note(ui, theme, theme.soft, &format!("– {reason}")),
        Ok(key) => {
            match item.score() {
                Some(score) => {
                    let words = answered(&item.challenge, key, item.answer.as_ref(), score, &names);
                    verdict(ui, theme, score.right, &words);
                }
                None => note(ui, theme, theme.soft, "You gave no answer."),
            }
            terms::text(ui, theme, &truth(&item.challenge, key, &names), (theme.body(), theme.ink));
            if let Key::Mass { .. } = key {
                let words = "On the canvas: a filled chip counts in full, a hollow one with its percentage; rings are the chips of a good answer.";
                note(ui, theme, theme.soft, words);
            }
        }
    }
}

/// A sentence with a sign and the colour of right or wrong.
fn verdict(ui: &mut Ui, theme: &Theme, right: bool, words: &str) {
    let (sign, colour) = if right { ("✓", theme.accepted) } else { ("✗", theme.error) };
    ui.add(Label::new(RichText::new(format!("{sign} {words}")).color(colour)).wrap());
}

/// How far a goal is, and the best attempt.
fn goal(ui: &mut Ui, theme: &Theme, item: &Item) {
    match item.key() {
        Ok(Key::Goal(attempt)) => verdict(ui, theme, attempt.is_met(), &goal_words(&item.challenge, attempt)),
        Ok(_) => {}
        Err(reason) => note(ui, theme, theme.soft, &format!("– {reason}")),
    }
    if let Some(best) = item.best_in_words() {
        note(ui, theme, theme.soft, &format!("Best so far: {best}"));
    }
}

/// Reveal or give up; after that the total, and the way back.
fn buttons(ctx: &Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let (theme, study) = (ctx.theme, &ctx.view.studies.challenge);
    if study.asks() {
        ui.horizontal_wrapped(|ui| {
            let text = RichText::new("Reveal").color(theme.paper);
            let reveal = ui.add_enabled(study.is_complete(), Button::new(text).fill(theme.accent));
            let help = tip(Command::Reveal);
            let reveal = reveal.on_hover_text(&help).on_disabled_hover_text("Answer every question first, or give up");
            let gives_up =
                ui.button("Give up").on_hover_text("Show the runs; questions without an answer are not scored");
            if reveal.clicked() || gives_up.clicked() {
                actions.push(Action::Reveal);
            }
        });
        return;
    }
    let (right, scored) = study.total();
    if scored > 0 {
        ui.add(Label::new(RichText::new(format!("{right} of {scored} right")).font(theme.strong())).wrap());
    }
    ui.horizontal_wrapped(|ui| {
        if ui.button(spec(Command::AskAgain).name).on_hover_text(tip(Command::AskAgain)).clicked() {
            actions.push(Action::AskAgain);
        }
        let help = "Ask again about other random numbers";
        if !ctx.locks("seed") && ui.button("With a new seed").on_hover_text(help).clicked() {
            actions.extend([Action::NewSeed, Action::AskAgain]);
        }
    });
}

/// The question in large type, for a room: turned to with two buttons, and told there.
pub fn in_large(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    if ctx.model.opening().is_some() {
        return;
    }
    let (theme, study) = (ctx.theme, &mut ctx.view.studies.challenge);
    let (count, number) = (study.items().len(), study.current());
    let Some(item) = study.items().get(number) else { return };
    let words = printable(&item.challenge.words()).into_owned();
    terms::text(ui, theme, &words, (theme.heading(), theme.ink));
    let frame = ctx.model.frame();
    if item.challenge.task.is_question() {
        if study.asks() {
            let text = match &item.challenge.task {
                Task::Mass { chips, .. } => {
                    format!("{} of {chips} guesses on the canvas, each with a chip", item.chips().len())
                }
                _ => String::new(),
            };
            if !text.is_empty() {
                ui.add(Label::new(text).wrap());
            }
            if let Task::Choice { rule, .. } = item.challenge.task
                && let Some(item) = study.item_mut(number)
            {
                // All options, each whole: a line may break between two of them.
                ui.horizontal_wrapped(|ui| choose(ui, frame, item, rule.names_one()));
            }
            if let Some(item) = study.item_mut(number).filter(|item| matches!(item.challenge.task, Task::Number { .. }))
            {
                say_number(ui, theme, item, number);
            }
        } else {
            revealed(ui, theme, frame, item);
        }
    } else {
        goal(ui, theme, item);
    }
    ui.horizontal(|ui| {
        if count > 1 {
            for (sign, name, to) in [
                ("◀", "Previous question", number.checked_sub(1)),
                ("▶", "Next question", Some(number + 1).filter(|next| *next < count)),
            ] {
                let button = ui.add_enabled(to.is_some(), Button::new(sign).min_size(vec2(theme.space(8.0), 0.0)));
                if let (true, Some(to)) = (named(button, name).on_hover_text(name).clicked(), to) {
                    study.turn_to(to);
                }
            }
            ui.label(format!("{} of {count}", number + 1));
        }
        let command = if study.asks() { Command::Reveal } else { Command::AskAgain };
        if study.has_questions() && ui.button(spec(command).name).on_hover_text(tip(command)).clicked() {
            actions.push(if command == Command::Reveal { Action::Reveal } else { Action::AskAgain });
        }
    });
}
