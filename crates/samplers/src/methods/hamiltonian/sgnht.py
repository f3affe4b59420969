"""A chain with momentum whose friction adapts: it grows while the chain is too fast and falls while it is too slow.

    r ← {carried: (1 − bh) r} + {gradient: h ĝ} + {noise: √(2Ah) ξ}
    θ ← θ + {move: h r}
    b ← b + {adapt: h (r·r/d − 1)}

θ  position: where the chain is
r  carried: the momentum
b  adapt: the friction, also called thermostat
h  the time of a step
ĝ  gradient: an estimate of the slope of log p at θ; it points uphill
A  the strength of the injected noise
ξ  noise: a standard normal number for each coordinate
d  the number of coordinates; at the right speed r·r is d on average
"""
import numpy as np


def start(theta, target, rng, diffusion=1.0):
    return rng.standard_normal(theta.shape), diffusion


def step(theta, r, friction, h, target, rng, diffusion=1.0):
    # gradient: Estimate the slope of log p where the chain is.
    slope = target.gradient(theta)
    # noise: Draw a random number for each coordinate: normal noise, most often near 0.
    noise = np.sqrt(2 * diffusion * h) * rng.standard_normal(theta.shape)
    # carried: Slow the momentum down by friction, let the slope pull it uphill, and add the noise.
    r = (1 - friction * h) * r + h * slope + noise
    # move: Move along the new momentum for a time h.
    theta = theta + h * r
    # adapt: Raise the friction if the chain is too fast, as with much noise in the slope; else lower it.
    friction = friction + h * (np.mean(r**2) - 1)
    return theta, r, friction
