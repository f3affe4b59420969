//! Logarithms of exponentials: ln e^u is u, and ln Σ cᵢ e^uᵢ a log-sum-exp, which has digits where every term is too small
//! for a number. So a density may be written as a sum of exponentials.

use super::graph::{Graph, Id, NewNode, Node};
use super::tape::{Binary, Unary};
use base::math::elementary::ln;

/// Terms of a sum of exponentials that are taken apart at most.
const MOST_SUMMANDS: usize = 12;

impl Graph {
    /// ln of a node.
    pub(super) fn logarithm(&mut self, of: Id) -> NewNode {
        if let Some(terms) = self.exponents(of)?
            && terms.len() > 1
        {
            return self.log_sum(terms);
        }
        match self.node(of) {
            Node::Unary(Unary::Exp, exponent) => Ok(exponent),
            Node::Binary(Binary::Product, first, second) if self.is_split(first) || self.is_split(second) => {
                let (first, second) = (self.logarithm(first)?, self.logarithm(second)?);
                self.sum(first, second)
            }
            Node::Binary(Binary::Quotient, first, second) if self.is_split(first) || self.is_split(second) => {
                let (first, second) = (self.logarithm(first)?, self.logarithm(second)?);
                self.difference(first, second)
            }
            Node::Jump([first, second, then, other]) => {
                let (then, other) = (self.logarithm(then)?, self.logarithm(other)?);
                self.jump([first, second, then, other])
            }
            _ => self.unary(Unary::Ln, of),
        }
    }

    /// Log densities whose exponentials add up to that of a node; the node alone if there are more than [`MOST_SUMMANDS`].
    pub(super) fn summands(&mut self, of: Id) -> Result<Vec<Id>, super::TooLarge> {
        let found = match self.node(of) {
            Node::LogSum(list) => {
                let mut all = Vec::new();
                for term in self.terms(list).to_vec() {
                    all.extend(self.summands(term)?);
                }
                all
            }
            Node::Binary(Binary::Sum, first, second) => {
                let (first, second) = (self.summands(first)?, self.summands(second)?);
                if first.len() * second.len() == 1 {
                    return Ok(vec![of]);
                }
                let pairs = first.iter().flat_map(|one| second.iter().map(move |other| (*one, *other)));
                pairs.map(|(one, other)| self.sum(one, other)).collect::<Result<_, _>>()?
            }
            Node::Binary(Binary::Difference, first, second) => {
                let all = self.summands(first)?;
                if all.len() == 1 {
                    return Ok(vec![of]);
                }
                all.into_iter().map(|one| self.difference(one, second)).collect::<Result<_, _>>()?
            }
            _ => return Ok(vec![of]),
        };
        Ok(if found.len() <= MOST_SUMMANDS { found } else { vec![of] })
    }

    /// Whether it is positive wherever it is a number, so that its logarithm may stand alone.
    fn is_split(&self, id: Id) -> bool {
        self.number_of(id).is_some_and(|number| number > 0.0) || matches!(self.node(id), Node::Unary(Unary::Exp, _))
    }

    /// The exponents uᵢ of a sum of e^uᵢ, with positive factors taken in; `None` if it is no such sum.
    fn exponents(&mut self, of: Id) -> Result<Option<Vec<Id>>, super::TooLarge> {
        let mut found = Vec::new();
        let mut open = vec![of];
        while let Some(id) = open.pop() {
            match self.node(id) {
                Node::Binary(Binary::Sum, first, second) => open.extend([second, first]),
                Node::Unary(Unary::Exp, exponent) => found.push(exponent),
                Node::Binary(Binary::Product, first, second) => {
                    let (Some(factor), Node::Unary(Unary::Exp, exponent)) = (self.number_of(first), self.node(second))
                    else {
                        return Ok(None);
                    };
                    if factor <= 0.0 || factor.is_nan() {
                        return Ok(None);
                    }
                    let factor = self.number(ln(factor))?;
                    found.push(self.sum(factor, exponent)?);
                }
                Node::Number(bits) if f64::from_bits(bits) > 0.0 => {
                    found.push(self.number(ln(f64::from_bits(bits)))?);
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(found))
    }
}
