# Tables that no data set changes come with the project: `make reference` makes them.

TAKEN = made_by(up_to_date())
if TAKEN:

    rule take_reference:
        """Take the tables that no data set changes from the project."""
        input:
            [str(REFERENCE / Path(file).name) for file in TAKEN],
        output:
            TAKEN,
        log:
            f"{SHARED_LOGS}take_reference.log",
        benchmark:
            f"{SHARED_LOGS}take_reference.tsv"
        localrule: True
        conda:
            "../envs/analysis.yaml"
        params:
            code=lambda wildcards: code_of("take_reference.py"),
        script:
            "../scripts/take_reference.py"

    ruleorder: take_reference > recover_rules > sweep_learning > simulate_groups > check_claims


use rule run_stage as describe_reference with:
    """Say with what code and options the tables of the reference were made."""
    input:
        tables=made_by(sum(TOGETHER, [])),
    output:
        reference=f"{SHARED}reference.json",
    log:
        f"{SHARED_LOGS}describe_reference.log",
    benchmark:
        f"{SHARED_LOGS}describe_reference.tsv"
    localrule: True
    params:
        **stage("report.provenance.describe_reference"),
        watched=["tables"],
        made=made_with(sum(TOGETHER, [])),
