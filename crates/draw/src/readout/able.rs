//! Which runs can be the best by a measure.

use crate::kit::convergence_note::disagreement;
use engine::session::{RunFrame, Warning};
use samplers::methods::StepRecord;

/// Steps that are this much shorter than the distance from the origin change nothing.
const STANDSTILL: f64 = 1e-12;

/// Measures against the truth that fall with 1/√n for n independent draws.
const ERRORS: [&str; 5] = ["mean_error", "covariance_error", "w1_x", "w1_y", "tv"];

/// How far above the band of independent draws an error must be, for effective sample sizes are estimates. A mean of normal
/// draws is there in 3 of 1000 cases: 1.5 times its 95 % quantile is three standard errors.
const BEYOND: f64 = 1.5;

/// Draws that a run is worth, at least, for its errors to be compared with those of as many independent draws: the errors of a few do not fall
/// with 1/√n, and a chain that has not come round is slow, not biased.
const FEWEST: f64 = 20.0;

/// Whether nothing warns against a run, and some chain moves.
pub(super) fn is_able(run: &RunFrame) -> bool {
    let moves = |record: &StepRecord| (record.to - record.from).norm() > STANDSTILL * (1.0 + record.to.norm());
    let standing = match run.acceptance.proposals {
        0 => !run.records.is_empty() && !run.records.iter().any(moves),
        _ => run.acceptance.accepted == 0,
    };
    !run.warnings.iter().any(Warning::is_about_run) && (run.fits.is_some() || !standing)
}

/// Whether half of the chains of a run or more have left the target for good, or half of its fits: its measures are numbers of nothing.
pub(super) fn has_diverged(run: &RunFrame) -> bool {
    let most = |gone: usize| 2 * gone >= run.plan.chains.max(1);
    run.warnings.iter().any(|warning| match warning {
        Warning::Diverged { chains, .. } => most(*chains),
        Warning::FitDiverged { fits } => most(*fits),
        _ => false,
    })
}

/// The independent draws that the draws of a run are worth, the smaller one of its effective sample sizes; `None` before they are known.
/// Members of an ensemble are independent.
fn worth(run: &RunFrame) -> Option<f64> {
    let draws = run.collected as f64;
    if run.is_ensemble() {
        return Some(draws);
    }
    let of_chains = |key: &str| run.analysis.measures.iter().find(|measure| measure.key == key)?.value;
    let sizes = ["ess_bulk", "ess_tail"].into_iter().filter_map(of_chains);
    sizes.reduce(f64::min).map(|size| size.min(draws))
}

/// How many times the noise of as many independent draws that of the draws of a run is: without end before it is known what they are worth,
/// and where they are worth too few for their errors to fall with 1/√n.
pub(super) fn noise(run: &RunFrame) -> f64 {
    let enough = worth(run).filter(|worth| *worth >= FEWEST.min(run.collected as f64));
    enough.map_or(f64::INFINITY, |worth| (run.collected as f64 / worth).sqrt())
}

/// Whether the draws of a run are farther from the truth than as many independent draws as they claim to be worth, the smaller
/// one of their effective sample sizes. Then measures of its chains, such as these sizes, speak of another distribution.
fn is_biased(run: &RunFrame) -> bool {
    let draws = run.collected as f64;
    let worth = worth(run).unwrap_or(draws);
    let errors = run.measures.iter().filter(|measure| ERRORS.contains(&measure.key));
    worth >= FEWEST
        && errors.filter_map(|error| error.value.zip(error.floor)).any(|(value, floor)| {
            let scale = (draws / worth).sqrt();
            value > BEYOND * floor.high * scale
        })
}

/// Where a reason points to, on a screen and in a figure.
const ABOVE: &str = " (see the warning above the canvas)";

/// A reason for doubt in a text, which has no canvas.
#[must_use]
pub fn in_text(doubt: &str) -> String {
    doubt.replace(ABOVE, "")
}

