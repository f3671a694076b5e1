rule solve_optimum:
    """Find the best reward rate that any observer of the canoe can reach."""
    input:
        design="results/{dataset}/design_check.csv",
        code=stage_code("learning.optimum_tables"),
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
        stage="learning.optimum_tables.solve_optimum",
        cued=lambda wildcards: wildcards.dataset not in config["uncued"],
    message:
        "Solving for the optimal policy on {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule simulate_learning:
    """Let fuzzy subjects learn their consequents by the paper's rule and by one that works."""
    input:
        code=stage_code("learning.paper_simulation"),
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
        stage="learning.paper_simulation.simulate_learning",
        options={
            name: value
            for name, value in config["learning"].items()
            if name not in ("reach", "sweep", "contest", "human")
        },
        seed=config["seed"],
    message:
        "Simulating reinforcement learning"
    script:
        "../scripts/run_stage.py"


rule measure_reach:
    """Find the best reward rate that the labels of the fuzzy model can reach."""
    input:
        optimum="results/{dataset}/optimum.csv",
        code=stage_code("learning.reach_table"),
    output:
        reach="results/{dataset}/learning_reach.csv",
    log:
        "logs/{dataset}/measure_reach.log",
    benchmark:
        "logs/{dataset}/measure_reach.tsv"
    conda:
        "../../environment.yml"
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
        code=stage_code("learning.sweep"),
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
        reach="results/{dataset}/learning_reach.csv",
        code=stage_code("learning.comparison"),
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
