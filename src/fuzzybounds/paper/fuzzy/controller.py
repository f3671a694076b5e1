r"""The fuzzy logic controller: from time and position to the desire to respond (Eq. fuzzy_O).

Premises are products of memberships, and the output is their centre-average defuzzification.
Dividing the memberships of a point by their sum (ambiguity A02) changes numerator and denominator
alike, so O does not depend on it.

Position means distance from the centre of the screen: every method takes \|x\|.  The controller
works in whatever units its memberships have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from fuzzybounds.paper.fuzzy.membership import Memberships
from fuzzybounds.paper.fuzzy.rules import RuleBase

TINY = 1e-200
"""Below this sum of premises, products of memberships may have underflowed: logs are used."""


@dataclass(frozen=True, eq=False)
class Controller:
    """Membership functions of both inputs and the rules on their labels."""

    time: Memberships
    position: Memberships
    rules: RuleBase

    def __post_init__(self):
        for variable in ("time", "position"):
            ours, theirs = getattr(self, variable).labels, getattr(self.rules, f"{variable}_labels")
            if ours != theirs:
                raise ValueError(f"{variable} has the labels {ours}, but the rules have {theirs}")

    def premises(self, t: ArrayLike, x: ArrayLike, normalised: bool = False) -> np.ndarray:
        """Return the certainty y_(2,j) of every premise, of shape (..., n_time, n_position).

        Eq. A12; empty cells are included, for certainty belongs to the premise, not to a rule.
        """
        time = self.time.degrees(t, normalised)
        position = self.position.degrees(np.abs(x), normalised)
        return time[..., :, None] * position[..., None, :]

    def output(self, t: ArrayLike, x: ArrayLike) -> np.ndarray:
        """Return O(t, x), Eq. fuzzy_O, element by element (t and x broadcast)."""
        t, x = _checked(t, x)
        time, position = self.time.degrees(t, True), self.position.degrees(x, True)
        every = np.broadcast_arrays(t, x)
        return self._centre_average(lambda table: ((time @ table) * position).sum(axis=-1), *every)

    def output_grid(self, times: ArrayLike, positions: ArrayLike) -> np.ndarray:
        """Return O for every time and every position, of shape (len(times), len(positions))."""
        t, x = _checked(times, positions)
        time, position = self.time.degrees(t, True), self.position.degrees(x, True)
        grid = np.broadcast_arrays(t[:, None], x)
        return self._centre_average(lambda table: time @ table @ position.T, *grid)

    def _centre_average(
        self, total: Callable[[np.ndarray], np.ndarray], t: np.ndarray, x: np.ndarray
    ) -> np.ndarray:
        """Divide the sum of consequents by that of premises; by logs where these underflow."""
        given = self.rules.given
        consequents, premises = total(np.where(given, self.rules.consequents, 0.0)), total(given)
        far = np.asarray(premises < TINY)
        output = np.asarray(consequents / np.where(far, 1.0, premises))
        if far.any():
            logs = self._log_premises(t[far], x[far])
            weights = np.exp(logs - logs.max(axis=-1, keepdims=True))
            output[far] = weights @ self.rules.consequents[given] / weights.sum(axis=-1)
        return output

    def log_output(self, t: ArrayLike, x: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Return log O and log(1 - O), however small O or 1 - O is.

        Nothing is clipped: where every rule says stop, log(1 - O) is -inf.
        """
        stop = self.rules.consequents[self.rules.given]
        if ((stop < 0) | (stop > 1)).any():
            raise ValueError(f"consequents {stop.tolist()}: expected degrees of stop within [0, 1]")
        logs = self._log_premises(*np.broadcast_arrays(*_checked(t, x)))
        everything = logsumexp(logs, axis=-1)
        log_p, log_q = (
            np.asarray(logsumexp(logs, axis=-1, b=weight) - everything)
            for weight in (stop, 1 - stop)
        )
        return np.minimum(log_p, 0.0), np.minimum(log_q, 0.0)

    def _log_premises(self, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Return the log of the premise of every rule, of shape (..., n_rules)."""
        time, position = self.time.log_degrees(t), self.position.log_degrees(x)
        return (time[..., :, None] + position[..., None, :])[..., self.rules.given]

    def boundary(
        self, times: ArrayLike, threshold: float = 0.5, *, reach: float | None = None
    ) -> np.ndarray:
        """Return the boundary b(t) that the output passed through a threshold implies (Fig. 6).

        It is the smallest position at which O is at least `threshold`: 0 where it is at the centre
        already, inf where it is nowhere up to `reach` (by default the largest centre).  Excursions
        over the threshold that are narrower than 1/512 of the reach may be missed.
        """
        times = np.asarray(times, dtype=float)
        reach = float(self.position.centers.max() if reach is None else reach)
        positions = np.linspace(0.0, reach, 513)
        above = self.output_grid(times, positions) >= threshold
        first = above.argmax(axis=1)
        low, high = positions[np.maximum(first - 1, 0)], positions[first]
        for _ in range(45):  # 2^-45 of a cell: the last digit of a position
            middle = (low + high) / 2
            reached = self.output(times, middle) >= threshold
            low, high = np.where(reached, low, middle), np.where(reached, middle, high)
        return np.where(above.any(axis=1), high, np.inf)

    def to_json(self) -> dict[str, Any]:
        """Return plain data that :meth:`from_json` reads."""
        parts = ("time", "position", "rules")
        return {part: getattr(self, part).to_json() for part in parts}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Controller:
        """Read what :meth:`to_json` returned."""
        time, position = (Memberships(**content[name]) for name in ("time", "position"))
        return cls(time, position, RuleBase.from_json(content["rules"]))

    def scaled(self, *, time: float, position: float) -> Controller:
        """Return the same controller in other units: factors are new units per old unit."""
        return Controller(self.time.scaled(time), self.position.scaled(position), self.rules)


def _checked(t: ArrayLike, x: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return times, and distances from the centre."""
    times, distances = np.asarray(t, dtype=float), np.abs(np.asarray(x, dtype=float))
    if not (np.isfinite(times).all() and np.isfinite(distances).all()):
        raise ValueError("time and position: expected finite numbers")
    return times, distances
