//! Tests of hand-outs: a target that is hidden is named nowhere, what is locked has no control, and one knob is large.

use egui::accesskit::{Role, Toggled};
use egui::{Event, Key, Modifiers, Vec2};
use egui_kittest::kittest::{By, NodeT, Queryable};
use sampler_lab::draw::sheet::{Dimensions, ExportOptions, Extras, Format, file};
use sampler_lab::scenario::{Caption, LESSONS, Scenario, read, write};
use sampler_lab::session::Session;

use super::app::{SCENARIO, Window, click, controls, wait_until, window_with};
use super::cli::{call, folder_with};
use super::layout::words;

const SIZE: Vec2 = Vec2::new(1366.0, 768.0);

const HAND_OUT: &str = include_str!("../../docs/tour/hand-out.toml");

/// A lesson as a hand-out with a hidden truth, without the words of its author, who may name the target.
fn hidden(lesson: &Scenario) -> Scenario {
    let mut hidden = lesson.clone();
    (hidden.title, hidden.caption) = ("A hand-out".to_owned(), Caption::default());
    for number in 0..hidden.runs.len() {
        let name = hidden.runs[number].name.clone();
        hidden = hidden.with_name(&name, &format!("Run {number}")).unwrap();
    }
    hidden.view.truth = Some(false);
    (hidden.view.locked, hidden.view.unlocked) = (vec!["*".to_owned()], Vec::new());
    hidden
}

/// Everything that a window says: painted texts, and names and values for a screen reader.
fn said(window: &Window) -> Vec<String> {
    let nodes = window.root().children_recursive();
    let of_nodes = nodes.flat_map(|node| {
        let node = node.accesskit_node();
        [node.label(), node.value()]
    });
    of_nodes.flatten().chain(words(window)).collect()
}

#[test]
fn a_hidden_target_is_named_nowhere_in_the_window() {
    let mut told_hidden = 0;
    for lesson in LESSONS {
        let scenario = hidden(&lesson.unbuilt().unwrap());
        let target = scenario.target.kind.label;
        let mut window = window_with(&write(&scenario), SIZE);
        window.run_steps(3);
        let told: Vec<String> = said(&window).into_iter().filter(|text| text.contains(target)).collect();
        assert_eq!(told, [""; 0], "{}: {target}", lesson.name);
        told_hidden += usize::from(said(&window).iter().any(|text| text == "Target hidden"));
    }
    // Some fold the panel of the target.
    assert!(told_hidden > LESSONS.len() / 2, "{told_hidden}");
}

#[test]
fn a_hidden_target_is_named_in_no_figure() {
    let mut told_hidden = 0;
    for lesson in LESSONS.iter().filter(|lesson| !lesson.text.contains("[[challenge]]")) {
        let scenario = hidden(&lesson.scenario().unwrap());
        let target = scenario.target.kind.label;
        let frame = Session::new(scenario.clone()).unwrap().frame();
        let size = Dimensions::of_points([700.0, 500.0], 1.0);
        let options = ExportOptions { size, ..ExportOptions::default() };
        let svg = file(&frame, &options, &Extras::of(scenario.view.clone()), Format::Svg).unwrap();
        // Methods are named, among them one with the name of a target in its own.
        let methods = scenario.runs.iter().map(|run| run.settings.kind.label);
        let svg = methods.fold(String::from_utf8(svg).unwrap(), |svg, method| svg.replace(method, ""));
        // The scenario inside is packed.
        let kind = format!("\"{}\"", scenario.target.kind.name);
        assert!(!svg.contains(target) && !svg.contains(&kind), "{}: {target}", lesson.name);
        told_hidden += usize::from(svg.contains("Target hidden"));
    }
    // Where there is no space the footer names neither target nor settings.
    assert!(told_hidden > 10, "{told_hidden}");
}

#[test]
fn a_button_reveals_the_target() {
    let mut window = window_with(HAND_OUT, SIZE);
    window.run_steps(3);
    let named = |window: &Window| said(window).iter().any(|text| text.contains("Banana"));
    assert!(!named(&window));
    click(&mut window, "Reveal");
    window.run_steps(3);
    assert!(named(&window) && window.query_by_label("Target hidden").is_none());
    window.key_press(Key::T);
    window.run_steps(3);
    assert!(!named(&window), "T hides it again");
}

