//! Labels as matplotlib sets them: a letter with what hangs on it is a formula between dollars, words are upright.

use super::{Label, Script};

/// Marks above letters, and what formulas call them.
const ACCENTS: [(char, &str); 3] = [('\u{302}', "hat"), ('\u{304}', "bar"), ('\u{303}', "tilde")];

impl Label {
    /// The same as matplotlib sets it: a letter with what hangs on it is a formula, words are upright.
    #[must_use]
    pub fn mathtext(&self) -> String {
        as_mathtext(&self.parts.iter().map(|part| (part.text.as_str(), part.script)).collect::<Vec<_>>())
    }
}

/// Parts of a text as matplotlib sets them: a letter with what hangs on it or stands above it is a formula, words are upright.
#[must_use]
pub fn as_mathtext(parts: &[(&str, Script)]) -> String {
    let marked = |text: &str| text.contains(|letter| accent(letter).is_some());
    if parts.iter().all(|(text, script)| *script == Script::Line && !marked(text)) {
        return parts.iter().map(|(text, _)| *text).collect();
    }
    let mut found = String::new();
    // What hangs on the last letter: a formula has one of each. Whether the text ends with a formula that nothing hangs on yet.
    let (mut signs, mut open): (Vec<char>, bool) = (Vec::new(), false);
    for (text, script) in parts {
        let sign = match script {
            Script::Line => {
                open = add_line(&mut found, text);
                signs.clear();
                continue;
            }
            Script::Raised => '^',
            Script::Lowered => '_',
        };
        let hung = format!("{sign}{}", hung(text.trim()));
        if !open && (signs.is_empty() || signs.contains(&sign)) {
            signs.clear();
            let variable = variable(&found);
            let base = variable.map(mathtext_of).unwrap_or_default();
            found.truncate(found.len() - variable.map_or(0, char::len_utf8));
            found.push_str(&format!("${base}{hung}"));
        } else {
            found.pop();
            found.push_str(&hung);
        }
        signs.push(sign);
        open = false;
        found.push('$');
    }
    found
}

/// What formulas call a mark above the letter before it.
fn accent(mark: char) -> Option<&'static str> {
    ACCENTS.iter().find(|(known, _)| *known == mark).map(|(_, name)| *name)
}

/// A letter below a mark as a formula.
fn accented(letter: char, name: &str) -> String {
    format!(r"\{name}{{{}}}", mathtext_of(letter))
}

/// Adds what stands on the line, letters below marks as formulas. Returns whether it ends with such a formula.
fn add_line(found: &mut String, text: &str) -> bool {
    let mut letters = text.chars().peekable();
    let mut open = false;
    while let Some(letter) = letters.next() {
        let name = letters.peek().copied().and_then(accent);
        open = name.is_some();
        match (name, letter) {
            (Some(name), letter) => {
                letters.next();
                found.push_str(&format!("${}$", accented(letter, name)));
            }
            (None, '$') => found.push_str(r"\$"),
            (None, letter) => found.push(letter),
        }
    }
    open
}

/// What hangs on a letter, as matplotlib sets it: numbers and single letters as they are, words upright.
fn hung(text: &str) -> String {
    let mut letters = text.chars();
    if let (Some(letter), None) = (letters.next(), letters.next())
        && letter.is_alphanumeric()
    {
        return mathtext_of(letter);
    }
    let mut letters = text.chars();
    if let (Some(letter), Some(mark), None) = (letters.next(), letters.next(), letters.next())
        && let Some(name) = accent(mark)
    {
        return format!("{{{}}}", accented(letter, name));
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return format!("{{{text}}}");
    }
    // Braces and spaces of formulas are written as such.
    let escaped =
        text.chars().flat_map(|letter| r"{}_^#% \$".contains(letter).then_some('\\').into_iter().chain([letter]));
    format!(r"{{\mathrm{{{}}}}}", escaped.collect::<String>())
}

/// The letter at the end of a text that stands there by itself: a variable.
fn variable(text: &str) -> Option<char> {
    let mut letters = text.chars().rev();
    let last = letters.next().filter(|letter| letter.is_alphabetic())?;
    letters.next().is_none_or(|before| !before.is_alphanumeric()).then_some(last)
}

/// A letter as formulas of matplotlib have it.
pub(crate) fn mathtext_of(letter: char) -> String {
    const GREEK: [(char, &str); 33] = [
        ('α', "alpha"),
        ('β', "beta"),
        ('γ', "gamma"),
        ('δ', "delta"),
        ('ε', "varepsilon"),
        ('ζ', "zeta"),
        ('η', "eta"),
        ('θ', "theta"),
        ('ι', "iota"),
        ('κ', "kappa"),
        ('λ', "lambda"),
        ('μ', "mu"),
        ('ν', "nu"),
        ('ξ', "xi"),
        ('π', "pi"),
        ('ρ', "rho"),
        ('σ', "sigma"),
        ('τ', "tau"),
        ('υ', "upsilon"),
        ('φ', "varphi"),
        ('χ', "chi"),
        ('ψ', "psi"),
        ('ω', "omega"),
        ('Γ', "Gamma"),
        ('Δ', "Delta"),
        ('Θ', "Theta"),
        ('Λ', "Lambda"),
        ('Ξ', "Xi"),
        ('Π', "Pi"),
        ('Σ', "Sigma"),
        ('Φ', "Phi"),
        ('Ψ', "Psi"),
        ('Ω', "Omega"),
    ];
    let name = GREEK.iter().find(|(known, _)| *known == letter);
    name.map_or_else(|| letter.to_string(), |(_, name)| format!("\\{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::Part;
    use egui::{Color32, pos2};

    fn set(parts: &[(&str, Script)]) -> String {
        let part = |(text, script): &(&str, Script)| Part {
            text: (*text).to_owned(),
            script: *script,
            size: 10.0,
            colour: Color32::BLACK,
            bold: false,
        };
        let parts = parts.iter().map(part).collect();
        Label { parts, start: pos2(0.0, 0.0), angle: 0.0, width: 10.0, anchor: 0.0, axis: None }.mathtext()
    }

    #[test]
    fn variables_are_formulas_and_words_upright() {
        use Script::{Line, Lowered, Raised};
        for (parts, expected) in [
            (&[("5 $", Line)][..], "5 $"),
            (&[("θ", Line), ("1", Lowered)], r"$\theta_1$"),
            (&[("log x", Line), ("12", Lowered), ("2", Raised), (" of y", Line)], r"log $x_{12}^2$ of y"),
            (&[("σ", Line), ("k", Lowered)], r"$\sigma_k$"),
            (&[("β", Line), ("age 2", Lowered)], r"$\beta_{\mathrm{age\ 2}}$"),
            // A number or a word is no variable.
            (&[("10", Line), ("-3", Raised)], r"10$^{\mathrm{-3}}$"),
            (&[("ESS", Line), ("n", Lowered)], "ESS$_n$"),
            // Marks above letters are those of formulas.
            (&[("θ\u{302} of $5", Line)], r"$\hat{\theta}$ of \$5"),
            (&[("the θ\u{302}", Line), ("1", Lowered), ("2", Raised)], r"the $\hat{\theta}_1^2$"),
            (&[("σ", Line), ("x\u{304}", Lowered)], r"$\sigma_{\bar{x}}$"),
        ] {
            assert_eq!(set(parts), expected);
        }
    }
}
