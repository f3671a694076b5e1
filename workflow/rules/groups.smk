rule compare_groups:
    """Assign subjects to groups, compare their boundaries, and average their rules and outputs."""
    input:
        trials="results/{dataset}/trials.parquet",
        fits="results/{dataset}/fuzzy_fits.parquet",
        rules="results/{dataset}/rules.parquet",
        memberships="results/{dataset}/memberships.parquet",
        code=stage_code("analysis.group_comparison"),
    output:
        groups="results/{dataset}/groups.csv",
        tests=report(
            "results/{dataset}/group_tests.csv",
            category="Tables",
            caption="../captions/group_tests.rst",
        ),
        regression="results/{dataset}/regression_to_mean.csv",
        consequents="results/{dataset}/consequents.csv",
        draws="results/{dataset}/consequent_draws.parquet",
        outputs="results/{dataset}/group_output.parquet",
    log:
        "logs/{dataset}/compare_groups.log",
    benchmark:
        "logs/{dataset}/compare_groups.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="analysis.group_comparison.compare_groups",
        options=config["groups"],
        blocks=config["fuzzy"]["blocks"],
        seed=config["seed"],
    message:
        "Comparing the fast and slow subjects of {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule check_fit_choices:
    """Fit fast and slow subjects without a penalty, and draw their earlier points by survival."""
    input:
        trials="results/{dataset}/trials.parquet",
        samples="results/{dataset}/samples.parquet",
        groups_of="results/{dataset}/groups.csv",
        fits="results/{dataset}/fuzzy_fits.parquet",
        rules="results/{dataset}/rules.parquet",
        memberships="results/{dataset}/memberships.parquet",
        code=stage_code("analysis.fit_choices"),
    output:
        penalty="results/{dataset}/penalty_check.csv",
        bridges="results/{dataset}/bridge_check.csv",
    log:
        "logs/{dataset}/check_fit_choices.log",
    benchmark:
        "logs/{dataset}/check_fit_choices.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="analysis.fit_choices.check_fit_choices",
        streamed=["samples"],
        options={
            name: value for name, value in config["fuzzy"].items() if name != "bridges"
        }
        | {"labels": config["groups"]["labels"]},
        seed=config["seed"],
    message:
        "Checking what penalty and paths do to the fits of {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule run_specifications:
    """Run every combination of the choices that the paper leaves open."""
    input:
        trials="results/{dataset}/trials.parquet",
        samples="results/{dataset}/samples.parquet",
        code=stage_code("analysis.specification"),
    output:
        curve="results/{dataset}/specification_curve.parquet",
        summary=report(
            "results/{dataset}/specification_summary.csv",
            category="Tables",
            caption="../captions/specification_summary.rst",
        ),
    log:
        "logs/{dataset}/run_specifications.log",
    benchmark:
        "logs/{dataset}/run_specifications.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="analysis.specification.run_specifications",
        streamed=["samples"],
        blocks=config["fuzzy"]["blocks"],
        printed=printed_numbers("C09", "C11", "C13", "C14"),
        chosen=choices_of_groups(),
    message:
        "Running all specifications of {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"
