//! Tests of the window through its accessibility tree: what a person finds, clicks and types.

use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Key, Modifiers, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{By, NodeT, Queryable};
use sampler_lab::app::App;
use sampler_lab::params::{Value, find_kind};
use sampler_lab::scenario::{Lesson, read, write};
use sampler_lab::worker::Pacing;

use super::layout::words;

/// A scenario with fast steps that does not finish within a test, except in Instant.
pub const SCENARIO: &str = r#"
format = 1
title = "Two runs"
seed = 7
[target]
kind = "gaussian"
[[run]]
name = "SGLD"
method = "sgld"
steps = 100000
step_size = { kind = "constant", value = 0.05 }
[[run]]
name = "cSGLD"
method = "csgld"
steps = 100000
"#;

pub type Window = Harness<'static, App>;

pub fn window_with(text: &str, size: Vec2) -> Window {
    let scenario = read(text, "test", std::path::Path::new(".")).unwrap();
    let builder = Harness::builder().with_size(size).with_max_steps(64);
    builder.build_eframe(move |cc| App::new(cc, scenario, None).unwrap())
}

fn window() -> Window {
    let mut window = window_with(SCENARIO, Vec2::new(1440.0, 900.0));
    window.run_steps(3);
    window
}

/// A window whose runs finish at once.
fn short_window() -> Window {
    let mut window = window_with(&SCENARIO.replace("100000", "4000"), Vec2::new(1440.0, 900.0));
    window.run_steps(3);
    window
}

/// How long a test waits: much longer than a slow machine needs.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// Steps through frames until a condition holds; fails after [`PATIENCE`].
#[track_caller]
pub fn wait_until(window: &mut Window, what: &str, mut holds: impl FnMut(&Window) -> bool) {
    let begun = Instant::now();
    while !holds(window) {
        if begun.elapsed() >= PATIENCE {
            panic!("did not happen within {PATIENCE:?}: {what}\nThe window says {:?}", words(window));
        }
        let frame = Instant::now();
        window.step();
        // Most of the time is left to the work that is waited for, but news goes after some seconds.
        std::thread::sleep((3 * frame.elapsed()).clamp(Duration::from_millis(5), Duration::from_secs(1)));
    }
}

/// Pauses, and waits until the worker has paused.
pub fn pause(window: &mut Window) {
    if window.state().playing() {
        window.key_press(Key::Space);
        wait_until(window, "pause", |window| !window.state().playing());
    }
    window.run_steps(2);
}

/// All controls with this role and name.
pub fn controls<'w>(window: &'w Window, role: Role, name: &'w str) -> Vec<egui_kittest::Node<'w>> {
    window.query_all(By::new().role(role).label(name)).collect()
}

/// Clicks a button as a screen reader does: measures that arrive at this moment may move it from under a pointer.
pub fn click(window: &mut Window, name: &str) {
    const MORE: &str = "More tabs ▾";
    // A tab may have no space in its row.
    let there = |window: &Window, name: &str| window.query_by_role_and_label(Role::Button, name).is_some();
    if !there(window, name) && there(window, MORE) {
        click(window, MORE);
    }
    window.get_by_role_and_label(Role::Button, name).click_accesskit();
    window.run_steps(3);
}

/// The text that an entry of an open menu copies.
pub fn copied_by(window: &mut Window, entry: &str) -> String {
    window.get_by_label(entry).click();
    window.step();
    let copied = window.output().platform_output.commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    copied.unwrap()
}

fn run_names(window: &Window) -> Vec<String> {
    window.state().scenario().runs.iter().map(|run| run.name.clone()).collect()
}

pub fn number(window: &Window, run: usize, path: &str) -> f64 {
    match window.state().scenario().runs[run].settings.at(path) {
        Some(Value::Number(number)) => *number,
        other => panic!("{path} is {other:?}"),
    }
}

#[test]
fn the_window_opens_with_all_panels_and_plays() {
    let mut window = window();
    for heading in ["Target: Gaussian", "Runs", "Readout", "Lesson"] {
        assert!(window.query_all_by_label(heading).next().is_some(), "no {heading}");
    }
    // Measures follow the first draws.
    let told = |window: &Window| window.query_all_by_label("Total variation").count() == 1;
    wait_until(&mut window, "a measure of the first draws", |window| window.state().frame().step > 0 && told(window));
}

