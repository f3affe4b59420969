"""Proposes a random step in each coordinate; the slope only chooses its sign, so that no step is too long.

    wᵢ = {noise: zᵢ} with probability {gradient: 1/(1 + exp(−zᵢ gᵢ))}, else −zᵢ
    {proposal: θ′} = θ + w
    accepted with probability {ratio: min(1, r)},  r = p(θ′)/p(θ) · ∏ᵢ (1 + exp(−wᵢ gᵢ))/(1 + exp(wᵢ g′ᵢ))

θ   position: where the chain is
θ′  proposal: a point which may become the next position
zᵢ  noise: a normal number of variance 2α for coordinate i
gᵢ  gradient: the slope of log p at θ along coordinate i; g′ᵢ is that at θ′
wᵢ  proposal: the step along coordinate i
p   the density, which need not integrate to 1
"""
import numpy as np


def step(theta, alpha, target, rng):
    # gradient: Compute the slope of log p where the chain is.
    slope = target.full_gradient(theta)
    # noise: Draw the size of a step for each coordinate.
    z = np.sqrt(2 * alpha) * rng.standard_normal(theta.shape)
    # gradient: Choose the sign at random: the steeper the slope, the more often uphill.
    keeps_sign = rng.random(theta.shape) < 1 / (1 + np.exp(-z * slope))
    # proposal: Propose the point that these steps lead to.
    w = np.where(keeps_sign, z, -z)
    proposal = theta + w
    # ratio: Compare how likely the two points are.
    log_ratio = target.log_density(proposal) - target.log_density(theta)
    # ratio: Correct for the signs, which are chosen by another slope on the way back.
    back = target.full_gradient(proposal)
    log_ratio += np.sum(np.log1p(np.exp(-w * slope)) - np.log1p(np.exp(w * back)))
    # decision: Accept with this probability, else stay.
    accepted = np.log(rng.random()) < log_ratio
    # move: Go to the proposal, or count the old position once more.
    return proposal if accepted else theta
