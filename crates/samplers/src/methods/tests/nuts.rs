//! The No-U-Turn sampler against trajectories that are computed again, leaf by leaf, from its definition.

use std::path::Path;
use std::sync::Arc;

use super::super::kit::record::{Stop, Trajectory};
use super::super::{Adaptation, Gradient, Hmc, Mass, Nuts, Population, StepRecord};
use super::{Normal, Numbers, init, one_step, plan, stream};
use base::math::{Coords, Point, Stream};
use base::params::{Settings, find_kind};
use models::targets::{Density, TARGETS, build};

/// Uniforms of a doubling: for the direction, the leaf within the subtree, and taking it.
const UNIFORMS: usize = 3;

fn mixture() -> Arc<dyn Density> {
    build(&Settings::defaults(find_kind(&TARGETS, "gaussian-mixture").unwrap()), Path::new(""))
        .unwrap()
        .density()
        .unwrap()
        .clone()
}

/// A position with its momentum.
#[derive(Clone, Copy, Debug)]
struct Phase {
    at: Point,
    momentum: Point,
}

/// A leapfrog step of size h, which may be negative.
fn leapfrog(target: &dyn Density, from: Phase, h: f64) -> Phase {
    let half = from.momentum + target.gradient(from.at) * (0.5 * h);
    let at = from.at + half * h;
    Phase { at, momentum: half + target.gradient(at) * (0.5 * h) }
}

fn energy(target: &dyn Density, phase: Phase) -> f64 {
    0.5 * phase.momentum.norm_squared() - target.log_density(phase.at)
}

/// Whether consecutive leaves, in the order of time, turn: by the ends, and by one half with the first leaf of the other.
fn turns(leaves: &[Phase]) -> bool {
    let sum = |part: &[Phase]| part.iter().map(|leaf| leaf.momentum).sum::<Point>();
    let bad = |rho: Point, ends: [Phase; 2]| !ends.iter().all(|end| rho.dot(&end.momentum) > 0.0);
    let (middle, last) = (leaves.len() / 2, leaves.len() - 1);
    let (left, right) = leaves.split_at(middle);
    bad(sum(leaves), [leaves[0], leaves[last]])
        || bad(sum(left) + right[0].momentum, [leaves[0], right[0]])
        || bad(sum(right) + left[middle - 1].momentum, [left[middle - 1], leaves[last]])
}

/// Whether any part of a subtree turns: the whole, either half, their halves, …
fn turns_within(leaves: &[Phase]) -> bool {
    if leaves.len() < 2 {
        return false;
    }
    let (left, right) = leaves.split_at(leaves.len() / 2);
    turns_within(left) || turns_within(right) || turns(leaves)
}

/// The trajectory by its definition: all leaves of a doubling are computed before anything is checked.
struct Expected {
    /// In the order of time.
    leaves: Vec<Phase>,
    /// The number of the start among them.
    start: usize,
    depth: usize,
    stop: Stop,
}

fn expected(target: &dyn Density, start: Phase, h: f64, most: usize, forward: &[bool]) -> Expected {
    let mut tree = Expected { leaves: vec![start], start: 0, depth: 0, stop: Stop::Depth };
    let begin = energy(target, start);
    while tree.depth < most {
        let (mut front, sign) =
            if forward[tree.depth] { (tree.leaves[tree.leaves.len() - 1], 1.0) } else { (tree.leaves[0], -1.0) };
        let mut subtree = Vec::new();
        for _ in 0..tree.leaves.len() {
            front = leapfrog(target, front, sign * h);
            subtree.push(front);
        }
        // A NaN is lost, too.
        let kept = |leaf: &Phase| energy(target, *leaf) - begin <= 1000.0;
        let lost = subtree.iter().position(|leaf| !kept(leaf));
        if let Some(lost) = lost {
            // A turn before the divergence is seen first.
            let before =
                (0..lost).any(|end| (1..=end + 1).any(|size| is_part(end, size) && turned(&subtree, end, size)));
            tree.stop = if before { Stop::TurnWithin } else { Stop::Divergence };
            return tree;
        }
        if sign < 0.0 {
            subtree.reverse();
        }
        if turns_within(&subtree) {
            tree.stop = Stop::TurnWithin;
            return tree;
        }
        tree.depth += 1;
        if sign < 0.0 {
            tree.start += subtree.len();
            tree.leaves.splice(0..0, subtree);
        } else {
            tree.leaves.extend(subtree);
        }
        if turns(&tree.leaves) {
            tree.stop = Stop::Turn;
            return tree;
        }
    }
    tree
}

