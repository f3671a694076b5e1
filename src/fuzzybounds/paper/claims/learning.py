"""C16 and C17: learning by reinforcement, and the optimum."""

from __future__ import annotations

from fuzzybounds.paper.claims.claim import ANYONE, Claim, Found, Numbers, Tables, verdict

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
        f"Medians over replicates of the window after 3000 trials. The initial rate is {noise:.1f} "
        "standard deviations of a window from zero; the paper gives neither o nor the initial "
        "rules, which were chosen such that it is about -0.2.",
    )


def optimum(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C17 by dynamic programming."""
    from fuzzybounds.canoe.task import STEP_PIXELS

    rates = tables["optimum"].set_index(["design", "respond_at"])["reward_rate"]
    rate = rates["paper_uncued", "steps"]
    boundary = tables["optimal_boundary"]
    own = boundary[(boundary["design"] == "paper_uncued") & (boundary["respond_at"] == "steps")]
    # Only every second position is possible at a time, so a rise of one step does not count.
    falls = bool((own["boundary"].diff().dropna() <= STEP_PIXELS).all())
    falls &= bool(own["boundary"].iloc[-1] < own["boundary"].iloc[0])
    near = abs(rate - printed["rate"]) <= tolerance["rate"]
    return Found(
        f"{rate:.4f} at steps, {rates['paper_uncued', 'frames']:.4f} at any frame",
        verdict(near and falls, near),
        f"Boundary from {own['boundary'].iloc[0]:.0f} px at {own['time'].iloc[0]:.1f} s to "
        f"{own['boundary'].iloc[-1]:.0f} px at {own['time'].iloc[-1]:.1f} s; with cues "
        f"{rates['paper_cued', 'steps']:.4f}.",
    )


CLAIMS = (
    Claim(
        "C16",
        "the average reward rate goes from about -0.2 to about 0.6 after about 3000 trials",
        where="A reinforcement learning algorithm, Fig. 17",
        about=ANYONE,
        rule="{rate:g} of values read off a figure, with the update as printed; in direction, with "
        "its sign reversed",
        judge=reward_rates,
        tables=("learning_curves", "learning_initial"),
        printed={"initial": -0.2, "after": 0.6},
        tolerance={"rate": 0.1},
    ),
    Claim(
        "C17",
        "the optimal reward rate without cues is about 0.9, with a single boundary that falls with "
        "time",
        where="A reinforcement learning algorithm",
        about=ANYONE,
        rule="{rate:g}, with responses at steps; the boundary never rises",
        judge=optimum,
        tables=("optimum", "optimal_boundary"),
        printed={"rate": 0.9},
        tolerance={"rate": 0.05},
    ),
)
