//! Tests of the plot of the parts of steps: the transition to sampling, and drawing with any parts.

use egui::vec2;
use egui_kittest::Harness;

use super::curves::NoiseCache;
use super::plot::{DECADES, MARGIN, bounds, show};
use super::transition::Transition;
use crate::geometry::Extension;
use crate::kit::time_axis::as_f64;
use crate::testing::{Fake, Recipe, frame, whole};
use crate::theme::{self, Theme};
use base::params::{Value, find_kind};
use engine::scenario::{Edit, LESSONS, Scenario, read};
use engine::session::{Clock, Frame, Session};

const FIRST: Extension = Extension::Coordinate(0);
const RECIPE: Recipe = Recipe { name: "SGLD", chains: 2, steps: 300, total: 1000, alpha: 0.004, cycle: 0 };

fn lesson(name: &str) -> Scenario {
    let lesson = LESSONS.iter().find(|lesson| lesson.name == name).unwrap();
    read(lesson.text, lesson.name, std::path::Path::new(".")).unwrap()
}

/// The frame of a lesson after some steps, with run 0 changed as `edit` says.
fn after(name: &str, steps: u64, edit: &[(&str, Value)]) -> Frame {
    let mut scenario = lesson(name);
    for (path, value) in edit {
        scenario.runs[0].settings.set(path, value.clone()).unwrap();
    }
    let mut session = Session::new(scenario).unwrap();
    session.advance(steps);
    session.frame()
}

fn transition(frame: &Frame, extension: Extension) -> Transition {
    Transition::of(frame, 0, extension, None).unwrap()
}

/// V = (5234.6, 1385.2) at the highest mode with one datum per step, ε* = 4/V = (7.64e-4, 2.89e-3), and ε = a(b + t)^−γ
/// with a = 0.1995515873, b = 231.0663493, γ = 0.55: the first steps t below are the 24 507th and the 1975th or so.
#[test]
fn one_datum_per_step_samples_from_the_step_of_the_article_on() {
    let made = after("welling-teh", 300, &[]);
    for (coordinate, variance) in [(0, 5234.6), (1, 1385.2)] {
        let extension = Extension::Coordinate(coordinate);
        let found = transition(&made, extension);
        let [step] = found.begins().collect::<Vec<_>>()[..] else { panic!("{:?}", found.turns) };
        let expected = (0.199_551_587_3_f64 / (4.0 / variance)).powf(1.0 / 0.55) - 231.066_349_3;
        let error = (as_f64(step) / expected - 1.0).abs();
        assert!(error < 1e-3, "step {step}, expected {expected}");
        let plan = &made.runs[0].plan;
        assert!(2.0 * plan.step_size(step) < 4.0 / variance * 1.0001);
        assert!(2.0 * plan.step_size(step - 1) > 4.0 / variance * 0.9999);
        let [gradient, injected] = found.expected(step);
        assert!((gradient / injected - 1.0).abs() < 1e-3);
        let words = found.words(300).unwrap();
        assert!(words.starts_with("sampling from step ") && words.contains("α < 2/V = "), "{words}");
    }
    assert!(transition(&made, FIRST).words(300).unwrap().ends_with("2/V = 0.000382"));
}

#[test]
fn a_run_without_a_transition_has_a_label() {
    let step_size = |value: f64| {
        let mut group =
            base::params::Settings::defaults(find_kind(&samplers::schedules::SCHEDULES, "constant").unwrap());
        group.set("value", Value::Number(value)).unwrap();
        [("step_size", Value::Group(group))]
    };
    let above = transition(&after("welling-teh", 5, &step_size(0.01)), FIRST);
    assert_eq!(above.turns, [(1, false)]);
    assert!(
        above.words(5).unwrap().starts_with("gradient noise is above injected noise in every step, α > 2/V = 0.00038")
    );
    let below = transition(&after("welling-teh", 5, &step_size(1e-5)), FIRST);
    assert!(below.words(5).unwrap().starts_with("gradient noise is below injected noise in every step, α < 2/V"));
}

#[test]
fn subtracting_gradient_noise_halves_the_step_size_of_the_transition() {
    let made = after("welling-teh", 5, &[("gradient.compensate", Value::Flag(true))]);
    assert!(transition(&made, FIRST).words(5).unwrap().ends_with("1/V = 0.000191"));
    let [gradient, injected] = transition(&made, FIRST).expected(1_000_000);
    let alpha = made.runs[0].plan.step_size(1_000_000);
    assert!(((gradient.powi(2) + injected.powi(2)) / (2.0 * alpha) - 1.0).abs() < 1e-9);
}

/// Recorded steps agree with the expected ones: over some 1000 steps the mean square of a normal displacement is off by
/// √(2/1000) = 4.5 % of itself (one standard deviation), of a minibatch error, with heavier tails, by somewhat more; the
/// tolerance of 25 % is five of the first, exceeded in one seed of a million.
#[test]
fn steps_are_as_large_as_expected() {
    let made = after("welling-teh", 1_000_000, &[]);
    let found = transition(&made, FIRST);
    let mut ratios = [0.0; 2];
    for parts in made.runs[0].parts.iter() {
        let sizes = [parts.gradient_noise.x, parts.injected_noise.x];
        for ((ratio, size), expected) in ratios.iter_mut().zip(sizes).zip(found.expected(parts.step)) {
            *ratio += (size / expected).powi(2) / made.runs[0].parts.len() as f64;
        }
    }
    assert!((ratios[1] - 1.0).abs() < 0.25, "injected noise: {ratios:?}");
    // V belongs to the highest mode, and the chain is elsewhere most of the time.
    assert!((0.5..2.0).contains(&ratios[0]), "gradient noise: {ratios:?}");
}

