"""Fast and slow subjects: groups, tests of their boundaries, averaged rules and outputs."""

import numpy as np
import pandas as pd
from job import logged

from fuzzybounds.analysis import comparisons, groups
from fuzzybounds.canoe.block_windows import FIRST, LAST, block_ranges
from fuzzybounds.fuzzy.fits import FitTables, controllers
from fuzzybounds.storage.seeds import generator
from fuzzybounds.storage.tables import read_parquet, write_csv, write_parquet

GRID = np.linspace(0.0, 1.0, 61)


def one_session(trials: pd.DataFrame) -> pd.DataFrame:
    """The trials of subjects with a single session: the groups are theirs."""
    return trials[trials.groupby("subject")["session"].transform("nunique") == 1]


def compare(table: pd.DataFrame, seed: int, dataset: str) -> pd.DataFrame:
    """Test slow against fast in each window, and first against last in each group."""
    slow, fast = (table[table["group"] == group] for group in (groups.SLOW, groups.FAST))
    between = [(f"slow_vs_fast_{window}", slow[window], fast[window]) for window in (FIRST, LAST)]
    within = [
        (f"{name}_last_vs_first", of[LAST], of[FIRST])
        for name, of in (("fast", fast), ("slow", slow))
    ]
    planned = [(item, test) for item in between for test in comparisons.UNPAIRED_TESTS]
    all_tests = (*comparisons.UNPAIRED_TESTS, *comparisons.PAIRED_TESTS)
    planned += [(item, test) for item in within for test in all_tests]
    rows = [
        {
            "comparison": name,
            "n": len(a),
            "mean_difference": float(a.mean() - b.mean()),
            **vars(comparisons.compare(a, b, test, generator(seed, dataset, name, test))),
        }
        for (name, a, b), test in planned
    ]
    return pd.DataFrame(rows)


def main(inputs, outputs, options: dict, blocks: int, seed: int, dataset: str) -> None:
    trials = one_session(read_parquet(inputs.trials))
    ranges = block_ranges(trials, blocks)
    choice = {name: options[name] for name in ("condition", "missed")}
    medians = groups.boundaries(trials, ranges, **choice, summary="median")[FIRST]
    rule = {name: options[name] for name in ("quantile", "fast", "slow")}
    group = groups.assign(medians, **rule)
    table = groups.boundaries(trials, ranges, **choice, summary=options["summary"])
    table = table.assign(median_boundary=medians, group=group)
    columns = ["subject", "median_boundary", "group", FIRST, LAST]
    write_csv(table.rename_axis("subject").reset_index()[columns], outputs.groups)
    print(group.value_counts().to_string() if len(group) else "nobody to put into groups")

    tests = compare(table, seed, dataset)
    print(tests.to_string(index=False))
    write_csv(tests, outputs.tests)

    fitted = FitTables(*map(read_parquet, (inputs.fits, inputs.rules, inputs.memberships)))
    write_csv(
        groups.average_consequents(fitted.rules, group.to_dict(), options["labels"]),
        outputs.consequents,
    )
    members = group.index[group != groups.MIDDLE]
    chosen = FitTables(
        *(t[(t["labels"] == options["labels"]) & t["subject"].isin(members)] for t in fitted)
    )
    output = groups.average_output(controllers(chosen), group.to_dict(), options["labels"], GRID)
    write_parquet(output, outputs.outputs)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            inputs=snakemake.input,
            outputs=snakemake.output,
            options=snakemake.params.options,
            blocks=snakemake.params.blocks,
            seed=snakemake.params.seed,
            dataset=snakemake.wildcards.dataset,
        )
