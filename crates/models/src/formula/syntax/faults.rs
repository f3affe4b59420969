//! Faults of a text: what does not fit where it stands, and names that are no functions.

use std::ops::Range;

use super::super::FormulaError;
use super::super::hints;
use super::super::subject::Subject;
use super::super::tokens::Token;
use super::{Expression, Reader};

impl Reader {
    /// The error about the next word, where something else has to stand.
    pub(super) fn unexpected(&mut self, expected: &str) -> FormulaError {
        if let Some(error) = self.decimal_comma() {
            return error;
        }
        if let Some(Token::Sign(sign @ ('<' | '>' | '≤' | '≥' | '≡'))) = self.peek().cloned() {
            let at = self.range();
            let sign = match sign {
                '≤' if at.len() > 1 => "<=".to_owned(),
                '≥' if at.len() > 1 => ">=".to_owned(),
                '≡' => "==".to_owned(),
                sign => sign.to_string(),
            };
            return FormulaError::new(at, format!("\"{sign}\" has no meaning here"), hints::CASES);
        }
        if let Some(error) = self.next.checked_sub(1).and_then(|before| self.late_abbreviation(before)) {
            return error;
        }
        if self.brackets == 0 && self.peek() == Some(&Token::Sign(')')) {
            return FormulaError::new(self.range(), "there is no ( before this )", "a ( for each )");
        }
        let problem = match self.peek() {
            None => "the formula ends here".to_owned(),
            Some(Token::Sign(sign)) => format!("\"{sign}\" does not fit here"),
            Some(Token::Number(number)) => format!("the number {number} does not fit here"),
            Some(Token::Name(name)) => format!("\"{name}\" does not fit here"),
            Some(Token::Column(name)) => format!("the column {name} does not fit here"),
            Some(Token::Element(_)) => "x with its brackets does not fit here".to_owned(),
            Some(Token::Raised(_)) => "a power does not fit here".to_owned(),
            Some(Token::Break) => "the line ends here".to_owned(),
        };
        FormulaError::new(self.range(), problem, expected)
    }

    /// The error about an abbreviation after the value, if the word with this number is the name of one.
    pub(super) fn late_abbreviation(&self, name: usize) -> Option<FormulaError> {
        let [(Token::Break, _), (Token::Name(name), at), (Token::Sign('='), _)] =
            self.tokens.get(name.checked_sub(1)?..=name + 1)?
        else {
            return None;
        };
        let problem = format!("\"{name}\" is defined after the value");
        Some(FormulaError::new(at.clone(), problem, "lines of abbreviations before the line that uses them"))
    }

    /// The error about a comma within a number, if the next word is one.
    fn decimal_comma(&mut self) -> Option<FormulaError> {
        let at = self.range();
        let [(Token::Number(_), before), (Token::Sign(','), _), (Token::Number(_), after)] =
            self.tokens.get(self.next.checked_sub(1)?..self.next + 2)?
        else {
            return None;
        };
        let is_one = before.end == at.start && after.start == at.end;
        is_one.then(|| FormulaError::new(at, "a comma does not fit here", "a decimal point: 0.5"))
    }

    /// Takes a name before a bracket that is no function, and what is in the brackets: there may be more of them.
    pub(super) fn unknown_call(&mut self, name: String, at: Range<usize>) -> Result<Expression, FormulaError> {
        let rest = &self.tokens[self.next..];
        let closed = rest.iter().position(|(token, _)| *token == Token::Sign(')'));
        if closed.is_some_and(|end| rest.get(end + 1).is_some_and(|(token, _)| *token == Token::Sign('='))) {
            let problem = format!("\"{name}\" is no abbreviation");
            return Err(FormulaError::new(at, problem, "the value alone: what comes after ="));
        }
        if !self.unknown.iter().any(|(known, _)| *known == name) {
            self.unknown.push((name, at));
        }
        self.arguments()?;
        Ok(Expression::Number(1.0))
    }

    /// The error about names before a bracket that are no functions, if there are any: at the first, with all of them.
    pub(super) fn no_functions(&self) -> Option<FormulaError> {
        let (first, at) = self.unknown.first()?;
        let names: Vec<String> = self.unknown.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        let hint = |name: &str| {
            let meant = hints::for_function(name).filter(|_| self.subject == Subject::Plane)?;
            Some(if names.len() == 1 { meant.to_owned() } else { format!("{meant} for \"{name}\"") })
        };
        let hints: Vec<String> = self.unknown.iter().filter_map(|(name, _)| hint(name)).collect();
        let perhaps = if hints.is_empty() { String::new() } else { format!("perhaps {}; ", hints.join(", and ")) };
        let problem = match &names[..] {
            [name] => format!("there is no function {name}"),
            names => format!("there are no functions {}", names.join(", ")),
        };
        let all = self.subject.functions().join(", ");
        let allowed = format!("{perhaps}the functions {all}; a product with its sign: {first}*(…)");
        Some(FormulaError::new(at.clone(), problem, allowed))
    }
}
