"""Writes diagnostics.json: diagnostics of seeded chains as ArviZ 0.23 computes them, for crates/engine/src/diagnostics/chain/tests.rs.

Usage: python diagnostics.py > diagnostics.json (needs numpy and arviz 0.23)

Chains are computed from a 32-bit linear congruential generator with operations that IEEE 754 rounds exactly. The test
repeats the operations in the same order, so that both sides have the same bits. A value is null if ArviZ gives NaN or
infinity, if it gives the number of draws because all draws are equal, and for the R-hat of chains that do not move,
which consists of rounding errors.
"""

import json
import math
import warnings

import arviz
import numpy as np
from arviz.stats.stats_utils import quantile

warnings.simplefilter("ignore")


class Generator:
    """Uniform numbers in [0, 1): multiplier and increment of Numerical Recipes, 2nd ed., chapter 7.1."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        self.state = (1664525 * self.state + 1013904223) % 2**32
        return self.state / 2**32


def autoregression(seed, chains, length, phi):
    generator = Generator(seed)
    rows = []
    for _ in range(chains):
        value, row = 0.0, []
        for _ in range(length):
            value = phi * value + (generator.uniform() - 0.5)
            row.append(value)
        rows.append(row)
    return np.array(rows)


def each(seed, chains, length, of):
    return of(autoregression(seed, chains, length, 0.0) + 0.5)


def constant_one():
    rows = autoregression(11, 4, 100, 0.5)
    rows[2] = 0.25
    return rows


def stuck_modes():
    return autoregression(13, 4, 200, 0.5) + np.array([[0.0], [0.0], [10.0], [-10.0]])


def diverged():
    rows = autoregression(15, 4, 100, 0.5)
    rows[1, 70] = math.nan
    return rows


INPUTS = {
    "independent": autoregression(10, 4, 100, 0.0),
    "one_chain_constant": constant_one(),
    "all_constant": np.full((3, 50), 1.5),
    "each_constant": np.repeat([[0.0], [1.0], [2.0], [5.0]], 40, axis=1),
    "antithetic": autoregression(12, 4, 500, -0.9),
    "stuck_in_modes": stuck_modes(),
    "three_draws": autoregression(14, 4, 3, 0.0),
    "four_draws": autoregression(21, 2, 4, 0.0),
    "five_draws": autoregression(22, 3, 5, 0.0),
    "one_chain": autoregression(16, 1, 300, 0.3),
    "diverged": diverged(),
    "ties": each(17, 4, 150, lambda u: np.floor(4.0 * u)),
    "rare": each(23, 4, 150, lambda u: (u < 1 / 64).astype(float)),
    "slow": autoregression(18, 4, 5000, 0.95),
    "odd_length": autoregression(19, 3, 101, 0.5),
    "heavy_tails": each(20, 4, 400, lambda u: (u - 0.5) / (u * (1.0 - u))),
}


def figure(value, spread):
    """A number, or None if ArviZ gives none, or if it gives the number of draws because all draws are equal."""
    value = float(value)
    return value if spread and math.isfinite(value) else None


def all_figures(rows):
    spread = np.ptp(rows) > 0
    moves = np.ptp(rows, axis=1).any()
    ess = lambda method, **more: figure(arviz.ess(rows, method=method, **more), spread)
    varied = lambda share: not (rows <= quantile(rows, share)[0]).all()
    tails = [share for share in (0.05, 0.95) if varied(share)]
    return {
        "rhat": figure(arviz.rhat(rows), moves),
        "split_rhat": figure(arviz.rhat(rows, method="split"), moves),
        "ess_bulk": ess("bulk"),
        "ess_tail": ess("tail") if tails else None,
        "ess_mean": ess("mean"),
        "ess_sd": ess("sd"),
        "ess_median": ess("median") if varied(0.5) else None,
        "mcse_mean": figure(arviz.mcse(rows, method="mean"), spread),
        "mcse_sd": figure(arviz.mcse(rows, method="sd"), spread),
    }


print(json.dumps({name: all_figures(rows) for name, rows in INPUTS.items()}, indent=2))
