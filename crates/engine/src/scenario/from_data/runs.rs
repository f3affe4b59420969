//! The runs of a scenario of data, with step sizes that are stable on its posterior, and as many steps as its chains take to come round.
//!
//! A Langevin step of size α forgets 1 − αλ/2 of where it is along a direction in which the posterior has the curvature λ. So chains take
//! 4/(αλ) steps for what one independent draw is worth, longest where λ is smallest; α is given by where it is largest. R-hat of four chains
//! is 1.01 at most, but for luck, where each is worth [`WORTH`] draws: that gives the number of steps. Where it is large minibatches grow, up
//! to half of the data, and α with them; beyond [`MOST_STEPS`] the posterior is too long for Langevin steps, and the file says so. Of the public
//! regressions in the units of standardised columns those with λ_max/λ_min up to about 50 are within it: incomes, test scores, votes, wells.

use std::sync::Arc;

use base::math::symmetric_eigen;
use models::targets::{self, Model, Target};

use super::words::{comment, rounded};
use super::{Draft, Question};
use crate::scenario::write::number_text;
use crate::scenario::{Folder, ScenarioErrors, read_unbuilt};

/// Share of the limit of stability, 2/λ, at which the error of a Langevin step is small beside the posterior.
const OF_LIMIT: f64 = 0.1;

/// Data of a minibatch at most, and their share of all data.
const LARGEST_BATCH: usize = 500;
const BATCH_SHARE: usize = 5;

/// The same at least for Langevin steps on posteriors of regressions, of more data than twice as many: the cost of a step is not that of its data.
const FEW: usize = 50;

/// Independent draws that each chain of SGLD is worth where the posterior is widest. R-hat of eight halves of chains, each worth half of it, is
/// 1 + 1/150 on average in that direction, and nearer to 1 of coordinates, which mix it with others.
const WORTH: f64 = 150.0;

/// The same below which R-hat is mostly above 1.01.
const ENOUGH: f64 = 50.0;

/// Steps of SGLD at least, those above which minibatches grow, and at most; and what they may cost: products of coefficients and data of all
/// chains, a few seconds.
const FEWEST_STEPS: f64 = 10_000.0;
const USUAL_STEPS: f64 = 100_000.0;
const MOST_STEPS: f64 = 250_000.0;
const MOST_WORK: f64 = 4e9;

/// The share of the steps that are not collected: chains start at the mode, and leave it within a few hundredths of them.
const BURN_IN: f64 = 0.1;

/// Chains of SGLD.
const CHAINS: f64 = 4.0;

/// What a datum costs beside the products with coefficients, about, in these.
const OF_DATUM: f64 = 10.0;

/// Documents of a minibatch at most.
pub(super) const LARGEST_BATCH_OF_DOCUMENTS: usize = 10;

/// The lines of errors, without the place in a file that is not there yet.
pub(super) fn lines(errors: &ScenarioErrors) -> Vec<String> {
    let line = |error: &crate::scenario::ScenarioError| {
        let key = error.key.strip_prefix("target.").unwrap_or(&error.key);
        format!("{key}: {}; allowed: {}", error.problem, error.allowed)
    };
    errors.errors.iter().map(line).collect()
}

/// The tables of the runs for a target, whose text is that of a scenario without runs.
///
/// # Errors
/// If the target cannot be built.
pub(super) fn runs(draft: &Draft, target: &str, folder: &Folder) -> Result<String, Vec<String>> {
    if draft.question == Question::Topics {
        return Ok(topics(LARGEST_BATCH_OF_DOCUMENTS));
    }
    let text = format!("{target}[[run]]\nname = \"x\"\nmethod = \"laplace\"\n");
    let scenario = read_unbuilt(&text, "data", folder).map_err(|errors| lines(&errors))?;
    let built = targets::build(&scenario.target, folder);
    let built = built.map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    let data = built.data_count().unwrap_or(1);
    let batch = if data <= 20 { data } else { (data / BATCH_SHARE).clamp(10, LARGEST_BATCH) };
    let coordinates = built.model().map_or(1, Model::dimension);
    let known = Known { data, batch, coordinates, curvatures: curvatures(&built) };
    Ok(match draft.question {
        Question::Function | Question::Classes => of_network(&known),
        Question::Groups => of_posterior(&known, CAREFUL),
        _ => of_posterior(&known, ""),
    })
}

/// What is known of a posterior.
struct Known {
    /// N.
    data: usize,
    /// n.
    batch: usize,
    /// d.
    coordinates: usize,
    /// The smallest and the largest eigenvalue of −∇² log p at the mode, in the coordinates of chains.
    curvatures: [f64; 2],
}

impl Known {
    /// A step size at which Langevin steps with minibatches of this size, whose noise grows with N/n, are close to the posterior.
    fn alpha(&self, batch: usize) -> f64 {
        rounded(2.0 * OF_LIMIT * batch as f64 / self.data as f64 / self.curvatures[1])
    }

    /// The steps that a chain takes for what one independent draw is worth, where the posterior is widest.
    fn of_draw(&self, batch: usize) -> f64 {
        4.0 / (self.alpha(batch) * self.curvatures[0])
    }

    /// Minibatches, number of steps, and how many independent draws each chain is then worth.
    #[expect(clippy::cast_sign_loss, reason = "a positive number of data")]
    fn langevin(&self) -> (usize, f64, f64) {
        let least = self.batch.max(FEW.min(self.data / 2));
        let wanted = |batch: usize| WORTH * self.of_draw(batch) / (1.0 - BURN_IN);
        let batch = (least as f64 * wanted(least) / USUAL_STEPS).ceil();
        let batch = (batch as usize).clamp(least, (self.data / 2).clamp(least, LARGEST_BATCH.max(least)));
        let each = CHAINS * batch as f64 * (self.coordinates as f64 + OF_DATUM);
        let most = (MOST_WORK / each).clamp(FEWEST_STEPS, MOST_STEPS);
        let steps = upwards(wanted(batch).clamp(FEWEST_STEPS, most));
        (batch, steps, (1.0 - BURN_IN) * steps / self.of_draw(batch))
    }
}

