//! Topics in a session: the same as inference taken step by step, whatever the threads, the slices and the way through time;
//! with clear words where a scenario asks for what there is not.

use std::fs;
use std::path::Path;

use rayon::ThreadPoolBuilder;
use sampler_lab::lda::{
    Batches, Cavi, Completion, Elbo, Gibbs, InnerSweeps, LocalStart, Order, Recipe, Sgrld, Smoothing, Svi, Topics,
};
use sampler_lab::math::{Purpose, Simd, Stream};
use sampler_lab::params::{Settings, Value, find_kind};
use sampler_lab::scenario::{self, Edit, METHOD, Scenario};
use sampler_lab::session::{Analysis, ChainTopics, Clock, Command, RunFrame, Session, Stop, TopicsKind};
use sampler_lab::targets::TARGETS;
use tempfile::TempDir;

use super::cli::{call, folder_with};

/// All four methods on small bars, several chains of two.
const SMALL: &str = r#"
format = 1
title = "Small bars"
seed = 5
[target]
kind = "topics"
corpus = { kind = "bars", side = 4, documents = 60 }
[[run]]
name = "SVI"
method = "svi"
chains = 3
steps = 60
window = 4
gradient = { kind = "minibatch", size = 7, order = "shuffled" }
step_size = { kind = "polynomial", a = 1.0, b = 1.0, gamma = 0.7 }
[[run]]
name = "AG"
method = "svi"
steps = 60
window = 9
average = "average-gradient"
start = { kind = "formula" }
gradient = { kind = "minibatch", size = 10, order = "cyclic" }
[[run]]
name = "SAG"
method = "svi"
steps = 60
average = "sag"
gradient = { kind = "minibatch", size = 10, order = "random" }
step_size = { kind = "constant", value = 0.9 }
[[run]]
name = "CAVI"
method = "cavi"
chains = 2
steps = 60
local_start = "kept"
start = { kind = "random" }
[[run]]
name = "Gibbs"
method = "collapsed-gibbs"
chains = 9
steps = 60
[[run]]
name = "SGRLD"
method = "sgrld"
chains = 2
steps = 60
inner_discarded = 2
gradient = { kind = "minibatch", size = 5 }
step_size = { kind = "constant", value = 1e-4 }
"#;

fn read(text: &str) -> Scenario {
    scenario::read(text, "topics.toml", Path::new(".")).unwrap()
}

fn session(text: &str) -> Session {
    Session::new(read(text)).unwrap()
}

/// Everything in a frame that topics have: parameters and counts of every kept step, the paths in the plane, and what was spent.
fn state(session: &Session) -> Vec<String> {
    let run = |run: &RunFrame| {
        let path: Vec<_> = (0..run.history.rows()).map(|row| run.history.position(row, 0)).collect();
        let topics: Vec<_> = run.topics.iter().map(|at| (at.step, &at.chains)).collect();
        format!("{} {topics:?} {path:?} {:?} {}", run.plan.name, run.positions, run.evaluations())
    };
    session.frame().runs.iter().map(run).collect()
}

fn newest(session: &Session, run: usize, chain: usize) -> ChainTopics {
    session.frame().runs[run].topics.last().unwrap().chains[chain].as_ref().clone()
}

/// What a run is like without a session: corpus and model, and the streams of its chains.
struct Plain {
    corpus: sampler_lab::lda::Corpus,
    model: sampler_lab::lda::Model,
}

impl Plain {
    fn small() -> Self {
        let corpus = Recipe { documents: 60, ..Recipe::bars(4) }.corpus(1);
        let model = sampler_lab::lda::Model { topics: 8, words: 16, alpha: 0.2, eta: 0.1 };
        Self { corpus, model }
    }

    fn stream(purpose: Purpose, run: u64, chain: u64) -> Stream {
        Stream::derive(5, purpose, run, chain)
    }

    fn random(run: u64, chain: u64) -> Topics {
        Topics::random(8, 16, &mut Self::stream(Purpose::Start, run, chain))
    }

    fn svi(&self, smoothing: Smoothing, lambda: Topics, (order, size): (Order, usize), who: (u64, u64)) -> Svi {
        let documents = &self.corpus.training;
        let mut svi = Svi::new(Simd::BASELINE, self.model, Default::default(), smoothing, lambda, documents);
        let (mut batches, mut stream) = (Batches::new(order, size, 60), Self::stream(Purpose::Minibatch, who.0, who.1));
        let frame = session(SMALL).frame();
        for step in 1..=60 {
            let rho = frame.runs[usize::try_from(who.0).unwrap()].plan.step_size(step);
            svi.step(documents, batches.next(&mut stream), rho);
        }
        svi
    }
}

