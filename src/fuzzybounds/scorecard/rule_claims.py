"""What the exact posterior of rules says of the claims about rules, beside the paper's method.

The paper's rules have five labels for subjects of one session; the posterior is exact for three
(:mod:`fuzzybounds.stopping.rule_posterior`).  Labels S and M of three reach about as far as VS and
S, or S and M, of five: a claim is asked of the premises of three labels with the same names.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
from scipy import stats

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.thresholds import KNOWN
from fuzzybounds.core.words import FAST, FIRST, INDEPENDENT, LAST, SLOW
from fuzzybounds.scorecard.judges.judge import by_intervals
from fuzzybounds.scorecard.judges.rules import MAIN, fast_minus_slow
from fuzzybounds.scorecard.verdicts import SUPPORTED, UNDECIDED, UNSUPPORTED

CERTAIN = KNOWN
"""A rule is known for certain if its consequent has this probability."""
MOST = 0.9
"""Share of rules that are known, or right, from which on a subject's rules can be read off."""
Row = tuple[str, str, str, str, float, float, float, int, str]


def judge_by_posterior(
    posterior: pd.DataFrame, check: pd.DataFrame, groups: pd.DataFrame
) -> pd.DataFrame:
    """Ask the claims about rules of the posterior of every subject's rules.

    Parameters
    ----------
    posterior, check, groups : DataFrame
        The tables ``rule_posterior``, ``rule_posterior_check`` and ``groups``.

    Returns
    -------
    DataFrame
        The table ``rule_claims``.
    """
    alone = posterior[posterior["prior"] == INDEPENDENT]
    wide = alone.pivot_table("p_stop", ["subject", "window"], ["time_label", "position_label"])
    group = groups.set_index("subject")["group"]
    group.index = group.index.astype(str)
    rows = [
        *_key_premise(wide, group),
        *_changes(wide, group),
        *_sessions(wide, group),
        *_certainty(wide, check),
        *_main_difference(wide, group),
    ]
    return pd.DataFrame(rows, columns=TABLES["rule_claims"].names)


def _in_window(wide: pd.DataFrame, window: str) -> pd.DataFrame:
    """Return the probabilities of one window, by subject."""
    if window not in wide.index.unique("window"):
        return wide[:0].droplevel("window")
    return wide.xs(window, level="window")


def _both(values: pd.Series, group: pd.Series) -> pd.Series | None:
    """Return the groups of the subjects if there are two of either, or None."""
    members = group.reindex(values.index)
    return members if all((members == name).sum() > 1 for name in (FAST, SLOW)) else None


def _key_premise(wide: pd.DataFrame, group: pd.Series) -> Iterator[Row]:
    """C11: all fast subjects stop at (S, M), most slow ones do not."""
    values = _in_window(wide, FIRST).get(("S", "M"), pd.Series(dtype=float))
    if (members := _both(values, group)) is None:
        return
    for name in (FAST, SLOW):
        yield _mean_row("C11", "P(stop) of (S, M)", FIRST, name, values[members == name])
    yield _difference("C11", "P(stop) of (S, M)", values, members)


def _main_difference(wide: pd.DataFrame, group: pd.Series) -> Iterator[Row]:
    """C20: the groups differ most where both labels are S or M."""
    table = _in_window(wide, FIRST)
    inside = table.columns.isin(MAIN)
    if table.empty or (members := _both(table.iloc[:, 0], group)) is None:
        return
    others = table.loc[:, ~inside].mean(axis=1)
    values = table.loc[:, inside].mean(axis=1) - others
    yield _difference("C20", "P(stop) of S and M, less that of other rules", values, members)


def _changes(wide: pd.DataFrame, group: pd.Series) -> Iterator[Row]:
    """C12: rules of the lower left corner rise for the slow and fall for the fast."""
    corner = wide.loc[:, wide.columns.isin(MAIN)].mean(axis=1)
    change = (_in_window(corner, LAST) - _in_window(corner, FIRST)).dropna()
    if (members := _both(change, group)) is None:
        return
    for name, sign in ((SLOW, 1), (FAST, -1)):
        chosen = change[members == name]
        low, high = _interval(chosen)
        conclusion = by_intervals([(low, high) if sign > 0 else (-high, -low)])
        quantity = "change of P(stop) of S and M"
        yield "C12", quantity, LAST, name, chosen.mean(), low, high, len(chosen), conclusion


def _sessions(wide: pd.DataFrame, group: pd.Series) -> Iterator[Row]:
    """C15: how many rules of subjects of several sessions say continue, and whether they change."""
    subjects = [name for name in wide.index.unique("subject") if group.get(name, "") == ""]
    for name in subjects:
        says_stop = wide.loc[name]
        for window, values in says_stop.iterrows():
            least, most = (values <= 1 - CERTAIN).sum(), (values < CERTAIN).sum()
            conclusion = UNDECIDED if least < most else SUPPORTED
            quantity = f"rules of subject {name} that say continue"
            number = float((1 - values).sum())
            yield "C15", quantity, str(window), "", number, least, most, 1, conclusion
        if {FIRST, LAST} <= set(says_stop.index):
            first, last = says_stop.loc[FIRST], says_stop.loc[LAST]
            changed = first * (1 - last) + (1 - first) * last
            least, most = (changed >= CERTAIN).sum(), (changed > 1 - CERTAIN).sum()
            conclusion = UNSUPPORTED if least else UNDECIDED if most else SUPPORTED
            quantity = f"rules of subject {name} that changed"
            yield "C15", quantity, LAST, "", float(changed.sum()), least, most, 1, conclusion


def _certainty(wide: pd.DataFrame, check: pd.DataFrame) -> Iterator[Row]:
    """C18: how many of a subject's rules are known for certain, and how often these are right."""
    sure = wide.where(wide >= 0.5, 1 - wide)
    for window in (FIRST, LAST):
        known = (_in_window(sure, window) >= CERTAIN).mean(axis=1)
        if len(known) > 1:
            low, high = _interval(known)
            conclusion = SUPPORTED if low > MOST else UNSUPPORTED if high < MOST else UNDECIDED
            quantity = f"share of rules known with {CERTAIN:.0%}"
            yield "C18", quantity, window, "", known.mean(), low, high, len(known), conclusion
    certain = check[(check["sure_low"] >= CERTAIN) & (check["n"] > 0)]
    if len(certain):
        right, n = (certain["right"] * certain["n"]).sum(), int(certain["n"].sum())
        low, high = stats.binomtest(round(right), n).proportion_ci(method="wilson")
        conclusion = SUPPORTED if low > MOST else UNSUPPORTED if high < MOST else UNDECIDED
        quantity = "share of these that are right for simulated subjects"
        yield "C18", quantity, FIRST, "", right / n, low, high, n, conclusion


def _mean_row(claim: str, quantity: str, window: str, group: str, values: pd.Series) -> Row:
    low, high = _interval(values)
    return claim, quantity, window, group, values.mean(), low, high, len(values), ""


def _interval(values: pd.Series) -> tuple[float, float]:
    """Return the 95 % interval of a mean over subjects."""
    half = stats.t.ppf(0.975, len(values) - 1) * values.sem()
    return values.mean() - half, values.mean() + half


def _difference(claim: str, quantity: str, values: pd.Series, members: pd.Series) -> Row:
    low, high = fast_minus_slow(values, members)
    value = values[members == FAST].mean() - values[members == SLOW].mean()
    known = int(members.isin([FAST, SLOW]).sum())
    conclusion = by_intervals([(low, high)])
    return claim, quantity, FIRST, "fast less slow", value, low, high, known, conclusion
