checkpoint split_subjects:
    """Split trials and points by subject, so that a new subject leaves the others alone."""
    input:
        trials="results/{dataset}/trials.parquet",
        samples="results/{dataset}/samples.parquet",
        code=code_of("split_subjects.py"),
    output:
        shards=directory("results/{dataset}/shards"),
    log:
        "logs/{dataset}/split_subjects.log",
    benchmark:
        "logs/{dataset}/split_subjects.tsv"
    priority: 50
    conda:
        "../../environment.yml"
    params:
        size=config["shard_size"],
    message:
        "Splitting {wildcards.dataset} by subject"
    script:
        "../scripts/split_subjects.py"


rule fit_fuzzy:
    """Extract rules (Wang and Mendel) and tune memberships (back-propagation) of a shard."""
    input:
        trials="results/{dataset}/shards/{shard}/trials.parquet",
        samples="results/{dataset}/shards/{shard}/samples.parquet",
        code=stage_code("fuzzy.subject_fits"),
    output:
        fits="results/{dataset}/fits/{shard}/fuzzy_fits.parquet",
        rules="results/{dataset}/fits/{shard}/rules.parquet",
        memberships="results/{dataset}/fits/{shard}/memberships.parquet",
    log:
        "logs/{dataset}/fit_fuzzy/{shard}.log",
    benchmark:
        "logs/{dataset}/fit_fuzzy/{shard}.tsv"
    priority: 50
    conda:
        "../../environment.yml"
    params:
        stage="fuzzy.subject_fits.fit_fuzzy",
        options=config["fuzzy"],
        seed=config["seed"],
    message:
        "Fitting the fuzzy model to {wildcards.shard} of {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule gather_fuzzy:
    """Put the fits of all shards into one table each."""
    input:
        fits=lambda wildcards: of_shards("fuzzy_fits", wildcards),
        rules=lambda wildcards: of_shards("rules", wildcards),
        memberships=lambda wildcards: of_shards("memberships", wildcards),
        code=stage_code("storage.sharding"),
    output:
        fits="results/{dataset}/fuzzy_fits.parquet",
        rules="results/{dataset}/rules.parquet",
        memberships="results/{dataset}/memberships.parquet",
    log:
        "logs/{dataset}/gather_fuzzy.log",
    benchmark:
        "logs/{dataset}/gather_fuzzy.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="storage.sharding.gather",
    message:
        "Gathering the fuzzy fits of {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"
