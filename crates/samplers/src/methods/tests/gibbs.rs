//! Gibbs sampling: sweeps on a Gaussian in closed form, the balance of a random scan, costs, and targets in more dimensions.

use std::path::Path;
use std::sync::Arc;

use super::super::{Gibbs, Gradient, METHODS, Method, Population, build};
use super::{Normal, Numbers, close, one_step, plan, stream};
use base::math::{Coords, Point};
use base::params::{Settings, Value, find_kind};
use models::targets::{self, Density, TARGETS, Target};

fn built(kind: &str, settings: &[(&str, Value)]) -> Arc<Target> {
    let mut all = Settings::defaults(find_kind(&TARGETS, kind).unwrap());
    for (key, value) in settings {
        all.set(key, value.clone()).unwrap();
    }
    targets::build(&all, Path::new("")).unwrap()
}

fn target(kind: &str, settings: &[(&str, Value)]) -> Arc<dyn Density> {
    built(kind, settings).density().unwrap().clone()
}

/// A posterior whose coordinates are correlated, without conditionals in closed form: N(0, Σ) written as a posterior would be.
#[derive(Debug)]
struct Sliced(Arc<dyn Density>);

impl Density for Sliced {
    fn info(&self) -> &models::targets::TargetInfo {
        self.0.info()
    }

    fn log_density(&self, at: Point) -> f64 {
        self.0.log_density(at)
    }

    fn gradient(&self, at: Point) -> Point {
        self.0.gradient(at)
    }

    fn hessian(&self, at: Point) -> base::math::Matrix {
        self.0.hessian(at)
    }
}

/// x′ = ρy + √(1 − ρ²) z₁, then y′ = ρx′ + √(1 − ρ²) z₂: two moves along the axes, at a cost of two.
#[test]
fn a_sweep_of_a_gaussian_has_a_closed_form() {
    let (rho, z) = (0.8_f64, Point::new(0.7, -1.3));
    let target = target("gaussian", &[("correlation", Value::Number(rho))]);
    let method = Gibbs::default();
    let mut chains = Population::at(Coords::of_points(&[Point::new(2.0, -1.0)]));
    let uniforms = vec![0.5; method.needs(&Gradient::Exact).uniforms];
    let numbers = Numbers { first: vec![z.x], second: vec![z.y], uniforms };
    let record = one_step(&method, target.as_ref(), &Gradient::Exact, &plan(0.1), &numbers, &mut chains).remove(0);
    let sd = (1.0 - rho * rho).sqrt();
    let x = -rho + sd * z.x;
    let y = rho * x + sd * z.y;
    assert!((record.to - Point::new(x, y)).amax() < 1e-14, "{record:?}");
    assert_eq!(record.path, [Point::new(2.0, -1.0), Point::new(record.to.x, -1.0), record.to]);
    assert!(record.proposal.is_none() && chains.acceptance.proposals == 0);
    assert_eq!(chains.evaluations, 2);
}

/// Means over pairs of successive positions of chains in equilibrium.
fn pairs<const N: usize>(
    method: &Gibbs,
    target: &dyn Density,
    starts: &[Point],
    of: impl Fn(Point, Point) -> [f64; N],
) -> [(f64, f64); N] {
    let mut chains = Population::at(Coords::of_points(starts));
    let numbers = Numbers::for_steps(&mut stream(9), method, &Gradient::Exact, 1, starts.len());
    one_step(method, target, &Gradient::Exact, &plan(0.1), &numbers, &mut chains);
    let values: Vec<[f64; N]> =
        starts.iter().enumerate().map(|(chain, from)| of(*from, chains.position(chain))).collect();
    std::array::from_fn(|which| {
        let count = values.len() as f64;
        let mean = values.iter().map(|all| all[which]).sum::<f64>() / count;
        let squares: f64 = values.iter().map(|all| (all[which] - mean) * (all[which] - mean)).sum();
        (mean, (squares / (count - 1.0) / count).sqrt())
    })
}

fn exact_draws(target: &dyn Density, count: usize) -> Vec<Point> {
    let mut stream = stream(77);
    (0..count).map(|_| target.exact_draw(&mut stream).unwrap()).collect()
}

/// On a Gaussian a systematic scan has E x x′ = ρ², E y y′ = ρ², E x y′ = ρ³ and E y x′ = ρ, so that it is not reversible; five
/// standard errors.
#[test]
fn successive_draws_have_the_correlation_of_the_closed_form() {
    for rho in [0.5_f64, 0.9, -0.95] {
        let target = target("gaussian", &[("correlation", Value::Number(rho))]);
        let starts = exact_draws(target.as_ref(), 40_000);
        let products = |from: Point, to: Point| [from.x * to.x, from.y * to.y, from.x * to.y, from.y * to.x];
        let found = pairs(&Gibbs::default(), target.as_ref(), &starts, products);
        for ((mean, error), expected) in found.into_iter().zip([rho * rho, rho * rho, rho.powi(3), rho]) {
            assert!((mean - expected).abs() < 5.0 * error && error < 0.01, "{rho}: {mean} ± {error}, not {expected}");
        }
    }
}

