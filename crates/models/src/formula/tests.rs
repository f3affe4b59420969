//! Tests of formulas.

use approx::assert_relative_eq;
use proptest::prelude::*;

use super::*;

fn value(text: &str, x: f64, y: f64) -> f64 {
    Formula::read(text)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .density(&[], Form::LogDensity)
        .unwrap()
        .value(x, y)
}

#[test]
fn ordinary_notation_is_understood() {
    let (x, y) = (0.75, -1.25);
    for (text, expected) in [
        ("-x^2", -x * x),
        ("−x² + y⁻¹", -x * x + 1.0 / y),
        ("2^3^2", 512.0),
        ("2^-x", 0.5_f64.powf(x)),
        ("8/4/2", 1.0),
        ("2x y", 2.0 * x * y),
        ("2(x + 1)(y − 1)", 2.0 * (x + 1.0) * (y - 1.0)),
        ("x*y/2*4", x * y * 2.0),
        ("1 - 2 - 3", -4.0),
        ("x^0.5 + x^1.5 + x^-0.5", x.sqrt() + x.powf(1.5) + x.powf(-0.5)),
        ("x^π", x.powf(std::f64::consts::PI)),
        ("e^x − exp(x) + 1e-1", 0.1),
        ("ln(e) + log(1)", 1.0),
        ("1.5e+2 + .5", 150.5),
        ("1e−1 + 2E−2", 0.12),
        ("max(x, y, 2) + min(x, y)", 2.0 + y),
        ("abs(y) + tan(atan(x))", -y + x),
        ("sigmoid(0) + tanh(0) + sqrt(4)", 2.5),
        ("softplus(0) − ln(2)", 0.0),
        ("sin(x)² + cos(x)²", 1.0),
        ("logsumexp(x, y) − ln(exp(x) + exp(y))", 0.0),
        ("a = x + y\nb = a²; c = a b\nc − a³ +\n x", x),
        ("x - (\n y \n)", x - y),
        ("+x — y ‑ (+2)", x - y - 2.0),
        ("2x(y)", 2.0 * x * y),
        ("xy = x y; xy²", (x * y).powi(2)),
        ("x·y × 2 ÷ 4", x * y / 2.0),
    ] {
        assert_relative_eq!(value(text, x, y), expected, epsilon = 1e-14, max_relative = 1e-14);
    }
}

