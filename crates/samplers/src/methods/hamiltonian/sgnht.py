"""A chain with momentum whose friction adapts: it grows while the chain is too fast and falls while it is too slow.

    p ← {carried: (1 − bh) p} + {gradient: h ĝ} + {noise: √(2Ah) ξ}
    θ ← θ + {move: h p}
    b ← b + {adapt: h (p·p/d − 1)}

θ  position: where the chain is
p  carried: the momentum
b  adapt: the friction, also called thermostat
h  the time of a step
ĝ  gradient: an estimate of the slope of log p at θ; it points uphill
A  the strength of the injected noise
ξ  noise: a standard normal number for each coordinate
d  the number of coordinates; at the right speed p·p is d on average
"""
import numpy as np


def start(theta, target, rng, diffusion=1.0):
    return rng.standard_normal(theta.shape), diffusion


def step(theta, p, friction, h, target, rng, diffusion=1.0):
    # gradient: Estimate the slope of log p where the chain is.
    slope = target.gradient(theta)
    # noise: Draw a normal number for each coordinate.
    noise = np.sqrt(2 * diffusion * h) * rng.standard_normal(theta.shape)
    # carried: Slow the momentum down by friction, let the slope pull it uphill, and add the noise.
    p = (1 - friction * h) * p + h * slope + noise
    # move: Move along the new momentum for a time h.
    theta = theta + h * p
    # adapt: Raise the friction if the chain is too fast, as with much noise in the slope; else lower it.
    friction = friction + h * (np.mean(p**2) - 1)
    return theta, p, friction
