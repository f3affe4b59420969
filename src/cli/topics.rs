//! Topics in the results of a run: topics with the names of words, shares of documents, measures over the run.
//!
//! All of them are CSV files with a header, in a folder of their own, one file for each run. Topics come in the order of their
//! slots, so that rows of several chains, and those of the truth, go together.

use std::io::Write;

use anyhow::Context;
use csv::Writer;
use serde_json::{Value as Json, json};

use base::math::Simd;
use base::math::elementary::exp;
use engine::session::{ChainMoment, ChainTopics, Frame, RunFrame, TopicsKind};
use models::lda::{Dropped, LeftOut, Topics, Weights};
use models::targets::TopicModel;

use super::results::Results;

/// Words of a topic in `summary.json`: the most probable ones.
const WORDS: usize = 10;

/// Folders of the files.
const TOPICS: &str = "topics";
const SHARES: &str = "shares";
const TRACES: &str = "traces";

/// Writes the files of all runs; none on other targets.
///
/// # Errors
/// If a file cannot be written.
pub fn write(results: &mut Results, frame: &Frame) -> anyhow::Result<()> {
    let Some(model) = frame.target.topics() else { return Ok(()) };
    for run in &frame.runs {
        file(results, TOPICS, run, |out| write_topics(out, model, run))?;
        file(results, SHARES, run, |out| write_shares(out, model, run))?;
        file(results, TRACES, run, |out| write_traces(out, run))?;
    }
    Ok(())
}

/// A file of a run.
fn file(
    results: &mut Results,
    folder: &str,
    run: &RunFrame,
    write: impl FnOnce(&mut Writer<&mut dyn Write>) -> csv::Result<()>,
) -> anyhow::Result<()> {
    let name = format!("{folder}/{}.csv", run.plan.name);
    let mut file = results.file(&name)?;
    {
        let mut out = Writer::from_writer(&mut file as &mut dyn Write);
        write(&mut out).and_then(|()| Ok(out.flush()?)).with_context(|| name.clone())?;
    }
    results.close(&name, file)
}

/// The newest topics of every chain of a run, with what is known of them.
fn newest(run: &RunFrame) -> impl Iterator<Item = (usize, &ChainTopics, Option<&ChainMoment>)> {
    let at = run.topics.last();
    let moment = run.analysis.topics.iter().rev().find(|moment| at.is_some_and(|at| at.step == moment.step));
    let chains = at.into_iter().flat_map(|at| at.chains.iter().enumerate());
    chains.map(move |(chain, topics)| (chain, topics.as_ref(), moment.and_then(|moment| moment.chains.get(chain))))
}

/// The topics in the order of their slots.
fn by_slot(topics: &ChainTopics, moment: Option<&ChainMoment>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..topics.parameters.count()).collect();
    if let Some(moment) = moment {
        order.sort_by_key(|topic| moment.labels.get(*topic).copied());
    }
    order
}

/// E β of every topic, or a draw of it, with the sum of its parameters: β times that sum are λ, n + η or ω. Every column has a name
/// of its own.
fn write_topics<W: Write>(out: &mut Writer<W>, model: &TopicModel, run: &RunFrame) -> csv::Result<()> {
    let vocabulary = &model.corpus.vocabulary;
    let head = ["chain", "topic", "sum"].map(|name| unlike_words(name, vocabulary));
    out.write_record(head.iter().chain(vocabulary))?;
    for (chain, topics, moment) in newest(run) {
        let (mean, sums) = (topics.mean(), topics.parameters.sums());
        for (slot, topic) in by_slot(topics, moment).into_iter().enumerate() {
            let head = [chain.to_string(), (slot + 1).to_string(), format!("{:?}", sums[topic])];
            out.write_record(head.into_iter().chain(mean.topic(topic).map(|share| format!("{share:?}"))))?;
        }
    }
    Ok(())
}

/// The name of a column, with underscores as long as a word of the corpus is the same.
fn unlike_words(name: &str, vocabulary: &[String]) -> String {
    let mut name = name.to_owned();
    while vocabulary.contains(&name) {
        name.push('_');
    }
    name
}

/// γ of every training document, by a fresh local step at the topics: of samplers at the present ones.
fn write_shares<W: Write>(out: &mut Writer<W>, model: &TopicModel, run: &RunFrame) -> csv::Result<()> {
    let names = (1..=model.model.topics).map(|topic| format!("gamma_{topic}"));
    out.write_record(["chain", "document", "name"].map(str::to_owned).into_iter().chain(names))?;
    let (simd, documents) = (Simd::widest(), &model.corpus.training);
    let mut local = model.local(simd);
    for (chain, topics, moment) in newest(run) {
        let weights = weights(topics, run, simd);
        let order = by_slot(topics, moment);
        for document in 0..documents.len() {
            local.fit(documents.bag(document), &weights);
            let gamma = local.share_parameters();
            let head = [chain.to_string(), (document + 1).to_string(), documents.name(document).to_owned()];
            out.write_record(head.into_iter().chain(order.iter().map(|topic| format!("{:?}", gamma[*topic]))))?;
        }
    }
    Ok(())
}

