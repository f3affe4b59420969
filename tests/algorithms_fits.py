"""Replays steps of fits and of inference of topics by the Python programs that the window shows of them, for `tests/it/algorithms_fits.rs`.

    python3 tests/algorithms_fits.py FILE

The file has a list of cases: the program of a method, what a run has by default, the target, a start, and step by step its size and its
random numbers. Prints what is there after every step, as JSON; the test compares it with our own steps. Densities and random numbers are
those of `algorithms.py`, with what fits need besides.
"""

import inspect
import json
import sys
import types

import numpy as np

import algorithms


class Gaussian(algorithms.Gaussian):
    def hessian(self, theta):
        return -self.precision


class Banana(algorithms.Banana):
    def hessian(self, theta):
        slope = 2 * self.bend * theta[0]
        pull = 2 * self.bend * self.above(theta)
        of_y = np.array([[pull - slope**2, slope], [slope, -1]]) / self.width**2
        return of_y - np.diag([1 / self.sd**2, 0])


class Topics(types.SimpleNamespace):
    """`topics`: documents, the numbers of topics and words, and the priors alpha and eta."""


class NormalGamma:
    """log p(μ, τ) = (a − ½) log τ − b τ − ½ size τ (μ − mean)² of data, with the prior (μ₀, λ₀, a₀, b₀) = (0, 1, 1, 1)."""

    def __init__(self, estimate, data):
        data = np.array(data)
        self.size, self.a = 1 + len(data), 1 + len(data) / 2
        self.mean = data.sum() / self.size
        self.b = 1 + 0.5 * np.sum((data - data.mean()) ** 2) + 0.5 * len(data) * data.mean() ** 2 / self.size


class Network:
    """A layer of tanh units behind one input: weights, biases, outgoing weights, bias of the output."""

    def __init__(self, estimate, units, sd, prior_sds, x, y):
        self.hidden_units, self.sd, self.prior_sds = units, sd, np.array(prior_sds)
        self.x, self.y, self.count = x, y, len(x)
        self.unit_behind = np.array([-1] * (2 * units) + list(range(units)) + [-1])

    def prior_gradient(self, theta):
        return -theta / self.prior_sds**2

    def datum_gradient(self, theta, index):
        units = self.hidden_units
        weights, biases, outgoing, bias = np.split(theta, [units, 2 * units, 3 * units])
        hidden = np.tanh(weights * self.x[index] + biases)
        by_output = (self.y[index] - outgoing @ hidden - bias[0]) / self.sd**2
        behind = by_output * outgoing * (1 - hidden**2)
        return np.concatenate([behind * self.x[index], behind, by_output * hidden, [by_output]])


def numbers_of(step):
    """The random numbers of a step, in the place of a generator."""
    rng = algorithms.Replay()
    rng.normals, rng.uniforms = list(step["normals"]), list(step["uniforms"])
    step["rng"] = rng
    return rng


def flat(moments):
    mean, covariance = moments
    return np.concatenate([mean, np.ravel(covariance)])


def svgd(code, target, start, steps):
    theta = np.reshape(start, (-1, 2))
    for step in steps:
        theta = code.step(theta, step["alpha"], target)
        yield theta


def laplace(code, target, start, steps):
    theta = start
    for _ in steps:
        theta = code.step(theta, target)
        yield flat(code.finish(theta, target))


def gaussian_vi(code, target, start, steps):
    state = code.start(start)
    for step in steps:
        state = code.step(state, step["alpha"], target, numbers_of(step))
        yield flat(code.moments(state))


svi = gaussian_vi


def swag(code, target, start, steps):
    state = code.start(start)
    for step in steps:
        target.given = [step["normals"]]
        state = code.step(state, step["alpha"], target)
        theta, _, collected, mean, _, deviations = state
        yield flat(code.finish(state)) if len(deviations) > 1 else (mean if collected else theta)


def cavi(code, target, start, steps):
    q = code.start(start, target)
    for number, _ in enumerate(steps):
        q = code.step(q, number % 2, target)
        yield flat((q[0], np.diag(q[1])))


def cavi_normal_gamma(code, target, start, steps):
    q = code.start_normal_gamma(start, target)
    for number, _ in enumerate(steps):
        q = code.step_normal_gamma(q, number % 2, target)
        yield np.array(q)


def mc_dropout(code, target, start, steps):
    state = code.start(start)
    for step in steps:
        state = code.step(state, step["alpha"], target, numbers_of(step))
        yield state[0]


def collapsed_gibbs(code, target, start, steps):
    ends = np.cumsum([len(document) for document in target.documents])[:-1]
    z = [list(topics) for topics in np.split(start.astype(int), ends)]
    state = code.start(target.documents, z, target.topics, target.words)
    for step in steps:
        state = code.step(state, target.documents, target.alpha, target.eta, numbers_of(step))
        yield state[2] + target.eta


def sgrld(code, target, start, steps):
    omega, count = np.reshape(start, (target.topics, target.words)), len(target.documents)
    size = target.batch or count
    for number, step in enumerate(steps):
        batch = [(number * size + index) % count for index in range(size)]
        omega = code.step(omega, step["alpha"], batch, target, numbers_of(step))
        yield omega


def batches(target, steps):
    """The documents of each step, one after the other; all of them if there are no batches."""
    target.counts = np.array([np.bincount(document, minlength=target.words) for document in target.documents])
    count = len(target.documents)
    size = target.batch or count
    return [[(number * size + index) % count for index in range(size)] for number, _ in enumerate(steps)]


def svi_topics(code, target, start, steps):
    lam = np.reshape(start, (target.topics, target.words))
    for step, batch in zip(steps, batches(target, steps)):
        lam = code.step(lam, step["alpha"], batch, target)
        yield lam


def cavi_topics(code, target, start, steps):
    lam = np.reshape(start, (target.topics, target.words))
    for _ in batches(target, steps):
        lam = code.step(lam, target)
        yield lam


def check_defaults(code, defaults):
    for function in filter(inspect.isfunction, vars(code).values()):
        for name, parameter in inspect.signature(function).parameters.items():
            if parameter.default is not inspect.Parameter.empty:
                assert defaults.get(name) == parameter.default, f"{name} is {parameter.default}, in a run {defaults.get(name)}"


TARGETS = {"gaussian": Gaussian, "banana": Banana, "normal-gamma": NormalGamma, "network": Network}


def target_of(case):
    numbers = {key: value for key, value in case["target"].items() if key != "kind"}
    kind = case["target"]["kind"]
    if kind == "topics":
        return Topics(**numbers)
    target = TARGETS[kind](case["gradient"], **numbers)
    target.view_min, target.view_max = np.array(case["view"])
    return target


def after_steps(case):
    code = types.ModuleType("program")
    exec(compile(case["code"], "program", "exec"), vars(code))
    if case["defaults"] is not None:
        check_defaults(code, case["defaults"])
    found = list(globals()[case["replay"].replace("-", "_")](code, target_of(case), np.array(case["start"]), case["steps"]))
    for rng in (step["rng"] for step in case["steps"] if "rng" in step):
        # Normals come in pairs, and the last one of an odd number is not used.
        assert len(rng.normals) <= 1 and not rng.uniforms, "random numbers are left"
    return [np.ravel(after).tolist() for after in found]


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        json.dump([after_steps(case) for case in json.load(file)], sys.stdout)
