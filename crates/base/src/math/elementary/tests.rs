//! The kernels against libm, at their edges, and against themselves at every vector width.

use super::*;
use crate::math::stream::{Purpose, Stream};

const INFINITY: f64 = f64::INFINITY;

/// Random arguments per test. The arguments are fixed by their seed, so no test here can fail by chance.
const SAMPLES: usize = 200_000;

fn uniforms(index: u64, low: f64, high: f64) -> Vec<f64> {
    let mut stream = Stream::derive(7, Purpose::Data, 0, index);
    (0..SAMPLES).map(|_| low + (high - low) * stream.uniform()).collect()
}

/// Distance in units in the last place, counted in representable numbers.
fn ulps(a: f64, b: f64) -> u64 {
    let ordered = |x: f64| {
        let bits = x.to_bits() as i64;
        if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }
    };
    ordered(a).abs_diff(ordered(b))
}

/// Compares with a reference that is itself within one ulp, so a function within n ulp may differ by n + 1.
fn assert_within(limit: u64, arguments: &[f64], ours: impl Fn(f64) -> f64, truth: impl Fn(f64) -> f64) {
    for &x in arguments {
        let (found, expected) = (ours(x), truth(x));
        let distance = ulps(found, expected);
        assert!(distance <= limit, "at {x:e}: {found:e}, expected {expected:e}, {distance} ulp apart");
    }
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

#[test]
fn exp_agrees_with_libm() {
    assert_within(2, &uniforms(1, -708.0, 709.7), exp, libm::exp);
    assert_within(2, &uniforms(2, -1.0, 1.0), exp, libm::exp);
    assert_within(2, &uniforms(3, -1e-9, 1e-9), exp, libm::exp);
    // Subnormal results.
    assert_within(1, &uniforms(4, -745.2, -708.0), exp, libm::exp);
    // The ends of the reduced interval, where k changes.
    let edges: Vec<f64> = (-1070..1024).map(|k| (f64::from(k) + 0.5) * std::f64::consts::LN_2).collect();
    assert_within(2, &edges, exp, libm::exp);
}

#[test]
fn exp_share_is_exp_where_that_is_normal() {
    for x in uniforms(9, -600.0, 0.0).into_iter().chain([0.0, -0.0, -600.0, -1e-300]) {
        assert!(same(exp_share(x), exp(x)), "at {x}");
    }
    for x in [-601.0, -745.2, -1e300, -INFINITY] {
        assert!(same(exp_share(x), exp(-600.0)), "at {x}");
    }
    assert!(exp_share(f64::NAN).is_nan());
}

/// Also where x/ln 2 is rounded the other way by the number that is known early.
#[test]
fn exp_share_soon_has_the_bits_of_exp_share() {
    let halves = (0..800).map(|k| -(f64::from(k) + 0.5) * std::f64::consts::LN_2);
    for x in uniforms(10, -700.0, 0.0).into_iter().chain(halves).chain([0.0, -0.0, -600.0, -601.0, -1e300, -INFINITY]) {
        let binary = x * std::f64::consts::LOG2_E;
        for binary in [binary, binary.next_up(), binary.next_down(), binary + 0.1] {
            assert!(same(exp_share_soon(x, binary), exp_share(x)), "at {x} with {binary}");
        }
    }
    assert!(exp_share_soon(f64::NAN, f64::NAN).is_nan());
}

#[test]
fn exp_at_its_edges() {
    let largest = 709.782_712_893_384;
    let smallest = -745.133_219_101_941_1;
    assert!(ulps(exp(largest), libm::exp(largest)) <= 2 && exp(largest).is_finite());
    assert!(same(exp(largest.next_up()), INFINITY));
    assert!(same(exp(smallest), f64::from_bits(1)));
    assert!(same(exp(-745.14), 0.0));
    for x in [0.0, -0.0, f64::from_bits(1), 1e-300, -1e-300] {
        assert!(same(exp(x), 1.0));
    }
    for x in [710.0, 711.0, 1e5, 1e300, f64::MAX, INFINITY] {
        assert!(same(exp(x), INFINITY));
    }
    for x in [-746.0, -747.0, -1e5, -1e300, f64::MIN, -INFINITY] {
        assert!(same(exp(x), 0.0));
    }
    assert!(exp(f64::NAN).is_nan() && exp(-f64::NAN).is_nan());
}

#[test]
fn ln_agrees_with_libm() {
    assert_within(2, &uniforms(5, 0.0, 1.0), ln, libm::log);
    assert_within(2, &uniforms(6, 0.5, 2.0), ln, libm::log);
    assert_within(2, &uniforms(7, 1.0 - 1e-9, 1.0 + 1e-9), ln, libm::log);
    let wide: Vec<f64> = uniforms(8, -745.0, 709.0).into_iter().map(libm::exp).collect();
    assert_within(2, &wide, ln, libm::log);
    let mut powers = vec![f64::from_bits(1), f64::MAX, f64::MIN_POSITIVE, f64::MIN_POSITIVE.next_down()];
    powers.extend((-1074..1024).map(|k| libm::scalbn(1.0, k)));
    powers.extend((-1021..1023).map(|k| libm::scalbn(std::f64::consts::FRAC_1_SQRT_2, k)));
    assert_within(2, &powers, ln, libm::log);
}

#[test]
fn ln_at_its_edges() {
    assert!(same(ln(1.0), 0.0));
    assert!(same(ln(0.0), -INFINITY) && same(ln(-0.0), -INFINITY));
    assert!(same(ln(INFINITY), INFINITY));
    for x in [-f64::from_bits(1), -1.0, -INFINITY, f64::NAN] {
        assert!(ln(x).is_nan(), "at {x}");
    }
}

#[test]
fn sigmoid_agrees_with_libm() {
    let truth = |x: f64| {
        let e = libm::exp(-x.abs());
        (if x < 0.0 { e } else { 1.0 }) / (1.0 + e)
    };
    assert_within(4, &uniforms(9, -40.0, 40.0), sigmoid, truth);
    assert_within(4, &uniforms(10, -745.0, -40.0), sigmoid, truth);
    assert!(same(sigmoid(0.0), 0.5) && same(sigmoid(INFINITY), 1.0) && same(sigmoid(-INFINITY), 0.0));
    assert!(sigmoid(f64::NAN).is_nan());
}

/// tests/data/tanh.csv holds arguments and tanh with 60 digits, rounded to the nearest `f64`, both as bits.
#[test]
fn tanh_agrees_with_sixty_digits() {
    let table = include_str!("../../../../../tests/data/tanh.csv");
    let bits = |text: &str| f64::from_bits(u64::from_str_radix(text, 16).unwrap());
    let rows = table.lines().skip(1).map(|row| row.split_once(',').unwrap());
    let mut count = 0;
    for (x, expected) in rows.map(|(x, truth)| (bits(x), bits(truth))) {
        let distance = ulps(tanh(x), expected);
        assert!(distance <= 3, "at {x:e}: {distance} ulp apart");
        assert!((tanh(x) - expected).abs() <= 1e-15 * expected.abs());
        assert!(same(tanh(-x), -tanh(x)));
        count += 1;
    }
    assert_eq!(count, 3000);
}

#[test]
fn tanh_agrees_with_libm() {
    assert_within(5, &uniforms(21, -1.0, 1.0), tanh, libm::tanh);
    assert_within(5, &uniforms(22, -25.0, 25.0), tanh, libm::tanh);
    assert_within(5, &uniforms(23, -1e-6, 1e-6), tanh, libm::tanh);
    // The ends of the reduced interval, where k changes.
    let edges: Vec<f64> = (0..30).map(|k| (f64::from(k) + 0.5) * 0.5 * std::f64::consts::LN_2).collect();
    let around: Vec<f64> = edges.iter().flat_map(|edge| [edge.next_down(), *edge, edge.next_up()]).collect();
    assert_within(5, &around, tanh, libm::tanh);
}

#[test]
fn tanh_at_its_edges() {
    for x in [0.0, -0.0, f64::from_bits(1), 1e-310, -1e-300, 1e-20] {
        assert!(same(tanh(x), x), "at {x:e}");
    }
    for x in [19.1, 20.0, 20.5, 400.0, 1e300, INFINITY] {
        assert!(same(tanh(x), 1.0) && same(tanh(-x), -1.0), "at {x:e}");
    }
    assert!(tanh(f64::NAN).is_nan() && tanh(-f64::NAN).is_nan());
}

#[test]
fn log1p_exp_agrees_with_libm() {
    let truth = |x: f64| x.max(0.0) + libm::log1p(libm::exp(-x.abs()));
    assert_within(4, &uniforms(11, -40.0, 40.0), log1p_exp, truth);
    assert_within(3, &uniforms(12, -745.0, -40.0), log1p_exp, truth);
    assert!(same(log1p_exp(0.0), std::f64::consts::LN_2));
    assert!(same(log1p_exp(INFINITY), INFINITY) && same(log1p_exp(-INFINITY), 0.0));
    assert!(log1p_exp(f64::NAN).is_nan());
}

#[test]
fn log_add_exp_has_its_identities() {
    for (a, b) in uniforms(13, -50.0, 50.0).into_iter().zip(uniforms(14, -900.0, 900.0)) {
        let sum = log_add_exp(a, b);
        let truth = a.max(b) + libm::log1p(libm::exp(-(a - b).abs()));
        let unit = a.abs().max(b.abs()).max(1.0) * f64::EPSILON;
        assert!((sum - truth).abs() <= 3.0 * unit, "at {a}, {b}");
        assert!(same(sum, log_add_exp(b, a)));
        assert!((sum - log_sum_exp(&[a, b])).abs() <= 4.0 * unit, "at {a}, {b}");
    }
}

#[test]
fn sums_of_exponentials_at_their_edges() {
    let cases = [
        (-INFINITY, -INFINITY, -INFINITY),
        (-INFINITY, 3.0, 3.0),
        (INFINITY, INFINITY, INFINITY),
        (INFINITY, -INFINITY, INFINITY),
        (1e308, -1e308, 1e308),
    ];
    for (a, b, expected) in cases {
        assert!(same(log_add_exp(a, b), expected), "log_add_exp({a}, {b})");
        assert!(same(log_add_exp(b, a), expected), "log_add_exp({b}, {a})");
        assert!(same(log_sum_exp(&[a, b]), expected), "log_sum_exp({a}, {b})");
    }
    for other in [0.0, INFINITY, -INFINITY, f64::NAN] {
        assert!(log_add_exp(f64::NAN, other).is_nan() && log_add_exp(other, f64::NAN).is_nan());
        assert!(log_sum_exp(&[f64::NAN, other]).is_nan() && log_sum_exp(&[other, f64::NAN]).is_nan());
    }
    assert!(same(log_sum_exp(&[]), -INFINITY));
}

/// sin and cos of 2πu by libm, the angle carried in two parts so that its rounding does not count.
fn sin_cos_reference(u: f64) -> (f64, f64) {
    let quarter = (4.0 * u).round();
    let r = u - 0.25 * quarter;
    let high = r * std::f64::consts::TAU;
    let low = libm::fma(r, std::f64::consts::TAU, -high) + r * 2.449_293_598_294_706_4e-16;
    let (s, c) = (libm::sin(high), libm::cos(high));
    let (s, c) = (s + c * low, c - s * low);
    match quarter as i64 & 3 {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    }
}

#[test]
fn sin_cos_agrees_with_libm() {
    let mut turns = uniforms(15, 0.0, 1.0);
    turns.extend(uniforms(16, 0.0, 1e-6));
    turns.extend(uniforms(17, 0.25 - 1e-6, 0.25 + 1e-6));
    turns.extend(uniforms(18, -4.0, 4.0));
    turns.extend((1..16).map(|k| f64::from(k) / 16.0 + 1e-3));
    assert_within(3, &turns, |u| sin_cos_2pi(u).0, |u| sin_cos_reference(u).0);
    assert_within(3, &turns, |u| sin_cos_2pi(u).1, |u| sin_cos_reference(u).1);
}

#[test]
#[expect(clippy::float_cmp, reason = "quarter turns are exact; comparing values lets −0 be 0")]
fn sin_cos_at_quarter_turns() {
    let quarters = [(0.0, 0.0, 1.0), (0.25, 1.0, 0.0), (0.5, 0.0, -1.0), (0.75, -1.0, 0.0)];
    for (u, sine, cosine) in quarters {
        assert_eq!(sin_cos_2pi(u), (sine, cosine), "at {u} turns");
    }
    let (sine, cosine) = sin_cos_2pi(1.0 - f64::EPSILON);
    assert_eq!(cosine, 1.0);
    assert!(ulps(sine, -f64::EPSILON * std::f64::consts::TAU) <= 1);
    let (sine, cosine) = sin_cos_2pi(f64::NAN);
    assert!(sine.is_nan() && cosine.is_nan());
}

/// Bits computed once on x86-64; a machine where one differs would give other runs.
#[test]
fn known_bits() {
    let exponentials: [(f64, u64); 7] = [
        (1.0, 0x4005_bf0a_8b14_576a),
        (-1.0, 0x3fd7_8b56_362c_ef38),
        (0.1, 0x3ff1_aec7_b35a_00d4),
        (10.5, 0x40e1_bb70_15e8_4d3b),
        (-33.25, 0x3cf0_5732_2ef4_a1c2),
        (700.0, 0x7f0d_945d_f4f8_ec8e),
        (-740.0, 0x0000_0000_0000_0055),
    ];
    for (x, bits) in exponentials {
        assert_eq!(exp(x).to_bits(), bits, "exp({x})");
    }
    let logarithms: [(f64, u64); 5] = [
        (2.0, 0x3fe6_2e42_fefa_39ef),
        (0.1, 0xc002_6bb1_bbb5_5515),
        (10.5, 0x4002_cf9d_d4b1_2035),
        (1e-310, 0xc086_4e69_394d_9508),
        (1e300, 0x4085_9634_47f8_7fb5),
    ];
    for (x, bits) in logarithms {
        assert_eq!(ln(x).to_bits(), bits, "ln({x})");
    }
    let tangents: [(f64, u64); 6] = [
        (0.1, 0x3fb9_83d7_795f_413b),
        (-0.3, 0xbfd2_a4dd_a7d9_14f9),
        (0.7, 0x3fe3_56fb_17af_2e91),
        (1.5, 0x3fec_f6f9_786d_f577),
        (-4.25, 0xbfef_fcaa_c3f2_0e66),
        (1e-9, 0x3e11_2e0b_e826_d694),
    ];
    for (x, bits) in tangents {
        assert_eq!(tanh(x).to_bits(), bits, "tanh({x})");
    }
    let angles: [(f64, u64, u64); 4] = [
        (0.1, 0x3fe2_cf23_0475_5a5e, 0x3fe9_e377_9b97_f4a8),
        (0.3, 0x3fee_6f0e_1344_5500, 0xbfd3_c6ef_372f_e94f),
        (0.55, 0xbfd3_c6ef_372f_e954, 0xbfee_6f0e_1344_54ff),
        (0.9, 0xbfe2_cf23_0475_5a5d, 0x3fe9_e377_9b97_f4a8),
    ];
    for (u, sine_bits, cosine_bits) in angles {
        let (sine, cosine) = sin_cos_2pi(u);
        assert_eq!((sine.to_bits(), cosine.to_bits()), (sine_bits, cosine_bits), "at {u} turns");
    }
}

/// Every kind of number, and every remainder a vector loop of 2, 4, 8 or unrolled lanes can leave.
fn awkward(length: usize) -> Vec<f64> {
    let edges = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        709.9,
        -745.0,
        -800.0,
        1e-310,
        -1e-310,
        1e300,
        -1e300,
        f64::MIN_POSITIVE,
        INFINITY,
        -INFINITY,
        f64::NAN,
        0.5,
        0.25,
    ];
    let mut stream = Stream::derive(11, Purpose::Data, 0, length as u64);
    (0..length)
        .map(|i| if i % 5 == 3 { edges[(i / 5 + length) % edges.len()] } else { 80.0 * (stream.uniform() - 0.5) })
        .collect()
}

