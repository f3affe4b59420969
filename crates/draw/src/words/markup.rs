//! The markup of names in figures: `θ_1`, `β_{age}`, `x^2`, `\theta`, `\bar{x}`, `**bold**`; dollars around formulas may stand there.
//!
//! A sign `_` or `^` lowers or raises what is in braces after it, digits, or one letter that no other follows: `step_size` stays as it is.
//! A backslash before a name of LaTeX is its character, before a sign it is that sign, and before other letters they are upright words,
//! as `\log` and what is in the braces of `\mathrm{…}`. What is not closed stands for itself.

use super::notation::named_character;

/// Where characters stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Script {
    /// On the line.
    #[default]
    Line,
    /// Raised, smaller.
    Raised,
    /// Lowered, smaller.
    Lowered,
}

/// Characters that are set alike.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The characters.
    pub text: String,
    /// Where they stand.
    pub script: Script,
    /// Whether they are bold.
    pub bold: bool,
}

/// The parts of a name, in their order. A name without markup is one part.
#[must_use]
pub fn parts(name: &str) -> Vec<Part> {
    // As in LaTeX, where formulas are between dollars.
    let dollars = name.matches('$').count() - name.matches(r"\$").count();
    let drops_dollars = dollars > 0 && dollars.is_multiple_of(2);
    let mut reader = Reader { parts: Vec::new(), bold: false, drops_dollars, rest: name };
    reader.read(Script::Line);
    reader.parts
}

/// A text that has no markup, as a name that is shown as that text.
#[must_use]
pub fn escaped(text: &str) -> String {
    let sign = |letter: char| matches!(letter, '_' | '^' | '\\' | '*' | '$').then_some('\\');
    text.chars().flat_map(|letter| sign(letter).into_iter().chain([letter])).collect()
}

/// The name without markup, for places that have one kind of text: raised and lowered characters of Unicode where there are some.
#[must_use]
pub fn plain(name: &str) -> String {
    let text = |part: Part| match part.script {
        Script::Line => part.text,
        script => scripted(&part.text, script).unwrap_or_else(|| {
            let sign = if script == Script::Raised { '^' } else { '_' };
            format!("{sign}{}", part.text)
        }),
    };
    parts(name).into_iter().map(text).collect()
}

/// Whether [`plain`] shows all of a name: what is raised or lowered has characters of its own, and nothing is bold.
#[must_use]
pub fn is_plain(name: &str) -> bool {
    let shown = |part: &Part| part.script == Script::Line || scripted(&part.text, part.script).is_some();
    parts(name).iter().all(|part| !part.bold && shown(part))
}

/// Raised and lowered characters of Unicode, and what they are.
const RAISED: [&str; 2] = ["⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0123456789+−n"];
const LOWERED: [&str; 2] = ["₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₖₜ", "0123456789+−ijkt"];

/// All of a text in raised or lowered characters, if there are all of them.
fn scripted(text: &str, script: Script) -> Option<String> {
    let [scripts, letters] = if script == Script::Raised { RAISED } else { LOWERED };
    let one = |letter: char| scripts.chars().nth(letters.chars().position(|plain| plain == letter)?);
    text.chars().map(one).collect()
}

/// Accents by their names, and the characters that stand above the letter before them.
const ACCENTS: [(&str, char); 3] = [("hat", '\u{302}'), ("bar", '\u{304}'), ("tilde", '\u{303}')];

/// Names of LaTeX before letters that are upright, as all of ours are.
const UPRIGHT: [&str; 3] = ["mathrm", "text", "operatorname"];

struct Reader<'a> {
    parts: Vec<Part>,
    bold: bool,
    drops_dollars: bool,
    rest: &'a str,
}

impl Reader<'_> {
    /// Reads all of the rest.
    fn read(&mut self, script: Script) {
        while let Some(letter) = self.rest.chars().next() {
            let after = &self.rest[letter.len_utf8()..];
            let sign = match letter {
                '_' => Some(Script::Lowered),
                '^' => Some(Script::Raised),
                _ => None,
            };
            let argument = sign.filter(|_| script == Script::Line && !self.parts.is_empty()).zip(argument(after));
            if let Some((script, (inside, rest))) = argument {
                self.rest = inside;
                self.read(script);
                self.rest = rest;
            } else if letter == '$' && self.drops_dollars {
                self.rest = after;
            } else if letter == '\\' {
                self.rest = after;
                self.name(script);
            } else if self.rest.starts_with("**") && (self.bold || self.rest[2..].contains("**")) {
                self.bold = !self.bold;
                self.rest = &self.rest[2..];
            } else {
                self.add(&self.rest[..letter.len_utf8()], script);
                self.rest = after;
            }
        }
    }

    /// Reads what stands after a backslash.
    fn name(&mut self, script: Script) {
        let end = self.rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        if let Some((_, accent)) = ACCENTS.iter().find(|(known, _)| *known == name)
            && let Some((inside, rest)) = argument(rest)
        {
            self.rest = inside;
            self.read(script);
            self.add(&accent.to_string(), script);
            self.rest = rest;
            return;
        }
        if UPRIGHT.contains(&name)
            && let Some((inside, rest)) = rest.strip_prefix('{').and_then(within_braces)
        {
            self.rest = inside;
            self.read(script);
            self.rest = rest;
            return;
        }
        if name.is_empty() {
            let sign = self.rest.chars().next().map_or(0, char::len_utf8);
            self.add(if sign == 0 { "\\" } else { &self.rest[..sign] }, script);
            self.rest = &self.rest[sign..];
            return;
        }
        match named_character(name) {
            Some(character) => self.add(&character.to_string(), script),
            None => self.add(name, script),
        }
        // A space ends the name of a character where letters or digits follow.
        let next =
            rest.strip_prefix(' ').filter(|rest| named_character(name).is_some() && rest.starts_with(['_', '^']));
        self.rest = next.unwrap_or(rest);
    }

    fn add(&mut self, text: &str, script: Script) {
        // A hyphen in an exponent or an index is a minus.
        let minus = if script == Script::Line { None } else { Some(text.replace('-', "−")) };
        let text = minus.as_deref().unwrap_or(text);
        match self.parts.last_mut() {
            Some(last) if last.script == script && last.bold == self.bold => last.text.push_str(text),
            _ => self.parts.push(Part { text: text.to_owned(), script, bold: self.bold }),
        }
    }
}

