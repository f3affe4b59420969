//! Tests of sweeps: cells against sessions of their scenarios, and against a closed form.

use std::path::Path;

use super::*;
use crate::scenario::read;
use crate::session::{Analysis, Session};

const SCENARIO: &str = r#"
format = 1
seed = 5
[target]
kind = "gaussian-grid"
[[run]]
name = "SGLD"
method = "sgld"
chains = 3
steps = 300
[[run]]
name = "cSGLD"
method = "csgld"
chains = 2
steps = 1500
[sweep]
run = "cSGLD"
seeds = 3
measures = ["kl", "modes_visited", "error_xx"]
axes = [
    { parameter = "step_size.initial", from = 0.01, to = 0.04, count = 2, scale = "log" },
    { parameter = "step_size.cycles", from = 3, to = 5, count = 3 },
]
"#;

fn plan(text: &str) -> Result<SweepPlan, Vec<ParamError>> {
    SweepPlan::new(&read(text, "s", Path::new("")).unwrap())
}

#[test]
fn a_cell_has_the_bits_of_sessions_of_its_scenarios() {
    let plan = plan(SCENARIO).unwrap();
    assert_eq!((plan.cells(), plan.modes_of(5)), (6, Some(25)));
    for number in [5, 0, 4] {
        let cell = plan.cell(number, || true).unwrap().unwrap();
        assert_eq!(cell.number, number);
        for seed in 0..3 {
            let mut session = Session::new(plan.scenario_of(number, seed as u64).unwrap()).unwrap();
            session.advance(u64::MAX);
            session.refresh_measures();
            let frame = session.frame();
            let run = &frame.runs[1];
            assert_eq!(run.plan.step_size(1).to_bits(), plan.values_of(number)[0].to_bits());
            let value = |key| run.measures.iter().find(|measure| measure.key == key).unwrap().value;
            assert_eq!((cell.measures[0][seed], cell.measures[1][seed]), (value("kl"), value("modes_visited")));
            assert_eq!(cell.evaluations[seed].to_bits(), run.evaluations().to_bits());
            assert_eq!(cell.diverged[seed], run.diverged.len() as u64);
            let moments = run.moments.unwrap();
            let expected = moments.covariance[(0, 0)] + moments.mean.x * moments.mean.x - 8.03;
            approx::assert_relative_eq!(cell.measures[2][seed].unwrap(), expected, epsilon = 1e-6);
        }
    }
    assert_eq!(plan.cell(1, || false).unwrap(), None);
}

/// The table has the digits of the cells.
#[test]
fn a_table_has_a_line_for_each_seed() {
    let plan = plan(SCENARIO).unwrap();
    let mut cells: Vec<Cell> = [1, 4].map(|number| plan.cell(number, || true).unwrap().unwrap()).into();
    cells[1].measures[0][2] = None;
    let table = cells_as_csv(&plan, &cells);
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let header: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let expected =
        "cell step_size.initial step_size.cycles seed evaluations chains_left kl modes_visited error_xx".to_owned();
    assert_eq!(header.join(" "), expected);
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 6);
    assert_eq!((&rows[3][0], &rows[3][1], &rows[3][2], &rows[5][3]), ("4", "0.04", "4", "7"));
    assert_eq!(rows[2][8].parse::<f64>().unwrap().to_bits(), cells[0].measures[2][2].unwrap().to_bits());
    assert_eq!((&rows[5][6], &rows[5][5]), ("", "0"));
}

/// Every measure of a session at its end, by its key.
fn all_measures(session: &mut Session, run: usize) -> Vec<crate::diagnostics::Measure> {
    session.advance(u64::MAX);
    session.measure();
    session.analyse();
    let frame = session.frame();
    let run = &frame.runs[run];
    let Analysis { measures, fit, predicted, .. } = run.analysis.as_ref().clone();
    let dynamics = crate::diagnostics::measure_dynamics(&run.dynamics(&frame.truth));
    [run.measures.to_vec(), measures, fit.measures, predicted.measures, dynamics].concat()
}

/// Whatever is measured of a cell is what a session of its scenario measures at its end.
fn check_cells(text: &str, run: usize) {
    let plan = plan(text).unwrap();
    for number in [0, plan.cells() - 1] {
        let cell = plan.cell(number, || true).unwrap().unwrap();
        for seed in 0..plan.sweep().seeds {
            let mut session = Session::new(plan.scenario_of(number, seed).unwrap()).unwrap();
            let expected = all_measures(&mut session, run);
            let evaluations = session.frame().runs[run].evaluations();
            for (key, values) in plan.sweep().measures.iter().zip(&cell.measures) {
                let value = |key: &str| expected.iter().find(|measure| measure.key == key).and_then(|one| one.value);
                let expected = match *key {
                    "ess_per_gradient" => value("ess_bulk").map(|size| size / evaluations),
                    "ess_functions_per_gradient" => value("ess_functions").map(|size| size / evaluations),
                    key => value(key),
                };
                assert!(expected.is_some(), "{key} has no value");
                assert_eq!(values[seed as usize].map(f64::to_bits), expected.map(f64::to_bits), "{key}");
            }
        }
    }
}

