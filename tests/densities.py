"""Writes random densities as formulas, with their normalisers and moments by independent rules.

    pip install numpy scipy                              # in an environment of its own
    python3 tests/densities.py                           # writes tests/data/densities.txt, 10 000 lines
    python3 tests/densities.py --check 300               # integrates every 33rd formula once more, by another rule
    DENSITIES=all cargo test --test it densities         # compares the target `formula` with all of them

A density is a component, or a sum of two to four. A component is a shape of two local coordinates, which are affine functions of x and y: the
logarithm of its integral, its mean and covariance have a closed form or are one or two sums in coordinates that fit it (radius and angle of
a ring, distance from an end). What follows for x and y, and for sums, is algebra. Nothing of it sees the density on a grid of x and y.

The check knows nothing of components but where they are: it reads the text of the formula and halves cells of a box of x and y until two
product rules agree.

A line of the file: names of the components, what the formula gives, the formula, then log Z, mean x, mean y, variance of x, covariance,
variance of y; on the line log Z, mean and variance. Lines of a formula are separated by `;`.
"""

import argparse
import math
import pathlib
import re

import numpy as np
from scipy import integrate, special

FILE = pathlib.Path(__file__).parent / "data" / "densities.txt"
SEED = 20261126
DENSITIES = 10_000

# Share of densities on the line, and of those with one to four components.
ON_LINE = 0.15
COMPONENTS = [0.5, 0.3, 0.13, 0.07]

ROOT_2PI = math.sqrt(2 * math.pi)
ROUND = np.eye(2)


def number(value, digits=4):
    """A number as it stands in a formula, without zeros that say nothing."""
    text = f"{value:.{digits}g}"
    mantissa, _, power = text.partition("e")
    return f"{mantissa}e{int(power)}" if power else text


def rounded(value, digits=4):
    """A number of few digits, of which the reference is made, and its text."""
    text = number(value, digits)
    return float(text), text


class Shape:
    """A density of local coordinates u and v (on the line u): text, log of its integral, mean and covariance.

    `reach` says how far from 0 it is worth looking, in local coordinates; `ends` whether it is 0 somewhere, `tails` whether they are heavy,
    `arms` whether it is much longer than that in places.
    """

    def __init__(self, text, log_integral, mean, covariance, reach, ends=False, tails=False, arms=False):
        self.text, self.log_integral, self.reach, self.ends, self.tails = text, log_integral, reach, ends, tails
        self.arms = arms
        self.mean, self.covariance = np.atleast_1d(np.array(mean, float)), np.atleast_2d(np.array(covariance, float))


def log_uniform(random, low, high):
    return low * (high / low) ** random.uniform()


# Shapes in the plane. `few` says that others stand beside it: then it is less narrow, so that it can be found.


def ridge(random, few):
    del random, few
    return Shape("-(u²+v²)/2", math.log(2 * math.pi), [0, 0], ROUND, 9)


def powers_around(radius):
    """∫ rᵏ exp(−(r − R)²/2) dr from 0, for k = 0 … 3, by parts."""
    edge = math.exp(-radius * radius / 2)
    zeroth = ROOT_2PI * special.ndtr(radius)
    first = radius * zeroth + edge
    second = radius * first + zeroth
    return zeroth, first, second, radius * second + 2 * first


def radius_of(random, few):
    return rounded(log_uniform(random, 2, 40 if few else 100), 3)


def ring(random, few):
    radius, text = radius_of(random, few)
    _, first, _, third = powers_around(radius)
    return Shape(f"-(sqrt(u²+v²)-{text})²/2", math.log(2 * math.pi * first), [0, 0], ROUND * third / first / 2, radius + 9)


