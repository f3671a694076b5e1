rule draw_figure:
    """Draw one figure by running its notebook."""
    input:
        unpack(
            lambda wildcards: figures.tables_of(
                FIGURES[wildcards.figure], wildcards.dataset
            )
        ),
        notebook=notebook_of,
        code=figure_code,
    output:
        pdf="results/{dataset}/figures/{figure}.pdf",
        svg="results/{dataset}/figures/{figure}.svg",
        png=report(
            "results/{dataset}/figures/{figure}.png",
            category="Figures",
            caption="../captions/figure.rst",
            labels={"figure": "{figure}", "data set": "{dataset}"},
        ),
        notebook="results/{dataset}/notebooks/{figure}.ipynb",
    log:
        "logs/{dataset}/draw_figure/{figure}.log",
    benchmark:
        "logs/{dataset}/draw_figure/{figure}.tsv"
    conda:
        "../../environment.yml"
    params:
        title=lambda wildcards: FIGURES[wildcards.figure]["title"],
        options=figure_options,
    message:
        "Drawing {wildcards.figure} of {wildcards.dataset}: {params.title}"
    script:
        "../scripts/draw_figure.py"
