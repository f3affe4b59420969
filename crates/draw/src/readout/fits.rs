//! Rows of the readout about fits: measures, the newest ELBO, and moments of q.

use super::rows::{Cell, Row, WORKING, cell, row};
use crate::words::fit_remarks::recent_elbo;
use base::math::Gaussian;
use engine::diagnostics::{Better, FIT_MEASURES, MeasureSpec};
use engine::session::{FitFrame, Frame, RunFrame};

/// The reason why a sampler has no measures of fits.
const A_SAMPLER: &str = "draws, no fit";

/// The reason for a value that is not there yet.
const NONE_YET: &str = "not available yet";

const fn spec(key: &'static str, label: &'static str, help: &'static str, headline: bool) -> MeasureSpec {
    MeasureSpec { key, label, help, better: Better::Neither, headline, of_truth: false }
}

/// The newest ELBO of methods whose steps estimate it.
const ELBO_NOW: MeasureSpec = spec(
    "elbo_now",
    "ELBO, newest",
    "The evidence lower bound of the newest step, in nats; with Monte Carlo an estimate ± its standard error, which may be \
     above log Z. A step with a single draw has no standard error: then it is the average of the last 50 steps. For CAVI on a \
     mixture it includes the latent assignments, and its gap to log Z is larger than KL(q‖p).",
    false,
);

/// Mean, standard deviation and correlation of q.
const MOMENTS: [MeasureSpec; 5] = [
    spec("fit_mean_x", "Mean of q, x", "The mean of the first coordinate of the fit.", false),
    spec("fit_mean_y", "Mean of q, y", "The mean of the second coordinate of the fit.", false),
    spec("fit_sd_x", "Sd of q, x", "The standard deviation of the first coordinate of the fit.", false),
    spec("fit_sd_y", "Sd of q, y", "The standard deviation of the second coordinate of the fit.", false),
    spec("fit_correlation", "Correlation of q", "The correlation of both coordinates of the fit.", false),
];

/// The rows; none if all runs are samplers. First the measures that are computed beside the runs, then the values of the runs
/// themselves.
pub fn rows(frame: &Frame) -> Vec<Row> {
    if frame.runs.iter().all(|run| run.fits.is_none()) {
        return Vec::new();
    }
    let of = |spec: &MeasureSpec, value: &dyn Fn(&FitFrame) -> Option<f64>| {
        let cell = |run: &RunFrame| {
            let value = run.fits.as_ref().and_then(value).filter(|value| value.is_finite());
            let reason = if run.fits.is_some() { NONE_YET } else { A_SAMPLER };
            Cell::plain(value, reason)
        };
        row(spec, frame.runs.iter().map(cell).collect())
    };
    let measured = FIT_MEASURES.iter().enumerate().map(|(number, spec)| {
        let cells = frame.runs.iter().map(|run| measured(run, number)).collect();
        row(spec, cells)
    });
    let mut rows: Vec<Row> = measured.collect();
    let mut newest = of(&ELBO_NOW, &|fits| Some(recent_elbo(fits)?.0.value));
    for (cell, run) in newest.cells.iter_mut().zip(&frame.runs) {
        let error = run.fits.as_ref().and_then(recent_elbo).map(|(elbo, _)| elbo.standard_error);
        cell.error = error.filter(|error| *error > 0.0 && cell.value.is_some());
    }
    rows.push(newest);
    let plane = frame.target.info().dimension > 1;
    let moments = MOMENTS.iter().enumerate().filter(|(number, _)| plane || number % 2 == 0 && *number < 4);
    rows.extend(moments.map(|(number, spec)| of(spec, &|fits| moment(fits.moments.as_ref()?, number))));
    rows
}

/// A measure of a run's fit that is computed beside the run.
fn measured(run: &RunFrame, number: usize) -> Cell {
    let earlier = (run.analysis.step != run.step).then_some(run.analysis.step);
    let missing = if run.fits.is_some() { WORKING } else { A_SAMPLER };
    cell(run.analysis.fit.measures.get(number).filter(|_| run.fits.is_some()), missing, earlier)
}

/// The moment of a fit in row `number` of [`MOMENTS`].
fn moment(Gaussian { mean, covariance }: &Gaussian, number: usize) -> Option<f64> {
    match number {
        0 | 1 => Some(mean[number]),
        2 => Some(covariance.m11.sqrt()),
        3 => Some(covariance.m22.sqrt()),
        _ => Some(covariance.m12 / (covariance.m11 * covariance.m22).sqrt()),
    }
}
