//! Numbers of a pair plot: densities of single quantities, ellipses of pairs, and draws picked evenly.

use base::math::{Gaussian, Matrix, Point, normal_interval};
use engine::session::{Described, QuantityDraws, RunFrame};
use models::targets::Target;

/// Points of a density curve, and bins of a histogram.
const POINTS: usize = 120;
const BINS: usize = 36;

/// How far a density is known beyond the interval with 90 %, as a share of its width.
const BEYOND: f64 = 1.0;

/// How far the axis of a quantity reaches beyond the interval with 90 %, as a share of its width.
const AROUND: f64 = 0.45;

/// Distance of an ellipse with 90 % of a Gaussian from its mean, √(−2 ln 0.1), and its corners.
const RADIUS: f64 = 2.145_966_026_289_347_5;
const CORNERS: usize = 72;

/// The ends of a range around the interval with 90 %; `None` if it has no width.
fn around(of: &Described, share: f64) -> Option<[f64; 2]> {
    let [low, .., high] = of.quantiles;
    let more = share * (high - low);
    (more > 0.0 && more.is_finite()).then_some([low - more, high + more])
}

/// Ends of cells of equal width between the ends of a range.
fn edges([low, high]: [f64; 2], cells: usize) -> impl Iterator<Item = f64> {
    (0..=cells).map(move |number| low + (high - low) * number as f64 / cells as f64)
}

/// The density of a quantity, of its distribution function; empty if it has no width.
#[must_use]
pub fn density(of: &Described, below: impl Fn(f64) -> f64) -> Vec<[f64; 2]> {
    let Some(range) = around(of, BEYOND) else { return Vec::new() };
    let at: Vec<f64> = edges(range, POINTS).collect();
    let shares: Vec<f64> = at.iter().map(|at| below(*at)).collect();
    let between = |(at, share): (&[f64], &[f64])| {
        let width = at[1] - at[0];
        [at[0] + 0.5 * width, (share[1] - share[0]).max(0.0) / width]
    };
    at.windows(2).zip(shares.windows(2)).map(between).collect()
}

/// The density of a mixture of Gaussians with equal weights, each with mean and standard deviation: averages over cells, like those of
/// [`density`].
#[must_use]
pub fn mixture_density(of: &Described, parts: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let Some(range) = around(of, BEYOND) else { return Vec::new() };
    let at: Vec<f64> = edges(range, POINTS).collect();
    let average = |at: &[f64]| {
        let share = |[mean, sd]: &[f64; 2]| normal_interval((at[0] - mean) / sd, (at[1] - mean) / sd);
        let width = at[1] - at[0];
        [at[0] + 0.5 * width, parts.iter().map(share).sum::<f64>() / (parts.len() as f64 * width)]
    };
    at.windows(2).map(average).collect()
}

/// The outline of a histogram of draws in ascending order; empty if they have no width.
#[must_use]
pub fn histogram(of: &Described, sorted: &[f64]) -> Vec<[f64; 2]> {
    let Some(range) = around(of, BEYOND) else { return Vec::new() };
    let at: Vec<f64> = edges(range, BINS).collect();
    let counts: Vec<usize> = at.iter().map(|at| sorted.partition_point(|draw| draw < at)).collect();
    let bin = |(at, counts): (&[f64], &[usize])| {
        let height = (counts[1] - counts[0]) as f64 / (sorted.len() as f64 * (at[1] - at[0]));
        [[at[0], height], [at[1], height]]
    };
    at.windows(2).zip(counts.windows(2)).flat_map(bin).collect()
}

