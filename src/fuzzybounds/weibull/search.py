"""Evolution of local optima, in independent restarts that end when they agree.

Every member of a population is brought downhill by a few scoring steps before it competes, so
evolution recombines local optima instead of points.  The likelihood is nearly a sum over
conditions, so many offspring change the parameters of one condition only, or take all of them from
another member.  Other offspring draw a few parameters at random: they reach places to which no
slope leads, such as another length of a window or another time of a boundary's change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from fuzzybounds.storage.seeds import generator
from fuzzybounds.weibull.models import Model
from fuzzybounds.weibull.polish import polish_all
from fuzzybounds.weibull.recursion import checked, form_of, nll_of_all
from fuzzybounds.weibull.trials import Trials

Population = tuple[np.ndarray, np.ndarray]
"""Parameter vectors (member, k) and their negative log-likelihoods."""
AGREEMENT = 0.1
"""Restarts agree with the fit if their NLL lies within this of it."""
GAIN = 0.02
"""Generations that gain less, in nats, count as idle."""
SOFT, STIFF = 1e2, 1e5
"""Weights of the penalty that keeps stable models stable, during the search and at its end."""
STEPS, TOLERANCE = 15, 0.1
"""Scoring steps for every new member, and the gain below which they end early."""
FINISHED = 1e-5
"""The best of a restart are polished until steps gain less, in nats."""

HOPEFUL = 3.0
"""A start that comes this close to the best NLL in a few steps is polished to the end."""


@dataclass(frozen=True)
class Budget:
    """How long to search.

    The search of a Weibull form ends when `agreeing` restarts have reached the best NLL known, that
    of a constant form, which costs less, when twice as many have, or after `restarts`.  A restart
    has `members`, the best of `starts` times as many, and ends after `generations` or when
    `patience` generations in a row have gained less than :data:`GAIN`.
    """

    agreeing: int = 2
    restarts: int = 8
    members: int = 16
    starts: int = 3
    generations: int = 60
    patience: int = 6


BUDGETS = {
    "thorough": Budget(),
    "brief": Budget(restarts=2, members=8, generations=12, patience=3),
}
"""How long the workflow searches, by the names of ``weibull.search`` in config.yaml."""


@dataclass
class Search:
    """The search for the best parameters of one model for one subject.

    `stream` names the random numbers.  `theta` and `value` are the best parameters known and their
    NLL, and `reached` is what each restart reached alone.
    """

    model: Model
    trials: Trials
    budget: Budget
    stream: tuple
    theta: np.ndarray = field(default_factory=lambda: np.empty(0))
    value: float = np.inf
    reached: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        checked(self.model, self.model.lower, self.trials)
        self.form = form_of(self.model)
        self.low, self.high = self.root(self.model.lower), self.root(self.model.upper)

    def offer(self, theta: np.ndarray, value: float) -> bool:
        """Take better parameters; say whether they gain something."""
        gain = self.value - value
        if gain > 0:
            self.theta, self.value = theta, value
        return gain > 1e-3

    def try_starts(self, starts: Sequence[np.ndarray]) -> bool:
        """Polish parameters that other models suggest; say whether one gains something."""
        if not starts:
            return False
        population, values = self.polished(np.array(starts), self.value)
        hopeful = population[values < self.value + HOPEFUL]
        return len(hopeful) > 0 and self.offer(*self.best_of(hopeful))

    def run(self) -> None:
        """Restart until enough restarts agree, or until all are spent."""
        wanted = self.budget.agreeing * (2 if self.model.shape == "constant" else 1)
        while len(self.reached) < self.budget.restarts:
            if np.sum(np.array(self.reached) <= self.value + AGREEMENT) >= wanted:
                break
            found = self.restart(generator(*self.stream, len(self.reached)))
            self.offer(*found)
            self.reached.append(found[1])

    def restart(self, rng: np.random.Generator) -> tuple[np.ndarray, float]:
        """Evolve one population from random starts; return its best member and its NLL."""
        population, values = best_first(*self.polished(self.starts(rng)))
        population, values = population[: self.budget.members], values[: self.budget.members]
        idle = 0
        for _ in range(self.budget.generations):
            before = values[0]
            offspring, reached = self.polished(self.offspring(population, rng), values)
            better = reached <= values
            population = np.where(better[:, None], offspring, population)
            population, values = best_first(population, np.where(better, reached, values))
            idle = idle + 1 if values[0] > before - GAIN else 0
            if idle == self.budget.patience:
                break
        best, value = self.best_of(population[:3])
        while self.model.whole.any():
            others, values = self.polished(self.other_lengths(best), value)
            others, values = best_first(others, values)
            if values[0] > value - GAIN:
                break
            best, value = min((best, value), self.best_of(others[:3]), key=lambda found: found[1])
        return best, value

    def other_lengths(self, theta: np.ndarray) -> np.ndarray:
        """Return parameters with every other value of one parameter that has no slope."""
        found = []
        for j in np.flatnonzero(self.model.whole):
            values = np.arange(self.model.lower[j], self.model.upper[j] + 1)
            others = np.tile(theta, (len(values), 1))
            others[:, j] = values
            found.append(others)
        return np.concatenate(found)

    def polished(self, population: np.ndarray, targets: np.ndarray | float = np.inf) -> Population:
        """Take a few steps downhill; a member that cannot reach its target is given up."""
        population = population.copy()
        each = np.broadcast_to(targets, len(population)).astype(float)
        form, trials = self.form, self.trials
        return population, polish_all(population, form, trials, SOFT, STEPS, TOLERANCE, each)

    def best_of(
        self, population: np.ndarray, tolerance: float = FINISHED
    ) -> tuple[np.ndarray, float]:
        """Polish members to the end; return the best and its NLL."""
        population = population.copy()
        never = np.full(len(population), np.inf)
        for stiffness in (SOFT, STIFF) if self.model.stable else (SOFT,):
            polish_all(population, self.form, self.trials, stiffness, 300, tolerance, never)
        values = nll_of_all(population, self.form, self.trials)
        return population[np.argmin(values)], float(values.min())

    def root(self, theta: np.ndarray) -> np.ndarray:
        """Return the search coordinates of parameters: their signed roots."""
        return np.where(self.model.power == 3, np.cbrt(theta), theta)

    def parameters(self, root: np.ndarray) -> np.ndarray:
        """Return the parameters of search coordinates."""
        theta = np.where(self.model.power == 3, root**3, root)
        return np.clip(theta, self.model.lower, self.model.upper)

    def starts(self, rng: np.random.Generator) -> np.ndarray:
        """Draw starts: half of them anywhere, half without learning at the mean response.

        What a rate multiplies stays random: from there the first scoring steps find the rates.
        Noise falls or rises in some, also to its limits, from where no slope leads back.
        """
        model, trials = self.model, self.trials
        n = self.budget.members * self.budget.starts
        population = self.parameters(rng.uniform(self.low, self.high, size=(n, model.k)))
        population = self.at_responses(population, rng, 0.8)
        still = population[: n // 2]
        still[:, model.rates] = 0.0
        for c in range(len(model.conditions)):
            size = trials.size[trials.responded & (trials.condition == c)]
            if size.size == 0:
                continue
            mean, spread = size.mean(), size.std()
            part = np.where(model.owners == c, model.part_names, "")
            slant = rng.uniform(0.8, 1.25, size=(len(still), 1))
            still[:, part == "m"] = mean
            still[:, part == "psi"] = mean * slant
            still[:, part == "psi_prime"] = mean * (1 / slant - slant / 2)
            still[:, part == "sigma"] = spread
            changing = np.flatnonzero(rng.random(len(still)) < 0.5)
            first, last = rng.uniform([0.3, -1.0], [2.5, 2.5], size=(len(changing), 2)).T * spread
            n_own = (trials.condition == c).sum()
            still[np.ix_(changing, part == "sigma")] = first[:, None]
            still[np.ix_(changing, part == "alpha_s")] = ((first - last) / n_own)[:, None]
        return np.clip(population, model.lower, model.upper)

    def at_responses(
        self, population: np.ndarray, rng: np.random.Generator, share: float
    ) -> np.ndarray:
        """Return members a share of whose boundaries change at the time of some response.

        The shape of the boundary matters only where there are responses, and a steep change makes a
        local optimum between any two of them.
        """
        model, trials = self.model, self.trials
        for c in range(len(model.conditions)):
            times = trials.time[trials.responded & (trials.condition == c)]
            for j in np.flatnonzero((model.owners == c) & (model.part_names == "lam")):
                if times.size:
                    chosen = rng.random(len(population)) < share
                    drawn = rng.choice(times, size=len(population))
                    population[:, j] = np.where(chosen, drawn, population[:, j])
        return np.clip(population, model.lower, model.upper)

    def offspring(self, population: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Make one offspring of each member of a sorted population.

        A mutant is pulled to a better member, moved by the difference of two others and crossed
        over with its parent, in the parameters of all conditions or of one.  A quarter of the
        offspring take a condition from another member instead, half draw some parameters at random.
        """
        x = self.root(population)
        n, k = x.shape
        owners, conditions = self.model.owners, len(self.model.conditions)
        best = x[rng.integers(min(n, max(2, n // 5)), size=n)]
        pull = rng.random((n, 1)) < 0.7
        factor = rng.choice([0.5, 0.8, 1.0], size=(n, 1))
        mutant = x + factor * (pull * (best - x) + x[rng.permutation(n)] - x[rng.permutation(n)])
        near = np.floor(x) + rng.integers(-4, 5, size=(n, k)) + 0.5
        mutant = np.where(self.model.whole & (rng.random((n, k)) < 0.3), near, mutant)
        # Beyond a bound: move halfway to it instead.
        mutant = np.where(mutant < self.low, (x + self.low) / 2, mutant)
        mutant = np.where(mutant > self.high, (x + self.high) / 2, mutant)
        crossed = rng.random((n, k)) < rng.choice([0.2, 0.5, 0.9], size=(n, 1))
        own = (owners == rng.integers(conditions, size=(n, 1))) | (rng.random((n, 1)) < 0.3)
        own |= (owners == -1) & (rng.random((n, 1)) < 0.5)
        children = np.where(crossed & own, mutant, x)
        kind = rng.random((n, 1))
        if conditions > 1:
            donor = x[np.minimum(rng.integers(n, size=n), rng.integers(n, size=n))]
            children = np.where(kind < 0.25, np.where(own, donor, x), children)
        few = rng.random((n, k)) < rng.choice([1, 2, 4], size=(n, 1)) / k
        drawn = rng.uniform(self.low, self.high, size=(n, k))
        children = np.where(kind > 0.5, np.where(few, drawn, x), children)
        unchanged = (children == x).all(axis=1, keepdims=True)
        children = self.parameters(np.where(unchanged, mutant, children))
        return self.at_responses(children, rng, 0.1)


def best_first(population: np.ndarray, values: np.ndarray) -> Population:
    """Sort a population by its NLL."""
    order = np.argsort(values, kind="stable")
    return population[order], values[order]
