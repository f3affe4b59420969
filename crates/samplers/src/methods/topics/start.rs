//! Where inference of topics starts.

use base::math::Stream;
use base::params::{DefaultValue, KindSpec, ParamSpec, ParamType};
use models::lda::Topics;
use models::targets::TopicModel;

/// A start of inference of topics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TopicStart {
    /// Every λ_kw ~ Gamma(100, 1/100), drawn for each chain; Gibbs sampling gives every token a random topic.
    #[default]
    Random,
    /// λ by a formula, [`TopicModel::formula`].
    Formula,
    /// The best optimum that is known, [`TopicModel::optimum`].
    Truth,
}

/// The kind of a random start.
pub(crate) const RANDOM: KindSpec = KindSpec {
    name: "random",
    label: "Random topics",
    help: "Of topics: every λ ~ Gamma(100, 1/100), drawn for each chain. Gibbs sampling gives every token a random topic.",
    params: &[],
};

/// The kind of the start that other programs can have too.
pub(crate) const FORMULA: KindSpec = KindSpec {
    name: "formula",
    label: "Formula",
    help: "Of topics: λ = 1 + ½ ((7k + 3w + kw) mod 11)/11 for topic k and word w, the same in every program.",
    params: &[],
};

/// The kind of the start at the best optimum.
pub(crate) const TRUTH: KindSpec = KindSpec {
    name: "truth",
    label: "From the truth",
    help: "Of topics: the optimum to which coordinate ascent from the true topics leads, the best one that is known.",
    params: &[],
};

static STARTS: [KindSpec; 3] = [RANDOM, FORMULA, TRUTH];

/// Where the chains of a method for topics alone start.
pub(super) const START: ParamSpec =
    ParamSpec::of("start", "start", ParamType::Group(&STARTS), DefaultValue::Kind("random"), "Where the chains start.")
        .folded()
        .fixed();

impl TopicStart {
    /// The start of a kind, if it is one of topics.
    #[must_use]
    pub fn of_kind(name: &str) -> Option<Self> {
        match name {
            "random" => Some(Self::Random),
            "formula" => Some(Self::Formula),
            "truth" => Some(Self::Truth),
            _ => None,
        }
    }

    /// λ of a chain with this stream.
    pub(super) fn parameters(self, model: &TopicModel, stream: &mut Stream) -> Topics {
        let (topics, words) = (model.model.topics, model.model.words);
        let random = |stream| Topics::random(topics, words, stream);
        match self {
            Self::Random => random(stream),
            Self::Formula => model.formula(),
            // A run is not built where there is no optimum.
            Self::Truth => model.optimum().cloned().unwrap_or_else(|| random(stream)),
        }
    }
}
