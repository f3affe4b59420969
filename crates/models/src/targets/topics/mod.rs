//! Topics of documents: latent Dirichlet allocation as a target, for methods that infer topics.
//!
//! Topics β_k ~ Dirichlet_V(η), shares of a document θ_d ~ Dirichlet_K(α), each token of a topic z ~ θ_d with the word
//! w ~ β_z; see [`crate::lda`]. There is no density in the plane: two entries of E β, of a topic and a word each, stand for all.

mod choices;
mod model;
mod words;

use self::choices::Given;
use super::{Folder, Target, TargetEntry, TargetInfo};
use crate::families::TOPICS;
use crate::lda::{MOST_TOPICS, Model, Tolerance, check};
use base::math::{Bounds, Point};
use base::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};

pub use model::{TopicModel, TopicsLines};
pub(super) use words::WORD_LISTS;

/// How much wider the view is than where entries of β are expected.
const MARGIN: f64 = 1.5;

/// The entries of β that are drawn where none are named.
const FIRST: [f64; 2] = [1.0, 1.0];
const SECOND: [f64; 2] = [2.0, 2.0];

/// A concentration of the prior. `help` ends with what it is when left out.
const fn concentration(key: &'static str, label: &'static str, least: f64, help: &'static str) -> ParamSpec {
    ParamSpec::number(key, label, 0.1, Interval::closed(least, 100.0), (0.01, 2.0), help).optional().log()
}

const fn shown(key: &'static str, label: &'static str, pair: [f64; 2]) -> ParamSpec {
    let help =
        "Which entry of β stands for a chain along this axis: the number of a topic and that of a word, both from 1.";
    let ty = ParamType::Pair { legal: Interval::closed(1.0, 2e6) };
    ParamSpec::of(key, label, ty, DefaultValue::Pair(pair), help).folded()
}

const PARAMS: [ParamSpec; 9] = [
    ParamSpec::of(
        "corpus",
        "corpus",
        ParamType::Group(&choices::KINDS),
        DefaultValue::Kind("bars"),
        "The documents.",
    ),
    ParamSpec::integer(
        "topics",
        "topics K",
        10.0,
        Interval::closed(1.0, MOST_TOPICS as f64),
        (2.0, 30.0),
        "Number of topics. Left out: as many as the corpus was generated from, else 10.",
    )
    .optional(),
    concentration(
        "alpha",
        "α of shares",
        1e-3,
        "Concentration of the prior of the topics' shares in a document. Left out: 0.2 of bars, 0.3 of the triangle, 0.5 of the \
         segment, 1 of Griffiths and Steyvers, else 0.1.",
    ),
    concentration(
        "eta",
        "η of words",
        1e-2,
        "Concentration of the prior of the words' shares in a topic. Left out: 0.1 of bars and of Griffiths and Steyvers, else 0.5.",
    ),
    ParamSpec::number(
        "local_tolerance",
        "local tolerance",
        1e-4,
        Interval::closed(1e-12, 1.0),
        (1e-6, 1e-2),
        "The local step of a document ends when its γ change by less, on average over topics. The local problem has several \
         optima: the tolerance is part of the method, and decides about every bound.",
    )
    .log()
    .folded(),
    ParamSpec::integer(
        "local_steps",
        "local steps",
        100.0,
        Interval::closed(1.0, 5000.0),
        (1.0, 1000.0),
        "Iterations of the local step of a document, at most.",
    )
    .log()
    .folded(),
    ParamSpec::integer(
        "holdout_every",
        "hold out every",
        10.0,
        Interval::closed(0.0, 1e6),
        (0.0, 20.0),
        "Of documents that are read, every so many the last one is held out, and topics are tested on it; 0 holds out none. \
         Generated corpora have `held_out`.",
    )
    .unit("documents")
    .folded(),
    shown("shown_x", "entry along x", FIRST),
    shown("shown_y", "entry along y", SECOND),
];