def moon(random, few):
    radius, text = radius_of(random, few)
    tilt, tilt_text = rounded(log_uniform(random, 0.5, 20), 3)
    _, first, second, third = powers_around(radius)
    bessel = [special.ive(order, tilt) for order in range(3)]
    mean = second / first * bessel[1] / bessel[0]
    square, even = third / first, bessel[2] / bessel[0]
    covariance = np.diag([square * (1 + even) / 2 - mean * mean, square * (1 - even) / 2])
    log_integral = math.log(2 * math.pi * first * bessel[0]) + tilt
    return Shape(f"-(sqrt(u²+v²)-{text})²/2+{tilt_text}u/sqrt(u²+v²)", log_integral, [mean, 0], covariance, radius + 9)


def moons(random, few):
    """Two, on both sides: tilted by cos² of the angle, or as of Rezende and Mohamed (2015), by two bumps along u."""
    radius, text = radius_of(random, few)
    around = f"-(sqrt(u²+v²)-{text})²/2"
    if random.uniform() < 0.5:
        tilt, tilt_text = rounded(log_uniform(random, 0.5, 20), 3)
        _, first, _, third = powers_around(radius)
        zeroth, second = special.ive(0, tilt / 2), special.ive(1, tilt / 2)
        square, share = third / first, (1 + second / zeroth) / 2
        log_integral = math.log(2 * math.pi * first * zeroth) + tilt
        covariance = np.diag([square * share, square * (1 - share)])
        return Shape(f"{around}+{tilt_text}u²/(u²+v²)", log_integral, [0, 0], covariance, radius + 9)
    width, width_text = rounded(radius * random.uniform(0.2, 0.5), 3)
    bump = f"logsumexp(-((u-{text})/{width_text})²/2,-((u+{text})/{width_text})²/2)"
    nodes, weights = np.polynomial.legendre.leggauss(80)
    low, high = max(0.0, radius - 12), radius + 12
    r = ((high - low) * nodes + high + low)[:, None] / 2
    angles = np.arange(1024) * (2 * np.pi / 1024)
    u, v = r * np.cos(angles), r * np.sin(angles)
    mass = np.exp(-((r - radius) ** 2) / 2) * r * weights[:, None] * (high - low) / 2 * (2 * np.pi / 1024)
    mass = mass * (np.exp(-(((u - radius) / width) ** 2) / 2) + np.exp(-(((u + radius) / width) ** 2) / 2))
    total = mass.sum()
    covariance = np.diag([(mass * u * u).sum() / total, (mass * v * v).sum() / total])
    return Shape(f"{around}+{bump}", math.log(total), [0, 0], covariance, radius + 9)


def flat_integral(power):
    """∫ exp(−|u|ᵖ) du and the variance."""
    return 2 * math.gamma(1 + 1 / power), math.gamma(3 / power) / math.gamma(1 / power)


def flat(random, few):
    del few
    power = int(random.choice([4, 6, 10]))
    integral, variance = flat_integral(power)
    kind = random.integers(3)
    if kind == 0:
        return Shape(f"-u^{power}-v^{power}", 2 * math.log(integral), [0, 0], ROUND * variance, 3)
    if kind == 1:
        covariance = np.diag([1, variance])
        return Shape(f"-u²/2-v^{power}", math.log(ROOT_2PI * integral), [0, 0], covariance, 9)
    log_integral = math.log(2 * math.pi / power * math.gamma(2 / power))
    square = math.gamma(4 / power) / math.gamma(2 / power)
    return Shape(f"-(u²+v²)^{power // 2}", log_integral, [0, 0], ROUND * square / 2, 3)


def degrees_of(random):
    return rounded(log_uniform(random, 2.2, 30), 3)


def student(degrees):
    """Integral of (1 + u²/ν)^(−(ν+1)/2), and the variance."""
    log_integral = special.gammaln(degrees / 2) - special.gammaln((degrees + 1) / 2) + math.log(math.pi * degrees) / 2
    return log_integral, degrees / (degrees - 2)


