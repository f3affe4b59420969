//! Data in formulas: columns, which stand in sums and means over their rows.

use std::ops::Range;

use super::super::FormulaError;
use super::super::subject::Subject;
use super::{Expression, Fold, MOST_NAMES, Reader};

/// Sums and means by their names, with their numbers of arguments: a scalar product is the sum of products.
const NAMES: [(&str, Fold, usize); 3] = [("sum", Fold::Sum, 1), ("mean", Fold::Mean, 1), ("dot", Fold::Sum, 2)];

/// The sum of this name, and its number of arguments.
pub(super) fn find(name: &str) -> Option<(Fold, usize)> {
    NAMES.iter().find(|(known, ..)| *known == name).map(|(_, fold, arguments)| (*fold, *arguments))
}

/// The error about a column outside of sums.
pub(super) fn outside(at: Range<usize>) -> FormulaError {
    let problem = "it differs from row to row of the data, and the density is one number";
    FormulaError::new(at, problem, "a sum, mean or dot around it: sum(normal_lpdf(t[i] | x, y))")
}

impl Reader {
    /// A sum or mean.
    pub(super) fn over(
        &mut self,
        (fold, count): (Fold, usize),
        name: &str,
        at: Range<usize>,
    ) -> Result<Expression, FormulaError> {
        self.folds += 1;
        let arguments = self.arguments();
        self.folds -= 1;
        let mut arguments = arguments?;
        if arguments.len() != count {
            let problem = format!("{name} does not take {} arguments", arguments.len());
            return Err(FormulaError::new(at, problem, if count == 1 { "one" } else { "two" }));
        }
        let inner = if count == 1 {
            arguments.swap_remove(0)
        } else {
            Expression::Product(arguments.into_iter().map(|argument| (true, argument)).collect())
        };
        Ok(Expression::Over(fold, Box::new(inner)))
    }

    /// A column of data.
    pub(super) fn column(&mut self, name: String, at: Range<usize>) -> Result<Expression, FormulaError> {
        if self.subject != Subject::Plane {
            return Err(FormulaError::new(at, "there are no columns here", "t, k, T and parameters"));
        }
        if self.folds == 0 {
            self.row.get_or_insert(at.clone());
        }
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
