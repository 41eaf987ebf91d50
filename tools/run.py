"""Execute chapters in place and save them clean and minimal.

    python -m tools.run NOTEBOOK ...

Clean means: outputs that any reader can show without a kernel, and no metadata that a machine,
an editor or a date would change. So a diff shows only what somebody meant to change.
"""

import os
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from kernelfree.book import replace
from tools import metadata

CHAPTERS = Path(__file__).parents[1] / "chapters"


def clean(notebook):
    """Strip a notebook, in place, of all that is not text, code or a portable output."""
    # Not there where the book is only built.
    from nbconvert.preprocessors import CoalesceStreamsPreprocessor

    notebook.nbformat, notebook.nbformat_minor = 4, 5
    for cell in notebook.cells:
        cell.source = cell.source.strip("\n")
    metadata.clean(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for count, cell in enumerate(code, 1):
        cell.execution_count = count
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = count
        cell.outputs = [output for output in cell.outputs if output.get("data", True)]
        # What a cell printed in one piece, however the machine cut it.
        CoalesceStreamsPreprocessor().preprocess_cell(cell, {}, 0)
    return notebook


class NoNotebook(SystemExit, RuntimeError):
    """An error that ends a command with its sentence, if nobody catches it."""


def read(path):
    """The notebook at a path; an error names the path."""
    try:
        return nbformat.read(path, as_version=4)
    except Exception as error:
        why = getattr(error, "strerror", None) or error
        raise NoNotebook(f"{path} is no notebook: {why}") from error


def client(notebook, folder):
    """What executes a notebook in a folder."""
    os.environ["MY_ATTENTION"] = "nowhere"  # what somebody has written is no output of the book
    options = {"timeout": 600, "kernel_name": "python3", "record_timing": False}
    options |= {"extra_arguments": ["--log-level=ERROR"]}
    return NotebookClient(notebook, resources={"metadata": {"path": str(folder)}}, **options)


def run(path):
    """Execute one notebook in its own folder and save it clean, unless it fails or has changed."""
    before, notebook = path.exists() and path.read_bytes(), read(path)
    client(notebook, path.parent).execute()
    after = nbformat.writes(clean(notebook)) + "\n"
    if not path.exists() or path.read_bytes() != before:
        raise RuntimeError(f"{path} was saved while it ran. It stays as it is; run it again.")
    replace(path, after.encode())


def main(names):
    failed = False
    for path in map(Path, names):
        start = time.perf_counter()
        print(f"{path.name} ... ", end="", flush=True)
        try:
            run(path)
            print(f"{time.perf_counter() - start:.1f} s, {path.stat().st_size // 1000} kB")
        except (CellExecutionError, OSError, RuntimeError) as error:
            failed = True
            print(f"NOT SAVED\n{error}")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
