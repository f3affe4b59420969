//! Coordinates with their numbers, in a text.

use std::ops::Range;

use super::super::FormulaError;
use super::super::elements::{Element, NAME};
use super::super::subject::COORDINATES;
use super::folds::ByRow;
use super::{Expression, Reader};

/// The error about x or y where coordinates have numbers.
pub(super) fn without_number(axis: usize, at: Range<usize>) -> FormulaError {
    let name = COORDINATES[axis];
    let problem = format!("{name} has no number, and other coordinates have: they are x[1], x[2], …");
    FormulaError::new(at, problem, format!("x[{}] in its place, or x and y alone for a density in the plane", axis + 1))
}

impl Reader {
    /// A coordinate with its number; where there are none, `x[i]` is the column x.
    pub(super) fn element(&mut self, element: Element, at: Range<usize>) -> Result<Expression, FormulaError> {
        match element {
            Element::Number(number) => Ok(Expression::Coordinate(number)),
            Element::Shifted(_) if self.numbered.is_none() => self.column(NAME.to_owned(), at),
            Element::Shifted(shift) => {
                self.uses_row(&ByRow { at: Some(at), columns: false, shifts: Some([shift; 2]) });
                Ok(Expression::Shifted(shift))
            }
        }
    }
}