#[test]
fn a_session_takes_the_steps_of_inference() {
    let mut session = session(SMALL);
    session.advance(60);
    let plain = Plain::small();
    let documents = &plain.corpus.training;
    for chain in [0, 2] {
        let window = Smoothing::Statistics { window: 4 };
        let svi = plain.svi(window, Plain::random(0, chain), (Order::Shuffled, 7), (0, chain));
        let found = newest(&session, 0, usize::try_from(chain).unwrap());
        assert_eq!((&found.parameters, found.documents, found.kind), (svi.lambda(), 420, TopicsKind::Dirichlet));
    }
    let formula = Topics::from_fn(8, 16, |k, w| 1.0 + 0.5 * ((7 * k + 3 * w + k * w) % 11) as f64 / 11.0);
    let svi = plain.svi(Smoothing::Gradients { window: 9 }, formula, (Order::Cyclic, 10), (1, 0));
    assert_eq!(&newest(&session, 1, 0).parameters, svi.lambda());
    let svi = plain.svi(Smoothing::Sag, Plain::random(2, 0), (Order::Random, 10), (2, 0));
    assert_eq!(&newest(&session, 2, 0).parameters, svi.lambda());

    let mut cavi = Cavi::new(Simd::BASELINE, plain.model, Default::default(), LocalStart::Kept, Plain::random(3, 1));
    (0..60).for_each(|_| cavi.sweep(documents));
    let found = newest(&session, 3, 1);
    assert_eq!((&found.parameters, found.documents, found.local_steps), (cavi.lambda(), 3600, cavi.local_steps()));

    let mut gibbs = Gibbs::new(Simd::BASELINE, plain.model, documents, &mut Plain::stream(Purpose::Start, 4, 8));
    let mut noise = Plain::stream(Purpose::Chain, 4, 8);
    (0..60).for_each(|_| gibbs.sweep(documents, &mut noise));
    let found = newest(&session, 4, 8);
    assert_eq!((&found.parameters, found.log_joint), (&gibbs.lambda(), Some(gibbs.log_joint(documents))));
    let mean = found.mean();
    let place = session.frame().runs[4].positions[8];
    assert!((place.x - mean.get(0, 0)).abs() < 1e-15 && (place.y - mean.get(1, 1)).abs() < 1e-15);

    let mut sgrld = Sgrld::new(plain.model, InnerSweeps { discarded: 2, kept: 4 }, Plain::random(5, 1));
    let (mut batches, mut indices) = (Batches::new(Order::Random, 5, 60), Plain::stream(Purpose::Minibatch, 5, 1));
    let (mut noise, mut reflections) = (Plain::stream(Purpose::Chain, 5, 1), 0);
    for _ in 0..60 {
        reflections += sgrld.step(documents, batches.next(&mut indices), 1e-4, &mut noise).reflections;
    }
    let found = newest(&session, 5, 1);
    assert_eq!((&found.parameters, found.kind, found.reflections), (sgrld.omega(), TopicsKind::Draw, reflections));
}

#[test]
fn threads_slices_instructions_and_detours_leave_the_bits_alone() {
    let mut whole = session(SMALL);
    whole.advance(60);
    let expected = state(&whole);
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let alone = pool.install(|| {
        let mut session = session(SMALL);
        session.advance(60);
        state(&session)
    });
    assert_eq!(alone, expected, "one thread");
    let mut cut = Session::with_simd(read(SMALL), Simd::BASELINE).unwrap();
    for steps in [1, 2, 30, 7, 11, 9] {
        cut.advance(steps);
    }
    assert_eq!(state(&cut), expected, "slices");
    let mut at_20 = session(SMALL);
    at_20.advance(20);
    for step in [59, 20, 3, 0, 20, 60] {
        cut.apply(Command::Seek(step)).unwrap();
        assert!(cut.frame().runs.iter().all(|run| run.topics.last().unwrap().step == step));
        if step == 20 {
            assert_eq!(state(&cut), state(&at_20), "back to step 20");
        }
    }
    assert_eq!(state(&cut), expected, "detours");
}

