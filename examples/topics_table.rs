//! Inference of topics on bars from many random starts, method by method, against the table of an independent program with 20.
//!
//! `cargo run --release --example topics_table -- 20 1`, with a number of starts and a seed; without them two starts of a few methods.

#![expect(clippy::print_stdout, reason = "an example says what it found")]

use std::error::Error;
use std::path::Path;

use sampler_lab::lda::{Elbo, Matching, bars_found};
use sampler_lab::math::Simd;
use sampler_lab::scenario;
use sampler_lab::session::{ChainTopics, RunFrame, Session};
use sampler_lab::targets::TopicModel;

/// Starts in the independent program.
const THEIRS: f64 = 20.0;

/// Documents seen at which the methods are compared.
const AT: [u64; 4] = [200, 1000, 5000, 20_000];

/// A number that the table does not have.
const NO: f64 = f64::NAN;

/// Documents in a batch; 0 for sweeps.
type Batch = u64;

/// A method with its settings, and what the table has at each of [`AT`]: held-out value per word, bound per word, bars found, starts of
/// 20 with all ten, and mean distance to the true topics.
type Row = (&'static str, &'static str, Batch, [[f64; 5]; 4]);

const RHO: &str = "step_size = { kind = \"polynomial\", a = 1.0, b = 1.0, gamma = 0.7 }";

#[rustfmt::skip]
const ROWS: [Row; 13] = [
    ("SVI, B = 50", "method = \"svi\"", 50, [
        [-2.836, -2.898, 0.5, 0.0, 0.48], [-2.731, -2.781, 8.3, 4.0, 0.31],
        [-2.711, -2.750, 9.3, 13.0, 0.19], [-2.709, -2.739, 9.5, 15.0, 0.126],
    ]),
    ("CAVI, fresh", "method = \"cavi\"", 0, [
        [NO; 5], [-2.971, -3.042, 0.0, 0.0, NO], [-2.740, NO, 8.0, 6.0, NO], [-2.709, -2.736, 9.6, 15.0, NO],
    ]),
    ("Gibbs", "method = \"collapsed-gibbs\"", 0, [
        [NO; 5], [-3.188, NO, 0.0, 0.0, NO], [-2.985, NO, 0.0, 0.0, NO], [-2.730, NO, 8.5, 5.0, NO],
    ]),
    ("SVI, B = 50, L = 3", "method = \"svi\"\nwindow = 3", 50, [
        [-2.882, NO, NO, NO, 0.53], [-2.748, -2.802, 5.1, 0.0, NO],
        [-2.712, NO, 9.3, 12.0, 0.21], [-2.707, -2.738, 9.6, 16.0, 0.133],
    ]),
    ("SVI, B = 50, L = 10", "method = \"svi\"\nwindow = 10", 50, [
        [-2.892, NO, 0.3, 0.0, NO], [-2.785, -2.843, 1.5, 0.0, NO],
        [-2.719, NO, 9.1, 10.0, NO], [-2.710, -2.744, 9.3, 13.0, 0.157],
    ]),
    ("SVI, B = 50, L = 30", "method = \"svi\"\nwindow = 30", 50, [
        [-2.892, NO, NO, NO, NO], [-2.806, NO, 1.0, 0.0, NO],
        [-2.731, NO, 8.4, 5.0, NO], [-2.713, -2.750, 9.2, 12.0, 0.191],
    ]),
    ("SAG, B = 50", "method = \"svi\"\naverage = \"sag\"", 50, [
        [-2.892, NO, NO, NO, NO], [-2.806, NO, 1.0, NO, NO], [-2.728, NO, 8.7, 7.0, NO], [-2.712, -2.749, 9.3, 13.0, NO],
    ]),
    ("SAG, B = 50, ρ = 1", "method = \"svi\"\naverage = \"sag\"\nstep_size = { kind = \"constant\", value = 1.0 }", 50, [
        [-2.856, NO, 0.5, NO, NO], [-2.767, NO, 2.4, NO, NO], [-2.711, NO, 9.3, 13.0, NO], [-2.710, -2.730, 9.7, 17.0, 0.060],
    ]),
    ("AG, B = 50, L = 10", "method = \"svi\"\naverage = \"average-gradient\"\nwindow = 10", 50, [
        [-2.899, NO, NO, NO, NO], [-2.786, NO, 2.1, NO, NO], [-2.717, NO, 9.1, 11.0, NO], [-2.709, -2.741, 9.5, 15.0, NO],
    ]),
    ("SVI, B = 10", "method = \"svi\"", 10, [
        [-2.825, -2.871, 4.6, NO, NO], [-2.790, -2.828, 6.7, 0.0, NO],
        [-2.784, -2.817, 6.8, NO, NO], [-2.780, -2.808, 7.0, 1.0, NO],
    ]),
    ("SVI, B = 10, L = 10", "method = \"svi\"\nwindow = 10", 10, [
        [-2.864, -2.916, 1.9, NO, NO], [-2.793, -2.835, 6.3, NO, NO],
        [-2.773, -2.808, 7.3, NO, NO], [-2.774, -2.803, 7.3, 1.0, NO],
    ]),
    ("SVI, B = 10, L = 100", "method = \"svi\"\nwindow = 100", 10, [
        [-2.880, NO, NO, NO, NO], [-2.830, NO, 3.1, NO, NO], [-2.786, NO, 6.6, NO, NO], [-2.773, -2.807, 7.3, 1.0, NO],
    ]),
    ("CAVI, kept", "method = \"cavi\"\nlocal_start = \"kept\"", 0, [
        [NO; 5], [-2.971, -3.042, 0.0, 0.0, NO], [-2.874, NO, 0.0, 0.0, NO], [-2.872, -2.932, 0.0, 0.0, 0.525],
    ]),
];

