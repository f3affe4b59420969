//! Tabs of the plots and their options, as a file names them. `draw::tabs` has the plots; a test there holds the two lists
//! against each other.

use base::params::{Choice, DefaultValue, Interval, KindSpec, ParamSpec, ParamType};

const fn flag(key: &'static str, label: &'static str, on: bool, help: &'static str) -> ParamSpec {
    ParamSpec::of(key, label, ParamType::Flag, DefaultValue::Flag(on), help)
}

const fn tab(name: &'static str, label: &'static str, params: &'static [ParamSpec]) -> KindSpec {
    KindSpec { name, label, help: "A tab below the canvases.", params }
}

const LOG: ParamSpec = flag("log", "log", false, "Step sizes on a logarithmic axis.");

const LOG_MEASURE: ParamSpec = flag("log", "log", true, "The measure on a logarithmic axis.");

const LOG_STEPS: ParamSpec =
    flag("log_steps", "log steps", true, "Steps, gradient evaluations or seconds on a logarithmic axis.");

const BOTH: ParamSpec =
    flag("both", "both", false, "Length of the parts of a step in the plane, not along one coordinate.");

const COORDINATE: ParamSpec = ParamSpec::of(
    "coordinate",
    "coordinate",
    ParamType::Choice(&[
        Choice { name: "x", label: "x", help: "The first coordinate." },
        Choice { name: "y", label: "y", help: "The second coordinate." },
    ]),
    DefaultValue::Absent,
    "The coordinate of a plot that shows one at a time; left out, x in the window, and all of them in a figure.",
);

const QUANTITY: ParamSpec = ParamSpec::of(
    "quantity",
    "quantity",
    ParamType::Choice(&[
        Choice {
            name: "probability",
            label: "probability p̄",
            help: "The mean of the draws' probabilities of the classes.",
        },
        Choice { name: "entropy", label: "entropy of p̄", help: "What is not known of a label, in nats." },
        Choice {
            name: "information",
            label: "mutual information",
            help: "The part of the entropy that the weights leave open (BALD), in nats.",
        },
    ]),
    DefaultValue::Word("probability"),
    "What the maps of a classification show.",
);

const PICTURES: [Choice; 5] = [
    Choice { name: "weights", label: "by weights (PCA)", help: "The first two principal components of the weights." },
    Choice {
        name: "functions",
        label: "by functions (MDS)",
        help: "Draws at distances that are those of their functions, as far as two dimensions can.",
    },
    Choice { name: "plane", label: "plane of three draws", help: "A loss on the plane through three draws." },
    Choice { name: "path", label: "path of two draws", help: "The loss on the straight line between two draws." },
    Choice {
        name: "direction",
        label: "direction from a draw",
        help: "The loss on a line through a draw in a random direction.",
    },
];

const PICTURE: ParamSpec = ParamSpec::of(
    "picture",
    "picture",
    ParamType::Choice(&PICTURES),
    DefaultValue::Word("weights"),
    "From which side weight space is looked at.",
);

/// The word for canvases in the place of a picture of weight space.
pub const CANVASES: &str = "canvases";

const BESIDES: [Choice; 6] = {
    let [weights, functions, plane, path, direction] = PICTURES;
    let canvases = Choice { name: CANVASES, label: "canvases", help: "The canvases, with two weights." };
    [canvases, weights, functions, plane, path, direction]
};

const BESIDE: ParamSpec = ParamSpec::of(
    "beside",
    "beside",
    ParamType::Choice(&BESIDES),
    DefaultValue::Word(CANVASES),
    "What stands beside the plot: the canvases, or all weights of the draws of a network.",
);

const THRESHOLD: ParamSpec = ParamSpec::number(
    "threshold",
    "threshold",
    0.1,
    Interval::NON_NEGATIVE,
    (0.0, 1.0),
    "The distance of functions up to which draws are neighbours in a cluster; left out, twice the noise of a regression, and 0.1 for \
     classes.",
)
.optional();

const SURFACE: ParamSpec = ParamSpec::of(
    "surface",
    "surface",
    ParamType::Choice(&[
        Choice { name: "posterior", label: "−log p", help: "The negative log posterior density." },
        Choice { name: "nll", label: "NLL of the data", help: "The negative log likelihood of the data." },
        Choice { name: "test-nll", label: "NLL of test data", help: "The negative log likelihood of test data." },
        Choice { name: "error", label: "error on the data", help: "RMSE, or the share of wrong classes." },
        Choice { name: "test-error", label: "test error", help: "RMSE, or the share of wrong classes, on test data." },
    ]),
    DefaultValue::Word("posterior"),
    "The height of the surface of a plane.",
);

const DIRECTION: ParamSpec = ParamSpec::integer(
    "direction",
    "direction",
    1.0,
    Interval::closed(1.0, 1e6),
    (1.0, 20.0),
    "The number of the random direction.",
);

const RELEVANCE: ParamSpec = ParamSpec::number(
    "relevance",
    "relevance",
    0.6,
    Interval::closed(0.0, 1.0),
    (0.0, 1.0),
    "How words are sorted: 1 by their probability in the topic, 0 by how much more probable the topic makes them.",
);

