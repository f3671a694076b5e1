"""All models that are compared, by name, each built for the trials that it is to be fitted to.

A model with few parameters is fitted before those that contain it, and they start from its fit, so
that none of them fits worse because of a poor search.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy import exp, log
from scipy.special import expit

from fuzzybounds.canoe.task import SPEED
from fuzzybounds.core.fitting import Parameter, search_scale
from fuzzybounds.stopping import boundaries, rules
from fuzzybounds.stopping.lattice import States
from fuzzybounds.stopping.model import Hazard, Model, mixed

WITHIN, BETWEEN, BOTH = "boundary_within", "boundary_between", "boundary_both"
INFERRED, IGNORED = "boundary_inferred", "boundary_ignored"
RULES, RULES_BOTH, RULES_INFERRED = "rules", "rules_both", "rules_inferred"
PIPELINE, CONTROL = "pipeline", "control"
GRADED = (RULES, RULES_BOTH, RULES_INFERRED)


@dataclass(frozen=True, eq=False)
class Context:
    """Information about the trials to which a model is fitted.

    Attributes
    ----------
    states : States
    level : float
        Median distance at the response, in 100 px.
    points : Points
        Two-class points of the same trials.
    beliefs : mapping
        The probability of every condition that the subject thinks possible, at every state
        (:func:`fuzzybounds.stopping.data.beliefs`).
    fitted : dict
        Parameters of the models that were fitted to these trials before, by name.
    """

    states: States
    level: float
    points: rules.Points
    beliefs: Mapping[str, np.ndarray]
    fitted: dict[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True)
class Entry:
    """A model of the catalogue: its family, and how it is built (None where it makes no sense)."""

    family: str
    build: Callable[[Context], Model | None]
    shape: str = ""
    labels: int = 0


NOISE: dict[str, tuple[tuple[Parameter, float], ...]] = {
    WITHIN: ((boundaries.LAPSE, -4.5), (boundaries.GAIN, -1.0), (boundaries.TAU, log(20.0))),
    BETWEEN: ((boundaries.LAPSE, -5.0), (boundaries.SIGMA, log(45.0))),
    BOTH: (
        (boundaries.LAPSE, -5.0),
        (boundaries.GAIN, -0.5),
        (boundaries.TAU, log(12.0)),
        (boundaries.SIGMA, log(35.0)),
    ),
}
"""Parameters of a boundary's noise, and where they start."""


def _boundary(name: str, family: str, shape: str, context: Context) -> Model:
    tau = SPEED * context.states.bins.width / 2  # half of what the canoe moves in a bin
    hazard = boundaries.crossing(shape, tau) if family == BETWEEN else boundaries.within(shape)
    width = {WITHIN: None, BETWEEN: lambda theta: tau, BOTH: lambda theta: exp(theta[-2])}
    parameters = (*boundaries.SHAPES[shape].parameters, *(own for own, _ in NOISE[family]))
    starts = _boundary_starts(family, shape, context)
    return Model(name, family, parameters, hazard, starts, width[family])


def _boundary_starts(family: str, shape: str, context: Context) -> list[np.ndarray]:
    """Return starts: a falling and a flat boundary, and what simpler models were fitted to."""
    kind, noise = family.removeprefix("boundary_"), [start for _, start in NOISE[family]]
    starts = [[*boundaries.falling(shape, context.level), *noise]]
    if shape != "constant":
        starts.append([*boundaries.flat(shape, context.level), *noise])
    if shape == "weibull" and (simple := context.fitted.get(f"{kind}_exponential")) is not None:
        starts.append([*boundaries.as_weibull(simple), *simple[3:]])
    if family == BOTH and (own := context.fitted.get(f"within_{shape}")) is not None:
        starts.append([*own, log(8.0)])
    return [np.array(start) for start in starts]


def _copies(own: tuple[Parameter, ...], ends: Mapping[str, Any]) -> list[Parameter]:
    """Return a copy of the parameters for each of several conditions."""
    return [replace(one, name=f"{one.name}_{end}") for end in ends for one in own]


