//! Tests of the plot of a step: what it says, and what is lit.

use std::path::Path;

use egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use super::input::StepInput;
use super::lines::Lines;
use super::plot::show;
use crate::geometry::algorithm_of;
use crate::theme::{self, Appearance, Scale, Theme};
use crate::views::{PlotTab, StepOf};
use engine::scenario::read;
use engine::session::{Frame, Session};
use samplers::methods::{METHODS, Phase};

/// The frame of a run after so many steps; `None` where the method does not suit the target.
fn built(method: &str, steps: u64) -> Option<Frame> {
    let text = format!(
        "format = 1\ntitle = \"Step\"\nseed = 5\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"A run\"\nmethod = \"{method}\"\n"
    );
    let mut session = Session::new(read(&text, "test", Path::new(".")).ok()?).ok()?;
    session.advance(steps);
    Some(session.frame())
}

fn after(method: &str, steps: u64) -> Frame {
    built(method, steps).unwrap()
}

struct State {
    frame: Frame,
    stage: Option<usize>,
    phase: Option<Phase>,
    formula: bool,
    lines: Lines,
}

fn harness(frame: Frame) -> Harness<'static, State> {
    let state = State { frame, stage: None, phase: None, formula: true, lines: Lines::Words };
    let look = Theme::default();
    let builder = Harness::builder().with_size(vec2(640.0, 480.0)).with_context_setup(theme::install_fonts);
    builder.build_ui_state(
        move |ui, state: &mut State| {
            theme::apply(ui.ctx(), &look);
            let State { frame, stage, phase, formula, lines } = &*state;
            let input = StepInput {
                frame,
                runs: &[0],
                stage: *stage,
                phase: *phase,
                formula: *formula,
                lines: *lines,
                step_of: StepOf::default(),
            };
            state.phase = show(ui, &input, &look).pointed;
        },
        state,
    )
}

fn says(harness: &Harness<'_, State>, text: &str) -> bool {
    harness.query_all_by_label_contains(text).next().is_some()
}

#[test]
fn lines_are_told_in_words_or_as_code_with_their_numbers() {
    let mut window = harness(after("sgld", 9));
    window.run_steps(3);
    assert!(says(&window, "α ĝ") && says(&window, "Estimate the slope"), "formula and words");
    assert!(says(&window, "α ĝ = (") && says(&window, "new θ = ("), "numbers");
    window.state_mut().lines = Lines::Code;
    window.run_steps(3);
    assert!(says(&window, "target.gradient(theta)") && !says(&window, "Estimate the slope"));
    (window.state_mut().lines, window.state_mut().formula) = (Lines::Hidden, false);
    window.run_steps(3);
    assert!(!says(&window, "α ĝ") && says(&window, "A run"));
}

#[test]
fn what_comes_later_in_a_step_is_not_told_yet() {
    let mut window = harness(after("sgld", 9));
    window.state_mut().stage = Some(0);
    window.run_steps(3);
    assert!(says(&window, "α ĝ = (") && !says(&window, "new θ = ("));
    window.state_mut().stage = Some(2);
    window.run_steps(3);
    assert!(says(&window, "new θ = ("));
}

/// Neither colour of an outcome is there before the decision, whatever it is.
#[test]
fn colours_do_not_tell_the_outcome_before_it_is_decided() {
    let outcomes = [Theme::default().accepted, Theme::default().error].map(|colour| format!("{colour:?}"));
    let mut seen = [false; 2];
    for steps in 5..14 {
        let made = after("random-walk", steps);
        let accepted = made.runs[0].records[0].proposal.unwrap().accepted;
        let mut window = harness(made);
        for stage in 0..6 {
            window.state_mut().stage = Some(stage);
            window.run_steps(3);
            let painted = format!("{:?}", window.output().shapes);
            let told = [0, 1].map(|outcome: usize| painted.contains(&outcomes[outcome]));
            let decided = stage >= 4;
            assert_eq!(told, [decided && accepted, decided && !accepted], "step {steps}, stage {stage}");
        }
        seen[usize::from(accepted)] = true;
    }
    assert_eq!(seen, [true, true]);
}

#[test]
fn a_term_at_the_pointer_is_the_phase_of_its_arrow() {
    let mut window = harness(after("sgld", 9));
    window.run_steps(3);
    let term = window.get_by_label("√(2α) ξ").rect().center();
    window.hover_at(term);
    window.run_steps(3);
    assert_eq!(window.state().phase, Some(Phase::Noise));
}

/// What is between terms answers as well: θ is where the chain is.
#[test]
fn a_symbol_between_terms_says_what_it_is() {
    let mut window = harness(after("sgld", 9));
    window.run_steps(3);
    let symbol = window.get_by_label("θ ← θ + ").rect().left_center() + vec2(3.0, 0.0);
    window.hover_at(symbol);
    window.run_steps(3);
    assert_eq!(window.state().phase, Some(Phase::Position));
}

#[test]
fn a_run_before_its_first_step_has_no_numbers() {
    let mut window = harness(after("sgld", 0));
    window.run_steps(3);
    assert!(says(&window, "Estimate the slope") && !says(&window, "new θ"));
}

/// The numbers of a proposal are those of its record, to the digits that are shown.
#[test]
fn a_proposal_is_told_with_its_ratio_and_its_decision() {
    let made = after("random-walk", 7);
    let proposal = made.runs[0].records[0].proposal.unwrap();
    let mut window = harness(made);
    window.run_steps(3);
    let short = |number: f64| crate::words::numbers::significant(number, 4);
    assert!(says(&window, &format!("log ratio = {}", short(proposal.log_ratio))));
    assert!(says(&window, &format!("u = {} {} ", short(proposal.uniform), if proposal.accepted { "<" } else { "≥" })));
}

