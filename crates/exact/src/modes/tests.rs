//! The table of the 25 Gaussians.

use approx::assert_abs_diff_eq;
use samplers::schedules::{Cyclical, Exploration, Schedule};

use super::*;
use crate::collected::{CellMasses, Cells, Peak};
use crate::line::tests::section;
use crate::{Noise, Step, long_run};

const CENTRES: [f64; 5] = [-4.0, -2.0, 0.0, 2.0, 4.0];

/// The noise of the runs: V = 1, compensated.
const NOISE: Noise = Noise { temperature: 1.0, gradient_variance: 1.0, compensate: true };

const UNIFORM: [f64; 25] = [0.04; 25];

/// Of K steps in M cycles, the first 50 of each of which explore with noise: the cycle with this number, from 0.
fn cycle(schedule: &Cyclical, noise: Noise, number: u64) -> Vec<(Step, bool)> {
    let first = (1..).find(|&k| schedule.cycle(k) == Some(number)).unwrap();
    let last = (first..).find(|&k| schedule.cycle(k) != Some(number)).unwrap() - 1;
    noise.steps(schedule, first, last).collect()
}

fn line(nodes: usize, half: f64) -> Line {
    Line::new(section("gaussian-grid", &[]), -half, half, nodes).unwrap()
}

fn step_sizes(steps: &[(Step, bool)]) -> impl Iterator<Item = Step> + '_ {
    steps.iter().map(|(step, _)| *step)
}

/// What a row of the table has.
#[derive(Debug)]
struct Row {
    /// Matrices of modes of the cycles with the phases 0, 1/3, 2/3.
    phases: Vec<DMatrix<f64>>,
    ends: EndModes,
    /// After cycle 1 from the uniform start.
    outer: f64,
}

fn row(alpha: f64, noise: Noise, nodes: usize, half: f64) -> Row {
    row_of(alpha, noise, nodes, half, (50_000, 30, 3))
}

/// Of a run of so many steps in so many cycles, which have so many phases.
fn row_of(alpha: f64, noise: Noise, nodes: usize, half: f64, (total, runs, period): (u64, u64, u64)) -> Row {
    let (line, modes) = (line(nodes, half), Modes::nearest(&CENTRES));
    let schedule = Cyclical::exact(alpha, total, runs, Exploration::Steps(50), true);
    let cycles: Vec<_> = (0..period).map(|number| cycle(&schedule, noise, number)).collect();
    let steps = |number: usize| step_sizes(&cycles[number]);
    let start = line.after_uniform(-10.0, 10.0, cycles[0][0].0).unwrap();
    let (first, mut rest) = (modes.matrix(&line, steps(0)).unwrap(), [start]);
    evolve(&line, &mut rest, steps(0).skip(1), |_, _| ()).unwrap();
    let mut phases = vec![first];
    phases.extend((1..cycles.len()).map(|number| modes.matrix(&line, steps(number)).unwrap()));
    let start = modes.masses(&line, &rest[0]);
    let together: Vec<f64> = start.iter().flat_map(|y| start.iter().map(move |x| x * y)).collect();
    let squares: Vec<DMatrix<f64>> = phases.iter().map(|matrix| of_product(matrix, matrix)).collect();
    let ends = end_modes(&together, &(1..runs as usize).map(|number| &squares[number % squares.len()]), &UNIFORM);
    Row { phases, ends, outer: start[0] }
}

/// One cycle in the long run: collected, at its end, and the target, on cells 0.1 wide of the view.
fn stationary_cycle(alpha: f64, nodes: usize, half: f64) -> [CellMasses; 3] {
    let (line, modes) = (line(nodes, half), Modes::nearest(&CENTRES));
    let schedule = Cyclical::exact(alpha, 50_000, 30, Exploration::Steps(50), true);
    let steps = cycle(&schedule, NOISE, 0);
    let matrix = modes.matrix(&line, step_sizes(&steps)).unwrap();
    let truth = line.truth().unwrap();
    let parts = modes.restricted(&line, &truth).unwrap();
    let shares = long_run_shares(&matrix);
    let node = |i: usize| shares.iter().zip(&parts).map(|(share, part)| share * part.nodes[i]).sum();
    let mut masses = [Masses { nodes: (0..nodes).map(node).collect(), lost: 0.0 }];
    let edges: Vec<f64> = (-60..=60).map(|i| 0.1 * f64::from(i)).collect();
    let peaks = CENTRES.map(|centre| Peak { centre, radius: 3.0 * 0.03f64.sqrt() });
    let ellipses = (0..25).map(|k| (k / 5, k % 5)).collect();
    let cells = Cells::new([&line, &line], [&edges, &edges], [&peaks, &peaks], ellipses);
    let mut sum = cells.empty();
    evolve(&line, &mut masses, step_sizes(&steps), |number, masses| {
        if steps[number as usize - 1].1 {
            cells.add(&mut sum, &masses[0], &masses[0], 1.0);
        }
    })
    .unwrap();
    [sum.mean(), cells.of(&masses[0], &masses[0]), cells.of(&truth, &truth)]
}

