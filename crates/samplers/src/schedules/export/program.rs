//! A run as a program with NumPy: the step of its method, what it is told, and a loop over the schedule.

/// The steps of a run in Python.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The program of the method ([`crate::methods::algorithm`]): the functions `step` and, if chains carry something along, `start`.
    pub code: &'static str,
    /// Its options by name, in Python.
    pub options: Vec<(&'static str, String)>,
}

/// What programs call the size of a step.
const STEP_SIZES: [&str; 4] = ["alpha", "h", "eta", "rho"];

/// The name of the argument that says whether the chain explores.
const EXPLORES: &str = "explores";

impl Program {
    /// The program, and a function of all draws of a run of `steps` steps; `None` if the step is not one of a chain with a step size.
    /// Where the schedule `explores`, the step is told when.
    pub(super) fn text(&self, steps: u64, explores: bool) -> Option<String> {
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
                EXPLORES if explores => Some(format!("exploring({number})")),
                EXPLORES => Some("False".to_owned()),
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
        Some(format!("\n\n{}\n\n{HEAD}{lines}", self.code.trim_end()))
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