def _two_boundaries(name: str, family: str, shape: str, context: Context) -> Model | None:
    """Return a model with a boundary for each of two conditions, if the subject has to infer it.

    Its control has two boundaries as well, whose weights are the same whatever the subject sees.
    """
    if len(context.beliefs) != 2:
        return None
    beliefs = dict(context.beliefs)
    if family == IGNORED:
        beliefs = dict.fromkeys(("one", "other"), np.full(context.states.time.size, 0.5))
    own = boundaries.SHAPES[shape].parameters
    parameters = (*_copies(own, beliefs), *(each for each, _ in NOISE[WITHIN]))
    hazard = mixed(boundaries.within(shape), len(own), np.stack(list(beliefs.values())))
    return Model(name, family, parameters, hazard, _starts_of_two(family, shape, context))


def _starts_of_two(family: str, shape: str, context: Context) -> list[np.ndarray]:
    """Return starts: the same boundary twice, two that differ, and what a simpler model found."""
    one = context.fitted.get(f"within_{shape}")
    if one is None:
        one = _boundary_starts(WITHIN, shape, context)[0]
    size = len(boundaries.SHAPES[shape].parameters)
    curve, noise, level = one[:size], one[size:], context.level
    flat, falling = (np.array(f(shape, level)) for f in (boundaries.flat, boundaries.falling))
    near, far = ([boundaries.scaled(own, s) for own in (curve, falling)] for s in (0.7, 1.3))
    pairs = [*zip(near, far, strict=True), (curve, boundaries.scaled(curve, 2.5)), (flat, falling)]
    starts = [np.concatenate([*pair, noise]) for pair in [(curve, curve), *pairs]]
    simpler = f"{family.removeprefix('boundary_')}_exponential"
    if shape == "weibull" and (own := context.fitted.get(simpler)) is not None:
        two = [boundaries.as_weibull(own[:3]), boundaries.as_weibull(own[3:6])]
        starts.append(np.concatenate([*two, own[6:]]))
    # Which of the two is for easy trials matters.
    swapped = [np.concatenate([s[size : 2 * size], s[:size], s[2 * size :]]) for s in starts[1:]]
    return [*starts, *swapped]


def _graded(name: str, family: str, number: int, context: Context) -> Model | None:
    """Return graded rules: alone, with noise between trials, or a rule base for each condition."""
    beliefs = context.beliefs if family == RULES_INFERRED else {}
    if family == RULES_INFERRED and len(beliefs) != 2:
        return None
    own = rules.starting_labels(number, *context.points.ranges)
    cells, common = rules.consequent_parameters(number), rules.label_parameters(number)
    hazard, width = rules.graded(number, own), None
    starts = _graded_starts(family, number, own, context)
    parameters: tuple[Parameter, ...] = (*cells, *common)
    if family == RULES:
        values = [np.append(*pair) for pair in starts]
    elif family == RULES_BOTH:
        parameters = (*parameters, boundaries.SIGMA)
        values = [np.concatenate([*pair, [log(s)]]) for pair in starts for s in (10.0, 40.0)]
        # Between two labels the shares change over about a quarter of a width.
        width = lambda theta: own[3, 0] / 4  # noqa: E731
    else:
        parameters = (*_copies(cells, beliefs), *common)
        hazard = mixed(hazard, len(cells), np.stack(list(beliefs.values())))
        values = [
            np.concatenate([rule + by, rule - by, moved])
            for rule, moved in starts
            for by in (0.0, 0.7, -0.7)
        ]
    notes = dict(zip(("time_range", "position_range"), context.points.ranges, strict=True))
    return Model(name, family, parameters, hazard, values, width, notes)


