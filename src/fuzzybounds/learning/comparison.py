"""Learning rules side by side: how much each earns, and how many trials it needs.

Every rule gets the learning rate that earns most on separate trials, over all initial rule bases
together; reported results come from other trials.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.learning.curves import exact_rates, trials_needed
from fuzzybounds.learning.design import PAPER_UNCUED
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
DECISIONS = Decisions()


class Contenders(NamedTuple):
    """What :func:`compare_rules` returns: one table per output of the stage."""

    curves: pd.DataFrame
    summary: pd.DataFrame


@dataclass(frozen=True)
class Contest:
    """Initial rule bases by name, and how long each is learned from."""

    starts: Mapping[str, Controller]
    trials: int
    replicates: int
    every: int
    seed: int

    def run(self, name: str, start: str, learning_rate: float, stage: str) -> Learning:
        """Let a rule learn from one start; every stage has its own trials."""
        return learn(
            replace(RULES[name], learning_rate=learning_rate),
            self.starts[start],
            DECISIONS,
            PAPER_UNCUED,
            trials=self.trials,
            replicates=self.replicates,
            rng=generator(self.seed, "contest", stage, name, start),
            every=self.every,
        )

    def best_learning_rate(self, name: str, candidates: Sequence[float]) -> float:
        """Return the candidate that earns most while it learns, on average over rule bases."""
        if len(candidates) == 1:
            return candidates[0]

        def earned(alpha: float) -> float:
            runs = [self.run(name, start, alpha, "tuning") for start in self.starts]
            return float(np.mean([own.reward.sum() / own.time.sum() for own in runs]))

        return max(candidates, key=earned)


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
    Contenders
        The tables ``learning_rule_curves`` and ``learning_rules``; trials_needed is infinite where
        95 % of the best was not reached within the trials.
    """
    memberships = paper_memberships(LABELS)
    controllers = {
        name: soften_consequents(
            Controller(memberships, memberships, RuleBase.from_table(letters)), soften
        )
        for name, letters in starts.items()
    }
    contest = Contest(controllers, trials, replicates, every, seed)
    reached = reach.set_index(["labels", "memberships", "respond_at"])["reward_rate"]
    best = float(reached[LABELS, "fixed", "steps"])
    curves, rows = [], []
    for name, rule in RULES.items():
        alpha = contest.best_learning_rate(name, learning_rates[rule.credit])
        for start, controller in controllers.items():
            learning = contest.run(name, start, alpha, "shown")
            rates = exact_rates(learning, controller, DECISIONS, PAPER_UNCUED)
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
                    "learning_rate": alpha,
                    "replicates": replicates,
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
    return Contenders(pd.concat(curves, ignore_index=True), pd.DataFrame(rows))
