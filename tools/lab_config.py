"""JupyterLab's settings for `make lab`: figures stay alive in a notebook that you save."""

from tools.metadata import NEEDS_A_KERNEL


def keep_figures_alive(model, **place):
    """Drop the widget views of figures from a notebook on its way to the disk."""
    is_current = model["type"] == "notebook" and model["content"]["nbformat"] == 4
    for cell in model["content"]["cells"] if is_current else ():
        for output in cell.get("outputs", []):
            if "text/html" in output.get("data", {}):
                output["data"].pop(NEEDS_A_KERNEL, None)


c = get_config()  # noqa: F821
c.FileContentsManager.pre_save_hook = keep_figures_alive
