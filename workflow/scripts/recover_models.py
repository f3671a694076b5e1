"""Simulate from each boundary model as fitted to one subject, fit all models, see which wins."""

from itertools import product

import pandas as pd
from job import logged
from tqdm import tqdm

from fuzzybounds.storage.tables import read_parquet, write_parquet
from fuzzybounds.weibull.fit import fit_subject
from fuzzybounds.weibull.models import CUED, UNCUED, all_models, stable_models
from fuzzybounds.weibull.recovery import WAYS, recover


def main(path_to_trials: str, cued: bool, seed: int, dataset: str, path_to_fits: str) -> None:
    kinds = CUED if cued else UNCUED
    models = all_models(kinds) + stable_models(kinds)
    trials = read_parquet(path_to_trials)
    parts = []
    for subject, own in trials.groupby("subject", sort=False):
        # Unstable parameters follow one subject's responses, and run away on new ones.
        truths = all_models(kinds, stable=True)
        fitted = list(fit_subject(own, truths, seed, dataset, subject, "truth"))
        for fit, way in tqdm(list(product(fitted, WAYS)), desc=f"subject {subject}"):
            truth, theta = fit.model, fit.parameters
            parts.append(recover(truth, theta, own, models, seed, dataset, subject, way=way))
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
