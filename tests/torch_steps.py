"""Compares the steps of the texts for PyTorch and optax with those of the texts for NumPy.

    pip install numpy torch jax optax                    # in an environment of its own
    python3 tests/torch_steps.py target/release/sampler-lab

Runs of SGLD, cSGLD, SGHMC and cSGHMC take 1000 steps on a Gaussian, by the optimiser of each text and by the program for NumPy, from the
same normal numbers. Ends with an error if a coordinate differs by more than 1e-12. The program for NumPy itself is compared with the
trajectories of Sampler Lab in `tests/it/algorithms.rs`.
"""

import pathlib
import subprocess
import sys
import tempfile
import warnings

import jax
import numpy as np
import torch

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp  # noqa: E402

STEPS = 1000

RUNS = {
    "sgld": 'gradient = { kind = "noisy", variance = 2.0, compensate = true }\nstep_size = { kind = "polynomial", a = 0.1 }',
    "csgld": 'step_size = { kind = "cyclical", initial = 0.2, cycles = 7 }',
    "sghmc": "friction = 0.3\nstep_size = { kind = \"constant\", value = 0.01 }",
    "csghmc": 'friction = 0.2\nstep_size = { kind = "cyclical", initial = 0.05, cycles = 6, exploration_noise = true }',
}

PRECISION = np.array([[1.5, 0.4], [0.4, 0.8]])


class Target:
    """A Gaussian, whose gradient is exact; `variance` is taken off the noise all the same, as the run says."""

    variance = 0.0

    def gradient(self, theta):
        return -PRECISION @ theta

    def gradient_variance(self, theta):
        return np.full(2, self.variance)


class Given:
    """Normal numbers in order."""

    def __init__(self, numbers):
        self.numbers, self.next = numbers, 0

    def standard_normal(self, shape):
        self.next += 1
        return self.numbers[self.next - 1]


def names_in(text):
    names = {}
    exec(compile(text, "text", "exec"), names)
    return names


def by_numpy(text, numbers, start, variance):
    names, rng, target, theta = names_in(text), Given(numbers), Target(), start.copy()
    target.variance = variance
    names["collected"] = lambda k: True
    return np.array(list(names["draws"](theta, target, rng)))


def by_torch(text, numbers, start):
    given = Given(numbers)
    torch.randn_like = lambda like: torch.from_numpy(given.standard_normal(2).copy())
    names = names_in(text)
    theta = torch.nn.Parameter(torch.from_numpy(start.copy()))
    optimizer = names["Steps"]([theta])
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, names["multiplier"])
    path = []
    for _ in range(STEPS):
        theta.grad = torch.from_numpy(PRECISION) @ theta.detach()
        optimizer.step()
        scheduler.step()
        path.append(theta.detach().numpy().copy())
    return np.array(path)


def by_optax(text, numbers, start, first):
    names = names_in(text)
    given = Given(numbers)
    if not first:
        given.next = -1
    jax.random.normal, normal = lambda key, shape, dtype: jnp.asarray(given.standard_normal(2)), jax.random.normal
    optimiser = names["optimiser"](jax.random.PRNGKey(0))
    theta, path = jnp.asarray(start), []
    state = optimiser.init(theta)
    for _ in range(STEPS):
        update, state = optimiser.update(jnp.asarray(PRECISION) @ theta, state)
        theta = theta + update
        path.append(np.asarray(theta))
    jax.random.normal = normal
    return np.array(path)


def main(program):
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(3)
    for method, lines in RUNS.items():
        with tempfile.TemporaryDirectory() as folder:
            scenario = pathlib.Path(folder) / "run.toml"
            scenario.write_text(
                f'format = 1\n[target]\nkind = "gaussian"\n[[run]]\nname = "A"\nmethod = "{method}"\nsteps = {STEPS}\n{lines}\n'
            )
            texts = {}
            for form in ["numpy", "torch", "optax"]:
                call = subprocess.run([program, "schedule", scenario, "--as", form], capture_output=True, text=True)
                assert call.returncode == 0, call.stderr
                texts[form] = call.stdout
        numbers, start = rng.standard_normal((STEPS + 1, 2)), rng.standard_normal(2)
        has_momentum = "hmc" in method
        variance = 2.0 if "noisy" in lines else 0.0
        paths = {
            "NumPy": by_numpy(texts["numpy"], numbers, start, variance),
            "PyTorch": by_torch(texts["torch"], numbers, start),
            "optax": by_optax(texts["optax"], numbers, start, has_momentum),
        }
        first = next(iter(paths.values()))
        for form, path in paths.items():
            off = np.abs(path - first).max()
            assert off <= 1e-12, (method, form, off)
        print(method, ", ".join(paths), "agree")


if __name__ == "__main__":
    main(sys.argv[1])
