"""Learning rules side by side: how much each earns, and how many trials it needs.

Every rule gets the learning rate that earns most on separate trials, over all initial rule bases
together; reported results come from other trials.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.learning.curves import exact_rates, trials_needed
from fuzzybounds.learning.design import PAPER_UNCUED, Design
from fuzzybounds.learning.policy import Decisions, paper_memberships
from fuzzybounds.learning.update_rules import Learning, Rule, learn
from fuzzybounds.learning.update_rules import soften as soften_consequents
from fuzzybounds.storage.seeds import generator

RULES = {
    "paper, as printed": Rule("outcome", sign=-1),
    "paper, sign reversed": Rule("outcome", sign=1),
    "hindsight": Rule("hindsight", range="logit"),
}
"""The contestants.  The paper's consequents are kept within [0, 1], so that p = O / o is one."""
SHARE = 0.95
"""The share of the best rate that must be reached."""


LABELS = 3
"""Labels of the contestants' memberships."""


class Contenders(NamedTuple):
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
) -> Contenders:
    """Let the paper's rule and one that follows the reward rate learn side by side.

    Parameters
    ----------
    reach : DataFrame
        Result table ``learning_reach``.
    starts : mapping
        Initial rule bases by name, as letters.
    soften : float
        How far their consequents are kept from 0 and 1.
    learning_rates : mapping
        Learning rates to choose from, by the kind of credit.
    trials, replicates, every, seed : int
        See :class:`Contest`.
    """
    memberships = paper_memberships(LABELS)
    controllers = {
        name: soften_consequents(
            Controller(memberships, memberships, RuleBase.from_table(letters)), soften
        )
        for name, letters in starts.items()
    }
    contest = Contest(controllers, Decisions(), PAPER_UNCUED, trials, replicates, every, seed)
    rates = reach.set_index(["labels", "memberships", "respond_at"])["reward_rate"]
    return Contenders(*compare(contest, learning_rates, float(rates[LABELS, "fixed", "steps"])))


class Contest(NamedTuple):
    """Who learns from what.

    Attributes
    ----------
    starts : mapping of str to Controller
        Initial rule bases by name.
    decisions : Decisions
    design : Design
    trials, replicates, every : int
        Trials of a replicate, number of replicates, and trials between two exact reward rates.
    seed : int
    """

    starts: Mapping[str, Controller]
    decisions: Decisions
    design: Design
    trials: int
    replicates: int
    every: int
    seed: int


def best_learning_rate(contest: Contest, name: str, candidates: Sequence[float]) -> float:
    """Return the candidate that earns most while it learns, on average over the rule bases."""
    if len(candidates) == 1:
        return candidates[0]

    def earned(alpha: float) -> float:
        runs = [run(contest, name, start, alpha, "tuning") for start in contest.starts]
        return float(np.mean([own.reward.sum() / own.time.sum() for own in runs]))

    return max(candidates, key=earned)


def run(contest: Contest, name: str, start: str, learning_rate: float, stage: str) -> Learning:
    """Let a rule learn from one start; every stage has its own trials."""
    return learn(
        replace(RULES[name], learning_rate=learning_rate),
        contest.starts[start],
        contest.decisions,
        contest.design,
        trials=contest.trials,
        replicates=contest.replicates,
        rng=generator(contest.seed, "contest", stage, name, start),
        every=contest.every,
    )


def compare(
    contest: Contest, candidates: Mapping[str, Sequence[float]], best: float
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Let every rule learn from every start.

    Parameters
    ----------
    contest : Contest
    candidates : mapping
        Learning rates to choose from, by the kind of credit ("outcome", "hindsight").
    best : float
        The best reward rate within reach of the labels.

    Returns
    -------
    curves : DataFrame
        The table ``learning_rule_curves``.
    summary : DataFrame
        The table ``learning_rules``; trials_needed is infinite where 95 % of the best was not
        reached within the trials.
    """
    curves, rows = [], []
    for name, rule in RULES.items():
        alpha = best_learning_rate(contest, name, candidates[rule.credit])
        for start in contest.starts:
            learning = run(contest, name, start, alpha, "shown")
            rates = exact_rates(learning, contest.starts[start], contest.decisions, contest.design)
            trials = learning.trials
            low, middle, high = np.quantile(rates, (0.1, 0.5, 0.9), axis=0)
            named = {"rule": name, "start": start}
            curves.append(
                pd.DataFrame({**named, "trial": trials, "median": middle, "low": low, "high": high})
            )
            needed = trials_needed(trials, rates, SHARE * best)
            # Quantiles are whole replicates: interpolation with infinity gives infinity.
            quick, typical, slow = np.quantile(needed, (0.1, 0.5, 0.9), method="higher")
            rows.append(
                {
                    **named,
                    "learning_rate": alpha,
                    "replicates": contest.replicates,
                    "reward_rate": middle[-1],
                    "reward_rate_low": low[-1],
                    "reward_rate_high": high[-1],
                    "share_of_best": middle[-1] / best,
                    "trials_needed": typical,
                    "trials_needed_low": quick,
                    "trials_needed_high": slow,
                    "reached": np.isfinite(needed).mean(),
                }
            )
    return pd.concat(curves, ignore_index=True), pd.DataFrame(rows)
