//! Data of functions, as choices of the target: an input x and a noisy value y each.

use super::choices::{Columns, Given, TEST_SHARE, data_params, standardise};
use super::{CUBIC_TARGET_UNIT, DataSet, Likelihood, Noise, Observations};
use crate::targets::Folder;
use crate::targets::data::{self, Cells, LEGAL};
use base::params::{DefaultValue, KindSpec, ParamError, ParamSpec, ParamType, Settings, Value, find_kind};

const OF_SINE: [ParamSpec; 3] = data_params(0.1);
const OF_CUBIC: [ParamSpec; 3] = data_params(3.0);

const NOISE_SD: ParamSpec = OF_SINE[0];

/// The first data drawn by hand.
const FIRST: [[f64; 2]; 8] =
    [[-1.8, 0.0], [-1.5, -0.6], [-1.2, -1.0], [-0.9, -1.2], [0.8, 1.2], [1.1, 1.1], [1.4, 0.8], [1.7, 0.3]];

const POINTS: &str = "points";

const OF_POINTS: [ParamSpec; 2] = [
    ParamSpec::of(
        POINTS,
        "data",
        ParamType::Points { legal: LEGAL },
        DefaultValue::Points(&FIRST),
        "The data (x, y). They can be dragged on the plot of functions.",
    )
    .folded(),
    NOISE_SD,
];

const X: ParamSpec = data::column("x_column", "column of x", "1");
const Y: ParamSpec = data::column("y_column", "column of y", "2");
const STANDARDISE: ParamSpec = standardise(
    "Shift and scale x and y to mean 0 and standard deviation 1. Priors are made for numbers of that size. The noise sd is then in \
     standard deviations of y. The axes say so.",
);

/// Data in a table inside of the scenario.
const INLINE: &str = "inline";

const OF_TABLE: [ParamSpec; 8] = [
    data::table("x,y\n-1.8,0.0\n-1.5,-0.6\n-1.2,-1.0\n-0.9,-1.2\n0.8,1.2\n1.1,1.1\n1.4,0.8\n1.7,0.3\n"),
    X,
    Y,
    STANDARDISE,
    TEST_SHARE,
    NOISE_SD,
    data::DECIMAL,
    data::MISSING,
];

const OF_FILE: [ParamSpec; 9] =
    [data::PATH, X, Y, STANDARDISE, TEST_SHARE, NOISE_SD, data::DECIMAL, data::MISSING, data::SHA256];

/// The choices.
pub(super) const KINDS: [KindSpec; 6] = [
    KindSpec {
        name: "gap-sine",
        label: "Sine with a gap",
        help: "Two intervals with 20 data points each, and a gap between them: y = sin 2x + 0.3x + noise.",
        params: &OF_SINE,
    },
    KindSpec {
        name: "two-clusters",
        label: "Two clusters",
        help: "Two short intervals with 25 data points each: y = cos(4x + 0.8) + noise (Foong et al. 2019).",
        params: &OF_SINE,
    },
    KindSpec {
        name: "cubic",
        label: "Cubic",
        help: "A cubic at 20 inputs: y = x³ + noise (Hernández-Lobato and Adams 2015). The network sees x/4 and y/40.",
        params: &OF_CUBIC,
    },
    KindSpec {
        name: POINTS,
        label: "Drawn by hand",
        help: "Data that are placed one by one. Other data become these when one of them is dragged.",
        params: &OF_POINTS,
    },
    KindSpec {
        name: "csv",
        label: "From a file",
        help: "Two columns of a CSV file: an input and a value.",
        params: &OF_FILE,
    },
    KindSpec {
        name: INLINE,
        label: "In the scenario",
        help: "Two columns of a table inside of the scenario: an input and a value.",
        params: &OF_TABLE,
    },
];

/// The data of a choice. Errors are relative to it.
pub(super) fn given(group: &Settings, noise: Noise, folder: &Folder) -> Result<Given, Vec<ParamError>> {
    let sd = group.number("noise_sd");
    let set = DataSet::GapSine { sd };
    let mut tests = Vec::new();
    let (observations, sd, axes) = match group.kind.name {
        "two-clusters" => (DataSet::TwoClusters { sd }.train(noise), sd, ["x", "y"]),
        "cubic" => (DataSet::Cubic { sd }.train(noise), sd / CUBIC_TARGET_UNIT, ["x / 4", "y / 40"]),
        POINTS => {
            let (inputs, targets) = group.points(POINTS).iter().map(|[x, y]| (*x, *y)).unzip();
            (Observations::pairs(inputs, targets), sd, ["x", "y"])
        }
        "csv" | INLINE => {
            let mut columns = Columns::read(group, folder, ["x_column", "y_column"].map(|key| (key, Cells::Number)))?;
            columns.standardise(&[0, 1])?;
            let scaled = group.flag("standardise");
            let (data, held_out) = columns.split(1);
            tests = held_out;
            (data, sd, if scaled { ["x (standardised)", "y (standardised)"] } else { ["x", "y"] })
        }
        _ => {
            tests = set.tests(noise);
            (set.train(noise), sd, ["x", "y"])
        }
    };
    let likelihood = Likelihood::Gaussian { sd };
    Ok(Given { observations, inputs: 1, likelihood, outputs: 1, axes, class_names: Vec::new(), tests })
}

/// The choice of these data with noise of this standard deviation.
pub(super) fn by_hand(data: &[[f64; 2]], noise_sd: f64) -> Option<Value> {
    let mut group = Settings::defaults(find_kind(&super::choices::KINDS, POINTS)?);
    group.set(POINTS, Value::Points(data.to_vec())).ok()?;
    group.set(NOISE_SD.key, Value::Number(noise_sd)).ok()?;
    Some(Value::Group(group))
}
