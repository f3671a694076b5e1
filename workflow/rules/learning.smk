# Learning beyond the paper: what can be reached, every reading of its rule, and people.


rule measure_reach:
    """Find the best reward rate that the labels of the fuzzy model can reach."""
    input:
        code=stage_code("learning.reach_table.measure_reach"),
    output:
        reach=SHARED + "learning_reach.csv",
    log:
        SHARED_LOGS + "measure_reach.log",
    benchmark:
        SHARED_LOGS + "measure_reach.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="learning.reach_table.measure_reach",
        options=config["learning"]["reach"],
    message:
        "Measuring how much of the optimum the fuzzy model can reach"
    script:
        "../scripts/run_stage.py"


rule sweep_learning:
    """Run every reading of the paper's learning rule."""
    input:
        code=stage_code("learning.sweep.sweep_learning"),
    output:
        sweep=SHARED + "learning_sweep.parquet",
        summary=SHARED + "learning_sweep_summary.csv",
    log:
        SHARED_LOGS + "sweep_learning.log",
    benchmark:
        SHARED_LOGS + "sweep_learning.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="learning.sweep.sweep_learning",
        options=config["learning"]["sweep"],
        printed=printed_numbers("C16"),
        seed=config["seed"],
    message:
        "Running every reading of the paper's learning rule"
    script:
        "../scripts/run_stage.py"


rule compare_rules:
    """Let the paper's rule and one that follows the reward rate learn side by side."""
    input:
        reach=table("learning_reach"),
        code=stage_code("learning.comparison.compare_rules"),
    output:
        curves=SHARED + "learning_rule_curves.parquet",
        summary=SHARED + "learning_rules.csv",
    log:
        SHARED_LOGS + "compare_rules.log",
    benchmark:
        SHARED_LOGS + "compare_rules.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="learning.comparison.compare_rules",
        options=config["learning"]["contest"],
        seed=config["seed"],
    message:
        "Comparing learning rules in simulation"
    script:
        "../scripts/run_stage.py"


rule fit_people:
    """Fit the learning models to the subjects of a shard, trial by trial."""
    input:
        trials=shard_file("trials"),
        code=stage_code("learning.people.subject_fits.fit_people"),
    output:
        fits=RESULTS + "fits/{shard}/learning_people.parquet",
    log:
        LOGS + "fit_people/{shard}.log",
    benchmark:
        LOGS + "fit_people/{shard}.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="learning.people.subject_fits.fit_people",
        cued=CUED,
        options=config["learning"]["human"],
        seed=config["seed"],
        dataset=DATASET.name,
    message:
        f"Fitting learning models to shard {{wildcards.shard}} of {DATASET.name}"
    script:
        "../scripts/run_stage.py"


rule compare_learning:
    """Say which learning model describes the subjects best."""
    input:
        fits=table("learning_people"),
        code=stage_code("analysis.learning_in_people.compare_learning"),
    output:
        selection=RESULTS + "learning_people_selection.csv",
        control=RESULTS + "learning_people_control.csv",
    log:
        LOGS + "compare_learning.log",
    benchmark:
        LOGS + "compare_learning.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="analysis.learning_in_people.compare_learning",
    message:
        f"Comparing the learning models of {DATASET.name}"
    script:
        "../scripts/run_stage.py"
