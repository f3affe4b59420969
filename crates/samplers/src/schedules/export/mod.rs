//! Schedules as text for other programs: Python without libraries, for PyTorch and for optax, the whole run with NumPy, and a table of
//! values.
//!
//! A schedule says its formula in Python once ([`Formula`]), and so does its exploration stage ([`Exploring`]); the texts around
//! them are made here. Each text compares a few of its step sizes with ours when it is run. `tests/schedules.py` runs them in
//! the real libraries.

mod momentum;
mod practice;
mod program;

use std::fmt::Write;

pub use momentum::Momentum;
pub use practice::{Kept, Practice, StepKind};
pub use program::Program;

use super::{Schedule, Stage};

/// The most lines of a table of values.
const MOST_LINES: u64 = 9_999;

/// Relative difference of a step size in Python from ours. Where a cosine cancels, at the end of a cycle, its last bits are larger:
/// a difference below the last bit of the largest step size is none either.
const TOLERANCE: f64 = 1e-12;

/// The same in the 32 bits that JAX has by default, and the share of the largest step size.
const TOLERANCE_OF_32_BITS: (f64, f64) = (1e-4, 1e-6);

/// Steps of the reference values besides the first and the last, in thousandths of the run: ratios of the golden section, which
/// meet no cycle at its start.
const REFERENCES: [u64; 3] = [236, 382, 618];

/// Products from here on do not fit the whole numbers that JAX has by default.
const WHOLE_NUMBERS: u64 = 1 << 31;

/// A schedule in Python: constants, and the lines of a function that returns the step size α of step `k` ≥ 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// Names of constants with their values.
    pub constants: Vec<(&'static str, String)>,
    /// Lines for plain numbers; `math` and `bisect` can be used.
    pub python: Vec<String>,
    /// The same for arrays of JAX; `jnp` can be used.
    pub jax: Vec<String>,
    /// The largest factor of `k` in a product of whole numbers.
    pub factor: u64,
    /// The exploration stage, of a schedule that has one.
    pub exploring: Option<Exploring>,
}

/// The exploration stage of a schedule in Python: a function of step `k` ≥ 1 that is true in the stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Exploring {
    /// Names of constants with their values.
    pub constants: Vec<(&'static str, String)>,
    /// Lines for plain whole numbers.
    pub python: &'static [&'static str],
    /// Whether noise is injected in the stage.
    pub noise: bool,
}

impl Formula {
    /// A formula without products of whole numbers.
    pub(super) fn new(constants: Vec<(&'static str, String)>, python: &[&str], jax: &[&str]) -> Self {
        let [python, jax] = [python, jax].map(|lines| lines.iter().map(|line| (*line).to_owned()).collect());
        Self { constants, python, jax, factor: 1, exploring: None }
    }
}

/// A number in all its digits.
pub(super) fn digits(number: f64) -> String {
    format!("{number:?}")
}

/// A list of numbers in all their digits.
pub(super) fn list(numbers: impl Iterator<Item = f64>) -> String {
    format!("[{}]", numbers.map(digits).collect::<Vec<_>>().join(", "))
}

/// Steps whose collected draws a text counts, which takes Python some milliseconds.
const MOST_COUNTED: u64 = 100_000;

/// A library that a text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// None: a function for plain numbers.
    Python,
    /// `LambdaLR` of PyTorch.
    PyTorch,
    /// A schedule of optax.
    Optax,
    /// NumPy: the function for plain numbers, and the whole run with the step of the method.
    NumPy,
}

impl Library {
    fn name(self) -> &'static str {
        match self {
            Self::Python => "plain Python",
            Self::PyTorch => "PyTorch",
            Self::Optax => "optax",
            Self::NumPy => "NumPy, with the steps of the run",
        }
    }
}

/// The step sizes of a run: one schedule, or several after each other.
#[derive(Clone, Debug)]
pub struct StepSizes<'a> {
    /// The name of the run.
    pub name: &'a str,
    /// Steps of the run.
    pub steps: u64,
    /// The schedules, each with the number of steps before it; the first has none.
    pub parts: Vec<(u64, &'a dyn Schedule)>,
}

