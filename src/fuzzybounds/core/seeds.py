"""Random numbers by name, never by order."""

from __future__ import annotations

import hashlib

import numpy as np


def generator(seed: int, *names: str | int) -> np.random.Generator:
    """Return the random generator of a named piece of work.

    The stream depends on the seed and the names alone (for instance data set, subject, stage),
    so that adding a subject, or changing the order of the work, changes no other result.
    """
    # The unit separator cannot occur in a name, so ("ab", "c") and ("a", "bc") differ.
    text = "\x1f".join([str(int(seed)), *map(str, names)])
    digest = hashlib.sha256(text.encode()).digest()
    return np.random.default_rng(np.random.SeedSequence(int.from_bytes(digest, "big")))