/// The number of the starts with all ten among those of a row; the table has counts, and here are shares.
const SHARE: usize = 3;

/// Half a unit of the last digit of the table.
const ROUNDING: [f64; 5] = [5e-4, 5e-4, 0.05, 0.0, 5e-3];

/// Rows that are quick.
const QUICK: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let asked = std::env::args().nth(1).map(|text| text.parse::<usize>()).transpose()?;
    let seed = std::env::args().nth(2).map(|text| text.parse::<u64>()).transpose()?;
    let starts = asked.unwrap_or(2);
    println!("{starts} starts; after each mean its distance from the table in standard errors of both");
    println!(
        "{:22} {:>9}  held-out        bound/word      bars            all ten         distance",
        "method", "documents"
    );
    let (mut compared, mut far) = (0, 0);
    for row in ROWS.iter().take(if asked.is_some() { ROWS.len() } else { QUICK }) {
        let mut session = session(row, starts, seed.unwrap_or(1))?;
        for (documents, stated) in AT.into_iter().zip(row.3) {
            let step = documents.checked_div(row.2).unwrap_or(documents / 1000);
            if step == 0 {
                continue;
            }
            session.advance(step - session.step());
            let found = measure(&session.frame().runs[0], session.frame().target.topics().ok_or("no topics")?);
            let cells =
                found.iter().zip(stated).zip(ROUNDING).enumerate().map(|(number, ((own, stated), rounding))| {
                    let (mean, z) = compare(own, stated, rounding, number == SHARE);
                    compared += usize::from(z.is_some());
                    far += usize::from(z.is_some_and(|z| z.abs() > 2.0));
                    format!("{mean:>7.3} {:7}", z.map_or_else(String::new, |z| format!("({z:+.1})")))
                });
            println!("{:22} {documents:>9}  {}", row.0, cells.collect::<Vec<_>>().join(" "));
        }
    }
    println!("{far} of {compared} means are more than two standard errors from the table; 5 % are expected");
    Ok(())
}

fn session(row: &Row, starts: usize, seed: u64) -> Result<Session, Box<dyn Error>> {
    let &(name, settings, batch, _) = row;
    let gradient = if batch > 0 {
        let rho = if settings.contains("step_size") { "" } else { RHO };
        format!("gradient = {{ kind = \"minibatch\", size = {batch}, order = \"shuffled\" }}\n{rho}\n")
    } else {
        String::new()
    };
    let steps = AT[3] / if batch > 0 { batch } else { 1000 };
    let text = format!(
        "format = 1\nseed = {seed}\n[target]\nkind = \"topics\"\n[[run]]\nname = \"{name}\"\nchains = {starts}\nsteps = {steps}\n\
         start = {{ kind = \"random\" }}\n{settings}\n{gradient}"
    );
    let scenario = scenario::read(&text, name, Path::new("."))?;
    Session::new(scenario).map_err(|errors| format!("{errors:?}").into())
}

/// Held-out value, bound per word (0 of samplers), bars, whether all ten are found, and mean distance, of every start.
fn measure(run: &RunFrame, model: &TopicModel) -> [Vec<f64>; 5] {
    let mut all: [Vec<f64>; 5] = Default::default();
    let mut local = model.local(Simd::widest());
    let Some(newest) = run.topics.last() else { return all };
    let Some(truth) = model.truth() else { return all };
    for chain in &newest.chains {
        let ChainTopics { parameters, log_joint, .. } = chain.as_ref();
        let (mean, training) = (chain.mean(), &model.corpus.training);
        let is_vi = log_joint.is_none();
        let bound = Elbo::at(parameters, &model.model, training, &mut local).total() / training.token_count() as f64;
        let held_out = match is_vi {
            true => model.completion().score_of(parameters, &mut local),
            false => model.completion().score_of_known(&mean, &mut local),
        };
        let bars = bars_found(truth, &mean) as f64;
        let distance = Matching::new(truth, &mean).mean_distance().unwrap_or(NO);
        let bound = if is_vi { bound } else { NO };
        let found = [held_out.unwrap_or(NO), bound, bars, f64::from(u8::from(bars > 9.5)), distance];
        all.iter_mut().zip(found).for_each(|(all, found)| all.push(found));
    }
    all
}

/// The mean, and its distance from a stated one in standard errors of the difference, if that is known.
fn compare(own: &[f64], stated: f64, rounding: f64, is_share: bool) -> (f64, Option<f64>) {
    let stated = if is_share { stated / THEIRS } else { stated };
    let count = own.len() as f64;
    let mean = own.iter().sum::<f64>() / count;
    let variance = own.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (count - 1.0).max(1.0);
    // A share of nothing or of everything has no spread to go by: that of one start more or less.
    let variance = variance.max(if is_share { 1.0 / count.max(THEIRS) } else { 0.0 });
    let error = (variance * (1.0 / count + 1.0 / THEIRS)).sqrt();
    let away = (mean - stated).abs() - rounding;
    let known = !stated.is_nan() && error > 0.0;
    (mean, known.then(|| away.max(0.0) / error * (mean - stated).signum()))
}
