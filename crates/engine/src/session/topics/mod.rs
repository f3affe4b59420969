//! Topics of the chains of a run, kept now and then: the topics canvas and its plots are drawn from them.
//!
//! They are kept at the steps whose parts are recorded too ([`super::step_parts`]), at every one, every second, every fourth …
//! of them, so that all together fit into [`MOST_NUMBERS`]; and the newest step is always there.

mod at_end;
mod measured;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::kept;
use models::lda::{Moved, Topics};
use models::targets::TopicModel;
use samplers::methods::{Tally, TopicChain};

pub use at_end::measure_topics;
pub use measured::{ChainMoment, TopicsMoment, TopicsOrder};
pub(super) use measured::{IN_ONE_GO, measured, ordered};

/// Numbers of all topics that a run keeps, at most: 128 MiB.
const MOST_NUMBERS: usize = 1 << 24;

/// Steps at which topics are kept at least, where all of them together are more than that.
const FEWEST: usize = 8;

/// Steps at which topics are kept, at most.
const MOST: usize = 512;

/// The topics of the chains of a run after a step.
#[derive(Clone, Debug)]
pub struct TopicsAt {
    /// Number of the step.
    pub step: u64,
    /// How long the steps so far took, of all chains together, in seconds; 0 if nobody has timed them. A moment that is computed
    /// again after a step back has a time that is new from the checkpoint on, so that it grows from moment to moment.
    pub seconds: f64,
    /// The topics of every chain.
    pub chains: Vec<Arc<ChainTopics>>,
}

/// The topics of a chain.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainTopics {
    /// Documents seen by this chain so far.
    pub documents: u64,
    /// What `parameters` are.
    pub kind: TopicsKind,
    /// K × V numbers.
    pub parameters: Topics,
    /// Steps so far that had to be shortened or left out to keep λ positive, of averaged gradients.
    pub guarded: u64,
    /// Iterations of local steps so far.
    pub local_steps: u64,
    /// Entries of ω that have been reflected at 0 so far.
    pub reflections: u64,
    /// How far the topics have moved so far.
    pub moved: Moved,
    /// log p(w, z) in nats, of collapsed Gibbs sampling.
    pub log_joint: Option<f64>,
}

/// What the parameters of topics are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopicsKind {
    /// Parameters of Dirichlet distributions of β: λ of variational inference, n_kw + η of collapsed Gibbs sampling.
    Dirichlet,
    /// A draw: ω, whose shares within a topic are β.
    Draw,
}

/// Every how many steps of `count` topics are kept, where all chains together have `each` numbers.
pub(super) fn stride(count: usize, each: usize) -> usize {
    kept::stride(count, (MOST_NUMBERS / each.max(1)).clamp(FEWEST, MOST))
}

impl ChainTopics {
    /// The topics of a chain as they are now.
    pub(super) fn of(chain: &TopicChain, model: &TopicModel) -> Self {
        let Tally { documents, guarded, local_steps, reflections, moved } = chain.tally();
        let kind = if chain.is_draw() { TopicsKind::Draw } else { TopicsKind::Dirichlet };
        let (parameters, log_joint) = (chain.parameters(), chain.log_joint(model));
        Self { documents, kind, parameters, guarded, local_steps, reflections, moved, log_joint }
    }

    /// The topics themselves, every one a distribution of words: E β, or the draw of β.
    #[must_use]
    pub fn mean(&self) -> Topics {
        self.parameters.normalised()
    }

    /// The standard deviation of every entry of β; `None` of a draw.
    #[must_use]
    pub fn sd(&self) -> Option<Topics> {
        (self.kind == TopicsKind::Dirichlet).then(|| self.parameters.dirichlet_sd())
    }
}