def heavy(random, few):
    del few
    degrees, text = degrees_of(random)
    if random.uniform() < 0.6:
        power = number((degrees + 2) / 2, 6)
        covariance = ROUND * degrees / (degrees - 2)
        return Shape(f"-{power}ln(1+(u²+v²)/{text})", math.log(2 * math.pi), [0, 0], covariance, 30, tails=True)
    power = number((degrees + 1) / 2, 6)
    log_integral, variance = student(degrees)
    text = f"-{power}ln(1+u²/{text})-{power}ln(1+v²/{text})"
    return Shape(text, 2 * log_integral, [0, 0], ROUND * variance, 30, tails=True)


def kink(random, few):
    del few
    text, log_integral, variances = [
        ("-abs(u)-abs(v)", math.log(4), [2, 2]),
        ("-max(abs(u),abs(v))", math.log(8), [4, 4]),
        ("-sqrt(u²+v²)", math.log(2 * math.pi), [3, 3]),
        ("-abs(u)-v²/2", math.log(2 * ROOT_2PI), [2, 1]),
    ][random.integers(4)]
    return Shape(text, log_integral, [0, 0], np.diag(variances), 40)


def funnel(random, few):
    del few
    factor, text = rounded(1 / (2 * random.uniform(0.5, 2.0) ** 2), 3)
    square = 1 / (2 * factor)
    covariance = np.diag([math.exp(square / 2), square])
    log_integral = math.log(2 * math.pi) + math.log(square) / 2
    return Shape(f"-{text}v²-u²exp(-v)/2-v/2", log_integral, [0, 0], covariance, 40, arms=True)


def below_zero(text, few):
    """The logarithm of what is 0 beyond an end; alone, also that of what has no logarithm there."""
    return f"ln(max(0,{text}))" if few else f"ln({text})"


def half(random, few):
    """A Gaussian times the distance from a line, which is its end."""
    shift, text = rounded(random.uniform(-1, 2), 3)
    edge, tail = math.exp(-shift * shift / 2), ROOT_2PI * special.ndtr(shift)
    integral = edge + shift * tail
    mean, square = tail / integral, (2 * edge + shift * tail) / integral
    covariance = np.diag([square - mean * mean, 1])
    inside = f"u{shift:+}".replace(f"{shift:+}", ("+" if shift >= 0 else "") + text)
    return Shape(f"-(u²+v²)/2+{below_zero(inside, few)}", math.log(ROOT_2PI * integral), [mean, 0], covariance, 9, ends=True)


def disc(random, few):
    power, text = rounded(random.uniform(0.5, 5), 3)
    text = f"{text}{below_zero('1-u²-v²', few)}"
    return Shape(text, math.log(math.pi / (power + 1)), [0, 0], ROUND / (power + 2) / 2, 1.1, ends=True)


def triangle(random, few):
    """Dirichlet, over u, v and 1 − u − v above 0."""
    powers, texts = zip(*[rounded(random.uniform(0.5, 4), 2) for _ in range(3)])
    alpha = 1 + np.array(powers)
    log_integral = special.gammaln(alpha).sum() - special.gammaln(alpha.sum())
    mean = alpha[:2] / alpha.sum()
    covariance = (np.diag(mean) - np.outer(mean, mean)) / (alpha.sum() + 1)
    parts = [f"{text}{below_zero(inside, few)}" for text, inside in zip(texts, ["u", "v", "1-u-v"])]
    return Shape("+".join(parts), log_integral, mean, covariance, 1.1, ends=True)


def bay(random, few):
    """A Gaussian times the height over a parabola, which is its end."""
    bend, text = rounded(log_uniform(random, 0.2, 2), 3)

    def above(u, order):
        edge = bend * u * u
        height, tail = math.exp(-edge * edge / 2), ROOT_2PI * special.ndtr(-edge)
        inner = [height - edge * tail, tail, 2 * height - edge * tail][order]
        return math.exp(-u * u / 2) * inner

    def along(order, power):
        return 2 * integrate.quad(lambda u: u**power * above(u, order), 0, 12, epsabs=0, epsrel=1e-12, limit=500)[0]

    integral = along(0, 0)
    mean, square, side = along(1, 0) / integral, along(2, 0) / integral, along(0, 2) / integral
    covariance = np.diag([side, square - mean * mean])
    text = f"-(u²+v²)/2+{below_zero(f'v-{text}u²', few)}"
    return Shape(text, math.log(integral), [0, mean], covariance, 9, ends=True)


