"""All models that are compared, by name, each built for the trials that it is to be fitted to.

A model with few parameters is fitted before those that contain it, and they start from its fit, so
that none of them fits worse because of a poor search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy import exp, log

from fuzzybounds.beyond.stopping import boundaries, controls, rules, two_class
from fuzzybounds.beyond.stopping.lattice import States
from fuzzybounds.beyond.stopping.model import Model, mixed
from fuzzybounds.beyond.stopping.two_class import TwoClass
from fuzzybounds.core.fitting import Parameter, search_scale

WITHIN, BETWEEN, BOTH = "boundary_within", "boundary_between", "boundary_both"
TWO, INFERRED = "boundary_two", "boundary_inferred"
RULES, RULES_BOTH, RULES_INFERRED = "rules", "rules_both", "rules_inferred"
WANG_MENDEL, PIPELINE, CONTROL = "wang_mendel", "pipeline", "control"
BOUNDARIES = (WITHIN, BETWEEN, BOTH, TWO, INFERRED)
GRADED = (RULES, RULES_BOTH, RULES_INFERRED)
FAMILIES = (*BOUNDARIES, *GRADED, WANG_MENDEL, PIPELINE, CONTROL)
SEARCHED = 2
"""Of the rule bases of all draws, how many are tuned: those whose fixed labels fit best."""


@dataclass(frozen=True, eq=False)
class Context:
    """Information about the trials to which a model is fitted.

    Attributes
    ----------
    states : States
    level : float
        Median distance at the response, in 100 px.
    points : TwoClass
        Two-class points of the same trials.
    advantage : callable
        Returns that of responding over going on, at every state
        (:mod:`fuzzybounds.beyond.stopping.observer`).
    beliefs : callable
        Returns the probability of every condition that the subject thinks possible, at every state
        (:mod:`fuzzybounds.beyond.stopping.observer`).
    penalty : float
        Of the paper's pipeline as configured.
    fitted : dict
        Parameters of the models that were fitted to these trials before, by name.
    orders : dict
        Draws of two-class points by how well the rules that they gave fitted, by name of the model.
    learned : dict
        Rules that were learned from the points, by the number of labels.
    """

    states: States
    level: float
    points: TwoClass
    advantage: Callable[[], np.ndarray]
    beliefs: Callable[[], Mapping[str, np.ndarray]]
    penalty: float = 2.0
    fitted: dict[str, np.ndarray] = field(default_factory=dict)
    orders: dict[str, list[int]] = field(default_factory=dict)
    learned: dict[int, list[two_class.RuleSet]] = field(default_factory=dict)

    @property
    def width(self) -> float:
        """Width of a bin in s."""
        return self.states.bins.width


Builder = Callable[[Context], list[Model]]
SIMPLER = {
    "exponential": ("linear", boundaries.as_exponential),
    "weibull": ("exponential", boundaries.as_weibull),
}
"""Shapes with a simpler one, and how the simpler one's parameters are converted."""


@dataclass(frozen=True)
class Entry:
    """A model of the catalogue: its family, and how it is built and rebuilt.

    Nothing is built where a model makes no sense.
    """

    family: str
    build: Builder
    shape: str = ""
    labels: int = 0


def _boundary(name: str, family: str, shape: str, context: Context) -> list[Model]:
    curve = boundaries.SHAPES[shape].parameters
    noise = {
        WITHIN: (boundaries.LAPSE, boundaries.GAIN, boundaries.TAU),
        BETWEEN: (boundaries.LAPSE, boundaries.SIGMA),
        BOTH: (boundaries.LAPSE, boundaries.GAIN, boundaries.TAU, boundaries.SIGMA),
    }[family]
    tau = boundaries.crossing_width(context.width)
    hazard = boundaries.crossing(shape, tau) if family == BETWEEN else boundaries.within(shape)
    width = {WITHIN: None, BETWEEN: lambda theta: tau, BOTH: lambda theta: exp(theta[-2])}
    starts = _boundary_starts(family, shape, context)
    return [Model(name, family, (*curve, *noise), hazard, starts, width[family])]


