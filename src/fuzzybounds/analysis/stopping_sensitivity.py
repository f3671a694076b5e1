"""Whether the order of the stopping models depends on bins, motor delay or folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from scipy.stats import spearmanr

from fuzzybounds.analysis.stopping_comparison import elpd_by_subject
from fuzzybounds.stopping.data import CONTIGUOUS, INTERLEAVED
from fuzzybounds.stopping.fits import WHOLE, fit_stopping
from fuzzybounds.storage.registry import TABLES

DEFAULT = "default"


def vary_settings(
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    design: pd.DataFrame,
    *,
    cued: bool,
    settings: Mapping[str, Any],
    bin_width: float,
    delay: float,
    **options: Any,
) -> pd.DataFrame:
    """Fit some models with other bins, delays and folds.

    Parameters
    ----------
    trials, samples, design : DataFrame
        Result tables.
    cued, bin_width, delay
        As in :func:`fuzzybounds.stopping.fits.fit_stopping`.
    settings : mapping
        Models to fit, and `bin_widths` and `delays` to try, one at a time; contiguous folds are
        tried too.
    **options
        See :func:`fuzzybounds.stopping.fits.fit_stopping`.

    Returns
    -------
    DataFrame
        The table ``stopping_sensitivity_fits``.
    """
    tried: dict[str, Mapping[str, Any]] = {
        DEFAULT: {},
        **{f"bins of {width:g} s": {"bin_width": width} for width in settings["bin_widths"]},
        **{f"delay of {time:g} s": {"delay": time} for time in settings["delays"]},
        f"{CONTIGUOUS} folds": {"schemes": [CONTIGUOUS]},
    }
    usual = {"bin_width": bin_width, "delay": delay, "schemes": [INTERLEAVED]}
    options = {**options, "conditions": ["easy"], "models": settings["models"]}
    parts = []
    for setting, changed in tried.items():
        chosen = {**usual, **changed}
        if setting != DEFAULT and chosen == usual:
            continue
        found = fit_stopping(trials, samples, design, cued=cued, **chosen, **options)
        found = found[found["scheme"] != WHOLE]
        keys = ["subject", "condition", "model", "family"]
        sums = found.groupby(keys, sort=False)["log_density_left_out"].sum().reset_index()
        parts.append(sums.assign(setting=setting))
    table = TABLES["stopping_sensitivity_fits"]
    return pd.concat(parts, ignore_index=True)[table.names] if parts else table.empty()


def tabulate_sensitivity(fits: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Rank the models under every setting.

    Parameters
    ----------
    fits : list of DataFrame
        Parts of the table ``stopping_sensitivity_fits``.
    """
    table = TABLES["stopping_sensitivity"]
    every = [part for part in fits if len(part)]
    if not every:
        return table.empty()
    together = pd.concat(every, ignore_index=True)
    rows = []
    for condition, own in together.groupby("condition", sort=False):
        totals = {
            setting: elpd_by_subject(part).sum()
            for setting, part in own.groupby("setting", sort=False)
        }
        for setting, total in totals.items():
            ranks = total.rank(ascending=False).astype(int)
            agree = float(spearmanr(totals[DEFAULT], total[totals[DEFAULT].index])[0])
            for model in totals[DEFAULT].sort_values(ascending=False).index:
                rows.append(
                    {
                        "condition": condition,
                        "setting": setting,
                        "model": model,
                        "elpd": total[model],
                        "elpd_difference": total[model] - total.max(),
                        "rank": ranks[model],
                        "rank_correlation": agree,
                    }
                )
    return pd.DataFrame(rows)[table.names]
