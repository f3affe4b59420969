//! Log densities in coordinates with numbers, `x[1]` to `x[d]`, with their derivatives.
//!
//! The gradient comes backwards from the value. The Hessian times a vector is the derivative of the gradient along it, with the entries of
//! the vector as d further coordinates of one list of instructions: the d columns of the Hessian are d points side by side.

use super::derivative::Direction;
use super::graph::{Graph, Id, Node, TooLarge};
use super::syntax::{Expression, Read};
use super::wide::WideTape;
use super::{Form, Formula, FormulaError};
use base::math::Simd;

/// A log density in d coordinates.
#[derive(Clone, Debug)]
pub struct InVectors {
    dimension: usize,
    value: WideTape,
    gradient: WideTape,
    /// The Hessian times a vector.
    product: WideTape,
    names: Vec<String>,
    /// Numbers that abbreviations are, with their names.
    parts: Vec<String>,
    of_parts: WideTape,
}

/// The gradients of the prior and of every row of a log density whose terms are sums over rows, in part.
#[derive(Clone, Debug)]
pub struct RowsInVectors {
    dimension: usize,
    prior: WideTape,
    rows: Vec<WideTape>,
}

impl Formula {
    /// The log density in `x[1]` to `x[d]` for these numbers in place of the parameters, in their order.
    ///
    /// # Errors
    /// If it is in x and y, if a coordinate is not in it, or if it has too many parts.
    pub fn in_vectors(&self, parameters: &[f64], form: Form) -> Result<InVectors, FormulaError> {
        let dimension = self.read.dimension()?;
        if dimension == 0 {
            return Err(FormulaError::new(0..self.letters, "the formula is in x and y", "x[1], x[2], …"));
        }
        let mut graph = Graph::default();
        let (value, parts) = graph.value_and_parts(&self.read, parameters).map_err(|TooLarge| self.too_large())?;
        self.has_all(&graph, value, dimension)?;
        let value = signed(&mut graph, form, value).map_err(|TooLarge| self.too_large())?;
        self.made_in_vectors(&mut graph, (value, &parts), dimension).map_err(|TooLarge| self.too_large())
    }

    /// The gradients of the prior and of the rows of a log density whose terms are sums over rows, in part; `None` of others.
    ///
    /// # Errors
    /// If it has too many parts.
    pub fn rows_in_vectors(&self, parameters: &[f64], form: Form) -> Result<Option<RowsInVectors>, FormulaError> {
        let (dimension, count) = (self.read.dimension()?, self.read.data.first().map_or(0, Vec::len));
        let gradient = |of: &dyn Fn(&mut Graph) -> Result<Option<Id>, TooLarge>| {
            let mut graph = Graph::default();
            let Some(value) = of(&mut graph)? else { return Ok(None) };
            let value = signed(&mut graph, form, value)?;
            let slopes = graph.gradient(value, dimension as u8)?;
            Ok(Some(WideTape::new(&graph, &slopes, dimension)))
        };
        let made = || {
            let mut rows = Vec::with_capacity(count);
            for row in 0..count {
                let Some(of) = gradient(&|graph| graph.of_row(&self.read, parameters, row))? else { return Ok(None) };
                rows.push(of);
            }
            let prior = gradient(&|graph| graph.prior(&self.read, parameters).map(Some))?;
            Ok(prior.filter(|_| count > 0).map(|prior| RowsInVectors { dimension, prior, rows }))
        };
        made().map_err(|TooLarge| self.too_large())
    }

    /// An error if the value is the same all along a coordinate.
    pub(super) fn has_all(&self, graph: &Graph, value: Id, dimension: usize) -> Result<(), FormulaError> {
        let mut is_there = vec![false; dimension];
        for (id, _) in (0_u32..).zip(graph.needed(&[value])).filter(|(_, needed)| *needed) {
            if let Node::Coordinate(axis) = graph.node(id)
                && let Some(is_there) = is_there.get_mut(usize::from(axis))
            {
                *is_there = true;
            }
        }
        let Some(missing) = is_there.iter().position(|is_there| !is_there) else { return Ok(()) };
        let problem = format!(
            "x[{}] is not in the density, which is the same all along it; there are x[1] to x[{dimension}]",
            missing + 1
        );
        let at = self.read.numbered.as_ref().map_or(0..self.letters, super::numbered::Numbered::place);
        Err(FormulaError::new(at, problem, "every number from 1 to the largest, or to d"))
    }

    /// An error of a formula without data if the value is the same all along a coordinate, or is too large.
    pub(super) fn fits(&self, parameters: &[f64]) -> Result<(), FormulaError> {
        let dimension = self.read.dimension()?;
        if !self.read.columns.is_empty() {
            return Ok(());
        }
        let mut graph = Graph::default();
        let value = graph.value(&self.read, parameters).map_err(|TooLarge| self.too_large())?;
        self.has_all(&graph, value, dimension)
    }

