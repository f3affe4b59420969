//! A budget: every run ends at the first step at which all its chains together have spent so many evaluations, whatever its steps.
//!
//! Methods are compared fairly at the same cost, and a step of HMC costs what many steps of SGLD do. The steps of a run follow from the budget:
//! exactly where every step costs the same, so that its schedule ends where the run ends; else they are the most that there can be, and the run
//! ends when the budget is spent.

use toml::de::DeTable;

use super::table_reader::{TableReader, found};
use super::values::number_of;
use base::params::ParamError;

/// The fewest evaluations that a budget can be.
pub const LEAST: f64 = 1.0;

/// The most.
pub const MOST: f64 = 1e12;

/// What is allowed, in words.
const ALLOWED: &str = "a number of evaluations of all chains of a run, from 1 to 1e12";

/// The budget at the top of a file, if there is one.
pub(super) fn read(table: &DeTable<'_>, reader: &mut TableReader) -> Option<f64> {
    let value = table.get("budget")?;
    reader.locate("budget", value.span());
    let read = number_of(value.get_ref()).filter(|budget| (LEAST..=MOST).contains(budget));
    if read.is_none() {
        reader.fault(&value.span(), ParamError::new("budget", found(value), ALLOWED));
    }
    read
}
