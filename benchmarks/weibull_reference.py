"""Compare the boundary fits of finished runs with those of an earlier, longer search.

``weibull_reference.csv`` holds the negative log-likelihoods of both published experiments as of
commit be4efc2 (evolution of local optima, then leaps to places named by hand, and kicks).  Prints,
for each data set that has been run, how many fits are worse by more than 0.5, and by how much the
sum has changed; in how many fits two restarts agree; how many fits are worse than one that they
contain; and CPU seconds of a subject's fit job.  Free class rl has no optimum to compare.
Usage: weibull_reference.py [results folder]
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

from fuzzybounds.paper.boundaries.fit import model_of
from fuzzybounds.paper.boundaries.nesting import contained, embed
from fuzzybounds.paper.boundaries.recursion import nll
from fuzzybounds.paper.boundaries.trials import trials_of

HERE = Path(__file__).parent
FIT_KEY = ("subject", "shape", "learning", "boundary_time", "stable")
WORSE = 0.5
"""A fit is worse than the reference from this difference on."""
NESTED = 0.01
"""A fit is worse than one that it contains from this difference on."""


def compare(fits: pd.DataFrame, reference: pd.DataFrame) -> pd.DataFrame:
    """Return one row per learning class and shape: agreement, and NLL against the reference."""
    both = fits.merge(reference, on=list(FIT_KEY), suffixes=("", "_reference"), validate="1:1")
    both["change"] = both["nll"] - both["nll_reference"]
    return both.groupby(["learning", "stable", "shape"]).agg(
        fits=("nll", "size"),
        agreed=("agreed", "mean"),
        restarts=("restarts", "mean"),
        worse=("change", lambda change: int((change > WORSE).sum())),
        worst=("change", "max"),
        sum_of_changes=("change", "sum"),
    )


def violations(fits: pd.DataFrame, trials: pd.DataFrame) -> pd.DataFrame:
    """Return the fits that are worse than at the place of a model that they contain."""
    rows, tables = [], dict(tuple(trials.groupby("subject")))
    for (subject, time), of_subject in fits.groupby(["subject", "boundary_time"]):
        fitted = dict(model_of(row) for _, row in of_subject.iterrows())
        values = dict(zip(fitted, of_subject["nll"], strict=True))
        for model in fitted:
            prepared = trials_of(tables[subject], model.conditions, time)
            for inner in set(contained(model)) & set(fitted):
                worse = values[model] - nll(model, embed(inner, fitted[inner], model), prepared)
                if worse > NESTED:
                    rows.append((subject, time, model.name, model.stable, inner.name, worse))
    columns = ["subject", "boundary_time", "model", "stable", "contains", "nats"]
    return pd.DataFrame(rows, columns=columns)


def cpu_seconds(folder: Path) -> float:
    """Return the mean CPU seconds of a subject's fit job, from Snakemake's benchmark files."""
    files = sorted(folder.glob("fit_boundaries/*.tsv"))
    seconds = [float(pd.read_csv(path, sep="\t")["cpu_time"].iloc[0]) for path in files]
    return float(np.mean(seconds)) if seconds else np.nan


def main() -> None:
    results = Path(sys.argv[1] if len(sys.argv) > 1 else "results")
    reference = pd.read_csv(HERE / "weibull_reference.csv", dtype={"subject": str})
    for dataset, of_dataset in reference.groupby("dataset"):
        path = results / str(dataset) / "model_fits.parquet"
        if not path.exists():
            print(f"{dataset}: no {path}")
            continue
        fits = pd.read_parquet(path).astype({"subject": str})
        print(f"{dataset}\n{compare(fits, of_dataset).round(3).to_string()}")
        trials = pd.read_parquet(path.with_name("trials.parquet")).astype({"subject": str})
        worse = violations(fits, trials)
        print(f"worse than a contained model: {len(worse)}")
        print(worse.to_string() if len(worse) else "")
        seconds = cpu_seconds(results.parent / "logs" / str(dataset))
        print(f"CPU s of a fit job, mean: {seconds:.2f}")


if __name__ == "__main__":
    main()
