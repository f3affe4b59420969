"""The figure of docs/figures.md by matplotlib with tueplots, from the results of the run: for a look at both side by side.

    pip install matplotlib tueplots                      # in an environment of its own
    sampler-lab run docs/figures/two-runs.toml --out results --data --draws csv
    python3 tests/data/tueplots_figure.py results figure.pdf
"""

import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from tueplots import axes, bundles, fontsizes

RUNS = [("SGLD", "#d55e00", "o"), ("cSGLD", "#0072b2", "s")]
MILLIMETRES = 25.4


def density(x, y):
    """The grid of 25 Gaussians of the run: variance 0.03, apart by 2."""
    means = 2.0 * (np.arange(5) - 2)
    along = lambda at: np.exp(-((at[..., None] - means) ** 2) / (2 * 0.03)).sum(-1)
    return along(x) * along(y)


def main():
    results, out = pathlib.Path(sys.argv[1]), sys.argv[2]
    style = {**bundles.icml2024(usetex=False, family="serif"), **axes.lines(), **fontsizes.icml2024(default_smaller=1)}
    # Letters in the shape of Times that matplotlib brings.
    style.update({"font.family": "STIXGeneral", "mathtext.fontset": "stix"})
    style["figure.figsize"] = (85 / MILLIMETRES, 80 / MILLIMETRES)
    with plt.rc_context(style):
        fig, grid = plt.subplot_mosaic([["a", "b"], ["c", "c"]], height_ratios=[2, 1])
        line = np.linspace(-6.4, 6.4, 301)
        x, y = np.meshgrid(line, line)
        for name, (run, colour, marker) in zip("ab", RUNS):
            draws = np.genfromtxt(next(results.glob(f"**/draws/{run}.csv")), delimiter=",", names=True)
            kept = draws[:: max(1, len(draws) // 2000)]
            grid[name].contour(x, y, density(x, y), levels=4, colors="#55555580", linewidths=0.4)
            grid[name].scatter(kept["x"], kept["y"], s=2, color=colour, marker=marker, alpha=0.6, lw=0, rasterized=True)
            grid[name].set(title=f"({name}) {run}", xlabel=r"$\theta_1$", ylabel=r"$\theta_2$", aspect="equal", xlim=(-6.4, 6.4), ylim=(-6.4, 6.4))
        for run, colour, _ in RUNS:
            steps = np.genfromtxt(results / "data" / "schedule" / f"{run}.csv", delimiter=",", names=True)
            grid["c"].plot(steps["step"], steps["step_size"], color=colour, label=run)
        grid["c"].set(title="(c) step sizes", xlabel="step", ylabel=r"step size $\alpha$", xlim=(0, 5000), ylim=(0, None))
        grid["c"].legend()
        fig.savefig(out)


if __name__ == "__main__":
    main()