/// Where steps take long they can be stopped: the session is as it was before, and goes on to the same bits.
#[test]
fn steps_that_are_stopped_leave_no_trace() {
    let long = "format = 1\nseed = 5\n[target]\nkind = \"topics\"\n\
                [[run]]\nname = \"CAVI\"\nmethod = \"cavi\"\nchains = 5\nsteps = 9\nlocal_start = \"kept\"\nstart = { kind = \"random\" }\n\
                [[run]]\nname = \"Gibbs\"\nmethod = \"collapsed-gibbs\"\nchains = 2\nsteps = 9\n\
                [[run]]\nname = \"SAG\"\nmethod = \"svi\"\nsteps = 9\naverage = \"sag\"\ngradient = { kind = \"minibatch\", size = 400 }\n\
                [[run]]\nname = \"SGRLD\"\nmethod = \"sgrld\"\nsteps = 9\ngradient = { kind = \"minibatch\", size = 50 }\n";
    for clock in [Clock::Steps, Clock::Gradients] {
        let begin = || {
            let mut session = session(long);
            session.apply(Command::Clock(clock)).unwrap();
            session
        };
        let (mut whole, mut cut, stop) = (begin(), begin(), Stop::default());
        assert!(whole.has_long_steps());
        let ticks = if clock == Clock::Steps { [1, 1, 2] } else { [3, 20, 7] };
        for ticks in ticks {
            whole.advance(ticks);
            let before = (state(&cut), cut.time());
            stop.set();
            assert!(!cut.advance_unless(&stop, ticks));
            assert_eq!((state(&cut), cut.time()), before);
            stop.clear();
            assert!(cut.advance_unless(&stop, ticks));
        }
        assert_eq!((state(&cut), cut.time()), (state(&whole), whole.time()));
        assert_ne!(state(&cut), state(&begin()));
    }
    let short = session(SMALL);
    assert!(!short.has_long_steps());
}

/// A chain depends on its number alone: fewer chains leave the others as they are.
#[test]
fn chains_do_not_depend_on_one_another() {
    let mut many = session(SMALL);
    let mut few = session(&SMALL.replace("chains = 9", "chains = 2").replace("chains = 3", "chains = 1"));
    many.advance(60);
    few.advance(60);
    for (run, chains) in [(0, 1), (4, 2)] {
        for chain in 0..chains {
            assert_eq!(newest(&few, run, chain), newest(&many, run, chain));
        }
    }
    assert_ne!(newest(&many, 0, 0).parameters, newest(&many, 0, 1).parameters);
}

#[test]
fn evaluations_count_documents() {
    let mut session = session(SMALL);
    session.advance(60);
    let evaluations: Vec<f64> = session.frame().runs.iter().map(RunFrame::evaluations).collect();
    for (found, expected) in evaluations.into_iter().zip([21.0, 10.0, 10.0, 120.0, 540.0, 10.0]) {
        assert!((found - expected).abs() < 1e-6, "{found}, not {expected}");
    }
}

/// Parameters and methods may change while runs are under way, and the scenario with its events is the same run again.
#[test]
fn events_are_replayed() {
    let mut session = session(SMALL);
    session.advance(20);
    let set = |run, path: &str, value| Edit::Set { run, path: path.to_owned(), value };
    session.edit(set(0, "window", Value::Number(2.0))).unwrap();
    session.edit(set(1, "gradient.size", Value::Number(20.0))).unwrap();
    session.edit(set(2, METHOD, Value::Choice("collapsed-gibbs"))).unwrap();
    session.edit(set(3, METHOD, Value::Choice("sgrld"))).unwrap();
    session.edit(set(4, METHOD, Value::Choice("svi"))).unwrap();
    let before = newest(&session, 5, 0).mean();
    session.edit(set(5, METHOD, Value::Choice("cavi"))).unwrap();
    session.advance(40);
    assert_eq!(newest(&session, 2, 0).documents, 20 * 10 + 40 * 60);
    assert_eq!((newest(&session, 3, 0).kind, newest(&session, 5, 0).kind), (TopicsKind::Draw, TopicsKind::Dirichlet));
    assert!(newest(&session, 5, 0).mean() != before && newest(&session, 2, 0).log_joint.is_some());
    let expected = state(&session);
    let mut replayed = Session::new(read(&scenario::write(session.scenario()))).unwrap();
    replayed.advance(60);
    assert_eq!(state(&replayed), expected);
    session.apply(Command::Seek(10)).unwrap();
    session.apply(Command::Seek(60)).unwrap();
    assert_eq!(state(&session), expected);
}

#[test]
fn measures_are_those_of_the_topics_that_are_kept() {
    let mut session = session(SMALL);
    session.advance(60);
    session.analyse();
    let frame = session.frame();
    let plain = Plain::small();
    let model = frame.target.topics().unwrap();
    let (completion, documents) = (Completion::new(&plain.corpus.held_out), &plain.corpus.training);
    for run in &frame.runs {
        let Analysis { topics: moments, topics_lines, .. } = run.analysis.as_ref();
        assert_eq!(moments.first().map(|moment| moment.step), Some(0));
        let (moment, at) = (moments.last().unwrap(), run.topics.last().unwrap());
        assert_eq!((moment.step, at.step, moment.chains.len()), (60, 60, run.plan.chains));
        for (found, topics) in moment.chains.iter().zip(&at.chains) {
            let mut local = model.local(Simd::BASELINE);
            let is_vi = run.fits.is_some();
            let bound = Elbo::at(&topics.parameters, &plain.model, documents, &mut local).total();
            assert_eq!(found.elbo, is_vi.then(|| bound / documents.token_count() as f64));
            let held_out = match is_vi {
                true => completion.score_of(&topics.parameters, &mut local),
                false => completion.score_of_known(&topics.mean(), &mut local),
            };
            assert_eq!(found.held_out, held_out);
            let mut labels = found.labels.clone();
            labels.sort_unstable();
            assert_eq!(labels, (0..8).collect::<Vec<_>>());
            assert!(found.hellinger.as_ref().is_some_and(|distances| distances.len() == 8));
            assert!(found.bars.is_some_and(|bars| bars <= 8));
        }
        let lines = topics_lines.unwrap();
        assert!((lines.uniform + 16.0_f64.ln()).abs() < 1e-12);
        assert!(lines.unigram < lines.truth && lines.uniform < lines.truth.unwrap());
    }
}

