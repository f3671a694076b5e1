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


use rule run_stage as fit_known_boundaries with:
    """Simulate subjects of known boundaries, and fit them as people."""
    input:
        trials=table("trials"),
        fits=table("model_fits"),
    output:
        fits=f"{RESULTS}control_fits.parquet",
        variation=f"{RESULTS}control_variation.csv",
        direction=f"{RESULTS}control_direction.csv",
    log:
        f"{LOGS}fit_known_boundaries.log",
    benchmark:
        f"{LOGS}fit_known_boundaries.tsv"
    # It waits for all fits: if it came last, the other cores would wait for it.
    priority: 75
    params:
        **RANDOM,
        **stage("checks.controls.known_boundaries.fit_known_boundaries"),
        subjects=config["weibull"]["control_subjects"],


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


use rule run_stage as simulate_groups with:
    """Simulate cohorts whose boundaries differ, approach each other, or do neither."""
    output:
        groups=f"{SHARED}control_groups.parquet",
        tests=f"{SHARED}control_tests.parquet",
        regression=f"{SHARED}control_regression.parquet",
    log:
        f"{SHARED_LOGS}simulate_groups.log",
    benchmark:
        f"{SHARED_LOGS}simulate_groups.tsv"
    params:
        **stage("checks.controls.simulated_groups.simulate_groups"),
        seed=config["seed"],
        most=config["control_cohorts"],


use rule run_stage as recover_rules with:
    """Find the rules of subjects who follow rules: how well does the fuzzy model recover them?"""
    output:
        rules=f"{SHARED}recovery_rules.parquet",
        labels=f"{SHARED}recovery_labels.parquet",
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


use rule run_stage as tabulate_recovery with:
    """Tabulate how fits to subjects who follow rules differ from the truth."""
    input:
        rules=table("recovery_rules"),
        labels=table("recovery_labels"),
    output:
        cells=f"{SHARED}recovery_cells.csv",
        memberships=f"{SHARED}recovery_memberships.csv",
    log:
        f"{SHARED_LOGS}tabulate_recovery.log",
    benchmark:
        f"{SHARED_LOGS}tabulate_recovery.tsv"
    params:
        **stage("checks.recovery.rule_tables.tabulate_recovery"),
