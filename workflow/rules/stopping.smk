# Rules and boundaries on one likelihood (docs/verdict.md).


use rule run_stage as compare_stopping_briefly with:
    """Compare rules and boundaries, without and with the direction, for the scorecard, with its power."""
    input:
        trials=table("trials"),
        samples=table("samples"),
        design=table("design_check"),
        paths=table("paths"),
    output:
        brief=f"{RESULTS}stopping_brief.csv",
        models=f"{RESULTS}stopping_brief_models.csv",
        power=f"{RESULTS}stopping_brief_power.csv",
    log:
        f"{LOGS}compare_stopping_briefly.log",
    benchmark:
        f"{LOGS}compare_stopping_briefly.tsv"
    # The longest job of a run: if it came last, the other cores would wait for it.
    priority: 70
    params:
        **RANDOM,
        **stage("stopping.brief.compare_briefly"),
        options=stopping_options("bin_width", "delays", "schemes", "fold_number"),
        models=config["stopping"]["brief"],
        recovery_subjects=config["stopping"]["brief_subjects"],
        cued=CUED,


use rule run_stage as view_directly with:
    """See where the canoe is heading when people respond, and how often they respond where."""
    input:
        trials=table("trials"),
        samples=table("samples"),
        design=table("design_check"),
        paths=table("paths"),
    output:
        outward=f"{RESULTS}outward.csv",
        surface=f"{RESULTS}stopping_surface.csv",
    log:
        f"{LOGS}view_directly.log",
    benchmark:
        f"{LOGS}view_directly.tsv"
    priority: 60
    params:
        **RANDOM,
        **stage("stopping.direct_view.view_directly"),
        options=stopping_options("bin_width", "delays", "conditions"),
        models=config["stopping"]["shown"],
        cued=CUED,


use rule run_stage as infer_rules with:
    """Compute how probable it is that each rule of each subject says stop."""
    input:
        trials=table("trials"),
        samples=table("samples"),
        design=table("design_check"),
        paths=table("paths"),
        groups=table("groups"),
    output:
        posterior=f"{RESULTS}rule_posterior.csv",
    log:
        f"{LOGS}infer_rules.log",
    benchmark:
        f"{LOGS}infer_rules.tsv"
    params:
        **stage("stopping.rule_posterior.infer_rules"),
        any_design=True,
        delays=config["stopping"]["delays"],
        condition=FITTED_CONDITION,
        blocks=config["fuzzy"]["blocks"],
        cued=CUED,


use rule run_stage as answer_hypotheses with:
    """Answer what a study with random starts or a gate asks; does the gate change responses?"""
    input:
        trials=table("trials"),
        samples=table("samples"),
        design=table("design_check"),
        paths=table("paths"),
        posterior=table("rule_posterior"),
    output:
        hypotheses=f"{RESULTS}hypotheses.csv",
    log:
        f"{LOGS}answer_hypotheses.log",
    benchmark:
        f"{LOGS}answer_hypotheses.tsv"
    params:
        **stage("stopping.gate.answer_hypotheses"),
        any_design=True,
        options=stopping_options("bin_width", "delays", "fold_number"),
        condition=FITTED_CONDITION,
        cued=CUED,


use rule run_stage as check_rule_posterior with:
    """Simulate subjects from their most probable rules, and see how many are found."""
    input:
        trials=table("trials"),
        samples=table("samples"),
        design=table("design_check"),
    output:
        check=f"{RESULTS}rule_posterior_check.csv",
    log:
        f"{LOGS}check_rule_posterior.log",
    benchmark:
        f"{LOGS}check_rule_posterior.tsv"
    params:
        **RANDOM,
        **stage("stopping.rule_posterior.check_rule_posterior"),
        delays=config["stopping"]["delays"],
        condition=FITTED_CONDITION,
        blocks=config["fuzzy"]["blocks"],
        subjects=config["stopping"]["posterior_subjects"],
        cued=CUED,


use rule run_stage as fit_stopping with:
    """Fit every stopping model to the subjects of a shard, and to all but each fold."""
    input:
        trials=shard_file("trials"),
        samples=shard_file("samples"),
        design=table("design_check"),
        paths=table("paths"),
    output:
        fits=f"{RESULTS}fits/{{shard}}/stopping_fits.parquet",
    log:
        f"{LOGS}fit_stopping/{{shard}}.log",
    benchmark:
        f"{LOGS}fit_stopping/{{shard}}.tsv"
    params:
        **stage("stopping.fits.fit_stopping"),
        any_design=True,
        options=stopping_options(
            "bin_width", "delays", "conditions", "schemes", "fold_number"
        ),
        cued=CUED,


use rule run_stage as compare_stopping with:
    """Compare the stopping models by the density of what was left out."""
    input:
        fits=table("stopping_fits"),
    output:
        comparison=f"{RESULTS}stopping_comparison.csv",
        questions=f"{RESULTS}stopping_questions.csv",
    log:
        f"{LOGS}compare_stopping.log",
    benchmark:
        f"{LOGS}compare_stopping.tsv"
    params:
        **stage("stopping.comparison.compare"),


use rule run_stage as check_stopping with:
    """Compare what every stopping model predicts with what the subjects did."""
    input:
        trials=table("trials"),
        fits=table("stopping_fits"),
        design=table("design_check"),
    output:
        checks=f"{RESULTS}stopping_checks.csv",
    log:
        f"{LOGS}check_stopping.log",
    benchmark:
        f"{LOGS}check_stopping.tsv"
    params:
        **stage("stopping.checks.check_predictions"),
        bin_width=config["stopping"]["bin_width"],
        cued=CUED,


