"""The notebook of docs/: it runs without an error, and is stored without outputs."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "docs/kayles.ipynb"


def test_the_notebook_runs() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in cells)
    # Raises an exception if a cell does. The assertions of the notebook are in its cells.
    NotebookClient(notebook, timeout=300).execute()
    shown = {kind for cell in cells for output in cell.outputs for kind in output.get("data", ())}
    assert {"image/svg+xml", "image/png"} <= shown
