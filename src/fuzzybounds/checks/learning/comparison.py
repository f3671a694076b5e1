"""Learning rules side by side: how much each earns, and how many trials it needs.

Every rule gets the learning rate that earns most on separate trials, over all initial rule bases
together; reported results come from other trials.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.core.seeds import generator
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.reinforcement.design import PAPER_UNCUED
from fuzzybounds.paper.reinforcement.policy import Decisions, paper_memberships
from fuzzybounds.paper.reinforcement.policy_value import rate_of
from fuzzybounds.paper.reinforcement.update_rules import Learning, Rule, learn

RULES = {
    "paper, as printed": Rule("outcome", sign=-1),
    "paper, sign reversed": Rule("outcome", sign=1),
    "hindsight": Rule("hindsight", range="logit"),
}
"""The rules.  The paper's consequents are kept within [0, 1], so that p = O / o is one."""
SHARE = 0.95
"""The share of the best rate that must be reached."""
LABELS = 3
DECISIONS = Decisions()


class Compared(NamedTuple):
    """What :func:`compare_rules` returns: one table per output of the stage."""

    curves: pd.DataFrame
    summary: pd.DataFrame


def compare_rules(
    reach: pd.DataFrame,
    *,
    starts: Mapping[str, Mapping[str, str]],
    soften: float,
    learning_rates: Mapping[str, Sequence[float]],
    trials: int,
    replicates: int,
    every: int,
    seed: int,
) -> Compared:
    """Let the paper's rule and one that follows the reward rate learn from every start.

    Parameters
    ----------
    reach : DataFrame
        Result table ``learning_reach``: the best rate within reach of the labels.
    starts : mapping
        Initial rule bases by name, as letters.
    soften : float
        How far their consequents are kept from 0 and 1.
    learning_rates : mapping
        Learning rates to choose from, by the kind of credit.
    trials, replicates, every, seed : int
        Trials of a replicate, number of replicates, and trials between two exact reward rates.

    Returns
    -------
    Compared
        The tables ``learning_rule_curves`` and ``learning_rules``; trials_needed is infinite where
        95 % of the best was not reached within the trials.
    """
    controllers = {name: softened(letters, soften) for name, letters in starts.items()}

    def run(name: str, start: str, learning_rate: float, stage: str) -> Learning:
        rule = replace(RULES[name], learning_rate=learning_rate)
        rng = generator(seed, "contest", stage, name, start)
        length = {"trials": trials, "replicates": replicates, "every": every}
        return learn(rule, controllers[start], DECISIONS, PAPER_UNCUED, rng=rng, **length)

    def earned(name: str, learning_rate: float) -> float:
        runs = [run(name, start, learning_rate, "tuning") for start in controllers]
        return float(np.mean([learning.reward.sum() / learning.time.sum() for learning in runs]))

    chosen = {
        name: max(learning_rates[rule.credit], key=partial(earned, name))
        for name, rule in RULES.items()
    }
    reached = reach.set_index(["labels", "respond_at"])["reward_rate"]
    best = float(reached[LABELS, "steps"])
    curves, rows = [], []
    for name, start in product(RULES, controllers):
        learning = run(name, start, chosen[name], "shown")
        rates = exact_rates(learning, controllers[start])
        low, middle, high = np.quantile(rates, (0.1, 0.5, 0.9), axis=0)
        named = {"rule": name, "start": start}
        shown = {"trial": learning.trials, "median": middle, "low": low, "high": high}
        curves.append(pd.DataFrame({**named, **shown}))
        needed = trials_needed(learning.trials, rates, SHARE * best)
        # Quantiles are whole replicates: interpolation with infinity gives infinity.
        quick, typical, slow = np.quantile(needed, (0.1, 0.5, 0.9), method="higher")
        rows.append(
            {
                **named,
                "learning_rate": chosen[name],
                "replicates": replicates,
                "reward_rate": middle[-1],
                "share_of_best": middle[-1] / best,
                "trials_needed": typical,
                "trials_needed_low": quick,
                "trials_needed_high": slow,
                "reached": np.isfinite(needed).mean(),
            }
        )
    return Compared(pd.concat(curves, ignore_index=True), pd.DataFrame(rows))


def softened(letters: Mapping[str, str], by: float) -> Controller:
    """Return a controller with consequents between `by` and 1 - `by`, from the letters of rules."""
    consequents = np.clip(RuleBase.from_table(letters).consequents, by, 1 - by)
    memberships = paper_memberships(len(letters))
    return Controller(memberships, memberships, RuleBase.from_consequents(consequents))


def exact_rates(learning: Learning, controller: Controller) -> np.ndarray:
    """Return the exact reward rate of every snapshot, of shape (replicates, snapshots)."""
    rates = np.empty(learning.consequents.shape[:2])
    for at in np.ndindex(*rates.shape):
        rules = replace(controller.rules, consequents=learning.consequents[at])
        rates[at] = rate_of(replace(controller, rules=rules), DECISIONS, PAPER_UNCUED)
    return rates


def trials_needed(trials: np.ndarray, rates: np.ndarray, target: float) -> np.ndarray:
    """Return after how many trials each replicate stays at `target` or above; inf if never.

    Rates have the shape (replicates, snapshots).
    """
    below = rates < target
    last_below = np.where(below.any(axis=1), rates.shape[1] - below[:, ::-1].argmax(axis=1), 0)
    return np.append(trials, np.inf)[last_below]
