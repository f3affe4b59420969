"""Runs copies of the chain on flatter densities, which cross valleys, and exchanges neighbours.

    {proposal: θ′ₖ} = θₖ + {noise: √(2αTₖ) ξ}
    accepted with probability {ratio: min(1, (p(θ′ₖ)/p(θₖ))^(1/Tₖ))}
    neighbours exchange with probability {exchange: min(1, (p(θₖ₊₁)/p(θₖ))^(1/Tₖ − 1/Tₖ₊₁))}

θₖ   position: where replica k is; the chain is the replica with T = 1
θ′ₖ  proposal: a point nearby, which may become its next position
Tₖ   the temperature of replica k: the larger it is, the flatter its density p^(1/T)
α    the size of the step of the chain; hot replicas take longer steps
ξ    noise: a standard normal number for each coordinate
p    the density, which need not integrate to 1
"""
import numpy as np

# With the option `moves` replicas can take the steps of MALA instead of those of a random walk.


def start(theta, target, rng, replicas=8):
    return np.tile(theta, (replicas - 1, 1)), 0


def step(theta, hot, first, alpha, target, rng, replicas=8, hottest=100.0):
    # position: Put the replicas in a row, from the chain to the hottest one.
    places = np.vstack([theta, hot])
    temperatures = hottest ** (np.arange(replicas) / (replicas - 1))
    for k, temperature in enumerate(temperatures):
        # noise: Draw a random number for each coordinate: normal noise, larger for hotter replicas.
        noise = np.sqrt(2 * alpha * temperature) * rng.standard_normal(theta.shape)
        # proposal: Propose the point that this leads to.
        proposal = places[k] + noise
        # ratio: Compare how likely the two points are; heat makes the difference small.
        log_ratio = (target.log_density(proposal) - target.log_density(places[k])) / temperature
        # decision: Accept with this probability, else stay.
        if np.log(rng.random()) < log_ratio:
            places[k] = proposal
    for k in range(first, replicas - 1, 2):
        # exchange: Compare two neighbours: the colder one should be where p is larger.
        rise = target.log_density(places[k + 1]) - target.log_density(places[k])
        log_ratio = (1 / temperatures[k] - 1 / temperatures[k + 1]) * rise
        # exchange: Exchange their places with this probability.
        if np.log(rng.random()) < log_ratio:
            places[[k, k + 1]] = places[[k + 1, k]]
    # move: Go on with the coldest replica as the draw; the next step tries the other neighbours.
    return places[0], places[1:], 1 - first