def skewed_normal(steep, shift):
    """Integral, mean and second moment of exp(−u²/2) (1 + tanh(k (u + c)))."""

    def moment(power):
        def value(u):
            return u**power * math.exp(-u * u / 2) * (1 + math.tanh(steep * (u + shift)))

        edges = sorted({-12.0, 12.0, *(np.clip(-shift + side / steep, -12, 12) for side in (-20, -5, -1, 0, 1, 5, 20))})
        return sum(integrate.quad(value, *part, epsabs=1e-13, epsrel=1e-11, limit=200)[0] for part in zip(edges, edges[1:]))

    integral = moment(0)
    return integral, moment(1) / integral, moment(2) / integral


def steep_of(random):
    steep, text = rounded(log_uniform(random, 1, 100), 3)
    shift, shift_text = rounded(random.uniform(-1, 2), 3)
    inside = f"{text}(u{'+' if shift >= 0 else ''}{shift_text})"
    return f"ln(1+tanh({inside}))", *skewed_normal(steep, shift)


def steep(random, few):
    """A Gaussian behind a soft end."""
    del few
    text, integral, mean, square = steep_of(random)
    covariance = np.diag([square - mean * mean, 1])
    return Shape(f"-(u²+v²)/2+{text}", math.log(ROOT_2PI * integral), [mean, 0], covariance, 9)


def wall_of(random):
    return rounded(log_uniform(random, 5, 300), 3)


def wall_along(height):
    """∫ exp(−K max(0, |u| − 1)) du and the variance."""
    integral = 2 * (1 + 1 / height)
    return integral, 2 * (1 / 3 + 1 / height + 2 / height**2 + 2 / height**3) / integral


def wall(random, few):
    """Uniform, with walls that are nearly vertical."""
    del few
    height, text = wall_of(random)
    if random.uniform() < 0.5:
        integral = math.pi * (1 + 1 / height)
        square = 2 * math.pi * (1 / 4 + (1 / height + 1 / height**2) / 2) / integral
        return Shape(f"-{text}max(0,u²+v²-1)", math.log(integral), [0, 0], ROUND * square / 2, 4)
    integral, variance = wall_along(height)
    text = f"-{text}max(0,abs(u)-1)-{text}max(0,abs(v)-1)"
    return Shape(text, 2 * math.log(integral), [0, 0], ROUND * variance, 9)


def jump(random, few):
    """Uniform on a disc, or half of a Gaussian: the density is not continuous."""
    del few
    if random.uniform() < 0.5:
        inside = "1-u²-v²"
        return Shape(f"ln(max(0,{inside})/({inside}))", math.log(math.pi), [0, 0], ROUND / 4, 1.1, ends=True)
    mean = math.sqrt(2 / math.pi)
    covariance = np.diag([1 - mean * mean, 1])
    return Shape("-(u²+v²)/2+ln(max(0,u)/u)", math.log(math.pi), [mean, 0], covariance, 9, ends=True)


PLANE = [ridge, ring, moon, moons, flat, heavy, kink, funnel, half, disc, triangle, bay, steep, wall, jump]
SHARES = [0.14, 0.12, 0.09, 0.07, 0.12, 0.12, 0.1, 0.07, 0.03, 0.03, 0.03, 0.02, 0.025, 0.03, 0.005]


# Shapes on the line.


def line_normal(random, few):
    del random, few
    return Shape("-u²/2", math.log(ROOT_2PI), 0, 1, 9)


def line_flat(random, few):
    del few
    power = int(random.choice([4, 6, 10]))
    integral, variance = flat_integral(power)
    return Shape(f"-u^{power}", math.log(integral), 0, variance, 3)


