//! Exactness of Metropolis methods: every target of the gallery is their stationary distribution. Chains that start at
//! exact draws are exact draws after any number of steps, whatever the step size; so are all positions of long runs.
//!
//! After [`STEPS`] steps the positions of [`CHAINS`] independent chains are compared with as many fresh draws by the
//! two-sample test of Kolmogorov and Smirnov, coordinate by coordinate and for the log density. Its statistic exceeds
//! [`LIMIT`] with probability 2 exp(−2·2.69²) = 10⁻⁶ whatever the distribution: for all comparisons together a false
//! alarm in 3000 seeds.

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use sampler_lab::math::{Point, Purpose, Stream};
use sampler_lab::scenario;
use sampler_lab::session::{RunFrame, Session};
use sampler_lab::targets::{Density, Target};

use super::pairs::{bounded, curvature, described, known, planar_data};

/// Independent chains, the most a run may have.
const CHAINS: usize = 4096;

/// Steps after which the distributions are compared.
const STEPS: usize = 12;

/// 2.69·√(2/4096), rounded up.
const LIMIT: f64 = 0.0595;

/// Name, method, its other settings and a step size for a curvature; 0 of a method without one.
type Case = (&'static str, &'static str, String, fn(f64) -> f64);

/// Every Metropolis method and every way to make proposals, at step sizes at which some are rejected.
fn cases(target: &Target, curvature_of_modes: f64) -> Vec<Case> {
    let batch = planar_data(target).map(|data| data.min(10));
    let langevin: fn(f64) -> f64 = |curvature| 0.5 / curvature;
    let mut cases: Vec<Case> = vec![
        ("random walk", "random-walk", String::new(), |curvature| 1.0 / curvature),
        ("MALA", "mala", String::new(), langevin),
        ("noisy MALA", "mala", "gradient = { kind = \"noisy\", variance = 2.0 }".to_owned(), langevin),
        ("Barker", "barker", String::new(), langevin),
        ("Langevin", "langevin", "metropolis = true".to_owned(), langevin),
        ("HMC", "hmc", "leapfrog_steps = 5".to_owned(), |curvature| 0.9 / curvature.sqrt()),
        ("long HMC", "hmc", "leapfrog_steps = 20".to_owned(), |curvature| 0.3 / curvature.sqrt()),
        ("NUTS", "nuts", "max_depth = 6".to_owned(), |curvature| 0.9 / curvature.sqrt()),
        ("short NUTS", "nuts", "max_depth = 2".to_owned(), |curvature| 1.3 / curvature.sqrt()),
    ];
    if target.in_vectors().is_none() {
        // A slice as wide as a mode, and one that is far too short, with points that are given up.
        let sd = curvature_of_modes.sqrt().recip();
        cases.push(("Gibbs", "gibbs", format!("width = {:e}", 2.0 * sd), |_| 0.0));
        let short = format!("scan = \"random\"\nwidth = {:e}\nmost_widths = 2\nmost_tries = 3", 0.3 * sd);
        cases.push(("short slices", "gibbs", short, |_| 0.0));
    }
    if let Some(size) = batch {
        let gradient = format!("gradient = {{ kind = \"minibatch\", size = {size} }}");
        cases.push(("batched MALA", "mala", gradient, |curvature| 0.1 / curvature));
    }
    cases
}

/// The line of a constant step size.
fn constant(size: f64) -> String {
    format!("step_size = {{ kind = \"constant\", value = {size:e} }}\n")
}

/// The runs of `cases` on a target, to their ends.
fn runs(target: &str, cases: &[Case], (curvature, steps): (f64, usize)) -> Vec<RunFrame> {
    let run = |(name, method, settings, step): &Case| {
        let size = step(curvature);
        let step_size = if size > 0.0 { constant(size) } else { String::new() };
        format!(
            "[[run]]\nname = \"{name}\"\nmethod = \"{method}\"\nchains = {CHAINS}\nsteps = {steps}\n{settings}\n\
             start = {{ kind = \"target\" }}\n{step_size}"
        )
    };
    let runs: String = cases.iter().map(run).collect();
    let text = format!("format = 1\ntitle = \"exact\"\nseed = 5\n[target]\n{target}\n{runs}");
    let mut session = Session::new(scenario::read(&text, "exact.toml", Path::new(".")).unwrap()).unwrap();
    session.advance(u64::MAX);
    session.frame().runs
}

