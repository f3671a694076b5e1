# Learning beyond the paper: the optimum, every reading, and what follows an error.


use rule run_stage as solve_optimum with:
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
    params:
        **stage("checks.learning.optimum.solve_optimum"),
        cued=CUED,


use rule run_stage as sweep_learning with:
    """Run every reading of the paper's learning rule."""
    output:
        sweep=f"{SHARED}learning_sweep.parquet",
    log:
        f"{SHARED_LOGS}sweep_learning.log",
    benchmark:
        f"{SHARED_LOGS}sweep_learning.tsv"
    params:
        **stage("checks.learning.sweep.sweep_learning"),
        options=config["learning"]["sweep"],
        seed=config["seed"],


use rule run_stage as summarise_sweep with:
    """Count what the readings of the paper's learning rule do."""
    input:
        sweep=table("learning_sweep"),
    output:
        summary=f"{SHARED}learning_sweep_summary.csv",
    log:
        f"{SHARED_LOGS}summarise_sweep.log",
    benchmark:
        f"{SHARED_LOGS}summarise_sweep.tsv"
    params:
        **stage("checks.learning.sweep_summary.summarise_sweep"),


use rule run_stage as measure_post_error with:
    """Measure how trials after an error differ from others."""
    input:
        trials=table("trials"),
    output:
        post_error=f"{RESULTS}post_error.csv",
    log:
        f"{LOGS}measure_post_error.log",
    benchmark:
        f"{LOGS}measure_post_error.tsv"
    params:
        **RANDOM,
        **stage("checks.learning.post_error.measure_post_error"),
        permutations=config["learning"]["post_error_permutations"],
