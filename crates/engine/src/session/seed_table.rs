//! Repeats with other seeds as a table: the measures at the ends of the runs, means with standard errors, and ranks as far as the seeds tell
//! them.

use super::repeats::Repeat;
use crate::diagnostics::chain::CONVERGED;
use crate::diagnostics::quantities::AGREEMENT;
use crate::diagnostics::{Better, Measure, MeasureSpec, all_measures};
use base::math::mean_and_sd;
use models::targets::Target;

/// Quantiles 0.975 of Student's t by degrees of freedom, from 1 on.
const T: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// The measures of repeats at the ends of the runs.
#[derive(Clone, Debug, PartialEq)]
pub struct SeedTable {
    /// Number of seeds.
    pub seeds: usize,
    /// The measures that some run has, the cost before them.
    pub measures: Vec<SeedMeasure>,
    /// For every run how many of its seeds have chains that do not agree, and the largest R-hat of them; `None` of runs without R-hat.
    pub disagreement: Vec<Option<Disagreement>>,
    /// The keys of those that a table for people has room for: the cost, and those that come first for the target or that were chosen.
    pub leading: Vec<String>,
}

/// Chains of a run that do not agree with some seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disagreement {
    /// How many seeds have an R-hat above [`CONVERGED`].
    pub seeds: usize,
    /// The largest R-hat.
    pub rhat: f64,
}

impl Disagreement {
    /// That of a run; of named quantities where there are some, otherwise of the coordinates that are drawn.
    fn of(repeats: &[Repeat], run: usize) -> Option<Self> {
        let largest = |key: &str| {
            let of_seed = Values::of(repeats, key, run).of_seed.into_iter().flatten().collect::<Vec<_>>();
            (!of_seed.is_empty()).then_some(of_seed)
        };
        let of_seed = largest(AGREEMENT).or_else(|| largest("rhat"))?;
        let seeds = of_seed.iter().filter(|rhat| **rhat > CONVERGED).count();
        Some(Self { seeds, rhat: of_seed.into_iter().fold(f64::MIN, f64::max) })
    }
}

/// A measure of all runs.
#[derive(Clone, Debug, PartialEq)]
pub struct SeedMeasure {
    /// The measure.
    pub spec: MeasureSpec,
    /// Its values, for every run that has some.
    pub runs: Vec<Option<SeedCell>>,
}

/// A measure of a run over the seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeedCell {
    /// The mean.
    pub mean: f64,
    /// Its standard error; `None` of one seed.
    pub error: Option<f64>,
    /// How many seeds have a value.
    pub seeds: usize,
    /// What as many exact draws score on average.
    pub floor: Option<f64>,
    /// The best and the worst rank that the run may have, from 1; `None` where runs are not compared.
    pub ranks: Option<[usize; 2]>,
}

/// What the runs have cost.
const COST: MeasureSpec = MeasureSpec {
    key: "evaluations",
    label: "Evaluations",
    help: "Evaluations of gradients and densities by all chains of a run.",
    better: Better::Neither,
    headline: true,
    of_truth: false,
};

impl SeedTable {
    /// The table of the headlines among all measures on a target; those that a person has chosen lead, if there are any.
    #[must_use]
    pub fn of(repeats: &[Repeat], target: &Target, chosen: Option<&[String]>) -> Self {
        let modes = target.info().modes.len();
        let is_chosen = |key: &str| chosen.is_some_and(|keys| keys.iter().any(|own| own == key));
        let leading = |fits| target.family().leading.keys(fits, modes);
        let leads = |key: &str| [true, false].iter().any(|fits| leading(*fits).contains(&key));
        // With one mode all draws are in it.
        let says = |spec: &MeasureSpec| spec.headline && (modes > 1 || !spec.key.starts_with("mode"));
        let specs = all_measures().filter(|spec| says(spec) || leads(spec.key) || is_chosen(spec.key));
        let mut table = Self::with(repeats, specs.copied());
        let has = |key: &&str| table.measures.iter().any(|measure| measure.spec.key == *key);
        let of_draws = leading(false).iter().any(|key| has(key) && !leading(true).contains(key));
        let first = leading(!of_draws).iter().copied().filter(has).map(str::to_owned).collect();
        table.leading = chosen.map_or(first, <[String]>::to_vec);
        table.leading.insert(0, COST.key.to_owned());
        table
    }

