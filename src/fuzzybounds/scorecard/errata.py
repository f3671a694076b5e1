"""Where the paper contradicts itself or is silent: the numbers of the evidence.

``errata.yaml`` has what is contradictory, what was chosen, and the evidence with names in braces. A
function here computes the numbers of one entry from result tables or from the worked example.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe.paths import locate
from fuzzybounds.canoe.task import DEADLINE, EASY, EDGE, OVERHEAD, SPEED, STEP, STEP_PIXELS
from fuzzybounds.checks.learning.sweep import TRIALS
from fuzzybounds.checks.learning.sweep_summary import matches
from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.errors import TooFew
from fuzzybounds.paper import worked_example
from fuzzybounds.paper.fuzzy.membership import equidistant
from fuzzybounds.paper.groups.fast_and_slow import members
from fuzzybounds.paper.printed import printed
from fuzzybounds.scorecard.findings import find
from fuzzybounds.scorecard.judges.groups import student
from fuzzybounds.scorecard.judges.judge import Tables
from fuzzybounds.scorecard.judges.learning import by_control
from fuzzybounds.scorecard.words.pieces import compared

Numbers = dict[str, Any]


class Erratum(NamedTuple):
    """What is contradictory, silent or wrong; what this project does; and the evidence.

    `evidence` is a text, or several by the case; `claim` is one whose judge has a part in it.
    """

    what: str
    choice: str
    evidence: str | Mapping[str, str]
    claim: str = ""


ERRATA = {
    name: Erratum(**erratum)
    for name, erratum in read_yaml(Path(__file__).with_name("errata.yaml")).items()
}
NUMBERS: dict[str, Callable[[Tables], Numbers | list[Numbers]]] = {}
"""What computes the numbers of an entry. Of a list, each has the text, one after the other."""


def numbers(*ids: str) -> Callable[[Any], Any]:
    """Define the function that computes the numbers of some entries."""

    def define(function: Any) -> Any:
        NUMBERS.update(dict.fromkeys(ids, function))
        return function

    return define


def table(tables: Tables) -> pd.DataFrame:
    """Return the errata with their evidence: the table ``errata``."""
    rows = [(name, one.what, one.choice, evidence(name, tables)) for name, one in ERRATA.items()]
    return pd.DataFrame(rows, columns=["id", "what", "choice", "evidence"])


def evidence(name: str, tables: Tables) -> str:
    """Return the evidence of an erratum, or why there is none."""
    erratum = ERRATA[name]
    try:
        computed = NUMBERS[name](tables) if name in NUMBERS else {}
        claim = {"claim": find(erratum.claim, tables)} if erratum.claim else {}
    except TooFew as reason:
        return f"none from these data: {reason}"
    texts = []
    for part in computed if isinstance(computed, list) else [computed]:
        text = erratum.evidence
        text = text if isinstance(text, str) else text[part["case"]]
        texts.append(text.format(**part, **claim))
    return "; ".join(texts)


@numbers("A01", "A02", "A04")
def worked_degrees(tables: Tables) -> Numbers:
    """Compute the worked degrees, and count the settings that print them, by each reading."""
    small, medium, _ = equidistant(3, convention="width").degrees(0.2, normalised=False)
    return {
        "by_eq2": worked_example.readings("width"),
        "other": worked_example.readings("deviation"),
        "by_eq2_free": worked_example.readings("width", normalised=False),
        "other_free": worked_example.readings("deviation", normalised=False),
        "s": small,
        "m": medium,
        "fig9": printed("C07"),
        "degrees": worked_example.TIME.degrees(worked_example.WORKED_TIME, normalised=True),
    }


@numbers("A03")
def structure_width(tables: Tables) -> Numbers:
    """Find the widths that print as the worked degrees."""
    squares, fig9 = np.linspace(0.03, 0.07, 4001), printed("C07")
    fits = []
    for square in squares:
        labels = equidistant(3, width=float(np.sqrt(square)), convention="width")
        (s2, m2, _), (s4, m4, _) = labels.degrees(np.array([0.2, 0.4]), normalised=True)
        ours = {"s_of_02": s2, "m_of_02": m2, "s_of_04": s4, "m_of_04": m4}
        fits.append(all(round(value, 2) == fig9[name] for name, value in ours.items()))
    inside = squares[fits]
    chosen = equidistant(3, convention="width").widths[0] ** 2
    return {"least": inside.min(), "most": inside.max(), "chosen": chosen}


def _swept(tables: Tables) -> str:
    """Say in how many readings of the learning rule the rate rises, by the sign of the update."""
    counts = tables["learning_sweep_summary"].groupby("rule").sum(numeric_only=True).astype(int)
    return ", ".join(
        f"{rule} in {number['rises']} of {number['simulated']} readings"
        for rule, number in counts.iterrows()
    )


def _listed(values: pd.Series) -> str:
    return ", ".join(f"{value:g}" for value in sorted(values.unique()))


@numbers("A05", "A07", "A17")
def readings_of_the_rule(tables: Tables) -> Numbers:
    """Describe the readings of the learning rule, and those that rise or match.

    Where stop is 0, the printed update is the one with its sign reversed.
    """
    sweep = tables["learning_sweep"]
    return {
        "readings": len(sweep),
        **{name: _listed(sweep[name]) for name in ("o", "learning_rate", "leak")},
        "rule_bases": sweep["rule_base"].nunique(),
        "matching": _listed(sweep.loc[matches(sweep["after_3000"]), "o"]) or "none",
        "swept": _swept(tables),
    }


@numbers("A08")
def empty_cells(tables: Tables) -> Numbers:
    """Count the premises without points."""
    fits = tables["fuzzy_fits"]
    five = fits[fits["labels"] == 5]["empty_cells"]
    if five.empty:
        raise TooFew("there are no fits with five labels")
    return {"empty": five.mean()}


@numbers("A09")
def ranges(tables: Tables) -> Numbers:
    """Compute how far the ranges of subjects differ."""
    scales = tables["fuzzy_fits"].groupby("subject")[["time_range", "position_range"]].first()
    if scales.empty:
        raise TooFew("there are no fits")
    least, most = scales.min(), scales.max()
    return {name: (least[f"{name}_range"], most[f"{name}_range"]) for name in ("time", "position")}


@numbers("A10")
def reconstructed(tables: Tables) -> Numbers:
    """Compute how much results depend on the points that were drawn."""
    spread = tables["consequents"]["sd_over_draws"].dropna()
    if spread.empty:
        raise TooFew("there are no averaged consequents")
    return {"median": spread.median(), "most": spread.max()}


def _strict_sizes(tables: Tables) -> str:
    """Describe the groups under the stated inequalities, and why they have these sizes."""
    medians = tables["groups"]["median_boundary"].to_numpy(dtype=float)
    known = medians[~np.isnan(medians)]
    if not known.size:
        raise TooFew("no subject has a boundary")
    fast, slow = members(medians, quantile="hazen", fast="<", slow=">")
    low = np.quantile(known, 0.25, method="hazen")
    tied = int((known == low).sum())
    return (
        f"with < and > as stated, and MATLAB's quantiles, {fast.sum()} subjects are fast and "
        f"{slow.sum()} slow ({tied} lie at the 0.25 quantile of {low:g} px)"
    )


@numbers("A11-A14")
def specifications(tables: Tables) -> Numbers:
    """Count the specifications that print as the paper, and describe what the stated ones give."""
    summary = tables["specification_summary"].set_index("key")
    number, value, printed_sizes = summary["number"], summary["value"], printed("C09")
    sizes = (
        f"{_strict_sizes(tables)}; of the {number['sizes']:.0f} specifications with "
        f"{printed_sizes['n_fast']} and {printed_sizes['n_slow']}, {number['sizes_stated']:.0f} "
        "have both inequalities as stated"
    )
    return {
        "case": "some" if number["matching"] else "none",
        "sizes": sizes,
        "number": number,
        "value": value,
        "missed": {"True": "included", "False": "left out"}.get(value.get("missed"), "either way"),
    }


@numbers("A15")
def sign_of_update(tables: Tables) -> Numbers:
    """Count where each sign of the update learns."""
    summary = tables["learning_sweep_summary"]
    return {
        "printed": compared(by_control(summary, "as printed")),
        "reversed": compared(by_control(summary, "sign reversed")),
    }


@numbers("A16")
def length_of_simulation(tables: Tables) -> Numbers:
    """Compute the reward rate after as many trials as the text says, and as the figure shows."""
    default = tables["learning_curves"].query("rule == 'as printed'")
    rates = default.groupby("trial")["reward_rate"].median()
    return {"early": rates[1000], "late": rates[TRIALS], "trials": TRIALS}


@numbers("A21")
def unreachable_response(tables: Tables) -> Numbers:
    """Compare the response of Fig. 6 with the canoe's lattice."""
    time, position = worked_example.OUTPUT_RESPONSE
    cell = position // STEP_PIXELS
    return {
        "steps": round(time / STEP),
        "pixels": STEP_PIXELS,
        "below": STEP_PIXELS * (cell - 1),
        "above": STEP_PIXELS * (cell + 1),
        "position": position,
        "off": abs(locate(np.array([time]), np.array([position])).residual[0]),
    }


