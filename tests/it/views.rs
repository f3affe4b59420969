//! Tests of what a scenario file says of the window: it is shown, it holds, and Save writes it again.

use std::fs;
use std::path::PathBuf;

use egui::accesskit::Role;
use egui::epaint::TextShape;
use egui::{Key, Modifiers, Shape, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use sampler_lab::app::App;
use sampler_lab::scenario::view::Axis;
use sampler_lab::scenario::{LESSONS, Lesson, LessonPath, PATHS, load};
use sampler_lab::worker::Pacing;

use super::app::{SCENARIO, Window, click, controls, wait_until, window_with};
use super::functions::paints;

const SIZE: Vec2 = Vec2::new(1440.0, 900.0);

/// A window with this `[view]`.
fn with_view(view: &str) -> Window {
    let mut window = window_with(&format!("{SCENARIO}[view]\n{view}"), SIZE);
    window.run_steps(3);
    window
}

/// A window with the file of a lesson in a folder.
fn opened(path: PathBuf) -> Window {
    let scenario = load(&path).unwrap();
    let builder = Harness::builder().with_size(SIZE).with_max_steps(64);
    builder.build_eframe(move |cc| App::new(cc, scenario, Some(path)).unwrap())
}

fn lesson(name: &str) -> Window {
    let mut window = window_with(Lesson::find(name).unwrap().text, SIZE);
    window.run_steps(3);
    window
}

fn shows(window: &Window, text: &str) -> bool {
    window.query_all_by_label_contains(text).next().is_some()
}

#[test]
fn save_writes_the_view_of_each_lesson_as_it_was_read() {
    let folder = tempfile::tempdir().unwrap();
    for lesson in LESSONS {
        let path = folder.path().join(format!("{}.toml", lesson.name));
        fs::write(&path, lesson.text).unwrap();
        let mut window = opened(path.clone());
        window.run_steps(3);
        window.key_press_modifiers(Modifiers::COMMAND, Key::S);
        wait_until(&mut window, "a saved file", |window| shows(window, "Saved "));
        let (saved, read) = (load(&path).unwrap(), lesson.scenario().unwrap());
        assert_eq!(saved.view.without_moment(), read.view, "{}", lesson.name);
        assert!(saved.same_but_view(&read), "{}", lesson.name);
    }
}

#[test]
fn playing_stops_at_a_pause_and_goes_on() {
    let mut window = with_view("pace = \"watch\"\nspeed = \"full\"\npause = [123, 456]\n");
    for step in [123, 456] {
        wait_until(&mut window, "a pause", |window| !window.state().playing() && window.state().frame().step >= step);
        assert_eq!(window.state().frame().step, step);
        window.key_press(Key::Space);
        wait_until(&mut window, "more steps", |window| window.state().frame().step > step);
    }
}

#[test]
fn a_scenario_opens_at_its_step() {
    let mut window = with_view("step = 300\n");
    wait_until(&mut window, "the step", |window| window.state().frame().step == 300);
    window.run_steps(10);
    assert!(!window.state().playing() && window.state().frame().step == 300);
}

/// What was changed is a line of the file, and where the runs had got to is none.
#[test]
fn a_file_without_a_moment_is_saved_without_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.toml");
    fs::write(&path, SCENARIO).unwrap();
    let mut window = opened(path.clone());
    window.key_press(Key::I);
    wait_until(&mut window, "the end", |window| window.state().frame().step == window.state().frame().total);
    window.key_press_modifiers(Modifiers::SHIFT, Key::N);
    wait_until(&mut window, "another seed", |window| window.state().scenario().seed != 7);
    window.key_press_modifiers(Modifiers::COMMAND, Key::S);
    wait_until(&mut window, "a saved file", |_| fs::read_to_string(&path).is_ok_and(|now| now != SCENARIO));
    let saved = fs::read_to_string(&path).unwrap();
    assert_eq!(SCENARIO.lines().zip(saved.lines()).filter(|(before, after)| before != after).count(), 1, "{saved}");
    assert_eq!(SCENARIO.lines().count(), saved.lines().count(), "{saved}");
}

