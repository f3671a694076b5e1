"""The paper's rule beside one that follows the reward rate: earnings, and trials needed."""

import pandas as pd
from job import logged

from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.learning.comparison import Contest, compare, softened
from fuzzybounds.learning.design import PAPER_UNCUED
from fuzzybounds.learning.policy import Decisions, paper_memberships
from fuzzybounds.storage.tables import write_csv, write_parquet

LABELS = 3


def best_rate(path: str) -> float:
    """The best rate of the paper's memberships, with decisions at steps."""
    reach = pd.read_csv(path).set_index(["labels", "memberships", "respond_at"])["reward_rate"]
    return float(reach[LABELS, "fixed", "steps"])


def main(
    path_to_reach: str, options: dict, seed: int, path_to_curves: str, path_to_summary: str
) -> None:
    memberships = paper_memberships(LABELS)
    starts = {
        name: Controller(memberships, memberships, RuleBase.from_table(letters))
        for name, letters in options["starts"].items()
    }
    contest = Contest(
        softened(starts, options["soften"]),
        Decisions(),
        PAPER_UNCUED,
        options["trials"],
        options["replicates"],
        options["every"],
        seed,
    )
    curves, summary = compare(contest, options["learning_rates"], best_rate(path_to_reach))
    print(summary.to_string(index=False))
    write_parquet(curves, path_to_curves)
    write_csv(summary, path_to_summary)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            path_to_reach=snakemake.input.reach,
            options=snakemake.params.options,
            seed=snakemake.params.seed,
            path_to_curves=snakemake.output.curves,
            path_to_summary=snakemake.output.summary,
        )
