//! Errors on test data by number of chains: those of pools of chains that have none in common, with the draws of a pool taken
//! together. One chain that has seen a part of the posterior predicts worse than several (R. Zhang et al. 2020,
//! arXiv:1902.03932, table 1).

use std::iter::successors;
use std::ops::Range;

use crate::diagnostics::Measure;
use base::platform::pause;

/// Errors of pools of so many chains.
#[derive(Clone, Debug, PartialEq)]
pub struct PooledErrors {
    /// Chains in a pool; 1 of a fit.
    pub chains: usize,
    /// Number of pools.
    pub pools: usize,
    /// The errors that have a value in every pool.
    pub errors: Vec<PooledError>,
}

/// An error on test data over pools.
#[derive(Clone, Debug, PartialEq)]
pub struct PooledError {
    /// The key of the measure.
    pub key: &'static str,
    /// The mean over pools.
    pub mean: f64,
    /// The standard deviation between pools, if there are several.
    pub sd: Option<f64>,
}

/// The errors of pools of 1, 2, 4, … chains and of all chains. `measured` gives the errors of draws by their numbers, and the
/// draws of a chain follow those of the chain before. With pauses.
pub(super) async fn pools(
    chains: usize,
    draws: usize,
    measured: impl Fn(Range<usize>) -> Vec<Measure>,
) -> Vec<PooledErrors> {
    let Some(each) = draws.checked_div(chains).filter(|each| *each > 0) else { return Vec::new() };
    let sizes = successors(Some(1), |size| Some(2 * size)).take_while(|size| *size < chains).chain([chains]);
    let mut found = Vec::new();
    for size in sizes {
        let pools = chains / size;
        let mut all = Vec::with_capacity(pools);
        for pool in 0..pools {
            all.push(measured(pool * size * each..(pool + 1) * size * each));
            pause().await;
        }
        let error = |(number, first): (usize, &Measure)| {
            let values: Option<Vec<f64>> = all.iter().map(|measures| measures[number].value).collect();
            Some(PooledError::new(first.key, &values?))
        };
        let errors: Vec<PooledError> = all[0].iter().enumerate().filter_map(error).collect();
        if !errors.is_empty() {
            found.push(PooledErrors { chains: size, pools, errors });
        }
    }
    found
}

impl PooledError {
    fn new(key: &'static str, values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        Self { key, mean, sd: (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::platform::now;

    fn measure(value: Option<f64>) -> Vec<Measure> {
        vec![Measure { key: "error", value, floor: None, reason: "" }]
    }

    #[test]
    fn pools_have_no_chain_in_common_and_follow_one_another() {
        // Two draws for each of five chains; the error of a pool is the number of its first draw.
        let pooled = now(pools(5, 10, |range| measure(Some(range.start as f64))));
        let summary: Vec<(usize, usize, f64)> =
            pooled.iter().map(|pooled| (pooled.chains, pooled.pools, pooled.errors[0].mean)).collect();
        assert_eq!(summary, [(1, 5, 4.0), (2, 2, 2.0), (4, 1, 0.0), (5, 1, 0.0)]);
        let sds: Vec<Option<f64>> = pooled.iter().map(|pooled| pooled.errors[0].sd).collect();
        assert_eq!(sds, [Some(10.0_f64.sqrt()), Some(8.0_f64.sqrt()), None, None]);
    }

    #[test]
    fn what_a_pool_does_not_have_is_left_out() {
        assert!(now(pools(3, 0, |_| measure(Some(1.0)))).is_empty());
        assert!(now(pools(0, 0, |_| measure(Some(1.0)))).is_empty());
        let pooled = now(pools(2, 2, |range| measure((range.len() == 2).then_some(1.0))));
        assert_eq!(pooled.iter().map(|pooled| pooled.chains).collect::<Vec<_>>(), [2]);
    }
}
