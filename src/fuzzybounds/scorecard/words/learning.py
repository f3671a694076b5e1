"""C16: the learning rule, in all readings of what the paper leaves open."""

from __future__ import annotations

import pandas as pd

from fuzzybounds.paper.reinforcement.paper_simulation import CONTROL
from fuzzybounds.scorecard.judges.judge import Judged
from fuzzybounds.scorecard.words.words import Words, words


@words("C16")
def reward_rates(n: Judged) -> Words:
    """In how many readings the reward rate rises."""
    rule, reverse = n.rule, n.reverse
    return Words(
        f"rises in {rule['rises']} of {rule['simulated']} readings as printed, and with the sign "
        f"reversed in {reverse['rises']} of {reverse['simulated']}; gives the printed numbers in "
        f"{rule['matches']} and {reverse['matches']}; default {n.initial:.2f} to "
        f"{n.after['as printed']:.2f}, its control to {n.after[CONTROL]:.2f}",
        f"The printed numbers, to within {n.rate:g}, are two that can be tuned: "
        f"{rule['control_matches']} readings as printed give them without learning, "
        f"from outcomes of the trial before, after which {rule['control_rises']} rise. "
        f"The default as printed is one of {rule['readings'] + reverse['readings']} readings; "
        f"with the sign reversed it ends at {n.after['sign reversed']:.2f}. Stop is 1 in this "
        "section, 0 in another (A05).",
        interval=f"as printed against its control: {compared(n.by_leak)}",
        reason="The paper gives neither o, α and γ nor the initial rules and the range of the "
        "consequents, and which of them are taken decides.",
    )


def compared(by_leak: pd.DataFrame) -> str:
    """Say how many readings end above and below their control, for every leak."""
    return "; ".join(
        f"γ = {leak:g}, {own['better']:.0f} of {own['simulated']:.0f} readings end above and "
        f"{own['worse']:.0f} below"
        for leak, own in by_leak.iterrows()
    )
