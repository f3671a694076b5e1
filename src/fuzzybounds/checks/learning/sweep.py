"""A sweep over the choices that the paper leaves open about its update rule (A15 to A17).

Every reading has a control: the same update, with the outcome of the trial before.  Consequents
then change as much, but what comes of a trial says nothing about the rules that were active in it.
A rate that rises all the same does not show learning: the initial rules are so poor that any change
improves them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import get_args

import numpy as np
import pandas as pd

from fuzzybounds.checks.multiverse.grid import vary
from fuzzybounds.core.seeds import generator
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.printed import printed
from fuzzybounds.paper.reinforcement.design import PAPER_UNCUED
from fuzzybounds.paper.reinforcement.paper_simulation import moving_rate
from fuzzybounds.paper.reinforcement.policy import Decisions, paper_memberships
from fuzzybounds.paper.reinforcement.policy_value import rate_of
from fuzzybounds.paper.reinforcement.update_rules import Range, Rule, Sign, learn

LABELS = 3
PRINTED = printed("C16")
TRIALS = int(PRINTED["trials"] + PRINTED["window"])
"""Trials of a replicate: the paper's second rate is that of the window after 3000 trials."""
TOLERANCE = 0.1
"""Largest difference (coins/s) from a printed rate that counts as a match."""
RANGES: tuple[Range, ...] = ("clipped", "free")


def sweep_learning(
    *,
    o: Sequence[float],
    learning_rate: Sequence[float],
    leak: Sequence[float],
    replicates: int,
    seed: int,
) -> pd.DataFrame:
    """Run every reading of the paper's update rule that starts at the printed rate, and a control.

    The others are not simulated, and their columns are NaN: their exact reward rate before learning
    is not the printed one.

    Parameters
    ----------
    o, learning_rate, leak : sequence of float
        The values to combine, with every rule base of :func:`initial_rule_bases`, both signs, and
        consequents clipped or free.
    replicates : int
        Replicates of a reading, and of its control.
    seed : int

    Returns
    -------
    DataFrame
        The table ``learning_sweep``; :mod:`sweep_summary` summarises it.
    """
    rng = generator(seed, "learning", "sweep")
    memberships = paper_memberships(LABELS)
    bases = {letters(rules): rules for rules in initial_rule_bases()}

    @cache
    def start(rule_base: str, o: float) -> tuple[Controller, Decisions, float]:
        controller = Controller(memberships, memberships, bases[rule_base])
        return controller, Decisions(o), rate_of(controller, Decisions(o), PAPER_UNCUED)

    def evaluate(rule_base, o, learning_rate, leak, sign, range):
        controller, decisions, initial = start(rule_base, o)
        options = {"learning_rate": learning_rate, "leak": leak, "sign": sign, "range": range}

        def after(lagged: bool) -> float:
            rule = Rule(**options, lagged=lagged)
            run = (rule, controller, decisions, PAPER_UNCUED)
            simulation = learn(*run, trials=TRIALS, replicates=replicates, rng=rng, every=TRIALS)
            return float(moving_rate(simulation.reward, simulation.time)[:, -1].mean())

        starts = abs(initial - PRINTED["initial"]) <= TOLERANCE
        rates = [after(lagged) for lagged in (False, True)] if starts else [np.nan, np.nan]
        return {"initial": initial, "after_3000": rates[0], "control": rates[1]}

    choices = {"rule_base": list(bases), "o": o, "learning_rate": learning_rate, "leak": leak}
    return vary({**choices, "sign": get_args(Sign), "range": RANGES}, evaluate)


def initial_rule_bases() -> list[RuleBase]:
    """Return the initial rules that are tried.

    They are those of :func:`monotone_rule_bases`, and the one whose only "stop" is the rule that
    the paper names (Fig. 16): if time is L and position is M.
    """
    named = np.zeros((LABELS, LABELS))
    named[2, 1] = 1.0
    return [*monotone_rule_bases(LABELS), RuleBase.from_consequents(named)]


def monotone_rule_bases(n_labels: int) -> list[RuleBase]:
    """Return the rule bases of 0 and 1 that never take back "stop" as time or distance grows.

    Those without any rule that stops, or any that continues, are left out.
    """
    # Such a table is a staircase: the number of stopping positions grows with time.
    counts = product(range(n_labels + 1), repeat=n_labels)
    position = np.arange(n_labels)
    tables = [
        (position >= n_labels - np.array(stops)[:, None]).astype(float)
        for stops in counts
        if list(stops) == sorted(stops) and 0 < sum(stops) < n_labels**2
    ]
    return [RuleBase.from_consequents(table) for table in tables]


def letters(rules: RuleBase) -> str:
    """Write a rule base of 0 and 1 in one line, the largest position first: ``SSS/CSS/CCS``."""
    rows = rules.consequents.T[::-1]
    return "/".join("".join("S" if stop else "C" for stop in row) for row in rows == 1)
