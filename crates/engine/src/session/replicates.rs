//! Replicated data: what a model makes with draws of its posterior, for posterior predictive checks.
//!
//! A. Gelman, X.-L. Meng and H. Stern (1996), "Posterior predictive assessment of model fitness via realized discrepancies", Statistica
//! Sinica 6. A draw always makes the same data, whatever is thinned. Data are in the units of the file, also where the model has standardised
//! them.

use base::math::{Purpose, Stream, mean_and_sd, quantile};
use base::platform::pause;
use models::targets::{Model, Target};

use super::frame::RunFrame;
use super::kept::stride;

/// Replicated data sets whose distributions are kept, and the numbers that describe each.
const LINES: usize = 50;
const POINTS: usize = 400;

/// Replicated data sets of which statistics are computed at most and at least, and single data in all of them at most.
const MOST: usize = 1000;
const FEWEST: usize = 100;
const MOST_DATA: usize = 4_000_000;

/// Data, or a replicate of them.
#[derive(Clone, Debug, PartialEq)]
pub struct DataSet {
    /// The data in ascending order; of many, quantiles at equal distances.
    pub sorted: Vec<f64>,
    /// Smallest, largest, mean and standard deviation of the data.
    pub statistics: [f64; 4],
}

impl DataSet {
    /// Of data of a model in any order; `None` without any, and if one is no finite number.
    fn of(model: &dyn Model, mut data: Vec<f64>) -> Option<Self> {
        if let Some([mean, unit]) = model.standardised_by() {
            data.iter_mut().for_each(|datum| *datum = mean + unit * *datum);
        }
        data.sort_by(f64::total_cmp);
        let ends = [*data.first()?, *data.last()?];
        let (mean, sd) = mean_and_sd(&data);
        let statistics = [ends[0], ends[1], mean, sd];
        let last = POINTS as f64 - 1.0;
        let sorted = if data.len() > POINTS {
            (0..POINTS).filter_map(|number| quantile(&data, number as f64 / last)).collect()
        } else {
            data
        };
        ends.iter().all(|end| end.is_finite()).then_some(Self { sorted, statistics })
    }

    /// The data of a target.
    #[must_use]
    pub fn observed(target: &Target) -> Option<Self> {
        let model = target.model()?;
        Self::of(model, model.responses().to_vec())
    }
}

/// Replicated data of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Replicates {
    /// Some of them.
    pub sets: Vec<DataSet>,
    /// The statistics of more of them.
    pub statistics: Vec<[f64; 4]>,
}

impl Replicates {
    /// Of the draws that are kept of a run, or of its fit, with a seed.
    ///
    /// # Errors
    /// The reason why there are none.
    pub async fn of(target: &Target, run: &RunFrame, seed: u64) -> Result<Self, &'static str> {
        let model = target.model().filter(|model| !model.responses().is_empty()).ok_or("no data")?;
        let count = model.responses().len();
        let picked = picked(run, (MOST_DATA / count).clamp(FEWEST, MOST));
        if picked.is_empty() {
            return Err(match (&run.fits, run.collected) {
                (Some(_), _) => "nothing is fitted yet",
                (None, 0) => "no draws yet",
                (None, _) => "all chains have left",
            });
        }
        // An odd distance takes all chains in turn.
        let with_line = picked.len().div_ceil(LINES) | 1;
        let mut made = Self { sets: Vec::new(), statistics: Vec::new() };
        for (number, (label, vector)) in picked.into_iter().enumerate() {
            let set = replicate(model, &vector, (seed, label)).ok_or("replicated data are too large")?;
            made.statistics.push(set.statistics);
            if number % with_line == with_line / 2 {
                made.sets.push(set);
            }
            pause().await;
        }
        Ok(made)
    }

    /// The share of replicates whose statistic is at least that of the data: the posterior predictive p-value.
    #[must_use]
    pub fn p_value(&self, statistic: usize, observed: f64) -> f64 {
        let above = self.statistics.iter().filter(|values| values[statistic] >= observed).count();
        above as f64 / self.statistics.len() as f64
    }
}

/// The data that a vector makes.
fn replicate(model: &dyn Model, vector: &[f64], (seed, label): (u64, [u64; 2])) -> Option<DataSet> {
    let mut data = vec![0.0; model.responses().len()];
    let mut stream = Stream::derive(seed, Purpose::Data, label[0], label[1]);
    model.replicate(vector, &mut stream, &mut data).then(|| DataSet::of(model, data)).flatten()
}

/// A vector, labelled by its step and its chain.
type Labelled = ([u64; 2], Vec<f64>);