def _boundary_starts(family: str, shape: str, context: Context) -> list[np.ndarray]:
    """Return starts: a flat and a falling boundary, and what simpler models were fitted to."""
    kind = family.removeprefix("boundary_")
    size = len(boundaries.SHAPES[shape].parameters)
    noise = {
        WITHIN: [-4.5, -1.0, log(20.0)],
        BETWEEN: [-5.0, log(45.0)],
        BOTH: [-5.0, -0.5, log(12.0), log(35.0)],
    }[family]
    level = context.level
    starts = [[*boundaries.falling(shape, level), *noise]]
    if shape != "constant":
        starts.append([*boundaries.flat(shape, level), *noise])
    fitted = context.fitted
    if shape != "constant" and (simple := fitted.get(f"{kind}_constant")) is not None:
        starts.append([*boundaries.flat(shape, simple[0]), *simple[1:]])
    inner, converted = SIMPLER.get(shape, ("", list))
    if (simple := fitted.get(f"{kind}_{inner}")) is not None:
        starts.append([*converted(simple), *simple[len(boundaries.SHAPES[inner].parameters) :]])
    if family == BOTH:
        if (own := fitted.get(f"within_{shape}")) is not None:
            starts.append([*own, log(8.0)])
        if (own := fitted.get(f"between_{shape}")) is not None:
            starts.append([*own[: size + 1], 0.0, log(6.0), own[-1]])
    if family == BETWEEN:
        # The slowest family: from the simplest start, and from what a simpler shape found.
        starts = [starts[0], *starts[-1:]] if len(starts) > 1 else starts
    return [np.array(start) for start in starts]


def _copies(own: Sequence[Parameter], ends: Iterable[str]) -> list[Parameter]:
    """Return a copy of the parameters for each of several conditions."""
    return [replace(one, name=f"{one.name}_{end}") for end in ends for one in own]


def _two_boundaries(name: str, family: str, shape: str, context: Context) -> list[Model]:
    """Return a model with a boundary for each of two conditions, if the subject has to infer it.

    Family `boundary_two` is the control: either boundary counts as much, wherever the canoe is.
    """
    beliefs = context.beliefs()
    if len(beliefs) != 2:
        return []
    own = boundaries.SHAPES[shape].parameters
    shares, ends = np.stack(list(beliefs.values())), list(beliefs)
    if family == TWO:
        shares, ends = np.full_like(shares, 0.5), ["first", "second"]
    parameters = (*_copies(own, ends), boundaries.LAPSE, boundaries.GAIN, boundaries.TAU)
    hazard = mixed(boundaries.within(shape), len(own), shares)
    return [Model(name, family, parameters, hazard, _starts_of_two(family, shape, context))]


def _starts_of_two(family: str, shape: str, context: Context) -> list[np.ndarray]:
    """Return starts: the same boundary twice, two that differ, and what simpler models found."""
    one = context.fitted.get(f"within_{shape}")
    if one is None:
        one = _boundary_starts(WITHIN, shape, context)[0]
    size = len(boundaries.SHAPES[shape].parameters)
    curve, noise, level = one[:size], one[size:], context.level
    flat, falling = (np.array(f(shape, level)) for f in (boundaries.flat, boundaries.falling))
    near, far = ([boundaries.scaled(own, s) for own in (curve, falling)] for s in (0.7, 1.3))
    pairs = [*zip(near, far, strict=True), (curve, boundaries.scaled(curve, 2.5)), (flat, falling)]
    starts = [np.concatenate([*pair, noise]) for pair in [(curve, curve), *pairs]]
    inner, converted = SIMPLER.get(shape, ("", list))
    kind = family.removeprefix("boundary_")
    if (simple := context.fitted.get(f"{kind}_{inner}")) is not None:
        n = len(boundaries.SHAPES[inner].parameters)
        two = [converted(simple[:n]), converted(simple[n : 2 * n])]
        starts.append(np.concatenate([*two, simple[2 * n :]]))
    if family == INFERRED:
        # Which of the two is for easy trials matters here.
        if (alike := context.fitted.get(f"two_{shape}")) is not None:
            starts.append(alike)
        starts += [
            np.concatenate([own[size : 2 * size], own[:size], own[2 * size :]])
            for own in starts[1:]
        ]
    return starts


