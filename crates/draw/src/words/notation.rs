//! Formulas in Unicode as LaTeX and as Typst.

/// A notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// LaTeX, without dollars.
    Latex,
    /// Typst, without dollars.
    Typst,
}

/// Characters with their names in LaTeX and in Typst.
const NAMES: &[(char, &str, &str)] = &[
    ('α', r"\alpha", "alpha"),
    ('β', r"\beta", "beta"),
    ('γ', r"\gamma", "gamma"),
    ('δ', r"\delta", "delta"),
    ('ε', r"\varepsilon", "epsilon"),
    ('ζ', r"\zeta", "zeta"),
    ('η', r"\eta", "eta"),
    ('θ', r"\theta", "theta"),
    ('λ', r"\lambda", "lambda"),
    ('μ', r"\mu", "mu"),
    ('ν', r"\nu", "nu"),
    ('ξ', r"\xi", "xi"),
    ('π', r"\pi", "pi"),
    ('ρ', r"\rho", "rho"),
    ('σ', r"\sigma", "sigma"),
    ('τ', r"\tau", "tau"),
    ('φ', r"\varphi", "phi"),
    ('ψ', r"\psi", "psi"),
    ('ω', r"\omega", "omega"),
    ('Γ', r"\Gamma", "Gamma"),
    ('Δ', r"\Delta", "Delta"),
    ('Λ', r"\Lambda", "Lambda"),
    ('Σ', r"\sum", "sum"),
    ('Ω', r"\Omega", "Omega"),
    ('ĝ', r"\hat g", "hat(g)"),
    ('∇', r"\nabla", "nabla"),
    ('∂', r"\partial", "partial"),
    ('∞', r"\infty", "infinity"),
    ('√', r"\sqrt", "sqrt"),
    ('←', r"\leftarrow", "arrow.l"),
    ('→', r"\to", "arrow.r"),
    ('·', r"\cdot", "dot"),
    ('×', r"\times", "times"),
    ('±', r"\pm", "plus.minus"),
    ('−', "-", "-"),
    ('≤', r"\le", "<="),
    ('≥', r"\ge", ">="),
    ('≈', r"\approx", "approx"),
    ('∝', r"\propto", "prop"),
    ('∈', r"\in", "in"),
    ('∼', r"\sim", "tilde"),
    ('~', r"\sim", "tilde"),
    ('ᵀ', r"^\top", "^top"),
    ('′', "'", "'"),
    ('…', r"\dots", "dots"),
    ('‖', r"\|", "bar.v.double"),
    ('∫', r"\int", "integral"),
    ('ℓ', r"\ell", "ell"),
    ('⊙', r"\odot", "dot.o"),
];

/// Signs above the letter before them.
const ACCENTS: &[(char, &str, &str)] =
    &[('\u{302}', r"\hat", "hat"), ('\u{304}', r"\bar", "macron"), ('\u{303}', r"\tilde", "tilde")];

const LOWER: &str = "₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₖₙₘₜₐₓ";
const LOWER_PLAIN: &str = "0123456789+-ijknmtax";
const UPPER: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ";
const UPPER_PLAIN: &str = "0123456789+-n";

/// Other characters that names can have by their names in LaTeX, without the backslash.
const MORE_NAMES: &[(&str, char)] = &[
    ("epsilon", 'ε'),
    ("phi", 'φ'),
    ("kappa", 'κ'),
    ("chi", 'χ'),
    ("iota", 'ι'),
    ("upsilon", 'υ'),
    ("vartheta", 'ϑ'),
    ("Theta", 'Θ'),
    ("Xi", 'Ξ'),
    ("Pi", 'Π'),
    ("Sigma", 'Σ'),
    ("Phi", 'Φ'),
    ("Psi", 'Ψ'),
    ("leq", '≤'),
    ("geq", '≥'),
    ("neq", '≠'),
    ("prime", '′'),
    ("rightarrow", '→'),
];

/// The character with a name in LaTeX, written without the backslash.
#[must_use]
pub fn named_character(name: &str) -> Option<char> {
    let listed = NAMES.iter().find(|known| known.1.strip_prefix('\\') == Some(name)).map(|known| known.0);
    listed.or_else(|| Some(MORE_NAMES.iter().find(|known| known.0 == name)?.1))
}

