//! Measures of a distribution whose probabilities are known: the sums that endlessly many draws from it would have.
//!
//! The definitions are those of draws. Measures that count draws along a path have no value, since they are no functions of the distribution.

use base::math::{Axis, Gaussian};

use super::against_truth::outcomes;
use super::draw_statistics::{InView, NEGLIGIBLE};
use super::{DrawStatistics, Measure, TRUTH_MEASURES, Truth};

/// Reason of measures that count draws.
const COUNTS: &str = "it counts draws along a path, and is no function of the distribution";

/// Reason of measures that are made of single draws.
const OF_DRAWS: &str = "it is not computed of distributions on a grid";

/// Reasons where basins or ellipses around modes are not known.
const NO_BASINS: &str = "probabilities of modes are not computed of this target";
const NOT_ROUND: &str = "probabilities around modes are not computed of this target";

/// The probabilities of a distribution where draws are counted.
#[derive(Clone, Debug, PartialEq)]
pub struct DistributionCells {
    /// Of every cell of [`Truth::image_grid`], by rows from the lower left.
    pub image: Vec<f64>,
    /// Of the columns and of the rows of [`Truth::outer_grid`], whatever the other coordinate.
    pub around: [Vec<f64>; 2],
    /// Nearest to each mode, if it is known.
    pub basins: Option<Vec<f64>>,
    /// Within three standard deviations of the nearest mode, if it is known.
    pub within: Option<f64>,
    /// Mean and covariance, in θ.
    pub gaussian: Gaussian,
}

/// The measures against the truth of a distribution, in the order of [`TRUTH_MEASURES`]. There are no floors, since it is not random.
#[must_use]
pub fn measure_truth_of_cells(truth: &Truth, cells: &DistributionCells) -> Vec<Measure> {
    let statistics = statistics(truth, cells);
    let measure = |(spec, outcome): (&super::MeasureSpec, super::Outcome)| {
        let reason = match spec.key {
            "modes_visited" | "modes_covered" => Some(COUNTS),
            "sliced_w2" | "mmd2" => Some(OF_DRAWS),
            "within_3sd" if cells.within.is_none() => Some(NOT_ROUND),
            "mode_weight_kl" | "within_mode_kl" if cells.basins.is_none() => Some(NO_BASINS),
            _ => None,
        };
        Measure::new(spec.key, reason.filter(|_| truth.is_known()).map_or(outcome, Err))
    };
    TRUTH_MEASURES.iter().zip(outcomes(truth, &statistics)).map(measure).collect()
}

fn statistics(truth: &Truth, known: &DistributionCells) -> DrawStatistics {
    let (image, outer_grid) = (truth.image_grid(), truth.outer_grid());
    // On a grid, probabilities of nearly nothing may be rounded to less than nothing.
    let image_cells: Vec<f64> = known.image.iter().map(|&cell| if cell < 0.0 { 0.0 } else { cell }).collect();
    let InView { cells, columns, rows, outside } = InView::of(truth, &image_cells);
    let outside = if outside > NEGLIGIBLE { outside } else { 0.0 };
    let (mut outer, mut beyond) = (Vec::new(), 0.0);
    if outside > 0.0 {
        // Distances look at one coordinate at a time: any cells with these sums will do.
        let x = around(&known.around[0], &columns, [outer_grid.x, image.x]);
        let y = around(&known.around[1], &rows, [outer_grid.y, image.y]);
        let total: f64 = y.iter().sum();
        outer = y.iter().flat_map(|y| x.iter().map(move |x| if total > 0.0 { x * y / total } else { 0.0 })).collect();
        beyond = outside - x.iter().sum::<f64>().min(total);
        beyond = if beyond > NEGLIGIBLE { beyond } else { 0.0 };
    }
    let (basins, within) = (known.basins.clone().unwrap_or_default(), known.within.unwrap_or(0.0));
    DrawStatistics {
        draws: None,
        weight: 1.0,
        squared_weights: 0.0,
        cells,
        columns,
        rows,
        outside,
        outer,
        beyond,
        close: Vec::new(),
        basins,
        within,
        gaussian: Some(known.gaussian),
    }
}

/// What of the probability of outer columns is outside of the view, of whose columns `inside` has it.
fn around(outer: &[f64], inside: &[f64], [wide, fine]: [Axis; 2]) -> Vec<f64> {
    let mut left = outer.to_vec();
    for (number, mass) in inside.iter().enumerate() {
        if let Some(column) = wide.cell(fine.centre(number)) {
            left[column] -= mass;
        }
    }
    left.iter().map(|mass| mass.max(0.0)).collect()
}
