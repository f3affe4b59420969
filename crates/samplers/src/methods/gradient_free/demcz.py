"""Proposes to move along the difference of two past positions, which has the size and the direction of the target.

    {proposal: θ′} = θ + {carried: γ (z₁ − z₂)} + {noise: √(2α) ξ}
    accepted with probability {ratio: min(1, p(θ′)/p(θ))}

θ   position: where a chain is
θ′  proposal: a point which may become the next position
z₁  carried: a past position of any chain, drawn from the archive; z₂ is another one
γ   2.38/√(2d), with d the number of coordinates; 1 in every tenth step, which leads from mode to mode
α   the size of the noise
ξ   noise: a standard normal number for each coordinate
p   the density, which need not integrate to 1
"""
import numpy as np


def start(theta, target, rng, initial_spread=1.0):
    around = theta + initial_spread * rng.standard_normal((10, *theta.shape))
    return around.reshape(-1, theta.shape[1]), 0


def step(theta, past, k, alpha, target, rng, gamma=None, archive=1000, every=10):
    n, d = theta.shape
    k = k + 1
    factor = 1 if k % 10 == 0 else gamma or 2.38 / np.sqrt(2 * d)
    after = theta.copy()
    for i in range(n):
        # carried: Draw two different past positions, and take their difference.
        one, other = int(rng.random() * len(past)), int(rng.random() * (len(past) - 1))
        difference = past[one] - past[other + (other >= one)]
        # noise: Draw a random number for each coordinate: normal noise, so that the chain can reach every point.
        noise = np.sqrt(2 * alpha) * rng.standard_normal(d)
        # proposal: Propose the point at γ times the difference, and the noise.
        proposal = theta[i] + factor * difference + noise
        # ratio: Compare how likely the two points are.
        log_ratio = target.log_density(proposal) - target.log_density(theta[i])
        # decision: Accept with this probability, else stay.
        accepted = np.log(rng.random()) < log_ratio
        # move: Go to the proposal, or count the old position once more.
        after[i] = proposal if accepted else theta[i]
    # adapt: Put the positions of all chains into the archive from time to time, until it is full.
    if k % every == 0 and len(past) // n < max(archive // n, 10):
        past = np.vstack([past, after])
    return after, past, k
