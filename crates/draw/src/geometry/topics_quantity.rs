//! What is drawn of topics against time.

use crate::words::word::Word;
use base::params::ParamSpec;
use engine::diagnostics::{MeasureSpec, topics};
use engine::scenario::view::options;
use engine::session::{ChainMoment, TopicsMoment};

/// A quantity of the topics of a chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TopicsQuantity {
    /// The held-out log likelihood per word.
    #[default]
    HeldOut,
    /// The evidence lower bound per word.
    Elbo,
    /// log p(w, z).
    LogJoint,
    /// The mean Hellinger distance to the true topics.
    Distance,
    /// The number of bars found.
    Bars,
    /// The trembling of topics.
    Trembling,
}

impl Word for TopicsQuantity {
    const SPEC: &'static ParamSpec = &options::CURVE;
    const ALL: &'static [Self] =
        &[Self::HeldOut, Self::Elbo, Self::LogJoint, Self::Distance, Self::Bars, Self::Trembling];
}

impl TopicsQuantity {
    /// The label of its axis.
    #[must_use]
    pub fn axis(self) -> &'static str {
        match self {
            Self::HeldOut | Self::Elbo => "nats per word",
            Self::LogJoint => "nats",
            Self::Distance => "Hellinger distance",
            Self::Bars => "bars",
            Self::Trembling => "‖ΔE β‖ per step",
        }
    }

    /// Whether it is drawn on a logarithmic axis: its values are positive, of several powers of ten.
    #[must_use]
    pub fn is_logarithmic(self) -> bool {
        self == Self::Trembling
    }

    /// The measure that it is.
    #[must_use]
    pub fn spec(self) -> &'static MeasureSpec {
        match self {
            Self::HeldOut => &topics::HELD_OUT,
            Self::Elbo => &topics::ELBO,
            Self::LogJoint => &topics::LOG_JOINT,
            Self::Distance => &topics::DISTANCE,
            Self::Bars => &topics::BARS,
            Self::Trembling => &topics::TREMBLING,
        }
    }

    /// Its value for a chain, if it has one.
    #[must_use]
    pub fn value(self, chain: &ChainMoment) -> Option<f64> {
        let value = match self {
            Self::HeldOut => chain.held_out,
            Self::Elbo => chain.elbo,
            Self::LogJoint => chain.log_joint,
            Self::Distance => chain.hellinger.as_ref().and_then(|all| mean(all.iter().copied())),
            Self::Bars => chain.bars.map(|bars| bars as f64),
            Self::Trembling => chain.trembling,
        };
        value.filter(|value| value.is_finite())
    }

    /// Its mean over the chains that have it.
    #[must_use]
    pub fn mean(self, moment: &TopicsMoment) -> Option<f64> {
        mean(moment.chains.iter().filter_map(|chain| self.value(chain)))
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_those_of_the_chains_that_have_them() {
        let chain = |held_out| ChainMoment {
            documents: 9,
            elbo: None,
            held_out,
            labels: vec![0, 1],
            hellinger: Some(vec![0.1, 0.3]),
            divergence: None,
            bars: Some(7),
            log_joint: None,
            trembling: None,
        };
        let moment = TopicsMoment { step: 3, chains: vec![chain(Some(-2.0)), chain(Some(-3.0)), chain(None)] };
        assert_eq!(TopicsQuantity::HeldOut.mean(&moment), Some(-2.5));
        assert!((TopicsQuantity::Distance.mean(&moment).unwrap() - 0.2).abs() < 1e-15);
        assert_eq!(TopicsQuantity::Bars.mean(&moment), Some(7.0));
        assert_eq!(TopicsQuantity::Elbo.mean(&moment), None);
        assert!(
            TopicsQuantity::ALL.iter().copied().all(|quantity| TopicsQuantity::named(quantity.key()) == Some(quantity))
        );
    }
}
