from snakemake.utils import min_version

min_version("9.0")


include: "workflow/rules/configuration.smk"


configfile: "config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/fuzzy.smk"
include: "workflow/rules/weibull.smk"
include: "workflow/rules/groups.smk"
include: "workflow/rules/learning.smk"
include: "workflow/rules/stopping.smk"
include: "workflow/rules/cohort.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/shared.smk"
include: "workflow/rules/report.smk"


rule all:
    default_target: True
    input:
        f"results/{DATASET.name}/design_check.csv",
        f"results/{DATASET.name}/claims.csv",
        sharing.files_in(DATASET.name, sharing.LEARNING + sharing.OPTIMUM),
        (
            sharing.files_in(DATASET.name, sharing.RECOVERY)
            if DATASET.kind == datasets.SIMULATED
            else []
        ),
        figures.files_of(DATASET, FIGURES),
        f"results/{DATASET.name}/report.html",
    message:
        f"All results of {DATASET.name} are there"


rule supplement:
    input:
        figures.files_of(DATASET, FIGURES, on_request=True),
    message:
        f"The figures on request of {DATASET.name} are there"


rule verdict:
    input:
        expand(
            "results/{dataset}/stopping_{table}.csv",
            dataset=DATASET.name,
            table=[
                "comparison",
                "questions",
                "recovery",
                "power",
                "checks",
                "sensitivity",
            ],
        ),
        [
            f"results/{DATASET.name}/figures/{figure}.{extension}"
            for figure in ("figS7", "figS8")
            for extension in figures.FORMATS
        ],
    message:
        f"The comparison of stopping models on {DATASET.name} is there"