/// Values of SciPy 1.16 and 1.17.
#[test]
fn functions_and_log_densities_have_the_values_of_another_program() {
    for (text, expected) in [
        ("cosh(0.7)", 1.255_169_005_630_94),
        ("sinh(-1.2)", -1.509_461_355_412_17),
        ("log10(250)", 2.397_940_008_672_04),
        ("log2(0.3)", -1.736_965_594_166_21),
        ("log1p(0.4)", 0.336_472_236_621_213),
        ("expm1(0.3)", 0.349_858_807_576_003),
        ("logit(0.2)", -1.386_294_361_119_89),
        ("inv_logit(-0.8)", 0.310_025_518_872_388),
        ("erf(0.6)", 0.603_856_090_847_926),
        ("erfc(2.5)", 0.000_406_952_017_444_959),
        ("Phi(-1.3)", 0.096_800_484_585_610_4),
        ("lgamma(3.7)", 1.428_072_326_665_39),
        ("lbeta(2.5, 0.4)", 0.478_491_077_925_392),
        ("normal_lpdf(1.3 | 0.4, 2)", -1.713_335_713_764_62),
        ("student_t_lpdf(1.3 | 4, 0.5, 1.5)", -1.558_035_689_335_48),
        ("cauchy_lpdf(-2 | 0.5, 1.5)", -2.879_330_941_237_51),
        ("double_exponential_lpdf(-2, 0.5, 1.5)", -2.765_278_955_334_78),
        ("logistic_lpdf(2 | 0.5, 1.5)", -2.031_988_483_144_61),
        ("lognormal_lpdf(2 | 0.5, 1.5)", -2.025_841_007_063_51),
        ("exponential_lpdf(2 | 1.5)", -2.594_534_891_891_84),
        ("gamma_lpdf(2 | 3, 1.5)", -1.090_457_495_115_56),
        ("inv_gamma_lpdf(2 | 3, 1.5)", -2.999_340_578_475_23),
        ("beta_lpdf(0.3 | 2.5, 4)", 0.710_135_681_851_066),
        ("std_normal_lpdf(1.3)", -1.763_938_533_204_67),
        ("skew_normal_lpdf(1.3 | 0.4, 2, -1.5)", -2.407_131_574_785_14),
        ("gumbel_lpdf(2 | 0.5, 1.5)", -1.773_344_549_279_61),
        ("uniform_lpdf(0.7 | -0.5, 2)", -0.916_290_731_874_155),
        ("chi_square_lpdf(2 | 3.5)", -1.608_746_059_539_46),
        ("inv_chi_square_lpdf(0.4 | 3.5)", 0.141_193_067_694_508),
        ("scaled_inv_chi_square_lpdf(2 | 3.5, 1.2)", -1.464_300_547_853_53),
        ("weibull_lpdf(2 | 1.7, 1.5)", -1.304_241_192_360_68),
        ("frechet_lpdf(2 | 1.7, 1.5)", -1.264_781_278_798_56),
        ("loglogistic_lpdf(2 | 1.5, 1.7)", -1.608_021_524_456_82),
        ("rayleigh_lpdf(2 | 1.5)", -1.006_671_924_545_27),
        ("pareto_lpdf(2 | 1.5, 1.7)", -0.651_578_452_665_802),
        ("beta_proportion_lpdf(0.3 | 0.4, 6)", 0.644_792_331_459_773),
        ("bernoulli_lpmf(1 | 0.3)", -1.203_972_804_325_94),
        ("bernoulli_lpmf(0 | 0.3)", -0.356_674_943_938_732),
        ("bernoulli_logit_lpmf(1 | -0.8)", -1.171_100_665_947_78),
        ("binomial_lpmf(3 | 10, 0.3)", -1.321_151_277_766_89),
        ("binomial_logit_lpmf(3 | 10, -0.8)", -1.323_514_916_695_73),
        ("beta_binomial_lpmf(3 | 10, 2.5, 4)", -1.841_916_511_408_37),
        ("poisson_lpmf(4 | 2.5)", -2.012_890_902_851_33),
        ("poisson_log_lpmf(4 | 0.9)", -2.037_656_941_504_9),
        ("neg_binomial_lpmf(4 | 2.5, 0.7)", -2.140_945_632_714_66),
        ("neg_binomial_2_lpmf(4 | 3, 2.5)", -2.195_861_256_155_66),
        ("neg_binomial_2_log_lpmf(4 | 0.9, 2.5)", -2.318_064_988_829_96),
    ] {
        assert_relative_eq!(value(text, 0.0, 0.0), expected, epsilon = 1e-14, max_relative = 1e-13);
        // The same of coordinates, which are no numbers that are known before.
        let first = text.find(['(']).unwrap() + 1;
        let end = first + text[first..].find([' ', ',', ')', '|']).unwrap();
        let number: f64 = text[first..end].parse().unwrap();
        let of_x = format!("{}x{}", &text[..first], &text[end..]);
        assert_relative_eq!(value(&of_x, number, 0.0), expected, epsilon = 1e-14, max_relative = 1e-13);
    }
}

#[test]
fn log_densities_end_where_their_distributions_do() {
    for (text, inside, outside) in [
        ("gamma_lpdf(x | 1, 2)", 0.5, -0.5),
        ("exponential_lpdf(x | 2)", 0.5, -0.5),
        ("lognormal_lpdf(x | 0, 1)", 0.5, -0.5),
        ("inv_gamma_lpdf(x | 2, 1)", 0.5, -0.5),
        ("beta_lpdf(x | 1, 1)", 0.5, 1.5),
        ("beta_lpdf(x | 1, 1)", 0.5, -0.5),
        ("uniform_lpdf(x | 0, 1)", 0.5, 1.5),
        ("uniform_lpdf(x | 0, 1)", 0.5, -0.5),
        ("uniform_lpdf(0.7 | x, 2)", 0.5, 0.9),
        ("weibull_lpdf(x | 1, 1)", 0.5, -0.5),
        ("frechet_lpdf(x | 1, 1)", 0.5, -0.5),
        ("loglogistic_lpdf(x | 1, 1)", 0.5, -0.5),
        ("rayleigh_lpdf(x | 1)", 0.5, -0.5),
        ("pareto_lpdf(x | 1, 2)", 1.5, 0.5),
        ("chi_square_lpdf(x | 2)", 0.5, -0.5),
        ("poisson_lpmf(0 | x)", 0.5, -0.5),
        ("bernoulli_lpmf(1 | x)", 0.5, 1.5),
        ("binomial_lpmf(3 | 3, x)", 0.5, 1.5),
        ("neg_binomial_2_lpmf(0 | x, 2)", 0.5, -0.5),
        ("lgamma(x)", 0.5, -0.5),
        ("normal_lpdf(0 | 0, x)", 0.5, -0.5),
    ] {
        let density = Formula::read(text).unwrap().density(&[], Form::LogDensity).unwrap();
        assert!(density.value(inside, 0.0).is_finite() && !density.value(outside, 0.0).is_finite(), "{text}");
    }
}

