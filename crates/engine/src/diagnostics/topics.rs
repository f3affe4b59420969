//! Measures of topics: their names and meanings. The values come from what a session keeps of the topics of every chain.

use super::{Better, MeasureSpec};

/// The measures of topics, in the order in which they are shown. Values are means over the chains of a run.
pub static TOPICS_MEASURES: [MeasureSpec; 11] =
    [DOCUMENTS, HELD_OUT, PERPLEXITY, ELBO, LOG_JOINT, DISTANCE, BARS, TREMBLING, LOCAL_STEPS, GUARDED, REFLECTIONS];

const fn spec(key: &'static str, label: &'static str, help: &'static str, better: Better) -> MeasureSpec {
    MeasureSpec { key, label, help, better, headline: true, of_truth: false }
}

const fn detail(key: &'static str, label: &'static str, help: &'static str) -> MeasureSpec {
    MeasureSpec { key, label, help, better: Better::Neither, headline: false, of_truth: false }
}

/// Cost.
pub const DOCUMENTS: MeasureSpec = spec(
    "documents_seen",
    "Documents seen",
    "Documents that a chain has seen so far: those of its batches, or all of them in every sweep.",
    Better::Neither,
);

/// Document completion.
pub const HELD_OUT: MeasureSpec = spec(
    "held_out_per_word",
    "Held-out per word",
    "The mean log probability of every second token of held-out documents, given the tokens between, in nats. It depends on the \
     tolerance of the local steps.",
    Better::Higher,
);

/// Document completion in another scale.
pub const PERPLEXITY: MeasureSpec = MeasureSpec {
    headline: false,
    of_truth: false,
    ..spec("perplexity", "Perplexity", "The exponential of minus the held-out value.", Better::Lower)
};

/// The bound.
pub const ELBO: MeasureSpec = spec(
    "elbo_per_word",
    "ELBO per word",
    "The evidence lower bound over all training documents, divided by their number of tokens, in nats, with fresh local steps. It \
     depends on their tolerance.",
    Better::Higher,
);

/// The trace of Gibbs sampling.
pub const LOG_JOINT: MeasureSpec = spec(
    "log_joint",
    "log p(w, z)",
    "The log probability of all tokens with their topics, of collapsed Gibbs sampling, in nats.",
    Better::Neither,
);

/// Distance to the truth.
pub const DISTANCE: MeasureSpec = MeasureSpec {
    of_truth: true,
    ..spec(
        "topic_distance",
        "Distance to true topics",
        "The mean Hellinger distance between true topics and the found ones that are matched to them, from 0 to 1.",
        Better::Lower,
    )
};

/// What files of earlier versions call it, and what it is called: the first is a measure of draws as well.
pub const FORMER_DISTANCE: (&str, &str) = ("hellinger", DISTANCE.key);

/// Bars.
pub const BARS: MeasureSpec = MeasureSpec {
    of_truth: true,
    ..spec(
        "bars",
        "Bars found",
        "Bars for which some topic has at least 80 % of its probability on the pixels of the bar.",
        Better::Higher,
    )
};

/// Noise of the topics.
pub const TREMBLING: MeasureSpec = detail(
    "trembling",
    "Trembling per step",
    "The distance ‖ΔE β‖ that the means of all topics move in a step: its root mean square over the newest tenth of the steps. \
     Averages over a window make it smaller.",
);

const LOCAL_STEPS: MeasureSpec = detail(
    "local_steps",
    "Local steps per document",
    "Iterations of local steps for each document seen, from the start of the run.",
);

const GUARDED: MeasureSpec = detail(
    "guarded",
    "Guarded steps",
    "Steps of averaged gradients that were halved until λ stayed positive, or left out.",
);

const REFLECTIONS: MeasureSpec =
    detail("reflections", "Reflections", "Entries of ω that SGRLD has reflected at 0 so far.");