/// As many draws that no chain has started from. Every target of the gallery has exact draws; one without would need a
/// test of another kind, and fails here.
fn fresh(target: &dyn Density) -> Vec<Point> {
    let draw = |chain: u64| target.exact_draw(&mut Stream::derive(77, Purpose::Data, 9, chain));
    (0..CHAINS as u64).map(|chain| draw(chain).unwrap()).collect()
}

/// The largest distance between the empirical distribution functions of two samples of equal size.
fn distance(mut left: Vec<f64>, mut right: Vec<f64>) -> f64 {
    left.sort_by(f64::total_cmp);
    right.sort_by(f64::total_cmp);
    let (mut i, mut j, mut farthest) = (0, 0, 0_usize);
    while i < left.len() && j < right.len() {
        if left[i] <= right[j] {
            i += 1;
        } else {
            j += 1;
        }
        farthest = farthest.max(i.abs_diff(j));
    }
    farthest as f64 / left.len() as f64
}

/// The distances between two samples by coordinates and by log density.
fn distances(target: &dyn Density, left: &[Point], right: &[Point]) -> Vec<f64> {
    let along = |of: &dyn Fn(Point) -> f64| {
        distance(left.iter().map(|at| of(*at)).collect(), right.iter().map(|at| of(*at)).collect())
    };
    let mut distances = vec![along(&|at| at.x), along(&|at| target.log_density(at))];
    if target.info().dimension == 2 {
        distances.push(along(&|at| at.y));
    }
    distances
}

/// Checks all cases on a target.
fn exact(text: &str, target: &Arc<Target>) {
    let density = target.density().unwrap().as_ref();
    let (curvature, draws) = (curvature(target), fresh(density));
    let cases = cases(target.as_ref(), curvature);
    for (run, (_, method, ..)) in runs(text, &cases, (curvature, STEPS)).iter().zip(&cases) {
        // Gibbs sampling proposes nothing.
        let rate = run.acceptance.rate();
        let moves = rate.map_or(*method == "gibbs", |rate| (0.02..0.9999).contains(&rate));
        assert!(moves, "{} on {text}: accepts {rate:?}", run.plan.name);
        let distances = distances(density, &run.positions, &draws);
        assert!(distances.iter().all(|distance| *distance < LIMIT), "{} on {text}: {distances:?}", run.plan.name);
    }
}

#[test]
fn metropolis_methods_keep_the_distribution_of_every_target() {
    known().chain(bounded()).collect::<Vec<_>>().par_iter().for_each(|text| exact(text, &described(text)));
}

/// Steps of methods that learn from where they were, and afterwards.
const LEARNING_STEPS: usize = 300;

