"""Run every combination of the open choices, a few subjects' points at a time."""

from functools import partial

from job import logged

from fuzzybounds.analysis.specification import run_specifications
from fuzzybounds.storage.tables import read_subjects, read_table, write_table

if __name__ == "__main__":
    with logged(snakemake.log[0]):
        found = run_specifications(
            read_table(snakemake.input.trials),
            partial(read_subjects, snakemake.input.samples),
            blocks=snakemake.params.blocks,
            printed=snakemake.params.printed,
            chosen=snakemake.params.chosen,
        )
        print(found.summary.to_string(index=False))
        write_table(found.curve, snakemake.output.curve)
        write_table(found.summary, snakemake.output.summary)