const CHAIN: ParamSpec = ParamSpec::integer(
    "chain",
    "chain",
    1.0,
    Interval::closed(1.0, 1e6),
    (1.0, 64.0),
    "The chain whose topics are shown, from 1.",
);

const ALIGN: ParamSpec =
    flag("align", "align labels", true, "Topics of all draws are matched before they are averaged for error bars.");

const CURVE: ParamSpec = ParamSpec::of(
    "curve",
    "quantity",
    ParamType::Choice(&[
        Choice {
            name: "held-out",
            label: "held-out log likelihood",
            help: "The mean log probability of every second token of held-out documents, given those between.",
        },
        Choice { name: "elbo", label: "ELBO per word", help: "The evidence lower bound over all training documents." },
        Choice { name: "log-joint", label: "log p(w, z)", help: "The log probability of tokens with their topics." },
        Choice { name: "distance", label: "distance to true topics", help: "The mean Hellinger distance." },
        Choice { name: "bars", label: "bars found", help: "Bars that some topic has 80 % of its probability on." },
        Choice { name: "trembling", label: "trembling of topics", help: "The distance that topics move in a step." },
    ]),
    DefaultValue::Word("held-out"),
    "What is drawn against time.",
);

const SWEEP: ParamSpec = ParamSpec::of(
    "sweep",
    "picture",
    ParamType::Choice(&[
        Choice { name: "map", label: "Map", help: "The measure over the parameters; over one of them, a curve." },
        Choice {
            name: "front",
            label: "Front",
            help: "Missing modes against the error within modes, a point for each cell.",
        },
        Choice { name: "both", label: "Both", help: "Both pictures; the cell at the pointer is marked in both." },
    ]),
    DefaultValue::Word("map"),
    "Which picture of the sweep is shown.",
);

const SHOWN: ParamSpec = ParamSpec::of(
    "shown",
    "measure",
    ParamType::Text,
    DefaultValue::Absent,
    "The measure of the sweep that is shown, by its key; left out, the first.",
);

const PART: ParamSpec = ParamSpec::of(
    "part",
    "part",
    ParamType::Choice(&[
        Choice { name: "mean", label: "mean", help: "The mean over seeds." },
        Choice { name: "spread", label: "spread between seeds", help: "The standard deviation between seeds." },
        Choice { name: "bias", label: "bias", help: "The absolute mean of an error with a sign." },
        Choice { name: "squared-error", label: "mean squared error", help: "The mean square of an error with a sign." },
    ]),
    DefaultValue::Word("mean"),
    "What of the measure is shown, over the seeds of a cell.",
);

const STEPS: ParamSpec = ParamSpec::of(
    "steps",
    "steps",
    ParamType::Pair { legal: Interval::NON_NEGATIVE },
    DefaultValue::Absent,
    "The steps, gradient evaluations or seconds that the plot shows, from and to; left out, all of them.",
);

const MEASURE: ParamSpec =
    ParamSpec::of("measure", "measure", ParamType::Text, DefaultValue::Word("tv"), "The measure, by its key.");

const REPEATS: ParamSpec = ParamSpec::integer(
    "repeats",
    "repeats",
    8.0,
    Interval::closed(1.0, 1000.0),
    (1.0, 100.0),
    "Repeats of the scenario with other seeds.",
);

const CYCLE: ParamSpec = ParamSpec::integer(
    "cycle",
    "cycle",
    0.0,
    Interval::NON_NEGATIVE,
    (0.0, 100.0),
    "The cycle from whose end the line begins, from 0; left out, the newest.",
)
.optional();

/// All tabs, in the order of the window.
pub static TABS: [KindSpec; 18] = [
    tab("schedule", "Schedule", &[LOG, STEPS]),
    tab("topics", "Topics", &[RELEVANCE, CHAIN, ALIGN]),
    tab("heldout", "Held-out", &[CURVE, LOG_STEPS, STEPS]),
    tab("functions", "Functions", &[BESIDE]),
    tab("maps", "Maps", &[QUANTITY, BESIDE]),
    tab("reliability", "Reliability", &[]),
    tab("test-errors", "Test errors", &[]),
    tab("weights", "Weights", &[PICTURE, SURFACE, THRESHOLD, DIRECTION]),
    tab("trace", "Trace", &[COORDINATE, STEPS]),
    tab("noise", "Noise", &[COORDINATE, BOTH, LOG_STEPS, STEPS]),
    tab("elbo", "ELBO", &[LOG_STEPS, STEPS]),
    tab("smoothing", "Bias and variance", &[LOG_STEPS]),
    tab("truth", "Convergence", &[MEASURE, LOG_MEASURE, REPEATS]),
    tab("compare", "Compare", &[REPEATS]),
    tab("chain", "Chain", &[COORDINATE]),
    tab("path", "Path", &[CYCLE]),
    tab("coverage", "Coverage", &[]),
    tab("map", "Map", &[SWEEP, SHOWN, PART]),
];
