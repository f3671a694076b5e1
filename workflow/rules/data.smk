# From raw logs to validated trials and two-class points, in shards of several subjects.


rule run_stage:
    """What rules that run a stage have in common. Each says what differs."""
    log:
        f"{LOGS}run_stage.log",
    benchmark:
        f"{LOGS}run_stage.tsv"
    conda:
        "../envs/analysis.yaml"
    script:
        "../scripts/run_stage.py"


rule retrieve_logs:
    """Fetch a published log, or take it from the mirror, and check that it is whole.

    Neither the mirror nor the library's code is an input: a file with the right hash need not be
    fetched again, wherever it came from.
    """
    output:
        log="data/raw/{published}/{file}.csv",
    log:
        f"{LOGS}retrieve_logs/{{published}}_{{file}}.log",
    benchmark:
        f"{LOGS}retrieve_logs/{{published}}_{{file}}.tsv"
    wildcard_constraints:
        published="|".join(PUBLISHED),
    priority: 100
    conda:
        "../envs/analysis.yaml"
    params:
        entry=lambda wildcards: PUBLISHED[wildcards.published],
    script:
        "../scripts/retrieve_logs.py"


rule simulate_logs:
    """Let simulated subjects do the task; their truth is written beside their logs."""
    output:
        raw=SIMULATED_LOGS,
        truth=f"{RESULTS}truth.json",
    log:
        f"{LOGS}simulate_logs.log",
    benchmark:
        f"{LOGS}simulate_logs.tsv"
    priority: 100
    conda:
        "../envs/analysis.yaml"
    params:
        **RANDOM,
        code=lambda wildcards: code_of("simulate_logs.py"),
        cohort=config["cohorts"].get(DATASET.name),
    script:
        "../scripts/simulate_logs.py"


use rule run_stage as validate_logs with:
    """Turn raw logs of any source into typed trials, and account for every row."""
    input:
        logs=DATASET.logs,
        paths=DATASET.paths,
        recorded=DATASET.recorded,
    output:
        trials=f"{RESULTS}trials.parquet",
        paths=f"{RESULTS}paths.parquet",
        exclusions=f"{RESULTS}exclusions.csv",
        validation=f"{RESULTS}validation.csv",
        dataset=f"{RESULTS}dataset.json",
    log:
        f"{LOGS}validate_logs.log",
    benchmark:
        f"{LOGS}validate_logs.tsv"
    priority: 100
    params:
        **stage("logs.dataset.validate_logs"),
        as_files=True,
        watched=["recorded"],
        name=DATASET.name,
        kind=DATASET.kind,
        cohort=config["cohorts"].get(DATASET.name),
        published=PUBLISHED.get(DATASET.name),
        actions=config["validation"],
        subjects=config["subjects"],
        first_look=config["first_look"],
        variant=config["variant"],


use rule run_stage as check_design with:
    """Compare the logs with the design that the paper describes (C01)."""
    input:
        trials=table("trials"),
    output:
        design=f"{RESULTS}design_check.csv",
        cohort=f"{RESULTS}cohort_summary.csv",
    log:
        f"{LOGS}check_design.log",
    benchmark:
        f"{LOGS}check_design.tsv"
    params:
        **stage("logs.design_check.describe_design"),


use rule run_stage as draw_points with:
    """Draw two-class points from recorded or reconstructed paths."""
    input:
        trials=table("trials"),
        paths=table("paths"),
    output:
        samples=f"{RESULTS}samples.parquet",
    log:
        f"{LOGS}draw_points.log",
    benchmark:
        f"{LOGS}draw_points.tsv"
    priority: 100
    params:
        **RANDOM,
        **stage("canoe.samples.draw_points"),
        draws=config["samples"]["draws"],


checkpoint split_subjects:
    """Divide trials and points among shards, so that a new subject changes only its own."""
    input:
        trials=table("trials"),
        samples=table("samples"),
    output:
        trials=expand(f"{RESULTS}shards/{{shard}}/trials.parquet", shard=SHARDS),
        samples=expand(f"{RESULTS}shards/{{shard}}/samples.parquet", shard=SHARDS),
    log:
        f"{LOGS}split_subjects.log",
    benchmark:
        f"{LOGS}split_subjects.tsv"
    priority: 100
    conda:
        "../envs/analysis.yaml"
    params:
        **stage("core.subjects.split"),
        any_design=True,
        shards=len(SHARDS),
    script:
        "../scripts/run_stage.py"
