from snakemake.utils import update_config

from fuzzybounds.figures.registry import read_registry
from fuzzybounds.paper.claims import printed_numbers, tables_of_claims
from fuzzybounds.storage.registry import file_of
from fuzzybounds.storage.schemas import check
from fuzzybounds.storage.source_graph import modules_of
from snakemake_logger_plugin_progress import plan
from support import (
    dates,
    datasets,
    environment,
    expectations,
    figures,
    forking,
    lock,
    options,
    scheduling,
    sharing,
    variants,
)

environment.prepare(SOURCE)
scheduling.compare_parameters_without_pandas()


def complete(options):
    """Add what a workflow that uses this one as a module did not give: it is as in config.yaml."""
    defaults = read_yaml(WORKFLOW.parent / "config.yaml")
    update_config(defaults, options)
    options.update(defaults)


try:
    # Snakemake has read these, but takes the last of two keys of the same name.
    for configuration in workflow.configfiles:
        read_yaml(configuration)
    PUBLISHED = read_yaml(WORKFLOW / "datasets.yaml")
    check(
        PUBLISHED, read_yaml(WORKFLOW / "schemas/datasets.schema.yaml"), "datasets.yaml"
    )
    FIGURES = read_registry(WORKFLOW.parent / "notebooks")
    complete(config)
    SCHEMA = read_yaml(WORKFLOW / "schemas/config.schema.yaml")
    NAME = options.full_name(config["dataset"], config["variant"])
    check(config, SCHEMA, "config.yaml")
    # All options as config.yaml has them, and as they are for the data set of this run.
    GENERAL = dict(config)
    VARIANTS = options.variants_folder(WORKFLOW.parent)
    config.update(options.resolve(NAME, GENERAL, SCHEMA, VARIANTS))
    if config["variant"]:
        # A variant is what its data set is: simulated, published or without cues.
        config["dataset"] = NAME
        options.rename(NAME, config, PUBLISHED)
    SHARED_FIGURES = [
        name for name, entry in FIGURES.items() if sharing.is_shared(entry)
    ]
    sharing.refuse(config["dataset"])
    DATASET = datasets.find(config["dataset"], config["cohorts"], PUBLISHED)
except InputError as error:
    # The message says it all: a traceback through Snakemake would bury it.
    sys.exit(f"error: {error}")


if workflow.is_main_process:
    if config["variant"]:
        variants.adopt(NAME, figures.paths_on_request(FIGURES))
        variants.describe(
            NAME, options.flattened(options.changes_of(NAME, GENERAL, VARIANTS))
        )
    written = [SOURCE, WORKFLOW, WORKFLOW.parent / "notebooks", datasets.RAW]
    dates.renew(dates.files_in(written), Path(".snakemake") / "sources.json")
    # A job counts as done when its benchmark, in logs, was written.
    if note := dates.settle([Path("results"), Path("logs")]):
        print(note, file=sys.stderr)
    subjects = expectations.subjects_of(DATASET, config["cohorts"], PUBLISHED)
    described = expectations.describe(DATASET, subjects, PUBLISHED)
    plan.what = f"Making results/{DATASET.name} from {described}"
    plan.shards = expectations.shards_of(DATASET, subjects, config["shard_size"])


def one_of(names):
    """A pattern that matches some names, or nothing where there are none."""
    return "|".join(names) or "(?!)"


def other_than(*names):
    """A pattern that matches the name of any data set except some."""
    own = rf"{options.NAME}(?:{options.SIGN}{options.NAME})?"
    return rf"(?!(?:{one_of(names)})/){own}"


def dataset_of(wildcards):
    """The data set of a job."""
    if wildcards.dataset != NAME and options.changes_of(
        wildcards.dataset, GENERAL, VARIANTS
    ):
        dataset, _, variant = wildcards.dataset.partition(options.SIGN)
        own = f" variant={variant}" if variant else ""
        raise InputError(
            f"{wildcards.dataset} has options of its own",
            [f"run it by itself: snakemake --config dataset={dataset}{own}"],
        )
    return datasets.find(wildcards.dataset, config["cohorts"], PUBLISHED)


def folder_of(wildcards):
    """The folder under results/ of a job: its data set, or what all data sets share."""
    return wildcards.get("dataset", sharing.SHARED)


def code_of(script):
    """The modules on which a script of workflow/scripts depends."""
    return modules_of(WORKFLOW / "scripts" / script, SOURCE)


def stage_code(module):
    """The modules on which a stage and the script that runs it depend."""
    path = SOURCE / "fuzzybounds" / f"{module.replace('.', '/')}.py"
    own = [str(path), *modules_of(path, SOURCE)]
    return sorted({*own, *code_of("run_stage.py")})


def figure_code(wildcards):
    """The modules on which the notebook and the script that runs it depend."""
    notebook = Path(FIGURES[wildcards.figure]["notebook"])
    return sorted({*modules_of(notebook, SOURCE), *code_of("draw_figure.py")})


PARTS = {".html", ".css", ".js"}


def report_parts():
    """The files other than modules from which the report is assembled."""
    folder = SOURCE / "fuzzybounds" / "report"
    return sorted(str(path) for path in folder.iterdir() if path.suffix in PARTS)


def scored_tables(dataset):
    """The result tables from which the claims and the errata are computed, by name."""
    names = {*tables_of_claims(), "dataset", "fuzzy_fits"}
    names |= {"specification_summary", "learning_sweep_summary"}
    names |= {"penalty_check", "bridge_check"}
    return {
        name: f"results/{sharing.folder_of(name, dataset)}/{file_of(name)}"
        for name in sorted(names)
    }


def choices_of_groups():
    """The choices behind the averaged tables, by which the specification curve finds its default."""
    fuzzy = ("normalisation", "empty", "resolution", "normalised", "bridges")
    return {
        **config["groups"],
        **{name: config["fuzzy"][name] for name in fuzzy},
        "fitted": config["fuzzy"]["condition"],
    }


def stopping_options(*names):
    """Options of the stopping models, and how rules are fitted to two-class points."""
    chosen = {name: config["stopping"][name] for name in names}
    return {**chosen, "penalty": config["fuzzy"]["penalty"]}


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
    dataset=other_than(sharing.SHARED),
    figure=one_of(name for name in FIGURES if name not in SHARED_FIGURES),
    shard=r"[\w-]+",


# On a cluster these are not worth a job of their own, or need the network.
localrules:
    retrieve_logs,
    check_design,
    split_subjects,
    gather_fuzzy,
    gather_weibull,
    tabulate_recovery,
    solve_optimum,
    share_tables,
    share_recovery,
    share_optimum,
    add_optimum,
    share_figure,
    gather_people,
    gather_stopping,
    compare_stopping,
    tabulate_stopping_recovery,
    tabulate_stopping_sensitivity,
    compare_learning,
    score_claims,
    make_report,


onstart:
    lock.hold(Path(".snakemake") / "run.lock")
    scheduling.look_only_when_a_job_ends(workflow)
    scheduling.stop_without_data(workflow)
    forking.use(workflow, SOURCE, WORKFLOW / "scripts")