#[test]
fn hot_cycles_forget_where_they_began() {
    let row = row(0.07, NOISE, 2048, 8.0);
    for i in 0..5 {
        for (j, expected) in
            [0.175_478_840, 0.213_936_111, 0.221_170_097, 0.213_936_111, 0.175_478_840].into_iter().enumerate()
        {
            assert_abs_diff_eq!(row.phases[0][(i, j)], expected, epsilon = 1e-7);
        }
    }
    assert!(second_eigenvalue(&row.phases[0]).unwrap() < 1e-12);
    let shares = long_run_shares(&row.phases[0]);
    assert_abs_diff_eq!(shares[0] * shares[0], 0.03079, epsilon = 6e-6);
    assert_abs_diff_eq!(shares[2] * shares[2], 0.04892, epsilon = 6e-6);
    assert_abs_diff_eq!(row.ends.expected, 17.53908, epsilon = 1e-5);
    assert_abs_diff_eq!(row.ends.sd, 1.608, epsilon = 1e-3);
    assert_abs_diff_eq!(row.ends.kl, 0.47715, epsilon = 1e-5);
}

#[test]
fn warm_cycles_remember() {
    let row = row(0.05, NOISE, 2048, 8.0);
    let reference = [
        [0.359_954_740, 0.307_756_803, 0.188_812_766, 0.095_478_109, 0.047_997_583],
        [0.277_540_406, 0.282_956_367, 0.217_850_062, 0.138_074_145, 0.083_579_020],
        [0.165_370_500, 0.214_666_917, 0.239_925_166, 0.214_666_917, 0.165_370_500],
    ];
    for (i, expected) in reference.iter().enumerate() {
        for j in 0..5 {
            assert_abs_diff_eq!(row.phases[0][(i, j)], expected[j], epsilon = 1e-7);
        }
    }
    assert_abs_diff_eq!(row.phases[1][(0, 0)], 0.360_196_515, epsilon = 1e-7);
    assert_abs_diff_eq!(row.phases[2][(0, 0)], 0.360_438_764, epsilon = 1e-7);
    // Of the reference matrix; the table has the value of 1024 nodes, 0.447855.
    assert_abs_diff_eq!(second_eigenvalue(&row.phases[0]).unwrap(), 0.447_856_2, epsilon = 1e-6);
    assert_abs_diff_eq!(row.ends.expected, 16.86665, epsilon = 1e-5);
    assert_abs_diff_eq!(row.ends.sd, 1.7275, epsilon = 1e-4);
    assert_abs_diff_eq!(row.ends.kl, 0.52782, epsilon = 1e-5);
    assert_abs_diff_eq!(row.outer, 0.18273, epsilon = 1e-5);
    let shares = long_run_shares(&row.phases[0]);
    assert_abs_diff_eq!(shares[0] * shares[0], 0.03462, epsilon = 6e-6);
    assert_abs_diff_eq!(shares[2] * shares[2], 0.04482, epsilon = 6e-6);
}

#[test]
fn what_a_cycle_collects() {
    for (alpha, distance, within, end) in [(0.07, 0.36658, 0.677_095, 0.06126), (0.05, 0.22462, 0.859_721, 0.03428)] {
        let [collected, last, truth] = stationary_cycle(alpha, 1024, 8.0);
        assert_abs_diff_eq!(collected.total_variation(&truth), distance, epsilon = 1e-5);
        assert_abs_diff_eq!(collected.within, within, epsilon = 1e-6);
        assert_abs_diff_eq!(last.total_variation(&truth), end, epsilon = 1e-5);
    }
}

