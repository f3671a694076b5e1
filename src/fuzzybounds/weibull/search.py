"""Differential evolution of local optima, in restarts that end when they agree.

Every member is brought downhill by a few steps of Fisher scoring before it competes, so evolution
recombines local optima instead of points: it finds better ones in less time than an evolution of
points, whose members have to find their way down by chance (``benchmarks/weibull_fit.py``).

The likelihood is nearly a sum over conditions.  So most offspring change the parameters of one
condition only, or take all of them from another member.

A restart ends with what evolution rarely tries: leaps of its best member to places to which no
slope leads (:mod:`~fuzzybounds.weibull.leaps`), and small kicks, because limits of level and gain
make many local optima close to each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzybounds.storage.elementary import cube_roots
from fuzzybounds.weibull.kernel import nll_population
from fuzzybounds.weibull.leaps import leaps
from fuzzybounds.weibull.likelihood import check_conditions, form_of
from fuzzybounds.weibull.models import LARGEST_WINDOW, Model
from fuzzybounds.weibull.noise import with_best_noise
from fuzzybounds.weibull.scoring import polish_all
from fuzzybounds.weibull.trials import Trials

Population = tuple[np.ndarray, np.ndarray]
"""Parameter vectors (member, k) and their NLL."""
AGREEMENT = 0.1
"""Restarts agree with the fit if their NLL lies within this of it."""
SOFT, STIFF = 1e2, 1e5
"""Weights of the penalty that keeps stable models stable, during the search and at its end."""


@dataclass(frozen=True)
class Budget:
    """How long to search.

    Parameters
    ----------
    agreeing, agreeing_constant : int
        The search of a Weibull or a constant form ends when this many restarts have reached the
        best NLL known...
    enough : int
        ... or after this many when two of them have...
    restarts : int
        ... or after this many.
    free_restarts, free_members : int
        Restarts of free class rl, whose unstable parameters have no optimum to agree on, and
        members of their populations.
    members : int
        Members of each restart's population.
    draws : int
        Half of the first members are the best of so many times `members` random points; the others
        start from a boundary without learning.
    generations : int
        A restart ends after this many generations...
    patience : int
        ... or when this many in a row have gained less than :data:`GAIN`.
    kicks : int
        A restart's best member is kicked until this many rounds in a row have gained less than
        :data:`GAIN`.
    steps : int
        Scoring steps for every new member.
    tolerance : float
        Gain in NLL below which these steps end early.
    """

    agreeing: int = 3
    agreeing_constant: int = 6
    enough: int = 8
    restarts: int = 20
    free_restarts: int = 2
    free_members: int = 16
    members: int = 16
    draws: int = 20
    generations: int = 60
    patience: int = 4
    kicks: int = 6
    steps: int = 15
    tolerance: float = 0.1


STARTS, WINDOW_STARTS = (3, 15), (6, 40)
"""A restart begins with so many times as many members as it keeps, polished by so many steps:
more in class window, where long windows take many steps to show what they are worth."""
HOPEFUL = 3.0
"""A start that comes this close to the target in a few steps is polished to the end."""
FINALISTS = 3
"""How many of the better places one leap away are polished to the end."""
FINISHED, LONG_FINISHED = 1e-4, 1e-6
"""The best of a restart are polished until steps gain less, in nats; class rl needs longer."""
LEAP, KICK = (15, 0.001), (15, 0.01)
"""Scoring steps by which leaps and kicks are compared, and the gain below which they end."""
KICKS = 16
"""Kicks per round."""
KICK_SIZES = (0.003, 0.02, 0.1)
"""Largest kicks, as shares of a parameter's range."""
GAIN = 0.02
"""Generations that gain less, in nats, count as idle."""
BUDGETS = {
    "thorough": Budget(),
    "brief": Budget(restarts=2, free_restarts=1, members=8, generations=12, patience=3, kicks=0),
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
        self.form = form_of(model, SOFT)
        # Class none needs none, and free class rl has no optimum to find.
        self.leaping = model.learning != "none" and (model.learning != "rl" or model.stable)
        self.low, self.high = self.root(model.lower), self.root(model.upper)

    def root(self, theta: np.ndarray) -> np.ndarray:
        """Return the search coordinates of parameters: their signed roots."""
        return np.where(self.model.power == 3, cube_roots(theta), theta)

    def parameters(self, root: np.ndarray) -> np.ndarray:
        """Return the parameters of search coordinates."""
        theta = np.where(self.model.power == 3, root * root * root, root)
        return np.clip(theta, self.model.lower, self.model.upper)

    def improve(self, population: np.ndarray, targets: np.ndarray | float = np.inf) -> Population:
        """Take a few steps downhill; a member that cannot reach its target is given up."""
        budget = self.budget
        return self._polished(population, SOFT, targets, budget.steps, budget.tolerance)

    def best_of(self, population: np.ndarray, target: float = np.inf) -> tuple[np.ndarray, float]:
        """Polish members that can reach a target to the end; return the best and its NLL."""
        if target < np.inf:
            population, values = self.improve(population, target)
            population = population[values < target + HOPEFUL]
            if len(population) == 0:
                return np.full(self.model.k, np.nan), np.inf
        population, values = self.finish(population)
        best, value = population[np.argmin(values)], float(values.min())
        while self.leaping and value < target - GAIN:
            before = value
            best, value = self.after_leap(best, value)
            if not value < before - GAIN:
                break
        return best, value

    def after_leap(self, theta: np.ndarray, value: float) -> tuple[np.ndarray, float]:
        """Return the best that lies one leap away, or what was given if that is better."""
        noise = with_best_noise(theta[None], self.form, self.trials)
        others = np.concatenate([noise, leaps(self.model, theta, self.trials)])
        tried, values = self._polished(others, SOFT, value, *LEAP)
        tried, values = best_first(tried[values < value - GAIN], values[values < value - GAIN])
        if len(tried) == 0:
            return theta, value
        best, values = self.finish(tried[:FINALISTS])
        if values.min() < value:
            return best[np.argmin(values)], float(values.min())
        return theta, value

    def finish(self, population: np.ndarray, tolerance: float | None = None) -> Population:
        """Polish members to the end; members that are not stable where they should be get inf."""
        quick = self.model.shape == "weibull" and self.model.learning != "rl"
        tolerance = tolerance or (FINISHED if quick else LONG_FINISHED)
        population, _ = self._polished(population, SOFT, np.inf, 300, tolerance)
        if self.model.stable:
            population, _ = self._polished(population, STIFF, np.inf, 300, tolerance)
        return population, nll_population(population, form_of(self.model), self.trials)

    def _polished(self, population, stiffness, targets, steps, tolerance) -> Population:
        return polish_all(
            self.model,
            population,
            self.trials,
            steps=steps,
            tolerance=tolerance,
            targets=targets,
            stiffness=stiffness,
        )

    def restart(self, rng: np.random.Generator) -> tuple[np.ndarray, float]:
        """Evolve one population from random starts; return its best member and its NLL."""
        budget = self.budget
        # A Latin hypercube: every parameter's range is covered evenly.
        draws = budget.members * budget.draws
        strata = rng.permuted(np.tile(np.arange(draws)[:, None], self.model.k), axis=0)
        unit = (strata + rng.random(strata.shape)) / draws
        population = self.parameters(self.low + unit * (self.high - self.low))
        population = self.at_responses(population, rng, 0.8)
        times, steps = WINDOW_STARTS if self.model.learning == "window" else STARTS
        starts = budget.members * times
        n_still = starts // 2
        still, others = self.without_learning(population[:n_still], rng), population[n_still:]
        values = nll_population(others, self.form, self.trials)
        others = best_first(others, values)[0][: starts - n_still]
        population = np.concatenate([still, others])
        tried = self._polished(population, SOFT, np.inf, steps, budget.tolerance)
        population, values = (kept[: budget.members] for kept in best_first(*tried))
        population, values = self.evolve(population, values, rng)
        # The best of a stable model may turn out to lie just beyond what is stable.
        best, value = self.best_of(population[: 3 if self.model.stable else 1])
        return self.kicked(best, value, rng) if self.leaping else (best, value)

    def kicked(
        self, theta: np.ndarray, value: float, rng: np.random.Generator
    ) -> tuple[np.ndarray, float]:
        """Kick parameters, polish them, and go on from where that led, as long as it gains."""
        idle, shape = 0, (KICKS, self.model.k)
        while idle < self.budget.kicks:
            before = value
            size = rng.choice(KICK_SIZES, size=(KICKS, 1))
            kick = size * (rng.random(shape) + rng.random(shape) - 1) * (self.high - self.low)
            some = rng.random(shape) < rng.choice([0.2, 0.5, 1.0], size=(KICKS, 1))
            x = np.clip(self.root(theta) + np.where(some, kick, 0.0), self.low, self.high)
            tried, values = self._polished(self.parameters(x), SOFT, value, *KICK)
            tried, values = best_first(tried, values)
            if values[0] < value - GAIN / 4:
                ended, values = self.finish(tried[:2])
                if values.min() < value:
                    theta, value = ended[np.argmin(values)], float(values.min())
            idle = 0 if value < before - GAIN else idle + 1
        return theta, value

    def at_responses(
        self, population: np.ndarray, rng: np.random.Generator, share: float
    ) -> np.ndarray:
        """Return members a share of whose boundaries change at the time of some response.

        The shape of the boundary matters only where there are responses, and a steep change makes a
        local optimum between any two of them.
        """
        model, trials = self.model, self.trials
        population = population.copy()
        for c in range(len(model.conditions)):
            times = trials.time[trials.responded & (trials.condition == c)]
            own = np.flatnonzero((model.owners == c) & (model.part_names == "lam"))
            if times.size and own.size:
                drawn = times[rng.integers(times.size, size=len(population))]
                lam = np.clip(drawn, model.lower[own], model.upper[own])
                chosen = rng.random(len(population)) < share
                population[chosen, own[0]] = lam[chosen]
        return population

    def without_learning(self, population: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Return members whose boundary lies at the mean response and does not learn.

        What a rate multiplies stays random: from here the first scoring steps find the rates.
        Noise falls or rises in half of the members, in some to its limits, from where no slope
        leads back.
        """
        model, trials = self.model, self.trials
        population = population.copy()
        population[:, model.rates] = 0.0
        for c in range(len(model.conditions)):
            size = trials.size[trials.responded & (trials.condition == c)]
            if size.size == 0:
                continue
            mean = size.sum() / size.size
            spread = np.sqrt(((size - mean) ** 2).sum() / size.size)
            part = np.where(model.owners == c, model.part_names, "")
            slant = rng.uniform(0.8, 1.25, size=(len(population), 1))
            population[:, part == "m"] = mean
            population[:, part == "psi"] = mean * slant
            population[:, part == "psi_prime"] = mean * (1 / slant - slant / 2)
            population[:, part == "sigma"] = spread
            changing = np.flatnonzero(rng.random(len(population)) < 0.5)
            first, last = rng.uniform([0.3, -1.0], [2.5, 2.5], size=(len(changing), 2)).T * spread
            n = (trials.condition == c).sum()
            population[np.ix_(changing, part == "sigma")] = first[:, None]
            population[np.ix_(changing, part == "alpha_s")] = ((first - last) / n)[:, None]
        return np.clip(population, model.lower, model.upper)

    def evolve(
        self, population: np.ndarray, values: np.ndarray, rng: np.random.Generator
    ) -> Population:
        """Let a sorted population evolve: an offspring replaces its parent if it is better."""
        idle = 0
        for _ in range(self.budget.generations):
            before = values[0]
            offspring = self.parameters(self.offspring(self.root(population), rng))
            offspring = self.at_responses(offspring, rng, 0.1)
            offspring, reached = self.improve(offspring, values)
            better = reached <= values
            population = np.where(better[:, None], offspring, population)
            population, values = best_first(population, np.where(better, reached, values))
            idle = idle + 1 if values[0] > before - GAIN else 0
            if idle == self.budget.patience:
                break
        return population, values

    def offspring(self, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Make one offspring per member: a mutant of it, or it with another's condition.

        A mutant is pulled to a better member, moved by the difference of two others and crossed
        over with its parent, in the parameters of all conditions or of one.  Step sizes and
        crossover rates are drawn for each, so that large and small steps, in few and in many
        parameters, are all tried.
        """
        n, k = x.shape
        best = x[rng.integers(min(n, max(2, n // 5)), size=n)]
        pull = rng.random((n, 1)) < 0.7
        one, other = x[rng.integers(n, size=n)], x[rng.integers(n, size=n)]
        factor = rng.choice([0.5, 0.8, 1.0], size=(n, 1))
        mutant = x + factor * (pull * (best - x) + one - other)
        if self.model.learning == "window":
            mutant = self._other_windows(x, mutant, rng)
        # Beyond a bound: move halfway to it instead.
        mutant = np.where(mutant < self.low, (x + self.low) / 2, mutant)
        mutant = np.where(mutant > self.high, (x + self.high) / 2, mutant)
        crossed = rng.random((n, k)) < rng.choice([0.2, 0.5, 0.9], size=(n, 1))
        crossed[np.arange(n), rng.integers(k, size=n)] = True
        if len(self.model.conditions) == 1:
            return np.where(crossed, mutant, x)
        owners = self.model.owners
        own = owners == rng.integers(len(self.model.conditions), size=(n, 1))
        own |= (owners == -1) & (rng.random((n, 1)) < 0.5)
        everywhere = rng.random((n, 1)) < 0.3
        children = np.where(crossed & (own | everywhere), mutant, x)
        donor = x[np.minimum(rng.integers(n, size=n), rng.integers(n, size=n))]
        children = np.where(rng.random((n, 1)) < 0.3, np.where(own, donor, x), children)
        unchanged = (children == x).all(axis=1, keepdims=True)
        return np.where(unchanged, mutant, children)

    def _other_windows(
        self, x: np.ndarray, mutant: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """Move windows to near ones or to any: whole numbers have no derivative to follow."""
        window = np.isin(self.model.part_names, ("w_r", "w_t"))
        choice = rng.random(x.shape)
        near = np.floor(x) + rng.integers(-4, 5, size=x.shape) + 0.5
        anywhere = rng.uniform(1, LARGEST_WINDOW + 1, size=x.shape)
        mutant = np.where(window & (choice < 0.3), near, mutant)
        return np.where(window & (choice > 0.9), anywhere, mutant)


def best_first(population: np.ndarray, values: np.ndarray) -> Population:
    """Sort a population by its NLL."""
    order = np.argsort(values, kind="stable")
    return population[order], values[order]
