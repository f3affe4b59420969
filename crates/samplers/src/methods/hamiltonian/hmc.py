"""Gives the chain a push in a random direction, lets it roll for a while, and proposes where it ends.

    r = {noise: ξ}
    L times: r ← r + {gradient: (h/2) ∇log p(θ′)},  {path: θ′ ← θ′ + h r},  r ← r + {gradient: (h/2) ∇log p(θ′)}
    {proposal: θ′} accepted with probability {ratio: min(1, exp(H − H′))},  H = ½ r·r − log p

θ′         proposal: where the path is; it begins at the position of the chain, and its end is proposed
r          carried: the momentum
ξ          noise: a standard normal number for each coordinate
h          the time of a leapfrog step
L          the number of leapfrog steps
∇log p     gradient: the slope of log p; it pulls uphill
H          ratio: the energy at the start of the path; H′ is that at its end, nearly the same if h is small
"""
import numpy as np


def step(theta, h, target, rng, leapfrog_steps=20, metropolis=True):
    # noise: Draw a new momentum: a push in a random direction.
    r = rng.standard_normal(theta.shape)
    before = r @ r / 2 - target.log_density(theta)
    # path: Begin at the position of the chain, and take L leapfrog steps.
    proposal = theta
    for _ in range(leapfrog_steps):
        # gradient: Let the slope pull the momentum uphill for half a step.
        r = r + h / 2 * target.gradient(proposal)
        # path: Move along the momentum for a whole step.
        proposal = proposal + h * r
        # gradient: Let the slope at the new point pull for the other half.
        r = r + h / 2 * target.gradient(proposal)
    # proposal: Propose the end of the path.
    after = r @ r / 2 - target.log_density(proposal)
    # ratio: Compare the energies: the path would keep them equal if its steps were infinitely small.
    log_ratio = before - after
    # decision: Accept with this probability, else stay.
    accepted = not metropolis or np.log(rng.random()) < log_ratio
    # move: Go to the end of the path, or count the old position once more.
    return proposal if accepted else theta
