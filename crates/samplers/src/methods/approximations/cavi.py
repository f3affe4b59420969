"""Fits a product of one distribution for each coordinate: every step gives one of them its best form, while the other stays.

    q(θ) = q₁(θ₁) q₂(θ₂)
    {fit: q₁(θ₁)} ∝ exp( {estimate: mean of log p(θ₁, θ₂)} ), averaged over θ₂ by q₂
    and in the next step {fit: q₂(θ₂)} in the same way

q   fit: the approximation: a product, which has no correlation
q₁  fit: the distribution of the first coordinate
q₂  the distribution of the second coordinate
p   the density of the target
θ₁  the first coordinate; θ₂ is the second one
"""
import numpy as np


def start(theta, target):
    """On a Gaussian: means at θ, and the variances of a coordinate as if the other were known."""
    return theta, 1 / np.diag(np.linalg.inv(target.covariance))


def start_normal_gamma(theta, target):
    """For normal data with unknown mean μ and precision τ: q(μ) = N(m, 1/l) and q(τ) = Gamma(a, b) with means at θ = (μ, τ)."""
    a = target.a + 0.5
    return theta[0], target.size * theta[1], a, a / theta[1]


def step_normal_gamma(q, axis, target):
    """The step there, where log p(μ, τ) = (a − ½) log τ − b τ − ½ size τ (μ − mean)² with the numbers of the target."""
    m, l, a, b = q
    if axis == 0:  # Given q(τ), whose mean is a/b, log p is a parabola of μ.
        return target.mean, target.size * a / b, a, b
    # Given q(μ), only its mean squared distance from the mean counts.
    distance = (m - target.mean) ** 2 + 1 / l
    return m, l, target.a + 0.5, target.b + 0.5 * target.size * distance


def step(q, axis, target):
    # position: Take the coordinate whose turn it is. The distribution of the other one stays.
    mean, variance = q[0].copy(), q[1].copy()
    other = 1 - axis
    # estimate: Average log p over the other coordinate. Of a Gaussian a parabola is left, with this top and curvature.
    precision = np.linalg.inv(target.covariance)
    curvature = precision[axis, axis]
    top = target.mean[axis] - precision[axis, other] / curvature * (mean[other] - target.mean[other])
    # fit: The best distribution of this coordinate has this average as its logarithm: it is normal.
    mean[axis], variance[axis] = top, 1 / curvature
    # move: The mean of the product has moved along one axis. In the next step it moves along the other.
    return mean, variance
