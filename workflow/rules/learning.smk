rule solve_optimum:
    """Find the best reward rate that any observer of the canoe can reach."""
    input:
        design="results/{dataset}/design_check.csv",
        code=code_of("solve_optimum.py"),
    output:
        optimum="results/{dataset}/optimum.csv",
        boundary="results/{dataset}/optimal_boundary.csv",
    log:
        "logs/{dataset}/solve_optimum.log",
    benchmark:
        "logs/{dataset}/solve_optimum.tsv"
    conda:
        "../../environment.yml"
    params:
        cued=lambda wildcards: wildcards.dataset not in config["uncued"],
    message:
        "Solving for the optimal policy on {wildcards.dataset}"
    script:
        "../scripts/solve_optimum.py"


rule simulate_learning:
    """Let fuzzy subjects learn their consequents by the paper's rule and by one that works."""
    input:
        code=code_of("simulate_learning.py"),
    output:
        curves="results/{dataset}/learning_curves.parquet",
        consequents="results/{dataset}/learning_consequents.parquet",
        initial="results/{dataset}/learning_initial.csv",
        trial="results/{dataset}/example_trial.parquet",
    log:
        "logs/{dataset}/simulate_learning.log",
    benchmark:
        "logs/{dataset}/simulate_learning.tsv"
    conda:
        "../../environment.yml"
    params:
        options=config["learning"],
        seed=config["seed"],
    message:
        "Simulating reinforcement learning"
    script:
        "../scripts/simulate_learning.py"


rule fit_human:
    """Fit the learning models to the subjects of a shard, trial by trial."""
    input:
        trials="results/{dataset}/shards/{shard}/trials.parquet",
        code=code_of("fit_human.py"),
    output:
        fits="results/{dataset}/fits/{shard}/learning_human.parquet",
    log:
        "logs/{dataset}/fit_human/{shard}.log",
    benchmark:
        "logs/{dataset}/fit_human/{shard}.tsv"
    conda:
        "../../environment.yml"
    params:
        cued=lambda wildcards: wildcards.dataset not in config["uncued"],
        options=config["human"],
    message:
        "Fitting learning models to {wildcards.shard} of {wildcards.dataset}"
    script:
        "../scripts/fit_human.py"


rule gather_human:
    """Put the learning models of all shards into one table."""
    input:
        fits=lambda wildcards: of_shards("learning_human", wildcards),
        code=code_of("gather.py"),
    output:
        fits="results/{dataset}/learning_human.parquet",
    log:
        "logs/{dataset}/gather_human.log",
    benchmark:
        "logs/{dataset}/gather_human.tsv"
    conda:
        "../../environment.yml"
    message:
        "Gathering the learning models of {wildcards.dataset}"
    script:
        "../scripts/gather.py"


rule compare_learning:
    """Say which learning model describes the subjects best."""
    input:
        fits="results/{dataset}/learning_human.parquet",
        code=code_of("compare_learning.py"),
    output:
        table="results/{dataset}/learning_human.csv",
        selection="results/{dataset}/learning_human_selection.csv",
    log:
        "logs/{dataset}/compare_learning.log",
    benchmark:
        "logs/{dataset}/compare_learning.tsv"
    conda:
        "../../environment.yml"
    message:
        "Comparing the learning models of {wildcards.dataset}"
    script:
        "../scripts/compare_learning.py"
