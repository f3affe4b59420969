//! Syntax: from the words of a formula to the expression that they say.
//!
//! ```text
//! formula   = { name "=" sum break } sum
//! sum       = [ "+" | "-" ] product { ( "+" | "-" ) product }
//! product   = power { [ "*" | "/" | "%" ] power }
//! power     = factor [ raised | "^" [ "-" ] power ]
//! factor    = number | name | function "(" sum { "," sum } ")" | "if" "(" condition "," sum "," sum ")"
//!           | ( "sum" | "mean" ) "(" sum ")" | "dot" "(" sum "," sum ")" | column | "(" sum ")"
//! condition = all { "or" all }
//! all       = comparison { "and" comparison }
//! comparison = sum relation sum { relation sum }
//! ```
//!
//! A minus binds less than a power: −x² is −(x²). A product may be written without a sign, 2x or x y, but not after a
//! division, where 1/2x could be read in two ways. A remainder, a % b, is there in sequences only.

mod calls;
mod cases;
mod elements;
mod faults;
mod folds;
mod names;

use std::ops::Range;
use std::sync::Arc;

use super::FormulaError;
pub(super) use super::expression::{Condition, Expression, Fold, Index, Read};
use super::functions::Function;
use super::numbered::Numbered;
use super::subject::Subject;
use super::tokens::{SpannedToken, Token, tokens};
use folds::ByRow;

/// Letters of a formula at most.
const MOST_LETTERS: usize = 20_000;

/// Brackets, powers and signs within each other at most.
const DEEPEST: usize = 100;

/// Names of a formula at most: parameters and abbreviations.
const MOST_NAMES: usize = 64;

/// Names of constants, with their values.
const CONSTANTS: [(&str, f64); 3] =
    [("pi", std::f64::consts::PI), ("π", std::f64::consts::PI), ("e", std::f64::consts::E)];

/// Reads a formula of the plane.
pub(super) fn read(text: &str) -> Result<Read, FormulaError> {
    read_of(text, Subject::Plane)
}

/// Reads a formula.
pub(super) fn read_of(text: &str, subject: Subject) -> Result<Read, FormulaError> {
    let end = text.chars().count();
    if end > MOST_LETTERS {
        let problem = format!("the formula has {end} characters");
        return Err(FormulaError::new(MOST_LETTERS..end, problem, format!("at most {MOST_LETTERS} are read")));
    }
    let tokens = tokens(text, subject)?;
    let mut reader = Reader {
        subject,
        numbered: Numbered::of(&tokens)?,
        tokens,
        next: 0,
        end,
        depth: 0,
        brackets: 0,
        conditions: 0,
        lines: false,
        parameters: Vec::new(),
        coordinates: [false; 2],
        abbreviations: Vec::new(),
        columns: Vec::new(),
        uses: Vec::new(),
        within: vec![ByRow::default()],
        unknown: Vec::new(),
    };
    let read = reader.formula();
    // What follows a function that nobody knows may be wrong because of it.
    reader.no_functions().map_or(Ok(()), Err)?;
    let (abbreviations, value) = read?;
    Ok(Read {
        parameters: reader.parameters,
        coordinates: reader.coordinates,
        columns: reader.columns,
        data: Arc::default(),
        by_row: reader.uses.iter().map(|of| of.at.is_some()).collect(),
        numbered: reader.numbered,
        abbreviations,
        value,
    })
}

/// One part as it is, or several of them together.
fn single_or(together: fn(Vec<(bool, Expression)>) -> Expression, mut parts: Vec<(bool, Expression)>) -> Expression {
    let single = parts.len() == 1 && parts[0].0;
    if single { parts.swap_remove(0).1 } else { together(parts) }
}