#[test]
fn every_control_has_a_name() {
    let mut window = window();
    pause(&mut window);
    assert_eq!(window.unnamed_widgets(), Vec::<String>::new());
}

#[test]
fn space_plays_and_pauses() {
    let mut window = window();
    pause(&mut window);
    let step = window.state().frame().step;
    window.run_steps(5);
    assert_eq!(window.state().frame().step, step);
    window.key_press(Key::Space);
    wait_until(&mut window, "play", |window| window.state().frame().step > step);
}

#[test]
fn arrows_step_and_home_goes_back() {
    let mut window = window();
    pause(&mut window);
    let step = window.state().frame().step;
    window.key_press(Key::ArrowRight);
    wait_until(&mut window, "one step", |window| window.state().frame().step == step + 1);
    window.key_press_modifiers(Modifiers::SHIFT, Key::ArrowRight);
    wait_until(&mut window, "a leap", |window| window.state().frame().step == step + 101);
    window.key_press(Key::ArrowLeft);
    wait_until(&mut window, "a step back", |window| window.state().frame().step == step + 100);
    window.key_press(Key::Home);
    wait_until(&mut window, "the start", |window| window.state().frame().step == 0);
}

#[test]
fn an_edited_step_size_takes_effect_and_can_be_undone() {
    let mut window = window();
    pause(&mut window);
    window.key_press(Key::Home);
    wait_until(&mut window, "the start", |window| window.state().frame().step == 0);
    let before = number(&window, 0, "step_size.value");
    let name = window.state().scenario().runs[0].settings.spec_at("step_size.value").unwrap().label;
    controls(&window, Role::Slider, name)[0].set_value_accesskit(0.2);
    window.run_steps(3);
    wait_until(&mut window, "the edit", |window| window.state().frame().scenario.as_ref() == window.state().scenario());
    let after = number(&window, 0, "step_size.value");
    assert!((after - 0.2).abs() < 0.01 && before < 0.1, "{before} → {after}");
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    wait_until(&mut window, "undo", |window| number(window, 0, "step_size.value").to_bits() == before.to_bits());
    window.key_press_modifiers(Modifiers::COMMAND, Key::Y);
    wait_until(&mut window, "redo", |window| number(window, 0, "step_size.value").to_bits() == after.to_bits());
}

#[test]
fn a_change_while_running_becomes_an_event() {
    let mut window = window();
    wait_until(&mut window, "first steps", |window| window.state().frame().step > 10);
    pause(&mut window);
    let name = window.state().scenario().runs[0].settings.spec_at("step_size.value").unwrap().label;
    controls(&window, Role::Slider, name)[0].set_value_accesskit(0.2);
    wait_until(&mut window, "an event", |window| !window.state().frame().scenario.events.is_empty());
    let frame = window.state().frame();
    assert_eq!(frame.scenario.events[0].step, frame.step);
    assert_eq!(number(&window, 0, "step_size.value").to_bits(), 0.05_f64.to_bits());
}

/// Switches to Instant and waits for the finished runs.
pub fn in_instant(window: &mut Window) {
    window.key_press(Key::I);
    wait_until(window, "the finished run", |window| {
        let status = window.state().status();
        status.mode == Pacing::Instant && status.frame.step == status.frame.total
    });
}

/// The place of the first slider with a name.
fn slider(window: &Window, name: &str) -> egui::Rect {
    controls(window, Role::Slider, name)[0].rect()
}

#[test]
fn watch_and_instant_are_buttons_side_by_side() {
    let mut window = short_window();
    click(&mut window, "Instant");
    wait_until(&mut window, "the finished run", |window| window.state().frame().step == window.state().frame().total);
    assert!(!window.state().playing());
    click(&mut window, "Watch");
    wait_until(&mut window, "the other mode", |window| window.state().status().mode == Pacing::Watch);
    let frame = window.state().frame();
    assert!(frame.step == frame.total && !window.state().playing(), "the finished runs stay");
}

