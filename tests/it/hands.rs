//! Tests of help, palette, focus and names: the window by keyboard and by words.

use std::collections::BTreeSet;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use sampler_lab::scenario::{LESSONS, Lesson};

use super::app::{SCENARIO, Window, click, controls, pause, wait_until, window_with};

fn window() -> Window {
    let mut window = window_with(SCENARIO, Vec2::new(1440.0, 900.0));
    window.run_steps(3);
    pause(&mut window);
    window
}

/// Opens the palette and types into it.
fn look_for(window: &mut Window, text: &str) {
    window.key_press_modifiers(Modifiers::COMMAND, Key::K);
    window.run_steps(3);
    type_in(window, text);
}

/// Types into the field of a search, which has the focus already.
fn type_in(window: &mut Window, text: &str) {
    let field = window.get_by_role_and_label(Role::TextInput, "Search");
    assert!(field.accesskit_node().is_focused(), "the field has no focus");
    window.event(egui::Event::Text(text.to_owned()));
    window.run_steps(3);
}

/// Takes the first result.
pub fn take(window: &mut Window, text: &str) {
    look_for(window, text);
    window.key_press(Key::Enter);
    window.run_steps(4);
    assert!(window.query_by_role_and_label(Role::TextInput, "Search").is_none(), "{text} is not found");
}

/// The name of the control that has the focus.
fn focused(window: &Window) -> Option<(Role, String)> {
    let focused = window.root().children_recursive().find(|node| node.accesskit_node().is_focused())?;
    let node = focused.accesskit_node();
    (node.role() != Role::Window).then(|| (node.role(), node.label().unwrap_or_default()))
}

#[test]
fn help_finds_keys_gestures_and_words_of_the_field() {
    let mut window = window();
    for key in [Key::F1, Key::Questionmark] {
        window.key_press(key);
        window.run_steps(3);
        for row in ["Play or pause", "Zoom in and out at the pointer", "target  p"] {
            assert!(window.query_all_by_label_contains(row).next().is_some(), "{row}");
        }
        type_in(&mut window, "pause");
        assert!(window.query_all_by_label_contains("Space").next().is_some());
        assert!(window.query_all_by_label_contains("Zoom in and out").next().is_none(), "other rows are left out");
        window.key_press(Key::Escape);
        window.run_steps(3);
        assert!(window.query_by_role_and_label(Role::TextInput, "Search").is_none());
    }
    window.key_press(Key::F1);
    window.run_steps(3);
    type_in(&mut window, "burn-in");
    assert!(window.query_all_by_label_contains("burn-in").next().is_some());
    window.event(egui::Event::Text("xyz".to_owned()));
    window.run_steps(3);
    assert!(window.query_by_label("Nothing has these words").is_some());
}

#[test]
fn the_palette_runs_commands_and_opens_tabs_and_lessons() {
    let mut window = window();
    take(&mut window, "new seed");
    wait_until(&mut window, "another seed", |window| window.state().scenario().seed != 7);
    take(&mut window, "tab trace");
    assert!(window.query_all_by_label("Trace").next().is_some());
    window.key_press_modifiers(Modifiers::COMMAND, Key::P);
    window.run_steps(3);
    assert!(controls(&window, Role::TextInput, "Search").len() == 1 && window.query_by_label("Close").is_none());
    window.key_press(Key::Escape);
    window.run_steps(3);
    let title = Lesson::find("welling-teh").unwrap().scenario().unwrap().title;
    take(&mut window, &title);
    wait_until(&mut window, "the lesson", |window| window.state().frame().scenario.title == title);
}

#[test]
fn arrows_choose_among_at_most_twelve_results_with_their_keys() {
    let mut window = window();
    look_for(&mut window, "s");
    let results = |window: &Window| {
        let rows = window.root().children_recursive().filter(|node| {
            node.accesskit_node().label().is_some_and(|name| name.contains(", ") && !name.starts_with("Canvas"))
        });
        rows.filter(|node| node.accesskit_node().role() == Role::Button).count()
    };
    assert!((8..=12).contains(&results(&window)), "{}", results(&window));
    window.key_press(Key::Escape);
    window.run_steps(3);
    look_for(&mut window, "step for");
    assert!(window.query_by_label("Shift →").is_some() && window.query_by_label("→").is_some());
    let step = window.state().frame().step;
    window.key_press(Key::ArrowDown);
    window.key_press(Key::Enter);
    wait_until(&mut window, "a step", |window| window.state().frame().step > step);
    assert!([step + 1, step + 100].contains(&window.state().frame().step));
}

