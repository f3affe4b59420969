//! Sequences: numbers that follow from their step, such as `a/2*(cos(pi*t/T) + 1)`.
//!
//! t counts the steps from 0, k = t + 1 counts them from 1, and T is how many there are. Other names are parameters. A formula of a
//! sequence has remainders, `t % 10`, which a density has not; cases and columns of data it has not. Its functions are those of the C
//! library in portable form, so that other programs find the same numbers.

use super::FormulaError;
use super::functions::Function;
use super::subject::{OF_STEPS, Subject};
use super::syntax::{Expression, Read, read_of};

/// A formula of a sequence.
///
/// ```
/// use sampler_models::formula::Sequence;
///
/// let sequence = Sequence::read("a/2*(cos(pi*t/T) + 1)").unwrap();
/// assert_eq!(sequence.parameters().collect::<Vec<_>>(), ["a"]);
/// assert_eq!(sequence.value(&[0.5], 1, 100), 0.5);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    pub(super) read: Read,
    /// What each name is that is no constant and no abbreviation.
    pub(super) names: Vec<Name>,
}

/// What a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// One of [`OF_STEPS`], by its number.
    OfSteps(usize),
    /// A parameter, by its number.
    Parameter(usize),
}

/// What the names are at a step.
struct At<'a> {
    of_steps: [f64; OF_STEPS.len()],
    parameters: &'a [f64],
    abbreviations: Vec<f64>,
}

impl Sequence {
    /// Reads a text: abbreviations, one in a line, then the value.
    ///
    /// # Errors
    /// If it cannot be understood, with the range in the text.
    pub fn read(text: &str) -> Result<Self, FormulaError> {
        let read = read_of(text, Subject::Sequence)?;
        let mut parameters = 0;
        let name = |(name, _): &(String, _)| {
            OF_STEPS.iter().position(|known| known == name).map_or_else(
                || {
                    parameters += 1;
                    Name::Parameter(parameters - 1)
                },
                Name::OfSteps,
            )
        };
        let names = read.parameters.iter().map(name).collect();
        Ok(Self { read, names })
    }

    /// Names that are no constants and no abbreviations, in the order in which they are first used.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        let is_parameter = |(_, name): &(_, &Name)| matches!(name, Name::Parameter(_));
        self.read.parameters.iter().zip(&self.names).filter(is_parameter).map(|((name, _), _)| name.as_str())
    }

    /// The number of step `k` ≥ 1 of `steps`, for these numbers in place of the parameters, in their order; NaN where it has none.
    #[must_use]
    pub fn value(&self, parameters: &[f64], k: u64, steps: u64) -> f64 {
        let of_steps = [k.saturating_sub(1) as f64, k as f64, steps as f64];
        let mut at = At { of_steps, parameters, abbreviations: Vec::with_capacity(self.read.abbreviations.len()) };
        for (_, expression) in &self.read.abbreviations {
            let value = self.of(expression, &at);
            at.abbreviations.push(value);
        }
        self.of(&self.read.value, &at)
    }

    fn of(&self, expression: &Expression, at: &At<'_>) -> f64 {
        match expression {
            Expression::Number(value) | Expression::Constant(_, value) => *value,
            Expression::Coordinate(_) | Expression::Shifted(_) => f64::NAN,
            Expression::Parameter(number) => match self.names[*number] {
                Name::OfSteps(number) => at.of_steps[number],
                Name::Parameter(number) => at.parameters.get(number).copied().unwrap_or(f64::NAN),
            },
            Expression::Abbreviation(number) => at.abbreviations[*number],
            Expression::Sum(terms) => terms.iter().fold(0.0, |sum, (plus, term)| {
                let term = self.of(term, at);
                if *plus { sum + term } else { sum - term }
            }),
            Expression::Product(factors) => factors.iter().fold(1.0, |product, (times, factor)| {
                let factor = self.of(factor, at);
                if *times { product * factor } else { product / factor }
            }),
            Expression::Power(base, power) => libm::pow(self.of(base, at), self.of(power, at)),
            Expression::Cases(..) | Expression::Over(..) | Expression::Column(_) => f64::NAN,
            Expression::Call(function, arguments) => {
                let first = self.of(&arguments[0], at);
                let rest = arguments[1..].iter().map(|argument| self.of(argument, at));
                rest.fold(unary(*function, first), |found, next| binary(*function, found, next))
            }
        }
    }
}