#[test]
fn every_instruction_set_gives_the_scalar_bits() {
    type Case = (&'static str, fn(Simd, &mut [f64]), fn(f64) -> f64);
    let cases: [Case; 5] = [
        ("exp", exp_slice, |x| exp(x)),
        ("ln", ln_slice, |x| ln(x)),
        ("sigmoid", sigmoid_slice, |x| sigmoid(x)),
        ("tanh", tanh_slice, |x| tanh(x)),
        ("log1p_exp", log1p_exp_slice, |x| log1p_exp(x)),
    ];
    for (name, over_slice, scalar) in cases {
        for (simd, length) in sets_and_lengths() {
            let arguments = awkward(length);
            let mut values = arguments.clone();
            over_slice(simd, &mut values);
            for (&x, &found) in arguments.iter().zip(&values) {
                assert!(same(found, scalar(x)), "{name}({x:e}) with {simd:?}, length {length}");
            }
        }
    }
}

#[test]
fn every_instruction_set_gives_the_scalar_angles() {
    for (simd, length) in sets_and_lengths() {
        let turns = awkward(length);
        let (mut sines, mut cosines) = (turns.clone(), vec![0.0; length]);
        sin_cos_2pi_slice(simd, &mut sines, &mut cosines);
        for ((&u, &found_sine), &found_cosine) in turns.iter().zip(&sines).zip(&cosines) {
            let (sine, cosine) = sin_cos_2pi(u);
            assert!(same(found_sine, sine) && same(found_cosine, cosine), "{u:e} turns with {simd:?}");
        }
    }
}

fn sets_and_lengths() -> impl Iterator<Item = (Simd, usize)> {
    Simd::available().flat_map(|simd| (0..=70).chain([127, 1000, 1023]).map(move |length| (simd, length)))
}

#[test]
fn the_widest_set_is_available_and_the_baseline_always_is() {
    let available: Vec<InstructionSet> = Simd::available().map(Simd::instruction_set).collect();
    assert_eq!(available.first(), Some(&InstructionSet::Baseline));
    assert_eq!(available.last(), Some(&Simd::widest().instruction_set()));
    assert!(available.is_sorted());
    for set in InstructionSet::ALL {
        assert_eq!(Simd::with(set).is_some(), set.is_available());
        assert_eq!(available.contains(&set), set.is_available());
    }
    assert_eq!(Simd::with(InstructionSet::Baseline), Some(Simd::BASELINE));
}
