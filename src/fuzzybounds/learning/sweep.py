"""A sweep over the choices that the paper leaves open about its update rule (A15 to A17)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.learning.curves import WINDOW, moving_rate, rate_of
from fuzzybounds.learning.design import PAPER_UNCUED, Design
from fuzzybounds.learning.policy import Decisions, paper_memberships
from fuzzybounds.learning.update_rules import Range, Rule, Sign, learn
from fuzzybounds.storage.seeds import generator


class Sweep(NamedTuple):
    """What :func:`sweep_learning` returns: one table per output of the stage."""

    sweep: pd.DataFrame
    summary: pd.DataFrame


def sweep_learning(
    *,
    o: Iterable[float],
    learning_rate: Iterable[float],
    leak: Iterable[float],
    replicates: int,
    printed: Mapping[str, float],
    seed: int,
) -> Sweep:
    """Run every reading of the paper's update rule, and report which give its curve.

    Parameters
    ----------
    o, learning_rate, leak : iterable of float
        The values to combine.
    replicates : int
        Replicates of a setting that may match.
    printed : mapping
        The paper's reward rates.
    seed : int
    """
    table = sweep(
        paper_settings(o=o, learning_rate=learning_rate, leak=leak),
        PAPER_UNCUED,
        generator(seed, "learning", "sweep"),
        printed=printed,
        replicates=replicates,
    )
    return Sweep(table, sweep_summary(table))


@dataclass(frozen=True)
class Setting:
    """One way to read the paper's simulation."""

    rules: RuleBase
    rule: Rule
    decisions: Decisions


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


def paper_settings(
    *,
    o: Iterable[float] = (1, 3, 10, 20, 50),
    learning_rate: Iterable[float] = (1e-5, 1e-4, 3e-4, 1e-3, 1e-2),
    leak: Iterable[float] = (0.5, 0.9, 1.0),
    sign: Iterable[Sign] = (-1, 1),
    range: Iterable[Range] = ("clipped", "free"),
    frames: Iterable[int] = (30,),
) -> Iterator[Setting]:
    """Yield every combination of the choices that the paper leaves open, on three labels."""
    bases = monotone_rule_bases(3)
    choices = product(bases, o, frames, learning_rate, leak, sign, range)
    for rules, o_, between, alpha, gamma, way, keep in choices:
        rule = Rule("outcome", learning_rate=alpha, leak=gamma, sign=way, range=keep)
        yield Setting(rules, rule, Decisions(o_, between))


def sweep(
    settings: Iterable[Setting],
    design: Design,
    rng: np.random.Generator,
    *,
    printed: Mapping[str, float],
    tolerance: float = 0.1,
    trials: int = 4000,
    replicates: int = 10,
    window: int = WINDOW,
) -> pd.DataFrame:
    """Simulate settings of the paper's rule: one row per setting.

    Settings whose exact reward rate before learning is not the printed one cannot match, and are
    not simulated: their columns are NaN.  Of the others one replicate says which may match; those
    are simulated again, so that none matches by the luck of a replicate.

    Parameters
    ----------
    settings : iterable of Setting
    design : Design
    rng : numpy.random.Generator
    printed : mapping
        The paper's reward rates: "initial", and "after" 3000 trials.
    tolerance : float
        Largest difference that counts as a match; single replicates may differ by twice as much.
    trials, replicates, window : int

    Returns
    -------
    DataFrame
        The table ``learning_sweep``.
    """
    memberships = paper_memberships(3)
    initial: dict[tuple, float] = {}
    rows = []
    for setting in settings:
        controller = Controller(memberships, memberships, setting.rules)
        start = (letters(setting.rules), setting.decisions)
        if start not in initial:
            initial[start] = rate_of(
                setting.rules.consequents, controller, setting.decisions, design
            )

        def rates_of(count: int, setting=setting, controller=controller) -> np.ndarray:
            run = (setting.rule, controller, setting.decisions, design)
            own = learn(*run, trials=trials, replicates=count, rng=rng, every=trials)
            return moving_rate(own.reward, own.time, window).mean(axis=0)

        later = min(3000, trials - window)
        rates, count = np.full(trials - window + 1, np.nan), 0
        if abs(initial[start] - printed["initial"]) <= tolerance:
            rates, count = rates_of(1), 1
            if abs(rates[later] - printed["after"]) <= 2 * tolerance:
                rates, count = rates_of(replicates), replicates
        rows.append(
            {
                "rule_base": start[0],
                "o": setting.decisions.o,
                "frames": setting.decisions.frames,
                "learning_rate": setting.rule.learning_rate,
                "leak": setting.rule.leak,
                "sign": setting.rule.sign,
                "range": setting.rule.range,
                "initial": initial[start],
                "replicates": count,
                "first": rates[0],
                "after_3000": rates[later],
                "last": rates[-1],
                "match": count == replicates
                and bool(abs(rates[later] - printed["after"]) <= tolerance),
            }
        )
    return pd.DataFrame(rows)


def sweep_summary(table: pd.DataFrame) -> pd.DataFrame:
    """Summarise which settings of a sweep give the paper's curve: columns quantity and value."""
    signs = {-1: "as printed", 1: "reversed"}
    match = table[table["match"]]
    counts = {
        "settings": len(table),
        "settings that start as the paper": int(table["after_3000"].notna().sum()),
        "settings that match": len(match),
        **{
            f"settings that match with the sign {name}": int((match["sign"] == sign).sum())
            for sign, name in signs.items()
        },
        **{
            f"largest rate after 3000 trials with the sign {name}": round(
                float(table.loc[table["sign"] == sign, "after_3000"].max()), 4
            )
            for sign, name in signs.items()
        },
        **{
            f"{choice} in those that match": ", ".join(
                str(v) for v in sorted(match[choice].unique())
            )
            for choice in ("range", "o", "learning_rate", "leak", "rule_base")
        },
    }
    return pd.DataFrame({"quantity": list(counts), "value": [str(v) for v in counts.values()]})