/// Whether a subtree has a part of this size that ends at leaf `end`.
fn is_part(end: usize, size: usize) -> bool {
    size.is_power_of_two() && size > 1 && (end + 1).is_multiple_of(size)
}

/// The condition is the same in both orders of time.
fn turned(leaves: &[Phase], end: usize, size: usize) -> bool {
    turns(&leaves[end + 1 - size..=end])
}

/// One step from a phase with uniforms chosen by hand.
fn step(method: &Nuts, target: &dyn Density, h: f64, from: Phase, uniforms: &[f64]) -> (StepRecord, Population) {
    let numbers = Numbers { first: vec![from.momentum.x], second: vec![from.momentum.y], uniforms: uniforms.to_vec() };
    let mut chains = init(method, &[from.at], h, [&[0.0], &[0.0]]);
    let record = one_step(method, target, &Gradient::Exact, &plan(h), &numbers, &mut chains).remove(0);
    (record, chains)
}

fn uniforms(stream: &mut Stream, depth: usize) -> Vec<f64> {
    (0..UNIFORMS * depth).map(|_| stream.uniform()).collect()
}

/// The direction of every doubling.
fn directions(uniforms: &[f64]) -> Vec<bool> {
    uniforms.chunks(UNIFORMS).map(|of| of[0] < 0.5).collect()
}

fn normal_phase(stream: &mut Stream, at: Point) -> Phase {
    let (x, y) = stream.normal_pair();
    Phase { at, momentum: Point::new(x, y) }
}

/// The leaves of finished doublings in the order of time, by their numbers.
fn in_time(trajectory: &Trajectory) -> Vec<usize> {
    let mut order = vec![0];
    for doubling in trajectory.doublings.iter().filter(|doubling| doubling.finished) {
        let leaves = doubling.first..doubling.first + order.len();
        if doubling.forward {
            order.extend(leaves);
        } else {
            order.splice(0..0, leaves.rev());
        }
    }
    order
}

/// Trees, their ends and the reasons why they stop, on a density with several modes, from many starts.
#[test]
fn trajectories_are_those_of_the_definition() {
    let target = mixture();
    let mut seen = [0; 4];
    for (h, most) in [(0.05, 3), (0.1, 7), (0.35, 10), (0.8, 5), (1.6, 10), (60.0, 3)] {
        let method = Nuts { max_depth: most, ..Nuts::default() };
        for case in 0..60 {
            let mut stream = stream(case);
            let at = Point::new(4.0 * stream.uniform() - 2.0, 4.0 * stream.uniform() - 2.0);
            let from = normal_phase(&mut stream, at);
            let uniforms = uniforms(&mut stream, most);
            let (record, chains) = step(&method, target.as_ref(), h, from, &uniforms);
            let found = record.trajectory.unwrap();
            let expected = expected(target.as_ref(), from, h, most, &directions(&uniforms));
            assert_eq!((found.stop, found.depth()), (expected.stop, expected.depth), "h {h}, case {case}");
            let order = in_time(&found);
            assert_eq!(order.iter().position(|leaf| *leaf == 0), Some(expected.start));
            for (leaf, expected) in order.iter().zip(&expected.leaves) {
                assert!((found.leaves[*leaf].at - expected.at).amax() < 1e-9);
                let weight = energy(target.as_ref(), from) - energy(target.as_ref(), *expected);
                assert!((found.leaves[*leaf].log_weight - weight).abs() < 1e-8 * (1.0 + weight.abs()));
            }
            let last = expected.leaves[expected.leaves.len() - 1];
            assert!((found.ends[0] - expected.leaves[0].at).amax() < 1e-9 && (found.ends[1] - last.at).amax() < 1e-9);
            assert!((found.velocities[1] - last.momentum).amax() < 1e-9);
            if found.stop == Stop::Depth {
                let rho: Point = expected.leaves.iter().map(|leaf| leaf.momentum).sum();
                let products = [expected.leaves[0], last].map(|end| rho.dot(&end.momentum));
                let close = |found: f64, expected: f64| (found - expected).abs() < 1e-8 * (1.0 + expected.abs());
                assert!(close(found.products[0], products[0]) && close(found.products[1], products[1]));
            }
            assert_eq!(chains.evaluations, found.leapfrog_steps() as u64);
            assert!((found.leaves[found.chosen].at - record.to).amax() <= 0.0);
            seen[found.stop as usize] += 1;
        }
    }
    assert!(seen.iter().all(|count| *count >= 5), "every reason to stop: {seen:?}");
}

