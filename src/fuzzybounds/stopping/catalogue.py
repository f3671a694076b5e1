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
from numpy import log
from scipy.special import expit

from fuzzybounds.canoe.task import SPEED
from fuzzybounds.core.fitting import Parameter, search_scale
from fuzzybounds.stopping import boundaries, rules, smooth
from fuzzybounds.stopping.boundaries import GAIN, INWARD, LAPSE, SHAPES, SIGMA, TAU
from fuzzybounds.stopping.lattice import LatticeStates
from fuzzybounds.stopping.model import Model, slopes_with_direction, with_direction

WITHIN, MET, BOTH = "boundary_within", "boundary_met", "boundary_both"
RULES, THREE_INPUTS = "rules", "rules_three_inputs"
PAPER_RULES, PIPELINE, CONTROL, CEILING = "paper_rules", "pipeline", "control", "ceiling"
DIRECTED = "_directed"
"""The end of the names of models and families in which the hazard depends on the direction."""
UNDIRECTED_START = 2.0
"""Log-odds of the ratio of hazards, inward to outward, from which searches start."""


@dataclass(frozen=True, eq=False)
class Context:
    """Information about the trials to which a model is fitted.

    Attributes
    ----------
    states : LatticeStates
    level : float
        Median distance at the response, in 100 px.
    points : Points
        Two-class points of the same trials.
    fitted : dict
        Parameters of the models that were fitted to these trials before, by name.
    """

    states: LatticeStates
    level: float
    points: rules.Points
    fitted: dict[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True)
class Entry:
    """A model of the catalogue: its family, how it is built, and from which fits it starts.

    Most models have one form; of several, that with the best fit is taken.
    """

    family: str
    build: Callable[[Context], list[Model]]
    before: tuple[str, ...] = ()
    shape: str = ""
    labels: int = 0

    @property
    def directed(self) -> bool:
        """Whether the hazard depends on the direction of the canoe."""
        return self.family.endswith(DIRECTED) or self.family == THREE_INPUTS


NOISE: dict[str, tuple[tuple[Parameter, float], ...]] = {
    WITHIN: ((LAPSE, -4.5), (GAIN, -1.0), (TAU, log(20.0))),
    MET: ((LAPSE, -5.0), (SIGMA, log(45.0))),
    BOTH: ((LAPSE, -5.0), (GAIN, -0.5), (TAU, log(12.0)), (SIGMA, log(35.0))),
}
"""Parameters of a boundary's noise, and where they start."""


def _boundary(name: str, family: str, shape: str, context: Context) -> list[Model]:
    # Half of what the canoe moves in a bin.
    tau = np.nan if family == WITHIN else SPEED * context.states.bins.width / 2
    hazards = boundaries.met(shape, tau) if family == MET else boundaries.within(shape)
    width = {WITHIN: None, MET: lambda values: tau, BOTH: lambda values: values[-1]}
    parameters = (*SHAPES[shape].parameters, *(each for each, _ in NOISE[family]))
    starts = _boundary_starts(family, shape, context)
    return [Model(name, family, parameters, hazards[0], starts, hazards[1], width[family])]


def _boundary_starts(family: str, shape: str, context: Context) -> list[np.ndarray]:
    """Return starts: a falling and a flat boundary, and what simpler models were fitted to."""
    kind, noise = family.removeprefix("boundary_"), [start for _, start in NOISE[family]]
    simple = context.fitted.get(f"within_{shape}")
    if family == MET and simple is not None:
        # Its fits take longest: noise between trials takes the place of noise within.
        curve, tau = simple[:-3], simple[-1]
        return [np.array([*curve, noise[0], max(tau + log(1.8), log(25.0))])]
    starts = [[*boundaries.falling(shape, context.level), *noise]]
    if shape != "constant":
        starts.append([*boundaries.flat(shape, context.level), *noise])
    if shape == "weibull" and (plain := context.fitted.get(f"{kind}_exponential")) is not None:
        starts.append([*boundaries.as_weibull(plain), *plain[3:]])
    if family == BOTH and simple is not None:
        starts.append([*simple, log(8.0)])
    return [np.array(start) for start in starts]


