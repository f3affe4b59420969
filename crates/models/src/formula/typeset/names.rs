//! Names as they are typeset: Greek letters for their names, and numbers at the end as an index.

/// Greek letters with their names.
const GREEK: [(&str, &str); 31] = [
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("phi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Gamma", "Γ"),
    ("Delta", "Δ"),
    ("Theta", "Θ"),
    ("Lambda", "Λ"),
    ("Xi", "Ξ"),
    ("Pi", "Π"),
    ("Sigma", "Σ"),
    ("Phi", "Φ"),
    ("Psi", "Ψ"),
    ("Omega", "Ω"),
    ("iota", "ι"),
];

const LOW_DIGITS: [char; 10] = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];

/// A name in two parts, the letters and the index, which may be empty.
pub(super) fn split(name: &str) -> (String, String) {
    let plain: String = name.chars().map(digit).collect();
    let (head, index) = match plain.split_once('_') {
        Some((head, index)) if !head.is_empty() && !index.is_empty() => (head, index),
        _ => {
            let head = plain.trim_end_matches(|letter: char| letter.is_ascii_digit());
            if head.is_empty() { (&plain[..], "") } else { plain.split_at(head.len()) }
        }
    };
    (greek(head).to_owned(), index.split('_').map(greek).collect::<Vec<_>>().join(","))
}

/// The Greek letter of this name, or the name.
fn greek(name: &str) -> &str {
    GREEK.iter().find(|(known, _)| *known == name).map_or(name, |(_, letter)| letter)
}

fn digit(letter: char) -> char {
    let low = (b'0'..).zip(LOW_DIGITS).find(|(_, low)| *low == letter);
    low.map_or(letter, |(digit, _)| char::from(digit))
}