/// A trajectory that stops as a whole is reached from each of its leaves by exactly one choice of directions, and stops
/// there too: this is what makes the choice of a leaf by its weight exact.
#[test]
fn a_trajectory_is_the_same_from_all_its_leaves() {
    let target = mixture();
    let method = Nuts::default();
    let mut whole = 0;
    for case in 0..40 {
        let mut stream = stream(500 + case);
        let from = normal_phase(&mut stream, Point::new(0.4, -0.3));
        let drawn = uniforms(&mut stream, 10);
        let expected = expected(target.as_ref(), from, 0.4, 10, &directions(&drawn));
        if expected.stop != Stop::Turn {
            continue;
        }
        whole += 1;
        for (index, leaf) in expected.leaves.iter().enumerate() {
            // A subtree of 2ʲ leaves extends an even one forward and an odd one backward.
            let direction = |j: usize| if (index >> j) & 1 == 0 { 0.1 } else { 0.9 };
            let uniforms: Vec<f64> = (0..10).flat_map(|j| [direction(j), 0.5, 0.5]).collect();
            let (record, _) = step(&method, target.as_ref(), 0.4, *leaf, &uniforms);
            let found = record.trajectory.unwrap();
            assert_eq!((found.stop, found.depth()), (Stop::Turn, expected.depth), "case {case}, leaf {index}");
            let last = expected.leaves[expected.leaves.len() - 1];
            assert!((found.ends[0] - expected.leaves[0].at).amax() < 1e-8);
            assert!((found.ends[1] - last.at).amax() < 1e-8);
        }
    }
    assert!(whole > 5, "{whole} trajectories");
}

/// How often each leaf is the draw, for 40 000 choices on one trajectory, against its probability: the subtree of a doubling
/// is taken with min(1, w′/w), and within it a leaf by its weight. Twice two trajectories of up to 32 leaves within five
/// standard errors: a false alarm in 10⁴ seeds.
#[test]
fn leaves_are_drawn_by_their_weights() {
    const DRAWS: usize = 40_000;
    let target = mixture();
    for (h, case) in [(0.25, 3), (0.9, 5), (0.9, 8), (1.3, 11)] {
        let method = Nuts { max_depth: 5, ..Nuts::default() };
        let mut stream = stream(700 + case);
        let from = normal_phase(&mut stream, Point::new(0.2, 0.5));
        let fixed = uniforms(&mut stream, 5);
        let mut counts: Vec<f64> = Vec::new();
        let mut probabilities: Vec<f64> = Vec::new();
        for _ in 0..DRAWS {
            let drawn: Vec<f64> = fixed.chunks(3).flat_map(|of| [of[0], stream.uniform(), stream.uniform()]).collect();
            let (record, _) = step(&method, target.as_ref(), h, from, &drawn);
            let found = record.trajectory.unwrap();
            counts.resize(found.leaves.len(), 0.0);
            counts[found.chosen] += 1.0;
            if probabilities.is_empty() {
                probabilities = probabilities_of(&found);
            }
        }
        for (leaf, (count, p)) in counts.iter().zip(&probabilities).enumerate() {
            let (n, sd) = (DRAWS as f64, (p * (1.0 - p) / DRAWS as f64).sqrt());
            // A leaf that is never drawn has no error at all.
            assert!((count / n - p).abs() <= 5.0 * sd + 1e-12, "h {h}, leaf {leaf}: {} of {p}", count / n);
        }
    }
}

/// The probability of each leaf to be the draw.
fn probabilities_of(trajectory: &Trajectory) -> Vec<f64> {
    let weights: Vec<f64> = trajectory.leaves.iter().map(|leaf| leaf.log_weight.exp()).collect();
    let mut probabilities = vec![0.0; weights.len()];
    probabilities[0] = 1.0;
    let mut before = 1.0;
    for doubling in trajectory.doublings.iter().filter(|doubling| doubling.finished) {
        let (first, after) = (doubling.first, 2 * doubling.first);
        let sum: f64 = weights[first..after].iter().sum();
        let taken = (sum / before).min(1.0);
        probabilities[..first].iter_mut().for_each(|p| *p *= 1.0 - taken);
        (first..after).for_each(|leaf| probabilities[leaf] = taken * weights[leaf] / sum);
        before += sum;
    }
    probabilities
}