use rule run_stage as predict_outward with:
    """Compare where the canoe is heading at responses with what every stopping model predicts."""
    input:
        trials=table("trials"),
        fits=table("stopping_fits"),
        design=table("design_check"),
    output:
        outward=f"{RESULTS}stopping_outward.csv",
    log:
        f"{LOGS}predict_outward.log",
    benchmark:
        f"{LOGS}predict_outward.tsv"
    params:
        **stage("stopping.outward.measure_outward"),
        bin_width=config["stopping"]["bin_width"],
        cued=CUED,


use rule run_stage as recover_stopping with:
    """Simulate from the best boundary, rules and control, and fit both kinds of models."""
    input:
        trials=shard_file("trials"),
        everyone=table("trials"),
        fits=f"{RESULTS}fits/{{shard}}/stopping_fits.parquet",
        comparison=table("stopping_comparison"),
        design=table("design_check"),
    output:
        fits=f"{RESULTS}fits/{{shard}}/stopping_recovery_fits.parquet",
    log:
        f"{LOGS}recover_stopping/{{shard}}.log",
    benchmark:
        f"{LOGS}recover_stopping/{{shard}}.tsv"
    params:
        **RANDOM,
        **stage("stopping.recovery.recover_stopping"),
        some_subjects=config["stopping"]["recovery_subjects"],
        options=stopping_options(
            "bin_width", "delays", "conditions", "schemes", "fold_number"
        ),
        cued=CUED,


use rule run_stage as tabulate_stopping_recovery with:
    """Say what cohorts of simulated subjects would be called."""
    input:
        fits=of_shards("stopping_recovery_fits"),
        comparison=table("stopping_comparison"),
    output:
        power=f"{RESULTS}stopping_power.csv",
    log:
        f"{LOGS}tabulate_stopping_recovery.log",
    benchmark:
        f"{LOGS}tabulate_stopping_recovery.tsv"
    params:
        **RANDOM,
        **stage("stopping.recovery.tabulate"),


use rule run_stage as vary_stopping with:
    """Fit some stopping models to some subjects with other bins, priors and delays."""
    input:
        trials=table("trials"),
        samples=table("samples"),
        design=table("design_check"),
    output:
        sensitivity=f"{RESULTS}stopping_sensitivity.csv",
    log:
        f"{LOGS}vary_stopping.log",
    benchmark:
        f"{LOGS}vary_stopping.tsv"
    params:
        **stage("stopping.sensitivity.vary_choices"),
        **config["stopping"]["sensitivity"],
        options=stopping_options("bin_width", "delays", "schemes", "fold_number"),
        models=config["stopping"]["brief"],
        conditions=["easy"],
        cued=CUED,


use rule run_stage as fit_session_models with:
    """Fit sessions of dependent trials, with priors estimated over subjects."""
    input:
        trials=table("trials"),
        paths=table("paths"),
    output:
        fits=f"{RESULTS}session_models_{{kind}}.parquet",
    log:
        f"{LOGS}fit_session_models/{{kind}}.log",
    benchmark:
        f"{LOGS}fit_session_models/{{kind}}.tsv"
    params:
        **RANDOM,
        **stage("stopping.hierarchy.fit_hierarchy"),
        kind=lambda wildcards: wildcards.kind,
        options=without(config["stopping"]["sessions"], "subjects", "shuffles"),
        # The control of what follows an error is made for two kinds; it takes as long as three folds.
        shuffles=lambda wildcards: (
            config["stopping"]["sessions"]["shuffles"]
            if wildcards.kind in KINDS_AFTER_ERRORS
            else 0
        ),
        delays=config["stopping"]["delays"],
        conditions=config["stopping"]["conditions"],
        cued=CUED,


use rule run_stage as compare_session_models with:
    """Say which kind predicts a part of the session, given the rest, and describe the population."""
    input:
        fits=expand(f"{RESULTS}session_models_{{kind}}.parquet", kind=KINDS),
        independent=table("stopping_fits"),
    output:
        comparison=f"{RESULTS}session_comparison.csv",
        population=f"{RESULTS}session_population.csv",
    log:
        f"{LOGS}compare_session_models.log",
    benchmark:
        f"{LOGS}compare_session_models.tsv"
    params:
        **stage("stopping.session_comparison.compare_sessions"),


use rule run_stage as recover_session_models with:
    """Simulate sessions of either kind, and say what would be concluded."""
    input:
        trials=table("trials"),
        fits=expand(
            f"{RESULTS}session_models_{{kind}}.parquet", kind=KINDS_AFTER_ERRORS
        ),
        design=table("design_check"),
    output:
        power=f"{RESULTS}session_power.csv",
    log:
        f"{LOGS}recover_session_models.log",
    benchmark:
        f"{LOGS}recover_session_models.tsv"
    params:
        **RANDOM,
        **stage("stopping.session_recovery.recover_sessions"),
        options=without(config["stopping"]["sessions"], "shuffles"),
        delays=config["stopping"]["delays"],


use rule run_stage as compare_designs with:
    """Simulate what designs of an experiment would decide (docs/decide.md)."""
    output:
        design_power=f"{SHARED}design_power.csv",
    log:
        f"{SHARED_LOGS}compare_designs.log",
    benchmark:
        f"{SHARED_LOGS}compare_designs.tsv"
    params:
        **stage("stopping.design_power.compare_designs"),
        seed=config["seed"],
        subjects=18,
