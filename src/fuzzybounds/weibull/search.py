"""Differential evolution of local optima.

Every member is brought downhill by a few steps of Fisher scoring before it competes, so evolution
recombines local optima instead of points: it finds better ones in less time than an evolution of
points, whose members have to find their way down by chance (``benchmarks/weibull_fit.py``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzybounds.weibull.kernel import nll_population, polish
from fuzzybounds.weibull.likelihood import check_conditions, form_of
from fuzzybounds.weibull.models import Model
from fuzzybounds.weibull.trials import Trials

Population = tuple[np.ndarray, np.ndarray]
"""Parameter vectors (member, k) and their NLL."""


@dataclass(frozen=True)
class Budget:
    """How long to search.

    Parameters
    ----------
    restarts : int
        Populations that start on their own.
    members : int
        Members of each; they are the best of `draws` times as many random points.
    draws : int
    generations : int
        Generations of each restart on its own.
    joint_generations : int
        Generations of all restarts' members as one population.
    steps : int
        Scoring steps for every new member.
    tolerance : float
        Gain in NLL below which these steps end early.
    """

    restarts: int = 3
    members: int = 12
    draws: int = 20
    generations: int = 8
    joint_generations: int = 12
    steps: int = 15
    tolerance: float = 0.1


BUDGETS = {
    "thorough": Budget(),
    "brief": Budget(restarts=2, members=8, generations=4, joint_generations=4),
}
"""How long the workflow searches, by the names of ``weibull.search`` in config.yaml."""


class Search:
    """Differential evolution of polished members, for one model and one subject.

    Parameters
    ----------
    model : Model
    trials : Trials
    budget : Budget
    """

    def __init__(self, model: Model, trials: Trials, budget: Budget):
        check_conditions(model, trials)
        self.model, self.trials, self.budget = model, trials, budget
        self.form = form_of(model)
        self.low, self.high = self.root(model.lower), self.root(model.upper)

    def root(self, theta: np.ndarray) -> np.ndarray:
        """Return the search coordinates of parameters: their signed roots."""
        return np.sign(theta) * np.abs(theta) ** (1 / self.model.power)

    def parameters(self, root: np.ndarray) -> np.ndarray:
        """Return the parameters of search coordinates."""
        theta = np.sign(root) * np.abs(root) ** self.model.power
        return np.clip(theta, self.model.lower, self.model.upper)

    def polish(
        self,
        population: np.ndarray,
        targets: np.ndarray | float = np.inf,
        steps: int = 300,
        tolerance: float = 1e-9,
    ) -> Population:
        """Return polished copies of the members, and their NLL."""
        population = population.copy()
        arguments = (self.model.lower, self.model.upper, self.form, self.trials, steps, tolerance)
        targets = np.broadcast_to(targets, len(population))
        pairs = zip(population, targets, strict=True)
        values = np.array([polish(theta, target, *arguments) for theta, target in pairs])
        return population, values

    def improve(self, population: np.ndarray, targets: np.ndarray | float) -> Population:
        """Take a few steps downhill; a member that cannot reach its target is given up."""
        return self.polish(population, targets, self.budget.steps, self.budget.tolerance)

    def restart(self, rng: np.random.Generator) -> Population:
        """Evolve one population on its own; best member first."""
        budget = self.budget
        # A Latin hypercube: every parameter's range is covered evenly.
        draws = budget.members * budget.draws
        strata = rng.permuted(np.tile(np.arange(draws)[:, None], self.model.k), axis=0)
        unit = (strata + rng.random(strata.shape)) / draws
        population = self.parameters(self.low + unit * (self.high - self.low))
        values = nll_population(population, self.form, self.trials)
        population, _ = best_first(population, values)
        population, values = self.improve(population[: budget.members], np.inf)
        return self.evolve(*best_first(population, values), budget.generations, rng)

    def evolve(
        self,
        population: np.ndarray,
        values: np.ndarray,
        generations: int,
        rng: np.random.Generator,
    ) -> Population:
        """Let a sorted population evolve: an offspring replaces its parent if it is better."""
        for _ in range(generations):
            offspring = self.parameters(self.offspring(self.root(population), rng))
            offspring, reached = self.improve(offspring, values)
            better = reached <= values
            population = np.where(better[:, None], offspring, population)
            population, values = best_first(population, np.where(better, reached, values))
        return population, values

    def offspring(self, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Make one offspring a member: it, pulled to a better one, plus a difference, crossed over.

        Step sizes and crossover rates are drawn anew for each, so that large and small steps, in
        few and in many parameters, are all tried.
        """
        n, k = x.shape
        best = x[rng.integers(min(n, max(2, n // 5)), size=n)]
        pull = rng.random((n, 1)) < 0.7
        one, other = x[rng.integers(n, size=n)], x[rng.integers(n, size=n)]
        factor = rng.choice([0.5, 0.8, 1.0], size=(n, 1))
        mutant = x + factor * (pull * (best - x) + one - other)
        # Over a bound: half the way to it.
        mutant = np.where(mutant < self.low, (x + self.low) / 2, mutant)
        mutant = np.where(mutant > self.high, (x + self.high) / 2, mutant)
        crossed = rng.random((n, k)) < rng.choice([0.2, 0.5, 0.9], size=(n, 1))
        crossed[np.arange(n), rng.integers(k, size=n)] = True
        return np.where(crossed, mutant, x)


def best_first(population: np.ndarray, values: np.ndarray) -> Population:
    """Sort a population by its NLL."""
    order = np.argsort(values, kind="stable")
    return population[order], values[order]
