//! Functions of one number with their first two derivatives.

use std::ops::{Add, Mul, Sub};

use super::mixture::Curve;
use base::math::elementary::{exp, ln};

/// A value with its first two derivatives by s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::targets) struct Jet(pub(in crate::targets) Curve);

impl Jet {
    /// A number that does not depend on s.
    pub(in crate::targets) fn constant(value: f64) -> Self {
        Self([value, 0.0, 0.0])
    }

    /// e^(rate s).
    pub(in crate::targets) fn exp(rate: f64, s: f64) -> Self {
        let value = exp(rate * s);
        Self([value, rate * value, rate * rate * value])
    }

    /// One over it.
    pub(in crate::targets) fn recip(self) -> Self {
        let [value, slope, bend] = self.0;
        let one = 1.0 / value;
        let by = -slope * one * one;
        Self([one, by, -bend * one * one - 2.0 * by * slope * one])
    }

    /// Its logarithm.
    pub(in crate::targets) fn ln(self) -> Self {
        let [value, slope, bend] = self.0;
        let ratio = slope / value;
        Self([ln(value), ratio, bend / value - ratio * ratio])
    }

    /// Times a number.
    pub(in crate::targets) fn times(self, factor: f64) -> Self {
        Self(self.0.map(|value| value * factor))
    }
}

impl Add for Jet {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self([self.0[0] + other.0[0], self.0[1] + other.0[1], self.0[2] + other.0[2]])
    }
}

impl Sub for Jet {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + other.times(-1.0)
    }
}

impl Mul for Jet {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let ([a, da, dda], [b, db, ddb]) = (self.0, other.0);
        Self([a * b, da * b + a * db, dda * b + 2.0 * da * db + a * ddb])
    }
}

impl std::iter::Sum for Jet {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::constant(0.0), Self::add)
    }
}
