"""Runs the texts of "Copy schedule" and of `sampler-lab schedule` in the real libraries.

    GOLDEN=write cargo test --lib schedules::export      # writes tests/data/schedules/*.txt; one test fails for now
    pip install torch jax optax                          # in an environment of its own
    python3 tests/schedules.py                           # writes tests/data/schedules/*.values.csv
    cargo test --lib schedules::export                   # compares the step sizes of Sampler Lab with them

    python3 tests/schedules.py --program target/release/sampler-lab [SCENARIO ...]

compares every step of every run, of all lessons unless scenarios are named, with the step sizes and masks that the program
writes as NumPy arrays, and ends with an error if one differs by more than 1e-12, relatively or from the last bit of the largest one.

Each text for PyTorch sets the learning rate of an optimizer with LambdaLR; each text for optax that of optax.sgd, whose
update for a gradient of 1 is minus the learning rate. Both in 64 bits.
"""

import io
import json
import pathlib
import re
import subprocess
import sys

import jax
import numpy as np
import torch

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp  # noqa: E402
import optax  # noqa: E402

FOLDER = pathlib.Path(__file__).parent / "data" / "schedules"


def names_in(text, what):
    names = {}
    exec(compile(text, str(what), "exec"), names)
    return names


def by_pytorch(names, steps):
    weight = torch.nn.Parameter(torch.zeros(1, dtype=torch.float64))
    optimizer = torch.optim.SGD([weight], lr=names["lr"])
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, names["multiplier"])
    rates = []
    for _ in range(steps):
        rates.append(float(optimizer.param_groups[0]["lr"]))
        optimizer.step()
        scheduler.step()
    return rates


def by_optax(names, steps):
    optimizer = optax.sgd(learning_rate=names["schedule"])
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
        other = folder / f"{name}.optax.txt"
        columns = by_pytorch(names_in(path.read_text(), path), steps), by_optax(names_in(other.read_text(), other), steps)
        lines = [f"{k},{one!r},{two!r}" for k, (one, two) in enumerate(zip(*columns), start=1)]
        (folder / f"{name}.values.csv").write_text("\n".join(["step,pytorch,optax", *lines]) + "\n")
        print(name, steps)


def compare(program, scenarios):
    def call(*arguments):
        return subprocess.run([program, *arguments], capture_output=True)

    if not scenarios:
        lessons = json.loads(call("list", "lessons", "--json").stdout)["lessons"]
        scenarios = [lesson["name"] for lesson in lessons]
    compared, total, worst = 0, 0, 0.0
    for scenario in scenarios:
        lines = call("check", scenario).stdout.decode().splitlines()[1:]
        names = [re.match(r"(.*): [0-9e. ]+ steps? of all chains", line).group(1) for line in lines]
        for name in [name for name in names if name != "together"]:
            array = call("schedule", scenario, "--run", name, "--as", "npy")
            if array.returncode == 2 and b"has no step size" in array.stderr:
                continue
            assert array.returncode == 0, array.stderr
            ours = np.load(io.BytesIO(array.stdout))
            largest, steps = ours["step_size"].max(), len(ours)
            for form, by in [("torch", by_pytorch), ("optax", by_optax)]:
                text = call("schedule", scenario, "--run", name, "--as", form).stdout.decode()
                names = names_in(text, f"{scenario}, {name}, {form}")
                off = np.abs(np.array(by(names, steps)) - ours["step_size"])
                allowed = 1e-12 * ours["step_size"] + np.finfo(float).eps * largest
                assert (off <= allowed).all(), (scenario, name, form, off.argmax() + 1)
                assert [names["collected"](k) for k in range(1, steps + 1)] == ours["collected"].tolist(), (scenario, name)
                compared, total, worst = compared + 1, total + steps, max(worst, (off / largest).max())
            print(f"{scenario}, {name}: {steps} steps, {ours['collected'].sum()} collected", flush=True)
    print(f"{compared} texts, {total} steps; largest difference {worst:.2g} of the largest step size")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--program"]:
        compare(sys.argv[2], sys.argv[3:])
    else:
        main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
