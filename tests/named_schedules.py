"""Writes tests/data/named_schedules.txt: calls of schedules of PyTorch and optax, and the step sizes that they give.

    pip install torch jax optax          # in an environment of its own
    python3 tests/named_schedules.py
    cargo test -p sampler-samplers --lib schedules::named

A line has a call as it can be given in the place of a formula, the next line the step sizes of all steps in all their digits. PyTorch's
schedules set the learning rate of an optimizer, which begins with the argument `lr`; optax's are functions of the step. Both in 64 bits.
"""

import ast
import pathlib
import warnings

import jax
import torch

jax.config.update("jax_enable_x64", True)

import optax  # noqa: E402

STEPS = 300

CALLS = [
    "CosineAnnealingWarmRestarts(optimizer, T_0=50, lr=0.1)",
    "CosineAnnealingWarmRestarts(optimizer, T_0=20, T_mult=2, eta_min=0.001, lr=0.1)",
    "CosineAnnealingLR(optimizer, T_max=300, lr=0.1)",
    "CosineAnnealingLR(optimizer, 120, eta_min=0.02, lr=0.1)",
    "OneCycleLR(optimizer, max_lr=0.1, total_steps=300)",
    "OneCycleLR(optimizer, 0.1, epochs=30, steps_per_epoch=10, pct_start=0.25, div_factor=10, anneal_strategy='linear')",
    "CyclicLR(optimizer, base_lr=0.01, max_lr=0.1, step_size_up=40)",
    "CyclicLR(optimizer, 0.01, 0.1, 30, step_size_down=50, mode='triangular2')",
    "CyclicLR(optimizer, 0.01, 0.1, 35, mode='exp_range', gamma=0.99)",
    "StepLR(optimizer, 49, lr=0.1)",
    "ExponentialLR(optimizer, gamma=0.98, lr=0.1)",
    "LinearLR(optimizer, start_factor=0.1, total_iters=70, lr=0.1)",
    "PolynomialLR(optimizer, total_iters=200, power=1.5, lr=0.1)",
    "constant_schedule(0.05)",
    "linear_schedule(init_value=0.0, end_value=0.1, transition_steps=100, transition_begin=30)",
    "polynomial_schedule(0.1, 0.01, power=2, transition_steps=250)",
    "exponential_decay(0.1, transition_steps=40, decay_rate=0.5)",
    "exponential_decay(0.1, 49, 0.5, transition_begin=10, staircase=True, end_value=0.01)",
    "exponential_decay(0.001, 49, 2.0, end_value=0.02)",
    "cosine_decay_schedule(0.1, decay_steps=250, alpha=0.1, exponent=1.5)",
    "warmup_cosine_decay_schedule(init_value=0.0, peak_value=0.1, warmup_steps=30, decay_steps=280, end_value=0.001)",
    "warmup_constant_schedule(init_value=0.01, peak_value=0.1, warmup_steps=60)",
    "cosine_onecycle_schedule(transition_steps=290, peak_value=0.1, pct_start=0.33)",
]


def by_pytorch(call, names):
    rates = [keyword.value.value for keyword in call.keywords if keyword.arg == "lr"]
    call.keywords = [keyword for keyword in call.keywords if keyword.arg != "lr"]
    weight = torch.nn.Parameter(torch.zeros(1, dtype=torch.float64))
    optimizer = torch.optim.SGD([weight], lr=rates[0] if rates else 1.0, momentum=0.9)
    scheduler = eval(compile(ast.Expression(call), "call", "eval"), names, {"optimizer": optimizer})
    sizes = []
    for step in range(STEPS):
        sizes.append(float(optimizer.param_groups[0]["lr"]))
        optimizer.step()
        if step + 1 < STEPS:
            scheduler.step()
    return sizes


def by_optax(call, names):
    schedule = eval(compile(ast.Expression(call), "call", "eval"), names)
    return [float(schedule(step)) for step in range(STEPS)]


def main():
    warnings.simplefilter("ignore")
    lines = []
    for text in CALLS:
        call = ast.parse(text, mode="eval").body
        module, by = (torch.optim.lr_scheduler, by_pytorch) if hasattr(torch.optim.lr_scheduler, call.func.id) else (optax, by_optax)
        sizes = by(call, vars(module))
        lines += [text, " ".join(map(repr, sizes))]
    folder = pathlib.Path(__file__).parent / "data"
    (folder / "named_schedules.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
