"""Steps of SGHMC whose size falls and restarts in cycles: long steps find a mode, short ones sample it.

    r ← {carried: (1 − a) r} + {gradient: α ĝ} + {noise: √(2α (a − β̂)) ξ}
    θ ← θ + {move: r}

θ  position: where the chain is
r  carried: the momentum, which is also the displacement of a step
a  the friction: the share of the momentum that is lost per step
α  the step size; it is large at the beginning of each cycle and falls until its end
ĝ  gradient: an estimate of the slope of log p at θ; it points uphill
β̂  adapt: the friction that the noise of ĝ needs, αV/2, with V the variance of ĝ
ξ  noise: a standard normal number for each coordinate; 0 while the chain explores, early in a cycle
"""
import numpy as np


def start(theta, target, rng, alpha):
    return np.sqrt(alpha) * rng.standard_normal(theta.shape)


def step(theta, r, alpha, target, rng, friction=0.1, friction_correction=True, explores=False):
    # gradient: Estimate the slope of log p where the chain is.
    slope = target.gradient(theta)
    # adapt: Compute how much noise the estimate already brings: so much less is added.
    beta = alpha / 2 * target.gradient_variance(theta) if friction_correction else 0
    # noise: Draw a random number for each coordinate: normal noise, which gives back the energy that friction takes.
    noise = np.sqrt(2 * alpha * np.maximum(friction - beta, 0)) * rng.standard_normal(theta.shape)
    # noise: Leave the noise out early in a cycle, where the chain only looks for a mode.
    noise = 0 * noise if explores else noise
    # carried: Keep most of the momentum, let the slope pull it uphill, and add the noise.
    r = (1 - friction) * r + alpha * slope + noise
    # move: Move along the new momentum.
    return theta + r, r
