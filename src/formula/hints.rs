//! Hints: what somebody may have meant who writes what other programs, or books, understand.

use super::functions::NAMES;

/// Functions that have another name here.
const ELSEWHERE: [(&str, &str); 10] = [
    ("arctan", "atan(x)"),
    ("expit", "sigmoid(x)"),
    ("logistic", "sigmoid(x)"),
    ("log1pexp", "softplus(x)"),
    ("log1p", "ln(1 + x)"),
    ("lse", "logsumexp(x, y)"),
    ("fabs", "abs(x)"),
    ("pow", "x^2"),
    ("power", "x^2"),
    ("square", "x^2"),
];

/// What to write for a sign that has no meaning.
const SIGNS: [(&str, &str); 9] = [
    ("[]{}⟨⟩", "round brackets: ( and )"),
    ("|∣", "abs(x) for |x|"),
    ("√", "sqrt(x)"),
    ("½", "0.5"),
    ("¼", "0.25"),
    ("\\", "names without \\: sqrt(x), sigma"),
    ("!", "products: 2*3 for 3!"),
    (":", "= alone"),
    ("∞", "a large number"),
];

/// What to write for a function that is not known.
pub(super) fn for_function(name: &str) -> Option<&'static str> {
    let small = name.to_lowercase();
    if let Some((_, meant)) = ELSEWHERE.iter().find(|(known, _)| *known == small) {
        return Some(meant);
    }
    let slips = if small.chars().count() < 5 { 1 } else { 2 };
    let distances = NAMES.iter().map(|known| (strsim::damerau_levenshtein(known, &small), *known));
    distances.filter(|(distance, _)| *distance <= slips).min_by_key(|(distance, _)| *distance).map(|(_, known)| known)
}

/// What to write for a sign that has no meaning.
pub(super) fn for_sign(sign: char) -> Option<&'static str> {
    SIGNS.iter().find(|(signs, _)| signs.contains(sign)).map(|(_, meant)| *meant)
}