/// A trajectory after its first doublings is the one that is stopped there.
#[test]
fn a_trajectory_is_told_doubling_by_doubling() {
    let target = mixture();
    let mut stream = stream(8);
    let mut compared = 0;
    for _ in 0..60 {
        let at = Point::new(3.0 * stream.normal_pair().0, 3.0 * stream.normal_pair().0);
        let from = normal_phase(&mut stream, at);
        let uniforms = uniforms(&mut stream, 8);
        let method = |max_depth| Nuts { max_depth, ..Nuts::default() };
        let whole = step(&method(8), target.as_ref(), 0.15, from, &uniforms).0.trajectory.unwrap();
        for depth in 1..whole.depth() {
            let stopped = step(&method(depth), target.as_ref(), 0.15, from, &uniforms[..UNIFORMS * depth]);
            let stopped = stopped.0.trajectory.unwrap();
            let after = whole.after(depth);
            assert_eq!(after, Trajectory { stop: after.stop, acceptance: after.acceptance, ..*stopped });
            compared += 1;
        }
        let begin = whole.after(0);
        assert_eq!((begin.leaves.len(), begin.chosen, begin.ends), (1, 0, [from.at; 2]));
        assert_eq!(whole.after(whole.doublings.len()), *whole);
    }
    assert!(compared > 60, "{compared} trajectories with more than one doubling");
}

/// Where the density is flat the energy stays the same and nothing ever turns: every leaf has weight 1, and the newest
/// subtree is always taken.
#[test]
fn nothing_turns_where_the_density_is_flat() {
    let flat = Normal::new(0.0, 2);
    let method = Nuts { max_depth: 6, ..Nuts::default() };
    let mut stream = stream(4);
    let from = normal_phase(&mut stream, Point::new(1.0, 2.0));
    let uniforms = uniforms(&mut stream, 6);
    let (record, chains) = step(&method, &flat, 0.3, from, &uniforms);
    let found = record.trajectory.unwrap();
    assert_eq!((found.stop, found.depth(), found.leapfrog_steps()), (Stop::Depth, 6, 63));
    assert!(found.doublings.iter().all(|doubling| doubling.taken));
    assert_eq!(chains.acceptance.rate().map(f64::to_bits), Some(1.0_f64.to_bits()));
    assert_eq!((chains.acceptance.accepted, chains.evaluations), (1, 63));
}

/// On N(0, 1/λ) a trajectory of small steps is a circle in phase space: ρ · r turns after half of it, as in the paper.
#[test]
fn small_steps_turn_after_half_a_period() {
    let target = Normal::new(1.0, 1);
    let method = Nuts::default();
    for case in 0..20 {
        let mut stream = stream(90 + case);
        let from =
            Phase { at: Point::new(stream.normal_pair().0, 0.0), momentum: Point::new(stream.normal_pair().0, 0.0) };
        let uniforms = uniforms(&mut stream, 10);
        let (record, _) = step(&method, &target, 0.02, from, &uniforms);
        let found = record.trajectory.unwrap();
        assert!(matches!(found.stop, Stop::Turn | Stop::TurnWithin));
        // The last finished tree but one is shorter than half a period π, and no tree is longer than twice that.
        let time = 0.02 * (1 << found.depth()) as f64;
        assert!(time < 2.0 * std::f64::consts::PI && found.acceptance > 0.999, "{time}");
    }
}