#[test]
fn every_method_on_the_plane_is_shown() {
    let shown = METHODS.iter().filter_map(|method| Some((method.name, built(method.name, 3)?)));
    let mut count = 0;
    for (name, frame) in shown {
        let mut window = harness(frame);
        window.run_steps(2);
        assert!(says(&window, "A run"), "{name}");
        count += 1;
    }
    assert!(count > 20, "{count} methods");
}

/// Two runs are beside each other where both are whole; else one is shown, and a click on the name of the other shows that.
#[test]
fn where_two_steps_have_no_space_one_is_shown_with_a_switch() {
    let text = "format = 1\ntitle = \"Two\"\nseed = 5\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"One\"\nmethod = \"sgld\"\n\
                [[run]]\nname = \"Other\"\nmethod = \"random-walk\"\n";
    let mut session = Session::new(read(text, "test", Path::new(".")).unwrap()).unwrap();
    session.advance(9);
    let frame = session.frame();
    for (size, both) in [(vec2(1000.0, 700.0), true), (vec2(1000.0, 160.0), false), (vec2(400.0, 700.0), false)] {
        let (frame, look) = (frame.clone(), Theme::default());
        let builder = Harness::builder().with_size(size).with_context_setup(theme::install_fonts);
        let of_step = move |ui: &mut egui::Ui, step_of: &mut StepOf| {
            theme::apply(ui.ctx(), &look);
            let input = StepInput {
                frame: &frame,
                runs: &[0, 1],
                stage: None,
                phase: None,
                formula: true,
                lines: Lines::Words,
                step_of: *step_of,
            };
            *step_of = show(ui, &input, &look).step_of;
        };
        let mut window = builder.build_ui_state(of_step, StepOf::default());
        window.run_steps(3);
        assert_eq!(window.state().alone, (!both).then_some(0), "{size}");
        let has = |window: &Harness<'_, StepOf>, text: &str| window.query_all_by_label_contains(text).next().is_some();
        assert!(has(&window, "Estimate the slope"), "{size}");
        assert_eq!(has(&window, "Compare how likely"), both, "{size}");
        if !both {
            window.get_by_label("Other").click();
            window.run_steps(3);
            assert!(has(&window, "Compare how likely") && !has(&window, "Estimate the slope"), "{size}");
            assert_eq!(*window.state(), StepOf { chosen: Some(1), alone: Some(1) });
        }
    }
}

/// The numbers are those of one chain, of one step, as far as one of its parts.
#[test]
fn the_head_says_which_chain_and_which_part_of_which_step_is_shown() {
    let text = "format = 1\ntitle = \"Many\"\nseed = 5\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"A run\"\nmethod = \"sgld\"\nchains = 16\n";
    let mut session = Session::new(read(text, "test", Path::new(".")).unwrap()).unwrap();
    session.advance(12);
    let mut window = harness(session.frame());
    window.run_steps(2);
    assert!(says(&window, "step 12") && says(&window, "chain 1 of 16") && !says(&window, "part 1"));
    window.state_mut().stage = Some(0);
    window.run_steps(2);
    assert!(says(&window, "chain 1 of 16 · part 1 of "));
    let mut alone = harness(after("sgld", 12));
    alone.run_steps(2);
    assert!(!says(&alone, "chain 1"), "there is no other");
}

/// Before an audience type is large: it gets smaller until the last line is in sight without scrolling.
#[test]
fn the_whole_step_is_in_sight_before_an_audience() {
    let look = Theme::new(Appearance::Light, Scale::Present);
    // What a step has beside the canvases of a projector.
    for (size, window) in [(vec2(574.0, 560.0), vec2(1366.0, 768.0)), (vec2(806.0, 800.0), vec2(1920.0, 1080.0))] {
        let look = look.clone().before_audience(window);
        for method in ["random-walk", "sgld", "mala", "hmc", "nuts"] {
            let frame = after(method, 4);
            let run = &frame.runs[0];
            let last = algorithm_of(&frame, run).unwrap().lines.last().unwrap().words;
            let (frame, look) = (frame.clone(), look.clone());
            let builder = Harness::builder().with_size(size).with_context_setup(theme::install_fonts);
            let mut window = builder.build_ui(move |ui| {
                theme::apply(ui.ctx(), &look);
                let input = StepInput {
                    frame: &frame,
                    runs: &[0],
                    stage: None,
                    phase: None,
                    formula: true,
                    lines: Lines::Words,
                    step_of: StepOf::default(),
                };
                assert!(show(ui, &input, &look).pointed.is_none());
            });
            window.run_steps(3);
            let found = window.query_all_by_label_contains(last).last().map(|node| node.rect().bottom());
            assert!(found.is_some_and(|bottom| bottom <= size.y + 1.0), "{method}: {found:?} of {size}");
        }
    }
}

#[test]
fn the_panel_is_higher_for_algorithms_of_many_lines() {
    let height = |method: &str| super::Step.height(&after(method, 1));
    approx::assert_abs_diff_eq!(height("sgld"), 1.0);
    approx::assert_abs_diff_eq!(height("random-walk"), 1.0);
    assert!(["hmc", "nuts"].iter().all(|method| height(method) > 1.2));
}