#[test]
fn a_saved_file_opens_at_the_moment_that_was_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.toml");
    let text = format!("{SCENARIO}[view]\nstep = 300\n");
    fs::write(&path, &text).unwrap();
    let mut window = opened(path.clone());
    wait_until(&mut window, "the step", |window| window.state().frame().step == 300);
    window.key_press(Key::ArrowRight);
    wait_until(&mut window, "the next step", |window| window.state().frame().step == 301);
    window.key_press_modifiers(Modifiers::COMMAND, Key::S);
    wait_until(&mut window, "a saved file", |_| fs::read_to_string(&path).is_ok_and(|now| now != text));
    let view = load(&path).unwrap().view;
    assert_eq!((view.step, view.pace), (Some(301), Some(Pacing::Watch)));
    // The finished picture of Instant opens as such.
    window.key_press(Key::I);
    wait_until(&mut window, "the end", |window| window.state().frame().step == window.state().frame().total);
    let before = fs::read_to_string(&path).unwrap();
    window.key_press_modifiers(Modifiers::COMMAND, Key::S);
    wait_until(&mut window, "a saved file", |_| fs::read_to_string(&path).is_ok_and(|now| now != before));
    let view = load(&path).unwrap().view;
    assert_eq!((view.step, view.pace), (None, Some(Pacing::Instant)));
}

#[test]
fn instant_and_colours_of_a_file_hold_for_this_file() {
    let mut window = with_view("pace = \"instant\"\ntheme = \"dark\"\n");
    assert_eq!(window.state().status().mode, Pacing::Instant);
    assert!(window.ctx.global_style().visuals.dark_mode);
    click(&mut window, "View");
    window.get_by_role_and_label(Role::RadioButton, "Light").click();
    window.run_steps(3);
    assert!(!window.ctx.global_style().visuals.dark_mode);
}

#[test]
fn what_is_locked_cannot_be_changed() {
    let mut window = with_view("locked = [\"*\"]\nunlocked = [\"SGLD.step_size.value\"]\n");
    let before = window.state().scenario().clone();
    let label = before.runs[0].settings.spec_at("step_size.value").unwrap().label;
    let knobs = controls(&window, Role::Slider, label);
    assert!(knobs.first().is_some_and(|knob| !knob.accesskit_node().is_disabled()));
    let steps = before.runs[0].settings.spec_at("steps").unwrap().label;
    assert!(controls(&window, Role::Slider, steps).is_empty(), "what is locked has no control");
    assert!(shows(&window, "parameters are fixed by this hand-out") && !shows(&window, "+ Add run"));
    window.key_press_modifiers(Modifiers::SHIFT, Key::N);
    window.run_steps(3);
    assert!(shows(&window, "seed is locked"));
    assert_eq!(window.state().scenario(), &before);
    controls(&window, Role::Slider, label)[0].set_value_accesskit(0.2);
    wait_until(&mut window, "the edit", |window| window.state().scenario() != &before);
}

#[test]
fn a_file_hides_panels_and_folds_them() {
    let window = with_view("hidden = [\"menu\", \"lesson\"]\nfolded = [\"target-and-runs\"]\n");
    assert!(!shows(&window, "Export…") && !shows(&window, "Edit text") && !shows(&window, "Add run"));
    assert!(shows(&window, "Readout"));
    let plain = with_view("");
    assert!(shows(&plain, "Export…") && shows(&plain, "Edit text") && shows(&plain, "Add run"));
}

#[test]
fn a_file_chooses_the_measures() {
    let window = with_view("measures = [\"kl\", \"rhat\"]\n");
    assert!(shows(&window, "R-hat") && !shows(&window, "Modes covered"));
}

#[test]
fn the_truth_is_hidden_until_t_is_pressed() {
    let mut window = with_view("truth = \"hidden\"\n");
    assert!(!shows(&window, "Total variation"));
    window.key_press(Key::T);
    wait_until(&mut window, "the truth", |window| shows(window, "Total variation"));
}

#[test]
fn an_entry_that_is_not_known_is_told() {
    let window = with_view("zoom = 3\n");
    assert!(shows(&window, "view.zoom"));
}

#[test]
fn lessons_follow_one_another_and_hide_their_answers() {
    let mut window = lesson("authors-code");
    let first = LESSONS.iter().position(|lesson| lesson.name == "authors-code").unwrap() + 1;
    let place = |number: usize| format!("{number} of {}", LESSONS.len());
    assert!(shows(&window, &place(first)) && shows(&window, "Cyclical step sizes"));
    assert!(!shows(&window, "make the clouds too wide"));
    click(&mut window, "Show the answer");
    assert!(shows(&window, "make the clouds too wide"));
    window.key_press(Key::PageDown);
    wait_until(&mut window, "the next lesson", |window| shows(window, &place(first + 1)));
    assert!(shows(&window, "Show the answer"));
    click(&mut window, "Previous lesson");
    wait_until(&mut window, "the lesson before", |window| shows(window, &place(first)));
    assert!(!shows(&window, "make the clouds too wide"), "the answer is hidden again");
}

