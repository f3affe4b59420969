"""Goes uphill, step by step, until the slope is 0: at the top of a mode.

    θ ← θ + {gradient: α ∇log p(θ)}

θ          position: where the chain is
α          the step size
∇log p(θ)  gradient: the slope of log p at θ; it points uphill
"""
# On −log p, as losses are written, the same steps go downhill: hence the name.


def step(theta, alpha, target, rng):
    # gradient: Compute the slope of log p where the chain is.
    slope = target.full_gradient(theta)
    # gradient: Take α times the slope, so that steps get shorter where the slope is gentle.
    displacement = alpha * slope
    # move: Go uphill by that much; nothing is random.
    return theta + displacement
