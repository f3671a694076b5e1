"""Split tables by subject into shards, so that a new subject leaves the others' files alone."""

from pathlib import Path

from job import logged

from fuzzybounds.storage.sharding import assign
from fuzzybounds.storage.tables import read_parquet, read_subjects, write_parquet


def main(path_to_trials: str, path_to_samples: str, size: int | None, path_to_shards: str) -> None:
    trials = read_parquet(path_to_trials)
    shards = assign(trials["subject"].unique(), size)
    print(f"{len(shards)} shards: {', '.join(shards)}")
    of_subject = {subject: shard for shard, subjects in shards.items() for subject in subjects}
    for shard, own in trials.groupby(trials["subject"].map(of_subject), sort=False):
        write_parquet(own, Path(path_to_shards, shard, "trials.parquet"))
    # Points are many times more than trials: only one shard's are in memory at a time.
    for shard, own in zip(shards, read_subjects(path_to_samples, shards.values()), strict=True):
        write_parquet(own, Path(path_to_shards, shard, "samples.parquet"))


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            path_to_trials=snakemake.input.trials,
            path_to_samples=snakemake.input.samples,
            size=snakemake.params.size,
            path_to_shards=snakemake.output.shards,
        )