#[test]
fn a_drag_in_instant_shows_only_finished_runs_leaves_no_event_and_is_undone_in_one_step() {
    let mut window = short_window();
    in_instant(&mut window);
    let before = number(&window, 0, "step_size.value");
    let name = window.state().scenario().runs[0].settings.spec_at("step_size.value").unwrap().label;
    let rect = slider(&window, name);
    let pictures = window.state().status().pictures;
    window.hover_at(rect.left_center());
    window.drag_at(rect.left_center());
    window.step();
    for share in [0.2, 0.3, 0.5, 0.6, 0.4] {
        window.hover_at(rect.lerp_inside(egui::vec2(share, 0.5)));
        for _ in 0..4 {
            window.step();
            let frame = window.state().frame();
            assert_eq!(frame.step, frame.total, "an unfinished run is shown");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    window.drop_at(rect.lerp_inside(egui::vec2(0.4, 0.5)));
    window.run_steps(3);
    wait_until(&mut window, "the edit", |window| window.state().frame().scenario.as_ref() == window.state().scenario());
    let after = number(&window, 0, "step_size.value");
    assert!((after - before).abs() > 1e-3 && window.state().status().pictures > pictures);
    assert!(window.state().scenario().events.is_empty(), "{:?}", window.state().scenario().events);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    wait_until(&mut window, "undo", |window| number(window, 0, "step_size.value").to_bits() == before.to_bits());
    wait_until(&mut window, "the earlier run", |window| {
        window.state().frame().scenario.as_ref() == window.state().scenario()
    });
    let frame = window.state().frame();
    assert_eq!(frame.step, frame.total);
}

#[test]
fn a_long_computation_shows_its_progress_and_keeps_the_last_picture() {
    let mut window = window();
    in_instant(&mut window);
    let total = window.state().frame().total;
    let chains = window.state().scenario().runs[0].settings.spec_at("chains").unwrap().label;
    controls(&window, Role::Slider, chains)[0].set_value_accesskit(1000.0);
    wait_until(&mut window, "progress", |window| window.query_by_label_contains("Computing").is_some());
    assert_eq!(window.state().frame().runs[0].plan.chains, 1);
    assert_eq!(window.state().frame().step, total);
    window.key_press(Key::Space);
    wait_until(&mut window, "a pause", |window| window.state().frame().runs[0].plan.chains > 1);
    assert!(window.state().frame().step < total, "the unfinished run is shown");
}

#[test]
fn an_idle_window_asks_for_no_frames() {
    let mut window = short_window();
    in_instant(&mut window);
    let begun = Instant::now();
    let mut quiet = 0;
    while quiet < 20 {
        assert!(begun.elapsed() < PATIENCE, "the window never becomes idle");
        window.step();
        quiet = if window.ctx.has_requested_repaint() { 0 } else { quiet + 1 };
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn runs_can_be_copied_added_and_removed() {
    let mut window = window();
    pause(&mut window);
    window.get_by_label("Copy SGLD").click();
    wait_until(&mut window, "a copy", |window| run_names(window).len() == 3);
    assert_eq!(run_names(&window), ["SGLD", "SGLD 2", "cSGLD"]);
    // The cards grow by their notes once the run is in the frame.
    wait_until(&mut window, "a frame with it", |window| window.state().frame().runs.len() == 3);
    window.run_steps(3);
    let add = window.get_by_label("+ Add run");
    add.scroll_to_me();
    window.run_steps(20);
    click(&mut window, "+ Add run");
    window.query_all(By::new().role(Role::Button).label("cSGLD")).last().unwrap().click_accesskit();
    wait_until(&mut window, "a new run", |window| run_names(window).len() == 4);
    wait_until(&mut window, "frames with it", |window| window.state().frame().runs.len() == 4);
    window.run_steps(20);
    window.get_by_label("Remove SGLD").scroll_to_me();
    window.run_steps(20);
    window.get_by_label("Remove SGLD").click();
    wait_until(&mut window, "one fewer", |window| run_names(window).len() == 3);
    assert_eq!(run_names(&window), ["SGLD 2", "cSGLD", "cSGLD 2"]);
}

#[test]
fn a_run_can_be_renamed_but_not_to_a_name_that_is_taken() {
    let mut window = window();
    pause(&mut window);
    for (typed, expected) in [("warm", "warm"), ("cSGLD", "warm")] {
        let field = window.get_by_role_and_label(Role::TextInput, "Name of run 1");
        field.focus();
        window.run_steps(2);
        window.key_press_modifiers(Modifiers::COMMAND, Key::A);
        window.run_steps(2);
        window.get_by_role_and_label(Role::TextInput, "Name of run 1").type_text(typed);
        window.run_steps(2);
        window.key_press(Key::Enter);
        window.run_steps(5);
        assert_eq!(run_names(&window)[0], expected);
    }
    assert!(window.query_by_label_contains("two runs are called").is_some());
}

#[test]
fn letters_typed_into_a_field_run_no_commands() {
    let mut window = window();
    pause(&mut window);
    let seed = window.state().scenario().seed;
    window.get_by_role_and_label(Role::TextInput, "Name of run 1").focus();
    window.run_steps(2);
    for key in [Key::N, Key::P, Key::R, Key::Space] {
        window.key_press(key);
    }
    window.run_steps(3);
    assert_eq!(window.state().scenario().seed, seed);
    assert!(!window.state().playing());
}

#[test]
fn a_new_seed_starts_again() {
    let mut window = window();
    wait_until(&mut window, "first steps", |window| window.state().frame().step > 10);
    window.key_press(Key::N);
    window.key_press(Key::R);
    window.run_steps(3);
    assert_eq!(window.state().scenario().seed, 7, "a plain letter changes no scenario");
    window.key_press_modifiers(Modifiers::SHIFT, Key::N);
    wait_until(&mut window, "another seed", |window| window.state().frame().scenario.seed != 7);
}

#[test]
fn a_lesson_is_loaded_from_the_menu_and_undo_is_of_its_own_edits() {
    let mut window = window();
    let title = Lesson::find("welling-teh").unwrap().scenario().unwrap().title;
    click(&mut window, "Lesson");
    window.get_all_by_label(&title).next().unwrap().click();
    wait_until(&mut window, "the lesson", |window| window.state().frame().scenario.title == title);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run_steps(5);
    assert!(window.query_by_label("Nothing to undo").is_some());
    assert_eq!(window.state().scenario().title, title, "the lesson stays");
}

#[test]
fn another_target_can_be_chosen_from_the_gallery() {
    let mut window = window();
    for kind in &sampler_lab::targets::TARGETS {
        open_gallery(&mut window);
        click(&mut window, kind.label);
        wait_until(&mut window, kind.name, |window| window.state().frame().scenario.target.kind == kind);
        window.run_steps(3);
    }
}

/// Opens the gallery of targets.
fn open_gallery(window: &mut Window) {
    window.query_all(By::new().role(Role::Button).label_contains("Target: ")).next().unwrap().click();
    window.run_steps(5);
}

/// From every target, with every kind of data, to every other. Parameters of both targets are kept, but kinds of data that
/// only share a name are not.
#[test]
fn every_target_converts_to_every_other() {
    use sampler_lab::diagnostics::Truth;
    use sampler_lab::params::{ParamType, Settings, Value};
    use sampler_lab::targets::{TARGETS, build};
    let with_each_group = |kind: &'static sampler_lab::params::KindSpec| -> Vec<Settings> {
        let mut all = vec![Settings::defaults(kind)];
        for param in kind.params {
            let ParamType::Group(kinds) = param.ty else { continue };
            for inner in kinds {
                let mut settings = Settings::defaults(kind);
                settings.set(param.key, Value::Group(Settings::defaults(inner))).unwrap();
                all.push(settings);
            }
        }
        all
    };
    // Most conversions lead to one of a few settings, each of which is built once.
    let mut met: Vec<Settings> = Vec::new();
    for before in TARGETS.iter().flat_map(with_each_group) {
        for kind in &TARGETS {
            let settings = before.converted(kind);
            if met.contains(&settings) {
                continue;
            }
            let built = build(&settings, std::path::Path::new(""));
            met.push(settings);
            // Only the paths of files of data may be missing, or the data have no response of the kind that a likelihood is for.
            let paths = ["data.path", "corpus.path", "corpus.docword", "corpus.vocab", "response"];
            match built {
                Ok(target) => {
                    let known = Truth::of(target.as_ref()).is_known();
                    assert_eq!(
                        known,
                        target.info().log_normaliser.is_finite() && target.density().is_some(),
                        "{} to {}",
                        before.kind.name,
                        kind.name
                    );
                }
                Err(errors) => assert!(
                    errors.iter().all(|error| paths.contains(&error.path.as_str())),
                    "{} to {}: {errors:?}",
                    before.kind.name,
                    kind.name
                ),
            }
        }
    }
}

#[test]
fn escape_closes_the_list_of_a_dialog_before_the_dialog() {
    let mut window = window();
    pause(&mut window);
    for _ in 0..2 {
        window.key_press_modifiers(Modifiers::COMMAND, Key::E);
        window.run_steps(3);
        window.get_by_role_and_label(Role::ComboBox, "Picture").click();
        window.run_steps(4);
        // What is offered nowhere else.
        let entry = window.query_all_by_label("Panels of the figure").next().map(|entry| entry.rect().center());
        let dialog = egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("Export a figure"));
        assert!(entry.is_some_and(|entry| window.ctx.layer_id_at(entry) != Some(dialog)), "the list is behind");
        window.key_press(Key::Escape);
        window.run_steps(3);
        assert!(window.query_all_by_label("Panels of the figure").next().is_none(), "the list closes");
        assert!(window.query_by_label("Resolution").is_some(), "only the list closes");
        window.key_press(Key::Escape);
        window.run_steps(3);
        assert!(window.query_by_label("Resolution").is_none());
    }
}

/// In a field of the dialog Escape ends the typing; only the next one closes the dialog.
#[test]
fn escape_in_a_field_of_a_dialog_ends_the_typing_alone() {
    let mut window = window();
    pause(&mut window);
    window.key_press_modifiers(Modifiers::COMMAND, Key::E);
    window.run_steps(3);
    window.get_by_role_and_label(Role::SpinButton, "Width").click();
    window.run_steps(3);
    for open in [true, false] {
        window.key_press(Key::Escape);
        window.run_steps(3);
        assert_eq!(window.query_by_label("Resolution").is_some(), open);
    }
}

#[test]
fn help_opens_and_closes() {
    let mut window = window();
    pause(&mut window);
    window.key_press(Key::F1);
    window.run_steps(3);
    assert!(window.query_by_label("Take one step").is_some());
    window.key_press(Key::Escape);
    window.run_steps(3);
    assert!(window.query_by_label("Take one step").is_none());
}

/// A dropped file of the window system.
#[derive(Debug)]
pub struct Dropped(pub std::path::PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &std::path::Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

#[test]
fn a_dropped_file_opens_and_the_error_of_a_broken_one_names_the_place() {
    let folder = tempfile::tempdir().unwrap();
    let good = folder.path().join("good.toml");
    let broken = folder.path().join("broken.toml");
    let mut scenario = read(SCENARIO, "test", folder.path()).unwrap();
    scenario.title = "Dropped".to_owned();
    std::fs::write(&good, write(&scenario)).unwrap();
    std::fs::write(&broken, SCENARIO.replace("value = 0.05", "value = -1")).unwrap();
    let mut window = window();
    let drop = |window: &mut Window, path| {
        window.input_mut().dropped_files.push(Arc::new(Dropped(path)));
        window.step();
        window.input_mut().dropped_files.clear();
    };
    drop(&mut window, good);
    wait_until(&mut window, "the good one", |window| window.state().frame().scenario.title == "Dropped");
    drop(&mut window, broken);
    wait_until(&mut window, "the problem", |window| window.query_by_label_contains("step_size.value").is_some());
    assert_eq!(window.state().frame().scenario.title, "Dropped");
    #[cfg(unix)]
    {
        let pipe = folder.path().join("pipe.toml");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        drop(&mut window, pipe);
        wait_until(&mut window, "the refusal", |window| window.query_by_label_contains("this is a pipe").is_some());
    }
}

#[test]
fn the_chain_tab_warns_that_it_shows_no_bias() {
    let mut window = short_window();
    click(&mut window, "Chain");
    let blind = "These plots show mixing, not bias.";
    wait_until(&mut window, "the plots of chains", |window| window.query_by_label(blind).is_some());
    window.run_steps(5);
}

#[test]
fn a_small_window_and_a_large_one_show_everything() {
    for size in [Vec2::new(800.0, 560.0), Vec2::new(1024.0, 700.0), Vec2::new(2560.0, 1440.0)] {
        let mut window = window_with(SCENARIO, size);
        window.run_steps(4);
        assert!(window.query_by_label_contains("/ 100").is_some());
    }
}

/// A window with finished runs, one of them cyclical, and one of the plot tabs open.
fn window_at(tab: &str) -> Window {
    let text = SCENARIO.replace("kind = \"gaussian\"", "kind = \"gaussian-grid\"").replace("100000", "4000");
    let mut window = window_with(&text, Vec2::new(1440.0, 900.0));
    window.run_steps(3);
    in_instant(&mut window);
    click(&mut window, tab);
    window
}

pub fn enabled(window: &Window, name: &str) -> bool {
    !window.get_by_role_and_label(Role::Button, name).accesskit_node().is_disabled()
}

#[test]
fn the_parts_of_steps_are_shown_along_either_axis_or_both() {
    let mut window = window_at("Noise");
    click(&mut window, "y");
    for name in ["both", "log steps", "log steps"] {
        window.get_by_role_and_label(Role::CheckBox, name).click();
        window.run_steps(3);
    }
    assert!(window.query_by_label("drift").is_some(), "the legend names the parts of these methods");
    assert!(window.query_by_label("momentum").is_none());
}

#[test]
fn the_density_of_many_chains_can_be_shown() {
    let mut window =
        window_with(&SCENARIO.replace("steps = 100000", "steps = 300\nchains = 400"), Vec2::new(1440.0, 900.0));
    window.run_steps(3);
    click(&mut window, "Layers ▾");
    let chosen = |window: &Window| {
        let button = window.get_by_role_and_label(Role::RadioButton, "Chains now (W)");
        button.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True)
    };
    assert!(!chosen(&window));
    window.key_press(Key::W);
    window.run_steps(3);
    assert!(chosen(&window));
    for key in [Key::C, Key::A, Key::W] {
        window.key_press(key);
        window.run_steps(3);
    }
    assert!(chosen(&window), "the density replaces the colours of chains");
    window.get_by_role_and_label(Role::RadioButton, "Automatic").click();
    window.run_steps(3);
    assert!(!chosen(&window), "the menu stays open while its boxes are ticked");
}

#[test]
fn the_path_between_cycles_is_paged_through_and_draws_can_be_picked_instead() {
    let mut window = window_at("Path");
    wait_until(&mut window, "a line", |window| window.query_by_label_contains("cycle 29 → 30: ").is_some());
    assert!(!enabled(&window, "Next pair of cycles") && enabled(&window, "Previous pair of cycles"));
    click(&mut window, "Previous pair of cycles");
    assert!(window.query_by_label_contains("cycle 28 → 29: ").is_some());
    click(&mut window, "Next pair of cycles");
    click(&mut window, "Pick on the canvas");
    assert!(
        window.query_by_label("Previous pair of cycles").is_none()
            && window.query_by_label_contains("cycle 29 → 30: ").is_none()
    );
    for (x, y) in [(480.0, 300.0), (560.0, 380.0)] {
        let at = egui::pos2(x, y);
        window.hover_at(at);
        window.run_steps(2);
        window.drag_at(at);
        window.drop_at(at);
        window.run_steps(3);
    }
    wait_until(&mut window, "the other line", |window| window.query_by_label_contains("a at step ").is_some());
    window.key_press(Key::Escape);
    window.run_steps(3);
    assert!(window.query_by_label_contains("cycle 29 → 30: ").is_some());
}

#[test]
fn pins_can_be_removed_and_restored() {
    let mut window = window_at("Coverage");
    assert!(window.query_by_label("Remove all").is_none());
    wait_until(&mut window, "measures", |window| enabled(window, "Pin runs"));
    click(&mut window, "Pin runs");
    click(&mut window, "Remove all");
    assert!(window.query_by_label("Remove all").is_none());
    click(&mut window, "Restore");
    assert!(window.query_by_label("Restore").is_none() && window.query_by_label("Remove all").is_some());
}

#[test]
fn cheap_repeats_are_computed_without_a_request() {
    let mut window = window_at("Convergence");
    let made = "line: mean of 8 repeats; band: central 80 %";
    wait_until(&mut window, "eight repeats", |window| window.query_by_label(made).is_some());
    assert!(window.query_by_label("Repeat").is_none() && window.query_by_label("Cancel").is_none());
}

/// The runs are so long that their repeats are still being computed when the button is looked for.
#[test]
fn repeats_can_be_cancelled_and_started_again() {
    let mut window = window_with(&SCENARIO.replace("100000", "600000"), Vec2::new(1440.0, 900.0));
    window.run_steps(3);
    click(&mut window, "Convergence");
    wait_until(&mut window, "a job", |window| window.query_by_label("Cancel").is_some());
    click(&mut window, "Cancel");
    assert!(window.query_by_label("Cancel").is_none() && window.query_by_label("Repeat").is_some());
    window.run_steps(3);
    assert!(window.query_by_label("Cancel").is_none(), "a cancelled job starts again without a request");
    click(&mut window, "Repeat");
    assert!(window.query_by_label("Cancel").is_some() && window.query_by_label("Repeat").is_none());
}

#[test]
fn the_readout_shows_all_measures_on_request_and_can_be_copied() {
    let mut window = short_window();
    in_instant(&mut window);
    assert!(window.query_by_label("Kinetic temperature").is_none());
    click(&mut window, "All measures ▾");
    let all = ["Kinetic temperature", "R-hat"];
    wait_until(&mut window, "all measures", |window| all.iter().all(|label| window.query_by_label(label).is_some()));
    for (format, begins) in
        [("As text", "       "), ("As CSV", "key,measure,SGLD,SGLD floor,SGLD floor 5 %,SGLD floor 95 %,cSGLD,")]
    {
        click(&mut window, "Copy");
        let copied = copied_by(&mut window, format);
        assert!(copied.starts_with(begins), "{copied}");
        assert!(copied.contains("Kinetic temperature") && copied.lines().count() > 30, "{copied}");
        window.run_steps(3);
    }
}

/// The handle of a Gaussian lies at its mean on the canvas.
#[test]
fn a_gaussian_of_a_mixture_is_moved_on_the_canvas() {
    let text = SCENARIO.replace("\"gaussian\"", "\"gaussian-mixture\"");
    let mut window = window_with(&text, Vec2::new(1440.0, 900.0));
    window.run_steps(3);
    pause(&mut window);
    click(&mut window, "Edit mixture");
    let means = |window: &Window| -> Vec<[f64; 2]> {
        let target = window.state().frame().scenario.target_at(window.state().frame().step).clone();
        sampler_lab::targets::mixture_components(&target).iter().map(|part| part.pair("mean")).collect()
    };
    let before = means(&window);
    let handles: Vec<_> = window.query_all_by_label("Mean of Gaussian 1").map(|node| node.rect().center()).collect();
    let from = handles[0];
    window.hover_at(from);
    window.run_steps(2);
    window.drag_at(from);
    window.run_steps(2);
    for x in [10.0, 20.0, 40.0] {
        window.hover_at(from + egui::vec2(x, 0.0));
        window.run_steps(2);
    }
    window.drop_at(from + egui::vec2(40.0, 0.0));
    wait_until(&mut window, "another mean", |window| means(window)[0][0] > before[0][0] + 0.1);
    let after = means(&window);
    assert!((after[0][1] - before[0][1]).abs() < 0.05 && after[1..] == before[1..], "{before:?} → {after:?}");
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    wait_until(&mut window, "undo", |window| means(window) == before);
}

/// A drag over the canvas is a stroke of the brush: one edit, one step of undo.
#[test]
fn a_density_is_painted_on_the_canvas() {
    let picture = ["..........", "..........", "..........", "..........", "1.........", ".........."];
    let rows = picture.map(|row| format!("\"{row}\"")).join(", ");
    let text = SCENARIO.replace("\"gaussian\"", &format!("\"painted\"\npicture = [{rows}]\ncell = 1.0"));
    let mut window = window_with(&text, Vec2::new(1440.0, 900.0));
    wait_until(&mut window, "first steps", |window| window.state().frame().step > 10);
    click(&mut window, "Edit painting");
    let levels = |window: &Window| -> Vec<u8> {
        let frame = window.state().frame();
        frame.scenario.target_at(frame.step).picture("picture").unwrap().levels().to_vec()
    };
    let canvas = window.query_all_by_label_contains("Canvas of ").next().unwrap().rect();
    let (before, from) = (levels(&window), canvas.center());
    let stroke = |window: &mut Window, width: f32| {
        window.hover_at(from);
        window.run_steps(2);
        window.drag_at(from);
        window.run_steps(2);
        for share in [0.25, 0.5, 1.0] {
            window.hover_at(from + egui::vec2(share * width, 0.0));
            window.run_steps(2);
        }
        assert_eq!(levels(window), before, "the target stays while the stroke is under way");
        window.drop_at(from + egui::vec2(width, 0.0));
        window.run_steps(3);
    };
    stroke(&mut window, 60.0);
    wait_until(&mut window, "the painting", |window| levels(window) != before);
    assert!(levels(&window).iter().zip(&before).all(|(after, before)| after >= before), "a brush takes nothing away");
    assert_eq!(window.state().frame().generation, 1, "a stroke is one edit");
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    wait_until(&mut window, "undo", |window| levels(window) == before);
    // Clear is undone as well; an eraser has nothing to do on an empty canvas.
    click(&mut window, "Clear");
    wait_until(&mut window, "nothing", |window| levels(window).iter().all(|level| *level == 0));
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    wait_until(&mut window, "undo", |window| levels(window) == before);
}

/// The tools are reached by Tab, and Enter paints in the middle of a canvas with the focus.
#[test]
fn a_density_is_painted_by_keyboard() {
    let text = SCENARIO.replace("\"gaussian\"", "\"painted\"");
    let mut window = window_with(&text, Vec2::new(1440.0, 900.0));
    window.run_steps(3);
    pause(&mut window);
    click(&mut window, "Edit painting");
    let level = |window: &Window| {
        let frame = window.state().frame();
        let picture = frame.scenario.target_at(frame.step).picture("picture").unwrap();
        picture.levels()[picture.rows() / 2 * picture.columns() + picture.columns() / 2]
    };
    assert_eq!(level(&window), 0);
    window.query_all_by_label_contains("arrow keys move it").next().unwrap().focus();
    window.run_steps(2);
    window.key_press(Key::Enter);
    wait_until(&mut window, "a dab", |window| level(window) > 20);
}

#[test]
fn a_locked_painting_cannot_be_painted() {
    let locks = "\n[view]\nlocked = [\"target.picture\"]\n";
    let text = format!("{}{locks}", SCENARIO.replace("\"gaussian\"", "\"painted\""));
    let mut window = window_with(&text, Vec2::new(1440.0, 900.0));
    window.run_steps(3);
    assert!(window.query_by_label("Edit painting").is_none());
}

#[test]
fn chains_are_kept_when_the_target_changes_if_so_chosen() {
    let mut window = window();
    wait_until(&mut window, "first steps", |window| window.state().frame().step > 10);
    pause(&mut window);
    let step = window.state().frame().step;
    open_gallery(&mut window);
    window.get_by_label("Keep chains when the target changes").click();
    window.run_steps(2);
    let kind = find_kind(&sampler_lab::targets::TARGETS, "gaussian-grid").unwrap();
    click(&mut window, kind.label);
    wait_until(&mut window, "the target", |window| window.state().frame().target.info().modes.len() > 1);
    let frame = window.state().frame();
    assert_eq!((frame.step, frame.runs[0].target_since), (step, step));
    assert_eq!(frame.scenario.target.kind.name, "gaussian");
}
