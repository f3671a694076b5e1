"""Simulate the paper's learning rule with both signs, and one trial looked at closely."""

import numpy as np
import pandas as pd
from job import logged

from fuzzybounds.canoe.task import EASY, EDGE
from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.learning.curves import curve_table, rate_of, window_noise
from fuzzybounds.learning.design import PAPER_UNCUED
from fuzzybounds.learning.policy import Decisions, paper_memberships, stop_probabilities
from fuzzybounds.learning.single_trial import simulate_trial
from fuzzybounds.learning.update_rules import Rule, learn
from fuzzybounds.storage.seeds import generator
from fuzzybounds.storage.tables import write_csv, write_parquet

SIGNS = {"as printed": -1, "sign reversed": 1}
STAGE = "learning"


def consequents_table(name: str, learning, labels: tuple[str, ...]) -> pd.DataFrame:
    """Median and middle 80 % over replicates of every consequent, at every snapshot."""
    low, middle, high = np.quantile(learning.consequents, (0.1, 0.5, 0.9), axis=0)
    trial, i, j = np.indices(middle.shape)
    return pd.DataFrame(
        {
            "rule": name,
            "trial": learning.trials[trial.ravel()],
            "time_label": np.array(labels)[i.ravel()],
            "position_label": np.array(labels)[j.ravel()],
            "median": middle.ravel(),
            "low": low.ravel(),
            "high": high.ravel(),
        }
    )


def trial_table(controller: Controller, decisions: Decisions, seed: int) -> pd.DataFrame:
    """One easy trial, answered correctly before the canoe came to the edge of the screen."""
    rng = generator(seed, STAGE, "trial")
    trace = simulate_trial(controller, decisions, EASY, rng)
    while not (trace.responded and trace.correct and np.abs(trace.position).max() < EDGE):
        trace = simulate_trial(controller, decisions, EASY, rng)
    names = controller.rules.time_labels
    activations = {
        f"{time},{position}": trace.activation[:, i, j]
        for i, time in enumerate(names)
        for j, position in enumerate(names)
    }
    return pd.DataFrame(
        {"time": trace.time, "position": trace.position, "output": trace.output, **activations}
    )


def main(options: dict, seed: int, outputs) -> None:
    memberships = paper_memberships(len(options["rule_base"]))
    start = Controller(memberships, memberships, RuleBase.from_table(options["rule_base"]))
    decisions = Decisions(float(options["o"]), options["frames"])
    curves, tables = [], []
    for name, sign in SIGNS.items():
        rule = Rule(
            "outcome",
            learning_rate=options["learning_rate"],
            leak=options["leak"],
            sign=sign,
            range=options["range"],
        )
        learning = learn(
            rule,
            start,
            decisions,
            PAPER_UNCUED,
            trials=options["trials"],
            replicates=options["replicates"],
            rng=generator(seed, STAGE, name),
            every=100,
        )
        curves.append(curve_table(name, learning))
        tables.append(consequents_table(name, learning, memberships.labels))
    policy = stop_probabilities(start, decisions)
    rate, noise = window_noise(policy, PAPER_UNCUED, generator(seed, STAGE, "noise"))
    exact = rate_of(start.rules.consequents, start, decisions, PAPER_UNCUED)
    initial = pd.DataFrame([{"exact": exact, "simulated": rate, "sd_of_a_window": noise}])
    print(initial.to_string(index=False))
    write_parquet(pd.concat(curves, ignore_index=True), outputs.curves)
    write_parquet(pd.concat(tables, ignore_index=True), outputs.consequents)
    write_csv(initial, outputs.initial)
    write_parquet(trial_table(start, decisions, seed), outputs.trial)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            options=snakemake.params.options,
            seed=snakemake.params.seed,
            outputs=snakemake.output,
        )
