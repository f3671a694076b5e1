import os
import sys
from pathlib import Path

import yaml

# Relative paths, so that a run in another folder is the same run.
WORKFLOW = Path(os.path.relpath(Path(workflow.current_basedir).parent))
SOURCE = WORKFLOW.parent / "src"
sys.path[:0] = [str(WORKFLOW.resolve()), str(SOURCE.resolve())]

from fuzzybounds.errors import InputError
from fuzzybounds.schemas import check
from support import datasets, environment, figures, imports, lock

environment.prepare(SOURCE)


def read_yaml(name):
    """Read a document of the workflow folder."""
    # The compiled safe loader: these documents are read at every start.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load((WORKFLOW / name).read_text(encoding="utf-8"), Loader=loader)


PUBLISHED = read_yaml("datasets.yaml")
FIGURES = read_yaml("figures.yaml")
CLAIMS = read_yaml("claims.yaml")

try:
    check(config, read_yaml("schemas/config.schema.yaml"), "config.yaml")
    DATASET = datasets.find(config["dataset"], config["cohorts"], PUBLISHED)
except InputError as error:
    # The message says it all: a traceback through Snakemake would bury it.
    sys.exit(f"error: {error}")


def dataset_of(wildcards):
    """The data set of a job."""
    return datasets.find(wildcards.dataset, config["cohorts"], PUBLISHED)


def code_of(script):
    """The modules on which a script of workflow/scripts depends."""
    return imports.modules_of(WORKFLOW / "scripts" / script, SOURCE)


def notebook_of(wildcards):
    """The notebook that draws a figure."""
    return str(WORKFLOW.parent / FIGURES[wildcards.figure]["notebook"])


def figure_code(wildcards):
    """The modules on which the notebook and the script that runs it depend."""
    notebook = Path(notebook_of(wildcards))
    return sorted({*imports.modules_of(notebook, SOURCE), *code_of("draw_figure.py")})


def figure_options(wildcards):
    """The parameters of a figure's notebook: options of the configuration, and printed numbers."""
    figure = FIGURES[wildcards.figure]
    options = {name: config["figures"][name] for name in figure.get("options", [])}
    if figure.get("learning"):
        options["rule_base"] = config["learning"]["rule_base"]
    if "claims" in figure:
        options["printed"] = figures.printed_numbers(CLAIMS, figure["claims"])
    return options


def claim_tables(dataset):
    """The result tables from which the claims and the errata are computed."""
    names = {name for entry in CLAIMS.values() for name in entry["tables"]}
    names |= {"fuzzy_fits.parquet", "specification_summary.csv"}
    names |= {"learning_sweep_summary.csv"}
    return sorted(f"results/{dataset}/{name}" for name in names)


def of_shards(table, wildcards):
    """The files of one table in all shards of a data set."""
    folder = Path(
        checkpoints.split_subjects.get(dataset=wildcards.dataset).output.shards
    )
    shards = sorted(path.name for path in folder.iterdir() if path.is_dir())
    return [
        f"results/{wildcards.dataset}/fits/{shard}/{table}.parquet" for shard in shards
    ]


def of_some_shards(table, wildcards, count):
    """The files of one table in some shards, spread evenly over all of them."""
    files = of_shards(table, wildcards)
    return [
        files[(number * len(files)) // count]
        for number in range(min(count, len(files)))
    ]


wildcard_constraints:
    dataset=r"[A-Za-z0-9][A-Za-z0-9_-]*",
    figure="|".join(FIGURES),
    shard=r"[A-Za-z0-9_-]+",


onstart:
    lock.hold(Path(".snakemake") / "run.lock")
