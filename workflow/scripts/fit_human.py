"""Fit the learning models to the subjects of a shard, trial by trial."""

from job import logged

from fuzzybounds.analysis.learning_in_people import human_fits
from fuzzybounds.learning.people.fits import fit_subject
from fuzzybounds.learning.people.likelihood import MODELS, sequence
from fuzzybounds.learning.policy import Decisions, paper_memberships
from fuzzybounds.storage.tables import read_parquet, write_parquet


def main(path_to_trials: str, cued: bool, options: dict, path_to_fits: str) -> None:
    memberships = paper_memberships(options["labels"])
    decisions = Decisions(frames=options["frames"])
    fits = []
    for name, own in read_parquet(path_to_trials).groupby("subject", sort=False):
        subject = sequence(own, cued=cued)
        start = None
        # The first model does not learn: the others start from its fit.
        for model in MODELS:
            fit = fit_subject(subject, model, memberships, memberships, decisions, start=start)
            start = start or fit
            fits.append((name, fit))
    table = human_fits(fits)
    print(table[["subject", "model", "nll", "learning_rate", "leak"]].to_string(index=False))
    write_parquet(table, path_to_fits)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            path_to_trials=snakemake.input.trials,
            cued=snakemake.params.cued,
            options=snakemake.params.options,
            path_to_fits=snakemake.output.fits,
        )