    fn made_in_vectors(
        &self,
        graph: &mut Graph,
        (value, parts): (Id, &[Id]),
        dimension: usize,
    ) -> Result<InVectors, TooLarge> {
        let count = dimension as u8;
        let gradient = graph.gradient(value, count)?;
        let product = graph.along(&gradient, Direction::After(count))?;
        let reported = self.read.reported(graph, parts);
        let (parts, nodes): (Vec<String>, Vec<Id>) = reported.into_iter().unzip();
        Ok(InVectors {
            dimension,
            value: WideTape::new(graph, &[value], dimension),
            gradient: WideTape::new(graph, &gradient, dimension),
            product: WideTape::new(graph, &product, 2 * dimension),
            names: self.read.coordinate_names(dimension),
            parts,
            of_parts: WideTape::new(graph, &nodes, dimension),
        })
    }
}

fn signed(graph: &mut Graph, form: Form, value: Id) -> Result<Id, TooLarge> {
    if form == Form::Energy { graph.negative(value) } else { Ok(value) }
}

impl Read {
    /// The names of coordinates: `x[1]`, `x[2]`, …, or those that lines such as `mu = x[1]` give them.
    fn coordinate_names(&self, dimension: usize) -> Vec<String> {
        let name = |number: usize| {
            let of = self.abbreviations.iter().find(|(_, of)| *of == Expression::Coordinate(number));
            of.map_or_else(|| format!("x[{}]", number + 1), |(name, _)| name.clone())
        };
        (0..dimension).map(name).collect()
    }

    /// Abbreviations that are numbers made of coordinates without sums over all of them, as tau = exp(`x[2]`), with their nodes.
    fn reported(&self, graph: &Graph, nodes: &[Id]) -> Vec<(String, Id)> {
        let mut found = Vec::new();
        let mut has_sum = Vec::with_capacity(nodes.len());
        for (((name, of), by_row), node) in self.abbreviations.iter().zip(&self.by_row).zip(nodes) {
            let mut open = vec![of];
            let mut sums = false;
            while let Some(next) = open.pop() {
                match next {
                    Expression::Over(..) => sums = true,
                    Expression::Abbreviation(number) => sums |= has_sum[*number],
                    _ => open.extend(next.parts()),
                }
            }
            has_sum.push(sums);
            let needed = graph.needed(&[*node]);
            let is_made = (0..=*node).any(|id| needed[id as usize] && matches!(graph.node(id), Node::Coordinate(_)));
            if is_made && !sums && !by_row && !matches!(of, Expression::Coordinate(_)) {
                found.push((name.clone(), *node));
            }
        }
        found
    }
}

impl InVectors {
    /// d.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The names of the coordinates: `x[1]`, `x[2]`, …, or those that the formula gives them, as in `mu = x[1]`.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The names of abbreviations that are numbers made of coordinates, without sums.
    #[must_use]
    pub fn parts(&self) -> &[String] {
        &self.parts
    }

    /// Puts the values of [`parts`](Self::parts) at a point into `out`.
    pub fn values_of_parts(&self, at: &[f64], out: &mut [f64]) {
        self.of_parts.evaluate(Simd::BASELINE, 1, at, out);
    }

    /// Values at as many points as `out` has; `at` has the first coordinates of all points, then the second ones, and so on.
    pub fn values(&self, simd: Simd, at: &[f64], out: &mut [f64]) {
        self.value.evaluate(simd, out.len(), at, out);
    }

    /// Gradients at `count` points, in the same order.
    pub fn gradients(&self, simd: Simd, count: usize, at: &[f64], out: &mut [f64]) {
        self.gradient.evaluate(simd, count, at, out);
    }

    /// The Hessian at a point, by rows.
    #[must_use]
    pub fn hessian(&self, simd: Simd, at: &[f64]) -> Vec<f64> {
        let d = self.dimension;
        let mut points = Vec::with_capacity(2 * d * d);
        at.iter().for_each(|x| points.extend(std::iter::repeat_n(*x, d)));
        (0..d * d).for_each(|entry| points.push(if entry / d == entry % d { 1.0 } else { 0.0 }));
        let mut out = vec![0.0; d * d];
        self.product.evaluate(simd, d, &points, &mut out);
        out
    }

    /// Numbers of instructions for the value, the gradient and the product of Hessian and vector.
    #[must_use]
    pub fn instructions(&self) -> [usize; 3] {
        [&self.value, &self.gradient, &self.product].map(|tape| tape.instructions.len())
    }
}

impl RowsInVectors {
    /// Number of rows, at least 1.
    #[must_use]
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// Puts the gradient of everything that is no sum over rows into `out`.
    pub fn prior(&self, at: &[f64], out: &mut [f64]) {
        self.prior.evaluate(Simd::BASELINE, 1, at, &mut out[..self.dimension]);
    }

    /// Puts the gradient of a row into `out`.
    pub fn row(&self, row: usize, at: &[f64], out: &mut [f64]) {
        self.rows[row].evaluate(Simd::BASELINE, 1, at, &mut out[..self.dimension]);
    }
}

#[cfg(test)]
mod tests;
