"""Simulation of fitted models, along a subject's own trials and on new ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from fuzzybounds.canoe import task
from fuzzybounds.weibull.boundary import weibull
from fuzzybounds.weibull.learning_classes import Learner
from fuzzybounds.weibull.likelihood import course_of
from fuzzybounds.weibull.models import LEVEL_RANGE, Model
from fuzzybounds.weibull.trials import COLUMNS, Trials


def levels_after(model: Model, theta: np.ndarray, trials: Trials) -> np.ndarray:
    """Return the level of every condition's boundary after every trial.

    The level is ψ (or ψ0 + v in the classes that shift the whole curve), or the constant mean.

    Returns
    -------
    numpy.ndarray, (trial, condition)
    """
    levels = np.empty((len(trials.time), len(model.conditions)))
    course = course_of(model, theta, trials)
    for c, start in enumerate(_named(model, theta, "m" if model.shape == "constant" else "psi")):
        own = trials.condition == c
        # After a trial of the other condition the level is what the last own trial left.
        last = np.maximum.accumulate(np.where(own, np.arange(len(own)), -1))
        levels[:, c] = np.clip(np.where(last < 0, start, course.level[last]), *LEVEL_RANGE)
    return levels


def boundary_at(model: Model, theta: np.ndarray, c: int, level: float, t: np.ndarray) -> np.ndarray:
    """Return condition c's boundary b(t) once learning has brought its level to `level`."""
    t = np.asarray(t, float)
    if model.shape == "constant":
        return np.full(t.shape, float(level))
    psi, psi_prime, lam, phi = (
        _named(model, theta, name)[c] for name in ("psi", "psi_prime", "lam", "phi")
    )
    if model.learning in ("utility", "accuracy"):
        return (level - psi) + weibull(t, psi, psi_prime, lam, phi)
    return weibull(t, level, psi_prime, lam, phi)


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

    Parameters
    ----------
    model : Model
    theta : array_like
    conditions : sequence of {"easy", "hard"}
        The condition of every trial, for instance those that a subject had.
    rng : numpy.random.Generator
    boundary_time : {"decision", "total"}
        With the total time the boundary is read 4.05 s later; a penalty cannot be foreseen.
    design : mapping of str to Condition

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
        learner.learn(
            c,
            next_c=codes[k + 1] if k + 1 < len(codes) else None,
            reward=reward,
            correct=float(correct),
            total=total,
            t=decision if boundary_time == "decision" else total,
            size=abs(position) if responded else None,
        )
        rt = decision if responded else np.nan
        rows.append((rt, total, reward, name, correct, position, responded))
    columns = map(np.array, zip(*rows, strict=True))
    return dict(zip(COLUMNS, columns, strict=True))


def redraw(model: Model, theta: np.ndarray, trials: Trials, rng: np.random.Generator) -> Trials:
    """Draw new positions at each response of a subject, given its times.

    This is what the likelihood assumes: |x_k| is Normal(b(t_k), σ_k²), whatever caused the
    response at t_k.  No canoe need be able to be there, and a few |x_k| are negative.
    Times and outcomes stay the subject's own.

    Returns
    -------
    Trials
        As given, but for `size`.
    """
    learner = Learner(model, theta)
    sizes = trials.size.copy()
    for k, c in enumerate(trials.condition):
        size = None
        if trials.responded[k]:
            mean = float(learner.boundary(c, float(trials.time[k])))
            size = sizes[k] = mean + learner.sigma(c) * rng.standard_normal()
        learner.live_through(trials, k, size)
    return trials._replace(size=sizes)


def _stop_at(learner: Learner, c: int, noise: float, later: float) -> task.StoppingPolicy:
    """Stop for certain where the canoe is as far out as this trial's boundary."""

    def policy(time: np.ndarray, distance: np.ndarray) -> np.ndarray:
        return np.where(distance >= learner.boundary(c, time + later) + noise, 1.0, 0.0)

    return policy


def _named(model: Model, theta: np.ndarray, name: str) -> list[float]:
    """A parameter's value in every condition."""
    values = dict(zip(model.names, np.asarray(theta, float).tolist(), strict=True))
    return [values[name] if name in values else values[f"{name}_{c}"] for c in model.conditions]
