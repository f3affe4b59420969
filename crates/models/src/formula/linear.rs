//! Linear functions of x and y in a formula, and the formula in other coordinates.
//!
//! Much of what people write is made of two linear functions, such as the distances along and across a slanted ridge. In these as
//! coordinates each of them is one coordinate, with all of its digits however far out.

use super::graph::{Graph, Id, NewNode, Node};
use super::tape::{Binary, Unary};

/// Factors of x and y, and a number.
type Linear = [f64; 3];

/// A factor below this share of the other is a rounding error of 0.
const NOTHING: f64 = 1e-13;

impl Graph {
    /// The linear functions a x + b y + c, with a² + b² = 1, of which everything else in a node is made, each once.
    pub(super) fn lines(&self, of: Id) -> Vec<[f64; 3]> {
        let (needed, linear) = self.linear_nodes(of);
        let mut found: Vec<Linear> = Vec::new();
        let mut see = |id: Id| {
            let Some(function) = linear[id as usize] else { return };
            let length = libm::hypot(function[0], function[1]);
            let line = function.map(|number| number / length);
            if length > 0.0 && length < f64::INFINITY && !found.contains(&line) {
                found.push(line);
            }
        };
        for id in (0..=of).filter(|id| needed[*id as usize] && linear[*id as usize].is_none()) {
            self.operands(self.node(id)).into_iter().for_each(&mut see);
        }
        see(of);
        found
    }

    /// A node with (x, y) = M (u, v), as a function of u and v.
    pub(super) fn turned(&mut self, of: Id, map: [[f64; 2]; 2]) -> NewNode {
        let (needed, linear) = self.linear_nodes(of);
        // What is linear is made anew where something else needs it.
        let mut made: Vec<Option<Id>> = vec![None; of as usize + 1];
        for id in (0..=of).filter(|id| needed[*id as usize]) {
            if linear[id as usize].is_none() {
                let node = self.node(id);
                for operand in self.operands(node) {
                    if let (None, Some(function)) = (made[operand as usize], linear[operand as usize]) {
                        made[operand as usize] = Some(self.linear(function, map)?);
                    }
                }
                let new = |id: Id| made[id as usize].unwrap_or(id);
                made[id as usize] = Some(self.with_operands(node, new)?);
            }
        }
        match linear[of as usize] {
            Some(function) => self.linear(function, map),
            None => Ok(made[of as usize].unwrap_or(of)),
        }
    }

    /// Of all nodes up to this one, whether it is made of them and what they are if they are linear.
    fn linear_nodes(&self, of: Id) -> (Vec<bool>, Vec<Option<Linear>>) {
        let needed = self.needed(&[of]);
        let mut all: Vec<Option<Linear>> = vec![None; needed.len()];
        for id in (0..=of).filter(|id| needed[*id as usize]) {
            let sum = |first: Id, second: Id, sign: f64| {
                let (first, second) = (all[first as usize]?, all[second as usize]?);
                Some(std::array::from_fn(|index| first[index] + sign * second[index]))
            };
            all[id as usize] = match self.node(id) {
                Node::Number(bits) => Some([0.0, 0.0, f64::from_bits(bits)]),
                Node::Coordinate(axis) => Some(if axis == 0 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] }),
                Node::Unary(Unary::Negative, of) => all[of as usize].map(|of| of.map(|number| -number)),
                Node::Binary(Binary::Sum, first, second) => sum(first, second, 1.0),
                Node::Binary(Binary::Difference, first, second) => sum(first, second, -1.0),
                Node::Binary(Binary::Product, first, second) => match self.number_of(first) {
                    Some(factor) => all[second as usize].map(|of| of.map(|number| factor * number)),
                    None => None,
                },
                _ => None,
            };
        }
        (needed, all)
    }

    /// A linear function of x and y as one of u and v.
    fn linear(&mut self, [a, b, number]: Linear, [x, y]: [[f64; 2]; 2]) -> NewNode {
        let factors = [a * x[0] + b * y[0], a * x[1] + b * y[1]];
        let least = NOTHING * factors[0].abs().max(factors[1].abs());
        let mut sum = self.number(number)?;
        for (axis, factor) in (0_u8..).zip(factors) {
            let factor = self.number(if factor.abs() <= least { 0.0 } else { factor })?;
            let coordinate = self.made(Node::Coordinate(axis))?;
            let term = self.product(factor, coordinate)?;
            sum = self.sum(sum, term)?;
        }
        Ok(sum)
    }

    /// The node with other operands.
    fn with_operands(&mut self, node: Node, new: impl Fn(Id) -> Id) -> NewNode {
        match node {
            Node::Number(_) | Node::Coordinate(_) => self.made(node),
            Node::Unary(unary, of) => self.unary(unary, new(of)),
            Node::Binary(binary, first, second) => {
                let (first, second) = (new(first), new(second));
                match binary {
                    Binary::Sum => self.sum(first, second),
                    Binary::Difference => self.difference(first, second),
                    Binary::Product => self.times(first, second),
                    Binary::Quotient => self.quotient(first, second),
                    Binary::Larger | Binary::Smaller => self.binary(binary, first, second),
                }
            }
            Node::Choice(of) => self.choice(of.map(new)),
            Node::Jump(of) => self.jump(of.map(new)),
            Node::SlopeOfJump(of) => self.slope_of_jump(of.map(new)),
            Node::LogSum(list) => {
                let terms = self.terms(list).iter().map(|term| new(*term)).collect();
                self.log_sum(terms)
            }
            Node::Share(list, term) => {
                let terms = self.terms(list).iter().map(|term| new(*term)).collect();
                self.share_of(terms, term as usize)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Form, Formula};

    #[test]
    fn a_turned_formula_is_the_same_function_and_its_linear_functions_are_coordinates() {
        let text =
            "a = 3x - 2y + 1\nb = 0.5x + 7y - 2\nlogsumexp(-abs(a) - b²/2, -a² exp(-b)/2 + max(a, b), a b/(1 + a²))";
        let formula = Formula::read(text).unwrap();
        let density = formula.density(&[], Form::LogDensity).unwrap();
        let mut summands = formula.summands(&[], Form::LogDensity).unwrap();
        assert_eq!(summands.count(), 3);
        let length = [13.0_f64.sqrt(), 49.25_f64.sqrt()];
        for index in 0..3 {
            let directions = summands.directions(index);
            let wanted = [[3.0 / length[0], -2.0 / length[0]], [0.5 / length[1], 7.0 / length[1]]];
            assert_eq!(directions.len(), 2);
            for [x, y] in wanted {
                assert!(directions.iter().any(|found| (found[0] * y - found[1] * x).abs() < 1e-12), "{directions:?}");
            }
        }
        let map = [[0.3, -0.8], [0.9, 0.1]];
        let parts: Vec<_> = (0..3).map(|index| summands.turned(index, map).unwrap()).collect();
        for (u, v) in [(0.3, -0.2), (1.5, 2.0), (-3.0, 0.7)] {
            let (x, y) = (map[0][0] * u + map[0][1] * v, map[1][0] * u + map[1][1] * v);
            let sum: f64 = parts.iter().map(|part| part.value(u, v).exp()).sum();
            let value = density.value(x, y);
            assert!((sum.ln() - value).abs() < 1e-12 * (1.0 + value.abs()), "{u} {v}: {} for {value}", sum.ln());
        }
    }
}