/// Coordinate ascent from the truth finds the best optimum known: a bound of −272151.4, −2.7215 per word; held-out −2.7019, mean
/// distance 0.0120. It is a fixed point of sweeps.
#[test]
fn the_start_from_the_truth_is_the_best_optimum() {
    let text = "format = 1\ntitle = \"x\"\nseed = 1\n[target]\nkind = \"topics\"\nlocal_steps = 5000\n[[run]]\nname = \"A\"\n\
                method = \"cavi\"\nsteps = 2\nstart = { kind = \"truth\" }\n";
    let mut session = session(text);
    session.analyse();
    let of = |session: &Session| session.frame().runs[0].analysis.topics.last().unwrap().chains[0].clone();
    let start = of(&session);
    let distance = start.hellinger.as_ref().map(|distances| distances.iter().sum::<f64>() / 10.0);
    let near = |found: Option<f64>, stated: f64, digit: f64| found.is_some_and(|found| (found - stated).abs() <= digit);
    assert!(near(start.elbo, -2.721_514, 5e-7) && near(start.held_out, -2.7019, 5e-5), "{start:?}");
    assert!(near(distance, 0.0120, 5e-5) && start.bars == Some(10), "{start:?}");
    session.advance(2);
    session.analyse();
    assert!(near(of(&session).elbo, start.elbo.unwrap(), 1e-9));
}

/// The messages about a scenario with these lines in `[target]` and in its run, in a folder with some files.
fn messages(folder: &Path, target: &str, run: &str) -> Vec<String> {
    let text = format!(
        "format = 1\ntitle = \"x\"\nseed = 1\n[target]\nkind = \"topics\"\n{target}\n[[run]]\nname = \"A\"\nsteps = 5\n{run}\n"
    );
    match scenario::read(&text, "x.toml", folder) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.to_string().lines().map(str::to_owned).collect(),
    }
}

const SVI: &str = "method = \"svi\"";

#[test]
fn what_is_wrong_with_files_is_told_with_file_and_line() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &[u8]| fs::write(folder.path().join(name), text).unwrap();
    write("bytes.txt", b"wolf fox\nb\x81\xf6se wolf\n");
    write("few.txt", b"wolf\n\nfox\n");
    write("docword.txt", b"2\n2\n3\n1 1 2\n3 1 1\n1 1 1\n");
    write("vocab.txt", b"wolf\nfox\n");
    write("a.csv", b"title,body\nx,wolf fox\n");
    write("many.txt", "wolf fox\n".repeat(50_001).as_bytes());
    let words: String = (0..20_000).map(|word| format!("word{word}\n")).collect();
    write("long.txt", words.as_bytes());
    write("wide.txt", b"2\n20000\n2\n1 1 1\n2 2 1\n");
    write("bad.txt", b"2\n3\n4\n1 1 0\n2 2 x\n");
    let cases: [(&str, &[&str]); 10] = [
        ("corpus = { kind = \"text\", path = \"many.txt\" }", &["many.txt: there are too many documents"]),
        (
            "corpus = { kind = \"uci\", docword = \"bad.txt\", vocab = \"vocab.txt\" }",
            &["bad.txt, line 4", "bad.txt, line 5", "vocab.txt"],
        ),
        (
            "topics = 200\nholdout_every = 0\ncorpus = { kind = \"uci\", docword = \"wide.txt\", vocab = \"long.txt\" }",
            &["target.topics: 200 topics on 20000 words; allowed: 1 to 100 topics"],
        ),
        ("corpus = { kind = \"text\", path = \"bytes.txt\" }", &["bytes.txt, line 2: this is not text in UTF-8"]),
        (
            "corpus = { kind = \"text\", path = \"few.txt\", min_documents = 1 }",
            &["words that stay: 2", "documents to learn from: 2"],
        ),
        (
            "corpus = { kind = \"uci\", docword = \"docword.txt\", vocab = \"vocab.txt\" }",
            &["docword.txt, line 5", "docword.txt, line 6"],
        ),
        ("corpus = { kind = \"csv\", path = \"a.csv\" }", &["a.csv, line 1: there is no column \"text\""]),
        ("corpus = { kind = \"csv\", path = \"a.csv\", column = \"\" }", &["no column is named"]),
        ("corpus = { kind = \"folder\", path = \"nowhere\" }", &["nowhere"]),
        ("corpus = { kind = \"text\", path = \"none.txt\", stop_words = \"gone.txt\" }", &["none.txt", "gone.txt"]),
    ];
    for (target, expected) in cases {
        let found = messages(folder.path(), target, SVI);
        if target.contains("few.txt") {
            // Two documents of one word each: nothing is wrong at the limit of both rules, and all at the default.
            let harder = target.replace(", min_documents = 1", "");
            let found = messages(folder.path(), &harder, SVI);
            assert!(found.iter().any(|line| line.contains("min_documents 2 (2 words")), "{found:?}");
            continue;
        }
        for expected in expected {
            assert!(found.iter().any(|line| line.contains(expected)), "{target}: {expected:?} is not in {found:?}");
        }
        let place = |line: &String| {
            ["x.toml:6:", "x.toml:8:"].iter().any(|at| line.starts_with(at)) && line.contains("; allowed: ")
        };
        assert!(found.iter().all(place), "{found:?}");
    }
}