/// Balance: in equilibrium E f(θ) g(θ′) = E g(θ) f(θ′) for a random scan, with conditionals and with slices, whatever their width
/// and however few points they try. For a systematic scan these differ, which the test would find.
#[test]
fn a_random_scan_is_balanced() {
    let short = Gibbs { random_scan: true, width: 0.4, most_widths: 2, most_tries: 2 };
    let wide = Gibbs { random_scan: true, width: 30.0, most_widths: 1, most_tries: 4 };
    let correlated = target("gaussian", &[("correlation", Value::Number(0.8))]);
    let mixture = target("gaussian-mixture", &[]);
    let differences = |from: Point, to: Point| {
        let of = |f: fn(Point) -> f64, g: fn(Point) -> f64| f(from) * g(to) - g(from) * f(to);
        [of(|at| at.x, |at| at.y), of(|at| at.x.tanh(), |at| at.x * at.y), of(|at| at.y, |at| at.x.abs())]
    };
    for exact in [correlated.clone(), mixture] {
        let starts = exact_draws(exact.as_ref(), 40_000);
        let sliced = Sliced(exact.clone());
        let random = Gibbs { random_scan: true, ..Gibbs::default() };
        let cases = [(random, exact.as_ref()), (random, &sliced as &dyn Density), (short, &sliced), (wide, &sliced)];
        for (method, target) in cases {
            for (mean, error) in pairs(&method, target, &starts, differences) {
                assert!(mean.abs() < 5.0 * error, "{method:?} on {target:?}: {mean} ± {error}");
            }
        }
    }
    let starts = exact_draws(correlated.as_ref(), 40_000);
    let [(mean, error), ..] = pairs(&Gibbs::default(), correlated.as_ref(), &starts, differences);
    assert!(mean.abs() > 20.0 * error, "{mean} ± {error}");
}

/// A chain's evaluations are those of the density: counted by a target that counts its calls. Chunks begin with one that is known
/// from the step before and not counted again.
#[test]
fn slices_count_their_evaluations() {
    use std::sync::atomic::{AtomicU64, Ordering};
    #[derive(Debug)]
    struct Counting(Normal, AtomicU64);
    impl Density for Counting {
        fn info(&self) -> &models::targets::TargetInfo {
            self.0.info()
        }
        fn log_density(&self, at: Point) -> f64 {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.log_density(at)
        }
        fn gradient(&self, at: Point) -> Point {
            self.0.gradient(at)
        }
        fn hessian(&self, at: Point) -> base::math::Matrix {
            self.0.hessian(at)
        }
    }
    for dimension in [1, 2] {
        let target = Counting(Normal::new(1.0, dimension), AtomicU64::new(0));
        let method = Gibbs::default();
        let mut chains = Population::at(Coords::of_points(&[Point::new(0.5, 0.0); 7]));
        for index in 0..50 {
            let numbers = Numbers::for_steps(&mut stream(index), &method, &Gradient::Exact, 1, 7);
            one_step(&method, &target, &Gradient::Exact, &plan(0.1), &numbers, &mut chains);
        }
        let called = target.1.load(Ordering::Relaxed);
        assert_eq!(chains.evaluations, called - 50 * 7);
        let most = method.most_evaluations().unwrap() * 350.0;
        assert!((chains.evaluations as f64) < most && chains.evaluations > 700 * dimension as u64, "{called}");
    }
}

/// On a banana y is drawn from its conditional, which counts two with the density at its end, and x by a slice.
#[test]
fn known_conditionals_and_slices_share_a_sweep() {
    let target = target("banana", &[]);
    let method = Gibbs { most_widths: 1, most_tries: 1, ..Gibbs::default() };
    let mut chains = Population::at(Coords::of_points(&[Point::new(1.0, 0.5)]));
    let uniforms = vec![0.5; method.needs(&Gradient::Exact).uniforms];
    let numbers = Numbers { first: vec![0.3], second: vec![-0.4], uniforms };
    let record = one_step(&method, target.as_ref(), &Gradient::Exact, &plan(0.1), &numbers, &mut chains).remove(0);
    // The interval from 0 to 2 is tried in its middle, which is x itself.
    close(record.to.x, 1.0, 1e-15);
    close(record.to.y, 0.25 * (record.to.x * record.to.x - 4.0) - 0.4, 1e-14);
    assert_eq!(chains.evaluations, 3);
}

#[test]
fn settings_and_dimensions_are_checked() {
    let kind = find_kind(&METHODS, "gibbs").unwrap();
    assert!(kind.param("step_size").is_none(), "nothing depends on a step size");
    let method = build(&Settings::defaults(kind)).unwrap();
    assert_eq!(method.most_evaluations(), Some(58.0));
    let error = method.on(built("linear-regression", &[]).space()).unwrap_err();
    assert!(error.path == "method" && error.problem.contains("more"), "{error}");
    assert!(method.on(built("double-well", &[]).space()).is_ok());
}