/// Reference: α₀, half width of the box, stays in corner and centre, λ₂, end modes and their sd, long-run shares of corner and centre,
/// collected total variation and share within 3 sd, total variation at the end.
type Reference = (f64, f64, [f64; 2], f64, [f64; 2], [f64; 2], [f64; 3]);

const TABLE: [Reference; 6] = [
    (0.03, 8.0, [0.985331, 0.970878], 0.997171, [1.52393, 0.697], [0.0400, 0.0400], [0.10828, 0.955820, 0.00202]),
    (0.04, 8.0, [0.797186, 0.639479], 0.955126, [6.64472, 2.000], [0.03953, 0.04033], [0.15842, 0.922249, 0.00367]),
    (0.045, 8.0, [0.448953, 0.230607], 0.825150, [12.91888, 2.317], [0.03771, 0.04173], [0.18968, 0.895598, 0.01432]),
    (0.055, 8.0, [0.038855, 0.046835], 0.047008, [17.54919, 1.607], [0.03285, 0.04682], [0.26247, 0.814193, 0.04643]),
    (0.06, 8.0, [0.031956, 0.047762], 8.8e-5, [17.56738, 1.606], [0.03195, 0.04776], [0.30081, 0.763332, 0.05286]),
    (0.08, 9.0, [0.0300251, 0.0496597], 0.0, [17.51766, 1.610], [0.03003, 0.04966], [0.41101, 0.623130, 0.06700]),
];

fn compare(&(alpha, half, stays, second, ends, shares, cycle): &Reference) {
    // Faces of cells have to be at the borders of modes: 16 is divided by a power of two, 18 by nine times one.
    let nodes = if half > 8.0 { 1152 } else { 1024 };
    let found = row(alpha, NOISE, nodes, half);
    let matrix = &found.phases[0];
    assert_abs_diff_eq!(matrix[(0, 0)] * matrix[(0, 0)], stays[0], epsilon = 1e-6);
    assert_abs_diff_eq!(matrix[(2, 2)] * matrix[(2, 2)], stays[1], epsilon = 1e-6);
    assert_abs_diff_eq!(second_eigenvalue(matrix).unwrap(), second, epsilon = 1e-6);
    assert_abs_diff_eq!(found.ends.expected, ends[0], epsilon = 1e-5);
    assert_abs_diff_eq!(found.ends.sd, ends[1], epsilon = 6e-4);
    let long_run = long_run_shares(matrix);
    assert_abs_diff_eq!(long_run[0] * long_run[0], shares[0], epsilon = 6e-6);
    assert_abs_diff_eq!(long_run[2] * long_run[2], shares[1], epsilon = 6e-6);
    let [collected, last, truth] = stationary_cycle(alpha, nodes, half);
    assert_abs_diff_eq!(collected.total_variation(&truth), cycle[0], epsilon = 1e-5);
    assert_abs_diff_eq!(collected.within, cycle[1], epsilon = 1e-6);
    assert_abs_diff_eq!(last.total_variation(&truth), cycle[2], epsilon = 1e-5);
}

#[test]
fn rows_of_the_table() {
    TABLE.iter().for_each(compare);
}

#[test]
fn gradient_noise_without_compensation() {
    let noise = Noise { gradient_variance: 4.0, compensate: false, ..NOISE };
    let found = row(0.05, noise, 512, 8.0);
    let matrix = &found.phases[0];
    assert_abs_diff_eq!(matrix[(0, 0)] * matrix[(0, 0)], 0.095066, epsilon = 2e-6);
    assert_abs_diff_eq!(matrix[(2, 2)] * matrix[(2, 2)], 0.048887, epsilon = 2e-6);
    assert_abs_diff_eq!(second_eigenvalue(matrix).unwrap(), 0.32992, epsilon = 1e-5);
    assert_abs_diff_eq!(found.ends.expected, 17.19625, epsilon = 1e-5);
}

