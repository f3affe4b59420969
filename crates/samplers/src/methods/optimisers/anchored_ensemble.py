"""Trains several members, each pulled to a prior draw of its own and to data with noise of its own.

    {position: θᵢ} starts at θ⁰ᵢ, a draw from the prior
    ĝᵢ = ∇[ log p(y + σεᵢ | θᵢ) + log p(θᵢ − θ⁰ᵢ) ]
    mᵢ ← {carried: β₁ mᵢ} + {gradient: (1 − β₁) ĝᵢ},  vᵢ ← {adapt: β₂ vᵢ + (1 − β₂) ĝᵢ²}
    θᵢ ← θᵢ + {move: η m̂ᵢ/(√v̂ᵢ + 10⁻⁸)}

θᵢ   position: member number i
θ⁰ᵢ  carried: its anchor, a draw from the prior in the place of the prior's mean
εᵢ   carried: its own noise, a standard normal number for each datum
y    the data, with noise of standard deviation σ
ĝᵢ   gradient: the slope of what this member is to maximise
mᵢ   carried: the average of recent slopes; m̂ᵢ takes back that it began at 0
vᵢ   adapt: the average of their squares; v̂ᵢ takes back that it began at 0
η    the learning rate: about how far a coordinate moves in a step
"""
import numpy as np


def start(theta, target, rng):
    noise = rng.standard_normal((len(theta), target.data))
    return theta, noise, np.zeros_like(theta), np.zeros_like(theta), 0


def step(theta, anchor, noise, m, v, t, eta, target, rng, beta1=0.9, beta2=0.999):
    # position: Members are the rows of theta; anchor and noise of a member stay the same.
    members = zip(theta, anchor, noise)
    # gradient: Compute the slope for the data with the member's noise and the prior around its anchor.
    slope = np.array([target.anchored_gradient(*member) for member in members])
    # carried: Keep most of the average of past slopes, and add a little of the new one.
    m = beta1 * m + (1 - beta1) * slope
    # adapt: Average the squares too: they tell how large the slope of each coordinate usually is.
    v = beta2 * v + (1 - beta2) * slope**2
    # adapt: Correct both averages for their start at 0, which matters in the first steps.
    t = t + 1
    mean, square = m / (1 - beta1**t), v / (1 - beta2**t)
    # move: Divide by the usual size, so that every coordinate moves by about η.
    theta = theta + eta * mean / (np.sqrt(square) + 1e-8)
    return theta, anchor, noise, m, v, t