def _wang_mendel(name: str, labels: int, tuned: bool, context: Context) -> list[Model]:
    if labels not in context.learned:
        context.learned[labels] = two_class.learn_rules(context.points, labels)
    found = context.learned[labels]
    start = np.array([-5.0, -1.5])
    if tuned:
        before = name.replace("_tuned", "")
        best = context.orders.get(before, [])[:SEARCHED]
        found = [own for own in found if own.draw in best] or found[:SEARCHED]
        start = context.fitted.get(before, start)
    return [
        _binary_model(name, WANG_MENDEL, labels, own, context.points.ranges, tuned, start)
        for own in found
    ]


def _pipeline(name: str, labels: int, penalised: bool, context: Context) -> list[Model]:
    """Return the paper's model: two-class points of one draw, and only lapse and o fitted here."""
    penalty = context.penalty if penalised else 0.0
    start = np.array([-5.0, -1.5])
    return [
        _binary_model(name, PIPELINE, labels, own, context.points.ranges, False, start)
        for own in two_class.run_pipeline(context.points.first, labels, penalty)
    ]


def _binary_model(name, family, labels, own, ranges, tuned, start) -> Model:
    cells = rules.names_of_consequents(labels)
    consequents = dict(zip(cells, own.consequents.ravel(), strict=True))
    notes = {**consequents, "time_range": ranges[0], "position_range": ranges[1], "draw": own.draw}
    if family == PIPELINE:
        moved = rules.deviations(own.labels, rules.starting_labels(labels, *ranges))
        for label, value in zip(rules.names_of_labels(labels), moved, strict=True):
            notes[label] = float(exp(value) if "_width_" in label else value)
    parameters: tuple[Parameter, ...] = rules.RESPONSE_PARAMETERS
    starts = [start]
    if tuned:
        parameters = (*parameters, *rules.label_parameters(labels))
        starts = [np.append(start, moved) for moved in _moved_labels(labels)[:2]]
    hazard = rules.binary(own.consequents, own.labels, tuned=tuned)
    return Model(name, family, parameters, hazard, starts, notes=notes)


def _moved_labels(labels: int) -> list[np.ndarray]:
    """Return deviations of labels to start from: none, and small ones of alternating sign."""
    moved = np.round(0.4 * np.cos(2.0 * np.arange(4 * labels) + 1.0), 6)
    return [np.zeros(4 * labels), moved, -moved]


def _graded(name: str, family: str, labels: int, tuned: bool, context: Context) -> list[Model]:
    """Return graded rules: alone, with noise between trials, or a rule base for each condition."""
    beliefs = context.beliefs() if family == RULES_INFERRED else {}
    if family == RULES_INFERRED and len(beliefs) != 2:
        return []
    ranges = context.points.ranges
    own = rules.starting_labels(labels, *ranges)
    cells = rules.consequent_parameters(labels)
    common = rules.label_parameters(labels) if tuned else ()
    hazard, width = rules.graded(labels, own, tuned=tuned), None
    starts = _graded_starts(family, labels, tuned, own, context)
    if family == RULES:
        parameters, values = (*cells, *common), [np.append(*pair) for pair in starts]
    elif family == RULES_BOTH:
        parameters = (*cells, *common, boundaries.SIGMA)
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
    notes = {"time_range": ranges[0], "position_range": ranges[1]}
    return [Model(name, family, parameters, hazard, values, width, notes)]


