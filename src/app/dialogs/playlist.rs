//! Playlist dialog: title, items with their notes in an order that can be changed, what can be added, and its file.

use std::sync::Arc;

use egui::{Button, Context, Label, RichText, ScrollArea, TextEdit, Ui, vec2};

use super::current::Search;
use super::lesson_list;
use super::modal::{buttons, main_button, modal};
use crate::app::action::{Action, PlaylistAction as A};
use crate::app::commands::{Command, spec};
use crate::app::state::Ctx;
use crate::app::view::playlist::OpenPlaylist;
use draw::kit::named::{named, with_name};
use draw::theme::Theme;
use engine::scenario::{LESSONS, MAX_ITEMS, PlaylistItem, Shows};

/// Width of the dialog, height of its list, and width of a number in the list, in units of the theme.
const WIDTH: f32 = 170.0;
const LIST: f32 = 90.0;
const NUMBER: f32 = 7.0;

/// What is done with an item.
enum Change {
    Remove(usize),
    /// Exchanges the item with the one after it.
    Swap(usize),
}

/// Shows the playlist, or the lessons while some are being added; returns whether the dialog stays open.
pub fn show(lessons: &mut Option<Search>, ctx: &mut Ctx<'_>, context: &Context, actions: &mut Vec<Action>) -> bool {
    let theme = ctx.theme;
    let open = Arc::make_mut(ctx.view.playlist.get_or_insert_default());
    let stays = modal(context, theme, "Playlist", WIDTH, |ui| {
        head(ui, open);
        ui.add_space(theme.space(1.5));
        let most = theme.space(LIST).min(0.42 * context.content_rect().height());
        if let Some(search) = lessons {
            if add_lessons(ui, theme, (search, most), open) {
                *lessons = None;
            }
            return true;
        }
        let mut chosen = None;
        ScrollArea::vertical().max_height(most).auto_shrink([false, false]).show(ui, |ui| {
            // The scroll bar stands beside the list, not on it.
            ui.set_max_width(ui.available_width() - 2.0 * ui.spacing().scroll.bar_width);
            chosen = items(ui, theme, open);
        });
        ui.add_space(theme.space(1.5));
        if adding(ui, theme, open, actions) {
            *lessons = Some(Search::default());
        }
        let height = ui.min_rect().height();
        ui.data_mut(|data| data.insert_temp(height_id(), height));
        let goes = chosen.map(|position| actions.push(Action::Playlist(A::Go(position)))).is_some();
        let (filled, changed) = (!open.playlist.items.is_empty(), open.changed);
        let why =
            if filled { "The playlist is saved as it is" } else { "The playlist is empty: add a lesson or a file" };
        let closed = buttons(ui, theme, |ui| {
            let closed = main_button(ui, theme, "Done");
            ui.add_enabled_ui(filled, |ui| {
                let save = ui.add_enabled(changed, Button::new("Save")).on_hover_text("Save the playlist to its file");
                if save.on_disabled_hover_text(why).clicked() {
                    actions.push(Action::Playlist(A::Save));
                }
                for (name, help, action) in [
                    ("Save as…", "Save the playlist to another file: lessons by name, files by path, notes", A::SaveAs),
                    ("Copy link…", "A link that opens this playlist in a browser, with everything in it", A::Link),
                ] {
                    let button = ui.button(name).on_hover_text(help).on_disabled_hover_text(why);
                    if button.clicked() {
                        actions.push(Action::Playlist(action));
                    }
                }
            });
            closed
        });
        !(closed || goes)
    });
    if !stays && open.playlist.items.is_empty() {
        // Nobody follows an empty one.
        ctx.view.playlist = None;
    }
    stays
}

/// Title, purpose and length.
fn head(ui: &mut Ui, open: &mut OpenPlaylist) {
    let minutes = open.playlist.minutes();
    let count = open.playlist.items.len();
    let notes = spec(Command::Notes).key();
    let words = format!(
        "Page Down and Page Up go from item to item. Notes are beside the lesson; while presenting they are hidden until you press {notes}, which hides them again."
    );
    ui.add(Label::new(words).wrap());
    // A line of its own, so that nothing moves while items are added.
    let takes = if minutes > 0 { format!("; lessons in it take {minutes} minutes") } else { String::new() };
    ui.weak(format!("{}{takes}", counted(count)));
    let playlist = &mut open.playlist;
    let line = |ui: &mut Ui, name: &str, text: &mut String, hint: &str| {
        let label = ui.label(name);
        let field = TextEdit::singleline(text).desired_width(f32::INFINITY).hint_text(hint);
        ui.add(field).labelled_by(label.id).changed()
    };
    let title = line(ui, "Title", &mut playlist.title, "MCMC versus VI, first hour");
    let about = line(ui, "About", &mut playlist.about, "Whom it is for, in a sentence");
    open.changed |= title || about;
}

