//! Data in formulas: columns, which stand in sums and means over their rows.

use std::ops::Range;

use super::super::FormulaError;
use super::super::subject::Subject;
use super::{Expression, Fold, Index, MOST_NAMES, Reader};

/// Sums and means by their names, with their numbers of arguments: a scalar product is the sum of products.
const NAMES: [(&str, Fold, usize); 3] = [("sum", Fold::Sum, 1), ("mean", Fold::Mean, 1), ("dot", Fold::Sum, 2)];

/// The sum of this name, and its number of arguments.
pub(super) fn find(name: &str) -> Option<(Fold, usize)> {
    NAMES.iter().find(|(known, ..)| *known == name).map(|(_, fold, arguments)| (*fold, *arguments))
}

/// What of a part of a formula differs from row to row.
#[derive(Clone, Debug, Default)]
pub(super) struct ByRow {
    /// Where something first does.
    pub(super) at: Option<Range<usize>>,
    /// Whether columns of data do.
    pub(super) columns: bool,
    /// Of coordinates `x[i + k]` the least and the largest k.
    pub(super) shifts: Option<[i32; 2]>,
}

/// The error about a column, or `x[i]`, outside of sums.
pub(super) fn outside(at: Range<usize>, is_numbered: bool) -> FormulaError {
    if is_numbered {
        let problem = "it is another number for every i, and the density is one number";
        return FormulaError::new(at, problem, "a sum, mean or dot around it: sum(normal_lpdf(x[i] | 0, 1))");
    }
    let problem = "it differs from row to row of the data, and the density is one number";
    FormulaError::new(at, problem, "a sum, mean or dot around it: sum(normal_lpdf(t[i] | x, y))")
}

impl Reader {
    /// Adds to what differs from row to row in what is being read.
    pub(super) fn uses_row(&mut self, of: &ByRow) {
        let Some(own) = self.within.last_mut() else { return };
        if own.at.is_none() {
            own.at.clone_from(&of.at);
        }
        own.columns |= of.columns;
        own.shifts = match (own.shifts, of.shifts) {
            (Some([low, high]), Some([other_low, other_high])) => Some([low.min(other_low), high.max(other_high)]),
            (own, other) => own.or(other),
        };
    }

    /// A sum or mean.
    pub(super) fn over(
        &mut self,
        (fold, count): (Fold, usize),
        name: &str,
        at: Range<usize>,
    ) -> Result<Expression, FormulaError> {
        self.within.push(ByRow::default());
        let arguments = self.arguments();
        let uses = self.within.pop().unwrap_or_default();
        let mut arguments = arguments?;
        if arguments.len() != count {
            let problem = format!("{name} does not take {} arguments", arguments.len());
            return Err(FormulaError::new(at, problem, if count == 1 { "one" } else { "two" }));
        }
        let index = self.index(&uses, name, at)?;
        let inner = if count == 1 {
            arguments.swap_remove(0)
        } else {
            Expression::Product(arguments.into_iter().map(|argument| (true, argument)).collect())
        };
        Ok(Expression::Over(fold, index, Box::new(inner)))
    }

    /// What i goes over in a sum with this in it: the rows of data where it has a column.
    fn index(&mut self, uses: &ByRow, name: &str, at: Range<usize>) -> Result<Index, FormulaError> {
        let Some(numbered) = &mut self.numbered else { return Ok(Index::Rows) };
        if let Some(shifts) = uses.shifts {
            numbered.sums.push((at.clone(), shifts, uses.columns));
        }
        match uses.shifts {
            _ if uses.columns => Ok(Index::Rows),
            Some(shifts) => Ok(Index::Coordinates(shifts)),
            None => {
                let problem = format!("nothing in this {name} has an i");
                Err(FormulaError::new(
                    at,
                    problem,
                    "x[i] to go over the coordinates, or a column t[i] to go over the data",
                ))
            }
        }
    }

    /// A column of data.
    pub(super) fn column(&mut self, name: String, at: Range<usize>) -> Result<Expression, FormulaError> {
        if self.subject != Subject::Plane {
            return Err(FormulaError::new(at, "there are no columns here", "t, k, T and parameters"));
        }
        self.uses_row(&ByRow { at: Some(at.clone()), columns: true, shifts: None });
        let known = self.columns.iter().position(|(known, _)| *known == name);
        if known.is_none() && self.columns.len() == MOST_NAMES {
            return Err(FormulaError::new(at, "too many columns", format!("at most {MOST_NAMES}")));
        }
        Ok(Expression::Column(known.unwrap_or_else(|| {
            self.columns.push((name, at));
            self.columns.len() - 1
        })))
    }
}
