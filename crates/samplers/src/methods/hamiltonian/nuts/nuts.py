"""Lets the chain roll back and forth along a path that doubles until its ends turn back, and draws one of its points.

    r = {noise: ξ}
    r ← r + {gradient: (h/2) ∇log p(θ)},  {path: θ ← θ + h r},  r ← r + {gradient: (h/2) ∇log p(θ)}
    the path ends where {path: ρ·r₋ > 0 and ρ·r₊ > 0} no longer holds
    a point is drawn with probability ∝ {decision: exp(−H)},  {ratio: H = ½ r·r − log p}

θ       position: a point of the path, which begins where the chain is
r       carried: the momentum at this point
ξ       noise: a standard normal number for each coordinate
h       the time of a leapfrog step; with −h the path goes back in time
∇log p  gradient: the slope of log p; it pulls uphill
ρ       path: the sum of all momenta along the path, which points from its start to its end
r₋      path: the momentum at the start of the path; r₊ is that at its end
H       ratio: the energy at a point, nearly the same along the path
"""
import numpy as np

# The adaptation of step size and mass matrix during a warm-up is left out: the mass is 1.


def leapfrog(point, h, target):
    theta, r, slope = point
    r = r + h / 2 * slope
    theta = theta + h * r
    slope = target.full_gradient(theta)
    return theta, r + h / 2 * slope, slope


def energy(point, target):
    theta, r, _ = point
    return r @ r / 2 - target.log_density(theta)


def turns(a, b):
    """Whether two neighbouring parts of a path, as (first momentum, last momentum, sum of momenta), turn back together."""
    whole = (a[2] + b[2], a[0], b[1])
    across = (a[2] + b[0], a[0], b[0]), (a[1] + b[2], a[1], b[1])
    return not all(rho @ first > 0 and rho @ last > 0 for rho, first, last in (whole, *across))


def step(theta, h, target, rng, max_depth=10):
    # noise: Draw a new momentum: a push in a random direction.
    r = rng.standard_normal(theta.shape)
    begin = (theta, r, target.full_gradient(theta))
    # path: Begin a path of one point, whose two ends are the same; that point is the draw so far.
    ends, total, log_weight, draw = [begin, begin], r, 0.0, theta
    for depth in range(max_depth):
        direction, within, taken = rng.random(3)
        # path: Toss a coin: make the path twice as long at its end, or at its start, back in time.
        forward = bool(direction < 0.5)
        point, parts, log_new = ends[forward], [], -np.inf
        for leaf in range(2**depth):
            # gradient: Let the slope pull the momentum and the momentum move the point: a leapfrog step.
            point = leapfrog(point, h if forward else -h, target)
            # ratio: Compare the energy with that at the start; if it explodes, the new half does not count.
            error = energy(point, target) - energy(begin, target)
            if not error <= 1000:
                return draw
            # decision: Let the point take the place of the new half's candidate by its share of the weight.
            log_new = np.logaddexp(log_new, -error)
            share = np.exp(-error - log_new)
            if within < share:
                candidate, within = point[0], within / share
            else:
                within = (within - share) / (1 - share)
            # ratio: Join parts of the new half that are equally long; if one turns back, the half does not count.
            part = (point[1], point[1], point[1])
            while leaf % 2 == 1:
                before = parts.pop()
                if turns(before, part):
                    return draw
                part = (before[0], part[1], before[2] + part[2])
                leaf //= 2
            parts.append(part)
        # decision: Move the draw to the new half's candidate, always if that half has more weight.
        if taken < np.exp(log_new - log_weight):
            draw = candidate
        log_weight = np.logaddexp(log_weight, log_new)
        # path: Join the two halves, and stop where the whole path turns back.
        old = (ends[not forward][1], ends[forward][1], total)
        ends[forward], total = point, total + part[2]
        if turns(old, part):
            break
    # move: Go to the draw.
    return draw
