"""Put the results of a data set into one HTML file."""

import csv
from base64 import urlsafe_b64encode
from pathlib import Path

import yaml
from job import logged

from fuzzybounds.report import explorer, figures, graph, page, provenance
from fuzzybounds.storage.results import Results
from fuzzybounds.storage.tables import read_json, read_table, replacing

PACKAGES = ("fuzzybounds", "matplotlib", "numba", "numpy", "pandas", "scikit-learn", "scipy")

FITTED = ("fuzzy_fits", "rules", "memberships")
"""The tables of fits, in the order in which the explorer takes them."""


def main(
    folder: str,
    paths_to_logs: list[str],
    snakefile: str,
    registry: dict,
    configuration: dict,
    inputs: list[str],
    path_to_report: str,
) -> None:
    drawn = [figures.load(figure, entry, folder) for figure, entry in registry.items()]
    sources = [*inputs, *(f"{folder}/figures/{figure.id}.png" for figure in drawn)]
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
        graph=draw_rules(sources),
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


def read_rows(path: str) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def job_of(path: str) -> graph.Job | None:
    """What Snakemake recorded of the job that made a file, or a folder around it.

    The record is there before a job starts that needs the file, and costs nothing to read: a graph
    of rules from a second Snakemake would take longer than the report.
    """
    for made in (path, *map(str, Path(path).parents)):
        record = Path(".snakemake/metadata") / urlsafe_b64encode(made.encode()).decode()
        if record.is_file():
            content = read_json(record)
            return graph.Job(content["rule"], tuple(content["input"]))
    return None


def draw_rules(sources: list[str]) -> str:
    edges = graph.rule_edges(job_of, sources, "make_report")
    return graph.to_svg(edges, "Graph of the workflow's rules") if edges else ""


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            folder=str(Path(snakemake.output.report).parent),
            paths_to_logs=[str(Path(snakemake.log[0]).parent), "logs/shared"],
            snakefile=snakemake.params.snakefile,
            registry=snakemake.params.figures,
            configuration=snakemake.params.configuration,
            inputs=list(snakemake.input.tables),
            path_to_report=snakemake.output.report,
        )
