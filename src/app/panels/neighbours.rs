//! Neighbours: where the lesson is on its path or on the playlist, the way to those before and after it, and notes.

use egui::{Button, Frame, Label, RichText, Ui};

use crate::app::action::{Action, PlaylistAction};
use crate::app::commands::{Command, spec, tip};
use crate::app::state::Ctx;
use draw::kit::named::named;
use draw::theme::Theme;
use engine::scenario::{LESSONS, LessonPath};

/// Shows the position on the playlist, or else on the path of the lesson; nothing for an experiment of one's own.
pub fn show(ctx: &Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    // One that has just been begun has no place for what is shown.
    if ctx.view.playlist.as_ref().is_some_and(|open| !open.playlist.items.is_empty()) {
        return on_playlist(ctx, ui, actions);
    }
    let Some((number, _)) = ctx.model.lesson() else { return };
    let (Some(lesson), path) = (LESSONS.get(number), LessonPath::of(ctx.view.window.path, number)) else { return };
    ui.horizontal(|ui| {
        arrows(ui, |steps| path.neighbour(number, steps).is_some(), actions);
        let name = if path == LessonPath::all() { lesson.group } else { path.name };
        let position = path.position(number).map_or(0, |position| position + 1);
        let text = format!("{position} of {} · {name}", path.lessons.len());
        let help = format!("{}: {}\nThis lesson: {}", path.name, path.about, lesson.effort());
        ui.add(quiet(ctx.theme, text)).on_hover_text(help);
    });
}

/// The position on the playlist, and the notes of its item.
fn on_playlist(ctx: &Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let (Some(open), theme) = (&ctx.view.playlist, ctx.theme) else { return };
    let shown = open.is_shown(ctx.model);
    ui.horizontal(|ui| {
        arrows(ui, |steps| open.neighbour(steps).is_some(), actions);
        let count = open.playlist.items.len();
        let position = match open.position {
            Some(position) if shown => format!("{} of {count}", position + 1),
            Some(position) => format!("after {} of {count}", position + 1),
            None if count == 1 => "1 item".to_owned(),
            None => format!("{count} items"),
        };
        let button = Button::new(RichText::new(format!("{position} · {}", open.title())).font(theme.small())).wrap();
        let help = format!("{}\n{}", open.playlist.about, tip(Command::Playlist));
        if ui.add(button.frame(false)).on_hover_text(help.trim()).clicked() {
            actions.push(Action::Playlist(PlaylistAction::Show));
        }
    });
    if !ctx.prefs.present {
        // Before an audience they are above the canvases, if anywhere.
        notes(ctx, ui);
    }
}

/// Where the audience is: the position on the playlist, or on the path that was chosen.
pub fn position(ctx: &Ctx<'_>) -> Option<String> {
    if let Some(open) = ctx.view.playlist.as_ref().filter(|open| !open.playlist.items.is_empty()) {
        let position = open.position.filter(|_| open.is_shown(ctx.model))?;
        return Some(format!("{} of {}", position + 1, open.playlist.items.len()));
    }
    let (number, _) = ctx.model.lesson()?;
    let path = LessonPath::of(ctx.view.window.path, number);
    let position = path.position(number).filter(|_| path != LessonPath::all())?;
    Some(format!("{} of {}", position + 1, path.lessons.len()))
}

/// The notes of the item that is shown, unless they are hidden.
pub fn notes(ctx: &Ctx<'_>, ui: &mut Ui) {
    let (Some(open), theme) = (&ctx.view.playlist, ctx.theme) else { return };
    let notes = open.item().map(|item| item.notes.trim()).filter(|notes| !notes.is_empty());
    let Some(notes) = notes.filter(|_| open.is_shown(ctx.model) && ctx.shows_notes()) else { return };
    let frame = Frame::new().fill(theme.raised).corner_radius(theme.space(1.0)).inner_margin(theme.space(1.5));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.add(quiet(theme, format!("Notes: {} hides them", spec(Command::Notes).key())));
        ui.add(Label::new(notes).wrap());
    });
    ui.add_space(theme.space(1.0));
}

fn quiet(theme: &Theme, text: String) -> Label {
    Label::new(RichText::new(text).font(theme.small()).color(theme.soft)).wrap()
}

/// Buttons to the lesson before and to the next one, where they are there.
fn arrows(ui: &mut Ui, there: impl Fn(isize) -> bool, actions: &mut Vec<Action>) {
    for (sign, command, steps) in [("◀", Command::PreviousLesson, -1), ("▶", Command::NextLesson, 1)] {
        let button = ui.add_enabled(there(steps), Button::new(sign).small());
        if named(button, spec(command).name).on_hover_text(tip(command)).clicked() {
            actions.push(Action::NeighbourLesson(steps));
        }
    }
}
