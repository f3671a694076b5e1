"""Draw a figure by running its notebook; the executed notebook is kept beside the figures."""

import logging
from pathlib import Path

import nbformat
import papermill
from job import logged

from fuzzybounds.storage.errors import InputError, TooFew
from fuzzybounds.storage.tables import check_whole, replacing

ERROR_TAGS = {"papermill-error-cell-tag"}
RUN_METADATA = ("papermill", "execution", "language_info")
"""What an execution writes into a notebook that is not the same from run to run."""


def main(
    paths_to_tables: list[str], notebook: str, title: str, path_to_notebook: str, parameters: dict
) -> None:
    for path in paths_to_tables:
        check_whole(path)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    with replacing(path_to_notebook) as temporary:
        try:
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
        except papermill.PapermillExecutionError as error:
            if error.ename == InputError.__name__:
                raise InputError(error.evalue) from error
            if error.ename != TooFew.__name__:
                raise
            print(f"too few data: {error.evalue}")
            say_why(temporary, error.evalue)
            draw_reason(title, error.evalue, parameters["save_as"])
        forget_the_run(temporary)


def say_why(path: Path, reason: str) -> None:
    """Put the reason where a notebook stopped, in place of the traceback."""
    notebook = nbformat.read(path, as_version=4)
    # Papermill marks a notebook that failed by cells of its own.
    notebook.cells = [cell for cell in notebook.cells if not ERROR_TAGS & set(tags_of(cell))]
    for cell in notebook.cells:
        if any(output.output_type == "error" for output in cell.get("outputs", [])):
            said = nbformat.v4.new_output(
                "stream", name="stdout", text=f"Too few data: {reason}.\n"
            )
            cell.outputs = [said]
    nbformat.write(notebook, path)


def tags_of(cell) -> list[str]:
    return cell.metadata.get("tags", [])


def draw_reason(title: str, reason: str, save_as: str) -> None:
    """Draw a panel that gives the reason, unless the notebook stopped after its figure."""
    if Path(f"{save_as}.png").exists():
        return
    from fuzzybounds.figures import style

    style.save(style.draw_reason(title, reason), save_as)


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
            title=snakemake.params.title,
            path_to_notebook=snakemake.output.notebook,
            parameters={
                "dataset": snakemake.wildcards.dataset,
                "results": "results",
                "save_as": snakemake.output.png.removesuffix(".png"),
                **snakemake.params.options,
            },
        )
