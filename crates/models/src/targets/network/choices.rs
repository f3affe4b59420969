//! Data of the target, as choices: data of functions and data with labels, made by a rule, drawn by hand or read from a file.

use super::{Likelihood, Noise, Observations, TestSet, labelled, measured};
use crate::targets::Folder;
use crate::targets::data::{self, Cells};
use base::params::{Choice, DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};

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
pub(super) static KINDS: [KindSpec; 14] = [
    measured::KINDS[0],
    measured::KINDS[1],
    measured::KINDS[2],
    measured::KINDS[3],
    measured::KINDS[4],
    measured::KINDS[5],
    labelled::KINDS[0],
    labelled::KINDS[1],
    labelled::KINDS[2],
    labelled::KINDS[3],
    labelled::KINDS[4],
    labelled::KINDS[5],
    labelled::KINDS[6],
    labelled::KINDS[7],
];

/// Whether data of a file are standardised.
pub(super) const fn standardise(help: &'static str) -> ParamSpec {
    ParamSpec::of("standardise", "standardise", ParamType::Flag, DefaultValue::Flag(false), help).folded()
}

/// The share of the rows of a file that are for tests.
pub(super) const TEST_SHARE: ParamSpec = ParamSpec::number(
    "test_share",
    "share to test with",
    0.0,
    Interval::closed(0.0, 0.9),
    (0.0, 0.5),
    "Share of the rows that are held out of the data, evenly spread over the file, to test predictions with.",
)
.folded();

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
    /// What the classes are called; none if by their numbers from 0.
    pub(super) class_names: Vec<String>,
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

/// Columns of a file.
pub(super) struct Columns<'a, const N: usize> {
    group: &'a Settings,
    keys: [&'static str; N],
    /// A number per row.
    pub(super) values: [Vec<f64>; N],
    /// The classes of each column that has words, by their numbers.
    pub(super) levels: [Vec<String>; N],
    /// Whether each row is held out.
    held_out: Vec<bool>,
}

impl<'a, const N: usize> Columns<'a, N> {
    /// The columns of the file that a choice names, not too long.
    pub(super) fn read(
        group: &'a Settings,
        folder: &Folder,
        columns: [(&'static str, Cells<'_>); N],
    ) -> Result<Self, Vec<ParamError>> {
        let mut levels = [const { Vec::new() }; N];
        let mut found = levels.iter_mut().zip(data::read_leveled(group, folder, columns)?);
        let values = std::array::from_fn(|_| {
            let Some((levels, (values, words))) = found.next() else { return Vec::new() };
            *levels = words;
            values
        });
        let count = values.first().map_or(0, Vec::len);
        if count > MOST_DATA {
            return Err(vec![data::too_many(group, count, MOST_DATA)]);
        }
        Ok(Self {
            group,
            keys: columns.map(|(key, _)| key),
            values,
            levels,
            held_out: held_out(count, group.number("test_share")),
        })
    }

    /// Standardises some columns by the rows that are not held out, if the choice says so.
    pub(super) fn standardise(&mut self, columns: &[usize]) -> Result<(), Vec<ParamError>> {
        if !self.group.flag("standardise") {
            return Ok(());
        }
        for column in columns {
            let own = kept(&self.values[*column], &self.held_out, false);
            let (name, path) = (self.group.word(self.keys[*column]), data::called(self.group));
            self.values[*column] = data::scale_by(&self.values[*column], &own, (name, path, self.keys[*column]))
                .map_err(|error| vec![error])?;
        }
        Ok(())
    }

    /// The data, and those to test with, of rows with `inputs` columns of inputs before one of targets.
    pub(super) fn split(&self, inputs: usize) -> (Observations, Vec<TestSet>) {
        let of = |held: bool| {
            let columns: Vec<Vec<f64>> = self.values.iter().map(|column| kept(column, &self.held_out, held)).collect();
            let rows = columns.first().map_or(0, Vec::len);
            let inputs = (0..rows).flat_map(|row| columns[..inputs].iter().map(move |column| column[row])).collect();
            Observations { inputs, targets: columns.last().cloned().unwrap_or_default() }
        };
        let tests = if self.held_out.contains(&true) {
            vec![TestSet { name: "in", observations: of(true) }]
        } else {
            Vec::new()
        };
        (of(false), tests)
    }
}

/// Which of so many rows are held out: a share of them, evenly spread.
fn held_out(rows: usize, share: f64) -> Vec<bool> {
    let before = |count: usize| (share * count as f64).floor();
    (0..rows).map(|row| before(row + 1) > before(row)).collect()
}

/// The values of the rows that are held out, or of the others.
fn kept(values: &[f64], held_out: &[bool], held: bool) -> Vec<f64> {
    values.iter().zip(held_out).filter(|(_, out)| **out == held).map(|(value, _)| *value).collect()
}