def line_heavy(random, few):
    del few
    degrees, text = degrees_of(random)
    log_integral, variance = student(degrees)
    return Shape(f"-{number((degrees + 1) / 2, 6)}ln(1+u²/{text})", log_integral, 0, variance, 30, tails=True)


def line_kink(random, few):
    del random, few
    return Shape("-abs(u)", math.log(2), 0, 2, 40)


def line_gamma(random, few):
    power, text = rounded(random.uniform(0.5, 6), 2)
    mean = power + 1
    return Shape(f"{text}{below_zero('u', few)}-u", special.gammaln(mean), mean, mean, 60, ends=True)


def line_beta(random, few):
    powers, texts = zip(*[rounded(random.uniform(0.5, 6), 2) for _ in range(2)])
    a, b = 1 + powers[0], 1 + powers[1]
    variance = a * b / ((a + b) ** 2 * (a + b + 1))
    text = f"{texts[0]}{below_zero('u', few)}+{texts[1]}{below_zero('1-u', few)}"
    return Shape(text, special.betaln(a, b), a / (a + b), variance, 1.1, ends=True)


def line_gumbel(random, few):
    del random, few
    return Shape("-u-exp(-u)", 0, np.euler_gamma, math.pi**2 / 6, 40)


def line_logistic(random, few):
    del random, few
    return Shape("-u-2softplus(-u)", 0, 0, math.pi**2 / 3, 40)


def line_steep(random, few):
    del few
    text, integral, mean, square = steep_of(random)
    return Shape(f"-u²/2+{text}", math.log(integral), mean, square - mean * mean, 9)


def line_wall(random, few):
    del few
    height, text = wall_of(random)
    integral, variance = wall_along(height)
    return Shape(f"-{text}max(0,abs(u)-1)", math.log(integral), 0, variance, 9)


LINE = [line_normal, line_flat, line_heavy, line_kink, line_gamma, line_beta, line_gumbel, line_logistic, line_steep, line_wall]

# Names of local coordinates, two for each component.
NAMES = ["ab", "cd", "fg", "hk"]


class Component:
    """A shape at a place: its local coordinates are A (x, y) + b."""

    def __init__(self, random, names, shape, matrix, place):
        self.shape, self.name = shape, ""
        self.matrix, offset, self.lines = np.zeros_like(matrix), np.zeros(len(matrix)), []
        for row, name in enumerate(names[: len(matrix)]):
            line = ""
            for column, letter in enumerate("xy"[: len(matrix)]):
                self.matrix[row, column], text = rounded(matrix[row, column], 3)
                if self.matrix[row, column] != 0:
                    line += ("+" if line and not text.startswith("-") else "") + text + letter
            offset[row], text = rounded(-self.matrix[row] @ place, 5)
            if offset[row] != 0:
                line += ("" if text.startswith("-") else "+") + text
            self.lines.append(f"{name}={line}")
        inverse = np.linalg.inv(self.matrix)
        self.log_integral = shape.log_integral - math.log(abs(np.linalg.det(self.matrix)))
        self.mean = inverse @ (shape.mean - offset)
        self.covariance = inverse @ shape.covariance @ inverse.T
        self.centre = inverse @ -offset
        # Functions keep their letters: only u and v that stand alone are names.
        local = dict(zip("uv", names))
        self.text = re.sub(r"(?<![a-z])[uv](?![a-z])", lambda found: local[found.group()], shape.text)