/// Why an effective sample size of a run says less than it seems to, where it is not able or biased: it counts draws of whatever distribution the chains have.
pub(super) fn doubt(run: &RunFrame) -> Option<&'static str> {
    let strays = |warning: &Warning| matches!(warning, Warning::Diverged { .. } | Warning::FarAway { .. });
    if run.warnings.iter().any(|warning| matches!(warning, Warning::Divergent { .. })) {
        Some(
            "Transitions were divergent (see the warning above the canvas): chains may miss the part of the target where that happens, and their draws are worth less.",
        )
    } else if run.warnings.iter().any(strays) {
        Some(
            "These draws are not from the target (see the warning above the canvas): how many they are worth says nothing.",
        )
    } else if !is_able(run) {
        Some("There is a warning about this run: how many draws it is worth says nothing.")
    } else if disagreement(run).is_some() {
        Some("Its chains do not agree (see the warning above the canvas): how many draws they are worth says nothing.")
    } else if is_biased(run) {
        Some(
            "These draws are from another distribution than the target: their errors are larger than this many draws explain.",
        )
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::readout::Table;
    use crate::testing::{Fake, Recipe, frame};
    use engine::diagnostics::{CHAIN_MEASURES, Measure, MeasureSpec, NoiseFloor, TRUTH_MEASURES};
    use engine::session::{Analysis, Frame};

    const RECIPE: Recipe = Recipe { name: "SGLD", chains: 2, steps: 60, total: 100, alpha: 0.004, cycle: 0 };

    #[test]
    fn a_run_with_a_warning_is_never_best() {
        let mut made = frame(Fake::grid(), &[RECIPE; 3]);
        let able = |frame: &Frame| frame.runs.iter().map(is_able).collect::<Vec<_>>();
        assert_eq!(able(&made), [true; 3]);
        made.runs[0].warnings = vec![Warning::FarAway { share: 0.4, exact: 0.0, stable_below: None }];
        made.runs[2].warnings = vec![Warning::Diverged { chains: 1, first: 3, stable_below: None }];
        assert_eq!(able(&made), [false, true, false]);
    }

    /// Two runs of 10 000 draws: the effective sample size of one whose errors are larger than those of so many draws is doubted.
    #[test]
    fn the_effective_sample_size_of_a_biased_run_is_doubted_and_none_is_the_best() {
        let floor = NoiseFloor { mean: 0.01, low: 0.005, high: 0.018 };
        let doubted = |ess: [f64; 2], errors: [f64; 2]| {
            let mut made = frame(Fake::grid(), &[RECIPE; 2]);
            for (number, run) in made.runs.iter_mut().enumerate() {
                run.collected = 10_000;
                let truth = |spec: &MeasureSpec| {
                    let value = if spec.key == "covariance_error" { errors[number] } else { 0.01 };
                    Measure { key: spec.key, value: Some(value), floor: Some(floor), reason: "" }
                };
                run.measures = Arc::new(TRUTH_MEASURES.iter().map(truth).collect());
                let chain =
                    |spec: &MeasureSpec| Measure { key: spec.key, value: Some(ess[number]), floor: None, reason: "" };
                let measures = CHAIN_MEASURES.iter().map(chain).collect();
                run.analysis = Arc::new(Analysis { measures, ..Analysis::default() });
            }
            let table = Table::of(&made);
            let row = table.row("ess_bulk").unwrap();
            assert_eq!(row.best, None, "the most draws may be those of another distribution");
            assert!(
                table.clone().without_truth().row("ess_bulk").unwrap().doubt(0).is_none(),
                "a hidden truth says nothing"
            );
            [0, 1].map(|run| row.doubt(run).is_some())
        };
        assert_eq!(doubted([9000.0, 1800.0], [0.015, 0.03]), [false, false]);
        assert_eq!(doubted([9000.0, 1800.0], [0.3, 0.03]), [true, false]);
        // An error of 0.06 is within what 400 draws have, and not what 9000 have.
        assert_eq!(doubted([400.0, 100.0], [0.06, 0.03]), [false, false]);
        assert_eq!(doubted([9000.0, 100.0], [0.06, 0.03]), [true, false]);
        // A chain that has not come round is slow.
        assert_eq!(doubted([2.0, 100.0], [0.3, 0.03]), [false, false]);
    }

    /// Only measures that count draws are doubted, and only of the run that strays.
    #[test]
    fn the_effective_sample_size_of_a_run_with_a_warning_is_doubted() {
        let mut made = frame(Fake::grid(), &[RECIPE; 2]);
        made.runs[0].warnings = vec![Warning::FarAway { share: 0.4, exact: 0.0, stable_below: None }];
        let table = Table::of(&made);
        for key in ["ess_bulk", "ess_tail"] {
            let row = table.row(key).unwrap();
            assert!(row.doubt(0).unwrap().contains("not from the target") && row.doubt(1).is_none(), "{key}");
            assert!(in_text(row.doubt(0).unwrap()).contains("not from the target: how many"), "there is no canvas");
        }
        assert!(table.rows().filter(|row| !row.spec.key.starts_with("ess")).all(|row| row.doubt(0).is_none()));
    }
}
