# Scorecard and report.


rule score_claims:
    """Judge every claim of the paper on this data set."""
    input:
        **tables(SCORED),
        experiment_a=str(PROJECT / "workflow/experiment_a.json"),
        code=stage_code("paper.scoring.score_claims"),
    output:
        claims=report(
            RESULTS + "claims.csv",
            category="Scorecard",
            caption="../captions/claims.rst",
        ),
        text=RESULTS + "claims.txt",
        errata=report(
            RESULTS + "errata.csv",
            category="Scorecard",
            caption="../captions/errata.rst",
        ),
    log:
        LOGS + "score_claims.log",
    benchmark:
        LOGS + "score_claims.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="paper.scoring.score_claims",
    message:
        f"Scoring the claims of the paper on {DATASET.name}"
    script:
        "../scripts/run_stage.py"


rule make_report:
    """Put everything into one HTML file.

    Three things that it shows are not inputs, so that they never make it out of date: figures on
    request (shown if they exist), benchmarks, and the commit. `make report` makes it again.
    """
    input:
        figures=figure_files(formats=["png"]),
        tables=[table(name) for name in REPORTED],
        graph=str(PROJECT / "workflow/rulegraph.svg"),
        template=sorted(map(str, (SOURCE / "fuzzybounds/report").glob("*.[hcj]*"))),
        code=script_code("make_report.py"),
    output:
        report=RESULTS + "report.html",
    log:
        LOGS + "make_report.log",
    benchmark:
        LOGS + "make_report.tsv"
    conda:
        "../envs/figures.yaml"
    params:
        figures={
            name: {key: FIGURES[name][key] for key in ("title", "paper") if key in FIGURES[name]}
            for name in DRAWN
        },
        configuration=dict(config),
        snakefile=str(PROJECT / "Snakefile"),
        logs=[LOGS, SHARED_LOGS],
    message:
        f"Making the report of {DATASET.name}"
    script:
        "../scripts/make_report.py"
