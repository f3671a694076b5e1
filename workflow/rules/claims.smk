rule score_claims:
    """Say of every claim of the paper whether it holds on this data set."""
    input:
        tables=lambda wildcards: claim_tables(wildcards.dataset),
        dataset="results/{dataset}/dataset.json",
        code=code_of("score_claims.py"),
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
        registry=CLAIMS,
    message:
        "Scoring the claims of the paper on {wildcards.dataset}"
    script:
        "../scripts/score_claims.py"
