//! Tests of every step of every method: records add up, and blocks, chunks and instruction sets do not change a bit.

use super::super::{
    AdamAscent, Adaptation, AdaptiveMetropolis, Barker, BatchOrder, Batches, ContourSgld, Decay, Demcz, Gibbs,
    Gradient, Hmc, Interaction, Langevin, METHODS, Mala, Mass, Mclmc, Method, Moves, Nuts, ParallelTempering, Phase,
    Population, Problem, Psgld, RandomWalk, Scratch, Sgd, Sghmc, Sgld, Sgnht, Splitting, StepRecord, Steps, Svgd,
    Track, algorithm, build, fits, sources_of,
};
use super::{Chunk, Normal, Numbers, Plan, ROUNDING, close, init, one_step, plan, plane, stream};
use crate::schedules::Stage;
use base::math::{Coords, Point, Simd};
use base::params::Settings;
use models::targets::{Boundary, Density, Minibatches, Support};

/// Every method, in every variant with another path through the code.
pub(super) fn variants() -> Vec<Box<dyn Method>> {
    vec![
        Box::new(Sgd),
        Box::new(AdamAscent { decay: Decay { first: 0.9, second: 0.99 }, from_prior: false }),
        Box::new(Sgld),
        Box::new(ContourSgld::default()),
        Box::new(ContourSgld { flattening: 1.0, bin_width: 0.1, bins: 9, lowest: 0.2, ..ContourSgld::default() }),
        Box::new(Langevin { metropolis: false }),
        Box::new(Langevin { metropolis: true }),
        Box::new(Psgld { decay: 0.9, floor: 0.5, gamma: false, mean: false }),
        Box::new(Psgld { decay: 0.5, floor: 0.5, gamma: true, mean: false }),
        Box::new(Psgld { decay: 0.9, floor: 0.1, gamma: true, mean: true }),
        Box::new(Sghmc { friction: 0.2, friction_correction: true }),
        Box::new(Sghmc { friction: 0.2, friction_correction: false }),
        Box::new(Sgnht { diffusion: 1.5 }),
        Box::new(RandomWalk),
        Box::new(AdaptiveMetropolis { begin: 4, until: None, epsilon: 1e-3 }),
        Box::new(AdaptiveMetropolis { begin: 3, until: Some(12), epsilon: 1e-6 }),
        Box::new(Gibbs::default()),
        Box::new(Gibbs { random_scan: true, width: 0.1, most_widths: 3, most_tries: 2 }),
        Box::new(Mala),
        Box::new(Barker),
        Box::new(Hmc { leapfrog_steps: 3, metropolis: true, adaptation: Adaptation::default() }),
        Box::new(Hmc { leapfrog_steps: 1, metropolis: false, adaptation: Adaptation::default() }),
        Box::new(Hmc { leapfrog_steps: 4, metropolis: false, adaptation: Adaptation::default() }),
        Box::new(Nuts { max_depth: 4, ..Nuts::default() }),
        Box::new(Hmc {
            leapfrog_steps: 3,
            metropolis: true,
            adaptation: Adaptation { step_size: true, mass: Mass::Diagonal, warm_up: 25, ..Adaptation::default() },
        }),
        Box::new(Nuts {
            max_depth: 3,
            adaptation: Adaptation { step_size: true, warm_up: 12, ..Adaptation::default() },
        }),
        Box::new(Nuts {
            max_depth: 3,
            adaptation: Adaptation { step_size: true, mass: Mass::Diagonal, warm_up: 25, ..Adaptation::default() },
        }),
        Box::new(Nuts {
            max_depth: 3,
            adaptation: Adaptation { mass: Mass::Dense, warm_up: 21, ..Adaptation::default() },
        }),
        Box::new(Mclmc { length: 0.7, splitting: Splitting::Leapfrog, warm_up: 0 }),
        Box::new(Mclmc { length: 2.0, splitting: Splitting::MinimalNorm, warm_up: 0 }),
        Box::new(Mclmc { length: 0.7, splitting: Splitting::Leapfrog, warm_up: 10 }),
        Box::new(ParallelTempering::new(4, 20.0, Moves::RandomWalk)),
        Box::new(ParallelTempering::new(3, 5.0, Moves::Mala)),
        Box::new(Demcz { gamma: None, archive: 60, every: 2, initial_spread: 0.5 }),
        Box::new(Svgd { bandwidth: None, adagrad: false }),
        Box::new(Svgd { bandwidth: Some(0.3), adagrad: true }),
    ]
}

