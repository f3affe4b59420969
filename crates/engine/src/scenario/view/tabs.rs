//! Tabs of the plots: key, label, help and options. Files, window and command line read them here; `draw::views` has the plots.
#![expect(missing_docs, reason = "each tab says in its help what it is")]

use super::options::{
    self, ALIGN, BESIDE, BOTH, COORDINATE, CURVE, CYCLE, DIRECTION, LOG, LOG_MEASURE, LOG_STEPS, MEASURE, PART,
    PICTURE, QUANTITY, RELEVANCE, REPEATS, SHOWN, STEPS, SURFACE, SWEEP, THRESHOLD,
};
use base::params::KindSpec;

pub const SCHEDULE: KindSpec = KindSpec {
    name: "schedule",
    label: "Schedule",
    help: "Step sizes over the run; drag the handles to change them",
    params: &[LOG, STEPS],
};

pub const TOPICS: KindSpec = KindSpec {
    name: "topics",
    label: "Topics",
    help: "A picture of each topic of every run, with the true topics beside them; topics and documents can be read",
    params: &[RELEVANCE, options::CHAIN, ALIGN],
};

pub const HELD_OUT: KindSpec = KindSpec {
    name: "heldout",
    label: "Held-out",
    help: "Held-out log likelihood of topics over the run; or ELBO, log p(w, z), distance to the true topics, bars found, trembling",
    params: &[CURVE, LOG_STEPS, STEPS],
};

pub const FUNCTIONS: KindSpec = KindSpec {
    name: "functions",
    label: "Functions",
    help: "The function of each draw, with mean and bands, beside the weights",
    params: &[BESIDE],
};

pub const MAPS: KindSpec = KindSpec {
    name: "maps",
    label: "Maps",
    help: "What the draws say of classes over the plane of inputs, beside the weights",
    params: &[QUANTITY, BESIDE],
};

pub const RELIABILITY: KindSpec = KindSpec {
    name: "reliability",
    label: "Reliability",
    help: "How often predictions of test data are right, against how often they say that they are",
    params: &[],
};

pub const TEST_ERRORS: KindSpec = KindSpec {
    name: "test-errors",
    label: "Test errors",
    help: "Errors on test data by method and number of chains",
    params: &[],
};

pub const WEIGHTS: KindSpec = KindSpec {
    name: "weights",
    label: "Weights",
    help: "All weights of the draws seen in a plane, and the way from one draw to another",
    params: &[PICTURE, SURFACE, THRESHOLD, DIRECTION],
};

pub const TRACE: KindSpec =
    KindSpec { name: "trace", label: "Trace", help: "Coordinates over the run", params: &[COORDINATE, STEPS] };

pub const NOISE: KindSpec = KindSpec {
    name: "noise",
    label: "Noise",
    help: "Drift, gradient noise, injected noise and momentum of the steps",
    params: &[COORDINATE, BOTH, LOG_STEPS, STEPS],
};

pub const ELBO: KindSpec =
    KindSpec { name: "elbo", label: "ELBO", help: "Evidence lower bound over the run", params: &[LOG_STEPS, STEPS] };

pub const BIAS_VARIANCE: KindSpec = KindSpec {
    name: "smoothing",
    label: "Bias and variance",
    help: "Squared bias and variance of averages over a window of steps",
    params: &[LOG_STEPS],
};

pub const CONVERGENCE: KindSpec = KindSpec {
    name: "truth",
    label: "Convergence",
    help: "One measure as the runs proceed, over repeats with other seeds",
    params: &[MEASURE, LOG_MEASURE, REPEATS],
};

pub const COMPARE: KindSpec = KindSpec {
    name: "compare",
    label: "Compare",
    help: "Samplers and approximations against their cost, over repeats with other seeds",
    params: &[REPEATS],
};

pub const CHAIN: KindSpec =
    KindSpec { name: "chain", label: "Chain", help: "Ranks, autocorrelation, running mean", params: &[COORDINATE] };

pub const PATH: KindSpec = KindSpec {
    name: "path",
    label: "Path",
    help: "Log density along lines between the ends of consecutive cycles",
    params: &[CYCLE],
};

pub const COVERAGE: KindSpec = KindSpec {
    name: "coverage",
    label: "Coverage",
    help: "Coverage against fidelity: mode-weight KL and KL within modes",
    params: &[],
};

pub const MAP: KindSpec = KindSpec {
    name: "map",
    label: "Map",
    help: "A measure over the parameters of the sweep that the scenario has",
    params: &[SWEEP, SHOWN, PART],
};

/// All tabs, in the order of the window.
pub static TABS: [KindSpec; 18] = [
    SCHEDULE,
    TOPICS,
    HELD_OUT,
    FUNCTIONS,
    MAPS,
    RELIABILITY,
    TEST_ERRORS,
    WEIGHTS,
    TRACE,
    NOISE,
    ELBO,
    BIAS_VARIANCE,
    CONVERGENCE,
    COMPARE,
    CHAIN,
    PATH,
    COVERAGE,
    MAP,
];
