//! Graph: an expression with every part in it once.
//!
//! Nodes are numbered so that operands come before what is made of them. A node that is there already is used again, so that a
//! density and its derivatives share what they have in common. Numbers are combined at once, with the functions that the
//! tape uses.

use std::collections::HashMap;

use super::functions::Function;
use super::syntax::{Expression, Read};
use super::tape::{Binary, Unary};

/// Nodes at most: second derivatives of a formula of the greatest length have some ten thousand.
const MOST: usize = 200_000;

/// Whole powers that are products; others go through the logarithm.
const MOST_FACTORS: f64 = 1024.0;

/// The number of a node.
pub(super) type Id = u32;

/// A part of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// A number, by its bits.
    Number(u64),
    /// x or y.
    Coordinate(u8),
    Unary(Unary, Id),
    Binary(Binary, Id, Id),
    /// The third where the first is at least the second, otherwise the fourth.
    Choice([Id; 4]),
    /// ln Σ e^xᵢ over a list of terms.
    LogSum(u32),
    /// e^xᵢ / Σ e^xⱼ for the term with this number of a list.
    Share(u32, u32),
}

/// Nodes, and lists of terms.
#[derive(Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    known: HashMap<Node, Id>,
    lists: Vec<Vec<Id>>,
    known_lists: HashMap<Vec<Id>, u32>,
}

/// There are too many nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

type Made = Result<Id, TooLarge>;

impl Graph {
    /// The value of a formula, for these parameters.
    pub(super) fn value(&mut self, read: &Read, parameters: &[f64]) -> Made {
        let mut names = Names { parameters, abbreviations: Vec::with_capacity(read.abbreviations.len()) };
        for (_, expression) in &read.abbreviations {
            let value = self.expression(expression, &names)?;
            names.abbreviations.push(value);
        }
        self.expression(&read.value, &names)
    }

    pub(super) fn node(&self, id: Id) -> Node {
        self.nodes[id as usize]
    }

    /// The terms of a list.
    pub(super) fn terms(&self, list: u32) -> &[Id] {
        &self.lists[list as usize]
    }

    /// The nodes that a node is made of.
    pub(super) fn operands(&self, node: Node) -> Vec<Id> {
        match node {
            Node::Number(_) | Node::Coordinate(_) => Vec::new(),
            Node::Unary(_, of) => vec![of],
            Node::Binary(_, first, second) => vec![first, second],
            Node::Choice(of) => of.to_vec(),
            Node::LogSum(list) | Node::Share(list, _) => self.terms(list).to_vec(),
        }
    }

    /// Of all nodes up to the last of these, whether one of these is made of them.
    pub(super) fn needed(&self, outputs: &[Id]) -> Vec<bool> {
        let count = outputs.iter().max().map_or(0, |last| *last as usize + 1);
        let mut needed = vec![false; count];
        outputs.iter().for_each(|id| needed[*id as usize] = true);
        for id in (0..count).rev() {
            if needed[id] {
                self.operands(self.nodes[id]).into_iter().for_each(|of| needed[of as usize] = true);
            }
        }
        needed
    }

    fn made(&mut self, node: Node) -> Made {
        if let Some(id) = self.known.get(&node) {
            return Ok(*id);
        }
        if self.nodes.len() == MOST {
            return Err(TooLarge);
        }
        #[expect(clippy::cast_possible_truncation, reason = "nodes are few")]
        let id = self.nodes.len() as Id;
        self.nodes.push(node);
        self.known.insert(node, id);
        Ok(id)
    }

    pub(super) fn number(&mut self, value: f64) -> Made {
        // One zero, and one NaN.
        let value = if value == 0.0 {
            0.0
        } else if value.is_nan() {
            f64::NAN
        } else {
            value
        };
        self.made(Node::Number(value.to_bits()))
    }