/// What documents see of topics: exp E log β of a distribution that has been fitted, β of samplers.
fn weights(topics: &ChainTopics, run: &RunFrame, simd: Simd) -> Weights {
    if run.fits.is_some() && topics.kind == TopicsKind::Dirichlet {
        Weights::of(simd, &topics.parameters)
    } else {
        Weights::known(&topics.mean())
    }
}

/// Measures at all moments at which they are known; a cell is empty where a measure does not apply.
fn write_traces<W: Write>(out: &mut Writer<W>, run: &RunFrame) -> csv::Result<()> {
    let keys =
        ["chain", "step", "documents", "elbo", "held_out", "hellinger", "divergence", "bars", "log_joint", "trembling"];
    out.write_record(keys.into_iter().chain(["guarded", "local_steps", "reflections"]))?;
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:?}"));
    for moment in run.analysis.topics.iter() {
        let Ok(at) = run.topics.binary_search_by_key(&moment.step, |at| at.step) else { continue };
        for (chain, (of, topics)) in moment.chains.iter().zip(&run.topics[at].chains).enumerate() {
            out.write_record([
                chain.to_string(),
                moment.step.to_string(),
                of.documents.to_string(),
                number(of.elbo),
                number(of.held_out),
                number(distance(of)),
                number(of.divergence),
                of.bars.map_or_else(String::new, |bars| bars.to_string()),
                number(of.log_joint),
                number(of.trembling),
                topics.guarded.to_string(),
                topics.local_steps.to_string(),
                topics.reflections.to_string(),
            ])?;
        }
    }
    Ok(())
}

/// The mean Hellinger distance to the true topics.
fn distance(moment: &ChainMoment) -> Option<f64> {
    let distances = moment.hellinger.as_ref().filter(|distances| !distances.is_empty())?;
    Some(distances.iter().sum::<f64>() / distances.len() as f64)
}

/// Topics in `summary.json`; `None` on other targets.
pub fn summary(frame: &Frame, run: &RunFrame) -> Option<Json> {
    let model = frame.target.topics()?;
    let (corpus, sizes, tolerance) = (&model.corpus, model.model, model.tolerance);
    let lines = run.analysis.topics_lines;
    let chain = |(_, topics, moment): (usize, &ChainTopics, Option<&ChainMoment>)| {
        let held_out = moment.and_then(|moment| moment.held_out);
        json!({
            "documents_seen": topics.documents,
            "elbo_per_word": moment.and_then(|moment| moment.elbo),
            "held_out_per_word": held_out,
            "perplexity": held_out.map(|value| exp(-value)),
            "hellinger": moment.and_then(distance),
            "divergence": moment.and_then(|moment| moment.divergence),
            "bars": moment.and_then(|moment| moment.bars),
            "log_joint": topics.log_joint,
            "trembling": moment.and_then(|moment| moment.trembling),
            "guarded": topics.guarded,
            "local_steps": topics.local_steps,
            "reflections": topics.reflections,
            "words": words(&topics.mean(), &by_slot(topics, moment), model),
        })
    };
    Some(json!({
        "topics": sizes.topics,
        "words": sizes.words,
        "documents": corpus.training.len(),
        "held_out_documents": corpus.held_out.len(),
        "tokens": corpus.training.token_count(),
        "dropped": dropped(&corpus.dropped),
        "alpha": sizes.alpha,
        "eta": sizes.eta,
        "local_tolerance": tolerance.change,
        "local_steps": tolerance.most_steps,
        "lines": {
            "uniform": lines.map(|lines| lines.uniform),
            "unigram": lines.and_then(|lines| lines.unigram),
            "truth": lines.and_then(|lines| lines.truth),
        },
        "chains": newest(run).map(chain).collect::<Vec<_>>(),
    }))
}

/// Documents and words that were left out.
fn dropped(dropped: &Dropped) -> Json {
    let Dropped { empty, emptied, words, undivided, guessed, .. } = dropped;
    let of_rule = |left: &LeftOut| {
        let LeftOut { rule, words, tokens, most } = left;
        (rule.key().to_owned(), json!({ "words": words, "tokens": tokens, "most_frequent": most }))
    };
    let words: serde_json::Map<String, Json> = words.iter().map(of_rule).collect();
    json!({
        "documents": { "without_words": empty, "with_none_that_stay": emptied },
        "tokens": dropped.tokens(),
        "pruned": dropped.pruned(),
        "words": words,
        "undivided_letters": undivided,
        "files_read_as_windows_1252": guessed,
    })
}

/// The most probable words of every topic.
fn words(mean: &Topics, order: &[usize], model: &TopicModel) -> Vec<Vec<String>> {
    let of_topic = |&topic: &usize| {
        let mut shares: Vec<(usize, f64)> = mean.topic(topic).enumerate().collect();
        shares.sort_by(|one, other| other.1.total_cmp(&one.1));
        shares.into_iter().take(WORDS).map(|(word, _)| model.corpus.vocabulary[word].clone()).collect()
    };
    order.iter().map(of_topic).collect()
}
