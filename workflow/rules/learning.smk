# Learning beyond the paper: the optimum, what can be reached, every reading, and what follows an error.


rule solve_optimum:
    """Find the best reward rate in the paper's designs, and in that of logs without cues."""
    input:
        design=table("design_check"),
    output:
        optimum=f"{RESULTS}optimum.csv",
        boundary=f"{RESULTS}optimal_boundary.csv",
    log:
        f"{LOGS}solve_optimum.log",
    benchmark:
        f"{LOGS}solve_optimum.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        **stage("checks.learning.optimum.solve_optimum"),
        cued=CUED,
    script:
        "../scripts/run_stage.py"


rule measure_reach:
    """Find the best reward rate that the labels of the fuzzy model can reach."""
    output:
        reach=f"{SHARED}learning_reach.csv",
    log:
        f"{SHARED_LOGS}measure_reach.log",
    benchmark:
        f"{SHARED_LOGS}measure_reach.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        **stage("checks.learning.reach.measure_reach"),
        options=config["learning"]["reach"],
    script:
        "../scripts/run_stage.py"


rule sweep_learning:
    """Run every reading of the paper's learning rule."""
    output:
        sweep=f"{SHARED}learning_sweep.parquet",
        summary=f"{SHARED}learning_sweep_summary.csv",
    log:
        f"{SHARED_LOGS}sweep_learning.log",
    benchmark:
        f"{SHARED_LOGS}sweep_learning.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        **stage("checks.learning.sweep.sweep_learning"),
        options=config["learning"]["sweep"],
        seed=config["seed"],
    script:
        "../scripts/run_stage.py"


rule compare_rules:
    """Let the paper's rule and one that follows the reward rate learn side by side."""
    input:
        reach=table("learning_reach"),
    output:
        curves=f"{SHARED}learning_rule_curves.parquet",
        summary=f"{SHARED}learning_rules.csv",
    log:
        f"{SHARED_LOGS}compare_rules.log",
    benchmark:
        f"{SHARED_LOGS}compare_rules.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        **stage("checks.learning.comparison.compare_rules"),
        options=config["learning"]["contest"],
        seed=config["seed"],
    script:
        "../scripts/run_stage.py"


rule measure_post_error:
    """Measure how trials after an error differ from others."""
    input:
        trials=table("trials"),
    output:
        post_error=f"{RESULTS}post_error.csv",
    log:
        f"{LOGS}measure_post_error.log",
    benchmark:
        f"{LOGS}measure_post_error.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        **RANDOM,
        **stage("checks.learning.post_error.measure_post_error"),
        permutations=config["learning"]["post_error_permutations"],
    script:
        "../scripts/run_stage.py"
