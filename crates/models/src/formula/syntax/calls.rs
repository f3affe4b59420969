//! Calls of functions, with their arguments.

use std::ops::Range;

use super::super::FormulaError;
use super::super::functions::Function;
use super::{Expression, Reader};

impl Reader {
    /// A call of a function.
    pub(super) fn call(
        &mut self,
        function: Function,
        name: &str,
        at: Range<usize>,
    ) -> Result<Expression, FormulaError> {
        let arguments = self.arguments()?;
        let allowed = function.arguments();
        if !allowed.contains(&arguments.len()) {
            let problem = format!("{name} does not take {} arguments", arguments.len());
            let number = match (*allowed.start(), *allowed.end()) {
                (1, 1) => "one".to_owned(),
                (few, many) if few == many => few.to_string(),
                (few, _) => format!("{few} or more"),
            };
            return Err(FormulaError::new(at, problem, number));
        }
        Ok(Expression::Call(function, arguments))
    }

    /// What stands in the brackets that follow.
    pub(super) fn arguments(&mut self) -> Result<Vec<Expression>, FormulaError> {
        self.next += 1;
        self.within_brackets(|reader| {
            let mut arguments = vec![reader.sum()?];
            while reader.takes(',') {
                arguments.push(reader.sum()?);
            }
            Ok(arguments)
        })
    }
}