/// Every log density, with coordinates in all of its places: gradient and Hessian are the differences of what they are derivatives of.
#[test]
fn derivatives_of_log_densities_are_those_of_differences() {
    let (x, y, h) = (1.3, 0.6, 1e-5);
    for text in [
        "normal_lpdf(x | y, x + y)",
        "std_normal_lpdf(x y)",
        "skew_normal_lpdf(x | y, x + y, x - y)",
        "student_t_lpdf(x | 4 + y, y, x)",
        "cauchy_lpdf(x | y, x)",
        "double_exponential_lpdf(x | y, x)",
        "logistic_lpdf(x | y, x)",
        "gumbel_lpdf(x | y, x + y)",
        "lognormal_lpdf(x | y, x)",
        "uniform_lpdf(x | y - 1, y + 3 x)",
        "exponential_lpdf(x | y)",
        "gamma_lpdf(x | 1 + y, x + y)",
        "inv_gamma_lpdf(x | 1 + y, x + y)",
        "chi_square_lpdf(x | 2 + y)",
        "inv_chi_square_lpdf(x | 2 + y)",
        "scaled_inv_chi_square_lpdf(x | 2 + y, x)",
        "weibull_lpdf(x | 1 + y, x + y)",
        "frechet_lpdf(x | 1 + y, x + y)",
        "loglogistic_lpdf(x | x + y, 1 + y)",
        "rayleigh_lpdf(x | y)",
        "pareto_lpdf(x | y, x + y)",
        "beta_lpdf(y | x, x + y)",
        "beta_proportion_lpdf(y | x/2, x + y)",
        "bernoulli_lpmf(1 | y)",
        "bernoulli_logit_lpmf(1 | x - y)",
        "binomial_lpmf(3 | 10, y/x)",
        "binomial_logit_lpmf(3 | 10, x - y)",
        "beta_binomial_lpmf(3 | 10, x, y)",
        "poisson_lpmf(4 | x + y²)",
        "poisson_log_lpmf(4 | x y)",
        "neg_binomial_lpmf(4 | x, y)",
        "neg_binomial_2_lpmf(4 | x, y)",
        "neg_binomial_2_log_lpmf(4 | x, y)",
    ] {
        let density = Formula::read(text).unwrap().density(&[], Form::LogDensity).unwrap();
        let slope = |f: &dyn Fn(f64) -> f64| (f(h) - f(-h)) / (2.0 * h);
        let ([gx, gy], [xx, xy, yy]) = (density.gradient(x, y), density.hessian(x, y));
        let size = 1.0 + [gx, gy, xx, xy, yy].into_iter().map(f64::abs).sum::<f64>();
        for (found, expected) in [
            (gx, slope(&|d| density.value(x + d, y))),
            (gy, slope(&|d| density.value(x, y + d))),
            (xx, slope(&|d| density.gradient(x + d, y)[0])),
            (xy, slope(&|d| density.gradient(x, y + d)[0])),
            (xy, slope(&|d| density.gradient(x + d, y)[1])),
            (yy, slope(&|d| density.gradient(x, y + d)[1])),
        ] {
            assert!((found - expected).abs() < 1e-7 * size, "{text}: {found} is not {expected}");
        }
    }
}

#[test]
fn comments_and_bars_of_densities_are_read() {
    assert_relative_eq!(value("# the prior\nx^2 // and\n + y # more", 2.0, 3.0), 7.0);
    let bar = Formula::read("abs(x) + normal_lpdf(x | 0, 1 | 2)").unwrap_err();
    assert!(bar.to_string().contains("abs(x) for |x|"), "{bar}");
    let few = Formula::read("normal_lpdf(x | 0)").unwrap_err();
    assert!(few.to_string().contains("normal_lpdf does not take 2 arguments"), "{few}");
}

