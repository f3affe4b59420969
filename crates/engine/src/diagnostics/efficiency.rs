//! Effective sample size for what it costs: ESS divided by the evaluations of all chains together.
//!
//! An evaluation is one of the gradient over all data, or one of the density by methods that use no gradients, which takes about as long.
//! Chains that are worth many draws may draw from another distribution: the number says nothing about bias.

use super::{Better, Measure, MeasureSpec};

const fn spec(key: &'static str, label: &'static str, help: &'static str) -> MeasureSpec {
    MeasureSpec { key, label, help, better: Better::Higher, headline: false, of_truth: false }
}

/// The measures, in the order in which they are written.
pub static EFFICIENCY: [MeasureSpec; 2] = [
    spec(
        "ess_per_gradient",
        "ESS per gradient",
        "Bulk ESS divided by the gradient evaluations of all chains; evaluations of the density count like them. Says nothing about bias.",
    ),
    spec(
        "ess_functions_per_gradient",
        "ESS of f per gradient",
        "ESS of the functions divided by the gradient evaluations of all chains. Says nothing about bias.",
    ),
];

/// The measures of sample size that these divide, in the same order.
const SIZES: [&str; EFFICIENCY.len()] = ["ess_bulk", "ess_functions"];

/// Reason why a run without cost has no such measure.
const FREE: &str = "the method evaluates no gradient and no density";

/// The measures of a run that has these others, after so many evaluations. Those whose sample size is not among them are left out.
pub fn measure_efficiency(others: &[Measure], evaluations: f64) -> impl Iterator<Item = Measure> {
    EFFICIENCY.iter().zip(SIZES).filter_map(move |(spec, size)| {
        let size = others.iter().find(|measure| measure.key == size)?;
        let outcome = match size.value {
            Some(size) if evaluations > 0.0 => Ok(size / evaluations),
            Some(_) => Err(FREE),
            None => Err(size.reason),
        };
        Some(Measure::new(spec.key, outcome))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sample_sizes_are_divided_by_the_cost() {
        let others = [Measure::new("rhat", Ok(1.0)), Measure::new("ess_bulk", Ok(50.0))];
        let found: Vec<Measure> = measure_efficiency(&others, 200.0).collect();
        assert_eq!(found, [Measure::new("ess_per_gradient", Ok(0.25))]);
        let found: Vec<Measure> = measure_efficiency(&others, 0.0).collect();
        assert_eq!(found, [Measure::new("ess_per_gradient", Err(FREE))]);
        let found: Vec<Measure> = measure_efficiency(&[Measure::new("ess_functions", Err("few"))], 9.0).collect();
        assert_eq!(found, [Measure::new("ess_functions_per_gradient", Err("few"))]);
    }
}
