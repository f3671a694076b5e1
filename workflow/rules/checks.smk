# What the paper does not have: other choices, directions, recovery.


use rule run_stage as run_specifications with:
    """Run every combination of the choices that the paper leaves open."""
    input:
        trials=table("trials"),
        samples=table("samples"),
    output:
        curve=f"{RESULTS}specification_curve.parquet",
        summary=f"{RESULTS}specification_summary.csv",
    log:
        f"{LOGS}run_specifications.log",
    benchmark:
        f"{LOGS}run_specifications.tsv"
    params:
        **stage("checks.multiverse.specification.run_specifications"),
        blocks=config["fuzzy"]["blocks"],
        printed=printed_numbers("C09", "C11", "C13", "C14"),
        chosen=choices_of_groups(),


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
        trials=table("trials"),
        fits=table("model_fits"),
    output:
        controls=f"{RESULTS}boundary_controls.csv",
    log:
        f"{LOGS}control_boundary_claims.log",
    benchmark:
        f"{LOGS}control_boundary_claims.tsv"
    params:
        **RANDOM,
        **stage("scorecard.boundary_controls.control_claims"),
        criterion=config["weibull"]["criterion"],


use rule run_stage as measure_regression with:
    """Measure how much of the groups' change is regression to the mean."""
    input:
        trials=table("trials"),
    output:
        regression=f"{RESULTS}regression_to_mean.csv",
    log:
        f"{LOGS}measure_regression.log",
    benchmark:
        f"{LOGS}measure_regression.tsv"
    params:
        **RANDOM,
        **stage("checks.controls.regression_to_mean.regression_to_mean"),
        options=without(config["groups"], "labels"),
        blocks=config["fuzzy"]["blocks"],


use rule run_stage as measure_direction with:
    """Compare responses with those to constant boundaries that a walking canoe meets."""
    input:
        trials=table("trials"),
        design=table("design_check"),
    output:
        direction=f"{RESULTS}boundary_direction.csv",
    log:
        f"{LOGS}measure_direction.log",
    benchmark:
        f"{LOGS}measure_direction.tsv"
    params:
        **RANDOM,
        **stage("checks.controls.boundary_direction.measure_direction"),


use rule run_stage as recover_rules with:
    """Find the rules of subjects who follow rules: how well does the fuzzy model recover them?"""
    output:
        cells=f"{SHARED}recovery_cells.csv",
        memberships=f"{SHARED}recovery_memberships.csv",
        losses=f"{SHARED}recovery_losses.csv",
    log:
        f"{SHARED_LOGS}recover_rules.log",
    benchmark:
        f"{SHARED_LOGS}recover_rules.tsv"
    priority: 50
    params:
        **stage("checks.recovery.rules.recover_rules"),
        cohort=config["fuzzy_truth"],
        fuzzy=GENERAL["fuzzy"],
        draws=GENERAL["samples"]["draws"],
        seed=config["seed"],