#[test]
fn the_mode_is_decided_in_the_middle_of_a_cycle() {
    let (line, modes) = (line(1024, 8.0), Modes::nearest(&CENTRES));
    let schedule = Cyclical::exact(0.07, 50_000, 30, Exploration::Steps(50), true);
    let steps: Vec<Step> = step_sizes(&cycle(&schedule, NOISE, 0)).collect();
    for (position, change, digits) in [
        (500, 0.940, 5e-4),
        (600, 0.714, 5e-4),
        (650, 0.449, 5e-4),
        (700, 0.223, 5e-4),
        (800, 0.0379, 5e-5),
        (900, 0.00584, 5e-6),
        (1000, 0.00098, 5e-6),
        (1200, 4.8e-5, 5e-7),
    ] {
        // The last of them ends with the cycle.
        let end = steps.len().min(position + 500);
        let changes = modes.changes(&line, steps[position..end].iter().rev().copied()).unwrap();
        let stay = 1.0 - changes[0][2];
        assert_abs_diff_eq!(1.0 - stay * stay, change, epsilon = digits);
    }
    // The same by distributions.
    let matrix = modes.matrix(&line, steps[700..1200].iter().copied()).unwrap();
    let changes = modes.changes(&line, steps[700..1200].iter().rev().copied()).unwrap();
    for mode in 0..5 {
        assert_abs_diff_eq!(1.0 - matrix[(mode, mode)], changes[0][mode], epsilon = 1e-11);
    }
}

#[test]
fn coverage_of_equal_rows_is_that_of_independent_cycles() {
    let p = [0.1, 0.2, 0.3, 0.4];
    let matrix = DMatrix::from_fn(4, 4, |_, j| p[j]);
    for cycles in [1, 2, 7] {
        let found = end_modes(&p, &std::iter::repeat_n(&matrix, cycles - 1), &p);
        let so_far = end_modes_so_far(&p, &std::iter::repeat_n(&matrix, cycles - 1));
        assert_eq!(so_far.len(), cycles);
        let last = so_far[cycles - 1];
        assert!((last.0 - found.expected).abs() < 1e-12 && (last.1 - found.sd).abs() < 1e-9, "{last:?} {found:?}");
        assert!((so_far[0].0 - 1.0).abs() < 1e-12 && so_far[0].1 < 1e-6, "a cycle ends in one mode");
        let expected: f64 = p.iter().map(|p| 1.0 - (1.0 - p).powi(cycles as i32)).sum();
        assert_abs_diff_eq!(found.expected, expected, epsilon = 1e-14);
    }
    // After one cycle a single mode was met, whose frequency is 1.
    let once = end_modes(&p, &std::iter::empty(), &p);
    assert_abs_diff_eq!(once.expected, 1.0, epsilon = 1e-15);
    assert_abs_diff_eq!(once.sd, 0.0, epsilon = 1e-7);
    assert_abs_diff_eq!(once.kl, -p.iter().map(|p| p * p.ln()).sum::<f64>(), epsilon = 1e-14);
}

#[test]
fn exploration_without_noise_is_forgotten() {
    // After a quarter of the cycle the noise returns while steps are hot: rows are those of a cycle with noise throughout.
    let schedule = Cyclical::ceil(0.09, 50_000, 30, Exploration::Fraction(0.25), false);
    let (line, modes) = (line(1152, 9.0), Modes::nearest(&CENTRES));
    let steps = cycle(&schedule, Noise::LANGEVIN, 0);
    let matrix = modes.matrix(&line, step_sizes(&steps)).unwrap();
    for (j, expected) in [0.171_606_5, 0.216_362_7, 0.224_061_7, 0.216_362_7].into_iter().enumerate() {
        assert_abs_diff_eq!(matrix[(1, j)], expected, epsilon = 1e-5);
    }
}

#[test]
fn shorter_cycles_end_in_more_modes() {
    let found = row_of(0.05, NOISE, 512, 8.0, (50_000, 60, 3));
    assert_abs_diff_eq!(found.ends.expected, 21.1901, epsilon = 1e-4);
}

#[test]
fn more_cycles_of_the_same_length_end_in_more_modes() {
    for (alpha, expected) in [(0.07, 24.3957), (0.05, 24.2342)] {
        let found = row_of(alpha, NOISE, 1024, 8.0, (95 * 1667, 95, 1));
        assert_abs_diff_eq!(found.ends.expected, expected, epsilon = 1e-4);
    }
}