#[test]
fn the_palette_moves_the_focus_to_a_parameter_wherever_it_is_hidden() {
    let mut window = window();
    window.key_press(Key::F2);
    window.run_steps(20);
    assert!(window.query_by_label("Fold: Target and runs").is_none(), "the panel is folded");
    take(&mut window, "burn-in cSGLD");
    window.run_steps(30);
    let (role, name) = focused(&window).unwrap();
    assert!(role == Role::Slider && name.to_lowercase().contains("burn"), "{role:?} {name}");
    let inside = window.root().children_recursive().find(|node| node.accesskit_node().is_focused()).unwrap().rect();
    assert!(window.ctx.content_rect().contains_rect(inside), "{inside:?} is out of sight");
    // A run under way is changed by an event.
    let both = |window: &Window| {
        let scenario = window.state().scenario();
        [0, 1].map(|run| scenario.settings_at(&scenario.runs[run], u64::MAX).at("collect.burn_in").cloned())
    };
    let before = both(&window);
    window.key_press(Key::ArrowRight);
    window.run_steps(5);
    let after = both(&window);
    assert!(before[0] == after[0] && before[1] != after[1], "{before:?} → {after:?}");
}

#[test]
fn the_palette_shows_a_measure_in_the_readout_with_its_meaning() {
    let mut window = window();
    assert!(window.query_by_label("Kinetic temperature").is_none());
    take(&mut window, "kinetic temp");
    window.run_steps(10);
    let row = window.get_by_label("Kinetic temperature").rect();
    assert!(window.ctx.content_rect().contains_rect(row), "{row:?} is out of sight");
    assert!(window.query_by_label_contains("1 in equilibrium").is_some());
}

#[test]
fn home_leads_to_the_start_page_where_nothing_needs_an_experiment() {
    let mut window = window();
    assert!(window.query_by_label("Present").is_some());
    click(&mut window, "Home");
    assert!(window.query_by_label("Close this page").is_some());
    for name in ["Present", "Export…", "Seed", "Layers ▾"] {
        assert!(window.query_by_label(name).is_none(), "{name} on the start page");
    }
    click(&mut window, "File");
    for (name, able) in [("Save", false), ("Export figure…", false), ("New", true), ("Quit", true)] {
        let entry = window.query_all_by_label_contains(name).find(|node| node.accesskit_node().role() == Role::Button);
        assert_eq!(!entry.unwrap().accesskit_node().is_disabled(), able, "{name}");
    }
    window.key_press(Key::Escape);
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::E);
    window.run_steps(3);
    assert!(window.query_by_label("Resolution").is_none());
}

/// Names of the controls in the order in which Tab reaches them, until it begins again.
fn tab_order(window: &mut Window) -> Vec<(Role, String)> {
    let mut order: Vec<(Role, String, String)> = Vec::new();
    for _ in 0..400 {
        window.key_press(Key::Tab);
        window.run_steps(2);
        let node = window.root().children_recursive().find(|node| {
            let node = node.accesskit_node();
            node.is_focused() && node.role() != Role::Window
        });
        let Some(node) = node else { continue };
        let stop = (
            node.accesskit_node().role(),
            node.accesskit_node().label().unwrap_or_default(),
            format!("{:?}", node.accesskit_node().id()),
        );
        if order.first() == Some(&stop) {
            break;
        }
        if order.last() != Some(&stop) {
            order.push(stop);
        }
    }
    order.into_iter().map(|(role, name, _)| (role, name)).collect()
}

#[test]
fn tab_reaches_every_control_from_the_menu_to_the_transport() {
    let mut window = window();
    let order = tab_order(&mut window);
    let place = |name: &str| {
        let found = order.iter().position(|(_, other)| other == name);
        found.unwrap_or_else(|| panic!("Tab does not reach {name}: {order:?}"))
    };
    let landmarks = [
        "Home",
        "File",
        "Name of run 1",
        "Canvas of SGLD: arrow keys move it, + and − zoom",
        "Canvas of cSGLD: arrow keys move it, + and − zoom",
        "Schedule",
        "Copy",
        "Play or pause",
        "Speed",
    ];
    let places = landmarks.map(place);
    assert!(places.is_sorted(), "{places:?} of {landmarks:?}");
    let reached: BTreeSet<&str> = order.iter().map(|(_, name)| name.as_str()).collect();
    for node in window.root().children_recursive() {
        let node = node.accesskit_node();
        let control = matches!(
            node.role(),
            Role::Button | Role::CheckBox | Role::RadioButton | Role::Slider | Role::ComboBox | Role::SpinButton
        );
        let name = node.label().unwrap_or_default();
        assert!(
            !control || node.is_disabled() || reached.contains(name.as_str()),
            "Tab does not reach {name}: {order:?}"
        );
    }
}

#[test]
fn keys_move_and_zoom_a_canvas_that_has_the_focus() {
    let mut window = window();
    let words = "Canvas of SGLD: arrow keys move it, + and − zoom";
    let step = window.state().frame().step;
    let bounds = |window: &Window| window.state().shown_bounds();
    let home = bounds(&window);
    window.get_by_label(words).focus();
    window.run_steps(3);
    window.key_press(Key::ArrowRight);
    window.run_steps(3);
    let moved = bounds(&window);
    assert!(moved.min.x > home.min.x && (moved.min.y - home.min.y).abs() < 1e-9, "{home:?} → {moved:?}");
    window.key_press(Key::Plus);
    window.run_steps(3);
    assert!(bounds(&window).size().x < 0.9 * moved.size().x);
    assert_eq!(focused(&window).unwrap().1, words, "the arrow has moved the focus");
    assert_eq!(window.state().frame().step, step, "the arrow has taken a step");
}

