"""Steps of SGLD whose size falls and restarts in cycles: long steps find a mode, short ones sample it.

    θ ← θ + {gradient: α ĝ} + {noise: √(2α) ξ}

θ  position: where the chain is
α  the step size; it is large at the beginning of each cycle and falls until its end
ĝ  gradient: an estimate of the slope of log p at θ; it points uphill
ξ  noise: a standard normal number for each coordinate; 0 while the chain explores, early in a cycle
"""
import numpy as np


def step(theta, alpha, target, rng, explores=False):
    # gradient: Estimate the slope of log p where the chain is.
    slope = target.gradient(theta)
    # noise: Draw a random number for each coordinate: normal noise, most often near 0.
    noise = np.sqrt(2 * alpha) * rng.standard_normal(theta.shape)
    # noise: Leave the noise out early in a cycle, where the chain only looks for a mode.
    noise = 0 * noise if explores else noise
    # move: Move uphill by α times the slope, and add the noise.
    return theta + alpha * slope + noise
