"""How much of the optimum the fuzzy model can reach, with memberships fixed and tuned."""

import pandas as pd
from job import logged

from fuzzybounds.learning.design import PAPER_UNCUED
from fuzzybounds.learning.policy import Decisions, paper_memberships
from fuzzybounds.learning.reach import QUICK, best_consequents, best_controller
from fuzzybounds.storage.tables import write_csv

FRAMES = {"steps": 30, "frames": 1}
STARTS = 2
"""Ascents in the consequents alone; from whichever rule-base, they end at the same rate."""


def main(path_to_optimum: str, options: dict, path_to_reach: str) -> None:
    optima = pd.read_csv(path_to_optimum).set_index(["design", "respond_at"])["reward_rate"]
    rows = []
    for respond_at, frames in FRAMES.items():
        decisions, tuned = Decisions(frames=frames), None
        for labels in sorted(options["labels"]):
            own = paper_memberships(labels)
            found = {"fixed": best_consequents(own, own, decisions, PAPER_UNCUED, starts=STARTS)}
            if respond_at in options["tuned"]:
                smaller = None if tuned is None else tuned.controller
                tuned = best_controller(
                    labels, "width", decisions, PAPER_UNCUED, rounds=QUICK, smaller=smaller
                )
                found["tuned"] = tuned
            rows += [
                {
                    "labels": labels,
                    "memberships": memberships,
                    "respond_at": respond_at,
                    "reward_rate": reach.reward_rate,
                    "share_of_optimum": reach.reward_rate / optima[PAPER_UNCUED.name, respond_at],
                }
                for memberships, reach in found.items()
            ]
    table = pd.DataFrame(rows)
    print(table.to_string(index=False))
    write_csv(table, path_to_reach)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            path_to_optimum=snakemake.input.optimum,
            options=snakemake.params.options,
            path_to_reach=snakemake.output.reach,
        )
