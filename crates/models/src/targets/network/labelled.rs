//! Data with labels, as choices of the target: points in the plane that belong to two or more classes.

use super::{DataSet, Likelihood, Noise, Observations, TestSet};
use crate::targets::Folder;
use crate::targets::data::{self, Cells, LEGAL};
use base::params::{
    DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings, Value, excerpt, find_kind,
};

use super::choices::{Columns, Given, TEST_SHARE, data_params, sd, standardise};

/// Most data of a class: a step costs as much as there are data.
const MOST_PER_CLASS: f64 = 500.0;

/// Most classes, for which there are colours.
const MOST_CLASSES: usize = 5;

/// The parameters of data in two classes.
const fn labelled(count: f64, noise_sd: f64) -> [ParamSpec; 5] {
    let [_, noise, seed] = data_params(noise_sd);
    [per_class("data per class", count), input_noise(noise_sd), WRONG, noise, seed]
}

/// Labels that are wrong.
const WRONG: ParamSpec = ParamSpec::number(
    "label_noise",
    "wrong labels",
    0.0,
    Interval::closed(0.0, 0.5),
    (0.0, 0.3),
    "Share of the data, of those to test with too, that have the label of the next class, evenly spread over the data.",
);

/// The same with a number of classes.
const fn in_classes(classes: f64, count: f64, noise_sd: f64) -> [ParamSpec; 6] {
    let [count, input_noise, wrong, noise, seed] = labelled(count, noise_sd);
    let help = "Number of classes: one output of the network for two, one for each of more (softmax).";
    let most = MOST_CLASSES as f64;
    let legal = Interval::closed(2.0, most);
    [
        ParamSpec::integer("classes", "classes", classes, legal, (2.0, most), help),
        count,
        input_noise,
        wrong,
        noise,
        seed,
    ]
}

const fn per_class(label: &'static str, count: f64) -> ParamSpec {
    let legal = Interval::closed(2.0, MOST_PER_CLASS);
    ParamSpec::integer("count", label, count, legal, (5.0, 100.0), "Number of data in each class or cluster.")
}

const fn input_noise(noise_sd: f64) -> ParamSpec {
    sd("noise_sd", "noise sd", noise_sd, "Standard deviation of the noise of places, along both axes.")
}

const OF_MOONS: [ParamSpec; 5] = labelled(50.0, 0.2);
const OF_CIRCLES: [ParamSpec; 5] = labelled(50.0, 0.1);
const OF_XOR: [ParamSpec; 5] = {
    let [_, input_noise, wrong, noise, seed] = labelled(20.0, 0.35);
    [per_class("data per cluster", 20.0), input_noise, wrong, noise, seed]
};
/// The choices of data in two classes that are set by hand, of data in a file, and of data in a table inside of the scenario.
const POINTS: &str = "class-points";
const FILE: &str = "class-csv";
const INLINE: &str = "class-inline";

/// The parameters with the points of the two classes.
const CLASSES: [&str; 2] = ["class_0", "class_1"];

/// The first points of the two classes.
const FIRST: [[[f64; 2]; 4]; 2] =
    [[[-1.0, 0.5], [-0.5, 1.0], [0.0, 1.0], [-1.2, 1.2]], [[1.0, -0.5], [0.5, -1.0], [0.0, -1.0], [1.2, -1.2]]];

const fn class(key: &'static str, label: &'static str, first: &'static [[f64; 2]]) -> ParamSpec {
    let help = "The places of the class. They can be dragged on the maps.";
    ParamSpec::of(key, label, ParamType::Points { legal: LEGAL }, DefaultValue::Points(first), help).folded()
}

const OF_POINTS: [ParamSpec; 2] = [class(CLASSES[0], "class 0", &FIRST[0]), class(CLASSES[1], "class 1", &FIRST[1])];

const X: ParamSpec = data::column("x_column", "column of x₁", "1");
const Y: ParamSpec = data::column("y_column", "column of x₂", "2");
const LABEL: ParamSpec = data::column("label_column", "column of class", "3");
const STANDARDISE: ParamSpec = standardise(
    "Shift and scale both inputs to mean 0 and standard deviation 1. Priors are made for numbers of that size.",
);