/// What a sign is about, and what follows: the inside of braces, a name with its backslash, digits, or a letter without others behind it.
fn argument(text: &str) -> Option<(&str, &str)> {
    if let Some(inside) = text.strip_prefix('{') {
        return within_braces(inside);
    }
    let end = |text: &str, of: fn(&char) -> bool| text.find(|letter| !of(&letter)).unwrap_or(text.len());
    let length = match text.chars().next()? {
        '\\' => 1 + end(&text[1..], char::is_ascii_alphabetic),
        '+' | '-' | '−' | '0'..='9' => {
            let sign = text.chars().next().filter(|first| !first.is_ascii_digit()).map_or(0, char::len_utf8);
            sign + end(&text[sign..], char::is_ascii_digit)
        }
        letter if letter.is_alphabetic() || letter == '*' || letter == '′' => letter.len_utf8(),
        _ => 0,
    };
    let (inside, rest) = text.split_at(length);
    let goes_on = rest.starts_with(|next: char| next.is_alphanumeric() && !inside.starts_with('\\'));
    (length > 0 && !goes_on).then_some((inside, rest))
}

/// What is within braces of which the first is open, also where it has braces itself, and what follows; `None` of nothing.
fn within_braces(text: &str) -> Option<(&str, &str)> {
    let mut open = 1_u32;
    let end = text.find(|letter| {
        match letter {
            '{' => open += 1,
            '}' => open -= 1,
            _ => {}
        }
        open == 0
    })?;
    (end > 0).then(|| (&text[..end], &text[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(name: &str) -> String {
        let shown = |part: &Part| {
            let text = match part.script {
                Script::Line => part.text.clone(),
                Script::Raised => format!("↑{}↓", part.text),
                Script::Lowered => format!("↓{}↑", part.text),
            };
            if part.bold { format!("[{text}]") } else { text }
        };
        parts(name).iter().map(shown).collect()
    }

    #[test]
    fn names_are_set_as_they_say() {
        for (name, expected) in [
            ("θ_1", "θ↓1↑"),
            (r"\theta_1", "θ↓1↑"),
            (r"\beta_{age}", "β↓age↑"),
            (r"\log p(θ | x)", "log p(θ | x)"),
            ("x^2 + y^{10}", "x↑2↓ + y↑10↓"),
            ("10^-3", "10↑−3↓"),
            ("**bold** and x", "[bold] and x"),
            (r"x_\mu", "x↓μ↑"),
            (r"$\theta_{\mathrm{two}}$", "θ↓two↑"),
            (r"\text{mass} and x_{\bar{x}}", "mass and x↓x\u{304}↑"),
            (r"\mathrm x", "mathrm x"),
            (r"\bar{x}_i", "x\u{304}↓i↑"),
            ("σ^2_n", "σ↑2↓↓n↑"),
            (r"$\theta_1$ of $x$", "θ↓1↑ of x"),
            ("5 $", "5 $"),
            // What is no markup stays.
            ("step_size", "step_size"),
            ("_x", "_x"),
            ("a_", "a_"),
            ("a_{", "a_{"),
            ("2 ** 3", "2 ** 3"),
            (r"a\_1 \", r"a_1 \"),
            ("θ₁", "θ₁"),
            ("", ""),
        ] {
            assert_eq!(shown(name), expected, "{name}");
        }
    }

    #[test]
    fn plain_names_have_no_markup() {
        assert_eq!(plain(r"\theta_1^2"), "θ₁²");
        assert_eq!(plain(r"\beta_{age}"), "β_age");
        assert!(is_plain(r"\theta_1^2") && is_plain("10^{-3}") && !is_plain(r"\beta_{age}") && !is_plain("**x**"));
        assert_eq!(plain(&escaped(r"a_1 \beta **x** ^2")), r"a_1 \beta **x** ^2");
    }
}
