//! A budget: every run ends at the first step at which all its chains together have spent so many evaluations, whatever its steps.
//!
//! Methods are compared fairly at the same cost, and a step of HMC costs what many steps of SGLD do. The steps of a run follow from the budget:
//! exactly where every step costs the same, so that its schedule ends where the run ends; else they are the most that there can be, and the run
//! ends when the budget is spent.

use toml::de::DeTable;

use super::table_reader::{TableReader, found};
use super::values::number_of;
use super::{RunSpec, Scenario};
use base::params::{ParamError, Settings, Value};
use samplers::methods::set_usual_unless;

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

impl Scenario {
    /// The same with another budget, or with none. A warm-up that nobody has chosen becomes what is usual under it.
    #[must_use]
    pub fn with_budget(&self, budget: Option<f64>) -> Self {
        let mut scenario = Self { budget, ..self.clone() };
        for RunSpec { settings, .. } in &mut scenario.runs {
            let usual = |budget: Option<f64>| {
                let mut usual = without_warm_up(settings)?;
                set_usual_unless(&mut usual, budget, |_| false);
                Some(usual)
            };
            if usual(self.budget).as_ref() == Some(settings)
                && let Some(other) = usual(budget)
            {
                *settings = other;
            }
        }
        scenario
    }
}

/// Settings of a method with a warm-up, as if nothing were said of it; `None` of other methods.
fn without_warm_up(settings: &Settings) -> Option<Settings> {
    settings.kind.param("warm_up")?;
    let mut left = Settings::defaults(settings.kind);
    for (spec, value) in settings.iter().filter(|(spec, _)| spec.key != "warm_up") {
        left.set(spec.key, value.clone()).ok()?;
    }
    left.set("collect.burn_in", Value::Number(0.0)).ok()?;
    Some(left)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::scenario::read;

    /// A scenario with a budget given later is the one that names it; a warm-up that a file names stays.
    #[test]
    fn a_budget_given_later_bounds_the_warm_up_as_one_in_the_file() {
        for more in ["", "warm_up = 40\n", "steps = 5000\n", "collect = { burn_in = 10 }\n"] {
            for method in ["hmc", "nuts", "mclmc", "sgld"] {
                let file = |top: &str| {
                    let text = format!(
                        "format = 1\n{top}seed = 1\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"A\"\nmethod = \"{method}\"\nchains = 4\n{more}"
                    );
                    read(&text, "x", Path::new("")).ok()
                };
                let (Some(without), Some(with)) = (file(""), file("budget = 4000\n")) else { continue };
                assert_eq!(without.with_budget(Some(4000.0)).runs, with.runs, "{method}, {more}");
                assert_eq!(with.with_budget(None).runs, without.runs, "{method}, {more}");
            }
        }
    }
}
