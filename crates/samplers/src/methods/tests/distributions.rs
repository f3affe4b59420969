//! Stationary distributions against closed forms, with many independent chains.
//!
//! Every number is a mean over chains of the mean of a chain; the standard error is that of these means, which are
//! independent of each other, so that the mixing time of a chain does not matter. With 256 chains the error is itself
//! known to 4 %, and means of means are Gaussian enough: a comparison at five standard errors fails by
//! chance in about one of 10⁶ cases.

use super::super::{
    Adaptation, Gradient, Hmc, Langevin, Mala, Method, Population, Problem, Psgld, RandomWalk, Scratch, Sgd, Sghmc,
    Sgnht, Steps, Track,
};
use super::{Chunk, Normal, Numbers, init, stream};
use crate::schedules::Stage;
use base::math::{Coords, Point, Simd};
use models::targets::{Density, Minibatches};

/// Width of all tolerances in standard errors.
const Z: f64 = 5.0;

/// Chains per case.
const CHAINS: usize = 256;

/// A mean with its standard error.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimate {
    pub(super) mean: f64,
    pub(super) error: f64,
}

impl Estimate {
    fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        Self { mean, error: (squares / (count - 1.0) / count).sqrt() }
    }

    /// Checks the mean, and that its standard error is at most `precision`.
    pub(super) fn check(&self, expected: f64, precision: f64, case: &str) {
        assert!(self.error < precision * expected.abs(), "{case}: {self:?} is not precise enough for {expected}");
        assert!((self.mean - expected).abs() < Z * self.error, "{case}: {self:?}, not {expected}");
    }
}

/// A run whose stationary distribution is tested.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'a> {
    pub(super) method: &'a dyn Method,
    pub(super) target: &'a dyn Density,
    pub(super) gradient: Gradient,
    pub(super) alpha: f64,
    /// Standard deviation of the starts around 0.
    pub(super) sd: f64,
    /// Number of burn-in steps, and number of steps in the means.
    pub(super) steps: (usize, usize),
}

impl Run<'_> {
    /// Means over time and chains of what `values` says of chain `i` after a step.
    pub(super) fn estimates<const N: usize>(
        &self,
        values: impl Fn(&Population, usize) -> [f64; N],
    ) -> ([Estimate; N], Population) {
        let Self { method, target, ref gradient, alpha, sd, steps: (before, during) } = *self;
        let mut stream = stream(11);
        let planar = if target.info().dimension == 2 { 1.0 } else { 0.0 };
        let pairs: Vec<Point> =
            (0..2 * CHAINS).map(|_| stream.normal_pair()).map(|(x, y)| Point::new(x, planar * y)).collect();
        let starts: Vec<Point> = pairs[..CHAINS].iter().map(|pair| pair * sd).collect();
        let (first, second): (Vec<_>, Vec<_>) = pairs[CHAINS..].iter().map(|pair| (pair.x, pair.y)).unzip();
        let mut chains = init(method, &starts, alpha, [&first, &second]);
        let mut scratch = Scratch::default();
        let mut sums = [[0.0; N]; CHAINS];
        let (mut x, mut y) = (vec![0.0; CHAINS], vec![0.0; CHAINS]);
        for step in 0..before + during {
            let numbers = Numbers::for_steps(&mut stream, method, gradient, 1, CHAINS);
            let steps = Steps { step_sizes: &[alpha], stages: &[Stage::Sampling], batches: Minibatches::default() };
            let problem = Problem::in_plane(target, gradient, Simd::widest());
            let track = Track { x: &mut x, y: &mut y, records: &mut [] };
            let chunk =
                Chunk { problem: &problem, steps, randomness: numbers.as_randomness(), track, scratch: &mut scratch };
            method.advance(&mut chains, chunk);
            if step >= before {
                for (chain, sums) in sums.iter_mut().enumerate() {
                    for (sum, value) in sums.iter_mut().zip(values(&chains, chain)) {
                        *sum += value / during as f64;
                    }
                }
            }
        }
        let estimate = |which: usize| Estimate::of(&sums.iter().map(|sums| sums[which]).collect::<Vec<_>>());
        (std::array::from_fn(estimate), chains)
    }

    /// The mean square of both coordinates.
    fn variance(&self) -> Estimate {
        let square = |chains: &Population, chain: usize| [0.5 * chains.position(chain).norm_squared()];
        self.estimates(square).0[0]
    }
}