#[test]
fn one_knob_is_as_wide_as_its_panel_and_the_others_are_counted() {
    let scenario = read(HAND_OUT, "hand-out", std::path::Path::new(".")).unwrap();
    let mut window = window_with(HAND_OUT, SIZE);
    window.run_steps(3);
    let sliders = controls(&window, Role::Slider, "step size α");
    let [knob] = &sliders[..] else { panic!("{} sliders", sliders.len()) };
    let panel = window.get_by_label_contains("parameters are fixed by this hand-out").rect();
    assert!(knob.rect().width() > 150.0 && knob.rect().left() <= panel.left() + 20.0, "{:?}", knob.rect());
    assert!(controls(&window, Role::Slider, "steps").is_empty());
    let large = words(&window).contains(&"0.002".to_owned());
    assert!(large);
    knob.set_value_accesskit(0.3);
    wait_until(&mut window, "the edit", |window| window.state().scenario().runs != scenario.runs);
}

/// What a student does without the menus: keep a trial, see the trials, write the report, reveal. No handle is where the file locks.
#[test]
fn the_head_of_a_hand_out_leads_to_the_report() {
    let mut window = window_with(HAND_OUT, SIZE);
    window.run_steps(3);
    assert!(window.query_by_label("File").is_none());
    assert!(window.query_by_label_contains("Show the answer").is_none(), "the answer comes with the target");
    wait_until(&mut window, "the first step", |window| window.state().frame().step > 0);
    click(&mut window, "Keep trial");
    window.run_steps(3);
    wait_until(&mut window, "the trial", |window| window.query_by_label_contains("Kept as trial 1").is_some());
    click(&mut window, "Report…");
    window.run_steps(3);
    assert!(window.query_by_label_contains("One file to hand in").is_some());
    window.key_press(Key::Escape);
    window.run_steps(3);
    click(&mut window, "Reveal");
    window.run_steps(3);
    assert!(said(&window).iter().any(|text| text.contains("Banana")));
    assert!(window.query_by_label_contains("Show the answer").is_some());
}

#[test]
fn what_is_locked_has_no_handle_on_the_schedule() {
    let of = |unlocked: &str| {
        let text = HAND_OUT.replace("tab = \"trace\"", "tab = \"schedule\"");
        let mut window = window_with(&text.replace("\"Langevin.step_size.value\"", unlocked), SIZE);
        window.run_steps(4);
        let handles = said(&window).iter().filter(|text| text.starts_with("Handle: ")).count();
        let has = |label: &str| window.query_by_label(label).is_some();
        (handles > 0, has("Draw"), has("Range test"))
    };
    assert_eq!(of("\"Langevin.step_size.value\""), (true, false, true), "the step size is free");
    assert_eq!(of("\"Langevin.chains\""), (false, false, false));
    assert_eq!(of("\"Langevin.step_size\""), (true, true, true));
}

