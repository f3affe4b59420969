"""Climbs to the nearest peak, and takes the Gaussian that has the same peak and the same curvature there.

    {proposal: δ} = {estimate: H}⁻¹ {gradient: g}
    {move: θ} ← θ + {decision: s} δ, until θ is at a peak θ*
    {fit: q = N(θ*, H⁻¹)}

θ   position: where the climb is
g   gradient: the slope of log p at θ
H   estimate: the curvature of log p at θ: how fast the slope falls, −∇²log p(θ)
δ   proposal: the step to the top of the parabola with this slope and curvature (Newton's method)
s   decision: the share of δ that is taken: 1, or ½, ¼, … where δ leads too far
q   fit: the approximation: a normal distribution around the peak
"""
import numpy as np


def step(theta, target):
    # gradient: Take the slope of log p, in units of the picture: its width and its height are 1.
    unit = target.view_max - target.view_min
    slope = unit * target.gradient(theta)
    # estimate: Take the curvature, and its values along the axes of the ellipse that it describes.
    sizes, axes = np.linalg.eigh(-np.outer(unit, unit) * target.hessian(theta))
    peaked = sizes.min() > max(1e-6, 1e-14 * sizes.max())
    if not peaked:  # Near a saddle, go uphill along every axis all the same.
        sizes = np.maximum(np.abs(sizes), max(1e-6, 1e-6 * np.abs(sizes).max()))
    # proposal: Aim at the top of the parabola with this slope and curvature, at most a picture away.
    delta = axes @ (axes.T @ slope / sizes)
    middle = (target.view_min + target.view_max) / 2
    outside = max(np.max(np.abs(theta - middle) / unit) - 0.5, 0)
    delta = delta / max(1, np.max(np.abs(delta)) / (outside + (1 if peaked else 0.25)))
    # decision: Halve the step until log p rises by at least a little of what the slope promises.
    here = target.log_density(theta)
    rounding = 64 * np.finfo(float).eps * abs(here)
    share = 1.0
    while not target.log_density(theta + share * unit * delta) >= here + 1e-4 * share * slope @ delta - rounding:
        share /= 2
    # move: Go there. At a peak the slope is 0, and the climb rests.
    return theta + share * unit * delta


def finish(theta, target):
    # fit: The flatter the peak, the wider the Gaussian: its covariance is the inverse of the curvature.
    return theta, np.linalg.inv(-target.hessian(theta))
