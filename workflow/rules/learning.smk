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
        options={
            name: value
            for name, value in config["learning"].items()
            if name not in ("reach", "sweep", "contest", "human")
        },
        seed=config["seed"],
    message:
        "Simulating reinforcement learning"
    script:
        "../scripts/simulate_learning.py"


rule measure_reach:
    """Find the best reward rate that the labels of the fuzzy model can reach."""
    input:
        optimum="results/{dataset}/optimum.csv",
        code=code_of("measure_reach.py"),
    output:
        reach="results/{dataset}/learning_reach.csv",
    log:
        "logs/{dataset}/measure_reach.log",
    benchmark:
        "logs/{dataset}/measure_reach.tsv"
    conda:
        "../../environment.yml"
    params:
        options=config["learning"]["reach"],
    message:
        "Measuring how much of the optimum the fuzzy model can reach"
    script:
        "../scripts/measure_reach.py"


rule sweep_learning:
    """Run every reading of the paper's learning rule."""
    input:
        code=code_of("sweep_learning.py"),
    output:
        sweep="results/{dataset}/learning_sweep.parquet",
        summary="results/{dataset}/learning_sweep_summary.csv",
    log:
        "logs/{dataset}/sweep_learning.log",
    benchmark:
        "logs/{dataset}/sweep_learning.tsv"
    conda:
        "../../environment.yml"
    params:
        options=config["learning"]["sweep"],
        printed=printed_numbers("C16"),
        seed=config["seed"],
    message:
        "Running every reading of the paper's learning rule"
    script:
        "../scripts/sweep_learning.py"


rule compare_rules:
    """Let the paper's rule and one that follows the reward rate learn side by side."""
    input:
        reach="results/{dataset}/learning_reach.csv",
        code=code_of("compare_rules.py"),
    output:
        curves="results/{dataset}/learning_rule_curves.parquet",
        summary="results/{dataset}/learning_rules.csv",
    log:
        "logs/{dataset}/compare_rules.log",
    benchmark:
        "logs/{dataset}/compare_rules.tsv"
    conda:
        "../../environment.yml"
    params:
        options=config["learning"]["contest"],
        seed=config["seed"],
    message:
        "Comparing learning rules in simulation"
    script:
        "../scripts/compare_rules.py"


rule fit_human:
    """Fit the learning models to the subjects of a shard, trial by trial."""
    input:
        trials="results/{dataset}/shards/{shard}/trials.parquet",
        code=code_of("fit_human.py"),
    output:
        fits="results/{dataset}/fits/{shard}/learning_people.parquet",
    log:
        "logs/{dataset}/fit_human/{shard}.log",
    benchmark:
        "logs/{dataset}/fit_human/{shard}.tsv"
    conda:
        "../../environment.yml"
    params:
        cued=lambda wildcards: wildcards.dataset not in config["uncued"],
        options=config["learning"]["human"],
    message:
        "Fitting learning models to {wildcards.shard} of {wildcards.dataset}"
    script:
        "../scripts/fit_human.py"


rule gather_human:
    """Put the learning models of all shards into one table."""
    input:
        fits=lambda wildcards: of_shards("learning_people", wildcards),
        code=stage_code("storage.sharding"),
    output:
        fits="results/{dataset}/learning_people.parquet",
    log:
        "logs/{dataset}/gather_human.log",
    benchmark:
        "logs/{dataset}/gather_human.tsv"
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
        code=code_of("compare_learning.py"),
    output:
        selection="results/{dataset}/learning_people_selection.csv",
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
