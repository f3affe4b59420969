//! Topics of a run: the chains that infer them, and what is kept of them.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use rayon::prelude::{IntoParallelIterator, ParallelIterator};

use super::super::block::Block;
use super::super::spending::Spending;
use super::super::step_parts;
use super::super::target_timeline::TargetContext;
use super::super::topics::{ChainTopics, TopicsAt, stride};
use super::Run;
use crate::scenario::{RunPlan, Segment, Start};
use base::math::Coords;
use models::targets::TopicModel;
use samplers::methods::TopicChain;

/// Numbers in all checkpoints of a run together: 256 MiB.
const KEPT_NUMBERS: usize = 1 << 25;

/// Gives the chains of blocks their topics, and puts their positions into `starts`; does nothing on other targets.
pub(super) fn begin(
    plan: &RunPlan,
    context: &TargetContext,
    (seed, run): (u64, u64),
    blocks: &mut [Block],
    starts: &mut Coords,
) {
    let Some((model, method)) = context.target.topics().zip(plan.segments[0].method.inference()) else { return };
    let start = if let Start::Topics(start) = plan.start { start } else { Default::default() };
    let begin = |chain| TopicChain::begin(method, model, start, context.simd, (seed, run, chain));
    let mut chains: Vec<TopicChain> = (0..plan.chains as u64).into_par_iter().map(begin).collect();
    let mut first = 0;
    for block in blocks {
        let others = chains.split_off(block.population().len().min(chains.len()));
        for (chain, topics) in chains.iter().enumerate() {
            starts.set_point(first + chain, topics.point(model));
        }
        first += chains.len();
        block.set_topics(std::mem::replace(&mut chains, others), model);
    }
}

/// Steps between two checkpoints of a plan on topics: as few as memory allows.
pub(super) fn interval(plan: &RunPlan, model: &TopicModel, most: u64) -> u64 {
    let of = |segment: &Segment| Some(segment.method.inference()?.numbers(model, &segment.gradient));
    let each = plan.segments.iter().filter_map(of).max().unwrap_or(1);
    let numbers = each.saturating_mul(plan.chains).max(1);
    let checkpoints = (KEPT_NUMBERS / numbers).max(1) as u64;
    plan.steps.div_ceil(checkpoints.min(most)).max(1)
}

/// The work in a step of a chain, in units of about one step of a chain of a sampler: 50 ns.
pub(super) fn work(model: &TopicModel, evaluations: f64) -> f64 {
    let tokens = model.corpus.training.token_count() as f64;
    evaluations * tokens * model.model.topics as f64 / 4.0
}

impl Run {
    /// Keeps the topics of the chains after a step whose parts are `sampled`, or which is the last one.
    pub(super) fn keep_topics(&mut self, sampled: bool) {
        let Some(model) = self.context.target.topics() else { return };
        let steps = self.plan.segment_of(self.state.step).steps;
        let samples = std::iter::successors(Some(1), |step| Some(step_parts::after(*step, steps)));
        let count = samples.take_while(|step| *step <= steps).count();
        let each = self.plan.chains * model.model.topics * model.model.words;
        if sampled
            && !self.step_parts.all().len().is_multiple_of(stride(count, each))
            && self.state.step < self.plan.steps
        {
            return;
        }
        let now = self.topics_now(model);
        self.topics.push(now);
    }

    /// The topics that are kept, with those of the present step.
    pub(super) fn topics(&self) -> Arc<Vec<Arc<TopicsAt>>> {
        match self.context.target.topics() {
            Some(model) if self.topics.all().last().is_none_or(|at| at.step < self.state.step) => {
                let mut topics = self.topics.clone();
                topics.push(self.topics_now(model));
                topics.all().clone()
            }
            _ => self.topics.all().clone(),
        }
    }

    /// The time that the steps took, as a curve over those after which topics are kept; `None` if nobody times them.
    pub(super) fn seconds(&self, topics: &[Arc<TopicsAt>]) -> Option<Arc<Spending>> {
        let point = |at: &Arc<TopicsAt>| [at.step as f64, at.seconds];
        self.stopwatch.as_ref()?;
        (!topics.is_empty()).then(|| Arc::new(Spending::through(topics.iter().map(point))))
    }

    /// The topics of the present step, made once.
    fn topics_now(&self, model: &TopicModel) -> Arc<TopicsAt> {
        let mut newest = self.newest_topics.lock().unwrap_or_else(PoisonError::into_inner);
        let known = newest.take_if(|at| at.step == self.state.step);
        let fresh = || {
            let chains = || self.state.blocks.iter().flat_map(|block| &block.population().topics);
            let seconds = chains().map(TopicChain::time).sum::<Duration>().as_secs_f64();
            let chains = chains().map(|chain| Arc::new(ChainTopics::of(chain, model))).collect();
            Arc::new(TopicsAt { step: self.state.step, seconds, chains })
        };
        newest.insert(known.unwrap_or_else(fresh)).clone()
    }

    /// Forgets topics and their measures after a step.
    pub(super) fn forget_topics(&mut self, step: u64) {
        self.topics.forget_after(step);
        *self.newest_topics.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
