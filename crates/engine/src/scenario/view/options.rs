//! Options of the tabs: key, label, help and words. Labels and helps are those of the controls in the row of tabs; the label of a list
//! is its name for screen readers.
#![expect(missing_docs, reason = "each option says in its help what it is")]

use crate::diagnostics::topics;
use base::params::{Choice, DefaultValue, Interval, ParamSpec, ParamType};

const fn flag(key: &'static str, label: &'static str, on: bool, help: &'static str) -> ParamSpec {
    ParamSpec::of(key, label, ParamType::Flag, DefaultValue::Flag(on), help)
}

pub const LOG: ParamSpec = flag("log", "log", false, "Step sizes on a logarithmic axis");

pub const LOG_MEASURE: ParamSpec = flag("log", "log", true, "The measure on a logarithmic axis");

pub const EXACT_LINES: ParamSpec = flag(
    "exact",
    "exact",
    true,
    "A dotted line of what endlessly many chains score, computed without draws: what more draws do not cure",
);

pub const ERROR_OF: ParamSpec = ParamSpec::of(
    "error",
    "Error",
    ParamType::Choice(&[
        Choice {
            name: "tv",
            label: "total variation",
            help: "The largest error of any probability, on the cells in which draws are counted.",
        },
        Choice {
            name: "kl",
            label: "KL(q‖p)",
            help: "The Kullback–Leibler divergence of the draws from the target, on the same cells.",
        },
        Choice { name: "hellinger", label: "Hellinger distance", help: "The Hellinger distance, on the same cells." },
        Choice {
            name: "mean_error",
            label: "error of the mean",
            help: "The distance of the mean from that of the target.",
        },
        Choice {
            name: "covariance_error",
            label: "error of the covariance",
            help: "The distance of the covariance from that of the target (Frobenius).",
        },
    ]),
    DefaultValue::Word("tv"),
    "The error whose parts are shown.",
);

pub const CYCLES_SHOWN: ParamSpec = ParamSpec::of(
    "cycles",
    "Curves of cycles",
    ParamType::Choice(&[
        Choice {
            name: "ends",
            label: "modes at the ends",
            help: "The number of modes in which cycles have ended: expected, and those of the chains.",
        },
        Choice {
            name: "decided",
            label: "where the mode is decided",
            help: "The probability that a chain still changes its mode until the end of the cycle, by its position in the cycle.",
        },
    ]),
    DefaultValue::Word("ends"),
    "What is drawn beside the matrices of modes.",
);

pub const LOG_STEPS: ParamSpec =
    flag("log_steps", "log steps", true, "Steps, gradient evaluations or seconds on a logarithmic axis.");

pub const FORMULA: ParamSpec =
    flag("formula", "formula", true, "The formula of the step, with its terms in the colours of the arrows");

pub const LINES: ParamSpec = ParamSpec::of(
    "lines",
    "Lines of the algorithm",
    ParamType::Choice(&[
        Choice { name: "words", label: "in words", help: "The algorithm line by line, in plain words." },
        Choice { name: "code", label: "as NumPy code", help: "The algorithm as Python code that runs." },
        Choice { name: "hidden", label: "hidden", help: "No algorithm: what is there to be guessed." },
    ]),
    DefaultValue::Word("words"),
    "How the lines of the algorithm are shown.",
);

pub const BOTH: ParamSpec = flag("both", "both", false, "Length of the parts in the plane, not along one axis");

pub const COORDINATE: ParamSpec = ParamSpec::of(
    "coordinate",
    "coordinate",
    ParamType::Choice(&[
        Choice { name: "x", label: "x", help: "The first coordinate." },
        Choice { name: "y", label: "y", help: "The second coordinate." },
    ]),
    DefaultValue::Absent,
    "The coordinate of a plot that shows one at a time; left out, x in the window, and all of them in a figure.",
);

pub const QUANTITY: ParamSpec = ParamSpec::of(
    "quantity",
    "Quantity of the maps",
    ParamType::Choice(&[
        Choice {
            name: "probability",
            label: "probability p̄",
            help: "The mean of the draws' probabilities of the classes.",
        },
        Choice {
            name: "entropy",
            label: "entropy of p̄",
            help: "What is not known of a label: noise in labels, and what the weights leave open.",
        },
        Choice {
            name: "information",
            label: "mutual information",
            help: "The part of the entropy that the weights leave open, which more data would take away (BALD).",
        },
    ]),
    DefaultValue::Word("probability"),
    "What the maps of a classification show.",
);

