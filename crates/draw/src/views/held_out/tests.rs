//! The plot of held-out likelihood: what it says, and when it has nothing to say.

use std::ops::Range;
use std::sync::Arc;

use egui::vec2;
use egui_kittest::Harness;

use super::plot::{HeldOutCache, lines, marks, measured, not_timed, nothing, readout, show, values};
use crate::geometry::TopicsQuantity;
use crate::kit::marks::Mark;
use crate::kit::time_axis::as_f64;
use crate::testing::{Fake, Recipe, frame, topics_frame, whole};
use crate::theme::{self, Theme};
use crate::words::numbers;
use crate::words::word::Word;
use engine::scenario::view::Axis;
use engine::session::{Analysis, Clock, Frame, Spending};

fn made() -> Frame {
    topics_frame("corpus = { kind = \"bars\", side = 4, documents = 60 }")
}

#[test]
fn the_readout_has_the_value_before_the_pointer_and_its_perplexity() {
    let frame = made();
    let input = whole(&frame, &[0, 2], (Clock::Steps, true));
    let moment = frame.runs[0].analysis.topics.iter().find(|moment| moment.step == 20).unwrap();
    let value = TopicsQuantity::HeldOut.mean(moment).unwrap();
    let text = readout(&input, TopicsQuantity::HeldOut, &|_| 20);
    let perplexity = numbers::significant((-value).exp(), 4);
    assert!(text.starts_with(&format!("SVI {} (perplexity {perplexity})", numbers::decimal(value, 4))), "{text}");
    assert!(text.contains("Gibbs −"));
    assert!(!readout(&input, TopicsQuantity::Elbo, &|_| 20).contains("Gibbs"), "samplers have no bound");
    assert!(readout(&input, TopicsQuantity::Bars, &|_| 20).contains("SVI "));
}

/// All values and all lines are inside, and the bars of a corpus without any found.
#[test]
fn the_axis_holds_all_values_and_lines() {
    let frame = made();
    let input = whole(&frame, &[0, 1, 2], (Clock::Steps, true));
    let shown = values(&input, TopicsQuantity::HeldOut, &input.positions());
    let lines = lines(&input, TopicsQuantity::HeldOut);
    assert_eq!(lines.len(), 3);
    assert!((lines[0].1 + 16.0_f64.ln()).abs() < 1e-12 && lines.iter().all(|(_, value)| shown.contains(value)));
    let bars = values(&input, TopicsQuantity::Bars, &input.positions());
    assert!(bars.contains(&0.0) && bars.contains(&8.0));
}

/// The bound before the first step, which is far below all others, is not on an axis of logarithms, nor in a part of the run.
#[test]
fn the_axis_holds_no_more_than_what_is_shown() {
    let frame = made();
    let before = TopicsQuantity::Elbo.mean(&frame.runs[0].analysis.topics[0]).unwrap();
    let axis = |log: bool, part: fn(Range<f64>) -> Range<f64>| {
        let input = whole(&frame, &[0], (Clock::Steps, log));
        values(&input, TopicsQuantity::Elbo, &part(input.positions()))
    };
    assert!(axis(false, |whole| whole).contains(&before));
    assert!(!axis(true, |whole| whole).contains(&before));
    assert!(!axis(false, |whole| 0.5 * whole.end..whole.end).contains(&before));
    // A part between two moments has no values of its own.
    assert!(axis(false, |whole| whole.end + 1.0..whole.end + 2.0).contains(&before));
}

#[test]
fn an_empty_plot_gives_a_reason() {
    let mut frame = made();
    let of = |frame: &Frame, runs: &[usize], quantity| nothing(&whole(frame, runs, (Clock::Steps, true)), quantity);
    assert_eq!(of(&frame, &[0, 1, 2], TopicsQuantity::HeldOut), None);
    assert!(of(&frame, &[2], TopicsQuantity::Elbo).unwrap().starts_with("Samplers"));
    assert!(of(&frame, &[0], TopicsQuantity::LogJoint).unwrap().contains("Gibbs"));
    frame.runs[0].analysis = Arc::new(Analysis::default());
    assert_eq!(of(&frame, &[0], TopicsQuantity::HeldOut), Some("The first topics are being measured"));
}

/// Curves stand where the time of their moments is; a frame without times says why there are none.
#[test]
fn moments_stand_at_their_seconds_where_these_are_measured() {
    let mut frame = made();
    let timed = |frame: &Frame| not_timed(&whole(frame, &[0, 1, 2], (Axis::Seconds, false)));
    assert!(timed(&frame).is_some_and(|reason| reason.contains("in the window only")));
    assert_eq!(measured(&whole(&frame, &[0, 1, 2], (Axis::Seconds, false))).count(), 0, "nothing is drawn");
    assert_eq!(not_timed(&whole(&frame, &[0, 1, 2], (Clock::Steps, false))), None);
    for (run, cost) in frame.runs.iter_mut().zip([0.1, 2.0, 0.5]) {
        run.seconds = Some(Arc::new(Spending::through([[as_f64(run.step), cost * as_f64(run.step)]])));
    }
    assert_eq!(timed(&frame), None);
    let input = whole(&frame, &[1], (Axis::Seconds, false));
    let quantity = TopicsQuantity::HeldOut;
    let moments = &frame.runs[1].analysis.topics;
    let [Mark::Line { points, .. }] = &marks(moments, quantity, &input.along(1), (1, &Theme::default()))[..] else {
        panic!("one chain has one line")
    };
    for (point, moment) in points.iter().zip(moments.iter()) {
        assert!((point[0] - 2.0 * as_f64(moment.step)).abs() < 1e-9, "{point:?} at step {}", moment.step);
    }
}

#[test]
fn every_quantity_is_drawn() {
    struct State {
        frame: Frame,
        quantity: TopicsQuantity,
        cache: HeldOutCache,
    }
    let look = Theme::default();
    let state = State { frame: made(), quantity: TopicsQuantity::HeldOut, cache: HeldOutCache::default() };
    let mut harness =
        Harness::builder().with_size(vec2(800.0, 240.0)).with_context_setup(theme::install_fonts).build_ui_state(
            move |ui, state: &mut State| {
                theme::apply(ui.ctx(), &look);
                let State { frame, quantity, cache } = state;
                let input = whole(frame, &[0, 1, 2], (Clock::Steps, true));
                drop(show(ui, &input, *quantity, &look, cache));
            },
            state,
        );
    for &quantity in TopicsQuantity::ALL {
        harness.state_mut().quantity = quantity;
        harness.run_steps(2);
        let kept = |harness: &Harness<'_, State>| harness.state().cache.runs[&0].meshes();
        let before = kept(&harness);
        assert_eq!(before.is_empty(), quantity == TopicsQuantity::LogJoint, "{quantity:?}");
        harness.run_steps(2);
        assert_eq!(kept(&harness), before, "curves are kept");
    }
}

#[test]
fn a_target_without_topics_says_so() {
    let recipe = Recipe { name: "SGLD", chains: 2, steps: 30, total: 100, alpha: 0.004, cycle: 0 };
    let frame = frame(Fake::grid(), &[recipe]);
    let input = whole(&frame, &[0], (Clock::Steps, false));
    assert_eq!(nothing(&input, TopicsQuantity::HeldOut), Some("This target has no topics"));
    let input = made();
    assert_eq!(nothing(&whole(&input, &[0], (Clock::Steps, false)), TopicsQuantity::HeldOut), None);
}
