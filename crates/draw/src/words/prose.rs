//! Text with signs of formulas as source of LaTeX and of Typst: words stay words, and signs with what hangs on them become formulas that the
//! document sets. `α = 10⁻³` is `$\alpha$ = $10^{-3}$` in LaTeX.

use super::notation::{self, Notation, is_script, is_sign};

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Words.
    Plain,
    /// A formula.
    Formula,
}

/// A text in a notation, with what the notation would read as markup escaped.
#[must_use]
pub fn written(text: &str, notation: Notation) -> String {
    let mut written = String::with_capacity(text.len());
    for (part, piece) in parts(text) {
        match (part, notation) {
            (Part::Formula, _) => {
                let nothing = if notation == Notation::Latex { "{}" } else { "\"\"" };
                // A word that hangs on a sign, as in `β_age`, and a power, as in `k^−0.55`.
                let (base, word) = piece.split_once('_').unwrap_or((&piece, ""));
                let (base, power) = base.split_once('^').unwrap_or((base, ""));
                let formula = notation::written(base, notation);
                // A script that hangs on nothing hangs on an empty group; Typst has none before its sign.
                let first = notation == Notation::Typst && formula.trim_start().starts_with('^');
                let hangs = first || piece.chars().next().is_some_and(is_script);
                let word = match notation {
                    _ if word.is_empty() => String::new(),
                    Notation::Latex => format!(r"_{{\mathrm{{{word}}}}}"),
                    Notation::Typst => format!("_\"{word}\""),
                };
                let power = power.replace('−', "-");
                let power = match notation {
                    _ if power.is_empty() => power,
                    Notation::Latex => format!("^{{{power}}}"),
                    Notation::Typst => format!("^({power})"),
                };
                written.extend(["$", if hangs { nothing } else { "" }, formula.trim(), &power, &word, "$"]);
            }
            (Part::Plain, Notation::Latex) => written.extend(piece.chars().map(latex)),
            (Part::Plain, Notation::Typst) => written.push_str(&typst(&piece)),
        }
    }
    written
}

/// The parts of a text, words and formulas by turns.
fn parts(text: &str) -> Vec<(Part, String)> {
    let letters: Vec<char> = text.chars().collect();
    let mut found: Vec<(Part, String)> = Vec::new();
    let mut at = 0;
    while let Some(letter) = letters.get(at) {
        let end = base(&letters, at);
        let scripts = letters[end..].iter().take_while(|next| is_script(**next)).count();
        let power = after_power(&letters, end + scripts);
        let (part, until) = if power > end + scripts {
            (Part::Formula, power)
        } else if scripts > 0 || is_sign(*letter) || is_script(*letter) {
            (Part::Formula, end + scripts)
        } else {
            (Part::Plain, at + 1)
        };
        let until = if part == Part::Formula { after_word(&letters, until) } else { until };
        let piece = &letters[at..until];
        match found.last_mut() {
            // What has a word below it, or a power, is a formula of its own.
            Some((last, known))
                if *last == part
                    && (part == Part::Plain
                        || !(piece.iter().any(is_hook) || known.contains(|letter| is_hook(&letter)))) =>
            {
                known.extend(piece);
            }
            _ => found.push((part, piece.iter().collect())),
        }
        at = until;
    }
    found
}

/// A sign on which words and powers hang.
fn is_hook(letter: &char) -> bool {
    matches!(letter, '_' | '^')
}

/// Where a power ends that hangs on what ends here: a sign, and a number.
fn after_power(letters: &[char], from: usize) -> usize {
    let Some(('^', after)) = letters.get(from..).and_then(|rest| Some((*rest.first()?, &rest[1..]))) else {
        return from;
    };
    let sign = usize::from(matches!(after.first(), Some('-' | '−')));
    let number = after[sign..].iter().take_while(|letter| letter.is_ascii_digit() || **letter == '.').count();
    if number > 0 { from + 1 + sign + number } else { from }
}