const PICTURES: [Choice; 5] = [
    Choice {
        name: "weights",
        label: "by weights (PCA)",
        help: "The two directions in which the weights of the draws spread most. Near draws have similar weights.",
    },
    Choice {
        name: "functions",
        label: "by functions (MDS)",
        help: "Draws at distances that are those of their functions, as far as two dimensions can. Near draws predict alike; lines connect \
               clusters.",
    },
    Choice {
        name: "plane",
        label: "plane of three draws",
        help: "A loss on the plane through three draws; other draws are fainter the further they are from it.",
    },
    Choice {
        name: "path",
        label: "path of two draws",
        help: "The loss on the straight line between two draws, as they are and with their hidden units matched.",
    },
    Choice {
        name: "direction",
        label: "direction from a draw",
        help: "The loss on a line through a draw in a random direction, as long in each unit as the weights to that unit are.",
    },
];

pub const PICTURE: ParamSpec = ParamSpec::of(
    "picture",
    "Picture of the weights",
    ParamType::Choice(&PICTURES),
    DefaultValue::Word("weights"),
    "From which side weight space is looked at.",
);

/// The word for canvases instead of a picture of weight space.
pub const CANVASES: &str = "canvases";

const BESIDE_HELP: &str = "What stands beside this plot: the canvases, with two weights, or all weights of the draws";

const BESIDES: [Choice; 6] = {
    let [weights, functions, plane, path, direction] = PICTURES;
    let canvases = Choice { name: CANVASES, label: "canvases", help: BESIDE_HELP };
    [canvases, weights, functions, plane, path, direction]
};

pub const BESIDE: ParamSpec =
    ParamSpec::of("beside", "Beside the plot", ParamType::Choice(&BESIDES), DefaultValue::Word(CANVASES), BESIDE_HELP);

pub const THRESHOLD: ParamSpec = ParamSpec::number(
    "threshold",
    "Threshold of clusters",
    0.1,
    Interval::NON_NEGATIVE,
    (0.0, 1.0),
    "Draws whose functions are at most this far apart are neighbours (root mean square over inputs, of f or of probabilities); a \
     cluster is all that neighbours connect (single linkage)",
)
.optional();

pub const SURFACE: ParamSpec = ParamSpec::of(
    "surface",
    "Height of the surface",
    ParamType::Choice(&[
        Choice {
            name: "posterior",
            label: "−log p",
            help: "The negative log posterior density of the weights, in nats.",
        },
        Choice {
            name: "nll",
            label: "NLL of the data",
            help: "The negative log likelihood of all data together, in nats: −log p without the prior.",
        },
        Choice {
            name: "test-nll",
            label: "NLL of test data",
            help: "The negative log likelihood of all test data together, in nats.",
        },
        Choice {
            name: "error",
            label: "error on the data",
            help: "On the data: the root mean square of y − f, or the share of wrong classes.",
        },
        Choice {
            name: "test-error",
            label: "test error",
            help: "On test data: the root mean square of y − f, or the share of wrong classes.",
        },
    ]),
    DefaultValue::Word("posterior"),
    "The height of the surface of a plane.",
);

pub const DIRECTION: ParamSpec = ParamSpec::integer(
    "direction",
    "Direction",
    1.0,
    Interval::closed(1.0, 1e6),
    (1.0, 20.0),
    "The number of the random direction; the same number is the same direction",
);

pub const RELEVANCE: ParamSpec = ParamSpec::number(
    "relevance",
    "Relevance λ",
    0.6,
    Interval::closed(0.0, 1.0),
    (0.0, 1.0),
    "How words are sorted (relevance, LDAvis): λ = 1 by their probability in the topic, λ = 0 by how much more probable the topic makes \
     them",
);

pub const CHAIN: ParamSpec = ParamSpec::integer(
    "chain",
    "Chain",
    1.0,
    Interval::closed(1.0, 1e6),
    (1.0, 64.0),
    "The chain whose topics are shown; of runs with fewer chains the last one",
);

pub const ALIGN: ParamSpec = flag(
    "align",
    "align labels",
    true,
    "Error bars of samplers: the topics of all draws are matched before they are averaged. Without that, topics that exchange their \
     labels mix",
);

pub const CURVE: ParamSpec = ParamSpec::of(
    "curve",
    "Quantity",
    ParamType::Choice(&[
        Choice { name: "held-out", label: "held-out log likelihood", help: topics::HELD_OUT.help },
        Choice { name: "elbo", label: "ELBO per word", help: topics::ELBO.help },
        Choice { name: "log-joint", label: "log p(w, z)", help: topics::LOG_JOINT.help },
        Choice { name: "distance", label: "distance to true topics", help: topics::DISTANCE.help },
        Choice { name: "bars", label: "bars found", help: topics::BARS.help },
        Choice { name: "trembling", label: "trembling of topics", help: topics::TREMBLING.help },
    ]),
    DefaultValue::Word("held-out"),
    "What is drawn against time.",
);