    /// The table of the measures with these descriptions, all of which lead.
    fn with(repeats: &[Repeat], specs: impl Iterator<Item = MeasureSpec>) -> Self {
        let runs = repeats.iter().map(|repeat| repeat.runs.len()).max().unwrap_or(0);
        let measures = std::iter::once(COST).chain(specs).map(|spec| measure(repeats, &spec, runs));
        let measures: Vec<SeedMeasure> = measures.filter(|measure| measure.runs.iter().any(Option::is_some)).collect();
        let leading = measures.iter().map(|measure| measure.spec.key.to_owned()).collect();
        let disagreement = (0..runs).map(|run| Disagreement::of(repeats, run)).collect();
        Self { seeds: repeats.len(), measures, disagreement, leading }
    }
}

/// The values of a run by seed, and the floor.
struct Values {
    of_seed: Vec<Option<f64>>,
    floor: Option<f64>,
}

impl Values {
    fn of(repeats: &[Repeat], key: &str, run: usize) -> Self {
        let last = |repeat: &Repeat| -> Option<Measure> {
            let stop = repeat.runs.get(run)?.last()?;
            if key == COST.key {
                return Some(Measure { key: COST.key, value: Some(stop.evaluations), floor: None, reason: "" });
            }
            stop.measures.iter().find(|measure| measure.key == key).cloned()
        };
        let all: Vec<Option<Measure>> = repeats.iter().map(last).collect();
        let value = |measure: &Option<Measure>| measure.as_ref()?.value.filter(|value| value.is_finite());
        Self {
            of_seed: all.iter().map(value).collect(),
            floor: all.iter().flatten().find_map(|measure| measure.floor).map(|floor| floor.mean),
        }
    }

    /// How far from perfect every value is.
    fn badness(&self, better: Better) -> Option<Vec<Option<f64>>> {
        let of = |value: f64| match better {
            Better::Lower => Some(value),
            Better::Higher => Some(-value),
            Better::NearFloor => self.floor.map(|floor| (value - floor).abs()),
            Better::Neither => None,
        };
        self.of_seed.iter().map(|value| value.map_or(Some(None), |value| of(value).map(Some))).collect()
    }

    /// How far above the floor every value of an error is; [`badness`](Self::badness) itself where values do not fall to a floor.
    fn excess(&self, better: Better) -> Option<Vec<Option<f64>>> {
        let floor = self.floor.filter(|_| better == Better::Lower).unwrap_or(0.0);
        let of_seed = self.badness(better)?;
        Some(of_seed.into_iter().map(|value| value.map(|value| value - floor)).collect())
    }

    fn cell(&self) -> Option<SeedCell> {
        let values: Vec<f64> = self.of_seed.iter().copied().flatten().collect();
        if values.is_empty() {
            return None;
        }
        let (mean, error) = mean_and_error(&values);
        Some(SeedCell { mean, error, seeds: values.len(), floor: self.floor, ranks: None })
    }
}

/// The mean of some values, and its standard error.
fn mean_and_error(values: &[f64]) -> (f64, Option<f64>) {
    let (mean, sd) = mean_and_sd(values);
    (mean, (values.len() > 1).then(|| sd / (values.len() as f64).sqrt()))
}

/// What runs are compared by: a number for every seed, if the measure is for comparison.
type Compared = Vec<Option<Vec<Option<f64>>>>;

