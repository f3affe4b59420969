"""Fits a Gaussian: every step mixes its parameters with a noisy guess of the best ones.

    θₖ = {position: m} + C {noise: ξₖ},  {gradient: ḡ} = mean of ∇log p(θₖ),  {gradient: Λ̂} = mean of −∇²log p(θₖ)
    {estimate: λ̂ = (ḡ + Λ̂ m, Λ̂)}
    {fit: λ} ← (1 − {adapt: ρ}) λ + ρ λ̂

λ   fit: the Gaussian N(m, Λ⁻¹) in its natural parameters (Λm, Λ)
Λ   fit: the precision, the inverse of the covariance
m   position: the mean
C   a root of the covariance: CCᵀ = Λ⁻¹
ξₖ  noise: a standard normal number for each coordinate of draw k
ḡ   gradient: the mean slope of log p at the draws
Λ̂   gradient: its mean curvature there: how fast the slope falls
λ̂   estimate: the intermediate estimate: the Gaussian whose log density has this slope and this curvature
ρ   the step size: the weight of the estimate, which falls from step to step
"""
import numpy as np


def start(theta, initial_sd=1.0):
    """λ of a round Gaussian."""
    precision = np.eye(len(theta)) / initial_sd**2
    return precision @ theta, precision


def moments(lam):
    """Mean and covariance of the Gaussian."""
    covariance = np.linalg.inv(lam[1])
    return covariance @ lam[0], covariance


def step(lam, rho, target, rng, draws_per_step=10):
    # position: Take the mean and the covariance of the Gaussian as it is.
    shift, precision = lam
    covariance = np.linalg.inv(precision)
    mean = covariance @ shift
    # noise: Draw a few points from it: standard normal numbers, stretched by C and moved to m.
    xi = rng.standard_normal((draws_per_step, len(mean)))
    points = mean + xi @ np.linalg.cholesky(covariance).T
    # gradient: Average the slope of log p over the draws, and the curvature: how fast the slope falls.
    slope = np.mean([target.gradient(point) for point in points], axis=0)
    curvature = np.mean([-target.hessian(point) for point in points], axis=0)
    # estimate: A Gaussian with this slope and curvature is the guess. It is noisy, because the draws are few.
    estimate = slope + curvature @ mean, curvature
    # adapt: Take a smaller step where the new precision would not be positive: no Gaussian has such a one.
    while np.linalg.eigvalsh((1 - rho) * precision + rho * estimate[1])[0] <= 0:
        rho = rho / 2
    # fit: Mix old and new. As ρ falls, the noise averages out.
    shift = (1 - rho) * shift + rho * estimate[0]
    precision = (1 - rho) * precision + rho * estimate[1]
    # move: The new mean of the Gaussian follows from both: it is the point that moves on the canvas.
    return shift, precision