/// Against comparisons written in Rust, at points on both sides of every jump and on it.
#[test]
fn cases_are_what_they_say() {
    let points = [-2.5, -1.0, -0.3, 0.0, 0.4, 1.0, 1.7];
    for (text, expected) in [
        ("if(x > 0, 3, y)", (|x, y| if x > 0.0 { 3.0 } else { y }) as fn(f64, f64) -> f64),
        ("if(x == 0.4, 3, y)", |x, y| if (x - 0.4).abs() < 1e-12 { 3.0 } else { y }),
        ("if(x >= 0, 3, y)", |x, y| if x >= 0.0 { 3.0 } else { y }),
        ("if(x <= y, ln(-1), 2)", |x, y| if x <= y { f64::NAN } else { 2.0 }),
        ("if(-1 < x < 1 and y ≥ 0, x y, 7)", |x, y| if -1.0 < x && x < 1.0 && y >= 0.0 { x * y } else { 7.0 }),
        ("if(x > 1 or x < -1 or y < x, 1, 2)", |x, y| if !(-1.0..=1.0).contains(&x) || y < x { 1.0 } else { 2.0 }),
        ("2 if(x > 0, if(y > 0, 1, 2), if(y > 0, 3, 4))", |x, y| match (x > 0.0, y > 0.0) {
            (true, true) => 2.0,
            (true, false) => 4.0,
            (false, true) => 6.0,
            (false, false) => 8.0,
        }),
        ("sign(x) + 10 sign(y)", |x, y| {
            let sign = |of: f64| if of == 0.0 { 0.0 } else { of.signum() };
            sign(x) + 10.0 * sign(y)
        }),
        ("floor(x) + 10 ceil(y)", |x, y| x.floor() + 10.0 * y.ceil()),
        ("atan2(y, x)", f64::atan2 as fn(f64, f64) -> f64),
    ] {
        for (x, y) in points.iter().flat_map(|x| points.map(|y| (*x, y))) {
            let (found, wanted) =
                (value(text, x, y), if text.starts_with("atan2") { y.atan2(x) } else { expected(x, y) });
            assert!(
                found.is_nan() && wanted.is_nan() || (found - wanted).abs() < 1e-15,
                "{text} at {x}, {y}: {found}, not {wanted}"
            );
        }
    }
    // Between the jumps slopes are those of the case.
    let density =
        Formula::read("if(x + y > 0, x^2 y, -x) + atan2(y, x)").unwrap().density(&[], Form::LogDensity).unwrap();
    let (x, y) = (0.7, -0.2);
    let square = x * x + y * y;
    let found = density.gradient(x, y);
    assert_relative_eq!(found[0], 2.0 * x * y - y / square, epsilon = 1e-14);
    assert_relative_eq!(found[1], x * x + x / square, epsilon = 1e-14);
    assert_relative_eq!(value("exp(if(x > 0, -x, -1000))", 2.0, 0.0), (-2.0_f64).exp());
    let of_density =
        Formula::read("if(x > 0, exp(-1000 - x), 2 exp(-1000))").unwrap().density(&[], Form::Density).unwrap();
    assert_relative_eq!(of_density.value(3.0, 0.0), -1003.0);
}

