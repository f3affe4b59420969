//! Steps with momentum, friction and noise as an optimiser of PyTorch and of optax. With friction 1 no momentum is kept: these are the
//! steps of SGLD.

use super::Library;

/// Steps p ← (1 − a) p + α ĝ + N(0, 2αa − α²V), θ ← θ + p.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Momentum {
    /// The friction a, in (0, 1].
    pub friction: f64,
    /// V, the variance of the gradient that is taken off the noise; 0 if none is.
    pub variance: f64,
    /// Whether V is another one at every position, which the text does not compute.
    pub varies: bool,
}

/// What an optimiser says of itself.
const DOC: &str = "The steps of the run for a loss that is -log p: each loses the share `friction` of its momentum p, and adds noise.\n\n    \
    With friction 1 they are those of SGLD, else of SGHMC. A plain optimizer with momentum is another method: there the learning rate\n    \
    multiplies the momentum too. `gradient_variance` is the variance of the noise of the gradient: so much less is injected.\n    ";

impl Momentum {
    /// The import that the optimiser needs.
    pub(super) fn import(library: Library) -> &'static str {
        match library {
            Library::PyTorch => "import torch\n",
            Library::Optax => "import optax\n",
            Library::Python | Library::NumPy => "",
        }
    }

    /// The optimiser of a run of `steps` steps; `quiet` says when a stage explores without noise, as a condition on the step `k`.
    pub(super) fn text(&self, library: Library, steps: u64, quiet: &str) -> String {
        let Self { friction, variance, varies } = *self;
        let arguments = format!("friction={friction:?}, gradient_variance={variance:?}");
        let body = match library {
            Library::PyTorch if quiet == "False" => {
                COUNT.iter().fold(PYTORCH.replace("0.0 if QUIET else ", ""), |text, line| text.replacen(line, "", 1))
            }
            Library::PyTorch => PYTORCH.replace("QUIET", quiet),
            Library::Optax if quiet == "False" => OPTAX.replace("EXPLORES", "").replace("SCALE", "jnp.sqrt(variance)"),
            Library::Optax => OPTAX
                .replace("EXPLORES", &format!("    quiet = jnp.array([{quiet} for k in range(1, {steps} + 1)])\n"))
                .replace(
                    "SCALE",
                    &format!("jnp.where(quiet[jnp.minimum(count, {steps} - 1)], 0.0, jnp.sqrt(variance))"),
                ),
            Library::Python | Library::NumPy => return String::new(),
        };
        let note = if varies {
            "# The run takes the variance of its minibatches at each position off the noise; here it is gradient_variance, 0 unless given.\n"
        } else {
            ""
        };
        // The text before ends with a comment, or with the empty lines that a function has above it.
        let space = if library == Library::PyTorch { "\n\n" } else { "" };
        format!("{space}{note}{}", body.replace("ARGUMENTS", &arguments).replace("DOC", DOC))
    }
}

/// Lines of the optimiser of PyTorch that count steps: only where stages are without noise.
const COUNT: [&str; 3] = ["        self.taken = 0\n", "        self.taken += 1\n", "        k = self.taken\n"];

const PYTORCH: &str = r#"class Steps(torch.optim.Optimizer):
    """DOC"""

    def __init__(self, params, lr=lr, ARGUMENTS):
        super().__init__(params, {"lr": lr, "friction": friction, "gradient_variance": gradient_variance})
        self.taken = 0

    @torch.no_grad()
    def step(self):
        self.taken += 1
        k = self.taken
        for group in self.param_groups:
            alpha, a = group["lr"], group["friction"]
            variance = max(2 * alpha * a - alpha**2 * group["gradient_variance"], 0.0)
            noise = 0.0 if QUIET else math.sqrt(variance)
            for theta in group["params"]:
                state = self.state[theta]
                if "p" not in state:
                    state["p"] = torch.zeros_like(theta) if a == 1 else math.sqrt(alpha) * torch.randn_like(theta)
                state["p"].mul_(1 - a).sub_(theta.grad, alpha=alpha).add_(torch.randn_like(theta), alpha=noise)
                theta.add_(state["p"])


# optimizer = Steps(model.parameters())
"#;

const OPTAX: &str = r#"def optimiser(key, ARGUMENTS):
    """DOC"""
EXPLORES
    def noise(key, params):
        leaves, tree = jax.tree.flatten(params)
        keys = jax.random.split(key, len(leaves))
        return jax.tree.unflatten(tree, [jax.random.normal(one, x.shape, x.dtype) for one, x in zip(keys, leaves)])

    def init(params):
        first, rest = jax.random.split(key)
        scale = 0.0 if friction == 1 else jnp.sqrt(schedule(0))
        return jnp.zeros((), int), rest, jax.tree.map(lambda xi: scale * xi, noise(first, params))

    def update(gradients, state, params=None):
        count, key, p = state
        now, rest = jax.random.split(key)
        alpha = schedule(count)
        variance = jnp.maximum(2 * alpha * friction - alpha**2 * gradient_variance, 0.0)
        scale = SCALE
        new = lambda p, gradient, xi: (1 - friction) * p - alpha * gradient + scale * xi  # noqa: E731
        p = jax.tree.map(new, p, gradients, noise(now, gradients))
        return p, (count + 1, rest, p)

    return optax.GradientTransformation(init, update)


# optimizer = optimiser(jax.random.PRNGKey(42))
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_to_be_filled_in() {
        let momentum = Momentum { friction: 0.25, variance: 0.0, varies: true };
        let all =
            [Library::PyTorch, Library::Optax].map(|library| ["False", "exploring(k)"].map(|quiet| (library, quiet)));
        for (library, quiet) in all.into_iter().flatten() {
            let text = momentum.text(library, 100, quiet);
            assert!(text.contains("friction=0.25, gradient_variance=0.0"), "{text}");
            for word in ["ARGUMENTS", "DOC", "QUIET", "EXPLORES", "SCALE"] {
                assert!(!text.contains(word), "{word} in\n{text}");
            }
        }
        assert!(momentum.text(Library::Optax, 100, "exploring(k)").contains("range(1, 100 + 1)"));
        let torch = |quiet| momentum.text(Library::PyTorch, 100, quiet);
        assert!(torch("exploring(k)").contains("noise = 0.0 if exploring(k) else math.sqrt(variance)"));
        assert!(torch("False").contains("noise = math.sqrt(variance)") && !torch("False").contains("taken"));
    }
}
