//! Tests of playlists: opened, followed with Page Down, added to, brought back, checked on the command line.

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, Vec2};
use egui_kittest::kittest::Queryable;
use sampler_lab::app::files::link::playlist_fragment;
use sampler_lab::scenario::{LESSONS, Lesson, Playlist, PlaylistItem, Shows, write};

use super::app::{SCENARIO, Window, click, wait_until, window_with};
use super::cli::{call, folder_with};

/// The lecture of the tour.
pub const LECTURE: &str = include_str!("../../docs/tour/lecture.toml");

fn window() -> Window {
    let mut window = window_with(SCENARIO, Vec2::new(1440.0, 900.0));
    window.run_steps(3);
    window
}

/// Opens a playlist as a link, and waits for its first item.
fn follow(window: &mut Window, playlist: &Playlist) {
    let link = format!("https://example.org/#{}", playlist_fragment(playlist).unwrap());
    window.event(Event::Paste(link));
    let first = playlist.items[0].title();
    wait_until(window, "the first item", |window| window.state().scenario().title == first);
    window.run_steps(3);
}

fn says(window: &Window, words: &str) -> bool {
    window.query_all_by_label_contains(words).next().is_some()
}

fn press(window: &mut Window, key: Key, title: &str) {
    window.key_press(key);
    wait_until(window, title, |window| window.state().scenario().title == title);
    window.run_steps(3);
}

#[test]
fn page_down_goes_to_my_next_item() {
    let own = sampler_lab::scenario::Scenario {
        title: "My own".to_owned(),
        ..Lesson::find("laplace").unwrap().scenario().unwrap()
    };
    let shows = [Shows::Lesson(4), Shows::of(&own), Shows::Lesson(2)];
    let mut items = shows.map(PlaylistItem::new).to_vec();
    items[1].notes = "Ask the back rows.".to_owned();
    let playlist = Playlist { title: "My hour".to_owned(), items, ..Playlist::default() };
    let mut window = window();
    follow(&mut window, &playlist);
    assert!(says(&window, "1 of 3 · My hour"));
    press(&mut window, Key::PageDown, "My own");
    assert!(says(&window, "2 of 3 · My hour") && says(&window, "Ask the back rows."));
    let last = playlist.items[2].title();
    press(&mut window, Key::PageDown, &last);
    assert!(says(&window, "3 of 3") && !says(&window, "Ask the back rows."));
    window.key_press(Key::PageDown);
    window.run_steps(3);
    assert!(window.state().scenario().title == last && says(&window, "This is the last item of “My hour”"));
    press(&mut window, Key::PageUp, "My own");
    // A key hides the notes from a mirrored projector.
    window.key_press(Key::N);
    window.run_steps(3);
    assert!(!says(&window, "Ask the back rows."));
    window.key_press(Key::N);
    window.run_steps(3);
    assert!(says(&window, "Ask the back rows."));
    // The audience does not read them, unless they are asked for.
    window.key_press(Key::P);
    window.run_steps(4);
    assert!(!says(&window, "Ask the back rows."));
    wait_until(&mut window, "the title", |window| says(window, "2 of 3 · My own"));
    assert!(!says(&window, "Ask the back rows."));
    window.key_press(Key::N);
    window.run_steps(4);
    assert!(says(&window, "Ask the back rows."));
}

/// What is asked about before it is played waits, whatever its lesson does elsewhere. Without notes the key says so.
#[test]
fn an_item_that_opens_paused_waits() {
    let mut items = [Shows::Lesson(1), Shows::Lesson(1)].map(PlaylistItem::new).to_vec();
    items[0].paused = true;
    let mut window = window();
    follow(&mut window, &Playlist { title: "Two".to_owned(), items, ..Playlist::default() });
    window.run_steps(30);
    assert!(!window.state().playing() && window.state().frame().step == 0);
    window.key_press(Key::N);
    window.run_steps(3);
    assert!(says(&window, "There are no notes to what is shown"));
    window.key_press(Key::PageDown);
    wait_until(&mut window, "the same lesson, playing", |window| window.state().frame().step > 0);
}

#[test]
fn a_playlist_is_made_in_the_window() {
    let mut window = window();
    window.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
    window.run_steps(4);
    assert!(says(&window, "Nothing is in it yet") && says(&window, "Open playlist…"));
    click(&mut window, "Add what is in the window");
    window.run_steps(3);
    assert!(window.query_by_role_and_label(Role::Button, "Two runs").is_some());
    click(&mut window, "Remove item 1");
    window.run_steps(3);
    assert!(says(&window, "Nothing is in it yet"));
    click(&mut window, "Put “Two runs” back");
    window.run_steps(3);
    assert!(window.query_by_role_and_label(Role::Button, "Two runs").is_some());
    click(&mut window, "Add lessons…");
    window.run_steps(3);
    window.event(Event::Text("equal cost".to_owned()));
    window.run_steps(3);
    click(&mut window, "MCMC versus VI at equal cost");
    window.run_steps(3);
    assert!(says(&window, "2 items"));
    click(&mut window, "Back to the playlist");
    window.run_steps(3);
    click(&mut window, "Remove item 2");
    window.run_steps(3);
    click(&mut window, "Done");
    window.run_steps(3);
    // It begins before its first item.
    assert!(says(&window, "1 item · Playlist"));
    press(&mut window, Key::PageDown, "Two runs");
    click(&mut window, "1 of 1 · Playlist");
    window.run_steps(3);
    click(&mut window, "Leave playlist");
    window.run_steps(3);
    assert!(!says(&window, "1 of 1 · Playlist") && says(&window, "Left “Playlist”"));
    click(&mut window, "Back");
    window.run_steps(3);
    assert!(says(&window, "1 of 1 · Playlist"));
}

#[test]
fn a_lesson_chosen_elsewhere_is_told_from_the_item() {
    let items = vec![PlaylistItem::new(Shows::Lesson(0)), PlaylistItem::new(Shows::Lesson(1))];
    let mut window = window();
    follow(&mut window, &Playlist { title: "Two".to_owned(), items, ..Playlist::default() });
    window.event(Event::Paste("https://example.org/#laplace".to_owned()));
    let laplace = Lesson::find("laplace").unwrap().scenario().unwrap().title;
    wait_until(&mut window, "the other lesson", |window| window.state().scenario().title == laplace);
    window.run_steps(3);
    assert!(says(&window, "after 1 of 2 · Two"));
    press(&mut window, Key::PageDown, &LESSONS[1].scenario().unwrap().title);
}

#[test]
fn the_command_line_checks_playlists() {
    let own = write(&Lesson::find("laplace").unwrap().scenario().unwrap());
    let folder = folder_with("own.toml", &own);
    std::fs::write(folder.path().join("lecture.toml"), LECTURE).unwrap();
    let (code, out, error) = call(&folder, &["check", "lecture.toml"]);
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(out.contains("a playlist of 6 items") && out.lines().count() == 7, "{out}");
    let text = "format = 1\n[[item]]\nfile = \"own.toml\"\n[[item]]\nfile = \"gone.toml\"\n";
    std::fs::write(folder.path().join("mine.toml"), text).unwrap();
    let (code, out, error) = call(&folder, &["check", "mine.toml"]);
    assert!(code == 2 && out.contains("1. own.toml: valid") && out.contains("2. gone.toml: not valid"), "{out}");
    assert!(error.contains("gone.toml: there is no such file"), "{error}");
    let (code, _, error) = call(&folder, &["run", "mine.toml", "--out", "results"]);
    assert!(code == 2 && error.contains("this is a playlist, and no scenario"), "{error}");
}
