"""The confusion matrix of model recovery."""

import pandas as pd
from job import logged

from fuzzybounds.tables import read_parquet, write_csv
from fuzzybounds.weibull.recovery import confusion


def main(paths_to_fits: list[str], path_to_confusion: str) -> None:
    recoveries = pd.concat([read_parquet(path) for path in paths_to_fits], ignore_index=True)
    table = pd.concat([confusion(recoveries, name) for name in ("aic", "bic")], ignore_index=True)
    right = (table["true_shape"] == table["shape"]) & (table["true_learning"] == table["learning"])
    print(table[right].drop(columns=["shape", "learning"]).to_string(index=False))
    write_csv(table, path_to_confusion)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            paths_to_fits=list(snakemake.input.fits),
            path_to_confusion=snakemake.output.confusion,
        )
