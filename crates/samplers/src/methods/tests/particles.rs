//! SVGD: steps of an independent program, places of rest in closed form, and particles that are nowhere.

use super::super::{Gradient, Interaction, METHODS, Method, Population, Svgd, begins_anew, build};
use super::{Normal, Numbers, close, one_step, plan};
use base::math::{Coords, Point};
use base::params::{Settings, Value, find_kind};

fn advance(method: Svgd, target: &Normal, chains: &mut Population, alpha: f64, steps: usize) {
    for _ in 0..steps {
        one_step(&method, target, &Gradient::Exact, &plan(alpha), &Numbers::default(), chains);
    }
}

fn begun(method: Svgd, positions: &[Point]) -> Population {
    method.init(Coords::of_points(positions), 0.1, Coords::zeros(2, positions.len()))
}

/// Three steps with α = 0.1 of four particles on N(0, I/2), with the median heuristic (of six distances, so that the median is a mean of
/// two), by a program in NumPy that has matrices in the place of loops; with AdaGrad, too.
#[test]
fn steps_are_those_of_an_independent_program() {
    let positions = [(1.0, 0.0), (-0.5, 0.8), (0.2, -1.5), (2.0, 1.0)].map(|(x, y)| Point::new(x, y));
    let plain = [
        (0.767_263_537_083_228, -0.041_153_352_152_331_416),
        (-0.544_439_414_423_179_6, 0.725_357_753_454_866_7),
        (0.114_007_125_577_114_87, -1.347_891_869_454_687_8),
        (1.702_994_259_947_468_8, 0.885_003_105_363_699_5),
    ];
    let adagrad = [
        (0.739_247_757_087_667_9, -0.109_187_587_231_766_78),
        (-0.636_401_666_600_519_4, 0.582_945_950_663_177_6),
        (-0.053_198_906_270_548_27, -1.224_012_671_919_177_7),
        (1.720_368_563_399_426_7, 0.747_608_652_480_338),
    ];
    for (flag, expected) in [(false, plain), (true, adagrad)] {
        let method = Svgd { bandwidth: None, adagrad: flag };
        let mut chains = begun(method, &positions);
        advance(method, &Normal::new(2.0, 2), &mut chains, 0.1, 3);
        for (chain, (x, y)) in expected.into_iter().enumerate() {
            assert!((chains.position(chain) - Point::new(x, y)).amax() < 1e-13, "{flag} {}", chains.position(chain));
        }
    }
}

/// Two particles at ±a on N(0, 1/λ) rest where the pull to the middle and the push apart are equal, λ (1 − k) = 2k/h²: with a fixed h at
/// a² = ½h² ln(1 + 2/(λh²)), with the median heuristic, where k = ⅓, at a² = ln 3/(2λ).
#[test]
fn two_particles_rest_where_pull_and_push_are_equal() {
    let lambda = 3.0;
    let target = Normal::new(lambda, 1);
    let cases = [(None, 3.0_f64.ln() / (2.0 * lambda)), (Some(0.7), 0.5 * 0.49 * (1.0 + 2.0 / (lambda * 0.49)).ln())];
    for (bandwidth, square) in cases {
        let method = Svgd { bandwidth, adagrad: false };
        let mut chains = begun(method, &[Point::new(-1.0, 0.0), Point::new(2.0, 0.0)]);
        advance(method, &target, &mut chains, 0.1, 2000);
        close(chains.position(0).x, -square.sqrt(), 1e-10);
        close(chains.position(1).x, square.sqrt(), 1e-10);
    }
}

/// One particle alone, or several at the same point, climb as gradient ascent does.
#[test]
fn particles_at_one_point_climb_together() {
    let target = Normal::new(2.0, 2);
    for bandwidth in [None, Some(0.5)] {
        let method = Svgd { bandwidth, adagrad: false };
        let mut chains = begun(method, &[Point::new(1.0, -2.0); 3]);
        advance(method, &target, &mut chains, 0.1, 4);
        for chain in 0..3 {
            assert!((chains.position(chain) - Point::new(1.0, -2.0) * 0.8_f64.powi(4)).amax() < 1e-14);
        }
    }
}

/// A particle that is nowhere neither moves nor moves others.
#[test]
fn particles_that_are_nowhere_are_left_out() {
    let target = Normal::new(2.0, 2);
    let method = Svgd { bandwidth: None, adagrad: true };
    let positions = [Point::new(1.0, 0.0), Point::new(-0.5, 0.8), Point::repeat(f64::NAN)];
    let mut chains = begun(method, &positions);
    advance(method, &target, &mut chains, 0.1, 5);
    assert!(chains.position(2).x.is_nan());
    assert!((0..2).all(|chain| chains.position(chain).iter().all(|coordinate| coordinate.is_finite())));
}

/// Particles and chains with an archive are at most 128, and do not begin during a run.
#[test]
fn populations_have_their_bounds() {
    for (name, interaction) in [("svgd", Interaction::Particles), ("demcz", Interaction::Archive)] {
        let kind = find_kind(&METHODS, name).unwrap();
        let mut settings = Settings::defaults(kind);
        assert_eq!(build(&settings).unwrap().interaction(), interaction);
        assert!(settings.set("chains", Value::Number(128.0)).is_ok());
        let error = settings.set("chains", Value::Number(129.0)).unwrap_err();
        assert!(error.to_string().contains("128"), "{error}");
        assert!(begins_anew(kind).is_some_and(|reason| reason.contains("depend")));
    }
    assert_eq!(begins_anew(find_kind(&METHODS, "sgld").unwrap()), None);
}
