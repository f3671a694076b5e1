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
