//! Functions that are made of others: hyperbolic ones, logarithms, ln Γ. Log densities are [elsewhere](super::densities).

use std::f64::consts::{LN_2, LN_10, PI, SQRT_2};

use super::functions::Function;
use super::graph::{Graph, Id, NewNode};
use super::tape::{Binary, Unary};
use base::math::elementary::ln;
use base::math::ln_gamma;

/// How far ln Γ is moved to the right before Stirling's series has all digits.
const SHIFT: u32 = 8;

/// Coefficients of Stirling's series, of z⁻¹, z⁻³, … (Abramowitz and Stegun 6.1.41).
const STIRLING: [f64; 7] =
    [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0, 1.0 / 156.0];

impl Graph {
    /// The angle of (x, y): of the two quotients the one that is at most 1 in size, and 0 at the origin.
    fn angle(&mut self, y: Id, x: Id) -> NewNode {
        let zero = self.number(0.0)?;
        let [flat, steep] = [self.quotient(y, x)?, self.quotient(x, y)?].map(|slope| self.unary(Unary::Atan, slope));
        let (flat, steep) = (flat?, steep?);
        let [quarter, half] = [0.5 * PI, PI];
        let (above, below) = (self.plus(half, flat)?, self.plus(-half, flat)?);
        let beyond = self.jump([y, zero, above, below])?;
        let flat = self.choice([x, zero, flat, beyond])?;
        let steep = self.negative(steep)?;
        let (up, down) = (self.plus(quarter, steep)?, self.plus(-quarter, steep)?);
        let steep = self.choice([y, zero, up, down])?;
        let [wide, high] = [x, y].map(|side| self.unary(Unary::Abs, side));
        let (wide, high) = (wide?, high?);
        let found = self.choice([wide, high, flat, steep])?;
        let size = self.binary(Binary::Larger, wide, high)?;
        self.choice([zero, size, zero, found])
    }

    /// A function that has no instruction of its own.
    pub(super) fn composed(&mut self, function: Function, of: &[Id]) -> NewNode {
        let x = of[0];
        match function {
            Function::Sign => {
                let [zero, one, minus] = [self.number(0.0)?, self.number(1.0)?, self.number(-1.0)?];
                let not_below = self.jump([zero, x, zero, one])?;
                self.jump([x, zero, not_below, minus])
            }
            Function::Ceil => {
                let negative = self.negative(x)?;
                let floor = self.unary(Unary::Floor, negative)?;
                self.negative(floor)
            }
            Function::Atan2 => self.angle(x, of[1]),
            Function::Cosh | Function::Sinh => {
                let negative = self.negative(x)?;
                let (up, down) = (self.unary(Unary::Exp, x)?, self.unary(Unary::Exp, negative)?);
                let both = if function == Function::Cosh { self.sum(up, down)? } else { self.difference(up, down)? };
                self.scaled(0.5, both)
            }
            Function::Log10 | Function::Log2 => {
                let logarithm = self.logarithm(x)?;
                self.scaled(if function == Function::Log10 { LN_10 } else { LN_2 }.recip(), logarithm)
            }
            Function::Log1p => {
                let above = self.plus(1.0, x)?;
                self.logarithm(above)
            }
            Function::Expm1 => {
                let power = self.unary(Unary::Exp, x)?;
                self.plus(-1.0, power)
            }
            Function::Logit => {
                let rest = self.rest(x)?;
                let (own, other) = (self.logarithm(x)?, self.logarithm(rest)?);
                self.difference(own, other)
            }
            Function::Phi => {
                let scaled = self.scaled(-SQRT_2.recip(), x)?;
                let tail = self.unary(Unary::Erfc, scaled)?;
                self.scaled(0.5, tail)
            }
            Function::Lgamma => self.lgamma(x),
            Function::Lbeta => self.lbeta(x, of[1]),
            Function::Lpdf(distribution) => self.lpdf(distribution, x, &of[1..]),
            // The others have instructions.
            _ => self.number(f64::NAN),
        }
    }

    pub(super) fn scaled(&mut self, factor: f64, of: Id) -> NewNode {
        let factor = self.number(factor)?;
        self.times(factor, of)
    }

    pub(super) fn plus(&mut self, summand: f64, of: Id) -> NewNode {
        let summand = self.number(summand)?;
        self.sum(summand, of)
    }

    /// 1 − x.
    pub(super) fn rest(&mut self, x: Id) -> NewNode {
        let one = self.number(1.0)?;
        self.difference(one, x)
    }

    /// The sum of some terms, the first of which is a number.
    pub(super) fn all(&mut self, number: f64, terms: &[Id]) -> NewNode {
        let mut sum = self.number(number)?;
        for term in terms {
            sum = self.sum(sum, *term)?;
        }
        Ok(sum)
    }

    pub(super) fn lgamma(&mut self, x: Id) -> NewNode {
        if let Some(number) = self.number_of(x) {
            return self.number(if number > 0.0 { ln_gamma(number) } else { f64::NAN });
        }
        // ln Γ(x) = ln Γ(x + 8) − ln x − … − ln (x + 7); the first logarithm keeps to x > 0.
        let mut steps = self.logarithm(x)?;
        for step in 1..SHIFT {
            let next = self.plus(f64::from(step), x)?;
            let logarithm = self.logarithm(next)?;
            steps = self.sum(steps, logarithm)?;
        }
        let z = self.plus(f64::from(SHIFT), x)?;
        let logarithm = self.logarithm(z)?;
        let before = self.plus(-0.5, z)?;
        let main = self.product(before, logarithm)?;
        let one = self.number(1.0)?;
        let inverse = self.quotient(one, z)?;
        let square = self.product(inverse, inverse)?;
        let mut series = self.number(0.0)?;
        for coefficient in STIRLING.iter().rev() {
            let higher = self.product(series, square)?;
            series = self.plus(*coefficient, higher)?;
        }
        let series = self.product(series, inverse)?;
        let sum = self.all(0.5 * ln(2.0 * PI), &[main, series])?;
        let sum = self.difference(sum, z)?;
        self.difference(sum, steps)
    }

    pub(super) fn lbeta(&mut self, a: Id, b: Id) -> NewNode {
        let both = self.sum(a, b)?;
        let [a, b, both] = [self.lgamma(a)?, self.lgamma(b)?, self.lgamma(both)?];
        let sum = self.sum(a, b)?;
        self.difference(sum, both)
    }
}
