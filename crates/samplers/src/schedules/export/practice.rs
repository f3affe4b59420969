//! What a run does with its steps besides taking them: notes for a text, and which draws are collected.

use super::{Library, Momentum, Program};

/// What a run does with its steps, for the texts that say all of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Practice {
    /// What the numbers are: method, noise, gradient, temperature; a comment each.
    pub notes: Vec<String>,
    /// Which draws are collected, in each of the parts.
    pub kept: Vec<Kept>,
    /// The steps as a program, of a run whose method and options stay the same.
    pub program: Option<Program>,
    /// What its steps are to optimisers of other libraries.
    pub step: StepKind,
}

/// What the steps of a run are to an optimiser whose learning rate is the step size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum StepKind {
    /// Steps of gradient descent.
    Descent,
    /// Steps of gradient descent with noise.
    NoisyDescent,
    /// Steps with noise, and with momentum or without.
    Momentum(Momentum),
    /// Others.
    #[default]
    Other,
}

impl Practice {
    /// What the optimiser of the run imports.
    pub(super) fn import(&self, library: Library) -> &'static str {
        if matches!(self.step, StepKind::Momentum(_)) { Momentum::import(library) } else { "" }
    }

    /// Which optimiser of a library takes the steps, as comments.
    pub(super) fn optimiser(&self, library: Library) -> &'static str {
        match (library, self.step) {
            (Library::PyTorch, StepKind::Descent) => {
                "# optimizer = torch.optim.SGD(model.parameters(), lr=lr)  # without momentum\n"
            }
            (Library::PyTorch, StepKind::NoisyDescent) => {
                "# optimizer = torch.optim.SGD(model.parameters(), lr=lr)  # without momentum; add the noise to the weights after its step\n"
            }
            (_, StepKind::Momentum(_)) => "",
            (Library::PyTorch, StepKind::Other) => {
                "# Write the step of the method as above, with optimizer.param_groups[0][\"lr\"] as its step size: torch.optim.SGD takes\n\
                 # another one, also with momentum, where lr multiplies all of it. As NumPy the whole run is given.\n"
            }
            (_, StepKind::Descent) => "# optimizer = optax.sgd(learning_rate=schedule)  # without momentum\n",
            (_, StepKind::NoisyDescent) => {
                "# optimizer = optax.sgd(learning_rate=schedule)  # without momentum; add the noise to the weights after its step\n"
            }
            (_, StepKind::Other) => {
                "# Write the step of the method as above, with schedule(count) as its step size: optax.sgd takes another one, also with\n\
                 # momentum, where the learning rate multiplies all of it. As NumPy the whole run is given.\n"
            }
        }
    }
}

/// Which draws of the sampling stages are collected in a part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// None: the method makes no draws.
    None,
    /// Those of the steps after `burn_in` that are `thin` ≥ 1 apart.
    Every {
        /// Steps dropped at the beginning of the run.
        burn_in: u64,
        /// Every how many steps a draw is collected.
        thin: u64,
    },
}

impl Kept {
    /// Whether the draw of step `k` ≥ 1, which is not in an exploration stage, is collected.
    pub(super) fn keeps(self, k: u64) -> bool {
        match self {
            Self::None => false,
            Self::Every { burn_in, thin } => k > burn_in && (k - burn_in).is_multiple_of(thin.max(1)),
        }
    }

    /// The same as a condition in Python.
    pub(super) fn condition(self) -> String {
        match self {
            Self::None => "False".to_owned(),
            Self::Every { burn_in, thin: 0 | 1 } => format!("k > {burn_in}"),
            Self::Every { burn_in: 0, thin } => format!("k % {thin} == 0"),
            Self::Every { burn_in, thin } => format!("k > {burn_in} and (k - {burn_in}) % {thin} == 0"),
        }
    }
}
