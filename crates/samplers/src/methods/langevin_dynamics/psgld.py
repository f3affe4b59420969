"""Steps of SGLD with a step size of its own for each coordinate: steep coordinates take shorter steps.

    v ← {adapt: ρ v + (1 − ρ) ĝ²},  G = {adapt: 1/(δ + √v)}
    θ ← θ + {gradient: α G ĝ} + {noise: √(2αG) ξ}

θ  position: where the chain is
α  the step size
ĝ  gradient: an estimate of the slope of log p at θ
v  adapt: the average of recent squared slopes of each coordinate
ρ  the share of v that is kept from step to step
G  adapt: the scale of each coordinate, large where slopes are gentle
δ  a floor under √v, so that no scale is infinite
ξ  noise: a standard normal number for each coordinate
"""
import numpy as np


# The option `gamma`, a correction for the change of G with the position, is left out, as in the paper.
def start(theta, target, rng, scale="sum"):
    return np.ones_like(theta) if scale == "mean" else np.zeros_like(theta)


def step(theta, v, alpha, target, rng, decay=0.99, floor=1e-5, scale="sum"):
    # gradient: Estimate the slope of log p where the chain is.
    slope = target.gradient(theta)
    # adapt: Average the squared slopes, of the sum over all data or of their mean.
    size = slope / target.data if scale == "mean" else slope
    v = decay * v + (1 - decay) * size**2
    # adapt: Make the scale of a coordinate small where its slope is usually large.
    G = 1 / (floor + np.sqrt(v))
    # noise: Draw a random number for each coordinate: normal noise, with the same scale as the slope.
    noise = np.sqrt(2 * alpha * G) * rng.standard_normal(theta.shape)
    # move: Move uphill by α times the scaled slope, and add the noise.
    return theta + alpha * G * slope + noise, v
