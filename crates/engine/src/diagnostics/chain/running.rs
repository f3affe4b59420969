//! Running mean: mean of the first n draws with its standard error, for growing n.

use super::mcse_mean::{mcse_mean_weighted, weighted};
use base::platform::pause;

/// The mean of the draws up to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Running {
    /// Number of draws of each chain.
    pub draws: usize,
    /// Their weighted mean over all chains.
    pub mean: f64,
    /// The standard error of the mean by the ESS of these draws; `None` where it has none: too few draws, all equal, or a
    /// chain has diverged.
    pub mcse: Option<f64>,
}

/// The mean of the first draws of all chains, for at most `points` evenly spread numbers of draws, the last being all, with
/// pauses.
///
/// `weights` holds one weight per row of draws. Draws that are not finite do not count; rows without a finite draw are
/// left out.
pub async fn running_mean(chains: &[&[f64]], weights: &[f64], points: usize) -> Vec<Running> {
    let length = chains.iter().map(|chain| chain.len()).min().unwrap_or(0).min(weights.len());
    let points = points.min(length);
    let one = |point: usize| {
        let draws = length * point / points;
        let first: Vec<_> = chains.iter().map(|chain| &chain[..draws]).collect();
        let (_, mean) = weighted(&first, &weights[..draws], |draw| draw);
        Running { draws, mean, mcse: mcse_mean_weighted(&first, &weights[..draws]).ok() }
    };
    let mut found = Vec::with_capacity(points);
    for point in 1..=points {
        found.extend(Some(one(point)).filter(|running| running.mean.is_finite()));
        pause().await;
    }
    found
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;
    use crate::diagnostics::chain::mcse_mean;
    use base::platform::now;

    #[test]
    fn the_last_point_is_that_of_all_draws() {
        let chain: Vec<_> = (0..1000).map(|i| f64::from(i * i % 31)).collect();
        let chains = [&chain[..500], &chain[500..]];
        let running = now(running_mean(&chains, &[2.0; 500], 7));
        assert_eq!(running.iter().map(|point| point.draws).collect::<Vec<_>>(), [71, 142, 214, 285, 357, 428, 500]);
        let last = running.last().unwrap();
        assert_relative_eq!(last.mean, chain.iter().sum::<f64>() / 1000.0, max_relative = 1e-14);
        assert_eq!(last.mcse, mcse_mean(&chains).ok());
    }

    #[test]
    fn the_mean_is_weighted_and_leaves_out_what_is_no_number() {
        let chains: [&[f64]; 2] = [&[1.0, 2.0], &[3.0, f64::NAN]];
        let running = now(running_mean(&chains, &[1.0, 3.0], 9));
        let expected = [Running { draws: 1, mean: 2.0, mcse: None }, Running { draws: 2, mean: 2.0, mcse: None }];
        assert_eq!(running, expected);
        assert!(now(running_mean(&[&[f64::NAN]], &[1.0], 3)).is_empty() && now(running_mean(&[], &[], 3)).is_empty());
    }
}