/// A mass matrix other than the unit: the trajectory is that of the density in the coordinates A⁻¹ θ at unit mass.
#[test]
fn a_mass_matrix_is_a_change_of_coordinates() {
    // A = [[2, 0], [−1, 0.5]] on N(0, A Aᵀ) is N(0, I) in A⁻¹ θ.
    let a = [2.0, -1.0, 0.5];
    let through = |p: Point| Point::new(a[0] * p.x, a[1] * p.x + a[2] * p.y);
    let stretched = Stretched { plain: Normal::new(1.0, 2), factor: a };
    let plain = Normal::new(1.0, 2);
    for case in 0..20 {
        let mut stream = stream(300 + case);
        let at = Point::new(stream.normal_pair().0, stream.normal_pair().0);
        let from = normal_phase(&mut stream, at);
        let uniforms = uniforms(&mut stream, 10);
        let (record, _) = step(&Nuts::default(), &plain, 0.5, from, &uniforms);
        let dense = Nuts {
            adaptation: Adaptation { mass: Mass::Dense, warm_up: 10, ..Adaptation::default() },
            ..Nuts::default()
        };
        let mut chains = init(&dense, &[through(at)], 0.5, [&[0.0], &[0.0]]);
        chains.carried[0].axis_mut(0)[0] = 10.0;
        chains.carried[3].set(0, &a);
        let numbers = Numbers { first: vec![from.momentum.x], second: vec![from.momentum.y], uniforms };
        let there = one_step(&dense, &stretched, &Gradient::Exact, &plan(0.5), &numbers, &mut chains).remove(0);
        let (one, other) = (record.trajectory.unwrap(), there.trajectory.unwrap());
        let doublings_of = |of: &Trajectory| -> Vec<_> {
            of.doublings.iter().map(|of| (of.forward, of.first, of.finished, of.taken, of.chosen)).collect()
        };
        assert_eq!((one.stop, doublings_of(&one), one.chosen), (other.stop, doublings_of(&other), other.chosen));
        assert!((through(record.to) - there.to).amax() < 1e-12);
        assert!((one.products[0] - other.products[0]).abs() < 1e-9);
        assert!((through(one.velocities[0]) - other.velocities[0]).amax() < 1e-12);
        assert_eq!(other.warm_up_left, Some(0));
        assert!((other.scales[1] - 1.25_f64.sqrt()).abs() < 1e-15);
    }
}

/// N(0, I) in the coordinates L θ.
#[derive(Debug)]
struct Stretched {
    plain: Normal,
    factor: [f64; 3],
}

impl Density for Stretched {
    fn info(&self) -> &models::targets::TargetInfo {
        self.plain.info()
    }

    fn log_density(&self, at: Point) -> f64 {
        self.plain.log_density(self.back(at))
    }

    fn gradient(&self, at: Point) -> Point {
        let [a, b, c] = self.factor;
        let g = self.plain.gradient(self.back(at));
        // L⁻ᵀ g.
        let y = g.y / c;
        Point::new((g.x - b * y) / a, y)
    }

    fn hessian(&self, _at: Point) -> base::math::Matrix {
        base::math::Matrix::zeros()
    }
}

impl Stretched {
    /// L⁻¹ θ.
    fn back(&self, at: Point) -> Point {
        let [a, b, c] = self.factor;
        let x = at.x / a;
        Point::new(x, (at.y - b * x) / c)
    }
}

/// After its warm-up a chain accepts as often as asked for, and its mass is that of the target: N(0, 1) by N(0, 1/100).
#[test]
fn a_warm_up_finds_step_size_and_mass() {
    let narrow = Stretched { plain: Normal::new(1.0, 2), factor: [3.0, 0.0, 0.1] };
    for (mass, target_acceptance) in [(Mass::Diagonal, 0.8), (Mass::Dense, 0.9), (Mass::Unit, 0.7)] {
        let method = Nuts {
            adaptation: Adaptation { step_size: true, target_acceptance, mass, warm_up: 600 },
            ..Nuts::default()
        };
        let mut chains = init(&method, &[Point::new(1.0, 0.1); 8], 0.01, [&[0.0; 8], &[0.0; 8]]);
        let mut sizes = vec![Vec::new(); 8];
        let (mut rates, mut during) = (Vec::new(), Vec::new());
        for index in 0..900 {
            let numbers = Numbers::for_steps(&mut stream(index), &method, &Gradient::Exact, 1, 8);
            if index == 600 {
                chains.acceptance = super::super::Acceptance::default();
            }
            let records = one_step(&method, &narrow, &Gradient::Exact, &plan(0.01), &numbers, &mut chains);
            for (chain, record) in records.iter().enumerate() {
                let trajectory = record.trajectory.as_ref().unwrap();
                let left = 599_u64.saturating_sub(index);
                assert_eq!(trajectory.warm_up_left, Some(left));
                if index < 600 {
                    during.push(trajectory.acceptance);
                }
                if index > 600 {
                    sizes[chain].push(trajectory.step_size.to_bits());
                    rates.push(trajectory.acceptance);
                    if mass != Mass::Unit {
                        // 345 positions in the last window: standard errors of some 4 % if they are independent.
                        let [wide, narrow] = trajectory.scales;
                        assert!((wide / 3.0 - 1.0).abs() < 0.3 && (narrow / 0.1 - 1.0).abs() < 0.3, "{wide} {narrow}");
                    }
                }
            }
        }
        assert!(sizes.iter().all(|sizes| sizes.iter().all(|h| *h == sizes[0])), "the step size is frozen");
        assert!(sizes.iter().any(|own| own[0] != sizes[0][0]), "every chain has its own");
        // Dual averaging makes the mean over the warm-up right: x = μ − 20 √t H̄ bounds H̄ by about 0.01 at its end. The
        // step size that is kept is a mean of logarithms; beyond it acceptance falls steeply, so that it accepts more often.
        let mean = |rates: &[f64]| rates.iter().sum::<f64>() / rates.len() as f64;
        let (before, after) = (mean(&during), mean(&rates));
        println!("{mass:?}: {before} during the warm-up, {after} after it, for {target_acceptance}");
        assert!((before - target_acceptance).abs() < 0.04, "{mass:?}: {before}, not {target_acceptance}");
        assert!(after > target_acceptance - 0.05 && after < 0.98, "{mass:?}: {after}, not {target_acceptance}");
    }
}

