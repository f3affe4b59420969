//! Tests of the coverage plot: marks, tooltips and clicks.

use egui::{Event, PointerButton, Pos2, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use super::input::CoverageInput;
use super::mark::Kind;
use super::pin::Pin;
use super::plot::{Click, CoverageResponse, marks, notes, show};
use super::scale::Scale;
use super::spot::{Trail, spot};
use super::testing::{measured, moment};
use crate::theme::{self, Theme};
use engine::session::Frame;

struct State {
    frame: Frame,
    trail: Trail,
    pins: Vec<Pin>,
    selected: Option<usize>,
    last: Option<CoverageResponse>,
    clicks: Vec<Click>,
}

fn pin(frame: &Frame, at: [f64; 2]) -> Pin {
    Pin {
        name: "pinned".to_owned(),
        at,
        identity: super::pin::identity(&frame.scenario, frame.step),
        seed: 5,
        ..Pin::default()
    }
}

fn harness(frame: Frame, pins: Vec<Pin>) -> Harness<'static, State> {
    let state = State { frame, trail: Trail::default(), pins, selected: None, last: None, clicks: Vec::new() };
    let look = Theme::default();
    let builder = Harness::builder().with_size(vec2(700.0, 320.0)).with_context_setup(theme::install_fonts);
    builder.build_ui_state(
        move |ui, state: &mut State| {
            theme::apply(ui.ctx(), &look);
            let State { frame, trail, pins, selected, .. } = state;
            trail.note(frame);
            let runs: Vec<usize> = (0..frame.runs.len()).collect();
            let input = CoverageInput { frame, runs: &runs, spreads: &[], seeds: 0, trail, pins, selected: *selected };
            let response = show(ui, &input, &look);
            if response.click != Click::None {
                state.clicks.push(response.click);
            }
            state.last = Some(response);
        },
        state,
    )
}

/// The position of a point of the plot on the screen.
fn on_screen(harness: &Harness<'_, State>, at: [f64; 2]) -> Pos2 {
    let state = harness.state();
    let rect = state.last.as_ref().unwrap().response.rect;
    let all = state.frame.runs.iter().filter_map(|run| spot(&run.measures).ok());
    let points = all
        .flat_map(|spot| [Some(spot.at), spot.floor.map(|floor| floor.map(|floor| floor.mean))])
        .flatten()
        .chain(state.pins.iter().map(|pin| pin.at));
    let scale = Scale::of(points);
    let (min, max) = scale.bounds();
    let position = scale.position(at);
    let share = |axis: usize| ((position[axis] - min[axis]) / (max[axis] - min[axis])) as f32;
    pos2(rect.left() + rect.width() * share(0), rect.bottom() - rect.height() * share(1))
}

fn click(harness: &mut Harness<'_, State>, pos: Pos2) {
    harness.hover_at(pos);
    harness.run();
    for pressed in [true, false] {
        let modifiers = egui::Modifiers::NONE;
        harness.event(Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers });
    }
    harness.run();
}

#[test]
fn a_click_selects_a_pin_and_one_beside_it_nothing() {
    let frame = moment(&[([0.3, 0.8], true)]);
    let pins = vec![Pin::default(), pin(&frame, [0.01, 3.0])];
    let mut harness = harness(frame, pins);
    harness.run();
    let at = on_screen(&harness, [0.01, 3.0]);
    click(&mut harness, at + vec2(3.0, -3.0));
    click(&mut harness, at + vec2(80.0, 0.0));
    let run = on_screen(&harness, [0.3, 0.8]);
    click(&mut harness, run);
    assert_eq!(harness.state().clicks, [Click::Pin(1), Click::Elsewhere, Click::Elsewhere]);
    let State { frame, pins, .. } = harness.state_mut();
    pins.push(pin(frame, [0.3, 0.8]));
    click(&mut harness, run);
    assert_eq!(harness.state().clicks.last(), Some(&Click::Pin(2)), "the pin below the run");
}

#[test]
fn the_tooltip_shows_name_values_and_parameters() {
    let frame = moment(&[([0.3, 0.8], false)]);
    let pins = vec![pin(&frame, [0.0, 3.0])];
    let mut harness = harness(frame, pins);
    harness.run();
    for (at, name, values, more) in [
        (
            [0.3, 0.8],
            "running · in progress",
            "mode-weight KL 0.3 nats · KL within modes 0.8 nats",
            "1 chain × 100 steps",
        ),
        (
            [0.0005, 0.02],
            "exact draws",
            "mode-weight KL 0.0005 nats · KL within modes 0.02 nats",
            "the average of sets of 60 draws, as many as running has; nine sets of ten: mode weights 0.00025 to 0.001, within modes 0.01 to 0.04",
        ),
        (
            [0.0, 3.0],
            "pinned · pinned, click for more",
            "mode-weight KL 0 nats · KL within modes 3 nats",
            "on the edge of the plot",
        ),
    ] {
        let at = on_screen(&harness, at);
        harness.hover_at(at);
        harness.run_steps(60);
        for text in [name, values, more] {
            assert!(harness.query_by_label(text).is_some(), "{text} is missing");
        }
    }
}

#[test]
fn pins_of_other_targets_are_counted_and_not_drawn() {
    let frame = moment(&[([0.3, 0.8], true)]);
    let (mut trail, runs) = (Trail::default(), [0]);
    trail.note(&frame);
    let pins = [pin(&frame, [1.0, 1.0]), Pin::default(), Pin::default()];
    let input = CoverageInput {
        frame: &frame,
        runs: &runs,
        spreads: &[],
        seeds: 0,
        trail: &trail,
        pins: &pins,
        selected: None,
    };
    let (marks, elsewhere) = marks(&input, &Theme::default());
    let kinds: Vec<Kind> = marks.iter().map(|mark| mark.kind).collect();
    let floor = Some([0.0005, 0.02]);
    assert_eq!(kinds, [Kind::Exact, Kind::Pin(0), Kind::Run { finished: true, floor }]);
    let scale = Scale::of(marks.iter().map(|mark| mark.at));
    assert_eq!(notes(&marks, elsewhere, scale), ["2 pins of other targets"]);
    assert_eq!(notes(&[], 1, Scale::of([[0.0, 1.0]].into_iter())).len(), 2);
}

#[test]
fn every_state_can_be_drawn() {
    let mut harness = harness(moment(&[([0.3, 0.8], true), ([0.0, 0.0], false)]), Vec::new());
    harness.run_steps(2);
    let State { frame, trail, .. } = harness.state_mut();
    trail.note(frame);
    frame.generation += 1;
    frame.runs[0].measures = std::sync::Arc::new(measured([2.0, 1e-9], None));
    harness.state_mut().selected = Some(3);
    harness.run_steps(2);
    for run in &mut harness.state_mut().frame.runs {
        run.measures = std::sync::Arc::default();
    }
    harness.run_steps(2);
    harness.set_size(vec2(2.0, 2.0));
    harness.run_steps(2);
}
