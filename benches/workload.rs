//! Time of one workload as a line of JSON, for `benches/compare.py` and for profilers.
//!
//! ```sh
//! cargo bench --bench workload -- sgld-grid --chains 1024 --steps 10000
//! cargo bench --bench workload -- minibatch --steps 2000000
//! cargo bench --bench workload -- network --chains 16 --steps 100000
//! cargo bench --bench workload -- topics --corpus FOLDER --topics 10 --alpha 0.2 --eta 0.1 --steps 400
//! ```
//!
//! - `sgld-grid`: Langevin steps with the exact gradient and constant α = 0.01 on the 25 Gaussians.
//! - `minibatch`: one datum per step on the posterior of the 100 quantiles, constant α = 0.0001.
//! - `network`: 20 of 40 data per step on a network [1, 10, 1] and the sine with a gap, constant α = 0.00002.
//!
//! Every draw is kept; with `--counted` it is counted for the measures as well, as in the window. An unmeasured run of the same length
//! comes first.
//! Variances are printed as a check of the draws: about the nearest centre on the grid, about the mean on the posterior,
//! and for a single chain the mean square of a step. Of networks it is the mean square of the residuals in units of their
//! noise. The first tenth of the steps is left out.
//!
//! - `topics`: SVI on latent Dirichlet allocation, one thread, batches of 50 documents in shuffled epochs, τ = 1, κ = 0.7, local
//!   tolerance 10⁻³; `docword.txt` and `vocab.txt` in the folder are the corpus, in the UCI format. Its rate is in documents per
//!   second, and λ is printed, topic by topic.

#![expect(clippy::print_stdout, reason = "a program that prints its results")]

mod common;

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Parser, ValueEnum};
use sampler_lab::lda::reading::{Paths, Preparation, Progress, load};
use sampler_lab::lda::{Batches, Model, Order, Smoothing, Svi, Tolerance, Topics};
use sampler_lab::math::{Point, Purpose, Simd, Stream};
use sampler_lab::session::{Command, Frame, History, Session};
use serde_json::json;

/// A workload.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Work {
    /// SGLD on the grid of 25 Gaussians, exact gradient
    SgldGrid,
    /// SGLD on the posterior of the 100 quantiles, one datum per step
    Minibatch,
    /// SGLD on the posterior of a network with ten hidden units, 20 of 40 data per step
    Network,
    /// SVI on latent Dirichlet allocation, 50 documents per step
    Topics,
}

/// Measures one workload
#[derive(Debug, Parser)]
struct Arguments {
    /// The workload
    #[arg(value_enum, default_value_t = Work::SgldGrid)]
    work: Work,
    /// Number of chains
    #[arg(long, default_value_t = 1)]
    chains: u64,
    /// Steps of every chain
    #[arg(long, default_value_t = 1_000_000)]
    steps: u64,
    /// Number of threads; all of the machine if left out
    #[arg(long)]
    threads: Option<usize>,
    /// Count every draw for the measures as well
    #[arg(long)]
    counted: bool,
    /// Number of measurements; each is printed as one line
    #[arg(long, default_value_t = 1)]
    repeats: u32,
    /// The folder of the corpus
    #[arg(long, default_value = ".")]
    corpus: PathBuf,
    /// Number of topics
    #[arg(long, default_value_t = 10)]
    topics: usize,
    /// Concentration of the shares of a document
    #[arg(long, default_value_t = 0.2)]
    alpha: f64,
    /// Concentration of the words of a topic
    #[arg(long, default_value_t = 0.1)]
    eta: f64,
    /// Given by `cargo bench` to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    if let Some(threads) = arguments.threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    }
    if matches!(arguments.work, Work::Topics) {
        return topics(&arguments);
    }
    for _ in 0..arguments.repeats {
        let mut session = session(&arguments).ok_or("this workload cannot be built")?;
        session.advance(u64::MAX);
        if arguments.counted {
            // Draws are counted as they come once somebody has looked.
            drop(session.frame());
        }
        let refused = |errors: Vec<_>| format!("{errors:?}");
        session.apply(Command::Restart).map_err(refused)?;
        let start = Instant::now();
        session.advance(u64::MAX);
        report(&arguments, &session, start.elapsed().as_secs_f64());
    }
    Ok(())
}

fn session(arguments: &Arguments) -> Option<Session> {
    let Arguments { work, chains, steps, .. } = arguments;
    let (target, alpha, more) = match work {
        Work::SgldGrid => ("gaussian-grid", 0.01, "start = { kind = \"uniform\", low = -5.0, high = 5.0 }"),
        Work::Minibatch => {
            ("bivariate-mixture", 1e-4, "gradient = { kind = \"minibatch\", size = 1, order = \"random\" }")
        }
        Work::Network => ("network", 2e-5, "gradient = { kind = \"minibatch\", size = 20, order = \"random\" }"),
        Work::Topics => return None,
    };
    let more =
        format!("chains = {chains}\nsteps = {steps}\nstep_size = {{ kind = \"constant\", value = {alpha} }}\n{more}");
    Session::new(common::scenario(&format!("kind = \"{target}\""), "sgld", &more)?).ok()
}