#[test]
fn what_does_not_go_together_is_told_all_at_once() {
    let here = Path::new(".");
    let batch = |size: usize| format!("{SVI}\ngradient = {{ kind = \"minibatch\", size = {size} }}");
    let cases = [
        (
            "topics = 201".to_owned(),
            SVI.to_owned(),
            "target.topics: 201 is not allowed; allowed: a whole number from 1 to 200",
        ),
        (String::new(), batch(1001), "run[0].gradient.size: 1001 is more than the data; allowed: from 1 to 1000"),
        (
            String::new(),
            format!("{SVI}\ngradient = {{ kind = \"noisy\" }}"),
            "run[0].gradient.kind: topics have no gradient",
        ),
        (
            String::new(),
            format!("{SVI}\ngradient = {{ kind = \"minibatch\", batches = \"shared\" }}"),
            "run[0].gradient.batches: every chain of inference of topics has minibatches of its own; allowed: per-chain",
        ),
        (
            "corpus = { kind = \"bars\", documents = 50000 }\ntopics = 40".to_owned(),
            format!("{}\naverage = \"sag\"", batch(50)),
            "run[0].average: the statistics of all documents are 40 · ",
        ),
        (
            "corpus = { kind = \"aesop\" }\ntopics = 100".to_owned(),
            format!("{}\naverage = \"average-gradient\"\nwindow = 900", batch(50)),
            "run[0].window: the λ of a window of 900 steps are 100 · 1176 · 900 numbers; allowed: 1 to 212 steps",
        ),
        (
            "corpus = { kind = \"aesop\" }\ntopics = 200".to_owned(),
            format!("{}\nwindow = 1000\nchains = 2", batch(280)),
            "run[0].chains: 2 chains keep ",
        ),
        (
            "shown_x = [11, 1]".to_owned(),
            SVI.to_owned(),
            "target.shown_x: there is no topic 11 with a word 1; allowed: two whole numbers, a topic from 1 to 10",
        ),
        (
            "shown_y = [1, 1]".to_owned(),
            SVI.to_owned(),
            "target.shown_y: the same entry stands for a chain along both axes",
        ),
        (
            "corpus = { kind = \"aesop\" }".to_owned(),
            format!("{SVI}\nstart = {{ kind = \"truth\" }}"),
            "run[0].start: the true topics are not known",
        ),
        (
            String::new(),
            format!("{SVI}\nstart = {{ kind = \"point\", x = 1.0 }}"),
            "run[0].start: topics do not start at points",
        ),
        (
            String::new(),
            format!("{SVI}\nstep_size = {{ kind = \"constant\", value = 1.5 }}"),
            "run[0].step_size: ρ reaches 1.5",
        ),
        (
            String::new(),
            "method = \"sgld\"".to_owned(),
            "run[0].method: the target has topics, and no density for this method; allowed: cavi, svi, collapsed-gibbs, sgrld",
        ),
        (
            "corpus = { kind = \"bars\", documents = 50000, length = 1000 }".to_owned(),
            SVI.to_owned(),
            "target.corpus.documents: 50200 documents of 1000 words are too many words",
        ),
    ];
    for (target, run, expected) in cases {
        let found = messages(here, &target, &run);
        assert!(found.iter().any(|line| line.contains(expected)), "{expected:?} is not in {found:?}");
    }
    let both = messages(here, "shown_x = [11, 1]\nshown_y = [1, 26]", "method = \"sgld\"");
    assert_eq!(both.len(), 2, "{both:?}");
}