    /// The value of a node that is a number.
    pub(super) fn number_of(&self, id: Id) -> Option<f64> {
        match self.node(id) {
            Node::Number(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    fn is(&self, id: Id, value: f64) -> bool {
        #[expect(clippy::float_cmp, reason = "exactly this number")]
        self.number_of(id).is_some_and(|number| number == value)
    }

    pub(super) fn unary(&mut self, unary: Unary, of: Id) -> Made {
        if let Some(number) = self.number_of(of) {
            return self.number(unary.of(number));
        }
        match (unary, self.node(of)) {
            (Unary::Negative, Node::Unary(Unary::Negative, inner)) => Ok(inner),
            (Unary::Negative, Node::Binary(Binary::Difference, first, second)) => self.difference(second, first),
            (Unary::Negative, Node::Binary(Binary::Product, first, second)) if self.number_of(first).is_some() => {
                let factor = self.number_of(first).unwrap_or(1.0);
                let factor = self.number(-factor)?;
                self.product(factor, second)
            }
            _ => self.made(Node::Unary(unary, of)),
        }
    }

    pub(super) fn negative(&mut self, of: Id) -> Made {
        self.unary(Unary::Negative, of)
    }

    /// Two numbers combined, or the node.
    fn binary(&mut self, binary: Binary, first: Id, second: Id) -> Made {
        if let (Some(first), Some(second)) = (self.number_of(first), self.number_of(second)) {
            return self.number(binary.of(first, second));
        }
        let ordered = match binary {
            Binary::Sum | Binary::Product | Binary::Larger | Binary::Smaller => self.ordered(first, second),
            Binary::Difference | Binary::Quotient => (first, second),
        };
        self.made(Node::Binary(binary, ordered.0, ordered.1))
    }

    /// Numbers first, then by number: one node for a + b and b + a.
    fn ordered(&self, first: Id, second: Id) -> (Id, Id) {
        let key = |id: Id| (self.number_of(id).is_none(), id);
        if key(first) <= key(second) { (first, second) } else { (second, first) }
    }

    pub(super) fn sum(&mut self, first: Id, second: Id) -> Made {
        if self.is(first, 0.0) {
            return Ok(second);
        }
        if self.is(second, 0.0) {
            return Ok(first);
        }
        if first == second {
            let two = self.number(2.0)?;
            return self.product(two, first);
        }
        match (self.node(first), self.node(second)) {
            (_, Node::Unary(Unary::Negative, of)) => self.difference(first, of),
            (Node::Unary(Unary::Negative, of), _) => self.difference(second, of),
            _ => self.binary(Binary::Sum, first, second),
        }
    }

    pub(super) fn difference(&mut self, first: Id, second: Id) -> Made {
        if self.is(second, 0.0) {
            return Ok(first);
        }
        if first == second {
            return self.number(0.0);
        }
        if self.is(first, 0.0) {
            return self.negative(second);
        }
        match self.node(second) {
            Node::Unary(Unary::Negative, of) => self.sum(first, of),
            _ => self.binary(Binary::Difference, first, second),
        }
    }

    pub(super) fn product(&mut self, first: Id, second: Id) -> Made {
        let (first, second) = self.ordered(first, second);
        if self.is(first, 0.0) {
            return Ok(first);
        }
        if self.is(first, 1.0) {
            return Ok(second);
        }
        if self.is(first, -1.0) {
            return self.negative(second);
        }
        match (self.node(first), self.node(second)) {
            // Numbers come together.
            (Node::Number(bits), Node::Binary(Binary::Product, inner, rest)) if self.number_of(inner).is_some() => {
                let inner = self.number_of(inner).unwrap_or(1.0);
                let both = self.number(f64::from_bits(bits) * inner)?;
                self.product(both, rest)
            }
            (_, Node::Binary(Binary::Product, inner, rest)) if self.number_of(inner).is_some() => {
                let rest = self.product(first, rest)?;
                self.product(inner, rest)
            }
            (Node::Binary(Binary::Product, inner, rest), _) if self.number_of(inner).is_some() => {
                let rest = self.product(rest, second)?;
                self.product(inner, rest)
            }
            (Node::Number(bits), Node::Unary(Unary::Negative, of)) => {
                let negative = self.number(-f64::from_bits(bits))?;
                self.product(negative, of)
            }
            (Node::Unary(Unary::Negative, of), _) => {
                let product = self.product(of, second)?;
                self.negative(product)
            }
            (_, Node::Unary(Unary::Negative, of)) => {
                let product = self.product(first, of)?;
                self.negative(product)
            }
            _ => self.binary(Binary::Product, first, second),
        }
    }

    pub(super) fn quotient(&mut self, first: Id, second: Id) -> Made {
        if self.is(first, 0.0) && !self.is(second, 0.0) {
            return Ok(first);
        }
        if self.number_of(first).is_none()
            && let Some(divisor) = self.number_of(second)
        {
            let inverse = divisor.recip();
            // A factor is quicker, and right to a rounding where it is a number of normal size.
            if inverse.is_normal() {
                let factor = self.number(inverse)?;
                return self.product(factor, first);
            }
        }
        self.binary(Binary::Quotient, first, second)
    }

    pub(super) fn choice(&mut self, [first, second, then, other]: [Id; 4]) -> Made {
        if then == other {
            return Ok(then);
        }
        match (self.number_of(first), self.number_of(second)) {
            (Some(first), Some(second)) => Ok(if first >= second { then } else { other }),
            _ => self.made(Node::Choice([first, second, then, other])),
        }
    }

    pub(super) fn log_sum(&mut self, terms: Vec<Id>) -> Made {
        let list = self.list(terms);
        self.made(Node::LogSum(list))
    }

    /// The share of a term of a list.
    pub(super) fn share(&mut self, list: u32, term: usize) -> Made {
        self.made(Node::Share(list, u32::try_from(term).map_err(|_| TooLarge)?))
    }

    fn list(&mut self, terms: Vec<Id>) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "lists are fewer than letters")]
        let next = self.lists.len() as u32;
        *self.known_lists.entry(terms).or_insert_with_key(|terms| {
            self.lists.push(terms.clone());
            next
        })
    }