/// A number of steps with two digits, the second one 0 or 5, at least as large.
fn upwards(steps: f64) -> f64 {
    let mut unit = 1.0;
    while steps > 100.0 * unit {
        unit *= 10.0;
    }
    (steps / (5.0 * unit)).ceil() * 5.0 * unit
}

fn curvatures(target: &Arc<Target>) -> [f64; 2] {
    let positive = |curvature: f64| (curvature.is_finite() && curvature > 0.0).then_some(curvature);
    let (least, largest) = match target.in_vectors() {
        Some(vectors) => {
            let model = vectors.model.as_ref();
            let at = model.mode().map_or_else(|| model.start(), <[f64]>::to_vec);
            let eigen = model.hessian(&at).and_then(|hessian| symmetric_eigen(&-hessian));
            (eigen.and_then(|eigen| eigen.values.first().copied()), model.curvature())
        }
        None => {
            let sampled = target.sampled();
            let of = sampled.in_plane().map(|density| {
                let hessian = density.hessian(sampled.highest_mode());
                if target.info().dimension == 1 {
                    [hessian.m11.abs(); 2]
                } else {
                    let values = hessian.symmetric_eigenvalues().map(f64::abs);
                    [values.min(), values.max()]
                }
            });
            of.map(|[least, largest]| (least, largest)).unzip()
        }
    };
    let largest = largest.and_then(positive).unwrap_or(1.0);
    // Where the density is not log-concave at its mode nothing is known of its width.
    [least.and_then(positive).unwrap_or(largest).min(largest), largest]
}

/// Steps of NUTS that are short enough for the neck of a funnel, in most of its transitions.
const CAREFUL: &str = "target_acceptance = 0.95\n";

fn of_posterior(known: &Known, careful: &str) -> String {
    let (batch, steps, worth) = known.langevin();
    let (alpha, burn_in) = (number_text(known.alpha(batch)), (BURN_IN * steps).round());
    let too_few = match worth < ENOUGH {
        true => ", too few for R-hat 1.01: terms that say nearly the same, or a σ that is small, make it so",
        false => "",
    };
    let about = format!(
        "Langevin steps with {batch} of {} data at a time. The step size is stable, and so many steps make each chain worth about {} independent \
         draws where the posterior is widest{too_few}.",
        known.data,
        rounded(worth)
    );
    let about = comment(&about);
    format!(
        "\
# The reference: Hamiltonian Monte Carlo that adapts step size and mass matrix during the warm-up, as Stan does.
[[run]]
name = \"NUTS\"
method = \"nuts\"
chains = 4
steps = 1500
adapt_step_size = true
{careful}mass = \"diagonal\"
warm_up = 500
collect = {{ burn_in = 500 }}

{about}[[run]]
name = \"SGLD\"
method = \"sgld\"
chains = {CHAINS}
steps = {steps}
gradient = {{ kind = \"minibatch\", size = {batch} }}
step_size = {{ kind = \"constant\", value = {alpha} }}
collect = {{ burn_in = {burn_in} }}

# The best Gaussian with independent coordinates. Its steps shrink, so that it comes to rest.
[[run]]
name = \"Mean-field VI\"
method = \"gaussian-vi\"
family = \"mean-field\"
steps = 20000
step_size = {{ kind = \"polynomial\", a = 10, b = 200, gamma = 1 }}

# The Gaussian at the mode, with its curvature.
[[run]]
name = \"Laplace\"
method = \"laplace\"
steps = 50
"
    )
}

fn of_network(known: &Known) -> String {
    let (chains, leaps) = if known.data > 500 { (4, 25) } else { (8, 50) };
    let (batch, alpha) = (known.batch, number_text(known.alpha(known.batch)));
    format!(
        "\
# The reference: Hamiltonian Monte Carlo from draws of the prior.
[[run]]
name = \"HMC\"
method = \"hmc\"
chains = {chains}
steps = 300
start = {{ kind = \"prior\" }}
step_size = {{ kind = \"constant\", value = {} }}
leapfrog_steps = {leaps}
collect = {{ burn_in = 150 }}

# Langevin steps with {batch} of {} data at a time.
[[run]]
name = \"SGLD\"
method = \"sgld\"
chains = 4
steps = 10000
start = {{ kind = \"prior\" }}
gradient = {{ kind = \"minibatch\", size = {batch} }}
step_size = {{ kind = \"constant\", value = {alpha} }}
collect = {{ burn_in = 5000 }}

# The Gaussian at a mode.
[[run]]
name = \"Laplace\"
method = \"laplace\"
steps = 60
",
        number_text(rounded(0.3 / known.curvatures[1].sqrt())),
        known.data
    )
}

/// The runs of topics, with so many documents in a minibatch.
pub(super) fn topics(batch: usize) -> String {
    format!(
        "\
# Stochastic variational inference, a few documents at a time.
[[run]]
name = \"SVI\"
method = \"svi\"
chains = 2
steps = 400
gradient = {{ kind = \"minibatch\", size = {batch}, order = \"shuffled\" }}
step_size = {{ kind = \"polynomial\", a = 1.0, b = 1.0, gamma = 0.7 }}
start = {{ kind = \"random\" }}

# Collapsed Gibbs sampling.
[[run]]
name = \"Gibbs\"
method = \"collapsed-gibbs\"
chains = 2
steps = 100
"
    )
}
