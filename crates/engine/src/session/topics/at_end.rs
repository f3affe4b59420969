//! Measures of topics after the newest step of a run: means over its chains.

use super::{ChainMoment, ChainTopics, TopicsAt, TopicsMoment, measured, ordered};
use crate::diagnostics::Measure;
use crate::diagnostics::topics::{
    BARS, DISTANCE, DOCUMENTS, ELBO, HELD_OUT, LOG_JOINT, PERPLEXITY, TOPICS_MEASURES, TREMBLING,
};
use crate::session::RunFrame;
use base::math::elementary::exp;
use models::lda::Stop;
use models::targets::TopicModel;

/// Reason without topics.
const NOTHING: &str = "no topics yet";

/// The measures, in the order of [`TOPICS_MEASURES`].
pub async fn measure_topics(model: &TopicModel, run: &RunFrame) -> Vec<Measure> {
    let order = ordered(model, &run.topics, &run.analysis.topics_order);
    let moments = measured(model, &run.topics, &run.analysis.topics, &order, (1, &Stop::default())).await;
    let (at, moment) = (run.topics.last(), moments.last());
    let measure = |key: &'static str| {
        let value = match (at, moment) {
            (Some(at), Some(moment)) if at.step == moment.step => value(key, at, moment).ok_or_else(|| reason(key)),
            _ => Err(NOTHING),
        };
        let (value, reason) = (value.ok(), value.err().unwrap_or_default());
        Measure { key, value, floor: None, reason }
    };
    TOPICS_MEASURES.iter().map(|spec| measure(spec.key)).collect()
}

fn value(key: &str, at: &TopicsAt, moment: &TopicsMoment) -> Option<f64> {
    let of_moment = |value: fn(&ChainMoment) -> Option<f64>| {
        mean(moment.chains.iter().filter_map(value).filter(|value| value.is_finite()))
    };
    let count = |count: fn(&ChainTopics) -> u64| mean(at.chains.iter().map(|chain| count(chain) as f64));
    match key {
        key if key == HELD_OUT.key => of_moment(|chain| chain.held_out),
        key if key == PERPLEXITY.key => of_moment(|chain| chain.held_out).map(|held_out| exp(-held_out)),
        key if key == ELBO.key => of_moment(|chain| chain.elbo),
        key if key == LOG_JOINT.key => of_moment(|chain| chain.log_joint),
        key if key == DISTANCE.key => of_moment(|chain| mean(chain.hellinger.as_ref()?.iter().copied())),
        key if key == BARS.key => of_moment(|chain| chain.bars.map(|bars| bars as f64)),
        key if key == TREMBLING.key => of_moment(|chain| chain.trembling),
        key if key == DOCUMENTS.key => count(|chain| chain.documents),
        "local_steps" => Some(count(|chain| chain.local_steps)? / count(|chain| chain.documents)?.max(1.0)),
        "guarded" => count(|chain| chain.guarded),
        _ => count(|chain| chain.reflections),
    }
}

/// Why a run that has been measured has no value.
fn reason(key: &str) -> &'static str {
    match key {
        key if key == ELBO.key => "samplers fit no distribution",
        key if key == LOG_JOINT.key => "only of collapsed Gibbs sampling",
        key if key == BARS.key => "only of corpora of bars",
        key if key == DISTANCE.key => "the true topics are not known",
        _ => "not a finite number",
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}
