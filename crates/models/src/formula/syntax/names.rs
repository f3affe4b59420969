//! Names in a text: functions, sums, coordinates, constants, abbreviations and parameters.

use std::ops::Range;

use super::super::FormulaError;
use super::super::functions::CASES;
use super::super::subject::{COORDINATES, Subject};
use super::super::tokens::Token;
use super::folds::ByRow;
use super::{CONSTANTS, Expression, MOST_NAMES, Reader, elements, folds};

impl Reader {
    /// What a name stands for.
    pub(super) fn named(&mut self, name: String, at: Range<usize>) -> Result<Expression, FormulaError> {
        let bracket = self.tokens.get(self.next).is_some_and(|(token, _)| *token == Token::Sign('('));
        if self.subject == Subject::Plane {
            if name == CASES {
                return self.cases(at, bracket);
            }
            if let Some(fold) = folds::find(&name).filter(|_| bracket) {
                return self.over(fold, &name, at);
            }
        }
        if let Some(function) = self.subject.function(&name) {
            if !bracket {
                let problem = format!("{name} is a function");
                return Err(FormulaError::new(at, problem, format!("its argument in brackets: {name}(x)")));
            }
            return self.call(function, &name, at);
        }
        if let Some(axis) = self.subject.coordinate(&name) {
            if self.numbered.is_some() {
                return Err(elements::without_number(axis, at));
            }
            self.coordinates[axis] = true;
            return Ok(Expression::Coordinate(axis));
        }
        if let Some((name, value)) = CONSTANTS.iter().find(|(constant, _)| *constant == name) {
            return Ok(Expression::Constant(name, *value));
        }
        if let Some(number) = self.abbreviations.iter().position(|known| *known == name) {
            let uses = self.uses[number].clone();
            self.uses_row(&ByRow { at: uses.at.map(|_| at), ..uses });
            return Ok(Expression::Abbreviation(number));
        }
        if bracket {
            return self.unknown_call(name, at);
        }
        if self.subject == Subject::Plane
            && name.chars().count() > 1
            && name.chars().all(|letter| COORDINATES.iter().any(|known| known.starts_with(letter)))
        {
            let spaced: Vec<String> = name.chars().map(String::from).collect();
            let problem = format!("\"{name}\" is one name");
            return Err(FormulaError::new(
                at,
                problem,
                format!("a space or a sign in a product: {}", spaced.join(" ")),
            ));
        }
        let known = self.parameters.iter().position(|(known, _)| *known == name);
        if known.is_none() && self.parameters.len() == MOST_NAMES {
            return Err(FormulaError::new(at, "too many names", format!("at most {MOST_NAMES} parameters")));
        }
        Ok(Expression::Parameter(known.unwrap_or_else(|| {
            self.parameters.push((name, at));
            self.parameters.len() - 1
        })))
    }
}
