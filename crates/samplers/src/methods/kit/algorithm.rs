//! The step of a method for people: a sentence, formulas with their terms, the algorithm line by line, and NumPy code that runs.
//!
//! It is a Python file beside the file of the method and of the same name, so that all of it can be read, copied and run:
//!
//! ```python
//! """Gradient ascent with injected noise.
//!
//!     θ ← θ + {gradient: α ĝ} + {noise: √(2α) ξ}
//!
//! θ   position: where the chain is
//! α   the step size
//! ĝ   gradient: an estimate of the slope of log p at θ; it points uphill
//! ξ   noise: a standard normal number for each coordinate
//! """
//! import numpy as np
//!
//!
//! def step(theta, alpha, target, rng):
//!     # gradient: Estimate the slope of log p where the chain is.
//!     slope = target.gradient(theta)
//!     …
//! ```
//!
//! The words before a colon are [`Phase`]s: what of a step a term or a line is about. Lines that are indented are formulas, with terms in braces;
//! a symbol is set apart from its sentence by two spaces or more. In code a comment that begins with a phase begins a line of the
//! algorithm, and the code up to the next one belongs to it.

use std::fmt;

/// What of a step is computed or shown: a colour, an arrow or a mark on the canvas, and numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// The position before the step.
    Position,
    /// The data that the step looks at.
    Data,
    /// The gradient, and the displacement by it.
    Gradient,
    /// The injected noise.
    Noise,
    /// What the chain carries along from earlier steps.
    Carried,
    /// The path that is integrated, or the tree of it.
    Path,
    /// The proposed position.
    Proposal,
    /// The ratio that decides about the proposal.
    Ratio,
    /// Whether the proposal is accepted.
    Decision,
    /// The exchange with another chain.
    Exchange,
    /// The intermediate estimate of a fit.
    Estimate,
    /// The distribution that is fitted.
    Fit,
    /// What the method tunes by itself.
    Adapt,
    /// The position after the step.
    Move,
}

impl Phase {
    /// All phases.
    pub const ALL: [Self; 14] = [
        Self::Position,
        Self::Data,
        Self::Gradient,
        Self::Noise,
        Self::Carried,
        Self::Path,
        Self::Proposal,
        Self::Ratio,
        Self::Decision,
        Self::Exchange,
        Self::Estimate,
        Self::Fit,
        Self::Adapt,
        Self::Move,
    ];

    /// Its name in the files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Data => "data",
            Self::Gradient => "gradient",
            Self::Noise => "noise",
            Self::Carried => "carried",
            Self::Path => "path",
            Self::Proposal => "proposal",
            Self::Ratio => "ratio",
            Self::Decision => "decision",
            Self::Exchange => "exchange",
            Self::Estimate => "estimate",
            Self::Fit => "fit",
            Self::Adapt => "adapt",
            Self::Move => "move",
        }
    }

    /// The phase at the beginning of a text, and the rest of it.
    fn split(text: &str) -> (Option<Self>, &str) {
        let named = text.split_once(':').and_then(|(name, rest)| {
            Some((Self::ALL.into_iter().find(|phase| phase.name() == name.trim())?, rest.trim()))
        });
        named.map_or((None, text.trim()), |(phase, rest)| (Some(phase), rest))
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(self.name())
    }
}

/// A part of a formula: a term that belongs to a phase, or what is between terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its text, in Unicode.
    pub text: &'static str,
    /// What it is about.
    pub phase: Option<Phase>,
}

/// A symbol of the formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The symbol, in Unicode.
    pub name: &'static str,
    /// What it is about.
    pub phase: Option<Phase>,
    /// What it is, in plain words.
    pub words: &'static str,
}

/// A line of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it is about.
    pub phase: Phase,
    /// What is done, in plain words.
    pub words: &'static str,
    /// How many loops it is in.
    pub loops: usize,
    /// The code that does it, without the indentation that its lines share.
    pub code: String,
}

/// The step of a method for people; read from a Python file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Algorithm {
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// Its formulas.
    pub formulas: Vec<Vec<Piece>>,
    /// What their symbols are.
    pub symbols: Vec<Symbol>,
    /// The lines of the algorithm.
    pub lines: Vec<Line>,
    /// The whole file.
    pub code: &'static str,
}

impl Algorithm {
    /// The algorithm in the text of a file.
    #[must_use]
    pub(crate) fn read(code: &'static str) -> Self {
        let (head, body) =
            code.trim_start().strip_prefix("\"\"\"").and_then(|rest| rest.split_once("\"\"\"")).unwrap_or(("", code));
        let summary = head.lines().next().unwrap_or_default().trim();
        let (formulas, symbols): (Vec<&str>, Vec<&str>) = head
            .lines()
            .skip(1)
            .filter(|line| !line.trim().is_empty())
            .partition(|line| line.starts_with(char::is_whitespace));
        Self {
            summary,
            formulas: formulas.into_iter().map(|line| pieces(line.trim())).collect(),
            symbols: symbols.into_iter().map(symbol).collect(),
            lines: lines(body),
            code,
        }
    }

