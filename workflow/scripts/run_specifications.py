"""Run every combination of the open choices, and mark those that give the printed numbers."""

from job import logged

from fuzzybounds.analysis import specification
from fuzzybounds.canoe.block_windows import block_ranges
from fuzzybounds.storage.tables import read_parquet, read_subjects, write_csv, write_parquet

P_VALUES = ("p_fast", "p_slow")
AT_ONCE = 26
"""So many subjects' points are held in memory at a time."""


def main(
    path_to_trials: str,
    path_to_samples: str,
    blocks: int,
    printed: dict[str, float],
    path_to_curve: str,
    path_to_summary: str,
) -> None:
    trials = read_parquet(path_to_trials)
    # The groups are those of subjects with a single session.
    trials = trials[trials.groupby("subject")["session"].transform("nunique") == 1]
    ranges = block_ranges(trials, blocks)
    curve = specification.group_specifications(trials, ranges)
    of_groups = {name: value for name, value in printed.items() if name in curve}
    curve["matches_groups"] = specification.matches(curve, of_groups)
    luck = specification.chance_of_match(curve, P_VALUES)
    members = curve[["condition", "members"]].drop_duplicates()
    subjects = ranges["subject"].unique()
    some = [subjects[first : first + AT_ONCE] for first in range(0, len(subjects), AT_ONCE)]
    samples = read_subjects(path_to_samples, some)
    tables = specification.table_specifications(samples, ranges, members)
    whole = curve.merge(tables, on=["condition", "members"], how="left")
    whole["matches_paper"] = specification.matches(whole, printed)
    write_parquet(whole, path_to_curve)
    summary = specification.summarise(curve, whole, luck)
    print(summary.to_string(index=False))
    write_csv(summary, path_to_summary)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            path_to_trials=snakemake.input.trials,
            path_to_samples=snakemake.input.samples,
            blocks=snakemake.params.blocks,
            printed=snakemake.params.printed,
            path_to_curve=snakemake.output.curve,
            path_to_summary=snakemake.output.summary,
        )
