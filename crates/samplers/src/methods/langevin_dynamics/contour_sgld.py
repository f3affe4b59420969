"""Steps of SGLD that learn how probable each level of energy is, and leave levels where they have been too often.

    θ ← θ + {gradient: α f ĝ} + {noise: √(2α) ξ},  {gradient: f = 1 + ζ (log wⱼ − log wⱼ₋₁)/Δu}
    wᵢ ← wᵢ + {adapt: ω Ψ^ζ (1[i = j] − wᵢ)},  ω = min(1, c/(k^κ + 100))
    weight of a draw = {adapt: (m Ψ)^ζ}

θ   position: where the chain is
ĝ   gradient: an estimate of the slope of log p at θ
f   gradient: the factor of the slope; below 0 the chain climbs out of a mode
wⱼ  adapt: the learnt probability of bin j, the bin of the energy −log p(θ)
Ψ   the learnt probability at an energy, joined by straight lines of its logarithm
ζ   how much of the differences between energies is taken away
Δu  the width of a bin of energy
m   the number of bins
ω   how much step k learns, less and less: c and κ are numbers to be chosen
ξ   noise: a standard normal number for each coordinate
"""
import numpy as np


def start(theta, target, rng, bins=40):
    return np.full(bins, 1 / bins), 0, 1.0


def look_up(energy, w, bin_width, lowest):
    """The bin of an energy, log Ψ there, and how fast log Ψ rises with the energy."""
    level = (energy - lowest) / bin_width
    if level < 1:
        return 0, np.log(w[0]), 0.0
    if level >= len(w):
        return len(w) - 1, np.log(w[-1]), 0.0
    j = int(level)
    rise = np.log(w[j]) - np.log(w[j - 1])
    return j, np.log(w[j - 1]) + rise * (level - j), rise / bin_width


def step(theta, w, k, weight, alpha, target, rng, flattening=0.75, bin_width=0.25, lowest=0.0, gain=10.0, exponent=0.8):
    # position: Compute the energy where the chain is, counted from the top of the highest mode.
    energy = target.highest - target.log_density(theta)
    # gradient: Estimate the slope, times a factor that is small or negative where the chain has been too often.
    _, _, rise = look_up(energy, w, bin_width, lowest)
    slope = (1 + flattening * rise) * target.gradient(theta)
    # noise: Draw a random number for each coordinate: normal noise, most often near 0.
    noise = np.sqrt(2 * alpha) * rng.standard_normal(theta.shape)
    # move: Move by α times the slope, and add the noise.
    theta = theta + alpha * slope + noise
    # adapt: Weigh the draw, so that weighted draws come from p and not from the flattened density.
    energy = target.highest - target.log_density(theta)
    j, log_psi, _ = look_up(energy, w, bin_width, lowest)
    weight = (len(w) * np.exp(log_psi)) ** flattening
    # adapt: Make the bin of the new energy more probable and all others less, ever less as time goes on.
    k = k + 1
    rate = min(1, gain / (k**exponent + 100)) * np.exp(flattening * log_psi)
    visited = np.arange(len(w)) == j
    w = np.maximum(w + rate * (visited - w), 1e-100)
    return theta, w, k, weight
