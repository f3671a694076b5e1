# What the paper says, and whether it holds.


use rule run_stage as vary_boundary_choices with:
    """Judge the claims about boundary models under every combination of choices."""
    input:
        fits=table("model_fits"),
        trials=table("trials"),
        variation=table("boundary_variation"),
    output:
        multiverse=f"{RESULTS}boundary_multiverse.csv",
    log:
        f"{LOGS}vary_boundary_choices.log",
    benchmark:
        f"{LOGS}vary_boundary_choices.tsv"
    params:
        **stage("scorecard.boundary_multiverse.vary_choices"),
        criterion=config["weibull"]["criterion"],
        boundary_times=config["weibull"]["boundary_times"],


use rule run_stage as control_boundary_claims with:
    """Judge the claims about boundary models on simulated subjects of known truth."""
    input:
        fits=table("control_fits"),
        variation=table("control_variation"),
        direction=table("control_direction"),
    output:
        controls=f"{RESULTS}boundary_controls.csv",
    log:
        f"{LOGS}control_boundary_claims.log",
    benchmark:
        f"{LOGS}control_boundary_claims.tsv"
    params:
        **stage("scorecard.boundary_controls.control_claims"),
        criterion=config["weibull"]["criterion"],


use rule run_stage as judge_by_posterior with:
    """Ask the claims about rules of the posterior of every subject's rules."""
    input:
        posterior=table("rule_posterior"),
        check=table("rule_posterior_check"),
        groups=table("groups"),
    output:
        claims=f"{RESULTS}rule_claims.csv",
    log:
        f"{LOGS}judge_by_posterior.log",
    benchmark:
        f"{LOGS}judge_by_posterior.tsv"
    params:
        **stage("scorecard.rule_claims.judge_by_posterior"),


use rule run_stage as check_claims with:
    """Judge claims on simulated cohorts whose truth is known."""
    input:
        groups=table("control_groups"),
        tests=table("control_tests"),
        regression=table("control_regression"),
    output:
        controls=f"{SHARED}claim_controls.csv",
    log:
        f"{SHARED_LOGS}check_claims.log",
    benchmark:
        f"{SHARED_LOGS}check_claims.tsv"
    params:
        **stage("scorecard.controls.check_claims"),
        seed=config["seed"],
        most=config["control_cohorts"],


use rule run_stage as score_claims with:
    """Judge every claim of the paper on this data set."""
    input:
        **tables(SCORED),
        # Made on request, and read where it is.
        **tables_there(["rule_claims"]),
        experiment_a=str(PROJECT / "workflow/experiment_a.json"),
    output:
        claims=report(
            f"{RESULTS}claims.csv",
            category="Scorecard",
            caption="../captions/claims.rst",
            labels={"table": "claims"},
        ),
        errata=report(
            f"{RESULTS}errata.csv",
            category="Scorecard",
            caption="../captions/errata.rst",
            labels={"table": "errata"},
        ),
    log:
        f"{LOGS}score_claims.log",
    benchmark:
        f"{LOGS}score_claims.tsv"
    params:
        **stage("scorecard.scoring.score_claims"),
