//! The same step in several notations: α, Welling and Teh's ε, the learning rate of a loss that is a mean over data, time steps.
//!
//! A step θ ← θ + α ∇log p(θ) has the gradient of the log posterior of all N data. Written for the loss −log p(θ)/N, as usual for
//! networks, it is θ ← θ − lr ∇loss with lr = Nα; the injected noise stays √(2α) = √(2 lr/N).

use crate::words::numbers;
use base::params::Settings;
use samplers::methods::{self, Method, StepScale};
use samplers::schedules::in_epsilon;

/// Digits of a step size.
const DIGITS: usize = 3;

/// A step size in all notations that it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepNotations {
    /// A line with the numbers.
    pub line: String,
    /// What the symbols mean.
    pub help: String,
}

impl StepNotations {
    /// Of a step of size `size` of a method with these settings, on a target with so many data, if it has any; `None` for a method
    /// without step size.
    #[must_use]
    pub fn new(size: f64, method: &dyn Method, settings: &Settings, data: Option<usize>) -> Option<Self> {
        let scale = methods::step(settings.kind)?.scale;
        let own = format!("now {}", pair((scale.symbol(), &numbers::significant(size, DIGITS))));
        let (line, help) = match scale {
            StepScale::Langevin => {
                return Some(Self::langevin(size, method, settings, data.filter(|_| method.scales_with_loss())));
            }
            StepScale::Time { alpha, ratio } => (
                format!("{own} (α = {alpha} = {})", numbers::significant(ratio * size * size, DIGITS)),
                "h is the time step of the integrator at unit mass. Drift and noise of a step are those of a Langevin step of size α.",
            ),
            StepScale::Length => (own, "h is the length of a step: the chain moves with unit speed."),
            StepScale::LearningRate => (
                own,
                "η is the step size of Adam: about the change of each parameter per step. It is the same for a loss that is a \
                 sum and for one that is a mean over data.",
            ),
            StepScale::Weight => {
                (own, "λ ← (1 − ρ) λ + ρ λ̂: ρ is the weight of the intermediate estimate λ̂ (Hoffman et al. 2013).")
            }
        };
        Some(Self { line, help: help.to_owned() })
    }

    /// The same where every chain adapts its own step size, and this one is that of the first chain.
    #[must_use]
    pub fn of_first_chain(self) -> Self {
        let line = format!("chain 1 {}", self.line);
        Self { line, help: format!("{}\nEvery chain adapts its own step size; this is that of chain 1.", self.help) }
    }

    fn langevin(alpha: f64, method: &dyn Method, settings: &Settings, data: Option<usize>) -> Self {
        let [one, twice] = [alpha, 2.0 * alpha].map(|size| numbers::significant(size, DIGITS));
        let epsilon = settings.group("step_size").is_some_and(in_epsilon);
        if !epsilon && !method.uses_gradients() {
            // ε is a notation of steps along a gradient.
            return Self {
                line: format!("now {}", pair(("α", &one))),
                help: format!("α: {}", method.alpha_in_words()),
            };
        }
        let [first, second] =
            if epsilon { [("ε", &twice), ("α", &one)] } else { [("α", &one), ("ε", &twice)] }.map(pair);
        let mut others = vec![second];
        let mut help = format!("α: {}\nε = 2α: Welling and Teh (2011).", method.alpha_in_words());
        if let Some(count) = data {
            others.push(pair(("lr", &numbers::significant(count as f64 * alpha, DIGITS))));
            let count = numbers::count(count as u64);
            help += &format!(
                "\nlr = Nα: the learning rate of the same steps for the mean loss −log p(θ)/N, with N = {count}."
            );
        }
        Self { line: format!("now {first} ({})", others.join(", ")), help }
    }
}

/// A symbol with its number, on one line.
fn pair((symbol, number): (&str, &String)) -> String {
    format!("{symbol}\u{a0}=\u{a0}{number}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::params::{Value, find_kind};
    use samplers::methods::METHODS;

    fn notations(
        name: &str,
        changes: &[(&str, &'static str)],
        size: f64,
        data: Option<usize>,
    ) -> Option<StepNotations> {
        let mut settings = Settings::defaults(find_kind(&METHODS, name).unwrap());
        for (path, word) in changes {
            settings.set(path, Value::Choice(word)).unwrap();
        }
        StepNotations::new(size, methods::build(&settings).unwrap().as_ref(), &settings, data)
    }

    fn line(name: &str, changes: &[(&str, &'static str)], size: f64, data: Option<usize>) -> String {
        notations(name, changes, size, data).unwrap().line.replace('\u{a0}', " ")
    }

    #[test]
    fn a_step_of_langevin_has_three_notations() {
        let epsilon = [("step_size.convention", "welling-teh")];
        assert_eq!(line("sgld", &[], 0.002, Some(40)), "now α = 0.002 (ε = 0.004, lr = 0.08)");
        assert_eq!(line("sgld", &epsilon, 0.002, Some(40)), "now ε = 0.004 (α = 0.002, lr = 0.08)");
        assert_eq!(line("sghmc", &[], 0.002, None), "now α = 0.002 (ε = 0.004)");
        assert_eq!(line("random-walk", &[], 0.002, Some(40)), "now α = 0.002", "no gradient");
        let help = notations("sgld", &[], 0.002, Some(40)).unwrap().help;
        assert!(help.contains("lr = Nα") && help.contains("N = 40") && help.contains("√(2α)"), "{help}");
        for (name, words) in [("sgd", "α times the gradient"), ("csghmc", "momentum"), ("random-walk", "proposal")] {
            assert!(notations(name, &[], 0.1, None).unwrap().help.contains(words), "{name}");
        }
    }

    /// A preconditioner of mean gradients is that of RMSprop on a mean loss; one of sums makes steps that do not scale with it.
    #[test]
    fn a_preconditioner_of_sums_has_no_learning_rate() {
        assert_eq!(line("psgld", &[("scale", "mean")], 0.002, Some(40)), "now α = 0.002 (ε = 0.004, lr = 0.08)");
        assert_eq!(line("psgld", &[("scale", "sum")], 0.002, Some(40)), "now α = 0.002 (ε = 0.004)");
    }

    #[test]
    fn other_steps_have_symbols_of_their_own() {
        let adapted = notations("nuts", &[], 0.5, None).unwrap().of_first_chain();
        assert_eq!(adapted.line.replace('\u{a0}', " "), "chain 1 now h = 0.5 (α = h²/2 = 0.125)");
        assert!(adapted.help.contains("Every chain adapts"));
        assert_eq!(line("hmc", &[], 0.02, Some(40)), "now h = 0.02 (α = h²/2 = 0.0002)");
        assert_eq!(line("sgnht", &[], 0.02, Some(40)), "now h = 0.02 (α = h² = 0.0004)");
        assert_eq!(line("adam", &[], 0.02, Some(40)), "now η = 0.02");
        assert!(
            METHODS
                .iter()
                .all(|kind| { notations(kind.name, &[], 0.1, None).is_some() == kind.param("step_size").is_some() })
        );
    }
}
