"""The fuzzy model of one subject: fit, draw and simulate it, and compute the likelihood of trials.

A fitted model says how much a subject wants to respond, O(t, x).  The paper's probability of
responding is O / o with a constant o that it does not give (ambiguity A07).  Here it is
O(t, x) * dt / scale, where `scale` is the mean time in s to a response if every rule says stop; it
does not depend on the step dt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from fuzzybounds.canoe.block_windows import block_ranges, split
from fuzzybounds.canoe.paths import draw_bridges, locate
from fuzzybounds.canoe.samples import SUBJECT, normalise
from fuzzybounds.canoe.task import (
    CONDITIONS,
    DEADLINE,
    FRAME,
    FRAME_RATE,
    free_walk,
    simulate_trials,
)
from fuzzybounds.checks.controls.bridges import weigh_by_survival
from fuzzybounds.classifier import FuzzyClassifier
from fuzzybounds.core.errors import InputError, listed
from fuzzybounds.core.seeds import generator
from fuzzybounds.datasets import ALL, Dataset
from fuzzybounds.other_models import BoundaryFit
from fuzzybounds.paper.figures import style
from fuzzybounds.paper.figures.fig06_fuzzy_output import THRESHOLD
from fuzzybounds.paper.figures.parts import draw_memberships, draw_output, draw_points
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.likelihood import path_log_likelihood
from fuzzybounds.paper.fuzzy.membership import label_words

DRAWN: tuple[type, ...] = (FuzzyClassifier, Controller, BoundaryFit)
"""What :func:`draw` accepts."""


def fit(
    data: Dataset,
    subject: str | None = None,
    window: str = ALL,
    *,
    n_labels: int = 3,
    condition: str = "easy",
    draw: int = 1,
    blocks: int = 20,
    normalisation: str = SUBJECT,
    **options: Any,
) -> FuzzyClassifier:
    """Fit the fuzzy model to one subject, as the workflow does.

    Parameters
    ----------
    data : Dataset
    subject : str, optional
        May be omitted if the data set has only one.
    window : {"all", "first", "last"}
        All blocks, or the first or last of them.
    n_labels : int
        Labels of each variable: the paper has three and five.
    condition : {"easy", "hard", "all"}
        Which trials (ambiguity A11).
    draw : int
        Which draw of the earlier points, from 1.
    blocks : int
        Number of blocks of a window.
    normalisation : {"subject", "design"}
        What is mapped to [0, 1] (ambiguity A09): the largest values of this draw in both windows,
        or the deadline and the edge of the screen.
    **options
        For :class:`~fuzzybounds.classifier.FuzzyClassifier`.

    Returns
    -------
    FuzzyClassifier
        Its memberships are in s and px; ``controller_`` is the paper's controller.
    """
    X, y, _ = data.points(subject, window, condition=condition, draw=draw, blocks=blocks)
    samples = data.samples(subject)
    samples = samples[samples["draw"] == draw]
    if condition != ALL:
        samples = samples[samples["condition"] == condition]
    if window != ALL:
        own = data.trials[data.trials["subject"].isin(samples["subject"])]
        samples = split(samples, block_ranges(own, blocks))
    scales = normalise(samples, normalisation).iloc[0]
    ranges = [[0.0, scales["time_range"]], [0.0, scales["position_range"]]]
    return FuzzyClassifier(n_labels, **{"ranges": ranges, **options}).fit(X, y)


def draw(
    model: FuzzyClassifier | Controller | BoundaryFit,
    points: Sequence[Any] | None = None,
    *,
    title: str = "",
) -> Figure:
    """Draw a model of a subject.

    Of a fuzzy model, its output with the boundary that it implies, and its membership functions.
    Of a fitted boundary, the boundary after all trials over the subject's responses.

    Parameters
    ----------
    model : FuzzyClassifier, Controller or BoundaryFit
        Memberships are in s and px.
    points : tuple, optional
        What :meth:`fuzzybounds.Dataset.points` returns, or (X, y), drawn on the output of a fuzzy
        model.
    title : str
        Whose model it is.
    """
    if not isinstance(model, DRAWN):
        accepted = listed([own.__name__ for own in DRAWN], len(DRAWN))
        raise InputError(f"a {type(model).__name__} cannot be drawn", [f"draw accepts {accepted}"])
    if isinstance(model, BoundaryFit):
        if points is not None:
            raise InputError("points", ["a boundary is drawn over the responses it was fitted to"])
        return _draw_boundary(model, title)
    controller = _controller(model)
    longest, furthest = controller.time.centers.max(), controller.position.centers.max()
    if points is not None:
        longest, furthest = points[0][["time", "position"]].max()
    times, positions = np.linspace(0, longest, 201), np.linspace(0, furthest, 201)
    figure, axes = style.subplots(1, 3, width=style.PAGE, height=2.3, width_ratios=(1.5, 1, 1))
    image = draw_output(axes[0], controller.output_grid(times, positions), longest, furthest)
    figure.colorbar(image, ax=axes[0], label="Output O", pad=0.02)
    boundary = controller.boundary(times, THRESHOLD, reach=furthest)
    boundary[~np.isfinite(boundary)] = np.nan
    axes[0].plot(times, boundary, color="white", lw=3)
    axes[0].plot(times, boundary, color="black", lw=1.4, label=f"O = {THRESHOLD}")
    if points is not None:
        draw_points(axes[0], points[0].assign(responded=points[1] == "stop"), "black")
    axes[0].set(xlim=(0, longest), ylim=(0, furthest), xlabel=style.TIME, ylabel=style.POSITION)
    above = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0), "ncols": 3}
    axes[0].legend(handletextpad=0.3, **above)
    for panel, variable, own, reach, name in (
        (axes[1], "time", controller.time, longest, style.TIME),
        (axes[2], "position", controller.position, furthest, style.POSITION),
    ):
        draw_memberships(panel, own, 0.0, reach)
        panel.set(xlabel=name, ylabel="Degree of membership")
        names = [label_words(variable, label) for label in own.labels]
        panel.legend(names, handlelength=1.4, columnspacing=1, **above)
    if title:
        style.note(figure, title)
    return figure


def _draw_boundary(found: BoundaryFit, title: str) -> Figure:
    """Draw one panel per condition."""
    responses, conditions = found.responses(), found.model.conditions
    size = {"width": 3.5 * len(conditions), "height": 2.3}
    figure, axes = style.subplots(1, len(conditions), squeeze=False, **size)
    times = np.linspace(0, responses["time"].max(), 201)
    for panel, condition in zip(axes.flat, conditions, strict=True):
        own = responses[responses["condition"] == condition]
        look = {"color": style.GREY, "ms": 2.5, "lw": 0, "label": "responses"}
        panel.plot(own["time"], own["position"], marker="o", mec="none", **look)
        panel.plot(times, found.boundary(times, condition), color=style.BLACK, label="boundary")
        panel.set(xlim=(0, times[-1]), ylim=(0, None), xlabel=style.TIME, ylabel=style.POSITION)
        panel.set_title(f"{condition} trials")
        panel.legend()
    if title:
        style.note(figure, title)
    return figure


def simulate(
    model: FuzzyClassifier | Controller,
    *,
    scale: float,
    trials: int = 100,
    condition: str = "easy",
    seed: int = 1,
) -> Dataset:
    """Let a model do the task.

    Parameters
    ----------
    model : FuzzyClassifier or Controller
        With memberships in s and px.
    scale : float
        Mean time (s) to a response where every rule says stop; at least one frame.
    trials : int
    condition : {"easy", "hard"}
    seed : int

    Returns
    -------
    Dataset
        One subject, "model", in one block, with its paths: it can be fitted again.
    """
    controller = _controller(model)
    if not scale >= FRAME:
        raise InputError(f"scale = {scale} s", [f"expected at least one frame, {FRAME:.4f} s"])
    if condition not in CONDITIONS:
        raise InputError(f"condition {condition!r}", [f"expected one of {', '.join(CONDITIONS)}"])
    kind = CONDITIONS[condition]

    def stop(time: np.ndarray, distance: np.ndarray) -> np.ndarray:
        return controller.output(time, distance) * FRAME / scale

    done = simulate_trials(stop, kind, trials, generator(seed, "model", condition))
    number = np.arange(1, trials + 1, dtype=np.int32)
    log = pd.DataFrame(
        {
            "subject": "model",
            "session": np.int32(1),
            "block": np.int32(1),
            "trial": number,
            "rt": np.where(done.responded, done.decision_time, np.nan),
            "total": kind.total_time(done.decision_time, done.correct),
            "reward": kind.reward(done.correct).astype(float),
            "condition": condition,
            "correct": done.correct,
            "position": done.position,
            "responded": done.responded,
        }
    )
    trial, frame = np.nonzero(np.arange(done.paths.shape[1]) <= done.frame[:, None])
    seen = {"trial": number[trial], "time": frame * FRAME, "position": done.paths[trial, frame]}
    return Dataset("model", log, pd.DataFrame({"subject": "model", **seen}), seed=seed)


def log_likelihood(
    model: FuzzyClassifier | Controller,
    data: Dataset,
    subject: str | None = None,
    window: str = ALL,
    *,
    scale: float,
    condition: str = "easy",
    bridges: int = 100,
) -> pd.Series:
    """Return the log-likelihood of every trial of a subject (Eq. Fuzzy_likelihood).

    Parameters
    ----------
    model : FuzzyClassifier or Controller
        With memberships in s and px.
    data : Dataset
    subject, window
        As in :func:`fit`.
    scale : float
        Mean time (s) to a response where every rule says stop.
    condition : {"easy", "hard", "all"}
    bridges : int
        Where no path was recorded, the likelihood is the mean over this many paths that end where
        the response was.

    Returns
    -------
    Series
        By trial number.  It is the log-probability of continuing at every frame before the
        response and of responding in its frame, given the canoe's movement.  Trials that cannot
        lie on a path of the canoe are left out.
    """
    controller = _controller(model)
    values = {}
    for trial, positions, responded in _paths(data, subject, window, condition, bridges):
        each = path_log_likelihood(
            controller, positions, np.full(len(positions), responded), dt=FRAME, scale=scale
        )
        values[trial] = np.logaddexp.reduce(each) - np.log(len(each))
    return pd.Series(values, name="log_likelihood", dtype=float).rename_axis("trial")


def response_scale(
    model: FuzzyClassifier | Controller,
    data: Dataset,
    subject: str | None = None,
    window: str = ALL,
    *,
    condition: str = "easy",
    bridges: int = 100,
) -> float:
    """Estimate the mean time (s) to a response where every rule says stop.

    It is the maximum of the likelihood as the step goes to 0: the integral of O over the time that
    was watched, per response.  Where no path was recorded, paths that end at the response are
    weighted by their survival, and scale and weights are iterated.

    Parameters
    ----------
    model, data, subject, window, condition, bridges
        As in :func:`log_likelihood`.
    """
    controller = _controller(model)
    exposures, responses = [], 0
    for _, positions, responded in _paths(data, subject, window, condition, bridges):
        times = FRAME * np.arange(1, positions.shape[1] + 1)
        exposures.append(FRAME * controller.output(times, positions).sum(axis=1))
        responses += responded
    if not responses:
        raise InputError(f"{data.name}: no response in these trials", ["expected at least one"])
    # A recorded path is repeated, so that all trials have the same number of paths.
    table = np.stack([np.resize(own, max(map(len, exposures))) for own in exposures], axis=1)
    _, scale = weigh_by_survival(table, responses)
    return max(scale, FRAME)


def _paths(
    data: Dataset, subject: str | None, window: str, condition: str, bridges: int
) -> Iterator[tuple[int, np.ndarray, bool]]:
    """Yield each trial's number, paths after frame 0 up to its end, and whether it has a response.

    Paths have the shape (n_paths, n_frames): one where it was recorded, else `bridges` of them.
    """
    own = data.of(subject, window)
    trials = own.trials
    if condition != ALL:
        trials = trials[trials["condition"] == condition]
    if trials.empty:
        requested = f"requested window {window}, condition {condition}"
        raise InputError(f"{data.name}: no trials", [requested])
    recorded = dict(tuple(own.paths.groupby("trial")))
    rng = generator(data.seed, data.name, str(trials["subject"].iloc[0]), "bridges")
    for row in trials.itertuples():
        time = row.rt if row.responded else DEADLINE
        frames = max(round(time * FRAME_RATE), 1)
        if row.trial in recorded:
            path = recorded[row.trial]
            at = FRAME * np.arange(1, frames + 1)
            positions = np.interp(at, path["time"], path["position"])[None]
        else:
            lattice = locate(np.array([time]), np.array([row.position]))
            if not lattice.fits.all():
                continue
            steps = draw_bridges(lattice, bridges, rng)[:, 0]
            positions = free_walk(steps)[:, 1 : frames + 1]
        yield row.trial, positions, bool(row.responded)


def _controller(model: FuzzyClassifier | Controller) -> Controller:
    return model if isinstance(model, Controller) else model.controller_
