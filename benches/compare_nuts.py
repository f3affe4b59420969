#!/usr/bin/env python3
"""NUTS of Sampler Lab and of blackjax: effective sample size per gradient at the same step size, on five targets.

    python3 -m venv /tmp/compare
    /tmp/compare/bin/pip install numpy jax blackjax
    /tmp/compare/bin/python benches/compare_nuts.py target/release/sampler-lab

Both take the same number of steps with as many chains from exact or nearly exact draws, at unit mass and without adaptation. Gradients are
leapfrog steps: `gradient_evaluations` of the summary, and `num_integration_steps` of blackjax. The ESS is that of x and of y, by one
program for both: the initial monotone sequence of Geyer (1992) from the autocovariances of all chains together. The table has the
smaller of the two. Its error is that of the mean over batches of chains.

The two differ in details: blackjax checks fewer turns than Stan and Sampler Lab, and takes half of each end off ρ.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

CHAINS, STEPS, BURN_IN, BATCHES = 64, 3000, 200, 8

# Name, settings of the target, step size.
TARGETS = [
    ("Gaussian, ρ = 0.9", 'kind = "gaussian"\ncorrelation = 0.9', 0.4),
    ("Gaussian, ρ = 0.99", 'kind = "gaussian"\ncorrelation = 0.99', 0.15),
    ("banana", 'kind = "banana"', 0.4),
    ("donut", 'kind = "donut"', 0.3),
    ("squiggle", 'kind = "squiggle"', 0.3),
]


def log_densities():
    """The same densities, written down again."""
    import jax.numpy as jnp

    def gaussian(rho):
        return lambda t: -(t[0] ** 2 - 2 * rho * t[0] * t[1] + t[1] ** 2) / (2 * (1 - rho**2))

    def banana(t):
        return -(t[0] ** 2) / 8 - (t[1] - 0.25 * (t[0] ** 2 - 4)) ** 2 / 2

    def donut(t):
        return -((jnp.sqrt(t[0] ** 2 + t[1] ** 2) - 3.0) ** 2) / (2 * 0.3**2)

    def squiggle(t):
        return -(t[0] ** 2) / 8 - (t[1] - 1.5 * jnp.sin(1.5 * t[0])) ** 2 / (2 * 0.35**2)

    return [gaussian(0.9), gaussian(0.99), banana, donut, squiggle]


def ess(x):
    """Effective sample size of draws, one row per chain, about their common mean."""
    chains, steps = x.shape
    centred = x - x.mean()
    spectrum = np.fft.rfft(centred, 2 * steps, axis=1)
    covariance = np.fft.irfft(np.abs(spectrum) ** 2, axis=1)[:, :steps].mean(axis=0) / steps
    pairs = covariance[: steps // 2 * 2].reshape(-1, 2).sum(axis=1)
    negative = np.nonzero(pairs <= 0)[0]
    pairs = np.minimum.accumulate(pairs[: negative[0] if len(negative) else len(pairs)])
    return chains * steps * covariance[0] / (2 * pairs.sum() - covariance[0])


def per_gradient(draws, gradients):
    """Smaller ESS of the two coordinates per 1000 gradients, and its standard error over batches of chains."""
    kept = draws[:, BURN_IN:, :]
    share = gradients * kept.shape[1] / draws.shape[1]
    worst = min((0, 1), key=lambda axis: ess(kept[:, :, axis]))
    parts = [ess(part) for part in np.split(kept[:, :, worst], BATCHES)]
    batches = 1000 * BATCHES * np.array(parts) / share
    return 1000 * ess(kept[:, :, worst]) / share, batches.std(ddof=1) / np.sqrt(BATCHES)


def sampler_lab(program, target, h):
    """Draws (chain, step, coordinate) and the number of gradients."""
    text = (
        f'format = 1\ntitle = "ess"\nseed = 1\n[target]\n{target}\n[[run]]\nname = "NUTS"\nmethod = "nuts"\n'
        f"chains = {CHAINS}\nsteps = {STEPS}\nstart = {{ kind = \"target\" }}\n"
        f'step_size = {{ kind = "constant", value = {h} }}\n'
    )
    with tempfile.TemporaryDirectory() as folder:
        scenario = Path(folder) / "ess.toml"
        scenario.write_text(text)
        out = Path(folder) / "results"
        command = [program, "run", str(scenario), "--out", str(out), "--draws", "npy"]
        subprocess.run(command, check=True, capture_output=True)
        rows = np.load(out / "draws" / "NUTS.npy")
        run = json.loads((out / "summary.json").read_text())["runs"][0]
    order = np.lexsort((rows[:, 1], rows[:, 0]))
    return rows[order][:, 2:4].reshape(CHAINS, STEPS, 2), run["gradient_evaluations"]


def blackjax_nuts(log_density, starts, h):
    """The same of blackjax."""
    import blackjax
    import jax
    import jax.numpy as jnp

    kernel = blackjax.nuts(log_density, step_size=h, inverse_mass_matrix=jnp.ones(2), max_num_doublings=10)

    def chain(key, start):
        def one(state, key):
            state, info = kernel.step(key, state)
            return state, (state.position, info.num_integration_steps)

        return jax.lax.scan(one, kernel.init(start), jax.random.split(key, STEPS))[1]

    keys = jax.random.split(jax.random.PRNGKey(1), CHAINS)
    positions, steps = jax.jit(jax.vmap(chain))(keys, jnp.asarray(starts))
    return np.asarray(positions), float(np.asarray(steps).sum())


def main():
    import jax

    jax.config.update("jax_enable_x64", True)
    program = sys.argv[1] if len(sys.argv) > 1 else "target/release/sampler-lab"
    print("| target | h | Sampler Lab | blackjax | ratio | leapfrog steps per draw |")
    print("|---|---:|---:|---:|---:|---:|")
    for (name, target, h), log_density in zip(TARGETS, log_densities()):
        ours, gradients = sampler_lab(program, target, h)
        theirs, others = blackjax_nuts(log_density, ours[:, -1, :], h)
        (a, a_error), (b, b_error) = per_gradient(ours, gradients), per_gradient(theirs, others)
        lengths = [count / (CHAINS * STEPS) for count in (gradients, others)]
        print(
            f"| {name} | {h} | {a:.1f} ± {a_error:.1f} | {b:.1f} ± {b_error:.1f} | {a / b:.2f} "
            f"| {lengths[0]:.1f}, {lengths[1]:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
