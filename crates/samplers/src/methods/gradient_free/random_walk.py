"""Proposes a point nearby, and goes there if it is likely enough.

    {proposal: θ′} = {position: θ} + {noise: √(2α) ξ}
    accepted with probability {ratio: min(1, p(θ′)/p(θ))}

θ   position: where the chain is
θ′  proposal: a point nearby, which may become the next position
α   the size of the step
ξ   noise: a standard normal number for each coordinate
p   the density, which need not integrate to 1
"""
import numpy as np


def step(theta, alpha, target, rng):
    # position: Know the present position, and how high the density is there.
    here = target.log_density(theta)
    # noise: Draw a random number for each coordinate: normal noise, most often near 0.
    noise = np.sqrt(2 * alpha) * rng.standard_normal(theta.shape)
    # proposal: Propose the point that this leads to.
    proposal = theta + noise
    # ratio: Compare how likely the two points are.
    log_ratio = target.log_density(proposal) - here
    # decision: Accept with this probability, else stay.
    accepted = np.log(rng.random()) < log_ratio
    # move: Go to the proposal, or count the old position once more.
    return proposal if accepted else theta
