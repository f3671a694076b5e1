import json
import os
import sys
from pathlib import Path

from filelock import FileLock, Timeout
from snakemake.utils import update_config

PROJECT = Path(workflow.current_basedir).resolve().parent.parent
if PROJECT.is_relative_to(Path.cwd()):
    # So that a finished run can be moved to another folder and is still up to date.
    PROJECT = PROJECT.relative_to(Path.cwd())
# In an installed package the workflow is a folder of the library, in a checkout beside it.
SOURCE = PROJECT / "src" if (PROJECT / "src").is_dir() else PROJECT.parent.parent
sys.path[:0] = [str((PROJECT / "workflow").resolve()), str(SOURCE.resolve())]

from fuzzybounds.report.registry import read_registry
from fuzzybounds.paper.printed import printed as printed_numbers
from fuzzybounds.scorecard.claims import tables_of_claims
from fuzzybounds.report.article import FIGURES as ARTICLE_FIGURES
from fuzzybounds.report.article import LOGS as ARTICLE_LOGS
from fuzzybounds.report.article import SHARED as ARTICLE_SHARED
from fuzzybounds.report.article import TABLES as ARTICLE_TABLES
from fuzzybounds.report.page import READ as REPORTED
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.dictionary import file_of
from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.results import SHARED_TABLES
from fuzzybounds.core.source_graph import digest
from fuzzybounds.logs.retrieval import published
from fuzzybounds.logs.study_design import read_design
from options import OWN, RAW, SIMULATED, find_dataset, for_dataset, prepare_environment

prepare_environment(SOURCE.resolve())
CONFIG = str(PROJECT / "config.yaml")
try:
    # Before Snakemake reads it: its message about a broken file has no line number.
    defaults = read_yaml(CONFIG)
except InputError as error:
    sys.exit(f"error: {error}")


configfile: CONFIG


# A workflow that uses this one as a module may give some options only.
update_config(defaults, config)
config.update(defaults)
# Where results and logs go: a variant has folders of its own.
variant = f"variants/{config['variant']}/" if config["variant"] else ""
RESULTS = f"results/{variant}{config['dataset']}/"
SHARED = f"results/{variant}shared/"
LOGS = f"logs/{variant}{config['dataset']}/"
SHARED_LOGS = f"logs/{variant}shared/"

try:
    PUBLISHED = published()
    FIGURES = read_registry(PROJECT / "notebooks")
    GENERAL = dict(config)
    SCHEMA = read_yaml(PROJECT / "workflow/schemas/config.schema.yaml")
    config.update(for_dataset(config, SCHEMA))
    DATASET = find_dataset(config["dataset"], config["cohorts"], PUBLISHED, RESULTS)
    PLAIN = DATASET.kind != OWN or read_design(RAW / DATASET.name).plain
except InputError as error:
    # The message says it all: a traceback through Snakemake would bury it.
    sys.exit(f"error: {error}")

# By name, so that a single log that was deleted is missed.
SIMULATED_LOGS = [*DATASET.logs, *DATASET.paths] if DATASET.kind == SIMULATED else []
CUED = DATASET.name not in config["uncued"]
SHARDS = range(config["shards"])
# By what random numbers are named, together with subject and stage.
RANDOM = {"seed": config["seed"], "dataset": DATASET.name}
FORMATS = ("pdf", "svg", "png")
DRAWN = [
    name
    for name, figure in FIGURES.items()
    if figure.get("only", DATASET.kind) == DATASET.kind
]
ON_REQUEST = [name for name in DRAWN if FIGURES[name].get("on_request")]
PAPER = [name for name in DRAWN if not name.startswith("figS")]
# The kinds of models of whole sessions.
KINDS_AFTER_ERRORS = ["boundary", "rules"]
KINDS = [*KINDS_AFTER_ERRORS, "boundary_directed", "boundary_met", "rules_directed"]
VERDICT = [
    *(f"stopping_{name}" for name in ("comparison", "questions", "power", "checks")),
    *("stopping_outward", "stopping_sensitivity"),
    *("rule_posterior", "rule_posterior_check", "rule_claims"),
]
# What trials of another start, or with a gate, are for (docs/decide.md).
DECIDED = [] if PLAIN else ["hypotheses", "rule_posterior"]
# Whose trials rules are inferred from: without cues, all.
FITTED_CONDITION = config["fuzzy"]["condition"] if CUED else "all"
# What claims and errata are computed from.
SCORED = {
    *(*tables_of_claims(), "dataset", "fuzzy_fits"),
    *("specification_summary", "learning_sweep", "learning_consequents"),
}
# Results of Experiments A and B, which the article is about.
ARTICLE = f"results/{variant}article/"
EXPERIMENTS = {
    log: f"results/{variant}{dataset}/" for log, dataset in ARTICLE_LOGS.items()
}
# Where shared tables come with the project, but for those that take two seconds.
REFERENCE = PROJECT / "reference"
# Rules whose tables are taken from it together, or not at all.
TOGETHER = [
    ["recover_rules"],
    ["sweep_learning"],
    ["simulate_groups"],
    ["check_claims"],
]


