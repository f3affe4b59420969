"""A step uphill with noise is only a proposal; rejecting some of them makes the draws exact.

    {proposal: θ′} = θ + {gradient: α ĝ(θ)} + {noise: √(2α) ξ}
    accepted with probability {ratio: min(1, p(θ′) q(θ|θ′) / (p(θ) q(θ′|θ)))}

θ   position: where the chain is
θ′  proposal: a point uphill of θ, more or less, which may become the next position
α   the step size
ĝ   gradient: an estimate of the slope of log p
ξ   noise: a standard normal number for each coordinate
p   the density, which need not integrate to 1
q   ratio: the density of proposals, from the second point to the first
"""
import numpy as np


def log_q(to, start, slope, alpha):
    """The log density of the proposal `to`, up to a constant."""
    return -np.sum((to - start - alpha * slope) ** 2) / (4 * alpha)


def step(theta, alpha, target, rng):
    # gradient: Estimate the slope of log p where the chain is.
    slope = target.gradient(theta)
    # noise: Draw a random number for each coordinate: normal noise, most often near 0.
    noise = np.sqrt(2 * alpha) * rng.standard_normal(theta.shape)
    # proposal: Propose the point that a Langevin step would go to.
    proposal = theta + alpha * slope + noise
    # gradient: Estimate the slope there, from the same data: it decides how likely the way back is.
    slope_there = target.gradient_again(proposal)
    # ratio: Compare how likely the two points are.
    log_ratio = target.log_density(proposal) - target.log_density(theta)
    # ratio: Correct for the proposal, which goes uphill more often than it comes back.
    log_ratio += log_q(theta, proposal, slope_there, alpha) - log_q(proposal, theta, slope, alpha)
    # decision: Accept with this probability, else stay.
    accepted = np.log(rng.random()) < log_ratio
    # move: Go to the proposal, or count the old position once more.
    return proposal if accepted else theta