fn noisy(variance: f64) -> Gradient {
    Gradient::Noisy { variance, compensate: false }
}

/// Var θ and Var p, in closed form: s²/(aαλ(2 − αλ/(2 − a))), 2αλ Var θ/(2 − a).
fn sghmc_variances(lambda: f64, alpha: f64, friction: f64, noise: f64, correction: bool) -> [f64; 2] {
    let beta = if correction { 0.5 * alpha * noise } else { 0.0 };
    let s2 = 2.0 * alpha * (friction - beta) + alpha * alpha * noise;
    let position = s2 / (friction * alpha * lambda * (2.0 - alpha * lambda / (2.0 - friction)));
    [position, 2.0 * alpha * lambda * position / (2.0 - friction)]
}

#[test]
fn sghmc_has_the_stated_variances() {
    let [position, momentum] = sghmc_variances(10.0, 0.05, 0.05, 0.0, true);
    assert!((position - 0.11471).abs() < 5e-6 && (momentum - 0.058824).abs() < 5e-7, "{position} {momentum}");
    let cases = [
        (10.0, 0.05, 0.05, 0.0),
        (1.0, 0.1, 0.3, 4.0),
        (33.333, 0.02, 0.2, 15.0),
        (4.0, 0.3, 1.0, 2.0),
        (0.5, 0.4, 0.7, 3.0),
    ];
    for (lambda, alpha, friction, noise) in cases {
        for friction_correction in [false, true] {
            let target = Normal::new(lambda, 2);
            let expected = sghmc_variances(lambda, alpha, friction, noise, friction_correction);
            let method = Sghmc { friction, friction_correction };
            let (gradient, sd) = (noisy(noise), expected[0].sqrt());
            let run = Run { method: &method, target: &target, gradient, alpha, sd, steps: (300, 1200) };
            let squares = |chains: &Population, chain: usize| {
                let momentum = chains.carried[0].point(chain);
                [chains.position(chain), momentum].map(|vector| 0.5 * vector.norm_squared())
            };
            let (found, _) = run.estimates(squares);
            for (found, expected) in found.iter().zip(expected) {
                found.check(expected, 0.02, &format!("λ {lambda}, {method:?}, α {alpha}, V {noise}"));
            }
        }
    }
}

/// Without the correction the gradient noise has an effect: the two distributions differ by far more than the errors
/// above.
#[test]
fn the_friction_correction_matters() {
    let [with, without] = [true, false].map(|correction| sghmc_variances(1.0, 0.1, 0.3, 4.0, correction)[0]);
    assert!(without > 1.5 * with, "{with} {without}");
}

/// In equilibrium E pᵀp/d = 1, as the mean of ξ does not change, and λ E θ² + E ξθᵀp/d = 1, as that of θᵀp does not: with
/// E θᵀp/d = h/2 before a step and −h/2 between its halves, both from E ‖θ‖² unchanged. These hold at every step size.
///
/// The mean of ξ: the balance of ‖p‖² gives A + hV/2 + (h/2)(A′² − 1/d) to first order in h, A′ = A + hV/2, with
/// Var ξ = 1/d; the next order is below 0.2 h² at these points, less than a fifth of a standard error.
#[test]
fn the_thermostat_adapts_to_the_noise() {
    let cases = [(1.0, 1.0, 0.05, 10.0), (4.0, 0.5, 0.03, 30.0), (0.5, 2.0, 0.05, 0.0), (10.0, 1.0, 0.04, 20.0)];
    for (lambda, diffusion, h, noise) in cases {
        let target = Normal::new(lambda, 2);
        let method = Sgnht { diffusion };
        let (gradient, sd) = (noisy(noise), (1.0 / lambda).sqrt());
        let run = Run { method: &method, target: &target, gradient, alpha: h, sd, steps: (1000, 4000) };
        let values = |chains: &Population, chain: usize| {
            let p = chains.carried[0].point(chain);
            let (at, friction) = (chains.position(chain), chains.carried[1].get(chain, 0));
            [0.5 * p.norm_squared(), 0.5 * (lambda * at.norm_squared() + friction * at.dot(&p)), friction]
        };
        let ([kinetic, virial, friction], _) = run.estimates(values);
        let case = format!("λ {lambda}, A {diffusion}, h {h}, V {noise}");
        kinetic.check(1.0, 0.01, &case);
        virial.check(1.0, 0.02, &case);
        let first = diffusion + 0.5 * h * noise;
        friction.check(first + 0.5 * h * (first * first - 0.5), 0.02, &case);
    }
}

