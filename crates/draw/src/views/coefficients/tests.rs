//! Tests of the coefficients.

use std::path::Path;

use egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use super::*;
use crate::kit::background::Computing;
use crate::theme;
use engine::scenario::read;
use engine::session::{Frame, Session};
use geometry::Scale;

fn after(steps: u64, runs: &str) -> Frame {
    let text = format!(
        "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"regression\"\nterms = \"1, speed, speed^2\"\n{runs}"
    );
    let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
    session.advance(steps);
    session.frame()
}

const RUNS: &str = "[[run]]\nname = \"NUTS\"\nmethod = \"nuts\"\nchains = 2\nsteps = 600\nadapt_step_size = true\nwarm_up = 200\n\
                    collect = { burn_in = 200 }\n[[run]]\nname = \"Laplace\"\nmethod = \"laplace\"\nsteps = 600\n";

fn drawn(frame: &Frame, truth: bool, scale: Scale, size: [f32; 2], whole: bool) -> Harness<'static> {
    let (frame, mut cache, mut look) = (frame.clone(), CoefficientsCache::default(), Theme::default());
    look.labels.whole = whole;
    let mut harness = Harness::builder()
        .with_size(vec2(size[0], size[1]))
        .with_context_setup(theme::install_fonts)
        .build_ui(move |ui| {
            theme::apply(ui.ctx(), &look);
            let computing = Computing::Now;
            let input = CoefficientsInput { frame: &frame, runs: &[0, 1], computing, truth, scale };
            plot::show(ui, &input, &look, &mut cache);
        });
    harness.run_steps(3);
    harness
}

#[test]
fn it_draws_before_and_after_steps_in_any_size_with_and_without_the_reference() {
    for steps in [0, 600] {
        let frame = after(steps, RUNS);
        for scale in [Scale::Values, Scale::ReferenceSds] {
            for (truth, size, whole) in
                [(true, [600.0, 400.0], false), (false, [300.0, 90.0], false), (true, [500.0, 120.0], true)]
            {
                drop(drawn(&frame, truth, scale, size, whole));
            }
        }
    }
}

/// The numbers are of the run: within four standard errors of the exact ones, for NUTS after its warm-up.
#[test]
fn a_run_is_read_beside_the_reference() {
    let frame = after(600, RUNS);
    let mut cache = CoefficientsCache::default();
    cache.update(&egui::Context::default(), (&frame, &[0, 1]), Computing::Now);
    let references = cache.references(&frame).unwrap();
    let [nuts, laplace] = [0, 1].map(|run| cache.run(run).unwrap().numbers.as_ref().unwrap());
    for (number, reference) in references.iter().enumerate() {
        let found = &nuts[number];
        assert!((found.described.mean - reference.mean).abs() < 4.0 * found.mcse.unwrap(), "{number}");
        assert!(laplace[number].mcse.is_none() && laplace[number].described.sd > 0.5 * reference.sd);
    }
}

/// Eight schools: the estimate and the standard error of each beside its mean, in both parametrisations and under the names of θ.
#[test]
fn groups_have_their_data_beside_their_means() {
    // A centred hierarchy has no mode.
    let runs = RUNS.replace("\"laplace\"", "\"langevin\"");
    for parametrisation in ["centred", "non-centred"] {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"hierarchical-normal\"\n\
             parametrisation = \"{parametrisation}\"\n{runs}"
        );
        let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
        session.advance(600);
        let frame = session.frame();
        let names = frame.target.quantities().unwrap().names();
        let unpooled = frame.target.model().unwrap().unpooled();
        assert_eq!(unpooled.len(), 8);
        for (school, (number, [y, sd])) in unpooled.iter().enumerate() {
            assert_eq!(names[*number], format!("theta[{}]", ["A", "B", "C", "D", "E", "F", "G", "H"][school]));
            // The posterior is narrower than the data of a school.
            let [mean, posterior_sd] = frame.target.known_quantities().unwrap().moments(*number);
            assert!(posterior_sd < *sd && y.is_finite() && mean.is_finite(), "{posterior_sd} {sd}");
        }
        assert!((unpooled[0].1[0] - 28.0).abs() < 1e-9 && (unpooled[0].1[1] - 15.0).abs() < 1e-9);
        for (scale, size) in [(Scale::Values, [600.0, 500.0]), (Scale::ReferenceSds, [300.0, 90.0])] {
            drop(drawn(&frame, true, scale, size, false));
        }
    }
    let regression = after(0, RUNS);
    assert!(regression.target.model().unwrap().unpooled().is_empty());
}

#[test]
fn what_is_missing_is_said() {
    let frame = after(100, RUNS);
    let harness = drawn(&frame, true, Scale::Values, [600.0, 400.0], false);
    assert!(harness.query_by_label_contains("NUTS: no draws yet.").is_some());
    let unstable = "[[run]]\nname = \"A\"\nmethod = \"sgld\"\nchains = 2\nsteps = 300\n\
                    step_size = { kind = \"constant\", value = 1e3 }\n[[run]]\nname = \"B\"\nmethod = \"laplace\"\nsteps = 3\n";
    let harness = drawn(&after(300, unstable), true, Scale::Values, [600.0, 400.0], false);
    assert!(harness.query_by_label_contains("A: all chains have left.").is_some());
}