#[test]
fn errors_name_the_place_and_what_is_allowed() {
    for (text, at, words) in [
        ("", 0..0, ["the formula is empty", "for example"]),
        ("x +", 3..3, ["the formula ends here", "a number"]),
        ("x + * y", 4..5, ["\"*\" does not fit", "a number"]),
        ("x*-2", 2..3, ["a second sign", "brackets"]),
        ("(x + y", 0..1, ["this bracket is not closed", ")"]),
        ("a = (x + y\na x", 4..5, ["this bracket is not closed", ")"]),
        ("exp(x + (y)", 3..4, ["this bracket is not closed", ")"]),
        ("x + y)", 5..6, ["no ( before", "a ( for each )"]),
        ("sinn(x)", 0..4, ["no function \"sinn\"", "perhaps sin; the functions exp, ln"]),
        ("−softpluss(x)", 1..10, ["no function \"softpluss\"", "perhaps softplus; "]),
        ("Exp(x)", 0..3, ["no function \"Exp\"", "perhaps exp; "]),
        ("arctan(x)", 0..6, ["no function \"arctan\"", "perhaps atan(x); "]),
        ("pow(x, 2)", 0..3, ["no function \"pow\"", "perhaps x^2; "]),
        ("b(x − 1)", 0..1, ["no function \"b\"", "b*(…)"]),
        ("p(x, y) = −x²", 0..1, ["no abbreviation", "what comes after ="]),
        ("sin x", 0..3, ["sin is a function", "sin(x)"]),
        ("−xy", 1..3, ["\"xy\" is one name", "x y"]),
        ("x**2", 1..3, ["\"**\" has no meaning", "x^2"]),
        ("0,5 x", 1..2, ["a comma does not fit", "a decimal point"]),
        ("x + 1,5", 5..6, ["a comma does not fit", "a decimal point"]),
        ("x, y", 1..2, ["\",\" does not fit", "the end"]),
        ("[x + y]", 0..1, ["\"[\" has no meaning", "round brackets"]),
        ("|x|", 0..1, ["\"|\" has no meaning", "abs(x)"]),
        ("√x", 0..1, ["\"√\" has no meaning", "sqrt(x)"]),
        ("\\frac{x}{2}", 0..5, ["\"\\frac\" has no meaning", "(a)/(b)"]),
        ("−\\left(x²\\right)", 1..6, ["\"\\left\" has no meaning", "plain brackets"]),
        ("−\\sigma x²", 1..7, ["has no meaning", "names without"]),
        ("x == y", 2..4, ["\"==\" has no meaning", "support_x and support_y"]),
        ("x > 0", 2..3, ["\">\" has no meaning", "max(x, 0)"]),
        ("−x²/2*(x >= 0)", 9..11, ["\">=\" has no meaning", "if(x > 0 and y < 1, a, b) for cases"]),
        ("if x < 1 then x else y", 0..2, ["if is a function", "if(x > 0, a, b)"]),
        ("(x ≤ 1) + (y > 0)", 3..4, ["\"≤\" has no meaning", "support_x"]),
        ("if(x, 1, 2)", 4..5, ["a condition compares two values", ">= or =="]),
        ("if(x > 0, 1)", 11..12, ["\")\" does not fit", "if(x > 0, a, b)"]),
        ("if(x > 0 or, 1, 2)", 11..12, ["\",\" does not fit", "a number"]),
        ("if(x > 0, 1, 2, 3)", 14..15, ["\",\" does not fit", ")"]),
        ("if(x != 0, 1, 2)", 5..7, ["\"!=\" has no meaning", "support_x"]),
        ("and = 2\nx and", 0..3, ["has a meaning already", "another name"]),
        ("x && y", 2..4, ["\"&&\" has no meaning", "support_x"]),
        ("x != y", 2..4, ["\"!=\" has no meaning", "support_x"]),
        ("where(x, 1, 0)", 0..5, ["no function \"where\"", "perhaps if(x > 0 and y < 1, a, b)"]),
        ("heaviside(x)", 0..9, ["no function \"heaviside\"", "perhaps if(x > 0, 1, 0)"]),
        ("sgn(x)", 0..3, ["no function \"sgn\"", "perhaps sign(x)"]),
        (
            "x + relu(y)*pow(x, 2) + zta(y) − relu(1)",
            4..8,
            [
                "no functions \"relu\", \"pow\", \"zta\"",
                "perhaps max(x, 0) for \"relu\", and x^2 for \"pow\"; the functions",
            ],
        ),
        ("foo(x) + bar(y", 0..3, ["no functions \"foo\", \"bar\"", "foo*(…)"]),
        ("2 + exp x", 4..7, ["exp is a function", "exp(x)"]),
        ("exp(x, y)", 0..3, ["does not take 2", "one"]),
        ("max(x)", 0..3, ["does not take 1", "2 or more"]),
        ("1/2x", 3..4, ["not clear", "1/(2x)"]),
        ("np.exp(-x**2/2)", 0..6, ["\"np.exp\" has no meaning", "exp, without np."]),
        ("-math.log(x)", 1..9, ["\"math.log\"", "log, without math."]),
        ("x + jnp.scipy.special.expit(y)", 4..27, ["jnp.scipy", "sigmoid(x), without jnp.scipy.special."]),
        ("2 np.pi", 2..7, ["\"np.pi\"", "pi, without np."]),
        ("x @ y", 2..3, ["\"@\" has no meaning", "numbers"]),
        ("x²³⁴", 1..4, ["no power", "raised"]),
        ("x = 2; x", 0..1, ["has a meaning already", "another name"]),
        ("a = 2; a = 3; a", 7..8, ["has a meaning already", "another name"]),
        ("b = a; a = 2; b", 7..8, ["used before", "after its line"]),
        ("−r²\nr = sqrt(x² + y²)", 4..5, ["\"r\" is defined after", "before the line that uses them"]),
        ("−r²/2\nr = sqrt(x² + y²)", 6..7, ["\"r\" is defined after", "before the line that uses them"]),
        ("a = x y + ; a", 10..11, ["the line ends here", "a number"]),
        ("a = 2", 5..5, ["the value is missing", "for example"]),
        ("1e999", 0..5, ["is not a number", "for example"]),
        ("−1.2.3x²", 1..6, ["\"1.2.3\" is not a number", "for example"]),
        ("x + 1e5.5", 4..9, ["\"1e5.5\" is not a number", "for example"]),
        ("−gamma(x)²", 1..6, ["", "exp(lgamma(x))"]),
        ("x\u{0}", 1..2, ["\\0", "numbers"]),
    ] {
        let error = Formula::read(text).unwrap_err();
        assert_eq!(error.at, at, "{text:?}: {error}");
        assert!(error.problem.contains(words[0]) && error.allowed.contains(words[1]), "{text:?}: {error}");
    }
}

/// What is allowed is a noun, so that it can stand after "allowed:".
#[test]
fn what_is_allowed_reads_after_the_word_allowed() {
    for text in
        ["x + * y", "b = a; a = 2; b", "exp(x, y)", "max(x)", "sinn(x)", "x y z)", "a = x y + ; a", "x, y", "x > y"]
    {
        let allowed = Formula::read(text).unwrap_err().allowed;
        let verb = ["expected", "it ", "it takes", "an abbreviation can", "Perhaps"]
            .iter()
            .any(|verb| allowed.starts_with(verb));
        assert!(!verb && !allowed.contains('?'), "{text}: {allowed}");
    }
}

