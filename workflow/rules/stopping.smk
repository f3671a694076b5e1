rule fit_stopping:
    """Fit every stopping model to the subjects of a shard, and to all but each fold."""
    input:
        trials="results/{dataset}/shards/{shard}/trials.parquet",
        samples="results/{dataset}/shards/{shard}/samples.parquet",
        design="results/{dataset}/design_check.csv",
        code=stage_code("stopping.fits"),
    output:
        fits="results/{dataset}/fits/{shard}/stopping_fits.parquet",
    log:
        "logs/{dataset}/fit_stopping/{shard}.log",
    benchmark:
        "logs/{dataset}/fit_stopping/{shard}.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="stopping.fits.fit_stopping",
        options=stopping_options(
            "bin_width", "delay", "conditions", "schemes", "fold_number", "draws"
        ),
        cued=lambda wildcards: wildcards.dataset not in config["uncued"],
    message:
        "Fitting stopping models to {wildcards.shard} of {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule gather_stopping:
    """Put the stopping models of all shards into one table."""
    input:
        fits=lambda wildcards: of_shards("stopping_fits", wildcards),
        code=stage_code("storage.sharding"),
    output:
        fits="results/{dataset}/stopping_fits.parquet",
    log:
        "logs/{dataset}/gather_stopping.log",
    benchmark:
        "logs/{dataset}/gather_stopping.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="storage.sharding.gather",
    message:
        "Gathering the stopping models of {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule compare_stopping:
    """Compare the stopping models by the density of what was left out."""
    input:
        fits="results/{dataset}/stopping_fits.parquet",
        code=stage_code("analysis.stopping_comparison"),
    output:
        comparison=report(
            "results/{dataset}/stopping_comparison.csv",
            category="Tables",
            caption="../captions/stopping_comparison.rst",
        ),
        questions="results/{dataset}/stopping_questions.csv",
    log:
        "logs/{dataset}/compare_stopping.log",
    benchmark:
        "logs/{dataset}/compare_stopping.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="analysis.stopping_comparison.compare",
    message:
        "Comparing the stopping models of {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule compare_stopping_briefly:
    """Compare models with noise within trials on easy trials, for the scorecard, with its power."""
    input:
        trials="results/{dataset}/trials.parquet",
        samples="results/{dataset}/samples.parquet",
        design="results/{dataset}/design_check.csv",
        code=stage_code("analysis.stopping_power"),
    output:
        brief="results/{dataset}/stopping_brief.csv",
        power="results/{dataset}/stopping_brief_power.csv",
    log:
        "logs/{dataset}/compare_stopping_briefly.log",
    benchmark:
        "logs/{dataset}/compare_stopping_briefly.tsv"
    # The longest job of a run: if it came last, the other cores would wait for it.
    priority: 60
    conda:
        "../../environment.yml"
    params:
        stage="analysis.stopping_power.compare_briefly",
        options=stopping_options("bin_width", "delay", "fold_number", "draws"),
        models=config["stopping"]["brief"],
        recovery_subjects=config["stopping"]["brief_subjects"],
        cued=lambda wildcards: wildcards.dataset not in config["uncued"],
        seed=config["seed"],
    message:
        "Comparing a few stopping models on {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule check_stopping:
    """Compare what every stopping model predicts with what the subjects did."""
    input:
        trials="results/{dataset}/trials.parquet",
        fits="results/{dataset}/stopping_fits.parquet",
        design="results/{dataset}/design_check.csv",
        code=stage_code("stopping.checks"),
    output:
        checks="results/{dataset}/stopping_checks.csv",
    log:
        "logs/{dataset}/check_stopping.log",
    benchmark:
        "logs/{dataset}/check_stopping.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="stopping.checks.check_predictions",
        options={name: config["stopping"][name] for name in ("bin_width", "delay")},
        cued=lambda wildcards: wildcards.dataset not in config["uncued"],
    message:
        "Checking what stopping models predict on {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule recover_stopping:
    """Simulate from each family's best stopping model, and fit the best of all families."""
    input:
        trials="results/{dataset}/shards/{shard}/trials.parquet",
        fits="results/{dataset}/fits/{shard}/stopping_fits.parquet",
        comparison="results/{dataset}/stopping_comparison.csv",
        design="results/{dataset}/design_check.csv",
        code=stage_code("stopping.recovery"),
    output:
        fits="results/{dataset}/fits/{shard}/stopping_recovery_fits.parquet",
    log:
        "logs/{dataset}/recover_stopping/{shard}.log",
    benchmark:
        "logs/{dataset}/recover_stopping/{shard}.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="stopping.recovery.recover_stopping",
        options=stopping_options("bin_width", "delay", "fold_number", "draws"),
        scheme=config["stopping"]["schemes"][0],
        conditions=config["stopping"]["conditions"][:1],
        cued=lambda wildcards: wildcards.dataset not in config["uncued"],
        seed=config["seed"],
    message:
        "Recovering stopping models on {wildcards.shard} of {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule tabulate_stopping_recovery:
    """Say how often each family of stopping models wins when each is true."""
    input:
        fits=lambda wildcards: of_some_shards(
            "stopping_recovery_fits",
            wildcards,
            config["stopping"]["recovery_subjects"],
        ),
        comparison="results/{dataset}/stopping_comparison.csv",
        code=stage_code("analysis.stopping_power"),
    output:
        recovery="results/{dataset}/stopping_recovery.csv",
        power="results/{dataset}/stopping_power.csv",
    log:
        "logs/{dataset}/tabulate_stopping_recovery.log",
    benchmark:
        "logs/{dataset}/tabulate_stopping_recovery.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="analysis.stopping_power.tabulate",
        seed=config["seed"],
    message:
        "Tabulating the recovery of stopping models on {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule vary_stopping:
    """Fit some stopping models to a shard with other bins, delays and folds."""
    input:
        trials="results/{dataset}/shards/{shard}/trials.parquet",
        samples="results/{dataset}/shards/{shard}/samples.parquet",
        design="results/{dataset}/design_check.csv",
        code=stage_code("analysis.stopping_sensitivity"),
    output:
        fits="results/{dataset}/fits/{shard}/stopping_sensitivity_fits.parquet",
    log:
        "logs/{dataset}/vary_stopping/{shard}.log",
    benchmark:
        "logs/{dataset}/vary_stopping/{shard}.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="analysis.stopping_sensitivity.vary_settings",
        options=stopping_options("bin_width", "delay", "fold_number", "draws"),
        settings=config["stopping"]["sensitivity"],
        cued=lambda wildcards: wildcards.dataset not in config["uncued"],
    message:
        "Varying the settings of stopping models on {wildcards.shard} of {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule tabulate_stopping_sensitivity:
    """Say whether the order of the stopping models depends on the settings."""
    input:
        fits=lambda wildcards: of_some_shards(
            "stopping_sensitivity_fits",
            wildcards,
            config["stopping"]["sensitivity"]["subjects"],
        ),
        code=stage_code("analysis.stopping_sensitivity"),
    output:
        sensitivity="results/{dataset}/stopping_sensitivity.csv",
    log:
        "logs/{dataset}/tabulate_stopping_sensitivity.log",
    benchmark:
        "logs/{dataset}/tabulate_stopping_sensitivity.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="analysis.stopping_sensitivity.tabulate_sensitivity",
    message:
        "Tabulating how settings change the order of stopping models on {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"