fn measure(repeats: &[Repeat], spec: &MeasureSpec, runs: usize) -> SeedMeasure {
    let values: Vec<Values> = (0..runs).map(|run| Values::of(repeats, spec.key, run)).collect();
    let mut cells: Vec<Option<SeedCell>> = values.iter().map(Values::cell).collect();
    let there: Vec<usize> = (0..runs).filter(|run| cells[*run].is_some()).collect();
    // A histogram of draws, which has a floor, is no quadrature: beside draws, fits are not compared.
    let has_floor = |run: &usize| values[*run].floor.is_some();
    let of_draws = there.iter().any(has_floor);
    let there: Vec<usize> = there.into_iter().filter(|run| has_floor(run) == of_draws).collect();
    let badness: Compared = values.iter().map(|values| values.badness(spec.better)).collect();
    let excess: Compared = values.iter().map(|values| values.excess(spec.better)).collect();
    if there.len() > 1 && repeats.len() > 1 {
        let is_less = |of: &Compared, one: usize, other: usize| match (&of[one], &of[other]) {
            (Some(one), Some(other)) => is_surely_less(one, other),
            _ => false,
        };
        // Few draws have a large error, which is that of their number; a biased run of many draws has a small one, all of it above its floor.
        // Better is what has less of both.
        let surely = |one: usize, other: usize| is_less(&badness, one, other) && is_less(&excess, one, other);
        for run in there.iter().copied().filter(|run| badness[*run].is_some()) {
            let better = there.iter().filter(|other| surely(**other, run)).count();
            let worse = there.iter().filter(|other| surely(run, **other)).count();
            if let Some(cell) = &mut cells[run] {
                cell.ranks = Some([1 + better, there.len() - worse]);
            }
        }
    }
    SeedMeasure { spec: *spec, runs: cells }
}

