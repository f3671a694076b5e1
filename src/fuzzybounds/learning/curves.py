"""How well a learning rule does: reward rates over trials, and what the paper's figures need.

The paper shows one run's reward rate in a moving window of 1000 trials (Fig. 17).  Here are that
window, the exact reward rate of the consequents at any trial (no window, no noise), the noise of
the window itself, and a sweep over the choices that the paper leaves open (A15 to A17).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.learning.design import POLICY_SHAPE, Design
from fuzzybounds.learning.policy import (
    Decisions,
    paper_memberships,
    position_degrees,
    time_degrees,
)
from fuzzybounds.learning.policy_value import evaluate
from fuzzybounds.learning.simulator import simulate
from fuzzybounds.learning.update_rules import Learning, Rule, learn

if TYPE_CHECKING:
    import pandas as pd

WINDOW = 1000
"""Trials in the paper's moving window."""


def moving_rate(reward: np.ndarray, time: np.ndarray, window: int = WINDOW) -> np.ndarray:
    """Return the reward rate over the last `window` trials, total reward over total time.

    Parameters
    ----------
    reward, time : array, shape (..., trials)

    Returns
    -------
    array, shape (..., trials - window + 1)
        The first value belongs to trial `window`: none is made of fewer trials.
    """
    if not 1 <= window <= reward.shape[-1]:
        raise ValueError(f"window = {window}: expected 1 to {reward.shape[-1]} trials")

    def total(values: np.ndarray) -> np.ndarray:
        sums = np.cumsum(values, axis=-1, dtype=float)
        sums = np.concatenate([np.zeros((*sums.shape[:-1], 1)), sums], axis=-1)
        return sums[..., window:] - sums[..., :-window]

    return total(reward) / total(time)


def exact_rates(
    learning: Learning, controller: Controller, decisions: Decisions, design: Design
) -> np.ndarray:
    """Return the exact reward rate of every snapshot, of shape (replicates, snapshots)."""
    rates = np.empty(learning.consequents.shape[:2])
    for index in np.ndindex(rates.shape):
        rates[index] = rate_of(learning.consequents[index], controller, decisions, design)
    return rates


def rate_of(
    consequents: np.ndarray, controller: Controller, decisions: Decisions, design: Design
) -> float:
    """Return the exact reward rate of other consequents on a controller's labels."""
    # Only decisions have a probability: at steps that is a thirtieth of all frames.
    rows = np.flatnonzero(decisions.mask)
    time, position = time_degrees(controller.time)[rows], position_degrees(controller.position)
    policy = np.zeros(POLICY_SHAPE)
    policy[rows] = np.clip(time @ consequents @ position.T / decisions.o, 0.0, 1.0)
    return evaluate(policy, design).reward_rate


def trials_needed(trials: np.ndarray, rates: np.ndarray, target: float) -> np.ndarray:
    """Return after how many trials each replicate is at `target` for good; inf if never.

    Parameters
    ----------
    trials : array, shape (snapshots,)
    rates : array, shape (replicates, snapshots)
    target : float
    """
    below = rates < target
    last_below = np.where(below.any(axis=1), rates.shape[1] - below[:, ::-1].argmax(axis=1), 0)
    return np.append(trials, np.inf)[last_below]


def window_noise(
    policy: np.ndarray,
    design: Design,
    rng: np.random.Generator,
    *,
    window: int = WINDOW,
    trials: int = 1_000_000,
) -> tuple[float, float]:
    """Return mean and standard deviation of the reward rate over a window of a fixed policy.

    The rate of a window is a ratio of two means; to first order its deviation is that of
    r - rho d, over the mean time and the root of the window.
    """
    simulation = simulate(policy, design, trials, rng)
    reward, time = simulation.reward, simulation.total_time
    rate = reward.sum() / time.sum()
    return float(rate), float(np.std(reward - rate * time) / time.mean() / np.sqrt(window))


def curve_table(
    name: str, learning: Learning, window: int = WINDOW, every: int = 50
) -> pd.DataFrame:
    """Return the moving reward rate of every replicate as ``learning_curves.parquet`` has it."""
    import pandas as pd

    rates = moving_rate(learning.reward, learning.time, window)[:, ::every]
    replicates, points = rates.shape
    return pd.DataFrame(
        {
            "rule": name,
            "replicate": np.repeat(np.arange(replicates), points),
            "trial": np.tile(window + every * np.arange(points), replicates),
            "reward_rate": rates.ravel(),
        }
    )


@dataclass(frozen=True)
class Setting:
    """One way to read the paper's simulation."""

    rules: RuleBase
    rule: Rule
    decisions: Decisions


def monotone_rule_bases(n_labels: int) -> list[RuleBase]:
    """Return the rule-bases of 0 and 1 that never take back "stop" as time or distance grows.

    Those with no rule that stops, or none that goes on, are left out.
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
    """Write a rule-base of 0 and 1 in one line, the largest position first: ``SSS/CSS/CCS``."""
    rows = rules.consequents.T[::-1]
    return "/".join("".join("S" if stop else "C" for stop in row) for row in rows == 1)


def paper_settings(
    *,
    o: Iterable[float] = (1, 3, 10, 20, 50),
    learning_rate: Iterable[float] = (1e-5, 1e-4, 3e-4, 1e-3, 1e-2),
    leak: Iterable[float] = (0.5, 0.9, 1.0),
    sign: Iterable[int] = (-1, 1),
    range: Iterable[str] = ("clipped", "free"),
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
    """Simulate settings of the paper's rule, a row each.

    Settings whose exact reward rate before learning is not the printed one cannot match, and are
    not simulated: their columns are NaN.  Of the others one replicate says which may match; those
    are simulated anew, so that none matches by the luck of a replicate.

    Parameters
    ----------
    settings : iterable of Setting
    design : Design
    rng : numpy.random.Generator
    printed : mapping
        The paper's reward rates: "initial", and "after" 3000 trials.
    tolerance : float
        How near is near; a replicate that is twice as far may match.
    trials, replicates, window : int

    Returns
    -------
    DataFrame
        The choices; ``initial``, the exact reward rate before learning; ``replicates``; ``first``,
        ``after_3000`` and ``last``, mean over replicates of the window's rate at its first place,
        3000 trials later and at the last; ``match``, whether initial and after_3000 are near the
        printed ones.
    """
    import pandas as pd

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
    """Say which settings of a sweep give the paper's curve: columns quantity and value."""
    import pandas as pd

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
