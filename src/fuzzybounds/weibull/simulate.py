"""Simulation of fitted models, along a subject's own trials and on new ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from fuzzybounds.canoe import task
from fuzzybounds.weibull.learner import Learner, Outcome
from fuzzybounds.weibull.models import Model
from fuzzybounds.weibull.trials import COLUMNS, Trials


def learner_after(model: Model, theta: np.ndarray, trials: Trials, n: int) -> Learner:
    """Return a model that has learnt from the first n of a subject's trials."""
    learner = Learner(model, theta)
    for k in range(n):
        learner.learn_from(trials, k, float(trials.size[k]) if trials.responded[k] else None)
    return learner


def generate(
    model: Model,
    theta: np.ndarray,
    conditions: Sequence[str],
    rng: np.random.Generator,
    boundary_time: str = "decision",
    design: Mapping[str, task.Condition] = task.CONDITIONS,
) -> dict[str, np.ndarray]:
    """Let a model do the canoe task.

    In each trial the whole boundary is b(t) + ε, with one ε from Normal(0, σ_k²) per trial: the
    boundary of which the observed position is a sample (section "Accumulated evidence paths" of the
    paper).  The canoe walks, the model responds at the first frame at which |position| reaches that
    boundary, with the side on which the canoe is, and learns from the outcome.  A boundary that is
    not reached within 15 s is a missed deadline.

    The fitted likelihood takes the response time as given.  Here it is not, so generated positions
    are bound by how far a canoe can have come, as the real ones are.

    `conditions` are those of all trials, for instance those that a subject had.  With the total
    time as boundary time the boundary is read 4.05 s later; a penalty cannot be foreseen.

    Returns
    -------
    dict of numpy.ndarray
        The columns rt, total, reward, condition, correct, position, responded of a trials table.
    """
    learner = Learner(model, theta)
    later = 0.0 if boundary_time == "decision" else task.OVERHEAD
    codes = [0 if len(model.conditions) == 1 else model.conditions.index(x) for x in conditions]
    rows = []
    for k, (c, name) in enumerate(zip(codes, conditions, strict=True)):
        noise = learner.sigma(c) * rng.standard_normal()
        trial = task.simulate_trials(_stop_at(learner, c, noise, later), design[name], 1, rng)
        responded, correct = bool(trial.responded[0]), bool(trial.correct[0])
        decision = float(trial.decision_time[0])
        reward = float(design[name].reward(correct))
        total = float(design[name].total_time(decision, correct))
        position = float(trial.position[0])
        outcome = Outcome(
            reward=reward,
            correct=float(correct),
            total=total,
            t=decision if boundary_time == "decision" else total,
            size=abs(position) if responded else None,
            next_c=codes[k + 1] if k + 1 < len(codes) else None,
        )
        learner.learn(c, outcome)
        rt = decision if responded else np.nan
        rows.append((rt, total, reward, name, correct, position, responded))
    columns = map(np.array, zip(*rows, strict=True))
    return dict(zip(COLUMNS, columns, strict=True))


def redraw(model: Model, theta: np.ndarray, trials: Trials, rng: np.random.Generator) -> Trials:
    """Draw new positions at each response of a subject, given its times.

    This is what the likelihood assumes: |x_k| is Normal(b(t_k), σ_k²), whatever caused the
    response at t_k.  No canoe need be able to be there, and a few |x_k| are negative.
    Times and outcomes stay the subject's own.
    """
    learner = Learner(model, theta)
    sizes = trials.size.copy()
    for k, c in enumerate(trials.condition):
        size = None
        if trials.responded[k]:
            mean = float(learner.boundary(c, float(trials.time[k])))
            size = sizes[k] = mean + learner.sigma(c) * rng.standard_normal()
        learner.learn_from(trials, k, size)
    return trials._replace(size=sizes)


def _stop_at(learner: Learner, c: int, noise: float, later: float) -> task.StoppingPolicy:
    """Stop for certain where the canoe is as far out as this trial's boundary."""

    def policy(time: np.ndarray, distance: np.ndarray) -> np.ndarray:
        return np.where(distance >= learner.boundary(c, time + later) + noise, 1.0, 0.0)

    return policy
