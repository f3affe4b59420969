//! Schedules as text for other programs: Python for PyTorch and for optax, and a table of values.
//!
//! A schedule says its formula in Python once ([`Formula`]); the texts around it are made here. `tests/schedules.py` runs
//! them in the real libraries.

use std::fmt::Write;

use super::{ALPHA, Schedule};

/// The most lines of a table of values.
const MOST_LINES: u64 = 9_999;

/// Products from here on do not fit the whole numbers that JAX has by default.
const WHOLE_NUMBERS: u64 = 1 << 31;

/// A schedule in Python: constants, and the lines of a function that returns the step size α of step `k` ≥ 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// Names of constants with their values.
    pub constants: Vec<(&'static str, String)>,
    /// Lines for plain numbers; `math` and `bisect` can be used.
    pub python: &'static [&'static str],
    /// The same for arrays of JAX; `jnp` can be used.
    pub jax: &'static [&'static str],
    /// The largest factor of `k` in a product of whole numbers.
    pub factor: u64,
}

impl Formula {
    /// A formula without products of whole numbers.
    pub(super) fn new(
        constants: Vec<(&'static str, String)>,
        python: &'static [&'static str],
        jax: &'static [&'static str],
    ) -> Self {
        Self { constants, python, jax, factor: 1 }
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

/// The step sizes of a run: one schedule, or several after each other.
#[derive(Clone, Debug)]
pub struct StepSizes<'a> {
    /// The name of the run.
    pub name: &'a str,
    /// The symbol of the step size of its method.
    pub symbol: &'a str,
    /// Steps of the run.
    pub steps: u64,
    /// N, the number of data behind the target, if it has any.
    pub data: Option<usize>,
    /// The schedules, each with the number of steps before it; the first has none.
    pub parts: Vec<(u64, &'a dyn Schedule)>,
}

impl StepSizes<'_> {
    /// The step size of step `k` ≥ 1.
    #[must_use]
    pub fn at(&self, k: u64) -> f64 {
        let part = self.parts.iter().rev().find(|(from, _)| *from < k).or(self.parts.first());
        part.map_or(0.0, |(_, schedule)| schedule.step_size(k))
    }

    /// A multiplier for `LambdaLR` of PyTorch; `None` if a schedule has no formula.
    #[must_use]
    pub fn pytorch(&self) -> Option<String> {
        let mut text = self.head("PyTorch");
        text.push_str("import bisect\nimport math\n\nfrom torch.optim.lr_scheduler import LambdaLR\n");
        text.push_str(&self.functions(
            |formula| formula.python,
            |before, then, after| format!("{then} if k <= {before} else {after}"),
        )?);
        text.push_str(
            "\n\nlr = step_size(1)  # of the optimizer\n\n\ndef multiplier(step):\n    \
             \"\"\"Step size of a step counted from 0, in units of lr.\"\"\"\n    return step_size(step + 1) / lr\n\n\n\
             # optimizer = torch.optim.SGD(model.parameters(), lr=lr)\n\
             # scheduler = LambdaLR(optimizer, multiplier)  # in every step: optimizer.step(), then scheduler.step()\n",
        );
        Some(text)
    }

    /// A schedule for optax; `None` if a schedule has no formula.
    #[must_use]
    pub fn optax(&self) -> Option<String> {
        let mut text = self.head("optax");
        let factor =
            self.parts.iter().filter_map(|(_, schedule)| schedule.formula()).map(|formula| formula.factor).max();
        if self.steps.saturating_mul(factor.unwrap_or(1)) >= WHOLE_NUMBERS {
            text.push_str(
                "# Needs jax.config.update(\"jax_enable_x64\", True): products of steps and cycles exceed 32 bits.\n",
            );
        }
        text.push_str("import jax.numpy as jnp\n");
        text.push_str(&self.functions(
            |formula| formula.jax,
            |before, then, after| format!("jnp.where(k <= {before}, {then}, {after})"),
        )?);
        text.push_str(
            "\n\ndef schedule(count):\n    \"\"\"Step size of a step counted from 0.\"\"\"\n    return step_size(count + 1)\n\n\n\
             # optimizer = optax.sgd(learning_rate=schedule)\n",
        );
        Some(text)
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

    /// Comments: what the numbers are.
    fn head(&self, library: &str) -> String {
        // A line break in a name would end the comment.
        let name: String = self.name.chars().filter(|letter| !letter.is_control()).collect();
        let mut text = format!("# Step sizes of {name} ({} steps) for {library}, by Sampler Lab.\n", self.steps);
        let times = self.data.map_or_else(|| "N times".to_owned(), |data| format!("N = {data} times"));
        let scaled = format!("{times} this lr; the variance of the noise stays 2α. Welling and Teh's ε is 2α.");
        let meaning: &[&str] = match self.symbol {
            ALPHA => &[
                "A step of Langevin dynamics is θ ← θ + α ∇log p(θ) + √(2α) ξ with ξ ~ N(0, 1), and lr = α. Here log p is",
                "the log posterior of all N data, and the loss is −log p(θ). If the loss is a mean over data, −log p(θ)/N, take",
                &scaled,
            ],
            "h" => &["lr = h, the time step of the method. The loss is −log p(θ), the sum over all N data."],
            "η" => &["lr = η, the step size of Adam, whether the loss is a sum over data or a mean."],
            "ρ" => &["lr = ρ, the share of the way to the intermediate estimate of stochastic variational inference."],
            _ => &["lr is the step size of the method."],
        };
        for line in meaning {
            text.push_str("# ");
            text.push_str(line);
            text.push('\n');
        }
        text
    }

    /// The function `step_size(k)`: of one schedule, or of the parts of a run that `either` joins.
    fn functions(
        &self,
        lines: impl Fn(&Formula) -> &'static [&'static str],
        either: impl Fn(u64, &str, &str) -> String,
    ) -> Option<String> {
        let mut text = String::new();
        let single = self.parts.len() == 1;
        for (number, (_, schedule)) in self.parts.iter().enumerate() {
            let formula = schedule.formula()?;
            let name = if single { "step_size".to_owned() } else { format!("part_{}", number + 1) };
            text.push_str(&format!("\n\ndef {name}(k):\n    \"\"\"Step size of step k = 1, 2, ...\"\"\"\n"));
            let constants = formula.constants.iter().map(|(name, value)| format!("{name} = {value}"));
            for line in constants.chain(lines(&formula).iter().map(|line| (*line).to_owned())) {
                text.push_str(&format!("    {line}\n"));
            }
        }
        if !single {
            text.push_str("\n\ndef step_size(k):\n    \"\"\"Step size of step k = 1, 2, ...\"\"\"\n");
            let calls: Vec<String> = (1..=self.parts.len()).map(|number| format!("part_{number}(k)")).collect();
            let last = calls.last()?.clone();
            let joined = (1..self.parts.len()).rev().fold(last, |after, index| {
                let after = if after.contains(" if ") { format!("({after})") } else { after };
                either(self.parts[index].0, &calls[index - 1], &after)
            });
            text.push_str(&format!("    return {joined}\n"));
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests;
