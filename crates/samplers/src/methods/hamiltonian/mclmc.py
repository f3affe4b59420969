"""A chain that always moves at speed 1: the slope turns its direction uphill, and noise lets it forget where it came from.

    {carried: u} ← (u + {noise: ν ξ})/‖u + ν ξ‖,  ν² = (exp(2h/L) − 1)/d
    {gradient: turn u uphill} for h/2
    θ ← θ + {path: h u}
    {gradient: turn u uphill} for h/2

θ  position: where the chain is
u  carried: the direction, of length 1
ξ  noise: a standard normal number for each coordinate
ν  the strength of the noise
h  the length of a step
L  the way after which the direction is forgotten
d  the number of coordinates, at least 2
"""
import numpy as np

LAMBDA = 0.1931833275037836  # of Omelyan, Mryglod and Folk (2003)

# Shares of h: how long the direction turns, then how far the chain moves, and so on.
SPLITTINGS = {"leapfrog": [0.5, 1, 0.5], "minimal-norm": [LAMBDA, 0.5, 1 - 2 * LAMBDA, 0.5, LAMBDA]}


def start(theta, target, rng):
    u = rng.standard_normal(theta.shape)
    return u / np.linalg.norm(u)


def turn(u, slope, time):
    """The direction after the slope has turned it for a time."""
    size = np.linalg.norm(slope)
    if size == 0:
        return u
    uphill = slope / size
    along, angle = uphill @ u, time * size / (len(u) - 1)
    u = u + uphill * (np.sinh(angle) + along * (np.cosh(angle) - 1))
    return u / np.linalg.norm(u)


def step(theta, u, h, target, rng, length=1.0, integrator="leapfrog"):
    # noise: Mix the direction with noise, so that it is forgotten after a way of about L.
    nu = np.sqrt((np.exp(2 * h / length) - 1) / len(theta))
    u = u + nu * rng.standard_normal(theta.shape)
    # carried: Give the direction the length 1 again: the chain keeps its speed.
    u = u / np.linalg.norm(u)
    first, *rest = SPLITTINGS[integrator]
    # gradient: Turn the direction uphill; a steep slope turns it faster.
    u = turn(u, target.full_gradient(theta), first * h)
    for moving, turning in zip(rest[0::2], rest[1::2]):
        # path: Move straight on in this direction.
        theta = theta + moving * h * u
        # gradient: Turn the direction by the slope at the new point.
        u = turn(u, target.full_gradient(theta), turning * h)
    # move: Stay where the path ends; no step is rejected.
    return theta, u
