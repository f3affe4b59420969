//! Topics of documents: chains of distributions over words. Two entries of them stand for all in the plane.

use super::{Cost, Family, Leading, NoPositions, Substitute, Tabs};

/// Topics of documents.
pub static TOPICS: Family = Family {
    name: "topics",
    leading: Leading::always(&["bars", "held_out_per_word", "elbo_per_word", "topic_distance", "log_joint"]),
    tabs: Tabs {
        first: Some("topics"),
        canvases: Some("topics"),
        sheet: Some("heldout"),
        silent: &[
            (&["elbo"], "The ELBO of topics is in the Held-out tab, as ELBO per word (curve = \"elbo\")."),
            (
                &["trace", "noise", "truth", "compare", "error", "chain", "path", "coverage", "cycles"],
                "This plot is of a distribution in the plane. Topics have plots of their own: Topics, Held-out, Bias and variance, \
                 Schedule.",
            ),
        ],
        // Axes on both sides and lines to compare with need room, and pictures of topics can be read when they are smaller.
        higher: Some(1.09),
    },
    cost: Cost {
        name: "documents",
        spent: "Documents seen",
        help: "All runs have seen the same number of documents at every moment.",
        axis: ["documents seen", "documents seen by each chain", "documents seen by all chains"],
        log: "Documents on a logarithmic axis, which shows the first steps",
        counts_data: true,
        seconds: true,
    },
    without: &[
        "start.point",
        "start.uniform",
        "start.target",
        "start.prior",
        "gradient.noisy",
        "gradient.batches",
        "initial_sd",
        "expectations",
        "draws",
    ],
    alone: &["start.random", "start.formula", "start.truth", "local_start"],
    start: Some("random"),
    substitute: Substitute { method: "svi", batch: Some(50.0) },
    long_steps: true,
    no_positions: Some(NoPositions {
        follows: "topics cannot follow another target while runs are under way",
        challenge: "topics are no places, and their measures are others",
        noise: "topics have no gradient to which noise could be added",
        shared_batches: "every chain of inference of topics has minibatches of its own",
    }),
};
