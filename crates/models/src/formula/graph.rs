//! Graph: an expression with every part in it once.
//!
//! Nodes are numbered so that operands come before what is made of them. A node that is there already is used again, so that a
//! density and its derivatives share what they have in common. Numbers are combined at once, with the functions that the
//! tape uses.

use std::collections::HashMap;

use super::tape::{Binary, Unary};

/// Nodes at most: second derivatives of a formula of the greatest length have some ten thousand.
const MOST: usize = 200_000;

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
    /// The third where the first is at least the second, the fourth where it is below, and no number where one of them is none.
    Choice([Id; 4]),
    /// The same where the two may differ beside each other: a jump.
    Jump([Id; 4]),
    /// The slope of a jump, which has no bounds at it.
    SlopeOfJump([Id; 4]),
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

pub(super) type NewNode = Result<Id, TooLarge>;

impl Graph {
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
            Node::Choice(of) | Node::Jump(of) | Node::SlopeOfJump(of) => of.to_vec(),
            Node::LogSum(list) | Node::Share(list, _) => self.terms(list).to_vec(),
        }
    }

    /// Whether a quotient is max(0, u)/u: a step.
    pub(super) fn is_step(&self, first: Id, second: Id) -> bool {
        matches!(self.node(first), Node::Binary(Binary::Larger, zero, of) if of == second && self.is(zero, 0.0))
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

    pub(super) fn made(&mut self, node: Node) -> NewNode {
        if let Some(id) = self.known.get(&node) {
            return Ok(*id);
        }
        if self.nodes.len() == MOST {
            return Err(TooLarge);
        }
        let id = self.nodes.len() as Id;
        self.nodes.push(node);
        self.known.insert(node, id);
        Ok(id)
    }

    pub(super) fn number(&mut self, value: f64) -> NewNode {
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

    pub(super) fn is(&self, id: Id, value: f64) -> bool {
        #[expect(clippy::float_cmp, reason = "exactly this number")]
        self.number_of(id).is_some_and(|number| number == value)
    }

    pub(super) fn unary(&mut self, unary: Unary, of: Id) -> NewNode {
        if let Some(number) = self.number_of(of) {
            return self.number(unary.of(number));
        }
        match (unary, self.node(of)) {
            (Unary::Negative, Node::Unary(Unary::Negative, inner)) => Ok(inner),
            (Unary::Negative, Node::Binary(Binary::Difference, first, second)) => self.difference(second, first),
            (Unary::Negative, Node::Binary(Binary::Product, first, second)) if self.number_of(first).is_some() => {
                let factor = self.number_of(first).unwrap_or(1.0);
                let factor = self.number(-factor)?;
                self.times(factor, second)
            }
            _ => self.made(Node::Unary(unary, of)),
        }
    }

    pub(super) fn negative(&mut self, of: Id) -> NewNode {
        self.unary(Unary::Negative, of)
    }

    /// Two numbers combined, or the node.
    pub(super) fn binary(&mut self, binary: Binary, first: Id, second: Id) -> NewNode {
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

    pub(super) fn sum(&mut self, first: Id, second: Id) -> NewNode {
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
            _ => match self.common_factor(first, second) {
                Some((factor, [one, other])) => {
                    let sum = self.sum(one, other)?;
                    self.product(factor, sum)
                }
                None => self.binary(Binary::Sum, first, second),
            },
        }
    }

    /// A number by which both are multiplied, and what it multiplies.
    fn common_factor(&self, first: Id, second: Id) -> Option<(Id, [Id; 2])> {
        match (self.node(first), self.node(second)) {
            (Node::Binary(Binary::Product, factor, one), Node::Binary(Binary::Product, same, other))
                if factor == same && self.number_of(factor).is_some_and(|factor| factor != 0.0) =>
            {
                Some((factor, [one, other]))
            }
            _ => None,
        }
    }

    pub(super) fn difference(&mut self, first: Id, second: Id) -> NewNode {
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
            _ => match self.common_factor(first, second) {
                Some((factor, [one, other])) => {
                    let difference = self.difference(one, other)?;
                    self.product(factor, difference)
                }
                None => self.binary(Binary::Difference, first, second),
            },
        }
    }

    /// A product that a person wrote: 0 ln(x) is a number only where ln(x) is one.
    pub(super) fn times(&mut self, first: Id, second: Id) -> NewNode {
        let (zero, other) = self.ordered(first, second);
        if self.is(zero, 0.0) && self.has_support(other) {
            return self.made(Node::Binary(Binary::Product, zero, other));
        }
        self.product(first, second)
    }

    /// Whether a node is no number at points of which there may be whole regions.
    fn has_support(&self, of: Id) -> bool {
        let needed = self.needed(&[of]);
        let is_partial = |id: Id| matches!(self.node(id), Node::Unary(Unary::Ln | Unary::Sqrt, _));
        (0..=of).any(|id| needed[id as usize] && is_partial(id))
    }

    pub(super) fn product(&mut self, first: Id, second: Id) -> NewNode {
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
                self.times(both, rest)
            }
            (_, Node::Binary(Binary::Product, inner, rest)) if self.number_of(inner).is_some() => {
                let rest = self.product(first, rest)?;
                self.times(inner, rest)
            }
            (Node::Binary(Binary::Product, inner, rest), _) if self.number_of(inner).is_some() => {
                let rest = self.product(rest, second)?;
                self.times(inner, rest)
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

    pub(super) fn quotient(&mut self, first: Id, second: Id) -> NewNode {
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

    pub(super) fn choice(&mut self, [first, second, then, other]: [Id; 4]) -> NewNode {
        if then == other {
            return Ok(then);
        }
        match (self.number_of(first), self.number_of(second)) {
            (Some(first), Some(second)) => Ok(if first >= second { then } else { other }),
            _ => self.made(Node::Choice([first, second, then, other])),
        }
    }

    /// A choice between values that may differ beside each other.
    pub(super) fn jump(&mut self, of: [Id; 4]) -> NewNode {
        match self.choice(of)? {
            made if matches!(self.node(made), Node::Choice(chosen) if chosen == of) => self.made(Node::Jump(of)),
            made => Ok(made),
        }
    }

    /// Its slope: also one that is 0 on both sides is none at the jump.
    pub(super) fn slope_of_jump(&mut self, of: [Id; 4]) -> NewNode {
        match (self.number_of(of[0]), self.number_of(of[1])) {
            (Some(_), Some(_)) => self.choice(of),
            _ => self.made(Node::SlopeOfJump(of)),
        }
    }

    pub(super) fn log_sum(&mut self, terms: Vec<Id>) -> NewNode {
        let list = self.list(terms);
        self.made(Node::LogSum(list))
    }

    /// The share of a term of these.
    pub(super) fn share_of(&mut self, terms: Vec<Id>, term: usize) -> NewNode {
        let list = self.list(terms);
        self.share(list, term)
    }

    /// The share of a term of a list.
    pub(super) fn share(&mut self, list: u32, term: usize) -> NewNode {
        self.made(Node::Share(list, u32::try_from(term).map_err(|_| TooLarge)?))
    }

    fn list(&mut self, terms: Vec<Id>) -> u32 {
        let next = self.lists.len() as u32;
        *self.known_lists.entry(terms).or_insert_with_key(|terms| {
            self.lists.push(terms.clone());
            next
        })
    }
}
