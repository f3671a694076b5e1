"""Draw two-class points for every trial that has a path."""

from collections import Counter

from job import logged

from fuzzybounds.canoe.samples import points_by_subject
from fuzzybounds.storage.tables import read_parquet, write_parquet_by_subject


def main(
    path_to_trials: str,
    path_to_paths: str,
    draws: int,
    seed: int,
    dataset: str,
    path_to_samples: str,
) -> None:
    trials = read_parquet(path_to_trials)
    used = Counter()

    def counted():
        for points in points_by_subject(trials, read_parquet(path_to_paths), draws, seed, dataset):
            used.update((points["path"].value_counts() // (2 * draws)).to_dict())
            yield points

    write_parquet_by_subject(counted(), path_to_samples)
    print(f"trials with points, by path: {dict(used)}")
    without = trials["responded"].sum() - used.total()
    print(f"responded trials without a path: {without} (see exclusions.csv)")


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            path_to_trials=snakemake.input.trials,
            path_to_paths=snakemake.input.paths,
            draws=snakemake.params.draws,
            seed=snakemake.params.seed,
            dataset=snakemake.params.dataset,
            path_to_samples=snakemake.output.samples,
        )