#[test]
fn a_packed_hand_out_and_its_report_name_nothing() {
    let folder = folder_with("class.toml", HAND_OUT);
    let (code, _, err) = call(&folder, &["pack", "class.toml", "--output", "hand-out.toml"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let (code, _, err) = call(&folder, &["report", "hand-out.toml", "--output", "report.html"]);
    assert_eq!((code, err.as_str()), (0, ""));
    for file in ["hand-out.toml", "report.html"] {
        let text = std::fs::read_to_string(folder.path().join(file)).unwrap().to_lowercase();
        assert!(!text.contains("banana") && !text.contains("does not come round"), "{file}");
        let (code, out, err) = call(&folder, &["check", file]);
        assert_eq!((code, err.as_str()), (0, ""));
        assert!(out.contains("a hidden target") && !out.to_lowercase().contains("banana"), "{out}");
    }
    let (code, _, err) = call(&folder, &["pack", "report.html", "--plain", "--output", "plain.toml"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(std::fs::read_to_string(folder.path().join("plain.toml")).unwrap().contains("kind = \"banana\""));
    let (code, _, err) = call(&folder, &["pack", "class.toml", "--output", "class.toml"]);
    assert!(code == 2 && err.contains("exists already"), "{err}");
}

/// A file that opens at step 0 waits to be played; what it is reported of is its end.
#[test]
fn a_report_of_a_file_that_opens_at_step_0_is_of_its_end() {
    let waiting = HAND_OUT.replace("pace = \"instant\"", "pace = \"watch\"\nstep = 0");
    let folder = folder_with("class.toml", &waiting);
    let (code, _, err) = call(&folder, &["report", "class.toml", "--output", "report.html"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let text = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(text.contains("step 5000 of 5000"), "{:?}", text.lines().find(|line| line.contains(" of 5000")));
}

/// From a lesson to the file that a student gets.
#[test]
fn a_hand_out_is_made_in_the_window() {
    let mut window = window_with(SCENARIO, SIZE);
    window.run_steps(3);
    window.key_press_modifiers(Modifiers::COMMAND, Key::K);
    window.run_steps(2);
    window.event(Event::Text("save hand-out".to_owned()));
    window.run_steps(2);
    window.key_press(Key::Enter);
    window.run_steps(3);
    assert!(window.query_by_label_contains("It is packed").is_some());
    let toggled = |window: &Window| {
        let found = window.query_all(By::new().role(Role::CheckBox).label_contains("step size α"));
        found.map(|node| node.accesskit_node().toggled()).collect::<Vec<_>>()
    };
    assert_eq!(toggled(&window), [Some(Toggled::False); 2]);
    window.query_all(By::new().role(Role::CheckBox).label_contains("step size α")).next().unwrap().click();
    window.run_steps(3);
    assert_eq!(toggled(&window), [Some(Toggled::True), Some(Toggled::False)]);
    click(&mut window, "Save…");
    window.run_steps(3);
    assert!(window.query_by_label_contains("It is packed").is_none(), "a path is asked for");
}

/// A challenge that is packed is a hand-out, and no station of the path of the lessons.
#[test]
fn a_packed_lesson_leads_to_its_report_and_to_no_other_lesson() {
    let folder = folder_with("unused.toml", HAND_OUT);
    let (code, _, err) = call(&folder, &["pack", "challenge-cover-25", "--output", "packed.toml"]);
    assert_eq!(code, 0, "{err}");
    let text = std::fs::read_to_string(folder.path().join("packed.toml")).unwrap();
    let mut window = window_with(&text, SIZE);
    window.run_steps(4);
    assert!(window.query_by_label("File").is_some(), "its menus are there");
    assert!(window.query_by_label_contains(&format!(" of {}", LESSONS.len())).is_none());
    for name in ["Keep trial", "Trials…", "Report…"] {
        assert!(window.query_by_role_and_label(Role::Button, name).is_some(), "{name}");
    }
    click(&mut window, "Report…");
    assert!(window.query_by_label_contains("One file to hand in").is_some());
    let lesson = sampler_lab::scenario::Lesson::find("challenge-cover-25").unwrap().text;
    let mut window = window_with(lesson, SIZE);
    window.run_steps(4);
    assert!(window.query_by_label_contains(&format!(" of {}", LESSONS.len())).is_some());
    assert!(window.query_by_role_and_label(Role::Button, "Report…").is_none());
}

/// The measures of a report are those that the readout of the hand-out shows first, and what is asked about.
#[test]
fn a_report_has_few_measures_and_a_figure_in_which_plots_side_by_side_have_space() {
    let measures = HAND_OUT.lines().find(|line| line.starts_with("measures")).unwrap();
    let folder = folder_with("trace.toml", HAND_OUT.replace(measures, ""));
    let chain = HAND_OUT.replace("tab = \"trace\"", "tab = \"chain\"");
    std::fs::write(folder.path().join("chain.toml"), chain).unwrap();
    let page = |name: &str| {
        let file = format!("{name}.html");
        let (code, _, err) = call(&folder, &["report", &format!("{name}.toml"), "--output", &file]);
        assert_eq!((code, err.as_str()), (0, ""));
        std::fs::read_to_string(folder.path().join(file)).unwrap()
    };
    let (trace, chain) = (page("trace"), page("chain"));
    let rows =
        |page: &str| page.split("<tbody>").nth(1).unwrap().split("</tbody>").next().unwrap().matches("<tr>").count();
    assert!((1..=4).contains(&rows(&trace)), "{} rows", rows(&trace));
    assert_eq!(rows(&chain), 1, "the one that its file names beside a hidden one");
    let shape = |page: &str| {
        let of = page.split("viewBox=\"").nth(1).unwrap().split('"').next().unwrap();
        let sides: Vec<f64> = of.split(' ').map(|side| side.parse().unwrap()).collect();
        sides[3] / sides[2]
    };
    assert!((shape(&trace) - 560.0 / 840.0).abs() < 1e-3 && (shape(&chain) - 1.0).abs() < 1e-3);
}