const OF_FILE: [ParamSpec; 9] =
    [data::PATH, X, Y, LABEL, STANDARDISE, TEST_SHARE, data::DECIMAL, data::MISSING, data::SHA256];

const OF_TABLE: [ParamSpec; 8] = [
    data::table(
        "x,y,class\n-1.0,0.5,a\n-0.5,1.0,a\n0.0,1.0,a\n-1.2,1.2,a\n1.0,-0.5,b\n0.5,-1.0,b\n0.0,-1.0,b\n1.2,-1.2,b\n",
    ),
    X,
    Y,
    LABEL,
    STANDARDISE,
    TEST_SHARE,
    data::DECIMAL,
    data::MISSING,
];

const OF_SPIRALS: [ParamSpec; 6] = in_classes(2.0, 50.0, 0.1);
const OF_BLOBS: [ParamSpec; 6] = in_classes(4.0, 25.0, 0.5);

/// The choices.
pub(super) const KINDS: [KindSpec; 8] = [
    KindSpec {
        name: "moons",
        label: "Two moons",
        help: "Two interleaved half circles, a class each. Reference values are for 8 hidden units, with σ of weights 5 and σ of \
               biases 2: a narrower prior makes boundaries too smooth for these data.",
        params: &OF_MOONS,
    },
    KindSpec { name: "circles", label: "Circles", help: "A circle within another, a class each.", params: &OF_CIRCLES },
    KindSpec {
        name: "xor",
        label: "Exclusive or",
        help: "Four clusters at the corners of a square; opposite ones are of one class.",
        params: &OF_XOR,
    },
    KindSpec { name: "spirals", label: "Spirals", help: "Arms of a spiral, a class each.", params: &OF_SPIRALS },
    KindSpec {
        name: "blobs",
        label: "Clusters",
        help: "Clusters around a circle of radius 1.5, a class each.",
        params: &OF_BLOBS,
    },
    KindSpec {
        name: POINTS,
        label: "Classes drawn by hand",
        help: "Places of two classes that are set one by one. Other data become these when one of them is dragged.",
        params: &OF_POINTS,
    },
    KindSpec {
        name: FILE,
        label: "Classes from a file",
        help: "Three columns of a CSV file: two inputs, and a whole number or a word for the class. There are as many classes as different \
               numbers, in their order, or as different words, in the order in which they come.",
        params: &OF_FILE,
    },
    KindSpec {
        name: INLINE,
        label: "Classes in the scenario",
        help: "Three columns of a table inside of the scenario: two inputs, and a whole number or a word for the class.",
        params: &OF_TABLE,
    },
];

/// The data of a choice. Errors are relative to it.
pub(super) fn given(group: &Settings, noise: Noise, folder: &Folder) -> Result<Given, Vec<ParamError>> {
    let Labelled { observations, classes, class_names, tests } = match group.kind.name {
        POINTS => by_hand(CLASSES.map(|key| group.points(key))),
        FILE | INLINE => from_file(group, folder)?,
        _ => made(group, noise),
    };
    let (likelihood, outputs) =
        if classes > 2 { (Likelihood::Categorical, classes) } else { (Likelihood::Bernoulli, 1) };
    Ok(Given { observations, inputs: 2, likelihood, outputs, axes: ["x", "y"], class_names, tests })
}

/// Data with labels.
#[derive(Debug, Default)]
struct Labelled {
    observations: Observations,
    /// Number of classes.
    classes: usize,
    /// What they are called; none if by their numbers from 0.
    class_names: Vec<String>,
    /// Data to test with.
    tests: Vec<TestSet>,
}

/// Data that are made by a rule.
fn made(group: &Settings, noise: Noise) -> Labelled {
    let count = |key: &str| usize::try_from(group.count(key)).unwrap_or(usize::MAX);
    let sd = group.number("noise_sd");
    let several = group.kind.param("classes").is_some();
    let (count, classes) = (count("count"), if several { count("classes") } else { 2 });
    let data = match group.kind.name {
        "circles" => DataSet::Circles { count, sd },
        "xor" => DataSet::Xor { count, sd },
        "spirals" => DataSet::Spirals { classes, count, sd },
        "blobs" => DataSet::Blobs { classes, count, sd },
        _ => DataSet::Moons { count, sd },
    };
    let (mut observations, mut tests, wrong) = (data.train(noise), data.tests(noise), group.number("label_noise"));
    mislabel(&mut observations, wrong, classes);
    tests.iter_mut().for_each(|test| mislabel(&mut test.observations, wrong, classes));
    Labelled { observations, classes, tests, ..Labelled::default() }
}

