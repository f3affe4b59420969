//! Log densities of the data, row by row, of a formula that adds them up: what minibatches are made of.

use super::graph::{Graph, TooLarge};
use super::tape::Tape;
use super::{Evaluator, Form, Formula, FormulaError};

/// The prior and the rows of a log density.
#[derive(Clone, Debug)]
pub struct Rows {
    /// Everything that is no sum over rows.
    pub prior: Evaluator,
    rows: Vec<Row>,
}

/// A row: the value with its first and second derivatives, of which each is evaluated at one point at a time.
#[derive(Clone, Debug)]
struct Row {
    value: Tape<1>,
    gradient: Tape<2>,
    hessian: Tape<3>,
}

impl Formula {
    /// The prior and the rows of a log density whose terms are sums over rows, in part; `None` of others.
    ///
    /// # Errors
    /// If it has too many parts.
    pub fn rows(&self, parameters: &[f64], form: Form) -> Result<Option<Rows>, FormulaError> {
        let count = self.read.data.first().map_or(0, Vec::len);
        if count == 0 || form == Form::Density {
            return Ok(None);
        }
        self.made_rows(parameters, form == Form::Energy, count).map_err(|TooLarge| self.too_large())
    }

    fn made_rows(&self, parameters: &[f64], negative: bool, count: usize) -> Result<Option<Rows>, TooLarge> {
        let mut rows = Vec::with_capacity(count);
        for row in 0..count {
            let mut graph = Graph::default();
            let Some(value) = graph.of_row(&self.read, parameters, row)? else { return Ok(None) };
            let value = if negative { graph.negative(value)? } else { value };
            let Evaluator { value, gradient, hessian, .. } = Evaluator::of(&mut graph, value)?;
            rows.push(Row { value, gradient, hessian });
        }
        let mut graph = Graph::default();
        let prior = graph.prior(&self.read, parameters)?;
        let prior = if negative { graph.negative(prior)? } else { prior };
        Ok(Some(Rows { prior: Evaluator::of(&mut graph, prior)?, rows }))
    }
}

impl Rows {
    /// Number of rows, at least 1.
    #[must_use]
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// The log density of a row at a point.
    #[must_use]
    pub fn value(&self, row: usize, x: f64, y: f64) -> f64 {
        self.rows[row].value.at(x, y)[0]
    }

    /// Its derivatives by x and y.
    #[must_use]
    pub fn gradient(&self, row: usize, x: f64, y: f64) -> [f64; 2] {
        self.rows[row].gradient.at(x, y)
    }

    /// Its second derivatives by xx, xy and yy.
    #[must_use]
    pub fn hessian(&self, row: usize, x: f64, y: f64) -> [f64; 3] {
        self.rows[row].hessian.at(x, y)
    }
}
