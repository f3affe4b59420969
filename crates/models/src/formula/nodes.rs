//! From an expression to the nodes of a graph.

use super::FormulaError;
use super::functions::Function;
use super::graph::{Graph, Id, NewNode, Node, TooLarge};
use super::numbered::numbers;
use super::syntax::{Condition, Expression, Fold, Index, Read};
use super::tape::{Binary, Unary};

/// Whole powers that are products; others go through the logarithm.
const MOST_FACTORS: f64 = 1024.0;

impl Graph {
    /// The value of a formula, for these parameters.
    pub(super) fn value(&mut self, read: &Read, parameters: &[f64]) -> NewNode {
        let names = self.names(read, parameters)?;
        self.expression(&read.value, &names)
    }

    /// The value of a formula, and those of all abbreviations, of which those that differ from row to row are no numbers.
    pub(super) fn value_and_parts(&mut self, read: &Read, parameters: &[f64]) -> Result<(Id, Vec<Id>), TooLarge> {
        let names = self.names(read, parameters)?;
        Ok((self.expression(&read.value, &names)?, names.abbreviations))
    }

    /// What names stand for, with the values of all abbreviations that are the same in every row.
    fn names<'a>(&mut self, read: &'a Read, parameters: &'a [f64]) -> Result<Names<'a>, TooLarge> {
        let abbreviations = Vec::with_capacity(read.abbreviations.len());
        let mut names = Names { read, parameters, row: 0, dimension: read.dimension().unwrap_or(0), abbreviations };
        for ((_, expression), by_row) in read.abbreviations.iter().zip(&read.by_row) {
            let value = if *by_row { self.number(f64::NAN)? } else { self.expression(expression, &names)? };
            names.abbreviations.push(value);
        }
        Ok(names)
    }

    /// The terms of a log density that are sums over the rows of data, for one row; and what is left, the prior. `None` without such terms.
    pub(super) fn of_row(&mut self, read: &Read, parameters: &[f64], row: usize) -> Result<Option<Id>, TooLarge> {
        let Some(terms) = read.terms_of_rows() else { return Ok(None) };
        let names = Names { row, ..self.names(read, parameters)? };
        self.added(terms, &names).map(Some)
    }

    /// What of a log density is no sum over the rows of data.
    pub(super) fn prior(&mut self, read: &Read, parameters: &[f64]) -> NewNode {
        let names = self.names(read, parameters)?;
        self.added(read.terms().into_iter().filter(|(_, term)| read.sum_of_rows(term).is_none()), &names)
    }

