//! Digests: short hashes of everything that a run computes, to the last bit.

use sampler_lab::diagnostics::Measure;
use sampler_lab::math::Distribution;
use sampler_lab::scenario::Lesson;
use sampler_lab::session::{RunFrame, Session};

/// Fowler, Noll and Vo's hash FNV-1a with 64 bits: short, and the same on every machine and under every compiler.
#[derive(Clone, Copy, Debug)]
pub struct Hash(pub u64);

impl Hash {
    /// The hash of nothing.
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Adds a number. The sign of what is not a number says nothing: it is that of whichever operand an instruction takes
    /// it from.
    pub fn number(&mut self, number: f64) {
        let bits = if number.is_nan() { f64::NAN.to_bits() } else { number.to_bits() };
        self.bytes(&bits.to_le_bytes());
    }

    /// Adds a measure: its value and its floor, or that it has none.
    pub fn measure(&mut self, measure: &Measure) {
        self.bytes(measure.key.as_bytes());
        self.number(measure.value.unwrap_or(f64::NAN));
        for number in measure.floor.map_or([f64::NAN; 3], |floor| [floor.mean, floor.low, floor.high]) {
            self.number(number);
        }
    }
}

/// Adds the positions of all chains after every step, and what an approximation has fitted after every step.
pub fn run(hash: &mut Hash, run: &RunFrame) {
    for row in 0..run.history.rows() {
        for chain in 0..run.history.chains() {
            let at = run.history.position(row, chain);
            at.map_or([f64::NAN; 2], |at| [at.x, at.y]).into_iter().for_each(|number| hash.number(number));
        }
    }
    if let Some(fits) = &run.fits {
        for chain in 0..fits.trace.chains() {
            for (_, record) in fits.trace.of_chain(chain) {
                record.distribution.into_iter().flat_map(parameters).for_each(|number| hash.number(number));
                hash.number(record.evaluations);
            }
        }
    }
    hash.number(run.evaluations());
}

/// The parameters of a fitted distribution.
fn parameters(distribution: Distribution) -> Vec<f64> {
    match distribution {
        Distribution::Line { mean, variance } => vec![mean, variance],
        Distribution::Plane(gaussian) => gaussian.mean.iter().chain(gaussian.covariance.iter()).copied().collect(),
        Distribution::NormalGamma { mean, precision, shape, rate } => vec![mean, precision, shape, rate],
    }
}

/// The digest of a lesson: of its runs after all steps, and of their measures.
///
/// # Errors
/// If the lesson cannot be built.
pub fn lesson(lesson: &Lesson) -> Result<u64, String> {
    let scenario = lesson.scenario().map_err(|errors| errors.to_string())?;
    let mut session = Session::new(scenario).map_err(|errors| format!("{errors:?}"))?;
    session.advance(u64::MAX);
    session.measure_exactly();
    session.analyse();
    let mut hash = Hash::new();
    for of_run in &session.frame().runs {
        run(&mut hash, of_run);
        let analysis = &of_run.analysis;
        let measures = of_run.measures.iter().chain(&analysis.measures).chain(&analysis.fit.measures);
        measures.for_each(|measure| hash.measure(measure));
    }
    Ok(hash.0)
}