/// The axis of a quantity: around the interval of the reference, and those of the runs as far as they are not far from it.
#[must_use]
pub fn axis(reference: Option<&Described>, runs: &[&Described]) -> [f64; 2] {
    let known = reference.and_then(|of| around(of, AROUND));
    let of_runs = runs.iter().filter_map(|of| around(of, AROUND));
    let of_runs = of_runs.reduce(|one, other| [one[0].min(other[0]), one[1].max(other[1])]);
    match (known, of_runs) {
        (Some([low, high]), Some([lowest, highest])) => {
            let most = high - low;
            [low.min(lowest.max(low - most)), high.max(highest.min(high + most))]
        }
        (Some(range), None) | (None, Some(range)) => range,
        (None, None) => {
            let at = runs.iter().map(|of| of.quantiles[2]).find(|at| at.is_finite()).unwrap_or(0.0);
            [at - 1.0, at + 1.0]
        }
    }
}

/// The ellipse with 90 % of a Gaussian, closed; empty if there is none.
#[must_use]
pub fn ellipse(gaussian: &Gaussian) -> Vec<[f64; 2]> {
    if !gaussian.is_finite() {
        return Vec::new();
    }
    let corners = gaussian.ellipse(RADIUS, CORNERS);
    corners.iter().chain(corners.first()).map(|at| [at.x, at.y]).collect()
}

/// The Gaussian with the moments of two quantities and their correlation.
#[must_use]
pub fn of_moments([x, y]: [&Described; 2], correlation: f64) -> Gaussian {
    let between = correlation * x.sd * y.sd;
    Gaussian { mean: Point::new(x.mean, y.mean), covariance: Matrix::new(x.sd * x.sd, between, between, y.sd * y.sd) }
}

/// The correlation of pairs; NaN if one of them does not vary.
#[must_use]
pub fn correlation(x: &[f64], y: &[f64]) -> f64 {
    let count = x.len() as f64;
    let [mean_x, mean_y] = [x, y].map(|values| values.iter().sum::<f64>() / count);
    let sum = |a: &[f64], b: &[f64], means: [f64; 2]| -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - means[0]) * (b - means[1])).sum()
    };
    let scale = (sum(x, x, [mean_x; 2]) * sum(y, y, [mean_y; 2])).sqrt();
    sum(x, y, [mean_x, mean_y]) / scale
}

/// At most about so many draws of all quantities, the same ones of each, picked evenly over rows and with all chains.
#[must_use]
pub fn picked(draws: &QuantityDraws, most: usize) -> Vec<Vec<f64>> {
    let apart = draws.count().div_ceil(most.max(1)).max(1);
    let of_quantity = |chains: &Vec<Vec<f64>>| {
        let rows = chains.first().map_or(0, Vec::len);
        let rows = (apart / 2..rows).step_by(apart);
        rows.flat_map(|row| chains.iter().map(move |chain| chain[row])).collect()
    };
    draws.chains.iter().map(of_quantity).collect()
}

