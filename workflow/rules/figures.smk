rule draw_figure:
    """Draw one figure by running its notebook."""
    input:
        unpack(
            lambda wildcards: figures.tables_of(
                FIGURES[wildcards.figure], folder_of(wildcards)
            )
        ),
        notebook=lambda wildcards: FIGURES[wildcards.figure]["notebook"],
        code=figure_code,
    output:
        pdf="results/{dataset}/figures/{figure}.pdf",
        svg="results/{dataset}/figures/{figure}.svg",
        png=report(
            "results/{dataset}/figures/{figure}.png",
            category=lambda wildcards: figures.category_of(wildcards.figure),
            caption="../captions/figure.rst",
            labels=lambda wildcards: figures.labels_of(wildcards, FIGURES),
        ),
        notebook="results/{dataset}/notebooks/{figure}.ipynb",
    log:
        "logs/{dataset}/draw_figure/{figure}.log",
    benchmark:
        "logs/{dataset}/draw_figure/{figure}.tsv"
    conda:
        "../../environment.yml"
    params:
        dataset=folder_of,
        first_look=config["first_look"],
        title=lambda wildcards: FIGURES[wildcards.figure]["title"],
        caption=lambda wildcards: FIGURES[wildcards.figure]["caption"],
        options=lambda wildcards: figures.options_of(FIGURES[wildcards.figure], config),
    message:
        "Drawing {wildcards.figure} of {wildcards.dataset}: {params.title}"
    script:
        "../scripts/draw_figure.py"
