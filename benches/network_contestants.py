"""SGLD on the posterior of a small network, for compare.py: with JAX, numba and numpy.

A network [1, 10, 1] with tanh units, a Gaussian prior (weights 2/√(inputs of the layer), biases 1) and Gaussian noise, on 40 data
of the sine with a gap. A step takes 20 of them at random, with replacement. Every draw of all 31 weights is kept.
"""

import math
import time
from statistics import NormalDist

import numpy as np

UNITS, DATA, BATCH, SD = 10, 40, 20, 0.1
DIMENSION = 3 * UNITS + 1


def lattice(count, factor, shift):
    """Normal quantiles in a fixed shuffled order."""
    return np.array([NormalDist().inv_cdf(((factor * i + shift) % count + 0.5) / count) for i in range(count)])


def data():
    side = (np.arange(20) + 0.5) / 20
    x = np.concatenate([-2 + 1.2 * side, 0.6 + 1.2 * side])
    return x, np.sin(2 * x) + 0.3 * x + SD * lattice(DATA, 17, 0)


def scales():
    """Standard deviations of the prior: input weights, their biases, output weights, output bias."""
    return np.concatenate([np.full(UNITS, 2.0), np.ones(UNITS), np.full(UNITS, 2 / math.sqrt(UNITS)), np.ones(1)])


def start():
    return scales() * lattice(DIMENSION, 19, 0)


def functions(np, weights, x):
    """f at all x; weights are the last axis."""
    w, b, v, c = (weights[..., from_:to] for from_, to in ((0, UNITS), (UNITS, 2 * UNITS), (2 * UNITS, 3 * UNITS), (3 * UNITS, None)))
    hidden = np.tanh(x[..., None] * w[..., None, :] + b[..., None, :])
    return (hidden * v[..., None, :]).sum(-1) + c


def residuals(draws):
    """Mean of ((y - f)/sd)^2 over data and draws; draws are rows."""
    x, y = data()
    return float(np.mean(((y - functions(np, draws[:: max(1, len(draws) // 2000)].astype(float), x)) / SD) ** 2))


JAX = {
    "start": {"dtype": "f32", "prng": "threefry2x32", "unroll": 1, "flags": ""},
    "vary": [("prng", ["rbg", "unsafe_rbg"]), ("unroll", [4]), ("dtype", ["f64"]), ("flags", ["--xla_cpu_enable_fast_math=true"])],
}


def jax_contestant(steps, chains, alpha, config):
    import blackjax
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_default_prng_impl", config["prng"])
    dtype = jnp.float64 if config["dtype"] == "f64" else jnp.float32
    x, y = (jnp.asarray(values, dtype) for values in data())
    precision = jnp.asarray(1 / scales() ** 2, dtype)

    def log_density(weights, batch):
        misfit = y[batch] - functions(jnp, weights, x[batch])
        return -DATA / BATCH * (misfit**2).sum() / (2 * SD**2) - (precision * weights**2).sum() / 2

    sgld = blackjax.sgld(jax.grad(log_density))

    def chain(key, begin):
        keys_key, batch_key = jax.random.split(key)
        keys = jax.random.split(keys_key, steps)
        batches = jax.random.randint(batch_key, (steps, BATCH), 0, DATA)

        def step(at, inputs):
            at = sgld.step(inputs[0], at, inputs[1], alpha)
            return at, at

        return jax.lax.scan(step, begin, (keys, batches), unroll=config["unroll"])[1]

    work = jax.jit(jax.vmap(chain))
    begin = jnp.asarray(np.tile(start(), (chains, 1)), dtype)
    split = lambda seed: jax.block_until_ready(jax.random.split(jax.random.key(seed), chains))
    before = time.perf_counter()
    jax.block_until_ready(work(split(0), begin))
    compiled = time.perf_counter() - before
    seed = iter(range(1, 1_000_000))

    def run():
        keys = split(next(seed))
        before = time.perf_counter()
        draws = jax.block_until_ready(work(keys, begin))
        seconds = time.perf_counter() - before
        late = np.asarray(draws)[:, steps // 10 :: 50]
        return seconds, steps, late.reshape(-1, DIMENSION)

    return run, compiled


NUMBA = {"start": {"fastmath": True}, "vary": [("fastmath", [False])]}


def numba_contestant(steps, chains, alpha, config):
    import numba

    x, y = data()
    precision = 1 / scales() ** 2

    @numba.njit(fastmath=config["fastmath"], parallel=True, error_model="numpy")
    def walk(begin, out, steps):
        noise = math.sqrt(2 * alpha)
        for chain in numba.prange(out.shape[0]):
            weights = begin.copy()
            gradient = np.empty(DIMENSION)
            hidden = np.empty(UNITS)
            for step in range(steps):
                gradient[:] = 0.0
                for _ in range(BATCH):
                    datum = np.random.randint(0, DATA)
                    f = weights[3 * UNITS]
                    for unit in range(UNITS):
                        hidden[unit] = math.tanh(weights[unit] * x[datum] + weights[UNITS + unit])
                        f += weights[2 * UNITS + unit] * hidden[unit]
                    slope = (y[datum] - f) * (DATA / BATCH / SD**2)
                    gradient[3 * UNITS] += slope
                    for unit in range(UNITS):
                        back = slope * weights[2 * UNITS + unit] * (1 - hidden[unit] ** 2)
                        gradient[unit] += back * x[datum]
                        gradient[UNITS + unit] += back
                        gradient[2 * UNITS + unit] += slope * hidden[unit]
                for j in range(DIMENSION):
                    weights[j] += alpha * (gradient[j] - precision[j] * weights[j]) + noise * np.random.normal()
                    out[chain, step, j] = weights[j]

    out = np.ones((chains, steps, DIMENSION))
    before = time.perf_counter()
    walk(start(), out, 10)
    compiled = time.perf_counter() - before

    def run():
        before = time.perf_counter()
        walk(start(), out, steps)
        return time.perf_counter() - before, steps, out[:, steps // 10 :: 50].reshape(-1, DIMENSION)

    return run, compiled


def numpy_contestant(steps, chains, alpha):
    x, y = data()
    rng = np.random.default_rng(1)
    out = np.ones((steps, chains, DIMENSION))
    noise, precision = math.sqrt(2 * alpha), 1 / scales() ** 2

    def run():
        weights = np.tile(start(), (chains, 1))
        before = time.perf_counter()
        for step in range(steps):
            batch = rng.integers(0, DATA, (chains, BATCH))
            inputs = x[batch]
            w, b, v = (weights[:, i * UNITS : (i + 1) * UNITS] for i in range(3))
            hidden = np.tanh(inputs[..., None] * w[:, None] + b[:, None])
            slope = (y[batch] - (hidden @ v[..., None])[..., 0] - weights[:, -1:]) * (DATA / BATCH / SD**2)
            back = slope[..., None] * v[:, None] * (1 - hidden**2)
            parts = [(back * inputs[..., None]).sum(1), back.sum(1), (slope[..., None] * hidden).sum(1), slope.sum(1, keepdims=True)]
            gradient = np.concatenate(parts, 1) - precision * weights
            weights = weights + alpha * gradient + noise * rng.standard_normal(weights.shape)
            out[step] = weights
        return time.perf_counter() - before, steps, out[steps // 10 :: 50].reshape(-1, DIMENSION)

    return run, 0.0