/// The newest draws of all quantities after divergent transitions, at most so many, of the vectors that are kept.
#[must_use]
pub fn divergent(target: &Target, run: &RunFrame, most: usize) -> Vec<Vec<f64>> {
    let Some(known) = target.quantities().filter(|_| run.totals.divergent > 0) else { return Vec::new() };
    let history = &run.history;
    let is_divergent = |step: u64, chain: usize| {
        let row = history.row_from(step);
        let is_kept = row < history.rows() && history.step(row) == step;
        is_kept && history.transition(row, chain).is_some_and(|of| of.is_divergent())
    };
    let kept = run.collected_vectors().into_iter().rev();
    let draws = kept.flat_map(|at| (0..at.positions.len()).map(move |chain| (at, chain)));
    let after = draws.filter(|(at, chain)| is_divergent(at.step, *chain));
    let mut values = vec![0.0; known.names().len()];
    let mut found = vec![Vec::new(); values.len()];
    for (at, chain) in after.take(most) {
        let vector: Vec<f64> = at.positions.vector(chain).collect();
        if vector.iter().all(|value| value.is_finite()) {
            known.values(&vector, &mut values);
            values.iter().zip(&mut found).for_each(|(value, of)| of.push(*value));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::math::{normal_cdf, normal_quantile};
    use engine::session::PROBABILITIES;

    fn normal(mean: f64, sd: f64) -> Described {
        Described { mean, sd, quantiles: PROBABILITIES.map(|probability| mean + sd * normal_quantile(probability)) }
    }

    /// Of a normal distribution: its density, and an integral of nearly 1.
    #[test]
    fn a_density_is_that_of_the_distribution_function() {
        let of = normal(2.0, 0.5);
        let both = [density(&of, |x| normal_cdf((x - 2.0) / 0.5)), mixture_density(&of, &[[2.0, 0.5]])];
        for curve in both {
            for [x, height] in &curve {
                let exact = (-0.5 * ((x - 2.0) / 0.5).powi(2)).exp() / (0.5 * std::f64::consts::TAU.sqrt());
                assert!((height - exact).abs() < 1e-3, "{x}: {height} {exact}");
            }
            let sum: f64 = curve.iter().map(|[_, height]| height * (curve[1][0] - curve[0][0])).sum();
            assert!((sum - 1.0).abs() < 1e-5, "{sum}");
        }
    }

    #[test]
    fn a_histogram_has_the_share_of_each_bin() {
        let draws: Vec<f64> = (0..1000).map(|k| (f64::from(k) + 0.5) / 1000.0).collect();
        let outline = histogram(&Described::sorted(&draws), &draws);
        let inner = outline.iter().filter(|[x, _]| (0.1..0.9).contains(x));
        assert!(inner.into_iter().all(|[_, height]| (height - 1.0).abs() < 0.02), "{outline:?}");
        assert!(histogram(&Described::sorted(&[1.0; 9]), &[1.0; 9]).is_empty());
    }

    /// A share 1 − exp(−r²/2) of a Gaussian in the plane is within r standard deviations.
    #[test]
    fn an_ellipse_has_nine_tenths() {
        assert!((1.0 - (-0.5 * RADIUS * RADIUS).exp() - 0.9).abs() < 1e-12);
        let corners = ellipse(&of_moments([&normal(1.0, 2.0), &normal(0.0, 1.0)], 0.8));
        let widest = corners.iter().map(|[x, _]| x - 1.0).fold(0.0, f64::max);
        assert!((widest - 2.0 * RADIUS).abs() < 0.01 && corners.first() == corners.last());
        assert_eq!(ellipse(&of_moments([&normal(1.0, f64::NAN), &normal(0.0, 1.0)], 0.8)), Vec::<[f64; 2]>::new());
    }

    #[test]
    fn a_correlation_is_that_of_a_line_with_a_bend() {
        let x = [-1.0, 0.0, 1.0];
        assert!((correlation(&x, &[-2.0, 0.0, 2.0]) - 1.0).abs() < 1e-12);
        assert!((correlation(&x, &[0.0, 0.0, 1.0]) - 0.75_f64.sqrt()).abs() < 1e-12);
        assert!(correlation(&x, &[1.0; 3]).is_nan());
    }

    #[test]
    fn draws_are_picked_evenly_with_all_chains() {
        let chain = |from: u32| (0..10).map(|k| f64::from(from + k)).collect::<Vec<_>>();
        let draws = QuantityDraws {
            chains: vec![vec![chain(0), chain(100)], vec![chain(200), chain(300)]],
            weights: Vec::new(),
            combined: Vec::new(),
        };
        assert_eq!(picked(&draws, 1000)[0].len(), 20);
        assert_eq!(picked(&draws, 5), [[2.0, 102.0, 6.0, 106.0], [202.0, 302.0, 206.0, 306.0]]);
    }

    #[test]
    fn an_axis_shows_runs_that_are_not_far_away() {
        let [low, high] = axis(Some(&normal(0.0, 1.0)), &[&normal(100.0, 1.0)]);
        assert!((low + 1.9 * 1.6449).abs() < 1e-3 && (high - 5.7 * 1.6449).abs() < 1e-3, "{low} {high}");
        let still = Described { mean: 3.0, sd: 0.0, quantiles: [3.0; 5] };
        assert_eq!(axis(None, &[&still]).map(f64::to_bits), [2.0, 4.0].map(f64::to_bits));
    }
}
