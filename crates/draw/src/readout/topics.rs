//! Rows of the readout about topics: means over the chains of a run at the newest moment that has been measured.

use super::rows::{Cell, Row, WORKING, row};
use crate::geometry::TopicsQuantity;
use crate::words::numbers;
use crate::words::word::Word;
use engine::diagnostics::topics::{BARS, DISTANCE, DOCUMENTS, ELBO, HELD_OUT, LOG_JOINT, PERPLEXITY, TOPICS_MEASURES};
use engine::session::{ChainTopics, Frame, RunFrame, TopicsAt, TopicsMoment};
use models::targets::TopicModel;

/// The rows of all runs. Those that no run can have are left out.
pub fn rows(frame: &Frame) -> Vec<Row> {
    let Some(model) = frame.target.topics() else { return Vec::new() };
    let able = |key: &str| match key {
        key if key == DISTANCE.key => model.truth().is_some(),
        key if key == BARS.key => model.side.is_some(),
        key if [HELD_OUT.key, PERPLEXITY.key].contains(&key) => !model.corpus.held_out.is_empty(),
        key if key == LOG_JOINT.key => frame.runs.iter().any(has_log_joint),
        key if key == ELBO.key => frame.runs.iter().any(|run| run.fits.is_some()),
        _ => true,
    };
    let specs = TOPICS_MEASURES.iter().filter(|spec| able(spec.key));
    specs.map(|spec| row(spec, frame.runs.iter().map(|run| cell(run, spec.key)).collect())).collect()
}

/// The note below them.
pub fn note(frame: &Frame) -> String {
    let steps = frame.target.topics().map(local_steps).unwrap_or_default();
    format!("Means over chains; {steps}.")
}

/// How many true topics there are beside the number of bars found.
pub fn all(frame: &Frame, key: &str) -> Option<usize> {
    Some(frame.target.topics().filter(|_| key == BARS.key)?.truth()?.count())
}

/// The local steps that bounds and held-out values are computed with, in words: they decide these numbers.
#[must_use]
pub fn local_steps(model: &TopicModel) -> String {
    let change = numbers::significant(model.tolerance.change, 1);
    let most = numbers::count(model.tolerance.most_steps.into());
    format!("local steps until γ changes by less than {change}, at most {most}")
}

/// A measure of a run.
fn cell(run: &RunFrame, key: &str) -> Cell {
    let quantity = TopicsQuantity::ALL.iter().copied().find(|quantity| quantity.spec().key == key);
    if let Some(quantity) = quantity {
        return measured(run, |moment| quantity.mean(moment), reason(quantity));
    }
    if key == PERPLEXITY.key {
        return measured(run, |moment| Some((-TopicsQuantity::HeldOut.mean(moment)?).exp()), "");
    }
    let Some(at) = run.topics.last() else { return Cell::plain(None, WORKING) };
    let value = match key {
        key if key == DOCUMENTS.key => per_chain(at, |chain| chain.documents),
        "local_steps" => {
            let documents = per_chain(at, |chain| chain.documents);
            per_chain(at, |chain| chain.local_steps) / documents.max(1.0)
        }
        "guarded" => per_chain(at, |chain| chain.guarded),
        _ => per_chain(at, |chain| chain.reflections),
    };
    Cell::plain(Some(value), "")
}

/// The value at the newest moment that has been measured; none while that is the start of a run under way.
fn measured(run: &RunFrame, value: impl Fn(&TopicsMoment) -> Option<f64>, reason: &'static str) -> Cell {
    let newest = run.analysis.topics.last().filter(|moment| moment.step > 0 || run.step == 0);
    let Some(moment) = newest else { return Cell::plain(None, WORKING) };
    let step = (moment.step != run.step).then_some(moment.step);
    Cell { step, ..Cell::plain(value(moment), reason) }
}

/// Why a run that has been measured has no value.
fn reason(quantity: TopicsQuantity) -> &'static str {
    match quantity {
        TopicsQuantity::Elbo => "samplers fit no distribution",
        TopicsQuantity::LogJoint => "only of collapsed Gibbs sampling",
        TopicsQuantity::Trembling => "no step has been taken yet",
        TopicsQuantity::HeldOut | TopicsQuantity::Distance | TopicsQuantity::Bars => "not a finite number",
    }
}

