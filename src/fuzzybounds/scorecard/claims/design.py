"""C01: the design of the experiment, as the logs show it."""

from __future__ import annotations

from fuzzybounds.core.errors import TooFew
from fuzzybounds.scorecard.claims.claim import (
    DESIGN,
    EXPERIMENT_A,
    Claim,
    Found,
    Numbers,
    Tables,
    supported,
    verdict,
)


def design(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C01 by the design check."""
    check = tables["design_check"]
    check = check[check["subject"].fillna("") == ""]

    def row(quantity: str, condition: str = ""):
        chosen = (check["quantity"] == quantity) & (check["condition"].fillna("") == condition)
        found = check[chosen].dropna(subset="value")
        if found.empty:
            raise TooFew(f"these logs do not tell {quantity} {condition}".rstrip())
        return found.iloc[0]

    p0 = {name: row("p0", name) for name in ("easy", "hard")}
    p0_fits = [own["low"] <= printed[f"p0_{name}"] <= own["high"] for name, own in p0.items()]
    penalty = {
        name: row("time_besides_decision_incorrect_s", name)["value"]
        - row("time_besides_decision_correct_s", name)["value"]
        for name in p0
    }
    task = [
        *p0_fits,
        *(
            row(f"reward_{outcome}", name)["value"] == sign * printed[f"coins_{name}"]
            for outcome, sign in (("correct", 1), ("incorrect", -1))
            for name in p0
        ),
        abs(penalty["easy"] - printed["penalty_s"]) < tolerance["penalty_s"],
        abs(penalty["hard"]) < tolerance["penalty_s"],
    ]
    subjects = row("one_session_subjects")["value"]
    blocks, duration = row("blocks_per_subject"), row("block_duration_s")
    counts = [
        subjects == printed["subjects"],
        blocks["value"] == printed["blocks"],
        duration["value"] >= printed["block_s"],
        duration["low"] >= printed["block_s"] - tolerance["block_s"],
    ]
    intervals = [f"{name} [{own['low']:.3f}, {own['high']:.3f}]" for name, own in p0.items()]
    return Found(
        f"{subjects:.0f} subjects; {blocks['value']:.0f} blocks of {duration['value']:.0f} s; "
        f"P0 {p0['easy']['value']:.3f} / {p0['hard']['value']:.3f}; "
        f"penalty {penalty['easy']:.2f} s",
        verdict(all(task) and all(counts), all(p0_fits)),
        f"Blocks per subject range from {blocks['low']:.0f} to {blocks['high']:.0f}.",
        conclusion=supported(all(task)),
        interval=f"95 % intervals of P0: {', '.join(intervals)}",
    )


CLAIMS = (
    Claim(
        "C01",
        "the task: 26 one-session subjects, 40 one-minute blocks, easy and hard trials, a penalty "
        "on easy errors only",
        where="Experiment",
        group=DESIGN,
        about=EXPERIMENT_A,
        paper="26 subjects; 40 blocks of one minute; P0 0.65 and 0.51; 20 coins and 1; 3 s",
        rule="P0 within its 95 % confidence interval; penalties (none on hard errors) within "
        "{penalty_s:g} s; a block ends with the trial that runs at its minute, so it may be "
        "longer, and none is more than {block_s:g} s shorter; everything else exact. In direction, "
        "P0 alone",
        control="another P0, other coins or another penalty, whatever the number of subjects",
        judge=design,
        tables=("design_check",),
        printed={
            "subjects": 26,
            "blocks": 40,
            "block_s": 60,
            "p0_easy": 0.65,
            "p0_hard": 0.51,
            "coins_easy": 20,
            "coins_hard": 1,
            "penalty_s": 3,
        },
        tolerance={"penalty_s": 0.01, "block_s": 5},
    ),
)