#[test]
fn measures_of_chains_and_steps_are_those_of_sessions() {
    let measures =
        "measures = [\"rhat\", \"ess_tail\", \"ess_per_gradient\", \"mode_switches\", \"kl\", \"drift\", \"ksd\"]";
    let text = SCENARIO.replace("measures = [\"kl\", \"modes_visited\", \"error_xx\"]", measures);
    check_cells(&text.replace("seeds = 3", "seeds = 2"), 1);
}

/// The truth of a cell is that of its own target, and targets are computed once.
#[test]
fn a_target_along_an_axis_has_its_own_truth() {
    let axis = "{ parameter = \"target.spacing\", from = 1, to = 3, count = 3 }";
    let text = SCENARIO.replace("{ parameter = \"step_size.cycles\", from = 3, to = 5, count = 3 }", axis);
    let text = text.replace("\"error_xx\"", "\"mean_error\"").replace("seeds = 3", "seeds = 1");
    check_cells(&text, 1);
    let plan = plan(&text).unwrap();
    assert_eq!(plan.timelines.len(), 3);
    assert_eq!((0..6).map(|cell| plan.target_of(cell)).collect::<Vec<_>>(), [0, 1, 2, 0, 1, 2]);
    let spacing = |cell| plan.scenario_of(cell, 0).unwrap().target.number("spacing");
    assert_eq!([3, 4, 5].map(|cell| spacing(cell).to_bits()), [1.0, 2.0, 3.0_f64].map(f64::to_bits));
    assert_eq!(plan.sweep().values(plan.scenario()).unwrap()[1], [1.0, 2.0, 3.0]);
}

/// A network is swept over its temperature and its width: predictions, functions, and a target of another dimension.
#[test]
fn networks_have_measures_of_predictions() {
    let text = "format = 1\nseed = 2\n[target]\nkind = \"network\"\nhidden = 3\ndata = { kind = \"moons\" }\n\
        [[run]]\nname = \"A\"\nmethod = \"hmc\"\nchains = 4\nsteps = 40\ncollect = { burn_in = 8 }\n\
        [sweep]\nseeds = 2\nmeasures = [\"nll_in\", \"error_in\", \"rhat_functions\", \"ess_functions_per_gradient\", \"acceptance\"]\n\
        axes = [{ parameter = \"target.temperature\", from = 0.1, to = 1, count = 2, scale = \"log\" },\
        { parameter = \"target.hidden\", from = 2, to = 4, count = 2 }]\n";
    check_cells(text, 0);
    // Without measures of chains no path is kept.
    check_cells(&text.replace(", \"ess_functions_per_gradient\", \"acceptance\"", ", \"drift\""), 0);
    let missing = plan(&text.replace("\"nll_in\"", "\"rmse_in\", \"elbo\"")).unwrap_err();
    let words: Vec<String> = missing.iter().map(ToString::to_string).collect();
    assert!(
        words[0].starts_with("sweep.measures[0]: there is no \"rmse_in\" here: the target predicts classes"),
        "{words:?}"
    );
    assert!(words[0].contains("nll_in") && words[1].contains("fits no distribution"), "{words:?}");
}

/// A fit has a bound, and topics have measures of their own.
#[test]
fn fits_and_topics_have_their_measures() {
    let text = "format = 1\nseed = 5\n[target]\nkind = \"three-modes\"\n[[run]]\nname = \"VI\"\nmethod = \"gaussian-vi\"\nsteps = 60\n\
        [sweep]\nseeds = 1\nmeasures = [\"elbo\", \"kl_qp\", \"kl\"]\naxes = [{ parameter = \"steps\", from = 40, to = 60, count = 2 }]\n";
    check_cells(text, 0);
    let text = "format = 1\nseed = 5\n[target]\nkind = \"topics\"\ncorpus = { kind = \"bars\", side = 4, documents = 60, held_out = 8 }\n\
        [[run]]\nname = \"VI\"\nmethod = \"svi\"\nsteps = 30\n\
        [sweep]\nseeds = 1\nmeasures = [\"held_out_per_word\", \"perplexity\", \"elbo_per_word\", \"bars\", \"log_joint\"]\n\
        axes = [{ parameter = \"steps\", from = 20, to = 30, count = 2 }]\n";
    let plan = plan(text).unwrap();
    let cell = plan.cell(1, || true).unwrap().unwrap();
    let mut session = Session::new(plan.scenario_of(1, 0).unwrap()).unwrap();
    session.advance(u64::MAX);
    session.analyse();
    let frame = session.frame();
    let last = frame.runs[0].analysis.topics.last().unwrap();
    assert_eq!(cell.measures[0][0], last.chains[0].held_out);
    assert!((cell.measures[1][0].unwrap() - (-last.chains[0].held_out.unwrap()).exp()).abs() < 1e-9);
    assert_eq!(cell.measures[2][0], last.chains[0].elbo);
    assert_eq!(cell.measures[3][0], last.chains[0].bars.map(|bars| bars as f64));
    assert_eq!((cell.measures[4][0], cell.reasons[4].as_str()), (None, "only of collapsed Gibbs sampling"));
}