/// ρ = 0: G = 1/(δ + |g|) depends on θ alone, and in the limit of small steps the distribution without Γ is p/G, of
/// variance (1/λ)(δ + √λ·2c)/(δ + √λ·c), c = √(2/π) the mean of |ξ| and 2c that of |ξ|³. With Γ it is 1/λ. At αλG ≤
/// 0.02 the bias of the step is at most 1 %, half a standard error.
#[test]
fn psgld_needs_gamma_where_its_scale_depends_on_the_position() {
    let c = std::f64::consts::FRAC_2_PI.sqrt();
    for (lambda, floor) in [(1.0_f64, 1.0), (4.0, 2.0), (0.25, 0.5)] {
        let target = Normal::new(lambda, 1);
        let root = lambda.sqrt();
        let alpha = 0.015 * (floor + root * c) / lambda;
        for (gamma, expected) in [(false, (floor + 2.0 * root * c) / (floor + root * c) / lambda), (true, 1.0 / lambda)]
        {
            let method = Psgld { decay: 0.0, floor, gamma, mean: false };
            let (gradient, sd) = (Gradient::Exact, 1.0 / root);
            let run = Run { method: &method, target: &target, gradient, alpha, sd, steps: (1000, 4000) };
            let square =
                |chains: &Population, chain: usize| [chains.positions.axis(0)[chain] * chains.positions.axis(0)[chain]];
            let ([found], _) = run.estimates(square);
            found.check(expected, 0.03, &format!("λ {lambda}, δ {floor}, Γ {gamma}"));
        }
    }
}

/// At the usual ρ = 0.99 and δ = 10⁻⁵ there is no closed form. An independent simulation of 1000 chains gave E θ² =
/// 1.331 for N(0, 1) at α = 0.01, with a standard error of about 0.011: a third too wide.
#[test]
fn psgld_is_biased_at_its_usual_settings() {
    let target = Normal::new(1.0, 1);
    let method = Psgld { decay: 0.99, floor: 1e-5, gamma: false, mean: false };
    let run =
        Run { method: &method, target: &target, gradient: Gradient::Exact, alpha: 0.01, sd: 1.0, steps: (1500, 6000) };
    let ([found], _) =
        run.estimates(|chains, chain| [chains.positions.axis(0)[chain] * chains.positions.axis(0)[chain]]);
    assert!((found.mean - 1.331).abs() < Z * found.error.hypot(0.011), "{found:?}");
    assert!(found.mean > 1.2 && found.error < 0.03, "{found:?}");
}

/// δ so large that G is 1/δ: the distribution of SGLD with α/δ, (1 + αV/2δ)/(λ(1 − αλ/2δ)).
#[test]
fn psgld_with_a_large_floor_has_the_variance_of_sgld() {
    for (lambda, step, noise) in [(33.333, 0.043, 10.0), (1.0, 0.5, 4.0), (4.0, 0.2, 0.0)] {
        let target = Normal::new(lambda, 2);
        let floor = 1e6;
        let expected: f64 = (1.0 + 0.5 * step * noise) / (lambda * (1.0 - 0.5 * step * lambda));
        let method = Psgld { decay: 0.99, floor, gamma: true, mean: false };
        let (gradient, sd) = (noisy(noise), expected.sqrt());
        let run = Run { method: &method, target: &target, gradient, alpha: step * floor, sd, steps: (50, 800) };
        run.variance().check(expected, 0.02, &format!("λ {lambda}, α/δ {step}, V {noise}"));
    }
}

/// αV/(λ(2 − αλ)): width without injected noise (Mandt, Hoffman and Blei 2017).
#[test]
fn sgd_has_the_variance_of_its_noise() {
    for (lambda, alpha, noise) in [(1.0, 0.1, 4.0), (33.333, 0.02, 10.0), (4.0, 0.4, 1.0)] {
        let target = Normal::new(lambda, 2);
        let expected: f64 = alpha * noise / (lambda * (2.0 - alpha * lambda));
        let sd = expected.sqrt();
        let run = Run { method: &Sgd, target: &target, gradient: noisy(noise), alpha, sd, steps: (300, 1200) };
        run.variance().check(expected, 0.02, &format!("λ {lambda}, α {alpha}, V {noise}"));
    }
}

