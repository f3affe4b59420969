//! Tests of the pictures of a sweep: every one of them is drawn from all kinds of cells, and says what it shows.

use std::path::Path;

use egui::{Shape, Vec2, vec2};
use egui_kittest::Harness;

use super::input::{Part, SweepInput, SweepResponse};
use super::{answers, curve, front, map};
use crate::theme::{self, Theme};
use engine::scenario::read;
use engine::session::sweep::{Cell, Findings, SweepPlan};

const SCENARIO: &str = "format = 1\nseed = 5\n[target]\nkind = \"gaussian-grid\"\n[[run]]\nname = \"A\"\nmethod = \"csgld\"\nsteps = 60\n\
    step_size = { kind = \"cyclical\", initial = 0.02, cycles = 3 }\n[sweep]\nseeds = 2\n\
    measures = [\"modes_covered\", \"within_mode_kl\", \"error_xx\"]\n\
    questions = [{ measure = \"within_mode_kl\", at_most = 0.5, find = \"largest\", of = \"step_size.initial\" },\n\
    { measure = \"modes_covered\", at_least = 99, find = \"smallest\", of = \"cost\" }]\naxes = [";
const FIRST: &str = "{ parameter = \"step_size.initial\", from = 0.01, to = 0.04, count = 3, scale = \"log\" }, ";
const SECOND: &str = "{ parameter = \"step_size.cycles\", from = 2, to = 3, count = 2 }";

fn plan(axes: &str) -> SweepPlan {
    SweepPlan::new(&read(&format!("{SCENARIO}{axes}]\n"), "s", Path::new("")).unwrap()).unwrap()
}

/// Cells with this error within modes, and with this error of the mean of x²; NaN for a value that does not exist.
fn cells(plan: &SweepPlan, of: impl Fn(usize) -> f64) -> Vec<Cell> {
    let value = |value: f64| Some(value).filter(|value| value.is_finite());
    let cell = |number: usize| {
        let within = of(number);
        Cell {
            number,
            evaluations: vec![60.0; 2],
            diverged: vec![u64::from(within.is_nan()); 2],
            measures: vec![
                vec![Some(20.0 - number as f64); 2],
                vec![value(within), value(1.1 * within)],
                vec![value(within); 2],
            ],
            reasons: vec![
                String::new(),
                if within.is_nan() { "far away".to_owned() } else { String::new() },
                String::new(),
            ],
        }
    };
    (0..plan.cells()).map(cell).collect()
}

/// All texts that a picture paints.
fn texts(size: Vec2, show: impl Fn(&mut egui::Ui, &Theme) + 'static) -> Vec<String> {
    let look = Theme::default();
    let mut harness = Harness::builder().with_size(size).with_context_setup(theme::install_fonts).build_ui(move |ui| {
        theme::apply(ui.ctx(), &look);
        show(ui, &look);
    });
    harness.run_steps(3);
    fn collect(shape: &Shape, found: &mut Vec<String>) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, found)),
            Shape::Text(text) => found.push(text.galley.text().to_owned()),
            _ => {}
        }
    }
    let mut found = Vec::new();
    harness.output().shapes.iter().for_each(|clipped| collect(&clipped.shape, &mut found));
    found
}