/// The name of the type of a method.
fn type_name(method: &dyn Method) -> String {
    format!("{method:?}").chars().take_while(char::is_ascii_alphanumeric).collect()
}

/// Approximations have tests of their own.
#[test]
fn every_sampler_and_optimiser_of_the_plane_is_among_the_variants() {
    let variants: Vec<String> = variants().iter().map(|method| type_name(method.as_ref())).collect();
    for kind in METHODS.iter().filter(|kind| !fits(kind)) {
        let Ok(method) = build(&Settings::defaults(kind)).unwrap().on(&plane(&Normal::new(4.0, 2))) else { continue };
        assert!(variants.contains(&type_name(method.as_ref())), "{}", kind.name);
    }
}

/// Every way to estimate a gradient, with a target for it.
fn gradients() -> Vec<(Gradient, Normal)> {
    let points = vec![Point::new(1.0, 2.0), Point::new(-1.0, 0.5), Point::new(3.0, -2.0)];
    let batch = Gradient::minibatch(2, BatchOrder::Random);
    let noisy = Gradient::Noisy { variance: 2.0, compensate: false };
    let mut fenced = Normal::new(4.0, 2);
    fenced.info.boundary = Boundary::Reflect;
    fenced.info.support = Support { min: Point::new(-0.7, -0.5), max: Point::new(0.6, f64::INFINITY) };
    vec![
        (Gradient::Exact, Normal::new(4.0, 2)),
        (Gradient::Exact, Normal::new(4.0, 1)),
        (noisy, fenced),
        (batch, Normal::posterior(0.5, 2, points)),
    ]
}

/// Those whose targets suit a method.
fn gradients_for(method: &dyn Method) -> impl Iterator<Item = (Gradient, Normal)> {
    gradients().into_iter().filter(|(_, target)| method.on(&plane(target)).is_ok())
}

/// Starts inside the support.
fn starts(count: usize, target: &Normal) -> Vec<Point> {
    let second = |i: usize| if target.info.dimension == 1 { 0.0 } else { 0.3 - 0.1 * i as f64 };
    (0..count).map(|i| Point::new(0.1 * (i as f64 - 2.0), second(i))).collect()
}

/// `count` chains before the first step, with auxiliary state from their own normals.
fn begun(method: &dyn Method, target: &Normal, first_chain: usize, starts: &[Point]) -> Population {
    let (first, mut second): (Vec<_>, Vec<_>) =
        (0..starts.len()).map(|chain| stream(1000 + (first_chain + chain) as u64).normal_pair()).unzip();
    if target.info.dimension == 1 {
        second.fill(0.0);
    }
    init(method, starts, 0.05, [&first, &second])
}

