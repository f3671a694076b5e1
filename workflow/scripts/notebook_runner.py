"""Run notebooks in this process: starting a kernel would take longer than drawing most figures."""

from __future__ import annotations

import io
import os
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, v4, validate
from papermill.iorw import load_notebook_node
from papermill.parameterize import parameterize_notebook

# No window and no pictures of their own from Matplotlib: a figure is shown when it is saved.
os.environ["MPLBACKEND"] = "agg"

KERNEL, LANGUAGE = "python3", "python"
# The checks of a notebook are generated when a first one is checked: here once for all forks.
validate(v4.new_notebook())


def load(path: str | Path, parameters: dict[str, Any]) -> NotebookNode:
    """Read a notebook and let papermill put parameters into it."""
    notebook = parameterize_notebook(
        load_notebook_node(str(path)), parameters, kernel_name=KERNEL, language=LANGUAGE
    )
    # The other notes of papermill differ from run to run, and so does the id of its cell.
    for holder in [notebook, *notebook.cells]:
        holder.metadata.pop("papermill", None)
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number:02d}"
    return notebook


def run(notebook: NotebookNode) -> None:
    """Run the cells in order, and keep what each shows; an error ends the run and is raised."""
    from IPython.core.displaypub import CapturingDisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    # Nothing is read from or written to the home directory.
    shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
    shell.display_pub = CapturingDisplayPublisher()
    try:
        for cell in notebook.cells:
            if cell.cell_type == "code":
                run_cell(shell, cell)
    finally:
        InteractiveShell.clear_instance()


def run_cell(shell: Any, cell: NotebookNode) -> None:
    """Run one cell; what it prints, displays and returns becomes its outputs."""
    returned = []
    shell.display_trap.hook = returned.append
    shell.display_pub.outputs.clear()
    printed = io.StringIO()
    with redirect_stdout(printed):
        done = shell.run_cell(cell.source, store_history=True)
    cell.execution_count = done.execution_count
    if text := printed.getvalue():
        print(text, end="")
        cell.outputs.append(v4.new_output("stream", name="stdout", text=text))
    if error := done.error_before_exec or done.error_in_exec:
        raise error
    for shown in shell.display_pub.outputs:
        content = {name: shown[name] for name in ("data", "metadata")}
        cell.outputs.append(v4.new_output("display_data", **content))
    for value in returned:
        if value is not None:
            data, metadata = shell.display_formatter.format(value)
            content = {"data": data, "metadata": metadata}
            count = done.execution_count
            cell.outputs.append(v4.new_output("execute_result", execution_count=count, **content))