#[test]
fn cycles_sample_again_and_again_and_exact_gradients_have_no_transition() {
    let made = after("authors-code", 10, &[]);
    let found = Transition::of(&made, 1, FIRST, None).unwrap();
    assert!(found.noisy());
    assert!(Transition::of(&made, 9, FIRST, None).is_none());
    let exact = after("paper-text", 10, &[]);
    let found = Transition::of(&exact, 1, FIRST, None).unwrap();
    assert!(!found.noisy() && found.words(10).as_deref() == Some("no gradient noise"));
    assert_eq!(found.begins().count(), 0, "the sampling stage of a cycle is no transition of the noise");
    let explored = found.expected(1);
    assert!(explored.iter().all(|size| size.abs() < 1e-300), "no noise is injected while a cycle explores");
}

#[test]
fn a_change_of_the_gradient_counts_from_its_step_on() {
    let mut session = Session::new(lesson("welling-teh")).unwrap();
    session.advance(1000);
    let change = Edit::Set { run: 0, path: "gradient.size".to_owned(), value: Value::Number(100.0) };
    session.edit(change).unwrap();
    session.advance(10);
    let found = transition(&session.frame(), FIRST);
    assert_eq!(found.begins().collect::<Vec<_>>(), [1001]);
}

#[test]
fn every_kind_of_plot_can_be_drawn() {
    let two = frame(Fake::grid(), &[RECIPE, Recipe { name: "diverged", cycle: 100, ..RECIPE }]);
    assert!((0..2).all(|run| Transition::of(&two, run, FIRST, None).is_some()));
    for made in [
        two,
        frame(Fake::grid(), &[Recipe { steps: 0, ..RECIPE }]),
        frame(Fake::beta(), &[Recipe { alpha: 1e-4, ..RECIPE }]),
    ] {
        let axes = [(Clock::Steps, true), (Clock::Steps, false), (Clock::Gradients, true)];
        for (axis, extension) in axes.into_iter().zip([FIRST, FIRST, Extension::Length]) {
            let frame = made.clone();
            let look = Theme::default();
            let mut cache = NoiseCache::default();
            let mut harness = Harness::builder().with_size(vec2(640.0, 260.0)).with_context_setup(theme::install_fonts);
            harness = harness.with_max_steps(20);
            let mut harness = harness.build_ui(move |ui| {
                theme::apply(ui.ctx(), &look);
                let runs: Vec<usize> = (0..frame.runs.len()).collect();
                let response = show(ui, &whole(&frame, &runs, axis), extension, &look, &mut cache);
                assert_eq!(response.range, crate::kit::steps::RangeChange::Unchanged);
            });
            harness.run();
            harness.hover_at(egui::pos2(300.0, 130.0));
            harness.run();
        }
    }
}

#[test]
fn curves_are_computed_again_only_for_other_steps_or_another_view() {
    let mut made = frame(Fake::grid(), &[RECIPE]);
    let mut cache = NoiseCache::default();
    let mut version = |made: &Frame, extension: Extension, width: f32| {
        let input = whole(made, &[0], (Clock::Steps, true));
        cache.prepare(&input, 0, extension, (&input.positions(), width));
        cache.version(0)
    };
    let first = version(&made, FIRST, 500.0);
    assert_eq!(version(&made, FIRST, 500.0), first);
    assert_ne!(version(&made, Extension::Length, 500.0), first);
    let second = version(&made, FIRST, 500.0);
    made.runs[0].parts = std::sync::Arc::new(made.runs[0].parts.as_ref().clone());
    assert_ne!(version(&made, FIRST, 500.0), second);
}

#[test]
fn a_few_values_may_lie_far_below_the_others() {
    let values: Vec<f64> = (1..=100).rev().map(f64::from).collect();
    assert_eq!(super::curves::limits(values), Some(3.0..100.0));
    assert_eq!(super::curves::limits(vec![0.5]), Some(0.5..0.5));
    assert_eq!(super::curves::limits(Vec::new()), None);
}

#[test]
fn the_axis_has_at_most_five_decades() {
    assert_eq!(bounds(None, 0.2), -3.0..0.0);
    let far = bounds(Some(1e-12..1.0), 0.0);
    assert!((far.end - far.start - DECADES - 2.0 * MARGIN).abs() < 1e-12);
    let near = bounds(Some(0.01..0.1), 0.0);
    assert!((near.start + 2.0 + MARGIN).abs() < 1e-12);
    let free = bounds(Some(0.01..0.1), 0.25);
    assert!((free.end - near.end).abs() < 1e-12 && (free.start + 2.0 + MARGIN + 0.5).abs() < 1e-12);
}
