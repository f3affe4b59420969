"""Replays steps of the methods by the Python programs that the window shows of them, and compares where the chains are.

    cargo test --test it algorithms -- --nocapture       # writes the steps into a file, and calls this program with it

A case has the program of a method, the target, the options of the run, and step by step the random numbers, in the order in which the
program asks for them, and the positions after the step. Targets are computed here, from their parameters alone. A program may ask for
nothing but the target and the numbers; defaults of its options have to be those of the run. Where draws have weights, that of
the draw is the last of what the program returns. Ends with an error where a coordinate differs by more than 1e-12, relatively or from 0 by
more than 1e-12, or where numbers are left over that the case does not spare.
"""

import inspect
import json
import sys

import numpy as np

TOLERANCE = 1e-12

# What programs call the size of a step.
STEP_SIZES = ["alpha", "h", "eta", "rho"]


class Replay:
    """Stands for a generator of NumPy: hands out given numbers in order."""

    def __init__(self):
        self.normals, self.uniforms = [], []

    @staticmethod
    def take(numbers, shape):
        count = int(np.prod(shape)) if shape is not None else 1
        assert count <= len(numbers), f"the program asks for {count} random numbers, and {len(numbers)} are left"
        taken = [numbers.pop(0) for _ in range(count)]
        return np.reshape(taken, shape) if shape is not None else taken[0]

    def standard_normal(self, shape=None):
        return self.take(self.normals, shape)

    def random(self, shape=None):
        return self.take(self.uniforms, shape)


class Target:
    """A density with its gradient, and the estimate of it that the run has. Classes of targets are below."""

    data = 1

    def __init__(self, estimate):
        # What is given for the next estimates: a vector of normals, or the indices of a minibatch.
        self.estimate, self.given, self.last = estimate, [], None

    def gradient(self, theta):
        """A new estimate: the full gradient, or one with noise of its own, or from a minibatch of its own."""
        self.last = self.given.pop(0) if self.estimate["kind"] != "exact" else None
        return self.gradient_again(theta)

    def gradient_again(self, theta):
        """The estimate at another point with the same noise or minibatch as the last one."""
        kind = self.estimate["kind"]
        if kind == "minibatch":
            return self.batch_gradient(theta, self.last)
        noise = np.sqrt(self.estimate["variance"]) * np.array(self.last) if kind == "noisy" else 0
        return self.full_gradient(theta) + noise

    def gradient_variance(self, theta):
        """The variance of the estimate, coordinate by coordinate."""
        kind = self.estimate["kind"]
        if kind == "minibatch":
            return self.data**2 / self.estimate["size"] * np.var(self.datum_gradients(theta), axis=0)
        return np.full(len(theta), self.estimate["variance"] if kind == "noisy" else 0.0)


class Gaussian(Target):
    """`gaussian`: given by mean, standard deviations and correlation."""

    def __init__(self, estimate, mean, sd, correlation):
        super().__init__(estimate)
        product = correlation * sd[0] * sd[1]
        self.mean, self.covariance = np.array(mean), np.array([[sd[0] ** 2, product], [product, sd[1] ** 2]])
        self.precision = np.linalg.inv(self.covariance)
        self.highest = 0.0

    def log_density(self, theta):
        return -0.5 * (theta - self.mean) @ self.precision @ (theta - self.mean)

    def full_gradient(self, theta):
        return -self.precision @ (theta - self.mean)

    def conditional_draw(self, theta, axis, uniform, normal):
        other, covariance = 1 - axis, self.covariance
        slope = covariance[axis, other] / covariance[other, other]
        variance = covariance[axis, axis] - slope * covariance[axis, other]
        return self.mean[axis] + slope * (theta[other] - self.mean[other]) + np.sqrt(variance) * normal


class Banana(Target):
    """`banana`: x ~ N(0, sd²), y | x ~ N(bend (x² − sd²), width²)."""

    def __init__(self, estimate, sd, bend, width):
        super().__init__(estimate)
        self.sd, self.bend, self.width = sd, bend, width
        self.highest = 0.0

    def above(self, theta):
        return theta[1] - self.bend * (theta[0] ** 2 - self.sd**2)

    def log_density(self, theta):
        return -0.5 * (theta[0] / self.sd) ** 2 - 0.5 * (self.above(theta) / self.width) ** 2

    def full_gradient(self, theta):
        pull = self.above(theta) / self.width**2
        return np.array([2 * self.bend * theta[0] * pull - theta[0] / self.sd**2, -pull])

    def conditional_draw(self, theta, axis, uniform, normal):
        return theta[1] - self.above(theta) + self.width * normal if axis == 1 else None


class LinearRegression(Target):
    """`linear-regression` of the first column of a file on the others, with an intercept, as they are."""

    def __init__(self, estimate, noise_sd, prior_sd, rows):
        super().__init__(estimate)
        self.noise_sd, self.prior_sd, table = noise_sd, prior_sd, np.array(rows)
        self.response, self.data = table[:, 0], len(table)
        self.features = np.column_stack([np.ones(len(table)), table[:, 1:]])

    def datum_gradients(self, theta):
        return (self.response - self.features @ theta)[:, None] * self.features / self.noise_sd**2

    def prior_gradient(self, theta):
        return -theta / self.prior_sd**2

    def full_gradient(self, theta):
        return self.prior_gradient(theta) + np.sum(self.datum_gradients(theta), axis=0)

    def batch_gradient(self, theta, batch):
        return self.prior_gradient(theta) + self.data / len(batch) * np.sum(self.datum_gradients(theta)[batch], axis=0)

    def log_density(self, theta):
        residuals = (self.response - self.features @ theta) / self.noise_sd
        return -0.5 * residuals @ residuals - 0.5 * theta @ theta / self.prior_sd**2

    def anchored_gradient(self, theta, anchor, noise):
        """The gradient with noise of standard deviation 1 in the data, and a prior around the anchor."""
        moved = self.features.T @ noise / self.noise_sd
        return self.full_gradient(theta) + moved + anchor / self.prior_sd**2