/// At most about so many of the vectors that are kept of chains that have not left, evenly; or draws of a fit.
fn picked(run: &RunFrame, most: usize) -> Vec<Labelled> {
    if let Some(fits) = &run.fits {
        let labelled = |(number, vector): (usize, &Vec<f64>)| ([run.step, number as u64], vector.clone());
        let apart = fits.vectors.len().div_ceil(most).max(1);
        return fits.vectors.iter().enumerate().step_by(apart).map(labelled).collect();
    }
    let kept = run.collected_vectors();
    let apart = stride(kept.len(), (most / run.plan.chains.max(1)).max(1));
    let rows = kept.into_iter().skip(apart / 2).step_by(apart);
    let of_row = |at: &std::sync::Arc<super::VectorsAt>| {
        let chains = 0..at.positions.len();
        chains.map(|chain| ([at.step, chain as u64], at.positions.vector(chain).collect())).collect::<Vec<Labelled>>()
    };
    let all = rows.flat_map(of_row);
    all.filter(|(_, vector)| vector.iter().all(|value| value.is_finite())).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scenario::read;
    use crate::session::Session;
    use base::platform::now;

    /// A flat regression with an intercept reproduces its data: replicated means are around that of the data, at a p-value near ½, with the
    /// variance of the mean and of the noise, 2 σ²/N. Two chains of NUTS; errors of four standard errors of 1000 nearly independent draws.
    #[test]
    fn replicates_of_a_regression_are_around_the_data() {
        let text = "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"regression\"\nterms = \"1, speed\"\nstandardise = false\n\
                    [[run]]\nname = \"A\"\nmethod = \"nuts\"\nchains = 4\nsteps = 3000\nwarm_up = 1000\ncollect = { burn_in = 1000 }\n\
                    adapt_step_size = true\nmass = \"dense\"\n";
        let mut session = Session::new(read(text, "x", Path::new("")).unwrap()).unwrap();
        session.advance(u64::MAX);
        let frame = session.frame();
        let observed = DataSet::observed(frame.target.as_ref()).unwrap();
        let made = now(Replicates::of(frame.target.as_ref(), &frame.runs[0], 3)).unwrap();
        assert_eq!((observed.sorted.len(), made.sets[0].sorted.len()), (50, 50));
        assert!((FEWEST..=MOST).contains(&made.statistics.len()) && (25..=LINES).contains(&made.sets.len()));
        let means: Vec<f64> = made.statistics.iter().map(|values| values[2]).collect();
        let (mean, sd) = mean_and_sd(&means);
        // σ is 15.4 in this regression (least squares with 48 degrees of freedom), and its posterior mean a little more.
        let expected = 15.6 * (2.0_f64 / 50.0).sqrt();
        let root = (means.len() as f64).sqrt();
        assert!((mean - observed.statistics[2]).abs() < 5.0 * expected / root, "{mean}");
        assert!((sd / expected - 1.0).abs() < 5.0 / (1.4 * root), "{sd} {expected}");
        assert!((made.p_value(2, observed.statistics[2]) - 0.5).abs() < 0.1);
        assert!(made.p_value(2, f64::INFINITY).abs() < 1e-12);
        assert_eq!(now(Replicates::of(frame.target.as_ref(), &frame.runs[0], 3)).unwrap(), made, "the same data");
    }

    /// Stopping distances of 50 cars, in feet: from 2 to 120, 42.98 on average, with a standard deviation of 25.77.
    #[test]
    fn data_of_a_standardised_response_are_in_the_units_of_the_file() {
        let text = |standardise| {
            format!(
                "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"regression\"\nterms = \"1, speed\"\nstandardise = {standardise}\n\
                 [[run]]\nname = \"A\"\nmethod = \"nuts\"\nchains = 2\nsteps = 300\n"
            )
        };
        for standardise in [true, false] {
            let mut session = Session::new(read(&text(standardise), "x", Path::new("")).unwrap()).unwrap();
            session.advance(u64::MAX);
            let frame = session.frame();
            let [low, high, mean, sd] = DataSet::observed(frame.target.as_ref()).unwrap().statistics;
            let error = [low - 2.0, high - 120.0, mean - 42.98, sd - 25.769_377].map(f64::abs);
            assert!(error.iter().all(|error| *error < 1e-6), "{standardise}: {low} {high} {mean} {sd}");
            let made = now(Replicates::of(frame.target.as_ref(), &frame.runs[0], 3)).unwrap();
            assert!(made.statistics.iter().all(|values| (20.0..70.0).contains(&values[2])), "{standardise}");
        }
    }
}