/// A function of one number; what has several begins with the first.
fn unary(function: Function, x: f64) -> f64 {
    match function {
        Function::Exp => libm::exp(x),
        Function::Ln => libm::log(x),
        Function::Sqrt => x.sqrt(),
        Function::Sin => libm::sin(x),
        Function::Cos => libm::cos(x),
        Function::Tan => libm::tan(x),
        Function::Atan => libm::atan(x),
        Function::Tanh => libm::tanh(x),
        Function::Cosh => libm::cosh(x),
        Function::Sinh => libm::sinh(x),
        Function::Log10 => libm::log10(x),
        Function::Log2 => libm::log2(x),
        Function::Log1p => libm::log1p(x),
        Function::Expm1 => libm::expm1(x),
        Function::Abs => x.abs(),
        Function::Floor => x.floor(),
        _ => x,
    }
}

/// A function of what was found before and the next number.
fn binary(function: Function, x: f64, y: f64) -> f64 {
    match function {
        _ if x.is_nan() || y.is_nan() => f64::NAN,
        Function::Min => x.min(y),
        Function::Max => x.max(y),
        Function::Remainder => remainder(x, y),
        _ => f64::NAN,
    }
}

/// The exact remainder of x/y with the sign of y.
fn remainder(x: f64, y: f64) -> f64 {
    let rest = x % y;
    if rest != 0.0 && (rest < 0.0) != (y < 0.0) { rest + y } else { rest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Formula;

    /// The numbers of so many steps, as text.
    fn values(text: &str, steps: u64) -> String {
        let sequence = Sequence::read(text).unwrap();
        let numbers: Vec<f64> = (1..=steps).map(|k| sequence.value(&[], k, steps)).collect();
        format!("{numbers:?}")
    }

    #[test]
    fn steps_are_counted_from_0_and_from_1() {
        assert_eq!(values("t", 3), "[0.0, 1.0, 2.0]");
        assert_eq!(values("k", 3), "[1.0, 2.0, 3.0]");
        assert_eq!(values("T + 0t", 3), "[3.0, 3.0, 3.0]");
        assert_eq!(values("x = 2k\nx^2 − x", 3), "[2.0, 12.0, 30.0]");
    }

    #[test]
    fn remainders_have_the_sign_of_the_divisor() {
        assert_eq!(values("t % 3", 5), "[0.0, 1.0, 2.0, 0.0, 1.0]");
        assert_eq!(values("(t − 2) % 3", 5), "[1.0, 2.0, 0.0, 1.0, 2.0]");
        assert_eq!(values("2*t % 3 * 10", 3), "[0.0, 20.0, 10.0]");
        assert_eq!(values("floor(t/2) + max(0, t − 2, 1)", 4), "[1.0, 1.0, 2.0, 2.0]");
        // A floor of a quotient is right where a product with 1/49 is not.
        assert_eq!(Sequence::read("floor(t/49)").unwrap().value(&[], 50, 100).to_bits(), 1.0_f64.to_bits());
    }

    #[test]
    fn parameters_are_all_other_names() {
        let sequence = Sequence::read("b*x^t/T + a*k").unwrap();
        assert_eq!(sequence.parameters().collect::<Vec<_>>(), ["b", "x", "a"]);
        assert_eq!(sequence.value(&[2.0, 3.0, 10.0], 3, 6).to_bits(), 33.0_f64.to_bits());
    }

    #[test]
    fn errors_say_where_and_what() {
        for (text, at, words) in [
            ("t % 2k", 5, "not clear"),
            ("normal_lpdf(t, 0, 1)", 0, "no function \"normal_lpdf\""),
            ("t = 3\nt", 0, "\"t\" has a meaning already"),
            ("a*(t", 2, "not closed"),
            ("", 0, "empty"),
        ] {
            let error = Sequence::read(text).unwrap_err();
            assert!(error.at.start == at && error.problem.contains(words), "{text}: {error}");
            assert!(!error.allowed.contains("sigmoid"), "{error}");
        }
        assert!(Formula::read("x % 2").is_err(), "a density has no remainders");
        assert!(Sequence::read("sum(t[i])").is_err(), "a sequence has no data");
    }
}
