# What the paper does not have: other choices, directions, recovery.


rule check_fit_choices:
    """Fit fast and slow subjects without a penalty, and draw their earlier points by survival."""
    input:
        trials=table("trials"),
        samples=table("samples"),
        groups_of=table("groups"),
        fits=table("fuzzy_fits"),
        rules=table("rules"),
        memberships=table("memberships"),
        code=stage_code("analysis.fit_choices.check_fit_choices"),
    output:
        penalty=f"{RESULTS}penalty_check.csv",
        bridges=f"{RESULTS}bridge_check.csv",
    log:
        f"{LOGS}check_fit_choices.log",
    benchmark:
        f"{LOGS}check_fit_choices.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        **RANDOM,
        stage="analysis.fit_choices.check_fit_choices",
        options=without(config["fuzzy"], "bridges", "labels"),
        labels=config["groups"]["labels"],
    script:
        "../scripts/run_stage.py"


rule run_specifications:
    """Run every combination of the choices that the paper leaves open."""
    input:
        trials=table("trials"),
        samples=table("samples"),
        code=stage_code("analysis.specification.run_specifications"),
    output:
        curve=f"{RESULTS}specification_curve.parquet",
        summary=f"{RESULTS}specification_summary.csv",
    log:
        f"{LOGS}run_specifications.log",
    benchmark:
        f"{LOGS}run_specifications.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="analysis.specification.run_specifications",
        blocks=config["fuzzy"]["blocks"],
        printed=printed_numbers("C09", "C11", "C13", "C14"),
        chosen=choices_of_groups(),
    script:
        "../scripts/run_stage.py"


rule vary_boundary_choices:
    """Judge the claims about boundary models under every combination of choices."""
    input:
        fits=table("model_fits"),
        variation=table("boundary_variation"),
        conditions=table("shape_by_condition"),
        code=stage_code("paper.boundary_multiverse.vary_choices"),
    output:
        multiverse=f"{RESULTS}boundary_multiverse.csv",
    log:
        f"{LOGS}vary_boundary_choices.log",
    benchmark:
        f"{LOGS}vary_boundary_choices.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="paper.boundary_multiverse.vary_choices",
        criterion=config["weibull"]["criterion"],
    script:
        "../scripts/run_stage.py"


rule measure_direction:
    """Compare responses with those to a constant boundary that a walking canoe meets."""
    input:
        trials=table("trials"),
        code=stage_code("analysis.boundary_direction.measure_direction"),
    output:
        direction=f"{RESULTS}boundary_direction.csv",
    log:
        f"{LOGS}measure_direction.log",
    benchmark:
        f"{LOGS}measure_direction.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        **RANDOM,
        stage="analysis.boundary_direction.measure_direction",
    script:
        "../scripts/run_stage.py"


rule recover_rules:
    """Find the rules of subjects who follow rules: how well does the fuzzy model recover them?"""
    input:
        code=stage_code("cohort.recovery.recover_rules"),
    output:
        rules=f"{SHARED}recovery_rules.csv",
        memberships=f"{SHARED}recovery_memberships.csv",
        losses=f"{SHARED}recovery_losses.csv",
    log:
        f"{SHARED_LOGS}recover_rules.log",
    benchmark:
        f"{SHARED_LOGS}recover_rules.tsv"
    priority: 50
    conda:
        "../envs/analysis.yaml"
    params:
        stage="cohort.recovery.recover_rules",
        cohort=config["fuzzy_truth"],
        fuzzy=GENERAL["fuzzy"],
        draws=GENERAL["samples"]["draws"],
        seed=config["seed"],
    script:
        "../scripts/run_stage.py"


rule recover_models:
    """Simulate from each boundary model as fitted to a shard's subjects, and fit all models."""
    input:
        trials=shard_file("trials"),
        everyone=table("trials"),
        code=stage_code("weibull.recovery.recover_models"),
    output:
        fits=f"{RESULTS}fits/{{shard}}/model_recovery_fits.parquet",
    log:
        f"{LOGS}recover_models/{{shard}}.log",
    benchmark:
        f"{LOGS}recover_models/{{shard}}.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        **RANDOM,
        stage="weibull.recovery.recover_models",
        some_subjects=config["weibull"]["recovery_subjects"],
        cued=CUED,
    script:
        "../scripts/run_stage.py"


rule tabulate_recovery:
    """Say how often each model wins when each model is true."""
    input:
        fits=of_shards("model_recovery_fits"),
        code=stage_code("weibull.recovery.tabulate_recovery"),
    output:
        confusion=f"{RESULTS}model_recovery.csv",
        summary=f"{RESULTS}model_recovery_summary.csv",
    log:
        f"{LOGS}tabulate_recovery.log",
    benchmark:
        f"{LOGS}tabulate_recovery.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="weibull.recovery.tabulate_recovery",
    script:
        "../scripts/run_stage.py"


rule fit_sessions:
    """Fit boundaries that shift from trial to trial: what the simulated cohort is made from."""
    input:
        trials=table("trials"),
        code=stage_code("analysis.session_fits.describe_sessions"),
    output:
        fits=f"{RESULTS}session_fits.csv",
        people=f"{RESULTS}people.csv",
    log:
        f"{LOGS}fit_sessions.log",
    benchmark:
        f"{LOGS}fit_sessions.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="analysis.session_fits.describe_sessions",
    script:
        "../scripts/run_stage.py"


rule recover_sessions:
    """Compare the boundaries fitted to simulated subjects with the true ones."""
    input:
        fits=f"{RESULTS}session_fits.csv",
        truth=f"{RESULTS}truth.json",
        code=stage_code("analysis.session_recovery.compare_with_truth"),
    output:
        recovery=f"{RESULTS}session_recovery.csv",
    log:
        f"{LOGS}recover_sessions.log",
    benchmark:
        f"{LOGS}recover_sessions.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="analysis.session_recovery.compare_with_truth",
    script:
        "../scripts/run_stage.py"
