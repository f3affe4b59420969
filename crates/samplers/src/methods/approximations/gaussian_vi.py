"""Fits a Gaussian by climbing a bound that is the higher, the more alike the Gaussian and the target are.

    θₖ = {position: μ} + σ {noise: ξₖ},  {gradient: gₖ = ∇log p(θₖ)}
    {estimate: u} = (mean of gₖ, 1 + mean of σ gₖ ξₖ)
    {fit: (μ, log σ)} ← (μ, log σ) + η m̂/(√v̂ + 10⁻⁸),  {adapt: m̂, v̂} = averages of u and u² over the steps

μ   position: the mean of the Gaussian
σ   its standard deviation, one for each coordinate
ξₖ  noise: a standard normal number for each coordinate of draw k
gₖ  gradient: the slope of log p at draw k
u   estimate: how the bound rises with μ, and how with log σ; the 1 rewards a wide Gaussian
η   the learning rate: about how far μ and log σ move in a step
"""
import numpy as np


def start(theta, initial_sd=1.0):
    """μ and log σ, the averages of u and of u², and the number of steps."""
    parameters = np.concatenate([theta, np.full(len(theta), np.log(initial_sd))])
    return parameters, np.zeros_like(parameters), np.zeros_like(parameters), 0


def moments(state):
    """Mean and covariance of the Gaussian."""
    mean, log_sd = np.split(state[0], 2)
    return mean, np.diag(np.exp(log_sd) ** 2)


def step(state, eta, target, rng, draws_per_step=10, beta1=0.9, beta2=0.999):
    # position: Take the mean and the standard deviations of the Gaussian as it is.
    parameters, m, v, t = state
    mean, log_sd = np.split(parameters, 2)
    sd = np.exp(log_sd)
    # noise: Draw a few points from it: standard normal numbers, stretched by σ and moved to μ.
    xi = rng.standard_normal((draws_per_step, len(mean)))
    points = mean + sd * xi
    # gradient: Take the slope of log p at every draw.
    slopes = np.array([target.gradient(point) for point in points])
    # estimate: Average over the draws: this is how the bound rises with μ, and how with log σ.
    by_mean = np.mean(slopes, axis=0)
    by_log_sd = 1 + np.mean(sd * slopes * xi, axis=0)
    u = np.concatenate([by_mean, by_log_sd])
    # adapt: Average over the steps too (Adam), so that noise cancels. The squares tell the usual size of u.
    t = t + 1
    m = beta1 * m + (1 - beta1) * u
    v = beta2 * v + (1 - beta2) * u**2
    average, square = m / (1 - beta1**t), v / (1 - beta2**t)
    # fit: Go uphill. Divided by its usual size, every parameter moves by about η.
    parameters = parameters + eta * average / (np.sqrt(square) + 1e-8)
    # move: The new mean, which is what is drawn, is the first half of them.
    return parameters, m, v, t