/// Every arrow and mark of a step has a term in the formula that is told of the method, and a line in its algorithm; what a step leaves out has
/// neither arrow nor mark.
#[test]
fn every_part_of_a_step_is_told() {
    for kind in METHODS.iter().filter(|kind| !fits(kind)) {
        let told = algorithm(kind);
        let Ok(method) = build(&Settings::defaults(kind)).unwrap().on(&plane(&Normal::new(4.0, 2))) else { continue };
        for (gradient, target) in gradients_for(method.as_ref()) {
            let mut chains = begun(method.as_ref(), &target, 0, &starts(5, &target));
            for index in 0..20 {
                let numbers = Numbers::for_steps(&mut stream(index), method.as_ref(), &gradient, 1, 5);
                let batch = if gradient.batch_size() > 0 { &[2, 0][..] } else { &[] };
                let plan = Plan { batch, ..plan(0.05) };
                for record in one_step(method.as_ref(), &target, &gradient, &plan, &numbers, &mut chains) {
                    let moves = |part: Point| part.amax() > 0.0 && record.trajectory.is_none();
                    let arrows = [
                        (Phase::Carried, moves(record.carried)),
                        (Phase::Gradient, moves(record.drift) || moves(record.gradient_noise)),
                        (record.noise_phase(), moves(record.injected_noise)),
                        (record.path_phase(), record.path.len() > 1),
                        (Phase::Path, record.trajectory.is_some()),
                        (Phase::Proposal, record.proposal.is_some()),
                        (Phase::Exchange, record.rungs.iter().any(|rung| rung.swapped == Some(true))),
                    ];
                    let line = |phase: Phase| told.lines.iter().any(|line| line.phase == phase);
                    for (phase, _) in arrows.into_iter().filter(|(_, there)| *there) {
                        let term = told.formulas.iter().flatten().any(|piece| piece.phase == Some(phase));
                        assert!(
                            term,
                            "{}: no term of the formula is about the arrow of {phase}: {record:?}",
                            kind.name
                        );
                        assert!(line(phase), "{} has no line about {phase}: {record:?}", kind.name);
                        assert!(!record.left_out.contains(&phase), "{}: {phase} was left out", kind.name);
                    }
                    assert!(line(Phase::Move) && (line(Phase::Decision) || record.proposal.is_none()), "{}", kind.name);
                }
            }
        }
    }
}

/// The parts of a step add up to the new position or to the proposal. This excludes methods that fold, and methods that
/// follow a path, whose records have the parts of the first leapfrog step: `paths` has the others.
#[test]
fn records_add_up() {
    for method in variants() {
        for (gradient, target) in gradients_for(method.as_ref()) {
            let mut chains = begun(method.as_ref(), &target, 0, &starts(5, &target));
            for index in 0..20 {
                let before = chains.clone();
                let numbers = Numbers::for_steps(&mut stream(index), method.as_ref(), &gradient, 1, 5);
                let batch = if gradient.batch_size() > 0 { &[2, 0][..] } else { &[] };
                let plan = Plan { batch, ..plan(0.05) };
                let records = one_step(method.as_ref(), &target, &gradient, &plan, &numbers, &mut chains);
                for (chain, record) in records.iter().enumerate() {
                    let case = format!("{method:?} {gradient:?} {record:?}");
                    assert_eq!((record.from, record.to), (before.position(chain), chains.position(chain)), "{case}");
                    let sum = record.carried + record.drift + record.gradient_noise + record.injected_noise;
                    let proposal = record.proposal.map(|proposal| proposal.at);
                    let whole = proposal.unwrap_or(record.to);
                    let leaf = record.trajectory.as_ref().map(|trajectory| trajectory.leaves[1].at);
                    let reached = record.path.get(1).copied().or(leaf).unwrap_or(whole);
                    let expected = if target.info.support.contains(record.from + sum) { reached } else { continue };
                    // Parts may be much larger than their sum, where an average of squares is almost 0.
                    let size = (record.carried.abs() + record.drift.abs() + record.gradient_noise.abs()).amax();
                    assert!((expected - record.from - sum).amax() < 8.0 * ROUNDING * size.max(1.0), "{case}");
                    let end = record.path.last().copied().unwrap_or(whole);
                    assert_eq!(end, whole, "{case}");
                    if let Some(proposal) = record.proposal {
                        let swapped = record.rungs.first().and_then(|rung| rung.swapped) == Some(true);
                        let own = if proposal.accepted { proposal.at } else { record.from };
                        let stays = if swapped { record.rungs[0].at } else { own };
                        assert_eq!(record.to, stays, "{case}");
                        assert!((0.0..=1.0).contains(&proposal.probability), "{case}");
                    }
                    if let (Some(momentum), Some(energy)) = (record.momentum, record.energy) {
                        let expected = 0.5 * momentum.norm_squared() - target.log_density(record.to);
                        close(energy, expected, ROUNDING);
                    }
                }
            }
        }
    }
}

