//! Values of the table of errors.

use crate::words::numbers;
use engine::diagnostics::MeasureSpec;
use engine::session::{PooledError, PooledErrors};

pub(super) fn of<'a>(pooled: &'a PooledErrors, spec: &MeasureSpec) -> Option<&'a PooledError> {
    pooled.errors.iter().find(|error| error.key == spec.key)
}

/// A number with three decimals, or one if it is large: the numbers of a column are compared.
pub(super) fn value(number: f64) -> String {
    numbers::decimal(number, if number.abs() < 10.0 { 3 } else { 1 })
}