/// Rows add up to 1, and a target that looks the same from both sides has a matrix that does: here computed of all modes, not of half of them.
#[test]
fn matrices_have_the_symmetry_of_the_target() {
    let (line, modes) = (line(512, 8.0), Modes::nearest(&CENTRES));
    let schedule = Cyclical::exact(0.05, 50_000, 30, Exploration::Steps(50), true);
    let steps: Vec<Step> = step_sizes(&cycle(&schedule, NOISE, 0)).collect();
    let mut masses = modes.restricted(&line, &line.truth().unwrap()).unwrap();
    assert_eq!(masses.len(), 5);
    evolve(&line, &mut masses, steps.iter().copied(), |_, _| ()).unwrap();
    let matrix = modes.matrix_of(&line, &masses);
    for i in 0..5 {
        assert_abs_diff_eq!((0..5).map(|j| matrix[(i, j)]).sum::<f64>(), 1.0, epsilon = 1e-9);
        for j in 0..5 {
            assert_abs_diff_eq!(matrix[(i, j)], matrix[(4 - i, 4 - j)], epsilon = 1e-11);
        }
    }
    // In the plane x and y may be exchanged, too.
    let square = of_product(&matrix, &matrix);
    let exchanged = |mode: usize| 5 * (mode % 5) + mode / 5;
    for i in 0..25 {
        assert_abs_diff_eq!((0..25).map(|j| square[(i, j)]).sum::<f64>(), 1.0, epsilon = 2e-9);
        for j in 0..25 {
            assert_abs_diff_eq!(square[(i, j)], square[(exchanged(i), exchanged(j))], epsilon = 1e-15);
        }
    }
    // What is computed of half of them is the same.
    let half = modes.matrix(&line, steps.iter().copied()).unwrap();
    assert_abs_diff_eq!(half, matrix, epsilon = 1e-11);
}

/// Expected are sums over 86 400 points of the line, with an independent program; ridges cost the spline 10⁻⁷.
#[test]
fn a_cycle_begins_step_by_step() {
    let (line, modes) = (line(2048, 8.0), Modes::nearest(&CENTRES));
    let schedule = Cyclical::exact(0.07, 50_000, 30, Exploration::Steps(50), true);
    let steps = cycle(&schedule, NOISE, 0);
    let mut masses = [line.normal(0.0, 0.03)];
    evolve(&line, &mut masses, step_sizes(&steps[..40]), |number, masses| {
        let expected = match number {
            12 => [0.133_237_033_2, 0.247_668_694_6, 0.238_188_544_3, 0.247_668_694_6, 0.133_237_033_2],
            40 => [0.138_378_722_7, 0.255_394_258_7, 0.212_454_037_1, 0.255_394_258_7, 0.138_378_722_7],
            _ => return,
        };
        for (found, expected) in modes.masses(&line, &masses[0]).into_iter().zip(expected) {
            assert_abs_diff_eq!(found, expected, epsilon = 1e-7);
        }
    })
    .unwrap();
}

/// Shares of an outer mode of a coordinate at constant step sizes: less than a fifth. Expected are those of a matrix of 360 × 36 000 points of the
/// line, with an independent program.
#[test]
fn shares_of_modes_at_constant_step_sizes() {
    let (line, modes) = (line(1024, 8.0), Modes::nearest(&CENTRES));
    for (alpha, share) in [(0.05, 0.175_512_7), (0.043, 0.194_743_0)] {
        let transition = Transitions::new(&line).step(Noise::LANGEVIN.step(alpha, true)).unwrap();
        let found = long_run(&transition, &line.truth().unwrap().nodes).unwrap();
        let shares = modes.masses(&line, &Masses { nodes: found.masses, lost: 0.0 });
        assert_abs_diff_eq!(shares[0], share, epsilon = 3e-7);
        assert_abs_diff_eq!(shares[4], share, epsilon = 3e-7);
    }
}

#[test]
#[ignore = "nineteen phases: ten seconds"]
fn ninety_five_cycles() {
    for (alpha, expected) in [(0.07, 24.2592), (0.05, 22.7036)] {
        let found = row_of(alpha, NOISE, 512, 8.0, (50_000, 95, 19));
        assert_abs_diff_eq!(found.ends.expected, expected, epsilon = 1e-4);
    }
}