struct Reader {
    subject: Subject,
    /// What is known of coordinates with numbers, of a formula that has such.
    numbered: Option<Numbered>,
    tokens: Vec<SpannedToken>,
    next: usize,
    /// Letters of the text.
    end: usize,
    depth: usize,
    brackets: usize,
    /// Conditions that are being read, within each other.
    conditions: usize,
    /// Whether a line ends what is read, outside of brackets.
    lines: bool,
    parameters: Vec<(String, Range<usize>)>,
    coordinates: [bool; 2],
    abbreviations: Vec<String>,
    columns: Vec<(String, Range<usize>)>,
    /// Of every abbreviation, what in it differs from row to row.
    uses: Vec<ByRow>,
    /// What differs from row to row in the line that is being read, outside of sums, and in the sums within each other.
    within: Vec<ByRow>,
    /// Names before a bracket that are no function, and where they are.
    unknown: Vec<(String, Range<usize>)>,
}

/// Abbreviations with what they stand for, and the value.
type Parts = (Vec<(String, Expression)>, Expression);

impl Reader {
    /// Reads the whole text.
    fn formula(&mut self) -> Result<Parts, FormulaError> {
        let mut abbreviations = Vec::new();
        while let Some((name, at)) = self.definition()? {
            self.lines = true;
            self.within = vec![ByRow::default()];
            let value = self.sum()?;
            if self.peek().is_some_and(|token| *token != Token::Break) {
                return Err(self.unexpected("an operation, the end of the line, or ;"));
            }
            self.lines = false;
            if self.parameters.iter().any(|(known, _)| *known == name) {
                let problem = format!("\"{name}\" is used before it is defined");
                return Err(FormulaError::new(at, problem, "its use after its line"));
            }
            self.uses.append(&mut self.within);
            self.abbreviations.push(name.clone());
            abbreviations.push((name, value));
        }
        if self.peek().is_none() {
            let nothing = if abbreviations.is_empty() { "the formula is empty" } else { "the value is missing" };
            let example = format!("for example {}", self.subject.example());
            return Err(FormulaError::new(self.end..self.end, nothing, example));
        }
        self.within = vec![ByRow::default()];
        let value = self.sum()?;
        if let Some(at) = self.within.pop().and_then(|own| own.at) {
            return Err(folds::outside(at, self.numbered.is_some()));
        }
        if self.peek().is_some() {
            return Err(self.unexpected("an operation, or the end"));
        }
        Ok((abbreviations, value))
    }

    /// The next word.
    fn peek(&mut self) -> Option<&Token> {
        let skips = !self.lines || self.brackets > 0;
        while skips && self.tokens.get(self.next).is_some_and(|(token, _)| *token == Token::Break) {
            self.next += 1;
        }
        self.tokens.get(self.next).map(|(token, _)| token)
    }

    /// The range in the text of the next word, or of the end.
    fn range(&mut self) -> Range<usize> {
        self.peek();
        self.tokens.get(self.next).map_or(self.end..self.end, |(_, at)| at.clone())
    }

    /// Takes the next word if it is this sign.
    fn takes(&mut self, sign: char) -> bool {
        let found = self.peek() == Some(&Token::Sign(sign));
        self.next += usize::from(found);
        found
    }

    /// Goes one level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, FormulaError>) -> Result<T, FormulaError> {
        if self.depth == DEEPEST {
            let problem = "too many brackets and powers within each other";
            return Err(FormulaError::new(self.range(), problem, format!("at most {DEEPEST}")));
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }

    /// The name of an abbreviation whose value follows, if one does.
    fn definition(&mut self) -> Result<Option<(String, Range<usize>)>, FormulaError> {
        let Some(Token::Name(name)) = self.peek().cloned() else { return Ok(None) };
        let at = self.range();
        if self.tokens.get(self.next + 1).is_none_or(|(token, _)| *token != Token::Sign('=')) {
            return Ok(None);
        }
        let of_densities = cases::WORDS.contains(&&*name) || folds::find(&name).is_some();
        let taken = self.subject.names().contains(&&*name)
            || self.subject.function(&name).is_some()
            || self.subject == Subject::Plane && of_densities
            || CONSTANTS.iter().any(|(constant, _)| *constant == name)
            || self.abbreviations.contains(&name);
        if taken {
            let problem = format!("\"{name}\" has a meaning already");
            return Err(FormulaError::new(at, problem, "another name for the abbreviation"));
        }
        if self.abbreviations.len() == MOST_NAMES {
            return Err(FormulaError::new(at, "too many abbreviations", format!("at most {MOST_NAMES}")));
        }
        self.next += 2;
        Ok(Some((name, at)))
    }

