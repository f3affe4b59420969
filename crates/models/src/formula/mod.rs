//! Formulas: log densities in ordinary notation, read, differentiated and evaluated.
//!
//! [`Formula::read`] understands a text such as `-(x^2 + b*y^2)/2`, in which x and y are the coordinates and other names are
//! parameters. [`Formula::density`] gives it numbers for them and makes an [`Evaluator`]: the value with its gradient and Hessian,
//! differentiated symbolically with common parts shared (Griewank and Walther 2008, *Evaluating Derivatives*), and evaluated
//! at many points side by side by portable functions.
//!
//! On the way: `tokens` and `syntax` (what a text says), `nodes` and `graph` (every part once), `derivative`, `lowering` and `tape`
//! (instructions for many points). Beside it: `linear` (linear functions as coordinates), `apart` (independent coordinates), `bounds`
//! (over a box), `sequence` (step sizes, with `python` for other programs), `typeset` (what was understood, as text and lines at their places), `examples` (shapes of the gallery).
//!
//! ```
//! use sampler_models::formula::{Form, Formula};
//!
//! let formula = Formula::read("-(x^2 + b*y^2)/2").unwrap();
//! assert_eq!(formula.parameters().collect::<Vec<_>>(), ["b"]);
//! let density = formula.density(&[4.0], Form::LogDensity).unwrap();
//! assert_eq!(density.value(1.0, 2.0), -8.5);
//! assert_eq!(density.gradient(1.0, 2.0), [-1.0, -8.0]);
//! assert_eq!(density.hessian(1.0, 2.0), [-1.0, 0.0, -4.0]);
//! ```

mod apart;
mod backward;
mod bounds;
mod composed;
mod densities;
mod derivative;
mod elements;
mod error;
mod examples;
mod expression;
mod functions;
mod given;
mod graph;
mod hints;
mod linear;
mod logarithm;
mod lowering;
mod nodes;
mod numbered;
mod python;
mod rows;
mod sequence;
mod subject;
mod syntax;
mod tape;
#[cfg(test)]
mod tests;
mod tokens;
mod typeset;
mod unused;
mod vectors;
mod wide;

pub use error::FormulaError;
pub use examples::{EXAMPLES, Example};
pub use functions::NAMES;
pub use given::numbers_of;
pub use rows::Rows;
pub use sequence::Sequence;
pub use tape::AT_ONCE;
pub use typeset::{Mark, Measure, Typeset};
pub use vectors::{InVectors, RowsInVectors};

use self::graph::{Graph, Id, NewNode, TooLarge};
use self::syntax::Read;
use self::tape::Tape;
use base::math::Simd;

/// A formula that has been read.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    read: Read,
    letters: usize,
}

impl Formula {
    /// Reads a text: abbreviations, one in a line (`r = sqrt(x^2 + y^2)`), then the value.
    ///
    /// # Errors
    /// If it cannot be understood, with the range in the text.
    pub fn read(text: &str) -> Result<Self, FormulaError> {
        let formula = Self { read: syntax::read(text)?, letters: text.chars().count() };
        // What is too large for any parameters is too large for these.
        let numbers = vec![std::f64::consts::SQRT_2; formula.read.parameters.len()];
        if formula.is_in_vectors() {
            formula.fits(&numbers)?;
        } else {
            formula.density(&numbers, Form::Density)?;
        }
        Ok(formula)
    }

