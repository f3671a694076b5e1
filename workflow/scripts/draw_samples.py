"""Draw two-class points for every trial that has a path."""

from job import logged

from fuzzybounds.samples import draw_points
from fuzzybounds.tables import read_parquet, write_parquet


def main(
    path_to_trials: str,
    path_to_paths: str,
    draws: int,
    seed: int,
    dataset: str,
    path_to_samples: str,
) -> None:
    trials = read_parquet(path_to_trials)
    points = draw_points(trials, read_parquet(path_to_paths), draws, seed, dataset)
    used = points.groupby("path", sort=False)["trial"].count() // (2 * draws)
    without = int(trials["responded"].sum() - used.sum())
    print(f"trials with points, by path: {used.to_dict()}")
    print(f"responded trials without a path: {without} (see exclusions.csv)")
    write_parquet(points, path_to_samples)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            path_to_trials=snakemake.input.trials,
            path_to_paths=snakemake.input.paths,
            draws=snakemake.params.draws,
            seed=snakemake.params.seed,
            dataset=snakemake.wildcards.dataset,
            path_to_samples=snakemake.output.samples,
        )
