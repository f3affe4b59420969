//! Logarithms of exponentials: ln e^u is u, and ln Σ cᵢ e^uᵢ a log-sum-exp, which has digits where every term is too small
//! for a number. So a density may be written as a sum of exponentials.

use super::graph::{Graph, Id, Made, Node};
use super::tape::{Binary, Unary};
use crate::math::kernels::ln;

impl Graph {
    /// ln of a node.
    pub(super) fn logarithm(&mut self, of: Id) -> Made {
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
            _ => self.unary(Unary::Ln, of),
        }
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
