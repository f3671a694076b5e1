"""Boundaries at some point of a session, and experiments simulated from a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from fuzzybounds.canoe import task
from fuzzybounds.paper.boundaries.boundary import at_remaining, remaining
from fuzzybounds.paper.boundaries.models import LEVEL_RANGE, SIGMA_RANGE, Model
from fuzzybounds.paper.boundaries.recursion import course_of
from fuzzybounds.paper.boundaries.trials import COLUMNS, Trials, trials_of


def boundary_after(
    model: Model, theta: np.ndarray, trials: Trials, n: int, c: int
) -> tuple[Callable[[Any], Any], float]:
    """Return condition c's boundary b(t) after the first n trials, and its noise σ."""
    places = np.flatnonzero(trials.condition[:n] == c)
    p = model.of_condition(theta, c)
    start = level = p["m" if model.shape == "constant" else "psi"]
    if len(places) and model.learning != "none":
        level = course_of(model, theta, trials).level[places[-1]]
    used = float(np.clip(level, *LEVEL_RANGE))
    psi = start if model.shifts else used

    def boundary(t: Any) -> Any:
        if model.shape == "constant":
            return used + 0.0 * np.asarray(t)
        e = remaining(np.asarray(t), p["lam"], p["phi"])
        return used - psi + at_remaining(psi, p["psi_prime"], e)

    sigma = np.clip(p["sigma"] - p.get("alpha_s", 0.0) * (len(places) + 1), *SIGMA_RANGE)
    return boundary, float(sigma)


def generate(
    model: Model,
    theta: np.ndarray,
    conditions: Sequence[str],
    rng: np.random.Generator,
) -> dict[str, np.ndarray]:
    """Let a model do the canoe task.

    In each trial the whole boundary is b(t) + ε, with one ε from Normal(0, σ_k²) per trial: the
    boundary of which the observed position is a sample (section "Accumulated evidence paths" of the
    paper).  The canoe walks, the model responds at the first frame at which |position| reaches that
    boundary, with the side on which the canoe is, and learns from the outcome.  A boundary that is
    not reached within 15 s is a missed deadline.

    The fitted likelihood takes the response time as given.  Here it is not, so generated positions
    are bound by how far a canoe can have come, as the real ones are.

    `conditions` are those of all trials, for instance those that a subject had.  The boundary is
    read at the decision time.  Returns the columns
    :data:`~fuzzybounds.paper.boundaries.trials.COLUMNS` of a trials table.
    """
    n = len(conditions)
    made = {
        name: np.zeros(n, bool if name in ("correct", "responded") else float) for name in COLUMNS
    }
    made["condition"] = np.array(conditions, str)
    so_far = trials_of(made, model.conditions)
    for k, name in enumerate(made["condition"].tolist()):
        if model.learning != "none":
            so_far = trials_of({x: made[x][: k + 1] for x in COLUMNS}, model.conditions)
        boundary, sigma = boundary_after(model, theta, so_far, k, so_far.condition[k])
        condition, stop = task.CONDITIONS[name], _stop_at(boundary, sigma * rng.standard_normal())
        trial = task.simulate_trials(stop, condition, 1, rng)
        responded, correct = bool(trial.responded[0]), bool(trial.correct[0])
        decision = float(trial.decision_time[0])
        made["responded"][k], made["correct"][k] = responded, correct
        made["rt"][k] = decision if responded else np.nan
        made["total"][k] = condition.total_time(decision, correct)
        made["reward"][k] = condition.reward(correct)
        made["position"][k] = trial.position[0]
    return made


def _stop_at(boundary: Callable[[Any], Any], noise: float) -> task.StoppingPolicy:
    """Stop where the canoe is as far out as this trial's boundary."""

    def policy(time: np.ndarray, distance: np.ndarray) -> np.ndarray:
        return distance >= boundary(time) + noise

    return policy
