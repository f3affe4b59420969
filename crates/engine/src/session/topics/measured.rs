//! Measures of topics, computed in the background from those that are kept: bound, held-out value, labels, distances.
//!
//! A moment of a large corpus takes seconds. So the newest one comes first, then a few over the whole run, then those between
//! them, a bounded amount of work at a time, up to as many moments as the corpus allows. What has been measured stays.

use std::sync::Arc;

use super::super::kept::stride as stride_of;
use super::{ChainTopics, TopicsAt, TopicsKind};
use base::math::Simd;
use models::lda::{Elbo, Local, Matching, Stop, bars_found};
use models::targets::TopicModel;

/// Work in one go, after which what has been measured is shown: numbers n φ of local steps, about ten in a microsecond.
pub(in crate::session) const IN_ONE_GO: usize = 3_000_000;

/// Work over a run at most, as far as [`FEWEST`] allows: half a minute.
const OVER_A_RUN: usize = 300_000_000;

/// Moments of a run that are measured, at least and at most.
const FEWEST: usize = 4;
const MOST: usize = 128;

/// What is known of the topics of the chains of a run after a step.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicsMoment {
    /// Number of the step.
    pub step: u64,
    /// The measures of every chain.
    pub chains: Vec<ChainMoment>,
}

/// Measures of the topics of a chain. What is not a finite number is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainMoment {
    /// Documents seen by the chain so far.
    pub documents: u64,
    /// The evidence lower bound per token of the training documents, in nats, with fresh local steps at the tolerance of the
    /// target; `None` of samplers.
    pub elbo: Option<f64>,
    /// The mean of ln p per predicted token of the held-out documents; `None` without any. Of samplers at the present topics.
    pub held_out: Option<f64>,
    /// The label of every topic, which is its colour: that of the true topic that it is matched with, else that of the topic of
    /// the moment before. Topics without a partner come after all true ones.
    pub labels: Vec<usize>,
    /// For every true topic the Hellinger distance to the topic with its label, from 0 to 1; 1 where there is none.
    pub hellinger: Option<Vec<f64>>,
    /// The mean Kullback–Leibler divergence KL(true ‖ found) of the pairs, in nats.
    pub divergence: Option<f64>,
    /// Number of bars found, of corpora of bars.
    pub bars: Option<usize>,
    /// log p(w, z) in nats, of collapsed Gibbs sampling.
    pub log_joint: Option<f64>,
    /// The root mean square of ‖ΔE β‖ over the newest tenth of the steps, as far back as topics are kept.
    pub trembling: Option<f64>,
}

/// The labels of the topics of every chain after a step.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicsOrder {
    /// Number of the step.
    pub step: u64,
    chains: Vec<Vec<usize>>,
}

/// The labels of topics where no truth gives them: those of the first are their numbers, and later ones are matched with those
/// that were kept before. They depend on what is kept alone.
pub fn ordered(model: &TopicModel, kept: &[Arc<TopicsAt>], known: &Arc<Vec<TopicsOrder>>) -> Arc<Vec<TopicsOrder>> {
    if model.truth().is_some() {
        return Arc::default();
    }
    let same = known.iter().zip(kept).take_while(|(ordered, at)| ordered.step == at.step).count();
    if same == known.len() && same == kept.len() {
        return known.clone();
    }
    let mut all = known[..same].to_vec();
    for (index, at) in kept.iter().enumerate().skip(same) {
        let labels_of = |chain: usize| match index.checked_sub(1) {
            Some(before) => follow(&all[before].chains[chain], &kept[before].chains[chain], &at.chains[chain]),
            None => (0..model.model.topics).collect(),
        };
        let chains = (0..at.chains.len()).map(labels_of).collect();
        all.push(TopicsOrder { step: at.step, chains });
    }
    Arc::new(all)
}

/// Labels of topics that follow those of earlier ones.
fn follow(labels: &[usize], before: &ChainTopics, now: &ChainTopics) -> Vec<usize> {
    let mut followed = labels.to_vec();
    if before.is_finite() && now.is_finite() {
        for (topic, found) in Matching::new(&before.mean(), &now.mean()).found.into_iter().enumerate() {
            if let Some(found) = found {
                followed[found] = labels[topic];
            }
        }
    }
    followed
}