#[test]
fn names_that_others_give_to_coordinates_are_known() {
    for name in ["x_1", "x1", "x₁", "x_2", "X", "Y", "theta", "θ₂", "Theta_1", "y2"] {
        assert!(Formula::hint(name).is_some_and(|hint| hint.starts_with("x and y")), "{name}");
    }
    assert!(Formula::hint("and").is_some_and(|hint| hint.contains("support_x")));
    for name in ["s", "sigma", "xs", "thetas", "b_1", "e1"] {
        assert_eq!(Formula::hint(name), None, "{name}");
    }
}

#[test]
fn what_is_too_long_or_too_deep_is_refused() {
    let deep = format!("{}x{}", "(".repeat(101), ")".repeat(101));
    assert!(Formula::read(&deep).unwrap_err().problem.contains("within each other"));
    assert!(Formula::read(&deep[1..202]).is_ok());
    assert!(Formula::read(&"x^".repeat(300)).unwrap_err().problem.contains("within each other"));
    assert!(Formula::read(&" ".repeat(20_001)).unwrap_err().problem.contains("20001 characters"));
    let many: String = (0..65).map(|number| format!("+ p{number}")).collect();
    assert!(Formula::read(&format!("x {many}")).unwrap_err().problem.contains("too many names"));
    // Each doubles the parts: 2^40 of them, if they were not shared.
    let doubled: String = (0..40).map(|n| format!("a{} = a{n}*a{n} + a{n}\n", n + 1)).collect();
    assert!(Formula::read(&format!("a0 = x\n{doubled}a40")).is_ok());
    let long = format!("x{}", " + sin(x*y)".repeat(1800));
    assert!(Formula::read(&long).is_ok());
}

#[test]
fn parameters_come_in_their_order() {
    let formula = Formula::read("r = sqrt(x² + y²)\n−(r − R)²/(2 σ²) + R θ₁").unwrap();
    assert_eq!(formula.parameters().collect::<Vec<_>>(), ["R", "σ", "θ₁"]);
    assert_eq!(formula.error_at(1, "a", "b").at.start, 31);
    let density = formula.density(&[2.0, 0.5, 0.25], Form::LogDensity).unwrap();
    assert_relative_eq!(density.value(3.0, 4.0), -18.0 + 0.5);
}

/// Three terms of a log density with known derivatives: x² y³, −(y − b x²)²/2, ln of a mixture.
#[test]
fn derivatives_are_exact() {
    let density = Formula::read("x²*y³ − (y − 0.5x²)²/2").unwrap().density(&[], Form::LogDensity).unwrap();
    for (x, y) in [(0.3, -1.2), (2.0, 0.7), (-1.1, 3.0)] {
        let above: f64 = y - 0.5 * x * x;
        let gradient = [2.0 * x * y * y * y + above * x, 3.0 * x * x * y * y - above];
        let hessian = [2.0 * y * y * y - x * x + above, 6.0 * x * y * y + x, 6.0 * x * x * y - 1.0];
        for (found, expected) in density.gradient(x, y).into_iter().zip(gradient) {
            assert_relative_eq!(found, expected, max_relative = 1e-13);
        }
        for (found, expected) in density.hessian(x, y).into_iter().zip(hessian) {
            assert_relative_eq!(found, expected, max_relative = 1e-13);
        }
    }
    // Far from both terms neither over- nor underflow: only the nearer one counts.
    let density =
        Formula::read("logsumexp(−(x − 100)²/2, −(x + 100)²/2)").unwrap().density(&[], Form::LogDensity).unwrap();
    assert_relative_eq!(density.value(60.0, 0.0), -800.0);
    assert_relative_eq!(density.gradient(60.0, 0.0)[0], 40.0);
    assert_relative_eq!(density.hessian(60.0, 0.0)[0], -1.0);
    assert_relative_eq!(density.hessian(0.0, 0.0)[0], 9999.0, max_relative = 1e-12);
}

#[test]
fn common_parts_are_shared() {
    let density = Formula::read("logsumexp(−((x−1)²+y²)/2, −((x+1)²+y²)/2, −(x²+(y−1)²)/2)").unwrap();
    let [value, gradient, hessian] = density.density(&[], Form::LogDensity).unwrap().instructions();
    assert!(value <= 30 && gradient <= 50 && hessian <= 110, "{value} {gradient} {hessian}");
    let constant = Formula::read("ln(2) + 3^2").unwrap().density(&[], Form::LogDensity).unwrap();
    assert_eq!(constant.instructions(), [0; 3]);
}