/// How a trajectory is computed, without any effect on its bits.
#[derive(Clone, Debug)]
struct Way {
    /// Sizes of the blocks that five chains are cut into.
    blocks: Vec<usize>,
    /// Lengths of the chunks that 30 steps are cut into.
    chunks: Vec<usize>,
    /// The number of chains of a block that are recorded, at most.
    recorded: usize,
    simd: Simd,
}

/// The bits of five chains after each of 30 steps, chain by chain, and of their auxiliary state at the end.
fn trajectory(method: &dyn Method, gradient: &Gradient, target: &Normal, way: &Way) -> Vec<u64> {
    let starts = starts(5, target);
    let needs = method.needs(gradient);
    let mut paths = vec![Vec::new(); 5];
    let mut offset = 0;
    for &size in &way.blocks {
        let mut chains = begun(method, target, offset, &starts[offset..offset + size]);
        let mut streams: Vec<_> = (0..size).map(|chain| stream((offset + chain) as u64)).collect();
        let mut uniforms: Vec<_> = (0..size).map(|chain| stream(500 + (offset + chain) as u64)).collect();
        let mut batches = Batches::new(99, 0, offset as u64, size as u64);
        let mut scratch = Scratch::default();
        let mut records = vec![StepRecord::default(); size.min(way.recorded)];
        for &length in &way.chunks {
            let mut numbers = Numbers::default();
            for chain in (0..length * needs.vectors).flat_map(|_| 0..size) {
                let (first, second) = streams[chain].normal_pair();
                numbers.first.push(first);
                numbers.second.push(second);
            }
            let rows = (0..length * needs.uniforms).flat_map(|_| 0..size);
            numbers.uniforms = rows.map(|chain| uniforms[chain].uniform()).collect();
            let mut batch = Vec::new();
            let batches = batches.fill(way.simd, gradient, (target.points.len(), length), &mut batch);
            let steps = Steps { step_sizes: &vec![0.05; length], stages: &vec![Stage::Sampling; length], batches };
            let problem = Problem::in_plane(target, gradient, way.simd);
            let (mut x, mut y) = (vec![0.0; length * size], vec![0.0; length * size]);
            let track = Track { x: &mut x, y: &mut y, records: &mut records };
            let chunk =
                Chunk { problem: &problem, steps, randomness: numbers.as_randomness(), track, scratch: &mut scratch };
            method.advance(&mut chains, chunk);
            for (index, (x, y)) in x.iter().zip(&y).enumerate() {
                paths[offset + index % size].extend([x.to_bits(), y.to_bits()]);
            }
        }
        for chain in 0..size {
            assert!(chains.position(chain).iter().all(|coordinate| coordinate.is_finite()), "{method:?}");
            paths[offset + chain]
                .extend(chains.carried.iter().flat_map(|carried| carried.vector(chain)).map(f64::to_bits));
        }
        offset += size;
    }
    paths.concat()
}

