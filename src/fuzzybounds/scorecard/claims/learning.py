"""C16 and C17: the learning rule, and the optimal observer."""

from __future__ import annotations

from fuzzybounds.scorecard.claims.claim import (
    ANYONE,
    ARITHMETIC,
    DESIGN,
    Claim,
    Found,
    Numbers,
    Tables,
    supported,
    verdict,
)

WINDOW_AFTER = 4000
"""The moving window of 1000 trials that starts after 3000 trials ends here."""


def reward_rates(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C16 by the simulated learning curves."""
    curves, initial = tables["learning_curves"], tables["learning_initial"].iloc[0]
    after = curves[curves["trial"] == WINDOW_AFTER].groupby("rule")["reward_rate"].median()
    last = curves[curves["trial"] == curves["trial"].max()].groupby("rule")["reward_rate"].median()
    starts = abs(initial["exact"] - printed["initial"]) <= tolerance["rate"]
    reaches = (after - printed["after"]).abs() <= tolerance["rate"]
    noise = abs(initial["exact"]) / initial["sd_of_a_window"]
    return Found(
        f"initial {initial['exact']:.2f}; "
        + "; ".join(
            f"{rule}: {after[rule]:.2f}, in the end {last[rule]:.2f}" for rule in after.index
        ),
        verdict(bool(starts and reaches["as printed"]), bool(starts and reaches.any())),
        "Medians over replicates of the window after 3000 trials. Reversing a printed sign changes "
        "an equation, not an open choice (A15); stop is 1 in this section, 0 in another (A05). "
        f"The initial rate is {noise:.1f} standard deviations of a window from zero; "
        "the paper gives neither o nor the initial rules, which were chosen such that it is about "
        "-0.2.",
        conclusion=supported(bool(last["as printed"] > initial["exact"] + tolerance["learnt"])),
    )


def optimum(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C17 by dynamic programming, for the paper's design and for that of the logs."""
    from fuzzybounds.canoe.task import STEP_PIXELS

    rates = tables["optimum"].set_index(["design", "respond_at"])["reward_rate"]
    boundary = tables["optimal_boundary"].set_index(["design", "respond_at"])
    own_design = "logs_b_uncued" if ("logs_b_uncued", "steps") in rates else "paper_cued"
    rate = rates["paper_uncued", "steps"]

    def falls(design: str) -> bool:
        """Whether the boundary falls, in every condition that is cued."""
        curves = boundary.loc[(design, "steps")].groupby("condition", dropna=False)["boundary"]
        # Only every second position is possible at a time, so a rise of one step does not count.
        return all(
            (own.diff().dropna() <= STEP_PIXELS).all() and own.iloc[-1] < own.iloc[0]
            for _, own in curves
        )

    near = abs(rate - printed["rate"]) <= tolerance["rate"]
    shown = boundary.loc[("paper_uncued", "steps")]
    return Found(
        f"{rate:.4f} at steps, {rates['paper_uncued', 'frames']:.4f} at any frame; "
        f"{efficiency(tables, own_design)}",
        verdict(near and falls("paper_uncued"), near),
        f"Boundary from {shown['boundary'].iloc[0]:.0f} px at {shown['time'].iloc[0]:.1f} s to "
        f"{shown['boundary'].iloc[-1]:.0f} px at {shown['time'].iloc[-1]:.1f} s; with cues "
        f"{rates['paper_cued', 'steps']:.4f}. Efficiency is what subjects earned over the optimum "
        f"of their own design ({own_design.replace('_', ' ')}), with responses at any frame.",
        conclusion=supported(
            near
            and all(
                falls(name)
                for name in {*rates.index.get_level_values(0)}
                if name.endswith("uncued")
            )
        ),
    )


def efficiency(tables: Tables, design: str) -> str:
    """Describe what subjects earned over the optimum of their own design."""
    check = tables["design_check"]
    earned = check[check["quantity"] == "reward_rate_coins_per_s"]
    earned = earned[earned["subject"].fillna("") == ""].dropna(subset="value")
    if earned.empty:
        return "efficiency not known"
    rates = tables["optimum"].set_index(["design", "respond_at"])["reward_rate"]
    best, row = rates[design, "frames"], earned.iloc[0]
    return (
        f"subjects earn {row['value']:.2f} of {best:.2f} coins/s, an efficiency of "
        f"{row['value'] / best:.2f} ({row['low'] / best:.2f} to {row['high'] / best:.2f})"
    )


CLAIMS = (
    Claim(
        "C16",
        "the learning rule raises the average reward rate",
        where="A reinforcement learning algorithm, Fig. 17",
        group=ARITHMETIC,
        about=ANYONE,
        paper="from about -0.2 to about 0.6 after about 3000 trials",
        rule="{rate:g} of values read off a figure, with the update as printed; in direction, with "
        "its sign reversed",
        control="with the update as printed the rate in the end is not above the initial one by "
        "more than {learnt:g}",
        judge=reward_rates,
        tables=("learning_curves", "learning_initial"),
        printed={"initial": -0.2, "after": 0.6},
        tolerance={"rate": 0.1, "learnt": 0.2},
    ),
    Claim(
        "C17",
        "the optimal reward rate without cues is that of a single boundary that falls with time",
        where="A reinforcement learning algorithm",
        group=DESIGN,
        about=ANYONE,
        paper="about 0.9",
        rule="{rate:g}, with responses at steps; the boundary never rises",
        control="a boundary that rises, in the paper's design or in that of uncued logs",
        judge=optimum,
        tables=("optimum", "optimal_boundary", "design_check"),
        printed={"rate": 0.9},
        tolerance={"rate": 0.05},
    ),
)