/// Whether the first values are smaller than the second by Student's test of their differences at the same seeds, at 95 %.
fn is_surely_less(first: &[Option<f64>], second: &[Option<f64>]) -> bool {
    let pairs = first.iter().zip(second);
    let differences: Vec<f64> = pairs.filter_map(|(first, second)| Some((*second)? - (*first)?)).collect();
    if differences.len() < 2 {
        return false;
    }
    let (mean, error) = mean_and_error(&differences);
    let quantile = T.get(differences.len() - 2).copied().unwrap_or(1.96 + 2.5 / differences.len() as f64);
    error.is_some_and(|error| mean > quantile * error)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::diagnostics::NoiseFloor;
    use crate::session::repeats::Stop;
    use base::params::{Settings, find_kind};

    const TV: MeasureSpec =
        MeasureSpec { key: "tv", label: "TV", help: "", better: Better::Lower, headline: true, of_truth: false };

    /// Repeats of runs with these values by seed, the last of which counts; floors in the first repeat.
    fn repeats(runs: &[(Option<f64>, &[f64])]) -> Vec<Repeat> {
        let stop = |step: u64, value: f64, floor: Option<f64>| Stop {
            step,
            evaluations: step as f64,
            measures: vec![Measure {
                key: "tv",
                value: Some(value),
                floor: floor.map(|mean| NoiseFloor { mean, low: 0.9 * mean, high: 1.1 * mean }),
                reason: "",
            }],
        };
        (0..runs[0].1.len())
            .map(|seed| Repeat {
                seed: seed as u64,
                runs: runs
                    .iter()
                    .map(|(floor, values)| vec![stop(1, 9.0, None), stop(2, values[seed], floor.filter(|_| seed == 0))])
                    .collect(),
            })
            .collect()
    }

    fn ranks(runs: &[(Option<f64>, &[f64])], spec: MeasureSpec) -> Vec<Option<[usize; 2]>> {
        let table = SeedTable::with(&repeats(runs), [spec].into_iter());
        table.measures[1].runs.iter().map(|cell| cell.unwrap().ranks).collect()
    }

    /// Hours of additional sleep under two drugs (Student 1908, table I): t = 4.0621 with nine degrees of freedom.
    #[test]
    fn students_sleep() {
        let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let table = SeedTable::with(&repeats(&[(None, &first), (None, &second)]), [TV].into_iter());
        let cells: Vec<SeedCell> = table.measures[1].runs.iter().map(|cell| cell.unwrap()).collect();
        assert!((cells[0].mean - 0.75).abs() < 1e-12 && (cells[1].mean - 2.33).abs() < 1e-12);
        // Standard deviations 1.789 and 2.002.
        assert!((cells[0].error.unwrap() - 1.789_010 / 10.0_f64.sqrt()).abs() < 1e-6);
        assert_eq!((cells[0].ranks, cells[1].ranks), (Some([1, 1]), Some([2, 2])));
        // By themselves the means are within two standard errors of each other: pairs tell more.
        let shuffled: Vec<f64> = second.iter().rev().copied().collect();
        assert_eq!(ranks(&[(None, &first), (None, &shuffled)], TV), [Some([1, 2]), Some([1, 2])]);
        let higher = MeasureSpec { better: Better::Higher, ..TV };
        assert_eq!(ranks(&[(None, &first), (None, &second)], higher), [Some([2, 2]), Some([1, 1])]);
        let neither = MeasureSpec { better: Better::Neither, ..TV };
        assert_eq!(ranks(&[(None, &first), (None, &second)], neither), [None, None]);
    }

    #[test]
    fn errors_and_what_is_above_their_floors_do_not_contradict_ranks_and_two_kinds_are_not_compared() {
        // Many draws of the same quality have a smaller error, and many that are biased as well: neither makes a run better.
        let (few, many) = ([0.30, 0.32, 0.31], [0.21, 0.22, 0.20]);
        assert_eq!(ranks(&[(Some(0.3), &few), (Some(0.2), &many)], TV), [Some([1, 2]); 2]);
        assert_eq!(ranks(&[(Some(0.3), &few), (Some(0.1), &many)], TV), [Some([1, 2]); 2]);
        assert_eq!(ranks(&[(Some(0.1), &few), (Some(0.1), &many)], TV), [Some([2, 2]), Some([1, 1])]);
        assert_eq!(ranks(&[(Some(0.3), &few), (None, &many)], TV), [None, None], "draws beside a fit");
        let three = ranks(&[(Some(0.1), &few), (None, &many), (Some(0.1), &many)], TV);
        assert_eq!(three, [Some([2, 2]), None, Some([1, 1])]);
        assert_eq!(ranks(&[(None, &few), (None, &many)], TV), [Some([2, 2]), Some([1, 1])]);
    }

    #[test]
    fn few_measures_lead_and_the_cost_before_them() {
        let three = find_kind(&models::targets::TARGETS, "three-modes").unwrap();
        let target = models::targets::build(&Settings::defaults(three), Path::new("")).unwrap();
        let mut made = repeats(&[(Some(0.3), &[0.4, 0.5])]);
        for stop in made.iter_mut().flat_map(|repeat| &mut repeat.runs[0]) {
            let modes = Measure { key: "modes_covered", value: Some(2.0), floor: None, reason: "" };
            stop.measures.push(modes);
        }
        let table = SeedTable::of(&made, &target, None);
        assert_eq!(table.leading, ["evaluations", "modes_covered"]);
        assert!(table.measures.iter().map(|measure| measure.spec.key).eq(["evaluations", "modes_covered", "tv"]));
        assert_eq!(SeedTable::of(&made, &target, Some(&["tv".to_owned()])).leading, ["evaluations", "tv"]);
    }

    #[test]
    fn one_seed_has_no_error_and_no_ranks() {
        let table = SeedTable::with(&repeats(&[(None, &[0.1]), (None, &[0.2])]), [TV].into_iter());
        let cell = table.measures[1].runs[0].unwrap();
        assert_eq!((table.seeds, cell.error, cell.ranks), (1, None, None));
        assert!(SeedTable::with(&[], [TV].into_iter()).measures.is_empty());
    }
}
