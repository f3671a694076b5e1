"""What can be seen without a comparison of models: directions at responses, and the surface.

Some models are fitted to all trials, to be shown beside the data.  This is part of every run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe.block_windows import compared
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.stopping.data import design_of, prepare
from fuzzybounds.stopping.fits import FITTED_DELAY, fit_models, rows_of
from fuzzybounds.stopping.lattice import Bins
from fuzzybounds.stopping.outward import measure_outward
from fuzzybounds.stopping.surface_view import Counts, count_cells, tabulate_cells

REFERENCE, PLAIN = "within_exponential_directed", "within_exponential"
"""The model by which unrecorded paths are weighted, and the same without the direction."""


class DirectView(NamedTuple):
    """What :func:`view_directly` returns."""

    outward: pd.DataFrame
    surface: pd.DataFrame


def view_directly(
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    design: pd.DataFrame,
    paths: pd.DataFrame | None = None,
    *,
    cued: bool,
    models: Sequence[str],
    conditions: Sequence[str],
    delays: Sequence[float],
    bin_width: float,
    seed: int,
    dataset: str,
) -> DirectView:
    """Measure in which direction, and where, subjects of one session respond, and what models say.

    How often people respond on inward movement depends on how unrecorded paths are weighted, so it
    is given with both weights.

    Parameters
    ----------
    trials, samples, design : DataFrame
        Result tables.
    paths : DataFrame, optional
        Recorded paths.
    cued : bool
        Whether subjects knew the condition of a trial.
    models : sequence of str
        Of the catalogue, :data:`REFERENCE` and :data:`PLAIN` among them.
    conditions : sequence of str
        With cues, whose trials.
    delays : sequence of float
        Motor delays in s to choose from.
    bin_width : float
        In s.
    seed, dataset
        Name the random numbers of simulated controls.
    """
    trials, task = compared(trials), design_of(design, cued=cued)
    rows: list[dict[str, Any]] = []
    cells: dict[str, dict[str, tuple[Counts, Counts]]] = {}
    for data in prepare(trials, samples, Bins(bin_width), task, conditions, delays, paths):
        everything = np.ones(len(data.trials), dtype=bool)
        context = data.context(everything)
        fitted = dict(fit_models(data, models, context, everything, without_delay=False))
        for name, fits in fitted.items():
            rows += rows_of(data, name, fits, "all", 0, everything)
        hazards = {}
        for name, fits in fitted.items():
            best = fits.by_delay[fits.delay]
            value, weights = best.model.at(best.theta, data.states, best.model.nodes(best.theta))
            if not best.model.mixed:
                hazards[name] = weights @ value
        delay = fitted[REFERENCE].delay
        directed, plain = (
            count_cells(data.likelihoods[delay], hazards[name][None], hazards)
            for name in (REFERENCE, PLAIN)
        )
        cells.setdefault(data.condition, {})[data.subject] = (directed, plain)
    fits = pd.DataFrame(rows)
    if fits.empty:
        return DirectView(TABLES["outward"].empty(), TABLES["stopping_surface"].empty())
    outward = measure_outward(
        trials,
        fits[fits["delay"] == FITTED_DELAY],
        design,
        cued=cued,
        seed=seed,
        dataset=dataset,
        bin_width=bin_width,
    )
    surfaces = [
        tabulate_cells(condition_cells).assign(condition=name)
        for name, condition_cells in cells.items()
    ]
    return DirectView(
        outward,
        pd.concat(surfaces, ignore_index=True)[TABLES["stopping_surface"].names],
    )
