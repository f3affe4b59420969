//! Numbers that elementary functions are computed with: one at a time, or two that take turns.
//!
//! A processor looks ahead a few hundred instructions. In a long function, where each waits for the one before, that is not enough
//! to keep it busy; where two numbers take turns, instruction by instruction, half of them need not wait. The bits are the same.

use std::array::from_fn;
use std::ops::{Add, Div, Mul, Sub};

/// One number, or [`Two`].
pub(in crate::math) trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
{
    /// A function of each number.
    fn map(self, function: impl Fn(f64) -> f64) -> Self;

    /// Two functions of each number with those in its place.
    fn map_with(self, second: Self, third: Self, functions: impl Fn(f64, f64, f64) -> (f64, f64)) -> (Self, Self);
}

impl Number for f64 {
    #[inline(always)]
    fn map(self, function: impl Fn(f64) -> f64) -> Self {
        function(self)
    }

    #[inline(always)]
    fn map_with(self, second: Self, third: Self, functions: impl Fn(f64, f64, f64) -> (f64, f64)) -> (Self, Self) {
        functions(self, second, third)
    }
}

/// Two numbers that take turns.
#[derive(Clone, Copy, Debug)]
pub(in crate::math) struct Two(pub(in crate::math) [f64; 2]);

impl Number for Two {
    #[inline(always)]
    fn map(self, function: impl Fn(f64) -> f64) -> Self {
        Self(self.0.map(function))
    }

    #[inline(always)]
    fn map_with(self, second: Self, third: Self, functions: impl Fn(f64, f64, f64) -> (f64, f64)) -> (Self, Self) {
        let [(a, b), (c, d)] = from_fn(|i| functions(self.0[i], second.0[i], third.0[i]));
        (Self([a, c]), Self([b, d]))
    }
}

macro_rules! operators {
    ($($operator:ident $name:ident $symbol:tt),*) => {$(
        impl $operator for Two {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(from_fn(|i| self.0[i] $symbol other.0[i]))
            }
        }

        impl $operator<f64> for Two {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: f64) -> Self {
                Self(self.0.map(|number| number $symbol other))
            }
        }
    )*};
}

operators!(Add add +, Sub sub -, Mul mul *, Div div /);
