"""Score the paper's claims on a data set, as a table and as text, and give the errata."""

from pathlib import Path

from job import logged

from fuzzybounds.paper import errata
from fuzzybounds.paper.claims import as_text, score
from fuzzybounds.storage.tables import read_csv, read_json, read_parquet, replacing, write_csv

READERS = {".parquet": read_parquet, ".json": read_json, ".csv": read_csv}


def main(
    paths_to_tables: list[str],
    registry: dict,
    path_to_dataset: str,
    path_to_claims: str,
    path_to_text: str,
    path_to_errata: str,
) -> None:
    described = read_json(path_to_dataset)
    tables = {Path(path).stem: READERS[Path(path).suffix](path) for path in paths_to_tables}
    scores = score(registry, tables, described["name"], described["kind"])
    write_csv(scores, path_to_claims)
    write_csv(errata.table(tables), path_to_errata)
    text = as_text(scores, described["remarks"])
    print(text)
    with replacing(path_to_text) as temporary:
        temporary.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            paths_to_tables=list(snakemake.input.tables),
            registry=snakemake.params.registry,
            path_to_dataset=snakemake.input.dataset,
            path_to_claims=snakemake.output.claims,
            path_to_text=snakemake.output.text,
            path_to_errata=snakemake.output.errata,
        )
