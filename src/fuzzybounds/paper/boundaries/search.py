"""The search for the optimum of one model: damped steps, recombination of local optima, restarts.

Every member of a population is brought downhill by a few damped steps before it competes,
so evolution recombines local optima instead of points.  The likelihood is nearly a sum over
conditions, so many offspring change the parameters of one condition only, or take all of them from
another member.  Other offspring get new values of a few parameters: they reach places to which no
slope leads, such as another length of a window or another time of a boundary's change.

Restarts are independent and end when two agree.  Where four do not, their best members are
recombined among new ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from fuzzybounds.core.compilation import njit
from fuzzybounds.core.fitting import damped_step
from fuzzybounds.core.seeds import generator
from fuzzybounds.paper.boundaries.models import Model
from fuzzybounds.paper.boundaries.recursion import checked, follow, form_of, new_course, nll
from fuzzybounds.paper.boundaries.trials import Trials

Population = tuple[np.ndarray, np.ndarray]
"""Parameter vectors (member, k) and their negative log-likelihoods."""
AGREEMENT = 0.1
"""Restarts agree with the fit if their NLL lies within this of it."""
GAIN = 0.02
"""Generations that gain less, in nats, count as idle."""
SOFT, STIFF = 1e2, 1e5
"""Weights of the penalty that keeps stable models stable, during the search and at its end."""
STEPS, TOLERANCE = 15, 0.1
"""Steps for every new member, and the gain below which they end early."""
FINISHED = 1e-5
"""The best of a restart are polished until steps gain less, in nats."""
MAX_CATCH_UP = 1.0
"""A member is given up if it stays above its parent though each step left gains so many times as
much as the last; a start from elsewhere is polished to the end if it comes so close to the best."""
SHRINK = 0.15
"""The damping is multiplied by at least this after a step that gains."""
LEAST_DAMPING, LARGEST_DAMPING = 1e-6, 1e6


@dataclass(frozen=True)
class Budget:
    """How long to search.

    There are at most `restarts`, each with `members`, the best of three times as many starts.  A
    restart ends after `generations`, or when `patience` of them in a row have gained less than
    :data:`GAIN`.  In class window, where slopes say nothing about the lengths of windows, three
    restarts must agree; without cues it has twice the members, with fewer two restarts agreed on
    optima 8 nats apart.
    """

    restarts: int = 4
    members: int = 16
    generations: int = 60
    patience: int = 6


@njit
def predicted_gain(theta, new, sums):
    """Return the gain that the quadratic model predicts of a step."""
    gain = 0.0
    for i in range(len(theta)):
        step = new[i] - theta[i]
        gain -= step * (sums[len(theta) + 1, i] + 0.5 * step * sums[i, i])
        for j in range(i):
            gain -= step * (new[j] - theta[j]) * sums[i, j]
    return gain


@njit
def polish(theta, form, trials, stiffness, steps, tolerance, target):
    """Move parameters downhill in place by damped steps of Fisher's method; return their NLL.

    The damping follows Nielsen: it is multiplied by 1 - (2 ρ - 1)³ after a step, ρ the ratio of
    actual to predicted gain, and grows faster the more steps in a row fail.  Steps end after
    `steps`, when two in a row gain less than `tolerance`, when less than a tenth of it is predicted
    for the next one, or when `target` is out of reach (:data:`MAX_CATCH_UP`).  `stiffness` is that
    of :func:`~fuzzybounds.paper.boundaries.recursion.follow`.
    """
    k = len(theta)
    course = new_course(len(trials.time))
    sums, new_sums = np.empty((k + 2, k + 1)), np.empty((k + 2, k + 1))
    ridge = 1e-10 / (form.upper - form.lower) ** 2
    new = np.empty(k)
    value = follow(theta, form, trials, stiffness, course, sums)
    damping, growth, idle = 1.0, 4.0, 0
    while steps > 0 and idle < 2 and damping < LARGEST_DAMPING:
        gain, predicted = 0.0, 0.0
        if damped_step(theta, form.lower, form.upper, sums, sums[k + 1], damping, ridge, new):
            predicted = predicted_gain(theta, new, sums)
            if predicted < 0.1 * tolerance or value - MAX_CATCH_UP * predicted * steps > target:
                break
            reached = follow(new, form, trials, stiffness, course, new_sums)
            gain = value - reached
        if gain > 0:
            theta[:], value = new, reached
            sums, new_sums = new_sums, sums
            ratio = min(2 * gain / predicted - 1, 1.0)
            damping, growth = max(damping * max(SHRINK, 1 - ratio**3), LEAST_DAMPING), 4.0
            steps -= 1
            idle = idle + 1 if gain < tolerance else 0
            if value - MAX_CATCH_UP * gain * steps > target:
                break
        else:
            damping, growth = damping * growth, growth * 2
    return value


@njit
def polish_all(population, form, trials, stiffness, steps, tolerance, targets):
    """Polish every row of `population` in place; return their negative log-likelihoods."""
    values = np.empty(len(population))
    for i in range(len(population)):
        values[i] = polish(population[i], form, trials, stiffness, steps, tolerance, targets[i])
    return values


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
    ends: list[Population] = field(default_factory=list)

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
        near = population[values < self.value + MAX_CATCH_UP]
        return len(near) > 0 and self.offer(*self.best_of(near))

    @property
    def agreed(self) -> bool:
        """Whether enough restarts have reached the best NLL known."""
        wanted = 3 if self.model.whole.any() else 2
        return bool(np.sum(np.array(self.reached) <= self.value + AGREEMENT) >= wanted)

    def run(self) -> None:
        """Restart until enough restarts agree; recombine what they found if they never do."""
        while not self.agreed and len(self.reached) < self.budget.restarts:
            end = self.restart(generator(*self.stream, len(self.reached)))
            self.offer(*end)
            self.reached.append(end[1])
            if len(self.reached) == self.budget.restarts and not self.agreed:
                self.offer(*self.restart(generator(*self.stream, "recombine"), self.ends))

    def restart(
        self, rng: np.random.Generator, ends: Sequence[Population] = ()
    ) -> tuple[np.ndarray, float]:
        """Evolve a population from random starts and `ends`; return its best member and its NLL."""
        members = self.budget.members * (2 if self.model.whole.any() and not self.model.cued else 1)
        population, values = best_first(*self.polished(self.starts(3 * members, rng)))
        groups = zip((population[:members], values[:members]), *ends, strict=True)
        return self.evolve(*best_first(*map(np.concatenate, groups)), rng)

    def evolve(
        self, population: np.ndarray, values: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, float]:
        """Evolve a population until it gains no more; return its best member and its NLL."""
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
            others, reached = self.polished(self.other_lengths(best), value)
            others, reached = best_first(others, reached)
            if reached[0] > value - GAIN:
                break
            best, value = min((best, value), self.best_of(others[:3]), key=lambda end: end[1])
        self.ends.append((np.vstack([best, population[:2]]), np.array([value, *values[:2]])))
        return best, value

    def other_lengths(self, theta: np.ndarray) -> np.ndarray:
        """Return parameters with every other value of one parameter that has no slope."""
        candidates = []
        for j in np.flatnonzero(self.model.whole):
            values = np.arange(self.model.lower[j], self.model.upper[j] + 1)
            others = np.tile(theta, (len(values), 1))
            others[:, j] = values
            candidates.append(others)
        return np.concatenate(candidates)

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
        values = nll(self.model, population, self.trials)
        return population[np.argmin(values)], float(values.min())

    def root(self, theta: np.ndarray) -> np.ndarray:
        """Return the search coordinates of parameters: their signed roots."""
        return np.where(self.model.cubic, np.cbrt(theta), theta)

    def parameters(self, root: np.ndarray) -> np.ndarray:
        """Return the parameters of search coordinates."""
        theta = np.where(self.model.cubic, root**3, root)
        return np.clip(theta, self.model.lower, self.model.upper)

    def starts(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Draw starts: half of them anywhere, half without learning at the mean response.

        What a rate multiplies stays random: from there the first steps find the rates.
        Noise falls or rises in some, also to its limits, from where no slope leads back.
        """
        model, trials = self.model, self.trials
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

        A quarter are moved towards a better member and by the difference of two others, in the
        parameters of all conditions or of one.  A quarter take a condition from another member.
        Half get new values of a few parameters, anywhere or nearby.
        """
        x = self.root(population)
        n, k = x.shape
        conditions = len(self.model.conditions)
        better = x[rng.integers(min(n, max(2, n // 5)), size=n)]
        toward = rng.random((n, 1)) < 0.7
        factor = rng.choice([0.5, 0.8, 1.0], size=(n, 1))
        moved = x + factor * (toward * (better - x) + x[rng.permutation(n)] - x[rng.permutation(n)])
        crossed = rng.random((n, k)) < rng.choice([0.2, 0.5, 0.9], size=(n, 1))
        owners = self.model.owners
        exchanged = (owners == rng.integers(conditions, size=(n, 1))) | (rng.random((n, 1)) < 0.3)
        exchanged |= (owners == -1) & (rng.random((n, 1)) < 0.5)
        children = np.where(crossed & exchanged, moved, x)
        kind = rng.random((n, 1))
        if conditions > 1:
            donor = x[np.minimum(rng.integers(n, size=n), rng.integers(n, size=n))]
            children = np.where(kind < 0.25, np.where(exchanged, donor, x), children)
        width = 10 ** rng.uniform(-3, -0.5, size=(n, 1)) * (self.high - self.low)
        drawn = np.where(
            rng.random((n, 1)) < 0.5,
            x + width * rng.standard_normal((n, k)),
            rng.uniform(self.low, self.high, size=(n, k)),
        )
        few = rng.random((n, k)) < rng.choice([1, 2, 4], size=(n, 1)) / k
        children = np.where(kind > 0.5, np.where(few, drawn, x), children)
        unchanged = (children == x).all(axis=1, keepdims=True)
        children = np.where(unchanged, moved, children)
        # Beyond a bound: move halfway to it instead.
        children = np.where(children < self.low, (x + self.low) / 2, children)
        children = np.where(children > self.high, (x + self.high) / 2, children)
        return self.at_responses(self.parameters(children), rng, 0.1)


def best_first(population: np.ndarray, values: np.ndarray) -> Population:
    """Sort a population by its NLL."""
    order = np.argsort(values, kind="stable")
    return population[order], values[order]
