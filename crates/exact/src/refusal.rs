//! Why no exact distribution is computed, in words that a window can show.

use thiserror::Error;

/// Why a distribution cannot be computed, or cannot be trusted.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum Refusal {
    /// A grid without a width, or with too few or too many nodes.
    #[error(
        "a grid from {low} to {high} with {nodes} nodes: it needs a finite width and between {least} and {most} nodes"
    )]
    Grid {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
        /// Nodes that were asked for along an axis.
        nodes: usize,
        /// Nodes at least.
        least: usize,
        /// Nodes at most.
        most: usize,
    },
    /// The map of a step stretches more than a grid of this spacing can follow.
    #[error(
        "a step of size {alpha} stretches the density so much that the grid would have to be {} times as fine; \
         at most {most} times is computed",
        many(*ratio)
    )]
    Stretch {
        /// α of the step.
        alpha: f64,
        /// How many times finer the sources have to be.
        ratio: f64,
        /// The largest ratio.
        most: usize,
    },
    /// A start at a point is narrower after a step than the grid shows.
    #[error(
        "after a step of size {alpha} from one point the density is narrower than the grid shows: it needs {nodes} nodes"
    )]
    Narrow {
        /// α of the step.
        alpha: f64,
        /// Nodes that are enough.
        nodes: usize,
    },
    /// Something is no number.
    #[error("the distribution is not a number at step {step}")]
    NotANumber {
        /// The number of the step, from 1; 0 for the start and for a target whose derivatives are no numbers.
        step: u64,
    },
    /// More than a hundredth of the mass has left.
    #[error("{:.2} % of the chains have left the box of the grid", 100.0 * lost)]
    Left {
        /// The share that has left.
        lost: f64,
    },
    /// More than a hundredth leaves in each step: nothing stays the same from step to step.
    #[error("no distribution is stationary: {:.2} % of the chains leave the box of the grid in each step, as they do above the limit of stability 2/λ", 100.0 * rate)]
    Leaves {
        /// The share that leaves in a step.
        rate: f64,
    },
    /// The grid is too coarse for the density.
    #[error("the grid is too coarse: masses between its nodes oscillate")]
    Coarse,
    /// An iteration did not end.
    #[error("{what} did not converge after {steps} steps")]
    NotConverged {
        /// What was computed.
        what: &'static str,
        /// Steps that were made.
        steps: usize,
    },
    /// Something that no distribution on the line or in the plane describes.
    #[error("{0}")]
    Unsuited(&'static str),
}

impl Refusal {
    /// A first step without noise from a point.
    pub(crate) const STAYS_A_POINT: Self = Self::Unsuited(
        "chains begin at one point and their first step has no noise: they go on as one point, which no grid shows",
    );
}

/// A number of times, which has few digits.
fn many(times: f64) -> String {
    if times > 1e6 { "more than a million".to_owned() } else { format!("{times:.0}") }
}
