"""Split tables by subject into shards, so that a new subject leaves the others' files alone."""

from pathlib import Path

from job import logged

from fuzzybounds.sharding import assign
from fuzzybounds.tables import read_parquet, write_parquet


def main(paths_to_tables: dict[str, str], size: int | None, path_to_shards: str) -> None:
    tables = {name: read_parquet(path) for name, path in paths_to_tables.items()}
    shards = assign(tables["trials"]["subject"].unique(), size)
    print(f"{len(shards)} shards: {', '.join(shards)}")
    of_subject = {subject: shard for shard, subjects in shards.items() for subject in subjects}
    for name, table in tables.items():
        groups = dict(tuple(table.groupby(table["subject"].map(of_subject), sort=False)))
        for shard in shards:
            # A subject without a single row still gets its (empty) table.
            write_parquet(
                groups.get(shard, table[:0]), Path(path_to_shards, shard, f"{name}.parquet")
            )


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            paths_to_tables={
                "trials": snakemake.input.trials,
                "samples": snakemake.input.samples,
            },
            size=snakemake.params.size,
            path_to_shards=snakemake.output.shards,
        )