/// Learns topics from a random start, several times.
fn topics(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    const BATCH: usize = 50;
    const TOLERANCE: Tolerance = Tolerance { change: 1e-3, most_steps: 100 };
    let paths = Paths::Uci("docword.txt".into(), "vocab.txt".into());
    let preparation = Preparation { holdout_every: None, ..Preparation::default() };
    let corpus =
        load(&paths, &arguments.corpus, &preparation, &Progress::default()).map_err(|errors| format!("{errors:?}"))?;
    let Arguments { topics, alpha, eta, .. } = *arguments;
    let model = Model { topics, words: corpus.words(), alpha, eta };
    let documents = &corpus.training;
    for repeat in 0..=u64::from(arguments.repeats) {
        let mut stream = Stream::derive(repeat, Purpose::Chain, 0, 0);
        let lambda = Topics::random(model.topics, model.words, &mut stream);
        let smoothing = Smoothing::Statistics { window: 1 };
        let mut svi = Svi::new(Simd::widest(), model, TOLERANCE, smoothing, lambda, documents);
        let mut batches = Batches::new(Order::Shuffled, BATCH, documents.len());
        let start = Instant::now();
        for step in 1..=arguments.steps {
            svi.step(documents, batches.next(&mut stream), (step as f64 + 1.0).powf(-0.7));
        }
        let seconds = start.elapsed().as_secs_f64();
        let found: Vec<Vec<f64>> = (0..topics).map(|topic| svi.lambda().topic(topic).collect()).collect();
        let rate = arguments.steps as f64 * BATCH as f64 / seconds;
        if repeat > 0 {
            println!("{}", json!({ "seconds": seconds, "steps_per_second": rate, "topics": found }));
        }
    }
    Ok(())
}

fn report(arguments: &Arguments, session: &Session, seconds: f64) {
    let frame = session.frame();
    let history = &frame.runs[0].history;
    let steps = arguments.chains * arguments.steps;
    let (mean, variance) = match arguments.work {
        Work::SgldGrid => moments(history, arguments.steps, |at| at - at.map(nearest_centre)),
        Work::Minibatch | Work::Network | Work::Topics => moments(history, arguments.steps, |at| at),
    };
    let line = json!({
        "seconds": seconds,
        "steps_per_second": steps as f64 / seconds,
        "draws_kept": history.len(),
        "mean": mean.as_slice(),
        "variance": variance.as_slice(),
        "step": (arguments.chains == 1).then(|| mean_square_step(history, arguments.steps).as_slice().to_vec()),
        "residuals": mean_square_residual(&frame, arguments.steps),
    });
    println!("{line}");
}

/// The centre of the default grid nearest to a coordinate.
fn nearest_centre(x: f64) -> f64 {
    (x / 2.0).round().clamp(-2.0, 2.0) * 2.0
}

/// Mean and variance per coordinate of a function of the draws, without the first tenth of the steps.
fn moments(history: &History, steps: u64, of: impl Fn(Point) -> Point) -> (Point, Point) {
    let (mut count, mut sum, mut squares) = (0.0, Point::zeros(), Point::zeros());
    for at in late(history, steps).map(of) {
        count += 1.0;
        sum += at;
        squares += at.component_mul(&at);
    }
    let mean = sum / count;
    (mean, squares / count - mean.component_mul(&mean))
}

/// Mean square per coordinate of the steps of a single chain, without the first tenth.
fn mean_square_step(history: &History, steps: u64) -> Point {
    let next = late(history, steps).skip(1);
    let squares = late(history, steps).zip(next).map(|(from, to)| (to - from).map(|difference| difference.powi(2)));
    let (count, sum) = squares.fold((0.0, Point::zeros()), |(count, sum), square| (count + 1.0, sum + square));
    sum / count
}

/// Mean of ((y − f(x))/σ)² over the data and the draws of a network that are kept with all their weights, without those of the
/// first tenth of the steps; `None` for other targets.
fn mean_square_residual(frame: &Frame, steps: u64) -> Option<f64> {
    let (regression, functions) = (frame.target.regression()?, frame.target.in_vectors()?.model.functions()?);
    let (inputs, targets, sd) = (regression.inputs(), regression.observations(), regression.noise_sd());
    let (mut count, mut sum) = (0.0, 0.0);
    for at in frame.runs[0].vectors.iter().filter(|at| at.step > steps / 10) {
        let chains = at.positions.len();
        let mut f = vec![0.0; inputs.len() * chains];
        functions.evaluate(Simd::widest(), &at.positions, inputs, &mut Vec::new(), &mut f);
        for (values, target) in f.chunks_exact(chains).zip(targets) {
            sum += values.iter().map(|value| ((target - value) / sd).powi(2)).sum::<f64>();
        }
        count += f.len() as f64;
    }
    Some(sum / count)
}

/// All positions after the first tenth of the steps.
fn late(history: &History, steps: u64) -> impl Iterator<Item = Point> + '_ {
    let rows = history.row_from(steps / 10 + 1)..history.rows();
    rows.flat_map(move |row| (0..history.chains()).filter_map(move |chain| history.position(row, chain)))
}
