//! Targets: the densities to sample or to approximate with their data, one file each, and the registry that names and builds them.
//!
//! To add a target given by a formula: copy `gallery/banana.rs` to a new file, declare it in `gallery/mod.rs`, name it below in `use`, and
//! add its line to [`ENTRIES`]. The tests of all targets then check its derivatives, normaliser, moments, modes and draws.
//!
//! A [`Target`] is the [`Space`] in which chains move, with what stands [`Behind`] their coordinates: the functions of weights
//! ([`Regression`]) or the classes ([`Classification`]). A space is a [`Density`] on the line or in the plane, a [`Model`] in d dimensions
//! with the [`Projection`] that is drawn, or a [`TopicModel`]. [`TargetInfo`] has dimension, support, modes, moments, normaliser.
//!
//! `gallery` has densities by formula, `posteriors` those of data, `formula` and `painted` what a person writes or paints and what is found
//! out about it, `network` small neural networks, `topics` latent Dirichlet allocation; `kit` has what they are made of, `data` tables and
//! files. A [`Folder`] knows where files are, and keeps the corpus and the table that were read and the targets that were built last.

mod classification;
mod curvature;
mod data;
mod density;
mod derivatives;
mod entry;
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
mod quantities;
mod regression;
mod target;
#[cfg(test)]
mod tests;
mod topics;

use std::sync::{Arc, LazyLock};

pub use classification::{Classification, outputs_of};
pub use curvature::{Curvature, CurvatureError, MOST_DENSE};
pub use data::folder::Folder;
pub use data::named_files::{PathChoice, files_in, named_files, path_choice};
pub use data::{
    Ambiguity, ColumnKind, DataNote, DecimalChoice, DecimalMark, HeaderChoice, Level, MOST_INLINE, MissingChoice,
    Reading, STEP_FILE, Sheet, SheetColumn, SheetError, sha256, step_sizes,
};
pub use data::{ColumnChoice, column_choice};
pub use density::{Conjugacy, Data, Density, highest_mode};
pub use derivatives::Derivatives;
pub use entry::Editor;
pub use formula::{form_looked_like, form_meant};
pub use functions::Functions;
pub use gallery::gaussian_mixture::mixture_components;
pub use info::{Boundary, Mode, NO_MODES, Support, TargetInfo};
pub use kit::euler::{Displacements, EulerSteps};
pub use kit::nodes::{Node, Nodes, nodes};
pub use kit::poles::is_pole;
pub use kit::transforms::{Coordinates, open_density, sampling_density};
pub use minibatch::{Minibatch, Minibatches};
pub use model::{AsModel, Disturbance, Dropout, Model, datum_variance};
pub use painted::painting_alone;
pub use precision::Precision;
pub use projection::Projection;
pub use quantities::{Combination, KnownQuantities, KnownSum, Quantities, Sureness};
pub use regression::{PLACES, Regression, places, values};
pub use target::{Behind, Space, Target, Vectors};
pub use topics::{TopicModel, TopicsLines};

use crate::families::{Family, PLANE};
use base::params::{KindSpec, ParamError, ParamSpec, Settings};
use entry::TargetEntry;
use gallery::{banana, donut, double_well, funnel, gaussian, gaussian_grid, gaussian_mixture, squiggle, three_modes};
use posteriors::{
    beta_pair, beta_posterior, bivariate_mixture, hierarchical, linear_regression, logistic_regression, normal_gamma,
    regression as regressions, two_weight,
};

/// All targets, one line each.
const ENTRIES: &[TargetEntry] = &[
    gaussian_grid::ENTRY,
    gaussian::ENTRY,
    gaussian_mixture::ENTRY,
    three_modes::ENTRY,
    double_well::ENTRY,
    banana::ENTRY,
    squiggle::ENTRY,
    donut::ENTRY,
    funnel::ENTRY,
    bivariate_mixture::ENTRY,
    beta_posterior::ENTRY,
    beta_pair::ENTRY,
    normal_gamma::ENTRY,
    two_weight::SIGN,
    two_weight::RIDGE,
    two_weight::SWAP,
    linear_regression::ENTRY,
    logistic_regression::ENTRY,
    regressions::ENTRY,
    hierarchical::ENTRY,
    formula::ENTRY,
    painted::ENTRY,
    network::ENTRY,
    topics::ENTRY,
];

/// The descriptions of all targets, in the order in which they are offered.
pub static TARGETS: [KindSpec; ENTRIES.len()] = base::kinds!(ENTRIES);

/// The entry of a kind. Kinds of other things may have the name of a target, as the schedule by a formula has, but not its parameters.
fn entry(kind: &KindSpec) -> Option<&'static TargetEntry> {
    let keys = |kind: &'static [ParamSpec]| kind.iter().map(|spec| spec.key);
    ENTRIES.iter().find(|entry| entry.spec == *kind && keys(entry.spec.params).eq(keys(kind.params)))
}

/// The family of a kind of target at its default settings.
#[must_use]
pub fn family_of(kind: &KindSpec) -> &'static Family {
    entry(kind).map_or(&PLANE, |entry| entry.family)
}

/// How targets of a kind are edited other than by controls of their parameters.
#[must_use]
pub fn editor_of(kind: &KindSpec) -> Option<Editor> {
    entry(kind)?.editor
}

/// Parameters that change nothing at these settings of a target.
#[must_use]
pub fn idle_parameters(settings: &Settings) -> &'static [&'static str] {
    entry(settings.kind).map_or(&[], |entry| (entry.idle)(settings))
}

/// Makes the target that `settings` describe; relative paths in them are looked up in `folder`.
///
/// # Errors
/// Everything that is wrong with the settings or the files they name, with paths relative to the target; or that the target which
/// they make cannot be shown.
pub fn build(settings: &Settings, folder: impl Into<Folder>) -> Result<Arc<Target>, Vec<ParamError>> {
    let unknown = || {
        let names: Vec<&str> = TARGETS.iter().map(|kind| kind.name).collect();
        vec![ParamError::new("kind", format!("there is no target \"{}\"", settings.kind.name), names.join(", "))]
    };
    let (folder, build) = (folder.into().without_data(), entry(settings.kind).ok_or_else(unknown)?.build);
    if let Some(target) = folder.target(settings) {
        return Ok(target);
    }
    let target = Arc::new(build(settings, &folder)?.with_data(folder.data()));
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
