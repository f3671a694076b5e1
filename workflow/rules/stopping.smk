# Rules and boundaries on one likelihood (docs/verdict.md).


rule compare_stopping_briefly:
    """Compare models with noise within trials on easy trials, for the scorecard, with its power."""
    input:
        trials=table("trials"),
        samples=table("samples"),
        design=table("design_check"),
        code=stage_code("analysis.stopping_power.compare_briefly"),
    output:
        brief=f"{RESULTS}stopping_brief.csv",
        power=f"{RESULTS}stopping_brief_power.csv",
    log:
        f"{LOGS}compare_stopping_briefly.log",
    benchmark:
        f"{LOGS}compare_stopping_briefly.tsv"
    # The longest job of a run: if it came last, the other cores would wait for it.
    priority: 70
    conda:
        "../envs/analysis.yaml"
    params:
        **RANDOM,
        stage="analysis.stopping_power.compare_briefly",
        options=stopping_options("bin_width", "delay", "fold_number", "draws"),
        models=config["stopping"]["brief"],
        recovery_subjects=config["stopping"]["brief_subjects"],
        cued=CUED,
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
        fits=f"{RESULTS}fits/{{shard}}/stopping_fits.parquet",
    log:
        f"{LOGS}fit_stopping/{{shard}}.log",
    benchmark:
        f"{LOGS}fit_stopping/{{shard}}.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="stopping.fits.fit_stopping",
        options=stopping_options(
            "bin_width", "delay", "conditions", "schemes", "fold_number", "draws"
        ),
        cued=CUED,
    script:
        "../scripts/run_stage.py"


rule compare_stopping:
    """Compare the stopping models by the density of what was left out."""
    input:
        fits=table("stopping_fits"),
        code=stage_code("analysis.stopping_comparison.compare"),
    output:
        comparison=f"{RESULTS}stopping_comparison.csv",
        questions=f"{RESULTS}stopping_questions.csv",
    log:
        f"{LOGS}compare_stopping.log",
    benchmark:
        f"{LOGS}compare_stopping.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="analysis.stopping_comparison.compare",
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
        checks=f"{RESULTS}stopping_checks.csv",
    log:
        f"{LOGS}check_stopping.log",
    benchmark:
        f"{LOGS}check_stopping.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="stopping.checks.check_predictions",
        bin_width=config["stopping"]["bin_width"],
        delay=config["stopping"]["delay"],
        cued=CUED,
    script:
        "../scripts/run_stage.py"


rule recover_stopping:
    """Simulate from each family's best stopping model, and fit the best of all families."""
    input:
        trials=shard_file("trials"),
        everyone=table("trials"),
        fits=f"{RESULTS}fits/{{shard}}/stopping_fits.parquet",
        comparison=table("stopping_comparison"),
        design=table("design_check"),
        code=stage_code("stopping.recovery.recover_stopping"),
    output:
        fits=f"{RESULTS}fits/{{shard}}/stopping_recovery_fits.parquet",
    log:
        f"{LOGS}recover_stopping/{{shard}}.log",
    benchmark:
        f"{LOGS}recover_stopping/{{shard}}.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        **RANDOM,
        stage="stopping.recovery.recover_stopping",
        some_subjects=config["stopping"]["recovery_subjects"],
        options=stopping_options("bin_width", "delay", "fold_number", "draws"),
        scheme=config["stopping"]["schemes"][0],
        conditions=config["stopping"]["conditions"][:1],
        cued=CUED,
    script:
        "../scripts/run_stage.py"


rule tabulate_stopping_recovery:
    """Say how often each family of stopping models wins when each is true."""
    input:
        fits=of_shards("stopping_recovery_fits"),
        comparison=table("stopping_comparison"),
        code=stage_code("analysis.stopping_power.tabulate"),
    output:
        recovery=f"{RESULTS}stopping_recovery.csv",
        power=f"{RESULTS}stopping_power.csv",
    log:
        f"{LOGS}tabulate_stopping_recovery.log",
    benchmark:
        f"{LOGS}tabulate_stopping_recovery.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        **RANDOM,
        stage="analysis.stopping_power.tabulate",
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
        fits=f"{RESULTS}fits/{{shard}}/stopping_sensitivity_fits.parquet",
    log:
        f"{LOGS}vary_stopping/{{shard}}.log",
    benchmark:
        f"{LOGS}vary_stopping/{{shard}}.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="analysis.stopping_sensitivity.vary_settings",
        some_subjects=config["stopping"]["sensitivity"]["subjects"],
        options=stopping_options("bin_width", "delay", "fold_number", "draws"),
        settings=config["stopping"]["sensitivity"],
        cued=CUED,
    script:
        "../scripts/run_stage.py"


rule tabulate_stopping_sensitivity:
    """Say whether the order of the stopping models depends on the settings."""
    input:
        fits=of_shards("stopping_sensitivity_fits"),
        code=stage_code("analysis.stopping_sensitivity.tabulate_sensitivity"),
    output:
        sensitivity=f"{RESULTS}stopping_sensitivity.csv",
    log:
        f"{LOGS}tabulate_stopping_sensitivity.log",
    benchmark:
        f"{LOGS}tabulate_stopping_sensitivity.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="analysis.stopping_sensitivity.tabulate_sensitivity",
    script:
        "../scripts/run_stage.py"
