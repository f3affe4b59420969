//! The numbers in the captions of the lessons on the rates of cyclical SGLD, from the exact recursions of a Gaussian.
//!
//! On a standard Gaussian a step of Langevin dynamics is x ← (1 − α) x + √(2α) ξ, so that the mean of a chain follows m ← (1 − α) m and
//! its variance s ← (1 − α)² s + 2α.

use rayon::prelude::{IntoParallelIterator, ParallelIterator};
use sampler_lab::scenario::Lesson;
use sampler_lab::session::sweep::{Cell, Rate, Spread, SweepPlan, bias_and_mse, fit_slopes};

/// The sweep of a lesson, with its cells.
fn swept(name: &str) -> (SweepPlan, Vec<Cell>) {
    let plan = SweepPlan::new(&Lesson::find(name).unwrap().scenario().unwrap()).unwrap();
    let cell = |number: usize| plan.cell(number, || true).unwrap().unwrap();
    let cells = (0..plan.cells()).into_par_iter().map(cell).collect();
    (plan, cells)
}

/// Mean and variance along x of a chain that starts at x = 5, after each step of a cell.
fn moments(plan: &SweepPlan, cell: usize) -> Vec<(f64, f64)> {
    let experiment = plan.scenario_of(cell, 0).unwrap().build().unwrap();
    let run = &experiment.runs[0];
    let (mut mean, mut variance) = (5.0, 0.0);
    let step = |k| {
        let alpha = run.step_size(k);
        mean *= 1.0 - alpha;
        variance = (1.0 - alpha) * (1.0 - alpha) * variance + 2.0 * alpha;
        (mean, variance)
    };
    (1..=run.steps).map(step).collect()
}

fn spread(cell: &Cell, measure: usize) -> Spread {
    Spread::of(&cell.measures[measure]).unwrap()
}

/// The slope of values on logarithmic axes over some of the cells.
fn slope(plan: &SweepPlan, cells: &[Cell], value: impl Fn(&Cell) -> f64) -> f64 {
    let points: Vec<_> = cells.iter().map(|cell| (plan.values_of(cell.number), value(cell))).collect();
    fit_slopes(&points).unwrap().slopes[0].0
}

/// The bias of each cell is that of the recursion within five standard errors of 16 seeds.
#[test]
fn the_bias_falls_and_rises_as_the_lesson_says() {
    let (plan, cells) = swept("rates");
    let exact = |number: usize| {
        let all = moments(&plan, number);
        all.iter().map(|(mean, variance)| variance + mean * mean - 1.0).sum::<f64>() / all.len() as f64
    };
    let errors: Vec<f64> = (0..cells.len()).map(exact).collect();
    for (cell, exact) in cells.iter().zip(&errors) {
        let found = spread(cell, 0);
        let error = found.standard_error().unwrap();
        assert!((found.mean - exact).abs() < 5.0 * error, "{}: {found:?}, exact {exact}", cell.number);
    }
    assert!((errors[0] - 0.17).abs() < 0.005 && (errors[8] - 0.20).abs() < 0.005, "{errors:?}");
    let lowest = (0..9).min_by(|one, other| errors[*one].total_cmp(&errors[*other])).unwrap();
    assert!((plan.values_of(lowest)[0] - 0.1).abs() < 0.02);
    // On either side of the smallest the squared error has about twice the slope of the bias.
    let bias = |cell: &Cell| bias_and_mse(&cell.measures[0]).unwrap().0;
    let squared = |cell: &Cell| bias_and_mse(&cell.measures[0]).unwrap().1;
    for (side, exact) in [(&cells[..4], -0.84), (&cells[5..], 0.93)] {
        let found = [slope(&plan, side, bias), slope(&plan, side, squared)];
        assert!((found[0] - exact).abs() < 0.15 && (found[1] / found[0] - 2.0).abs() < 0.3, "{found:?}");
    }
    // The rate of the theorem with fitted constants is within a fifth of every cell.
    let steps = plan.scenario().runs[0].settings.count("steps") as f64;
    let places: Vec<_> = cells.iter().map(|cell| (plan.values_of(cell.number)[0], steps)).collect();
    let values: Vec<_> = places.iter().copied().zip(cells.iter().map(bias)).collect();
    let rate = Rate::fit(&values, 1).unwrap();
    assert!(values.iter().all(|(at, bias)| (rate.at(*at) / bias - 1.0).abs() < 0.2), "{rate:?}, {values:?}");
}

/// Sliced W₂ of a Gaussian with mean (m, 0) and standard deviation s along both axes is √(m²/2 + (s − 1)²). Draws add a floor of their own.
#[test]
fn w2_falls_to_its_floor_and_rises_as_the_lesson_says() {
    const FLOOR: f64 = 0.029;
    let (plan, cells) = swept("wasserstein");
    let mut exact = Vec::new();
    for cell in &cells {
        let (mean, variance) = *moments(&plan, cell.number).last().unwrap();
        exact.push((0.5 * mean * mean + (variance.sqrt() - 1.0).powi(2)).sqrt());
        let (found, expected) = (spread(cell, 0), exact[cell.number]);
        let error = found.standard_error().unwrap();
        let upper = (expected * expected + 1.5 * FLOOR * FLOOR).sqrt();
        assert!(
            expected - 5.0 * error < found.mean && found.mean < upper + 5.0 * error,
            "{}: {found:?}, exact {expected}",
            cell.number
        );
    }
    assert!((exact[7] - 0.05).abs() < 0.005 && (exact[10] - 0.18).abs() < 0.005, "{exact:?}");
    let least = cells.iter().map(|cell| spread(cell, 0).mean).fold(f64::INFINITY, f64::min);
    assert!((least - FLOOR).abs() < 0.006, "{least}");
    // The mean falls like exp(−0.6 Kα₀): the step sizes of a cycle have the mean 0.625 α₀.
    let (mean, _) = *moments(&plan, 2).last().unwrap();
    let alpha = plan.values_of(2)[0];
    assert!((mean / (5.0 * (-0.625 * 200.0 * alpha).exp()) - 1.0).abs() < 0.05, "{mean} at {alpha}");
}
