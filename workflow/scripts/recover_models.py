"""Simulate from each boundary model as fitted to one subject, fit all models, see which wins."""

import pandas as pd
from job import logged
from tqdm import tqdm

from fuzzybounds.tables import read_parquet, write_parquet
from fuzzybounds.weibull.fit import fit_subject
from fuzzybounds.weibull.models import CUED, UNCUED, all_models
from fuzzybounds.weibull.recovery import recover


def main(path_to_trials: str, cued: bool, seed: int, dataset: str, path_to_fits: str) -> None:
    kinds = CUED if cued else UNCUED
    trials = read_parquet(path_to_trials)
    parts = []
    for subject, own in trials.groupby("subject", sort=False):
        # Unstable parameters follow one subject's responses, and run away on new ones.
        truths = all_models(kinds, stable=True)
        fitted = fit_subject(own, truths, seed, dataset, subject, "truth")
        for truth, fit in zip(truths, tqdm(fitted, total=len(truths)), strict=True):
            parts.append(
                recover(
                    truth,
                    fit.parameters,
                    own["condition"].tolist(),
                    all_models(kinds),
                    seed,
                    dataset,
                    subject,
                )
            )
    write_parquet(pd.concat(parts, ignore_index=True), path_to_fits)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            path_to_trials=snakemake.input.trials,
            cued=snakemake.params.cued,
            seed=snakemake.params.seed,
            dataset=snakemake.wildcards.dataset,
            path_to_fits=snakemake.output.fits,
        )
