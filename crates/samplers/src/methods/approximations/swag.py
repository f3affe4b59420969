"""Walks around a peak by noisy gradient steps, and takes the Gaussian with the moments of the walk.

    θ ← θ + {gradient: α ĝ}
    {estimate: θ̄} = mean of the collected θ,  {adapt: D} = their variances
    {fit: q = N(θ̄, ½ diag(D) + ½ C)},  C = covariance of the last K deviations from θ̄

θ  position: where the walk is
α  the step size; it stays the same, so that the walk never comes to rest
ĝ  gradient: an estimate of the slope of log p at θ, with a new error in every step
θ̄  estimate: the mean of every tenth θ after a burn-in
D  the variances of the same θ, one for each coordinate
C  how the coordinates go together
K  the number of deviations that are kept, 20
q  fit: the approximation; its width is that of the walk, which depends on α and on the errors
"""
import numpy as np


def start(theta):
    """θ, the number of steps, how many θ are collected, their mean, their sum of squared deviations, the last deviations."""
    return theta, 0, 0, np.zeros_like(theta), np.zeros_like(theta), []


def step(state, alpha, target, burn_in=500, every=10, rank=20):
    # position: Take the walk where it is, and what has been collected of it.
    theta, t, collected, mean, scatter, deviations = state
    # gradient: Go uphill along an estimate of the slope of log p. Its errors keep the walk going.
    theta = theta + alpha * target.gradient(theta)
    # data: After the burn-in collect every tenth position.
    t = t + 1
    if t > burn_in and (t - burn_in) % every == 0:
        # estimate: Move the mean of the collected positions by its share of the new one.
        collected, before = collected + 1, theta - mean
        mean = mean + before / collected
        # adapt: Update their variances, and keep the newest deviations from the mean.
        scatter = scatter + before * (theta - mean)
        deviations = (deviations + [theta - mean])[-rank:]
    # move: The mean is what is drawn; before anything is collected it is the walk itself.
    return theta, t, collected, mean, scatter, deviations


def finish(state):
    # fit: Half of the covariance are the variances; the other half tells how the coordinates go together.
    _, _, collected, mean, scatter, deviations = state
    columns = np.array(deviations).T
    together = columns @ columns.T / (len(deviations) - 1)
    return mean, np.diag(scatter / collected) / 2 + together / 2