    /// Its formulas as text, without the braces of terms.
    #[must_use]
    pub fn formula(&self) -> String {
        let text = |pieces: &Vec<Piece>| pieces.iter().map(|piece| piece.text).collect::<String>();
        self.formulas.iter().map(text).collect::<Vec<_>>().join("\n")
    }
}

/// The pieces of a formula.
fn pieces(mut formula: &'static str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    while let Some((before, (inside, after))) =
        formula.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    {
        if !before.is_empty() {
            pieces.push(Piece { text: before, phase: None });
        }
        let (phase, text) = Phase::split(inside);
        pieces.push(Piece { text, phase });
        formula = after;
    }
    if !formula.is_empty() {
        pieces.push(Piece { text: formula, phase: None });
    }
    pieces
}

/// A symbol with its sentence.
fn symbol(line: &'static str) -> Symbol {
    let (name, words) = line.split_once("  ").unwrap_or((line, ""));
    let (phase, words) = Phase::split(words.trim());
    Symbol { name: name.trim(), phase, words }
}

/// The lines of an algorithm.
fn lines(body: &'static str) -> Vec<Line> {
    /// Spaces by which code in a function, and in each loop, is further to the right.
    const INDENT: usize = 4;
    let mut lines: Vec<(Line, Vec<&'static str>)> = Vec::new();
    for row in body.lines() {
        let begun = row.trim_start().strip_prefix("# ").map(Phase::split);
        match (begun, lines.last_mut()) {
            (Some((Some(phase), words)), _) => {
                let indent = row.len() - row.trim_start().len();
                let loops = (indent / INDENT).saturating_sub(1);
                lines.push((Line { phase, words, loops, code: String::new() }, Vec::new()));
            }
            // The code of a line ends where the function ends.
            (_, Some((_, code))) if row.is_empty() || row.starts_with(' ') => code.push(row),
            _ => {}
        }
    }
    lines.into_iter().map(|(line, code)| Line { code: dedented(&code), ..line }).collect()
}

/// Rows without the indentation that they share.
fn dedented(rows: &[&str]) -> String {
    let full = || rows.iter().filter(|row| !row.trim().is_empty());
    let indent = full().map(|row| row.len() - row.trim_start().len()).min().unwrap_or(0);
    let text = rows.iter().map(|row| row.get(indent..).unwrap_or_default()).collect::<Vec<_>>().join("\n");
    text.trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::{METHODS, algorithm, algorithm_on_topics};

    #[test]
    fn every_method_tells_its_step() {
        let everywhere = METHODS.iter().map(|method| (method.name, algorithm(method)));
        let on_topics = METHODS.iter().map(|method| (method.name, algorithm_on_topics(method)));
        for (name, algorithm) in everywhere.chain(on_topics) {
            assert!(algorithm.summary.ends_with('.'), "{name}: {}", algorithm.summary);
            assert!(!algorithm.formulas.is_empty(), "{name} has no formula");
            assert!((3..=10).contains(&algorithm.lines.len()), "{name} has {} lines", algorithm.lines.len());
            let terms = algorithm.formulas.iter().flatten().filter(|piece| piece.phase.is_some());
            for piece in terms.clone() {
                let lit = algorithm.lines.iter().any(|line| Some(line.phase) == piece.phase);
                assert!(lit, "{name}: no line of the algorithm is about {:?}", piece.text);
            }
            assert!(terms.count() > 0, "{name} has no term");
            for piece in algorithm.formulas.iter().flatten() {
                assert!(!piece.text.contains(['{', '}']), "{name}: {:?}", piece.text);
            }
            for symbol in &algorithm.symbols {
                assert!(!symbol.words.is_empty(), "{name}: {} has no words", symbol.name);
                assert!(algorithm.formula().contains(symbol.name), "{name}: {} is in no formula", symbol.name);
            }
            for line in &algorithm.lines {
                assert!(line.words.ends_with('.'), "{name}: {}", line.words);
                assert!(!line.code.is_empty(), "{name}: no code for {}", line.words);
            }
        }
    }

    #[test]
    fn a_file_is_read_in_its_parts() {
        let sgld = METHODS.iter().find(|method| method.name == "sgld").unwrap();
        let algorithm = algorithm(sgld);
        let terms: Vec<_> = algorithm.formulas[0].iter().map(|piece| (piece.text, piece.phase)).collect();
        let expected =
            [("θ ← θ + ", None), ("α ĝ", Some(Phase::Gradient)), (" + ", None), ("√(2α) ξ", Some(Phase::Noise))];
        assert_eq!(terms, expected);
        assert_eq!(algorithm.lines[0].phase, Phase::Gradient);
        assert_eq!(algorithm.lines[0].code, "slope = target.gradient(theta)");
        assert_eq!(algorithm.lines[0].loops, 0);
        assert_eq!(algorithm.formula(), "θ ← θ + α ĝ + √(2α) ξ");
    }
}
