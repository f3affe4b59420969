//! Tests of what comes back: unsaved work, the session of last time, the start page.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Key, Vec2, ViewportEvent, ViewportId};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use sampler_lab::app::{App, Named};
use sampler_lab::output::Claim;
use sampler_lab::scenario::{LESSONS, Scenario, read};

use crate::app::{PATIENCE, SCENARIO, Window, click, controls, pause, wait_until, window_with};
use crate::formula_window::{write_anew, written};

const SIZE: Vec2 = Vec2::new(1440.0, 900.0);

/// A window that keeps its session in a folder.
fn start(folder: &Path, named: Option<(Scenario, Option<PathBuf>)>) -> Window {
    start_with(folder, named.map(|named| Ok(named).into()), false)
}

/// The same, where what is named may not have been read, or is loaded `again`.
fn start_with(folder: &Path, named: Option<Named>, again: bool) -> Window {
    let folder = folder.to_owned();
    let builder = Harness::builder().with_size(SIZE).with_max_steps(64);
    let mut window = builder.build_eframe(move |cc| App::start(cc, named, Some(&folder), again).unwrap());
    window.run_steps(3);
    window
}

/// Closes the window. The file of its session is in use until the thread that writes it has ended.
fn close(window: Window, folder: &Path) {
    drop(window);
    let begun = Instant::now();
    let free = || Claim::paths(folder, "session-", "json").iter().any(|path| Claim::on(path).unwrap().is_some());
    while !free() {
        assert!(begun.elapsed() < PATIENCE, "the file of the session is still in use");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn lesson(number: usize) -> Option<(Scenario, Option<PathBuf>)> {
    Some((LESSONS[number].scenario().unwrap(), None))
}

fn shows(window: &Window, text: &str) -> bool {
    window.query_all_by_label_contains(text).next().is_some()
}

/// Gives the scenario in the window another seed, and waits for it.
fn reseed(window: &mut Window) -> u64 {
    let before = window.state().scenario().seed;
    window.key_press_modifiers(egui::Modifiers::SHIFT, Key::N);
    wait_until(window, "another seed", |window| window.state().frame().scenario.seed != before);
    window.state().scenario().seed
}

fn ask_to_close(window: &mut Window) {
    let root = window.input_mut().viewports.entry(ViewportId::ROOT).or_default();
    root.events.push(ViewportEvent::Close);
    window.run_steps(3);
}

/// What the file of the session says, if there is one file and it contains a text.
fn session_contains(folder: &Path, text: &str) -> bool {
    let files = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    let mut sessions = files.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    sessions.any(|path| std::fs::read_to_string(path).is_ok_and(|session| session.contains(text)))
}

#[test]
fn a_changed_lesson_is_kept_when_another_takes_its_place_and_comes_back() {
    let mut window = window_with(LESSONS[0].text, SIZE);
    window.run_steps(3);
    pause(&mut window);
    window.key_press(Key::PageDown);
    wait_until(&mut window, "the next lesson", |window| window.state().frame().scenario.title != first_title());
    assert!(!shows(&window, "Kept:"), "what is not changed is not kept");
    window.key_press(Key::PageUp);
    wait_until(&mut window, "the first lesson", |window| window.state().frame().scenario.title == first_title());
    let seed = reseed(&mut window);
    window.key_press(Key::PageDown);
    wait_until(&mut window, "the next lesson", |window| window.state().frame().scenario.title != first_title());
    assert!(shows(&window, &format!("Kept: {} (changed)", first_title())));
    click(&mut window, "Back");
    wait_until(&mut window, "the changed lesson", |window| window.state().frame().scenario.seed == seed);
    assert_eq!(window.state().scenario().title, first_title());
    assert!(shows(&window, "You have changed this lesson."));
}

fn first_title() -> String {
    LESSONS[0].words().0
}

/// A page that is loaded again has its lesson in the address: what was made of it goes on. An address that a person has typed, and that of
/// another lesson, begin anew; what was changed is kept beside it.
#[test]
fn a_page_that_is_loaded_again_goes_on_with_its_lesson() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = start(folder.path(), lesson(0));
    wait_until(&mut window, "first steps", |window| window.state().frame().step > 0);
    pause(&mut window);
    let seed = reseed(&mut window);
    wait_until(&mut window, "the seed", |_| session_contains(folder.path(), &format!("seed = {seed}")));
    close(window, folder.path());
    for (number, again) in [(0, true), (1, true), (0, false)] {
        let copy = tempfile::tempdir().unwrap();
        for file in std::fs::read_dir(folder.path()).unwrap().flatten() {
            std::fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
        }
        let window = start_with(copy.path(), lesson(number).map(|named| Ok(named).into()), again);
        let expected = if number == 0 && again { seed } else { LESSONS[number].scenario().unwrap().seed };
        assert_eq!(window.state().scenario().title, LESSONS[number].words().0, "{number} {again}");
        assert_eq!(window.state().scenario().seed, expected, "{number} {again}");
        close(window, copy.path());
    }
}

#[test]
fn what_was_changed_and_undone_comes_back_at_its_step_at_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = start(folder.path(), lesson(0));
    wait_until(&mut window, "first steps", |window| window.state().frame().step > 0);
    pause(&mut window);
    reseed(&mut window);
    window.key_press_modifiers(egui::Modifiers::COMMAND, Key::Z);
    let seed = LESSONS[0].scenario().unwrap().seed;
    wait_until(&mut window, "undo", |window| window.state().frame().scenario.seed == seed);
    let seed = reseed(&mut window);
    for _ in 0..3 {
        let step = window.state().frame().step;
        window.key_press(Key::ArrowRight);
        wait_until(&mut window, "a step", |window| window.state().frame().step == step + 1);
    }
    pause(&mut window);
    window.run_steps(2);
    let (step, before) = (window.state().frame().step, window.state().scenario().clone());
    let kept = format!("\"step\": {step},");
    wait_until(&mut window, "a file", |_| session_contains(folder.path(), &kept));
    wait_until(&mut window, "the seed in it", |_| session_contains(folder.path(), &format!("seed = {seed}")));
    close(window, folder.path());

    let mut window = start(folder.path(), None);
    wait_until(&mut window, "the step", |window| window.state().frame().step == step);
    assert!(window.state().scenario().same_but_view(&before));
    assert!(!window.state().playing());
    assert!(shows(&window, "Restored from last time") && shows(&window, "You have changed this lesson."));
    click(&mut window, "Start page");
    assert_eq!(controls(&window, Role::Button, &first_title()).len(), 1);
}