def affine(random, shape, size, few):
    """The matrix of local coordinates of a component of this size: turned, mostly longer than wide, kinks also sheared."""
    size /= max(1.0, math.sqrt(np.max(np.diag(shape.covariance))) if not shape.tails else 1.5)
    isotropic = ("sqrt(u" in shape.text and random.uniform() < 0.8) or shape.text.startswith("-max(0,")
    longest = (1.01 if isotropic else 3 if "sqrt(u" in shape.text else 20 if few else 100)
    ratio = log_uniform(random, 1, longest)
    angle = random.uniform(0, 2 * math.pi)
    if random.uniform() < 0.15:
        angle = random.integers(4) * math.pi / 2
    sine, cosine = (math.sin(angle), math.cos(angle)) if angle % (math.pi / 2) > 1e-9 else [(0, 1), (1, 0), (0, -1), (-1, 0)][round(angle / (math.pi / 2)) % 4]
    turn = np.array([[cosine, sine], [-sine, cosine]], float)
    shear = np.array([[1, random.uniform(-1, 1)], [0, 1]]) if "abs" in shape.text and random.uniform() < 0.7 else np.eye(2)
    lengths = [1, ratio] if random.uniform() < 0.5 else [ratio, 1]
    return np.diag(lengths) @ shear @ turn / size


def place_of(random, size, dimension, hard):
    """Where a density is: at 0, near 0, or far; what is 0 around itself is not far, where nothing would lead to it."""
    kind = random.uniform()
    if kind < 0.15:
        return np.zeros(dimension)
    far = size * (random.uniform(0, 3) if hard or kind < 0.7 else log_uniform(random, 1, 100))
    direction = random.normal(size=dimension)
    return far * direction / np.linalg.norm(direction)


def density(random):
    """A density: names of its components, what it gives, its formula and its integrals."""
    dimension = 1 if random.uniform() < ON_LINE else 2
    count = 1 + random.choice(len(COMPONENTS), p=COMPONENTS)
    few = count > 1
    makers = [random.choice(LINE) if dimension == 1 else PLANE[random.choice(len(PLANE), p=SHARES)] for _ in range(count)]
    size = log_uniform(random, 1e-3, 1e3)
    shapes = [make(random, few) for make in makers]
    centre = place_of(random, size, dimension, all(shape.ends for shape in shapes))
    spread = size * log_uniform(random, 0.5, 4)
    components = []
    for shape, names in zip(shapes, NAMES):
        own = size * (log_uniform(random, 0.2, 1) if few else 1.0)
        if dimension == 1:
            width = own / max(1.0, 1.5 if shape.tails else math.sqrt(shape.covariance[0, 0]))
            matrix = np.array([[1 / width]]) * random.choice([-1, 1])
        else:
            matrix = affine(random, shape, own, few)
        beside = random.uniform(-1, 1, size=dimension) * spread if few else np.zeros(dimension)
        components.append(Component(random, names, shape, matrix, centre + beside))
    weights = random.uniform(0.1, 1, size=count)
    constants = [rounded(math.log(w) - part.log_integral if few else random.choice([0, random.normal()]), 4) for w, part in zip(weights, components)]
    return written(random, [make.__name__.removeprefix("line_") for make in makers], components, constants)


def written(random, makers, components, constants):
    terms = [part.text + (("" if text.startswith("-") else "+") + text if value != 0 else "") for part, (value, text) in zip(components, constants)]
    kind, form = random.uniform(), "log-density"
    value = f"logsumexp({','.join(terms)})" if len(terms) > 1 else terms[0]
    if kind < 0.1:
        form, value = "density", "+".join(f"exp({term})" for term in terms)
    elif kind < 0.2:
        form, value = "energy", f"-({value})" if len(terms) == 1 else f"-{value}"
    formula = ";".join([line for part in components for line in part.lines] + [value])
    logs = np.array([constant + part.log_integral for part, (constant, _) in zip(components, constants)])
    log_integral = special.logsumexp(logs)
    shares = np.exp(logs - log_integral)
    mean = sum(share * part.mean for share, part in zip(shares, components))
    covariance = sum(share * (part.covariance + np.outer(part.mean - mean, part.mean - mean)) for share, part in zip(shares, components))
    numbers = [log_integral, *mean, *covariance[np.triu_indices(len(mean))]]
    return "+".join(makers), form, formula, numbers, components


# The check.


