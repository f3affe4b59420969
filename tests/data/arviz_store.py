"""Compares ESS, R-hat and MCSE of the program with those that ArviZ 1.x computes from the Zarr stores of the same runs.

    pip install "arviz>=1" zarr                                # in an environment of its own, with Python 3.12 or later
    python tests/data/arviz_store.py target/release/sampler-lab

ArviZ opens each store with `arviz.from_zarr`. Every value has to agree to six digits. The tail ESS of ArviZ 1.x is that of an
89 % interval unless its quantiles are given.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib

import arviz
import numpy as np

SCENARIO = """
format = 1
seed = 11
[target]
kind = "{kind}"
[[run]]
name = "SGLD"
method = "sgld"
chains = 4
steps = 6000
step_size = {{ kind = "constant", value = {step} }}
collect = {{ burn_in = 1000, thin = 2 }}
[[run]]
name = "many"
method = "mala"
chains = 100
steps = 4000
start = {{ kind = "target" }}
step_size = {{ kind = "constant", value = {step} }}
[[run]]
name = "cycles"
method = "csgld"
chains = 2
steps = 3000
step_size = {{ kind = "cyclical", initial = {step}, cycles = 5 }}
[[run]]
name = "fit"
method = "laplace"
"""

TARGETS = {"gaussian": 0.05, "gaussian-grid": 0.02, "banana": 0.02, "beta-posterior": 0.0005}

MEASURES = {
    "ess_bulk": lambda posterior: arviz.ess(posterior, method="bulk"),
    "ess_tail": lambda posterior: arviz.ess(posterior, method="tail", prob=(0.05, 0.95)),
    "rhat": lambda posterior: arviz.rhat(posterior, method="rank"),
    "mcse_mean": lambda posterior: arviz.mcse(posterior, method="mean"),
}


def compare(program, folder):
    worst = {key: 0.0 for key in MEASURES}
    compared = 0
    for kind, step in TARGETS.items():
        scenario, results = folder / f"{kind}.toml", folder / kind
        scenario.write_text(SCENARIO.format(kind=kind, step=step))
        subprocess.run([program, "run", scenario, "--out", results, "--draws", "zarr", "--quiet"], check=True)
        summary = json.loads((results / "summary.json").read_text())
        for run in summary["runs"]:
            tree = arviz.from_zarr(results / "draws" / f"{run['name']}.zarr")
            assert set(tree.children) == {"posterior", "sample_stats"}
            assert tomllib.loads(tree.attrs["scenario"]) == tomllib.loads(summary["scenario_text"])
            posterior = tree["posterior"]
            draws = posterior.sizes["chain"] * posterior.sizes["draw"]
            if run["fit"] is not None:
                assert draws == run["fit"]["draws"]
                continue
            assert draws == run["draws"] and not tree["sample_stats"]["diverging"].any()
            assert set(run["thinning"].values()) <= {1, run["thinning"]["ksd"]}
            np.testing.assert_allclose([posterior[c["column"]].mean() for c in run["coordinates"]], run["mean"], rtol=1e-9)
            for key, measure in MEASURES.items():
                values = measure(posterior)
                for coordinate in run["coordinates"]:
                    ours, theirs = coordinate[key], float(values[coordinate["column"]])
                    off = abs(ours / theirs - 1.0)
                    assert off < 1e-6, (kind, run["name"], key, coordinate["column"], ours, theirs)
                    worst[key] = max(worst[key], off)
                    compared += 1
    print(f"{compared} values; largest relative differences:", {key: f"{off:.1e}" for key, off in worst.items()})


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        compare(sys.argv[1], pathlib.Path(folder))