    /// Names that are neither coordinates, constants nor abbreviations, in the order in which they are first used.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.read.parameters.iter().map(|(name, _)| name.as_str())
    }

    /// Whether it is in coordinates with numbers, `x[1]` to `x[d]`.
    #[must_use]
    pub fn is_in_vectors(&self) -> bool {
        self.read.numbered.is_some()
    }

    /// Names of the columns of data that it sums over, in the order in which they are first used.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.read.columns.iter().map(|(name, _)| name.as_str())
    }

    /// Whether it goes over the rows of data somewhere.
    #[must_use]
    pub fn has_sums(&self) -> bool {
        self.read.has_sums()
    }

    /// The formula with these numbers in its columns, all of one length; until then a sum has one row, of no numbers.
    #[must_use]
    pub fn with_data(mut self, columns: Vec<Vec<f64>>) -> Self {
        self.read.data = std::sync::Arc::new(columns);
        self
    }

    /// An error about a column of this number, at the range where it is first used.
    #[must_use]
    pub fn error_at_column(&self, column: usize, problem: &str, allowed: &str) -> FormulaError {
        let at = self.read.columns.get(column).map_or(0..0, |(_, at)| at.clone());
        FormulaError::new(at, problem, allowed)
    }

    /// Whether x and y are used, of a formula in the plane.
    #[must_use]
    pub fn coordinates(&self) -> [bool; 2] {
        self.read.coordinates
    }

    /// An error about a parameter of this number, at the range where it is first used.
    #[must_use]
    pub fn error_at(&self, parameter: usize, problem: &str, allowed: &str) -> FormulaError {
        let at = self.read.parameters.get(parameter).map_or(0..0, |(_, at)| at.clone());
        FormulaError::new(at, problem, allowed)
    }

    /// What to write for a parameter without a number, if its name says what is meant.
    #[must_use]
    pub fn hint(name: &str) -> Option<&'static str> {
        hints::for_name(name)
    }

    /// The parameters, by their names, in a divisor that is 0 wherever x and y are, for these numbers; `None` if there is no such divisor.
    #[must_use]
    pub fn zero_divisor(&self, parameters: &[f64]) -> Option<Vec<&str>> {
        let found = Graph::default().zero_divisor(&self.read, parameters).ok().flatten()?;
        Some(found.into_iter().map(|number| self.read.parameters[number].0.as_str()).collect())
    }

    /// Log densities whose exponentials add up to that of [`density`](Self::density): several where it is a sum of exponentials.
    ///
    /// # Errors
    /// If it has too many parts.
    pub fn summands(&self, parameters: &[f64], form: Form) -> Result<Summands, FormulaError> {
        let mut graph = Graph::default();
        let made = Evaluator::log_density(&mut graph, &self.read, parameters, form).and_then(|of| graph.summands(of));
        made.map(|values| Summands { graph, values }).map_err(|TooLarge| self.too_large())
    }

    fn too_large(&self) -> FormulaError {
        let problem = "the formula and its derivatives have too many parts";
        let allowed = match self.read.data.first().map_or(0, Vec::len) {
            0 | 1 => "a shorter formula, or abbreviations for what is repeated",
            _ => "fewer rows of data, or a regression, which takes a hundred thousand",
        };
        FormulaError::new(0..self.letters, problem, allowed)
    }

    /// The log density for these numbers in place of the parameters, in their order, of a formula that gives it in this form.
    ///
    /// # Errors
    /// If it has too many parts, or is in coordinates with numbers.
    pub fn density(&self, parameters: &[f64], form: Form) -> Result<Evaluator, FormulaError> {
        if let Some(numbered) = &self.read.numbered {
            let problem = "the formula is in x[1], x[2], …";
            return Err(FormulaError::new(
                numbered.place(),
                problem,
                "x and y without numbers, for a density in the plane",
            ));
        }
        Evaluator::new(&self.read, parameters, form).map_err(|TooLarge| self.too_large())
    }
}

/// What a formula gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// log p, up to a constant.
    LogDensity,
    /// p, up to a factor.
    Density,
    /// The energy −log p, up to a constant.
    Energy,
}

impl Form {
    /// The form that scenario files call `log-density`, `density` or `energy`; every other word is taken for the first.
    #[must_use]
    pub fn of(word: &str) -> Self {
        match word {
            "density" => Self::Density,
            "energy" => Self::Energy,
            _ => Self::LogDensity,
        }
    }
}

/// The sine of an angle below which directions are one.
const PARALLEL: f64 = 1e-12;

/// The terms of a sum of exponentials, each a log density.
#[derive(Debug)]
pub struct Summands {
    graph: Graph,
    values: Vec<Id>,
}

impl Summands {
    /// How many terms.
    #[must_use]
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// The linear functions a x + b y + c, with a² + b² = 1, of which everything else in a term is made.
    #[must_use]
    pub fn lines(&self, term: usize) -> Vec<[f64; 3]> {
        self.graph.lines(self.values[term])
    }

    /// Their directions (a, b), each once.
    #[must_use]
    pub fn directions(&self, term: usize) -> Vec<[f64; 2]> {
        let mut found: Vec<[f64; 2]> = Vec::new();
        for [a, b, _] in self.lines(term) {
            if !found.iter().any(|[x, y]| (a * y - b * x).abs() <= PARALLEL) {
                found.push([a, b]);
            }
        }
        found
    }

