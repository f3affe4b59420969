//! Data of the target, as choices: data of functions and data with labels, made by a rule, drawn by hand or read from a file.

use super::{Likelihood, Noise, Observations, TestSet, labelled, measured};
use crate::params::{Choice, DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};
use crate::targets::{Folder, data};

/// Most data of a file: a step with all data costs as much as there are.
const MOST_DATA: usize = 20_000;

/// A standard deviation.
pub(super) const fn sd(key: &'static str, label: &'static str, default: f64, help: &'static str) -> ParamSpec {
    ParamSpec::number(key, label, default, Interval::closed(1e-2, 1e2), (0.1, 10.0), help).log()
}

const NOISE: [Choice; 2] = [
    Choice {
        name: "lattice",
        label: "even",
        help: "Quantiles of the normal distribution in a fixed order: the same data for everyone, as typical as can be.",
    },
    Choice { name: "seeded", label: "random", help: "Draws from a seed." },
];

/// The parameters of data: their noise, whose sd is also σ of the likelihood.
pub(super) const fn data_params(noise_sd: f64) -> [ParamSpec; 3] {
    [
        sd("noise_sd", "noise sd σ", noise_sd, "Standard deviation of the noise, which the network knows."),
        ParamSpec::of(
            "noise",
            "noise",
            ParamType::Choice(&NOISE),
            DefaultValue::Word("lattice"),
            "Whether the noise is evenly spread or random.",
        )
        .folded(),
        data::SEED.folded(),
    ]
}

/// The choices.
pub(super) static KINDS: [KindSpec; 12] = [
    measured::KINDS[0],
    measured::KINDS[1],
    measured::KINDS[2],
    measured::KINDS[3],
    measured::KINDS[4],
    labelled::KINDS[0],
    labelled::KINDS[1],
    labelled::KINDS[2],
    labelled::KINDS[3],
    labelled::KINDS[4],
    labelled::KINDS[5],
    labelled::KINDS[6],
];

/// Whether inputs of a file are standardised.
pub(super) const STANDARDISE: ParamSpec = ParamSpec::of(
    "standardise",
    "standardise inputs",
    ParamType::Flag,
    DefaultValue::Flag(false),
    "Shift and scale every input to mean 0 and standard deviation 1. Priors are made for inputs of that size.",
);

/// Data, and what the network must be for them.
pub(super) struct Given {
    pub(super) observations: Observations,
    /// n₀.
    pub(super) inputs: usize,
    pub(super) likelihood: Likelihood,
    /// n_L.
    pub(super) outputs: usize,
    /// Names of input and target of a regression.
    pub(super) axes: [&'static str; 2],
    /// Data to test predictions with.
    pub(super) tests: Vec<TestSet>,
}

/// The data of a choice; without one, the first at its defaults. Errors are relative to the choice.
pub(super) fn given(group: Option<&Settings>, folder: &Folder) -> Result<Given, Vec<ParamError>> {
    let defaults = Settings::defaults(&KINDS[0]);
    let group = group.unwrap_or(&defaults);
    let has_noise = group.kind.param("noise").is_some();
    let noise =
        if has_noise && group.word("noise") == "seeded" { Noise::Seeded(group.count("seed")) } else { Noise::Lattice };
    if labelled::KINDS.iter().any(|kind| kind.name == group.kind.name) {
        labelled::given(group, noise, folder)
    } else {
        measured::given(group, noise, folder)
    }
}

/// The columns of a file, not too long.
pub(super) fn columns<const N: usize>(
    group: &Settings,
    folder: &Folder,
    keys: [&'static str; N],
) -> Result<[Vec<f64>; N], Vec<ParamError>> {
    let columns = data::read_columns(group, folder, keys)?;
    match columns.first().map_or(0, Vec::len) {
        count if count > MOST_DATA => Err(vec![data::too_many(group.word("path"), count, MOST_DATA)]),
        _ => Ok(columns),
    }
}