/// Adaptive Metropolis after its covariance is frozen, parallel tempering after its replicas have come to their own temperatures, and
/// DE-MC(Z) after its archive is full. Targets with data are left out, which take longest.
///
/// What a chain has learnt depends on where it was, so that its distribution is that of the target only once it has forgotten that. The
/// covariance of few positions in ten dimensions has directions in which a chain then hardly moves, so that there more are learnt from.
/// Adaptive Metropolis learns a mode where it has met no other, and then stays there: three modes of different shares are left out.
#[test]
fn methods_that_learn_keep_the_distribution_afterwards() {
    let adaptive = |text: &str| {
        let (settings, steps) = if text.contains("hierarchical") {
            ("begin = 500\nuntil = 1000", 10 * LEARNING_STEPS)
        } else {
            ("begin = 30\nuntil = 60", LEARNING_STEPS)
        };
        let size: fn(f64) -> f64 = |curvature| 1.0 / curvature;
        (("adaptive Metropolis", "adaptive-metropolis", settings.to_owned(), size), steps)
    };
    let tempering: Case =
        ("tempering", "parallel-tempering", "replicas = 3\nhottest = 4.0".to_owned(), |curvature| 1.0 / curvature);
    known().chain(bounded()).collect::<Vec<_>>().par_iter().for_each(|text| {
        let target = described(text);
        if planar_data(&target).is_some() {
            return;
        }
        let density = target.density().unwrap().as_ref();
        let (curvature, draws) = (curvature(&target), fresh(density));
        let mut ends = vec![("DE-MC(Z)".to_owned(), differences(text, curvature))];
        let learnt = (!text.contains("three-modes")).then(|| adaptive(text));
        let cases = std::iter::once((tempering.clone(), LEARNING_STEPS)).chain(learnt);
        for run in cases.flat_map(|(case, steps)| runs(text, &[case], (curvature, steps))) {
            let rate = run.acceptance.rate();
            assert!(rate.is_some_and(|rate| (0.1..0.95).contains(&rate)), "{} on {text}: {rate:?}", run.plan.name);
            ends.push((run.plan.name.clone(), run.positions.clone()));
        }
        for (name, positions) in ends {
            let distances = distances(density, &positions, &draws);
            assert!(distances.iter().all(|distance| *distance < LIMIT), "{name} on {text}: {distances:?}");
        }
    });
}

/// The ends of as many chains of DE-MC(Z), 128 to a run: those of a run share an archive.
fn differences(target: &str, curvature: f64) -> Vec<Point> {
    let run = format!(
        "[[run]]\nname = \"x\"\nmethod = \"demcz\"\nchains = 128\nsteps = {LEARNING_STEPS}\narchive = 2560\nevery = 5\n\
         initial_spread = {:e}\nstart = {{ kind = \"target\" }}\n{}",
        curvature.sqrt().recip(),
        constant(1e-3 / curvature)
    );
    let ends = (0..CHAINS / 128).flat_map(|seed| {
        let text = format!("format = 1\ntitle = \"exact\"\nseed = {seed}\n[target]\n{target}\n{run}");
        let mut session = Session::new(scenario::read(&text, "exact.toml", Path::new(".")).unwrap()).unwrap();
        session.advance(u64::MAX);
        session.frame().runs[0].positions.clone()
    });
    ends.collect()
}

/// The test would find the bias of an unadjusted method: on a Gaussian at αλ = 1.5 the variance is four times as large.
#[test]
fn an_unadjusted_method_does_not_keep_the_distribution() {
    let target = described("kind = \"gaussian\"");
    let cases: [Case; 1] = [("ULA", "langevin", String::new(), |curvature| 1.5 / curvature)];
    let run = runs("kind = \"gaussian\"", &cases, (curvature(&target), STEPS)).remove(0);
    let density = target.density().unwrap().as_ref();
    let distances = distances(density, &run.positions, &fresh(density));
    assert!(distances.iter().any(|distance| *distance > 2.0 * LIMIT), "{distances:?}");
}

/// Independent chains of long runs.
const LONG_CHAINS: usize = 256;

/// Steps of long runs, and of those in which every gradient is a sum over a hundred data with exponentials.
const LONG_STEPS: [usize; 2] = [1000, 250];

/// Streams of exact draws with which long runs are compared, and draws from each.
const DRAWS: (u64, usize) = (8, 50_000);

/// Width of a tolerance in standard errors.
const Z: f64 = 5.0;

/// A mean with its standard error.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    mean: f64,
    error: f64,
}

impl Estimate {
    fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        Self { mean, error: (squares / (count - 1.0) / count).sqrt() }
    }
}

