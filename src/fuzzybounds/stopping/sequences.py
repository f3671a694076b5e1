"""Hazards that users write, and decisions in any task whose evidence the experimenter knows.

A task is a table of moments at which a subject could respond: tokens that jump, cards that are
turned.  A hazard is a plain function of what there was to see then (:mod:`model`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from fuzzybounds.core.errors import InputError, listed
from fuzzybounds.core.fitting import SCALES, Parameter
from fuzzybounds.core.seeds import generator
from fuzzybounds.core.suggestions import suggestion
from fuzzybounds.datasets import ALL, SEED
from fuzzybounds.paper.reinforcement.design import PAPER_UNCUED
from fuzzybounds.stopping.catalogue import Context, Entry
from fuzzybounds.stopping.data import Data
from fuzzybounds.stopping.likelihood import Likelihood
from fuzzybounds.stopping.model import HazardFunction, Model
from fuzzybounds.stopping.recorded import Watched, states_of
from fuzzybounds.stopping.rules import Points

NEEDED = ("subject", "trial", "t", "x", "stop")
FAMILY = "written"
"""The family of hazards that users write."""
APART = 0.5
"""Further searches start so many standard deviations of the prior from the first one."""


@dataclass(frozen=True)
class StartingParameter(Parameter):
    """A parameter with the value, on the scale of the search, at which a search starts."""

    start: float = 0.0


def parameter(
    name: str,
    start: float,
    *,
    scale: str = "identity",
    bounds: tuple[float, float] | None = None,
    prior: tuple[float, float] | None = None,
) -> StartingParameter:
    """Describe a parameter of a hazard.

    Parameters
    ----------
    name : str
    start : float
        Where the search starts, in the parameter's unit, as everything but the prior's width.
    scale : {"identity", "ten", "hundred", "log", "logit"}
        On which it is searched: as it is, divided by 10 or 100, or its log or log-odds.
    bounds : tuple of float, optional
        By default ten standard deviations of the prior about its centre.
    prior : tuple of float, optional
        The centre of the prior, and its standard deviation on the scale of the search; by default
        the start, and 3.

    Examples
    --------
    >>> parameter("rate", 0.05, scale="logit").name
    'rate'
    """
    if scale not in SCALES:
        raise InputError(f"parameter {name}: scale {scale!r}", [suggestion(scale, SCALES)])
    what = f"start {start}, bounds {bounds}, prior {prior} on the scale {scale}"
    try:
        to_search, (center, sd) = SCALES[scale][1], prior or (start, 3.0)
        with np.errstate(all="ignore"):
            mean, first = float(to_search(center)), float(to_search(start))
            low, high = map(to_search, bounds) if bounds else (mean - 10 * sd, mean + 10 * sd)
    except (TypeError, ValueError) as error:
        raise InputError(f"parameter {name}: {what}", ["expected numbers, and pairs"]) from error
    if not (np.isfinite([mean, first]).all() and low <= first <= high and sd > 0):
        raise InputError(f"parameter {name}: {what}", ["expected a start within bounds, sd > 0"])
    return StartingParameter(name, scale, mean, sd, float(low), float(high), first)


@dataclass(frozen=True)
class HazardModel:
    """A stopping model that a user writes.

    Attributes
    ----------
    name : str
    hazard : callable
        ``h(t, x, outward, theta)``: the chance to respond at a moment, given that there was no
        response before.  Arguments are arrays that broadcast; theta are the parameters in their
        units, in their order.  To be pickled the function must have a name in a module.
    parameters : sequence of parameters
        Each from :func:`parameter`.
    meaning : str
        A sentence for :func:`fuzzybounds.models`.

    Examples
    --------
    >>> def steady(t, x, outward, theta):
    ...     return theta[0] + 0.0 * t
    >>> HazardModel("steady", steady, [parameter("rate", 0.1, scale="logit")]).entry.family
    'written'
    """

    name: str
    hazard: HazardFunction
    parameters: Sequence[StartingParameter]
    meaning: str = ""

    def __post_init__(self):
        if not (isinstance(self.name, str) and self.name and callable(self.hazard)):
            raise InputError(f"model {self.name!r}", ["expected a name and a function"])
        made = isinstance(self.parameters, Sequence) and all(
            isinstance(each, StartingParameter) for each in self.parameters
        )
        if not made or not self.parameters:
            raise InputError(f"model {self.name}", ["make a list of parameters by parameter()"])
        names = [each.name for each in self.parameters]
        if len(set(names)) < len(names):
            raise InputError(f"model {self.name}", [f"parameters of one name: {listed(names)}"])
        theta = np.array([SCALES[each.scale][0](each.start) for each in self.parameters])
        t, x = np.ones(4), np.ones((2, 4))
        value = self.hazard(t, x, t, theta)
        try:
            np.broadcast_to(value, x.shape)
        except ValueError as error:
            what = f"gives {np.shape(value)} for times of {t.shape} and evidence of {x.shape}"
            problem = ["compute with arrays that broadcast"]
            raise InputError(f"model {self.name}: its function {what}", problem) from error

    @property
    def entry(self) -> Entry:
        """The model as the catalogue has its own."""
        return Entry(FAMILY, partial(_build, self))


def _build(model: HazardModel, context: Context) -> list[Model]:
    first = np.array([parameter.start for parameter in model.parameters])
    moved = APART * np.array([parameter.sd for parameter in model.parameters])
    moved[1::2] *= -1
    bounds = np.array([(parameter.low, parameter.high) for parameter in model.parameters])
    starts = [np.clip(first + by * moved, *bounds.T) for by in (0, 1, -1)]
    return [Model(model.name, FAMILY, tuple(model.parameters), model.hazard, starts)]


@dataclass(frozen=True, eq=False)
class Decisions:
    """Decisions of subjects in a task whose evidence is known.

    Attributes
    ----------
    table : DataFrame
        One row per moment, in the order of time within a trial: subject, trial, t (time), x
        (evidence, how far from indifference), stop (True where the subject responded) and,
        optionally, outward (1 where the evidence grows, 0 where it shrinks; else 1) and block.
        Rows after a response are what the subject would have seen: simulations need them.
    name, seed
        Name the random numbers.

    Examples
    --------
    >>> rows = {"subject": "A", "trial": [1, 1, 2], "t": [1, 2, 1], "x": [1, 2, 1]}
    >>> Decisions(pd.DataFrame({**rows, "stop": [False, True, True]})).subjects
    ['A']
    """

    table: pd.DataFrame
    name: str = "decisions"
    seed: int = SEED
    truth: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self):
        if not isinstance(self.table, pd.DataFrame) or self.table.empty:
            raise InputError("decisions", [f"expected a table with rows: {', '.join(NEEDED)}"])
        table = self.table.reset_index(drop=True)
        if missing := [name for name in NEEDED if name not in table]:
            raise InputError("decisions", [f"no column {name!r}" for name in missing])
        numbers = all(map(pd.api.types.is_numeric_dtype, (table["t"], table["x"])))
        if not numbers or table[list(NEEDED)].isna().any(axis=None):
            what = "expected numbers in t and x, and no empty cell"
            raise InputError("decisions", [what])
        columns = {"outward": 1.0, "block": table["trial"]}
        new = {name: value for name, value in columns.items() if name not in table}
        table = table.assign(**new, subject=table["subject"].astype(str)).astype({"stop": bool})
        by_trial = table.groupby(["subject", "trial"], sort=False)
        often = by_trial["stop"].sum()
        if (often > 1).any():
            shown = listed(often.index[often > 1])
            raise InputError("decisions: more than one response", [f"subject and trial {shown}"])
        # Trials one after the other, each in its order.
        order = np.argsort(by_trial.ngroup().to_numpy(), kind="stable")
        object.__setattr__(self, "table", table.iloc[order].reset_index(drop=True))

    def __repr__(self) -> str:
        trials = len(self.table.drop_duplicates(["subject", "trial"]))
        return f"Decisions({self.name!r}: {len(self.subjects)} subjects, {trials} trials)"

    @property
    def subjects(self) -> list[str]:
        """The names of the subjects."""
        return list(dict.fromkeys(self.table["subject"]))

    def of(self, subject: str | None = None, window: str = ALL) -> Decisions:
        """Return the decisions of one subject; its name may be omitted if there is only one."""
        if subject is None and len(self.subjects) == 1:
            subject = self.subjects[0]
        if subject not in self.subjects or window != ALL:
            asked = f"subject {subject!r}, window {window!r}"
            shown = listed(self.subjects, 20)
            raise InputError(f"{self.name}: no {asked}", [f"window {ALL!r}, and one of {shown}"])
        return replace(self, table=self.table[self.table["subject"] == subject])

    def ready(self) -> Data:
        """Return the decisions of one subject, as stopping models are fitted to them."""
        table = self.table
        code = table.groupby("trial", sort=False).ngroup().to_numpy()
        stop = table["stop"].to_numpy()
        ended = table.groupby("trial", sort=False)["stop"].cumsum().to_numpy() - stop
        seen = ended == 0
        t, x, outward = (table[name].to_numpy(float) for name in ("t", "x", "outward"))
        where, number = states_of(t, x, outward)
        parts = np.split(number[seen], np.flatnonzero(np.diff(code[seen])) + 1)
        responded = np.array([stop[code == one].any() for one in range(code.max() + 1)])
        watched = Watched.from_sequences(parts, responded.tolist(), where.time.size)
        last = table[seen].groupby("trial", sort=False).last().reset_index()
        trials = last[["trial", "block"]].assign(
            rt=last["t"], position=last["x"], responded=responded
        )
        # As with a canoe: one earlier moment of each trial with a response.
        rng = generator(self.seed, self.name, self.subjects[0], "points")
        pairs = []
        for part, trial, stops in zip(parts, trials["trial"], responded, strict=True):
            if stops:
                earlier = part[rng.integers(max(len(part) - 1, 1))]
                pairs += [(part[-1], True, trial), (earlier, False, trial)]
        if not pairs:
            raise InputError(f"{self.name}, subject {self.subjects[0]}", ["no response"])
        states, stops, of_trial = map(np.array, zip(*pairs, strict=True))
        points = Points(where.time[states][None], where.position[states][None], stops[None])
        # No lattice is needed where every path was recorded.
        likelihood = Likelihood(None, where, watched)  # type: ignore[arg-type]
        name = self.subjects[0]
        return Data(name, ALL, trials, 0, {0.0: likelihood}, points, of_trial, PAPER_UNCUED)

    def simulate(self, hazard: np.ndarray, n: int, seed: int) -> Decisions:
        """Return simulated trials, each on the evidence of a trial that is drawn at random.

        `hazard` is that of every row of the table.
        """
        rng = generator(seed, self.name, "simulated")
        code = self.table.groupby("trial", sort=False).ngroup().to_numpy()
        first = np.flatnonzero(np.diff(code, prepend=-1))
        length = np.diff(np.append(first, code.size))
        drawn = rng.integers(first.size, size=n)
        rows = np.concatenate([first[one] + np.arange(length[one]) for one in drawn])
        trial = np.repeat(np.arange(1, n + 1), length[drawn])
        stops = pd.Series(rng.random(rows.size) < hazard[rows])
        stops &= stops.groupby(trial).cumsum() == 1
        made = self.table.iloc[rows].reset_index(drop=True)
        made = made.assign(subject="model", trial=trial, block=trial, stop=stops)
        return replace(self, table=made, name="model", seed=seed)
