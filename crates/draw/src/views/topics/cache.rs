//! What the plot of topics keeps: the newest pictures of each run, what is chosen to be read, and the word that is lit.
//!
//! Pictures are made in the background; the last one stays until the next is there. The spread over draws takes longest, and has a
//! job of its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::Context;

use super::geometry::{
    DocumentShares, Relevance, Spread, TokenTopics, TopicsPicture, collected_draws, document_shares, token_topics,
    word_shares,
};
use super::input::TopicsInput;
use super::seen::{Event, Seen};
use crate::kit::background::{Same, SameTarget, Slot};
use engine::session::{ChainTopics, Frame, RunFrame};
use models::lda::Topics;
use models::targets::TopicModel;

/// How topics of a corpus are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The pixels of squares with this side.
    Bars(usize),
    /// Points of a triangle.
    Triangle,
    /// Words with bars.
    Words,
}

/// What is known of a corpus.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) kind: Kind,
    /// p(w) of every word.
    pub(super) shares: Vec<f64>,
    /// n_w of every word.
    pub(super) counts: Vec<f64>,
}

/// What is chosen to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    /// The run.
    pub(super) run: usize,
    /// The slot of a topic.
    pub(super) topic: Option<usize>,
    /// A training document.
    pub(super) document: Option<usize>,
}

/// The picture of a run's topics, with what is known besides.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) picture: Arc<TopicsPicture>,
    /// The spread over the draws of a sampler.
    over_draws: Option<Arc<Spread>>,
    /// The topics themselves.
    pub(super) topics: Arc<ChainTopics>,
}

impl Shown {
    /// The spread over draws, or that of Dirichlet(λ).
    pub(super) fn spread(&self) -> Option<&Spread> {
        let slots = |spread: &&Spread| spread.mean.count() == self.picture.order.len();
        self.over_draws.as_deref().filter(slots).or(self.picture.spread.as_ref())
    }
}

type SameTopics = Same<ChainTopics>;

/// What a picture depends on.
#[derive(Clone, Debug, PartialEq)]
struct PictureKey {
    target: SameTarget,
    topics: SameTopics,
    slots: Option<Vec<usize>>,
    relevance: Relevance,
}

/// What a spread over draws depends on: how many there are, the newest, and where its topics are.
#[derive(Clone, Debug, PartialEq)]
struct SpreadKey {
    target: SameTarget,
    newest: SameTopics,
    draws: usize,
    order: Vec<Option<usize>>,
    aligned: bool,
}

/// What the reading of a document depends on.
#[derive(Clone, Debug, PartialEq)]
struct ReadingKey {
    target: SameTarget,
    topics: SameTopics,
    document: usize,
}

#[derive(Debug, Default)]
struct RunPictures {
    picture: Slot<PictureKey, Option<Arc<TopicsPicture>>>,
    spread: Slot<SpreadKey, Option<Arc<Spread>>>,
}

/// Kept pictures.
#[derive(Debug, Default)]
pub struct TopicsCache {
    facts: Option<(SameTarget, Arc<Facts>)>,
    runs: BTreeMap<usize, RunPictures>,
    shares: Slot<(SameTarget, SameTopics), Option<Arc<DocumentShares>>>,
    tokens: Slot<ReadingKey, Option<Arc<TokenTopics>>>,
    pub(super) chosen: Option<(SameTarget, Chosen)>,
    /// The word that was clicked.
    kept: Option<u32>,
    /// The word that was under the pointer in the last frame.
    pointed: Option<u32>,
}

impl TopicsCache {
    /// What is known of the corpus of a frame.
    pub(super) fn facts(&mut self, frame: &Frame, model: &TopicModel) -> Arc<Facts> {
        let target = Same(frame.target.clone());
        match &self.facts {
            Some((known, facts)) if *known == target => facts.clone(),
            _ => {
                let words = model.corpus.words();
                let other = if words == 3 { Kind::Triangle } else { Kind::Words };
                let facts = Arc::new(Facts {
                    kind: model.side.map_or(other, Kind::Bars),
                    shares: word_shares(&model.corpus, model.model.eta),
                    counts: model.corpus.training.word_counts(words),
                });
                (self.runs, self.kept, self.pointed) = (BTreeMap::new(), None, None);
                self.facts = Some((target, facts.clone()));
                facts
            }
        }
    }

    /// The newest picture of a run, and asks for the next; `None` before the first.
    pub(super) fn shown(
        &mut self,
        ctx: &Context,
        input: &TopicsInput<'_>,
        (run, facts): (usize, &Arc<Facts>),
    ) -> Option<Shown> {
        let frame = input.frame.runs.get(run)?;
        let at = frame.topics.last()?;
        let chain = input.chain.min(at.chains.len().checked_sub(1)?);
        let topics = at.chains.get(chain)?.clone();
        let target = Same(input.frame.target.clone());
        let key = PictureKey {
            target: target.clone(),
            topics: Same(topics.clone()),
            slots: slots(frame, at.step, chain).filter(|slots| slots.len() == topics.parameters.count()),
            relevance: input.relevance,
        };
        let pictures = self.runs.entry(run).or_default();
        let (job, facts) = (key.clone(), facts.clone());
        let make = async move {
            let PictureKey { target, topics: Same(topics), slots, relevance } = job;
            target
                .0
                .topics()
                .map(|model| Arc::new(TopicsPicture::of(&topics, model, slots.as_deref(), (&facts.shares, relevance))))
        };
        pictures.picture.request(key, input.computing, ctx, make);
        let newest = pictures.picture.latest()?.clone()?;
        let over_draws = pictures.over_draws(ctx, input, (frame, chain), (&target, &newest));
        Some(Shown { picture: newest, over_draws, topics })
    }

