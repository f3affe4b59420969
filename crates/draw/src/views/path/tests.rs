//! Tests of the path plot: labels, clicks, and what is computed again.

use egui::{Event, PointerButton, Pos2, pos2, vec2};
use egui_kittest::Harness;

use super::choice::{Lines, PathChoice};
use super::plot::{
    Asked, FEWEST_NATS, FEWEST_POINTS, PathCache, PathInput, PathResponse, affordable, pieces, share_of_words, show,
    shown_heights, verdict,
};
use crate::kit::background::Computing;
use crate::testing::{Fake, Recipe, frame};
use crate::theme::{self, Theme};
use base::math::Point;
use engine::diagnostics::path::{PLACES, Path};
use engine::session::Frame;
use models::targets::Density;

const CYCLIC: Recipe = Recipe { name: "cSGLD", chains: 1, steps: 450, total: 1000, alpha: 0.004, cycle: 100 };

struct State {
    frame: Frame,
    choice: PathChoice,
    cache: PathCache,
    last: Option<PathResponse>,
}

fn harness(target: Fake, recipe: Recipe) -> Harness<'static, State> {
    let frame = frame(target, &[recipe]);
    let state = State { frame, choice: PathChoice::default(), cache: PathCache::default(), last: None };
    let look = Theme::default();
    let builder = Harness::builder().with_size(vec2(640.0, 300.0)).with_context_setup(theme::install_fonts);
    builder.build_ui_state(
        move |ui, state: &mut State| {
            theme::apply(ui.ctx(), &look);
            let State { frame, choice, cache, .. } = state;
            let input = PathInput { frame, focus: Some(0), choice, computing: Computing::Now };
            let response = show(ui, &input, &look, cache);
            state.choice.pointed = response.pointed;
            state.choice.cycle = response.clicked.or(state.choice.cycle);
            state.last = Some(response);
        },
        state,
    )
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
fn lines_are_worked_out_once_and_again_for_another_cycle() {
    let mut harness = harness(Fake::grid(), CYCLIC);
    harness.run_steps(3);
    let (version, count) = (harness.state().cache.drawn.1, harness.state().cache.paths().len());
    assert_eq!(count, 3);
    harness.run_steps(3);
    assert_eq!(harness.state().cache.drawn.1, version);
    harness.state_mut().frame = frame(Fake::grid(), &[Recipe { steps: 550, ..CYCLIC }]);
    harness.run_steps(2);
    assert_eq!((harness.state().cache.drawn.1, harness.state().cache.paths().len()), (version + 1, 4));
}

#[test]
fn the_pointer_tells_lambda_and_a_click_brings_a_line_to_the_front() {
    let mut harness = harness(Fake::grid(), CYCLIC);
    harness.run_steps(2);
    assert_eq!(harness.state().last.as_ref().unwrap().pointed, None);
    let rect = harness.state().last.as_ref().unwrap().response.rect;
    // The beginning of the first line is where its first draw is high or low; λ = 0 is a little inside the plot.
    let heights = shown_heights(harness.state().cache.paths(), share_of_words(rect.height(), &Theme::default()));
    let first = harness.state().cache.paths()[0].heights()[0];
    let y = rect.bottom() - rect.height() * ((first - heights.start) / (heights.end - heights.start)) as f32;
    let x = rect.left() + rect.width() * 0.045 / 1.09;
    click(&mut harness, pos2(x, y));
    assert_eq!(harness.state().choice.cycle, Some(0));
    let pointed = harness.state().choice.pointed.unwrap();
    assert!(pointed < 0.02, "{pointed}");
}

#[test]
fn every_state_can_be_drawn() {
    for (target, recipe) in [
        (Fake::grid(), Recipe { steps: 0, ..CYCLIC }),
        (Fake::grid(), Recipe { cycle: 0, ..CYCLIC }),
        (Fake::beta(), Recipe { alpha: 1e-4, ..CYCLIC }),
    ] {
        let mut harness = harness(target, recipe);
        harness.run_steps(2);
        harness.state_mut().choice.pick_on_canvas(true);
        harness.run_steps(2);
        for _ in 0..2 {
            let State { frame, choice, .. } = harness.state_mut();
            choice.pick(frame, &[0], Point::new(0.4, 0.0));
            harness.run_steps(2);
        }
        harness.set_size(vec2(2.0, 2.0));
        harness.run_steps(2);
    }
}

#[test]
fn lines_are_told_in_words() {
    let grid = Fake::grid();
    let described = |a: (f64, f64), b: (f64, f64)| {
        let path = Path::between(&grid, Point::new(a.0, a.1), Point::new(b.0, b.1), 201);
        verdict(&path, Density::info(&grid))
    };
    assert_eq!(described((0.0, 0.0), (0.1, 0.1)), "flat: same mode");
    // Half way between two modes at distance 2: 1/(2 · 0.03) above the modes, less log 2, since both are equally near.
    assert_eq!(described((0.0, 0.0), (2.0, 0.0)), "barrier 16 nats (mode 13 → 14)");
    let beta = Fake::beta();
    let out = Path::between(&beta, Point::new(0.4, 0.0), Point::new(1.4, 0.0), 11);
    assert_eq!(verdict(&out, Density::info(&beta)), "an end outside the support");
}

#[test]
fn the_axis_holds_all_that_is_finite() {
    let grid = Fake::grid();
    let near = Path::between(&grid, Point::zeros(), Point::new(0.01, 0.0), 11);
    let low = near.heights()[0];
    let shown = shown_heights(std::slice::from_ref(&near), 0.2);
    assert!(shown.start < low && shown.end > low + FEWEST_NATS);
    assert_eq!(shown_heights(&[], 0.2), 0.0..FEWEST_NATS);
    let out = Path::between(&Fake::beta(), Point::new(0.4, 0.0), Point::new(1.4, 0.0), 11);
    assert_eq!(pieces(&out).len(), 1);
    assert!(shown_heights(&[out], 0.2).end.is_finite());
}

#[test]
fn dear_lines_are_fewer_and_coarser() {
    assert_eq!(affordable(1, 40), (true, PLACES));
    assert_eq!(affordable(100_000, 40), (false, PLACES));
    assert_eq!(affordable(1_000_000, 1), (false, 100));
    assert_eq!(affordable(usize::MAX, 40), (false, FEWEST_POINTS));
    let moment = frame(Fake::grid(), &[CYCLIC]);
    let asked = Asked::of(&moment, &Lines::of(&moment, Some(0), &PathChoice::default()));
    assert_eq!((asked.ends.len(), asked.points), (3, PLACES));
}
