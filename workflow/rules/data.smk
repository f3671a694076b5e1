# From raw logs to validated trials and two-class points, in shards of several subjects.


rule retrieve_logs:
    """Fetch a published log, or take it from the mirror, and check that it is whole.

    Neither the mirror nor the library's code is an input: a file with the right hash need not be
    fetched again, wherever it came from.
    """
    output:
        log="data/raw/{published}/{file}.csv",
    log:
        LOGS + "retrieve_logs/{published}_{file}.log",
    benchmark:
        LOGS + "retrieve_logs/{published}_{file}.tsv"
    wildcard_constraints:
        published="|".join(PUBLISHED),
    priority: 100
    conda:
        "../envs/analysis.yaml"
    params:
        entry=lambda wildcards: PUBLISHED[wildcards.published],
        mirror=config["mirror"],
    message:
        "Retrieving {wildcards.file}.csv of {wildcards.published}"
    script:
        "../scripts/retrieve_logs.py"


rule simulate_logs:
    """Let simulated subjects do the task; their truth is written beside their logs."""
    input:
        code=script_code("simulate_logs.py"),
    output:
        raw=directory(RESULTS + "raw"),
        truth=RESULTS + "truth.json",
    log:
        LOGS + "simulate_logs.log",
    benchmark:
        LOGS + "simulate_logs.tsv"
    priority: 100
    conda:
        "../envs/analysis.yaml"
    params:
        dataset=DATASET.name,
        cohort=config["cohorts"].get(DATASET.name),
        seed=config["seed"],
    message:
        f"Simulating the cohort {DATASET.name}"
    script:
        "../scripts/simulate_logs.py"


rule validate_logs:
    """Turn raw logs of any source into typed trials, and account for every row."""
    input:
        logs=DATASET.logs,
        paths=DATASET.paths,
        recorded=DATASET.recorded,
        code=script_code("validate_logs.py"),
    output:
        trials=RESULTS + "trials.parquet",
        paths=RESULTS + "paths.parquet",
        exclusions=RESULTS + "exclusions.csv",
        validation=RESULTS + "validation.csv",
        dataset=RESULTS + "dataset.json",
    log:
        LOGS + "validate_logs.log",
    benchmark:
        LOGS + "validate_logs.tsv"
    priority: 100
    conda:
        "../envs/analysis.yaml"
    params:
        name=DATASET.name,
        kind=DATASET.kind,
        cohort=config["cohorts"].get(DATASET.name),
        published=PUBLISHED.get(DATASET.name),
        actions=config["validation"],
        subjects=config["subjects"],
        first_look=config["first_look"],
        variant=config["variant"],
    message:
        f"Validating the logs of {DATASET.name}"
    script:
        "../scripts/validate_logs.py"


rule check_design:
    """Compare the logs with the design that the paper describes (C01)."""
    input:
        trials=table("trials"),
        code=stage_code("analysis.design_check.describe_design"),
    output:
        design=report(
            RESULTS + "design_check.csv",
            category="Data",
            caption="../captions/design_check.rst",
        ),
        cohort=RESULTS + "cohort_summary.csv",
    log:
        LOGS + "check_design.log",
    benchmark:
        LOGS + "check_design.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="analysis.design_check.describe_design",
    message:
        f"Checking the design of {DATASET.name}"
    script:
        "../scripts/run_stage.py"


rule draw_points:
    """Draw two-class points from recorded or reconstructed paths."""
    input:
        trials=table("trials"),
        paths=table("paths"),
        code=script_code("draw_points.py"),
    output:
        samples=RESULTS + "samples.parquet",
    log:
        LOGS + "draw_points.log",
    benchmark:
        LOGS + "draw_points.tsv"
    priority: 50
    conda:
        "../envs/analysis.yaml"
    params:
        draws=config["samples"]["draws"],
        seed=config["seed"],
        dataset=DATASET.name,
    message:
        f"Drawing two-class points of {DATASET.name}"
    script:
        "../scripts/draw_points.py"


checkpoint split_subjects:
    """Divide trials and points among shards, so that a new subject changes only its own."""
    input:
        trials=table("trials"),
        samples=table("samples"),
        code=script_code("split_subjects.py"),
    output:
        trials=expand(RESULTS + "shards/{shard}/trials.parquet", shard=SHARDS),
        samples=expand(RESULTS + "shards/{shard}/samples.parquet", shard=SHARDS),
    log:
        LOGS + "split_subjects.log",
    benchmark:
        LOGS + "split_subjects.tsv"
    priority: 50
    conda:
        "../envs/analysis.yaml"
    message:
        f"Splitting {DATASET.name} by subject"
    script:
        "../scripts/split_subjects.py"