/// θ_k = (1 − αλ)^k θ₀ to 50 roundings; a chain at the mode stays there.
#[test]
fn gradient_descent_converges_to_the_mode() {
    for (lambda, alpha) in [(1.0, 0.1), (33.333, 0.043), (4.0, 0.02)] {
        let target = Normal::new(lambda, 2);
        let mut chains = Population::at(Coords::of_points(&[Point::new(1.0, -3.0), Point::zeros()]));
        for k in 1..=50 {
            super::one_step(&Sgd, &target, &Gradient::Exact, &super::plan(alpha), &Numbers::default(), &mut chains);
            super::close(chains.positions.axis(0)[0], (1.0 - alpha * lambda).powi(k), 1e-12);
            super::close(chains.positions.axis(1)[0], -3.0 * (1.0 - alpha * lambda).powi(k), 1e-12);
            assert_eq!(chains.position(1), Point::zeros());
        }
    }
}

/// 1/(λ(1 − αλ/2)) without, 1/λ with the Metropolis rule, also for MALA with noisy gradients in the proposals.
#[test]
fn metropolis_removes_the_bias() {
    for (lambda, alpha, noise) in [(33.333, 0.043, 0.0), (1.0, 0.5, 4.0), (4.0, 0.1, 2.0)] {
        let target = Normal::new(lambda, 2);
        let case = format!("λ {lambda}, α {alpha}, V {noise}");
        let run = |method, gradient, variance: f64| {
            let sd = variance.sqrt();
            let run = Run { method, target: &target, gradient, alpha, sd, steps: (100, 1500) };
            run.variance().check(variance, 0.02, &format!("{method:?} {case}"));
        };
        run(&Langevin { metropolis: false }, Gradient::Exact, 1.0 / (lambda * (1.0 - 0.5 * alpha * lambda)));
        run(&Langevin { metropolis: true }, Gradient::Exact, 1.0 / lambda);
        run(&Mala, noisy(noise), 1.0 / lambda);
    }
}

/// 1/λ at every step size, here with proposals of 1, 2.4 and 4 standard deviations.
#[test]
fn a_random_walk_has_the_variance_of_the_target() {
    for (lambda, alpha) in [(1.0_f64, 0.5), (33.333, 0.0864), (0.25, 32.0)] {
        let target = Normal::new(lambda, 1);
        let sd = 1.0 / lambda.sqrt();
        let (method, gradient) = (&RandomWalk, Gradient::Exact);
        let run = Run { method, target: &target, gradient, alpha, sd, steps: (0, 2000) };
        let values = |chains: &Population, chain: usize| {
            [chains.positions.axis(0)[chain] * chains.positions.axis(0)[chain], chains.positions.axis(1)[chain].abs()]
        };
        let ([square, beside], _) = run.estimates(values);
        square.check(1.0 / lambda, 0.02, &format!("λ {lambda}, α {alpha}"));
        assert!(beside.mean <= 0.0, "λ {lambda}, α {alpha}: {beside:?} beside the line");
    }
}

/// (2/π) arctan(2/s) with proposals N(θ, s²/λ), s² = 2αλ: with x = r cos φ and x′ − x = s r sin φ, by symmetry under x
/// ↔ x′ the acceptance is twice the probability of |x′| < |x|, that is of −2 cos φ < s sin φ < 0 up to a sign, a share
/// of arctan(2/s)/π of all directions. Both the mean probability and the share of accepted proposals.
#[test]
fn a_random_walk_accepts_as_often_as_its_closed_form() {
    for (lambda, s) in [(1.0_f64, 0.5_f64), (4.0, 2.4), (33.333, 10.0)] {
        let target = Normal::new(lambda, 1);
        let alpha = 0.5 * s * s / lambda;
        let mut stream = stream(17);
        let sd = 1.0 / lambda.sqrt();
        let starts: Vec<Point> = (0..CHAINS).map(|_| Point::new(sd * stream.normal_pair().0, 0.0)).collect();
        let mut chains = Population::at(Coords::of_points(&starts));
        let steps = 1000;
        let mut means = [vec![0.0; CHAINS], vec![0.0; CHAINS]];
        for _ in 0..steps {
            let numbers = Numbers::for_steps(&mut stream, &RandomWalk, &Gradient::Exact, 1, CHAINS);
            let plan = super::plan(alpha);
            let records = super::one_step(&RandomWalk, &target, &Gradient::Exact, &plan, &numbers, &mut chains);
            for (chain, proposal) in records.iter().filter_map(|record| record.proposal).enumerate() {
                means[0][chain] += proposal.probability / f64::from(steps);
                means[1][chain] += f64::from(u8::from(proposal.accepted)) / f64::from(steps);
            }
        }
        let expected = std::f64::consts::FRAC_2_PI * (2.0 / s).atan();
        for mean in &means {
            Estimate::of(mean).check(expected, 0.02, &format!("λ {lambda}, s {s}"));
        }
        super::close(chains.acceptance.rate().unwrap(), means[0].iter().sum::<f64>() / CHAINS as f64, 1e-11);
    }
}

