"""Claims on other subjects than Experiment A's: interval, power and truth.

A verdict on new subjects must consider how far an estimate may be from the truth.  If a 95 %
interval contains the threshold of the claim, there are too few subjects to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.paper.claims.averages import CORNER, KEY_CELLS
from fuzzybounds.paper.claims.claim import Tables, few_for_share, wilson
from fuzzybounds.storage.registry.vocabulary import FAST, FIRST, LAST, SLOW, STUDENT

OVER_DRAWS = "95 % of the draws of earlier points"
ALPHA = 0.05
QUANTILES = 4000
Effects = Mapping[str, float]


class Evidence(NamedTuple):
    """The uncertainty of a number.

    Attributes
    ----------
    interval : str
        Its interval, and the power of its test, in words; empty where there is none.
    few : str
        Why so few subjects cannot decide; empty where they can.
    """

    interval: str = ""
    few: str = ""


NOTHING = Evidence()


def evidence(claim: str, tables: Tables, effects: Effects) -> Evidence:
    """Return interval and power of what a claim is judged by.

    Parameters
    ----------
    claim : str
        Number of the claim.
    tables : mapping
        Result tables by name.
    effects : mapping
        Standardised effects of Experiment A by comparison; power is that of finding them here.
    """
    return EVIDENCE[claim](tables, effects) if claim in EVIDENCE else NOTHING


def power(effect: float, n: int, m: int, alpha: float = ALPHA) -> float:
    """Return the power of Student's two-sided test of two groups for a standardised effect.

    The statistic is a shifted normal over an independent estimate of its spread; the mean over
    that estimate is taken at its quantiles, which holds for effects of any size.
    """
    from scipy import stats

    if min(n, m) < 2:
        return float("nan")
    degrees, shift = n + m - 2, effect * np.sqrt(n * m / (n + m))
    critical = stats.t.ppf(1 - alpha / 2, degrees)
    quantiles = (np.arange(QUANTILES) + 0.5) / QUANTILES
    spread = np.sqrt(stats.chi2.ppf(quantiles, degrees) / degrees)
    beyond = stats.norm.sf(critical * spread - shift) + stats.norm.cdf(-critical * spread - shift)
    return float(beyond.mean())


def _design(tables: Tables, effects: Effects) -> Evidence:
    check = tables["design_check"]
    rows = check[(check["quantity"] == "p0") & (check["subject"].fillna("") == "")]
    said = [f"{row.condition} [{row.low:.3f}, {row.high:.3f}]" for row in rows.itertuples()]
    return Evidence(f"95 % intervals of P0: {', '.join(said)}")


def _shares(counts: Mapping[str, tuple[float, float]], threshold: float = 0.5) -> Evidence:
    """Return intervals of shares of subjects, each of which should exceed a threshold."""
    said, few = [], ""
    for name, (successes, n) in counts.items():
        if not n:
            continue
        low, high = wilson(successes, n)
        said.append(f"{successes / n:.2f} [{low:.2f}, {high:.2f}] ({name})")
        few = few or few_for_share(successes, n, threshold)
    return Evidence(f"Shares of subjects with 95 % intervals: {'; '.join(said)}", few)


def _default(tables: Tables, claim: str) -> pd.Series:
    """The row of the multiverse of boundary models by which a claim is judged."""
    table = tables["boundary_multiverse"]
    return table[(table["claim"] == claim) & table["default"]].iloc[0]


def _early_variation(tables: Tables, effects: Effects) -> Evidence:
    row = _default(tables, "C02")
    return _shares({"boundary varies": (row["value"], row["out_of"])})


def _time_varying(tables: Tables, effects: Effects) -> Evidence:
    row, shapes = _default(tables, "C03"), tables["shape_by_condition"]
    same = [shapes[name] == row[name] for name in ("responses", "boundary_time", "criterion")]
    own = shapes[np.logical_and.reduce(same) & (shapes["condition"] == "both")]
    if own.empty:
        return NOTHING
    least = own.loc[(own["n_weibull"] / own["n_subjects"]).idxmin()]
    name = f"Weibull better, class {least['learning']}, where it is so least often"
    return _shares({name: (least["n_weibull"], least["n_subjects"])})


def _best_model(tables: Tables, effects: Effects) -> Evidence:
    row = _default(tables, "C04")
    name = f"best by {row['criterion'].upper()}"
    return _shares({name: (row["value"], row["out_of"])})


def _over_draws(values: pd.Series) -> str:
    low, high = values.quantile([0.025, 0.975])
    return f"[{low:.2f}, {high:.2f}]"


def _consequents(tables: Tables, effects: Effects) -> Evidence:
    premise = ["group", "window", "time_label", "position_label"]
    draws = tables["consequent_draws"].set_index(premise)["mean"].sort_index()
    said = [
        f"{name.replace('_', ' ')} {_over_draws(draws.loc[key])}"
        for name, key in KEY_CELLS.items()
        if key in draws.index
    ]
    return Evidence(f"{OVER_DRAWS}: {'; '.join(said)}")


def _corner(tables: Tables, effects: Effects) -> Evidence:
    draws = tables["consequent_draws"]
    own = draws[draws["time_label"].isin(CORNER) & draws["position_label"].isin(CORNER)]
    cells = own.pivot_table(
        "mean", ["group", "draw", "time_label", "position_label"], "window"
    ).reindex(columns=[FIRST, LAST])
    change = (cells[LAST] - cells[FIRST]).dropna().groupby(["group", "draw"]).mean()
    said = [
        f"{group} {_over_draws(change[group])}"
        for group in (SLOW, FAST)
        if group in change.index.get_level_values(0)
    ]
    return Evidence(f"Mean change, {OVER_DRAWS}: {'; '.join(said)}")


def _tests(
    comparisons: Mapping[str, str], alpha: float, tables: Tables, effects: Effects
) -> Evidence:
    """Intervals of differences, and the power to find those of Experiment A."""
    tests = tables["group_tests"]
    tests = tests[tests["test"] == STUDENT].set_index("comparison")
    counts = tables["groups"]["group"].value_counts()
    said, chances = [], []
    for comparison, name in comparisons.items():
        row = tests.loc[comparison]
        said.append(f"{name} [{row['low']:.0f}, {row['high']:.0f}] px")
        between = comparison.startswith("slow_vs_fast")
        group = comparison.split("_")[0]
        n = (counts.get(SLOW, 0), counts.get(FAST, 0)) if between else (counts.get(group, 0),) * 2
        if comparison in effects:
            chances.append(f"{power(effects[comparison], *n, alpha):.2f}")
    found = f"95 % intervals: {', '.join(said)}"
    if chances:
        found += (
            f"; power to find differences as large as Experiment A's at p < {alpha:g}: "
            f"{' and '.join(chances)}"
        )
    return Evidence(found)


def _between(tables: Tables, effects: Effects) -> Evidence:
    names = {f"slow_vs_fast_{window}": window for window in (FIRST, LAST)}
    return _tests(names, 0.005, tables, effects)


def _within(tables: Tables, effects: Effects) -> Evidence:
    names = {f"{group}_last_vs_first": group for group in (FAST, SLOW)}
    return _tests(names, ALPHA, tables, effects)


EVIDENCE: dict[str, Callable[[Tables, Effects], Evidence]] = {
    "C01": _design,
    "C02": _early_variation,
    "C03": _time_varying,
    "C04": _best_model,
    "C11": _consequents,
    "C12": _corner,
    "C13": _between,
    "C14": _within,
}
"""The uncertainty of each claim about subjects; the others are exact or have no sample."""

_DESIGN = {
    "C01": "simulated with this design",
    "C15": "one simulated subject of three sessions has one rule that says continue, the other "
    "four; practice does not change them",
}
TRUTH = {
    "boundaries": {
        **_DESIGN,
        "C02": "boundaries of simulated subjects change with time as those fitted to people",
        "C03": "boundaries of simulated subjects change with time as those fitted to people",
        "C04": "simulated subjects do not learn from rewards; their boundaries drift with practice "
        "and are correlated from trial to trial",
        "C10": "simulated subjects have boundaries and no rules; those of slow ones are higher",
        "C11": "simulated subjects have boundaries, and no consequents",
        "C12": "simulated subjects have boundaries, which drift, and no consequents",
        "C13": "simulated subjects differ in their boundaries as people do",
        "C14": "the boundary of each simulated subject drifts as that of one person",
        "B01": "simulated subjects of one session stop by boundaries",
    },
    "rules": {
        **_DESIGN,
        "C02": "the rules of every simulated subject say stop at smaller positions as time passes",
        "C03": "the rules of every simulated subject say stop at smaller positions as time passes",
        "C04": "simulated subjects do not learn from rewards; practice stretches their position "
        "labels",
        "C10": "simulated fast subjects have rules that stop at smaller positions than slow ones",
        "C11": "simulated subjects have the consequents 0 and 1 of their style",
        "C12": "the rules of simulated subjects do not change, so neither do their consequents",
        "C13": "simulated fast and slow subjects differ in their rules, in both windows",
        "C14": "practice stretches each simulated subject's position labels by a factor of its own",
        "B01": "simulated subjects stop by fuzzy rules",
    },
}
"""What is true of simulated subjects by construction, by what they follow
(:mod:`fuzzybounds.cohort.boundary_subjects`, :mod:`fuzzybounds.cohort.fuzzy_subjects`)."""