    /// What is chosen, if it is still there.
    pub(super) fn chosen(&self, input: &TopicsInput<'_>) -> Option<Chosen> {
        let (target, chosen) = self.chosen.as_ref()?;
        (*target == Same(input.frame.target.clone()) && input.runs.contains(&chosen.run)).then_some(*chosen)
    }

    /// The word that is lit.
    pub(super) fn lit(&self) -> Option<u32> {
        self.pointed.or(self.kept)
    }

    /// The shares of all documents under the topics shown.
    pub(super) fn shares(
        &mut self,
        ctx: &Context,
        input: &TopicsInput<'_>,
        shown: &Shown,
    ) -> Option<Arc<DocumentShares>> {
        let key = (Same(input.frame.target.clone()), Same(shown.topics.clone()));
        let (target, topics) = (input.frame.target.clone(), shown.topics.clone());
        let make = async move { target.topics().map(|model| Arc::new(document_shares(model, &topics))) };
        self.shares.request(key, input.computing, ctx, make);
        self.shares.latest()?.clone()
    }

    /// The tokens of a document under the topics shown.
    pub(super) fn tokens(
        &mut self,
        ctx: &Context,
        input: &TopicsInput<'_>,
        (shown, document): (&Shown, usize),
    ) -> Option<Arc<TokenTopics>> {
        let key = ReadingKey { target: Same(input.frame.target.clone()), topics: Same(shown.topics.clone()), document };
        let (target, topics) = (input.frame.target.clone(), shown.topics.clone());
        let make = async move { target.topics().map(|model| Arc::new(token_topics(model, &topics, document))) };
        self.tokens.request(key, input.computing, ctx, make);
        let (_, tokens) = self.tokens.all().find(|(known, _)| known.document == document)?;
        tokens.clone()
    }

    /// Takes in what was seen and clicked; returns whether the next frame differs.
    pub(super) fn note(&mut self, seen: Seen, frame: &Frame) -> bool {
        let moved = self.pointed != seen.word;
        self.pointed = seen.word;
        let Some(event) = seen.event else { return moved };
        let before = self.chosen.take().map(|(_, chosen)| chosen);
        let chosen = match event {
            Event::Topic(run, slot) => {
                let chosen = Chosen { run, topic: Some(slot), document: None };
                (before != Some(chosen)).then_some(chosen)
            }
            Event::Document(run, document) => {
                let topic = before.filter(|before| before.run == run).and_then(|before| before.topic);
                Some(Chosen { run, topic, document: Some(document) })
            }
            Event::Word(word) => {
                self.kept = (self.kept != Some(word)).then_some(word);
                before
            }
            Event::Back => before.map(|before| Chosen { document: None, ..before }),
            Event::Close => None,
        };
        self.chosen = chosen.map(|chosen| (Same(frame.target.clone()), chosen));
        true
    }
}

impl RunPictures {
    /// The newest spread over the draws of a sampler, and asks for the next.
    fn over_draws(
        &mut self,
        ctx: &Context,
        input: &TopicsInput<'_>,
        (run, chain): (&RunFrame, usize),
        (target, picture): (&SameTarget, &Arc<TopicsPicture>),
    ) -> Option<Arc<Spread>> {
        let draws = collected_draws(run, chain);
        let newest = Same(draws.last()?.clone());
        let (order, aligned) = (picture.order.clone(), input.aligned);
        let key = SpreadKey { target: target.clone(), newest, draws: draws.len(), order: order.clone(), aligned };
        let (of, picture) = (target.clone(), picture.clone());
        let make = async move {
            let reference = reference(&picture.mean, of.0.topics().and_then(TopicModel::truth));
            Spread::of_draws(&draws, &reference, &order, aligned).map(Arc::new)
        };
        self.spread.request(key, input.computing, ctx, make);
        self.spread.latest()?.clone()
    }
}

/// The slots of the topics of a chain at the newest moment that is known, not after a step.
fn slots(run: &RunFrame, step: u64, chain: usize) -> Option<Vec<usize>> {
    let moments = &run.analysis.topics;
    let moment = moments[..moments.partition_point(|moment| moment.step <= step)].last()?;
    Some(moment.chains.get(chain)?.labels.clone())
}

/// What draws are aligned with: the true topics, and those of a picture at slots without a true one.
fn reference(mean: &Topics, truth: Option<&Topics>) -> Topics {
    let Some(truth) = truth else { return mean.clone() };
    Topics::from_fn(mean.count(), mean.words(), |slot, word| {
        if slot < truth.count() { truth.get(slot, word) } else { mean.get(slot, word) }
    })
}
