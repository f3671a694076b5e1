# Rules and boundaries on one likelihood (docs/verdict.md).


rule compare_stopping_briefly:
    """Compare models with noise within trials on easy trials, for the scorecard, with its power."""
    input:
        trials=table("trials"),
        samples=table("samples"),
        design=table("design_check"),
        code=stage_code("analysis.stopping_power.compare_briefly"),
    output:
        brief=RESULTS + "stopping_brief.csv",
        power=RESULTS + "stopping_brief_power.csv",
    log:
        LOGS + "compare_stopping_briefly.log",
    benchmark:
        LOGS + "compare_stopping_briefly.tsv"
    # The longest job of a run: if it came last, the other cores would wait for it.
    priority: 70
    conda:
        "../envs/analysis.yaml"
    params:
        stage="analysis.stopping_power.compare_briefly",
        options=stopping_options("bin_width", "delay", "fold_number", "draws"),
        models=config["stopping"]["brief"],
        recovery_subjects=config["stopping"]["brief_subjects"],
        cued=CUED,
        seed=config["seed"],
        dataset=DATASET.name,
    message:
        f"Comparing a few stopping models on {DATASET.name}"
    script:
        "../scripts/run_stage.py"


rule fit_stopping:
    """Fit every stopping model to the subjects of a shard, and to all but each fold."""
    input:
        trials=shard_file("trials"),
        samples=shard_file("samples"),
        design=table("design_check"),
        code=stage_code("stopping.fits.fit_stopping"),
    output:
        fits=RESULTS + "fits/{shard}/stopping_fits.parquet",
    log:
        LOGS + "fit_stopping/{shard}.log",
    benchmark:
        LOGS + "fit_stopping/{shard}.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="stopping.fits.fit_stopping",
        options=stopping_options("bin_width", "delay", "conditions", "schemes", "fold_number", "draws"),
        cued=CUED,
    message:
        f"Fitting stopping models to shard {{wildcards.shard}} of {DATASET.name}"
    script:
        "../scripts/run_stage.py"


rule compare_stopping:
    """Compare the stopping models by the density of what was left out."""
    input:
        fits=table("stopping_fits"),
        code=stage_code("analysis.stopping_comparison.compare"),
    output:
        comparison=report(
            RESULTS + "stopping_comparison.csv",
            category="Tables",
            caption="../captions/stopping_comparison.rst",
        ),
        questions=RESULTS + "stopping_questions.csv",
    log:
        LOGS + "compare_stopping.log",
    benchmark:
        LOGS + "compare_stopping.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="analysis.stopping_comparison.compare",
    message:
        f"Comparing the stopping models of {DATASET.name}"
    script:
        "../scripts/run_stage.py"


rule check_stopping:
    """Compare what every stopping model predicts with what the subjects did."""
    input:
        trials=table("trials"),
        fits=table("stopping_fits"),
        design=table("design_check"),
        code=stage_code("stopping.checks.check_predictions"),
    output:
        checks=RESULTS + "stopping_checks.csv",
    log:
        LOGS + "check_stopping.log",
    benchmark:
        LOGS + "check_stopping.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="stopping.checks.check_predictions",
        bin_width=config["stopping"]["bin_width"],
        delay=config["stopping"]["delay"],
        cued=CUED,
    message:
        f"Checking what stopping models predict on {DATASET.name}"
    script:
        "../scripts/run_stage.py"


rule recover_stopping:
    """Simulate from each family's best stopping model, and fit the best of all families."""
    input:
        trials=shard_file("trials"),
        everyone=table("trials"),
        fits=RESULTS + "fits/{shard}/stopping_fits.parquet",
        comparison=table("stopping_comparison"),
        design=table("design_check"),
        code=stage_code("stopping.recovery.recover_stopping"),
    output:
        fits=RESULTS + "fits/{shard}/stopping_recovery_fits.parquet",
    log:
        LOGS + "recover_stopping/{shard}.log",
    benchmark:
        LOGS + "recover_stopping/{shard}.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="stopping.recovery.recover_stopping",
        some_subjects=config["stopping"]["recovery_subjects"],
        options=stopping_options("bin_width", "delay", "fold_number", "draws"),
        scheme=config["stopping"]["schemes"][0],
        conditions=config["stopping"]["conditions"][:1],
        cued=CUED,
        seed=config["seed"],
        dataset=DATASET.name,
    message:
        f"Recovering stopping models on shard {{wildcards.shard}} of {DATASET.name}"
    script:
        "../scripts/run_stage.py"


rule tabulate_stopping_recovery:
    """Say how often each family of stopping models wins when each is true."""
    input:
        fits=of_shards("stopping_recovery_fits"),
        comparison=table("stopping_comparison"),
        code=stage_code("analysis.stopping_power.tabulate"),
    output:
        recovery=RESULTS + "stopping_recovery.csv",
        power=RESULTS + "stopping_power.csv",
    log:
        LOGS + "tabulate_stopping_recovery.log",
    benchmark:
        LOGS + "tabulate_stopping_recovery.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="analysis.stopping_power.tabulate",
        seed=config["seed"],
        dataset=DATASET.name,
    message:
        f"Tabulating the recovery of stopping models on {DATASET.name}"
    script:
        "../scripts/run_stage.py"


rule vary_stopping:
    """Fit some stopping models to a shard with other bins, delays and folds."""
    input:
        trials=shard_file("trials"),
        everyone=table("trials"),
        samples=shard_file("samples"),
        design=table("design_check"),
        code=stage_code("analysis.stopping_sensitivity.vary_settings"),
    output:
        fits=RESULTS + "fits/{shard}/stopping_sensitivity_fits.parquet",
    log:
        LOGS + "vary_stopping/{shard}.log",
    benchmark:
        LOGS + "vary_stopping/{shard}.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="analysis.stopping_sensitivity.vary_settings",
        some_subjects=config["stopping"]["sensitivity"]["subjects"],
        options=stopping_options("bin_width", "delay", "fold_number", "draws"),
        settings=config["stopping"]["sensitivity"],
        cued=CUED,
    message:
        f"Varying the settings of stopping models on shard {{wildcards.shard}} of {DATASET.name}"
    script:
        "../scripts/run_stage.py"


rule tabulate_stopping_sensitivity:
    """Say whether the order of the stopping models depends on the settings."""
    input:
        fits=of_shards("stopping_sensitivity_fits"),
        code=stage_code("analysis.stopping_sensitivity.tabulate_sensitivity"),
    output:
        sensitivity=RESULTS + "stopping_sensitivity.csv",
    log:
        LOGS + "tabulate_stopping_sensitivity.log",
    benchmark:
        LOGS + "tabulate_stopping_sensitivity.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="analysis.stopping_sensitivity.tabulate_sensitivity",
    message:
        f"Tabulating how settings change the order of stopping models on {DATASET.name}"
    script:
        "../scripts/run_stage.py"
