"""Run every reading of the paper's learning rule, and say which give its curve."""

from job import logged

from fuzzybounds.learning.curves import paper_settings, sweep, sweep_summary
from fuzzybounds.learning.design import PAPER_UNCUED
from fuzzybounds.storage.seeds import generator
from fuzzybounds.storage.tables import write_csv, write_parquet


def main(options: dict, printed: dict, seed: int, path_to_sweep: str, path_to_summary: str) -> None:
    choices = {name: options[name] for name in ("o", "learning_rate", "leak")}
    table = sweep(
        paper_settings(**choices),
        PAPER_UNCUED,
        generator(seed, "learning", "sweep"),
        printed=printed,
        replicates=options["replicates"],
    )
    summary = sweep_summary(table)
    print(table[table["match"]].to_string(index=False))
    print(summary.to_string(index=False))
    write_parquet(table, path_to_sweep)
    write_csv(summary, path_to_summary)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            options=snakemake.params.options,
            printed=snakemake.params.printed,
            seed=snakemake.params.seed,
            path_to_sweep=snakemake.output.sweep,
            path_to_summary=snakemake.output.summary,
        )