/// The moments that are known, with some more of those that are kept: about as many as this much work is enough for, and one
/// at least. Once it is stopped no more are measured.
pub async fn measured(
    model: &TopicModel,
    kept: &[Arc<TopicsAt>],
    known: &Arc<Vec<Arc<TopicsMoment>>>,
    order: &[TopicsOrder],
    (work, stop): (usize, &Stop),
) -> Arc<Vec<Arc<TopicsMoment>>> {
    let Some(last) = kept.len().checked_sub(1) else { return Arc::default() };
    let each = model.corpus.training.entry_count() * model.model.topics * kept[last].chains.len();
    let stride = stride_of(kept.len(), (OVER_A_RUN / each.max(1)).clamp(FEWEST, MOST));
    let wanted = |index: usize| index == last || index.is_multiple_of(stride);
    let find = |step| known.binary_search_by_key(&step, |moment| moment.step).ok();
    let mut found: Vec<Option<Arc<TopicsMoment>>> = vec![None; kept.len()];
    for (index, at) in kept.iter().enumerate().filter(|(index, _)| wanted(*index)) {
        found[index] = find(at.step).map(|number| known[number].clone());
    }
    let mut local = model.local(Simd::widest());
    let mut left = work.div_ceil(each.max(1));
    for index in coarse_to_fine(last, stride) {
        if left == 0 || found[index].is_some() {
            continue;
        }
        left -= 1;
        let at = &kept[index];
        let labels = order.get(index).map(|ordered| &ordered.chains);
        let mut chains = Vec::with_capacity(at.chains.len());
        for (number, topics) in at.chains.iter().enumerate() {
            let labels = labels.map(|labels| &labels[number][..]);
            chains.extend(ChainMoment::of(model, topics, labels, (&mut local, stop)).await);
        }
        if chains.len() < at.chains.len() {
            break;
        }
        found[index] = Some(Arc::new(TopicsMoment { step: at.step, chains }));
    }
    let found = found.into_iter().enumerate().filter_map(|(index, moment)| Some((index, moment?)));
    Arc::new(found.map(|(index, moment)| with_trembling(kept, index, moment)).collect())
}

/// A moment with the trembling of its chains: from the last moment that is kept of the first nine tenths of the steps to this
/// one. It depends on what is kept alone.
fn with_trembling(kept: &[Arc<TopicsAt>], index: usize, mut moment: Arc<TopicsMoment>) -> Arc<TopicsMoment> {
    let now = &kept[index];
    let from = kept[..index].partition_point(|at| 10 * at.step <= 9 * now.step).checked_sub(1).map(|at| &kept[at]);
    let of = |chain: usize| {
        let from = from?;
        now.chains[chain].moved.per_step(from.chains[chain].moved, now.step - from.step)
    };
    let found: Vec<Option<f64>> = (0..now.chains.len()).map(of).collect();
    if moment.chains.iter().map(|chain| chain.trembling).ne(found.iter().copied()) {
        let chains = Arc::make_mut(&mut moment).chains.iter_mut();
        chains.zip(found).for_each(|(chain, found)| chain.trembling = found);
    }
    moment
}

/// The last index, then the multiples of the largest power of two times `stride` up to it, then those of half of that, and so
/// on to those of `stride`. Indices come more than once.
pub(super) fn coarse_to_fine(last: usize, stride: usize) -> impl Iterator<Item = usize> {
    let steps = std::iter::successors(Some(last.max(stride).next_power_of_two()), |step| Some(step / 2));
    let levels = steps.take_while(move |step| *step >= stride.max(1));
    std::iter::once(last).chain(levels.flat_map(move |step| (0..=last).step_by(step)))
}

impl ChainTopics {
    /// Whether all parameters are finite, and every topic has some mass.
    fn is_finite(&self) -> bool {
        let sums = self.parameters.sums();
        self.parameters.values().iter().all(|value| value.is_finite())
            && sums.iter().all(|sum| *sum > 0.0 && sum.is_finite())
    }
}

impl ChainMoment {
    /// `None` if it was stopped.
    async fn of(
        model: &TopicModel,
        topics: &ChainTopics,
        labels: Option<&[usize]>,
        (local, stop): (&mut Local, &Stop),
    ) -> Option<Self> {
        let count = model.model.topics;
        let mut moment = Self {
            documents: topics.documents,
            elbo: None,
            held_out: None,
            labels: labels.map_or_else(|| (0..count).collect(), <[usize]>::to_vec),
            hellinger: None,
            divergence: None,
            bars: None,
            log_joint: topics.log_joint,
            trembling: None,
        };
        if !topics.is_finite() {
            return Some(moment);
        }
        let (mean, completion) = (topics.mean(), model.completion());
        let finite = |value: &f64| value.is_finite();
        if topics.kind == TopicsKind::Dirichlet && topics.log_joint.is_none() {
            let training = &model.corpus.training;
            let bound = Elbo::unless(stop, &topics.parameters, &model.model, training, local).await?.total();
            moment.elbo = Some(bound / training.token_count() as f64).filter(finite);
            moment.held_out = completion.scored(&topics.parameters, local).await.filter(finite);
        } else {
            moment.held_out = completion.known_scored(&mean, local).await.filter(finite);
        }
        if let Some(truth) = model.truth() {
            let matching = Matching::new(truth, &mean);
            moment.labels = matching.indices(count);
            moment.hellinger = Some(matching.distances.iter().map(|distance| distance.unwrap_or(1.0)).collect());
            moment.divergence = matching.mean_divergence(truth, &mean).filter(finite);
            moment.bars = model.side.map(|_| bars_found(truth, &mean));
        }
        Some(moment)
    }
}