@numbers("A22")
def cut_digits(tables: Tables) -> Numbers:
    """Compare digits of the worked example, which are rounded, with results, which are cut."""
    tests = tables["group_tests"]
    p = {group: student(tests, f"{group}_last_vs_first")["p"] for group in ("fast", "slow")}
    degrees = equidistant(3, convention="width").degrees(np.array([0.2, 0.4]), normalised=True)
    return {
        "s_of_02": degrees[0, 0],
        "s_of_04": degrees[1, 0],
        "sixth": 1 / 6,
        "p": p,
        "printed": printed("C07", "C11", "C14"),
    }


@numbers("A23", "A44")
def design(tables: Tables) -> Numbers:
    """Return the first row of every quantity of the design check."""
    check = tables["design_check"].drop_duplicates("quantity").set_index("quantity")
    return dict(check.iterrows())


@numbers("A25")
def not_a_hazard(tables: Tables) -> Numbers:
    """Compute the shares of responses in two-class points and in time."""
    check = tables["design_check"]
    hazards = check[check["quantity"] == "responses_per_step"].set_index("condition")["value"]
    fits = tables["fuzzy_fits"]
    if fits.empty or hazards.isna().any():
        raise TooFew("there are no fits, or no trials of a condition")
    return {"share": fits["n_stop"].sum() / fits["n_points"].sum(), **hazards}


