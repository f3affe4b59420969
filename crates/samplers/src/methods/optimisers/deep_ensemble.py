"""Trains several members from independent random starts; their spread stands for uncertainty.

    {position: θᵢ} starts at a draw from the prior
    mᵢ ← {carried: β₁ mᵢ} + {gradient: (1 − β₁) ĝᵢ},  vᵢ ← {adapt: β₂ vᵢ + (1 − β₂) ĝᵢ²}
    θᵢ ← θᵢ + {move: η m̂ᵢ/(√v̂ᵢ + 10⁻⁸)}

θᵢ  position: member number i
η   the learning rate: about how far a coordinate moves in a step
ĝᵢ  gradient: an estimate of the slope of log p at the member
mᵢ  carried: the average of recent slopes; m̂ᵢ takes back that it began at 0
vᵢ  adapt: the average of their squares; v̂ᵢ takes back that it began at 0
β₁  the share of mᵢ that is kept from step to step
β₂  the share of vᵢ that is kept from step to step
"""
import numpy as np


def start(theta, target, rng):
    return np.zeros_like(theta), np.zeros_like(theta), 0


def step(theta, m, v, t, eta, target, rng, beta1=0.9, beta2=0.999):
    # position: Members are the rows of theta; none of them sees another.
    members = theta
    # gradient: Estimate the slope of log p at each member.
    slope = np.array([target.gradient(member) for member in members])
    # carried: Keep most of the average of past slopes, and add a little of the new one.
    m = beta1 * m + (1 - beta1) * slope
    # adapt: Average the squares too: they tell how large the slope of each coordinate usually is.
    v = beta2 * v + (1 - beta2) * slope**2
    # adapt: Correct both averages for their start at 0, which matters in the first steps.
    t = t + 1
    mean, square = m / (1 - beta1**t), v / (1 - beta2**t)
    # move: Divide by the usual size, so that every coordinate moves by about η.
    return theta + eta * mean / (np.sqrt(square) + 1e-8), m, v, t
