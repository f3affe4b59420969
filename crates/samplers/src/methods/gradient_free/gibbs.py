"""Draws one coordinate at a time from its distribution given the other one; nothing is rejected.

    {move: x} ~ {noise: p(x | y)}, then {move: y} ~ {noise: p(y | x)}
    without a closed form: {move: x} ~ uniform where {ratio: log p(x, y) > log p of before + log u}

x  move: the first coordinate, drawn while y stays
y  move: the second coordinate, drawn while x stays
p  the density; p(x | y) is that of x where y is known
u  ratio: a uniform number between 0 and 1
"""
import numpy as np


def step(theta, target, rng, scan="systematic", width=2.0, most_widths=10, most_tries=20):
    theta, normals = theta.copy(), rng.standard_normal(theta.shape)
    for number in range(len(theta)):
        pick, height, offset, share, *tries = rng.random(4 + most_tries)
        # position: Choose a coordinate: one after the other, or one at random.
        axis = int(pick * len(theta)) if scan == "random" else number
        # noise: Draw it from its distribution given the other one, where that has a closed form.
        x = theta[axis]
        drawn = target.conditional_draw(theta, axis, height, normals[number])
        if drawn is None:
            # ratio: Else draw a level below log p: the slice is where log p lies above it.
            log_p = lambda x: target.log_density(np.where(np.arange(len(theta)) == axis, x, theta))
            level = log_p(x) + np.log(height)
            # path: Lay an interval around the coordinate, and extend both ends until they are outside the slice.
            low = x - width * offset
            high = low + width
            widths_below = int(share * most_widths)
            widths_above = most_widths - 1 - widths_below
            while widths_below > 0 and log_p(low) > level:
                low, widths_below = low - width, widths_below - 1
            while widths_above > 0 and log_p(high) > level:
                high, widths_above = high + width, widths_above - 1
            # proposal: Try points of the interval; one outside the slice becomes a new end of it.
            drawn = x
            for uniform in tries:
                tried = low + uniform * (high - low)
                if log_p(tried) > level:
                    drawn = tried
                    break
                low, high = (tried, high) if tried < x else (low, tried)
        # move: Move this coordinate there; the other one stays.
        theta[axis] = drawn
    return theta