def table(name):
    """The path of a result table."""
    return (SHARED if name in SHARED_TABLES else RESULTS) + file_of(name)


def tables(names):
    """The paths of result tables, by name."""
    return {name: table(name) for name in names}


def tables_there(names):
    """The paths of those tables that were made before, by name."""
    return {name: path for name, path in tables(names).items() if os.path.exists(path)}


def all_tables():
    """Every table that a whole run makes, so that one that was deleted is made again."""
    drawn = {
        name
        for figure in DRAWN
        if figure not in ON_REQUEST
        for name in FIGURES[figure].get("tables", [])
    }
    kept = {"trials", "paths", "exclusions", "validation", "cohort_summary"}
    kept |= {"consequent_draws", "claim_controls", "optimal_boundary"}
    kept |= {"fit_convergence", "recovery_rules", "recovery_labels"}
    kept |= {f"control_{name}" for name in ("fits", "variation", "direction")}
    every = sorted(tables(drawn | kept | SCORED | {*DECIDED}).values())
    truth = [f"{RESULTS}truth.json"] if DATASET.kind == SIMULATED else []
    return [*every, f"{RESULTS}options.json", *truth]


def figure_files(names=None, formats=FORMATS):
    """The files of some figures, by default of those that are not drawn on request."""
    if names is None:
        names = [name for name in DRAWN if name not in ON_REQUEST]
    return expand(f"{RESULTS}figures/{{name}}.{{ending}}", name=names, ending=formats)


def without(options, *names):
    """Options without some of them."""
    return {name: value for name, value in options.items() if name not in names}


def choices_of_groups():
    """The choices behind the averaged tables, by which the specification curve finds its default."""
    fuzzy = ("normalisation", "empty", "resolution", "normalised")
    chosen = {name: config["fuzzy"][name] for name in fuzzy}
    return {**config["groups"], **chosen, "fitted": config["fuzzy"]["condition"]}


def stopping_options(*names):
    """Some options of the stopping models."""
    return {name: config["stopping"][name] for name in names}


def of_shards(name):
    """The files of one table in all shards."""
    return [f"{RESULTS}fits/{shard}/{file_of(name)}" for shard in SHARDS]


def shard_file(name):
    """The part of a table that is in a shard; what follows is decided when it is there."""
    return lambda wildcards: checkpoints.split_subjects.get().output[name][
        int(wildcards.shard)
    ]


def code_of(script, *others):
    """A digest of the code that a script runs, with its modules and those of other files."""
    return digest(PROJECT / "workflow/scripts" / script, *others, source=SOURCE)


def stage(name):
    """The name of a stage and a digest of its code, as parameters."""
    path = SOURCE / "fuzzybounds" / f"{name.rpartition('.')[0].replace('.', '/')}.py"
    return {"stage": name, "code": lambda wildcards: code_of("run_stage.py", path)}


def made_with(names):
    """The parameters of some rules, among them the digests of their code."""
    parameters = {
        name: {
            key: value(None) if callable(value) else value
            for key, value in getattr(rules, name).params.items()
        }
        for name in names
    }
    return json.loads(json.dumps(parameters))


def made_by(names):
    """The files that some rules make."""
    return [file for name in names for file in getattr(rules, name).output]


def up_to_date():
    """The rules whose tables in the reference are those that they would make."""
    path = REFERENCE / "reference.json"
    known = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    current, outdated = [], []
    for names in TOGETHER:
        now, then = made_with(names), {name: known.get(name, {}) for name in names}
        if now == then:
            current += names
        elif all(
            without(now[name], "code") == without(then[name], "code") for name in names
        ):
            outdated += names
    if outdated:
        print(
            f"{REFERENCE}: older than the code of {', '.join(outdated)}; what is needed of it is made again",
            file=sys.stderr,
        )
    return current


def options_of(figure):
    """The options that a figure's notebook takes as parameters, by name."""
    pairs = (option.split(".") for option in FIGURES[figure].get("options", []))
    return {name: config[section][name] for section, name in pairs}


wildcard_constraints:
    kind="|".join(KINDS),
    figure="|".join(FIGURES),
    shard=r"\d+",
    table="fuzzy_fits|rules|memberships|model_fits|stopping_fits",


# On a cluster these are not worth a job of their own, or need the network.
localrules:
    retrieve_logs,
    check_design,
    split_subjects,
    gather_shards,
    solve_optimum,
    summarise_sweep,
    tabulate_recovery,
    vary_boundary_choices,
    control_boundary_claims,
    score_claims,
    make_report,


# Unlike Snakemake's own lock this one is released when a run is killed (profiles/default: nolock).
RUN_LOCK = FileLock(".snakemake/run.lock")


onstart:
    try:
        RUN_LOCK.acquire(timeout=0)
    except Timeout:
        sys.exit(
            "error: another run is at work in this folder\n"
            "  - wait until it ends, or stop it; then rerun the same command"
        )
