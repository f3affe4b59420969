//! Tabs of the plots: key, label, help and options. Files, window and command line read them here; `draw::views` has the plots.
#![expect(missing_docs, reason = "each tab says in its help what it is")]

use super::options::{
    self, ALIGN, BESIDE, BOTH, COORDINATE, CURVE, CYCLE, CYCLES_SHOWN, DIRECTION, ERROR_OF, EXACT_LINES, FORMULA,
    LINES, LOG, LOG_MEASURE, LOG_STEPS, MEASURE, PART, PICTURE, QUANTITY, RELEVANCE, REPEATS, SCALE, SHOWN, STATISTIC,
    STEPS, SURFACE, SWEEP, THRESHOLD,
};
use base::params::{KindSpec, ParamSpec};

const fn tab(name: &'static str, label: &'static str, help: &'static str, params: &'static [ParamSpec]) -> KindSpec {
    KindSpec { name, label, help, params }
}

pub const SCHEDULE: KindSpec =
    tab("schedule", "Schedule", "Step sizes over the run; drag the handles to change them", &[LOG, STEPS]);
pub const TOPICS: KindSpec = tab(
    "topics",
    "Topics",
    "A picture of each topic of every run, with the true topics beside them; topics and documents can be read",
    &[RELEVANCE, options::CHAIN, ALIGN],
);
pub const HELD_OUT: KindSpec = tab(
    "heldout",
    "Held-out",
    "Held-out log likelihood of topics over the run; or ELBO, log p(w, z), distance to the true topics, bars found, trembling",
    &[CURVE, LOG_STEPS, STEPS],
);
pub const FUNCTIONS: KindSpec =
    tab("functions", "Functions", "The function of each draw, with mean and bands, beside the weights", &[BESIDE]);
pub const MAPS: KindSpec = tab(
    "maps",
    "Maps",
    "What the draws say of classes over the plane of inputs, beside the weights",
    &[QUANTITY, BESIDE],
);
pub const RELIABILITY: KindSpec = tab(
    "reliability",
    "Reliability",
    "How often predictions of test data are right, against how often they say that they are",
    &[],
);
pub const TEST_ERRORS: KindSpec =
    tab("test-errors", "Test errors", "Errors on test data by method and number of chains", &[]);
pub const WEIGHTS: KindSpec = tab(
    "weights",
    "Weights",
    "All weights of the draws seen in a plane, and the way from one draw to another",
    &[PICTURE, SURFACE, THRESHOLD, DIRECTION],
);
pub const COEFFICIENTS: KindSpec = tab(
    "coefficients",
    "Coefficients",
    "Mean and intervals of every coefficient, of each run beside the reference",
    &[SCALE],
);
pub const PAIRS: KindSpec = tab(
    "pairs",
    "Pairs",
    "Coefficients against each other: draws, densities and correlations; a click shows two of them on the canvases",
    &[options::PAIRS],
);
pub const PREDICTIVE: KindSpec = tab(
    "predictive",
    "Predictive check",
    "The data beside those that the model makes with draws of the posterior, and a statistic of both with its p-value",
    &[STATISTIC],
);
pub const TRACE: KindSpec = tab("trace", "Trace", "Coordinates over the run", &[COORDINATE, STEPS]);
pub const STEP: KindSpec = tab(
    "step",
    "Step",
    "The newest step explained: its formula, its algorithm line by line, and what each part comes to; slow motion shows one part after \
     the other",
    &[FORMULA, LINES],
);
pub const NOISE: KindSpec = tab(
    "noise",
    "Noise",
    "Drift, gradient noise, injected noise and momentum of the steps",
    &[COORDINATE, BOTH, LOG_STEPS, STEPS],
);
pub const ELBO: KindSpec = tab("elbo", "ELBO", "Evidence lower bound over the run", &[LOG_STEPS, STEPS]);
pub const BIAS_VARIANCE: KindSpec =
    tab("smoothing", "Bias and variance", "Squared bias and variance of averages over a window of steps", &[LOG_STEPS]);
pub const CONVERGENCE: KindSpec = tab(
    "truth",
    "Convergence",
    "One measure as the runs proceed, over repeats with other seeds",
    &[MEASURE, LOG_MEASURE, REPEATS, EXACT_LINES],
);
pub const COMPARE: KindSpec = tab(
    "compare",
    "Compare",
    "Samplers and approximations against their cost, over repeats with other seeds",
    &[REPEATS, EXACT_LINES],
);
pub const ERROR: KindSpec = tab(
    "error",
    "Error parts",
    "The error of the draws as bias, transient and Monte Carlo error, computed without draws, and the bias against the step size",
    &[ERROR_OF],
);
pub const CHAIN: KindSpec = tab("chain", "Chain", "Ranks, autocorrelation, running mean", &[COORDINATE]);
pub const PATH: KindSpec =
    tab("path", "Path", "Log density along lines between the ends of consecutive cycles", &[CYCLE]);
pub const COVERAGE: KindSpec =
    tab("coverage", "Coverage", "Coverage against fidelity: mode-weight KL and KL within modes", &[]);
pub const CYCLES: KindSpec = tab(
    "cycles",
    "Cycles",
    "Modes at the ends of cycles, as they are expected without drawing, beside those of the run",
    &[CYCLES_SHOWN],
);
pub const MAP: KindSpec =
    tab("map", "Map", "A measure of a run over a grid of its parameters or those of its target", &[SWEEP, SHOWN, PART]);

/// All tabs, in the order of the window.
pub static TABS: [KindSpec; 24] = [
    SCHEDULE,
    TOPICS,
    HELD_OUT,
    FUNCTIONS,
    MAPS,
    RELIABILITY,
    TEST_ERRORS,
    WEIGHTS,
    COEFFICIENTS,
    PAIRS,
    PREDICTIVE,
    TRACE,
    STEP,
    NOISE,
    ELBO,
    BIAS_VARIANCE,
    CONVERGENCE,
    COMPARE,
    ERROR,
    CHAIN,
    PATH,
    COVERAGE,
    CYCLES,
    MAP,
];