/// Methods for topics say that another target has none; `cavi` and `svi` keep what they are there.
#[test]
fn densities_refuse_what_only_topics_have() {
    let build = |method: &str, extra: &str| {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 1\n[target]\nkind = \"normal-gamma\"\n[[run]]\nname = \"A\"\nmethod = \"{method}\"\n{extra}\n"
        );
        scenario::read(&text, "x.toml", Path::new(".")).map(|_| ()).map_err(|errors| errors.to_string())
    };
    for method in ["collapsed-gibbs", "sgrld"] {
        let said = build(method, "").unwrap_err();
        assert!(
            said.contains("the method infers topics, and this target has none; allowed: the target topics"),
            "{said}"
        );
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    assert!(build("cavi", "local_start = \"kept\"").unwrap_err().contains("local_start: only topics have local steps"));
    assert!(
        build("svi", "start = { kind = \"formula\" }").unwrap_err().contains("the target has no topics to start at")
    );
    assert_eq!(build("cavi", ""), Ok(()));
}

/// Topics do not follow another target, nor another target topics: the runs start again, with a method that goes with it.
#[test]
fn another_target_starts_the_runs_again() {
    let mut session = session(SMALL);
    session.advance(10);
    let choose = |name: &str| Edit::Target {
        target: Settings::defaults(find_kind(&TARGETS, name).unwrap()),
        keep_chains: true,
        restart: false,
    };
    session.edit(choose("normal-gamma")).unwrap();
    let kinds =
        |session: &Session| -> Vec<&str> { session.scenario().runs.iter().map(|run| run.settings.kind.name).collect() };
    assert_eq!((session.step(), kinds(&session)), (0, vec!["svi", "svi", "svi", "cavi", "sgld", "sgld"]));
}

#[test]
fn a_gaussian_run_becomes_svi_on_topics() {
    let text = "format = 1\ntitle = \"x\"\nseed = 1\n[target]\nkind = \"banana\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\nchains = 4\n";
    let mut session = session(text);
    session.advance(10);
    let target = Settings::defaults(find_kind(&TARGETS, "topics").unwrap());
    session.edit(Edit::Target { target, keep_chains: false, restart: false }).unwrap();
    session.advance(3);
    let frame = session.frame();
    assert_eq!(frame.scenario.runs[0].settings.kind.name, "svi");
    assert_eq!(
        frame.runs[0].topics.last().map(|at| (at.step, at.chains.len(), at.chains[0].documents)),
        Some((13, 4, 650))
    );
}

/// Absurd step sizes, single topics, huge windows: nothing panics, divergences are data, and measures are finite or absent.
#[test]
fn absurd_settings_end_well() {
    let target = "kind = \"topics\"\ncorpus = { kind = \"bars\", side = 4, documents = 20, held_out = 0, length = 1 }";
    let runs = [
        "method = \"sgrld\"\nstep_size = { kind = \"constant\", value = 1e200 }",
        "method = \"sgrld\"\nstep_size = { kind = \"constant\", value = 0.5 }\ngradient = { kind = \"minibatch\", size = 1 }",
        "method = \"sgrld\"\ninner_discarded = 0\ninner_kept = 1\nstart = { kind = \"truth\" }",
        "method = \"svi\"\nwindow = 1000\naverage = \"average-gradient\"\nstep_size = { kind = \"constant\", value = 1.0 }",
        "method = \"svi\"\nstep_size = { kind = \"constant\", value = 1e-300 }",
        "method = \"collapsed-gibbs\"\nstart = { kind = \"truth\" }\ncollect = { burn_in = 39 }",
        "method = \"cavi\"\nlocal_start = \"kept\"\nstart = { kind = \"formula\" }",
    ];
    for extra in
        ["", "topics = 1", "alpha = 100.0\neta = 0.01", "alpha = 0.001\neta = 100.0", "local_steps = 1\ntopics = 40"]
    {
        let runs = runs.iter().enumerate().filter(|(_, run)| extra.is_empty() || !run.contains("truth"));
        let runs: String =
            runs.map(|(number, run)| format!("[[run]]\nname = \"{number}\"\nsteps = 40\n{run}\n")).collect();
        let mut session = session(&format!("format = 1\ntitle = \"x\"\nseed = 3\n[target]\n{target}\n{extra}\n{runs}"));
        for step in [7, 40, 20, 40] {
            session.apply(Command::Seek(step)).unwrap();
            session.analyse();
            session.measure_exactly();
        }
        for run in &session.frame().runs {
            assert!(run.positions.iter().all(|at| at.x.is_finite() && at.y.is_finite()), "{extra} {}", run.plan.name);
            for chain in run.analysis.topics.iter().flat_map(|moment| &moment.chains) {
                let values = [chain.elbo, chain.held_out, chain.divergence, chain.log_joint];
                assert!(values.iter().flatten().all(|value| value.is_finite()), "{extra} {chain:?}");
                assert_eq!(chain.held_out, None, "no documents are held out");
            }
        }
    }
}

