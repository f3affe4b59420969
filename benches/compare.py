#!/usr/bin/env python3
"""The same work in Sampler Lab, blackjax, numba, numpy, scikit-learn and gensim, side by side in one run.

    python3 -m venv /tmp/compare
    /tmp/compare/bin/pip install numpy numba jax blackjax scikit-learn gensim
    /tmp/compare/bin/python benches/compare.py             # everything, some ten minutes
    /tmp/compare/bin/python benches/compare.py --quick     # one configuration per contestant

Workloads, every draw kept, on all cores of the machine:

  grid-1024    SGLD with the exact gradient on 25 Gaussians, constant step size, 1024 chains
  grid-64      the same with 64 chains
  grid-1       the same with one chain
  minibatch-1  SGLD with one random datum of 100 per step on the posterior of Welling and Teh, one chain
  network-16   SGLD with 20 random data of 40 per step on a network with 31 weights (network_contestants.py), 16 chains
  network-1    the same with one chain
  topics-bars  SVI on latent Dirichlet allocation, 50 documents per step (topics_contestants.py); one thread, a step is a document
  topics-text  the same with 5000 words and 50 topics

"Sampler Lab, counted" counts every draw for the measures as well, as in the window, where somebody looks at it; the other contestants
do nothing of the kind.

"numba" is the usual kernel: a parallel loop over chains. "numba in lanes" (numba_lanes.py) does the same work with
code for vector instructions, in the layout of Sampler Lab's engine; "fused" may also fuse multiplications with additions, so that
its bits depend on the machine.

First every contestant tries its configurations, which are printed, and keeps the fastest. Then the contestants take
turns, A B C D A B C D, and medians and ratios of steps per second are printed. Each contestant is a separate process,
so that its settings and idle threads do not affect the others. Compilation is not part of any time; it is printed
separately. The table marks a contestant whose draws do not have the right moments.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import network_contestants
import topics_contestants

ROOT = Path(__file__).resolve().parent.parent

VARIANCE, SPACING = 0.03, 2.0
# Mean square of the residuals of the network at its step size, in units of the noise.
RESIDUALS = 1.09
# Log probability per token of the corpus under the topics that were found. Starts differ by 0.05: they find eight to ten bars.
SCORES = {"topics-bars": -2.57, "topics-text": -8.03}
ALPHA = {"grid-1024": 0.01, "grid-64": 0.01, "grid-1": 0.01, "minibatch-1": 1e-4, "network-16": 2e-5, "network-1": 2e-5}
CHAINS = {"grid-1024": 1024, "grid-64": 64, "grid-1": 1, "minibatch-1": 1, "network-16": 16, "network-1": 1, "topics-bars": 1, "topics-text": 1}
STEPS = {"grid-1024": 10_000, "grid-64": 100_000, "grid-1": 2_000_000, "minibatch-1": 2_000_000, "network-16": 50_000, "network-1": 400_000, "topics-bars": 800, "topics-text": 100}
# A loop in Python takes far fewer steps in the same time; rates are compared, not times.
NUMPY_STEPS = {"grid-1024": 2_000, "grid-64": 10_000, "grid-1": 40_000, "minibatch-1": 100_000, "network-16": 20_000, "network-1": 40_000}


# ---- Right moments ----------------------------------------------------------------------------------------------


def summary(workload, x, y=None):
    """What is checked; x and y hold one chain per column, the first tenth is left out. Of networks x has the late draws, of topics λ."""
    import numpy as np

    if workload.startswith("topics"):
        return {"score": topics_contestants.score(workload, np.asarray(x))}
    if workload.startswith("network"):
        return {"residuals": network_contestants.residuals(x)}
    x, y = x[len(x) // 10 :], y[len(y) // 10 :]
    if workload.startswith("grid"):
        # The moments about the nearest centre.
        centred = [v - np.clip(np.rint(v / SPACING), -2, 2) * SPACING for v in (x, y)]
        return {"mean": [float(v.mean(dtype=float)) for v in centred], "variance": [float(v.var(dtype=float)) for v in centred]}
    # The mean square of a step: how much noise the minibatch brings, which mixing does not blur.
    return {
        "mean": [float(v.mean(dtype=float)) for v in (x, y)],
        "variance": [float(v.var(dtype=float)) for v in (x, y)],
        "step": [float(np.square(np.diff(v, axis=0), dtype=float).mean()) for v in (x, y)],
    }


def verdict(workload, result, expected_step):
    """Whether the moments are right: "ok", or what is wrong."""
    problems = []
    if workload.startswith("topics"):
        if abs(result["score"] - SCORES[workload]) > 0.06:
            problems.append(f"log probability {result['score']:.3f} per token, not {SCORES[workload]}")
    elif workload.startswith("network"):
        # No closed form: the value of 100 000 steps with numba, which repeats to one percent.
        if abs(result["residuals"] - RESIDUALS) > 0.1 * RESIDUALS:
            problems.append(f"squared residuals {result['residuals']:.2f}, not {RESIDUALS}")
    elif workload.startswith("grid"):
        # Inside a mode the chain is an autoregression with coefficient 1 - alpha/v: closed forms for everything.
        alpha = ALPHA[workload]
        rho = 1 - alpha / VARIANCE
        variance = VARIANCE / (1 - alpha / VARIANCE / 2)
        draws = 0.9 * result["steps"] * CHAINS[workload]
        error_mean = math.sqrt(variance * (1 + rho) / (1 - rho) / draws)
        error_variance = variance * math.sqrt(2 * (1 + rho**2) / (1 - rho**2) / draws)
        for axis in range(2):
            if abs(result["mean"][axis]) > 5 * error_mean:
                problems.append(f"mean {result['mean'][axis]:.5f}")
            if abs(result["variance"][axis] - variance) > 5 * error_variance + 1e-5:
                problems.append(f"variance {result['variance'][axis]:.5f}, not {variance:.5f}")
    else:
        # Along its flattest direction (curvature 0.6) draws are independent after some 1.6/alpha steps. Mean and variance
        # have to be within 4 standard errors for that many draws; the mean square of a step has a much smaller error.
        independent = max(1.0, 0.9 * result["steps"] * ALPHA[workload] / (2 * 1.6))
        for axis, (mean, variance) in enumerate([(0.49028, 0.19435), (0.01731, 0.69386)]):
            if abs(result["mean"][axis] - mean) > 4 * math.sqrt(variance / independent):
                problems.append(f"mean {result['mean'][axis]:.3f}")
            if abs(result["variance"][axis] / variance - 1) > 4 * math.sqrt(2 / independent) + 0.1:
                problems.append(f"variance {result['variance'][axis]:.3f}")
            if abs(result["step"][axis] / expected_step[axis] - 1) > 0.03:
                problems.append(f"mean square of a step {result['step'][axis]:.3e}, not {expected_step[axis]:.3e}")
    return "; ".join(problems) or "ok"


def expected_step():
    """Mean square of a step of minibatch SGLD: 2 alpha + alpha^2 E g^2, over the posterior by quadrature."""
    import numpy as np

    data = quantiles()
    a, b = np.meshgrid(np.linspace(-2, 3, 201), np.linspace(-4, 4, 201), indexing="ij")
    log_p = -(a**2) / 20 - b**2 / 2
    squares = [np.zeros_like(a), np.zeros_like(a)]
    for datum in data:
        log_p += np.logaddexp(-((datum - a) ** 2) / 4, -((datum - a - b) ** 2) / 4)
        for axis, gradient in enumerate(datum_gradient(np, datum, a, b)):
            squares[axis] += gradient**2 / len(data)
    weight = np.exp(log_p - log_p.max())
    alpha = ALPHA["minibatch-1"]
    return [float(2 * alpha + alpha**2 * (weight * square).sum() / weight.sum()) for square in squares]


def datum_gradient(np, datum, a, b):
    """The estimate of the gradient at (a, b) from one datum of 100, for any module that does arithmetic like numpy."""
    distance = datum - a
    share = 1 / (1 + np.exp(-b * (distance - b / 2) / 2))
    return -a / 10 + 50 * (distance - share * b), -b + 50 * share * (distance - b)


def quantiles():
    import numpy as np

    return np.loadtxt(ROOT / "assets/data/wt_quantile100.csv")


# ---- blackjax ---------------------------------------------------------------------------------------------------

BLACKJAX = {
    # The first configuration of the search, then the settings that it varies, one after the other.
    "start": {"dtype": "f32", "prng": "threefry2x32", "batch": "array", "devices": 1, "gradient": "neighbours", "unroll": 1, "keys": "ahead", "flags": ""},
    "vary": [
        ("prng", ["rbg", "unsafe_rbg"]),
        ("gradient", ["softmax", "autodiff"]),
        ("batch", ["vmap"]),
        ("devices", [2]),
        ("unroll", [4, 16]),
        ("keys", ["fold_in"]),
        ("dtype", ["f64"]),
        ("flags", ["--xla_cpu_enable_fast_math=true"]),
    ],
}


def irrelevant(workload, key, value):
    """Whether a setting has no effect on a workload, or no sense."""
    if key == "lanes":
        return value > CHAINS[workload]
    return (key in ("batch", "devices") and CHAINS[workload] == 1) or (key == "gradient" and workload == "minibatch-1")


def blackjax_environment(config):
    flags = config["flags"]
    if config.get("devices", 1) > 1:
        flags += f" --xla_force_host_platform_device_count={config['devices']}"
    return {"XLA_FLAGS": flags.strip(), "JAX_PLATFORMS": "cpu", "JAX_ENABLE_X64": "1" if config["dtype"] == "f64" else "0"}


def neighbours(library, x):
    """The gradient of the grid along an axis, with numpy or jax.numpy: from the nearest centre and its two neighbours."""
    # The weight of other centres is below 1e-20.
    nearest = library.clip(library.round(x / SPACING), -2, 2) * SPACING
    e = x - nearest
    up = library.where(nearest < 2 * SPACING, library.exp(SPACING * (e - SPACING / 2) / VARIANCE), 0.0)
    down = library.where(nearest > -2 * SPACING, library.exp(-SPACING * (e + SPACING / 2) / VARIANCE), 0.0)
    return (-e + SPACING * (up - down) / (1 + up + down)) / VARIANCE


def blackjax_gradient(config):
    import jax
    import jax.numpy as jnp

    centres = jnp.arange(-2, 3) * SPACING

    def softmax(x):
        d = centres - x[..., None]
        return (jax.nn.softmax(-(d**2) / (2 * VARIANCE), axis=-1) * d).sum(-1) / VARIANCE

    def log_density(x):
        return jax.nn.logsumexp(-((centres - x[..., None]) ** 2) / (2 * VARIANCE), axis=-1).sum()

    return {"neighbours": partial(neighbours, jnp), "softmax": softmax, "autodiff": jax.grad(log_density)}[config["gradient"]]


def blackjax_contestant(workload, config):
    if workload.startswith("network"):
        return network_contestants.jax_contestant(STEPS[workload], CHAINS[workload], ALPHA[workload], config)
    import blackjax
    import jax
    import jax.numpy as jnp
    import numpy as np

    jax.config.update("jax_default_prng_impl", config["prng"])
    steps, chains, alpha = STEPS[workload], CHAINS[workload], ALPHA[workload]
    dtype = jnp.float64 if config["dtype"] == "f64" else jnp.float32
    data = jnp.asarray(quantiles(), dtype)
    if workload == "minibatch-1":
        sgld = blackjax.sgld(lambda at, datum: jnp.stack(datum_gradient(jnp, datum, at[0], at[1])))
    else:
        gradient = blackjax_gradient(config)
        sgld = blackjax.sgld(lambda at, _: gradient(at))

    def chain(key, start):
        """All steps from a start of any shape."""
        keys_key, batch_key = jax.random.split(key)
        ahead = config["keys"] == "ahead"
        keys = jax.random.split(keys_key, steps) if ahead else jnp.arange(steps)
        batch = data[jax.random.randint(batch_key, (steps,), 0, len(data))] if workload == "minibatch-1" else None

        def step(at, inputs):
            key, batch = inputs
            key = key if ahead else jax.random.fold_in(keys_key, key)
            at = sgld.step(key, at, batch, alpha)
            return at, at

        return jax.lax.scan(step, start, (keys, batch), unroll=config["unroll"])[1]

    devices = config["devices"]
    starts = np.random.default_rng(1).uniform(-5, 5, (2, chains)) if workload != "minibatch-1" else np.zeros((2, 1))
    if chains == 1:
        work, start, join = jax.jit(chain), starts[:, 0], lambda draws: (draws[:, 0], draws[:, 1])
        split = lambda key: key
    elif config["batch"] == "vmap":
        per = chains // devices
        many = jax.vmap(chain)
        work = jax.jit(many) if devices == 1 else jax.pmap(many)
        start = starts.T if devices == 1 else starts.T.reshape(devices, per, 2)
        split = lambda key: jax.random.split(key, chains) if devices == 1 else jax.random.split(key, (devices, per))
        join = lambda draws: (draws.reshape(chains, steps, 2)[..., 0].T, draws.reshape(chains, steps, 2)[..., 1].T)
    else:
        work = jax.jit(chain) if devices == 1 else jax.pmap(chain)
        start = starts if devices == 1 else np.stack(np.split(starts, devices, axis=1))
        split = lambda key: key if devices == 1 else jax.random.split(key, devices)
        together = lambda draws: draws if devices == 1 else np.concatenate(list(draws), axis=-1)
        join = lambda draws: (together(draws)[:, 0], together(draws)[:, 1])

    start = jnp.asarray(start, dtype)
    seed = iter(range(1, 1_000_000))
    before = time.perf_counter()
    jax.block_until_ready(work(split(jax.random.key(0)), start))
    compiled = time.perf_counter() - before

    def run():
        key = jax.block_until_ready(split(jax.random.key(next(seed))))
        before = time.perf_counter()
        draws = jax.block_until_ready(work(key, start))
        seconds = time.perf_counter() - before
        return seconds, steps, *join(np.asarray(draws))

    return run, compiled


# ---- numba ------------------------------------------------------------------------------------------------------

NUMBA = {
    "start": {"rng": "xoshiro", "gradient": "neighbours", "fastmath": True},
    "vary": [("rng", ["numpy"]), ("gradient", ["softmax"]), ("fastmath", [False])],
}


def numba_contestant(workload, config):
    if workload.startswith("network"):
        return network_contestants.numba_contestant(STEPS[workload], CHAINS[workload], ALPHA[workload], config)
    import numba
    import numpy as np

    steps, chains, alpha = STEPS[workload], CHAINS[workload], ALPHA[workload]
    jit = numba.njit(fastmath=config["fastmath"], inline="always", error_model="numpy")
    data = quantiles()

    @jit
    def bits(state):
        """The next word of xoshiro256++."""
        rotated = state[0] + state[3]
        result = ((rotated << np.uint64(23)) | (rotated >> np.uint64(41))) + state[0]
        shifted = state[1] << np.uint64(17)
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        state[3] = (state[3] << np.uint64(45)) | (state[3] >> np.uint64(19))
        return result

    if config["rng"] == "numpy":

        @jit
        def normals(state):
            return np.random.normal(), np.random.normal()

    else:

        @jit
        def normals(state):
            """Box and Muller's two normals."""
            u = (np.float64(bits(state) >> np.uint64(11)) + 1.0) * 2.0**-53
            angle = np.float64(bits(state) >> np.uint64(11)) * (2.0**-52 * math.pi)
            radius = math.sqrt(-2.0 * math.log(u))
            return radius * math.cos(angle), radius * math.sin(angle)

    if config["gradient"] == "neighbours":

        @jit
        def gradient(x):
            nearest = min(max(round(x / SPACING), -2.0), 2.0) * SPACING
            e = x - nearest
            up = math.exp(SPACING * (e - SPACING / 2) / VARIANCE) if nearest < 2 * SPACING else 0.0
            down = math.exp(-SPACING * (e + SPACING / 2) / VARIANCE) if nearest > -2 * SPACING else 0.0
            return (-e + SPACING * (up - down) / (1 + up + down)) / VARIANCE

    else:

        @jit
        def gradient(x):
            nearest = min(max(round(x / SPACING), -2.0), 2.0) * SPACING
            low = (x - nearest) ** 2
            total, weighted = 0.0, 0.0
            for j in range(-2, 3):
                d = j * SPACING - x
                share = math.exp((low - d * d) / (2 * VARIANCE))
                total += share
                weighted += share * d
            return weighted / total / VARIANCE

    @numba.njit(fastmath=config["fastmath"], parallel=True, error_model="numpy")
    def grid(states, starts, out, steps):
        noise = math.sqrt(2 * alpha)
        for chain in numba.prange(len(starts)):
            state = states[chain].copy()
            x, y = starts[chain]
            for step in range(steps):
                n, m = normals(state)
                x += alpha * gradient(x) + noise * n
                y += alpha * gradient(y) + noise * m
                out[chain, step, 0] = x
                out[chain, step, 1] = y
            states[chain] = state

    @numba.njit(fastmath=config["fastmath"], error_model="numpy")
    def minibatch(states, starts, out, steps):
        noise = math.sqrt(2 * alpha)
        state = states[0].copy()
        a, b = starts[0]
        for step in range(steps):
            # The upper half of a word times 100: bias 2e-8.
            datum = data[((bits(state) >> np.uint64(32)) * np.uint64(100)) >> np.uint64(32)]
            n, m = normals(state)
            distance = datum - a
            share = 1 / (1 + math.exp(-b * (distance - b / 2) / 2))
            da = -a / 10 + 50 * (distance - share * b)
            db = -b + 50 * share * (distance - b)
            a += alpha * da + noise * n
            b += alpha * db + noise * m
            out[0, step, 0] = a
            out[0, step, 1] = b
        states[0] = state

    rng = np.random.default_rng(1)
    states = rng.integers(1, 2**63, (chains, 4), dtype=np.uint64)
    starts = rng.uniform(-5, 5, (chains, 2)) if workload != "minibatch-1" else np.zeros((1, 2))
    kernel = minibatch if workload == "minibatch-1" else grid
    # The memory for the draws is allocated and written to before the measurement.
    out = np.ones((chains, steps, 2))
    before = time.perf_counter()
    kernel(states, starts, out, 10)
    compiled = time.perf_counter() - before

    def run():
        before = time.perf_counter()
        kernel(states, starts, out, steps)
        return time.perf_counter() - before, steps, out[..., 0].T, out[..., 1].T

    return run, compiled