    fn sum(&mut self) -> Result<Expression, FormulaError> {
        let mut terms = Vec::new();
        let mut plus = !self.takes('-');
        if plus {
            self.takes('+');
        }
        loop {
            terms.push((plus, self.product()?));
            plus = match self.peek() {
                Some(Token::Sign('+')) => true,
                Some(Token::Sign('-')) => false,
                _ => break,
            };
            self.next += 1;
        }
        Ok(single_or(Expression::Sum, terms))
    }

    fn product(&mut self) -> Result<Expression, FormulaError> {
        let mut factors = vec![(true, self.power()?)];
        loop {
            let is_remainder = |of: &Expression| matches!(of, Expression::Call(Function::Remainder, _));
            let divided = factors.last().is_some_and(|(times, of)| !times || is_remainder(of));
            let conditions = self.conditions;
            let times = match self.peek() {
                Some(Token::Sign('*')) => true,
                Some(Token::Sign('/')) => false,
                Some(Token::Sign('%')) => {
                    self.next += 1;
                    let before = single_or(Expression::Product, factors);
                    factors = vec![(true, Expression::Call(Function::Remainder, vec![before, self.power()?]))];
                    continue;
                }
                Some(Token::Name(name)) if conditions > 0 && cases::BETWEEN.contains(&&**name) => break,
                Some(Token::Number(_) | Token::Name(_) | Token::Column(_) | Token::Element(_) | Token::Sign('(')) => {
                    if let Some(error) = self.late_abbreviation(self.next) {
                        return Err(error);
                    }
                    if divided {
                        let problem = "it is not clear whether this is divided by as well";
                        return Err(FormulaError::new(self.range(), problem, "a sign: 1/(2x) or (1/2)*x"));
                    }
                    factors.push((true, self.power()?));
                    continue;
                }
                _ => break,
            };
            self.next += 1;
            factors.push((times, self.power()?));
        }
        Ok(single_or(Expression::Product, factors))
    }

    fn power(&mut self) -> Result<Expression, FormulaError> {
        let base = self.factor()?;
        if let Some(Token::Raised(power)) = self.peek().cloned() {
            self.next += 1;
            return Ok(Expression::Power(Box::new(base), Box::new(Expression::Number(f64::from(power)))));
        }
        if !self.takes('^') {
            return Ok(base);
        }
        let power = self.deeper(|reader| {
            let negative = reader.takes('-');
            let power = reader.power()?;
            Ok(if negative { Expression::Sum(vec![(false, power)]) } else { power })
        })?;
        Ok(Expression::Power(Box::new(base), Box::new(power)))
    }

    fn factor(&mut self) -> Result<Expression, FormulaError> {
        let at = self.range();
        match self.peek().cloned() {
            Some(Token::Number(number)) => {
                self.next += 1;
                Ok(Expression::Number(number))
            }
            Some(Token::Name(name)) => {
                self.next += 1;
                self.named(name, at)
            }
            Some(Token::Column(name)) => {
                self.next += 1;
                self.column(name, at)
            }
            Some(Token::Element(element)) => {
                self.next += 1;
                self.element(element, at)
            }
            Some(Token::Sign('(')) => {
                self.next += 1;
                let value = self.within_brackets(Self::sum)?;
                Ok(value)
            }
            Some(Token::Sign('-')) => Err(FormulaError::new(at, "a second sign does not fit here", "brackets: x*(−2)")),
            _ => {
                let names = self.subject.names().join(", ");
                Err(self.unexpected(&format!("a number, {names}, a name, a function, or (")))
            }
        }
    }

    /// What is read up to the closing bracket.
    fn within_brackets<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, FormulaError>,
    ) -> Result<T, FormulaError> {
        let opening = self.tokens[self.next - 1].1.clone();
        self.brackets += 1;
        let found = self.deeper(read)?;
        if self.peek().is_none() {
            return Err(FormulaError::new(opening, "this bracket is not closed", "a ) for each ("));
        }
        if !self.takes(')') {
            return Err(self.unexpected("an operation, or )"));
        }
        self.brackets -= 1;
        Ok(found)
    }
}
