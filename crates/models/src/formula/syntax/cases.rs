//! Cases: `if(condition, a, b)`, in which comparisons stand with `and` and `or` between them.

use std::ops::Range;

use super::super::FormulaError;
use super::super::functions::CASES;
use super::super::hints;
use super::super::tokens::Token;
use super::{Condition, Expression, Reader};

/// Words of a condition.
pub(super) const WORDS: [&str; 3] = [CASES, BETWEEN[0], BETWEEN[1]];

/// Words between comparisons.
pub(super) const BETWEEN: [&str; 2] = ["and", "or"];

impl Reader {
    /// What follows the word at this place.
    pub(super) fn cases(&mut self, at: Range<usize>, bracket: bool) -> Result<Expression, FormulaError> {
        if !bracket {
            return Err(FormulaError::new(at, "if is a function", "its arguments in brackets: if(x > 0, a, b)"));
        }
        self.next += 1;
        self.within_brackets(|reader| {
            reader.conditions += 1;
            let condition = reader.condition();
            reader.conditions -= 1;
            let condition = condition?;
            let mut value = || {
                if reader.takes(',') { reader.sum() } else { Err(reader.unexpected("a comma: if(x > 0, a, b)")) }
            };
            Ok(Expression::Cases(Box::new(condition), Box::new([value()?, value()?])))
        })
    }

    fn condition(&mut self) -> Result<Condition, FormulaError> {
        let mut any = vec![self.all()?];
        while self.takes_word(BETWEEN[1]) {
            any.push(self.all()?);
        }
        Ok(if any.len() == 1 { any.swap_remove(0) } else { Condition::Or(any) })
    }

    fn all(&mut self) -> Result<Condition, FormulaError> {
        let mut all = self.comparison()?;
        while self.takes_word(BETWEEN[0]) {
            all.extend(self.comparison()?);
        }
        Ok(if all.len() == 1 { all.swap_remove(0) } else { Condition::And(all) })
    }

    /// A comparison, or several as in 0 < x < 1; equal is what is neither less nor more.
    fn comparison(&mut self) -> Result<Vec<Condition>, FormulaError> {
        let mut left = self.sum()?;
        let mut found = Vec::new();
        while let Some(sign) = ['<', '>', '≤', '≥', '≡'].into_iter().find(|sign| self.takes(*sign)) {
            let right = self.sum()?;
            let or_equal = matches!(sign, '≤' | '≥' | '≡');
            let both = if matches!(sign, '<' | '≤') { [left, right.clone()] } else { [right.clone(), left] };
            if sign == '≡' {
                let swapped = [both[1].clone(), both[0].clone()];
                found.push(Condition::Less(Box::new(swapped), true));
            }
            found.push(Condition::Less(Box::new(both), or_equal));
            left = right;
        }
        if found.is_empty() {
            let problem = "a condition compares two values";
            return Err(FormulaError::new(self.range(), problem, hints::COMPARISONS));
        }
        Ok(found)
    }

    /// Takes the next word if it is this one.
    fn takes_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Name(name)) if name == word);
        self.next += usize::from(found);
        found
    }
}