#[test]
fn the_first_start_shows_the_start_page_and_keys_choose_a_lesson() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = start(folder.path(), None);
    assert!(shows(&window, "Empty experiment") && !window.state().playing());
    assert_eq!(window.unnamed_widgets(), Vec::<String>::new());
    window.key_press(Key::ArrowDown);
    window.run_steps(3);
    window.key_press(Key::ArrowRight);
    window.run_steps(3);
    window.key_press(Key::Enter);
    wait_until(&mut window, "the second lesson", |window| {
        window.state().frame().scenario.title == LESSONS[1].words().0
    });
    assert!(!shows(&window, "Empty experiment"));
}

/// Page Down goes to the lesson that has not begun, and from the start page after it to the next one.
#[test]
fn page_down_on_the_start_page_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = start(folder.path(), None);
    window.key_press(Key::PageDown);
    wait_until(&mut window, "the first lesson", |window| {
        !shows(window, "Empty experiment") && window.state().frame().scenario.title == LESSONS[0].words().0
    });
    wait_until(&mut window, "a step", |window| window.state().frame().step > 0);
    click(&mut window, "Home");
    window.run_steps(3);
    assert!(shows(&window, "Empty experiment"));
    window.key_press(Key::PageDown);
    wait_until(&mut window, "the second lesson", |window| {
        !shows(window, "Empty experiment") && window.state().frame().scenario.title == LESSONS[1].words().0
    });
}

#[test]
fn escape_closes_the_start_page_and_space_does_not_play_behind_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = start(folder.path(), None);
    window.key_press(Key::Space);
    window.run_steps(5);
    assert!(!window.state().playing());
    window.key_press(Key::Escape);
    window.run_steps(3);
    assert!(shows(&window, "Readout") && !shows(&window, "Empty experiment"));
}