def _graded_starts(family, number, own, context) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return log-odds of the consequents and deviations of the labels to start from."""
    if family != RULES and (simple := context.fitted.get(f"graded_tuned_{number}")) is not None:
        return [(simple[: number * number], simple[number * number :])]
    # Labels as they are, and moved a little, with alternating signs.
    moved = np.round(0.4 * np.cos(2.0 * np.arange(4 * number) + 1.0), 6)
    return [(rule_ramp(own, context.level), by) for by in (np.zeros(4 * number), moved, -moved)]


def rule_ramp(labels: np.ndarray, level: float) -> np.ndarray:
    """Return log-odds of consequents that rise with distance about a level (100 px)."""
    beyond = (labels[2] - 100.0 * level) / 30.0
    return np.tile(np.clip(-1.5 + beyond, -7.0, 0.0), labels.shape[1])


def _pipeline(name: str, family: str, number: int, context: Context) -> Model:
    """Return the paper's model: rules and labels from two-class points; lapse and o fitted here."""
    hazard = rules.fixed(rules.pipeline(context.points, number, context.states))
    parameters = (boundaries.LAPSE, boundaries.GAIN)
    return Model(name, family, parameters, hazard, [np.array([-5.0, -1.5])])


TERMS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "t": lambda t, x: t,
    "x": lambda t, x: x,
    "tx": lambda t, x: t * x,
    "tt": lambda t, x: t**2,
    "xx": lambda t, x: x**2,
}
"""Regressors as functions of time (in 4 s) and distance (in 100 px)."""
REGRESSIONS = {
    "hazard_time": ("t", "tt"),
    "hazard_position": ("x", "xx"),
    "quadratic": ("t", "x", "tx", "tt", "xx"),
}
"""Controls: hazards with neither a boundary nor rules."""


def _regression(name: str, family: str, terms: tuple[str, ...], context: Context) -> Model:
    """Return a model with the hazard logistic(intercept + sum of coefficients times terms)."""

    def hazard(theta: np.ndarray, where: States, shift: np.ndarray) -> Hazard:
        t, x = where.time / 4.0, where.position / 100.0
        regressors = np.stack([np.ones_like(t), *(TERMS[term](t, x) for term in terms)])
        p = expit(theta @ regressors)
        return Hazard(p[None], lambda slopes: (regressors @ (slopes[0] * p * (1 - p)), np.zeros(1)))

    intercept = Parameter("intercept", "identity", -3.0, 3.0, -14.0, 8.0)
    slopes = [Parameter(f"by_{term}", "identity", 0.0, 3.0, -20.0, 20.0) for term in terms]
    starts = [
        np.append(-3.0, np.zeros(len(terms))),
        np.append(-5.0, [1.5 if term == "x" else 0.0 for term in terms]),
    ]
    return Model(name, family, (intercept, *slopes), hazard, starts)


def _catalogue() -> dict[str, Entry]:
    entries = {}

    def add(name: str, family: str, build: Callable, given: Any, shape="", labels=0) -> None:
        entries[name] = Entry(family, partial(build, name, family, given), shape, labels)

    for family, shapes, build in (
        (WITHIN, tuple(boundaries.SHAPES), _boundary),
        (BETWEEN, ("exponential",), _boundary),
        (BOTH, tuple(boundaries.SHAPES), _boundary),
        (INFERRED, ("exponential", "weibull"), _two_boundaries),
        (IGNORED, ("exponential", "weibull"), _two_boundaries),
    ):
        for shape in shapes:
            add(f"{family.removeprefix('boundary_')}_{shape}", family, build, shape, shape=shape)
    for family in GRADED:
        for n in (3, 5):
            name = f"graded_tuned{family.removeprefix('rules')}_{n}"
            add(name, family, _graded, n, labels=n)
    for n in (3, 5):
        add(f"pipeline_{n}", PIPELINE, _pipeline, n, labels=n)
    for name, terms in REGRESSIONS.items():
        add(name, CONTROL, _regression, terms)
    return entries


CATALOGUE: dict[str, Entry] = _catalogue()
"""Every model by its name; simple models before those that start from them."""


def rebuild(name: str, row: Mapping[str, Any], context: Context) -> tuple[Model, np.ndarray]:
    """Return a fitted model and its parameters on their search scales, from a row of its fits.

    Rules of the pipeline cannot be rebuilt: a row does not hold them.
    """
    if CATALOGUE[name].family in GRADED:
        time, position = (np.full((1, 1), row[own]) for own in ("time_range", "position_range"))
        context = replace(context, points=rules.Points(time, position, np.ones((1, 1), dtype=bool)))
    model = CATALOGUE[name].build(context)
    assert model is not None
    return model, search_scale(model.parameters, row)
