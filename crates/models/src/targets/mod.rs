//! Targets: the densities to sample or to approximate with their data, one file each, and the registry that names and builds them.
//!
//! To add a target given by a formula: copy `gallery/banana.rs` to a new file, declare it in `gallery/mod.rs`, and add its line to
//! [`ENTRIES`]. The tests of all targets then check its derivatives, normaliser, moments, modes and draws.

mod classification;
mod curvature;
mod data;
mod density;
mod derivatives;
mod formula;
mod functions;
mod gallery;
mod info;
mod kit;
mod minibatch;
mod model;
pub mod network;
mod painted;
mod posteriors;
mod precision;
mod projection;
mod regression;
mod target;
#[cfg(test)]
mod tests;
mod topics;

use std::sync::{Arc, LazyLock};

pub use classification::{Classification, outputs_of};
pub use curvature::{Curvature, CurvatureError, MOST_DENSE};
pub use data::folder::Folder;
pub use data::named_files::{PathChoice, named_files, path_choice};
pub use data::{ColumnChoice, column_choice};
pub use density::{Conjugacy, Data, Density, highest_mode};
pub use derivatives::Derivatives;
pub use functions::Functions;
pub use gallery::gaussian_mixture::mixture_components;
pub use info::{Boundary, Mode, NO_MODES, Support, TargetInfo};
pub use kit::coordinates::{Coordinates, open_density, sampling_density};
pub use kit::euler::{Displacements, EulerSteps};
pub use kit::nodes::{Node, Nodes, nodes};
pub use kit::poles::is_pole;
pub use minibatch::{Minibatch, Minibatches};
pub use model::{AsModel, Disturbance, Dropout, Model, datum_variance};
pub use painted::painting_alone;
pub use precision::Precision;
pub use projection::Projection;
pub use regression::{PLACES, Regression, places, values};
pub use target::{Behind, Space, Target, Vectors};
pub use topics::{TopicModel, TopicsLines, is_topics};

use base::params::{Entry, KindSpec, ParamError, Settings, kinds};
use gallery::{banana, donut, double_well, funnel, gaussian, gaussian_grid, gaussian_mixture, squiggle, three_modes};
use posteriors::{
    beta_pair, beta_posterior, bivariate_mixture, linear_regression, logistic_regression, normal_gamma, two_weight,
};

/// All targets, one line each.
const ENTRIES: &[Entry<TargetBuilder>] = &[
    Entry { spec: gaussian_grid::SPEC, build: gaussian_grid::build },
    Entry { spec: gaussian::SPEC, build: gaussian::build },
    Entry { spec: gaussian_mixture::SPEC, build: gaussian_mixture::build },
    Entry { spec: three_modes::SPEC, build: three_modes::build },
    Entry { spec: double_well::SPEC, build: double_well::build },
    Entry { spec: banana::SPEC, build: banana::build },
    Entry { spec: squiggle::SPEC, build: squiggle::build },
    Entry { spec: donut::SPEC, build: donut::build },
    Entry { spec: funnel::SPEC, build: funnel::build },
    Entry { spec: bivariate_mixture::SPEC, build: bivariate_mixture::build },
    Entry { spec: beta_posterior::SPEC, build: beta_posterior::build },
    Entry { spec: beta_pair::SPEC, build: beta_pair::build },
    Entry { spec: normal_gamma::SPEC, build: normal_gamma::build },
    Entry { spec: two_weight::SIGN, build: two_weight::build_sign },
    Entry { spec: two_weight::RIDGE, build: two_weight::build_ridge },
    Entry { spec: two_weight::SWAP, build: two_weight::build_swap },
    Entry { spec: linear_regression::SPEC, build: linear_regression::build },
    Entry { spec: logistic_regression::SPEC, build: logistic_regression::build },
    Entry { spec: formula::SPEC, build: formula::build },
    Entry { spec: painted::SPEC, build: painted::build },
    Entry { spec: network::SPEC, build: network::build },
    Entry { spec: topics::SPEC, build: topics::build },
];

/// The descriptions of all targets, in the order in which they are offered.
pub static TARGETS: [KindSpec; ENTRIES.len()] = kinds(ENTRIES);

/// Makes the target that `settings` describe; relative paths in them are looked up in `folder`.
///
/// # Errors
/// Everything that is wrong with the settings or the files they name, with paths relative to the target; or that the target which
/// they make cannot be shown.
pub fn build(settings: &Settings, folder: impl Into<Folder>) -> Result<Arc<Target>, Vec<ParamError>> {
    let entry = ENTRIES.iter().find(|entry| entry.spec == *settings.kind);
    let unknown = || {
        let names: Vec<&str> = TARGETS.iter().map(|kind| kind.name).collect();
        vec![ParamError::new("kind", format!("there is no target \"{}\"", settings.kind.name), names.join(", "))]
    };
    let (folder, build) = (folder.into(), entry.ok_or_else(unknown)?.build);
    if let Some(target) = folder.target(settings) {
        return Ok(target);
    }
    let target = Arc::new(build(settings, &folder)?);
    if let Some(fault) = target.info().fault() {
        let problem = format!("the target cannot be shown: {fault}");
        return Err(vec![ParamError::new("kind", problem, "other parameters, or another target")]);
    }
    // Files may change, and the folder keeps a corpus by itself.
    if named_files(settings).is_empty() && target.topics().is_none() {
        folder.keep_target(settings, &target);
    }
    Ok(target)
}

/// Parameters that change nothing at these settings of a target.
#[must_use]
pub fn idle_parameters(settings: &Settings) -> &'static [&'static str] {
    let is_generated = settings.group("data").is_none_or(|group| group.kind.name == "generated");
    if *settings.kind == linear_regression::SPEC && !is_generated { &linear_regression::OF_GENERATED } else { &[] }
}

/// Names of the targets that are conjugate models at their default settings, in the order of the registry; each target
/// says so itself by [`Density::conjugacy`].
#[must_use]
pub fn conjugate_targets() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        let default = |kind: &'static KindSpec| build(&Settings::defaults(kind), ".");
        let has_updates = |target: Arc<Target>| target.density().is_some_and(|density| density.conjugacy().is_some());
        let is_conjugate = |kind: &&'static KindSpec| default(kind).is_ok_and(has_updates);
        TARGETS.iter().filter(is_conjugate).map(|kind| kind.name).collect()
    });
    &NAMES
}

/// Makes a target from its settings; relative paths are looked up in `folder`.
pub type TargetBuilder = fn(settings: &Settings, folder: &Folder) -> Result<Target, Vec<ParamError>>;
