//! The numbers behind the plots of what draws predict: functions, maps of classes, reliability, and errors on test data.

use draw::views::class_maps::geometry::{ClassMap, PredictionSums, map_grid, middles};
use draw::views::functions::geometry::{FunctionMoments, exact_functions, places, values};
use engine::diagnostics::Series;
use engine::session::{FitFunctions, Frame, Outputs, RunFrame, collected_functions};
use models::targets::{Classification, Regression};

use super::curves::{number, table};
use super::results::Results;
use super::summary::Taken;

/// The columns of functions: those of the run, and what is known exactly or by a reference.
const FUNCTIONS: [&str; 7] = ["input", "mean", "sd", "exact_mean", "exact_sd", "reference_mean", "reference_sd"];

/// Draws in the plane whose functions are averaged, about.
const MOST: usize = 10_000;

/// Draws of a model in more dimensions whose functions are averaged, and those behind maps with their many points, about.
const MOST_FUNCTIONS: usize = 1 << 15;
const MOST_IN_MAPS: usize = 1024;

/// Writes what a run predicts; nothing for targets without functions.
///
/// # Errors
/// If a file cannot be written.
pub fn write(results: &mut Results, frame: &Frame, run: &RunFrame, taken: &Taken) -> anyhow::Result<()> {
    let name = |folder: &str| format!("data/{folder}/{}.csv", run.plan.name);
    if let Some(regression) = frame.target.regression() {
        let inputs = places(regression);
        let moments = moments((frame, run), &taken.series, regression, &inputs);
        let exact = exact_functions(&frame.target);
        table(results, &name("functions"), &FUNCTIONS, |line| {
            for (index, (input, mean)) in inputs.iter().zip(moments.mean()).enumerate() {
                let exact_mean = exact.as_ref().and_then(|exact| exact.mean().get(index)).copied();
                let exact_sd = exact.as_ref().map(|exact| exact.sd(index));
                let reference = frame.reference.as_ref().and_then(|reference| reference.fine.get(index));
                let [reference_mean, reference_sd] = [reference.map(|at| at.mean), reference.map(|at| at.sd)];
                let sd = Some(moments.sd(index));
                let cells = [Some(*input), Some(*mean), sd, exact_mean, exact_sd, reference_mean, reference_sd];
                line(&cells.map(number))?;
            }
            Ok(())
        })?;
    }
    let map = frame.target.classification().and_then(|model| Some((model, map(frame, run, model)?)));
    if let Some((model, map)) = map {
        let classes = map.sums.classes();
        let of_class: Vec<String> =
            (0..classes).map(|class| format!("probability_{}", model.class_name(class))).collect();
        let head = ["x", "y"].into_iter().chain(of_class.iter().map(String::as_str));
        let header: Vec<&str> = head.chain(["entropy", "mutual_information"]).collect();
        table(results, &name("maps"), &header, |line| {
            for (cell, [x, y]) in middles(&map.grid).into_iter().enumerate() {
                let probabilities = (0..classes).map(|class| map.sums.probability(cell, class));
                let cells = [x, y].into_iter().chain(probabilities).chain([map.entropy[cell], map.information[cell]]);
                line(&cells.map(|value| number(Some(value))).collect::<Vec<_>>())?;
            }
            Ok(())
        })?;
    }
    let predicted = &run.analysis.predicted;
    if let Some(calibration) = &predicted.calibration {
        table(results, &name("reliability"), &["said", "found", "predictions"], |line| {
            for point in &calibration.points {
                line(&[number(Some(point.said)), number(Some(point.found)), point.count.to_string()])?;
            }
            Ok(())
        })?;
    }
    if !predicted.errors.is_empty() {
        table(results, &name("test-errors"), &["chains", "pools", "measure", "mean", "sd"], |line| {
            for pooled in &predicted.errors {
                for error in &pooled.errors {
                    let (chains, pools) = (pooled.chains.to_string(), pooled.pools.to_string());
                    line(&[chains, pools, error.key.to_owned(), number(Some(error.mean)), number(error.sd)])?;
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Mean and variance of the functions of the collected draws at the inputs.
fn moments(
    (frame, run): (&Frame, &RunFrame),
    series: &Series,
    regression: &dyn Regression,
    inputs: &[f64],
) -> FunctionMoments {
    let mut moments = FunctionMoments::default();
    let finite = |weights: &[f64]| weights.iter().all(|weight| weight.is_finite());
    if let Some(fits) = &run.fits {
        let functions = FitFunctions::new(fits, regression, inputs);
        if let Some(linearised) = &functions.linearised {
            // Their mean and variance are known without draws.
            for at in linearised.components.iter().filter(|at| at.weight > 0.0) {
                moments.add_spread(&at.values, &at.variances, at.weight);
            }
            return moments;
        }
        for (draw, point) in fits.draws.iter().enumerate() {
            let weights = fits.vectors.get(draw).map_or(point.as_slice(), Vec::as_slice);
            if finite(weights) {
                moments.add(&functions.of_draw(draw, weights), 1.0);
            }
        }
    } else if frame.target.in_vectors().is_some() {
        let Outputs { f, weights } =
            collected_functions(run, frame.target.dimension(), MOST_FUNCTIONS).at(frame.target.as_ref(), inputs);
        for (draw, weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            let values: Vec<f64> = f.iter().skip(draw).step_by(weights.len()).copied().collect();
            moments.add(&values, *weight);
        }
    } else {
        let (xs, ys) = (series.coordinate(0), series.coordinate(1));
        let apart = (series.rows() * series.chains()).div_ceil(MOST).max(1);
        for (row, weight) in series.weights().iter().enumerate().step_by(apart) {
            for (x, y) in xs.iter().zip(&ys) {
                if finite(&[x[row], y[row]]) {
                    moments.add(&values(regression, &[x[row], y[row]], inputs), *weight);
                }
            }
        }
    }
    moments
}

/// The map of the collected draws, if there are any.
fn map(frame: &Frame, run: &RunFrame, model: &dyn Classification) -> Option<ClassMap> {
    let draws = collected_functions(run, frame.target.dimension(), MOST_IN_MAPS);
    if draws.is_empty() {
        return None;
    }
    let grid = map_grid(model);
    let points = middles(&grid);
    let mut sums = PredictionSums::new(model.classes(), points.len());
    sums.add_functions(&points, &draws, frame.target.as_ref());
    Some(ClassMap::of(grid, sums))
}