/// By quadrature elsewhere: the mean probability of acceptance of MALA on N(0, I) in the plane, to four digits; chains start and stay
/// in equilibrium, and the error is taken between chains.
#[test]
fn mala_accepts_as_often_as_stated() {
    let target = Normal::new(1.0, 2);
    for (alpha, expected) in [(0.01, 0.9996), (0.1, 0.9889), (0.5, 0.8761), (1.0, 0.6670)] {
        let run = Run { method: &Mala, target: &target, gradient: Gradient::Exact, alpha, sd: 1.0, steps: (0, 1000) };
        let (_, chains) = run.estimates(|_, _| [0.0]);
        let proposals = (CHAINS * 1000) as f64;
        assert!((chains.acceptance.proposals as f64 - proposals).abs() < 0.5);
        let rate = chains.acceptance.rate().unwrap();
        // A probability lies between 0 and 1: its variance is below a(1 − a). Chains that stay for about ten steps
        // repeat themselves, so that the error is that of a tenth of the proposals; 0.00005 is the rounding of the
        // stated number.
        let error = (expected * (1.0 - expected) / (0.1 * proposals)).sqrt();
        assert!((rate - expected).abs() < Z * error + 5e-5, "α {alpha}: {rate}, not {expected} ± {error}");
        let counted = chains.acceptance.accepted as f64 / proposals;
        assert!((counted - expected).abs() < Z * error, "α {alpha}: {counted}, not {expected} ± {error}");
    }
}

/// Means and mean squares of θ along one axis after a path of naive HMC on N(0, 1/λ), from (v, 1) for (θ, r): a linear
/// map of second moments, of which the stationary variance is the fixed point.
fn naive_variance(lambda: f64, h: f64, leaps: usize, noise: f64) -> f64 {
    let after = |variance: f64| {
        let mut m = [variance, 0.0, 1.0];
        let kick = |m: [f64; 3], time: f64, noise: f64| {
            let c = -time * lambda;
            [m[0], m[1] + c * m[0], m[2] + 2.0 * c * m[1] + c * c * m[0] + noise]
        };
        for _ in 0..leaps {
            m = kick(m, 0.5 * h, 0.25 * h * h * noise);
            m = [m[0] + 2.0 * h * m[1] + h * h * m[2], m[1] + h * m[2], m[2]];
            m = kick(m, 0.5 * h, 0.25 * h * h * noise);
        }
        m[0]
    };
    let offset = after(0.0);
    offset / (1.0 - (after(1.0) - offset))
}

/// Every half step has independent noise: the fixed point of the second moments, also without noise, where the Metropolis
/// rule would give 1/λ.
#[test]
fn naive_hmc_is_too_wide_by_its_noise() {
    for (lambda, h, leaps, noise) in [(1.0, 0.1, 10, 4.0), (4.0, 0.2, 7, 2.0), (0.5, 0.3, 3, 10.0), (2.0, 0.9, 2, 0.0)]
    {
        let target = Normal::new(lambda, 2);
        let expected = naive_variance(lambda, h, leaps, noise);
        let case = format!("λ {lambda}, h {h}, L {leaps}, V {noise}");
        let method = Hmc { leapfrog_steps: leaps, metropolis: false, adaptation: Adaptation::default() };
        let (gradient, sd) = (noisy(noise), expected.sqrt());
        let run = Run { method: &method, target: &target, gradient, alpha: h, sd, steps: (50, 600) };
        run.variance().check(expected, 0.02, &case);
        let exact = Hmc { leapfrog_steps: leaps, metropolis: true, adaptation: Adaptation::default() };
        let sd = (1.0 / lambda).sqrt();
        let run = Run { method: &exact, target: &target, gradient: Gradient::Exact, alpha: h, sd, steps: (50, 600) };
        run.variance().check(1.0 / lambda, 0.02, &case);
    }
}