#[test]
fn cells_are_numbered_by_rows() {
    let plan = plan(SCENARIO).unwrap();
    let values: Vec<Vec<f64>> = (0..6).map(|cell| plan.values_of(cell)).collect();
    let expected = [[0.01, 3.0], [0.01, 4.0], [0.01, 5.0], [0.04, 3.0], [0.04, 4.0], [0.04, 5.0]];
    assert_eq!(values, expected.map(Vec::from));
    let scenario = plan.scenario_of(4, 2).unwrap();
    assert_eq!((scenario.seed, &scenario.sweep), (7, &None));
}

#[test]
fn chains_that_diverge_are_counted_and_not_errors() {
    let far = SCENARIO.replace("to = 0.04", "to = 9.0").replace("\"kl\"", "\"error_yy\"");
    let cell = plan(&far).unwrap().cell(3, || true).unwrap().unwrap();
    assert_eq!(cell.diverged, [2, 2, 2]);
    assert_eq!(cell.evaluations.len(), 3);
}

#[test]
fn parameters_that_do_not_go_together_are_told_before_anything_is_computed() {
    let many = SCENARIO.replace("from = 3, to = 5, count = 3", "from = 1000, to = 2000, count = 2");
    let errors = plan(&many).unwrap_err();
    assert!(errors[0].to_string().contains("step_size.cycles = 2000"), "{errors:?}");
    assert_eq!(errors[0].path, "sweep.axes");
    let none = plan(SCENARIO.split("[sweep]").next().unwrap()).unwrap_err();
    assert_eq!(none[0].path, "sweep");
}

/// An approximation has measures of its fit; and no estimate has a value without draws.
#[test]
fn approximations_can_be_swept() {
    let text = SCENARIO.split("[[run]]").next().unwrap().to_owned()
        + "[[run]]\nname = \"VI\"\nmethod = \"gaussian-vi\"\nsteps = 20\n[sweep]\nmeasures = [\"kl\", \"error_x\"]\nseeds = 1\n\
           axes = [{ parameter = \"steps\", from = 10, to = 20, count = 2 }]\n";
    let plan = plan(&text).unwrap();
    let cell = plan.cell(1, || true).unwrap().unwrap();
    let mut session = Session::new(plan.scenario_of(1, 0).unwrap()).unwrap();
    session.advance(u64::MAX);
    session.refresh_measures();
    let value = session.frame().runs[0].measures.iter().find(|measure| measure.key == "kl").unwrap().value;
    assert_eq!(cell.measures, [vec![value], vec![None]]);
}

/// On a standard Gaussian E x² of a chain follows s ← (1 − α)² s + 2α. The bias over 200 seeds is that of the recursion within five
/// standard errors, at every length of the run.
#[test]
fn the_bias_of_cyclical_sgld_is_that_of_the_recursion() {
    let plan = plan(include_str!("../../../../../assets/experiments/rates-length.toml")).unwrap();
    for number in 0..plan.cells() {
        let steps = plan.scenario_of(number, 0).unwrap().build().unwrap();
        let (mut square, mut sum) = (25.0, 0.0);
        for step in 1..=steps.runs[0].steps {
            let alpha = steps.runs[0].step_size(step);
            square = (1.0 - alpha) * (1.0 - alpha) * square + 2.0 * alpha;
            sum += square - 1.0;
        }
        let exact = sum / steps.runs[0].steps as f64;
        let cell = plan.cell(number, || true).unwrap().unwrap();
        let found = Spread::of(&cell.measures[0]).unwrap();
        assert!(
            (found.mean - exact).abs() < 5.0 * found.standard_error().unwrap(),
            "{number}: {found:?}, exact {exact}"
        );
    }
}