TARGETS = {"gaussian": Gaussian, "banana": Banana, "linear-regression": LinearRegression}


def functions_of(code):
    names = {}
    exec(compile(code, "algorithm", "exec"), names)
    return names.get("start"), names["step"]


def check_defaults(function, defaults):
    for parameter in inspect.signature(function).parameters.values():
        if parameter.default is not inspect.Parameter.empty and parameter.name != "explores":
            assert parameter.name in defaults, f"{parameter.name} is no option of the run"
            ours = defaults[parameter.name]
            assert parameter.default == ours, f"{parameter.name} is {parameter.default} by default, and {ours} in a run"


def call(function, first, values):
    """Calls a function with the first arguments in order, and all others by their names."""
    parameters = list(inspect.signature(function).parameters.values())[len(first) :]
    named = {}
    for parameter in parameters:
        value = values[parameter.name]
        # JSON does not tell whole numbers from others.
        is_whole = type(parameter.default) is int and value is not None
        named[parameter.name] = int(value) if is_whole else value
    return function(*first, **named)


def largest_difference(case):
    """The largest difference of a coordinate, in the units of TOLERANCE."""
    start, step = functions_of(case["code"])
    rng, estimate = Replay(), case["gradient"]
    parameters = {key: value for key, value in case["target"].items() if key != "kind"}
    target = TARGETS[case["target"]["kind"]](estimate, **parameters)
    values = {"target": target, "rng": rng, "explores": False, **case["options"]}
    # One chain is a vector; chains together are the rows of a matrix.
    shaped = lambda positions: np.array(positions) if case["together"] else np.array(positions[0])
    theta, state = shaped(case["start"]), ()
    check_defaults(step, case["defaults"])
    if start:
        check_defaults(start, case["defaults"])
        rng.normals = list(case["start_normals"])
        begun = call(start, [theta], {**values, **dict.fromkeys(STEP_SIZES, case["steps"][0]["step_size"])})
        state = begun if type(begun) is tuple else (begun,)
        # Every method that carries something is given normals for it, whether it is random or not.
        left = len(rng.normals)
        assert left in (0, len(case["start_normals"])), f"{left} normals of the start are left"
    largest = 0.0
    for number, given in enumerate(case["steps"], start=1):
        rng.normals, rng.uniforms, target.given = list(given["normals"]), list(given["uniforms"]), list(given["gradient"])
        sizes = dict.fromkeys(STEP_SIZES, given["step_size"])
        result = call(step, [theta, *state], {**values, **sizes, "explores": given["explores"]})
        theta, *state = result if type(result) is tuple else (result,)
        ours = shaped(given["positions"])
        assert theta.shape == ours.shape, f"step {number}: positions of shape {theta.shape}, not {ours.shape}"
        differences = np.abs(theta - ours) / np.maximum(1, np.abs(ours))
        largest = max(largest, float(np.max(np.where(np.isnan(differences), np.inf, differences))))
        assert largest <= TOLERANCE, f"step {number}: {theta.tolist()} is not {ours.tolist()}, off by {largest:.1e}"
        if given["weight"] is not None:
            weight = state[-1]
            assert abs(weight / given["weight"] - 1) < TOLERANCE, f"step {number}: the weight {weight} is not {given['weight']}"
        # The next step begins where ours does: rounding does not grow from step to step.
        theta = ours
        left = len(rng.normals), len(rng.uniforms), len(target.given)
        assert case["spares"] or not any(left), f"step {number}: {left} normals, uniforms and estimates are left"
    return largest


def difference_of_draws(case):
    """The largest difference of a draw of a whole run from ours."""
    names, rng = {}, Replay()
    exec(compile(case["text"], "run", "exec"), names)
    parameters = {key: value for key, value in case["target"].items() if key != "kind"}
    target = TARGETS[case["target"]["kind"]](case["gradient"], **parameters)
    rng.normals, target.given = list(case["normals"]), list(case["estimates"])
    draws, ours = np.array(list(names["draws"](np.array(case["start"]), target, rng))), np.array(case["draws"])
    assert draws.shape == ours.shape, f"{draws.shape[0]} draws, not {ours.shape[0]}"
    assert not rng.normals and not target.given, f"{len(rng.normals)} normals and {len(target.given)} estimates are left"
    largest = float(np.max(np.abs(draws - ours) / np.maximum(1, np.abs(ours))))
    assert largest <= TOLERANCE, f"a draw is off by {largest:.1e}"
    return largest


def fault_of(case):
    """What is wrong with a case, or None."""
    try:
        return (difference_of_draws if "text" in case else largest_difference)(case), None
    except Exception as error:
        return np.inf, f"{type(error).__name__}: {error}"


def main(path):
    with open(path, encoding="utf-8") as file:
        cases = json.load(file)
    faults = 0
    for case in cases:
        difference, fault = fault_of(case)
        print(f"{case.get('method', 'run'):20} {case['name']:60} {fault or f'{difference:.1e}'}")
        faults += fault is not None
    sys.exit(f"{faults} of {len(cases)} cases differ" if faults else 0)


if __name__ == "__main__":
    main(sys.argv[1])
