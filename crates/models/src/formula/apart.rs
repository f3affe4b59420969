//! Whether a formula is a sum of functions of one coordinate each: a log density of this kind is that of independent coordinates.

use super::graph::{Graph, Id, Node};
use super::tape::{Binary, Unary};

/// Which coordinates a node is made of, and whether it is a sum of functions of one of them each.
#[derive(Clone, Copy, Debug, Default)]
struct Dependence {
    of: [bool; 2],
    is_apart: bool,
}

impl Graph {
    /// Whether a node is a function of x plus a function of y.
    pub(super) fn is_apart(&self, of: Id) -> bool {
        let needed = self.needed(&[of]);
        let mut all = vec![Dependence::default(); needed.len()];
        for id in (0..=of).filter(|id| needed[*id as usize]) {
            let node = self.node(id);
            let mut made = Dependence { of: [0, 1].map(|axis| node == Node::Coordinate(axis)), is_apart: false };
            for operand in self.operands(node) {
                let of = all[operand as usize].of;
                made.of = [0, 1].map(|axis| made.of[axis] || of[axis]);
            }
            let is = |id: Id| all[id as usize].is_apart;
            let is_number = |id: Id| self.number_of(id).is_some();
            made.is_apart = made.of != [true; 2]
                || match node {
                    Node::Unary(Unary::Negative, of) => is(of),
                    Node::Binary(Binary::Sum | Binary::Difference, first, second) => is(first) && is(second),
                    Node::Binary(Binary::Product, first, second) => {
                        is_number(first) && is(second) || is_number(second) && is(first)
                    }
                    Node::Binary(Binary::Quotient, first, second) => is(first) && is_number(second),
                    _ => false,
                };
            all[id as usize] = made;
        }
        all[of as usize].is_apart
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Form, Formula};

    #[test]
    fn sums_of_functions_of_one_coordinate_are_told_from_others() {
        let is = |text: &str, form: Form| Formula::read(text).unwrap().density(&[], form).unwrap().is_apart();
        for text in
            ["-x²/2 - y⁴", "-(20 + x² - 10 cos(2π x) + y² - 10 cos(2π y))/10", "-2 (max(0, x) + abs(y)) + 3", "-x²"]
        {
            assert!(is(text, Form::LogDensity), "{text}");
        }
        for text in ["-(x + y)²", "-max(abs(x), abs(y))", "-x² - y² + x y", "logsumexp(-x², -y²)", "-x² - y²/(1 + x²)"]
        {
            assert!(!is(text, Form::LogDensity), "{text}");
        }
        assert!(is("exp(-x²) exp(-abs(y))", Form::Density));
        assert!(!is("exp(-x²) + exp(-abs(y))", Form::Density));
    }
}
