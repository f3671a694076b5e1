rule fit_people:
    """Fit the learning models to the subjects of a shard, trial by trial."""
    input:
        trials="results/{dataset}/shards/{shard}/trials.parquet",
        code=stage_code("learning.people.subject_fits"),
    output:
        fits="results/{dataset}/fits/{shard}/learning_people.parquet",
    log:
        "logs/{dataset}/fit_people/{shard}.log",
    benchmark:
        "logs/{dataset}/fit_people/{shard}.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="learning.people.subject_fits.fit_people",
        cued=lambda wildcards: wildcards.dataset not in config["uncued"],
        options=config["learning"]["human"],
        seed=config["seed"],
    message:
        "Fitting learning models to {wildcards.shard} of {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule gather_people:
    """Put the learning models of all shards into one table."""
    input:
        fits=lambda wildcards: of_shards("learning_people", wildcards),
        code=stage_code("storage.sharding"),
    output:
        fits="results/{dataset}/learning_people.parquet",
    log:
        "logs/{dataset}/gather_people.log",
    benchmark:
        "logs/{dataset}/gather_people.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="storage.sharding.gather",
    message:
        "Gathering the learning models of {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule compare_learning:
    """Say which learning model describes the subjects best."""
    input:
        fits="results/{dataset}/learning_people.parquet",
        code=stage_code("analysis.learning_in_people"),
    output:
        selection="results/{dataset}/learning_people_selection.csv",
        control="results/{dataset}/learning_people_control.csv",
    log:
        "logs/{dataset}/compare_learning.log",
    benchmark:
        "logs/{dataset}/compare_learning.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="analysis.learning_in_people.compare_learning",
    message:
        "Comparing the learning models of {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"
