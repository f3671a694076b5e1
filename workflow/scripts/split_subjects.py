"""Divide tables among shards, so that a new subject leaves the files of others alone."""

from job import logged

from fuzzybounds.storage.sharding import assign
from fuzzybounds.storage.tables import read_parquet, read_subjects, write_parquet


def main(
    path_to_trials: str,
    path_to_samples: str,
    paths_to_trials: list[str],
    paths_to_samples: list[str],
) -> None:
    trials = read_parquet(path_to_trials)
    shards = assign(trials["subject"].unique(), len(paths_to_trials))
    for subjects, path in zip(shards, paths_to_trials, strict=True):
        print(f"{path}: {', '.join(subjects) or 'nobody'}")
        write_parquet(trials[trials["subject"].isin(subjects)], path)
    # Points are many times more than trials: only one shard's are in memory at a time.
    points = read_subjects(path_to_samples, shards)
    for own, path in zip(points, paths_to_samples, strict=True):
        write_parquet(own, path)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            path_to_trials=snakemake.input.trials,
            path_to_samples=snakemake.input.samples,
            paths_to_trials=snakemake.output.trials,
            paths_to_samples=snakemake.output.samples,
        )
