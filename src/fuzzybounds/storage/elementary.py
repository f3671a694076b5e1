"""exp and log by additions and multiplications alone: the same bits on every processor.

The exponential of a mathematical library may differ in its last digit from one processor to the
next, because each gets its own variant (fused multiply-add, wide vectors).  A recursion that lets
errors grow, or a search that compares nearly equal values, turns such a digit into another result.
These functions use only operations that IEEE 754 defines to the last bit, in a fixed order, so what
is computed with them does not depend on the processor.  Their errors are below 2 units in the last
place (``tests/storage/test_elementary.py``).
"""

from __future__ import annotations

import math

import numpy as np

from fuzzybounds.storage.compilation import njit

_ROUND = 6755399441055744.0 + 1023.0  # 1.5 * 2^52 rounds to an integer; 1023 biases the exponent
_LOG2_E = 1.4426950408889634
_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10
_SQRT_HALF = 0.7071067811865476
_MANTISSA = (1 << 52) - 1
_HALF = 1022 << 52  # the exponent field of numbers from 0.5 to 1
_FROM_INTEGER = 1075 << 52  # that of 2^52, to which a small integer in the mantissa is added
_TO_EXPONENT = 4503599627370496.0 + 1022.0
LARGEST = 700.0
"""Arguments of the exponential are kept within plus and minus this."""


@njit
def _series(r):
    """Return (e^r - 1) / r for |r| <= 0.35, by the Taylor polynomial."""
    e = r * (1 / 87178291200) + 1 / 6227020800
    e = e * r + 1 / 479001600
    e = e * r + 1 / 39916800
    e = e * r + 1 / 3628800
    e = e * r + 1 / 362880
    e = e * r + 1 / 40320
    e = e * r + 1 / 5040
    e = e * r + 1 / 720
    e = e * r + 1 / 120
    e = e * r + 1 / 24
    e = e * r + 1 / 6
    e = e * r + 0.5
    return e * r + 1.0


@njit
def exp_all(values, bits):
    """Replace values by their exponentials; `bits` is room for as many int64."""
    power = bits.view(np.float64)
    for p in range(values.size):
        v = min(max(values[p], -LARGEST), LARGEST)
        biased = v * _LOG2_E + _ROUND
        power[p] = biased
        k = biased - _ROUND
        r = (v - k * _LN2_HIGH) - k * _LN2_LOW
        values[p] = _series(r) * r + 1.0
    for p in range(values.size):
        bits[p] = bits[p] << 52  # the biased integer becomes the exponent field of 2^k
    for p in range(values.size):
        values[p] *= power[p]


@njit
def exp_of(values):
    """Return the exponentials of an array's elements."""
    flat = values.flatten()
    exp_all(flat, np.empty(flat.size, np.int64))
    return flat.reshape(values.shape)


@njit
def exp(x):
    """Return e^x."""
    x = min(max(x, -LARGEST), LARGEST)
    k = math.floor(x * _LOG2_E + 0.5)
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    return math.ldexp(_series(r) * r + 1.0, int(k))


@njit
def expm1(x):
    """Return e^x - 1, exact also where it is small."""
    return _series(x) * x if abs(x) < 0.35 else exp(x) - 1.0


# A check for a division by 0, which cannot happen, would keep the loop below from being vectorised.
@njit(error_model="numpy")
def _log_of(m, e):
    """Return the logarithm of m times 2^e, for m between the roots of 1/2 and 2."""
    # log m = 2 artanh s, and |s| < 0.172.
    s = (m - 1) / (m + 1)
    q = s * s
    t = q * (1 / 23) + 1 / 21
    t = t * q + 1 / 19
    t = t * q + 1 / 17
    t = t * q + 1 / 15
    t = t * q + 1 / 13
    t = t * q + 1 / 11
    t = t * q + 1 / 9
    t = t * q + 1 / 7
    t = t * q + 1 / 5
    t = t * q + 1 / 3
    return e * _LN2_HIGH + (2 * s + (2 * s * q * t + e * _LN2_LOW))


@njit
def log(x):
    """Return the natural logarithm of a positive number (-inf of 0, NaN of less)."""
    if not x > 0:
        return -np.inf if x == 0 else np.nan
    if x == np.inf:
        return np.inf
    m, e = math.frexp(x)
    if m < _SQRT_HALF:
        m, e = 2 * m, e - 1
    return _log_of(m, float(e))


@njit
def log_positive(values, bits):
    """Replace values by their logarithms: the same bits as :func:`log`, but without branches.

    Parameters
    ----------
    values : array, shape (n,)
        Positive, finite and not denormal.
    bits : array of int64, shape (2, n) or more columns
        Room for mantissas and exponents.
    """
    n = values.size
    mantissa, exponent = bits[0, :n], bits[1, :n]
    m, e = mantissa.view(np.float64), exponent.view(np.float64)
    for p in range(n):
        m[p] = values[p]
    for p in range(n):
        exponent[p] = (mantissa[p] >> 52) | _FROM_INTEGER
        mantissa[p] = (mantissa[p] & _MANTISSA) | _HALF
    for p in range(n):
        small = m[p] < _SQRT_HALF
        values[p] = _log_of(
            2 * m[p] if small else m[p], e[p] - _TO_EXPONENT - (1.0 if small else 0.0)
        )


@njit
def log_all(values):
    """Return the natural logarithms of an array's elements."""
    logs = np.empty(values.size)
    for p in range(values.size):
        logs[p] = log(values.flat[p])
    return logs.reshape(values.shape)


@njit
def cube_roots(values):
    """Return the signed cube roots of an array's elements."""
    roots = np.empty(values.size)
    for p in range(values.size):
        x = values.flat[p]
        root = exp(log(abs(x)) / 3) if x != 0 else 0.0
        roots[p] = root if x > 0 else -root
    return roots.reshape(values.shape)
