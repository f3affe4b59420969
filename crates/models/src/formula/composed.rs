//! Functions that are made of others: hyperbolic ones, logarithms, ln Γ, log densities with their normalisers.
//!
//! Log densities have Stan's names and parameters (Stan Functions Reference).

use std::f64::consts::{LN_2, LN_10, PI, SQRT_2};

use super::functions::{Distribution, Function};
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

    fn scaled(&mut self, factor: f64, of: Id) -> NewNode {
        let factor = self.number(factor)?;
        self.times(factor, of)
    }

    fn plus(&mut self, summand: f64, of: Id) -> NewNode {
        let summand = self.number(summand)?;
        self.sum(summand, of)
    }

    /// 1 − x.
    fn rest(&mut self, x: Id) -> NewNode {
        let one = self.number(1.0)?;
        self.difference(one, x)
    }

    /// The sum of some terms, the first of which is a number.
    fn all(&mut self, number: f64, terms: &[Id]) -> NewNode {
        let mut sum = self.number(number)?;
        for term in terms {
            sum = self.sum(sum, *term)?;
        }
        Ok(sum)
    }

    fn lgamma(&mut self, x: Id) -> NewNode {
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

    fn lbeta(&mut self, a: Id, b: Id) -> NewNode {
        let both = self.sum(a, b)?;
        let [a, b, both] = [self.lgamma(a)?, self.lgamma(b)?, self.lgamma(both)?];
        let sum = self.sum(a, b)?;
        self.difference(sum, both)
    }

    /// (x − m)/s and −ln s.
    fn standard(&mut self, x: Id, location: Id, scale: Id) -> Result<[Id; 2], super::TooLarge> {
        let difference = self.difference(x, location)?;
        let z = self.quotient(difference, scale)?;
        let logarithm = self.logarithm(scale)?;
        Ok([z, self.negative(logarithm)?])
    }

    fn lpdf(&mut self, distribution: Distribution, x: Id, of: &[Id]) -> NewNode {
        match distribution {
            Distribution::Normal => self.normal(x, of[0], of[1]),
            Distribution::Lognormal => {
                let y = self.logarithm(x)?;
                let normal = self.normal(y, of[0], of[1])?;
                self.difference(normal, y)
            }
            Distribution::StudentT => self.student_t(x, of),
            Distribution::Cauchy => {
                let [z, scale] = self.standard(x, of[0], of[1])?;
                let square = self.product(z, z)?;
                let above = self.plus(1.0, square)?;
                let logarithm = self.logarithm(above)?;
                let fall = self.negative(logarithm)?;
                self.all(-ln(PI), &[scale, fall])
            }
            Distribution::DoubleExponential => {
                let [z, scale] = self.standard(x, of[0], of[1])?;
                let size = self.unary(Unary::Abs, z)?;
                let fall = self.negative(size)?;
                self.all(-LN_2, &[scale, fall])
            }
            Distribution::Logistic => {
                let [z, scale] = self.standard(x, of[0], of[1])?;
                let negative = self.negative(z)?;
                let softplus = self.unary(Unary::Softplus, negative)?;
                let fall = self.scaled(-2.0, softplus)?;
                self.all(0.0, &[negative, fall, scale])
            }
            Distribution::Exponential => {
                let one = self.number(1.0)?;
                self.gamma(x, one, of[0])
            }
            Distribution::Gamma => self.gamma(x, of[0], of[1]),
            Distribution::InvGamma => {
                let (a, b) = (of[0], of[1]);
                let norm = self.gamma_norm(a, b)?;
                let logarithm = self.logarithm(x)?;
                let power = self.plus(1.0, a)?;
                let power = self.times(power, logarithm)?;
                let inverse = self.quotient(b, x)?;
                let rest = self.sum(power, inverse)?;
                self.difference(norm, rest)
            }
            Distribution::Beta => {
                let rest = self.rest(x)?;
                let mut sum = self.lbeta(of[0], of[1])?;
                sum = self.negative(sum)?;
                for (shape, at) in [(of[0], x), (of[1], rest)] {
                    let logarithm = self.logarithm(at)?;
                    let less = self.plus(-1.0, shape)?;
                    let part = self.times(less, logarithm)?;
                    sum = self.sum(sum, part)?;
                }
                Ok(sum)
            }
        }
    }

    fn normal(&mut self, x: Id, location: Id, scale: Id) -> NewNode {
        let [z, scale] = self.standard(x, location, scale)?;
        let square = self.product(z, z)?;
        let fall = self.scaled(-0.5, square)?;
        self.all(-0.5 * ln(2.0 * PI), &[scale, fall])
    }

    fn student_t(&mut self, x: Id, of: &[Id]) -> NewNode {
        let [z, scale] = self.standard(x, of[1], of[2])?;
        let degrees = of[0];
        let more = self.plus(1.0, degrees)?;
        let [half_more, half] = [self.scaled(0.5, more)?, self.scaled(0.5, degrees)?];
        let [above, below] = [self.lgamma(half_more)?, self.lgamma(half)?];
        let norm = self.difference(above, below)?;
        let wide = self.scaled(PI, degrees)?;
        let logarithm = self.logarithm(wide)?;
        let width = self.scaled(-0.5, logarithm)?;
        let square = self.product(z, z)?;
        let share = self.quotient(square, degrees)?;
        let one_more = self.plus(1.0, share)?;
        let logarithm = self.logarithm(one_more)?;
        let fall = self.product(half_more, logarithm)?;
        let sum = self.all(0.0, &[norm, width, scale])?;
        self.difference(sum, fall)
    }

    /// a ln b − ln Γ(a).
    fn gamma_norm(&mut self, a: Id, b: Id) -> NewNode {
        let logarithm = self.logarithm(b)?;
        let power = self.product(a, logarithm)?;
        let norm = self.lgamma(a)?;
        self.difference(power, norm)
    }

    fn gamma(&mut self, x: Id, a: Id, b: Id) -> NewNode {
        let norm = self.gamma_norm(a, b)?;
        let logarithm = self.logarithm(x)?;
        let less = self.plus(-1.0, a)?;
        // 0 times a logarithm stays: it keeps to x > 0.
        let power = self.times(less, logarithm)?;
        let sum = self.sum(norm, power)?;
        let fall = self.product(b, x)?;
        self.difference(sum, fall)
    }
}
