"""Runs the texts of "Copy schedule" in the real libraries.

    GOLDEN=write cargo test --lib schedules::export      # writes tests/data/schedules/*.txt; one test fails for now
    pip install torch jax optax                          # in an environment of its own
    python3 tests/schedules.py                           # writes tests/data/schedules/*.values.csv
    cargo test --lib schedules::export                   # compares the step sizes of Sampler Lab with them

Each text for PyTorch sets the learning rate of an optimizer with LambdaLR; each text for optax that of optax.sgd, whose
update for a gradient of 1 is minus the learning rate. Both in 64 bits.
"""

import pathlib
import re
import sys

import jax
import torch

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp  # noqa: E402
import optax  # noqa: E402

FOLDER = pathlib.Path(__file__).parent / "data" / "schedules"


def names_in(path):
    names = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    return names


def by_pytorch(path, steps):
    names = names_in(path)
    weight = torch.nn.Parameter(torch.zeros(1, dtype=torch.float64))
    optimizer = torch.optim.SGD([weight], lr=names["lr"])
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, names["multiplier"])
    rates = []
    for _ in range(steps):
        rates.append(float(optimizer.param_groups[0]["lr"]))
        optimizer.step()
        scheduler.step()
    return rates


def by_optax(path, steps):
    optimizer = optax.sgd(learning_rate=names_in(path)["schedule"])
    one = jnp.ones((), dtype=jnp.float64)

    def step(state, _):
        update, state = optimizer.update(one, state)
        return state, -update

    _, rates = jax.lax.scan(step, optimizer.init(one), None, length=steps)
    return [float(rate) for rate in rates]


def main(folder):
    for path in sorted(folder.glob("*.pytorch.txt")):
        name = path.name.removesuffix(".pytorch.txt")
        steps = int(re.search(r"\((\d+) steps\)", path.read_text()).group(1))
        columns = by_pytorch(path, steps), by_optax(folder / f"{name}.optax.txt", steps)
        lines = [f"{k},{one!r},{other!r}" for k, (one, other) in enumerate(zip(*columns), start=1)]
        (folder / f"{name}.values.csv").write_text("\n".join(["step,pytorch,optax", *lines]) + "\n")
        print(name, steps)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