impl StepSizes<'_> {
    /// The step size of step `k` ≥ 1.
    #[must_use]
    pub fn at(&self, k: u64) -> f64 {
        self.part(k).map_or(0.0, |(_, schedule)| schedule.step_size(k))
    }

    /// The number of the part of step `k` ≥ 1, and its schedule.
    fn part(&self, k: u64) -> Option<(usize, &dyn Schedule)> {
        let number = self.parts.iter().rposition(|(from, _)| *from < k).unwrap_or(0);
        self.parts.get(number).map(|(_, schedule)| (number, *schedule))
    }

    /// Whether step `k` ≥ 1 is in an exploration stage.
    #[must_use]
    pub fn explores(&self, k: u64) -> bool {
        self.part(k).is_some_and(|(_, schedule)| schedule.stage(k) != Stage::Sampling)
    }

    /// The cycle of step `k` ≥ 1, from 1; 0 of a schedule without cycles.
    #[must_use]
    pub fn cycle(&self, k: u64) -> u64 {
        self.part(k).and_then(|(_, schedule)| schedule.cycle(k)).map_or(0, |cycle| cycle + 1)
    }

    /// Whether all schedules have a formula, so that there are texts for every library.
    #[must_use]
    pub fn has_formula(&self) -> bool {
        self.parts.iter().all(|(_, schedule)| schedule.formula().is_some())
    }

    /// Whether there is a text with all steps of the run: its schedules have formulas, and its steps a program.
    #[must_use]
    pub fn has_program(&self, practice: &Practice) -> bool {
        let program = practice.program.as_ref();
        self.has_formula() && program.is_some_and(|program| program.text(self.steps, "False").is_some())
    }

    /// Whether the draw of step `k` ≥ 1 is collected, as `practice` says for each part.
    #[must_use]
    pub fn collects(&self, practice: &Practice, k: u64) -> bool {
        let kept = self.part(k).and_then(|(number, _)| practice.kept.get(number));
        kept.is_some_and(|kept| kept.keeps(k)) && !self.explores(k)
    }

    /// Steps whose sizes are given for comparison: the first, the last and three between, fewer of a short run.
    #[must_use]
    pub fn references(&self) -> Vec<u64> {
        let between = REFERENCES.map(|share| (self.steps.saturating_mul(share) / 1000).max(1));
        let mut steps = [&between[..], &[1, self.steps.max(1)]].concat();
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    /// The function `step_size(k)` for a library, with what `practice` says: its notes, and functions for exploration stages and
    /// collected draws. `None` if a schedule has no formula, or the run no program where all of it is asked for.
    #[must_use]
    pub fn text(&self, library: Library, practice: &Practice) -> Option<String> {
        let formulas: Vec<Formula> =
            self.parts.iter().map(|(_, schedule)| schedule.formula()).collect::<Option<_>>()?;
        let mut text = self.head(library, &practice.notes);
        let (plain, traced) = (
            |before: u64, then: &str, after: &str| format!("{then} if k <= {before} else {after}"),
            |before: u64, then: &str, after: &str| format!("jnp.where(k <= {before}, {then}, {after})"),
        );
        let bodies =
            |lines: fn(&Formula) -> &[String]| formulas.iter().map(move |f| body(&f.constants, lines(f))).collect();
        if library == Library::Optax {
            let factor = formulas.iter().map(|formula| formula.factor).max().unwrap_or(1);
            if self.steps.saturating_mul(factor) >= WHOLE_NUMBERS {
                text.push_str(
                    "# Needs jax.config.update(\"jax_enable_x64\", True): products of steps and cycles exceed 32 bits.\n",
                );
            }
            // Exploration stages are told for plain numbers.
            let bisects = |exploring: &Exploring| exploring.python.iter().any(|line| line.contains("bisect."));
            if formulas.iter().any(|formula| formula.exploring.as_ref().is_some_and(bisects)) {
                text.push_str("import bisect\n\n");
            }
            text.push_str("import jax\nimport jax.numpy as jnp\n");
            text.push_str(practice.import(library));
            text.push_str(&self.function(STEP_SIZE, bodies(|formula| &formula.jax), traced));
        } else {
            text.push_str("import bisect\nimport math\n");
            if library == Library::PyTorch {
                text.push('\n');
                text.push_str(practice.import(library));
                text.push_str("from torch.optim.lr_scheduler import LambdaLR\n");
            }
            text.push_str(&self.function(STEP_SIZE, bodies(|formula| &formula.python), plain));
        }
        text.push_str(&self.stages(&formulas, practice, plain));
        text.push_str(match library {
            Library::Python | Library::NumPy => "",
            Library::PyTorch if self.at(1) > 0.0 => AROUND_PYTORCH,
            // A multiplier of 0 would not come back.
            Library::PyTorch => AROUND_PYTORCH_FROM_0,
            Library::Optax => AROUND_OPTAX,
        });
        if library == Library::NumPy {
            text.push_str(&practice.program.as_ref()?.text(self.steps, &self.quiet(&formulas, "number"))?);
        } else if library != Library::Python {
            text.push_str(practice.optimiser(library));
            if let StepKind::Momentum(momentum) = practice.step {
                text.push_str(&momentum.text(library, self.steps, &self.quiet(&formulas, "k")));
            }
        }
        text.push_str(&self.assertions(library, practice));
        for module in ["bisect", "math"] {
            if !text.contains(&format!("{module}.")) {
                text = text.replacen(&format!("import {module}\n"), "", 1);
            }
        }
        Some(text)
    }

    /// When no noise is injected because a stage explores, as a condition on the step with this name in Python.
    fn quiet(&self, formulas: &[Formula], step: &str) -> String {
        let of =
            |noise: bool| move |formula: &Formula| formula.exploring.as_ref().is_some_and(|stage| stage.noise == noise);
        if !formulas.iter().any(of(false)) {
            return "False".to_owned();
        }
        let ends = self.parts.iter().skip(1).map(|(from, _)| *from).chain([self.steps]);
        let noisy = self.parts.iter().zip(ends).zip(formulas).filter(|(_, formula)| of(true)(formula));
        let except = noisy.map(|(((from, _), to), _)| format!(" and not {from} < {step} <= {to}"));
        format!("exploring({step}){}", except.collect::<String>())
    }

    /// The functions of exploration stages and of collected draws.
    fn stages(&self, formulas: &[Formula], practice: &Practice, either: impl Fn(u64, &str, &str) -> String) -> String {
        let mut text = String::new();
        let explores = formulas.iter().any(|formula| formula.exploring.is_some());
        if explores {
            let body = |formula: &Formula| match &formula.exploring {
                Some(exploring) => body(&exploring.constants, exploring.python),
                None => body(&[], &["return False"]),
            };
            text.push_str(&self.function(EXPLORING, formulas.iter().map(body).collect(), &either));
        }
        let also = if explores { " and not exploring(k)" } else { "" };
        let condition = |kept: &Kept| vec![format!("return {}{also}", kept.condition())];
        text.push_str(&self.function(COLLECTED, practice.kept.iter().map(condition).collect(), &either));
        text
    }

    /// Lines that compare some step sizes with ours, and which of these steps are collected.
    fn assertions(&self, library: Library, practice: &Practice) -> String {
        let row = |k: u64| {
            let kept = if self.collects(practice, k) { "True" } else { "False" };
            format!("    ({k}, {}, {kept}),\n", digits(self.at(k)))
        };
        let rows: String = self.references().into_iter().map(row).collect();
        let largest = self.parts.iter().map(|(_, schedule)| schedule.largest(self.steps)).fold(0.0, f64::max);
        let mut text = format!(
            "\n\n# Values of Sampler Lab (step, step size, collected), which the functions above must give.\nREFERENCE = [\n{rows}]\n"
        );
        let exact = (digits(TOLERANCE), digits(f64::EPSILON * largest));
        if library == Library::Optax {
            let rough = (digits(TOLERANCE_OF_32_BITS.0), digits(TOLERANCE_OF_32_BITS.1 * largest));
            text.push_str(&format!(
                "RTOL, ATOL = ({}, {}) if jax.config.jax_enable_x64 else ({}, {})\nfor k, size, kept in REFERENCE:\n    \
                 assert jnp.isclose(step_size(k), size, rtol=RTOL, atol=ATOL), (k, size)\n",
                exact.0, exact.1, rough.0, rough.1
            ));
        } else {
            text.push_str(&format!(
                "for k, size, kept in REFERENCE:\n    \
                 assert math.isclose(step_size(k), size, rel_tol={}, abs_tol={}), (k, size)\n",
                exact.0, exact.1
            ));
        }
        text.push_str("    assert collected(k) == kept, k\n");
        if self.steps <= MOST_COUNTED {
            let count = (1..=self.steps).filter(|&k| self.collects(practice, k)).count();
            text.push_str(&format!("assert sum(map(collected, range(1, {} + 1))) == {count}\n", self.steps));
        }
        text
    }

    /// A table of steps and step sizes, all of them or evenly spaced ones, at most 10 000.
    #[must_use]
    pub fn csv(&self) -> String {
        let stride = self.steps.div_ceil(MOST_LINES).max(1);
        let every = (0..).map(|number| 1 + number * stride).take_while(|&k| k < self.steps);
        let mut text = String::from("step,step_size\n");
        for k in every.chain([self.steps]) {
            // Writing to a text does not fail.
            writeln!(text, "{k},{}", digits(self.at(k))).ok();
        }
        text
    }

    /// Comments: whose step sizes these are, and `notes`.
    fn head(&self, library: Library, notes: &[String]) -> String {
        let first =
            format!("Step sizes of {} ({} steps) for {}, by Sampler Lab.", self.name, self.steps, library.name());
        let mut text = String::new();
        for line in [&first].into_iter().chain(notes) {
            // A line break in a name would end the comment.
            text.push_str("# ");
            text.extend(line.chars().filter(|letter| !letter.is_control()));
            text.push('\n');
        }
        text
    }

    /// A function of step k: of one schedule, or of the parts of a run that `either` joins.
    fn function(
        &self,
        Function { name, part, help }: Function,
        bodies: Vec<Vec<String>>,
        either: impl Fn(u64, &str, &str) -> String,
    ) -> String {
        let single = bodies.len() == 1;
        let head = |text: &mut String, name: &str| {
            text.push_str(&format!("\n\ndef {name}(k):\n    \"\"\"{help}\"\"\"\n"));
        };
        let (mut text, count) = (String::new(), bodies.len());
        for (number, lines) in bodies.into_iter().enumerate() {
            head(&mut text, &if single { name.to_owned() } else { format!("{part}_{}", number + 1) });
            lines.iter().for_each(|line| text.push_str(&format!("    {line}\n")));
        }
        if !single {
            head(&mut text, name);
            let calls: Vec<String> = (1..=count).map(|number| format!("{part}_{number}(k)")).collect();
            let last = calls.last().cloned().unwrap_or_default();
            let joined = (1..count).rev().fold(last, |after, index| {
                let after = if after.contains(" if ") { format!("({after})") } else { after };
                either(self.parts[index].0, &calls[index - 1], &after)
            });
            text.push_str(&format!("    return {joined}\n"));
        }
        text
    }
}

