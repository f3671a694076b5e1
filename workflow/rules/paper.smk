# What the paper has, in its order, up to its figures. They come first (priority): of these, what is quick.


use rule run_stage as fit_boundaries with:
    """Fit the ten boundary models to the subjects of a shard."""
    input:
        trials=shard_file("trials"),
    output:
        fits=f"{RESULTS}fits/{{shard}}/model_fits.parquet",
    log:
        f"{LOGS}fit_boundaries/{{shard}}.log",
    benchmark:
        f"{LOGS}fit_boundaries/{{shard}}.tsv"
    priority: 80
    params:
        **RANDOM,
        **stage("paper.boundaries.fit.fit_boundary_models"),
        boundary_times=config["weibull"]["boundary_times"],
        cued=CUED,


use rule run_stage as extract_rules with:
    """Extract the rules of a shard's subjects from two-class points (Wang and Mendel)."""
    input:
        trials=shard_file("trials"),
        samples=shard_file("samples"),
    output:
        rules=f"{RESULTS}fits/{{shard}}/rules.parquet",
    log:
        f"{LOGS}extract_rules/{{shard}}.log",
    benchmark:
        f"{LOGS}extract_rules/{{shard}}.tsv"
    priority: 90
    params:
        **stage("paper.fuzzy.subject_fits.extract_rules"),
        options=without(config["fuzzy"], "penalty"),


use rule run_stage as tune_memberships with:
    """Tune the memberships of extracted rules by back-propagation."""
    input:
        trials=shard_file("trials"),
        samples=shard_file("samples"),
        rules=f"{RESULTS}fits/{{shard}}/rules.parquet",
    output:
        fits=f"{RESULTS}fits/{{shard}}/fuzzy_fits.parquet",
        memberships=f"{RESULTS}fits/{{shard}}/memberships.parquet",
    log:
        f"{LOGS}tune_memberships/{{shard}}.log",
    benchmark:
        f"{LOGS}tune_memberships/{{shard}}.tsv"
    priority: 90
    params:
        **stage("paper.fuzzy.subject_fits.tune_memberships"),
        options=without(config["fuzzy"], "normalised", "resolution", "empty"),


use rule run_stage as gather_shards with:
    """Put one table of all shards together."""
    input:
        parts=lambda wildcards: of_shards(wildcards.table),
    output:
        table=f"{RESULTS}{{table}}.parquet",
    log:
        f"{LOGS}gather_shards/{{table}}.log",
    benchmark:
        f"{LOGS}gather_shards/{{table}}.tsv"
    priority: 90
    params:
        **stage("core.subjects.gather"),


use rule run_stage as select_models with:
    """Compare the boundary models, and compute the boundaries of the best class."""
    input:
        fits=table("model_fits"),
        trials=table("trials"),
    output:
        selection=f"{RESULTS}model_selection.csv",
        shapes=f"{RESULTS}shape_evidence.csv",
        changes=f"{RESULTS}boundary_changes.csv",
        variation=f"{RESULTS}boundary_variation.csv",
        convergence=f"{RESULTS}fit_convergence.csv",
        boundaries=f"{RESULTS}boundaries.parquet",
    log:
        f"{LOGS}select_models.log",
    benchmark:
        f"{LOGS}select_models.tsv"
    priority: 90
    params:
        **stage("paper.boundaries.comparison.select_models"),
        criterion=config["weibull"]["criterion"],


use rule run_stage as assign_groups with:
    """Assign subjects to fast and slow by their boundaries, and test these."""
    input:
        trials=table("trials"),
    output:
        groups=f"{RESULTS}groups.csv",
        tests=f"{RESULTS}group_tests.csv",
    log:
        f"{LOGS}assign_groups.log",
    benchmark:
        f"{LOGS}assign_groups.tsv"
    priority: 90
    params:
        **RANDOM,
        **stage("paper.groups.fast_and_slow.assign_groups"),
        options=without(config["groups"], "labels"),
        blocks=config["fuzzy"]["blocks"],


use rule run_stage as average_rules with:
    """Average the rules and outputs of the fast and the slow subjects."""
    input:
        groups_of=table("groups"),
        fits=table("fuzzy_fits"),
        rules=table("rules"),
        memberships=table("memberships"),
    output:
        consequents=f"{RESULTS}consequents.csv",
        draws=f"{RESULTS}consequent_draws.parquet",
        outputs=f"{RESULTS}group_output.parquet",
        subjects=f"{RESULTS}subject_output.csv",
    log:
        f"{LOGS}average_rules.log",
    benchmark:
        f"{LOGS}average_rules.tsv"
    priority: 90
    params:
        **stage("paper.groups.fast_and_slow.average_rules"),
        labels=config["groups"]["labels"],


use rule run_stage as simulate_learning with:
    """Let fuzzy subjects learn their consequents by the paper's rule, and by a control."""
    output:
        curves=f"{SHARED}learning_curves.parquet",
        consequents=f"{SHARED}learning_consequents.parquet",
        initial=f"{SHARED}learning_initial.csv",
        trial=f"{SHARED}example_trial.parquet",
    log:
        f"{SHARED_LOGS}simulate_learning.log",
    benchmark:
        f"{SHARED_LOGS}simulate_learning.tsv"
    priority: 90
    params:
        **stage("paper.reinforcement.paper_simulation.simulate_learning"),
        options=without(config["learning"], "sweep", "post_error_permutations"),
        seed=config["seed"],


rule draw_figure:
    """Draw one figure by running its notebook with papermill."""
    input:
        unpack(lambda wildcards: tables(FIGURES[wildcards.figure].get("tables", []))),
        notebook=lambda wildcards: FIGURES[wildcards.figure]["notebook"],
    output:
        pdf=f"{RESULTS}figures/{{figure}}.pdf",
        svg=f"{RESULTS}figures/{{figure}}.svg",
        png=report(
            f"{RESULTS}figures/{{figure}}.png",
            category="Figures",
            caption="../captions/figure.rst",
            labels=lambda wildcards: {
                "figure": wildcards.figure,
                "title": FIGURES[wildcards.figure]["title"],
            },
        ),
        notebook=f"{RESULTS}notebooks/{{figure}}.ipynb",
    log:
        f"{LOGS}draw_figure/{{figure}}.log",
    benchmark:
        f"{LOGS}draw_figure/{{figure}}.tsv"
    priority: 90
    # Two kernels that start at the same time may choose the same port.
    retries: 1
    conda:
        "../envs/figures.yaml"
    params:
        code=lambda wildcards: code_of(
            "draw_figure.py", Path(FIGURES[wildcards.figure]["notebook"])
        ),
        dataset=DATASET.name,
        options=lambda wildcards: options_of(wildcards.figure),
        title=lambda wildcards: FIGURES[wildcards.figure]["title"],
        caption=lambda wildcards: FIGURES[wildcards.figure]["caption"],
    script:
        "../scripts/draw_figure.py"
