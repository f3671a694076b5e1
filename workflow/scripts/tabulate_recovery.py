"""The confusion matrix of model recovery."""

import pandas as pd
from job import logged

from fuzzybounds.storage.tables import read_parquet, write_csv
from fuzzybounds.weibull.recovery import confusion, recovered


def main(paths_to_fits: list[str], path_to_confusion: str, path_to_summary: str) -> None:
    recoveries = pd.concat([read_parquet(path) for path in paths_to_fits], ignore_index=True)
    table = pd.concat([confusion(recoveries, name) for name in ("aic", "bic")], ignore_index=True)
    summary = recovered(table)
    print(summary.to_string(index=False))
    write_csv(table, path_to_confusion)
    write_csv(summary, path_to_summary)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            paths_to_fits=list(snakemake.input.fits),
            path_to_confusion=snakemake.output.confusion,
            path_to_summary=snakemake.output.summary,
        )