    /// A term with (x, y) = M (u, v), as a function of u and v; `None` if it has too many parts.
    pub fn turned(&mut self, term: usize, map: [[f64; 2]; 2]) -> Option<Evaluator> {
        let value = self.graph.turned(self.values[term], map).ok()?;
        Evaluator::of(&mut self.graph, value).ok()
    }
}

/// A function of x and y with its first two derivatives.
#[derive(Clone, Debug)]
pub struct Evaluator {
    value: Tape<1>,
    gradient: Tape<2>,
    hessian: Tape<3>,
    is_apart: bool,
}

impl Evaluator {
    fn new(read: &Read, parameters: &[f64], form: Form) -> Result<Self, TooLarge> {
        let mut graph = Graph::default();
        let value = Self::log_density(&mut graph, read, parameters, form)?;
        Self::of(&mut graph, value)
    }

    /// The node of the log density.
    fn log_density(graph: &mut Graph, read: &Read, parameters: &[f64], form: Form) -> NewNode {
        let given = graph.value(read, parameters)?;
        match form {
            Form::LogDensity => Ok(given),
            Form::Density => graph.logarithm(given),
            Form::Energy => graph.negative(given),
        }
    }

    /// A node with its derivatives.
    fn of(graph: &mut Graph, value: Id) -> Result<Self, TooLarge> {
        let (by_x, by_y) = (graph.derivative(value, 0)?, graph.derivative(value, 1)?);
        let second = [graph.derivative(by_x, 0)?, graph.derivative(by_x, 1)?, graph.derivative(by_y, 1)?];
        Ok(Self {
            value: Tape::new(graph, [value]),
            gradient: Tape::new(graph, [by_x, by_y]),
            hessian: Tape::new(graph, second),
            is_apart: graph.is_apart(value),
        })
    }

    /// Whether it is a function of x plus a function of y.
    #[must_use]
    pub fn is_apart(&self) -> bool {
        self.is_apart
    }

    /// The value at a point; NaN where the formula has none.
    #[must_use]
    pub fn value(&self, x: f64, y: f64) -> f64 {
        self.value.at(x, y)[0]
    }

    /// Derivatives by x and y.
    #[must_use]
    pub fn gradient(&self, x: f64, y: f64) -> [f64; 2] {
        self.gradient.at(x, y)
    }

    /// Second derivatives by xx, xy and yy.
    #[must_use]
    pub fn hessian(&self, x: f64, y: f64) -> [f64; 3] {
        self.hessian.at(x, y)
    }

    /// Bounds of the value over a box, from the least to the largest; infinite where nothing is known, and the other way round, from ∞ to
    /// −∞, where the value is no number anywhere: there the density is 0.
    #[must_use]
    pub fn value_bounds(&self, x: [f64; 2], y: [f64; 2]) -> [f64; 2] {
        self.value.bounds(x, y)[0]
    }

    /// Bounds of the derivatives by x and y over a box, each from the least to the largest; infinite where nothing is known.
    #[must_use]
    pub fn gradient_bounds(&self, x: [f64; 2], y: [f64; 2]) -> [[f64; 2]; 2] {
        self.gradient.bounds(x, y)
    }

    /// Bounds of the second derivatives by xx, xy and yy over a box, each from the least to the largest; infinite where
    /// nothing is known.
    #[must_use]
    pub fn hessian_bounds(&self, x: [f64; 2], y: [f64; 2]) -> [[f64; 2]; 3] {
        self.hessian.bounds(x, y)
    }

    /// Values at many points; all slices have one length. The bits are those of [`value`](Self::value).
    pub fn values(&self, simd: Simd, x: &[f64], y: &[f64], values: &mut [f64]) {
        self.value.evaluate(simd, x, y, &mut [values]);
    }

    /// Gradients at many points; all slices have one length. The bits are those of [`gradient`](Self::gradient).
    pub fn gradients(&self, simd: Simd, x: &[f64], y: &[f64], by_x: &mut [f64], by_y: &mut [f64]) {
        self.gradient.evaluate(simd, x, y, &mut [by_x, by_y]);
    }

    /// Numbers of instructions for the value, the gradient and the Hessian.
    #[must_use]
    pub fn instructions(&self) -> [usize; 3] {
        [self.value.len(), self.gradient.len(), self.hessian.len()]
    }
}