type Picture = fn(&mut egui::Ui, &SweepInput<'_>, &Theme) -> SweepResponse;

fn painted(picture: Picture, axes: &'static str, measure: usize, of: fn(usize) -> f64) -> Vec<String> {
    let plan = plan(axes);
    let all = cells(&plan, of);
    let findings = Findings::of(&plan, &all, &plan.sweep().questions);
    texts(vec2(900.0, 420.0), move |ui, theme| {
        let input = SweepInput {
            plan: &plan,
            cells: &all,
            findings: Some(&findings),
            measure,
            part: Part::Mean,
            present: &[Some(0.02), Some(3.0)],
            lit: Some(1),
            cloud: None,
            run: 0,
        };
        assert_eq!(picture(ui, &input, theme), SweepResponse::default());
    })
}

fn has(texts: &[String], words: &str) -> bool {
    texts.iter().any(|text| text.contains(words))
}

const BOTH: &str = concat!(
    "{ parameter = \"step_size.initial\", from = 0.01, to = 0.04, count = 3, scale = \"log\" }, ",
    "{ parameter = \"step_size.cycles\", from = 2, to = 3, count = 2 }"
);

#[test]
fn a_map_names_its_axes_and_its_marks() {
    assert_eq!(BOTH, format!("{FIRST}{SECOND}"));
    let found = painted(map::show, BOTH, 1, |cell| if cell == 5 { f64::NAN } else { 0.01 * 4f64.powi(cell as i32) });
    for words in ["initial step size α₀", "cycles", "KL within modes", "(logarithmic)", "no value: chains have left"]
    {
        assert!(has(&found, words), "{words}: {found:?}");
    }
    let found = painted(map::show, BOTH, 1, |_| 0.5);
    assert!(!has(&found, "(logarithmic)") && !has(&found, "no value"), "{found:?}");
}

/// Three axes: a map for each value of the third, whose name and values are told.
#[test]
fn three_parameters_have_a_map_for_each_value_of_the_third() {
    const THREE: &str = concat!(
        "{ parameter = \"step_size.initial\", from = 0.01, to = 0.04, count = 3, scale = \"log\" }, ",
        "{ parameter = \"step_size.cycles\", from = 2, to = 3, count = 2 }, ",
        "{ parameter = \"target.spacing\", from = 1, to = 2, count = 2 }"
    );
    let found = painted(map::show, THREE, 1, |cell| if cell == 5 { f64::NAN } else { 0.1 * cell as f64 });
    for words in
        ["a map for each target: spacing", "target: spacing = 1", "target: spacing = 2", "for each target", "cycles"]
    {
        assert!(has(&found, words), "{words}: {found:?}");
    }
    let found = painted(map::show, THREE, 0, |_| 0.5);
    assert!(!has(&found, "no value"), "{found:?}");
}

#[test]
fn a_curve_shows_bias_and_squared_error_with_their_slopes() {
    // |error| = α²: slopes 2 and 4.
    let found = painted(curve::show, FIRST, 2, |cell| -[1e-4, 4e-4, 16e-4][cell]);
    for words in ["absolute bias", "mean squared error", "slope 2.00 ± 0.00", "slope 4.00 ± 0.00", "c₁/(α₀K) + c₂α₀²"]
    {
        assert!(has(&found, words), "{words}: {found:?}");
    }
    let found = painted(curve::show, FIRST, 1, |cell| if cell == 1 { f64::NAN } else { 0.5 });
    assert!(has(&found, "bars: standard error of 2 seeds") && !has(&found, "slope"), "{found:?}");
}

#[test]
fn the_front_says_what_cells_cost_or_why_there_is_none() {
    let found = painted(front::show, BOTH, 0, |cell| 0.1 * cell as f64);
    assert!(has(&found, "a cell; all cost 60 gradients") && has(&found, "missing modes"), "{found:?}");
    let found = painted(front::show, BOTH, 0, |_| f64::NAN);
    assert!(has(&found, "6 cells without a value are not shown"), "{found:?}");
}

#[test]
fn answers_are_sentences() {
    let show: Picture = |ui, input, theme| answers::show(ui, input, false, theme).0;
    // Within the bound are the first four cells, whose step sizes are 0.01 and 0.02.
    let found = painted(show, BOTH, 0, |cell| if cell < 4 { 0.1 } else { 9.0 });
    assert!(has(&found, "Largest initial step size α₀ with KL within modes ≤ 0.5"), "{found:?}");
    assert!(has(&found, "0.02 (95 %: 0.02 to 0.02), with cycles = "), "{found:?}");
    assert!(has(&found, "no cell is within the bound"), "{found:?}");
}

#[test]
fn nothing_breaks_with_one_cell_or_none() {
    let single = "{ parameter = \"step_size.initial\", from = 0.02, to = 0.02, count = 1, scale = \"log\" }";
    let pictures: [Picture; 3] = [map::show, curve::show, front::show];
    for picture in pictures {
        for value in [0.3, 0.0, f64::NAN] {
            let plan = plan(single);
            let all = cells(&plan, |_| value);
            for (some, measure) in [(&all[..], 1), (&all[..], 2), (&[][..], 0)] {
                let (plan, some) = (SweepPlan::new(plan.scenario()).unwrap(), some.to_vec());
                let found = texts(vec2(300.0, 200.0), move |ui, theme| {
                    let input = SweepInput {
                        plan: &plan,
                        cells: &some,
                        findings: None,
                        measure,
                        part: Part::Mean,
                        present: &[None],
                        lit: None,
                        cloud: None,
                        run: 0,
                    };
                    picture(ui, &input, theme);
                });
                assert!(!found.is_empty());
            }
        }
    }
}
