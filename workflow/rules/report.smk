# Scorecard and report.


rule score_claims:
    """Judge every claim of the paper on this data set."""
    input:
        **tables(SCORED),
        experiment_a=str(PROJECT / "workflow/experiment_a.json"),
        code=stage_code("paper.scoring.score_claims"),
    output:
        claims=f"{RESULTS}claims.csv",
        text=f"{RESULTS}claims.txt",
        errata=f"{RESULTS}errata.csv",
    log:
        f"{LOGS}score_claims.log",
    benchmark:
        f"{LOGS}score_claims.tsv"
    conda:
        "../envs/analysis.yaml"
    params:
        stage="paper.scoring.score_claims",
    script:
        "../scripts/run_stage.py"


rule make_report:
    """Put everything into one HTML file.

    Three things that it shows are not inputs, so that they never make it out of date: figures on
    request (shown if they exist), benchmarks, and the commit. `make report` makes it again.
    """
    input:
        graph=str(PROJECT / "workflow/rulegraph.svg"),
        also=[table(name) for name in REPORTED],
        also_figures=figure_files(formats=["png"]),
        also_parts=sorted(map(str, (SOURCE / "fuzzybounds/report").glob("*.[hcj]*"))),
        code=stage_code("report.assembly.make_report"),
    output:
        report=f"{RESULTS}report.html",
        options=f"{RESULTS}options.json",
    log:
        f"{LOGS}make_report.log",
    benchmark:
        f"{LOGS}make_report.tsv"
    conda:
        "../envs/figures.yaml"
    params:
        stage="report.assembly.make_report",
        as_files=True,
        folder=lambda wildcards, output: os.path.dirname(output.report),
        drawn={
            name: {
                key: FIGURES[name][key]
                for key in ("title", "paper")
                if key in FIGURES[name]
            }
            for name in DRAWN
        },
        configuration=dict(config),
        snakefile=str(PROJECT / "Snakefile"),
        logs=[LOGS, SHARED_LOGS],
    script:
        "../scripts/run_stage.py"
