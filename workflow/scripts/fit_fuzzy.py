"""Fit the fuzzy model to the subjects of a shard: both windows, all draws, all label counts."""

import pandas as pd
from job import logged

from fuzzybounds.canoe.block_windows import block_ranges, split
from fuzzybounds.canoe.samples import normalise
from fuzzybounds.fuzzy.fits import EMPTY, FitTables, Recipe, fit_tables
from fuzzybounds.fuzzy.survival import redraw
from fuzzybounds.storage.tables import read_parquet, write_parquet


def main(
    path_to_trials: str,
    path_to_samples: str,
    options: dict,
    labels: dict[str, list[int]],
    seed: int,
    dataset: str,
    paths_to_tables: list[str],
) -> None:
    trials, samples = read_parquet(path_to_trials), read_parquet(path_to_samples)
    ranges = block_ranges(trials, options.pop("blocks"))
    condition, normalisation = options.pop("condition"), options.pop("normalisation")
    survival = options.pop("bridges") == "survival"
    if condition != "all":
        samples = samples[samples["condition"] == condition]
    points = normalise(split(samples, ranges), normalisation)
    several = set(ranges.loc[ranges["sessions"] > 1, "subject"])
    parts = []
    for kind, own in points.groupby(points["subject"].isin(several).map(KINDS), sort=False):
        for number in labels[kind]:
            recipe = Recipe(labels=number, **options)
            used = redraw(own, recipe.memberships(), seed, dataset) if survival else own
            tables = fit_tables(used, recipe)
            scales = own[["subject", "time_range", "position_range"]].drop_duplicates()
            tables = tables._replace(fits=tables.fits.merge(scales, on="subject"))
            print(f"{kind}, {number} labels")
            print(tables.fits[["loss_before", "loss_after", "iterations"]].describe().to_string())
            parts.append(tables)
    if not parts:
        print(f"no response on a trial that is fitted (fuzzy.condition: {condition}): no fits")
        no_scales = EMPTY.fits.assign(time_range=[], position_range=[])
        parts.append(EMPTY._replace(fits=no_scales))
    for name, path in zip(FitTables._fields, paths_to_tables, strict=True):
        write_parquet(pd.concat([getattr(part, name) for part in parts], ignore_index=True), path)


KINDS = {False: "one_session", True: "three_session"}

if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            path_to_trials=snakemake.input.trials,
            path_to_samples=snakemake.input.samples,
            options=dict(snakemake.params.options),
            labels=snakemake.params.labels,
            seed=snakemake.params.seed,
            dataset=snakemake.wildcards.dataset,
            paths_to_tables=[
                snakemake.output.fits,
                snakemake.output.rules,
                snakemake.output.memberships,
            ],
        )
