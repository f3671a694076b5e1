"""C02 to C04: the shape of fitted boundaries, and which boundary model describes subjects best."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzybounds.paper.claims.claim import (
    EXPERIMENT_A,
    Claim,
    Found,
    Numbers,
    Tables,
    verdict,
)
from fuzzybounds.storage.errors import TooFew

if TYPE_CHECKING:
    import pandas as pd


def early_variation(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C02 by the boundaries after the first block."""
    changes = tables["boundary_changes"]
    easy = changes[changes["condition"] == "easy"]
    if easy.empty:
        raise TooFew("nobody responded to an easy trial")
    free = easy[~easy["stable"]]
    by_time = free.groupby("boundary_time")["varies"].agg(["sum", "size"])
    share = by_time["sum"] / by_time["size"]
    stable = easy[easy["stable"]].groupby("boundary_time")["varies"].agg(["sum", "size"])
    return Found(
        "; ".join(_counts(by_time)),
        verdict((share > printed["share"]).all(), (share > printed["share"]).any()),
        f"Subjects whose boundary for easy trials changes by more than its noise over the times "
        f"they used; the median change is {free['change'].median():.0f} px. With stable parameters "
        f"{'; '.join(_counts(stable))}.",
    )


def _counts(by_time: pd.DataFrame) -> list[str]:
    return [f"{row['sum']:.0f} of {row['size']:.0f} ({t} time)" for t, row in by_time.iterrows()]


def time_varying(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C03 by the evidence for each shape within each class."""
    evidence = tables["shape_evidence"]
    if evidence.empty:
        raise TooFew("nobody responded, so there are no boundary models to compare")
    stable = evidence[evidence["stable"] & (evidence["learning"] == "rl")]
    evidence = evidence[~evidence["stable"]]
    bic = evidence[evidence["criterion"] == "bic"]
    strong = (
        (bic["protected_exceedance"] > tolerance["exceedance"]).groupby(bic["boundary_time"]).sum()
    )
    most = (bic["n_weibull"] > bic["n_subjects"] / 2).groupby(bic["boundary_time"]).sum()
    classes = printed["classes"]
    aic = evidence[evidence["criterion"] == "aic"]
    favoured = (aic["n_weibull"] > aic["n_subjects"] / 2).groupby(aic["boundary_time"]).sum()
    said = [
        f"{strong[time]} of {classes:.0f} classes ({time} time)" for time in sorted(strong.index)
    ]
    return Found(
        "; ".join(said),
        verdict((strong == classes).all(), (favoured == classes).all() or (most == classes).all()),
        f"Classes in which the Weibull form has a protected exceedance above "
        f"{tolerance['exceedance']:g} by BIC; it has the lower BIC for most subjects in "
        f"{most.max()} and the lower AIC in {favoured.max()} of the {classes:.0f}. "
        f"With stable parameters class rl has it at "
        f"{_each(stable[stable['criterion'] == 'bic'], 'protected_exceedance')}.",
    )


def best_model(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C04 by model selection."""
    selection = tables["model_selection"]
    if selection.empty:
        raise TooFew("nobody responded, so there are no boundary models to compare")
    said, exact, direction = {False: [], True: []}, [], []
    by = selection.groupby(["stable", "boundary_time", "criterion"])
    for (stable, time, criterion), own in by:
        ours = own[(own["shape"] == "weibull") & (own["learning"] == "rl")].iloc[0]
        total = own["n_best"].sum()
        text = f"{ours['n_best']:.0f} of {total:.0f} ({criterion.upper()}, {time} time)"
        said[stable].append(text)
        if not stable:
            exact.append(ours["n_best"] > printed["share"] * total)
            direction.append(ours["n_best"] >= own["n_best"].max())
    free = selection[selection["default"] & ~selection["stable"]]
    best = free.sort_values("exceedance").iloc[-1]
    unstable = free.loc[(free["shape"] == "weibull") & (free["learning"] == "rl"), "n_unstable"]
    return Found(
        "; ".join(said[False]),
        verdict(all(exact), any(direction)),
        f"Subjects for whom the Weibull boundary with reinforcement learning is best; the largest "
        f"exceedance probability ({best['exceedance']:.2f}) has the {best['shape']} boundary "
        f"with class {best['learning']}. Up to {unstable.max():.0f} of these fits are unstable; "
        f"with stable parameters {'; '.join(said[True])}.",
    )


def _each(table: pd.DataFrame, column: str) -> str:
    return "; ".join(
        f"{row[column]:.2f} ({row['boundary_time']} time)" for _, row in table.iterrows()
    )


CLAIMS = (
    Claim(
        "C02",
        "most subjects' boundaries vary with time already after the first block",
        where="Shape of decision boundaries, Fig. 1",
        about=EXPERIMENT_A,
        rule="more than half of the subjects",
        judge=early_variation,
        tables=("boundary_changes",),
        printed={"share": 0.5},
    ),
    Claim(
        "C03",
        "in each of 5 learning classes the time-varying boundary fits better than the constant one",
        where="Shape of decision boundaries",
        about=EXPERIMENT_A,
        rule="protected exceedance above {exceedance:g} in every class; in direction, more than "
        "half of the subjects in every class",
        judge=time_varying,
        tables=("shape_evidence",),
        printed={"classes": 5},
        tolerance={"exceedance": 0.95},
    ),
    Claim(
        "C04",
        "the time-varying boundary with reinforcement learning is the best model for most subjects",
        where="Shape of decision boundaries",
        about=EXPERIMENT_A,
        rule="best for more than half of the subjects; in direction, for more subjects than any "
        "other model",
        judge=best_model,
        tables=("model_selection",),
        printed={"share": 0.5},
    ),
)