def _directed(name: str, family: str, plain: str, context: Context) -> list[Model]:
    """Return a model of the catalogue whose hazard is smaller where the canoe moves inward."""
    (model,) = CATALOGUE[plain].build(context)
    starts = model.starts
    if (simple := context.fitted.get(plain)) is not None:
        starts = [simple]
    end = len(model.parameters) - model.mixed  # Before sigma, which is always the last.
    starts = [np.insert(start, end, by) for start in starts for by in (UNDIRECTED_START, -1.5)]
    width = model.width_of_noise
    return [
        replace(
            model,
            name=name,
            family=family,
            parameters=(*model.parameters[:end], INWARD, *model.parameters[end:]),
            hazard=with_direction(model.hazard),
            slopes=slopes_with_direction(model.slopes) if model.slopes else None,
            starts=starts,
            width_of_noise=width and (lambda values: width(values[:-1])),
        )
    ]


def _ranges(context: Context) -> dict[str, float]:
    return dict(zip(("time_range", "position_range"), context.points.ranges, strict=True))


def _graded(name: str, family: str, number: int, context: Context) -> list[Model]:
    """Return graded rules of two inputs, or of three."""
    start = rules.starting_labels(number, *context.points.ranges)
    cells, common = rules.consequent_parameters(number), rules.label_parameters(number)
    hazard, slopes = rules.graded(number, start)
    parameters = (*cells, *common)
    starts = _graded_starts(family, number, start, context)
    values = [np.append(*pair) for pair in starts]
    if family == THREE_INPUTS:
        hazard, slopes = rules.three_inputs(number, start)
        inward = rules.consequent_parameters(number, "_inward")
        parameters = (*cells, *inward, *common)
        values = [
            np.concatenate([stop, stop - by, moved]) for stop, moved in starts for by in (0, 1)
        ]
    return [Model(name, family, parameters, hazard, values, slopes, notes=_ranges(context))]


def _graded_starts(family, number, start, context) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return log-odds of the consequents and deviations of the labels to start from."""
    if family != RULES and (simple := context.fitted.get(f"graded_{number}")) is not None:
        return [(simple[: number * number], simple[number * number :])]
    # Labels as they are, and moved a little, with alternating signs.
    moved = np.round(0.4 * np.cos(2.0 * np.arange(4 * number) + 1.0), 6)
    return [(rule_ramp(start, context.level), by) for by in (np.zeros(4 * number), moved, -moved)]


def rule_ramp(labels: np.ndarray, level: float) -> np.ndarray:
    """Return log-odds of consequents that rise with distance about a level (100 px)."""
    beyond = (labels[2] - 100.0 * level) / 30.0
    return np.tile(np.clip(-1.5 + beyond, -7.0, 0.0), labels.shape[1])


def _paper_rules(name: str, family: str, number: int, context: Context) -> list[Model]:
    """Return the paper's model, with tuned labels, for every monotone rule base."""
    start = rules.starting_labels(number, *context.points.ranges)
    parameters = (LAPSE, GAIN, *rules.label_parameters(number))
    first = np.append([-5.0, -1.5], np.zeros(4 * number))
    models = []
    for place, stop in enumerate(rules.monotone_bases(number)):
        hazard, slopes = rules.of_the_paper(stop, start)
        notes = {**_ranges(context), "base": float(place)}
        models.append(Model(name, family, parameters, hazard, [first], slopes, notes=notes))
    return models


def _pipeline(name: str, family: str, number: int, context: Context) -> list[Model]:
    """Return the paper's model: rules and labels from two-class points; lapse and o fitted here."""
    hazard = rules.fixed(rules.pipeline(context.points, number, context.states))
    return [Model(name, family, (LAPSE, GAIN), hazard, [np.array([-5.0, -1.5])])]


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


