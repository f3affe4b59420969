//! How far topics spread: the standard deviation of every β_kw, under Dirichlet(λ) or over the draws of a sampler.
//!
//! Labels of draws are aligned before anything is averaged: each draw to the topics of the picture, by Hungarian assignment on
//! squared distances. Where a state of a sampler is a Dirichlet distribution (Gibbs: β given z), its variance is added to that
//! of its means: Var β = E Var(β | z) + Var E(β | z).

use std::sync::Arc;

use super::triangle::{covariance_of, point_of};
use base::math::{Gaussian, Matrix, Point};
use engine::session::{ChainTopics, RunFrame, TopicsKind, stride};
use models::lda::{Matching, Topics};

/// Draws that a spread is computed from, at most.
const MOST_DRAWS: usize = 128;

/// Products of the costs of all alignments, at most: some tenths of a second.
const MOST_WORK: usize = 300_000_000;

/// Mean and standard deviation of every β_kw by slot.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// The means.
    pub mean: Topics,
    /// The standard deviations.
    pub sd: Topics,
    /// Of three words, mean and covariance of each topic in the plane of the triangle.
    pub regions: Vec<Gaussian>,
    /// The points of the draws in that plane, draw by draw and slot by slot.
    pub points: Vec<Vec<Point>>,
    /// The number of draws; `None` of a Dirichlet distribution.
    pub draws: Option<usize>,
}

impl Spread {
    /// The spread of Dirichlet distributions with these parameters; `order` has the topic of each slot.
    #[must_use]
    pub fn of_dirichlet(parameters: &Topics, order: &[Option<usize>]) -> Self {
        let (mean, sd) = (parameters.normalised(), parameters.dirichlet_sd());
        let plane = parameters.words() == 3;
        let region = |topic: usize| Gaussian {
            mean: point_of(mean.topic(topic)),
            covariance: covariance_of(&row(&mean, topic), parameters.topic(topic).sum()),
        };
        let nothing = Gaussian { mean: Point::zeros(), covariance: Matrix::zeros() };
        let regions = order.iter().filter(|_| plane).map(|topic| topic.map_or(nothing, region)).collect();
        Self { mean: by_slot(&mean, order), sd: by_slot(&sd, order), regions, points: Vec::new(), draws: None }
    }

    /// The spread of at least two draws around `reference`, whose topics are by slot; labels are aligned with it, or left as
    /// they are in `order`.
    #[must_use]
    pub fn of_draws(
        draws: &[Arc<ChainTopics>],
        reference: &Topics,
        order: &[Option<usize>],
        aligned: bool,
    ) -> Option<Self> {
        if draws.len() < 2 {
            return None;
        }
        let (slots, words) = (reference.count(), reference.words());
        let mut mean = Topics::filled(slots, words, 0.0);
        let (mut square, plane) = (mean.clone(), words == 3);
        let mut moments = vec![(Point::zeros(), Matrix::zeros()); if plane { slots } else { 0 }];
        let mut points = vec![Vec::new(); moments.len()];
        let share = 1.0 / draws.len() as f64;
        for draw in draws {
            let found = draw.mean();
            let order = if aligned { Matching::of_draw(reference, &found).found } else { order.to_vec() };
            let inner = draw.sd().map(|sd| by_slot(&sd, &order));
            let found = by_slot(&found, &order);
            for (index, value) in found.values().iter().enumerate() {
                let within = inner.as_ref().map_or(0.0, |sd| sd.values()[index].powi(2));
                mean.values_mut()[index] += share * value;
                square.values_mut()[index] += share * (value * value + within);
            }
            for (slot, (first, second)) in moments.iter_mut().enumerate() {
                let at = point_of(found.topic(slot));
                let within = match (draw.kind, order[slot]) {
                    (TopicsKind::Dirichlet, Some(topic)) => {
                        covariance_of(&row(&found, slot), draw.parameters.topic(topic).sum())
                    }
                    _ => Matrix::zeros(),
                };
                *first += at * share;
                *second += (at * at.transpose() + within) * share;
                points[slot].push(at);
            }
        }
        let mut sd = square;
        for (sd, mean) in sd.values_mut().iter_mut().zip(mean.values()) {
            *sd = (*sd - mean * mean).max(0.0).sqrt();
        }
        let region = |(mean, second): (Point, Matrix)| Gaussian { mean, covariance: second - mean * mean.transpose() };
        let regions = moments.into_iter().map(region).collect();
        Some(Self { mean, sd, regions, points, draws: Some(draws.len()) })
    }
}

fn row(topics: &Topics, topic: usize) -> Vec<f64> {
    topics.topic(topic).collect()
}

/// The topics of a chain at the steps whose draws are collected, at most 128 and fewer where they are large, evenly over the
/// run, for a spread over them. Empty of approximations.
#[must_use]
pub fn collected_draws(run: &RunFrame, chain: usize) -> Vec<Arc<ChainTopics>> {
    let chains = run.topics.iter().filter(|at| run.collects(at.step)).filter_map(|at| at.chains.get(chain));
    let draws: Vec<&Arc<ChainTopics>> = chains.filter(|topics| is_draw(topics)).collect();
    let work = draws.first().map_or(1, |topics| topics.parameters.count() * topics.parameters.values().len());
    let every = stride(draws.len(), MOST_DRAWS.min(MOST_WORK / work.max(1)).max(2));
    // Counted from the newest: it is always among them, and the others stay the same until there are twice as many.
    let mut kept: Vec<Arc<ChainTopics>> = draws.into_iter().rev().step_by(every).cloned().collect();
    kept.reverse();
    kept
}

/// Whether topics are a state of a sampler.
#[must_use]
pub fn is_draw(topics: &ChainTopics) -> bool {
    topics.kind == TopicsKind::Draw || topics.log_joint.is_some()
}

/// The same numbers in the order of slots, 0 where there is no topic.
pub(super) fn by_slot(topics: &Topics, order: &[Option<usize>]) -> Topics {
    Topics::from_fn(order.len(), topics.words(), |slot, word| order[slot].map_or(0.0, |topic| topics.get(topic, word)))
}
