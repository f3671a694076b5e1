"""Draw a figure by running its notebook with papermill; the executed notebook is kept."""

from pathlib import Path

import papermill
from job import work

from fuzzybounds.core.errors import InputError


def main(notebook: str, executed: str, parameters: dict) -> None:
    try:
        papermill.execute_notebook(
            notebook,
            executed,
            parameters,
            kernel_name="python3",
            progress_bar=False,
            # The notebook is whole by then; a kernel that ends by itself takes 0.3 s longer.
            shutdown_kernel="immediate",
        )
    except papermill.PapermillExecutionError as error:
        cells = f"cell {error.exec_count} of {executed} shows where"
        raise InputError(f"{notebook}: {error.ename}: {error.evalue}", [cells]) from error


if __name__ == "__main__":
    with work(snakemake):
        main(
            snakemake.input.notebook,
            snakemake.output.notebook,
            {
                "dataset": snakemake.params.dataset,
                "results": Path(snakemake.output.png).parents[2].as_posix(),
                "save_as": snakemake.output.png.removesuffix(".png"),
                **snakemake.params.options,
            },
        )