@numbers("A27")
def rising_boundary(tables: Tables) -> Numbers:
    """Sum the basis functions of Fig. 3, and those alone that are centred within the trial."""
    times = np.linspace(0, worked_example.BASIS_CENTERS[-1], 1201)
    parts = worked_example.weighted_basis(times)
    inside = worked_example.BASIS_CENTERS >= 0
    every, within = parts.sum(0), parts[inside].sum(0)
    weights, top = worked_example.BASIS_WEIGHTS[inside], int(within.argmax())
    return {
        "case": "falls" if (np.diff(every) < 0).all() else "rises",
        "inside": inside.sum(),
        "first_weight": weights[0],
        "last_weight": weights[-1],
        "from": within[0],
        "to": within[top],
        "at": times[top],
        "functions": len(parts),
        "start": every[0],
        "end": every[-1],
    }


@numbers("A28")
def output_memberships(tables: Tables) -> Numbers:
    """Compute the slope of the log odds of two Gaussians of equal width, normalised."""
    odds = worked_example.OUTPUT.degrees(np.array([0.25, 0.5, 0.75]), normalised=True)
    return {"slopes": np.diff(np.log(odds[:, 1] / odds[:, 0])) / 0.25}


@numbers("A29")
def learnt_consequents(tables: Tables) -> Numbers:
    """Find the rules that say stop in the end."""
    table = tables["learning_consequents"]
    last = table[(table["trial"] == table["trial"].max()) & (table["median"] > 0.5)]
    learnt = [
        f"{rule}: "
        + ", ".join(
            f"{row.time_label},{row.position_label} {row.median:.2f}" for row in rows.itertuples()
        )
        for rule, rows in last.groupby("rule", sort=False)
    ]
    return {"rules": "; ".join(learnt)}


@numbers("A30", "A31", "A33", "A34")
def trial_of_fig_16(tables: Tables) -> Numbers:
    """Describe the trial of Fig. 16, its response, and a step of either sign there.

    Q is the output O.
    """
    trial, point = tables["example_trial"], printed("C21")
    end, output = trial.iloc[-1], trial["output"]
    time, position = point["time"] * DEADLINE, point["position"] * EDGE
    slope = float((end[[name for name in end.index if "," in name]].astype(float) ** 2).sum())
    return {
        "minus": 1 + 0.1 * slope,
        "plus": 1 - 0.1 * slope,
        "least": output.min(),
        "most": output.max(),
        "payoff": EASY.payoff,
        "time": end["time"],
        "total": end["time"] + OVERHEAD,
        "steps": round(time / STEP),
        "off": abs(locate(np.array([time]), np.array([position])).residual[0]),
        "position": point["position"],
        "end_time": end["time"] / DEADLINE,
        "end_position": end["position"] / EDGE,
    }


@numbers("A40")
def moved_boundary(tables: Tables) -> Numbers:
    """Compute how far the canoe moves during a motor delay."""
    return {"moved": 0.15 * SPEED}


@numbers("A41")
def share_of_points(tables: Tables) -> Numbers:
    """Find what maximises the expected likelihood of a constant probability to respond."""
    true, tried = 0.1, np.linspace(0.001, 0.999, 999)
    by_all, by_one = (
        tried[(np.log(tried) + earlier * np.log(1 - tried)).argmax()]
        # Steps before the response of a trial, and trials that have an earlier point.
        for earlier in (1 / true - 1, 1 - true)
    )
    return {"true": true, "by_all": by_all, "by_one": by_one}


@numbers("A43")
def motion(tables: Tables) -> Numbers:
    """Count the responses that lie where a moving canoe can be."""
    check = tables["design_check"]
    share = check.loc[check["quantity"] == "share_on_lattice", "value"]
    if share.isna().all():
        raise TooFew("nobody responded")
    return {"share": share.iloc[0], "speed": SPEED, "pixels": STEP_PIXELS}


@numbers("A45")
def variance(tables: Tables) -> Numbers:
    """Compare the slopes by σ and by σ²."""
    sigma, step = 0.2, 1e-6

    def degree(width: float) -> float:
        return float(np.exp(-(0.15**2) / width**2))

    by_sigma = (degree(sigma + step) - degree(sigma - step)) / (2 * step)
    by_square = (degree((sigma**2 + step) ** 0.5) - degree((sigma**2 - step) ** 0.5)) / (2 * step)
    return {"ratio": by_sigma / by_square, "sigma": sigma}
