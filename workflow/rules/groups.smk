rule compare_groups:
    """Assign subjects to groups, compare their boundaries, and average their rules and outputs."""
    input:
        trials="results/{dataset}/trials.parquet",
        fits="results/{dataset}/fuzzy_fits.parquet",
        rules="results/{dataset}/rules.parquet",
        memberships="results/{dataset}/memberships.parquet",
        code=code_of("compare_groups.py"),
    output:
        groups="results/{dataset}/groups.csv",
        tests="results/{dataset}/group_tests.csv",
        consequents="results/{dataset}/consequents.csv",
        outputs="results/{dataset}/group_output.parquet",
    log:
        "logs/{dataset}/compare_groups.log",
    benchmark:
        "logs/{dataset}/compare_groups.tsv"
    conda:
        "../../environment.yml"
    params:
        options=config["groups"],
        blocks=config["fuzzy"]["blocks"],
        seed=config["seed"],
    message:
        "Comparing the fast and slow subjects of {wildcards.dataset}"
    script:
        "../scripts/compare_groups.py"
