"""Goes uphill with a step size of its own for each coordinate, from averages of past slopes.

    m ← {carried: β₁ m} + {gradient: (1 − β₁) ĝ}
    v ← {adapt: β₂ v + (1 − β₂) ĝ²}
    θ ← θ + {move: η m̂/(√v̂ + 10⁻⁸)},  m̂ = m/(1 − β₁^t),  v̂ = v/(1 − β₂^t)

θ      position: where the chain is
η      the learning rate: about how far a coordinate moves in a step
ĝ      gradient: an estimate of the slope of log p at θ
m      carried: the average of recent slopes
v      adapt: the average of their squares, which tells their usual size
β₁     the share of m that is kept from step to step
β₂     the share of v that is kept from step to step
t      the number of the step; m̂ and v̂ take back that both averages began at 0
"""
import numpy as np


def start(theta, target, rng):
    return np.zeros_like(theta), np.zeros_like(theta), 0


def step(theta, m, v, t, eta, target, rng, beta1=0.9, beta2=0.999):
    # gradient: Estimate the slope of log p where the chain is.
    slope = target.gradient(theta)
    # carried: Keep most of the average of past slopes, and add a little of the new one.
    m = beta1 * m + (1 - beta1) * slope
    # adapt: Average the squares too: they tell how large the slope of each coordinate usually is.
    v = beta2 * v + (1 - beta2) * slope**2
    # adapt: Correct both averages for their start at 0, which matters in the first steps.
    t = t + 1
    mean, square = m / (1 - beta1**t), v / (1 - beta2**t)
    # move: Divide by the usual size, so that every coordinate moves by about η.
    return theta + eta * mean / (np.sqrt(square) + 1e-8), m, v, t
