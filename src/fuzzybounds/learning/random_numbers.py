"""Random numbers by counter: number i of a stream is a hash of the stream's key and i.

So trial j of a simulation is the same whichever thread draws it.  The
hash is the output function of SplitMix64 (Steele, Lea & Flood 2014), which passes BigCrush; draws
at different counters of one key are different outputs of one SplitMix64 stream.
"""

from __future__ import annotations

import numpy as np

from fuzzybounds.storage.compilation import njit

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)
_UNIT = 2.0**-53

DRAWS_PER_TRIAL = 64
"""Counters reserved for each trial: two for its condition and response, one per step."""


def keys(rng: np.random.Generator, streams: int) -> np.ndarray:
    """Draw the keys of independent streams."""
    return rng.integers(0, 2**64, size=streams, dtype=np.uint64)


@njit(nogil=True)
def bits(key, counter):
    """Return 64 random bits."""
    z = key + (np.uint64(counter) + np.uint64(1)) * _GOLDEN
    z = (z ^ (z >> _S30)) * _FIRST
    z = (z ^ (z >> _S27)) * _SECOND
    return z ^ (z >> _S31)


@njit(nogil=True)
def uniform(key, counter):
    """Return a random number within [0, 1)."""
    return np.float64(bits(key, counter) >> _S11) * _UNIT
