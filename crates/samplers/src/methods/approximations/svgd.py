"""Moves many particles together: slopes draw them uphill, and they push each other apart.

    {move: θᵢ} ← {position: θᵢ} + {gradient: α mean(kᵢⱼ ĝⱼ)} + {carried: α mean(kᵢⱼ (θᵢ − θⱼ))/h²}, means over j
    kᵢⱼ = exp(−‖θᵢ − θⱼ‖²/(2{adapt: h²}))

θᵢ   position: where particle i is
α    the step size
ĝⱼ   gradient: the slope of log p at particle j; it points uphill
kᵢⱼ  how near particles i and j are: 1 at the same point, almost 0 far apart
h    the distance at which particles count as near; it is chosen anew in every step
"""
import numpy as np


def step(theta, alpha, target):
    # position: Take the distance of every particle from every other one.
    n = len(theta)
    apart = theta[:, None] - theta[None, :]
    squares = np.sum(apart**2, axis=2)
    # adapt: Choose h by the median distance, so that it suits particles close together and far apart.
    median = np.median(np.sqrt(squares[np.triu_indices(n, k=1)]))
    width = median**2 / (2 * np.log(n + 1)) or 1.0  # h²
    kernel = np.exp(-squares / (2 * width))
    # gradient: Draw every particle uphill, by the slopes at the particles near it.
    slopes = np.array([target.gradient(particle) for particle in theta])
    draw = kernel @ slopes / n
    # carried: Push every particle away from those near it, so that they do not all end at the peak.
    push = np.sum(kernel[:, :, None] * apart, axis=1) / (n * width)
    # move: Move all particles at once. Nothing is random but where they start.
    return theta + alpha * (draw + push)
