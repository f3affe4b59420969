//! Tests of links: what the window copies, window and command line open again.

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, Vec2};
use egui_kittest::kittest::Queryable;
use sampler_lab::app::files::link;
use sampler_lab::scenario::{Lesson, write};

use super::app::{SCENARIO, Window, click, pause, wait_until, window_with};
use super::cli::{call, folder_with};

fn window() -> Window {
    let mut window = window_with(SCENARIO, Vec2::new(1440.0, 900.0));
    window.run_steps(3);
    pause(&mut window);
    window
}

/// Opens the dialog and types an address into it.
fn ask_for_link(window: &mut Window, address: &str) {
    window.key_press_modifiers(Modifiers::COMMAND, Key::K);
    window.run_steps(3);
    window.event(Event::Text("copy link".to_owned()));
    window.run_steps(3);
    window.key_press(Key::Enter);
    window.run_steps(4);
    window.get_by_role_and_label(Role::TextInput, "Address of the page").click();
    window.run_steps(2);
    window.event(Event::Text(address.to_owned()));
    window.run_steps(3);
}

/// Presses Copy link and takes what is on the clipboard.
fn copied(window: &mut Window) -> String {
    window.get_by_role_and_label(Role::Button, "Copy link").click_accesskit();
    for _ in 0..4 {
        window.step();
        let commands = &window.output().platform_output.commands;
        let text = commands.iter().find_map(|command| match command {
            egui::OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        });
        if let Some(text) = text {
            return text;
        }
    }
    panic!("nothing was copied");
}

#[test]
fn a_link_opens_what_it_was_copied_from() {
    let mut window = window();
    window.key_press(Key::ArrowRight);
    wait_until(&mut window, "a step", |window| window.state().frame().step > 0);
    pause(&mut window);
    ask_for_link(&mut window, "https://example.org/lab/#old");
    // The frame of the last step before the pause may come while the link is made.
    let before = window.state().frame().step;
    let text = copied(&mut window);
    assert!(text.starts_with("https://example.org/lab/#1."), "{text}");
    let linked = link::scenario(link::fragment_of(&text).unwrap()).unwrap();
    assert!(linked.same_but_view(window.state().scenario()));
    let step = linked.view.step.unwrap();
    assert!((before..=window.state().frame().step).contains(&step), "the step is part of it");

    // Another window: the link is pasted.
    let mut other = window_of_lesson();
    other.event(Event::Paste(format!(" {text}\n")));
    wait_until(&mut other, "the linked experiment at its step", |window| {
        window.state().scenario().title == "Two runs" && window.state().frame().step == step
    });
    assert!(!other.state().playing());
    other.run_steps(3);
    assert!(other.query_all_by_label_contains("Opened a link").next().is_some());
}

fn window_of_lesson() -> Window {
    let lesson = Lesson::find("welling-teh").unwrap().scenario().unwrap();
    let mut window = window_with(&write(&lesson), Vec2::new(1440.0, 900.0));
    window.run_steps(3);
    window
}

#[test]
fn without_an_address_there_is_no_link_and_words_say_so() {
    let mut window = window();
    ask_for_link(&mut window, "example.org");
    assert!(window.query_by_label_contains("begins with http:// or https://").is_some());
    click(&mut window, "Cancel");
    assert!(window.query_by_role_and_label(Role::TextInput, "Address of the page").is_none());
}

#[test]
fn a_broken_link_changes_nothing_and_says_what_is_wrong() {
    let mut window = window();
    window.event(Event::Paste("https://example.org/#1.AAAA".to_owned()));
    wait_until(&mut window, "a message", |window| {
        window.query_all_by_label_contains("the link is damaged").next().is_some()
    });
    assert_eq!(window.state().scenario().title, "Two runs");
    window.event(Event::Paste("no link at all".to_owned()));
    window.run_steps(10);
    assert_eq!(window.state().scenario().title, "Two runs");
}

#[test]
fn the_command_line_opens_links() {
    let folder = folder_with("empty", "");
    let lesson = Lesson::find("authors-code").unwrap().scenario().unwrap();
    let changed = sampler_lab::scenario::Scenario { seed: 12_345, ..lesson };
    let address = format!("http://localhost:8080/#{}", link::fragment(&changed).unwrap());
    let (code, out, error) = call(&folder, &["check", &address]);
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(out.contains("valid; 2 runs"), "{out}");
    let (code, out, _) = call(&folder, &["check", "https://example.org/#welling-teh"]);
    assert!(code == 0 && out.contains("valid"), "{out}");
    let (code, _, error) = call(&folder, &["check", "https://example.org/#nothing"]);
    assert!(code == 2 && error.contains("nothing is not a lesson"), "{error}");
}
