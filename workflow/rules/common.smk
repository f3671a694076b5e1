import os
import sys
from pathlib import Path

from snakemake.utils import update_config

# Relative paths, so that a run in another folder is the same run.
WORKFLOW = Path(os.path.relpath(Path(workflow.current_basedir).parent))
SOURCE = WORKFLOW.parent / "src"
sys.path[:0] = [str(WORKFLOW.resolve()), str(SOURCE.resolve())]

from fuzzybounds.storage.errors import InputError
from fuzzybounds.storage.schemas import check, read_yaml
from support import dates, datasets, environment, figures, imports, lock, scheduling

environment.prepare(SOURCE)


def read_registries(*names):
    """Read registries of the workflow folder, and check them."""
    schemas = read_yaml(WORKFLOW / "schemas/registries.schema.yaml")
    for name in names:
        registry = read_yaml(WORKFLOW / f"{name}.yaml")
        check(registry, schemas[name], f"{name}.yaml")
        yield registry


def complete(options):
    """Add what a workflow that uses this one as a module did not give: it is as in config.yaml."""
    defaults = read_yaml(WORKFLOW.parent / "config.yaml")
    update_config(defaults, options)
    options.update(defaults)


try:
    # Snakemake has read these, but takes the last of two keys of the same name.
    for configuration in workflow.configfiles:
        read_yaml(configuration)
    PUBLISHED, FIGURES, CLAIMS = read_registries("datasets", "figures", "claims")
    complete(config)
    check(config, read_yaml(WORKFLOW / "schemas/config.schema.yaml"), "config.yaml")
    DATASET = datasets.find(config["dataset"], config["cohorts"], PUBLISHED)
except InputError as error:
    # The message says it all: a traceback through Snakemake would bury it.
    sys.exit(f"error: {error}")


if workflow.is_main_process:
    written = [SOURCE, WORKFLOW, WORKFLOW.parent / "notebooks", datasets.RAW]
    dates.renew(dates.files_in(written), Path(".snakemake") / "sources.json")
    # A job counts as done when its benchmark, in logs, was written.
    if note := dates.settle([Path("results"), Path("logs")]):
        print(note, file=sys.stderr)


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


def report_parts():
    """The files besides modules from which the report is put together."""
    folder = SOURCE / "fuzzybounds" / "report"
    return [str(folder / f"page.{kind}") for kind in ("html", "css", "js")]


def claim_tables(dataset):
    """The result tables from which the claims and the errata are computed."""
    names = {name for entry in CLAIMS.values() for name in entry["tables"]}
    names |= {"fuzzy_fits.parquet"}
    names |= {"specification_summary.csv", "learning_sweep_summary.csv"}
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


# On a cluster these are not worth a job of their own, or need the network.
localrules:
    retrieve_logs,
    check_design,
    split_subjects,
    gather_fuzzy,
    gather_weibull,
    tabulate_recovery,
    solve_optimum,
    gather_human,
    compare_learning,
    score_claims,
    make_report,


onstart:
    lock.hold(Path(".snakemake") / "run.lock")
    scheduling.look_only_when_a_job_ends(workflow)