/// Every control has a name that can be spoken.
#[track_caller]
fn check_names(window: &Window, state: &str) {
    assert_eq!(window.unnamed_widgets(), Vec::<String>::new(), "{state}");
    for node in window.root().children_recursive() {
        let node = node.accesskit_node();
        let button = matches!(node.role(), Role::Button | Role::CheckBox | Role::RadioButton | Role::ComboBox);
        let name = node.label().unwrap_or_default();
        let spoken = name.chars().any(char::is_alphanumeric);
        assert!(!button || node.is_hidden() || spoken, "{state}: a {:?} is called {name:?}", node.role());
    }
}

#[test]
fn every_control_has_a_name_that_can_be_spoken_in_every_state() {
    let mut window = window();
    check_names(&window, "two runs");
    for tab in draw::views::TABS {
        let offered = |window: &Window| window.query_by_role_and_label(Role::Button, tab.spec.label).is_some();
        if !offered(&window) && window.query_by_role_and_label(Role::Button, "More tabs ▾").is_some() {
            click(&mut window, "More tabs ▾");
            check_names(&window, "tabs without space");
        }
        if offered(&window) {
            click(&mut window, tab.spec.label);
            check_names(&window, tab.spec.label);
        }
        window.key_press(Key::Escape);
        window.run_steps(3);
    }
    // Repeats have a button of the name of another.
    click(&mut window, "Schedule");
    for menu in ["File", "Edit", "View", "Help", "Layers ▾", "Fit ▾", "Canvases ▾", "Copy"] {
        click(&mut window, menu);
        check_names(&window, menu);
        window.key_press(Key::Escape);
        window.run_steps(3);
    }
    for (key, state) in [(Key::F1, "help"), (Key::K, "palette"), (Key::E, "export"), (Key::O, "path")] {
        let modifiers = if key == Key::F1 { Modifiers::NONE } else { Modifiers::COMMAND };
        window.key_press_modifiers(modifiers, key);
        window.run_steps(3);
        check_names(&window, state);
        window.key_press(Key::Escape);
        window.run_steps(3);
    }
    click(&mut window, "Edit text");
    check_names(&window, "title and caption");
    click(&mut window, "Cancel");
    for key in [Key::F2, Key::F3, Key::F4] {
        window.key_press(key);
    }
    window.run_steps(20);
    check_names(&window, "strips");
    window.key_press(Key::P);
    window.run_steps(5);
    check_names(&window, "present");
    window.key_press(Key::P);
    window.run_steps(5);
    click(&mut window, "Home");
    check_names(&window, "start page");
}

#[test]
fn every_control_of_lessons_has_a_name() {
    let mut window = window();
    for (number, lesson) in LESSONS.iter().enumerate().step_by(9) {
        take(&mut window, &lesson.words().0);
        let title = lesson.words().0;
        wait_until(&mut window, &title, |window| window.state().frame().scenario.title == title);
        window.run_steps(3);
        check_names(&window, &format!("lesson {number}"));
    }
}

/// A window with a Korean scenario.
const KOREAN: &str = r#"
format = 1
title = "사후분포의 봉우리"
seed = 7
[caption]
watch = "사슬이 봉우리 사이를 오간다."
[target]
kind = "gaussian"
[[run]]
name = "확률적 경사"
method = "sgld"
steps = 4000
"#;

fn value(window: &Window, name: &str) -> String {
    window.get_by_role_and_label(Role::TextInput, name).accesskit_node().value().unwrap_or_default()
}

#[test]
fn a_korean_caption_is_composed_copied_pasted_and_found() {
    let mut window = window_with(KOREAN, Vec2::new(1440.0, 900.0));
    window.run_steps(3);
    pause(&mut window);
    click(&mut window, "Edit text");
    assert_eq!(value(&window, "Title"), "사후분포의 봉우리");
    window.get_by_role_and_label(Role::TextInput, "Title").focus();
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.run_steps(2);
    // The syllables as an input method composes them.
    for composed in ["ㅎ", "하", "한"] {
        let preedit = egui::ImeEvent::Preedit { text: composed.to_owned(), active_range_chars: None };
        window.event(egui::Event::Ime(preedit));
        window.run_steps(2);
        assert_eq!(value(&window, "Title"), composed, "the syllable is not shown while it is composed");
    }
    window.event(egui::Event::Ime(egui::ImeEvent::Commit("한".to_owned())));
    window.run_steps(2);
    window.event(egui::Event::Paste("국어 표집".to_owned()));
    window.run_steps(2);
    assert_eq!(value(&window, "Title"), "한국어 표집");
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.run_steps(2);
    window.event(egui::Event::Copy);
    window.step();
    let copied = window
        .output()
        .platform_output
        .commands
        .iter()
        .any(|command| matches!(command, egui::OutputCommand::CopyText(text) if text == "한국어 표집"));
    assert!(copied, "the title is not copied");
    click(&mut window, "Apply");
    wait_until(&mut window, "the title", |window| window.state().scenario().title == "한국어 표집");
    look_for(&mut window, "확률적");
    assert!(window.query_all_by_label_contains("Parameter of 확률적 경사").next().is_some());
}