def _regression(name: str, family: str, terms: tuple[str, ...], context: Context) -> list[Model]:
    """Return a model with the hazard logistic(intercept + sum of coefficients times terms)."""

    def hazard(t, x, outward, theta):
        regressors = (TERMS[term](t / 4.0, x / 100.0) for term in terms)
        return expit(
            theta[0] + sum(by * each for by, each in zip(theta[1:], regressors, strict=True))
        )

    intercept = Parameter("intercept", "identity", -3.0, 3.0, -14.0, 8.0)
    slopes = [Parameter(f"by_{term}", "identity", 0.0, 3.0, -20.0, 20.0) for term in terms]
    starts = [
        np.append(-3.0, np.zeros(len(terms))),
        np.append(-5.0, [1.5 if term == "x" else 0.0 for term in terms]),
    ]
    return [Model(name, family, (intercept, *slopes), hazard, starts)]


def _ceiling(name: str, family: str, base: str, context: Context) -> list[Model]:
    """Return a smooth surface on top of a boundary."""
    (under,) = CATALOGUE[base].build(context)
    directed = CATALOGUE[base].directed
    assert under.slopes is not None
    size = len(under.parameters)
    hazard, slopes = smooth.surface(under.hazard, under.slopes, size, directed=directed)
    parameters = (*under.parameters, *smooth.surface_parameters("surface"))
    if directed:
        parameters = (*parameters, *smooth.surface_parameters("inward_surface"))
    first = context.fitted.get(base, under.starts[0])
    start = np.append(first, np.zeros(len(parameters) - len(first)))
    return [Model(name, family, parameters, hazard, [start], slopes)]


def _catalogue() -> dict[str, Entry]:
    entries = {}

    def add(name, family, build, given, *before, shape="", labels=0) -> None:
        entries[name] = Entry(family, partial(build, name, family, given), before, shape, labels)

    for shape in SHAPES:
        simple = ("within_exponential",) if shape == "weibull" else ()
        add(f"within_{shape}", WITHIN, _boundary, shape, *simple, shape=shape)
    for family in (MET, BOTH):
        name = f"{family.removeprefix('boundary_')}_exponential"
        add(name, family, _boundary, "exponential", "within_exponential", shape="exponential")
    for n in (3, 5):
        add(f"graded_{n}", RULES, _graded, n, labels=n)
    for name in [entry_name for entry_name in entries if entry_name != "within_constant"]:
        plain, family = entries[name], f"{entries[name].family}{DIRECTED}"
        add(
            f"{name}{DIRECTED}", family, _directed, name, *plain.before, name,
            shape=plain.shape, labels=plain.labels,
        )  # fmt: skip
    add("graded_three_inputs_3", THREE_INPUTS, _graded, 3, "graded_3", labels=3)
    add("paper_rules_3", PAPER_RULES, _paper_rules, 3, labels=3)
    for n in (3, 5):
        add(f"pipeline_{n}", PIPELINE, _pipeline, n, labels=n)
    for name, terms in REGRESSIONS.items():
        add(name, CONTROL, _regression, terms)
    base = "within_exponential"
    add("surface", CEILING, _ceiling, base, base)
    directed = f"{base}{DIRECTED}"
    add(f"surface{DIRECTED}", f"{CEILING}{DIRECTED}", _ceiling, directed, base, directed)
    return entries


CATALOGUE: dict[str, Entry] = _catalogue()
"""Every model by its name; simple models before those that start from them."""


def rebuild(name: str, row: Mapping[str, Any], context: Context) -> tuple[Model, np.ndarray]:
    """Return a fitted model and its parameters on their search scales, from a row of its fits.

    Rules of the pipeline cannot be rebuilt: a row does not hold them.
    """
    if CATALOGUE[name].labels:
        time, position = (np.full((1, 1), row[key]) for key in ("time_range", "position_range"))
        context = replace(context, points=rules.Points(time, position, np.ones((1, 1), dtype=bool)))
    models = CATALOGUE[name].build(context)
    model = models[int(row["base"])] if len(models) > 1 else models[0]
    return model, search_scale(model.parameters, row)
