"""SGLD on the 25 Gaussians in numba, written so that LLVM turns it into vector code.

The layout is that of Sampler Lab's own engine: chains in blocks, one array per quantity, and elementary functions as
polynomials without branches, so that every instruction processes 4 or 8 chains. Usual numba code looks different. This
file shows the limit of the machine when the compiler may fuse multiplications with additions and all draws are kept.
"""

import math

import numba
import numpy as np

SPACING, VARIANCE = 2.0, 0.03
SHIFT = 1.5 * 2.0**52  # Adding it rounds to an integer and leaves that in the low bits.
WORD = np.uint64


def kernel(alpha, lanes, contract):
    """A function (states[4, chains], starts[2, chains], out[blocks, steps, 2, lanes], steps)."""
    flags = {"contract"} if contract else False
    jit = numba.njit(fastmath=flags, inline="always", error_model="numpy")
    exp_terms = tuple(1 / math.factorial(n) for n in range(12, -1, -1))
    log_terms = tuple(2 / n for n in range(21, 1, -2))
    sin_terms = tuple((-1) ** n / math.factorial(2 * n + 1) for n in range(7, 0, -1))
    cos_terms = tuple((-1) ** n / math.factorial(2 * n) for n in range(8, 0, -1))

    @jit
    def polynomial(terms, x):
        value = terms[0]
        for term in terms[1:]:
            value = value * x + term
        return value

    @jit
    def exp(x):
        shifted = min(max(x, -700.0), 700.0) * (1 / math.log(2)) + SHIFT
        k = shifted - SHIFT
        r = (x - k * 0.6931467056274414) - k * 4.7493250390316726e-07
        exponent = np.float64(shifted).view(np.int64) << 52
        return np.int64(np.float64(polynomial(exp_terms, r)).view(np.int64) + exponent).view(np.float64)

    @jit
    def log(u):
        bits = np.float64(u).view(np.int64)
        e = (bits - 0x3FE6A09E667F3BCD) >> 52  # The mantissa is taken from [1/sqrt 2, sqrt 2).
        f = np.int64(bits - (e << 52)).view(np.float64) - 1.0
        s = f / (2.0 + f)
        z = s * s
        k = np.int64(e + 0x4338000000000000).view(np.float64) - SHIFT
        return k * math.log(2) + (2.0 * s + s * z * polynomial(log_terms, z))

    @jit
    def gradient(x):
        nearest = min(max((x * (1 / SPACING) + SHIFT) - SHIFT, -2.0), 2.0) * SPACING
        e = x - nearest
        up = exp(SPACING * (e - SPACING / 2) * (1 / VARIANCE))
        down = exp(-SPACING * (e + SPACING / 2) * (1 / VARIANCE))
        up = up if nearest < 2 * SPACING else 0.0
        down = down if nearest > -2 * SPACING else 0.0
        return (-e + SPACING * (up - down) / (1 + up + down)) * (1 / VARIANCE)

    @jit
    def word(a, d):
        """The next word of xoshiro256++."""
        sum = a + d
        return ((sum << WORD(23)) | (sum >> WORD(41))) + a

    @jit
    def mantissa(word):
        return WORD((word >> WORD(12)) | WORD(0x3FF0000000000000)).view(np.float64)

    @jit
    def advanced(a, b, c, d):
        t = b << WORD(17)
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        return a, b, c ^ t, (d << WORD(45)) | (d >> WORD(19))

    @jit
    def box_muller(v, w):
        radius = math.sqrt(-2.0 * log(2.0 - v))
        shifted = (w - 1.0) * 4.0 + SHIFT
        r = ((w - 1.0) - (shifted - SHIFT) * 0.25) * (2 * math.pi)
        z = r * r
        sine = r + r * z * polynomial(sin_terms, z)
        cosine = 1.0 + z * polynomial(cos_terms, z)
        quadrant = np.float64(shifted).view(np.int64)
        odd = (quadrant & 1) != 0
        c = sine if odd else cosine
        s = cosine if odd else sine
        c = np.int64(np.float64(c).view(np.int64) ^ (((quadrant + 1) & 2) << 62)).view(np.float64)
        s = np.int64(np.float64(s).view(np.int64) ^ ((quadrant & 2) << 62)).view(np.float64)
        return radius * c, radius * s

    @numba.njit(fastmath=flags, parallel=True, error_model="numpy")
    def grid(states, starts, out, steps):
        noise = math.sqrt(2 * alpha)
        for block in numba.prange(out.shape[0]):
            own = slice(block * lanes, (block + 1) * lanes)
            a, b, c, d = states[0, own].copy(), states[1, own].copy(), states[2, own].copy(), states[3, own].copy()
            x, y = starts[0, own].copy(), starts[1, own].copy()
            v, w = np.empty(lanes), np.empty(lanes)
            for step in range(steps):
                for i in range(lanes):
                    p, q, r, s = a[i], b[i], c[i], d[i]
                    v[i] = mantissa(word(p, s))
                    p, q, r, s = advanced(p, q, r, s)
                    w[i] = mantissa(word(p, s))
                    a[i], b[i], c[i], d[i] = advanced(p, q, r, s)
                for i in range(lanes):
                    n, m = box_muller(v[i], w[i])
                    x[i] += alpha * gradient(x[i]) + noise * n
                    y[i] += alpha * gradient(y[i]) + noise * m
                for i in range(lanes):
                    out[block, step, 0, i] = x[i]
                for i in range(lanes):
                    out[block, step, 1, i] = y[i]
            states[0, own], states[1, own], states[2, own], states[3, own] = a, b, c, d

    return grid
