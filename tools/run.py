"""Execute chapters in place and save them clean and minimal.

    python tools/run.py [NOTEBOOK ...]      all of chapters/ when none is named

Clean means: outputs that any reader can show without a kernel, and no metadata that a machine,
an editor or a date would change. So a diff shows only what somebody meant to change.
"""

import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

CHAPTERS = Path(__file__).parents[1] / "chapters"

# A saved widget view without its kernel shows "model not found"; the HTML beside it stays alive.
NEEDS_A_KERNEL = "application/vnd.jupyter.widget-view+json"

# A code cell that begins so is folded wherever a notebook is shown; Colab shows the title instead.
TITLE = "# @title "


NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def clean(notebook):
    """Strip a notebook, in place, of all that is not text, code or a portable output."""
    notebook.metadata = nbformat.from_dict(NOTEBOOK_METADATA)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    count = 0
    for cell in notebook.cells:
        cell.source = cell.source.strip("\n")
        cell.metadata = nbformat.from_dict(folding(cell.source))
        if cell.cell_type != "code":
            continue
        count += 1
        cell.execution_count = count
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = count
            if "data" in output:
                output.data.pop(NEEDS_A_KERNEL, None)
                output.metadata = {}
        cell.outputs = joined(o for o in cell.outputs if o.get("data", True))
    return notebook


def joined(outputs):
    """Outputs with what a cell printed in one piece, however the machine cut it."""
    whole = []
    for output in outputs:
        if whole and output.get("name") and output.get("name") == whole[-1].get("name"):
            whole[-1].text += output.text
        else:
            whole.append(output)
    return whole


def folding(source):
    """The metadata that folds a cell in Jupyter Book, JupyterLab and Colab, if it has a title."""
    if not source.startswith(TITLE):
        return {}
    what = source.removeprefix(TITLE).splitlines()[0].split(":")[0]
    # The book has no use for the set-up; of a solution it hides the output too.
    tag = {"Setup": "remove-cell", "Figure": "hide-input"}.get(what, "hide-cell")
    prompt = "the code of this figure" if what == "Figure" else what
    return {
        "cellView": "form",
        "jupyter": {"source_hidden": True},
        "mystnb": {"code_prompt_show": f"Show {prompt}", "code_prompt_hide": f"Hide {prompt}"},
        "tags": [tag],
    }


def run(path):
    """Execute one notebook in its own folder and save it clean, unless it fails."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
        extra_arguments=["--log-level=ERROR"],
    ).execute()
    nbformat.write(clean(notebook), path)


def main(names):
    paths = [Path(name) for name in names] or sorted(CHAPTERS.glob("*.ipynb"))
    failed = False
    for path in paths:
        start = time.perf_counter()
        print(f"{path.name} ... ", end="", flush=True)
        try:
            run(path)
        except CellExecutionError as error:
            failed = True
            print(f"FAILED\n{error}")
        else:
            print(f"{time.perf_counter() - start:.1f} s, {path.stat().st_size // 1000} kB")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
