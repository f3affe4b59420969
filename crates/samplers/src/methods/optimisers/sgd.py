"""Goes uphill along an estimate of the slope, which is cheap and a little wrong every time.

    θ ← θ + {gradient: α ĝ}

θ  position: where the chain is
α  the step size; it should shrink, so that the errors average out
ĝ  gradient: an estimate of the slope of log p at θ, for example from a few of the data
"""


def step(theta, alpha, target, rng):
    # gradient: Estimate the slope of log p where the chain is, with a new error every time.
    slope = target.gradient(theta)
    # gradient: Take α times the estimate: small steps also make its error small.
    displacement = alpha * slope
    # move: Go there; nothing but the error of the estimate is random.
    return theta + displacement