def evaluator(form, formula):
    """The log density that the text says, as a function of arrays x and y."""
    token = re.compile(r"\s*(?:(\d+\.?\d*(?:e-?\d+)?|\.\d+)|([a-z]+)|(²)|(.))")

    def python(text):
        result, before = "", ""
        for found in token.finditer(text):
            value, word, raised, sign = found.groups()
            starts = value or word or sign == "("
            if starts and (before == "value" or (before == "word-value" and sign != "(")) or (before == "name" and (value or word)):
                result += "*"
            if value:
                result, before = result + value, "value"
            elif word:
                is_function = word in FUNCTIONS
                result, before = result + word, "function" if is_function else "value"
            elif raised:
                result, before = result + "**2", "value"
            else:
                result, before = result + ("**" if sign == "^" else sign), "value" if sign == ")" else ""
        return result

    *lines, last = formula.split(";")
    lines = [(line.split("=")[0], compile(python(line.split("=")[1]), line, "eval")) for line in lines]
    last = compile(python(last), last, "eval")

    def log_density(x, y):
        names = {"x": x, "y": y, **FUNCTIONS}
        for name, line in lines:
            names[name] = eval(line, names)
        with np.errstate(all="ignore"):
            value = eval(last, names)
            value = {"log-density": value, "energy": -value, "density": np.log(value)}[form]
        return np.where(np.isnan(value), -np.inf, value)

    return log_density


FUNCTIONS = {
    "exp": np.exp,
    "ln": np.log,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
    "softplus": lambda x: np.logaddexp(0, x),
    "abs": np.abs,
    "max": lambda *parts: np.maximum.reduce(np.broadcast_arrays(*parts)),
    "logsumexp": lambda *parts: np.logaddexp.reduce(np.broadcast_arrays(*parts)),
}


