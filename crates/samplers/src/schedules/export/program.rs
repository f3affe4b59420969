//! A run as a program with NumPy: the step of its method, what it is told, and a loop over the schedule.

/// The steps of a run in Python.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The program of the method ([`crate::methods::algorithm`]): the functions `step` and, if chains carry something along, `start`.
    pub code: &'static str,
    /// Its options by name, in Python.
    pub options: Vec<(&'static str, String)>,
    /// Whether the noise of the gradient is taken off the injected noise, which the program of the method does not do by itself.
    pub compensates: bool,
}

/// What programs call the size of a step.
const STEP_SIZES: [&str; 4] = ["alpha", "h", "eta", "rho"];

/// The noise of Langevin steps in programs, and what it is where the noise of the gradient is taken off.
const NOISE: [&str; 2] =
    ["np.sqrt(2 * alpha)", "np.sqrt(np.maximum(2 * alpha - alpha**2 * target.gradient_variance(theta), 0))"];

/// The name of the argument that says whether the chain explores.
const EXPLORES: &str = "explores";

impl Program {
    /// The program, and a function of all draws of a run of `steps` steps; `None` if the step is not one of a chain with a step size.
    /// `quiet` says when a stage explores without noise, which the step is told.
    pub(super) fn text(&self, steps: u64, quiet: &str) -> Option<String> {
        let step = arguments(self.code, "step")?;
        let size = step.iter().position(|name| STEP_SIZES.contains(name))?;
        let (state, further) = (&step[..size], &step[size..]);
        if state.first() != Some(&"theta") {
            return None;
        }
        let given = |name: &str, number: &str| -> Option<String> {
            if STEP_SIZES.contains(&name) {
                return Some(format!("step_size({number})"));
            }
            match name {
                "target" | "rng" => Some(name.to_owned()),
                EXPLORES => Some(quiet.to_owned()),
                name => self.options.iter().find(|(key, _)| *key == name).map(|(_, value)| value.clone()),
            }
        };
        let named = |names: &[&str], number: &str| -> Option<String> {
            let of = |name: &&str| Some(format!(", {name}={}", given(name, number)?));
            names.iter().map(of).collect()
        };
        let mut lines = String::new();
        let carried = &state[1..];
        if !carried.is_empty() {
            let start = arguments(self.code, "start")?;
            let begun = named(start.get(1..)?, "1")?;
            lines.push_str(&format!("    {} = start(theta{begun})\n", carried.join(", ")));
        }
        let all = state.join(", ");
        lines.push_str(&format!(
            "    for number in range(1, {steps} + 1):\n        {all} = step({all}{})\n        if collected(number):\n            \
             yield theta\n",
            named(further, "number")?
        ));
        let code = self.code.trim_end();
        if !self.compensates {
            return Some(format!("\n\n{code}\n\n{HEAD}{lines}"));
        }
        let [plain, smaller] = NOISE;
        let code = code.contains(plain).then(|| code.replace(plain, smaller))?;
        Some(format!("\n\n{code}\n\n{HEAD}{lines}"))
    }
}

const HEAD: &str = "def draws(theta, target, rng):\n    \
    \"\"\"The draws that the run collects, one chain from theta on, a vector.\n\n    \
    target.gradient(theta) gives the gradient that is described at the top, target.log_density(theta) log p; what else `step` asks of\n    \
    the target it names. rng is a generator of numpy.random.\n    \"\"\"\n";

/// The names of the arguments of a function in a program.
fn arguments<'a>(code: &'a str, function: &str) -> Option<Vec<&'a str>> {
    let (_, rest) = code.split_once(&format!("def {function}("))?;
    let (inside, _) = rest.split_once("):")?;
    Some(
        inside
            .split(',')
            .filter_map(|part| part.split('=').next())
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .collect(),
    )
}
