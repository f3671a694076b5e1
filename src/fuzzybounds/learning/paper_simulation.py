"""The paper's simulation (Figs. 16 and 17): its update rule with both signs, and one trial."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe.task import (
    DEADLINE,
    DEADLINE_FRAMES,
    EASY,
    EDGE,
    FRAME,
    SimulatedTrials,
    draw_directions,
    end_trials,
    free_walk,
)
from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.learning.curves import curve_table, rate_of, window_noise
from fuzzybounds.learning.design import PAPER_UNCUED
from fuzzybounds.learning.policy import Decisions, paper_memberships
from fuzzybounds.learning.update_rules import Learning, Range, Rule, Sign, learn
from fuzzybounds.storage.seeds import generator

SIGNS: dict[str, Sign] = {"as printed": -1, "sign reversed": 1}
"""The sign of the update (A15)."""
STREAM = "learning"
"""Names the random numbers of this stage."""
SNAPSHOT = 100
"""Trials between two snapshots of the consequents."""
NOISE_TRIALS = 1_000_000
"""Trials from which the noise of a window is computed."""


class PaperSimulation(NamedTuple):
    """What :func:`simulate_learning` returns: one table per output of the stage."""

    curves: pd.DataFrame
    consequents: pd.DataFrame
    initial: pd.DataFrame
    trial: pd.DataFrame


def simulate_learning(
    *,
    rule_base: Mapping[str, str],
    o: float,
    frames: int,
    learning_rate: float,
    leak: float,
    range: Range,
    trials: int,
    replicates: int,
    seed: int,
) -> PaperSimulation:
    """Let fuzzy subjects learn their consequents by the paper's rule, with either sign.

    Parameters
    ----------
    rule_base : mapping
        The initial rules: letters C and S by position label, one per time label.
    o : float
        A response has probability O / o at each decision.
    frames : int
        Frames between two decisions.
    learning_rate, leak, range
        Options of :class:`~fuzzybounds.learning.update_rules.Rule`.
    trials, replicates : int
    seed : int
    """
    memberships = paper_memberships(len(rule_base))
    start = Controller(memberships, memberships, RuleBase.from_table(rule_base))
    decisions = Decisions(float(o), frames)
    curves, consequents = [], []
    for name, sign in SIGNS.items():
        learning = learn(
            Rule("outcome", learning_rate=learning_rate, leak=leak, sign=sign, range=range),
            start,
            decisions,
            PAPER_UNCUED,
            trials=trials,
            replicates=replicates,
            rng=generator(seed, STREAM, name),
            every=SNAPSHOT,
        )
        curves.append(curve_table(name, learning))
        consequents.append(_consequents(name, learning, memberships.labels))
    fixed = learn(
        Rule(learning_rate=0.0),
        start,
        decisions,
        PAPER_UNCUED,
        trials=NOISE_TRIALS,
        replicates=1,
        rng=generator(seed, STREAM, "noise"),
        every=NOISE_TRIALS,
    )
    rate, noise = window_noise(fixed.reward, fixed.time)
    exact = rate_of(start, decisions, PAPER_UNCUED)
    return PaperSimulation(
        pd.concat(curves, ignore_index=True),
        pd.concat(consequents, ignore_index=True),
        pd.DataFrame([{"exact": exact, "simulated": rate, "sd_of_a_window": noise}]),
        _example_trial(start, decisions, generator(seed, STREAM, "trial")),
    )


def initial_rules(consequents: pd.DataFrame) -> RuleBase:
    """Return the rules before learning, from the table ``learning_consequents``."""
    first = consequents[consequents["trial"] == 0].drop_duplicates(["time_label", "position_label"])
    count = first["time_label"].nunique()
    return RuleBase.from_consequents(first["median"].to_numpy().reshape(count, count))


def _consequents(name: str, learning: Learning, labels: tuple[str, ...]) -> pd.DataFrame:
    """Median and middle 80 % over replicates of every consequent, at every snapshot."""
    low, middle, high = np.quantile(learning.consequents, (0.1, 0.5, 0.9), axis=0)
    trial, i, j = np.indices(middle.shape)
    return pd.DataFrame(
        {
            "rule": name,
            "trial": learning.trials[trial.ravel()],
            "time_label": np.array(labels)[i.ravel()],
            "position_label": np.array(labels)[j.ravel()],
            "median": middle.ravel(),
            "low": low.ravel(),
            "high": high.ravel(),
        }
    )


def simulate_trial(
    controller: Controller, decisions: Decisions, p0: float, rng: np.random.Generator
) -> SimulatedTrials:
    """Simulate one trial of a fuzzy subject, in plain steps; positions are toward the correct side.

    This is the reference for the compiled :mod:`fuzzybounds.learning.update_kernel`.
    """
    heading = np.ones(1, dtype=int)
    paths = free_walk(draw_directions(p0, heading, rng))
    time = np.arange(DEADLINE_FRAMES) * FRAME
    output = controller.output(time / DEADLINE, np.abs(paths[0, :-1]) / EDGE)
    responds = np.flatnonzero(rng.random(DEADLINE_FRAMES) * decisions.o < output)
    responds = responds[(responds > 0) & (responds % decisions.frames == 0)]
    frame = np.append(responds, DEADLINE_FRAMES)[:1]
    guess = rng.choice((-1, 1), size=1) if paths[0, frame[0]] == 0 else heading
    return end_trials(paths, heading, frame, guess)


def _example_trial(
    controller: Controller, decisions: Decisions, rng: np.random.Generator
) -> pd.DataFrame:
    """One easy trial with a correct response before the canoe came to the edge of the screen."""
    position = np.array([EDGE])
    while np.abs(position).max() >= EDGE:
        trial = simulate_trial(controller, decisions, EASY.p0, rng)
        if trial.correct[0]:
            position = trial.paths[0, : trial.frame[0] + 1]
    time = np.arange(position.size) * FRAME
    x, t = np.abs(position) / EDGE, time / DEADLINE
    active = controller.premises(t, x, normalised=True)
    names = controller.rules.time_labels
    table = {"time": time, "position": position, "output": controller.output(t, x)}
    for i, j in np.ndindex(active.shape[1:]):
        table[f"{names[i]},{names[j]}"] = active[:, i, j]
    return pd.DataFrame(table)