    /// A whole power by squaring.
    fn whole_power(&mut self, base: Id, power: u32) -> Made {
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

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number up to a thousand")]
    fn power(&mut self, base: Id, power: Id) -> Made {
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

    fn expression(&mut self, expression: &Expression, names: &Names<'_>) -> Made {
        match expression {
            Expression::Number(value) | Expression::Constant(_, value) => self.number(*value),
            Expression::Coordinate(axis) => self.made(Node::Coordinate(u8::from(*axis > 0))),
            Expression::Parameter(number) => self.number(names.parameters.get(*number).copied().unwrap_or(f64::NAN)),
            Expression::Abbreviation(number) => Ok(names.abbreviations[*number]),
            Expression::Sum(terms) => {
                let mut sum = self.number(0.0)?;
                for (plus, term) in terms {
                    let term = self.expression(term, names)?;
                    sum = if *plus { self.sum(sum, term)? } else { self.difference(sum, term)? };
                }
                Ok(sum)
            }
            Expression::Product(factors) => {
                let mut product = self.number(1.0)?;
                for (times, factor) in factors {
                    let factor = self.expression(factor, names)?;
                    product = if *times { self.product(product, factor)? } else { self.quotient(product, factor)? };
                }
                Ok(product)
            }
            Expression::Power(base, power) => {
                let base = self.expression(base, names)?;
                let power = self.expression(power, names)?;
                self.power(base, power)
            }
            Expression::Call(function, arguments) => {
                let arguments: Result<Vec<Id>, TooLarge> =
                    arguments.iter().map(|argument| self.expression(argument, names)).collect();
                self.call(*function, arguments?)
            }
        }
    }

    fn call(&mut self, function: Function, arguments: Vec<Id>) -> Made {
        let unary = match function {
            Function::Exp => Unary::Exp,
            Function::Ln => Unary::Ln,
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
        };
        self.unary(unary, arguments[0])
    }
}

/// What names stand for.
struct Names<'a> {
    parameters: &'a [f64],
    abbreviations: Vec<Id>,
}
