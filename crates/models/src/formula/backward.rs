//! The gradient of an expression in many coordinates, backwards from the value: what every part adds to it (Griewank and Walther 2008,
//! *Evaluating Derivatives*, chapter 3). It has a few times as many parts as the value, however many coordinates there are.

use super::derivative::Direction;
use super::graph::{Graph, Id, Node, TooLarge};
use super::tape::Binary;

impl Graph {
    /// The derivatives of a node by the first `count` coordinates.
    pub(super) fn gradient(&mut self, of: Id, count: u8) -> Result<Vec<Id>, TooLarge> {
        let needed = self.needed(&[of]);
        let all = || (0_u32..).zip(&needed).filter(|(_, needed)| **needed).map(|(id, _)| id);
        // The side of a case that does not count may have no slope: 0 times it is no number. Forwards it is left out.
        if all().any(|id| self.is_case(id)) {
            return (0..count).map(|axis| Ok(self.along(&[of], Direction::Axis(axis))?[0])).collect();
        }
        let (zero, one) = (self.number(0.0)?, self.number(1.0)?);
        let mut pulls = vec![zero; needed.len()];
        pulls[of as usize] = one;
        let mut found = vec![zero; usize::from(count)];
        for id in (0..=of).rev().filter(|id| needed[*id as usize]) {
            let pull = pulls[id as usize];
            if pull == zero {
                continue;
            }
            match self.node(id) {
                Node::Coordinate(axis) => found[usize::from(axis)] = pull,
                Node::Unary(unary, inner) => {
                    let part = self.derivative_of_unary(unary, (id, inner), pull)?;
                    self.add(&mut pulls, inner, part)?;
                }
                Node::Binary(binary, first, second) => self.pull_binary(binary, (id, first, second), &mut pulls)?,
                Node::LogSum(list) => self.pull_terms((list, pull), &mut pulls)?,
                Node::Share(list, term) => {
                    let own = self.product(pull, id)?;
                    let term = self.terms(list)[term as usize];
                    self.add(&mut pulls, term, own)?;
                    let others = self.negative(own)?;
                    self.pull_terms((list, others), &mut pulls)?;
                }
                Node::Number(_) | Node::Choice(_) | Node::Jump(_) | Node::SlopeOfJump(_) => {}
            }
        }
        Ok(found)
    }

    /// Whether a node is one of two others, depending on where it is.
    fn is_case(&self, id: Id) -> bool {
        matches!(
            self.node(id),
            Node::Choice(_) | Node::Jump(_) | Node::SlopeOfJump(_) | Node::Binary(Binary::Larger | Binary::Smaller, ..)
        )
    }

    fn add(&mut self, pulls: &mut [Id], to: Id, part: Id) -> Result<(), TooLarge> {
        pulls[to as usize] = self.sum(pulls[to as usize], part)?;
        Ok(())
    }

    fn pull_binary(
        &mut self,
        binary: Binary,
        (id, first, second): (Id, Id, Id),
        pulls: &mut [Id],
    ) -> Result<(), TooLarge> {
        let (pull, zero) = (pulls[id as usize], self.number(0.0)?);
        if first == second {
            let part = self.derivative_of_binary(binary, (id, first, second), [pull; 2])?;
            return self.add(pulls, first, part);
        }
        for (operand, slopes) in [(first, [pull, zero]), (second, [zero, pull])] {
            if self.number_of(operand).is_none() {
                let part = self.derivative_of_binary(binary, (id, first, second), slopes)?;
                self.add(pulls, operand, part)?;
            }
        }
        Ok(())
    }

    /// What ln Σ e^xᵢ adds to its terms.
    fn pull_terms(&mut self, (list, pull): (u32, Id), pulls: &mut [Id]) -> Result<(), TooLarge> {
        for (number, term) in self.terms(list).to_vec().into_iter().enumerate() {
            let share = self.share(list, number)?;
            let part = self.product(share, pull)?;
            self.add(pulls, term, part)?;
        }
        Ok(())
    }
}
