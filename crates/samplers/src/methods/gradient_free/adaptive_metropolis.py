"""Proposes a point nearby, in steps as wide and as slanted as the positions that the chain has seen.

    {proposal: θ′} = θ + {noise: (2.38/√d) L ξ},  L Lᵀ = {adapt: Σ + ε I}
    accepted with probability {ratio: min(1, p(θ′)/p(θ))}

θ   position: where the chain is
θ′  proposal: a point nearby, which may become the next position
Σ   adapt: the covariance of all positions of the chain so far
ε   a little more variance, so that proposals never lie on a line
L   adapt: the root of that matrix: it stretches and slants the noise
ξ   noise: a standard normal number for each coordinate
d   the number of coordinates
p   the density, which need not integrate to 1
"""
import numpy as np


def start(theta, target, rng):
    return np.array([theta]), 0


def step(theta, past, k, alpha, target, rng, begin=200, until=None, epsilon=1e-6):
    # noise: Draw a random number for each coordinate: normal noise, most often near 0.
    noise = rng.standard_normal(theta.shape)
    # adapt: Give the noise the covariance of the past; in the first steps there is too little of it.
    if k < begin:
        noise = np.sqrt(2 * alpha) * noise
    else:
        covariance = np.atleast_2d(np.cov(past, rowvar=False)) + epsilon * np.eye(len(theta))
        noise = 2.38 / np.sqrt(len(theta)) * np.linalg.cholesky(covariance) @ noise
    # proposal: Propose the point that this leads to.
    proposal = theta + noise
    # ratio: Compare how likely the two points are.
    log_ratio = target.log_density(proposal) - target.log_density(theta)
    # decision: Accept with this probability, else stay.
    accepted = np.log(rng.random()) < log_ratio
    # move: Go to the proposal, or count the old position once more.
    theta = proposal if accepted else theta
    # adapt: Remember the position, also one that is counted once more, until the adaptation ends.
    if until is None or k < until:
        past = np.vstack([past, theta])
    return theta, past, k + 1
