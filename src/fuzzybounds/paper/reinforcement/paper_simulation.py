"""The paper's simulation (Figs. 16 and 17): its update rule, a control of it, and one trial."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe.task import DEADLINE, EASY, EDGE, FRAME, FRAME_RATE, simulate_trials
from fuzzybounds.core.seeds import generator
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.printed import printed
from fuzzybounds.paper.reinforcement.design import PAPER_UNCUED
from fuzzybounds.paper.reinforcement.policy import Decisions, paper_memberships
from fuzzybounds.paper.reinforcement.policy_value import rate_of
from fuzzybounds.paper.reinforcement.update_rules import Learning, Range, Rule, Sign, learn

SIGNS: dict[str, Sign] = {"as printed": -1, "sign reversed": 1}
"""The sign of the update (A15)."""
CONTROL = "outcomes of the trial before"
"""The printed update with outcomes that have nothing to do with the trial's activations."""
STREAM = "learning"
"""Names the random numbers of this stage."""
WINDOW = int(printed("C16")["window"])
"""Trials in the moving window over which the paper shows the reward rate."""
SNAPSHOT = 100
"""Trials between two snapshots of the consequents."""
NOISE_TRIALS = 1_000_000
"""Trials from which the noise of a window is computed."""
EXAMPLES = 2000
"""Simulated trials among which the one of Fig. 16 is."""


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

    A control learns with the printed sign from the outcome of the trial before.

    Parameters
    ----------
    rule_base : mapping
        The initial rules: letters C and S by position label, one per time label.
    o : float
        A response has probability O / o at each decision.
    frames : int
        Frames between two decisions.
    learning_rate, leak, range
        Options of :class:`~fuzzybounds.paper.reinforcement.update_rules.Rule`.
    trials, replicates : int
    seed : int
    """
    memberships = paper_memberships(len(rule_base))
    start = Controller(memberships, memberships, RuleBase.from_table(rule_base))
    decisions = Decisions(float(o), frames)
    run = (start, decisions, PAPER_UNCUED)
    curves, consequents = [], []
    paper = Rule(learning_rate=learning_rate, leak=leak, range=range)
    rules = {name: replace(paper, sign=sign) for name, sign in SIGNS.items()}
    rules[CONTROL] = replace(paper, lagged=True)
    for name, rule in rules.items():
        learning = learn(
            rule,
            *run,
            trials=trials,
            replicates=replicates,
            rng=generator(seed, STREAM, name),
            every=SNAPSHOT,
        )
        curves.append(curve_table(name, learning))
        consequents.append(_consequents(name, learning, memberships.labels))
    fixed = learn(
        Rule(learning_rate=0.0),
        *run,
        trials=NOISE_TRIALS,
        replicates=1,
        rng=generator(seed, STREAM, "noise"),
        every=NOISE_TRIALS,
    )
    rate, noise = window_noise(fixed.reward, fixed.time)
    return PaperSimulation(
        pd.concat(curves, ignore_index=True),
        pd.concat(consequents, ignore_index=True),
        pd.DataFrame([{"exact": rate_of(*run), "simulated": rate, "sd_of_a_window": noise}]),
        _example_trial(start, decisions, generator(seed, STREAM, "trial")),
    )


def moving_rate(reward: np.ndarray, time: np.ndarray, window: int = WINDOW) -> np.ndarray:
    """Return the reward rate over the last `window` trials, total reward over total time.

    Trials are the last axis.  The window grows until it is whole: before, it has all trials so far.
    """

    def total(values: np.ndarray) -> np.ndarray:
        sums = np.cumsum(values, axis=-1)
        sums[..., window:] = sums[..., window:] - sums[..., :-window]
        return sums

    return total(reward) / total(time)


def window_noise(reward: np.ndarray, time: np.ndarray, window: int = WINDOW) -> tuple[float, float]:
    """Return mean and standard deviation of the reward rate over a window of a fixed policy.

    The rate of a window is a ratio of two means; to first order its deviation is that of
    r - rho d, over the mean time and the root of the window.
    """
    rate = reward.sum() / time.sum()
    return float(rate), float(np.std(reward - rate * time) / time.mean() / np.sqrt(window))


def curve_table(
    name: str, learning: Learning, window: int = WINDOW, every: int = 50
) -> pd.DataFrame:
    """Return the moving reward rate of every replicate as ``learning_curves.parquet`` has it."""
    rates = moving_rate(learning.reward, learning.time, window)[:, every - 1 :: every]
    replicate, point = np.indices(rates.shape).reshape(2, -1)
    columns = {
        "replicate": replicate,
        "trial": every * (point + 1),
        "reward_rate": rates.ravel(),
    }
    return pd.DataFrame({"rule": name, **columns})


def initial_rules(consequents: pd.DataFrame) -> RuleBase:
    """Return the rules before learning, from the table ``learning_consequents``."""
    first = consequents[consequents["trial"] == 0].drop_duplicates(["time_label", "position_label"])
    count = first["time_label"].nunique()
    return RuleBase.from_consequents(first["median"].to_numpy().reshape(count, count))


def _consequents(name: str, learning: Learning, labels: tuple[str, ...]) -> pd.DataFrame:
    """Median and middle 80 % over replicates of every consequent, at every snapshot."""
    low, middle, high = np.quantile(learning.consequents, (0.1, 0.5, 0.9), axis=0)
    trial, i, j = np.indices(middle.shape).reshape(3, -1)
    return pd.DataFrame(
        {
            "rule": name,
            "trial": learning.trials[trial],
            "time_label": np.array(labels)[i],
            "position_label": np.array(labels)[j],
            "median": middle.ravel(),
            "low": low.ravel(),
            "high": high.ravel(),
        }
    )


def _example_trial(
    controller: Controller, decisions: Decisions, rng: np.random.Generator
) -> pd.DataFrame:
    """One easy trial whose response is as near as any to that of the paper's Fig. 16.

    It is one of :data:`EXAMPLES` trials, among those with a correct response before the canoe came
    to the edge of the screen.  Positions are positive on the correct side.
    """

    def policy(time: np.ndarray, distance: np.ndarray) -> np.ndarray:
        decides = np.round(time * FRAME_RATE) % decisions.frames == 0
        output = controller.output(time / DEADLINE, distance / EDGE)
        return np.clip(output / decisions.o, 0, 1) * decides

    trials = simulate_trials(policy, EASY, EXAMPLES, rng)
    seen = np.arange(trials.paths.shape[1]) <= trials.frame[:, None]
    inside = np.where(seen, np.abs(trials.paths), 0).max(axis=1) < EDGE
    shown = trials.correct & inside & (trials.position != 0)
    if not shown.any():
        raise ValueError(f"no correct response in {EXAMPLES} trials: expected smaller o")
    response = printed("C21")
    near = np.hypot(
        trials.decision_time / DEADLINE - response["time"],
        np.abs(trials.position) / EDGE - response["position"],
    )
    # Rounded, so that of two points at the same distance the first trial is shown.
    chosen = np.argmin(np.where(shown, near.round(9), np.inf))
    side = np.sign(trials.position[chosen])
    position = trials.paths[chosen, : trials.frame[chosen] + 1] * side
    time = np.arange(position.size) * FRAME
    x, t = np.abs(position) / EDGE, time / DEADLINE
    active = controller.premises(t, x, normalised=True)
    names = controller.rules.time_labels
    table = {"time": time, "position": position, "output": controller.output(t, x)}
    for i, j in np.ndindex(active.shape[1:]):
        table[f"{names[i]},{names[j]}"] = active[:, i, j]
    return pd.DataFrame(table)