/// A formula in a notation.
#[must_use]
pub fn written(formula: &str, notation: Notation) -> String {
    let mut text = String::new();
    let mut letters = formula.chars().peekable();
    while let Some(letter) = letters.next() {
        if let Some((word, rest)) = word(letter, &mut letters) {
            text.push_str(&named(&word, notation));
            text.push_str(rest);
            continue;
        }
        if let Some((sign, plain)) = script(letter) {
            let mut run = String::from(plain);
            while let Some(next) = letters.peek().and_then(|next| script(*next)).filter(|next| next.0 == sign) {
                run.push(next.1);
                letters.next();
            }
            let (open, close) = if notation == Notation::Latex { ('{', '}') } else { ('(', ')') };
            // It hangs on what is before it, without a space.
            text.truncate(text.trim_end().len());
            text.extend([sign, open]);
            text.push_str(&run);
            text.push(close);
            continue;
        }
        let accent = letters.peek().and_then(|next| ACCENTS.iter().find(|accent| accent.0 == *next));
        let single = symbol(letter, notation);
        match (accent, notation) {
            (Some((_, latex, _)), Notation::Latex) => text.push_str(&format!("{latex}{{{}}}", single.trim())),
            (Some((.., typst)), Notation::Typst) => text.push_str(&format!("{typst}({})", single.trim())),
            (None, _) if letter == '√' => {
                text.push_str(&root(&mut letters, notation));
                continue;
            }
            (None, _) => text.push_str(&single),
        }
        if accent.is_some() {
            letters.next();
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What stands below a root: a pair of parentheses, or one sign.
fn root(letters: &mut std::iter::Peekable<std::str::Chars<'_>>, notation: Notation) -> String {
    let mut inside = String::new();
    if letters.next_if_eq(&'(').is_some() {
        let mut depth = 1;
        for letter in letters.by_ref() {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            if depth == 0 {
                break;
            }
            inside.push(letter);
        }
    } else {
        inside.extend(letters.next());
        inside.extend(letters.next_if(|next| ACCENTS.iter().any(|accent| accent.0 == *next)));
    }
    let inside = written(&inside, notation);
    if notation == Notation::Latex { format!(r"\sqrt{{{inside}}} ") } else { format!("sqrt({inside}) ") }
}

/// A word of two letters and more, such as "log", with nothing after it.
fn word(first: char, letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<(String, &'static str)> {
    if !first.is_ascii_alphabetic() {
        return None;
    }
    let mut word = String::from(first);
    let mut ahead = letters.clone();
    word.extend(std::iter::from_fn(|| ahead.next_if(char::is_ascii_alphabetic)));
    if word.len() == 1 {
        return None;
    }
    *letters = ahead;
    Some((word, " "))
}

fn named(word: &str, notation: Notation) -> String {
    const FUNCTIONS: [&str; 6] = ["exp", "log", "max", "min", "ln", "sin"];
    match notation {
        Notation::Latex if FUNCTIONS.contains(&word) => format!(r" \{word}"),
        Notation::Typst if FUNCTIONS.contains(&word) => format!(" {word}"),
        Notation::Latex => format!(r" \text{{ {word} }}"),
        Notation::Typst => format!(r#" "{word}""#),
    }
}

fn symbol(letter: char, notation: Notation) -> String {
    let known = NAMES.iter().find(|known| known.0 == letter);
    match (known, notation) {
        (Some((_, latex, _)), Notation::Latex) if !latex.starts_with('\\') => (*latex).to_owned(),
        (Some((_, latex, _)), Notation::Latex) => format!("{latex} "),
        (Some((_, _, typst)), Notation::Typst) if typst.len() == 1 => (*typst).to_owned(),
        (Some((_, _, typst)), Notation::Typst) => format!(" {typst} "),
        (None, _) => letter.to_string(),
    }
}

/// Whether a character is a sign of formulas rather than of words.
pub(super) fn is_sign(letter: char) -> bool {
    letter != '…' && letter != '′' && NAMES.iter().any(|known| known.0 == letter)
}

/// Whether a character is a subscript, a superscript, or a sign above the letter before it.
pub(super) fn is_script(letter: char) -> bool {
    script(letter).is_some() || ACCENTS.iter().any(|accent| accent.0 == letter) || letter == '′'
}

/// The sign and the plain character of a subscript or a superscript.
fn script(letter: char) -> Option<(char, char)> {
    let of = |all: &str, plain: &str| plain.chars().nth(all.chars().position(|known| known == letter)?);
    of(LOWER, LOWER_PLAIN).map(|plain| ('_', plain)).or_else(|| Some(('^', of(UPPER, UPPER_PLAIN)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_written_in_both_notations() {
        let sgld = "θ ← θ + α ĝ + √(2α) ξ";
        assert_eq!(written(sgld, Notation::Latex), r"\theta \leftarrow \theta + \alpha \hat g + \sqrt{2\alpha} \xi");
        assert_eq!(written(sgld, Notation::Typst), "theta arrow.l theta + alpha hat(g) + sqrt(2 alpha) xi");
        assert_eq!(written("z₁₂ − m\u{302}²", Notation::Latex), r"z_{12} -\hat{m}^{2}".replace("-\\", "- \\"));
        assert_eq!(written("min(1, p(θ′)/p(θ))", Notation::Latex), r"\min (1, p(\theta ')/p(\theta ))");
    }
}
