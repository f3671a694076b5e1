rule retrieve_logs:
    """Fetch a published log, or take it from the mirror, and check that it is whole.

    Neither the mirror nor the library's code is an input: a file with the right hash need not be
    fetched again, wherever it came from.
    """
    output:
        log="data/raw/{dataset}/{file}.csv",
    log:
        "logs/{dataset}/retrieve_logs/{file}.log",
    benchmark:
        "logs/{dataset}/retrieve_logs/{file}.tsv"
    wildcard_constraints:
        dataset=one_of(PUBLISHED),
    priority: 100
    conda:
        "../../environment.yml"
    params:
        entry=lambda wildcards: PUBLISHED[wildcards.dataset],
    message:
        "Retrieving {wildcards.file}.csv of {wildcards.dataset}"
    script:
        "../scripts/retrieve_logs.py"


rule simulate_logs:
    """Let simulated subjects do the task; their truth is written beside their logs."""
    input:
        code=code_of("simulate_logs.py"),
    output:
        raw=directory("results/{dataset}/raw"),
        truth="results/{dataset}/truth.json",
    log:
        "logs/{dataset}/simulate_logs.log",
    benchmark:
        "logs/{dataset}/simulate_logs.tsv"
    wildcard_constraints:
        dataset=one_of(config["cohorts"]),
    priority: 100
    conda:
        "../../environment.yml"
    params:
        cohort=lambda wildcards: config["cohorts"][wildcards.dataset],
        seed=config["seed"],
    message:
        "Simulating the cohort {wildcards.dataset}"
    script:
        "../scripts/simulate_logs.py"


rule validate_logs:
    """Turn raw logs of any source into typed trials, and account for every row."""
    input:
        logs=lambda wildcards: dataset_of(wildcards).logs,
        paths=lambda wildcards: dataset_of(wildcards).paths,
        recorded=lambda wildcards: dataset_of(wildcards).recorded,
        code=code_of("validate_logs.py"),
    output:
        trials="results/{dataset}/trials.parquet",
        paths="results/{dataset}/paths.parquet",
        exclusions="results/{dataset}/exclusions.csv",
        validation="results/{dataset}/validation.csv",
        dataset="results/{dataset}/dataset.json",
    log:
        "logs/{dataset}/validate_logs.log",
    benchmark:
        "logs/{dataset}/validate_logs.tsv"
    priority: 100
    conda:
        "../../environment.yml"
    params:
        subjects=config["subjects"],
        actions=config["validation"],
        kind=lambda wildcards: dataset_of(wildcards).kind,
        follow=lambda wildcards: dataset_of(wildcards).follow,
        layout=lambda wildcards: dataset_of(wildcards).layout,
        published=lambda wildcards: PUBLISHED.get(wildcards.dataset),
    message:
        "Validating the logs of {wildcards.dataset}"
    script:
        "../scripts/validate_logs.py"


rule check_design:
    """Compare the logs with the design that the paper describes (C01)."""
    input:
        trials="results/{dataset}/trials.parquet",
        code=stage_code("analysis.design_check"),
    output:
        design=report(
            "results/{dataset}/design_check.csv",
            category="Data",
            caption="../captions/design_check.rst",
        ),
        cohort="results/{dataset}/cohort_summary.csv",
    log:
        "logs/{dataset}/check_design.log",
    benchmark:
        "logs/{dataset}/check_design.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="analysis.design_check.describe_design",
    message:
        "Checking the design of {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule draw_samples:
    """Draw two-class points from recorded or reconstructed paths."""
    input:
        trials="results/{dataset}/trials.parquet",
        paths="results/{dataset}/paths.parquet",
        code=code_of("draw_samples.py"),
    output:
        samples="results/{dataset}/samples.parquet",
    log:
        "logs/{dataset}/draw_samples.log",
    benchmark:
        "logs/{dataset}/draw_samples.tsv"
    priority: 50
    conda:
        "../../environment.yml"
    params:
        draws=config["samples"]["draws"],
        seed=config["seed"],
    message:
        "Drawing two-class points of {wildcards.dataset}"
    script:
        "../scripts/draw_samples.py"
