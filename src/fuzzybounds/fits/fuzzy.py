"""The fuzzy model of one subject.

A fitted model says how much a subject wants to respond, O(t, x).  The paper's probability of
responding is O / o with a constant o that it does not give (ambiguity A07).  Here it is
O(t, x) * dt / scale, where `scale` is the mean time in s to a response if every rule says stop; it
does not depend on the step dt.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

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
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.seeds import generator
from fuzzybounds.datasets import ALL, STOP, Dataset, whole_number
from fuzzybounds.fits.subject import COLUMNS, WALD, SubjectFit, known, simulated, wald
from fuzzybounds.paper.figures import style
from fuzzybounds.paper.figures.fig06_fuzzy_output import THRESHOLD
from fuzzybounds.paper.figures.parts import draw_output, draw_points
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.likelihood import path_log_likelihood
from fuzzybounds.paper.fuzzy.membership import EXPONENT, equidistant, label_words, labels
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.fuzzy.tuning import Loss, moved, penalised

FUZZY = "fuzzy"
BRIDGES = 100
"""Paths that end at the response, where none was recorded: the likelihood is their mean."""
VARIABLES = ("time", "position")


def label_names(n_labels: int) -> list[str]:
    """Return the names of the parameters of the labels."""
    return [
        f"{variable}_{part}_{label}"
        for part in ("center", "width")
        for variable in VARIABLES
        for label in labels(n_labels)
    ]


class FuzzyFit(SubjectFit):
    """The fuzzy model of one subject, with its scale.

    Attributes
    ----------
    classifier : FuzzyClassifier
        The same model for scikit-learn; memberships are in s and px.
    points : tuple
        The two-class points that it was fitted to (:meth:`fuzzybounds.Dataset.points`).
    condition : str
    """

    model = FUZZY

    def __init__(
        self,
        data: Dataset,
        classifier: FuzzyClassifier,
        points: tuple[pd.DataFrame, pd.Series, pd.Series],
        condition: str,
        options: dict[str, Any],
    ):
        self.subject, self.data, self.options = data.subjects[0], data, options
        self.classifier, self.points, self.condition = classifier, points, condition

    def _repr_html_(self) -> str:
        return f"<p>{self!r}</p>{self.rules_frame().to_html()}"

    @property
    def rules(self) -> RuleBase:
        """The rule base."""
        return self.classifier.rules_

    @property
    def controller(self) -> Controller:
        """The controller of the paper, in s and px."""
        return self.classifier.controller_

    def sentences(self) -> list[str]:
        """Return every rule in words."""
        return self.classifier.sentences()

    def rules_frame(self) -> pd.DataFrame:
        """Return the rules: labels, degree of stop, points with this premise, and certainty."""
        model = self.classifier
        columns = {
            name: [label_words(name, label_set.labels[code]) for code in codes]
            for name, label_set, codes in zip(
                VARIABLES, model.memberships_, model.premises_.T, strict=True
            )
        }
        learnt = {"stop": model.consequents_, "support": model.support_}
        return pd.DataFrame({**columns, **learnt, "certainty": model.certainty_})

    def with_rule(self, time: str, position: str, stop: Any) -> FuzzyFit:
        """Return the model with another rule; its scale is estimated again.

        Parameters
        ----------
        time, position : str
            Labels, as :meth:`rules_frame` or the paper has them: "short" or "S".
        stop : float
            1 for stop, 0 for continue, or a degree between them.
        """
        if isinstance(stop, str) or not 0 <= stop <= 1:
            what = "expected 1 (stop), 0 (continue) or between them"
            raise InputError(f"stop = {stop!r}", [what])
        model = copy.copy(self.classifier)
        premise = []
        for name, word, label_set in zip(
            VARIABLES, (time, position), model.memberships_, strict=True
        ):
            words = [label_words(name, label) for label in label_set.labels]
            names = words if word not in label_set.labels else list(label_set.labels)
            premise.append(names.index(known(word, names, f"label of {name}")))
        keep = ~(model.premises_ == premise).all(axis=1)
        rules = {"premises_": premise, "consequents_": stop, "support_": 0, "certainty_": np.nan}
        if not keep.all():
            rules["support_"] = model.support_[~keep][0]
        table = {name: [*getattr(model, name)[keep], value] for name, value in rules.items()}
        order = np.lexsort(np.array(table["premises_"]).T[::-1])
        for name, values in table.items():
            setattr(model, name, np.array(values)[order])
        return FuzzyFit(self.data, model, self.points, self.condition, self.options)

    @cached_property
    def _exposure(self) -> tuple[float, int]:
        """The scale, and the number of responses that it was estimated from."""
        exposures, responses = [], 0
        for _, positions, responded in self._paths(self.data):
            times = FRAME * np.arange(1, positions.shape[1] + 1)
            exposures.append(FRAME * self.controller.output(times, positions).sum(axis=1))
            responses += responded
        if not responses:
            raise InputError(f"{self.data.name}: no response in these trials", ["expected one"])
        # A recorded path is repeated, so that all trials have the same number of paths.
        most = max(map(len, exposures))
        table = np.stack([np.resize(exposure, most) for exposure in exposures], axis=1)
        return max(weigh_by_survival(table, responses)[1], FRAME), responses

    @property
    def scale(self) -> float:
        """Mean time (s) to a response where every rule says stop.

        It is the maximum of the likelihood as the step goes to 0: the integral of O over the time
        that was watched, per response.  Where no path was recorded, paths that end at the response
        are weighted by their survival, and scale and weights are iterated.
        """
        return self._exposure[0]

    @property
    def k(self) -> int:  # type: ignore[override]
        """Free parameters: a centre and a width for every label, and the scale."""
        return 4 * self.classifier.n_labels + 1

    @cached_property
    def _logs(self) -> pd.Series:
        return self.log_likelihood(self.data)

    @property
    def n(self) -> int:  # type: ignore[override]
        """Trials in the likelihood."""
        return len(self._logs)

    @property
    def nll(self) -> float:  # type: ignore[override]
        """Negative log-likelihood of the trials' paths."""
        return -float(self._logs.sum())

    def _estimates(self) -> pd.DataFrame:
        model, (X, y, _) = self.classifier, self.points
        number = model.n_labels
        low, reach = model._scales(X.to_numpy(float))
        start = equidistant(number, convention=model.convention)
        centers, widths = np.tile(start.centers, 2), np.tile(start.widths, 2)
        inputs, responded = ((X.to_numpy(float) - low) / reach).T, (y == STOP).to_numpy()
        weights = np.ones(len(X))
        network = model._network(len(VARIABLES))
        loss = Loss(network, model.consequents_, inputs, responded, weights)
        tuned = model.tuned_
        by_center = (tuned.centers[0] - centers) / widths
        theta = np.append(by_center, np.log(tuned.widths[0] / widths))

        def gradient(deviation: np.ndarray) -> np.ndarray:
            return len(X) * penalised(deviation, loss, centers, widths, model.penalty)[1]

        def natural(deviation: np.ndarray) -> np.ndarray:
            parts = moved(deviation, centers, widths)
            shift, by = np.repeat(low, number), np.repeat(reach, number)
            return np.append(shift + by * parts[0], by * parts[1])

        names = label_names(number)
        free = np.full(theta.size, loss.possible)
        tuned_labels = wald(names, theta, gradient, natural, free, np.full(theta.size, 1e-4))
        scale, responses = self._exposure
        error = 1 / np.sqrt(responses)
        row = [scale, scale * error, *scale * np.exp([-WALD * error, WALD * error])]
        return pd.concat([tuned_labels, pd.DataFrame([row], ["scale"], COLUMNS)])

    def simulate(
        self, n: int = 100, *, seed: int = 1, condition: str = "", scale: float | None = None
    ) -> Dataset:
        """Let the model do the task.

        Parameters
        ----------
        n, seed : int
        condition : {"easy", "hard"}, optional
            By default that of the fit, or easy.
        scale : float, optional
            In place of the estimated scale; at least one frame.

        Returns
        -------
        Dataset
            One subject, "model", in one block, with its paths: it can be fitted again.
        """
        whole_number("n", n, 1)
        condition = condition or (self.condition if self.condition != ALL else "easy")
        kind = CONDITIONS[known(condition, list(CONDITIONS), "condition")]
        scale = self.scale if scale is None else scale
        if not scale >= FRAME:
            raise InputError(f"scale = {scale} s", [f"expected at least one frame, {FRAME:.4f} s"])

        def stop(time: np.ndarray, distance: np.ndarray) -> np.ndarray:
            return self.controller.output(time, distance) * FRAME / scale

        done = simulate_trials(stop, kind, n, generator(seed, "model", condition))
        columns = {
            "rt": done.decision_time,
            **{name: getattr(done, name) for name in ("position", "responded", "correct")},
        }
        trial, frame = np.nonzero(np.arange(done.paths.shape[1]) <= done.frame[:, None])
        seen = {"time": frame * FRAME, "position": done.paths[trial, frame]}
        path = pd.DataFrame({"subject": "model", "trial": (trial + 1).astype(np.int32), **seen})
        return simulated(columns, [condition] * n, seed, path)

    def log_likelihood(
        self, trials: Any = None, *, scale: float | None = None, bridges: int = BRIDGES
    ) -> pd.Series:
        """Return the log-likelihood of every trial (Eq. Fuzzy_likelihood).

        It is the log-probability of continuing at every frame before the response and of responding
        in its frame, given the canoe's movement.

        Parameters
        ----------
        trials : Dataset or DataFrame, optional
            By default those of the fit.
        scale : float, optional
            In place of the estimated scale.
        bridges : int
            Where no path was recorded, the likelihood is the mean over this many paths that end
            where the response was.
        """
        scale, values = self.scale if scale is None else scale, {}
        for trial, positions, responded in self._paths(self._given(trials), bridges):
            ends = np.full(len(positions), responded)
            logs = path_log_likelihood(self.controller, positions, ends, dt=FRAME, scale=scale)
            values[trial] = np.logaddexp.reduce(logs) - np.log(len(logs))
        return pd.Series(values, name="log_likelihood", dtype=float).rename_axis("trial")

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the output O, the boundary that it implies, and the points of the fit."""
        X, y, _ = self.points
        longest, furthest = X[list(VARIABLES)].max()
        if ax is None:
            _, ax = style.subplots(width=style.COLUMN, height=2.6)
        times, positions = np.linspace(0, longest, 201), np.linspace(0, furthest, 201)
        image = draw_output(ax, self.controller.output_grid(times, positions), longest, furthest)
        ax.figure.colorbar(image, ax=ax, label="Output O", pad=0.02)
        boundary = self.controller.boundary(times, THRESHOLD, reach=furthest)
        boundary[~np.isfinite(boundary)] = np.nan
        ax.plot(times, boundary, color="white", lw=3)
        ax.plot(times, boundary, color="black", lw=1.4, label=f"O = {THRESHOLD}")
        draw_points(ax, X.assign(responded=y == STOP), "black")
        ax.set(xlim=(0, longest), ylim=(0, furthest), xlabel=style.TIME, ylabel=style.POSITION)
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, handletextpad=0.3)
        return ax

    def _paths(
        self, data: Dataset, bridges: int = BRIDGES
    ) -> Iterator[tuple[int, np.ndarray, bool]]:
        """Yield each trial's number, paths after frame 0 to its end, and whether it has a response.

        Paths have the shape (n_paths, n_frames): one where it was recorded, else `bridges` of them.
        """
        trials = data.trials
        if self.condition != ALL:
            trials = trials[trials["condition"] == self.condition]
        if trials.empty:
            raise InputError(f"{data.name}: no trials", [f"requested condition {self.condition}"])
        recorded = dict(tuple(data.paths.groupby("trial")))
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


def fit_fuzzy(
    data: Dataset,
    window: str,
    *,
    condition: str = "easy",
    n_labels: int = 3,
    draw: int = 1,
    blocks: int = 20,
    normalisation: str = SUBJECT,
    **options: Any,
) -> FuzzyFit:
    """Fit the fuzzy model to one subject, as the workflow does; see :func:`fuzzybounds.fit`."""
    if isinstance(n_labels, bool) or not isinstance(n_labels, int) or n_labels < 2:
        what = "expected one whole number, at least 2; the paper has 3 and 5"
        raise InputError(f"n_labels = {n_labels!r}", [what])
    known(condition, [*CONDITIONS, ALL], "condition")
    known(options.get("convention", "width"), list(EXPONENT), "convention")
    points = data.points(None, window, condition=condition, draw=draw, blocks=blocks)
    samples = data.samples()
    samples = samples[samples["draw"] == draw]
    if condition != ALL:
        samples = samples[samples["condition"] == condition]
    if window != ALL:
        samples = split(samples, block_ranges(data.trials, blocks))
    scales = normalise(samples, normalisation).iloc[0]
    ranges = [[0.0, scales["time_range"]], [0.0, scales["position_range"]]]
    classifier = FuzzyClassifier(n_labels, **{"ranges": ranges, **options}).fit(*points[:2])
    asked = {"condition": condition, "n_labels": n_labels, "normalisation": normalisation}
    chosen = data.of(None, window, blocks=blocks)
    return FuzzyFit(chosen, classifier, points, condition, {**asked, **options})
