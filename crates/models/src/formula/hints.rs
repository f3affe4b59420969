//! Hints: what somebody may have meant who writes what other programs, or books, understand.

use super::functions::NAMES;

/// What to write for a case: a comparison, or a word of one.
pub(super) const CASES: &str = "if(x > 0 and y < 1, a, b) for cases, max(x, 0), min(x, y) and abs(x) for kinks; where the density is 0 beyond a value, \
                                support_x and support_y say it";

/// What a condition is.
pub(super) const COMPARISONS: &str =
    "<, >, <=, >= or == between them, with and, or between comparisons: if(0 < x < 1 and y > 0, a, b)";

/// Words of cases.
const WORDS_OF_CASES: [&str; 12] =
    ["if", "then", "else", "elif", "and", "or", "not", "where", "ifelse", "piecewise", "cases", "indicator"];

/// Functions that have another name here, or are made of others.
const ELSEWHERE: [(&str, &str); 28] = [
    ("arctan", "atan(x)"),
    ("arctan2", "atan2(y, x)"),
    ("ceiling", "ceil(x)"),
    ("expit", "sigmoid(x)"),
    ("logistic", "sigmoid(x)"),
    ("log1pexp", "softplus(x)"),
    ("lse", "logsumexp(x, y)"),
    ("fabs", "abs(x)"),
    ("pow", "x^2"),
    ("power", "x^2"),
    ("square", "x^2"),
    ("step", STEP),
    ("heaviside", STEP),
    ("sgn", "sign(x)"),
    ("relu", "max(x, 0)"),
    ("clip", "max(0, min(x, 1))"),
    ("clamp", "max(0, min(x, 1))"),
    ("cbrt", "x^(1/3)"),
    ("gammaln", "lgamma(x)"),
    ("dpois", "poisson_lpmf(n | x)"),
    ("dbinom", "binomial_lpmf(n | m, x)"),
    ("dunif", "uniform_lpdf(x | a, b)"),
    ("gamma", "exp(lgamma(x))"),
    ("norm_cdf", "Phi(x)"),
    ("phi", "exp(normal_lpdf(x | 0, 1)), or Phi(x) for the distribution function"),
    ("dnorm", "exp(normal_lpdf(x | 0, 1))"),
    ("normal", "normal_lpdf(x | 0, 1)"),
    ("prod", "exp(sum(ln(t[i]))) over the rows of data"),
];

const STEP: &str = "if(x > 0, 1, 0)";

/// Names that others give to coordinates, without their index.
const COORDINATES_ELSEWHERE: [&str; 6] = ["x", "y", "z", "theta", "θ", "ϑ"];

/// What to write for a sign that has no meaning.
const SIGNS: [(&str, &str); 9] = [
    ("≠&", CASES),
    ("[]{}⟨⟩", "round brackets: ( and )"),
    ("|∣", "abs(x) for |x|"),
    ("√", "sqrt(x)"),
    ("½", "0.5"),
    ("¼", "0.25"),
    ("!", "products: 2*3 for 3!"),
    (":", "= alone"),
    ("∞", "a large number"),
];

/// What to write for a function that is not known.
pub(super) fn for_function(name: &str) -> Option<&'static str> {
    let small = name.to_lowercase();
    if WORDS_OF_CASES.contains(&&*small) {
        return Some(CASES);
    }
    if let Some((_, meant)) = ELSEWHERE.iter().find(|(known, _)| *known == small) {
        return Some(meant);
    }
    let slips = if small.chars().count() < 5 { 1 } else { 2 };
    let distances = NAMES.iter().map(|known| (strsim::damerau_levenshtein(known, &small), *known));
    distances.filter(|(distance, _)| *distance <= slips).min_by_key(|(distance, _)| *distance).map(|(_, known)| known)
}

/// What to write for a name behind that of a module, as in np.exp.
pub(super) fn without(prefix: &str, name: &str) -> String {
    let meant = if NAMES.contains(&name) { name } else { for_function(name).unwrap_or(name) };
    format!("{meant}, without {prefix}")
}

/// What to write for a name that has no number.
pub(super) fn for_name(name: &str) -> Option<&'static str> {
    let small = name.to_lowercase();
    if WORDS_OF_CASES.contains(&&*small) {
        return Some(CASES);
    }
    let bare = small.trim_end_matches(|letter: char| letter.is_numeric() || letter == '_');
    COORDINATES_ELSEWHERE.contains(&bare).then_some(
        "x and y, if it is a coordinate, or x[1], x[2], … in more than two dimensions: they have no other names",
    )
}

/// What to write for a command of TeX, by its name.
pub(super) fn for_command(name: &str) -> &'static str {
    match name {
        "frac" | "dfrac" | "tfrac" => "(a)/(b) for a fraction a/b",
        "left" | "right" | "big" | "Big" | "bigl" | "bigr" => "plain brackets: ( and )",
        "cdot" | "times" => "* for a product",
        _ => "names without \\: sqrt(x), sigma",
    }
}

/// What to write for a sign that has no meaning.
pub(super) fn for_sign(sign: char) -> Option<&'static str> {
    SIGNS.iter().find(|(signs, _)| signs.contains(sign)).map(|(_, meant)| *meant)
}
