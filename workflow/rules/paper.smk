# What the paper has, in its order, up to its figures.


rule fit_boundaries:
    """Fit the ten boundary models to the subjects of a shard."""
    input:
        trials=shard_file("trials"),
        code=stage_code("weibull.subject_fits.fit_weibull"),
    output:
        fits=RESULTS + "fits/{shard}/model_fits.parquet",
        later=RESULTS + "fits/{shard}/later_fits.parquet",
    log:
        LOGS + "fit_boundaries/{shard}.log",
    benchmark:
        LOGS + "fit_boundaries/{shard}.tsv"
    priority: 60
    conda:
        "../envs/analysis.yaml"
    params:
        stage="weibull.subject_fits.fit_weibull",
        boundary_times=config["weibull"]["boundary_times"],
        search=config["weibull"]["search"],
        cued=CUED,
        seed=config["seed"],
        dataset=DATASET.name,
    message:
        f"Fitting ten boundary models to shard {{wildcards.shard}} of {DATASET.name}"
    script:
        "../scripts/run_stage.py"


rule extract_rules:
    """Extract the rules of a shard's subjects from two-class points (Wang and Mendel)."""
    input:
        trials=shard_file("trials"),
        samples=shard_file("samples"),
        code=stage_code("fuzzy.subject_fits.extract_rules"),
    output:
        rules=RESULTS + "fits/{shard}/rules.parquet",
    log:
        LOGS + "extract_rules/{shard}.log",
    benchmark:
        LOGS + "extract_rules/{shard}.tsv"
    priority: 50
    conda:
        "../envs/analysis.yaml"
    params:
        stage="fuzzy.subject_fits.extract_rules",
        options=config["fuzzy"],
        seed=config["seed"],
        dataset=DATASET.name,
    message:
        f"Extracting rules of shard {{wildcards.shard}} of {DATASET.name}"
    script:
        "../scripts/run_stage.py"


rule tune_memberships:
    """Tune the memberships of extracted rules by back-propagation."""
    input:
        trials=shard_file("trials"),
        samples=shard_file("samples"),
        rules=RESULTS + "fits/{shard}/rules.parquet",
        code=stage_code("fuzzy.subject_fits.tune_memberships"),
    output:
        fits=RESULTS + "fits/{shard}/fuzzy_fits.parquet",
        memberships=RESULTS + "fits/{shard}/memberships.parquet",
    log:
        LOGS + "tune_memberships/{shard}.log",
    benchmark:
        LOGS + "tune_memberships/{shard}.tsv"
    priority: 50
    conda:
        "../envs/analysis.yaml"
    params:
        stage="fuzzy.subject_fits.tune_memberships",
        options=config["fuzzy"],
        seed=config["seed"],
        dataset=DATASET.name,
    message:
        f"Tuning memberships of shard {{wildcards.shard}} of {DATASET.name}"
    script:
        "../scripts/run_stage.py"


rule gather_shards:
    """Put one table of all shards together."""
    input:
        parts=lambda wildcards: of_shards(wildcards.table),
        code=stage_code("storage.sharding.gather"),
    output:
        table=RESULTS + "{table}.parquet",
    log:
        LOGS + "gather_shards/{table}.log",
    benchmark:
        LOGS + "gather_shards/{table}.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="storage.sharding.gather",
    message:
        f"Gathering {{wildcards.table}} of {DATASET.name}"
    script:
        "../scripts/run_stage.py"


rule select_models:
    """Compare the boundary models, and compute the boundaries of the best class."""
    input:
        fits=table("model_fits"),
        later=table("later_fits"),
        trials=table("trials"),
        code=stage_code("analysis.boundary_models.select_models"),
    output:
        selection=report(
            RESULTS + "model_selection.csv",
            category="Tables",
            caption="../captions/model_selection.rst",
        ),
        shapes=RESULTS + "shape_evidence.csv",
        conditions=RESULTS + "shape_by_condition.csv",
        changes=RESULTS + "boundary_changes.csv",
        variation=RESULTS + "boundary_variation.csv",
        convergence=RESULTS + "fit_convergence.csv",
        boundaries=RESULTS + "boundaries.parquet",
    log:
        LOGS + "select_models.log",
    benchmark:
        LOGS + "select_models.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="analysis.boundary_models.select_models",
        criterion=config["weibull"]["criterion"],
    message:
        f"Comparing the boundary models of {DATASET.name}"
    script:
        "../scripts/run_stage.py"