/// HMC with the same adaptation: after the warm-up the draws of 64 chains have the moments of N(0, 9) and N(0, 1/100), and 0.8 are accepted.
#[test]
fn hmc_adapts_as_well() {
    let narrow = Stretched { plain: Normal::new(1.0, 2), factor: [3.0, 0.0, 0.1] };
    let adaptation = Adaptation { step_size: true, mass: Mass::Diagonal, warm_up: 600, ..Adaptation::default() };
    let method = Hmc { leapfrog_steps: 4, metropolis: true, adaptation };
    let mut chains = init(&method, &[Point::new(1.0, 0.1); 64], 0.01, [&[0.0; 64], &[0.0; 64]]);
    let (mut sums, mut count) = ([0.0; 4], 0.0);
    for index in 0..1000 {
        if index == 600 {
            chains.acceptance = super::super::Acceptance::default();
        }
        let numbers = Numbers::for_steps(&mut stream(index), &method, &Gradient::Exact, 1, 64);
        one_step(&method, &narrow, &Gradient::Exact, &plan(0.01), &numbers, &mut chains);
        if index >= 600 && index % 5 == 0 {
            for at in (0..64).map(|chain| chains.position(chain)) {
                let of = [at.x, at.y, at.x * at.x / 9.0, at.y * at.y * 100.0];
                sums.iter_mut().zip(of).for_each(|(sum, value)| *sum += value);
                count += 1.0;
            }
        }
    }
    // 5120 draws, of which every fifth step is nearly independent: five standard errors of means, and of squares (√2/√n).
    let [x, y, wide, narrow] = sums.map(|sum| sum / count);
    assert!((x / 3.0).abs() < 0.07 && (y / 0.1).abs() < 0.07, "{x} {y}");
    assert!((wide - 1.0).abs() < 0.1 && (narrow - 1.0).abs() < 0.1, "{wide} {narrow}");
    let rate = chains.acceptance.rate().unwrap();
    assert!((0.72..0.97).contains(&rate), "{rate}");
}

/// In the middle of nothing: a chain whose density is 0 stays until it finds a place where it is not.
#[test]
fn chains_that_are_nowhere_stay_and_cost_nothing() {
    let method = Nuts::default();
    let mut chains = Population::at(Coords::of_points(&[Point::repeat(f64::NAN), Point::new(0.5, 0.5)]));
    let numbers = Numbers::for_steps(&mut stream(1), &method, &Gradient::Exact, 1, 2);
    let records = one_step(&method, &Normal::new(1.0, 2), &Gradient::Exact, &plan(0.2), &numbers, &mut chains);
    assert!(chains.position(0).x.is_nan() && chains.position(1).x.is_finite());
    assert_eq!(chains.acceptance.proposals, 1);
    assert_eq!(chains.evaluations, records[1].trajectory.as_ref().unwrap().leapfrog_steps() as u64);
}
