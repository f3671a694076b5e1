"""Draw a figure by running its notebook; the executed notebook is kept beside the figures."""

from pathlib import Path

import nbformat
import notebook_runner
from job import logged

from fuzzybounds.figures import style
from fuzzybounds.storage.errors import TooFew
from fuzzybounds.storage.tables import check_whole, replacing


def main(
    paths_to_tables: list[str],
    notebook: str,
    title: str,
    path_to_notebook: str,
    parameters: dict,
    first_look: str | None = None,
) -> None:
    for path in paths_to_tables:
        check_whole(path)
    style.first_look = first_look
    executed = notebook_runner.load(notebook, parameters)
    try:
        notebook_runner.run(executed)
    except TooFew as reason:
        print(f"insufficient data: {reason}")
        say_why(executed, str(reason))
        draw_reason(title, str(reason), parameters["save_as"])
    with replacing(path_to_notebook) as temporary:
        nbformat.write(executed, temporary)


def say_why(notebook: nbformat.NotebookNode, reason: str) -> None:
    """Put the reason where a notebook stopped."""
    stopped = [cell for cell in notebook.cells if cell.get("execution_count")][-1]
    text = f"Insufficient data: {reason}.\n"
    stopped.outputs = [nbformat.v4.new_output("stream", name="stdout", text=text)]


def draw_reason(title: str, reason: str, save_as: str) -> None:
    """Draw a panel that gives the reason, unless the notebook stopped after its figure."""
    if Path(f"{save_as}.png").exists():
        return
    style.save(style.draw_reason(title, reason), save_as)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            paths_to_tables=[path for path in snakemake.input if path.startswith("results/")],
            notebook=snakemake.input.notebook,
            title=snakemake.params.title,
            path_to_notebook=snakemake.output.notebook,
            first_look=snakemake.params.first_look,
            parameters={
                "dataset": snakemake.params.dataset,
                "results": "results",
                "save_as": snakemake.output.png.removesuffix(".png"),
                **snakemake.params.options,
            },
        )
