"""Put tables of shards together, subjects in their natural order."""

import pandas as pd
from job import logged

from fuzzybounds.intake.logs import natural_key
from fuzzybounds.storage.tables import read_parquet, write_parquet


def main(tables: dict[str, list[str]], outputs: dict[str, str]) -> None:
    for name, output in outputs.items():
        parts = [read_parquet(path) for path in tables[name]]
        # An empty table has no types that the others should take on.
        table = pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)
        rank = {s: n for n, s in enumerate(sorted(table["subject"].unique(), key=natural_key))}
        order = table["subject"].map(rank).argsort(kind="stable")
        write_parquet(table.iloc[order].reset_index(drop=True), output)
        print(f"{output}: {len(table)} rows, {len(rank)} subjects")


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            tables=dict(snakemake.input.items()),
            outputs=dict(snakemake.output.items()),
        )
