rule score_claims:
    """Judge every claim of the paper on this data set."""
    input:
        unpack(lambda wildcards: scored_tables(wildcards.dataset)),
        experiment_a=str(WORKFLOW / "experiment_a.json"),
        code=stage_code("paper.scoring"),
    output:
        claims=report(
            "results/{dataset}/claims.csv",
            category="Scorecard",
            caption="../captions/claims.rst",
        ),
        text="results/{dataset}/claims.txt",
        errata=report(
            "results/{dataset}/errata.csv",
            category="Scorecard",
            caption="../captions/errata.rst",
        ),
    log:
        "logs/{dataset}/score_claims.log",
    benchmark:
        "logs/{dataset}/score_claims.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="paper.scoring.score_claims",
    message:
        "Scoring the claims of the paper on {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"