def _graded_starts(family, labels, tuned, own, context) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return log-odds of the consequents and deviations of the labels to start from."""
    cells, fitted, still = labels * labels, context.fitted, np.zeros(0)
    beyond = (own[2] - 100.0 * context.level) / 30.0
    ramp = np.tile(np.clip(-1.5 + beyond, -7.0, 0.0), labels)
    if family == RULES and not tuned:
        return [(np.full(cells, -3.0), still), (ramp, still)]
    simple = fitted.get(f"graded_{labels}", ramp)
    if not tuned:
        return [(simple, still)]
    if family == RULES or f"graded_tuned_{labels}" not in fitted:
        return [(simple, moved) for moved in _moved_labels(labels)]
    rule_base, moved = np.split(fitted[f"graded_tuned_{labels}"], [cells])
    return [(rule_base, moved)]


def _regression(name: str, terms: Sequence[str], context: Context) -> list[Model]:
    del context
    starts = [np.append(-3.0, np.zeros(len(terms)))]
    if "x" in terms:
        starts.append(np.append(-5.0, [1.5 if term == "x" else 0.0 for term in terms]))
    parameters = controls.regression_parameters(terms)
    return [Model(name, CONTROL, parameters, controls.regression(terms), starts)]


def _optimal(name: str, context: Context) -> list[Model]:
    parameters = (controls.INTERCEPT, controls.SENSITIVITY)
    starts = [np.array([-2.0, 0.0]), np.array([-2.0, -2.0])]
    return [Model(name, CONTROL, parameters, controls.softmax(context.advantage()), starts)]


def _catalogue() -> dict[str, Entry]:
    entries = {}

    def add(name: str, family: str, build: Callable, *given: Any, shape="", labels=0) -> None:
        entries[name] = Entry(family, partial(build, name, *given), shape, labels)

    for family in BOUNDARIES:
        build = _two_boundaries if family in (TWO, INFERRED) else _boundary
        for shape in boundaries.SHAPES:
            name = f"{family.removeprefix('boundary_')}_{shape}"
            add(name, family, build, family, shape, shape=shape)
    for n in (3, 5):
        for family in GRADED:
            end = family.removeprefix("rules") + f"_{n}"
            add(f"graded{end}", family, _graded, family, n, False, labels=n)
            add(f"graded_tuned{end}", family, _graded, family, n, True, labels=n)
    for n in (3, 5):
        add(f"wang_mendel_{n}", WANG_MENDEL, _wang_mendel, n, False, labels=n)
        add(f"wang_mendel_tuned_{n}", WANG_MENDEL, _wang_mendel, n, True, labels=n)
        add(f"pipeline_{n}", PIPELINE, _pipeline, n, True, labels=n)
        add(f"pipeline_free_{n}", PIPELINE, _pipeline, n, False, labels=n)
    for name, terms in controls.REGRESSIONS.items():
        add(name, CONTROL, _regression, terms)
    add("optimal", CONTROL, _optimal)
    return entries


CATALOGUE: dict[str, Entry] = _catalogue()
"""Every model by its name; simple models before those that start from them."""


def rebuild(name: str, row: Mapping[str, Any], context: Context) -> tuple[Model, np.ndarray]:
    """Return a fitted model and its parameters on their search scales, from a row of its fits."""
    entry = CATALOGUE[name]
    if entry.family in (*BOUNDARIES, CONTROL):
        (model,) = entry.build(context)
    else:
        ranges = (row["time_range"], row["position_range"])
        place = context.points._replace(
            time=np.full((1, 1), ranges[0]), position=np.full((1, 1), ranges[1])
        )
        model = _rebuild_rules(name, entry, row, ranges, place, context)
    return model, search_scale(model.parameters, row)


def _rebuild_rules(name, entry, row, ranges, place, context) -> Model:
    if name.startswith("graded"):
        return entry.build(replace(context, points=place, fitted={}, orders={}, learned={}))[0]
    labels = entry.labels
    consequents = np.array([row[column] for column in rules.names_of_consequents(labels)])
    own = rules.starting_labels(labels, *ranges)
    if entry.family == PIPELINE:
        columns = rules.names_of_labels(labels)
        moved = [log(row[c]) if "_width_" in c else row[c] for c in columns]
        own = rules.move(own, np.array(moved))
    found = two_class.RuleSet(consequents.reshape(labels, labels), own, int(row["draw"]))
    tuned = "tuned" in name
    return _binary_model(name, entry.family, labels, found, ranges, tuned, np.array([-5.0, -1.5]))