/// Gives a share of the data, evenly spread, the label of the next class.
fn mislabel(data: &mut Observations, share: f64, classes: usize) {
    let before = |count: usize| (share * count as f64).floor();
    for (index, label) in data.targets.iter_mut().enumerate() {
        if before(index + 1) > before(index) {
            *label = (*label + 1.0) % classes as f64;
        }
    }
}

/// The data of two classes.
fn by_hand(classes: [&[[f64; 2]]; 2]) -> Labelled {
    let labels = classes.iter().zip([0.0, 1.0]).flat_map(|(class, label)| vec![label; class.len()]);
    let observations = Observations::labelled(&classes.concat(), labels.collect());
    Labelled { observations, classes: 2, ..Labelled::default() }
}

/// The data of a file: two inputs and a label each.
fn from_file(group: &Settings, folder: &Folder) -> Result<Labelled, Vec<ParamError>> {
    let cells =
        [("x_column", Cells::Number), ("y_column", Cells::Number), ("label_column", Cells::Class(MOST_CLASSES))];
    let mut columns = Columns::read(group, folder, cells)?;
    let words = std::mem::take(&mut columns.levels[2]);
    let mut classes = columns.values[2].clone();
    classes.sort_by(f64::total_cmp);
    classes.dedup();
    if let [only] = classes[..] {
        let only = words.first().map_or_else(|| only.to_string(), |word| format!("\"{}\"", excerpt(word)));
        let problem = format!("{}: every row is of the class {only}", data::called(group));
        return Err(vec![ParamError::new("label_column", problem, "a column with two or more classes")]);
    }
    for label in &mut columns.values[2] {
        *label = classes.partition_point(|class| class < label) as f64;
    }
    columns.standardise(&[0, 1])?;
    let (observations, tests) = columns.split(2);
    let class_names = if words.is_empty() { classes.iter().map(f64::to_string).collect() } else { words };
    Ok(Labelled { observations, classes: classes.len(), class_names, tests })
}

/// The choice of these data in two classes.
pub(super) fn drawn(inputs: &[[f64; 2]], labels: &[f64]) -> Option<Value> {
    let mut group = Settings::defaults(find_kind(&super::choices::KINDS, POINTS)?);
    for (key, class) in CLASSES.into_iter().zip([0.0, 1.0]) {
        let own = inputs.iter().zip(labels).filter(|(_, label)| (*label - class).abs() < 0.5);
        group.set(key, Value::Points(own.map(|(input, _)| *input).collect())).ok()?;
    }
    Some(Value::Group(group))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_labels_are_spread_over_all_classes_and_over_the_test_data() {
        let of = |share: f64| {
            let mut group = Settings::defaults(&KINDS[0]);
            group.set("label_noise", Value::Number(share)).unwrap();
            made(&group, Noise::Lattice)
        };
        let (clean, wrong) = (of(0.0), of(0.1));
        let (clean_tests, tests) = (clean.tests, wrong.tests);
        let (clean, wrong) = (clean.observations, wrong.observations);
        let changed = |a: &Observations, b: &Observations| -> Vec<usize> {
            (0..a.targets.len()).filter(|i| (a.targets[*i] - b.targets[*i]).abs() > 0.5).collect()
        };
        assert_eq!(changed(&clean, &wrong), (9..100).step_by(10).collect::<Vec<_>>());
        assert_eq!(changed(&clean_tests[0].observations, &tests[0].observations).len(), 20);
        assert_eq!(clean.inputs, wrong.inputs);
        let mut three = Observations::labelled(&[[0.0; 2]; 6], vec![0.0, 0.0, 1.0, 1.0, 2.0, 2.0]);
        mislabel(&mut three, 0.5, 3);
        assert_eq!(three.targets, [0.0, 1.0, 1.0, 2.0, 2.0, 0.0]);
    }
}
