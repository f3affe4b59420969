"""Gradient ascent with injected noise: it goes uphill and is shaken at the same time.

    θ ← θ + {gradient: α ĝ} + {noise: √(2α) ξ}

θ  position: where the chain is
α  the step size
ĝ  gradient: an estimate of the slope of log p at θ; it points uphill
ξ  noise: a standard normal number for each coordinate
"""
import numpy as np


def step(theta, alpha, target, rng):
    # gradient: Estimate the slope of log p where the chain is.
    slope = target.gradient(theta)
    # noise: Draw a random number for each coordinate: normal noise, most often near 0.
    noise = np.sqrt(2 * alpha) * rng.standard_normal(theta.shape)
    # move: Move uphill by α times the slope, and add the noise.
    return theta + alpha * slope + noise
