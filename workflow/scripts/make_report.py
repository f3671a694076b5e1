"""Put the results of a data set into one HTML file."""

import csv
from pathlib import Path

import yaml
from job import logged

from fuzzybounds.report import explorer, figures, page, provenance
from fuzzybounds.storage.results import Results
from fuzzybounds.storage.tables import read_table, replacing

PACKAGES = ("fuzzybounds", "matplotlib", "numba", "numpy", "pandas", "scikit-learn", "scipy")

FITTED = ("fuzzy_fits", "rules", "memberships")
"""The tables of fits, in the order in which the explorer takes them."""


def main(
    folder: str,
    paths_to_logs: list[str],
    snakefile: str,
    registry: dict,
    configuration: dict,
    path_to_graph: str,
    path_to_report: str,
) -> None:
    drawn = [figures.load(figure, entry, folder) for figure, entry in registry.items()]
    design = read_rows(f"{folder}/design_check.csv")
    results = page.Results(
        dataset=Results(folder)["dataset"],
        **{
            name: read_rows(f"{folder}/{file}.csv")
            for name, file in {
                "claims": "claims",
                "errata": "errata",
                "specification": "specification_summary",
                "selection": "model_selection",
            }.items()
        },
        # What is about single subjects would fill pages, and is in the table itself.
        design=[row for row in design if not row["subject"]],
        figures=drawn,
        configuration=yaml.safe_dump(configuration, sort_keys=False, allow_unicode=True),
        graph=svg_of(path_to_graph),
        explorer=explorer.collect(
            *(read_table(f"{folder}/{name}.parquet") for name in FITTED),
        ),
    )
    commit, changed = provenance.commit(snakefile)
    run = page.Run(
        commit,
        changed,
        provenance.versions([*PACKAGES, "snakemake"]),
        provenance.costs(*paths_to_logs),
    )
    with replacing(path_to_report) as temporary:
        temporary.write_text(page.render(results, run), encoding="utf-8")
    print(f"{path_to_report}: {Path(path_to_report).stat().st_size / 1e6:.1f} MB")


def svg_of(path: str) -> str:
    """Return the drawing alone, without the declarations of a file."""
    text = Path(path).read_text(encoding="utf-8")
    return text[text.find("<svg") :]


def read_rows(path: str) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            folder=str(Path(snakemake.output.report).parent),
            paths_to_logs=list(snakemake.params.logs),
            snakefile=snakemake.params.snakefile,
            registry=snakemake.params.figures,
            configuration=snakemake.params.configuration,
            path_to_graph=snakemake.input.graph,
            path_to_report=snakemake.output.report,
        )