/// A function of a text: its name, what its parts are called, and its help.
#[derive(Clone, Copy, Debug)]
struct Function {
    name: &'static str,
    part: &'static str,
    help: &'static str,
}

const STEP_SIZE: Function = Function { name: "step_size", part: "part", help: "Step size of step k = 1, 2, ..." };

const EXPLORING: Function =
    Function { name: "exploring", part: "exploring", help: "Whether step k = 1, 2, ... is in an exploration stage." };

const COLLECTED: Function =
    Function { name: "collected", part: "collected", help: "Whether the draw after step k = 1, 2, ... is collected." };

macro_rules! around_pytorch {
    ($lr:literal) => {
        concat!(
            "\n\nlr = ", $lr, "  # of the optimizer\n\n\ndef multiplier(step):\n    ",
            "\"\"\"Step size of a step counted from 0, in units of lr.\"\"\"\n    return step_size(step + 1) / lr\n\n\n",
            "# scheduler = LambdaLR(optimizer, multiplier)  # in every step: optimizer.step(), then scheduler.step()\n"
        )
    };
}

/// What PyTorch needs around `step_size`.
const AROUND_PYTORCH: &str = around_pytorch!("step_size(1)");

/// The same where the first step has the size 0.
const AROUND_PYTORCH_FROM_0: &str = around_pytorch!("1.0");

/// What optax needs around `step_size`.
const AROUND_OPTAX: &str = "\n\ndef schedule(count):\n    \"\"\"Step size of a step counted from 0.\"\"\"\n    \
    return step_size(count + 1)\n\n\n";

/// The lines of a function: constants, then its formula.
fn body(constants: &[(&'static str, String)], lines: &[impl AsRef<str>]) -> Vec<String> {
    let constants = constants.iter().map(|(name, value)| format!("{name} = {value}"));
    constants.chain(lines.iter().map(|line| line.as_ref().to_owned())).collect()
}

#[cfg(test)]
mod tests;
