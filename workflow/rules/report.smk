# Report and article.


use rule run_stage as write_article with:
    """Typeset the article about Experiments A and B from result tables."""
    input:
        tables=[
            f"{folder}{file_of(name)}"
            for folder in EXPERIMENTS.values()
            for name in ARTICLE_TABLES
        ],
        shared=tables(ARTICLE_SHARED).values(),
        figures=[
            f"{EXPERIMENTS['a']}figures/{name}.svg"
            for name in ARTICLE_FIGURES.values()
        ],
    output:
        article=f"{ARTICLE}article.pdf",
        metadata=f"{ARTICLE}metadata.yaml",
        # Where its readers look for it, and from where it names its files.
        codecheck="codecheck.yml",
        references=f"{ARTICLE}references.bib",
        values=f"{ARTICLE}values.json",
    log:
        f"{LOGS}write_article.log",
    benchmark:
        f"{LOGS}write_article.tsv"
    conda:
        "../envs/figures.yaml"
    params:
        **stage("report.article.write_article"),
        watched=["tables", "shared", "figures"],
        results=lambda wildcards, input: str(Path(input.tables[0]).parents[1]),
        project=str(PROJECT),


use rule run_stage as make_report with:
    """Put everything into one HTML file.

    Three things that it shows are not inputs, so that they never make it out of date: figures and
    tables on request (if they exist), and the commit. `fuzzybounds report` makes it again.
    """
    input:
        graph=str(PROJECT / "workflow/rulegraph.svg"),
        tables=[table(name) for name in (*REPORTED, *DECIDED)],
        figures=figure_files(formats=["png"]),
        parts=sorted(map(str, (SOURCE / "fuzzybounds/report").glob("*.[hcj]*"))),
    output:
        report=report(
            f"{RESULTS}report.html",
            category="Report",
            caption="../captions/report.rst",
            labels={"page": "report"},
        ),
        options=f"{RESULTS}options.json",
        claims_data=f"{RESULTS}claims.jsonld",
    log:
        f"{LOGS}make_report.log",
    benchmark:
        f"{LOGS}make_report.tsv"
    conda:
        "../envs/figures.yaml"
    params:
        **stage("report.page.make_report"),
        as_files=True,
        watched=["tables", "figures", "parts"],
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