#[test]
fn a_named_scenario_is_shown_and_what_was_left_is_unsaved_work() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = start(folder.path(), lesson(0));
    pause(&mut window);
    let seed = reseed(&mut window);
    wait_until(&mut window, "a file", |_| session_contains(folder.path(), &format!("seed = {seed}")));
    close(window, folder.path());
    let mut window = start(folder.path(), lesson(1));
    assert_eq!(window.state().scenario().title, LESSONS[1].words().0);
    click(&mut window, "File");
    window.query_all_by_label_contains("Start page").next().unwrap().click();
    window.run_steps(3);
    click(&mut window, &format!("{} (changed)", first_title()));
    wait_until(&mut window, "the changed lesson", |window| window.state().frame().scenario.seed == seed);
}

/// What was named and cannot be shown is told in the window, whatever is wrong with it.
#[test]
fn a_window_opens_and_says_why_what_was_named_cannot_be_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = start_with(
        folder.path(),
        Some(Err("mine.toml cannot be shown:\nrun[1].name: the name is too long".to_owned()).into()),
        false,
    );
    assert!(shows(&window, "the name is too long") && shows(&window, "Empty experiment"));
    window.key_press(Key::Escape);
    window.run_steps(3);
    assert!(shows(&window, "the name is too long"), "it stays until it is closed");
}

/// Comments that saving would lose are told before.
#[test]
fn comments_of_a_file_are_not_lost_without_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let text = format!("# the head\n{}# a note\n", sampler_lab::scenario::write(&LESSONS[0].scenario().unwrap()));
    std::fs::write(&path, &text).unwrap();
    let kept = tempfile::tempdir().unwrap();
    let mut window = start(kept.path(), Some((sampler_lab::scenario::load(&path).unwrap(), Some(path.clone()))));
    pause(&mut window);
    reseed(&mut window);
    // Somebody has broken the file meanwhile: nothing can be changed in its place.
    let text = format!("{text}not =\n");
    std::fs::write(&path, &text).unwrap();
    window.key_press_modifiers(egui::Modifiers::COMMAND, Key::S);
    wait_until(&mut window, "the question", |window| shows(window, "Comments would be lost"));
    assert_eq!(window.unnamed_widgets(), Vec::<String>::new());
    click(&mut window, "Cancel");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    window.key_press_modifiers(egui::Modifiers::COMMAND, Key::S);
    wait_until(&mut window, "the question", |window| shows(window, "Comments would be lost"));
    click(&mut window, "Save without them");
    wait_until(&mut window, "the file", |window| shows(window, "Saved"));
    let saved = std::fs::read_to_string(&path).unwrap();
    assert!(saved.starts_with("# the head\n") && !saved.contains("# a note"), "{saved}");
}

/// A choice that needs a file stays until there is one.
#[test]
fn data_from_a_file_are_chosen_in_the_window() {
    let text = "format = 1\ntitle = \"Data\"\nseed = 7\n[target]\nkind = \"normal-gamma\"\n[[run]]\nname = \"SGLD\"\n\
                method = \"sgld\"\nsteps = 50\nstep_size = { kind = \"constant\", value = 0.0005 }\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("numbers.csv");
    std::fs::write(&path, "value\n1\n2\n4\n3\n").unwrap();
    let mut window = window_with(text, SIZE);
    window.run_steps(3);
    pause(&mut window);
    window.get_by_role_and_label(Role::ComboBox, "data").click();
    window.run_steps(3);
    click(&mut window, "From a file");
    wait_until(&mut window, "the hint", |window| shows(window, "Still to write: the path of a CSV file"));
    wait_until(&mut window, "what the runs keep", |window| shows(window, "The runs keep the target"));
    assert_eq!(window.unnamed_widgets(), Vec::<String>::new());
    assert!(controls(&window, Role::Button, "Choose: file").len() == 1);
    let choose = |window: &mut Window, path: &Path| {
        window.get_by_role_and_label(Role::TextInput, "file").focus();
        window.run_steps(2);
        window.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
        window.event(egui::Event::Text(path.display().to_string()));
        window.run_steps(2);
        window.key_press(Key::Enter);
    };
    let top = |window: &Window| window.get_by_role_and_label(Role::TextInput, "file").rect().top();
    let before = top(&window);
    let words = folder.path().join("words.csv");
    std::fs::write(&words, format!("value\n{}", "yes\nno\n".repeat(20))).unwrap();
    choose(&mut window, &words);
    wait_until(&mut window, "the errors", |window| shows(window, "is not a number"));
    assert!((top(&window) - before).abs() < 0.5, "many errors push no field away");
    choose(&mut window, &path);
    wait_until(&mut window, "the data", |window| {
        let target = &window.state().frame().scenario.target;
        target.group("data").is_some_and(|data| data.kind.name == "csv")
    });
    assert!(!shows(&window, "The runs keep the target"));
}