def box_sums(log_density, components, dimension, most=400_000):
    """∫p and its moments over x and y, by cells of a box that are halved until two product rules agree."""
    corners = []
    for part in components:
        inverse, reach = np.linalg.inv(part.matrix), part.shape.reach
        half_sizes = np.abs(inverse).sum(axis=1) * reach
        corners += [part.centre - half_sizes, part.centre + half_sizes]
    low, high = np.min(corners, axis=0), np.max(corners, axis=0)
    stretch = 1e5 if any(part.shape.tails or part.shape.arms for part in components) else 1.0
    middle, half_size = (low + high) / 2, (high - low) / 2
    # With tails x = m + s sinh t reaches a hundred thousand times as far.
    reach = math.asinh(stretch * 3) if stretch > 1 else 1.0

    def place(t):
        if stretch == 1.0:
            return middle + half_size * t, np.prod(half_size) * np.ones(t.shape[:-1])
        return middle + half_size / 3 * np.sinh(t), np.prod(half_size / 3 * np.cosh(t), axis=-1)

    nodes, weights = np.polynomial.legendre.leggauss(7)
    if dimension == 2:
        rule = np.stack(np.meshgrid(nodes, nodes, indexing="ij"), -1).reshape(-1, 2)
        rule_weights = np.outer(weights, weights).ravel()
    else:
        rule, rule_weights = nodes[:, None], weights
    count = 64 if dimension == 2 else 512
    edges = (np.arange(count) + 0.5) / count * 2 * reach - reach
    cells = np.stack(np.meshgrid(*[edges] * dimension, indexing="ij"), -1).reshape(-1, dimension)
    size = reach / count

    def point(at):
        shifted = (at - middle) / half_size
        return np.arcsinh(shifted * 3) if stretch > 1 else shifted

    def sums(cells, size):
        t = cells[:, None, :] + size * rule
        at, slope = place(t)
        y = at[..., 1] if dimension == 2 else np.zeros(at.shape[:-1])
        mass = np.exp(log_density(at[..., 0], y) - top) * slope * rule_weights * size**dimension
        moved = at - middle
        columns = [np.ones_like(mass), *np.moveaxis(moved, -1, 0)]
        columns += [moved[..., i] * moved[..., j] for i in range(dimension) for j in range(i, dimension)]
        return np.stack([(mass * column).sum(axis=1) for column in columns], axis=1)

    top = 0.0
    sample = place(cells[:, None, :] + size * rule)[0]
    top = np.max(log_density(sample[..., 0], sample[..., 1] if dimension == 2 else np.zeros(sample.shape[:-1])))
    centres = [point(part.centre) for part in components]
    widths = [1 / np.linalg.norm(part.matrix, ord=2) / np.max(half_size) for part in components]
    total, used = np.zeros(1 + dimension + dimension * (dimension + 1) // 2), 0
    halves = np.stack(np.meshgrid(*[[-0.5, 0.5]] * dimension, indexing="ij"), -1).reshape(-1, dimension)
    whole = sums(cells, size)
    scale = np.abs(whole).sum(axis=0)
    while len(cells) and used < most:
        children = (cells[:, None, :] + size * halves).reshape(-1, dimension)
        parts = np.concatenate([sums(chunk, size / 2) for chunk in np.array_split(children, 1 + len(children) // 50_000)])
        finer = parts.reshape(len(cells), len(halves), whole.shape[1]).sum(axis=1)
        scale = np.maximum(scale, np.abs(total + finer.sum(axis=0)))
        wrong = (np.abs(finer - whole) > 1e-10 * scale).any(axis=1)
        for centre, width in zip(centres, widths):
            # Around a component cells are halved down to its width first.
            wrong |= (np.abs(cells - centre) <= size * 1.01).all(axis=1) & (size > width / 2)
        total = total + finer[~wrong].sum(axis=0)
        used += len(cells)
        cells = children.reshape(len(cells), len(halves), dimension)[wrong].reshape(-1, dimension)
        whole = parts.reshape(len(wrong), len(halves), whole.shape[1])[wrong].reshape(len(cells), whole.shape[1])
        size /= 2
    total = total + whole.sum(axis=0)
    mean = total[1 : 1 + dimension] / total[0]
    square = total[1 + dimension :] / total[0] - np.outer(mean, mean)[np.triu_indices(dimension)]
    return [math.log(total[0]) + top, *(mean + middle), *square], len(cells)


def check(cases, wanted):
    """Compares a part of the references with sums over a box; returns how many differ."""
    wrong = left = 0
    for index in range(0, len(cases), max(1, len(cases) // wanted)):
        makers, form, formula, numbers, components = cases[index]
        dimension = len(components[0].matrix)
        found, open_cells = box_sums(evaluator(form, formula), components, dimension)
        variances = [numbers[1 + dimension]] if dimension == 1 else [numbers[3], numbers[5]]
        unit = math.sqrt(max(variances))
        errors = [abs(a - b) for a, b in zip(found, numbers)]
        units = [1.0, *[unit] * dimension, *[unit**2] * (len(numbers) - 1 - dimension)]
        # Squares of heavy tails are not in a box, nor the last digits of their means.
        tails = any(part.shape.tails for part in components)
        compared = 1 + (0 if tails else len(numbers) - 1)
        worst = max(error / unit for error, unit in list(zip(errors, units))[:compared])
        # Errors of as many cells add up where a density ends along a slanted line.
        allowed = 2e-4 if open_cells else 5e-5
        if worst > allowed:
            wrong += 1
            print(index, makers, f"{worst:.1e}", open_cells, formula, found, numbers, sep="\n  ")
        left += open_cells > 0
    print(f"{wrong} differ; {left} of those compared used all cells")
    return wrong


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--check", type=int, metavar="N", help="check N of them instead of writing the file")
    options = arguments.parse_args()
    random = np.random.default_rng(SEED)
    cases = [density(random) for _ in range(DENSITIES)]
    if options.check:
        raise SystemExit(check(cases, options.check) > 0)
    with FILE.open("w", encoding="utf-8") as file:
        for makers, form, formula, numbers, _ in cases:
            print(makers, form, formula, " ".join(number(value, 7) for value in numbers), sep="\t", file=file)


if __name__ == "__main__":
    main()
