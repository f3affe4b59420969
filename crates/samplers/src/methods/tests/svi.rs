//! Tests of stochastic variational inference against a simpler program, closed forms, known optima, and ensembles.

use std::collections::VecDeque;
use std::sync::Arc;

use super::fits::{Fits, built, settings, target};
use super::{Normal, ROUNDING, close, stream};
use crate::methods::{BatchOrder, Expectations, FitState, Gradient, Natural, Oracle, Problem, build, natural_of};
use crate::schedules::{Polynomial, Schedule, Stage};
use base::math::{Distribution, Matrix, Point, Simd};
use base::params::{Settings, Value};
use models::targets::{Density, Space, TARGETS};

const NUMBER: fn(f64) -> Value = Value::Number;

fn constant(rho: f64, kinds: &[(&'static str, &'static str)], changes: &[(&'static str, Value)]) -> Settings {
    let kinds: Vec<_> = kinds.iter().copied().chain([("step_size", "constant")]).collect();
    let changes: Vec<_> = changes.iter().cloned().chain([("step_size.value", NUMBER(rho))]).collect();
    settings("svi", &kinds, &changes)
}

fn word(word: &'static str) -> Value {
    Value::Choice(word)
}

/// A simpler implementation of the algorithm: draws, their derivatives, and a list of the averaged estimates.
struct Plain {
    natural: Natural,
    mean: Point,
    covariance: Matrix,
    list: VecDeque<Natural>,
}

impl Plain {
    fn new(start: Point) -> Self {
        let natural = natural_of(2, &Distribution::gaussian(2, start, Matrix::identity()));
        Self { natural, mean: start, covariance: Matrix::identity(), list: VecDeque::new() }
    }

    fn step(&mut self, target: &dyn Density, normals: &[(f64, f64)], rho: f64, (gradients, length): (bool, usize)) {
        let first = self.covariance.m11.sqrt();
        let below = self.covariance.m21 / first;
        let second = (self.covariance.m22 - below * below).sqrt();
        let (mut gradient, mut hessian) = (Point::zeros(), Matrix::zeros());
        let weight = 1.0 / normals.len() as f64;
        for (x, y) in normals {
            let at = Point::new(self.mean.x + first * x, self.mean.y + (below * x + second * y));
            gradient += target.gradient(at) * weight;
            hessian += target.hessian(at) * weight;
        }
        let shift = gradient + -hessian * self.mean;
        let noisy = Natural::new(shift.x, shift.y, -hessian.m11, -hessian.m21, -hessian.m22);
        self.list.push_back(if gradients { noisy - self.natural } else { noisy });
        while self.list.len() > length {
            self.list.pop_front();
        }
        let count = self.list.len() as f64;
        let mean = self.list.iter().skip(1).fold(self.list[0], |sum, entry| sum + entry) / count;
        let to = if gradients { self.natural + mean } else { mean };
        self.natural = self.natural * (1.0 - rho) + to * rho;
        let [x, y, xx, xy, yy] = self.natural.into();
        let determinant = xx * yy - xy * xy;
        let (a, b, c) = (yy / determinant, -xy / determinant, xx / determinant);
        self.covariance = Matrix::new(a, b, b, c);
        self.mean = Point::new(a * x + b * y, b * x + c * y);
    }
}

/// Runs both; the second number is the largest difference in any moment.
fn against_plain(average: &'static str, lengths: &[(usize, usize)]) -> (bool, f64) {
    let target = target("gaussian", &[("correlation", NUMBER(0.7))]);
    let with = |length: usize| {
        constant(
            0.2,
            &[],
            &[("average", word(average)), ("window", NUMBER(length as f64)), ("expectations.draws", NUMBER(7.0))],
        )
    };
    let mut fits = Fits::new(&with(1), &target, 1);
    let mut plain = Plain::new(target.info().start);
    let mut draws = stream(7000);
    let (mut same, mut largest) = (true, 0.0_f64);
    for &(length, steps) in lengths {
        fits.change(&with(length));
        for _ in 0..steps {
            fits.chunk(1);
            let normals: Vec<_> = (0..7).map(|_| draws.normal_pair()).collect();
            plain.step(target.as_ref(), &normals, 0.2, (average == "average-gradient", length));
            let distribution = fits.distribution(0);
            same &= (distribution.mean(), distribution.covariance()) == (plain.mean, plain.covariance);
            largest = largest
                .max((distribution.mean() - plain.mean).amax())
                .max((distribution.covariance() - plain.covariance).amax());
        }
    }
    assert_eq!(fits.record(0).guards, 0);
    (same, largest)
}

#[test]
fn a_window_of_one_is_plain_to_the_bit() {
    let (same, _) = against_plain("statistics", &[(1, 200)]);
    assert!(same);
    // After longer windows, too.
    let (_, largest) = against_plain("statistics", &[(10, 30), (1, 100)]);
    assert!(largest < 1e-12, "{largest}");
}

/// Some hundred times the rounding of sums in another order.
#[test]
fn windows_of_any_length_are_those_of_a_plain_list() {
    for average in ["statistics", "average-gradient"] {
        let (_, largest) = against_plain(average, &[(4, 50), (20, 60), (50, 20), (3, 40)]);
        assert!(largest < 1e-12, "{average}: {largest}");
    }
}

#[test]
fn a_gaussian_is_found_in_one_step() {
    let pair = |x: f64, y: f64| Value::Pair([x, y]);
    let changes = [("mean", pair(1.0, -0.5)), ("sd", pair(0.8, 1.5)), ("correlation", NUMBER(0.6))];
    let target = target("gaussian", &changes);
    let mut fits = Fits::new(&constant(1.0, &[("expectations", "quadrature")], &[]), &target, 1);
    fits.run(2);
    let (distribution, info) = (fits.distribution(0), target.info());
    assert!(
        (distribution.mean() - info.mean).amax() < 1e-12
            && (distribution.covariance() - info.covariance).amax() < 1e-12,
        "{distribution:?}"
    );
    assert!((fits.record(0).elbo.unwrap().value - info.log_normaliser).abs() < 1e-12);
}

/// METHODS, section 5: the optimum of full-rank variational inference.
#[test]
fn the_optimum_on_quantile100_is_that_of_full_rank_inference() {
    let target = target("bivariate-mixture", &[]);
    let settings = constant(0.3, &[("expectations", "quadrature")], &[("expectations.nodes", NUMBER(24.0))]);
    let mut fits = Fits::new(&settings, &target, 1);
    fits.run(200);
    let (distribution, elbo) = (fits.distribution(0), fits.record(0).elbo.unwrap().value);
    let mean = Point::new(0.491415, 0.015075);
    let covariance = Matrix::new(0.171664, -0.301429, -0.301429, 0.604313);
    assert!(
        (distribution.mean() - mean).amax() < 2e-6 && (distribution.covariance() - covariance).amax() < 2e-6,
        "{distribution:?}"
    );
    assert!((elbo + 185.197947).abs() < 1e-6, "{elbo}");
}

/// Negative curvature: Λ̂ = E(12 x² − 4) is negative at the top of the barrier. Half a step leaves 48.
#[test]
fn a_step_without_positive_definite_covariance_is_halved_and_counted() {
    let target = target("double-well", &[]);
    let mut fits =
        Fits::new(&constant(1.0, &[("expectations", "quadrature")], &[("initial_sd", NUMBER(0.1))]), &target, 1);
    fits.begin_at(Distribution::gaussian(1, Point::zeros(), Matrix::new(0.01, 0.0, 0.0, 0.0)));
    fits.run(1);
    let expected = -target_curvature(target.as_ref(), 0.01);
    assert!(expected < 0.0);
    close(1.0 / fits.distribution(0).covariance().m11, 0.5 * (100.0 + expected), 1e-12);
    assert_eq!(fits.record(0).guards, 1);
}

/// E d²/dx² log p under N(0, variance), by a fine sum.
fn target_curvature(target: &dyn Density, variance: f64) -> f64 {
    let rule = base::math::gauss_hermite(20);
    rule.iter().map(|(node, weight)| weight * target.hessian(Point::new(node * variance.sqrt(), 0.0)).m11).sum()
}

fn five_points() -> Vec<Point> {
    [(1.0, 2.0), (-1.0, 0.5), (3.0, -2.0), (0.3, 0.7), (-2.2, 1.1)].map(|(x, y)| Point::new(x, y)).to_vec()
}

/// The contributions of these five data do not depend on q; once all have been seen, the estimate has no noise.
#[test]
fn sag_has_no_noise_once_all_data_have_been_seen() {
    let target: Arc<dyn Density> = Arc::new(Normal::posterior(0.5, 2, five_points()));
    let kinds = [("expectations", "quadrature"), ("gradient", "minibatch")];
    let changes = [("gradient.size", NUMBER(1.0)), ("gradient.order", word("shuffled"))];
    let of = |average| {
        let changes: Vec<_> = changes.iter().cloned().chain([("average", word(average))]).collect();
        let mut fits = Fits::new(&constant(1.0, &kinds, &changes), &target, 1);
        fits.run(30);
        let exact = Distribution::gaussian(2, target.info().mean, target.info().covariance);
        let far = |distribution: &Distribution| {
            (distribution.mean() - exact.mean()).amax().max((distribution.covariance() - exact.covariance()).amax())
        };
        fits.trail(0).iter().map(|record| far(&record.distribution.unwrap())).collect::<Vec<f64>>()
    };
    let sag = of("sag");
    assert!(sag[..3].iter().all(|far| *far > 0.01), "{sag:?}");
    assert!(sag[4..].iter().all(|far| *far < 1e-13), "{sag:?}");
    assert!(of("statistics")[4..].iter().all(|far| *far > 0.01));
}

#[test]
fn incompatible_settings_are_rejected() {
    let errors = |settings: &Settings, schedule: &dyn Schedule, gradient: &Gradient| {
        build(settings).unwrap().check(gradient, schedule, 100).into_iter().map(|error| error.path).collect::<Vec<_>>()
    };
    let plain = settings("svi", &[], &[]);
    let sag = settings("svi", &[], &[("average", word("sag"))]);
    let batch = Gradient::minibatch(2, BatchOrder::Random);
    assert!(errors(&plain, &Polynomial::new(1.0, 0.0, 0.7, 0), &Gradient::Exact).is_empty());
    assert!(errors(&plain, &Polynomial::new(1.0, 0.0, 0.7, 0), &Gradient::Exact).is_empty());
    assert_eq!(errors(&plain, &Polynomial::new(1.01, 0.0, 0.7, 0), &Gradient::Exact), ["step_size"]);
    assert_eq!(errors(&sag, &Polynomial::new(0.5, 0.0, 0.7, 0), &Gradient::Exact), ["average"]);
    assert!(errors(&sag, &Polynomial::new(0.5, 0.0, 0.7, 0), &batch).is_empty());
    let many = Space::Plane(target("beta-posterior", &[("data.n", NUMBER(200_000.0))]));
    assert_eq!(build(&sag).unwrap().on(&many).unwrap_err().path, "average");
    assert!(build(&plain).unwrap().on(&many).is_ok());
}

/// Without noise and with ρ = 1 the fit converges and says so; with noise it never does.
#[test]
fn only_exact_fits_converge() {
    let target = target("gaussian", &[]);
    let mut exact = Fits::new(&constant(1.0, &[("expectations", "quadrature")], &[]), &target, 1);
    exact.run(20);
    assert_eq!(exact.record(0).state, FitState::Converged);
    let mut noisy = Fits::new(&constant(1.0, &[], &[]), &target, 1);
    noisy.run(20);
    assert!(noisy.trail(0).iter().all(|record| record.state == FitState::Moving));
}

/// Kinds of groups, and other changes to the defaults.
type Way = (&'static [(&'static str, &'static str)], Vec<(&'static str, Value)>);

/// The oracle against 10 000 intermediate estimates at one distribution. Means agree to 5 standard errors, and so do
/// variances, with errors from the fourth moments of the sample: five entries, two moments, five cases give one false
/// alarm in 30 000.
#[test]
fn the_oracle_gives_mean_and_variance_of_intermediate_estimates() {
    let target = target("bivariate-mixture", &[]);
    let distribution = Distribution::gaussian(2, Point::new(0.45, 0.1), Matrix::new(0.15, -0.2, -0.2, 0.5));
    let few = ("expectations.nodes", NUMBER(4.0));
    let ways: [Way; 5] = [
        (&[], vec![("expectations.draws", NUMBER(3.0))]),
        (&[("gradient", "noisy")], vec![("expectations.draws", NUMBER(2.0)), ("gradient.variance", NUMBER(900.0))]),
        (&[("gradient", "noisy"), ("expectations", "quadrature")], vec![few.clone()]),
        (&[("gradient", "minibatch")], vec![("expectations.draws", NUMBER(2.0)), ("gradient.size", NUMBER(5.0))]),
        (&[("gradient", "minibatch"), ("expectations", "quadrature")], vec![few, ("gradient.size", NUMBER(40.0))]),
    ];
    // A step so short that it is never halved, from which the estimate follows to ten digits.
    let rho = 1e-3;
    for (kinds, changes) in &ways {
        let settings = constant(rho, kinds, changes);
        let mut fits = Fits::new(&settings, &target, 1);
        let from = natural_of(2, &distribution);
        let mut sample = Vec::new();
        for _ in 0..10_000 {
            fits.begin_at(distribution);
            fits.chunk(1);
            assert_eq!(fits.record(0).guards, 0);
            sample.push(from + (natural_of(2, &fits.distribution(0)) - from) / rho);
        }
        let method = build(&settings).unwrap();
        let problem = Problem::in_plane(target.as_ref(), &fits.gradient, Simd::widest());
        let known =
            Oracle::default().at(&problem, method.averaging().unwrap().expectations.unwrap(), &distribution).unwrap();
        let count = sample.len() as f64;
        let mean = sample.iter().sum::<Natural>() / count;
        for entry in 0..5 {
            let moment =
                |power: i32| sample.iter().map(|noisy| (noisy[entry] - mean[entry]).powi(power)).sum::<f64>() / count;
            let (variance, fourth) = (moment(2), moment(4));
            let (far, error) = (mean[entry] - known.mean[entry], (variance / count).sqrt());
            let (spread, spread_error) =
                (variance - known.variance[entry], ((fourth - variance * variance) / count).sqrt());
            // The rounding of ten digits where nothing is random.
            let digits = 1e-8 * known.mean.amax();
            assert!(far.abs() < 5.0 * error + digits, "{kinds:?} {entry}");
            assert!(spread.abs() < 5.0 * spread_error + digits * digits, "{kinds:?} {entry}");
        }
    }
}

/// If the statistics do not depend on λ there is a closed form: for the mean of data under N(θ, I) and S draws of q =
/// N(m, vI), the estimates have mean (Σx, λ) and the shift the variance (N²/n) Var x + λ² v/S.
#[test]
fn the_oracle_agrees_with_closed_forms() {
    let points = five_points();
    let mean = points.iter().sum::<Point>() / 5.0;
    let spread = points.iter().map(|point| (point - mean).component_mul(&(point - mean))).sum::<Point>() / 5.0;
    let target = Normal::posterior(0.5, 2, points);
    let exact = Natural::new(mean.x * 5.0, mean.y * 5.0, 5.5, 0.0, 5.5);
    for (size, order, factor) in [(2, BatchOrder::Random, 12.5), (2, BatchOrder::Shuffled, 12.5 * 0.75)] {
        let gradient = Gradient::minibatch(size, order);
        let problem = Problem::in_plane(&target, &gradient, Simd::widest());
        for (expectations, of_draws) in
            [(Expectations::quadrature(6), 0.0), (Expectations::MonteCarlo { draws: 4 }, 5.5 * 5.5 * 0.3 / 4.0)]
        {
            for at in [Point::zeros(), Point::new(3.0, -7.0)] {
                let distribution = Distribution::gaussian(2, at, Matrix::from_diagonal_element(0.3));
                let known = Oracle::default().at(&problem, &expectations, &distribution).unwrap();
                assert!((known.mean - exact).amax() < 1e-12, "{known:?}");
                let expected = Natural::new(spread.x * factor + of_draws, spread.y * factor + of_draws, 0.0, 0.0, 0.0);
                assert!((known.variance - expected).amax() < 1e-11, "{known:?} {expected:?}");
            }
        }
    }
}

/// In the same model a window of L divides the variance by L, and adds no bias: over 1500 windows that share no step.
/// The sample variance has a relative standard error of √(2/1500) = 3.7 %, the mean one of 1/√1500 standard deviations;
/// with 4.5 of them there is one false alarm in 20 000.
#[test]
fn windows_divide_the_variance_and_add_no_bias_if_statistics_are_constant() {
    let target: Arc<dyn Density> = Arc::new(Normal::posterior(0.5, 2, five_points()));
    let kinds = [("expectations", "quadrature"), ("gradient", "minibatch")];
    let exact = natural_of(2, &Distribution::gaussian(2, target.info().mean, target.info().covariance));
    for length in [1, 4, 16] {
        let changes =
            [("gradient.size", NUMBER(2.0)), ("window", NUMBER(length as f64)), ("expectations.nodes", NUMBER(2.0))];
        let mut fits = Fits::new(&constant(0.1, &kinds, &changes), &target, 1);
        fits.run(length * 1501);
        let naturals: Vec<Natural> =
            fits.trail(0).iter().map(|record| natural_of(2, &record.distribution.unwrap())).collect();
        let averaged = |step: usize| naturals[step - 1] + (naturals[step] - naturals[step - 1]) / 0.1;
        let sample: Vec<Natural> = (1..=1500).map(|window| averaged((window + 1) * length - 1) - exact).collect();
        let problem = Problem::in_plane(target.as_ref(), &fits.gradient, Simd::widest());
        let known = Oracle::default().at(&problem, &Expectations::quadrature(2), &fits.distribution(0)).unwrap();
        for entry in 0..2 {
            let mean = sample.iter().map(|far| far[entry]).sum::<f64>() / 1500.0;
            let variance = sample.iter().map(|far| (far[entry] - mean).powi(2)).sum::<f64>() / 1499.0;
            let expected = known.variance[entry] / length as f64;
            assert!(mean.abs() < 4.5 * (expected / 1500.0).sqrt(), "L = {length}: {mean}");
            assert!(
                (variance / expected - 1.0).abs() < 4.5 * (2.0_f64 / 1500.0).sqrt(),
                "L = {length}: {variance} {expected}"
            );
        }
    }
}

/// With every setting, distributions are sound and positions finite.
#[test]
fn fits_stay_sound_with_all_settings_on_all_targets() {
    for kind in &TARGETS {
        let target = built(kind.name, &[]);
        let Some(target) = target.density() else { continue };
        for (rho, sd) in [(0.05, 1.0), (1.0, 1e-6), (1.0, 1e6), (0.5, 30.0)] {
            for (average, gradient) in [
                ("statistics", "exact"),
                ("average-gradient", "noisy"),
                ("average-gradient", "minibatch"),
                ("sag", "minibatch"),
            ] {
                if gradient == "minibatch" && target.data().is_none() {
                    continue;
                }
                let mut changes = vec![
                    ("average", word(average)),
                    ("initial_sd", NUMBER(sd)),
                    ("window", NUMBER(5.0)),
                    ("expectations.draws", NUMBER(3.0)),
                ];
                if gradient == "noisy" {
                    changes.push(("gradient.variance", NUMBER(1e4)));
                }
                let mut fits = Fits::new(&constant(rho, &[("gradient", gradient)], &changes), target, 2);
                fits.run(40);
                for record in fits.trail(0).iter().chain(fits.trail(1)) {
                    assert!(
                        record.distribution.is_some_and(|distribution| distribution.is_sound()),
                        "{} {rho} {sd}: {record:?}",
                        kind.name
                    );
                    assert!(record.elbo.is_none_or(|elbo| elbo.value.is_finite()), "{}: {record:?}", kind.name);
                }
            }
        }
    }
}

#[test]
fn chunks_and_neighbours_leave_the_bits_alone() {
    let target = target("bivariate-mixture", &[]);
    for (kinds, average) in [
        (&[("gradient", "noisy")][..], "statistics"),
        (&[("gradient", "minibatch")], "average-gradient"),
        (&[("gradient", "minibatch"), ("expectations", "quadrature")], "sag"),
    ] {
        let settings = constant(0.1, kinds, &[("average", word(average)), ("window", NUMBER(5.0))]);
        let mut whole = Fits::new(&settings, &target, 3);
        whole.chunk(30);
        let mut cut = Fits::new(&settings, &target, 3);
        [1, 7, 1, 21].into_iter().for_each(|count| cut.chunk(count));
        assert_eq!(whole.population, cut.population);
        let mut alone = Fits::new(&settings, &target, 1);
        alone.chunk(30);
        assert_eq!(whole.population.fits[0], alone.population.fits[0]);
    }
}

/// All evaluations are counted, second derivatives like gradients: twice the points of q, times the share of the data.
/// The expected cost of a step is its true cost.
#[test]
fn evaluations_are_counted() {
    let counted = |name: &str, kinds: &[(&'static str, &'static str)], changes: &[(&'static str, Value)]| {
        let target = target(name, &[]);
        let mut fits = Fits::new(&constant(0.1, kinds, changes), &target, 1);
        fits.run(3);
        let expected = fits.method.evaluations(&fits.gradient, target.data().unwrap().len(), Stage::Sampling);
        (fits.record(0).evaluations, 3.0 * expected)
    };
    let (batch, quadrature) = ([("gradient", "minibatch")], [("expectations", "quadrature")]);
    let nodes = [("expectations.nodes", NUMBER(5.0))];
    for (kinds, changes, cost) in [(&[][..], &[][..], 60.0), (&batch, &[], 6.0), (&quadrature, &nodes, 150.0)] {
        let (found, expected) = counted("bivariate-mixture", kinds, changes);
        close(found, cost, ROUNDING);
        close(expected, cost, ROUNDING);
    }
    // On the line there are fewer points.
    close(counted("beta-posterior", &quadrature, &nodes).0, 30.0, ROUNDING);
}

/// A method that follows another one starts at its distribution.
#[test]
fn distributions_are_handed_from_one_method_to_the_other() {
    let target = target("bivariate-mixture", &[]);
    let still = constant(1e-12, &[("expectations", "quadrature")], &[]);
    let adam = settings("gaussian-vi", &[], &[("family", word("full-rank")), ("step_size.value", NUMBER(1e-12))]);
    let mut fits = Fits::new(&constant(0.05, &[("expectations", "quadrature")], &[]), &target, 1);
    fits.run(50);
    let before = fits.distribution(0);
    for next in [&adam, &still, &adam] {
        fits.change(next);
        fits.run(2);
        let after = fits.distribution(0);
        assert!(
            (after.mean() - before.mean()).amax() < 1e-10 && (after.covariance() - before.covariance()).amax() < 1e-10
        );
    }
    // A replaced distribution has no effect.
    fits.change(&still);
    fits.run(1);
    let other = Distribution::gaussian(2, Point::new(0.2, 0.3), Matrix::new(0.2, 0.0, 0.0, 0.1));
    fits.population.fits[0].record.distribution = Some(other);
    fits.run(1);
    assert!((fits.distribution(0).covariance() - other.covariance()).amax() < 1e-10);
}
