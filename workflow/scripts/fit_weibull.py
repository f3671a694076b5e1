"""Fit all boundary models to the subjects of a shard, under each boundary time."""

from job import logged
from tqdm import tqdm

from fuzzybounds.storage.tables import read_parquet, write_parquet
from fuzzybounds.weibull.fit import fit_subject
from fuzzybounds.weibull.models import CUED, UNCUED, all_models, stable_models
from fuzzybounds.weibull.results import model_fits
from fuzzybounds.weibull.search import BUDGETS


def main(
    path_to_trials: str,
    boundary_times: list[str],
    cued: bool,
    search: str,
    seed: int,
    dataset: str,
    path_to_fits: str,
) -> None:
    conditions = CUED if cued else UNCUED
    models = all_models(conditions) + stable_models(conditions)
    by_subject = list(read_parquet(path_to_trials).groupby("subject", sort=False))
    silent = [subject for subject, own in by_subject if not own["responded"].any()]
    by_subject = [(subject, own) for subject, own in by_subject if subject not in silent]
    if silent:
        print(f"no response before the deadline, hence no fit: {', '.join(silent)}")
    planned = len(by_subject) * len(boundary_times) * len(models)
    fits = []
    with tqdm(total=planned, desc="fits", mininterval=1) as progress:
        for subject, own in by_subject:
            for boundary_time in boundary_times:
                for fit in fit_subject(
                    own,
                    models,
                    seed,
                    dataset,
                    subject,
                    boundary_time=boundary_time,
                    budget=BUDGETS[search],
                ):
                    fits.append((subject, boundary_time, fit))
                    progress.update()
    table = model_fits(fits)
    shown = ["subject", "boundary_time", "shape", "learning", "stable", "nll", "restarts_agree"]
    print(table[[*shown, "on_bound"]].to_string(index=False))
    write_parquet(table, path_to_fits)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            path_to_trials=snakemake.input.trials,
            boundary_times=snakemake.params.boundary_times,
            cued=snakemake.params.cued,
            search=snakemake.params.search,
            seed=snakemake.params.seed,
            dataset=snakemake.wildcards.dataset,
            path_to_fits=snakemake.output.fits,
        )
