"""Trains a network whose hidden units are switched off at random, and predicts with units switched off as well.

    {noise: zᵢᵤ} = 0 with probability p, else 1/(1 − p)
    ĝ = ∇log prior(θ) + sum over data i of ∇log p(yᵢ | xᵢ, θ, zᵢ)
    m ← {carried: β₁ m} + {gradient: (1 − β₁) ĝ},  v ← {adapt: β₂ v + (1 − β₂) ĝ²}
    θ ← θ + {move: η m̂/(√v̂ + 10⁻⁸)},  m̂ = m/(1 − β₁ᵗ),  v̂ = v/(1 − β₂ᵗ)

θ    position: all weights of the network
zᵢᵤ  noise: what hidden unit u is multiplied by when the network sees datum i
p    the dropout rate: the probability with which a unit is switched off
ĝ    gradient: the slope of the log posterior of the thinned network
η    the learning rate: about how far a weight moves in a step
m    carried: the average of recent slopes
v    adapt: the average of their squares, which tells their usual size
β₁   the share of m that is kept from step to step
β₂   the share of v that is kept from step to step
t    the number of the step; m̂ and v̂ take back that both averages began at 0
"""
import numpy as np


def masks(target, count, rate, rng):
    """A row for each datum: what its weights are multiplied by. `target.unit_behind` has the hidden unit behind a weight, or −1."""
    kept = rng.random((count, target.hidden_units)) < 1 - rate
    z = kept / (1 - rate)
    return np.where(target.unit_behind < 0, 1.0, z[:, target.unit_behind])


def start(theta):
    """The weights, the averages of slopes and of their squares, and the number of steps."""
    return theta, np.zeros_like(theta), np.zeros_like(theta), 0


def step(state, eta, target, rng, rate=0.1, beta1=0.9, beta2=0.999):
    # position: Take the weights as they are.
    theta, m, v, t = state
    # noise: Switch every hidden unit off with probability p, for every datum anew.
    z = masks(target, target.count, rate, rng)
    # gradient: Take the slope of the log posterior. A unit that is off passes nothing on, forward or back.
    slope = target.prior_gradient(theta)
    for i in range(target.count):
        slope = slope + z[i] * target.datum_gradient(z[i] * theta, i)
    # carried: Keep most of the average of past slopes (Adam), so that the noise cancels.
    t = t + 1
    m = beta1 * m + (1 - beta1) * slope
    # adapt: Average the squares too: they tell how large the slope of each weight usually is.
    v = beta2 * v + (1 - beta2) * slope**2
    # move: Divide by the usual size, so that every weight moves by about η.
    average, square = m / (1 - beta1**t), v / (1 - beta2**t)
    return theta + eta * average / (np.sqrt(square) + 1e-8), m, v, t


def draw(state, target, rng, rate=0.1):
    # fit: To predict, switch units off again. Each choice of units gives a function, and their spread is the uncertainty.
    return state[0] * masks(target, 1, rate, rng)[0]