/// From step 54 to step 60: the newest tenth. What has been measured on the way changes nothing.
#[test]
fn trembling_is_how_far_means_move_from_step_to_step() {
    let mut session = session(SMALL);
    let means = |session: &Session| -> Vec<Topics> { (0..6).map(|run| newest(session, run, 0).mean()).collect() };
    let mut before = means(&session);
    let mut squares = [0.0; 6];
    for step in 1..=60 {
        session.advance(1);
        let now = means(&session);
        for (square, (now, before)) in squares.iter_mut().zip(now.iter().zip(&before)).filter(|_| step > 54) {
            *square += now.square_distance(before);
        }
        before = now;
    }
    session.analyse();
    let mut detour = self::session(SMALL);
    for step in [33, 60, 21, 60] {
        detour.apply(Command::Seek(step)).unwrap();
        detour.analyse();
    }
    for ((run, again), square) in session.frame().runs.iter().zip(&detour.frame().runs).zip(squares) {
        let moments = &run.analysis.topics;
        assert_eq!(moments, &again.analysis.topics, "{}", run.plan.name);
        assert_eq!((moments[0].step, moments[0].chains[0].trembling), (0, None));
        let (found, expected) = (moments.last().unwrap().chains[0].trembling.unwrap(), (square / 6.0_f64).sqrt());
        assert!((found - expected).abs() <= 1e-9 * expected + 1e-14, "{}: {found}, not {expected}", run.plan.name);
        assert!(expected > 0.0 || run.plan.name == "CAVI");
    }
}

/// Kept topics are bounded by memory, and by the same steps whatever the way there.
#[test]
fn what_is_kept_is_bounded_and_depends_on_the_step_alone() {
    let text = "format = 1\ntitle = \"x\"\nseed = 1\n[target]\nkind = \"topics\"\ncorpus = { kind = \"triangle\", documents = 5 }\n\
                [[run]]\nname = \"A\"\nmethod = \"collapsed-gibbs\"\nsteps = 20000\n";
    let steps = |session: &Session| -> Vec<u64> { session.frame().runs[0].topics.iter().map(|at| at.step).collect() };
    let mut whole = session(text);
    whole.advance(20_000);
    let kept = steps(&whole);
    assert!(kept.len() <= 514 && kept.len() > 200, "{}", kept.len());
    assert_eq!((kept[0], kept.last()), (0, Some(&20_000)));
    let mut cut = session(text);
    (0..20).for_each(|_| cut.advance(999));
    cut.apply(Command::Seek(7000)).unwrap();
    cut.apply(Command::Seek(20_000)).unwrap();
    assert_eq!(steps(&cut), kept);
}

#[test]
fn the_command_line_tells_what_is_left_out() {
    let text = "format = 1\nseed = 1\n[target]\nkind = \"topics\"\ntopics = 2\nholdout_every = 0\n\
                corpus = { kind = \"text\", path = \"a.txt\", min_documents = 2, max_share = 1.0 }\n\
                [[run]]\nname = \"A\"\nmethod = \"cavi\"\nsteps = 2\n";
    let folder = folder_with("a.toml", text);
    fs::write(folder.path().join("a.txt"), "wolf lamb fox\n\nwolf lamb\nand the\ncrow\n").unwrap();
    let told = "warning: 2 documents are left out: 1 without words, 1 with none of the words that stay";
    let (code, out, err) = call(&folder, &["check", "a.toml"]);
    assert_eq!((code, err.trim()), (0, format!("a.toml: {told}").as_str()));
    let words =
        "words: of 8 tokens 4 are left out: stop_words 2 (2 words: and, the); min_documents 2 (2 words: crow, fox)";
    assert!(out.contains(words), "{out}");
    let (code, _, err) = call(&folder, &["run", "a.toml", "--out", "results", "--quiet"]);
    assert_eq!((code, err.trim()), (0, told));
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.path().join("results/summary.json")).unwrap()).unwrap();
    let dropped = &summary["runs"][0]["topics"]["dropped"];
    assert_eq!(dropped["documents"], serde_json::json!({ "without_words": 1, "with_none_that_stay": 1 }));
    assert_eq!((&dropped["pruned"], &dropped["tokens"]), (&2.into(), &4.into()));
    assert_eq!(
        dropped["words"]["min_documents"],
        serde_json::json!({ "words": 2, "tokens": 2, "most_frequent": ["crow", "fox"] })
    );
    // What a corpus is about may be in more than half of its documents: that is told by name.
    let common = text.replace("max_share = 1.0", "max_share = 0.5");
    fs::write(folder.path().join("a.toml"), common).unwrap();
    fs::write(folder.path().join("a.txt"), "wolf lamb fox\nwolf lamb\nwolf fox\nlamb wolf fox crow hare\ncrow hare\n")
        .unwrap();
    let (code, _, err) = call(&folder, &["check", "a.toml"]);
    assert_eq!(
        (code, err.trim()),
        (
            0,
            "a.toml: warning: 3 documents are left out: 0 without words, 3 with none of the words that stay. \
             Left out of 14 tokens are: max_share 10 (3 words: wolf, fox, lamb)"
        )
    );
    for (key, value) in
        [("pattern", "'['"), ("min_length", "0"), ("apostrophes", "'none'"), ("unspaced", "true"), ("numbers", "1")]
    {
        let wrong = text.replace("min_documents", &format!("{key} = {value}, min_documents"));
        fs::write(folder.path().join("b.toml"), wrong).unwrap();
        let (code, _, err) = call(&folder, &["check", "b.toml"]);
        assert!(code == 2 && err.contains(&format!("corpus.{key}: ")) && err.contains("allowed"), "{err}");
        assert_eq!(err.trim().lines().count(), 1, "what the words would be without it is not told: {err}");
    }
}