/// Where a word ends that hangs on what ends here: an underline, and letters or digits after it.
fn after_word(letters: &[char], from: usize) -> usize {
    let word =
        letters.get(from + 1..).into_iter().flatten().take_while(|letter| letter.is_ascii_alphanumeric()).count();
    if letters.get(from) == Some(&'_') && word > 0 { from + 1 + word } else { from }
}

/// Where what begins here ends, if a subscript or a superscript may hang on it: a number, or one letter or sign.
fn base(letters: &[char], from: usize) -> usize {
    let number = letters[from..].iter().take_while(|letter| letter.is_ascii_digit() || **letter == '.').count();
    from + number.max(1)
}

/// A character of a word as LaTeX reads it.
fn latex(letter: char) -> String {
    let known = match letter {
        '\\' => r"\textbackslash{}",
        '&' => r"\&",
        '%' => r"\%",
        '$' => r"\$",
        '#' => r"\#",
        '_' => r"\_",
        '{' => r"\{",
        '}' => r"\}",
        '~' => r"\textasciitilde{}",
        '^' => r"\textasciicircum{}",
        '<' => r"\textless{}",
        '>' => r"\textgreater{}",
        '|' => r"\textbar{}",
        '\u{202f}' | '\u{2009}' => r"\,",
        '\u{a0}' => "~",
        '–' => "--",
        '—' => "---",
        '“' => "``",
        '”' => "\'\'",
        '"' => r"\char34{}",
        '‘' => "`",
        '’' => "\'",
        '⚠' => r"\textbf{!}",
        '▸' => r"$\triangleright$",
        '\n' => " ",
        letter => return letter.to_string(),
    };
    known.to_owned()
}

/// Words as Typst takes them without reading markup: a string in code.
fn typst(words: &str) -> String {
    let mut string = String::from("#\"");
    for letter in words.chars() {
        match letter {
            '"' | '\\' => string.extend(['\\', letter]),
            '\n' => string.push(' '),
            letter => string.push(letter),
        }
    }
    string.push('"');
    string
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_words_and_signs_become_formulas() {
        let text = "step size α = 10⁻³, β_age & 5 % of θ₁, R\u{302} < 1.01, 2·10⁻⁵";
        let latex = written(text, Notation::Latex);
        assert_eq!(
            latex,
            r"step size $\alpha$ = $10^{-3}$, $\beta_{\mathrm{age}}$ \& 5 \% of $\theta_{1}$, $\hat{R}$ \textless{} 1.01, 2$\cdot 10^{-5}$"
        );
        let typst = written(text, Notation::Typst);
        let start = r##"#"step size "$alpha$#" = "$10^(-3)$#", "$beta_"age"$#" & 5 % of "$theta_(1)$"##;
        assert!(typst.starts_with(start), "{typst}");
    }

    #[test]
    fn powers_are_formulas() {
        let latex = written("αₖ ∝ k^−0.55, b", Notation::Latex);
        assert!(latex.contains(r"$\alpha_{k}$") && latex.ends_with("$k^{-0.55}$, b"), "{latex}");
        assert_eq!(written("10^-7", Notation::Typst), "$10^(-7)$");
        assert_eq!(written("a ^ b^", Notation::Latex), r"a \textasciicircum{} b\textasciicircum{}");
    }

    #[test]
    fn nothing_of_a_text_is_markup() {
        assert_eq!(written(r#"a\b "c" #d"#, Notation::Typst), r##"#"a\\b \"c\" #d""##);
        assert_eq!(written("{x} ~ 1 %", Notation::Latex), r"\{x\} $\sim$ 1 \%");
        assert_eq!(written("", Notation::Latex), "");
        assert_eq!(written("step_size of a_run", Notation::Typst), r##"#"step_size of a_run""##);
        assert_eq!(["₁", "²"].map(|text| written(text, Notation::Typst)), [r#"$""_(1)$"#, r#"$""^(2)$"#]);
        assert_eq!(written(")ᵀ", Notation::Typst), r##"#")"$""^top$"##);
        assert_eq!(written("KL(q‖p)", Notation::Typst), r##"#"KL(q"$bar.v.double$#"p)""##);
    }
}
