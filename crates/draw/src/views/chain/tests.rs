//! Tests of the plots of chains, drawn without a window.

use std::time::Duration;

use egui::accesskit::Role;
use egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use super::cache::{ChainCache, Moment};
use super::input::ChainPlotInput;
use super::plot::{BLIND, ChainResponse, show};
use crate::kit::background::Computing;
use crate::testing::{Fake, Recipe, frame};
use crate::theme::{self, Appearance, Scale, Theme};
use engine::session::Frame;

struct State {
    frame: Frame,
    runs: Vec<usize>,
    coordinate: usize,
    computing: Computing,
    look: Theme,
    cache: ChainCache,
    last: Option<ChainResponse>,
}

const RECIPE: Recipe = Recipe { name: "SGLD", chains: 4, steps: 300, total: 1000, alpha: 0.004, cycle: 0 };

fn harness(target: Fake, recipes: &[Recipe], computing: Computing) -> Harness<'static, State> {
    let frame = frame(target, recipes);
    let runs = (0..recipes.len()).collect();
    let (look, cache) = (Theme::default(), ChainCache::default());
    let state = State { frame, runs, coordinate: 0, computing, look, cache, last: None };
    Harness::builder()
        .with_size(vec2(900.0, 220.0))
        .with_step_dt(1.0 / 60.0)
        .with_max_steps(100)
        .with_context_setup(theme::install_fonts)
        .build_ui_state(
            |ui, state: &mut State| {
                theme::apply(ui.ctx(), &state.look);
                let State { frame, runs, coordinate, computing, look, cache, last } = state;
                let input = ChainPlotInput { frame, runs, coordinate: *coordinate, computing: *computing, truth: true };
                *last = Some(show(ui, &input, look, cache));
            },
            state,
        )
}

fn moments(harness: &Harness<'_, State>) -> Vec<Option<Moment>> {
    harness.state().cache.entries.values().map(|entry| entry.done.as_ref().map(|(moment, _)| *moment)).collect()
}

#[test]
fn all_kinds_of_runs_can_be_drawn() {
    for (target, recipes) in [
        (Fake::grid(), vec![RECIPE, Recipe { name: "cSGLD", chains: 1, cycle: 100, ..RECIPE }]),
        (Fake::grid(), vec![Recipe { steps: 0, ..RECIPE }]),
        (Fake::grid(), vec![Recipe { steps: 3, ..RECIPE }, RECIPE]),
        (Fake::grid(), vec![Recipe { chains: 100, steps: 20, ..RECIPE }; 9]),
        (Fake::beta(), vec![Recipe { alpha: 1e-4, chains: 2, ..RECIPE }]),
        // With steps this large the chains diverge.
        (Fake::grid(), vec![Recipe { alpha: 1e3, steps: 400, ..RECIPE }]),
    ] {
        let mut harness = harness(target, &recipes, Computing::Now);
        for (coordinate, mode, scale) in [
            (0, Appearance::Light, Scale::Screen),
            (1, Appearance::Dark, Scale::Screen),
            (9, Appearance::Light, Scale::Present),
        ] {
            harness.state_mut().coordinate = coordinate;
            harness.state_mut().look = Theme::new(mode, scale);
            harness.run();
            assert_eq!(harness.state().last, Some(ChainResponse { pending: false }));
        }
    }
}

#[test]
fn the_runs_and_what_is_not_seen_are_named() {
    let mut harness = harness(Fake::grid(), &[RECIPE, Recipe { name: "cSGLD", ..RECIPE }], Computing::Now);
    harness.run();
    for words in ["SGLD", "cSGLD", BLIND] {
        assert_eq!(harness.query_all_by_role_and_label(Role::Label, words).count(), 1, "{words}");
    }
    harness.state_mut().frame.runs.iter_mut().for_each(|run| run.collected *= 4);
    harness.state_mut().frame.generation += 1;
    harness.run();
    let thinned = format!("{BLIND} Computed from one draw in 4.");
    assert_eq!(harness.query_all_by_role_and_label(Role::Label, &thinned).count(), 1);
}

#[test]
fn numbers_come_from_the_background_one_run_at_a_time_and_the_last_ones_stay() {
    let mut harness = harness(Fake::grid(), &[RECIPE, RECIPE], Computing::Background);
    let wait = |harness: &mut Harness<'static, State>, what: &str| {
        for _ in 0..2000 {
            harness.step();
            let away = harness.state().cache.entries.values().filter(|entry| entry.away.is_some()).count();
            assert!(away <= 1, "one at a time");
            if harness.state().last == Some(ChainResponse { pending: false }) {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        panic!("no result after waiting for {what}");
    };
    wait(&mut harness, "the first numbers");
    assert_eq!(moments(&harness), [Some((1, 300)); 2]);
    harness.state_mut().cache.entries.values_mut().for_each(|entry| entry.rest_until = 1e9);
    harness.state_mut().frame.runs.iter_mut().for_each(|run| run.step += 1);
    harness.run_steps(5);
    assert_eq!(harness.state().last, Some(ChainResponse { pending: true }), "it pauses");
    assert_eq!(moments(&harness), [Some((1, 300)); 2], "the last ones stay");
    harness.state_mut().cache.entries.values_mut().for_each(|entry| entry.rest_until = 0.0);
    wait(&mut harness, "the next numbers");
    assert_eq!(moments(&harness), [Some((1, 301)); 2]);
}

#[test]
fn numbers_of_the_other_coordinate_hold_nothing_up() {
    let mut harness = harness(Fake::grid(), &[RECIPE], Computing::Background);
    for coordinate in [0, 1, 0, 1] {
        harness.state_mut().coordinate = coordinate;
        harness.step();
    }
    for _ in 0..2000 {
        if harness.state().last == Some(ChainResponse { pending: false }) {
            return;
        }
        harness.step();
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("no result after waiting");
}

#[test]
fn plots_without_space_do_not_fail() {
    let mut harness = harness(Fake::grid(), &[RECIPE], Computing::Now);
    for size in [vec2(120.0, 60.0), vec2(30.0, 20.0), vec2(1.0, 1.0)] {
        harness.set_size(size);
        harness.run();
    }
}