#[test]
fn blocks_chunks_records_and_instructions_leave_the_bits_alone() {
    for method in variants() {
        for (gradient, target) in gradients_for(method.as_ref()) {
            let way = Way { blocks: vec![5], chunks: vec![30], recorded: 0, simd: Simd::BASELINE };
            let whole = trajectory(method.as_ref(), &gradient, &target, &way);
            let together = method.interaction() != Interaction::None;
            for blocks in [&[5][..], &[2, 3], &[1, 1, 1, 1, 1]].into_iter().take(if together { 1 } else { 3 }) {
                for chunks in [&[30][..], &[1; 30], &[7, 1, 1, 21]] {
                    for (recorded, simd) in Simd::available().flat_map(|simd| [0, 1, 5].map(|count| (count, simd))) {
                        let way = Way { blocks: blocks.to_vec(), chunks: chunks.to_vec(), recorded, simd };
                        let again = trajectory(method.as_ref(), &gradient, &target, &way);
                        assert_eq!(again, whole, "{method:?} {gradient:?} {way:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn chains_stay_on_the_line_and_inside_the_support() {
    for method in variants() {
        for (gradient, target) in gradients_for(method.as_ref()) {
            let mut chains = begun(method.as_ref(), &target, 0, &starts(5, &target));
            for index in 0..200 {
                let numbers = Numbers::for_steps(&mut stream(index), method.as_ref(), &gradient, 1, 5);
                let batch = if gradient.batch_size() > 0 { &[1, 0][..] } else { &[] };
                one_step(method.as_ref(), &target, &gradient, &Plan { batch, ..plan(0.1) }, &numbers, &mut chains);
                for chain in 0..5 {
                    let at = chains.position(chain);
                    // A Metropolis method rejects by the density, which is not defined outside on this target.
                    let fenced = target.info.boundary == Boundary::Reflect && method.needs(&gradient).uniforms == 0;
                    assert!(!fenced || target.info.support.contains(at), "{method:?} at {at}");
                    assert!(target.info.dimension > 1 || at.y.to_bits() == 0, "{method:?} at {at}");
                }
            }
        }
    }
}

/// Reflected chains move inwards: the momentum is reversed at every reflection.
#[test]
fn reflections_reverse_the_momentum() {
    let mut target = Normal::new(1e-12, 1);
    target.info.boundary = Boundary::Reflect;
    target.info.support = Support { min: Point::new(0.0, f64::NEG_INFINITY), max: Point::new(1.0, f64::INFINITY) };
    let method = Sghmc { friction: 1e-12, friction_correction: false };
    for (velocity, position, sign) in [(0.25, 0.75, 1.0), (0.75, 0.75, -1.0), (1.75, 0.25, 1.0), (-0.75, 0.25, -1.0)] {
        let mut chains = init(&method, &[Point::new(0.5, 0.0)], 1.0, [&[velocity], &[0.0]]);
        let numbers = Numbers { first: vec![0.0], second: vec![0.0], ..Numbers::default() };
        let records = one_step(&method, &target, &Gradient::Exact, &plan(1.0), &numbers, &mut chains);
        close(chains.positions.axis(0)[0], position, 1e-9);
        close(chains.carried[0].get(0, 0), sign * velocity, 1e-9);
        close(records[0].momentum.unwrap().x, sign * velocity, 1e-9);
    }
}

#[test]
fn a_second_chunk_allocates_nothing() {
    for method in variants() {
        for (gradient, target) in gradients_for(method.as_ref()) {
            let mut chains = begun(method.as_ref(), &target, 0, &starts(5, &target));
            let mut scratch = Scratch::default();
            let mut records = vec![StepRecord::default(); 2];
            let numbers = Numbers::for_steps(&mut stream(0), method.as_ref(), &gradient, 2, 5);
            let batch = if gradient.batch_size() > 0 { &[1, 0, 2, 2][..] } else { &[] };
            let mut buffers = || {
                let problem = Problem::in_plane(&target, &gradient, Simd::widest());
                let steps = Steps {
                    step_sizes: &[0.1; 2],
                    stages: &[Stage::Sampling; 2],
                    batches: Minibatches::new(batch, batch.len() / 2, 1),
                };
                let (mut x, mut y) = ([0.0; 10], [0.0; 10]);
                let track = Track { x: &mut x, y: &mut y, records: &mut records };
                let chunk = Chunk {
                    problem: &problem,
                    steps,
                    randomness: numbers.as_randomness(),
                    track,
                    scratch: &mut scratch,
                };
                method.advance(&mut chains, chunk);
                buffers_of(&scratch)
            };
            assert_eq!(buffers(), buffers(), "{method:?} {gradient:?}");
        }
    }
}

/// The addresses of the buffers of a scratch.
pub(super) fn buffers_of(scratch: &Scratch) -> Vec<*const f64> {
    let Scratch { gradient, full, to, to_gradient, to_full, momentum, spread, recorded, replicas, .. } = scratch;
    let Scratch { log_density, to_log_density, correction, kept, scales, disturbed, vector, memory, .. } = scratch;
    let [displaced_x, displaced_y] = &scratch.displaced;
    let vectors = [gradient, full, to, to_gradient, to_full, momentum, spread, recorded, replicas].map(Coords::values);
    let numbers =
        [log_density, to_log_density, correction, kept, scales, displaced_x, displaced_y, disturbed, vector, memory];
    vectors.into_iter().chain(numbers.map(Vec::as_slice)).map(<[f64]>::as_ptr).collect()
}

/// Whether the steps of a method depend on its step size. Those of Gibbs sampling do not.
fn has_step_size(method: &dyn Method) -> bool {
    let target = Normal::new(4.0, 2);
    let numbers = Numbers::for_steps(&mut stream(4), method, &Gradient::Exact, 1, 5);
    let after = |alpha| {
        let mut chains = begun(method, &target, 0, &starts(5, &target));
        one_step(method, &target, &Gradient::Exact, &plan(alpha), &numbers, &mut chains);
        chains.positions
    };
    after(0.05) != after(0.01)
}

/// With step size 0 a chain stays, up to the rounding of a fold, and a Metropolis method accepts the step. Differences of past
/// positions do not scale with the step size.
#[test]
fn chains_stay_with_step_size_zero() {
    let scales = |method: &dyn Method| method.interaction() != Interaction::Archive && has_step_size(method);
    for method in variants().into_iter().filter(|method| scales(method.as_ref())) {
        for (gradient, target) in gradients_for(method.as_ref()) {
            let mut chains = begun(method.as_ref(), &target, 0, &starts(5, &target));
            // Auxiliary state changes also with step size 0, except momenta that are displacements.
            if method.carries() == ["momentum"] {
                chains = init(method.as_ref(), &starts(5, &target), 0.0, [&[1.0; 5], &[0.0; 5]]);
            }
            let before = chains.clone();
            let numbers = Numbers::for_steps(&mut stream(3), method.as_ref(), &gradient, 1, 5);
            let batch = if gradient.batch_size() > 0 { &[1, 0][..] } else { &[] };
            let plan = Plan { batch, ..plan(0.0) };
            let records = one_step(method.as_ref(), &target, &gradient, &plan, &numbers, &mut chains);
            for chain in 0..5 {
                assert!((chains.position(chain) - before.position(chain)).amax() < ROUNDING, "{method:?}");
            }
            for proposal in records.iter().filter_map(|record| record.proposal) {
                assert!((proposal.probability - 1.0).abs() < ROUNDING, "{method:?} {proposal:?}");
            }
        }
    }
}

/// With an absurd step size a Metropolis chain stays finite; other chains may diverge, but nothing panics.
#[test]
fn absurd_step_sizes_do_not_panic() {
    for method in variants() {
        for (gradient, target) in gradients_for(method.as_ref()) {
            for alpha in [1e3, 1e30, 1e150, 1e300] {
                let mut chains = begun(method.as_ref(), &target, 0, &starts(5, &target));
                for index in 0..50 {
                    let numbers = Numbers::for_steps(&mut stream(index), method.as_ref(), &gradient, 1, 5);
                    let batch = if gradient.batch_size() > 0 { &[1, 0][..] } else { &[] };
                    let plan = Plan { batch, ..plan(alpha) };
                    one_step(method.as_ref(), &target, &gradient, &plan, &numbers, &mut chains);
                }
                let finite = chains.positions.values().iter().all(|coordinate| coordinate.is_finite());
                assert!(finite || method.needs(&gradient).uniforms == 0, "{method:?} {alpha}");
                if method.needs(&gradient).uniforms > 0 {
                    let proposals = if has_step_size(method.as_ref()) { 250 } else { 0 };
                    assert_eq!(chains.acceptance.proposals, proposals, "{method:?}");
                    assert!(chains.acceptance.probability.is_finite(), "{method:?}");
                }
            }
        }
    }
}

/// Two methods may share a paper; two papers no key.
#[test]
fn every_method_has_its_papers() {
    let all: Vec<_> = METHODS.iter().flat_map(sources_of).collect();
    for method in &METHODS {
        assert!(!sources_of(method).is_empty(), "{}", method.name);
    }
    for source in &all {
        assert!(all.iter().all(|other| (other.key == source.key) == (other.title == source.title)), "{}", source.key);
        assert!(source.bibtex().is_ascii() && !source.authors.is_empty(), "{}", source.key);
        assert!((1763..=2026).contains(&source.year), "{}", source.key);
    }
}
