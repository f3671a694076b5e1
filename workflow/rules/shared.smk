# What does not depend on a data set: computed once, and copied into the folder of each data set.


rule solve_optimum:
    """Find the best reward rate that any observer of the canoe can reach in the paper's designs."""
    input:
        code=stage_code("learning.optimum_tables"),
    output:
        optimum="results/shared/optimum.csv",
        boundary="results/shared/optimal_boundary.csv",
    log:
        "logs/shared/solve_optimum.log",
    benchmark:
        "logs/shared/solve_optimum.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="learning.optimum_tables.solve_optimum",
    message:
        "Solving for the optimal policy"
    script:
        "../scripts/run_stage.py"


rule simulate_learning:
    """Let fuzzy subjects learn their consequents by the paper's rule and by one that works."""
    input:
        code=stage_code("learning.paper_simulation"),
    output:
        curves="results/shared/learning_curves.parquet",
        consequents="results/shared/learning_consequents.parquet",
        initial="results/shared/learning_initial.csv",
        trial="results/shared/example_trial.parquet",
    log:
        "logs/shared/simulate_learning.log",
    benchmark:
        "logs/shared/simulate_learning.tsv"
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
        optimum="results/shared/optimum.csv",
        code=stage_code("learning.reach_table"),
    output:
        reach="results/shared/learning_reach.csv",
    log:
        "logs/shared/measure_reach.log",
    benchmark:
        "logs/shared/measure_reach.tsv"
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
        sweep="results/shared/learning_sweep.parquet",
        summary="results/shared/learning_sweep_summary.csv",
    log:
        "logs/shared/sweep_learning.log",
    benchmark:
        "logs/shared/sweep_learning.tsv"
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
        reach="results/shared/learning_reach.csv",
        code=stage_code("learning.comparison"),
    output:
        curves="results/shared/learning_rule_curves.parquet",
        summary="results/shared/learning_rules.csv",
    log:
        "logs/shared/compare_rules.log",
    benchmark:
        "logs/shared/compare_rules.tsv"
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


rule recover_rules:
    """Find the rules of subjects who follow rules: how well does the fuzzy model recover them?"""
    input:
        code=stage_code("cohort.recovery"),
    output:
        rules="results/shared/recovery_rules.csv",
        memberships="results/shared/recovery_memberships.csv",
        losses="results/shared/recovery_losses.csv",
    log:
        "logs/shared/recover_rules.log",
    benchmark:
        "logs/shared/recover_rules.tsv"
    priority: 50
    conda:
        "../../environment.yml"
    params:
        stage="cohort.recovery.recover_rules",
        cohort=config["fuzzy_truth"],
        fuzzy=GENERAL["fuzzy"],
        draws=GENERAL["samples"]["draws"],
        seed=config["seed"],
    message:
        "Measuring how well rules are recovered"
    script:
        "../scripts/run_stage.py"


use rule draw_figure as draw_shared_figure with:
    output:
        pdf="results/shared/figures/{figure}.pdf",
        svg="results/shared/figures/{figure}.svg",
        png="results/shared/figures/{figure}.png",
        notebook="results/shared/notebooks/{figure}.ipynb",
    log:
        "logs/shared/draw_shared_figure/{figure}.log",
    benchmark:
        "logs/shared/draw_shared_figure/{figure}.tsv"
    wildcard_constraints:
        figure=one_of(SHARED_FIGURES),
    message:
        "Drawing {wildcards.figure}: {params.title}"


rule share_tables:
    """Copy the shared tables, so that the results of a data set are all in one folder."""
    input:
        sharing.files_in(sharing.SHARED),
    output:
        sharing.files_in("{dataset}"),
    log:
        "logs/{dataset}/share_tables.log",
    benchmark:
        "logs/{dataset}/share_tables.tsv"
    conda:
        "../../environment.yml"
    params:
        folder=subpath(output[0], parent=True),
    message:
        "Copying the shared tables to {wildcards.dataset}"
    shell:
        "cp {input:q} {params.folder:q} 2> {log:q}"


rule share_recovery:
    """Copy the recovery of rules."""
    input:
        sharing.files_in(sharing.SHARED, sharing.RECOVERY),
    output:
        sharing.files_in("{dataset}", sharing.RECOVERY),
    log:
        "logs/{dataset}/share_recovery.log",
    benchmark:
        "logs/{dataset}/share_recovery.tsv"
    conda:
        "../../environment.yml"
    params:
        folder=subpath(output[0], parent=True),
    message:
        "Copying the recovery of rules to {wildcards.dataset}"
    shell:
        "cp {input:q} {params.folder:q} 2> {log:q}"


rule share_optimum:
    """Copy the optimum of the paper's designs."""
    input:
        sharing.files_in(sharing.SHARED, sharing.OPTIMUM),
    output:
        sharing.files_in("{dataset}", sharing.OPTIMUM),
    log:
        "logs/{dataset}/share_optimum.log",
    benchmark:
        "logs/{dataset}/share_optimum.tsv"
    wildcard_constraints:
        dataset=other_than(sharing.SHARED, *config["uncued"]),
    conda:
        "../../environment.yml"
    params:
        folder=subpath(output[0], parent=True),
    message:
        "Copying the optimum to {wildcards.dataset}"
    shell:
        "cp {input:q} {params.folder:q} 2> {log:q}"


rule add_optimum:
    """Add to the optimum of the paper's designs that of logs without cues."""
    input:
        optimum="results/shared/optimum.csv",
        boundary="results/shared/optimal_boundary.csv",
        design="results/{dataset}/design_check.csv",
        code=stage_code("learning.optimum_tables"),
    output:
        optimum="results/{dataset}/optimum.csv",
        boundary="results/{dataset}/optimal_boundary.csv",
    log:
        "logs/{dataset}/add_optimum.log",
    benchmark:
        "logs/{dataset}/add_optimum.tsv"
    wildcard_constraints:
        dataset=one_of(config["uncued"]),
    conda:
        "../../environment.yml"
    params:
        stage="learning.optimum_tables.add_own_design",
    message:
        "Solving for the optimal policy in the design of {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule share_figure:
    """Copy a shared figure and its notebook."""
    input:
        pdf="results/shared/figures/{figure}.pdf",
        svg="results/shared/figures/{figure}.svg",
        png="results/shared/figures/{figure}.png",
        notebook="results/shared/notebooks/{figure}.ipynb",
    output:
        pdf="results/{dataset}/figures/{figure}.pdf",
        svg="results/{dataset}/figures/{figure}.svg",
        png=report(
            "results/{dataset}/figures/{figure}.png",
            category=lambda wildcards: figures.category_of(wildcards.figure),
            caption="../captions/figure.rst",
            labels=lambda wildcards: figures.labels_of(wildcards, FIGURES),
        ),
        notebook="results/{dataset}/notebooks/{figure}.ipynb",
    log:
        "logs/{dataset}/share_figure/{figure}.log",
    benchmark:
        "logs/{dataset}/share_figure/{figure}.tsv"
    wildcard_constraints:
        figure=one_of(SHARED_FIGURES),
    conda:
        "../../environment.yml"
    params:
        title=lambda wildcards: FIGURES[wildcards.figure]["title"],
        caption=lambda wildcards: FIGURES[wildcards.figure]["caption"],
        folder=subpath(output.png, parent=True),
    message:
        "Copying {wildcards.figure} to {wildcards.dataset}"
    shell:
        "(cp {input.pdf:q} {input.svg:q} {input.png:q} {params.folder:q}"
        " && cp {input.notebook:q} {output.notebook:q}) 2> {log:q}"