/// How dark a text that begins with these words is on the screen, from 0 to 255.
fn ink(window: &Window, begins: &str) -> u8 {
    fn texts(shape: &Shape) -> Vec<&TextShape> {
        match shape {
            Shape::Text(text) => vec![text],
            Shape::Vec(shapes) => shapes.iter().flat_map(texts).collect(),
            _ => Vec::new(),
        }
    }
    let mut all = window.output().shapes.iter().flat_map(|clipped| texts(&clipped.shape));
    let text = all.rfind(|text| text.galley.text().starts_with(begins));
    let rows = &text.unwrap_or_else(|| panic!("{begins:?} is not on the screen")).galley.rows;
    rows.iter().flat_map(|row| &row.visuals.mesh.vertices).map(|vertex| vertex.color.a()).max().unwrap()
}

/// Doing what "Try" asks for leaves the instructions as they are. Only the answer may not hold any more.
#[test]
fn a_change_makes_the_answer_pale_and_not_the_instructions() {
    let lesson = Lesson::find("with-gradient").unwrap();
    let (_, caption) = lesson.words();
    let mut window = window_with(lesson.text, Vec2::new(1440.0, 2400.0));
    window.run_steps(3);
    click(&mut window, "Show the answer");
    wait_until(&mut window, "the answer", |window| shows(window, &caption.answer));
    let instructions = [("Watch", &caption.watch), ("Notice", &caption.notice), ("Try", &caption.tries[0])]
        .map(|(head, text)| format!("{head}  {text}"));
    for text in instructions.iter().chain([&caption.answer]) {
        assert_eq!(ink(&window, text), u8::MAX, "{text}");
    }
    window.key_press_modifiers(Modifiers::SHIFT, Key::N);
    wait_until(&mut window, "a changed lesson", |window| shows(window, "You have changed this lesson."));
    window.run_steps(2);
    for text in &instructions {
        assert_eq!(ink(&window, text), u8::MAX, "{text}");
    }
    assert!(ink(&window, &caption.answer) < u8::MAX);
}

/// The numbers of an answer stand in a table, with the present ones beside those that are expected.
#[test]
fn an_answer_has_a_table_of_its_numbers() {
    let mut window = window_with(Lesson::find("with-gradient").unwrap().text, Vec2::new(1440.0, 2400.0));
    window.run_steps(3);
    assert!(!shows(&window, "in lesson"));
    click(&mut window, "Show the answer");
    wait_until(&mut window, "the table", |window| shows(window, "in lesson"));
    assert!(shows(&window, "now") && shows(&window, "0.84") && shows(&window, "0.57"));
}

/// A click on a word of a text opens the glossary there.
#[test]
fn a_word_opens_the_glossary() {
    let text =
        Lesson::find("with-gradient").unwrap().text.replace("A random walk is", "The gradient leads. A random walk is");
    let mut window = window_with(&text, Vec2::new(1440.0, 2400.0));
    window.run_steps(3);
    let rect = window.get_by_label_contains("The gradient leads. A random walk").rect();
    // "Watch The gradient …": the third word of the first line.
    let at = rect.left_top() + Vec2::new(105.0, 8.0);
    window.hover_at(at);
    wait_until(&mut window, "the plain sentence", |window| {
        shows(window, "The direction in which the log density grows")
    });
    window.drag_at(at);
    window.drop_at(at);
    wait_until(&mut window, "the glossary", |window| shows(window, "It is the derivative"));
}

/// Page Down follows the path that a lesson was chosen from; a lesson that is opened otherwise is followed by the next of all lessons.
#[test]
fn page_down_follows_the_path() {
    let path = PATHS.iter().find(|path| path.key == "schedule").unwrap();
    let title = |name: &str| Lesson::find(name).unwrap().words().0;
    let mut window = lesson(path.lessons[0]);
    click(&mut window, "Home");
    assert!(window.query_by_label(&title(path.lessons[5])).is_some(), "in its group");
    let before = window.query_all_by_label(&title(path.lessons[5])).count();
    click(&mut window, path.name);
    window.run_steps(3);
    assert_eq!(window.query_all_by_label(&title(path.lessons[5])).count(), before + 1);
    window.query_all_by_label(&title(path.lessons[1])).next().unwrap().click_accesskit();
    let at = |number: usize| format!("{number} of {} · {}", path.lessons.len(), path.name);
    wait_until(&mut window, "the second lesson", |window| shows(window, &at(2)));
    for number in 3..=path.lessons.len() {
        window.key_press(Key::PageDown);
        wait_until(&mut window, "the next lesson", |window| shows(window, &at(number)));
        assert_eq!(window.state().scenario().title, title(path.lessons[number - 1]));
    }
    window.key_press(Key::PageDown);
    wait_until(&mut window, "a message", |window| shows(window, "This is the last lesson of"));
    assert!(shows(&window, &at(path.lessons.len())));
}

