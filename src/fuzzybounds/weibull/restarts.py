"""Independent restarts of a model's search, until enough of them agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fuzzybounds.storage.seeds import generator
from fuzzybounds.weibull.models import UNCUED, Model
from fuzzybounds.weibull.search import AGREEMENT, Budget, Search
from fuzzybounds.weibull.trials import Trials, of_condition

SETTLED = 1e-3
"""Models are started from each other until none gains more than this."""


@dataclass
class Found:
    """The best parameters known of a model on a time axis, and what restarts reached.

    Attributes
    ----------
    theta : numpy.ndarray
    value : float
    reached : list of float
        In the order of the restarts; where conditions were searched apart, the best of each
        combined, then the second best, and so on.
    first : tuple of float
        What the first and the second restart reached.
    """

    theta: np.ndarray
    value: float
    reached: list[float]
    first: tuple[float, float] = (np.nan, np.nan)

    def offer(self, theta: np.ndarray, value: float) -> bool:
        """Take better parameters; say whether they gain something."""
        gain = self.value - value
        if gain > 0:
            self.theta, self.value = theta, value
        return gain > SETTLED

    def restart(
        self,
        search: Search,
        seed: int,
        stream: tuple[str | int, ...],
        agreement: float = AGREEMENT,
    ) -> None:
        """Restart until enough restarts agree, or until all are spent."""
        budget = search.budget
        # Constant forms cost little, and Weibull forms start from them.  A worse optimum on which
        # some restarts agree is less likely to be missed if more have to.
        constant = search.model.shape == "constant"
        wanted = budget.agreeing_constant if constant else budget.agreeing
        while len(self.reached) < budget.restarts:
            agreeing = np.sum(np.array(self.reached) <= self.value + agreement)
            if agreeing >= (wanted if len(self.reached) < budget.enough else 2):
                break
            theta, value = search.restart(generator(seed, *stream, len(self.reached)))
            self.offer(theta, value)
            self.reached.append(value)
        first, second, *_ = *self.reached, np.nan, np.nan
        self.first = first, second


def searched(
    search: Search,
    starts: Sequence[np.ndarray],
    seed: int,
    stream: tuple[str | int, ...],
    agreement: float = AGREEMENT,
) -> Found:
    """Search from the given starts, and by restarts."""
    found = Found(np.empty(0), np.inf, [])
    if starts:
        found.offer(*search.best_of(np.array(starts)))
    found.restart(search, seed, stream, agreement)
    return found


def searched_apart(
    model: Model,
    trials: Trials,
    starts: Sequence[np.ndarray],
    budget: Budget,
    seed: int,
    stream: tuple[str | int, ...],
) -> Found:
    """Search each condition on its own, where the model shares nothing between them."""
    one = replace(model, conditions=UNCUED)
    # Together the conditions must agree as closely as one model's restarts.
    agreement = AGREEMENT / len(model.conditions)
    parts = []
    for c, condition in enumerate(model.conditions):
        own = [start[model.owners == c] for start in starts]
        search = Search(one, of_condition(trials, c), budget)
        parts.append(searched(search, own, seed, (*stream, condition), agreement))
    n = min(len(part.reached) for part in parts)
    # Restarts of the conditions are independent: the best are combined, and so on.
    combined = np.sum([np.sort(part.reached)[:n] for part in parts], axis=0)
    return Found(
        np.concatenate([part.theta for part in parts]),
        sum(part.value for part in parts),
        combined.tolist(),
        (sum(part.first[0] for part in parts), sum(part.first[1] for part in parts)),
    )


def budget_of(model: Model, budget: Budget) -> Budget:
    """Return the budget of a model; free class rl has one of its own."""
    if model.learning != "rl" or model.stable:
        return budget
    members = min(budget.members, budget.free_members)
    return replace(budget, members=members, restarts=budget.free_restarts)