/// Every writing of the same words gives the same topics: in NFC, in NFD, and with capitals.
#[test]
fn the_form_of_letters_changes_no_topics() {
    let text = "format = 1\nseed = 1\n[target]\nkind = \"topics\"\ntopics = 2\nholdout_every = 0\n\
                corpus = { kind = \"text\", path = \"a.txt\", min_documents = 1, max_share = 1.0, stop_words = \"none\" }\n\
                [[run]]\nname = \"A\"\nmethod = \"cavi\"\nsteps = 5\n";
    let folder = folder_with("a.toml", text);
    let topics = |documents: &str| {
        fs::write(folder.path().join("a.txt"), documents).unwrap();
        let (code, _, err) = call(&folder, &["run", "a.toml", "--out", "results", "--quiet"]);
        assert_eq!((code, err.as_str()), (0, ""));
        fs::read_to_string(folder.path().join("results/topics/A.csv")).unwrap()
    };
    let composed = "forêt rivière député ai\nélection député uk\nforêt rivière goûter\nहिन्दी व्यापार बाज\u{93c}ार\n";
    let whole = topics(composed);
    for word in ["forêt", "rivière", "élection", "ai", "uk", "हिन्दी", "व्यापार"] {
        assert!(whole.lines().next().is_some_and(|head| head.split(',').any(|cell| cell == word)), "{word}: {whole}");
    }
    let decomposed =
        composed.replace('ê', "e\u{302}").replace('è', "e\u{300}").replace('é', "e\u{301}").replace('û', "u\u{302}");
    assert_eq!(topics(&decomposed), whole);
    assert_eq!(topics(&composed.to_uppercase()), whole);
}

#[test]
fn the_command_line_writes_topics_shares_traces_and_measures() {
    let folder = folder_with("bars.toml", SMALL);
    let (code, _, err) = call(&folder, &["run", "bars.toml", "--out", "results", "--draws", "csv", "--quiet"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let text = |name: &str| fs::read_to_string(folder.path().join("results").join(name)).unwrap();
    let topics = text("topics/SVI.csv");
    let rows: Vec<Vec<&str>> = topics.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!((rows.len(), rows[0].len(), rows[0][3], rows[0][18]), (1 + 3 * 8, 3 + 16, "r0c0", "r3c3"));
    let share: f64 = rows[1][3..].iter().map(|cell| cell.parse::<f64>().unwrap()).sum();
    assert!((share - 1.0).abs() < 1e-12);
    let shares = text("shares/CAVI.csv");
    assert_eq!(
        (shares.lines().count(), shares.lines().next()),
        (1 + 2 * 60, Some("chain,document,name,gamma_1,gamma_2,gamma_3,gamma_4,gamma_5,gamma_6,gamma_7,gamma_8"))
    );
    let gamma: f64 = shares.lines().nth(1).unwrap().split(',').skip(3).map(|cell| cell.parse::<f64>().unwrap()).sum();
    assert!((gamma - (8.0 * 0.2 + 40.0)).abs() < 1e-9, "{gamma}");
    assert!(text("traces/Gibbs.csv").starts_with("chain,step,documents,elbo,held_out"));
    let summary: serde_json::Value = serde_json::from_str(&text("summary.json")).unwrap();
    let run = &summary["runs"][0]["topics"];
    assert_eq!((&run["topics"], &run["words"], &run["local_tolerance"]), (&8.into(), &16.into(), &1e-4.into()));
    assert_eq!(run["chains"].as_array().map(Vec::len), Some(3));
    assert!(run["chains"][0]["elbo_per_word"].as_f64().is_some_and(|value| value < -1.0));
    assert!(run["chains"][0]["words"][0].as_array().is_some_and(|words| words.len() == 10));
    assert!(summary["runs"][4]["topics"]["chains"][0]["elbo_per_word"].is_null());
}
