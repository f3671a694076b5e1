"""Model selection over subjects, evidence for time-varying boundaries, and the boundaries."""

import pandas as pd
from job import logged

from fuzzybounds.storage.tables import read_parquet, write_csv, write_parquet
from fuzzybounds.weibull import results


def main(inputs, outputs, criterion: str) -> None:
    fits, trials = read_parquet(inputs.fits), read_parquet(inputs.trials)
    selection = pd.concat(
        [results.model_selection(fits, name) for name in ("aic", "bic")], ignore_index=True
    )
    selection["default"] = selection["criterion"] == criterion
    if fits.empty:
        print("no subject responded, so there are no models to compare")
    shapes, changes = results.shape_evidence(fits), results.first_block_changes(fits, trials)
    for table in (selection, shapes):
        print(table.to_string(index=False))
    print(
        changes.groupby(["stable", "boundary_time", "condition"])["varies"]
        .agg(["sum", "size"])
        .to_string()
    )
    write_csv(selection, outputs.selection)
    write_csv(shapes, outputs.shapes)
    write_csv(changes, outputs.changes)
    write_parquet(results.boundaries(fits, trials), outputs.boundaries)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            inputs=snakemake.input,
            outputs=snakemake.output,
            criterion=snakemake.params.criterion,
        )
