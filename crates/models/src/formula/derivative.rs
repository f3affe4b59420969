//! Derivatives of an expression, as nodes of the same graph.

use std::f64::consts::FRAC_2_SQRT_PI;

use super::graph::{Graph, Id, Node, TooLarge};
use super::tape::{Binary, Unary};

/// A direction of derivatives.
#[derive(Clone, Copy, Debug)]
pub(super) enum Direction {
    /// Along a coordinate.
    Axis(u8),
    /// Along the vector whose entries are further coordinates, after so many of the density.
    After(u8),
}

impl Graph {
    /// The derivative of a node by a coordinate: x or y, 0 or 1.
    pub(super) fn derivative(&mut self, of: Id, axis: u8) -> Result<Id, TooLarge> {
        self.along(&[of], Direction::Axis(axis)).map(|found| found[0])
    }

    /// The derivatives of nodes along a direction.
    pub(super) fn along(&mut self, of: &[Id], direction: Direction) -> Result<Vec<Id>, TooLarge> {
        let needed = self.needed(of);
        let zero = self.number(0.0)?;
        // Operands come before what is made of them.
        let mut found = vec![zero; needed.len()];
        for id in (0_u32..).zip(&needed).filter(|(_, needed)| **needed).map(|(id, _)| id) {
            found[id as usize] = self.derivative_of(id, direction, &found)?;
        }
        Ok(of.iter().map(|id| found[*id as usize]).collect())
    }

    /// The derivative of a node, given those of its operands.
    fn derivative_of(&mut self, id: Id, direction: Direction, known: &[Id]) -> Result<Id, TooLarge> {
        let d = |id: Id| known[id as usize];
        match self.node(id) {
            Node::Number(_) => self.number(0.0),
            Node::Coordinate(coordinate) => match direction {
                Direction::Axis(axis) => self.number(f64::from(u8::from(coordinate == axis))),
                Direction::After(count) => self.made(Node::Coordinate(coordinate + count)),
            },
            Node::Unary(unary, of) => self.derivative_of_unary(unary, (id, of), d(of)),
            Node::Binary(binary, first, second) => {
                self.derivative_of_binary(binary, (id, first, second), [d(first), d(second)])
            }
            Node::Choice([first, second, then, other]) => self.choice([first, second, d(then), d(other)]),
            Node::Jump([first, second, then, other]) | Node::SlopeOfJump([first, second, then, other]) => {
                self.slope_of_jump([first, second, d(then), d(other)])
            }
            Node::LogSum(list) => self.mean_slope(list, known),
            Node::Share(list, term) => {
                let own = d(self.terms(list)[term as usize]);
                let mean = self.mean_slope(list, known)?;
                let excess = self.difference(own, mean)?;
                self.product(id, excess)
            }
        }
    }

    /// The derivative of ln Σ e^xᵢ: the mean of those of the terms, weighted by their shares.
    fn mean_slope(&mut self, list: u32, known: &[Id]) -> Result<Id, TooLarge> {
        let mut sum = self.number(0.0)?;
        for (number, term) in self.terms(list).to_vec().into_iter().enumerate() {
            let share = self.share(list, number)?;
            let part = self.product(share, known[term as usize])?;
            sum = self.sum(sum, part)?;
        }
        Ok(sum)
    }

    /// The derivative of a function of a node whose derivative is `slope`.
    pub(super) fn derivative_of_unary(&mut self, unary: Unary, (id, of): (Id, Id), slope: Id) -> Result<Id, TooLarge> {
        if self.number_of(slope).is_some_and(|slope| slope == 0.0) {
            return Ok(slope);
        }
        let factor = match unary {
            Unary::Negative => return self.negative(slope),
            Unary::Ln => return self.quotient(slope, of),
            Unary::Exp => id,
            Unary::Sqrt => {
                let half = self.number(0.5)?;
                self.quotient(half, id)?
            }
            Unary::Sin => self.unary(Unary::Cos, of)?,
            Unary::Cos => {
                let sine = self.unary(Unary::Sin, of)?;
                self.negative(sine)?
            }
            Unary::Atan => {
                let (one, square) = (self.number(1.0)?, self.product(of, of)?);
                let below = self.sum(one, square)?;
                return self.quotient(slope, below);
            }
            Unary::Tanh => {
                let (one, square) = (self.number(1.0)?, self.product(id, id)?);
                self.difference(one, square)?
            }
            Unary::Erf | Unary::Erfc => {
                let square = self.product(of, of)?;
                let negative = self.negative(square)?;
                let bell = self.unary(Unary::Exp, negative)?;
                let height = if unary == Unary::Erf { FRAC_2_SQRT_PI } else { -FRAC_2_SQRT_PI };
                let height = self.number(height)?;
                self.product(height, bell)?
            }
            Unary::Sigmoid => {
                // σ(x) σ(−x) keeps its digits where σ(x) is nearly 1.
                let negative = self.negative(of)?;
                let other = self.unary(Unary::Sigmoid, negative)?;
                self.product(id, other)?
            }
            Unary::Softplus => self.unary(Unary::Sigmoid, of)?,
            Unary::Floor => {
                // Both sides are the same where no whole number is between.
                let (zero, half) = (self.number(0.0)?, self.number(0.5)?);
                let below = self.difference(id, half)?;
                return self.slope_of_jump([id, below, zero, zero]);
            }
            Unary::Abs => {
                let (zero, one, minus) = (self.number(0.0)?, self.number(1.0)?, self.number(-1.0)?);
                self.choice([of, zero, one, minus])?
            }
        };
        self.product(factor, slope)
    }

    /// The derivative of two nodes combined, with these derivatives.
    pub(super) fn derivative_of_binary(
        &mut self,
        binary: Binary,
        (id, first, second): (Id, Id, Id),
        [of_first, of_second]: [Id; 2],
    ) -> Result<Id, TooLarge> {
        match binary {
            Binary::Sum => self.sum(of_first, of_second),
            Binary::Difference => self.difference(of_first, of_second),
            Binary::Product if first == second => {
                let two = self.number(2.0)?;
                let part = self.product(first, of_first)?;
                self.product(two, part)
            }
            Binary::Product => {
                let (one, other) = (self.product(of_first, second)?, self.product(first, of_second)?);
                self.sum(one, other)
            }
            Binary::Quotient => {
                let part = self.product(id, of_second)?;
                let above = self.difference(of_first, part)?;
                self.quotient(above, second)
            }
            Binary::Larger => self.choice([first, second, of_first, of_second]),
            Binary::Smaller => self.choice([first, second, of_second, of_first]),
        }
    }
}
