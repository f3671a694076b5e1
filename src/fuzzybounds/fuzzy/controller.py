r"""The fuzzy logic controller: from time and position to the desire to respond (Eq. fuzzy_O).

Premises are products of memberships, and the output is their centre-average defuzzification.
With a rule for every premise that is softmax(time)ᵀ C softmax(position), where the softmax is over
the logs of the memberships.  Dividing the memberships of a point by their sum (ambiguity A02)
changes numerator and denominator alike, so O does not depend on it.

Position means distance from the centre of the screen: every method takes \|x\|.  The controller
works in whatever units its memberships have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fuzzybounds.fuzzy.membership import Memberships
from fuzzybounds.fuzzy.rules import RuleBase

TINY_PREMISE = 1e-200
"""Below this sum of premises, products of memberships may have underflowed: logs are used."""


@dataclass(frozen=True, eq=False)
class Controller:
    """Membership functions of both inputs and the rules on them.

    Parameters
    ----------
    time, position : Memberships
    rules : RuleBase
        Its labels are those of the memberships.
    """

    time: Memberships
    position: Memberships
    rules: RuleBase

    def __post_init__(self):
        for variable in ("time", "position"):
            ours, theirs = getattr(self, variable).labels, getattr(self.rules, f"{variable}_labels")
            if ours != theirs:
                raise ValueError(f"{variable} has the labels {ours}, but the rules have {theirs}")

    def premises(self, t: ArrayLike, x: ArrayLike, normalised: bool = False) -> np.ndarray:
        """Return the certainty of every premise, y_(2,j) of Eq. A12.

        Returns
        -------
        array of shape (..., n_time, n_position)
            Includes empty cells: certainty belongs to the premise, not to a rule.
        """
        time = self.time.degrees(t, normalised)
        position = self.position.degrees(np.abs(x), normalised)
        return time[..., :, None] * position[..., None, :]

    def output(self, t: ArrayLike, x: ArrayLike) -> np.ndarray:
        """Return O(t, x), Eq. fuzzy_O, element by element (t and x broadcast)."""
        times, distances = np.asarray(t, dtype=float), np.abs(np.asarray(x, dtype=float))
        time, position = self._shares(times, distances)
        output = self._centre_average(
            lambda table: np.einsum("...i,...i->...", time @ table, position)
        )
        far = np.isnan(output)
        if far.any():
            where = (np.broadcast_to(values, far.shape)[far] for values in (times, distances))
            output = np.array(output)
            output[far] = self._output_by_logs(*where)
        return output

    def output_grid(self, times: ArrayLike, positions: ArrayLike) -> np.ndarray:
        """Return O for every time and every position, of shape (len(times), len(positions))."""
        t, x = np.asarray(times, dtype=float), np.abs(np.asarray(positions, dtype=float))
        time, position = self._shares(t, x)
        output = self._centre_average(lambda table: time @ table @ position.T)
        if np.isnan(output.sum()):  # cheaper than checking every cell
            far = np.nonzero(np.isnan(output))
            output[far] = self._output_by_logs(t[far[0]], x[far[1]])
        return output

    def log_output(self, t: ArrayLike, x: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Return log O and log(1 - O), to full relative precision for any finite input.

        Nothing is clipped: where every rule says stop, log(1 - O) is -inf.
        """
        stop = self.rules.consequents[self.rules.given]
        if ((stop < 0) | (stop > 1)).any():
            raise ValueError(f"consequents {stop.tolist()}: expected degrees of stop within [0, 1]")
        logs = self._log_weights(t, x)[..., self.rules.given]
        everything = _log_sum(logs, np.ones_like(stop))
        return complementary_logs(
            _log_sum(logs, stop) - everything, _log_sum(logs, 1 - stop) - everything
        )

    def boundary(
        self, times: ArrayLike, threshold: float = 0.5, *, reach: float | None = None
    ) -> np.ndarray:
        """Return the boundary b(t) that the output passed through a threshold implies (Fig. 6).

        Parameters
        ----------
        times : array_like of shape (n,)
        threshold : float
        reach : float, optional
            The largest position to look at; by default the largest centre.

        Returns
        -------
        array of shape (n,)
            The smallest position at which O is at least `threshold`: 0 where it is at the centre
            already, inf where it is nowhere up to `reach`.  Excursions over the threshold that
            are narrower than 1/512 of the reach may be missed.
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
        return cls(
            Memberships.from_json(content["time"]),
            Memberships.from_json(content["position"]),
            RuleBase.from_json(content["rules"]),
        )

    def scaled(self, *, time: float, position: float) -> Controller:
        """Return the same controller in other units: factors are new units per old unit."""
        return Controller(self.time.scaled(time), self.position.scaled(position), self.rules)

    def _shares(self, t: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return both softmaxes over labels; NaN where squares overflow."""
        with np.errstate(over="ignore", invalid="ignore"):
            return self.time.degrees(t, normalised=True), self.position.degrees(x, normalised=True)

    def _centre_average(self, combine: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """Divide the combined consequents by the combined rules; NaN where too little is left."""
        given = self.rules.given
        numerator = combine(np.where(given, self.rules.consequents, 0.0))
        if self.rules.complete:
            return numerator
        certainty = combine(given.astype(float))
        return numerator / np.where(certainty >= TINY_PREMISE, certainty, np.nan)

    def _output_by_logs(self, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        weights = np.exp(self._log_weights(t, x)[..., self.rules.given])
        return weights @ self.rules.consequents[self.rules.given] / weights.sum(axis=-1)

    def _log_weights(self, t: ArrayLike, x: ArrayLike) -> np.ndarray:
        """Return log y_(2,j) minus its largest value over the rules; -inf in empty cells.

        The squares of large inputs overflow, so the largest is found in units of the inputs.
        """
        t, x = np.broadcast_arrays(np.asarray(t, dtype=float), np.abs(np.asarray(x, dtype=float)))
        if not (np.isfinite(t).all() and np.isfinite(x).all()):
            raise ValueError("time and position: expected finite numbers")
        scale = np.maximum(np.maximum(np.abs(t), x), 1.0)
        time = self.time.relative_log_degrees(t, scale)
        position = self.position.relative_log_degrees(x, scale)
        # Less the largest, variable by variable, and twice: the first sum has lost the digits of
        # the smaller variable, which decides where the larger one ties.
        for _ in range(2):
            logs = np.where(self.rules.given, time[..., :, None] + position[..., None, :], -np.inf)
            best = logs.reshape(*logs.shape[:-2], -1).argmax(axis=-1)[..., None]
            best_time, best_position = np.divmod(best, len(self.position.labels))
            time = time - np.take_along_axis(time, best_time, axis=-1)
            position = position - np.take_along_axis(position, best_position, axis=-1)
        scale = scale[..., None, None]
        with np.errstate(over="ignore"):
            logs = (time[..., :, None] + position[..., None, :]) * scale * scale
        return np.where(self.rules.given, logs, -np.inf)


def _log_sum(logs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return log sum_j weights_j exp(logs_j) over the last axis, for weights >= 0."""
    with np.errstate(divide="ignore"):
        logs = logs + np.log(weights)
        largest = logs.max(axis=-1, keepdims=True)
        shift = np.where(np.isfinite(largest), largest, 0.0)
        return np.log(np.exp(logs - shift).sum(axis=-1)) + shift[..., 0]


def complementary_logs(log_p: np.ndarray, log_q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Refine log p and log(1 - p): the one nearer 0 is computed from the other.

    Each is a difference of two sums, which is exact to the last digit except for values near
    0, where digits cancel; there log(1 - q) is more accurate from q.
    """
    stop_is_likely = log_p > log_q
    likely = np.log1p(-np.exp(np.where(stop_is_likely, log_q, log_p)))
    return np.where(stop_is_likely, likely, log_p), np.where(stop_is_likely, log_q, likely)