/// Formulas that are defined everywhere.
pub(super) fn smooth() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("x".to_owned()),
        Just("y".to_owned()),
        (-3.0..3.0_f64).prop_map(|number| format!("({number:.2})"))
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} + {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} − {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}*{b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}/(1.5 + {b}²)")),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| format!("logsumexp({a}, {b}, {c})")),
            (
                inner.clone(),
                prop::sample::select(vec![
                    "sin",
                    "cos",
                    "tanh",
                    "atan",
                    "sigmoid",
                    "softplus",
                    "erf",
                    "erfc",
                    "Phi",
                    "inv_logit"
                ])
            )
                .prop_map(|(a, function)| format!("{function}({a})")),
            inner.clone().prop_map(|a| format!("sqrt(1 + {a}²)")),
            inner.clone().prop_map(|a| format!("exp(−({a})²)")),
            inner.prop_map(|a| format!("ln(2 + ({a})^2)")),
        ]
    })
}

/// Formulas with kinks, poles, and points where they are no numbers.
fn partial() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("x".to_owned()),
        Just("y".to_owned()),
        Just("0".to_owned()),
        (-3.0..3.0_f64).prop_map(|number| format!("({number:.2})"))
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            (two.clone(), prop::sample::select(vec!["+", "−", "*", "/"]))
                .prop_map(|((a, b), sign)| format!("({a} {sign} ({b}))")),
            (two, prop::sample::select(vec!["max", "min", "logsumexp"]))
                .prop_map(|((a, b), name)| format!("{name}({a}, {b})")),
            (
                inner.clone(),
                prop::sample::select(vec![
                    "ln", "sqrt", "abs", "exp", "sin", "cos", "tanh", "atan", "sigmoid", "softplus", "erf", "erfc",
                    "Phi", "cosh", "sinh", "log10", "log1p", "expm1", "logit", "lgamma"
                ])
            )
                .prop_map(|(a, function)| format!("{function}({a})")),
            inner.clone().prop_map(|a| format!("max(0, {a})/({a})")),
            (inner, prop::sample::select(vec!["−1", "−0.5", "0.5", "1.3", "2", "3"]))
                .prop_map(|(a, power)| format!("({a})^({power})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(2000)))]

    /// Every value over a box is within its bounds, and where there are none there is no value. A quotient by 0 may be ∞ with either sign.
    #[test]
    fn values_are_within_their_bounds(
        text in partial(),
        at in prop::array::uniform2(-3.0..3.0_f64),
        size in prop::array::uniform2(0.001..4.0_f64),
        shares in prop::collection::vec(prop::array::uniform2(0.0..1.0_f64), 12),
    ) {
        let density = Formula::read(&text).unwrap().density(&[], Form::LogDensity).unwrap();
        let [low, high] = density.value_bounds([at[0], at[0] + size[0]], [at[1], at[1] + size[1]]);
        let corners = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.5, 0.5]];
        for share in shares.into_iter().chain(corners) {
            let point = [0, 1].map(|axis| at[axis] + share[axis] * size[axis]);
            let value = density.value(point[0], point[1]);
            prop_assert!(!value.is_finite() || low <= value && value <= high, "{text} at {point:?}: {value}, {low} to {high}");
        }
    }
}

/// A step has no value where its argument has none, nor has the slope of a kink.
#[test]
fn steps_and_kinks_have_no_value_where_their_argument_has_none() {
    for text in ["max(0, ln(x))/ln(x) + y", "abs(ln(x)) + y", "max(ln(x), y)", "min(y, 0, sqrt(x))"] {
        let density = Formula::read(text).unwrap().density(&[], Form::LogDensity).unwrap();
        assert!(density.value(-0.5, 0.3).is_nan() && density.gradient(-0.5, 0.3)[0].is_nan(), "{text}");
        assert!(density.value(2.0, 0.3).is_finite(), "{text}");
        let [low, high] = density.value_bounds([-2.0, -1.0], [0.0, 1.0]);
        assert!(low > high, "{text}: a value between {low} and {high}");
    }
    let step = Formula::read("max(0, x)/x").unwrap().density(&[], Form::LogDensity).unwrap();
    for (x, expected) in [(-1.0, 0.0), (0.5, 1.0), (2.0, 1.0)] {
        assert!((step.value(x, 0.0) - expected).abs() <= 0.0, "{x}");
    }
}

