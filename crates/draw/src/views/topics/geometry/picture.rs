//! The topics of a chain, ready to be drawn: means by slot, and the words of each.

use super::relevance::{Relevance, ranked};
use super::spread::{Spread, by_slot};
use engine::session::{ChainTopics, TopicsKind};
use models::lda::{Matching, Topics, bars_found};
use models::targets::TopicModel;

/// Words of a topic in a picture, at most.
const MOST_WORDS: usize = 60;

/// The topics of a chain by slot.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicsPicture {
    /// The topic at each slot; `None` at slots of true topics that nothing is matched to.
    pub order: Vec<Option<usize>>,
    /// E β by slot, or β of a draw; 0 at slots without a topic.
    pub mean: Topics,
    /// The spread of Dirichlet(λ) around it; `None` of a draw.
    pub spread: Option<Spread>,
    /// The largest probability with the standard deviation above it.
    pub largest: f64,
    /// The most relevant words of each slot, at most 60.
    pub words: Vec<Vec<u32>>,
    /// The Hellinger distance to the true topic of each slot; 1 where there is none.
    pub distances: Option<Vec<f64>>,
    /// Bars found, of corpora of bars.
    pub bars: Option<usize>,
    /// The share of all tokens that is expected in each topic, by slot; `None` of a draw.
    pub prevalence: Option<Vec<f64>>,
}

impl TopicsPicture {
    /// The picture of a chain's topics; `shares` are the p(w) of all words. Topics are matched with the true ones; where those are
    /// not known they have the given slots, or those of their numbers.
    #[must_use]
    pub fn of(
        topics: &ChainTopics,
        model: &TopicModel,
        slots: Option<&[usize]>,
        (shares, relevance): (&[f64], Relevance),
    ) -> Self {
        let (mean, count) = (topics.mean(), topics.parameters.count());
        let matching = model.truth().map(|truth| Matching::new(truth, &mean));
        let order = match &matching {
            Some(matching) => topics_by_slot(&matching.indices(count), matching.found.len()),
            None => slots.map_or_else(|| (0..count).map(Some).collect(), |slots| topics_by_slot(slots, 0)),
        };
        let bars = model.truth().filter(|_| model.side.is_some()).map(|truth| bars_found(truth, &mean));
        let distances = matching.map(|matching| matching.distances.iter().map(|found| found.unwrap_or(1.0)).collect());
        let mean = by_slot(&mean, &order);
        let spread = (topics.kind == TopicsKind::Dirichlet).then(|| Spread::of_dirichlet(&topics.parameters, &order));
        let words = (0..order.len()).map(|slot| ranked(&mean, slot, shares, relevance, MOST_WORDS)).collect();
        let prevalence = (topics.kind == TopicsKind::Dirichlet).then(|| {
            let prior = model.model.eta * topics.parameters.words() as f64;
            let tokens: Vec<f64> = topics.parameters.sums().into_iter().map(|sum| (sum - prior).max(0.0)).collect();
            let total: f64 = tokens.iter().sum();
            order.iter().map(|topic| topic.map_or(0.0, |topic| tokens[topic] / total.max(f64::MIN_POSITIVE))).collect()
        });
        let sds = spread.as_ref().map(|spread| spread.sd.values());
        let above = |(index, value): (usize, &f64)| value + sds.map_or(0.0, |sds| sds[index]);
        let largest = mean.values().iter().enumerate().map(above).fold(0.0, f64::max);
        Self { order, mean, spread, largest, words, distances, bars, prevalence }
    }
}

/// The topic at each slot, with at least `least` slots.
#[must_use]
pub fn topics_by_slot(slots: &[usize], least: usize) -> Vec<Option<usize>> {
    let count = slots.iter().map(|slot| slot + 1).max().unwrap_or(0).max(least);
    let mut order = vec![None; count];
    for (topic, &slot) in slots.iter().enumerate() {
        order[slot] = Some(topic);
    }
    order
}