NUMBA_LANES = {
    "numba in lanes": {"start": {"lanes": 32, "contract": False}, "vary": [("lanes", [16, 64, 128])]},
    "numba in lanes, fused": {"start": {"lanes": 32, "contract": True}, "vary": [("lanes", [16, 64, 128])]},
}


def numba_lanes_contestant(workload, config):
    import numba_lanes
    import numpy as np

    steps, chains, lanes = STEPS[workload], CHAINS[workload], config["lanes"]
    kernel = numba_lanes.kernel(ALPHA[workload], lanes, config["contract"])
    rng = np.random.default_rng(1)
    states = rng.integers(1, 2**63, (4, chains), dtype=np.uint64)
    starts = rng.uniform(-5, 5, (2, chains))
    out = np.ones((chains // lanes, steps, 2, lanes))
    before = time.perf_counter()
    kernel(states, starts, out, 10)
    compiled = time.perf_counter() - before

    def run():
        before = time.perf_counter()
        kernel(states, starts, out, steps)
        seconds = time.perf_counter() - before
        x, y = (out[:, :, axis].swapaxes(0, 1).reshape(steps, chains) for axis in range(2))
        return seconds, steps, x, y

    return run, compiled


# ---- numpy ------------------------------------------------------------------------------------------------------


def numpy_contestant(workload, _config):
    if workload.startswith("network"):
        return network_contestants.numpy_contestant(NUMPY_STEPS[workload], CHAINS[workload], ALPHA[workload])
    import numpy as np

    steps, chains, alpha = NUMPY_STEPS[workload], CHAINS[workload], ALPHA[workload]
    rng = np.random.default_rng(1)
    out = np.ones((steps, 2, chains))
    noise = math.sqrt(2 * alpha)
    data = quantiles()

    def grid():
        at = rng.uniform(-5, 5, (2, chains))
        for step in range(steps):
            at = at + alpha * neighbours(np, at) + noise * rng.standard_normal((2, chains))
            out[step] = at

    def minibatch():
        # With one chain, plain numbers are faster than arrays of one element; all random numbers are drawn at once.
        a = b = 0.0
        normals = rng.standard_normal((steps, 2)).tolist()
        batch = data[rng.integers(0, 100, steps)].tolist()
        draws = []
        for datum, (n, m) in zip(batch, normals):
            da, db = datum_gradient(math, datum, a, b)
            a += alpha * da + noise * n
            b += alpha * db + noise * m
            draws.append((a, b))
        out[:, :, 0] = draws

    work = minibatch if workload == "minibatch-1" else grid

    def run():
        before = time.perf_counter()
        work()
        return time.perf_counter() - before, steps, out[:, 0], out[:, 1]

    return run, 0.0


# ---- Topics -----------------------------------------------------------------------------------------------------


def topics_contestant(make, workload):
    return make(workload, STEPS[workload] * topics_contestants.BATCH // topics_contestants.DOCUMENTS), 0.0


# ---- Contestants as processes -----------------------------------------------------------------------------------

CONTESTANTS = {
    "blackjax": blackjax_contestant,
    "numba": numba_contestant,
    "numba in lanes": numba_lanes_contestant,
    "numba in lanes, fused": numba_lanes_contestant,
    "numpy": numpy_contestant,
    "scikit-learn": lambda workload, _config: topics_contestant(topics_contestants.scikit_learn, workload),
    "gensim": lambda workload, _config: topics_contestant(topics_contestants.gensim, workload),
}


def plans(workload):
    """The contestants that try configurations, with their settings."""
    if workload.startswith("topics"):
        return {}
    if workload.startswith("network"):
        return {"blackjax": network_contestants.JAX, "numba": network_contestants.NUMBA}
    # One chain has no lanes.
    lanes = NUMBA_LANES if CHAINS[workload] > 1 else {}
    return {"blackjax": BLACKJAX, "numba": NUMBA, **lanes}


def child(name, workload, config):
    """Compiles, prints the time, then measures once for every line on standard input."""
    run, compiled = CONTESTANTS[name](workload, config)
    print(json.dumps({"compiled": compiled}), flush=True)
    for _ in sys.stdin:
        seconds, steps, *draws = run()
        result = {"seconds": seconds, "steps": steps, "rate": steps * CHAINS[workload] / seconds}
        print(json.dumps({**result, **summary(workload, *draws)}), flush=True)


class Python:
    """A contestant in a separate Python process."""

    def __init__(self, name, workload, config):
        self.name, self.config = name, config
        one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"} if workload.startswith("topics") else {}
        environment = {**os.environ, **one_thread, **(blackjax_environment(config) if name == "blackjax" else {})}
        command = [sys.executable, __file__, "--child", name, workload, json.dumps(config)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        self.compiled = self.answer()["compiled"]

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.name} with {self.config} has ended by itself")
        return json.loads(line)

    def run(self):
        print("go", file=self.process.stdin, flush=True)
        return self.answer()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class SamplerLab:
    """The program's own engine, through the workload benchmark."""

    config, compiled = {}, 0.0

    def __init__(self, program, workload, counted=False):
        self.name = "Sampler Lab, counted" if counted else "Sampler Lab"
        work = {"grid": "sgld-grid"}.get(workload.split("-")[0], workload.split("-")[0])
        self.steps = STEPS[workload]
        self.workload = workload
        self.command = [program, work, "--chains", str(CHAINS[workload]), "--steps", str(self.steps)]
        self.command += ["--counted"] if counted else []
        self.folder = tempfile.TemporaryDirectory()
        if work == "topics":
            topics_contestants.write(workload, self.folder.name)
            topics, _, alpha, eta, _ = topics_contestants.SIZES[workload]
            self.command += ["--corpus", self.folder.name, "--topics", str(topics), "--alpha", str(alpha), "--eta", str(eta)]

    def run(self):
        result = json.loads(subprocess.run(self.command, check=True, capture_output=True, text=True).stdout)
        found = summary(self.workload, result["topics"]) if "topics" in result else {}
        return {**result, **found, "steps": self.steps, "rate": result["steps_per_second"]}

    def close(self):
        self.folder.cleanup()


def workload_program():
    """Builds the workload benchmark and returns its path."""
    command = ["cargo", "bench", "--bench", "workload", "--no-run", "--message-format", "json"]
    output = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    messages = [json.loads(line) for line in output.splitlines()]
    programs = [message["executable"] for message in messages if message.get("target", {}).get("name") == "workload"]
    return next(program for program in programs if program)


# ---- Rounds -----------------------------------------------------------------------------------------------------


def screened(name, plan, workload, quick):
    """The fastest configuration of a contestant, found by varying one setting after the other."""
    best = dict(plan["start"])
    if quick:
        return best

    def rate(config):
        contestant = Python(name, workload, config)
        rate = max(contestant.run()["rate"] for _ in range(3))
        contestant.close()
        print(f"    {rate / 1e6:9.3f} M/s  compiled in {contestant.compiled:5.1f} s  {words(config)}", flush=True)
        return rate

    fastest = rate(best)
    for key, values in plan["vary"]:
        for value in values:
            if irrelevant(workload, key, value):
                continue
            attempt = {**best, key: value}
            found = rate(attempt)
            if found > fastest:
                best, fastest = attempt, found
    return best


def words(config):
    return ", ".join(f"{key} {value}" for key, value in config.items() if value != "")


def compare(workload, program, rounds, quick):
    print(f"\n{workload}: {CHAINS[workload]} chain(s)" + (f", alpha = {ALPHA[workload]}" if workload in ALPHA else ""))
    contestants = [SamplerLab(program, workload)]
    if not workload.startswith("topics"):
        contestants.append(SamplerLab(program, workload, counted=True))
    for name, plan in plans(workload).items():
        print(f"  configurations of {name}")
        contestants.append(Python(name, workload, screened(name, plan, workload, quick)))
    for name in ["scikit-learn", "gensim"] if workload.startswith("topics") else ["numpy"]:
        contestants.append(Python(name, workload, {}))
    results = {contestant.name: [] for contestant in contestants}
    for _ in range(rounds):
        for contestant in contestants:
            results[contestant.name].append(contestant.run())
            time.sleep(0.2)
    step = expected_step() if workload == "minibatch-1" else None
    median = {name: statistics.median(result["rate"] for result in each) for name, each in results.items()}
    ours = median["Sampler Lab"]
    unit, size = ("thousand documents/s", 1e3) if workload.startswith("topics") else ("M steps/s", 1e6)
    print(f"\n  | {workload} | {unit}, median of {rounds} | lowest – highest | Sampler Lab is | draws |")
    print("  |---|---:|---:|---:|---|")
    for contestant in contestants:
        each = results[contestant.name]
        rates = [result["rate"] / size for result in each]
        ratio = "–" if contestant.name == "Sampler Lab" else f"{ours / median[contestant.name]:.1f} ×"
        verdicts = {verdict(workload, result, step) for result in each}
        name = contestant.name + (f" ({words(contestant.config)})" if contestant.config else "")
        spread = f"{min(rates):.3f} – {max(rates):.3f}"
        print(f"  | {name} | {median[contestant.name] / size:.3f} | {spread} | {ratio} | {', '.join(sorted(verdicts))} |")
        contestant.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workloads", nargs="*", help=f"some of {', '.join(STEPS)}; all if left out")
    parser.add_argument("--rounds", type=int, default=5, help="number of measurements of every contestant")
    parser.add_argument("--quick", action="store_true", help="skip the search for the best configuration")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        name, workload, config = arguments.child
        return child(name, workload, json.loads(config))
    unknown = [workload for workload in arguments.workloads if workload not in STEPS]
    if unknown:
        parser.error(f"no workload {', '.join(unknown)}; there are {', '.join(STEPS)}")
    program = workload_program()
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores, load {load:.1f} before the first measurement")
    for workload in arguments.workloads or STEPS:
        compare(workload, program, arguments.rounds, arguments.quick)
    return None


if __name__ == "__main__":
    main()
