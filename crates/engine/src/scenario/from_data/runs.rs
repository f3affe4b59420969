//! The runs of a scenario of data, with step sizes that are stable on its posterior.

use std::sync::Arc;

use models::targets::{self, Target};

use super::words::rounded;
use super::{Draft, Question};
use crate::scenario::write::number_text;
use crate::scenario::{Folder, ScenarioErrors, read_unbuilt};

/// Share of the limit of stability, 2/λ, at which the error of a Langevin step is small beside the posterior.
const OF_LIMIT: f64 = 0.1;

/// Data of a minibatch at most, and their share of all data.
const LARGEST_BATCH: usize = 500;
const BATCH_SHARE: usize = 5;

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
    let known = Known { data, batch, curvature: curvature(&built) };
    Ok(match draft.question {
        Question::Function | Question::Classes => of_network(&known),
        _ => of_posterior(&known),
    })
}

/// What is known of a posterior.
struct Known {
    /// N.
    data: usize,
    /// n.
    batch: usize,
    /// The largest eigenvalue of −∇² log p at the mode, in the coordinates of chains.
    curvature: f64,
}

impl Known {
    /// A step size at which Langevin steps with minibatches, whose noise grows with N/n, are close to the posterior.
    fn alpha(&self) -> String {
        number_text(rounded(2.0 * OF_LIMIT * self.batch as f64 / self.data as f64 / self.curvature))
    }
}

fn curvature(target: &Arc<Target>) -> f64 {
    let known = match target.in_vectors() {
        Some(vectors) => vectors.model.curvature(),
        None => {
            let sampled = target.sampled();
            sampled.in_plane().map(|density| {
                let free = target.info().dimension;
                let hessian = density.hessian(sampled.highest_mode());
                if free == 1 { hessian.m11.abs() } else { hessian.symmetric_eigenvalues().amax() }
            })
        }
    };
    known.filter(|curvature| curvature.is_finite() && *curvature > 0.0).unwrap_or(1.0)
}

fn of_posterior(known: &Known) -> String {
    let (batch, alpha) = (known.batch, known.alpha());
    format!(
        "\
# The reference: Hamiltonian Monte Carlo that adapts step size and mass matrix during the warm-up, as Stan does.
[[run]]
name = \"NUTS\"
method = \"nuts\"
chains = 4
steps = 1500
adapt_step_size = true
mass = \"diagonal\"
warm_up = 500
collect = {{ burn_in = 500 }}

# Langevin steps with {batch} of {} data at a time. The step size is stable; whether the chains have come round, R-hat says.
[[run]]
name = \"SGLD\"
method = \"sgld\"
chains = 4
steps = 10000
gradient = {{ kind = \"minibatch\", size = {batch} }}
step_size = {{ kind = \"constant\", value = {alpha} }}
collect = {{ burn_in = 2000 }}

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
",
        known.data
    )
}

fn of_network(known: &Known) -> String {
    let (chains, leaps) = if known.data > 500 { (4, 25) } else { (8, 50) };
    let (batch, alpha) = (known.batch, known.alpha());
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
        number_text(rounded(0.3 / known.curvature.sqrt())),
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