/// Means of numbers between −1 and 1 that say where a place is: f(u) = u/(1 + |u|) and its square, where u is how far the
/// log density is below the highest one, and how many standard deviations the place lies right of the mean, and above.
/// Bounded, so that they have all moments on every target, whatever its tails.
fn statistics(target: &dyn Density, top: f64, at: Point) -> Vec<f64> {
    let info = target.info();
    let deviation = |axis: usize| (at[axis] - info.mean[axis]) / info.covariance[(axis, axis)].sqrt();
    let numbers = std::iter::once(top - target.log_density(at)).chain((0..info.dimension).map(deviation));
    // u/(1 + |u|), at infinity too.
    let bounded = numbers.map(|u| (1.0 - 1.0 / (1.0 + u.abs())).copysign(u));
    bounded.flat_map(|f| [f, f * f]).collect()
}

/// The log density at the highest mode.
fn top(target: &dyn Density) -> f64 {
    let modes = target.info().modes.iter().map(|mode| target.log_density(mode.at));
    modes.fold(target.log_density(target.info().start), f64::max)
}

/// One estimate for every column.
fn columns(rows: &[Vec<f64>]) -> Vec<Estimate> {
    (0..rows[0].len()).map(|column| Estimate::of(&rows.iter().map(|row| row[column]).collect::<Vec<_>>())).collect()
}

/// The means of the statistics over exact draws.
fn truth(target: &dyn Density) -> Vec<Estimate> {
    let top = top(target);
    let draws = (0..DRAWS.0).into_par_iter().flat_map_iter(|stream| {
        let mut stream = Stream::derive(78, Purpose::Data, 9, stream);
        (0..DRAWS.1).map(move |_| statistics(target, top, target.exact_draw(&mut stream).unwrap()))
    });
    columns(&draws.collect::<Vec<_>>())
}

/// The means of the statistics over a run: their errors are those of the means of chains, which are independent of each
/// other, so that the mixing time of a chain does not matter.
fn found(target: &dyn Density, run: &RunFrame) -> Vec<Estimate> {
    let top = top(target);
    let mean = |chain: usize| {
        let places = (1..run.history.rows()).filter_map(|row| run.history.position(row, chain));
        let rows: Vec<_> = places.map(|at| statistics(target, top, at)).collect();
        (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column]).sum::<f64>() / rows.len() as f64).collect()
    };
    columns(&(0..LONG_CHAINS).map(mean).collect::<Vec<_>>())
}

/// The largest difference of two lists of means, in standard errors.
fn farthest(found: &[Estimate], truth: &[Estimate]) -> f64 {
    let gap = |(found, truth): (&Estimate, &Estimate)| (found.mean - truth.mean).abs() / found.error.hypot(truth.error);
    // A mean that is not a number is as far away as can be.
    found.iter().zip(truth).map(gap).fold(0.0, |most, gap| if gap <= most { most } else { gap })
}

/// Step sizes of random walk and Langevin, times the curvature, and of HMC, times its root: such that the chains move.
/// With proposals some of a mode's widths long a random walk reaches other modes. Where a density is curved most in a
/// place that few draws come from, that curvature says little about the others.
fn long_steps(text: &str) -> [f64; 3] {
    let table = [
        ("gaussian-grid", [100.0, 1.0, 1.0]),
        ("three-modes", [100.0, 1.0, 1.0]),
        ("donut", [100.0, 1.0, 1.0]),
        ("banana", [30.0, 1.3, 1.2]),
        ("squiggle", [100.0, 1.5, 1.5]),
        ("funnel", [300.0, 5.0, 2.0]),
        // In ten dimensions a proposal has to be shorter.
        ("linear-regression", [0.5, 1.0, 1.2]),
        ("hierarchical-normal", [0.5, 1.0, 1.2]),
    ];
    table.iter().find(|(kind, _)| text.contains(kind)).map_or([10.0, 1.0, 1.0], |(_, steps)| *steps)
}

/// Instead of the number of a step size.
const NO_STEP_SIZE: usize = usize::MAX;