pub const SCALE: ParamSpec = ParamSpec::of(
    "scale",
    "Scale of coefficients",
    ParamType::Choice(&[
        Choice { name: "values", label: "as they are", help: "The values, all on one axis." },
        Choice {
            name: "reference-sds",
            label: "in reference sds",
            help: "The difference from the mean of the reference, in units of its standard deviation: errors of all rows on one scale.",
        },
        Choice {
            name: "file-units",
            label: "in the units of the file",
            help: "Intercept, coefficients and σ as they are without standardising, with their numbers: what another program finds in the same file.",
        },
    ]),
    DefaultValue::Word("values"),
    "The scale on which coefficients are shown.",
);

pub const PAIRS: ParamSpec = ParamSpec::of(
    "quantities",
    "Quantities",
    ParamType::Text,
    DefaultValue::Absent,
    "The quantities of the pair plot, two to six, by their numbers in the Coefficients tab from 1: \"1, 2, 5\"; left out, all coordinates, or \
     the first three and the last two.",
);

/// The numbers of quantities, from 0 and in ascending order, that a text such as `1, 2, 5` names; `None` unless they are two to six.
#[must_use]
pub fn quantities(text: &str) -> Option<Vec<usize>> {
    let number = |word: &str| word.trim().parse::<usize>().ok()?.checked_sub(1).filter(|number| *number <= LARGEST);
    let mut numbers = text.split(',').map(number).collect::<Option<Vec<_>>>()?;
    numbers.sort_unstable();
    numbers.dedup();
    (2..=MOST_QUANTITIES).contains(&numbers.len()).then_some(numbers)
}

/// Quantities of a pair plot at most, and the largest of their numbers, from 0.
pub const MOST_QUANTITIES: usize = 6;
const LARGEST: usize = 254;

pub const STATISTIC: ParamSpec = ParamSpec::of(
    "statistic",
    "Statistic",
    ParamType::Choice(&[
        Choice { name: "min", label: "minimum", help: "The smallest response." },
        Choice { name: "max", label: "maximum", help: "The largest response." },
        Choice { name: "mean", label: "mean", help: "The mean of the responses." },
        Choice { name: "sd", label: "standard deviation", help: "The standard deviation of the responses." },
    ]),
    DefaultValue::Word("max"),
    "What of the data is compared with that of replicated data.",
);

pub const SWEEP: ParamSpec = ParamSpec::of(
    "sweep",
    "Picture",
    ParamType::Choice(&[
        Choice { name: "map", label: "Map", help: "The measure over the parameters" },
        Choice {
            name: "front",
            label: "Front",
            help: "Missing modes against the error within modes, a point for each cell",
        },
        Choice { name: "both", label: "Both", help: "Both pictures; the cell at the pointer is marked in both" },
    ]),
    DefaultValue::Word("map"),
    "Which picture of the sweep is shown.",
);

pub const SHOWN: ParamSpec = ParamSpec::of(
    "shown",
    "Measure",
    ParamType::Text,
    DefaultValue::Absent,
    "The measure of the sweep that is shown, by its key; left out, the first.",
);

pub const PART: ParamSpec = ParamSpec::of(
    "part",
    "What of the measure",
    ParamType::Choice(&[
        Choice { name: "mean", label: "mean", help: "The mean over seeds" },
        Choice { name: "spread", label: "spread between seeds", help: "The standard deviation between seeds" },
        Choice { name: "bias", label: "bias", help: "The absolute value of the mean error over seeds" },
        Choice { name: "squared-error", label: "mean squared error", help: "The mean over seeds of the squared error" },
    ]),
    DefaultValue::Word("mean"),
    "What of the measure is shown, over the seeds of a cell.",
);

pub const STEPS: ParamSpec = ParamSpec::of(
    "steps",
    "steps",
    ParamType::Pair { legal: Interval::NON_NEGATIVE },
    DefaultValue::Absent,
    "The steps, gradient evaluations or seconds that the plot shows, from and to; left out, all of them.",
);

pub const MEASURE: ParamSpec =
    ParamSpec::of("measure", "Measure", ParamType::Text, DefaultValue::Word("tv"), "The measure, by its key.");

pub const REPEATS: ParamSpec = ParamSpec::integer(
    "repeats",
    "Repeats",
    8.0,
    Interval::closed(1.0, 1000.0),
    (1.0, 100.0),
    "Repeats of the scenario with other seeds.",
);

pub const CYCLE: ParamSpec = ParamSpec::integer(
    "cycle",
    "cycle",
    0.0,
    Interval::NON_NEGATIVE,
    (0.0, 100.0),
    "The cycle from whose end the line begins, from 0; left out, the newest.",
)
.optional();
