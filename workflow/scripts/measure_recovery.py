"""Compare the fits of simulated subjects with the truth that was simulated."""

import pandas as pd
from job import logged

from fuzzybounds.canoe.block_windows import block_ranges, split
from fuzzybounds.canoe.samples import normalise
from fuzzybounds.cohort.fuzzy_subjects import Subject
from fuzzybounds.fuzzy.fits import FitTables
from fuzzybounds.fuzzy.recovery import recover
from fuzzybounds.storage.tables import read_json, read_parquet, write_csv


def true_controllers(subjects, condition, ranges, scales):
    """The truth of every subject's windows, in the units of its fits."""
    return {
        (row.subject, row.window): subjects[row.subject].mean_controller(
            condition, range(row.from_block, row.to_block + 1), tuple(scales.loc[row.subject])
        )
        for row in ranges.itertuples()
    }


def main(inputs, options: dict, outputs) -> None:
    subjects = {own["subject"]: Subject.from_json(own) for own in read_json(inputs.truth)}
    tables = FitTables(*map(read_parquet, (inputs.fits, inputs.rules, inputs.memberships)))
    samples = read_parquet(inputs.samples)
    ranges = block_ranges(read_parquet(inputs.trials), options["blocks"])
    condition = options["condition"]
    points = split(samples[samples["condition"] == condition], ranges)
    points = normalise(points, options["normalisation"])
    scales = tables.fits.groupby("subject")[["time_range", "position_range"]].first()
    truths = true_controllers(subjects, condition, ranges, scales)
    true_labels = pd.Series({key[0]: len(truth.time.labels) for key, truth in truths.items()})
    # Only fits with as many labels as the truth can be compared with it cell by cell.
    same = FitTables(*(t[t["labels"] == t["subject"].map(true_labels)] for t in tables))
    found = recover(truths, same, points)
    print(found.cells.to_string(index=False))
    print(found.memberships.to_string(index=False))
    print(found.losses.describe().to_string())
    write_csv(found.cells, outputs.rules)
    write_csv(found.memberships, outputs.memberships)
    write_csv(found.losses, outputs.losses)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            inputs=snakemake.input,
            options=snakemake.params.options,
            outputs=snakemake.output,
        )