rule assign_groups:
    """Assign subjects to fast and slow by their boundaries, and test these."""
    input:
        trials=table("trials"),
        code=stage_code("analysis.group_comparison.assign_groups"),
    output:
        groups=RESULTS + "groups.csv",
        tests=report(
            RESULTS + "group_tests.csv",
            category="Tables",
            caption="../captions/group_tests.rst",
        ),
        regression=RESULTS + "regression_to_mean.csv",
    log:
        LOGS + "assign_groups.log",
    benchmark:
        LOGS + "assign_groups.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="analysis.group_comparison.assign_groups",
        options=without(config["groups"], "labels"),
        blocks=config["fuzzy"]["blocks"],
        seed=config["seed"],
        dataset=DATASET.name,
    message:
        f"Assigning the subjects of {DATASET.name} to groups"
    script:
        "../scripts/run_stage.py"


rule average_rules:
    """Average the rules and outputs of the fast and the slow subjects."""
    input:
        groups_of=table("groups"),
        fits=table("fuzzy_fits"),
        rules=table("rules"),
        memberships=table("memberships"),
        code=stage_code("analysis.group_comparison.average_rules"),
    output:
        consequents=RESULTS + "consequents.csv",
        draws=RESULTS + "consequent_draws.parquet",
        outputs=RESULTS + "group_output.parquet",
    log:
        LOGS + "average_rules.log",
    benchmark:
        LOGS + "average_rules.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="analysis.group_comparison.average_rules",
        labels=config["groups"]["labels"],
    message:
        f"Averaging the rules of the groups of {DATASET.name}"
    script:
        "../scripts/run_stage.py"


rule solve_optimum:
    """Find the best reward rate in the paper's designs, and in that of logs without cues."""
    input:
        design=table("design_check"),
        code=stage_code("learning.optimum_tables.solve_optimum"),
    output:
        optimum=RESULTS + "optimum.csv",
        boundary=RESULTS + "optimal_boundary.csv",
    log:
        LOGS + "solve_optimum.log",
    benchmark:
        LOGS + "solve_optimum.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="learning.optimum_tables.solve_optimum",
        cued=CUED,
    message:
        "Solving for the optimal policy"
    script:
        "../scripts/run_stage.py"


rule simulate_learning:
    """Let fuzzy subjects learn their consequents by the paper's rule and by one that works."""
    input:
        code=stage_code("learning.paper_simulation.simulate_learning"),
    output:
        curves=SHARED + "learning_curves.parquet",
        consequents=SHARED + "learning_consequents.parquet",
        initial=SHARED + "learning_initial.csv",
        trial=SHARED + "example_trial.parquet",
    log:
        SHARED_LOGS + "simulate_learning.log",
    benchmark:
        SHARED_LOGS + "simulate_learning.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="learning.paper_simulation.simulate_learning",
        options=without(config["learning"], "reach", "sweep", "contest", "human"),
        seed=config["seed"],
    message:
        "Simulating reinforcement learning"
    script:
        "../scripts/run_stage.py"


rule draw_figure:
    """Draw one figure by running its notebook with papermill."""
    input:
        unpack(lambda wildcards: tables(FIGURES[wildcards.figure].get("tables", []))),
        description=table("dataset"),
        notebook=lambda wildcards: FIGURES[wildcards.figure]["notebook"],
        code=figure_code,
    output:
        pdf=RESULTS + "figures/{figure}.pdf",
        svg=RESULTS + "figures/{figure}.svg",
        png=report(
            RESULTS + "figures/{figure}.png",
            category="Figures",
            caption="../captions/figure.rst",
            labels=lambda wildcards: {
                "figure": wildcards.figure,
                "title": FIGURES[wildcards.figure]["title"],
                "data set": DATASET.name,
            },
        ),
        notebook=RESULTS + "notebooks/{figure}.ipynb",
    log:
        LOGS + "draw_figure/{figure}.log",
    benchmark:
        LOGS + "draw_figure/{figure}.tsv"
    # Two kernels that start at the same time may choose the same port.
    retries: 1
    conda:
        "../envs/figures.yaml"
    params:
        folder=str(Path(RESULTS).parent.as_posix()),
        dataset=DATASET.name,
        title=lambda wildcards: FIGURES[wildcards.figure]["title"],
        caption=lambda wildcards: FIGURES[wildcards.figure]["caption"],
        options=lambda wildcards: options_of(wildcards.figure),
    message:
        f"Drawing {{wildcards.figure}} of {DATASET.name}: {{params.title}}"
    script:
        "../scripts/draw_figure.py"