/// Runs of the given methods (with settings, and the number of their step size) from exact draws.
fn long_runs(text: &str, target: &Arc<Target>, cases: &[(&str, &str, usize)]) -> Vec<RunFrame> {
    let (curvature, factors) = (curvature(target), long_steps(text));
    let steps = LONG_STEPS[usize::from(text.contains("bivariate-mixture"))];
    let run = |(method, settings, size): &(&str, &str, usize)| {
        let step_size = factors
            .get(*size)
            .map_or(String::new(), |factor| constant(factor / if *size == 2 { curvature.sqrt() } else { curvature }));
        format!(
            "[[run]]\nname = \"{method}\"\nmethod = \"{method}\"\nchains = {LONG_CHAINS}\nsteps = {steps}\n{settings}\n\
             start = {{ kind = \"target\" }}\n{step_size}"
        )
    };
    let runs: String = cases.iter().map(run).collect();
    let text = format!("format = 1\ntitle = \"long\"\nseed = 6\n[target]\n{text}\n{runs}");
    let mut session = Session::new(scenario::read(&text, "long.toml", Path::new(".")).unwrap()).unwrap();
    session.advance(u64::MAX);
    session.frame().runs
}

/// Compares all positions of a long run, not only the last, and compares means, which show small errors better than
/// distribution functions: f(u) against 4 · 10⁵ exact draws. With 256 chains a difference of five standard errors comes
/// about by chance in one of 10⁶ cases; for the 400 comparisons together that is a false alarm in 2500 seeds.
#[test]
fn long_runs_have_the_moments_of_every_target() {
    let cases = [
        ("random-walk", "", 0),
        ("mala", "", 1),
        ("barker", "", 1),
        ("langevin", "metropolis = true", 1),
        ("hmc", "leapfrog_steps = 5", 2),
        ("nuts", "max_depth = 5", 2),
        ("gibbs", "", NO_STEP_SIZE),
    ];
    known().chain(bounded()).collect::<Vec<_>>().par_iter().for_each(|text| {
        let target = described(text);
        let density = target.density().unwrap().as_ref();
        let truth = truth(density);
        let suited = if target.in_vectors().is_none() { &cases[..] } else { &cases[..cases.len() - 1] };
        for run in long_runs(text, &target, suited) {
            let (name, found) = (&run.plan.name, found(density, &run));
            let away = farthest(&found, &truth);
            assert!(away < Z, "{name} on {text}: {found:?}, not {truth:?}, {away} standard errors away");
            // In how many exact draws the mean depth would be known as well as from one chain: one if no chain ever
            // moved.
            let draws = DRAWS.0 as f64 * DRAWS.1 as f64 / LONG_CHAINS as f64;
            let effective = draws * (truth[0].error / found[0].error).powi(2);
            assert!(effective > 2.0, "{name} on {text}: a chain is worth {effective} draws");
        }
    });
}

/// The power of the comparison: it detects a rule that accepts everything, on every target. Left out are
/// `bivariate-mixture`, whose exact draws take longest, targets without a boundary, where such chains leave the support, and
/// targets of shapes and data of one's own, for which no step size with a large bias is in the table above.
#[test]
fn long_runs_of_unadjusted_methods_have_other_moments() {
    let cases = [("langevin", "", 1), ("hmc", "metropolis = false\nleapfrog_steps = 5", 2)];
    let judged = |text: &String| {
        !["bivariate-mixture", "none", "formula", "painted", "logistic"].iter().any(|left_out| text.contains(left_out))
    };
    known().chain(bounded()).filter(judged).collect::<Vec<_>>().par_iter().for_each(|text| {
        let target = described(text);
        let density = target.density().unwrap().as_ref();
        let truth = truth(density);
        for run in long_runs(text, &target, &cases) {
            let (name, found) = (&run.plan.name, found(density, &run));
            let away = farthest(&found, &truth);
            assert!(away > Z, "{name} on {text}: {found:?} and {truth:?} are {away} standard errors apart");
        }
    });
}
