//! Tests of hand-outs: a target that is hidden is named nowhere, what is locked has no control, and one knob is large.

use egui::accesskit::Role;
use egui::{Key, Vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use sampler_lab::draw::sheet::{Dimensions, ExportOptions, Extras, Format, file};
use sampler_lab::scenario::{Caption, LESSONS, Scenario, read, write};
use sampler_lab::session::Session;

use super::app::{Window, click, controls, wait_until, window_with};
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
        let svg = String::from_utf8(svg).unwrap();
        // The scenario inside names its target, of course.
        let drawn = svg.split("</metadata>").nth(1).unwrap();
        assert!(!drawn.contains(target), "{}: {target}", lesson.name);
        told_hidden += usize::from(drawn.contains("Target hidden"));
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
    click(&mut window, "Reveal the target");
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