/// The description of this target.
const SPEC: KindSpec = KindSpec {
    name: "topics",
    label: "Topics of documents",
    help: "Latent Dirichlet allocation: topics behind the words of documents, on generated corpora with known topics, on fables of \
           Aesop, or on texts of one's own. The methods are cavi, svi, collapsed-gibbs and sgrld.",
    params: &PARAMS,
};

/// The line of the registry.
pub const ENTRY: TargetEntry = TargetEntry { family: &TOPICS, ..TargetEntry::new(SPEC, build) };

/// Makes the target.
///
/// # Errors
/// All that is wrong with files, numbers of topics that are too large for the corpus, and entries that do not exist.
fn build(settings: &Settings, folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let count = |key: &str| usize::try_from(settings.count(key)).unwrap_or(usize::MAX);
    let holdout_every = Some(count("holdout_every")).filter(|every| *every > 0);
    let Given { corpus, side, topics, alpha, eta } = choices::given(settings.group("corpus"), holdout_every, folder)?;
    let topics = settings.optional_count("topics").map_or(topics, |own| usize::try_from(own).unwrap_or(usize::MAX));
    let (alpha, eta) =
        (settings.optional_number("alpha").unwrap_or(alpha), settings.optional_number("eta").unwrap_or(eta));
    let model = Model { topics, words: corpus.words(), alpha, eta };
    let mut errors = check(&corpus, topics, None, None);
    let pairs = ["shown_x", "shown_y"].map(|key| entry(settings, key, &model, &mut errors));
    if pairs[0].is_some() && pairs[0] == pairs[1] {
        errors.push(ParamError::new("shown_y", "the same entry stands for a chain along both axes", "another entry"));
    }
    let [Some(x), Some(y)] = pairs else { return Err(errors) };
    if !errors.is_empty() {
        return Err(errors);
    }
    let change = settings.number("local_tolerance");
    let most_steps = u32::try_from(settings.count("local_steps")).unwrap_or(u32::MAX);
    let tolerance = Tolerance { change, most_steps };
    let model = TopicModel::new(corpus, model, tolerance, side, [x, y]);
    let info = plane(&model);
    Ok(Target::of_topics(model, info))
}

/// The entry of β under a key, as topic and word from 0.
fn entry(settings: &Settings, key: &str, model: &Model, errors: &mut Vec<ParamError>) -> Option<(usize, usize)> {
    let pair = settings.pair(key);
    // A single topic has no second one, which nobody has asked for.
    let own = Settings::defaults(settings.kind);
    let topic = if settings.get(key) == own.get(key) { pair[0].min(model.topics as f64) } else { pair[0] };
    let whole = |number: f64, most: usize| (1..=most).find(|whole| (*whole as f64 - number).abs() < 1e-9);
    if let (Some(topic), Some(word)) = (whole(topic, model.topics), whole(pair[1], model.words)) {
        return Some((topic - 1, word - 1));
    }
    let problem = format!("there is no topic {} with a word {}", pair[0], pair[1]);
    let allowed = format!("two whole numbers, a topic from 1 to {} and a word from 1 to {}", model.topics, model.words);
    errors.push(ParamError::new(key, problem, allowed));
    None
}

/// What is known of the plane of two entries of β.
fn plane(model: &TopicModel) -> TargetInfo {
    let [x, y] = model.shown.map(|(_, word)| largest(model, word));
    let start = Point::repeat(1.0 / model.model.words as f64);
    let view = Bounds { min: Point::zeros(), max: Point::new(x, y) };
    TargetInfo::unknown(["β at shown_x", "β at shown_y"], view, start)
}

/// The end of the view for entries of a word: above its largest share in a true topic, or in a topic that has all of its tokens.
fn largest(model: &TopicModel, word: usize) -> f64 {
    let training = &model.corpus.training;
    let share =
        || model.model.topics as f64 * training.word_counts(model.model.words)[word] / training.token_count() as f64;
    let expected = match model.truth() {
        Some(truth) => truth.of_word(word).iter().copied().fold(0.0, f64::max),
        None => share(),
    };
    (MARGIN * expected.max(1.0 / model.model.words as f64)).min(1.0)
}
