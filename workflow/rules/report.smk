rule make_report:
    """Put everything into one HTML file.

    Three things that it shows are not inputs, so that they never make it out of date: figures on
    request (shown if they exist), benchmarks, and the commit. `make report` regenerates it.
    """
    input:
        figures=lambda wildcards: figures.files_of(
            dataset_of(wildcards), FIGURES, ["png"]
        ),
        tables=expand(
            "results/{{dataset}}/{table}",
            table=[
                "dataset.json",
                "design_check.csv",
                "claims.csv",
                "errata.csv",
                "specification_summary.csv",
                "model_selection.csv",
                "fuzzy_fits.parquet",
                "rules.parquet",
                "memberships.parquet",
            ],
        ),
        template=report_parts(),
        code=code_of("make_report.py"),
    output:
        report="results/{dataset}/report.html",
    log:
        "logs/{dataset}/make_report.log",
    benchmark:
        "logs/{dataset}/make_report.tsv"
    conda:
        "../../environment.yml"
    params:
        figures=lambda wildcards: figures.shown(dataset_of(wildcards), FIGURES),
        configuration=lambda wildcards: {**config, "dataset": wildcards.dataset},
        snakefile=str(WORKFLOW.parent / "Snakefile"),
    message:
        "Making the report of {wildcards.dataset}"
    script:
        "../scripts/make_report.py"
