"""The paper's simulation (Figs. 16 and 17): its update rule with both signs, and one trial."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe.task import EASY, EDGE
from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.learning.curves import curve_table, rate_of, window_noise
from fuzzybounds.learning.design import PAPER_UNCUED
from fuzzybounds.learning.policy import Decisions, paper_memberships, stop_probabilities
from fuzzybounds.learning.single_trial import simulate_trial
from fuzzybounds.learning.update_rules import Learning, Range, Rule, Sign, learn
from fuzzybounds.storage.seeds import generator

SIGNS: dict[str, Sign] = {"as printed": -1, "sign reversed": 1}
"""The sign of the update (A15)."""
STREAM = "learning"
"""Names the random numbers of this stage."""
SNAPSHOT = 100
"""Trials between two snapshots of the consequents."""


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
    policy = stop_probabilities(start, decisions)
    rate, noise = window_noise(policy, PAPER_UNCUED, generator(seed, STREAM, "noise"))
    exact = rate_of(start.rules.consequents, start, decisions, PAPER_UNCUED)
    return PaperSimulation(
        pd.concat(curves, ignore_index=True),
        pd.concat(consequents, ignore_index=True),
        pd.DataFrame([{"exact": exact, "simulated": rate, "sd_of_a_window": noise}]),
        _trial(start, decisions, seed),
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


def _trial(controller: Controller, decisions: Decisions, seed: int) -> pd.DataFrame:
    """One easy trial with a correct response before the canoe came to the edge of the screen."""
    rng = generator(seed, STREAM, "trial")
    trace = simulate_trial(controller, decisions, EASY, rng)
    while not (trace.responded and trace.correct and np.abs(trace.position).max() < EDGE):
        trace = simulate_trial(controller, decisions, EASY, rng)
    names = controller.rules.time_labels
    activations = {
        f"{time},{position}": trace.activation[:, i, j]
        for i, time in enumerate(names)
        for j, position in enumerate(names)
    }
    return pd.DataFrame(
        {"time": trace.time, "position": trace.position, "output": trace.output, **activations}
    )
