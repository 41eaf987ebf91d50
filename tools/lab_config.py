"""JupyterLab's settings for `make lab`: figures stay alive in a notebook that you save.

A saved widget view without its kernel shows "model not found"; the HTML beside it needs no kernel.
"""

from tools.metadata import NEEDS_A_KERNEL


def keep_figures_alive(model, **place):
    """Drop the widget views of figures from a notebook on its way to the disk."""
    if model["type"] != "notebook" or model["content"]["nbformat"] != 4:
        return
    for cell in model["content"]["cells"]:
        for output in cell.get("outputs", []):
            if "text/html" in output.get("data", {}):
                output["data"].pop(NEEDS_A_KERNEL, None)


c = get_config()  # noqa: F821
c.FileContentsManager.pre_save_hook = keep_figures_alive