/// The list; returns the item that was chosen to be shown.
fn items(ui: &mut Ui, theme: &Theme, open: &mut OpenPlaylist) -> Option<usize> {
    let (position, count) = (open.position, open.playlist.items.len());
    if count == 0 {
        ui.label(
            RichText::new("Nothing is in it yet. Add what is in the window, a lesson, or a file.").color(theme.soft),
        );
    }
    let (mut chosen, mut change, mut typed) = (None, None, false);
    for (index, item) in open.playlist.items.iter_mut().enumerate() {
        let shown = position == Some(index);
        ui.horizontal(|ui| {
            let number = format!("{}", index + 1);
            let number = if shown { RichText::new(number).color(theme.accent).strong() } else { RichText::new(number) };
            ui.add_sized(vec2(theme.space(NUMBER), 0.0), Label::new(number));
            let right = egui::Layout::right_to_left(egui::Align::Center);
            ui.with_layout(right, |ui| {
                change = change.take().or(arrange(ui, index, count));
                ui.with_layout(egui::Layout::top_down_justified(egui::Align::Min), |ui| {
                    // It has no frame: a field can be written in, and this is a line of a list.
                    let title = RichText::new(item.title()).font(theme.strong()).color(theme.ink);
                    let button = Button::selectable(shown, title).truncate();
                    if ui.add(button).on_hover_text(about(item)).clicked() {
                        chosen = Some(index);
                    }
                });
            });
        });
        ui.horizontal(|ui| {
            ui.add_space(theme.space(NUMBER) + ui.spacing().item_spacing.x);
            let right = egui::Layout::right_to_left(egui::Align::Min);
            ui.with_layout(right, |ui| {
                let help = "Opened, its runs wait at step 0 until you play them: there is something to be asked before";
                let paused = ui.checkbox(&mut item.paused, "opens paused").on_hover_text(help);
                typed |= with_name(paused, &format!("Item {} opens paused", index + 1)).changed();
                let field = TextEdit::multiline(&mut item.notes).desired_rows(1).desired_width(f32::INFINITY);
                let field = ui.add(field.hint_text("Notes for you"));
                typed |= with_name(field, &format!("Notes of item {}", index + 1)).changed();
            });
        });
        ui.add_space(theme.space(1.0));
    }
    open.changed |= typed;
    match change {
        Some(Change::Remove(index)) => open.remove(index),
        Some(Change::Swap(index)) => open.swap(index),
        None => {}
    }
    chosen
}

/// What an item is, in words.
fn about(item: &PlaylistItem) -> String {
    match &item.shows {
        Shows::Lesson(number) => {
            LESSONS.get(*number).map_or_else(String::new, |lesson| format!("Show it now. {}", lesson.effort()))
        }
        Shows::File(path) => format!("Show it now: {}", path.display()),
        Shows::Scenario(_) => "Show it now: an experiment that is kept in the playlist".to_owned(),
    }
}

/// Buttons that move an item or take it out, from the right.
fn arrange(ui: &mut Ui, index: usize, count: usize) -> Option<Change> {
    let button = |ui: &mut Ui, enabled: bool, sign: &str, name: &str| {
        let button = ui.add_enabled(enabled, Button::new(sign).small());
        named(button, &format!("{name} item {}", index + 1)).on_hover_text(format!("{name} this item")).clicked()
    };
    let removed = button(ui, true, "✕", "Remove");
    let down = button(ui, index + 1 < count, "▼", "Move down");
    let up = button(ui, index > 0, "▲", "Move up");
    match (removed, down, up) {
        (true, ..) => Some(Change::Remove(index)),
        (_, true, _) => Some(Change::Swap(index)),
        (_, _, true) => Some(Change::Swap(index - 1)),
        _ => None,
    }
}

/// What can be added, and the item that can be put back; returns whether lessons are to be chosen.
fn adding(ui: &mut Ui, theme: &Theme, open: &mut OpenPlaylist, actions: &mut Vec<Action>) -> bool {
    let mut lessons = false;
    ui.horizontal_wrapped(|ui| {
        if ui
            .button("Add what is in the window")
            .on_hover_text("The lesson, the file, or the experiment as it is now")
            .clicked()
        {
            actions.push(Action::Playlist(A::AddPresent));
        }
        lessons = ui.button("Add lessons…").on_hover_text("Choose from all lessons, with a search").clicked();
        if ui.button("Add file…").on_hover_text("A scenario, or a figure that contains one").clicked() {
            actions.push(Action::Playlist(A::AddFile));
        }
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme.space(1.5);
        for (name, help, action) in [
            ("Open playlist…", "Open a playlist from a file, in the place of this one", A::Open),
            ("New playlist", "Begin an empty one; the present one can be brought back", A::New),
            ("Leave playlist", "Page Down follows the path of the lesson again", A::Leave),
        ] {
            if ui.small_button(name).on_hover_text(help).clicked() {
                actions.push(Action::Playlist(action));
            }
        }
        // In this row, which is there before it comes.
        if let Some((_, removed)) = &open.removed {
            let back = Button::new(format!("Put “{}” back", removed.title())).small().truncate();
            if ui.add(back).clicked() {
                open.put_back();
            }
        }
    });
    lessons
}

/// The lessons, each added by a click; returns whether that is all.
fn add_lessons(ui: &mut Ui, theme: &Theme, (search, height): (&mut Search, f32), open: &mut OpenPlaylist) -> bool {
    let number = |item: &PlaylistItem| if let Shows::Lesson(number) = item.shows { Some(number) } else { None };
    let taken: Vec<usize> = open.playlist.items.iter().filter_map(number).collect();
    if let Some(number) = lesson_list::show(ui, theme, search, height, &taken)
        && taken.len() < MAX_ITEMS
    {
        open.add(PlaylistItem::new(Shows::Lesson(number)));
    }
    // As high as the playlist itself.
    let wanted = ui.data(|data| data.get_temp(height_id())).unwrap_or(0.0_f32);
    ui.add_space((wanted - ui.min_rect().height()).max(0.0));
    buttons(ui, theme, |ui| {
        let back = main_button(ui, theme, "Back to the playlist");
        ui.label(RichText::new(counted(open.playlist.items.len())).font(theme.small()).color(theme.soft));
        back
    })
}

/// The name of the height of the dialog above its buttons.
fn height_id() -> egui::Id {
    egui::Id::unique("height of the playlist")
}

/// So many items in words.
fn counted(items: usize) -> String {
    if items == 1 { "1 item".to_owned() } else { format!("{items} items") }
}
