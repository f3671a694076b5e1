"""Draw a figure by running its notebook; the executed notebook is kept beside the figures."""

import logging
from pathlib import Path

import nbformat
import papermill
from job import logged

from fuzzybounds.tables import check_whole, replacing

RUN_METADATA = ("papermill", "execution", "language_info")
"""What an execution writes into a notebook that is not the same from run to run."""


def main(
    paths_to_tables: list[str], notebook: str, path_to_notebook: str, parameters: dict
) -> None:
    for path in paths_to_tables:
        check_whole(path)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    with replacing(path_to_notebook) as temporary:
        # With paths relative to the project, a run elsewhere gives the same bytes.
        papermill.execute_notebook(
            notebook,
            str(temporary),
            parameters=parameters,
            cwd=".",
            kernel_name="python3",
            progress_bar=False,
            log_output=True,
        )
        forget_the_run(temporary)


def forget_the_run(path: Path) -> None:
    """Remove times, durations and versions from an executed notebook."""
    notebook = nbformat.read(path, as_version=4)
    for holder in [notebook, *notebook.cells]:
        for key in RUN_METADATA:
            holder.metadata.pop(key, None)
    # Papermill inserts the cell of parameters with a random id.
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number:02d}"
    nbformat.write(notebook, path)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            paths_to_tables=[path for path in snakemake.input if path.startswith("results/")],
            notebook=snakemake.input.notebook,
            path_to_notebook=snakemake.output.notebook,
            parameters={
                "dataset": snakemake.wildcards.dataset,
                "results": "results",
                "save_as": snakemake.output.png.removesuffix(".png"),
                **snakemake.params.options,
            },
        )