/// A factor of 0 leaves the support as it is, wherever it comes from.
#[test]
fn zero_times_a_logarithm_is_a_number_only_where_that_is_one() {
    for text in [
        "(a − 1) ln(x)",
        "−(a − 1)*ln(x)*2 + 3",
        "2*(a − 1)*(ln(x) + y)/3",
        "y − (a − 1) sqrt(x)/7",
        "(a − 1) ln(x) + (a − 1) ln(3 + x + y²)",
        "b = ln(x)*(a − 1); −b + y b",
    ] {
        let density = Formula::read(text).unwrap().density(&[1.0], Form::LogDensity).unwrap();
        assert!(density.value(-0.5, 0.3).is_nan() && density.value(0.5, 0.3).is_finite(), "{text}");
        assert!(density.gradient(0.5, 0.3).iter().all(|slope| slope.is_finite()), "{text}");
        assert!(density.value_bounds([-2.0, -1.0], [0.0, 1.0])[1] < 0.0, "{text}");
    }
    assert_eq!(Formula::read("0*x*exp(y)").unwrap().density(&[], Form::LogDensity).unwrap().instructions(), [0; 3]);
}

proptest! {
    /// Gradient and Hessian are the differences of what they are derivatives of.
    #[test]
    fn derivatives_are_those_of_differences(text in smooth(), x in -2.0..2.0_f64, y in -2.0..2.0_f64) {
        let density = Formula::read(&text).unwrap().density(&[], Form::LogDensity).unwrap();
        let h = 1e-5;
        let [gx, gy] = density.gradient(x, y);
        let [xx, xy, yy] = density.hessian(x, y);
        let slope = |f: &dyn Fn(f64) -> f64| (f(h) - f(-h)) / (2.0 * h);
        let (left, right) = (density.hessian(x - h, y), density.hessian(x + h, y));
        let bend = (0..3).map(|i| (left[i] - right[i]).abs()).fold(0.0, f64::max) / h;
        let size = 1.0 + gx.abs() + gy.abs() + xx.abs() + xy.abs() + yy.abs() + bend + density.value(x, y).abs();
        prop_assume!(size < 1e4);
        for (found, expected) in [
            (gx, slope(&|d| density.value(x + d, y))),
            (gy, slope(&|d| density.value(x, y + d))),
            (xx, slope(&|d| density.gradient(x + d, y)[0])),
            (xy, slope(&|d| density.gradient(x, y + d)[0])),
            (xy, slope(&|d| density.gradient(x + d, y)[1])),
            (yy, slope(&|d| density.gradient(x, y + d)[1])),
        ] {
            prop_assert!((found - expected).abs() < 1e-6 * size, "{text}: {found} is not {expected}");
        }
    }

    /// The bits at a point depend neither on the other points nor on the instructions of the machine.
    #[test]
    fn many_points_have_the_bits_of_one(text in smooth(), count in 1..200_usize) {
        let density = Formula::read(&text).unwrap().density(&[], Form::LogDensity).unwrap();
        let coordinate = |i: usize, turn: f64| (i as f64 * turn).rem_euclid(4.0) - 2.0;
        let x: Vec<f64> = (0..count).map(|i| coordinate(i, 1.618)).collect();
        let y: Vec<f64> = (0..count).map(|i| coordinate(i, 2.303)).collect();
        for simd in Simd::available() {
            let (mut value, mut gx, mut gy) = (vec![0.0; count], vec![0.0; count], vec![0.0; count]);
            density.values(simd, &x, &y, &mut value);
            density.gradients(simd, &x, &y, &mut gx, &mut gy);
            for i in 0..count {
                prop_assert_eq!(value[i].to_bits(), density.value(x[i], y[i]).to_bits());
                prop_assert_eq!([gx[i], gy[i]].map(f64::to_bits), density.gradient(x[i], y[i]).map(f64::to_bits));
            }
        }
    }

    /// A formula with some letters changed is read, or has an error within its text.
    #[test]
    fn changed_formulas_are_read_or_refused(
        text in smooth(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select("xy+-*/^(),=;\n1.e²⁻ aπs".chars().collect::<Vec<_>>())), 1..6),
    ) {
        let mut letters: Vec<char> = text.chars().collect();
        for (index, letter) in changes {
            let at = index.index(letters.len());
            letters[at] = letter;
        }
        let changed: String = letters.iter().collect();
        match Formula::read(&changed) {
            Ok(formula) => {
                let count = formula.parameters().count();
                let density = formula.density(&vec![0.5; count], Form::LogDensity).unwrap();
                prop_assert!(density.hessian(0.3, density.value(0.1, 0.2)).len() == 3);
            }
            Err(error) => {
                prop_assert!(error.at.start <= error.at.end && error.at.end <= letters.len(), "{changed}: {error:?}");
                prop_assert!(!error.problem.is_empty() && !error.allowed.is_empty());
            }
        }
    }

    /// So is any text.
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,80}") {
        if let Err(error) = Formula::read(&text) {
            prop_assert!(error.at.end <= text.chars().count());
        }
    }
}
