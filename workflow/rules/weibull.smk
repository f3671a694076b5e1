rule fit_weibull:
    """Fit the ten boundary models to the subjects of a shard."""
    input:
        trials="results/{dataset}/shards/{shard}/trials.parquet",
        code=stage_code("weibull.subject_fits"),
    output:
        fits="results/{dataset}/fits/{shard}/model_fits.parquet",
        later="results/{dataset}/fits/{shard}/later_fits.parquet",
    log:
        "logs/{dataset}/fit_weibull/{shard}.log",
    benchmark:
        "logs/{dataset}/fit_weibull/{shard}.tsv"
    priority: 50
    conda:
        "../../environment.yml"
    params:
        stage="weibull.subject_fits.fit_weibull",
        boundary_times=config["weibull"]["boundary_times"],
        cued=lambda wildcards: wildcards.dataset not in config["uncued"],
        search=config["weibull"]["search"],
        seed=config["seed"],
    message:
        "Fitting ten boundary models to {wildcards.shard} of {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule gather_weibull:
    """Put the boundary models of all shards into one table."""
    input:
        fits=lambda wildcards: of_shards("model_fits", wildcards),
        later=lambda wildcards: of_shards("later_fits", wildcards),
        code=stage_code("storage.sharding"),
    output:
        fits="results/{dataset}/model_fits.parquet",
        later="results/{dataset}/later_fits.parquet",
    log:
        "logs/{dataset}/gather_weibull.log",
    benchmark:
        "logs/{dataset}/gather_weibull.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="storage.sharding.gather",
    message:
        "Gathering the boundary models of {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule select_models:
    """Compare the boundary models, and draw the boundaries of the best class."""
    input:
        fits="results/{dataset}/model_fits.parquet",
        later="results/{dataset}/later_fits.parquet",
        trials="results/{dataset}/trials.parquet",
        code=stage_code("analysis.boundary_models"),
    output:
        selection=report(
            "results/{dataset}/model_selection.csv",
            category="Tables",
            caption="../captions/model_selection.rst",
        ),
        shapes="results/{dataset}/shape_evidence.csv",
        conditions="results/{dataset}/shape_by_condition.csv",
        changes="results/{dataset}/boundary_changes.csv",
        variation="results/{dataset}/boundary_variation.csv",
        convergence="results/{dataset}/fit_convergence.csv",
        boundaries="results/{dataset}/boundaries.parquet",
    log:
        "logs/{dataset}/select_models.log",
    benchmark:
        "logs/{dataset}/select_models.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="analysis.boundary_models.select_models",
        criterion=config["weibull"]["criterion"],
    message:
        "Comparing the boundary models of {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule vary_boundary_choices:
    """Judge the claims about boundary models under every combination of choices."""
    input:
        fits="results/{dataset}/model_fits.parquet",
        variation="results/{dataset}/boundary_variation.csv",
        conditions="results/{dataset}/shape_by_condition.csv",
        code=stage_code("paper.boundary_multiverse"),
    output:
        multiverse="results/{dataset}/boundary_multiverse.csv",
    log:
        "logs/{dataset}/vary_boundary_choices.log",
    benchmark:
        "logs/{dataset}/vary_boundary_choices.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="paper.boundary_multiverse.vary_choices",
        criterion=config["weibull"]["criterion"],
    message:
        "Varying the choices behind the boundary claims of {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule measure_direction:
    """Compare responses with those to a constant boundary that a walking canoe meets."""
    input:
        trials="results/{dataset}/trials.parquet",
        code=stage_code("analysis.boundary_direction"),
    output:
        direction="results/{dataset}/boundary_direction.csv",
    log:
        "logs/{dataset}/measure_direction.log",
    benchmark:
        "logs/{dataset}/measure_direction.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="analysis.boundary_direction.measure_direction",
        seed=config["seed"],
    message:
        "Comparing the responses of {wildcards.dataset} with those to constant boundaries"
    script:
        "../scripts/run_stage.py"


rule recover_models:
    """Simulate from each boundary model as fitted to a shard's subjects, and fit all models."""
    input:
        trials="results/{dataset}/shards/{shard}/trials.parquet",
        code=stage_code("weibull.recovery"),
    output:
        fits="results/{dataset}/fits/{shard}/model_recovery_fits.parquet",
    log:
        "logs/{dataset}/recover_models/{shard}.log",
    benchmark:
        "logs/{dataset}/recover_models/{shard}.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="weibull.recovery.recover_models",
        cued=lambda wildcards: wildcards.dataset not in config["uncued"],
        seed=config["seed"],
    message:
        "Recovering boundary models on {wildcards.shard} of {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule tabulate_recovery:
    """Say how often each model wins when each model is true."""
    input:
        fits=lambda wildcards: of_some_shards(
            "model_recovery_fits", wildcards, config["weibull"]["recovery_subjects"]
        ),
        code=stage_code("weibull.recovery"),
    output:
        confusion="results/{dataset}/model_recovery.csv",
        summary="results/{dataset}/model_recovery_summary.csv",
    log:
        "logs/{dataset}/tabulate_recovery.log",
    benchmark:
        "logs/{dataset}/tabulate_recovery.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="weibull.recovery.tabulate_recovery",
    message:
        "Tabulating the recovery of boundary models on {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"