#[test]
fn the_lessons_for_beginners_are_counted_on_their_path() {
    let start = LessonPath::start();
    let mut window = lesson(start.lessons[1]);
    assert!(shows(&window, "2 of 8 · Start here"));
    window.key_press(Key::PageDown);
    wait_until(&mut window, "the next lesson", |window| shows(window, "3 of 8 · Start here"));
}

#[test]
fn a_changed_lesson_says_so_and_leads_back() {
    let mut window = lesson("stein-blindness");
    assert!(!shows(&window, "You have changed"));
    window.key_press_modifiers(Modifiers::SHIFT, Key::N);
    wait_until(&mut window, "another seed", |window| shows(window, "You have changed this lesson"));
    click(&mut window, "Back to the lesson");
    wait_until(&mut window, "the lesson", |window| !shows(window, "You have changed this lesson"));
    assert_eq!(window.state().scenario().seed, 6);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    wait_until(&mut window, "undo", |window| shows(window, "You have changed this lesson"));
}

/// Topics that are inferred in no time.
const TOPICS: &str = "format = 1\ntitle = \"Topics\"\nseed = 1\n[target]\nkind = \"topics\"\n\
    corpus = { kind = \"bars\", side = 4, documents = 60 }\n\
    [[run]]\nname = \"SVI\"\nmethod = \"svi\"\nsteps = 200\ngradient = { kind = \"minibatch\", size = 10 }\n\
    [[run]]\nname = \"CAVI\"\nmethod = \"cavi\"\nsteps = 40\n";

#[test]
fn topics_are_plotted_against_seconds_and_the_file_keeps_that() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("topics.toml");
    fs::write(&path, format!("{TOPICS}[view]\ntab = \"heldout\"\npace = \"instant\"\n")).unwrap();
    let mut window = opened(path.clone());
    wait_until(&mut window, "the end", |window| window.state().frame().finished());
    window.get_by_role_and_label(Role::ComboBox, "Horizontal axis").click();
    window.run_steps(3);
    click(&mut window, "by seconds");
    window.run_steps(3);
    assert!(paints(&window, "computing time in seconds"));
    assert!(window.query_by_role_and_label(Role::CheckBox, "log seconds").is_some());
    for run in &window.state().frame().runs {
        assert!(run.seconds.as_ref().is_some_and(|seconds| seconds.end() > 0.0), "{}", run.plan.name);
    }
    // Other plots have documents meanwhile.
    click(&mut window, "Schedule");
    window.run_steps(3);
    assert!(paints(&window, "documents seen") && !paints(&window, "computing time"));
    click(&mut window, "Held-out");
    window.run_steps(3);
    let before = fs::read_to_string(&path).unwrap();
    window.key_press_modifiers(Modifiers::COMMAND, Key::S);
    wait_until(&mut window, "a saved file", |_| fs::read_to_string(&path).is_ok_and(|now| now != before));
    assert_eq!(load(&path).unwrap().view.axis, Some(Axis::Seconds));
    let mut again = opened(path);
    again.run_steps(3);
    wait_until(&mut again, "the end", |window| window.state().frame().finished());
    again.run_steps(3);
    assert!(paints(&again, "computing time in seconds"));
}

/// A range of seconds means nothing to a plot against documents.
#[test]
fn a_part_of_the_seconds_is_not_taken_for_documents() {
    let mut window = window_with(
        &format!(
            "{TOPICS}[view]\ntab = \"heldout\"\naxis = \"seconds\"\npace = \"instant\"\noptions = {{ steps = [0.0, 0.001] }}\n"
        ),
        SIZE,
    );
    wait_until(&mut window, "the end", |window| window.state().frame().finished());
    window.run_steps(3);
    assert!(shows(&window, "Whole run"));
    click(&mut window, "Schedule");
    window.run_steps(3);
    assert!(!shows(&window, "Whole run"));
}