fn has_log_joint(run: &RunFrame) -> bool {
    run.topics.last().is_some_and(|at| at.chains.iter().any(|chain| chain.log_joint.is_some()))
}

/// The mean of a count over chains.
fn per_chain(at: &TopicsAt, count: impl Fn(&ChainTopics) -> u64) -> f64 {
    at.chains.iter().map(|chain| count(chain) as f64).sum::<f64>() / at.chains.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::readout::{Table, leading, value};
    use crate::testing::topics_frame;

    const BARS4: &str = "corpus = { kind = \"bars\", side = 4, documents = 60 }";

    fn keys(frame: &Frame) -> Vec<&'static str> {
        let table = Table::of(frame);
        leading(&table, frame, None).iter().map(|row| row.spec.key).collect()
    }

    /// What is measured in the plane is not shown, and what leads depends on what is known of the corpus.
    #[test]
    fn topics_are_measured_as_topics() {
        let bars = topics_frame(BARS4);
        assert_eq!(keys(&bars), ["bars", "held_out_per_word", "elbo_per_word", "topic_distance", "log_joint"]);
        let triangle = topics_frame("corpus = { kind = \"triangle\", documents = 60 }");
        assert_eq!(keys(&triangle)[0], "held_out_per_word");
        let table = Table::of(&bars);
        assert!(table.row("ess_bulk").is_none() && table.row("tv").is_none());
        let hidden = table.without_truth();
        assert!(
            hidden.row("bars").is_none()
                && hidden.row("topic_distance").is_none()
                && hidden.row("perplexity").is_some()
        );
    }

    /// The values are those that are measured of the chains, and a run without one says why.
    #[test]
    fn values_are_means_over_the_chains_of_a_run() {
        let frame = topics_frame(BARS4);
        let table = Table::of(&frame);
        let value = |key: &str, run: usize| table.row(key).unwrap().cells[run].value;
        let chains = &frame.runs[0].analysis.topics.last().unwrap().chains;
        let of = |chain: usize| chains[chain].held_out.unwrap();
        let mean = (of(0) + of(1)) / 2.0;
        assert!((value("held_out_per_word", 0).unwrap() - mean).abs() < 1e-15);
        assert!((value("perplexity", 0).unwrap() - (-mean).exp()).abs() < 1e-12);
        assert_eq!(value("documents_seen", 0), Some(3000.0), "60 batches of 50");
        assert_eq!(value("documents_seen", 1), Some(720.0), "12 sweeps over 60 documents");
        assert_eq!(value("guarded", 0), Some(0.0));
        assert!(value("local_steps", 1).unwrap() > 1.0);
        let gibbs = &table.row("elbo_per_word").unwrap().cells[2];
        assert_eq!((gibbs.value, gibbs.reason), (None, "samplers fit no distribution"));
        assert!(value("log_joint", 2).unwrap() < 0.0 && value("log_joint", 0).is_none());
    }

    /// Values of the start are not those of a run under way, and those of another earlier step have it beside them.
    #[test]
    fn values_that_are_behind_are_left_out_or_name_their_step() {
        let mut frame = topics_frame(BARS4);
        let measured = frame.runs[0].analysis.topics.clone();
        let newest = |frame: &Frame| Table::of(frame).row("held_out_per_word").unwrap().clone();
        for moment in measured.iter() {
            Arc::make_mut(&mut frame.runs[0].analysis).topics = Arc::new(vec![moment.clone()]);
            let row = newest(&frame);
            let beside = value::beside(&row, &row.cells[0]);
            match moment.step {
                0 => assert_eq!((row.cells[0].value, row.cells[0].reason), (None, WORKING)),
                step if step == frame.runs[0].step => assert_eq!(beside, None),
                step => assert_eq!(beside, Some(format!("at step {step}"))),
            }
        }
        assert!(measured.len() > 2, "the start, the end and others");
        frame.runs[0].step = 0;
        assert!(newest(&frame).cells[0].value.is_some(), "before the first step the start is the present");
    }
}
