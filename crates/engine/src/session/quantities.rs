//! Draws of the quantities of a model: its coordinates and what follows from them, under their names.

use base::math::Coords;
use models::targets::Target;

use super::frame::RunFrame;

/// Draws of every quantity of a target, from the vectors that are kept of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantityDraws {
    /// Of every quantity, of every chain that has not left, the draws in their order.
    pub chains: Vec<Vec<Vec<f64>>>,
}

impl QuantityDraws {
    /// Of the vectors that are kept of the collected steps; `None` of a target without names, and of fits.
    #[must_use]
    pub fn of(target: &Target, run: &RunFrame) -> Option<Self> {
        let quantities = target.quantities().filter(|_| run.fits.is_none())?;
        let collected = run.collected_vectors();
        let count = collected.first().map_or(0, |at| at.positions.len());
        let is_there = |at: &Coords, chain: usize| at.vector(chain).all(f64::is_finite);
        let there = |chain: &usize| collected.last().is_some_and(|at| is_there(&at.positions, *chain));
        let kept: Vec<usize> = (0..count).filter(there).collect();
        let mut values = vec![0.0; quantities.names().len()];
        let mut chains = vec![vec![Vec::with_capacity(collected.len()); kept.len()]; values.len()];
        for at in collected {
            for (place, chain) in kept.iter().enumerate() {
                let vector: Vec<f64> = at.positions.vector(*chain).collect();
                quantities.values(&vector, &mut values);
                values.iter().zip(&mut chains).for_each(|(value, of)| of[place].push(*value));
            }
        }
        Some(Self { chains })
    }

    /// The draws of a quantity of all chains, in ascending order.
    #[must_use]
    pub fn sorted(&self, number: usize) -> Vec<f64> {
        let mut all = self.chains[number].concat();
        all.sort_by(f64::total_cmp);
        all
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::diagnostics::chain::{ess_bulk, mcse_mean};
    use crate::scenario::read;
    use crate::session::Session;

    /// NUTS has the moments of the exact posterior, of coordinates that are drawn and of the others, within four standard errors.
    #[test]
    fn draws_have_the_moments_of_the_truth() {
        let text = "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"regression\"\nterms = \"1, speed, speed^2\"\n\
                    standardise = false\n[[run]]\nname = \"A\"\nmethod = \"nuts\"\nchains = 4\nsteps = 3000\nwarm_up = 1000\n\
                    collect = { burn_in = 1000 }\nadapt_step_size = true\nmass = \"dense\"\n";
        let mut session = Session::new(read(text, "x", Path::new("")).unwrap()).unwrap();
        session.advance(u64::MAX);
        let frame = session.frame();
        let draws = QuantityDraws::of(frame.target.as_ref(), &frame.runs[0]).unwrap();
        let known = frame.target.quantities().unwrap();
        assert_eq!(known.names(), ["intercept", "speed", "speed^2", "log_sigma", "sigma"]);
        for (number, name) in known.names().iter().enumerate() {
            let chains: Vec<&[f64]> = draws.chains[number].iter().map(Vec::as_slice).collect();
            let all = chains.concat();
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            let [expected, _] = known.moments(number);
            let error = mcse_mean(&chains).unwrap();
            assert!((mean - expected).abs() < 4.0 * error, "{name}: {mean} {expected} ± {error}");
            assert!(ess_bulk(&chains).unwrap() > 400.0, "{name}");
        }
    }
}
