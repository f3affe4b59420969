//! Data with labels, as choices of the target: places in the plane that belong to two or more classes.

use super::{DataSet, Likelihood, Noise, Observations};
use crate::params::{Interval, KindSpec, ParamSpec, Settings};

use super::target::{data_params, sd};

/// Most data of a class: a step costs as much as there are data.
const MOST_PER_CLASS: f64 = 500.0;

/// Most classes, for which there are colours.
const MOST_CLASSES: f64 = 5.0;

/// The parameters of data in two classes.
const fn labelled(count: f64, noise_sd: f64) -> [ParamSpec; 4] {
    let [_, noise, seed] = data_params(noise_sd);
    [per_class("data per class", count), noise_of_places(noise_sd), noise, seed]
}

/// The same with a number of classes.
const fn in_classes(classes: f64, count: f64, noise_sd: f64) -> [ParamSpec; 5] {
    let [count, places, noise, seed] = labelled(count, noise_sd);
    let help = "Number of classes: one output of the network for two, one for each of more (softmax).";
    let legal = Interval::closed(2.0, MOST_CLASSES);
    [ParamSpec::integer("classes", "classes", classes, legal, (2.0, MOST_CLASSES), help), count, places, noise, seed]
}

const fn per_class(label: &'static str, count: f64) -> ParamSpec {
    let legal = Interval::closed(2.0, MOST_PER_CLASS);
    ParamSpec::integer("count", label, count, legal, (5.0, 100.0), "Number of data in each class or cluster.")
}

const fn noise_of_places(noise_sd: f64) -> ParamSpec {
    sd("noise_sd", "noise sd", noise_sd, "Standard deviation of the noise of places, along both axes.")
}

const OF_MOONS: [ParamSpec; 4] = labelled(50.0, 0.2);
const OF_CIRCLES: [ParamSpec; 4] = labelled(50.0, 0.1);
const OF_XOR: [ParamSpec; 4] = {
    let [_, places, noise, seed] = labelled(20.0, 0.35);
    [per_class("data per cluster", 20.0), places, noise, seed]
};
const OF_SPIRALS: [ParamSpec; 5] = in_classes(2.0, 50.0, 0.1);
const OF_BLOBS: [ParamSpec; 5] = in_classes(4.0, 25.0, 0.5);

/// The choices.
pub(super) const KINDS: [KindSpec; 5] = [
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
];

/// The data of a choice, the likelihood of their labels, and the number of outputs that it takes; `None` for data of a function.
pub(super) fn observations(group: &Settings, noise: Noise) -> Option<(Observations, Likelihood, usize)> {
    let count = |key: &str| usize::try_from(group.count(key)).unwrap_or(usize::MAX);
    let (name, sd) = (group.kind.name, group.number("noise_sd"));
    if !KINDS.iter().any(|kind| kind.name == name) {
        return None;
    }
    let several = group.kind.param("classes").is_some();
    let (count, classes) = (count("count"), if several { count("classes") } else { 2 });
    let data = match name {
        "circles" => DataSet::Circles { count, sd },
        "xor" => DataSet::Xor { count, sd },
        "spirals" => DataSet::Spirals { classes, count, sd },
        "blobs" => DataSet::Blobs { classes, count, sd },
        _ => DataSet::Moons { count, sd },
    };
    let (likelihood, outputs) =
        if classes > 2 { (Likelihood::Categorical, classes) } else { (Likelihood::Bernoulli, 1) };
    Some((data.train(noise), likelihood, outputs))
}
