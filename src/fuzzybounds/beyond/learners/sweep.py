"""A sweep over the choices that the paper leaves open about its update rule (A15 to A17)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple, get_args

import numpy as np
import pandas as pd

from fuzzybounds.beyond.multiverse.grid import vary
from fuzzybounds.core.seeds import generator
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.reinforcement.design import PAPER_UNCUED
from fuzzybounds.paper.reinforcement.paper_simulation import WINDOW, moving_rate
from fuzzybounds.paper.reinforcement.policy import Decisions, paper_memberships
from fuzzybounds.paper.reinforcement.policy_value import rate_of
from fuzzybounds.paper.reinforcement.update_rules import Range, Rule, Sign, learn

LABELS = 3
TRIALS = 3000 + WINDOW
"""Trials of a replicate: the paper's second rate is that of the window after 3000 trials."""
TOLERANCE = 0.1
"""Largest difference that counts as a match; single replicates may differ by twice as much."""
RANGES: tuple[Range, ...] = ("clipped", "free")


class Sweep(NamedTuple):
    """What :func:`sweep_learning` returns: one table per output of the stage."""

    sweep: pd.DataFrame
    summary: pd.DataFrame


def sweep_learning(
    *,
    o: Sequence[float],
    learning_rate: Sequence[float],
    leak: Sequence[float],
    replicates: int,
    printed: Mapping[str, float],
    seed: int,
) -> Sweep:
    """Run every reading of the paper's update rule, and report which give its curve.

    Settings whose exact reward rate before learning is not the printed one cannot match, and are
    not simulated: their columns are NaN.  Of the others one replicate says which may match; those
    are simulated again, so that none matches by the luck of a replicate.

    Parameters
    ----------
    o, learning_rate, leak : sequence of float
        The values to combine, with every rule base of :func:`monotone_rule_bases`, both signs, and
        consequents clipped or free.
    replicates : int
        Replicates of a setting that may match.
    printed : mapping
        The paper's reward rates: "initial", and "after" 3000 trials.
    seed : int
    """
    rng = generator(seed, "learning", "sweep")
    memberships = paper_memberships(LABELS)
    bases = {letters(rules): rules for rules in monotone_rule_bases(LABELS)}

    @cache
    def start(rule_base: str, o: float) -> tuple[Controller, Decisions, float]:
        controller = Controller(memberships, memberships, bases[rule_base])
        return controller, Decisions(o), rate_of(controller, Decisions(o), PAPER_UNCUED)

    def evaluate(rule_base, o, learning_rate, leak, sign, range):
        controller, decisions, initial = start(rule_base, o)
        near = abs(initial - printed["initial"]) <= TOLERANCE
        rule = Rule("outcome", learning_rate=learning_rate, leak=leak, sign=sign, range=range)
        after, count = np.nan, 0
        for more in (1, replicates):
            # One replicate first; then all, unless it is far from the printed rate.
            if near and not abs(after - printed["after"]) > 2 * TOLERANCE:
                run = (rule, controller, decisions, PAPER_UNCUED)
                own = learn(*run, trials=TRIALS, replicates=more, rng=rng, every=TRIALS)
                after, count = moving_rate(own.reward, own.time)[:, -1].mean(), more
        error = abs(after - printed["after"])
        return {
            "initial": initial,
            "replicates": count,
            "after_3000": after,
            "match": count == replicates and bool(error <= TOLERANCE),
        }

    choices = {"rule_base": list(bases), "o": o, "learning_rate": learning_rate, "leak": leak}
    table = vary({**choices, "sign": get_args(Sign), "range": RANGES}, evaluate)
    return Sweep(table, sweep_summary(table))


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


def sweep_summary(table: pd.DataFrame) -> pd.DataFrame:
    """Summarise which settings of a sweep give the paper's curve: columns quantity and value."""
    match = table[table["match"]]
    counts: dict[str, object] = {
        "settings": len(table),
        "settings that start as the paper": int(table["after_3000"].notna().sum()),
        "settings that match": len(match),
    }
    signs = {"as printed": -1, "reversed": 1}
    for name, sign in signs.items():
        counts[f"settings that match with the sign {name}"] = int((match["sign"] == sign).sum())
    for name, sign in signs.items():
        largest = float(table.loc[table["sign"] == sign, "after_3000"].max())
        counts[f"largest rate after 3000 trials with the sign {name}"] = round(largest, 4)
    for choice in ("range", "o", "learning_rate", "leak", "rule_base"):
        found = ", ".join(str(value) for value in sorted(match[choice].unique()))
        counts[f"{choice} in those that match"] = found
    return pd.DataFrame({"quantity": list(counts), "value": [str(v) for v in counts.values()]})
