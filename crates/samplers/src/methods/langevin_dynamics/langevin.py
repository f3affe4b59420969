"""Goes uphill along the exact slope and is shaken at the same time, so that it visits all likely places.

    θ ← θ + {gradient: α ∇log p(θ)} + {noise: √(2α) ξ}

θ          position: where the chain is
α          the step size
∇log p(θ)  gradient: the slope of log p at θ; it points uphill
ξ          noise: a standard normal number for each coordinate
"""
import numpy as np

# With the option `metropolis` the step is that of MALA: a proposal, which may be rejected.


def step(theta, alpha, target, rng):
    # gradient: Compute the slope of log p where the chain is.
    slope = target.full_gradient(theta)
    # noise: Draw a random number for each coordinate: normal noise, which shakes the chain by about √(2α).
    noise = np.sqrt(2 * alpha) * rng.standard_normal(theta.shape)
    # move: Move uphill by α times the slope, and add the noise.
    return theta + alpha * slope + noise