#[test]
fn closing_asks_only_about_changes_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    for (number, file) in [(0, None), (1, Some(folder.path().join("mine.toml")))] {
        let (asks, scenario) = (file.is_some(), LESSONS[number].scenario().unwrap());
        let kept = tempfile::tempdir().unwrap();
        let mut window = start(kept.path(), Some((scenario, file)));
        pause(&mut window);
        ask_to_close(&mut window);
        assert!(!shows(&window, "Unsaved changes"), "nothing is changed");
        reseed(&mut window);
        ask_to_close(&mut window);
        assert_eq!(shows(&window, "Unsaved changes"), asks);
        if asks {
            assert!(shows(&window, "Keep for next time") && shows(&window, "Discard"));
        }
    }
}

#[test]
fn a_run_that_has_ended_says_that_it_starts_again() {
    let text = "format = 1\ntitle = \"Short\"\nseed = 7\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"SGLD\"\n\
                method = \"sgld\"\nsteps = 50\nstep_size = { kind = \"constant\", value = 0.05 }\n";
    let mut window = window_with(text, SIZE);
    window.key_press(Key::End);
    wait_until(&mut window, "the end", |window| window.state().frame().finished());
    let name = window.state().scenario().runs[0].settings.spec_at("step_size.value").unwrap().label;
    controls(&window, Role::Slider, name)[0].set_value_accesskit(0.2);
    wait_until(&mut window, "the message", |window| shows(window, "Started again from step 0"));
}

#[test]
fn words_being_typed_are_kept_when_another_scenario_takes_the_place() {
    let mut window = window_with(LESSONS[0].text, SIZE);
    window.run_steps(3);
    pause(&mut window);
    click(&mut window, "Edit text");
    let title = |window: &Window| window.get_by_role_and_label(Role::TextInput, "Title").value().unwrap();
    window.get_by_role_and_label(Role::TextInput, "Title").focus();
    window.run_steps(2);
    window.get_by_role_and_label(Role::TextInput, "Title").type_text("My");
    window.run_steps(3);
    let typed = title(&window);
    assert_ne!(typed, first_title());
    click(&mut window, "File");
    click(&mut window, "New Ctrl N");
    wait_until(&mut window, "the empty experiment", |window| window.state().frame().scenario.title == "Untitled");
    click(&mut window, "Back");
    wait_until(&mut window, "the words", |window| window.state().frame().scenario.title == typed);
}

/// What was typed and refused is there at the next start, as it was typed and with the reason: a text with an error, and a target.
#[test]
fn what_was_typed_and_refused_comes_back_at_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let formula = "kind = \"formula\"\ndensity = \"−x² − y²\"\nparameters = {}";
    let scenario = read(&SCENARIO.replace("kind = \"gaussian\"", formula), "test", Path::new(".")).unwrap();
    let has_field = |window: &Window| window.query_by_role_and_label(Role::MultilineTextInput, "formula").is_some();
    let mut window = start(folder.path(), Some((scenario, None)));
    pause(&mut window);
    write_anew(&mut window, "−x²/2 − (y − qq(x))²");
    window.key_press(Key::Enter);
    wait_until(&mut window, "a file", |_| session_contains(folder.path(), "(y − qq(x))²"));
    close(window, folder.path());

    let mut window = start(folder.path(), None);
    wait_until(&mut window, "the field", has_field);
    assert_eq!(written(&window), "−x²/2 − (y − qq(x))²");
    assert!(shows(&window, "no function") && shows(&window, "Last text without an error: −x² − y²"));
    write_anew(&mut window, "x² − y²");
    click(&mut window, "Apply");
    wait_until(&mut window, "the refusal", |window| shows(window, "no highest point"));
    wait_until(&mut window, "a file", |_| session_contains(folder.path(), "no highest point"));
    close(window, folder.path());

    let mut window = start(folder.path(), None);
    wait_until(&mut window, "the field", has_field);
    assert_eq!(written(&window), "x² − y²");
    assert!(shows(&window, "no highest point") && shows(&window, "The runs keep the target"));
    assert_eq!(window.state().scenario().target.word("density"), "−x² − y²");
    click(&mut window, "Give up");
    window.run_steps(3);
    assert_eq!(written(&window), "−x² − y²");
}