    /// Terms, each added or subtracted.
    fn added<'a>(&mut self, terms: impl IntoIterator<Item = (bool, &'a Expression)>, names: &Names<'_>) -> NewNode {
        let mut sum = self.number(0.0)?;
        for (plus, term) in terms {
            let term = self.expression(term, names)?;
            sum = if plus { self.sum(sum, term)? } else { self.difference(sum, term)? };
        }
        Ok(sum)
    }

    /// The parameters in a divisor that is 0 wherever x and y are, for these numbers; `None` if there is no such divisor.
    pub(super) fn zero_divisor(&mut self, read: &Read, parameters: &[f64]) -> Result<Option<Vec<usize>>, TooLarge> {
        let names = self.names(read, parameters)?;
        for expression in read.abbreviations.iter().map(|(_, expression)| expression).chain([&read.value]) {
            let mut open = vec![expression];
            while let Some(next) = open.pop() {
                for divisor in next.divisors() {
                    let value = self.expression(divisor, &names)?;
                    if self.is(value, 0.0) {
                        return Ok(Some(read.parameters_in(divisor)));
                    }
                }
                open.extend(next.parts());
            }
        }
        Ok(None)
    }

    /// A whole power by squaring.
    fn whole_power(&mut self, base: Id, power: u32) -> NewNode {
        let mut result = self.number(1.0)?;
        let (mut square, mut left) = (base, power);
        while left > 0 {
            if left % 2 == 1 {
                result = self.product(result, square)?;
            }
            left /= 2;
            if left > 0 {
                square = self.product(square, square)?;
            }
        }
        Ok(result)
    }

    #[expect(clippy::cast_sign_loss, reason = "a whole number up to a thousand")]
    fn power(&mut self, base: Id, power: Id) -> NewNode {
        if let Some(number) = self.number_of(power) {
            let size = number.abs();
            let half = 2.0 * size;
            if size <= MOST_FACTORS && half.fract() == 0.0 {
                let mut value = self.whole_power(base, size.floor() as u32)?;
                if size.fract() > 0.0 {
                    let root = self.unary(Unary::Sqrt, base)?;
                    value = self.product(value, root)?;
                }
                if number < 0.0 {
                    let one = self.number(1.0)?;
                    return self.quotient(one, value);
                }
                return Ok(value);
            }
        }
        let exponent = if self.is(base, std::f64::consts::E) {
            power
        } else {
            let logarithm = self.unary(Unary::Ln, base)?;
            self.product(power, logarithm)?
        };
        self.unary(Unary::Exp, exponent)
    }

    fn expression(&mut self, expression: &Expression, names: &Names<'_>) -> NewNode {
        match expression {
            Expression::Number(value) | Expression::Constant(_, value) => self.number(*value),
            Expression::Coordinate(axis) => self.coordinate(*axis as i64),
            Expression::Shifted(shift) => self.coordinate(names.row as i64 + i64::from(*shift)),
            Expression::Parameter(number) => self.number(names.parameters.get(*number).copied().unwrap_or(f64::NAN)),
            Expression::Abbreviation(number) if names.read.by_row[*number] => {
                self.expression(&names.read.abbreviations[*number].1, names)
            }
            Expression::Abbreviation(number) => Ok(names.abbreviations[*number]),
            Expression::Column(number) => {
                let value = names.read.data.get(*number).and_then(|column| column.get(names.row));
                self.number(value.copied().unwrap_or(f64::NAN))
            }
            Expression::Over(fold, index, inner) => self.over((*fold, *index), inner, names),
            Expression::Sum(terms) => self.added(terms.iter().map(|(plus, term)| (*plus, term)), names),
            Expression::Product(factors) => {
                let mut product = self.number(1.0)?;
                for (times, factor) in factors {
                    let factor = self.expression(factor, names)?;
                    product = if *times { self.times(product, factor)? } else { self.quotient(product, factor)? };
                }
                Ok(product)
            }
            Expression::Power(base, power) => {
                let base = self.expression(base, names)?;
                let power = self.expression(power, names)?;
                self.power(base, power)
            }
            Expression::Cases(condition, both) => {
                let [then, other] = [&both[0], &both[1]].map(|value| self.expression(value, names));
                self.cases(condition, [then?, other?], names)
            }
            Expression::Call(function, arguments) => {
                let arguments: Result<Vec<Id>, TooLarge> =
                    arguments.iter().map(|argument| self.expression(argument, names)).collect();
                self.call(*function, arguments?)
            }
        }
    }

    /// x or y; `x[1]`, `x[2]`, …, by the number from 0.
    fn coordinate(&mut self, number: i64) -> NewNode {
        match u8::try_from(number) {
            Ok(number) => self.made(Node::Coordinate(number)),
            Err(_) => self.number(f64::NAN),
        }
    }

    /// A sum or mean.
    fn over(&mut self, (fold, index): (Fold, Index), inner: &Expression, names: &Names<'_>) -> NewNode {
        let rows = match index {
            Index::Rows => 0..names.read.rows(),
            Index::Coordinates(shifts) => {
                let all = numbers(shifts, names.dimension);
                let [from, end] = [*all.start(), *all.end() + 1].map(|end| usize::try_from(end).unwrap_or(0));
                from..end.max(from)
            }
        };
        let count = self.number(rows.len() as f64)?;
        let mut sum = self.number(0.0)?;
        for row in rows {
            let value = self.expression(inner, &Names { row, ..names.clone() })?;
            sum = self.sum(sum, value)?;
        }
        if fold == Fold::Mean { self.quotient(sum, count) } else { Ok(sum) }
    }

    /// One value where a condition holds, and another where it does not.
    fn cases(&mut self, condition: &Condition, [then, other]: [Id; 2], names: &Names<'_>) -> NewNode {
        match condition {
            Condition::Less(both, or_equal) => {
                let [less, more] = [&both[0], &both[1]].map(|side| self.expression(side, names));
                let (less, more) = (less?, more?);
                if *or_equal { self.jump([more, less, then, other]) } else { self.jump([less, more, other, then]) }
            }
            Condition::And(all) => {
                all.iter().rev().try_fold(then, |then, condition| self.cases(condition, [then, other], names))
            }
            Condition::Or(all) => {
                all.iter().rev().try_fold(other, |other, condition| self.cases(condition, [then, other], names))
            }
        }
    }

    fn call(&mut self, function: Function, arguments: Vec<Id>) -> NewNode {
        let unary = match function {
            Function::Exp => Unary::Exp,
            Function::Ln => return self.logarithm(arguments[0]),
            Function::Sqrt => Unary::Sqrt,
            Function::Sin => Unary::Sin,
            Function::Cos => Unary::Cos,
            Function::Atan => Unary::Atan,
            Function::Tanh => Unary::Tanh,
            Function::Sigmoid => Unary::Sigmoid,
            Function::Softplus => Unary::Softplus,
            Function::Abs => Unary::Abs,
            Function::Tan => {
                let sine = self.unary(Unary::Sin, arguments[0])?;
                let cosine = self.unary(Unary::Cos, arguments[0])?;
                return self.quotient(sine, cosine);
            }
            Function::Min | Function::Max => {
                let binary = if function == Function::Min { Binary::Smaller } else { Binary::Larger };
                let mut found = arguments[0];
                for next in &arguments[1..] {
                    found = if found == *next { found } else { self.binary(binary, found, *next)? };
                }
                return Ok(found);
            }
            Function::LogSumExp => return self.log_sum(arguments),
            Function::Floor => Unary::Floor,
            Function::Erf => Unary::Erf,
            Function::Erfc => Unary::Erfc,
            composed => return self.composed(composed, &arguments),
        };
        self.unary(unary, arguments[0])
    }
}

impl Expression {
    /// The expressions that it is made of.
    pub(super) fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Sum(all) | Self::Product(all) => all.iter().map(|(_, part)| part).collect(),
            Self::Power(base, power) => vec![&**base, &**power],
            Self::Call(_, arguments) => arguments.iter().collect(),
            Self::Over(_, _, inner) => vec![&**inner],
            Self::Cases(condition, both) => condition.parts().into_iter().chain(both.iter()).collect(),
            _ => Vec::new(),
        }
    }

    /// What it divides by.
    fn divisors(&self) -> Vec<&Self> {
        match self {
            Self::Product(factors) => factors.iter().filter(|(times, _)| !times).map(|(_, factor)| factor).collect(),
            Self::Power(base, power) => match &**power {
                Self::Number(number) if *number < 0.0 => vec![&**base],
                Self::Sum(terms) if matches!(terms[..], [(false, Self::Number(_))]) => vec![&**base],
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}

impl Condition {
    /// The expressions that it compares.
    fn parts(&self) -> Vec<&Expression> {
        match self {
            Self::Less(both, _) => both.iter().collect(),
            Self::And(all) | Self::Or(all) => all.iter().flat_map(Self::parts).collect(),
        }
    }
}

impl Read {
    /// Rows of data; one, of no numbers, until there are data.
    pub(super) fn rows(&self) -> usize {
        self.data.first().map_or(1, Vec::len)
    }

    /// Coordinates with numbers: 0 of other formulas.
    ///
    /// # Errors
    /// If there are too few or too many, or a sum has coordinates that there are not.
    pub(super) fn dimension(&self) -> Result<usize, FormulaError> {
        // Until there are data, two rows have to do.
        let rows = self.data.first().map_or(2, Vec::len);
        self.numbered.as_ref().map_or(Ok(0), |numbered| numbered.dimension(rows))
    }

    /// Whether something goes over the rows of data.
    pub(super) fn has_sums(&self) -> bool {
        let mut open: Vec<&Expression> = self.abbreviations.iter().map(|(_, of)| of).chain([&self.value]).collect();
        while let Some(next) = open.pop() {
            if matches!(next, Expression::Over(_, Index::Rows, _)) {
                return true;
            }
            open.extend(next.parts());
        }
        false
    }

    /// The terms of the value, each added or subtracted.
    fn terms(&self) -> Vec<(bool, &Expression)> {
        match &self.value {
            Expression::Sum(terms) => terms.iter().map(|(plus, term)| (*plus, term)).collect(),
            single => vec![(true, single)],
        }
    }

    /// What a sum over rows adds up, of a term that is one, also under the name of an abbreviation.
    fn sum_of_rows<'a>(&'a self, term: &'a Expression) -> Option<&'a Expression> {
        match term {
            Expression::Over(Fold::Sum, Index::Rows, inner) => Some(inner),
            Expression::Abbreviation(number) => self.sum_of_rows(&self.abbreviations[*number].1),
            _ => None,
        }
    }

    /// What the sums over rows among the terms add up; `None` without any.
    fn terms_of_rows(&self) -> Option<Vec<(bool, &Expression)>> {
        let of = |(plus, term)| Some((plus, self.sum_of_rows(term)?));
        let found: Vec<_> = self.terms().into_iter().filter_map(of).collect();
        (!found.is_empty()).then_some(found)
    }

    /// The parameters of an expression, also those in its abbreviations, each once.
    fn parameters_in(&self, of: &Expression) -> Vec<usize> {
        let (mut open, mut found) = (vec![of], Vec::new());
        let mut seen = vec![false; self.abbreviations.len()];
        while let Some(next) = open.pop() {
            match next {
                Expression::Parameter(number) if !found.contains(number) => found.push(*number),
                Expression::Abbreviation(number) if !std::mem::replace(&mut seen[*number], true) => {
                    open.push(&self.abbreviations[*number].1);
                }
                _ => open.extend(next.parts()),
            }
        }
        found.sort_unstable();
        found
    }
}

/// What names stand for.
#[derive(Clone)]
struct Names<'a> {
    read: &'a Read,
    parameters: &'a [f64],
    /// The row of the data, or i, from 0.
    row: usize,
    /// Coordinates with numbers.
    dimension: usize,
    abbreviations: Vec<Id>,
}
